#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# Each profile of random stimulus alone at the default size, then all: every coverage point and every line is hit.
. verif/tests/lib.sh
cd "$tmp" || exit 1

profiles() {
  sed -n '/bu_profiles\[\] = {/,/NULL, NULL, NULL/p' "$root/verif/branch_unit/bu_stimulus.c" |
    sed -nE 's/^ *\{"([a-z_]+)".*"((BU-[0-9]+ ?)+)"\},$/\1 \2/p'
}
while read -r name ids; do
  try "profile: $name" "[$ids]" -- timeout 200 "$SIMTGEN" check branch_unit -q --stimulus "random:$name" --seed 5 --cycles 1000000
done < <(profiles)

covered() {
  timeout 300 "$SIMTGEN" check branch_unit --seed 6 --coverage --cycles 3000000 > "$tmp/out" || { tail -n 5 "$tmp/out"; return 1; }
  grep -qE 'coverage: ([0-9]+) of \1 points hit' "$tmp/out" || { grep missed "$tmp/out"; return 1; }
  grep -qE 'RTL lines: ([0-9]+) of \1 places reached' "$tmp/out" || { grep -A9 'RTL lines' "$tmp/out"; return 1; }
}
try "every coverage point and every line is hit at the default size" "[BU-1 BU-2 BU-3 BU-4 BU-5 BU-6]" -- covered
exit $failed
