#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
# `simtgen gen` on a topology that names the modules of its units: a system of front end, units and one memory port. Two
# stacks and two units of the user's own are built, linted and switched between two workloads in Icarus.
. verif/tests/lib.sh
here=$root/verif/front_end/topology
cd "$tmp" || exit 1
cp "$here"/* "$root/verif/tests/unit_status/rtl_templates/gather_sum/gather_sum_core.v" .
library=$root/rtl_templates/lib

generate() {
  "$SIMTGEN" gen stack_cache -n stk -p THREADS=4 -p ENTRIES=8 -p SET=2 -p ENTRY_W=32 -p MAX_DEPTH=64 -p STATUS=one_hot \
    -o stk -q --no-doc && "$SIMTGEN" gen -c two_stacks.yaml -o fe -q --no-doc
}
# The addresses of the registers as the generated headers have them.
registers() {
  sed -nE 's/#define FE_(FEM_[A-Z_]+)_OFFSET 0x([0-9a-f]+)u/  localparam [9:0] \1 = 10'"'"'h\2;/p' fe/regs.h
  sed -nE 's/#define (STK_BASE_LO)_OFFSET 0x([0-9a-f]+)u/  localparam [9:0] \1 = 10'"'"'h\2;/p' stk/regs.h
}
verilator_lint() {
  (cd fe/system && verilator --lint-only -Wall -f fe_system.f ../../stk/rtl/*.v ../../gather_sum_core.v -y "$library" --top-module fe_system)
}
icarus_lint() {
  local said
  said=$(cd fe/system && iverilog -Wall -g2005 -s fe_system -o /dev/null -c fe_system.f ../../stk/rtl/*.v ../../gather_sum_core.v -y "$library" 2>&1) &&
    [ -z "$said" ] || { echo "$said"; return 1; }
}
black_boxes() {
  (cd fe/system && yosys -q -p "read_verilog $(grep -v '^//' fe_system.f | tr '\n' ' ') ports/*.v; hierarchy -check -top fe_system; proc; check -assert")
}
bench() { # FOLDER
  (cd "$1/system" && iverilog -g2005 -s bench -I "$tmp" -o "$tmp/run" -c fe_system.f ../../stk/rtl/*.v ../../gather_sum_core.v "$tmp/bench.v" \
    -y "$library") && timeout 60 vvp -N run
}
passes() { bench fe | tee said && grep -q '^PASS: 9 commands, 35 and 24 entries' said; }
# breaks PATTERN FILE SED: the bench says so when a fault is in the system.
breaks() {
  rm -rf broken && cp -r fe broken && sed -i -E "$3" "broken/$2" && ! cmp -s "broken/$2" "fe/$2" || { echo "nothing changed"; return 1; }
  bench broken > said 2>&1
  [ $? = 1 ] && grep -Eq "$1" said || { tail -n 3 said; return 1; }
}
replays() { (cd fe && "$SIMTGEN" gen -c config.yaml -o ../again -q --no-doc) && diff -r fe again; }
short() { [ "$(wc -l < fe/system/README.md)" -le 10 ]; }

try "topology: stacks, front end and system are generated" "[US-6 US-13]" -- generate
registers > registers.vh
try "topology: the system is clean in Verilator" "[US-13]" -- verilator_lint
try "topology: the system is clean in Icarus" "[US-13]" -- icarus_lint
try "topology: the system with its units as black boxes passes Yosys" "[US-13]" -- black_boxes
try "topology: two workloads take turns, nothing is lost" "[US-8 US-9 US-13]" -- passes
try "topology: config.yaml gives the same files again" "[]" -- replays
try "topology: the README has at most ten lines" "[]" -- short
try "topology: seen: words of a narrow port in a wrong place" "[US-13]" -- \
  breaks FAIL system/fe_mem_widen.v 's/rsp_place\*NARROW_W/0*NARROW_W/'
try "topology: seen: an answer to another client" "[US-13]" -- breaks FAIL system/fe_mem_join.v 's/<< rsp_client;/<< (rsp_client ^ 1);/'
try "topology: seen: a unit that is not reset" "[US-8]" -- breaks FAIL system/fe_system.v "s/cmd_reset_i\(unit_reset\[2\]\)/cmd_reset_i(1'b0)/"
exit $failed
