// SPDX-License-Identifier: Apache-2.0
// atomic_merge_temps: lines that are missing, and the temporary lines opened for them, in distributed RAM
// that is addressed by the number of the miss. A request's line is compared with all misses in f1, the
// number of its miss formed in f2, what is known of its temporary lines compared in f3, and the result is
// there in f4. The decision comes back in s2, where tags, words and slots are written, and lists in s3, so
// that a request in f3 does not see the two before it (the front adds what they do to its words). While a
// line arrives the engine has the tables: `e_*` is what they say of the miss and the temporary line that it
// names. Reset: nothing is missing.
`default_nettype none

module atomic_merge_temps #(
  parameter MISSES = 8,     // lines fetched at once; 2..16 lines, a power of 2
  parameter MAX_TEMPS = 2,  // temporary lines of one line address; 1..4 lines
  parameter WORDS = 16,     // words of a line
  // Lists of requests, each with the line as it stood before its merge, that wait or are spooled; 2..32
  // lists, a power of 2.
  parameter OLD_LINES = 8,
  parameter PLACE_W = 5,              // bits of a line's place: set and way
  parameter LINE_AW = 26,             // bits of a line address
  parameter EVENT_W = 7,              // bits of an event: entry of the stall buffer, or temporary line
  parameter HAS_CAS = 1,              // or another operation that compares: value in the tag
  parameter OP_W = 4,                 // bits of an operation's code that differ
  parameter MISS_W = $clog2(MISSES),  // bits of the number of a miss
  // Bits of the number of a slot: a list with the line before its merge.
  parameter SLOT_W = $clog2(OLD_LINES),
  // Bits of which temporary line of its miss it is.
  parameter WHICH_W = (MAX_TEMPS > 1) ? $clog2(MAX_TEMPS) : 1
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // The request that is looked up: line address in f1; in f3 whether it is an atomic, bitwise, one that
  // compares, of 64 bits; its code, the value compared with, its words, its pair.
  input  wire [LINE_AW-1:0] f1_line_i,
  input  wire f3_atomic_i,
  input  wire f3_bitwise_i,
  input  wire f3_cas_i,
  input  wire f3_wide_i,
  input  wire [OP_W-1:0] f3_op_i,
  input  wire [63:0] f3_against_i,
  input  wire [WORDS-1:0] f3_words_i,
  input  wire [$clog2(WORDS/2)-1:0] f3_pair_i,
  output reg  missed_o,                    // in f4: its line is missing
  output reg  [MISS_W-1:0] miss_o,         // number of that miss
  output reg  [MAX_TEMPS-1:0] open_o,      // temporary lines of that miss
  output reg  [MAX_TEMPS-1:0] match_o,     // one with the request's tag
  output reg  [MAX_TEMPS-1:0] blocked_o,   // for a word of the request
  output reg  [MAX_TEMPS-1:0] slotted_o,   // with a slot
  output reg  [2*MAX_TEMPS-1:0] stands_o,  // words of the request's pair
  output reg  wait_slotted_o,              // the list of waiting requests has a slot
  output reg  miss_ready_o,                // a miss may be opened: this one
  output reg  [MISS_W-1:0] miss_new_o,     // that miss
  output reg  none_o,                      // nothing is missing
  output wire some_o,                      // lines are missing

  // s2: what the request does
  input  wire opens_miss_i,
  input  wire opens_temp_i,
  input  wire joins_i,
  input  wire waits_i,
  input  wire parks_i,
  input  wire relaxed_i,                    // answered when it joins
  input  wire takes_slot_i,
  input  wire [MISS_W-1:0] s2_miss_i,
  input  wire [MAX_TEMPS-1:0] s2_which_i,
  input  wire [WHICH_W-1:0] s2_number_i,    // the same as a number
  input  wire [LINE_AW-1:0] s2_line_i,
  input  wire [PLACE_W-1:0] s2_place_i,
  input  wire [OP_W-1:0] s2_op_i,
  input  wire s2_wide_i,
  input  wire [63:0] s2_against_i,
  input  wire [WORDS-1:0] s2_words_i,
  input  wire [SLOT_W-1:0] s2_slot_i,
  input  wire [EVENT_W-1:0] s2_entry_i,
  // s4: a link of a list
  output reg  link_o,
  output reg  [EVENT_W-1:0] link_entry_o,
  output reg  [EVENT_W-1:0] link_next_o,

  input  wire fetched_i,                    // this fetch went out
  input  wire [MISS_W-1:0] fetched_miss_i,  // its miss
  input  wire [MISS_W-1:0] ask_miss_i,      // a miss that is asked for
  output wire asked_o,                      // this miss waits for a fill
  input  wire arrives_i,                    // the engine has the tables
  input  wire lands_i,                      // its fill is here
  input  wire ends_i,                       // the miss is over
  input  wire [MISS_W-1:0] e_miss_i,        // miss that the engine names
  input  wire [WHICH_W-1:0] e_which_i,      // which of its temporary lines
  // What the tables say of that miss: line address, place, first and last waiting entry, slot of their list;
  // and of that temporary line: operation, 64 bits, value compared with, words that stand, whether it has a
  // slot and which, first and last entry of its list, requests that were answered when they joined.
  output wire [LINE_AW-1:0] e_line_o,
  output wire [PLACE_W-1:0] e_place_o,
  output wire [EVENT_W-1:0] e_first_o,
  output wire [EVENT_W-1:0] e_last_o,
  output wire [SLOT_W-1:0] e_wait_slot_o,
  output wire [OP_W-1:0] e_op_o,
  output wire e_wide_o,
  output wire [63:0] e_against_o,
  output wire [WORDS-1:0] e_stands_o,
  output wire e_slotted_o,
  output wire [SLOT_W-1:0] e_slot_o,
  output wire [EVENT_W-1:0] e_head_o,
  output wire [EVENT_W-1:0] e_tail_o,
  output wire [15:0] e_relaxed_o
);
  localparam TEMP_W = MISS_W + ((MAX_TEMPS > 1) ? WHICH_W : 0);
  localparam KIND_W = OP_W + 1;
  localparam TAG_W = KIND_W + ((HAS_CAS != 0) ? 64 : 0);

  // ---- misses ----
  reg [MISSES-1:0] valid_q, fetched_q, f2_miss;
  reg [MISSES*LINE_AW-1:0] line_q;
  reg [LINE_AW-1:0] line_of [0:MISSES-1];
  reg [PLACE_W-1:0] place_of [0:MISSES-1];
  reg [SLOT_W:0] wait_slot [0:MISSES-1];    // {there is one, its number}
  reg f3_missed;
  reg [MISS_W-1:0] f3_miss;
  wire [MISSES-1:0] f1_miss;
  genvar g;
  generate
    for (g = 0; g < MISSES; g = g + 1) begin : g_miss
      assign f1_miss[g] = valid_q[g] && line_q[LINE_AW*g +: LINE_AW] == f1_line_i;
      always @(posedge clk_i)
        if (opens_miss_i && s2_miss_i == g[MISS_W-1:0]) line_q[LINE_AW*g +: LINE_AW] <= s2_line_i;
    end
  endgenerate
  integer i;
  reg [MISS_W-1:0] f2_number, new_number;
  always @* begin
    f2_number = {MISS_W{1'b0}};
    new_number = {MISS_W{1'b0}};
    for (i = MISSES - 1; i >= 0; i = i - 1) begin
      if (f2_miss[i]) f2_number = f2_number | i[MISS_W-1:0];
      if (!valid_q[i]) new_number = i[MISS_W-1:0];
    end
  end
  wire [MISS_W-1:0] f2_look = arrives_i ? e_miss_i : f2_number;
  assign asked_o = valid_q[ask_miss_i] && (fetched_q[ask_miss_i] || (fetched_i &&
    fetched_miss_i == ask_miss_i));
  assign some_o = |valid_q;
  assign e_line_o = line_of[e_miss_i];
  assign e_place_o = place_of[e_miss_i];
  wire takes_wait = opens_miss_i || (takes_slot_i && waits_i);
  wire [SLOT_W:0] f3_wait_slot = wait_slot[f3_miss];
  assign e_wait_slot_o = f3_wait_slot[SLOT_W-1:0];
  always @(posedge clk_i) begin
    f2_miss <= f1_miss;
    f3_missed <= |f2_miss;
    f3_miss <= f2_look;
    missed_o <= f3_missed;
    miss_o <= f3_miss;
    wait_slotted_o <= f3_missed && f3_wait_slot[SLOT_W];
    miss_ready_o <= !(&valid_q);
    miss_new_o <= new_number;
    none_o <= !(|valid_q);
    if (opens_miss_i) begin
      line_of[s2_miss_i] <= s2_line_i;
      place_of[s2_miss_i] <= s2_place_i;
      valid_q[s2_miss_i] <= 1'b1;
      fetched_q[s2_miss_i] <= 1'b0;
    end
    if (takes_wait) wait_slot[s2_miss_i] <= {waits_i, s2_slot_i};
    if (fetched_i) fetched_q[fetched_miss_i] <= 1'b1;
    if (lands_i) fetched_q[e_miss_i] <= 1'b0;
    if (ends_i) valid_q[e_miss_i] <= 1'b0;
    if (rst_i) valid_q <= {MISSES{1'b0}};
  end

  // ---- temporary lines: a bank for each of a miss ----
  wire [KIND_W*MAX_TEMPS-1:0] tags;
  wire [64*MAX_TEMPS-1:0] against;
  wire [WORDS*MAX_TEMPS-1:0] stands;
  wire [SLOT_W*MAX_TEMPS-1:0] slots;
  wire [MAX_TEMPS-1:0] slotted;
  generate
    for (g = 0; g < MAX_TEMPS; g = g + 1) begin : g_bank
      reg open [0:MISSES-1];
      reg [TAG_W-1:0] tag [0:MISSES-1];
      reg [WORDS-1:0] standing [0:MISSES-1];
      reg [WORDS-1:0] blocking [0:MISSES-1];
      reg [SLOT_W:0] slot [0:MISSES-1];
      wire opens = opens_temp_i && s2_which_i[g];
      wire takes = opens || (takes_slot_i && parks_i && s2_which_i[g]);
      wire sets = joins_i && s2_which_i[g];
      wire [WORDS-1:0] stands_before = standing[s2_miss_i];
      wire [WORDS-1:0] blocks_before = blocking[s2_miss_i];
      reg [TAG_W-1:0] f3_tag;
      always @(posedge clk_i) f3_tag <= tag[f2_look];
      wire [WORDS-1:0] f3_stands = standing[f3_miss];
      wire [WORDS-1:0] f3_blocks = blocking[f3_miss];
      wire [SLOT_W:0] f3_slot = slot[f3_miss];
      wire f3_open = f3_missed && open[f3_miss];
      wire same;
      if (HAS_CAS != 0) begin : g_against
        always @(posedge clk_i) if (opens) tag[s2_miss_i] <= {s2_against_i, s2_wide_i, s2_op_i};
        assign same = !f3_cas_i || f3_tag[TAG_W-1:KIND_W] == f3_against_i;
        assign against[64*g +: 64] = f3_tag[TAG_W-1:KIND_W];
      end else begin : g_no_against
        always @(posedge clk_i) if (opens) tag[s2_miss_i] <= {s2_wide_i, s2_op_i};
        assign same = 1'b1;
        assign against[64*g +: 64] = 64'd0;
        wire unused = &{1'b0, f3_cas_i, f3_against_i, s2_against_i};
      end
      assign tags[KIND_W*g +: KIND_W] = f3_tag[KIND_W-1:0];
      assign stands[WORDS*g +: WORDS] = f3_stands;
      assign {slotted[g], slots[SLOT_W*g +: SLOT_W]} = f3_slot;
      always @(posedge clk_i) begin
        if (opens_miss_i || opens) open[s2_miss_i] <= opens;
        if (joins_i || waits_i) begin
          standing[s2_miss_i] <= (stands_before & {WORDS{!opens}}) | (s2_words_i & {WORDS{sets}});
          blocking[s2_miss_i] <= (blocks_before & {WORDS{!opens}}) | (s2_words_i & {WORDS{!sets}});
        end
        if (takes) slot[s2_miss_i] <= {parks_i, s2_slot_i};
        open_o[g] <= f3_open;
        match_o[g] <= f3_open && f3_atomic_i && same && f3_tag[OP_W-1:0] == f3_op_i &&
                      (f3_bitwise_i || f3_tag[OP_W] == f3_wide_i);
        blocked_o[g] <= |(f3_blocks & f3_words_i);
        slotted_o[g] <= f3_slot[SLOT_W];
        stands_o[2*g +: 2] <= f3_stands[{f3_pair_i, 1'b0} +: 2];
      end
    end
  endgenerate
  assign {e_wide_o, e_op_o} = tags[KIND_W*e_which_i +: KIND_W];
  assign e_against_o = against[64*e_which_i +: 64];
  assign e_stands_o = stands[WORDS*e_which_i +: WORDS];
  assign e_slot_o = slots[SLOT_W*e_which_i +: SLOT_W];
  assign e_slotted_o = slotted[e_which_i];

  // ---- s3: lists ----
  reg [EVENT_W-1:0] m_first [0:MISSES-1];
  reg [EVENT_W-1:0] m_last [0:MISSES-1];
  reg [EVENT_W-1:0] t_first [0:(1<<TEMP_W)-1];
  reg [EVENT_W-1:0] t_last [0:(1<<TEMP_W)-1];
  reg [15:0] t_relaxed [0:(1<<TEMP_W)-1];
  reg s3_opens_miss, s3_opens_temp, s3_joins, s3_waits, s3_parks, s3_takes, s3_relaxed;
  reg [MISS_W-1:0] s3_miss;
  reg [WHICH_W-1:0] s3_number;
  reg [EVENT_W-1:0] s3_entry;
  wire [TEMP_W-1:0] s3_temp, e_temp;
  generate
    if (MAX_TEMPS > 1) begin : g_numbers
      assign s3_temp = {s3_number, s3_miss};
      assign e_temp = {e_which_i, e_miss_i};
    end else begin : g_number
      assign s3_temp = s3_miss;
      assign e_temp = e_miss_i;
      wire unused_number = &{1'b0, s3_number};
    end
  endgenerate
  wire [EVENT_W-1:0] event_of = {1'b1, {(EVENT_W-1-TEMP_W){1'b0}}, s3_temp};
  wire [EVENT_W-1:0] s3_event = s3_opens_temp ? event_of : s3_entry;
  wire appends = s3_waits || s3_opens_temp;
  wire [15:0] relaxed_now = s3_opens_temp ? 16'd0 : t_relaxed[s3_temp];
  wire counts = s3_relaxed && relaxed_now != 16'hffff;
  assign e_first_o = m_first[e_miss_i];
  assign e_last_o = m_last[e_miss_i];
  assign e_head_o = t_first[e_temp];
  assign e_tail_o = t_last[e_temp];
  assign e_relaxed_o = t_relaxed[e_temp];
  always @(posedge clk_i) begin
    s3_opens_miss <= opens_miss_i;
    s3_opens_temp <= opens_temp_i;
    s3_joins <= joins_i;
    s3_waits <= waits_i;
    s3_parks <= parks_i;
    s3_relaxed <= relaxed_i;
    s3_takes <= takes_slot_i;
    s3_miss <= s2_miss_i;
    s3_number <= s2_number_i;
    s3_entry <= s2_entry_i;
    if (appends && s3_opens_miss) m_first[s3_miss] <= s3_event;
    if (appends) m_last[s3_miss] <= s3_event;
    if (s3_parks && s3_takes) t_first[s3_temp] <= s3_entry;
    if (s3_parks) t_last[s3_temp] <= s3_entry;
    if (s3_joins) t_relaxed[s3_temp] <= relaxed_now + {15'd0, counts};
    // A request appends to one list that has entries at most: a parked one that opens is its list's first.
    link_o <= (appends && !s3_opens_miss) || (s3_parks && !s3_takes);
    link_entry_o <= appends ? m_last[s3_miss] : t_last[s3_temp];
    link_next_o <= s3_event;
    if (rst_i) begin
      s3_joins <= 1'b0;
      s3_waits <= 1'b0;
      s3_opens_temp <= 1'b0;
      s3_parks <= 1'b0;
      link_o <= 1'b0;
    end
  end
endmodule

`default_nettype wire
