#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# The example L1 of docs/example_tracker, built around a generated tracker as its page says: it runs, lints, is synthesized,
# and its bench finds faults planted in it.
. verif/tests/lib.sh
example=$root/docs/example_tracker
parameters=$(sed -n 's/^simtgen gen tracker \(.*\) -o out$/\1/p' "$example/README.md")

generate() { # shellcheck disable=SC2086
  "$SIMTGEN" gen tracker $parameters -o "$tmp/out" > "$tmp/gen.log" 2>&1 || { tail -n 3 "$tmp/gen.log"; return 1; }
}
runs() { # FOLDER: with the design in it
  (cd "$1" && iverilog -g2005 -o l1.vvp "$tmp"/out/rtl/*.v example_l1.v "$example"/{bench,tracker_rules}.v && timeout 300 vvp -N l1.vvp) > "$1/log" 2>&1
}
passes() { runs "$example_copy" && grep '^PASS: 4000 loads' "$example_copy/log" || { tail -n 3 "$example_copy/log"; return 1; }; }
lints() { verilator --lint-only -Wall -Wno-fatal -Wno-PINCONNECTEMPTY "$tmp"/out/rtl/*.v "$example/example_l1.v" --top-module example_l1 > "$tmp/lint" 2>&1 &&
  ! grep -A3 'example_l1.v' "$tmp/lint"; }
synthesizes() {
  yosys -q -p "read_verilog $tmp/out/rtl/*.v $example/example_l1.v; hierarchy -check -top example_l1; proc; opt -fast; check -assert" > "$tmp/yosys" 2>&1 ||
    { tail -n 3 "$tmp/yosys"; return 1; }
}
finds() { # MESSAGE SED-EXPRESSION
  mkdir -p "$tmp/bad" && sed "$2" "$example/example_l1.v" > "$tmp/bad/example_l1.v"
  cmp -s "$example/example_l1.v" "$tmp/bad/example_l1.v" && { echo "the edit changes nothing"; return 1; }
  runs "$tmp/bad" && { echo "nothing was found"; return 1; }
  grep -E "^FAIL: $1" "$tmp/bad/log" || { tail -n 3 "$tmp/bad/log"; return 1; }
}

example_copy=$tmp/copy
mkdir -p "$example_copy" && cp "$example/example_l1.v" "$example_copy"
always try "example L1: the tracker is generated" -- generate
try "example L1: 4,000 loads have their data" "[TR-0 TR-7 TR-9 TR-13]" -- passes
try "example L1: no warning of Verilator" -- lints
try "example L1: Yosys checks it" -- synthesizes
try "example L1: a data slot given away while it has references is found" "[TR-13]" -- finds '(the tracker refused|data of)' 's/may_go = hit || (!busy_q\[slot\] \&\& alloc_ready)/may_go = hit || alloc_ready/'
try "example L1: a line without its allocation is found" "[TR-7]" -- finds 'data of' 's/.alloc_valid_i(allocates)/.alloc_valid_i(1'"'"'b0)/'
names_rule() { # what the bench says, and behind it the rule and its cycle
  finds 'a rule of the tracker' "$1" && grep -E "^tracker_rules: cycle [0-9]+: $2\$" "$tmp/bad/log" || { head -n 3 "$tmp/bad/log"; return 1; }
}
try "example L1: a fill that comes too early is named, with its cycle" "[TR-0]" -- names_rule \
  's/.fill_valid_i(mem_rsp_valid_i), \(.*\).fill_dslot_i(mem_rsp_addr_i/.fill_valid_i(mem_req_valid_o), \1.fill_dslot_i(mem_req_addr_o/' "a fill less than 4 cycles after its data slot's allocation"
exit $failed
