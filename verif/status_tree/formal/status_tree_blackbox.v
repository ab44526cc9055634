// SPDX-License-Identifier: Apache-2.0
// status_tree_blackbox: what must hold of a status_tree, seen from its ports alone. Units and front end do
// anything in any cycle. Everything that came in is kept as it was, for STAGES cycles, unit by unit; what
// goes out is compared with that. Each output is one property; 1 says that it is broken. The marked value is
// not needed here, the oldest cycle falls out of its vector, and numbers of connections are small.
/* verilator lint_off UNUSED */
`default_nettype none

module status_tree_blackbox #(
  parameter STAGES = 3,
  parameter COMMANDS = 0,
  parameter ENCODING = 0,
  parameter UNIT_COUNT = 4,
  parameter CONN_COUNT = 4,
  parameter [11*(CONN_COUNT+1)-1:0] CONN_FIRST = 0,
  parameter STATE_W = 5,
  parameter COMMAND_COUNT = 1
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire [UNIT_COUNT*STATE_W-1:0] free_unit_state_i,
  input  wire [UNIT_COUNT-1:0] free_unit_progress_i,
  input  wire [UNIT_COUNT-1:0] free_unit_waiting_i,
  input  wire [UNIT_COUNT-1:0] free_unit_gather_i,
  input  wire [UNIT_COUNT-1:0] free_unit_nack_i,
  input  wire [COMMAND_COUNT-1:0] free_mon_halt_i,
  input  wire [COMMAND_COUNT-1:0] free_mon_reset_i,
  input  wire [COMMAND_COUNT-1:0] free_mon_resume_i,
  output wire [UNIT_COUNT*STATE_W-1:0] unit_state_i,
  output wire [UNIT_COUNT-1:0] unit_progress_i,
  output wire [UNIT_COUNT-1:0] unit_waiting_i,
  output wire [UNIT_COUNT-1:0] unit_gather_i,
  output wire [UNIT_COUNT-1:0] unit_nack_i,
  output wire [COMMAND_COUNT-1:0] mon_halt_i,
  output wire [COMMAND_COUNT-1:0] mon_reset_i,
  output wire [COMMAND_COUNT-1:0] mon_resume_i,

  input  wire [UNIT_COUNT-1:0] unit_halt_o,
  input  wire [UNIT_COUNT-1:0] unit_reset_o,
  input  wire [UNIT_COUNT-1:0] unit_resume_o,
  input  wire [CONN_COUNT*STATE_W-1:0] conn_state_o,
  input  wire [CONN_COUNT-1:0] conn_progress_o,
  input  wire [CONN_COUNT-1:0] conn_waiting_o,
  input  wire [CONN_COUNT-1:0] conn_gather_o,
  input  wire [CONN_COUNT-1:0] conn_nack_o,

  output wire bad_state_o,    // a report is not the AND of its units' states STAGES cycles ago
  output wire bad_mixed_o,    // a report is a code word although two of its units were in different states
  output wire bad_flags_o,    // a flag is not the OR of its units' STAGES cycles ago
  // a unit gets another command than its connection was given STAGES - 1 cycles ago
  output wire bad_command_o,
  output wire bad_together_o, // two units of one command connection get different commands in a cycle
  output wire cover_mixed_o,  // a report is no code word
  output wire cover_halted_o  // all connections report halted
);
  localparam REPORT_W = UNIT_COUNT * (STATE_W + 4);

  localparam [24:0] WORDS = (ENCODING == 0) ? {5'd16, 5'd8, 5'd4, 5'd2, 5'd1} :
                            (ENCODING == 1) ? {5'd10, 5'd9, 5'd6, 5'd5, 5'd3}
                            : {5'd4, 5'd3, 5'd2, 5'd1, 5'd0};
  assign unit_state_i = free_unit_state_i;
  assign unit_progress_i = free_unit_progress_i;
  assign unit_waiting_i = free_unit_waiting_i;
  assign unit_gather_i = free_unit_gather_i;
  assign unit_nack_i = free_unit_nack_i;
  assign mon_halt_i = free_mon_halt_i;
  assign mon_reset_i = free_mon_reset_i;
  assign mon_resume_i = free_mon_resume_i;

  // The last STAGES cycles, the youngest in the low bits.
  reg [STAGES*REPORT_W-1:0] report_q;
  reg [(STAGES-1)*3*COMMAND_COUNT-1:0] command_q;
  wire [REPORT_W-1:0] empty = {{4*UNIT_COUNT{1'b0}}, {UNIT_COUNT{WORDS[0 +: STATE_W]}}};
  wire [STAGES*REPORT_W+REPORT_W-1:0] reports = {report_q, free_unit_progress_i, free_unit_waiting_i,
                                                 free_unit_gather_i, free_unit_nack_i, free_unit_state_i};
  wire [STAGES*3*COMMAND_COUNT-1:0] commands = {command_q, free_mon_halt_i, free_mon_reset_i,
                                                free_mon_resume_i};
  always @(posedge clk_i) begin
    report_q <= rst_i ? {STAGES{empty}} : reports[STAGES*REPORT_W-1:0];
    command_q <= rst_i ? {(STAGES-1)*3*COMMAND_COUNT{1'b0}} : commands[(STAGES-1)*3*COMMAND_COUNT-1:0];
  end
  wire [UNIT_COUNT-1:0] progress, waiting, gather, nack;
  wire [UNIT_COUNT*STATE_W-1:0] state;
  assign {progress, waiting, gather, nack, state} = report_q[STAGES*REPORT_W-1 -: REPORT_W];
  wire [COMMAND_COUNT-1:0] halt, reset, resume;
  assign {halt, reset, resume} = command_q[(STAGES-1)*3*COMMAND_COUNT-1 -: 3*COMMAND_COUNT];

  function is_word(input [STATE_W-1:0] code);
    integer w;
    begin
      is_word = 1'b0;
      for (w = 0; w < 5; w = w + 1) is_word = is_word || code == WORDS[5*w +: STATE_W];
    end
  endfunction

  reg bad_state, bad_mixed, bad_flags, bad_command, bad_together, mixed;
  reg [STATE_W-1:0] all, one;
  reg legal, differ;
  reg [3:0] some;
  integer c, u, first, last, k, other;
  always @* begin
    {bad_state, bad_mixed, bad_flags, bad_command, bad_together, mixed} = 6'd0;
    {other, k} = 64'd0;
    for (c = 0; c < CONN_COUNT; c = c + 1) begin
      first = {21'd0, CONN_FIRST[11*c +: 11]};
      last = {21'd0, CONN_FIRST[11*(c+1) +: 11]};
      all = {STATE_W{1'b1}};
      one = state[first*STATE_W +: STATE_W];
      {legal, differ, some} = 6'b100000;
      for (u = 0; u < UNIT_COUNT; u = u + 1)
        if (u >= first && u < last) begin
          all = all & state[u*STATE_W +: STATE_W];
          some = some | {progress[u], waiting[u], gather[u], nack[u]};
          legal = legal && is_word(state[u*STATE_W +: STATE_W]);
          differ = differ || state[u*STATE_W +: STATE_W] != one;
          k = (COMMANDS == 0) ? 0 : (COMMANDS == 1) ? c : u;
          bad_command = bad_command || {unit_halt_o[u], unit_reset_o[u], unit_resume_o[u]} != {halt[k],
              reset[k], resume[k]};
          if (u > 0 && (COMMANDS == 0 || (COMMANDS == 1 && u > first)))
            bad_together = bad_together || {unit_halt_o[u], unit_reset_o[u], unit_resume_o[u]} !=
                           {unit_halt_o[other], unit_reset_o[other], unit_resume_o[other]};
          other = u;
        end
      bad_state = bad_state || conn_state_o[c*STATE_W +: STATE_W] != all;
      bad_mixed = bad_mixed || (legal && is_word(conn_state_o[c*STATE_W +: STATE_W]) == differ);
      bad_flags = bad_flags || {conn_progress_o[c], conn_waiting_o[c], conn_gather_o[c],
                                conn_nack_o[c]} != some;
      mixed = mixed || (legal && differ);
    end
  end
  assign {bad_state_o, bad_mixed_o, bad_flags_o, bad_command_o, bad_together_o} =
         rst_i ? 5'd0 : {bad_state, bad_mixed, bad_flags, bad_command, bad_together};
  assign cover_mixed_o = mixed && !rst_i;
  assign cover_halted_o = !rst_i && conn_state_o == {CONN_COUNT{WORDS[20 +: STATE_W]}};
endmodule

`default_nettype wire
