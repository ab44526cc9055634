// SPDX-License-Identifier: Apache-2.0
// bus_rules: each rule of axi4_check and axi4_lite_check is broken once, and the checker says so; without a
// fault, it says nothing. One line per case: `ok` or `not ok`, and the rule.
`default_nettype none
`timescale 1ns / 1ns

module bus_rules;
  reg clk, rst, any_failed;

  // ---- AXI4: two beats of 4 bytes, ids of 3 bits, 4 read buffers
  reg awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
  reg [2:0] awid, bid, arid, rid, awsize, arsize;
  reg [31:0] awaddr, araddr, wdata, rdata;
  reg [7:0] awlen, arlen;
  reg [1:0] awburst, arburst, bresp, rresp;
  reg [3:0] wstrb;
  wire failed;
  wire [511:0] rule;

  axi4_check #(.ADDR_W(32), .DATA_W(64), .BUS_W(32), .TAG_W(3), .READS(4)) u_axi4 (
    .clk_i(clk), .rst_i(rst), .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid),
    .m_axi_awaddr(awaddr), .m_axi_awlen(awlen), .m_axi_awsize(awsize), .m_axi_awburst(awburst),
    .m_axi_awcache(4'd2), .m_axi_awprot(3'd0), .m_axi_wvalid(wvalid), .m_axi_wready(wready),
    .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_bvalid(bvalid),
    .m_axi_bready(bready), .m_axi_bid(bid), .m_axi_bresp(bresp), .m_axi_arvalid(arvalid),
    .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
    .m_axi_arsize(arsize), .m_axi_arburst(arburst), .m_axi_arcache(4'd2), .m_axi_arprot(3'd0),
    .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid(rid), .m_axi_rdata(rdata), .m_axi_rresp(rresp),
    .m_axi_rlast(rlast), .failed_o(failed), .rule_o(rule));

  // ---- AXI4-Lite: the same signals, as far as it has them
  wire lite_failed;
  wire [511:0] lite_rule;
  axi4_lite_check #(.ADDR_W(12)) u_lite (
    .clk_i(clk), .rst_i(rst), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_awaddr(awaddr[11:0]), .s_axil_awprot(3'd0), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_bresp(bresp), .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr[11:0]),
    .s_axil_arprot(3'd0), .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata),
    .s_axil_rresp(rresp), .failed_o(lite_failed), .rule_o(lite_rule));

  task tick;
    begin
      #5 clk = 1'b1;
      #5 clk = 1'b0;
    end
  endtask

  task quiet;
    begin
      {awvalid, wvalid, bvalid, arvalid, rvalid} = 5'd0;
      {awready, wready, bready, arready, rready} = 5'h1f;
    end
  endtask

  // Out of reset, all legal.
  task fresh;
    begin
      quiet;
      {awid, bid, arid, rid, bresp, rresp, wlast, rlast} = 0;
      {awsize, arsize, awburst, arburst} = {3'd2, 3'd2, 2'd1, 2'd1};
      {awlen, arlen, wstrb, awaddr, araddr} = {8'd1, 8'd1, 4'hf, 32'h1000, 32'h2000};
      wdata = 32'h11;
      rdata = 32'h22;
      rst = 1'b1;
      tick;
      rst = 1'b0;
    end
  endtask

  task told(input [511:0] wanted, input got_failed, input [511:0] got, input [63:0] bus);
    if (got_failed !== 1'b1 || got !== wanted) begin
      any_failed = 1'b1;
      $display("not ok bus rules, %0s: %0s: got '%0s'", bus, wanted, got);
    end else $display("ok bus rules, %0s: %0s", bus, wanted);
  endtask

  // The rule is broken in this cycle: of AXI4, of AXI4-Lite, of both.
  task axi4(input [511:0] wanted);
    begin
      tick;
      told(wanted, failed, rule, "AXI4");
      fresh;
      tick;
    end
  endtask
  task lite(input [511:0] wanted);
    begin
      tick;
      told(wanted, lite_failed, lite_rule, "Lite");
      fresh;
      tick;
    end
  endtask
  task both(input [511:0] wanted);
    begin
      tick;
      told(wanted, failed, rule, "AXI4");
      told(wanted, lite_failed, lite_rule, "Lite");
      fresh;
      tick;
    end
  endtask

  task sound(input [511:0] what);
    if (failed !== 1'b0 || lite_failed !== 1'b0) begin
      any_failed = 1'b1;
      $display("not ok bus rules: %0s: got '%0s' '%0s'", what, rule, lite_rule);
    end else $display("ok bus rules: %0s", what);
  endtask

  task write_address(input [2:0] id); begin awid = id; awvalid = 1'b1; tick; awvalid = 1'b0; end endtask
  task read_address(input [2:0] id); begin arid = id; arvalid = 1'b1; tick; arvalid = 1'b0; end endtask
  task write_beat(input last); begin wlast = last; wvalid = 1'b1; tick; wvalid = 1'b0; end endtask
  task read_beat(input [2:0] id, input last); begin rid = id; rlast = last; rvalid = 1'b1; tick;
  rvalid = 1'b0; end endtask

  // AXI4 alone from here: both writes in any order of the channels, reads in turns, a stall on every channel.
  task legal;
    begin
      {awready, wready} = 2'b00;
      {awvalid, wvalid, wlast, awid} = {3'b110, 3'd1};
      tick;
      wready = 1'b1;
      tick; // the data go ahead of the address
      wlast = 1'b1;
      tick;
      wvalid = 1'b0;
      awready = 1'b1;
      tick;
      write_address(3'd2);
      bready = 1'b0;
      {bvalid, bid} = {1'b1, 3'd1};
      tick;
      bready = 1'b1;
      tick;
      bvalid = 1'b0;
      read_address(3'd0);
      arready = 1'b0;
      {arvalid, arid} = {1'b1, 3'd3};
      tick;
      arready = 1'b1;
      tick;
      arvalid = 1'b0;
      read_beat(3'd3, 1'b0);
      read_beat(3'd0, 1'b0);
      rready = 1'b0;
      {rvalid, rid, rlast, rresp} = {1'b1, 3'd0, 1'b1, 2'd2};
      tick;
      rready = 1'b1;
      tick;
      read_beat(3'd3, 1'b1);
      write_beat(1'b0);
      write_beat(1'b1);
      {bvalid, bid, bresp} = {1'b1, 3'd2, 2'd3};
      tick;
      quiet;
      tick;
      if (failed !== 1'b0) any_failed = 1'b1;
      $display("%0s bus rules, AXI4: legal traffic is not complained of: %0s", failed ? "not ok"
               : "ok", rule);
    end
  endtask

  initial begin
    clk = 1'b0;
    any_failed = 1'b0;
    fresh;
    tick;
    sound("silence out of reset");
    legal;
    fresh;
    awvalid = 1'b1;
    both("M: a valid in the first cycle after reset");
    fresh;
    bvalid = 1'b1;
    both("S: a valid in the first cycle after reset");

    awready = 1'b0; awvalid = 1'b1; tick; awaddr = 32'h1008;
    both("M: a write address changes while it waits");
    awready = 1'b0; awvalid = 1'b1; tick; awvalid = 1'b0;
    both("M: a write address changes while it waits");
    wready = 1'b0; wvalid = 1'b1; tick; wdata = 32'h12;
    both("M: write data change while they wait");
    wready = 1'b0; wvalid = 1'b1; tick; wstrb = 4'h7;
    both("M: write data change while they wait");
    arready = 1'b0; arvalid = 1'b1; tick; arvalid = 1'b0;
    both("M: a read address changes while it waits");
    write_address(3'd0); write_beat(1'b0); write_beat(1'b1); bready = 1'b0; bvalid = 1'b1; tick; bresp = 2'd2;
    both("S: a write response changes while it waits");
    read_address(3'd0); rready = 1'b0; rvalid = 1'b1; tick; rdata = 32'h23;
    both("S: read data change while they wait");

    awvalid = 1'b1; awlen = 8'd0;
    axi4("M: a write burst of another length");
    arvalid = 1'b1; arlen = 8'd3;
    axi4("M: a read burst of another length");
    awvalid = 1'b1; awsize = 3'd1;
    axi4("M: a write burst of another size or type");
    arvalid = 1'b1; arburst = 2'd2;
    axi4("M: a read burst of another size or type");
    awvalid = 1'b1; awaddr = 32'h1ffc;
    axi4("M: a write burst crosses 4 KiB");
    arvalid = 1'b1; araddr = 32'h2ffc;
    axi4("M: a read burst crosses 4 KiB");
    awvalid = 1'b1; awaddr = 32'h1002;
    axi4("M: a write address is not aligned");
    arvalid = 1'b1; araddr = 32'h2001;
    axi4("M: a read address is not aligned");
    wvalid = 1'b1; wlast = 1'b1;
    axi4("M: the last beat of write data is not marked, or another is");
    write_beat(1'b0); wvalid = 1'b1; wlast = 1'b0;
    axi4("M: the last beat of write data is not marked, or another is");
    write_address(3'd5); awvalid = 1'b1;
    axi4("M: a write id is used again before its response");
    read_address(3'd1); arvalid = 1'b1;
    axi4("M: a read id is used again before its data");
    arvalid = 1'b1; arid = 3'd4;
    axi4("M: a read id that names no buffer");
    bvalid = 1'b1;
    axi4("S: a write response for an id without a write");
    write_address(3'd1); write_beat(1'b0); bid = 3'd1; bvalid = 1'b1;
    axi4("S: a write response before the write's last beat");
    rvalid = 1'b1;
    axi4("S: read data for an id without a read");
    read_address(3'd2); rid = 3'd2; rvalid = 1'b1; rlast = 1'b1;
    axi4("S: the last beat of read data is not marked, or another is");
    read_address(3'd2); read_beat(3'd2, 1'b0); rvalid = 1'b1; rlast = 1'b0;
    axi4("S: the last beat of read data is not marked, or another is");
    write_address(3'd0); write_beat(1'b0); write_beat(1'b1); bvalid = 1'b1; bresp = 2'd1;
    axi4("S: an exclusive response to a plain write");
    read_address(3'd0); rvalid = 1'b1; rresp = 2'd1;
    axi4("S: an exclusive response to a plain read");

    bvalid = 1'b1;
    lite("S: a write response without a whole write");
    write_address(3'd0); bvalid = 1'b1;
    lite("S: a write response without a whole write");
    write_beat(1'b1); bvalid = 1'b1;
    lite("S: a write response without a whole write");
    rvalid = 1'b1;
    lite("S: read data without a read");
    write_address(3'd0); write_beat(1'b1); bvalid = 1'b1; bresp = 2'd1;
    lite("S: an exclusive response to a write");
    read_address(3'd0); rvalid = 1'b1; rresp = 2'd1;
    lite("S: an exclusive response to a read");
    if (any_failed) $stop;
    $finish;
  end
endmodule

`default_nettype wire
