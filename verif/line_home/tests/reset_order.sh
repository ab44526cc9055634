#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# One cache, one home, a reset in mid-fetch: the order that docs/line_home.md says works, those that it says do not do not.
. verif/tests/lib.sh

generate() {
  "$SIMTGEN" gen atomic_merge -p STATUS=one_hot -p LINES=8 -p WAYS=2 -p LINE_BYTES=32 -p ADDR_W=16 -p TID_W=4 --no-doc -o "$tmp/cache" > "$tmp/log" 2>&1 &&
    "$SIMTGEN" gen line_home -p CACHES=1 -p LINE_BYTES=32 -p HOME_ENTRIES=16 -p ADDR_W=16 --no-doc -o "$tmp/home" >> "$tmp/log" 2>&1 &&
    iverilog -g2005 -o "$tmp/bench" "$tmp"/cache/rtl/*.v "$tmp"/home/rtl/*.v "$tmp/home/tb/line_home_memory.v" verif/line_home/tests/reset_order.v >> "$tmp/log" 2>&1 ||
    { tail -n 3 "$tmp/log"; return 1; }
}
resets() { # ORDER PATTERN AT...: what the bench says of a reset so many cycles behind the load
  local order=$1 pattern=$2 at
  for at in "${@:3}"; do
    timeout 60 vvp -N "$tmp/bench" +order="$order" +at="$at" > "$tmp/said"
    grep -qE "$pattern" "$tmp/said" || { echo "reset $at cycles behind the load: $(head -n 1 "$tmp/said")"; return 1; }
  done
}

try "reset of a cache and its home: the bench builds" -- generate
try "reset of a cache and its home: rst_i of both until memory has answered" "[AM-15 AM-17]" -- resets rst_i '^PASS' $(seq 0 6 60) 80
try "reset of a cache and its home: without waiting for memory an old answer is taken" "[AM-15]" -- resets early '^FAIL: a wrong value' 20 30
try "reset of a cache and its home: cmd_reset_i waits for a fill that the home has forgotten" "[AM-17]" -- resets command '^FAIL: no request is taken' 15 25
exit $failed
