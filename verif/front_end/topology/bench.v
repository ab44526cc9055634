// SPDX-License-Identifier: Apache-2.0
// bench: the system that `simtgen gen -c two_stacks.yaml` writes. Workload A and workload B take turns on the
// units of domain left; the memory behind the one port holds their contexts, what the stacks spill, and a
// table that sum0 reads. Domain right works on all the time. Every entry popped and every sum must be that
// of a run without switches. Prints PASS and what it has seen, or FAIL.
`default_nettype none

module bench;
  `include "registers.vh"  // FEM_*: addresses of the front end's registers

  localparam [31:0] CONTEXTS_A = 32'h00000, CONTEXTS_B = 32'h08000, TABLE = 32'h14000;
  reg clk = 1'b0, rst = 1'b1;
  integer cycle = 0, switches = 0;
  always #1 clk = !clk;
  always @(posedge clk) cycle <= cycle + 1;

  task fail(input [8*40-1:0] what, input integer got, input integer expected);
    begin
      $display("FAIL: cycle %0d: %0s: got %0d, expected %0d", cycle, what, got, expected);
      $stop;
    end
  endtask

  // ---- the memory: 64 bits, requests taken in two cycles of three, answered in order LATENCY cycles later
  localparam LATENCY = 9;
  wire req_valid, req_write, rsp_ready;
  wire [8:0] req_tag;
  wire [31:0] req_addr;
  wire [63:0] req_data;
  wire [7:0] req_strb;
  reg  [63:0] memory [0:16383];
  reg  [LATENCY-1:0] due_valid;
  reg  [9*LATENCY-1:0] due_tag;
  reg  [64*LATENCY-1:0] due_data;
  wire rsp_valid = due_valid[LATENCY-1];
  wire moves = !rsp_valid || rsp_ready;
  wire req_ready = moves && cycle % 3 != 0;
  integer b;
  always @(posedge clk)
    if (rst) due_valid <= {LATENCY{1'b0}};
    else if (moves) begin
      due_valid <= {due_valid[LATENCY-2:0], req_valid && req_ready};
      due_tag <= {due_tag[9*LATENCY-10:0], req_tag};
      due_data <= {due_data[64*LATENCY-65:0], memory[req_addr[16:3]]};
      for (b = 0; b < 8; b = b + 1)
        if (req_valid && req_ready && req_write && req_strb[b])
          memory[req_addr[16:3]][8*b+:8] <= req_data[8*b+:8];
    end

  // ---- register ports: 0 front end, 1 calls, 2 masks, 3 sum0
  reg  [3:0] reg_valid = 4'd0;
  reg  reg_write;
  reg  [9:0] reg_addr;
  reg  [31:0] reg_data;
  wire [3:0] reg_ready, reg_answer, reg_error;
  wire [31:0] reg_read0, reg_read1, reg_read2, reg_read3;
  task access(input integer port, input write, input [9:0] addr, input [31:0] data);
    begin
      @(negedge clk) reg_valid[port] = 1'b1;
      {reg_write, reg_addr, reg_data} = {write, addr, data};
      @(posedge clk);
      while (!reg_ready[port]) @(posedge clk);
      @(negedge clk) reg_valid[port] = 1'b0;
      while (!reg_answer[port]) @(negedge clk);
      if (reg_error[port]) fail("a register access is refused, at", addr, 0);
    end
  endtask

  // ---- operations of the stacks
  reg  [1:0] op_valid = 2'd0;
  reg  [2:0] op_kind;
  reg  [1:0] op_thread;
  reg  [31:0] op_data;
  wire [3:0] can_push0, can_push1, can_top0, can_top1;
  wire [1:0] ans_data_valid;
  wire [31:0] ans_data0, ans_data1;
  wire [1:0] can_go;
  wire can0 = can_go[0] && (op_kind == 3'd0 ? can_push0[op_thread] : can_top0[op_thread]);
  wire can1 = can_go[1] && (op_kind == 3'd0 ? can_push1[op_thread] : can_top1[op_thread]);
  integer popped [0:1];
  reg [31:0] last [0:1];
  always @(posedge clk) begin
    if (ans_data_valid[0]) last[0] = ans_data0;
    if (ans_data_valid[1]) last[1] = ans_data1;
    if (ans_data_valid[0]) popped[0] = popped[0] + 1;
    if (ans_data_valid[1]) popped[1] = popped[1] + 1;
  end
  task operate(input integer stack, input [2:0] kind, input [1:0] thread, input [31:0] data);
    begin
      @(negedge clk) {op_kind, op_thread, op_data} = {kind, thread, data};
      op_valid[stack] = 1'b1;
      @(posedge clk);
      while (!(stack ? can1 : can0)) @(posedge clk);
      @(negedge clk) op_valid[stack] = 1'b0;
    end
  endtask
  task push_up(input integer stack, input [1:0] thread, input integer from, input integer n);
    integer i;
    for (i = 0; i < n; i = i + 1) operate(stack, 3'd0, thread, from + i);
  endtask
  task pop_down(input integer stack, input [1:0] thread, input integer from, input integer n);
    integer i, before;
    for (i = n - 1; i >= 0; i = i - 1) begin
      before = popped[stack];
      operate(stack, 3'd1, thread, 32'd0);
      while (popped[stack] == before) @(negedge clk);
      if (last[stack] != from + i) fail("popped", last[stack], from + i);
    end
  endtask

  // ---- words of the two sums
  reg  in_valid = 1'b0, in_indirect = 1'b0;
  reg  [1:0] in_channel;
  reg  [23:0] in_data;
  wire in_ready, sum_valid;
  wire [1:0] sum_channel;
  wire [7:0] sum_count;
  wire [23:0] sum;
  integer sums = 0;
  reg [23:0] last_sum;
  reg [1:0] last_channel;
  always @(posedge clk)
    if (sum_valid) begin
      {last_sum, last_channel} = {sum, sum_channel};
      sums = sums + 1;
    end
  task word(input [1:0] channel, input indirect, input [23:0] data);
    begin
      @(negedge clk) {in_valid, in_channel, in_indirect, in_data} = {1'b1, channel, indirect, data};
      @(posedge clk);
      while (!in_ready) @(posedge clk);
      @(negedge clk) in_valid = 1'b0;
    end
  endtask
  task sum_is(input [1:0] channel, input [23:0] expected);
    begin
      while (sums == 0) @(negedge clk);
      if (last_sum != expected || last_channel != channel) fail("a sum", last_sum, expected);
      sums = 0;
    end
  endtask

  // sum1 gets 1, 2, 3, ... in channel 3: sums 6, 15, 24, ...
  reg  [23:0] fed = 24'd1;
  wire fed_ready, right_valid;
  wire [23:0] right_sum;
  integer right_sums = 0;
  always @(posedge clk) begin
    if (fed_ready && !rst) fed <= fed + 24'd1;
    if (right_valid && !rst) begin
      if (right_sum != 9 * right_sums + 6) fail("a sum of the other domain", right_sum, 9 * right_sums + 6);
      right_sums <= right_sums + 1;
    end
  end

  wire irq;
  fe_system system (
    .clk_i(clk), .rst_i(rst), .irq_o(irq),
    .reg_req_valid_i(reg_valid[0]), .reg_req_ready_o(reg_ready[0]), .reg_req_write_i(reg_write),
    .reg_req_addr_i(reg_addr),
    .reg_req_data_i(reg_data), .reg_rsp_valid_o(reg_answer[0]), .reg_rsp_data_o(reg_read0),
    .reg_rsp_error_o(reg_error[0]),
    .mem_req_valid_o(req_valid), .mem_req_ready_i(req_ready), .mem_req_write_o(req_write),
    .mem_req_tag_o(req_tag),
    .mem_req_addr_o(req_addr), .mem_req_data_o(req_data), .mem_req_strb_o(req_strb),
    .mem_rsp_valid_i(rsp_valid),
    .mem_rsp_ready_o(rsp_ready), .mem_rsp_tag_i(due_tag[9*LATENCY-1-:9]),
    .mem_rsp_data_i(due_data[64*LATENCY-1-:64]),
    .mem_rsp_error_i(2'd0),
    .calls_op_valid_i(op_valid[0]), .calls_op_kind_i(op_kind), .calls_op_thread_i(op_thread),
    .calls_op_data_i(op_data),
    .calls_can_push_o(can_push0), .calls_can_top_o(can_top0), .calls_can_go_o(can_go[0]),
    .calls_ans_valid_o(), .calls_ans_thread_o(), .calls_ans_kind_o(), .calls_ans_status_o(),
    .calls_ans_data_valid_o(ans_data_valid[0]),
    .calls_ans_data_o(ans_data0),
    .calls_reg_req_valid_i(reg_valid[1]), .calls_reg_req_ready_o(reg_ready[1]),
    .calls_reg_req_write_i(reg_write),
    .calls_reg_req_addr_i(reg_addr), .calls_reg_req_data_i(reg_data), .calls_reg_rsp_valid_o(reg_answer[1]),
    .calls_reg_rsp_data_o(reg_read1), .calls_reg_rsp_error_o(reg_error[1]),
    .masks_op_valid_i(op_valid[1]), .masks_op_kind_i(op_kind), .masks_op_thread_i(op_thread),
    .masks_op_data_i(op_data),
    .masks_can_push_o(can_push1), .masks_can_top_o(can_top1), .masks_can_go_o(can_go[1]),
    .masks_ans_valid_o(), .masks_ans_thread_o(), .masks_ans_kind_o(), .masks_ans_status_o(),
    .masks_ans_data_valid_o(ans_data_valid[1]),
    .masks_ans_data_o(ans_data1),
    .masks_reg_req_valid_i(reg_valid[2]), .masks_reg_req_ready_o(reg_ready[2]),
    .masks_reg_req_write_i(reg_write),
    .masks_reg_req_addr_i(reg_addr), .masks_reg_req_data_i(reg_data), .masks_reg_rsp_valid_o(reg_answer[2]),
    .masks_reg_rsp_data_o(reg_read2), .masks_reg_rsp_error_o(reg_error[2]),
    .sum0_in_valid_i(in_valid), .sum0_in_ready_o(in_ready), .sum0_in_channel_i(in_channel),
    .sum0_in_indirect_i(in_indirect),
    .sum0_in_data_i(in_data), .sum0_out_valid_o(sum_valid), .sum0_out_ready_i(1'b1),
    .sum0_out_channel_o(sum_channel),
    .sum0_out_count_o(sum_count), .sum0_out_data_o(sum),
    .sum0_reg_req_valid_i(reg_valid[3]), .sum0_reg_req_ready_o(reg_ready[3]),
    .sum0_reg_req_write_i(reg_write),
    .sum0_reg_req_addr_i(reg_addr[2:0]), .sum0_reg_req_data_i(reg_data), .sum0_reg_rsp_valid_o(reg_answer[3]),
    .sum0_reg_rsp_data_o(reg_read3), .sum0_reg_rsp_error_o(reg_error[3]),
    .sum1_in_valid_i(!rst), .sum1_in_ready_o(fed_ready), .sum1_in_channel_i(2'd3), .sum1_in_indirect_i(1'b0),
    .sum1_in_data_i(fed), .sum1_out_valid_o(right_valid), .sum1_out_ready_i(1'b1), .sum1_out_channel_o(),
    .sum1_out_count_o(), .sum1_out_data_o(right_sum),
    .sum1_reg_req_valid_i(1'b0), .sum1_reg_req_ready_o(), .sum1_reg_req_write_i(1'b0),
    .sum1_reg_req_addr_i(3'd0),
    .sum1_reg_req_data_i(32'd0), .sum1_reg_rsp_valid_o(), .sum1_reg_rsp_data_o(), .sum1_reg_rsp_error_o()
  );

  // A command of domain left, to its end.
  task command(input [2:0] what, input [31:0] save, input [31:0] load);
    begin
      access(0, 1'b1, FEM_DOMAIN, 32'd0);
      access(0, 1'b1, FEM_SAVE_BASE, save);
      access(0, 1'b1, FEM_LOAD_BASE, load);
      access(0, 1'b1, FEM_COMMAND, {29'd0, what});
      while (!irq) @(negedge clk);
      access(0, 1'b0, FEM_IRQ_STATUS, 32'd0);
      if (reg_read0 != 32'd1) fail("interrupts behind a command", reg_read0, 1);
      access(0, 1'b1, FEM_IRQ_STATUS, 32'h7f);
      switches = switches + 1;
    end
  endtask
  // Where a workload's stacks lie in memory, and where its table begins.
  task place(input [31:0] region, input [31:0] table_at);
    begin
      access(1, 1'b1, STK_BASE_LO, region);
      access(2, 1'b1, STK_BASE_LO, region + 32'h400);
      access(3, 1'b1, 10'd0, table_at >> 2);
    end
  endtask

  integer i;
  initial begin
    {popped[0], popped[1]} = 64'd0;
    for (i = 0; i < 16384; i = i + 1) memory[i] = {2{32'hdeadbeef}};
    for (i = 0; i < 32; i = i + 1)
      memory[TABLE[16:3] + i] = {32'd1001 + {i[30:0], 1'b0}, 32'd1000 + {i[30:0], 1'b0}};
    repeat (4) @(negedge clk);
    rst = 1'b0;
    access(0, 1'b1, FEM_IRQ_ENABLE, 32'h3);

    place(32'h10000, TABLE);         // workload A
    push_up(0, 2'd1, 1, 20);
    push_up(1, 2'd2, 101, 9);
    word(2'd2, 1'b0, 24'd10);
    word(2'd2, 1'b1, 24'd3);
    command(3'd2, CONTEXTS_A, 32'd0);      // save
    command(3'd4, 32'd0, 32'd0);           // start empty

    place(32'h10800, TABLE + 32'd64);  // workload B
    push_up(0, 2'd1, 501, 15);
    push_up(1, 2'd3, 601, 12);
    word(2'd2, 1'b0, 24'd7);

    for (i = 0; i < 3; i = i + 1) begin
      command(3'd1, CONTEXTS_B, CONTEXTS_A);  // switch to A
      pop_down(0, 2'd1, 21 - 4 * (i + 1), 4);
      pop_down(1, 2'd2, 110 - 3 * (i + 1), 3);
      word(2'd2, i[0], 24'd4);
      if (i == 0) sum_is(2'd2, 24'd1017);     // 10, the 4th entry of the table, 4
      command(3'd1, CONTEXTS_A, CONTEXTS_B);  // and to B
      word(2'd2, 1'b1, i[23:0]);
      if (i == 1) sum_is(2'd2, 24'd2040);     // 7, entries 16 and 17 of the table
      pop_down(0, 2'd1, 516 - 5 * (i + 1), 5);
      push_up(1, 2'd3, 613 + i, 1);
    end
    pop_down(1, 2'd3, 601, 15);
    command(3'd1, CONTEXTS_B, CONTEXTS_A);
    word(2'd2, 1'b0, 24'd5);
    sum_is(2'd2, 24'd1013);                   // entry 4 of the table, 4, 5
    pop_down(0, 2'd1, 1, 8);
    if (right_sums < cycle / 20) fail("sums of the other domain", right_sums, cycle / 20);

    $display("PASS: %0d commands, %0d and %0d entries popped, %0d sums beside", switches, popped[0],
    popped[1], right_sums);
    $finish;
  end
  initial begin
    #30000 $display("FAIL: no end in cycle %0d", cycle);
    $stop;
  end
endmodule

`default_nettype wire
