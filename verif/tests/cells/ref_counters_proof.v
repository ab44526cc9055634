// SPDX-License-Identifier: Apache-2.0
// ref_counters_proof: ref_counters against plain counts.
// Each output is one property; 1 says that it is broken.
`default_nettype none

module ref_counters_proof #(
  parameter COUNTERS = 2,
  parameter WIDTH = 2
) (
  input  wire clk_i,
  input  wire free_rst_i,
  input  wire up_valid_i,
  input  wire [$clog2(COUNTERS)-1:0] up_index_i,
  input  wire down_valid_i,
  input  wire down_clear_i,
  input  wire [$clog2(COUNTERS)-1:0] down_index_i,

  output wire bad_count_o,   // the count before the request
  output wire bad_report_o   // fallen to 0, nothing to take away
);
  localparam [WIDTH-1:0] FULL = {WIDTH{1'b1}}, ONE = {{WIDTH-1{1'b0}}, 1'b1};
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst = !started_q || free_rst_i;

  wire ready, zero, error;
  wire [WIDTH-1:0] up_count;
  ref_counters #(.COUNTERS(COUNTERS), .WIDTH(WIDTH)) dut (
    .clk_i(clk_i), .rst_i(rst), .ready_o(ready), .up_valid_i(up_valid_i), .up_index_i(up_index_i),
    .up_count_o(up_count), .down_valid_i(down_valid_i), .down_clear_i(down_clear_i),
    .down_index_i(down_index_i),
    .down_zero_o(zero), .down_error_o(error));

  reg [COUNTERS*WIDTH-1:0] count_q;
  reg [3*WIDTH-1:0] before_q;
  reg [2:0] known_q, zero_q, error_q;
  wire up = up_valid_i && ready;
  wire down = down_valid_i && ready;
  wire [WIDTH-1:0] at_up = count_q[up_index_i*WIDTH+:WIDTH];
  wire [WIDTH-1:0] at_down = count_q[down_index_i*WIDTH+:WIDTH];
  wire same = up && down && up_index_i == down_index_i;
  reg [WIDTH-1:0] value;
  integer c;
  always @(posedge clk_i) begin
    for (c = 0; c < COUNTERS; c = c + 1) begin
      value = count_q[c*WIDTH+:WIDTH];
      if (value != FULL && up && up_index_i == c) value = value + ONE;
      if (count_q[c*WIDTH+:WIDTH] != FULL && at_down != 0 && down && down_index_i == c) value = value - ONE;
      if (down && down_clear_i && down_index_i == c) value = {WIDTH{1'b0}};
      count_q[c*WIDTH+:WIDTH] <= rst ? {WIDTH{1'b0}} : value;
    end
    before_q <= {before_q[2*WIDTH-1:0], at_up};
    known_q <= rst ? 3'd0 : {known_q[1:0], ready};
    zero_q <= rst ? 3'd0 : {zero_q[1:0], down && at_down != 0 && (down_clear_i || (at_down == ONE && !same))};
    error_q <= rst ? 3'd0 : {error_q[1:0], down && at_down == 0 && !down_clear_i};
  end

  assign bad_count_o = !rst && known_q[2] && up_count != before_q[2*WIDTH+:WIDTH];
  assign bad_report_o = !rst && (zero != zero_q[2] || error != error_q[2]);
endmodule

`default_nettype wire
