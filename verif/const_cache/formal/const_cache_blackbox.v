// SPDX-License-Identifier: Apache-2.0
// const_cache_blackbox: what must hold of a const_cache, seen from its ports alone.
//
// Drives the block's inputs out of free ones: commands, reads and completions at will, and a memory that
// answers accesses under way whenever it likes and in any order. Keeps one marked SM and one marked constant,
// any of them: what the block does for these holds for all. The golden value is a register that writes
// change as they are taken, and a copy of it for each work item that waits or runs. With HALTS the front end
// asks for halts and resets whenever it likes, with ERRORS memory fails. Each output is one property; 1 says
// that it is broken.
`default_nettype none

module const_cache_blackbox #(
  parameter PROTOCOL = 0,
  parameter SMS = 1,
  parameter CONSTANTS = 16,
  parameter WORD_W = 8,
  parameter WRITE_WORDS = 1,
  parameter L1_ENTRIES = 4,
  parameter L2_ENTRIES = 4,
  parameter BACKUP_ENTRIES = 4,
  parameter BACKUP_WAYS = 1,
  parameter CODE_FACTOR = 2,
  parameter READS = 4,
  parameter MISSES = 2,
  parameter GEN_W = 2,
  parameter L1_LAT = 3,
  parameter DROP_REPEATS = 0,
  parameter STEAL = 16,
  parameter COUNTERS = 0,
  parameter ADDR_W = 16,
  parameter STATUS = 0,
  parameter CONST_W = 4,
  parameter LINE_W = 8,
  parameter SM_W = 1,
  parameter CODES = 4,
  parameter SETS = 4,
  parameter INIT_CYCLES = 4,
  parameter CTX_MAX = 61,
  // Options of a task.
  parameter HALTS = 0,    // with STATUS: halts and resets at will
  parameter ERRORS = 0,   // memory may fail
  parameter FOCUS = 0     // 1: all writes and reads are of the marked constant or of one that shares its rows
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire free_cmd_valid_i,
  input  wire [2:0] free_cmd_kind_i,
  input  wire [CONST_W-1:0] free_cmd_addr_i,
  input  wire [LINE_W-1:0] free_cmd_data_i,
  output wire cmd_valid_i,
  input  wire cmd_ready_o,
  output wire [2:0] cmd_kind_i,
  output wire [CONST_W-1:0] cmd_addr_i,
  output wire [LINE_W-1:0] cmd_data_i,
  input  wire cmd_done_o,

  input  wire work_valid_o,
  input  wire [SM_W-1:0] work_sm_o,
  input  wire [WORD_W-1:0] work_item_o,
  input  wire [SMS-1:0] free_done_valid_i,
  output wire [SMS-1:0] done_valid_i,
  input  wire [SMS-1:0] done_ready_o,

  input  wire [SMS-1:0] free_rd_valid_i,
  output wire [SMS-1:0] rd_valid_i,
  input  wire [SMS-1:0] rd_ready_o,
  input  wire [SMS*CONST_W-1:0] free_rd_addr_i,
  output wire [SMS*CONST_W-1:0] rd_addr_i,
  input  wire [SMS-1:0] rsp_valid_o,
  input  wire [SMS-1:0] rsp_error_o,
  input  wire [SMS*WORD_W-1:0] rsp_data_o,

  input  wire mem_req_valid_o,
  input  wire free_mem_req_ready_i,
  output wire mem_req_ready_i,
  input  wire mem_req_write_o,
  input  wire [$clog2(MISSES)-1:0] mem_req_tag_o,
  input  wire [ADDR_W-1:0] mem_req_addr_o,
  input  wire [LINE_W-1:0] mem_req_data_o,
  input  wire [LINE_W/8-1:0] mem_req_strb_o,
  input  wire free_mem_rsp_valid_i,
  input  wire [$clog2(MISSES)-1:0] free_mem_rsp_tag_i,
  input  wire [LINE_W-1:0] free_mem_rsp_data_i,
  input  wire [1:0] free_mem_rsp_error_i,
  output wire mem_rsp_valid_i,
  input  wire mem_rsp_ready_o,
  output wire [$clog2(MISSES)-1:0] mem_rsp_tag_i,
  output wire [LINE_W-1:0] mem_rsp_data_i,
  output wire [1:0] mem_rsp_error_i,

  input  wire free_reg_req_valid_i,
  output wire reg_req_valid_i,
  input  wire error_o,
  input  wire free_cmd_halt_i,
  output wire cmd_halt_i,
  input  wire free_cmd_reset_i,
  output wire cmd_reset_i,
  input  wire free_cmd_resume_i,
  output wire cmd_resume_i,
  input  wire free_ctx_cmd_valid_i,
  output wire ctx_cmd_valid_i,
  input  wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  input  wire nack_o,

  // CC-2: a work item reads the value of the last write before it in the stream
  output wire bad_version_o,
  output wire bad_answer_o,     // CC-3: no answer without a read, never more than READS unanswered
  output wire bad_error_o,      // CC-15: an error exactly where the SM has no item or the address is outside
  output wire bad_given_o,      // CC-1: an item is given once, in order, to an SM without one
  output wire bad_done_o,       // CC-1: no completion with a read unanswered
  output wire bad_sync_o,       // CC-3: a flush or invalidate completes only with no SM active
  output wire bad_tag_o,        // no tag is used again before its answer
  output wire bad_order_o,      // never two accesses to the marked line under way
  output wire bad_stable_o,     // a stalled request holds still
  // US-5 US-14: under a halt request, while halted and in a reset nothing is taken
  output wire bad_closed_o,
  // US-4: halted under a request alone and until the release, with no read unanswered; no request to memory
  // begins nor is unanswered, and nothing leaves
  output wire bad_halted_o,
  // US-7: behind a reset nothing leaves, until commands are taken again, with no access to memory under way
  output wire bad_drained_o,
  output wire bad_nack_o,       // US-3: an error of memory, and nothing else, is reported, until a reset
  output wire cover_old_o,      // an item reads a value that is no longer the current one
  output wire cover_second_o    // a second item of the SM reads
);
  localparam MISS_W = $clog2(MISSES), OFF_W = $clog2(WRITE_WORDS), LG = $clog2(WORD_W / 8);
  localparam READ_W = $clog2(READS);
  wire unused = &{1'b0, free_mark_i, free_mem_rsp_error_i, free_reg_req_valid_i, free_cmd_halt_i,
                  free_cmd_reset_i, free_cmd_resume_i, free_ctx_cmd_valid_i, state_o, nack_o,
                  work_item_o, mem_req_strb_o, error_o, PROTOCOL[0], BACKUP_ENTRIES[0],
                  BACKUP_WAYS[0], CODE_FACTOR[0], GEN_W[0], L1_LAT[0], DROP_REPEATS[0], STEAL[0],
                  COUNTERS[0], CODES[0], SETS[0], INIT_CYCLES[0], L1_ENTRIES[0], L2_ENTRIES[0],
                  CTX_MAX[0]};

  // ---- what is marked ---------------------------------------------------------------------------------
  reg [SM_W-1:0] sm_q;
  reg [CONST_W-1:0] addr_q, beside_q;  // beside: its distance shares the rows of L1 and L2
  wire [SM_W-1:0] any_sm = free_mark_i[SM_W-1:0];
  wire [CONST_W-1:0] any_addr = free_mark_i[16+:CONST_W], any_beside = free_mark_i[32+:CONST_W];
  always @(posedge clk_i)
    if (rst_i) begin
      sm_q <= {1'b0, any_sm} < SMS[SM_W:0] ? any_sm : {SM_W{1'b0}};
      addr_q <= {1'b0, any_addr} < CONSTANTS[CONST_W:0] ? any_addr : {CONST_W{1'b0}};
      beside_q <= any_beside;
    end
  localparam [CONST_W-1:0] LINE_MASK = {CONST_W{1'b1}} << OFF_W;
  wire [CONST_W-1:0] line = addr_q & LINE_MASK;

  // ---- inputs -----------------------------------------------------------------------------------------
  assign cmd_valid_i = free_cmd_valid_i;
  assign cmd_kind_i = free_cmd_kind_i;
  assign cmd_addr_i = (FOCUS != 0) ? (free_cmd_addr_i[CONST_W-1] ? line : beside_q) : free_cmd_addr_i;
  assign cmd_data_i = free_cmd_data_i;
  assign done_valid_i = free_done_valid_i;
  assign rd_valid_i = free_rd_valid_i;
  genvar g;
  generate
    for (g = 0; g < SMS; g = g + 1) begin : g_read
      wire [CONST_W-1:0] free_addr = free_rd_addr_i[g*CONST_W+:CONST_W];
      assign rd_addr_i[g*CONST_W+:CONST_W] = (FOCUS != 0) ? (free_addr[CONST_W-1] ? addr_q : beside_q)
                                           : free_addr;
    end
  endgenerate
  assign reg_req_valid_i = 1'b0;

  // ---- the front end ----------------------------------------------------------------------------------
  localparam UNIT = STATUS != 0 && HALTS != 0;
  localparam STATE_W = (STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5;
  localparam [4:0] HALTED = (STATUS == 2) ? 5'b01010 : (STATUS == 3) ? 5'b00100 : 5'b10000;
  reg halt_q, reset_q, drains_q;       // at the unit; a reset is not over
  wire halted = UNIT && state_o == HALTED[STATE_W-1:0];
  wire drains = reset_q || (drains_q && !cmd_ready_o);
  assign {cmd_halt_i, cmd_reset_i} = {free_cmd_halt_i, free_cmd_reset_i} & {2{UNIT}};
  assign {cmd_resume_i, ctx_cmd_valid_i} = 2'b00;
  always @(posedge clk_i) begin
    {halt_q, reset_q} <= {cmd_halt_i, cmd_reset_i} & {2{!rst_i}};
    drains_q <= drains && !rst_i;
  end

  // ---- the stream: the current value, and that of each item which waits or runs -----------------------
  wire taken = cmd_valid_i && cmd_ready_o && !rst_i;
  wire writes = taken && cmd_kind_i == 3'd0 && cmd_addr_i == line;
  wire works = taken && cmd_kind_i == 3'd1, syncs = taken && cmd_kind_i[2:1] == 2'd1;
  reg [WORD_W-1:0] now_q, of_sm_q;
  reg [WORD_W-1:0] queue_q [0:31];
  reg [5:0] in_q, out_q;               // of the queue: work items
  reg [5:0] syncs_q;
  reg [SMS-1:0] active_q;
  reg [LINE_W-1:0] memory_q;           // the marked line
  reg [WORD_W-1:0] cmd_word, memory_word;  // for the marked constant
  integer i;
  always @* begin
    cmd_word = {WORD_W{1'b0}};
    memory_word = {WORD_W{1'b0}};
    for (i = 0; i < WRITE_WORDS; i = i + 1)
      if ((addr_q & ~LINE_MASK) == i[CONST_W-1:0]) begin
        cmd_word = cmd_word | cmd_data_i[i*WORD_W+:WORD_W];
        memory_word = memory_word | memory_q[i*WORD_W+:WORD_W];
      end
  end
  wire [WORD_W-1:0] start = free_cmd_data_i[WORD_W-1:0];  // what memory holds at reset
  wire given = work_valid_o && !rst_i;
  wire [SMS-1:0] sm_bit = {{SMS-1{1'b0}}, 1'b1} << work_sm_o;
  wire [SMS-1:0] reads = rd_valid_i & rd_ready_o;
  wire [SMS-1:0] dones = done_valid_i & done_ready_o & ~reads;
  wire [SMS-1:0] active = active_q | (sm_bit & {SMS{given}});
  always @(posedge clk_i)
    if (rst_i || drains) begin
      now_q <= rst_i ? start : memory_word;
      in_q <= 6'd0;
      out_q <= 6'd0;
      syncs_q <= 6'd0;
      active_q <= {SMS{1'b0}};
    end else begin
      if (writes) now_q <= cmd_word;
      if (works) begin
        queue_q[in_q[4:0]] <= now_q;
        in_q <= in_q + 6'd1;
      end
      if (given) out_q <= out_q + 6'd1;
      if (given && work_sm_o == sm_q) of_sm_q <= queue_q[out_q[4:0]];
      syncs_q <= syncs_q + {5'd0, syncs} - {5'd0, cmd_done_o};
      active_q <= active & ~dones;
    end
  assign bad_given_o = given && (in_q == out_q || |(active_q & sm_bit) || {1'b0, work_sm_o} >= SMS[SM_W:0]);
  assign bad_sync_o = !rst_i && cmd_done_o && (syncs_q == 6'd0 || |active_q);

  // ---- reads of the marked SM -------------------------------------------------------------------------
  reg [READ_W:0] n_q;
  reg [READS-1:0] marked_q, lawful_q;  // of the unanswered reads; bit 0 is the oldest
  wire read = reads[sm_q], answer = rsp_valid_o[sm_q], none = n_q == {READ_W+1{1'b0}};
  wire [CONST_W-1:0] read_addr = rd_addr_i[sm_q*CONST_W+:CONST_W];
  wire [READ_W:0] behind = n_q - {{READ_W{1'b0}}, answer};
  wire [READS-1:0] marked = answer ? marked_q >> 1 : marked_q, lawful = answer ? lawful_q >> 1 : lawful_q;
  wire [READS-1:0] place = {{READS-1{1'b0}}, read} << behind;
  wire of_marked = read_addr == addr_q;
  wire is_lawful = active[sm_q] && {1'b0, read_addr} < CONSTANTS[CONST_W:0];
  // in the cycle in which the item is given its value is still in the queue; no read is answered in it
  always @(posedge clk_i)
    if (rst_i || drains) begin
      n_q <= {READ_W+1{1'b0}};
      marked_q <= {READS{1'b0}};
      lawful_q <= {READS{1'b0}};
    end else begin
      n_q <= behind + {{READ_W{1'b0}}, read};
      marked_q <= (marked & ~place) | (place & {READS{of_marked}});
      lawful_q <= (lawful & ~place) | (place & {READS{is_lawful}});
    end
  wire [WORD_W-1:0] data = rsp_data_o[sm_q*WORD_W+:WORD_W];
  wire tells = !rst_i && answer && !none && marked_q[0] && lawful_q[0] && !rsp_error_o[sm_q];
  assign bad_version_o = tells && data != of_sm_q;
  assign bad_answer_o = !rst_i && ((answer && none) || (read && n_q[READ_W]));
  assign bad_error_o = !rst_i && answer && !none && rsp_error_o[sm_q] == lawful_q[0];
  assign bad_done_o = !rst_i && done_ready_o[sm_q] && !none;
  reg [1:0] items_q;
  always @(posedge clk_i)
    if (rst_i || drains) items_q <= 2'd0;
    else if (given && work_sm_o == sm_q && !(&items_q)) items_q <= items_q + 2'd1;
  assign cover_old_o = tells && of_sm_q != now_q;
  assign cover_second_o = tells && items_q == 2'd2;

  // ---- memory: the marked line; other lines hold anything ----------------------------------------------
  reg [MISSES-1:0] busy_q, mine_q;     // of each tag: an access is under way, it is of the marked line
  reg out_valid_q;
  reg [MISS_W-1:0] out_tag_q;
  reg [LINE_W-1:0] out_data_q;
  reg [1:0] out_error_q;
  wire req = mem_req_valid_o && mem_req_ready_i && !rst_i;
  wire [MISSES-1:0] req_bit = {{MISSES-1{1'b0}}, 1'b1} << mem_req_tag_o;
  wire [MISSES-1:0] rsp_bit = {{MISSES-1{1'b0}}, 1'b1} << mem_rsp_tag_i;
  wire [ADDR_W-1:0] marked_addr = {{ADDR_W-CONST_W{1'b0}}, line} << LG;
  wire req_mine = mem_req_addr_o == marked_addr;
  assign mem_req_ready_i = free_mem_req_ready_i;
  assign mem_rsp_valid_i = out_valid_q || (free_mem_rsp_valid_i && busy_q[free_mem_rsp_tag_i]);
  assign mem_rsp_tag_i = out_valid_q ? out_tag_q : free_mem_rsp_tag_i;
  assign mem_rsp_data_i = out_valid_q ? out_data_q : mine_q[free_mem_rsp_tag_i] ? memory_q
                        : free_mem_rsp_data_i;
  assign mem_rsp_error_i = (ERRORS == 0) ? 2'd0 : out_valid_q ? out_error_q : free_mem_rsp_error_i;
  wire answered = mem_rsp_valid_i && mem_rsp_ready_o;
  reg stalled_q, was_write_q;
  reg [MISS_W-1:0] was_tag_q;
  reg [ADDR_W-1:0] was_addr_q;
  reg [LINE_W-1:0] was_data_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= {MISSES{1'b0}};
      out_valid_q <= 1'b0;
      stalled_q <= 1'b0;
      memory_q <= {WRITE_WORDS{start}};
    end else begin
      busy_q <= (busy_q & ~(rsp_bit & {MISSES{answered}})) | (req_bit & {MISSES{req}});
      out_valid_q <= mem_rsp_valid_i && !mem_rsp_ready_o;
      if (req && mem_req_write_o && req_mine) memory_q <= mem_req_data_o;
      stalled_q <= mem_req_valid_o && !mem_req_ready_i;
    end
    if (req) mine_q <= (mine_q & ~req_bit) | (req_bit & {MISSES{req_mine}});
    out_tag_q <= mem_rsp_tag_i;
    out_data_q <= mem_rsp_data_i;
    out_error_q <= mem_rsp_error_i;
    was_write_q <= mem_req_write_o;
    was_tag_q <= mem_req_tag_o;
    was_addr_q <= mem_req_addr_o;
    was_data_q <= mem_req_data_o;
  end
  assign bad_tag_o = req && |(busy_q & req_bit);
  assign bad_order_o = req && req_mine && |(busy_q & mine_q);
  assign bad_stable_o = !rst_i && stalled_q && (!mem_req_valid_o || mem_req_write_o != was_write_q
    || mem_req_tag_o != was_tag_q || mem_req_addr_o != was_addr_q
    || (was_write_q && mem_req_data_o != was_data_q));

  // ---- halts and resets -------------------------------------------------------------------------------
  wire takes = cmd_ready_o || |rd_ready_o || |done_ready_o;
  wire leaves = |rsp_valid_o || work_valid_o || cmd_done_o;
  wire accesses = mem_req_valid_o || |busy_q;
  reg stays_q, may_q, failed_q, nacked_q;  // halted under a request, a request; an error since the last reset
  always @(posedge clk_i) begin
    stays_q <= halted && halt_q && !reset_q && !rst_i;
    may_q <= (halt_q || halted) && !reset_q && !rst_i;
    failed_q <= !rst_i && !drains && (failed_q || (answered && mem_rsp_error_i != 2'd0));
    nacked_q <= nack_o && !reset_q && !rst_i;
  end
  assign bad_closed_o = !rst_i && (halt_q || halted || reset_q) && takes;
  assign bad_halted_o = !rst_i && (halted ? !may_q || leaves || accesses || !none : stays_q);
  assign bad_drained_o = !rst_i && (drains ? leaves || |rd_ready_o || |done_ready_o
                                            : drains_q && (leaves || accesses || halted));
  assign bad_nack_o = !rst_i && (nack_o ? !failed_q : nacked_q || (halted && failed_q));
endmodule

`default_nettype wire
