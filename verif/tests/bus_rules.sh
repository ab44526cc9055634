#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The checkers of the buses: each rule is broken once and named (bus_rules.v), none is left out; the cells lint.
. verif/tests/lib.sh
lib=rtl_templates/lib
checks="$lib/axi4_check.v $lib/axi4_lite_check.v"

iverilog -Wall -g2005 -s bus_rules -o "$tmp/rules" $checks verif/tests/bus_rules.v > "$tmp/log" 2>&1 &&
  vvp -N "$tmp/rules" > "$tmp/out" 2>> "$tmp/log" || failed=1
[ -s "$tmp/out" ] && sed -n 's/^not ok/&/p; s/^ok/&/p' "$tmp/out" || { echo "not ok bus rules: $(head -n 3 "$tmp/log")"; failed=1; }

every_rule() {
  grep -ohE '"[MS]: [^"]*"' $checks | sort -u > "$tmp/rules.txt"
  grep -oE '"[MS]: [^"]*"' verif/tests/bus_rules.v | sort -u > "$tmp/tried.txt"
  diff "$tmp/rules.txt" "$tmp/tried.txt"
}
try "every rule of the buses is broken once" -- every_rule
lint() { # MODULE PARAMETERS
  verilator -Wall --lint-only --top-module "$1" ${2:-} "$lib/$1.v" $lib/ram_1r1w.v
}
try "lint: axi4_master, one beat" -- lint axi4_master "-GBUS_W=256"
try "lint: axi4_master, bursts" -- lint axi4_master "-GBUS_W=32"
try "lint: axi4_master, bursts of 2, 2 buffers" -- lint axi4_master "-GBUS_W=128 -GREADS=2 -GTAG_W=1"
try "lint: axi4_lite_regs" -- lint axi4_lite_regs
try "lint: axi4_check" -- lint axi4_check
try "lint: axi4_lite_check" -- lint axi4_lite_check
exit $failed
