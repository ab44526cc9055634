// SPDX-License-Identifier: Apache-2.0
// priority_encoder: number of the lowest bit that is 1. Combinational, a tree of depth log2(WIDTH); no state.
// index_o means nothing while valid_o is 0.
`default_nettype none

module priority_encoder #(
  parameter WIDTH = 8    // bits, 1..256
) (
  input  wire [WIDTH-1:0] bits_i,                              // the bits to look at
  output wire valid_o,                                         // some bit is 1
  output wire [((WIDTH > 1) ? $clog2(WIDTH) : 1)-1:0] index_o  // number of the lowest 1; valid with valid_o
);
  localparam LEVELS = (WIDTH > 1) ? $clog2(WIDTH) : 1;
  localparam LEAVES = 1 << LEVELS;

  generate
    if (WIDTH < 1 || WIDTH > 256) begin : g_width_range
      width_out_of_range check ();
    end
  endgenerate

  // Node n has the children 2n and 2n + 1; the leaves begin at LEAVES, the root is 1.
  reg [2*LEAVES-1:0] some;
  reg [2*LEAVES*LEVELS-1:0] index;
  integer level, n;
  always @* begin
    some = {2*LEAVES{1'b0}};
    some[LEAVES+:WIDTH] = bits_i;
    index = {2*LEAVES*LEVELS{1'b0}};
    for (level = 0; level < LEVELS; level = level + 1)  // of the bit of the number that these nodes decide
      for (n = LEAVES >> (level + 1); n < LEAVES >> level; n = n + 1) begin
        some[n] = some[2*n] || some[2*n+1];
        index[n*LEVELS+:LEVELS] = some[2*n] ? index[2*n*LEVELS+:LEVELS] : index[(2*n+1)*LEVELS+:LEVELS];
        index[n*LEVELS+level] = !some[2*n];
      end
  end

  assign valid_o = some[1];
  assign index_o = index[LEVELS+:LEVELS];
endmodule

`default_nettype wire
