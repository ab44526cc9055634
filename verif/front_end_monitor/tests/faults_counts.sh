#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 200
# Faults planted in what the model counts, times and names, without RTL: what the golden model's own counts find.
. verif/front_end_monitor/tests/model.sh

seen "an interrupt names who came before it was cleared" "US-12" "register 0x090 reads|register 0x094 reads" register_port.c 's/^  if \(e->writes && e->good\) write_now\(m\);//; s/^  r->irq \|= \(e->finish/  if (e->writes \&\& e->good) write_now(m);\n  r->irq |= (e->finish/'
seen "a nack interrupt names the last one" "US-12" "register 0x090 reads" register_port.c 's/if \(nack && !\(r->irq & FEM_IRQ_NACK\)\)/if (nack)/'
seen "an illegal report names connection 0" "US-12" "register 0x094 reads" register_port.c 's/r->illegal_conn = look->conn/r->illegal_conn = 0/'
seen "a nack is not seen" "US-12" "irq_o|0x018 reads" register_port.c 's/ \| \(nack \? FEM_IRQ_NACK : 0u\)//'
seen "an illegal report is not seen" "US-12" "irq_o|0x018 reads" register_port.c 's/\(illegal \? FEM_IRQ_ILLEGAL : 0u\)/0u/'
seen "a state is read a turn late" "US-12" "0x084 reads" register_port.c 's/r->looked = look->flags << 3 \| look->seen/r->looked = look->valid \&\& look->conn == r->conn ? r->looked : (look->flags << 3 | look->seen)/'
seen "the worst latency is the last" "US-11" "0x08c reads" stats.c 's/if \(age > s->found\[2\].worst\) /if (age) /'
seen "a latency is 100 too long" "US-11" "0x088 reads" stats.c 's/s->latency\[c\].last = age;/s->latency[c].last = age + 100;/'
seen "a latency is taken once only" "US-11" "0x08[8c] reads" stats.c 's/s->latency\[c\].seen = false;/;/'
seen "a clear under halt forgets who has halted" "US-11" "0x08[8c] reads" stats.c 's/s->latency\[s->clear_at \/ 8\].last = /s->latency[s->clear_at \/ 8].seen = false, s->latency[s->clear_at \/ 8].last = /'
seen "stalled is counted as quiescent" "US-11" "0x0a[8c] reads" stats.c 's/\? FEM_MIXED : s->look.seen;/? FEM_MIXED : s->look.seen == 2 ? 3 : s->look.seen;/'
seen "counts of a connection go to another" "US-11" "0x0[ab]. reads" stats.c 's/s->count\[w->conn\]\[w->state\] = /s->count[0][w->state] = /'
seen "hold holds nothing" "US-11" "0x0[ab]. reads" stats.c 's/ && !m->s.regs.hold//g'
seen "a read does not wait behind a hold" "US-11" "0x0[ab]. reads" stats.c 's/ && s->held == m->s.regs.hold//'
seen "the upper half of a count is the lower" "US-11" "0x09c reads" register_port.c 's/read_count >> 32\)/read_count)/'
seen "times by phase count twice" "US-11" "0x07. reads" domain.c 's/n.time\[counted\]\+\+/n.time[counted] += 2/'
seen "times by phase are not cleared" "US-11" "0x07. reads" domain.c 's/for \(int p = 0; p < 4; p\+\+\) n->time\[p\] = 0;//'
seen "a store is counted as a restore" "US-11" "0x07. reads" domain.c 's/case FEM_STORE: return 1;/case FEM_STORE: return 3;/'
seen "the unit of an error is always 0" "US-8" "0x02c reads" domain.c 's/if \(s.hub_refused\) n.unit = m->s.walk.unit;//'
seen "a count of deadlocks begins anew" "US-11" "0x05c reads" dead.c 's/if \(dead && !d->open && d->seen != m->l.most_time\) d->seen\+\+;/if (dead \&\& !d->open) d->seen = (d->seen + 1) \& m->l.most_time;/'
seen "a count of resolved deadlocks begins anew" "US-11" "0x060 reads" dead.c 's/ && d->resolved != m->l.most_time\) d->resolved\+\+;/) d->resolved = (d->resolved + 1) \& m->l.most_time;/'
seen "the cycle counter has 64 bits" "US-12" "0x01[04] reads" register_port.c 's/ & m->l.most_cycle//'
seen "a window of more bits than there are" "US-10" "0x054" register_port.c 's/if \(!simt_reg_takes/if (a != FEM_REG_WINDOW \&\& !simt_reg_takes/'
seen "a timeout of more bits than there are" "US-15" "0x044" register_port.c 's/if \(!simt_reg_takes/if (a != FEM_REG_TIMEOUT \&\& !simt_reg_takes/'
exit $failed
