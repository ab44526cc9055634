// SPDX-License-Identifier: Apache-2.0
// tracker_context: the words of a context (TR-16), saved and loaded. First the data slots: sectors, and
// whether the count is saturated. Then items: state packets that stand in the commit FIFO, then in order of
// age the wavefronts that have not left, with state packets, flush tokens and fast packets where they came;
// what stands in a commit FIFO says at which place. Unused records are 0. Last the registers. A load puts the
// items in as if they came anew; counts and links are built by that, and each item gets PACE cycles. Which
// bit is where: docs/tracker_design.md. Reset: nothing under way.
`default_nettype none

module tracker_context #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter AGE_W = 10,
  parameter BANKS = 4,
  parameter BANK_W = 2,
  parameter DSLOTS = 256,
  parameter DSLOT_W = 8,
  parameter SECTORS = 4,
  parameter WARPS = 48,
  parameter WARP_W = 6,
  parameter PAYLOAD_W = 64,
  parameter COMMIT_FIFO = 8,
  parameter GROUP_W = 9,
  parameter GROUP_MAX = 256,
  parameter ITEMS = 560,                     // records of items
  parameter SLOT_WORDS = 1,                  // words of a data slot's record
  parameter BODY_WORDS = 4                   // of an item's, but for the first
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire save_i,
  output wire sav_valid_o,
  input  wire sav_ready_i,
  output wire [31:0] sav_data_o,
  output wire sav_last_o,
  input  wire load_i,
  input  wire clears_i,                      // memories are cleared: words wait
  input  wire ld_valid_i,
  output wire ld_ready_o,
  input  wire [31:0] ld_data_i,
  input  wire ld_last_i,
  output wire ld_wrong_o,

  output wire [DSLOT_W-1:0] dslot_o,         // a data slot: read, or written when put_slot_o is 1
  input  wire [BANKS-1:0] stuck_i,
  input  wire [BANKS*SECTORS-1:0] valid_i,
  output reg  put_slot_o,
  output wire [BANKS-1:0] stuck_o,
  output wire [BANKS*SECTORS-1:0] valid_o,

  // What is saved: {token, fast, state, texture FIFO, other FIFO} has more; goes on to the next.
  input  wire [4:0] more_i,
  output wire [4:0] next_o,
  input  wire [AGE_W-1:0] lg_age_i,
  input  wire [AGE_W-1:0] tex_age_i,
  input  wire tex_state_i,
  input  wire [PAYLOAD_W-1:0] tex_payload_i, // of a state packet
  input  wire state_due_i,                   // the state packet is due: nothing older is there
  input  wire [AGE_W-1:0] state_below_i,     // snapshots of tails, less one
  input  wire [AGE_W-1:0] state_open_below_i,
  input  wire [PAYLOAD_W-1:0] state_payload_i,
  input  wire [AGE_W-1:0] fast_below_i,
  input  wire [PAYLOAD_W-1:0] fast_payload_i,
  input  wire [AGE_W-1:0] token_tail_i,
  input  wire [BANK_W-1:0] token_bank_i,
  input  wire [DSLOT_W-1:0] token_dslot_i,
  input  wire [AGE_W-1:0] head_i,
  input  wire [AGE_W-1:0] tail_i,
  output wire [AGE_W-1:0] age_o,             // an entry to be read; in the next cycle:
  input  wire left_i,
  input  wire [BANKS+BANKS*DSLOT_W+3+WARP_W+PAYLOAD_W-1:0] wave_i,
  input  wire [BANKS*SECTORS-1:0] sectors_i,
  input  wire [QUEUE_W-1:0] queue_i,
  input  wire group_end_i,
  input  wire held_i,                        // the newest one is not in its queue yet
  input  wire [AGE_W-1:0] held_age_i,
  input  wire [QUEUE_W-1:0] held_queue_i,
  input  wire held_group_end_i,
  input  wire [AGE_W-1:0] open_first_i,
  // {wants a change, open, texture, warp, ray next, group count, drain queue and held of both paths}
  input  wire [5+WARP_W+3*QUEUE_W+GROUP_W-1:0] flags_i,
  input  wire [3+QUEUE_W+GROUP_W-1:0] run_i, // {group, split, mode} of the registers, and in force
  input  wire [3+QUEUE_W+GROUP_W-1:0] now_i,

  output reg  put_o,                         // an item comes in, with what follows
  output wire [2:0] kind_o,
  output wire committed_o,                   // it enters a commit FIFO, at this place
  output wire [$clog2(COMMIT_FIFO)-1:0] place_o,
  output wire inserted_o,
  output wire group_end_o,
  output wire end_o,
  output wire opens_o,
  output wire [1:0] class_o,
  output wire [WARP_W-1:0] warp_o,
  output wire [QUEUE_W-1:0] queue_o,
  output wire [BANKS-1:0] used_o,
  output wire [BANKS*DSLOT_W-1:0] dslots_o,
  output wire [BANKS*SECTORS-1:0] sectors_o,
  output wire [BANK_W-1:0] bank_o,
  output wire [PAYLOAD_W-1:0] payload_o,
  output wire issue_o,                       // it enters the commit FIFO
  input  wire refused_i,
  output wire [5+WARP_W+3*QUEUE_W+GROUP_W-1:0] flags_o,
  output wire [3+QUEUE_W+GROUP_W-1:0] run_o,
  output wire [3+QUEUE_W+GROUP_W-1:0] now_o
);
  localparam [2:0] NONE = 3'd0, WAVE = 3'd1, STATE = 3'd2, TOKEN = 3'd3, FAST = 3'd4, IN_FIFO = 3'd5;
  localparam BODY_W = PAYLOAD_W + BANKS*SECTORS + BANKS*DSLOT_W + BANKS;
  localparam SLOT_W = BANKS*(SECTORS+1);
  localparam MOST = (BODY_WORDS > SLOT_WORDS) ? BODY_WORDS : SLOT_WORDS;
  localparam RECORD_W = $clog2((ITEMS > DSLOTS ? ITEMS : DSLOTS) + 1);
  localparam WORD_W = $clog2(MOST + 6);
  localparam [3:0] PACE = 4'd13, ISSUE = 4'd7;
  localparam [31:0] ITEMS_OF = 32'd1 * ITEMS;
  localparam [31:0] SLOTS_OF = 32'd1 * DSLOTS;
  localparam [31:0] ITEM_OF = 32'd1 + BODY_WORDS;
  localparam [31:0] SLOT_OF = 32'd1 * SLOT_WORDS;
  localparam [95:0] RECORDS = {32'd1, ITEMS_OF, SLOTS_OF};
  localparam [95:0] WORDS = {32'd5, ITEM_OF, SLOT_OF};

  wire [1:0] section;
  wire [RECORD_W-1:0] record;
  wire [WORD_W-1:0] word;
  wire ready, ends, last, unused_record;
  wire moves = (sav_valid_o && sav_ready_i) || (ld_valid_i && ld_ready_o);
  context_walk #(
    .SECTIONS(3), .RECORDS(RECORDS), .WORDS(WORDS),
    .RECORD_W(RECORD_W), .WORD_W(WORD_W)
  ) u_walk (
    .clk_i(clk_i), .rst_i(rst_i), .runs_i(save_i || load_i), .moves_i(moves), .busy_i(1'b0), .ready_o(ready),
    .section_o(section), .record_o(record), .word_o(word), .ends_o(ends), .last_o(last));
  wire in_slots = section == 2'd0, in_items = section == 2'd1;
  assign unused_record = &{1'b0, record};

  // ---- save: the next item ------------------------------------------------------------------------------
  localparam PLACE_W = $clog2(COMMIT_FIFO), SEEN_W = $clog2(COMMIT_FIFO + 1);
  reg [AGE_W-1:0] at_q, mark_q;
  reg settled_q, found_q, marked_q;
  reg [2:0] source_q;
  // What stands in the commit FIFOs, by place: whether there is something, and its age.
  reg [COMMIT_FIFO*AGE_W-1:0] lg_age_q, tex_age_q;
  reg [COMMIT_FIFO-1:0] lg_v_q, tex_v_q;
  reg [SEEN_W-1:0] lg_seen_q, tex_seen_q;    // words of the FIFOs that were looked at
  reg is_there, is_there_q;
  reg [PLACE_W-1:0] place, place_q;
  integer i;
  always @* begin
    is_there = 1'b0;
    place = {PLACE_W{1'b0}};
    for (i = 0; i < COMMIT_FIFO; i = i + 1)
      if ((lg_v_q[i] && lg_age_q[i*AGE_W+:AGE_W] == at_q) ||
          (tex_v_q[i] && tex_age_q[i*AGE_W+:AGE_W] == at_q)) begin
        is_there = 1'b1;
        place = place | i[PLACE_W-1:0];
      end
  end
  // First all of the commit FIFOs is looked at: the ages of wavefronts are kept, state packets are items.
  // What is not there any more is passed first, so that of packets between two wavefronts the order is one.
  wire [AGE_W-1:0] below = at_q - 1'b1;
  wire [AGE_W-1:0] from_state = below - state_below_i;
  wire [AGE_W-1:0] from_token = at_q - token_tail_i;
  wire [AGE_W-1:0] from_fast = below - fast_below_i;
  wire unused_distances = &{1'b0, from_state, from_token, from_fast};
  wire due_here = more_i[2] && state_due_i;
  wire looks = !found_q && settled_q;
  wire keeps_tex = looks && more_i[1] && !tex_state_i;
  wire keeps_lg = looks && more_i[1:0] == 2'b01;
  wire passes = looks && more_i[1:0] == 2'b00 && !due_here && at_q != tail_i && left_i;
  wire skips = keeps_tex || keeps_lg || passes;
  wire [2:0] source = more_i[1] ? IN_FIFO
                    : (due_here || (more_i[2] && !from_state[AGE_W-1])) ? STATE
                    : (more_i[4] && !from_token[AGE_W-1]) ? TOKEN
                    : (more_i[3] && !from_fast[AGE_W-1]) ? FAST
                    : (at_q == tail_i) ? NONE : WAVE;
  wire leaves = found_q && moves && ends && in_items;
  wire opens = more_i[2] ? below == state_open_below_i : flags_i[1] && at_q == open_first_i;
  wire [4:0] saved = {source_q == TOKEN, source_q == FAST, source_q == STATE, source_q == IN_FIFO, 1'b0};
  assign age_o = at_q;
  assign next_o = (saved & {5{leaves}}) | {3'b000, keeps_tex, keeps_lg};
  wire [COMMIT_FIFO-1:0] lg_put, tex_put;    // of a load: an item names its place in a FIFO
  always @(posedge clk_i)
    if (rst_i || !save_i || !in_items) begin
      settled_q <= 1'b0;
      found_q <= 1'b0;
      source_q <= NONE;
      marked_q <= 1'b0;
      at_q <= head_i;
      lg_seen_q <= {SEEN_W{1'b0}};
      tex_seen_q <= {SEEN_W{1'b0}};
    end else begin
      settled_q <= !found_q && !(settled_q && skips);
      if (looks) begin
        found_q <= !skips;
        source_q <= source;
      end else if (leaves) found_q <= 1'b0;
      if (passes || (leaves && source_q == WAVE)) at_q <= at_q + 1'b1;
      if (leaves && source_q == WAVE && opens) {marked_q, mark_q} <= {1'b1, below};
      lg_seen_q <= lg_seen_q + {{SEEN_W-1{1'b0}}, next_o[0]};
      tex_seen_q <= tex_seen_q + {{SEEN_W-1{1'b0}}, next_o[1]};
    end
  integer t;
  always @(posedge clk_i) begin
    {is_there_q, place_q} <= {is_there, place};
    for (t = 0; t < COMMIT_FIFO; t = t + 1) begin
      if (keeps_lg && lg_seen_q == t[SEEN_W-1:0]) lg_age_q[t*AGE_W+:AGE_W] <= lg_age_i;
      if (keeps_tex && tex_seen_q == t[SEEN_W-1:0]) tex_age_q[t*AGE_W+:AGE_W] <= tex_age_i;
      if (rst_i || in_slots || !(save_i || load_i)) {tex_v_q[t], lg_v_q[t]} <= 2'b00;
      else begin
        if (lg_put[t] || (keeps_lg && lg_seen_q == t[SEEN_W-1:0])) lg_v_q[t] <= 1'b1;
        if (tex_put[t] || (keeps_tex && tex_seen_q == t[SEEN_W-1:0])) tex_v_q[t] <= 1'b1;
      end
    end
  end

  // ---- save: its words ----------------------------------------------------------------------------------
  wire [BANKS-1:0] used;
  wire [BANKS*DSLOT_W-1:0] dslots;
  wire [1:0] class_s;
  wire [WARP_W-1:0] warp_s;
  wire end_s;
  wire [PAYLOAD_W-1:0] payload;
  assign {used, dslots, class_s, warp_s, end_s, payload} = wave_i;
  wire is_held = held_i && held_age_i == at_q;
  wire is_wave = source_q == WAVE;
  wire [6:0] warp_bits = {{7-WARP_W{1'b0}}, warp_s};
  wire [6:0] queue_bits = {{7-QUEUE_W{1'b0}}, is_held ? held_queue_i : queue_i};
  wire [6:0] place_bits = {{7-PLACE_W{1'b0}}, place_q};
  wire [6:0] seen_bits = {{7-PLACE_W{1'b0}}, tex_seen_q[PLACE_W-1:0]};
  wire inside_s = marked_q && mark_q == state_open_below_i;
  wire [31:0] head_wave = {1'b0, is_there_q ? place_bits : queue_bits, 1'b0, warp_bits, 6'd0, class_s, opens,
      end_s, !is_there_q && (is_held ? held_group_end_i : group_end_i), !is_held, is_there_q, WAVE};
  wire [31:0] head_token = {13'd0, {3-BANK_W{1'b0}}, token_bank_i, 13'd0, TOKEN};
  wire [31:0] head = (source_q == NONE) ? 32'd0 : (source_q == STATE) ? {24'd0, inside_s, 4'd0, STATE}
      : (source_q == TOKEN) ? head_token : (source_q == FAST) ? {29'd0, FAST}
      : (source_q == IN_FIFO) ? {1'b0, seen_bits, 20'd0, 1'b1, STATE} : head_wave;
  wire [DSLOT_W-1:0] low_dslot = (source_q == TOKEN) ? token_dslot_i : is_wave ? dslots[DSLOT_W-1:0]
      : {DSLOT_W{1'b0}};
  wire [BANKS*DSLOT_W-1:0] dslots_s = is_wave ? dslots : {BANKS*DSLOT_W{1'b0}};
  wire [PAYLOAD_W-1:0] payload_s = (source_q == STATE) ? state_payload_i
      : (source_q == FAST) ? fast_payload_i : (source_q == IN_FIFO) ? tex_payload_i
      : is_wave ? payload : {PAYLOAD_W{1'b0}};
  wire [BODY_W-1:0] body = {payload_s, is_wave ? sectors_i : {BANKS*SECTORS{1'b0}},
      dslots_s | {{(BANKS-1)*DSLOT_W{1'b0}}, low_dslot}, is_wave ? used : {BANKS{1'b0}}};
  wire [32*MOST-1:0] body_bits = {{32*MOST-BODY_W{1'b0}}, body};
  wire [32*MOST-1:0] slot_bits = {{32*MOST-SLOT_W{1'b0}}, stuck_i, valid_i};
  function [31:0] settings(input [3+QUEUE_W+GROUP_W-1:0] s);
    settings = {{16-GROUP_W{1'b0}}, s[3+QUEUE_W+:GROUP_W], {8-QUEUE_W{1'b0}}, s[3+:QUEUE_W], 5'd0, s[2:0]};
  endfunction
  wire wants, open, open_tex, held_0, held_1;
  wire [WARP_W-1:0] open_warp;
  wire [QUEUE_W-1:0] ray_next, drain_0, drain_1;
  wire [GROUP_W-1:0] count;
  assign {drain_1, drain_0, held_1, held_0, count, ray_next, open_warp, open_tex, open, wants} = flags_i;
  wire [31:0] flag_word = {8'd0, {8-QUEUE_W{1'b0}}, ray_next, {8-WARP_W{1'b0}},
      open ? open_warp : {WARP_W{1'b0}}, 5'd0,
      open && open_tex, open, wants};
  wire [31:0] drain_word = {{8-QUEUE_W{1'b0}}, held_1 ? drain_1 : {QUEUE_W{1'b0}}, 7'd0, held_1,
      {8-QUEUE_W{1'b0}}, held_0 ? drain_0 : {QUEUE_W{1'b0}}, 7'd0, held_0};
  wire [WORD_W-1:0] body_at = in_items ? word - 1'b1 : word;
  wire [32*MOST-1:0] shown = in_slots ? slot_bits : body_bits;
  reg [31:0] vector_word;
  integer j;
  always @* begin
    vector_word = 32'd0;
    for (j = 0; j < MOST; j = j + 1) if (body_at == j[WORD_W-1:0]) vector_word = shown[32*j+:32];
  end
  wire [31:0] register_word = (word == 0) ? settings(run_i) : (word == 1) ? settings(now_i)
      : (word == 2) ? flag_word : (word == 3) ? {{32-GROUP_W{1'b0}}, count} : drain_word;
  assign sav_valid_o = save_i && ready && (!in_items || found_q);
  assign sav_data_o = (in_items && word == 0) ? head : (in_slots || in_items) ? vector_word : register_word;
  assign sav_last_o = last;

  // ---- load ---------------------------------------------------------------------------------------------
  reg [31:0] head_q, run_q, now_q, flag_q, count_q, drain_q;
  reg [32*MOST-1:0] body_q;
  reg [DSLOT_W-1:0] dslot_q;
  reg [3:0] pace_q;
  reg bad_q;
  wire takes = ld_valid_i && ld_ready_o;
  assign ld_ready_o = load_i && !clears_i && pace_q == 4'd0;
  integer k;
  always @(posedge clk_i) begin
    put_slot_o <= !rst_i && takes && ends && in_slots;
    put_o <= !rst_i && takes && ends && in_items && head_q[2:0] != 3'd0 && !bad_q;
    if (rst_i || !load_i) pace_q <= 4'd0;
    else if (takes && ends && in_items && head_q[2:0] != 3'd0) pace_q <= PACE;
    else if (pace_q != 4'd0) pace_q <= pace_q - 4'd1;
    bad_q <= load_i && (bad_q || refused_i || (takes && ld_wrong_o));
    dslot_q <= record[DSLOT_W-1:0];
    if (takes && in_items && word == 0) head_q <= ld_data_i;
    for (k = 0; k < MOST; k = k + 1)
      if (takes && !(in_items && word == 0) && body_at == k[WORD_W-1:0]) body_q[32*k+:32] <= ld_data_i;
    if (takes && section == 2'd2) begin
      if (word == 0) run_q <= ld_data_i;
      if (word == 1) now_q <= ld_data_i;
      if (word == 2) flag_q <= ld_data_i;
      if (word == 3) count_q <= ld_data_i;
      if (word == 4) drain_q <= ld_data_i;
    end
  end
  assign dslot_o = save_i ? record[DSLOT_W-1:0] : dslot_q;
  assign {stuck_o, valid_o} = body_q[SLOT_W-1:0];
  assign {payload_o, sectors_o, dslots_o, used_o} = body_q[BODY_W-1:0];
  assign kind_o = head_q[2:0];
  assign {opens_o, end_o, group_end_o, inserted_o, committed_o} = head_q[7:3];
  assign class_o = head_q[9:8];
  assign warp_o = head_q[16+:WARP_W];
  assign bank_o = head_q[16+:BANK_W];
  assign queue_o = committed_o ? {QUEUE_W{1'b0}} : head_q[24+:QUEUE_W];
  assign place_o = head_q[24+:PLACE_W];
  assign issue_o = pace_q == ISSUE && kind_o == WAVE && committed_o && !bad_q;

  localparam LAST_QUEUE = QUEUES - 1, LAST_WARP = WARPS - 1;
  function over(input [31:0] v, input [31:0] most);
    over = v > most;
  endfunction
  function bad_settings(input [31:0] v);
    bad_settings = v[7:3] != 0 || v[2:0] == 0 || v[2:0] > 3'd4 || v[15:8] == 0 || 
        over({24'd0, v[15:8]}, LAST_QUEUE) ||
        v[31:16] == 0 || over({16'd0, v[31:16]}, GROUP_MAX);
  endfunction
  wire [31:0] w = ld_data_i;
  // Of what stands in a commit FIFO each has a place of its own, and state packets come before all else.
  reg began_q;
  wire w_wave = w[2:0] == WAVE;
  wire w_committed = (w_wave || w[2:0] == STATE) && w[3];
  wire w_tex = !w_wave || w[9:8] == 2'd1;
  wire [COMMIT_FIFO-1:0] place_one;
  genvar g;
  generate
    for (g = 0; g < COMMIT_FIFO; g = g + 1) begin : g_place
      localparam [7:0] PLACE = g;
      assign place_one[g] = w[31:24] == PLACE;
    end
  endgenerate
  wire takes_head = load_i && takes && in_items && word == 0;
  assign lg_put = place_one & {COMMIT_FIFO{takes_head && w_committed && !w_tex}};
  assign tex_put = place_one & {COMMIT_FIFO{takes_head && w_committed && w_tex}};
  wire bad_place = ~|(place_one & ~(w_tex ? tex_v_q : lg_v_q)) || (!w_wave && began_q);
  always @(posedge clk_i)
    if (rst_i || !load_i) began_q <= 1'b0;
    else if (takes_head && w[2:0] != NONE && (w_wave || !w_committed)) began_q <= 1'b1;
  wire holes = |(lg_v_q & (lg_v_q + 1'b1)) || |(tex_v_q & (tex_v_q + 1'b1));
  wire bad_head = (w[2:0] == NONE) ? w != 32'd0 : w[2:0] > FAST ||
      (w_wave && (w[9:8] == 2'd3 || over({24'd0, w[23:16]}, LAST_WARP))) ||
      (w_committed ? bad_place : w_wave && over({24'd0, w[31:24]}, LAST_QUEUE));
  wire bad_flags = w[7:3] != 0 || w[31:24] != 0 || over({24'd0, w[23:16]}, LAST_QUEUE) ||
      over({24'd0, w[15:8]}, LAST_WARP);
  wire bad_drain = w[7:1] != 0 || w[23:17] != 0 || over({24'd0, w[15:8]}, LAST_QUEUE) ||
      over({24'd0, w[31:24]}, LAST_QUEUE);
  wire bad_register = (word <= 1) ? bad_settings(w) : (word == 2) ? bad_flags : 
      (word == 3) ? over(w, GROUP_MAX) : bad_drain;
  assign ld_wrong_o = bad_q || refused_i || section == 2'd3 || ld_last_i != last ||
      (in_items && word == 0 && bad_head) ||
      (section == 2'd2 && (bad_register || holes));
  assign run_o = {run_q[16+:GROUP_W], run_q[8+:QUEUE_W], run_q[2:0]};
  assign now_o = {now_q[16+:GROUP_W], now_q[8+:QUEUE_W], now_q[2:0]};
  assign flags_o = {drain_q[24+:QUEUE_W], drain_q[8+:QUEUE_W], drain_q[16], drain_q[0], count_q[GROUP_W-1:0],
      flag_q[16+:QUEUE_W], flag_q[8+:WARP_W], flag_q[2:0]};
  wire unused = &{1'b0, head_q, body_q, run_q, now_q, flag_q, count_q, drain_q};
endmodule

`default_nettype wire
