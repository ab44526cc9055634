// SPDX-License-Identifier: Apache-2.0
// selftest_stream: a stream that holds still until it is taken, from bits that change in each cycle.
`default_nettype none

module selftest_stream #(
  parameter WIDTH = 8
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire want_i,
  input  wire [WIDTH-1:0] bits_i,
  output reg  valid_o,
  input  wire ready_i,
  output reg  [WIDTH-1:0] bits_o
);
  wire free = !valid_o || ready_i;

  always @(posedge clk_i) begin
    if (rst_i) valid_o <= 1'b0;
    else if (free) valid_o <= want_i;
    if (free) bits_o <= bits_i;
  end
endmodule

`default_nettype wire
