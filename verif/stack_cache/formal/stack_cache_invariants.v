// SPDX-License-Identifier: Apache-2.0
// stack_cache_invariants: what holds of the state inside a stack_cache in every cycle.
//
// About the marked thread and entry of stack_cache_blackbox, any of them, and what all threads share: looker,
// mover, answer port, request register. The thread's state is what the RAMs hold: after all operations that
// were in B and all that the mover or a drain's end wrote in earlier cycles. Each output is one property;
// together with those at the ports they are inductive in one step. Inputs with `at` are signals inside the
// flattened design. Written for whole sets on the memory port, without STATUS. Which cycle does what:
// docs/stack_cache_design.md.
`default_nettype none

module stack_cache_invariants #(
  parameter THREADS = 2,
  parameter ENTRY_W = 8,
  parameter ENTRIES = 4,
  parameter SET = 2,
  parameter MAX_DEPTH = 8,
  parameter FLAGS = 0,
  parameter OUT_REG = 0,
  parameter MEM_W = 0,
  parameter STATUS = 0,
  parameter INFLIGHT = 2,
  parameter STEAL = 16,
  parameter ADDR_W = 16,
  parameter THREAD_W = 1,
  parameter COUNT_W = 4,
  parameter CLASS_W = 1,
  parameter ENTRY_BYTES = 1,
  parameter SET_BYTES = 2,
  parameter MEM_BEATS = 1,
  parameter TAG_W = 2,
  parameter STRIDE_MAX = 3,
  parameter LATENCY = 4,
  // Widths inside the block.
  parameter NSETS = ENTRIES / SET,
  parameter SET_LG = $clog2(SET),
  parameter NSETS_LG = $clog2(NSETS),
  parameter NUM_W = NSETS_LG + 1,
  parameter X_W = 2 * NUM_W + 3 + ((FLAGS != 0) ? SET_LG : 0),
  parameter O_W = COUNT_W + X_W,
  parameter SET_IDX_W = (COUNT_W > SET_LG) ? COUNT_W - SET_LG : 1,
  parameter WIDE = (SET_IDX_W > CLASS_W) ? SET_IDX_W : CLASS_W,
  parameter U_W = ((WIDE > NSETS_LG) ? WIDE : NSETS_LG) + 1,
  parameter LOG_W = U_W - CLASS_W + 2,
  parameter SET_BYTES_LG = $clog2(SET_BYTES),
  parameter REGION_W = THREAD_W + STRIDE_MAX - SET_BYTES_LG + 1,
  parameter WHERE_W = (REGION_W > U_W) ? REGION_W : U_W,
  parameter WORDS = THREADS * NSETS,
  parameter LOST_W = (STEAL > 1) ? $clog2(STEAL) : 1
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire mem_req_valid_o,
  input  wire mem_req_write_o,
  input  wire [TAG_W-1:0] mem_req_tag_o,
  input  wire [ADDR_W-1:0] mem_req_addr_o,
  input  wire [SET_BYTES/MEM_BEATS*8-1:0] mem_req_data_o,
  input  wire ans_valid_o,
  input  wire [1:0] ans_status_o,
  input  wire reg_rsp_valid_o,
  input  wire [31:0] reg_rsp_data_o,

  // The checker at the ports: the mark, operations by age, accesses under way, the answer offered.
  input  wire [THREAD_W-1:0] mark,                     // at blackbox.thread_q
  input  wire [COUNT_W-1:0] entry,                     // at blackbox.entry_q
  input  wire [ADDR_W-1:0] marked_addr,                // at blackbox.marked_addr
  input  wire [LATENCY-1:0] past,                      // at blackbox.past_q
  input  wire [LATENCY*3-1:0] kinds,                   // at blackbox.kind_q
  input  wire [LATENCY*THREAD_W-1:0] threads_of,       // at blackbox.of_q
  input  wire [LATENCY*ENTRY_W-1:0] datas,             // at blackbox.data_q
  input  wire [2:0] gap,                               // at blackbox.gap_q
  input  wire [COUNT_W-1:0] answered_count,            // at blackbox.count_q
  input  wire [ENTRY_W-1:0] answered_value,            // at blackbox.value_q
  input  wire [(1<<TAG_W)-1:0] out,                    // at blackbox.out_q
  input  wire [(1<<TAG_W)-1:0] out_write,              // at blackbox.is_write_q
  input  wire [INFLIGHT-1:0] reads,                    // at blackbox.read_q
  input  wire [INFLIGHT-1:0] writes,                   // at blackbox.write_q
  input  wire [ENTRY_BYTES*8-1:0] memory,              // at blackbox.word_q
  input  wire offer,                                   // at blackbox.offer_q
  input  wire [TAG_W-1:0] offer_tag,                   // at blackbox.offer_tag_q
  input  wire [1:0] offer_error,                       // at blackbox.offer_error_q
  input  wire [4:0] asked,                             // at blackbox.asked_q
  input  wire [4:0] told,                              // at blackbox.told_q
  input  wire told_error,                              // at blackbox.told_error_q
  input  wire offered,                                 // at blackbox.offered_q
  input  wire could_push,                              // at blackbox.could_push_q
  input  wire could_top,                               // at blackbox.could_top_q
  input  wire was_here,                                // at blackbox.same_q
  input  wire push_held,                               // at blackbox.push_held_q
  input  wire top_held,                                // at blackbox.top_held_q
  input  wire [15:0] held_for,                         // at blackbox.held_q
  input  wire [(1<<TAG_W)-1:0] old,                    // at blackbox.old_q
  input  wire [(1<<TAG_W)-1:0] unsure,                 // at blackbox.unsure_q
  input  wire [7:0] since_init,                        // at blackbox.since_init_q
  input  wire fresh,                                   // at blackbox.fresh
  input  wire [LATENCY+1:0] errors,                    // at blackbox.error_q
  input  wire [LATENCY+1:0] sure,                      // at blackbox.sure_q
  input  wire faulted,                                 // at blackbox.faulted_q
  input  wire read_depth,                              // at blackbox.read_depth_q
  input  wire [3:0] quiet,                             // at blackbox.quiet_q
  input  wire [16:0] since_reset,                      // at blackbox.since_reset_q

  // Walk, can-go bits, registers.
  input  wire walk,                                    // at core.walk_q
  input  wire [TAG_W-1:0] walk_tag,                    // at core.walk_tag_q
  input  wire go,                                      // at core.go_q
  input  wire [THREADS-1:0] pushes,                    // at core.push_q
  input  wire [THREADS-1:0] tops,                      // at core.top_q
  input  wire [COUNT_W-1:0] limit,                     // at core.u_regs.limit_q
  input  wire [COUNT_W-1:0] limit_reg,                 // at core.u_regs.limit_reg_q
  input  wire [COUNT_W-1:0] limit_written,             // at core.u_regs.written_q
  input  wire [COUNT_W-1:0] limit_region,              // at core.u_regs.region_q
  input  wire [COUNT_W-1:0] beyond,                    // at core.u_regs.beyond_q
  input  wire [5:0] region_lg,                         // at core.u_regs.region_lg_q
  input  wire over_region,                             // at core.u_regs.over_region_q
  input  wire [5:0] stride,                            // at core.u_regs.stride_lg_q
  input  wire [ADDR_W-1:0] base,                       // at core.u_regs.base_o
  input  wire reg_w_base,                              // at core.u_regs.w_base
  input  wire reg_w_base_hi,                           // at core.u_regs.w_base_hi
  input  wire reg_w_stride,                            // at core.u_regs.w_stride
  input  wire reg_w_limit,                             // at core.u_regs.w_limit
  input  wire reg_w_thread,                            // at core.u_regs.w_thread
  input  wire reg_busy,                                // at core.u_unit.u_shell.u_port.busy_q
  input  wire reg_write,                               // at core.u_unit.u_shell.u_port.write_o
  input  wire [2:0] reg_st,                            // at core.u_regs.st
  input  wire [THREAD_W-1:0] reg_thread,               // at core.u_regs.thread_q
  input  wire [9:0] reg_addr,                          // at core.u_unit.u_shell.u_port.addr_o
  input  wire [31:0] reg_read,                         // at core.u_regs.read
  input  wire [31:0] reg_word,                         // at core.u_regs.read_q
  input  wire reg_depth,                               // at core.u_regs.depth_q

  // Operations.
  input  wire [THREADS*O_W-1:0] o_words,               // at core.u_o.mem[*THREADS]
  input  wire [THREADS*X_W-1:0] e_words,               // at core.u_e.mem[*THREADS]
  input  wire [THREADS*O_W-1:0] o_copies,              // at core.u_engine.u_o.mem[*THREADS]
  input  wire [THREADS*X_W-1:0] e_copies,              // at core.u_engine.u_e.mem[*THREADS]
  input  wire r_v,                                     // at core.r_v
  input  wire [THREAD_W-1:0] r_thread,                 // at core.r_thread
  input  wire r_push,                                  // at core.r_push
  input  wire r_pop,                                   // at core.r_pop
  input  wire r_peek,                                  // at core.r_peek
  input  wire r_repl,                                  // at core.r_repl
  input  wire r_init,                                  // at core.r_init
  input  wire [ENTRY_W-1:0] r_data,                    // at core.r_data
  input  wire r_same,                                  // at core.r_same
  input  wire [O_W-1:0] ro,                            // at core.ro
  input  wire [X_W-1:0] re_ram,                        // at core.re_ram
  input  wire [X_W-1:0] re,                            // at core.re
  input  wire b_v,                                     // at core.b_v
  input  wire b_clear,                                 // at core.b_clear
  input  wire b_push,                                  // at core.b_push
  input  wire b_pop,                                   // at core.b_pop
  input  wire b_peek,                                  // at core.b_peek
  input  wire b_repl,                                  // at core.b_repl
  input  wire b_init,                                  // at core.b_init
  input  wire b_wr,                                    // at core.b_wr
  input  wire b_rd,                                    // at core.b_rd
  input  wire [THREAD_W-1:0] b_thread,                 // at core.b_thread
  input  wire [ENTRY_W-1:0] b_data,                    // at core.b_data
  input  wire b_over,                                  // at core.b_over
  input  wire b_ok,                                    // at core.ok
  input  wire b_empty,                                 // at core.b_empty
  input  wire b_one,                                   // at core.b_one
  input  wire b_begins,                                // at core.b_begins
  input  wire b_empties,                               // at core.b_empties
  input  wire b_fills,                                 // at core.b_fills
  input  wire b_clean,                                 // at core.b_clean
  input  wire b_full,                                  // at core.b_full
  input  wire b_evict,                                 // at core.b_evict
  input  wire b_nv0,                                   // at core.b_nv0
  input  wire b_nv1,                                   // at core.b_nv1
  input  wire b_unhold,                                // at core.b_unhold
  input  wire [COUNT_W-1:0] b_count,                   // at core.b_count
  input  wire [COUNT_W-1:0] b_moved,                   // at core.b_moved
  input  wire [X_W-1:0] b_x,                           // at core.b_x
  input  wire [X_W-1:0] b_e,                           // at core.b_e
  input  wire [X_W-1:0] b_o,                           // at core.b_o
  input  wire [SET_LG+NSETS_LG-1:0] b_idx,             // at core.b_idx
  input  wire [SET-1:0] b_bank,                        // at core.b_bank if MEM_W 0..0
  input  wire c_v,                                     // at core.c_v
  input  wire [THREAD_W-1:0] c_thread,                 // at core.c_thread
  input  wire c_push_ok,                               // at core.c_push_ok
  input  wire c_top_ok,                                // at core.c_top_ok
  input  wire [2:0] c_kind,                            // at core.c_kind
  input  wire [1:0] c_status,                          // at core.c_status
  input  wire c_data_valid,                            // at core.c_data_valid
  input  wire [SET_LG+NSETS_LG-1:0] c_idx,             // at core.c_idx
  input  wire [THREAD_W+38:0] d_answer,                // at core.d_answer
  input  wire c_moved_s,                               // at core.c_moved_s
  input  wire c_moved_l,                               // at core.c_moved_l

  // Engine: looker, mover, answer port, accesses.
  input  wire lp,                                      // at core.u_engine.lp
  input  wire la,                                      // at core.u_engine.la
  input  wire ll,                                      // at core.u_engine.ll
  input  wire le,                                      // at core.u_engine.le
  input  wire lv,                                      // at core.u_engine.lv
  input  wire lm,                                      // at core.u_engine.lm
  input  wire ln,                                      // at core.u_engine.ln
  input  wire m_busy,                                  // at core.u_engine.m_busy
  input  wire k,                                       // at core.u_engine.k
  input  wire k1,                                      // at core.u_engine.k1
  input  wire k2,                                      // at core.u_engine.k2
  input  wire ma,                                      // at core.u_engine.ma
  input  wire ml,                                      // at core.u_engine.ml
  input  wire f,                                       // at core.u_engine.f
  input  wire x,                                       // at core.u_engine.x
  input  wire z,                                       // at core.u_engine.z
  input  wire y0,                                      // at core.u_engine.y0
  input  wire y1,                                      // at core.u_engine.y1
  input  wire y2,                                      // at core.u_engine.y2
  input  wire y3,                                      // at core.u_engine.y3
  input  wire y_want,                                  // at core.u_engine.y_want
  input  wire y_write,                                 // at core.u_engine.y_write
  input  wire y_phase,                                 // at core.u_engine.y_phase
  input  wire y_err,                                   // at core.u_engine.y_err
  input  wire [U_W-1:0] y_set,                         // at core.u_engine.y_set
  input  wire [LOG_W-1:0] log,                         // at core.u_engine.log
  input  wire ack,                                     // at core.u_engine.ack
  input  wire l_depth,                                 // at core.u_engine.l_depth
  input  wire l_ans,                                   // at core.u_engine.l_ans
  input  wire l_second,                                // at core.u_engine.l_second
  input  wire [THREAD_W-1:0] l_thread,                 // at core.u_engine.l_thread
  input  wire [O_W-1:0] look_o,                        // at core.u_engine.o
  input  wire [X_W-1:0] look_e,                        // at core.u_engine.e
  input  wire [COUNT_W-1:0] l_count,                   // at core.u_engine.l_count
  input  wire [X_W-1:0] l_x,                           // at core.u_engine.l_x
  input  wire [X_W-1:0] l_e,                           // at core.u_engine.l_e
  input  wire [CLASS_W-1:0] cls,                       // at core.u_engine.cls_q
  input  wire l_part,                                  // at core.u_engine.l_part
  input  wire [U_W-1:0] l_y,                           // at core.u_engine.l_y
  input  wire [U_W-1:0] l_d,                           // at core.u_engine.l_d
  input  wire l_spill,                                 // at core.u_engine.l_spill
  input  wire l_rest,                                  // at core.u_engine.l_rest
  input  wire l_two,                                   // at core.u_engine.l_two
  input  wire l_ack,                                   // at core.u_engine.l_ack
  input  wire n_answer,                                // at core.u_engine.n_answer
  input  wire n_drop,                                  // at core.u_engine.n_drop
  input  wire n_more,                                  // at core.u_engine.n_more
  input  wire n_visit,                                 // at core.u_engine.n_visit
  input  wire n_end,                                   // at core.u_engine.n_end
  input  wire n_next,                                  // at core.u_engine.n_next
  input  wire n_none,                                  // at core.u_engine.n_none
  input  wire l_moved_s,                               // at core.u_engine.l_moved_s
  input  wire l_moved_l,                               // at core.u_engine.l_moved_l
  input  wire c_same_l,                                // at core.u_engine.c_same_l
  input  wire c_same_m,                                // at core.u_engine.c_same_m
  input  wire [THREAD_W-1:0] scan,                     // at core.u_engine.scan_q
  input  wire hint0,                                   // at core.u_engine.hint0_q
  input  wire hint1,                                   // at core.u_engine.hint1_q
  input  wire [THREAD_W-1:0] hint0_thread,             // at core.u_engine.hint0_thread
  input  wire [THREAD_W-1:0] hint1_thread,             // at core.u_engine.hint1_thread
  input  wire x_spill,                                 // at core.u_engine.x_spill
  input  wire m_rest,                                  // at core.u_engine.m_rest
  input  wire m_spill,                                 // at core.u_engine.m_spill
  input  wire m_ans,                                   // at core.u_engine.m_ans
  input  wire m_err,                                   // at core.u_engine.m_err
  input  wire m_two,                                   // at core.u_engine.m_two
  input  wire m_phase,                                 // at core.u_engine.m_phase
  input  wire m_begins,                                // at core.u_engine.m_begins
  input  wire m_empty,                                 // at core.u_engine.m_empty
  input  wire m_moved,                                 // at core.u_engine.m_moved
  input  wire [THREAD_W-1:0] m_thread,                 // at core.u_engine.m_thread_o
  input  wire [U_W-1:0] m_set,                         // at core.u_engine.m_set
  input  wire [X_W-1:0] m_x,                           // at core.u_engine.m_x
  input  wire [X_W-1:0] m_o,                           // at core.u_engine.m_o
  input  wire can_spill,                               // at core.u_engine.can_spill
  input  wire can_store,                               // at core.u_engine.can_store
  input  wire x_push,                                  // at core.u_engine.x_push
  input  wire x_top,                                   // at core.u_engine.x_top
  input  wire [LOST_W-1:0] lost,                       // at core.u_engine.lost_q
  input  wire [REGION_W-1:0] region,                   // at core.u_engine.region_q
  input  wire [WHERE_W-1:0] where,                     // at core.u_engine.where_q
  input  wire [THREADS*INFLIGHT*LOG_W-1:0] logs,       // at core.u_engine.u_log.mem[*THREADS*INFLIGHT]
  input  wire [THREADS*INFLIGHT-1:0] acks,             // at core.u_engine.u_ack.mem[*THREADS*INFLIGHT]

  // Storage.
  input  wire [SET*WORDS*ENTRY_W-1:0] storage, // at core.g_bank[*SET].u_ram.mem[*THREADS*NSETS] if MEM_W 0..0
  input  wire [SET*ENTRY_W-1:0] rdata,                 // at core.rdata if MEM_W 0..0
  input  wire [SET*ENTRY_W-1:0] data_out,              // at core.out if MEM_W 0..0

  // SC-4: count <= MAX_DEPTH; of the sets in use the last nv <= NSETS are on chip, the last nd <= nv dirty
  output wire bad_pointers_o,
  output wire bad_walk_o,       // what the walk has cleared, what does not move before it ends; the registers
  output wire bad_pipeline_o,   // an operation is in one stage, with the state that the RAMs hold
  output wire bad_bits_o,       // SC-11: a can-go bit that is 1 is right, and of a thread that nothing holds
  output wire bad_looker_o,     // what the looker knows of its thread is true but for what has moved since
  output wire bad_mover_o,      // so is what the mover knows, alone with the thread from ML on
  output wire bad_accesses_o,   // LOG and ACK say which accesses are under way, and of which set
  // SC-4: an entry below the count is on chip (from set L), in memory (below S) or both
  output wire bad_place_o,
  output wire bad_offered_o,    // and memory was offered every set below S
  // SC-12: a thread is faulted from an error on; accesses from before an init are known, and end its drain
  output wire bad_faults_o,
  output wire bad_depths_o,     // SC-14: what a read of the depth has got so far is true
  output wire bad_waits_o       // how long the mover holds a thread
);
  localparam [2:0] PUSH = 3'd0, POP = 3'd1, PEEK = 3'd2, REPLACE = 3'd3, INIT = 3'd4;
  localparam [1:0] OK = 2'd0, OVERFLOW = 2'd1, UNDERFLOW = 2'd2, FAULT = 2'd3;
  localparam W = COUNT_W + U_W;             // enough for every sum
  localparam [W-1:0] ALL = NSETS, MOST = MAX_DEPTH, IN_SET = SET - 1;
  localparam [W-1:0] SETS = (MAX_DEPTH + SET - 1) / SET;
  localparam [31:0] LAST_THREAD = THREADS - 1;
  localparam DRAIN_BIT = 2 * NUM_W + 1;
  localparam [X_W-1:0] DRAIN = 1 << DRAIN_BIT;

  wire known = STATUS == 0 && MEM_W == 0;
  wire running = !rst_i;
  reg later_q;                              // of another configuration nothing is said: then `walk` is broken
  initial later_q = 1'b0;
  always @(posedge clk_i) later_q <= 1'b1;
  wire b_walks = b_v && b_clear;            // the walk's last word
  wire after = !rst_i && !walk && !b_clear;

  // ---- the marked thread's state -------------------------------------------------------------------
  localparam [TAG_W:0] TWO = 2;
  wire [TAG_W:0] first_tag = {1'b0, mark, {CLASS_W{1'b0}}};
  wire cleared = walk ? {1'b0, walk_tag} >= first_tag + TWO : 1'b1;
  wire live = !rst_i && cleared;
  wire [O_W-1:0] o = o_words[mark*O_W+:O_W], o_copy = o_copies[mark*O_W+:O_W];
  wire [X_W-1:0] e = e_words[mark*X_W+:X_W], e_copy = e_copies[mark*X_W+:X_W];
  wire [X_W-1:0] st = o[X_W-1:0] ^ e;
  wire [W-1:0] count = {{W-COUNT_W{1'b0}}, o[X_W+:COUNT_W]};
  wire [W-1:0] nd = {{W-NUM_W{1'b0}}, st[0+:NUM_W]}, nv = {{W-NUM_W{1'b0}}, st[NUM_W+:NUM_W]};
  wire held = st[2*NUM_W], drain = st[DRAIN_BIT], fault = st[2*NUM_W+2];
  wire [W-1:0] used = (count + IN_SET) >> SET_LG;
  wire begins = (count & IN_SET) == 0;
  wire [W-1:0] l = used - nv, s = used - nd;
  wire push_good = fault || (begins ? nd != ALL : nv != 0);
  wire top_good = fault || count == 0 || nv != 0;
  wire wrong_count = live && count > MOST;
  wire wrong_sets = live && (nd > nv || nv > ALL || nv > used);
  wire wrong_held = live && held && (nv + 2 > ALL || l < 2);
  wire wrong_copy = live && (o != o_copy || e != e_copy);
  wire wrong_part = live && !begins && nv == 0 && nd != 0;
  wire wrong_mark = running && ({1'b0, mark} >= THREADS[THREAD_W:0] || entry >= MOST[COUNT_W-1:0]);
  assign bad_pointers_o = wrong_count || wrong_sets || wrong_held || wrong_copy || wrong_part || wrong_mark;

  // ---- walk, registers -------------------------------------------------------------------------------
  localparam [16:0] WALK = THREADS * INFLIGHT;
  localparam [5:0] REGION_LG = STRIDE_MAX - $clog2(ENTRY_BYTES);
  localparam [COUNT_W-1:0] BEYOND = {COUNT_W{1'b1}} << REGION_LG;
  wire idle = lp && !m_busy && y0 && !offer && !mem_req_valid_o && out == 0 && !go && past == 0;
  wire [TAG_W:0] done_tag = {1'b0, walk_tag} - 1'b1;
  wire wrong_walk = running && walk
    && (!idle || reg_busy || reg_rsp_valid_o || {1'b0, walk_tag} >= WALK[TAG_W:0]
        || since_reset != {{17-TAG_W{1'b0}}, walk_tag}
        || (walk_tag == 0 ? b_v : !b_walks || b_thread != done_tag[TAG_W-1:CLASS_W]));
  wire wrong_behind = running && !walk && b_clear
    && (!b_v || !lp || m_busy || reg_busy || reg_rsp_valid_o || go || past != 0 || since_reset != WALK 
        || b_thread != LAST_THREAD[THREAD_W-1:0]);
  wire wrong_since = running && !walk && !b_clear && since_reset <= WALK;
  wire wrong_clear = running && b_walks && (b_count != 0 || b_e != 0 || b_push || b_pop || !b_init);
  wire wrong_zero = running && (walk || b_clear)
    && ((cleared && o != 0) || ((!walk || {1'b0, walk_tag} > first_tag) && (e != 0 || e_copy != 0)));
  wire wrong_limit = running
    && (limit != MOST[COUNT_W-1:0] || limit_reg != MOST[COUNT_W-1:0] || limit_written != MOST[COUNT_W-1:0]
        || (over_region && limit_region != MOST[COUNT_W-1:0]) || beyond != BEYOND || region_lg != REGION_LG
        || stride != STRIDE_MAX[5:0] || base != {ADDR_W{1'b0}});
  wire wrong_register = running && (reg_w_base || reg_w_base_hi || reg_w_stride || reg_w_limit
    || reg_w_thread || reg_thread != 0
    || (reg_busy ? reg_write || (reg_st != 3'd1 && reg_st != 3'd2 && reg_st != 3'd4) : reg_st != 0)
    || (reg_depth && !reg_st[1]));
  assign bad_walk_o = (!known && later_q) || wrong_walk || wrong_behind || wrong_since || wrong_clear
                      || wrong_zero || wrong_limit || wrong_register;

  // ---- operations: in R, B, C, answered ---------------------------------------------------------------
  wire [2:0] r_kind = kinds[0+:3], b_kind = kinds[3+:3], c_was = kinds[6+:3];
  wire [2:0] d_was = kinds[9+:3], a_was = kinds[(LATENCY-1)*3+:3];
  wire r_here = past[0] && r_thread == mark, b_here = past[1] && b_thread == mark;
  wire c_here = past[2] && c_thread == mark;
  wire d_here = OUT_REG != 0 && past[3] && threads_of[3*THREAD_W+:THREAD_W] == mark; // behind C
  wire a_here = past[LATENCY-1] && threads_of[(LATENCY-1)*THREAD_W+:THREAD_W] == mark;
  wire wrong_r = running && (r_v != past[0] || (past[0] && r_thread != threads_of[0+:THREAD_W])
    || r_push != (r_kind == PUSH) || r_pop != (r_kind == POP) || r_peek != (r_kind == PEEK)
    || r_repl != (r_kind == REPLACE) || r_init != r_kind[2] || r_data != datas[0+:ENTRY_W]
    || (past[0] && r_kind > INIT));
  localparam [SET-1:0] ONE_BANK = 1;
  wire b_put = past[1] && (b_kind == PUSH || b_kind == REPLACE);
  wire wrong_b = running && (b_v != (past[1] || b_walks) || (past[1] && (b_clear || b_kind > INIT))
    || (past[1] && b_thread != threads_of[THREAD_W+:THREAD_W])
    || b_push != (past[1] && b_kind == PUSH) || b_pop != (past[1] && b_kind == POP)
    || b_peek != (past[1] && b_kind == PEEK) || b_repl != (past[1] && b_kind == REPLACE)
    || (b_v && b_init != (b_clear || b_kind == INIT))
    || b_wr != b_put || b_rd != (past[1] && (b_kind == POP || b_kind == PEEK))
    || b_data != (b_put ? datas[ENTRY_W+:ENTRY_W] : {ENTRY_W{1'b0}})
    || (past[1] && b_kind != INIT && b_ok != (!b_x[2*NUM_W+2] && !(b_kind == PUSH ? b_over : b_empty)))
    || b_bank != (b_put ? ONE_BANK << (b_idx & IN_SET[SET_LG+NSETS_LG-1:0]) : {SET{1'b0}}));
  wire wrong_c = running && (c_v != past[2] || (past[2] && (c_thread != threads_of[2*THREAD_W+:THREAD_W]
    || c_kind != c_was || c_was > INIT || b_clear)));
  wire wrong_gap = running && (r_here + b_here + c_here > 1
    || gap != (r_here ? 3'd3 : b_here ? 3'd2 : c_here ? 3'd1 : 3'd0)
    || (d_here && (r_here || b_here || c_here))
    || (a_here && ((r_here && OUT_REG == 0) || b_here || c_here || d_here)));
  // The state that it has read; a drain may have ended since.
  wire wrong_r_state = live && r_here && (ro != o || re != e);
  wire wrong_b_state = live && b_here
    && (((b_x ^ st) & ~DRAIN) != 0 || ((b_e ^ e) & ~DRAIN) != 0 || b_o != o[X_W-1:0]);
  wire [W-1:0] b_top = b_kind == PUSH ? count : count - 1'b1;
  wire wrong_b_says = live && b_here
    && (b_count != (b_kind == INIT ? {COUNT_W{1'b0}} : count[COUNT_W-1:0])
        || b_over != (count >= MOST) || b_empty != (count == 0) || b_one != (count < 2) || b_begins != begins
        || b_empties != ((count & IN_SET) == (IN_SET == 0 ? 0 : 1)) || b_fills != ((count & IN_SET) == IN_SET)
        || b_clean != (nd == 0) || b_full != (nd == (SET == 1 ? ALL - 1'b1 : ALL)) || b_evict != (nv == ALL)
        || b_nv0 != (nv == 0) || b_nv1 != (nv == 1) || b_unhold != (nv + 2 == ALL && held)
        || (b_kind != INIT && b_ok != (!fault && (b_kind == PUSH ? count < MOST : count != 0)))
        || ((b_kind == PUSH || b_kind == POP)
            && b_moved != (b_kind == PUSH ? count[COUNT_W-1:0] + 1'b1 : count[COUNT_W-1:0] - 1'b1))
        || b_idx != b_top[SET_LG+NSETS_LG-1:0]);
  wire wrong_may = live && ((r_here && (r_kind == PUSH ? !push_good : r_kind != INIT && !top_good))
                            || (b_here && (b_kind == PUSH ? !push_good : b_kind != INIT && !top_good)));
  // The count before and after the operations in C and answered.
  wire [W-1:0] n0 = {{W-COUNT_W{1'b0}}, answered_count};
  wire a_ok = a_here && ans_status_o == OK, c_ok = c_here && c_status == OK;
  wire [1:0] d_status = d_answer[33+:2];
  wire d_ok = d_here && d_status == OK;
  wire now_ok = a_ok || c_ok || d_ok;
  wire [2:0] now_kind = c_here ? c_was : d_here ? d_was : a_was;
  wire [W-1:0] n1 = !now_ok ? n0 : now_kind == INIT ? 0 : now_kind == PUSH ? n0 + 1'b1
                    : now_kind == POP ? n0 - 1'b1 : n0;
  wire wrong_counted = live ? n1 != count : running && answered_count != 0;
  wire [1:0] d_due = d_was == PUSH ? (n0 >= MOST ? OVERFLOW : OK)
                     : d_was != INIT && n0 == 0 ? UNDERFLOW : OK;
  wire [1:0] due_status = c_was == PUSH ? (n0 >= MOST ? OVERFLOW : OK)
                          : c_was != INIT && n0 == 0 ? UNDERFLOW : OK;
  wire wrong_c_status = live && c_here
    && c_status != (c_was == INIT || c_status != FAULT ? due_status : FAULT);
  wire wrong_valid = running && past[2]
    && c_data_valid != ((c_was == POP || c_was == PEEK) && c_status == OK);
  wire wrong_d = running && OUT_REG != 0 && (d_answer[THREAD_W+38] != past[3]
    || (!past[3] && d_answer[32])
    || (past[3] && (d_answer[38+:THREAD_W] != threads_of[3*THREAD_W+:THREAD_W] || d_answer[35+:3] != d_was
                    || d_was > INIT || d_answer[32] != ((d_was == POP || d_was == PEEK) && d_status == OK)))
    || (d_here && d_status != (d_was == INIT || d_status != FAULT ? d_due : FAULT)));
  assign bad_pipeline_o = wrong_d || wrong_r || wrong_b || wrong_c || wrong_gap || wrong_r_state
    || wrong_b_state || wrong_b_says || wrong_may || wrong_counted || wrong_c_status || wrong_valid;

  // ---- can-go bits -----------------------------------------------------------------------------------
  wire m_here = m_busy && m_thread == mark, holds = m_here && !m_rest && !k && !z;
  wire push_bit = pushes[mark], top_bit = tops[mark];
  wire wrong_bits = live && after && ((push_bit && !push_good) || (top_bit && !top_good));
  wire wrong_free = running && (push_bit || top_bit) && (r_here || b_here || c_here || holds);
  wire wrong_rise = live && c_here && ((c_push_ok && !push_good) || (c_top_ok && !top_good));
  assign bad_bits_o = wrong_bits || wrong_free || wrong_rise;

  // ---- accesses under way ----------------------------------------------------------------------------
  wire [CLASS_W-1:0] asked_class = mem_req_tag_o[CLASS_W-1:0], offer_class = offer_tag[CLASS_W-1:0];
  wire asks = mem_req_valid_o && mem_req_tag_o[TAG_W-1:CLASS_W] == mark;
  wire [W-1:0] entry_x = {{W-COUNT_W{1'b0}}, entry}, entry_set = entry_x >> SET_LG;
  wire [ADDR_W+THREAD_W-1:0] own_region = {{ADDR_W{1'b0}}, mark} << STRIDE_MAX;
  reg pending_is, set_is, seen_is;
  reg [INFLIGHT-1:0] pend;                  // LOG and ACK differ
  reg [INFLIGHT-1:0] own_acks, log_writes;
  reg [INFLIGHT*U_W-1:0] log_sets;
  reg [LOG_W-1:0] word;
  reg under, asked_is;
  reg [ADDR_W+U_W-1:0] set_at;
  integer c;
  always @* begin
    {pending_is, set_is, seen_is} = 3'b000;
    for (c = 0; c < INFLIGHT; c = c + 1) begin
      word = logs[(mark * INFLIGHT + c) * LOG_W+:LOG_W];
      own_acks[c] = acks[mark * INFLIGHT + c];
      pend[c] = word[LOG_W-1] != own_acks[c];
      log_writes[c] = word[LOG_W-2];
      log_sets[c*U_W+:U_W] = {word[LOG_W-3:0], c[CLASS_W-1:0]};
      under = out[mark * INFLIGHT + c];
      asked_is = asks && asked_class == c[CLASS_W-1:0];
      if (walk ? {1'b0, walk_tag} > first_tag + c[TAG_W:0] && pend[c]
          : pend[c] != (under || asked_is) || (under && asked_is)) pending_is = 1'b1;
      set_at = {{ADDR_W{1'b0}}, log_sets[c*U_W+:U_W]} << SET_BYTES_LG;
      if (pend[c] && !walk && ({{W-U_W{1'b0}}, log_sets[c*U_W+:U_W]} >= SETS
          || log_writes[c] != (asked_is ? mem_req_write_o : out_write[mark * INFLIGHT + c])
          || (asked_is && mem_req_addr_o != own_region[ADDR_W-1:0] + set_at[ADDR_W-1:0]))) set_is = 1'b1;
      if (reads[c] != (under && !log_writes[c] && log_sets[c*U_W+:U_W] == entry_set[U_W-1:0])
          || writes[c] != (under && log_writes[c] && log_sets[c*U_W+:U_W] == entry_set[U_W-1:0]))
        seen_is = 1'b1;
    end
  end
  wire wrong_pending = running && pending_is, wrong_set = running && set_is, wrong_seen = running && seen_is;
  wire wrong_beats = running && (asked != 0 || told != 0 || told_error);
  // The answer port: Y1 shows what LOG says, Y2 and Y3 keep it.
  wire y_here = offer && offer_tag[TAG_W-1:CLASS_W] == mark;
  wire [U_W-1:0] offer_set = log_sets[offer_class*U_W+:U_W];
  wire [LOG_W-1:0] offer_log = logs[(mark * INFLIGHT + offer_class) * LOG_W+:LOG_W];
  wire [2:0] y_sum = y0 + y1 + y2 + y3;
  wire wrong_y = running && (y_sum != 1 || (!y0 && !offer) || (offer && !out[offer_tag]) || (y1 && lm)
    || (y_want && !y2) || ((y2 || y3) && y_err != (offer_error != 2'd0)) || (y2 && y_write && !y_err));
  wire wrong_y_log = running && !y0 && y_here
    && (y1 ? log != offer_log
        : y_write != offer_log[LOG_W-2] || y_phase != offer_log[LOG_W-1] || y_set != offer_set);
  assign bad_accesses_o = wrong_pending || wrong_set || wrong_seen || wrong_beats || wrong_y || wrong_y_log;

  // ---- looker ------------------------------------------------------------------------------------------
  wire [2:0] l_sum = lp + la + ll + le + lv + lm + ln;
  wire knows = le || lv || lm || ln;
  wire looks = knows && l_thread == mark;
  wire wrong_look = running && (l_sum != 1
    || (!lp && l_ans && (!y2 || y_want || offer_tag[TAG_W-1:CLASS_W] != l_thread || (m_busy && m_ans)
                         || l_depth || l_second))
    || (m_busy && m_thread == l_thread && (ll || knows))
    || ((lv || lm || ln) && (l_depth || (l_spill && l_rest) || (l_ans && (l_spill || l_rest))
    || ((l_spill || l_rest) && (l_x[DRAIN_BIT] || l_x[2*NUM_W+2])))));
  wire wrong_n = running && ln && (l_ans ? n_visit || n_end || n_next || n_more || n_answer == n_drop
                                            || n_none == n_answer
                                   : n_answer || n_drop || n_visit + n_end + n_next + n_none != 1
                                     || (n_visit && (l_rest ? l_y[U_W-1] : !l_spill)) || (n_more && !l_rest)
                                     || ((n_end || n_next) && !l_x[DRAIN_BIT]));
  wire wrong_same_l = live && after && (knows || k) && c_same_l != (c_v && c_thread == l_thread);
  wire wrong_read = live && after && ll && l_thread == mark && (look_o != o || look_e != e || c_here);
  wire [W-1:0] l_n = {{W-COUNT_W{1'b0}}, l_count};
  wire [W-1:0] l_nd = {{W-NUM_W{1'b0}}, l_x[0+:NUM_W]}, l_nv = {{W-NUM_W{1'b0}}, l_x[NUM_W+:NUM_W]};
  wire [W-1:0] l_used = (l_n + IN_SET) >> SET_LG, l_l = l_used - l_nv, l_s = l_used - l_nd;
  wire [W-1:0] l_next = l_second ? l_l - 2'd2 : l_l - 1'b1;
  wire moved_s = l_moved_s || (c_same_l && c_moved_s), moved_l = l_moved_l || (c_same_l && c_moved_l);
  wire wrong_knows = live && looks && (walk || b_clear
    || (le && (OUT_REG != 0 ? d_here : a_here)) || l_e != e || l_n > MOST
    || l_nd > l_nv || l_nv > ALL
    || l_nv > l_used || l_part != ((l_n & IN_SET) != 0) || (!moved_s && l_s != s) || (!moved_l && l_l != l));
  wire [CLASS_W-1:0] y_class = l_y[CLASS_W-1:0];
  wire wrong_aim = live && looks && !le && (l_y != (l_spill ? l_s[U_W-1:0] : l_next[U_W-1:0])
                                            || (l_spill && l_nd == 0));
  wire [CLASS_W-1:0] v_class = y_class;
  wire l_wants = l_spill || l_rest;
  wire [LOG_W-1:0] v_log = logs[(mark * INFLIGHT + v_class) * LOG_W+:LOG_W];
  wire wrong_asks = live && looks && l_wants
    && ((lm && (log[LOG_W-1] != v_log[LOG_W-1] || (log[LOG_W-1] == ack && (pend[v_class]
                                                                         || ack != own_acks[v_class]))))
        || (ln && n_visit && (pend[v_class] || l_ack != own_acks[v_class])));
  wire l_dead = l_x[DRAIN_BIT] || l_x[2*NUM_W+2];
  wire [U_W-1:0] above = l_y - y_set;
  wire wrong_hit = live && looks && l_ans
    && ((lm && l_d != above)
        || (ln && n_answer && (l_dead || (!y_err && (l_two ? above != 1 || l_x[2*NUM_W] || l_nv + 1'b1 >= ALL
                                                     : above != 0 || l_nv >= ALL)))));
  // All threads are below THREADS.
  function stray(input valid, input [THREAD_W-1:0] number);
    stray = valid && {1'b0, number} >= THREADS[THREAD_W:0];
  endfunction
  reg stray_access;
  integer n;
  always @* begin
    stray_access = stray(mem_req_valid_o, mem_req_tag_o[TAG_W-1:CLASS_W]);
    for (n = 0; n < 1 << TAG_W; n = n + 1) stray_access = stray_access || stray(out[n], n[TAG_W-1:CLASS_W]);
  end
  wire wrong_thread = running && (stray_access || stray(past[0], r_thread) || stray(past[1], b_thread)
    || stray(past[2], c_thread) || stray(!lp, l_thread) || stray(m_busy, m_thread) || stray(1'b1, scan)
    || stray(hint0, hint0_thread) || stray(hint1, hint1_thread));
  assign bad_looker_o = wrong_thread || wrong_look || wrong_n || wrong_same_l || wrong_read || wrong_knows
                        || wrong_aim || wrong_asks || wrong_hit;

  // ---- mover -------------------------------------------------------------------------------------------
  wire [3:0] m_sum = k + k1 + k2 + ma + ml + f + x + z;
  wire wrong_move = running && (m_sum != {3'd0, m_busy} || (z && (OUT_REG == 0 || !m_spill))
    || (m_busy && (m_spill + m_rest + m_ans != 2'd1 || (m_err && !m_ans)))
    || (m_busy && m_rest && !(k || k1 || k2)) || (z && x_spill) || (x_spill && !(x && m_spill))
    || (m_busy && !m_ans && mem_req_valid_o)
    || (f && ((can_spill && !m_spill) || (can_store && (!m_ans || m_err))))
    || (m_busy && m_ans && !x && (!y2 || y_want || m_thread != offer_tag[TAG_W-1:CLASS_W] || m_set != y_set
                                  || m_err != y_err)));
  wire wrong_alone = running && holds && ((k2 && r_here) || (ma && (r_here || b_here))
    || ((ml || f || x) && (r_here || b_here || c_here)) || ((f || x) && d_here)
    || ((x || (f && OUT_REG == 0)) && a_here) || walk || b_clear);
  wire wrong_z = live && m_here && z
    && (r_here || b_here || c_here || d_here || a_here || walk || b_clear || drain);
  wire wrong_same_m = live && m_here && (k1 || k2 || ma) && c_same_m != c_here;
  wire sees = k ? c_same_l : c_same_m && (k1 || k2 || ma);
  wire m_moves = m_moved || (sees && (m_ans ? c_moved_l : c_moved_s));
  wire [W-1:0] first = l - 1'b1, second = l - 2'd2;
  wire [W-1:0] hit = m_two ? second : first;
  wire wrong_m_set = live && m_here && !f && !x && !z && !m_moves
    && ((m_spill && m_set != s[U_W-1:0]) || (m_ans && !m_err && m_set != hit[U_W-1:0]));
  wire [CLASS_W-1:0] m_class = m_set[CLASS_W-1:0];
  wire wrong_m_tag = live && m_here && !m_ans
    && (pend[m_class] || m_phase == own_acks[m_class] || {{W-U_W{1'b0}}, m_set} >= SETS);
  wire wrong_m_read = live && m_here && ml && (look_o != o || look_e != e);
  wire wrong_f = live && m_here && f && (m_x != st || m_o != o[X_W-1:0] || m_begins != begins
    || m_empty != (count == 0)
    || (can_spill && (fault || drain || m_set != s[U_W-1:0] || nd < (begins ? 1 : 2)))
    || (can_store && (fault || drain || m_set != hit[U_W-1:0]
                      || (m_two ? held || nv + 1'b1 >= ALL : nv >= ALL))));
  wire [W-1:0] x_nd = {{W-NUM_W{1'b0}}, m_x[0+:NUM_W]}, x_nv = {{W-NUM_W{1'b0}}, m_x[NUM_W+:NUM_W]};
  wire x_held = m_x[2*NUM_W], x_fault = m_x[2*NUM_W+2];
  wire x_push_good = x_fault || (begins ? x_nd != ALL : x_nv != 0);
  wire x_top_good = x_fault || count == 0 || x_nv != 0;
  wire x_keeps = x_nv == nv && x_held == held;
  wire x_first = x_nv == nv + 1'b1 + {{W-1{1'b0}}, held} && !x_held && nv != ALL && l != 0;
  wire x_second = x_nv == nv && x_held && !held && nv + 2 <= ALL && l >= 2;
  wire wrong_x = live && m_here && x && (m_o != o[X_W-1:0] || m_x[DRAIN_BIT] != drain || (fault && !x_fault)
    || x_nd != nd - {{W-1{1'b0}}, x_spill}
    || (x_spill && (drain || nd < (begins ? 1 : 2) || m_set != s[U_W-1:0] || !x_keeps))
    || (x_push && !x_push_good) || (x_top && !x_top_good)
    || !(x_keeps || (m_ans && !m_err && (x_first ? m_set == first[U_W-1:0]
                                         : x_second && m_set == second[U_W-1:0]))));
  wire [WHERE_W+REGION_W-1:0] its_region = {{WHERE_W+REGION_W-THREAD_W{1'b0}}, mark}
                                           << (STRIDE_MAX - SET_BYTES_LG);
  wire [WHERE_W-1:0] its_place = its_region[WHERE_W-1:0] | {{WHERE_W-SET_IDX_W{1'b0}}, m_set[SET_IDX_W-1:0]};
  wire wrong_where = live && m_here && ((!k && region != its_region[REGION_W-1:0])
                                        || (!k && !k1 && where != its_place));
  assign bad_mover_o = wrong_z || wrong_move || wrong_alone || wrong_same_m || wrong_m_set || wrong_m_tag
                       || wrong_m_read || wrong_f || wrong_x || wrong_where;

  // ---- the marked entry ------------------------------------------------------------------------------
  wire present = live && after && entry_x < count;
  wire [W-1:0] slot = entry_set & (NSETS - 1), bank = entry_x & IN_SET;
  wire at_top = n0 == entry_x + 1'b1;       // before the operation
  wire changes = now_ok && ((now_kind == PUSH && n0 == entry_x) || (now_kind == REPLACE && at_top));
  wire [ENTRY_W-1:0] value = !changes ? answered_value : c_here ? datas[2*ENTRY_W+:ENTRY_W]
                             : d_here ? datas[3*ENTRY_W+:ENTRY_W] : datas[(LATENCY-1)*ENTRY_W+:ENTRY_W];
  wire [ENTRY_W-1:0] on_chip = storage[(bank * WORDS + mark * NSETS + slot) * ENTRY_W+:ENTRY_W];
  wire [ENTRY_W-1:0] read_out = rdata[bank*ENTRY_W+:ENTRY_W];
  wire [ENTRY_W-1:0] asked_data = mem_req_data_o[bank*ENTRY_BYTES*8+:ENTRY_W];
  wire asks_write = asks && mem_req_write_o && mem_req_addr_o == marked_addr;
  wire [ENTRY_W-1:0] remote = asks_write ? asked_data : memory[ENTRY_W-1:0];
  wire spilled = present && entry_set < s;
  wire wrong_chip = present && entry_set >= l && on_chip != value;
  wire wrong_held_set = present && held && entry_set == second && on_chip != value;
  wire in_z = m_here && z && m_set == entry_set[U_W-1:0];  // its request comes next
  wire wrong_remote = spilled && (in_z ? data_out[bank*ENTRY_W+:ENTRY_W] : remote) != value;
  wire in_x = present && m_here && x && m_set == entry_set[U_W-1:0];
  wire wrong_moved = in_x && ((x_spill && read_out != value) || (!x_keeps && on_chip != value));
  wire wrong_read_out = live && c_ok && (c_was == POP || c_was == PEEK) && at_top
    && (read_out != answered_value || (c_idx & IN_SET[SET_LG+NSETS_LG-1:0]) != bank[SET_LG+NSETS_LG-1:0]);
  wire wrong_out = live && d_ok && (d_was == POP || d_was == PEEK) && at_top
    && (data_out[bank*ENTRY_W+:ENTRY_W] != answered_value || d_answer[31:0] != {{32-W{1'b0}}, bank});
  assign bad_place_o = wrong_out || wrong_chip || wrong_held_set || wrong_remote || wrong_moved
                       || wrong_read_out;

  wire wrong_offered = spilled && (changes || !(offered || asks_write || in_z));
  assign bad_offered_o = wrong_offered;

  // ---- faults ------------------------------------------------------------------------------------------
  // While a drain lasts every access of the thread is from before the init, or the checker takes it for that:
  // old or unsure. A visit that read the state before the init is over soon behind it.
  localparam [7:0] MOVES = STEAL + 9, BEHIND = STEAL + 12, PERHAPS = 32 + STEAL;
  wire inits = (c_here && c_was == INIT) || (d_here && d_was == INIT) || (a_here && a_was == INIT);
  reg old_is, drained_is;
  integer d;
  always @* begin
    {old_is, drained_is} = 2'b00;
    for (d = 0; d < INFLIGHT; d = d + 1) begin
      if (old[mark * INFLIGHT + d] && !(pend[d] && drain)) old_is = 1'b1;
      if (pend[d] && drain && !inits && !old[mark * INFLIGHT + d] && !unsure[mark * INFLIGHT + d]
          && !(fresh && asked_class == d[CLASS_W-1:0] && since_init < PERHAPS)) old_is = 1'b1;
      if (pend[d] && (d < cls || (ln && (n_next || n_end) && d <= cls))) drained_is = 1'b1;
    end
  end
  wire wrong_old = live && after && old_is;
  wire drains = l_x[DRAIN_BIT] && !l_ans && !l_depth;
  wire [LOG_W-1:0] d_log = logs[(mark * INFLIGHT + cls) * LOG_W+:LOG_W];
  wire wrong_drains = live && looks && drains && (!drain || (!le && (drained_is
    || (lm && (log[LOG_W-1] != d_log[LOG_W-1] || (log[LOG_W-1] == ack && pend[cls])))
    || (ln && n_end && cls != {CLASS_W{1'b1}}))));
  wire wrong_missed = live && b_here && b_e[DRAIN_BIT] != e[DRAIN_BIT]
    && (drain || pend != 0 || !lp || m_here);
  // An access that is begun with no drain was looked for behind the init.
  wire l_asks = looks && (l_spill || (l_rest && !l_y[U_W-1]));
  wire begins_one = l_asks && (lv || lm || ln);
  localparam [7:0] FIRST = (OUT_REG != 0) ? 1 : 2; // since_init with the first push behind an init in C
  wire wrong_since_init = live && ((inits && count != 0)
    || (since_init < (c_here ? FIRST : FIRST + 8'd1) && !inits && count != 0)
    || (b_here && since_init + 8'd1 < FIRST) || (c_here && c_was != INIT && since_init < FIRST));
  wire wrong_early = live && !drain
    && ((inits && (pend != 0 || (m_here && !m_ans) || (looks && !(OUT_REG != 0 && le && a_here)) || asks))
        || (looks && !l_dead && l_n != 0 && le && (inits || since_init < FIRST + 8'd2) && !l_depth)
        || (begins_one && since_init < FIRST + (lv ? 8'd3 : lm ? 8'd4 : 8'd5))
        || (m_here && !m_ans && since_init < FIRST + (k ? 8'd6 : k1 ? 8'd7 : 8'd8))
        || (fresh && since_init < 8));
  wire late_x = z ? since_init <= MOVES + 8'd2 : x ? since_init <= MOVES + 8'd1
    : f ? since_init <= {{8-LOST_W{1'b0}}, lost} + 8'd7 || (!go && since_init <= MOVES - 8'd2)
          || (!r_v && since_init <= MOVES - 8'd1) || (!b_wr && !b_rd && since_init <= MOVES)
    : since_init <= (ml ? 8'd6 : ma ? 8'd5 : k2 ? 8'd4 : k1 ? 8'd3 : 8'd2);
  wire c_inits = c_here && c_was == INIT;
  wire past_c_inits = (OUT_REG != 0) ? d_here && d_was == INIT : a_here && a_was == INIT;
  wire wrong_stale = live && drain && looks && !l_x[DRAIN_BIT] && ((le && !c_inits)
                                                                   || (lv && !c_inits && !past_c_inits));
  wire wrong_late = live && drain && !inits
    && ((looks && !l_x[DRAIN_BIT] && lm && since_init != 0)
        || (begins_one && ln && (m_busy ? !late_x : since_init > BEHIND))
        || (m_here && m_rest && since_init > BEHIND + (k2 ? 8'd3 : k1 ? 8'd2 : 8'd1)));
  wire wrong_dead = live && ((looks && l_ans && l_dead && !fault && !drain)
                             || (((ln && looks && n_drop) || (y3 && y_here)) && y_err && !fault && !drain));
  wire wrong_fault = live && ((fault ? errors == 0 && !faulted : faulted && !inits)
    || (!fault && sure[LATENCY+1:1] != 0 && !inits) || (m_here && x && x_fault && errors == 0 && !faulted)
    || (m_here && x && sure[0] && !x_fault)
    || (!fault && sure[0] && !inits && !(m_here && x)) || (inits && (fault || (m_here && x)))
    || (c_here && c_was != INIT && (c_status == FAULT) != fault)
    || (d_here && d_was != INIT && (d_status == FAULT) != fault)
    || (a_here && a_was != INIT && (ans_status_o == FAULT) != fault));
  wire wrong_calm = running && (since_init > PERHAPS
    || ((walk || b_clear) && (errors != 0 || sure != 0 || faulted || old != 0)));
  assign bad_faults_o = wrong_old || wrong_drains || wrong_missed || wrong_early || wrong_since_init
                        || wrong_stale || wrong_late || wrong_dead || wrong_fault || wrong_calm;

  // ---- reads of the depth --------------------------------------------------------------------------------
  wire depth_read = reg_addr == 10'h028;
  wire [31:0] l_says = {l_x[2*NUM_W+2], {31-COUNT_W{1'b0}}, l_count};
  wire wrong_quiet = running && ((r_here && quiet != 0) || (b_here && quiet != 1) || (c_here && quiet != 2)
                                 || (d_here && quiet != 3)
                                 || (a_here && !r_here && quiet != LATENCY[3:0] - 4'd1));
  wire wrong_reads = running && ((reg_busy && read_depth != depth_read)
    || (reg_st == 3'd2 && depth_read && !(reg_depth && reg_read == l_says))
    || (reg_depth && !depth_read)
    || (!lp && l_depth && (!reg_depth || l_thread != 0)) || ((lv || lm || ln) && l_depth));
  // What was read is the count but for an operation since; a fault that is missing in it is younger.
  wire differs_l = l_n != count, differs_w = reg_word[30:0] != {{31-COUNT_W{1'b0}}, count[COUNT_W-1:0]};
  wire differs_o = reg_rsp_data_o[30:0] != {{31-COUNT_W{1'b0}}, count[COUNT_W-1:0]};
  wire wrong_depth = live && after && mark == 0
    && ((le && l_depth && quiet > 2
         && (differs_l || (a_here && fault && !l_x[2*NUM_W+2])
             || (l_x[2*NUM_W+2] ? !fault : !inits && (faulted || sure[LATENCY+1:3] != 0))))
        || (reg_st == 3'd4 && depth_read && quiet > 3
            && (a_here || differs_w || (reg_word[31] ? !fault : faulted || sure[LATENCY+1:4] != 0)))
        || (reg_rsp_valid_o && read_depth && quiet > 4
            && (differs_o || (reg_rsp_data_o[31] ? !fault : faulted || sure[LATENCY+1] != 0))));
  assign bad_depths_o = wrong_quiet || wrong_reads || wrong_depth;

  // ---- how long a thread is held -----------------------------------------------------------------------
  // A bit that fell with no operation: first in K1, then the checker says so. F waits for the port for STEAL
  // cycles at most, then for the operations taken until then.
  localparam [15:0] STOLEN = STEAL;
  wire falls = !was_here && ((could_push && !push_bit) || (could_top && !top_bit));
  wire push_low = (push_held && !push_bit) || (falls && could_push && !push_bit);
  wire top_low = (top_held && !top_bit) || (falls && could_top && !top_bit);
  wire wrong_could = running && (was_here != r_here || (falls && !(holds && k1 && !r_here && !b_here)));
  wire low = push_low || top_low, was_low = push_held || top_held;
  wire in_time = ml ? held_for == 0
                 : x ? held_for <= STOLEN + 16'd4
                 : f && ((held_for >= 1 && held_for <= STOLEN && {{16-LOST_W{1'b0}}, lost} == held_for - 1'b1)
                         || (held_for == STOLEN + 16'd1 && !go) || (held_for == STOLEN + 16'd2 && !r_v)
                         || (held_for == STOLEN + 16'd3 && !b_wr && !b_rd));
  wire wrong_low = running && was_low
    && (walk || b_clear || (low ? !holds || !in_time : k || held_for > STOLEN + 16'd5));
  wire wrong_rises = live && after && ((push_low && !push_good) || (top_low && !top_good)
    || (holds && x && ((push_low && !x_push) || (top_low && !x_top))));
  wire wrong_lost = running && {{16-LOST_W{1'b0}}, lost} >= STOLEN;
  assign bad_waits_o = wrong_lost || wrong_could || wrong_low || wrong_rises;
endmodule

`default_nettype wire
