// SPDX-License-Identifier: Apache-2.0
// ram_1r1w for proofs: a word read in the cycle in which it is written is anything.
`default_nettype none

module ram_1r1w #(
  parameter WIDTH = 8,
  parameter DEPTH = 16
) (
  input  wire clk_i,
  input  wire we_i,
  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] waddr_i,
  input  wire [WIDTH-1:0] wdata_i,
  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] raddr_i,
  output reg  [WIDTH-1:0] rdata_o
);
  reg [WIDTH-1:0] mem [0:((DEPTH > 1) ? DEPTH : 2)-1];
  (* anyseq *) wire [WIDTH-1:0] anything;
  always @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    rdata_o <= (we_i && waddr_i == raddr_i) ? anything : mem[raddr_i];
  end
endmodule

`default_nettype wire
