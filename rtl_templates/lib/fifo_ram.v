// SPDX-License-Identifier: Apache-2.0
// fifo_ram: queue of many words, in RAM with synchronous read.
// Streams in and out: valid never waits for ready, a stalled word holds still, no output depends on an input
// within a cycle. A word taken in a cycle is offered two cycles later at the earliest. One word in and one
// out per cycle: in_ready_o is 0 only in cycles that begin with DEPTH words. Reset: empty. C counterpart:
// struct simt_fifo with latency 2 (cmodel/core/cells.h).
`default_nettype none

module fifo_ram #(
  parameter WIDTH = 8,   // bits of a word, 1..4096
  parameter DEPTH = 512  // words, 2..65536
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // A word comes in; it is taken in a cycle with valid and ready.
  input  wire in_valid_i,
  output wire in_ready_o,
  input  wire [WIDTH-1:0] in_data_i,

  // The oldest word, which leaves in a cycle with valid and ready; it holds still until then.
  output wire out_valid_o,
  input  wire out_ready_i,
  output wire [WIDTH-1:0] out_data_o,

  output wire [$clog2(DEPTH+1)-1:0] level_o  // words held, in the cycle's beginning
);
  localparam AW = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam LW = $clog2(DEPTH+1);
  localparam [31:0] LAST_WIDE = DEPTH - 1;
  localparam [AW-1:0] LAST = LAST_WIDE[AW-1:0];
  localparam [LW-1:0] ALMOST = LAST_WIDE[LW-1:0];

  generate
    if (WIDTH < 1 || WIDTH > 4096) begin : g_width_range
      width_out_of_range check ();
    end
    if (DEPTH < 2 || DEPTH > 65536) begin : g_depth_range
      depth_out_of_range check ();
    end
  endgenerate

  reg [AW-1:0] write_q, read_q;
  reg [LW-1:0] level_q;
  reg full_q, some_q;  // level_q is DEPTH, is not 0
  reg valid_q;         // the RAM shows the word at read_q

  wire put = in_valid_i && !full_q;
  wire take = valid_q && out_ready_i;
  wire [AW-1:0] next_read = !take ? read_q : (read_q == LAST) ? {AW{1'b0}} : read_q + 1'b1;

  // Invariant: a word is read only in cycles after the one that wrote it.
  ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_ram (
    .clk_i(clk_i), .we_i(put), .waddr_i(write_q), .wdata_i(in_data_i), .raddr_i(next_read),
    .rdata_o(out_data_o));

  always @(posedge clk_i)
    if (rst_i) begin
      write_q <= {AW{1'b0}};
      read_q <= {AW{1'b0}};
      level_q <= {LW{1'b0}};
      full_q <= 1'b0;
      some_q <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (put) write_q <= (write_q == LAST) ? {AW{1'b0}} : write_q + 1'b1;
      read_q <= next_read;
      valid_q <= some_q && !(take && level_q == {{LW-1{1'b0}}, 1'b1});
      if (put && !take) begin
        level_q <= level_q + 1'b1;
        full_q <= level_q == ALMOST;
        some_q <= 1'b1;
      end
      if (take && !put) begin
        level_q <= level_q - 1'b1;
        full_q <= 1'b0;
        some_q <= level_q != {{LW-1{1'b0}}, 1'b1};
      end
    end

  assign in_ready_o = !full_q;
  assign out_valid_o = valid_q;
  assign level_o = level_q;
endmodule

`default_nettype wire
