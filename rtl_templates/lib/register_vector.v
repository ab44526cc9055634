// SPDX-License-Identifier: Apache-2.0
// register_vector: one bit of each of many things as registers, 32 to a word, the first in bit 0 of the word
// at AT, which is a multiple of the bytes of all the words, rounded up to a power of two. No clock.
`default_nettype none

module register_vector #(
  parameter BITS = 32,                        // 1..1,024
  parameter ADDR_W = 10,                      // bits of a byte address
  parameter [ADDR_W-1:0] AT = {ADDR_W{1'b0}}  // byte address of the first word
) (
  input  wire [ADDR_W-1:0] addr_i,  // byte address of the access
  input  wire [BITS-1:0] bits_i,    // the bits, the first one lowest
  output wire hit_o,                // one of the words is named
  output wire [31:0] word_o         // it; means nothing without hit_o
);
  localparam WORDS = (BITS + 31) / 32;
  localparam INDEX_W = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam ABOVE = (WORDS > 1) ? 2 + $clog2(WORDS) : 2;  // address bits that are those of AT
  localparam [31:0] ALL_WORDS = WORDS;
  localparam [INDEX_W:0] END = ALL_WORDS[INDEX_W:0];
  wire [32*(1<<INDEX_W)+BITS-1:0] padded = {{32*(1<<INDEX_W){1'b0}}, bits_i};
  wire unused = &{1'b0, padded};
  wire [INDEX_W-1:0] index = (WORDS > 1) ? addr_i[2+:INDEX_W] : {INDEX_W{1'b0}};
  assign hit_o = addr_i[ADDR_W-1:ABOVE] == AT[ADDR_W-1:ABOVE] && addr_i[1:0] == 2'd0 && {1'b0, index} < END;
  assign word_o = padded[32*index+:32];
endmodule

`default_nettype wire
