// SPDX-License-Identifier: Apache-2.0
// atomic_system_status: caches and home as one unit of a front end (AM-17; docs/line_home.md). A halt closes
// the request ports and is handed to the caches, which finish what they accepted and release all lines; the
// home serves on. When every cache says that nothing of it is left, the home is idle and no word is between
// them, the caches are told so (served_o) and halt; then the system does. No context is moved. A reset clears
// the caches and what is between, then the home, as soon as it offers memory no request; it drops what memory
// still answers, and nothing begins before that. STATUS 0: every output is 0 but those of registers. Reset:
// running.
`default_nettype none

module atomic_system_status #(
  parameter STATUS = 0,             // 0 none; state_o as 1 one_hot, 2 two_of_four, 3 binary
  parameter CACHES = 4,
  parameter DUE = 16                // accesses to memory under way, at most
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

  // Of each cache.
  input  wire [CACHES-1:0] offered_i,       // a request is offered, and would be taken but for closed_o
  input  wire [CACHES-1:0] ans_offered_i,   // an answer is there, whether it is shown or not
  input  wire [CACHES-1:0] ans_ready_i,
  input  wire [CACHES-1:0] idle_i,
  input  wire [CACHES-1:0] rests_i,         // its state is empty or halted
  input  wire [CACHES-1:0] halted_i,
  input  wire [CACHES-1:0] progress_i,
  input  wire between_i,                    // words are between caches and home
  input  wire home_idle_i,
  input  wire mem_req_valid_i,
  input  wire mem_req_ready_i,
  input  wire answered_i,                   // an answer of memory is taken
  input  wire refused_i,                    // with an error

  output wire halt_o,               // for the caches
  output wire served_o,
  output wire closed_o,             // no request is taken
  output wire still_o,              // nothing moves
  output wire resets_o,             // caches, and what is between them and the home
  output wire home_resets_o
);
  wire st_in, st_out, st_proc, st_work, st_mem, st_blocked, st_progress, can_halt, clear, clears, clearing;
  wire reg_executes, reg_write, reg_good, mapped_good;
  wire [9:0] reg_addr;
  wire [31:0] reg_word;
  wire unused_ready, unused_halted, unused_resume, unused_save, unused_sav_ready, unused_load;
  wire unused_ld_valid, unused_ld_last, unused_refused, unused_commit, unused_abort, unused_taken;
  wire [31:0] unused_ld_data, unused_reg_data;
  wire [23:0] unused_len;
  wire nack_clear;
  unit_shell #(
    .STATUS(STATUS), .UNIT_TYPE(32'h4153), .CFG_HASH(32'd0), .CTX_MAX(1), .ADDR_W(10)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(ctx_cmd_load_i),
    .ctx_cmd_ready_o(unused_ready), .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o),
    .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o),
    .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o),
    .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .st_in_i(st_in), .st_out_i(st_out), .st_proc_i(st_proc), .st_work_i(st_work), .st_mem_i(st_mem),
    .st_mem_done_i(answered_i), .st_nack_i(answered_i && refused_i && !clearing), .st_blocked_i(st_blocked),
    .st_cannot_i(!(st_in || st_out || st_proc)), .st_progress_i(st_progress), .st_gather_i(1'b0),
    .can_halt_i(can_halt), .clears_i(clears), .nack_clear_i(nack_clear), .nack_load_i(1'b0),
    .halt_o(halt_o), .halted_o(unused_halted), .resume_o(unused_resume), .clear_o(clear),
    .clearing_o(clearing), .closed_o(closed_o), .still_o(still_o),
    .save_o(unused_save), .ctx_len_i(24'd1), .sav_valid_i(1'b0), .sav_ready_o(unused_sav_ready),
    .sav_data_i(32'd0), .sav_last_i(1'b1), .load_o(unused_load), .ld_len_o(unused_len),
    .ld_valid_o(unused_ld_valid), .ld_ready_i(1'b1), .ld_data_o(unused_ld_data), .ld_last_o(unused_ld_last),
    .ld_wrong_i(1'b0), .ld_refused_o(unused_refused), .commit_o(unused_commit), .abort_o(unused_abort),
    .reg_taken_o(unused_taken), .reg_waits_i(1'b0), .reg_executes_o(reg_executes),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_data_o(unused_reg_data),
    .reg_good_i(reg_good), .reg_word_i(reg_word));
  assign ctx_cmd_ready_o = 1'b0;

  // ---- registers ----
  localparam [31:0] ID = 32'h41530001;
  localparam NACK = 1;
  wire [1:0] hit;
  register_map #(.N(2), .ADDR_W(10), .ADDRESS({10'h004, 10'h000}), .READABLE(2'd1)) u_map (
    .addr_i(reg_addr), .words_i({32'd0, ID}), .hit_o(hit), .readable_o(mapped_good), .word_o(reg_word));
  wire writable = STATUS != 0 && hit[NACK];
  assign reg_good = reg_write ? writable : mapped_good;
  assign nack_clear = reg_executes && reg_write && writable;

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
    end else begin : g_no_unit
      assign {st_in, st_out, st_proc, st_work, st_mem, st_blocked, st_progress, can_halt, clears} = 9'd0;
      assign {served_o, resets_o, home_resets_o} = 3'd0;
      wire unused = &{1'b0, offered_i, ans_offered_i, ans_ready_i, idle_i, rests_i, halted_i, progress_i,
        between_i, home_idle_i, mem_req_valid_i, mem_req_ready_i, clear, DUE[0]};
    end
  endgenerate
  wire unused_shell = &{1'b0, ctx_cmd_valid_i, unused_ready, unused_halted, unused_resume, unused_save,
    unused_sav_ready, unused_load, unused_ld_valid, unused_ld_last, unused_refused, unused_commit,
    unused_abort, unused_taken, unused_ld_data, unused_reg_data, unused_len, hit[0]};
endmodule

`default_nettype wire
