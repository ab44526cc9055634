// SPDX-License-Identifier: Apache-2.0
// stack_cache_flush: a flush writes what is dirty, a set per cycle [SC-13].
//
// No operation is under way then: passes go through the operation pipeline, each of which spills the lowest dirty set
// of its thread. Two threads at a time take turns, so that what B finds of a thread decides on its next pass; the
// last one has both turns. It begins when no access is under way, so no class is pending, and answers are counted alone.
// Cycle by cycle: docs/stack_cache_status.md, Flush. Reset: nothing is under way.
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
  localparam [31:0] LAST = THREADS - 1, LAST_CLASS = INFLIGHT - 1;

  reg on_q, done_q, acks_q, left_q;         // left: a thread has more than INFLIGHT dirty sets
  reg more_q, slot_q, b_q, b_lane_q, read_q;
  reg [1:0] active_q;
  reg [THREAD_W-1:0] next_q, thread0_q, thread1_q, read_thread_q;
  reg [COUNT_W-1:0] read_count_q;
  reg [NUM_W-1:0] read_nd_q;

  wire lane = active_q[slot_q] ? slot_q : !slot_q;
  wire hold = read_q && stall_i;
  wire match = b_q && flush_i && active_q[b_lane_q] && b_thread_i == (b_lane_q ? thread1_q : thread0_q);
  wire last;                                // of its sets in this round
  wire one = b_nd_i[NUM_W-1:1] == {NUM_W-1{1'b0}};
  wire ends = match && !hold && (b_fault_i || one || last);
  wire starts = start_i && !on_q && !done_q;
  wire empty = active_q == 2'b00 && !b_q && !read_q && !ec_req_i;

  assign a_o = on_q && flush_i && !walk_i && active_q != 2'b00;
  assign a_thread_o = lane ? thread1_q : thread0_q;
  assign spills_o = match && !hold && !b_fault_i && b_nd_i != {NUM_W{1'b0}};
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
      left_q <= 1'b0;
      active_q <= 2'b00;
    end else if (starts) begin
      on_q <= 1'b1;
      acks_q <= 1'b1;
      left_q <= 1'b0;
      active_q <= {THREADS > 1, 1'b1};
    end else begin
      if (on_q && empty) begin
        on_q <= 1'b0;
        done_q <= !left_q;
      end
      if (ends && last && !one && !b_fault_i) left_q <= 1'b1;
      if (ends && !more_q) active_q[b_lane_q] <= 1'b0;
    end
    if (starts) begin
      thread0_q <= {THREAD_W{1'b0}};
      thread1_q <= {{THREAD_W-1{1'b0}}, 1'b1};
      next_q <= {{THREAD_W-1{1'b0}}, 1'b1} + 1'b1;
      more_q <= THREADS > 2;
    end else if (ends && more_q) begin
      if (b_lane_q) thread1_q <= next_q;
      else thread0_q <= next_q;
      next_q <= next_q + 1'b1;
      more_q <= next_q != LAST[THREAD_W-1:0];
    end
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
      assign last = (b_lane_q ? spilled1_q : spilled0_q) == LAST_CLASS[CLASS_W-1:0];
      always @(posedge clk_i) begin
        if (starts || (ends && !b_lane_q)) spilled0_q <= {CLASS_W{1'b0}};
        else if (spills_o && !b_lane_q) spilled0_q <= spilled0_q + 1'b1;
        if (starts || (ends && b_lane_q)) spilled1_q <= {CLASS_W{1'b0}};
        else if (spills_o && b_lane_q) spilled1_q <= spilled1_q + 1'b1;
      end
    end else begin : g_one_round
      assign last = 1'b0;
    end
  endgenerate
endmodule

`default_nettype wire
