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
  parameter INFLIGHT = 2,
  parameter STEAL = 16,
  parameter ADDR_W = 16,
  parameter THREAD_W = 1,
  parameter COUNT_W = 4,
  parameter CLASS_W = 1,
  parameter ENTRY_BYTES = 1,
  parameter SET_BYTES = 2,
  parameter MEM_BEATS = 1,
  parameter TAG_W = 2,
  parameter STRIDE_MAX = 3,
  parameter LATENCY = 4,
  parameter GAP = 4,
  parameter HOLD = 6,
  parameter HOLD_LOST = 5,
  // Options of a task.
  parameter ERRORS = 0,   // the memory may answer with an error
  parameter REGS = 0,     // the register port reads at will
  parameter PROMPT = 0,   // not 0: the memory lets nothing of the marked thread wait for so many cycles
  parameter SERVED = 16   // cycles that a thread may wait then, from the last operation of any thread
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
  input  wire can_go_o,

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
  input  wire [SET_BYTES/MEM_BEATS*8-1:0] mem_req_data_o,
  input  wire [SET_BYTES/MEM_BEATS-1:0] mem_req_strb_o,

  input  wire free_mem_rsp_valid_i,
  input  wire [TAG_W-1:0] free_mem_rsp_tag_i,
  input  wire [SET_BYTES/MEM_BEATS*8-1:0] free_mem_rsp_data_i,
  input  wire [1:0] free_mem_rsp_error_i,
  output wire mem_rsp_valid_i,
  input  wire mem_rsp_ready_o,
  output wire [TAG_W-1:0] mem_rsp_tag_i,
  output wire [SET_BYTES/MEM_BEATS*8-1:0] mem_rsp_data_i,
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

  // SC-3: one answer per operation taken, its thread and kind, in order, after LATENCY
  output wire bad_answer_o,
  output wire bad_alone_o,      // SC-3: no operation is taken within GAP cycles of another one of its thread
  // SC-12: overflow, underflow, fault and ok exactly when due; count = pushes - pops
  output wire bad_status_o,
  output wire bad_valid_o,      // SC-3: data with pop and peek that are ok, and only then
  output wire bad_data_o,       // SC-4: pop and peek return what was pushed or put there last, of this thread
  output wire bad_fault_o,      // SC-12: fault after an error of an access begun since init, and until init
  output wire bad_dirty_o,      // SC-11: no set is overwritten before memory was offered its content
  // SC-6: what memory was offered last is what the set holds when it leaves the chip
  output wire bad_stale_o,
  output wire bad_stable_o,     // SC-10: a stalled request holds still
  output wire bad_tag_o,        // SC-10: no tag is used again before its answer
  output wire bad_order_o,      // SC-10: no access to a set during a write of it, no write during a read
  // SC-2: aligned, in the thread's own region; writes are whole sets, padding zero
  output wire bad_region_o,
  // SC-9 SC-11: without an operation of its thread a bit falls with the other one, and rises again in time
  output wire bad_hold_o,
  output wire bad_start_o,      // SC-11: operations go from THREADS * INFLIGHT + 1 cycles after reset
  output wire bad_depth_o,      // SC-14: the depth register reads the count
  output wire bad_wait_push_o,  // SC-11: with a prompt memory, a push waits at most SERVED cycles
  output wire bad_wait_top_o,   // SC-11: the same for pop, peek and replace-top
  output wire cover_restored_o, // the marked entry comes back from memory and is popped
  output wire cover_full_o,     // overflow
  output wire cover_fault_o     // fault, then an init, then ok
);
  localparam SETS = (MAX_DEPTH + SET - 1) / SET;
  localparam SET_BYTES_LG = $clog2(SET_BYTES);
  localparam SET_LG = $clog2(SET);
  localparam TAGS = 1 << TAG_W;
  localparam SLOT_BITS = ENTRY_BYTES * 8;
  localparam BANKS = SET / MEM_BEATS;             // entries of a beat
  localparam [4:0] LAST_BEAT = MEM_BEATS - 1;
  localparam PUSH = 3'd0, POP = 3'd1, PEEK = 3'd2, REPLACE = 3'd3, INIT = 3'd4;
  localparam [1:0] OK = 2'd0, OVERFLOW = 2'd1, UNDERFLOW = 2'd2, FAULT = 2'd3;
  wire unused = &{1'b0, free_mark_i, ENTRIES[0], free_reg_req_data_i, free_reg_req_write_i};

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
  wire [COUNT_W+SET_LG:0] in_set = entry_x & (SET - 1);
  wire [BANKS-1:0] place = {{BANKS-1{1'b0}}, 1'b1} << (in_set & (BANKS - 1));  // one-hot place in a beat
  wire [COUNT_W+SET_LG+5:0] in_set_wide = {5'd0, in_set};
  wire [4:0] marked_beat = (MEM_BEATS > 1) ? in_set_wide[4:0] : 5'd0;
  wire unused_set = &{1'b0, in_set_wide};

  // ---- operations ----------------------------------------------------------------------------------
  assign op_valid_i = free_op_valid_i;
  assign op_kind_i = free_op_kind_i;
  assign op_thread_i = free_op_thread_i;
  assign op_data_i = free_op_data_i;
  localparam PLACES = 1 << THREAD_W;
  wire [PLACES:0] push_places = {{PLACES-THREADS+1{1'b0}}, can_push_o};
  wire [PLACES:0] top_places = {{PLACES-THREADS+1{1'b0}}, can_top_o};
  wire [PLACES-1:0] can_push = push_places[PLACES-1:0];
  wire [PLACES-1:0] can_top = top_places[PLACES-1:0];
  wire unused_places = &{1'b0, push_places[PLACES], top_places[PLACES]};
  wire goes = op_kind_i == PUSH ? can_push[op_thread_i]
    : op_kind_i == INIT ? can_push[op_thread_i] || can_top[op_thread_i]
    : op_kind_i < INIT && can_top[op_thread_i];
  wire taken = op_valid_i && threads[op_thread_i] && can_go_o && goes && !rst_i;
  wire mine = op_thread_i == thread_q;

  // What was taken LATENCY cycles ago.
  reg [LATENCY-1:0] past_q;
  reg [LATENCY*3-1:0] kind_q;
  reg [LATENCY*THREAD_W-1:0] of_q;
  reg [LATENCY*ENTRY_W-1:0] data_q;
  reg [2:0] gap_q;                          // cycles in which the thread cannot go again
  localparam [2:0] LAST_GAP = GAP - 1;
  always @(posedge clk_i) begin
    past_q <= rst_i ? {LATENCY{1'b0}} : {past_q[LATENCY-2:0], taken};
    kind_q <= {kind_q[LATENCY*3-4:0], op_kind_i};
    of_q <= {of_q[(LATENCY-1)*THREAD_W-1:0], op_thread_i};
    data_q <= {data_q[(LATENCY-1)*ENTRY_W-1:0], op_data_i};
    if (rst_i) gap_q <= 3'd0;
    else if (taken && mine) gap_q <= LAST_GAP;
    else if (gap_q != 3'd0) gap_q <= gap_q - 3'd1;
  end
  assign bad_alone_o = taken && mine && gap_q != 3'd0;
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
  assign bad_data_o = ok && (kind == POP || kind == PEEK) && at_mark && ans_data_o != value_q;

  // ---- memory --------------------------------------------------------------------------------------
  reg [TAGS-1:0] out_q;                     // accesses under way
  reg [TAGS-1:0] is_write_q;
  reg [TAGS-1:0] old_q;                     // of these, begun before an init of the marked thread; perhaps
  reg [TAGS-1:0] unsure_q;
  reg [INFLIGHT-1:0] read_q, write_q;       // accesses to the marked set
  reg [SLOT_BITS-1:0] word_q;               // the marked entry in memory
  reg offer_q;
  reg [TAG_W-1:0] offer_tag_q;
  reg [BANKS*SLOT_BITS-1:0] offer_data_q;
  reg [1:0] offer_error_q;
  reg [4:0] asked_q, told_q;                // beats taken of the request, of the answer
  reg told_error_q;                         // one of them had an error

  wire [THREAD_W-1:0] req_thread = mem_req_tag_o[TAG_W-1:CLASS_W];
  wire [CLASS_W-1:0] req_class = mem_req_tag_o[CLASS_W-1:0];
  wire req_mine = mem_req_valid_o && req_thread == thread_q;
  wire req_mark = req_mine && mem_req_addr_o == marked_addr;
  wire req_beat = mem_req_valid_o && mem_req_ready_i;
  wire req_taken = req_beat && (!mem_req_write_o || asked_q == LAST_BEAT);
  wire rsp_beat = mem_rsp_valid_i && mem_rsp_ready_o;
  wire rsp_taken = rsp_beat && (is_write_q[mem_rsp_tag_i] || told_q == LAST_BEAT);
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
      assign push_rsp = late || told_q != 5'd0;
      assign push_tag = {thread_q, oldest};
    end else begin : g_slow
      assign push_req = 1'b0;
      assign push_rsp = 1'b0;
      assign push_tag = {TAG_W{1'b0}};
    end
  endgenerate
  assign mem_req_ready_i = free_mem_req_ready_i || push_req;

  // offer_tag_q: of the answer whose beats are coming, too
  wire [TAG_W-1:0] new_tag = told_q != 5'd0 ? offer_tag_q : push_rsp ? push_tag : free_mem_rsp_tag_i;
  wire new_offer = (free_mem_rsp_valid_i || push_rsp) && out_q[new_tag];
  assign mem_rsp_valid_i = offer_q || new_offer;
  assign mem_rsp_tag_i = offer_q ? offer_tag_q : new_tag;
  assign mem_rsp_error_i = offer_q ? offer_error_q : (ERRORS != 0) ? free_mem_rsp_error_i : 2'd0;
  wire reads_mark = rsp_mine && read_q[rsp_class] && told_q == marked_beat;
  wire [BANKS*SLOT_BITS-1:0] other_data = offer_q ? offer_data_q : free_mem_rsp_data_i;
  genvar i;
  generate
    for (i = 0; i < BANKS; i = i + 1) begin : g_word
      assign mem_rsp_data_i[i*SLOT_BITS+:SLOT_BITS] =
        (reads_mark && place[i]) ? word_q : other_data[i*SLOT_BITS+:SLOT_BITS];
    end
  endgenerate

  reg [SLOT_BITS-1:0] req_word;             // the marked entry in a request
  integer j;
  always @* begin
    req_word = {SLOT_BITS{1'b0}};
    for (j = 0; j < BANKS; j = j + 1)
      if (place[j]) req_word = mem_req_data_o[j*SLOT_BITS+:SLOT_BITS];
  end
  wire offers = req_mark && mem_req_write_o;
  wire offers_word = offers && asked_q == marked_beat;

  // What is begun soon after an init may have been asked for before it, in a look that was waiting.
  localparam [7:0] SURELY = 8, PERHAPS = 32 + STEAL;
  reg [7:0] since_init_q;
  reg stalled_q;
  wire fresh = req_mine && !stalled_q && asked_q == 5'd0;
  integer k;
  always @(posedge clk_i) begin
    offer_q <= mem_rsp_valid_i && !mem_rsp_ready_o && !rst_i;
    offer_tag_q <= mem_rsp_tag_i;
    offer_data_q <= other_data;
    offer_error_q <= mem_rsp_error_i;
    if (rst_i || req_taken) asked_q <= 5'd0;
    else if (req_beat) asked_q <= asked_q + 5'd1;
    if (rst_i || rsp_taken) told_q <= 5'd0;
    else if (rsp_beat) told_q <= told_q + 5'd1;
    told_error_q <= !rst_i && !rsp_taken && (told_error_q || (rsp_beat && mem_rsp_error_i != 2'd0));
    if (ok && kind == INIT) since_init_q <= 8'd0;
    else if (rst_i) since_init_q <= PERHAPS;
    else if (since_init_q != PERHAPS) since_init_q <= since_init_q + 8'd1;
    if (rst_i) begin
      out_q <= 0;
      old_q <= 0;
      unsure_q <= 0;
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
      if (fresh && since_init_q < SURELY) old_q[mem_req_tag_o] <= 1'b1;
      if (fresh && since_init_q < PERHAPS) unsure_q[mem_req_tag_o] <= 1'b1;
      if (rsp_taken) old_q[mem_rsp_tag_i] <= 1'b0;
      if (rsp_taken) unsure_q[mem_rsp_tag_i] <= 1'b0;
    end
    if (req_taken) is_write_q[mem_req_tag_o] <= mem_req_write_o;
    if (req_beat && offers_word) word_q <= req_word;
  end

  // ---- faults --------------------------------------------------------------------------------------
  wire error_now = rsp_taken && rsp_mine && (mem_rsp_error_i != 2'd0 || told_error_q)
    && !old_q[mem_rsp_tag_i];
  reg [LATENCY+1:0] error_q, sure_q;        // errors taken, by age; the oldest bit stays; those that are sure
  reg faulted_q;                            // has answered so
  always @(posedge clk_i) begin
    if (rst_i || (ok && kind == INIT)) begin
      error_q <= {LATENCY+2{1'b0}};
      sure_q <= {LATENCY+2{1'b0}};
      faulted_q <= 1'b0;
    end else begin
      error_q <= {error_q[LATENCY:0] | {error_q[LATENCY+1], {LATENCY{1'b0}}}, error_now};
      sure_q <= {sure_q[LATENCY:0] | {sure_q[LATENCY+1], {LATENCY{1'b0}}},
                 error_now && !unsure_q[mem_rsp_tag_i]};
      faulted_q <= faulted_q || (of_mark && ans_status_o == FAULT);
    end
  end
  wire says_fault = of_mark && ans_status_o == FAULT;
  // An answer in beats is judged some time after its last one.
  wire must_fault = faulted_q || (MEM_BEATS == 1 && sure_q[LATENCY+1]);
  wire may_fault = must_fault || error_now || error_q != {LATENCY+2{1'b0}};
  assign bad_fault_o = of_mark && (kind == INIT ? says_fault : says_fault ? !may_fault : must_fault);

  // ---- spills of the marked set --------------------------------------------------------------------
  // Offered: memory was offered the set since the marked entry last changed. A push of the entry that takes
  // the marked one's place on chip needs that. Of a set in beats, the marked one may not have been seen yet.
  reg offered_q, seen_q;
  wire [COUNT_W:0] taker = {1'b0, entry_q} + ENTRIES[COUNT_W:0];
  wire evicts = ok && kind == PUSH && {1'b0, count_q} >> SET_LG == taker >> SET_LG;
  always @(posedge clk_i)
    if (rst_i || writes || leaves) {offered_q, seen_q} <= 2'b00;
    else begin
      offered_q <= offered_q || offers;
      seen_q <= seen_q || offers_word;
    end
  assign bad_dirty_o = !rst_i && evicts && !offered_q;
  // What memory holds, or will once it takes the request.
  wire [ENTRY_W-1:0] word_now = offers_word ? req_word[ENTRY_W-1:0] : word_q[ENTRY_W-1:0];
  assign bad_stale_o = !rst_i && evicts && seen_q && word_now != value_q;

  // ---- requests ------------------------------------------------------------------------------------
  reg stalled_write_q;
  reg [TAG_W-1:0] stalled_tag_q;
  reg [ADDR_W-1:0] stalled_addr_q;
  reg [BANKS*SLOT_BITS-1:0] stalled_data_q;
  reg [BANKS*ENTRY_BYTES-1:0] stalled_strb_q;
  always @(posedge clk_i) begin
    stalled_q <= mem_req_valid_o && !mem_req_ready_i && !rst_i;
    stalled_write_q <= mem_req_write_o;
    stalled_tag_q <= mem_req_tag_o;
    stalled_addr_q <= mem_req_addr_o;
    stalled_data_q <= mem_req_data_o;
    stalled_strb_q <= mem_req_strb_o;
  end
  wire same = mem_req_valid_o && mem_req_write_o == stalled_write_q && mem_req_tag_o == stalled_tag_q
    && mem_req_addr_o == stalled_addr_q;
  wire same_data = mem_req_data_o == stalled_data_q && mem_req_strb_o == stalled_strb_q;
  assign bad_stable_o = !rst_i && ((stalled_q && (!same || (mem_req_write_o && !same_data)))
                                   || (asked_q != 5'd0 && !same));
  assign bad_tag_o = !rst_i && req_mine && out_q[mem_req_tag_o];
  wire writing = write_q != {INFLIGHT{1'b0}}, reading = read_q != {INFLIGHT{1'b0}};
  assign bad_order_o = !rst_i && req_mark && (writing || (mem_req_write_o && reading));

  wire [ADDR_W-1:0] req_region = mem_req_addr_o >> STRIDE_MAX;
  wire [ADDR_W-1:0] in_region = mem_req_addr_o & ~({ADDR_W{1'b1}} << STRIDE_MAX);
  wire unaligned = SET_BYTES > 1 && (mem_req_addr_o & (SET_BYTES - 1)) != {ADDR_W{1'b0}};
  wire beyond = in_region >= SETS * SET_BYTES;
  wire [BANKS-1:0] padding;
  generate
    for (i = 0; i < BANKS; i = i + 1) begin : g_padding
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
  localparam [15:0] HELD = HOLD + HOLD_LOST;
  wire push_bit = can_push[thread_q], top_bit = can_top[thread_q];
  reg could_push_q, could_top_q, same_q;
  reg push_held_q, top_held_q;              // it fell so, and has not risen
  reg [15:0] held_q;
  always @(posedge clk_i) begin
    could_push_q <= push_bit && !rst_i;
    could_top_q <= top_bit && !rst_i;
    same_q <= taken && mine;
    push_held_q <= !rst_i && !push_bit && (push_held_q || (could_push_q && !same_q));
    top_held_q <= !rst_i && !top_bit && (top_held_q || (could_top_q && !same_q));
    held_q <= (push_held_q || top_held_q) && !rst_i ? held_q + 16'd1 : 16'd0;
  end
  wire falls = !same_q && ((could_push_q && !push_bit) || (could_top_q && !top_bit));
  assign bad_hold_o = !rst_i && ((falls && (push_bit || top_bit)) || held_q >= HELD);

  localparam [16:0] WALK = THREADS * INFLIGHT;
  reg [16:0] since_reset_q;
  always @(posedge clk_i)
    if (rst_i) since_reset_q <= 17'd0;
    else if (since_reset_q <= WALK) since_reset_q <= since_reset_q + 17'd1;
  reg started_q;                            // it has been 1
  always @(posedge clk_i) started_q <= !rst_i && (started_q || can_go_o);
  assign bad_start_o = !rst_i && (since_reset_q < WALK ? can_go_o
                                  : since_reset_q > WALK && !can_go_o && !started_q);

  // ---- waiting -------------------------------------------------------------------------------------
  generate
    if (PROMPT != 0) begin : g_wait
      reg [7:0] push_wait_q, top_wait_q;
      always @(posedge clk_i) begin
        push_wait_q <= (rst_i || push_bit || taken) ? 8'd0 : push_wait_q + 1'b1;
        top_wait_q <= (rst_i || top_bit || taken) ? 8'd0 : top_wait_q + 1'b1;
      end
      assign bad_wait_push_o = !rst_i && push_wait_q > SERVED[7:0];
      assign bad_wait_top_o = !rst_i && top_wait_q > SERVED[7:0];
    end else begin : g_wait
      assign bad_wait_push_o = 1'b0;
      assign bad_wait_top_o = 1'b0;
    end
  endgenerate

  // ---- registers: reads, so that limit, base and stride keep their reset values ----------------------
  localparam [9:0] DEPTH = 10'h028;
  assign reg_req_valid_i = REGS != 0 && free_reg_req_valid_i;
  assign reg_req_write_i = 1'b0;
  assign reg_req_addr_i = free_reg_req_addr_i;
  assign reg_req_data_i = 32'd0;
  // Thread 0's depth: while the marked thread is 0 and nothing of it is in flight, exactly the count.
  reg read_depth_q;
  reg [3:0] quiet_q;
  always @(posedge clk_i) begin
    if (reg_req_valid_i && reg_req_ready_o) read_depth_q <= reg_req_addr_i == DEPTH;
    if (rst_i || (taken && mine)) quiet_q <= 4'd0;
    else if (quiet_q != 4'd15) quiet_q <= quiet_q + 1'b1;
  end
  assign bad_depth_o = REGS != 0 && !rst_i && reg_rsp_valid_o && read_depth_q && thread_q == {THREAD_W{1'b0}}
    && quiet_q > 4'd9 && (reg_rsp_data_o[30:0] != {{31-COUNT_W{1'b0}}, count_q}
                          || (reg_rsp_data_o[31] ? !may_fault : must_fault));

  // ---- reachable -----------------------------------------------------------------------------------
  reg restored_q, was_faulted_q;
  always @(posedge clk_i) begin
    if (rst_i || writes || leaves) restored_q <= 1'b0;
    else if (rsp_taken && rsp_mine && read_q[rsp_class]) restored_q <= 1'b1;
    if (rst_i) was_faulted_q <= 1'b0;
    else if (faulted_q) was_faulted_q <= 1'b1;
  end
  assign cover_restored_o = ok && kind == POP && at_mark && restored_q;
  assign cover_full_o = of_mark && ans_status_o == OVERFLOW;
  assign cover_fault_o = ok && kind == PUSH && was_faulted_q;
endmodule

`default_nettype wire
