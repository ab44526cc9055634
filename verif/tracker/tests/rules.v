// SPDX-License-Identifier: Apache-2.0
// Bench of tracker_rules: first a front end that keeps all rules, then each rule broken once behind a reset.
`timescale 1ns / 1ps

module rules;
  reg clk = 1'b0, rst;
  always #5 clk = !clk;
  reg in_valid, in_ready, fast_valid, fast_ready, alloc_valid, alloc_ready, fill_valid, reg_valid, reg_ready;
  reg [7:0] in;
  reg [3:0] fast, alloc, fill;
  reg [1:0] sector;
  reg [40:0] access;
  wire failed;
  tracker_rules #(.IN_W(8), .FAST_W(4), .SLOT_W(4), .SECTOR_W(2)) u_rules (
    .clk_i(clk), .rst_i(rst), .in_valid_i(in_valid), .in_ready_i(in_ready), .in_i(in),
    .fast_valid_i(fast_valid), .fast_ready_i(fast_ready), .fast_i(fast), .alloc_valid_i(alloc_valid),
    .alloc_ready_i(alloc_ready), .alloc_i(alloc), .fill_valid_i(fill_valid), .fill_i(fill),
    .fill_sector_i(sector), .reg_valid_i(reg_valid), .reg_ready_i(reg_ready), .reg_i(access),
    .failed_o(failed));

  // Cycle 1 is over, the readies have been 1 for it unless `closed`.
  task start(input [8*32-1:0] name, input closed);
    begin
      {rst, in_valid, fast_valid, alloc_valid, fill_valid, reg_valid} = 6'b100000;
      {in, fast, alloc, fill, sector, access} = 0;
      {in_ready, fast_ready, alloc_ready, reg_ready} = {{3{!closed}}, 1'b1};
      repeat (2) @(negedge clk);
      $display("%0s", name);
      rst = 1'b0;
      @(negedge clk);
    end
  endtask
  task after(input integer cycles); repeat (cycles) @(negedge clk); endtask
  task over; begin @(negedge clk); if (!failed) $display("nothing was found"); end endtask

  integer late;
  initial begin
    start("all rules kept", 0);
    {in_valid, in_ready, in, fast_valid, fast_ready, fast} = {2'b10, 8'h5a, 2'b10, 4'd3};
    {alloc_valid, alloc_ready, alloc} = {2'b10, 4'd9};
    {reg_valid, reg_ready, access, fill_valid, fill} = {2'b10, 41'd7, 1'b1, 4'd9};
    after(3);
    {in_ready, fast_ready, alloc_ready, reg_ready, fill} = {4'hf, 4'd8};
    after(1);
    {in, fast, alloc, access} = {8'hxx, 4'hx, 4'hx, {41{1'bx}}};
    {in_valid, fast_valid, alloc_valid, reg_valid} = 4'd0;
    after(3);
    fill = 4'd9;
    after(2);
    if (failed) $display("failed_o");
    start("a packet withdrawn", 0); {in_valid, in_ready} = 2'b10; after(2); in_valid = 0; over;
    start("a packet changed", 0); {in_valid, in_ready} = 2'b10; after(2); {in_ready, in} = 9'h101; over;
    start("a packet unknown", 0); {in_valid, in} = 9'b1000000x1; over;
    start("a fast packet withdrawn", 0); {fast_valid, fast_ready} = 2'b10; after(1); fast_valid = 0; over;
    start("a fast packet changed", 0); {fast_valid, fast_ready} = 2'b10; after(1); fast = 1; over;
    start("an allocation withdrawn", 0); {alloc_valid, alloc_ready} = 2'b10; after(1); alloc_valid = 0; over;
    start("an allocation changed", 0); {alloc_valid, alloc_ready} = 2'b10; after(1); alloc = 1; over;
    start("an access withdrawn", 0); {reg_valid, reg_ready} = 2'b10; after(1); reg_valid = 0; over;
    start("an access changed", 0); {reg_valid, reg_ready} = 2'b10; after(1); access = 1; over;
    start("a valid unknown", 0); fast_valid = 1'bx; over;
    start("a fill unknown", 0); fill_valid = 1; sector = 2'b0x; over;
    start("a fill before ready", 1); after(1); fill_valid = 1; over;
    for (late = 0; late < 4; late = late + 1) begin
      start("a fill too early", 0); {alloc_valid, alloc} = 5'h1c; fill = 4'hc;
      if (late > 0) begin after(1); alloc_valid = 0; alloc = 0; after(late - 1); end
      fill_valid = 1; over;
    end
    $finish;
  end
endmodule
