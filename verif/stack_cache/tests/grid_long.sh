#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# rotate: 1
# Every configuration of the grid in lockstep for many cycles, several seeds.
. verif/tests/lib.sh
cd "$tmp" || exit 1

while read -r line; do
  parameters=()
  for p in $line; do parameters+=(-p "$p"); done
  cycles=3000000
  [[ $line != *THREADS=1024* ]] || cycles=30000
  for seed in 1 2 3; do
    try "long: $line, seed $seed" "[SC-1 SC-3 SC-4 SC-11]" -- timeout 7200 "$SIMTGEN" check stack_cache \
      "${parameters[@]}" -q --cycles $cycles --seed "$((1000 * seed + $$ % 1000))"
  done
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' "$root/verif/stack_cache/grid.txt")
exit $failed
