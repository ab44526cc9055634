// SPDX-License-Identifier: Apache-2.0
// unit_status_fsm: the five-state status of one unit, beside the unit (docs/unit_status_cells.md).
// Every output is a register. A command of one cycle is a command to the unit in the next, where halt_req_o,
// ctx_reset_o and resume_o are the last register of the tree on the way down; the state that follows from the
// unit's signals of that cycle is reported in the cycle after. One state per cycle, always exactly one.
// Reset: empty, no command, nothing reported. Reset beats halt beats resume (US-7).
`default_nettype none

module unit_status_fsm #(
  parameter ENCODING = 0  // US-1: 0 one_hot, 1 two_of_four, 2 binary
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire cmd_halt_i,    // level
  input  wire cmd_reset_i,   // pulse
  input  wire cmd_resume_i,  // pulse
  // The state of this cycle: empty, active, stalled, quiescent or halted.
  output reg  [((ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3)-1:0] state_o,
  output reg  progress_o,  // something moved in the cycle that led to this state
  output reg  waiting_o,   // stalled or quiescent
  output reg  gather_o,    // quiescent for want of further input
  output reg  nack_o,      // an access was refused; sticky, part of the unit's context

  input  wire st_in_i,        // a word is offered that the unit, were it running, would take
  input  wire st_out_i,       // a word is delivered, or offered and not blocked
  input  wire st_proc_i,      // works on data in this cycle
  input  wire st_work_i,      // holds unfinished data
  input  wire st_mem_i,       // accesses unanswered, dropped ones included
  input  wire st_mem_done_i,  // an answer or a refusal came
  input  wire st_nack_i,      // a refusal came; implies st_mem_done_i; not for dropped answers
  input  wire st_blocked_i,   // has output, downstream is not ready
  input  wire st_cannot_i,    // cannot process anything now
  input  wire st_progress_i,  // any transfer, or st_proc_i
  input  wire st_gather_i,    // lacks further input; implies st_work_i and not st_mem_i
  input  wire can_halt_i,     // storable now; a function of registers
  input  wire nack_write_i,   // a register write or a load sets the sticky bit to nack_value_i
  input  wire nack_value_i,   // the new value, with nack_write_i

  output reg  halt_req_o,   // level
  output wire halted_o,     // state is halted
  output reg  ctx_reset_o,  // pulse: the unit clears its state
  output reg  resume_o      // pulse, in quiescent only
);
  generate
    if (ENCODING < 0 || ENCODING > 2) begin : g_encoding_range
      encoding_out_of_range check ();
    end
  endgenerate

  wire is_empty, is_active, is_stalled, is_quiescent, is_halted;

  // US-3, first match wins. to_X: the state of the next cycle unless there is a reset.
  wire halts = halt_req_o && (is_halted || (can_halt_i && !(is_empty && st_in_i)));
  wire moves = st_in_i || st_out_i;
  wire holds = st_work_i || st_mem_i;
  reg  to_active, to_stalled, to_quiescent;
  always @* begin
    to_active = 1'b0;
    to_stalled = 1'b0;
    to_quiescent = 1'b0;
    if (!halts) begin
      if (is_halted) begin
        to_active = moves || (st_work_i && !st_cannot_i);
        to_quiescent = !to_active && st_work_i;
      end
      if (is_empty) to_active = moves || st_proc_i || holds;
      if (is_active) begin
        to_stalled = !st_nack_i && st_blocked_i && st_cannot_i;
        to_quiescent = st_nack_i || (!to_stalled && !moves && !st_proc_i && holds);
        to_active = !to_stalled && !to_quiescent && (moves || st_proc_i);
      end
      if (is_stalled) begin
        to_stalled = st_blocked_i && st_cannot_i;
        to_active = !to_stalled;
      end
      if (is_quiescent) begin
        to_active = moves || st_proc_i || resume_o || st_mem_done_i || !holds;
        to_quiescent = !to_active;
      end
    end
  end
  wire clear = rst_i || ctx_reset_o;
  wire [4:1] next = clear ? 4'b0 : {halts, to_quiescent, to_stalled, to_active};  // none of them: empty

  generate
    if (ENCODING == 0) begin : g_one_hot
      assign {is_halted, is_quiescent, is_stalled, is_active, is_empty} = state_o;
      always @(posedge clk_i) state_o <= {next, ~|next};
      assign halted_o = state_o[4];
    end else if (ENCODING == 1) begin : g_two_of_four
      // The AND of two different code words is no code word.
      assign {is_empty, is_active, is_stalled} = {&state_o[1:0], state_o[2] && state_o[0], &state_o[2:1]};
      assign {is_quiescent, is_halted} = {state_o[3] && state_o[0], state_o[3] && state_o[1]};
      always @(posedge clk_i)
        state_o <= {next[3] || next[4], next[1] || next[2], !(next[1] || next[3]), !(next[2] || next[4])};
      reg halted_q;
      always @(posedge clk_i) halted_q <= next[4];
      assign halted_o = halted_q;
    end else begin : g_binary
      assign {is_halted, is_empty} = {state_o[2], state_o == 3'd0};
      assign {is_active, is_stalled, is_quiescent} = {state_o[1:0] == 2'd1, state_o[1:0] == 2'd2,
                                                      &state_o[1:0]};
      always @(posedge clk_i) state_o <= {next[4], next[2] || next[3], next[1] || next[3]};
      assign halted_o = state_o[2];
    end
  endgenerate

  always @(posedge clk_i) begin
    progress_o <= !rst_i && st_progress_i;
    waiting_o <= next[2] || next[3];
    gather_o <= next[3] && st_gather_i;
    halt_req_o <= !rst_i && cmd_halt_i;
    ctx_reset_o <= !rst_i && cmd_reset_i;
    resume_o <= next[3] && cmd_resume_i && !cmd_halt_i && !cmd_reset_i;
    if (clear) nack_o <= 1'b0;
    else if (st_nack_i || nack_write_i) nack_o <= st_nack_i || nack_value_i;
  end
endmodule

`default_nettype wire
