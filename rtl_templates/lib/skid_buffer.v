// SPDX-License-Identifier: Apache-2.0
// skid_buffer: cuts a stream in both directions; every output is a register.
// in_ready_o of a cycle says that the word offered in it is taken: a word that meets a stall behind it waits
// in the second register. A word taken in a cycle is offered in the next. One word per cycle. Reset: empty. C
// counterpart: struct simt_fifo with 2 words and latency 1 (cmodel/core/cells.h).
`default_nettype none

module skid_buffer #(
  parameter WIDTH = 8    // bits of a word, 1..4096
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // A word comes in; it is taken in a cycle with valid and ready.
  input  wire in_valid_i,
  output reg  in_ready_o,
  input  wire [WIDTH-1:0] in_data_i,

  // The oldest word, which leaves in a cycle with valid and ready; it holds still until then.
  output reg  out_valid_o,
  input  wire out_ready_i,
  output reg  [WIDTH-1:0] out_data_o
);
  generate
    if (WIDTH < 1 || WIDTH > 4096) begin : g_width_range
      width_out_of_range check ();
    end
  endgenerate

  reg [WIDTH-1:0] skid_q;  // holds a word while in_ready_o is 0
  wire moves = !out_valid_o || out_ready_i;

  always @(posedge clk_i) begin
    if (in_ready_o) skid_q <= in_data_i;
    if (moves) out_data_o <= in_ready_o ? in_data_i : skid_q;
    if (rst_i) begin
      in_ready_o <= 1'b1;
      out_valid_o <= 1'b0;
    end else begin
      in_ready_o <= moves || (in_ready_o && !in_valid_i);
      if (moves) out_valid_o <= in_valid_i || !in_ready_o;
    end
  end
endmodule

`default_nettype wire
