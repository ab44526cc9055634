// SPDX-License-Identifier: Apache-2.0
// stack_cache_unit: what makes the block a unit of a front end: status, halt, flush, reset, context [SC-13].
//
// Holds the cells unit_status_fsm and context_port, decides when operations and visits pause, and moves a
// context word by word between the port and registers, threads and storage; all of it while the rest stands
// still. Which cycle does what: docs/stack_cache_status.md. Reset: empty, no flush, no context under way.
`default_nettype none

module stack_cache_unit #(
  parameter THREADS = 24,
  parameter ENTRY_W = 64,
  parameter SET = 4,
  parameter NSETS = 4,
  parameter COUNT_W = 15,
  parameter THREAD_W = 5,
  parameter MAX_DEPTH = 16384,
  parameter POLICY = 0,
  parameter FLAGS = 0,
  parameter STATUS = 1,
  parameter NUM_W = 3,
  parameter OFF_W = 2,
  parameter SLOT_W = 2,
  parameter BANK_W = 2,
  parameter STATE_W = 5,
  parameter CTX_MAX = 16,
  parameter [31:0] CFG_HASH = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [STATE_W-1:0] state_o,
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

  // What happens in this cycle.
  input  wire started_i,                    // the walk after rst_i is over
  input  wire settle_i,                     // a walk is under way
  input  wire clearing_i,                   // that of a reset
  input  wire lawful_i,                     // an operation is presented,
  input  wire takes_i,                      // would be taken, halts apart,
  input  wire taken_i,                      // is taken,
  input  wire ops_busy_i,                   // is in B or C,
  input  wire answers_i,                    // is answered
  input  wire engine_idle_i,
  input  wire engine_working_i,
  input  wire accesses_i,                   // some are not answered
  input  wire requested_i,
  input  wire blocked_i,
  input  wire answered_i,
  input  wire nack_i,                       // a memory error is recorded [US-3],
  input  wire error_i,                      // one was,
  input  wire error_cleared_i,              // ERROR is written

  output wire halted_o,
  output wire closed_o,                     // no operation is taken,
  output wire busy_o,                       // because of a flush or a reset
  output wire quiet_o,                      // no visit acts
  output wire flush_ends_o,                 // in this cycle
  output wire flush_wanted_o,               // a flush is wanted or under way,
  output wire flush_starts_o,               // and nothing else is
  input  wire flush_done_i,                 // all was offered
  output wire clear_o,                      // a reset begins

  // Register CONTROL; registers as words of a context.
  input  wire control_i,                    // written
  input  wire [1:0] control_data_i,
  output wire [1:0] control_o,
  output wire halt_o,                       // a flush is refused
  output wire [3:0] word_o,                 // number of the register word saved or loaded
  input  wire [31:0] word_i,                // its content, flushed and flush_on_halt apart
  output wire word_we_o,
  output wire [31:0] word_data_o,
  input  wire word_bad_i,                   // word_data_o is out of range
  output wire loads_o,                      // a context comes in
  output wire commit_o,                     // run-time registers become what came in

  // Threads and storage.
  output wire ctx_o,                        // a context is under way
  output wire [THREAD_W-1:0] ctx_thread_o,
  output wire ctx_load_o,
  output wire [COUNT_W-1:0] ctx_count_o,
  output wire [NUM_W-1:0] ctx_nd_o,
  output wire [NUM_W-1:0] ctx_nv_o,
  output wire [OFF_W-1:0] ctx_off_o,
  output wire [NUM_W-1:0] ctx_burst_o,
  output wire ctx_drain_o,
  output wire ctx_fault_o,
  input  wire [COUNT_W-1:0] ctx_count_i,
  input  wire [NUM_W-1:0] ctx_nd_i,
  input  wire [NUM_W-1:0] ctx_nv_i,
  input  wire [OFF_W-1:0] ctx_off_i,
  input  wire [NUM_W-1:0] ctx_burst_i,
  input  wire ctx_drain_i,
  input  wire ctx_fault_i,
  output wire [SLOT_W-1:0] ctx_slot_o,
  output wire [BANK_W-1:0] ctx_bank_o,
  output wire ctx_write_o,                  // in the next cycle
  output wire [ENTRY_W-1:0] ctx_data_o,
  input  wire [SET*ENTRY_W-1:0] rdata_i
);
  localparam SET_LG = $clog2(SET);
  localparam WORDS = (ENTRY_W + 31) / 32;
  localparam WORD_W = (WORDS > 1) ? $clog2(WORDS) : 1;
  localparam [1:0] REGISTERS = 2'd0, STACKS = 2'd1, ENTRIES = 2'd2;
  localparam [3:0] LAST_REGISTER = 4'd8, LAST_OF_STACK = 4'd2;
  localparam [31:0] LAST_THREAD = THREADS - 1, LAST_SLOT = NSETS - 1, LAST_BANK = SET - 1,
                    LAST_WORD = WORDS - 1;
  localparam [31:0] LONG = CTX_MAX, SHORT = 9 + 3 * THREADS;
  localparam XW = COUNT_W + SET_LG + SLOT_W + NUM_W;

  // ---- status ------------------------------------------------------------------------------------------
  reg flush_q, flush_done_q, flushed_q, on_halt_q, in_on_halt_q;
  wire halt, reset, resume, halted, commit, abort;
  wire unused_resume = &{1'b0, resume};
  wire self = flush_q || clearing_i || reset;
  wire proc = ops_busy_i;
  wire can_halt = started_i && !clearing_i && !flush_q && (!on_halt_q || flush_done_q) && !ops_busy_i
                  && !answers_i
                  && engine_idle_i && !accesses_i;
  unit_status_fsm #(.ENCODING(STATUS - 1)) u_fsm (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .st_in_i(takes_i), .st_out_i(answers_i), .st_proc_i(proc),
    .st_work_i(engine_working_i), .st_mem_i(accesses_i), .st_mem_done_i(answered_i), .st_nack_i(nack_i),
    .st_blocked_i(blocked_i), .st_cannot_i(lawful_i && !takes_i && !proc),
    .st_progress_i(taken_i || requested_i || answered_i || answers_i || proc), .st_gather_i(1'b0),
    .can_halt_i(can_halt), .nack_write_i(error_cleared_i || commit || abort),
    .nack_value_i(commit && error_i && !error_cleared_i), .halt_req_o(halt), .halted_o(halted),
    .ctx_reset_o(reset), .resume_o(resume));

  assign halted_o = halted;
  assign commit_o = commit;
  assign flush_wanted_o = flush_q;
  assign flush_starts_o = flush_q && !ops_busy_i && !accesses_i;
  assign closed_o = halt || halted || self;
  assign busy_o = self;
  assign quiet_o = halt || halted || clearing_i || flush_q;
  assign clear_o = started_i && (reset || abort);
  assign halt_o = halt || halted;
  assign control_o = {on_halt_q, flush_q};

  wire load_flags;                          // word 3 of a context comes in
  always @(posedge clk_i) if (load_flags) in_on_halt_q <= word_data_o[31];
  wire flush_ends = flush_q && flush_done_i && !accesses_i;
  assign flush_ends_o = flush_ends;
  always @(posedge clk_i)
    if (rst_i) begin
      flush_q <= 1'b0;
      flush_done_q <= 1'b0;
      flushed_q <= 1'b0;
      on_halt_q <= 1'b0;
    end else begin
      if (clear_o) flush_q <= 1'b0;
      else if (halt && !halted && on_halt_q && !flush_done_q) flush_q <= 1'b1;
      else if (flush_ends) flush_q <= 1'b0;
      else if (control_i && control_data_i[0]) flush_q <= 1'b1;
      if (!halt) flush_done_q <= 1'b0;
      else if (on_halt_q || halted) flush_done_q <= 1'b1;
      if (load_flags) flushed_q <= word_data_o[30];
      else if (!halt) flushed_q <= 1'b0;
      else if (flush_ends) flushed_q <= 1'b1;
      if (commit) on_halt_q <= in_on_halt_q;
      else if (control_i) on_halt_q <= control_data_i[1];
    end

  // ---- context: the place of a word -----------------------------------------------------------------
  reg [1:0] part_q, wait_q, busy_q;
  reg [3:0] k_q;
  reg [THREAD_W-1:0] thread_q;
  reg [SLOT_W-1:0] slot_q;
  reg [BANK_W-1:0] bank_q;
  reg [WORD_W-1:0] word_q;
  reg bad_q;
  wire save, load, sav_ready, ld_valid, ld_last;
  wire [23:0] ld_len;
  wire [31:0] ld_data;
  reg  [31:0] sav_data;
  wire ld_ready = busy_q == 2'd0;
  wire sav_valid = save && (part_q == REGISTERS || wait_q == 2'd3);
  wire sav_taken = sav_valid && sav_ready;
  wire ld_taken = ld_valid && ld_ready;
  wire moves = sav_taken || ld_taken;

  wire last_k = k_q == (part_q == REGISTERS ? LAST_REGISTER : LAST_OF_STACK);
  wire last_thread = thread_q == LAST_THREAD[THREAD_W-1:0];
  wire last_slot = slot_q == LAST_SLOT[SLOT_W-1:0];
  wire last_bank = bank_q == LAST_BANK[BANK_W-1:0];
  wire last_word = word_q == LAST_WORD[WORD_W-1:0];
  wire last = last_thread && (part_q == STACKS ? flushed_q && last_k
                              : part_q == ENTRIES && last_slot && last_bank && last_word);
  wire bad;
  // The next word is one of another thread or slot.
  wire turns = part_q == ENTRIES ? last_word && last_bank : last_k;

  always @(posedge clk_i)
    if (rst_i || !(save || load)) begin
      part_q <= REGISTERS;
      k_q <= 4'd0;
      thread_q <= {THREAD_W{1'b0}};
      slot_q <= {SLOT_W{1'b0}};
      bank_q <= {BANK_W{1'b0}};
      word_q <= {WORD_W{1'b0}};
      wait_q <= 2'd0;
      bad_q <= 1'b0;
    end else begin
      if ((moves && turns) || settle_i) wait_q <= 2'd0;
      else if (wait_q != 2'd3) wait_q <= wait_q + 2'd1;
      if (moves && part_q != ENTRIES) begin
        k_q <= last_k ? 4'd0 : k_q + 4'd1;
        if (last_k && part_q == REGISTERS) part_q <= STACKS;
        if (last_k && part_q == STACKS) thread_q <= last_thread ? {THREAD_W{1'b0}} : thread_q + 1'b1;
        if (last_k && part_q == STACKS && last_thread) part_q <= ENTRIES;
      end
      if (moves && part_q == ENTRIES) begin
        word_q <= last_word ? {WORD_W{1'b0}} : word_q + 1'b1;
        if (last_word) bank_q <= last_bank ? {BANK_W{1'b0}} : bank_q + 1'b1;
        if (last_word && last_bank) slot_q <= last_slot ? {SLOT_W{1'b0}} : slot_q + 1'b1;
        if (last_word && last_bank && last_slot) thread_q <= last_thread ? {THREAD_W{1'b0}} : thread_q + 1'b1;
      end
      if (ld_taken) bad_q <= bad;
    end

  // ---- save ------------------------------------------------------------------------------------------
  wire [XW-1:0] count_x = {{XW-COUNT_W{1'b0}}, ctx_count_i};
  wire [XW-1:0] top_x = count_x - 1'b1;
  wire [SLOT_W-1:0] below = top_x[SET_LG+:SLOT_W] - slot_q;  // sets from the top's to this one's
  wire [XW-1:0] below_x = {{XW-SLOT_W{1'b0}}, below};
  wire in_set = ctx_count_i != {COUNT_W{1'b0}} && below_x[NUM_W-1:0] < ctx_nv_i;
  wire above;                               // beyond the top in the top's set
  wire [SET*ENTRY_W+WORDS*32-1:0] entry_x = {{WORDS*32{1'b0}}, rdata_i} >> (bank_q * ENTRY_W);
  wire [WORDS*32-1:0] entry;
  wire unused_save = &{1'b0, top_x, below_x, count_x, entry_x, ctx_off_i, ctx_burst_i, ld_len};
  generate
    if (SET > 1) begin : g_above
      assign above = below == {SLOT_W{1'b0}} && bank_q > top_x[SET_LG-1:0];
    end else begin : g_none_above
      assign above = 1'b0;
    end
    if (WORDS * 32 > ENTRY_W) begin : g_pad
      assign entry = {{WORDS*32-ENTRY_W{1'b0}}, entry_x[ENTRY_W-1:0]};
    end else begin : g_whole
      assign entry = entry_x[ENTRY_W-1:0];
    end
  endgenerate
  always @* begin
    sav_data = 32'd0;
    if (part_q == REGISTERS) begin
      sav_data = word_i;
      if (k_q == 4'd3) sav_data[31:30] = {on_halt_q, flushed_q};
    end else if (part_q == STACKS)
      case (k_q[1:0])
        2'd0: begin
          sav_data[COUNT_W-1:0] = ctx_count_i;
          if (FLAGS != 0 && SET > 1) sav_data[24+:OFF_W] = ctx_off_i;
          sav_data[31:30] = {ctx_fault_i, ctx_drain_i};
        end
        2'd1: if (!flushed_q) begin
          sav_data[NUM_W-1:0] = ctx_nd_i;
          sav_data[16+:NUM_W] = ctx_nv_i;
        end
        default: if (POLICY != 0) sav_data[NUM_W-1:0] = ctx_burst_i;
      endcase
    else if (in_set && !above) sav_data = entry[word_q*32+:32];
  end

  // ---- load ------------------------------------------------------------------------------------------
  reg [31:0] first_q, second_q;
  reg [NUM_W-1:0] burst_q;
  reg load_q;
  wire stack_in = ld_taken && part_q == STACKS && last_k;
  wire entry_in = ld_taken && part_q == ENTRIES && last_word;
  reg [WORDS*32-1:0] entry_q;
  reg write_q;
  reg [THREAD_W-1:0] to_thread_q;
  reg [SLOT_W-1:0] to_slot_q;
  reg [BANK_W-1:0] to_bank_q;
  integer n;
  always @(posedge clk_i) begin
    load_q <= stack_in && !rst_i;
    write_q <= entry_in && !rst_i;
    if (rst_i) busy_q <= 2'd0;
    else if (stack_in || entry_in) busy_q <= 2'd3;
    else if (busy_q != 2'd0) busy_q <= busy_q - 2'd1;
    if (ld_taken && part_q == STACKS) begin
      if (k_q[1:0] == 2'd0) first_q <= ld_data;
      if (k_q[1:0] == 2'd1) second_q <= ld_data;
      burst_q <= (POLICY != 0) ? ld_data[NUM_W-1:0] & LAST_SLOT[NUM_W-1:0] : {NUM_W{1'b0}};
    end
    if (ld_taken)
      for (n = 0; n < WORDS; n = n + 1)
        if (word_q == n[WORD_W-1:0]) entry_q[n*32+:32] <= ld_data;
    if (ld_taken) begin
      to_thread_q <= thread_q;
      to_slot_q <= slot_q;
      to_bank_q <= bank_q;
    end
  end
  // A thread is written two cycles after its last word, an entry as well; the next word waits until then.
  assign ctx_o = save || load;
  assign ctx_thread_o = load ? to_thread_q : thread_q;
  assign ctx_slot_o = load ? to_slot_q : slot_q;
  assign ctx_bank_o = to_bank_q;
  assign ctx_load_o = load_q;
  assign ctx_count_o = first_q[COUNT_W-1:0];
  assign ctx_off_o = first_q[24+:OFF_W];
  assign ctx_drain_o = first_q[30];
  assign ctx_fault_o = first_q[31];
  assign ctx_nd_o = second_q[NUM_W-1:0];
  assign ctx_nv_o = second_q[16+:NUM_W];
  assign ctx_burst_o = burst_q;
  assign ctx_write_o = write_q;
  assign ctx_data_o = entry_q[ENTRY_W-1:0];

  // What a thread may say: count <= MAX_DEPTH, nd <= nv <= NSETS and the sets in use, off < SET, burst <
  // NSETS.
  wire [20:0] count = first_q[20:0];
  wire [21+SET_LG:0] used = ({1'b0, {SET_LG{1'b0}}, count} + LAST_BANK[21+SET_LG:0]) >> SET_LG;
  wire [10:0] nd = second_q[10:0], nv = second_q[26:16];
  wire stack_bad = {11'd0, count} > MAX_DEPTH || {28'd0, first_q[27:24]} >= SET || nd > nv
                   || {21'd0, nv} > NSETS
                   || {{11+SET_LG{1'b0}}, nv} > used || {21'd0, ld_data[10:0]} >= NSETS;
  assign bad = bad_q || (part_q == REGISTERS && word_bad_i) || (stack_in && stack_bad) || ld_last != last;
  wire unused_load = &{1'b0, first_q, second_q, entry_q};
  assign word_o = k_q;
  assign word_we_o = ld_taken && part_q == REGISTERS;
  assign word_data_o = ld_data;
  assign load_flags = word_we_o && k_q == 4'd3;
  assign loads_o = load && !abort;

  context_port #(.UNIT_TYPE(32'h5343), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX)) u_port (
    .clk_i(clk_i), .rst_i(rst_i), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i), .halted_i(halted), .can_halt_i(can_halt), .ctx_save_o(save),
    .ctx_len_i(flushed_q ? SHORT[23:0] : LONG[23:0]), .sav_valid_i(sav_valid), .sav_ready_o(sav_ready),
    .sav_data_i(sav_data), .sav_last_i(last), .ctx_load_o(load), .ld_len_o(ld_len), .ld_valid_o(ld_valid),
    .ld_ready_i(ld_ready), .ld_data_o(ld_data), .ld_last_o(ld_last), .ld_bad_i(bad), .ld_commit_o(commit),
    .ld_abort_o(abort));
endmodule

`default_nettype wire
