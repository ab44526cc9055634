// SPDX-License-Identifier: Apache-2.0
// tree_system_core: STACKS branch units with their stacks in DOMAINS switch domains, the memory of each
// domain behind a mem_arbiter, all of them units of one front_end.
//
// s_*: the stacks side by side, m_*: the arbiters' memories, f_*: the front end. The units of a domain are
// its stacks, then its arbiter. Streams, latencies and reset are those of the parts; payload without its
// valid is shown as 0.
`default_nettype none

module tree_system_core #(
  parameter STACKS = 4,
  parameter DOMAINS = 1,
  parameter COMMANDS = 0,  // 0 broadcast, 1 group, 2 unit
  parameter ENCODING = 0,  // of states: 0 one_hot, 1 two_of_four, 2 binary
  parameter THREADS = 24,
  parameter LANES = 32,
  parameter ENTRY_W = 64,
  parameter MAX_DEPTH = 16384,
  parameter ENTRIES = 16,
  parameter SET = 4,
  parameter INFLIGHT = 16,
  parameter HUB_INFLIGHT = 16,
  parameter UNIT_COUNT = 5,
  parameter CONN_COUNT = 5,
  parameter [11*CONN_COUNT+10:0] CONN_FIRST = {11'd5, 11'd4, 11'd3, 11'd2, 11'd1, 11'd0},
  parameter DOMAIN_COUNT = 1,
  parameter DEAD_COUNT = 1,
  parameter [11*CONN_COUNT-1:0] CONN_DOMAIN = 55'd0,
  parameter [11*CONN_COUNT-1:0] CONN_DEAD = 55'd0,
  parameter CTX_STRIDE_LG = 14
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [STACKS-1:0] s_ins_valid_i,
  input  wire [STACKS*3-1:0] s_ins_kind_i,
  input  wire [STACKS-1:0] s_ins_set_sync_i,
  input  wire [STACKS-1:0] s_ins_pop_sync_i,
  input  wire [STACKS*((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] s_ins_group_i,
  input  wire [STACKS*LANES-1:0] s_ins_mask_i,
  input  wire [STACKS*(ENTRY_W-LANES-2)-1:0] s_ins_target_i,
  input  wire [STACKS*(ENTRY_W-LANES-2)-1:0] s_ins_next_i,
  output wire [STACKS*THREADS-1:0] s_ins_step_o,
  output wire [STACKS*THREADS-1:0] s_ins_push_o,
  output wire [STACKS*THREADS-1:0] s_ins_pop_o,
  output wire [STACKS*THREADS-1:0] s_ins_launch_o,
  output wire [STACKS-1:0] s_res_valid_o,
  output wire [STACKS*((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] s_res_group_o,
  output wire [STACKS*3-1:0] s_res_kind_o,
  output wire [STACKS*3-1:0] s_res_status_o,
  output wire [STACKS-1:0] s_res_synced_o,
  output wire [STACKS-1:0] s_res_go_o,
  output wire [STACKS*LANES-1:0] s_res_mask_o,
  output wire [STACKS*(ENTRY_W-LANES-2)-1:0] s_res_pc_o,
  input  wire [STACKS-1:0] s_reg_req_valid_i,
  output wire [STACKS-1:0] s_reg_req_ready_o,
  input  wire [STACKS-1:0] s_reg_req_write_i,
  input  wire [STACKS*11-1:0] s_reg_req_addr_i,
  input  wire [STACKS*32-1:0] s_reg_req_data_i,
  output wire [STACKS-1:0] s_reg_rsp_valid_o,
  output wire [STACKS*32-1:0] s_reg_rsp_data_o,
  output wire [STACKS-1:0] s_reg_rsp_error_o,

  output wire [DOMAINS-1:0] m_mem_req_valid_o,
  input  wire [DOMAINS-1:0] m_mem_req_ready_i,
  output wire [DOMAINS-1:0] m_mem_req_write_o,
  output wire [DOMAINS*($clog2(STACKS/DOMAINS)+((THREADS > 1) ? $clog2(THREADS)
                                                : 1)+$clog2(INFLIGHT))-1:0] m_mem_req_tag_o,
  output wire [DOMAINS*32-1:0] m_mem_req_addr_o,
  output wire [DOMAINS*SET*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] m_mem_req_data_o,
  output wire [DOMAINS*SET*(1<<$clog2((ENTRY_W+7)/8))-1:0] m_mem_req_strb_o,
  input  wire [DOMAINS-1:0] m_mem_rsp_valid_i,
  output wire [DOMAINS-1:0] m_mem_rsp_ready_o,
  input  wire [DOMAINS*($clog2(STACKS/DOMAINS)+((THREADS > 1) ? $clog2(THREADS)
                                                : 1)+$clog2(INFLIGHT))-1:0] m_mem_rsp_tag_i,
  input  wire [DOMAINS*SET*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] m_mem_rsp_data_i,
  input  wire [DOMAINS*2-1:0] m_mem_rsp_error_i,

  output wire [UNIT_COUNT-1:0] f_unit_halt_o,
  output wire [UNIT_COUNT-1:0] f_unit_reset_o,
  output wire f_irq_o,
  input  wire f_reg_req_valid_i,
  output wire f_reg_req_ready_o,
  input  wire f_reg_req_write_i,
  input  wire [9:0] f_reg_req_addr_i,
  input  wire [31:0] f_reg_req_data_i,
  output wire f_reg_rsp_valid_o,
  output wire [31:0] f_reg_rsp_data_o,
  output wire f_reg_rsp_error_o,
  output wire f_mem_req_valid_o,
  input  wire f_mem_req_ready_i,
  output wire f_mem_req_write_o,
  output wire [$clog2(HUB_INFLIGHT)-1:0] f_mem_req_tag_o,
  output wire [31:0] f_mem_req_addr_o,
  output wire [31:0] f_mem_req_data_o,
  output wire [3:0] f_mem_req_strb_o,
  input  wire f_mem_rsp_valid_i,
  output wire f_mem_rsp_ready_o,
  input  wire [$clog2(HUB_INFLIGHT)-1:0] f_mem_rsp_tag_i,
  input  wire [31:0] f_mem_rsp_data_i,
  input  wire [1:0] f_mem_rsp_error_i,

  output wire [UNIT_COUNT*(5-ENCODING)-1:0] unit_state_o,
  output wire [UNIT_COUNT-1:0] unit_progress_o
);
  localparam THREAD_W = (THREADS > 1) ? $clog2(THREADS) : 1;
  localparam PC_W = ENTRY_W - LANES - 2;
  localparam EACH = STACKS / DOMAINS;      // stacks of a domain
  localparam TAG_W = THREAD_W + $clog2(INFLIGHT);
  localparam OUT_TAG_W = $clog2(EACH) + TAG_W;
  localparam STRB_W = SET * (1 << $clog2((ENTRY_W + 7) / 8));
  localparam DATA_W = 8 * STRB_W;
  localparam STATE_W = 5 - ENCODING;

  // ---- between the units and the front end, by number of the unit
  wire [UNIT_COUNT-1:0] halt, clear, resume, progress, waiting, gather, nack;
  wire [UNIT_COUNT*STATE_W-1:0] state;
  wire [UNIT_COUNT-1:0] cmd_valid, cmd_ready, done, out_valid, out_ready, out_last, in_valid, in_ready;
  wire [3*UNIT_COUNT-1:0] error;
  wire [32*UNIT_COUNT-1:0] out_data;
  wire cmd_load, in_last;
  wire [1:0] in_error;
  wire [31:0] in_data;
  assign unit_state_o = state;
  assign unit_progress_o = progress;
  assign f_unit_halt_o = halt;
  assign f_unit_reset_o = clear;

  // ---- between the stacks and the arbiters, by number of the stack; answers by number of the arbiter
  wire [STACKS-1:0] req_valid, req_ready, req_write, rsp_valid, rsp_ready, halted;
  wire [STACKS*TAG_W-1:0] req_tag;
  wire [STACKS*32-1:0] req_addr;
  wire [STACKS*DATA_W-1:0] req_data;
  wire [STACKS*STRB_W-1:0] req_strb;
  wire [DOMAINS*TAG_W-1:0] rsp_tag;
  wire [DOMAINS*DATA_W-1:0] rsp_data;
  wire [DOMAINS*2-1:0] rsp_error;

  genvar s, d;
  generate
    for (s = 0; s < STACKS; s = s + 1) begin : g_stack
      localparam D = s / EACH;
      localparam U = D * (EACH + 1) + s % EACH;
      wire res_valid, res_synced, res_go, reg_rsp;
      wire [THREAD_W-1:0] res_group;
      wire [2:0] res_kind, res_status;
      wire [LANES-1:0] res_mask;
      wire [PC_W-1:0] res_pc;
      wire [31:0] reg_data;
      wire reg_error;
      assign s_res_valid_o[s] = res_valid;
      assign s_res_go_o[s] = res_go;
      assign s_res_group_o[s*THREAD_W+:THREAD_W] = res_group & {THREAD_W{res_valid}};
      assign s_res_kind_o[s*3+:3] = res_kind & {3{res_valid}};
      assign s_res_status_o[s*3+:3] = res_status & {3{res_valid}};
      assign s_res_synced_o[s] = res_synced && res_valid;
      assign s_res_mask_o[s*LANES+:LANES] = res_mask & {LANES{res_go}};
      assign s_res_pc_o[s*PC_W+:PC_W] = res_pc & {PC_W{res_go}};
      assign s_reg_rsp_valid_o[s] = reg_rsp;
      assign s_reg_rsp_data_o[s*32+:32] = reg_data & {32{reg_rsp}};
      assign s_reg_rsp_error_o[s] = reg_error && reg_rsp;
      branch_stack_core #(
        .THREADS(THREADS), .LANES(LANES), .ENTRY_W(ENTRY_W), .MAX_DEPTH(MAX_DEPTH), .ENTRIES(ENTRIES),
        .SET(SET), .INFLIGHT(INFLIGHT), .ADDR_W(32), .STATUS(ENCODING + 1)
      ) u_stack (
        .clk_i(clk_i), .rst_i(rst_i),
        .ins_valid_i(s_ins_valid_i[s]), .ins_kind_i(s_ins_kind_i[s*3+:3]),
        .ins_set_sync_i(s_ins_set_sync_i[s]), .ins_pop_sync_i(s_ins_pop_sync_i[s]),
        .ins_group_i(s_ins_group_i[s*THREAD_W+:THREAD_W]), .ins_mask_i(s_ins_mask_i[s*LANES+:LANES]),
        .ins_target_i(s_ins_target_i[s*PC_W+:PC_W]), .ins_next_i(s_ins_next_i[s*PC_W+:PC_W]),
        .ins_step_o(s_ins_step_o[s*THREADS+:THREADS]), .ins_push_o(s_ins_push_o[s*THREADS+:THREADS]),
        .ins_pop_o(s_ins_pop_o[s*THREADS+:THREADS]), .ins_launch_o(s_ins_launch_o[s*THREADS+:THREADS]),
        .res_valid_o(res_valid), .res_group_o(res_group), .res_kind_o(res_kind), .res_status_o(res_status),
        .res_synced_o(res_synced),
        .res_go_o(res_go), .res_mask_o(res_mask), .res_pc_o(res_pc),
        .mem_req_valid_o(req_valid[s]), .mem_req_ready_i(req_ready[s]), .mem_req_write_o(req_write[s]),
        .mem_req_tag_o(req_tag[s*TAG_W+:TAG_W]), .mem_req_addr_o(req_addr[s*32+:32]),
        .mem_req_data_o(req_data[s*DATA_W+:DATA_W]), .mem_req_strb_o(req_strb[s*STRB_W+:STRB_W]),
        .mem_rsp_valid_i(rsp_valid[s]), .mem_rsp_ready_o(rsp_ready[s]),
        .mem_rsp_tag_i(rsp_tag[D*TAG_W+:TAG_W]), .mem_rsp_data_i(rsp_data[D*DATA_W+:DATA_W]),
        .mem_rsp_error_i(rsp_error[D*2+:2]), .reg_req_valid_i(s_reg_req_valid_i[s]),
        .reg_req_ready_o(s_reg_req_ready_o[s]), .reg_req_write_i(s_reg_req_write_i[s]),
        .reg_req_addr_i(s_reg_req_addr_i[s*11+:11]), .reg_req_data_i(s_reg_req_data_i[s*32+:32]),
        .reg_rsp_valid_o(reg_rsp), .reg_rsp_data_o(reg_data), .reg_rsp_error_o(reg_error),
        .cmd_halt_i(halt[U]), .cmd_reset_i(clear[U]), .cmd_resume_i(resume[U]),
        .state_o(state[U*STATE_W+:STATE_W]), .progress_o(progress[U]), .waiting_o(waiting[U]),
        .gather_o(gather[U]), .nack_o(nack[U]), .ctx_unit_i(U[15:0]), .ctx_cmd_valid_i(cmd_valid[U]),
        .ctx_cmd_load_i(cmd_load), .ctx_cmd_ready_o(cmd_ready[U]), .ctx_done_o(done[U]),
        .ctx_error_o(error[3*U+:3]), .ctx_out_valid_o(out_valid[U]), .ctx_out_ready_i(out_ready[U]),
        .ctx_out_data_o(out_data[32*U+:32]), .ctx_out_last_o(out_last[U]), .ctx_in_valid_i(in_valid[U]),
        .ctx_in_ready_o(in_ready[U]), .ctx_in_data_i(in_data), .ctx_in_last_i(in_last),
        .ctx_in_error_i(in_error)
      );
      if (ENCODING == 0) begin : g_one_hot
        assign halted[s] = state[U*STATE_W+4];
      end else if (ENCODING == 1) begin : g_two_of_four
        assign halted[s] = state[U*STATE_W+3] && state[U*STATE_W+1];
      end else begin : g_binary
        assign halted[s] = state[U*STATE_W+2];
      end
    end

    for (d = 0; d < DOMAINS; d = d + 1) begin : g_arbiter
      localparam U = d * (EACH + 1) + EACH;
      wire asks, writes;
      wire [OUT_TAG_W-1:0] tag;
      wire [31:0] addr;
      wire [DATA_W-1:0] data;
      wire [STRB_W-1:0] strb;
      assign m_mem_req_valid_o[d] = asks;
      assign m_mem_req_write_o[d] = writes;
      assign m_mem_req_tag_o[d*OUT_TAG_W+:OUT_TAG_W] = tag & {OUT_TAG_W{asks}};
      assign m_mem_req_addr_o[d*32+:32] = addr & {32{asks}};
      assign m_mem_req_data_o[d*DATA_W+:DATA_W] = data & {DATA_W{writes}};
      assign m_mem_req_strb_o[d*STRB_W+:STRB_W] = strb & {STRB_W{writes}};
      mem_arbiter_core #(
        .CLIENTS(EACH), .TAG_W(TAG_W), .ADDR_W(32), .DATA_W(DATA_W), .ENCODING(ENCODING)
      ) u_arbiter (
        .clk_i(clk_i), .rst_i(rst_i),
        .cl_req_valid_i(req_valid[d*EACH+:EACH]), .cl_req_ready_o(req_ready[d*EACH+:EACH]),
        .cl_req_write_i(req_write[d*EACH+:EACH]), .cl_req_tag_i(req_tag[d*EACH*TAG_W+:EACH*TAG_W]),
        .cl_req_addr_i(req_addr[d*EACH*32+:EACH*32]), .cl_req_data_i(req_data[d*EACH*DATA_W+:EACH*DATA_W]),
        .cl_req_strb_i(req_strb[d*EACH*STRB_W+:EACH*STRB_W]),
        .cl_rsp_valid_o(rsp_valid[d*EACH+:EACH]), .cl_rsp_ready_i(rsp_ready[d*EACH+:EACH]),
        .cl_rsp_tag_o(rsp_tag[d*TAG_W+:TAG_W]), .cl_rsp_data_o(rsp_data[d*DATA_W+:DATA_W]),
        .cl_rsp_error_o(rsp_error[d*2+:2]),
        .served_idle_i(&halted[d*EACH+:EACH]),  // US-5: a halted client has no request open
        .mem_req_valid_o(asks), .mem_req_ready_i(m_mem_req_ready_i[d]), .mem_req_write_o(writes),
        .mem_req_tag_o(tag), .mem_req_addr_o(addr), .mem_req_data_o(data), .mem_req_strb_o(strb),
        .mem_rsp_valid_i(m_mem_rsp_valid_i[d]), .mem_rsp_ready_o(m_mem_rsp_ready_o[d]),
        .mem_rsp_tag_i(m_mem_rsp_tag_i[d*OUT_TAG_W+:OUT_TAG_W]),
        .mem_rsp_data_i(m_mem_rsp_data_i[d*DATA_W+:DATA_W]), .mem_rsp_error_i(m_mem_rsp_error_i[d*2+:2]),
        .cmd_halt_i(halt[U]), .cmd_reset_i(clear[U]), .cmd_resume_i(resume[U]),
        .state_o(state[U*STATE_W+:STATE_W]), .progress_o(progress[U]), .waiting_o(waiting[U]),
        .gather_o(gather[U]), .nack_o(nack[U]), .ctx_unit_i(U[15:0]), .ctx_cmd_valid_i(cmd_valid[U]),
        .ctx_cmd_load_i(cmd_load), .ctx_cmd_ready_o(cmd_ready[U]), .ctx_done_o(done[U]),
        .ctx_error_o(error[3*U+:3]), .ctx_out_valid_o(out_valid[U]), .ctx_out_ready_i(out_ready[U]),
        .ctx_out_data_o(out_data[32*U+:32]), .ctx_out_last_o(out_last[U]), .ctx_in_valid_i(in_valid[U]),
        .ctx_in_ready_o(in_ready[U]), .ctx_in_data_i(in_data), .ctx_in_last_i(in_last),
        .ctx_in_error_i(in_error)
      );
    end
  endgenerate

  localparam HUB_TAG_W = $clog2(HUB_INFLIGHT);
  wire [HUB_TAG_W-1:0] hub_tag;
  wire [3:0] hub_strb;
  wire [31:0] hub_addr, hub_data, fe_data;
  wire fe_error;
  assign f_mem_req_tag_o = hub_tag & {HUB_TAG_W{f_mem_req_valid_o}};
  assign f_mem_req_addr_o = hub_addr & {32{f_mem_req_valid_o}};
  assign f_mem_req_data_o = hub_data & {32{f_mem_req_write_o}};
  assign f_mem_req_strb_o = hub_strb & {4{f_mem_req_write_o}};
  assign f_reg_rsp_data_o = fe_data & {32{f_reg_rsp_valid_o}};
  assign f_reg_rsp_error_o = fe_error && f_reg_rsp_valid_o;
  front_end_core #(
    .COMMANDS(COMMANDS), .ENCODING(ENCODING), .ADDR_W(32), .CTX_STRIDE_LG(CTX_STRIDE_LG),
    .INFLIGHT(HUB_INFLIGHT), .UNIT_COUNT(UNIT_COUNT),
    .CONN_COUNT(CONN_COUNT), .CONN_FIRST(CONN_FIRST), .DOMAIN_COUNT(DOMAIN_COUNT), .DEAD_COUNT(DEAD_COUNT),
    .CONN_DOMAIN(CONN_DOMAIN), .CONN_DEAD(CONN_DEAD)
  ) u_front_end (
    .clk_i(clk_i), .rst_i(rst_i),
    .unit_halt_o(halt), .unit_reset_o(clear), .unit_resume_o(resume), .unit_state_i(state),
    .unit_progress_i(progress), .unit_waiting_i(waiting), .unit_gather_i(gather), .unit_nack_i(nack),
    .irq_o(f_irq_o), .reg_req_valid_i(f_reg_req_valid_i), .reg_req_ready_o(f_reg_req_ready_o),
    .reg_req_write_i(f_reg_req_write_i), .reg_req_addr_i(f_reg_req_addr_i), .reg_req_data_i(f_reg_req_data_i),
    .reg_rsp_valid_o(f_reg_rsp_valid_o), .reg_rsp_data_o(fe_data), .reg_rsp_error_o(fe_error),
    .ctx_cmd_valid_o(cmd_valid), .ctx_cmd_load_o(cmd_load), .ctx_cmd_ready_i(cmd_ready), .ctx_done_i(done),
    .ctx_error_i(error), .ctx_out_valid_i(out_valid), .ctx_out_ready_o(out_ready), .ctx_out_data_i(out_data),
    .ctx_out_last_i(out_last), .ctx_in_valid_o(in_valid), .ctx_in_ready_i(in_ready), .ctx_in_data_o(in_data),
    .ctx_in_last_o(in_last), .ctx_in_error_o(in_error),
    .mem_req_valid_o(f_mem_req_valid_o), .mem_req_ready_i(f_mem_req_ready_i),
    .mem_req_write_o(f_mem_req_write_o), .mem_req_tag_o(hub_tag), .mem_req_addr_o(hub_addr),
    .mem_req_data_o(hub_data), .mem_req_strb_o(hub_strb), .mem_rsp_valid_i(f_mem_rsp_valid_i),
    .mem_rsp_ready_o(f_mem_rsp_ready_o), .mem_rsp_tag_i(f_mem_rsp_tag_i), .mem_rsp_data_i(f_mem_rsp_data_i),
    .mem_rsp_error_i(f_mem_rsp_error_i)
  );
endmodule

`default_nettype wire
