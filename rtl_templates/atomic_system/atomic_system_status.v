// SPDX-License-Identifier: Apache-2.0
// atomic_system_status: caches and home as one unit of a front end (AM-17; docs/line_home.md). A halt closes
// the request ports and is handed to the caches, which finish what they accepted and release all lines; the
// home serves on. When every cache says that nothing of it is left, the home is idle and no word is between
// them, the caches are told so (served_o) and halt; then the system does, and whose turn it is at the home
// begins anew. What is left is the context: what was lost, a record of the home's bad releases, one of its
// lost lines, one of each cache. A load writes each record as its last word comes. A reset or a refused load
// clears the caches and what is between, then the home, as soon as it offers memory no request; it drops what
// memory still answers, and nothing begins before that. STATUS 0: every output is 0 but those of registers.
// Reset: running.
`default_nettype none

module atomic_system_status #(
  parameter STATUS = 0,           // 0 none; state_o as 1 one_hot, 2 two_of_four, 3 binary
  parameter CACHES = 4,           // caches that share the lines; 1..64 caches
  parameter LINE_AW = 26,         // bits of a line address
  parameter WORDS = 2,            // of a record
  parameter [31:0] CFG_HASH = 0,  // hash of what shapes the context
  parameter DUE = 16              // accesses to memory under way, at most
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire cmd_halt_i,    // halt: a level, held as long as the unit is to stay halted
  input  wire cmd_reset_i,   // pulse: clear the context
  input  wire cmd_resume_i,  // pulse: go on with what is gathered; acts in quiescent only
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

  // Of each cache.
  input  wire [CACHES-1:0] offered_i,      // a request is offered, and would be taken but for closed_o
  input  wire [CACHES-1:0] ans_offered_i,  // an answer is there, whether it is shown or not
  input  wire [CACHES-1:0] ans_ready_i,    // the answer is taken
  input  wire [CACHES-1:0] idle_i,         // nothing of it is left that needs the home
  input  wire [CACHES-1:0] rests_i,        // its state is empty or halted
  input  wire [CACHES-1:0] halted_i,       // its state is halted
  input  wire [CACHES-1:0] progress_i,     // something moves in it
  input  wire between_i,                   // words are between caches and home
  input  wire home_idle_i,                 // nothing is under way in the home
  input  wire mem_req_valid_i,             // a memory request is offered
  input  wire mem_req_ready_i,             // it is taken
  input  wire answered_i,                  // an answer of memory is taken
  input  wire refused_i,                   // with an error

  // What was lost: records of the home's bad releases, of its lost lines, of each cache.
  input  wire [(CACHES+2)*(LINE_AW+17)-1:0] lost_i,  // {line, unasked, count}
  output wire [CACHES+1:0] put_o,                    // the record is this one of a context
  output wire put_unasked_o,                         // the record: a fill came that nobody had asked for
  output wire [15:0] put_count_o,                    // how many were lost
  output wire [LINE_AW-1:0] put_line_o,              // line address of the first

  output wire idle_o,               // memory has what was released, and owes no answer

  output wire halt_o,        // for the caches
  output wire served_o,      // no cache wants anything more of the home under this halt
  output wire closed_o,      // no request is taken
  output wire still_o,       // nothing moves
  output wire resets_o,      // caches, and what is between them and the home
  output wire home_resets_o  // pulse: the home is cleared
);
  wire st_in, st_out, st_proc, st_work, st_mem, st_blocked, st_progress, can_halt, clear, clears, clearing;
  wire reg_executes, reg_write, reg_good, mapped_good;
  wire [9:0] reg_addr;
  wire [31:0] reg_word;
  wire unused_halted, unused_resume, unused_refused, unused_commit, unused_abort, unused_taken;
  wire save, sav_valid, sav_ready, save_ends, load, ld_valid, ld_last, wrong, nack_clear, nack_load;
  wire [31:0] sav_word, ld_data, unused_reg_data;
  wire [23:0] unused_len;
  localparam RECORDS = CACHES + 2;
  localparam [31:0] CTX_WORDS = RECORDS * WORDS;
  unit_shell #(
    .STATUS(STATUS), .UNIT_TYPE(32'h4153), .CFG_HASH(CFG_HASH), .CTX_MAX(RECORDS * WORDS), .ADDR_W(10)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i), .ctx_cmd_load_i(ctx_cmd_load_i),
    .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o),
    .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o),
    .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o),
    .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .st_in_i(st_in), .st_out_i(st_out), .st_proc_i(st_proc), .st_work_i(st_work), .st_mem_i(st_mem),
    .st_mem_done_i(answered_i), .st_nack_i(answered_i && refused_i && !clearing), .st_blocked_i(st_blocked),
    .st_cannot_i(!(st_in || st_out || st_proc)), .st_progress_i(st_progress), .st_gather_i(1'b0),
    .can_halt_i(can_halt), .clears_i(clears), .nack_clear_i(nack_clear), .nack_load_i(nack_load),
    .halt_o(halt_o), .halted_o(unused_halted), .resume_o(unused_resume), .clear_o(clear),
    .clearing_o(clearing), .closed_o(closed_o), .still_o(still_o),
    .save_o(save), .ctx_len_i(CTX_WORDS[23:0]), .sav_valid_i(sav_valid), .sav_ready_o(sav_ready),
    .sav_data_i(sav_word), .sav_last_i(save_ends), .load_o(load), .ld_len_o(unused_len),
    .ld_valid_o(ld_valid), .ld_ready_i(1'b1), .ld_data_o(ld_data), .ld_last_o(ld_last), .ld_wrong_i(wrong),
    .ld_refused_o(unused_refused), .commit_o(unused_commit), .abort_o(unused_abort),
    .reg_taken_o(unused_taken), .reg_waits_i(1'b0), .reg_executes_o(reg_executes),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_data_o(unused_reg_data),
    .reg_good_i(reg_good), .reg_word_i(reg_word));

  // ---- registers ----
  localparam [31:0] ID = 32'h41530001;
  localparam NACK = 1;
  wire [1:0] hit;
  register_map #(.N(2), .ADDR_W(10), .ADDRESS({10'h004, 10'h000}), .READABLE(2'd1)) u_map (
    .addr_i(reg_addr), .words_i({32'd0, ID}), .hit_o(hit), .readable_o(mapped_good), .word_o(reg_word));
  wire writable = STATUS != 0 && hit[NACK];
  assign reg_good = reg_write ? writable : mapped_good;
  assign nack_clear = reg_executes && reg_write && writable;

  assign idle_o = home_idle_i && !between_i && !st_mem;

  genvar g;
  generate
    if (STATUS != 0) begin : g_unit
      localparam DUE_W = $clog2(DUE + 1);
      reg [DUE_W-1:0] due_q;      // accesses to memory that are not answered
      reg seen_q;                 // the caches have the halt request
      reg served_q, can_halt_q, wipe_q;
      wire asked = mem_req_valid_i && mem_req_ready_i;
      wire runs = halt_o && seen_q && !clear;
      wire rests = &idle_i && home_idle_i && !between_i;
      assign st_in = |offered_i && !clearing;
      assign st_out = |(ans_offered_i & ans_ready_i);
      assign st_blocked = |(ans_offered_i & ~ans_ready_i);
      assign st_proc = |progress_i;
      assign st_work = !(&rests_i) || !home_idle_i || between_i;
      assign st_mem = |due_q;
      assign st_progress = (st_in && !closed_o) || (st_out && !still_o) || st_proc || asked || answered_i;
      assign can_halt = can_halt_q;
      assign clears = wipe_q || st_mem || !home_idle_i;
      assign served_o = served_q;
      assign resets_o = clear || wipe_q;
      assign home_resets_o = resets_o && !mem_req_valid_i;
      always @(posedge clk_i) begin
        seen_q <= halt_o;
        served_q <= runs && rests;
        can_halt_q <= runs && rests && served_q && &halted_i;
        wipe_q <= resets_o && mem_req_valid_i;
        due_q <= due_q + {{DUE_W-1{1'b0}}, asked} - {{DUE_W-1{1'b0}}, answered_i};
        if (rst_i) begin
          seen_q <= 1'b0;
          served_q <= 1'b0;
          can_halt_q <= 1'b0;
          wipe_q <= 1'b0;
          due_q <= {DUE_W{1'b0}};
        end
      end

      // ---- the context: of each record {sticky bit in the first one, unasked, count}, then the line ----
      localparam RECORD_W = $clog2(RECORDS);
      localparam [31:0] HOMES = 2;              // records of the home
      localparam LOW_W = (LINE_AW > 32) ? 32 : LINE_AW;
      wire there, ends;
      wire [RECORD_W-1:0] record;
      wire [1:0] word;
      wire unused_section;
      context_walk #(
        .SECTIONS(1), .RECORDS(RECORDS), .WORDS(WORDS), .RECORD_W(RECORD_W), .WORD_W(2)
      ) u_walk (
        .clk_i(clk_i), .rst_i(rst_i), .runs_i(save || load), .moves_i(save ? there && sav_ready : ld_valid),
        .busy_i(1'b0), .ready_o(there), .section_o(unused_section), .record_o(record), .word_o(word),
        .ends_o(ends), .last_o(save_ends));
      reg [LINE_AW+16:0] read;
      integer i;
      always @* begin
        read = {LINE_AW+17{1'b0}};
        for (i = 0; i < RECORDS; i = i + 1)
          read = read | (lost_i[i*(LINE_AW+17)+:LINE_AW+17] & {LINE_AW+17{record == i[RECORD_W-1:0]}});
      end
      reg [LINE_AW+16:0] record_q;              // of a save as it was read, of a load as it comes
      reg nack_q;                               // of a load
      wire [63:0] line = {{(64-LINE_AW){1'b0}}, record_q[LINE_AW+16:17]};
      wire [63:0] too_large = ~{{(64-LINE_AW){1'b0}}, {LINE_AW{record_q[15:0] != 16'd0}}};
      wire first = record == {RECORD_W{1'b0}};
      wire homes = record < HOMES[RECORD_W-1:0];
      assign sav_valid = there;
      assign sav_word = (word == 2'd0) ? {14'd0, nack_o && first, record_q[16:0]} :
                        (word == 2'd1) ? line[31:0] : line[63:32];
      assign wrong = ld_valid && (ld_last != save_ends || |(ld_data & (
          (word == 2'd0) ? {14'h3fff, !first, homes, 16'd0} :
          (word == 2'd1) ? too_large[31:0] : too_large[63:32])));
      assign nack_load = nack_q;
      for (g = 0; g < RECORDS; g = g + 1) begin : g_put
        localparam [31:0] AT = g;
        assign put_o[g] = ld_valid && ends && record == AT[RECORD_W-1:0];
      end
      assign {put_unasked_o, put_count_o} = record_q[16:0];
      always @(posedge clk_i) begin
        if (save && !there) record_q <= read;
        if (ld_valid && word == 2'd0) record_q[16:0] <= ld_data[16:0];
        if (LINE_AW > 32 && ld_valid && word == 2'd1) record_q[16+LOW_W:17] <= ld_data[LOW_W-1:0];
        if (ld_valid && word == 2'd0 && first) nack_q <= ld_data[17];
        if (clear) nack_q <= 1'b0;
      end
      if (LINE_AW > 32) begin : g_long
        assign put_line_o = {ld_data[LINE_AW-33:0], record_q[48:17]};
      end else begin : g_short
        assign put_line_o = ld_data[LINE_AW-1:0];
        wire unused_upper = &{1'b0, line[63:32], too_large[63:32]};
      end
    end else begin : g_no_unit
      assign {st_in, st_out, st_proc, st_work, st_mem, st_blocked, st_progress, can_halt, clears} = 9'd0;
      assign {served_o, resets_o, home_resets_o} = 3'd0;
      assign {sav_valid, sav_word, save_ends, wrong, nack_load} = 36'd0;
      assign {put_o, put_unasked_o, put_count_o, put_line_o} = {(CACHES+LINE_AW+19){1'b0}};
      wire unused = &{1'b0, offered_i, ans_offered_i, ans_ready_i, idle_i, rests_i, halted_i, progress_i,
        between_i, home_idle_i, mem_req_valid_i, mem_req_ready_i, clear, DUE[0], lost_i, save, sav_ready,
        load, ld_valid, ld_data, ld_last};
    end
  endgenerate
  wire unused_shell = &{1'b0, unused_halted, unused_resume, unused_refused, unused_commit, unused_abort,
    unused_taken, unused_reg_data, unused_len, hit[0]};
endmodule

`default_nettype wire
