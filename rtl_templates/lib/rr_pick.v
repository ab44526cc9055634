// SPDX-License-Identifier: Apache-2.0
// rr_pick: one of several requests, round robin: the lowest of those whose turn it is, else the lowest of
// all. Combinational; no state. Whoever uses it lets the turn pass to those above the one picked (above_o).
`default_nettype none

module rr_pick #(
  parameter WIDTH = 8    // requests, 1..64
) (
  input  wire [WIDTH-1:0] req_i,   // the requests
  input  wire [WIDTH-1:0] turn_i,  // these go first
  output wire any_o,               // there is a request
  output wire [WIDTH-1:0] pick_o,  // one-hot; 0 without a request
  output wire [WIDTH-1:0] above_o  // all numbers above the pick; all ones without a request
);
  generate
    if (WIDTH < 1 || WIDTH > 64) begin : g_width_range
      width_out_of_range check ();
    end
  endgenerate

  wire [WIDTH-1:0] first = req_i & turn_i;
  assign any_o = |req_i;
  generate
    if (WIDTH > 8) begin : g_carry  // a carry chain is smaller and faster here
      wire [WIDTH-1:0] from = |first ? first : req_i;
      assign pick_o = from & (~from + {{WIDTH-1{1'b0}}, 1'b1});
      assign above_o = ~(from ^ (from - {{WIDTH-1{1'b0}}, 1'b1}));
    end else begin : g_short
      reg [WIDTH-1:0] below, below_first;  // a request at a lower number
      integer i;
      always @* begin
        below = {WIDTH{1'b0}};
        below_first = {WIDTH{1'b0}};
        for (i = 1; i < WIDTH; i = i + 1) begin
          below[i] = below[i-1] || req_i[i-1];
          below_first[i] = below_first[i-1] || first[i-1];
        end
      end
      assign pick_o = |first ? first & ~below_first : req_i & ~below;
      assign above_o = any_o ? (|first ? below_first : below) : {WIDTH{1'b1}};
    end
  endgenerate
endmodule

`default_nettype wire
