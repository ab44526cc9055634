// SPDX-License-Identifier: Apache-2.0
// line_home_backing: lines read from memory and written to it, MEM_SLOTS at a time, a request for each beat.
//
// A slot is taken by the next line in the queue, and is free again when the directory has taken note that
// all its beats are answered, in whatever order. Reset: nothing is under way.
`default_nettype none

module line_home_backing #(
  parameter LINE_AW = 26,        // bits of a line address
  parameter HOME_ENTRIES = 256,  // entries of the directory, 16..16384
  parameter ENTRY_W = 8,         // bits of the number of an entry
  parameter BEATS = 2,           // beats of a line, 1 or more
  parameter BEAT_W = 1,          // at least 1
  parameter DATA_W = 256,        // bits of a beat
  parameter ADDR_W = 32,         // width of a byte address; 16..48 bits
  parameter MEM_SLOTS = 8,       // lines read or written in memory at once; 2..32 lines, a power of 2
  parameter TAG_W = 4            // bits of a memory tag: slot and beat
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // A line to read or write, from the directory; it is always taken: there is room for every entry.
  input  wire job_valid_i,
  input  wire job_write_i,                // 1: write the line to memory, 0: read it from there
  input  wire [ENTRY_W-1:0] job_entry_i,  // entry of the directory; its line is kept under this number
  input  wire [LINE_AW-1:0] job_line_i,   // line address

  // A line of which all beats are answered; the four signals hold still until done_pop_i.
  output wire done_valid_o,
  input  wire done_pop_i,                  // the directory takes note; only with done_valid_o
  output wire [ENTRY_W-1:0] done_entry_o,  // entry of that line
  output wire done_write_o,                // it was written; 0: it was read
  output wire done_error_o,                // memory refused a beat of it

  // The ports of the lines: the read port shows a row in the cycle after it was free; a row is written unless
  // the port is busy.
  output wire [ENTRY_W-1:0] read_entry_o,   // entry and beat of the row that is read
  output wire [BEAT_W-1:0] read_beat_o,     // beat of the row
  input  wire read_free_i,                  // the port is free in this cycle
  input  wire [DATA_W-1:0] data_i,          // row that was named in the last free cycle
  input  wire write_busy_i,                 // the write port is taken by others
  output wire write_o,                      // a beat from memory is written
  output wire [ENTRY_W-1:0] write_entry_o,  // entry of that beat
  output wire [BEAT_W-1:0] write_beat_o,    // number of that beat
  output wire [DATA_W-1:0] write_data_o,    // its data

  output wire mem_req_valid_o,  // a memory request is offered; it holds still until taken
  input  wire mem_req_ready_i,  // the memory takes the request of this cycle
  output wire mem_req_write_o,  // the request offered is a write; 0 for a read and when none is offered
  output wire [TAG_W-1:0] mem_req_tag_o,  // tag, returned with the answer; unique among requests under way
  output wire [ADDR_W-1:0] mem_req_addr_o,  // byte address, aligned to the data width
  output wire [DATA_W-1:0] mem_req_data_o,  // write data, lowest byte first
  output wire [DATA_W/8-1:0] mem_req_strb_o,  // write strobe, one per byte
  input  wire mem_rsp_valid_i,  // an answer (read data or write acknowledge) is offered, in any order
  output wire mem_rsp_ready_o,  // the answer of this cycle is taken
  input  wire [TAG_W-1:0] mem_rsp_tag_i,  // tag of the request that is answered
  input  wire [DATA_W-1:0] mem_rsp_data_i,  // read data; no meaning for write acknowledges
  // 0: done; else an error code; what becomes of it is the block's own rule.
  input  wire [1:0] mem_rsp_error_i,

  output wire busy_o             // lines to read or write, or of which the directory does not know
);
  localparam SLOT_W = $clog2(MEM_SLOTS);
  localparam BEAT_LG = $clog2(BEATS);      // may be 0
  localparam BYTE_LG = $clog2(DATA_W / 8);
  localparam LEFT_W = BEAT_W + 1;
  localparam [31:0] LAST_BEAT = BEATS - 1, BEATS_WIDE = BEATS;
  integer i;

  // Invariant: an entry is in it at most once, so it is never full.
  wire job_valid, job_write, job_ready_unused;
  wire [ENTRY_W-1:0] job_entry;
  wire [LINE_AW-1:0] job_line;
  wire [$clog2(HOME_ENTRIES+1)-1:0] level;
  wire take;
  fifo_ram #(.WIDTH(1 + ENTRY_W + LINE_AW), .DEPTH(HOME_ENTRIES)) u_jobs (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(job_valid_i), .in_ready_o(job_ready_unused),
    .in_data_i({job_write_i, job_entry_i, job_line_i}), .out_valid_o(job_valid), .out_ready_i(take),
    .out_data_o({job_write, job_entry, job_line}), .level_o(level));

  reg [MEM_SLOTS-1:0] busy_q, write_q, error_q, done_q;
  reg [MEM_SLOTS*ENTRY_W-1:0] entry_q;
  reg [MEM_SLOTS*LEFT_W-1:0] left_q;

  // ---- requests
  reg asks_q, asks_write_q, have_q, got_q;
  reg [SLOT_W-1:0] asks_slot_q;
  reg [ENTRY_W-1:0] asks_entry_q;
  reg [LINE_AW-1:0] asks_line_q;
  reg [BEAT_W-1:0] asks_beat_q;
  reg [DATA_W-1:0] data_q;
  reg [SLOT_W-1:0] free_slot, done_slot;
  always @* begin
    free_slot = {SLOT_W{1'b0}};
    done_slot = {SLOT_W{1'b0}};
    for (i = MEM_SLOTS - 1; i >= 0; i = i - 1) begin
      if (!busy_q[i]) free_slot = i[SLOT_W-1:0];
      if (done_q[i]) done_slot = i[SLOT_W-1:0];
    end
  end
  assign take = job_valid && !asks_q && !(&busy_q);
  assign mem_req_valid_o = asks_q && (!asks_write_q || have_q);
  wire asked = mem_req_valid_o && mem_req_ready_i;
  assign mem_req_write_o = asks_write_q && mem_req_valid_o;
  assign mem_req_data_o = data_q;
  assign mem_req_strb_o = {DATA_W/8{1'b1}};
  generate
    if (BEATS > 1) begin : g_beats
      assign mem_req_tag_o = {asks_slot_q, asks_beat_q};
      assign mem_req_addr_o = {asks_line_q, asks_beat_q, {BYTE_LG{1'b0}}};
    end else begin : g_beat
      assign mem_req_tag_o = asks_slot_q;
      assign mem_req_addr_o = {asks_line_q, {BYTE_LG{1'b0}}};
    end
  endgenerate
  wire wants = asks_q && asks_write_q && !have_q && !got_q;
  assign read_entry_o = asks_entry_q;
  assign read_beat_o = asks_beat_q;
  always @(posedge clk_i) begin
    if (take) begin
      asks_q <= 1'b1;
      asks_write_q <= job_write;
      asks_slot_q <= free_slot;
      asks_entry_q <= job_entry;
      asks_line_q <= job_line;
      asks_beat_q <= {BEAT_W{1'b0}};
    end
    got_q <= wants && read_free_i && !rst_i;
    if (got_q) data_q <= data_i;
    if (got_q) have_q <= 1'b1;
    if (asked) begin
      have_q <= 1'b0;
      asks_beat_q <= asks_beat_q + 1'b1;
      if (asks_beat_q == LAST_BEAT[BEAT_W-1:0]) asks_q <= 1'b0;
    end
    if (rst_i) {asks_q, have_q} <= 2'b00;
  end

  // ---- answers
  reg rsp_q, rsp_error_q;
  reg [TAG_W-1:0] rsp_tag_q;
  reg [DATA_W-1:0] rsp_data_q;
  wire [SLOT_W-1:0] rsp_slot = rsp_tag_q[TAG_W-1-:SLOT_W];
  wire settle = rsp_q && !(write_busy_i && !write_q[rsp_slot]);
  assign mem_rsp_ready_o = !rsp_q;
  assign write_o = rsp_q && !write_busy_i && !write_q[rsp_slot] && busy_q[rsp_slot];
  assign write_entry_o = entry_q[rsp_slot*ENTRY_W+:ENTRY_W];
  generate
    if (BEATS > 1) begin : g_row
      assign write_beat_o = rsp_tag_q[BEAT_LG-1:0];
    end else begin : g_no_row
      assign write_beat_o = 1'b0;
    end
  endgenerate
  assign write_data_o = rsp_data_q;
  assign done_valid_o = |done_q;
  assign done_entry_o = entry_q[done_slot*ENTRY_W+:ENTRY_W];
  assign done_write_o = write_q[done_slot];
  assign done_error_o = error_q[done_slot];
  always @(posedge clk_i) begin
    if (mem_rsp_valid_i && !rsp_q) begin
      rsp_q <= 1'b1;
      rsp_tag_q <= mem_rsp_tag_i;
      rsp_data_q <= mem_rsp_data_i;
      rsp_error_q <= mem_rsp_error_i != 2'd0;
    end
    if (settle) rsp_q <= 1'b0;
    for (i = 0; i < MEM_SLOTS; i = i + 1) begin
      if (settle && rsp_slot == i[SLOT_W-1:0] && busy_q[i]) begin
        left_q[i*LEFT_W+:LEFT_W] <= left_q[i*LEFT_W+:LEFT_W] - 1'b1;
        if (rsp_error_q) error_q[i] <= 1'b1;
        if (left_q[i*LEFT_W+:LEFT_W] == {{LEFT_W-1{1'b0}}, 1'b1}) done_q[i] <= 1'b1;
      end
      if (done_pop_i && done_slot == i[SLOT_W-1:0]) {busy_q[i], done_q[i]} <= 2'b00;
      if (take && free_slot == i[SLOT_W-1:0]) begin
        busy_q[i] <= 1'b1;
        write_q[i] <= job_write;
        error_q[i] <= 1'b0;
        entry_q[i*ENTRY_W+:ENTRY_W] <= job_entry;
        left_q[i*LEFT_W+:LEFT_W] <= BEATS_WIDE[LEFT_W-1:0];
      end
    end
    if (rst_i) begin
      rsp_q <= 1'b0;
      busy_q <= {MEM_SLOTS{1'b0}};
      done_q <= {MEM_SLOTS{1'b0}};
    end
  end
  assign busy_o = |level || asks_q || |busy_q || rsp_q;
  wire unused = &{1'b0, job_ready_unused};
endmodule

`default_nettype wire
