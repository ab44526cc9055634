// SPDX-License-Identifier: Apache-2.0
// status_tree_fan: the commands of CONNS command connections, each to its UNITS units, through STAGES - 1 rows of
// registers; the last one of STAGES is the unit's own. Rows grow towards the units as those of status_tree_branch shrink
// towards the front end, so a register drives at most as many as a node there joins. Registers of a connection in a row
// are equal, and are kept apart: that is what they are for. Synchronous reset: no command.
`default_nettype none

module status_tree_fan #(
  parameter STAGES = 3,
  parameter CONNS = 1,
  parameter UNITS = 4
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [CONNS-1:0] command_i,
  output wire [CONNS*UNITS-1:0] command_o
);
  localparam LEVELS = ($clog2(UNITS) + 1) / 2;

  genvar s, n;
  generate
    for (s = 0; s <= STAGES; s = s + 1) begin : g_row  // from the units, row 0, to the front end, row STAGES
      // Units below a register of this row; registers of a connection. ABOVE: registers in the next row to the front end.
      localparam integer SPAN = 1 << (2 * ((LEVELS * s + STAGES - 1) / STAGES));
      localparam integer COPIES = (UNITS + SPAN - 1) / SPAN;
      wire [CONNS*COPIES-1:0] command;
      if (s == STAGES) begin : g_root
        assign command = command_i;
      end else begin : g_copies
        localparam integer ABOVE_SPAN = 1 << (2 * ((LEVELS * (s + 1) + STAGES - 1) / STAGES));
        localparam integer ABOVE = (UNITS + ABOVE_SPAN - 1) / ABOVE_SPAN;
        localparam integer EACH = ABOVE_SPAN / SPAN;
        wire [CONNS*COPIES-1:0] spread;
        if (EACH == 1) begin : g_delay
          assign spread = g_row[s+1].command;
        end else begin : g_spread
          for (n = 0; n < CONNS * ABOVE; n = n + 1) begin : g_above
            localparam integer COUNT = (n % ABOVE == ABOVE - 1) ? COPIES - (ABOVE - 1) * EACH : EACH;
            assign spread[(n/ABOVE)*COPIES + (n%ABOVE)*EACH +: COUNT] = {COUNT{g_row[s+1].command[n]}};
          end
        end
        if (s == 0) begin : g_units
          assign command = spread;
        end else begin : g_registers
          (* keep = "true" *) reg [CONNS*COPIES-1:0] command_q;
          (* keep *) always @(posedge clk_i) command_q <= rst_i ? {CONNS*COPIES{1'b0}} : spread;
          assign command = command_q;
        end
      end
    end
  endgenerate
  assign command_o = g_row[0].command;
endmodule

`default_nettype wire
