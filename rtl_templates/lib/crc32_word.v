// SPDX-License-Identifier: Apache-2.0
// crc32_word: CRC-32 (IEEE 802.3, reflected) of one 32-bit word, lowest byte first. Combinational.
// crc_o is the register's value after the word, from crc_i before it. A stream begins with all ones; its
// checksum is the complement, so that zlib's crc32() of the words in little-endian bytes gives the same.
// After the checksum itself the register holds 32'hdebb20e3.
`default_nettype none

module crc32_word (
  input  wire [31:0] crc_i,   // the register before the word; all ones at the beginning
  input  wire [31:0] word_i,  // the word
  output wire [31:0] crc_o    // the register after it
);
  wire [31:0] mixed = crc_i ^ word_i;

  // The bits of `mixed` that reach bit n. The last bit in is divided once, each before it once more.
  // Evaluated at elaboration only, 32 steps a call: Yosys 0.23 takes 2 ms for one.
  // verilator coverage_off
  function [31:0] column(input [4:0] n);
    integer from;
    reg [31:0] value;
    begin
      value = 32'hedb88320;
      for (from = 31; from >= 0; from = from - 1) begin
        column[from] = value[n];
        value = (value >> 1) ^ (value[0] ? 32'hedb88320 : 32'd0);
      end
    end
  endfunction
  // verilator coverage_on

  genvar b;
  generate
    for (b = 0; b < 32; b = b + 1) begin : g_bit
      localparam [31:0] MASK = column(b[4:0]);
      assign crc_o[b] = ^(mixed & MASK);
    end
  endgenerate
endmodule

`default_nettype wire
