#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 600
# A cache as a unit of a front end: all halts of a longer run, in each encoding; contexts saved and loaded.
. verif/tests/lib.sh
tiny=(-p LINE_BYTES=16 -p LINES=4 -p WAYS=2 -p QUEUE=2 -p STALL_BUF=2 -p MERGE_LANES=2 -p MISSES=2 -p MAX_TEMPS=1 -p OLD_LINES=2
  -p TID_W=4 -p ADDR_W=16)

halts() { timeout 250 "$SIMTGEN" check atomic_merge -q -p WITNESS=1 --stimulus random:halts "$@"; }

# A front end that switches contexts takes the cache.
taken() {
  "$SIMTGEN" gen atomic_merge -n cache -p STATUS=one_hot -o cache > gen.log 2>&1 || { cat gen.log; return 1; }
  printf 'block: front_end\nname: fe\ntopology:\n  units:\n    - {name: l1, module: cache}\n' > fe.yaml
  "$SIMTGEN" gen -c fe.yaml -o fe > fe.log 2>&1 && [ -e fe/system/fe_system.v ] || { cat fe.log; return 1; }
}

cd "$tmp" || exit 1
try "halts, resets and contexts, counters beside" "[AM-17 AM-18 US-3 US-4 US-5 US-7 US-9 US-14]" -- halts -p STATUS=one_hot -p COUNTERS=1 --seed 11 --cycles 300000
try "halts that hold" "[AM-17 US-4]" -- halts -p STATUS=one_hot -p HALT_MODE=hold -p COUNTERS=1 --seed 14 --cycles 200000
try "halts and resets, thread ids watched" "[AM-17 US-7]" -- halts -p STATUS=two_of_four -p TID_CHECK=1 "${tiny[@]}" --seed 12 --cycles 200000
try "halts and resets, the unit of several cycles" "[AM-17]" -- \
  halts -p STATUS=binary -p ATOMIC_MUL=extra -p ATOMIC_WRAP=extra -p MERGE_LANES=2 --seed 13 --cycles 200000
try "a front end that switches its context takes it" "[AM-17 US-13]" -- taken
exit $failed
