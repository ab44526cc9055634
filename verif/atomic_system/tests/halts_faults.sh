#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# Faults planted in the halt, the reset and the context of the system: the environment's rules find each in the model alone, lockstep those of the RTL.
. verif/tests/lib.sh
# shellcheck disable=SC2034
block=atomic_system
small='CACHES=2 LINE_BYTES=16 LINES=4 WAYS=2 QUEUE=2 STALL_BUF=2 MERGE_LANES=2 MISSES=2 MAX_TEMPS=1 OLD_LINES=2 TID_W=4 ADDR_W=16 HOME_ENTRIES=16 MEM_SLOTS=2 STATUS=one_hot WITNESS=1'
far='CACHES=2 STAGES=16 LINES=4 WAYS=2 HOME_ENTRIES=16 STATUS=binary WITNESS=1'
runs=("200000 1 random:halts $small" "600000 2 random:halts $far" "1000000 1 directed:halt_at_work $small" "1000000 1 directed:nack $small")

passes_sound() { passes && covered halted drained reset_with_access loaded saved_again refused_header refused_payload broken_off count_goes_on; }
covered() { # NAME...: the first run hits them
  local name
  # shellcheck disable=SC2086
  "$tmp/sound" $block ${runs[0]} > "$tmp/missed" || return 1
  for name; do ! grep -qx -- "- $name" "$tmp/missed" || { echo "$name is missed"; return 1; }; done
}
always try "models: without a fault every run passes" "[AM-17]" -- passes_sound

lost='memory has other|while memory owes|not answered|memory is asked|report while halted|_valid_o is 1 while halted'
seen "the home is not waited for" "AM-17 US-4" "$lost" status.c 's/all.idle \&\& idle \&\& !words;/all.idle \&\& !words;/'
seen "words between caches and home are not waited for" "AM-17 US-4" "$lost" status.c 's/all.idle \&\& idle \&\& !words;/all.idle \&\& idle;/'
seen "one cache that is idle is enough" "AM-17 US-5" "$lost" \
  status.c 's/all.idle \&= out/all.idle |= out/; s/{.idle = true, .halted = true}/{.halted = true}/; s/u->s.served \&\& all.halted,/u->s.served,/'
seen "caches are never told that all is idle" "AM-17 US-4" "not halted within HALT_OWN" status.c 's/.served = rests, .can_halt/.served = false, .can_halt/'
seen "requests are taken in the first cycle of a halt" "AM-17 US-5" "a request is taken under a halt" \
  status.c 's/if (shell(m)->closed) in/if (false) in/; s/if (shell(m)->closed) out/if (false) out/'
seen "an answer is taken while halted" "US-14" "its answer taken, while halted|_ready_o is 1 while halted" status.c 's/if (still) out\[u->mem.rsp_ready\] = 0;//'
seen "an answer with an error is no refusal" "AM-17 US-3" "nack_o is not" status.c 's/ \&\& !drops, .blocked/ \&\& drops, .blocked/'
seen "nack_o cannot be taken back" "AM-17 US-3" "nack_o is not" status.c 's/r->addr == AS_REG_NACK/r->addr == AS_REG_ID/'
seen "a reset leaves the home as it is" "AM-17 US-7" "got a fill that it did not ask for|did not own the line|with those of its context" status.c 's/|= now.resets \&\& !asks;/|= false;/'
seen "a reset leaves the caches as they are" "AM-17 US-7" "a thread without a request is answered|lost other requests than" status.c 's/in\[u->cache.rst\] |= resets;//'
seen "a reset withdraws what memory is asked" "AM-17 US-7" "memory port: " status.c 's/|= now.resets \&\& !asks;/|= now.resets;/'
seen "behind a reset memory's answers are not waited for" "AM-17 US-7" "a request is taken under a halt request or behind a reset" status.c 's/= u->s.wipes || u->s.due || !idle;/= u->s.wipes || !idle;/'

# ---- the context: its order, what is in it, what is refused, what comes of that ----
stays='not what the ports say|with those of its context|of a context|what came with a context|what a context has of it'
seen "the home's records stand behind the caches'" "AM-17 US-9" "$stays" \
  status.c 's/next->record = shown(m, w->record);/next->record = shown(m, (w->record + 2) % u->shape.records[0]);/; s/put_record(m, (unsigned)now->put,/put_record(m, ((unsigned)now->put + 2) % m->unit.shape.records[0],/'
seen "a line stands before its count" "AM-17 US-9" "$stays|ends with error" \
  status.c 's/if (s->walk.word == 0) return s->record.first/if (s->walk.word == 1) return s->record.first/; s/s->walk.word == 1 ? s->record.line/s->walk.word == 0 ? s->record.line/'
seen "what a cache lost is not loaded" "AM-17 US-9" "$stays" atomic_merge/status.c '/^void am_put_errors/,/^}/s/  s->lost = count;//'
seen "that a cache got a fill which it did not ask for is not loaded" "AM-17 US-9" "$stays" atomic_merge/status.c '/^void am_put_errors/,/^}/s/  s->unasked = unasked;//'
seen "bad releases are not loaded" "AM-17 US-9" "$stays" line_home/model.c '/^void lh_put_bad/,/^}/s/  s->bad = count;//'
seen "the line of a bad release is not loaded" "AM-17 US-9" "$stays" line_home/model.c '/^void lh_put_bad/,/^}/s/  s->bad_line = line;//'
seen "nack_o is not loaded" "AM-17 US-3 US-9" "$stays" status.c 's/now.says.nack_load = u->s.nack;/now.says.nack_load = false;/'
seen "nack_o comes back behind a reset in a load" "AM-17 US-7" "$stays" status.c 's/u->s.nack \&\& !simt_shell_clears(shell(m));/u->s.nack;/'
refused='ends with error 0, expected (5 or )?4'
seen "a line without anything lost is not refused" "AM-17 US-9" "$refused" status.c 's/first \& AS_COUNT_BITS ? ((uint64_t)1/first + 1 ? ((uint64_t)1/'
seen "a line of too many bits is not refused" "AM-17 US-9" "$refused" status.c 's/<< u->line_aw) - 1 : 0;/<< 32) - 1 : 0;/'
seen "a home that got a fill is not refused" "AM-17 US-9" "$refused" status.c 's/unasked = w->record >= AS_RECORD_CACHE,/unasked = true,/'
seen "nack_o in another record is not refused" "AM-17 US-9" "$refused" status.c 's/nack = w->record == 0;/nack = true;/'
seen "bits of no meaning are not refused" "AM-17 US-9" "$refused" status.c 's/return (to->ld_data \& ~(AS_COUNT_BITS |/return (to->ld_data \& 0x3ffff \& ~(AS_COUNT_BITS |/'
seen "a context that ends early is not refused" "AM-17 US-9" "$refused" status.c 's/if (to->ld_last != simt_walk_last(w, \&u->shape)) return true;//'
seen "any system takes the context" "AM-17 US-9" "would be refused with error 2" status.c 's/simt_context_hash(hashed, sizeof hashed \/ sizeof \*hashed)/simt_context_hash(hashed, 1)/'
seen "a refused context stays" "AM-17 US-9" "$stays|that it did not ask for" status.c 's/clear = simt_shell_clears(shell(m)), drops/clear = shell(m)->fsm.ctx_reset, drops/'

small_options=(atomic_system -q --seed 1 --cycles 200000 --stimulus random:halts)
for p in $small; do small_options+=(-p "$p"); done
try "RTL: a cache does not hear of the halt" "[AM-17 US-5]" -- found '^(MISMATCH|GOLDEN MODEL): ' \
  rtl_templates/atomic_system/atomic_system_core.v "s/.cmd_halt_i(halt)/.cmd_halt_i(halt \&\& g != 1)/" -- "${small_options[@]}"
status=rtl_templates/atomic_system/atomic_system_status.v
rtl() { try "RTL: $1" "[AM-17 US-9]" -- found '^(MISMATCH|GOLDEN MODEL): ' "$2" "$3" -- "${small_options[@]}"; }
rtl "a record goes to the wrong part" $status 's/record == AT\[RECORD_W-1:0\];/record == AT[RECORD_W-1:0] ^ 1;/'
rtl "records are saved in another order" $status 's/{LINE_AW+17{record == i\[RECORD_W-1:0\]}}/{LINE_AW+17{record == i[RECORD_W-1:0] ^ 1}}/'
rtl "a line without anything lost is not refused" $status "s/{LINE_AW{record_q\[15:0\] != 16'd0}}/{LINE_AW{1'b1}}/"
rtl "a word of a load is not looked at" $status "s/wrong = ld_valid \&\& (ld_last != save_ends/wrong = ld_valid \&\& word != 2'd0 \&\& (ld_last != save_ends/"
rtl "whose turn it is outlives a halt" rtl_templates/atomic_system/atomic_system_core.v "s/.settles_i(served)/.settles_i(served \&\& 1'b0)/"
rtl "a cache does not hear of its record" rtl_templates/atomic_system/atomic_system_core.v "s/.put_i(put\[g+2\])/.put_i(put[g+2] \&\& g != 1)/"
exit $failed
