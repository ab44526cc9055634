#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# Model, RTL and golden model of line_home side by side: three sizes, each profile, each directed test.
. verif/tests/lib.sh

run() { timeout 250 "$SIMTGEN" check line_home -q "$@"; }
tiny=(-p CACHES=1 -p LINE_BYTES=16 -p MERGE_LANES=2 -p MISSES=2 -p HOME_ENTRIES=16 -p MEM_SLOTS=2 -p ADDR_W=16)
one_beat=(-p CACHES=9 -p LINE_BYTES=32 -p MERGE_LANES=8 -p HOME_ENTRIES=32)

cd "$tmp" || exit 1
try "all profiles, smallest" "[AM-15 AM-16]" -- run "${tiny[@]}" --seed 2 --cycles 60000
try "all profiles, nine caches, one beat a line" "[AM-15 AM-16]" -- run "${one_beat[@]}" --seed 3 --cycles 60000
try "every coverage point is hit" "[AM-15 AM-16]" -- all_hit points line_home --seed 5 --cycles 300000
# With two caches a line is released by itself soon enough after a grant to find its entry still in the work queue.
try "every coverage point is hit, every line reached, two caches" "[AM-15 AM-16]" -- all_hit all line_home -p CACHES=2 --seed 5 --cycles 300000

profile() { try "profile: $1" "[$2]" -- run --stimulus "random:$1" --seed 4 --cycles 30000; }
each_stimulus random line_home profile
directed() { try "directed: $1" "[$2]" -- run --stimulus "directed:$1" --seed 1; }
each_stimulus directed line_home directed
exit $failed
