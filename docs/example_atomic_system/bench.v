// SPDX-License-Identifier: Apache-2.0
// Bench of example_histogram: items for each worker, most of them of a few bins; the memory is the one that
// comes with the generated atomic_system. In the end the bins in memory are the bench's own counts, and each
// ticket was given once.
`timescale 1ns / 1ps

module bench;
  localparam N = 4, ITEMS = 160, BATCH = 16, TICKETS = N * ITEMS / BATCH;

  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;

  reg [N-1:0] item_valid = 0, item_last = 0, stop = 0;
  reg [N*6-1:0] item = 0;
  wire [N-1:0] item_ready, ticket_valid, done;
  wire [N*32-1:0] ticket;
  wire written, error, mem_req_valid, mem_req_ready, mem_req_write, mem_rsp_valid, mem_rsp_ready;
  wire [2:0] mem_req_tag, mem_rsp_tag;
  wire [15:0] mem_req_addr;
  wire [255:0] mem_req_data, mem_rsp_data;
  wire [31:0] mem_req_strb;
  wire [1:0] mem_rsp_error;

  // Memory takes requests in 32 of 128 cycles, as one that others use, too.
  reg [6:0] turn = 0;
  wire there_ready;
  wire open = turn < 7'd32;
  always @(posedge clk) turn <= turn + 7'd1;
  assign mem_req_ready = there_ready && open;

  example_histogram u_histogram (
    .clk_i(clk), .rst_i(rst), .item_valid_i(item_valid), .item_ready_o(item_ready), .item_i(item),
    .item_last_i(item_last), .stop_i(stop), .ticket_valid_o(ticket_valid), .ticket_o(ticket), .done_o(done),
    .written_o(written), .error_o(error), .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready),
    .mem_req_write_o(mem_req_write), .mem_req_tag_o(mem_req_tag), .mem_req_addr_o(mem_req_addr),
    .mem_req_data_o(mem_req_data), .mem_req_strb_o(mem_req_strb), .mem_rsp_valid_i(mem_rsp_valid),
    .mem_rsp_ready_o(mem_rsp_ready), .mem_rsp_tag_i(mem_rsp_tag), .mem_rsp_data_i(mem_rsp_data),
    .mem_rsp_error_i(mem_rsp_error));
  atomic_system_memory #(.LATENCY(40), .SIZE_LOG2(11)) u_memory (
    .clk_i(clk), .rst_i(rst), .mem_req_valid_i(mem_req_valid && open), .mem_req_ready_o(there_ready),
    .mem_req_write_i(mem_req_write), .mem_req_tag_i(mem_req_tag), .mem_req_addr_i(mem_req_addr),
    .mem_req_data_i(mem_req_data), .mem_req_strb_i(mem_req_strb), .mem_rsp_valid_o(mem_rsp_valid),
    .mem_rsp_ready_i(mem_rsp_ready), .mem_rsp_tag_o(mem_rsp_tag), .mem_rsp_data_o(mem_rsp_data),
    .mem_rsp_error_o(mem_rsp_error));

  integer seed, cycle, i, given, reads;
  integer count [0:63], sent [0:N-1];
  reg [TICKETS-1:0] seen;
  reg bad;

  task fail(input [8*48-1:0] what);
    begin
      if (!bad) $display("FAIL: %0s, in cycle %0d", what, cycle);
      bad = 1'b1;
    end
  endtask

  initial begin
    {seed, cycle, given, reads, bad, seen} = 0;
    seed = 1;
    for (i = 0; i < 64; i = i + 1) count[i] = 0;
    for (i = 0; i < N; i = i + 1) sent[i] = 0;
    for (i = 0; i < 2048; i = i + 1) u_memory.mem[i] = 256'd0;
    repeat (3) @(posedge clk);
    rst <= 1'b0;
    while (!written && cycle < 100000 && !bad) @(posedge clk) cycle = cycle + 1;
    if (!written) fail("workers that are not done");
    for (i = 0; i < 64; i = i + 1)
      if (u_memory.mem[i/8][i%8*32+:32] !== count[i]) fail("a bin in memory");
    if (u_memory.mem[8][31:0] !== TICKETS || given != TICKETS) fail("the number of tickets");
    if (bad) $stop;
    $display("PASS: %0d items in %0d cycles, %0d lines read from memory", N * ITEMS, cycle, reads);
    $finish;
  end

  always @(posedge clk) if (!rst) begin
    for (i = 0; i < N; i = i + 1) begin
      if (item_valid[i] && item_ready[i]) begin
        count[item[i*6+:6]] = count[item[i*6+:6]] + 1;
        sent[i] = sent[i] + 1;
      end
      if (!item_valid[i] || item_ready[i]) begin
        item_valid[i] <= sent[i] < ITEMS && $random(seed) % 4 != 0;
        item[i*6+:6] <= ($random(seed) & 3) ? $random(seed) & 6'h07 : $random(seed);
        item_last[i] <= sent[i] % BATCH == BATCH - 1;
        stop[i] <= sent[i] == ITEMS;
      end
      if (ticket_valid[i]) begin
        if (ticket[i*32+:32] >= TICKETS) fail("a ticket that is too large");
        else if (seen[ticket[i*32+:32]]) fail("a ticket that was given before");
        else seen[ticket[i*32+:32]] = 1'b1;
        given = given + 1;
      end
    end
    if (mem_req_valid && mem_req_ready && !mem_req_write) reads = reads + 1;
    if (error) fail("an error is reported");
  end
endmodule
