// SPDX-License-Identifier: Apache-2.0
// atomic_merge_status: the cache as a unit of a front end (AM-17): its state, when it may halt, its
// context, what a reset leaves. DRAINS 1: under a halt request nothing is accepted; when all that was
// accepted is answered, the engine releases every line. Then nothing is left but what was lost, which is
// the context, and the cache is halted with the others of its home (served_idle_i). DRAINS 0: a halt
// closes the front, sends no fetch and begins no answer. When no fetch is open, here and in the others, the
// engine stops at the next place between two requests, merges or lines, and what is in the pipelines comes to
// its end; an answer and a release that are offered are taken first. No context is moved. A reset clears all;
// fills of fetches from before it are dropped until none is due. STATUS 0: every output is 0 but those of
// registers. Reset: running.
`default_nettype none

module atomic_merge_status #(
  parameter STATUS = 0,          // 0 none; state_o as 1 one_hot, 2 two_of_four, 3 binary
  parameter WORDS = 2,           // of a context
  parameter DRAINS = 1,          // 1: a halt drains; 0: it holds
  parameter MISS_W = 3,          // bits of the number of a miss
  parameter COUNT_W = 5,         // bits of a count of beats
  parameter BEATS = 2,           // beats of a line, 1 or more
  parameter LINE_AW = 26,        // bits of a line address
  parameter [31:0] CFG_HASH = 0  // hash of what shapes the context
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire cmd_halt_i,     // halt: a level, held as long as the unit is to stay halted
  input  wire cmd_reset_i,    // pulse: clear the context
  input  wire cmd_resume_i,   // pulse: go on with what is gathered; acts in quiescent only
  input  wire served_idle_i,  // the other caches want nothing more of the home under this halt
  output wire idle_o,         // the same, of this one, for the others
  // The state of this cycle: empty, active, stalled, quiescent or halted.
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
  input  wire [9:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o,  // the access was refused: unknown address, value out of range, or not now

  output wire reg_executes_o,     // an access of the register port, as unit_shell has it
  output wire reg_write_o,        // it is a write
  output wire [9:0] reg_addr_o,   // its byte address
  input  wire reg_waits_i,        // it does not execute yet
  input  wire reg_good_i,         // it is not refused
  input  wire [31:0] reg_word_i,  // word of a read

  input  wire fetched_i,                 // a fetch is taken
  input  wire [MISS_W-1:0] fetch_tag_i,  // tag that the fill carries
  input  wire heard_i,                   // a word of the home is taken
  input  wire home_snoop_i,              // 0 beat of a fill, 1 snoop: the line is to be released
  input  wire home_error_i,              // of a fill: there is no such line. The only beat then.
  input  wire [MISS_W-1:0] home_tag_i,   // of a fill: the tag of its fetch, in every beat
  input  wire offered_i,                 // a request is offered, and would be taken but for closed_o
  input  wire ans_offered_i,             // an answer is there, whether it is shown or not
  input  wire ans_ready_i,               // the answer is taken
  input  wire rel_offered_i,             // a beat of a release is there
  input  wire rel_ready_i,               // the beat is taken
  input  wire quiet_i,                   // nothing is under way in the pipelines and in the engine
  input  wire tids_ready_i,              // the thread ids are cleared
  input  wire holds_i,                   // requests, misses or answers are held
  input  wire nack_clear_i,              // a register write takes the sticky bit back
  input  wire begins_i,                  // the engine begins a flush that flushes_o asks for
  input  wire flush_done_i,              // all lines are released
  // Relaxed atomics that were answered and then lost with a failed fetch, saturating; until reset.
  input  wire [15:0] lost_count_i,
  input  wire [LINE_AW-1:0] lost_line_i,  // line address of the first of them; 0 as long as there is none
  input  wire unasked_i,  // a fill came that nobody had asked for; it was dropped. Until reset.

  output wire clear_o,       // pulse: all is cleared
  output wire closed_o,      // nothing is taken in
  output wire shut_o,        // nothing begins
  output wire still_o,       // nothing moves
  output wire stops_o,       // the engine begins nothing more
  output wire drops_o,       // words of the home are dropped
  output wire flushes_o,     // all lines are to be released
  output wire flush_ends_o,  // that is seen
  output wire settles_o,     // pulse: drained; what only order and time follow from is cleared
  output wire commit_o,      // pulse: what was lost is that of a context
  // Relaxed atomics that were answered and then lost with a failed fetch, saturating; until reset.
  output wire [15:0] lost_count_o,
  output wire [LINE_AW-1:0] lost_line_o,  // line address of the first of them; 0 as long as there is none
  output wire unasked_o  // a fill came that nobody had asked for; it was dropped. Until reset.
);
  wire st_in, st_out, st_proc, st_work, st_mem, st_mem_done, st_nack, st_blocked, st_progress, can_halt;
  wire halt, halted, dropping, save, load, sav_ready, ld_valid, ld_last, wrong, save_ends, nack_load;
  wire ctx_ready, unused_resume, unused_refused, unused_abort, unused_taken;
  wire [31:0] sav_word, ld_data, unused_reg_data;
  wire [23:0] unused_len;
  unit_shell #(
    .STATUS(STATUS), .UNIT_TYPE(32'h414d), .CFG_HASH(CFG_HASH), .CTX_MAX(WORDS), .ADDR_W(10)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i && DRAINS != 0),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_ready), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .st_in_i(st_in), .st_out_i(st_out), .st_proc_i(st_proc), .st_work_i(st_work), .st_mem_i(st_mem),
    .st_mem_done_i(st_mem_done), .st_nack_i(st_nack), .st_blocked_i(st_blocked),
    .st_cannot_i(!(st_in || st_out || st_proc)), .st_progress_i(st_progress), .st_gather_i(1'b0),
    .can_halt_i(can_halt), .clears_i(st_mem || !tids_ready_i), .nack_clear_i(nack_clear_i),
    .nack_load_i(nack_load), .halt_o(halt), .halted_o(halted), .resume_o(unused_resume), .clear_o(clear_o),
    .clearing_o(dropping), .closed_o(closed_o), .still_o(still_o),
    .save_o(save), .ctx_len_i(WORDS[23:0]), .sav_valid_i(1'b1), .sav_ready_o(sav_ready),
    .sav_data_i(sav_word), .sav_last_i(save_ends), .load_o(load), .ld_len_o(unused_len),
    .ld_valid_o(ld_valid), .ld_ready_i(1'b1), .ld_data_o(ld_data), .ld_last_o(ld_last), .ld_wrong_i(wrong),
    .ld_refused_o(unused_refused), .commit_o(commit_o), .abort_o(unused_abort),
    .reg_taken_o(unused_taken), .reg_waits_i(reg_waits_i), .reg_executes_o(reg_executes_o),
    .reg_write_o(reg_write_o), .reg_addr_o(reg_addr_o), .reg_data_o(unused_reg_data),
    .reg_good_i(reg_good_i), .reg_word_i(reg_word_i));
  assign ctx_cmd_ready_o = ctx_ready && DRAINS != 0;

  generate
    if (STATUS != 0) begin : g_unit
      localparam [31:0] LAST_BEAT = BEATS - 1;
      reg served_q, idle_q;
      reg [(1<<MISS_W)-1:0] due_q;  // fetches that are not answered
      reg [COUNT_W-1:0] got_q;      // beats of a fill that came
      wire drained;                 // nothing is left, or what is left is held
      wire some_due = |due_q;
      wire beat = heard_i && !home_snoop_i && due_q[home_tag_i];
      wire ends = beat && (home_error_i || got_q == LAST_BEAT[COUNT_W-1:0]);
      // What is offered may not be withdrawn: it is taken first.
      assign can_halt = quiet_i && tids_ready_i && !some_due && served_q && drained && !ans_offered_i
                      && !rel_offered_i;
      assign st_in = offered_i && !dropping;
      assign st_out = (ans_offered_i && ans_ready_i) || (rel_offered_i && rel_ready_i);
      assign st_blocked = (ans_offered_i && !ans_ready_i) || (rel_offered_i && !rel_ready_i);
      assign st_proc = !quiet_i;
      assign st_work = holds_i || rel_offered_i || st_proc;
      assign st_mem = some_due;
      assign st_mem_done = ends;
      assign st_nack = beat && home_error_i && !dropping;
      assign st_progress = (st_in && !closed_o) || (st_out && !still_o) || st_proc;
      assign shut_o = (halt && drained) || halted || clear_o || dropping;
      assign stops_o = clear_o || (drained && (halted || (halt && !some_due && served_q)));
      assign drops_o = dropping;
      assign idle_o = idle_q;
      always @(posedge clk_i) begin
        served_q <= served_idle_i && halt && !clear_o;
        idle_q <= halt && drained && !some_due && !clear_o && !dropping;
        if (fetched_i) due_q[fetch_tag_i] <= 1'b1;
        if (ends) due_q[home_tag_i] <= 1'b0;
        if (beat) got_q <= ends ? {COUNT_W{1'b0}} : got_q + 1'b1;
        if (rst_i) begin
          served_q <= 1'b0;
          idle_q <= 1'b0;
          due_q <= {(1<<MISS_W){1'b0}};
          got_q <= {COUNT_W{1'b0}};
        end
      end

      if (DRAINS != 0) begin : g_drain
        // ---- what is held is done, then all lines leave ----
        reg asks_q, walking_q, flushed_q, drained_q;
        wire empty = quiet_i && !holds_i && !rel_offered_i;
        wire runs = halt && !clear_o;
        assign drained = drained_q;
        assign flushes_o = asks_q;
        assign flush_ends_o = walking_q && flush_done_i;
        assign settles_o = runs && flushed_q && !rel_offered_i && !drained_q;
        always @(posedge clk_i) begin
          asks_q <= runs && empty && !flushed_q && !walking_q && !asks_q;
          walking_q <= begins_i || (walking_q && !flush_done_i);
          flushed_q <= runs && (flushed_q || (flush_ends_o && !holds_i));
          drained_q <= runs && (drained_q || settles_o);
          if (rst_i || clear_o) begin
            asks_q <= 1'b0;
            walking_q <= 1'b0;
          end
        end

        // ---- the context: {sticky bit, unasked, count}, then the line ----
        reg [1:0] word_q;           // which word of it moves
        reg [17:0] coming_q;        // of a load
        reg [LINE_AW-1:0] coming_line_q;
        wire moves = save ? sav_ready : ld_valid;
        wire [63:0] line = {{(64-LINE_AW){1'b0}}, lost_line_i};
        wire [63:0] too_large = ~{{(64-LINE_AW){1'b0}}, {LINE_AW{coming_q[15:0] != 16'd0}}};
        localparam [31:0] LAST = WORDS - 1;
        assign save_ends = word_q == LAST[1:0];
        assign sav_word = (word_q == 2'd0) ? {14'd0, nack_o, unasked_i, lost_count_i} :
                          (word_q == 2'd1) ? line[31:0] : line[63:32];
        assign wrong = ld_valid && (ld_last != save_ends || |(ld_data & ((word_q == 2'd0) ? 32'hfffc_0000 :
                                      (word_q == 2'd1) ? too_large[31:0] : too_large[63:32])));
        assign {nack_load, unasked_o, lost_count_o} = coming_q;
        assign lost_line_o = coming_line_q;
        always @(posedge clk_i) begin
          word_q <= (save || load) ? word_q + {1'b0, moves} : 2'd0;
          if (ld_valid && word_q == 2'd0) coming_q <= ld_data[17:0];
          if (clear_o) coming_q <= 18'd0;
        end
        if (LINE_AW > 32) begin : g_long
          always @(posedge clk_i) begin
            if (ld_valid && word_q == 2'd1) coming_line_q[31:0] <= ld_data;
            if (ld_valid && word_q == 2'd2) coming_line_q[LINE_AW-1:32] <= ld_data[LINE_AW-33:0];
            if (clear_o) coming_line_q <= {LINE_AW{1'b0}};
          end
        end else begin : g_short
          always @(posedge clk_i) begin
            if (ld_valid && word_q == 2'd1) coming_line_q <= ld_data[LINE_AW-1:0];
            if (clear_o) coming_line_q <= {LINE_AW{1'b0}};
          end
          wire unused_upper = &{1'b0, line[63:32], too_large[63:32]};
        end
      end else begin : g_hold
        assign drained = 1'b1;
        assign {flush_ends_o, settles_o, save_ends, wrong, nack_load, unasked_o} = 6'b001000;
        assign {sav_word, lost_count_o, lost_line_o} = {(48+LINE_AW){1'b0}};
        assign flushes_o = 1'b0;
        wire unused_hold = &{1'b0, begins_i, flush_done_i, lost_count_i, lost_line_i, unasked_i, save, load,
          sav_ready, ld_valid, ld_data, ld_last};
      end
    end else begin : g_no_unit
      assign idle_o = 1'b0;
      assign {st_in, st_out, st_proc, st_work, st_mem, st_mem_done, st_nack, st_blocked, st_progress} = 9'd0;
      assign {can_halt, shut_o, stops_o, drops_o, flush_ends_o, settles_o, nack_load, unasked_o} = 8'd0;
      assign {sav_word, save_ends, wrong, lost_count_o, lost_line_o} = {(50+LINE_AW){1'b0}};
      assign flushes_o = 1'b0;
      wire unused = &{1'b0, served_idle_i, fetched_i, fetch_tag_i, heard_i, home_snoop_i, home_error_i,
        home_tag_i, offered_i, ans_offered_i, ans_ready_i, rel_offered_i, rel_ready_i, quiet_i, holds_i,
        begins_i, flush_done_i, lost_count_i, lost_line_i, unasked_i, halt, halted, dropping, save, load,
        sav_ready, ld_valid, ld_data, ld_last};
    end
  endgenerate
  wire unused_shell = &{1'b0, unused_resume, unused_refused, unused_abort, unused_taken, unused_reg_data,
    unused_len};
endmodule

`default_nettype wire
