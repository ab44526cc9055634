// SPDX-License-Identifier: Apache-2.0
// atomic_merge_queue: accepted requests, kept until they have taken their place. They are shown in order,
// each in the cycle after it was fetched; `kill_i` starts again with the oldest that is still here. A
// request whose predecessor is to the same 8 bytes and chooses late keeps a cycle's distance from it
// (INT_GAP), which is found out when it is accepted. Reset: empty.
`default_nettype none

module atomic_merge_queue #(
  parameter WIDTH = 8,
  parameter DEPTH = 16,
  parameter PAIR_W = 29
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire valid_i,
  output wire ready_o,
  input  wire [WIDTH-1:0] word_i,
  input  wire [PAIR_W-1:0] pair_i,   // address of the 8 bytes
  input  wire slow_i,                // it chooses late

  input  wire goes_i,                // the oldest one has taken its place
  input  wire kill_i,
  input  wire flows_i,               // the next stage takes requests
  input  wire behind_i,              // there is one in the next stage
  output wire held_o,                // there are requests
  output wire valid_o,               // one moves to the next stage
  output reg  [WIDTH-1:0] word_o
);
  localparam QUEUE_W = $clog2(DEPTH);
  reg [WIDTH:0] mem [0:DEPTH-1];
  reg [QUEUE_W:0] written_q, committed_q, fetched_q;
  reg shown_q, gap_q, last_slow_q;
  reg [PAIR_W-1:0] last_pair_q;
  wire [QUEUE_W:0] held = written_q - committed_q;
  wire accept = valid_i && ready_o;
  wire stays = shown_q && (!flows_i || (gap_q && behind_i));
  wire more = fetched_q != written_q;
  assign ready_o = !held[QUEUE_W];
  assign held_o = |held;
  assign valid_o = shown_q && !stays;

  always @(posedge clk_i) begin
    if (accept) begin
      mem[written_q[QUEUE_W-1:0]] <= {last_slow_q && last_pair_q == pair_i, word_i};
      last_pair_q <= pair_i;
      last_slow_q <= slow_i;
    end
    if (!stays) {gap_q, word_o} <= mem[fetched_q[QUEUE_W-1:0]];
    written_q <= written_q + {{QUEUE_W{1'b0}}, accept};
    committed_q <= committed_q + {{QUEUE_W{1'b0}}, goes_i};
    if (kill_i) begin
      shown_q <= 1'b0;
      fetched_q <= committed_q;
    end else if (!stays) begin
      shown_q <= more;
      fetched_q <= fetched_q + {{QUEUE_W{1'b0}}, more};
    end
    if (rst_i) begin
      written_q <= {(QUEUE_W+1){1'b0}};
      committed_q <= {(QUEUE_W+1){1'b0}};
      fetched_q <= {(QUEUE_W+1){1'b0}};
      shown_q <= 1'b0;
      last_slow_q <= 1'b0;
    end
  end
endmodule

`default_nettype wire
