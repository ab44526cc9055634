#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Model, RTL and golden model of stack_cache side by side: four configurations, every directed test.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check stack_cache -q "$@"; }
small=(-p THREADS=3 -p ENTRIES=4 -p SET=1 -p ENTRY_W=33 -p STEAL=1 -p INFLIGHT=4)
alone=(-p THREADS=1 -p ENTRIES=32 -p SET=2 -p INFLIGHT=2 -p STEAL=1)

cd "$tmp" || exit 1
try "all profiles at the default size" \
  "[SC-1 SC-2 SC-3 SC-4 SC-5 SC-6 SC-7 SC-8 SC-9 SC-10 SC-11 SC-12 SC-14]" -- run --seed 1 --cycles 100000
try "all profiles, sets of one entry, steals at once" "[SC-3 SC-4 SC-9 SC-10 SC-11]" -- \
  run "${small[@]}" --seed 2 --cycles 50000
try "all profiles, one thread" "[SC-3 SC-8 SC-9 SC-11]" -- run "${alone[@]}" --seed 3 --cycles 50000

try "all profiles, a unit that is halted, saved, loaded and reset" "[SC-13]" -- \
  run "${small[@]}" -p STATUS=one_hot --seed 4 --cycles 50000

directed() { # NAME REQUIREMENTS
  try "directed: $1" "[$2]" -- run --stimulus "directed:$1" --seed 1
}
each_stimulus directed stack_cache directed
try "every directed test in turn, small" "[SC-3 SC-11]" -- run "${small[@]}" --stimulus directed --seed 1
try "every directed test in turn, one thread" "[SC-3 SC-11]" -- run "${alone[@]}" --stimulus directed --seed 1
exit $failed
