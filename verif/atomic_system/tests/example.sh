#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# The histogram of docs/example_atomic_system, built around a generated atomic_system as its page says: it runs, lints, is synthesized, and its bench
# finds faults planted in it.
. verif/tests/lib.sh
example=$root/docs/example_atomic_system
parameters=$(sed -n 's/^simtgen gen atomic_system \(.*\) -o out$/\1/p' "$example/README.md")

generate() { # shellcheck disable=SC2086
  "$SIMTGEN" gen atomic_system $parameters --no-doc -o "$tmp/out" > "$tmp/gen.log" 2>&1 || { tail -n 3 "$tmp/gen.log"; return 1; }
}
runs() { # DESIGN LOG
  iverilog -g2005 -o "$tmp/histogram.vvp" "$tmp"/out/rtl/*.v "$tmp/out/tb/atomic_system_memory.v" "$1" "$example/bench.v" > "$2" 2>&1 &&
    timeout 120 vvp -N "$tmp/histogram.vvp" > "$2" 2>&1
}
passes() { runs "$example/example_histogram.v" "$tmp/log" && grep '^PASS: 640 items' "$tmp/log" || { tail -n 3 "$tmp/log"; return 1; }; }
lints() {
  verilator --lint-only -Wall -Wno-fatal -Wno-PINCONNECTEMPTY -Wno-DECLFILENAME "$tmp"/out/rtl/*.v "$example/example_histogram.v" --top-module example_histogram > "$tmp/lint" 2>&1 &&
    ! grep -A3 'example_histogram.v' "$tmp/lint"
}
synthesizes() {
  yosys -q -p "read_verilog $(echo "$tmp"/out/rtl/*.v) $example/example_histogram.v; hierarchy -check -top example_histogram; proc; opt -fast; check -assert" \
    > "$tmp/yosys" 2>&1 || { tail -n 3 "$tmp/yosys"; return 1; }
}
finds() { # MESSAGE SED-EXPRESSION
  sed "$2" "$example/example_histogram.v" > "$tmp/bad.v"
  cmp -s "$example/example_histogram.v" "$tmp/bad.v" && { echo "the edit changes nothing"; return 1; }
  runs "$tmp/bad.v" "$tmp/bad.log" && { echo "nothing was found"; return 1; }
  grep -E "^FAIL: $1" "$tmp/bad.log" || { tail -n 3 "$tmp/bad.log"; return 1; }
}

always try "example histogram: the system is generated" -- generate
try "example histogram: 640 items are counted, each ticket is given once" "[AM-1 AM-2 AM-8]" -- passes
try "example histogram: no warning of Verilator" -- lints
try "example histogram: Yosys checks it" -- synthesizes
try "example histogram: tickets that do not return their value are found" "[AM-2]" -- finds 'a ticket that was given before' 's/takes_item ? RELAXED : RETURN/RELAXED/'
try "example histogram: memory that is looked at before idle_o has not all" "[AM-15]" -- finds 'a bin in memory' 's/&done_o && idle/\&done_o/'
try "example histogram: a fence in the place of the flush is found" "[AM-2]" -- finds 'a bin in memory' "s/FLUSH = 5'd3/FLUSH = 5'd2/"
exit $failed
