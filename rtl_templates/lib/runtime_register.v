// SPDX-License-Identifier: Apache-2.0
// runtime_register: a register of a unit that software writes and that a context carries. The word of a
// context that comes in is kept beside it and becomes the value at the commit only, so that a load that is
// refused, whatever the reason, leaves it as it was. A word above MOST is refused, or with CLIPS written as
// MOST; in a context it is wrong. Reset: RESET; the reset of a context leaves it alone.
`default_nettype none

module runtime_register #(
  parameter WIDTH = 1,  // bits of the register, 1..32
  parameter [31:0] RESET = 0,  // value after a reset
  parameter [31:0] MOST = 32'hffffffff >> (32 - WIDTH),  // largest value
  parameter CLIPS = 0  // 1: a larger value is written as MOST; 0: it is refused
) (
  input  wire clk_i,                // clock; every port is synchronous to its rising edge
  input  wire rst_i,                // synchronous reset, active high
  input  wire write_i,              // of the register port, and its data
  input  wire [31:0] data_i,        // data of the write
  output wire good_o,               // the write is not refused
  input  wire load_i,               // its word of a context comes in
  input  wire [31:0] word_i,        // that word, with load_i
  output wire wrong_o,              // it is above MOST
  input  wire commit_i,             // the word loaded becomes the value
  output reg  [WIDTH-1:0] value_o,  // the value
  output wire [WIDTH-1:0] next_o    // what value_o is in the next cycle, a reset apart
);
  generate
    if (WIDTH < 1 || WIDTH > 32) begin : g_width_range
      width_out_of_range check ();
    end
  endgenerate
  reg [WIDTH-1:0] coming_q;
  wire in_range, word_good;
  register_range #(.MOST(MOST)) u_range (.data_i(data_i), .good_o(in_range));
  assign good_o = CLIPS != 0 || in_range;
  register_range #(.MOST(MOST)) u_word_range (.data_i(word_i), .good_o(word_good));
  assign wrong_o = !word_good;
  assign next_o = commit_i ? coming_q : !(write_i && good_o) ? value_o : in_range ? data_i[WIDTH-1:0]
                : MOST[WIDTH-1:0];
  always @(posedge clk_i) begin
    value_o <= rst_i ? RESET[WIDTH-1:0] : next_o;
    if (load_i) coming_q <= word_i[WIDTH-1:0];
  end
endmodule

`default_nettype wire
