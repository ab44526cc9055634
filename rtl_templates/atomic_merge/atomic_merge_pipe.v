// SPDX-License-Identifier: Apache-2.0
// atomic_merge_pipe: the arrays of true and temporary lines, and the loop that reads, changes and writes
// them.
//
// A request is issued with the addresses of its row in both arrays. One cycle later the rows are there,
// then its pair of words is chosen, then the operation is done, then a late choice (minimum, maximum,
// compare-and-swap) is made. The pair is written and an answer or an entry of the stall buffer leaves in that
// cycle, or EXTRA cycles behind it, where the unit has its results. Results that are not in the arrays yet
// are forwarded from one to EXTRA + 4 requests before, so that the same item may be changed in every cycle
// (every second one after a late choice, EXTRA + 2 cycles after an operation of the unit, which the issuer
// sees to). Merge passes go through here while nothing else is under way: the rows of a beat are there in the
// cycle of `pass_valid_i`, and the merged beat is written two cycles later, three with modulo operations. An
// item of a merge is a request whose operand is what stands in the temporary line.
// Reset: nothing is under way.
`default_nettype none

module atomic_merge_pipe #(
  parameter LANES = 8,  // words of a beat, as MERGE_LANES
  // Rows of the arrays of true lines, temporary lines and lines before their merge; a row is a beat.
  parameter TRUE_ROWS = 64,
  parameter TEMP_ROWS = 32,
  parameter OLD_ROWS = 16,
  parameter LINE_LG = 6,  // base-2 logarithm of the bytes of a line
  parameter TID_W = 10,  // width of a thread id; 1..16 bits
  parameter ENTRY_W = 7,  // bits of the number of an entry of the stall buffer
  parameter HAS_SUM = 1,  // add, minimum or maximum is built
  parameter HAS_LOGIC = 1,  // a bitwise operation is built
  parameter HAS_CAS = 1,  // compare-and-swap is built
  parameter HAS_SAT = 0,  // saturating add is built
  parameter EXTRA = 0,                   // stages more, for the unit; 0: it is not built
  parameter HAS_MODULO = 0,  // an operation modulo K is built
  parameter HAS_MUL = 0,  // multiply is built
  parameter [2:0] HAS_FLOAT = 3'd0,  // floats that are built: {minimum or maximum, multiply, add}
  parameter [31:0] BUILT = 32'h7fff,  // operations that are built, a bit each
  parameter TRUE_W = $clog2(TRUE_ROWS),  // bits of a row of true lines
  parameter TEMP_W = $clog2(TEMP_ROWS),  // bits of a row of temporary lines
  parameter OLD_W = $clog2(OLD_ROWS),  // bits of a row of lines before their merge
  parameter PAIR_W = (LANES > 2) ? $clog2(LANES/2) : 1  // bits of the number of a pair of words in a row
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [TRUE_W-1:0] true_row_i,     // read in this cycle
  input  wire [TEMP_W-1:0] temp_row_i,     // read in this cycle
  output wire [32*LANES-1:0] true_data_o,  // of the row named in the last cycle

  input  wire issue_i,                 // a request is issued
  input  wire access_i,                // it reads a line; else it only passes by
  input  wire temp_i,                  // of a temporary line
  input  wire item_i,                  // what stands there is its operand
  input  wire answers_i,               // it is answered
  input  wire gives_i,                 // its answer has a value
  input  wire [1:0] status_i,          // status of its answer
  input  wire keeps_i,                 // it writes an entry of the stall buffer:
  input  wire done_i,                  // with its answer,
  input  wire waits_i,                 // with its operand, else with what it found
  input  wire [ENTRY_W-1:0] entry_i,   // that entry
  input  wire [4:0] op_i,              // code of the operation, as req_op_i
  input  wire [1:0] size_i,            // base-2 logarithm of the bytes
  input  wire [1:0] mode_i,            // 0 return, 1 no return, strict, 2 no return, relaxed
  input  wire [LINE_LG-1:0] offset_i,  // place of the item in its line, in bytes
  input  wire [TID_W-1:0] tid_i,       // thread id
  input  wire [63:0] operand_i,        // repeated to fill 8 bytes
  input  wire [63:0] compare_i,        // likewise
  input  wire [1:0] stands_i,          // of a temporary line: words of the pair where something stands
  output wire [2+EXTRA:0] stages_o,    // requests are under way, but for the last stage

  output wire push_o,                 // an answer leaves, in this cycle
  output wire [TID_W+65:0] answer_o,  // {tid, status, data}
  // An entry of the stall buffer is written: its number, the parts of the request, the words where nothing
  // stood, the value compared with, and the operand, the answer or what was found.
  output wire keep_o,
  output wire [ENTRY_W-1:0] keep_entry_o,
  output wire [4:0] keep_op_o,
  output wire [1:0] keep_size_o,
  output wire [1:0] keep_mode_o,
  output wire [LINE_LG-1:0] keep_offset_o,
  output wire [TID_W-1:0] keep_tid_o,
  output wire [1:0] keep_fresh_o,
  output wire [63:0] keep_compare_o,
  output wire [63:0] keep_data_o,

  input  wire pass_valid_i,                // a beat of a merge: its rows are there
  input  wire pass_first_i,                // the line comes from `fill_data_i`, else from the array
  input  wire [32*LANES-1:0] fill_data_i,  // that beat, with pass_first_i
  input  wire [LANES-1:0] pass_stands_i,   // words of the beat that are merged
  input  wire [10:0] pass_control_i,       // controls of atomic_merge_alu, for all pairs
  input  wire [63:0] pass_compare_i,       // the value compared with
  input  wire pass_modulo_i,               // the pass is one of a line of modulo operations:
  input  wire pass_down_i,                 // it counts down
  input  wire pass_wide_i,                 // its items have 64 bits
  input  wire [TRUE_W-1:0] pass_row_i,     // row of true lines that is written
  input  wire pass_old_i,                  // the line before is kept
  input  wire [OLD_W-1:0] pass_old_row_i,  // row that it is kept in
  // A beat as it was before its merge is to be written, with its row.
  output wire old_write_o,
  output wire [OLD_W-1:0] old_row_o,
  output wire [32*LANES-1:0] old_data_o
);
  localparam PAIRS = LANES / 2;
  localparam ROW_W = (TRUE_W > TEMP_W) ? TRUE_W : TEMP_W;
  localparam PLACE_W = ROW_W + PAIR_W + 1;

  // ---- arrays ----
  wire [32*LANES-1:0] temp_data;
  wire [PAIRS-1:0] true_write, temp_write;
  wire [TRUE_W-1:0] true_write_row;
  wire [TEMP_W-1:0] temp_write_row;
  wire [32*LANES-1:0] true_write_data;
  wire [63:0] s6_result, last_result;    // of the last stage: what is written
  genvar p;
  generate
    for (p = 0; p < PAIRS; p = p + 1) begin : g_array
      ram_1r1w #(.WIDTH(64), .DEPTH(TRUE_ROWS)) true_lines (
        .clk_i(clk_i), .we_i(true_write[p]), .waddr_i(true_write_row), .wdata_i(true_write_data[64*p +: 64]),
        .raddr_i(true_row_i), .rdata_o(true_data_o[64*p +: 64]));
      ram_1r1w #(.WIDTH(64), .DEPTH(TEMP_ROWS)) temp_lines (
        .clk_i(clk_i), .we_i(temp_write[p]), .waddr_i(temp_write_row), .wdata_i(last_result),
        .raddr_i(temp_row_i), .rdata_o(temp_data[64*p +: 64]));
    end
  endgenerate

  // ---- s3: the rows are there ----
  reg s3_item;
  reg s3_valid, s3_access, s3_temp, s3_answers, s3_gives, s3_keeps, s3_done, s3_waits;
  reg s4_valid, s4_access, s4_temp, s4_answers, s4_gives, s4_keeps, s4_done, s4_waits;
  reg s5_valid, s5_temp, s5_answers, s5_gives, s5_keeps, s5_done, s5_waits;
  reg s6_valid, s6_temp, s6_answers, s6_gives, s6_keeps, s6_done, s6_waits;
  reg [1:0] s3_status, s3_size, s3_mode, s4_status, s4_size, s4_mode, s5_status, s5_size, s5_mode,
    s6_status, s6_size, s6_mode;
  reg [ENTRY_W-1:0] s3_entry, s4_entry, s5_entry, s6_entry;
  reg [4:0] s3_op, s4_op, s5_op, s6_op;
  reg [LINE_LG-1:0] s3_offset, s4_offset, s5_offset, s6_offset;
  reg [TID_W-1:0] s3_tid, s4_tid, s5_tid, s6_tid;
  reg [63:0] s3_operand, s4_operand, s5_operand, s6_operand, s3_compare, s4_compare, s5_compare, s6_compare;
  reg [1:0] s3_stands, s4_stands, s5_fresh, s6_fresh;
  reg [PLACE_W-1:0] s3_place, s4_place, s5_place, s6_place, past_place; // past: behind the last stage
  reg s4_writes, s5_writes, s6_writes, past_writes;

  wire [10:0] s3_control;
  wire [1:0] s3_word;
  wire [3:0] s3_unit;
  wire [7:0] s3_byte;
  wire s3_write, s3_slow, s3_atomic;
  atomic_merge_decode #(.BUILT(BUILT)) decode (.op_i(s3_op), .size_i(s3_size), .offset_i(s3_offset[2:0]),
    .control_o(s3_control), .unit_o(s3_unit),
    .word_o(s3_word), .byte_o(s3_byte), .write_o(s3_write), .slow_o(s3_slow), .atomic_o(s3_atomic));

  wire [PAIR_W-1:0] issue_pair, s3_pair;
  generate
    if (LANES > 2) begin : g_pair
      assign issue_pair = offset_i[3 +: PAIR_W];
      assign s3_pair = s3_offset[3 +: PAIR_W];
    end else begin : g_one_pair
      assign issue_pair = 1'b0;
      assign s3_pair = 1'b0;
    end
  endgenerate
  wire [ROW_W-1:0] issue_row = temp_i ? {{(ROW_W-TEMP_W){1'b0}}, temp_row_i} : {{(ROW_W-TRUE_W){1'b0}},
    true_row_i};

  // ---- s4: the pair, or what is newer than it; of a merge, the beat ----
  reg [10:0] s4_control;
  reg [1:0] s4_word;
  reg [7:0] s4_byte;
  reg [63:0] s4_temp_pair;
  reg s4_from_1;
  reg [EXTRA+4:2] s4_from;               // the request that many before is to the same pair
  reg [32*LANES-1:0] row_q;    // true line
  wire [PAIR_W-1:0] s4_pair = s4_place[PAIR_W-1:0];
  wire [63:0] s4_true_pair = row_q[64*s4_pair +: 64];
  wire [64*(EXTRA+3)-1:0] newer;         // what they made of it
  reg [63:0] s4_x;
  integer i;
  always @* begin
    s4_x = s4_temp ? s4_temp_pair : s4_true_pair;
    for (i = EXTRA + 4; i >= 2; i = i - 1)
      if (s4_from[i]) s4_x = newer[64*(i-2) +: 64];
  end
  wire [25:0] s4_alu;
  atomic_merge_control control (.op_i(s4_control), .word_i(s4_word & {2{s4_access}}), .byte_i(s4_byte),
    .fresh_i(~s4_stands & {2{s4_temp}}), .control_o(s4_alu));

  // ---- s5: the operation ----
  reg [63:0] s5_x, s5_addend;
  reg [25:0] s5_alu;
  reg s5_from_1, s5_high;
  reg [3:0] s4_unit;
  reg [2:0] s5_code;
  reg [1:0] s5_unit_word, s6_unit_word;  // words of the pair that the unit makes
  reg [63:0] s6_fast, s6_x;
  reg [1:0] s6_take, s6_ones;
  wire [63:0] x = s5_from_1 ? s6_fast : s5_x;
  wire [63:0] fast;
  wire [1:0] take, ones;
  atomic_merge_alu #(.HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC), .HAS_CAS(HAS_CAS), .HAS_SAT(HAS_SAT)) alu (
    .x_i(x), .y_i(s5_operand), .addend_i(s5_addend), .compare_i(s5_compare), .control_i(s5_alu),
      .fast_o(fast), .take_o(take), .ones_o(ones));

  // ---- s6: the late choice ----
  assign s6_result = {s6_take[1] ? s6_operand[63:32] : s6_fast[63:32] | {32{s6_ones[1]}},
                      s6_take[0] ? s6_operand[31:0] : s6_fast[31:0] | {32{s6_ones[0]}}};

  // ---- the last stage, EXTRA behind s6: write, answer, keep ----
  localparam SIDE_W = 2 + 2 + 1 + 3 + ENTRY_W + 5 + 2 + 2 + LINE_LG + TID_W + 64 + 64 + 2 + 64 + 2;
  wire [SIDE_W-1:0] s6_side = {s6_answers, s6_gives, s6_status, s6_temp, s6_keeps, s6_done, s6_waits,
    s6_entry, s6_op, s6_size, s6_mode, s6_offset, s6_tid, s6_operand, s6_compare, s6_fresh, s6_x,
    s6_unit_word};
  wire last_valid, last_writes, last_answers, last_gives, last_temp, last_keeps, last_done, last_waits;
  wire [1:0] last_status, last_size, last_mode, last_fresh, last_unit_word;
  wire [ENTRY_W-1:0] last_entry;
  wire [4:0] last_op;
  wire [LINE_LG-1:0] last_offset;
  wire [TID_W-1:0] last_tid;
  wire [63:0] last_operand, last_compare, last_x;
  wire [PLACE_W-1:0] last_place;
  wire [SIDE_W-1:0] last_side;
  assign {last_answers, last_gives, last_status, last_temp, last_keeps, last_done, last_waits, last_entry,
    last_op, last_size, last_mode, last_offset, last_tid, last_operand, last_compare, last_fresh, last_x,
    last_unit_word} = last_side;
  wire [EXTRA+4:2] from;                 // the request in s3 is to the same pair as the one in s5, s6, ...
  generate
    if (EXTRA == 0) begin : g_no_unit
      reg [63:0] past1, past2;
      always @(posedge clk_i) begin
        past1 <= last_result;
        past2 <= past1;
      end
      assign newer = {past2, past1, last_result};
      assign from = {past_writes && past_place == s3_place, s6_writes && s6_place == s3_place,
        s5_writes && s5_place == s3_place};
      assign last_side = s6_side;
      assign {last_valid, last_writes, last_place} = {s6_valid, s6_writes, s6_place};
      assign last_result = s6_result;
      assign stages_o = {s3_valid, s4_valid, s5_valid};
      wire unused_unit = &{1'b0, last_unit_word, s5_code, s5_high};
    end else begin : g_unit
      reg [SIDE_W-1:0] side [1:EXTRA];
      reg [EXTRA:1] valid, writes;
      reg [PLACE_W-1:0] place [1:EXTRA];
      reg [63:0] result [1:EXTRA+2];     // 1: in s7
      wire [63:0] item;
      atomic_merge_unit #(.EXTRA(EXTRA), .HAS_MODULO(HAS_MODULO), .HAS_MUL(HAS_MUL),
        .HAS_FLOAT(HAS_FLOAT)) unit (
        .clk_i(clk_i), .code_i(s5_code), .wide_i(s5_size[0]), .high_i(s5_high), .x_i(x), .y_i(s5_operand),
        .last_i(s5_compare), .result_o(item));
      assign last_side = side[EXTRA];
      assign {last_valid, last_writes, last_place} = {valid[EXTRA], writes[EXTRA], place[EXTRA]};
      assign last_result[31:0] = last_unit_word[0] ? item[31:0] : result[EXTRA][31:0];
      assign last_result[63:32] = !last_unit_word[1] ? result[EXTRA][63:32] : last_size[0] ? item[63:32] :
        item[31:0];
      wire [EXTRA:0] under_way = {valid, s6_valid};
      assign stages_o = {s3_valid, s4_valid, s5_valid, under_way[EXTRA-1:0]};
      wire unused_last = &{1'b0, under_way[EXTRA]};
      wire [EXTRA+4:2] any_writes = {past_writes, writes, s6_writes, s5_writes};
      for (p = 2; p <= EXTRA + 4; p = p + 1) begin : g_newer
        wire [PLACE_W-1:0] its_place;
        if (p == 2) begin : g_s6
          assign newer[63:0] = s6_result;
          assign its_place = s5_place;
        end else begin : g_behind
          if (p == EXTRA + 2) begin : g_last
            assign newer[64*(p-2) +: 64] = last_result;
          end else begin : g_other
            assign newer[64*(p-2) +: 64] = result[p-2];
          end
          if (p == 3) begin : g_in_s6
            assign its_place = s6_place;
          end else if (p == EXTRA + 4) begin : g_past
            assign its_place = past_place;
          end else begin : g_between
            assign its_place = place[p-3];
          end
        end
        assign from[p] = any_writes[p] && its_place == s3_place;
      end
      integer k;
      always @(posedge clk_i) begin
        side[1] <= s6_side;
        valid[1] <= s6_valid && !rst_i;
        writes[1] <= s6_writes && !rst_i;
        place[1] <= s6_place;
        result[1] <= s6_result;
        for (k = 2; k <= EXTRA; k = k + 1) begin
          side[k] <= side[k-1];
          valid[k] <= valid[k-1] && !rst_i;
          writes[k] <= writes[k-1] && !rst_i;
          place[k] <= place[k-1];
          result[k] <= result[k-1];
        end
        result[EXTRA+1] <= last_result;
        result[EXTRA+2] <= result[EXTRA+1];
      end
    end
  endgenerate
  wire [63:0] last_down = last_x >> {last_offset[2:0], 3'd0};
  wire [63:0] last_kept = (last_size == 2'd3) ? 64'hffff_ffff_ffff_ffff :
    (last_size == 2'd2) ? 64'hffff_ffff : (last_size == 2'd1) ? 64'hffff : 64'hff;
  wire [63:0] last_value = last_down & last_kept & {64{last_gives}};
  assign push_o = last_valid && last_answers;
  assign answer_o = {last_tid, last_status, last_value};
  assign keep_o = last_valid && last_keeps;
  assign keep_entry_o = last_entry;
  assign keep_op_o = last_op;
  assign keep_size_o = last_size;
  assign keep_mode_o = last_mode;
  assign keep_offset_o = last_offset;
  assign keep_tid_o = last_tid;
  assign keep_fresh_o = last_fresh;
  assign keep_compare_o = (HAS_CAS != 0 || HAS_MODULO != 0) ? last_compare : 64'd0;
  assign keep_data_o = last_waits ? last_operand : last_done ? last_value : last_x;

  // ---- merge passes ----
  reg pass2_valid, pass3_valid, pass2_keep, pass3_keep, pass2_modulo, pass3_modulo, pass2_down, pass2_wide;
  reg [LANES-1:0] pass2_stands;
  reg [32*LANES-1:0] pass2_temp, pass3_result, pass3_old;
  reg [26*PAIRS-1:0] pass2_alu;
  reg [TRUE_W-1:0] pass2_row, pass3_row;
  reg [OLD_W-1:0] pass2_old_row, pass3_old_row;
  wire [32*LANES-1:0] pass_temp, merged, counted; // counted: a cycle later, of modulo operations
  wire writes;                           // a merged beat is written:
  wire [TRUE_W-1:0] writes_row;
  wire [32*LANES-1:0] writes_data;
  wire [26*PAIRS-1:0] pass_alu;
  generate
    for (p = 0; p < LANES; p = p + 1) begin : g_lane
      assign pass_temp[32*p +: 32] = temp_data[32*p +: 32] & {32{pass_stands_i[p]}};
    end
    for (p = 0; p < PAIRS; p = p + 1) begin : g_merge
      atomic_merge_control pass_control (.op_i(pass_control_i), .word_i(pass_stands_i[2*p +: 2]),
        .byte_i(8'hff),
        .fresh_i(2'd0), .control_o(pass_alu[26*p +: 26]));
      wire [25:0] c = pass2_alu[26*p +: 26];
      wire [63:0] y = pass2_temp[64*p +: 64];
      wire [63:0] early;
      wire [1:0] late, full;
      atomic_merge_alu #(.HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC), .HAS_CAS(HAS_CAS),
        .HAS_SAT(HAS_SAT)) merge_alu (
        .x_i(row_q[64*p +: 64]), .y_i(y), .addend_i(y ^ {64{c[9]}} ^ {c[7], 31'd0, c[6], 31'd0}),
          .compare_i(pass_compare_i),
        .control_i(c), .fast_o(early), .take_o(late), .ones_o(full));
      if (HAS_MODULO != 0) begin : g_count
        atomic_merge_modulo count (
          .clk_i(clk_i), .down_i(pass2_down), .wide_i(pass2_wide), .x_i(row_q[64*p +: 64]), .y_i(y),
          .last_i(pass_compare_i), .result_o(counted[64*p +: 64]));
      end else begin : g_no_count
        assign counted[64*p +: 64] = 64'd0;
      end
      assign merged[64*p +: 64] = {late[1] ? y[63:32] : early[63:32] | {32{full[1]}},
                                   late[0] ? y[31:0] : early[31:0] | {32{full[0]}}};
      // One writer at a time: passes are made when no request is under way.
      wire last_here = last_valid && last_writes && last_place[PAIR_W-1:0] == p;
      assign true_write[p] = writes || (last_here && !last_temp);
      assign temp_write[p] = last_here && last_temp;
      assign true_write_data[64*p +: 64] = writes ? writes_data[64*p +: 64] : last_result;
    end
    if (HAS_MODULO != 0) begin : g_counts
      reg pass4_modulo;
      reg [32*LANES-1:0] pass4_old;
      reg [LANES-1:0] pass3_stands, pass4_stands;
      reg [TRUE_W-1:0] pass4_row;
      for (p = 0; p < LANES; p = p + 1) begin : g_word
        assign writes_data[32*p +: 32] = !pass4_modulo ? pass3_result[32*p +: 32] :
          pass4_stands[p] ? counted[32*p +: 32] : pass4_old[32*p +: 32];
      end
      assign writes = (pass3_valid && !pass3_modulo) || pass4_modulo;
      assign writes_row = pass4_modulo ? pass4_row : pass3_row;
      always @(posedge clk_i) begin
        pass4_modulo <= pass3_valid && pass3_modulo && !rst_i;
        pass3_stands <= pass2_stands;
        pass4_stands <= pass3_stands;
        pass4_old <= pass3_old;
        pass4_row <= pass3_row;
      end
    end else begin : g_no_counts
      assign writes = pass3_valid;
      assign writes_row = pass3_row;
      assign writes_data = pass3_result;
      wire unused_count = &{1'b0, pass2_down, pass2_wide, pass2_stands, pass3_modulo, counted};
    end
  endgenerate
  assign true_write_row = writes ? writes_row : last_place[PAIR_W +: TRUE_W];
  assign temp_write_row = last_place[PAIR_W +: TEMP_W];
  assign old_write_o = pass3_valid && pass3_keep;
  assign old_row_o = pass3_old_row;
  assign old_data_o = pass3_old;

  wire [63:0] s3_temp_pair = temp_data[64*s3_pair +: 64] & {{32{s3_stands[1]}}, {32{s3_stands[0]}}};
  wire s3_writes = s3_valid && s3_access && s3_write;

  always @(posedge clk_i) begin
    s3_valid <= issue_i;
    s3_access <= access_i;
    s3_temp <= temp_i;
    s3_answers <= answers_i;
    s3_gives <= gives_i;
    s3_status <= status_i;
    s3_keeps <= keeps_i;
    s3_done <= done_i;
    s3_waits <= waits_i;
    s3_item <= item_i && EXTRA != 0;
    s3_entry <= entry_i;
    s3_op <= op_i;
    s3_size <= size_i;
    s3_mode <= mode_i;
    s3_offset <= offset_i;
    s3_tid <= tid_i;
    s3_operand <= operand_i;
    s3_compare <= compare_i;
    s3_stands <= stands_i;
    s3_place <= {temp_i, issue_row, issue_pair};

    s4_valid <= s3_valid;
    s4_access <= s3_access;
    s4_temp <= s3_temp;
    s4_answers <= s3_answers;
    s4_gives <= s3_gives;
    s4_status <= s3_status;
    s4_keeps <= s3_keeps;
    s4_done <= s3_done;
    s4_waits <= s3_waits;
    s4_entry <= s3_entry;
    s4_op <= s3_op;
    s4_size <= s3_size;
    s4_mode <= s3_mode;
    s4_offset <= s3_offset;
    s4_tid <= s3_tid;
    s4_operand <= s3_item ? s3_temp_pair : s3_operand;
    s4_unit <= s3_unit & {4{EXTRA != 0}};
    s4_compare <= s3_compare;
    s4_stands <= s3_stands;
    s4_place <= s3_place;
    s4_writes <= s3_writes;
    s4_control <= s3_control;
    s4_word <= s3_word & (s3_stands | {2{!s3_item}});
    s4_byte <= s3_byte;
    s4_temp_pair <= s3_temp_pair;
    s4_from_1 <= s4_writes && s4_place == s3_place;
    s4_from <= from;
    row_q <= (pass_valid_i && pass_first_i) ? fill_data_i : true_data_o;

    s5_valid <= s4_valid;
    s5_temp <= s4_temp;
    s5_answers <= s4_answers;
    s5_gives <= s4_gives;
    s5_status <= s4_status;
    s5_keeps <= s4_keeps;
    s5_done <= s4_done;
    s5_waits <= s4_waits;
    s5_entry <= s4_entry;
    s5_op <= s4_op;
    s5_size <= s4_size;
    s5_mode <= s4_mode;
    s5_offset <= s4_offset;
    s5_tid <= s4_tid;
    s5_operand <= s4_operand;
    s5_compare <= s4_compare;
    s5_fresh <= ~s4_stands;
    s5_code <= {s4_unit[2:1], s4_unit[0] && (|s4_unit[2:1] || !s4_temp)}; // a count of decrements goes up
    s5_high <= !s4_word[0];
    s5_unit_word <= s4_word & {2{s4_unit[3] && s4_access}} & (s4_stands | {2{!s4_temp}});
    s6_unit_word <= s5_unit_word;
    s5_place <= s4_place;
    s5_writes <= s4_writes;
    s5_x <= s4_x;
    s5_from_1 <= s4_from_1;
    s5_alu <= s4_alu;
    s5_addend <= s4_operand ^ {64{s4_alu[9]}} ^ {s4_alu[7], 31'd0, s4_alu[6], 31'd0};

    s6_valid <= s5_valid;
    s6_temp <= s5_temp;
    s6_answers <= s5_answers;
    s6_gives <= s5_gives;
    s6_status <= s5_status;
    s6_keeps <= s5_keeps;
    s6_done <= s5_done;
    s6_waits <= s5_waits;
    s6_entry <= s5_entry;
    s6_op <= s5_op;
    s6_size <= s5_size;
    s6_mode <= s5_mode;
    s6_offset <= s5_offset;
    s6_tid <= s5_tid;
    s6_operand <= s5_operand;
    s6_compare <= s5_compare;
    s6_fresh <= s5_fresh;
    s6_place <= s5_place;
    s6_writes <= s5_writes;
    s6_fast <= fast;
    s6_take <= take;
    s6_ones <= ones;
    s6_x <= x;

    past_place <= last_place;
    past_writes <= last_writes;

    pass2_valid <= pass_valid_i;
    pass2_keep <= pass_old_i;
    pass2_modulo <= pass_modulo_i;
    pass3_modulo <= pass2_modulo;
    pass2_down <= pass_down_i;
    pass2_wide <= pass_wide_i;
    pass2_stands <= pass_stands_i;
    pass3_keep <= pass2_keep;
    pass2_temp <= pass_temp;
    pass2_alu <= pass_alu;
    pass2_row <= pass_row_i;
    pass2_old_row <= pass_old_row_i;
    pass3_valid <= pass2_valid;
    pass3_result <= merged;
    pass3_old <= row_q;
    pass3_row <= pass2_row;
    pass3_old_row <= pass2_old_row;
    if (rst_i) begin
      s3_valid <= 1'b0;
      s4_valid <= 1'b0;
      s5_valid <= 1'b0;
      s6_valid <= 1'b0;
      s4_writes <= 1'b0;
      s5_writes <= 1'b0;
      s6_writes <= 1'b0;
      past_writes <= 1'b0;
      pass2_valid <= 1'b0;
      pass3_valid <= 1'b0;
    end
  end

  wire unused = &{1'b0, s3_atomic, s3_slow};
endmodule

`default_nettype wire
