#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# Each profile of random stimulus alone at the default size, then all: every coverage point is hit.
. verif/tests/lib.sh
cd "$tmp" || exit 1

run() { timeout 200 "$SIMTGEN" check stack_cache -q "$@"; }
profiles() {
  sed -n '/sc_profiles\[\]/,/NULL, NULL, NULL/p' "$root/verif/stack_cache/stimulus.c" | tr '\n' ' ' |
    grep -oE '\{"[a-z_]+"[^}]*"(SC-[0-9]+ ?)+"\}' | sed -E 's/^\{"([a-z_]+)".*"([^"]*)"\}$/\1 \2/'
}
while read -r name ids; do
  try "profile: $name" "[$ids]" -- run --stimulus "random:$name" --seed 5 --cycles 100000
done < <(profiles)

covered() { # all points, over one long random run; seldom: an error on a dropped restore
  timeout 300 "$SIMTGEN" check stack_cache --seed 6 --cycles 8000000 > "$tmp/out" || { tail -n 5 "$tmp/out"; return 1; }
  grep -qE 'coverage: ([0-9]+) of \1 points hit' "$tmp/out" && return
  timeout 300 "$SIMTGEN" check stack_cache --seed 6 --cycles 8000000 --coverage | grep -iE 'missed|coverage'
  return 1
}
try "every coverage point is hit at the default size" \
  "[SC-3 SC-4 SC-5 SC-6 SC-7 SC-8 SC-9 SC-10 SC-11 SC-12 SC-14]" -- covered
exit $failed
