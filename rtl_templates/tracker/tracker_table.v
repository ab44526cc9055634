// SPDX-License-Identifier: Apache-2.0
// tracker_table: small memory with one write port and one read port without a clock, for one word per queue
// and for short FIFOs (distributed RAM). A word read in the cycle in which it is written is the old one. No
// reset; the content is unknown until written.
`default_nettype none

module tracker_table #(
  parameter WIDTH = 8,
  parameter DEPTH = 16
) (
  input  wire clk_i,

  input  wire we_i,
  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] waddr_i,
  input  wire [WIDTH-1:0] wdata_i,

  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] raddr_i,
  output wire [WIDTH-1:0] rdata_o
);
  localparam WORDS = 1 << ((DEPTH > 1) ? $clog2(DEPTH) : 1);

  reg [WIDTH-1:0] mem [0:WORDS-1];

  always @(posedge clk_i) if (we_i) mem[waddr_i] <= wdata_i;
  assign rdata_o = mem[raddr_i];
endmodule

`default_nettype wire
