#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# Each profile of random stimulus alone at the default size, then all: every coverage point is hit, and every line with unit status.
. verif/tests/lib.sh
cd "$tmp" || exit 1

profiles() {
  sed -n '/bu_profiles\[\] = {/,/NULL, NULL, NULL/p' "$root/verif/branch_unit/stimulus.c" |
    sed -nE 's/^ *\{"([a-z_]+)".*"((BU-[0-9]+ ?)+)"\},$/\1 \2/p'
}
while read -r name ids; do
  try "profile: $name" "[$ids]" -- timeout 200 "$SIMTGEN" check branch_unit -q --stimulus "random:$name" --seed 5 --cycles 1000000
done < <(profiles)

points() {
  timeout 300 "$SIMTGEN" check branch_unit --seed 6 --coverage --cycles 3000000 > "$tmp/out" || { tail -n 5 "$tmp/out"; return 1; }
  grep -qE 'coverage: ([0-9]+) of \1 points hit' "$tmp/out" || { grep missed "$tmp/out"; return 1; }
}
# With unit status, as without it no context is loaded. The two cells of it have lines that no one unit needs: all of
# theirs are reached in verif/tests/unit_status.sh.
lines() {
  timeout 300 "$SIMTGEN" check branch_unit -p STATUS=one_hot --seed 6 --coverage --cycles 3000000 > "$tmp/out" ||
    { tail -n 5 "$tmp/out"; return 1; }
  grep -q 'RTL lines: ' "$tmp/out" || { echo "no lines counted"; return 1; }
  ! grep 'not reached' "$tmp/out" | grep -vE 'context_port.v|unit_status_fsm.v'
}
try "every coverage point is hit at the default size" "[BU-1 BU-2 BU-3 BU-4 BU-5 BU-6]" -- points
try "every line is reached with unit status" "[BU-1 BU-2 BU-3 BU-4 BU-5 BU-6]" -- lines
exit $failed
