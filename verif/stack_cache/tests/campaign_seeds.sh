#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 600
# Seeds at which a campaign stopped because a golden rule was wrong (the RTL and the model were not): a fault that a can-go
# bit shows early; a restore from the kept set that a bit shows before its counter, also with a clear in between; a
# refused load over a faulted thread; thresholds written twice before a visit under way is through.
. verif/tests/lib.sh

seed() {
  local profile=$1 seed=$2 cycles=$3
  shift 3
  # shellcheck disable=SC2046
  "$SIMTGEN" check stack_cache -q $(printf -- '-p %s ' "$@") --stimulus "random:$profile" --seed "$seed" --cycles "$cycles"
}

try "campaign: a fault that a bit shows early" -- \
  seed memory_errors 716491886428596 4600000 THREADS=3 ENTRY_W=33 ENTRIES=4 SET=1 INFLIGHT=4 STEAL=1
try "campaign: a restore that a bit shows before its counter" -- \
  seed register_traffic 716491886428646 15800000 THREADS=4 ENTRY_W=8 ENTRIES=8 SET=2 MAX_DEPTH=64 ADDR_W=16
try "campaign: a restore that is counted behind a clear, and shown before it" -- \
  seed memory_errors 716491886428970 9300000 THREADS=3 ENTRY_W=17 ENTRIES=8 FLAGS=per_entry
try "campaign: a refused load drops what a faulted thread awaits" -- \
  seed status 716491886428777 1800000 THREADS=7 ENTRY_W=16 ENTRIES=32 SET=16 MAX_DEPTH=1000 FORWARD=0 STATUS=binary
try "campaign: thresholds written twice" -- \
  seed memory_errors 716491886429019 20900000 THREADS=8 POLICY=threshold COUNTERS=0
exit $failed
