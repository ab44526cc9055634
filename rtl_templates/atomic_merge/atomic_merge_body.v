// SPDX-License-Identifier: Apache-2.0
// atomic_merge_body: what the cache does with requests and lines: front, lines, misses with their temporary
// lines, engine, pipeline, stall buffer, counters and witness, wired together. Whoever is around it
// (atomic_merge_core) holds back what a halt holds back, keeps fetches and answers until they are taken, and
// has the order of bytes in lines. Reset: all lines invalid, nothing held, the errors cleared; clear_i is the
// same but for the counters.
`default_nettype none

module atomic_merge_body #(
  parameter LINE_BYTES = 64,  // size of a line; 16..128 bytes, a power of 2
  parameter LINES = 32,       // true lines, at least two sets; 4..256 lines, a power of 2
  parameter WAYS = 4,         // places where a line may be; 2..8 ways, a power of 2
  parameter QUEUE = 16,       // accepted requests in front of the pipeline; 2..64 requests, a power of 2
  parameter STALL_BUF = 64,   // requests that are parked or wait for a line; 2..2048 requests
  // 32-bit words merged in a cycle, and carried by a beat of the fill and release channels; 2..16 words, a
  // power of 2.
  parameter MERGE_LANES = 8,
  parameter MISSES = 8,     // lines fetched at once; 2..16 lines, a power of 2
  parameter MAX_TEMPS = 2,  // temporary lines of one line address; 1..4 lines
  // Lists of requests, each with the line as it stood before its merge, that wait or are spooled; 2..32
  // lists, a power of 2.
  parameter OLD_LINES = 8,
  parameter TID_W = 10,              // width of a thread id; 1..16 bits
  parameter ADDR_W = 32,             // width of a byte address; 16..48 bits
  parameter WIDE_ATOMICS = 1,        // 1: atomics of 64 bits beside those of 32
  parameter HAS_SUM = 1,             // add, minimum or maximum is built
  parameter HAS_LOGIC = 1,           // a bitwise operation is built
  parameter HAS_CAS = 1,             // compare-and-swap is built
  parameter HAS_SAT = 0,             // saturating add is built
  parameter HAS_MODULO = 0,          // an operation modulo K is built
  parameter HAS_MUL = 0,             // multiply is built
  parameter [2:0] HAS_FLOAT = 3'd0,  // floats that are built: {minimum or maximum, multiply, add}
  // 1: float adds and multiplies are accumulated; 0: they wait for their line and are exactly serial.
  parameter FLOAT_MERGE = 1,
  parameter APART = 0,                // cycles behind an operation of the unit
  parameter OP_W = 4,                 // bits of an operation's code that differ
  parameter [31:0] BUILT = 32'h3fff,  // operations, a bit each
  parameter [31:0] EXTRA = 32'd0,     // those that open an extra temporary line
  parameter [31:0] KEEP = 32'd0,      // those that are all parked, with their operands
  // 1: a request whose thread id has one under way is refused; 2^TID_W cycles behind reset nothing is
  // accepted then.
  parameter TID_CHECK = 0,
  // 1: counters of 48 bits in the registers; 0: the registers have the identification alone.
  parameter COUNTERS = 0,
  parameter WITNESS = 0,  // 1: the witness ports report each commit, for a checker; 0: they are idle
  // Unit status, halt and reset, with this encoding of state_o; none: its ports are idle; 0 none, 1 one_hot,
  // 2 two_of_four, 3 binary.
  parameter STATUS = 0,
  parameter LINE_AW = ADDR_W - $clog2(LINE_BYTES),  // bits of a line address
  parameter MISS_W = $clog2(MISSES)                 // bits of the number of a miss
) (
  input  wire clk_i,    // clock; every port is synchronous to its rising edge
  input  wire rst_i,    // synchronous reset, active high
  input  wire clear_i,  // pulse: as a reset, but for the counters

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
  input  wire live_i,                 // the offered request's thread id has one under way
  input  wire tids_ready_i,           // requests may be accepted

  input  wire room_i,                       // for an answer of the pipeline
  output wire promise_o,                    // one will come
  output wire fast_push_o,                  // an answer of the pipeline, in this cycle
  output wire [TID_W+65:0] fast_answer_o,   // that answer: {tid, status, data}
  output wire spool_valid_o,                // an answer from the stall buffer
  output wire [TID_W+65:0] spool_answer_o,  // that answer: {tid, status, data}
  input  wire spool_pop_i,                  // it is taken

  output wire fetch_o,                      // a line is wanted
  output wire [LINE_AW-1:0] fetch_line_o,   // line address: the byte address without the place in the line
  output wire [MISS_W-1:0] fetch_miss_o,    // number of its miss, the tag of the fetch
  input  wire fetched_i,                    // its fetch is taken
  input  wire [MISS_W-1:0] fetched_miss_i,  // with fetched_i: its miss

  input  wire home_valid_i,             // a beat of a fill, or a snoop. Beats of one fill follow each other.
  output wire home_ready_o,             // the beat or snoop is taken
  input  wire home_snoop_i,             // 0 beat of a fill, 1 snoop: the line is to be released
  input  wire [MISS_W-1:0] home_tag_i,  // of a fill: the tag of its fetch, in every beat
  input  wire home_error_i,             // of a fill: there is no such line. The only beat then.
  // Of a snoop: the line address. A line that is not here is on its way back already.
  input  wire [LINE_AW-1:0] home_line_i,
  input  wire [32*MERGE_LANES-1:0] home_data_i,  // of a fill: data, the line's first words in the first beat
  output wire rel_valid_o,  // a beat of a release: the line leaves for the home
  input  wire rel_ready_i,  // the beat is taken
  output wire [LINE_AW-1:0] rel_line_o,  // line address, in every beat
  output wire rel_dirty_o,  // the line was written: all its beats follow. 0: one beat, data means nothing.
  output wire rel_last_o,  // last beat of the release
  output wire [32*MERGE_LANES-1:0] rel_data_o,  // data, the line's first words in the first beat

  // Relaxed atomics that were answered and then lost with a failed fetch, saturating; until reset.
  output wire [15:0] lost_count_o,
  output wire [LINE_AW-1:0] lost_line_o,  // line address of the first of them; 0 as long as there is none
  output wire unasked_o,  // a fill came that nobody had asked for; it was dropped. Until reset.
  input  wire commit_i,                     // the three are those of a context
  input  wire [15:0] commit_count_i,  // lost_count_o of the context, with commit_i
  input  wire [LINE_AW-1:0] commit_line_i,  // lost_line_o of the context
  input  wire commit_unasked_i,  // unasked_o of the context

  input  wire shut_i,         // nothing begins
  input  wire stops_i,        // the engine begins nothing more
  input  wire settles_i,      // what only order and time follow from begins anew
  input  wire drain_flush_i,  // all lines are to be released
  output wire begins_o,       // that begins
  output wire flush_done_o,   // all lines are released, until the flush is answered
  input  wire flush_seen_i,   // the flush of drain_flush_i is known to be done
  output wire quiet_o,        // nothing is under way in the pipelines and in the engine
  output wire holds_o,        // requests, misses or answers are held

  output wire nack_clear_o,                 // a register write takes the sticky bit back
  // An access of the register port, as unit_shell has it: it executes, it is a write, its byte address; it
  // waits, it is not refused, the word read.
  input  wire reg_executes_i,
  input  wire reg_write_i,
  input  wire [9:0] reg_addr_i,
  output wire reg_waits_o,
  output wire reg_good_o,
  output wire [31:0] reg_word_o,

  output wire wit_valid_o,  // WITNESS: something took its place in the serial order, or joined what will
  // 0 request wit_tid_o is performed, 1 it joins temporary line wit_temp_o, 2 that line is merged, 3 it is
  // dropped with a failed fetch.
  output wire [1:0] wit_kind_o,
  output wire [TID_W-1:0] wit_tid_o,                     // thread id, for kinds 0 and 1; else 0
  output wire [$clog2(MISSES*MAX_TEMPS)-1:0] wit_temp_o  // temporary line, for kinds 1 to 3; else 0
);
  localparam LINE_LG = $clog2(LINE_BYTES);
  localparam BEATS = LINE_BYTES / (4 * MERGE_LANES);
  localparam TEMPS = MISSES * MAX_TEMPS;
  localparam WORDS = LINE_BYTES / 4;
  localparam BEAT_W = $clog2(BEATS);                 // may be 0
  localparam SETS = LINES / WAYS;
  localparam SET_W = $clog2(SETS);
  localparam WAY_W = $clog2(WAYS);
  localparam PLACE_W = SET_W + WAY_W;
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
  localparam HAS_COMPARE = HAS_CAS || HAS_MODULO;
  localparam EXTRA_STAGES = (APART != 0) ? APART - 2 : 0;
  wire reset = rst_i || clear_i;

  // ================ front ================
  wire runs, leaves, flows, rel_busy, entry_free;
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
  wire inject, s2_valid, s2_injected, s2_performs, s2_joins, s2_waits, s2_opens_miss, s2_opens_temp, s2_parks;
  wire s2_takes_slot, s2_answers, s2_evicts, s2_live, s2_keeps, s2_refused, s2_gives, s2_flushes, s2_flushed;
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
  wire held, none_missing;
  reg slot_ready_q;
  reg [SLOT_W-1:0] slot_new_q;
  atomic_merge_front #(
    .LINE_LG(LINE_LG), .QUEUE(QUEUE), .ADDR_W(ADDR_W), .TID_W(TID_W), .MISS_W(MISS_W), .MAX_TEMPS(MAX_TEMPS),
    .WAY_W(WAY_W), .SET_W(SET_W), .EVENT_W(EVENT_W), .SLOT_W(SLOT_W), .WIDE(WIDE_ATOMICS),
    .TID_CHECK(TID_CHECK), .HAS_COMPARE(HAS_COMPARE), .HAS_MODULO(HAS_MODULO), .FLOAT_MERGE(FLOAT_MERGE),
    .APART(APART),
    .BUILT(BUILT), .EXTRA(EXTRA), .KEEP(KEEP)
  ) front (
    .clk_i(clk_i), .rst_i(reset || settles_i), .req_valid_i(req_valid_i), .req_ready_o(req_ready_o),
    .req_op_i(req_op_i), .req_size_i(req_size_i), .req_mode_i(req_mode_i), .req_addr_i(req_addr_i),
    .req_data_i(req_data_i),
    .req_compare_i(req_compare_i), .req_tid_i(req_tid_i), .live_i(live_i),
    .tids_ready_i(tids_ready_i), .runs_i(runs && !shut_i), .leaves_i(leaves || shut_i), .flows_i(flows),
    .flush_done_i(flush_done_o), .rel_busy_i(rel_busy), .room_i(room_i), .entry_i(entry_free),
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
  wire some_missing, link_list, asked, tables, e_wide, e_slotted;
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
    .link_next_o(list_link_next), .fetched_i(fetched_i), .fetched_miss_i(fetched_miss_i),
    .ask_miss_i(ask_miss),
    .asked_o(asked), .arrives_i(tables), .lands_i(lands), .ends_i(arrival_ends), .e_miss_i(e_miss),
      .e_which_i(e_which),
    .e_line_o(e_line), .e_place_o(e_miss_place), .e_first_o(e_first), .e_last_o(e_last),
    .e_wait_slot_o(e_wait_slot), .e_op_o(e_op), .e_wide_o(e_wide), .e_against_o(e_against),
    .e_stands_o(e_stands), .e_slotted_o(e_slotted), .e_slot_o(e_slot), .e_head_o(e_head), .e_tail_o(e_tail),
    .e_relaxed_o(e_relaxed));

  // ================ engine ================
  wire read, link_done, list, list_done, list_failed, list_keep, list_slow, pass, pass_first, pass_wide;
  wire pass_keeps, engine_quiet;
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
    .clk_i(clk_i), .rst_i(reset), .home_valid_i(home_valid_i),
    .home_ready_o(home_ready_o), .stops_i(stops_i), .quiet_o(engine_quiet),
    .home_snoop_i(home_snoop_i), .home_tag_i(home_tag_i), .home_error_i(home_error_i),
    .home_line_i(home_line_i), .home_data_i(home_data_i), .rel_valid_o(rel_valid_o),
    .rel_ready_i(rel_ready_i), .rel_line_o(rel_line_o), .rel_dirty_o(rel_dirty_o),
    .rel_last_o(rel_last_o), .rel_data_o(rel_data_o), .lost_count_o(lost_count_o), .lost_line_o(lost_line_o),
    .unasked_o(unasked_o), .commit_i(commit_i), .commit_count_i(commit_count_i),
    .commit_line_i(commit_line_i),
    .commit_unasked_i(commit_unasked_i), .settles_i(settles_i),
    .stages_i({s2_valid, stages}), .evicts_i(s2_evicts), .evict_place_i(s2_place),
    .flushes_i(s2_flushes || drain_flush_i), .flush_ends_i(s2_flushed || flush_seen_i), .runs_o(runs),
    .leaves_o(leaves), .flows_o(flows), .flush_done_o(flush_done_o),
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
  integer i;
  reg [OLD_LINES-1:0] slot_used_q;
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
  wire keep, old_write;
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
    .push_o(fast_push_o), .answer_o(fast_answer_o), .keep_o(keep), .keep_entry_o(keep_entry),
    .keep_op_o(keep_op), .keep_size_o(keep_size), .keep_mode_o(keep_mode), .keep_offset_o(keep_offset),
    .keep_tid_o(keep_tid), .keep_fresh_o(keep_fresh), .keep_compare_o(keep_compare), .keep_data_o(keep_data),
    .pass_valid_i(pass), .pass_first_i(pass_first), .fill_data_i(pass_fill), .pass_stands_i(pass_stands),
    .pass_control_i(pass_control), .pass_compare_i(pass_against), .pass_modulo_i(pass_modulo),
    .pass_down_i(pass_unit[0]), .pass_wide_i(pass_wide), .pass_row_i(pass_row),
    .pass_old_i(pass_keeps), .pass_old_row_i(pass_old_row), .old_write_o(old_write), .old_row_o(old_row),
    .old_data_o(old_data));

  // ================ stall buffer ================
  wire spool_busy;
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
    .slot_o(slot_back), .valid_o(spool_valid_o), .answer_o(spool_answer_o), .pop_i(spool_pop_i),
    .closed_i(shut_i), .busy_o(spool_busy));

  // ================ counters ================
  atomic_merge_counters #(.COUNTERS(COUNTERS), .STATUS(STATUS), .LINES(LINES), .BUILT(BUILT)) counters (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear_i), .nack_clear_o(nack_clear_o),
    .executes_i(reg_executes_i), .write_i(reg_write_i), .addr_i(reg_addr_i), .waits_o(reg_waits_o),
    .good_o(reg_good_o), .word_o(reg_word_o),
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

  assign begins_o = drain_flush_i && runs && !s2_evicts;
  assign quiet_o = engine_quiet && !s2_valid && !spool_busy;
  assign holds_o = held || some_missing || |slot_used_q || spool_valid_o;
  assign promise_o = s2_answers;
  assign fetch_o = s2_opens_miss;
  assign fetch_line_o = s2_line;
  assign fetch_miss_o = s2_miss;

  wire unused = &{1'b0, f2_line[SET_W-1:0], fill_line[SET_W-1:0], unused_word, unused_byte, unused_write,
    unused_slow, unused_atomic, pass_unit,
    f3_op};
endmodule

`default_nettype wire
