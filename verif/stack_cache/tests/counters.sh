#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# The counters alone, beside plain sums of 48 bits, up to saturation; faults in them are found.
. verif/tests/lib.sh
source=rtl_templates/stack_cache/stack_cache_counters.v

run() { # SED PARAMETER=VALUE...: what the bench prints last, with an edit of the counters
  local edit=$1 p options=()
  shift
  for p in "$@"; do options+=("-Pbench.$p"); done
  if [ "$edit" ]; then edit $source "$edit" "$tmp/counters.v" || return 99; else cp $source "$tmp/counters.v"; fi
  iverilog -g2005 -s bench "${options[@]}" -o "$tmp/bench" verif/stack_cache/tests/counters_bench.v "$tmp/counters.v" \
    rtl_templates/lib/ram_1r1w.v rtl_templates/lib/ram_1w_nr.v || return 99
  timeout "$PLANTED_SECONDS" vvp -N "$tmp/bench"
}
good() { local said; said=$(run "" "$@") && [ "$said" = PASS ] || { echo "$said"; return 1; }; }
bad() { local said got=0; said=$(run "$@") || got=$?; verdict '^FAIL: [0-9]+ differences' $got "$said"; }

try "every event, read at any time, up to saturation [SC-14]" -- good
try "one thread, no halts [SC-14]" -- good THREADS=1 THREAD_W=1 COUNT_W=2 HALT=0
try "33 threads [SC-14]" -- good THREADS=33 THREAD_W=6 COUNT_W=21
try "fault: the top is passed [SC-14]" -- bad 's/wire carry = .*/wire carry = low_q[REST_W];/' CYCLES=8000
try "fault: no carry into the middle part [SC-14]" -- bad "s/part1 + .*/part1,/" CYCLES=8000
try "fault: at the top the low bits wrap [SC-14]" -- bad 's/| {REST_W{full}}/| {REST_W{1'"'"'b0}}/' CYCLES=8000
try "fault: the last part goes up without the middle one [SC-14]" -- bad "s/carry && ones0_q && ones1_q/carry \&\& ones0_q/" CYCLES=8000
try "fault: a sum that is not written yet is not read [SC-14]" -- bad 's/kept_q <= .*/kept_q <= 1'"'"'b0;/' CYCLES=8000
try "fault: a rest on its way to its sum is not read [SC-14]" -- bad 's/moves_q <= .*/moves_q <= 1'"'"'b0;/' CYCLES=8000
try "fault: what comes when a rest is taken is lost [SC-14]" -- bad "s/(taken) rest_q <= comes/(taken) rest_q <= 0/" CYCLES=8000
try "fault: a rest that is taken is counted twice [SC-14]" -- bad "s/(taken) rest_q <= comes/(1'b0) rest_q <= comes/" CYCLES=8000
try "fault: a rest survives a clear [SC-14]" -- bad "s/rest_q <= {REST_W{1'b0}}/rest_q <= rest_q/"
try "fault: sums survive a clear [SC-14]" -- bad 's/live_q <= 16.d0;/live_q <= live_q;/'
try "fault: the upper half is not latched [SC-14]" -- bad 's/else if (read_i) upper_o/else upper_o/' CYCLES=8000
try "fault: the deepest stack of a thread survives a clear [SC-14]" -- bad 's/if (none) seen_q/if (rst_i) seen_q/'
exit $failed
