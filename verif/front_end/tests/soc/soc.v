// SPDX-License-Identifier: Apache-2.0
// soc: a monitor, and a tree that carries its commands to three units and their reports back.
`default_nettype none

module soc (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [14:0] state_i,
  output wire [2:0] halt_o,
  input  wire req_valid_i,
  output wire req_ready_o,
  input  wire req_write_i,
  input  wire [9:0] req_addr_i,
  input  wire [31:0] req_data_i,
  output wire rsp_valid_o,
  output wire [31:0] rsp_data_o,
  output wire rsp_error_o
);
  wire halt, reset, resume, progress, waiting, gather, nack;
  wire [4:0] state;

  reports u_tree (
    .clk_i(clk_i), .rst_i(rst_i),
    .unit_halt_o(halt_o), .unit_reset_o(), .unit_resume_o(), .unit_state_i(state_i),
    .unit_progress_i(3'd0), .unit_waiting_i(3'd0), .unit_gather_i(3'd0), .unit_nack_i(3'd0),
    .mon_halt_i(halt), .mon_reset_i(reset), .mon_resume_i(resume),
    .conn_state_o(state), .conn_progress_o(progress), .conn_waiting_o(waiting), .conn_gather_o(gather),
    .conn_nack_o(nack)
  );

  boss u_monitor (
    .clk_i(clk_i), .rst_i(rst_i),
    .conn_state_i(state), .conn_progress_i(progress), .conn_waiting_i(waiting), .conn_gather_i(gather),
    .conn_nack_i(nack),
    .mon_halt_o(halt), .mon_reset_o(reset), .mon_resume_o(resume),
    .hub_valid_o(), .hub_ready_i(1'b0), .hub_load_o(), .hub_unit_o(), .hub_slot_o(), .hub_base_o(),
    .hub_done_i(1'b0), .hub_error_i(4'd0),
    .irq_o(),
    .reg_req_valid_i(req_valid_i), .reg_req_ready_o(req_ready_o), .reg_req_write_i(req_write_i),
    .reg_req_addr_i(req_addr_i), .reg_req_data_i(req_data_i), .reg_rsp_valid_o(rsp_valid_o),
    .reg_rsp_data_o(rsp_data_o), .reg_rsp_error_o(rsp_error_o)
  );
endmodule

`default_nettype wire
