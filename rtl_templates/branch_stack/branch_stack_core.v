// SPDX-License-Identifier: Apache-2.0
// branch_stack_core: a branch unit that drives a stack cache.
//
// Instructions of thread groups go in, masks and program counters come out; the stacks' deeper parts lie behind the
// memory port. Handshakes, latency and reset are those of the two parts. Register accesses go to the stack below
// address 0x400 and to the unit from there on; one is under way at a time.
`default_nettype none

module branch_stack_core #(
  parameter THREADS = 24,
  parameter LANES = 32,
  parameter ENTRY_W = 64,
  parameter MAX_DEPTH = 16384,
  parameter ENTRIES = 16,
  parameter SET = 4,
  parameter POLICY = 0,    // 0 set_boundary, 1 threshold
  parameter FLAGS = 0,     // 0 per_set, 1 per_entry
  parameter COUNTERS = 1,
  parameter INFLIGHT = 16,
  parameter STEAL = 16,
  parameter ADDR_W = 32,
  parameter FORWARD = 1
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
  output wire res_go_o,
  output wire [LANES-1:0] res_mask_o,
  output wire [ENTRY_W-LANES-3:0] res_pc_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [SET*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_data_o,
  output wire [SET*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_strb_o,

  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,
  input  wire [SET*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [10:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o
);
  localparam THREAD_W = (THREADS > 1) ? $clog2(THREADS) : 1;
  localparam STACK_LATENCY = 3;

  wire op_valid, can_init, ans_valid, ans_data_valid;
  wire [2:0] op_kind, ans_kind;
  wire [1:0] ans_status;
  wire [THREAD_W-1:0] op_thread, ans_thread;
  wire [ENTRY_W-1:0] op_data, ans_data;
  wire [THREADS-1:0] can_push, can_top;

  wire unit_ready, stack_ready, unit_rsp, stack_rsp, unit_error, stack_error;
  wire [31:0] unit_data, stack_data;
  assign reg_req_ready_o = unit_ready && stack_ready;
  assign reg_rsp_valid_o = unit_rsp || stack_rsp;
  assign reg_rsp_data_o = unit_rsp ? unit_data : stack_data;
  assign reg_rsp_error_o = unit_rsp ? unit_error : stack_error;

  branch_unit_core #(
    .THREADS(THREADS), .LANES(LANES), .ENTRY_W(ENTRY_W), .MAX_DEPTH(MAX_DEPTH), .STACK_LATENCY(STACK_LATENCY)
  ) u_unit (
    .clk_i(clk_i), .rst_i(rst_i),
    .ins_valid_i(ins_valid_i), .ins_kind_i(ins_kind_i), .ins_set_sync_i(ins_set_sync_i), .ins_pop_sync_i(ins_pop_sync_i),
    .ins_group_i(ins_group_i), .ins_mask_i(ins_mask_i), .ins_target_i(ins_target_i), .ins_next_i(ins_next_i),
    .ins_step_o(ins_step_o), .ins_push_o(ins_push_o), .ins_pop_o(ins_pop_o), .ins_launch_o(ins_launch_o),
    .res_valid_o(res_valid_o), .res_group_o(res_group_o), .res_kind_o(res_kind_o), .res_status_o(res_status_o),
    .res_go_o(res_go_o), .res_mask_o(res_mask_o), .res_pc_o(res_pc_o),
    .op_valid_o(op_valid), .op_kind_o(op_kind), .op_thread_o(op_thread), .op_data_o(op_data),
    .can_push_i(can_push), .can_top_i(can_top), .can_init_i(can_init),
    .ans_valid_i(ans_valid), .ans_thread_i(ans_thread), .ans_kind_i(ans_kind), .ans_status_i(ans_status),
    .ans_data_valid_i(ans_data_valid), .ans_data_i(ans_data),
    .reg_req_valid_i(reg_req_valid_i && stack_ready && reg_req_addr_i[10]), .reg_req_ready_o(unit_ready),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i[9:0]), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(unit_rsp), .reg_rsp_data_o(unit_data), .reg_rsp_error_o(unit_error));

  // The stack's unit status is left out: a halt would have to include what the branch unit holds.
  wire [4:0] state;
  wire [2:0] ctx_error;
  wire [31:0] ctx_out_data;
  wire progress, waiting, gather, nack, ctx_cmd_ready, ctx_done, ctx_out_valid, ctx_out_last, ctx_in_ready;
  stack_cache_core #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .ENTRIES(ENTRIES), .SET(SET), .MAX_DEPTH(MAX_DEPTH), .POLICY(POLICY),
    .FLAGS(FLAGS), .COUNTERS(COUNTERS), .INFLIGHT(INFLIGHT), .STEAL(STEAL), .ADDR_W(ADDR_W), .FORWARD(FORWARD)
  ) u_stack (
    .clk_i(clk_i), .rst_i(rst_i),
    .op_valid_i(op_valid), .op_kind_i(op_kind), .op_thread_i(op_thread), .op_data_i(op_data),
    .can_push_o(can_push), .can_top_o(can_top), .can_init_o(can_init),
    .ans_valid_o(ans_valid), .ans_thread_o(ans_thread), .ans_kind_o(ans_kind), .ans_status_o(ans_status),
    .ans_data_valid_o(ans_data_valid), .ans_data_o(ans_data),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i), .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o), .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_tag_i(mem_rsp_tag_i), .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_error_i(mem_rsp_error_i),
    .reg_req_valid_i(reg_req_valid_i && unit_ready && !reg_req_addr_i[10]), .reg_req_ready_o(stack_ready),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i[9:0]), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(stack_rsp), .reg_rsp_data_o(stack_data), .reg_rsp_error_o(stack_error),
    .cmd_halt_i(1'b0), .cmd_reset_i(1'b0), .cmd_resume_i(1'b0), .state_o(state), .progress_o(progress),
    .waiting_o(waiting), .gather_o(gather), .nack_o(nack), .ctx_unit_i(16'd0), .ctx_cmd_valid_i(1'b0),
    .ctx_cmd_load_i(1'b0), .ctx_cmd_ready_o(ctx_cmd_ready), .ctx_done_o(ctx_done), .ctx_error_o(ctx_error),
    .ctx_out_valid_o(ctx_out_valid), .ctx_out_ready_i(1'b0), .ctx_out_data_o(ctx_out_data),
    .ctx_out_last_o(ctx_out_last), .ctx_in_valid_i(1'b0), .ctx_in_ready_o(ctx_in_ready), .ctx_in_data_i(32'd0),
    .ctx_in_last_i(1'b0), .ctx_in_error_i(1'b0));

  wire unused_status = &{1'b0, state, ctx_error, ctx_out_data, progress, waiting, gather, nack, ctx_cmd_ready,
                         ctx_done, ctx_out_valid, ctx_out_last, ctx_in_ready};
endmodule

`default_nettype wire
