// SPDX-License-Identifier: Apache-2.0
// ram_1r1w: memory with one write port and one synchronous read port.
// rdata_o is the word that raddr_i named in the previous cycle. A word read in the cycle in which it is
// written is undefined: users forward. No reset; the content is unknown until written.
`default_nettype none

module ram_1r1w #(
  parameter WIDTH = 8,   // bits of a word
  parameter DEPTH = 16,  // words
  parameter BLOCK = 0    // 1: a block RAM, also of so few bits that flip-flops would be taken
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge

  // Write port: with we_i the word is written at the end of this cycle.
  input  wire we_i,
  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] waddr_i,
  input  wire [WIDTH-1:0] wdata_i,

  // Read port: the word that is named in this cycle is there in the next.
  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] raddr_i,
  output reg  [WIDTH-1:0] rdata_o
);
  localparam WORDS = (DEPTH > 1) ? DEPTH : 2;
  wire unused_block = BLOCK != 0;          // where attributes are not read

  (* no_rw_check, ram_style = BLOCK ? "block" : "auto" *)
  reg [WIDTH-1:0] mem [0:WORDS-1];

  always @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    rdata_o <= mem[raddr_i];
  end
endmodule

`default_nettype wire
