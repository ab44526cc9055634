#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Runs that once failed: configuration, seed and what was wrong. A fixed bug leaves its seed behind.
set -u
failed=0
rerun() { # NAME REQUIREMENTS SEED CYCLES PARAMETER=VALUE... [STIMULUS]
  local name=$1 reqs=$2 seed=$3 cycles=$4 options=() out
  shift 4
  for value in "$@"; do
    if [[ $value = *=* ]]; then options+=(-p "$value"); else options+=(--stimulus "$value"); fi
  done
  if out=$("$SIMTGEN" check stack_cache "${options[@]}" --seed "$seed" --cycles "$cycles" -q 2>&1); then
    echo "ok seed $seed, $name $reqs"
  else
    echo "not ok seed $seed, $name $reqs: $(tr '\n' ' ' <<<"$out" | cut -c1-300)"
    failed=1
  fi
}
rerun 'a replace just after a spill, two entries' '[SC-11]' 21 60000 THREADS=2 ENTRIES=2 SET=1 ENTRY_W=9 POLICY=threshold FORWARD=0
rerun 'a replace takes a place from the pushes' '[SC-11]' 5 10000 THREADS=2 ENTRIES=2 SET=1 ENTRY_W=9 POLICY=threshold
rerun 'a steal for a thread at its limit' '[SC-9]' 5 60000 THREADS=1 ENTRIES=2 SET=1 MAX_DEPTH=2
rerun 'a steal while nobody waits' '[SC-9]' 5 50000 COUNTERS=2 STEAL=1
rerun 'a push writes while the kept set waits' '[SC-10]' 2 200000
rerun 'as many sets loaded as a set number tells apart' '[SC-13]' 5 100000 THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry COUNTERS=2 STATUS=binary random:status
rerun 'a burst ends in a visit that forwards' '[SC-6]' 5 100000 THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry COUNTERS=2
exit $failed
