// SPDX-License-Identifier: Apache-2.0
// branch_unit_invariants: how the model of the marked group (branch_unit_blackbox.v) and the state of the block belong
// together. With them the properties are inductive: they hold in each cycle if they held in the one before.
//
// The instruction of the marked group is in B, C0, C1 or D (or its result is out); what a stage holds of it, the RAMs and
// the flags of its group are functions of the model. What belongs to other groups is said only where it meets the
// marked one: the first of two operations is followed by the second. Written for one and two groups.
`default_nettype none

module branch_unit_invariants #(
  parameter THREADS = 2,
  parameter LANES = 2,
  parameter ENTRY_W = 12,
  parameter MAX_DEPTH = 2,
  parameter STACK_LATENCY = 1,
  parameter STATUS = 0,
  parameter THREAD_W = 1,
  parameter PC_W = 8,
  parameter COUNT_W = 2,
  parameter CTX_MAX = 16
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire res_valid_o,
  input  wire [THREAD_W-1:0] res_group_o,
  input  wire [2:0] res_kind_o,
  input  wire [2:0] res_status_o,

  // The model.
  input  wire [THREAD_W-1:0] mark,        // at blackbox.mark_q
  input  wire [STACK_LATENCY-1:0] past,   // at blackbox.past_q
  input  wire [STACK_LATENCY-1:0] past_mine, // at blackbox.past_mine_q
  input  wire [STACK_LATENCY-1:0] past_init, // at blackbox.past_init_q
  input  wire busy_before,                // at blackbox.busy_q
  input  wire fresh,                      // at blackbox.busy
  input  wire mine,                       // at blackbox.mine
  input  wire good,                       // at blackbox.good
  input  wire live,                       // at blackbox.live
  input  wire synced,                     // at blackbox.synced
  input  wire stopped_before,             // at blackbox.stopped_q
  input  wire [THREADS-1:0] synceds,      // at blackbox.synceds_q
  input  wire sync_seen,                  // at blackbox.sync_seen_q
  input  wire [LANES-1:0] mask_before,    // at blackbox.mask_q
  input  wire [PC_W-1:0] pc_before,       // at blackbox.pc_q
  input  wire [LANES-1:0] mask,           // at blackbox.mask
  input  wire [PC_W-1:0] pc,              // at blackbox.pc
  input  wire [COUNT_W-1:0] depth,        // at blackbox.depth_q
  input  wire [COUNT_W-1:0] depth_before,       // at blackbox.before_q
  input  wire [COUNT_W-1:0] after,        // at blackbox.after
  input  wire [2:0] kind,                 // at blackbox.kind_q
  input  wire raw_set,                    // at blackbox.raw_set_q
  input  wire sets,                       // at blackbox.set_q
  input  wire pop,                        // at blackbox.pop_q
  input  wire [LANES-1:0] imask,          // at blackbox.imask_q
  input  wire [PC_W-1:0] target,          // at blackbox.target_q
  input  wire [PC_W-1:0] next,            // at blackbox.next_q
  input  wire [1:0] asked,                // at blackbox.asked_q
  input  wire [1:0] answers,              // at blackbox.answers_q
  input  wire [1:0] n_ops,                // at blackbox.n_ops
  input  wire [2:0] bad,                  // at blackbox.bad_q
  input  wire [ENTRY_W-1:0] token,        // at blackbox.token_q
  input  wire launches,                   // at blackbox.launches
  input  wire pops,                       // at blackbox.pops
  input  wire own,                        // at blackbox.own
  input  wire diverges,                   // at blackbox.diverges
  input  wire to_target,                  // at blackbox.to_target
  input  wire early,                      // at blackbox.early
  input  wire [2:0] error,                // at blackbox.u_saved.early_i
  input  wire [LANES-1:0] m0,             // at blackbox.m0
  input  wire any_bad,                    // at blackbox.any_bad
  input  wire word_bad,                   // at blackbox.bad_saved_o
  input  wire [$clog2(THREADS+2)-1:0] under, // at blackbox.under_q
  input  wire [$clog2(THREADS+2)-1:0] ahead, // at blackbox.ahead_q
  input  wire fails,                      // at blackbox.u_saved.fails
  input  wire was_error,                  // at blackbox.u_saved.error_q
  input  wire [5:0] was_what,             // at blackbox.u_saved.what_q
  input  wire [THREAD_W-1:0] was_group,   // at blackbox.u_saved.group_q
  input  wire [15:0] was_count,           // at blackbox.u_saved.count_q
  input  wire [5:0] own_what,             // at blackbox.u_saved.mine_q
  input  wire [ENTRY_W-1:0] own_token,    // at blackbox.u_saved.token_q
  input  wire halt_seen,                  // at blackbox.halt_q
  input  wire reset_seen,                 // at blackbox.reset_q
  input  wire saving,                     // at blackbox.saving_q
  input  wire [3:0] at_head,              // at blackbox.u_saved.head_q
  input  wire [3:0] at_k,                 // at blackbox.u_saved.k_q
  input  wire [$clog2(2*THREADS+4)-1:0] at_place, // at blackbox.u_saved.place_q
  input  wire at_end,                     // at blackbox.u_saved.ends
  input  wire here,                       // at blackbox.u_saved.here_q
  input  wire found,                      // at blackbox.u_saved.found_q
  input  wire [COUNT_W-1:0] saved_depth,  // at blackbox.u_saved.depth_q

  // The block.
  input  wire [THREADS-1:0] busies,       // at core.u_pipe.busy_q
  input  wire [THREADS-1:0] lives,        // at core.u_pipe.live_q
  input  wire [THREADS-1:0] stops,        // at core.u_pipe.stopped_q
  input  wire [THREADS-1:0] syncs,        // at core.u_pipe.synced_q
  input  wire closed,                     // at core.u_pipe.closed
  input  wire clears,                     // at core.u_pipe.clear_q
  input  wire b_valid,                    // at core.u_pipe.b_valid_q
  input  wire [THREAD_W-1:0] b_group,     // at core.u_pipe.b_group_q
  input  wire [2:0] b_kind,               // at core.u_pipe.b_kind_q
  input  wire b_set,                      // at core.u_pipe.b_set_q
  input  wire b_pop,                      // at core.u_pipe.b_pop_q
  input  wire [LANES-1:0] b_mask,         // at core.u_pipe.b_mask_q
  input  wire [PC_W-1:0] b_target,        // at core.u_pipe.b_target_q
  input  wire [PC_W-1:0] b_next,          // at core.u_pipe.b_next_q
  input  wire [ENTRY_W+5:0] word,         // at core.u_pipe.word
  input  wire [COUNT_W-1:0] read_depth,   // at core.u_pipe.depth
  input  wire depth_we,                   // at core.u_pipe.depth_we_q
  input  wire [THREAD_W-1:0] depth_group, // at core.u_pipe.depth_group_q
  input  wire [COUNT_W-1:0] new_depth,    // at core.u_pipe.depth_q
  input  wire c0_valid,                   // at core.u_pipe.c0_valid_q
  input  wire c0_first,                   // at core.u_pipe.c0_first_q
  input  wire [13+THREAD_W+2*(LANES+PC_W):0] c0, // at core.u_pipe.c0_q
  input  wire c1_valid,                   // at core.u_pipe.c1_valid_q
  input  wire c1_first,                   // at core.u_pipe.c1_first_q
  input  wire [13+THREAD_W+2*(LANES+PC_W):0] c1, // at core.u_pipe.c1_q
  input  wire [STACK_LATENCY-1:0] d_valid, // at core.u_pipe.d_valid_q
  input  wire [STACK_LATENCY-1:0] d_last, // at core.u_pipe.d_last_q
  input  wire [STACK_LATENCY*(9+THREAD_W+LANES+PC_W)-1:0] d, // at core.u_pipe.d_q
  input  wire [2:0] r_bad,                // at core.u_pipe.bad_q
  input  wire [COUNT_W-1:0] limit,        // at core.u_pipe.u_regs.limit_q
  input  wire [COUNT_W-1:0] below_limit,  // at core.u_pipe.u_regs.below_limit_q
  input  wire reg_busy,                   // at core.u_pipe.u_regs.busy_q
  input  wire reg_write,                  // at core.u_pipe.u_regs.write_q
  input  wire [ENTRY_W+5:0] state_0,      // at core.u_pipe.u_state.mem[0] if THREADS 1..2
  input  wire [ENTRY_W+5:0] state_1,      // at core.u_pipe.u_state.mem[1] if THREADS 1..2
  input  wire [ENTRY_W+5:0] state_2,      // at core.u_pipe.u_state.mem[2] if THREADS 1..2
  input  wire [ENTRY_W+5:0] state_3,      // at core.u_pipe.u_state.mem[3] if THREADS 1..2
  input  wire [COUNT_W-1:0] depth_0,      // at core.u_pipe.u_depth.mem[0] if THREADS 1..2
  input  wire [COUNT_W-1:0] depth_1,      // at core.u_pipe.u_depth.mem[1] if THREADS 1..2
  input  wire r_error, // at core.u_pipe.u_regs.error_q
  input  wire [5:0] r_what, // at core.u_pipe.u_regs.error_what_q
  input  wire [THREAD_W-1:0] r_group, // at core.u_pipe.u_regs.error_group_q
  input  wire [15:0] r_count, // at core.u_pipe.u_regs.count_q
  input  wire [THREAD_W-1:0] reg_group, // at core.u_pipe.u_regs.group_q
  input  wire halt, // at core.u_pipe.g_unit.u_context.u_fsm.halt_req_o if STATUS 1..3
  input  wire reset, // at core.u_pipe.g_unit.u_context.u_fsm.ctx_reset_o if STATUS 1..3
  input  wire halted, // at core.u_pipe.g_unit.u_context.u_fsm.halted_o if STATUS 1..3
  input  wire [1:0] part, // at core.u_pipe.g_unit.u_context.part_q if STATUS 1..3
  input  wire [1:0] slot, // at core.u_pipe.g_unit.u_context.slot_q if STATUS 1..3
  input  wire [3:0] k, // at core.u_pipe.g_unit.u_context.k_q if STATUS 1..3
  input  wire half, // at core.u_pipe.g_unit.u_context.half_q if STATUS 1..3
  input  wire settled, // at core.u_pipe.g_unit.u_context.settled_q if STATUS 1..3
  input  wire [THREAD_W-1:0] group, // at core.u_pipe.g_unit.u_context.group_q if STATUS 1..3
  input  wire replays, // at core.u_pipe.g_unit.u_context.replay_q if STATUS 1..3
  input  wire enters, // at core.u_pipe.g_unit.u_context.enters_q if STATUS 1..3
  input  wire writes, // at core.u_pipe.g_unit.u_context.write_q if STATUS 1..3
  input  wire [2:0] phase, // at core.u_pipe.g_unit.u_context.u_port.phase_q if STATUS 1..3
  input  wire loads, // at core.u_pipe.g_unit.u_context.u_port.load_q if STATUS 1..3
  input  wire [1:0] index, // at core.u_pipe.g_unit.u_context.u_port.index_q if STATUS 1..3
  input  wire [$clog2(CTX_MAX+1)-1:0] left, // at core.u_pipe.g_unit.u_context.u_port.left_q if STATUS 1..3
  input  wire last, // at core.u_pipe.g_unit.u_context.u_port.last_q if STATUS 1..3
  input  wire spoiled, // at core.u_pipe.g_unit.u_context.u_port.spoiled_q if STATUS 1..3
  input  wire word_valid, // at core.u_pipe.g_unit.u_context.u_port.word_valid_q if STATUS 1..3
  input  wire [31:0] word_out, // at core.u_pipe.g_unit.u_context.u_port.word_q if STATUS 1..3
  input  wire word_last, // at core.u_pipe.g_unit.u_context.u_port.word_last_q if STATUS 1..3
  input  wire done, // at core.u_pipe.g_unit.u_context.u_port.ctx_done_o if STATUS 1..3
  input  wire save, // at core.u_pipe.g_unit.u_context.u_port.ctx_save_o if STATUS 1..3
  input  wire load, // at core.u_pipe.g_unit.u_context.u_port.ctx_load_o if STATUS 1..3
  input  wire commit, // at core.u_pipe.g_unit.u_context.u_port.ld_commit_o if STATUS 1..3
  input  wire abort, // at core.u_pipe.g_unit.u_context.u_port.ld_abort_o if STATUS 1..3

  output wire bad_together_o,  // what the block holds of a group is what the model says, and so ready to stopped hold, still apart
  output wire bad_context_o    // the same, with the words of a save
);
  localparam FLOW_W = LANES + PC_W, D_W = 9 + THREAD_W + FLOW_W;
  localparam [1:0] NONE = 2'd0, PUSH = 2'd1, POP = 2'd2, INIT = 2'd3;
  localparam [1:0] T_CALL = 2'd0, T_BRK = 2'd1, T_DIV = 2'd2, T_SYNC = 2'd3;
  localparam [2:0] CALL = 3'd2, PREBREAK = 3'd3, NOT_EXECUTED = 3'd1, WRONG_KIND = 3'd5;
  localparam [31:0] MOST = MAX_DEPTH, BELOW = MAX_DEPTH - 1;

  // ---- the instruction as the stages should hold it
  wire [1:0] main = pops ? POP : launches ? INIT : own ? PUSH : NONE;
  wire only_sync = sets && main == NONE;
  wire [1:0] tkind = only_sync ? T_SYNC : kind == CALL ? T_CALL : kind == PREBREAK ? T_BRK : T_DIV;
  wire [1:0] op = early ? NONE : only_sync ? PUSH : main;
  wire [PC_W-1:0] other = pop ? pc_before : next;
  wire two = n_ops == 2'd2;
  wire [13+THREAD_W+2*FLOW_W:0] c = {raw_set, tkind, diverges, to_target, kind, error, op, pop, mark, m0, imask, target, other};
  wire [LANES-1:0] then_mask = diverges ? m0 & imask : m0;
  wire [PC_W-1:0] then_pc = to_target ? target : other;

  wire model_bad = busy_before && (sets != (raw_set && !pop) || (launches && pop) || (raw_set && (kind == 3'd0 || kind > 3'd5)));

  // ---- where it is
  wire in_b = b_valid && b_group == mark;
  wire in_c0 = c0_valid && c0[2*FLOW_W+:THREAD_W] == mark;
  wire in_c1 = c1_valid && c1[2*FLOW_W+:THREAD_W] == mark;
  reg d_bad, past_bad, pair_bad, old_valid, old_mine, under_first;
  reg [1:0] d_ops;
  reg [2:0] places;
  integer i;
  // From the youngest to the oldest; behind an operation that is the first of two comes the second of the same group.
  reg next_valid, next_last;
  reg [THREAD_W-1:0] next_group;
  always @* begin
    {d_bad, past_bad, pair_bad, under_first} = 4'd0;
    d_ops = 2'd0;
    places = {2'd0, in_b} + {2'd0, in_c0} + {2'd0, in_c1};
    next_valid = c0_valid;
    next_last = !c0_first;
    next_group = c0[2*FLOW_W+:THREAD_W];
    for (i = 0; i < STACK_LATENCY; i = i + 1) begin
      if (past[i] != (d_valid[i] && d[i*D_W+FLOW_W+THREAD_W+1+:2] != NONE)) past_bad = 1'b1;
      if (past[i] && past_mine[i] != (d[i*D_W+FLOW_W+:THREAD_W] == mark)) past_bad = 1'b1;
      if (past[i] && past_init[i] != (d[i*D_W+FLOW_W+THREAD_W+1+:2] == INIT)) past_bad = 1'b1;
      if (d_valid[i] && !clears) begin
        if (d[i*D_W+FLOW_W+:THREAD_W] == mark) begin
          if (d_last[i]) places = places + 3'd1;
          else under_first = 1'b1;
          if (past[i]) d_ops = d_ops + 2'd1;
          if (d[i*D_W+:D_W] != {kind, error, d_last[i] ? op : PUSH, pop, mark, then_mask, then_pc}) d_bad = 1'b1;
          if (d_last[i] ? asked != n_ops : !two || asked == 2'd0) d_bad = 1'b1;
        end
        if (!d_last[i] && !(next_valid && next_last && next_group == d[i*D_W+FLOW_W+:THREAD_W])) pair_bad = 1'b1;
        next_valid = 1'b1;
        next_last = d_last[i];
        next_group = d[i*D_W+FLOW_W+:THREAD_W];
      end
    end
    old_valid = next_valid;
    old_mine = next_valid && next_group == mark;
  end

  // Instructions under way, oldest first: the result, those of D, C0, C1, B.
  reg [$clog2(THREADS+2)-1:0] total, older;
  integer j;
  always @* begin
    total = {{$clog2(THREADS+2)-1{1'b0}}, res_valid_o};
    older = {$clog2(THREADS+2){1'b0}};
    for (j = STACK_LATENCY - 1; j >= 0; j = j - 1)
      if (d_valid[j] && d_last[j] && !clears) begin
        if (d[j*D_W+FLOW_W+:THREAD_W] == mark) older = total;
        total = total + 1'b1;
      end
    if (in_c0) older = total;
    if (c0_valid) total = total + 1'b1;
    if (in_c1) older = total;
    if (c1_valid) total = total + 1'b1;
    if (in_b) older = total;
    if (b_valid) total = total + 1'b1;
  end
  wire order_bad = under != total || (fresh && ahead != older) || (mine && busy_before && ahead != {$clog2(THREADS+2){1'b0}});

  wire place_bad = fresh ? places != 3'd1 : places != 3'd0 || under_first;
  wire b_bad = in_b && ({b_kind, b_set, b_pop, b_mask, b_target, b_next} != {kind, raw_set, pop, imask, target, next} || asked != 2'd0
               || (!closed && !launches && (word[FLOW_W-1:0] != {mask_before, pc_before} || read_depth != depth_before)));
  wire c0_bad = in_c0 && (c0 != c || (c0_first ? !two || asked != 2'd0 : asked != {1'b0, two}));
  wire c1_bad = in_c1 && (c1 != c || c1_first != two || asked != 2'd0);
  wire count_bad = fresh ? answers + d_ops != asked || (answers == 2'd0 && bad != 3'd0) || (answers == 2'd1 && !old_mine)
                         : mine && (answers != n_ops || asked != n_ops);
  wire status_bad = (r_bad != 3'd0 && (!old_valid || clears)) || (old_mine && fresh && r_bad != bad);

  // ---- its group
  wire own_live = lives[mark[0]], own_stopped = stops[mark[0]];
  wire own_synced = syncs[mark[0]];
  wire flags_bad = busies[mark[0]] != fresh || own_live != live || own_synced != synced || (own_live && own_stopped)
                   || own_stopped != (mine ? !good : stopped_before) || (fresh && !live && !launches)
                   || own_synced != (mine ? res_status_o == NOT_EXECUTED && sync_seen : synceds[mark[0]]);
  wire [COUNT_W-1:0] held_depth = (depth_we && depth_group == mark) ? new_depth : mark[0] ? depth_1 : depth_0;
  wire [COUNT_W-1:0] so_far = asked == 2'd0 ? depth_before : asked != n_ops ? depth_before + 1'b1 : after;
  wire known = own_live || own_stopped;
  wire depth_bad = ((known || (fresh && launches && !in_b)) && held_depth != (!fresh ? depth : in_b ? depth_before : after))
                   || (busy_before && depth != so_far) || (in_b && depth_we && depth_group == mark);
  wire [ENTRY_W+5:0] low = mark[0] ? state_1 : state_0, high = mark[0] ? state_3 : state_2;
  wire state_bad = known && low[FLOW_W-1:0] != (mine && good ? {mask, pc} : {mask_before, pc_before});
  wire [ENTRY_W-1:0] wrong = res_status_o == WRONG_KIND ? token : {ENTRY_W{1'b0}};
  wire error_bad = own_stopped && high != (mine ? {res_status_o, res_kind_o, wrong} : {own_what, own_token});
  wire first_bad = r_error != (was_error || fails) || r_count != was_count + {15'd0, fails && was_count != 16'hffff}
                   || (r_error && {r_what, r_group} != (was_error ? {was_what, was_group} : {res_status_o, res_kind_o, res_group_o}));
  wire registers_bad = limit != MOST[COUNT_W-1:0] || below_limit != BELOW[COUNT_W-1:0] || reg_group != {THREAD_W{1'b0}}
                       || (reg_busy && reg_write);
  wire range_bad = {1'b0, mark} >= THREADS[THREAD_W:0]
    || (THREADS == 1 && ((b_valid && b_group != mark) || (c0_valid && !in_c0) || (c1_valid && !in_c1)));

  // ---- a save: the word register holds the word of the model's place, the block is at the one behind it
  localparam [2:0] IDLE = 3'd0, HEAD = 3'd1, BODY = 3'd2, SUM = 3'd3, END = 3'd5;
  localparam [1:0] REGISTERS = 2'd0, GROUPS = 2'd1, SLOTS = 2'd2;
  localparam PLACE_W = $clog2(2 * THREADS + 4), LEN_W = $clog2(CTX_MAX + 1);
  localparam [31:0] SLOT_PLACE = 2 * THREADS, SUM_PLACE = SLOT_PLACE + 3, LENGTH = CTX_MAX;
  localparam [31:0] RECORD = 1 + (LANES + 31) / 32 + (PC_W + 31) / 32;  // words
  localparam [31:0] SLOT = RECORD + (PC_W + 31) / 32;
  wire heads = at_head != 4'd8;
  wire turns = word_valid && !heads && at_end;
  wire [3:0] to_head = at_head + {3'd0, word_valid && heads};
  wire [3:0] to_k = turns ? 4'd0 : at_k + {3'd0, word_valid && !heads};
  wire [PLACE_W-1:0] to_place = at_place + {{PLACE_W-1{1'b0}}, turns};
  wire in_slots = to_place >= SLOT_PLACE[PLACE_W-1:0];
  wire [PLACE_W-1:0] to_slot = to_place - SLOT_PLACE[PLACE_W-1:0], at_slot = at_place - SLOT_PLACE[PLACE_W-1:0];
  wire [31:0] groups_out = in_slots ? SLOT_PLACE : {{32-PLACE_W{1'b0}}, to_place};
  wire [31:0] slots_out = in_slots ? {{32-PLACE_W{1'b0}}, to_slot} : 32'd0;
  wire [31:0] out = {28'd0, to_head - 4'd4} + RECORD * groups_out + SLOT * slots_out + {28'd0, to_k};
  wire [31:0] to_come = LENGTH - out;
  wire head_bad = index != to_head[1:0] || to_head > 4'd3 || {part, k, half, slot} != 9'd0 || group != {THREAD_W{1'b0}};
  wire in_group = part == GROUPS && k == to_k && {group, half} == to_place[THREAD_W:0] && slot == 2'd0;
  wire in_slot = part == SLOTS && k == to_k && !half && {{PLACE_W-2{1'b0}}, slot} == to_slot;
  wire body_bad = to_head < 4'd4 || left != to_come[LEN_W-1:0] || last != (left == {{LEN_W-1{1'b0}}, 1'b1})
                  || (to_head != 4'd8 ? part != REGISTERS || k != to_head - 4'd4 || {half, slot} != 3'd0 || group != {THREAD_W{1'b0}}
                      : in_slots ? !in_slot || to_place >= SUM_PLACE[PLACE_W-1:0] : !in_group);
  wire sum_bad = to_head != 4'd8 || to_place != SUM_PLACE[PLACE_W-1:0] || to_k != 4'd0;
  wire end_bad = !word_valid || heads || at_place != SUM_PLACE[PLACE_W-1:0] || at_k != 4'd0;
  wire at_bad = heads && (at_k != 4'd0 || at_place != {PLACE_W{1'b0}});
  wire phase_bad = phase == HEAD ? head_bad : phase == BODY ? body_bad : phase == SUM ? sum_bad : phase == END ? end_bad
                 : phase != IDLE || word_valid || saving != done;
  // The marked group's words: its depth, which only its slot explains; whether a slot is its own.
  wire [3:0] own_slots = {1'b0, in_b, in_c1, in_c0};
  wire now_own = own_slots[at_slot[1:0]];
  wire at_slots = !heads && at_place >= SLOT_PLACE[PLACE_W-1:0];
  wire [3:0] passed = ~(4'hf << at_slot[1:0]);
  wire says_own = word_out[0] && word_out[16+:THREAD_W] == mark;
  wire slot_bad = at_slots && at_slot != 3 && (at_k == 4'd0 ? word_valid && says_own != now_own : here != now_own);
  wire found_bad = found != (at_slots && ((own_slots & passed) != 4'd0 || (at_k != 4'd0 && at_slot != 3 && now_own)));
  wire [PLACE_W-1:0] own_place = {{PLACE_W-1-THREAD_W{1'b0}}, mark, 1'b0};
  wire depth_out = !heads && (at_place > own_place || (at_place == own_place && at_k != 4'd0));
  wire saved_bad = known && (depth_out ? saved_depth != held_depth
                             : word_valid && !heads && at_place == own_place && word_out[8+:COUNT_W] != held_depth);
  wire save_bad = at_bad || slot_bad || found_bad || saved_bad || spoiled || (word_valid && word_last != (phase == END));
  wire read_bad = save && settled && part == GROUPS && group == mark
                  && (word != (half ? high : low) || read_depth != (mark[0] ? depth_1 : depth_0));
  wire unit_bad = {halt, reset} != {halt_seen, reset_seen} || (done && phase != IDLE) || loads || load || commit || abort || replays || enters || writes
                  || (saving ? !halted || !halt || reset : phase != IDLE) || save != (phase == HEAD || phase == BODY)
                  || (halted && (d_valid != {STACK_LATENCY{1'b0}} || res_valid_o || depth_we || clears))
                  || (!save && half) || phase_bad || (phase != IDLE && save_bad) || read_bad;
  wire unused = &{1'b0, clk_i, out, to_come, passed};

  assign bad_together_o = THREADS <= 2 && !rst_i && (
      any_bad || model_bad || past_bad || pair_bad || place_bad || b_bad || c0_bad || c1_bad || d_bad || count_bad || status_bad || flags_bad
      || depth_bad || state_bad || registers_bad || range_bad || order_bad || (c1_valid && !c0_valid));
  assign bad_context_o = bad_together_o || (THREADS <= 2 && STATUS != 0 && !rst_i && (word_bad || unit_bad || error_bad || first_bad));
endmodule

`default_nettype wire
