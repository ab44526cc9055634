// SPDX-License-Identifier: Apache-2.0
// stack_cache_flush: a flush writes what is dirty, a set per cycle [SC-13].
//
// Knows which threads have dirty sets: a bit of each, exact two cycles after what changes it, so that a flush
// looks at no other thread. No operation is under way then: passes go through the operation pipeline, each of
// which spills the lowest dirty set of its thread. Two threads at a time take turns, so that what B finds of
// a thread decides on its next pass; the last one has both turns. It begins when no access is under way, so
// no class is pending, and answers are counted alone. Cycle by cycle: docs/stack_cache_status.md, Flush.
// Reset: nothing is under way; the walk behind it clears the bits.
`default_nettype none

module stack_cache_flush #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter NSETS = 4,
  parameter INFLIGHT = 16,
  parameter CLASS_W = 4,
  parameter COUNT_W = 15,
  parameter NUM_W = 3
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire flush_i,                      // a flush is wanted or under way,
  input  wire start_i,                      // nothing else is
  input  wire walk_i,                       // a walk has the pipeline
  input  wire drop_i,                       // a reset: what is not offered yet is dropped
  output wire done_o,                       // all was offered
  output wire acks_o,                       // answers are those of its writes

  // What changes a bit: an operation (C), a spill or a fault (EC), of the same thread or not.
  input  wire c_valid_i,
  input  wire [THREAD_W-1:0] c_thread_i,
  input  wire [NUM_W-1:0] c_nd_i,           // as B found it: without a spill that is in EC now
  input  wire c_fault_i,
  input  wire [THREAD_W-1:0] ec_thread_i,
  input  wire ec_spilled_i,
  input  wire ec_clean_i,                   // the last dirty set, as it was before C
  input  wire ec_same_i,                    // C, if it holds any, holds the same thread
  input  wire ec_fault_i,

  // A pass in A, what B finds; whether it spills.
  output wire a_o,
  output wire [THREAD_W-1:0] a_thread_o,
  input  wire [THREAD_W-1:0] b_thread_i,
  input  wire [COUNT_W-1:0] b_count_i,
  input  wire [NUM_W-1:0] b_nd_i,
  input  wire b_fault_i,
  output wire spills_o,

  // Then its set is read out, unless the one before it (EC) cannot move on.
  input  wire stall_i,
  input  wire ec_req_i,
  output wire read_o,
  output wire [THREAD_W-1:0] read_thread_o,
  output wire [COUNT_W-1:0] read_count_o,   // as B found it,
  output wire [NUM_W-1:0] read_nd_o
);
  localparam [31:0] LAST_CLASS = INFLIGHT - 1;

  reg on_q, done_q, acks_q;
  reg slot_q, b_q, b_lane_q, read_q;
  reg [1:0] active_q;
  reg [THREAD_W-1:0] thread0_q, thread1_q, read_thread_q;
  reg [COUNT_W-1:0] read_count_q;
  reg [NUM_W-1:0] read_nd_q;

  // ---- which threads are dirty -----------------------------------------------------------------------
  localparam [NUM_W-1:0] NONE = 0, ONE = 1;
  reg [THREADS-1:0] dirty_q;                // of a flush: those that no lane has had
  // those that had INFLIGHT sets written in this round, and have more
  wire [THREADS-1:0] again;
  wire takes, round_ends;
  wire c_writes = c_valid_i && !on_q;       // what passes change, the lanes know
  wire c_dirty = !c_fault_i && c_nd_i != NONE && !(ec_spilled_i && ec_same_i && c_nd_i == ONE);
  wire ec_clears = ec_fault_i || (ec_spilled_i && ec_clean_i && !(ec_same_i && c_writes));
  wire [THREADS-1:0] one = {{THREADS-1{1'b0}}, 1'b1};
  wire [THREADS-1:0] c_its = c_writes ? one << c_thread_i : {THREADS{1'b0}};
  wire [THREADS-1:0] ec_its = ec_clears ? one << ec_thread_i : {THREADS{1'b0}};
  wire [THREADS-1:0] first = dirty_q & (~dirty_q + 1'b1);
  wire any = dirty_q != {THREADS{1'b0}};
  reg [THREAD_W-1:0] first_thread;
  integer n;
  always @* begin
    first_thread = {THREAD_W{1'b0}};
    for (n = 0; n < THREADS; n = n + 1)
      first_thread = first_thread | (first[n] ? n[THREAD_W-1:0] : {THREAD_W{1'b0}});
  end
  always @(posedge clk_i)
    dirty_q <= ((dirty_q & ~c_its & ~(takes ? first : {THREADS{1'b0}})) | (c_dirty ? c_its : {THREADS{1'b0}})
                | (round_ends ? again : {THREADS{1'b0}})) & ~ec_its;

  // ---- passes ----------------------------------------------------------------------------------------
  wire lane = active_q[slot_q] ? slot_q : !slot_q;
  wire hold = read_q && stall_i;
  wire match = b_q && flush_i && active_q[b_lane_q] && b_thread_i == (b_lane_q ? thread1_q : thread0_q);
  wire last;                                // of its sets in this round
  wire single = b_nd_i[NUM_W-1:1] == {NUM_W-1{1'b0}};
  wire ends = match && !hold && (b_fault_i || single || last);
  wire starts = start_i && !on_q && !done_q;
  wire empty = active_q == 2'b00 && !any && !b_q && !read_q && !ec_req_i;
  wire free0 = !active_q[0] || (ends && !b_lane_q), free1 = !active_q[1] || (ends && b_lane_q);
  assign takes = on_q && any && (free0 || free1);
  assign round_ends = on_q && empty;

  assign a_o = on_q && flush_i && !walk_i && active_q != 2'b00;
  assign a_thread_o = lane ? thread1_q : thread0_q;
  assign spills_o = match && !hold && !b_fault_i && b_nd_i != NONE;
  assign read_o = read_q;
  assign read_thread_o = read_thread_q;
  assign read_count_o = read_count_q;
  assign read_nd_o = read_nd_q;
  assign done_o = done_q;
  assign acks_o = acks_q && flush_i;

  always @(posedge clk_i) begin
    if (rst_i || !flush_i) begin
      on_q <= 1'b0;
      done_q <= 1'b0;
      acks_q <= 1'b0;
      active_q <= 2'b00;
    end else if (starts) begin
      on_q <= 1'b1;
      acks_q <= 1'b1;
      active_q <= 2'b00;
    end else begin
      if (round_ends) begin
        on_q <= 1'b0;
        done_q <= again == {THREADS{1'b0}};
      end
      active_q <= {free1 ? takes && !free0 : 1'b1, free0 ? takes : 1'b1};
    end
    if (takes && free0) thread0_q <= first_thread;
    if (takes && !free0) thread1_q <= first_thread;
    slot_q <= !starts && !slot_q;
    b_q <= a_o && !rst_i;
    b_lane_q <= lane;
    if (rst_i || drop_i) read_q <= 1'b0;
    else if (!hold) read_q <= spills_o;
    if (!hold) begin
      read_thread_q <= b_thread_i;
      read_count_q <= b_count_i;
      read_nd_q <= b_nd_i;
    end
  end

  generate
    if (NSETS > INFLIGHT) begin : g_rounds
      reg [CLASS_W-1:0] spilled0_q, spilled1_q;
      reg [THREADS-1:0] again_q;
      wire more = ends && last && !single && !b_fault_i;
      assign again = again_q;
      always @(posedge clk_i)
        if (rst_i || !flush_i || round_ends) again_q <= {THREADS{1'b0}};
        else again_q <= (again_q | (more ? one << b_thread_i : {THREADS{1'b0}})) & ~ec_its;
      assign last = (b_lane_q ? spilled1_q : spilled0_q) == LAST_CLASS[CLASS_W-1:0];
      always @(posedge clk_i) begin
        if (starts || (ends && !b_lane_q)) spilled0_q <= {CLASS_W{1'b0}};
        else if (spills_o && !b_lane_q) spilled0_q <= spilled0_q + 1'b1;
        if (starts || (ends && b_lane_q)) spilled1_q <= {CLASS_W{1'b0}};
        else if (spills_o && b_lane_q) spilled1_q <= spilled1_q + 1'b1;
      end
    end else begin : g_one_round
      assign last = 1'b0;
      assign again = {THREADS{1'b0}};
    end
  endgenerate
endmodule

`default_nettype wire
