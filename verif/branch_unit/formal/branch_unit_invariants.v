// SPDX-License-Identifier: Apache-2.0
// branch_unit_invariants: how the model of the marked group (branch_unit_blackbox.v) and the state of the
// block belong together. With them the properties are inductive: they hold in each cycle if they held in the
// one before.
//
// The instruction of the marked group is in B, C0, C1 or D (or its result is out); what a stage holds of it,
// the RAMs and the flags of its group are functions of the model. What belongs to other groups is said only
// where it meets the marked one: the first of two operations is followed by the second. Of a context: the
// word register holds the word of the checker's place; in a load, what the words so far said is in registers,
// flags, RAMs and stages. Written for one and two groups.
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
  input  wire [2:0] op_kind_o,
  input  wire [THREAD_W-1:0] op_thread_o,
  input  wire [ENTRY_W-1:0] op_data_o,
  input  wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,

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
  input  wire waited,                     // at blackbox.waited_q
  input  wire [THREAD_W+ENTRY_W+2:0] held, // at blackbox.held_q
  input  wire dead,                       // at blackbox.dead
  input  wire drops,                      // at blackbox.drops
  input  wire halted_seen,                // at blackbox.halted
  input  wire loading,                    // at blackbox.loading_q
  input  wire foreign,                    // at blackbox.foreign_q
  input  wire [1:0] wrong_at,             // at blackbox.wrong_q
  input  wire broken,                     // at blackbox.broken_q
  input  wire strange,                    // at blackbox.strange_q
  input  wire begun,                      // at blackbox.begun_q
  input  wire [1:0] own_slot,             // at blackbox.at_q
  input  wire [2:0] half_bad,             // at blackbox.half_bad_q
  input  wire restored_bad,               // at blackbox.bad_restored_o
  input  wire [3:0] was_head,             // at blackbox.u_saved.was_head_q
  input  wire [3:0] was_k,                // at blackbox.u_saved.was_k_q
  input  wire [$clog2(2*THREADS+4)-1:0] was_place, // at blackbox.u_saved.was_place_q
  input  wire was_end,                    // at blackbox.u_saved.was_end
  input  wire was_said,                   // at blackbox.u_saved.was_said
  input  wire [31:0] was_word,            // at blackbox.u_saved.was_word
  input  wire [COUNT_W-1:0] load_depth,   // at blackbox.u_saved.depth_i
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
  input  wire [COUNT_W-1:0] limit,        // at core.u_pipe.u_words.u_limit.value_o
  input  wire [COUNT_W-1:0] below_limit,  // at core.u_pipe.u_words.below_limit_q
  input  wire reg_busy,                   // at core.u_pipe.u_shell.u_port.busy_q
  input  wire reg_write,                  // at core.u_pipe.u_shell.u_port.write_o
  input  wire [ENTRY_W+5:0] state_0,      // at core.u_pipe.u_state.mem[0] if THREADS 1..2
  input  wire [ENTRY_W+5:0] state_1,      // at core.u_pipe.u_state.mem[1] if THREADS 1..2
  input  wire [ENTRY_W+5:0] state_2,      // at core.u_pipe.u_state.mem[2] if THREADS 1..2
  input  wire [ENTRY_W+5:0] state_3,      // at core.u_pipe.u_state.mem[3] if THREADS 1..2
  input  wire [COUNT_W-1:0] depth_0,      // at core.u_pipe.u_depth.mem[0] if THREADS 1..2
  input  wire [COUNT_W-1:0] depth_1,      // at core.u_pipe.u_depth.mem[1] if THREADS 1..2
  input  wire r_error, // at core.u_pipe.u_words.error_q
  input  wire [5:0] r_what, // at core.u_pipe.u_words.error_what_q
  input  wire [THREAD_W-1:0] r_group, // at core.u_pipe.u_words.error_group_q
  input  wire [15:0] r_count, // at core.u_pipe.u_words.count_q
  input  wire [THREAD_W-1:0] reg_group, // at core.u_pipe.u_words.u_group.value_o
  input  wire halt, // at core.u_pipe.u_shell.g_unit.u_status.halt_req_o if STATUS 1..3
  input  wire reset, // at core.u_pipe.u_shell.g_unit.u_status.ctx_reset_o if STATUS 1..3
  input  wire halted, // at core.u_pipe.u_shell.g_unit.u_status.halted_o if STATUS 1..3
  input  wire [1:0] part, // at core.u_pipe.u_words.part_q if STATUS 1..3
  input  wire [3:0] k, // at core.u_pipe.u_words.k_q if STATUS 1..3
  input  wire settled, // at core.u_pipe.u_words.u_walk.settled_q if STATUS 1..3
  input  wire [THREAD_W:0] record, // at core.u_pipe.u_words.u_walk.record_o if STATUS 1..3
  input  wire replays, // at core.u_pipe.u_words.replay_o if STATUS 1..3
  input  wire enters, // at core.u_pipe.u_words.enters_o if STATUS 1..3
  input  wire writes, // at core.u_pipe.u_words.write_o if STATUS 1..3
  input  wire [3:0] phase, // at core.u_pipe.u_shell.g_unit.u_context.phase_q if STATUS 1..3
  input  wire loads, // at core.u_pipe.u_shell.g_unit.u_context.load_q if STATUS 1..3
  input  wire [1:0] index, // at core.u_pipe.u_shell.g_unit.u_context.index_q if STATUS 1..3
  input  wire [$clog2(CTX_MAX+1)-1:0] length, // at core.u_pipe.u_shell.g_unit.u_context.len_q if STATUS 1..3
  input  wire [$clog2(CTX_MAX+1)-1:0] nth, // at core.u_pipe.u_shell.g_unit.u_context.next_q if STATUS 1..3
  input  wire last, // at core.u_pipe.u_shell.g_unit.u_context.last_left_q if STATUS 1..3
  input  wire spoiled, // at core.u_pipe.u_shell.g_unit.u_context.spoiled_q if STATUS 1..3
  input  wire word_valid, // at core.u_pipe.u_shell.g_unit.u_context.held_q if STATUS 1..3
  input  wire [31:0] word_out, // at core.u_pipe.u_shell.g_unit.u_context.word_q if STATUS 1..3
  input  wire word_last, // at core.u_pipe.u_shell.g_unit.u_context.word_last_q if STATUS 1..3
  input  wire done, // at core.u_pipe.u_shell.g_unit.u_context.ctx_done_o if STATUS 1..3
  input  wire save, // at core.u_pipe.u_shell.g_unit.u_context.ctx_save_o if STATUS 1..3
  input  wire load, // at core.u_pipe.u_shell.g_unit.u_context.ctx_load_o if STATUS 1..3
  input  wire commit, // at core.u_pipe.u_shell.g_unit.u_context.ld_commit_o if STATUS 1..3
  input  wire abort, // at core.u_pipe.u_shell.g_unit.u_context.ld_abort_o if STATUS 1..3
  input  wire [COUNT_W-1:0] new_limit, // at core.u_pipe.u_words.u_limit.coming_q
  input  wire [THREAD_W-1:0] new_group, // at core.u_pipe.u_words.u_group.coming_q
  input  wire slot_valid, // at core.u_pipe.u_words.valid_q if STATUS 1..3
  input  wire [2:0] slot_error, // at core.u_pipe.u_words.error_o if STATUS 1..3
  input  wire slot_half, // at core.u_pipe.u_words.half_done_o if STATUS 1..3
  input  wire [7:0] what, // at core.u_pipe.u_words.what_o if STATUS 1..3
  input  wire to_half, // at core.u_pipe.u_words.write_half_o if STATUS 1..3
  input  wire [THREAD_W-1:0] to_group, // at core.u_pipe.u_words.write_group_o if STATUS 1..3
  input  wire unit_refuses, // at core.u_pipe.u_shell.g_unit.bad_q if STATUS 1..3
  input  wire port_refuses, // at core.u_pipe.u_shell.g_unit.u_context.bad_q if STATUS 1..3
  input  wire [2:0] load_error, // at core.u_pipe.u_shell.g_unit.u_context.ctx_error_o if STATUS 1..3
  input  wire [1:0] word_error, // at core.u_pipe.u_shell.g_unit.u_context.word_error_q if STATUS 1..3
  input  wire seen, // at core.u_pipe.u_shell.g_unit.u_context.compared_q if STATUS 1..3
  input  wire [2:0] head_wrong, // at core.u_pipe.u_shell.g_unit.u_context.head_wrong_q if STATUS 1..3

  // what the block holds of a group is what the model says, and so ready to stopped hold, still apart
  output wire bad_together_o,
  // the same, with contexts that go out and come in, and what the checker remembers
  output wire bad_context_o
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
  wire [13+THREAD_W+2*FLOW_W:0] c = {raw_set, tkind, diverges, to_target, kind, error, op, pop, mark, m0,
                                     imask, target, other};
  wire [LANES-1:0] then_mask = diverges ? m0 & imask : m0;
  wire [PC_W-1:0] then_pc = to_target ? target : other;

  wire model_bad = (synced && !live)
                   || (busy_before && (bad == 3'd1 || bad > 3'd4 || sets != (raw_set && !pop)
                                                                || (launches && pop)
                                                                || (raw_set
                                                                    && (kind == 3'd0 || kind > 3'd5))));

  // ---- where it is
  wire in_b = b_valid && b_group == mark;
  wire in_c0 = c0_valid && c0[2*FLOW_W+:THREAD_W] == mark;
  wire in_c1 = c1_valid && c1[2*FLOW_W+:THREAD_W] == mark;
  reg d_bad, past_bad, pair_bad, old_valid, old_mine, under_first;
  reg [1:0] d_ops;
  reg [2:0] places;
  integer i;
  // From the youngest to the oldest; behind an operation that is the first of two comes the second of the
  // same group.
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
          if (d[i*D_W+:D_W] != {kind, error, d_last[i] ? op : PUSH, pop, mark, then_mask, then_pc})
            d_bad = 1'b1;
          if (d_last[i] ? asked != n_ops : !two || asked == 2'd0) d_bad = 1'b1;
        end
        if (!d_last[i] && !(next_valid && next_last && next_group == d[i*D_W+FLOW_W+:THREAD_W]))
          pair_bad = 1'b1;
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
  wire order_bad = under != total || (fresh && ahead != older)
                   || (mine && busy_before && ahead != {$clog2(THREADS+2){1'b0}});

  wire place_bad = fresh ? places != 3'd1 : places != 3'd0 || under_first;
  wire b_bad = in_b
               && ({b_kind, b_set, b_pop, b_mask, b_target, b_next} != {kind, raw_set, pop, imask, target,
                   next} || asked != 2'd0
               || (!closed && !launches
                   && (word[FLOW_W-1:0] != {mask_before, pc_before} || read_depth != depth_before)));
  wire c0_bad = in_c0 && (c0 != c || (c0_first ? !two || asked != 2'd0 : asked != {1'b0, two}));
  wire c1_bad = in_c1 && (c1 != c || c1_first != two || asked != 2'd0);
  wire count_bad = fresh ? answers + d_ops != asked || (answers == 2'd0 && bad != 3'd0)
                   || (answers == 2'd1 && !old_mine)
                         : mine && (answers != n_ops || asked != n_ops);
  wire status_bad = (r_bad != 3'd0 && (!old_valid || clears)) || (old_mine && fresh && r_bad != bad);

  // ---- its group
  wire own_live = lives[mark[0]], own_stopped = stops[mark[0]];
  wire own_synced = syncs[mark[0]];
  wire flags_bad = busies[mark[0]] != fresh || own_live != live || own_synced != synced
                   || (own_live && own_stopped)
                   || own_stopped != (mine ? !good : stopped_before) || (fresh && !live && !launches)
                   || own_synced != (mine ? res_status_o == NOT_EXECUTED && sync_seen : synceds[mark[0]]);
  wire [COUNT_W-1:0] held_depth = (depth_we && depth_group == mark) ? new_depth : mark[0] ? depth_1 : depth_0;
  wire [COUNT_W-1:0] so_far = asked == 2'd0 ? depth_before : asked != n_ops ? depth_before + 1'b1 : after;
  wire known = own_live || own_stopped;
  wire depth_bad = ((known || (fresh && launches && !in_b)) && held_depth != (!fresh ? depth
      : in_b ? depth_before : after))
                   || (busy_before && depth != so_far)
                   || (depth_we && depth_group == mark && !in_c0 && !in_c1);
  wire [ENTRY_W+5:0] low = mark[0] ? state_1 : state_0, high = mark[0] ? state_3 : state_2;
  wire state_bad = known && low[FLOW_W-1:0] != (mine && good ? {mask, pc} : {mask_before, pc_before});
  wire [ENTRY_W-1:0] wrong = res_status_o == WRONG_KIND ? token : {ENTRY_W{1'b0}};
  wire error_bad = own_stopped && high != (mine ? {res_status_o, res_kind_o, wrong} : {own_what, own_token});
  wire first_bad = r_error != (was_error || fails)
                   || r_count != was_count + {15'd0, fails && was_count != 16'hffff}
                   || (r_error && {r_what, r_group} != (was_error ? {was_what, was_group}
                                                        : {res_status_o, res_kind_o, res_group_o}));
  wire registers_bad = limit != MOST[COUNT_W-1:0] || below_limit != BELOW[COUNT_W-1:0]
                       || reg_group != {THREAD_W{1'b0}}
                       || (reg_busy && reg_write);
  reg one_d_bad;
  integer e;
  always @* begin
    one_d_bad = res_valid_o && res_group_o != mark;
    for (e = 0; e < STACK_LATENCY; e = e + 1)
      if (d_valid[e] && !clears && d[e*D_W+FLOW_W+:THREAD_W] != mark) one_d_bad = 1'b1;
  end
  wire range_bad = {1'b0, mark} >= THREADS[THREAD_W:0]
    || (THREADS == 1 && (one_d_bad || (b_valid && b_group != mark) || (c0_valid && !in_c0)
                         || (c1_valid && !in_c1)));

  // ---- a save: the block is at the model's place; what it offers is compared there
  localparam [3:0] IDLE = 4'd0, HEAD = 4'd1, BODY = 4'd2, END = 4'd8;
  localparam [3:0] FIRST_REGISTER = 4'd3, NO_HEADS = 4'd7;
  localparam [1:0] REGISTERS = 2'd0, GROUPS = 2'd1, SLOTS = 2'd2, BEHIND = 2'd3;
  wire [THREAD_W-1:0] group = part == GROUPS ? record[THREAD_W:1] : {THREAD_W{1'b0}};
  wire half = part == GROUPS && record[0];
  wire [1:0] slot = part == SLOTS ? record[1:0] : 2'd0;
  localparam PLACE_W = $clog2(2 * THREADS + 4), LEN_W = $clog2(CTX_MAX + 1);
  localparam [31:0] SLOT_PLACE = 2 * THREADS, SUM_PLACE = SLOT_PLACE + 3, LENGTH = CTX_MAX;
  localparam [31:0] RECORD = 1 + (LANES + 31) / 32 + (PC_W + 31) / 32;  // words
  localparam [31:0] SLOT = RECORD + (PC_W + 31) / 32;
  wire heads = at_head != NO_HEADS;
  wire in_slots = at_place >= SLOT_PLACE[PLACE_W-1:0];
  wire [PLACE_W-1:0] at_slot = at_place - SLOT_PLACE[PLACE_W-1:0];
  wire head_bad = index != at_head[1:0] || at_head >= FIRST_REGISTER || {part, k} != 6'd0;
  wire in_group = part == GROUPS && k == at_k && record == at_place[THREAD_W:0];
  wire in_slot = part == SLOTS && k == at_k && {{PLACE_W-2{1'b0}}, slot} == at_slot;
  wire body_bad = at_head < FIRST_REGISTER
                  || (heads ? part != REGISTERS || k != at_head - FIRST_REGISTER
                      : in_slots ? !in_slot || at_place >= SUM_PLACE[PLACE_W-1:0] : !in_group);
  wire end_bad = heads || at_place != SUM_PLACE[PLACE_W-1:0] || at_k != 4'd0;
  wire at_bad = heads && (at_k != 4'd0 || at_place != {PLACE_W{1'b0}});
  wire phase_bad = !loading && (word_valid || (phase == HEAD ? head_bad : phase == BODY ? body_bad
      : phase == END ? end_bad
                 : phase != IDLE || saving != done));
  // The marked group's words: its depth, which only its slot explains; whether a slot is its own.
  wire [3:0] own_slots = {1'b0, in_b, in_c1, in_c0};
  wire now_own = own_slots[at_slot[1:0]];
  wire at_slots = !heads && at_place >= SLOT_PLACE[PLACE_W-1:0];
  wire [3:0] passed = ~(4'hf << at_slot[1:0]);
  wire says_own = word_out[0] && word_out[16+:THREAD_W] == mark;
  wire slot_bad = at_slots && at_slot != 3 && at_k != 4'd0 && here != now_own;
  wire found_bad = found != (at_slots && ((own_slots & passed) != 4'd0 || (at_k != 4'd0 && at_slot != 3
      && now_own)));
  wire [PLACE_W-1:0] own_place = {{PLACE_W-1-THREAD_W{1'b0}}, mark, 1'b0};
  wire depth_out = !heads && (at_place > own_place || (at_place == own_place && at_k != 4'd0));
  wire saved_bad = known && depth_out && saved_depth != held_depth;
  wire save_bad = at_bad || slot_bad || found_bad || saved_bad || spoiled;
  wire read_bad = save && settled && part == GROUPS && group == mark
                  && (word != (half ? high : low) || read_depth != (mark[0] ? depth_1 : depth_0));
  localparam [31:0] LAST_REGISTER = 3, LAST_OF_RECORD = RECORD - 1, LAST_OF_SLOT = SLOT - 1;
  wire k_bad = part == REGISTERS ? k > LAST_REGISTER[3:0] : part == GROUPS ? k > LAST_OF_RECORD[3:0]
             : part == SLOTS ? k > LAST_OF_SLOT[3:0] || slot == 2'd3 : k != 4'd0;

  // ---- a load: of the model's state (image) once its header is known to be good
  localparam [3:0] DROP = 4'd4;
  localparam MASKS = (LANES + 31) / 32;
  wire comes = loading && !foreign;       // the model is what comes in
  wire image_bad = (live && stopped_before) || (synced && !live) || {1'b0, depth_before} > MOST[COUNT_W:0]
                   || own_slot == 2'd3
      || (THREADS == 1 && own_slot == 2'd1) || synceds[mark[0]] != synced || half_bad == 3'd1
      || half_bad > 3'd4
      || (busy_before ? !(live || launches) || depth != so_far : depth != depth_before)
      || !((asked == 2'd0 && answers == 2'd0 && bad == 3'd0)
           || (!begun && busy_before && own_slot == 2'd0 && asked == 2'd1 && answers == 2'd1 && two
               && bad != 3'd1));
  // Where the block is, by the same numbers as the checker.
  wire [3:0] u_head = phase == HEAD ? {2'd0, index} : part == REGISTERS ? k + FIRST_REGISTER : NO_HEADS;
  wire [3:0] u_k = (phase == HEAD || part == REGISTERS) ? 4'd0 : k;
  wire [PLACE_W-1:0] u_place = (phase == HEAD || part == REGISTERS) ? {PLACE_W{1'b0}}
                             : part == GROUPS ? {{PLACE_W-1-THREAD_W{1'b0}}, group, half}
                             : part == SLOTS ? SLOT_PLACE[PLACE_W-1:0] + {{PLACE_W-2{1'b0}}, slot}
                                 : SUM_PLACE[PLACE_W-1:0];
  wire was_sum = was_place == SUM_PLACE[PLACE_W-1:0] && was_head == NO_HEADS;
  wire [3:0] next_head = was_head + {3'd0, was_head != NO_HEADS};
  wire [3:0] next_k = (was_head != NO_HEADS || was_end || was_sum) ? 4'd0 : was_k + 4'd1;
  wire [PLACE_W-1:0] next_place = was_place + {{PLACE_W-1{1'b0}}, was_head == NO_HEADS && was_end
      && !was_sum};
  wire was_final = was_head == NO_HEADS && was_end && was_place == SUM_PLACE[PLACE_W-1:0] - 1'b1;
  wire runs = phase == HEAD || phase == BODY;
  wire at_is_bad = runs && (word_valid ? {u_head, u_k, u_place} != {was_head, was_k, was_place}
                              || {at_head, at_k, at_place} != {next_head, next_k, next_place}
                            : {u_head, u_k, u_place} != {at_head, at_k, at_place});
  wire [31:0] u_groups = part == GROUPS ? {{31-THREAD_W{1'b0}}, group, half} : SLOT_PLACE;
  wire [31:0] u_out = part == REGISTERS ? {28'd0, k}
                      : 32'd4 + RECORD * u_groups + {28'd0, k} + (part == SLOTS ? SLOT * {30'd0, slot}
                          : 32'd0);
  wire [31:0] u_next = u_out + 2;  // of the port: the number of the word behind the next one
  wire left_bad =
      (phase == BODY
       && (part == BEHIND || length != LENGTH[LEN_W-1:0] || nth != u_next[LEN_W-1:0]
           || last != (u_out + 1 == LENGTH)))
                  || (phase == HEAD && {part, k} != 6'd0)
                  || (load && (phase == END || done) && load_error == 3'd0 && part != BEHIND)
                  || (part == GROUPS ? {1'b0, group} >= THREADS[THREAD_W:0]
                      : part == SLOTS ? record > 2
                      : record != {THREAD_W+1{1'b0}});
  // The word register; what it says of others that need not be accepted.
  wire odd = word_out[31:8] > MAX_DEPTH || (word_out[0] && word_out[1]) || (word_out[2] && !word_out[0]);
  wire was_slots = was_head == NO_HEADS && was_place >= SLOT_PLACE[PLACE_W-1:0] && !was_sum;
  // another group
  wire was_other = was_head == NO_HEADS && !was_slots && !was_sum && was_k == 4'd0 && !was_place[0]
      && !was_said;
  wire in_word_bad = word_valid && runs && (
      (comes && (!broken && (word_error != 2'd0 || word_last != was_final)))
      || (comes && was_said && word_out != was_word)
      || (comes && was_slots && was_k == 4'd0 && !was_said && says_own)
      || (comes && was_slots && was_k == 4'd0 && !was_said && word_out[0] && (!strange || THREADS == 1))
      || (comes && was_slots && was_said && own_slot == 2'd1 && !strange)
      || (comes && was_other && ((odd && !strange) || word_out[2] != synceds[was_place[1]]))
      || (foreign && (was_head > {2'd0, wrong_at} || (was_head != {2'd0, wrong_at} && word_out != was_word)
                      || (was_head == {2'd0, wrong_at} && !word_last
                          && (wrong_at == 2'd2 ? word_out != 32'd0 && word_out <= LENGTH
                              : word_out == was_word)))));
  wire [2:0] right_wrong = index == 2'd0 ? (word_out[31:16] != 16'h4255 ? 3'd2 : word_out != was_word
      ? 3'd3 : 3'd0)
                         : index == 2'd1 ? (word_out != was_word ? 3'd2 : 3'd0) : (word_out == 32'd0
                             || word_out > LENGTH) ? 3'd4 : 3'd0;
  wire broken_bad = comes ? (broken ? (runs ? phase == HEAD || !word_valid || !(word_error != 2'd0
      || word_last != was_final)
                                            : load_error == 3'd0)
                                    : phase == DROP || (!done && load_error != 3'd0)
                                      || (done && load_error != 3'd0 && !strange))
                          : phase == BODY || (!runs && load_error == 3'd0) || (phase == HEAD
                              && index > wrong_at);
  wire load_state_bad = (phase == IDLE) != done || (phase & (phase - 4'd1)) != 4'd0
      || (word_valid && (phase == IDLE || phase == END))
      || loads != (phase != IDLE) || save || load != (comes && phase != HEAD)
      || {commit, abort} != {done && load && load_error == 3'd0, done && load && load_error != 3'd0}
      || ((runs || phase == DROP) && (load_error == 3'd0) != runs)
      || (seen && phase == HEAD && (!word_valid || head_wrong != right_wrong
          || (index == 2'd2 && length != word_out[LEN_W-1:0])))
      || (phase == HEAD && index != 2'd0 && nth != {{LEN_W-1{1'b0}}, 1'b1})
      || (begun && (foreign || phase != HEAD || index != 2'd0 || word_valid || seen))
      || ((enters || writes || replays) && phase != BODY && phase != END) || (enters && part != SLOTS
          && part != BEHIND)
      || (writes && ((part != GROUPS && part != SLOTS) || k > 4'd1 || u_place != {{PLACE_W-1-THREAD_W{1'b0}},
          to_group, to_half} + 1'b1))
      || (enters && k > 4'd1) || (replays && !enters);
  // What the words have said so far.
  wire known_before = live || stopped_before;
  wire said = comes && load && !unit_refuses && load_error == 3'd0 && phase != DROP;
  wire begins = part != REGISTERS || k != 4'd0;
  wire past_head = part == GROUPS ? group > mark || (group == mark && (half || k != 4'd0))
                   : part != REGISTERS;
  wire past_low = part == GROUPS ? group > mark || (group == mark && half) : part != REGISTERS;
  wire past_high = part == GROUPS ? group > mark : part != REGISTERS;
  wire writes_low = writes && !to_half && to_group == mark,
       writes_high = writes && to_half && to_group == mark;
  wire entered = busy_before && (part == BEHIND || (part == SLOTS && slot > own_slot));
  wire just = entered && enters && (own_slot == 2'd2 ? part == BEHIND
                                    : part == SLOTS && slot == own_slot + 2'd1);
  wire new_registers_bad = ((part != REGISTERS || k > 4'd0) && new_limit != MOST[COUNT_W-1:0])
      || ((part != REGISTERS || k > 4'd1) && new_group != {THREAD_W{1'b0}})
      || ((part != REGISTERS || k > 4'd2)
          && (r_error != was_error || (r_error && {r_what, r_group} != {was_what, was_group})))
      || (part != REGISTERS && r_count != was_count);
  wire new_flags_bad = past_head && (own_live != live || own_stopped != stopped_before || own_synced != synced
                                     || busies[mark[0]] != (entered && !just));
  wire new_depth_bad = past_head && held_depth != (known_before ? load_depth : {COUNT_W{1'b0}});
  // Fields come in one by one.
  wire own_record = part == GROUPS && group == mark,
       own_place_in = part == SLOTS && busy_before && slot == own_slot;
  reg fields_bad;
  wire [LANES-1:0] field_mask = part == SLOTS ? imask : half ? own_token[PC_W+:LANES] : mask_before;
  wire [PC_W-1:0] field_pc = part == SLOTS ? target : half ? own_token[PC_W-1:0] : pc_before;
  wire [PC_W-1:0] field_next = pop && own_slot != 2'd2 ? pc_before : next;
  integer f;
  always @* begin
    fields_bad = 1'b0;
    if ((own_record && (half ? stopped_before : known_before)) || own_place_in) begin
      for (f = 0; f < LANES; f = f + 1) if (k > 1 + f / 32 && b_mask[f] != field_mask[f]) fields_bad = 1'b1;
      for (f = 0; f < PC_W; f = f + 1) begin
        if (k > 1 + MASKS + f / 32 && b_target[f] != field_pc[f]) fields_bad = 1'b1;
        if (own_place_in && k > 1 + MASKS + (PC_W + 31) / 32 + f / 32 && b_next[f] != field_next[f])
          fields_bad = 1'b1;
      end
    end
  end
  wire [2:0] own_error = asked == 2'd1 ? bad : own_slot == 2'd2 ? 3'd0 : error;
  wire slot_in_bad = own_place_in && k != 4'd0
                     && (!slot_valid || {b_group, b_kind, b_pop, b_set} != {mark, kind, pop, raw_set}
                                                  || slot_error != own_error || slot_half != (asked == 2'd1));
  wire other_in_bad = part == SLOTS && k != 4'd0 && !own_place_in && slot_valid
                      && (b_group == mark || !strange || THREADS == 1);
  wire what_bad = own_record && half && k != 4'd0 && stopped_before && what != {own_what,
      own_token[ENTRY_W-1-:2]};
  wire writes_bad = (writes_low && known_before && {b_mask, b_target} != {mask_before, pc_before})
      || (writes_high && stopped_before && {what, b_mask, b_target} != {own_what, own_token});
  wire low_bad = past_low && !writes_low && known_before && low[FLOW_W-1:0] != {mask_before, pc_before};
  wire high_bad = past_high && !writes_high && stopped_before && high != {own_what, own_token};
  wire read_in_bad = part == SLOTS && k > 4'd1 && b_group == mark && known_before
                     && word[FLOW_W-1:0] != {mask_before, pc_before};
  wire just_bad = just && (!in_b || in_c0 || in_c1 || replays != (own_slot != 2'd2) || slot_error != own_error
                           || slot_half != (asked == 2'd1)
      || {b_kind, b_set, b_pop, b_mask, b_target} != {kind, raw_set, pop, imask, target}
      || b_next != field_next
      || (own_slot != 2'd2 && !launches && word[FLOW_W-1:0] != {mask_before, pc_before}));
  wire enters_bad = (enters && slot_half && !(part == SLOTS && slot == 2'd1))
                    || enters != (b_valid && !(part == BEHIND && !enters))
      || (enters && part == SLOTS && !replays) || (replays && (part == BEHIND || slot == 2'd0));
  wire stage_bad = (b_valid && part != BEHIND && !enters)
      || (c0_valid && !(part == BEHIND || (part == SLOTS && (slot == 2'd2 || (slot == 2'd1 && !enters)))))
      || (c1_valid && !(part == BEHIND || (part == SLOTS && slot == 2'd2 && !enters)))
      || (r_bad != 3'd0 && !c0_valid)
      || (!c0_valid && (c1_valid || (enters && part == SLOTS && slot == 2'd2)));
  wire stays_bad = entered && !just ? {in_b, in_c1, in_c0} != 3'd1 << own_slot || c0_bad || c1_bad
                   || (own_slot == 2'd0 && r_bad != bad)
                     || (in_b
                         && ({b_kind, b_set, b_pop, b_mask, b_target, b_next} != {kind, raw_set, pop, imask,
                             target, next}))
                 : !just && (in_b || in_c1 || in_c0);
  wire under_bad = {{30-$clog2(THREADS+2){1'b0}}, under} != {{30-$clog2(THREADS+2){1'b0}}, total}
                     + {29'd0, part == SLOTS && k != 4'd0 && slot_valid}
                     + {29'd0, word_valid && phase == BODY && was_slots && was_k == 4'd0 && word_out[0]};
  wire [PLACE_W-1:0] own_in = SLOT_PLACE[PLACE_W-1:0] + {{PLACE_W-2{1'b0}}, own_slot};
  wire own_taken = entered || (busy_before && runs && at_head == NO_HEADS && (at_place > own_in
      || (at_place == own_in && at_k != 4'd0)));
  wire ahead_bad = own_taken && ahead != (entered ? older : total);
  wire one_strange_bad = own_taken && own_slot == 2'd1 && !strange;
  // Each group, the marked one too: busy while one of its instructions is somewhere, and synced as its
  // results had it. In a load that holds where its words are in; one that enters makes its group busy a cycle
  // later.
  integer o, p;
  reg each_bad, in_now;
  reg [2:0] where;
  always @* begin
    each_bad = 1'b0;
    in_now = 1'b1;
    for (o = 0; o < THREADS; o = o + 1) begin
      where = {2'd0, b_valid && !enters && b_group == o[THREAD_W-1:0]} + {2'd0,
          c0_valid && c0[2*FLOW_W+:THREAD_W] == o[THREAD_W-1:0]}
              + {2'd0, c1_valid && c1[2*FLOW_W+:THREAD_W] == o[THREAD_W-1:0]};
      for (p = 0; p < STACK_LATENCY; p = p + 1)
        if (d_valid[p] && d_last[p] && !clears && d[p*D_W+FLOW_W+:THREAD_W] == o[THREAD_W-1:0])
          where = where + 3'd1;
      if (enters && b_group == o[THREAD_W-1:0] && busies[o]) each_bad = 1'b1;
      in_now = !comes || part == SLOTS || part == BEHIND
               || (part == GROUPS
                   && (group > o[THREAD_W-1:0] || (group == o[THREAD_W-1:0] && (half || k != 4'd0))));
      if (in_now && (where != {2'd0, busies[o]}
                     || syncs[o] != (res_valid_o && res_group_o == o[THREAD_W-1:0]
                                     ? res_status_o == NOT_EXECUTED && sync_seen : synceds[o])))
        each_bad = 1'b1;
    end
  end
  wire refuses_bad = phase == HEAD ? unit_refuses || port_refuses
                   : comes && load && ((unit_refuses && !strange)
                                       || (load_error == 3'd0
                                           && (unit_refuses != port_refuses || (done && port_refuses))));
  wire any_stage_bad;
  wire said_bad = said && (new_registers_bad
      || (begins && (range_bad || any_stage_bad || enters_bad || stage_bad || under_bad || ahead_bad
                     || stays_bad))
      || new_flags_bad || new_depth_bad || fields_bad || slot_in_bad || other_in_bad || what_bad || writes_bad
      || low_bad || high_bad
      || read_in_bad || just_bad || (begins && each_bad));
  wire early_bad = (phase == HEAD || (phase == BODY && !begins)) && under != {$clog2(THREADS+2){1'b0}};
  wire load_bad = loading && ((comes && (image_bad || one_strange_bad || early_bad)) || at_is_bad || left_bad
                              || k_bad || in_word_bad
                              || broken_bad || load_state_bad || said_bad || refuses_bad);

  // ---- instructions of any group: no operation behind an error, a pop-sync is one that pops, the first of
  // two has neither
  localparam AT_POP = 2 * FLOW_W + THREAD_W, STAGES = STACK_LATENCY + 2;
  wire [6*STAGES-1:0] stages;             // {error, operation, pop} of each
  wire [STAGES-1:0] in_use = {d_valid, c1_valid, c0_valid}, firsts = {~d_last, c1_first, c0_first};
  wire [STAGES-1:0] wrongs;
  assign stages[11:0] = {c1[AT_POP+:6], c0[AT_POP+:6]};
  genvar a;
  generate
    for (a = 0; a < STAGES; a = a + 1) begin : g_stage
      if (a > 1) begin : g_d
        assign stages[6*a+:6] = d[(a-2)*D_W+FLOW_W+THREAD_W+:6];
      end
      wire [2:0] found = stages[6*a+3+:3];
      wire [1:0] does = stages[6*a+1+:2];
      assign wrongs[a] = found == NOT_EXECUTED || (found != 3'd0 && does != NONE)
                         || (found == 3'd0 && stages[6*a] && does != POP)
                         || (firsts[a] && (found != 3'd0 || stages[6*a] || does == NONE));
    end
  endgenerate
  assign any_stage_bad = r_bad == NOT_EXECUTED || (in_use & wrongs) != {STAGES{1'b0}}
                       || (enters && slot_error == NOT_EXECUTED);

  // ---- the unit: one state, as its front end sees it
  wire code_bad = STATUS == 1 ? state_o == 0 || (state_o & (state_o - 1'b1)) != 0
                : STATUS == 2
                ? !(state_o == 4'b0011 || state_o == 4'b0101 || state_o == 4'b0110 || state_o == 4'b1001
                    || state_o == 4'b1010)
                : state_o > 4;
  wire moves = saving || loading;
  wire unit_bad = {halt, reset} != {halt_seen, reset_seen} || halted != halted_seen || code_bad
                  || (done && phase != IDLE)
                  || (saving && loading)
                  || (moves ? !halted || !halt || reset : phase != IDLE || done || save || load
                      || commit || abort)
                  || (!loading && (loads || load || commit || abort || replays || enters || writes || begun))
                  || (!loading && save != (phase == HEAD || phase == BODY))
                  || (halted
                      && (d_valid != {STACK_LATENCY{1'b0}} || res_valid_o
                          || (depth_we && !(load && phase == BODY))))
                  || (clears && (busy_before || b_valid || c0_valid || c1_valid || res_valid_o
                                 || loading || saving
                                 || busies != {THREADS{1'b0}} || lives != {THREADS{1'b0}}))
                  || (half && (part != GROUPS || !(save || load || clears))) || (phase != IDLE && spoiled)
                  || (saving && (load_error != 3'd0 || k_bad || at_place > SUM_PLACE[PLACE_W-1:0]
                                 || at_head > NO_HEADS || at_k > (at_place >= SLOT_PLACE[PLACE_W-1:0]
                                     ? LAST_OF_SLOT[3:0] : LAST_OF_RECORD[3:0])))
                  || (!loading && phase_bad) || (saving && phase != IDLE && save_bad) || read_bad;
  // What the checker at the ports remembers: an operation that waited, a reset.
  wire [1:0] c0_op = c0_first ? PUSH : c0[AT_POP+1+:2];
  wire waits_bad = waited
                   && (!c0_valid || c0_op == NONE || clears || held[THREAD_W+ENTRY_W+2:ENTRY_W] != {op_kind_o,
                       op_thread_o}
                              || (op_kind_o == 3'd0 && held[ENTRY_W-1:0] != op_data_o));
  wire history_bad = (waits_bad && !comes) || (comes && waited) || (dead && (live || comes)) || (drops
      && !clears);
  wire unused = &{1'b0, clk_i, at_end, passed, u_next, own_place_in, word_last};

  wire steady_bad = model_bad || past_bad || pair_bad || place_bad || b_bad || c0_bad || c1_bad || d_bad
                    || count_bad || status_bad || flags_bad
                    || depth_bad || state_bad || order_bad || (c1_valid && !c0_valid);
  assign bad_together_o = THREADS <= 2 && !rst_i
                          && (any_bad || (!comes && (steady_bad || range_bad)) || registers_bad);
  assign bad_context_o = bad_together_o
                         || (THREADS <= 2 && STATUS != 0 && !rst_i
                             && (word_bad || restored_bad || unit_bad || load_bad
      || model_bad || past_bad || {1'b0, mark} >= THREADS[THREAD_W:0] || history_bad
      || (!comes && (error_bad || first_bad || any_stage_bad || each_bad))));
endmodule

`default_nettype wire
