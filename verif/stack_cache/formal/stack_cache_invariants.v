// SPDX-License-Identifier: Apache-2.0
// stack_cache_invariants: what holds of the state inside a stack_cache in every cycle.
//
// About the marked thread and entry of stack_cache_blackbox, any of them. Its state is what the RAMs hold:
// after all operations that were in B and all events that fired in earlier cycles. Each output is one
// property, and together they are inductive: what the proofs of the properties at the ports stand on. Inputs
// with `at` are signals inside the flattened design. Where in the pipeline a value is:
// docs/stack_cache_design.md.
`default_nettype none

module stack_cache_invariants #(
  parameter THREADS = 2,
  parameter ENTRY_W = 8,
  parameter ENTRIES = 4,
  parameter SET = 2,
  parameter MAX_DEPTH = 8,
  parameter POLICY = 0,
  parameter FLAGS = 0,
  parameter COUNTERS = 0,
  parameter STATUS = 0,
  parameter INFLIGHT = 2,
  parameter ADDR_W = 16,
  parameter FORWARD = 1,
  parameter NSETS = 2,
  parameter THREAD_W = 1,
  parameter COUNT_W = 4,
  parameter CLASS_W = 1,
  parameter PTR_W = 3,
  parameter SET_IDX_W = 3,
  parameter ENTRY_BYTES = 1,
  parameter SET_BYTES = 2,
  parameter TAG_W = 2,
  parameter STRIDE_MAX = 3,
  parameter LATENCY = 3,
  // Widths inside the block.
  parameter SET_LG = $clog2(SET),
  parameter NUM_W = ($clog2(NSETS) + 1 > 3) ? $clog2(NSETS) + 1 : 3,
  parameter BANK_W = (SET > 1) ? SET_LG : 1,
  parameter OFF = (FLAGS != 0 && SET > 1) ? BANK_W : 0,
  parameter E_W = 2 * NUM_W + 5 + OFF + ((POLICY != 0) ? 1 + ((STATUS != 0) ? NUM_W : 0) : 0),
  parameter O_W = COUNT_W + 2 * NUM_W + 5 + OFF + ((COUNTERS == 2) ? COUNT_W : 0),
  parameter W_W = E_W + INFLIGHT + ((POLICY != 0) ? NUM_W : 0),
  parameter KEPT_W = (SET_IDX_W > CLASS_W) ? SET_IDX_W : CLASS_W,
  parameter UW = ((SET_IDX_W > PTR_W) ? SET_IDX_W : PTR_W) + NUM_W + 1
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire mem_req_valid_o,
  input  wire mem_req_write_o,
  input  wire [TAG_W-1:0] mem_req_tag_o,
  input  wire [ADDR_W-1:0] mem_req_addr_o,
  input  wire [SET_BYTES*8-1:0] mem_req_data_o,
  input  wire mem_rsp_ready_o,
  input  wire ans_valid_o,
  input  wire [1:0] ans_status_o,
  input  wire reg_rsp_valid_o,
  input  wire [31:0] reg_rsp_data_o,

  // The checker at the ports: the mark, operations by age, accesses under way, the answer offered.
  input  wire [THREAD_W-1:0] mark,                     // at blackbox.thread_q
  input  wire [COUNT_W-1:0] entry,                     // at blackbox.entry_q
  input  wire [LATENCY-1:0] past,                      // at blackbox.past_q
  input  wire [LATENCY*3-1:0] kinds,                   // at blackbox.kind_q
  input  wire [LATENCY*THREAD_W-1:0] threads_of,       // at blackbox.of_q
  input  wire [LATENCY*ENTRY_W-1:0] datas,             // at blackbox.data_q
  input  wire [COUNT_W-1:0] answered_count,            // at blackbox.count_q
  input  wire [ENTRY_W-1:0] answered_value,            // at blackbox.value_q
  input  wire [(1<<TAG_W)-1:0] out,                    // at blackbox.out_q
  input  wire [(1<<TAG_W)-1:0] old,                    // at blackbox.old_q
  input  wire [INFLIGHT-1:0] reads,                    // at blackbox.read_q
  input  wire [INFLIGHT-1:0] writes,                   // at blackbox.write_q
  input  wire [ENTRY_BYTES*8-1:0] memory,              // at blackbox.word_q
  input  wire offer,                                   // at blackbox.offer_q
  input  wire [TAG_W-1:0] offer_tag,                   // at blackbox.offer_tag_q
  input  wire [1:0] offer_error,                       // at blackbox.offer_error_q
  input  wire offered,                                 // at blackbox.offered_q
  input  wire [LATENCY+1:0] errors,                    // at blackbox.error_q
  input  wire answered_fault,                          // at blackbox.faulted_q
  input  wire could_push,                              // at blackbox.could_push_q
  input  wire could_top,                               // at blackbox.could_top_q
  input  wire was_here,                                // at blackbox.same_q
  input  wire [10:0] since_reset,                      // at blackbox.since_reset_q
  input  wire read_depth,                              // at blackbox.read_depth_q
  input  wire [3:0] quiet,                             // at blackbox.quiet_q

  // Walks and can-go bits.
  input  wire clear,                                   // at core.clear_q
  input  wire clear2,                                  // at core.clear_q2
  input  wire walk,                                    // at core.walk_q
  input  wire settle,                                  // at core.settle_q
  input  wire clearing,                                // at core.clearing_q
  input  wire [1:0] walked,                            // at core.walked_q
  input  wire [THREAD_W-1:0] walk_thread,              // at core.walk_thread_q
  input  wire [THREADS-1:0] pushes,                    // at core.push_q
  input  wire [THREADS-1:0] tops,                      // at core.top_q
  input  wire [COUNT_W-1:0] limit,                     // at core.u_regs.limit_q
  input  wire [COUNT_W-1:0] limit_reg,                 // at core.u_regs.limit_reg_q
  input  wire [5:0] stride,                            // at core.u_regs.stride_lg_q
  input  wire [ADDR_W-1:0] base,                       // at core.u_regs.base_o
  input  wire change,                                  // at core.u_regs.change_q
  input  wire reg_busy,                                // at core.u_regs.u_port.busy_q
  input  wire reg_write,                               // at core.u_regs.u_port.write_o
  input  wire [9:0] reg_addr,                          // at core.u_regs.u_port.addr_o
  input  wire [THREAD_W-1:0] reg_thread,               // at core.u_regs.thread_q
  input  wire reg_depth,                               // at core.u_regs.depth_q

  // Operations.
  input  wire [THREADS*O_W-1:0] o_words,               // at core.u_ops.u_o_ram.mem[*THREADS]
  input  wire [THREADS*E_W-1:0] e_words,               // at core.u_ops.u_e_ram.mem[*THREADS]
  input  wire [THREADS*O_W-1:0] o_copies,              // at core.u_engine.u_o_ram.mem[*THREADS]
  input  wire [THREADS*W_W-1:0] w_words,               // at core.u_engine.u_w_ram.mem[*THREADS]
  input  wire [O_W-1:0] b_o,                           // at core.u_ops.o
  input  wire [E_W-1:0] b_e,                           // at core.u_ops.e
  input  wire [THREAD_W-1:0] b_thread,                 // at core.u_ops.b_thread_q
  input  wire b_push,                                  // at core.u_ops.b_push
  input  wire b_pop,                                   // at core.u_ops.b_pop
  input  wire b_peek,                                  // at core.u_ops.b_peek
  input  wire b_replace,                               // at core.u_ops.b_replace
  input  wire b_init,                                  // at core.u_ops.b_init_q
  input  wire b_walk,                                  // at core.u_ops.b_walk_q
  input  wire b_silent,                                // at core.u_ops.b_silent_q
  input  wire b_load,                                  // at core.u_ops.b_load_q
  input  wire b_uses_write,                            // at core.u_ops.b_uses_write_o
  input  wire [ENTRY_W-1:0] b_data,                    // at core.u_ops.b_data_o
  input  wire [COUNT_W-1:0] b_limit,                   // at core.u_ops.limit_q
  input  wire [COUNT_W-1:0] b_near,                    // at core.u_ops.near_q
  input  wire c_answer,                                // at core.u_ops.c_answer_q
  input  wire c_valid,                                 // at core.u_ops.c_valid_o
  input  wire [THREAD_W-1:0] c_thread,                 // at core.u_ops.c_thread_o
  input  wire [O_W-1:0] c_o,                           // at core.u_ops.c_o_o
  input  wire [2:0] c_kind,                            // at core.u_ops.c_kind_q
  input  wire [1:0] c_status,                          // at core.u_ops.c_status_q
  input  wire c_init,                                  // at core.u_ops.c_was_init_o
  input  wire c_cuts,                                  // at core.u_ops.c_cuts_o
  input  wire c_replace,                               // at core.u_ops.c_replace_o
  input  wire c_begins,                                // at core.u_ops.c_begins_q
  input  wire c_drop,                                  // at core.u_ops.c_drop_o

  // Engine.
  input  wire hint,                                    // at core.u_engine.hint_q
  input  wire [THREAD_W-1:0] hint_thread,              // at core.u_engine.hint_thread_q
  input  wire [THREAD_W-1:0] scan,                     // at core.u_engine.scan_q
  input  wire eb_answer,                               // at core.u_engine.eb_answer_q
  input  wire eb_visit,                                // at core.u_engine.eb_visit_q
  input  wire eb_depth,                                // at core.u_engine.eb_depth_q
  input  wire [THREAD_W-1:0] eb_thread,                // at core.u_engine.eb_thread_q
  input  wire [CLASS_W-1:0] eb_class,                  // at core.u_engine.eb_class_q
  input  wire [CLASS_W-1:0] eb_above,                  // at core.u_engine.class_above_q
  input  wire [1:0] eb_error,                          // at core.u_engine.eb_error_q
  input  wire [O_W-1:0] eb_o,                          // at core.u_engine.o
  input  wire [W_W-1:0] eb_w,                          // at core.u_engine.w
  input  wire ef_answer,                               // at core.u_engine.ef_answer_q
  input  wire ef_visit,                                // at core.u_engine.ef_visit_q
  input  wire ef_kept,                                 // at core.u_engine.ef_kept_q
  input  wire [THREAD_W-1:0] ef_thread,                // at core.u_engine.ef_thread_q
  input  wire [W_W-1:0] ef_w,                          // at core.u_engine.ef_w_q
  input  wire ef_w1,                                   // at core.u_engine.ef_w1_q
  input  wire ef_w2,                                   // at core.u_engine.ef_w2_q
  input  wire ef_single,                               // at core.u_engine.ef_single_q
  input  wire ef_held,                                 // at core.u_engine.ef_held_q
  input  wire ef_drain,                                // at core.u_engine.ef_drain_q
  input  wire ef_fault,                                // at core.u_engine.ef_fault_q
  input  wire ef_idle,                                 // at core.u_engine.ef_idle_q
  input  wire ef_spill,                                // at core.u_engine.ef_spill_q
  input  wire ef_restore,                              // at core.u_engine.ef_restore_q
  input  wire ef_must,                                 // at core.u_engine.ef_must_q
  input  wire [1:0] ef_error,                          // at core.u_engine.ef_error_q
  input  wire [UW-1:0] ef_set,                         // at core.u_engine.ef_set_q
  input  wire same_b,                                  // at core.u_engine.same_b_q
  input  wire same_c,                                  // at core.u_engine.same_c_q
  input  wire ec_valid,                                // at core.u_engine.ec_valid_q
  input  wire [THREAD_W-1:0] ec_thread,                // at core.u_engine.ec_thread_q
  input  wire [W_W-1:0] ec_w,                          // at core.u_engine.ec_w_q
  input  wire ec_hint,                                 // at core.u_engine.ec_hint_q
  input  wire ec_request,                              // at core.u_engine.u_request.ec_req_q
  input  wire ec_write,                                // at core.u_engine.u_request.ec_write_q
  input  wire [UW-1:0] ec_set,                         // at core.u_engine.u_request.ec_set_q
  input  wire [THREAD_W-1:0] rq_thread,                // at core.u_engine.u_request.ec_thread_q
  input  wire [SET-1:0] ec_part,                       // at core.u_engine.u_request.ec_part_q
  input  wire [SET-1:0] asked_part,                    // at core.u_engine.u_request.req_part_q
  input  wire ec_spill,                                // at core.u_engine.ec_spill_q
  input  wire ec_store,                                // at core.u_engine.ec_store_q
  input  wire ec_fault,                                // at core.u_engine.ec_fault_q

  // The set kept until its write is acknowledged; storage.
  input  wire kept_live,                               // at core.u_engine.g_kept.live_q if FORWARD 1..1
  input  wire kept_captures,                           // at core.u_engine.g_kept.capture_q if FORWARD 1..1
  input  wire [THREAD_W-1:0] kept_thread,              // at core.u_engine.g_kept.thread_q if FORWARD 1..1
  input  wire [KEPT_W-1:0] kept_set,                   // at core.u_engine.g_kept.set_q if FORWARD 1..1
  input  wire kept_hit, // at core.u_engine.g_kept.ef_thread_hit_q if FORWARD 1..1
  input  wire kept_ends,                               // at core.u_engine.g_kept.ef_ends_q if FORWARD 1..1
  input  wire [SET*ENTRY_W-1:0] kept_data,             // at core.u_engine.g_kept.kept_q if FORWARD 1..1
  input  wire [SET*ENTRY_W-1:0] kept_stores,           // at core.u_engine.g_kept.store_q if FORWARD 1..1
  input  wire [SET*THREADS*NSETS*ENTRY_W-1:0] storage, // at core.g_bank[*SET].u_ram.mem[*THREADS*NSETS]
  input  wire [SET*ENTRY_W-1:0] rdata,                 // at core.rdata
  input  wire [BANK_W-1:0] c_bank,                     // at core.u_ops.c_bank_q
  input  wire c_data_valid,                            // at core.u_ops.c_data_valid_q

  // SC-4: L <= S <= top's set + 1; at most NSETS sets on chip or awaited, these below L
  output wire bad_pointers_o,
  output wire bad_state_o,      // what else holds of a thread's state
  output wire bad_pipeline_o,   // operations go on the state in the RAMs, and only where it lets them
  output wire bad_bits_o,       // SC-11: a can-go bit that is 1 is right
  output wire bad_due_o,        // SC-11: a can-go bit that is 0 is right, but in the cycle before it rises
  output wire bad_engine_o,     // what EB and EF know of their thread is true
  output wire bad_accesses_o,   // pending are the accesses under way; an awaited set is being read
  output wire bad_copy_o,       // what is known of the set kept until its write is acknowledged
  // SC-4: an entry below the count is on chip (from set L), in memory (below S) or both
  output wire bad_place_o,
  output wire bad_reads_o,      // a pop or peek in C has read it
  output wire bad_offered_o,    // and memory was offered every set below S
  // SC-12: a thread is faulted from an error on; accesses from before an init are known
  output wire bad_faults_o,
  output wire bad_history_o     // what the checker at the ports remembers
);
  localparam [2:0] PUSH = 3'd0, POP = 3'd1, PEEK = 3'd2, REPLACE = 3'd3, INIT = 3'd4;
  localparam [1:0] OK = 2'd0, OVERFLOW = 2'd1, UNDERFLOW = 2'd2, FAULT = 2'd3;
  localparam W = COUNT_W + UW;              // enough for every sum
  localparam N_AT = COUNT_W, V_AT = N_AT + NUM_W, R_AT = V_AT + NUM_W, H_AT = R_AT + 2;
  localparam [W-1:0] ALL = NSETS, MOST = MAX_DEPTH, IN_SET = SET - 1;

  // ---- the marked thread's state -------------------------------------------------------------------
  wire running = STATUS == 0 && !rst_i;  // no halt and no context come in
  wire live = running && (!clear || walk_thread > mark);  // the walk after reset has passed it
  wire [O_W-1:0] o = o_words[mark*O_W+:O_W], o_copy = o_copies[mark*O_W+:O_W];
  wire [E_W-1:0] e = e_words[mark*E_W+:E_W];
  wire [W_W-1:0] w = w_words[mark*W_W+:W_W];
  wire [NUM_W-1:0] nd_n = o[N_AT+:NUM_W] + e[0+:NUM_W], nv_n = o[V_AT+:NUM_W] + e[NUM_W+:NUM_W];
  wire [1:0] nr_n = o[R_AT+:2] + e[2*NUM_W+:2];
  wire held = o[H_AT] ^ e[2*NUM_W+2];
  wire drain = o[H_AT+1] ^ e[2*NUM_W+3];
  wire fault = o[H_AT+2] ^ e[2*NUM_W+4];
  wire [INFLIGHT-1:0] pend = w[E_W+:INFLIGHT];
  wire [W-1:0] count = {{W-COUNT_W{1'b0}}, o[COUNT_W-1:0]};
  wire [W-1:0] nd = {{W-NUM_W{1'b0}}, nd_n}, nv = {{W-NUM_W{1'b0}}, nv_n}, nr = {{W-2{1'b0}}, nr_n};
  wire [W-1:0] used = (count + IN_SET) >> SET_LG;       // sets in use
  wire [W-1:0] full = count >> SET_LG;                  // of these, full ones
  wire part = (count & IN_SET) != 0;                    // the top's set is partly filled
  wire [W-1:0] l = used - nv, s = used - nd;
  wire push_good = fault || count >= MOST || (part ? nv != 0 : nd < ALL);
  wire top_good = fault || count == 0 || nv != 0;

  wire wrong_mark = running && (entry >= MOST[COUNT_W-1:0] || {1'b0, mark} >= THREADS[THREAD_W:0]);
  wire wrong_count = live && count > MOST;
  wire wrong_dirty = live && nd > nv;
  wire wrong_valid = live && (nv > used || nv > ALL);
  wire wrong_awaited = live && (nr > 2 || nv + nr > ALL || nr > l);
  assign bad_pointers_o = wrong_count || wrong_dirty || wrong_valid || wrong_awaited;

  wire wrong_held = live && held && nr != 2;
  wire wrong_drain = live && drain && (nd != used || nr != 0 || fault);
  wire wrong_part = live && part && nv == 0;
  wire wrong_copy = live && (o != o_copy || e != w[E_W-1:0]);
  wire wrong_limit = running
                     && ((limit != limit_reg && !(clear && walk_thread == 0))
                         || limit_reg != MOST[COUNT_W-1:0]
                     || stride != STRIDE_MAX[5:0] || base != {ADDR_W{1'b0}} || change
                     || (reg_busy && reg_write));
  wire wrong_walk = running && (walk || settle || clearing || walked != 2'b00 || (clear && !clear2));
  assign bad_state_o = wrong_mark || wrong_limit || wrong_walk || wrong_held || wrong_drain || wrong_part
                       || wrong_copy;

  // ---- operations: in B, in C, answered -------------------------------------------------------------
  wire [2:0] b_kind = kinds[2:0], c_was = kinds[5:3], a_was = kinds[8:6];
  wire b_here = past[0] && b_thread == mark, c_here = past[1] && c_thread == mark;
  wire a_here = past[2] && threads_of[2*THREAD_W+:THREAD_W] == mark;
  wire wrong_b = running && (b_push != (past[0] && b_kind == PUSH) || b_pop != (past[0] && b_kind == POP)
                            || b_peek != (past[0] && b_kind == PEEK)
                            || b_replace != (past[0] && b_kind == REPLACE)
                            || b_init != (past[0] && b_kind == INIT) || b_walk || b_silent || b_load
                            || (past[0] && (b_thread != threads_of[0+:THREAD_W] || clear || clear2))
                            || (past[0]
                                && (b_limit != MOST[COUNT_W-1:0] || b_near != MOST[COUNT_W-1:0] - 1'b1))
                            || ((b_push || b_replace) ? b_data != datas[0+:ENTRY_W]
                                : !clear && !b_uses_write && b_data != 0));
  wire wrong_kind = running && ((past[0] && b_kind > INIT) || (past[1] && c_was > INIT)
                                || (past[2] && a_was > INIT));
  wire wrong_b_state = live && b_here && (b_o != o || b_e != e);
  wire wrong_b_push = live && b_here && b_kind == PUSH && !push_good;
  wire wrong_b_top = live && b_here && b_kind != PUSH && b_kind != INIT && !top_good;

  wire wrong_c = running && (c_answer != past[1] || (c_valid && !past[1] && !clear2)
                            || (past[1] && (!c_valid || c_thread != threads_of[THREAD_W+:THREAD_W]
                                            || c_kind != c_was || clear))
                            || c_init != (past[1] && c_was == INIT)
                            || c_cuts != (past[1] && (c_was == INIT || c_was == POP))
                            || c_replace != (past[1] && c_was == REPLACE) || (c_drop && !c_begins && !clear)
                            || (c_begins && !(past[1] && c_was == PUSH && c_status == OK))
                            || (past[2] && clear));
  wire wrong_c_state = running && c_valid && c_thread == mark && c_o != o;
  wire wrong_c_begins = live && c_here && c_was == PUSH && c_status == OK
    && c_begins != (((count - 1'b1) & IN_SET) == 0);
  wire wrong_c_drop = live && c_here && c_drop && nr > 1;
  // The count before and after the operation in C, from the answers.
  wire [W-1:0] n0 = {{W-COUNT_W{1'b0}}, answered_count};
  wire a_ok = a_here && ans_status_o == OK, c_ok = c_here && c_status == OK;
  wire [W-1:0] n1 = !a_ok ? n0 : a_was == INIT ? 0 : a_was == PUSH ? n0 + 1'b1
                    : a_was == POP ? n0 - 1'b1 : n0;
  wire [W-1:0] n2 = !c_ok ? n1 : c_was == INIT ? 0 : c_was == PUSH ? n1 + 1'b1
                    : c_was == POP ? n1 - 1'b1 : n1;
  wire wrong_counted = live ? n2 != count : running && answered_count != 0;
  wire wrong_c_status = live && c_here && (c_status == FAULT ? !fault : c_status
    != (c_was == PUSH && n1 >= MOST ? OVERFLOW : c_was != PUSH && c_was != INIT && n1 == 0 ? UNDERFLOW : OK));
  assign bad_pipeline_o = wrong_b || wrong_kind || wrong_b_state || wrong_b_push || wrong_b_top || wrong_c
    || wrong_c_state || wrong_c_begins || wrong_c_drop || wrong_counted || wrong_c_status;

  // ---- can-go bits -----------------------------------------------------------------------------------
  // That of a thread in B is 1 where B has yet to make it fall.
  wire wrong_push_bit = live && pushes[mark] && !push_good && !(b_here && (b_kind == POP || b_kind == INIT));
  wire wrong_top_bit = live && tops[mark] && !top_good && !(b_here && (b_kind == PUSH || b_kind == INIT));
  wire ec_here = ec_thread == mark && running;
  wire wrong_rise = ec_here && ((ec_spill && !push_good) || (ec_store && !top_good) || (ec_fault && !fault)
                                || ((ec_spill || ec_store || ec_fault) && clear));
  wire wrong_push_wait = running && !pushes[mark] && (!live || push_good)
                         && !(ec_here && (ec_spill || ec_fault));
  wire wrong_top_wait = running && !tops[mark] && (!live || top_good) && !(ec_here && (ec_store || ec_fault));
  wire wrong_raised = live && b_here
                      && (!tops[mark] || (!pushes[mark] && b_kind != PEEK && b_kind != REPLACE));
  assign bad_due_o = wrong_push_wait || wrong_top_wait || wrong_raised;
  assign bad_bits_o = wrong_push_bit || wrong_top_bit || wrong_rise;

  // ---- accesses under way ----------------------------------------------------------------------------
  // What each is for, from the moment in which it is in EC.
  wire ec_asks = ec_request && ec_here, asks = mem_req_valid_o && mem_req_tag_o[TAG_W-1:CLASS_W] == mark;
  wire [CLASS_W-1:0] asked = mem_req_tag_o[CLASS_W-1:0];
  wire [W-1:0] ec_set_x = {{W-UW{1'b0}}, ec_set};
  reg [INFLIGHT*W-1:0] sets_q;
  reg [INFLIGHT-1:0] is_write_q;
  always @(posedge clk_i)
    if (ec_asks) begin
      sets_q[ec_set[CLASS_W-1:0]*W+:W] <= ec_set_x;
      is_write_q[ec_set[CLASS_W-1:0]] <= ec_write;
    end
  reg [INFLIGHT*W-1:0] sets;
  reg [INFLIGHT-1:0] is_write;
  reg pend_is, class_is, seen_is;
  wire [W-1:0] entry_x = {{W-COUNT_W{1'b0}}, entry}, entry_set = entry_x >> SET_LG;
  integer c;
  always @* begin
    sets = sets_q;
    is_write = is_write_q;
    pend_is = 1'b0;
    class_is = 1'b0;
    seen_is = 1'b0;
    for (c = 0; c < INFLIGHT; c = c + 1) begin
      if (ec_asks && ec_set[CLASS_W-1:0] == c[CLASS_W-1:0]) begin
        sets[c*W+:W] = ec_set_x;
        is_write[c] = ec_write;
      end
      if ({1'b0, live && pend[c]} != {1'b0, out[{mark, c[CLASS_W-1:0]}]} + {1'b0,
          asks && asked == c[CLASS_W-1:0]}
                                     + {1'b0, ec_asks && ec_set[CLASS_W-1:0] == c[CLASS_W-1:0]})
        pend_is = 1'b1;
      if (live && pend[c] && (sets[c*W+:CLASS_W] != c[CLASS_W-1:0] || (sets[c*W+:W] << SET_LG) >= MOST))
        class_is = 1'b1;
      if (reads[c] != (out[{mark, c[CLASS_W-1:0]}] && !is_write_q[c] && sets_q[c*W+:W] == entry_set)
          || writes[c] != (out[{mark, c[CLASS_W-1:0]}] && is_write_q[c] && sets_q[c*W+:W] == entry_set))
        seen_is = 1'b1;
    end
  end
  wire wrong_pend = running && pend_is, wrong_class = running && class_is, wrong_seen = running && seen_is;
  wire [ADDR_W+THREAD_W-1:0] region = {{ADDR_W{1'b0}}, mark} << STRIDE_MAX;
  wire [W+ADDR_W-1:0] place = {{ADDR_W{1'b0}}, sets_q[asked*W+:W]} << $clog2(SET_BYTES);
  wire wrong_asked = asks && running && (mem_req_write_o != is_write_q[asked]
                                        || mem_req_addr_o != region[ADDR_W-1:0] + place[ADDR_W-1:0]);
  wire [W-1:0] first = l - 1'b1, second = l - 2'd2;     // the sets awaited
  wire [CLASS_W-1:0] first_class = first[CLASS_W-1:0], second_class = second[CLASS_W-1:0];
  wire wrong_first = live && nr != 0 && !fault
    && !(pend[first_class] && !is_write[first_class] && sets[first_class*W+:W] == first);
  wire wrong_second = live && nr == 2 && !held && !fault
    && !(pend[second_class] && !is_write[second_class] && sets[second_class*W+:W] == second);
  wire wrong_whole = running && ((ec_request && (rq_thread != ec_thread || !(&ec_part)))
                                 || (mem_req_valid_o && !(&asked_part)));
  // All threads are below THREADS.
  function beyond(input valid, input [THREAD_W-1:0] thread);
    beyond = valid && {1'b0, thread} >= THREADS[THREAD_W:0];
  endfunction
  reg stray;
  integer n;
  always @* begin
    stray = beyond(past[0], b_thread) || beyond(c_valid, c_thread) || beyond(clear, walk_thread)
            || beyond(hint, hint_thread)
      || beyond(1'b1, scan) || beyond(eb_answer || eb_visit, eb_thread)
      || beyond(ef_answer || ef_visit || ef_kept, ef_thread)
      || beyond(ec_request || ec_valid || ec_hint, ec_thread)
      || beyond(mem_req_valid_o, mem_req_tag_o[TAG_W-1:CLASS_W]);
    for (n = 0; n < 1 << TAG_W; n = n + 1)
      if (beyond(out[n], n[TAG_W-1:CLASS_W])) stray = 1'b1;
  end
  wire wrong_thread = running && stray;
  wire wrong_offer = running && offer && !out[offer_tag];
  wire wrong_clear = clear && running
    && (eb_answer || eb_visit || eb_depth || ef_answer || ef_visit || ef_kept || ec_request
        || (ec_valid && !clear2)
        || mem_req_valid_o || out != 0 || past != 0 || reg_depth || reg_busy || errors != 0
        || answered_fault);
  assign bad_accesses_o = wrong_pend || wrong_seen || wrong_class || wrong_asked || wrong_first
                          || wrong_second
    || wrong_thread || wrong_offer || wrong_whole || wrong_clear;

  // ---- engine ------------------------------------------------------------------------------------------
  wire eb_here = (eb_answer || eb_visit || eb_depth) && eb_thread == mark && running;
  wire ef_any = (ef_answer || ef_visit || ef_kept) && running, ef_here = ef_any && ef_thread == mark;
  wire wrong_one = running
    && ({1'b0, eb_answer} + {1'b0, eb_visit} + {1'b0, eb_depth} > 2'd1
        || {1'b0, ef_answer} + {1'b0, ef_visit} + {1'b0, ef_kept} > 2'd1 || (eb_answer && ef_answer)
        || ((eb_answer || eb_visit) && ef_any && eb_thread == ef_thread)
        || ((ef_w1 || ef_w2) && !ef_answer) || (ef_w1 && ef_w2) || (ef_kept && FORWARD == 0)
        || (ec_request && mem_req_valid_o));
  wire wrong_port = running
    && ((eb_answer && (!offer || offer_tag != {eb_thread, eb_class} || eb_error != offer_error
                       || eb_above != eb_class + 1'b1))
        || (ef_answer && (!offer || offer_tag[TAG_W-1:CLASS_W] != ef_thread || ef_error != offer_error)));
  wire wrong_eb = eb_here && (eb_o != o || eb_w != w);
  wire [CLASS_W-1:0] its_class = offer_tag[CLASS_W-1:0];
  wire [INFLIGHT-1:0] answered = ef_answer ? {{INFLIGHT-1{1'b0}}, 1'b1} << its_class : 0;
  wire [INFLIGHT-1:0] ef_pend = ef_w[E_W+:INFLIGHT];
  wire wrong_ef = ef_here && (ef_w[E_W-1:0] != w[E_W-1:0] || ef_pend != (pend & ~answered)
                              || ef_idle != (ef_pend == 0)
                              || same_b != (b_thread == ef_thread) || same_c != (c_thread == ef_thread));
  wire ef_init = same_c && c_init, ef_drop = same_c && c_drop;
  wire wrong_ef_flags = ef_here && (ef_init ? !drain : ef_drain != drain || ef_fault != fault);
  wire [W-1:0] ef_set_x = {{W-UW{1'b0}}, ef_set};
  wire ef_cut = same_c && (c_cuts || (c_replace && !ef_must));
  wire wrong_ef_spill = ef_here && ef_visit && ef_spill
    && (ef_drain || ef_fault || ef_restore || (!ef_cut && (ef_set_x != s || s >= full || nd == 0
                                                          || (ef_must
                                                              && (nd != ALL || part || count >= MOST)))));
  wire wrong_ef_restore = ef_here && ((ef_visit && ef_restore) || ef_kept)
    && (ef_drain || ef_fault
        || (!(same_c && (c_init || c_begins))
            && (ef_single != (nr == 1) || ef_held != held || nr >= 2 || nr >= l
                                                  || nv + nr >= ALL || ef_set_x != l - 1'b1 - nr)));
  wire ef_good = !drain && !fault && ef_error == 2'd0;
  wire w1 = ef_w1 && !(ef_drop && ef_single), w2 = ef_w2 && !ef_drop;
  wire wrong_ef_answer = ef_here && ef_answer && !ef_init
    && (w1 != (ef_good && nr != 0 && first_class == its_class)
        || w2 != (ef_good && nr == 2 && !held && second_class == its_class)
        || ((ef_w1 || ef_w2) && ef_single != (nr + ef_drop == 1))
        || ((w1 || w2) && (ef_set_x != first || (ef_held && !ef_drop) != held)));
  wire wrong_ec = running && ec_valid && ec_thread == mark && ec_w != w;
  assign bad_engine_o = wrong_one || wrong_port || wrong_eb || wrong_ef || wrong_ef_flags || wrong_ef_spill
    || wrong_ef_restore || wrong_ef_answer || wrong_ec;

  // ---- the set kept until its write is acknowledged --------------------------------------------------
  wire [W-1:0] kept_x = {{W-KEPT_W{1'b0}}, kept_set};
  wire kept_here = FORWARD != 0 && kept_live && kept_thread == mark && running;
  wire wrong_kept = kept_here && (clear || !pend[kept_set[CLASS_W-1:0]] || !is_write[kept_set[CLASS_W-1:0]]
                                  || sets[kept_set[CLASS_W-1:0]*W+:W] != kept_x);
  wire wrong_capture = FORWARD != 0 && running && !clear && kept_captures
    && (!kept_live || !ec_request || !ec_write || ec_thread != kept_thread || ec_set[KEPT_W-1:0] != kept_set
        || (ef_any && ef_thread == kept_thread));
  wire wrong_hit = FORWARD != 0 && ef_any
    && (kept_hit != (kept_live && kept_thread == ef_thread)
        || (ef_answer && kept_ends != (kept_hit && kept_set[CLASS_W-1:0] == its_class))
        || (ef_kept && !kept_hit) || (ef_here && ef_kept && ef_set_x != kept_x));
  wire wrong_stores = FORWARD != 0 && running && !clear
                      && kept_stores != ((ef_kept && !b_uses_write) ? kept_data : 0);
  assign bad_copy_o = wrong_kept || wrong_capture || wrong_hit || wrong_stores;

  // ---- the marked entry ------------------------------------------------------------------------------
  localparam [31:0] WORDS = THREADS * NSETS;
  wire present = live && entry_x < count;
  wire [W-1:0] slot = entry_set & (NSETS - 1), bank = entry_x & IN_SET;
  // the mark is the top before the operation
  wire a_top = n0 == entry_x + 1'b1, c_top = n1 == entry_x + 1'b1;
  wire a_writes = a_ok && ((a_was == PUSH && n0 == entry_x) || (a_was == REPLACE && a_top));
  wire c_writes = c_ok && ((c_was == PUSH && n1 == entry_x) || (c_was == REPLACE && c_top));
  wire a_changes = a_writes || (a_ok && ((a_was == POP && a_top) || a_was == INIT));
  wire c_changes = c_writes || (c_ok && ((c_was == POP && c_top) || c_was == INIT));
  wire [ENTRY_W-1:0] v1 = a_writes ? datas[2*ENTRY_W+:ENTRY_W] : answered_value;
  wire [ENTRY_W-1:0] v2 = c_writes ? datas[ENTRY_W+:ENTRY_W] : v1;
  wire [ENTRY_W-1:0] on_chip = storage[(bank * WORDS + mark * NSETS + slot) * ENTRY_W+:ENTRY_W];
  wire [ENTRY_W-1:0] read_out = rdata[bank*ENTRY_W+:ENTRY_W];
  wire [ENTRY_W-1:0] asked_data = mem_req_data_o[bank*ENTRY_BYTES*8+:ENTRY_W];
  wire ec_writes = ec_asks && ec_write && ec_set_x == entry_set;
  wire asks_write = asks && mem_req_write_o && sets_q[asked*W+:W] == entry_set;
  wire [ENTRY_W-1:0] remote = asks_write ? asked_data : memory[ENTRY_W-1:0];
  wire spilled = present && entry_set < s;
  wire wrong_chip = present && entry_set >= l && on_chip != v2;
  wire wrong_held_set = present && held && !fault && entry_set == second && on_chip != v2;
  wire wrong_remote = spilled && (ec_writes ? read_out : remote) != v2;
  wire wrong_kept_data = kept_here && spilled && kept_x == entry_set
    && (kept_captures ? read_out : kept_data[bank*ENTRY_W+:ENTRY_W]) != v2;
  assign bad_place_o = wrong_chip || wrong_held_set || wrong_remote || wrong_kept_data;

  wire c_reads = c_ok && (c_was == POP || c_was == PEEK);
  wire wrong_read = live && c_reads && c_top && (read_out != v1 || {{W-BANK_W{1'b0}}, c_bank} != bank);
  wire wrong_bank = live && c_reads && SET > 1 && {{W-BANK_W{1'b0}}, c_bank} != ((n1 - 1'b1) & IN_SET);
  wire wrong_read_valid = running && c_answer
                          && c_data_valid != ((c_was == POP || c_was == PEEK) && c_status == OK);
  assign bad_reads_o = wrong_read || wrong_bank || wrong_read_valid;

  wire c_evicts = c_ok && c_was == PUSH && n1 >> SET_LG == entry_set + NSETS;
  wire wrong_offered = spilled
                       && (c_changes || (a_changes ? !ec_writes : !(offered || asks_write || ec_writes)));
  wire wrong_evicts = live && c_evicts
                      && (a_changes || ec_writes || !(offered || asks_write) || remote != v1);
  assign bad_offered_o = wrong_offered || wrong_evicts;

  // ---- faults ------------------------------------------------------------------------------------------
  wire a_init = a_here && a_was == INIT, c_inits = c_here && c_was == INIT;
  // the operation that was in B a cycle ago saw the fault,
  wire b_saw = answered_fault || errors[LATENCY+1:1] != 0;
  wire a_saw = answered_fault || errors[LATENCY+1:2] != 0;  // two cycles ago
  wire wrong_fault = live && (fault ? errors == 0 && !answered_fault
                                    : (errors != 0 || answered_fault) && !c_inits && !a_init);
  wire wrong_c_fault = live && c_here && (c_inits ? fault : a_init ? c_status == FAULT
                                          : (c_status == FAULT) != b_saw);
  wire wrong_a_fault = live && a_here && !a_init && (ans_status_o == FAULT) != a_saw;
  wire wrong_drained = live && (((c_inits || a_init) && (fault || ec_asks))
                                || (!drain && (c_inits || (a_init && pend != 0))));
  reg old_is;
  integer k;
  always @* begin
    old_is = 1'b0;
    for (k = 0; k < INFLIGHT; k = k + 1)
      if (old[{mark, k[CLASS_W-1:0]}] ? !(live && drain && pend[k])
          : live && drain && pend[k] && !c_inits && !a_init)
        old_is = 1'b1;
  end
  wire wrong_old = running && old_is;
  assign bad_faults_o = wrong_fault || wrong_drained || wrong_c_fault || wrong_a_fault || wrong_old;

  // ---- the checker's memory ------------------------------------------------------------------------------
  wire wrong_could = running && ((could_push && !pushes[mark]) || (could_top && !tops[mark])
                                 || was_here != b_here);
  wire wrong_since = running && ((clear && since_reset != {{11-THREAD_W{1'b0}}, walk_thread})
                                 || (clear2 && !clear && since_reset != THREADS));
  wire wrong_reg = running && (reg_thread != 0 || (eb_depth && !(reg_busy && reg_depth && eb_thread == 0))
                               || (reg_depth && !reg_busy));
  wire wrong_depth = running
    && ((reg_busy && (read_depth != (reg_addr == 10'h028) || (read_depth && !reg_depth && !eb_depth)))
        || (mark == 0 && reg_rsp_valid_o && read_depth && !c_here && !clear
            && reg_rsp_data_o != {{32-COUNT_W{1'b0}}, count[COUNT_W-1:0]}));
  wire wrong_quiet = running && ((b_here && quiet > 0) || (c_here && quiet > 1) || (a_here && quiet > 2));
  assign bad_history_o = wrong_could || wrong_since || wrong_reg || wrong_depth || wrong_quiet;
endmodule

`default_nettype wire
