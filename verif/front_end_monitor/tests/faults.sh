#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 200
# Faults planted in the model, without RTL: what the golden model finds at the ports. (The RTL is compared with the model in
# lockstep, so a fault in both looks the same.) Then a long busy run, in which no deadlock is reported.
. verif/tests/lib.sh
. verif/front_end_monitor/tests/model.sh

runs() { # PROGRAM: directed and random, one by one and together, until something is found
  timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=4 &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=4 STATS=exact &&
    timeout 60 "$1" 60000 1 random COMMANDS=broadcast UNITS=3 &&
    timeout 60 "$1" 60000 2 random COMMANDS=unit UNITS=6 GROUP=2 DOMAINS=2
}
passes() {
  build sound || return 1
  runs "$tmp/sound" > "$tmp/said" 2> /dev/null
  ! grep '^cycle' "$tmp/said"
}
finds() { # PATTERN [FILE SED]...
  local pattern=$1 said
  shift
  build planted "$@" || return 1
  said=$(runs "$tmp/planted" 2> /dev/null | grep '^cycle')
  grep -qE "$pattern" <<<"$said" || { echo "no '$pattern' in: $said"; return 1; }
}
seen() { # NAME IDS PATTERN [FILE SED]...
  local name=$1 ids=$2
  shift 2
  try "fault: $name" "[$ids]" -- finds "$@"
}
busy() {
  "$tmp/sound" "$1" 7 random:busy UNITS=4 COMMANDS=unit > "$tmp/said" || { cat "$tmp/said"; return 1; }
  grep -qx -- '- dead_report' "$tmp/said" || { echo "a deadlock was reported"; return 1; }
  ! grep -qx -- '- save' "$tmp/said"
}

try "all compiles without RTL" -- common
try "the sound model passes without RTL" "[US-8 US-10 US-15]" -- passes
try "busy for ${BUSY:-3000000} cycles: no deadlock is reported" "[US-10]" -- busy "${BUSY:-3000000}"
[ -z "${BUSY:-}" ] || exit $failed
seen "old halted reports are believed" "US-8" "has not halted|before it has halted|stands still|hub is asked" \
  fem_layout.c 's/l->settle = 2 \* l->stages \+ 1 \+ l->levels \+ 1;/l->settle = l->stages;/'
seen "one connection is left out" "US-8" "is released, and unit|before all|not halted|has halted|late|asked" fem_model.c 's/halted\[m->l.domain\[c\]\] &= /halted[m->l.domain[c]] = /'
seen "released before the last is restored" "US-8" "is released|irq_o is 1" fem_domain.c 's/bool last = w->done && s->left == 1;/bool last = w->done \&\& s->left <= 2;/'
seen "reset before it is stored" "US-8" "before it is stored|before all|not reset|was reset" fem_walk.c 's/last \? FEM_OFFER : resets/last \&\& !resets ? FEM_OFFER : resets/'
seen "an error of the hub is taken for good" "US-8" "reads|is (taken|refused)|irq_o|is stored|not stored|before it" fem_walk.c 's/m->e.error = error;/m->e.error = error > 6;/; s/if \(error \|\| stands/if (error > 6 || stands/'
seen "a save at the base of restores" "US-9" "another base or slot" fem_walk.c 's/n->load \? m->s.regs.of\[i\].load : m->s.regs.of\[i\].save;/m->s.regs.of[i].load;/'
seen "the wrong domain is released" "US-8" "under halt|is released" fem_model.c 's/m->s.domain\[m->l.domain\[c\]\].halt/m->s.domain[0].halt/'
seen "an abort behind a reset" "US-8" "register 0x024.*is taken|is released|reset" fem_domain.c 's/early && !has_reset\(m, d\)/early/'
seen "a release while the hub works" "US-8" "while the hub moves|withdrawn" fem_domain.c 's/s->ending\) && !works\);/s->ending));/'
seen "a command while one runs" "US-15" "is taken|under halt|is released" fem_domain.c 's/what <= FEM_DO_DRAIN && s->stage == FEM_IDLE/what <= FEM_DO_DRAIN/'
seen "a timeout a cycle late" "US-15" "irq_o|expected|not reset by the timeout|reads" fem_domain.c 's/last_wait = s->wait == 1/last_wait = s->wait == 0/'
seen "a timeout that is written begins no wait" "US-15" "irq_o|no interrupt|expected|not reset by the timeout|reads" fem_domain.c 's/ \|\| r->timeout_written\) n.wait/) n.wait/'
seen "a timeout behind a reset aborts" "US-15" "is released" fem_domain.c 's/const bool stops = w.give_up && !did_reset;/const bool stops = w.give_up;/'
seen "those that halted are reset too" "US-15" "nobody asked|second time|by a save|before it" fem_model.c 's/\(!m->l.each \|\| late\);/true;/'
seen "a deadlock with progress in the window" "US-10" "irq_o|reads|without a deadlock|nobody asked" fem_dead.c 's/waiting && !progress && !held/waiting \&\& !held/'
seen "a deadlock in which nobody waits" "US-10" "irq_o|reads|without a deadlock|nobody asked" fem_dead.c 's/quiet = waiting && !progress/quiet = !progress/'
seen "a window that goes on under halt" "US-10" "irq_o|reads|without a deadlock|nobody asked|before it" fem_dead.c 's/ && !held && !d->fresh/ \&\& !d->fresh/'
seen "a window a cycle too long" "US-10" "irq_o|not resumed|not reset|window ends|behind the last" fem_dead.c 's/d->left == 1 && window/d->left == 0 \&\& window/'
seen "all are resumed, not those that gather" "US-10" "resumed without" fem_model.c 's/ && e->action\[k\] == FEM_RESUME && e->gathered\[c\]/ \&\& e->action[k] == FEM_RESUME/'
seen "a deadlock names those that wait when it is reported" "US-10" "register 0x18. reads" fem_dead.c 's/\(s->waited\[c\] \|\| waits\)/waits/'
seen "the first policy for ever" "US-10" "not reset|not resumed|without a deadlock|nobody asked" fem_dead.c 's/d->open && policy >> 4 \?/false ?/'
seen "an interrupt is lost while another is cleared" "US-12" "irq_o|reads" fem_registers.c 's/^  if \(e->writes && e->good\) write_now\(m\);//; s/^  if \(!e->any_dead\) return;/  if (e->writes \&\& e->good) write_now(m);\n  if (!e->any_dead) return;/'
seen "an interrupt names who came before it was cleared" "US-12" "register 0x090 reads|register 0x094 reads" fem_registers.c 's/^  if \(e->writes && e->good\) write_now\(m\);//; s/^  r->irq \|= \(e->finish/  if (e->writes \&\& e->good) write_now(m);\n  r->irq |= (e->finish/'
seen "a nack interrupt names the last one" "US-12" "register 0x090 reads" fem_registers.c 's/if \(nack && !\(r->irq & FEM_IRQ_NACK\)\)/if (nack)/'
seen "an illegal report names connection 0" "US-12" "register 0x094 reads" fem_registers.c 's/r->illegal_conn = look->conn/r->illegal_conn = 0/'
seen "a nack is not seen" "US-12" "irq_o|0x018 reads" fem_registers.c 's/ \| \(nack \? FEM_IRQ_NACK : 0u\)//'
seen "an illegal report is not seen" "US-12" "irq_o|0x018 reads" fem_registers.c 's/\(illegal \? FEM_IRQ_ILLEGAL : 0u\)/0u/'
seen "a state is read a turn late" "US-12" "0x084 reads" fem_registers.c 's/r->looked = look->flags << 3 \| look->seen/r->looked = look->valid \&\& look->conn == r->conn ? r->looked : (look->flags << 3 | look->seen)/'
seen "the worst latency is the last" "US-11" "0x08c reads" fem_stats.c 's/if \(age > s->found\[2\].worst\) /if (age) /'
seen "a latency is 100 too long" "US-11" "0x088 reads" fem_stats.c 's/s->latency\[c\].last = age;/s->latency[c].last = age + 100;/'
seen "a latency is taken once only" "US-11" "0x08[8c] reads" fem_stats.c 's/s->latency\[c\].seen = false;/;/'
seen "a clear under halt forgets who has halted" "US-11" "0x08[8c] reads" fem_stats.c 's/s->latency\[s->clear_at \/ 8\].last = /s->latency[s->clear_at \/ 8].seen = false, s->latency[s->clear_at \/ 8].last = /'
seen "stalled is counted as quiescent" "US-11" "0x0a[8c] reads" fem_stats.c 's/\? FEM_MIXED : s->look.seen;/? FEM_MIXED : s->look.seen == 2 ? 3 : s->look.seen;/'
seen "counts of a connection go to another" "US-11" "0x0[ab]. reads" fem_stats.c 's/s->count\[w->conn\]\[w->state\] = /s->count[0][w->state] = /'
seen "hold holds nothing" "US-11" "0x0[ab]. reads" fem_stats.c 's/ && !m->s.regs.hold//g'
seen "a read does not wait behind a hold" "US-11" "0x0[ab]. reads" fem_stats.c 's/ && s->held == m->s.regs.hold//'
seen "the upper half of a count is the lower" "US-11" "0x09c reads" fem_registers.c 's/read_count >> 32\)/read_count)/'
seen "times by phase count twice" "US-11" "0x07. reads" fem_domain.c 's/time\[phase\]\+\+/time[phase] += 2/'
seen "times by phase are not cleared" "US-11" "0x07. reads" fem_domain.c 's/for \(int i = 0; i < 4; i\+\+\) n->time\[i\] = 0;//'
seen "a store is counted as a restore" "US-11" "0x07. reads" fem_domain.c 's/case FEM_STORE: phase = 1;/case FEM_STORE: phase = 3;/'
seen "the unit of an error is always 0" "US-8" "0x02c reads" fem_domain.c 's/if \(w.error\) n.unit = m->s.walk.unit;//'
exit $failed
