// SPDX-License-Identifier: Apache-2.0
// tracker_bank_table: one word for each queue, with a write port for each pop selector (its queues are those
// with its number modulo POPS) and one read port without a clock. A word read in the cycle in which it is
// written is the old one. No reset; the content is unknown until written.
`default_nettype none

module tracker_bank_table #(
  parameter WIDTH = 8,
  parameter QUEUES = 16,
  parameter QUEUE_W = 4,
  parameter POPS = 1
) (
  input  wire clk_i,

  input  wire [POPS-1:0] we_i,
  input  wire [POPS*QUEUE_W-1:0] wqueue_i,
  input  wire [POPS*WIDTH-1:0] wdata_i,

  input  wire [QUEUE_W-1:0] rqueue_i,
  output wire [WIDTH-1:0] rdata_o
);
  generate
    if (POPS == 1) begin : g_one
      tracker_table #(.WIDTH(WIDTH), .DEPTH(QUEUES)) u_words (
        .clk_i(clk_i), .we_i(we_i[0]), .waddr_i(wqueue_i), .wdata_i(wdata_i), .raddr_i(rqueue_i),
        .rdata_o(rdata_o));
    end else begin : g_banks
      localparam POP_W = $clog2(POPS);
      localparam PLACES = (QUEUES + POPS - 1) / POPS;
      wire [POPS*WIDTH-1:0] words;
      wire unused_banks = &{1'b0, wqueue_i};
      genvar b;
      for (b = 0; b < POPS; b = b + 1) begin : g_bank
        tracker_table #(.WIDTH(WIDTH), .DEPTH(PLACES)) u_words (
          .clk_i(clk_i), .we_i(we_i[b]), .waddr_i(wqueue_i[b*QUEUE_W+POP_W+:QUEUE_W-POP_W]),
          .wdata_i(wdata_i[b*WIDTH+:WIDTH]), .raddr_i(rqueue_i[QUEUE_W-1:POP_W]),
          .rdata_o(words[b*WIDTH+:WIDTH]));
      end
      assign rdata_o = words[rqueue_i[POP_W-1:0]*WIDTH+:WIDTH];
    end
  endgenerate
endmodule

`default_nettype wire
