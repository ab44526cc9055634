#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 600
# Faults planted in the halt and the reset of the system, in RTL and model alike: the environment's rules find each.
. verif/tests/lib.sh
rtl=rtl_templates/atomic_system/atomic_system_status.v core=rtl_templates/atomic_system/atomic_system_core.v
model=cmodel/atomic_system/status.c
base=(atomic_system -q --seed 1 --cycles 100000 -p CACHES=2 -p LINE_BYTES=16 -p LINES=4 -p WAYS=2 -p QUEUE=2 -p STALL_BUF=2 -p MERGE_LANES=2 -p MISSES=2
  -p MAX_TEMPS=1 -p OLD_LINES=2 -p TID_W=4 -p ADDR_W=16 -p HOME_ENTRIES=16 -p MEM_SLOTS=2 -p WITNESS=1 -p STATUS=one_hot)
golden='^GOLDEN MODEL: '

points() { # NAME...: a run hits them
  timeout 300 "$SIMTGEN" check "${base[@]/-q/--coverage}" --stimulus random:halts > "$tmp/cover" || { tail -n 3 "$tmp/cover"; return 1; }
  local name
  for name; do grep -qE "^  hit +[0-9]+  $name:" "$tmp/cover" || { echo "$name is missed"; return 1; }; done
}

order() {
  try "halts: coverage" "[AM-17 US-7]" -- points halted drained reset_with_access
  try "both: the home is not waited for" "[AM-17 US-4]" -- found "$golden" \
    $rtl 's/= &idle_i && home_idle_i && !between_i;/= \&idle_i \&\& !between_i;/' $model 's/all.idle && idle && !words;/all.idle \&\& !words;/' -- \
    "${base[@]}" --stimulus random:halts
  try "both: words between caches and home are not waited for" "[AM-17 US-4]" -- found "$golden" \
    $rtl 's/= &idle_i && home_idle_i && !between_i;/= \&idle_i \&\& home_idle_i;/' $model 's/all.idle && idle && !words;/all.idle \&\& idle;/' -- \
    "${base[@]}" --stimulus random:halts -p STAGES=16
  try "both: one cache that is idle is enough" "[AM-17 US-5]" -- found "$golden" \
    $rtl 's/= &idle_i && home_idle_i/= |idle_i \&\& home_idle_i/; s/served_q && &halted_i;/served_q;/' \
    $model 's/all.idle &= out/all.idle |= out/; s/{.idle = true, .halted = true}/{.halted = true}/; s/ && u->s.served && all.halted,/ \&\& u->s.served,/' -- \
    "${base[@]}" --stimulus random:halts
  try "both: caches are never told that all is idle" "[AM-17 US-4]" -- found "$golden.*not halted within HALT_OWN" \
    $rtl 's/served_q <= runs && rests;/served_q <= 1'"'b0;/" $model 's/.served = rests, .can_halt/.served = false, .can_halt/' -- \
    "${base[@]}" --stimulus directed:halt_at_work
}
gate() {
  try "both: requests are taken in the first cycle of a halt" "[AM-17 US-5]" -- found "$golden" \
    $core 's/= req_ready && !closed;/= req_ready;/; s/req_valid_i\[g\] && !closed/req_valid_i[g]/' \
    $model 's/if (shell(m)->closed) in/if (false) in/; s/if (shell(m)->closed) out/if (false) out/' -- "${base[@]}" --stimulus random:halts
  try "both: answers of memory are taken while halted" "[US-14]" -- found "$golden" \
    $core 's/= home_rsp_ready && !still;/= home_rsp_ready;/' $model 's/if (still) out\[u->mem.rsp_ready\] = 0;//' -- "${base[@]}" --stimulus random:halts
  try "both: an answer with an error is no refusal" "[AM-17 US-3]" -- found "$golden" \
    $rtl 's/st_nack_i(answered_i && refused_i && !clearing)/st_nack_i(answered_i \&\& refused_i \&\& clearing)/' $model 's/ && !drops, .blocked/ \&\& drops, .blocked/' -- \
    "${base[@]}" --stimulus directed:nack
}
resets() {
  try "both: a reset leaves the home as it is" "[AM-17 US-7]" -- found "$golden" \
    $rtl 's/= resets_o && !mem_req_valid_i;/= 1'"'b0;/" $model 's/|= now.resets && !asks;/|= false;/' -- "${base[@]}" --stimulus random:halts
  try "both: a reset withdraws what memory is asked" "[AM-17 US-7]" -- found "$golden" \
    $rtl 's/= resets_o && !mem_req_valid_i;/= resets_o;/' $model 's/|= now.resets && !asks;/|= now.resets;/' -- "${base[@]}" --stimulus random:halts
  try "both: behind a reset memory's answers are not waited for" "[AM-17 US-7]" -- found "$golden" \
    $rtl 's/= wipe_q || st_mem || !home_idle_i;/= wipe_q || !home_idle_i;/' $model 's/= u->s.wipes || u->s.due || !idle;/= u->s.wipes || !idle;/' -- \
    "${base[@]}" --stimulus random:halts
}

for part in order gate resets; do $part > "$tmp/$part.out" & done
wait
cat "$tmp"/*.out
! grep -q '^not ok' "$tmp"/*.out
