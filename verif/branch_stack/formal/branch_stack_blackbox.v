// SPDX-License-Identifier: Apache-2.0
// branch_stack_blackbox: what a user of a branch_stack relies on, seen from its ports alone.
//
// Instructions of any kind and group come at will; the memory takes requests when it likes and answers in any
// order, as late as it likes, its offer held until taken. One marked group, any of them, is followed by a
// model of its own: mask, pc and a stack of up to DEPTH tokens. So nothing is assumed of what lies between
// unit and memory. Memory holds the sets of the marked group; reads of other sets return anything. Each
// output is one property; 1 says that it is broken.
//
// With HALTS the front end halts, resets and resumes the whole in any cycle and saves its context while it is
// halted: a command is offered until it is taken, halt stays until the save has ended, and no reset comes
// meanwhile. With LOADS contexts come in, too, any words behind a header that is right or not, the end
// anywhere: one that is refused behind its header clears the whole. What came in is not followed: one that
// was accepted is not spoken of.
`default_nettype none

module branch_stack_blackbox #(
  parameter THREADS = 2,
  parameter LANES = 2,
  parameter ENTRY_W = 12,
  parameter MAX_DEPTH = 3,
  parameter SET = 1,
  parameter INFLIGHT = 2,
  parameter ADDR_W = 16,
  parameter ENTRIES = 2,
  parameter POLICY = 0,
  parameter FLAGS = 0,
  parameter STATUS = 0,
  parameter THREAD_W = 1,
  parameter PC_W = 8,
  parameter SET_BYTES = 2,
  parameter TAG_W = 2,
  parameter STRIDE_MAX = 3,
  // Options of a task.
  parameter ERRORS = 0,   // the memory may answer with an error
  parameter REGS = 0,     // the register port reads at will
  parameter LIMITS = 0,   // BU_LIMIT is any value up to DEPTH; else DEPTH
  parameter BITS = 0,     // not 0: compare only so many bits of a program counter
  // with STATUS: 1 halts, resets, resumes and saves at will; N: a halt from cycle N on, and a save if all are
  // halted 40 cycles later
  parameter HALTS = 0,
  parameter LOADS = 0,    // with HALTS 1: 1 loads at will; `reset` alone is asked then
  parameter FLUSH = 0     // with REGS: writes of the stack's CONTROL and ERROR at will
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,   // the marked group, and the limit

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

  input  wire mem_req_valid_o,
  input  wire free_mem_req_ready_i,
  output wire mem_req_ready_i,
  input  wire mem_req_write_o,
  input  wire [TAG_W-1:0] mem_req_tag_o,
  input  wire [ADDR_W-1:0] mem_req_addr_o,
  input  wire [SET_BYTES*8-1:0] mem_req_data_o,
  input  wire [SET_BYTES-1:0] mem_req_strb_o,

  input  wire free_mem_rsp_valid_i,
  input  wire [TAG_W-1:0] free_mem_rsp_tag_i,
  input  wire [SET_BYTES*8-1:0] free_mem_rsp_data_i,
  input  wire [1:0] free_mem_rsp_error_i,
  output wire mem_rsp_valid_i,
  input  wire mem_rsp_ready_o,
  output wire [TAG_W-1:0] mem_rsp_tag_i,
  output wire [SET_BYTES*8-1:0] mem_rsp_data_i,
  output wire [1:0] mem_rsp_error_i,

  input  wire free_reg_req_valid_i,
  input  wire free_reg_req_write_i,
  input  wire [10:0] free_reg_req_addr_i,
  input  wire [31:0] free_reg_req_data_i,
  output wire reg_req_valid_i,
  input  wire reg_req_ready_o,
  output wire reg_req_write_i,
  output wire [10:0] reg_req_addr_i,
  output wire [31:0] reg_req_data_i,
  input  wire reg_rsp_valid_o,
  input  wire [31:0] reg_rsp_data_o,

  input  wire free_cmd_halt_i,
  input  wire free_cmd_reset_i,
  input  wire free_cmd_resume_i,
  output wire cmd_halt_i,
  output wire cmd_reset_i,
  output wire cmd_resume_i,
  input  wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  input  wire nack_o,
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
  output wire bad_stopped_o,   // BU-4 BU-6: a group that was stopped or has finished takes a launch only
  output wire bad_answer_o,    // BU-5: one result for each instruction
  output wire bad_count_o,     // BU-5: no more results than instructions
  // BU-3 BU-4: the status of the result, limit, underflow and the kind of the token popped included
  output wire bad_status_o,
  // BU-4 BU-6: the group goes on exactly with status 0 or 1, and not behind a finish
  output wire bad_goes_o,
  // BU-3 SC-4: the active mask of the group that goes on, a popped token's that has been in memory too
  output wire bad_mask_o,
  output wire bad_counter_o,   // BU-3 SC-4: its program counter
  // SC-12: fault only after an error answer to an access of the group, and never of a launch
  output wire bad_fault_o,
  output wire bad_stable_o,    // SC-10: a memory request that waits holds still
  output wire bad_tag_o,       // SC-10: no tag is used again before its answer
  output wire bad_overlap_o,   // SC-10: no access to a set during a write of it, no write during a read
  output wire bad_region_o,    // SC-2: aligned, in the group's own region; writes are whole sets
  // US-5 US-14: from the first cycle of a halt request on no instruction is ready
  output wire bad_closed_o,
  // US-4: halted in time, until the release, never without a request; nothing comes out then, no access is
  // open
  output wire bad_halted_o,
  // US-7 US-9: after a reset, or a load that was refused, no group is live and what was under way gives no
  // result
  output wire bad_reset_o,
  // US-9: a save says of the marked group, its stack and the registers what the model says
  output wire bad_saved_o,
  // US-3: nack_o rises with a memory error that is not from before a reset, and stays until a reset or a
  // write of ERROR
  output wire bad_nack_o,
  output wire cover_full_o,     // overflow
  output wire cover_two_o       // an instruction with two pushes is done
);
  localparam [2:0] BRANCH = 3'd1, CALL = 3'd2, PREBREAK = 3'd3, RETURN = 3'd4, BREAK = 3'd5, LAUNCH = 3'd6,
                   FINISH = 3'd7;
  localparam [2:0] NOT_EXECUTED = 3'd1, OVERFLOW = 3'd2, UNDERFLOW = 3'd3, FAULT = 3'd4, WRONG_KIND = 3'd5,
                   NOT_EMPTY = 3'd6;
  localparam [1:0] T_CALL = 2'd0, T_BRK = 2'd1, T_DIV = 2'd2, T_SYNC = 2'd3;
  localparam DEPTH = (MAX_DEPTH < 4) ? MAX_DEPTH : 4;
  localparam [31:0] MOST = DEPTH;
  localparam TAGS = 1 << TAG_W, CLASS_W = TAG_W - THREAD_W;
  localparam SLOT_BITS = SET_BYTES * 8 / SET;
  localparam SET_BYTES_LG = $clog2(SET_BYTES);
  wire [(1<<THREAD_W)-1:0] groups = {(1<<THREAD_W){1'b1}} >> ((1 << THREAD_W) - THREADS);

  reg [THREAD_W-1:0] mark_q;
  reg [2:0] limit_q;
  wire [2:0] any_limit = free_mark_i[34:32];
  always @(posedge clk_i)
    if (rst_i) begin
      mark_q <= groups[free_mark_i[THREAD_W-1:0]] ? free_mark_i[THREAD_W-1:0] : {THREAD_W{1'b0}};
      limit_q <= (LIMITS != 0 && any_limit < MOST[2:0]) ? any_limit : MOST[2:0];
    end

  // ---- registers: BU_LIMIT first where it is not the reset value, reads later -----------------------------
  localparam WRITES = LIMITS != 0 || MAX_DEPTH > DEPTH;
  localparam [10:0] BU_LIMIT = 11'h408, CONTROL = 11'h040, ERROR = 11'h030;
  reg [1:0] step_q;                        // the limit: to be written, written, answered
  wire begun = !WRITES || step_q == 2'd2;
  always @(posedge clk_i)
    if (rst_i) step_q <= 2'd0;
    else if (step_q == 2'd0 ? reg_req_ready_o : step_q == 2'd1 && reg_rsp_valid_o) step_q <= step_q + 2'd1;
  wire writes_now = FLUSH != 0 && free_reg_req_write_i;
  assign reg_req_valid_i = WRITES && step_q == 2'd0 || REGS != 0 && begun && free_reg_req_valid_i;
  assign reg_req_write_i = !begun || writes_now;
  assign reg_req_addr_i = !begun ? BU_LIMIT : !writes_now ? free_reg_req_addr_i
                        : free_reg_req_addr_i[6] ? CONTROL : ERROR;
  assign reg_req_data_i = writes_now ? {30'd0, free_reg_req_data_i[1:0]} : {29'd0, limit_q};

  // ---- instructions ---------------------------------------------------------------------------------------
  assign ins_valid_i = free_ins_valid_i && begun;
  assign {ins_kind_i, ins_set_sync_i} = {free_ins_kind_i, free_ins_set_sync_i};
  // What a pop-sync of another group popped is not followed: none behind one, as it may pop or not.
  reg [THREADS-1:0] popped_q;
  wire [(1<<THREAD_W)+THREADS-1:0] popped_x = {{(1<<THREAD_W){1'b0}}, popped_q};
  wire popped = (res_valid_o && res_group_o == ins_group_i) ? res_status_o == NOT_EXECUTED
                : popped_x[{1'b0, ins_group_i}];
  assign ins_pop_sync_i = free_ins_pop_sync_i && (ins_group_i == mark_q || !popped);
  integer t;
  always @(posedge clk_i)
    for (t = 0; t < THREADS; t = t + 1)
      if (rst_i) popped_q[t] <= 1'b0;
      else if (res_valid_o && res_group_o == t[THREAD_W-1:0]) popped_q[t] <= res_status_o == NOT_EXECUTED;
  assign {ins_group_i, ins_mask_i, ins_target_i, ins_next_i} =
         {free_ins_group_i, free_ins_mask_i, free_ins_target_i, free_ins_next_i};

  // ---- the front end --------------------------------------------------------------------------------------
  localparam UNIT = STATUS != 0 && HALTS != 0;
  localparam STATE_W = (STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5;
  localparam [4:0] HALTED = (STATUS == 2) ? 5'b01010 : (STATUS == 3) ? 5'b00100 : 5'b10000;
  reg halt_q, reset_q;                     // as the unit sees them
  reg asks_q, asks_load_q;                 // a command is offered
  reg saving_q, loading_q;
  wire halted = UNIT && state_o == HALTED[STATE_W-1:0];
  wire closed = halt_q || halted || reset_q;
  localparam AT = HALTS > 1;
  localparam [31:0] HALT_AT = HALTS, SAVE_AT = HALTS + 40;
  reg [7:0] cycle_q;
  always @(posedge clk_i) cycle_q <= (rst_i || !AT) ? 8'd0 : cycle_q + {7'd0, cycle_q != 8'd255};
  wire holds = asks_q || saving_q || loading_q;
  assign cmd_halt_i = UNIT && (AT ? cycle_q >= HALT_AT[7:0] : free_cmd_halt_i || holds);
  assign cmd_reset_i = UNIT && !AT && free_cmd_reset_i && !holds && !ctx_cmd_valid_i;
  assign cmd_resume_i = UNIT && free_cmd_resume_i;
  assign ctx_cmd_valid_i = (AT ? asks_q || cycle_q == SAVE_AT[7:0] : asks_q || free_ctx_cmd_valid_i) && halted
                           && halt_q && cmd_halt_i && !reset_q;
  assign ctx_cmd_load_i = asks_q ? asks_load_q : LOADS != 0 && free_ctx_cmd_load_i;
  assign ctx_out_ready_i = AT || free_ctx_out_ready_i;
  wire commanded = ctx_cmd_valid_i && ctx_cmd_ready_o;
  wire begins = commanded && ctx_cmd_load_i;
  always @(posedge clk_i) begin
    halt_q <= cmd_halt_i && !rst_i;
    reset_q <= cmd_reset_i && !rst_i;
    asks_q <= ctx_cmd_valid_i && !ctx_cmd_ready_o && !rst_i;
    asks_load_q <= ctx_cmd_load_i;
    saving_q <= !rst_i && (commanded ? !ctx_cmd_load_i : saving_q && !ctx_done_o);
    loading_q <= !rst_i && (begins || (loading_q && !ctx_done_o));
  end

  // ---- a context that comes in: its header is right, or foreign
  localparam [31:0] PRIME = 32'h01000193;
  localparam [31:0] UNIT_HASH =
      ((((32'h811c9dc5 ^ THREADS) * PRIME ^ LANES) * PRIME ^ ENTRY_W) * PRIME ^ MAX_DEPTH) * PRIME;
  localparam RING = 4;                     // of the unit
  localparam [31:0] CFG_HASH =
      (((((((UNIT_HASH ^ ENTRIES) * PRIME ^ SET) * PRIME ^ POLICY) * PRIME ^ FLAGS) * PRIME
         ^ INFLIGHT) * PRIME ^ ADDR_W) * PRIME ^ RING) * PRIME;
  reg [15:0] number_q;                     // of the unit
  assign ctx_unit_i = number_q;
  wire loads = begins && free_mark_i[49];
  reg foreign_q;                           // the header is wrong,
  reg [1:0] wrong_q;                       // in this word
  wire [31:0] word, most;
  wire header, final_word, behind, slot_in, tail_last, tail_bad;
  wire [1:0] header_at;
  wire [23:0] tail_len;
  wire spoils = foreign_q && header && header_at == wrong_q;
  wire differs_in = wrong_q == 2'd2 ? free_ctx_in_data_i == 32'd0 || free_ctx_in_data_i > most
      : free_ctx_in_data_i != word;
  assign ctx_in_valid_i = free_ctx_in_valid_i;
  assign ctx_in_data_i = header && !(spoils && differs_in) ? word : free_ctx_in_data_i;
  assign ctx_in_error_i = ctx_in_last_i ? free_ctx_in_error_i : 2'd0;
  assign ctx_in_last_i = spoils ? free_ctx_in_last_i || !differs_in : free_ctx_in_last_i && (!header
      || foreign_q);
  wire in_taken = loading_q && ctx_in_valid_i && ctx_in_ready_o;
  wire ends_load = loading_q && ctx_done_o;
  wire refused = ends_load && ctx_error_o != 3'd0 && !foreign_q;
  wire clears = reset_q || refused;
  always @(posedge clk_i) begin
    if (rst_i) number_q <= free_ctx_unit_i;
    if (begins) begin
      foreign_q <= !loads;
      wrong_q <= free_mark_i[51] ? 2'd2 : free_mark_i[51:50];
    end
  end

  // ---- memory ---------------------------------------------------------------------------------------------
  reg [TAGS-1:0] out_q;                    // accesses under way
  reg [INFLIGHT-1:0] write_q;              // of the marked group: writes,
  reg [INFLIGHT*3-1:0] place_q;             // and their sets; 7: none of the model
  reg [DEPTH*SLOT_BITS-1:0] word_q;        // entry by entry
  reg offer_q;
  reg [TAG_W-1:0] offer_tag_q;
  reg [SET_BYTES*8-1:0] offer_data_q;
  reg [1:0] offer_error_q;
  wire [THREAD_W-1:0] req_group = mem_req_tag_o[TAG_W-1:CLASS_W];
  wire [CLASS_W-1:0] req_class = mem_req_tag_o[CLASS_W-1:0];
  wire [ADDR_W-1:0] req_region = mem_req_addr_o >> STRIDE_MAX;
  wire [ADDR_W-1:0] in_region = mem_req_addr_o & ~({ADDR_W{1'b1}} << STRIDE_MAX);
  wire [ADDR_W-1:0] req_set_x = in_region >> SET_BYTES_LG;
  wire [2:0] req_set = (req_set_x[ADDR_W-1:2] == {ADDR_W-2{1'b0}} && {30'd0, req_set_x[1:0]} < MOST)
                       ? req_set_x[2:0] : 3'd7;
  wire req_mine = mem_req_valid_o && req_group == mark_q;
  wire req_taken = mem_req_valid_o && mem_req_ready_i;
  wire rsp_taken = mem_rsp_valid_i && mem_rsp_ready_o;
  wire [CLASS_W-1:0] rsp_class = mem_rsp_tag_i[CLASS_W-1:0];
  wire rsp_mine = mem_rsp_tag_i[TAG_W-1:CLASS_W] == mark_q;
  wire [2:0] rsp_set = place_q[3*rsp_class+:3];
  assign mem_req_ready_i = free_mem_req_ready_i;
  wire new_offer = free_mem_rsp_valid_i && out_q[free_mem_rsp_tag_i];
  assign mem_rsp_valid_i = offer_q || new_offer;
  assign mem_rsp_tag_i = offer_q ? offer_tag_q : free_mem_rsp_tag_i;
  assign mem_rsp_error_i = offer_q ? offer_error_q : (ERRORS != 0) ? free_mem_rsp_error_i : 2'd0;
  wire [SET_BYTES*8-1:0] other_data = offer_q ? offer_data_q : free_mem_rsp_data_i;
  reg [SET_BYTES*8-1:0] rsp_data;
  assign mem_rsp_data_i = rsp_data;
  integer e, c;
  always @* begin
    rsp_data = other_data;
    for (e = 0; e < DEPTH; e = e + 1)
      if (rsp_mine && {29'd0, rsp_set} == e / SET)
        rsp_data[(e%SET)*SLOT_BITS+:SLOT_BITS] = word_q[e*SLOT_BITS+:SLOT_BITS];
  end
  always @(posedge clk_i) begin
    offer_q <= mem_rsp_valid_i && !mem_rsp_ready_o && !rst_i;
    {offer_tag_q, offer_data_q, offer_error_q} <= {mem_rsp_tag_i, other_data, mem_rsp_error_i};
    if (rst_i) out_q <= 0;
    else begin
      if (rsp_taken) out_q[mem_rsp_tag_i] <= 1'b0;
      if (req_taken) out_q[mem_req_tag_o] <= 1'b1;
    end
    if (req_taken && req_mine) begin
      write_q[req_class] <= mem_req_write_o;
      place_q[3*req_class+:3] <= req_set;
    end
    for (e = 0; e < DEPTH; e = e + 1)
      if (req_taken && req_mine && mem_req_write_o && {29'd0, req_set} == e / SET)
        word_q[e*SLOT_BITS+:SLOT_BITS] <= mem_req_data_o[(e%SET)*SLOT_BITS+:SLOT_BITS];
  end

  // ---- the marked group between instructions, and the instruction under way -------------------------------
  reg busy_q, live_q, synced_q, stopped_q;
  reg [LANES-1:0] mask_q;
  reg [PC_W-1:0] pc_q;
  reg [2:0] depth_q;
  reg [DEPTH*ENTRY_W-1:0] token_q;         // bottom first
  reg [2:0] kind_q;
  reg sets_q, pop_q, error_q;              // set-sync and pop-sync that act; an error answer since the launch
  reg raw_set_q;                           // set-sync as it came
  reg [LANES-1:0] imask_q;
  reg [PC_W-1:0] target_q, next_q;

  wire leaves = kind_q == RETURN || kind_q == BREAK;
  wire launches = kind_q == LAUNCH;
  wire [LANES-1:0] takers = mask_q & imask_q;
  wire diverges = kind_q == BRANCH && !pop_q && takers != {LANES{1'b0}} && takers != mask_q;
  wire own = !pop_q && (diverges || kind_q == CALL || kind_q == PREBREAK);
  wire pops = pop_q || leaves;
  wire [2:0] wanted = depth_q + {2'd0, sets_q} + {2'd0, own};
  wire overflow = (sets_q || own) && wanted > limit_q;
  wire underflow = pops && !sets_q && depth_q == 3'd0;
  wire not_empty = kind_q == FINISH && !pop_q && depth_q != 3'd0;
  wire [ENTRY_W-1:0] sync = {T_SYNC, mask_q, {PC_W{1'b0}}};
  wire [ENTRY_W-1:0] pushed = kind_q == CALL ? {T_CALL, mask_q, next_q}
                            : kind_q == PREBREAK ? {T_BRK, mask_q, target_q}
                            : {T_DIV, mask_q & ~takers, next_q};
  reg [ENTRY_W-1:0] top;
  always @* begin
    top = sync;                            // of its own set-sync
    for (e = 0; e < DEPTH; e = e + 1)
      if (!sets_q && {29'd0, depth_q} == e + 1) top = token_q[e*ENTRY_W+:ENTRY_W];
  end
  wire [1:0] tkind = top[ENTRY_W-1-:2];
  wire right = tkind == T_DIV || (pop_q ? tkind == T_SYNC : tkind == (kind_q == RETURN ? T_CALL : T_BRK));
  wire [2:0] status = launches ? 3'd0 : overflow ? OVERFLOW : underflow ? UNDERFLOW : not_empty ? NOT_EMPTY
                    : !pops ? 3'd0 : !right ? WRONG_KIND : pop_q ? NOT_EXECUTED : 3'd0;
  wire mine = res_valid_o && res_group_o == mark_q;
  wire good = status <= NOT_EXECUTED && res_status_o != FAULT;
  wire syncs = pop_q && tkind == T_SYNC;
  wire over = kind_q == FINISH && !pop_q;
  wire to_target = launches || (!pop_q && (kind_q == CALL || (kind_q == BRANCH && takers != {LANES{1'b0}})));
  wire [LANES-1:0] mask = launches ? imask_q : pops ? top[PC_W+:LANES] : diverges ? takers : mask_q;
  wire [PC_W-1:0] pc = pops && !launches ? (syncs ? pc_q : top[PC_W-1:0]) : to_target ? target_q : next_q;

  wire busy = busy_q && !mine;             // of this cycle: the group of a result may issue
  wire live = mine ? good && !over : live_q;
  wire synced = mine ? good && syncs : synced_q;
  wire failed = rsp_taken && rsp_mine && mem_rsp_error_i != 2'd0;

  // Its stack while one of two operations is done: with the sync token. A save says whether one is.
  wire two = sets_q && (own || pops) && !overflow;
  reg half_q;
  reg [2:0] slots_q;                       // instructions that are out: the last is that of B
  localparam [31:0] AT_B = RING;
  wire out_taken = saving_q && ctx_out_valid_o && ctx_out_ready_i;
  wire half_says = ctx_out_data_o[3] && two && slots_q != AT_B[2:0];
  wire [2:0] count = depth_q + {2'd0, half_q};
  reg [DEPTH*ENTRY_W-1:0] stack;
  always @* begin
    stack = token_q;
    for (e = 0; e < DEPTH; e = e + 1)
      if (half_q && {29'd0, depth_q} == e) stack[e*ENTRY_W+:ENTRY_W] = sync;
  end
  always @(posedge clk_i)
    if (!saving_q) {half_q, slots_q} <= 4'd0;
    else if (out_taken && slot_in) begin
      slots_q <= slots_q + 3'd1;
      if (ctx_out_data_o[0] && ctx_out_data_o[16+:THREAD_W] == mark_q) half_q <= half_says;
    end

  // ---- what is taken --------------------------------------------------------------------------------------
  wire is_flow = ins_kind_i >= BRANCH && ins_kind_i <= BREAK;
  wire is_leave = ins_kind_i == RETURN || ins_kind_i == BREAK;
  wire is_mine = ins_group_i == mark_q;
  wire a_pop = ins_pop_sync_i && ins_kind_i != LAUNCH && !(is_mine && synced);
  wire a_set = ins_set_sync_i && is_flow;
  wire ready = ins_kind_i == LAUNCH ? ins_launch_o[ins_group_i]
             : a_pop ? ins_pop_o[ins_group_i] : (a_set || (is_flow && !is_leave)) ? ins_push_o[ins_group_i]
             : is_leave ? ins_pop_o[ins_group_i] : ins_step_o[ins_group_i];
  wire takes = ins_valid_i && groups[ins_group_i] && ready && !rst_i;
  wire takes_mine = takes && is_mine;
  always @(posedge clk_i) begin
    if (rst_i || clears) begin
      {busy_q, live_q, synced_q, stopped_q, error_q} <= 5'd0;
      depth_q <= 3'd0;
    end else begin
      busy_q <= busy || takes_mine;
      live_q <= live;
      synced_q <= synced;
      if (mine) stopped_q <= !good;
      error_q <= failed || (error_q && !(takes_mine && ins_kind_i == LAUNCH));
      if (mine && good) depth_q <= launches ? 3'd0 : pops ? depth_q + {2'd0, sets_q} - 3'd1 : wanted;
      else if (mine && status == WRONG_KIND) depth_q <= depth_q + {2'd0, sets_q} - 3'd1;
    end
    if (mine && good) begin
      mask_q <= mask;
      pc_q <= pc;
      for (e = 0; e < DEPTH; e = e + 1) begin
        if (sets_q && {29'd0, depth_q} == e) token_q[e*ENTRY_W+:ENTRY_W] <= sync;
        if (own && {29'd0, depth_q} + {31'd0, sets_q} == e) token_q[e*ENTRY_W+:ENTRY_W] <= pushed;
      end
    end
    if (takes_mine) begin
      {kind_q, raw_set_q, sets_q, pop_q, imask_q} <= {ins_kind_i, a_set, a_set && !a_pop, a_pop, ins_mask_i};
      {target_q, next_q} <= {ins_target_i, ins_next_i};
    end
  end

  // ---- properties of instructions -------------------------------------------------------------------------
  wire [3:0] bits = {ins_launch_o[mark_q], ins_pop_o[mark_q], ins_push_o[mark_q], ins_step_o[mark_q]};
  wire judged = !rst_i && mine && busy_q, goes = judged && res_go_o && res_status_o != FAULT;
  assign bad_ready_o = !rst_i && ((busy && bits != 4'd0) || ((bits[2] || bits[1]) && !bits[0]));
  assign bad_stopped_o = !rst_i && !live && bits[2:0] != 3'd0;
  assign bad_answer_o = !rst_i && mine && (!busy_q || res_kind_o != kind_q);
  assign bad_status_o = judged && res_status_o != FAULT
                        && (res_status_o != status || res_synced_o != (status == NOT_EXECUTED && syncs));
  assign bad_fault_o = judged && res_status_o == FAULT && (launches || !error_q);
  assign bad_goes_o = !rst_i && res_go_o != (res_valid_o && res_status_o <= NOT_EXECUTED
                                             && !(res_kind_o == FINISH && res_status_o == 3'd0));
  localparam COMPARED = (BITS != 0 && BITS < PC_W) ? BITS : PC_W;
  wire [PC_W-1:0] differs = res_pc_o ^ pc;
  assign bad_mask_o = goes && res_mask_o != mask;
  assign bad_counter_o = goes && differs[COMPARED-1:0] != {COMPARED{1'b0}};

  // How many instructions are under way.
  localparam WAY_W = $clog2(THREADS + 2);
  reg [WAY_W-1:0] under_q;
  always @(posedge clk_i)
    if (rst_i || clears) under_q <= {WAY_W{1'b0}};
    else under_q <= under_q - {{WAY_W-1{1'b0}}, res_valid_o} + {{WAY_W-1{1'b0}}, takes};
  assign bad_count_o = !rst_i && res_valid_o && under_q == {WAY_W{1'b0}};

  // ---- properties of the memory port ----------------------------------------------------------------------
  reg stalled_q;
  reg [TAG_W+ADDR_W:0] stalled_what_q;
  reg [SET_BYTES*9-1:0] stalled_data_q;
  always @(posedge clk_i) begin
    stalled_q <= mem_req_valid_o && !mem_req_ready_i && !rst_i;
    stalled_what_q <= {mem_req_write_o, mem_req_tag_o, mem_req_addr_o};
    stalled_data_q <= {mem_req_data_o, mem_req_strb_o};
  end
  assign bad_stable_o = !rst_i && stalled_q
                        && (!mem_req_valid_o || {mem_req_write_o, mem_req_tag_o,
                                                 mem_req_addr_o} != stalled_what_q
                                              || (mem_req_write_o && {mem_req_data_o,
                                                  mem_req_strb_o} != stalled_data_q));
  assign bad_tag_o = !rst_i && req_mine && out_q[mem_req_tag_o];
  reg overlap;
  always @* begin
    overlap = 1'b0;
    for (c = 0; c < INFLIGHT; c = c + 1)
      if (out_q[{mark_q, c[CLASS_W-1:0]}] && place_q[3*c+:3] == req_set && req_set != 3'd7
          && (write_q[c] || mem_req_write_o)) overlap = 1'b1;
  end
  assign bad_overlap_o = !rst_i && req_mine && overlap;
  wire unaligned = SET_BYTES > 1 && (mem_req_addr_o & (SET_BYTES - 1)) != {ADDR_W{1'b0}};
  assign bad_region_o = !rst_i && mem_req_valid_o
    && (!groups[req_group] || {{THREAD_W{1'b0}}, req_region} != {{ADDR_W{1'b0}}, req_group} || unaligned
        || (mem_req_write_o && !(&mem_req_strb_o)));

  // ---- halt and reset -------------------------------------------------------------------------------------
  wire any = (ins_step_o | ins_push_o | ins_pop_o | ins_launch_o) != {THREADS{1'b0}};
  assign bad_closed_o = closed && !rst_i && any;
  wire open = mem_req_valid_o || (|out_q);
  // An access is open for each dirty set: between two of them, and behind the last one, this is enough,
  // which is less than FLUSH_OWN.
  localparam [31:0] LATEST = 16 + 4 * THREADS;
  localparam [31:0] WALK = THREADS * INFLIGHT; // cycles that a reset takes for the stacks
  reg [10:0] walk_q;
  // cycles of the request, of those behind a reset or the last answer
  reg [4:0] since_q;
  // the cycle before had a request and no reset, a result, was halted
  reg may_q, out_before_q, stays_q;
  always @(posedge clk_i) begin
    walk_q <= (rst_i || clears) ? WALK[10:0] : walk_q - {10'd0, walk_q != 11'd0};
    may_q <= halt_q && !reset_q && !rst_i;
    out_before_q <= res_valid_o;
    stays_q <= halted && halt_q && !reset_q && !rst_i;
    since_q <= (rst_i || reset_q || !halt_q || halted || open || walk_q != 11'd0) ? 5'd0
               : since_q + {4'd0, since_q != LATEST[4:0]};
  end
  assign bad_halted_o = !rst_i && (halted ? !may_q || out_before_q || res_valid_o || open
                                          : stays_q || (halt_q && !open && since_q == LATEST[4:0]));
  // since a reset, or a load that was refused, no launch of the marked group is done
  reg dead_q;
  wire dead = dead_q && !(mine && good);
  always @(posedge clk_i) dead_q <= !rst_i && (clears || (dead && !loads));
  assign bad_reset_o = dead && !rst_i && (bits[2:0] != 3'd0 || (res_valid_o && under_q == {WAY_W{1'b0}}));

  // ---- contexts -------------------------------------------------------------------------------------------
  wire [2:0] after = launches ? 3'd0 : overflow || underflow || not_empty ? depth_q
                     : depth_q + {2'd0, sets_q} + {2'd0, own} - {2'd0, pops};
  wire own_said, record_head, slot_head;   // of a load that is followed
  wire [THREAD_W-1:0] record_of;
  branch_unit_saved #(
    .THREADS(THREADS), .LANES(LANES), .ENTRY_W(ENTRY_W), .PC_W(PC_W), .MAX_DEPTH(MAX_DEPTH),
    .THREAD_W(THREAD_W), .COUNT_W(3), .TAIL(1), .RING(RING), .UNIT_TYPE(16'h4253),
    .CFG_HASH(CFG_HASH)
  ) u_saved (
    .clk_i(clk_i), .rst_i(rst_i), .tail_len_i(tail_len), .tail_last_i(tail_last), .tail_bad_i(tail_bad),
    .mark_i(mark_q), .unit_i(number_q), .clear_i(clears), .res_valid_i(res_valid_o),
    .res_group_i(res_group_o), .res_kind_i(res_kind_o), .res_status_i(res_status_o), .token_i(top),
    .busy_i(busy_q), .flags_i({synced_q, stopped_q, live_q}), .mask_i(mask_q), .pc_i(pc_q), .depth_i(depth_q),
    .before_i(depth_q), .after_i(after), .set_i(raw_set_q), .pop_i(pop_q), .kind_i(kind_q),
    .ins_mask_i(imask_q), .target_i(target_q), .next_i(next_q), .half_i(half_says), .asks_i(1'b1),
    .first_i(3'd0),
    .early_i(launches ? 3'd0 : overflow ? OVERFLOW : underflow ? UNDERFLOW : not_empty ? NOT_EMPTY : 3'd0),
    .saving_i(saving_q), .valid_i(ctx_out_valid_o), .ready_i(ctx_out_ready_i), .word_i(ctx_out_data_o),
        .last_i(ctx_out_last_o),
    .done_i(ctx_done_o), .error_i(ctx_error_o), .bad_o(bad_saved_o),
    .loading_i(loading_q), .loads_i(1'b0), .begun_i(1'b0), .errors_i(23'd0), .error_of_i({THREAD_W{1'b0}}),
        .what_i(6'd0),
    .wrong_i({ENTRY_W{1'b0}}), .slot_i(3'd0), .in_taken_i(in_taken), .word_o(word), .said_o(own_said),
        .header_o(header),
    .index_o(header_at), .final_o(final_word), .behind_o(behind), .record_head_o(record_head),
        .record_of_o(record_of), .slot_in_o(slot_in),
    .slot_head_o(slot_head), .most_o(most));
  reg recorded_q;                          // without writes of ERROR: its bit 31
  branch_stack_tail #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .ENTRIES(ENTRIES), .SET(SET), .MAX_DEPTH(MAX_DEPTH), .DEPTH(DEPTH),
    .THREAD_W(THREAD_W), .STRIDE_MAX(STRIDE_MAX), .SLOT_BITS(SLOT_BITS)
  ) u_tail (
    .clk_i(clk_i), .rst_i(rst_i), .mark_i(mark_q), .count_i(count), .token_i(stack), .memory_i(word_q),
    .nacked_i(recorded_q), .errors_i(ERRORS != 0), .at_i(behind && saving_q), .taken_i(out_taken),
    .word_i(ctx_out_data_o), .bad_o(tail_bad), .last_o(tail_last), .len_o(tail_len));

  // ---- the memory-error report ----------------------------------------------------------------------------
  // An access is old if it was begun before a reset: no result has come since (a launch may be taken while an
  // old request is still offered). A write of ERROR clears the report in one cycle, and in no other.
  reg fresh_q, nacked_q, reports_q, was_clear_q, reads_q;
  reg [TAGS-1:0] old_q;
  // cycles since the last report or reset; since a write of ERROR, 15: none
  reg [3:0] calm_q, clean_q;
  wire fresh = fresh_q || res_valid_o;
  wire reports = rsp_taken && mem_rsp_error_i != 2'd0 && !old_q[mem_rsp_tag_i];
  wire clears_error = reg_req_valid_i && reg_req_ready_o && reg_req_write_i && reg_req_addr_i == ERROR;
  wire calm = calm_q == 4'd15 && !reports_q, settled = clean_q == 4'd15;
  always @(posedge clk_i) begin
    fresh_q <= !rst_i && !clears && fresh;
    old_q <= clears ? {TAGS{1'b1}}
             : old_q & ~(req_taken && fresh ? {{TAGS-1{1'b0}}, 1'b1} << mem_req_tag_o : {TAGS{1'b0}});
    nacked_q <= nack_o && !rst_i;
    reports_q <= reports && !rst_i;
    was_clear_q <= clears && !rst_i;
    calm_q <= rst_i ? 4'd15 : reports || clears ? 4'd0 : calm_q + {3'd0, calm_q != 4'd15};
    clean_q <= (rst_i || clears) ? 4'd15 : clears_error ? 4'd0 : clean_q + {3'd0, !settled};
    if (reg_req_valid_i && reg_req_ready_o) reads_q <= !reg_req_write_i && reg_req_addr_i == ERROR;
    recorded_q <= !rst_i && !clears && (reports || recorded_q);
  end
  wire must_rise = reports_q && !was_clear_q;
  reg [4:0] acts_q;                        // writes of ERROR in the last cycles
  always @(posedge clk_i) acts_q <= {acts_q[3:0], clears_error && !rst_i};
  wire must_fall = was_clear_q || (acts_q[4] && calm);
  wire may_fall = must_fall || acts_q[4];
  wire said_wrong = reg_rsp_valid_o && reads_q && calm && settled && reg_rsp_data_o[31] != nack_o;
  assign bad_nack_o = !rst_i
                      && (said_wrong || (nack_o ? must_fall || (!nacked_q && !must_rise)
                                         : must_rise || (nacked_q && !may_fall)));

  // ---- reachable ------------------------------------------------------------------------------------------
  assign cover_full_o = judged && res_status_o == OVERFLOW;
  assign cover_two_o = judged && sets_q && own && res_status_o == 3'd0;
  wire unused = &{1'b0, free_mark_i, final_word, free_reg_req_write_i, free_reg_req_data_i, differs,
      req_set_x, own_said,
                  record_head, record_of, slot_head, reg_rsp_data_o};
endmodule

`default_nettype wire
