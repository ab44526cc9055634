#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Some configurations of the grid in lockstep: random stimulus and the directed tests. grid_long.sh: all of them.
. verif/tests/lib.sh
MOST=${MOST:-6}

both() {
  timeout 190 "$SIMTGEN" check context_hub "${@:2}" -q --cycles 60000 --seed "$1" &&
    timeout 60 "$SIMTGEN" check context_hub "${@:2}" -q --cycles 1000000 --stimulus directed --seed 1
}

configurations() { sed 's/#.*//; s/ *$//; /^!/d; /^$/d' verif/context_hub/grid.txt; }
all=$(configurations | wc -l)
step=$(((all + MOST - 1) / MOST)) at=0
while read -r line; do
  at=$((at + 1))
  [ $((at % step)) = $((step > 1 ? 2 % step : 0)) ] || continue
  parameters=()
  for p in $line; do parameters+=(-p "$p"); done
  try "context_hub, grid: $line" "[US-9]" -- both $((100 + at)) "${parameters[@]}"
done < <(configurations)
exit $failed
