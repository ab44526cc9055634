// SPDX-License-Identifier: Apache-2.0
// status_tree_core: carries what units report to a front end and its commands back to them, through
// registers.
//
// Reports: a connection is one unit, or a group of units with consecutive numbers rolled up into one report:
// state by AND, flags by OR. A report is at the front end STAGES cycles after it was at its unit, whatever
// the size of its group, so the reports of one cycle are those of one moment. Commands: STAGES - 1 cycles,
// and the last register is in the unit (unit_status_fsm), so all units obey in one cycle. No handshakes:
// everything moves in every cycle. Every output is a register. Synchronous reset: all units are reported
// empty, without flags, and no command is given.
`default_nettype none

module status_tree_core #(
  // Registers from a unit to the front end and back, the one in the unit included, 2..8.
  parameter STAGES = 3,
  parameter COMMANDS = 0,    // command connections: 0 one for all, 1 one per connection, 2 one per unit
  parameter ENCODING = 0,    // code of a unit's state: 0 one_hot, 1 two_of_four, 2 binary
  parameter UNIT_COUNT = 4,  // units under the front end, 1..1024
  parameter CONN_COUNT = 4,  // connections of reports, 1..UNIT_COUNT
  // Number of the first unit of each connection, the last entry UNIT_COUNT; 11 bits each, connection 0
  // lowest.
  parameter [11*(CONN_COUNT+1)-1:0] CONN_FIRST = {11'd4, 11'd3, 11'd2, 11'd1, 11'd0}
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  output wire [UNIT_COUNT-1:0] unit_halt_o,    // halt, a level; a bit per unit, to its cmd_halt_i
  output wire [UNIT_COUNT-1:0] unit_reset_o,   // reset, a pulse, to cmd_reset_i
  output wire [UNIT_COUNT-1:0] unit_resume_o,  // resume, a pulse, to cmd_resume_i
  // State of each unit, its state_o; unit 0 in the low bits.
  input  wire [UNIT_COUNT*(5-ENCODING)-1:0] unit_state_i,
  input  wire [UNIT_COUNT-1:0] unit_progress_i,  // progress_o of each unit
  input  wire [UNIT_COUNT-1:0] unit_waiting_i,   // waiting_o of each unit
  input  wire [UNIT_COUNT-1:0] unit_gather_i,    // gather_o of each unit
  input  wire [UNIT_COUNT-1:0] unit_nack_i,      // nack_o of each unit

  // Halt, a level, per command connection.
  input  wire [((COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT)-1:0] mon_halt_i,
  // Reset, a pulse.
  input  wire [((COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT)-1:0] mon_reset_i,
  // Resume, a pulse.
  input  wire [((COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT)-1:0] mon_resume_i,
  // State of each connection: AND of its units; no code word: mixed.
  output wire [CONN_COUNT*(5-ENCODING)-1:0] conn_state_o,
  output wire [CONN_COUNT-1:0] conn_progress_o,  // progress in some unit of the connection
  output wire [CONN_COUNT-1:0] conn_waiting_o,   // some unit of it waits
  output wire [CONN_COUNT-1:0] conn_gather_o,    // some unit of it waits for input
  output wire [CONN_COUNT-1:0] conn_nack_o       // some unit of it had a memory access refused
);
  localparam STATE_W = 5 - ENCODING;
  localparam COMMAND_COUNT = (COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT;

  // Of constants alone: it runs at elaboration, never later.
  // verilator coverage_off
  function integer run(input integer at);
    integer k;
    begin
      run = 1;
      for (k = at + 1; k < CONN_COUNT && k == at + run; k = k + 1)
        if (CONN_FIRST[11*(k+1) +: 11] - CONN_FIRST[11*k +: 11] == CONN_FIRST[11*(at+1) +: 11]
            - CONN_FIRST[11*at +: 11])
          run = run + 1;
    end
  endfunction
  // verilator coverage_on

  genvar c;
  generate
    if (STAGES < 2 || STAGES > 8) begin : g_stages_range
      stages_out_of_range check ();
    end
    if (COMMANDS < 0 || COMMANDS > 2) begin : g_commands_range
      commands_out_of_range check ();
    end
    if (ENCODING < 0 || ENCODING > 2) begin : g_encoding_range
      encoding_out_of_range check ();
    end
    if (UNIT_COUNT < 1 || UNIT_COUNT > 1024) begin : g_unit_count_range
      unit_count_out_of_range check ();
    end
    if (CONN_COUNT < 1 || CONN_COUNT > UNIT_COUNT) begin : g_conn_count_range
      conn_count_out_of_range check ();
    end
    if (CONN_FIRST[10:0] != 0
        || {21'd0, CONN_FIRST[11*CONN_COUNT +: 11]} != UNIT_COUNT) begin : g_conn_first_ends
      conn_first_not_from_0_to_unit_count check ();
    end

    // Connections of equal size that follow each other share a branch: RUN of them, found at the first of
    // them.
    for (c = 0; c < CONN_COUNT; c = c + 1) begin : g_conn
      localparam integer FIRST = {21'd0, CONN_FIRST[11*c +: 11]};
      localparam integer MEMBERS = {21'd0, CONN_FIRST[11*(c+1) +: 11]} - FIRST;
      localparam integer BEFORE = (c == 0) ? 0 : FIRST - {21'd0, CONN_FIRST[11*((c == 0) ? 0 : c-1) +: 11]};
      if (MEMBERS < 1) begin : g_order
        conn_first_not_rising check ();
      end
      if (ENCODING == 2 && MEMBERS > 1) begin : g_binary
        binary_in_a_group check ();
      end
      if (MEMBERS != BEFORE && MEMBERS > 0) begin : g_run
        localparam integer RUN = run(c);
        localparam integer LEAVES = RUN * MEMBERS;
        status_tree_branch #(
          .STAGES(STAGES),
          .STATE_W(STATE_W),
          .EMPTY((ENCODING == 0) ? 1 : (ENCODING == 1) ? 3 : 0),
          .CONNS(RUN),
          .MEMBERS(MEMBERS)
        ) u_branch (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .state_i(unit_state_i[FIRST*STATE_W +: LEAVES*STATE_W]),
          .flags_i({unit_progress_i[FIRST +: LEAVES], unit_waiting_i[FIRST +: LEAVES],
                    unit_gather_i[FIRST +: LEAVES], unit_nack_i[FIRST +: LEAVES]}),
          .state_o(conn_state_o[c*STATE_W +: RUN*STATE_W]),
          .flags_o({conn_progress_o[c +: RUN], conn_waiting_o[c +: RUN], conn_gather_o[c +: RUN],
                    conn_nack_o[c +: RUN]})
        );
        if (COMMANDS == 1) begin : g_fans
          status_tree_fan #(.STAGES(STAGES), .CONNS(RUN), .UNITS(MEMBERS)) u_halt (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .command_i(mon_halt_i[c +: RUN]),
            .command_o(unit_halt_o[FIRST +: LEAVES])
          );
          status_tree_fan #(.STAGES(STAGES), .CONNS(RUN), .UNITS(MEMBERS)) u_reset (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .command_i(mon_reset_i[c +: RUN]),
            .command_o(unit_reset_o[FIRST +: LEAVES])
          );
          status_tree_fan #(.STAGES(STAGES), .CONNS(RUN), .UNITS(MEMBERS)) u_resume (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .command_i(mon_resume_i[c +: RUN]),
            .command_o(unit_resume_o[FIRST +: LEAVES])
          );
        end
      end
    end

    if (COMMANDS != 1) begin : g_fans
      status_tree_fan #(.STAGES(STAGES), .CONNS(COMMAND_COUNT), .UNITS(UNIT_COUNT / COMMAND_COUNT)) u_halt (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .command_i(mon_halt_i),
        .command_o(unit_halt_o)
      );
      status_tree_fan #(.STAGES(STAGES), .CONNS(COMMAND_COUNT), .UNITS(UNIT_COUNT / COMMAND_COUNT)) u_reset (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .command_i(mon_reset_i),
        .command_o(unit_reset_o)
      );
      status_tree_fan #(.STAGES(STAGES), .CONNS(COMMAND_COUNT), .UNITS(UNIT_COUNT / COMMAND_COUNT)) u_resume (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .command_i(mon_resume_i),
        .command_o(unit_resume_o)
      );
    end
  endgenerate
endmodule

`default_nettype wire
