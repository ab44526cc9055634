// SPDX-License-Identifier: Apache-2.0
// branch_unit_context: what makes the block a unit of a front end: its status, and its context word by word.
//
// Holds the cells unit_status_fsm and context_port. While the unit is halted a context moves between the port
// and registers, groups, and the instructions under way, which are saved as they were in B and pass B again
// in a load. Which word is what: docs/branch_unit_status.md. Reset: empty, no context under way.
`default_nettype none

module branch_unit_context #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter LANES = 32,
  parameter PC_W = 30,
  parameter COUNT_W = 15,
  parameter MAX_DEPTH = 16384,
  parameter STATUS = 1,
  parameter UNIT_TYPE = 0,
  parameter [31:0] CFG_HASH = 0,
  parameter CTX_MAX = 16,
  parameter TAIL = 0,
  parameter SLOT_W = 107       // of the defaults above
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire [15:0] ctx_unit_i,
  input  wire ctx_cmd_valid_i,
  input  wire ctx_cmd_load_i,
  output wire ctx_cmd_ready_o,
  output wire ctx_done_o,
  output wire [2:0] ctx_error_o,
  output wire ctx_out_valid_o,
  input  wire ctx_out_ready_i,
  output wire [31:0] ctx_out_data_o,
  output wire ctx_out_last_o,
  input  wire ctx_in_valid_i,
  output wire ctx_in_ready_o,
  input  wire [31:0] ctx_in_data_i,
  input  wire ctx_in_last_i,
  input  wire [1:0] ctx_in_error_i,

  // What happens in this cycle.
  input  wire would_i,                      // an instruction is presented that would be taken without a halt
  input  wire result_i,                     // a result is out
  input  wire asks_i,                       // C holds an operation,
  input  wire goes_i,                       // and goes on
  input  wire b_valid_i,
  input  wire c0_valid_i,
  input  wire c1_valid_i,
  input  wire answers_i,                    // D is in use
  input  wire depth_we_i,
  output wire halt_o,
  output wire halted_o,
  output wire clear_o,                      // what is under way is dropped from the next cycle on
  output wire clearing_o,
  output wire closed_o,

  // The place of the word that is saved or loaded.
  output wire ctx_o,
  output wire load_o,
  output wire registers_o,
  output wire slots_o,
  output wire half_o,
  output wire [THREAD_W-1:0] group_o,
  output wire [15:0] field_o,               // one of them
  input  wire looks_i,                      // a register read takes the RAM
  output wire commit_o,

  // Save.
  input  wire [31:0] reg_word_i,
  input  wire [3:0] flags_i,                // of the group: {busy, synced, stopped, live}
  input  wire [COUNT_W-1:0] depth_i,
  input  wire [7:0] what_i,                 // {status, kind of instruction, kind of token}
  input  wire [LANES+PC_W-1:0] flow_i,
  input  wire [3*SLOT_W-1:0] slots_i,       // B, C1, C0, each {head, mask, target, next}

  // Load.
  output wire we_o,
  output wire [31:0] word_o,
  input  wire reg_bad_i,
  input  wire [THREAD_W-1:0] b_group_i,
  input  wire b_launch_i,
  input  wire [LANES-1:0] b_mask_i,
  input  wire [PC_W-1:0] b_target_i,
  input  wire [PC_W-1:0] b_next_i,
  output reg  [LANES-1:0] mask_o,           // with the word in its place
  output reg  [PC_W-1:0] target_o,
  output reg  [PC_W-1:0] next_o,
  output wire begin_o,                      // what is under way is forgotten
  output wire enter_o,                      // an instruction is whole; in the next cycle:
  output wire enters_o,                     // its group is busy,
  output wire replay_o,                     // and it goes from B to C,
  output wire half_done_o,                  // its first operation taken,
  output wire [2:0] error_o,                // with this error
  output wire write_o,                      // a word of the state RAM is whole
  output wire write_half_o,
  output wire [THREAD_W-1:0] write_group_o,
  output wire [7:0] what_o,

  input  wire tail_halted_i,
  input  wire tail_active_i,
  input  wire tail_mem_i,
  input  wire tail_mem_done_i,
  input  wire tail_blocked_i,
  input  wire tail_moves_i,
  input  wire tail_nack_i,
  input  wire tail_nacked_i,
  input  wire [23:0] tail_len_i,
  output wire tail_save_o,
  input  wire tail_sav_valid_i,
  output wire tail_sav_ready_o,
  input  wire [31:0] tail_sav_data_i,
  input  wire tail_sav_last_i,
  output wire tail_load_o,                  // level
  output wire tail_ld_valid_o,
  input  wire tail_ld_ready_i,
  output wire [31:0] tail_ld_data_o,
  output wire tail_ld_last_o,
  output wire [23:0] tail_ld_len_o,
  input  wire tail_bad_i,
  output wire tail_abort_o
);
  localparam MASKS = (LANES + 31) / 32, PCS = (PC_W + 31) / 32;
  localparam [31:0] LAST_REGISTER = 3, LAST_OF_GROUP = MASKS + PCS, LAST_OF_SLOT = MASKS + 2 * PCS;
  localparam [31:0] OWN = 4 + 2 * THREADS * (LAST_OF_GROUP + 1) + 3 * (LAST_OF_SLOT + 1),
                    LAST_THREAD = THREADS - 1;
  localparam [1:0] REGISTERS = 2'd0, GROUPS = 2'd1, SLOTS = 2'd2, BEHIND = 2'd3;

  // ---- status ------------------------------------------------------------------------------------------
  wire halt, halted, reset, resume, abort, save, load;
  wire unused_resume = &{1'b0, resume};
  reg clear_q;
  always @(posedge clk_i)
    if (rst_i) clear_q <= 1'b0;
    else clear_q <= clear_o || (clear_q && answers_i);
  assign {halt_o, halted_o} = {halt, halted};
  assign clear_o = reset || abort;
  assign clearing_o = clear_q;
  assign closed_o = halt || halted || reset || clear_q;
  wire can_halt = !clear_q && !answers_i && !result_i && !depth_we_i && tail_halted_i;
  wire b_goes = b_valid_i && !c1_valid_i && !closed_o;
  wire in = would_i && !ctx_o && !clear_o && !clear_q;
  wire leaves = TAIL == 0 && asks_i;        // operations leave the unit
  wire proc = b_goes || goes_i || answers_i || depth_we_i || tail_active_i;
  unit_status_fsm #(.ENCODING(STATUS - 1)) u_fsm (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .st_in_i(in), .st_out_i(result_i || (leaves && (goes_i || halted))),
    .st_proc_i(proc), .st_work_i(b_valid_i || c0_valid_i || c1_valid_i), .st_mem_i(tail_mem_i),
    .st_mem_done_i(tail_mem_done_i), .st_nack_i(tail_nack_i),
    .st_blocked_i(tail_blocked_i || (leaves && !closed_o && !goes_i)),
    .st_cannot_i(!(in || b_goes || goes_i || answers_i || tail_active_i)),
    .st_progress_i((in && !closed_o) || result_i || (asks_i && goes_i) || proc || tail_moves_i),
    .st_gather_i(1'b0), .can_halt_i(can_halt), .nack_write_i(commit_o || abort || (!load && !tail_nacked_i)),
    .nack_value_i(commit_o && tail_nacked_i),
    .halt_req_o(halt), .halted_o(halted), .ctx_reset_o(reset), .resume_o(resume));

  // ---- the place of a word -----------------------------------------------------------------------------
  reg [1:0] part_q, slot_q;
  reg [3:0] k_q;
  reg half_q, settled_q, bad_q;
  reg [THREAD_W-1:0] group_q;
  wire sav_ready, ld_valid, ld_last, bad;
  wire [23:0] ld_len;
  wire [31:0] ld_data;
  assign ctx_o = save || load;
  assign load_o = load;
  assign registers_o = part_q == REGISTERS;
  assign slots_o = part_q == SLOTS;
  assign half_o = half_q;
  assign group_o = group_q;
  assign field_o = 16'd1 << k_q;
  wire behind = part_q == BEHIND;
  // flags_i are then of another group
  wire sav_valid = save && (behind ? tail_sav_valid_i : settled_q && !looks_i);
  wire moves = (sav_valid && sav_ready) || (ld_valid && (!behind || tail_ld_ready_i));
  wire [3:0] last_k = registers_o ? LAST_REGISTER[3:0] : slots_o ? LAST_OF_SLOT[3:0] : LAST_OF_GROUP[3:0];
  wire ends = k_q == last_k;                // a record
  wire last_group = half_q && group_q == LAST_THREAD[THREAD_W-1:0];
  wire last_own = slots_o && slot_q == 2'd2 && ends;
  wire turns = moves && ends && !behind;
  always @(posedge clk_i)
    if (rst_i || !ctx_o) begin
      part_q <= REGISTERS;
      k_q <= 4'd0;
      half_q <= 1'b0;
      group_q <= {THREAD_W{1'b0}};
      slot_q <= 2'd0;
      settled_q <= 1'b0;
      bad_q <= 1'b0;
    end else begin
      settled_q <= !turns && !looks_i;
      if (moves && !behind) k_q <= ends ? 4'd0 : k_q + 4'd1;
      if (turns && registers_o) part_q <= GROUPS;
      if (turns && part_q == GROUPS) begin
        half_q <= !half_q;
        if (half_q && !last_group) group_q <= group_q + 1'b1;
        if (last_group) part_q <= SLOTS;
      end
      if (turns && slots_o) slot_q <= slot_q + 2'd1;
      if (turns && last_own) part_q <= BEHIND;
      if (we_o) bad_q <= bad;
    end

  // ---- save: a head, or a word of a mask or a program counter ------------------------------------------
  wire [SLOT_W-1:0] slot = slot_q[1] ? slots_i[2*SLOT_W+:SLOT_W] : slot_q[0] ? slots_i[SLOT_W+:SLOT_W]
                           : slots_i[0+:SLOT_W];
  localparam HEAD = LANES + 2 * PC_W;       // {group, error, kind, half, pop, set, valid}
  wire slot_valid = slot[HEAD];
  wire live = flags_i[0], stopped = flags_i[1], synced = flags_i[2];
  wire shows = slots_o ? slot_valid : stopped || (live && !half_q);
  wire [127:0] mask = {{128-LANES{1'b0}}, slots_o ? slot[2*PC_W+:LANES] : flow_i[PC_W+:LANES]};
  wire [63:0] pc, next;
  generate
    if (PC_W < 64) begin : g_pc
      assign pc = {{64-PC_W{1'b0}}, slots_o ? slot[PC_W+:PC_W] : flow_i[PC_W-1:0]};
      assign next = {{64-PC_W{1'b0}}, slot[PC_W-1:0]};
    end else begin : g_pc_full
      assign pc = slots_o ? slot[PC_W+:PC_W] : flow_i[PC_W-1:0];
      assign next = slot[PC_W-1:0];
    end
  endgenerate
  wire [31:0] slot_head = {{16-THREAD_W{1'b0}}, slot[HEAD+10+:THREAD_W], 5'd0, slot[HEAD+7+:3], 1'b0,
                           slot[HEAD+:7]};
  wire [31:0] group_head = {{24-COUNT_W{1'b0}}, depth_i, 8'd0};
  wire [31:0] error_head = {22'd0, what_i[1:0], 1'b0, what_i[4:2], 1'b0, what_i[7:5]};
  wire unused_save = &{1'b0, flags_i[3], mask, pc, next};
  reg [31:0] word;
  integer w;
  always @* begin
    word = 32'd0;
    if (field_o[0]) word = slots_o ? slot_head : half_q ? error_head : group_head;
    for (w = 0; w < MASKS; w = w + 1)
      if (field_o[1+w]) word = mask[32*w+:32];
    for (w = 0; w < PCS; w = w + 1) begin
      if (field_o[1+MASKS+w]) word = pc[32*w+:32];
      if (field_o[1+MASKS+PCS+w]) word = next[32*w+:32];
    end
    if (!shows) word = 32'd0;
    if (field_o[0] && part_q == GROUPS && !half_q) word[2:0] = {synced, stopped, live};
  end

  // ---- load ----------------------------------------------------------------------------------------------
  assign we_o = ld_valid && !behind;
  assign word_o = ld_data;
  assign begin_o = we_o && registers_o && field_o[0];
  integer i;
  always @* begin
    mask_o = b_mask_i;
    target_o = b_target_i;
    next_o = b_next_i;
    for (i = 0; i < LANES; i = i + 1)
      if (field_o[1+i/32]) mask_o[i] = ld_data[i%32];
    for (i = 0; i < PC_W; i = i + 1) begin
      if (field_o[1+MASKS+i/32]) target_o[i] = ld_data[i%32];
      if (field_o[1+MASKS+PCS+i/32]) next_o[i] = ld_data[i%32];
    end
  end

  reg valid_q, half_done_q, enters_q, replay_q, write_q, to_half_q;
  reg [2:0] error_q;
  reg [7:0] what_q;
  reg [THREAD_W-1:0] to_group_q;
  wire enter = we_o && slots_o && ends && valid_q;
  always @(posedge clk_i) begin
    enters_q <= enter && !rst_i;
    replay_q <= enter && slot_q != 2'd2 && !rst_i;
    write_q <= we_o && part_q == GROUPS && ends && !rst_i;
    to_half_q <= half_q;
    to_group_q <= group_q;
    if (we_o && field_o[0]) begin
      what_q <= {ld_data[2:0], ld_data[6:4], ld_data[9:8]};
      {error_q, half_done_q, valid_q} <= {ld_data[10:8], ld_data[3], ld_data[0]};
    end
  end
  assign {enter_o, enters_o, replay_o} = {enter, enters_q, replay_q};
  assign {half_done_o, error_o, what_o} = {half_done_q, error_q, what_q};
  assign {write_o, write_half_o, write_group_o} = {write_q, to_half_q, to_group_q};

  wire head_bad = part_q == GROUPS && !half_q && field_o[0] &&
                  ({8'd0, ld_data[31:8]} > MAX_DEPTH || (ld_data[0] && ld_data[1])
                   || (ld_data[2] && !ld_data[0]));
  wire enter_bad = enter
                   && (flags_i[3] || !(live || b_launch_i) || {1'b0, b_group_i} >= THREADS[THREAD_W:0] ||
                             (slot_q == 2'd1 && !c0_valid_i) || (slot_q != 2'd0 && half_done_q)
                             || error_q == 3'd1);
  assign bad = bad_q || (behind ? tail_bad_i : (registers_o && reg_bad_i) || head_bad || enter_bad
                                               || (ld_last && !(last_own && TAIL == 0)));

  assign tail_save_o = save;
  assign tail_sav_ready_o = save && behind && sav_ready;
  assign tail_load_o = load;
  assign tail_ld_valid_o = ld_valid && behind;
  assign tail_ld_data_o = ld_data;
  assign tail_ld_last_o = ld_last;
  assign tail_ld_len_o = ld_len - OWN[23:0];
  assign tail_abort_o = abort;
  context_port #(.UNIT_TYPE(UNIT_TYPE), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX)) u_port (
    .clk_i(clk_i), .rst_i(rst_i), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i), .halted_i(halted), .can_halt_i(can_halt), .ctx_save_o(save),
    .ctx_len_i(OWN[23:0] + tail_len_i), .sav_valid_i(sav_valid), .sav_ready_o(sav_ready),
    .sav_data_i(behind ? tail_sav_data_i : registers_o ? reg_word_i : word),
    .sav_last_i(TAIL != 0 ? behind && tail_sav_last_i : last_own), .ctx_load_o(load), .ld_len_o(ld_len),
    .ld_valid_o(ld_valid), .ld_ready_i(!behind || tail_ld_ready_i), .ld_data_o(ld_data), .ld_last_o(ld_last),
    .ld_bad_i(bad), .ld_commit_o(commit_o), .ld_abort_o(abort));
endmodule

`default_nettype wire
