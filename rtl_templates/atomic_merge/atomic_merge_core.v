// SPDX-License-Identifier: Apache-2.0
// atomic_merge_core: an L1 cache that performs atomics on lines that are present and accumulates those of
// missing lines in temporary lines, which are merged with the true line when it arrives
// (docs/atomic_merge_design.md).
//
// Streams are valid/ready; outputs follow from registers alone. A request takes its place in the order of
// this cache at the end of the front (f4), one per cycle, with everything it needs. An engine stops the
// front for what is not one request: the arrival of a line with its merges and the requests that waited for
// it, and the departure of a line. Answers: 13 cycles after a request was accepted at the earliest. Reset:
// all lines invalid, nothing held, the errors cleared.
`default_nettype none

module atomic_merge_core #(
  parameter LINE_BYTES = 64,
  parameter LINES = 32,
  parameter WAYS = 4,
  parameter QUEUE = 16,
  parameter STALL_BUF = 64,
  parameter MERGE_LANES = 8,
  parameter MISSES = 8,
  parameter MAX_TEMPS = 2,
  parameter OLD_LINES = 8,
  parameter TID_W = 10,
  parameter ADDR_W = 32,
  parameter WIDE_ATOMICS = 1,
  parameter ATOMIC_ADD = 1,
  parameter ATOMIC_AND = 1,
  parameter ATOMIC_OR = 1,
  parameter ATOMIC_XOR = 1,
  parameter ATOMIC_MIN = 2,
  parameter ATOMIC_MAX = 2,
  parameter ATOMIC_SWAP = 1,
  parameter ATOMIC_CAS = 1,
  parameter ATOMIC_SAT = 0,
  parameter ATOMIC_WRAP = 0,
  parameter ATOMIC_MOD = 0,
  parameter ATOMIC_MUL = 0,
  parameter ATOMIC_FADD = 0,
  parameter ATOMIC_FMUL = 0,
  parameter ATOMIC_FMIN = 0,
  parameter ATOMIC_FMAX = 0,
  parameter FLOAT_MERGE = 1,
  parameter OP_STAGES = 7,
  parameter BIG_ENDIAN = 0,
  parameter TID_CHECK = 0,
  parameter COUNTERS = 0,
  parameter WITNESS = 0,
  parameter STATUS = 0,
  parameter HALT_MODE = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire req_valid_i,
  output wire req_ready_o,
  input  wire [4:0] req_op_i,
  input  wire [1:0] req_size_i,
  input  wire [1:0] req_mode_i,
  input  wire [ADDR_W-1:0] req_addr_i,
  input  wire [63:0] req_data_i,
  input  wire [63:0] req_compare_i,
  input  wire [TID_W-1:0] req_tid_i,

  output wire ans_valid_o,
  input  wire ans_ready_i,
  output reg  [TID_W-1:0] ans_tid_o,
  output reg  [1:0] ans_status_o,
  output reg  [63:0] ans_data_o,

  output wire fetch_valid_o,
  input  wire fetch_ready_i,
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] fetch_line_o,
  output wire [$clog2(MISSES)-1:0] fetch_tag_o,

  input  wire home_valid_i,
  output wire home_ready_o,
  input  wire home_snoop_i,
  input  wire [$clog2(MISSES)-1:0] home_tag_i,
  input  wire home_error_i,
  input  wire [ADDR_W-$clog2(LINE_BYTES)-1:0] home_line_i,
  input  wire [32*MERGE_LANES-1:0] home_data_i,

  output wire rel_valid_o,
  input  wire rel_ready_i,
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] rel_line_o,
  output wire rel_dirty_o,
  output wire rel_last_o,
  output wire [32*MERGE_LANES-1:0] rel_data_o,

  output wire [15:0] lost_count_o,
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] lost_line_o,
  output wire unasked_o,

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
  input  wire served_idle_i,
  output wire idle_o,
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
  input  wire [1:0] ctx_in_error_i,

  output wire wit_valid_o,
  output wire [1:0] wit_kind_o,
  output wire [TID_W-1:0] wit_tid_o,
  output wire [$clog2(MISSES*MAX_TEMPS)-1:0] wit_temp_o
);
  localparam LINE_LG = $clog2(LINE_BYTES);
  localparam LINE_AW = ADDR_W - LINE_LG;
  localparam CTX_MAX = (LINE_AW > 32) ? 3 : 2;       // words of a context
  localparam BEATS = LINE_BYTES / (4 * MERGE_LANES);
  localparam TEMPS = MISSES * MAX_TEMPS;
  localparam WORDS = LINE_BYTES / 4;
  localparam BEAT_W = $clog2(BEATS);                 // may be 0
  localparam SETS = LINES / WAYS;
  localparam SET_W = $clog2(SETS);
  localparam WAY_W = $clog2(WAYS);
  localparam PLACE_W = SET_W + WAY_W;
  localparam MISS_W = $clog2(MISSES);
  localparam TEMP_W = $clog2(TEMPS);                 // a temporary line is {which of its miss, miss}
  localparam WHICH_W = (MAX_TEMPS > 1) ? $clog2(MAX_TEMPS) : 1;
  localparam SLOT_W = $clog2(OLD_LINES);
  localparam STALL_W = $clog2(STALL_BUF);
  localparam EVENT_W = 1 + ((STALL_W > TEMP_W) ? STALL_W : TEMP_W); // {0, entry} or {1, temporary line}
  localparam EVENTS = (1 << (EVENT_W - 1)) + (1 << TEMP_W);
  localparam TRUE_W = $clog2(LINES*BEATS);
  localparam TROW_W = TEMP_W + BEAT_W;
  localparam OLD_W = $clog2(OLD_LINES*BEATS);
  localparam COUNT_W = 5;
  localparam HAS_CAS = ATOMIC_CAS != 0;
  localparam HAS_LOGIC = ATOMIC_AND != 0 || ATOMIC_OR != 0 || ATOMIC_XOR != 0;
  localparam HAS_SAT = ATOMIC_SAT != 0;
  localparam HAS_MODULO = ATOMIC_WRAP != 0 || ATOMIC_MOD != 0;
  localparam HAS_COMPARE = HAS_CAS || HAS_MODULO;
  localparam HAS_MUL = ATOMIC_MUL != 0;
  localparam [2:0] HAS_FLOAT = {ATOMIC_FMIN != 0 || ATOMIC_FMAX != 0, ATOMIC_FMUL != 0, ATOMIC_FADD != 0};
  // Cycles behind an operation of the unit.
  localparam APART = (HAS_MUL || HAS_FLOAT != 3'd0) ? OP_STAGES : HAS_MODULO ? 3 : 0;
  localparam EXTRA_STAGES = (APART != 0) ? APART - 2 : 0;
  localparam OP_W = (ATOMIC_WRAP != 0 || ATOMIC_MOD != 0 || HAS_MUL || HAS_FLOAT != 3'd0) ? 5 : 4;
  localparam HAS_SUM = ATOMIC_ADD != 0 || ATOMIC_MIN != 0 || ATOMIC_MAX != 0 || ATOMIC_SAT != 0;

  generate
    if (LINE_BYTES < 16 || LINE_BYTES > 128 || (LINE_BYTES & (LINE_BYTES - 1)) != 0) begin :
      g_line_bytes_range
      line_bytes_out_of_range check ();
    end
    if (LINES < 4 || LINES > 256 || (LINES & (LINES - 1)) != 0) begin : g_lines_range
      lines_out_of_range check ();
    end
    if (WAYS < 2 || WAYS > 8 || (WAYS & (WAYS - 1)) != 0) begin : g_ways_range
      ways_out_of_range check ();
    end
    if (LINES < 2 * WAYS) begin : g_sets_range
      lines_too_few_for_ways check ();
    end
    if (QUEUE < 2 || QUEUE > 64 || (QUEUE & (QUEUE - 1)) != 0) begin : g_queue_range
      queue_out_of_range check ();
    end
    if (STALL_BUF < 2 || STALL_BUF > 2048) begin : g_stall_buf_range
      stall_buf_out_of_range check ();
    end
    if (MERGE_LANES < 2 || MERGE_LANES > 16 || (MERGE_LANES & (MERGE_LANES - 1)) != 0) begin :
      g_merge_lanes_range
      merge_lanes_out_of_range check ();
    end
    if (4 * MERGE_LANES > LINE_BYTES) begin : g_beat_range
      merge_lanes_too_many_for_line_bytes check ();
    end
    if (MISSES < 2 || MISSES > 16 || (MISSES & (MISSES - 1)) != 0) begin : g_misses_range
      misses_out_of_range check ();
    end
    if (MAX_TEMPS < 1 || MAX_TEMPS > 4) begin : g_max_temps_range
      max_temps_out_of_range check ();
    end
    if (OLD_LINES < 2 || OLD_LINES > 32 || (OLD_LINES & (OLD_LINES - 1)) != 0) begin : g_old_lines_range
      old_lines_out_of_range check ();
    end
    if (TID_W < 1 || TID_W > 16) begin : g_tid_w_range
      tid_w_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 48) begin : g_addr_w_range
      addr_w_out_of_range check ();
    end
    if (WIDE_ATOMICS < 0 || WIDE_ATOMICS > 1) begin : g_wide_range
      wide_out_of_range check ();
    end
    if (ATOMIC_ADD < 0 || ATOMIC_ADD > 4) begin : g_op_add_range
      op_add_out_of_range check ();
    end
    if (ATOMIC_AND < 0 || ATOMIC_AND > 4) begin : g_op_and_range
      op_and_out_of_range check ();
    end
    if (ATOMIC_OR < 0 || ATOMIC_OR > 4) begin : g_op_or_range
      op_or_out_of_range check ();
    end
    if (ATOMIC_XOR < 0 || ATOMIC_XOR > 4) begin : g_op_xor_range
      op_xor_out_of_range check ();
    end
    if (ATOMIC_MIN < 0 || ATOMIC_MIN > 4) begin : g_op_min_range
      op_min_out_of_range check ();
    end
    if (ATOMIC_MAX < 0 || ATOMIC_MAX > 4) begin : g_op_max_range
      op_max_out_of_range check ();
    end
    if (ATOMIC_SWAP < 0 || ATOMIC_SWAP > 4) begin : g_op_swap_range
      op_swap_out_of_range check ();
    end
    if (ATOMIC_CAS < 0 || ATOMIC_CAS > 4) begin : g_op_cas_range
      op_cas_out_of_range check ();
    end
    if (ATOMIC_SAT < 0 || ATOMIC_SAT > 4) begin : g_op_sat_range
      op_sat_out_of_range check ();
    end
    if (ATOMIC_WRAP < 0 || ATOMIC_WRAP > 4) begin : g_op_wrap_range
      op_wrap_out_of_range check ();
    end
    if (ATOMIC_MOD < 0 || ATOMIC_MOD > 4) begin : g_op_mod_range
      op_mod_out_of_range check ();
    end
    if (ATOMIC_MUL < 0 || ATOMIC_MUL > 4) begin : g_op_mul_range
      op_mul_out_of_range check ();
    end
    if (ATOMIC_FADD < 0 || ATOMIC_FADD > 4) begin : g_op_fadd_range
      op_fadd_out_of_range check ();
    end
    if (ATOMIC_FMUL < 0 || ATOMIC_FMUL > 4) begin : g_op_fmul_range
      op_fmul_out_of_range check ();
    end
    if (ATOMIC_FMIN < 0 || ATOMIC_FMIN > 4) begin : g_op_fmin_range
      op_fmin_out_of_range check ();
    end
    if (ATOMIC_FMAX < 0 || ATOMIC_FMAX > 4) begin : g_op_fmax_range
      op_fmax_out_of_range check ();
    end
    if (FLOAT_MERGE < 0 || FLOAT_MERGE > 1) begin : g_float_merge_range
      float_merge_out_of_range check ();
    end
    if (OP_STAGES < 3 || OP_STAGES > 8) begin : g_op_stages_range
      op_stages_out_of_range check ();
    end
    if (BIG_ENDIAN < 0 || BIG_ENDIAN > 1) begin : g_big_endian_range
      big_endian_out_of_range check ();
    end
    if (TID_CHECK < 0 || TID_CHECK > 1) begin : g_tid_check_range
      tid_check_out_of_range check ();
    end
    if (COUNTERS < 0 || COUNTERS > 1) begin : g_counters_range
      counters_out_of_range check ();
    end
    if (STATUS < 0 || STATUS > 3) begin : g_status_range
      status_out_of_range check ();
    end
    if (HALT_MODE < 0 || HALT_MODE > 1) begin : g_halt_range
      halt_out_of_range check ();
    end
    if (WITNESS < 0 || WITNESS > 1) begin : g_witness_range
      witness_out_of_range check ();
    end
  endgenerate

  // Of the operations built: which, and which open an extra temporary line (AM-1, AM-12).
  localparam [31:0] BUILT = {9'd0, ATOMIC_FMAX != 0, ATOMIC_FMIN != 0, ATOMIC_FMUL != 0, ATOMIC_FADD != 0,
    HAS_MUL, ATOMIC_MOD != 0, {2{ATOMIC_WRAP != 0}}, HAS_SAT, HAS_CAS,
    ATOMIC_SWAP != 0, ATOMIC_MAX != 0, ATOMIC_MIN != 0,
    ATOMIC_MAX != 0,
    ATOMIC_MIN != 0, ATOMIC_XOR != 0, ATOMIC_OR != 0, ATOMIC_AND != 0, ATOMIC_ADD != 0, 4'b1111};
  localparam [31:0] EXTRA = {9'd0, ATOMIC_FMAX == 2 || ATOMIC_FMAX == 4, ATOMIC_FMIN == 2 || ATOMIC_FMIN == 4,
    ATOMIC_FMUL == 2 || ATOMIC_FMUL == 4, ATOMIC_FADD == 2 || ATOMIC_FADD == 4,
    ATOMIC_MUL == 2 || ATOMIC_MUL == 4, ATOMIC_MOD == 2 || ATOMIC_MOD == 4,
    {2{ATOMIC_WRAP == 2 || ATOMIC_WRAP == 4}}, ATOMIC_SAT == 2 || ATOMIC_SAT == 4,
    ATOMIC_CAS == 2 || ATOMIC_CAS == 4, ATOMIC_SWAP == 2 || ATOMIC_SWAP == 4,
    ATOMIC_MAX == 2 || ATOMIC_MAX == 4, ATOMIC_MIN == 2 || ATOMIC_MIN == 4,
    ATOMIC_MAX == 2 || ATOMIC_MAX == 4, ATOMIC_MIN == 2 || ATOMIC_MIN == 4,
    ATOMIC_XOR == 2 || ATOMIC_XOR == 4, ATOMIC_OR == 2 || ATOMIC_OR == 4,
    ATOMIC_AND == 2 || ATOMIC_AND == 4, ATOMIC_ADD == 2 || ATOMIC_ADD == 4, 4'b0000};
  // Of which all requests that are accumulated are parked, with their operands (AM-10).
  localparam [31:0] KEEP = {9'd0, ATOMIC_FMAX > 2, ATOMIC_FMIN > 2, ATOMIC_FMUL > 2, ATOMIC_FADD > 2,
    ATOMIC_MUL > 2, ATOMIC_MOD > 2, {2{ATOMIC_WRAP > 2}},
    ATOMIC_SAT > 2, ATOMIC_CAS > 2, ATOMIC_SWAP > 2, ATOMIC_MAX > 2, ATOMIC_MIN > 2,
    ATOMIC_MAX > 2, ATOMIC_MIN > 2, ATOMIC_XOR > 2, ATOMIC_OR > 2, ATOMIC_AND > 2, ATOMIC_ADD > 2, 4'b0000};
  integer i;

  wire s2_keeps, list_keep, list_slow;
  wire fast_valid, spool_valid, fetched, s2_valid, held, none_missing;
  reg [OLD_LINES-1:0] slot_used_q;
  wire live, tids_ready, s2_live;
  // ================ byte order ================
  // Big endian: lines are kept with the bytes of each 8 in reverse. So an item of 2^n bytes is little endian
  // inside, at its address with bits n to 2 inverted.
  wire [2:0] turned_bits = (BIG_ENDIAN != 0) ? 3'd7 << req_size_i : 3'd0;
  wire [ADDR_W-1:0] req_addr = {req_addr_i[ADDR_W-1:3], req_addr_i[2:0] ^ turned_bits};
  wire [32*MERGE_LANES-1:0] home_data, rel_data;
  genvar g;
  generate
    for (g = 0; g < 4 * MERGE_LANES; g = g + 1) begin : g_byte
      localparam FROM = (BIG_ENDIAN != 0) ? g ^ 7 : g;
      assign home_data[8*g +: 8] = home_data_i[8*FROM +: 8];
      assign rel_data_o[8*g +: 8] = rel_data[8*FROM +: 8];
    end
  endgenerate

  // ================ unit status (docs/atomic_merge_design.md) ================
  wire clear, closed, shut, still, stops, drops_home, spool_busy, engine_quiet, engine_home_ready;
  wire engine_rel_valid, queue_ready, nack_clear, some_missing, drain_flush, flush_seen, settles, commit;
  wire runs;
  wire flush_done, s2_evicts, reg_executes, reg_write, reg_waits, reg_good, commit_unasked;
  wire [9:0] reg_addr;
  wire [31:0] reg_word;
  wire [15:0] commit_count;
  wire [LINE_AW-1:0] commit_line;
  reg ans_valid_q;
  wire reset = rst_i || clear;
  assign ans_valid_o = ans_valid_q && !still;
  assign rel_valid_o = engine_rel_valid && !still;
  assign home_ready_o = drops_home || (engine_home_ready && !still);
  assign req_ready_o = queue_ready && !closed;
  // Any cache of the same lines may go on with the context.
  localparam [31:0] HASH_LINE = (32'h811c9dc5 ^ LINE_BYTES) * 32'h01000193;
  localparam [31:0] CFG_HASH = (HASH_LINE ^ ADDR_W) * 32'h01000193;
  atomic_merge_status #(
    .STATUS(STATUS), .WORDS(CTX_MAX), .DRAINS(HALT_MODE == 0), .MISS_W(MISS_W), .COUNT_W(COUNT_W),
    .BEATS(BEATS), .LINE_AW(LINE_AW), .CFG_HASH(CFG_HASH)
  ) status (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .served_idle_i(served_idle_i), .idle_o(idle_o), .state_o(state_o),
    .progress_o(progress_o), .waiting_o(waiting_o), .gather_o(gather_o), .nack_o(nack_o),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i), .ctx_cmd_load_i(ctx_cmd_load_i),
    .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o),
    .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o),
    .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o),
    .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o), .reg_executes_o(reg_executes),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_waits_i(reg_waits), .reg_good_i(reg_good),
    .reg_word_i(reg_word),
    .fetched_i(fetched), .fetch_tag_i(fetch_tag_o), .heard_i(home_valid_i && home_ready_o),
    .home_snoop_i(home_snoop_i), .home_error_i(home_error_i), .home_tag_i(home_tag_i),
    .offered_i(req_valid_i && queue_ready), .ans_offered_i(ans_valid_q), .ans_ready_i(ans_ready_i),
    .rel_offered_i(engine_rel_valid), .rel_ready_i(rel_ready_i),
    .quiet_i(engine_quiet && !s2_valid && !spool_busy), .tids_ready_i(tids_ready),
    .holds_i(held || some_missing || |slot_used_q || fast_valid || spool_valid || ans_valid_q),
    .nack_clear_i(nack_clear), .begins_i(drain_flush && runs && !s2_evicts), .flush_done_i(flush_done),
    .lost_count_i(lost_count_o), .lost_line_i(lost_line_o), .unasked_i(unasked_o), .clear_o(clear),
    .closed_o(closed), .shut_o(shut), .still_o(still), .stops_o(stops), .drops_o(drops_home),
    .flushes_o(drain_flush), .flush_ends_o(flush_seen), .settles_o(settles), .commit_o(commit),
    .lost_count_o(commit_count), .lost_line_o(commit_line), .unasked_o(commit_unasked));

  // ================ thread ids ================
  generate
    if (TID_CHECK != 0) begin : g_tids
      atomic_merge_tids #(.TID_W(TID_W)) tids (
        .clk_i(clk_i), .rst_i(reset), .ready_o(tids_ready), .accept_i(req_valid_i && req_ready_o),
        .tid_i(req_tid_i), .live_o(live), .done_i(ans_valid_o && ans_ready_i && ans_status_o != 2'd3),
        .done_tid_i(ans_tid_o));
    end else begin : g_no_tids
      assign {live, tids_ready} = 2'b01;
    end
  endgenerate

  // ================ front ================
  wire leaves, flows, rel_busy, room, entry_free;
  wire [2+EXTRA_STAGES:0] stages;
  wire [LINE_AW-1:0] f1_line, f2_line;
  wire f3_atomic, f3_bitwise, f3_cas, f3_wide, hit, way_free, evictable, missed, wait_slotted, miss_ready;
  wire [4:0] f3_op;
  wire inject_item, s2_item;
  wire [1:0] inject_stands;
  wire [63:0] f3_against;
  wire [WORDS-1:0] f3_words, s2_words;
  wire [LINE_LG-4:0] f3_pair;
  wire [WAY_W-1:0] hit_way, free_way, victim, turn;
  wire [MISS_W-1:0] miss, miss_new, s2_miss, e_miss, ask_miss;
  wire [MAX_TEMPS-1:0] t_open, t_match, t_blocked, t_slotted, s2_which;
  wire [2*MAX_TEMPS-1:0] t_stands;
  wire inject, s2_injected, s2_performs, s2_joins, s2_waits, s2_opens_miss, s2_opens_temp, s2_parks;
  wire s2_takes_slot, s2_answers, s2_refused, s2_gives, s2_flushes, s2_flushed;
  wire [EVENT_W-1:0] event_now, s2_injected_entry, free_entry;
  wire [PLACE_W-1:0] fill_place, s2_place, e_place;
  wire [4:0] inject_op, s2_op;
  wire [1:0] inject_size, inject_mode, s2_size, s2_mode, s2_stands;
  wire [LINE_LG-1:0] inject_offset, s2_offset;
  wire [TID_W-1:0] inject_tid, s2_tid;
  wire [63:0] inject_compare, inject_data, s2_operand, s2_against;
  wire [LINE_AW-1:0] s2_line;
  wire s2_extra, turned, filled, left;
  wire [2:0] s2_cause;
  wire [5:0] lacks;
  wire [WHICH_W-1:0] s2_number, e_which;
  wire [SLOT_W-1:0] s2_slot;
  reg slot_ready_q;
  reg [SLOT_W-1:0] slot_new_q;
  atomic_merge_front #(
    .LINE_LG(LINE_LG), .QUEUE(QUEUE), .ADDR_W(ADDR_W), .TID_W(TID_W), .MISS_W(MISS_W), .MAX_TEMPS(MAX_TEMPS),
    .WAY_W(WAY_W), .SET_W(SET_W), .EVENT_W(EVENT_W), .SLOT_W(SLOT_W), .WIDE(WIDE_ATOMICS),
    .TID_CHECK(TID_CHECK), .HAS_COMPARE(HAS_COMPARE), .HAS_MODULO(HAS_MODULO), .FLOAT_MERGE(FLOAT_MERGE),
    .APART(APART),
    .BUILT(BUILT), .EXTRA(EXTRA), .KEEP(KEEP)
  ) front (
    .clk_i(clk_i), .rst_i(reset || settles), .req_valid_i(req_valid_i && !closed), .req_ready_o(queue_ready),
    .req_op_i(req_op_i), .req_size_i(req_size_i), .req_mode_i(req_mode_i), .req_addr_i(req_addr),
    .req_data_i(req_data_i),
    .req_compare_i(req_compare_i), .req_tid_i(req_tid_i), .live_i(live),
    .tids_ready_i(tids_ready), .runs_i(runs && !shut), .leaves_i(leaves || shut), .flows_i(flows),
    .flush_done_i(flush_done), .rel_busy_i(rel_busy), .room_i(room), .entry_i(entry_free),
    .slot_ready_i(slot_ready_q), .slot_new_i(slot_new_q), .f1_line_o(f1_line), .f2_line_o(f2_line),
    .f3_atomic_o(f3_atomic), .f3_bitwise_o(f3_bitwise), .f3_cas_o(f3_cas), .f3_wide_o(f3_wide),
    .f3_op_o(f3_op), .f3_against_o(f3_against), .f3_words_o(f3_words), .f3_pair_o(f3_pair), .hit_i(hit),
    .hit_way_i(hit_way), .way_free_i(way_free), .free_way_i(free_way), .evictable_i(evictable),
    .victim_i(victim), .missed_i(missed), .miss_i(miss), .open_i(t_open), .match_i(t_match),
    .blocked_i(t_blocked), .slotted_i(t_slotted), .stands_i(t_stands), .wait_slotted_i(wait_slotted),
    .miss_ready_i(miss_ready), .miss_new_i(miss_new), .none_missing_i(none_missing), .inject_i(inject),
    .inject_item_i(inject_item), .inject_stands_i(inject_stands), .inject_entry_i(event_now),
    .inject_place_i(fill_place), .inject_op_i(inject_op),
    .inject_size_i(inject_size), .inject_mode_i(inject_mode), .inject_offset_i(inject_offset),
    .inject_tid_i(inject_tid), .inject_compare_i(inject_compare), .inject_data_i(inject_data),
    .s2_valid_o(s2_valid), .s2_injected_o(s2_injected), .s2_item_o(s2_item),
    .s2_performs_o(s2_performs), .s2_joins_o(s2_joins),
    .s2_waits_o(s2_waits), .s2_opens_miss_o(s2_opens_miss), .s2_opens_temp_o(s2_opens_temp),
    .s2_parks_o(s2_parks), .s2_takes_slot_o(s2_takes_slot), .s2_answers_o(s2_answers),
    .s2_refused_o(s2_refused), .s2_live_o(s2_live), .s2_keeps_o(s2_keeps), .s2_gives_o(s2_gives),
    .s2_evicts_o(s2_evicts),
    .s2_flushed_o(s2_flushed),
    .s2_flushes_o(s2_flushes), .s2_op_o(s2_op), .s2_size_o(s2_size), .s2_mode_o(s2_mode), .s2_line_o(s2_line),
    .s2_offset_o(s2_offset), .s2_tid_o(s2_tid), .s2_operand_o(s2_operand), .s2_against_o(s2_against),
    .s2_words_o(s2_words), .s2_place_o(s2_place), .s2_miss_o(s2_miss), .s2_which_o(s2_which),
    .s2_number_o(s2_number), .s2_slot_o(s2_slot), .s2_entry_o(s2_injected_entry), .s2_stands_o(s2_stands),
    .held_o(held), .s2_extra_o(s2_extra), .s2_cause_o(s2_cause), .turned_o(turned), .lacks_o(lacks));

  // ================ lines ================
  wire look, look_found, place_valid, place_dirty, line_goes, line_arrives, arrival_ends, lands, merges,
    drops;
  wire [LINE_AW-1:0] look_line, look_here, fill_line;
  wire [WAY_W-1:0] look_way, look_found_way;
  atomic_merge_lines #(.SETS(SETS), .WAYS(WAYS), .LINE_AW(LINE_AW)) lines (
    .clk_i(clk_i), .rst_i(reset), .f1_set_i(f1_line[SET_W-1:0]), .f2_tag_i(f2_line[LINE_AW-1:SET_W]),
      .turn_i(turn), .hit_o(hit),
    .hit_way_o(hit_way), .way_free_o(way_free), .free_way_o(free_way), .evictable_o(evictable),
    .victim_o(victim), .look_i(look), .look_line_i(look_line), .look_way_i(look_way),
    .look_found_o(look_found), .look_found_way_o(look_found_way), .look_here_o(look_here),
    .arrives_i(line_arrives), .arrival_ends_i(arrival_ends), .fill_place_i(fill_place),
    .fill_tag_i(fill_line[LINE_AW-1:SET_W]), .merges_i(merges), .goes_i(line_goes), .place_i(e_place),
    .valid_o(place_valid), .dirty_o(place_dirty), .reserves_i(s2_opens_miss),
    .writes_i(s2_performs && s2_op != 5'd0), .s2_place_i(s2_place));

  // ================ misses and temporary lines ================
  wire link_list, asked, tables, e_wide, e_slotted;
  wire [EVENT_W-1:0] list_link_entry, list_link_next, e_first, e_last, e_head, e_tail;
  wire [LINE_AW-1:0] e_line;
  wire [PLACE_W-1:0] e_miss_place;
  wire [SLOT_W-1:0] e_wait_slot, e_slot;
  wire [OP_W-1:0] e_op;
  wire [63:0] e_against;
  wire [WORDS-1:0] e_stands;
  wire [15:0] e_relaxed;
  atomic_merge_temps #(
    .MISSES(MISSES), .MAX_TEMPS(MAX_TEMPS), .WORDS(WORDS), .OLD_LINES(OLD_LINES), .PLACE_W(PLACE_W),
    .LINE_AW(LINE_AW), .EVENT_W(EVENT_W), .HAS_CAS(HAS_COMPARE), .OP_W(OP_W)
  ) temps (
    .clk_i(clk_i), .rst_i(reset), .f1_line_i(f1_line), .f3_atomic_i(f3_atomic), .f3_bitwise_i(f3_bitwise),
    .f3_cas_i(f3_cas), .f3_wide_i(f3_wide), .f3_op_i(f3_op[OP_W-1:0]), .f3_against_i(f3_against),
    .f3_words_i(f3_words), .f3_pair_i(f3_pair), .missed_o(missed), .miss_o(miss), .open_o(t_open),
    .match_o(t_match), .blocked_o(t_blocked), .slotted_o(t_slotted), .stands_o(t_stands),
    .wait_slotted_o(wait_slotted), .miss_ready_o(miss_ready), .miss_new_o(miss_new), .none_o(none_missing),
    .some_o(some_missing),
    .opens_miss_i(s2_opens_miss), .opens_temp_i(s2_opens_temp), .joins_i(s2_joins), .waits_i(s2_waits),
    .parks_i(s2_parks), .relaxed_i(s2_mode == 2'd2), .takes_slot_i(s2_takes_slot), .s2_miss_i(s2_miss),
    .s2_which_i(s2_which),
    .s2_number_i(s2_number), .s2_line_i(s2_line), .s2_place_i(s2_place), .s2_op_i(s2_op[OP_W-1:0]),
   
    .s2_wide_i(s2_size[0]), .s2_against_i(s2_against), .s2_words_i(s2_words), .s2_slot_i(s2_slot),
    .s2_entry_i(free_entry), .link_o(link_list), .link_entry_o(list_link_entry),
    .link_next_o(list_link_next), .fetched_i(fetched), .fetched_miss_i(fetch_tag_o), .ask_miss_i(ask_miss),
    .asked_o(asked), .arrives_i(tables), .lands_i(lands), .ends_i(arrival_ends), .e_miss_i(e_miss),
      .e_which_i(e_which),
    .e_line_o(e_line), .e_place_o(e_miss_place), .e_first_o(e_first), .e_last_o(e_last),
    .e_wait_slot_o(e_wait_slot), .e_op_o(e_op), .e_wide_o(e_wide), .e_against_o(e_against),
    .e_stands_o(e_stands), .e_slotted_o(e_slotted), .e_slot_o(e_slot), .e_head_o(e_head), .e_tail_o(e_tail),
    .e_relaxed_o(e_relaxed));

  // ================ engine ================
  wire read, link_done, list, list_done, list_failed, pass, pass_first, pass_wide, pass_keeps;
  wire [EVENT_W-1:0] read_next, done_link_entry, list_head, list_tail;
  wire [4:0] read_op;
  wire [1:0] read_size, read_mode;
  wire [LINE_LG-1:0] read_offset;
  wire [TID_W-1:0] read_tid;
  wire [63:0] read_compare, read_data, pass_against;
  wire [SLOT_W-1:0] list_slot, pass_slot;
  wire [TEMP_W-1:0] e_temp;
  wire [PLACE_W-1:0] e_row_place;
  wire [COUNT_W-1:0] e_row_beat, pass_beat;
  wire [32*MERGE_LANES-1:0] pass_fill, true_data;
  wire [MERGE_LANES-1:0] pass_stands;
  wire [4:0] pass_op;
  wire pass_modulo;
  atomic_merge_engine #(
    .LINE_LG(LINE_LG), .BEATS(BEATS), .LANES(MERGE_LANES), .TID_W(TID_W), .LINE_AW(LINE_AW),
      .PLACE_W(PLACE_W),
    .WAY_W(WAY_W), .MISS_W(MISS_W), .WHICH_W(WHICH_W), .EVENT_W(EVENT_W), .SLOT_W(SLOT_W), .TEMP_W(TEMP_W),
    .COUNT_W(COUNT_W), .STAGES(4 + EXTRA_STAGES), .APART(APART), .KEEP(KEEP)
  ) engine (
    .clk_i(clk_i), .rst_i(reset), .home_valid_i(home_valid_i && !still && !drops_home),
    .home_ready_o(engine_home_ready), .stops_i(stops), .quiet_o(engine_quiet),
    .home_snoop_i(home_snoop_i), .home_tag_i(home_tag_i), .home_error_i(home_error_i),
    .home_line_i(home_line_i), .home_data_i(home_data), .rel_valid_o(engine_rel_valid),
    .rel_ready_i(rel_ready_i && !still), .rel_line_o(rel_line_o), .rel_dirty_o(rel_dirty_o),
    .rel_last_o(rel_last_o), .rel_data_o(rel_data), .lost_count_o(lost_count_o), .lost_line_o(lost_line_o),
    .unasked_o(unasked_o), .commit_i(commit), .commit_count_i(commit_count), .commit_line_i(commit_line),
    .commit_unasked_i(commit_unasked), .settles_i(settles),
    .stages_i({s2_valid, stages}), .evicts_i(s2_evicts), .evict_place_i(s2_place),
    .flushes_i(s2_flushes || drain_flush), .flush_ends_i(s2_flushed || flush_seen), .runs_o(runs),
    .leaves_o(leaves), .flows_o(flows), .flush_done_o(flush_done),
    .rel_busy_o(rel_busy), .turn_o(turn), .look_o(look), .look_line_o(look_line), .look_way_o(look_way),
    .look_found_i(look_found), .look_found_way_i(look_found_way), .look_here_i(look_here),
    .line_valid_i(place_valid), .line_dirty_i(place_dirty), .place_o(e_place), .line_goes_o(line_goes),
    .arrives_o(line_arrives), .arrival_ends_o(arrival_ends), .fill_place_o(fill_place),
    .fill_line_o(fill_line), .left_o(left), .filled_o(filled),
    .lands_o(lands), .merges_o(merges), .drops_o(drops), .ask_miss_o(ask_miss),
    .asked_i(asked), .tables_o(tables), .miss_o(e_miss), .which_o(e_which), .t_line_i(e_line),
    .t_place_i(e_miss_place), .t_first_i(e_first), .t_last_i(e_last), .t_wait_slot_i(e_wait_slot),
    .t_op_i({{(5-OP_W){1'b0}}, e_op}), .t_wide_i(e_wide), .t_against_i(e_against), .t_stands_i(e_stands),
    .t_slotted_i(e_slotted), .t_slot_i(e_slot), .t_head_i(e_head), .t_tail_i(e_tail),
    .t_relaxed_i(e_relaxed), .temp_o(e_temp), .read_o(read), .event_o(event_now), .read_next_i(read_next),
    .read_op_i(read_op), .read_size_i(read_size), .read_mode_i(read_mode), .read_offset_i(read_offset),
    .read_tid_i(read_tid), .read_compare_i(read_compare), .read_data_i(read_data), .link_o(link_done),
    .link_entry_o(done_link_entry), .list_o(list), .list_slot_o(list_slot), .list_head_o(list_head),
    .list_tail_o(list_tail), .list_done_o(list_done), .list_failed_o(list_failed),
    .list_keep_o(list_keep), .list_slow_o(list_slow), .inject_o(inject),
    .inject_item_o(inject_item), .inject_stands_o(inject_stands),
   
    .inject_op_o(inject_op), .inject_size_o(inject_size), .inject_mode_o(inject_mode),
    .inject_offset_o(inject_offset), .inject_tid_o(inject_tid), .inject_compare_o(inject_compare),
    .inject_data_o(inject_data), .row_place_o(e_row_place), .row_beat_o(e_row_beat), .pass_o(pass),
    .pass_first_o(pass_first), .pass_fill_o(pass_fill), .pass_stands_o(pass_stands), .pass_op_o(pass_op),
    .pass_modulo_o(pass_modulo),
    .pass_wide_o(pass_wide), .pass_against_o(pass_against), .pass_keeps_o(pass_keeps),
    .pass_slot_o(pass_slot), .pass_beat_o(pass_beat), .true_data_i(true_data));

  // ================ slots ================
  reg [SLOT_W-1:0] slot_new;
  wire slot_given;
  wire [SLOT_W-1:0] slot_back;
  always @* begin
    slot_new = {SLOT_W{1'b0}};
    for (i = OLD_LINES - 1; i >= 0; i = i - 1)
      if (!slot_used_q[i]) slot_new = i[SLOT_W-1:0];
  end
  always @(posedge clk_i) begin
    slot_ready_q <= !(&slot_used_q);
    slot_new_q <= slot_new;
    if (slot_given) slot_used_q[slot_back] <= 1'b0;
    if (s2_takes_slot) slot_used_q[s2_slot] <= 1'b1;
    if (reset) slot_used_q <= {OLD_LINES{1'b0}};
  end

  // ================ pipeline ================
  wire [TRUE_W-1:0] true_row, pass_row;
  wire [TROW_W-1:0] temp_row;
  wire [OLD_W-1:0] pass_old_row, old_row;
  wire [TEMP_W-1:0] s2_temp;
  wire [TEMP_W-1:0] row_temp = (APART != 0 && s2_item) ? e_temp : s2_temp;
  generate
    if (MAX_TEMPS > 1) begin : g_temp
      assign s2_temp = {s2_number, s2_miss};
    end else begin : g_one_temp
      assign s2_temp = s2_miss;
    end
    if (BEATS > 1) begin : g_rows
      assign true_row = s2_valid ? {s2_place, s2_offset[LINE_LG-1 -: BEAT_W]} :
                        {e_row_place, e_row_beat[BEAT_W-1:0]};
      assign temp_row = s2_valid ? {row_temp, s2_offset[LINE_LG-1 -: BEAT_W]} : {e_temp,
        e_row_beat[BEAT_W-1:0]};
      assign pass_row = {fill_place, pass_beat[BEAT_W-1:0]};
      assign pass_old_row = {pass_slot, pass_beat[BEAT_W-1:0]};
      wire unused_beat = &{1'b0, e_row_beat[COUNT_W-1:BEAT_W], pass_beat[COUNT_W-1:BEAT_W]};
    end else begin : g_row
      assign true_row = s2_valid ? s2_place : e_row_place;
      assign temp_row = s2_valid ? row_temp : e_temp;
      assign pass_row = fill_place;
      assign pass_old_row = pass_slot;
      wire unused_beat = &{1'b0, e_row_beat, pass_beat};
    end
  endgenerate
  wire [10:0] pass_control;
  wire [1:0] unused_word;
  wire [3:0] pass_unit;
  wire [7:0] unused_byte;
  wire unused_write, unused_slow, unused_atomic;
  atomic_merge_decode #(.BUILT(BUILT)) pass_decode (
    .op_i(pass_op), .size_i({1'b1, pass_wide}), .offset_i(3'd0), .control_o(pass_control),
    .unit_o(pass_unit), .word_o(unused_word), .byte_o(unused_byte), .write_o(unused_write),
    .slow_o(unused_slow),
    .atomic_o(unused_atomic));
  wire fast_push, keep, old_write;
  wire [TID_W+65:0] fast_answer, fast_head, spool_head;
  wire [EVENT_W-1:0] keep_entry;
  wire [4:0] keep_op;
  wire [1:0] keep_size, keep_mode, keep_fresh;
  wire [LINE_LG-1:0] keep_offset;
  wire [TID_W-1:0] keep_tid;
  wire [63:0] keep_compare, keep_data;
  wire [32*MERGE_LANES-1:0] old_data;
  atomic_merge_pipe #(
    .LANES(MERGE_LANES), .TRUE_ROWS(LINES*BEATS), .TEMP_ROWS(1<<TROW_W), .OLD_ROWS(OLD_LINES*BEATS),
    .LINE_LG(LINE_LG), .TID_W(TID_W), .ENTRY_W(EVENT_W), .HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC),
    .HAS_CAS(HAS_CAS), .HAS_SAT(HAS_SAT), .EXTRA(EXTRA_STAGES), .HAS_MODULO(HAS_MODULO), .HAS_MUL(HAS_MUL),
    .HAS_FLOAT(HAS_FLOAT),
    .BUILT(BUILT)
  ) pipe (
    .clk_i(clk_i), .rst_i(reset), .true_row_i(true_row), .temp_row_i(temp_row), .true_data_o(true_data),
    .issue_i(s2_valid), .access_i(s2_performs || s2_joins), .temp_i(s2_joins), .item_i(s2_item),
    .answers_i(s2_answers),
    .gives_i(s2_gives), .status_i({s2_live, s2_refused}),
    .keeps_i((s2_injected && !s2_item) || s2_parks || s2_waits),
    .done_i(s2_injected), .waits_i(s2_waits || s2_keeps),
    .entry_i(s2_injected ? s2_injected_entry : free_entry),
    .op_i(s2_op), .size_i(s2_size), .mode_i(s2_mode), .offset_i(s2_offset), .tid_i(s2_tid),
    .operand_i(s2_operand), .compare_i(s2_against), .stands_i(s2_stands), .stages_o(stages),
    .push_o(fast_push), .answer_o(fast_answer), .keep_o(keep), .keep_entry_o(keep_entry),
    .keep_op_o(keep_op), .keep_size_o(keep_size), .keep_mode_o(keep_mode), .keep_offset_o(keep_offset),
    .keep_tid_o(keep_tid), .keep_fresh_o(keep_fresh), .keep_compare_o(keep_compare), .keep_data_o(keep_data),
    .pass_valid_i(pass), .pass_first_i(pass_first), .fill_data_i(pass_fill), .pass_stands_i(pass_stands),
    .pass_control_i(pass_control), .pass_compare_i(pass_against), .pass_modulo_i(pass_modulo),
    .pass_down_i(pass_unit[0]), .pass_wide_i(pass_wide), .pass_row_i(pass_row),
    .pass_old_i(pass_keeps), .pass_old_row_i(pass_old_row), .old_write_o(old_write), .old_row_o(old_row),
    .old_data_o(old_data));

  // ================ stall buffer ================
  wire pop_spool;
  atomic_merge_spool #(
    .LANES(MERGE_LANES), .BEATS(BEATS), .STALL_BUF(STALL_BUF), .EVENTS(EVENTS), .OLD_LINES(OLD_LINES),
    .LINE_LG(LINE_LG), .TID_W(TID_W), .HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC), .HAS_CAS(HAS_CAS),
    .HAS_SAT(HAS_SAT), .EXTRA(EXTRA_STAGES), .HAS_MODULO(HAS_MODULO), .HAS_MUL(HAS_MUL),
    .HAS_FLOAT(HAS_FLOAT), .HAS_KEEP(KEEP != 32'd0), .BUILT(BUILT),
    .ENTRY_W(EVENT_W)
  ) spool (
    .clk_i(clk_i), .rst_i(reset), .free_o(entry_free), .free_entry_o(free_entry),
    .take_i(s2_parks || s2_waits), .link_i(link_list || link_done),
    .link_entry_i(link_done ? done_link_entry : list_link_entry),
    .link_next_i(link_done ? event_now : list_link_next), .keep_i(keep), .keep_entry_i(keep_entry),
    .keep_op_i(keep_op), .keep_size_i(keep_size), .keep_mode_i(keep_mode), .keep_offset_i(keep_offset),
    .keep_tid_i(keep_tid), .keep_fresh_i(keep_fresh), .keep_compare_i(keep_compare), .keep_data_i(keep_data),
    .read_i(read), .read_entry_i(event_now), .read_next_o(read_next), .read_op_o(read_op),
    .read_size_o(read_size), .read_mode_o(read_mode), .read_offset_o(read_offset), .read_tid_o(read_tid),
    .read_compare_o(read_compare), .read_data_o(read_data), .old_write_i(old_write), .old_row_i(old_row),
    .old_data_i(old_data), .list_i(list), .list_slot_i(list_slot), .list_head_i(list_head),
    .list_tail_i(list_tail), .list_done_i(list_done), .list_failed_i(list_failed),
    .list_keep_i(list_keep), .list_slow_i(list_slow), .slot_free_o(slot_given),
    .slot_o(slot_back), .valid_o(spool_valid), .answer_o(spool_head), .pop_i(pop_spool), .closed_i(shut),
    .busy_o(spool_busy));

  // ================ answers ================
  reg last_fast_q;
  wire ans_moves = (!ans_valid_q || ans_ready_i) && !still;
  wire pick_fast = fast_valid && !(spool_valid && last_fast_q);
  wire pop_fast = ans_moves && pick_fast;
  assign pop_spool = ans_moves && spool_valid && !pick_fast;
  atomic_merge_fifo #(.WIDTH(TID_W+66), .DEPTH_LG(4), .LATE(1)) fast_answers (
    .clk_i(clk_i), .rst_i(reset), .promise_i(s2_answers), .room_o(room), .forget_i(1'b0), .push_i(fast_push),
    .data_i(fast_answer), .valid_o(fast_valid), .data_o(fast_head), .pop_i(pop_fast));
  always @(posedge clk_i) begin
    if (ans_moves) begin
      ans_valid_q <= fast_valid || spool_valid;
      {ans_tid_o, ans_status_o, ans_data_o} <= pick_fast ? fast_head : spool_head;
      if (fast_valid || spool_valid) last_fast_q <= pick_fast;
    end
    if (reset || settles) begin
      ans_valid_q <= 1'b0;
      last_fast_q <= 1'b0;
    end
  end

  // ================ fetches ================
  // One for each miss at most: there is always room.
  wire fetch_waits, unused_room;
  wire sends = !shut;
  wire [$clog2(MISSES+1)-1:0] unused_level;
  fifo_regs #(.WIDTH(LINE_AW+MISS_W), .DEPTH(MISSES)) fetches (
    .clk_i(clk_i), .rst_i(reset), .in_valid_i(s2_opens_miss), .in_ready_o(unused_room),
    .in_data_i({s2_line, s2_miss}), .out_valid_o(fetch_waits), .out_ready_i(fetch_ready_i && sends),
    .out_data_o({fetch_line_o, fetch_tag_o}), .level_o(unused_level));
  assign fetch_valid_o = fetch_waits && sends;
  assign fetched = fetch_valid_o && fetch_ready_i;

  // ================ counters ================
  atomic_merge_counters #(.COUNTERS(COUNTERS), .STATUS(STATUS), .LINES(LINES), .BUILT(BUILT)) counters (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .nack_clear_o(nack_clear),
    .executes_i(reg_executes), .write_i(reg_write), .addr_i(reg_addr), .waits_o(reg_waits), .good_o(reg_good),
    .word_o(reg_word),
    .goes_i(s2_valid && !s2_injected), .refused_i(s2_refused), .op_i(s2_op),
    .performs_i(s2_performs && !s2_injected), .joins_i(s2_joins), .extra_i(s2_opens_temp && s2_extra),
    .waits_i(s2_cause), .turned_i(turned), .lacks_i(lacks), .held_i(held), .runs_i(runs), .merges_i(merges),
    .drops_i(drops), .filled_i(filled), .left_i(left), .evicts_i(runs && s2_evicts));

  // ================ witness ================
  generate
    if (WITNESS != 0) begin : g_witness
      reg wit_valid_q;
      reg [1:0] wit_kind_q;
      reg [TID_W-1:0] wit_tid_q;
      reg [TEMP_W-1:0] wit_temp_q;
      always @(posedge clk_i) begin
        wit_valid_q <= !reset && ((s2_performs && !s2_item) || s2_joins || merges || drops);
        wit_kind_q <= merges ? 2'd2 : drops ? 2'd3 : s2_joins ? 2'd1 : 2'd0;
        wit_tid_q <= (merges || drops) ? {TID_W{1'b0}} : s2_tid;
        wit_temp_q <= (merges || drops) ? e_temp : s2_joins ? s2_temp : {TEMP_W{1'b0}};
      end
      assign wit_valid_o = wit_valid_q;
      assign wit_kind_o = wit_kind_q;
      assign wit_tid_o = wit_tid_q;
      assign wit_temp_o = wit_temp_q;
    end else begin : g_no_witness
      assign wit_valid_o = 1'b0;
      assign wit_kind_o = 2'd0;
      assign wit_tid_o = {TID_W{1'b0}};
      assign wit_temp_o = {TEMP_W{1'b0}};
      wire unused_drops = drops;
    end
  endgenerate

  wire unused = &{1'b0, f2_line[SET_W-1:0], fill_line[SET_W-1:0], unused_word, unused_byte, unused_write,
    unused_slow, unused_atomic, pass_unit,
    f3_op, unused_room, unused_level};
endmodule

`default_nettype wire
