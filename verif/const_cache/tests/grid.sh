#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Some configurations of the grid in lockstep: random stimulus and the directed tests. grid_long.sh: all of them.
. verif/tests/lib.sh
MOST=${MOST:-8}

both() {
  timeout 190 "$SIMTGEN" check const_cache "${@:2}" -q --cycles 60000 --seed "$1" &&
    timeout 100 "$SIMTGEN" check const_cache "${@:2}" -q --cycles 10000000 --stimulus directed --seed 1
}

configurations() { sed 's/#.*//; s/ *$//; /^!/d; /^$/d' verif/const_cache/grid.txt; }
all=$(configurations | wc -l)
step=$(((all + MOST - 1) / MOST)) at=0
while read -r line; do
  at=$((at + 1))
  [ $((at % step)) = $((step > 1 ? 2 % step : 0)) ] || continue
  parameters=()
  for p in $line; do parameters+=(-p "$p"); done
  try "const_cache, grid: $line" "[CC-1 CC-2 CC-3 CC-15]" -- both $((100 + at)) "${parameters[@]}"
done < <(configurations)
exit $failed
