// SPDX-License-Identifier: Apache-2.0
// arbiter_core: round-robin arbiter with a grant counter.
// A request seen at a clock edge may be granted in the next cycle: latency 1, one grant per cycle. The
// clients after the one granted last go first. Reset: no grant, count 0, client 0 goes first.
`default_nettype none

module arbiter_core #(
  parameter CLIENTS = 4,
  parameter COUNT_W = 16
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [CLIENTS-1:0] req_i,

  output reg  grant_valid_o,
  output reg  [((CLIENTS > 1) ? $clog2(CLIENTS) : 1)-1:0] grant_o,
  output reg  [COUNT_W-1:0] count_o
);
  localparam INDEX_W = (CLIENTS > 1) ? $clog2(CLIENTS) : 1;

  generate
    if (CLIENTS < 1 || CLIENTS > 64) begin : g_clients_range
      clients_out_of_range check ();
    end
    if (COUNT_W < 4 || COUNT_W > 48) begin : g_count_w_range
      count_w_out_of_range check ();
    end
  endgenerate

  // grant_o keeps the client granted last while there is no grant. The second loop wins: clients after it.
  reg [INDEX_W-1:0] next_d;
  integer i;
  always @* begin
    next_d = grant_o;
    for (i = CLIENTS - 1; i >= 0; i = i - 1)
      if (req_i[i]) next_d = i[INDEX_W-1:0];
    for (i = CLIENTS - 1; i >= 0; i = i - 1)
      if (req_i[i] && i[INDEX_W-1:0] > grant_o) next_d = i[INDEX_W-1:0];
  end

  always @(posedge clk_i)
    if (rst_i) begin
      grant_valid_o <= 1'b0;
      grant_o <= CLIENTS[INDEX_W-1:0] - 1'b1;
      count_o <= {COUNT_W{1'b0}};
    end else begin
      grant_valid_o <= |req_i;
      grant_o <= next_d;
      if (|req_i) count_o <= count_o + 1'b1;
    end
endmodule

`default_nettype wire
