// SPDX-License-Identifier: Apache-2.0
// stack_cache_core: multi-threaded stack cache with pre-emptive spill and restore.
//
// One LIFO per thread; its top entries are on chip, sets of older ones are written to memory before room is
// short and read back before they are popped. One operation per cycle of any thread. An operation is taken
// when the can-go bit of its thread and kind is 1; its answer follows 3 cycles later, in order, without
// back-pressure. Memory: valid/ready, tagged, any order. Synchronous reset; then THREADS cycles clear the
// state. Which cycle does what: docs/stack_cache_design.md.
`default_nettype none

module stack_cache_core #(
  parameter THREADS = 24,
  parameter ENTRY_W = 64,
  parameter ENTRIES = 16,
  parameter SET = 4,
  parameter MAX_DEPTH = 16384,
  parameter POLICY = 0,    // 0 set_boundary, 1 threshold
  parameter FLAGS = 0,     // 0 per_set, 1 per_entry
  parameter COUNTERS = 1,
  parameter INFLIGHT = 16,
  parameter STEAL = 16,
  parameter ADDR_W = 32,
  parameter FORWARD = 1,
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
  output wire can_init_o,

  output wire ans_valid_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] ans_thread_o,
  output wire [2:0] ans_kind_o,
  output wire [1:0] ans_status_o,
  output wire ans_data_valid_o,
  output wire [ENTRY_W-1:0] ans_data_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [SET*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_data_o,
  output wire [SET*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_strb_o,

  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,
  input  wire [SET*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_rsp_data_i,
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
  localparam PTR_W = (NSETS_LG + 2 > CLASS_W) ? NSETS_LG + 2 : CLASS_W;
  localparam SET_IDX_W = (COUNT_W > SET_LG) ? COUNT_W - SET_LG : 1;
  localparam ENTRY_BYTES = 1 << $clog2((ENTRY_W + 7) / 8);
  localparam SET_BYTES = ENTRY_BYTES * SET;
  localparam TAG_W = THREAD_W + CLASS_W;
  localparam DEPTH_BYTES_LG = $clog2(MAX_DEPTH) + $clog2(ENTRY_BYTES);
  localparam STRIDE_MAX = (DEPTH_BYTES_LG > $clog2(SET_BYTES)) ? DEPTH_BYTES_LG : $clog2(SET_BYTES);

  localparam CTX_WORDS = (ENTRY_W + 31) / 32;
  localparam CTX_MAX = 9 + 3 * THREADS + THREADS * ENTRIES * CTX_WORDS;
  localparam STATE_W = (STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5;

  generate
    if (STATUS < 0 || STATUS > 3) begin : g_status_range
      stack_cache_STATUS_out_of_range check ();
    end
    if (STATUS != 0 && CTX_MAX > 24'hffffff) begin : g_context_fits
      stack_cache_STATUS_with_too_large_a_context check ();
    end
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
    if (FLAGS < 0 || FLAGS > 1) begin : g_flags_range
      stack_cache_FLAGS_out_of_range check ();
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
    if (ADDR_W < 16 || ADDR_W > 64) begin : g_addr_w_range
      stack_cache_ADDR_W_out_of_range check ();
    end
    if (STRIDE_MAX + THREAD_W > ADDR_W) begin : g_regions_fit
      stack_cache_ADDR_W_too_small_for_the_regions check ();
    end
    if (FORWARD < 0 || FORWARD > 1) begin : g_forward_range
      stack_cache_FORWARD_out_of_range check ();
    end
  endgenerate

  localparam NUM_W = (NSETS_LG + 1 > 3) ? NSETS_LG + 1 : 3;  // 0..NSETS
  localparam BANK_W = (SET > 1) ? SET_LG : 1;
  localparam SLOT_W = NSETS_LG;
  localparam OFF_W = BANK_W;
  localparam PER_ENTRY = (FLAGS != 0 && SET > 1) ? OFF_W : 0;
  localparam E_W = 2 * NUM_W + 5 + PER_ENTRY + ((POLICY != 0) ? 1 + ((STATUS != 0) ? NUM_W : 0) : 0);
  localparam O_W = COUNT_W + 2 * NUM_W + 5 + PER_ENTRY + ((COUNTERS == 2) ? COUNT_W : 0);

  // ---- walks -----------------------------------------------------------------------------------------
  // After reset a walk over all threads clears the state RAMs. After a change of the depth limit another one
  // passes all threads through the operation pipeline, which loads their lanes; no operation but init then.
  localparam [31:0] LAST = THREADS - 1;
  localparam [THREAD_W-1:0] LAST_THREAD = LAST[THREAD_W-1:0];
  reg clear_q, clear_q2, walk_q, settle_q, clearing_q;
  reg [1:0] walked_q;                       // the last thread is in B, in C
  reg [THREAD_W-1:0] walk_thread_q;
  wire walked, limit_change, unit_clear;
  wire accesses;
  wire walk_begins = limit_change || unit_clear;
  wire last = walk_thread_q == LAST_THREAD;
  always @(posedge clk_i) begin
    clear_q2 <= clear_q || rst_i;
    if (rst_i) begin
      clear_q <= 1'b1;
      walk_q <= 1'b0;
      settle_q <= 1'b0;
      clearing_q <= 1'b0;
      walked_q <= 2'b00;
    end else begin
      if (last) clear_q <= 1'b0;
      if (walk_begins) settle_q <= 1'b1;
      else if (walked_q[1]) settle_q <= 1'b0;
      if (unit_clear) clearing_q <= 1'b1;
      else if ((walked_q[1] || !settle_q) && !accesses) clearing_q <= 1'b0;
      if (walk_begins) walk_q <= 1'b1;
      else if (walked && last) walk_q <= 1'b0;
      walked_q <= walk_begins ? 2'b00 : {walked_q[0], walked && last};
    end
    if (rst_i || walk_begins) walk_thread_q <= {THREAD_W{1'b0}};
    else if (clear_q || walked) walk_thread_q <= walk_thread_q + 1'b1;
  end

  wire steal, counter_clear;
  wire started = !clear_q && !clear_q2;
  wire halted, unit_closed, unit_busy, unit_quiet, flush_ends;  // [SC-13]
  wire ready = started && !steal && !settle_q && !unit_busy;
  wire open = started && !steal && !settle_q && !unit_closed;
  assign can_init_o = started && !unit_closed;

  // ---- can-go bits -----------------------------------------------------------------------------------
  // A register per bit. It rises when an operation is taken after which it is 1, or nearly always (A); B,
  // which knows the thread's exact state, then makes it fall, from that very cycle on; the engine's events
  // make it rise two cycles after they fired. B goes before the engine's event, as it saw it, and A before B.
  // [SC-11]
  wire c_valid, c_clear_fault, c_all, c_hint, c_was_init, c_cuts, c_replace, c_begins, c_drop;
  wire [THREAD_W-1:0] a_thread, b_thread, c_thread, ec_thread;
  wire b_push_falls, b_top_falls, a_clear, a_load, a_flush;
  wire ec_spilled, ec_restored, ec_top, ec_fault, ec_clean, ec_same;
  wire [NUM_W-1:0] ctx_nd, ctx_nv;
  wire [COUNT_W-1:0] ctx_count;
  wire ctx_fault;
  wire [COUNT_W-1:0] limit;

  // Thread numbers decoded in two halves.
  localparam LOWS = (THREADS > 16) ? 8 : (THREADS > 4) ? 4 : 2;
  localparam LOW_W = $clog2(LOWS);
  localparam HIGHS = (1 << THREAD_W) / LOWS;
  function [LOWS-1:0] low(input [LOW_W-1:0] number);
    low = {{LOWS-1{1'b0}}, 1'b1} << number;
  endfunction
  function [HIGHS-1:0] high(input valid, input [THREAD_W-1:0] number);
    high = valid ? {{HIGHS-1{1'b0}}, 1'b1} << (number >> LOW_W) : {HIGHS{1'b0}};
  endfunction
  wire a_init = op_valid_i && op_kind_i == 3'd4 && can_init_o;
  wire [LOWS-1:0] a_low = low(a_thread[LOW_W-1:0]), b_low = low(b_thread[LOW_W-1:0]),
                  c_low = low(c_thread[LOW_W-1:0]), e_low = low(ec_thread[LOW_W-1:0]);
  wire [HIGHS-1:0] a_push_high = high(open && op_valid_i && op_kind_i == 3'd0, a_thread);
  wire [HIGHS-1:0] a_pop_high = high(open && op_valid_i && op_kind_i == 3'd1, a_thread);
  wire [HIGHS-1:0] a_both_high = high(a_init || a_clear || a_load, a_thread);
  wire [HIGHS-1:0] a_room_high = high(a_init || a_clear || a_load || a_flush || walked, a_thread);
  wire [HIGHS-1:0] b_push_high = high(b_push_falls, b_thread), b_top_high = high(b_top_falls, b_thread);
  wire [HIGHS-1:0] c_clear_high = high(c_valid && c_clear_fault, c_thread);
  wire [HIGHS-1:0] c_fault_high = high(STATUS != 0 && c_all && ctx_fault, c_thread);
  wire [HIGHS-1:0] e_push_high = high(ec_spilled || ec_top || ec_fault, ec_thread);
  wire [HIGHS-1:0] e_top_high = high(ec_restored || ec_fault, ec_thread);
  wire [HIGHS-1:0] e_fault_high = high(ec_fault, ec_thread);

  reg [THREADS-1:0] push_q, top_q, faults;  // a bit of the thread in B is 1 where B has not yet made it fall
  genvar t;
  generate
    for (t = 0; t < THREADS; t = t + 1) begin : g_thread
      localparam LOW = t % LOWS, HIGH = t / LOWS;
      wire push_falls = b_low[LOW] && b_push_high[HIGH];
      wire top_falls = b_low[LOW] && b_top_high[HIGH];
      assign can_push_o[t] = open && push_q[t] && !push_falls;
      assign can_top_o[t] = open && top_q[t] && !top_falls;
      always @(posedge clk_i) begin
        push_q[t] <= rst_i || (a_low[LOW] && (a_room_high[HIGH] || (a_pop_high[HIGH] && top_q[t])))
                     || ((push_q[t] || (e_low[LOW] && e_push_high[HIGH])) && !push_falls);
        top_q[t] <= rst_i || (a_low[LOW] && (a_both_high[HIGH] || (a_push_high[HIGH] && push_q[t])))
                    || ((top_q[t] || (e_low[LOW] && e_top_high[HIGH])) && !top_falls);
        if (rst_i || (c_low[LOW] && c_clear_high[HIGH])) faults[t] <= 1'b0;
        else if ((e_low[LOW] && e_fault_high[HIGH]) || (c_low[LOW] && c_fault_high[HIGH])) faults[t] <= 1'b1;
      end
    end
  endgenerate

  // ---- context: what is loaded or saved ---------------------------------------------------------------
  wire ctx, ctx_load, ctx_loads, ctx_write, ctx_drain, ld_drain, ld_fault;
  wire [THREAD_W-1:0] ctx_thread;
  wire [COUNT_W-1:0] ld_count;
  wire [NUM_W-1:0] ld_nd, ld_nv, ld_burst, ctx_burst;
  wire [OFF_W-1:0] ld_off, ctx_off;
  wire [ENTRY_W-1:0] ctx_data;
  wire [SLOT_W-1:0] ctx_slot;
  wire [BANK_W-1:0] ctx_bank;
  wire lawful, takes, taken, ops_busy, engine_idle, engine_working;
  wire [THREADS-1:0] bursts;
  wire [THREAD_W-1:0] flush_thread;
  wire flush_spills, b_fault;
  wire [COUNT_W-1:0] b_count;
  wire [NUM_W-1:0] b_nd;

  // ---- operations ------------------------------------------------------------------------------------
  wire a_writes, b_valid, b_replace, b_init, b_push, b_uses_write, b_uses_read, b_write, o_we;
  wire [THREAD_W-1:0] o_waddr, ef_thread, e_waddr;
  wire [O_W-1:0] o_wdata, c_o;
  wire [E_W-1:0] e_wdata, ec_e;
  wire e_we, ec_we;
  wire [SLOT_W-1:0] b_write_slot, b_read_slot, spill_slot, store_slot;
  wire [BANK_W-1:0] b_write_bank;
  wire [ENTRY_W-1:0] b_data;
  wire [SET*ENTRY_W-1:0] rdata, store_kept;
  wire all_empty, n_push, n_pop, n_clean;
  wire [1:0] n_drop;
  wire [THREADS-1:0] no_deepest;
  wire [COUNT_W-1:0] n_depth;

  stack_cache_ops #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .SET(SET), .NSETS(NSETS), .COUNT_W(COUNT_W), .THREAD_W(THREAD_W),
    .POLICY(POLICY), .FLAGS(FLAGS), .COUNTERS(COUNTERS), .STATUS(STATUS), .O_W(O_W), .E_W(E_W), .NUM_W(NUM_W),
    .OFF_W(OFF_W), .SLOT_W(SLOT_W), .BANK_W(BANK_W)
  ) u_ops (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear_q), .walk_i(walk_q), .walk_thread_i(walk_thread_q),
    .walked_o(walked), .a_thread_o(a_thread), .a_clear_o(a_clear), .a_load_o(a_load),
    .walk_init_i(clearing_q), .ctx_i(ctx), .ctx_thread_i(ctx_thread), .ctx_load_i(ctx_load),
    .ctx_count_i(ld_count), .ctx_nd_i(ld_nd), .ctx_nv_i(ld_nv), .ctx_off_i(ld_off), .ctx_drain_i(ld_drain),
    .ctx_fault_i(ld_fault), .ctx_loads_o(ctx_loads), .ctx_count_o(ctx_count), .ctx_nd_o(ctx_nd),
    .ctx_nv_o(ctx_nv), .ctx_off_o(ctx_off), .ctx_burst_o(ctx_burst), .ctx_drain_o(ctx_drain),
    .ctx_fault_o(ctx_fault), .ctx_write_i(ctx_write), .ctx_data_i(ctx_data), .flush_i(a_flush),
    .flush_thread_i(flush_thread), .flush_spills_i(flush_spills), .b_count_o(b_count), .b_nd_o(b_nd),
    .b_fault_o(b_fault), .op_valid_i(op_valid_i), .op_kind_i(op_kind_i), .op_thread_i(op_thread_i),
    .op_data_i(op_data_i), .push_i(push_q), .top_i(top_q), .open_i(open), .can_init_i(can_init_o),
    .b_push_falls_o(b_push_falls), .b_top_falls_o(b_top_falls),
    .ready_i(ready), .init_ready_i(started && !unit_busy), .lawful_o(lawful), .takes_o(takes),
    .taken_o(taken), .busy_o(ops_busy),
    .ans_valid_o(ans_valid_o), .ans_thread_o(ans_thread_o), .ans_kind_o(ans_kind_o),
    .ans_status_o(ans_status_o), .ans_data_valid_o(ans_data_valid_o), .ans_data_o(ans_data_o),
    .limit_i(limit), .clear_deepest_i(counter_clear), .no_deepest_o(no_deepest),
    .ef_thread_i(ef_thread), .e_we_i(e_we), .e_waddr_i(e_waddr), .e_wdata_i(e_wdata),
    .ec_we_i(ec_we), .ec_e_i(ec_e),
    .b_valid_o(b_valid), .b_thread_o(b_thread), .b_push_o(b_push), .b_replace_o(b_replace), .b_init_o(b_init),
    .b_uses_write_o(b_uses_write), .b_uses_read_o(b_uses_read),
    .o_we_o(o_we), .o_waddr_o(o_waddr), .o_wdata_o(o_wdata),
    .a_writes_o(a_writes), .b_write_o(b_write), .b_write_slot_o(b_write_slot), .b_write_bank_o(b_write_bank),
    .b_read_slot_o(b_read_slot), .b_data_o(b_data), .c_rdata_i(rdata),
    .c_valid_o(c_valid), .c_thread_o(c_thread), .c_o_o(c_o), .c_all_o(c_all),
    .c_clear_fault_o(c_clear_fault), .c_hint_o(c_hint),
    .c_was_init_o(c_was_init), .c_cuts_o(c_cuts), .c_replace_o(c_replace), .c_begins_o(c_begins),
    .c_drop_o(c_drop), .all_empty_o(all_empty),
    .n_push_o(n_push), .n_pop_o(n_pop), .n_clean_o(n_clean), .n_drop_o(n_drop), .n_depth_o(n_depth));

  // ---- engine ----------------------------------------------------------------------------------------
  wire depth_wanted, depth_done;
  wire [THREAD_W-1:0] depth_thread;
  wire [COUNT_W-1:0] depth, deepest;
  wire [ADDR_W-1:0] base;
  wire [5:0] stride_lg;
  wire [NUM_W-1:0] spill_over, spill_burst, restore_free;
  wire store, store_port;
  wire error, error_write, error_held, error_cleared;
  wire recorded = error && !clearing_q && !unit_clear;  // what a reset dropped is nobody's error
  wire [1:0] error_code, n_restore;
  wire [THREAD_W-1:0] error_thread;
  wire [SET_IDX_W-1:0] error_set;
  wire n_spill;
  wire acks, flush_read, flush_done, flush_wanted, flush_starts, stall, ec_req;
  wire [THREAD_W-1:0] read_thread, spill_thread;
  wire [COUNT_W-1:0] read_count;
  wire [NUM_W-1:0] read_nd;

  stack_cache_engine #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .SET(SET), .NSETS(NSETS), .COUNT_W(COUNT_W), .THREAD_W(THREAD_W),
    .CLASS_W(CLASS_W), .INFLIGHT(INFLIGHT), .SET_IDX_W(SET_IDX_W), .PTR_W(PTR_W), .POLICY(POLICY),
    .FLAGS(FLAGS), .COUNTERS(COUNTERS), .STATUS(STATUS), .STEAL(STEAL), .FORWARD(FORWARD), .ADDR_W(ADDR_W),
    .TAG_W(TAG_W), .SET_BYTES(SET_BYTES), .ENTRY_BYTES(ENTRY_BYTES), .O_W(O_W), .E_W(E_W), .NUM_W(NUM_W),
    .OFF_W(OFF_W), .SLOT_W(SLOT_W), .STRIDE_MAX(STRIDE_MAX)
  ) u_engine (
    .clk_i(clk_i), .rst_i(rst_i), .walk_i(clear_q), .walk_thread_i(walk_thread_q),
    .hint_i(c_hint), .any_waits_i(open && !(&push_q && &top_q && !b_push_falls && !b_top_falls)),
    .halted_i(halted), .quiet_i(unit_quiet), .end_bursts_i(flush_ends), .bursts_o(bursts),
    .idle_o(engine_idle), .acks_i(acks), .drop_i(unit_clear), .clearing_i(clearing_q), .read_i(flush_read),
    .read_thread_i(read_thread), .read_count_i(read_count), .read_nd_i(read_nd), .stall_o(stall),
    .ec_req_o(ec_req), .accesses_o(accesses), .working_o(engine_working), .ctx_loads_i(ctx_loads),
    .ctx_thread_i(ctx_thread), .ctx_burst_i(ld_burst),
    .no_deepest_i(no_deepest), .depth_i(depth_wanted), .depth_thread_i(depth_thread),
    .depth_done_o(depth_done), .depth_o(depth), .deepest_o(deepest),
    .base_i(base), .stride_lg_i(stride_lg), .spill_over_i(spill_over), .spill_burst_i(spill_burst),
    .restore_free_i(restore_free), .limit_i(limit),
    .a_writes_i(a_writes), .a_thread_i(a_thread), .b_valid_i(b_valid), .b_push_i(b_push),
    .b_replace_i(b_replace), .b_init_i(b_init), .b_uses_write_i(b_uses_write), .b_uses_read_i(b_uses_read),
    .o_we_i(o_we), .o_waddr_i(o_waddr), .o_wdata_i(o_wdata), .c_valid_i(c_valid), .c_o_i(c_o),
    .c_thread_i(c_thread), .c_init_i(c_was_init), .c_cuts_i(c_cuts), .c_replace_i(c_replace),
    .c_begins_i(c_begins), .c_drop_i(c_drop), .c_one_i(ctx_nd == {{NUM_W-1{1'b0}}, 1'b1}),
    .ef_thread_o(ef_thread), .e_we_o(e_we), .e_waddr_o(e_waddr), .e_wdata_o(e_wdata),
    .ec_we_o(ec_we), .ec_e_o(ec_e),
    .spill_thread_o(spill_thread), .spill_slot_o(spill_slot), .store_o(store), .store_slot_o(store_slot),
    .store_port_o(store_port), .store_kept_o(store_kept), .ec_rdata_i(rdata),
    .ec_thread_o(ec_thread), .ec_spilled_o(ec_spilled), .ec_restored_o(ec_restored), .ec_top_o(ec_top),
    .ec_fault_o(ec_fault), .ec_clean_o(ec_clean), .ec_same_o(ec_same),
    .steal_o(steal),
    .error_o(error), .error_write_o(error_write), .error_code_o(error_code), .error_thread_o(error_thread),
    .error_set_o(error_set),
    .n_spill_o(n_spill), .n_restore_o(n_restore),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i), .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o), .mem_rsp_tag_i(mem_rsp_tag_i),
    .mem_rsp_error_i(mem_rsp_error_i));

  // ---- storage: SET banks; B has the write and the read port, the engine what B leaves ---------------
  wire unused_padding = &{1'b0, mem_rsp_data_i};
  reg ctx_write_q;
  always @(posedge clk_i) ctx_write_q <= ctx_write && !rst_i;
  wire ctx_we = STATUS != 0 && ctx_write_q;
  genvar b;
  generate
    for (b = 0; b < SET; b = b + 1) begin : g_bank
      localparam [BANK_W-1:0] NUMBER = b;
      wire we = ctx_we ? ctx_bank == NUMBER : b_uses_write ? b_write && b_write_bank == NUMBER : store;
      wire [THREAD_W+SLOT_W-1:0] waddr = ctx_we ? {ctx_thread, ctx_slot}
                                       : b_uses_write ? {b_thread, b_write_slot} : {ef_thread, store_slot};
      wire [THREAD_W+SLOT_W-1:0] raddr = (STATUS != 0 && ctx) ? {ctx_thread, ctx_slot}
                                       : b_uses_read ? {b_thread, b_read_slot} : {spill_thread, spill_slot};
      localparam AW = $clog2(THREADS * NSETS);
      wire unused = &{1'b0, waddr, raddr};
      ram_1r1w #(.WIDTH(ENTRY_W), .DEPTH(THREADS * NSETS)) u_ram (
        .clk_i(clk_i), .we_i(we), .waddr_i(waddr[AW-1:0]),
        .wdata_i(b_data | ({ENTRY_W{store_port}} & mem_rsp_data_i[b*8*ENTRY_BYTES+:ENTRY_W])
                 | store_kept[b*ENTRY_W+:ENTRY_W]),
        .raddr_i(raddr[AW-1:0]), .rdata_o(rdata[b*ENTRY_W+:ENTRY_W]));
    end
  endgenerate

  // ---- unit status -----------------------------------------------------------------------------------
  // A context of another shape is refused: docs/unit_status_cells.md.
  function [31:0] mix(input [31:0] hash, input [31:0] value);
    mix = (hash ^ value) * 32'h01000193;
  endfunction
  wire unit_halt, control, word_we, word_bad, ctx_comes, ctx_commit;
  wire [1:0] control_data, control_now;
  wire [3:0] word;
  wire [31:0] word_in, word_out;
  generate
    if (STATUS != 0) begin : g_unit
      localparam [31:0] CFG_HASH =
          mix(mix(mix(mix(mix(mix(mix(mix(mix(32'h811c9dc5, THREADS), ENTRY_W), ENTRIES),
        SET), MAX_DEPTH), POLICY), FLAGS), INFLIGHT), ADDR_W);
      stack_cache_unit #(
        .THREADS(THREADS), .ENTRY_W(ENTRY_W), .SET(SET), .NSETS(NSETS), .COUNT_W(COUNT_W),
        .THREAD_W(THREAD_W), .MAX_DEPTH(MAX_DEPTH), .POLICY(POLICY), .FLAGS(FLAGS), .STATUS(STATUS),
        .NUM_W(NUM_W), .OFF_W(OFF_W), .SLOT_W(SLOT_W), .BANK_W(BANK_W), .STATE_W(STATE_W), .CTX_MAX(CTX_MAX),
        .CFG_HASH(CFG_HASH)
      ) u_unit (
        .clk_i(clk_i), .rst_i(rst_i),
        .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i), .cmd_resume_i(cmd_resume_i), .state_o(state_o),
        .progress_o(progress_o), .waiting_o(waiting_o), .gather_o(gather_o), .nack_o(nack_o),
        .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i), .ctx_cmd_load_i(ctx_cmd_load_i),
        .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o),
        .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o),
        .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o),
        .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
        .started_i(started), .settle_i(settle_q), .clearing_i(clearing_q), .lawful_i(lawful), .takes_i(takes),
        .taken_i(taken), .ops_busy_i(ops_busy), .answers_i(ans_valid_o), .engine_idle_i(engine_idle),
        .engine_working_i(engine_working), .accesses_i(accesses),
        .requested_i(mem_req_valid_o && mem_req_ready_i), .blocked_i(mem_req_valid_o && !mem_req_ready_i),
        .answered_i(mem_rsp_valid_i && mem_rsp_ready_o), .nack_i(recorded), .error_i(error_held),
        .error_cleared_i(error_cleared), .halted_o(halted), .closed_o(unit_closed), .busy_o(unit_busy),
        .quiet_o(unit_quiet), .flush_ends_o(flush_ends), .flush_wanted_o(flush_wanted),
        .flush_starts_o(flush_starts), .flush_done_i(flush_done), .clear_o(unit_clear),
        .control_i(control), .control_data_i(control_data), .control_o(control_now), .halt_o(unit_halt),
        .word_o(word), .word_i(word_out), .word_we_o(word_we), .word_data_o(word_in), .word_bad_i(word_bad),
        .loads_o(ctx_comes), .commit_o(ctx_commit), .ctx_o(ctx), .ctx_thread_o(ctx_thread),
        .ctx_load_o(ctx_load), .ctx_count_o(ld_count),
        .ctx_nd_o(ld_nd), .ctx_nv_o(ld_nv), .ctx_off_o(ld_off), .ctx_burst_o(ld_burst),
        .ctx_drain_o(ld_drain), .ctx_fault_o(ld_fault), .ctx_count_i(ctx_count), .ctx_nd_i(ctx_nd),
        .ctx_nv_i(ctx_nv), .ctx_off_i(ctx_off), .ctx_burst_i(ctx_burst & {NUM_W{bursts[c_thread]}}),
        .ctx_drain_i(ctx_drain), .ctx_fault_i(ctx_fault), .ctx_slot_o(ctx_slot), .ctx_bank_o(ctx_bank),
        .ctx_write_o(ctx_write), .ctx_data_o(ctx_data), .rdata_i(rdata));
      stack_cache_flush #(
        .THREADS(THREADS), .THREAD_W(THREAD_W), .NSETS(NSETS), .INFLIGHT(INFLIGHT), .CLASS_W(CLASS_W),
        .COUNT_W(COUNT_W), .NUM_W(NUM_W)
      ) u_flush (
        .clk_i(clk_i), .rst_i(rst_i), .flush_i(flush_wanted), .start_i(flush_starts), .walk_i(walk_q),
        .drop_i(unit_clear), .c_valid_i(c_valid), .c_thread_i(c_thread), .c_nd_i(ctx_nd),
        .c_fault_i(ctx_fault), .ec_thread_i(ec_thread), .ec_spilled_i(ec_spilled), .ec_clean_i(ec_clean),
        .ec_same_i(ec_same), .ec_fault_i(ec_fault), .done_o(flush_done), .acks_o(acks), .a_o(a_flush),
        .a_thread_o(flush_thread), .b_thread_i(b_thread), .b_count_i(b_count), .b_nd_i(b_nd),
        .b_fault_i(b_fault), .spills_o(flush_spills), .stall_i(stall), .ec_req_i(ec_req), .read_o(flush_read),
        .read_thread_o(read_thread), .read_count_o(read_count), .read_nd_o(read_nd));
    end else begin : g_no_unit
      assign {halted, unit_closed, unit_busy, unit_quiet, flush_ends, unit_clear, unit_halt} = 7'd0;
      assign {ctx_comes, ctx_commit} = 2'd0;
      assign {progress_o, waiting_o, gather_o, nack_o, ctx_cmd_ready_o, ctx_done_o, ctx_out_valid_o} = 7'd0;
      assign {ctx_out_last_o, ctx_in_ready_o, ctx, ctx_load, ld_drain, ld_fault, ctx_write, word_we} = 8'd0;
      assign state_o = {STATE_W{1'b0}};
      assign ctx_error_o = 3'd0;
      assign ctx_out_data_o = 32'd0;
      assign control_now = 2'd0;
      assign word = 4'd0;
      assign word_in = 32'd0;
      assign ctx_thread = {THREAD_W{1'b0}};
      assign ld_count = {COUNT_W{1'b0}};
      assign {ld_nd, ld_nv, ld_burst} = {3*NUM_W{1'b0}};
      assign ld_off = {OFF_W{1'b0}};
      assign ctx_slot = {SLOT_W{1'b0}};
      assign ctx_bank = {BANK_W{1'b0}};
      assign ctx_data = {ENTRY_W{1'b0}};
      assign {acks, flush_read, flush_done, flush_wanted, flush_starts, flush_spills, a_flush} = 7'd0;
      assign {flush_thread, read_thread} = {2*THREAD_W{1'b0}};
      assign read_count = {COUNT_W{1'b0}};
      assign read_nd = {NUM_W{1'b0}};
      wire unused = &{1'b0, cmd_halt_i, cmd_reset_i, cmd_resume_i, ctx_unit_i, ctx_cmd_valid_i,
                      ctx_cmd_load_i, ctx_out_ready_i, ctx_in_valid_i, ctx_in_data_i, ctx_in_last_i,
                      ctx_in_error_i, lawful, takes, taken, ops_busy, engine_idle, engine_working, bursts,
                      flush_done, flush_wanted, flush_starts, stall, ec_req, ec_clean, ec_same, b_count, b_nd,
                      b_fault, ctx_count, ctx_nd, ctx_nv, ctx_off, ctx_burst, ctx_drain, control,
                      control_data, word_out, word_bad, error_held, error_cleared};
    end
  endgenerate

  // ---- registers and counters ------------------------------------------------------------------------
  wire counter_upper, counter_read;
  wire [31:0] counter_data;
  stack_cache_regs #(
    .THREADS(THREADS), .THREAD_W(THREAD_W), .COUNT_W(COUNT_W), .MAX_DEPTH(MAX_DEPTH), .NSETS(NSETS),
    .NUM_W(NUM_W), .SET_IDX_W(SET_IDX_W), .POLICY(POLICY), .COUNTERS(COUNTERS), .UNIT(STATUS),
    .ADDR_W(ADDR_W), .SET_BYTES(SET_BYTES), .ENTRY_BYTES(ENTRY_BYTES), .STRIDE_MAX(STRIDE_MAX)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .walk_i(clear_q),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .depth_o(depth_wanted), .depth_thread_o(depth_thread), .depth_done_i(depth_done), .depth_i(depth),
    .deepest_i(deepest),
    .base_o(base), .stride_lg_o(stride_lg), .spill_over_o(spill_over), .spill_burst_o(spill_burst),
    .restore_free_o(restore_free), .limit_o(limit), .limit_change_o(limit_change),
    .all_empty_i(all_empty), .accesses_i(accesses), .faults_i(faults), .error_i(recorded),
    .error_write_i(error_write), .error_code_i(error_code), .error_thread_i(error_thread),
    .error_set_i(error_set), .error_o(error_held), .error_cleared_o(error_cleared),
    .counter_upper_o(counter_upper), .counter_read_o(counter_read), .counter_clear_o(counter_clear),
    .counter_i(counter_data),
    .halted_i(halted), .halt_i(unit_halt), .clear_i(unit_clear), .control_o(control),
    .control_data_o(control_data), .control_i(control_now), .word_i(word), .word_o(word_out),
    .word_we_i(word_we), .word_data_i(word_in), .word_bad_o(word_bad),
    .loads_i(ctx_comes), .commit_i(ctx_commit));

  generate
    if (COUNTERS != 0) begin : g_counters
      wire in_range = {1'b0, op_thread_i} < THREADS[THREAD_W:0];
      wire presented = op_valid_i && in_range, its_b = op_thread_i == b_thread;
      stack_cache_counters #(.THREADS(THREADS), .THREAD_W(THREAD_W), .COUNT_W(COUNT_W)) u_counters (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(counter_clear), .next_i(reg_req_valid_i && reg_req_ready_o),
        .next_counter_i(reg_req_addr_i[6:3]), .upper_i(counter_upper), .read_i(counter_read),
        .data_o(counter_data),
        .n_push_i(n_push), .n_pop_i(n_pop), .n_spill_i(n_spill), .n_restore_i(n_restore), .n_drop_i(n_drop),
        .n_clean_i(n_clean), .n_depth_i(n_depth),
        .watch_i(can_init_o && !settle_q), .steal_i(steal),
        .halt_i(started && unit_closed), .wait_halt_i(started && unit_closed && lawful),
        .wait_push_i(presented && op_kind_i == 3'd0
                     && !(open && push_q[op_thread_i] && !(b_push_falls && its_b))),
        .wait_top_i(presented && !op_kind_i[2] && op_kind_i != 3'd0
                    && !(open && top_q[op_thread_i] && !(b_top_falls && its_b))),
        .can_push_i(push_q), .can_top_i(top_q), .push_falls_i(b_push_falls), .top_falls_i(b_top_falls));
    end else begin : g_no_counters
      wire unused = &{1'b0, counter_upper, counter_read, counter_clear, n_push, n_pop, n_clean,
                      n_drop, n_depth, n_spill, n_restore};
      assign counter_data = 32'd0;
    end
  endgenerate
endmodule

`default_nettype wire
