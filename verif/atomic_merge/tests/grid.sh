#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 900
# Every configuration of the grid in lockstep: random stimulus and the directed tests; two at a time, because
# most of the time goes into compiling.
. verif/tests/lib.sh

one() { # LINE SEED: prints what try prints
  local parameters=() p
  for p in $1; do parameters+=(-p "$p"); done
  mkdir "$tmp/$2" && cd "$tmp/$2" || return 1
  both() {
    timeout 300 "$SIMTGEN" check atomic_merge "${parameters[@]}" -q --cycles 60000 --seed "$2" &&
      timeout 100 "$SIMTGEN" check atomic_merge "${parameters[@]}" -q --cycles 100000 --stimulus directed --seed 1
  }
  try "grid: $1" "[AM-1 AM-2 AM-3 AM-7 AM-8 AM-12 AM-14]" -- both "$@"
}

seed=100
while read -r line; do
  seed=$((seed + 1))
  one "$line" $seed > "$tmp/$seed.out" &
  [ $((seed % 2)) = 1 ] || wait
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' verif/atomic_merge/grid.txt)
wait
cat "$tmp"/*.out
[ "$(cat "$tmp"/*.out | wc -l)" = $((seed - 100)) ] || { echo "not ok grid: a configuration has no result"; exit 1; }
! grep -q '^not ok' "$tmp"/*.out
