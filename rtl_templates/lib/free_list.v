// SPDX-License-Identifier: Apache-2.0
// free_list: the free entries of a pool; one is given out and one comes back per cycle. out: a stream of free
// entries; valid never waits for ready, the entry offered holds still. free: an entry that comes back, taken
// always; it is offered again three cycles later at the earliest, the longest free first once all have been
// out. No entry may come back that is not out. No output depends on an input within a cycle. Reset: all are
// free, in the order 0, 1, ...
// C counterpart: struct simt_free_list (cmodel/core/cells.h).
`default_nettype none

module free_list #(
  parameter ENTRIES = 512  // 2..65536
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // A free entry is offered; it is given out in a cycle with valid and ready.
  output wire out_valid_o,
  input  wire out_ready_i,
  output wire [$clog2(ENTRIES)-1:0] out_entry_o,

  // An entry comes back; it is taken in every cycle with valid.
  input  wire free_valid_i,
  input  wire [$clog2(ENTRIES)-1:0] free_entry_i,

  output wire [$clog2(ENTRIES+1)-1:0] level_o  // free entries, in the cycle's beginning
);
  localparam EW = $clog2(ENTRIES);
  localparam LW = $clog2(ENTRIES+1);
  localparam [31:0] LAST_WIDE = ENTRIES - 1, ALL_WIDE = ENTRIES;

  generate
    if (ENTRIES < 2 || ENTRIES > 65536) begin : g_entries_range
      entries_out_of_range check ();
    end
  endgenerate

  // Entries that were never out follow from a count; those that came back wait in a FIFO.
  reg [EW-1:0] fresh_q;
  reg spent_q;           // all have been out
  wire back_valid, unused_ready;
  wire [EW-1:0] back;
  wire [LW-1:0] unused_level;
  fifo_ram #(.WIDTH(EW), .DEPTH(ENTRIES)) u_back (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(free_valid_i), .in_ready_o(unused_ready),
    .in_data_i(free_entry_i), .out_valid_o(back_valid),
    .out_ready_i(out_ready_i && spent_q), .out_data_o(back), .level_o(unused_level));

  reg [LW-1:0] level_q;
  wire take = out_valid_o && out_ready_i;
  always @(posedge clk_i)
    if (rst_i) begin
      fresh_q <= {EW{1'b0}};
      spent_q <= 1'b0;
      level_q <= ALL_WIDE[LW-1:0];
    end else begin
      if (take && !spent_q) begin
        fresh_q <= fresh_q + 1'b1;
        spent_q <= fresh_q == LAST_WIDE[EW-1:0];
      end
      if (take && !free_valid_i) level_q <= level_q - 1'b1;
      if (!take && free_valid_i) level_q <= level_q + 1'b1;
    end

  assign out_valid_o = !spent_q || back_valid;
  assign out_entry_o = spent_q ? back : fresh_q;
  assign level_o = level_q;
  wire unused = &{1'b0, unused_ready, unused_level};
endmodule

`default_nettype wire
