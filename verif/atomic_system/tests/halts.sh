#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Caches and home as one unit of a front end: halts, resets and contexts in lockstep, two small caches; the grid has other sizes.
. verif/tests/lib.sh

run() {
  timeout 150 "$SIMTGEN" check atomic_system -q --seed 1 -p CACHES=2 -p LINE_BYTES=16 -p LINES=4 -p WAYS=2 -p QUEUE=2 -p STALL_BUF=2 -p MERGE_LANES=2 -p MISSES=2 \
    -p MAX_TEMPS=1 -p OLD_LINES=2 -p TID_W=4 -p ADDR_W=16 -p HOME_ENTRIES=16 -p MEM_SLOTS=2 -p STATUS=one_hot -p WITNESS=1 "$@"
}

# A front end that switches contexts takes the system.
taken() {
  "$SIMTGEN" gen atomic_system -n caches -p STATUS=one_hot -p CACHES=2 -o caches > gen.log 2>&1 || { cat gen.log; return 1; }
  printf 'block: front_end\nname: fe\ntopology:\n  units:\n    - {name: l1, module: caches}\n' > fe.yaml
  "$SIMTGEN" gen -c fe.yaml -o fe > fe.log 2>&1 && [ -e fe/system/fe_system.v ] || { cat fe.log; return 1; }
}

cd "$tmp" || exit 1
for profile in halts halt_often; do try "$profile" "[AM-17 US-3 US-4 US-7 US-9 US-14]" -- run --cycles 60000 --stimulus "random:$profile"; done
for test in halt halt_at_work halt_full unit_reset nack switched lost_line; do try "directed: $test" "[AM-17 US-3 US-4 US-7 US-9]" -- run --stimulus "directed:$test"; done
try "a front end that switches its context takes it" "[AM-17 US-13]" -- taken
exit $failed
