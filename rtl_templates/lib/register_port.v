// SPDX-License-Identifier: Apache-2.0
// register_port: one access of a register port at a time. An access taken in cycle t is shown from t + 1 on;
// it executes in the first cycle from then on in which waits_i is 0 (executes_o) and is answered in the next:
// a latency of 2 cycles and what it waits, one access every 2 cycles. What the answer says is asked for in
// the cycle of executes_o. Reset: no access under way; an access that was is not answered. The description of
// a block lists its registers; how they are read and which writes are refused: register_map, register_vector,
// register_range. [US-12]
`default_nettype none

module register_port #(
  parameter ADDR_W = 10  // bits of a byte address
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // The register port. An access is taken with valid and ready: write or read, byte address, data. Its answer
  // is valid for one cycle, without ready; error says that it was refused.
  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [ADDR_W-1:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output reg  reg_rsp_valid_o,
  output reg  [31:0] reg_rsp_data_o,
  output reg  reg_rsp_error_o,

  input  wire closed_i,             // no access is taken
  output wire taken_o,              // one is: reg_req_* of this cycle
  input  wire waits_i,              // the access under way does not execute yet
  output wire busy_o,               // one is under way:
  output wire executes_o,           // it executes in this cycle
  output reg  write_o,              // it is a write; 0: a read
  output reg  [ADDR_W-1:0] addr_o,  // its byte address
  output reg  [31:0] data_o,        // data of a write
  input  wire good_i,               // of the access that executes: it is not refused
  input  wire [31:0] word_i         // of a read that executes, 0 if it is refused
);
  reg busy_q;
  assign busy_o = busy_q;
  assign reg_req_ready_o = !busy_q && !closed_i;
  assign taken_o = reg_req_valid_i && reg_req_ready_o;
  assign executes_o = busy_q && !waits_i;
  always @(posedge clk_i) begin
    busy_q <= !rst_i && (busy_q ? waits_i : taken_o);
    if (!busy_q) begin
      write_o <= reg_req_write_i;
      addr_o <= reg_req_addr_i;
      data_o <= reg_req_data_i;
    end
    reg_rsp_valid_o <= executes_o && !rst_i;
    reg_rsp_error_o <= !good_i;
    reg_rsp_data_o <= write_o ? 32'd0 : word_i;
  end
endmodule

`default_nettype wire
