// SPDX-License-Identifier: Apache-2.0
// front_end_core: status tree, front-end monitor and context hub for one topology, wired together
// (docs/front_end.md).
//
// Units hang on unit_* and ctx_*, one bit or slice each; software sits at the register port and irq_o;
// contexts go through the memory port. Latencies and handshakes are those of the three parts. Reset: no
// command, no report, all registers at their defaults, local slots empty.
`default_nettype none

module front_end_core #(
  parameter COMMANDS = 0,
  parameter ENCODING = 0,
  parameter STAGES = 3,
  parameter STATS = 1,
  parameter LOCAL_CONTEXTS = 0,
  parameter TIME_W = 32,
  parameter ADDR_W = 32,
  parameter LOCAL_WORDS = 64,
  parameter CTX_STRIDE_LG = 13,
  parameter INFLIGHT = 16,
  parameter UNIT_COUNT = 4,
  parameter CONN_COUNT = 4,
  parameter [11*CONN_COUNT+10:0] CONN_FIRST = {11'd4, 11'd3, 11'd2, 11'd1, 11'd0},
  parameter DOMAIN_COUNT = 1,
  parameter DEAD_COUNT = 1,
  parameter [11*CONN_COUNT-1:0] CONN_DOMAIN = 44'd0,
  parameter [11*CONN_COUNT-1:0] CONN_DEAD = 44'd0
) (
  input  wire clk_i,
  input  wire rst_i,

  output wire [UNIT_COUNT-1:0] unit_halt_o,
  output wire [UNIT_COUNT-1:0] unit_reset_o,
  output wire [UNIT_COUNT-1:0] unit_resume_o,
  input  wire [UNIT_COUNT*(5-ENCODING)-1:0] unit_state_i,
  input  wire [UNIT_COUNT-1:0] unit_progress_i,
  input  wire [UNIT_COUNT-1:0] unit_waiting_i,
  input  wire [UNIT_COUNT-1:0] unit_gather_i,
  input  wire [UNIT_COUNT-1:0] unit_nack_i,

  output wire irq_o,
  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  output wire [UNIT_COUNT-1:0] ctx_cmd_valid_o,
  output wire ctx_cmd_load_o,
  input  wire [UNIT_COUNT-1:0] ctx_cmd_ready_i,
  input  wire [UNIT_COUNT-1:0] ctx_done_i,
  input  wire [3*UNIT_COUNT-1:0] ctx_error_i,
  input  wire [UNIT_COUNT-1:0] ctx_out_valid_i,
  output wire [UNIT_COUNT-1:0] ctx_out_ready_o,
  input  wire [32*UNIT_COUNT-1:0] ctx_out_data_i,
  input  wire [UNIT_COUNT-1:0] ctx_out_last_i,
  output wire [UNIT_COUNT-1:0] ctx_in_valid_o,
  input  wire [UNIT_COUNT-1:0] ctx_in_ready_i,
  output wire [31:0] ctx_in_data_o,
  output wire ctx_in_last_o,
  output wire [1:0] ctx_in_error_o,
  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [31:0] mem_req_data_o,
  output wire [3:0] mem_req_strb_o,
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,
  input  wire [31:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i
);
  localparam COMMAND_COUNT = (COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT;
  localparam UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1;

  wire [CONN_COUNT*(5-ENCODING)-1:0] conn_state;
  wire [CONN_COUNT-1:0] conn_progress;
  wire [CONN_COUNT-1:0] conn_waiting;
  wire [CONN_COUNT-1:0] conn_gather;
  wire [CONN_COUNT-1:0] conn_nack;
  wire [COMMAND_COUNT-1:0] mon_halt;
  wire [COMMAND_COUNT-1:0] mon_reset;
  wire [COMMAND_COUNT-1:0] mon_resume;
  wire hub_valid;
  wire hub_load;
  wire [UNIT_W-1:0] hub_unit;
  wire [1:0] hub_slot;
  wire [ADDR_W-1:0] hub_base;
  wire hub_ready;
  wire hub_done;
  wire [3:0] hub_error;

  status_tree_core #(
    .STAGES(STAGES), .COMMANDS(COMMANDS), .ENCODING(ENCODING), .UNIT_COUNT(UNIT_COUNT),
    .CONN_COUNT(CONN_COUNT), .CONN_FIRST(CONN_FIRST)
  ) u_tree (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .unit_halt_o(unit_halt_o),
    .unit_reset_o(unit_reset_o),
    .unit_resume_o(unit_resume_o),
    .unit_state_i(unit_state_i),
    .unit_progress_i(unit_progress_i),
    .unit_waiting_i(unit_waiting_i),
    .unit_gather_i(unit_gather_i),
    .unit_nack_i(unit_nack_i),
    .mon_halt_i(mon_halt),
    .mon_reset_i(mon_reset),
    .mon_resume_i(mon_resume),
    .conn_state_o(conn_state),
    .conn_progress_o(conn_progress),
    .conn_waiting_o(conn_waiting),
    .conn_gather_o(conn_gather),
    .conn_nack_o(conn_nack)
  );

  front_end_monitor_core #(
    .COMMANDS(COMMANDS), .ENCODING(ENCODING), .STAGES(STAGES), .STATS(STATS),
    .TIME_W(TIME_W), .LOCAL_CONTEXTS(LOCAL_CONTEXTS), .ADDR_W(ADDR_W), .UNIT_COUNT(UNIT_COUNT),
    .CONN_COUNT(CONN_COUNT), .CONN_FIRST(CONN_FIRST), .DOMAIN_COUNT(DOMAIN_COUNT),
    .DEAD_COUNT(DEAD_COUNT), .CONN_DOMAIN(CONN_DOMAIN), .CONN_DEAD(CONN_DEAD)
  ) u_monitor (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .conn_state_i(conn_state),
    .conn_progress_i(conn_progress),
    .conn_waiting_i(conn_waiting),
    .conn_gather_i(conn_gather),
    .conn_nack_i(conn_nack),
    .mon_halt_o(mon_halt),
    .mon_reset_o(mon_reset),
    .mon_resume_o(mon_resume),
    .hub_valid_o(hub_valid),
    .hub_ready_i(hub_ready),
    .hub_load_o(hub_load),
    .hub_unit_o(hub_unit),
    .hub_slot_o(hub_slot),
    .hub_base_o(hub_base),
    .hub_done_i(hub_done),
    .hub_error_i(hub_error),
    .irq_o(irq_o),
    .reg_req_valid_i(reg_req_valid_i),
    .reg_req_ready_o(reg_req_ready_o),
    .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i),
    .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o),
    .reg_rsp_error_o(reg_rsp_error_o)
  );

  context_hub_core #(
    .UNIT_COUNT(UNIT_COUNT), .LOCAL_CONTEXTS(LOCAL_CONTEXTS), .LOCAL_WORDS(LOCAL_WORDS),
    .CTX_STRIDE_LG(CTX_STRIDE_LG), .INFLIGHT(INFLIGHT), .ADDR_W(ADDR_W)
  ) u_hub (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .hub_valid_i(hub_valid),
    .hub_ready_o(hub_ready),
    .hub_load_i(hub_load),
    .hub_unit_i(hub_unit),
    .hub_slot_i(hub_slot),
    .hub_base_i(hub_base),
    .hub_done_o(hub_done),
    .hub_error_o(hub_error),
    .ctx_cmd_valid_o(ctx_cmd_valid_o),
    .ctx_cmd_load_o(ctx_cmd_load_o),
    .ctx_cmd_ready_i(ctx_cmd_ready_i),
    .ctx_done_i(ctx_done_i),
    .ctx_error_i(ctx_error_i),
    .ctx_out_valid_i(ctx_out_valid_i),
    .ctx_out_ready_o(ctx_out_ready_o),
    .ctx_out_data_i(ctx_out_data_i),
    .ctx_out_last_i(ctx_out_last_i),
    .ctx_in_valid_o(ctx_in_valid_o),
    .ctx_in_ready_i(ctx_in_ready_i),
    .ctx_in_data_o(ctx_in_data_o),
    .ctx_in_last_o(ctx_in_last_o),
    .ctx_in_error_o(ctx_in_error_o),
    .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i),
    .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o),
    .mem_req_addr_o(mem_req_addr_o),
    .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o),
    .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_tag_i(mem_rsp_tag_i),
    .mem_rsp_data_i(mem_rsp_data_i),
    .mem_rsp_error_i(mem_rsp_error_i)
  );
endmodule

`default_nettype wire
