// SPDX-License-Identifier: Apache-2.0
// status_tree_branch: the reports of CONNS connections of MEMBERS units each: from a connection's units, its
// leaves, to one report, its root, through STAGES rows of registers. The LEVELS levels of four that it takes
// to join them all are spread over the rows, the earlier rows first: a row of one level is one 4-input LUT
// deep, a row of two levels two.
`default_nettype none

module status_tree_branch #(
  parameter STAGES = 3,   // rows of registers, 2..8
  parameter STATE_W = 5,  // bits of a unit's state, 3..5
  parameter EMPTY = 1,    // code of the state after reset
  parameter CONNS = 1,    // connections, 1..1024
  parameter MEMBERS = 4   // units of a connection, 1..1024
) (
  input  wire clk_i,                                // clock; every port is synchronous to its rising edge
  input  wire rst_i,                                // synchronous reset, active high
  input  wire [CONNS*MEMBERS*STATE_W-1:0] state_i,  // state of each unit, connection after connection
  input  wire [4*CONNS*MEMBERS-1:0] flags_i,        // a vector per flag
  // State of each connection, a register; no code word when its units differ.
  output wire [CONNS*STATE_W-1:0] state_o,
  output wire [4*CONNS-1:0] flags_o  // a vector per flag, a bit for each connection; a register
);
  localparam LEVELS = ($clog2(MEMBERS) + 1) / 2;

  genvar s;
  generate
    for (s = 0; s <= STAGES; s = s + 1) begin : g_row
      // Leaves below a node of this row; nodes of a connection. Row 0 are the leaves. BELOW: leaves, of the
      // row before.
      localparam integer SPAN = 1 << (2 * ((LEVELS * s + STAGES - 1) / STAGES));
      localparam integer NODES = (MEMBERS + SPAN - 1) / SPAN;
      wire [CONNS*NODES*STATE_W-1:0] state;
      wire [4*CONNS*NODES-1:0] flags;
      if (s == 0) begin : g_leaves
        assign state = state_i;
        assign flags = flags_i;
      end else begin : g_stage
        localparam integer BELOW = 1 << (2 * ((LEVELS * (s - 1) + STAGES - 1) / STAGES));
        status_tree_row #(
          .STATE_W(STATE_W),
          .EMPTY(EMPTY),
          .CONNS(CONNS),
          .NODES((MEMBERS + BELOW - 1) / BELOW),
          .ARITY(SPAN / BELOW)
        ) u_row (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .state_i(g_row[s-1].state),
          .flags_i(g_row[s-1].flags),
          .state_o(state),
          .flags_o(flags)
        );
      end
    end
  endgenerate
  assign state_o = g_row[STAGES].state;
  assign flags_o = g_row[STAGES].flags;
endmodule

`default_nettype wire
