#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# Each profile of random stimulus alone at the default size, then all: every coverage point is hit.
. verif/tests/lib.sh
cd "$tmp" || exit 1

run() { timeout 200 "$SIMTGEN" check stack_cache -q "$@"; }
unit=(-p THREADS=3 -p ENTRIES=8 -p SET=4 -p ENTRY_W=17 -p INFLIGHT=4 -p STEAL=1 -p STATUS=two_of_four)
profile() { # NAME REQUIREMENTS
  local with=()
  [[ $1 != halt* ]] || with=("${unit[@]}")
  try "profile: $1" "[$2]" -- run "${with[@]}" --stimulus "random:$1" --seed 5 --cycles 100000
}
each_stimulus random stack_cache profile

seed=6
missed() { # the points that a run does not hit
  timeout 300 "$SIMTGEN" check stack_cache --seed $seed --coverage "$@" > "$tmp/out" || { tail -n 5 "$tmp/out"; return 1; }
  measured "$tmp/out" || return 1
  sed -nE 's/^ *missed +0 +([a-z_]+):.*/\1/p' "$tmp/out" | sort
}
covered() { # all points, by a long random run or by a directed test
  missed --cycles 2000000 "$@" > "$tmp/random" || { cat "$tmp/random"; return 1; }
  missed --stimulus directed "$@" > "$tmp/directed" || { cat "$tmp/directed"; return 1; }
  [ -s "$tmp/directed" ] || { echo "the directed tests alone hit every point: the list is not read"; return 1; }
  [ -z "$(comm -12 "$tmp/random" "$tmp/directed")" ] || { comm -12 "$tmp/random" "$tmp/directed"; return 1; }
}
try "every coverage point is hit at the default size" \
  "[SC-3 SC-4 SC-5 SC-6 SC-7 SC-8 SC-9 SC-10 SC-11 SC-12 SC-14]" -- covered
seed=2
try "every coverage point is hit with unit status" "[SC-13]" -- covered "${unit[@]}"
exit $failed
