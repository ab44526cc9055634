// SPDX-License-Identifier: Apache-2.0
// stack_cache_request: from what is fired to what memory is asked.
//
// The request is in EC one cycle after it fires (`ec_o`), beside the set that the storage reads, and in the
// register one later (`offered_o`), where it holds still until it is taken. Spills and restores fire when EC
// and register are free; a flush fires in every cycle, and EC waits for the register (`stall_o`), reading its
// set again. Keeps set and kind of every access under way by its tag, for errors: read one cycle after its
// tag, with the class of that cycle.
`default_nettype none

module stack_cache_request #(
  parameter THREADS = 24,
  parameter ENTRY_W = 64,
  parameter SET = 4,
  parameter COUNT_W = 15,
  parameter THREAD_W = 5,
  parameter CLASS_W = 4,
  parameter INFLIGHT = 16,
  parameter SET_IDX_W = 13,
  parameter UW = 17,
  parameter NUM_W = 3,
  parameter SLOT_W = 2,
  parameter STATUS = 0,
  parameter ADDR_W = 32,
  parameter TAG_W = 9,
  parameter STRIDE_MAX = 17,
  parameter SET_BYTES = 32,
  parameter ENTRY_BYTES = 8
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [ADDR_W-1:0] base_i,
  input  wire [5:0] stride_lg_i,

  input  wire spill_i,                      // fires in this cycle, of this thread and set
  input  wire restore_i,
  input  wire [THREAD_W-1:0] thread_i,
  input  wire [UW-1:0] set_i,

  input  wire read_i,                       // a flush reads out the lowest dirty set of this thread
  input  wire [THREAD_W-1:0] read_thread_i,
  input  wire [COUNT_W-1:0] read_count_i,
  input  wire [NUM_W-1:0] read_nd_i,
  input  wire drop_i,                       // what a flush has in EC is dropped
  output wire ec_o,
  output wire offered_o,
  output wire stall_o,

  output wire [THREAD_W-1:0] read_thread_o, // what the storage reads, and
  output wire [SLOT_W-1:0] read_slot_o,
  input  wire [SET*ENTRY_W-1:0] rdata_i,    // has read for the request in EC

  input  wire [TAG_W-1:0] log_tag_i,
  input  wire [CLASS_W-1:0] log_class_i,
  output wire log_write_o,
  output wire [SET_IDX_W-1:0] log_set_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [TAG_W-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [SET_BYTES*8-1:0] mem_req_data_o,
  output wire [SET_BYTES-1:0] mem_req_strb_o
);
  localparam SET_BYTES_LG = $clog2(SET_BYTES);

  // ---- what is read and waits in EC ----------------------------------------------------------------
  reg ec_req_q, ec_write_q, req_valid_q;
  reg [UW-1:0] ec_set_q;
  reg [THREAD_W-1:0] ec_thread_q;
  reg [SET-1:0] ec_part_q;                  // the entries of the set that leave the chip
  wire stall = STATUS != 0 && ec_req_q && req_valid_q && !mem_req_ready_i;
  wire reads = STATUS != 0 && read_i;
  wire [UW-1:0] read_set;
  wire [SET-1:0] read_part;
  genvar i;
  generate
    if (STATUS != 0) begin : g_read
      localparam READ_W = COUNT_W + UW + $clog2(SET);
      wire [READ_W-1:0] count_x = {{READ_W-COUNT_W{1'b0}}, read_count_i};
      wire unused = &{1'b0, count_x};
      wire broken;
      assign read_set = count_x[$clog2(SET)+:UW] + {{UW-1{1'b0}}, broken} - {{UW-NUM_W{1'b0}}, read_nd_i};
      if (SET > 1) begin : g_part
        localparam [NUM_W-1:0] ONE = 1;
        assign broken = count_x[$clog2(SET)-1:0] != {$clog2(SET){1'b0}};
        for (i = 0; i < SET - 1; i = i + 1) begin : g_entry
          localparam [31:0] NUMBER = i;
          assign read_part[i] = !broken || read_nd_i != ONE
                                || NUMBER[$clog2(SET)-1:0] < count_x[$clog2(SET)-1:0];
        end
        assign read_part[SET-1] = !broken || read_nd_i != ONE;
      end else begin : g_whole
        assign broken = 1'b0;
        assign read_part = 1'b1;
      end
      assign read_thread_o = stall ? ec_thread_q : read_i ? read_thread_i : thread_i;
      assign read_slot_o = stall ? ec_set_q[SLOT_W-1:0] : read_i ? read_set[SLOT_W-1:0] : set_i[SLOT_W-1:0];
    end else begin : g_no_read
      wire unused = &{1'b0, read_i, read_thread_i, read_count_i, read_nd_i};
      assign read_set = {UW{1'b0}};
      assign read_part = {SET{1'b1}};
      assign read_thread_o = thread_i;
      assign read_slot_o = set_i[SLOT_W-1:0];
    end
  endgenerate

  always @(posedge clk_i)
    if (!stall) begin
      ec_req_q <= (spill_i || restore_i || reads) && !rst_i && !drop_i;
      ec_write_q <= spill_i || reads;
      ec_set_q <= reads ? read_set : set_i;
      ec_thread_q <= reads ? read_thread_i : thread_i;
      ec_part_q <= reads ? read_part : {SET{1'b1}};
    end else if (rst_i || drop_i) ec_req_q <= 1'b0;
  assign ec_o = ec_req_q;
  assign stall_o = stall;

  // ---- request register ----------------------------------------------------------------------------
  reg req_write_q;
  reg [TAG_W-1:0] req_tag_q;
  reg [ADDR_W-1:0] req_addr_q;
  reg [SET*ENTRY_W-1:0] req_data_q;
  reg [SET-1:0] req_part_q;
  wire [TAG_W-1:0] ec_tag = {ec_thread_q, ec_set_q[CLASS_W-1:0]};
  wire [ADDR_W+SET_IDX_W-1:0] set_x = {{ADDR_W{1'b0}}, ec_set_q[SET_IDX_W-1:0]};
  wire unused_set = &{1'b0, set_x, ec_set_q};
  wire [ADDR_W-1:0] set_offset = set_x[ADDR_W-1:0] << SET_BYTES_LG;
  // A region is at least a set and at most 2^STRIDE_MAX bytes: a short shift.
  localparam SHIFT_W = $clog2(STRIDE_MAX - SET_BYTES_LG + 1) > 0 ? $clog2(STRIDE_MAX - SET_BYTES_LG + 1) : 1;
  localparam REGION_W = THREAD_W + STRIDE_MAX - SET_BYTES_LG + 1;
  wire [5:0] shift = stride_lg_i - SET_BYTES_LG[5:0];
  wire unused_shift = &{1'b0, shift};
  wire [REGION_W-1:0] region_sets = {{REGION_W-THREAD_W{1'b0}}, ec_thread_q} << shift[SHIFT_W-1:0];
  wire [ADDR_W+REGION_W-1:0] region_x = {{ADDR_W{1'b0}}, region_sets} << SET_BYTES_LG;
  wire unused_region = &{1'b0, region_x};
  wire [ADDR_W-1:0] region = region_x[ADDR_W-1:0];
  integer n;
  always @(posedge clk_i) begin
    if (rst_i) begin
      req_valid_q <= 1'b0;
      req_write_q <= 1'b0;
    end else if (ec_req_q && !stall) begin
      req_valid_q <= 1'b1;
      req_write_q <= ec_write_q;
    end else if (mem_req_ready_i) begin
      req_valid_q <= 1'b0;
      req_write_q <= 1'b0;
    end
    if (ec_req_q && !stall) begin
      req_tag_q <= ec_tag;
      req_addr_q <= base_i + region + set_offset;
      req_part_q <= ec_part_q;
      for (n = 0; n < SET; n = n + 1)
        req_data_q[n*ENTRY_W+:ENTRY_W] <= ec_part_q[n] ? rdata_i[n*ENTRY_W+:ENTRY_W] : {ENTRY_W{1'b0}};
    end
  end
  assign offered_o = req_valid_q;
  assign mem_req_valid_o = req_valid_q;
  assign mem_req_write_o = req_write_q;
  assign mem_req_tag_o = req_tag_q;
  assign mem_req_addr_o = req_addr_q;
  generate
    for (i = 0; i < SET; i = i + 1) begin : g_data
      assign mem_req_strb_o[i*ENTRY_BYTES+:ENTRY_BYTES] = {ENTRY_BYTES{req_part_q[i]}};
      if (ENTRY_BYTES * 8 > ENTRY_W) begin : g_pad
        assign mem_req_data_o[i*ENTRY_BYTES*8+:ENTRY_BYTES*8] =
          {{ENTRY_BYTES*8-ENTRY_W{1'b0}}, req_data_q[i*ENTRY_W+:ENTRY_W]};
      end else begin : g_whole
        assign mem_req_data_o[i*ENTRY_BYTES*8+:ENTRY_BYTES*8] = req_data_q[i*ENTRY_W+:ENTRY_W];
      end
    end
  endgenerate

  // ---- errors: set and kind of an access by its tag ------------------------------------------------
  localparam LOG_W = (SET_IDX_W > CLASS_W) ? SET_IDX_W - CLASS_W : 0;
  localparam LOG_AW = $clog2(THREADS * INFLIGHT);
  wire [LOG_W:0] log_d, log_read;
  wire unused_tags = &{1'b0, ec_tag, log_tag_i, log_class_i};
  generate
    if (LOG_W > 0) begin : g_log
      assign log_d = {ec_write_q, ec_set_q[CLASS_W+:LOG_W]};
      assign log_set_o = {log_read[LOG_W-1:0], log_class_i};
    end else begin : g_log
      assign log_d = ec_write_q;
      assign log_set_o = log_class_i[SET_IDX_W-1:0];
    end
  endgenerate
  assign log_write_o = log_read[LOG_W];
  ram_1r1w #(.WIDTH(LOG_W + 1), .DEPTH(THREADS * INFLIGHT)) u_log (
    .clk_i(clk_i), .we_i(ec_req_q), .waddr_i(ec_tag[LOG_AW-1:0]), .wdata_i(log_d),
    .raddr_i(log_tag_i[LOG_AW-1:0]), .rdata_o(log_read));
endmodule

`default_nettype wire
