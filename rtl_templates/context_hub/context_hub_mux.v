// SPDX-License-Identifier: Apache-2.0
// context_hub_mux: what the selected unit says, of UNITS units, behind STAGES registers: pairs first, then by
// fours; one LUT of four inputs and a register per bit and stage. Nothing selected: all 0. Reset: nothing on
// its way.
`default_nettype none

module context_hub_mux #(
  parameter UNITS = 4,  // units to select from
  parameter STAGES = 2  // 1 + ceil(log4(ceil(UNITS / 2)))
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [UNITS-1:0] sel_i,    // at most one
  input  wire [UNITS-1:0] valid_i,  // of the selected one: a word is taken in this cycle
  // What the units say in this cycle, a bit or slice for each: the word is the last one, the word, a command
  // has ended, and with what error. Of the selected unit only.
  input  wire [UNITS-1:0] last_i,
  input  wire [32*UNITS-1:0] data_i,
  input  wire [UNITS-1:0] done_i,
  input  wire [3*UNITS-1:0] error_i,

  // The same of the selected unit, STAGES cycles later; all are registers.
  output wire valid_o,
  output wire last_o,
  output wire [31:0] data_o,
  output wire done_o,
  output wire [2:0] error_o
);
  localparam W = 38;

  // Nodes behind stage s, and all of the stages before it; evaluated at elaboration only.
  // verilator coverage_off
  function integer nodes(input integer s);
    integer k;
    begin
      nodes = (UNITS + 1) / 2;
      for (k = 1; k < s; k = k + 1) nodes = (nodes + 3) / 4;
    end
  endfunction
  function integer earlier(input integer s);
    integer k;
    begin
      earlier = 0;
      for (k = 1; k < s; k = k + 1) earlier = earlier + nodes(k);
    end
  endfunction
  // verilator coverage_on
  localparam ALL = earlier(STAGES + 1), PAIRS = nodes(1);

  reg [W*ALL-1:0] node_q;
  genvar s, n, i;
  generate
    for (n = 0; n < PAIRS; n = n + 1) begin : g_pair
      wire [2*W-1:0] from;
      for (i = 0; i < 2; i = i + 1) begin : g_unit
        if (2 * n + i < UNITS) begin : g_one
          localparam U = 2 * n + i;
          assign from[W*i+:W] = {valid_i[U], done_i[U], error_i[3*U+:3], last_i[U],
                                 data_i[32*U+:32]} & {W{sel_i[U]}};
        end else begin : g_none
          assign from[W*i+:W] = {W{1'b0}};
        end
      end
      always @(posedge clk_i) node_q[W*n+:W] <= (from[0+:W] | from[W+:W]) & {{2{!rst_i}}, {W-2{1'b1}}};
    end
    for (s = 2; s <= STAGES; s = s + 1) begin : g_stage
      localparam HERE = nodes(s), BELOW = nodes(s - 1), AT = earlier(s), FROM = earlier(s - 1);
      for (n = 0; n < HERE; n = n + 1) begin : g_node
        wire [4*W-1:0] from;
        for (i = 0; i < 4; i = i + 1) begin : g_from
          if (4 * n + i < BELOW) begin : g_one
            assign from[W*i+:W] = node_q[W*(FROM+4*n+i)+:W];
          end else begin : g_none
            assign from[W*i+:W] = {W{1'b0}};
          end
        end
        always @(posedge clk_i)
          node_q[W*(AT+n)+:W] <= (from[0+:W] | from[W+:W] | from[2*W+:W] | from[3*W+:W])
                                        & {{2{!rst_i}}, {W-2{1'b1}}};
      end
    end
  endgenerate
  assign {valid_o, done_o, error_o, last_o, data_o} = node_q[W*(ALL-1)+:W];
endmodule

`default_nettype wire
