// SPDX-License-Identifier: Apache-2.0
// branch_unit_core: active mask and program counter of SIMT thread groups, driven by a stack of tokens.
//
// An instruction is taken when the ready bit of its group and class is 1. It issues up to two stack
// operations and gives one result, without back-pressure: STACK_LATENCY + 3 cycles later when nothing waits.
// An operation that is not taken, and the second of an instruction, comes again some cycles later; other
// groups go on. A group has one instruction under way at a time. The stack is connected by ports of the same
// names. Synchronous reset, together with the stack's. Which cycle does what:
// docs/branch_unit_design.md; halt and context switch (STATUS): docs/branch_unit_status.md.
`default_nettype none

module branch_unit_core #(
  parameter THREADS = 24,
  parameter LANES = 32,
  parameter ENTRY_W = 64,
  parameter MAX_DEPTH = 16384,
  parameter STACK_LATENCY = 3,
  parameter STATUS = 0  // 0 none, 1 one_hot, 2 two_of_four, 3 binary
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire ins_valid_i,
  input  wire [2:0] ins_kind_i,
  input  wire ins_set_sync_i,
  input  wire ins_pop_sync_i,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] ins_group_i,
  input  wire [LANES-1:0] ins_mask_i,
  input  wire [ENTRY_W-LANES-3:0] ins_target_i,
  input  wire [ENTRY_W-LANES-3:0] ins_next_i,
  output wire [THREADS-1:0] ins_step_o,
  output wire [THREADS-1:0] ins_push_o,
  output wire [THREADS-1:0] ins_pop_o,
  output wire [THREADS-1:0] ins_launch_o,

  output wire res_valid_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] res_group_o,
  output wire [2:0] res_kind_o,
  output wire [2:0] res_status_o,
  output wire res_synced_o,
  output wire res_go_o,
  output wire [LANES-1:0] res_mask_o,
  output wire [ENTRY_W-LANES-3:0] res_pc_o,

  output wire op_valid_o,
  output wire [2:0] op_kind_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] op_thread_o,
  output wire [ENTRY_W-1:0] op_data_o,
  input  wire [THREADS-1:0] can_push_i,
  input  wire [THREADS-1:0] can_top_i,
  input  wire can_go_i,

  input  wire ans_valid_i,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] ans_thread_i,
  input  wire [2:0] ans_kind_i,
  input  wire [1:0] ans_status_i,
  input  wire ans_data_valid_i,
  input  wire [ENTRY_W-1:0] ans_data_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

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
  input  wire [1:0] ctx_in_error_i
);
  localparam THREAD_W = (THREADS > 1) ? $clog2(THREADS) : 1;
  localparam PC_W = ENTRY_W - LANES - 2;
  localparam COUNT_W = $clog2(MAX_DEPTH + 1);
  localparam PC_WORDS = (PC_W + 31) / 32;
  localparam RECORD = 1 + (LANES + 31) / 32 + PC_WORDS;  // words of a mask and a program counter
  localparam RING = (STACK_LATENCY < 2) ? 2 : (STACK_LATENCY > 4) ? 4 : STACK_LATENCY;
  localparam CTX_MAX = 4 + 2 * THREADS * RECORD + (RING + 1) * (RECORD + PC_WORDS);
  localparam [31:0] PRIME = 32'h01000193;
  localparam [31:0] CFG_HASH =
      (((((32'h811c9dc5 ^ THREADS) * PRIME ^ LANES) * PRIME ^ ENTRY_W) * PRIME ^ MAX_DEPTH) * PRIME
       ^ RING) * PRIME;
  wire unused = &{1'b0, THREAD_W[0], COUNT_W[0], CFG_HASH, CTX_MAX[0]};

  // Nothing follows in the context.
  wire tail_save, tail_load, tail_ready, tail_valid, tail_last, tail_refused, tail_abort;
  wire [23:0] tail_len;
  wire [31:0] tail_data;
  wire unused_tail = &{1'b0, tail_save, tail_load, tail_ready, tail_valid, tail_last, tail_refused,
                      tail_abort, tail_len,
                       tail_data};
  branch_unit_pipe #(
    .THREADS(THREADS), .LANES(LANES), .ENTRY_W(ENTRY_W), .MAX_DEPTH(MAX_DEPTH), .STACK_LATENCY(STACK_LATENCY),
    .STATUS(STATUS), .UNIT_TYPE(32'h4255), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX), .TAIL(0)
  ) u_pipe (
    .clk_i(clk_i), .rst_i(rst_i), .ins_valid_i(ins_valid_i), .ins_kind_i(ins_kind_i),
    .ins_set_sync_i(ins_set_sync_i), .ins_pop_sync_i(ins_pop_sync_i), .ins_group_i(ins_group_i),
    .ins_mask_i(ins_mask_i), .ins_target_i(ins_target_i), .ins_next_i(ins_next_i), .ins_step_o(ins_step_o),
    .ins_push_o(ins_push_o), .ins_pop_o(ins_pop_o), .ins_launch_o(ins_launch_o), .res_valid_o(res_valid_o),
    .res_group_o(res_group_o), .res_kind_o(res_kind_o), .res_status_o(res_status_o),
    .res_synced_o(res_synced_o), .res_go_o(res_go_o),
    .res_mask_o(res_mask_o), .res_pc_o(res_pc_o), .op_valid_o(op_valid_o), .op_kind_o(op_kind_o),
    .op_thread_o(op_thread_o), .op_data_o(op_data_o), .can_push_i(can_push_i), .can_top_i(can_top_i),
    .can_go_i(can_go_i), .ans_valid_i(ans_valid_i), .ans_thread_i(ans_thread_i), .ans_kind_i(ans_kind_i),
    .ans_status_i(ans_status_i), .ans_data_valid_i(ans_data_valid_i), .ans_data_i(ans_data_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o), .cmd_halt_i(cmd_halt_i),
    .cmd_reset_i(cmd_reset_i), .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o),
    .waiting_o(waiting_o), .gather_o(gather_o), .nack_o(nack_o), .ctx_unit_i(ctx_unit_i),
    .ctx_cmd_valid_i(ctx_cmd_valid_i), .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o),
    .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o),
    .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o),
    .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i),
    .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .tail_halted_i(1'b1), .tail_active_i(1'b0), .tail_mem_i(1'b0), .tail_mem_done_i(1'b0),
    .tail_blocked_i(1'b0), .tail_moves_i(1'b0), .tail_nack_i(1'b0), .tail_nacked_i(1'b0), .tail_len_i(24'd0),
    .tail_save_o(tail_save), .tail_sav_valid_i(1'b0), .tail_sav_ready_o(tail_ready), .tail_sav_data_i(32'd0),
    .tail_sav_last_i(1'b0), .tail_load_o(tail_load), .tail_ld_valid_o(tail_valid), .tail_ld_ready_i(1'b1),
    .tail_ld_data_o(tail_data), .tail_ld_last_o(tail_last), .tail_ld_refused_o(tail_refused),
    .tail_ld_len_o(tail_len), .tail_bad_i(1'b1), .tail_whole_i(1'b0),
    .tail_abort_o(tail_abort));
endmodule

`default_nettype wire
