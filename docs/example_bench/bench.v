// SPDX-License-Identifier: Apache-2.0
// Example bench of a stack_cache of default configuration, written from its datasheet alone: a
// scheduler with random operations on every thread, a stack per thread to compare the answers
// with, a memory that answers late and out of order, and accesses to the registers.
`timescale 1ns / 1ps

module bench;
  localparam THREADS = 24, ENTRY_W = 64, THREAD_W = 5, LATENCY = 4;
  localparam ADDR_W = 32, DATA_W = 256, TAG_W = 9;
  localparam BASE = 32'h0001_0000, STRIDE_LG = 10, DEPTH = (1 << STRIDE_LG) / 8;
  localparam PUSH = 0, POP = 1, PEEK = 2, REPLACE = 3, INIT = 4;
  localparam OK = 0, OVERFLOW = 1, UNDERFLOW = 2, FAULT = 3;
  localparam STATUS = 10'h004, BASE_LO = 10'h008, STRIDE = 10'h010, LIMIT = 10'h014;
  localparam THREAD = 10'h024, DEPTH_OF = 10'h028, ERROR = 10'h030, ERROR_SET = 10'h034;
  localparam ERROR_COUNT = 10'h038, PUSHES = 10'h100, POPS = 10'h108;

  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;

  reg                 op_valid = 1'b0;
  reg  [2:0]          op_kind = 0;
  reg  [THREAD_W-1:0] op_thread = 0;
  reg  [ENTRY_W-1:0]  op_data = 0;
  wire [THREADS-1:0]  can_push, can_top;
  wire                can_go, ans_valid, ans_data_valid;
  wire [THREAD_W-1:0] ans_thread;
  wire [2:0]          ans_kind;
  wire [1:0]          ans_status;
  wire [ENTRY_W-1:0]  ans_data;
  wire                req_valid, req_ready, req_write, rsp_valid, rsp_ready;
  wire [TAG_W-1:0]    req_tag, rsp_tag;
  wire [ADDR_W-1:0]   req_addr;
  wire [DATA_W-1:0]   req_data, rsp_data;
  wire [DATA_W/8-1:0] req_strb;
  wire [1:0]          rsp_error;
  reg                 reg_valid = 1'b0, reg_write = 1'b0;
  reg  [9:0]          reg_addr = 0;
  reg  [31:0]         reg_wdata = 0;
  wire                reg_ready, reg_done, reg_error;
  wire [31:0]         reg_rdata;
  reg                 refuse = 1'b0;
  wire                mem_bad;
  wire [31:0]         mem_reads, mem_writes, mem_refused;

  stack_cache u_stack_cache (
    .clk_i(clk), .rst_i(rst),
    .op_valid_i(op_valid), .op_kind_i(op_kind), .op_thread_i(op_thread), .op_data_i(op_data),
    .can_push_o(can_push), .can_top_o(can_top), .can_go_o(can_go),
    .ans_valid_o(ans_valid), .ans_thread_o(ans_thread), .ans_kind_o(ans_kind),
    .ans_status_o(ans_status), .ans_data_valid_o(ans_data_valid), .ans_data_o(ans_data),
    .mem_req_valid_o(req_valid), .mem_req_ready_i(req_ready), .mem_req_write_o(req_write),
    .mem_req_tag_o(req_tag), .mem_req_addr_o(req_addr), .mem_req_data_o(req_data),
    .mem_req_strb_o(req_strb), .mem_rsp_valid_i(rsp_valid), .mem_rsp_ready_o(rsp_ready),
    .mem_rsp_tag_i(rsp_tag), .mem_rsp_data_i(rsp_data), .mem_rsp_error_i(rsp_error),
    .reg_req_valid_i(reg_valid), .reg_req_ready_o(reg_ready), .reg_req_write_i(reg_write),
    .reg_req_addr_i(reg_addr), .reg_req_data_i(reg_wdata), .reg_rsp_valid_o(reg_done),
    .reg_rsp_data_o(reg_rdata), .reg_rsp_error_o(reg_error),
    .cmd_halt_i(1'b0), .cmd_reset_i(1'b0), .cmd_resume_i(1'b0), .state_o(), .progress_o(),
    .waiting_o(), .gather_o(), .nack_o(),
    .ctx_unit_i(16'd0), .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(1'b0), .ctx_cmd_ready_o(),
    .ctx_done_o(), .ctx_error_o(), .ctx_out_valid_o(), .ctx_out_ready_i(1'b0), .ctx_out_data_o(),
    .ctx_out_last_o(), .ctx_in_valid_i(1'b0), .ctx_in_ready_o(), .ctx_in_data_i(32'd0),
    .ctx_in_last_i(1'b0), .ctx_in_error_i(2'd0)
  );

  example_memory #(
    .ADDR_W(ADDR_W), .DATA_W(DATA_W), .TAG_W(TAG_W), .WORDS_LG(STRIDE_LG)
  ) u_memory (
    .clk_i(clk), .rst_i(rst), .base_i(BASE),
    .refuse_i(refuse), .refuse_from_i(BASE + (3 << STRIDE_LG)),
    .refuse_to_i(BASE + (4 << STRIDE_LG)),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_write_i(req_write),
    .req_tag_i(req_tag), .req_addr_i(req_addr), .req_data_i(req_data), .req_strb_i(req_strb),
    .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready), .rsp_tag_o(rsp_tag),
    .rsp_data_o(rsp_data), .rsp_error_o(rsp_error),
    .bad_o(mem_bad), .reads_o(mem_reads), .writes_o(mem_writes), .refused_o(mem_refused)
  );

  // The stacks as they ought to be, and the answers that are due.
  reg [ENTRY_W-1:0]  stack [0:THREADS*DEPTH-1];
  integer            count [0:THREADS-1];
  reg                fault [0:THREADS-1];
  integer            limit, pushes, pops, seen [0:3], errors, seed, i;
  reg                due_valid [0:LATENCY], due_data_valid [0:LATENCY];
  reg [THREAD_W-1:0] due_thread [0:LATENCY];
  reg [2:0]          due_kind [0:LATENCY];
  reg [1:0]          due_status [0:LATENCY];
  reg [ENTRY_W-1:0]  due_data [0:LATENCY];
  wire push_goes = can_push[op_thread], top_goes = can_top[op_thread];
  wire taken = op_valid && can_go && op_thread < THREADS &&
    (op_kind == PUSH ? push_goes : op_kind == INIT ? push_goes || top_goes : top_goes);

  task fail;
    input [8*48-1:0] what;
    begin
      errors = errors + 1;
      $display("FAIL: %0s, at %0t", what, $time);
      if (errors > 9) $stop;
    end
  endtask

  // Carries out the operation that is taken, on the stacks of this bench.
  task operate;
    begin
      due_valid[0] = 1'b1;
      due_thread[0] = op_thread;
      due_kind[0] = op_kind;
      due_status[0] = OK;
      if (op_kind == INIT) begin
        count[op_thread] = 0;
        fault[op_thread] = 1'b0;
      end else if (fault[op_thread]) begin
        due_status[0] = FAULT;
      end else if (op_kind == PUSH && count[op_thread] >= limit) begin
        due_status[0] = OVERFLOW;
      end else if (op_kind != PUSH && count[op_thread] == 0) begin
        due_status[0] = UNDERFLOW;
      end else begin
        if (op_kind == PUSH) count[op_thread] = count[op_thread] + 1;
        i = op_thread * DEPTH + count[op_thread] - 1;
        if (op_kind == PUSH || op_kind == REPLACE) stack[i] = op_data;
        due_data[0] = stack[i];
        due_data_valid[0] = op_kind == POP || op_kind == PEEK;
        if (op_kind == POP) count[op_thread] = count[op_thread] - 1;
        if (op_kind == PUSH) pushes = pushes + 1;
        if (op_kind == POP) pops = pops + 1;
      end
      seen[due_status[0]] = seen[due_status[0]] + 1;
    end
  endtask

  // Compares the answer of this cycle with the one that is due.
  always @(posedge clk) if (!rst) begin
    if (ans_valid !== due_valid[LATENCY-1]) begin
      fail("answer missing or unexpected");
    end else if (ans_valid) begin
      if (ans_thread !== due_thread[LATENCY-1]) fail("thread of an answer");
      if (ans_kind !== due_kind[LATENCY-1]) fail("kind of an answer");
      if (ans_status !== due_status[LATENCY-1]) fail("status of an answer");
      if (due_data_valid[LATENCY-1] && ans_data !== due_data[LATENCY-1]) fail("data of an answer");
    end
    if (ans_data_valid !== (due_valid[LATENCY-1] && due_data_valid[LATENCY-1])) begin
      fail("answer with or without data");
    end
    if (mem_bad) fail("promise to the memory broken");
    for (i = LATENCY - 1; i > 0; i = i - 1) begin
      due_valid[i] = due_valid[i-1];
      due_data_valid[i] = due_data_valid[i-1];
      due_thread[i] = due_thread[i-1];
      due_kind[i] = due_kind[i-1];
      due_status[i] = due_status[i-1];
      due_data[i] = due_data[i-1];
    end
    due_valid[0] = 1'b0;
    due_data_valid[0] = 1'b0;
    if (taken) operate;
  end

  // One operation, held until it is taken.
  task op;
    input [2:0]          kind;
    input [THREAD_W-1:0] thread;
    input [ENTRY_W-1:0]  data;
    reg                  went;
    begin
      op_valid <= 1'b1;
      op_kind <= kind;
      op_thread <= thread;
      op_data <= data;
      went = 1'b0;
      while (!went) begin
        @(posedge clk);
        went = taken;
      end
      op_valid <= 1'b0;
    end
  endtask

  // Random operations: a thread goes up for a while, then down; what is not taken is withdrawn.
  task traffic;
    input integer cycles;
    integer       c, r;
    begin
      for (c = 0; c < cycles; c = c + 1) begin
        r = $random(seed);
        op_valid <= r[2:0] != 0;
        op_thread <= r[10:3] % (r[11] ? THREADS : 4);
        op_data <= {$random(seed), $random(seed)};
        op_kind <= r[22:13] == 0 ? INIT : r[14:12] == 0 ? PEEK : r[14:12] == 1 ? REPLACE
          : (r[16:15] == 0) ^ c[9] ? POP : PUSH;
        @(posedge clk);
      end
      op_valid <= 1'b0;
      repeat (LATENCY + 2) @(posedge clk);
    end
  endtask

  reg [31:0] got;
  reg        refused;

  task access;
    input        write;
    input [9:0]  addr;
    input [31:0] data;
    reg          went;
    begin
      reg_valid <= 1'b1;
      reg_write <= write;
      reg_addr <= addr;
      reg_wdata <= data;
      went = 1'b0;
      while (!went) begin
        @(posedge clk);
        went = reg_ready;
      end
      reg_valid <= 1'b0;
      while (!reg_done) @(posedge clk);
      got = reg_rdata;
      refused = reg_error;
    end
  endtask

  task write_reg;
    input [9:0]  addr;
    input [31:0] data;
    begin
      access(1'b1, addr, data);
      if (refused) fail("write of a register refused");
    end
  endtask

  task expect_reg;
    input [9:0]  addr;
    input [31:0] want;
    begin
      access(1'b0, addr, 0);
      if (refused || got !== want) begin
        $display("register %h: got %h, expected %h", addr, got, want);
        fail("register");
      end
    end
  endtask

  integer t;

  initial begin
    errors = 0;
    seed = 1;
    limit = 16384;
    pushes = 0;
    pops = 0;
    for (t = 0; t < 4; t = t + 1) seen[t] = 0;
    for (t = 0; t <= LATENCY; t = t + 1) begin
      due_valid[t] = 1'b0;
      due_data_valid[t] = 1'b0;
    end
    for (t = 0; t < THREADS; t = t + 1) begin
      count[t] = 0;
      fault[t] = 1'b0;
    end
    repeat (3) @(posedge clk);
    rst <= 1'b0;
    @(posedge clk);

    // Where the stacks are; then neither may be changed while one holds an entry.
    expect_reg(10'h000, 32'h53430002);
    expect_reg(STATUS, 32'h1);
    write_reg(BASE_LO, BASE);
    write_reg(STRIDE, STRIDE_LG);
    repeat (3) @(posedge clk);
    limit = DEPTH;
    expect_reg(LIMIT, limit);
    op(POP, 0, 0);
    op(PUSH, 0, 64'h1234);
    repeat (8) @(posedge clk);
    expect_reg(STATUS, 32'h0);
    access(1'b1, BASE_LO, 0);
    if (!refused) fail("BASE_LO written while a stack holds entries");
    access(1'b0, 10'h3fc, 0);
    if (!refused) fail("unknown address accepted");

    // Every thread, over the memory; then over a low limit.
    traffic(6000);
    write_reg(LIMIT, 20);
    repeat (8) @(posedge clk);
    limit = 20;
    expect_reg(LIMIT, 20);
    traffic(1500);
    expect_reg(PUSHES, pushes);
    expect_reg(POPS, pops);
    for (t = 0; t < THREADS; t = t + 1) begin
      write_reg(THREAD, t);
      expect_reg(DEPTH_OF, count[t]);
    end

    // A write of thread 3 is refused: it answers fault until init, the others go on.
    op(INIT, 3, 0);
    repeat (2000) @(posedge clk);
    refuse <= 1'b1;
    for (t = 0; t < 13; t = t + 1) op(PUSH, 3, t);
    while (mem_refused == 0) @(posedge clk);
    repeat (2000) @(posedge clk);
    fault[3] = 1'b1;
    refuse <= 1'b0;
    op(PUSH, 3, 0);
    op(POP, 3, 0);
    op(PEEK, 3, 0);
    op(REPLACE, 3, 0);
    op(PUSH, 4, 64'h55);
    op(POP, 4, 0);
    expect_reg(ERROR, {1'b1, 1'b1, 2'd2, 18'd0, 10'd3});
    expect_reg(ERROR_SET, 0);
    expect_reg(ERROR_COUNT, 1);
    write_reg(THREAD, 3);
    expect_reg(DEPTH_OF, {1'b1, 31'd0} | count[3]);
    expect_reg(STATUS, 32'h4);
    op(INIT, 3, 0);
    op(POP, 3, 0);
    op(PUSH, 3, 64'h77);
    op(POP, 3, 0);
    repeat (8) @(posedge clk);
    expect_reg(DEPTH_OF, 0);
    write_reg(ERROR, 0);
    expect_reg(ERROR, 0);
    expect_reg(STATUS, 0);

    // Down to the last entry of every stack.
    for (t = 0; t < THREADS; t = t + 1) while (count[t] > 0) op(POP, t, 0);
    repeat (8) @(posedge clk);
    expect_reg(STATUS, 1);
    $display("%0d ok, %0d overflow, %0d underflow, %0d fault; memory: %0d writes, %0d reads",
      seen[0], seen[1], seen[2], seen[3], mem_writes, mem_reads);
    if (seen[1] == 0 || seen[2] == 0 || seen[3] != 4 || mem_reads < 20) fail("too little seen");
    if (errors > 0) $stop;
    $display("PASS");
    $finish;
  end

  initial begin
    #2_000_000;
    fail("time is up");
    $stop;
  end
endmodule
