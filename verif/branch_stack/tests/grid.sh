#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Every configuration of the grid in lockstep: random stimulus and the directed tests; two at a time, because
# most of the time goes into compiling. The RTL of 1,024 groups takes minutes to compile: grid_long.sh.
. verif/tests/lib.sh

one() { # LINE SEED: prints what try prints
  local parameters=() p
  for p in $1; do parameters+=(-p "$p"); done
  mkdir "$tmp/$2" && cd "$tmp/$2" || return 1
  both() {
    timeout 190 "$SIMTGEN" check branch_stack "${parameters[@]}" -q --cycles 30000 --seed "$2" &&
      timeout 60 "$SIMTGEN" check branch_stack "${parameters[@]}" -q --cycles 1000000 --stimulus directed --seed 1
  }
  try "grid: $1" "[BU-3 BU-4 BU-5 BU-6]" -- both "$@"
}

seed=100
while read -r line; do
  seed=$((seed + 1))
  one "$line" $seed > "$tmp/$seed.out" &
  [ $((seed % 2)) = 1 ] || wait
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d; /THREADS=1024/d' verif/branch_stack/grid.txt)
wait
cat "$tmp"/*.out
[ "$(cat "$tmp"/*.out | wc -l)" = $((seed - 100)) ] || { echo "not ok grid: a configuration has no result"; exit 1; }
! grep -q '^not ok' "$tmp"/*.out
