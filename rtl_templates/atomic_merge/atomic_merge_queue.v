// SPDX-License-Identifier: Apache-2.0
// atomic_merge_queue: accepted requests, kept until they have taken their place. They are shown in order,
// each in the cycle after it was fetched; `kill_i` starts again with the oldest that is still here. A
// request whose predecessor is to the same 8 bytes and chooses late keeps a cycle's distance from it
// (INT_GAP), which is found out when it is accepted. One of whose APART - 1 predecessors is to the same 8
// bytes and takes several cycles waits until the last of that kind left the front's first stage APART cycles
// ago. Reset: empty.
`default_nettype none

module atomic_merge_queue #(
  parameter WIDTH = 8,    // bits of a request
  parameter DEPTH = 16,   // requests, a power of 2
  parameter PAIR_W = 29,  // bits of the address of 8 bytes
  parameter APART = 0     // 0: no request takes several cycles
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire valid_i,              // a request is offered
  output wire ready_o,              // there is room; it is taken with both
  input  wire [WIDTH-1:0] word_i,   // the request
  input  wire [PAIR_W-1:0] pair_i,  // address of the 8 bytes
  input  wire slow_i,               // it chooses late
  input  wire unit_i,               // it takes several cycles

  input  wire goes_i,             // the oldest one has taken its place
  input  wire kill_i,             // start again with the oldest one
  input  wire flows_i,            // the next stage takes requests
  input  wire behind_i,           // there is one in the next stage
  output wire held_o,             // there are requests
  output wire valid_o,            // one moves to the next stage
  output reg  [WIDTH-1:0] word_o  // that request
);
  localparam QUEUE_W = $clog2(DEPTH);
  localparam KEPT_W = WIDTH + ((APART != 0) ? 3 : 1);
  reg [KEPT_W-1:0] mem [0:DEPTH-1];
  reg [QUEUE_W:0] written_q, committed_q, fetched_q;
  reg shown_q, gap_q, last_slow_q;
  reg [PAIR_W-1:0] last_pair_q;
  wire [QUEUE_W:0] held = written_q - committed_q;
  wire accept = valid_i && ready_o;
  wire [KEPT_W-1:0] kept;
  wire apart;                        // it keeps away from one that takes several cycles
  wire stays = shown_q && (!flows_i || (gap_q && behind_i) || apart);
  wire more = fetched_q != written_q;
  wire [KEPT_W-1:0] shown = mem[fetched_q[QUEUE_W-1:0]];
  assign ready_o = !held[QUEUE_W];
  assign held_o = |held;
  assign valid_o = shown_q && !stays;

  always @(posedge clk_i) begin
    if (accept) begin
      mem[written_q[QUEUE_W-1:0]] <= kept;
      last_pair_q <= pair_i;
      last_slow_q <= slow_i;
    end
    if (!stays) {gap_q, word_o} <= shown[WIDTH:0];
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

  generate
    if (APART != 0) begin : g_apart
      reg [APART-2:0] unit_q, left_q;  // the last ones accepted; one left in the last cycle, before that, ...
      reg [PAIR_W*(APART-1)-1:0] pair_q;
      reg apart_q, shown_unit_q;
      reg near;
      integer i;
      always @* begin
        near = 1'b0;
        for (i = 0; i < APART - 1; i = i + 1)
          if (unit_q[i] && pair_q[PAIR_W*i +: PAIR_W] == pair_i) near = 1'b1;
      end
      assign kept = {unit_i, near, last_slow_q && last_pair_q == pair_i, word_i};
      assign apart = apart_q && |left_q;
      always @(posedge clk_i) begin
        if (accept) begin
          unit_q <= {unit_q[APART-3:0], unit_i};
          pair_q <= {pair_q[PAIR_W*(APART-2)-1:0], pair_i};
        end
        if (!stays) {shown_unit_q, apart_q} <= shown[KEPT_W-1:WIDTH+1];
        left_q <= {left_q[APART-3:0], valid_o && shown_unit_q && !kill_i};
        if (rst_i) begin
          unit_q <= {(APART-1){1'b0}};
          left_q <= {(APART-1){1'b0}};
        end
      end
    end else begin : g_close
      assign kept = {last_slow_q && last_pair_q == pair_i, word_i};
      assign apart = 1'b0;
      wire unused = &{1'b0, unit_i};
    end
  endgenerate
endmodule

`default_nettype wire
