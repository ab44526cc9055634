// SPDX-License-Identifier: Apache-2.0
// stack_cache_blackbox: what must hold of a stack_cache, seen from its ports alone.
//
// Drives the block's inputs out of free ones: operations at will, a memory that answers accesses under way
// whenever it likes and in any order, its offer held until taken. Keeps one marked thread and one marked
// entry of it, any of them (free constants): what the block does for the marked one holds for all. The memory
// is that entry's word alone; reads of other sets return anything. Each output is one property; 1 says that
// it is broken.
`default_nettype none

module stack_cache_blackbox #(
  parameter THREADS = 2,
  parameter ENTRY_W = 8,
  parameter ENTRIES = 4,
  parameter SET = 2,
  parameter MAX_DEPTH = 8,
  parameter POLICY = 0,
  parameter FLAGS = 0,
  parameter COUNTERS = 0,
  parameter INFLIGHT = 2,
  parameter STEAL = 16,
  parameter ADDR_W = 16,
  parameter FORWARD = 1,
  parameter STATUS = 0,
  parameter NSETS = 2,
  parameter THREAD_W = 1,
  parameter COUNT_W = 4,
  parameter CLASS_W = 1,
  parameter PTR_W = 3,
  parameter SET_IDX_W = 3,
  parameter ENTRY_BYTES = 1,
  parameter SET_BYTES = 2,
  parameter TAG_W = 2,
  parameter STRIDE_MAX = 3,
  parameter LATENCY = 3,
  parameter STORAGE_BITS = 64,
  parameter HALT_OWN = 8,
  // Options of a task.
  parameter ERRORS = 0,   // the memory may answer with an error
  parameter REGS = 0,     // the register port reads at will
  parameter PROMPT = 0,   // not 0: the memory lets nothing of the marked thread wait for so many cycles
  parameter SERVED = 16,  // cycles that a thread may wait then,
  // counted while the other threads operate too; 0: from the last operation of any thread
  parameter BUSY = 0,
  // with STATUS: the front end keeps its contract; 0: it halts, resets and moves contexts as it likes
  parameter HALTS = 0,
  // with STATUS: software writes CONTROL at will; halts at will, no resets, no contexts
  parameter FLUSH = 0,
  parameter BITS = 0      // not 0: compare only so many bits of the marked entry
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,   // the marked thread and entry

  input  wire free_op_valid_i,
  input  wire [2:0] free_op_kind_i,
  input  wire [THREAD_W-1:0] free_op_thread_i,
  input  wire [ENTRY_W-1:0] free_op_data_i,
  output wire op_valid_i,
  output wire [2:0] op_kind_i,
  output wire [THREAD_W-1:0] op_thread_i,
  output wire [ENTRY_W-1:0] op_data_i,
  input  wire [THREADS-1:0] can_push_o,
  input  wire [THREADS-1:0] can_top_o,
  input  wire can_init_o,

  input  wire ans_valid_o,
  input  wire [THREAD_W-1:0] ans_thread_o,
  input  wire [2:0] ans_kind_o,
  input  wire [1:0] ans_status_o,
  input  wire ans_data_valid_o,
  input  wire [ENTRY_W-1:0] ans_data_o,

  input  wire mem_req_valid_o,
  input  wire free_mem_req_ready_i,
  output wire mem_req_ready_i,
  input  wire mem_req_write_o,
  input  wire [TAG_W-1:0] mem_req_tag_o,
  input  wire [ADDR_W-1:0] mem_req_addr_o,
  input  wire [SET_BYTES*8-1:0] mem_req_data_o,
  input  wire [SET_BYTES-1:0] mem_req_strb_o,

  input  wire free_mem_rsp_valid_i,
  input  wire [TAG_W-1:0] free_mem_rsp_tag_i,
  input  wire [SET_BYTES*8-1:0] free_mem_rsp_data_i,
  input  wire [1:0] free_mem_rsp_error_i,
  output wire mem_rsp_valid_i,
  input  wire mem_rsp_ready_o,
  output wire [TAG_W-1:0] mem_rsp_tag_i,
  output wire [SET_BYTES*8-1:0] mem_rsp_data_i,
  output wire [1:0] mem_rsp_error_i,

  input  wire free_reg_req_valid_i,
  input  wire free_reg_req_write_i,
  input  wire [9:0] free_reg_req_addr_i,
  input  wire [31:0] free_reg_req_data_i,
  output wire reg_req_valid_i,
  input  wire reg_req_ready_o,
  output wire reg_req_write_i,
  output wire [9:0] reg_req_addr_i,
  output wire [31:0] reg_req_data_i,
  input  wire reg_rsp_valid_o,
  input  wire [31:0] reg_rsp_data_o,
  input  wire reg_rsp_error_o,

  input  wire free_cmd_halt_i,
  output wire cmd_halt_i,
  input  wire free_cmd_reset_i,
  output wire cmd_reset_i,
  input  wire [(STATUS == 2 ? 4 : STATUS == 3 ? 3 : 5)-1:0] state_o,
  input  wire nack_o,
  input  wire free_ctx_cmd_valid_i,
  output wire ctx_cmd_valid_i,
  input  wire ctx_cmd_ready_o,
  input  wire ctx_done_o,

  output wire [31:0] mark_o,      // the marked thread
  // SC-3: one answer per operation taken, its thread and kind, in order, after LATENCY
  output wire bad_answer_o,
  // SC-12: overflow, underflow, fault and ok exactly when due; count = pushes - pops
  output wire bad_status_o,
  output wire bad_valid_o,     // SC-3: data with pop and peek that are ok, and only then
  output wire bad_data_o,      // SC-4: pop and peek return what was pushed or put there last, of this thread
  output wire bad_fault_o,     // SC-12: fault after an error of an access begun since init, and until init
  output wire bad_dirty_o,     // SC-11: no set is overwritten before memory was offered its content
  // SC-6: what memory was offered last is what the set holds when it leaves the chip
  output wire bad_stale_o,
  output wire bad_stable_o,    // SC-10: a stalled request holds still
  output wire bad_tag_o,       // SC-10: no tag is used again before its answer
  output wire bad_order_o,     // SC-10: no access to a set during a write of it, no write during a read
  // SC-2: aligned, in the thread's own region; writes are whole sets, padding zero
  output wire bad_region_o,
  // SC-11: once 1, a can-go bit stays until an operation of its thread or a taken cycle
  output wire bad_sticky_o,
  output wire bad_start_o,     // SC-11: init is possible from THREADS + 1 cycles after reset
  output wire bad_depth_o,     // SC-14: the depth register reads the count
  // US-3: nack_o rises with an error answer (or a load) only, stays until a reset (or a load)
  output wire bad_nack_o,
  output wire bad_closed_o,    // US-5 US-14: from the first cycle of a halt request on no can-go bit is 1
  // US-4: halted in time, until the release, never without a request, with an access open or an answer due
  output wire bad_halted_o,
  // SC-13: halted with flush_on_halt, memory holds every entry of a thread without a fault
  output wire bad_flushed_o,
  output wire bad_wait_push_o, // SC-11: with a prompt memory, a push waits at most SERVED cycles (see BUSY)
  output wire bad_wait_top_o,  // SC-11: the same for pop, peek and replace-top
  output wire cover_restored_o, // the marked entry comes back from memory and is popped
  output wire cover_full_o,     // overflow
  output wire cover_fault_o     // fault, then an init, then ok
);
  localparam SETS = (MAX_DEPTH + SET - 1) / SET;
  localparam SET_BYTES_LG = $clog2(SET_BYTES);
  localparam SET_LG = $clog2(SET);
  localparam TAGS = 1 << TAG_W;
  localparam SLOT_BITS = ENTRY_BYTES * 8;
  localparam PUSH = 3'd0, POP = 3'd1, PEEK = 3'd2, REPLACE = 3'd3, INIT = 3'd4;
  localparam [1:0] OK = 2'd0, OVERFLOW = 2'd1, UNDERFLOW = 2'd2, FAULT = 2'd3;
  wire unused = &{1'b0, free_mark_i, FLAGS[0], COUNTERS[0], POLICY[0], FORWARD[0], STEAL[0], PTR_W[0],
                  SET_IDX_W[0],
                  STORAGE_BITS[0], ENTRIES[0], NSETS[0], free_reg_req_data_i};

  // ---- the marked thread and entry -----------------------------------------------------------------
  reg [THREAD_W-1:0] thread_q;
  reg [COUNT_W-1:0] entry_q;
  // which numbers are threads
  wire [(1<<THREAD_W)-1:0] threads = {(1<<THREAD_W){1'b1}} >> ((1 << THREAD_W) - THREADS);
  wire [THREAD_W-1:0] any_thread = threads[free_mark_i[THREAD_W-1:0]] ? free_mark_i[THREAD_W-1:0]
                                   : {THREAD_W{1'b0}};
  wire [COUNT_W-1:0] any_entry = free_mark_i[32+:COUNT_W];
  always @(posedge clk_i)
    if (rst_i) begin
      thread_q <= any_thread;
      entry_q <= any_entry < MAX_DEPTH[COUNT_W-1:0] ? any_entry : {COUNT_W{1'b0}};
    end
  wire [COUNT_W+SET_LG:0] entry_x = {{SET_LG+1{1'b0}}, entry_q};
  wire [COUNT_W+SET_LG:0] set_x = entry_x >> SET_LG;
  wire [ADDR_W+COUNT_W+SET_LG:0] set_addr_x = {{ADDR_W{1'b0}}, set_x} << SET_BYTES_LG;
  wire [ADDR_W+THREAD_W-1:0] region_x = {{ADDR_W{1'b0}}, thread_q} << STRIDE_MAX;
  wire [ADDR_W-1:0] marked_addr = region_x[ADDR_W-1:0] + set_addr_x[ADDR_W-1:0];
  wire unused_mark = &{1'b0, set_addr_x, region_x};
  wire [SET-1:0] place = {{SET-1{1'b0}}, 1'b1} << (entry_x & (SET - 1));  // one-hot place in the set

  assign mark_o = {{32-THREAD_W{1'b0}}, thread_q};

  // ---- operations ----------------------------------------------------------------------------------
  assign op_valid_i = free_op_valid_i;
  assign op_kind_i = free_op_kind_i;
  assign op_thread_i = free_op_thread_i;
  assign op_data_i = free_op_data_i;
  wire in_range = threads[op_thread_i];
  wire taken = op_valid_i && in_range && !rst_i
    && (op_kind_i == PUSH ? can_push_o[op_thread_i]
        : op_kind_i == INIT ? can_init_o : op_kind_i < INIT && can_top_o[op_thread_i]);
  wire mine = op_thread_i == thread_q;

  // What was taken LATENCY cycles ago.
  reg [LATENCY-1:0] past_q;
  reg [LATENCY*3-1:0] kind_q;
  reg [LATENCY*THREAD_W-1:0] of_q;
  reg [LATENCY*ENTRY_W-1:0] data_q;
  always @(posedge clk_i) begin
    past_q <= rst_i ? {LATENCY{1'b0}} : {past_q[LATENCY-2:0], taken};
    kind_q <= {kind_q[LATENCY*3-4:0], op_kind_i};
    of_q <= {of_q[(LATENCY-1)*THREAD_W-1:0], op_thread_i};
    data_q <= {data_q[(LATENCY-1)*ENTRY_W-1:0], op_data_i};
  end
  wire due = past_q[LATENCY-1] && !rst_i;
  wire [2:0] kind = kind_q[LATENCY*3-1-:3];
  wire [THREAD_W-1:0] of = of_q[LATENCY*THREAD_W-1-:THREAD_W];
  wire [ENTRY_W-1:0] data = data_q[LATENCY*ENTRY_W-1-:ENTRY_W];
  wire of_mark = due && of == thread_q;
  assign bad_answer_o = !rst_i && (ans_valid_o != due || (due && (ans_kind_o != kind || ans_thread_o != of)));

  // ---- the marked thread's stack, as its answers say it --------------------------------------------
  reg [COUNT_W-1:0] count_q;
  reg [ENTRY_W-1:0] value_q;                // the marked entry, while count > entry
  wire ok = of_mark && ans_status_o == OK;
  wire full = count_q >= MAX_DEPTH[COUNT_W-1:0];
  wire empty = count_q == {COUNT_W{1'b0}};
  wire top_kind = kind == POP || kind == PEEK || kind == REPLACE;
  wire at_mark = count_q == entry_q + 1'b1; // the top is the marked entry
  wire writes = ok && ((kind == PUSH && count_q == entry_q) || (kind == REPLACE && at_mark));
  wire leaves = ok && ((kind == POP && at_mark) || kind == INIT);
  always @(posedge clk_i) begin
    if (rst_i || (ok && kind == INIT)) count_q <= {COUNT_W{1'b0}};
    else if (ok && kind == PUSH) count_q <= count_q + 1'b1;
    else if (ok && kind == POP) count_q <= count_q - 1'b1;
    if (writes) value_q <= data;
  end
  assign bad_status_o = of_mark && ans_status_o != FAULT
    && ans_status_o != (kind == PUSH && full ? OVERFLOW : top_kind && empty ? UNDERFLOW : OK);
  assign bad_valid_o = !rst_i && ans_data_valid_o
    != (ans_valid_o && (ans_kind_o == POP || ans_kind_o == PEEK) && ans_status_o == OK);
  localparam COMPARED = (BITS != 0 && BITS < ENTRY_W) ? BITS : ENTRY_W;
  assign bad_data_o = ok && (kind == POP || kind == PEEK) && at_mark
    && ans_data_o[COMPARED-1:0] != value_q[COMPARED-1:0];

  // ---- memory --------------------------------------------------------------------------------------
  reg [TAGS-1:0] out_q;                     // accesses under way
  reg [TAGS-1:0] old_q;                     // of these, begun before an init of the marked thread
  reg [INFLIGHT-1:0] read_q, write_q;       // accesses to the marked set
  reg [SLOT_BITS-1:0] word_q;               // the marked entry in memory
  reg offer_q;
  reg [TAG_W-1:0] offer_tag_q;
  reg [SET_BYTES*8-1:0] offer_data_q;
  reg [1:0] offer_error_q;

  wire [THREAD_W-1:0] req_thread = mem_req_tag_o[TAG_W-1:CLASS_W];
  wire [CLASS_W-1:0] req_class = mem_req_tag_o[CLASS_W-1:0];
  wire req_mark = mem_req_valid_o && req_thread == thread_q && mem_req_addr_o == marked_addr;
  wire req_taken = mem_req_valid_o && mem_req_ready_i;
  wire rsp_taken = mem_rsp_valid_i && mem_rsp_ready_o;
  wire [CLASS_W-1:0] rsp_class = mem_rsp_tag_i[CLASS_W-1:0];
  wire rsp_mine = mem_rsp_tag_i[TAG_W-1:CLASS_W] == thread_q;

  // A prompt memory: nothing of the marked thread waits longer than PROMPT cycles to be taken or answered.
  wire push_req, push_rsp;
  wire [TAG_W-1:0] push_tag;
  generate
    if (PROMPT != 0) begin : g_prompt
      reg [7:0] stall_q;
      reg [INFLIGHT*8-1:0] age_q;
      reg [CLASS_W-1:0] oldest;
      reg late;
      integer c;
      always @* begin
        late = 1'b0;
        oldest = {CLASS_W{1'b0}};
        for (c = 0; c < INFLIGHT; c = c + 1)
          if (age_q[c*8+:8] >= PROMPT[7:0]) begin
            late = 1'b1;
            oldest = c[CLASS_W-1:0];
          end
      end
      always @(posedge clk_i) begin
        stall_q <= (rst_i || !mem_req_valid_o || mem_req_ready_i) ? 8'd0 : stall_q + 1'b1;
        for (c = 0; c < INFLIGHT; c = c + 1)
          if (rst_i || !out_q[{thread_q, c[CLASS_W-1:0]}]) age_q[c*8+:8] <= 8'd0;
          else if (age_q[c*8+:8] < PROMPT[7:0]) age_q[c*8+:8] <= age_q[c*8+:8] + 1'b1;
      end
      assign push_req = stall_q >= PROMPT[7:0];
      assign push_rsp = late;
      assign push_tag = {thread_q, oldest};
    end else begin : g_slow
      assign push_req = 1'b0;
      assign push_rsp = 1'b0;
      assign push_tag = {TAG_W{1'b0}};
    end
  endgenerate
  assign mem_req_ready_i = free_mem_req_ready_i || push_req;

  wire [TAG_W-1:0] new_tag = push_rsp ? push_tag : free_mem_rsp_tag_i;
  wire new_offer = (free_mem_rsp_valid_i || push_rsp) && out_q[new_tag];
  assign mem_rsp_valid_i = offer_q || new_offer;
  assign mem_rsp_tag_i = offer_q ? offer_tag_q : new_tag;
  assign mem_rsp_error_i = offer_q ? offer_error_q : (ERRORS != 0) ? free_mem_rsp_error_i : 2'd0;
  wire reads_mark = rsp_mine && read_q[rsp_class];
  wire [SET_BYTES*8-1:0] other_data = offer_q ? offer_data_q : free_mem_rsp_data_i;
  genvar i;
  generate
    for (i = 0; i < SET; i = i + 1) begin : g_word
      assign mem_rsp_data_i[i*SLOT_BITS+:SLOT_BITS] =
        (reads_mark && place[i]) ? word_q : other_data[i*SLOT_BITS+:SLOT_BITS];
    end
  endgenerate

  wire [SET*SLOT_BITS-1:0] req_words = mem_req_data_o;
  reg [SLOT_BITS-1:0] req_word;             // the marked entry in a request,
  // and whether it is written: a flush writes what is there of a set
  reg req_word_strb;
  integer j;
  always @* begin
    req_word = {SLOT_BITS{1'b0}};
    req_word_strb = 1'b0;
    for (j = 0; j < SET; j = j + 1)
      if (place[j]) begin
        req_word = req_words[j*SLOT_BITS+:SLOT_BITS];
        req_word_strb = mem_req_strb_o[j*ENTRY_BYTES];
      end
  end

  integer k;
  always @(posedge clk_i) begin
    offer_q <= mem_rsp_valid_i && !mem_rsp_ready_o && !rst_i;
    offer_tag_q <= mem_rsp_tag_i;
    offer_data_q <= other_data;
    offer_error_q <= mem_rsp_error_i;
    if (rst_i) begin
      out_q <= 0;
      old_q <= 0;
      read_q <= {INFLIGHT{1'b0}};
      write_q <= {INFLIGHT{1'b0}};
    end else begin
      if (rsp_taken) out_q[mem_rsp_tag_i] <= 1'b0;
      if (rsp_taken && rsp_mine) read_q[rsp_class] <= 1'b0;
      if (rsp_taken && rsp_mine) write_q[rsp_class] <= 1'b0;
      if (req_taken) out_q[mem_req_tag_o] <= 1'b1;
      if (req_taken && req_mark) read_q[req_class] <= !mem_req_write_o;
      if (req_taken && req_mark) write_q[req_class] <= mem_req_write_o;
      // All accesses of the thread that have begun when its init is answered are from before it.
      for (k = 0; k < INFLIGHT; k = k + 1)
        if (ok && kind == INIT && (out_q[{thread_q, k[CLASS_W-1:0]}]
                                   || (mem_req_valid_o && mem_req_tag_o == {thread_q, k[CLASS_W-1:0]})))
          old_q[{thread_q, k[CLASS_W-1:0]}] <= 1'b1;
      if (rsp_taken) old_q[mem_rsp_tag_i] <= 1'b0;
    end
    if (req_taken && req_mark && mem_req_write_o && req_word_strb) word_q <= req_word;
  end

  // ---- faults --------------------------------------------------------------------------------------
  wire error_now = rsp_taken && rsp_mine && mem_rsp_error_i != 2'd0 && !old_q[mem_rsp_tag_i];
  reg [LATENCY+1:0] error_q;                // errors taken, by age; the oldest bit stays
  reg faulted_q;                            // has answered so
  always @(posedge clk_i) begin
    if (rst_i || (ok && kind == INIT)) begin
      error_q <= {LATENCY+2{1'b0}};
      faulted_q <= 1'b0;
    end else begin
      error_q <= {error_q[LATENCY:0] | {error_q[LATENCY+1], {LATENCY{1'b0}}}, error_now};
      faulted_q <= faulted_q || (of_mark && ans_status_o == FAULT);
    end
  end
  wire says_fault = of_mark && ans_status_o == FAULT;
  wire must_fault = faulted_q || error_q[LATENCY+1];
  wire may_fault = must_fault || error_now || error_q != {LATENCY+2{1'b0}};
  assign bad_fault_o = of_mark && (kind == INIT ? says_fault : says_fault ? !may_fault : must_fault);

  // ---- spills of the marked set --------------------------------------------------------------------
  // Offered: memory was offered the set since the marked entry last changed. A push of the entry that takes
  // the marked one's place on chip needs that.
  reg offered_q;
  wire offers = req_mark && mem_req_write_o && req_word_strb;
  wire [COUNT_W:0] taker = {1'b0, entry_q} + ENTRIES[COUNT_W:0];
  wire evicts = ok && kind == PUSH && {1'b0, count_q} >> SET_LG == taker >> SET_LG;
  always @(posedge clk_i)
    if (rst_i || writes || leaves) offered_q <= 1'b0;
    else if (offers) offered_q <= 1'b1;
  assign bad_dirty_o = !rst_i && evicts && !offered_q;
  // What memory holds, or will once it takes the request.
  wire [COMPARED-1:0] word_now = offers ? req_word[COMPARED-1:0] : word_q[COMPARED-1:0];
  assign bad_stale_o = !rst_i && evicts && offered_q && word_now != value_q[COMPARED-1:0];

  // ---- requests ------------------------------------------------------------------------------------
  reg stalled_q, stalled_write_q;
  reg [TAG_W-1:0] stalled_tag_q;
  reg [ADDR_W-1:0] stalled_addr_q;
  reg [SET_BYTES*8-1:0] stalled_data_q;
  reg [SET_BYTES-1:0] stalled_strb_q;
  always @(posedge clk_i) begin
    stalled_q <= mem_req_valid_o && !mem_req_ready_i && !rst_i;
    stalled_write_q <= mem_req_write_o;
    stalled_tag_q <= mem_req_tag_o;
    stalled_addr_q <= mem_req_addr_o;
    stalled_data_q <= mem_req_data_o;
    stalled_strb_q <= mem_req_strb_o;
  end
  assign bad_stable_o = !rst_i && stalled_q
    && (!mem_req_valid_o || mem_req_write_o != stalled_write_q || mem_req_tag_o != stalled_tag_q
        || mem_req_addr_o != stalled_addr_q
        || (mem_req_write_o && (mem_req_data_o != stalled_data_q || mem_req_strb_o != stalled_strb_q)));
  assign bad_tag_o = !rst_i && mem_req_valid_o && req_thread == thread_q && out_q[mem_req_tag_o];
  wire writing = write_q != {INFLIGHT{1'b0}}, reading = read_q != {INFLIGHT{1'b0}};
  assign bad_order_o = !rst_i && req_mark && (writing || (mem_req_write_o && reading));

  wire [ADDR_W-1:0] req_region = mem_req_addr_o >> STRIDE_MAX;
  wire [ADDR_W-1:0] in_region = mem_req_addr_o & ~({ADDR_W{1'b1}} << STRIDE_MAX);
  wire unaligned = SET_BYTES > 1 && (mem_req_addr_o & (SET_BYTES - 1)) != {ADDR_W{1'b0}};
  wire beyond = in_region >= SETS * SET_BYTES;
  wire [SET-1:0] padding;
  generate
    for (i = 0; i < SET; i = i + 1) begin : g_padding
      if (SLOT_BITS > ENTRY_W) begin : g_some
        assign padding[i] = |mem_req_data_o[i*SLOT_BITS+ENTRY_W+:SLOT_BITS-ENTRY_W];
      end else begin : g_none
        assign padding[i] = 1'b0;
      end
    end
  endgenerate
  assign bad_region_o = !rst_i && mem_req_valid_o && (req_thread == thread_q || !threads[req_thread])
    && (!threads[req_thread] || {{THREAD_W{1'b0}}, req_region} != {{ADDR_W{1'b0}}, req_thread}
        || unaligned || beyond
        || (mem_req_write_o && (!(&mem_req_strb_o) || (|padding))));

  // ---- can-go bits ---------------------------------------------------------------------------------
  reg could_push_q, could_top_q, same_q;
  wire can_push = can_push_o[thread_q], can_top = can_top_o[thread_q];
  wire cycle_taken = can_push_o == {THREADS{1'b0}} && can_top_o == {THREADS{1'b0}};
  always @(posedge clk_i) begin
    could_push_q <= can_push && !rst_i;
    could_top_q <= can_top && !rst_i;
    same_q <= taken && mine;
  end
  assign bad_sticky_o = !rst_i && !same_q && !cycle_taken
    && ((could_push_q && !can_push) || (could_top_q && !can_top));

  reg [10:0] since_reset_q;
  always @(posedge clk_i)
    if (rst_i) since_reset_q <= 11'd0;
    else if (since_reset_q < THREADS[10:0] + 11'd1) since_reset_q <= since_reset_q + 11'd1;
  assign bad_start_o = !rst_i && since_reset_q == THREADS[10:0] + 11'd1 && !can_init_o;

  // ---- waiting -------------------------------------------------------------------------------------
  generate
    if (PROMPT != 0) begin : g_wait
      reg [7:0] push_wait_q, top_wait_q;
      reg counts_q;                         // from the first cycle on, whatever the state is
      initial counts_q = 1'b0;
      wire again = taken && (BUSY == 0 || mine);
      always @(posedge clk_i) begin
        counts_q <= 1'b1;
        push_wait_q <= (rst_i || !can_init_o || can_push || again) ? 8'd0
                       : (counts_q ? push_wait_q : 8'd0) + 1'b1;
        top_wait_q <= (rst_i || !can_init_o || can_top || again) ? 8'd0
                      : (counts_q ? top_wait_q : 8'd0) + 1'b1;
      end
      assign bad_wait_push_o = !rst_i && counts_q && push_wait_q > SERVED[7:0];
      assign bad_wait_top_o = !rst_i && counts_q && top_wait_q > SERVED[7:0];
    end else begin : g_wait
      assign bad_wait_push_o = 1'b0;
      assign bad_wait_top_o = 1'b0;
    end
  endgenerate

  // ---- registers: reads and writes of CONTROL, so that limit, base and stride keep their reset values
  localparam [9:0] DEPTH = 10'h028, CONTROL = 10'h040;
  assign reg_req_valid_i = (REGS != 0 || FLUSH != 0) && free_reg_req_valid_i;
  assign reg_req_write_i = FLUSH != 0 && free_reg_req_write_i;
  assign reg_req_addr_i = reg_req_write_i ? CONTROL : free_reg_req_addr_i;
  assign reg_req_data_i = (FLUSH != 0) ? {30'd0, free_reg_req_data_i[1:0]} : 32'd0;
  // Thread 0's depth: while the marked thread is 0 and nothing of it is in flight, exactly the count.
  reg read_depth_q;
  reg [3:0] quiet_q;
  always @(posedge clk_i) begin
    if (reg_req_valid_i && reg_req_ready_o) read_depth_q <= reg_req_addr_i == DEPTH;
    if (rst_i || (taken && mine)) quiet_q <= 4'd0;
    else if (quiet_q != 4'd15) quiet_q <= quiet_q + 1'b1;
  end
  assign bad_depth_o = REGS != 0 && !rst_i && reg_rsp_valid_o && read_depth_q && thread_q == {THREAD_W{1'b0}}
    && quiet_q > 4'd7 && reg_rsp_data_o != {{32-COUNT_W{1'b0}}, count_q};

  // ---- negative acknowledge: no register is written here, so only resets and loads clear it --------
  generate
    if (STATUS != 0) begin : g_nack
      // A load may order flushes on halt: the error of a flush's write is reported two cycles later.
      reg nacked_q, done_q, reset_q, clear_q, was_reset_q, must_q, loaded_q;
      reg [2:0] refused_q, quiet_done_q;
      wire refused = rsp_taken && mem_rsp_error_i != 2'd0;
      always @(posedge clk_i) begin
        nacked_q <= nack_o && !rst_i;
        refused_q <= rst_i ? 3'd0 : {refused_q[1:0], refused};
        quiet_done_q <= rst_i ? 3'd0 : {quiet_done_q[1:0], !ctx_done_o};
        done_q <= ctx_done_o && !rst_i;
        loaded_q <= !rst_i && (loaded_q || ctx_done_o);
        reset_q <= cmd_reset_i && !rst_i;   // the unit clears itself in this cycle
        clear_q <= reset_q && !rst_i;
        was_reset_q <= !rst_i && (was_reset_q || cmd_reset_i);
        must_q <= refused && !was_reset_q && !loaded_q && !rst_i;
      end
      wire must = must_q || (loaded_q && refused_q[2] && &quiet_done_q && !was_reset_q);
      assign bad_nack_o = !rst_i
                          && (nack_o ? !nacked_q && !refused_q[0] && !done_q && !(loaded_q && refused_q[2])
                                            : must || (nacked_q && !done_q && !clear_q));
    end else begin : g_no_nack
      wire unused_nack = &{1'b0, nack_o, ctx_done_o};
      assign bad_nack_o = 1'b0;
    end
  endgenerate

  // ---- halts, resets, contexts: at will, or within the contract: contexts move under a halt that lasts
  // until they are done
  generate
    if (STATUS != 0) begin : g_halt
      reg halt_q, reset_q;                  // as the unit sees them
      reg moves_q;
      wire may_move = FLUSH == 0 && (HALTS == 0 || (halt_q && !reset_q && !moves_q));
      wire moves = HALTS != 0 && (moves_q || ctx_cmd_valid_i);
      assign ctx_cmd_valid_i = free_ctx_cmd_valid_i && may_move;
      assign cmd_halt_i = free_cmd_halt_i || moves;
      assign cmd_reset_i = free_cmd_reset_i && !moves && FLUSH == 0;
      always @(posedge clk_i) moves_q <= !rst_i
                                         && (moves_q ? !ctx_done_o : ctx_cmd_valid_i && ctx_cmd_ready_o);
      localparam STATE_W = (STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5;
      localparam [4:0] HALTED = (STATUS == 2) ? 5'b01010 : (STATUS == 3) ? 5'b00100 : 5'b10000;
      localparam [31:0] LATEST = HALT_OWN, WALK = THREADS;  // cycles that a reset takes for the stacks
      reg may_q, stays_q;                   // the cycle before had a request and no reset, was halted
      reg [10:0] walk_q;
      // cycles of the request, of those behind a reset or the last answer
      reg [4:0] since_q;
      wire halted = state_o == HALTED[STATE_W-1:0];
      wire open = mem_req_valid_o || (|out_q);
      always @(posedge clk_i) begin
        halt_q <= cmd_halt_i && !rst_i;
        reset_q <= cmd_reset_i && !rst_i;
        may_q <= halt_q && !reset_q && !rst_i;
        stays_q <= halted && halt_q && !reset_q && !rst_i;
        walk_q <= (rst_i || reset_q) ? WALK[10:0] : walk_q - {10'd0, walk_q != 11'd0};
        if (rst_i || reset_q || !halt_q || halted || open || walk_q != 11'd0) since_q <= 5'd0;
        else since_q <= since_q + {4'd0, since_q != LATEST[4:0]};
      end
      assign bad_closed_o = !rst_i && (halt_q || halted || reset_q)
        && (can_init_o || can_push_o != {THREADS{1'b0}} || can_top_o != {THREADS{1'b0}});
      assign bad_halted_o = !rst_i && (halted ? !may_q || ans_valid_o || open
                                              : stays_q || (halt_q && !open && since_q == LATEST[4:0]));
      // A write of CONTROL counts from three cycles behind its answer on.
      // the value and kind of an access under way; the last that counts, for this halt
      reg written_q, wrote_q, on_halt_q, flushes_q;
      reg [1:0] age_q;
      wire writes_control = reg_req_valid_i && reg_req_write_i,
           done = wrote_q && reg_rsp_valid_o && !reg_rsp_error_o;
      always @(posedge clk_i) begin
        if (reg_req_valid_i && reg_req_ready_o) {wrote_q, written_q} <= {reg_req_write_i, reg_req_data_i[1]};
        if (rst_i || writes_control) age_q <= 2'd0;
        else if (age_q != 2'd0 || done) age_q <= age_q + {1'b0, age_q != 2'd3};
        if (rst_i) on_halt_q <= 1'b0;
        else if (age_q == 2'd0 && done) on_halt_q <= written_q;
        flushes_q <= !rst_i && cmd_halt_i && (halt_q ? flushes_q : FLUSH != 0 && age_q == 2'd3 && on_halt_q);
      end
      assign bad_flushed_o = !rst_i && halted && flushes_q && count_q > entry_q && !may_fault
        && word_q[ENTRY_W-1:0] != value_q;
    end else begin : g_no_halt
      wire unused_halt = &{1'b0, state_o, HALT_OWN[0], HALTS[0], ctx_cmd_ready_o, reg_rsp_error_o,
                           CONTROL[0]};
      assign ctx_cmd_valid_i = free_ctx_cmd_valid_i;
      assign cmd_halt_i = free_cmd_halt_i;
      assign cmd_reset_i = free_cmd_reset_i;
      assign bad_closed_o = 1'b0;
      assign bad_halted_o = 1'b0;
      assign bad_flushed_o = 1'b0;
    end
  endgenerate

  // ---- reachable -----------------------------------------------------------------------------------
  reg restored_q, was_faulted_q;
  always @(posedge clk_i) begin
    if (rst_i || writes || leaves) restored_q <= 1'b0;
    else if (rsp_taken && reads_mark) restored_q <= 1'b1;
    if (rst_i) was_faulted_q <= 1'b0;
    else if (faulted_q) was_faulted_q <= 1'b1;
  end
  assign cover_restored_o = ok && kind == POP && at_mark && restored_q;
  assign cover_full_o = of_mark && ans_status_o == OVERFLOW;
  assign cover_fault_o = ok && kind == PUSH && was_faulted_q;
endmodule

`default_nettype wire
