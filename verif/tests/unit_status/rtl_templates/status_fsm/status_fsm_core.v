// SPDX-License-Identifier: Apache-2.0
// status_fsm_core: the cell unit_status_fsm alone, all of its ports outside, to be driven with anything.
`default_nettype none

module status_fsm_core #(
  parameter ENCODING = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [((ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire [13:0] signals_i,
  output wire halt_req_o,
  output wire halted_o,
  output wire ctx_reset_o,
  output wire resume_o
);
  generate
    if (ENCODING < 0 || ENCODING > 2) begin : g_encoding_range
      encoding_out_of_range check ();
    end
  endgenerate

  unit_status_fsm #(.ENCODING(ENCODING)) u_status (
    .clk_i(clk_i), .rst_i(rst_i),
    .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i), .cmd_resume_i(cmd_resume_i),
    .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o), .gather_o(gather_o), .nack_o(nack_o),
    .st_in_i(signals_i[0]), .st_out_i(signals_i[1]), .st_proc_i(signals_i[2]), .st_work_i(signals_i[3]),
    .st_mem_i(signals_i[4]), .st_mem_done_i(signals_i[5]), .st_nack_i(signals_i[6]),
    .st_blocked_i(signals_i[7]), .st_cannot_i(signals_i[8]), .st_progress_i(signals_i[9]),
    .st_gather_i(signals_i[10]), .can_halt_i(signals_i[11]), .nack_write_i(signals_i[12]),
    .nack_value_i(signals_i[13]), .halt_req_o(halt_req_o), .halted_o(halted_o), .ctx_reset_o(ctx_reset_o),
    .resume_o(resume_o)
  );
endmodule

`default_nettype wire
