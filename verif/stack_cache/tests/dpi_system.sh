#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 600
# Three blocks of three configurations in one simulation in Verilator, each with its own checker bound: a fault planted in one is
# reported of that one. The designs are that of the README, once for each block.
. verif/tests/lib.sh
cd "$tmp" || exit 1
blocks="call:ENTRIES=8:SET=2 mask:ENTRIES=4:SET=2 deep:ENTRIES=16:SET=2"

build() {
  local b name p words=() c=() modules=""
  for b in $blocks; do
    name=${b%%:*}
    # shellcheck disable=SC2086
    "$SIMTGEN" gen stack_cache -n ${name}_stack -p THREADS=4 -p ENTRY_W=32 -p MAX_DEPTH=64 $(tr ':' '\n' <<<"${b#*:}" | sed 's/^/-p /') \
      -o ${name}_stack -q --no-doc || return 1
    sed -n '/^```verilog/,/^```/p' "$root/README.md" | sed "/^\`\`\`/d; /^module my_test/,\$d; s/my_design/${name}_design/; s/call_stack stack/${name}_stack stack/" \
      > ${name}_design.v
    modules+="  ${name}_design $name (.clk(clk), .rst(rst), .done(done[$c_n]), .returns(), .accesses());"$'\n'
    echo "bind ${name}_stack ${name}_stack_lockstep u_lockstep (.*);" >> bind.sv
    words+=(${name}_design.v ${name}_stack/rtl/*.v ${name}_stack/dpi/${name}_stack_lockstep.sv)
    c+=("$tmp/${name}_stack/dpi/${name}_stack_lockstep.c")
    c_n=$((c_n + 1))
  done
  echo "module three (input wire clk, input wire rst, output wire [2:0] done);"$'\n'"${modules}endmodule" > three.v
  # In one cycle one output of one of the blocks is wrong, when the simulation is called with +PLANTED.
  sed -i -e 's/\.can_go_o(can_go_o)/.can_go_o(planted)/' -e 's/^  mask_stack_core /  wire planted;\n  reg [7:0] count = 8'"'"'d0;\n  always @(posedge clk_i) count <= count + 8'"'"'d1;\n  assign can_go_o = planted ^ (count == 8'"'"'d150 \&\& $test$plusargs("PLANTED") != 0);\n&/' \
    mask_stack/rtl/mask_stack.v
  cat > main.cpp <<'END'
#include <cstdio>
#include "Vthree.h"
#include "verilated.h"
int main(int argc, char **argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Vthree top{&context};
  for (int cycle = 0; cycle < 1000; cycle++) {
    top.rst = cycle < 2 || (cycle >= 300 && cycle < 303); /* and once in mid-run */
    for (int clk = 0; clk < 2; clk++) {
      top.clk = clk;
      top.eval();
      context.timeInc(5);
    }
  }
  top.final();
  if (top.done != 7) printf("done: %u\n", top.done);
  return top.done != 7;
}
END
  verilator --cc --exe --build -Wno-fatal --top-module three -o sim three.v "${words[@]}" bind.sv "$tmp/main.cpp" "${c[@]}" \
    -CFLAGS "-I$root/cmodel/core -O0" -MAKEFLAGS "OPT_FAST=-O0 OPT_GLOBAL=-O0" -LDFLAGS "$B/libsimt.a" > log 2>&1 || { tail -n 5 log; return 1; }
}
alike() {
  obj_dir/sim > said || { cat said; return 1; }
  [ "$(grep -c '^lockstep: TOP.three.[a-z]*.stack: 999 cycles compared, 0 faults$' said)" = 3 ] || { cat said; return 1; }
}
seen() {
  obj_dir/sim +PLANTED > said 2>&1 && { echo "nobody sees it"; return 1; }
  [ "$(grep -c '^MISMATCH' said)" = 1 ] && grep -q '^MISMATCH: stack_cache .*ENTRIES=4 .*instance TOP.three.mask.stack cycle 149: can_go_o: RTL 0x[01], model 0x[01]' said &&
    [ -s TOP.three.mask.stack_mismatch.vcd ] || { cat said; return 1; }
}
three_blocks() { c_n=0 && build && alike && seen; }

try "dpi: three blocks, each like its model, through a reset in mid-run; a fault planted in one is reported of that one" -- three_blocks
exit $failed
