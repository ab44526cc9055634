#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Faults planted in the halt and the reset of the system: the environment's rules find each in the model alone, lockstep those of the RTL.
. verif/tests/lib.sh
# shellcheck disable=SC2034
block=atomic_system
small='CACHES=2 LINE_BYTES=16 LINES=4 WAYS=2 QUEUE=2 STALL_BUF=2 MERGE_LANES=2 MISSES=2 MAX_TEMPS=1 OLD_LINES=2 TID_W=4 ADDR_W=16 HOME_ENTRIES=16 MEM_SLOTS=2 STATUS=one_hot WITNESS=1'
far='CACHES=2 STAGES=16 LINES=4 WAYS=2 HOME_ENTRIES=16 STATUS=binary WITNESS=1'
runs=("200000 1 random:halts $small" "100000 2 random:halts $far" "1000000 1 directed:halt_at_work $small" "1000000 1 directed:nack $small")

passes_sound() { passes && covered halted drained reset_with_access; }
covered() { # NAME...: the first run hits them
  local name
  # shellcheck disable=SC2086
  "$tmp/sound" $block ${runs[0]} > "$tmp/missed" || return 1
  for name; do ! grep -qx -- "- $name" "$tmp/missed" || { echo "$name is missed"; return 1; }; done
}
try "models: without a fault every run passes" "[AM-17]" -- passes_sound

lost='memory has other|while memory owes|not answered|memory is asked'
seen "the home is not waited for" "AM-17 US-4" "$lost" status.c 's/all.idle \&\& idle \&\& !words;/all.idle \&\& !words;/'
seen "words between caches and home are not waited for" "AM-17 US-4" "$lost" status.c 's/all.idle \&\& idle \&\& !words;/all.idle \&\& idle;/'
seen "one cache that is idle is enough" "AM-17 US-5" "$lost" \
  status.c 's/all.idle \&= out/all.idle |= out/; s/{.idle = true, .halted = true}/{.halted = true}/; s/u->s.served \&\& all.halted,/u->s.served,/'
seen "caches are never told that all is idle" "AM-17 US-4" "not halted within HALT_OWN" status.c 's/.served = rests, .can_halt/.served = false, .can_halt/'
seen "requests are taken in the first cycle of a halt" "AM-17 US-5" "a request is taken under a halt" \
  status.c 's/if (shell(m)->closed) in/if (false) in/; s/if (shell(m)->closed) out/if (false) out/'
seen "an answer is taken while halted" "US-14" "its answer taken, while halted" status.c 's/if (still) out\[u->mem.rsp_ready\] = 0;//'
seen "an answer with an error is no refusal" "AM-17 US-3" "nack_o is not" status.c 's/ \&\& !drops, .blocked/ \&\& drops, .blocked/'
seen "nack_o cannot be taken back" "AM-17 US-3" "nack_o is not" status.c 's/r->addr == AS_REG_NACK/r->addr == AS_REG_ID/'
seen "a reset leaves the home as it is" "AM-17 US-7" "got a fill that it did not ask for" status.c 's/|= now.resets \&\& !asks;/|= false;/'
seen "a reset leaves the caches as they are" "AM-17 US-7" "a thread without a request is answered" status.c 's/in\[u->cache.rst\] |= resets;//'
seen "a reset withdraws what memory is asked" "AM-17 US-7" "memory port: " status.c 's/|= now.resets \&\& !asks;/|= now.resets;/'
seen "behind a reset memory's answers are not waited for" "AM-17 US-7" "a request is taken under a halt request or behind a reset" status.c 's/= u->s.wipes || u->s.due || !idle;/= u->s.wipes || !idle;/'

small_options=(atomic_system -q --seed 1 --cycles 60000 --stimulus random:halts)
for p in $small; do small_options+=(-p "$p"); done
try "RTL: a cache does not hear of the halt" "[AM-17 US-5]" -- found '^(MISMATCH|GOLDEN MODEL): ' \
  rtl_templates/atomic_system/atomic_system_core.v "s/.cmd_halt_i(halt)/.cmd_halt_i(halt \&\& g != 1)/" -- "${small_options[@]}"
exit $failed
