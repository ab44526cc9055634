// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_fold: AND or OR of those inputs that MEMBERS names, through LEVELS registers, each behind
// one gate of four inputs. The result of a cycle's inputs comes LEVELS cycles later; 0 until then after
// reset. One per cycle.
`default_nettype none

module front_end_monitor_fold #(
  parameter INPUTS = 4,                            // bits that come in
  parameter LEVELS = 1,                            // 4^LEVELS is at least INPUTS
  parameter ALL = 1,                               // 1: AND, 0: OR
  parameter [INPUTS-1:0] MEMBERS = {INPUTS{1'b1}}  // a bit for each input: it counts
) (
  input  wire clk_i,              // clock; every port is synchronous to its rising edge
  input  wire rst_i,              // synchronous reset, active high
  input  wire [INPUTS-1:0] in_i,  // the inputs
  output wire out_o               // AND or OR of those that count, a register
);
  localparam ROOM = 1 << (2 * LEVELS);
  localparam [ROOM+INPUTS-1:0] USED = {{ROOM{1'b0}}, MEMBERS};
  localparam NEUTRAL = (ALL != 0);

  genvar l, n;
  generate
    for (l = 0; l <= LEVELS; l = l + 1) begin : g_level
      localparam SPAN = 1 << (2 * l);           // inputs below a node
      wire [ROOM/SPAN-1:0] node;
      wire unused_node = &{1'b0, node};
      for (n = 0; n < ROOM / SPAN; n = n + 1) begin : g_node
        if (!(|USED[n*SPAN+:SPAN])) begin : g_none
          assign node[n] = NEUTRAL;
        end else if (l == 0) begin : g_leaf
          assign node[n] = in_i[n];
        end else begin : g_gate
          wire [3:0] below = g_level[l-1].node[4*n+:4];
          reg node_q;
          always @(posedge clk_i) node_q <= !rst_i && ((ALL != 0) ? &below : |below);
          assign node[n] = node_q;
        end
      end
    end
  endgenerate
  assign out_o = g_level[LEVELS].node[0];
  wire unused = &{1'b0, clk_i, rst_i, in_i};
endmodule

`default_nettype wire
