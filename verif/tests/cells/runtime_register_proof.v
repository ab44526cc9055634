// SPDX-License-Identifier: Apache-2.0
// runtime_register_proof: what software and a context may do to a register. A word of a context counts at the
// commit only: without one, a load changes nothing. 1 says that the property is broken.
`default_nettype none

module runtime_register_proof #(
  parameter CLIPS = 0,
  parameter MOST = 9
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire write_i,
  input  wire [31:0] data_i,
  input  wire load_i,
  input  wire [31:0] word_i,
  input  wire commit_i,
  output wire bad_value_o,
  output reg  bad_good_o = 1'b0,              // a cycle behind what is broken, as the next one
  output reg  bad_wrong_o = 1'b0,
  output wire bad_next_o
);
  localparam [3:0] RESET = 4'd5;
  wire good, wrong;
  wire [3:0] value, next;
  runtime_register #(.WIDTH(4), .RESET(RESET), .MOST(MOST), .CLIPS(CLIPS)) dut (
    .clk_i(clk_i), .rst_i(rst_i), .write_i(write_i), .data_i(data_i), .good_o(good), .load_i(load_i),
    .word_i(word_i), .wrong_o(wrong), .commit_i(commit_i), .value_o(value), .next_o(next));

  reg known_q = 1'b0;                  // a reset has been
  reg loaded_q = 1'b0;                 // so has a word that is in range
  reg [3:0] want_q, came_q, said_q;
  reg asked_q = 1'b0;
  wire small = data_i <= MOST;
  wire commits = commit_i && loaded_q; // a shell commits nothing else
  always @(posedge clk_i) begin
    known_q <= known_q || rst_i;
    if (load_i) begin
      loaded_q <= word_i <= MOST;
      came_q <= word_i[3:0];
    end
    if (rst_i) want_q <= RESET;
    else if (commits) want_q <= came_q;
    else if (write_i && small) want_q <= data_i[3:0];
    else if (write_i && CLIPS != 0) want_q <= MOST;
    said_q <= next;
    asked_q <= known_q && !rst_i;
  end
  // What a commit without a good word makes of it means nothing; it does not happen.
  reg spoiled_q = 1'b0;
  always @(posedge clk_i) spoiled_q <= !rst_i && (spoiled_q || (commit_i && !loaded_q));
  wire counts = known_q && !spoiled_q;
  assign bad_value_o = counts && (value != want_q || value > MOST);
  always @(posedge clk_i) begin
    bad_good_o <= known_q && good != (small || CLIPS != 0);
    bad_wrong_o <= known_q && wrong != (word_i > MOST);
  end
  assign bad_next_o = asked_q && value != said_q;
endmodule

`default_nettype wire
