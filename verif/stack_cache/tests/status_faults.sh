#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
# Faults of halt, flush, reset and context planted in the model, without RTL: what the rules at the ports and the
# golden model find. (The RTL is compared with the model in lockstep, so a fault in both looks the same.)
. verif/tests/lib.sh
model=cmodel/stack_cache

common() { # what no fault changes
  local f
  cat > "$tmp/lists.c" <<'END'
#include "verif.h"
extern const struct simt_block simt_block_stack_cache;
extern const struct simt_verif simt_verif_stack_cache;
const struct simt_block *const simt_blocks[] = {&simt_block_stack_cache, NULL};
const struct simt_verif *const simt_verifs[] = {&simt_verif_stack_cache, NULL};
END
  mkdir "$tmp/o" && cd "$tmp/o" || return 1
  for f in "$root"/verif/core/*.c "$root"/verif/stack_cache/*.c "$root"/cmodel/core/*.c "$tmp/lists.c" \
    "$root/verif/tests/model_test.c"; do
    gcc -std=gnu11 -O1 -c -I"$root"/{cmodel/core,verif/core,cmodel,verif} "$f" || return 1
  done
  cd "$root" || return 1
}
build() { # PROGRAM [FILE OF THE MODEL, SED]...: with the edits
  local to=$1
  shift
  rm -rf "$tmp/edited" && mkdir "$tmp/edited" && cp -r $model "$tmp/edited" || return 1
  while [ $# -gt 0 ]; do
    sed -i "$2" "$tmp/edited/stack_cache/$1"
    if cmp -s $model/"$1" "$tmp/edited/stack_cache/$1"; then echo "the edit of $1 changes nothing: $2"; return 1; fi
    shift 2
  done
  gcc -std=gnu11 -O1 -Icmodel/core -I"$tmp/edited" -Icmodel -o "$tmp/$to" "$tmp"/o/*.o "$tmp"/edited/*/*.c -lz -lm -lpthread
}
configs=("STATUS=one_hot THREADS=3 ENTRIES=8 SET=4 ENTRY_W=17 FLAGS=per_entry"
         "STATUS=binary THREADS=5 ENTRIES=8 SET=2 POLICY=threshold")
stimulus=random:status
passes() {
  build sound || return 1
  local c
  for c in "${configs[@]}"; do
    # shellcheck disable=SC2086
    timeout 100 "$tmp/sound" 300000 1 random:status $c || return 1
    # shellcheck disable=SC2086
    timeout 100 "$tmp/sound" 300000 1 directed $c || return 1
  done
}
finds() { # PATTERN [FILE SED]...
  local pattern=$1 c said=
  shift
  build planted "$@" || return 1
  for c in "${configs[@]}"; do
    # shellcheck disable=SC2086
    said+=$(timeout 100 "$tmp/planted" 300000 1 "$stimulus" $c | grep -v '^- ')
  done
  grep -qE "$pattern" <<<"$said" || { echo "no '$pattern' in: $said"; return 1; }
}
seen() { # NAME PATTERN [FILE SED]...
  local name=$1
  shift
  try "status fault: $name" "[SC-13]" -- finds "$@"
}

try "status fault: all compiles" -- common
try "status fault: the sound model passes without RTL" "[SC-13]" -- passes
seen "operations are taken under a halt request" "can-go bit is 1" \
  status.c 's/u->closed = halt || u->busy_self;/u->closed = halted(m) || u->busy_self;/'
seen "an init is taken under a halt request" "can-go bit is 1" model.c 's/r->can_init && !m->u.closed;/r->can_init;/'
seen "an access begins under a halt request" "begins under a halt request|offered or taken while halted" \
  status.c 's/u->quiet = halt || /u->quiet = halted(m) || /'
seen "halted with an access under way" "halted while|offered or taken while halted" \
  status.c 's/!r->req_valid && !u->under_way;/!r->req_valid;/'
seen "not halted in time" "not halted" status.c 's/^  return !r->b.valid \&\& /&r->scan == 0 \&\& /'
seen "a reset that does not reach a thread" "expected|is saved|set 0 is" status.c 's/^  r->walk = 0;/  r->walk = 1;/'
seen "errors that a reset does not clear" "word 6|ERROR|STATUS reads" model.c 's/effect.clear_error || m->u.clears/effect.clear_error/'
seen "a refused context that does not clear the unit" "is saved with|does not end" \
  status.c 's/(u->fsm.ctx_reset || u->port.r.abort)/u->fsm.ctx_reset/'
seen "a refused access that is not reported" "nack_o is 0, expected 1|quiescent|follows" status.c 's/.nack = fires \&\& ef->error/.nack = false \&\& ef->error/'
seen "a write that does not clear the nack bit" "nack_o is 1, expected 0" status.c 's/.nack_write = clears_error ||/.nack_write =/'
seen "a nack bit that is not restored" "nack_o is 0, expected 1" status.c 's/.nack_value = u->port.r.commit \&\& r->error_valid/.nack_value = false/'
seen "a nack bit that a refused context leaves" "nack_o is 1, expected 0" status.c 's/u->port.r.commit || u->port.r.abort,/u->port.r.commit,/'
seen "an error that is not saved" "word 6" status.c 's/case 6: return r->error;/case 6: return r->error \& 0x7fffffff;/'
seen "a reset that does not wait for old answers" "before it are due" status.c 's/u->cleared = !u->says.mem \&\& /u->cleared = /'
seen "a flush that ends too early" "flush ends while|is saved with" status.c 's/u->passes.done && !u->under_way/u->passes.done/'
seen "a flush that never ends" "does not end" status.c 's/u->flush_ends = .*/u->flush_ends = false;/'
seen "a flush that other accesses go beside" "read during a flush|does not end" \
  status.c 's/u->quiet = halt || u->clearing || u->flush;/u->quiet = halt || u->clearing;/'
seen "a thread that a flush leaves out" "flush ends while thread" flush.c 's/t < m->l.threads; t++/t + 1 < m->l.threads; t++/'
seen "a set lost while memory is not ready" "flush ends while|does not end|is written, expected|under way" flush.c 's/if (f->read.valid && m->r.stall) return;//'
seen "an answer counted twice" "under way|follows|does not end" engine.c 's/if (!e->taken) m->u.under_way--;/m->u.under_way--;/'
seen "a burst that goes on behind a flush" "outside a burst|within a burst" status.c 's/t < m->l.threads; t++) m->thread\[t\].burst = 0;/t < 0; t++);/'
seen "bytes of no entry leave in a flush" "byte strobe" model.c 's/bytes <= i ? 0 : bytes - i < 32/m->l.set_bytes - i < 32/; s/(1u << (bytes - i)) - 1/(1u << (m->l.set_bytes - i)) - 1/'
seen "a flush under a halt request is not refused" "is done|flush" registers.c 's/ && !(v & 1 && (m->u.fsm.halt_req || .*$/;/'
seen "the base cannot be written while halted" "is refused" registers.c 's/(m->r.nonempty == 0 || (l->status && m->u.fsm.state == SIMT_HALTED))/m->r.nonempty == 0/'
seen "a context without the highest entry of a set" "is saved as" \
  status.c 's/m->l.set + at->entry >= s->count) return 0/m->l.set + at->entry + 1 >= s->count) return 0/'
seen "entries that are not valid are saved" "no entry" status.c 's/if (!s->count || below >= .*return 0;/(void)below;/'
seen "a context with other dirty sets" "dirty and" status.c 's/(used - (uint32_t)th->s.S) |/(used - (uint32_t)th->s.L) |/'
seen "a limit that is not loaded" "can_push|status|LIMIT|word 2" status.c 's/^  if (limit_load) r->lim.*//'
seen "an offset that is not loaded" "offset|CLEAN" status.c 's/th->s.off = .*/th->s.off = 0;/'
seen "a stack that is loaded too short" "entries|entry|can_" status.c 's/{.count = count, .fault/{.count = count - (count > 1), .fault/'
configs=("STATUS=two_of_four THREADS=3 ENTRIES=32 SET=2 INFLIGHT=2")
try "status fault: the sound model passes with more sets than accesses" "[SC-13]" -- passes
seen "a class with two accesses in a flush" "is under way" flush.c 's/f->lane\[lane\].spilled + 1 == m->l.inflight/false/'
seen "a flush of one round" "flush ends while" flush.c 's/f->done = !f->left/f->done = true/'
stimulus=directed
seen "an error from before a reset in a flush" "the register is 0x|status 3|answers" engine.c 's/ \&\& !m->u.clearing) m->fault_next/) m->fault_next/'
configs=("STATUS=one_hot THREADS=3 ENTRIES=8 SET=4 ENTRY_W=17 FLAGS=per_entry")
seen "an error of what a reset dropped" "nack_o is 1, expected 0|ERROR|STATUS reads|word 6" \
  status.c 's/ef->error \&\& !u->clearing \&\& !u->clears/ef->error/' engine.c 's/if (!m->u.clearing \&\& !m->u.clears) record_error/record_error/'
seen "a set that is offered behind a reset" "begins under a halt request or a reset|is written, expected" flush.c 's/^  if (u->clears && u->acks).*//'
seen "an error that does not mark a thread under drain" "the register is 0x" engine.c 's/(!th->drain || e->taken)/!th->drain/'
exit $failed
