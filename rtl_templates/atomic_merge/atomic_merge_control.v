// SPDX-License-Identifier: Apache-2.0
// atomic_merge_control: the controls of atomic_merge_alu for one operation on one pair of words, a cycle
// before they are used. Combinational, no reset. A word that is not chosen keeps x; a chosen word where
// nothing stands yet takes y (AM-5).
`default_nettype none

module atomic_merge_control (
  input  wire [10:0] op_i,      // {saturating, wide, cas, signed, max, min, y alone, xor, or, and, add}
  input  wire [1:0]  word_i,    // words of the pair that are chosen
  input  wire [7:0]  byte_i,    // bytes of them that y may replace: of a store all it writes, else all
  input  wire [1:0]  fresh_i,   // words where nothing stands yet
  output wire [25:0] control_o  // controls of atomic_merge_alu
);
  wire [1:0] acts = word_i & ~fresh_i;
  wire [1:0] takes = word_i & (fresh_i | {2{op_i[4]}});
  wire [1:0] code = op_i[1] ? 2'd1 : op_i[2] ? 2'd2 : op_i[3] ? 2'd3 : 2'd0;
  wire       wide = op_i[9];
  wire       invert = op_i[5] || op_i[6];
  assign control_o = {acts & {2{op_i[10]}}, byte_i & {{4{takes[1]}}, {4{takes[0]}}}, acts & {2{op_i[0]}},
    code & {2{acts[1]}},
    code & {2{acts[0]}},
                      invert, wide, op_i[7], op_i[7] && !wide, acts & {2{op_i[6]}}, acts & {2{op_i[5]}},
                        acts & {2{op_i[8]}}};
endmodule

`default_nettype wire
