// SPDX-License-Identifier: Apache-2.0
// selftest_lfsr: 128 bits that look random, 32 of them new in each cycle.
// The sequence x^128 + x^126 + x^101 + x^99 + 1, 32 steps at once; bit 0 is the youngest. rst_i puts it at
// its seed.
`default_nettype none

module selftest_lfsr (
  input  wire clk_i,
  input  wire rst_i,
  output reg  [127:0] bits_o
);
  localparam [127:0] SEED = 128'h9e3779b97f4a7c15f39cc0605cedc834;

  wire [31:0] young;
  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_young
      assign young[31-i] = bits_o[127-i] ^ bits_o[125-i] ^ bits_o[100-i] ^ bits_o[98-i];
    end
  endgenerate

  always @(posedge clk_i) bits_o <= rst_i ? SEED : {bits_o[95:0], young};
endmodule

`default_nettype wire
