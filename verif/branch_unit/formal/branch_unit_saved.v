// SPDX-License-Identifier: Apache-2.0
// branch_unit_saved: whether the words of a save are those of the model of one marked group (branch_unit_blackbox.v), in
// the order of docs/branch_unit_status.md. Of the registers: LIMIT and GROUP as after reset, errors as the results
// had them. The instruction under way is in one of three slots; one that has not been decided has its depth still to come.
`default_nettype none

module branch_unit_saved #(
  parameter THREADS = 2,
  parameter LANES = 2,
  parameter PC_W = 8,
  parameter MAX_DEPTH = 2,
  parameter THREAD_W = 1,
  parameter COUNT_W = 2
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [THREAD_W-1:0] mark_i,

  input  wire clear_i,                    // a unit reset
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
  output wire bad_o
);
  localparam MASKS = (LANES + 31) / 32, PCS = (PC_W + 31) / 32, RECORDS = 2 * THREADS;
  localparam LENGTH = 4 + RECORDS * (1 + MASKS + PCS) + 3 * (1 + MASKS + 2 * PCS);
  localparam [31:0] WRONG_KIND = 5, HEADER_AND_REGISTERS = 8, LAST_OF_RECORD = MASKS + PCS, LAST_OF_SLOT = MASKS + 2 * PCS;

  // ---- errors, of all groups and of the marked one
  reg error_q;
  reg [5:0] what_q, mine_q;               // {status, kind}
  reg [THREAD_W-1:0] group_q;
  reg [15:0] count_q;
  reg [LANES+PC_W+1:0] token_q;           // of the wrong kind
  wire fails = res_valid_i && res_status_i > 3'd1;
  always @(posedge clk_i) begin
    if (rst_i || clear_i) {error_q, count_q} <= 17'd0;
    else if (fails) {error_q, count_q} <= {1'b1, count_q + {15'd0, count_q != 16'hffff}};
    if (fails && !error_q) {what_q, group_q} <= {res_status_i, res_kind_i, res_group_i};
    if (fails && res_group_i == mark_i) begin
      mine_q <= {res_status_i, res_kind_i};
      token_q <= res_status_i == WRONG_KIND[2:0] ? token_i : {LANES+PC_W+2{1'b0}};
    end
  end

  // ---- the place of a word: header and registers, records of groups, slots, checksum
  localparam PLACE_W = $clog2(RECORDS + 4);
  localparam [31:0] SLOTS = RECORDS, SUM = RECORDS + 3;
  wire taken = valid_i && ready_i;
  reg [3:0] head_q, k_q;
  reg [PLACE_W-1:0] place_q;
  wire heads = head_q != HEADER_AND_REGISTERS[3:0];
  wire slots = place_q >= SLOTS[PLACE_W-1:0];
  wire sum = place_q == SUM[PLACE_W-1:0];
  wire ends = k_q == (slots ? LAST_OF_SLOT[3:0] : LAST_OF_RECORD[3:0]);
  always @(posedge clk_i)
    if (rst_i || !saving_i) {head_q, k_q, place_q} <= {8+PLACE_W{1'b0}};
    else if (taken && heads) head_q <= head_q + 4'd1;
    else if (taken) begin
      k_q <= ends ? 4'd0 : k_q + 4'd1;
      if (ends) place_q <= place_q + 1'b1;
    end
  wire [PLACE_W-1:0] slot = place_q - SLOTS[PLACE_W-1:0];

  // ---- what the word is
  wire known = flags_i[0] || flags_i[1];
  wire half = place_q[0];                 // the error record of a group
  wire record = !heads && !slots && place_q[PLACE_W-1:1] == {{PLACE_W-1-THREAD_W{1'b0}}, mark_i};
  localparam [31:0] PAYLOAD = LENGTH, LIMIT = MAX_DEPTH;
  wire [31:0] error_word = {1'b1, 12'd0, what_q[5:3], 1'b0, what_q[2:0], {12-THREAD_W{1'b0}}, group_q};
  wire [31:0] register = head_q[1:0] == 2'd0 ? LIMIT : head_q[1:0] == 2'd1 ? 32'd0
                       : head_q[0] ? {16'd0, count_q} : error_q ? error_word : 32'd0;
  wire [32*MASKS-1:0] mask = slots ? {{32*MASKS-LANES{1'b0}}, ins_mask_i} : {{32*MASKS-LANES{1'b0}}, half ? token_q[PC_W+:LANES] : mask_i};
  wire [PC_W-1:0] flow_pc = half ? token_q[PC_W-1:0] : pc_i;
  wire [32*PCS-1:0] pc = {{32*PCS-PC_W{1'b0}}, slots ? target_i : flow_pc};
  wire last_slot = slot == 2;
  wire [32*PCS-1:0] next = {{32*PCS-PC_W{1'b0}}, pop_i && !last_slot ? pc_i : next_i};
  wire [32*(MASKS+2*PCS)-1:0] fields = {next, pc, mask};
  wire [2:0] error = half_i ? first_i : last_slot ? 3'd0 : early_i;
  wire [31:0] head = slots ? {{16-THREAD_W{1'b0}}, mark_i, 5'd0, error, 1'b0, kind_i, half_i, pop_i, set_i, 1'b1}
                   : half ? {22'd0, token_q[LANES+PC_W+:2], 1'b0, mine_q[2:0], 1'b0, mine_q[5:3]}
                   : {{24-COUNT_W{1'b0}}, depth_i, 5'd0, flags_i};
  wire [3:0] field = k_q - 4'd1;
  wire [32*(MASKS+2*PCS)-1:0] from_field = fields >> {field, 5'd0};
  wire [31:0] wanted = k_q == 4'd0 ? head : from_field[31:0];
  wire unused = &{1'b0, from_field};
  wire shown = slots || (half ? flags_i[1] : known);
  wire [31:0] care = {32{1'b1}} >> ((!slots && !half && k_q == 4'd0 && busy_i) ? 24 : 0);  // its depth: see slots
  wire differs = ((word_i ^ (shown ? wanted : 32'd0)) & care) != 32'd0;

  // ---- the marked group's instruction: in one slot while it is under way
  reg here_q, found_q;
  reg [COUNT_W-1:0] depth_q;              // as saved
  wire here = k_q == 4'd0 ? word_i[0] && word_i[16+:THREAD_W] == mark_i : here_q;
  always @(posedge clk_i) begin
    if (!saving_i) {here_q, found_q} <= 2'b00;
    else if (taken && slots && !sum && !heads) {here_q, found_q} <= {here, found_q || here};
    if (taken && record && !half && k_q == 4'd0) depth_q <= word_i[8+:COUNT_W];
  end
  wire slot_bad = here && (differs || !busy_i || !asks_i || (k_q == 4'd0 && found_q)
                           || (known && depth_q != (last_slot ? before_i : after_i)));
  wire word_bad = heads ? (head_q == 4'd3 ? word_i != PAYLOAD : head_q[2] && word_i != register)
                : sum ? found_q != busy_i : slots ? slot_bad : record && differs;
  assign bad_o = !rst_i && saving_i && (valid_i ? word_bad || last_i != sum : done_i && error_i != 3'd0);
endmodule

`default_nettype wire
