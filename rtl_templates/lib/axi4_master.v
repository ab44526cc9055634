// SPDX-License-Identifier: Apache-2.0
// axi4_master: from the memory port of a block to AXI4.
// A request is one incrementing burst of DATA_W / BUS_W beats; as its address is a multiple of the burst's
// bytes, it crosses no boundary of 4 KiB. The block holds a request until it is taken: nothing is kept of it
// here, and a write is taken with the last of its handshakes on the two channels, in any order. One beat: ids
// are tags, read data go straight to the block. More: a read is assembled in one of READS buffers, whose
// number is its id, so that beats of different ids may alternate. Write responses have a register, and share
// the block's answer port with reads in turns; no write holds up a read answer. A slave error gives error 2,
// a decode error 3. No output depends on an input within a cycle, as long as the block's do not.
`default_nettype none

module axi4_master #(
  parameter ADDR_W = 32,   // bits of a byte address
  parameter DATA_W = 256,  // bits of a request's data, a multiple of BUS_W
  parameter BUS_W = 64,    // bits of the bus's data
  parameter TAG_W = 9,     // bits of a tag and of an id
  parameter READS = 16     // reads assembled at a time, when BUS_W is less than DATA_W
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // the block
  input  wire mem_req_valid_i,
  output wire mem_req_ready_o,
  input  wire mem_req_write_i,
  input  wire [TAG_W-1:0] mem_req_tag_i,
  input  wire [ADDR_W-1:0] mem_req_addr_i,
  input  wire [DATA_W-1:0] mem_req_data_i,
  input  wire [DATA_W/8-1:0] mem_req_strb_i,
  output wire mem_rsp_valid_o,
  input  wire mem_rsp_ready_i,
  output wire [TAG_W-1:0] mem_rsp_tag_o,
  output wire [DATA_W-1:0] mem_rsp_data_o,
  output wire [1:0] mem_rsp_error_o,

  // The bus, of which this is the master: write addresses (aw), write data (w), write responses (b), read
  // addresses (ar), read data (r).
  output wire m_axi_awvalid,
  input  wire m_axi_awready,
  output wire [TAG_W-1:0] m_axi_awid,
  output wire [ADDR_W-1:0] m_axi_awaddr,
  output wire [7:0] m_axi_awlen,
  output wire [2:0] m_axi_awsize,
  output wire [1:0] m_axi_awburst,
  output wire [3:0] m_axi_awcache,
  output wire [2:0] m_axi_awprot,
  output wire m_axi_wvalid,
  input  wire m_axi_wready,
  output wire [BUS_W-1:0] m_axi_wdata,
  output wire [BUS_W/8-1:0] m_axi_wstrb,
  output wire m_axi_wlast,
  input  wire m_axi_bvalid,
  output wire m_axi_bready,
  input  wire [TAG_W-1:0] m_axi_bid,
  input  wire [1:0] m_axi_bresp,
  output wire m_axi_arvalid,
  input  wire m_axi_arready,
  output wire [TAG_W-1:0] m_axi_arid,
  output wire [ADDR_W-1:0] m_axi_araddr,
  output wire [7:0] m_axi_arlen,
  output wire [2:0] m_axi_arsize,
  output wire [1:0] m_axi_arburst,
  output wire [3:0] m_axi_arcache,
  output wire [2:0] m_axi_arprot,
  input  wire m_axi_rvalid,
  output wire m_axi_rready,
  input  wire [TAG_W-1:0] m_axi_rid,
  input  wire [BUS_W-1:0] m_axi_rdata,
  input  wire [1:0] m_axi_rresp,
  input  wire m_axi_rlast
);
  localparam BEATS = DATA_W / BUS_W;
  localparam [31:0] LAST_BEAT = BEATS - 1;
  localparam [7:0] LEN = LAST_BEAT[7:0];
  localparam integer SIZE_LG = $clog2(BUS_W / 8);
  localparam [2:0] SIZE = SIZE_LG[2:0];

  assign m_axi_awid = mem_req_tag_i;
  assign m_axi_awaddr = mem_req_addr_i;
  assign m_axi_awlen = LEN;
  assign m_axi_awsize = SIZE;
  assign m_axi_awburst = 2'd1;
  assign m_axi_awcache = 4'd2;
  assign m_axi_awprot = 3'd0;
  assign m_axi_araddr = mem_req_addr_i;
  assign m_axi_arlen = LEN;
  assign m_axi_arsize = SIZE;
  assign m_axi_arburst = 2'd1;
  assign m_axi_arcache = 4'd2;
  assign m_axi_arprot = 3'd0;

  // ---- writes
  reg aw_done_q, w_done_q; // of the write that the block offers
  wire w_last;
  wire w_go = m_axi_wvalid && m_axi_wready;
  wire w_end = w_go && w_last;
  wire write_taken = mem_req_write_i && (aw_done_q || m_axi_awready) && (w_done_q || w_end);

  assign m_axi_awvalid = mem_req_write_i && !aw_done_q;
  assign m_axi_wvalid = mem_req_write_i && !w_done_q;
  assign m_axi_wlast = w_last;

  always @(posedge clk_i) begin
    if (rst_i) begin
      aw_done_q <= 1'b0;
      w_done_q <= 1'b0;
    end else begin
      aw_done_q <= mem_req_write_i && (aw_done_q || m_axi_awready) && !write_taken;
      w_done_q <= mem_req_write_i && (w_done_q || w_end) && !write_taken;
    end
  end

  // ---- answers: write responses and reads in turns
  reg b_valid_q;
  reg [TAG_W-1:0] b_tag_q;
  reg [1:0] b_error_q;
  reg r_first_q; // a read answer waits since the last cycle
  wire r_valid;
  wire [TAG_W-1:0] r_tag;
  wire [1:0] r_error;
  wire b_turn = b_valid_q && !r_first_q;
  wire r_taken = r_valid && !b_turn && mem_rsp_ready_i;

  assign m_axi_bready = !b_valid_q || (b_turn && mem_rsp_ready_i);
  assign mem_rsp_valid_o = b_turn || r_valid;
  assign mem_rsp_tag_o = b_turn ? b_tag_q : r_tag;
  assign mem_rsp_error_o = b_turn ? b_error_q : r_error;

  always @(posedge clk_i) begin
    if (rst_i) begin
      b_valid_q <= 1'b0;
      r_first_q <= 1'b0;
    end else begin
      if (m_axi_bready) b_valid_q <= m_axi_bvalid;
      r_first_q <= r_valid && !r_taken && (!b_turn || mem_rsp_ready_i); // what is offered holds still
    end
    if (m_axi_bready) begin
      b_tag_q <= m_axi_bid;
      b_error_q <= m_axi_bresp & {2{m_axi_bresp[1]}};
    end
  end

  // ---- reads
  wire read = mem_req_valid_i && !mem_req_write_i;
  wire [1:0] beat_error = m_axi_rresp & {2{m_axi_rresp[1]}};

  generate
    if (BEATS == 1) begin : g_beat
      assign w_last = 1'b1;
      assign m_axi_wdata = mem_req_data_i;
      assign m_axi_wstrb = mem_req_strb_i;
      assign m_axi_arvalid = read;
      assign m_axi_arid = mem_req_tag_i;
      assign mem_req_ready_o = write_taken || (read && m_axi_arready);
      assign m_axi_rready = mem_rsp_ready_i && !b_turn;
      assign r_valid = m_axi_rvalid;
      assign r_tag = m_axi_rid;
      assign r_error = beat_error;
      assign mem_rsp_data_o = m_axi_rdata;
      wire unused = &{1'b0, m_axi_rlast};
    end else begin : g_bursts
      localparam BEAT_W = $clog2(BEATS);
      localparam READ_W = $clog2(READS);
      localparam [BEAT_W-1:0] LAST = {BEAT_W{1'b1}};

      reg [BEAT_W-1:0] w_beat_q; // returns to 0 with the last
      assign w_last = w_beat_q == LAST;
      assign m_axi_wdata = mem_req_data_i[w_beat_q*BUS_W +: BUS_W];
      assign m_axi_wstrb = mem_req_strb_i[w_beat_q*(BUS_W/8) +: BUS_W/8];

      // Buffers are given out in a ring; each is in use from its read's begin to its answer.
      reg [READS-1:0] busy_q;
      reg [READ_W-1:0] next_q;
      wire begins = m_axi_arvalid && m_axi_arready;
      assign m_axi_arvalid = read && !busy_q[next_q];
      assign m_axi_arid = {{(TAG_W-READ_W){1'b0}}, next_q};
      assign mem_req_ready_o = write_taken || begins;

      // Beats in: the count of each buffer returns to 0 with the last.
      reg [BEAT_W-1:0] beats_q [0:READS-1];
      reg [1:0] error_q [0:READS-1];
      reg done_valid_q; // this buffer is complete
      reg [READ_W-1:0] done_q;
      wire [READ_W-1:0] id = m_axi_rid[READ_W-1:0];
      wire r_go = m_axi_rvalid && m_axi_rready;
      wire complete = r_go && beats_q[id] == LAST;

      // A complete buffer is read out, a beat in each cycle; the answer is offered while the last beat is at
      // the output of the memory.
      reg run_q;
      reg [READ_W-1:0] out_q;
      reg [BEAT_W-1:0] pos_q; // beat that is read in this cycle
      reg whole_q;            // all have been
      reg [DATA_W-BUS_W-1:0] beats_out_q;
      wire start = done_valid_q && (!run_q || r_taken);
      assign m_axi_rready = !done_valid_q || start;
      wire [READ_W-1:0] out = start ? done_q : out_q;
      wire [BEAT_W-1:0] pos = start ? {BEAT_W{1'b0}} : pos_q;
      wire [BUS_W-1:0] beat_out;
      wire [DATA_W-1:0] all = {beat_out, beats_out_q};
      assign r_valid = run_q && whole_q;
      assign r_error = error_q[out_q];
      assign mem_rsp_data_o = all;

      ram_1r1w #(.WIDTH(BUS_W), .DEPTH(READS * BEATS)) u_data (
        .clk_i(clk_i),
        .we_i(r_go),
        .waddr_i({id, beats_q[id]}),
        .wdata_i(m_axi_rdata),
        .raddr_i({out, pos}),
        .rdata_o(beat_out)
      );
      ram_1r1w #(.WIDTH(TAG_W), .DEPTH(READS)) u_tag (
        .clk_i(clk_i),
        .we_i(begins),
        .waddr_i(next_q),
        .wdata_i(mem_req_tag_i),
        .raddr_i(out),
        .rdata_o(r_tag)
      );

      integer i;
      always @(posedge clk_i) begin
        if (rst_i) begin
          w_beat_q <= {BEAT_W{1'b0}};
          busy_q <= {READS{1'b0}};
          next_q <= {READ_W{1'b0}};
          done_valid_q <= 1'b0;
          run_q <= 1'b0;
          for (i = 0; i < READS; i = i + 1) beats_q[i] <= {BEAT_W{1'b0}};
        end else begin
          if (w_go) w_beat_q <= w_beat_q + 1'b1;
          if (r_taken) busy_q[out_q] <= 1'b0;
          if (begins) begin
            busy_q[next_q] <= 1'b1;
            next_q <= next_q + 1'b1;
          end
          if (r_go) beats_q[id] <= beats_q[id] + 1'b1;
          if (complete) done_valid_q <= 1'b1;
          else if (start) done_valid_q <= 1'b0;
          if (start) run_q <= 1'b1;
          else if (r_taken) run_q <= 1'b0;
        end
        if (begins) error_q[next_q] <= 2'd0;
        if (r_go) error_q[id] <= error_q[id] | beat_error;
        if (complete) done_q <= id;
        if (start) begin
          out_q <= done_q;
          pos_q <= {{(BEAT_W-1){1'b0}}, 1'b1};
          whole_q <= 1'b0;
        end else if (pos_q == LAST) begin
          whole_q <= 1'b1;
        end else begin
          pos_q <= pos_q + 1'b1;
        end
        if (!whole_q) beats_out_q <= all[DATA_W-1:BUS_W];
      end
      wire unused = &{1'b0, m_axi_rid, m_axi_rlast, all};
    end
  endgenerate
endmodule

`default_nettype wire
