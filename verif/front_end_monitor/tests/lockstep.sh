#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# Model, RTL and golden model of front_end_monitor side by side, and every directed test.
. verif/tests/lib.sh
lists=$root/verif/front_end_monitor/three_domains.yaml
cd "$tmp" || exit 1
run() { timeout 150 "$SIMTGEN" check front_end_monitor -q "$@"; }
one_by_one=(-p "topology=$lists" -p COMMANDS=unit -p LOCAL_CONTEXTS=2)
try "all profiles, broadcast" "[US-7 US-8 US-10 US-11 US-12 US-15]" -- run --seed 1 --cycles 200000
try "all profiles, three domains by a list, commands per unit" "[US-7 US-8 US-10 US-12 US-15]" -- \
  run "${one_by_one[@]}" --seed 2 --cycles 200000
try "the shortest timeout that there is, 7 cycles" "[US-15]" -- \
  run -p UNITS=1 -p COMMANDS=unit -p STAGES=2 -p STATS=none -p ADDR_W=16 --stimulus random:timeouts --seed 101 --cycles 100000
try "behind AXI4-Lite" "[US-12]" -- run -p regs=axi4-lite --seed 3 --cycles 100000

directed() { # NAME REQUIREMENTS
  try "directed: $1" "[$2]" -- run --stimulus "directed:$1" --seed 1
  try "directed: $1, one by one" "[$2]" -- run "${one_by_one[@]}" --stimulus "directed:$1" --seed 1
}
each_stimulus directed front_end_monitor directed
exit $failed
