#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# Every excerpt of a recorded kernel in lockstep with the RTL, judged by the golden model; the same accesses again with
# small queues, where the pool fills and groups are closed.
. verif/tests/lib.sh
passes() { # ARGUMENTS...
  timeout 300 "$SIMTGEN" check tracker "$@" > "$tmp/log" 2>&1 && grep -q "^PASS" "$tmp/log" &&
    grep -Eq "[0-9]{4} cycles compared" "$tmp/log" || { tail -n 1 "$tmp/log"; return 1; }
}
for f in verif/tracker/traces/*.mem.gz; do
  try "trace in lockstep: $(basename "$f" .mem.gz)" "[TR-7 TR-9 TR-12 TR-13]" -- passes --stimulus "trace:$f"
done
for f in nv_volume_render tinybvh_ailalaine; do
  try "trace in lockstep, 16 entries in 3 queues: $f" "[TR-3 TR-10 TR-15]" -- passes --stimulus "trace:verif/tracker/traces/$f.mem.gz" \
    -p ENTRIES=16 -p QUEUES=3 --replay outstanding=2
done
exit $failed
