#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# Model, RTL and the serial-order checker of atomic_system side by side: two sizes, each directed test.
. verif/tests/lib.sh

run() { timeout 250 "$SIMTGEN" check atomic_system -q -p WITNESS=1 "$@"; }
small=(-p CACHES=2 -p LINE_BYTES=16 -p LINES=4 -p WAYS=2 -p QUEUE=2 -p STALL_BUF=2 -p MERGE_LANES=2 -p MISSES=2 -p MAX_TEMPS=1 -p OLD_LINES=2
  -p TID_W=4 -p ADDR_W=16 -p HOME_ENTRIES=16 -p MEM_SLOTS=2)

cd "$tmp" || exit 1
try "all profiles, two small caches" "[AM-8 AM-15]" -- run "${small[@]}" --seed 2 --cycles 60000
try "all profiles, default" "[AM-2 AM-8 AM-15]" -- run --seed 3 --cycles 40000
directed() { try "directed: $1" "[$2]" -- run --stimulus "directed:$1" --seed 1; }
each_stimulus directed atomic_system directed
exit $failed
