// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_pick: one of INPUTS words, through LEVELS registers, each behind a choice of one of four.
// A choice per cycle; out_o is the word that index_i named LEVELS cycles before, as it was then. No reset:
// the user knows when.
`default_nettype none

module front_end_monitor_pick #(
  parameter INPUTS = 4,  // words to choose from
  parameter WIDTH = 1,   // bits of a word
  parameter LEVELS = 1   // 4^LEVELS is at least INPUTS
) (
  input  wire clk_i,                    // clock; every port is synchronous to its rising edge
  input  wire [2*LEVELS+1:0] index_i,   // its two highest bits are 0
  input  wire [INPUTS*WIDTH-1:0] in_i,  // the words, number 0 lowest
  output wire [WIDTH-1:0] out_o         // the word chosen, a register
);
  genvar l, n;
  generate
    for (l = 0; l <= LEVELS; l = l + 1) begin : g_level
      localparam WORDS = (INPUTS + (1 << (2 * l)) - 1) >> (2 * l);
      localparam REST = 2 * (LEVELS - l) + 2;   // bits of the index that are left, and two zeros
      wire [WORDS*WIDTH-1:0] word;
      wire [REST-1:0] index;
      if (l == 0) begin : g_in
        assign word = in_i;
        assign index = index_i;
      end else begin : g_choice
        wire [1:0] low = g_level[l-1].index[1:0];
        reg [REST-1:0] index_q;
        always @(posedge clk_i) index_q <= g_level[l-1].index[REST+1:2];
        assign index = index_q;
        for (n = 0; n < WORDS; n = n + 1) begin : g_word
          localparam LAST = (INPUTS + (1 << (2 * l - 2)) - 1) >> (2 * l - 2);
          localparam HAVE = (LAST - 4 * n < 4) ? LAST - 4 * n : 4;
          wire [(4+HAVE)*WIDTH-1:0] four = {{4*WIDTH{1'b0}}, g_level[l-1].word[4*n*WIDTH+:HAVE*WIDTH]};
          reg [WIDTH-1:0] word_q;
          always @(posedge clk_i) word_q <= four[{1'b0, low}*WIDTH+:WIDTH];
          assign word[n*WIDTH+:WIDTH] = word_q;
        end
      end
    end
  endgenerate
  assign out_o = g_level[LEVELS].word;
  wire unused = &{1'b0, clk_i, g_level[LEVELS].index};
endmodule

`default_nettype wire
