// SPDX-License-Identifier: Apache-2.0
// Bench of example_cluster: a stream of writes and work items, offered as fast as it is taken; memory answers
// late and out of order. The checksum of each item is that of the constants at its place in the stream.
`timescale 1ns / 1ps

module bench;
  localparam ITEMS = 400;

  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;

  reg cmd_valid = 1'b0;
  reg [2:0] cmd_kind = 3'd0;
  reg [7:0] cmd_addr = 8'd0;
  reg [127:0] cmd_data = 128'd0;
  wire cmd_ready, req_valid, req_write, rsp_ready, err;
  wire [3:0] res_valid;
  wire [127:0] res_item, res_sum, req_data;
  wire [2:0] req_tag;
  wire [31:0] req_addr;
  reg rsp_valid = 1'b0;
  reg [2:0] rsp_tag = 3'd0;
  reg [127:0] rsp_data = 128'd0;

  example_cluster u_cluster (
    .clk_i(clk), .rst_i(rst), .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_kind_i(cmd_kind),
    .cmd_addr_i(cmd_addr), .cmd_data_i(cmd_data), .res_valid_o(res_valid), .res_item_o(res_item),
    .res_sum_o(res_sum), .mem_req_valid_o(req_valid), .mem_req_ready_i(1'b1), .mem_req_write_o(req_write),
    .mem_req_tag_o(req_tag), .mem_req_addr_o(req_addr), .mem_req_data_o(req_data),
    .mem_rsp_valid_i(rsp_valid), .mem_rsp_ready_o(rsp_ready), .mem_rsp_tag_i(rsp_tag),
    .mem_rsp_data_i(rsp_data), .error_o(err));

  reg [31:0] now [0:255];                    // the constants at the present place of the stream
  reg [127:0] memory [0:63];
  reg [31:0] sum_of [0:ITEMS-1];             // what each item must report
  reg [ITEMS-1:0] due;
  reg [7:0] ask_valid;                       // memory's accesses, by tag
  reg [127:0] ask_data [0:7];
  integer ask_at [0:7];
  integer seed, sent, came, writes, i, cycle, most, busy;
  reg [31:0] item, sum;
  reg [7:0] first;
  reg bad;

  task fail;
    input [8*48-1:0] what;
    begin
      if (!bad) $display("FAIL: %0s, item %0d, at %0t", what, item[31:8], $time);
      bad = 1'b1;
    end
  endtask

  initial begin
    seed = 1;
    sent = 0;
    came = 0;
    writes = 0;
    most = 0;
    bad = 1'b0;
    due = 0;
    ask_valid = 8'd0;
    item = 32'd0;
    for (i = 0; i < 256; i = i + 1) now[i] = i * 32'd2654435761;
    for (i = 0; i < 64; i = i + 1) memory[i] = {now[4*i+3], now[4*i+2], now[4*i+1], now[4*i]};
    repeat (3) @(posedge clk);
    rst <= 1'b0;
    cycle = 0;
    while (came < ITEMS && cycle < 200 * ITEMS && !bad) @(posedge clk) cycle = cycle + 1;
    if (!bad && came < ITEMS) fail("items without a result");
    if (!bad && most < 4) fail("never were four items under way");
    if (bad) $stop;
    $display("PASS: %0d items and %0d writes of four words in %0d cycles", came, writes, cycle);
    $finish;
  end

  always @(posedge clk) if (!rst) begin
    // The stream: what is taken counts from here on; three writes for each two items.
    if (cmd_valid && cmd_ready) begin
      if (cmd_kind == 3'd0) begin
        for (i = 0; i < 4; i = i + 1) now[cmd_addr + i] = cmd_data[32*i+:32];
        writes = writes + 1;
      end else begin
        sum = 32'd0;
        first = cmd_data[7:0];
        for (i = 0; i < 8; i = i + 1) begin
          sum = {sum[26:0], sum[31:27]} + now[first];
          first = first + 8'd1;
        end
        sum_of[cmd_data[31:8]] = sum;
        due[cmd_data[31:8]] = 1'b1;
        sent = sent + 1;
      end
    end
    if (!cmd_valid || cmd_ready) begin
      cmd_valid <= sent < ITEMS && $random(seed) % 16 != 0;
      cmd_kind <= ($random(seed) & 7) < 3 ? 3'd1 : 3'd0;
      cmd_addr <= $random(seed) & 8'h3c;
      cmd_data <= {$random(seed), $random(seed), $random(seed), $random(seed)};
      // an item: its number and first constant; one that is not an item has the same low word
      cmd_data[31:0] <= {sent[23:0], 2'd0, 6'd0} | ($random(seed) & 8'h3f);
    end
    // Memory: 10 to 73 cycles after the request, one a cycle.
    if (req_valid) begin
      if (ask_valid[req_tag]) fail("a tag is used again");
      ask_valid[req_tag] = 1'b1;
      ask_at[req_tag] = cycle + 10 + ($random(seed) & 63);
      ask_data[req_tag] = memory[req_addr[9:4]];
      if (req_write) memory[req_addr[9:4]] = req_data;
    end
    if (!rsp_valid || rsp_ready) begin
      rsp_valid <= 1'b0;
      begin : answer
        for (i = 0; i < 8; i = i + 1)
          if (ask_valid[i] && ask_at[i] <= cycle) begin
            ask_valid[i] = 1'b0;
            rsp_valid <= 1'b1;
            rsp_tag <= i;
            rsp_data <= ask_data[i];
            disable answer;
          end
      end
    end
    busy = 0;
    for (i = 0; i < 4; i = i + 1) if (u_cluster.done_valid[i] || u_cluster.rd_valid[i]) busy = busy + 1;
    if (busy > most) most = busy;
    for (i = 0; i < 4; i = i + 1)
      if (res_valid[i]) begin
        item = res_item[32*i+:32];
        if (!due[item[31:8]]) fail("a result that is not due");
        else if (res_sum[32*i+:32] !== sum_of[item[31:8]]) fail("checksum of an item");
        due[item[31:8]] = 1'b0;
        came = came + 1;
      end
    if (err) fail("the cache reports an error");
  end
endmodule
