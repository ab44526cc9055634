// SPDX-License-Identifier: Apache-2.0
// context_port_pins: context_port between registers, with three pins, so that it can be placed and its
// frequency measured (docs/unit_status_cells.md). Inputs come from a shift register, outputs are folded into
// one.
`default_nettype none

module context_port_pins #(
  parameter CTX_MAX = 1024
) (
  input  wire clk_i,
  input  wire in_i,
  output reg  out_o
);
  reg [101:0] in_q;
  reg [102:0] out_q;
  wire [102:0] out;
  always @(posedge clk_i) begin
    in_q <= {in_q[100:0], in_i};
    out_q <= out ^ {out_q[101:0], 1'b0};
    out_o <= out_q[102];
  end

  context_port #(.UNIT_TYPE(2), .CFG_HASH(32'h12345678), .CTX_MAX(CTX_MAX)) u_port (
    .clk_i(clk_i), .rst_i(in_q[0]),
    .ctx_unit_i(16'h0123),
    .ctx_cmd_valid_i(in_q[1]), .ctx_cmd_load_i(in_q[2]), .ctx_cmd_ready_o(out[0]),
    .ctx_done_o(out[1]), .ctx_error_o(out[4:2]),
    .ctx_out_valid_o(out[5]), .ctx_out_ready_i(in_q[3]), .ctx_out_data_o(out[37:6]), .ctx_out_last_o(out[38]),
    .ctx_in_valid_i(in_q[4]), .ctx_in_ready_o(out[39]), .ctx_in_data_i(in_q[36:5]), .ctx_in_last_i(in_q[37]),
    .ctx_in_error_i({in_q[101], in_q[38]}),
    .halted_i(in_q[39]), .can_halt_i(in_q[40]),
    .ctx_save_o(out[40]), .ctx_len_i(in_q[64:41]), .sav_valid_i(in_q[65]), .sav_ready_o(out[41]),
    .sav_data_i(in_q[97:66]), .sav_last_i(in_q[98]),
    .ctx_load_o(out[42]), .ld_len_o(out[66:43]), .ld_valid_o(out[67]), .ld_ready_i(in_q[99]),
    .ld_data_o(out[99:68]), .ld_last_o(out[100]), .ld_bad_i(in_q[100]), .ld_commit_o(out[101]),
    .ld_abort_o(out[102])
  );
endmodule

`default_nettype wire
