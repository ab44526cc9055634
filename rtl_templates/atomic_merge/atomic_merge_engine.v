// SPDX-License-Identifier: Apache-2.0
// atomic_merge_engine: what is not one request: the arrival of a line with its merges and the requests that
// waited for it, the departure of a line by snoop, eviction or flush; and the home and release channels. It
// has the arrays and tables while it does not run idle (runs_o), after what is in the pipeline has come
// through. Reset: nothing under way, the errors cleared.
`default_nettype none

module atomic_merge_engine #(
  parameter LINE_LG = 6,         // base-2 logarithm of the bytes of a line
  parameter BEATS = 2,           // beats of a line, 1 or more
  parameter LANES = 8,           // words of a beat, as MERGE_LANES
  parameter TID_W = 10,          // width of a thread id; 1..16 bits
  parameter LINE_AW = 26,        // bits of a line address
  parameter PLACE_W = 5,         // bits of a line's place: set and way
  parameter WAY_W = 2,           // bits of the number of a way
  parameter MISS_W = 3,          // bits of the number of a miss
  parameter WHICH_W = 1,         // bits of which temporary line of its miss it is
  parameter EVENT_W = 7,         // bits of an event: entry of the stall buffer, or temporary line
  parameter SLOT_W = 3,          // bits of the number of a slot: a list with the line before its merge
  parameter TEMP_W = 4,          // bits of the number of a temporary line, or of its row
  parameter COUNT_W = 5,         // bits of a count of beats
  parameter STAGES = 4,          // of the pipeline but for the last
  parameter APART = 0,           // not 0: operations of the unit are built
  parameter [31:0] KEEP = 32'd0  // operations whose requests are parked with their operands
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire home_valid_i,             // a beat of a fill, or a snoop. Beats of one fill follow each other.
  output wire home_ready_o,             // the beat or snoop is taken
  input  wire home_snoop_i,             // 0 beat of a fill, 1 snoop: the line is to be released
  input  wire [MISS_W-1:0] home_tag_i,  // of a fill: the tag of its fetch, in every beat
  input  wire home_error_i,             // of a fill: there is no such line. The only beat then.
  // Of a snoop: the line address. A line that is not here is on its way back already.
  input  wire [LINE_AW-1:0] home_line_i,
  input  wire [32*LANES-1:0] home_data_i,  // of a fill: data, the line's first words in the first beat
  output wire rel_valid_o,  // a beat of a release: the line leaves for the home
  input  wire rel_ready_i,  // the beat is taken
  output wire [LINE_AW-1:0] rel_line_o,  // line address, in every beat
  output wire rel_dirty_o,  // the line was written: all its beats follow. 0: one beat, data means nothing.
  output wire rel_last_o,  // last beat of the release
  output wire [32*LANES-1:0] rel_data_o,  // data, the line's first words in the first beat
  // Relaxed atomics that were answered and then lost with a failed fetch, saturating; until reset.
  output wire [15:0] lost_count_o,
  output wire [LINE_AW-1:0] lost_line_o,  // line address of the first of them; 0 as long as there is none
  output wire unasked_o,  // a fill came that nobody had asked for; it was dropped. Until reset.
  input  wire commit_i,                    // the three are those of a context
  input  wire [15:0] commit_count_i,  // lost_count_o of the context, with commit_i
  input  wire [LINE_AW-1:0] commit_line_i,  // lost_line_o of the context
  input  wire commit_unasked_i,  // unasked_o of the context
  input  wire settles_i,                   // turns begin anew

  input  wire stops_i,                      // nothing begins behind this request, merge or line; but a fill
  output wire quiet_o,                      // nothing is under way
  input  wire [STAGES-1:0] stages_i,        // what is in the pipeline but for its last stage
  input  wire evicts_i,                     // the front asks for this place
  input  wire [PLACE_W-1:0] evict_place_i,  // that place
  input  wire flushes_i,                    // the front asks for all places
  input  wire flush_ends_i,                 // a flush was answered
  output wire runs_o,                       // the lines are left to requests
  output wire leaves_o,                     // from the next cycle on they are not
  output wire flows_o,                      // requests may be looked up
  output reg  flush_done_o,                 // all lines are released, until the flush is answered
  output wire rel_busy_o,                   // the release buffer is in use
  output reg  [WAY_W-1:0] turn_o,           // first way to evict

  // lines
  output wire look_o,                        // the set of a line is looked up
  output wire [LINE_AW-1:0] look_line_o,     // its line address
  output wire [WAY_W-1:0] look_way_o,        // the way whose line is asked for
  input  wire look_found_i,                  // in the cycle after look_o: the line is here
  input  wire [WAY_W-1:0] look_found_way_i,  // its way
  input  wire [LINE_AW-1:0] look_here_i,     // line that stands in look_way_o
  input  wire line_valid_i,                  // at place_o
  input  wire line_dirty_i,                  // the line at place_o was written
  output wire [PLACE_W-1:0] place_o,         // place of the line that may leave
  output wire line_goes_o,                   // the line at place_o is no longer here
  output wire arrives_o,                     // the line of a fill comes to fill_place_o
  output wire arrival_ends_o,                // its miss is over, the place no longer reserved
  output reg  [PLACE_W-1:0] fill_place_o,    // place of the line that arrives
  output reg  [LINE_AW-1:0] fill_line_o,     // its line address
  output wire left_o,                        // a line has left, or is in the release buffer
  output wire filled_o,                      // a line is here, its requests are done
  output wire lands_o,                       // the last beat is taken: the miss waits for nothing more
  output wire merges_o,                      // a temporary line is merged
  output wire drops_o,                       // a temporary line is dropped with a failed fetch

  // misses and temporary lines
  output wire [MISS_W-1:0] ask_miss_o,  // miss of the fill that comes
  input  wire asked_i,                  // that miss waits for a fill
  output wire tables_o,                 // the engine has the tables
  output wire [MISS_W-1:0] miss_o,      // the miss that it reads there
  output wire [WHICH_W-1:0] which_o,    // which of its temporary lines
  // What the tables say of that miss and that temporary line, as e_* of atomic_merge_temps.
  input  wire [LINE_AW-1:0] t_line_i,
  input  wire [PLACE_W-1:0] t_place_i,
  input  wire [EVENT_W-1:0] t_first_i,
  input  wire [EVENT_W-1:0] t_last_i,
  input  wire [SLOT_W-1:0] t_wait_slot_i,
  input  wire [4:0] t_op_i,
  input  wire t_wide_i,
  input  wire [63:0] t_against_i,
  input  wire [(1<<(LINE_LG-2))-1:0] t_stands_i,
  input  wire t_slotted_i,
  input  wire [SLOT_W-1:0] t_slot_i,
  input  wire [EVENT_W-1:0] t_head_i,
  input  wire [EVENT_W-1:0] t_tail_i,
  input  wire [15:0] t_relaxed_i,
  output wire [TEMP_W-1:0] temp_o,         // temporary line of this event

  // stall buffer
  output wire read_o,                 // an entry is read
  output wire [EVENT_W-1:0] event_o,  // that entry, or the temporary line at hand
  // In the next cycle: the entry behind it, and the parts of its request.
  input  wire [EVENT_W-1:0] read_next_i,
  input  wire [4:0] read_op_i,
  input  wire [1:0] read_size_i,
  input  wire [1:0] read_mode_i,
  input  wire [LINE_LG-1:0] read_offset_i,
  input  wire [TID_W-1:0] read_tid_i,
  input  wire [63:0] read_compare_i,
  input  wire [63:0] read_data_i,
  output wire link_o,                      // of the list of requests that were performed here
  output wire [EVENT_W-1:0] link_entry_o,  // the entry that the next one is linked to
  // A list is handed over, as list_* of atomic_merge_spool.
  output wire list_o,
  output wire [SLOT_W-1:0] list_slot_o,
  output wire [EVENT_W-1:0] list_head_o,
  output wire [EVENT_W-1:0] list_tail_o,
  output wire list_done_o,
  output wire list_failed_o,
  output wire list_keep_o,  // its entries hold operands,
  output wire list_slow_o,  // of the unit

  // pipeline
  // A request that waited, or an item of a merge, is performed: inject_* of atomic_merge_front.
  output wire inject_o,
  output wire inject_item_o,
  output wire [1:0] inject_stands_o,       // words of the item's pair
  output reg  [4:0] inject_op_o,
  output reg  [1:0] inject_size_o,
  output reg  [1:0] inject_mode_o,
  output reg  [LINE_LG-1:0] inject_offset_o,
  output reg  [TID_W-1:0] inject_tid_o,
  output reg  [63:0] inject_compare_o,
  output reg  [63:0] inject_data_o,
  output wire [PLACE_W-1:0] row_place_o,  // place whose row of true lines is read
  output wire [COUNT_W-1:0] row_beat_o,   // beat of that row
  // A beat of a merge goes through the pipeline: whether it comes from the fill, its data, what is merged
  // into it.
  output wire pass_o,
  output reg  pass_first_o,
  output wire [32*LANES-1:0] pass_fill_o,
  output wire [LANES-1:0] pass_stands_o,
  output wire pass_modulo_o,               // the lanes take a cycle more for this line
  output reg  [4:0] pass_op_o,
  output reg  pass_wide_o,
  output reg  [63:0] pass_against_o,
  output wire pass_keeps_o,  // the line before is kept, in pass_slot_o
  output reg  [SLOT_W-1:0] pass_slot_o,
  output wire [COUNT_W-1:0] pass_beat_o,
  input  wire [32*LANES-1:0] true_data_i  // row of true lines named in the last cycle
);
  localparam [4:0] RUN = 5'd0, ARRIVE = 5'd1, SETTLE = 5'd2, READY = 5'd3, AWAIT = 5'd4, PASS = 5'd5,
    EVENT = 5'd6, DROP = 5'd7, READ = 5'd8, INJECT = 5'd9, LAST = 5'd10, WALK = 5'd11, STEP = 5'd12,
    LOOK = 5'd13, MATCH = 5'd14, FOUND = 5'd15, TAKE = 5'd16, COPY = 5'd17, ITEMS = 5'd18,
    MERGED = 5'd19;
  localparam [31:0] LAST_BEAT = BEATS - 1;
  localparam [31:0] PASS_CYCLES = (BEATS > 2) ? BEATS : 2;
  localparam BEAT_W = $clog2(BEATS);       // may be 0
  localparam WORDS = 1 << (LINE_LG - 2);

  reg [4:0] state_q, state_d;
  reg [COUNT_W-1:0] count_q, beats_q;
  reg [EVENT_W-1:0] event_q, next_q, last_q, head_q, tail_q, done_head_q, done_tail_q;
  reg error_q, use_q, snoop_q, found_q, done_q, walking_q, slotted_q;
  reg empty_q;                             // nothing is in the pipeline; told while the engine has the lines
  reg arriving_q, asked_q, is_last_q, pass_last_q, valid_here_q, dirty_here_q;
  reg [WORDS-1:0] stands_q;
  reg [15:0] relaxed_q;
  reg [PLACE_W-1:0] place_q;
  reg [PLACE_W:0] flushed_q;
  reg [MISS_W-1:0] fill_tag_q;
  reg rel_busy_q, rel_dirty_q;
  reg [COUNT_W-1:0] rel_beat_q;
  reg [LINE_AW-1:0] rel_line_q;
  reg hb_valid_q, hb_snoop_q, hb_error_q, unasked_q;
  reg [MISS_W-1:0] hb_tag_q;
  reg [LINE_AW-1:0] hb_line_q;
  reg [32*LANES-1:0] hb_data_q;

  // ---- what the home sends ----
  wire hb_fill = hb_valid_q && !hb_snoop_q;
  wire beats_none = beats_q == {COUNT_W{1'b0}};
  wire last_next = beats_q == LAST_BEAT[COUNT_W-1:0];
  wire asked = !beats_none || asked_q;
  wire due_beats = BEATS > 1 && last_next;
  wire due_snoop = hb_valid_q && hb_snoop_q && !rel_busy_q && !stops_i;
  wire due_fill = due_beats || (hb_fill && (hb_error_q || BEATS == 1) && asked);
  wire starts = runs_o && !evicts_i && !flushes_i && due_fill && !(hb_valid_q && hb_snoop_q);
  wire lands = state_q == AWAIT && empty_q && hb_fill; // the last beat is taken
  wire drops_stray = hb_fill && !arriving_q && !asked;
  wire takes_beat = hb_fill && !arriving_q && asked && !hb_error_q && !last_next;
  assign home_ready_o = !hb_valid_q && (!due_beats || (state_q == AWAIT && empty_q));
  assign ask_miss_o = home_tag_i;

  // ---- events of an arrival ----
  wire is_merge = event_q[EVENT_W-1];
  wire pass_ends = state_q == PASS && pass_last_q;
  // A line of multiplies or floats is copied in a pass, then its items go through the pipeline one by one.
  wire by_items = APART != 0 && use_q && pass_op_o >= 5'd18;
  assign pass_modulo_o = APART != 0 && use_q && pass_op_o >= 5'd15 && !by_items;
  wire items = APART != 0 && state_q == ITEMS;
  // First the lower words of all pairs, then the upper ones, unless items have 64 bits.
  localparam CLOSE = WORDS / 2 < APART;    // too few pairs: the lower words are waited for
  reg upper_q, wait_q;                     // upper words are to come; behind an empty pipeline
  wire items_end = items && &inject_offset_o[LINE_LG-1:3];
  assign merges_o = (pass_ends && use_q && !by_items) || (state_q == MERGED && empty_q && !wait_q);
  assign drops_o = state_q == DROP;
  wire temp_ends = merges_o || drops_o;
  wire lists_done = state_q == LAST && empty_q;
  assign arrival_ends_o = (temp_ends && is_last_q && !done_q) || lists_done;
  assign lands_o = lands;
  assign filled_o = arrival_ends_o && !error_q;
  assign arrives_o = lands && !hb_error_q;
  assign tables_o = arriving_q;
  assign miss_o = fill_tag_q;
  assign temp_o = event_q[TEMP_W-1:0];
  generate
    if (TEMP_W > MISS_W) begin : g_which
      assign which_o = event_q[MISS_W +: WHICH_W];
    end else begin : g_no_which
      assign which_o = {WHICH_W{1'b0}};
    end
  endgenerate
  assign read_o = lands || state_q == EVENT;
  assign event_o = event_q;
  wire injects = state_q == INJECT;
  assign inject_o = (injects && !error_q) || items;
  assign inject_item_o = items;
  assign inject_stands_o = stands_q[{inject_offset_o[LINE_LG-1:3], 1'b0} +: 2];
  assign link_o = injects && done_q;
  assign link_entry_o = done_tail_q;
  assign list_o = (temp_ends && slotted_q) || lists_done;
  assign list_slot_o = lists_done ? t_wait_slot_i : pass_slot_o;
  assign list_head_o = lists_done ? done_head_q : head_q;
  assign list_tail_o = lists_done ? done_tail_q : tail_q;
  assign list_done_o = lists_done;
  assign list_failed_o = error_q;
  wire [31:0] of_op = 32'd1 << pass_op_o;
  assign list_keep_o = !lists_done && |(of_op & KEEP);
  assign list_slow_o = APART != 0 && pass_op_o >= 5'd15;

  // ---- a line leaves ----
  wire copies = state_q == COPY;
  wire copy_ends = copies && count_q == LAST_BEAT[COUNT_W-1:0];
  wire takes = state_q == TAKE && found_q && empty_q;
  wire leaves_clean = takes && !dirty_here_q;
  wire line_left = copy_ends || leaves_clean;
  assign left_o = line_left;
  wire departure_ends = line_left || (state_q == TAKE && !found_q);
  assign line_goes_o = takes;
  assign look_o = state_q == LOOK;
  assign look_line_o = snoop_q ? hb_line_q : {{(LINE_AW-PLACE_W+WAY_W){1'b0}}, place_q[PLACE_W-1:WAY_W]};
  assign look_way_o = place_q[WAY_W-1:0];
  assign place_o = (state_q == WALK || state_q == STEP) ? flushed_q[PLACE_W-1:0] : place_q;
  assign runs_o = state_q == RUN;
  assign leaves_o = runs_o && (evicts_i || flushes_i || due_fill || due_snoop);
  // Requests may be looked up while a copy ends: they decide when the engine runs again.
  wire [COUNT_W:0] four_on = {1'b0, count_q} + 4;
  assign flows_o = runs_o || (copies && !walking_q && four_on >= BEATS[COUNT_W:0]);
  assign rel_busy_o = rel_busy_q;
  wire stopped = stops_i && (state_q == EVENT || state_q == STEP);
  assign quiet_o = empty_q && (stopped || (runs_o && !evicts_i && !flushes_i && !hb_fill));

  // ---- next state ----
  always @* begin
    state_d = state_q;
    case (state_q)
      RUN: state_d = evicts_i ? LOOK : flushes_i ? WALK : !(due_fill || due_snoop) ? RUN :
                     (hb_valid_q && hb_snoop_q) ? LOOK : ARRIVE;
      ARRIVE: state_d = SETTLE;
      SETTLE: state_d = READY;
      READY: state_d = AWAIT;
      AWAIT: if (lands) state_d = hb_error_q ? EVENT : PASS;
      PASS: if (pass_ends) state_d = by_items ? ITEMS : (!use_q || !is_last_q) ? EVENT : LAST;
      ITEMS: if (items_end && (!upper_q || CLOSE)) state_d = MERGED;
      MERGED: if (empty_q) state_d = wait_q ? ITEMS : !is_last_q ? EVENT : LAST;
      // Behind a request that may take long the next one waits.
      EVENT: state_d = stops_i ? EVENT : !is_merge ? ((APART > 3 && !empty_q) ? EVENT : READ) :
                       error_q ? DROP : empty_q ? PASS : EVENT;
      DROP: state_d = is_last_q ? LAST : EVENT;
      READ: state_d = INJECT;
      INJECT: state_d = is_last_q ? LAST : EVENT;
      WALK: state_d = STEP;
      STEP: state_d = stops_i ? STEP : flushed_q[PLACE_W] ? RUN : !valid_here_q ? WALK :
                      rel_busy_q ? STEP : LOOK;
      LOOK: state_d = MATCH;
      MATCH: state_d = FOUND;
      FOUND: state_d = TAKE;
      TAKE: if (takes && dirty_here_q) state_d = COPY;
      default: begin end
    endcase
    if (arrival_ends_o) state_d = due_snoop ? LOOK : RUN;
    if (departure_ends) state_d = walking_q ? WALK : RUN;
  end

  always @(posedge clk_i) begin
    state_q <= state_d;
    arriving_q <= starts || (arriving_q && !arrival_ends_o);
    empty_q <= rst_i || !(inject_o || |stages_i);
    is_last_q <= event_q == last_q;
    // In the first cycle of a pass the operation is not there yet: neither count is 0 then.
    pass_last_q <= (count_q == PASS_CYCLES[COUNT_W-1:0] - 1'b1 && !pass_modulo_o)
                   || (count_q == PASS_CYCLES[COUNT_W-1:0] && pass_modulo_o);
    valid_here_q <= line_valid_i;
    dirty_here_q <= line_dirty_i;
    if (home_valid_i && home_ready_o) begin
      hb_valid_q <= 1'b1;
      asked_q <= asked_i;
      hb_snoop_q <= home_snoop_i;
      hb_error_q <= home_error_i;
      hb_tag_q <= home_tag_i;
      hb_line_q <= home_line_i;
      hb_data_q <= home_data_i;
    end
    if (drops_stray || takes_beat || lands || (departure_ends && snoop_q)) hb_valid_q <= 1'b0;
    if (drops_stray) unasked_q <= 1'b1;
    if (hb_fill && !arriving_q && asked && beats_none) fill_tag_q <= hb_tag_q;
    if (takes_beat) beats_q <= beats_q + 1'b1;
    if (lands) beats_q <= {COUNT_W{1'b0}};

    // Known before they are used, as long as the event stands.
    fill_place_o <= t_place_i;
    fill_line_o <= t_line_i;
    last_q <= t_last_i;
    if (state_q == AWAIT || state_q == EVENT) begin
      pass_op_o <= t_op_i;
      pass_wide_o <= t_wide_i;
      pass_against_o <= t_against_i;
      pass_slot_o <= t_slot_i;
      stands_q <= t_stands_i;
      slotted_q <= t_slotted_i;
      head_q <= t_head_i;
      tail_q <= t_tail_i;
      relaxed_q <= t_relaxed_i;
    end
    if (state_q == READ) begin
      inject_op_o <= read_op_i;
      inject_size_o <= read_size_i;
      inject_mode_o <= read_mode_i;
      inject_offset_o <= read_offset_i;
      inject_tid_o <= read_tid_i;
      inject_compare_o <= read_compare_i;
      inject_data_o <= read_data_i;
    end

    case (state_q)
      RUN: begin
        snoop_q <= !evicts_i && !flushes_i;
        walking_q <= !evicts_i && flushes_i;
        place_q <= evict_place_i;
        flushed_q <= {(PLACE_W+1){1'b0}};
        if (evicts_i) turn_o <= turn_o + 1'b1;
      end
      READY: begin
        event_q <= t_first_i;
        done_q <= 1'b0;
        count_q <= {COUNT_W{1'b0}};        // a cycle before pass_last_q looks at it
      end
      AWAIT: begin
        error_q <= hb_error_q;
        pass_first_o <= 1'b1;
        use_q <= is_merge;
      end
      PASS: begin
        if (count_q == {COUNT_W{1'b0}}) next_q <= read_next_i;
        count_q <= count_q + 1'b1;
        if (pass_ends && use_q && !by_items) event_q <= next_q;
        if (by_items) begin
          inject_op_o <= pass_op_o;
          inject_size_o <= {1'b1, pass_wide_o};
          inject_mode_o <= 2'd2;
          inject_offset_o <= {LINE_LG{1'b0}};
          inject_compare_o <= pass_against_o;
          upper_q <= !pass_wide_o;
        end
      end
      ITEMS: begin
        inject_offset_o[LINE_LG-1:3] <= inject_offset_o[LINE_LG-1:3] + 1'b1;
        if (items_end) begin
          inject_offset_o[2] <= upper_q;
          upper_q <= 1'b0;
          wait_q <= upper_q && CLOSE;
        end
      end
      MERGED: if (empty_q) begin
        wait_q <= 1'b0;
        if (!wait_q) event_q <= next_q;
      end
      EVENT: begin
        pass_first_o <= 1'b0;
        use_q <= 1'b1;
        count_q <= {COUNT_W{1'b0}};
      end
      DROP: event_q <= read_next_i;
      READ: next_q <= read_next_i;
      INJECT: begin
        if (!done_q) done_head_q <= event_q;
        done_tail_q <= event_q;
        done_q <= 1'b1;
        event_q <= next_q;
      end
      STEP: if (!stops_i) begin
        snoop_q <= 1'b0;
        place_q <= flushed_q[PLACE_W-1:0];
        if (!flushed_q[PLACE_W] && !valid_here_q) flushed_q <= flushed_q + 1'b1;
        if (flushed_q[PLACE_W]) begin
          flush_done_o <= 1'b1;
          walking_q <= 1'b0;
        end
      end
      MATCH: begin
        found_q <= !snoop_q || look_found_i;
        if (snoop_q) place_q <= {hb_line_q[PLACE_W-WAY_W-1:0], look_found_way_i};
        rel_line_q <= snoop_q ? hb_line_q : look_here_i;
      end
      TAKE: begin
        count_q <= {COUNT_W{1'b0}};
        if (takes) rel_dirty_q <= dirty_here_q;
      end
      COPY: count_q <= count_q + 1'b1;
      default: begin end
    endcase
    if (arrival_ends_o) snoop_q <= 1'b1;
    if (flush_ends_i) flush_done_o <= 1'b0;

    if (line_left) begin
      rel_busy_q <= 1'b1;
      rel_beat_q <= {COUNT_W{1'b0}};
    end else if (rel_busy_q && rel_ready_i) begin
      rel_beat_q <= rel_beat_q + 1'b1;
      if (rel_last_o) rel_busy_q <= 1'b0;
    end
    if (commit_i) unasked_q <= commit_unasked_i;
    if (settles_i) turn_o <= {WAY_W{1'b0}};
    if (rst_i) begin
      state_q <= RUN;
      hb_valid_q <= 1'b0;
      unasked_q <= 1'b0;
      beats_q <= {COUNT_W{1'b0}};
      turn_o <= {WAY_W{1'b0}};
      flush_done_o <= 1'b0;
      rel_busy_q <= 1'b0;
      walking_q <= 1'b0;
      arriving_q <= 1'b0;
    end
  end

  // ---- beats and releases ----
  reg [32*LANES-1:0] fill_mem [0:(BEATS > 1 ? BEATS : 2)-1];
  reg [32*LANES-1:0] rel_mem [0:(BEATS > 1 ? BEATS : 2)-1];
  wire [COUNT_W-1:0] fill_beat = lands ? LAST_BEAT[COUNT_W-1:0] : beats_q;
  wire fill_write = takes_beat || (lands && !hb_error_q);
  assign rel_valid_o = rel_busy_q;
  assign rel_line_o = rel_line_q;
  assign rel_dirty_o = rel_busy_q && rel_dirty_q;
  assign rel_last_o = !rel_dirty_q || rel_beat_q == LAST_BEAT[COUNT_W-1:0];
  generate
    if (BEATS > 1) begin : g_beats
      assign rel_data_o = rel_mem[rel_beat_q[BEAT_W-1:0]];
      assign pass_fill_o = fill_mem[count_q[BEAT_W-1:0]];
      assign pass_stands_o = stands_q[LANES*count_q[BEAT_W-1:0] +: LANES] & {LANES{use_q}};
      always @(posedge clk_i) begin
        if (copies) rel_mem[count_q[BEAT_W-1:0]] <= true_data_i;
        if (fill_write) fill_mem[fill_beat[BEAT_W-1:0]] <= hb_data_q;
      end
      wire unused_high = &{1'b0, fill_beat[COUNT_W-1:BEAT_W]};
    end else begin : g_beat
      assign rel_data_o = rel_mem[0];
      assign pass_fill_o = fill_mem[0];
      assign pass_stands_o = stands_q & {LANES{use_q}};
      always @(posedge clk_i) begin
        if (copies) rel_mem[0] <= true_data_i;
        if (fill_write) fill_mem[0] <= hb_data_q;
      end
      wire unused_count = &{1'b0, fill_beat};
    end
  endgenerate

  // ---- rows: of a copy and a pass the one behind this beat, before them the first ----
  assign row_place_o = arriving_q ? fill_place_o : place_q;
  assign row_beat_o = (copies || state_q == PASS) ? count_q + 1'b1 : {COUNT_W{1'b0}};
  assign pass_o = state_q == PASS && count_q <= LAST_BEAT[COUNT_W-1:0];
  assign pass_beat_o = count_q;
  assign pass_keeps_o = slotted_q && use_q;

  // ---- what was lost with a failed fetch ----
  reg [15:0] lost_q;
  reg [LINE_AW-1:0] lost_at_q;
  wire [16:0] lost_sum = {1'b0, lost_q} + {1'b0, relaxed_q};
  always @(posedge clk_i) begin
    if (drops_o) begin
      lost_q <= lost_sum[16] ? 16'hffff : lost_sum[15:0];
      if (lost_q == 16'd0 && relaxed_q != 16'd0) lost_at_q <= fill_line_o;
    end
    if (commit_i) {lost_q, lost_at_q} <= {commit_count_i, commit_line_i};
    if (rst_i) begin
      lost_q <= 16'd0;
      lost_at_q <= {LINE_AW{1'b0}};
    end
  end
  assign lost_count_o = lost_q;
  assign lost_line_o = lost_at_q;
  assign unasked_o = unasked_q;
endmodule

`default_nettype wire
