// SPDX-License-Identifier: Apache-2.0
// stack_cache_unit: what makes the block a unit of a front end [SC-13]: unit_shell, and with STATUS the
// flush that may be part of a halt, the walk of a reset, and the words of a context: those of each thread
// (stack_cache_context), then the registers from BASE_LO to ERROR_COUNT. A word is fetched as a register is
// read.
// Which cycle does what: docs/stack_cache_design.md. Reset: no flush, no context under way.
`default_nettype none

module stack_cache_unit #(
  parameter STATUS = 0,
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter CTX_MAX = 829,
  parameter CTX_BARE = 61,     // words without entries
  parameter LATE = 0,          // a word of an entry is there a cycle later
  parameter [31:0] CFG_HASH = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire [15:0] ctx_unit_i,
  input  wire ctx_cmd_valid_i,
  input  wire ctx_cmd_load_i,
  output wire ctx_cmd_ready_o,
  output wire ctx_done_o,
  output wire [2:0] ctx_error_o,
  output wire ctx_out_valid_o,
  input  wire ctx_out_ready_i,
  output wire [31:0] ctx_out_data_o,
  output wire ctx_out_last_o,
  input  wire ctx_in_valid_i,
  output wire ctx_in_ready_o,
  input  wire [31:0] ctx_in_data_i,
  input  wire ctx_in_last_i,
  input  wire [1:0] ctx_in_error_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  // What happens in this cycle.
  input  wire op_in_i,                      // an operation is presented whose bit is 1
  input  wire lawful_i,                     // one is presented
  input  wire op_taken_i,
  input  wire answers_i,
  input  wire ops_i,                        // some are under way
  input  wire m_busy_i,
  input  wire requests_i,                   // a request is offered
  input  wire req_ready_i,
  input  wire rsp_taken_i,                  // an answer or a beat of one
  input  wire accesses_i,
  input  wire accepted_i,
  input  wire error_i,                      // of memory
  output wire error_o,                      // that is recorded
  input  wire quiet_i,                      // no operation, no visit, no access, no walk

  // The gate; a flush; the walk of a reset.
  output wire shut_o,                       // no operation is taken in the next cycle
  output wire hold_o,                       // no visit is begun
  output wire scan_begins_o,
  output wire scan_o,
  output wire flush_o,                      // it scans or ends
  input  wire scan_ends_i,
  output wire walk_begins_o,
  input  wire walk_i,
  input  wire walk_ends_i,
  output wire clear_o,

  // Registers.
  output wire taken_o,
  input  wire waits_i,
  output wire write_o,
  output wire [9:0] addr_o,
  output wire [31:0] data_o,
  input  wire good_i,
  input  wire [31:0] word_i,
  output wire fetch_o,
  output wire mine_o,
  output wire ctx_o,
  output wire ctx_stack_o,
  output wire [3:0] ctx_k_o,
  output wire load_o,
  output wire [31:0] ld_data_o,
  output wire moves_o,                      // a word of a context does,
  output wire next_o,                       // the last one of its thread
  output wire full_o,                       // a context has the entries
  output wire context_o,                    // a save or a load
  output wire load_begins_o,
  input  wire begins_i,
  input  wire last_i,
  input  wire idle_i,
  input  wire ctx_good_i,
  input  wire ctx_over_i,
  output wire commit_o,
  output wire halt_o,
  output wire halted_o,
  input  wire flush_i,                      // CONTROL
  input  wire halt_flush_i,                 // HALT_FLUSH: a halt flushes
  output wire flushing_o,
  input  wire nack_clear_i,
  input  wire nack_i,

  input  wire [THREAD_W-1:0] ctx_thread_i,  // the place of a word:
  input  wire ctx_state_i,                  // the second one of its thread,
  input  wire ctx_entry_i,                  // an entry's,
  input  wire ctx_ends_i,                   // the last one of its thread
  input  wire ctx_bad_i,                    // no save writes it, of a thread
  output wire in_o,                         // the first word of a thread is written,
  output wire in_state_o                    // the second
);
  localparam [31:0] LAST = THREADS - 1;
  wire halt, halted, clear, clearing, closed, save, load, commit, sav_ready, ld_valid, ld_last;
  wire can_halt, work, sav_valid, sav_last, ld_ready, ld_wrong, port_closed, ready;
  wire unused_resume, unused_still, unused_refused, unused_abort, unused_executes;
  wire [23:0] unused_len, length;
  wire proc = ops_i || (m_busy_i && !load);
  wire error = error_i && !clear && !clearing;
  unit_shell #(
    .STATUS(STATUS), .UNIT_TYPE(32'h5343), .CFG_HASH(CFG_HASH), .CTX_MIN(1), .CTX_MAX(CTX_MAX), .ADDR_W(10)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i), .reg_req_valid_i(reg_req_valid_i && !port_closed),
    .reg_req_ready_o(ready), .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i),
    .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o),
    .reg_rsp_error_o(reg_rsp_error_o),
    .st_in_i(op_in_i), .st_out_i(answers_i), .st_proc_i(proc), .st_work_i(work), .st_mem_i(accesses_i),
    .st_mem_done_i(accepted_i), .st_nack_i(error), .st_blocked_i(requests_i && !req_ready_i),
    .st_cannot_i(lawful_i && !op_in_i && !proc),
    .st_progress_i(op_taken_i || (requests_i && req_ready_i) || rsp_taken_i || answers_i || proc),
    .st_gather_i(1'b0), .can_halt_i(can_halt), .clears_i(!walk_ends_i), .nack_clear_i(nack_clear_i),
    .nack_load_i(nack_i), .halt_o(halt), .halted_o(halted), .resume_o(unused_resume), .clear_o(clear),
    .clearing_o(clearing), .closed_o(closed), .still_o(unused_still), .save_o(save),
    .ctx_len_i(length), .sav_valid_i(sav_valid), .sav_ready_o(sav_ready), .sav_data_i(word_i),
    .sav_last_i(sav_last),
    .load_o(load), .ld_len_o(unused_len), .ld_valid_o(ld_valid), .ld_ready_i(ld_ready),
    .ld_data_o(ld_data_o), .ld_last_o(ld_last), .ld_wrong_i(ld_wrong), .ld_refused_o(unused_refused),
    .commit_o(commit), .abort_o(unused_abort), .reg_taken_o(taken_o), .reg_waits_i(waits_i),
    .reg_executes_o(unused_executes), .reg_write_o(write_o), .reg_addr_o(addr_o), .reg_data_o(data_o),
    .reg_good_i(good_i), .reg_word_i(word_i));
  assign reg_req_ready_o = ready && !port_closed;
  assign {halt_o, halted_o, clear_o, load_o, commit_o, error_o} = {halt, halted, clear, load, commit, error};
  assign context_o = save || load;
  wire unused_unit = &{1'b0, unused_resume, unused_still, unused_refused, unused_abort, unused_executes,
                       unused_len};

  generate
    if (STATUS != 0) begin : g_unit
      // ---- flush, gate
      reg flush_q, scan_q, fin_q, ready_q, flushed_q, bare_q, load1_q, load2_q, closed_q;
      wire idle = quiet_i && idle_i;
      wire ends = fin_q && idle;
      wire flushed = ends && halt_flush_i;
      wire stopped = idle && closed_q && !flush_q && !halt_flush_i;
      wire begins = flush_i || (halt && halt_flush_i && !ready_q && !clearing);
      assign can_halt = ready_q;
      assign work = requests_i || flush_q;
      assign scan_begins_o = idle && flush_q && !scan_q && !fin_q && !clearing && !clear;
      assign walk_begins_o = idle && clearing;
      assign shut_o = cmd_halt_i || cmd_reset_i || closed || flush_q || load || load1_q || load2_q;
      assign hold_o = (closed_q || flush_q) && !scan_q;
      assign {scan_o, flush_o, flushing_o} = {scan_q, scan_q || fin_q, flush_q};
      assign load_begins_o = load && !load1_q;
      always @(posedge clk_i) begin
        flush_q <= !rst_i && !clear && !ends && (begins || flush_q);
        scan_q <= !rst_i && !clear && (scan_begins_o || (scan_q && !scan_ends_i));
        fin_q <= !rst_i && !clear && ((scan_q && scan_ends_i) || (fin_q && !ends));
        ready_q <= !rst_i && halt && (ready_q || flushed || stopped);
        flushed_q <= !rst_i && halt && (flushed_q || flushed);
        // What a load brings is saved as it came; of one that is refused nothing stays.
        bare_q <= !rst_i && halt && (clear ? flushed_q
                                     : (moves_o && load && ctx_state_i) ? !ld_data_o[31] : bare_q || flushed);
        closed_q <= !rst_i && closed;
        load1_q <= !rst_i && load;
        load2_q <= !rst_i && load1_q;
      end

      // ---- the words of a context
      reg mine_q, have_q, late_q, regs_q;
      reg [3:0] k_q;
      wire sav_moves = sav_valid && sav_ready;
      wire all = regs_q && k_q == 4'd14;
      wire late = LATE != 0 && late_q;
      wire there = (LATE != 0 && ctx_entry_i) ? late_q : mine_q && last_i;
      assign fetch_o = context_o && halted && !clear && idle_i && !have_q && !late && (save || ld_valid);
      // No word is fetched while an access is under way (ready is 0): what one shows depends on it alone.
      assign {mine_o, ctx_o, ctx_stack_o} = {mine_q, (mine_q || have_q || late) && ready, !regs_q};
      assign ctx_k_o = k_q | {4{ctx_entry_i}}; // where no register is
      assign port_closed = walk_i || context_o || mine_q;
      assign full_o = !bare_q;
      assign length = bare_q ? CTX_BARE[23:0] : CTX_MAX[23:0];
      assign sav_valid = save && have_q;
      assign sav_last = all;
      wire quick = regs_q || ctx_entry_i;
      wire over = ctx_over_i && !ctx_state_i && !ctx_entry_i;
      assign ld_ready = quick ? mine_q && last_i : have_q && !m_busy_i;
      assign ld_wrong = (regs_q ? !ctx_good_i : over || ctx_bad_i) || (ld_last && !all);
      assign moves_o = sav_moves || (ld_valid && ld_ready);
      assign next_o = moves_o && !regs_q && ctx_ends_i;
      wire in = mine_q && begins_i && load && !quick;
      assign {in_o, in_state_o} = {in && !ctx_state_i, in && ctx_state_i};
      always @(posedge clk_i) begin
        mine_q <= !rst_i && (fetch_o || (mine_q && !last_i));
        have_q <= !rst_i && context_o && !moves_o && (there || have_q);
        late_q <= !rst_i && context_o && !moves_o && mine_q && last_i;
        if (rst_i || walk_i || !context_o) begin
          regs_q <= 1'b0;
          k_q <= 4'd2;
        end else if (moves_o) begin
          if (regs_q) k_q <= k_q + 4'd1;
          else regs_q <= ctx_ends_i && ctx_thread_i == LAST[THREAD_W-1:0];
        end
      end
    end else begin : g_no_unit
      assign port_closed = walk_i;
      assign {can_halt, work, sav_valid, sav_last, ld_ready, ld_wrong} = 6'd0;
      assign {scan_begins_o, walk_begins_o, shut_o, hold_o, scan_o, flush_o, flushing_o} = 7'd0;
      assign load_begins_o = 1'b0;
      assign {fetch_o, mine_o, ctx_o, ctx_stack_o, ctx_k_o, moves_o, next_o, full_o} = 11'd0;
      assign {in_o, in_state_o, length} = 26'd0;
      wire unused = &{1'b0, walk_ends_i, quiet_i, scan_ends_i, begins_i, last_i, idle_i, ctx_good_i,
                      ctx_over_i, flush_i, halt_flush_i, ctx_state_i, ctx_entry_i, ctx_ends_i,
                      ctx_bad_i, ctx_thread_i, LAST, ld_valid, ld_last, sav_ready, halted, clearing,
                      closed, m_busy_i, requests_i};
    end
  endgenerate
endmodule

`default_nettype wire
