// SPDX-License-Identifier: Apache-2.0
// reset_order: one generated cache, one generated home and its memory; a reset +at=N cycles behind a load
// that misses. +order=rst_i: rst_i of the cache, of the home as soon as it offers memory nothing, both held
// until memory has answered (docs/line_home.md); then all that is asked is answered with what memory has.
// +order=early: both for one cycle only. +order=command: cmd_reset_i of the cache and rst_i of the home.
`timescale 1ns / 1ps

module reset_order;
  localparam LATENCY = 40, MOST = 3000;
  reg clk = 1'b0;
  always #5 clk = !clk;

  reg cache_rst = 1'b1, home_rst = 1'b1, cmd_reset = 1'b0, req_valid = 1'b0;
  reg [4:0] req_op = 0;
  reg [15:0] req_addr = 0;
  reg [63:0] req_data = 0;
  reg [3:0] req_tid = 0;
  wire req_ready, ans_valid, fetch_valid, fetch_ready, home_valid, home_ready, home_snoop, home_error;
  wire rel_valid, rel_ready, rel_dirty, rel_last, mem_req_valid, mem_req_ready, mem_req_write;
  wire mem_rsp_valid, mem_rsp_ready;
  wire [1:0] ans_status, mem_rsp_error;
  wire [63:0] ans_data;
  wire [10:0] fetch_line, home_line, rel_line;
  wire [2:0] fetch_tag, home_tag, mem_req_tag, mem_rsp_tag;
  wire [255:0] home_data, rel_data, mem_req_data, mem_rsp_data;
  wire [15:0] mem_req_addr;
  wire [31:0] mem_req_strb;

  atomic_merge u_cache (
    .clk_i(clk), .rst_i(cache_rst), .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op),
    .req_size_i(2'd2), .req_mode_i(2'd0), .req_addr_i(req_addr), .req_data_i(req_data),
    .req_compare_i(64'd0), .req_tid_i(req_tid), .ans_valid_o(ans_valid), .ans_ready_i(1'b1), .ans_tid_o(),
    .ans_status_o(ans_status), .ans_data_o(ans_data), .fetch_valid_o(fetch_valid),
    .fetch_ready_i(fetch_ready), .fetch_line_o(fetch_line), .fetch_tag_o(fetch_tag),
    .home_valid_i(home_valid), .home_ready_o(home_ready), .home_snoop_i(home_snoop), .home_tag_i(home_tag),
    .home_error_i(home_error), .home_line_i(home_line), .home_data_i(home_data), .rel_valid_o(rel_valid),
    .rel_ready_i(rel_ready), .rel_line_o(rel_line), .rel_dirty_o(rel_dirty), .rel_last_o(rel_last),
    .rel_data_o(rel_data), .cmd_halt_i(1'b0), .cmd_reset_i(cmd_reset), .cmd_resume_i(1'b0), .state_o(),
    .progress_o(), .waiting_o(), .gather_o(), .nack_o(), .served_idle_i(1'b1), .idle_o(),
    .ctx_unit_i(16'd0), .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(1'b0), .ctx_cmd_ready_o(), .ctx_done_o(),
    .ctx_error_o(), .ctx_out_valid_o(), .ctx_out_ready_i(1'b0), .ctx_out_data_o(), .ctx_out_last_o(),
    .ctx_in_valid_i(1'b0), .ctx_in_ready_o(), .ctx_in_data_i(32'd0), .ctx_in_last_i(1'b0),
    .ctx_in_error_i(2'd0), .lost_count_o(), .lost_line_o(), .unasked_o(), .wit_valid_o(), .wit_kind_o(),
    .wit_tid_o(), .wit_temp_o(), .reg_req_valid_i(1'b0), .reg_req_ready_o(), .reg_req_write_i(1'b0),
    .reg_req_addr_i(10'd0), .reg_req_data_i(32'd0), .reg_rsp_valid_o(), .reg_rsp_data_o(),
    .reg_rsp_error_o());
  line_home u_home (
    .clk_i(clk), .rst_i(home_rst), .fetch_valid_i(fetch_valid), .fetch_ready_o(fetch_ready),
    .fetch_line_i(fetch_line), .fetch_tag_i(fetch_tag), .home_valid_o(home_valid),
    .home_ready_i(home_ready), .home_snoop_o(home_snoop), .home_tag_o(home_tag), .home_error_o(home_error),
    .home_line_o(home_line), .home_data_o(home_data), .rel_valid_i(rel_valid), .rel_ready_o(rel_ready),
    .rel_line_i(rel_line), .rel_dirty_i(rel_dirty), .rel_last_i(rel_last), .rel_data_i(rel_data),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready), .mem_req_write_o(mem_req_write),
    .mem_req_tag_o(mem_req_tag), .mem_req_addr_o(mem_req_addr), .mem_req_data_o(mem_req_data),
    .mem_req_strb_o(mem_req_strb), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_ready_o(mem_rsp_ready),
    .mem_rsp_tag_i(mem_rsp_tag), .mem_rsp_data_i(mem_rsp_data), .mem_rsp_error_i(mem_rsp_error),
    .bad_count_o(), .bad_line_o(), .lost_count_o(), .lost_line_o(), .idle_o());
  reg mem_rst = 1'b1;
  line_home_memory #(.LATENCY(LATENCY), .SIZE_LOG2(8)) u_memory (
    .clk_i(clk), .rst_i(mem_rst), .mem_req_valid_i(mem_req_valid), .mem_req_ready_o(mem_req_ready),
    .mem_req_write_i(mem_req_write), .mem_req_tag_i(mem_req_tag), .mem_req_addr_i(mem_req_addr),
    .mem_req_data_i(mem_req_data), .mem_req_strb_i(mem_req_strb), .mem_rsp_valid_o(mem_rsp_valid),
    .mem_rsp_ready_i(mem_rsp_ready), .mem_rsp_tag_o(mem_rsp_tag), .mem_rsp_data_o(mem_rsp_data),
    .mem_rsp_error_o(mem_rsp_error));

  // What memory has taken and not answered.
  integer due = 0;
  always @(posedge clk) if (!mem_rst)
    due <= due + (mem_req_valid && mem_req_ready ? 1 : 0) - (mem_rsp_valid && mem_rsp_ready ? 1 : 0);

  integer i, at, waited;
  reg [8*8-1:0] order;

  task fail(input [8*40-1:0] what);
    begin
      $display("FAIL: %0s, address %0d", what, req_addr);
      $finish(1);
    end
  endtask

  task step; @(negedge clk); endtask

  task ask(input [4:0] op, input [15:0] addr, input [31:0] data);
    begin
      {req_op, req_addr, req_data, req_tid} = {op, addr, {32'd0, data}, req_tid + 4'd1};
      req_valid = 1'b1;
      for (waited = 0; !req_ready && waited < MOST; waited = waited + 1) step;
      if (!req_ready) fail("no request is taken");
      step;
      req_valid = 1'b0;
    end
  endtask

  task get(input [31:0] wanted);
    begin
      for (waited = 0; !ans_valid && waited < MOST; waited = waited + 1) step;
      if (!ans_valid) fail("no answer");
      if (ans_status != 2'd0) fail("an error");
      if (ans_data[31:0] !== wanted) fail("a wrong value");
      step;
    end
  endtask

  initial begin
    if (!$value$plusargs("at=%d", at) || !$value$plusargs("order=%s", order)) fail("+at=N +order=NAME");
    for (i = 0; i < 256; i = i + 1) u_memory.mem[i] = {8{32'd1000 + i}};
    repeat (3) step;
    {cache_rst, home_rst, mem_rst} = 3'b000;
    ask(5'd1, 16'd0, 32'd7);          // stays in the cache, and is lost by the reset
    get(32'd0);
    ask(5'd0, 16'd64, 32'd0);         // a load: its fetch is open in the reset
    repeat (at) step;
    if (order == "command") begin
      {cmd_reset, home_rst} = 2'b11;
      step;
      {cmd_reset, home_rst} = 2'b00;
    end else begin
      cache_rst = 1'b1;
      while (mem_req_valid) step;
      home_rst = 1'b1;
      step;
      while (order == "rst_i" && due != 0) step;
      {cache_rst, home_rst} = 2'b00;
    end
    for (i = 1; i < 6; i = i + 1) begin
      ask(5'd0, 32 * i, 32'd0);
      get(32'd1000 + i);
    end
    ask(5'd0, 16'd0, 32'd0);
    get(32'd1000);
    ask(5'd4, 16'd64, 32'd5);
    get(32'd1002);
    ask(5'd3, 16'd0, 32'd0);
    get(32'd0);
    repeat (LATENCY + 20) step;
    if (u_memory.mem[2][31:0] !== 32'd1007) fail("memory after a flush");
    $display("PASS");
    $finish;
  end
endmodule
