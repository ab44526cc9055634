// SPDX-License-Identifier: Apache-2.0
// branch_unit_pipe: the branch unit, and what another unit behind it needs that halts with it and whose words
// follow in the context (TAIL): branch_unit_core is this without one. Ports, handshakes and latency are those
// of branch_unit_core.
`default_nettype none

module branch_unit_pipe #(
  parameter THREADS = 24,
  parameter LANES = 32,
  parameter ENTRY_W = 64,
  parameter MAX_DEPTH = 16384,
  parameter STACK_LATENCY = 3,
  parameter STATUS = 0,
  parameter UNIT_TYPE = 0,
  parameter [31:0] CFG_HASH = 0,
  parameter CTX_MAX = 16,
  parameter TAIL = 0
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire ins_valid_i,
  input  wire [2:0] ins_kind_i,
  input  wire ins_set_sync_i,
  input  wire ins_pop_sync_i,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] ins_group_i,
  input  wire [LANES-1:0] ins_mask_i,
  input  wire [ENTRY_W-LANES-3:0] ins_target_i,
  input  wire [ENTRY_W-LANES-3:0] ins_next_i,
  output wire [THREADS-1:0] ins_step_o,
  output wire [THREADS-1:0] ins_push_o,
  output wire [THREADS-1:0] ins_pop_o,
  output wire [THREADS-1:0] ins_launch_o,

  output reg  res_valid_o,
  output reg  [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] res_group_o,
  output reg  [2:0] res_kind_o,
  output reg  [2:0] res_status_o,
  output reg  res_synced_o,
  output reg  res_go_o,
  output reg  [LANES-1:0] res_mask_o,
  output reg  [ENTRY_W-LANES-3:0] res_pc_o,

  output wire op_valid_o,
  output wire [2:0] op_kind_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] op_thread_o,
  output wire [ENTRY_W-1:0] op_data_o,
  input  wire [THREADS-1:0] can_push_i,
  input  wire [THREADS-1:0] can_top_i,
  input  wire can_go_i,

  input  wire ans_valid_i,
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] ans_thread_i,
  input  wire [2:0] ans_kind_i,
  input  wire [1:0] ans_status_i,
  input  wire ans_data_valid_i,
  input  wire [ENTRY_W-1:0] ans_data_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

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

  input  wire tail_halted_i,                // the unit behind is halted, and stays so,
  input  wire tail_active_i,                // works,
  input  wire tail_mem_i,                   // waits for memory,
  input  wire tail_mem_done_i,              // has an answer,
  input  wire tail_blocked_i,               // has a request that is not taken,
  input  wire tail_moves_i,                 // transfers something
  input  wire tail_nack_i,                  // an access of it is refused; implies tail_mem_done_i
  input  wire tail_nacked_i,                // one was: its sticky bit
  input  wire [23:0] tail_len_i,            // words of its context, from a save's command on
  output wire tail_save_o,                  // a save is under way; its words:
  input  wire tail_sav_valid_i,
  output wire tail_sav_ready_o,
  input  wire [31:0] tail_sav_data_i,
  input  wire tail_sav_last_i,
  output wire tail_load_o,                  // a load is under way; its words:
  output wire tail_ld_valid_o,
  input  wire tail_ld_ready_i,
  output wire [31:0] tail_ld_data_o,
  output wire tail_ld_last_o,
  output wire tail_ld_refused_o,            // the load will be refused: a word of the unit's own is wrong
  output wire [23:0] tail_ld_len_o,
  input  wire tail_bad_i,                   // with the last word of a load
  input  wire tail_whole_i,                 // with tail_abort_o: it had committed before a reset came
  output wire tail_abort_o                  // a load has failed
);
  localparam THREAD_W = (THREADS > 1) ? $clog2(THREADS) : 1;
  localparam PC_W = ENTRY_W - LANES - 2;
  localparam COUNT_W = $clog2(MAX_DEPTH + 1);
  // Places of operations that are not done, C0 and those behind it: after as many cycles one is in C0 again.
  localparam RING = (STACK_LATENCY < 2) ? 2 : (STACK_LATENCY > 4) ? 4 : STACK_LATENCY;

  generate
    if (STATUS < 0 || STATUS > 3) begin : g_status_range
      branch_unit_STATUS_out_of_range check ();
    end
    if (THREADS < 1 || THREADS > 1024) begin : g_threads_range
      branch_unit_THREADS_out_of_range check ();
    end
    if (LANES < 1 || LANES > 128) begin : g_lanes_range
      branch_unit_LANES_out_of_range check ();
    end
    if (ENTRY_W < 11 || ENTRY_W > 194) begin : g_entry_w_range
      branch_unit_ENTRY_W_out_of_range check ();
    end
    if (ENTRY_W < LANES + 10 || ENTRY_W > LANES + 66) begin : g_pc_range
      branch_unit_ENTRY_W_leaves_no_program_counter check ();
    end
    if (MAX_DEPTH < 2 || MAX_DEPTH > (1 << 20)) begin : g_max_depth_range
      branch_unit_MAX_DEPTH_out_of_range check ();
    end
    if (STACK_LATENCY < 1 || STACK_LATENCY > 8) begin : g_stack_latency_range
      branch_unit_STACK_LATENCY_out_of_range check ();
    end
  endgenerate

  localparam [2:0] BRANCH = 3'd1, CALL = 3'd2, PREBREAK = 3'd3, RETURN = 3'd4, BREAK = 3'd5, LAUNCH = 3'd6,
                   FINISH = 3'd7;
  localparam [2:0] NOT_EXECUTED = 3'd1, OVERFLOW = 3'd2, UNDERFLOW = 3'd3, WRONG_KIND = 3'd5,
                   NOT_EMPTY = 3'd6;
  localparam [1:0] T_CALL = 2'd0, T_BRK = 2'd1, T_DIV = 2'd2, T_SYNC = 2'd3;
  localparam [1:0] NONE = 2'd0, PUSH = 2'd1, POP = 2'd2, INIT = 2'd3;  // a stack operation
  localparam FLOW_W = LANES + PC_W;
  localparam WORD_W = 6 + ENTRY_W;                                     // of the state RAM
  localparam PAD = 1 << THREAD_W;                                      // groups that a number can name

  // ---- flags of the groups ---------------------------------------------------------------------------
  reg [THREADS-1:0] busy_q, live_q, stopped_q, synced_q, can_push_q, can_top_q;
  reg can_go_q;
  wire reg_waits;
  wire again;                         // what is not done comes to C0 next, and B waits
  wire halt, halted, clear, clear_q;  // clear: what is under way is dropped from the next cycle on
  wire closed;                        // nothing is taken and nothing moves but answers of the stack
  wire gate = !again && !reg_waits;
  wire [THREADS-1:0] open = (gate && !closed) ? live_q & ~busy_q : {THREADS{1'b0}};
  assign ins_step_o = open;
  assign ins_push_o = open & can_push_q;
  assign ins_pop_o = open & can_top_q;
  assign ins_launch_o = (gate && !closed && can_go_q) ? ~busy_q & (can_push_q | can_top_q)
                        : {THREADS{1'b0}};

  // ---- A: the group's bits, also for a register read -------------------------------------------------
  wire [THREAD_W-1:0] reg_group;
  wire ctx, ctx_load, ctx_half, ctx_slots, ctx_we;  // a context: the place of its word
  wire [THREAD_W-1:0] ctx_group;
  wire ctx_head;
  wire [31:0] ctx_word;
  reg [THREAD_W-1:0] b_group_q;
  wire [THREAD_W-1:0] look_at = (reg_waits && !ctx_load) ? reg_group : ctx_slots ? b_group_q : ctx_group;
  wire [THREAD_W-1:0] look = (reg_waits || ctx) ? look_at : ins_group_i;
  wire [PAD+THREADS-1:0] frees = {{PAD{1'b0}}, ~busy_q}, lives = {{PAD{1'b0}}, live_q},
                         syncs = {{PAD{1'b0}}, synced_q};
  wire [PAD+THREADS-1:0] pushes = {{PAD{1'b0}}, can_push_q}, tops = {{PAD{1'b0}}, can_top_q};
  wire [PAD+THREADS-1:0] stops = {{PAD{1'b0}}, stopped_q};
  wire look_free = frees[{1'b0, look}], look_live = lives[{1'b0, look}], look_synced = syncs[{1'b0, look}];

  wire [3:0] look_flags = {!look_free, look_synced, stops[{1'b0, look}], look_live};

  wire a_launch = ins_kind_i == LAUNCH;
  wire a_flow = ins_kind_i != 3'd0 && ins_kind_i < LAUNCH;
  wire a_leave = ins_kind_i == RETURN || ins_kind_i == BREAK;
  wire a_set = ins_set_sync_i && a_flow;
  wire a_pop = ins_pop_sync_i && !look_synced && !a_launch;
  wire a_can = a_pop ? tops[{1'b0, look}] : (a_set || (a_flow && !a_leave)) ? pushes[{1'b0, look}]
             : !a_leave || tops[{1'b0, look}];
  wire a_init = can_go_q && (pushes[{1'b0, look}] || tops[{1'b0, look}]);
  wire a_would = ins_valid_i && gate && look_free && (a_launch ? a_init : look_live && a_can);
  wire a_taken = a_would && !closed;

  // ---- B ---------------------------------------------------------------------------------------------
  reg b_valid_q, b_set_q, b_pop_q;
  reg b_judged_q, b_over_q;                  // it waits and has been judged: an overflow
  wire b_overflow;
  reg [2:0] b_kind_q;
  reg [LANES-1:0] b_mask_q;
  reg [PC_W-1:0] b_target_q, b_next_q;
  wire ld_begin, ld_enter, replay, ld_half;  // a load: it begins; an instruction is whole, and goes on to C
  wire ctx_turn;                             // the next instruction's place
  wire [2:0] ld_error;
  wire b_goes = b_valid_q && !again && (!closed || replay);
  wire b_holds = b_valid_q && again;
  wire [LANES-1:0] ld_mask;
  wire [PC_W-1:0] ld_target, ld_next;
  always @(posedge clk_i) begin
    if (rst_i || clear || ld_begin || replay) b_valid_q <= 1'b0;
    else if (ld_enter) b_valid_q <= 1'b1;
    else if (!b_holds && !closed) b_valid_q <= a_taken;
    if (ctx_we) begin
      if (ctx_slots && ctx_head) begin
        {b_group_q, b_kind_q, b_pop_q, b_set_q} <= {ctx_word[16+:THREAD_W], ctx_word[6:4], ctx_word[2:1]};
        {b_judged_q, b_over_q} <= {ctx_word[3], ctx_word[10:8] == OVERFLOW};
      end
      b_mask_q <= ld_mask;
      b_target_q <= ld_target;
      b_next_q <= ld_next;
    end else if (!b_holds && !closed) begin
      {b_judged_q, b_over_q} <= 2'b00;
      b_set_q <= a_set;
      b_pop_q <= a_pop;
      b_kind_q <= ins_kind_i;
      b_group_q <= ins_group_i;
      b_mask_q <= ins_mask_i;
      b_target_q <= ins_target_i;
      b_next_q <= ins_next_i;
    end else if (!closed) begin
      {b_judged_q, b_over_q} <= {1'b1, b_overflow};
    end
  end

  wire [WORD_W-1:0] word;
  wire [COUNT_W-1:0] depth;
  wire [LANES-1:0] mask = word[PC_W+:LANES];
  wire [COUNT_W-1:0] limit;
  wire [COUNT_W-1:0] below_limit;  // limit - 1
  wire b_launch = b_kind_q == LAUNCH;
  wire b_branch = b_kind_q == BRANCH && !b_pop_q;
  wire b_call = b_kind_q == CALL, b_prebreak = b_kind_q == PREBREAK;
  wire b_leaves = (b_kind_q == RETURN || b_kind_q == BREAK) && !b_pop_q;
  wire b_sets = b_set_q && !b_pop_q;
  wire b_takes = |(mask & b_mask_q);
  wire b_diverge = b_branch && b_takes && |(mask & ~b_mask_q);
  wire b_own = b_diverge || ((b_call || b_prebreak) && !b_pop_q);
  wire b_to_target = b_launch || (b_call && !b_pop_q) || (b_branch && b_takes);
  wire [LANES-1:0] b_m0 = b_launch ? b_mask_q : mask;
  wire [PC_W-1:0] b_else = b_pop_q ? word[PC_W-1:0] : b_next_q;

  // Errors that need no answer [BU-4, BU-5].
  wire empty = depth == {COUNT_W{1'b0}};
  wire full = depth >= limit;
  assign b_overflow = b_judged_q ? b_over_q : !b_pop_q && !b_launch
                      && ((full && (b_sets || b_own)) || (depth == below_limit && b_sets && b_own));
  wire b_underflow = empty && (b_pop_q || (b_leaves && !b_sets));
  wire b_not_empty = !empty && b_kind_q == FINISH && !b_pop_q;
  wire [2:0] b_found = b_overflow ? OVERFLOW : b_underflow ? UNDERFLOW : b_not_empty ? NOT_EMPTY : 3'd0;
  wire [2:0] b_error = !replay ? b_found : ld_half ? 3'd0 : ld_error;  // found before the context was saved
  wire b_bad = replay ? b_error != 3'd0 : b_overflow || b_underflow || b_not_empty;

  wire [1:0] b_main = (b_pop_q || b_leaves) ? POP : b_launch ? INIT : b_own ? PUSH : NONE;
  wire b_first = b_sets && b_main != NONE && !b_bad && !(replay && ld_half);
  wire b_only_sync = b_sets && b_main == NONE;
  wire [1:0] b_op = b_bad ? NONE : b_only_sync ? PUSH : b_main;
  wire [1:0] b_tkind = b_only_sync ? T_SYNC : b_call ? T_CALL : b_prebreak ? T_BRK : T_DIV;

  wire [1:0] b_ups = {b_sets && b_own, b_sets ^ b_own};
  wire b_down = b_pop_q || b_leaves;
  localparam [COUNT_W:0] ONE = 1;
  wire [COUNT_W:0] b_step = b_down ? (b_sets ? {COUNT_W+1{1'b0}} : ~ONE + 1'b1) : {{COUNT_W-1{1'b0}}, b_ups};
  wire [COUNT_W:0] b_depth = {1'b0, depth} + b_step;
  wire unused_carry = &{1'b0, b_depth[COUNT_W]};
  wire ld_flags, ld_enters;
  reg depth_we_q;                  // written a cycle later: its group is busy
  reg [THREAD_W-1:0] depth_group_q;
  reg [COUNT_W-1:0] depth_q;
  always @(posedge clk_i) begin
    depth_we_q <= ((b_goes && !replay && !b_bad) || ld_flags) && !rst_i && !clear;
    depth_group_q <= ld_flags ? ctx_group : b_group_q;
    depth_q <= ld_flags ? ctx_word[8+:COUNT_W] : b_launch ? {COUNT_W{1'b0}} : b_depth[COUNT_W-1:0];
  end

  // ---- C: the operation; what is not done goes round and comes again ----------------------------------
  // Masks and program counters are chosen here and not in B, where what chooses them comes late.
  localparam D_W = 3 + 3 + 2 + 1 + THREAD_W + FLOW_W;  // {kind, error, op, pop, group, mask, pc}
  localparam F_W = 3 + 3 + 2 + 1 + THREAD_W;
  localparam C_W = 5 + F_W + 2 * FLOW_W;
  wire [C_W-1:0] b_result = {b_set_q, b_tkind, b_diverge, b_to_target, b_kind_q, b_error, b_op,
                             b_pop_q, b_group_q, b_m0, b_mask_q, b_target_q, b_else};
  localparam E = RING - 1;
  reg c0_valid_q, c0_first_q;
  reg [C_W-1:0] c0_q;
  reg [E-1:0] e_valid_q, e_first_q;         // behind C0; e_valid_q: it comes again
  reg [E*C_W-1:0] e_q;                      // D's too, for as long
  wire [RING*C_W-1:0] places = {e_q, c0_q};
  wire [C_W-1:0] e_last = places[RING*C_W-1-:C_W];
  assign again = e_valid_q[E-1];
  wire [1:0] c_tkind = c0_q[C_W-2-:2];
  wire c_diverge = c0_q[C_W-4];
  wire [F_W-1:0] c_what = c0_q[2*FLOW_W+:F_W];
  wire [THREAD_W-1:0] c_group = c_what[THREAD_W-1:0];
  wire [1:0] c_main = c_what[THREAD_W+1+:2];
  wire [LANES-1:0] c_m0 = c0_q[2*PC_W+LANES+:LANES];
  wire [LANES-1:0] c_others = ~c0_q[2*PC_W+:LANES] | {LANES{!c_diverge}};
  wire [PC_W-1:0] c_target = c0_q[PC_W+:PC_W];
  wire [PC_W-1:0] c_else = c0_q[PC_W-1:0];
  wire [1:0] c_op = c0_first_q ? PUSH : c_main;
  wire c_sync = c0_first_q || c_tkind == T_SYNC;

  assign op_valid_o = c0_valid_q && c_op != NONE && !closed;
  assign op_kind_o = (c_op == NONE) ? 3'd7 : (c_op == INIT) ? 3'd4 : (c_op == POP) ? 3'd1 : 3'd0;
  assign op_thread_o = c_group;
  wire [PC_W-1:0] c_tpc = (c_tkind == T_BRK) ? c_target : c_else;
  assign op_data_o = {c_tkind | {2{c_sync}}, c_m0 & (c_others | {LANES{c_sync}}), c_tpc & {PC_W{!c_sync}}};

  wire [PAD+THREADS-1:0] now_push = {{PAD{1'b0}}, can_push_i}, now_top = {{PAD{1'b0}}, can_top_i};
  wire c_can = (c_op != POP && now_push[{1'b0, c_group}]) || (c_op != PUSH && now_top[{1'b0, c_group}]);
  wire c_goes = c0_valid_q && !closed && (c_op == NONE || (can_go_i && c_can));
  wire c_done = c_goes && !c0_first_q;
  wire turns = !halted || ctx_turn;
  wire [RING-1:0] e_valid = {e_valid_q, c0_valid_q && !c_done}, e_first = {e_first_q, c0_first_q && !c_goes};
  always @(posedge clk_i) begin
    if (rst_i || clear || ld_begin) begin
      c0_valid_q <= 1'b0;
      e_valid_q <= {E{1'b0}};
    end else if (turns) begin
      c0_valid_q <= e_valid[E] || b_goes;
      e_valid_q <= e_valid[E-1:0];
    end
    if (turns) begin
      c0_q <= again ? e_last : b_result;
      c0_first_q <= again ? e_first[E] : b_first;
      e_q <= places[E*C_W-1:0];
      e_first_q <= e_first[E-1:0];
    end
  end

  // ---- D: waits for the answer -----------------------------------------------------------------------
  reg [STACK_LATENCY-1:0] d_valid_q, d_last_q;
  wire [STACK_LATENCY:0] d_valid = {d_valid_q, c_goes}, d_last = {d_last_q, !c0_first_q};
  always @(posedge clk_i) begin
    d_valid_q <= rst_i ? {STACK_LATENCY{1'b0}} : d_valid[STACK_LATENCY-1:0];
    d_last_q <= d_last[STACK_LATENCY-1:0];
  end
  // From the last place of the ring on only what R needs.
  wire [LANES-1:0] e_takers = e_last[2*PC_W+:LANES] | {LANES{!e_last[C_W-4]}};
  wire [PC_W-1:0] e_pc = e_last[C_W-5] ? e_last[PC_W+:PC_W] : e_last[PC_W-1:0];
  wire [D_W-1:0] d_next = {e_last[2*FLOW_W+:F_W], e_last[2*PC_W+LANES+:LANES] & e_takers, e_pc};
  wire [D_W-1:0] r_what;
  localparam REST = STACK_LATENCY - E;      // stages of D behind the ring
  generate
    if (REST > 0) begin : g_stages
      reg [REST*D_W-1:0] d_q;
      wire [(REST+1)*D_W-1:0] d = {d_q, d_next};
      always @(posedge clk_i) d_q <= d[REST*D_W-1:0];
      assign r_what = d[REST*D_W+:D_W];
    end else begin : g_ring
      assign r_what = d_next;
    end
  endgenerate

  // ---- R ---------------------------------------------------------------------------------------------
  wire r_valid = d_valid[STACK_LATENCY] && !clear && !clear_q;
  wire r_ends = r_valid && d_last[STACK_LATENCY];
  wire [2:0] r_kind = r_what[D_W-1-:3];
  wire [2:0] r_error = r_what[D_W-4-:3];
  wire [1:0] r_op = r_what[D_W-7-:2];
  wire r_pop = r_what[FLOW_W+THREAD_W];
  wire [THREAD_W-1:0] r_group = r_what[FLOW_W+:THREAD_W];
  wire [LANES-1:0] r_nm = r_what[PC_W+:LANES];
  wire [PC_W-1:0] r_npc = r_what[PC_W-1:0];
  wire unused_answer = &{1'b0, ans_valid_i, ans_thread_i, ans_kind_i, ans_data_valid_i};

  // Of the first of two operations: goes round with its place, whose answer comes in each RING cycles.
  localparam C_BAD = (3 * RING - 1 - STACK_LATENCY) % RING;  // that of C0
  reg [3*RING-1:0] bad_q;
  wire [2:0] r_bad = bad_q[3*RING-1-:3], c_bad = bad_q[3*C_BAD+:3];
  wire [2:0] r_answer = (r_op == NONE || ans_status_i == 2'd0) ? 3'd0 : {1'b0, ans_status_i} + 3'd1;
  wire [2:0] r_own = r_error | r_answer;  // one of them is 0
  wire [2:0] r_first = (r_bad != 3'd0) ? r_bad : r_own;
  always @(posedge clk_i)
    if (rst_i || clear || ld_begin) bad_q <= {3*RING{1'b0}};
    else if (turns) begin
      bad_q <= {bad_q[3*RING-4:0], r_ends ? 3'd0 : r_valid ? r_first : r_bad};
      if (replay && ld_half) bad_q[3*C_BAD+:3] <= ld_error;
    end

  wire [1:0] tkind = ans_data_i[ENTRY_W-1-:2];
  wire r_popped = r_op == POP && r_first == 3'd0;
  wire r_sync = r_popped && r_pop && tkind == T_SYNC;
  wire r_right = tkind == T_DIV || (r_pop ? tkind == T_SYNC : tkind == ((r_kind == RETURN) ? T_CALL : T_BRK));
  wire r_wrong = r_popped && !r_right;
  wire [2:0] r_status = r_wrong ? WRONG_KIND : (r_popped && r_pop) ? NOT_EXECUTED : r_first;
  wire r_stop = r_wrong || r_first != 3'd0;
  wire r_over = r_kind == FINISH && !r_pop;
  wire from_token = r_wrong || r_popped;
  wire pc_from_token = from_token && !r_sync;
  wire [LANES-1:0] r_mask = ({LANES{from_token}} & ans_data_i[PC_W+:LANES])
                            | ({LANES{!from_token && !r_stop}} & r_nm);
  wire [PC_W-1:0] r_pc = ({PC_W{pc_from_token}} & ans_data_i[PC_W-1:0])
                         | ({PC_W{!pc_from_token && !r_stop}} & r_npc);

  always @(posedge clk_i) begin
    res_valid_o <= r_ends && !rst_i;
    res_go_o <= r_ends && !rst_i && !r_stop && !r_over;
    res_group_o <= r_group;
    res_kind_o <= r_kind;
    res_status_o <= r_status;
    res_synced_o <= r_sync;
    res_mask_o <= r_mask;
    res_pc_o <= r_pc;
  end

  // ---- state: {0, mask, pc} of each group; in the upper half {status, kind, token} of its error --------
  // While all stands still B's word is read again and again, but for register reads and a context.
  wire reg_error_half;
  wire reg_goes = closed ? halt && halted && !ctx_load && !clear
                  : !b_valid_q && !r_ends && !depth_we_q;
  wire use_b = closed ? !ctx && !(reg_waits && reg_goes) : b_holds;
  wire look_half = closed ? (reg_waits && reg_goes ? reg_error_half : ctx_half)
                          : reg_waits && reg_error_half && !b_holds;
  wire ld_write, ld_to_half;
  wire [THREAD_W-1:0] ld_to;
  wire [7:0] ld_what;
  ram_1r1w #(.WIDTH(WORD_W), .DEPTH(2 * PAD)) u_state (
    .clk_i(clk_i), .we_i(r_ends || ld_write), .waddr_i(ld_write ? {ld_to_half, ld_to} : {r_stop, r_group}),
    .wdata_i(ld_write ? {ld_what, b_mask_q, b_target_q}
             : {r_status, r_kind, tkind & {2{r_wrong}}, r_mask, r_pc}),
    .raddr_i({look_half, use_b ? b_group_q : look}), .rdata_o(word));
  ram_1r1w #(.WIDTH(COUNT_W), .DEPTH(PAD)) u_depth (
    .clk_i(clk_i), .we_i(depth_we_q), .waddr_i(depth_group_q), .wdata_i(depth_q),
    .raddr_i(use_b ? b_group_q : look), .rdata_o(depth));

  // Group numbers decoded in two halves.
  localparam LOWS = (THREADS > 16) ? 8 : (THREADS > 4) ? 4 : 2;
  localparam LOW_W = $clog2(LOWS);
  localparam HIGHS = (1 << THREAD_W) / LOWS;
  function [LOWS-1:0] low(input [LOW_W-1:0] number);
    low = {{LOWS-1{1'b0}}, 1'b1} << number;
  endfunction
  function [HIGHS-1:0] high(input valid, input [THREAD_W-1:0] number);
    high = {{HIGHS-1{1'b0}}, valid} << (number >> LOW_W);
  endfunction
  wire [THREAD_W-1:0] put_group = ld_flags ? ctx_group : ld_enters ? b_group_q : r_group;
  wire [LOWS-1:0] a_low = low(ins_group_i[LOW_W-1:0]), r_low = low(put_group[LOW_W-1:0]);
  wire [HIGHS-1:0] a_high = high(a_taken, ins_group_i),
                   r_high = high(r_ends || ld_flags || ld_enters, put_group);
  genvar t;
  generate
    for (t = 0; t < THREADS; t = t + 1) begin : g_group
      wire a_hit = a_low[t%LOWS] && a_high[t/LOWS];
      wire r_hit = r_low[t%LOWS] && r_high[t/LOWS];
      always @(posedge clk_i)
        if (rst_i || clear) begin
          busy_q[t] <= 1'b0;
          live_q[t] <= 1'b0;
          stopped_q[t] <= 1'b0;
          synced_q[t] <= 1'b0;
        end else begin
          if (a_hit || r_hit) busy_q[t] <= a_hit || ld_enters;
          if (r_hit && !ld_enters) begin
            live_q[t] <= ld_flags ? ctx_word[0] : !r_stop && !r_over;
            stopped_q[t] <= ld_flags ? ctx_word[1] : r_stop;
            synced_q[t] <= ld_flags ? ctx_word[2] : r_sync;
          end
        end
    end
  endgenerate
  always @(posedge clk_i) begin
    can_push_q <= can_push_i;
    can_top_q <= can_top_i;
    can_go_q <= can_go_i && !rst_i;
  end

  // ---- unit status, context and registers (docs/branch_unit_status.md) ---------------------------------
  // The instructions under way as they were in B: {group, error, kind, half done, pop, set, valid, mask,
  // target, next}.
  localparam SLOT_W = THREAD_W + 10 + FLOW_W + PC_W;
  function [SLOT_W-1:0] slot(input [C_W-1:0] c, input valid, input half, input [2:0] bad);
    slot = {c[2*FLOW_W+:THREAD_W], half ? bad : c[2*FLOW_W+THREAD_W+3+:3], c[2*FLOW_W+THREAD_W+6+:3], half,
            c[2*FLOW_W+THREAD_W], c[C_W-1], valid, c[2*PC_W+:LANES], c[2*PC_W-1:0]};
  endfunction
  wire c_half = c0_q[C_W-1] && !c_what[THREAD_W] && c_tkind != T_SYNC && c_what[THREAD_W+3+:3] == 3'd0
                && !c0_first_q;
  wire [SLOT_W-1:0] slot_c0 = slot(c0_q, c0_valid_q, c_half, c_bad);
  wire [SLOT_W-1:0] slot_b = {b_group_q, 1'b0, b_over_q, 1'b0, b_kind_q, b_judged_q, b_pop_q, b_set_q,
                              b_valid_q, b_mask_q, b_target_q, b_next_q};
  wire save, sav_valid, sav_ready, sav_last, ld_valid, ld_ready, ld_last, ld_wrong, commit;
  wire [31:0] sav_data;
  wire [23:0] ctx_len, ld_len;
  wire reg_taken, reg_executes, reg_write, reg_good;
  wire [9:0] reg_addr;
  wire [31:0] reg_data, reg_word;
  wire unused_resume, unused_still;
  assign ctx = save || ctx_load;
  wire asks = c0_valid_q && c_op != NONE;
  wire leaves = TAIL == 0 && asks;     // operations leave the unit
  wire answers = |d_valid_q;
  wire depth_written = depth_we_q && !ctx_load;
  wire st_in = a_would && !ctx && !clear && !clear_q;
  wire b_runs = b_valid_q && !again && !closed;
  wire proc = b_runs || c_goes || answers || depth_written || tail_active_i;
  unit_shell #(
    .STATUS(STATUS), .UNIT_TYPE(UNIT_TYPE), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX), .ADDR_W(10)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i), .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .st_in_i(st_in), .st_out_i(res_valid_o || (leaves && (c_goes || halted))), .st_proc_i(proc),
    .st_work_i(b_valid_q || c0_valid_q || |e_valid_q), .st_mem_i(tail_mem_i), .st_mem_done_i(tail_mem_done_i),
    .st_nack_i(tail_nack_i), .st_blocked_i(tail_blocked_i || (leaves && !closed && !c_goes)),
    .st_cannot_i(!(st_in || b_runs || c_goes || answers || tail_active_i)),
    .st_progress_i((st_in && !closed) || res_valid_o || (asks && c_goes) || proc || tail_moves_i),
    .st_gather_i(1'b0), .can_halt_i(!answers && !res_valid_o && !depth_written && tail_halted_i),
    .clears_i(answers), .nack_clear_i(!ctx_load && !tail_nacked_i), .nack_load_i(tail_nacked_i),
    .halt_o(halt), .halted_o(halted), .resume_o(unused_resume), .clear_o(clear), .clearing_o(clear_q),
    .closed_o(closed), .still_o(unused_still), .save_o(save), .ctx_len_i(ctx_len), .sav_valid_i(sav_valid),
    .sav_ready_o(sav_ready), .sav_data_i(sav_data), .sav_last_i(sav_last), .load_o(ctx_load),
    .ld_len_o(ld_len), .ld_valid_o(ld_valid), .ld_ready_i(ld_ready), .ld_data_o(ctx_word),
    .ld_last_o(ld_last), .ld_wrong_i(ld_wrong), .ld_refused_o(tail_ld_refused_o), .commit_o(commit),
    .abort_o(tail_abort_o),
    .reg_taken_o(reg_taken), .reg_waits_i(reg_waits), .reg_executes_o(reg_executes), .reg_write_o(reg_write),
    .reg_addr_o(reg_addr), .reg_data_o(reg_data), .reg_good_i(reg_good), .reg_word_i(reg_word));
  branch_unit_words #(
    .THREADS(THREADS), .THREAD_W(THREAD_W), .LANES(LANES), .PC_W(PC_W), .COUNT_W(COUNT_W),
    .MAX_DEPTH(MAX_DEPTH), .TAIL(TAIL), .SLOT_W(SLOT_W), .RING(RING)
  ) u_words (
    .clk_i(clk_i), .rst_i(rst_i), .reg_taken_i(reg_taken), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_waits_o(reg_waits), .reg_executes_i(reg_executes),
    .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_data_i(reg_data), .reg_good_o(reg_good),
    .reg_word_o(reg_word), .reg_half_o(reg_error_half), .reg_group_o(reg_group),
    .looks_i(reg_waits && reg_goes), .half_o(ctx_half), .group_o(ctx_group), .flags_i(look_flags),
    .word_i(word), .depth_i(depth), .limit_o(limit), .below_limit_o(below_limit),
    .live_i(live_q),
    .stopped_i(stopped_q), .clear_i(clear), .error_i(r_ends && r_stop), .error_status_i(r_status),
    .error_kind_i(r_kind), .error_group_i(r_group), .save_i(save), .ctx_len_o(ctx_len),
    .sav_valid_o(sav_valid), .sav_ready_i(sav_ready), .sav_data_o(sav_data), .sav_last_o(sav_last),
    .load_i(ctx_load), .ld_len_i(ld_len), .ld_valid_i(ld_valid), .ld_ready_o(ld_ready),
    .ld_data_i(ctx_word), .ld_last_i(ld_last), .ld_wrong_o(ld_wrong),
    .commit_i(commit || (tail_abort_o && tail_whole_i)),
    .slots_o(ctx_slots), .slots_i({slot_b, slot_c0}), .turn_o(ctx_turn),
    .b_group_i(b_group_q), .b_launch_i(b_launch), .b_mask_i(b_mask_q), .b_target_i(b_target_q),
    .b_next_i(b_next_q), .we_o(ctx_we), .head_o(ctx_head), .mask_o(ld_mask), .target_o(ld_target),
    .next_o(ld_next), .begin_o(ld_begin), .flags_o(ld_flags), .enter_o(ld_enter), .enters_o(ld_enters),
    .replay_o(replay), .half_done_o(ld_half), .error_o(ld_error), .write_o(ld_write),
    .write_half_o(ld_to_half), .write_group_o(ld_to), .what_o(ld_what), .tail_len_i(tail_len_i),
    .tail_sav_valid_i(tail_sav_valid_i), .tail_sav_ready_o(tail_sav_ready_o),
    .tail_sav_data_i(tail_sav_data_i), .tail_sav_last_i(tail_sav_last_i), .tail_ld_valid_o(tail_ld_valid_o),
    .tail_ld_ready_i(tail_ld_ready_i), .tail_ld_len_o(tail_ld_len_o), .tail_bad_i(tail_bad_i));
  assign {tail_save_o, tail_load_o, tail_ld_last_o, tail_ld_data_o} = {save, ctx_load, ld_last, ctx_word};
endmodule

`default_nettype wire
