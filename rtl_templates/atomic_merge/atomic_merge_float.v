// SPDX-License-Identifier: Apache-2.0
// atomic_merge_float: float add, multiply, minimum and maximum of items of 32 and 64 bits (AM-1): IEEE 754,
// round to nearest even, subnormals kept; an arithmetic NaN is the canonical quiet one, minimum and maximum
// are minimumNumber and maximumNumber with -0 below +0. One item a cycle, its result STEPS cycles later, in
// the lowest bits; no reset. There are six steps; with fewer cycles some share one. Both formats go one way:
// mantissas stand at the upper end of 53 bits, results as 106 bits of which bit 104 counts
// 2^(exponent - bias), and are rounded where the format ends.
`default_nettype none

module atomic_merge_float #(
  parameter HAS_ADD = 1,  // float add is built
  parameter HAS_MUL = 1,  // float multiply is built
  parameter STEPS = 6     // 2..6
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge

  input  wire [1:0] code_i,    // 3 add, 0 multiply, 1 minimum, 2 maximum
  input  wire wide_i,          // 64 bits; 0: 32 bits
  input  wire [63:0] x_i,      // memory's or an earlier value, in the lowest bits
  input  wire [63:0] y_i,      // operand, in the lowest bits
  output reg  [63:0] result_o  // the result
);
  function [63:0] not_a_number(input wide);
    not_a_number = wide ? 64'h7ff8_0000_0000_0000 : 64'h7fc0_0000;
  endfunction

  // ---- 1: taken apart, and which is larger ----
  wire sx = wide_i ? x_i[63] : x_i[31];
  wire sy = wide_i ? y_i[63] : y_i[31];
  wire [10:0] ex = wide_i ? x_i[62:52] : {3'd0, x_i[30:23]};
  wire [10:0] ey = wide_i ? y_i[62:52] : {3'd0, y_i[30:23]};
  wire [51:0] fx = wide_i ? x_i[51:0] : {x_i[22:0], 29'd0};
  wire [51:0] fy = wide_i ? y_i[51:0] : {y_i[22:0], 29'd0};
  wire [10:0] ones = wide_i ? 11'd2047 : 11'd255;
  wire y_larger = {ey, fy} > {ex, fx};
  wire a_wide, a_sb, a_ss, a_larger, a_nan_x, a_nan_y, a_inf_b, a_inf_s, a_zero;
  wire [1:0] a_code;
  wire [10:0] a_eb, a_es;               // of the larger, of the smaller
  wire [52:0] a_mb, a_ms;
  wire [63:0] a_x, a_y;
  wire [1:0] next_a_sb = y_larger ? {sy, sx} : {sx, sy};
  wire [21:0] next_a_eb = y_larger ? {ey | {10'd0, ey == 11'd0}, ex | {10'd0, ex == 11'd0}} :
    {ex | {10'd0, ex == 11'd0}, ey | {10'd0, ey == 11'd0}};
  wire [105:0] next_a_mb = y_larger ? {ey != 11'd0, fy, ex != 11'd0, fx} : {ex != 11'd0, fx, ey != 11'd0, fy};
  wire next_a_nan_x = ex == ones && fx != 52'd0;
  wire next_a_nan_y = ey == ones && fy != 52'd0;
  wire next_a_inf_b = (y_larger ? ey : ex) == ones;
  wire next_a_inf_s = (y_larger ? ex : ey) == ones;
  wire next_a_zero = (y_larger ? {ex, fx} : {ey, fy}) == 63'd0;
  atomic_merge_step #(.WIDTH(267), .KEPT(STEPS >= 4)) apart_step (
    .clk_i(clk_i),
    .from_i({wide_i, code_i, x_i, y_i, y_larger, next_a_sb, next_a_eb, next_a_mb, next_a_nan_x,
      next_a_nan_y, next_a_inf_b, next_a_inf_s, next_a_zero}),
    .to_o({a_wide, a_code, a_x, a_y, a_larger, a_sb, a_ss, a_eb, a_es, a_mb, a_ms, a_nan_x, a_nan_y,
      a_inf_b, a_inf_s, a_zero}));

  // ---- 2: the smaller one is brought to the exponent of the larger; partial products; what is no sum ----
  wire a_adds = a_code == 2'd3;
  wire a_muls = a_code == 2'd0;
  wire [10:0] apart = a_eb - a_es;
  wire [111:0] moved = {a_ms, 59'd0} >> ((apart > 11'd63) ? 6'd63 : apart[5:0]);
  wire a_nan = a_nan_x || a_nan_y;
  wire a_sx = a_larger ? a_ss : a_sb;
  wire x_below = (a_sb != a_ss) ? a_sx : a_larger ^ a_sx; // for equal ones it does not matter
  wire takes_x = a_nan_y || (!a_nan_x && (x_below ^ (a_code == 2'd2)));
  wire [63:0] a_infinite = a_wide ? {a_sb ^ (a_muls && a_ss), 63'h7ff0_0000_0000_0000} :
                                    {32'd0, a_sb ^ (a_muls && a_ss), 31'h7f80_0000};
  wire b_wide, b_adds, b_less, b_sign, b_zero_sign, b_special;
  wire [12:0] b_e;                      // signed
  wire [55:0] b_big, b_small;
  wire [79:0] b_low, b_high;
  wire [63:0] b_value;
  wire next_b_less = a_sb != a_ss;
  wire next_b_sign = a_sb ^ (a_muls && a_ss);
  wire next_b_zero_sign = a_muls ? a_sb ^ a_ss : a_sb && a_ss;
  wire [12:0] next_b_e = a_adds ? {2'd0, a_eb} : {2'd0, a_eb} + {2'd0, a_es} - (a_wide ? 13'd1023 : 13'd127);
  wire [55:0] next_b_big = {a_mb, 3'd0};
  wire [55:0] next_b_small = {moved[111:57], |moved[56:0]};
  wire [79:0] next_b_low = {27'd0, a_ms} * {53'd0, a_mb[26:0]};
  wire [79:0] next_b_high = {27'd0, a_ms} * {54'd0, a_mb[52:27]};
  wire next_b_special = !(a_adds || a_muls) || a_nan || a_inf_b;
  wire [63:0] next_b_value =
    !(a_adds || a_muls) ? ((a_nan_x && a_nan_y) ? not_a_number(a_wide) : takes_x ? a_x : a_y) :
    (a_nan || (a_adds ? a_inf_s && a_sb != a_ss : a_zero)) ? not_a_number(a_wide) : a_infinite;
  atomic_merge_step #(.WIDTH(355), .KEPT(STEPS >= 3)) partial (
    .clk_i(clk_i),
    .from_i({a_wide, a_adds, next_b_less, next_b_sign, next_b_zero_sign, next_b_e, next_b_big,
      next_b_small, next_b_low, next_b_high, next_b_special, next_b_value}),
    .to_o({b_wide, b_adds, b_less, b_sign, b_zero_sign, b_e, b_big, b_small, b_low, b_high, b_special,
      b_value}));

  // ---- 3: sum or product ----
  wire [56:0] sum = {1'b0, b_big} + ({1'b0, b_small} ^ {57{b_less}}) + {56'd0, b_less};
  wire c_wide, c_sign, c_zero_sign, c_special;
  wire [12:0] c_e;
  wire [63:0] c_value;
  wire [105:0] c_size;
  wire [105:0] next_c_size = (HAS_MUL == 0 || (HAS_ADD != 0 && b_adds)) ? {sum, 49'd0} :
    {26'd0, b_low} + {b_high[78:0], 27'd0};
  atomic_merge_step #(.WIDTH(187), .KEPT(STEPS == 2 || STEPS >= 5)) summed (
    .clk_i(clk_i),
    .from_i({b_wide, b_sign, b_zero_sign, b_special, b_e, b_value, next_c_size}),
    .to_o({c_wide, c_sign, c_zero_sign, c_special, c_e, c_value, c_size}));
  wire unused_high = &{1'b0, b_high[79]};

  // ---- 4: leading zeros ----
  wire d_wide, d_sign, d_zero_sign, d_special, d_none;
  wire [12:0] d_e;
  wire [63:0] d_value;
  wire [105:0] d_size;
  wire [6:0] d_zeros;
  reg [6:0] zeros;
  integer i;
  always @* begin
    zeros = 7'd106;
    for (i = 0; i < 106; i = i + 1)
      if (c_size[i]) zeros = 7'd105 - i[6:0];
  end
  wire next_d_none = c_size == 106'd0;
  atomic_merge_step #(.WIDTH(195), .KEPT(STEPS >= 3)) counted (
    .clk_i(clk_i),
    .from_i({c_wide, c_sign, c_zero_sign, c_special, c_e, c_value, c_size, zeros, next_d_none}),
    .to_o({d_wide, d_sign, d_zero_sign, d_special, d_e, d_value, d_size, d_zeros, d_none}));

  // ---- 5: moved so that the first one stands in bit 105; less far, or back, for a subnormal ----
  wire below = d_e[12] || d_e < {6'd0, d_zeros};
  wire [12:0] back = 13'd0 - d_e;
  wire [6:0] by = below ? d_e[6:0] : d_zeros;
  wire [105:0] up = d_size << by;
  wire [105:0] down = d_size >> ((back > 13'd107) ? 7'd107 : back[6:0]);
  wire lost = (d_size ^ (down << ((back > 13'd107) ? 7'd107 : back[6:0]))) != 106'd0;
  wire [105:0] size = d_e[12] ? {down[105:1], down[0] | lost} : up;
  wire unused_first = size[105];
  wire e_wide, e_sign, e_special, e_none, e_guard, e_sticky;
  wire [12:0] e_e;
  wire [63:0] e_value;
  wire [51:0] e_part;
  wire next_e_sign = d_none ? d_zero_sign : d_sign;
  wire [12:0] next_e_e = below ? 13'd0 : d_e + 13'd1 - {6'd0, d_zeros};
  wire [51:0] next_e_part = d_wide ? size[104:53] : {29'd0, size[104:82]};
  wire next_e_guard = d_wide ? size[52] : size[81];
  wire next_e_sticky = d_wide ? |size[51:0] : |size[80:0];
  atomic_merge_step #(.WIDTH(135), .KEPT(STEPS == 6)) moved_up (
    .clk_i(clk_i),
    .from_i({d_wide, next_e_sign, d_special, d_none, d_value, next_e_e, next_e_part, next_e_guard,
      next_e_sticky}),
    .to_o({e_wide, e_sign, e_special, e_none, e_value, e_e, e_part, e_guard, e_sticky}));

  // ---- 6: rounded and put together; a carry goes into the exponent ----
  wire more = e_guard && (e_sticky || e_part[0]);
  wire [62:0] wide_sum = {e_e[10:0], e_part} + {62'd0, more};
  wire [30:0] narrow_sum = {e_e[7:0], e_part[22:0]} + {30'd0, more};
  wire infinite = e_e >= (e_wide ? 13'd2047 : 13'd255);
  always @(posedge clk_i)
    if (e_special) result_o <= e_value;
    else if (e_wide) result_o <= {e_sign, e_none ? 63'd0 : infinite ? 63'h7ff0_0000_0000_0000 : wide_sum};
    else result_o <= {32'd0, e_sign, e_none ? 31'd0 : infinite ? 31'h7f80_0000 : narrow_sum};
endmodule

`default_nettype wire
