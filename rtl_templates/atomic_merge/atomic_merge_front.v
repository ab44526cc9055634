// SPDX-License-Identifier: Apache-2.0
// atomic_merge_front: requests from their acceptance to their place in the order of this cache. f0 decodes
// what comes out of the queue, f1 to f3 are the look-ups of atomic_merge_lines and atomic_merge_temps, f4
// decides: the request takes its place, with all that it needs, or it and what is behind it starts again at
// f0. So nothing here waits in mid-pipeline. What was decided is in s2 a cycle later, where a request that
// waited for a line comes in from the engine, too. A request in f4 was looked up before the two in front of
// it changed their tables: it is told what they block. Reset: nothing held.
`default_nettype none

module atomic_merge_front #(
  parameter LINE_LG = 6,  // base-2 logarithm of the bytes of a line
  parameter QUEUE = 16,  // accepted requests in front of the pipeline; 2..64 requests, a power of 2
  parameter ADDR_W = 32,  // width of a byte address; 16..48 bits
  parameter TID_W = 10,  // width of a thread id; 1..16 bits
  parameter MISS_W = 3,  // bits of the number of a miss
  parameter MAX_TEMPS = 2,  // temporary lines of one line address; 1..4 lines
  parameter WAY_W = 2,  // bits of the number of a way
  parameter SET_W = 3,  // bits of the number of a set
  parameter EVENT_W = 7,  // bits of an event: entry of the stall buffer, or temporary line
  parameter SLOT_W = 3,  // bits of the number of a slot: a list with the line before its merge
  parameter WIDE = 1,  // atomics of 64 bits are built
  parameter TID_CHECK = 0,                  // requests are refused whose thread id has one under way
  parameter HAS_COMPARE = 1,                // compare-and-swap or modulo is built
  parameter HAS_MODULO = 0,  // an operation modulo K is built
  parameter FLOAT_MERGE = 1,                // 0: float adds and multiplies wait for their line
  parameter APART = 0,                      // cycles between requests of the same item, the first of the unit
  parameter [31:0] BUILT = 32'h3fff,        // operations, a bit each
  parameter [31:0] EXTRA = 32'd0,           // those that open an extra temporary line
  parameter [31:0] KEEP = 32'd0,            // those that are all parked, with their operands
  parameter LINE_AW = ADDR_W - LINE_LG,  // bits of a line address
  parameter WORDS = 1 << (LINE_LG - 2),  // words of a line
  // Bits of which temporary line of its miss it is.
  parameter WHICH_W = (MAX_TEMPS > 1) ? $clog2(MAX_TEMPS) : 1
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire req_valid_i,  // a request is offered
  output wire req_ready_o,  // a request is accepted; each gets exactly one answer
  // 0 load, 1 store, 2 fence, 3 flush, 4 add, 5 and, 6 or, 7 xor, 8 signed min, 9 signed max, 10 unsigned
  // min, 11 unsigned max, 12 swap, 13 compare-and-swap, 14 saturating unsigned add, 15 increment and 16
  // decrement that wrap, 17 add modulo K, 18 multiply, of floats: 19 add, 20 multiply, 21 minimum, 22
  // maximum.
  input  wire [4:0] req_op_i,
  input  wire [1:0] req_size_i,  // base-2 logarithm of the bytes; atomics take 2 and, with WIDE_ATOMICS, 3
  input  wire [1:0] req_mode_i,  // 0 return, 1 no return, strict, 2 no return, relaxed
  input  wire [ADDR_W-1:0] req_addr_i,  // byte address, aligned to the size
  input  wire [63:0] req_data_i,  // operand, in the lowest bits
  // Compare-and-swap: the value to compare with, in the lowest bits. Wrapping and modulo: K - 1, within the
  // size.
  input  wire [63:0] req_compare_i,
  input  wire [TID_W-1:0] req_tid_i,  // thread id, given back with the answer

  input  wire live_i,                   // the offered request's thread id has one under way
  input  wire tids_ready_i,             // requests may be accepted
  input  wire runs_i,                   // the engine leaves the lines to requests
  input  wire leaves_i,                 // from the next cycle on it does not
  input  wire flows_i,                  // requests may be looked up
  input  wire flush_done_i,             // all lines are released
  input  wire rel_busy_i,               // the release buffer is in use: nothing is evicted
  input  wire room_i,                   // for an answer
  input  wire entry_i,                  // an entry of the stall buffer is free
  input  wire slot_ready_i,             // a slot is free
  input  wire [SLOT_W-1:0] slot_new_i,  // that slot

  // The look-ups: line address in f1 and f2; of the request in f3 whether it is an atomic, bitwise, one that
  // compares, of 64 bits; its code, the value compared with, its words, its pair.
  output wire [LINE_AW-1:0] f1_line_o,
  output wire [LINE_AW-1:0] f2_line_o,  // line address of the request in f2
  output wire f3_atomic_o,
  output wire f3_bitwise_o,
  output wire f3_cas_o,
  output wire f3_wide_o,
  output wire [4:0] f3_op_o,
  output wire [63:0] f3_against_o,
  output wire [WORDS-1:0] f3_words_o,
  output wire [LINE_LG-4:0] f3_pair_o,
  // What they found, for the request in f4: its line is here and in which way; a way is free and which; one
  // may be evicted and which.
  input  wire hit_i,
  input  wire [WAY_W-1:0] hit_way_i,
  input  wire way_free_i,
  input  wire [WAY_W-1:0] free_way_i,
  input  wire evictable_i,
  input  wire [WAY_W-1:0] victim_i,
  // Its line is missing, and with which miss. Per temporary line of that miss: it is open, has the request's
  // tag, is blocked for it, has a slot, and stands for which words of its pair. Then whether the list of
  // waiting requests has a slot.
  input  wire missed_i,
  input  wire [MISS_W-1:0] miss_i,
  input  wire [MAX_TEMPS-1:0] open_i,
  input  wire [MAX_TEMPS-1:0] match_i,
  input  wire [MAX_TEMPS-1:0] blocked_i,
  input  wire [MAX_TEMPS-1:0] slotted_i,
  input  wire [2*MAX_TEMPS-1:0] stands_i,
  input  wire wait_slotted_i,
  input  wire miss_ready_i,             // a miss may be opened
  input  wire [MISS_W-1:0] miss_new_i,  // that miss
  input  wire none_missing_i,           // no line is missing

  input  wire inject_i,               // a request that waited, or an item of a merge; it is performed
  input  wire inject_item_i,          // it is an item of a merge
  input  wire [1:0] inject_stands_i,  // of an item: words of its pair
  // The request that is injected: entry of the stall buffer, place of its line, and its parts as in req_*.
  input  wire [EVENT_W-1:0] inject_entry_i,
  input  wire [SET_W+WAY_W-1:0] inject_place_i,
  input  wire [4:0] inject_op_i,
  input  wire [1:0] inject_size_i,
  input  wire [1:0] inject_mode_i,
  input  wire [LINE_LG-1:0] inject_offset_i,
  input  wire [TID_W-1:0] inject_tid_i,
  input  wire [63:0] inject_compare_i,
  input  wire [63:0] inject_data_i,

  // What was decided, a cycle after f4; it holds with s2_valid_o.
  output reg  s2_valid_o,
  output reg  s2_injected_o,    // it was injected by the engine
  output reg  s2_item_o,        // it is an item of a merge
  output wire s2_performs_o,    // it is performed on a line that is here
  output wire s2_joins_o,       // it joins a temporary line
  output wire s2_waits_o,       // it waits for its line
  output wire s2_opens_miss_o,  // it opens a miss
  output wire s2_opens_temp_o,  // it opens a temporary line
  output wire s2_parks_o,       // it is parked, to be answered behind the merge
  output wire s2_takes_slot_o,  // it takes a slot for its list
  output wire s2_answers_o,     // it is answered at once
  output reg  s2_refused_o,     // it is refused
  output reg  s2_live_o,        // because of its thread id
  output reg  s2_keeps_o,       // of one that is parked: with its operand
  output wire s2_gives_o,       // its answer has a value
  output reg  s2_evicts_o,      // the engine is to free a place
  output wire s2_flushed_o,     // a flush is answered
  output reg  s2_flushes_o,     // the engine is to release all lines
  // The request itself: operation, size, mode, line address, place in the line, thread id, operand, value
  // compared with, its words.
  output reg  [4:0] s2_op_o,
  output reg  [1:0] s2_size_o,
  output reg  [1:0] s2_mode_o,
  output reg  [LINE_AW-1:0] s2_line_o,
  output reg  [LINE_LG-1:0] s2_offset_o,
  output reg  [TID_W-1:0] s2_tid_o,
  output reg  [63:0] s2_operand_o,
  output reg  [63:0] s2_against_o,
  output reg  [WORDS-1:0] s2_words_o,
  output reg  [SET_W+WAY_W-1:0] s2_place_o,  // line, or victim
  output reg  [MISS_W-1:0] s2_miss_o,        // its miss
  output reg  [MAX_TEMPS-1:0] s2_which_o,    // its temporary line, a bit for each of the miss
  output reg  [WHICH_W-1:0] s2_number_o,     // the same as a number
  output reg  [SLOT_W-1:0] s2_slot_o,        // slot that it takes
  output reg  [EVENT_W-1:0] s2_entry_o,      // of one that is injected
  output wire [1:0] s2_stands_o,             // words of its pair that stand in the temporary line
  // for counters
  output wire held_o,            // requests are held
  output reg  s2_extra_o,        // it opens an additional temporary line
  output wire [2:0] s2_cause_o,  // it waits: as a load or store, for its tag, for its turn
  output reg  turned_o,          // a request was turned back; what it lacks:
  output wire [5:0] lacks_o      // {what a fence waits for, way, miss, slot, entry, answer}
);
  localparam CMP_W = (HAS_COMPARE != 0) ? 64 : 1;
  localparam [4:0] LAST_OP = 5'd23;         // codes from here on mean nothing
  localparam REQ_W = ((TID_CHECK != 0) ? 1 : 0) + 5 + 2 + 2 + ADDR_W + TID_W + 64 + CMP_W;

  // ---- queue ----
  reg kill_q, f1_valid, f2_valid, f3_valid, f4_valid;
  wire goes, f0_moves;
  wire [REQ_W-1:0] f0_word;
  wire req_slow = req_op_i[4:2] == 3'd2 || req_op_i == 5'd13 ||
    req_op_i == 5'd14;
  wire [REQ_W-1:0] req_word;
  wire queue_ready, f0_live;
  assign req_ready_o = queue_ready && tids_ready_i;
  wire req_unit = req_op_i >= 5'd15 && req_op_i < LAST_OP;
  atomic_merge_queue #(.WIDTH(REQ_W), .DEPTH(QUEUE), .PAIR_W(ADDR_W-3), .APART(APART)) queue (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(req_valid_i && tids_ready_i), .ready_o(queue_ready),
    .word_i(req_word),
    .pair_i(req_addr_i[ADDR_W-1:3]), .slow_i(req_slow), .unit_i(req_unit), .goes_i(goes),
    .kill_i(kill_q), .flows_i(flows_i),
    .behind_i(f1_valid), .held_o(held_o), .valid_o(f0_moves), .word_o(f0_word));

  // ---- f0: operands are repeated to fill 8 bytes ----
  wire [4:0] f0_op;
  wire [1:0] f0_size, f0_mode;
  wire [ADDR_W-1:0] f0_addr;
  wire [TID_W-1:0] f0_tid;
  wire [63:0] f0_data;
  wire [CMP_W-1:0] f0_compare;
  generate
    if (TID_CHECK != 0) begin : g_live
      assign req_word = {live_i, req_op_i, req_size_i, req_mode_i, req_addr_i, req_tid_i, req_data_i,
        req_compare_i[CMP_W-1:0]};
      assign {f0_live, f0_op, f0_size, f0_mode, f0_addr, f0_tid, f0_data, f0_compare} = f0_word;
    end else begin : g_any
      assign req_word = {req_op_i, req_size_i, req_mode_i, req_addr_i, req_tid_i, req_data_i,
        req_compare_i[CMP_W-1:0]};
      assign {f0_op, f0_size, f0_mode, f0_addr, f0_tid, f0_data, f0_compare} = f0_word;
      assign f0_live = 1'b0;
      wire unused_live = &{1'b0, live_i};
    end
  endgenerate
  // An increment or decrement counts 1, modulo 1 nothing.
  wire f0_counts = HAS_MODULO != 0 && (f0_op == 5'd15 || f0_op == 5'd16);
  wire f0_one_step = |f0_compare[(CMP_W > 32 ? 31 : 0):0] ||
    (f0_size == 2'd3 && |f0_compare[CMP_W-1:CMP_W/2]);
  wire [63:0] f0_operand = f0_counts ? {31'd0, f0_one_step && f0_size != 2'd3, 31'd0, f0_one_step} :
                           (f0_size == 2'd3) ? f0_data : (f0_size == 2'd2) ? {2{f0_data[31:0]}} :
                           (f0_size == 2'd1) ? {4{f0_data[15:0]}} : {8{f0_data[7:0]}};
  wire [63:0] f0_against;
  generate
    if (HAS_COMPARE != 0) begin : g_against
      assign f0_against = (f0_size == 2'd3) ? f0_compare : {2{f0_compare[31:0]}};
    end else begin : g_no_against
      assign f0_against = 64'd0;
      wire unused_compare = &{1'b0, f0_compare, req_compare_i[63:1]};
    end
  endgenerate
  wire [31:0] f0_one = 32'd1 << f0_op;
  wire f0_known = |(f0_one & BUILT);
  wire f0_barrier = f0_op == 5'd2 || f0_op == 5'd3;
  wire f0_atomic = f0_op[4:2] != 3'd0;
  wire f0_joins = f0_atomic && (FLOAT_MERGE != 0 || (f0_op != 5'd19 && f0_op != 5'd20));
  wire f0_misaligned = (f0_size[1] && f0_addr[1]) || (f0_size != 2'd0 && f0_addr[0]) ||
    (f0_size == 2'd3 && f0_addr[2]);
  // K - 1 of 32 bits and an addend below K.
  wire f0_no_modulo;
  generate
    if (HAS_MODULO != 0) begin : g_modulo
      wire modulo = f0_op == 5'd15 || f0_op == 5'd16 || f0_op == 5'd17;
      wire too_large = (f0_size[0] ? f0_data : {32'd0, f0_data[31:0]}) > f0_compare;
      assign f0_no_modulo = modulo && ((f0_size == 2'd2 && |f0_compare[63:32]) ||
        (f0_op == 5'd17 && too_large));
    end else begin : g_no_modulo
      assign f0_no_modulo = 1'b0;
    end
  endgenerate
  wire f0_bad = f0_live || !f0_known || f0_no_modulo || f0_mode == 2'd3 ||
                (!f0_barrier && (f0_misaligned || (f0_atomic && (!f0_size[1] ||
                  (f0_size == 2'd3 && WIDE == 0)))));

  // ---- f1, f2, f3: looked up ----
  reg [4:0] f1_op, f2_op, f3_op, f4_op;
  reg [1:0] f1_size, f2_size, f3_size, f4_size, f1_mode, f2_mode, f3_mode, f4_mode;
  reg [ADDR_W-1:0] f1_addr, f2_addr, f3_addr, f4_addr;
  reg [TID_W-1:0] f1_tid, f2_tid, f3_tid, f4_tid;
  reg [63:0] f1_operand, f2_operand, f3_operand, f4_operand, f1_against, f2_against, f3_against, f4_against;
  reg f1_bad, f2_bad, f3_bad, f4_bad, f1_barrier, f2_barrier, f3_barrier, f4_barrier;
  reg f1_atomic, f2_atomic, f3_atomic, f4_atomic, f1_extra, f2_extra, f3_extra, f4_extra;
  reg f1_keep, f2_keep, f3_keep, f4_keep;
  reg [1:0] f1_word, f2_word, f3_word, f4_word;
  reg [WORDS-1:0] f3_words, f4_words;
  reg f2_over1, f2_over2, f3_over1, f3_over2, f4_over1, f4_over2; // the one, two requests in front: same word
  wire f2_plain = f2_valid && !f2_bad && !f2_barrier;
  wire f3_plain = f3_valid && !f3_bad && !f3_barrier;
  assign f1_line_o = f1_addr[ADDR_W-1:LINE_LG];
  assign f2_line_o = f2_addr[ADDR_W-1:LINE_LG];
  assign f3_atomic_o = f3_atomic;
  assign f3_bitwise_o = f3_op[4:2] == 3'd1 && f3_op[1:0] != 2'd0;
  assign f3_cas_o = f3_op == 5'd13 || (HAS_MODULO != 0 && f3_op >= 5'd15 && f3_op < 5'd18);
  assign f3_wide_o = f3_size[0];
  assign f3_op_o = f3_op;
  assign f3_against_o = f3_against;
  assign f3_words_o = f3_words;
  assign f3_pair_o = f3_addr[LINE_LG-1:3];
  always @(posedge clk_i) begin
    f1_valid <= f0_moves && !kill_q;
    f2_valid <= f1_valid && !kill_q;
    f3_valid <= f2_valid && !kill_q;
    f4_valid <= f3_valid && !kill_q;
    {f1_op, f1_size, f1_mode, f1_addr, f1_tid} <= {f0_op, f0_size, f0_mode, f0_addr, f0_tid};
    {f2_op, f2_size, f2_mode, f2_addr, f2_tid} <= {f1_op, f1_size, f1_mode, f1_addr, f1_tid};
    {f3_op, f3_size, f3_mode, f3_addr, f3_tid} <= {f2_op, f2_size, f2_mode, f2_addr, f2_tid};
    {f4_op, f4_size, f4_mode, f4_addr, f4_tid} <= {f3_op, f3_size, f3_mode, f3_addr, f3_tid};
    {f1_operand, f2_operand, f3_operand, f4_operand} <= {f0_operand, f1_operand, f2_operand, f3_operand};
    {f1_against, f2_against, f3_against, f4_against} <= {f0_against, f1_against, f2_against, f3_against};
    {f1_bad, f2_bad, f3_bad, f4_bad} <= {f0_bad, f1_bad, f2_bad, f3_bad};
    {f1_barrier, f2_barrier, f3_barrier, f4_barrier} <= {f0_barrier, f1_barrier, f2_barrier, f3_barrier};
    {f1_atomic, f2_atomic, f3_atomic, f4_atomic} <= {f0_joins, f1_atomic, f2_atomic, f3_atomic};
    {f1_keep, f2_keep, f3_keep, f4_keep} <= {|(f0_one & KEEP), f1_keep, f2_keep, f3_keep};
    {f1_extra, f2_extra, f3_extra, f4_extra} <= {|(f0_one & EXTRA), f1_extra, f2_extra, f3_extra};
    f1_word <= (f0_size == 2'd3) ? 2'd3 : {f0_addr[2], !f0_addr[2]};
    {f2_word, f3_word, f4_word} <= {f1_word, f2_word, f3_word};
    f3_words <= {{(WORDS-2){1'b0}}, f2_word} << {f2_addr[LINE_LG-1:3], 1'b0};
    f4_words <= f3_words;
    f2_over1 <= f2_plain && f2_addr[ADDR_W-1:3] == f1_addr[ADDR_W-1:3] && |(f2_word & f1_word);
    f2_over2 <= f3_plain && f3_addr[ADDR_W-1:3] == f1_addr[ADDR_W-1:3] && |(f3_word & f1_word);
    {f3_over1, f3_over2, f4_over1, f4_over2} <= {f2_over1, f2_over2, f3_over1, f3_over2};
    if (rst_i) begin
      f1_valid <= 1'b0;
      f2_valid <= 1'b0;
      f3_valid <= 1'b0;
      f4_valid <= 1'b0;
    end
  end

  // ---- f4: decided. Joining and waiting are both made ready; what is known last chooses between them. ----
  reg [MAX_TEMPS-1:0] s2_blocks, s3_blocks; // temporary lines that a request blocked for its words
  wire act = f4_valid && runs_i && !kill_q;
  wire missing = !f4_bad && !f4_barrier && !hit_i;
  wire misses = missing && !inject_i;
  wire relaxed = f4_mode == 2'd2;
  wire parks = !relaxed || f4_keep;
  wire [MAX_TEMPS-1:0] joinable = match_i & ~blocked_i & ~(s2_blocks & {MAX_TEMPS{f4_over1}}) &
                              ~(s3_blocks & {MAX_TEMPS{f4_over2}});
  wire [MAX_TEMPS-1:0] first_closed = ~open_i & (open_i + {{(MAX_TEMPS-1){1'b0}}, 1'b1});
  wire opens = f4_atomic && !(|match_i) && !(&open_i) && (f4_extra || !(|open_i));
  wire own_slotted = |(match_i & slotted_i);
  wire line_ready = missed_i || (miss_ready_i && way_free_i);
  wire may_park = entry_i && (own_slotted || slot_ready_i);
  wire may_join = act && missing && line_ready && (!relaxed || room_i) && (!parks || may_park);
  wire may_wait = act && missing && line_ready && entry_i && (wait_slotted_i || slot_ready_i);
  wire barrier_done = none_missing_i && (!f4_op[0] || (flush_done_i && !rel_busy_i));
  wire other = act && room_i && (f4_bad || (f4_barrier && barrier_done) || (!f4_barrier && hit_i));
  wire joins = opens || |joinable;
  wire changes_join = !missed_i || opens || (parks && !own_slotted);  // what those behind have looked up
  wire changes_wait = !missed_i || !wait_slotted_i;
  assign goes = other || (joins ? may_join : may_wait);
  wire again = joins ? !may_join || changes_join : !may_wait || changes_wait;
  reg [WHICH_W-1:0] number;
  wire [MAX_TEMPS-1:0] which = opens ? first_closed : joinable;
  integer i;
  always @* begin
    number = {WHICH_W{1'b0}};
    for (i = 0; i < MAX_TEMPS; i = i + 1)
      if (which[i]) number = number | i[WHICH_W-1:0];
  end
  reg [1:0] stands;
  always @* begin
    stands = 2'd0;
    for (i = 0; i < MAX_TEMPS; i = i + 1) stands = stands | (stands_i[2*i +: 2] & {2{joinable[i] && !opens}});
  end

  // ---- s2 ----
  reg s2_performs, s2_joins, s2_waits, s2_opens_miss, s2_opens_temp, s2_parks, s2_takes_slot, s2_answers,
    s2_barrier;
  reg f1_live, f2_live, f3_live, f4_live;
  reg s2_over1, s2_over2, s3_joins, s4_joins;
  reg [1:0] s2_stands, s2_word, s3_word, s4_word;
  reg [MAX_TEMPS-1:0] s3_which, s4_which;
  wire near1 = s2_over1 && s3_joins && |(s2_which_o & s3_which);
  wire near2 = s2_over2 && s4_joins && |(s2_which_o & s4_which);
  assign s2_stands_o = s2_stands | (s3_word & {2{near1}}) | (s4_word & {2{near2}});
  assign s2_performs_o = s2_valid_o && s2_performs;
  assign s2_joins_o = s2_valid_o && s2_joins;
  assign s2_waits_o = s2_valid_o && s2_waits;
  assign s2_opens_miss_o = s2_valid_o && s2_opens_miss;
  assign s2_opens_temp_o = s2_valid_o && s2_opens_temp;
  assign s2_parks_o = s2_valid_o && s2_parks;
  assign s2_takes_slot_o = s2_valid_o && s2_takes_slot;
  assign s2_answers_o = s2_valid_o && s2_answers;
  assign s2_flushed_o = s2_valid_o && s2_barrier && s2_op_o[0];
  assign s2_gives_o = s2_performs_o && (s2_op_o == 5'd0 || (s2_op_o != 5'd1 && s2_mode_o == 2'd0));
  always @(posedge clk_i) begin
    kill_q <= leaves_i || (act && (missing ? again : !other || (f4_barrier && !f4_bad && f4_op[0])));
    s2_valid_o <= goes || inject_i;
    s2_injected_o <= inject_i;
    s2_item_o <= inject_i && inject_item_i;
    s2_refused_o <= f4_bad && !inject_i;
    {f1_live, f2_live, f3_live, f4_live} <= {f0_live, f1_live, f2_live, f3_live};
    s2_live_o <= f4_live && !inject_i;
    s2_barrier <= f4_barrier && !f4_bad && !inject_i;
    s2_performs <= inject_i || (hit_i && !f4_bad && !f4_barrier);
    s2_joins <= misses && joins;
    s2_waits <= misses && !joins;
    s2_opens_miss <= misses && !missed_i;
    s2_opens_temp <= misses && opens;
    s2_parks <= misses && joins && parks;
    s2_keeps_o <= misses && joins && f4_keep;
    s2_takes_slot <= misses && (joins ? parks && !own_slotted : !wait_slotted_i);
    s2_answers <= !inject_i && (!missing || (joins && relaxed));
    s2_evicts_o <= act && missing && !missed_i && miss_ready_i && evictable_i && !rel_busy_i;
    s2_flushes_o <= act && !f4_bad && f4_barrier && f4_op[0] && none_missing_i && !flush_done_i;
    s2_op_o <= inject_i ? inject_op_i : f4_op;
    s2_size_o <= inject_i ? inject_size_i : f4_size;
    s2_mode_o <= inject_i ? inject_mode_i : f4_mode;
    s2_line_o <= f4_addr[ADDR_W-1:LINE_LG];
    s2_offset_o <= inject_i ? inject_offset_i : f4_addr[LINE_LG-1:0];
    s2_tid_o <= inject_i ? inject_tid_i : f4_tid;
    s2_operand_o <= inject_i ? inject_data_i : f4_operand;
    s2_against_o <= inject_i ? inject_compare_i : f4_against;
    s2_words_o <= f4_words;
    s2_place_o <= inject_i ? inject_place_i :
                  {f4_addr[LINE_LG +: SET_W], hit_i ? hit_way_i : way_free_i ? free_way_i : victim_i};
    s2_miss_o <= missed_i ? miss_i : miss_new_i;
    s2_which_o <= which;
    s2_number_o <= number;
    s2_slot_o <= slot_new_i;
    s2_entry_o <= inject_entry_i;
    s2_blocks <= {MAX_TEMPS{!joins}} | ~which;
    s3_blocks <= s2_blocks;
    s2_stands <= (inject_i && inject_item_i) ? inject_stands_i : stands;
    s2_over1 <= f4_over1;
    s2_over2 <= f4_over2;
    s2_word <= f4_word;
    {s3_word, s4_word} <= {s2_word, s3_word};
    {s3_which, s4_which} <= {s2_which_o, s3_which};
    {s3_joins, s4_joins} <= {s2_joins_o, s3_joins};
    if (rst_i) begin
      kill_q <= 1'b0;
      s2_valid_o <= 1'b0;
      s2_evicts_o <= 1'b0;
      s2_flushes_o <= 1'b0;
    end
  end

  // ---- for counters: why a request waits, or was turned back ----
  reg s2_atomic, s2_matched, t_missing, t_fence, t_line, t_miss, t_relaxed, t_entry;
  assign s2_cause_o = {s2_atomic && s2_matched, s2_atomic && !s2_matched, !s2_atomic} & {3{s2_waits_o}};
  wire t_list = t_missing && t_line && !t_relaxed;
  assign lacks_o = {t_fence, t_missing && !t_line && t_miss, t_missing && !t_line && !t_miss,
    t_list && t_entry, t_list && !t_entry, t_missing ? t_line && t_relaxed : !t_fence};
  always @(posedge clk_i) begin
    s2_extra_o <= misses && opens && |open_i;
    s2_atomic <= f4_atomic;
    s2_matched <= |match_i;
    turned_o <= act && !goes && !rst_i;
    t_missing <= missing;
    t_fence <= f4_barrier && !f4_bad && !barrier_done;
    t_line <= line_ready;
    t_miss <= miss_ready_i;
    t_relaxed <= joins && relaxed && (!f4_keep || may_park);
    t_entry <= entry_i;
  end
endmodule

`default_nettype wire
