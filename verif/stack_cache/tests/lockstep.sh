#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Model, RTL and golden model of stack_cache side by side: three configurations, every directed test.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check stack_cache -q "$@"; }
small=(-p THREADS=3 -p ENTRIES=4 -p SET=1 -p ENTRY_W=33 -p STEAL=1 -p INFLIGHT=4)
threshold=(-p THREADS=5 -p ENTRIES=8 -p SET=2 -p POLICY=threshold -p FLAGS=per_entry -p COUNTERS=2)
unit=(-p THREADS=3 -p ENTRIES=8 -p SET=4 -p ENTRY_W=17 -p FLAGS=per_entry -p STATUS=two_of_four)

cd "$tmp" || exit 1
try "all profiles at the default size" \
  "[SC-1 SC-2 SC-3 SC-4 SC-5 SC-6 SC-7 SC-8 SC-9 SC-10 SC-11 SC-12 SC-14]" -- run --seed 1 --cycles 60000
try "all profiles, sets of one entry, steals at once" "[SC-3 SC-4 SC-9 SC-10 SC-11]" -- \
  run "${small[@]}" --seed 2 --cycles 30000
try "all profiles, threshold policy, flags per entry" "[SC-6 SC-8 SC-14]" -- \
  run "${threshold[@]}" --seed 3 --cycles 30000
try "all profiles with unit status" "[SC-13]" -- run "${unit[@]}" --seed 4 --cycles 60000
try "contexts saved 500 times and loaded 700 times" "[SC-13]" -- run "${unit[@]}" --seed 5 --cycles 300000 --stimulus random:status

directed() { # NAME REQUIREMENTS
  local with=()
  [[ $2 != *SC-13* ]] || with=("${unit[@]}")
  try "directed: $1" "[$2]" -- run "${with[@]}" --stimulus "directed:$1" --seed 1
}
each_stimulus directed stack_cache directed
try "every directed test in turn, small" "[SC-3 SC-11]" -- run "${small[@]}" --stimulus directed --seed 1
try "every directed test in turn, with unit status" "[SC-13]" -- run "${unit[@]}" --stimulus directed --seed 1
try "every directed test in turn, threshold policy" "[SC-6 SC-12]" -- run "${threshold[@]}" --stimulus directed --seed 1
exit $failed
