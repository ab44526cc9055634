#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Every configuration of the grid of up to 100 units in lockstep, random and directed. Larger ones (their RTL takes up to
# a minute to compile, their cycles some 50 us): grid_long.sh.
. verif/tests/lib.sh
select=${SELECT:-'!/UNITS=(256|300|1024)/'}
one() { # LINE SEED
  local parameters=() p
  for p in $1; do parameters+=(-p "$p"); done
  timeout 300 "$SIMTGEN" check status_tree "${parameters[@]}" -q --cycles "${CYCLES:-30000}" --seed "$2" &&
    timeout 300 "$SIMTGEN" check status_tree "${parameters[@]}" -q --cycles 1000000 --stimulus directed --seed 1
}
seed=100
while read -r line; do
  seed=$((seed + 1))
  try "grid: $line" "[US-1 US-6 US-7]" -- one "$line" $seed
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' verif/status_tree/grid.txt | awk "$select")
[ $seed -gt 102 ] || { echo "not ok grid: no configurations"; exit 1; }
exit $failed
