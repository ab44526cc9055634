#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# Faults planted in the home, in what joins it with the caches, and in the checker's sight of them: the serial-order checker finds each in the
# models alone, lockstep finds those of the RTL, and litmus tests find what breaks an order.
. verif/tests/lib.sh
. verif/atomic_system/tests/litmus_lib.sh
# shellcheck disable=SC2034
block=atomic_system runs=("60000 1 random:mixed WITNESS=1" "60000 2 random:many_lines WITNESS=1 HOME_ENTRIES=16 LINES=8 WAYS=2")
order='takes its place|returns 0x|memory has other contents|does not own|did not ask|did not own|while work waits'
home=line_home/directory.c

passes_sound() {
  local run
  models sound "$main" || return 1
  # shellcheck disable=SC2086
  for run in "${runs[@]}"; do "$tmp/sound" $block $run || return 1; done
}
always try "models: without a fault every run passes" -- passes_sound
seen "a line is given to a second cache" "AM-15" "$order" \
  $home 's/e->owner != op->cache \&\& !snoop(d)) come_again(d);/e->owner != op->cache) hand_on(d);/'
seen "memory is taken for good after a release without data" "AM-15" "$order" $home 's/e->stale |= op->dirty/e->stale = op->dirty/'
seen "a line that was written does not go to memory" "AM-15" "$order" $home 's/e->state = e->stale ? LH_WRITE : LH_FREE;/e->state = LH_FREE;/; s/    if (e->stale) job(d, true);//'
seen "the flags of a release are mixed up between caches" "AM-15" "$order" \
  model.c 's/copy_bits(from, 0, \&sink\[f->home_word\], cache \* f->width, f->width);/copy_bits(from, 0, \&sink[f->home_word], (cache ^ (f->width == 1)) * f->width, f->width);/'
seen "idle_o does not wait for the home" "AM-15" "so many accesses to memory are open|memory has other contents" \
  status.c 's/\[u->home.idle\] \&\& !between/[u->home.idle] < 2 \&\& !between/'

core=rtl_templates/atomic_system/atomic_system_core.v
try "RTL: tags of fills go to the wrong place" "[AM-15]" -- found '^(MISMATCH|GOLDEN MODEL|STUCK): ' \
  $core 's/c_home\[LINE_AW+DATA_W+:MISS_W\]/c_home[LINE_AW+DATA_W-1+:MISS_W]/' -- atomic_system -q --seed 1 --cycles 20000 \
  -p CACHES=2 -p LINE_BYTES=16 -p LINES=4 -p WAYS=2 -p MERGE_LANES=2 -p MISSES=2 -p HOME_ENTRIES=16 -p ADDR_W=16 -p WITNESS=1

options=(atomic_system -q --seed 1 --cycles 60000 -p CACHES=2 -p LINES=8 -p WAYS=2 -p HOME_ENTRIES=32 -p TID_W=4 -p WITNESS=1)
try "RTL: a cache does not get its option: thread ids in use" "[AM-16]" -- found '^(MISMATCH|GOLDEN MODEL|STUCK): ' \
  $core 's/\.TID_CHECK(TID_CHECK)/.TID_CHECK(0)/' -- "${options[@]}" -p TID_CHECK=1
try "RTL: a cache does not get its option: float adds wait" "[AM-7]" -- found '^(MISMATCH|GOLDEN MODEL|STUCK): ' \
  $core 's/\.FLOAT_MERGE(FLOAT_MERGE)/.FLOAT_MERGE(1)/' -- "${options[@]}" -p ATOMIC_FADD=wait -p FLOAT_MERGE=0
try "both: a thread id in use is not refused" "[AM-16]" -- found '^GOLDEN MODEL: ' \
  rtl_templates/atomic_merge/atomic_merge_tids.v "s/assign live_o = begun/assign live_o = 1'b0 \& begun/" \
  cmodel/atomic_merge/model.c 's/live \&\& m->l.tid_check/false/' -- "${options[@]}" -p TID_CHECK=1
try "both: a decrement above the limit counts from it" "[AM-1]" -- found '^GOLDEN MODEL: ' \
  rtl_templates/atomic_merge/atomic_merge_modulo.v "s/top = down_q ? 64'd0 : last_q;/top = last_q;/" \
  cmodel/atomic_merge/values.c 's/if (x > last) x = 0;/if (x > last) x = last;/' -- "${options[@]}" -p ATOMIC_WRAP=extra

# A litmus test that is stripped of what makes it safe is red.
stripped() { # NAME SED
  edit "$root/verif/atomic_system/litmus/$1.lit" "$2" "$tmp/$1.lit" && seen_by '^forbidden .*: WRONG$' "$tmp/litmus" "$tmp/$1.lit" 10000 7 "${small[@]}"
}
models litmus verif/atomic_system/tests/litmus_test.c || { echo "not ok litmus: it does not link"; exit 1; }
try "litmus: store buffering without its fences is red" "[AM-2]" -- stripped sb_fence /^fence/d
try "litmus: message passing without its fences is red" "[AM-2]" -- stripped mp_fence /^fence/d
try "litmus: store buffering without waiting is red" "[AM-2]" -- stripped sb_wait /^wait/d
try "litmus: a relaxed atomic instead of a strict one is red" "[AM-2 AM-13]" -- stripped mp_strict 's/strict/relaxed/'
exit $failed
