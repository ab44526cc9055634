#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 900
# 10^8 cycles of lockstep under random stimulus, on four configurations of the grid; two at a time, about a minute on
# two idle cores. On a terminal each run shows how far it is.
. verif/tests/lib.sh

one() { # MILLIONS SEED [PARAMETER=VALUE]...
  local millions=$1 seed=$2 options=() ids="SC-3 SC-4 SC-6 SC-8 SC-9 SC-10 SC-11 SC-12" p said
  shift 2
  [[ $* = *STATUS* ]] && ids+=" SC-13"
  for p in "$@"; do options+=(-p "$p"); done
  mkdir "$tmp/$seed"
  long() {
    cd "$tmp/$seed" || return 1
    said=$(timeout 800 "$SIMTGEN" check stack_cache "${options[@]}" --seed "$seed" --cycles "${millions}000000" --json) || {
      sed -n 's/^ *"message": *//p' <<<"$said"
      return 1
    }
    grep -q "\"cycles\": *${millions}000000\b" <<<"$said" || { echo "expected $millions million cycles, got $said"; return 1; }
  }
  if [ -t 2 ]; then (long); else (long) 2> "$tmp/$seed.err"; fi > "$tmp/$seed.said" &&
    echo "ok $millions million cycles: ${*:-default} [$ids]" ||
    { echo "not ok $millions million cycles: ${*:-default} [$ids]: $(cat "$tmp/$seed.said" "$tmp/$seed.err" 2>&1 | tr '\n' ' ')"; failed=1; }
}

worker() { # the runs of one core
  if [ "$1" = 1 ]; then
    one 25 1001
    one 25 1002 THREADS=3 ENTRIES=4 SET=1 ENTRY_W=33 STEAL=1 INFLIGHT=4
  else
    one 25 1003 THREADS=2 ENTRIES=2 SET=1 ENTRY_W=9 POLICY=threshold OUT_REG=1
    one 25 1004 THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry MEM_W=entry COUNTERS=2 STATUS=binary
  fi
  exit $failed
}

trap - EXIT # the workers share the folder
worker 1 & first=$!
worker 2 & second=$!
wait $first || failed=1
wait $second || failed=1
rm -rf "$tmp"
exit $failed
