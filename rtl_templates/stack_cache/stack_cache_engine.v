// SPDX-License-Identifier: Apache-2.0
// stack_cache_engine: spills, restores and memory answers. The looker reads the state of one thread after
// the other and holds nobody; the mover holds a thread while it takes a set out of storage or stores one.
// The states and their cycles: docs/stack_cache_design.md.
`default_nettype none

module stack_cache_engine #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter COUNT_W = 15,
  parameter X_W = 9,
  parameter NUM_W = 3,
  parameter NSETS = 4,
  parameter SET_LG = 2,
  parameter NSETS_LG = 2,
  parameter SET_IDX_W = 13,
  parameter CLASS_W = 4,
  parameter STEAL = 16,
  parameter ADDR_W = 32,
  parameter ENTRY_W = 64,
  parameter SET = 4,
  parameter SET_BYTES = 32,
  parameter STRIDE_MAX = 17,
  parameter POLICY = 0,
  parameter STATUS = 0,
  parameter OUT_REG = 0,
  parameter BEATS = 1,          // of a set on the memory port
  parameter BANKS = 4,          // entries of a beat
  parameter SLOT_W = 7          // word of storage: thread, slot, beat
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire walk_i,                       // of a reset, over all tags
  input  wire [THREAD_W+CLASS_W-1:0] walk_tag_i,

  // STATUS: docs/stack_cache_design.md. 0 all without it.
  input  wire hold_i,                       // no visit is begun
  input  wire scan_begins_i,                // of a flush, next
  input  wire scan_i,                       // visits are those of its scan
  input  wire flush_i,                      // it is in that, or ends
  output wire scan_ends_o,
  input  wire touch_i,                      // a depth read ends in the mover, which sets the bits
  input  wire load_i,                       // the state of the walk's thread is cleared,
  input  wire load_x_i,                     // is x_i
  input  wire [X_W-1:0] x_i,
  input  wire [NUM_W-1:0] burst_i,          // with load_i
  input  wire halted_i,                     // whose turn it is begins anew
  output wire [X_W-1:0] look_x_o,           // the thread that was looked at last
  output wire [NUM_W-1:0] look_burst_o,
  output wire rests_o,                      // nothing is under way, and no access
  output wire m_busy_o,

  // State: what the operations write; what the engine writes.
  input  wire o_we_i,
  input  wire [THREAD_W-1:0] o_wa_i,
  input  wire [COUNT_W+X_W-1:0] o_wd_i,
  output wire e_we_o,
  output wire [THREAD_W-1:0] e_wa_o,
  output wire [X_W-1:0] e_wd_o,
  output wire drained_o,                    // a drain ends
  output wire [THREAD_W-1:0] drained_thread_o,
  output wire [X_W-1:0] drained_e_o,

  input  wire r_v_i,
  input  wire [THREAD_W-1:0] r_thread_i,
  input  wire b_v_i,
  input  wire [THREAD_W-1:0] b_thread_i,
  input  wire b_wr_i,
  input  wire b_rd_i,
  input  wire [THREAD_W-1:0] c_thread_i,
  input  wire c_hint_i,
  input  wire c_moved_s_i,
  input  wire c_moved_l_i,
  input  wire c_begun_i,

  input  wire depth_i,
  input  wire [THREAD_W-1:0] depth_thread_i,
  output wire depth_done_o,
  output wire [COUNT_W-1:0] depth_count_o,
  output wire depth_fault_o,
  input  wire [ADDR_W-1:0] base_i,
  input  wire [5:0] stride_lg_i,
  input  wire [NUM_W-1:0] spill_over_i,     // POLICY threshold
  input  wire [NUM_W-1:0] spill_burst_i,
  input  wire [NUM_W-1:0] restore_free_i,

  output wire claim_o,                      // the bits of m_thread fall,
  output wire set_push_o,                   // rise
  output wire set_top_o,
  output reg  [THREAD_W-1:0] m_thread_o,
  output wire [SLOT_W-1:0] load_word_o,     // what a spill reads
  output wire [SLOT_W-1:0] store_word_o,    // where an answer goes
  output wire store_o,                      // what is on the port is written to storage
  output wire store_free_o,                 // the write port is the engine's
  output wire held_o,                       // m_thread is held
  output wire steal_o,                      // the next cycle is the engine's
  input  wire [BANKS*ENTRY_W-1:0] rdata_i,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output reg  [THREAD_W+CLASS_W-1:0] mem_req_tag_o,
  output reg  [ADDR_W-1:0] mem_req_addr_o,
  output wire [8*SET_BYTES/BEATS-1:0] mem_req_data_o,
  output wire [BANKS-1:0] mem_req_strb_o,   // of an entry

  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [THREAD_W+CLASS_W-1:0] mem_rsp_tag_i,
  input  wire [1:0] mem_rsp_error_i,

  output wire accepted_o,
  output wire error_o,
  output wire error_write_o,
  output wire [SET_IDX_W-1:0] error_set_o,
  output wire [1:0] error_code_o,
  output wire [THREAD_W-1:0] error_thread_o,
  output wire accesses_o,
  output wire n_spill_o,
  output wire [1:0] n_restore_o,
  output wire n_drop_o
);
  localparam O_W = COUNT_W + X_W;
  localparam TAG_W = THREAD_W + CLASS_W;
  localparam WIDE = (SET_IDX_W > CLASS_W) ? SET_IDX_W : CLASS_W;
  localparam U_W = ((WIDE > NSETS_LG) ? WIDE : NSETS_LG) + 1; // a set, or the one below set 0
  localparam HI_W = U_W - CLASS_W;
  localparam LOG_W = HI_W + 2;              // {phase, write, upper bits of the set}
  localparam [NUM_W-1:0] ALL = NSETS[NUM_W-1:0];
  localparam [31:0] LAST = THREADS - 1;
  localparam [CLASS_W-1:0] CLASS_LAST = {CLASS_W{1'b1}};
  localparam [X_W-1:0] DRAIN_MASK = 1 << (2 * NUM_W + 1);
  localparam [X_W-1:0] OFF_MASK = ~({X_W{1'b1}} << (2 * NUM_W + 3)); // all but off
  localparam ENTRY_PAD = 8 * SET_BYTES / SET;

  // ---- answer port
  reg y0, y1, y2, y3;
  wire yf, y_first, y_bad, y_filled, y_waits, y_more, y_takes; // BEATS
  wire [TAG_W-1:0] y_tag;
  reg y_want, y_write, y_phase, y_err;      // y_want: the looker has not taken it yet
  reg [U_W-1:0] y_set;
  wire [LOG_W-1:0] log;
  wire y_drop, y_done;
  wire y_simple = log[LOG_W-2] && mem_rsp_error_i == 2'd0;
  reg lp, la, ll, le, lv, lm, ln;           // states of the looker
  wire y3_done = y3 && !lv;
  wire y_begin = y0 && mem_rsp_valid_i && !lv;
  wire p_ans;
  always @(posedge clk_i) begin
    if (rst_i) begin
      y0 <= 1'b1;
      y1 <= 1'b0;
      y2 <= 1'b0;
      y3 <= 1'b0;
      y_want <= 1'b0;
    end else begin
      y0 <= (y0 && !y_begin) || y3_done || y_done;
      y1 <= y_begin;
      y2 <= (y1 && !y_simple) || y_filled || (y2 && !y_drop && !y_done);
      y3 <= (y1 && y_simple) || (y_drop && !y_first) || (y3 && lv);
      y_want <= (y1 && !y_simple) || y_filled || (y_want && !p_ans);
    end
    if (y1) begin
      y_write <= log[LOG_W-2];
      y_phase <= log[LOG_W-1];
      y_set <= {log[HI_W-1:0], mem_rsp_tag_i[CLASS_W-1:0]};
      y_err <= mem_rsp_error_i != 2'd0 && !(BEATS > 1 && !log[LOG_W-2]);
    end else if (y_more) y_err <= 1'b1;
  end
  assign accepted_o = y3_done || y_done;
  assign mem_rsp_ready_o = (accepted_o && (BEATS == 1 || y_write)) || y_takes;
  assign error_o = accepted_o && y_err && !rst_i;
  assign error_thread_o = y_tag[CLASS_W+:THREAD_W];
  assign error_write_o = y_write;
  assign error_set_o = y_set[SET_IDX_W-1:0];

  // ---- looker
  reg l_depth, l_ans, l_scan, l_second, last_ans, reserved_q, hint0_q, hint1_q;
  reg [1:0] hints_q;                        // looks by hint in a row
  reg [THREAD_W-1:0] l_thread, hint0_thread, hint1_thread, scan_q;
  wire p_depth = depth_i;
  assign p_ans = lp && !p_depth && y_want && (!last_ans || hold_i);
  wire p_hint = lp && !p_depth && !p_ans && hint0_q && hints_q != 2'd3 && !reserved_q && !hold_i
             && !scan_i;
  // Two hints are kept; one that equals the newest of them, or finds both kept, is dropped.
  wire [THREAD_W-1:0] hint_thread = c_hint_i ? c_thread_i : y_tag[CLASS_W+:THREAD_W];
  wire new_hint = (c_hint_i || accepted_o) && !hint1_q && !(hint0_q && hint0_thread == hint_thread);
  wire p_scan = lp && !p_depth && !p_ans && !p_hint;
  wire p_stay = walk_i || (hold_i && !p_depth && !p_ans);

  reg m_busy, m_rest, m_spill, m_ans, x_spill; // the mover, below
  reg k, k1, k2, ma, ml, f, x, z;
  wire b_same = b_v_i && b_thread_i == l_thread;
  wire m_addresses = ma || ((k1 || k2) && !m_rest);
  wire a_stay = m_addresses || (m_busy && m_thread_o == l_thread) || b_same;

  wire [O_W-1:0] o;
  wire [X_W-1:0] e;
  wire [THREAD_W-1:0] look = m_addresses ? m_thread_o : l_thread;
  ram_1r1w #(.WIDTH(O_W), .DEPTH(THREADS)) u_o (
    .clk_i(clk_i), .we_i(o_we_i), .waddr_i(o_wa_i), .wdata_i(o_wd_i), .raddr_i(look), .rdata_o(o));
  ram_1r1w #(.WIDTH(X_W), .DEPTH(THREADS)) u_e (
    .clk_i(clk_i), .we_i(e_we_o), .waddr_i(e_wa_o), .wdata_i(e_wd_o), .raddr_i(look), .rdata_o(e));
  wire [X_W-1:0] now = o[X_W-1:0] ^ e;
  wire [COUNT_W-1:0] o_count = o[X_W+:COUNT_W];
  localparam [31:0] SET_LAST = SET - 1;
  localparam [COUNT_W-1:0] POS = SET_LAST[COUNT_W-1:0];

  reg [COUNT_W-1:0] l_count;
  reg [X_W-1:0] l_x, l_e;
  reg l_part;                               // the top's set is not full
  wire [NUM_W-1:0] l_nd = l_x[0+:NUM_W], l_nv = l_x[NUM_W+:NUM_W];
  wire l_held = l_x[2*NUM_W], l_drain = l_x[2*NUM_W+1], l_fault = l_x[2*NUM_W+2];
  wire l_dead = l_drain || l_fault;
  wire l_nv0 = l_nv == {NUM_W{1'b0}};
  wire e_look = !l_dead && !l_ans;
  wire zeroes = walk_i || load_i;           // of a thread's state
  wire forgets = (zeroes || halted_i) && STATUS != 0; // hints are those of what ran before
  wire e_spill, e_due1, e_due2;
  wire [NUM_W-1:0] e_spill_less;            // nd - 1
  wire [NUM_W-1:0] e_less = e_spill ? e_spill_less : l_nv + {{NUM_W-1{1'b0}}, l_second};
  wire [U_W+COUNT_W-1:0] l_sets = {{U_W{1'b0}}, l_count} >> SET_LG;
  reg [U_W-1:0] l_y, l_d;
  reg [CLASS_W-1:0] cls_q;
  reg l_spill, l_rest, l_due2, l_two, l_ack;
  wire m_rest_due = l_rest && !l_y[U_W-1];  // there is such a set
  wire v_drain = l_drain && !l_ans;
  wire [TAG_W-1:0] v_tag = {l_thread, v_drain ? cls_q : l_y[CLASS_W-1:0]};

  // M and N
  wire ack;
  wire m_hit1 = l_d == {U_W{1'b0}} && l_nv != ALL;
  wire m_hit2 = l_d == {{U_W-1{1'b0}}, 1'b1} && !l_held && l_nv < ALL - 1'b1;
  wire req_ends;                            // the request is taken, the last beat of a write
  wire n_room = !mem_req_valid_o || req_ends;
  // What is wanted, one of the first five: loaded in M, but for whether the access is free with OUT_REG.
  wire n_visit, n_end, n_next, n_none;
  reg n_answer, n_more;
  reg n_drop, n_hit;
  wire m_hit = !l_dead && (m_hit1 || m_hit2);
  wire m_answer = l_ans && !y_first && ((!l_dead && y_err) || (m_hit && !y_bad));
  wire m_wants = l_spill || m_rest_due;
  generate
    if (OUT_REG != 0) begin : g_late_free
      reg phase_q, wants_q, last_q, class_q;
      wire free = phase_q == l_ack;
      always @(posedge clk_i)
        if (lm) begin
          phase_q <= log[LOG_W-1];
          wants_q <= m_wants;
          last_q <= cls_q == CLASS_LAST;
          class_q <= v_drain;
        end
      assign n_visit = wants_q && free;
      assign n_end = class_q && free && last_q;
      assign n_next = class_q && free && !last_q;
      assign n_none = !n_answer && !((wants_q || class_q) && free);
    end else begin : g_early_free
      reg visit_q, end_q, next_q, none_q;
      wire m_free = log[LOG_W-1] == ack;
      wire m_visit = m_wants && m_free;
      wire m_class = v_drain && m_free;
      always @(posedge clk_i)
        if (lm) begin
          visit_q <= m_visit;
          end_q <= m_class && cls_q == CLASS_LAST;
          next_q <= m_class && cls_q != CLASS_LAST;
          none_q <= !m_answer && !m_visit && !m_class;
        end
      assign n_visit = visit_q;
      assign n_end = end_q;
      assign n_next = next_q;
      assign n_none = none_q;
    end
  endgenerate
  wire touches = le && l_depth && touch_i;
  wire n_give = touches || (ln && !m_busy && (n_answer || (n_visit && n_room)));
  wire n_stay = ((n_answer || n_visit) && m_busy) || (n_end && x);
  wire n_again = ln && n_more && (n_none || (n_visit && !m_busy && n_room));
  wire n_fail = n_visit && !m_busy && !n_room;
  wire n_moves = (n_visit && !m_busy && n_room && !n_more) || (n_end && !x)
              || (n_none && !n_more);       // a scan's
  // A flush stays at a thread until it is clean.
  reg l_dirty, l_one;
  wire e_clean = POLICY == 0 && le && flush_i && l_scan && (l_fault || (!l_drain && l_nd == {NUM_W{1'b0}}));
  wire n_next_thread = (ln && l_scan && n_moves && (!l_dirty || (l_one && n_visit))) || e_clean;
  assign scan_ends_o = n_next_thread && scan_q == LAST[THREAD_W-1:0];
  wire n_cut = n_next && hold_i;            // a drain is looked at no further
  wire n_done = ln && (n_moves || n_fail || n_cut || (n_answer && !m_busy));
  wire n_drained = ln && n_end && !x;
  assign drained_o = n_drained;
  assign y_drop = ln && n_drop;

  always @(posedge clk_i) begin
    if (rst_i) begin
      lp <= 1'b1;
      {la, ll, le, lv, lm, ln} <= 6'd0;
      {last_ans, reserved_q, hint0_q, hint1_q, hints_q} <= 6'd0;
      {l_depth, l_ans, l_scan, l_second} <= 4'd0;
      scan_q <= {THREAD_W{1'b0}};
    end else begin
      lp <= (lp && p_stay) || (le && l_depth) || e_clean || n_done;
      la <= (lp && !p_stay) || (la && a_stay) || n_again;
      ll <= la && !a_stay;
      le <= ll;
      lv <= (le && !l_depth && !e_clean) || (ln && n_next && !n_cut);
      lm <= lv;
      ln <= lm || (ln && n_stay);
      if (lp) begin
        l_depth <= p_depth;
        l_ans <= p_ans;
        l_scan <= p_scan;
        l_second <= 1'b0;
        if (!p_depth && !p_stay) last_ans <= p_ans;
        if (!p_depth && !p_ans && !hold_i) hints_q <= p_hint ? hints_q + 2'd1 : 2'd0;
      end else if (n_again) l_second <= 1'b1;
      if ((ln && l_scan && (n_fail || n_moves)) || e_clean) reserved_q <= ln && n_fail;
      if (STATUS != 0 && halted_i) {last_ans, reserved_q, hints_q} <= 4'd0;
      if (scan_begins_i || (STATUS != 0 && halted_i)) scan_q <= {THREAD_W{1'b0}};
      else if (n_next_thread) scan_q <= (scan_q == LAST[THREAD_W-1:0]) ? {THREAD_W{1'b0}} : scan_q + 1'b1;
      hint0_q <= !forgets && ((hint0_q && !p_hint) || hint1_q || new_hint);
      hint1_q <= !forgets && !p_hint && (hint1_q || (hint0_q && new_hint));
    end
    if (!hint0_q || p_hint) hint0_thread <= hint1_q ? hint1_thread : hint_thread;
    if (!hint1_q) hint1_thread <= hint_thread;
    if (lp) l_thread <= p_depth ? depth_thread_i : p_ans ? y_tag[CLASS_W+:THREAD_W]
                      : p_hint ? hint0_thread : scan_q;
    if (ll) begin
      l_count <= o_count;
      l_x <= now;
      l_e <= e;
      l_part <= (o_count & POS) != {COUNT_W{1'b0}};
    end
    if (le) begin
      l_spill <= e_spill;
      l_rest <= e_look && !e_spill && !flush_i && (l_second ? e_due2 : e_due1);
      l_due2 <= e_due2;
      l_dirty <= flush_i && l_nd != {NUM_W{1'b0}} && !l_fault;
      l_one <= l_nd == {{NUM_W-1{1'b0}}, 1'b1};
      l_y <= l_sets[U_W-1:0] + {{U_W-NUM_W{1'b1}}, ~e_less} + {{U_W-1{1'b0}}, l_part};
    end
    if (le) cls_q <= {CLASS_W{flush_i}};    // nothing of a thread that a flush looks at is under way
    else if (ln && n_next) cls_q <= cls_q + 1'b1;
    l_d <= l_y - y_set;
    if (lm) begin
      l_two <= !m_hit1;
      l_ack <= ack;
      n_answer <= m_answer;
      n_drop <= l_ans && !m_answer;
      n_hit <= m_hit;
      n_more <= m_rest_due && l_due2 && !l_second && l_y != {U_W{1'b0}};
    end
  end
  assign depth_done_o = le && l_depth;
  assign depth_count_o = l_count;
  assign depth_fault_o = l_fault;
  assign look_x_o = l_x;
  assign drained_thread_o = l_thread;
  assign drained_e_o = l_e ^ DRAIN_MASK;

  // POLICY: when a spill, a restore is due.
  generate
    if (POLICY != 0) begin : g_threshold
      wire [NUM_W-1:0] burst;
      reg [NUM_W-1:0] l_burst, m_burst;
      reg l_full, l_by, m_by, m_flush;   // m_flush: the mover spills for a flush, as ML has seen it
      wire begins = !l_part;
      wire full = begins ? l_nd != {NUM_W{1'b0}} : (l_nd >> 1) != {NUM_W{1'b0}};
      wire by = full && (l_burst != {NUM_W{1'b0}} || l_nd > spill_over_i);
      assign e_spill = e_look && (flush_i ? l_nd != {NUM_W{1'b0}} : (begins && l_nd == ALL) || by);
      assign e_spill_less = l_nd - 1'b1;
      wire [NUM_W-1:0] free = ALL - l_nv;
      assign e_due1 = l_nv0 || free > restore_free_i;
      assign e_due2 = l_nv < ALL - 1'b1
                   && (l_nv0 || {1'b0, free} > {1'b0, restore_free_i} + {{NUM_W{1'b0}}, 1'b1});
      wire spills = x && x_spill;
      wire clears = lm && !l_ans && !l_dead && !l_full;
      wire [NUM_W-1:0] more = (m_burst != {NUM_W{1'b0}}) ? m_burst : spill_burst_i;
      ram_1r1w #(.WIDTH(NUM_W), .DEPTH(THREADS)) u_burst (
        .clk_i(clk_i), .we_i(zeroes || spills || clears || n_drained),
        .waddr_i(zeroes ? walk_tag_i[CLASS_W+:THREAD_W] : spills ? m_thread_o : l_thread),
        .wdata_i((load_i && STATUS != 0) ? burst_i : (zeroes || !spills || m_flush) ? {NUM_W{1'b0}}
               : m_by ? more - 1'b1 : m_burst),
        .raddr_i(l_thread), .rdata_o(burst));
      assign look_burst_o = l_burst;
      always @(posedge clk_i) begin
        if (ll) l_burst <= burst;
        if (le) l_full <= full;
        if (le) l_by <= by;
        if (ml) m_flush <= flush_i;
        if (n_give) begin
          m_by <= l_by;
          m_burst <= l_burst;
        end
      end
    end else begin : g_set_boundary
      assign e_spill = e_look && (flush_i ? l_nd != {NUM_W{1'b0}} : l_nd == ALL);
      assign e_spill_less = (STATUS != 0) ? l_nd - 1'b1 : ALL - 1'b1;
      assign e_due1 = (l_nv >> 1) == {NUM_W{1'b0}};
      assign e_due2 = l_nv0;
      assign look_burst_o = {NUM_W{1'b0}};
      wire unused_policy = &{1'b0, spill_over_i, spill_burst_i, restore_free_i, burst_i};
    end
  endgenerate

  // What operations of the thread did since: of a look, of what the mover has.
  reg l_moved_s, l_moved_l, m_moved;
  wire r_same_m = r_v_i && r_thread_i == m_thread_o;
  wire b_same_m = b_v_i && b_thread_i == m_thread_o;
  wire m_quiet = !m_rest && !b_same_m && ((k1 && !r_same_m) || k2); // its state is as it will be
  reg c_same_l, c_same_m;                   // the operation in C is of l_thread, of m_thread_o
  wire l_same = c_same_l && (le || lv || lm || ln);
  wire l_moved_s_n = l_moved_s || (l_same && c_moved_s_i);
  wire l_moved_l_n = l_moved_l || (l_same && c_moved_l_i);
  wire m_same = k ? c_same_l : c_same_m && (k1 || k2 || ma);
  always @(posedge clk_i) begin
    c_same_l <= b_same && !rst_i;
    c_same_m <= b_same_m && !rst_i;
    l_moved_s <= l_moved_s_n && !la;
    l_moved_l <= l_moved_l_n && !la;
    if (n_give) m_moved <= l_ans ? l_moved_l_n : l_moved_s_n;
    else if (m_same) m_moved <= m_moved || (m_ans ? c_moved_l_i : c_moved_s_i);
  end

  // ---- mover
  reg m_err, m_two, m_phase, m_begins, m_empty;
  reg [U_W-1:0] m_set;
  reg [X_W-1:0] m_x, m_o;
  wire [NUM_W-1:0] m_nd = m_x[0+:NUM_W], m_nv = m_x[NUM_W+:NUM_W];
  wire m_held = m_x[2*NUM_W], m_drain = m_x[2*NUM_W+1], m_fault = m_x[2*NUM_W+2];
  wire [NUM_W-1:0] now_nd = now[0+:NUM_W], now_nv = now[NUM_W+:NUM_W];
  wire now_begins = (o_count & POS) == {COUNT_W{1'b0}};
  wire safe = !now[2*NUM_W+2] && !now[2*NUM_W+1] && !m_moved;
  wire full_dirty = now_begins ? now_nd != {NUM_W{1'b0}} : (now_nd >> 1) != {NUM_W{1'b0}};
  wire slot_free = m_two ? !now[2*NUM_W] && now_nv < ALL - 1'b1 : now_nv != ALL;
  reg can_spill, can_store;                 // in F
  wire f_lost = (f && ((can_spill && b_rd_i) || (can_store && b_wr_i && BEATS == 1))) || y_waits;
  wire last_beat;
  wire f_wait = f && ((can_spill && (b_rd_i || !last_beat)) || (can_store && b_wr_i && BEATS == 1));
  wire f_reads = f && can_spill && !b_rd_i;
  wire f_spill = f_reads && last_beat;
  wire f_store = f && can_store && (!b_wr_i || BEATS > 1);
  wire f_one = f_store && !m_two;
  wire f_fault = f && m_err && !m_fault && !m_drain;
  assign y_done = f && m_ans && !(can_store && b_wr_i && BEATS == 1);
  reg x_push, x_top;
  wire spill_load = (OUT_REG != 0) ? z : x && x_spill;
  wire m_ends = (k2 && m_rest) || ((OUT_REG != 0) ? z || (x && !x_spill) : x);
  wire req_load = (k2 && m_rest) || spill_load;
  assign n_spill_o = f_spill;
  assign n_restore_o = {f_one && m_held, f_one && !m_held};
  assign n_drop_o = accepted_o && !y_write && !y_err && !f_store;
  localparam [NUM_W-1:0] ONE = 1;
  always @(posedge clk_i) begin
    if (rst_i) {m_busy, k, k1, k2, ma, ml, f, x, z, x_spill} <= 10'd0;
    else begin
      m_busy <= n_give || (m_busy && !m_ends);
      k <= n_give;
      k1 <= k;
      k2 <= k1 && !m_quiet;
      ma <= k2 && !m_rest && !m_quiet;
      ml <= ma || m_quiet;
      f <= ml || f_wait;
      x <= f && !f_wait;
      z <= x && x_spill && OUT_REG != 0;
      x_spill <= f_spill;
    end
    if (n_give) begin
      m_thread_o <= l_thread;
      m_set <= l_ans ? y_set : l_y;
      m_spill <= !l_ans && l_spill;
      m_rest <= !l_ans && !l_spill && !touches;
      m_ans <= l_ans;
      m_err <= l_ans && y_err;
      m_two <= l_two;
      m_phase <= !l_ack;
    end
    if (ml) begin
      m_o <= o[X_W-1:0];
      m_begins <= now_begins;
      can_spill <= m_spill && safe && (full_dirty || (flush_i && now_nd != {NUM_W{1'b0}}));
      can_store <= m_ans && !m_err && safe && slot_free && !y_bad;
      m_empty <= o_count == {COUNT_W{1'b0}};
    end
    if (ml) m_x <= now;
    else if (f) begin
      if (f_spill) begin
        m_x <= m_x & OFF_MASK;
        m_x[0+:NUM_W] <= m_nd - ONE;
      end
      if (f_one) m_x[NUM_W+:NUM_W] <= m_nv + ONE + {{NUM_W-1{1'b0}}, m_held};
      if (f_store) m_x[2*NUM_W] <= m_two;
      if (f_fault) m_x[2*NUM_W+2] <= 1'b1;
    end
    x_push <= f_spill || f_one || f_fault || m_fault
           || (m_begins ? m_nd != ALL : m_nv != {NUM_W{1'b0}});
    x_top <= f_spill || f_one || f_fault || m_fault || m_empty || m_nv != {NUM_W{1'b0}};
  end
  assign claim_o = (k && !m_rest) || (k1 && !m_rest) || (k2 && !m_rest) || ma;
  assign held_o = m_busy && !m_rest && !k && !z;
  assign set_push_o = x && x_push;
  assign set_top_o = x && x_top;
  wire load_x = load_x_i && STATUS != 0;
  assign e_we_o = zeroes || load_x || x || n_drained;
  assign e_wa_o = (zeroes || load_x) ? walk_tag_i[CLASS_W+:THREAD_W] : x ? m_thread_o : l_thread;
  assign e_wd_o = zeroes ? {X_W{1'b0}} : load_x ? x_i : x ? m_x ^ m_o : drained_e_o;

  localparam LOST_W = (STEAL > 1) ? $clog2(STEAL) : 1;
  localparam [31:0] STEAL_LAST = STEAL - 1;
  reg [LOST_W-1:0] lost_q;
  assign steal_o = f_lost && lost_q == STEAL_LAST[LOST_W-1:0];
  always @(posedge clk_i) lost_q <= (rst_i || !f_lost || steal_o) ? {LOST_W{1'b0}} : lost_q + 1'b1;

  // ---- request register; which accesses are under way
  localparam SET_BYTES_LG = $clog2(SET_BYTES);
  localparam REGION_W = THREAD_W + STRIDE_MAX - SET_BYTES_LG + 1;
  localparam WHERE_W = (REGION_W > U_W) ? REGION_W : U_W;
  reg req_q, req_write_q;
  reg [REGION_W-1:0] region_q;
  reg [WHERE_W-1:0] where_q;
  wire [5:0] shift = stride_lg_i - SET_BYTES_LG[5:0];
  wire [ADDR_W+WHERE_W-1:0] where = {{ADDR_W{1'b0}}, where_q} << SET_BYTES_LG;
  reg [TAG_W:0] under_q;
  wire [WHERE_W+REGION_W-1:0] region_wide = {{WHERE_W{1'b0}}, region_q};
  wire [WHERE_W+SET_IDX_W-1:0] set_wide = {{WHERE_W{1'b0}}, m_set[SET_IDX_W-1:0]};
  wire [TAG_W-1:0] m_tag = {m_thread_o, m_set[CLASS_W-1:0]};
  always @(posedge clk_i) begin
    region_q <= {{REGION_W-THREAD_W{1'b0}}, m_thread_o} << shift;
    where_q <= region_wide[WHERE_W-1:0] | set_wide[WHERE_W-1:0];
    if (rst_i) begin
      req_q <= 1'b0;
      req_write_q <= 1'b0;
      under_q <= {TAG_W+1{1'b0}};
    end else begin
      if (req_load) begin
        req_q <= 1'b1;
        req_write_q <= m_spill;
      end else if (req_ends) begin
        req_q <= 1'b0;
        req_write_q <= 1'b0;
      end
      if (req_load && !accepted_o) under_q <= under_q + 1'b1;
      else if (accepted_o && !req_load) under_q <= under_q - 1'b1;
    end
    if (req_load) begin
      mem_req_tag_o <= m_tag;
      mem_req_addr_o <= base_i + where[ADDR_W-1:0];
    end
  end
  assign rests_o = lp && !m_busy && !accesses_o;
  assign m_busy_o = m_busy;
  assign accesses_o = under_q != {TAG_W+1{1'b0}};
  assign mem_req_valid_o = req_q;
  assign mem_req_write_o = req_write_q;
  // ---- which entries of a set that a flush writes: the first m_pos if m_part
  wire [BANKS-1:0] keep;                    // of what is read, in the cycle of the load
  wire m_part;
  wire [SET_LG:0] m_pos;
  generate
    if (STATUS != 0 && SET > 1) begin : g_part
      reg part_q;
      reg [SET_LG-1:0] pos_q;
      always @(posedge clk_i) begin
        if (ml) pos_q <= o_count[SET_LG-1:0];
        if (k) part_q <= 1'b0;
        else if (f_spill) part_q <= !m_begins && m_nd == ONE;
      end
      assign m_part = part_q;
      assign m_pos = {1'b0, pos_q};
    end else begin : g_no_part
      assign m_part = 1'b0;
      assign m_pos = {SET_LG+1{1'b0}};
    end
  endgenerate
  wire unused_pos = &{1'b0, m_pos, keep};
  // ---- data: a set at once, or in beats
  wire [BANKS*ENTRY_W-1:0] req_data;
  localparam BEAT_W = (BEATS > 1) ? $clog2(BEATS) : 1;
  generate
    if (BEATS > 1) begin : g_beats
      localparam [BEAT_W-1:0] LAST_BEAT = {BEAT_W{1'b1}};
      localparam [BEAT_W-1:0] ONE_BEAT = 1;
      // The spill reads beat after beat into a buffer; the request sends them when all are in.
      reg [BEAT_W-1:0] m_beat, sent, buf_at, out_at;
      reg buf_we, out_we;
      wire sends = req_q && mem_req_ready_i && req_write_q;
      wire [BEAT_W-1:0] sent_next = sends ? sent + ONE_BEAT : sent;
      assign last_beat = m_beat == LAST_BEAT;
      assign req_ends = mem_req_ready_i && (!req_write_q || sent == LAST_BEAT);
      always @(posedge clk_i) begin
        if (ml) m_beat <= {BEAT_W{1'b0}};
        else if (f_reads) m_beat <= m_beat + ONE_BEAT;
        sent <= rst_i ? {BEAT_W{1'b0}} : sent_next;
        out_we <= f_reads && !rst_i;
        out_at <= m_beat;
        buf_we <= out_we && !rst_i;
        buf_at <= out_at;
      end
      // Of 16 words, so that it is taken for a block RAM.
      wire [BEAT_W+3:0] in_at = {4'd0, OUT_REG != 0 ? buf_at : out_at}, send_at = {4'd0, sent_next};
      wire unused_at = &{1'b0, in_at, send_at};
      wire [ENTRY_W-1:0] sent_data;
      ram_1r1w #(.WIDTH(ENTRY_W), .DEPTH(16)) u_buffer (
        .clk_i(clk_i), .we_i(OUT_REG != 0 ? buf_we : out_we), .waddr_i(in_at[3:0]),
        .wdata_i(rdata_i), .raddr_i(send_at[3:0]), .rdata_o(sent_data));
      reg req_part;
      reg [SET_LG:0] req_pos;
      always @(posedge clk_i)
        if (req_load) begin
          req_part <= m_part;
          req_pos <= m_pos;
        end
      wire in_part = STATUS == 0 || !req_part || {1'b0, sent} < req_pos;
      assign keep = in_part;
      assign mem_req_strb_o = keep;
      assign req_data = sent_data & {ENTRY_W{in_part}};
      assign load_word_o = {m_thread_o, m_set[NSETS_LG-1:0], m_beat};

      // An answer goes to its free slot beat by beat; it counts only when the mover has made it valid.
      reg fill_q, first_q, bad_q, same_q;
      reg [BEAT_W-1:0] beat_q;
      reg [TAG_W-1:0] tag_q;
      reg [1:0] code_q;
      wire taken = fill_q && mem_rsp_valid_i && y_takes;
      assign yf = fill_q;
      assign y_first = first_q;
      assign y_bad = bad_q;
      assign y_tag = tag_q;
      assign y_takes = fill_q && (!b_wr_i || bad_q);
      assign y_waits = fill_q && mem_rsp_valid_i && b_wr_i && !bad_q;
      assign y_filled = taken && beat_q == LAST_BEAT;
      assign y_more = taken && mem_rsp_error_i != 2'd0;
      assign store_free_o = fill_q && !b_wr_i;
      wire begun = same_q && c_begun_i;     // it may have taken the slot
      assign store_o = fill_q && mem_rsp_valid_i && !b_wr_i && !bad_q && !begun;
      assign store_word_o = {tag_q[CLASS_W+:THREAD_W], y_set[NSETS_LG-1:0], beat_q};
      assign error_code_o = code_q;
      always @(posedge clk_i) begin
        if (y1) tag_q <= mem_rsp_tag_i;
        if (y1 || (y_more && !y_err)) code_q <= mem_rsp_error_i;
        if (rst_i) fill_q <= 1'b0;
        else fill_q <= (y_drop && first_q) || (fill_q && !y_filled);
        if (rst_i) first_q <= 1'b0;
        else if (y1) first_q <= !log[LOG_W-2];
        else if (y_filled) first_q <= 1'b0;
        if (y1) beat_q <= {BEAT_W{1'b0}};
        else if (taken) beat_q <= beat_q + ONE_BEAT;
        same_q <= b_v_i && b_thread_i == tag_q[CLASS_W+:THREAD_W];
        if (y1 || (la && l_ans && first_q)) bad_q <= 1'b0;
        else bad_q <= bad_q || begun || (y_drop && first_q && !n_hit);
      end
    end else begin : g_whole
      genvar w;
      for (w = 0; w < BANKS; w = w + 1) begin : g_entry
        localparam [31:0] PLACE = w;
        reg [ENTRY_W-1:0] data_q;
        reg strb_q;
        assign keep[w] = !m_part || PLACE[SET_LG:0] < m_pos;
        always @(posedge clk_i)
          if (req_load) begin
            data_q <= keep[w] ? rdata_i[w*ENTRY_W+:ENTRY_W] : {ENTRY_W{1'b0}};
            strb_q <= keep[w];
          end
        assign req_data[w*ENTRY_W+:ENTRY_W] = data_q;
        assign mem_req_strb_o[w] = STATUS == 0 || strb_q;
      end
      assign {yf, y_first, y_bad, y_filled, y_waits, y_more, y_takes} = 7'd0;
      assign y_tag = mem_rsp_tag_i;
      assign last_beat = 1'b1;
      assign req_ends = mem_req_ready_i;
      assign load_word_o = {m_thread_o, m_set[NSETS_LG-1:0]};
      assign store_word_o = load_word_o;
      assign store_free_o = f && !b_wr_i && m_ans;
      assign store_o = f_store;
      assign error_code_o = mem_rsp_error_i;
      wire unused_begun = &{1'b0, c_begun_i, n_hit};
    end
  endgenerate
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_data
      if (ENTRY_PAD > ENTRY_W) begin : g_pad
        assign mem_req_data_o[b*ENTRY_PAD+ENTRY_W+:ENTRY_PAD-ENTRY_W] = {ENTRY_PAD-ENTRY_W{1'b0}};
      end
      assign mem_req_data_o[b*ENTRY_PAD+:ENTRY_W] = req_data[b*ENTRY_W+:ENTRY_W];
    end
  endgenerate

  ram_1r1w #(.WIDTH(LOG_W), .DEPTH(1 << TAG_W)) u_log (
    .clk_i(clk_i), .we_i(walk_i || req_load), .waddr_i(walk_i ? walk_tag_i : m_tag),
    .wdata_i(walk_i ? {LOG_W{1'b0}} : {m_phase, m_spill, m_set[CLASS_W+:HI_W]}),
    .raddr_i(lv ? v_tag : mem_rsp_tag_i), .rdata_o(log));
  ram_1r1w #(.WIDTH(1), .DEPTH(1 << TAG_W)) u_ack (
    .clk_i(clk_i), .we_i(walk_i || accepted_o), .waddr_i(walk_i ? walk_tag_i : y_tag),
    .wdata_i(!walk_i && y_phase), .raddr_i(v_tag), .rdata_o(ack));
  wire unused_bits = &{1'b0, where, set_wide, l_sets, region_wide, p_scan, yf};
endmodule

`default_nettype wire
