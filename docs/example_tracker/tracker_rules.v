// SPDX-License-Identifier: Apache-2.0
// tracker_rules: watches what a front end does at the ports of a tracker, for simulation. For each rule
// that is broken it prints the cycle, counted from the last one of reset on, and the rule; failed_o rises
// then and stays until reset.
`default_nettype none

module tracker_rules #(
  parameter IN_W = 1,                        // all ports in_* but valid and ready, side by side in any order
  parameter FAST_W = 1,                      // fast_in_payload_i
  parameter SLOT_W = 1,                      // bank and data slot of alloc_*, and alike of fill_*
  parameter SECTOR_W = 1                     // fill_sector_i
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire in_valid_i,
  input  wire in_ready_i,
  input  wire [IN_W-1:0] in_i,
  input  wire fast_valid_i,
  input  wire fast_ready_i,
  input  wire [FAST_W-1:0] fast_i,
  input  wire alloc_valid_i,
  input  wire alloc_ready_i,
  input  wire [SLOT_W-1:0] alloc_i,
  input  wire fill_valid_i,
  input  wire [SLOT_W-1:0] fill_i,
  input  wire [SECTOR_W-1:0] fill_sector_i,
  input  wire reg_valid_i,
  input  wire reg_ready_i,
  input  wire [40:0] reg_i,                  // write, address, data

  output reg  failed_o
);
  integer cycle;
  reg in_waits, fast_waits, alloc_waits, reg_waits, was_ready;
  reg [IN_W-1:0] in_q;
  reg [FAST_W-1:0] fast_q;
  reg [SLOT_W-1:0] alloc_q;
  reg [40:0] reg_q;
  reg [2:0] taken;                           // allocations of the last three cycles, the newest at 0
  reg [3*SLOT_W-1:0] slots;

  wire some_ready = in_ready_i || fast_ready_i || alloc_ready_i;
  wire takes = alloc_valid_i && alloc_ready_i;
  wire early = (takes && fill_i === alloc_i) || (taken[0] && fill_i === slots[0+:SLOT_W]) ||
               (taken[1] && fill_i === slots[SLOT_W+:SLOT_W]) ||
               (taken[2] && fill_i === slots[2*SLOT_W+:SLOT_W]);

  task broken;
    input [8*64-1:0] rule;
    begin
      $display("tracker_rules: cycle %0d: %0s", cycle, rule);
      failed_o <= 1'b1;
    end
  endtask

  always @(posedge clk_i) begin
    if (rst_i !== 1'b0) begin
      cycle <= 1;
      {in_waits, fast_waits, alloc_waits, reg_waits, was_ready, failed_o} <= 6'd0;
      taken <= 3'd0;
    end else begin
      cycle <= cycle + 1;
      if (^{in_valid_i, fast_valid_i, alloc_valid_i, fill_valid_i, reg_valid_i} === 1'bx)
        broken("a valid is neither 0 nor 1");
      if (in_valid_i && ^in_i === 1'bx) broken("a packet with bits that are neither 0 nor 1");
      if (in_waits && (!in_valid_i || in_i !== in_q)) broken("a packet changes while it waits");
      if (fast_waits && (!fast_valid_i || fast_i !== fast_q)) broken("a fast packet changes while it waits");
      if (alloc_waits && (!alloc_valid_i || alloc_i !== alloc_q))
        broken("an allocation changes while it waits");
      if (reg_waits && (!reg_valid_i || reg_i !== reg_q))
        broken("an access of a register changes while it waits");
      if (fill_valid_i && ^{fill_i, fill_sector_i} === 1'bx) broken("a fill of a sector that is not known");
      if (fill_valid_i && !was_ready && !some_ready) broken("a fill before the first ready after reset");
      if (fill_valid_i && early) broken("a fill less than 4 cycles after its data slot's allocation");
      in_waits <= in_valid_i && !in_ready_i;
      fast_waits <= fast_valid_i && !fast_ready_i;
      alloc_waits <= alloc_valid_i && !alloc_ready_i;
      reg_waits <= reg_valid_i && !reg_ready_i;
      was_ready <= was_ready || some_ready;
      taken <= {taken[1:0], takes};
    end
    in_q <= in_i;
    fast_q <= fast_i;
    alloc_q <= alloc_i;
    reg_q <= reg_i;
    slots <= {slots[0+:2*SLOT_W], alloc_i};
  end
endmodule

`default_nettype wire
