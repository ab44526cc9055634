// SPDX-License-Identifier: Apache-2.0
// atomic_merge_core: an L1 cache that performs atomics on lines that are present and accumulates those of
// missing
// lines in temporary lines, which are merged with the true line when it arrives
// (docs/atomic_merge_design.md).
//
// Streams are valid/ready; outputs follow from registers alone. A request takes its place in the order of
// this
// cache in the third stage of the front (s2), one per cycle; what it needs and is not there is opened one
// thing per
// cycle while it stands there. An engine stops the front for what is not one request: the arrival of a line
// with
// its merges and the requests that waited for it, and the departure of a line. Answers: 10 cycles after a
// request
// was accepted at the earliest. Reset: all lines invalid, nothing held, the errors cleared.
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
  parameter WITNESS = 0
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

  output reg  ans_valid_o,
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

  output wire wit_valid_o,
  output wire [1:0] wit_kind_o,
  output wire [TID_W-1:0] wit_tid_o,
  output wire [$clog2(MISSES*MAX_TEMPS)-1:0] wit_temp_o
);
  localparam LINE_LG = $clog2(LINE_BYTES);
  localparam LINE_AW = ADDR_W - LINE_LG;
  localparam BEATS = LINE_BYTES / (4 * MERGE_LANES);
  localparam TEMPS = MISSES * MAX_TEMPS;
  localparam WORDS = LINE_BYTES / 4;
  localparam BEAT_W = $clog2(BEATS);                 // may be 0
  localparam SETS = LINES / WAYS;
  localparam SET_W = $clog2(SETS);
  localparam WAY_W = $clog2(WAYS);
  localparam PLACE_W = SET_W + WAY_W;
  localparam TAG_W = LINE_AW - SET_W;
  localparam MISS_W = $clog2(MISSES);
  localparam TEMP_W = $clog2(TEMPS);
  localparam SLOT_W = $clog2(OLD_LINES);
  localparam EVENTS = STALL_BUF + TEMPS;
  localparam ENTRY_W = $clog2(EVENTS);
  localparam QUEUE_W = $clog2(QUEUE);
  localparam TRUE_W = $clog2(LINES*BEATS);
  localparam TROW_W = $clog2(TEMPS*BEATS);
  localparam OLD_W = $clog2(OLD_LINES*BEATS);
  localparam COUNT_W = 5;
  localparam HAS_CAS = ATOMIC_CAS != 0;
  localparam HAS_LOGIC = ATOMIC_AND != 0 || ATOMIC_OR != 0 || ATOMIC_XOR != 0;
  localparam HAS_SUM = ATOMIC_ADD != 0 || ATOMIC_MIN != 0 || ATOMIC_MAX != 0;
  localparam CMP_W = HAS_CAS ? 64 : 1;
  localparam REQ_W = 5 + 2 + 2 + ADDR_W + TID_W + 64 + CMP_W;
  localparam [31:0] FIRST_MERGE = STALL_BUF;
  localparam [31:0] LAST_BEAT = BEATS - 1;
  localparam [31:0] PASS_CYCLES = (BEATS > 2) ? BEATS : 2;

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
    if (ATOMIC_ADD < 0 || ATOMIC_ADD > 2) begin : g_op_add_range
      op_add_out_of_range check ();
    end
    if (ATOMIC_AND < 0 || ATOMIC_AND > 2) begin : g_op_and_range
      op_and_out_of_range check ();
    end
    if (ATOMIC_OR < 0 || ATOMIC_OR > 2) begin : g_op_or_range
      op_or_out_of_range check ();
    end
    if (ATOMIC_XOR < 0 || ATOMIC_XOR > 2) begin : g_op_xor_range
      op_xor_out_of_range check ();
    end
    if (ATOMIC_MIN < 0 || ATOMIC_MIN > 2) begin : g_op_min_range
      op_min_out_of_range check ();
    end
    if (ATOMIC_MAX < 0 || ATOMIC_MAX > 2) begin : g_op_max_range
      op_max_out_of_range check ();
    end
    if (ATOMIC_SWAP < 0 || ATOMIC_SWAP > 2) begin : g_op_swap_range
      op_swap_out_of_range check ();
    end
    if (ATOMIC_CAS < 0 || ATOMIC_CAS > 2) begin : g_op_cas_range
      op_cas_out_of_range check ();
    end
    if (WITNESS < 0 || WITNESS > 1) begin : g_witness_range
      witness_out_of_range check ();
    end
  endgenerate

  localparam [3:0] RUN = 4'd0, ARRIVE = 4'd1, AWAIT = 4'd2, PASS = 4'd3, EVENT = 4'd4, DROP = 4'd5,
    READ = 4'd6, INJECT = 4'd7,
                   LAST = 4'd8, LOOK = 4'd9, MATCH = 4'd10, TAKE = 4'd11, COPY = 4'd12;

  // Of the operations built: which, and which open an extra temporary line (AM-1, AM-12).
  localparam [13:0] BUILT = {HAS_CAS, ATOMIC_SWAP != 0, ATOMIC_MAX != 0, ATOMIC_MIN != 0, ATOMIC_MAX != 0,
    ATOMIC_MIN != 0, ATOMIC_XOR != 0, ATOMIC_OR != 0,
                             ATOMIC_AND != 0, ATOMIC_ADD != 0, 4'b1111};
  localparam [13:0] EXTRA = {ATOMIC_CAS == 2, ATOMIC_SWAP == 2, ATOMIC_MAX == 2, ATOMIC_MIN == 2,
    ATOMIC_MAX == 2, ATOMIC_MIN == 2, ATOMIC_XOR == 2, ATOMIC_OR == 2,
                             ATOMIC_AND == 2, ATOMIC_ADD == 2, 4'b0000};

  genvar g;
  integer i;

  // ================ state of misses, temporary lines and lines ================
  reg [MISSES-1:0] m_valid_q, m_fetched_q, m_slotted_q, m_any_q;
  reg [MISSES*LINE_AW-1:0] m_line_q;                   // compared all at once
  reg [LINE_AW-1:0] m_line_of [0:MISSES-1];            // the same, read one by one
  reg [PLACE_W-1:0] m_place [0:MISSES-1];
  reg [SLOT_W-1:0] m_slot [0:MISSES-1];
  reg [ENTRY_W-1:0] m_head [0:MISSES-1];
  reg [ENTRY_W-1:0] m_tail [0:MISSES-1];
  reg [TEMPS-1:0] t_valid_q, t_slotted_q, t_any_q, t_wide_q;
  reg [TEMPS*4-1:0] t_op_q;
  reg [TEMPS*WORDS-1:0] t_stands_q, t_blocked_q;
  reg [SLOT_W-1:0] t_slot [0:TEMPS-1];
  reg [ENTRY_W-1:0] t_head [0:TEMPS-1];
  reg [ENTRY_W-1:0] t_tail [0:TEMPS-1];
  reg [15:0] t_relaxed [0:TEMPS-1];
  wire [63:0] e_compare;                               // of the temporary line that is merged
  reg [LINES-1:0] l_valid_q, l_reserved_q, l_dirty_q;

  // ================ engine ================
  reg [3:0] e_state_q;
  reg [COUNT_W-1:0] e_count_q, beats_q;
  reg [ENTRY_W-1:0] e_event_q, e_next_q;
  reg e_any_q, e_error_q, e_first_q, e_use_q, e_snoop_q, e_found_q, e_done_q;
  reg [ENTRY_W-1:0] e_done_head_q, e_done_tail_q;
  reg [PLACE_W-1:0] e_place_q;
  reg [MISS_W-1:0] fill_tag_q;
  reg rel_busy_q, rel_dirty_q;
  reg [COUNT_W-1:0] rel_beat_q;
  reg [LINE_AW-1:0] rel_line_q;
  reg hb_valid_q, hb_snoop_q, hb_error_q;
  reg [MISS_W-1:0] hb_tag_q;
  reg [LINE_AW-1:0] hb_line_q;
  reg [32*MERGE_LANES-1:0] hb_data_q;
  reg unasked_q;
  wire empty;                                          // nothing between s3 and s6
  wire runs = e_state_q == RUN;
  wire hb_fill = hb_valid_q && !hb_snoop_q;
  wire beats_none = beats_q == {COUNT_W{1'b0}};
  wire last_next = beats_q == LAST_BEAT[COUNT_W-1:0];
  wire hb_asked = !beats_none || (m_valid_q[hb_tag_q] && m_fetched_q[hb_tag_q]);
  wire due_beats = BEATS > 1 && last_next;
  wire due = due_beats || (hb_fill && (hb_error_q || BEATS == 1) && hb_asked) || (hb_valid_q &&
    hb_snoop_q && !rel_busy_q);
  wire lands = e_state_q == AWAIT && empty && hb_fill; // the last beat is taken out of hb

  // ================ queue and front ================
  reg [QUEUE_W:0] q_written_q, q_committed_q, q_fetched_q;
  wire [QUEUE_W:0] q_held = q_written_q - q_committed_q;
  assign req_ready_o = !q_held[QUEUE_W];
  wire accept = req_valid_i && req_ready_o;
  wire goes, kills;
  reg s0_valid_q, s1_valid_q, s2_valid_q;
  wire advance = goes || !s2_valid_q;
  reg [QUEUE_W-1:0] s0_at_q;
  wire [REQ_W-1:0] s0_word;
  wire [CMP_W-1:0] req_compare = req_compare_i[CMP_W-1:0];
  wire [QUEUE_W-1:0] q_read = advance ? q_fetched_q[QUEUE_W-1:0] : s0_at_q;
  ram_1r1w #(.WIDTH(REQ_W), .DEPTH(QUEUE)) queue (
    .clk_i(clk_i), .we_i(accept), .waddr_i(q_written_q[QUEUE_W-1:0]),
    .wdata_i({req_op_i, req_size_i, req_mode_i, req_addr_i, req_tid_i, req_data_i, req_compare}),
    .raddr_i(q_read), .rdata_o(s0_word));

  // ---- s0: out of the queue; operands are repeated to fill 8 bytes ----
  wire [4:0] s0_op;
  wire [1:0] s0_size, s0_mode;
  wire [ADDR_W-1:0] s0_addr;
  wire [TID_W-1:0] s0_tid;
  wire [63:0] s0_data;
  wire [CMP_W-1:0] s0_compare;
  assign {s0_op, s0_size, s0_mode, s0_addr, s0_tid, s0_data, s0_compare} = s0_word;
  wire [63:0] s0_operand = (s0_size == 2'd3) ? s0_data : (s0_size == 2'd2) ? {2{s0_data[31:0]}} :
                           (s0_size == 2'd1) ? {4{s0_data[15:0]}} : {8{s0_data[7:0]}};
  wire [63:0] s0_against;
  generate
    if (HAS_CAS) begin : g_against
      assign s0_against = (s0_size == 2'd3) ? s0_compare : {2{s0_compare[31:0]}};
    end else begin : g_no_against
      assign s0_against = 64'd0;
      wire unused_compare = &{1'b0, s0_compare, req_compare_i[63:1]};
    end
  endgenerate
  wire [13:0] s0_one = 14'd1 << s0_op[3:0];
  wire s0_known = !s0_op[4] && |(s0_one & BUILT);
  wire s0_barrier = s0_op == 5'd2 || s0_op == 5'd3;
  wire s0_atomic = s0_op[4:2] != 3'd0;
  wire s0_misaligned = (s0_size[1] && s0_addr[1]) || (s0_size != 2'd0 && s0_addr[0]) ||
    (s0_size == 2'd3 && s0_addr[2]);
  wire s0_bad = !s0_known || s0_mode == 2'd3 ||
                (!s0_barrier && (s0_misaligned || (s0_atomic && (!s0_size[1] || (s0_size == 2'd3 &&
                  WIDE_ATOMICS == 0)))));

  // ---- s1: lines, misses and comparison values are looked up ----
  reg [4:0] s1_op, s2_op;
  reg [1:0] s1_size, s1_mode, s2_size, s2_mode;
  reg [ADDR_W-1:0] s1_addr, s2_addr;
  reg [TID_W-1:0] s1_tid, s2_tid;
  reg [63:0] s1_operand, s1_against, s2_operand, s2_against;
  reg s1_bad, s1_barrier, s1_atomic, s1_extra, s2_bad, s2_barrier, s2_atomic, s2_extra;
  wire [LINE_AW-1:0] s1_line = s1_addr[ADDR_W-1:LINE_LG];
  wire [SET_W-1:0] look_set = e_snoop_q ? hb_line_q[SET_W-1:0] : e_place_q[PLACE_W-1:WAY_W];
  wire [SET_W-1:0] tag_set = !runs ? look_set : advance ? s0_addr[LINE_LG +: SET_W] :
    s1_addr[LINE_LG +: SET_W];
  wire [WAYS*TAG_W-1:0] tags;
  wire [WAYS-1:0] s1_hit, s1_ways_valid, s1_ways_reserved, look_hit;
  wire [MISSES-1:0] s1_miss;
  wire [TEMPS-1:0] s1_same;
  wire line_arrives;                                   // the line at m_place[fill_tag_q] becomes valid
  wire [PLACE_W-1:0] fill_place = m_place[fill_tag_q];
  wire [LINE_AW-1:0] fill_line = m_line_of[fill_tag_q];
  assign s1_ways_valid = l_valid_q[{s1_line[SET_W-1:0], {WAY_W{1'b0}}} +: WAYS];
  assign s1_ways_reserved = l_reserved_q[{s1_line[SET_W-1:0], {WAY_W{1'b0}}} +: WAYS];
  wire [WAYS-1:0] look_valid = l_valid_q[{hb_line_q[SET_W-1:0], {WAY_W{1'b0}}} +: WAYS];
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : g_way
      ram_1r1w #(.WIDTH(TAG_W), .DEPTH(SETS)) tag (
        .clk_i(clk_i), .we_i(line_arrives && fill_place[WAY_W-1:0] == g),
          .waddr_i(fill_place[PLACE_W-1:WAY_W]),
        .wdata_i(fill_line[LINE_AW-1:SET_W]), .raddr_i(tag_set), .rdata_o(tags[TAG_W*g +: TAG_W]));
      assign s1_hit[g] = s1_ways_valid[g] && tags[TAG_W*g +: TAG_W] == s1_line[LINE_AW-1:SET_W];
      assign look_hit[g] = look_valid[g] && tags[TAG_W*g +: TAG_W] == hb_line_q[LINE_AW-1:SET_W];
    end
    for (g = 0; g < MISSES; g = g + 1) begin : g_miss
      assign s1_miss[g] = m_valid_q[g] && m_line_q[LINE_AW*g +: LINE_AW] == s1_line;
    end
  endgenerate

  // ---- s2: the request finds its place ----
  reg s2_same_pair;
  reg [WAYS-1:0] s2_hit, s2_ways_valid, s2_ways_reserved;
  reg [MISSES-1:0] s2_miss;
  reg [TEMPS-1:0] s2_same;
  reg [WORDS-1:0] s2_words;
  reg s2_bitwise;
  wire [LINE_AW-1:0] s2_line = s2_addr[ADDR_W-1:LINE_LG];
  wire fast_room, entry_free, last_slow;
  wire [ENTRY_W-1:0] free_entry;
  wire [1:0] s1_word = (s1_size == 2'd3) ? 2'd3 : {s1_addr[2], !s1_addr[2]};

  wire [TEMPS-1:0] t_match, t_blocks, t_here;
  wire [TEMPS*WORDS-1:0] t_words;
  generate
    for (g = 0; g < TEMPS; g = g + 1) begin : g_temp
      assign t_here[g] = s2_miss[g / MAX_TEMPS];
      assign t_match[g] = t_here[g] && t_valid_q[g] && t_op_q[4*g +: 4] == s2_op[3:0] && s2_same[g] &&
                          (s2_bitwise || t_wide_q[g] == s2_size[0]);
      assign t_blocks[g] = |(t_blocked_q[WORDS*g +: WORDS] & s2_words);
      assign t_words[WORDS*g +: WORDS] = t_stands_q[WORDS*g +: WORDS] & {WORDS{t_match[g]}};
    end
  endgenerate
  wire act = s2_valid_q && runs && !due && !(s2_same_pair && last_slow);
  wire hit = |s2_hit;
  wire missed = |s2_miss;
  wire open_own = s2_atomic && |t_match;
  wire joinable = s2_atomic && |(t_match & ~t_blocks);
  wire [TEMPS-1:0] t_room = t_here & ~t_valid_q;
  wire opens_temp = s2_atomic && !(|t_match) && |t_room && (s2_extra || !(|(t_here & t_valid_q)));
  wire relaxed = s2_mode == 2'd2;
  wire own_slot = |(t_match & t_slotted_q);
  wire wait_slot = |(s2_miss & m_slotted_q);
  wire reaches = act && !s2_bad && !s2_barrier;
  wire no_line = reaches && !hit;
  reg [PLACE_W:0] flushed_q;
  wire flush_done = flushed_q[PLACE_W];
  wire do_refuse = act && s2_bad && fast_room;
  wire do_barrier = act && !s2_bad && s2_barrier && !(|m_valid_q) && fast_room &&
                    (!s2_op[0] || (flush_done && !rel_busy_q));
  wire do_perform = reaches && hit && fast_room;
  wire do_join_relaxed = no_line && joinable && relaxed && fast_room;
  wire do_join_parked = no_line && joinable && !relaxed && own_slot && entry_free;
  wire do_join = do_join_relaxed || do_join_parked;
  wire waits = no_line && missed && !joinable && !opens_temp;
  wire do_wait = waits && wait_slot && entry_free;
  wire want_own_slot = no_line && joinable && !relaxed && !own_slot;
  wire want_wait_slot = waits && !wait_slot;
  wire do_open_temp = no_line && missed && !open_own && opens_temp;
  wire flush_step = act && !s2_bad && s2_barrier && s2_op[0] && !(|m_valid_q) && !flush_done;
  wire flush_here = l_valid_q[flushed_q[PLACE_W-1:0]];
  wire do_flush_line = flush_step && flush_here && !rel_busy_q;
  wire [WAYS-1:0] ways_free = ~s2_ways_valid & ~s2_ways_reserved;
  wire miss_free = !(&m_valid_q);
  wire do_open_miss = no_line && !missed && miss_free && |ways_free;
  wire do_evict = no_line && !missed && miss_free && !(|ways_free) && !(&s2_ways_reserved) && !rel_busy_q;
  assign goes = do_refuse || do_barrier || do_perform || do_join || do_wait;
  assign kills = !runs || due || do_open_miss || do_evict || do_flush_line || (do_open_temp &&
    HAS_CAS && s2_op == 5'd13);

  // Numbers of what was found.
  reg [WAY_W-1:0] hit_way, free_way, victim;
  reg [MISS_W-1:0] miss_at, miss_new;
  reg [TEMP_W-1:0] temp_at, temp_new;
  reg [SLOT_W-1:0] slot_new;
  reg [OLD_LINES-1:0] slot_used_q;
  reg [WAY_W-1:0] turn_q;
  reg [WAY_W-1:0] way_try;
  always @* begin
    hit_way = {WAY_W{1'b0}};
    free_way = {WAY_W{1'b0}};
    victim = {WAY_W{1'b0}};
    way_try = turn_q;
    for (i = WAYS - 1; i >= 0; i = i - 1) begin
      if (s2_hit[i]) hit_way = hit_way | i[WAY_W-1:0];
      if (ways_free[i]) free_way = i[WAY_W-1:0];
      way_try = turn_q + i[WAY_W-1:0];
      if (!s2_ways_reserved[way_try]) victim = way_try;
    end
    miss_at = {MISS_W{1'b0}};
    miss_new = {MISS_W{1'b0}};
    for (i = MISSES - 1; i >= 0; i = i - 1) begin
      if (s2_miss[i]) miss_at = miss_at | i[MISS_W-1:0];
      if (!m_valid_q[i]) miss_new = i[MISS_W-1:0];
    end
    temp_at = {TEMP_W{1'b0}};
    temp_new = {TEMP_W{1'b0}};
    for (i = TEMPS - 1; i >= 0; i = i - 1) begin
      if (t_match[i]) temp_at = temp_at | i[TEMP_W-1:0];
      if (t_room[i]) temp_new = i[TEMP_W-1:0];
    end
    slot_new = {SLOT_W{1'b0}};
    for (i = OLD_LINES - 1; i >= 0; i = i - 1)
      if (!slot_used_q[i]) slot_new = i[SLOT_W-1:0];
  end
  wire slot_room = !(&slot_used_q);
  wire takes_slot = (want_own_slot || want_wait_slot) && slot_room;
  reg [WORDS-1:0] words_stand;
  always @* begin
    words_stand = {WORDS{1'b0}};
    for (i = 0; i < TEMPS; i = i + 1) words_stand = words_stand | t_words[WORDS*i +: WORDS];
  end
  wire [1:0] s2_stands = words_stand[{s2_addr[LINE_LG-1:3], 1'b0} +: 2];

  // ================ the engine's view ================
  wire slot_given;
  wire [SLOT_W-1:0] slot_back;
  wire e_merge = e_event_q >= FIRST_MERGE[ENTRY_W-1:0];
  wire [ENTRY_W-1:0] e_number = e_event_q - FIRST_MERGE[ENTRY_W-1:0];
  wire [TEMP_W-1:0] e_temp = e_number[TEMP_W-1:0];
  wire pass_ends = e_state_q == PASS && e_count_q == PASS_CYCLES[COUNT_W-1:0];
  wire merges = pass_ends && e_use_q;
  wire drops = e_state_q == DROP;
  wire injects = e_state_q == INJECT;
  wire e_is_tail = e_event_q == m_tail[fill_tag_q];
  wire e_ends = !e_any_q || e_is_tail;
  wire lists_done = e_state_q == LAST && empty;
  wire arrival_ends = (lands && hb_error_q && !e_any_q) || ((merges || drops || (pass_ends &&
    !e_any_q)) && e_ends && !e_done_q) ||
                      lists_done;
  wire arrival_fails = lands ? hb_error_q : e_error_q;
  assign line_arrives = arrival_ends && !arrival_fails;
  wire arriving = e_state_q >= ARRIVE && e_state_q <= LAST;
  wire drop_stray = hb_fill && !arriving && !hb_asked;
  wire take_beat = hb_fill && !arriving && hb_asked && !hb_error_q && !last_next;
  wire copies = e_state_q == COPY;
  wire copy_ends = copies && e_count_q == BEATS[COUNT_W-1:0];
  wire line_goes = copy_ends || (e_state_q == TAKE && e_found_q && empty && !l_dirty_q[e_place_q]);
  wire snoop_ends = line_goes || (e_state_q == TAKE && !e_found_q);
  assign home_ready_o = !hb_valid_q && (!due_beats || (e_state_q == AWAIT && empty));

  generate
    if (HAS_CAS) begin : g_compare
      reg [63:0] t_compare [0:TEMPS-1];
      always @(posedge clk_i) if (do_open_temp) t_compare[temp_new] <= s2_against;
      assign e_compare = t_compare[e_temp];
      for (g = 0; g < TEMPS; g = g + 1) begin : g_same
        assign s1_same[g] = s1_op != 5'd13 || t_compare[g] == s1_against;
      end
    end else begin : g_no_compare
      assign e_compare = 64'd0;
      assign s1_same = {TEMPS{1'b1}};
    end
  endgenerate

  // ---- what the engine reads from the stall buffer ----
  wire [ENTRY_W-1:0] read_next;
  wire [4:0] read_op;
  wire [1:0] read_size, read_mode;
  wire [LINE_LG-1:0] read_offset;
  wire [TID_W-1:0] read_tid;
  wire [63:0] read_compare, read_data;
  reg [4:0] e_op_q;
  reg [1:0] e_size_q, e_mode_q;
  reg [LINE_LG-1:0] e_offset_q;
  reg [TID_W-1:0] e_tid_q;
  reg [63:0] e_compare_q, e_operand_q;

  // ================ rows ================
  wire [TRUE_W-1:0] true_row, e_true_row, s2_true_row, pass_row;
  wire [TROW_W-1:0] temp_row, e_temp_row, s2_temp_row;
  wire [OLD_W-1:0] pass_old_row;
  wire [PLACE_W-1:0] e_row_place = copies ? e_place_q : fill_place;
  // The beat that is read next: of a copy this one, of a pass the one behind, before a pass the first.
  wire [COUNT_W-1:0] e_beat = copies ? e_count_q : (e_state_q == PASS) ? e_count_q + 1'b1 : {COUNT_W{1'b0}};
  wire [SLOT_W-1:0] e_temp_slot = t_slot[e_temp];
  generate
    if (BEATS > 1) begin : g_rows
      assign s2_true_row = {s2_line[SET_W-1:0], hit_way, s2_addr[LINE_LG-1 -: BEAT_W]};
      assign s2_temp_row = {temp_at, s2_addr[LINE_LG-1 -: BEAT_W]};
      assign e_true_row = {e_row_place, injects ? e_offset_q[LINE_LG-1 -: BEAT_W] : e_beat[BEAT_W-1:0]};
      assign e_temp_row = {e_temp, e_beat[BEAT_W-1:0]};
      assign pass_row = {fill_place, e_count_q[BEAT_W-1:0]};
      assign pass_old_row = {e_temp_slot, e_count_q[BEAT_W-1:0]};
      wire unused_beat = &{1'b0, e_beat[COUNT_W-1:BEAT_W]};
    end else begin : g_row
      assign s2_true_row = {s2_line[SET_W-1:0], hit_way};
      assign s2_temp_row = temp_at;
      assign e_true_row = e_row_place;
      assign e_temp_row = e_temp;
      assign pass_row = fill_place;
      assign pass_old_row = e_temp_slot;
      wire unused_beat = &{1'b0, e_beat};
    end
  endgenerate
  assign true_row = runs ? s2_true_row : e_true_row;
  assign temp_row = runs ? s2_temp_row : e_temp_row;

  // ================ pipeline ================
  wire fast_push, keep, old_write;
  wire [TID_W+65:0] fast_answer, fast_head, spool_head;
  wire [ENTRY_W-1:0] keep_entry;
  wire [4:0] keep_op;
  wire [1:0] keep_size, keep_mode, keep_fresh;
  wire [LINE_LG-1:0] keep_offset;
  wire [TID_W-1:0] keep_tid;
  wire [63:0] keep_compare, keep_data;
  wire [OLD_W-1:0] old_row;
  wire [32*MERGE_LANES-1:0] old_data, true_data;
  wire inject_now = injects && !e_error_q;
  wire [4:0] i_op = injects ? e_op_q : s2_op;
  wire [1:0] i_mode = injects ? e_mode_q : s2_mode;
  wire i_answers = !injects && (do_refuse || do_barrier || do_perform || do_join_relaxed);
  wire i_gives = injects ? (e_op_q == 5'd0 || (e_op_q != 5'd1 && e_mode_q == 2'd0)) :
                 (do_perform && (s2_op == 5'd0 || (s2_op != 5'd1 && s2_mode == 2'd0)));

  reg [32*MERGE_LANES-1:0] fill_mem [0:(BEATS > 1 ? BEATS : 2)-1];
  reg [WORDS-1:0] e_stands;
  reg [3:0] e_temp_op;
  always @* begin
    e_stands = {WORDS{1'b0}};
    e_temp_op = 4'd0;
    for (i = 0; i < TEMPS; i = i + 1)
      if (e_temp == i[TEMP_W-1:0]) begin
        e_stands = e_stands | t_stands_q[WORDS*i +: WORDS];
        e_temp_op = e_temp_op | t_op_q[4*i +: 4];
      end
  end
  wire [9:0] e_temp_control;
  wire [1:0] e_unused_word;
  wire [7:0] e_unused_byte;
  wire e_unused_write, e_unused_slow, e_unused_atomic;
  atomic_merge_decode e_decode (.op_i({1'b0, e_temp_op}), .size_i({1'b1, t_wide_q[e_temp]}),
    .offset_i(3'd0),
    .control_o(e_temp_control), .word_o(e_unused_word), .byte_o(e_unused_byte), .write_o(e_unused_write),
    .slow_o(e_unused_slow), .atomic_o(e_unused_atomic));
  wire [MERGE_LANES-1:0] pass_stands;
  wire [32*MERGE_LANES-1:0] fill_data;
  generate
    if (BEATS > 1) begin : g_pass_beats
      assign pass_stands = e_stands[MERGE_LANES*e_count_q[BEAT_W-1:0] +: MERGE_LANES];
      assign fill_data = fill_mem[e_count_q[BEAT_W-1:0]];
    end else begin : g_pass_beat
      assign pass_stands = e_stands;
      assign fill_data = fill_mem[0];
    end
  endgenerate

  atomic_merge_pipe #(
    .LANES(MERGE_LANES), .TRUE_ROWS(LINES*BEATS), .TEMP_ROWS(TEMPS*BEATS), .OLD_ROWS(OLD_LINES*BEATS),
      .LINE_LG(LINE_LG),
    .TID_W(TID_W), .ENTRY_W(ENTRY_W), .HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC), .HAS_CAS(HAS_CAS)
  ) pipe (
    .clk_i(clk_i), .rst_i(rst_i), .true_row_i(true_row), .temp_row_i(temp_row), .true_data_o(true_data),
    .issue_i(goes || inject_now), .access_i(injects || do_perform || do_join), .temp_i(!injects &&
      do_join), .answers_i(i_answers),
    .gives_i(i_gives), .status_i(do_refuse ? 2'd1 : 2'd0), .keeps_i(injects || do_join_parked || do_wait),
      .done_i(injects),
    .waits_i(do_wait), .entry_i(injects ? e_event_q : free_entry), .op_i(i_op),
      .size_i(injects ? e_size_q : s2_size),
    .mode_i(i_mode), .offset_i(injects ? e_offset_q : s2_addr[LINE_LG-1:0]), .tid_i(injects ? e_tid_q :
      s2_tid),
    .operand_i(injects ? e_operand_q : s2_operand), .compare_i(injects ? e_compare_q : s2_against),
      .stands_i(s2_stands),
    .slow_o(last_slow), .empty_o(empty), .push_o(fast_push), .answer_o(fast_answer), .keep_o(keep),
      .keep_entry_o(keep_entry),
    .keep_op_o(keep_op), .keep_size_o(keep_size), .keep_mode_o(keep_mode), .keep_offset_o(keep_offset),
      .keep_tid_o(keep_tid),
    .keep_fresh_o(keep_fresh), .keep_compare_o(keep_compare), .keep_data_o(keep_data),
    .pass_valid_i(e_state_q == PASS && e_count_q <= LAST_BEAT[COUNT_W-1:0]), .pass_first_i(e_first_q),
      .fill_data_i(fill_data),
    .pass_stands_i(pass_stands & {MERGE_LANES{e_use_q}}), .pass_control_i(e_temp_control),
      .pass_compare_i(e_compare),
    .pass_row_i(pass_row), .pass_old_i(t_slotted_q[e_temp] && e_use_q), .pass_old_row_i(pass_old_row),
      .old_write_o(old_write), .old_row_o(old_row), .old_data_o(old_data));

  // ================ answers ================
  wire fast_valid, spool_valid;
  reg last_fast_q;
  wire ans_moves = !ans_valid_o || ans_ready_i;
  wire pick_fast = fast_valid && !(spool_valid && last_fast_q);
  wire pop_fast = ans_moves && pick_fast;
  wire pop_spool = ans_moves && spool_valid && !pick_fast;
  atomic_merge_fifo #(.WIDTH(TID_W+66), .DEPTH_LG(4)) fast_answers (
    .clk_i(clk_i), .rst_i(rst_i), .promise_i(i_answers), .room_o(fast_room), .push_i(fast_push),
      .data_i(fast_answer),
    .valid_o(fast_valid), .data_o(fast_head), .pop_i(pop_fast));
  always @(posedge clk_i) begin
    if (ans_moves) begin
      ans_valid_o <= fast_valid || spool_valid;
      {ans_tid_o, ans_status_o, ans_data_o} <= pick_fast ? fast_head : spool_head;
      if (fast_valid || spool_valid) last_fast_q <= pick_fast;
    end
    if (rst_i) begin
      ans_valid_o <= 1'b0;
      last_fast_q <= 1'b0;
    end
  end

  // ================ stall buffer ================
  wire takes_entry = do_join_parked || do_wait;
  wire [ENTRY_W-1:0] merge_event = FIRST_MERGE[ENTRY_W-1:0] + {{(ENTRY_W-TEMP_W){1'b0}}, temp_new};
  wire appends_event = do_wait || do_open_temp;
  wire [ENTRY_W-1:0] new_event = do_wait ? free_entry : merge_event;
  // A slot may have been taken for a request that finds the line present when its turn comes: it goes back.
  wire temp_ends = merges || drops;
  wire list_temp = temp_ends && t_slotted_q[e_temp] && t_any_q[e_temp];
  wire temp_slot_back = temp_ends && t_slotted_q[e_temp] && !t_any_q[e_temp];
  wire wait_slot_back = arrival_ends && m_slotted_q[fill_tag_q] && !lists_done;
  reg link_q;
  reg [ENTRY_W-1:0] link_entry_q, link_next_q;
  always @(posedge clk_i) begin
    link_q <= (appends_event && |(s2_miss & m_any_q)) || (do_join_parked && |(t_match & t_any_q)) ||
      (injects && e_done_q);
    link_entry_q <= injects ? e_done_tail_q : do_join_parked ? t_tail[temp_at] : m_tail[miss_at];
    link_next_q <= injects ? e_event_q : do_join_parked ? free_entry : new_event;
    if (rst_i) link_q <= 1'b0;
  end
  atomic_merge_spool #(
    .LANES(MERGE_LANES), .BEATS(BEATS), .STALL_BUF(STALL_BUF), .EVENTS(EVENTS), .OLD_LINES(OLD_LINES),
      .LINE_LG(LINE_LG),
    .TID_W(TID_W), .HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC), .HAS_CAS(HAS_CAS)
  ) spool (
    .clk_i(clk_i), .rst_i(rst_i), .free_o(entry_free), .free_entry_o(free_entry), .take_i(takes_entry),
      .link_i(link_q),
    .link_entry_i(link_entry_q), .link_next_i(link_next_q), .keep_i(keep), .keep_entry_i(keep_entry),
      .keep_op_i(keep_op),
    .keep_size_i(keep_size), .keep_mode_i(keep_mode), .keep_offset_i(keep_offset), .keep_tid_i(keep_tid),
    .keep_fresh_i(keep_fresh), .keep_compare_i(keep_compare), .keep_data_i(keep_data),
    .read_i(lands || e_state_q == EVENT), .read_entry_i(e_event_q), .read_next_o(read_next),
      .read_op_o(read_op),
    .read_size_o(read_size), .read_mode_o(read_mode), .read_offset_o(read_offset), .read_tid_o(read_tid),
    .read_compare_o(read_compare), .read_data_o(read_data), .old_write_i(old_write), .old_row_i(old_row),
      .old_data_i(old_data),
    .list_i(list_temp || lists_done), .list_slot_i(lists_done ? m_slot[fill_tag_q] : e_temp_slot),
    .list_head_i(lists_done ? e_done_head_q : t_head[e_temp]), .list_tail_i(lists_done ? e_done_tail_q :
      t_tail[e_temp]),
    .list_done_i(lists_done), .list_failed_i(e_error_q), .slot_free_o(slot_given), .slot_o(slot_back),
    .valid_o(spool_valid), .answer_o(spool_head), .pop_i(pop_spool));

  // ================ fetches ================
  reg [MISS_W-1:0] f_mem [0:MISSES-1];
  reg [MISS_W-1:0] f_first_q, f_last_q;
  reg [MISS_W:0] f_count_q;
  assign fetch_valid_o = f_count_q != {(MISS_W+1){1'b0}};
  assign fetch_tag_o = f_mem[f_first_q];
  assign fetch_line_o = m_line_of[fetch_tag_o];
  wire fetched = fetch_valid_o && fetch_ready_i;
  always @(posedge clk_i) begin
    if (do_open_miss) f_mem[f_last_q] <= miss_new;
    f_first_q <= f_first_q + {{(MISS_W-1){1'b0}}, fetched};
    f_last_q <= f_last_q + {{(MISS_W-1){1'b0}}, do_open_miss};
    f_count_q <= f_count_q + {{MISS_W{1'b0}}, do_open_miss} - {{MISS_W{1'b0}}, fetched};
    if (rst_i) begin
      f_first_q <= {MISS_W{1'b0}};
      f_last_q <= {MISS_W{1'b0}};
      f_count_q <= {(MISS_W+1){1'b0}};
    end
  end

  // ================ releases ================
  reg [32*MERGE_LANES-1:0] rel_mem [0:(BEATS > 1 ? BEATS : 2)-1];
  assign rel_valid_o = rel_busy_q;
  assign rel_line_o = rel_line_q;
  assign rel_dirty_o = rel_busy_q && rel_dirty_q;
  assign rel_last_o = !rel_dirty_q || rel_beat_q == LAST_BEAT[COUNT_W-1:0];
  generate
    if (BEATS > 1) begin : g_rel_beats
      assign rel_data_o = rel_mem[rel_beat_q[BEAT_W-1:0]];
    end else begin : g_rel_beat
      assign rel_data_o = rel_mem[0];
    end
  endgenerate
  wire [COUNT_W-1:0] copied = e_count_q - 1'b1;
  wire [COUNT_W-1:0] fill_beat = lands ? LAST_BEAT[COUNT_W-1:0] : beats_q;
  wire fill_write = take_beat || (lands && !hb_error_q);
  generate
    if (BEATS > 1) begin : g_beat_writes
      always @(posedge clk_i) begin
        if (copies && e_count_q != {COUNT_W{1'b0}}) rel_mem[copied[BEAT_W-1:0]] <= true_data;
        if (fill_write) fill_mem[fill_beat[BEAT_W-1:0]] <= hb_data_q;
      end
      wire unused_high = &{1'b0, copied[COUNT_W-1:BEAT_W], fill_beat[COUNT_W-1:BEAT_W]};
    end else begin : g_beat_write
      always @(posedge clk_i) begin
        if (copies && e_count_q != {COUNT_W{1'b0}}) rel_mem[0] <= true_data;
        if (fill_write) fill_mem[0] <= hb_data_q;
      end
      wire unused_count = &{1'b0, copied, fill_beat};
    end
  endgenerate

  // ================ clock edge ================
  reg [TAG_W-1:0] look_tag;
  reg [WAY_W-1:0] look_way;
  always @* begin
    look_way = {WAY_W{1'b0}};
    look_tag = {TAG_W{1'b0}};
    for (i = 0; i < WAYS; i = i + 1) begin
      if (look_hit[i]) look_way = look_way | i[WAY_W-1:0];
      if (e_place_q[WAY_W-1:0] == i[WAY_W-1:0]) look_tag = look_tag | tags[TAG_W*i +: TAG_W];
    end
  end
  reg [15:0] lost_q;
  reg [LINE_AW-1:0] lost_line_q;
  wire [15:0] e_relaxed = t_relaxed[e_temp];
  wire [16:0] lost_sum = {1'b0, lost_q} + {1'b0, e_relaxed};
  reg relax_q, relax_new_q;
  reg [TEMP_W-1:0] relax_temp_q;
  wire [15:0] relax_now = t_relaxed[relax_temp_q];
  wire injected_write = inject_now && e_op_q != 5'd0;

  always @(posedge clk_i) begin
    // Queue and front.
    q_written_q <= q_written_q + {{QUEUE_W{1'b0}}, accept};
    q_committed_q <= q_committed_q + {{QUEUE_W{1'b0}}, goes};
    if (kills) begin
      s0_valid_q <= 1'b0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      q_fetched_q <= q_committed_q;
    end else if (advance) begin
      s2_valid_q <= s1_valid_q;
      s1_valid_q <= s0_valid_q;
      s0_valid_q <= q_fetched_q != q_written_q;
      if (q_fetched_q != q_written_q) q_fetched_q <= q_fetched_q + 1'b1;
    end
    if (advance) begin
      s0_at_q <= q_fetched_q[QUEUE_W-1:0];
      s1_op <= s0_op;
      s1_size <= s0_size;
      s1_mode <= s0_mode;
      s1_addr <= s0_addr;
      s1_tid <= s0_tid;
      s1_operand <= s0_operand;
      s1_against <= s0_against;
      s1_bad <= s0_bad;
      s1_barrier <= s0_barrier;
      s1_atomic <= s0_atomic;
      s1_extra <= |(s0_one & EXTRA);
      s2_op <= s1_op;
      s2_size <= s1_size;
      s2_mode <= s1_mode;
      s2_addr <= s1_addr;
      s2_tid <= s1_tid;
      s2_operand <= s1_operand;
      s2_against <= s1_against;
      s2_bad <= s1_bad;
      s2_barrier <= s1_barrier;
      s2_atomic <= s1_atomic;
      s2_extra <= s1_extra;
      s2_bitwise <= s1_op[4:2] == 3'd1 && s1_op[1:0] != 2'd0;
      s2_same_pair <= s1_valid_q && s2_valid_q && s1_addr[ADDR_W-1:3] == s2_addr[ADDR_W-1:3];
      s2_hit <= s1_hit;
      s2_ways_valid <= s1_ways_valid;
      s2_ways_reserved <= s1_ways_reserved;
      s2_miss <= s1_miss;
      s2_same <= s1_same;
      s2_words <= {{(WORDS-2){1'b0}}, s1_word} << {s1_addr[LINE_LG-1:3], 1'b0};
    end

    // Misses and temporary lines.
    if (do_open_miss) begin
      m_line_of[miss_new] <= s2_line;
      m_place[miss_new] <= {s2_line[SET_W-1:0], free_way};
      m_valid_q[miss_new] <= 1'b1;
      m_fetched_q[miss_new] <= 1'b0;
      m_slotted_q[miss_new] <= 1'b0;
      m_any_q[miss_new] <= 1'b0;
      l_reserved_q[{s2_line[SET_W-1:0], free_way}] <= 1'b1;
    end
    for (i = 0; i < MISSES; i = i + 1)
      if (do_open_miss && miss_new == i[MISS_W-1:0]) m_line_q[LINE_AW*i +: LINE_AW] <= s2_line;
    if (fetched) m_fetched_q[fetch_tag_o] <= 1'b1;
    if (takes_slot && want_wait_slot) begin
      m_slotted_q[miss_at] <= 1'b1;
      m_slot[miss_at] <= slot_new;
    end
    if (takes_slot && want_own_slot) begin
      t_slotted_q[temp_at] <= 1'b1;
      t_slot[temp_at] <= slot_new;
    end
    if (slot_given) slot_used_q[slot_back] <= 1'b0;
    if (temp_slot_back) slot_used_q[e_temp_slot] <= 1'b0;
    if (wait_slot_back) slot_used_q[m_slot[fill_tag_q]] <= 1'b0;
    if (takes_slot) slot_used_q[slot_new] <= 1'b1;
    if (appends_event) begin
      if (!(|(s2_miss & m_any_q))) m_head[miss_at] <= new_event;
      m_tail[miss_at] <= new_event;
      m_any_q[miss_at] <= 1'b1;
    end
    if (do_join_parked) begin
      if (!(|(t_match & t_any_q))) t_head[temp_at] <= free_entry;
      t_tail[temp_at] <= free_entry;
      t_any_q[temp_at] <= 1'b1;
    end
    for (i = 0; i < TEMPS; i = i + 1) begin
      if (do_join && t_match[i]) t_stands_q[WORDS*i +: WORDS] <= t_stands_q[WORDS*i +: WORDS] | s2_words;
      if (t_here[i] && (do_wait || (do_join && !t_match[i])))
        t_blocked_q[WORDS*i +: WORDS] <= t_blocked_q[WORDS*i +: WORDS] | s2_words;
    end
    if (do_open_temp) begin
      t_valid_q[temp_new] <= 1'b1;
      t_slotted_q[temp_new] <= 1'b0;
      t_any_q[temp_new] <= 1'b0;
      t_wide_q[temp_new] <= s2_size[0];
    end
    for (i = 0; i < TEMPS; i = i + 1)
      if (do_open_temp && temp_new == i[TEMP_W-1:0]) begin
        t_op_q[4*i +: 4] <= s2_op[3:0];
        t_stands_q[WORDS*i +: WORDS] <= {WORDS{1'b0}};
        t_blocked_q[WORDS*i +: WORDS] <= {WORDS{1'b0}};
      end
    // The count of relaxed atomics is kept a cycle behind.
    relax_q <= do_join_relaxed || do_open_temp;
    relax_new_q <= do_open_temp;
    relax_temp_q <= do_open_temp ? temp_new : temp_at;
    if (relax_q) t_relaxed[relax_temp_q] <= relax_new_q ? 16'd0 : relax_now + {15'd0, relax_now != 16'hffff};
    if (merges || drops) t_valid_q[e_temp] <= 1'b0;
    if (do_perform && s2_op != 5'd0) l_dirty_q[{s2_line[SET_W-1:0], hit_way}] <= 1'b1;
    if (lands) l_dirty_q[fill_place] <= 1'b0;
    if (merges || injected_write) l_dirty_q[fill_place] <= 1'b1;
    if (do_evict) turn_q <= turn_q + 1'b1;
    if (flush_step && !flush_here) flushed_q <= flushed_q + 1'b1;
    if (do_barrier) flushed_q <= {(PLACE_W+1){1'b0}};

    // What the home sends.
    if (home_valid_i && home_ready_o) begin
      hb_valid_q <= 1'b1;
      hb_snoop_q <= home_snoop_i;
      hb_error_q <= home_error_i;
      hb_tag_q <= home_tag_i;
      hb_line_q <= home_line_i;
      hb_data_q <= home_data_i;
    end
    if (drop_stray || take_beat || lands || (snoop_ends && e_snoop_q)) hb_valid_q <= 1'b0;
    if (drop_stray) unasked_q <= 1'b1;
    if (hb_fill && !arriving && hb_asked && beats_none) fill_tag_q <= hb_tag_q;
    if (take_beat) beats_q <= beats_q + 1'b1;

    // Engine.
    case (e_state_q)
      RUN:
        if (due) begin
          e_snoop_q <= hb_valid_q && hb_snoop_q;
          e_state_q <= (hb_valid_q && hb_snoop_q) ? LOOK : ARRIVE;
        end else if (do_evict || do_flush_line) begin
          e_snoop_q <= 1'b0;
          e_place_q <= do_evict ? {s2_line[SET_W-1:0], victim} : flushed_q[PLACE_W-1:0];
          e_state_q <= LOOK;
        end
      ARRIVE: begin
        e_event_q <= m_head[fill_tag_q];
        e_any_q <= m_any_q[fill_tag_q];
        e_done_q <= 1'b0;
        e_state_q <= AWAIT;
      end
      AWAIT:
        if (lands) begin
          e_error_q <= hb_error_q;
          e_first_q <= 1'b1;
          e_use_q <= e_any_q && e_merge;
          e_count_q <= {COUNT_W{1'b0}};
          e_state_q <= !hb_error_q ? PASS : EVENT;
        end
      PASS: begin
        if (e_count_q == {COUNT_W{1'b0}}) e_next_q <= read_next;
        e_count_q <= e_count_q + 1'b1;
        if (pass_ends) begin
          if (!e_use_q) e_state_q <= EVENT;
          else if (e_ends) e_state_q <= LAST;
          else begin
            e_event_q <= e_next_q;
            e_state_q <= EVENT;
          end
        end
      end
      EVENT:
        if (!e_merge) e_state_q <= READ;
        else if (e_error_q) e_state_q <= DROP;
        else if (empty) begin
          e_first_q <= 1'b0;
          e_use_q <= 1'b1;
          e_count_q <= {COUNT_W{1'b0}};
          e_state_q <= PASS;
        end
      DROP: begin
        e_event_q <= read_next;
        e_state_q <= e_ends ? LAST : EVENT;
      end
      READ: begin
        e_op_q <= read_op;
        e_size_q <= read_size;
        e_mode_q <= read_mode;
        e_offset_q <= read_offset;
        e_tid_q <= read_tid;
        e_compare_q <= read_compare;
        e_operand_q <= read_data;
        e_next_q <= read_next;
        e_state_q <= INJECT;
      end
      INJECT: begin
        if (!e_done_q) e_done_head_q <= e_event_q;
        e_done_tail_q <= e_event_q;
        e_done_q <= 1'b1;
        e_event_q <= e_next_q;
        e_state_q <= e_is_tail ? LAST : EVENT;
      end
      LOOK: e_state_q <= MATCH;
      MATCH: begin
        e_found_q <= !e_snoop_q || |look_hit;
        if (e_snoop_q) e_place_q <= {hb_line_q[SET_W-1:0], look_way};
        rel_line_q <= e_snoop_q ? hb_line_q : {look_tag, e_place_q[PLACE_W-1:WAY_W]};
        e_state_q <= TAKE;
      end
      TAKE: begin
        e_count_q <= {COUNT_W{1'b0}};
        if (e_found_q && empty && l_dirty_q[e_place_q]) e_state_q <= COPY;
      end
      COPY: e_count_q <= e_count_q + 1'b1;
      default: begin end
    endcase
    if (arrival_ends || snoop_ends) e_state_q <= RUN;
    if (arrival_ends) begin
      m_valid_q[fill_tag_q] <= 1'b0;
      l_reserved_q[fill_place] <= 1'b0;
      beats_q <= {COUNT_W{1'b0}};
    end
    if (line_arrives) l_valid_q[fill_place] <= 1'b1;
    if (drops) begin
      lost_q <= lost_sum[16] ? 16'hffff : lost_sum[15:0];
      if (lost_q == 16'd0 && e_relaxed != 16'd0) lost_line_q <= fill_line;
    end

    // Releases.
    if (line_goes) begin
      rel_busy_q <= 1'b1;
      rel_beat_q <= {COUNT_W{1'b0}};
      rel_dirty_q <= l_dirty_q[e_place_q];
      l_valid_q[e_place_q] <= 1'b0;
    end else if (rel_busy_q && rel_ready_i) begin
      rel_beat_q <= rel_beat_q + 1'b1;
      if (rel_last_o) rel_busy_q <= 1'b0;
    end

    if (rst_i) begin
      q_written_q <= {(QUEUE_W+1){1'b0}};
      q_committed_q <= {(QUEUE_W+1){1'b0}};
      q_fetched_q <= {(QUEUE_W+1){1'b0}};
      s0_valid_q <= 1'b0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      m_valid_q <= {MISSES{1'b0}};
      t_valid_q <= {TEMPS{1'b0}};
      l_valid_q <= {LINES{1'b0}};
      l_reserved_q <= {LINES{1'b0}};
      slot_used_q <= {OLD_LINES{1'b0}};
      relax_q <= 1'b0;
      turn_q <= {WAY_W{1'b0}};
      flushed_q <= {(PLACE_W+1){1'b0}};
      hb_valid_q <= 1'b0;
      unasked_q <= 1'b0;
      beats_q <= {COUNT_W{1'b0}};
      e_state_q <= RUN;
      lost_q <= 16'd0;
      lost_line_q <= {LINE_AW{1'b0}};
      rel_busy_q <= 1'b0;
    end
  end
  assign lost_count_o = lost_q;
  assign lost_line_o = lost_line_q;
  assign unasked_o = unasked_q;

  // ================ witness ================
  generate
    if (WITNESS != 0) begin : g_witness
      reg wit_valid_q;
      reg [1:0] wit_kind_q;
      reg [TID_W-1:0] wit_tid_q;
      reg [TEMP_W-1:0] wit_temp_q;
      always @(posedge clk_i) begin
        wit_valid_q <= !rst_i && (do_perform || do_join || inject_now || merges || drops);
        wit_kind_q <= merges ? 2'd2 : drops ? 2'd3 : do_join ? 2'd1 : 2'd0;
        wit_tid_q <= (merges || drops) ? {TID_W{1'b0}} : injects ? e_tid_q : s2_tid;
        wit_temp_q <= (merges || drops) ? e_temp : do_join ? temp_at : {TEMP_W{1'b0}};
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
    end
  endgenerate

  wire unused = &{1'b0, e_number, e_unused_word, e_unused_byte, e_unused_write,
    e_unused_slow, e_unused_atomic};
endmodule

`default_nettype wire
