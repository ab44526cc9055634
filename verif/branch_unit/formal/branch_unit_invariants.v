// SPDX-License-Identifier: Apache-2.0
// branch_unit_invariants: how the model of the marked group (branch_unit_blackbox.v) and the state of the
// block belong together. With them the properties of instructions hold without a bound.
//
// The instruction of the marked group is in B, in one place of the ring (C0 and those behind it) or, with
// its last operation taken, in D (or its result is out); what a stage holds of it, the RAMs and the flags of
// its group are functions of the model. What belongs to other groups is said only where it meets the marked
// one: the first of two operations in D has its second in the ring, and a status that is kept belongs to one.
// Written for one and two groups, and for a STACK_LATENCY up to RING.
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
  parameter COUNT_W = 2
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire res_valid_o,
  input  wire [THREAD_W-1:0] res_group_o,
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
  input  wire [COUNT_W-1:0] depth_before, // at blackbox.before_q
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
  input  wire launches,                   // at blackbox.launches
  input  wire pops,                       // at blackbox.pops
  input  wire own,                        // at blackbox.own
  input  wire diverges,                   // at blackbox.diverges
  input  wire to_target,                  // at blackbox.to_target
  input  wire early,                      // at blackbox.early
  input  wire overflow,                   // at blackbox.overflow
  input  wire [2:0] error,                // at blackbox.u_saved.early_i
  input  wire [LANES-1:0] m0,             // at blackbox.m0
  input  wire any_bad,                    // at blackbox.any_bad
  input  wire count_bad_o,                // at blackbox.bad_count_o
  input  wire [$clog2(THREADS+2)-1:0] under, // at blackbox.under_q
  input  wire loading,                    // at blackbox.loading_q
  input  wire foreign,                    // at blackbox.foreign_q
  input  wire saving,                     // at blackbox.saving_q

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
  input  wire b_judged,                   // at core.u_pipe.b_judged_q
  input  wire b_over,                     // at core.u_pipe.b_over_q
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
  input  wire e_valid,                    // at core.u_pipe.e_valid_q if STACK_LATENCY 1..2
  input  wire e_first,                    // at core.u_pipe.e_first_q if STACK_LATENCY 1..2
  input  wire [13+THREAD_W+2*(LANES+PC_W):0] e, // at core.u_pipe.e_q if STACK_LATENCY 1..2
  input  wire [STACK_LATENCY-1:0] d_valid, // at core.u_pipe.d_valid_q
  input  wire [STACK_LATENCY-1:0] d_last, // at core.u_pipe.d_last_q
  input  wire [8+THREAD_W+LANES+PC_W:0] d, // at core.u_pipe.g_stages.d_q if STACK_LATENCY 2..2
  input  wire [5:0] kept,                 // at core.u_pipe.bad_q if STACK_LATENCY 1..2
  input  wire [COUNT_W-1:0] limit,        // at core.u_pipe.u_words.u_limit.value_o
  input  wire [COUNT_W-1:0] below_limit,  // at core.u_pipe.u_words.below_limit_q
  input  wire reg_busy,                   // at core.u_pipe.u_shell.u_port.busy_q
  input  wire reg_write,                  // at core.u_pipe.u_shell.u_port.write_o
  input  wire [THREAD_W-1:0] reg_group,   // at core.u_pipe.u_words.u_group.value_o
  input  wire turns,                      // at core.u_pipe.u_words.turn_q
  input  wire [ENTRY_W+5:0] state_0,      // at core.u_pipe.u_state.mem[0] if THREADS 1..2
  input  wire [ENTRY_W+5:0] state_1,      // at core.u_pipe.u_state.mem[1] if THREADS 1..2
  input  wire [COUNT_W-1:0] depth_0,      // at core.u_pipe.u_depth.mem[0] if THREADS 1..2
  input  wire [COUNT_W-1:0] depth_1,      // at core.u_pipe.u_depth.mem[1] if THREADS 1..2
  input  wire halted, // at core.u_pipe.u_shell.g_unit.u_status.halted_o if STATUS 1..3
  input  wire save, // at core.u_pipe.u_shell.g_unit.u_context.ctx_save_o if STATUS 1..3
  input  wire load, // at core.u_pipe.u_shell.g_unit.u_context.ctx_load_o if STATUS 1..3

  // what the block holds of a group is what the model says, and so ready to stopped hold, again apart
  output wire bad_together_o
);
  localparam FLOW_W = LANES + PC_W, C_W = 14 + THREAD_W + 2 * FLOW_W, AT = 2 * FLOW_W;
  localparam [1:0] NONE = 2'd0, PUSH = 2'd1, POP = 2'd2, INIT = 2'd3;
  localparam [1:0] T_CALL = 2'd0, T_BRK = 2'd1, T_DIV = 2'd2, T_SYNC = 2'd3;
  localparam [2:0] CALL = 3'd2, PREBREAK = 3'd3, NOT_EXECUTED = 3'd1;
  localparam [31:0] MOST = MAX_DEPTH, BELOW = MAX_DEPTH - 1;
  // The ring of two: C0 is place 0, the one behind it place 1. An operation in stage i of D came from the
  // place that is now (i + 1) % 2; the status that is kept for C0 is number C_BAD.
  localparam C_BAD = (5 - STACK_LATENCY) % 2;

  // ---- the instruction as the stages should hold it
  wire [1:0] main = pops ? POP : launches ? INIT : own ? PUSH : NONE;
  wire only_sync = sets && main == NONE;
  wire [1:0] tkind = only_sync ? T_SYNC : kind == CALL ? T_CALL : kind == PREBREAK ? T_BRK : T_DIV;
  wire [1:0] op = early ? NONE : only_sync ? PUSH : main;
  wire [PC_W-1:0] other = pop ? pc_before : next;
  wire two = n_ops == 2'd2;
  wire [C_W-1:0] c = {raw_set, tkind, diverges, to_target, kind, error, op, pop, mark, m0, imask, target,
                      other};
  wire [LANES-1:0] then_mask = diverges ? m0 & imask : m0;
  wire [PC_W-1:0] then_pc = to_target ? target : other;
  wire model_bad = (synced && !live)
                   || (busy_before && (bad == 3'd1 || bad > 3'd4 || sets != (raw_set && !pop)
                                       || (launches && pop)
                                       || (raw_set && (kind == 3'd0 || kind > 3'd5))));

  // ---- the ring: two places
  wire [2*C_W-1:0] place = {e, c0};
  wire [1:0] valid = {e_valid, c0_valid}, first = {e_first, c0_first};
  wire [1:0] is_mine, is_two;             // of the marked group; an instruction with two operations
  wire [5:0] status;                      // that is kept for it
  genvar p;
  generate
    for (p = 0; p < 2; p = p + 1) begin : g_place
      wire [C_W-1:0] what = place[p*C_W+:C_W];
      assign is_mine[p] = valid[p] && what[AT+:THREAD_W] == mark;
      assign is_two[p] = what[C_W-1] && !what[AT+THREAD_W] && what[C_W-2-:2] != T_SYNC
                         && what[AT+THREAD_W+3+:3] == 3'd0 && what[AT+THREAD_W+1+:2] != NONE;
      assign status[3*p+:3] = kept[3*((C_BAD+p)%2)+:3];
    end
  endgenerate

  // ---- D
  wire [STACK_LATENCY-1:0] in_d = d_valid & {STACK_LATENCY{!clears}};
  reg d_bad, past_bad, pair_bad, ring_bad, kept_bad;
  reg [1:0] ends;                         // by place: a last operation is in D
  reg [1:0] d_ops;
  reg [2:0] places;
  reg under_first;
  reg [$clog2(THREADS+2)-1:0] total;
  reg [THREAD_W-1:0] group;
  reg [1:0] does;
  integer i, k;
  wire in_b = b_valid && b_group == mark;
  always @* begin
    {d_bad, past_bad, pair_bad, ring_bad, kept_bad, under_first} = 6'd0;
    ends = 2'd0;
    d_ops = 2'd0;
    places = {2'd0, in_b} + {2'd0, is_mine[0]} + {2'd0, is_mine[1]};
    total = {{$clog2(THREADS+2)-1{1'b0}}, res_valid_o} + {{$clog2(THREADS+2)-1{1'b0}}, b_valid}
            + {{$clog2(THREADS+2)-1{1'b0}}, c0_valid} + {{$clog2(THREADS+2)-1{1'b0}}, e_valid};
    group = {THREAD_W{1'b0}};
    does = NONE;
    for (i = 0; i < STACK_LATENCY; i = i + 1) begin
      k = (i + 1) % 2;
      group = (i == 0) ? e[AT+:THREAD_W] : d[FLOW_W+:THREAD_W];
      does = (i == 0) ? e[AT+THREAD_W+1+:2] : d[FLOW_W+THREAD_W+1+:2];
      if (past[i] != (d_valid[i] && (!d_last[i] || does != NONE))) past_bad = 1'b1;
      if (past[i] && past_mine[i] != (group == mark)) past_bad = 1'b1;
      if (past[i] && past_mine[i] && past_init[i] != (d_last[i] && does == INIT)) past_bad = 1'b1;
      if (in_d[i]) begin
        if (d_last[i]) begin
          ends[k] = 1'b1;
          total = total + 1'b1;
          if (i == 0 && e_valid) ring_bad = 1'b1;
        end else if (!valid[k] || first[k] || !is_two[k] || place[k*C_W+AT+:THREAD_W] != group)
          pair_bad = 1'b1;
        if (group == mark) begin
          if (d_last[i]) places = places + 3'd1;
          else under_first = 1'b1;
          if (past[i]) d_ops = d_ops + 2'd1;
          if (i == 0 ? e != c : d != {kind, error, op, pop, mark, then_mask, then_pc}) d_bad = 1'b1;
          if (d_last[i] ? asked != n_ops : !two || asked != 2'd1) d_bad = 1'b1;
          if (d_last[i] ? status[3*k+:3] != bad : status[3*k+:3] != 3'd0) kept_bad = 1'b1;
        end
      end
    end
    for (k = 0; k < 2; k = k + 1) begin
      if (valid[k] && first[k] && !is_two[k]) ring_bad = 1'b1;
      if (is_mine[k] && (place[k*C_W+:C_W] != c
                         || (first[k] ? !two || asked != 2'd0 : asked != {1'b0, two})))
        ring_bad = 1'b1;
      if (is_mine[k] && !(ends[k] && asked == 2'd0) && status[3*k+:3] != bad) kept_bad = 1'b1;
      if (status[3*k+:3] != 3'd0 && !ends[k] && !(valid[k] && !first[k] && is_two[k])) kept_bad = 1'b1;
    end
  end
  wire place_bad = fresh ? places != 3'd1 : places != 3'd0 || under_first;
  wire b_bad = in_b
               && ({b_kind, b_set, b_pop, b_mask, b_target, b_next} != {kind, raw_set, pop, imask, target,
                   next} || asked != 2'd0 || b_over != (b_judged && overflow)
               || (!closed && !launches
                   && (word[FLOW_W-1:0] != {mask_before, pc_before} || read_depth != depth_before)));
  wire count_bad = fresh ? answers + d_ops != asked || (answers == 2'd0 && bad != 3'd0)
                           || (answers != 2'd0 && !(two && answers == 2'd1))
                         : mine && (answers != n_ops || asked != n_ops);

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
  wire depth_bad = ((known || (fresh && launches && !in_b))
                    && held_depth != (!fresh ? depth : in_b ? depth_before : after))
                   || (busy_before && depth != so_far)
                   || (depth_we && depth_group == mark && !is_mine[0]);
  wire [ENTRY_W+5:0] low = mark[0] ? state_1 : state_0;
  wire state_bad = known && low[FLOW_W-1:0] != (mine && good ? {mask, pc} : {mask_before, pc_before});
  wire registers_bad = limit != MOST[COUNT_W-1:0] || below_limit != BELOW[COUNT_W-1:0]
                       || reg_group != {THREAD_W{1'b0}} || (reg_busy && reg_write);
  wire range_bad = {1'b0, mark} >= THREADS[THREAD_W:0]
                   || (THREADS == 1 && ((b_valid && b_group != mark) || (c0_valid && !is_mine[0])
                                        || (e_valid && !is_mine[1]) || (res_valid_o && res_group_o != mark)));
  // Halted, no answer is awaited, and only then a context moves.
  wire halt_bad = STATUS != 0 && ((halted && (d_valid != {STACK_LATENCY{1'b0}} || res_valid_o || depth_we))
                                  || ((save || saving) && !halted) || (!loading && (load || turns)));

  wire comes = loading && !foreign;        // what comes in is not followed here
  wire steady_bad = model_bad || past_bad || pair_bad || ring_bad || kept_bad || d_bad || place_bad || b_bad
                    || count_bad || flags_bad || depth_bad || state_bad || under != total || halt_bad
                    || range_bad;
  assign bad_together_o = THREADS <= 2 && STACK_LATENCY <= 2 && !rst_i
                          && (any_bad || count_bad_o || (!comes && steady_bad) || registers_bad);
  wire unused = &{1'b0, clk_i};
endmodule

`default_nettype wire
