#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# Every kind of fault, planted in the example block, is found by lockstep; the cache of built RTL.
EXTRA=verif/tests/arbiter
. verif/tests/lib.sh
QUICK= # what is shrunk is looked at
with_extra || { echo "not ok lockstep: the program with the example block does not build"; exit 1; }
mkdir "$tmp/run" && cd "$tmp/run" || exit 1

rtl=verif/tests/arbiter/rtl_templates/arbiter/arbiter_core.v
model=verif/tests/arbiter/cmodel/arbiter/model.c
env=verif/tests/arbiter/verif/arbiter/verif.c

late() { # a fault that needs 15 grants: shrunk to them and one cycle more
  found 'shrunk from [0-9]+ to 16 cycles' "$rtl" 's/count_o + 1.b1/count_o + 1 + (count_o == 14)/' -- \
    arbiter --seed 3 --cycles 100000
}
try "a late fault is shrunk to the cycles that it needs" -- late
at_once_shrunk() {
  found 'cycles after reset .ended by its time limit of 0 s.' "$rtl" 's/count_o + 1.b1/count_o + 1 + (count_o == 14)/' \
    gen/cmd/check.h 's/SHRINK_SECONDS 20.0/SHRINK_SECONDS 0.0/' -- arbiter --seed 3 --cycles 100000
}
try "shrinking that its time limit ended says so" -- at_once_shrunk
foreign_wave() {
  local dir
  dir=$(mktemp -d "$tmp/foreign.XXXXXX")
  copy_tree "$dir" && sed -i '/count_o <= {COUNT_W/d' "$dir/$rtl" && echo mine > "$dir/arbiter_mismatch.vcd" || return 1
  for _ in 1 2; do
    (cd "$dir" && in_copy "$dir" timeout 120 "$SIMTGEN" check arbiter --seed 1 --cycles 5000) |
      grep -q '^waveform: arbiter_mismatch_2.vcd$' || { echo "another waveform"; return 1; }
  done
  [ "$(cat "$dir/arbiter_mismatch.vcd")" = mine ] && [ -s "$dir/arbiter_mismatch_2.vcd" ] || { echo "overwritten"; return 1; }
}
try "a mismatch leaves a file that is not this program's, and writes over its own" -- foreign_wave
try "a register without reset is found" -- found '^MISMATCH: .*count_o' "$rtl" '/count_o <= {COUNT_W/d' -- \
  arbiter --seed 1 --cycles 5000
try "a fault in the model is found" -- found '^MISMATCH: .*count_o' \
  "$model" 's/(m->s.count + 1)/(m->s.count + 2)/' -- arbiter --seed 1 --cycles 5000
try "a fault in RTL and model alike is found by the golden model alone" -- \
  found '^GOLDEN MODEL: arbiter seed 1 cycle [0-9]+ of the shrunk run: client [0-9]+ waits' \
  "$rtl" 's/> grant_o/< grant_o/' \
  "$model" 's/uint64_t after = .*/uint64_t after = req \& (((uint64_t)1 << m->s.last) - 1);/' \
  -- arbiter --seed 1 --cycles 5000
try "a block that stops is found by the stuck detector" -- found '^STUCK: .*request 0x' \
  "$rtl" 's/grant_valid_o <= |req_i/grant_valid_o <= 1'"'"'b0/; s/if (|req_i) count_o.*//' \
  "$model" 's/  if (!req) return;/  m->s.valid = 0; return;/' \
  "$env" 's/else if (e->asked) wrong = .*/else if (e->grants > 9) wrong = "";/' \
  -- arbiter --stimulus random:busy --seed 1 --cycles 5000

# ---- one thread and two
# same_in_two EDITS...: a run that fails says the same with environment and model in a thread of their own.
same_in_two() {
  local one two
  one=$(SIMTGEN_THREADS=1 status 1 planted "$@" -- arbiter --seed 3 --cycles 100000) || { echo "$one"; return 1; }
  two=$(SIMTGEN_THREADS=2 status 1 planted "$@" -- arbiter --seed 3 --cycles 100000) || { echo "$two"; return 1; }
  grep -q '^  two threads: RTL ' <<<"$two" && ! grep -q 'two threads' <<<"$one" || { echo "not two threads: $two"; return 1; }
  diff <(said_of "$one") <(said_of "$two")
}
said_of() { grep -v 'two threads' <<<"$1" | sed -E 's/, [0-9.]+ s \([0-9.]+ million cycles.s\)$//; s|^reproduce: .* check|reproduce: check|'; }
count=(s'/count_o + 1.b1/count_o + 1 + (count_o == 300)/')
try "a mismatch is told, shrunk and counted alike by one thread and by two" -- same_in_two "$rtl" "${count[@]}"
try "so is what the golden model finds" -- same_in_two "$rtl" 's/> grant_o/< grant_o/' \
  "$model" 's/uint64_t after = .*/uint64_t after = req \& (((uint64_t)1 << m->s.last) - 1);/'
differs_in_two() {
  local said
  said=$(same_in_two "$rtl" "${count[@]}" verif/core/lockstep.c \
    's/r.operations = .*/r.operations = l->verif->progress(l->env, \&busy);/') && { echo "no difference: $said"; return 1; }
  grep -q 'operations$' <<<"$said" || { echo "$said"; return 1; }
}
try "fault: what is counted is what the thread ahead has counted" -- differs_in_two

# ---- the cache
at_once() {
  local pids=() p
  for _ in 1 2; do SIMTGEN_CACHE=$tmp/cache timeout 300 "$SIMTGEN" check arbiter --seed 1 --cycles 100 -q & pids+=($!); done
  for p in "${pids[@]}"; do wait "$p" || return 1; done
  [ "$(find "$tmp/cache" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ] || { ls "$tmp/cache"; return 1; }
}
try "runs at the same time share an empty cache and leave two entries" -- at_once
exit $failed
