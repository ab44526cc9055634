#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Model, RTL and golden model of status_tree side by side: three configurations, every directed test, every point.
. verif/tests/lib.sh
lists=$root/verif/status_tree/four_caches.yaml
cd "$tmp" || exit 1
run() { timeout 150 "$SIMTGEN" check status_tree -q "$@"; }
grouped=(-p "topology=$lists" -p COMMANDS=group -p STAGES=2)
big=(-p UNITS=37 -p GROUP=9 -p ENCODING=two_of_four -p COMMANDS=unit -p STAGES=5)

try "all profiles, separate, broadcast" "[US-1 US-6 US-7 US-10]" -- run --seed 1 --cycles 200000
try "all profiles, groups in groups by a list, commands per group" "[US-1 US-3 US-6 US-7 US-8]" -- \
  run "${grouped[@]}" --seed 2 --cycles 200000
try "all profiles, groups of 9, two_of_four, commands per unit" "[US-1 US-6 US-7]" -- run "${big[@]}" --seed 3 --cycles 50000
directed() { try "directed: $1" "[$2]" -- run "${grouped[@]}" --stimulus "directed:$1" --seed 1; }
each_stimulus directed status_tree directed
try "every point and line, separate" "[US-1 US-6 US-7 US-10]" -- all_hit all status_tree --cycles 20000 --seed 7
try "every point and line, by a list" "[US-1 US-6 US-7 US-10]" -- all_hit all status_tree --cycles 20000 --seed 7 "${grouped[@]}"
exit $failed
