#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Configurations of the grid of up to eight units in lockstep; larger ones, whose RTL takes longer to compile: grid_long.sh.
. verif/tests/lib.sh
select=${SELECT:-'/UNITS=[1-8]( |$)/'}
one() { # LINE SEED
  local parameters=() p
  for p in $1; do parameters+=(-p "$p"); done
  timeout 300 "$SIMTGEN" check front_end "${parameters[@]}" -q --cycles "${CYCLES:-50000}" --seed "$2" &&
    timeout 300 "$SIMTGEN" check front_end "${parameters[@]}" -q --cycles 1000000 --stimulus directed --seed 1
}
seed=100
while read -r line; do
  seed=$((seed + 1))
  try "grid: $line" "[US-6 US-7 US-8 US-9 US-12]" -- one "$line" $seed
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' verif/front_end/grid.txt | awk "$select")
[ $seed -gt 103 ] || { echo "not ok grid: no configurations"; exit 1; }
exit $failed
