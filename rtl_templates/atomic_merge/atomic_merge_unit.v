// SPDX-License-Identifier: Apache-2.0
// atomic_merge_unit: operations that take several cycles, one item of 32 or 64 bits after the other: count up
// and down modulo K, multiply, floating point (AM-1). Operands come as pairs of words, as the arithmetic unit
// has them. The result is there EXTRA + 1 cycles later, in the lowest bits. One item a cycle; no reset,
// nothing is held.
`default_nettype none

module atomic_merge_unit #(
  parameter EXTRA = 1,              // cycles more than one, 1 or more
  parameter HAS_MODULO = 1,         // an operation modulo K is built
  parameter HAS_MUL = 0,            // multiply is built
  parameter [2:0] HAS_FLOAT = 3'd0  // {minimum or maximum, multiply, add}
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge

  input  wire [2:0] code_i,    // 0 up, 1 down, 2 multiply, floats: 3 add, 4 multiply, 5 min, 6 max
  input  wire wide_i,          // one item of 64 bits; 0: of 32
  input  wire high_i,          // of 32 bits: the upper word of the pair
  input  wire [63:0] x_i,      // memory's or an earlier value
  input  wire [63:0] y_i,      // operand, or what was accumulated
  input  wire [63:0] last_i,   // K - 1
  output wire [63:0] result_o  // the result
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
      // What is in the upper words of items of 32 bits means nothing.
      wire [63:0] early;                 // 2 cycles later
      atomic_merge_modulo count (
        .clk_i(clk_i), .down_i(code_i[0]), .wide_i(wide_i), .x_i(x), .y_i(y), .last_i(last_i),
        .result_o(early));
      if (EXTRA > 1) begin : g_later
        reg [63:0] chosen_q [2:EXTRA];
        integer later;
        always @(posedge clk_i) begin
          chosen_q[2] <= early;
          for (later = 3; later <= EXTRA; later = later + 1) chosen_q[later] <= chosen_q[later-1];
        end
        assign modulo = chosen_q[EXTRA];
      end else begin : g_now
        assign modulo = early;
      end
    end else begin : g_no_modulo
      wire unused = &{1'b0, last_i};
      assign modulo = 64'd0;
    end

    if (HAS_MUL != 0) begin : g_mul
      // Operands (with EXTRA 1 at once), three partial products, their sum.
      wire [63:0] x_in, y_in;
      atomic_merge_step #(.WIDTH(128), .KEPT(EXTRA > 1)) operands (
        .clk_i(clk_i), .from_i({x, y}), .to_o({x_in, y_in}));
      localparam SUM = (EXTRA > 1) ? 2 : 1;
      reg [63:0] low_q;
      reg [31:0] cross1_q, cross2_q;
      reg [63:0] sum_q [SUM:EXTRA];
      integer later;
      always @(posedge clk_i) begin
        low_q <= {32'd0, x_in[31:0]} * {32'd0, y_in[31:0]};
        cross1_q <= x_in[31:0] * y_in[63:32];
        cross2_q <= x_in[63:32] * y_in[31:0];
        sum_q[SUM] <= {low_q[63:32] + cross1_q + cross2_q, low_q[31:0]};
        for (later = SUM + 1; later <= EXTRA; later = later + 1) sum_q[later] <= sum_q[later-1];
      end
      assign product = sum_q[EXTRA];
    end else begin : g_no_mul
      assign product = 64'd0;
    end

    if (HAS_FLOAT != 3'd0) begin : g_float
      localparam STEPS = (EXTRA > 5) ? 6 : EXTRA + 1;
      wire [63:0] early;                 // STEPS cycles later
      atomic_merge_float #(.HAS_ADD(HAS_FLOAT[0]), .HAS_MUL(HAS_FLOAT[1]), .STEPS(STEPS)) float (
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
