// SPDX-License-Identifier: Apache-2.0
// tracker_commit: checked queues, commit selectors, commit FIFOs (TR-8 to TR-12, TR-14). A queue whose
// checked part holds an end of instruction asks the selector of its head's path; the oldest wavefront of all
// asks apart when its group is checked. A finds the entry of what may go next on each path. One commit a
// cycle: I tests ages, takes turns and reads, D writes the FIFO of the path. A drain runs on at the
// neighbour; D says whether what was issued behind it may stay. A queue that fails a test is parked until a
// state or fast packet leaves; or each queue has a comparison of its own (INTERLOCK 1) and asks only when its
// head passed it a cycle ago. Reset: all queues empty.
`default_nettype none

module tracker_commit #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter ENTRIES = 512,
  parameter PTR_W = 10,
  parameter BANKS = 4,
  parameter DSLOT_W = 8,
  parameter WARP_W = 6,
  parameter PAYLOAD_W = 64,
  parameter COMMIT_FIFO = 8,
  parameter STATE_Q = 16,
  parameter FAST_Q = 16,
  parameter GROUPS = 8,
  parameter INTERLOCK = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  // I2: contents of the pool, state packets, fast packets
  input  wire wave_i,
  input  wire [PTR_W-1:0] wave_entry_i,
  input  wire [BANKS-1:0] wave_used_i,
  input  wire [BANKS*DSLOT_W-1:0] wave_dslots_i,
  input  wire [1:0] wave_class_i,
  input  wire [WARP_W-1:0] wave_warp_i,
  input  wire wave_end_i,
  input  wire [PAYLOAD_W-1:0] payload_i,
  input  wire [PTR_W-1:0] tail_i,
  input  wire state_i,
  input  wire [PTR_W-1:0] state_open_i,
  input  wire fast_i,                            // the tail of a fast packet, three cycles after it
  input  wire fast_push_i,
  input  wire [PAYLOAD_W-1:0] fast_payload_i,

  input  wire insert_i,
  input  wire [PTR_W-1:0] insert_entry_i,
  input  wire [PTR_W-1:0] insert_before_i,
  input  wire insert_tex_i,
  input  wire insert_end_i,
  input  wire insert_link_i,

  input  wire pop_i,
  input  wire [QUEUE_W-1:0] pop_queue_i,
  input  wire [PTR_W-1:0] pop_entry_i,
  input  wire pop_tex_i,
  input  wire pop_end_i,
  input  wire pop_group_end_i,
  input  wire [QUEUES-1:0] picked_i,             // the queue whose slot is popped; marks of what is in slots
  input  wire [QUEUES-1:0] slot_end_i,
  input  wire [QUEUES-1:0] slot_tex_i,
  output wire [QUEUES-1:0] dry_o,                // no checked entry

  input  wire oldest_valid_i,
  input  wire [PTR_W-1:0] oldest_i,
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
  output wire [2*PTR_W-1:0] out_entry_o,
  output wire [2*BANKS-1:0] out_used_o,
  output wire [2*BANKS*DSLOT_W-1:0] out_dslots_o,
  output wire [3:0] out_class_o,
  output wire [2*WARP_W-1:0] out_warp_o,
  output wire [1:0] out_end_o,
  output wire [2*PAYLOAD_W-1:0] out_payload_o,
  output wire out_state_o,
  output wire [1:0] out_leaves_o,                // a wavefront was read

  // {waits for state, interlock, group; failed picks: state, interlock}
  output wire [4:0] count_o
);
  localparam ENTRY_W = PTR_W - 1;
  localparam ITEM_W = PTR_W + BANKS + BANKS*DSLOT_W + 2 + WARP_W + 1 + PAYLOAD_W;

  // ---- state of a queue's checked part ------------------------------------------------------------------
  reg [QUEUES-1:0] dry_q, from_commit_q, has_end_q, has_group_q, tex_q, one_q, taken_q;
  wire [QUEUES-1:0] late;                        // parked, or its head failed its comparison
  assign dry_o = dry_q;

  // ---- fast and state packets ---------------------------------------------------------------------------
  localparam FC_W = $clog2(FAST_Q + 1), SC_W = $clog2(STATE_Q + 1), CC_W = $clog2(COMMIT_FIFO + 1);
  wire [PTR_W-1:0] fast_below, state_below, state_open_below;   // the snapshot, less one
  wire fast_some, state_some, state_pop;         // fast_some: the tail of the first fast packet is known
  wire [FC_W-1:0] fast_count;
  wire [SC_W-1:0] state_count;
  wire [PAYLOAD_W-1:0] state_payload;

  // A fast packet may be gone before its tail comes, which is dropped then; what is younger than it is not
  // checked so early.
  wire fast_pop = fast_valid_o && fast_ready_i;
  wire [FC_W-1:0] tail_count;
  reg [1:0] untold_q;                            // packets gone whose tails are to come
  wire before_tail = fast_pop && !fast_some;
  always @(posedge clk_i)
    if (rst_i) untold_q <= 2'd0;
    else untold_q <= untold_q + {1'b0, before_tail} - {1'b0, fast_i && (before_tail || untold_q != 2'd0)};
  tracker_fifo #(.WIDTH(PAYLOAD_W), .DEPTH(FAST_Q)) u_fast (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(fast_push_i), .data_i(fast_payload_i), .pop_i(fast_pop),
    .valid_o(fast_valid_o), .data_o(fast_payload_o), .count_o(fast_count));
  tracker_fifo #(.WIDTH(PTR_W), .DEPTH(FAST_Q)) u_tails (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(fast_i && !before_tail && untold_q == 2'd0), .data_i(tail_i - 1'b1),
    .pop_i(fast_pop && fast_some), .valid_o(fast_some), .data_o(fast_below), .count_o(tail_count));
  tracker_fifo #(.WIDTH(2*PTR_W+PAYLOAD_W), .DEPTH(STATE_Q)) u_state (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(state_i), .data_i({tail_i - 1'b1, state_open_i - 1'b1, payload_i}),
    .pop_i(state_pop), .valid_o(state_some), .data_o({state_below, state_open_below, state_payload}),
    .count_o(state_count));
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
  reg [1:0] act_q, wait_q, resume_q, run_end_q, try_q;
  reg [1:0] c_v_q, c_keep_q, c_one_q, c_ok_q;     // a pick; it keeps the path; one wavefront; it may be tried
  reg [QUEUE_W-1:0] c_queue_q [0:1];
  reg [PTR_W-1:0] c_entry_q [0:1];
  reg [QUEUE_W-1:0] drain_queue_q [0:1];
  reg [PTR_W-1:0] next_q [0:1];
  reg [2:0] pause_q [0:1];
  reg turn_q;
  reg oldest_ok_q, oldest_tex_q;                  // the queue of the oldest entry has a group end checked
  reg [QUEUE_W-1:0] oldest_queue_q;
  reg [PTR_W-1:0] oldest_q, tried_q;              // tried: the oldest entry when the path looked for it
  always @(posedge clk_i) begin
    oldest_ok_q <= oldest_valid_i && has_group_q[oldest_queue_i] && !taken_q[oldest_queue_i] && !rst_i;
    oldest_queue_q <= oldest_queue_i;
    oldest_tex_q <= oldest_tex_i;
    oldest_q <= oldest_i;
    tried_q <= oldest_q;
  end
  reg d_v_q, d_path_q, d_end_q, d_state_q, d_run_q;
  reg [QUEUE_W-1:0] d_queue_q;
  reg [PTR_W-1:0] d_entry_q;
  wire [PTR_W-1:0] link_next;
  wire d_wave = d_v_q && !d_state_q;
  wire [1:0] uses_pick;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_look
      wire [QUEUE_W-1:0] queue = act_q[p] ? drain_queue_q[p] : pick[p] ? pick_queue[p] : oldest_queue_q;
      wire [PTR_W-1:0] head_p, head_c;            // the checked head, as pop and as commit wrote it
      tracker_table #(.WIDTH(PTR_W), .DEPTH(QUEUES)) u_head_p (
        .clk_i(clk_i), .we_i(pop_i && dry_q[pop_queue_i]), .waddr_i(pop_queue_i), .wdata_i(pop_entry_i),
        .raddr_i(queue), .rdata_o(head_p));
      tracker_table #(.WIDTH(PTR_W), .DEPTH(QUEUES)) u_head_c (
        .clk_i(clk_i), .we_i(d_wave), .waddr_i(d_queue_q), .wdata_i(link_next), .raddr_i(queue),
        .rdata_o(head_c));
      wire free = !c_v_q[p] || uses_pick[p];
      assign loads[p] = pick[p] && free;
      always @(posedge clk_i) begin
        if (rst_i) c_v_q[p] <= 1'b0;
        else if (free) c_v_q[p] <= pick[p];
        if (free) begin
          c_queue_q[p] <= queue;
          c_entry_q[p] <= from_commit_q[queue] ? head_c : head_p;
          c_one_q[p] <= one_q[queue];
          c_keep_q[p] <= !(pick_one[p] && others[p]);
        end
        c_ok_q[p] <= oldest_ok_q && oldest_tex_q == (p == 1);
      end
    end
  endgenerate

  // ---- I: whose turn it is, and the tests -----------------------------------------------------------------
  reg [1:0] room_q;
  reg state_next_q;                               // a state packet may go; its own I and D not counted
  wire state_goes = state_next_q && room_q[1];
  wire [1:0] want;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_want
      assign want[p] = (room_q[p] && (act_q[p] ? (!wait_q[p] || resume_q[p]) : (c_v_q[p] || try_q[p]))) ||
                       (p == 1 && state_goes);
    end
  endgenerate
  wire path = want[1] && (!want[0] || turn_q);    // of this cycle
  wire goes = |want;
  wire i_state = path && state_goes;
  wire i_act = act_q[path];
  wire i_run = i_act && !wait_q[path] && !i_state;
  wire i_resume = i_act && wait_q[path] && !i_state;
  wire i_pick = !i_act && c_v_q[path] && !i_state;
  wire i_try = !i_act && !c_v_q[path] && !i_state;
  wire [QUEUE_W-1:0] i_queue = i_act ? drain_queue_q[path] : c_queue_q[path];

  // An entry is older than a snapshot when the distance to the entry below it is not negative. Both paths are
  // tested, while it is found out whose turn it is.
  wire [PTR_W-1:0] entry [0:1];
  wire [1:0] late_fast, late_state, late_oldest;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_test
      wire runs = act_q[p] && !wait_q[p];
      assign entry[p] = runs ? next_q[p] : c_entry_q[p];
      wire [PTR_W-1:0] to_fast = fast_below - entry[p];
      assign late_fast[p] = fast_some && to_fast[ENTRY_W];
      assign late_oldest[p] = !act_q[p] && !c_v_q[p] && (c_entry_q[p] != tried_q || !c_ok_q[p]);
      wire unused_distance = &{1'b0, to_fast};
      if (p == 0) begin : g_no_state
        assign late_state[p] = 1'b0;
      end else begin : g_state
        // A whole instruction starts with a pick, and where a run enters another one.
        wire starts = (!act_q[p] && c_v_q[p]) || (runs && d_wave && d_path_q && d_end_q);
        wire [PTR_W-1:0] to_open = state_open_below - entry[p];
        wire [PTR_W-1:0] to_state = state_below - entry[p];
        assign late_state[p] = state_some && (state_due_i || (starts ? to_open[ENTRY_W] : to_state[ENTRY_W]));
        wire unused_distances = &{1'b0, to_open, to_state};
      end
    end
  endgenerate
  wire [PTR_W-1:0] i_entry = entry[path];
  wire [1:0] good = ~(late_fast | late_state | late_oldest);
  wire fails_fast = late_fast[path];
  wire fails_state = late_state[path];
  wire passes = goes && !i_state && good[path];
  wire d_same = d_wave && d_path_q == path;
  wire link_end;
  wire i_end = i_run ? (d_same ? link_end : run_end_q[path]) : c_one_q[path];

  // ---- D ------------------------------------------------------------------------------------------------
  wire [PTR_W-1:0] last_popped, last_end, last_group;
  wire link_tex, link_near;
  wire [ITEM_W-PTR_W-1:0] words;
  ram_1r1w #(.WIDTH(PTR_W+3), .DEPTH(ENTRIES)) u_links (
    .clk_i(clk_i), .we_i(insert_i && insert_link_i), .waddr_i(insert_before_i[ENTRY_W-1:0]),
    .wdata_i({insert_entry_i, insert_tex_i, insert_end_i,
        insert_entry_i[ENTRY_W-1:0] == insert_before_i[ENTRY_W-1:0] + 1'b1}),
    .raddr_i(i_entry[ENTRY_W-1:0]), .rdata_o({link_next, link_tex, link_end, link_near}));
  ram_1r1w #(.WIDTH(ITEM_W-PTR_W), .DEPTH(ENTRIES)) u_payload (
    .clk_i(clk_i), .we_i(wave_i), .waddr_i(wave_entry_i[ENTRY_W-1:0]),
    .wdata_i({wave_used_i, wave_dslots_i, wave_class_i, wave_warp_i, wave_end_i, payload_i}),
    .raddr_i(i_entry[ENTRY_W-1:0]), .rdata_o(words));
  tracker_table #(.WIDTH(PTR_W), .DEPTH(QUEUES)) u_last_popped (
    .clk_i(clk_i), .we_i(pop_i), .waddr_i(pop_queue_i), .wdata_i(pop_entry_i), .raddr_i(d_queue_q),
        .rdata_o(last_popped));
  tracker_table #(.WIDTH(PTR_W), .DEPTH(QUEUES)) u_last_end (
    .clk_i(clk_i), .we_i(pop_i && pop_end_i), .waddr_i(pop_queue_i), .wdata_i(pop_entry_i),
        .raddr_i(d_queue_q),
    .rdata_o(last_end));
  tracker_table #(.WIDTH(PTR_W), .DEPTH(QUEUES)) u_last_group (
    .clk_i(clk_i), .we_i(pop_i && pop_group_end_i), .waddr_i(pop_queue_i), .wdata_i(pop_entry_i),
        .raddr_i(d_queue_q),
    .rdata_o(last_group));
  wire unused_wraps = &{1'b0, wave_entry_i[ENTRY_W], insert_before_i[ENTRY_W]};
  wire pops_here = pop_i && pop_queue_i == d_queue_q;
  wire dries = d_entry_q == last_popped && !pops_here;
  wire more_ends = d_entry_q != last_end || (pops_here && pop_end_i);
  wire more_groups = d_entry_q != last_group || (pops_here && pop_group_end_i);
  // The next instruction of the queue follows at once, when it is whole, nobody else asks, and its first
  // wavefront passes.
  wire follows = !dries && more_ends && link_near && link_tex == d_path_q && !others[d_path_q] && d_run_q &&
                 act_q[d_path_q] && !wait_q[d_path_q] && goes && !i_state && path == d_path_q;
  wire stop = dries || (d_end_q && !follows);     // D ends the run
  wire issues = passes && !(i_run && d_same && stop);
  wire finishes = d_wave && d_end_q && !(follows && passes);
  wire stalls = d_wave && !d_end_q && dries;
  assign state_pop = d_v_q && d_state_q;

  // ---- selection goes on --------------------------------------------------------------------------------
  // A picked drain of one wavefront leaves its path free; when nobody else asks it tries its neighbour.
  wire [1:0] on = {goes && path, goes && !path};
  wire keeps = !(i_pick && !c_keep_q[path]);
  wire [1:0] begins_try;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_enable
      wire may_try = oldest_ok_q && oldest_tex_q == (p == 1);
      assign uses_pick[p] = on[p] && i_pick;
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
      wire more = on[p] && (issues || i_state);
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

  integer k;
  always @(posedge clk_i) begin
    if (rst_i) begin
      act_q <= 2'b00;
      wait_q <= 2'b00;
      try_q <= 2'b00;
      resume_q <= 2'b00;
      state_next_q <= 1'b0;
      turn_q <= 1'b0;
      d_v_q <= 1'b0;
    end else begin
      if (goes) turn_q <= !path;
      state_next_q <= state_due_i && state_some && !(d_v_q && d_state_q) && !i_state;
      d_v_q <= issues || (goes && i_state);
      for (k = 0; k < 2; k = k + 1) begin
        try_q[k] <= begins_try[k] || (try_q[k] && !(on[k] && i_try));
        resume_q[k] <= act_q[k] && wait_q[k] && !dry_q[drain_queue_q[k]] && !(on[k] && i_resume);
        if (on[k] && passes && (i_try || (i_pick && keeps))) act_q[k] <= 1'b1;
        else if (finishes && d_path_q == (k == 1)) act_q[k] <= 1'b0;
        if (stalls && d_path_q == (k == 1)) wait_q[k] <= 1'b1;
        else if (on[k] && passes && i_resume) wait_q[k] <= 1'b0;
      end
    end
    for (k = 0; k < 2; k = k + 1) begin
      pause_q[k] <= (rst_i || act_q[k] || try_q[k]) ? 3'd0 : pause_q[k] + {2'd0, !(&pause_q[k])};
      if (!act_q[k]) drain_queue_q[k] <= c_queue_q[k];
      if (on[k] && issues) next_q[k] <= i_entry + 1'b1;
      if (d_wave && d_path_q == (k == 1)) run_end_q[k] <= link_end;
    end
    d_path_q <= path;
    d_state_q <= i_state;
    d_run_q <= !(i_pick && !keeps);
    d_queue_q <= i_queue;
    d_entry_q <= i_entry;
    d_end_q <= i_end;
  end

  // ---- queues -------------------------------------------------------------------------------------------
  wire tries = passes && i_try;
  wire fails = goes && i_pick && !good[path];
  integer q;
  always @(posedge clk_i)
    for (q = 0; q < QUEUES; q = q + 1)
      if (rst_i) begin
        dry_q[q] <= 1'b1;
        from_commit_q[q] <= 1'b0;
        has_end_q[q] <= 1'b0;
        has_group_q[q] <= 1'b0;
        tex_q[q] <= 1'b0;
        one_q[q] <= 1'b0;
        taken_q[q] <= 1'b0;
      end else begin
        if (pop_i && pop_queue_i == q[QUEUE_W-1:0] && dry_q[q]) begin
          dry_q[q] <= 1'b0;
          from_commit_q[q] <= 1'b0;
          tex_q[q] <= pop_tex_i;
          one_q[q] <= pop_end_i;
        end else if (d_wave && d_queue_q == q[QUEUE_W-1:0]) begin
          dry_q[q] <= dries;
          from_commit_q[q] <= 1'b1;
          tex_q[q] <= link_tex;
          one_q[q] <= link_end;
        end
        if (pop_i && pop_end_i && pop_queue_i == q[QUEUE_W-1:0]) has_end_q[q] <= 1'b1;
        else if (d_wave && d_end_q && !more_ends && d_queue_q == q[QUEUE_W-1:0]) has_end_q[q] <= 1'b0;
        if (pop_i && pop_group_end_i && pop_queue_i == q[QUEUE_W-1:0]) has_group_q[q] <= 1'b1;
        else if (d_wave && !more_groups && d_queue_q == q[QUEUE_W-1:0]) has_group_q[q] <= 1'b0;
        if (picked[0][q] || picked[1][q] || (tries && c_queue_q[path] == q[QUEUE_W-1:0])) taken_q[q] <= 1'b1;
        else if ((finishes && d_queue_q == q[QUEUE_W-1:0]) || (fails && c_queue_q[path] == q[QUEUE_W-1:0]))
          taken_q[q] <= 1'b0;
      end

  generate
    if (INTERLOCK == 0) begin : g_single
      reg release_q;
      reg [QUEUES-1:0] parked_q;
      integer r;
      always @(posedge clk_i) begin
        release_q <= (fast_pop || state_pop) && !rst_i;
        for (r = 0; r < QUEUES; r = r + 1)
          if (rst_i || release_q) parked_q[r] <= 1'b0;
          else if (fails && c_queue_q[path] == r[QUEUE_W-1:0]) parked_q[r] <= 1'b1;
      end
      assign late = parked_q;
    end else begin : g_per_queue
      genvar h;
      for (h = 0; h < QUEUES; h = h + 1) begin : g_head
        localparam [QUEUE_W-1:0] ME = h;
        reg [PTR_W-1:0] head_q;                   // the checked head
        reg late_q;
        wire [PTR_W-1:0] to_fast = fast_below - head_q;
        wire [PTR_W-1:0] to_open = state_open_below - head_q;
        wire unused_distances = &{1'b0, to_fast, to_open};
        wire late_fast = fast_some && to_fast[ENTRY_W];
        wire late_state = tex_q[h] && state_some && (state_due_i || to_open[ENTRY_W]);
        always @(posedge clk_i) begin
          if (pop_i && pop_queue_i == ME && dry_q[h]) head_q <= pop_entry_i;
          else if (d_wave && d_queue_q == ME) head_q <= link_next;
          late_q <= !rst_i && !dry_q[h] && (late_fast || late_state);
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
  wire [ITEM_W-1:0] item = {d_entry_q, words};
  wire [ITEM_W-1:0] state_item = {{ITEM_W-PAYLOAD_W{1'b0}}, state_payload};
  tracker_fifo #(.WIDTH(ITEM_W), .DEPTH(COMMIT_FIFO)) u_lg (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(d_wave && !d_path_q), .data_i(item), .pop_i(pops[0]),
        .valid_o(some[0]),
    .data_o(out_0), .count_o(lg_count));
  tracker_fifo #(.WIDTH(ITEM_W+1), .DEPTH(COMMIT_FIFO)) u_tex (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(d_v_q && d_path_q), .data_i(d_state_q ? {1'b1, state_item} : {
        1'b0, item}),
    .pop_i(pops[1]), .valid_o(some[1]), .data_o(out_1), .count_o(tex_count));
  assign out_valid_o = some & leave_room_i;
  assign {out_entry_o[0+:PTR_W], out_used_o[0+:BANKS], out_dslots_o[0+:BANKS*DSLOT_W], out_class_o[1:0],
          out_warp_o[0+:WARP_W], out_end_o[0], out_payload_o[0+:PAYLOAD_W]} = out_0;
  assign {out_state_o, out_entry_o[PTR_W+:PTR_W], out_used_o[BANKS+:BANKS],
      out_dslots_o[BANKS*DSLOT_W+:BANKS*DSLOT_W],
          out_class_o[3:2], out_warp_o[WARP_W+:WARP_W], out_end_o[1],
              out_payload_o[PAYLOAD_W+:PAYLOAD_W]} = out_1;
  assign out_leaves_o = pops & {!out_state_o, 1'b1};

  wire waits = goes && !i_pick && !i_try && !i_state;
  assign count_o = {waits && fails_state, waits && !fails_state && fails_fast, |(act_q & wait_q),
                    goes && i_pick && fails_state, goes && i_pick && !fails_state && fails_fast};
endmodule

`default_nettype wire
