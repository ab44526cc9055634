// SPDX-License-Identifier: Apache-2.0
// register_map: which of N registers an address names, and the word of it. No clock. An address that no
// register has hits none; a register that cannot be read gives no word.
`default_nettype none

module register_map #(
  parameter N = 1,                                      // registers, 1 or more
  parameter ADDR_W = 10,                                // bits of a byte address
  parameter [N*ADDR_W-1:0] ADDRESS = {N*ADDR_W{1'b0}},  // byte address of each; register 0 in the lowest bits
  parameter [N-1:0] READABLE = {N{1'b1}}                // those that exist and can be read
) (
  input  wire [ADDR_W-1:0] addr_i,  // byte address of the access
  input  wire [32*N-1:0] words_i,   // what each holds
  output wire [N-1:0] hit_o,        // a bit for each register: the address names it
  output wire readable_o,           // one is hit that can be read
  output reg  [31:0] word_o         // it; 0 when there is none
);
  genvar r;
  generate
    for (r = 0; r < N; r = r + 1) begin : g_register
      assign hit_o[r] = addr_i == ADDRESS[ADDR_W*r+:ADDR_W];
    end
  endgenerate
  wire [N-1:0] read = hit_o & READABLE;
  assign readable_o = |read;
  integer i;
  always @* begin
    word_o = 32'd0;
    for (i = 0; i < N; i = i + 1) word_o = word_o | (words_i[32*i+:32] & {32{read[i]}});
  end
endmodule

`default_nettype wire
