// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_select: the number that software has selected; where there is one alone, 0 and no
// register. It shows what was written in the next cycle. Reset: 0.
`default_nettype none

module front_end_monitor_select #(
  parameter CHOICES = 4,  // numbers that may be selected, from 0
  parameter WIDTH = 2     // of a number: at least ceil(log2(CHOICES))
) (
  input  wire clk_i,                 // clock; every port is synchronous to its rising edge
  input  wire rst_i,                 // synchronous reset, active high
  input  wire write_i,               // number_i is written at the end of this cycle
  input  wire [WIDTH-1:0] number_i,  // the number to select
  output wire [WIDTH-1:0] number_o   // the number selected
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
