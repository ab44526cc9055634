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

  wire [COUNT-1:0] candidates = (|urgent_i) ? urgent_i : request_i;
  reg  [COUNT-1:0] after_q;  // the requests after the last pick
  wire [COUNT-1:0] later = candidates & after_q;
  wire [COUNT-1:0] field = (|later) ? later : candidates;
  reg  [INDEX_W-1:0] index_d, index_q;

  integer i;
  always @* begin
    index_d = {INDEX_W{1'b0}};
    for (i = COUNT - 1; i >= 0; i = i - 1)
      if (field[i]) index_d = i[INDEX_W-1:0];
  end

  assign pick_o = index_q;

  wire found = enable_i && (|request_i);
  integer k;
  always @(posedge clk_i) begin
    if (rst_i) begin
      pick_valid_o <= 1'b0;
      index_q <= {INDEX_W{1'b0}};
      after_q <= {COUNT{1'b1}};
    end else begin
      pick_valid_o <= found;
      if (found) begin
        index_q <= index_d;
        for (k = 0; k < COUNT; k = k + 1)
          after_q[k] <= k[INDEX_W-1:0] > index_d;
      end
    end
  end
endmodule

`default_nettype wire
