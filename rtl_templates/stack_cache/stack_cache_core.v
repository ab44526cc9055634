// SPDX-License-Identifier: Apache-2.0
// stack_cache_core: multi-threaded stack cache with pre-emptive spill and restore, as a barrel.
//
// One LIFO per thread; its top entries are on chip, sets of older ones are written to memory before room is
// short and read back before they are popped. One operation per cycle over all threads, of one thread every
// 4 cycles. An operation is taken when can_go_o and the can-go bit of its thread and kind are 1; its answer
// follows 4 cycles later (5 with OUT_REG), in order, without back-pressure. Memory: valid/ready, tagged, any
// order. Synchronous reset; then THREADS * INFLIGHT cycles clear the state.
// Which cycle does what: docs/stack_cache_design.md.
`default_nettype none

module stack_cache_core #(
  parameter THREADS = 24,
  parameter ENTRY_W = 64,
  parameter ENTRIES = 16,
  parameter SET = 4,
  parameter MAX_DEPTH = 16384,
  parameter POLICY = 0,    // 0 set_boundary, 1 threshold
  parameter FLAGS = 0,     // 0 per_set, 1 per_entry
  parameter OUT_REG = 0,
  parameter MEM_W = 0,     // 0: a set; 1: an entry, a set in beats
  parameter COUNTERS = 1,
  parameter INFLIGHT = 16,
  parameter STEAL = 16,
  parameter ADDR_W = 32,
  parameter STATUS = 0     // 0 none, 1 one_hot, 2 two_of_four, 3 binary
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire op_valid_i,
  input  wire [2:0] op_kind_i,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] op_thread_i,
  input  wire [ENTRY_W-1:0] op_data_i,
  output wire [THREADS-1:0] can_push_o,
  output wire [THREADS-1:0] can_top_o,
  output wire can_go_o,

  output reg  ans_valid_o,
  output reg  [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] ans_thread_o,
  output reg  [2:0] ans_kind_o,
  output reg  [1:0] ans_status_o,
  output reg  ans_data_valid_o,
  output reg  [ENTRY_W-1:0] ans_data_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [(MEM_W!=0?1:SET)*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_data_o,
  output wire [(MEM_W!=0?1:SET)*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_strb_o,

  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,
  input  wire [(MEM_W!=0?1:SET)*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire [15:0] ctx_unit_i,
  input  wire ctx_cmd_valid_i,
  input  wire ctx_cmd_load_i,
  output wire ctx_cmd_ready_o,
  output wire ctx_done_o,
  output wire [2:0] ctx_error_o,
  output wire ctx_out_valid_o,
  input  wire ctx_out_ready_i,
  output wire [31:0] ctx_out_data_o,
  output wire ctx_out_last_o,
  input  wire ctx_in_valid_i,
  output wire ctx_in_ready_o,
  input  wire [31:0] ctx_in_data_i,
  input  wire ctx_in_last_i,
  input  wire [1:0] ctx_in_error_i
);
  localparam NSETS = ENTRIES / SET;
  localparam THREAD_W = (THREADS > 1) ? $clog2(THREADS) : 1;
  localparam COUNT_W = $clog2(MAX_DEPTH + 1);
  localparam CLASS_W = $clog2(INFLIGHT);
  localparam NSETS_LG = $clog2(NSETS);
  localparam SET_LG = $clog2(SET);
  localparam SET_IDX_W = (COUNT_W > SET_LG) ? COUNT_W - SET_LG : 1;
  localparam ENTRY_BYTES = 1 << $clog2((ENTRY_W + 7) / 8);
  localparam SET_BYTES = ENTRY_BYTES * SET;
  localparam TAG_W = THREAD_W + CLASS_W;
  localparam DEPTH_BYTES_LG = $clog2(MAX_DEPTH) + $clog2(ENTRY_BYTES);
  localparam STRIDE_MAX = (DEPTH_BYTES_LG > $clog2(SET_BYTES)) ? DEPTH_BYTES_LG : $clog2(SET_BYTES);

  generate
    if (THREADS < 1 || THREADS > 1024) begin : g_threads_range
      stack_cache_THREADS_out_of_range check ();
    end
    if (ENTRY_W < 8 || ENTRY_W > 512) begin : g_entry_w_range
      stack_cache_ENTRY_W_out_of_range check ();
    end
    if (ENTRIES < 2 || ENTRIES > 1024 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_entries_range
      stack_cache_ENTRIES_out_of_range check ();
    end
    if (SET < 1 || SET > 16 || (SET & (SET - 1)) != 0) begin : g_set_range
      stack_cache_SET_out_of_range check ();
    end
    if (ENTRIES < 2 * SET) begin : g_entries_hold_two_sets
      stack_cache_ENTRIES_below_two_sets check ();
    end
    if (MAX_DEPTH < 2 || MAX_DEPTH > (1 << 20)) begin : g_max_depth_range
      stack_cache_MAX_DEPTH_out_of_range check ();
    end
    if (POLICY < 0 || POLICY > 1) begin : g_policy_range
      stack_cache_POLICY_out_of_range check ();
    end
    if (MEM_W < 0 || MEM_W > 1) begin : g_mem_w_range
      stack_cache_MEM_W_out_of_range check ();
    end
    if (FLAGS < 0 || FLAGS > 1) begin : g_flags_range
      stack_cache_FLAGS_out_of_range check ();
    end
    if (OUT_REG < 0 || OUT_REG > 1) begin : g_out_reg_range
      stack_cache_OUT_REG_out_of_range check ();
    end
    if (COUNTERS < 0 || COUNTERS > 2) begin : g_counters_range
      stack_cache_COUNTERS_out_of_range check ();
    end
    if (INFLIGHT < 2 || INFLIGHT > 64 || (INFLIGHT & (INFLIGHT - 1)) != 0) begin : g_inflight_range
      stack_cache_INFLIGHT_out_of_range check ();
    end
    if (STEAL < 1 || STEAL > 255) begin : g_steal_range
      stack_cache_STEAL_out_of_range check ();
    end
    if (STATUS < 0 || STATUS > 3) begin : g_status_range
      stack_cache_STATUS_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 64) begin : g_addr_w_range
      stack_cache_ADDR_W_out_of_range check ();
    end
    if (STRIDE_MAX + THREAD_W > ADDR_W) begin : g_regions_fit
      stack_cache_ADDR_W_too_small_for_the_regions check ();
    end
  endgenerate

  localparam IDX_W = SET_LG + NSETS_LG;           // entry on chip
  localparam NUM_W = NSETS_LG + 1;                // 0..NSETS
  localparam BANKS = (MEM_W != 0) ? 1 : SET;      // entries of a memory access
  localparam BANKS_LG = (MEM_W != 0) ? 0 : SET_LG;
  localparam [31:0] BANK_LAST = BANKS - 1;
  localparam SLOT_W = THREAD_W + IDX_W - BANKS_LG; // word of a bank
  localparam WORD_W = $clog2(THREADS * ENTRIES / BANKS);
  localparam OFF_W = (FLAGS != 0) ? SET_LG : 0;
  localparam X_W = 2 * NUM_W + 3 + OFF_W;         // {clean entries of set S, fault, drain, held, nv, nd}
  localparam HELD_BIT = 2 * NUM_W, DRAIN_BIT = HELD_BIT + 1, FAULT_BIT = HELD_BIT + 2;
  localparam [X_W-1:0] DRAIN_MASK = 1 << DRAIN_BIT;
  localparam [X_W-1:0] FAULT_MASK = 1 << FAULT_BIT;
  localparam O_W = COUNT_W + X_W;
  localparam [NUM_W-1:0] ALL = NSETS[NUM_W-1:0];
  localparam [31:0] HELD = NSETS - 2;
  localparam [NUM_W-1:0] HELD_AT = HELD[NUM_W-1:0]; // valid sets with which a push takes the slot of set L-2
  localparam [31:0] SET_LAST = SET - 1;
  localparam [COUNT_W-1:0] POS = SET_LAST[COUNT_W-1:0]; // the bits of count that are the place in a set
  localparam [COUNT_W-1:0] FIRST = (SET > 1) ? 1 : 0; // one entry in it

  // ---- reset walk, global go
  localparam [31:0] LAST_TAG = THREADS * INFLIGHT - 1;
  reg walk_q, go_q;
  reg [TAG_W-1:0] walk_tag_q;
  wire steal;
  // STATUS: see stack_cache_unit. The upper part of the tag is the place of a word of a context, too.
  wire shut, walk_begins, context_on, ctx_moves, ctx_next, load_in, load_state;
  wire [31:0] load_word_in;
  wire walk_ends = walk_q && walk_tag_q == LAST_TAG[TAG_W-1:0];
  always @(posedge clk_i) begin
    if (rst_i) begin
      walk_q <= 1'b1;
      walk_tag_q <= {TAG_W{1'b0}};
    end else begin
      walk_q <= (walk_q && !walk_ends) || walk_begins;
      if (STATUS != 0 && (walk_begins || walk_ends || !(walk_q || context_on))) walk_tag_q <= {TAG_W{1'b0}};
      else walk_tag_q <= walk_tag_q + {{THREAD_W-1{1'b0}}, ctx_next, {CLASS_W-1{1'b0}}, walk_q};
    end
    go_q <= !walk_q && !steal && !shut && !rst_i;
  end
  wire [THREAD_W-1:0] walk_thread = walk_tag_q[CLASS_W+:THREAD_W];
  assign can_go_o = go_q;

  // ---- A
  localparam GROUPS = (THREADS + 3) / 4;
  wire [4*GROUPS-1:0] hit;                        // the thread of the operation that is taken
  reg [GROUPS-1:0] r_hit;
  wire r_v = |r_hit;
  reg r_push, r_pop, r_peek, r_repl, r_init;
  reg [THREAD_W-1:0] r_thread, b_thread, c_thread;
  reg [ENTRY_W-1:0] r_data, b_data;
  always @(posedge clk_i) begin
    r_push <= op_kind_i == 3'd0;
    r_pop <= op_kind_i == 3'd1;
    r_peek <= op_kind_i == 3'd2;
    r_repl <= op_kind_i == 3'd3;
    r_init <= op_kind_i[2];
    r_thread <= op_thread_i;
    r_data <= op_data_i;
  end

  // ---- R
  wire [O_W-1:0] ro, o_wd;
  wire [X_W-1:0] re_ram, e_wd;
  wire o_we, e_we;
  wire [THREAD_W-1:0] o_wa, e_wa;
  ram_1r1w #(.WIDTH(O_W), .DEPTH(THREADS)) u_o (
    .clk_i(clk_i), .we_i(o_we), .waddr_i(o_wa), .wdata_i(o_wd), .raddr_i(op_thread_i), .rdata_o(ro));
  ram_1r1w #(.WIDTH(X_W), .DEPTH(THREADS)) u_e (
    .clk_i(clk_i), .we_i(e_we), .waddr_i(e_wa), .wdata_i(e_wd), .raddr_i(op_thread_i), .rdata_o(re_ram));
  wire drained;                                   // the engine ends a drain of
  wire [THREAD_W-1:0] drained_thread;
  wire [X_W-1:0] drained_e;                       // until the next cycle
  reg r_same;
  always @(posedge clk_i) r_same <= drained && drained_thread == op_thread_i;
  wire [X_W-1:0] re = r_same ? drained_e : re_ram;
  wire [X_W-1:0] rx = ro[X_W-1:0] ^ re;
  wire [COUNT_W-1:0] limit;
  wire [COUNT_W-1:0] r_count = ro[X_W+:COUNT_W];
  wire [NUM_W-1:0] rnd = rx[0+:NUM_W], rnv = rx[NUM_W+:NUM_W];
  wire [COUNT_W:0] r_short = {1'b0, r_count} - {1'b0, limit};
  wire [COUNT_W-1:0] r_moved = r_count + {{COUNT_W-1{!r_push}}, 1'b1}; // by a push, by a pop
  wire [COUNT_W-1:0] r_pos = r_count & POS;
  wire [IDX_W+COUNT_W-1:0] r_wide = {{IDX_W{1'b0}}, r_count};
  wire [IDX_W+COUNT_W-1:0] r_top = {{IDX_W{1'b0}}, r_moved};
  wire [IDX_W-1:0] r_idx = r_push ? r_wide[IDX_W-1:0] : r_top[IDX_W-1:0];
  wire r_writes = (r_push || r_repl) && r_v && !rst_i;
  // A word of a context that is one of an entry goes the way of an operation: the entry is read in each
  // cycle. A load takes what is offered in each cycle, and writes with the last word; what is there when that
  // moves stays.
  wire entry_on, entry_in, entry_last;
  wire [3:0] entry_part;
  wire [IDX_W-1:0] entry_slot;
  wire entry_put = entry_in && entry_last;
  wire [IDX_W-1:0] at_idx = entry_on ? entry_slot : r_idx;
  wire [IDX_W+31:0] at_idx_wide = {32'd0, at_idx};
  wire b_set = walk_q || load_in;                 // B holds what the walk, a load writes
  reg b_v, b_push, b_pop, b_peek, b_repl, b_init, b_over, b_clear;
  reg ok;                                         // but for an init
  reg b_empty, b_one, b_begins, b_empties, b_fills;
  reg b_clean, b_full, b_evict, b_nv0, b_nv1, b_unhold;
  reg [COUNT_W-1:0] b_count, b_moved;
  reg [X_W-1:0] b_x, b_e, b_o;
  reg [IDX_W-1:0] b_idx;
  reg [BANKS-1:0] b_bank;
  reg b_wr, b_rd;
  localparam [BANKS-1:0] BANK_0 = 1;
  always @(posedge clk_i) begin
    b_v <= (r_v || b_set) && !rst_i;
    b_clear <= b_set;
    b_push <= r_push && r_v && !rst_i;
    b_pop <= r_pop && r_v && !rst_i;
    b_peek <= r_peek && r_v && !rst_i;
    b_repl <= r_repl && r_v && !rst_i;
    b_init <= (r_init && r_v && !rst_i) || b_set;
    b_thread <= (b_set || entry_on) ? walk_thread : r_thread;
    b_over <= !r_short[COUNT_W];
    if (entry_on) ok <= 1'b1;
    else ok <= !rx[FAULT_BIT] && (r_push ? r_short[COUNT_W] : r_count != {COUNT_W{1'b0}});
    b_empty <= r_count == {COUNT_W{1'b0}};
    b_one <= (r_count >> 1) == {COUNT_W{1'b0}};   // none or one
    b_begins <= r_pos == {COUNT_W{1'b0}};
    b_empties <= r_pos == FIRST;
    b_fills <= r_pos == POS;
    b_clean <= rnd == {NUM_W{1'b0}};
    b_full <= (SET == 1) ? rnd == ALL - 1'b1 : rnd == ALL;
    b_evict <= rnv == ALL;
    b_nv0 <= rnv == {NUM_W{1'b0}};
    b_nv1 <= rnv == {{NUM_W-1{1'b0}}, 1'b1};
    b_unhold <= rnv == HELD_AT && rx[HELD_BIT];
    b_count <= load_in ? load_word_in[COUNT_W-1:0] : (walk_q || r_init) ? {COUNT_W{1'b0}} : r_count;
    b_moved <= r_moved;
    b_x <= rx;
    b_e <= b_set ? {X_W{load_in && load_word_in[31]}} & FAULT_MASK : re;
    b_o <= ro[X_W-1:0];
    b_idx <= at_idx;
    b_bank <= (r_writes || entry_put) ? BANK_0 << (at_idx_wide[31:0] & BANK_LAST) : {BANKS{1'b0}};
    b_wr <= r_writes || entry_put;
    b_rd <= ((r_pop || r_peek) && r_v && !rst_i) || entry_on;
  end
  genvar p;
  generate
    if (STATUS != 0) begin : g_parts
      for (p = 0; 32 * p < ENTRY_W; p = p + 1) begin : g_part
        localparam W = (ENTRY_W - 32 * p > 32) ? 32 : ENTRY_W - 32 * p;
        localparam [31:0] PART = p;
        always @(posedge clk_i)
          if (!entry_on || entry_part == PART[3:0]) begin
            if (!entry_on && !r_writes) b_data[32*p+:W] <= {W{1'b0}};
            else b_data[32*p+:W] <= entry_on ? load_word_in[W-1:0] : r_data[32*p+:W];
          end
      end
    end else begin : g_operations
      always @(posedge clk_i) b_data <= r_writes ? r_data : {ENTRY_W{1'b0}};
      wire unused_entry = &{1'b0, entry_part};
    end
  endgenerate

  // ---- B
  wire [NUM_W-1:0] nd = b_x[0+:NUM_W], nv = b_x[NUM_W+:NUM_W];
  wire b_fault = b_x[FAULT_BIT];
  wire nd_up = b_clean ? (b_push || b_repl) : (b_push && b_begins);
  wire nd_dn = b_pop && b_empties && !b_clean;
  wire nv_up = b_push && b_begins && !b_evict;
  wire nv_dn = b_pop && b_empties;
  function [NUM_W-1:0] mask(input [NUM_W-1:0] x, input up, input dn); // the bits that change
    integer k;
    for (k = 0; k < NUM_W; k = k + 1)
      mask[k] = (up && (x | ({NUM_W{1'b1}} << k)) == {NUM_W{1'b1}})
             || (dn && (x & ~({NUM_W{1'b1}} << k)) == {NUM_W{1'b0}});
  endfunction
  wire [NUM_W-1:0] nd_m = mask(nd, nd_up, nd_dn), nv_m = mask(nv, nv_up, nv_dn);
  wire [NUM_W-1:0] nd_n = nd ^ (nd_m & {NUM_W{ok}}), nv_n = nv ^ (nv_m & {NUM_W{ok}});
  wire [2*NUM_W+2:0] x_core = {2'b00, b_unhold && b_push && b_begins, nv_m, nd_m};
  wire [X_W-1:0] x_m;
  wire clean_pop;                                 // the entry at the top is clean
  generate
    if (OFF_W != 0) begin : g_per_entry
      // Of set S, off entries are clean. A push or replace in it, or in a clean set, leaves what is below it.
      wire [OFF_W-1:0] off = b_x[FAULT_BIT+1+:OFF_W];
      wire [OFF_W-1:0] place = b_idx[OFF_W-1:0];
      reg b_one_dirty;
      always @(posedge clk_i) b_one_dirty <= rnd == {{NUM_W-1{1'b0}}, 1'b1};
      wire below = place < off;
      wire lowers = (b_push || b_repl) && (b_clean ? 1'b1 : b_one_dirty && below && !(b_push && b_begins));
      wire zero = (b_pop && b_empties && (b_clean || b_one_dirty)) || (b_push && b_begins && b_clean);
      wire [OFF_W-1:0] off_n = zero ? {OFF_W{1'b0}} : lowers ? place : off;
      assign x_m = {off ^ off_n, x_core};
      assign clean_pop = b_clean || (b_one_dirty && below);
    end else begin : g_per_set
      assign x_m = x_core;
      assign clean_pop = b_clean;
    end
  endgenerate
  wire [COUNT_W-1:0] count_n = ((b_push || b_pop) && ok) ? b_moved : b_count;
  assign o_we = b_v;
  assign o_wa = b_thread;
  assign o_wd = {count_n, b_init ? b_e ^ (DRAIN_MASK & {X_W{!b_clear}}) : b_o ^ (x_m & {X_W{ok}})};
  wire all_dirty = (SET == 1) ? nd == ALL : b_full;
  wire wait_push = !b_fault && !b_init
                && ((b_push && ok) ? b_fills && b_full : all_dirty && b_begins && !(b_pop && ok));
  wire wait_top = !b_fault && !b_init
               && ((b_pop && ok && b_empties && b_nv1 && !b_one) || (b_push && !ok && b_nv0 && !b_empty));

  // ---- C: bits, hint, answer
  reg c_v, c_push_ok, c_top_ok, c_good, c_data_valid, c_moved_s, c_moved_l, c_begun;
  reg [NUM_W-1:0] c_nd, c_nv;
  reg [COUNT_W-1:0] c_count;
  reg [2:0] c_kind;
  reg [1:0] c_status;
  reg [IDX_W-1:0] c_idx;
  always @(posedge clk_i) begin
    c_v <= b_v && !b_clear && !rst_i;
    c_thread <= b_thread;
    c_push_ok <= !wait_push;
    c_top_ok <= !wait_top;
    c_nd <= nd_n;
    c_nv <= nv_n;
    c_count <= count_n;
    c_good <= !b_fault && !b_init;
    c_kind <= {b_init, b_peek || b_repl, b_pop || b_repl};
    c_status <= b_init ? 2'd0 : b_fault ? 2'd3 : b_push ? {1'b0, b_over} : {b_empty, 1'b0};
    c_data_valid <= (b_pop || b_peek) && ok;
    c_idx <= b_idx;
    c_moved_s <= b_init || (ok && b_clean && (b_push || b_repl || (b_pop && b_empties)));
    c_begun <= b_init || (ok && b_push && b_begins);
    c_moved_l <= b_init || (ok && b_push && b_begins && b_evict);
  end
  wire c_some = (c_count >> SET_LG) != {COUNT_W{1'b0}};
  wire c_hint = c_v && c_good && ((POLICY != 0) ? c_some
                                     : c_nd == ALL || ((c_nv >> 1) == {NUM_W{1'b0}} && c_some));
  wire [BANKS*ENTRY_W-1:0] rdata;
  wire [IDX_W+31:0] c_idx_wide = {32'd0, c_idx};
  wire [31:0] c_bank = c_idx_wide[31:0] & BANK_LAST;
  wire [BANKS*ENTRY_W-1:0] out;                    // of storage, or of its register
  wire [THREAD_W+38:0] c_answer = {c_v, c_thread, c_kind, c_status, c_data_valid && c_v, c_bank};
  wire [THREAD_W+38:0] d_answer;
  wire d_late = OUT_REG != 0 && d_answer[THREAD_W+38]; // the cycle behind C
  generate
    if (OUT_REG != 0) begin : g_out_reg
      reg [BANKS*ENTRY_W-1:0] out_q;
      reg [THREAD_W+38:0] d_answer_q;
      always @(posedge clk_i) begin
        out_q <= rdata;
        d_answer_q <= rst_i ? {THREAD_W+39{1'b0}} : c_answer;
      end
      assign out = out_q;
      assign d_answer = d_answer_q;
    end else begin : g_no_out_reg
      assign out = rdata;
      assign d_answer = c_answer;
    end
  endgenerate
  wire [BANKS*ENTRY_W-1:0] d_data = out >> (d_answer[31:0] * ENTRY_W);
  always @(posedge clk_i) begin
    ans_valid_o <= d_answer[THREAD_W+38] && !rst_i;
    {ans_thread_o, ans_kind_o, ans_status_o} <= d_answer[33+:THREAD_W+5];
    ans_data_valid_o <= d_answer[32] && !rst_i;
    ans_data_o <= d_data[ENTRY_W-1:0];
  end

  // Threads with entries.
  wire load_begins;
  reg [THREAD_W:0] busy_q;
  reg up_q, down_q;
  always @(posedge clk_i) begin
    up_q <= ((b_push && ok && b_empty) || (load_in && load_word_in[COUNT_W-1:0] != {COUNT_W{1'b0}}))
         && !rst_i;
    down_q <= !b_empty && !b_clear && (b_init || (b_pop && ok && b_one)) && b_v && !rst_i;
    if (rst_i || (STATUS != 0 && (walk_q || load_begins))) busy_q <= {THREAD_W+1{1'b0}};
    else if (up_q) busy_q <= busy_q + 1'b1;
    else if (down_q) busy_q <= busy_q - 1'b1;
  end

  // ---- engine
  wire depth, depth_done, depth_fault, error, error_write, accesses, accepted;
  wire [THREAD_W-1:0] depth_thread, m_thread, counter_thread;
  wire [COUNT_W-1:0] depth_count, deepest_of;
  wire [SET_IDX_W-1:0] error_set;
  wire [ADDR_W-1:0] base;
  wire [5:0] stride_lg;
  wire [NUM_W-1:0] spill_over, spill_burst, restore_free;
  wire store, store_slot_free, held, claim, set_push, set_top;
  wire [SLOT_W-1:0] load_word, store_word;
  wire [1:0] error_code;
  wire [THREAD_W-1:0] error_thread;
  wire n_spill, n_drop;
  wire hold, scan_begins, scan, flush, scan_ends, loading, fetch, mine, rests, m_busy, halted;
  wire [X_W-1:0] load_x, look_x;
  wire [NUM_W-1:0] load_burst, look_burst;
  wire [BANKS-1:0] strb;
  wire [1:0] n_restore;
  stack_cache_engine #(
    .THREADS(THREADS), .THREAD_W(THREAD_W), .COUNT_W(COUNT_W), .X_W(X_W), .NUM_W(NUM_W), .NSETS(NSETS),
    .SET_LG(SET_LG), .NSETS_LG(NSETS_LG), .SET_IDX_W(SET_IDX_W), .CLASS_W(CLASS_W), .STEAL(STEAL),
    .ADDR_W(ADDR_W), .ENTRY_W(ENTRY_W), .SET(SET), .SET_BYTES(SET_BYTES), .STRIDE_MAX(STRIDE_MAX),
    .POLICY(POLICY), .STATUS(STATUS), .OUT_REG(OUT_REG), .BEATS(SET / BANKS), .BANKS(BANKS), .SLOT_W(SLOT_W)
  ) u_engine (
    .clk_i(clk_i), .rst_i(rst_i), .walk_i(walk_q), .walk_tag_i(walk_tag_q),
    .hold_i(hold), .scan_begins_i(scan_begins), .scan_i(scan), .flush_i(flush), .scan_ends_o(scan_ends),
    .touch_i(mine && loading), .load_i(load_in), .load_x_i(load_state), .x_i(load_x), .burst_i(load_burst),
    .halted_i(halted), .look_x_o(look_x), .look_burst_o(look_burst), .rests_o(rests), .m_busy_o(m_busy),
    .o_we_i(o_we), .o_wa_i(o_wa), .o_wd_i(o_wd), .e_we_o(e_we), .e_wa_o(e_wa), .e_wd_o(e_wd),
    .drained_o(drained), .drained_thread_o(drained_thread), .drained_e_o(drained_e),
    .r_v_i(r_v), .r_thread_i(r_thread), .b_v_i(b_v), .b_thread_i(b_thread),
    .b_wr_i(b_wr), .b_rd_i(b_rd), .c_thread_i(c_thread),
    .c_hint_i(c_hint), .c_moved_s_i(c_moved_s), .c_moved_l_i(c_moved_l),
    .c_begun_i(c_begun),
    .depth_i(depth), .depth_thread_i(depth_thread), .depth_done_o(depth_done), .depth_count_o(depth_count),
    .depth_fault_o(depth_fault), .base_i(base), .stride_lg_i(stride_lg),
    .spill_over_i(spill_over), .spill_burst_i(spill_burst), .restore_free_i(restore_free),
    .claim_o(claim), .set_push_o(set_push), .set_top_o(set_top), .m_thread_o(m_thread),
    .load_word_o(load_word), .store_word_o(store_word),
    .store_o(store), .store_free_o(store_slot_free), .held_o(held), .steal_o(steal), .rdata_i(out),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i), .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(strb),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o), .mem_rsp_tag_i(mem_rsp_tag_i),
    .mem_rsp_error_i(mem_rsp_error_i),
    .accepted_o(accepted), .error_o(error), .error_write_o(error_write), .error_set_o(error_set),
    .error_code_o(error_code), .error_thread_o(error_thread),
    .accesses_o(accesses), .n_spill_o(n_spill), .n_restore_o(n_restore), .n_drop_o(n_drop));

  // ---- storage
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      assign mem_req_strb_o[b*ENTRY_BYTES+:ENTRY_BYTES] = {ENTRY_BYTES{strb[b]}};
      wire [SLOT_W-1:0] wa = b_wr ? {b_thread, b_idx[IDX_W-1:BANKS_LG]} : store_word;
      wire [SLOT_W-1:0] ra = b_rd ? {b_thread, b_idx[IDX_W-1:BANKS_LG]} : load_word;
      wire unused_word = &{1'b0, wa, ra};
      ram_1r1w #(.WIDTH(ENTRY_W), .DEPTH(THREADS * ENTRIES / BANKS)) u_ram (
        .clk_i(clk_i), .we_i((b_bank[b] && ok) || store), .waddr_i(wa[WORD_W-1:0]),
        .wdata_i(b_data | ({ENTRY_W{store_slot_free}} & mem_rsp_data_i[b*8*ENTRY_BYTES+:ENTRY_W])),
        .raddr_i(ra[WORD_W-1:0]), .rdata_o(rdata[b*ENTRY_W+:ENTRY_W]));
    end
  endgenerate
  wire unused_padding = &{1'b0, mem_rsp_data_i};

  // ---- can-go bits: fall when an operation is taken or the engine claims the thread, rise behind that
  localparam LOWS = (THREADS > 16) ? 8 : (THREADS > 4) ? 4 : 2;
  localparam LOW_W = $clog2(LOWS);
  localparam HIGHS = (1 << THREAD_W) / LOWS;
  localparam [LOWS-1:0] LOW_0 = 1;
  localparam [HIGHS-1:0] HIGH_0 = 1;
  function [LOWS-1:0] low(input [LOW_W-1:0] number);
    low = LOW_0 << number;
  endfunction
  function [HIGHS-1:0] high(input valid, input [THREAD_W-1:0] number);
    high = valid ? HIGH_0 << (number >> LOW_W) : {HIGHS{1'b0}};
  endfunction
  (* keep *) wire [LOWS-1:0] al;
  assign al = low(op_thread_i[LOW_W-1:0]);
  (* keep *) wire [LOWS-1:0] ml;
  assign ml = low(m_thread[LOW_W-1:0]);
  (* keep *) wire [LOWS-1:0] cl;
  assign cl = low(c_thread[LOW_W-1:0]);
  (* keep *) wire [HIGHS-1:0] ah;
  assign ah = high(op_valid_i && go_q, op_thread_i);
  wire [THREADS-1:0] would;                       // the bit is 1, whatever can_go_o
  wire [HIGHS-1:0] ih = high(op_valid_i, op_thread_i);
  (* keep *) wire is_push;
  assign is_push = op_kind_i[1:0] == 2'd0;
  (* keep *) wire is_top;
  assign is_top = op_kind_i[2] == (op_kind_i[1:0] == 2'd0);
  (* keep *) wire [HIGHS-1:0] mh;
  assign mh = high(claim, m_thread);
  (* keep *) wire [HIGHS-1:0] cph;
  assign cph = high(c_v && c_push_ok, c_thread);
  (* keep *) wire [HIGHS-1:0] cth;
  assign cth = high(c_v && c_top_ok, c_thread);
  (* keep *) wire [HIGHS-1:0] mph;
  assign mph = high(set_push, m_thread);
  (* keep *) wire [HIGHS-1:0] mth;
  assign mth = high(set_top, m_thread);
  wire set_all = rst_i || (STATUS != 0 && walk_q);
  reg [THREADS-1:0] push_q, top_q;
  genvar t;
  generate
    for (t = 0; t < GROUPS; t = t + 1) begin : g_group
      always @(posedge clk_i) r_hit[t] <= |hit[4*t+:4] && !rst_i;
    end
    for (t = THREADS; t < 4 * GROUPS; t = t + 1) begin : g_none
      assign hit[t] = 1'b0;
    end
    for (t = 0; t < THREADS; t = t + 1) begin : g_thread
      localparam L = t % LOWS, H = t / LOWS;
      (* keep *) wire bit_t;
      assign bit_t = (is_push && push_q[t]) || (is_top && top_q[t]);
      assign hit[t] = al[L] && ah[H] && bit_t;
      assign would[t] = STATUS != 0 && al[L] && ih[H] && bit_t;
      wire fall = hit[t] || (ml[L] && mh[H]);
      wire rise_push = (cl[L] && cph[H]) || (ml[L] && mph[H]);
      wire rise_top = (cl[L] && cth[H]) || (ml[L] && mth[H]);
      always @(posedge clk_i) begin
        push_q[t] <= set_all || ((push_q[t] || rise_push) && !fall);
        top_q[t] <= set_all || ((top_q[t] || rise_top) && !fall);
      end
    end
  endgenerate
  assign can_push_o = push_q;
  assign can_top_o = top_q;

  // ---- registers and counters
  wire lawful = op_valid_i && (!op_kind_i[2] || op_kind_i[1:0] == 2'd0)
             && {1'b0, op_thread_i} < THREADS[THREAD_W:0];
  localparam CTX_BARE = 2 * THREADS + 13;
  localparam CTX_MAX = CTX_BARE + THREADS * ENTRIES * ((ENTRY_W + 31) / 32);
  localparam [31:0] PRIME = 32'h01000193;
  localparam [31:0] SHAPE = (((32'h811c9dc5 ^ THREADS) * PRIME ^ ENTRY_W) * PRIME ^ ENTRIES) * PRIME;
  localparam [31:0] CFG_HASH = (((((SHAPE ^ SET) * PRIME ^ MAX_DEPTH) * PRIME ^ POLICY) * PRIME ^ FLAGS)
                                * PRIME ^ ADDR_W) * PRIME;
  wire reg_taken, reg_waits, reg_write, reg_good, word_begins, word_last, reg_idle, word_good, word_over;
  wire ctx, ctx_stack, commit, clear, halt, flush_wanted, flushing, nack_clear, nacked;
  wire ctx_state, ctx_entry, ctx_ends, ctx_bad, ctx_zero, ctx_full, halt_flush;
  wire [31:0] ctx_word;
  wire recorded;
  wire [3:0] ctx_k;
  wire [9:0] reg_addr;
  wire [31:0] reg_data, reg_word;
  stack_cache_unit #(
    .STATUS(STATUS), .THREADS(THREADS), .THREAD_W(THREAD_W), .CTX_MAX(CTX_MAX), .CTX_BARE(CTX_BARE),
    .LATE(OUT_REG), .CFG_HASH(CFG_HASH)
  ) u_unit (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .op_in_i(|would), .lawful_i(lawful), .op_taken_i(|would && go_q), .answers_i(ans_valid_o),
    .ops_i(r_v || (b_v && !b_clear) || c_v || d_answer[THREAD_W+38]), .m_busy_i(m_busy),
    .requests_i(mem_req_valid_o), .req_ready_i(mem_req_ready_i),
    .rsp_taken_i(mem_rsp_valid_i && mem_rsp_ready_o), .accesses_i(accesses), .accepted_i(accepted),
    .error_i(error), .error_o(recorded),
    .quiet_i(rests && !walk_q && !go_q && !r_v && !b_v && !c_v && !d_late),
    .shut_o(shut), .hold_o(hold), .scan_begins_o(scan_begins), .scan_o(scan), .flush_o(flush),
    .scan_ends_i(scan_ends), .walk_begins_o(walk_begins), .walk_i(walk_q), .walk_ends_i(walk_ends),
    .clear_o(clear),
    .taken_o(reg_taken), .waits_i(reg_waits), .write_o(reg_write), .addr_o(reg_addr), .data_o(reg_data),
    .good_i(reg_good), .word_i(reg_word), .fetch_o(fetch), .mine_o(mine), .ctx_o(ctx),
    .ctx_stack_o(ctx_stack), .ctx_k_o(ctx_k), .load_o(loading), .ld_data_o(load_word_in),
    .moves_o(ctx_moves), .next_o(ctx_next), .full_o(ctx_full),
    .context_o(context_on), .load_begins_o(load_begins), .begins_i(word_begins), .last_i(word_last),
    .idle_i(reg_idle), .ctx_good_i(word_good), .ctx_over_i(word_over), .commit_o(commit), .halt_o(halt),
    .halted_o(halted), .halt_flush_i(halt_flush), .flush_i(flush_wanted),
    .flushing_o(flushing), .nack_clear_i(nack_clear),
    .nack_i(nacked), .ctx_thread_i(walk_thread), .ctx_state_i(ctx_state), .ctx_entry_i(ctx_entry),
    .ctx_ends_i(ctx_ends), .ctx_bad_i(ctx_bad), .in_o(load_in), .in_state_o(load_state));
  generate
    if (STATUS != 0) begin : g_context
      stack_cache_context #(
        .COUNT_W(COUNT_W), .NUM_W(NUM_W), .X_W(X_W), .NSETS(NSETS), .NSETS_LG(NSETS_LG), .SET_LG(SET_LG),
        .OFF_W(OFF_W), .ENTRY_W(ENTRY_W), .POLICY(POLICY)
      ) u_context (
        .clk_i(clk_i), .runs_i(context_on && !walk_q && !rst_i), .stack_i(ctx_stack && ctx),
        .moves_i(ctx_moves), .load_i(loading), .full_i(ctx_full), .data_i(load_word_in), .zero_i(ctx_zero),
        .state_o(ctx_state),
        .entry_o(ctx_entry), .ends_o(ctx_ends), .slot_o(entry_slot), .part_o(entry_part),
        .part_last_o(entry_last), .count_i(depth_count), .x_i(look_x), .burst_i(look_burst),
        .entry_i(ans_data_o), .word_o(ctx_word), .x_o(load_x), .burst_o(load_burst), .bad_o(ctx_bad));
      assign entry_on = ctx_entry;
      assign entry_in = ctx_entry && loading;
    end else begin : g_no_context
      assign {ctx_state, ctx_entry, ctx_ends, ctx_bad, entry_on, entry_in, entry_last} = 7'd0;
      assign {ctx_word, entry_part} = 36'd0;
      assign entry_slot = {IDX_W{1'b0}};
      assign load_x = {X_W{1'b0}};
      assign load_burst = {NUM_W{1'b0}};
      wire unused_context = &{1'b0, ctx_moves, ctx_full, ctx_zero, look_x, look_burst, ctx_next};
    end
  endgenerate
  wire counter_next, counter_read, counter_clear;
  wire [3:0] counter;
  wire [31:0] counter_data;
  wire [15:0] counter_upper;
  wire [COUNT_W-1:0] deepest;
  stack_cache_regs #(
    .THREADS(THREADS), .THREAD_W(THREAD_W), .COUNT_W(COUNT_W), .MAX_DEPTH(MAX_DEPTH), .SET_IDX_W(SET_IDX_W),
    .COUNTERS(COUNTERS), .ADDR_W(ADDR_W), .SET_BYTES(SET_BYTES), .ENTRY_BYTES(ENTRY_BYTES),
    .STRIDE_MAX(STRIDE_MAX), .POLICY(POLICY), .IS_UNIT(STATUS), .NSETS(NSETS), .NUM_W(NUM_W)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .taken_i(reg_taken), .waits_o(reg_waits), .write_i(reg_write),
    .addr_i(reg_addr), .data_i(reg_data), .good_o(reg_good), .word_o(reg_word),
    .fetch_i(fetch), .mine_i(mine), .ctx_i(ctx), .ctx_stack_i(ctx_stack), .ctx_state_i(ctx_state),
    .ctx_entry_i(ctx_entry), .ctx_word_i(ctx_word), .ctx_zero_o(ctx_zero), .ctx_k_i(ctx_k),
    .ctx_thread_i(walk_thread), .load_i(loading), .ld_data_i(load_word_in),
    .begins_o(word_begins), .last_o(word_last), .idle_o(reg_idle), .ctx_good_o(word_good),
    .ctx_over_o(word_over), .commit_i(commit), .clear_i(clear), .halt_i(halt), .halted_i(halted),
    .halt_flush_o(halt_flush), .flush_o(flush_wanted), .flushing_i(flushing),
    .nack_clear_o(nack_clear), .nack_o(nacked),
    .depth_o(depth), .depth_thread_o(depth_thread), .depth_done_i(depth_done), .depth_count_i(depth_count),
    .depth_fault_i(depth_fault), .base_o(base), .stride_lg_o(stride_lg), .limit_o(limit),
    .spill_over_o(spill_over), .spill_burst_o(spill_burst), .restore_free_o(restore_free),
    .empty_i(busy_q == {THREAD_W+1{1'b0}}), .accesses_i(accesses),
    .error_i(recorded), .error_write_i(error_write), .error_code_i(error_code),
    .error_thread_i(error_thread), .error_set_i(error_set),
    .counter_next_o(counter_next), .counter_o(counter),
    .counter_read_o(counter_read), .counter_clear_o(counter_clear), .counter_i(counter_data),
    .counter_upper_i(counter_upper), .deepest_i(deepest),
    .thread_o(counter_thread), .deepest_of_i(deepest_of));

  generate
    if (COUNTERS != 0) begin : g_counters
      // An operation that was not taken in the last cycle, and why.
      reg p_v, p_go, p_push, p_held, d_v;         // d: the operation that was in C
      reg [THREAD_W-1:0] p_thread, d_thread;
      reg live_q;                                 // the walk behind rst_i is over
      reg shut_q, p_shut;
      always @(posedge clk_i) begin
        live_q <= (!walk_q || (STATUS != 0 && live_q)) && !rst_i;
        p_v <= lawful && !rst_i && live_q;
        shut_q <= shut && !rst_i;
        p_shut <= shut_q;
        p_go <= go_q;
        d_v <= c_v && !rst_i;
        d_thread <= c_thread;
        p_push <= op_kind_i == 3'd0;
        p_held <= held;
        p_thread <= op_thread_i;
      end
      wire p_own = (b_v && b_thread == p_thread) || (c_v && c_thread == p_thread)
                || (d_v && d_thread == p_thread);
      wire waits_any = p_v && !r_v && !p_shut;
      wire p_engine = !p_go || (!p_own && p_held && m_thread == p_thread);
      wire waits = waits_any && !p_engine && !p_own;
      reg [4:0] waits_q;
      always @(posedge clk_i)
        waits_q <= {5{!rst_i && !counter_clear}} & {p_v && p_shut, waits_any && p_engine, waits && p_push,
                                                    waits && !p_push, waits_any && p_go && p_own};
      stack_cache_counters #(.COUNT_W(COUNT_W), .HALT((STATUS != 0) ? 1 : 0),
        .DEEPEST_OF((COUNTERS == 2) ? 1 : 0), .THREADS(THREADS), .THREAD_W(THREAD_W)) u_counters (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(counter_clear),
        .next_i(counter_next), .next_counter_i(counter), .read_i(counter_read),
        .sum_o(counter_data), .upper_o(counter_upper), .deepest_o(deepest),
        .thread_i(counter_thread), .deepest_of_o(deepest_of),
        .n_push_i(b_push && ok), .n_pop_i(b_pop && ok), .n_spill_i(n_spill), .n_restore_i(n_restore),
        .n_drop_i(n_drop), .n_clean_i(b_pop && ok && clean_pop), .n_depth_i(count_n), .n_thread_i(b_thread),
        .waits_i(waits_q));
    end else begin : g_no_counters
      assign counter_data = 32'd0;
      assign counter_upper = 16'd0;
      assign deepest = {COUNT_W{1'b0}};
      assign deepest_of = {COUNT_W{1'b0}};
      wire unused_counters = &{1'b0, counter_next, counter, counter_read, counter_clear,
                               counter_thread,
                               n_spill, n_restore, n_drop, held, nv_n, clean_pop};
    end
  endgenerate
  wire unused_core = &{1'b0, load_word_in, r_short, at_idx_wide, c_idx_wide, d_data, r_wide, r_top};
endmodule

`default_nettype wire
