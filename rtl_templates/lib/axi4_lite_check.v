// SPDX-License-Identifier: Apache-2.0
// axi4_lite_check: watches the AXI4-Lite bus of axi4_lite_regs, for simulation. With the first rule that is
// broken, failed_o rises in the next cycle and rule_o says which, as text; both stay until reset. Rules of
// the master begin with M, those of the slave (the block) with S.
`default_nettype none
// verilator coverage_off

module axi4_lite_check #(
  parameter ADDR_W = 12  // bits of a byte address
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // The bus, watched in every cycle: write addresses (aw), write data (w), write responses (b), read
  // addresses (ar), read data (r).
  input  wire s_axil_awvalid,
  input  wire s_axil_awready,
  input  wire [ADDR_W-1:0] s_axil_awaddr,
  input  wire [2:0] s_axil_awprot,
  input  wire s_axil_wvalid,
  input  wire s_axil_wready,
  input  wire [31:0] s_axil_wdata,
  input  wire [3:0] s_axil_wstrb,
  input  wire s_axil_bvalid,
  input  wire s_axil_bready,
  input  wire [1:0] s_axil_bresp,
  input  wire s_axil_arvalid,
  input  wire s_axil_arready,
  input  wire [ADDR_W-1:0] s_axil_araddr,
  input  wire [2:0] s_axil_arprot,
  input  wire s_axil_rvalid,
  input  wire s_axil_rready,
  input  wire [31:0] s_axil_rdata,
  input  wire [1:0] s_axil_rresp,

  output reg failed_o,          // a rule was broken; from the cycle after that until reset
  output reg [8*64-1:0] rule_o  // the first rule broken, as text; valid with failed_o
);
  localparam RULES = 11;

  wire [ADDR_W+2:0] aw = {s_axil_awaddr, s_axil_awprot};
  wire [ADDR_W+2:0] ar = {s_axil_araddr, s_axil_arprot};
  wire [35:0] w = {s_axil_wdata, s_axil_wstrb};
  wire [33:0] r = {s_axil_rdata, s_axil_rresp};
  reg aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q, was_reset_q;
  reg [ADDR_W+2:0] aw_q, ar_q;
  reg [35:0] w_q;
  reg [1:0] b_q;
  reg [33:0] r_q;
  reg [7:0] aw_due_q, w_due_q, ar_due_q; // taken and without a response

  wire aw_go = s_axil_awvalid && s_axil_awready;
  wire w_go = s_axil_wvalid && s_axil_wready;
  wire b_go = s_axil_bvalid && s_axil_bready;
  wire ar_go = s_axil_arvalid && s_axil_arready;
  wire r_go = s_axil_rvalid && s_axil_rready;

  wire [RULES-1:0] bad;
  assign bad[0] = was_reset_q && (s_axil_awvalid || s_axil_wvalid || s_axil_arvalid);
  assign bad[1] = was_reset_q && (s_axil_bvalid || s_axil_rvalid);
  assign bad[2] = aw_wait_q && (!s_axil_awvalid || aw != aw_q);
  assign bad[3] = w_wait_q && (!s_axil_wvalid || w != w_q);
  assign bad[4] = ar_wait_q && (!s_axil_arvalid || ar != ar_q);
  assign bad[5] = b_wait_q && (!s_axil_bvalid || s_axil_bresp != b_q);
  assign bad[6] = r_wait_q && (!s_axil_rvalid || r != r_q);
  assign bad[7] = s_axil_bvalid && (aw_due_q == 8'd0 || w_due_q == 8'd0);
  assign bad[8] = s_axil_rvalid && ar_due_q == 8'd0;
  assign bad[9] = s_axil_bvalid && s_axil_bresp == 2'd1;
  assign bad[10] = s_axil_rvalid && s_axil_rresp == 2'd1;

  function [8*64-1:0] text(input [RULES-2:0] broken);
    begin
      if (broken[0]) text = "M: a valid in the first cycle after reset";
      else if (broken[1]) text = "S: a valid in the first cycle after reset";
      else if (broken[2]) text = "M: a write address changes while it waits";
      else if (broken[3]) text = "M: write data change while they wait";
      else if (broken[4]) text = "M: a read address changes while it waits";
      else if (broken[5]) text = "S: a write response changes while it waits";
      else if (broken[6]) text = "S: read data change while they wait";
      else if (broken[7]) text = "S: a write response without a whole write";
      else if (broken[8]) text = "S: read data without a read";
      else if (broken[9]) text = "S: an exclusive response to a write";
      else text = "S: an exclusive response to a read";
    end
  endfunction

  always @(posedge clk_i) begin
    was_reset_q <= rst_i;
    aw_q <= aw;
    ar_q <= ar;
    w_q <= w;
    b_q <= s_axil_bresp;
    r_q <= r;
    if (rst_i) begin
      failed_o <= 1'b0;
      rule_o <= {8*64{1'b0}};
      {aw_wait_q, w_wait_q, b_wait_q, ar_wait_q, r_wait_q} <= 5'd0;
      {aw_due_q, w_due_q, ar_due_q} <= 24'd0;
    end else begin
      if (|bad && !failed_o) begin
        failed_o <= 1'b1;
        rule_o <= text(bad[RULES-2:0]);
      end
      aw_wait_q <= s_axil_awvalid && !s_axil_awready;
      w_wait_q <= s_axil_wvalid && !s_axil_wready;
      b_wait_q <= s_axil_bvalid && !s_axil_bready;
      ar_wait_q <= s_axil_arvalid && !s_axil_arready;
      r_wait_q <= s_axil_rvalid && !s_axil_rready;
      aw_due_q <= aw_due_q + {7'd0, aw_go} - {7'd0, b_go};
      w_due_q <= w_due_q + {7'd0, w_go} - {7'd0, b_go};
      ar_due_q <= ar_due_q + {7'd0, ar_go} - {7'd0, r_go};
    end
  end
endmodule

// verilator coverage_on
`default_nettype wire
