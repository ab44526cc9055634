// SPDX-License-Identifier: Apache-2.0
// ram_1w_nr: memory with one write port and several synchronous read ports, one copy of the memory for each.
// rdata_o of a port is the word that its raddr_i named in the previous cycle. A word read in the cycle in
// which it is written is the new one with FORWARD 1, undefined with 0. No reset; the content is unknown until
// written.
`default_nettype none

module ram_1w_nr #(
  parameter WIDTH = 8,   // bits of a word, 1..4096
  parameter DEPTH = 16,  // words, 1..65536
  parameter READS = 2,   // read ports, 1..16; port k has slice k of raddr_i and rdata_o
  parameter FORWARD = 1  // 0, 1
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge

  // Write port: with we_i the word is written at the end of this cycle.
  input  wire we_i,
  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] waddr_i,
  input  wire [WIDTH-1:0] wdata_i,

  // Read ports, a slice for each: the word that is named in this cycle is there in the next.
  input  wire [READS*((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] raddr_i,
  output wire [READS*WIDTH-1:0] rdata_o
);
  localparam AW = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  generate
    if (WIDTH < 1 || WIDTH > 4096) begin : g_width_range
      width_out_of_range check ();
    end
    if (DEPTH < 1 || DEPTH > 65536) begin : g_depth_range
      depth_out_of_range check ();
    end
    if (READS < 1 || READS > 16) begin : g_reads_range
      reads_out_of_range check ();
    end
    if (FORWARD < 0 || FORWARD > 1) begin : g_forward_range
      forward_out_of_range check ();
    end
  endgenerate

  genvar k;
  generate
    for (k = 0; k < READS; k = k + 1) begin : g_port
      wire [WIDTH-1:0] stored;
      ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_ram (
        .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i),
        .raddr_i(raddr_i[k*AW+:AW]), .rdata_o(stored));
    end
    if (FORWARD != 0) begin : g_forward
      reg [WIDTH-1:0] written_q;
      always @(posedge clk_i) written_q <= wdata_i;
      for (k = 0; k < READS; k = k + 1) begin : g_port_forward
        reg same_q;
        always @(posedge clk_i) same_q <= we_i && waddr_i == raddr_i[k*AW+:AW];
        assign rdata_o[k*WIDTH+:WIDTH] = same_q ? written_q : g_port[k].stored;
      end
    end else begin : g_plain
      for (k = 0; k < READS; k = k + 1) begin : g_port_plain
        assign rdata_o[k*WIDTH+:WIDTH] = g_port[k].stored;
      end
    end
  endgenerate
endmodule

`default_nettype wire
