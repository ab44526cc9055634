// SPDX-License-Identifier: Apache-2.0
// status_fsm_blackbox: what must hold of unit_status_fsm for any unit. The signals are free; the one thing
// that is asked of the unit is its contract about memory: no access is pending when it can halt, and none
// begins in a cycle in which it is frozen. Each output is one property; 1 says that it is broken.
`default_nettype none

module status_fsm_blackbox #(
  parameter ENCODING = 0
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire free_cmd_halt_i,
  input  wire free_cmd_reset_i,
  input  wire free_cmd_resume_i,
  output wire cmd_halt_i,
  output wire cmd_reset_i,
  output wire cmd_resume_i,
  input  wire [((ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3)-1:0] state_o,
  input  wire progress_o,
  input  wire waiting_o,
  input  wire gather_o,
  input  wire nack_o,

  input  wire [13:0] free_signals_i,
  output wire [13:0] signals_i,
  input  wire halt_req_o,
  input  wire halted_o,
  input  wire ctx_reset_o,
  input  wire resume_o,

  output wire bad_one_state_o,  // the state is exactly one of the five
  output wire bad_table_o,      // the state follows from the last one by US-3
  output wire bad_halted_o,     // halted is never reported while an access is pending
  output wire bad_flags_o,      // halted_o, waiting and gather agree with the state
  output wire bad_resume_o,     // a resume reaches the unit in quiescent only, without halt request or reset
  output wire bad_command_o     // a command is a command to the unit one cycle later
);
  assign {cmd_halt_i, cmd_reset_i, cmd_resume_i} = {free_cmd_halt_i, free_cmd_reset_i, free_cmd_resume_i};

  localparam [4:0] EMPTY = 5'd1, ACTIVE = 5'd2, STALLED = 5'd4, QUIESCENT = 5'd8, HALTED = 5'd16;
  reg [4:0] state;
  always @*
    if (ENCODING == 0) state = state_o;
    else if (ENCODING == 1)
      case (state_o)
        4'b0011: state = EMPTY;
        4'b0101: state = ACTIVE;
        4'b0110: state = STALLED;
        4'b1001: state = QUIESCENT;
        4'b1010: state = HALTED;
        default: state = 5'd0;
      endcase
    else state = (state_o < 5) ? 5'd1 << state_o : 5'd0;

  // The unit's part: pending accesses are a register that begins only while the unit is not frozen.
  reg mem_q;
  wire in, out, proc, work, mem_done, nack, blocked, cannot, progress, gather, can_halt;
  wire [2:0] nack_port = free_signals_i[13:11];
  assign {gather, progress, cannot, blocked, nack, mem_done} = free_signals_i[10:5];
  assign {work, proc, out, in} = free_signals_i[3:0];
  assign can_halt = free_signals_i[11] && !mem_q;
  assign signals_i = {nack_port[2:1], can_halt, gather, progress, cannot, blocked, nack, mem_done, mem_q,
                      work, proc, out, in};
  wire frozen = halted_o || (halt_req_o && can_halt && !(state == EMPTY && in));
  always @(posedge clk_i) mem_q <= !rst_i && (mem_q ? !(mem_done || nack) : free_signals_i[4] && !frozen);

  // US-3 as sentences: where each state may go, given the cycle before.
  reg valid_q, halt_q, reset_q, resume_q, in_q, out_q, proc_q, work_q, pend_q, done_q, nack_q,
      blocked_q, cannot_q, can_q, gather_q, cmd_halt_q, cmd_reset_q, cmd_resume_q;
  reg [4:0] last_q;
  always @(posedge clk_i) begin
    valid_q <= !rst_i;
    last_q <= state;
    {halt_q, reset_q, resume_q} <= {halt_req_o, ctx_reset_o, resume_o};
    {in_q, out_q, proc_q, work_q, pend_q} <= {in, out, proc, work, work || mem_q};
    {done_q, nack_q, blocked_q, cannot_q, can_q, gather_q} <= {mem_done, nack, blocked, cannot,
        can_halt, gather};
    {cmd_halt_q, cmd_reset_q, cmd_resume_q} <= {cmd_halt_i, cmd_reset_i, cmd_resume_i};
  end
  wire stops = halt_q && can_q;
  wire idle = !in_q && !proc_q && !out_q;
  reg [4:0] want;
  always @*
    if (reset_q) want = EMPTY;
    else if (last_q == HALTED)
      want = halt_q ? HALTED : (in_q || out_q || (work_q && !cannot_q)) ? ACTIVE : work_q ? QUIESCENT : EMPTY;
    else if (last_q == EMPTY)
      want = (stops && !in_q) ? HALTED : (!idle || pend_q) ? ACTIVE : EMPTY;
    else if (stops) want = HALTED;
    else if (last_q == ACTIVE)
      want = nack_q ? QUIESCENT : (blocked_q && cannot_q) ? STALLED : !idle ? ACTIVE
             : pend_q ? QUIESCENT : EMPTY;
    else if (last_q == STALLED)
      want = (blocked_q && cannot_q) ? STALLED : ACTIVE;
    else
      want = (!idle || resume_q || done_q || !pend_q) ? ACTIVE : QUIESCENT;

  wire check = valid_q && !rst_i;
  assign bad_one_state_o = check && (state == 5'd0 || (state & (state - 5'd1)) != 5'd0);
  assign bad_table_o = check && state != want;
  assign bad_halted_o = check && halted_o && mem_q;
  assign bad_flags_o = check
                       && (halted_o != (state == HALTED)
                           || waiting_o != (state == STALLED || state == QUIESCENT) ||
                                 gather_o != (state == QUIESCENT && gather_q));
  assign bad_resume_o = check && resume_o
                        && (state != QUIESCENT || halt_req_o || ctx_reset_o || !cmd_resume_q);
  assign bad_command_o = check && (halt_req_o != cmd_halt_q || ctx_reset_o != cmd_reset_q);
  wire unused = &{1'b0, free_mark_i, progress_o, nack_o, nack_port[0]};
endmodule

`default_nettype wire
