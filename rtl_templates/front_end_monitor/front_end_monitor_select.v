// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_select: the number that software has selected; where there is one alone, 0 and no
// register. It shows what was written in the next cycle. Reset: 0.
`default_nettype none

module front_end_monitor_select #(
  parameter CHOICES = 4,
  parameter WIDTH = 2          // of a number: at least ceil(log2(CHOICES))
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire write_i,
  input  wire [WIDTH-1:0] number_i,
  output wire [WIDTH-1:0] number_o
);
  generate
    if (CHOICES > 1) begin : g_some
      reg [WIDTH-1:0] number_q;
      always @(posedge clk_i)
        if (rst_i) number_q <= {WIDTH{1'b0}};
        else if (write_i) number_q <= number_i;
      assign number_o = number_q;
    end else begin : g_one
      assign number_o = {WIDTH{1'b0}};
      wire unused = &{1'b0, clk_i, rst_i, write_i, number_i};
    end
  endgenerate
endmodule

`default_nettype wire
