// SPDX-License-Identifier: Apache-2.0
// status_tree_row: one row of registers on the way up, of CONNS connections: NODES reports of each come in,
// and every ARITY of them, neighbours, are joined into one: the state by AND, so that states that differ give
// no code word; each flag by OR. An ARITY of 1 only delays. Synchronous reset: every report is EMPTY without
// flags.
`default_nettype none

module status_tree_row #(
  parameter STATE_W = 5,  // bits of a state, 3..5
  parameter EMPTY = 1,    // code of the state after reset
  parameter CONNS = 1,    // connections
  parameter NODES = 4,    // reports of a connection that come in
  parameter ARITY = 4     // reports that are joined into one, 1 or more
) (
  input  wire clk_i,                              // clock; every port is synchronous to its rising edge
  input  wire rst_i,                              // synchronous reset, active high
  input  wire [CONNS*NODES*STATE_W-1:0] state_i,  // connection after connection
  input  wire [4*CONNS*NODES-1:0] flags_i,        // a vector per flag
  // Joined states of each connection, connection after connection; a register.
  output reg  [CONNS*((NODES+ARITY-1)/ARITY)*STATE_W-1:0] state_o,
  output reg  [4*CONNS*((NODES+ARITY-1)/ARITY)-1:0] flags_o  // a vector per flag; a register
);
  localparam JOINED = (NODES + ARITY - 1) / ARITY;
  localparam WIDTH = CONNS * JOINED;

  wire [WIDTH*STATE_W-1:0] state;
  wire [4*WIDTH-1:0] flags;
  genvar n, f;
  generate
    if (ARITY == 1) begin : g_delay
      assign state = state_i;
      assign flags = flags_i;
    end else begin : g_join
      for (n = 0; n < WIDTH; n = n + 1) begin : g_node
        localparam integer LOW = (n / JOINED) * NODES + (n % JOINED) * ARITY;
        localparam integer COUNT = (n % JOINED == JOINED - 1) ? NODES - (JOINED - 1) * ARITY : ARITY;
        reg [STATE_W-1:0] all;
        integer i;
        always @* begin
          all = {STATE_W{1'b1}};
          for (i = LOW; i < LOW + COUNT; i = i + 1) all = all & state_i[i*STATE_W +: STATE_W];
        end
        assign state[n*STATE_W +: STATE_W] = all;
        for (f = 0; f < 4; f = f + 1) begin : g_flag
          assign flags[f*WIDTH + n] = |flags_i[f*CONNS*NODES + LOW +: COUNT];
        end
      end
    end
  endgenerate

  always @(posedge clk_i) begin
    state_o <= rst_i ? {WIDTH{EMPTY[STATE_W-1:0]}} : state;
    flags_o <= rst_i ? {4*WIDTH{1'b0}} : flags;
  end
endmodule

`default_nettype wire
