// SPDX-License-Identifier: Apache-2.0
// const_counters: NUMBER event counters of 48 bits in one RAM. Events of a cycle are added to a short
// register each; in turn each is moved into the RAM, so a count is exact when nothing happened for 2 x NUMBER
// cycles. Counters wrap. read_i stops the turn for its cycle; it must not name the counter that busy_o and
// busy_place_o name. Reset and clear_i: all are 0 after NUMBER turns.
`default_nettype none

module const_counters #(
  parameter NUMBER = 17,
  parameter EVENT_W = 3,               // most events of a counter in a cycle
  parameter ADDED_W = 10               // bits of a short register: holds the events of 3 x NUMBER cycles
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [NUMBER*EVENT_W-1:0] events_i,
  input  wire clear_i,
  input  wire read_i,
  input  wire [$clog2(NUMBER)-1:0] place_i,
  output wire clearing_o,              // counts mean nothing
  output wire busy_o,
  output wire [$clog2(NUMBER)-1:0] busy_place_o,
  output wire [47:0] count_o           // in the cycle after read_i
);
  localparam PLACE_W = $clog2(NUMBER);
  localparam [PLACE_W:0] ALL = NUMBER;
  localparam [PLACE_W-1:0] LAST = NUMBER - 1;
  reg [PLACE_W-1:0] turn_q, moved_place_q;
  reg moved_q, moved_clear_q;
  reg [PLACE_W:0] to_clear_q;
  reg [ADDED_W-1:0] moved_count_q;
  reg [NUMBER*ADDED_W-1:0] added_q;
  wire clears = to_clear_q != {PLACE_W+1{1'b0}};
  wire [47:0] count;
  ram_1r1w #(.WIDTH(48), .DEPTH(NUMBER)) u_counts (
    .clk_i(clk_i), .we_i(moved_q), .waddr_i(moved_place_q),
    .wdata_i(moved_clear_q ? 48'd0 : count + {{48-ADDED_W{1'b0}}, moved_count_q}),
    .raddr_i(read_i ? place_i : turn_q), .rdata_o(count));
  assign clearing_o = clears;
  assign busy_o = moved_q;
  assign busy_place_o = moved_place_q;
  assign count_o = count;
  integer i;
  reg [ADDED_W-1:0] added_of_turn;
  always @* begin
    added_of_turn = {ADDED_W{1'b0}};
    for (i = 0; i < NUMBER; i = i + 1)
      if (turn_q == i[PLACE_W-1:0]) added_of_turn = added_of_turn | added_q[i*ADDED_W+:ADDED_W];
  end
  always @(posedge clk_i) begin
    for (i = 0; i < NUMBER; i = i + 1)
      if (rst_i || (!read_i && turn_q == i[PLACE_W-1:0] && clears))
        added_q[i*ADDED_W+:ADDED_W] <= {ADDED_W{1'b0}};
      else added_q[i*ADDED_W+:ADDED_W] <= {{ADDED_W-EVENT_W{1'b0}}, events_i[i*EVENT_W+:EVENT_W]}
        + ((!read_i && turn_q == i[PLACE_W-1:0]) ? {ADDED_W{1'b0}} : added_q[i*ADDED_W+:ADDED_W]);
    moved_q <= !rst_i && !read_i;
    moved_place_q <= turn_q;
    moved_count_q <= added_of_turn;
    moved_clear_q <= clears;
    if (rst_i) begin
      turn_q <= {PLACE_W{1'b0}};
      to_clear_q <= ALL;
    end else begin
      if (!read_i) turn_q <= (turn_q == LAST) ? {PLACE_W{1'b0}} : turn_q + 1'b1;
      if (clear_i) to_clear_q <= ALL;
      else if (!read_i && clears) to_clear_q <= to_clear_q - 1'b1;
    end
  end
endmodule

`default_nettype wire
