// SPDX-License-Identifier: Apache-2.0
// branch_unit_saved: whether the words of a save are those of the model of one marked group
// (branch_unit_blackbox.v), in the order of docs/branch_unit_status.md. Of the registers: LIMIT and GROUP as
// after reset, errors as the results had them. The instruction under way is in one of RING + 1 slots; one
// that has not been decided has its depth still to come.
//
// And the words of a load that say the same: of header, registers, marked group and its instruction.
//
// With TAIL the words of another unit follow the slots, which the last word ends without: the checker of a
// block made of both says how many, which is the last, and whether one is wrong.
`default_nettype none

module branch_unit_saved #(
  parameter THREADS = 2,
  parameter LANES = 2,
  parameter ENTRY_W = 12,
  parameter PC_W = 8,
  parameter MAX_DEPTH = 2,
  parameter THREAD_W = 1,
  parameter COUNT_W = 2,
  parameter TAIL = 0,
  parameter RING = 2,                     // slots before that of B
  parameter [15:0] UNIT_TYPE = 16'h4255,
  parameter [31:0] CFG_HASH =
      (((((32'h811c9dc5 ^ THREADS) * 32'h01000193 ^ LANES) * 32'h01000193 ^ ENTRY_W) * 32'h01000193
        ^ MAX_DEPTH) * 32'h01000193 ^ RING) * 32'h01000193
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [23:0] tail_len_i,          // words of payload that follow,
  input  wire tail_last_i,                // the last word of all,
  input  wire tail_bad_i,                 // a wrong one
  input  wire [THREAD_W-1:0] mark_i,
  input  wire [15:0] unit_i,              // number of the unit

  input  wire clear_i,                    // a unit reset, or a load that was refused
  input  wire res_valid_i,
  input  wire [THREAD_W-1:0] res_group_i,
  input  wire [2:0] res_kind_i,
  input  wire [2:0] res_status_i,
  input  wire [LANES+PC_W+1:0] token_i,   // of the marked group's last answer

  input  wire busy_i,                     // the marked group
  input  wire [2:0] flags_i,              // {synced, stopped, live}
  input  wire [LANES-1:0] mask_i,
  input  wire [PC_W-1:0] pc_i,
  input  wire [COUNT_W-1:0] depth_i,
  input  wire [COUNT_W-1:0] before_i,     // its instruction: depth before and after it
  input  wire [COUNT_W-1:0] after_i,
  input  wire set_i,
  input  wire pop_i,
  input  wire [2:0] kind_i,
  input  wire [LANES-1:0] ins_mask_i,
  input  wire [PC_W-1:0] target_i,
  input  wire [PC_W-1:0] next_i,
  input  wire half_i,                     // the first of two operations is done,
  input  wire [2:0] first_i,              // with this status
  input  wire [2:0] early_i,              // the error that needs no answer
  input  wire asks_i,                     // not all of its operations are done

  input  wire saving_i,
  input  wire valid_i,                    // a word is offered,
  input  wire ready_i,                    // and taken
  input  wire [31:0] word_i,
  input  wire last_i,
  input  wire done_i,
  input  wire [2:0] error_i,
  output wire bad_o,

  input  wire loading_i,
  input  wire loads_i,                    // its first cycle: of a state that is chosen,
  input  wire [22:0] errors_i,            // {status, kind, 1, count} of the first error,
  input  wire [THREAD_W-1:0] error_of_i,  // its group,
  input  wire [5:0] what_i,               // {status, kind} of the marked group's,
  input  wire begun_i,                    // and in the cycle behind it
  input  wire [LANES+PC_W+1:0] wrong_i,   // its token
  input  wire [2:0] slot_i,               // the slot of its instruction
  input  wire in_taken_i,
  output wire [31:0] word_o,              // the word that comes next, if it is known:
  output wire said_o,
  output wire header_o,                   // of the header,
  output wire [1:0] index_o,              // this word of it
  output wire final_o,                    // the last word of its own; what follows with TAIL is another's:
  output wire behind_o,
  output wire slot_in_o,                  // the first word of an instruction
  output wire slot_head_o,                // and it is not known
  output wire record_head_o,              // the first word of another group
  output wire [THREAD_W-1:0] record_of_o,
  output wire [31:0] most_o               // words of payload
);
  localparam MASKS = (LANES + 31) / 32, PCS = (PC_W + 31) / 32, RECORDS = 2 * THREADS;
  localparam LENGTH = 4 + RECORDS * (1 + MASKS + PCS) + (RING + 1) * (1 + MASKS + 2 * PCS);
  localparam [2:0] OVERFLOW = 3'd2;
  localparam [31:0] WRONG_KIND = 5, HEADER_AND_REGISTERS = 7, LAST_OF_RECORD = MASKS + PCS,
      LAST_OF_SLOT = MASKS + 2 * PCS;

  // ---- errors, of all groups and of the marked one
  reg error_q;
  reg [5:0] what_q, mine_q;               // {status, kind}
  reg [THREAD_W-1:0] group_q;
  reg [15:0] count_q;
  reg [LANES+PC_W+1:0] token_q;           // of the wrong kind
  wire fails = res_valid_i && res_status_i > 3'd1;
  always @(posedge clk_i) begin
    if (rst_i || clear_i) {error_q, count_q} <= 17'd0;
    else if (loads_i) {error_q, count_q} <= errors_i[16:0];
    else if (fails) {error_q, count_q} <= {1'b1, count_q + {15'd0, count_q != 16'hffff}};
    if (fails && !error_q) {what_q, group_q} <= {res_status_i, res_kind_i, res_group_i};
    if (loads_i) {group_q, what_q, mine_q} <= {error_of_i, errors_i[22:17], what_i};
    if (begun_i) token_q <= wrong_i;
    if (fails && res_group_i == mark_i) begin
      mine_q <= {res_status_i, res_kind_i};
      token_q <= res_status_i == WRONG_KIND[2:0] ? token_i : {LANES+PC_W+2{1'b0}};
    end
  end

  // ---- the place of a word: header and registers, records of groups, slots; behind them
  localparam PLACE_W = $clog2(RECORDS + RING + 2) + 1;
  localparam [31:0] SLOTS = RECORDS, SUM = RECORDS + RING + 1;
  wire taken = loading_i ? in_taken_i : valid_i && ready_i;
  reg [3:0] head_q, k_q, was_head_q, was_k_q;  // of the next word; of the last one
  reg [PLACE_W-1:0] place_q, was_place_q;
  wire heads, slots, sum, ends, record, half, last_slot, shown;
  always @(posedge clk_i)
    if (rst_i || !(saving_i || loading_i))
      {head_q, k_q, place_q, was_head_q, was_k_q, was_place_q} <= {16+2*PLACE_W{1'b0}};
    else if (taken && !((loading_i || TAIL != 0) && sum)) begin
      {was_head_q, was_k_q, was_place_q} <= {head_q, k_q, place_q};
      if (heads) head_q <= head_q + 4'd1;
      else k_q <= ends ? 4'd0 : k_q + 4'd1;
      if (!heads && ends) place_q <= place_q + 1'b1;
    end else if (taken) {was_head_q, was_k_q, was_place_q} <= {head_q, k_q, place_q};

  // ---- what the word is, at both places
  localparam [31:0] OWN = LENGTH, LIMIT = MAX_DEPTH;
  wire [31:0] payload = OWN + {8'd0, tail_len_i};
  wire known = flags_i[0] || flags_i[1];
  wire [31:0] error_word = {1'b1, 12'd0, what_q[5:3], 1'b0, what_q[2:0], {12-THREAD_W{1'b0}}, group_q};
  wire [1:0] is_heads, is_slots, is_sum, is_end, is_record, is_half, is_last_slot, is_shown;
  wire [63:0] words;
  assign {heads, slots, sum, ends} = {is_heads[0], is_slots[0], is_sum[0], is_end[0]};
  assign {record, half, last_slot, shown} = {is_record[0], is_half[0], is_last_slot[0], is_shown[0]};
  genvar v;
  generate
    for (v = 0; v < 2; v = v + 1) begin : g_word
      wire [3:0] head = v ? was_head_q : head_q, k = v ? was_k_q : k_q;
      wire [PLACE_W-1:0] place = v ? was_place_q : place_q;
      wire [PLACE_W-1:0] slot = place - SLOTS[PLACE_W-1:0];
      assign is_heads[v] = head != HEADER_AND_REGISTERS[3:0];
      assign is_slots[v] = place >= SLOTS[PLACE_W-1:0];
      assign is_sum[v] = place == SUM[PLACE_W-1:0];
      assign is_end[v] = k == (is_slots[v] ? LAST_OF_SLOT[3:0] : LAST_OF_RECORD[3:0]);
      assign is_half[v] = place[0];       // the error record of a group
      assign is_record[v] = !is_heads[v] && !is_slots[v] && place[PLACE_W-1:1] == {{PLACE_W-1-THREAD_W{1'b0}},
          mark_i};
      assign is_last_slot[v] = slot == RING[PLACE_W-1:0];
      assign is_shown[v] = is_slots[v] || (is_half[v] ? flags_i[1] : known);
      wire [31:0] header = head == 4'd0 ? {UNIT_TYPE, unit_i} : head == 4'd1 ? CFG_HASH : payload;
      wire [31:0] register = head == 4'd3 ? LIMIT : head == 4'd4 ? 32'd0
                           : head == 4'd6 ? {16'd0, count_q} : error_q ? error_word : 32'd0;
      wire [32*MASKS-1:0] mask = {{32*MASKS-LANES{1'b0}}, is_slots[v] ? ins_mask_i : is_half[v]
          ? token_q[PC_W+:LANES] : mask_i};
      wire [32*PCS-1:0] pc = {{32*PCS-PC_W{1'b0}}, is_slots[v] ? target_i : is_half[v] ? token_q[PC_W-1:0]
          : pc_i};
      wire [32*PCS-1:0] next = {{32*PCS-PC_W{1'b0}}, pop_i && !is_last_slot[v] ? pc_i : next_i};
      wire [32*(MASKS+2*PCS)-1:0] fields = {next, pc, mask};
      wire [2:0] error = half_i ? first_i : is_last_slot[v] ? 3'd0 : early_i;
      wire [31:0] first = is_slots[v] ? {{16-THREAD_W{1'b0}}, mark_i, 5'd0, error, 1'b0, kind_i, half_i,
                                         pop_i, set_i, 1'b1}
                        : is_half[v] ? {22'd0, token_q[LANES+PC_W+:2], 1'b0, mine_q[2:0], 1'b0, mine_q[5:3]}
                        : {{24-COUNT_W{1'b0}}, depth_i, 5'd0, flags_i};
      wire [3:0] field = k - 4'd1;
      wire [32*(MASKS+2*PCS)-1:0] from_field = fields >> {field, 5'd0};
      wire unused = &{1'b0, from_field};
      assign words[32*v+:32] = is_heads[v] ? (head > 4'd2 ? register : header)
                             : !is_shown[v] ? 32'd0 : k == 4'd0 ? first : from_field[31:0];
    end
  endgenerate
  wire [31:0] was_word = words[63:32];
  wire was_end = is_end[1];
  wire [PLACE_W-1:0] slot = place_q - SLOTS[PLACE_W-1:0], was_slot = was_place_q - SLOTS[PLACE_W-1:0];
  wire said = heads || (slots ? !sum && busy_i && slot == {{PLACE_W-3{1'b0}}, slot_i} : record);
  wire was_said = is_heads[1]
                  || (is_slots[1] ? !is_sum[1] && busy_i && was_slot == {{PLACE_W-3{1'b0}}, slot_i}
                      : is_record[1]);
  wire unused = &{1'b0, is_half[1], is_last_slot[1], is_shown, was_end, shown, was_word, was_said};
  assign {word_o, said_o, header_o, index_o} = {words[31:0], said, head_q < 4'd3, head_q[1:0]};
  wire final_word = !heads && slots && !sum && last_slot && ends;
  assign {final_o, behind_o, most_o} = {final_word, !heads && sum, payload};
  assign slot_in_o = !heads && slots && !sum && k_q == 4'd0;
  assign slot_head_o = slot_in_o && !said;
  assign record_head_o = !heads && !slots && !half && k_q == 4'd0 && !record;
  assign record_of_o = place_q[THREAD_W:1];
  // its depth: see slots
  wire head_b = slots && last_slot && k_q == 4'd0;  // of B: whether it has been judged is not followed
  wire [31:0] care = ({32{1'b1}} >> ((!slots && !half && k_q == 4'd0 && busy_i) ? 24 : 0))
                     & ~{21'd0, {3{head_b}}, 4'd0, head_b, 3'd0};
  wire judged_bad = head_b && word_i[10:8] != ((word_i[3] && early_i == OVERFLOW) ? OVERFLOW : 3'd0);
  wire differs = ((word_i ^ words[31:0]) & care) != 32'd0;

  // ---- the marked group's instruction: in one slot while it is under way
  reg here_q, found_q;
  reg [COUNT_W-1:0] depth_q;              // as saved
  wire here = k_q == 4'd0 ? word_i[0] && word_i[16+:THREAD_W] == mark_i : here_q;
  always @(posedge clk_i) begin
    if (!saving_i) {here_q, found_q} <= 2'b00;
    else if (taken && slots && !sum && !heads) {here_q, found_q} <= {here, found_q || here};
    if (taken && record && !half && k_q == 4'd0) depth_q <= word_i[8+:COUNT_W];
  end
  wire slot_bad = here && (differs || judged_bad || !busy_i || !asks_i || (k_q == 4'd0 && found_q)
                           || (known && depth_q != (last_slot ? before_i : after_i)));
  wire word_bad = heads ? word_i != words[31:0] : sum ? TAIL == 0 || tail_bad_i : slots ? slot_bad
      || (final_word && (found_q || here) != busy_i) : record && differs;
  assign bad_o = !rst_i && saving_i && (valid_i ? word_bad || last_i != (TAIL != 0 ? !heads && sum
      && tail_last_i : final_word) : done_i && error_i != 3'd0);
endmodule

`default_nettype wire
