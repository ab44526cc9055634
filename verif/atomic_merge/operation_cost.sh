#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What each operation of atomic_merge costs in LUT4 (Yosys, synth_ecp5; wide functions and carry cells counted in LUT4, a carry
# cell as 2): decode, controls, arithmetic unit and late choice between registers, beside loads, stores and swap. The cache has one such unit,
# one that rebuilds answers, and one for each two MERGE_LANES. Usage: verif/atomic_merge/operation_cost.sh, from the root.
set -eu
rtl=$PWD/rtl_templates/atomic_merge
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat > "$tmp/unit.v" <<'VERILOG'
module unit #(parameter [14:0] BUILT = 0, parameter SUM = 0, LOGIC = 0, CAS = 0, SAT = 0) (
  input clk, input [4:0] op, input [1:0] size, input [2:0] offset, input [1:0] fresh, input [63:0] x, y, compare,
  output reg [63:0] result);
  wire [10:0] c; wire [1:0] w; wire [7:0] b; wire write, slow, atomic; wire [25:0] k; wire [63:0] fast; wire [1:0] take, ones;
  reg [4:0] op_q; reg [1:0] size_q, fresh_q, take_q, ones_q; reg [2:0] offset_q; reg [25:0] k_q; reg [63:0] x_q, y_q, y_q2, a_q, compare_q, fast_q;
  atomic_merge_decode #(.BUILT(BUILT)) decode (.op_i(op_q), .size_i(size_q), .offset_i(offset_q), .control_o(c), .word_o(w), .byte_o(b),
    .write_o(write), .slow_o(slow), .atomic_o(atomic));
  atomic_merge_control control (.op_i(c), .word_i(w), .byte_i(b), .fresh_i(fresh_q), .control_o(k));
  atomic_merge_alu #(.HAS_SUM(SUM), .HAS_LOGIC(LOGIC), .HAS_CAS(CAS), .HAS_SAT(SAT)) alu (.x_i(x_q), .y_i(y_q), .addend_i(a_q),
    .compare_i(compare_q), .control_i(k_q), .fast_o(fast), .take_o(take), .ones_o(ones));
  always @(posedge clk) begin
    {op_q, size_q, fresh_q, offset_q, k_q, x_q, y_q, y_q2, compare_q} <= {op, size, fresh, offset, k, x, y, y_q, compare};
    a_q <= y ^ {64{k[9]}} ^ {k[7], 31'd0, k[6], 31'd0};
    {fast_q, take_q, ones_q} <= {fast, take, ones};
    result <= {take_q[1] ? y_q2[63:32] : fast_q[63:32] | {32{ones_q[1]}}, take_q[0] ? y_q2[31:0] : fast_q[31:0] | {32{ones_q[0]}}};
  end
endmodule
VERILOG

unit_luts() { # EXTRA MODULO MUL FLOAT
  yosys -p "read_verilog $rtl/atomic_merge_unit.v $rtl/atomic_merge_float.v $rtl/atomic_merge_step.v $rtl/atomic_merge_modulo.v; chparam -set EXTRA $1 -set HAS_MODULO $2 -set HAS_MUL $3 -set HAS_FLOAT $4 atomic_merge_unit
    synth_ecp5 -abc9 -top atomic_merge_unit; stat" | awk '/=== / {n = m = 0} $1 == "LUT4" {n += $2} $1 == "CCU2C" {n += 2 * $2}
      $1 == "MULT18X18D" {m = $2} END {print n " | " (m ? m " multipliers" : "")}'
}

luts() { # BUILT SUM LOGIC CAS SAT
  local said
  said=$(yosys -p "read_verilog $rtl/atomic_merge_decode.v $rtl/atomic_merge_control.v $rtl/atomic_merge_alu.v $tmp/unit.v
    chparam -set BUILT $1 -set SUM $2 -set LOGIC $3 -set CAS $4 -set SAT $5 unit; synth_ecp5 -abc9 -top unit; stat")
  awk '/=== unit/ {n = 0} $1 == "LUT4" {n += $2} $1 == "CCU2C" {n += 2 * $2} END {print n}' \
    <<< "$(tac <<< "$said" | sed '/=== /q' | tac)"
}

base=$(luts 4107 0 0 0 0) # load, store, barriers, swap
printf '| operation | LUT4 | beside loads, stores and swap |\n|---|--:|--:|\n'
printf '| loads, stores, swap | %d | |\n' "$base"
row() { local n; n=$(luts "${@:2}"); printf '| %s | %d | %d |\n' "$1" "$n" $((n - base)); }
row 'add' $((4107 + 16)) 1 0 0 0
row 'and' $((4107 + 32)) 0 1 0 0
row 'or' $((4107 + 64)) 0 1 0 0
row 'exclusive or' $((4107 + 128)) 0 1 0 0
row 'and, or, exclusive or' $((4107 + 224)) 0 1 0 0
row 'minimum' $((4107 + 1280)) 1 0 0 0
row 'minimum, maximum' $((4107 + 3840)) 1 0 0 0
row 'compare-and-swap' $((4107 + 8192)) 0 0 1 0
row 'saturating add' $((4107 + 16384)) 1 0 0 1
row 'all but saturating add (the default)' 16383 1 1 1 0
row 'all' 32767 1 1 1 1

printf '\n| unit of several cycles | LUT4 | beside |\n|---|--:|---|\n'
printf '| wrapping, modulo | %s |\n' "$(unit_luts 1 1 0 0)"
printf '| multiply | %s |\n' "$(unit_luts 3 0 1 0)"
printf '| float minimum and maximum | %s |\n' "$(unit_luts 5 0 0 4)"
printf '| float add | %s |\n' "$(unit_luts 5 0 0 1)"
printf '| float multiply | %s |\n' "$(unit_luts 5 0 0 2)"
printf '| all | %s |\n' "$(unit_luts 5 1 1 7)"
