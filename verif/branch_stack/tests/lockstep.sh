#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The two parts as one block: model, RTL and golden models side by side, lanes alone included.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check branch_stack -q "$@"; }
small=(-p THREADS=3 -p LANES=5 -p ENTRY_W=23 -p ENTRIES=8 -p FLAGS=per_entry -p MAX_DEPTH=300)

cd "$tmp" || exit 1
try "programs on 24 groups, random memory latency, lanes alone agree" "[BU-3 BU-5 SC-3 SC-11]" -- \
  run --stimulus random:programs --seed 1 --cycles 60000
try "recursion up to the limit, through memory" "[BU-3 BU-5 SC-3 SC-12]" -- run --stimulus random:recursion --seed 2 --cycles 60000
try "memory errors stop groups before mask or pc change" "[BU-4 SC-12]" -- run --stimulus random:faults --seed 3 --cycles 60000
try "all profiles at the default size" "[BU-3 BU-4 BU-5 BU-6 SC-11]" -- run --seed 4 --cycles 60000
try "all profiles, three groups of five lanes" "[BU-3 BU-4 BU-5 BU-6]" -- run "${small[@]}" --seed 5 --cycles 40000
beats=(-p THREADS=3 -p LANES=5 -p ENTRY_W=23 -p ENTRIES=8 -p MAX_DEPTH=300 -p MEM_W=entry -p OUT_REG=1)
try "all profiles, a memory port of one entry" "[BU-3 BU-4 BU-5 BU-6 SC-3 SC-10]" -- run "${beats[@]}" --seed 6 --cycles 40000
try "every directed test in turn, a memory port of one entry" "[BU-3 BU-4 BU-6]" -- run "${beats[@]}" --stimulus directed --seed 1
try "every directed test in turn" "[BU-3 BU-4 BU-6]" -- run --stimulus directed --seed 1
exit $failed
