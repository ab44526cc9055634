// SPDX-License-Identifier: Apache-2.0
// atomic_merge_unit: operations that take several cycles, one item of 32 or 64 bits after the other: count up
// and down modulo K, multiply, floating point (AM-1). Operands come as pairs of words, as the arithmetic unit
// has them. The result is there EXTRA + 1 cycles later, in the lowest bits. One item a cycle; no reset,
// nothing is held.
`default_nettype none

module atomic_merge_unit #(
  parameter EXTRA = 1,
  parameter HAS_MODULO = 1,
  parameter HAS_MUL = 0,
  parameter [2:0] HAS_FLOAT = 3'd0     // {minimum or maximum, multiply, add}; needs EXTRA 5
) (
  input  wire clk_i,

  input  wire [2:0] code_i,            // 0 up, 1 down, 2 multiply, floats: 3 add, 4 multiply, 5 min, 6 max
  input  wire wide_i,
  input  wire high_i,                  // of 32 bits: the upper word of the pair
  input  wire [63:0] x_i,              // memory's or an earlier value
  input  wire [63:0] y_i,              // operand, or what was accumulated
  input  wire [63:0] last_i,           // K - 1
  output wire [63:0] result_o
);
  wire [63:0] x = wide_i ? x_i : {32'd0, high_i ? x_i[63:32] : x_i[31:0]};
  wire [63:0] y = wide_i ? y_i : {32'd0, high_i ? y_i[63:32] : y_i[31:0]};
  reg [2:0] code_q [0:EXTRA];          // of the item that is in each stage
  integer stage;
  always @(posedge clk_i) begin
    code_q[0] <= code_i;
    for (stage = 1; stage <= EXTRA; stage = stage + 1) code_q[stage] <= code_q[stage-1];
  end

  wire [63:0] modulo, product, float_result;
  generate
    if (HAS_MODULO != 0) begin : g_modulo
      // First x is compared with K - 1 and K is taken from y, then x is brought below K and both results are
      // formed, with and without a step of K; their carries choose. y is below K, so y - K is as 64 bits
      // 2^64 - (K - y), and x + (y - K) has a carry when x + y is K or more.
      wire [63:0] last = wide_i ? last_i : {32'd0, last_i[31:0]};
      reg [63:0] x_q, y_q, less_q, last_q;
      reg over_q;
      wire down = code_q[0][0];
      wire [63:0] below = !over_q ? x_q : down ? 64'd0 : last_q;
      wire [64:0] plain = {1'b0, below} + {1'b0, y_q ^ {64{down}}} + {64'd0, down};
      wire [64:0] stepped = {1'b0, below} + {1'b0, less_q ^ {64{down}}} + {64'd0, down};
      reg [64:0] plain_q, stepped_q;
      always @(posedge clk_i) begin
        x_q <= x;
        y_q <= y;
        last_q <= last;
        over_q <= x > last;
        less_q <= y + ~last;
        plain_q <= plain;
        stepped_q <= stepped;
      end
      wire fits = code_q[1][0] ? plain_q[64] : !stepped_q[64];
      wire [63:0] chosen = fits ? plain_q[63:0] : stepped_q[63:0];
      if (EXTRA > 1) begin : g_later
        reg [63:0] chosen_q [2:EXTRA];
        integer later;
        always @(posedge clk_i) begin
          chosen_q[2] <= chosen;
          for (later = 3; later <= EXTRA; later = later + 1) chosen_q[later] <= chosen_q[later-1];
        end
        assign modulo = chosen_q[EXTRA];
      end else begin : g_now
        assign modulo = chosen;
      end
    end else begin : g_no_modulo
      wire unused = &{1'b0, last_i};
      assign modulo = 64'd0;
    end

    if (HAS_MUL != 0) begin : g_mul
      // Operands, three partial products, their sum.
      reg [63:0] x_q, y_q, low_q;
      reg [31:0] cross1_q, cross2_q;
      reg [63:0] sum_q [2:EXTRA];
      integer later;
      always @(posedge clk_i) begin
        x_q <= x;
        y_q <= y;
        low_q <= {32'd0, x_q[31:0]} * {32'd0, y_q[31:0]};
        cross1_q <= x_q[31:0] * y_q[63:32];
        cross2_q <= x_q[63:32] * y_q[31:0];
        sum_q[2] <= {low_q[63:32] + cross1_q + cross2_q, low_q[31:0]};
        for (later = 3; later <= EXTRA; later = later + 1) sum_q[later] <= sum_q[later-1];
      end
      assign product = sum_q[EXTRA];
    end else begin : g_no_mul
      assign product = 64'd0;
    end

    if (HAS_FLOAT != 3'd0) begin : g_float
      wire [63:0] early;                 // 6 cycles later
      atomic_merge_float #(.HAS_ADD(HAS_FLOAT[0]), .HAS_MUL(HAS_FLOAT[1])) float (
        .clk_i(clk_i), .code_i(code_i[1:0]), .wide_i(wide_i), .x_i(x), .y_i(y), .result_o(early));
      if (EXTRA > 5) begin : g_later
        reg [63:0] late_q;
        always @(posedge clk_i) late_q <= early;
        assign float_result = late_q;
      end else begin : g_now
        assign float_result = early;
      end
    end else begin : g_no_float
      assign float_result = 64'd0;
    end
  endgenerate
  wire [2:0] code = code_q[EXTRA];
  assign result_o = (HAS_FLOAT != 3'd0 && (code[2] || &code[1:0])) ? float_result :
                    (HAS_MUL != 0 && code[1]) ? product : modulo;
  wire unused_code = &{1'b0, code_q[EXTRA]};
endmodule

`default_nettype wire
