// SPDX-License-Identifier: Apache-2.0
// branch_unit_blackbox: what must hold of a branch_unit, seen from its ports alone.
//
// Instructions of any kind and group come at will, the stack takes operations when it likes and answers each
// after STACK_LATENCY cycles with any status and any token. One marked group, any of them, is followed by a
// model of its own, from the requirements: mask, pc and depth change by results and operations alone. Each
// output is one property; 1 says that it is broken.
//
// With HALTS the front end halts, resets and resumes the unit in any cycle and saves its context while it is
// halted, as the contract of unit status allows: halt stays until a save has ended, and no reset comes
// meanwhile.
//
// With LOADS contexts come in, too: the words that branch_unit_saved.v asks of a save, of any state in which
// the marked group can be saved; the model goes on from that state. Of other groups the words are any. A
// header may be wrong, a word unreadable, the stream too short or too long, its store may have found an
// error: then the load is to be refused.
`default_nettype none

module branch_unit_blackbox #(
  parameter THREADS = 2,
  parameter LANES = 2,
  parameter ENTRY_W = 12,
  parameter MAX_DEPTH = 2,
  parameter STACK_LATENCY = 1,
  parameter THREAD_W = 1,
  parameter PC_W = 8,
  parameter COUNT_W = 2,
  parameter STATUS = 0,
  parameter HALT_OWN = 3,
  // Options of a task.
  parameter REGS = 0,     // the register port reads at will
  parameter PROMPT = 0,   // the stack takes every operation at once
  parameter BITS = 0,     // not 0: compare only so many bits of a program counter
  // with STATUS: 1 halts, resets, resumes and saves at will; N: a halt from cycle N on, and a save
  parameter HALTS = 0,
  // with HALTS 1: 1 loads at will; 2: one load before all else, as fast as it can, then as with 0
  parameter LOADS = 0
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,   // the marked group

  input  wire free_ins_valid_i,
  input  wire [2:0] free_ins_kind_i,
  input  wire free_ins_set_sync_i,
  input  wire free_ins_pop_sync_i,
  input  wire [THREAD_W-1:0] free_ins_group_i,
  input  wire [LANES-1:0] free_ins_mask_i,
  input  wire [PC_W-1:0] free_ins_target_i,
  input  wire [PC_W-1:0] free_ins_next_i,
  output wire ins_valid_i,
  output wire [2:0] ins_kind_i,
  output wire ins_set_sync_i,
  output wire ins_pop_sync_i,
  output wire [THREAD_W-1:0] ins_group_i,
  output wire [LANES-1:0] ins_mask_i,
  output wire [PC_W-1:0] ins_target_i,
  output wire [PC_W-1:0] ins_next_i,
  input  wire [THREADS-1:0] ins_step_o,
  input  wire [THREADS-1:0] ins_push_o,
  input  wire [THREADS-1:0] ins_pop_o,
  input  wire [THREADS-1:0] ins_launch_o,

  input  wire res_valid_o,
  input  wire [THREAD_W-1:0] res_group_o,
  input  wire [2:0] res_kind_o,
  input  wire [2:0] res_status_o,
  input  wire res_synced_o,
  input  wire res_go_o,
  input  wire [LANES-1:0] res_mask_o,
  input  wire [PC_W-1:0] res_pc_o,

  input  wire op_valid_o,
  input  wire [2:0] op_kind_o,
  input  wire [THREAD_W-1:0] op_thread_o,
  input  wire [ENTRY_W-1:0] op_data_o,
  input  wire [THREADS-1:0] free_can_push_i,
  input  wire [THREADS-1:0] free_can_top_i,
  input  wire free_can_go_i,
  output wire [THREADS-1:0] can_push_i,
  output wire [THREADS-1:0] can_top_i,
  output wire can_go_i,

  input  wire free_ans_valid_i,
  input  wire [1:0] free_ans_status_i,
  input  wire [ENTRY_W-1:0] free_ans_data_i,
  output wire ans_valid_i,
  output wire [1:0] ans_status_i,
  output wire [ENTRY_W-1:0] ans_data_i,

  input  wire free_reg_req_valid_i,
  input  wire free_reg_req_write_i,
  input  wire [9:0] free_reg_req_addr_i,
  output wire reg_req_valid_i,
  output wire reg_req_write_i,
  output wire [9:0] reg_req_addr_i,

  input  wire free_cmd_halt_i,
  input  wire free_cmd_reset_i,
  input  wire free_cmd_resume_i,
  output wire cmd_halt_i,
  output wire cmd_reset_i,
  output wire cmd_resume_i,
  input  wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  input  wire free_ctx_cmd_valid_i,
  input  wire free_ctx_cmd_load_i,
  input  wire free_ctx_out_ready_i,
  output wire ctx_cmd_valid_i,
  output wire ctx_cmd_load_i,
  output wire ctx_out_ready_i,
  input  wire ctx_cmd_ready_o,
  input  wire ctx_done_o,
  input  wire [2:0] ctx_error_o,
  input  wire ctx_out_valid_o,
  input  wire [31:0] ctx_out_data_o,
  input  wire ctx_out_last_o,
  input  wire [15:0] free_ctx_unit_i,
  input  wire free_ctx_in_valid_i,
  input  wire [31:0] free_ctx_in_data_i,
  input  wire free_ctx_in_last_i,
  input  wire [1:0] free_ctx_in_error_i,
  output wire [15:0] ctx_unit_i,
  output wire ctx_in_valid_i,
  output wire [31:0] ctx_in_data_i,
  output wire ctx_in_last_i,
  output wire [1:0] ctx_in_error_i,
  input  wire ctx_in_ready_o,

  // BU-5 BU-6: ready only when live and nothing is under way; for a launch: nothing is
  output wire bad_ready_o,
  // BU-5: one result for each instruction, not before its operations are answered
  output wire bad_answer_o,
  output wire bad_count_o,     // BU-5: no more results than instructions
  output wire bad_operation_o, // BU-3 BU-5: the operations of the instruction, in their order, and no others
  output wire bad_token_o,     // BU-1 BU-3: what is pushed: kind, mask, program counter
  // BU-5: a push only while all pushes of the instruction fit, a pop only from a stack with tokens
  output wire bad_fits_o,
  // BU-5: an operation that is not taken, and the second of an instruction, comes RING cycles later
  output wire bad_again_o,
  output wire bad_status_o,    // BU-3 BU-4: the status of the result
  // BU-4 BU-6: the group goes on exactly with status 0 or 1, and not behind a finish
  output wire bad_goes_o,
  output wire bad_mask_o,      // BU-3 BU-4: the active mask of the group that goes on
  output wire bad_counter_o,        // BU-3 BU-4: its program counter
  output wire bad_stopped_o,   // BU-4 BU-6: a group that was stopped or has finished takes a launch only
  // BU-5: with a stack that takes everything at once a result comes in bounded time
  output wire bad_wait_o,
  // US-5 US-14: from the first cycle of a halt request on nothing is taken and no operation offered
  output wire bad_closed_o,
  // US-4: halted in time, until the release, and never without a request; nothing comes out then or in the
  // cycle before
  output wire bad_halted_o,
  output wire bad_reset_o,     // US-7: after a reset no group is live and what was under way gives no result
  // US-9: a save says of the marked group and of the registers what the model says
  output wire bad_saved_o,
  // US-9 US-13: behind a load the group goes on as the words said; a stream with an error is refused, and no
  // other
  output wire bad_restored_o,
  output wire cover_two_o,     // an instruction with two pushes is done
  output wire cover_sync_o,    // an instruction behind a popped sync token is done
  output wire cover_wrong_o,   // a token of the wrong kind stops the group
  output wire cover_loaded_o,  // an instruction that came in with a context is done
  output wire cover_refused_o  // a load is refused behind its header
);
  localparam [2:0] BRANCH = 3'd1, CALL = 3'd2, PREBREAK = 3'd3, RETURN = 3'd4, BREAK = 3'd5, LAUNCH = 3'd6,
                   FINISH = 3'd7;
  localparam [2:0] NOT_EXECUTED = 3'd1, OVERFLOW = 3'd2, UNDERFLOW = 3'd3, WRONG_KIND = 3'd5,
                   NOT_EMPTY = 3'd6;
  localparam [1:0] T_CALL = 2'd0, T_BRK = 2'd1, T_DIV = 2'd2, T_SYNC = 2'd3;
  localparam [2:0] BAD_SUM = 3'd5;         // of a load
  localparam [2:0] PUSH = 3'd0, POP = 3'd1, INIT = 3'd4;
  localparam RING = (STACK_LATENCY < 2) ? 2 : (STACK_LATENCY > 4) ? 4 : STACK_LATENCY;  // of the unit
  localparam SERVED = STACK_LATENCY + 10;
  wire [(1<<THREAD_W)-1:0] groups = {(1<<THREAD_W){1'b1}} >> ((1 << THREAD_W) - THREADS);

  reg [THREAD_W-1:0] mark_q;
  always @(posedge clk_i) if (rst_i) mark_q <= groups[free_mark_i[THREAD_W-1:0]] ? free_mark_i[THREAD_W-1:0]
                                               : {THREAD_W{1'b0}};

  // ---- what comes in
  assign {ins_valid_i, ins_kind_i, ins_set_sync_i, ins_pop_sync_i} =
         {free_ins_valid_i, free_ins_kind_i, free_ins_set_sync_i, free_ins_pop_sync_i};
  assign {ins_group_i, ins_mask_i, ins_target_i, ins_next_i} =
         {free_ins_group_i, free_ins_mask_i, free_ins_target_i, free_ins_next_i};
  assign can_push_i = free_can_push_i | {THREADS{PROMPT != 0}};
  assign can_top_i = free_can_top_i | {THREADS{PROMPT != 0}};
  assign can_go_i = free_can_go_i || PROMPT != 0;
  assign reg_req_valid_i = REGS != 0 && free_reg_req_valid_i;
  assign {reg_req_write_i, reg_req_addr_i} = {1'b0, free_reg_req_addr_i};

  // ---- the front end: what the unit sees of its commands, and what follows
  localparam UNIT = STATUS != 0 && HALTS != 0;
  reg [STACK_LATENCY-1:0] past_q, past_mine_q, past_init_q;  // operations that the stack has still to answer
  reg halt_q, reset_q, saving_q, loading_q, drops_q;
  localparam STATE_W = (STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5;
  localparam [4:0] HALTED = (STATUS == 2) ? 5'b01010 : (STATUS == 3) ? 5'b00100 : 5'b10000;
  wire halted = UNIT && state_o == HALTED[STATE_W-1:0];
  wire drops = drops_q && past_q != {STACK_LATENCY{1'b0}};  // answers to what a reset has dropped
  wire closed = halt_q || halted || reset_q || drops;
  localparam AT = HALTS > 1;
  localparam [31:0] HALT_AT = HALTS;
  reg [7:0] cycle_q;
  always @(posedge clk_i) cycle_q <= (rst_i || !AT) ? 8'd0 : cycle_q + {7'd0, cycle_q != 8'd255};
  reg opened_q;                            // with LOADS 2: the load is over
  wire opens = LOADS == 2 && !opened_q;
  assign cmd_halt_i = UNIT && (AT ? cycle_q >= HALT_AT[7:0] : free_cmd_halt_i || saving_q
                               || loading_q || opens);
  assign cmd_reset_i = UNIT && !AT && free_cmd_reset_i && !saving_q && !loading_q && !ctx_cmd_valid_i
                       && !opens;
  assign cmd_resume_i = UNIT && free_cmd_resume_i;
  assign ctx_cmd_valid_i = (AT || opens || free_ctx_cmd_valid_i) && halted && halt_q && cmd_halt_i
                           && !reset_q;
  assign ctx_cmd_load_i = opens || (LOADS == 1 && free_ctx_cmd_load_i);
  assign ctx_out_ready_i = AT || free_ctx_out_ready_i;
  wire begins = UNIT && ctx_cmd_valid_i && ctx_cmd_ready_o && ctx_cmd_load_i;
  always @(posedge clk_i) begin
    halt_q <= cmd_halt_i && !rst_i;
    reset_q <= cmd_reset_i && !rst_i;
    saving_q <= !rst_i && ((ctx_cmd_valid_i && ctx_cmd_ready_o && !ctx_cmd_load_i)
                           || (saving_q && !ctx_done_o));
    loading_q <= !rst_i && (begins || (loading_q && !ctx_done_o));
    opened_q <= !rst_i && (opened_q || (loading_q && ctx_done_o));
    drops_q <= !rst_i && (reset_q || drops);
  end

  // ---- a context that comes in: in the first cycle of the load it is chosen whether the header is to be
  // good and, if it is, a state of the marked group; in the second what follows from its instruction
  reg [15:0] number_q;                     // of the unit
  assign ctx_unit_i = number_q;
  wire loads = begins && (opens || free_mark_i[49]);
  reg foreign_q;                           // the header is wrong,
  reg [1:0] wrong_q;                       // in this word
  reg begun_q, broken_q;                   // a word could not be read, or the end was in the wrong place
  reg [2:0] at_q;                          // where the instruction is: C0, those behind it, B
  localparam [31:0] AT_B = RING;
  reg half_q;                              // if it has two operations, one is done,
  reg [2:0] half_bad_q;                    // with this status
  wire [31:0] word;                        // as it should be
  wire behind;                             // nothing is left: for blocks that add words
  // a word of the header; one that is known; the last; heads: of a slot, of others
  wire header, said, final_word, slot_in, slot_head, record_head;
  wire [1:0] header_at;
  wire [THREAD_W-1:0] record_of;
  wire spoils = foreign_q && header && header_at == wrong_q;
  wire [31:0] most;                        // words of payload; a header may say 1 at least
  wire differs_in = wrong_q == 2'd2 ? free_ctx_in_data_i == 32'd0 || free_ctx_in_data_i > most
      : free_ctx_in_data_i != word;
  wire others = slot_head && free_ctx_in_data_i[0] && THREADS > 1
      && free_ctx_in_data_i[16+:THREAD_W] != mark_q;
  assign ctx_in_valid_i = opens || free_ctx_in_valid_i;
  assign ctx_in_data_i = spoils && differs_in ? free_ctx_in_data_i : said ? word
                       : {free_ctx_in_data_i[31:1], slot_head ? others : free_ctx_in_data_i[0]};
  assign ctx_in_error_i = ctx_in_last_i && !opens ? free_ctx_in_error_i : 2'd0;
  assign ctx_in_last_i = header && !foreign_q ? 1'b0 : spoils ? free_ctx_in_last_i || !differs_in : opens
      ? final_word : free_ctx_in_last_i;
  wire in_taken = loading_q && ctx_in_valid_i && ctx_in_ready_o;
  wire in_said = in_taken && !foreign_q;
  wire ends_load = loading_q && ctx_done_o;
  wire refused = ends_load && ctx_error_o != 3'd0 && !foreign_q;
  wire clears = reset_q || refused;
  reg strange_q;                           // what is said of other groups need not be accepted
  wire [31:0] in_depth = {8'd0, ctx_in_data_i[31:8]};
  always @(posedge clk_i) begin
    if (rst_i) number_q <= free_ctx_unit_i;
    begun_q <= !rst_i && loads;
    if (begins) begin
      foreign_q <= !loads;
      wrong_q <= free_mark_i[51] ? 2'd2 : free_mark_i[51:50];
      {broken_q, strange_q} <= 2'b00;
    end else if (in_taken) begin
      if (ctx_in_error_i != 2'd0 || ctx_in_last_i != final_word) broken_q <= 1'b1;
      if (record_head && (in_depth > MAX_DEPTH || (ctx_in_data_i[0] && ctx_in_data_i[1])
          || (ctx_in_data_i[2] && !ctx_in_data_i[0])))
        strange_q <= 1'b1;
      if (slot_in && !said && ctx_in_data_i[0]) strange_q <= 1'b1;
    end
    if (begins) begin
      at_q <= (free_mark_i[44] || {1'b0, free_mark_i[55:54]} >= AT_B[2:0]) ? AT_B[2:0]
              : {1'b0, free_mark_i[55:54]};
      half_q <= free_mark_i[45];
      half_bad_q <= free_mark_i[47:46] == 2'd0 ? 3'd0 : {1'b0, free_mark_i[47:46]} + 3'd1;
    end
  end
  wire load_live = free_mark_i[34] && !free_mark_i[33];
  wire load_synced = free_mark_i[35] && load_live;
  wire load_launch = free_ins_kind_i == LAUNCH;
  wire load_busy = free_mark_i[42] && (load_live || load_launch);
  wire [COUNT_W:0] any_depth = {1'b0, free_ctx_in_data_i[COUNT_W-1:0]};
  wire [COUNT_W-1:0] load_depth = any_depth > MAX_DEPTH[COUNT_W:0] ? {COUNT_W{1'b0}} : any_depth[COUNT_W-1:0];

  // ---- the stack: any answer, in its time
  wire op_taken = op_valid_o && !rst_i && groups[op_thread_o]
                  && can_go_i && ((op_kind_o != POP && can_push_i[op_thread_o])
                                  || (op_kind_o != PUSH && can_top_i[op_thread_o]));
  wire op_mine = op_valid_o && op_thread_o == mark_q;
  generate
    if (STACK_LATENCY > 1) begin : g_past
      always @(posedge clk_i) begin
        past_q <= rst_i ? {STACK_LATENCY{1'b0}} : {past_q[STACK_LATENCY-2:0], op_taken};
        past_mine_q <= {past_mine_q[STACK_LATENCY-2:0], op_mine};
        past_init_q <= {past_init_q[STACK_LATENCY-2:0], op_kind_o == INIT};
      end
    end else begin : g_last
      always @(posedge clk_i) begin
        past_q <= !rst_i && op_taken;
        past_mine_q <= op_mine;
        past_init_q <= op_kind_o == INIT;
      end
    end
  endgenerate
  assign ans_valid_i = past_q[STACK_LATENCY-1];
  assign ans_status_i = past_init_q[STACK_LATENCY-1] ? 2'd0 : free_ans_status_i;
  assign ans_data_i = free_ans_data_i;
  wire answered = ans_valid_i && past_mine_q[STACK_LATENCY-1];

  // ---- the marked group between instructions, and the instruction under way
  reg busy_q, live_q, synced_q, stopped_q;
  reg [LANES-1:0] mask_q;
  reg [PC_W-1:0] pc_q;
  reg [COUNT_W-1:0] depth_q, before_q;     // tokens; when the instruction was taken
  reg [2:0] kind_q;
  reg raw_set_q, set_q, pop_q;             // set-sync as it came; if it pushes
  reg [LANES-1:0] imask_q;
  reg [PC_W-1:0] target_q, next_q;
  reg [1:0] asked_q, answers_q;            // operations taken, answered
  reg [2:0] bad_q;                         // the first status that is not ok, as a result's
  reg [ENTRY_W-1:0] token_q;               // the last answer's

  wire leaves = kind_q == RETURN || kind_q == BREAK;
  wire launches = kind_q == LAUNCH;
  wire [LANES-1:0] m0 = launches ? imask_q : mask_q;
  wire [LANES-1:0] takers = m0 & imask_q;
  wire diverges = kind_q == BRANCH && !pop_q && takers != {LANES{1'b0}} && takers != m0;
  wire own = !pop_q && (diverges || kind_q == CALL || kind_q == PREBREAK);
  wire [COUNT_W+1:0] wanted = {2'b00, before_q} + {{COUNT_W+1{1'b0}}, set_q} + {{COUNT_W+1{1'b0}}, own};
  wire pops = pop_q || leaves;
  wire overflow = !launches && (set_q || own) && wanted > MAX_DEPTH;
  wire underflow = !launches && pops && !set_q && before_q == {COUNT_W{1'b0}};
  wire not_empty = kind_q == FINISH && !pop_q && before_q != {COUNT_W{1'b0}};
  wire early = overflow || underflow || not_empty;
  wire [1:0] n_ops = early ? 2'd0 : {1'b0, set_q} + {1'b0, own || pops || launches};
  wire sync_now = set_q && asked_q == 2'd0;
  wire [2:0] op_kind = sync_now ? PUSH : launches ? INIT : pops ? POP : PUSH;
  wire [ENTRY_W-1:0] token = sync_now ? {T_SYNC, mask_q, {PC_W{1'b0}}}
                           : kind_q == CALL ? {T_CALL, mask_q, next_q}
                           : kind_q == PREBREAK ? {T_BRK, mask_q, target_q}
                           : {T_DIV, mask_q & ~takers, next_q};

  // The result: mine comes.
  wire mine = res_valid_o && res_group_o == mark_q;
  wire [1:0] tkind = token_q[ENTRY_W-1-:2];
  wire right = tkind == T_DIV || (pop_q ? tkind == T_SYNC : tkind == (kind_q == RETURN ? T_CALL : T_BRK));
  wire popped = !early && bad_q == 3'd0 && pops;
  wire [2:0] status = overflow ? OVERFLOW : underflow ? UNDERFLOW : not_empty ? NOT_EMPTY
                      : bad_q != 3'd0 ? bad_q
                    : !popped ? 3'd0 : !right ? WRONG_KIND : pop_q ? NOT_EXECUTED : 3'd0;
  wire good = status <= NOT_EXECUTED;
  wire syncs = popped && pop_q && tkind == T_SYNC;
  wire over = kind_q == FINISH && !pop_q;
  wire to_target = launches || (!pop_q && (kind_q == CALL || (kind_q == BRANCH && takers != {LANES{1'b0}})));
  wire [LANES-1:0] mask = popped ? token_q[PC_W+:LANES] : diverges ? takers : m0;
  wire [PC_W-1:0] pc = popped ? (syncs ? pc_q : token_q[PC_W-1:0]) : to_target ? target_q : next_q;

  wire busy = busy_q && !mine;             // of this cycle: the group of a result may issue
  wire live = mine ? good && !over : live_q;
  wire synced = mine ? syncs : synced_q;

  // ---- what is taken: of which class an instruction is
  reg [THREADS-1:0] synceds_q;             // of all groups, for the order: by their results
  reg sync_seen_q;
  wire [(1<<THREAD_W)+THREADS-1:0] synceds_x = {{(1<<THREAD_W){1'b0}}, synceds_q};
  wire now_synced = (res_valid_o && res_group_o == ins_group_i) ? res_status_o == NOT_EXECUTED && sync_seen_q
                                                               : synceds_x[{1'b0, ins_group_i}];
  wire is_flow = ins_kind_i >= BRANCH && ins_kind_i <= BREAK;
  wire is_leave = ins_kind_i == RETURN || ins_kind_i == BREAK;
  wire a_pop = ins_pop_sync_i && !now_synced && ins_kind_i != LAUNCH;
  wire a_set = ins_set_sync_i && is_flow;
  wire load_pop = ins_pop_sync_i && !load_synced && ins_kind_i != LAUNCH;
  wire ready = ins_kind_i == LAUNCH ? ins_launch_o[ins_group_i]
             : a_pop ? ins_pop_o[ins_group_i] : (a_set || (is_flow && !is_leave)) ? ins_push_o[ins_group_i]
             : is_leave ? ins_pop_o[ins_group_i] : ins_step_o[ins_group_i];
  wire takes = ins_valid_i && groups[ins_group_i] && ready && !rst_i;
  wire takes_mine = takes && ins_group_i == mark_q;
  integer t;
  always @(posedge clk_i) begin
    sync_seen_q <= ans_data_i[ENTRY_W-1-:2] == T_SYNC;
    for (t = 0; t < THREADS; t = t + 1)
      if (rst_i || clears) synceds_q[t] <= 1'b0;
      else if (loads || in_said) begin
        if (loads && t[THREAD_W-1:0] == mark_q) synceds_q[t] <= load_synced;
        if (in_said && record_head && record_of == t[THREAD_W-1:0]) synceds_q[t] <= ctx_in_data_i[2];
      end
      else if (res_valid_o && res_group_o == t[THREAD_W-1:0])
        synceds_q[t] <= res_status_o == NOT_EXECUTED && sync_seen_q;
  end

  always @(posedge clk_i) begin
    if (rst_i || clears) begin
      busy_q <= 1'b0;
      live_q <= 1'b0;
      synced_q <= 1'b0;
      stopped_q <= 1'b0;
    end else if (loads) begin
      {busy_q, live_q, synced_q, stopped_q} <= {load_busy, load_live, load_synced, free_mark_i[33]};
    end else begin
      busy_q <= busy || takes_mine;
      live_q <= live;
      synced_q <= synced;
      if (mine) stopped_q <= !good;
    end
    if (mine && good) begin
      mask_q <= mask;
      pc_q <= pc;
    end
    if (op_mine && op_taken) begin
      asked_q <= asked_q + 2'd1;
      depth_q <= op_kind_o == INIT ? {COUNT_W{1'b0}} : op_kind_o == PUSH ? depth_q + 1'b1 : depth_q - 1'b1;
    end
    if (answered) begin
      answers_q <= answers_q + 2'd1;
      token_q <= ans_data_i;
      if (bad_q == 3'd0 && ans_status_i != 2'd0) bad_q <= {1'b0, ans_status_i} + 3'd1;
    end
    if (takes_mine) begin
      {kind_q, raw_set_q, set_q, pop_q, imask_q} <= {ins_kind_i, a_set, a_set && !a_pop, a_pop, ins_mask_i};
      {target_q, next_q} <= {ins_target_i, ins_next_i};
      before_q <= depth_q;
      {asked_q, answers_q, bad_q} <= 7'd0;
    end
    if (loads) begin
      {kind_q, raw_set_q, set_q, pop_q, imask_q} <= {free_ins_kind_i, a_set, a_set && !load_pop, load_pop,
                                                     free_ins_mask_i};
      {target_q, next_q} <= {free_ins_target_i, free_ins_next_i};
      {mask_q, pc_q} <= free_ans_data_i[LANES+PC_W-1:0];
      {before_q, depth_q} <= {2{load_depth}};
      {asked_q, answers_q, bad_q} <= 7'd0;
    end else if (begun_q && busy_q && at_q != AT_B[2:0] && half_q && n_ops == 2'd2) begin
      {asked_q, answers_q, bad_q} <= {4'b0101, half_bad_q};
      depth_q <= before_q + 1'b1;
    end
  end

  // ---- properties
  wire [3:0] bits = {ins_launch_o[mark_q], ins_pop_o[mark_q], ins_push_o[mark_q], ins_step_o[mark_q]};
  assign bad_ready_o = !rst_i && ((busy && bits != 4'd0) || ((bits[2] || bits[1]) && !bits[0]));
  assign bad_stopped_o = !rst_i && !live && bits[2:0] != 3'd0;
  assign bad_answer_o = !rst_i && mine && (!busy_q || res_kind_o != kind_q || answers_q != n_ops);
  assign bad_operation_o = !rst_i && op_mine && !(busy_q && asked_q < n_ops && op_kind_o == op_kind);
  wire checked = !rst_i && op_mine && op_kind_o == PUSH && busy_q;
  wire [ENTRY_W-1:0] differs = op_data_o ^ token;
  localparam COMPARED = (BITS != 0 && BITS < PC_W) ? BITS : PC_W;
  assign bad_token_o = checked
                       && (differs[ENTRY_W-1:PC_W] != {LANES+2{1'b0}}
                           || differs[COMPARED-1:0] != {COMPARED{1'b0}});
  assign bad_fits_o = !rst_i && op_mine && busy_q
                      && (op_kind_o == PUSH ? wanted > MAX_DEPTH || depth_q >= MAX_DEPTH[COUNT_W-1:0]
                                                     : op_kind_o == POP && depth_q == {COUNT_W{1'b0}});
  assign bad_status_o = !rst_i && mine && busy_q
                        && (res_status_o != status
                            || res_synced_o != (status == NOT_EXECUTED && sync_seen_q));
  assign bad_goes_o = !rst_i && res_go_o != (res_valid_o && res_status_o <= NOT_EXECUTED
                                           && !(res_kind_o == FINISH && res_status_o == 3'd0));
  wire goes = !rst_i && mine && busy_q && res_go_o;
  wire [PC_W-1:0] pc_differs = res_pc_o ^ pc;
  assign bad_mask_o = goes && res_mask_o != mask;
  assign bad_counter_o = goes && pc_differs[COMPARED-1:0] != {COMPARED{1'b0}};

  // Places go round while the unit is not halted; what a reset or a load begins is another round.
  reg [RING-1:0] due_q;
  wire due = op_mine && busy_q && (op_taken ? asked_q == 2'd0 && n_ops == 2'd2 : 1'b1);
  wire [RING:0] dues = {due_q, due};
  always @(posedge clk_i)
    if (rst_i || closed || clears || loads) due_q <= {RING{1'b0}};
    else due_q <= dues[RING-1:0];
  assign bad_again_o = !rst_i && !closed && dues[RING] && !op_mine;

  // How many instructions are under way.
  localparam WAY_W = $clog2(THREADS + 2);
  reg [WAY_W-1:0] under_q;
  always @(posedge clk_i)
    if (rst_i || clears || loads) under_q <= {WAY_W{1'b0}};
    else if (loading_q) begin
      if (in_said && slot_in && ctx_in_data_i[0]) under_q <= under_q + 1'b1;
    end else under_q <= under_q - {{WAY_W-1{1'b0}}, res_valid_o} + {{WAY_W-1{1'b0}}, takes};
  assign bad_count_o = !rst_i && res_valid_o && under_q == {WAY_W{1'b0}};

  reg [7:0] time_q;                        // since the instruction was taken, or from the first cycle on
  reg counts_q;
  initial counts_q = 1'b0;
  wire [7:0] time_now = counts_q ? time_q : 8'd0;
  always @(posedge clk_i) begin
    counts_q <= 1'b1;
    time_q <= (rst_i || takes_mine || loads) ? 8'd0
              : time_now + {7'd0, busy_q && !closed && time_now != 8'd255};
  end
  assign bad_wait_o = PROMPT != 0 && !rst_i && busy_q && time_now > SERVED;

  // ---- halt, reset, save
  wire any = (ins_step_o | ins_push_o | ins_pop_o | ins_launch_o) != {THREADS{1'b0}};
  assign bad_closed_o = closed && !rst_i && (any || op_valid_o);
  localparam WAIT_W = $clog2(HALT_OWN + 2);
  localparam [31:0] LATEST = HALT_OWN;
  reg may_q;                               // the cycle before had a request and no reset,
  reg out_q;                               // or a result
  reg stays_q;                             // and was halted
  reg [WAIT_W-1:0] since_q;                // cycles of the request, of those behind a reset
  always @(posedge clk_i) begin
    may_q <= halt_q && !reset_q && !rst_i;
    out_q <= res_valid_o;
    stays_q <= halted && halt_q && !reset_q && !rst_i;
    since_q <= (rst_i || reset_q || !halt_q || halted) ? {WAIT_W{1'b0}}
               : since_q + {{WAIT_W-1{1'b0}}, since_q != LATEST[WAIT_W-1:0]};
  end
  assign bad_halted_o = !rst_i && (halted ? !may_q || out_q || res_valid_o
                                   : stays_q || (halt_q && since_q == LATEST[WAIT_W-1:0]));
  // since a reset, or a load that was refused, no launch of the marked group is done
  reg dead_q;
  wire dead = dead_q && !(mine && good);
  always @(posedge clk_i) dead_q <= !rst_i && (clears || (dead && !loads));
  assign bad_reset_o = dead && !rst_i && (bits[2:0] != 3'd0 || (res_valid_o && under_q == {WAY_W{1'b0}}));

  wire [COUNT_W-1:0] after = launches ? {COUNT_W{1'b0}} : early ? before_q
                           : before_q + {{COUNT_W-1{1'b0}}, set_q} + {{COUNT_W-1{1'b0}},
                               own} - {{COUNT_W-1{1'b0}}, pops};
  wire asks = asked_q < n_ops || n_ops == 2'd0;
  branch_unit_saved #(
    .THREADS(THREADS), .LANES(LANES), .ENTRY_W(ENTRY_W), .PC_W(PC_W), .MAX_DEPTH(MAX_DEPTH),
    .THREAD_W(THREAD_W), .COUNT_W(COUNT_W), .RING(RING)
  ) u_saved (
    .clk_i(clk_i), .rst_i(rst_i), .tail_len_i(24'd0), .tail_last_i(1'b0), .tail_bad_i(1'b0), .mark_i(mark_q),
    .unit_i(number_q), .clear_i(clears), .res_valid_i(res_valid_o), .res_group_i(res_group_o),
    .res_kind_i(res_kind_o), .res_status_i(res_status_o), .token_i(token_q),
    .busy_i(busy_q), .flags_i({synced_q, stopped_q, live_q}), .mask_i(mask_q), .pc_i(pc_q),
    .depth_i(loading_q && busy_q ? (at_q == AT_B[2:0] ? before_q : after) : depth_q),
    .before_i(before_q), .after_i(after), .set_i(raw_set_q), .pop_i(pop_q), .kind_i(kind_q),
        .ins_mask_i(imask_q),
    .target_i(target_q), .next_i(next_q), .half_i(asked_q == 2'd1 && n_ops == 2'd2), .asks_i(asks),
    .first_i(bad_q), .early_i(overflow ? OVERFLOW : underflow ? UNDERFLOW : not_empty ? NOT_EMPTY : 3'd0),
    .saving_i(saving_q), .valid_i(ctx_out_valid_o), .ready_i(ctx_out_ready_i), .word_i(ctx_out_data_o),
        .last_i(ctx_out_last_o),
    .done_i(ctx_done_o), .error_i(ctx_error_o), .bad_o(bad_saved_o),
    .loading_i(loading_q), .loads_i(loads), .begun_i(begun_q), .errors_i(free_mark_i[22:0]),
    .error_of_i(free_mark_i[23+:THREAD_W]), .what_i(free_mark_i[41:36]),
    .wrong_i({free_mark_i[53:52], free_ans_data_i[LANES+PC_W-1:0]}), .slot_i(at_q), .in_taken_i(in_taken),
    .word_o(word), .header_o(header), .index_o(header_at), .said_o(said), .final_o(final_word),
    .behind_o(behind),
        .record_head_o(record_head),
    .record_of_o(record_of), .slot_in_o(slot_in), .slot_head_o(slot_head), .most_o(most));

  // A load: of the stream that has been chosen, and no other; then the group is as it said.
  reg loaded_q;                            // the marked group is that of a context
  always @(posedge clk_i)
    loaded_q <= !rst_i && !reset_q && !loads
                && ((ends_load && ctx_error_o == 3'd0) || (loaded_q && !refused));
  wire spoiled = foreign_q || broken_q;
  wire verdict_bad = ends_load && (ctx_error_o == 3'd0 ? spoiled
                                   : !spoiled && !strange_q && ctx_error_o != BAD_SUM);
  // What is proved together with the state inside (branch_unit_invariants.v).
  wire any_bad = bad_ready_o || bad_answer_o || bad_operation_o || bad_token_o || bad_fits_o
                 || bad_status_o || bad_goes_o || bad_mask_o || bad_counter_o || bad_stopped_o;
  assign bad_restored_o = !rst_i && (verdict_bad || (loaded_q && (any_bad || bad_saved_o)));

  wire unused = &{1'b0, any_bad, behind, free_mark_i, free_ans_valid_i, free_reg_req_write_i, load_launch,
      differs,
                  pc_differs};

  reg was_synced_q;
  always @(posedge clk_i) if (takes_mine) was_synced_q <= synced && ins_pop_sync_i;
  assign cover_two_o = mine && busy_q && diverges && set_q && res_status_o == 3'd0;
  assign cover_sync_o = mine && busy_q && was_synced_q && res_status_o == 3'd0;
  reg came_q;                              // the instruction under way came in with a context
  always @(posedge clk_i) came_q <= !rst_i && (ends_load ? busy_q && ctx_error_o == 3'd0
                                               : came_q && busy && !takes_mine);
  assign cover_loaded_o = !rst_i && mine && came_q;
  assign cover_refused_o = !rst_i && refused;
  assign cover_wrong_o = mine && busy_q && res_status_o == WRONG_KIND;
endmodule

`default_nettype wire
