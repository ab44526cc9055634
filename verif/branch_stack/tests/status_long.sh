#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# timeout: 300
# Halts, flushes, contexts and errors of memory in one profile for a million cycles: what meets in the joined block is rare.
. verif/tests/lib.sh

try "the status profile for a million cycles, a memory port of one entry" "[US-4 US-7 US-9 US-13 US-14]" -- timeout 90 "$SIMTGEN" check branch_stack -q -p THREADS=4 -p LANES=6 \
  -p ENTRY_W=16 -p MAX_DEPTH=64 -p ENTRIES=8 -p SET=2 -p ADDR_W=16 -p MEM_W=entry -p STATUS=binary --stimulus random:status --seed 1 --cycles 1000000
for encoding in one_hot two_of_four binary; do
  try "the status profile for a million cycles, $encoding" "[US-4 US-7 US-9 US-13 US-14]" -- timeout 90 "$SIMTGEN" check branch_stack -q -p THREADS=4 -p LANES=6 -p ENTRY_W=16 \
    -p MAX_DEPTH=64 -p ENTRIES=8 -p SET=2 -p ADDR_W=16 -p STATUS=$encoding --stimulus random:status --seed 1 --cycles 1000000
done
exit $failed
