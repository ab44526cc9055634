#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# The configurations of the grid whose RTL takes minutes to compile.
. verif/tests/lib.sh
cd "$tmp" || exit 1
while read -r line; do
  parameters=()
  for p in $line; do parameters+=(-p "$p"); done
  try "grid: $line" "[BU-3 BU-4 BU-5 BU-6]" -- timeout 1400 "$SIMTGEN" check branch_stack "${parameters[@]}" -q --cycles 30000 --seed 99
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' "$root/verif/branch_stack/grid.txt" | grep THREADS=1024)
exit $failed
