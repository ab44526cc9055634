#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: block
# rotate: 6
# timeout: 900
# The properties that `gen` writes are lint clean at each fourth configuration of the grids; the quick part of `make formal` holds and finds
# its planted faults; by rotation, of a third of the blocks. With LONG (formal_long.sh) every configuration of every block, and all of `make formal`.
. verif/tests/lib.sh

# Each fourth configuration of a block's grid: the generated property module beside the generated block, without options and with
# every one; both in one run of Verilator, as most of its time goes into the block. A block whose tasks.txt says
# `# lint: few` (one made of others, whose own grids are looked at) has two. formal_long.sh: all.
lint() {
  local block=$1 line dir options most=1000 step=4
  options=$({ echo STEP=2; grep -v '^#' "verif/$block/formal/tasks.txt"; } | grep -oE '\b[A-Z_]+=[0-9]+' | sort -u |
            awk -F= '{v[$1] = $2} END {for (n in v) printf "%s.%s(%s)", i++ ? ", " : "", n, v[n]}')
  echo "module both; ${block}_formal u_plain (); ${block}_formal #($options) u_all (); endmodule" > "$tmp/both.v"
  [ -z "${LONG:-}" ] || step=1
  [ "${LONG:-}" ] || ! grep -q '^# lint: few$' "verif/$block/formal/tasks.txt" || most=2
  grep -vE '^(#|!|$)' "verif/$block/grid.txt" | sed 's/ *#.*//' | awk -v step=$step 'NR % step == 1 % step' | head -n "$most" > "$tmp/grid"
  while read -r line; do
    dir=$tmp/lint
    rm -rf "$dir"
    # shellcheck disable=SC2046,SC2086
    "$SIMTGEN" gen "$block" -q --no-doc $(printf -- '-p %s ' $line) -o "$dir" > "$tmp/log" || { cat "$tmp/log"; return 1; }
    [ -d "$dir/formal" ] || { echo "no formal/"; return 1; }
    iverilog -Wall -g2005 -o /dev/null -s "${block}_formal" "$dir"/rtl/*.v "$dir"/formal/*.v > "$tmp/log" 2>&1
    ! grep '/formal/' "$tmp/log" > "$tmp/ours" || { echo "$line: iverilog: $(head -3 "$tmp/ours")"; return 1; }
    verilator --lint-only -Wall -Wno-fatal --top-module both "$tmp/both.v" "$dir"/rtl/*.v "$dir"/formal/*.v > "$tmp/log" 2>&1
    # shellcheck disable=SC2181
    [ $? = 0 ] || { echo "$line: verilator: $(grep -m3 '%Error' "$tmp/log")"; return 1; }
    ! grep -A2 '/formal/' "$tmp/log" > "$tmp/ours" || { echo "$line: verilator: $(head -3 "$tmp/ours")"; return 1; }
  done < "$tmp/grid"
}

if [ "${LONG:-}" ]; then quick=(); else quick=(--quick); fi
for block in $(blocks); do
  if [ ! -f "verif/$block/formal/tasks.txt" ]; then
    why=verif/$block/formal/none.txt # a block without properties says why
    try "$block has properties, or says in $why why not" -- grep -q '[a-z]' "$why"
    [ ! -f "$why" ] || echo "note: $block has no properties: $(head -n 1 "$why")"
    continue
  fi
  try "$block: generated properties are lint clean" -- lint "$block"
  try "formal: properties of $block hold and planted faults are found" -- verif/tools/formal.py "${quick[@]}" --block "$block"
done
[ "${block:-}" ] || { echo "not ok formal: no block"; exit 1; }
exit $failed
