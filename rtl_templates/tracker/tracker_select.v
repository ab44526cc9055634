// SPDX-License-Identifier: Apache-2.0
// tracker_select: picks one of QUEUES requests, round robin, in two cycles (TR-8, TR-9). First the queues of
// one group (those with the same number modulo GROUPS), then the group. A request of cycle t is picked in t+2
// at the earliest. A queue once picked is masked until its request has followed, one cycle after the pick was
// used. The pick stands while hold_i is 1. Each queue is picked once before any is picked a second time, as
// far as the requests of two cycles ago show; so a request waits for at most 2 * QUEUES picks. Reset: nothing
// picked.
`default_nettype none

module tracker_select #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter GROUPS = 8
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [QUEUES-1:0] request_i,
  input  wire [QUEUES-1:0] one_i,        // carried along with the pick
  input  wire enable_i,                  // a pick may come in the next cycle
  input  wire hold_i,                    // the pick is not used in this cycle
  output reg  valid_o,
  output reg  [QUEUE_W-1:0] queue_o,
  output reg  one_o,
  output wire [QUEUES-1:0] picked_o,     // the pick, one bit a queue
  output wire any_o                      // another request waits
);
  localparam PLACES = (QUEUES + GROUPS - 1) / GROUPS;
  localparam GROUP_W = $clog2(GROUPS);
  localparam PLACE_W = (PLACES > 1) ? $clog2(PLACES) : 1;
  localparam PADDED = PLACES * GROUPS;

  reg [PADDED-1:0] lap_q, picked_q;      // lap: not yet picked in this round
  reg [GROUPS-1:0] any_q, fresh_q, last_q;
  reg [GROUPS-1:0] first_one_q;
  reg [PLACE_W*GROUPS-1:0] first_q;
  reg round_q;                           // the pick began a new round
  wire [PADDED-1:0] asks = {{PADDED-QUEUES{1'b0}}, request_i} & ~picked_q;
  wire [PADDED-1:0] ones = {{PADDED-QUEUES{1'b0}}, one_i};

  reg [PLACE_W-1:0] low, low_fresh;
  reg [GROUPS-1:0] any_d, fresh_d, first_one_d;
  reg one_low, one_fresh;
  reg [PLACE_W*GROUPS-1:0] first_d;
  integer g, m;
  always @* begin
    for (g = 0; g < GROUPS; g = g + 1) begin
      low = {PLACE_W{1'b0}};
      low_fresh = {PLACE_W{1'b0}};
      one_low = 1'b0;
      one_fresh = 1'b0;
      any_d[g] = 1'b0;
      fresh_d[g] = 1'b0;
      for (m = PLACES - 1; m >= 0; m = m - 1)
        if (asks[m*GROUPS+g]) begin
          low = m[PLACE_W-1:0];
          one_low = ones[m*GROUPS+g];
          any_d[g] = 1'b1;
          if (lap_q[m*GROUPS+g]) begin
            low_fresh = m[PLACE_W-1:0];
            one_fresh = ones[m*GROUPS+g];
            fresh_d[g] = 1'b1;
          end
        end
      first_d[g*PLACE_W+:PLACE_W] = fresh_d[g] ? low_fresh : low;
      first_one_d[g] = fresh_d[g] ? one_fresh : one_low;
    end
  end

  // Both answers side by side: the first group with one not yet picked in this round, and the first with any.
  wire [GROUPS-1:0] f = fresh_q & ~last_q, a = any_q & ~last_q;
  wire round_now = ~|f;
  wire [GROUPS-1:0] takes;
  reg [GROUPS-1:0] f1, a1;
  reg [PLACE_W-1:0] place_f, place_a;
  reg [GROUP_W-1:0] group_f, group_a;
  reg one_f, one_a;
  reg [PADDED-1:0] picked_d;
  reg below_f, below_a;
  integer h, n;
  always @* begin
    place_f = {PLACE_W{1'b0}};
    place_a = {PLACE_W{1'b0}};
    group_f = {GROUP_W{1'b0}};
    group_a = {GROUP_W{1'b0}};
    one_f = 1'b0;
    one_a = 1'b0;
    for (h = 0; h < GROUPS; h = h + 1) begin
      below_f = 1'b0;
      below_a = 1'b0;
      for (n = 0; n < h; n = n + 1) begin
        below_f = below_f | f[n];
        below_a = below_a | a[n];
      end
      f1[h] = f[h] && !below_f;
      a1[h] = a[h] && !below_a;
      place_f = place_f | (first_q[h*PLACE_W+:PLACE_W] & {PLACE_W{f1[h]}});
      place_a = place_a | (first_q[h*PLACE_W+:PLACE_W] & {PLACE_W{a1[h]}});
      group_f = group_f | (h[GROUP_W-1:0] & {GROUP_W{f1[h]}});
      group_a = group_a | (h[GROUP_W-1:0] & {GROUP_W{a1[h]}});
      one_f = one_f | (first_one_q[h] & f1[h]);
      one_a = one_a | (first_one_q[h] & a1[h]);
    end
  end
  assign takes = !enable_i ? {GROUPS{1'b0}} : round_now ? a1 : f1;
  integer k, x;
  always @*
    for (k = 0; k < GROUPS; k = k + 1)
      for (x = 0; x < PLACES; x = x + 1)
        picked_d[x*GROUPS+k] = takes[k] && first_q[k*PLACE_W+:PLACE_W] == x[PLACE_W-1:0];
  wire [PLACE_W+GROUP_W-1:0] queue = round_now ? {place_a, group_a} : {place_f, group_f};
  wire unused = &{1'b0, queue};

  always @(posedge clk_i) begin
    first_q <= first_d;
    first_one_q <= first_one_d;
    if (rst_i) begin
      any_q <= {GROUPS{1'b0}};
      fresh_q <= {GROUPS{1'b0}};
      last_q <= {GROUPS{1'b0}};
      picked_q <= {PADDED{1'b0}};
      lap_q <= {PADDED{1'b1}};
      valid_o <= 1'b0;
      round_q <= 1'b0;
    end else begin
      any_q <= any_d;
      fresh_q <= fresh_d;
      lap_q <= ((round_q && valid_o) ? {PADDED{1'b1}} : lap_q) & ~picked_q;
      if (!hold_i) begin
        valid_o <= enable_i && |a;
        last_q <= takes;
        picked_q <= picked_d;
        round_q <= round_now;
      end
    end
    if (!hold_i) begin
      queue_o <= queue[QUEUE_W-1:0];
      one_o <= round_now ? one_a : one_f;
    end
  end
  assign any_o = |(any_q & ~last_q);
  assign picked_o = picked_q[QUEUES-1:0];
endmodule

`default_nettype wire
