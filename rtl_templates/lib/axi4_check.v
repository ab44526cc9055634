// SPDX-License-Identifier: Apache-2.0
// axi4_check: watches the AXI4 bus of axi4_master, for simulation. With the first rule that is broken,
// failed_o rises in the next cycle and rule_o says which, as text; both stay until reset. Rules of the master
// (the block) begin with M, those of the slave (the memory) with S. Ids: at most one access under way for
// each id and direction.
`default_nettype none
// verilator coverage_off

module axi4_check #(
  // As in axi4_master: bits of an address, of a request's data, of the bus's data, of an id; read buffers.
  parameter ADDR_W = 32,
  parameter DATA_W = 256,
  parameter BUS_W = 64,
  parameter TAG_W = 9,
  parameter READS = 16
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // The bus, watched in every cycle: write addresses (aw), write data (w), write responses (b), read
  // addresses (ar), read data (r).
  input  wire m_axi_awvalid,
  input  wire m_axi_awready,
  input  wire [TAG_W-1:0] m_axi_awid,
  input  wire [ADDR_W-1:0] m_axi_awaddr,
  input  wire [7:0] m_axi_awlen,
  input  wire [2:0] m_axi_awsize,
  input  wire [1:0] m_axi_awburst,
  input  wire [3:0] m_axi_awcache,
  input  wire [2:0] m_axi_awprot,
  input  wire m_axi_wvalid,
  input  wire m_axi_wready,
  input  wire [BUS_W-1:0] m_axi_wdata,
  input  wire [BUS_W/8-1:0] m_axi_wstrb,
  input  wire m_axi_wlast,
  input  wire m_axi_bvalid,
  input  wire m_axi_bready,
  input  wire [TAG_W-1:0] m_axi_bid,
  input  wire [1:0] m_axi_bresp,
  input  wire m_axi_arvalid,
  input  wire m_axi_arready,
  input  wire [TAG_W-1:0] m_axi_arid,
  input  wire [ADDR_W-1:0] m_axi_araddr,
  input  wire [7:0] m_axi_arlen,
  input  wire [2:0] m_axi_arsize,
  input  wire [1:0] m_axi_arburst,
  input  wire [3:0] m_axi_arcache,
  input  wire [2:0] m_axi_arprot,
  input  wire m_axi_rvalid,
  input  wire m_axi_rready,
  input  wire [TAG_W-1:0] m_axi_rid,
  input  wire [BUS_W-1:0] m_axi_rdata,
  input  wire [1:0] m_axi_rresp,
  input  wire m_axi_rlast,

  output reg failed_o,          // a rule was broken; from the cycle after that until reset
  output reg [8*64-1:0] rule_o  // the first rule broken, as text; valid with failed_o
);
  localparam [31:0] BEATS = DATA_W / BUS_W;
  localparam [31:0] LAST = BEATS - 32'd1;
  localparam [31:0] BYTES = BUS_W / 8;
  localparam [31:0] SIZE = $clog2(BUS_W / 8);
  localparam IDS = 1 << TAG_W;
  localparam RULES = 25;

  // ---- what was offered and not taken, one cycle ago
  localparam ADDRESS_W = TAG_W + ADDR_W + 8 + 3 + 2 + 4 + 3;
  wire [ADDRESS_W-1:0] aw = {m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst,
                             m_axi_awcache, m_axi_awprot};
  wire [ADDRESS_W-1:0] ar = {m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst,
                             m_axi_arcache, m_axi_arprot};
  wire [BUS_W+BUS_W/8:0] w = {m_axi_wdata, m_axi_wstrb, m_axi_wlast};
  wire [TAG_W+1:0] b = {m_axi_bid, m_axi_bresp};
  wire [TAG_W+BUS_W+2:0] r = {m_axi_rid, m_axi_rdata, m_axi_rresp, m_axi_rlast};
  reg aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q, was_reset_q;
  reg [ADDRESS_W-1:0] aw_q, ar_q;
  reg [BUS_W+BUS_W/8:0] w_q;
  reg [TAG_W+1:0] b_q;
  reg [TAG_W+BUS_W+2:0] r_q;

  // ---- accesses under way
  reg [IDS-1:0] writing_q, reading_q;
  reg [15:0] writes_q, written_q; // write addresses taken, bursts of write data taken
  reg [15:0] number_q [0:IDS-1];  // of the write of this id
  reg [31:0] w_beat_q;
  reg [31:0] beat_q [0:IDS-1];    // beats of the read of this id
  wire [15:0] data_ahead = written_q - number_q[m_axi_bid]; // negative or 0: its data are not complete

  // {first byte, last byte} of a burst lie in one block of 4 KiB.
  function crosses(input [11:0] address, input [7:0] len);
    reg [31:0] first;
    begin
      first = {20'd0, address};
      crosses = first + ({24'd0, len} + 32'd1) * BYTES > 32'd4096;
    end
  endfunction

  wire [31:0] aw_offset = {20'd0, m_axi_awaddr[11:0]} % BYTES;
  wire [31:0] ar_offset = {20'd0, m_axi_araddr[11:0]} % BYTES;

  wire [RULES-1:0] bad;
  assign bad[0] = was_reset_q && (m_axi_awvalid || m_axi_wvalid || m_axi_arvalid);
  assign bad[1] = was_reset_q && (m_axi_bvalid || m_axi_rvalid);
  assign bad[2] = aw_wait_q && (!m_axi_awvalid || aw != aw_q);
  assign bad[3] = w_wait_q && (!m_axi_wvalid || w != w_q);
  assign bad[4] = ar_wait_q && (!m_axi_arvalid || ar != ar_q);
  assign bad[5] = b_wait_q && (!m_axi_bvalid || b != b_q);
  assign bad[6] = r_wait_q && (!m_axi_rvalid || r != r_q);
  assign bad[7] = m_axi_awvalid && {24'd0, m_axi_awlen} != LAST;
  assign bad[8] = m_axi_arvalid && {24'd0, m_axi_arlen} != LAST;
  assign bad[9] = m_axi_awvalid && ({29'd0, m_axi_awsize} != SIZE || m_axi_awburst != 2'd1);
  assign bad[10] = m_axi_arvalid && ({29'd0, m_axi_arsize} != SIZE || m_axi_arburst != 2'd1);
  assign bad[11] = m_axi_awvalid && crosses(m_axi_awaddr[11:0], m_axi_awlen);
  assign bad[12] = m_axi_arvalid && crosses(m_axi_araddr[11:0], m_axi_arlen);
  assign bad[13] = m_axi_awvalid && aw_offset != 32'd0;
  assign bad[14] = m_axi_arvalid && ar_offset != 32'd0;
  assign bad[15] = m_axi_wvalid && m_axi_wlast != (w_beat_q == LAST);
  assign bad[16] = m_axi_awvalid && writing_q[m_axi_awid];
  assign bad[17] = m_axi_arvalid && reading_q[m_axi_arid];
  assign bad[18] = BEATS > 32'd1 && m_axi_arvalid && {{(32-TAG_W){1'b0}}, m_axi_arid} >= READS;
  assign bad[19] = m_axi_bvalid && !writing_q[m_axi_bid];
  assign bad[20] = m_axi_bvalid && writing_q[m_axi_bid] && (data_ahead == 16'd0 || data_ahead[15]);
  assign bad[21] = m_axi_rvalid && !reading_q[m_axi_rid];
  assign bad[22] = m_axi_rvalid && reading_q[m_axi_rid] && m_axi_rlast != (beat_q[m_axi_rid] == LAST);
  assign bad[23] = m_axi_bvalid && m_axi_bresp == 2'd1;
  assign bad[24] = m_axi_rvalid && m_axi_rresp == 2'd1;

  function [8*64-1:0] text(input [RULES-2:0] broken);
    begin
      if (broken[0]) text = "M: a valid in the first cycle after reset";
      else if (broken[1]) text = "S: a valid in the first cycle after reset";
      else if (broken[2]) text = "M: a write address changes while it waits";
      else if (broken[3]) text = "M: write data change while they wait";
      else if (broken[4]) text = "M: a read address changes while it waits";
      else if (broken[5]) text = "S: a write response changes while it waits";
      else if (broken[6]) text = "S: read data change while they wait";
      else if (broken[7]) text = "M: a write burst of another length";
      else if (broken[8]) text = "M: a read burst of another length";
      else if (broken[9]) text = "M: a write burst of another size or type";
      else if (broken[10]) text = "M: a read burst of another size or type";
      else if (broken[11]) text = "M: a write burst crosses 4 KiB";
      else if (broken[12]) text = "M: a read burst crosses 4 KiB";
      else if (broken[13]) text = "M: a write address is not aligned";
      else if (broken[14]) text = "M: a read address is not aligned";
      else if (broken[15]) text = "M: the last beat of write data is not marked, or another is";
      else if (broken[16]) text = "M: a write id is used again before its response";
      else if (broken[17]) text = "M: a read id is used again before its data";
      else if (broken[18]) text = "M: a read id that names no buffer";
      else if (broken[19]) text = "S: a write response for an id without a write";
      else if (broken[20]) text = "S: a write response before the write's last beat";
      else if (broken[21]) text = "S: read data for an id without a read";
      else if (broken[22]) text = "S: the last beat of read data is not marked, or another is";
      else if (broken[23]) text = "S: an exclusive response to a plain write";
      else text = "S: an exclusive response to a plain read";
    end
  endfunction

  always @(posedge clk_i) begin
    was_reset_q <= rst_i;
    aw_q <= aw;
    ar_q <= ar;
    w_q <= w;
    b_q <= b;
    r_q <= r;
    if (rst_i) begin
      failed_o <= 1'b0;
      rule_o <= {8*64{1'b0}};
      {aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q} <= 5'd0;
      writing_q <= {IDS{1'b0}};
      reading_q <= {IDS{1'b0}};
      writes_q <= 16'd0;
      written_q <= 16'd0;
      w_beat_q <= 32'd0;
    end else begin
      if (|bad && !failed_o) begin
        failed_o <= 1'b1;
        rule_o <= text(bad[RULES-2:0]);
      end
      aw_wait_q <= m_axi_awvalid && !m_axi_awready;
      w_wait_q <= m_axi_wvalid && !m_axi_wready;
      b_wait_q <= m_axi_bvalid && !m_axi_bready;
      ar_wait_q <= m_axi_arvalid && !m_axi_arready;
      r_wait_q <= m_axi_rvalid && !m_axi_rready;
      if (m_axi_awvalid && m_axi_awready) begin
        writing_q[m_axi_awid] <= 1'b1;
        number_q[m_axi_awid] <= writes_q;
        writes_q <= writes_q + 16'd1;
      end
      if (m_axi_wvalid && m_axi_wready) begin
        w_beat_q <= m_axi_wlast ? 32'd0 : w_beat_q + 32'd1;
        if (m_axi_wlast) written_q <= written_q + 16'd1;
      end
      if (m_axi_bvalid && m_axi_bready) writing_q[m_axi_bid] <= 1'b0;
      if (m_axi_rvalid && m_axi_rready) begin
        beat_q[m_axi_rid] <= beat_q[m_axi_rid] + 32'd1;
        if (m_axi_rlast) reading_q[m_axi_rid] <= 1'b0;
      end
      if (m_axi_arvalid && m_axi_arready) begin
        reading_q[m_axi_arid] <= 1'b1;
        beat_q[m_axi_arid] <= 32'd0;
      end
    end
  end
endmodule

// verilator coverage_on
`default_nettype wire
