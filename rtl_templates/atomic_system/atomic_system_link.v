// SPDX-License-Identifier: Apache-2.0
// atomic_system_link: a stream through a number of register stages, a cycle each; one word per cycle.
`default_nettype none

module atomic_system_link #(
  parameter WIDTH = 8,  // bits of a word
  parameter STAGES = 0  // register stages, 0..16; with 0 both sides are the same wires
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // A word is offered, and taken in a cycle with valid and ready.
  input  wire in_valid_i,
  output wire in_ready_o,
  input  wire [WIDTH-1:0] in_data_i,

  // The same on the other side, STAGES cycles later at the earliest.
  output wire out_valid_o,
  input  wire out_ready_i,
  output wire [WIDTH-1:0] out_data_o,
  output wire busy_o         // words are in it
);
  wire [STAGES:0] valid, ready;
  wire [(STAGES+1)*WIDTH-1:0] data;
  assign valid[0] = in_valid_i;
  assign data[WIDTH-1:0] = in_data_i;
  assign in_ready_o = ready[0];
  genvar i;
  generate
    for (i = 0; i < STAGES; i = i + 1) begin : g_stage
      skid_buffer #(.WIDTH(WIDTH)) u_stage (
        .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(valid[i]), .in_ready_o(ready[i]),
        .in_data_i(data[i*WIDTH+:WIDTH]), .out_valid_o(valid[i+1]), .out_ready_i(ready[i+1]),
        .out_data_o(data[(i+1)*WIDTH+:WIDTH]));
    end
    if (STAGES == 0) begin : g_wire
      assign busy_o = 1'b0;
      wire unused = &{1'b0, clk_i, rst_i};
    end else begin : g_busy
      assign busy_o = |valid[STAGES:1];
    end
  endgenerate
  assign out_valid_o = valid[STAGES];
  assign ready[STAGES] = out_ready_i;
  assign out_data_o = data[STAGES*WIDTH+:WIDTH];
endmodule

`default_nettype wire
