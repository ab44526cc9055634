// SPDX-License-Identifier: Apache-2.0
// atomic_merge_spool: the stall buffer with its lists, the lines as they stood before their merges, and the
// engine that gives the answers of parked and done requests, one per cycle, list by list (AM-10). A list is
// handed over whole; its entries become free as they are read, its slot when the last value is rebuilt.
// Reset: no list, all entries free.
`default_nettype none

module atomic_merge_spool #(
  parameter LANES = 8,       // words of a beat, as MERGE_LANES
  parameter BEATS = 2,       // beats of a line, 1 or more
  parameter STALL_BUF = 64,  // requests that are parked or wait for a line; 2..2048 requests
  parameter EVENTS = 80,     // numbers of events
  // Lists of requests, each with the line as it stood before its merge, that wait or are spooled; 2..32
  // lists, a power of 2.
  parameter OLD_LINES = 8,
  parameter LINE_LG = 6,               // base-2 logarithm of the bytes of a line
  parameter TID_W = 10,                // width of a thread id; 1..16 bits
  parameter HAS_SUM = 1,               // add, minimum or maximum is built
  parameter HAS_LOGIC = 1,             // a bitwise operation is built
  parameter HAS_CAS = 1,               // compare-and-swap is built
  parameter HAS_SAT = 0,               // saturating add is built
  parameter EXTRA = 0,                 // stages more, for the unit; 0: it is not built
  parameter HAS_MODULO = 0,            // an operation modulo K is built
  parameter HAS_KEEP = 0,              // there are lists whose entries hold operands
  parameter HAS_MUL = 0,               // multiply is built
  parameter [2:0] HAS_FLOAT = 3'd0,    // floats that are built: {minimum or maximum, multiply, add}
  parameter [31:0] BUILT = 32'h7fff,   // operations that are built, a bit each
  parameter ENTRY_W = $clog2(EVENTS),  // bits of the number of an entry of the stall buffer
  // Bits of the number of a slot: a list with the line before its merge.
  parameter SLOT_W = $clog2(OLD_LINES),
  parameter OLD_W = $clog2(OLD_LINES*BEATS)  // bits of the row of a beat before its merge
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  output wire free_o,                      // an entry is free, taken in the next cycle: this one then
  output wire [ENTRY_W-1:0] free_entry_o,  // that entry
  input  wire take_i,                      // in the cycle after free_o
  input  wire link_i,                      // entry `link_next_i` follows `link_entry_i`
  input  wire [ENTRY_W-1:0] link_entry_i,  // the entry whose link is written
  input  wire [ENTRY_W-1:0] link_next_i,   // the entry behind it
  // The pipeline writes an entry: its number, the parts of the request, the words where nothing stood, the
  // value compared with, operand, answer or what was found.
  input  wire keep_i,
  input  wire [ENTRY_W-1:0] keep_entry_i,
  input  wire [4:0] keep_op_i,
  input  wire [1:0] keep_size_i,
  input  wire [1:0] keep_mode_i,
  input  wire [LINE_LG-1:0] keep_offset_i,
  input  wire [TID_W-1:0] keep_tid_i,
  input  wire [1:0] keep_fresh_i,
  input  wire [63:0] keep_compare_i,
  input  wire [63:0] keep_data_i,

  input  wire read_i,                  // the entry is read for others, in the next cycle it is here:
  // That entry, and in the next cycle the one behind it and the parts of its request.
  input  wire [ENTRY_W-1:0] read_entry_i,
  output wire [ENTRY_W-1:0] read_next_o,
  output wire [4:0] read_op_o,
  output wire [1:0] read_size_o,
  output wire [1:0] read_mode_o,
  output wire [LINE_LG-1:0] read_offset_o,
  output wire [TID_W-1:0] read_tid_o,
  output wire [63:0] read_compare_o,
  output wire [63:0] read_data_o,

  input  wire old_write_i,  // a beat before its merge is written
  input  wire [OLD_W-1:0] old_row_i,  // its row: slot and beat
  input  wire [32*LANES-1:0] old_data_i,  // its data
  input  wire list_i,                  // a list is handed over
  input  wire [SLOT_W-1:0] list_slot_i,  // its slot
  input  wire [ENTRY_W-1:0] list_head_i,  // its first entry
  input  wire [ENTRY_W-1:0] list_tail_i,  // its last entry
  input  wire list_done_i,             // its entries hold their answers
  input  wire list_failed_i,           // they are answered with the memory's error
  input  wire list_keep_i,             // its entries hold operands: what each finds is what those before left
  input  wire list_slow_i,             // its operation is one of the unit
  output wire slot_free_o,  // a slot is free
  output wire [SLOT_W-1:0] slot_o,  // that slot

  output wire valid_o,                // an answer is offered
  output wire [TID_W+65:0] answer_o,  // {tid, status, data}
  input  wire pop_i,                  // it is taken

  input  wire closed_i,  // no answer is begun
  output wire busy_o     // answers are being rebuilt
);
  localparam CMP_W = (HAS_CAS != 0 || HAS_MODULO != 0) ? 64 : 1;
  localparam KEPT_W = 5 + 2 + 2 + LINE_LG + TID_W + 2 + CMP_W + 64;
  localparam COUNT_W = $clog2(STALL_BUF+1);
  localparam PAIR_W = LINE_LG - 3;
  localparam [31:0] LATE = 2 + EXTRA;
  localparam [31:0] ALL_FREE = STALL_BUF;
  localparam [31:0] LAST_FRESH = STALL_BUF - 1;
  localparam FREE_W = (STALL_BUF > 1) ? $clog2(STALL_BUF) : 1;

  // ---- free entries: those never used, then those given back. A number is taken in the cycle after it was
  // seen that there is one; one that comes back counts two cycles later. ----
  reg [FREE_W-1:0] free_first_q, free_last_q;
  reg [COUNT_W-1:0] fresh_q, count_q;
  reg one_q, more_q, give_q;
  reg use_fresh;
  wire give;
  wire [ENTRY_W-1:0] given;
  wire [COUNT_W-1:0] count_d = count_q + {{(COUNT_W-1){1'b0}}, give_q} - {{(COUNT_W-1){1'b0}}, take_i};
  wire [FREE_W-1:0] free_first_d = free_first_q + {{(FREE_W-1){1'b0}}, take_i && !use_fresh};
  wire [FREE_W-1:0] back;
  assign free_o = more_q || (one_q && !take_i);
  assign free_entry_o = {{(ENTRY_W-FREE_W){1'b0}}, use_fresh ? fresh_q[FREE_W-1:0] : back};
  ram_1r1w #(.WIDTH(FREE_W), .DEPTH(1<<FREE_W)) came_back (
    .clk_i(clk_i), .we_i(give), .waddr_i(free_last_q), .wdata_i(given[FREE_W-1:0]), .raddr_i(free_first_d),
    .rdata_o(back));
  always @(posedge clk_i) begin
    give_q <= give;
    if (give) free_last_q <= free_last_q + 1'b1;
    if (take_i && use_fresh) begin
      fresh_q <= fresh_q + 1'b1;
      use_fresh <= fresh_q != LAST_FRESH[COUNT_W-1:0];
    end
    free_first_q <= free_first_d;
    count_q <= count_d;
    one_q <= count_d == {{(COUNT_W-1){1'b0}}, 1'b1};
    more_q <= |count_d[COUNT_W-1:1];
    if (rst_i) begin
      free_first_q <= {FREE_W{1'b0}};
      free_last_q <= {FREE_W{1'b0}};
      fresh_q <= {COUNT_W{1'b0}};
      count_q <= ALL_FREE[COUNT_W-1:0];
      use_fresh <= 1'b1;
      give_q <= 1'b0;
      one_q <= 1'b0;
      more_q <= 1'b1;
    end
  end

  // ---- entries and their order ----
  wire [ENTRY_W-1:0] at;
  wire [ENTRY_W-1:0] entry_read = read_i ? read_entry_i : at;
  wire [KEPT_W-1:0] kept;
  ram_1r1w #(.WIDTH(KEPT_W), .DEPTH(STALL_BUF)) entries (
    .clk_i(clk_i), .we_i(keep_i), .waddr_i(keep_entry_i[FREE_W-1:0]),
    .wdata_i({keep_op_i, keep_size_i, keep_mode_i, keep_offset_i, keep_tid_i, keep_fresh_i,
      keep_compare_i[CMP_W-1:0], keep_data_i}),
    .raddr_i(entry_read[FREE_W-1:0]), .rdata_o(kept));
  ram_1r1w #(.WIDTH(ENTRY_W), .DEPTH(EVENTS)) order (
    .clk_i(clk_i), .we_i(link_i), .waddr_i(link_entry_i), .wdata_i(link_next_i), .raddr_i(entry_read),
      .rdata_o(read_next_o));
  wire [1:0] read_fresh;
  wire [CMP_W-1:0] read_compare;
  assign {read_op_o, read_size_o, read_mode_o, read_offset_o, read_tid_o, read_fresh, read_compare,
    read_data_o} = kept;
  assign read_compare_o = (CMP_W > 1) ? {{(64-CMP_W){1'b0}}, read_compare} : 64'd0;

  // ---- lists that wait their turn ----
  reg [ENTRY_W-1:0] head [0:OLD_LINES-1];
  reg [ENTRY_W-1:0] tail [0:OLD_LINES-1];
  reg [3:0] kind [0:OLD_LINES-1];
  reg [SLOT_W-1:0] turn [0:OLD_LINES-1];
  reg [SLOT_W-1:0] turn_first_q, turn_last_q;
  reg waiting_q, spooling_q;
  reg [ENTRY_W-1:0] at_q, tail_q;
  reg [SLOT_W-1:0] slot_q;
  reg list_done_q, list_failed_q, list_keep_q, list_slow_q, issued_q, first_q;
  wire late;                           // what one of the unit leaves is not there yet
  wire [SLOT_W-1:0] next_slot = turn[turn_first_q];
  wire load = !spooling_q && waiting_q && !closed_i;
  wire [SLOT_W-1:0] turn_first_d = turn_first_q + {{(SLOT_W-1){1'b0}}, load};
  wire room;
  assign at = issued_q ? read_next_o : at_q;
  wire issue = spooling_q && !read_i && room && !closed_i && !late;
  wire last = at == tail_q;
  always @(posedge clk_i) begin
    if (list_i) begin
      head[list_slot_i] <= list_head_i;
      tail[list_slot_i] <= list_tail_i;
      kind[list_slot_i] <= {list_keep_i && HAS_KEEP != 0, list_slow_i, list_done_i, list_failed_i};
      turn[turn_last_q] <= list_slot_i;
      turn_last_q <= turn_last_q + 1'b1;
    end
    turn_first_q <= turn_first_d;
    waiting_q <= (waiting_q && !(load && turn_first_d == turn_last_q)) || list_i;
    at_q <= load ? head[next_slot] : at;
    issued_q <= issue;
    if (load) begin
      tail_q <= tail[next_slot];
      {list_keep_q, list_slow_q, list_done_q, list_failed_q} <= kind[next_slot];
      first_q <= 1'b1;
      slot_q <= next_slot;
      spooling_q <= 1'b1;
    end
    if (issue && last) spooling_q <= 1'b0;
    if (issue) first_q <= 1'b0;
    if (rst_i) begin
      turn_first_q <= {SLOT_W{1'b0}};
      turn_last_q <= {SLOT_W{1'b0}};
      waiting_q <= 1'b0;
      spooling_q <= 1'b0;
      issued_q <= 1'b0;
    end
  end

  // ---- the value is rebuilt ----
  reg s1_valid, s1_last, s1_done, s1_failed, s2_valid, s2_last, s2_done, s2_failed, s3_valid, s3_last,
    s3_done, s3_failed;
  reg s4_valid, s4_done, s4_failed, s2_gives, s3_gives, s4_gives;
  reg s1_keep, s2_keep, s3_keep, s4_keep, s1_first, s2_first, s2_silent, s3_silent, s4_silent;
  wire s1_silent = s1_keep && read_mode_o == 2'd2; // a relaxed one has its answer
  reg [SLOT_W-1:0] s1_slot, s2_slot, s3_slot;
  reg [ENTRY_W-1:0] s1_entry;
  reg [1:0] s2_size, s3_size, s4_size;
  reg [4:0] s2_op;
  reg [LINE_LG-1:0] s2_offset;
  reg [LINE_LG-1:0] s3_offset, s4_offset;
  reg [TID_W-1:0] s2_tid, s3_tid, s4_tid;
  reg [1:0] s2_fresh;
  reg [CMP_W-1:0] s2_compare, s3_compare;
  reg [63:0] s2_data, s3_data, s4_data, s3_old, s3_addend, s4_rebuilt;
  reg [25:0] s3_alu;
  assign give = s1_valid;
  assign given = s1_entry;

  wire [OLD_W-1:0] old_read;
  wire [32*LANES-1:0] old_data;
  wire [63:0] old_pair;
  generate
    if (BEATS > 1) begin : g_beats
      assign old_read = {s1_slot, read_offset_o[LINE_LG-1 -: OLD_W-SLOT_W]};
    end else begin : g_one_beat
      assign old_read = s1_slot;
    end
    if (LANES > 2) begin : g_pairs
      assign old_pair = old_data[64*s2_offset[3 +: $clog2(LANES/2)] +: 64];
    end else begin : g_one_pair
      assign old_pair = old_data;
    end
  endgenerate
  ram_1r1w #(.WIDTH(32*LANES), .DEPTH(OLD_LINES*BEATS)) old_lines (
    .clk_i(clk_i), .we_i(old_write_i), .waddr_i(old_row_i), .wdata_i(old_data_i), .raddr_i(old_read),
      .rdata_o(old_data));

  wire [1:0] s2_unset = s2_fresh & {2{!s2_keep}};
  wire [10:0] s2_control;
  wire [1:0] s2_word;
  wire [3:0] s2_unit;
  wire [7:0] s2_byte;
  wire s2_write, s2_slow, s2_atomic;
  atomic_merge_decode #(.BUILT(BUILT)) decode (.op_i(s2_op), .size_i(s2_size), .offset_i(s2_offset[2:0]),
    .control_o(s2_control), .unit_o(s2_unit),
    .word_o(s2_word), .byte_o(s2_byte), .write_o(s2_write), .slow_o(s2_slow), .atomic_o(s2_atomic));
  wire [25:0] s2_alu;
  atomic_merge_control control (.op_i(s2_control), .word_i(s2_word & ~s2_unset), .byte_i(8'hff),
    .fresh_i(2'd0), .control_o(s2_alu));
  wire [63:0] fast;
  wire [1:0] take, ones;
  wire [63:0] compare = (CMP_W > 1) ? {{(64-CMP_W){1'b0}}, s3_compare} : 64'd0;
  atomic_merge_alu #(.HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC), .HAS_CAS(HAS_CAS), .HAS_SAT(HAS_SAT)) alu (
    .x_i(s3_old), .y_i(s3_data), .addend_i(s3_addend), .compare_i(compare), .control_i(s3_alu),
      .fast_o(fast), .take_o(take), .ones_o(ones));
  assign slot_free_o = s3_valid && s3_last;
  assign slot_o = s3_slot;


  // ---- the last stage, EXTRA behind s4 ----
  localparam SIDE_W = 6 + 2 + LINE_LG + TID_W + 64 + 64 + 2;
  reg [2:0] s3_code;
  reg s3_high;
  reg [1:0] s3_unit_word, s4_unit_word; // words of the pair that the unit makes
  reg s4_last;
  wire [SIDE_W-1:0] s4_side = {s4_keep, s4_keep && !s4_last, s4_silent, s4_done, s4_failed, s4_gives, s4_size,
    s4_offset, s4_tid, s4_data, s4_rebuilt, s4_unit_word};
  wire [SIDE_W-1:0] last_side;
  wire last_valid, last_done, last_failed, last_gives, last_silent;
  wire last_keeps, last_follows;         // follows: and another one of its list comes behind it
  wire [1:0] last_size, last_unit_word;
  wire [LINE_LG-1:0] last_offset;
  wire [TID_W-1:0] last_tid;
  wire [63:0] last_data, last_early, last_rebuilt;
  assign {last_keeps, last_follows, last_silent, last_done, last_failed, last_gives, last_size, last_offset,
    last_tid, last_data, last_early, last_unit_word} = last_side;
  generate
    if (EXTRA == 0) begin : g_no_unit
      assign last_side = s4_side;
      assign last_valid = s4_valid;
      assign busy_o = s1_valid || s2_valid || s3_valid || s4_valid;
      assign last_rebuilt = last_early;
      wire unused_unit = &{1'b0, s3_code, s3_high, last_unit_word};
    end else begin : g_unit
      reg [EXTRA:1] valid;
      reg [SIDE_W-1:0] side [1:EXTRA];
      wire [63:0] item;
      atomic_merge_unit #(.EXTRA(EXTRA), .HAS_MODULO(HAS_MODULO), .HAS_MUL(HAS_MUL),
        .HAS_FLOAT(HAS_FLOAT)) unit (
        .clk_i(clk_i), .code_i(s3_code), .wide_i(s3_size[0]), .high_i(s3_high), .x_i(s3_old), .y_i(s3_data),
        .last_i(compare), .result_o(item));
      integer k;
      always @(posedge clk_i) begin
        valid[1] <= s4_valid && !rst_i;
        side[1] <= s4_side;
        for (k = 2; k <= EXTRA; k = k + 1) begin
          valid[k] <= valid[k-1] && !rst_i;
          side[k] <= side[k-1];
        end
      end
      assign last_valid = valid[EXTRA];
      assign busy_o = s1_valid || s2_valid || s3_valid || s4_valid || |valid;
      assign last_side = side[EXTRA];
      assign last_rebuilt[31:0] = last_unit_word[0] ? item[31:0] : last_early[31:0];
      assign last_rebuilt[63:32] = !last_unit_word[1] ? last_early[63:32] : last_size[0] ? item[63:32] :
        item[31:0];
    end
  endgenerate

  // ---- of a list that holds operands: the pair as the entries before left it, in the old line's place ----
  wire [63:0] found;
  wire [63:0] result = {take[1] ? s3_data[63:32] : fast[63:32] | {32{ones[1]}},
                        take[0] ? s3_data[31:0] : fast[31:0] | {32{ones[0]}}};
  generate
    if (HAS_KEEP != 0) begin : g_keep
      reg [3:0] hold_q;                // cycles
      reg [63:0] left [0:(1<<PAIR_W)-1];
      reg [(1<<PAIR_W)-1:0] left_q;    // pairs that stand there
      assign late = hold_q != 4'd0;
      wire [PAIR_W-1:0] s2_pair = s2_offset[LINE_LG-1:3];
      wire [PAIR_W-1:0] s3_pair = s3_offset[LINE_LG-1:3];
      wire s3_leaves = s3_valid && s3_keep && s3_unit_word == 2'd0;
      // One of the unit is alone: the next one comes behind it.
      wire unit_leaves = last_valid && last_follows && last_unit_word != 2'd0;
      wire [PAIR_W-1:0] pair = unit_leaves ? last_offset[LINE_LG-1:3] : s3_pair;
      assign found = !s2_keep || s2_first ? old_pair : (s3_leaves && s3_pair == s2_pair) ? result :
                     left_q[s2_pair] ? left[s2_pair] : old_pair;
      always @(posedge clk_i) begin
        if (s3_leaves || unit_leaves) left[pair] <= unit_leaves ? last_rebuilt : result;
        if (s3_leaves || unit_leaves) left_q[pair] <= 1'b1;
        if (s2_valid && s2_first) left_q <= {(1<<PAIR_W){1'b0}};
        if (rst_i) hold_q <= 4'd0;
        else if (issue && list_keep_q && list_slow_q) hold_q <= LATE[3:0];
        else if (late) hold_q <= hold_q - 4'd1;
      end
    end else begin : g_no_keep
      assign found = old_pair;
      assign late = 1'b0;
      wire unused_keep = &{1'b0, last_follows, s3_keep, s2_first, list_slow_q, LATE[3:0], last_offset,
        PAIR_W[0]};
    end
  endgenerate
  wire [63:0] last_down = (last_keeps ? last_early : last_rebuilt) >> {last_offset[2:0], 3'd0};
  wire [63:0] last_part = (last_size == 2'd3) ? last_down : {32'd0, last_down[31:0]};
  wire [63:0] last_value = last_failed ? 64'd0 : last_done ? last_data : last_part & {64{last_gives}};

  always @(posedge clk_i) begin
    s1_valid <= issue;
    s1_last <= last;
    s1_keep <= list_keep_q;
    s1_first <= first_q;
    s1_done <= list_done_q;
    s1_failed <= list_failed_q;
    s1_slot <= slot_q;
    s1_entry <= at;

    s2_valid <= s1_valid;
    s2_last <= s1_last;
    s2_keep <= s1_keep;
    s2_first <= s1_first;
    s2_silent <= s1_silent;
    s2_done <= s1_done;
    s2_failed <= s1_failed;
    s2_slot <= s1_slot;
    s2_size <= read_size_o;
    s2_op <= read_op_o;
    s2_offset <= read_offset_o;
    s2_tid <= read_tid_o;
    s2_fresh <= read_fresh;
    s2_compare <= read_compare;
    s2_data <= read_data_o;
    s2_gives <= read_mode_o == 2'd0;

    s3_valid <= s2_valid;
    s3_last <= s2_last;
    s3_keep <= s2_keep;
    s3_silent <= s2_silent;
    s3_done <= s2_done;
    s3_failed <= s2_failed;
    s3_slot <= s2_slot;
    s3_size <= s2_size;
    s3_offset <= s2_offset;
    s3_tid <= s2_tid;
    s3_compare <= s2_compare;
    s3_data <= s2_data;
    s3_gives <= s2_gives;
    s3_old <= found;
    s3_code <= s2_unit[2:0];
    s3_high <= !s2_word[0];
    s3_unit_word <= s2_word & ~s2_unset & {2{s2_unit[3] && EXTRA != 0}};
    s4_unit_word <= s3_unit_word;
    s3_alu <= s2_alu;
    s3_addend <= s2_data ^ {64{s2_alu[9]}} ^ {s2_alu[7], 31'd0, s2_alu[6], 31'd0};

    s4_valid <= s3_valid;
    s4_last <= s3_last;
    s4_keep <= s3_keep;
    s4_silent <= s3_silent;
    s4_done <= s3_done;
    s4_failed <= s3_failed;
    s4_size <= s3_size;
    s4_offset <= s3_offset;
    s4_tid <= s3_tid;
    s4_data <= s3_data;
    s4_gives <= s3_gives;
    s4_rebuilt <= s3_keep ? s3_old : result;
    if (rst_i) begin
      s1_valid <= 1'b0;
      s2_valid <= 1'b0;
      s3_valid <= 1'b0;
      s4_valid <= 1'b0;
    end
  end

  atomic_merge_fifo #(.WIDTH(TID_W+66), .DEPTH_LG(EXTRA != 0 ? 4 : 3)) answers (
    .clk_i(clk_i), .rst_i(rst_i), .promise_i(issue), .room_o(room),
    .forget_i(s1_valid && s1_silent), .push_i(last_valid && !last_silent),
    .data_i({last_tid, last_failed ? 2'd2 : 2'd0, last_value}), .valid_o(valid_o), .data_o(answer_o),
      .pop_i(pop_i));

  wire unused = &{1'b0, keep_compare_i, keep_entry_i, s2_offset, s2_byte, s2_write, s2_slow, s2_atomic,
    given};
endmodule

`default_nettype wire
