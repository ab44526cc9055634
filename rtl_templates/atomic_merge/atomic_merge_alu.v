// SPDX-License-Identifier: Apache-2.0
// atomic_merge_alu: what one operation makes of a pair of 32-bit words, memory's or an earlier value x and
// operand y (AM-1). Combinational, no reset. `fast_o` is the result of all but minimum, maximum and
// compare-and-swap, for which it holds x; of those, `take_o` says per word that y replaces x, and of a
// saturating add `ones_o` that the word is all ones, so that a caller may spend a cycle of its own on that
// choice. One adder adds and compares: the caller gives the addend, y or its complement, and the controls
// of atomic_merge_control.
`default_nettype none

module atomic_merge_alu #(
  parameter HAS_SUM = 1,    // add, minimum or maximum is built
  parameter HAS_LOGIC = 1,  // a bitwise operation is built
  parameter HAS_CAS = 1,    // compare-and-swap is built
  parameter HAS_SAT = 0     // saturating add is built
) (
  input  wire [63:0] x_i,        // memory's or an earlier value, a pair of words
  input  wire [63:0] y_i,        // operand
  input  wire [63:0] addend_i,   // y or its complement
  input  wire [63:0] compare_i,  // what compare-and-swap compares x with
  input  wire [25:0] control_i,  // from atomic_merge_control
  output wire [63:0] fast_o,     // result but for the late choice
  output wire [1:0]  take_o,     // per word: y replaces it, by the late choice
  output wire [1:0]  ones_o      // per word: it is all ones, by a saturating add
);
  wire [7:0] use_y;
  wire [1:0] full, use_sum, flip, on_less, on_not_less, on_equal;
  wire [3:0] code;
  wire       invert, wide;
  assign {full, use_y, use_sum, code, invert, wide, flip, on_less, on_not_less, on_equal} = control_i;

  // The bit between the words lets the carry pass for a 64-bit item and else starts the upper word anew.
  wire [65:0] sum;
  wire [1:0] not_less;
  generate
    if (HAS_SUM != 0) begin : g_sum
      assign sum = {1'b0, x_i[63] ^ flip[1], x_i[62:32], wide ^ invert, x_i[31] ^ flip[0], x_i[30:0]} +
                   {1'b0, addend_i[63:32], invert, addend_i[31:0]} + {65'd0, invert};
      assign not_less = wide ? {2{sum[65]}} : {sum[65], sum[32]};
    end else begin : g_no_sum
      wire unused = &{1'b0, addend_i, invert, wide, flip, sum};
      assign sum = 66'd0;
      assign not_less = {1'b0, unused & 1'b0};
    end
  endgenerate

  wire [1:0] equal_each = {x_i[63:32] == compare_i[63:32], x_i[31:0] == compare_i[31:0]};
  wire [1:0] equal = (HAS_CAS == 0) ? 2'd0 : wide ? {2{&equal_each}} : equal_each;
  assign take_o = (on_less & ~not_less) | (on_not_less & not_less) | (on_equal & equal);

  assign ones_o = (HAS_SAT != 0) ? full & not_less : 2'd0; // what does not fit is all ones
  wire unused_full = &{1'b0, full};

  genvar i;
  generate
    for (i = 0; i < 64; i = i + 1) begin : g_bit
      wire [1:0] c = code[2*(i/32) +: 2];
      wire logic_bit = (HAS_LOGIC == 0 || c == 2'd0) ? x_i[i] : (c == 2'd1) ? x_i[i] && y_i[i] :
                       (c == 2'd2) ? x_i[i] || y_i[i] : x_i[i] ^ y_i[i];
      assign fast_o[i] = use_y[i/8] ? y_i[i] : (use_sum[i/32] && HAS_SUM != 0) ? sum[i+i/32] : logic_bit;
    end
  endgenerate
endmodule

`default_nettype wire
