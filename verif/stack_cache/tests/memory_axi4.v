// SPDX-License-Identifier: Apache-2.0
// memory_axi4.v: the AXI4 memory that gen writes, alone (bursts of 4 beats of 32 bits), and behind a stack
// cache.
`default_nettype none
`ifndef BUS_W
`define BUS_W 32
`endif

module memory_alone;
  localparam LATENCY = 7, SIZE_LOG2 = 6;
  reg clk = 1'b0, rst = 1'b1, bad = 1'b0;
  reg aw_valid = 1'b0, w_valid = 1'b0, w_last = 1'b0, b_ready = 1'b1, ar_valid = 1'b0, r_ready = 1'b1;
  reg [8:0] id = 9'd0;
  reg [31:0] address = 32'd0, w_data = 32'd0;
  reg [3:0] w_strb = 4'd0;
  wire aw_ready, w_ready, b_valid, ar_ready, r_valid, r_last, failed;
  wire [8:0] b_id, r_id;
  wire [1:0] b_resp, r_resp;
  wire [31:0] r_data;
  wire [511:0] rule;
  integer now = 0, sent = 0, i;
  reg [127:0] got;

  ms_memory #(.LATENCY(LATENCY), .SIZE_LOG2(SIZE_LOG2)) u_memory (
    .clk_i(clk), .rst_i(rst),
    .m_axi_awvalid(aw_valid), .m_axi_awready(aw_ready), .m_axi_awid(id), .m_axi_awaddr(address),
    .m_axi_awlen(8'd3), .m_axi_awsize(3'd2), .m_axi_awburst(2'd1), .m_axi_awcache(4'd2), .m_axi_awprot(3'd0),
    .m_axi_wvalid(w_valid), .m_axi_wready(w_ready), .m_axi_wdata(w_data), .m_axi_wstrb(w_strb),
    .m_axi_wlast(w_last),
    .m_axi_bvalid(b_valid), .m_axi_bready(b_ready), .m_axi_bid(b_id), .m_axi_bresp(b_resp),
    .m_axi_arvalid(ar_valid), .m_axi_arready(ar_ready), .m_axi_arid(id), .m_axi_araddr(address),
    .m_axi_arlen(8'd3), .m_axi_arsize(3'd2), .m_axi_arburst(2'd1), .m_axi_arcache(4'd2), .m_axi_arprot(3'd0),
    .m_axi_rvalid(r_valid), .m_axi_rready(r_ready), .m_axi_rid(r_id), .m_axi_rdata(r_data),
    .m_axi_rresp(r_resp),
    .m_axi_rlast(r_last)
  );
  ms_axi4_check #(.ADDR_W(32), .DATA_W(128), .BUS_W(32), .TAG_W(9), .READS(8)) u_check (
    .clk_i(clk), .rst_i(rst),
    .m_axi_awvalid(aw_valid), .m_axi_awready(aw_ready), .m_axi_awid(id), .m_axi_awaddr(address),
    .m_axi_awlen(8'd3), .m_axi_awsize(3'd2), .m_axi_awburst(2'd1), .m_axi_awcache(4'd2), .m_axi_awprot(3'd0),
    .m_axi_wvalid(w_valid), .m_axi_wready(w_ready), .m_axi_wdata(w_data), .m_axi_wstrb(w_strb),
    .m_axi_wlast(w_last),
    .m_axi_bvalid(b_valid), .m_axi_bready(b_ready), .m_axi_bid(b_id), .m_axi_bresp(b_resp),
    .m_axi_arvalid(ar_valid), .m_axi_arready(ar_ready), .m_axi_arid(id), .m_axi_araddr(address),
    .m_axi_arlen(8'd3), .m_axi_arsize(3'd2), .m_axi_arburst(2'd1), .m_axi_arcache(4'd2), .m_axi_arprot(3'd0),
    .m_axi_rvalid(r_valid), .m_axi_rready(r_ready), .m_axi_rid(r_id), .m_axi_rdata(r_data),
    .m_axi_rresp(r_resp),
    .m_axi_rlast(r_last), .failed_o(failed), .rule_o(rule)
  );

  always #5 clk = ~clk;
  always @(posedge clk) now <= now + 1;
  always @(posedge clk)
    if (failed && !bad) begin
      bad = 1'b1;
      $display("FAIL %0s", rule);
    end
  task must(input ok, input [8*16-1:0] what);
    if (!ok && !bad) begin
      bad = 1'b1;
      $display("FAIL %0s", what);
    end
  endtask

  task write(input [8:0] tag, input [31:0] to, input [127:0] data, input [15:0] strb, input [1:0] resp);
    begin
      id = tag;
      address = to;
      aw_valid = 1'b1;
      @(posedge clk);
      while (!aw_ready) @(posedge clk);
      #1 aw_valid = 1'b0;
      for (i = 0; i < 4; i = i + 1) begin
        w_valid = 1'b1;
        {w_data, w_strb, w_last} = {data[32*i+:32], strb[4*i+:4], i == 3};
        @(posedge clk);
        while (!w_ready) @(posedge clk);
        sent = now;
        #1 w_valid = 1'b0;
      end
      @(negedge clk);
      while (!b_valid) @(negedge clk);
      must(now - sent === LATENCY, "latency");
      must(b_id === tag && b_resp === resp, "error or id");
      @(posedge clk);
      #1;
    end
  endtask
  task ask(input [8:0] tag, input [31:0] from);
    begin
      id = tag;
      address = from;
      ar_valid = 1'b1;
      @(posedge clk);
      while (!ar_ready) @(posedge clk);
      sent = now;
      #1 ar_valid = 1'b0;
    end
  endtask
  task take(input [8:0] tag, input [1:0] resp, input in_time);
    for (i = 0; i < 4; i = i + 1) begin
      @(negedge clk);
      while (!r_valid) @(negedge clk);
      if (i == 0 && in_time) must(now - sent === LATENCY, "latency");
      must(r_id === tag && r_resp === resp, "error or id");
      got[32*i+:32] = r_data;
      @(posedge clk);
      #1;
    end
  endtask

  initial begin
    repeat (3) @(posedge clk);
    #1 rst = 1'b0;
    @(posedge clk);
    #1;
    ask(9'd3, 32'd32); take(9'd3, 2'd0, 1'b1);
    must(got === 128'd0, "zeros");
    write(9'd300, 32'd32, {4{32'hffffffff}}, 16'hffff, 2'd0);
    write(9'd5, 32'd32, 128'd0, 16'h1001, 2'd0);
    ask(9'd4, 32'd32); take(9'd4, 2'd0, 1'b1);
    must(got === 128'hffffff00_ffffffff_ffffffff_ffffff00, "strobes");
    write(9'd6, 32'd256, 128'd0, 16'hffff, 2'd3);
    ask(9'd4, 32'd256); take(9'd4, 2'd3, 1'b1);
    ask(9'd0, 32'd0); take(9'd0, 2'd0, 1'b1);
    must(got === 128'd0, "wrapped round");
    r_ready = 1'b0; // two reads wait
    ask(9'd1, 32'd32); ask(9'd2, 32'd16);
    repeat (3 * LATENCY) @(posedge clk);
    #1 r_ready = 1'b1;
    take(9'd1, 2'd0, 1'b0);
    must(got === 128'hffffff00_ffffffff_ffffffff_ffffff00, "held");
    take(9'd2, 2'd0, 1'b0);
    must(got === 128'd0, "second read");
    if (!bad) $display("PASS");
    $finish;
  end
  initial #99999 begin
    $display("FAIL no end");
    $finish;
  end
endmodule

module memory_behind;
  localparam LEVELS = 40;
  reg clk = 1'b0, rst = 1'b1;
  reg [6:0] sent = 7'd0, right = 7'd0;
  integer reads = 0;
  wire [23:0] can_push, can_top;
  wire can_go, data_valid, failed;
  wire [63:0] data;
  wire [511:0] rule;
  wire aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready, ar_valid, ar_ready, r_valid, r_ready,
    r_last;
  wire [8:0] aw_id, b_id, ar_id, r_id;
  wire [31:0] aw_addr, ar_addr;
  wire [7:0] aw_len, ar_len;
  wire [2:0] aw_size, ar_size, aw_prot, ar_prot;
  wire [1:0] aw_burst, ar_burst, b_resp, r_resp;
  wire [3:0] aw_cache, ar_cache;
  wire [`BUS_W-1:0] w_data, r_data;
  wire [`BUS_W/8-1:0] w_strb;
  wire pop = sent >= LEVELS;
  wire valid = !rst && sent < 2 * LEVELS;

  ms_checked u_dut (
    .clk_i(clk), .rst_i(rst), .op_valid_i(valid), .op_kind_i({2'd0, pop}), .op_thread_i(5'd1),
    .op_data_i({57'd0, sent + 7'd1}), .can_push_o(can_push), .can_top_o(can_top), .can_go_o(can_go),
    .ans_valid_o(), .ans_thread_o(), .ans_kind_o(), .ans_status_o(), .ans_data_valid_o(data_valid),
    .ans_data_o(data),
    .m_axi_awvalid(aw_valid), .m_axi_awready(aw_ready), .m_axi_awid(aw_id), .m_axi_awaddr(aw_addr),
    .m_axi_awlen(aw_len),
    .m_axi_awsize(aw_size), .m_axi_awburst(aw_burst), .m_axi_awcache(aw_cache), .m_axi_awprot(aw_prot),
    .m_axi_wvalid(w_valid), .m_axi_wready(w_ready), .m_axi_wdata(w_data), .m_axi_wstrb(w_strb),
    .m_axi_wlast(w_last),
    .m_axi_bvalid(b_valid), .m_axi_bready(b_ready), .m_axi_bid(b_id), .m_axi_bresp(b_resp),
    .m_axi_arvalid(ar_valid), .m_axi_arready(ar_ready), .m_axi_arid(ar_id), .m_axi_araddr(ar_addr),
    .m_axi_arlen(ar_len),
    .m_axi_arsize(ar_size), .m_axi_arburst(ar_burst), .m_axi_arcache(ar_cache), .m_axi_arprot(ar_prot),
    .m_axi_rvalid(r_valid), .m_axi_rready(r_ready), .m_axi_rid(r_id), .m_axi_rdata(r_data),
    .m_axi_rresp(r_resp),
    .m_axi_rlast(r_last),
    .reg_req_valid_i(1'b0), .reg_req_ready_o(), .reg_req_write_i(1'b0), .reg_req_addr_i(10'd0),
    .reg_req_data_i(32'd0),
    .reg_rsp_valid_o(), .reg_rsp_data_o(), .reg_rsp_error_o(),
    .cmd_halt_i(1'b0), .cmd_reset_i(1'b0), .cmd_resume_i(1'b0), .state_o(), .progress_o(), .waiting_o(),
    .gather_o(), .nack_o(),
    .ctx_unit_i(16'd0), .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(1'b0), .ctx_cmd_ready_o(), .ctx_done_o(),
    .ctx_error_o(),
    .ctx_out_valid_o(), .ctx_out_ready_i(1'b0), .ctx_out_data_o(), .ctx_out_last_o(), .ctx_in_valid_i(1'b0),
    .ctx_in_ready_o(), .ctx_in_data_i(32'd0), .ctx_in_last_i(1'b0), .ctx_in_error_i(2'd0),
    .bus_failed_o(failed), .bus_rule_o(rule)
  );
  ms_memory u_memory (
    .clk_i(clk), .rst_i(rst),
    .m_axi_awvalid(aw_valid), .m_axi_awready(aw_ready), .m_axi_awid(aw_id), .m_axi_awaddr(aw_addr),
    .m_axi_awlen(aw_len),
    .m_axi_awsize(aw_size), .m_axi_awburst(aw_burst), .m_axi_awcache(aw_cache), .m_axi_awprot(aw_prot),
    .m_axi_wvalid(w_valid), .m_axi_wready(w_ready), .m_axi_wdata(w_data), .m_axi_wstrb(w_strb),
    .m_axi_wlast(w_last),
    .m_axi_bvalid(b_valid), .m_axi_bready(b_ready), .m_axi_bid(b_id), .m_axi_bresp(b_resp),
    .m_axi_arvalid(ar_valid), .m_axi_arready(ar_ready), .m_axi_arid(ar_id), .m_axi_araddr(ar_addr),
    .m_axi_arlen(ar_len),
    .m_axi_arsize(ar_size), .m_axi_arburst(ar_burst), .m_axi_arcache(ar_cache), .m_axi_arprot(ar_prot),
    .m_axi_rvalid(r_valid), .m_axi_rready(r_ready), .m_axi_rid(r_id), .m_axi_rdata(r_data),
    .m_axi_rresp(r_resp),
    .m_axi_rlast(r_last)
  );

  always #5 clk = ~clk;
  always @(posedge clk) begin
    if (valid && can_go && (pop ? can_top[1] : can_push[1])) sent <= sent + 7'd1;
    if (data_valid && data == LEVELS - right) right <= right + 7'd1;
    if (r_valid && r_ready) reads <= reads + 1;
  end
  initial begin
    repeat (3) @(posedge clk);
    #1 rst = 1'b0;
    @(posedge clk);
    #1;
    repeat (4000) @(posedge clk);
    if (failed) $display("FAIL %0s", rule);
    else if (right != LEVELS || reads < LEVELS / 4) $display("FAIL %0d of %0d right, %0d beats read", right,
    LEVELS, reads);
    else $display("PASS");
    $finish;
  end
endmodule

`default_nettype wire
