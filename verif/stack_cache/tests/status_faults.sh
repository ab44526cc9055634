#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
# Faults of halt, flush, reset, context and steals planted in the model, without RTL: what the rules at the ports and the
# golden model find. (The RTL is compared with the model in lockstep, so a fault in both looks the same.)
. verif/tests/lib.sh
block=stack_cache PLANTED_SECONDS=100

# stimulated KIND CONFIGURATION...: what the faults below run.
stimulated() {
  local kind=$1 c
  shift
  runs=()
  for c in "$@"; do runs+=("600000 1 $kind $c"); done
}
small=("STATUS=one_hot THREADS=3 ENTRIES=8 SET=4 ENTRY_W=17 FLAGS=per_entry"
       "STATUS=binary THREADS=5 ENTRIES=8 SET=2 POLICY=threshold")
many=("STATUS=two_of_four THREADS=3 ENTRIES=32 SET=2 INFLIGHT=2")
sound() { # CONFIGURATION...: random and directed
  stimulated random:status "$@" && passes && stimulated directed "$@" && passes
}

try "status fault: the sound model passes without RTL" "[SC-13]" -- sound "${small[@]}"
stimulated random:status "${small[@]}"
seen "operations are taken under a halt request" SC-13 "can-go bit is 1" \
  status.c 's/u->closed = halt || u->busy_self;/u->closed = halted(m) || u->busy_self;/'
seen "cannot is said while an operation is at work" US-2 "stalled follows active" \
  status.c 's/cannot = lawful && !takes && !works/cannot = lawful \&\& !takes/'
seen "an init is taken under a halt request" SC-13 "can-go bit is 1" model.c 's/r->can_init && !m->u.closed;/r->can_init;/'
seen "an access begins under a halt request" SC-13 "begins under a halt request|offered or taken while halted" \
  status.c 's/u->quiet = halt || /u->quiet = halted(m) || /'
seen "halted with an access under way" SC-13 "halted while|offered or taken while halted" \
  status.c 's/!r->req_valid && !u->under_way;/!r->req_valid;/'
seen "not halted in time" SC-13 "not halted" status.c 's/^  return !r->b.valid \&\& /&r->scan == 0 \&\& /'
seen "a reset that does not reach a thread" SC-13 "expected|is saved|set 0 is" status.c 's/^  r->walk = 0;/  r->walk = 1;/'
seen "errors that a reset does not clear" SC-13 "word 6|ERROR|STATUS reads" model.c 's/effect.clear_error || m->u.clears/effect.clear_error/'
seen "a refused context that does not clear the unit" SC-13 "is saved with|does not end|can_" \
  status.c 's/(u->fsm.ctx_reset || u->port.r.abort)/u->fsm.ctx_reset/'
seen "a refused access that is not reported" SC-13 "nack_o is 0, expected 1|quiescent|follows" status.c 's/.nack = fires \&\& ef->error/.nack = false \&\& ef->error/'
seen "a write that does not clear the nack bit" SC-13 "nack_o is 1, expected 0" status.c 's/.nack_write = clears_error ||/.nack_write =/'
seen "a nack bit that is not restored" SC-13 "nack_o is 0, expected 1" status.c 's/.nack_value = u->port.r.commit \&\& r->error_valid/.nack_value = false/'
seen "a nack bit that a refused context leaves" SC-13 "nack_o is 1, expected 0" status.c 's/u->port.r.commit || u->port.r.abort,/u->port.r.commit,/'
seen "an error that is not saved" SC-13 "word 6" status.c 's/case 6: return r->error;/case 6: return r->error \& 0x7fffffff;/'
seen "a reset that does not wait for old answers" SC-13 "before it are due" status.c 's/u->cleared = !u->says.mem \&\& /u->cleared = /'
seen "a flush that ends too early" SC-13 "flush ends while|is saved with" status.c 's/u->passes.done && !u->under_way/u->passes.done/'
seen "a flush that never ends" SC-13 "does not end" status.c 's/u->flush_ends = .*/u->flush_ends = false;/'
seen "a flush that other accesses go beside" SC-13 "read during a flush|does not end" \
  status.c 's/u->quiet = halt || u->clearing || u->flush;/u->quiet = halt || u->clearing;/'
seen "a thread that a flush leaves out" SC-13 "flush ends while thread" flush.c 's/t < m->l.threads; t++/t + 1 < m->l.threads; t++/'
seen "a set lost while memory is not ready" SC-13 "flush ends while|does not end|is written, expected|under way" flush.c 's/if (f->read.valid && m->r.stall) return;//'
seen "an answer counted twice" SC-13 "under way|follows|does not end" engine.c 's/if (!e->taken) m->u.under_way--;/m->u.under_way--;/'
seen "a burst that goes on behind a flush" SC-13 "outside a burst|within a burst" status.c 's/t < m->l.threads; t++) m->thread\[t\].burst = 0;/t < 0; t++);/'
seen "bytes of no entry leave in a flush" SC-13 "byte strobe" model.c 's/bytes <= i ? 0 : bytes - i < 32/m->l.set_bytes - i < 32/; s/(1u << (bytes - i)) - 1/(1u << (m->l.set_bytes - i)) - 1/'
seen "a flush under a halt request is not refused" SC-13 "is done|flush" registers.c 's/return !(v & 1 && (m->u.fsm.halt_req || halted));/return true;/'
seen "the base cannot be written while halted" SC-13 "is refused" registers.c 's/(m->r.nonempty == 0 || halted)/m->r.nonempty == 0/'
seen "a context without the highest entry of a set" SC-13 "is saved as" \
  status.c 's/m->l.set + at->entry >= s->count) return 0/m->l.set + at->entry + 1 >= s->count) return 0/'
seen "entries that are not valid are saved" SC-13 "no entry" status.c 's/if (!s->count || below >= .*return 0;/(void)below;/'
seen "a context with other dirty sets" SC-13 "dirty and" status.c 's/(used - (uint32_t)th->s.S) |/(used - (uint32_t)th->s.L) |/'
seen "a limit that is not loaded" SC-13 "can_push|status|LIMIT|word 2" status.c 's/m->r.lim = sc_limit_of(m, u->coming.*//'
seen "a refused context that changes the run-time registers" US-9 "reads|word [0-5]|the register is" \
  status.c 's/    m->r.lim = sc_effective_limit(m);/    commit(m);/'
seen "an offset that is not loaded" SC-13 "offset|CLEAN|another stream" status.c 's/th->s.off = .*/th->s.off = 0;/'
seen "a stack that is loaded too short" SC-13 "entries|entry|can_" status.c 's/{.count = count, .fault/{.count = count - (count > 1), .fault/'
try "status fault: the sound model passes with more sets than accesses" "[SC-13]" -- sound "${many[@]}"
stimulated random:status "${many[@]}"
seen "a class with two accesses in a flush" SC-13 "is under way" flush.c 's/f->lane\[lane\].spilled + 1 == m->l.inflight/false/'
seen "a flush of one round" SC-13 "flush ends while" flush.c 's/f->done = !f->left/f->done = true/'
stimulated directed "${many[@]}"
seen "an error from before a reset in a flush" SC-13 "the register is 0x|status 3|answers" engine.c 's/ \&\& !m->u.clearing) m->fault_next/) m->fault_next/'
stimulated directed "${small[0]}"
seen "an error of what a reset dropped" SC-13 "nack_o is 1, expected 0|ERROR|STATUS reads|word 6" \
  status.c 's/ef->error \&\& !u->clearing \&\& !u->clears/ef->error/' engine.c 's/if (!m->u.clearing \&\& !m->u.clears) record_error/record_error/'
seen "a set that is offered behind a reset" SC-13 "begins under a halt request or a reset|is written, expected" flush.c 's/^  if (u->clears && u->acks).*//'
seen "an error that does not mark a thread under drain" SC-13 "the register is 0x" engine.c 's/(!th->drain || e->taken)/!th->drain/'
runs=("100000 1 directed:steal_after_reset THREADS=3 ENTRIES=8 SET=2 ENTRY_W=16")
try "steals: the sound model passes without RTL" "[SC-9]" -- passes
seen "the engine takes a cycle one lost cycle too late" SC-9 "cycles of waiting" engine.c 's/++r->lost >= m->l.steal/++r->lost > m->l.steal/'
seen "STEAL is read as one more" SC-9 "cycles of waiting" block.c 's/value\[STEAL\];/value[STEAL] + 1;/'
exit $failed
