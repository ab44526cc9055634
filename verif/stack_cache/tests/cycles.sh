#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# timeout: 900
# 25 million cycles of lockstep under random stimulus on each of four configurations of the grid, one of them in a run by rotation.
. verif/tests/lib.sh

one() { # MILLIONS SEED [PARAMETER=VALUE]...
  local millions=$1 seed=$2 options=() ids="SC-3 SC-4 SC-6 SC-8 SC-9 SC-10 SC-11 SC-12" p
  shift 2
  [[ $* = *STATUS* ]] && ids+=" SC-13"
  for p in "$@"; do options+=(-p "$p"); done
  mkdir "$tmp/$seed"
  try "$millions million cycles: ${*:-default}" "[$ids]" -- long "$millions" "$seed" "${options[@]}"
}

long() { # MILLIONS SEED OPTIONS...
  local said
  cd "$tmp/$2" || return 1
  said=$(timeout 800 "$SIMTGEN" check stack_cache "${@:3}" --seed "$2" --cycles "${1}000000" --json) || {
    sed -n 's/^ *"message": *//p' <<<"$said"
    return 1
  }
  grep -q "\"cycles\": *${1}000000\b" <<<"$said" || { echo "expected $1 million cycles, got $said"; return 1; }
}

one 25 1001
one 25 1002 THREADS=3 ENTRIES=4 SET=1 ENTRY_W=33 STEAL=1 INFLIGHT=4
one 25 1003 THREADS=2 ENTRIES=2 SET=1 ENTRY_W=9 POLICY=threshold OUT_REG=1
one 25 1004 THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry MEM_W=entry COUNTERS=2 STATUS=binary
exit $failed
