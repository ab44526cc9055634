// SPDX-License-Identifier: Apache-2.0
// stack_cache_core: multi-threaded stack cache with pre-emptive spill and restore.
//
// One LIFO per thread; its top entries are on chip, sets of older ones are written to memory before room is
// short and read back before they are popped. One operation per cycle of any thread. An operation is taken when
// the can-go bit of its thread and kind is 1; its answer follows 3 cycles later, in order, without
// back-pressure. Memory: valid/ready, tagged, any order. Synchronous reset; then THREADS cycles clear the state.
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
  parameter COUNTERS = 1,
  parameter INFLIGHT = 16,
  parameter STEAL = 16,
  parameter ADDR_W = 32,
  parameter FORWARD = 1
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
  output wire reg_rsp_error_o
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
  localparam E_W = 2 * NUM_W + 5 + PER_ENTRY + ((POLICY != 0) ? 1 : 0);
  localparam O_W = COUNT_W + 2 * NUM_W + 5 + PER_ENTRY + ((COUNTERS == 2) ? COUNT_W : 0);

  // ---- walks -----------------------------------------------------------------------------------------
  // After reset a walk over all threads clears the state RAMs. After a change of the depth limit another one
  // passes all threads through the operation pipeline, which loads their lanes; no operation but init then.
  localparam [31:0] LAST = THREADS - 1;
  localparam [THREAD_W-1:0] LAST_THREAD = LAST[THREAD_W-1:0];
  reg clear_q, clear_q2, walk_q, settle_q;
  reg [1:0] walked_q;                       // the last thread is in B, in C
  reg [THREAD_W-1:0] walk_thread_q;
  wire walked, limit_change;
  wire last = walk_thread_q == LAST_THREAD;
  always @(posedge clk_i) begin
    clear_q2 <= clear_q || rst_i;
    if (rst_i) begin
      clear_q <= 1'b1;
      walk_q <= 1'b0;
      settle_q <= 1'b0;
      walked_q <= 2'b00;
    end else begin
      if (last) clear_q <= 1'b0;
      if (limit_change) settle_q <= 1'b1;
      else if (walked_q[1]) settle_q <= 1'b0;
      if (limit_change) walk_q <= 1'b1;
      else if (walked && last) walk_q <= 1'b0;
      walked_q <= limit_change ? 2'b00 : {walked_q[0], walked && last};
    end
    if (rst_i || limit_change) walk_thread_q <= {THREAD_W{1'b0}};
    else if (clear_q || walked) walk_thread_q <= walk_thread_q + 1'b1;
  end

  wire steal;
  wire started = !clear_q && !clear_q2;
  wire open = started && !steal && !settle_q;
  assign can_init_o = started;

  // ---- lanes -----------------------------------------------------------------------------------------
  wire [THREADS-1:0] full, faults;
  wire c_valid, c_up, c_blocked, c_down, c_missing, c_more, c_near_load, c_near, c_over_load, c_over;
  wire c_r_wide, c_clear_fault, c_hint, c_was_init, c_cuts, c_begins, c_drop;
  wire [THREAD_W-1:0] c_thread, ec_thread;
  wire [1:0] c_p, c_t, c_r, c_n, ec_gain;
  wire ec_spilled, ec_restored, ec_fault;
  wire [COUNT_W-1:0] limit;

  wire a_push = op_valid_i && op_kind_i == 3'd0;
  wire a_pop = op_valid_i && op_kind_i == 3'd1;
  wire a_replace = op_valid_i && op_kind_i == 3'd3;
  wire a_init = op_valid_i && op_kind_i == 3'd4 && started;
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
  wire [LOWS-1:0] a_low = low(op_thread_i[LOW_W-1:0]), c_low = low(c_thread[LOW_W-1:0]),
                  e_low = low(ec_thread[LOW_W-1:0]);
  wire [HIGHS-1:0] a_push_high = high(a_push, op_thread_i), a_pop_high = high(a_pop, op_thread_i);
  wire [HIGHS-1:0] a_init_high = high(a_init, op_thread_i);
  wire [HIGHS-1:0] c_clear_fault_high = high(c_valid && c_clear_fault, c_thread);
  wire [HIGHS-1:0] e_fault_high = high(ec_fault, ec_thread);

  wire e_replace;
  wire [1:0] init_r = (limit >> 1) != {COUNT_W{1'b0}} ? 2'd3 : {limit[0], !limit[0]};

  genvar t;
  generate
    if (SET >= 4) begin : g_sets
      wire [HIGHS-1:0] c_up_high = high(c_up, c_thread), c_down_high = high(c_down, c_thread);
      wire [HIGHS-1:0] c_near_high = high(c_near_load, c_thread), c_over_high = high(c_over_load, c_thread);
      wire [HIGHS-1:0] e_spilled_high = high(ec_spilled || ec_fault, ec_thread);
      wire [HIGHS-1:0] e_restored_high = high(ec_restored || ec_fault, ec_thread);
      wire [COUNT_W+SET_LG-1:0] limit_x = {{SET_LG{1'b0}}, limit};
      reg tiny;                             // in time: no push is taken in the cycle after a change
      always @(posedge clk_i) tiny <= (limit >> SET_LG) == {COUNT_W{1'b0}};
      for (t = 0; t < THREADS; t = t + 1) begin : g_lane
        localparam LOW = t % LOWS, HIGH = t / LOWS;
        stack_cache_lane #(.SET_LG(SET_LG)) u_lane (
          .clk_i(clk_i), .rst_i(rst_i), .open_i(open), .tiny_i(tiny), .limit_pos_i(limit_x[SET_LG-1:0]),
          .a_low_i(a_low[LOW]), .a_push_i(a_push_high[HIGH]), .a_pop_i(a_pop_high[HIGH]),
          .a_init_i(a_init_high[HIGH]),
          .can_push_o(can_push_o[t]), .can_top_o(can_top_o[t]), .full_o(full[t]),
          .c_low_i(c_low[LOW]), .c_up_i(c_up_high[HIGH]), .c_blocked_i(c_blocked),
          .c_down_i(c_down_high[HIGH]), .c_missing_i(c_missing), .c_more_i(c_more),
          .c_near_load_i(c_near_high[HIGH]), .c_near_i(c_near),
          .c_over_load_i(c_over_high[HIGH]), .c_over_i(c_over), .c_clear_fault_i(c_clear_fault_high[HIGH]),
          .e_low_i(e_low[LOW]), .e_spilled_i(e_spilled_high[HIGH]), .e_restored_i(e_restored_high[HIGH]),
          .e_fault_i(e_fault_high[HIGH]), .fault_o(faults[t]));
      end
      wire unused = &{1'b0, limit_x, a_replace, init_r, c_p, c_t, c_r, c_r_wide, c_n, ec_gain, e_replace};
    end else begin : g_small
      wire [HIGHS-1:0] a_replace_high = high(a_replace, op_thread_i);
      wire [HIGHS-1:0] c_high = high(c_valid, c_thread);
      wire [HIGHS-1:0] e_high = high(ec_spilled || ec_restored || ec_fault, ec_thread);
      wire [1:0] e_p = ec_fault ? 2'd3 : ec_spilled ? SET[1:0] : 2'd0;
      wire [1:0] e_t = ec_fault ? 2'd3 : ec_restored ? ec_gain : 2'd0;
      for (t = 0; t < THREADS; t = t + 1) begin : g_lane
        localparam LOW = t % LOWS, HIGH = t / LOWS;
        stack_cache_lane_small #(.TIGHT(ENTRIES == 2)) u_lane (
          .clk_i(clk_i), .rst_i(rst_i), .open_i(open), .a_low_i(a_low[LOW]),
          .a_push_i(a_push_high[HIGH]), .a_pop_i(a_pop_high[HIGH]), .a_replace_i(a_replace_high[HIGH]),
          .init_r_i(init_r), .a_init_i(a_init_high[HIGH]),
          .can_push_o(can_push_o[t]), .can_top_o(can_top_o[t]), .full_o(full[t]),
          .c_hit_i(c_low[LOW] && c_high[HIGH]),
          .c_p_i(c_p), .c_t_i(c_t), .c_r_i(c_r), .c_r_wide_i(c_r_wide), .c_n_i(c_n),
          .c_clear_fault_i(c_clear_fault),
          .e_hit_i(e_low[LOW] && e_high[HIGH]), .e_p_i(e_p), .e_t_i(e_t), .e_replace_i(e_replace),
          .e_fault_i(ec_fault), .fault_o(faults[t]));
      end
      wire unused = &{1'b0, c_up, c_blocked, c_down, c_missing, c_more, c_near_load, c_near, c_over_load, c_over};
    end
  endgenerate

  // ---- operations ------------------------------------------------------------------------------------
  wire a_writes, b_valid, b_push, b_replace, b_init, b_uses_write, b_uses_read, b_write, o_we;
  wire [THREAD_W-1:0] b_thread, o_waddr, ef_thread, e_waddr;
  wire [O_W-1:0] o_wdata, c_o;
  wire [E_W-1:0] e_wdata, ec_e;
  wire e_we, ec_we;
  wire [SLOT_W-1:0] b_write_slot, b_read_slot, spill_slot, store_slot;
  wire [BANK_W-1:0] b_write_bank;
  wire [ENTRY_W-1:0] b_data;
  wire [SET*ENTRY_W-1:0] rdata, store_kept;
  wire all_empty, n_push, n_pop, n_clean;
  wire [1:0] n_drop;
  wire [COUNT_W-1:0] n_depth;

  assign e_replace = b_replace && b_thread == ec_thread;
  stack_cache_ops #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .SET(SET), .NSETS(NSETS), .COUNT_W(COUNT_W), .THREAD_W(THREAD_W),
    .POLICY(POLICY), .FLAGS(FLAGS), .COUNTERS(COUNTERS), .O_W(O_W), .E_W(E_W), .NUM_W(NUM_W), .OFF_W(OFF_W),
    .SLOT_W(SLOT_W), .BANK_W(BANK_W)
  ) u_ops (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear_q), .walk_i(walk_q), .walk_thread_i(walk_thread_q),
    .walked_o(walked),
    .op_valid_i(op_valid_i), .op_kind_i(op_kind_i), .op_thread_i(op_thread_i), .op_data_i(op_data_i),
    .can_push_i(can_push_o), .can_top_i(can_top_o), .full_i(full), .can_init_i(can_init_o),
    .ans_valid_o(ans_valid_o), .ans_thread_o(ans_thread_o), .ans_kind_o(ans_kind_o),
    .ans_status_o(ans_status_o), .ans_data_valid_o(ans_data_valid_o), .ans_data_o(ans_data_o),
    .limit_i(limit), .init_r_i(init_r),
    .ef_thread_i(ef_thread), .e_we_i(e_we), .e_waddr_i(e_waddr), .e_wdata_i(e_wdata),
    .ec_we_i(ec_we), .ec_e_i(ec_e),
    .b_valid_o(b_valid), .b_thread_o(b_thread), .b_push_o(b_push), .b_replace_o(b_replace), .b_init_o(b_init),
    .b_uses_write_o(b_uses_write), .b_uses_read_o(b_uses_read),
    .o_we_o(o_we), .o_waddr_o(o_waddr), .o_wdata_o(o_wdata),
    .a_writes_o(a_writes), .b_write_o(b_write), .b_write_slot_o(b_write_slot), .b_write_bank_o(b_write_bank),
    .b_read_slot_o(b_read_slot), .b_data_o(b_data), .c_rdata_i(rdata),
    .c_valid_o(c_valid), .c_thread_o(c_thread), .c_o_o(c_o), .c_up_o(c_up), .c_blocked_o(c_blocked),
    .c_down_o(c_down), .c_missing_o(c_missing), .c_more_o(c_more), .c_near_load_o(c_near_load),
    .c_near_o(c_near), .c_over_load_o(c_over_load), .c_over_o(c_over), .c_p_o(c_p), .c_t_o(c_t), .c_r_o(c_r),
    .c_r_wide_o(c_r_wide), .c_n_o(c_n), .c_clear_fault_o(c_clear_fault), .c_hint_o(c_hint),
    .c_was_init_o(c_was_init), .c_cuts_o(c_cuts), .c_begins_o(c_begins), .c_drop_o(c_drop),
    .all_empty_o(all_empty),
    .n_push_o(n_push), .n_pop_o(n_pop), .n_clean_o(n_clean), .n_drop_o(n_drop), .n_depth_o(n_depth));

  // ---- engine ----------------------------------------------------------------------------------------
  wire depth_wanted, depth_done;
  wire [THREAD_W-1:0] depth_thread;
  wire [COUNT_W-1:0] depth, deepest;
  wire [ADDR_W-1:0] base;
  wire [5:0] stride_lg;
  wire [NUM_W-1:0] spill_over, spill_burst, restore_free;
  wire store, store_port;
  wire error, error_write;
  wire [1:0] error_code, n_restore;
  wire [THREAD_W-1:0] error_thread;
  wire [SET_IDX_W-1:0] error_set;
  wire n_spill;

  stack_cache_engine #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .SET(SET), .NSETS(NSETS), .COUNT_W(COUNT_W), .THREAD_W(THREAD_W),
    .CLASS_W(CLASS_W), .INFLIGHT(INFLIGHT), .SET_IDX_W(SET_IDX_W), .PTR_W(PTR_W), .POLICY(POLICY),
    .FLAGS(FLAGS), .COUNTERS(COUNTERS), .STEAL(STEAL), .FORWARD(FORWARD), .ADDR_W(ADDR_W), .TAG_W(TAG_W),
    .SET_BYTES(SET_BYTES), .ENTRY_BYTES(ENTRY_BYTES), .O_W(O_W), .E_W(E_W), .NUM_W(NUM_W), .OFF_W(OFF_W),
    .SLOT_W(SLOT_W), .STRIDE_MAX(STRIDE_MAX)
  ) u_engine (
    .clk_i(clk_i), .rst_i(rst_i), .walk_i(clear_q), .walk_thread_i(walk_thread_q),
    .hint_i(c_hint), .any_waits_i(!(&can_push_o && &can_top_o)),
    .depth_i(depth_wanted), .depth_thread_i(depth_thread), .depth_done_o(depth_done), .depth_o(depth),
    .deepest_o(deepest),
    .base_i(base), .stride_lg_i(stride_lg), .spill_over_i(spill_over), .spill_burst_i(spill_burst),
    .restore_free_i(restore_free), .limit_i(limit),
    .a_writes_i(a_writes), .b_valid_i(b_valid), .b_thread_i(b_thread), .b_push_i(b_push),
    .b_replace_i(b_replace), .b_init_i(b_init), .b_uses_write_i(b_uses_write), .b_uses_read_i(b_uses_read),
    .o_we_i(o_we), .o_waddr_i(o_waddr), .o_wdata_i(o_wdata), .c_valid_i(c_valid), .c_o_i(c_o),
    .c_thread_i(c_thread), .c_init_i(c_was_init), .c_cuts_i(c_cuts), .c_begins_i(c_begins), .c_drop_i(c_drop),
    .ef_thread_o(ef_thread), .e_we_o(e_we), .e_waddr_o(e_waddr), .e_wdata_o(e_wdata),
    .ec_we_o(ec_we), .ec_e_o(ec_e),
    .spill_slot_o(spill_slot), .store_o(store), .store_slot_o(store_slot),
    .store_port_o(store_port), .store_kept_o(store_kept), .ec_rdata_i(rdata),
    .ec_thread_o(ec_thread), .ec_spilled_o(ec_spilled), .ec_restored_o(ec_restored), .ec_gain_o(ec_gain),
    .ec_fault_o(ec_fault),
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
  genvar b;
  generate
    for (b = 0; b < SET; b = b + 1) begin : g_bank
      localparam [BANK_W-1:0] NUMBER = b;
      wire we = b_uses_write ? b_write && b_write_bank == NUMBER : store;
      wire [THREAD_W+SLOT_W-1:0] waddr = b_uses_write ? {b_thread, b_write_slot} : {ef_thread, store_slot};
      wire [THREAD_W+SLOT_W-1:0] raddr = b_uses_read ? {b_thread, b_read_slot} : {ef_thread, spill_slot};
      localparam AW = $clog2(THREADS * NSETS);
      wire unused = &{1'b0, waddr, raddr};
      ram_1r1w #(.WIDTH(ENTRY_W), .DEPTH(THREADS * NSETS)) u_ram (
        .clk_i(clk_i), .we_i(we), .waddr_i(waddr[AW-1:0]),
        .wdata_i(b_data | ({ENTRY_W{store_port}} & mem_rsp_data_i[b*8*ENTRY_BYTES+:ENTRY_W])
                 | store_kept[b*ENTRY_W+:ENTRY_W]),
        .raddr_i(raddr[AW-1:0]), .rdata_o(rdata[b*ENTRY_W+:ENTRY_W]));
    end
  endgenerate

  // ---- registers and counters ------------------------------------------------------------------------
  wire [4:0] counter;
  wire counter_read, counter_clear;
  wire [31:0] counter_data;
  stack_cache_regs #(
    .THREADS(THREADS), .THREAD_W(THREAD_W), .COUNT_W(COUNT_W), .MAX_DEPTH(MAX_DEPTH), .NSETS(NSETS),
    .NUM_W(NUM_W), .SET_IDX_W(SET_IDX_W), .POLICY(POLICY), .COUNTERS(COUNTERS), .ADDR_W(ADDR_W),
    .SET_BYTES(SET_BYTES), .ENTRY_BYTES(ENTRY_BYTES), .STRIDE_MAX(STRIDE_MAX)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .walk_i(clear_q),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .depth_o(depth_wanted), .depth_thread_o(depth_thread), .depth_done_i(depth_done), .depth_i(depth),
    .deepest_i(deepest),
    .base_o(base), .stride_lg_o(stride_lg), .spill_over_o(spill_over), .spill_burst_o(spill_burst),
    .restore_free_o(restore_free), .limit_o(limit), .limit_change_o(limit_change),
    .all_empty_i(all_empty), .faults_i(faults), .error_i(error), .error_write_i(error_write),
    .error_code_i(error_code), .error_thread_i(error_thread), .error_set_i(error_set),
    .counter_o(counter), .counter_read_o(counter_read), .counter_clear_o(counter_clear),
    .counter_i(counter_data));

  generate
    if (COUNTERS != 0) begin : g_counters
      wire in_range = {1'b0, op_thread_i} < THREADS[THREAD_W:0];
      wire presented = op_valid_i && in_range;
      stack_cache_counters #(.THREADS(THREADS), .THREAD_W(THREAD_W), .COUNT_W(COUNT_W)) u_counters (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(counter_clear), .counter_i(counter), .read_i(counter_read),
        .data_o(counter_data),
        .n_push_i(n_push), .n_pop_i(n_pop), .n_spill_i(n_spill), .n_restore_i(n_restore), .n_drop_i(n_drop),
        .n_clean_i(n_clean), .n_depth_i(n_depth),
        .watch_i(can_init_o && !settle_q), .steal_i(steal),
        .wait_push_i(presented && op_kind_i == 3'd0 && !can_push_o[op_thread_i]),
        .wait_top_i(presented && !op_kind_i[2] && op_kind_i != 3'd0 && !can_top_o[op_thread_i]),
        .can_push_i(can_push_o), .can_top_i(can_top_o));
    end else begin : g_no_counters
      wire unused = &{1'b0, counter, counter_read, counter_clear, n_push, n_pop, n_clean, n_drop, n_depth,
                      n_spill, n_restore};
      assign counter_data = 32'd0;
    end
  endgenerate
endmodule

`default_nettype wire
