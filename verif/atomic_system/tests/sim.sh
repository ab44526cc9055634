#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# `simtgen sim atomic_system`: recorded atomics on caches with the real home have a serial order and leave memory as it says, and one counter
# that 40 caches increment goes round at the wanted rate.
. verif/tests/lib.sh
traces=$root/verif/atomic_merge/traces

# CONDITIONS, in Python on the statistics `s`, then the arguments of the command.
holds() {
  local conditions=$1
  shift
  timeout 300 "$SIMTGEN" sim atomic_system "$@" --json > "$tmp/out" || return 1
  python3 - "$tmp/out" "$conditions" <<'PYTHON'
import json, sys
from types import SimpleNamespace
s = json.load(open(sys.argv[1]), object_hook=lambda d: SimpleNamespace(**d))
for condition in sys.argv[2].split(";"):
    assert eval(condition.strip()), f"{condition.strip()} is false: {vars(s)}"
PYTHON
}
sums='s.accumulated + s.in_place + s.waited == s.operations; s.no_merging.accumulated == 0; s.no_merging.operations == s.operations'

for i in $(seq 0 39); do echo "$i 0 add 4 700000000 1 n"; done > "$tmp/counter.atm"
try "sim: one counter, 40 caches, the real home: 39 per cycle" "[AM-7 AM-8 AM-15]" -- \
  holds "s.operations == 200000; s.visit <= 26.5; s.steady_rate >= 39; s.lines_read == 1; s.lines_written == 1; s.no_merging.rate < 1; $sums" \
  --trace "$tmp/counter.atm" -p CACHES=40 -p HOME_ENTRIES=4096 --replay repeat=5000
for n in 4 16; do
  for trace in chai_hsti heteromark_hist piglit_atomics; do
    try "sim: $trace on $n caches" "[AM-7 AM-15]" -- holds "s.operations >= 4096; s.cycles < s.no_merging.cycles; s.recalls == 0; $sums" \
      --trace "$traces/$trace.atm.gz" -p CACHES=$n -p HOME_ENTRIES=$((64 * n))
  done
done
try "sim: a directory too small for the caches recalls lines" "[AM-15]" -- holds "s.recalls > 0; $sums" \
  --trace "$traces/piglit_atomics.atm.gz" -p HOME_ENTRIES=16
exit $failed
