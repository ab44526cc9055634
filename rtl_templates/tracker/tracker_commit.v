// SPDX-License-Identifier: Apache-2.0
// tracker_commit: checked queues, commit selectors, commit FIFOs (TR-8 to TR-12, TR-14). A queue whose
// checked part holds an end of instruction asks the selector of its head's path; the oldest wavefront of all
// asks apart when its group is checked. A finds the entry of what may go next on each path. One commit a
// cycle, or one on each path (COMMITS 2): I tests ages, takes turns and reads, D writes the FIFO of the path.
// A drain runs on at the neighbour; D says whether what was issued behind it may stay. A queue that fails a
// test is parked until a state or fast packet leaves; or each queue has a comparison of its own (INTERLOCK 1)
// and asks only when its head passed it a cycle ago. Reset: all queues empty.
`default_nettype none

module tracker_commit #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter ENTRIES = 512,
  parameter NAME_W = 10,                         // a wavefront's name: its place in the pool is lowest,
  parameter AGE_W = 10,                          // its age is AGE_W bits from AGE_AT on
  parameter AGE_AT = 0,
  parameter RUNS = 1,                            // a drain goes on at the neighbour, else at the link
  parameter BANKS = 4,
  parameter DSLOT_W = 8,
  parameter WARP_W = 6,
  parameter PAYLOAD_W = 64,
  parameter COMMIT_FIFO = 8,
  parameter STATE_Q = 16,
  parameter FAST_Q = 16,
  parameter GROUPS = 8,
  parameter INTERLOCK = 0,
  parameter COMMITS = 1,
  parameter POPS = 1,
  parameter ENTRY_W = 9
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire closed_i,                          // nothing is issued, nothing leaves
  output wire moves_o,                           // D has something
  output wire work_o,                            // FIFOs hold something
  output wire would_o,                           // something on offer would be read, were it not closed
  output wire blocked_o,                         // something waits for its reader

  // A context is saved, while all stands: what is in the FIFOs, one after the other; and an entry.
  input  wire save_i,
  input  wire [ENTRY_W-1:0] save_entry_i,
  input  wire [3:0] next_i,                      // {fast, state, texture FIFO, other FIFO}
  output wire [3:0] more_o,
  output wire [BANKS+BANKS*DSLOT_W+3+WARP_W+PAYLOAD_W-1:0] save_words_o,
  output wire [AGE_W-1:0] state_below_o,
  output wire [AGE_W-1:0] state_open_below_o,
  output wire [PAYLOAD_W-1:0] state_payload_o,
  output wire [AGE_W-1:0] fast_below_o,
  output wire [2*QUEUE_W+1:0] drains_o,          // {queues, held} of both paths
  // It comes in.
  input  wire load_i,                            // what is pushed into a FIFO goes to this place
  input  wire [$clog2(COMMIT_FIFO)-1:0] put_place_i,
  input  wire put_i,                             // an entry goes into the FIFO of a path
  input  wire put_path_i,
  input  wire [NAME_W-1:0] put_entry_i,
  input  wire put_state_i,                       // a state packet goes
  input  wire commit_i,
  input  wire [2*QUEUE_W+1:0] drains_i,

  // I2: contents of the pool, state packets, fast packets
  input  wire wave_i,
  input  wire [NAME_W-1:0] wave_entry_i,
  input  wire [BANKS-1:0] wave_used_i,
  input  wire [BANKS*DSLOT_W-1:0] wave_dslots_i,
  input  wire [1:0] wave_class_i,
  input  wire [WARP_W-1:0] wave_warp_i,
  input  wire wave_end_i,
  input  wire [PAYLOAD_W-1:0] payload_i,
  input  wire [AGE_W-1:0] tail_i,
  input  wire state_i,
  input  wire [AGE_W-1:0] state_open_i,
  input  wire fast_i,                            // the tail of a fast packet, three cycles after it
  input  wire fast_push_i,
  input  wire [PAYLOAD_W-1:0] fast_payload_i,

  input  wire insert_i,
  input  wire [NAME_W-1:0] insert_entry_i,
  input  wire [NAME_W-1:0] insert_before_i,
  input  wire insert_tex_i,
  input  wire insert_end_i,
  input  wire insert_link_i,

  input  wire [POPS-1:0] pop_i,                  // of queues with the same number modulo POPS one
  input  wire [POPS*QUEUE_W-1:0] pop_queue_i,
  input  wire [POPS*NAME_W-1:0] pop_entry_i,
  input  wire [POPS-1:0] pop_tex_i,
  input  wire [POPS-1:0] pop_end_i,
  input  wire [POPS-1:0] pop_group_end_i,
  input  wire [QUEUES-1:0] picked_i,             // queues whose slots are popped; marks of what is in slots
  input  wire [QUEUES-1:0] slot_end_i,
  input  wire [QUEUES-1:0] slot_tex_i,
  output wire [QUEUES-1:0] dry_o,                // no checked entry

  input  wire oldest_valid_i,
  input  wire [AGE_W-1:0] oldest_i,
  input  wire [QUEUE_W-1:0] oldest_queue_i,
  input  wire oldest_tex_i,
  input  wire state_due_i,
  output wire state_left_o,

  output wire fast_valid_o,
  input  wire fast_ready_i,
  output wire [PAYLOAD_W-1:0] fast_payload_o,
  output wire fast_left_o,

  output wire [1:0] out_valid_o,                 // local/global and ray traversal; texture
  input  wire [1:0] out_ready_i,
  input  wire [1:0] leave_room_i,
  output wire [2*NAME_W-1:0] out_entry_o,
  output wire [2*BANKS-1:0] out_used_o,
  output wire [2*BANKS*DSLOT_W-1:0] out_dslots_o,
  output wire [3:0] out_class_o,
  output wire [2*WARP_W-1:0] out_warp_o,
  output wire [1:0] out_end_o,
  output wire [2*PAYLOAD_W-1:0] out_payload_o,
  output wire out_state_o,
  output wire [1:0] out_leaves_o,                // a wavefront was read

  // {waits for state, interlock, group; failed picks: state, interlock}
  output wire [4:0] count_o,
  output wire park_twice_o                       // both paths fail the interlock
);
  localparam ITEM_W = NAME_W + BANKS + BANKS*DSLOT_W + 2 + WARP_W + 1 + PAYLOAD_W;

  // ---- state of a queue's checked part ------------------------------------------------------------------
  reg [QUEUES-1:0] dry_q, from_commit_q, from_tex_q, has_end_q, has_group_q, tex_q, one_q, taken_q;
  wire [QUEUES-1:0] late;                        // parked, or its head failed its comparison
  assign dry_o = dry_q;

  // ---- fast and state packets ---------------------------------------------------------------------------
  localparam FC_W = $clog2(FAST_Q + 1), SC_W = $clog2(STATE_Q + 1), CC_W = $clog2(COMMIT_FIFO + 1);
  localparam FAST_AW = (FAST_Q > 1) ? $clog2(FAST_Q) : 1, STATE_AW = (STATE_Q > 1) ? $clog2(STATE_Q) : 1;
  wire [AGE_W-1:0] fast_below, state_below, state_open_below;   // the snapshot, less one
  wire fast_some, state_some, state_pop;         // fast_some: the tail of the first fast packet is known
  wire [FC_W-1:0] fast_count;
  wire unused_more;
  wire [SC_W-1:0] state_count;
  wire [PAYLOAD_W-1:0] state_payload;

  // A fast packet may be gone before its tail comes, which is dropped then; what is younger than it is not
  // checked so early.
  wire fast_here;
  wire fast_pop = fast_valid_o && fast_ready_i;
  wire [FC_W-1:0] tail_count;
  reg [1:0] untold_q;                            // packets gone whose tails are to come
  wire before_tail = fast_pop && !fast_some;
  always @(posedge clk_i)
    if (rst_i) untold_q <= 2'd0;
    else untold_q <= untold_q + {1'b0, before_tail} - {1'b0, fast_i && (before_tail || untold_q != 2'd0)};
  tracker_fifo #(.WIDTH(PAYLOAD_W), .DEPTH(FAST_Q)) u_fast (
    .clk_i(clk_i), .rst_i(rst_i), .placed_i(1'b0), .place_i({FAST_AW{1'b0}}),
    .push_i(fast_push_i), .data_i(fast_payload_i), .pop_i(fast_pop),
    .valid_o(fast_here), .data_o(fast_payload_o), .count_o(fast_count),
    .look_i(save_i), .next_i(next_i[3]), .more_o(more_o[3]));
  assign fast_valid_o = fast_here && !closed_i;
  tracker_fifo #(.WIDTH(AGE_W), .DEPTH(FAST_Q)) u_tails (
    .clk_i(clk_i), .rst_i(rst_i), .placed_i(1'b0), .place_i({FAST_AW{1'b0}}),
    .push_i(fast_i && !before_tail && untold_q == 2'd0), .data_i(tail_i - 1'b1),
    .pop_i(fast_pop && fast_some), .valid_o(fast_some), .data_o(fast_below), .count_o(tail_count),
    .look_i(save_i), .next_i(next_i[3]), .more_o(unused_more));
  tracker_fifo #(.WIDTH(2*AGE_W+PAYLOAD_W), .DEPTH(STATE_Q)) u_state (
    .clk_i(clk_i), .rst_i(rst_i), .placed_i(1'b0), .place_i({STATE_AW{1'b0}}),
    .push_i(state_i), .data_i({tail_i - 1'b1, state_open_i - 1'b1, payload_i}),
    .pop_i(state_pop), .valid_o(state_some), .data_o({state_below, state_open_below, state_payload}),
    .count_o(state_count), .look_i(save_i), .next_i(next_i[2]), .more_o(more_o[2]));
  assign {state_below_o, state_open_below_o, state_payload_o, fast_below_o} =
      {state_below, state_open_below, state_payload, fast_below};
  wire unused_counts = &{1'b0, fast_count, tail_count, state_count};
  assign fast_left_o = fast_pop;
  assign state_left_o = state_pop;

  // ---- selectors, one a path ----------------------------------------------------------------------------
  // What leaves its slot in this cycle asks already; its marks are known since it was put there.
  wire [QUEUES-1:0] asks = (has_end_q | (picked_i & slot_end_i)) & ~taken_q & ~late;
  wire [QUEUES-1:0] head_tex = (dry_q & slot_tex_i) | (~dry_q & tex_q);
  wire [QUEUES-1:0] head_one = (dry_q & slot_end_i) | (~dry_q & one_q);
  wire [1:0] pick, pick_one, others, enable, loads;
  wire [QUEUE_W-1:0] pick_queue [0:1];
  wire [QUEUES-1:0] picked [0:1];
  genvar p;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_select
      wire [QUEUES-1:0] mine = (p == 0) ? ~head_tex : head_tex;
      tracker_select #(.QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .GROUPS(GROUPS)) u_select (
        .clk_i(clk_i), .rst_i(rst_i), .request_i(asks & mine), .one_i(head_one), .enable_i(enable[p]),
        .hold_i(pick[p] && !loads[p]), .valid_o(pick[p]), .queue_o(pick_queue[p]), .one_o(pick_one[p]),
        .picked_o(picked[p]), .any_o(others[p]));
    end
  endgenerate

  // ---- A: the entry of what may go next on a path ---------------------------------------------------------
  // What follows up to D is of a path [p], or of a lane [l]: with COMMITS 1 both paths share lane 0 and go in
  // turn, else each has its own.
  localparam LANES = COMMITS, TEX_LANE = LANES - 1;
  reg [1:0] act_q, wait_q, resume_q, run_end_q;
  reg [1:0] try_q, judged_q, is_oldest_q;         // the oldest one is tried: looked up, then judged
  reg [1:0] c_v_q, c_keep_q, c_one_q;             // a pick; it keeps the path; one wavefront
  reg [QUEUE_W-1:0] c_queue_q [0:1];
  reg [NAME_W-1:0] c_entry_q [0:1];
  reg [QUEUE_W-1:0] drain_queue_q [0:1];
  reg [NAME_W-1:0] next_q [0:1];
  reg [2:0] pause_q [0:1];
  reg oldest_ok_q, oldest_tex_q;                  // the queue of the oldest entry has a group end checked
  reg [QUEUE_W-1:0] oldest_queue_q;
  reg [AGE_W-1:0] oldest_q, tried_q;              // tried: the oldest entry when the path looked for it
  always @(posedge clk_i) begin
    oldest_ok_q <= oldest_valid_i && has_group_q[oldest_queue_i] && !taken_q[oldest_queue_i] && !rst_i;
    oldest_queue_q <= oldest_queue_i;
    oldest_tex_q <= oldest_tex_i;
    oldest_q <= oldest_i;
    tried_q <= oldest_q;
  end
  reg [LANES-1:0] d_load_q;                       // of a context: into the FIFO and nothing else
  reg [LANES-1:0] d_v_q, d_path_q, d_end_q, d_state_q, d_run_q, d_newest_q, d_last_end_q, d_last_group_q;
  reg [QUEUE_W-1:0] d_queue_q [0:LANES-1];
  reg [NAME_W-1:0] d_entry_q [0:LANES-1];
  wire [LANES-1:0] d_wave = d_v_q & ~d_state_q & ~d_load_q;
  wire [1:0] d_puts;
  wire [LANES*NAME_W-1:0] link_next;
  wire [1:0] uses_pick;
  reg [POPS-1:0] pop_first;                       // into a queue without a checked entry
  integer n;
  always @*
    for (n = 0; n < POPS; n = n + 1)
      pop_first[n] = pop_i[n] && dry_q[pop_queue_i[n*QUEUE_W+:QUEUE_W]];
  genvar l, m;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_look
      wire [QUEUE_W-1:0] queue = act_q[p] ? drain_queue_q[p] : pick[p] ? pick_queue[p] : oldest_queue_q;
      wire [NAME_W-1:0] head_p;                    // the checked head, as pop and as commit wrote it
      wire [LANES*NAME_W-1:0] head_c;
      tracker_bank_table #(.WIDTH(NAME_W), .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .POPS(POPS)) u_head_p (
        .clk_i(clk_i), .we_i(pop_first), .wqueue_i(pop_queue_i), .wdata_i(pop_entry_i), .rqueue_i(queue),
        .rdata_o(head_p));
      for (l = 0; l < LANES; l = l + 1) begin : g_lane
        tracker_table #(.WIDTH(NAME_W), .DEPTH(QUEUES)) u_head_c (
          .clk_i(clk_i), .we_i(d_wave[l]), .waddr_i(d_queue_q[l]), .wdata_i(link_next[l*NAME_W+:NAME_W]),
          .raddr_i(queue), .rdata_o(head_c[l*NAME_W+:NAME_W]));
      end
      wire [NAME_W-1:0] head = !from_commit_q[queue] ? head_p :
          from_tex_q[queue] ? head_c[TEX_LANE*NAME_W+:NAME_W] : head_c[0+:NAME_W];
      wire free = c_v_q[p] ? uses_pick[p] : !try_q[p];
      assign loads[p] = pick[p] && free;
      always @(posedge clk_i) begin
        if (rst_i) c_v_q[p] <= 1'b0;
        else if (free) c_v_q[p] <= pick[p];
        if (free) begin
          c_queue_q[p] <= queue;
          c_entry_q[p] <= head;
          c_one_q[p] <= one_q[queue];
          c_keep_q[p] <= !(pick_one[p] && others[p]);
        end
      end
    end
  endgenerate

  // ---- I: whose turn it is, and the tests -----------------------------------------------------------------
  reg [1:0] room_q;
  reg state_next_q;                               // a state packet may go; its own I and D not counted
  wire state_goes = state_next_q && room_q[1];
  wire [1:0] d_same;                              // D has a wavefront of this path
  wire [1:0] want, on;                            // on: the path goes in this cycle
  wire [LANES-1:0] lane_path;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_want
      wire may_run = RUNS != 0 || !d_same[p];     // by links: D must have read
      wire wants = act_q[p] ? (wait_q[p] ? resume_q[p] : may_run) : (c_v_q[p] || judged_q[p]);
      assign want[p] = (!closed_i && room_q[p] && wants) ||
                       (p == 1 && (!closed_i || put_state_i) && state_goes);
    end
    if (COMMITS == 1) begin : g_turns
      reg turn_q;
      assign lane_path = want[1] && (!want[0] || turn_q);
      assign on = {|want && lane_path, |want && !lane_path};
      always @(posedge clk_i)
        if (rst_i) turn_q <= 1'b0;
        else if (|want) turn_q <= !lane_path;
    end else begin : g_both
      assign lane_path = 2'b10;
      assign on = want;
    end
  endgenerate
  wire [1:0] i_state = {on[1] && state_goes, 1'b0};
  wire [1:0] i_run = act_q & ~wait_q & ~i_state;
  wire [1:0] i_resume = act_q & wait_q & ~i_state;
  wire [1:0] i_pick = ~act_q & c_v_q & ~i_state;
  wire [1:0] i_try = ~act_q & ~c_v_q & ~i_state;

  // An entry is older than a snapshot when the distance to the entry below it is not negative. Both paths are
  // tested, while it is found out whose turn it is. What runs on was tested in the cycle before, when it
  // became the next one or waited: a test that is passed stays passed. So all are made against the packets of
  // a cycle ago. (While a context is saved, and a cycle longer, the packets shown are not the first ones.)
  reg saved_q, seen_fast_q, seen_state_q, seen_due_q;
  reg [AGE_W-1:0] fast_below_q, state_below_q, state_open_below_q;
  always @(posedge clk_i) begin
    saved_q <= save_i && !rst_i;
    if (rst_i) {seen_fast_q, seen_state_q} <= 2'b00;
    else if (!save_i && !saved_q) {seen_fast_q, seen_state_q} <= {fast_some, state_some};
    if (!save_i && !saved_q)
      {fast_below_q, state_below_q, state_open_below_q, seen_due_q} <=
          {fast_below, state_below, state_open_below, state_due_i};
  end
  wire [NAME_W-1:0] entry [0:1];
  wire [1:0] late_fast, late_state, late_oldest, issues;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_test
      localparam LANE = (p < LANES) ? p : 0;
      assign d_same[p] = d_wave[LANE] && d_path_q[LANE] == (p == 1);
      assign d_puts[p] = d_v_q[LANE] && d_load_q[LANE] && d_path_q[LANE] == (p == 1);
      wire runs = act_q[p] && !wait_q[p];
      assign entry[p] = runs ? next_q[p] : c_entry_q[p];
      wire [AGE_W-1:0] linked = link_next[LANE*NAME_W+AGE_AT+:AGE_W];
      wire [AGE_W-1:0] c_age = c_entry_q[p][AGE_AT+:AGE_W];
      wire [AGE_W-1:0] next_age = (RUNS == 0 && d_same[p]) ? linked : next_q[p][AGE_AT+:AGE_W];
      wire moves_on = RUNS != 0 && issues[p];     // the entry behind what is issued is the next one
      wire c_fast, run_fast;
      tracker_late #(.AGE_W(AGE_W)) u_fast (
        .below_i(fast_below_q), .c_age_i(c_age), .next_age_i(next_age), .runs_i(runs), .moves_on_i(moves_on),
        .c_late_o(c_fast), .run_late_o(run_fast));
      reg run_fast_q;
      always @(posedge clk_i) run_fast_q <= seen_fast_q && run_fast;
      assign late_fast[p] = runs ? run_fast_q : seen_fast_q && c_fast;
      assign late_oldest[p] = !act_q[p] && !c_v_q[p] && !is_oldest_q[p];
      wire unused_ages = &{1'b0, linked};
      if (p == 0) begin : g_no_state
        assign late_state[p] = 1'b0;
      end else begin : g_state
        // A whole instruction starts with a pick, and where a run enters another one.
        wire starts = !act_q[p] && c_v_q[p];
        wire enters_next = d_same[p] && d_end_q[LANE];
        wire c_open, c_state, run_open, run_state;
        tracker_late #(.AGE_W(AGE_W)) u_open (
          .below_i(state_open_below_q), .c_age_i(c_age), .next_age_i(next_age), .runs_i(runs),
          .moves_on_i(moves_on), .c_late_o(c_open), .run_late_o(run_open));
        tracker_late #(.AGE_W(AGE_W)) u_state (
          .below_i(state_below_q), .c_age_i(c_age), .next_age_i(next_age), .runs_i(runs),
          .moves_on_i(moves_on), .c_late_o(c_state), .run_late_o(run_state));
        reg run_open_q, run_state_q;
        always @(posedge clk_i) begin
          run_open_q <= seen_state_q && (seen_due_q || run_open);
          run_state_q <= seen_state_q && (seen_due_q || run_state);
        end
        wire run_late = enters_next ? run_open_q : run_state_q;
        wire c_late = seen_state_q && (seen_due_q || (starts ? c_open : c_state));
        assign late_state[p] = runs ? run_late : c_late;
      end
    end
  endgenerate
  wire [1:0] good = ~(late_fast | late_state | late_oldest);

  // Is it the last one of its queue that was popped, of those with an end, with a group end? D has the answer
  // but for the pop of its own cycle. What is popped now is what I has when that follows the last one popped.
  wire [QUEUE_W-1:0] i_queue [0:1];
  wire [1:0] is_newest, is_last_end, is_last_group;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_last
      localparam LANE = (p < LANES) ? p : 0;
      wire follows_last = act_q[p] && !wait_q[p] && d_same[p] && d_newest_q[LANE];
      wire [NAME_W-1:0] last_popped, last_end, last_group;
      assign i_queue[p] = act_q[p] ? drain_queue_q[p] : c_queue_q[p];
      tracker_bank_table #(.WIDTH(NAME_W), .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .POPS(POPS)) u_last_popped (
        .clk_i(clk_i), .we_i(pop_i), .wqueue_i(pop_queue_i), .wdata_i(pop_entry_i), .rqueue_i(i_queue[p]),
        .rdata_o(last_popped));
      tracker_bank_table #(.WIDTH(NAME_W), .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .POPS(POPS)) u_last_end (
        .clk_i(clk_i), .we_i(pop_i & pop_end_i), .wqueue_i(pop_queue_i), .wdata_i(pop_entry_i),
        .rqueue_i(i_queue[p]), .rdata_o(last_end));
      tracker_bank_table #(.WIDTH(NAME_W), .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .POPS(POPS)) u_last_group (
        .clk_i(clk_i), .we_i(pop_i & pop_group_end_i), .wqueue_i(pop_queue_i), .wdata_i(pop_entry_i),
        .rqueue_i(i_queue[p]), .rdata_o(last_group));
      wire [POPS-1:0] pops_here;
      for (m = 0; m < POPS; m = m + 1) begin : g_here
        assign pops_here[m] = pop_i[m] && pop_queue_i[m*QUEUE_W+:QUEUE_W] == i_queue[p];
      end
      assign is_newest[p] = (|pops_here) ? follows_last : entry[p] == last_popped;
      assign is_last_end[p] = (|(pops_here & pop_end_i)) ? follows_last : entry[p] == last_end;
      assign is_last_group[p] = (|(pops_here & pop_group_end_i)) ? follows_last : entry[p] == last_group;
    end
  endgenerate
  wire [1:0] passes = on & ~i_state & good;

  // ---- D ------------------------------------------------------------------------------------------------
  wire [LANES*(ITEM_W-NAME_W)-1:0] words;
  wire [LANES-1:0] link_end, link_tex, dries, more_ends, more_groups, follows, stop, finishes, stalls;
  wire [1:0] i_end;
  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_lane
      wire [ENTRY_W-1:0] read = save_i ? save_entry_i : put_i ? put_entry_i[ENTRY_W-1:0]
                              : entry[lane_path[l]][ENTRY_W-1:0];
      wire link_near;
      ram_1r1w #(.WIDTH(NAME_W+3), .DEPTH(ENTRIES)) u_links (
        .clk_i(clk_i), .we_i(insert_i && insert_link_i), .waddr_i(insert_before_i[ENTRY_W-1:0]),
        .wdata_i({insert_entry_i, insert_tex_i, insert_end_i,
            insert_entry_i[ENTRY_W-1:0] == insert_before_i[ENTRY_W-1:0] + 1'b1}),
        .raddr_i(read),
        .rdata_o({link_next[l*NAME_W+:NAME_W], link_tex[l], link_end[l], link_near}));
      ram_1r1w #(.WIDTH(ITEM_W-NAME_W), .DEPTH(ENTRIES)) u_payload (
        .clk_i(clk_i), .we_i(wave_i), .waddr_i(wave_entry_i[ENTRY_W-1:0]),
        .wdata_i({wave_used_i, wave_dslots_i, wave_class_i, wave_warp_i, wave_end_i, payload_i}),
        .raddr_i(read), .rdata_o(words[l*(ITEM_W-NAME_W)+:ITEM_W-NAME_W]));
      wire unused_ages = &{1'b0, entry[lane_path[l]], wave_entry_i, insert_before_i};
      wire path = d_path_q[l];
      wire [POPS-1:0] pops_here;
      for (m = 0; m < POPS; m = m + 1) begin : g_here
        assign pops_here[m] = pop_i[m] && pop_queue_i[m*QUEUE_W+:QUEUE_W] == d_queue_q[l];
      end
      assign dries[l] = d_newest_q[l] && ~|pops_here;
      assign more_ends[l] = !d_last_end_q[l] || |(pops_here & pop_end_i);
      assign more_groups[l] = !d_last_group_q[l] || |(pops_here & pop_group_end_i);
      // The next instruction of the queue follows at once, when it is whole, nobody else asks, and its first
      // wavefront passes.
      assign follows[l] = !dries[l] && more_ends[l] && link_near && link_tex[l] == path && !others[path] &&
                          d_run_q[l] && act_q[path] && !wait_q[path] && on[path] && !i_state[path];
      assign stop[l] = dries[l] || (d_end_q[l] && !follows[l]);  // D ends the run
      assign finishes[l] = d_wave[l] && d_end_q[l] && !(follows[l] && passes[path]);
      assign stalls[l] = d_wave[l] && !d_end_q[l] && dries[l];
    end
    for (p = 0; p < 2; p = p + 1) begin : g_issue
      localparam LANE = (p < LANES) ? p : 0;
      assign i_end[p] = i_run[p] ? (d_same[p] ? link_end[LANE] : run_end_q[p]) : c_one_q[p];
      assign issues[p] = passes[p] && !(i_run[p] && d_same[p] && stop[LANE]);
    end
  endgenerate
  assign state_pop = d_v_q[TEX_LANE] && d_state_q[TEX_LANE];

  // ---- selection goes on --------------------------------------------------------------------------------
  // A picked drain of one wavefront leaves its path free; when nobody else asks it tries its neighbour.
  wire [1:0] keeps = ~i_pick | c_keep_q;
  wire [1:0] begins_try;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_enable
      wire may_try = oldest_ok_q && oldest_tex_q == (p == 1);
      assign uses_pick[p] = on[p] && i_pick[p];
      assign begins_try[p] = may_try && !act_q[p] && !pick[p] && !c_v_q[p] && !try_q[p] &&
                             (!others[p] || &pause_q[p]);
      assign enable[p] = !act_q[p] && !try_q[p] && !begins_try[p] && !(may_try && &pause_q[p]) &&
                         !(c_v_q[p] && c_keep_q[p]) && (!pick[p] || (pick_one[p] && others[p]));
    end
  endgenerate

  // Room is reckoned for both cases while the tests go on: packets issued and not read.
  wire [1:0] pops = out_valid_o & out_ready_i;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_room
      reg [CC_W-1:0] held_q;
      wire more = issues[p] || i_state[p] || (put_i && put_path_i == (p == 1));
      wire [CC_W-1:0] held_0 = held_q - {{CC_W-1{1'b0}}, pops[p]};
      wire [CC_W-1:0] held_1 = held_q + {{CC_W-1{1'b0}}, !pops[p]};
      always @(posedge clk_i)
        if (rst_i) begin
          held_q <= {CC_W{1'b0}};
          room_q[p] <= 1'b1;
        end else begin
          held_q <= more ? held_1 : held_0;
          room_q[p] <= more ? held_1 != COMMIT_FIFO[CC_W-1:0] : held_0 != COMMIT_FIFO[CC_W-1:0];
        end
    end
  endgenerate

  generate
    for (l = 0; l < LANES; l = l + 1) begin : g_d
      wire path = lane_path[l];
      wire puts = put_i && (LANES == 1 || put_path_i == (l == 1));
      always @(posedge clk_i) begin
        d_v_q[l] <= !rst_i && (issues[path] || i_state[path] || puts);
        d_path_q[l] <= puts ? put_path_i : path;
        d_load_q[l] <= puts;
        d_state_q[l] <= i_state[path];
        d_run_q[l] <= keeps[path];
        d_queue_q[l] <= i_queue[path];
        d_newest_q[l] <= is_newest[path];
        d_last_end_q[l] <= is_last_end[path];
        d_last_group_q[l] <= is_last_group[path];
        d_entry_q[l] <= puts ? put_entry_i : entry[path];
        d_end_q[l] <= i_end[path];
      end
    end
    for (p = 0; p < 2; p = p + 1) begin : g_drain
      localparam LANE = (p < LANES) ? p : 0;
      always @(posedge clk_i) begin
        if (rst_i) begin
          act_q[p] <= 1'b0;
          wait_q[p] <= 1'b0;
          try_q[p] <= 1'b0;
          judged_q[p] <= 1'b0;
          resume_q[p] <= 1'b0;
        end else begin
          try_q[p] <= begins_try[p] || (try_q[p] && !(on[p] && i_try[p]));
          judged_q[p] <= try_q[p] && !(on[p] && i_try[p]);
          resume_q[p] <= act_q[p] && wait_q[p] && !dry_q[drain_queue_q[p]] && !(on[p] && i_resume[p]);
          if (passes[p] && (i_try[p] || (i_pick[p] && keeps[p]))) act_q[p] <= 1'b1;
          else if (d_same[p] && finishes[LANE]) act_q[p] <= 1'b0;
          if (d_same[p] && stalls[LANE]) wait_q[p] <= 1'b1;
          else if (passes[p] && i_resume[p]) wait_q[p] <= 1'b0;
          if (commit_i) {act_q[p], wait_q[p]} <= {2{drains_i[p]}};
        end
        if (!judged_q[p]) is_oldest_q[p] <= c_entry_q[p][AGE_AT+:AGE_W] == tried_q;
        pause_q[p] <= (rst_i || act_q[p] || try_q[p]) ? 3'd0 : pause_q[p] + {2'd0, !(&pause_q[p])};
        if (commit_i) drain_queue_q[p] <= drains_i[2+p*QUEUE_W+:QUEUE_W];
        else if (!act_q[p]) drain_queue_q[p] <= c_queue_q[p];
        if (RUNS != 0) begin
          if (issues[p]) next_q[p] <= entry[p] + 1'b1;
        end else if (d_same[p]) next_q[p] <= link_next[LANE*NAME_W+:NAME_W];
        if (d_same[p]) run_end_q[p] <= link_end[LANE];
      end
    end
  endgenerate
  always @(posedge clk_i)
    state_next_q <= !rst_i && state_due_i && state_some && !state_pop && !i_state[1];

  // ---- queues -------------------------------------------------------------------------------------------
  // What a test in I has found of a queue is written a cycle later: a pick failed, or what would have
  // followed an end of instruction. One that is tried is taken once it was found to be that of the oldest
  // entry.
  wire [1:0] tries = judged_q & is_oldest_q;
  wire [1:0] fails = on & (i_pick | (i_try & tries)) & ~good;
  reg [1:0] fail_q, park_q;
  reg [QUEUE_W-1:0] fail_queue_q [0:1];
  reg [LANES-1:0] done_q;
  reg [QUEUE_W-1:0] done_queue_q [0:LANES-1];
  integer f;
  always @(posedge clk_i) begin
    fail_q <= fails & {2{!rst_i}};
    park_q <= fails & i_pick;
    for (f = 0; f < 2; f = f + 1) fail_queue_q[f] <= c_queue_q[f];
    done_q <= finishes & follows & {LANES{!rst_i}};
    for (f = 0; f < LANES; f = f + 1) done_queue_q[f] <= d_queue_q[f];
  end
  assign drains_o = {drain_queue_q[1], drain_queue_q[0], act_q};
  wire [LANES-1:0] ends = d_wave & d_end_q & ~follows;
  wire [QUEUES-1:0] comes;                       // held by a drain of a context
  wire [QUEUES-1:0] enters, leaves_0, leaves_1, takes, gives;  // popped, left by lane, taken, given back
  genvar h;
  generate
    for (h = 0; h < QUEUES; h = h + 1) begin : g_queue
      localparam [QUEUE_W-1:0] ME = h;
      assign enters[h] = pop_i[h%POPS] && pop_queue_i[(h%POPS)*QUEUE_W+:QUEUE_W] == ME;
      assign leaves_0[h] = d_wave[0] && d_queue_q[0] == ME;
      assign leaves_1[h] = LANES == 2 && d_wave[TEX_LANE] && d_queue_q[TEX_LANE] == ME;
      assign comes[h] = commit_i && ((drains_i[0] && drains_i[2+:QUEUE_W] == ME) ||
                                     (drains_i[1] && drains_i[2+QUEUE_W+:QUEUE_W] == ME));
      assign takes[h] = comes[h] || picked[0][h] || picked[1][h] || (tries[0] && c_queue_q[0] == ME) ||
                        (tries[1] && c_queue_q[1] == ME);
      assign gives[h] = (ends[0] && leaves_0[h]) || (ends[TEX_LANE] && leaves_1[h]) ||
                        (done_q[0] && done_queue_q[0] == ME) ||
                        (done_q[TEX_LANE] && done_queue_q[TEX_LANE] == ME) ||
                        (fail_q[0] && fail_queue_q[0] == ME) || (fail_q[1] && fail_queue_q[1] == ME);
    end
  endgenerate
  wire [LANES-1:0] last_ends = d_end_q & ~more_ends;
  integer r;
  always @(posedge clk_i)
    for (r = 0; r < QUEUES; r = r + 1)
      if (rst_i) begin
        dry_q[r] <= 1'b1;
        from_commit_q[r] <= 1'b0;
        from_tex_q[r] <= 1'b0;
        has_end_q[r] <= 1'b0;
        has_group_q[r] <= 1'b0;
        tex_q[r] <= 1'b0;
        one_q[r] <= 1'b0;
        taken_q[r] <= 1'b0;
      end else begin
        if (enters[r] && dry_q[r]) begin
          dry_q[r] <= 1'b0;
          from_commit_q[r] <= 1'b0;
          tex_q[r] <= pop_tex_i[r%POPS];
          one_q[r] <= pop_end_i[r%POPS];
        end else if (leaves_0[r] || leaves_1[r]) begin
          dry_q[r] <= leaves_0[r] ? dries[0] : dries[TEX_LANE];
          from_commit_q[r] <= 1'b1;
          from_tex_q[r] <= leaves_1[r];
          tex_q[r] <= leaves_0[r] ? link_tex[0] : link_tex[TEX_LANE];
          one_q[r] <= leaves_0[r] ? link_end[0] : link_end[TEX_LANE];
        end
        if (enters[r] && pop_end_i[r%POPS]) has_end_q[r] <= 1'b1;
        else if ((leaves_0[r] && last_ends[0]) || (leaves_1[r] && last_ends[TEX_LANE])) has_end_q[r] <= 1'b0;
        if (enters[r] && pop_group_end_i[r%POPS]) has_group_q[r] <= 1'b1;
        else if ((leaves_0[r] && !more_groups[0]) || (leaves_1[r] && !more_groups[TEX_LANE]))
          has_group_q[r] <= 1'b0;
        if (takes[r]) taken_q[r] <= 1'b1;
        else if (gives[r]) taken_q[r] <= 1'b0;
      end

  generate
    if (INTERLOCK == 0) begin : g_single
      reg release_q, released_q;                   // for two cycles: what was tested meanwhile is not parked
      reg [QUEUES-1:0] parked_q;
      integer k;
      always @(posedge clk_i) begin
        release_q <= (fast_pop || state_pop) && !rst_i;
        released_q <= release_q && !rst_i;
        for (k = 0; k < QUEUES; k = k + 1)
          if (rst_i || release_q || released_q) parked_q[k] <= 1'b0;
          else if (fail_q[0] && park_q[0] && fail_queue_q[0] == k[QUEUE_W-1:0]) parked_q[k] <= 1'b1;
          else if (fail_q[1] && park_q[1] && fail_queue_q[1] == k[QUEUE_W-1:0]) parked_q[k] <= 1'b1;
      end
      assign late = parked_q;
    end else begin : g_per_queue
      wire unused_park = &{1'b0, park_q};        // nothing is parked
      localparam SIGN = AGE_W - 1;               // of a distance between ages
      for (h = 0; h < QUEUES; h = h + 1) begin : g_head
        reg [NAME_W-1:0] head_q;                   // the checked head
        reg late_q;
        wire [AGE_W-1:0] to_fast = fast_below - head_q[AGE_AT+:AGE_W];
        wire [AGE_W-1:0] to_open = state_open_below - head_q[AGE_AT+:AGE_W];
        wire unused_distances = &{1'b0, to_fast, to_open, head_q};
        wire fast_waits = fast_some && to_fast[SIGN];
        wire state_waits = tex_q[h] && state_some && (state_due_i || to_open[SIGN]);
        always @(posedge clk_i) begin
          if (enters[h] && dry_q[h]) head_q <= pop_entry_i[(h%POPS)*NAME_W+:NAME_W];
          else if (leaves_0[h]) head_q <= link_next[0+:NAME_W];
          else if (leaves_1[h]) head_q <= link_next[TEX_LANE*NAME_W+:NAME_W];
          if (rst_i) late_q <= 1'b0;
          else if (!save_i && !saved_q) late_q <= !dry_q[h] && (fast_waits || state_waits);
        end
        assign late[h] = late_q;
      end
    end
  endgenerate

  // ---- commit FIFOs -------------------------------------------------------------------------------------
  wire [ITEM_W:0] out_1;
  wire [ITEM_W-1:0] out_0;
  wire [1:0] some;
  wire [CC_W-1:0] lg_count, tex_count;
  wire unused_fill = &{1'b0, lg_count, tex_count};
  wire [ITEM_W-1:0] item_0 = {d_entry_q[0], words[0+:ITEM_W-NAME_W]};
  wire [ITEM_W-1:0] item_1 = {d_entry_q[TEX_LANE], words[TEX_LANE*(ITEM_W-NAME_W)+:ITEM_W-NAME_W]};
  wire [ITEM_W-1:0] state_item = {{ITEM_W-PAYLOAD_W{1'b0}}, state_payload};
  tracker_fifo #(.WIDTH(ITEM_W), .DEPTH(COMMIT_FIFO)) u_lg (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(d_same[0] || d_puts[0]), .placed_i(load_i), .place_i(put_place_i),
    .data_i(item_0), .pop_i(pops[0]),
    .valid_o(some[0]),
    .data_o(out_0), .count_o(lg_count), .look_i(save_i), .next_i(next_i[0]), .more_o(more_o[0]));
  tracker_fifo #(.WIDTH(ITEM_W+1), .DEPTH(COMMIT_FIFO)) u_tex (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(d_same[1] || d_puts[1] || state_pop), .placed_i(load_i),
    .place_i(put_place_i),
    .data_i(state_pop ? {1'b1, state_item} : {1'b0, item_1}),
    .pop_i(pops[1]), .valid_o(some[1]), .data_o(out_1), .count_o(tex_count), .look_i(save_i),
    .next_i(next_i[1]), .more_o(more_o[1]));
  assign out_valid_o = some & leave_room_i & {2{!closed_i}};
  assign moves_o = |d_v_q;
  assign work_o = |some || fast_here || state_some;
  assign would_o = |(some & leave_room_i & out_ready_i) || (fast_here && fast_ready_i);
  assign blocked_o = |(some & ~out_ready_i) || (fast_here && !fast_ready_i);
  assign {out_entry_o[0+:NAME_W], out_used_o[0+:BANKS], out_dslots_o[0+:BANKS*DSLOT_W], out_class_o[1:0],
          out_warp_o[0+:WARP_W], out_end_o[0], out_payload_o[0+:PAYLOAD_W]} = out_0;
  assign {out_state_o, out_entry_o[NAME_W+:NAME_W], out_used_o[BANKS+:BANKS],
      out_dslots_o[BANKS*DSLOT_W+:BANKS*DSLOT_W],
          out_class_o[3:2], out_warp_o[WARP_W+:WARP_W], out_end_o[1],
              out_payload_o[PAYLOAD_W+:PAYLOAD_W]} = out_1;
  assign out_leaves_o = pops & {!out_state_o, 1'b1};

  assign save_words_o = words[0+:ITEM_W-NAME_W];

  wire [1:0] waits = on & ~i_pick & ~i_try & ~i_state;
  wire [1:0] parks_fast = on & i_pick & ~late_state & late_fast;
  assign count_o = {waits[1] && late_state[1], |(waits & ~late_state & late_fast), |(act_q & wait_q),
                    on[1] && i_pick[1] && late_state[1], |parks_fast};
  assign park_twice_o = &parks_fast;
endmodule

`default_nettype wire
