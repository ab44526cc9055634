// SPDX-License-Identifier: Apache-2.0
// stack_cache_engine: spills, restores and memory answers, one event per cycle.
//
// EA takes an answer, a depth read or a thread to visit; EB sees the thread's state and what it calls for; EF
// fires or not; EC loads the request register and refreshes the thread's lane. No two of EB and EF are of one
// thread (but depth reads), so EF alone writes. Owns the half `e` of a thread's state, the accesses under way
// (`pend`, one bit per class) and, with FORWARD, the copy of one spilled set; stack_cache_request offers what
// EF fires. An answer takes three cycles of the port; it waits there while an operation uses the write port.
// Reset: the walk clears the state RAM.
`default_nettype none

module stack_cache_engine #(
  parameter THREADS = 24,
  parameter ENTRY_W = 64,
  parameter SET = 4,
  parameter NSETS = 4,
  parameter COUNT_W = 15,
  parameter THREAD_W = 5,
  parameter CLASS_W = 4,
  parameter INFLIGHT = 16,
  parameter SET_IDX_W = 13,
  parameter PTR_W = 4,
  parameter POLICY = 0,
  parameter FLAGS = 0,
  parameter COUNTERS = 1,
  parameter STATUS = 0,
  parameter STEAL = 16,
  parameter FORWARD = 1,
  parameter ADDR_W = 32,
  parameter TAG_W = 9,
  parameter STRIDE_MAX = 17,
  parameter SET_BYTES = 32,
  parameter ENTRY_BYTES = 8,
  parameter O_W = 26,
  parameter E_W = 11,
  parameter NUM_W = 3,
  parameter OFF_W = 2,
  parameter SLOT_W = 2
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire walk_i,
  input  wire [THREAD_W-1:0] walk_thread_i,

  // A thread worth a visit, and whether any thread waits.
  input  wire hint_i,                       // of the thread in C
  input  wire any_waits_i,

  // Halt, flush, context. [SC-13]
  input  wire halted_i,
  input  wire quiet_i,                      // no visit acts
  input  wire end_bursts_i,                 // of all threads
  output wire [THREADS-1:0] bursts_o,       // threads whose burst was written since then
  // answers are a flush's: taken at once, an error alone is looked at
  input  wire acks_i,
  input  wire drop_i,                       // what a flush has not offered yet is dropped
  input  wire clearing_i,                   // a reset: answers are from before it, whatever `drain` says
  input  wire read_i,                       // a flush reads out the lowest dirty set of this thread
  input  wire [THREAD_W-1:0] read_thread_i,
  input  wire [COUNT_W-1:0] read_count_i,
  input  wire [NUM_W-1:0] read_nd_i,
  output wire stall_o,                      // but for this: the set in EC cannot move on
  output wire ec_req_o,                     // a request is in EC
  output wire idle_o,                       // no answer in EB, no request in EC or in the register
  output wire accesses_o,                   // some are begun and not answered
  output wire working_o,                    // a request is in EC or in the register
  input  wire ctx_loads_i,                  // a thread's half is set to 0, its burst to
  input  wire [THREAD_W-1:0] ctx_thread_i,
  input  wire [NUM_W-1:0] ctx_burst_i,

  input  wire [THREADS-1:0] no_deepest_i,   // threads whose deepest stack was cleared
  input  wire depth_i,                      // a depth read waits
  input  wire [THREAD_W-1:0] depth_thread_i,
  output wire depth_done_o,
  output wire [COUNT_W-1:0] depth_o,
  output wire [COUNT_W-1:0] deepest_o,

  input  wire [ADDR_W-1:0] base_i,
  input  wire [5:0] stride_lg_i,
  input  wire [NUM_W-1:0] spill_over_i,
  input  wire [NUM_W-1:0] spill_burst_i,
  input  wire [NUM_W-1:0] restore_free_i,
  input  wire [COUNT_W-1:0] limit_i,

  // The operations' half of the state and what they do in B and did (C).
  input  wire a_writes_i,
  input  wire [THREAD_W-1:0] a_thread_i,
  input  wire b_valid_i,
  input  wire b_push_i,
  input  wire b_replace_i,
  input  wire b_init_i,
  input  wire b_uses_write_i,
  input  wire b_uses_read_i,
  input  wire o_we_i,
  input  wire [THREAD_W-1:0] o_waddr_i,
  input  wire [O_W-1:0] o_wdata_i,
  input  wire c_valid_i,
  input  wire [O_W-1:0] c_o_i,
  input  wire [THREAD_W-1:0] c_thread_i,
  input  wire c_init_i,
  input  wire c_cuts_i,                     // an init or pop
  input  wire c_replace_i,
  input  wire c_begins_i,                   // a push that began a set
  input  wire c_drop_i,                     // one that dropped the lowest restore
  input  wire c_one_i,                      // its thread has one dirty set

  output wire [THREAD_W-1:0] ef_thread_o,
  output wire e_we_o,
  output wire [THREAD_W-1:0] e_waddr_o,
  output wire [E_W-1:0] e_wdata_o,
  output wire ec_we_o,
  output wire [E_W-1:0] ec_e_o,

  // Storage.
  output wire [THREAD_W-1:0] spill_thread_o,
  output wire [SLOT_W-1:0] spill_slot_o,    // a spill reads all banks when no operation does
  output wire store_o,                      // EF writes all banks
  output wire [SLOT_W-1:0] store_slot_o,
  output wire store_port_o,                 // with the data of the memory port,
  output wire [SET*ENTRY_W-1:0] store_kept_o,  // else with these, which are 0 otherwise
  input  wire [SET*ENTRY_W-1:0] ec_rdata_i,

  // EC: for the can-go bits.
  output wire [THREAD_W-1:0] ec_thread_o,
  output wire ec_spilled_o,
  output wire ec_restored_o,
  output wire ec_top_o,                     // the top's partly filled set came back
  output wire ec_fault_o,
  output wire ec_clean_o,                   // a spill of the only dirty set, as it was before C,
  output wire ec_same_o,                    // which is of the same thread, if of any

  output reg  steal_o,                      // no operation is taken in this cycle [SC-9]

  output wire error_o,                      // an error answers in this cycle
  output wire error_write_o,
  output wire [1:0] error_code_o,
  output wire [THREAD_W-1:0] error_thread_o,
  output wire [SET_IDX_W-1:0] error_set_o,

  output wire n_spill_o,
  output wire [1:0] n_restore_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [TAG_W-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [SET_BYTES*8-1:0] mem_req_data_o,
  output wire [SET_BYTES-1:0] mem_req_strb_o,

  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [TAG_W-1:0] mem_rsp_tag_i,
  input  wire [1:0] mem_rsp_error_i
);
  localparam UW = ((SET_IDX_W > PTR_W) ? SET_IDX_W : PTR_W) + NUM_W + 1;  // sets, zero-extended
  localparam BURST_W = (POLICY != 0) ? NUM_W : 0;
  localparam W_W = E_W + INFLIGHT + BURST_W;
  localparam [NUM_W-1:0] NONE = 0, ONE = 1;
  localparam N_AT = COUNT_W, V_AT = N_AT + NUM_W, R_AT = V_AT + NUM_W, H_AT = R_AT + 2;
  localparam OFF_AT = H_AT + 3, DEEP_AT = OFF_AT + ((FLAGS != 0 && SET > 1) ? OFF_W : 0);
  localparam LOST_W = (STEAL > 1) ? $clog2(STEAL) : 1;

  // ---- EA ------------------------------------------------------------------------------------------
  reg eb_answer_q, eb_depth_q, eb_visit_q, eb_scan_q;
  reg ef_answer_q, ef_visit_q, ef_kept_q;   // kept: an answer from the copy
  reg [THREAD_W-1:0] eb_thread_q, ef_thread_q, ec_thread_q;
  reg [CLASS_W-1:0] eb_class_q;
  reg [1:0] eb_error_q;
  reg eb_same_c_q, eb_same_ec_q;
  reg eb_taken_q, ef_taken_q;               // the answer was taken in EA
  wire forward, ec_hint;

  // EF may keep its content, so EB keeps its own; when it did not, EF is empty for a cycle. A depth read goes
  // first: EB may give its content up, an answer is still at the port then.
  wire stay;
  wire acks = STATUS != 0 && acks_i, drops = acks && drop_i;
  wire ack = acks && !eb_answer_q && !ef_answer_q;
  wire ea_ack = ack && mem_rsp_valid_i && mem_rsp_error_i != 2'd0;
  wire ea_depth = depth_i && !eb_depth_q && !ea_ack;
  wire ea_answer = acks ? ea_ack : mem_rsp_valid_i && !eb_answer_q && !ef_answer_q;
  reg hint_q, scan_turn_q;
  reg [THREAD_W-1:0] hint_thread_q, scan_q;
  wire by_hint = hint_q && !scan_turn_q;
  wire [THREAD_W-1:0] visit_thread = by_hint ? hint_thread_q : scan_q;
  wire [THREAD_W-1:0] pick = ea_depth ? depth_thread_i
                           : ea_answer ? mem_rsp_tag_i[CLASS_W+:THREAD_W] : visit_thread;
  wire keeps = stay && !ea_depth;
  wire [THREAD_W-1:0] ea_thread = keeps ? eb_thread_q : pick;
  // Not the thread that is in EB.
  wire lone = !(eb_answer_q || eb_visit_q);
  wire answer_apart = lone || mem_rsp_tag_i[CLASS_W+:THREAD_W] != eb_thread_q;
  wire visit_apart = lone || (by_hint ? hint_thread_q != eb_thread_q : scan_q != eb_thread_q);

  // Visits: all threads in turn, and between two of them the one named last, if any. Where a visit in turn of
  // a thread that waits lacks only the request register, the turn stays there (`reserved_q`), and the
  // register is for that thread alone until a visit of it has not lacked it. [SC-11]
  localparam [31:0] LAST = THREADS - 1;
  reg reserved_q;
  wire reserves, served;
  wire ea_visit = !walk_i && !quiet_i && !ea_answer && !ea_depth && visit_apart;
  wire visits = ea_visit && !stay;
  wire given_up = ea_depth && stay && eb_visit_q && eb_scan_q && !reserved_q;  // its turn comes again
  always @(posedge clk_i) begin
    if (rst_i || halted_i) begin
      hint_q <= 1'b0;
      scan_turn_q <= 1'b0;
      scan_q <= {THREAD_W{1'b0}};
    end else begin
      hint_q <= ec_hint || hint_i || (hint_q && !(visits && by_hint));
      if (visits) scan_turn_q <= by_hint;
      if (reserves) scan_q <= ef_thread_q;
      else if (given_up) scan_q <= eb_thread_q;
      else if (reserved_q ? served : visits && !by_hint)
        scan_q <= (scan_q == LAST[THREAD_W-1:0]) ? {THREAD_W{1'b0}} : scan_q + 1'b1;
    end
    if (rst_i || (STATUS != 0 && quiet_i)) reserved_q <= 1'b0;
    else reserved_q <= reserves || (reserved_q && !served);
    if (ec_hint) hint_thread_q <= ec_thread_q;
    else if (hint_i) hint_thread_q <= c_thread_i;
  end

  reg [CLASS_W-1:0] class_above_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      eb_answer_q <= 1'b0;
      eb_depth_q <= 1'b0;
      eb_visit_q <= 1'b0;
    end else begin
      eb_depth_q <= ea_depth;
      eb_answer_q <= !ea_depth && (stay ? eb_answer_q : ea_answer && answer_apart);
      eb_visit_q <= !ea_depth && (stay ? eb_visit_q : ea_visit);
    end
    eb_thread_q <= ea_thread;
    if (!stay) begin
      eb_scan_q <= !by_hint;
      eb_taken_q <= acks;
      eb_class_q <= mem_rsp_tag_i[CLASS_W-1:0];
      class_above_q <= mem_rsp_tag_i[CLASS_W-1:0] + 1'b1;
      eb_error_q <= mem_rsp_error_i;
    end
    eb_same_c_q <= keeps ? eb_thread_q == o_waddr_i : pick == o_waddr_i;
    eb_same_ec_q <= keeps ? eb_thread_q == ef_thread_q : pick == ef_thread_q;
  end

  // ---- EB: state -----------------------------------------------------------------------------------
  wire [O_W-1:0] o_read;
  wire [W_W-1:0] w_read, w_d, w_loaded;
  reg  [W_W-1:0] ef_w_q, ec_w_q;
  reg  ec_valid_q;
  wire leaves;                              // EF changes or refreshes the thread
  wire ctx_loads = STATUS != 0 && ctx_loads_i;
  wire w_we = walk_i || ctx_loads || leaves;
  wire [THREAD_W-1:0] w_waddr = walk_i ? walk_thread_i : ctx_loads ? ctx_thread_i : ef_thread_q;
  wire [W_W-1:0] w_wdata = walk_i ? {W_W{1'b0}} : ctx_loads ? w_loaded : w_d;

  ram_1r1w #(.WIDTH(O_W), .DEPTH(THREADS)) u_o_ram (
    .clk_i(clk_i), .we_i(o_we_i), .waddr_i(o_waddr_i), .wdata_i(o_wdata_i), .raddr_i(ea_thread),
    .rdata_o(o_read));
  ram_1r1w #(.WIDTH(W_W), .DEPTH(THREADS)) u_w_ram (
    .clk_i(clk_i), .we_i(w_we), .waddr_i(w_waddr), .wdata_i(w_wdata), .raddr_i(ea_thread), .rdata_o(w_read));

  wire [O_W-1:0] o = (eb_same_c_q && c_valid_i) ? c_o_i : o_read;
  wire [W_W-1:0] w = (eb_same_ec_q && ec_valid_q) ? ec_w_q : w_read;
  wire [INFLIGHT-1:0] answered = eb_answer_q ? {{INFLIGHT-1{1'b0}}, 1'b1} << eb_class_q : {INFLIGHT{1'b0}};
  wire [INFLIGHT-1:0] pend = w[E_W+:INFLIGHT] & ~answered;  // without the access that EB's answer ends
  wire [W_W-1:0] w_now;                     // `w` with these, and no burst that a flush has ended

  wire [COUNT_W-1:0] count = o[COUNT_W-1:0];
  wire [NUM_W-1:0] nd = o[N_AT+:NUM_W] + w[0+:NUM_W];
  wire [NUM_W-1:0] nv = o[V_AT+:NUM_W] + w[NUM_W+:NUM_W];
  wire [1:0] nr = o[R_AT+:2] + w[2*NUM_W+:2];
  wire held = o[H_AT] ^ w[2*NUM_W+2];
  wire drain = o[H_AT+1] ^ w[2*NUM_W+3];
  wire fault = o[H_AT+2] ^ w[2*NUM_W+4];

  // ---- EB: what the state calls for ----------------------------------------------------------------
  wire want_spill, want_restore, want_top, must, by_threshold, full_dirty, burst_active;
  wire [UW-1:0] set;                        // to spill or restore; L-1 for an answer
  wire begins;
  stack_cache_want #(.SET(SET), .NSETS(NSETS), .NUM_W(NUM_W), .COUNT_W(COUNT_W), .UW(UW),
    .POLICY(POLICY)) u_want (
    .answer_i(eb_answer_q), .count_i(count), .nd_i(nd), .nv_i(nv), .nr_i(nr), .room_i(count < limit_i),
    .burst_i(burst_active),
    .spill_over_i(spill_over_i), .restore_free_i(restore_free_i),
    .spill_o(want_spill), .restore_o(want_restore), .set_o(set), .begins_o(begins),
    .top_o(want_top), .must_o(must), .by_threshold_o(by_threshold), .full_dirty_o(full_dirty));

  wire good = eb_answer_q && !drain && !fault && eb_error_q == 2'd0;
  // Set L-1, which is T1 - nv or one less, is of the answer's class if the valid sets are as many as sets
  // from the answer's class up to the top.
  localparam CX = COUNT_W + CLASS_W + NUM_W;
  wire [CX-1:0] t1_x = {{CLASS_W+NUM_W{1'b0}}, count} >> $clog2(SET), nv_x = {{CX-NUM_W{1'b0}}, nv};
  wire unused_x = &{1'b0, t1_x, nv_x};
  wire [CLASS_W-1:0] from_class = t1_x[CLASS_W-1:0] + ~eb_class_q + {{CLASS_W-1{1'b0}}, !begins};
  wire [CLASS_W-1:0] from_above = t1_x[CLASS_W-1:0] + ~class_above_q + {{CLASS_W-1{1'b0}}, !begins};
  wire active = eb_visit_q && !drain && !fault;

  wire partial;                              // the top's set is partly filled
  generate
    if (STATUS != 0 && SET > 1) begin : g_part
      wire [COUNT_W+SET-1:0] count_x = {{SET{1'b0}}, count};
      wire unused = &{1'b0, count_x};
      assign partial = count_x[$clog2(SET)-1:0] != {$clog2(SET){1'b0}};
    end else begin : g_whole
      assign partial = 1'b0;
    end
  endgenerate

  reg ef_w1_q, ef_w2_q, ef_single_q, ef_held_q, ef_drain_q, ef_fault_q, ef_idle_q;
  reg ef_spill_q, ef_restore_q, ef_must_q, ef_urgent_q, ef_scan_q, ef_bare_q;
  reg [1:0] ef_error_q;
  reg [UW-1:0] ef_set_q;
  wire store_lost, spill_lost;
  wire w1, w2, ef_held, dropped;
  always @(posedge clk_i) begin
    if (rst_i) begin
      ef_answer_q <= 1'b0;
      ef_visit_q <= 1'b0;
      ef_kept_q <= 1'b0;
    end else begin
      ef_answer_q <= stay ? ef_answer_q && store_lost : eb_answer_q;
      ef_visit_q <= stay ? spill_lost : eb_visit_q;
      ef_kept_q <= FORWARD != 0 && (forward || (ef_kept_q && store_lost));
    end
    if (!stay) begin
      ef_thread_q <= eb_thread_q;
      ef_w_q <= w_now;
      ef_drain_q <= drain;
      ef_fault_q <= fault;
      ef_idle_q <= pend == {INFLIGHT{1'b0}};
      ef_spill_q <= active && want_spill;
      ef_restore_q <= active && want_restore;
      ef_must_q <= must;
      ef_urgent_q <= active && (must || want_top);
      ef_scan_q <= eb_scan_q;
      ef_bare_q <= nv == NONE && partial;
      ef_taken_q <= eb_taken_q;
      ef_error_q <= eb_error_q;
      ef_set_q <= set;
    end
    ef_w1_q <= rst_i ? 1'b0 : stay ? w1 && store_lost : good && nr != 2'd0 && from_class == nv_x[CLASS_W-1:0];
    ef_w2_q <= rst_i ? 1'b0 : stay ? w2 && store_lost
               : good && nr == 2'd2 && !held && from_above == nv_x[CLASS_W-1:0];
    ef_held_q <= stay ? ef_held : held;
    ef_single_q <= stay ? ef_single_q || dropped : nr == 2'd1;
  end

  // ---- EF: operations of its thread since EB saw the state -----------------------------------------
  reg same_b_q, same_c_q;              // the operation in B, in C, is of EF's thread
  always @(posedge clk_i) begin
    same_b_q <= stay ? a_thread_i == ef_thread_q : a_thread_i == eb_thread_q;
    same_c_q <= stay ? o_waddr_i == ef_thread_q : o_waddr_i == eb_thread_q;
  end
  wire same = b_valid_i && same_b_q;
  wire init_now = same && b_init_i;
  wire was_init = same_c_q && c_init_i;
  wire no_slot = was_init || (same_c_q && c_begins_i);
  wire taken = STATUS != 0 && ef_taken_q;
  wire drained = ef_drain_q || was_init;
  assign dropped = same_c_q && c_drop_i;
  assign w1 = ef_w1_q && !(dropped && ef_single_q);
  assign w2 = ef_w2_q && !dropped;
  assign ef_held = ef_held_q && !dropped;

  // ---- EF: answers ---------------------------------------------------------------------------------
  wire error = ef_error_q != 2'd0;
  wire store = ((w1 || w2) && !was_init) || (ef_kept_q && !no_slot);
  assign store_lost = store && b_uses_write_i;
  wire store_fires = store && !b_uses_write_i && !init_now;
  wire answer_ends = ef_answer_q && !store_lost;
  wire port_fires = answer_ends && !taken;
  wire first_in = store_fires && (ef_kept_q ? !ef_single_q : w1);
  wire second_in = store_fires && (ef_kept_q ? ef_single_q : w2);
  wire both_in = first_in && ef_held;
  wire top_in = STATUS != 0 && first_in && ef_bare_q;  // the top's, partly filled
  wire faults = answer_ends && error && (!drained || taken) && !init_now && !(STATUS != 0 && clearing_i);
  wire last_of_drain = answer_ends && drained && ef_idle_q;

  // ---- EF: visits ----------------------------------------------------------------------------------
  wire [INFLIGHT-1:0] ef_pend = ef_w_q[E_W+:INFLIGHT];
  wire [CLASS_W-1:0] want_class = ef_set_q[CLASS_W-1:0];
  wire want_pending = ef_pend[want_class];
  wire ef_kept_thread, kept_hit;            // a set of the thread is kept, it is the wanted one
  wire ec_req, req_valid, stall;            // a request is in EC, in the register; EC keeps its own
  wire its_turn = ef_thread_q == scan_q;
  wire empty = !ec_req && (!req_valid || mem_req_ready_i);
  wire req_free = empty && (!reserved_q || its_turn);
  wire acts = ef_visit_q && !(STATUS != 0 && quiet_i);
  // Two sets or more are dirty where a spill must be: a replace changes another one.
  wire cut = (same_c_q && (c_cuts_i || (c_replace_i && !ef_must_q)))
             || (same && (b_init_i || (b_replace_i && !ef_must_q)));
  wire spill_clear = ef_spill_q && req_free && !cut;
  wire spill_ready = acts && spill_clear && !want_pending;
  assign spill_lost = spill_ready && b_uses_read_i && ef_must_q;
  wire spill_fires = spill_ready && !b_uses_read_i;
  wire restore_clear = acts && ef_restore_q && !no_slot && !(same && (b_init_i || b_push_i));
  wire restore_fires = restore_clear && req_free && !want_pending;
  assign forward = restore_clear && want_pending && kept_hit;
  wire drain_ends = acts && ef_drain_q && ef_idle_q;

  wire lacks = acts && ef_urgent_q && !want_pending && !empty;
  assign reserves = lacks && ef_scan_q && !reserved_q;
  assign served = ef_visit_q && its_turn && !lacks && !spill_lost;

  assign stay = (b_uses_write_i && (ef_w1_q || ef_w2_q || ef_kept_q))
                || (b_uses_read_i && ef_spill_q && ef_must_q && ef_visit_q)
                || (ef_restore_q && ef_visit_q && ef_kept_thread);
  assign leaves = answer_ends || (ef_kept_q && !store_lost) || (ef_visit_q && !spill_lost && !forward);

  // ---- EF: next state ------------------------------------------------------------------------------
  wire [NUM_W-1:0] gained = both_in ? 2 : first_in ? 1 : 0;
  wire [1:0] wanted = {1'b0, restore_fires || (ef_kept_q && second_in)} - (ef_answer_q ? gained[1:0] : 2'd0);
  wire end_drain = (last_of_drain || (drain_ends && !was_init)) && !init_now;

  assign w_d[0+:NUM_W] = ef_w_q[0+:NUM_W] - {{NUM_W-1{1'b0}}, spill_fires};
  assign w_d[NUM_W+:NUM_W] = ef_w_q[NUM_W+:NUM_W] + gained;
  assign w_d[2*NUM_W+:2] = ef_w_q[2*NUM_W+:2] + wanted;
  assign w_d[2*NUM_W+2] = ef_w_q[2*NUM_W+2] ^ (both_in || second_in);
  assign w_d[2*NUM_W+3] = ef_w_q[2*NUM_W+3] ^ end_drain;
  assign w_d[2*NUM_W+4] = ef_w_q[2*NUM_W+4] ^ (faults && !ef_fault_q);
  wire [INFLIGHT-1:0] its_class = {{INFLIGHT-1{1'b0}}, 1'b1} << want_class;
  assign w_d[E_W+:INFLIGHT] = ef_pend | (its_class & {INFLIGHT{spill_fires || restore_fires}});

  generate
    if (POLICY != 0) begin : g_burst
      reg ef_by_threshold_q, ef_none_full_q;
      always @(posedge clk_i)
        if (!stay) begin
          ef_by_threshold_q <= by_threshold;
          ef_none_full_q <= active && !full_dirty;
        end
      wire [NUM_W-1:0] burst = ef_w_q[E_W+INFLIGHT+:NUM_W];
      wire clears = last_of_drain || drain_ends || taken || ((acts || ef_kept_q) && ef_none_full_q);
      wire [NUM_W-1:0] burst_d = clears ? NONE
        : (spill_fires && ef_by_threshold_q) ? (ef_w_q[E_W-1] ? burst : spill_burst_i) - ONE : burst;
      assign w_d[E_W+INFLIGHT+:NUM_W] = burst_d;
      assign w_d[E_W-1] = burst_d != NONE;
      if (STATUS != 0) begin : g_mirror
        assign w_d[E_W-2-:NUM_W] = burst_d;
        assign w_loaded = {ctx_burst_i, {INFLIGHT{1'b0}}, ctx_burst_i != NONE, ctx_burst_i,
                           {E_W-1-NUM_W{1'b0}}};
        // A flush ends the bursts of all threads at once: what was written before it counts as none.
        reg [THREADS-1:0] written_q;
        wire its = written_q[eb_thread_q];
        always @(posedge clk_i) begin
          if (end_bursts_i) written_q <= {THREADS{1'b0}};
          if (w_we) written_q[w_waddr] <= 1'b1;
        end
        assign bursts_o = written_q;
        assign burst_active = w[E_W-1] && its;
        assign w_now = {w[E_W+INFLIGHT+:NUM_W] & {NUM_W{its}}, pend, burst_active, w[E_W-2:0]};
      end else begin : g_no_mirror
        wire unused = &{1'b0, ctx_burst_i, end_bursts_i};
        assign w_loaded = {W_W{1'b0}};
        assign bursts_o = {THREADS{1'b1}};
        assign burst_active = w[E_W-1];
        assign w_now = {w[E_W+INFLIGHT+:NUM_W], pend, w[E_W-1:0]};
      end
    end else begin : g_no_burst
      wire unused = &{1'b0, spill_burst_i, by_threshold, full_dirty, ctx_burst_i, end_bursts_i};
      assign burst_active = 1'b0;
      assign w_loaded = {W_W{1'b0}};
      assign bursts_o = {THREADS{1'b1}};
      assign w_now = {pend, w[E_W-1:0]};
    end
    if (FLAGS != 0 && SET > 1) begin : g_off
      reg [OFF_W-1:0] ef_off_q;             // no operation that a spill bears moves it
      always @(posedge clk_i) if (!stay) ef_off_q <= {OFF_W{1'b0}} - o[OFF_AT+:OFF_W];
      assign w_d[2*NUM_W+5+:OFF_W] = spill_fires ? ef_off_q : ef_w_q[2*NUM_W+5+:OFF_W];
    end
    if (COUNTERS == 2) begin : g_deepest
      assign deepest_o = no_deepest_i[eb_thread_q] ? {COUNT_W{1'b0}} : o[DEEP_AT+:COUNT_W];
    end else begin : g_no_deepest
      wire unused = &{1'b0, no_deepest_i};
      assign deepest_o = {COUNT_W{1'b0}};
    end
  endgenerate

  assign depth_done_o = eb_depth_q;
  assign depth_o = count;
  assign mem_rsp_ready_o = port_fires || ack;
  assign n_spill_o = spill_fires || (acks && ec_req && !stall);
  assign n_restore_o = gained[1:0];

  // ---- storage -------------------------------------------------------------------------------------
  wire [UW-1:0] store_set = ef_set_q - {{UW-1{1'b0}}, ef_w2_q};
  wire unused_set_bits = &{1'b0, ef_set_q, store_set};
  assign store_o = store_fires;
  assign store_slot_o = store_set[SLOT_W-1:0];
  assign store_port_o = ef_answer_q && !b_uses_write_i;

  // ---- the set kept until its write is acknowledged ------------------------------------------------
  generate
    if (FORWARD != 0) begin : g_kept
      // What EB finds of the copy's thread holds in EF: in between no event is of that thread.
      reg live_q, capture_q, ef_thread_hit_q, ef_ends_q;
      reg [THREAD_W-1:0] thread_q;
      localparam KEPT_W = (SET_IDX_W > CLASS_W) ? SET_IDX_W : CLASS_W;
      reg [KEPT_W-1:0] set_q;
      reg [SET*ENTRY_W-1:0] kept_q, store_q;
      wire thread_hit = live_q && thread_q == eb_thread_q;
      wire next_kept = forward || (ef_kept_q && store_lost);
      always @(posedge clk_i) begin
        if (rst_i) live_q <= 1'b0;
        else if (spill_fires) live_q <= 1'b1;
        else if (port_fires && ef_ends_q) live_q <= 1'b0;
        if (spill_fires && !live_q) begin
          thread_q <= ef_thread_q;
          set_q <= ef_set_q[KEPT_W-1:0];
        end
        if (!stay) begin
          ef_thread_hit_q <= thread_hit;
          ef_ends_q <= thread_hit && eb_class_q == set_q[CLASS_W-1:0];
        end
        capture_q <= spill_fires && !live_q;
        if (capture_q) kept_q <= ec_rdata_i;
        store_q <= (next_kept && !a_writes_i) ? kept_q : {SET*ENTRY_W{1'b0}};
      end
      assign ef_kept_thread = ef_thread_hit_q;
      assign kept_hit = ef_thread_hit_q && set_q == ef_set_q[KEPT_W-1:0];
      assign store_kept_o = store_q;
    end else begin : g_no_kept
      wire unused = &{1'b0, a_writes_i};
      assign ef_kept_thread = 1'b0;
      assign kept_hit = 1'b0;
      assign store_kept_o = {SET*ENTRY_W{1'b0}};
    end
  endgenerate

  // ---- steal ---------------------------------------------------------------------------------------
  reg [LOST_W-1:0] lost_q;
  reg waits_q;
  wire lost = (store_lost || spill_lost) && waits_q;
  always @(posedge clk_i) waits_q <= any_waits_i && !rst_i;
  wire enough = lost_q == STEAL[LOST_W-1:0] - 1'b1;
  always @(posedge clk_i)
    if (rst_i || halted_i) begin
      lost_q <= {LOST_W{1'b0}};
      steal_o <= 1'b0;
    end else begin
      steal_o <= lost && !steal_o && enough;
      if (spill_fires || store_fires || steal_o) lost_q <= {LOST_W{1'b0}};
      else if (lost) lost_q <= lost_q + 1'b1;
    end

  // ---- EC ------------------------------------------------------------------------------------------
  reg ec_fault_q, ec_spill_q, ec_store_q, ec_top_q, ec_hint_q;
  // Visited again: after every event, and when something is wanted that only a port or an operation stood
  // in the way of.
  wire again = !ef_visit_q || drain_ends || (acts && (ef_spill_q || ef_restore_q) && !want_pending);

  always @(posedge clk_i) begin
    ec_valid_q <= leaves && !rst_i;
    ec_thread_q <= ef_thread_q;
    ec_w_q <= w_wdata;
    ec_hint_q <= leaves && again && !rst_i;
    ec_spill_q <= spill_fires && !rst_i;
    ec_store_q <= first_in && !rst_i;
    ec_top_q <= top_in && !rst_i;
    ec_fault_q <= faults && !rst_i;
  end
  assign ec_hint = ec_hint_q;
  assign ec_thread_o = ec_thread_q;
  assign ec_spilled_o = ec_spill_q;
  assign ec_restored_o = ec_store_q;
  assign ec_top_o = ec_top_q;
  assign ec_fault_o = ec_fault_q;

  assign ef_thread_o = ef_thread_q;
  assign e_we_o = w_we;
  assign e_waddr_o = w_waddr;
  assign e_wdata_o = w_wdata[E_W-1:0];
  assign ec_we_o = ec_valid_q;
  assign ec_e_o = ec_w_q[E_W-1:0];

  // ---- accesses under way ----------------------------------------------------------------------------
  reg [THREAD_W+CLASS_W:0] under_way_q;
  wire one_more = acks ? ec_req && !stall : spill_fires || restore_fires;
  wire one_less = port_fires || (ack && mem_rsp_valid_i);
  always @(posedge clk_i)
    if (rst_i) under_way_q <= {THREAD_W+CLASS_W+1{1'b0}};
    else if (one_more && !one_less) under_way_q <= under_way_q + 1'b1;
    else if (!one_more && one_less) under_way_q <= under_way_q - 1'b1;
  assign accesses_o = under_way_q != {THREAD_W+CLASS_W+1{1'b0}};

  // ---- unit status -----------------------------------------------------------------------------------
  generate
    if (STATUS != 0) begin : g_clean
      reg ef_one_q, ec_clean_q, ec_same_q;
      wire one = (same_c_q && c_valid_i) ? c_one_i : ef_one_q;
      always @(posedge clk_i) begin
        ef_one_q <= stay ? one : nd == ONE;
        ec_clean_q <= one;
        ec_same_q <= same_b_q;
      end
      assign ec_clean_o = ec_clean_q;
      assign ec_same_o = ec_same_q;
    end else begin : g_no_clean
      wire unused = &{1'b0, c_one_i, ctx_loads_i, ctx_thread_i};
      assign ec_clean_o = 1'b0;
      assign ec_same_o = 1'b0;
    end
  endgenerate
  assign working_o = ec_req || req_valid;
  assign idle_o = !eb_answer_q && !ef_answer_q && !ef_kept_q && !working_o;

  // ---- requests ------------------------------------------------------------------------------------
  reg [CLASS_W-1:0] ef_class_q;             // the port may show the next by then, if it was taken in EA
  always @(posedge clk_i) ef_class_q <= eb_class_q;
  wire [TAG_W-1:0] eb_tag = (STATUS != 0 && eb_answer_q && eb_taken_q) ? {eb_thread_q, eb_class_q}
                            : mem_rsp_tag_i;
  stack_cache_request #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .SET(SET), .COUNT_W(COUNT_W), .THREAD_W(THREAD_W),
    .CLASS_W(CLASS_W), .INFLIGHT(INFLIGHT), .SET_IDX_W(SET_IDX_W), .UW(UW), .NUM_W(NUM_W), .SLOT_W(SLOT_W),
    .STATUS(STATUS), .ADDR_W(ADDR_W), .TAG_W(TAG_W), .STRIDE_MAX(STRIDE_MAX), .SET_BYTES(SET_BYTES),
    .ENTRY_BYTES(ENTRY_BYTES)
  ) u_request (
    .clk_i(clk_i), .rst_i(rst_i), .base_i(base_i), .stride_lg_i(stride_lg_i),
    .spill_i(spill_fires), .restore_i(restore_fires), .thread_i(ef_thread_q), .set_i(ef_set_q),
    .read_i(read_i), .read_thread_i(read_thread_i), .read_count_i(read_count_i), .read_nd_i(read_nd_i),
    .drop_i(drops), .ec_o(ec_req), .offered_o(req_valid), .stall_o(stall),
    .read_thread_o(spill_thread_o), .read_slot_o(spill_slot_o), .rdata_i(ec_rdata_i),
    .log_tag_i(eb_tag), .log_class_i(taken ? ef_class_q : mem_rsp_tag_i[CLASS_W-1:0]),
    .log_write_o(error_write_o), .log_set_o(error_set_o),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i), .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o));
  assign stall_o = stall;
  assign ec_req_o = ec_req;

  assign error_o = answer_ends && error;
  assign error_code_o = ef_error_q;
  assign error_thread_o = ef_thread_q;
endmodule

`default_nettype wire
