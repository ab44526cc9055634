#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# Runs that once failed: configuration, seed and what was wrong. A fixed bug leaves its seed behind.
. verif/tests/lib.sh
rerun() { # NAME REQUIREMENTS SEED CYCLES STIMULUS PARAMETER=VALUE...
  local name=$1 reqs=$2 seed=$3 cycles=$4 stimulus=$5 options=() p
  shift 5
  for p in "$@"; do options+=(-p "$p"); done
  try "seed $seed, $name" "$reqs" -- timeout 150 "$SIMTGEN" check stack_cache "${options[@]}" --stimulus "$stimulus" --seed "$seed" \
    --cycles "$cycles" -q
}
beats=(THREADS=3 ENTRIES=16 SET=4 ENTRY_W=9 INFLIGHT=2 POLICY=threshold MEM_W=entry STATUS=binary COUNTERS=0)
rerun 'a reset of the unit while the flush takes a set out: its burst ends as it began' '[SC-6 SC-13]' 8 520000 random:halts "${beats[@]}"
rerun 'rules: a spill whose write is offered behind a reset of the unit begins a burst' '[SC-6 SC-13]' 3 350000 random:halts "${beats[@]}"
exit $failed
