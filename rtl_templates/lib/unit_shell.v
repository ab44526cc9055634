// SPDX-License-Identifier: Apache-2.0
// unit_shell: what every block carries to be a unit of a front end, and its registers: the state machine
// (unit_status_fsm), the port of its context (context_port), the gate of a halt or a reset, and the register
// port (register_port). A block passes its own ports through and fills in what it does in a cycle, the words
// of its context and of its registers (docs/unit_shell.md has the cycles). STATUS 0: the register port only;
// every other output is 0 and costs nothing. What a block gets of the gate is a function of registers. Reset:
// empty, no access, no context under way.
`default_nettype none

module unit_shell #(
  parameter STATUS = 1,           // 0 none; state_o as 1 one_hot, 2 two_of_four, 3 binary
  parameter UNIT_TYPE = 1,        // of context_port, as the three that follow
  parameter [31:0] CFG_HASH = 0,  // hash of what shapes the context
  parameter CTX_MIN = 1,          // fewest words of its payload, 0 or 1
  parameter CTX_MAX = 16,         // most words of its payload
  parameter ADDR_W = 10           // of the register port
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // Ports of the block.
  input  wire cmd_halt_i,    // halt: a level, held as long as the unit is to stay halted
  input  wire cmd_reset_i,   // pulse: clear the context
  input  wire cmd_resume_i,  // pulse: go on with what is gathered; acts in quiescent only
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,  // something moved in the cycle that led to this state
  output wire waiting_o,   // the state is stalled or quiescent
  output wire gather_o,    // quiescent for want of further input
  output wire nack_o,      // a memory access was refused; sticky

  input  wire [15:0] ctx_unit_i,  // number of this unit, written into its contexts; constant
  input  wire ctx_cmd_valid_i,  // a save or a load is wanted; hold it until taken
  input  wire ctx_cmd_load_i,  // 1: load, 0: save
  output wire ctx_cmd_ready_o,  // the command is taken in this cycle; 1 only while halted
  output wire ctx_done_o,  // pulse: the save or load has ended
  output wire [2:0] ctx_error_o,  // 0 good, 2 type or configuration, 3 unit, 4 length, 5 checksum, 6 memory
  output wire ctx_out_valid_o,  // a word of the saved context is offered; it holds still until taken
  input  wire ctx_out_ready_i,  // the word is taken
  output wire [31:0] ctx_out_data_o,  // the word
  output wire ctx_out_last_o,  // it is the last one
  input  wire ctx_in_valid_i,  // a word of the context to load is offered; hold it until taken
  output wire ctx_in_ready_o,  // the word is taken in this cycle
  input  wire [31:0] ctx_in_data_i,  // the word
  input  wire ctx_in_last_i,  // it is the last one that comes
  // With the last word: 0 good, 1 the checksum was wrong (error 5), 2 or 3 memory failed (error 6); else 0.
  input  wire [1:0] ctx_in_error_i,

  input  wire reg_req_valid_i,  // a register access is offered; hold it until taken
  output wire reg_req_ready_o,  // the register access of this cycle is taken
  input  wire reg_req_write_i,  // 1: write, 0: read
  input  wire [ADDR_W-1:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o,  // the access was refused: unknown address, value out of range, or not now

  // What the block does in this cycle: st_* as unit_status_fsm explains them.
  input  wire st_in_i,
  input  wire st_out_i,
  input  wire st_proc_i,
  input  wire st_work_i,
  input  wire st_mem_i,
  input  wire st_mem_done_i,
  input  wire st_nack_i,
  input  wire st_blocked_i,
  input  wire st_cannot_i,
  input  wire st_progress_i,
  input  wire st_gather_i,
  input  wire can_halt_i,    // storable, a function of registers; what is being cleared apart
  input  wire clears_i,      // behind clear_o: not done with it yet
  input  wire nack_clear_i,  // a register write takes the sticky bit back
  input  wire nack_load_i,   // at commit_o: the context that came in has it

  // The gate.
  output wire halt_o,      // a halt is requested
  output wire halted_o,    // the state is halted
  output wire resume_o,    // pulse
  output wire clear_o,     // pulse, of a reset or a refused load: the context is cleared
  output wire clearing_o,  // behind it, until clears_i is 0
  output wire closed_o,    // nothing is taken in and nothing begins
  output wire still_o,     // nothing moves: no bit of the context changes but by load or register

  // The context, as context_port has it.
  output wire save_o,
  input  wire [23:0] ctx_len_i,
  input  wire sav_valid_i,
  output wire sav_ready_o,
  input  wire [31:0] sav_data_i,
  input  wire sav_last_i,
  output wire load_o,
  output wire [23:0] ld_len_o,
  output wire ld_valid_o,
  input  wire ld_ready_i,
  output wire [31:0] ld_data_o,
  output wire ld_last_o,
  input  wire ld_wrong_i,    // no save writes the word on offer here: the load will be refused
  output wire ld_refused_o,  // a word before this one was wrong
  output wire commit_o,
  output wire abort_o,

  // The register port, as register_port has it.
  output wire reg_taken_o,  // an access is taken: reg_req_* of this cycle
  input  wire reg_waits_i,  // the one under way does not execute yet
  output wire reg_executes_o,
  output wire reg_write_o,
  output wire [ADDR_W-1:0] reg_addr_o,
  output wire [31:0] reg_data_o,
  input  wire reg_good_i,        // it is not refused
  input  wire [31:0] reg_word_i  // of a read, 0 if it is refused
);
  wire unused_busy;
  register_port #(.ADDR_W(ADDR_W)) u_port (
    .clk_i(clk_i), .rst_i(rst_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o), .closed_i(1'b0),
    .taken_o(reg_taken_o), .waits_i(reg_waits_i), .busy_o(unused_busy), .executes_o(reg_executes_o),
    .write_o(reg_write_o), .addr_o(reg_addr_o), .data_o(reg_data_o), .good_i(reg_good_i),
    .word_i(reg_word_i));

  generate
    if (STATUS < 0 || STATUS > 3) begin : g_status_range
      status_out_of_range check ();
    end
    if (STATUS != 0) begin : g_unit
      // ---- the gate ------------------------------------------------------------------------------------
      wire reset, bad;
      reg clearing_q, bad_q;
      wire can_halt = can_halt_i && !clearing_q;
      assign clear_o = reset || abort_o;
      assign clearing_o = clearing_q;
      assign closed_o = halt_o || halted_o || reset || clearing_q;
      assign still_o = halted_o || load_o || reset || (halt_o && can_halt);
      assign bad = bad_q || ld_wrong_i;
      assign ld_refused_o = bad_q;
      always @(posedge clk_i) begin
        clearing_q <= !rst_i && (clear_o || (clearing_q && clears_i));
        bad_q <= load_o && (ld_valid_o && ld_ready_i ? bad : bad_q);
      end

      unit_status_fsm #(.ENCODING(STATUS - 1)) u_status (
        .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
        .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
        .gather_o(gather_o), .nack_o(nack_o), .st_in_i(st_in_i), .st_out_i(st_out_i), .st_proc_i(st_proc_i),
        .st_work_i(st_work_i), .st_mem_i(st_mem_i), .st_mem_done_i(st_mem_done_i), .st_nack_i(st_nack_i),
        .st_blocked_i(st_blocked_i), .st_cannot_i(st_cannot_i), .st_progress_i(st_progress_i),
        .st_gather_i(st_gather_i), .can_halt_i(can_halt),
        .nack_write_i(nack_clear_i || commit_o || abort_o), .nack_value_i(commit_o && nack_load_i),
        .halt_req_o(halt_o), .halted_o(halted_o), .ctx_reset_o(reset), .resume_o(resume_o));
      context_port #(
        .UNIT_TYPE(UNIT_TYPE), .CFG_HASH(CFG_HASH), .CTX_MIN(CTX_MIN), .CTX_MAX(CTX_MAX)
      ) u_context (
        .clk_i(clk_i), .rst_i(rst_i), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
        .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
        .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
        .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
        .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
        .ctx_in_error_i(ctx_in_error_i), .halted_i(halted_o), .can_halt_i(can_halt), .ctx_save_o(save_o),
        .ctx_len_i(ctx_len_i), .sav_valid_i(sav_valid_i), .sav_ready_o(sav_ready_o), .sav_data_i(sav_data_i),
        .sav_last_i(sav_last_i), .ctx_load_o(load_o), .ld_len_o(ld_len_o), .ld_valid_o(ld_valid_o),
        .ld_ready_i(ld_ready_i), .ld_data_o(ld_data_o), .ld_last_o(ld_last_o), .ld_bad_i(bad),
        .ld_commit_o(commit_o), .ld_abort_o(abort_o));
    end else begin : g_no_unit
      assign state_o = 5'd0;
      assign {progress_o, waiting_o, gather_o, nack_o} = 4'd0;
      assign {ctx_cmd_ready_o, ctx_done_o, ctx_error_o, ctx_out_valid_o, ctx_out_last_o} = 7'd0;
      assign {ctx_in_ready_o, ctx_out_data_o} = 33'd0;
      assign {halt_o, halted_o, resume_o, clear_o, clearing_o, closed_o, still_o} = 7'd0;
      assign {save_o, sav_ready_o, load_o, ld_valid_o, ld_last_o, ld_refused_o, commit_o, abort_o} = 8'd0;
      assign {ld_len_o, ld_data_o} = 56'd0;
      wire unused = &{1'b0, cmd_halt_i, cmd_reset_i, cmd_resume_i, ctx_unit_i, ctx_cmd_valid_i,
        ctx_cmd_load_i, ctx_out_ready_i, ctx_in_valid_i, ctx_in_data_i, ctx_in_last_i, ctx_in_error_i,
        st_in_i, st_out_i, st_proc_i, st_work_i, st_mem_i, st_mem_done_i, st_nack_i, st_blocked_i,
        st_cannot_i, st_progress_i, st_gather_i, can_halt_i, clears_i, nack_clear_i, nack_load_i, ctx_len_i,
        sav_valid_i, sav_data_i, sav_last_i, ld_ready_i, ld_wrong_i};
    end
  endgenerate
endmodule

`default_nettype wire
