// SPDX-License-Identifier: Apache-2.0
// status_tree_fan: the commands of CONNS command connections, each to its UNITS units, through STAGES - 1
// rows of registers; the last one of STAGES is the unit's own. Rows grow towards the units as those of
// status_tree_branch shrink towards the front end, so a register drives at most as many as a node there
// joins. Registers of a connection in a row are equal, and are kept apart: that is what they are for.
// Synchronous reset: no command.
`default_nettype none

module status_tree_fan #(
  parameter STAGES = 3,  // registers to the unit, the unit's own included, 2..8
  parameter CONNS = 1,   // command connections
  parameter UNITS = 4    // units of each command connection
) (
  input  wire clk_i,                  // clock; every port is synchronous to its rising edge
  input  wire rst_i,                  // synchronous reset, active high
  input  wire [CONNS-1:0] command_i,  // a bit for each command connection, level or pulse
  // The command of STAGES - 1 cycles ago, a bit for each unit, connection after connection.
  output wire [CONNS*UNITS-1:0] command_o
);
  localparam LEVELS = ($clog2(UNITS) + 1) / 2;

  genvar s, n, c;
  generate
    for (s = 1; s <= STAGES; s = s + 1) begin : g_row  // from the units to the front end, which is row STAGES
      // Units below a register of this row; registers of a connection, the first of each side by side, then
      // the second.
      localparam integer SPAN = 1 << (2 * ((LEVELS * s + STAGES - 1) / STAGES));
      localparam integer ABOVE = 1 << (2 * ((LEVELS * (s + 1) + STAGES - 1) / STAGES));
      localparam integer COPIES = (UNITS + SPAN - 1) / SPAN;
      wire [CONNS*COPIES-1:0] command;
      if (s == STAGES) begin : g_root
        assign command = command_i;
      end else begin : g_registers
        for (n = 0; n < COPIES; n = n + 1) begin : g_copy
          (* keep = "true" *) reg [CONNS-1:0] command_q;
          // A copy that is 1 while its neighbour, with the same source, is 0 was upset, and is 0 in the next
          // cycle. Without this all copies have one data input, for which synthesis makes one LUT, a second
          // way across the device.
          localparam integer SOURCE = n * SPAN / ABOVE;
          localparam integer NEXT = (n + 1 < COPIES && (n + 1) * SPAN / ABOVE == SOURCE) ? n + 1
                                    : SOURCE * ABOVE / SPAN;
          wire [CONNS-1:0] upset = (NEXT == n) ? {CONNS{1'b0}}
                                   : command_q & ~g_row[s].command[NEXT*CONNS +: CONNS];
          (* keep *) always @(posedge clk_i)
            command_q <= rst_i ? {CONNS{1'b0}} : g_row[s+1].command[SOURCE*CONNS +: CONNS] & ~upset;
          assign command[n*CONNS +: CONNS] = command_q;
        end
      end
    end
    if (UNITS == 1) begin : g_one
      assign command_o = g_row[1].command;
    end else begin : g_units
      for (n = 0; n < UNITS; n = n + 1) begin : g_unit
        localparam integer DRIVER = n / (1 << (2 * ((LEVELS + STAGES - 1) / STAGES)));
        for (c = 0; c < CONNS; c = c + 1) begin : g_conn
          assign command_o[c*UNITS + n] = g_row[1].command[DRIVER*CONNS + c];
        end
      end
    end
  endgenerate
endmodule

`default_nettype wire
