// SPDX-License-Identifier: Apache-2.0
// axi4_lite_regs: AXI4-Lite in front of the plain register port of a block.
// One access at a time; of a read and a write that both wait, the other kind than the last one goes first.
// Nothing is kept of a request: it is answered with ready in the cycle in which the block takes it, one cycle
// or more after it is offered. A write whose strobes are not all 1 is refused and never reaches the block. A
// response that is not taken holds up its own channel only. No output depends on an input within a cycle, as
// long as reg_req_ready_i and reg_rsp_* do not.
`default_nettype none

module axi4_lite_regs #(
  parameter ADDR_W = 12  // bits of a byte address
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // The bus, of which this is the slave: write addresses (aw), write data (w), write responses (b), read
  // addresses (ar), read data (r).
  input  wire s_axil_awvalid,
  output wire s_axil_awready,
  input  wire [ADDR_W-1:0] s_axil_awaddr,
  input  wire [2:0] s_axil_awprot,
  input  wire s_axil_wvalid,
  output wire s_axil_wready,
  input  wire [31:0] s_axil_wdata,
  input  wire [3:0] s_axil_wstrb,
  output wire s_axil_bvalid,
  input  wire s_axil_bready,
  output wire [1:0] s_axil_bresp,
  input  wire s_axil_arvalid,
  output wire s_axil_arready,
  input  wire [ADDR_W-1:0] s_axil_araddr,
  input  wire [2:0] s_axil_arprot,
  output wire s_axil_rvalid,
  input  wire s_axil_rready,
  output wire [31:0] s_axil_rdata,
  output wire [1:0] s_axil_rresp,

  // the block
  output wire reg_req_valid_o,
  input  wire reg_req_ready_i,
  output wire reg_req_write_o,
  output wire [ADDR_W-1:0] reg_req_addr_o,
  output wire [31:0] reg_req_data_o,
  input  wire reg_rsp_valid_i,
  input  wire [31:0] reg_rsp_data_i,
  input  wire reg_rsp_error_i
);
  reg aw_seen_q, w_seen_q, ar_seen_q; // offered in the last cycle and not taken, so still offered
  reg busy_q, write_q; // an access of the block is under way; it, or the last one, is a write
  reg b_valid_q, b_error_q, r_valid_q, r_error_q;
  reg [31:0] r_data_q;

  wire idle = !busy_q && reg_req_ready_i;
  wire may_write = aw_seen_q && w_seen_q && !b_valid_q;
  wire may_read = ar_seen_q && !r_valid_q;
  wire go_write = idle && may_write && (!may_read || !write_q);
  wire go_read = idle && may_read && (!may_write || write_q);
  wire refuse = go_write && !(&s_axil_wstrb);

  assign s_axil_awready = go_write;
  assign s_axil_wready = go_write;
  assign s_axil_arready = go_read;
  assign s_axil_bvalid = b_valid_q;
  assign s_axil_bresp = {b_error_q, 1'b0};
  assign s_axil_rvalid = r_valid_q;
  assign s_axil_rresp = {r_error_q, 1'b0};
  assign s_axil_rdata = r_data_q;

  assign reg_req_valid_o = (go_write && !refuse) || go_read;
  assign reg_req_write_o = go_write;
  assign reg_req_addr_o = go_write ? s_axil_awaddr : s_axil_araddr;
  assign reg_req_data_o = s_axil_wdata;

  wire unused = &{1'b0, s_axil_awprot, s_axil_arprot};

  always @(posedge clk_i) begin
    if (rst_i) begin
      aw_seen_q <= 1'b0;
      w_seen_q <= 1'b0;
      ar_seen_q <= 1'b0;
      busy_q <= 1'b0;
      write_q <= 1'b0;
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      aw_seen_q <= s_axil_awvalid && !go_write;
      w_seen_q <= s_axil_wvalid && !go_write;
      ar_seen_q <= s_axil_arvalid && !go_read;
      if (go_write || go_read) write_q <= go_write;
      if (reg_req_valid_o) busy_q <= 1'b1;
      else if (reg_rsp_valid_i) busy_q <= 1'b0;
      if (refuse || (reg_rsp_valid_i && write_q)) b_valid_q <= 1'b1;
      else if (s_axil_bready) b_valid_q <= 1'b0;
      if (reg_rsp_valid_i && !write_q) r_valid_q <= 1'b1;
      else if (s_axil_rready) r_valid_q <= 1'b0;
    end
    if (refuse || (reg_rsp_valid_i && write_q)) b_error_q <= refuse || reg_rsp_error_i;
    if (reg_rsp_valid_i && !write_q) begin
      r_error_q <= reg_rsp_error_i;
      r_data_q <= reg_rsp_data_i;
    end
  end
endmodule

`default_nettype wire
