// SPDX-License-Identifier: Apache-2.0
// tracker_fifo: a FIFO of DEPTH words. A word pushed in one cycle is at the output in the next one when it is
// the oldest. The user never pushes into a full FIFO and never pops an empty one: whoever pushes counts.
// While look_i is 1, and nothing moves, the output shows one word after the other, from the oldest on: next_i
// goes on, more_o says that there is one. In the cycle behind nothing is popped. Reset, also while look_i is
// 1: empty. While placed_i is 1, from empty on, a word that is pushed goes to place_i, where 0 is the oldest;
// in the end they lie without a gap.
// It is not fifo_regs of the library, since a save looks at words and leaves them where they are: popped and
// pushed again they would be in another order when a save ends in its middle. Where no save looks the tracker
// has fifo_regs (tracker_leave).
`default_nettype none

module tracker_fifo #(
  parameter WIDTH = 8,
  parameter DEPTH = 4
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire push_i,
  input  wire placed_i,
  input  wire [((DEPTH > 1) ? $clog2(DEPTH) : 1)-1:0] place_i,
  input  wire [WIDTH-1:0] data_i,
  input  wire pop_i,
  output wire valid_o,
  output wire [WIDTH-1:0] data_o,
  output wire [$clog2(DEPTH+1)-1:0] count_o,
  input  wire look_i,
  input  wire next_i,
  output wire more_o
);
  localparam ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam COUNT_W = $clog2(DEPTH + 1);
  localparam LAST = DEPTH - 1;

  reg [ADDR_W-1:0] to_q, from_q;
  reg [COUNT_W-1:0] count_q;
  reg valid_q, looks_q;
  reg [ADDR_W-1:0] oldest_q;
  wire [COUNT_W-1:0] count = count_q + {{COUNT_W-1{1'b0}}, push_i} - {{COUNT_W-1{1'b0}}, pop_i};
  always @(posedge clk_i)
    if (rst_i) begin
      to_q <= {ADDR_W{1'b0}};
      from_q <= {ADDR_W{1'b0}};
      count_q <= {COUNT_W{1'b0}};
      valid_q <= 1'b0;
    end else begin
      if (push_i) to_q <= (to_q == LAST[ADDR_W-1:0]) ? {ADDR_W{1'b0}} : to_q + 1'b1;
      if (looks_q && !look_i) from_q <= oldest_q;
      else if (pop_i || (look_i && next_i))
        from_q <= (from_q == LAST[ADDR_W-1:0]) ? {ADDR_W{1'b0}} : from_q + 1'b1;
      count_q <= count;
      valid_q <= count != {COUNT_W{1'b0}};
    end
  // The place of the oldest word is kept while looking, and comes back in the cycle behind.
  reg [COUNT_W-1:0] looked_q;
  always @(posedge clk_i) begin
    looks_q <= look_i && !rst_i;
    if (rst_i) oldest_q <= {ADDR_W{1'b0}};
    else if (!look_i && !looks_q) oldest_q <= from_q;
    looked_q <= look_i ? looked_q + {{COUNT_W-1{1'b0}}, next_i} : {COUNT_W{1'b0}};
  end
  assign more_o = looked_q != count_q;
  assign valid_o = valid_q;
  assign count_o = count_q;

  tracker_table #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_words (
    .clk_i(clk_i), .we_i(push_i), .waddr_i(placed_i ? place_i : to_q), .wdata_i(data_i), .raddr_i(from_q),
    .rdata_o(data_o));
endmodule

`default_nettype wire
