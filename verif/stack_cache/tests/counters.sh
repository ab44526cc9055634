#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# The counters alone, beside plain sums of 48 bits, up to saturation; faults in them are found.
. verif/tests/lib.sh
source=rtl_templates/stack_cache/stack_cache_counters.v

run() { # SED PARAMETER=VALUE...: what the bench prints last, with an edit of the counters
  local edit=$1 p options=()
  shift
  for p in "$@"; do options+=("-Pbench.$p"); done
  if [ "$edit" ]; then edit $source "$edit" "$tmp/counters.v" || return 99; else cp $source "$tmp/counters.v"; fi
  iverilog -g2005 -s bench "${options[@]}" -o "$tmp/bench" verif/stack_cache/tests/counters_bench.v "$tmp/counters.v" \
    rtl_templates/lib/ram_1r1w.v || return 99
  timeout "$PLANTED_SECONDS" vvp -N "$tmp/bench"
}
good() { local said; said=$(run "" "$@") && [ "$said" = PASS ] || { echo "$said"; return 1; }; }
bad() { local said got=0; said=$(run "$@") || got=$?; verdict '^FAIL: [0-9]+ differences' $got "$said"; }

try "every event, read at any time, up to saturation [SC-14]" -- good
try "one thread [SC-14]" -- good THREADS=1 THREAD_W=1 COUNT_W=2
try "33 threads [SC-14]" -- good THREADS=33 THREAD_W=6 COUNT_W=21
try "fault: the top is passed [SC-14]" -- bad 's/wire full = .*/wire full = 1'"'"'b0;/' CYCLES=8000
try "fault: the last sum is not forwarded [SC-14]" -- bad 's/use_kept_q <= .*/use_kept_q <= 1'"'"'b0;/' CYCLES=8000
try "fault: what came while a sum is made is lost [SC-14]" -- bad "s|(added ? {W{1'b0}} : rest_q)|(added ? {W{1'b0}} - step[i*SUM_W+:STEP_W] : rest_q)|" CYCLES=8000
try "fault: a rest is a bit too short [SC-14]" -- bad 's/? 8 : 6;/? 7 : 6;/'
try "fault: sums survive a clear [SC-14]" -- bad 's/live_q <= 16.d0;/live_q <= live_q;/'
try "fault: the upper half is not latched [SC-14]" -- bad 's/else if (read_i \&\& !upper_i) upper_q/else upper_q/' CYCLES=8000
exit $failed
