// SPDX-License-Identifier: Apache-2.0
// register_wide: a value of more than 32 bits that moves while it is read, as two words that belong together:
// reading the low word keeps the upper bits of that cycle for the word behind it.
`default_nettype none

module register_wide #(
  parameter WIDTH = 64                 // 33..64
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [WIDTH-1:0] value_i,  // the value, which may change in every cycle
  input  wire low_read_i,           // the low word is read in this cycle
  output wire [31:0] low_o,         // its low word, of this cycle
  output wire [31:0] high_o         // what was kept; 0 after a reset
);
  reg [WIDTH-33:0] high_q;
  always @(posedge clk_i)
    if (rst_i) high_q <= {WIDTH-32{1'b0}};
    else if (low_read_i) high_q <= value_i[WIDTH-1:32];
  assign low_o = value_i[31:0];
  generate
    if (WIDTH < 64) begin : g_narrow
      assign high_o = {{64-WIDTH{1'b0}}, high_q};
    end else begin : g_full
      assign high_o = high_q;
    end
  endgenerate
endmodule

`default_nettype wire
