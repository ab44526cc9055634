// SPDX-License-Identifier: Apache-2.0
// round_robin_pick: picks one of COUNT requests per cycle, the urgent ones first.
// pick_o is the pick made in the previous cycle, valid when there was a request and enable_i was 1. Among the
// urgent requests if there are any, else among all, the first one after the last pick wins, wrapping.
// Latency 1, one pick per cycle. Reset: no pick; request 0 goes first.
`default_nettype none

module round_robin_pick #(
  parameter COUNT = 4
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire enable_i,
  input  wire [COUNT-1:0] request_i,
  input  wire [COUNT-1:0] urgent_i,  // a subset of request_i

  output reg  pick_valid_o,
  output wire [((COUNT > 1) ? $clog2(COUNT) : 1)-1:0] pick_o
);
  localparam INDEX_W = (COUNT > 1) ? $clog2(COUNT) : 1;

  localparam LEAVES = 1 << INDEX_W;

  reg  [INDEX_W-1:0] index_q;
  reg  wrapped_q;                           // no pick yet: all requests are later ones
  wire [COUNT-1:0] candidates = (|urgent_i) ? urgent_i : request_i;
  reg  [COUNT-1:0] after;                   // the numbers after the last pick
  integer k;
  always @*
    for (k = 0; k < COUNT; k = k + 1)
      after[k] = wrapped_q || k[INDEX_W-1:0] > index_q;
  wire [COUNT-1:0] later = candidates & after;
  wire [LEAVES+COUNT-1:0] field = {{LEAVES{1'b0}}, (|later) ? later : candidates};

  // A tree that passes on the lower of two numbers. Node n has the children 2n and 2n + 1; the leaves come last.
  reg [2*LEAVES-1:0] any;
  reg [2*LEAVES*INDEX_W-1:0] lowest;
  integer n;
  always @* begin
    any[0] = 1'b0;
    lowest[INDEX_W-1:0] = {INDEX_W{1'b0}};
    for (n = 0; n < LEAVES; n = n + 1) begin
      any[LEAVES+n] = field[n];
      lowest[(LEAVES+n)*INDEX_W+:INDEX_W] = n[INDEX_W-1:0];
    end
    for (n = LEAVES - 1; n > 0; n = n - 1) begin
      any[n] = any[2*n] || any[2*n+1];
      lowest[n*INDEX_W+:INDEX_W] = any[2*n] ? lowest[2*n*INDEX_W+:INDEX_W]
                                            : lowest[(2*n+1)*INDEX_W+:INDEX_W];
    end
  end
  wire unused = &{1'b0, any, lowest, field};

  assign pick_o = index_q;
  wire found = enable_i && (|request_i);
  always @(posedge clk_i)
    if (rst_i) begin
      pick_valid_o <= 1'b0;
      index_q <= {INDEX_W{1'b0}};
      wrapped_q <= 1'b1;
    end else begin
      pick_valid_o <= found;
      if (found) begin
        index_q <= lowest[INDEX_W+:INDEX_W];
        wrapped_q <= 1'b0;
      end
    end
endmodule

`default_nettype wire
