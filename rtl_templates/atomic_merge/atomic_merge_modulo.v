// SPDX-License-Identifier: Apache-2.0
// atomic_merge_modulo: counts a pair of words up or down modulo K (AM-1): its two words apart or, wide, as
// one number of 64 bits. The result is there two cycles later. One pair a cycle; no reset, nothing is held.
//
// First x is compared with K - 1 and K is taken from y, then x is brought below K and both results are
// formed, with and without a step of K; their carries choose. y is below K, so y - K is as n bits
// 2^n - (K - y), and x + (y - K) has a carry when x + y is K or more.
`default_nettype none

module atomic_merge_modulo (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge

  input  wire down_i,          // count down; 0: up
  input  wire wide_i,          // one item of 64 bits; 0: of 32
  input  wire [63:0] x_i,      // memory's or an earlier value
  input  wire [63:0] y_i,      // what is added or taken away
  input  wire [63:0] last_i,   // K - 1
  output wire [63:0] result_o  // the result
);
  reg down_q, wide_q;
  reg [63:0] x_q, y_q, less_q, last_q, plain_q, stepped_q;
  reg [1:0] over_q, fits_q;            // of each word
  wire high_over = x_i[63:32] > last_i[63:32];
  wire high_same = x_i[63:32] == last_i[63:32];
  wire low_over = x_i[31:0] > last_i[31:0];
  wire wide_over = high_over || (high_same && low_over);
  wire [32:0] less_low = {1'b0, y_i[31:0]} + {1'b0, ~last_i[31:0]};
  wire [31:0] less_high = y_i[63:32] + ~last_i[63:32] + {31'd0, wide_i && less_low[32]};

  wire [63:0] top = down_q ? 64'd0 : last_q;
  wire [63:0] below = {over_q[1] ? top[63:32] : x_q[63:32], over_q[0] ? top[31:0] : x_q[31:0]};
  wire [63:0] plain_y = y_q ^ {64{down_q}};
  wire [63:0] stepped_y = less_q ^ {64{down_q}};
  wire [32:0] plain_low = {1'b0, below[31:0]} + {1'b0, plain_y[31:0]} + {32'd0, down_q};
  wire [32:0] plain_high = {1'b0, below[63:32]} + {1'b0, plain_y[63:32]} +
    {32'd0, wide_q ? plain_low[32] : down_q};
  wire [32:0] stepped_low = {1'b0, below[31:0]} + {1'b0, stepped_y[31:0]} + {32'd0, down_q};
  wire [32:0] stepped_high = {1'b0, below[63:32]} + {1'b0, stepped_y[63:32]} +
    {32'd0, wide_q ? stepped_low[32] : down_q};
  wire high_fits = down_q ? plain_high[32] : !stepped_high[32];
  wire low_fits = down_q ? plain_low[32] : !stepped_low[32];
  always @(posedge clk_i) begin
    down_q <= down_i;
    wide_q <= wide_i;
    x_q <= x_i;
    y_q <= y_i;
    last_q <= last_i;
    over_q <= wide_i ? {2{wide_over}} : {high_over, low_over};
    less_q <= {less_high, less_low[31:0]};

    plain_q <= {plain_high[31:0], plain_low[31:0]};
    stepped_q <= {stepped_high[31:0], stepped_low[31:0]};
    fits_q <= {high_fits, wide_q ? high_fits : low_fits};
  end
  assign result_o = {fits_q[1] ? plain_q[63:32] : stepped_q[63:32],
                     fits_q[0] ? plain_q[31:0] : stepped_q[31:0]};
endmodule

`default_nettype wire
