#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Model, RTL and golden models of branch_unit side by side: three configurations, every directed test.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check branch_unit -q "$@"; }
small=(-p THREADS=3 -p LANES=5 -p ENTRY_W=23 -p MAX_DEPTH=100 -p STACK_LATENCY=2)
tiny=(-p THREADS=1 -p LANES=1 -p ENTRY_W=11 -p MAX_DEPTH=2 -p STACK_LATENCY=1)

cd "$tmp" || exit 1
try "all profiles at the default size, lanes alone agree" "[BU-1 BU-2 BU-3 BU-4 BU-5 BU-6]" -- run --seed 1 --cycles 100000
try "all profiles, three groups of five lanes" "[BU-3 BU-4 BU-5]" -- run "${small[@]}" --seed 2 --cycles 50000
try "all profiles, one group of one lane" "[BU-4 BU-6]" -- run "${tiny[@]}" --seed 3 --cycles 50000

directed() { try "directed: $1" "[$2]" -- run --stimulus "directed:$1" --seed 1; }
each_stimulus directed branch_unit directed
try "every directed test in turn, small" "[BU-3 BU-4 BU-5]" -- run "${small[@]}" --stimulus directed --seed 1
try "every directed test in turn, tiny" "[BU-4 BU-6]" -- run "${tiny[@]}" --stimulus directed --seed 1
exit $failed
