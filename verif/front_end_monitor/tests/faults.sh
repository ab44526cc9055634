#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 200
# Faults planted in the model, without RTL: what the golden model finds at the ports. (The RTL is compared with the model in
# lockstep, so a fault in both looks the same.) Then a long busy run, in which no deadlock is reported.
. verif/front_end_monitor/tests/model.sh

faulty=("${runs[@]}")
# Once found here: the timeout stops a domain while the units of a group are reset one behind the other. And: a save in which
# all of a domain is lost.
runs+=("100000 104 random UNITS=100 GROUP=7 COMMANDS=unit ENCODING=two_of_four"
       "700000 11 random UNITS=9 GROUP=2 COMMANDS=group ENCODING=two_of_four DOMAINS=2")
busy() {
  "$tmp/sound" front_end_monitor "$1" 7 random:busy UNITS=4 COMMANDS=unit > "$tmp/said" || { cat "$tmp/said"; return 1; }
  grep -qx -- '- dead_report' "$tmp/said" || { echo "a deadlock was reported"; return 1; }
  ! grep -qx -- '- save' "$tmp/said"
}

always try "the sound model passes without RTL" "[US-8 US-10 US-15]" -- passes
try "busy for ${BUSY:-3000000} cycles: no deadlock is reported" "[US-10]" -- busy "${BUSY:-3000000}"
runs=("${faulty[@]}")
[ -z "${BUSY:-}" ] || exit $failed
seen "old halted reports are believed" "US-8" "has not halted|before it has halted|stands still|hub is asked" \
  layout.c 's/l->settle = 2 \* l->stages \+ 1 \+ l->levels \+ 1;/l->settle = l->stages;/'
seen "one connection is left out" "US-8" "is released, and unit|before all|not halted|has halted|late|asked" model.c 's/halted\[m->l.domain\[c\]\] &= /halted[m->l.domain[c]] = /'
seen "released before the last is restored" "US-8" "is released|irq_o is 1" domain.c 's/d->through \+ 1 == m->l.conns_of/d->through + 2 >= m->l.conns_of/'
seen "reset before it is stored" "US-8" "before it is stored|before all|not reset|was reset" walk.c 's/last \? behind_contexts\(m, n, d\) : FEM_OFFER/last || behind_contexts(m, n, d) == FEM_RESETS ? behind_contexts(m, n, d) : FEM_OFFER/'
seen "an error of the hub is taken for good" "US-8" "reads|is (taken|refused)|irq_o|is stored|not stored|before it" walk.c 's/m->e.error = error && /m->e.error = error > 6 \&\& /; s/if \(error \|\| n->stale/if (error > 6 || n->stale/'
seen "a save at the base of restores" "US-9" "another base or slot" walk.c 's/n->load \? m->s.regs.of\[i\].load : m->s.regs.of\[i\].save;/m->s.regs.of[i].load;/'
seen "the wrong domain is released" "US-8" "under halt|is released" model.c 's/fem_under_halt\(&m->s.domain\[m->l.domain\[c\]\]\)/fem_under_halt(\&m->s.domain[0])/'
seen "an abort behind a reset" "US-8" "register 0x024.*is taken|is released|reset" domain.c 's/ && !had_reset && d->stage/ \&\& d->stage/'
seen "a release while the hub works" "US-8" "while the hub moves|withdrawn" domain.c 's/cut = release && !s.hub_works;/cut = release;/'
seen "a command while one runs" "US-15" "is taken|under halt|is released" domain.c 's/if \(d->stage == FEM_IDLE\) return what >= FEM_SWITCH && what <= FEM_DO_DRAIN;/if (what >= FEM_SWITCH \&\& what <= FEM_DO_DRAIN) return true;/'
seen "a timeout a cycle late" "US-15" "irq_o|expected|not reset by the timeout|reads" domain.c 's/runs && d->expires == m->s.now/runs \&\& d->expires + 1 == m->s.now/'
seen "a timeout that is written begins no wait" "US-15" "irq_o|no interrupt|expected|not reset by the timeout|reads" domain.c 's/s->retries \|\| m->s.regs.timeout_written;/s->retries;/'
seen "a halt timeout of 61,440 after a reset" "US-15" "register 0x044 reads" layout.c 's/65536 \? l->most_time : 65536;/65536 ? l->most_time : 61440;/'
seen "times that are a bit too short" "US-10 US-15" "register 0x0([45]4|7.) " layout.c 's/UINT32_MAX >> \(32 - l->time_w\)/UINT32_MAX >> (33 - l->time_w)/'
seen "a timeout behind a reset aborts" "US-15" "is released|0x4. is refused" domain.c 's/s.gives_up && !s.had_reset/s.gives_up/'
seen "a reset of another begins the timeout anew" "US-15" "irq_o|no interrupt|expected|reads" domain.c 's/if \(anew \|\| resets_all/if (anew || resets_one_now || resets_all/'
seen "no timeout behind a reset, one by one" "US-15" "irq_o|no interrupt|expected|reads" domain.c 's/runs && one_by_one && d->expires_again/runs \&\& false \&\& d->expires_again/'
seen "what the timeout has reset is stored, one by one" "US-9 US-15" "the timeout has reset it" walk.c 's/ && !w->lost;/;/'
seen "what the timeout has reset is stored, together" "US-9 US-15" "the timeout has reset it" domain.c 's/saves\(d->what\) && !d->lost/saves(d->what)/'
seen "what is lost is not named" "US-15" "0x28. reads|the timeout has reset it" register_port.c 's/pack\(m->s.lost, n, word\)/0/'
seen "those that halted are reset too" "US-15" "nobody asked|second time|by a save|before it" model.c 's/\(!m->l.each \|\| late\);/true;/'
seen "a deadlock with progress in the window" "US-10" "irq_o|reads|without a deadlock|nobody asked" dead.c 's/waiting && !progress && !held/waiting \&\& !held/'
seen "a deadlock in which nobody waits" "US-10" "irq_o|reads|without a deadlock|nobody asked" dead.c 's/quiet = waiting && !progress/quiet = !progress/'
seen "a window that goes on under halt" "US-10" "irq_o|reads|without a deadlock|nobody asked|before it" dead.c 's/ && !held && !d->fresh/ \&\& !d->fresh/'
seen "a window that goes on before released units report" "US-10" "irq_o|reads|without a deadlock|nobody asked|before it" dead.c 's/d->after--, held = true;/d->after--;/'
seen "a window a cycle too long" "US-10" "irq_o|not resumed|not reset|window ends|behind the last" dead.c 's/d->left == 1 && window/d->left == 0 \&\& window/'
seen "all are resumed, not those that gather" "US-10" "resumed without" model.c 's/ && e->action\[k\] == FEM_RESUME && m->now.gathered\[c\]/ \&\& e->action[k] == FEM_RESUME/'
seen "no other image while stopped" "US-8 US-9" "is refused" register_port.c 's/return stands;/return idle;/'
seen "no other command while stopped" "US-8" "is refused" domain.c 's/return what == FEM_DO_RESTORE \|\| what == FEM_EMPTY \|\| /return /'
seen "what the hub was at goes on for another command" "US-8" "unit|irq_o|reads|stands still" walk.c 's/n->stale = state .*;/n->stale = false;/'
seen "one that only gathers is reset" "US-10" "nobody asked|not resumed|reads" model.c 's/bool spares = .*;/bool spares = false;/'
seen "one that a resume does not move is never reset" "US-10" "not reset|resumed without" model.c 's/m->now.gathered\[c\] && !e->acted\[k\]/m->now.gathered[c]/'
seen "a report counts as a resume" "US-10" "nobody asked|not resumed|reads" dead.c 's/dead && m->e.action\[k\] != FEM_REPORT/dead/'
seen "a deadlock names those that wait when it is reported" "US-10" "register 0x18. reads" dead.c 's/m->now.waited\[c\] = s->waited\[c\] \|\| waits/m->now.waited[c] = waits/'
seen "the first policy for ever" "US-10" "not reset|not resumed|without a deadlock|nobody asked" dead.c 's/d->open && policy >> 4 \?/false ?/'
seen "an interrupt is lost while another is cleared" "US-12" "irq_o|reads" register_port.c 's/^  if \(e->writes && e->good\) write_now\(m\);//; s/^  if \(!e->any_dead\) return;/  if (e->writes \&\& e->good) write_now(m);\n  if (!e->any_dead) return;/'
exit $failed
