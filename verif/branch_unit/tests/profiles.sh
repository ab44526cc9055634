#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# Each profile of random stimulus alone at the default size, then all: every coverage point is hit, and every line with unit status.
. verif/tests/lib.sh
cd "$tmp" || exit 1

profile() { # NAME REQUIREMENTS
  local with=()
  [ "$1" != status ] || with=(-p STATUS=one_hot)
  try "profile: $1" "[$2]" -- timeout 200 "$SIMTGEN" check branch_unit "${with[@]}" -q --stimulus "random:$1" --seed 5 --cycles 1000000
}
each_stimulus random branch_unit profile

# With unit status, as without it no context is loaded. The two cells of it have lines that no one unit needs: all of
# theirs are reached in verif/tests/unit_status.sh.
lines() {
  timeout 300 "$SIMTGEN" check branch_unit -p STATUS=one_hot --seed 6 --coverage --cycles 3000000 > "$tmp/out" ||
    { tail -n 5 "$tmp/out"; return 1; }
  measured "$tmp/out" || return 1
  ! grep 'not reached' "$tmp/out" | grep -vE 'context_port.v|unit_status_fsm.v'
}
try "every coverage point is hit at the default size" "[BU-1 BU-2 BU-3 BU-4 BU-5 BU-6]" -- all_hit points branch_unit --seed 6 --cycles 3000000
try "every line is reached with unit status" "[BU-1 BU-2 BU-3 BU-4 BU-5 BU-6]" -- lines
exit $failed
