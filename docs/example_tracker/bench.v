// SPDX-License-Identifier: Apache-2.0
// Bench of example_l1: eight warps load words of a small memory, some of them again and again; memory answers
// late and out of order. Each answer must have the word of its address, and come once, a warp's in order.
`timescale 1ns / 1ps

module bench;
  localparam LOADS = 4000, ADDR_W = 14, WINDOW = 128;

  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;

  reg ld_valid = 1'b0;
  reg [2:0] ld_warp = 0;
  reg [ADDR_W-1:0] ld_addr = 0;
  reg [15:0] ld_id = 0;
  wire ld_ready, rsp_valid, mem_req_valid, err;
  wire [2:0] rsp_warp;
  wire [15:0] rsp_id;
  wire [31:0] rsp_data;
  wire [ADDR_W-1:0] mem_req_addr;
  reg mem_rsp_valid = 1'b0;
  reg [ADDR_W-1:0] mem_rsp_addr = 0;
  reg [31:0] mem_rsp_data = 0;

  example_l1 u_l1 (
    .clk_i(clk), .rst_i(rst), .ld_valid_i(ld_valid), .ld_ready_o(ld_ready), .ld_warp_i(ld_warp),
    .ld_addr_i(ld_addr), .ld_id_i(ld_id), .rsp_valid_o(rsp_valid), .rsp_warp_o(rsp_warp),
    .rsp_id_o(rsp_id), .rsp_data_o(rsp_data), .mem_req_valid_o(mem_req_valid),
    .mem_req_addr_o(mem_req_addr), .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_addr_i(mem_rsp_addr),
    .mem_rsp_data_i(mem_rsp_data), .err_o(err));

  // What the L1 does at the tracker's ports, watched.
  wire broken;
  tracker_rules #(.IN_W(38), .FAST_W(18), .SLOT_W(7), .SECTOR_W(2)) u_rules (
    .clk_i(clk), .rst_i(rst), .in_valid_i(u_l1.u_tracker.in_valid_i), .in_ready_i(u_l1.u_tracker.in_ready_o),
    .in_i({u_l1.u_tracker.in_kind_i, u_l1.u_tracker.in_class_i, u_l1.u_tracker.in_warp_i,
           u_l1.u_tracker.in_end_i, u_l1.u_tracker.in_used_i, u_l1.u_tracker.in_dslots_i,
           u_l1.u_tracker.in_sectors_i, u_l1.u_tracker.in_bank_i, u_l1.u_tracker.in_payload_i}),
    .fast_valid_i(u_l1.u_tracker.fast_in_valid_i), .fast_ready_i(u_l1.u_tracker.fast_in_ready_o),
    .fast_i(u_l1.u_tracker.fast_in_payload_i), .alloc_valid_i(u_l1.u_tracker.alloc_valid_i),
    .alloc_ready_i(u_l1.u_tracker.alloc_ready_o),
    .alloc_i({u_l1.u_tracker.alloc_bank_i, u_l1.u_tracker.alloc_dslot_i}),
    .fill_valid_i(u_l1.u_tracker.fill_valid_i),
    .fill_i({u_l1.u_tracker.fill_bank_i, u_l1.u_tracker.fill_dslot_i}),
    .fill_sector_i(u_l1.u_tracker.fill_sector_i), .reg_valid_i(u_l1.u_tracker.reg_req_valid_i),
    .reg_ready_i(u_l1.u_tracker.reg_req_ready_o),
    .reg_i({u_l1.u_tracker.reg_req_write_i, u_l1.u_tracker.reg_req_addr_i, u_l1.u_tracker.reg_req_data_i}),
    .failed_o(broken));

  function [31:0] word_of;
    input [ADDR_W-1:0] addr;
    word_of = {18'd0, addr} * 32'd2654435761 ^ 32'h5eed1234;
  endfunction

  // Loads under way, by their number; what memory still has to answer, with the cycle in which it may.
  reg [ADDR_W-1:0] addr_of [0:65535];
  reg [2:0] warp_of [0:65535];
  reg [65535:0] out;
  integer last_of [0:7];                     // one more than the number of a warp's last answer
  reg [ADDR_W-1:0] ask_addr [0:WINDOW-1];
  integer ask_at [0:WINDOW-1];
  reg [WINDOW-1:0] ask_valid;
  integer seed, sent, came, overtakes, newest, i, place, cycle;
  reg bad;

  task fail;
    input [8*48-1:0] what;
    begin
      if (!bad) $display("FAIL: %0s, load %0d, at %0t", what, rsp_id, $time);
      bad = 1'b1;
    end
  endtask

  initial begin
    out = 0;
    ask_valid = 0;
    seed = 1;
    sent = 0;
    came = 0;
    overtakes = 0;
    newest = 0;
    bad = 1'b0;
    for (i = 0; i < 8; i = i + 1) last_of[i] = 0;
    repeat (3) @(posedge clk);
    rst <= 1'b0;
    cycle = 0;
    while (came < LOADS && cycle < 20 * LOADS && !bad) @(posedge clk) cycle = cycle + 1;
    if (!bad && came < LOADS) fail("loads without an answer");
    if (!bad && overtakes == 0) fail("no warp ever went past another one");
    if (bad) $stop;
    $display("PASS: %0d loads in %0d cycles, %0d answers before an older one of another warp", came, cycle,
             overtakes);
    $finish;
  end

  always @(posedge clk) if (!rst) begin
    // A new load when the last one was taken.
    if (ld_valid && ld_ready) begin
      addr_of[ld_id] = ld_addr;
      warp_of[ld_id] = ld_warp;
      out[ld_id] = 1'b1;
      sent = sent + 1;
    end
    if (!ld_valid || ld_ready) begin
      ld_valid <= sent < LOADS && $random(seed) % 8 != 0;
      ld_warp <= $random(seed);
      ld_id <= sent;
      ld_addr <= ($random(seed) & 3) ? $random(seed) & 14'h1ff : $random(seed);
    end
    // Memory: 20 to 275 cycles after the request, one a cycle.
    if (mem_req_valid) begin
      place = 0;
      while (place < WINDOW && ask_valid[place]) place = place + 1;
      ask_valid[place] = 1'b1;
      ask_addr[place] = mem_req_addr;
      ask_at[place] = cycle + 20 + ($random(seed) & 8'hff);
    end
    mem_rsp_valid <= 1'b0;
    begin : answer
      for (i = 0; i < WINDOW; i = i + 1)
        if (ask_valid[i] && ask_at[i] <= cycle) begin
          ask_valid[i] = 1'b0;
          mem_rsp_valid <= 1'b1;
          mem_rsp_addr <= ask_addr[i];
          mem_rsp_data <= word_of(ask_addr[i]);
          disable answer;
        end
    end
    if (rsp_valid) begin
      if (!out[rsp_id]) fail("an answer that is not due");
      if (rsp_data !== word_of(addr_of[rsp_id])) fail("data of an answer");
      if (rsp_warp !== warp_of[rsp_id]) fail("warp of an answer");
      if (last_of[rsp_warp] > rsp_id) fail("order of a warp's answers");
      if (newest > rsp_id) overtakes = overtakes + 1;
      else newest = rsp_id;
      last_of[rsp_warp] = rsp_id + 1;
      out[rsp_id] = 1'b0;
      came = came + 1;
    end
    if (err) fail("the tracker refused something");
    if (broken) fail("a rule of the tracker's ports is broken");
  end
endmodule
