// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_table: a constant table of the topology, 11 bits an entry, as logic. Without delay.
`default_nettype none

module front_end_monitor_table #(
  parameter ENTRIES = 4,                // entries of the table
  parameter INDEX_W = 2,                // bits of the index
  parameter WIDTH = 11,                 // low bits of an entry that are wanted
  parameter [11*ENTRIES-1:0] TABLE = 0  // the entries, number 0 lowest
) (
  input  wire [INDEX_W-1:0] index_i,  // number of the entry
  output wire [WIDTH-1:0] value_o     // its low bits
);
  // Bit by bit of the parameter: of one wide word with zeros above it Verilator 5.006 writes too many, behind
  // the word's end (VL_CONSTHI_W_7X, with -O0).
  genvar b, e;
  generate
    for (b = 0; b < WIDTH; b = b + 1) begin : g_bit
      wire [(1<<INDEX_W)-1:0] column;
      for (e = 0; e < (1 << INDEX_W); e = e + 1) begin : g_entry
        if (e < ENTRIES) begin : g_of_table
          assign column[e] = TABLE[11*e+b];
        end else begin : g_none
          assign column[e] = 1'b0;
        end
      end
      assign value_o[b] = column[index_i];
    end
  endgenerate
endmodule

`default_nettype wire
