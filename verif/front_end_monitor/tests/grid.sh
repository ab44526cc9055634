#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
# The small configurations of the grid in lockstep, random and directed. All of them: grid_long.sh.
. verif/tests/lib.sh
cd "$tmp" || exit 1
select=${SELECT:-'/UNITS=(1 COMM|3 |6 |9 GROUP=2)/'}
one() { # LINE SEED
  local parameters=() p
  for p in $1; do parameters+=(-p "${p/topology=/topology=$root/}"); done
  timeout 300 "$SIMTGEN" check front_end_monitor "${parameters[@]}" -q --cycles "${CYCLES:-40000}" --seed "$2" &&
    timeout 300 "$SIMTGEN" check front_end_monitor "${parameters[@]}" -q --cycles 1000000 --stimulus directed --seed 1
}
seed=100
while read -r line; do
  seed=$((seed + 1))
  try "grid: $line" "[US-7 US-8 US-10 US-11 US-12 US-15]" -- one "$line" $seed
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' "$root/verif/front_end_monitor/grid.txt" | awk "$select")
[ $seed -gt 103 ] || { echo "not ok grid: no configurations"; exit 1; }
exit $failed
