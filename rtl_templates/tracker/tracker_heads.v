// SPDX-License-Identifier: Apache-2.0
// tracker_heads: the check slot of each queue (TR-7): per bank a data slot and the sectors still missing.
// Every fill is compared with all of them in F2. ready_o is a register: 1 in the cycle after the last missing
// sector was cleared. A slot is loaded only while it is not busy. Reset: no slot is busy.
`default_nettype none

module tracker_heads #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter BANKS = 4,
  parameter DSLOT_W = 8,
  parameter SECTORS = 4
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire check_i,                        // an entry of queue_i is at the slot
  input  wire load_i,                         // and stays in it
  input  wire [QUEUE_W-1:0] queue_i,
  input  wire [BANKS*DSLOT_W-1:0] dslots_i,
  input  wire [BANKS*SECTORS-1:0] missing_i,

  input  wire [BANKS*SECTORS-1:0] fill_sector_i,
  input  wire [DSLOT_W-1:0] fill_dslot_i,

  input  wire [QUEUES-1:0] picked_i,          // slots that are popped
  output reg  [QUEUES-1:0] busy_o,
  output reg  [QUEUES-1:0] ready_o
);
  genvar q, b;
  generate
    for (q = 0; q < QUEUES; q = q + 1) begin : g_queue
      localparam [QUEUE_W-1:0] ME = q;
      wire mine = check_i && queue_i == ME;
      wire load = load_i && queue_i == ME;
      wire pop = picked_i[q];
      reg [BANKS*SECTORS-1:0] missing_q;
      wire [BANKS*SECTORS-1:0] still;
      for (b = 0; b < BANKS; b = b + 1) begin : g_bank
        reg [DSLOT_W-1:0] dslot_q;
        always @(posedge clk_i) if (mine) dslot_q <= dslots_i[b*DSLOT_W+:DSLOT_W];
        assign still[b*SECTORS+:SECTORS] = missing_q[b*SECTORS+:SECTORS] &
          ~(fill_sector_i[b*SECTORS+:SECTORS] & {SECTORS{dslot_q == fill_dslot_i}});
      end
      always @(posedge clk_i) begin
        missing_q <= mine ? missing_i : still;
        if (rst_i) begin
          busy_o[q] <= 1'b0;
          ready_o[q] <= 1'b0;
        end else begin
          busy_o[q] <= load || (busy_o[q] && !pop);
          ready_o[q] <= mine ? load && ~|missing_i : busy_o[q] && !pop && ~|still;
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
