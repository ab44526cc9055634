// SPDX-License-Identifier: Apache-2.0
// stack_cache_counters: 48-bit saturating event and wait counters [SC-14].
// An event of one cycle is seen by an access that is taken in a later one, a wait a cycle later. Reading the
// lower half of a counter latches its upper half for the next read of an upper half. Reset and clear: 0.
//
// The sums lie in a RAM; flip-flops hold what came since a sum was written last, the rest. A walk takes one
// rest after the other to its sum: look, read, then add and write, a new one in each cycle. Each counter's
// turn comes at least every 24 cycles: 16 counters, and each access takes one cycle of four from the walk.
// The same adder answers a read: sum and rests are always the exact value, also of a counter whose rest is on
// its way.
//
// DEEPEST_OF: the deepest stack of each thread, in a RAM with a read port for the pushes and one for the
// register. Pushes of a thread are GAP cycles apart, so the word that a push reads is the one written last.
`default_nettype none

module stack_cache_counters #(
  parameter COUNT_W = 15,
  parameter HALT = 0,                       // 1: a counter of waits for a halt too
  parameter DEEPEST_OF = 0,                 // 1: the deepest stack of each thread too
  parameter THREADS = 24,
  parameter THREAD_W = 5
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire clear_i,
  input  wire next_i,                       // next_counter_i is looked at; not in three cycles behind that;
  input  wire [3:0] next_counter_i,
  // Two cycles later sum_o is its, 0 for the deepest stack; if it is read, its upper half is kept.
  input  wire read_i,
  output wire [31:0] sum_o,
  output reg  [15:0] upper_o,               // the upper half that was kept last
  output reg  [COUNT_W-1:0] deepest_o,      // of all threads, three cycles after the push
  input  wire [THREAD_W-1:0] thread_i,      // deepest_of_o is its in the next cycle
  output wire [COUNT_W-1:0] deepest_of_o,

  input  wire n_push_i,
  input  wire n_pop_i,
  input  wire n_spill_i,
  input  wire [1:0] n_restore_i,            // two sets, one; every fourth cycle at most
  input  wire n_drop_i,
  input  wire n_clean_i,
  input  wire [COUNT_W-1:0] n_depth_i,
  input  wire [THREAD_W-1:0] n_thread_i,    // of the push
  input  wire [4:0] waits_i                 // of two cycles ago: halt, engine, dirty slot, no set, own
);
  localparam N = 11 + HALT, DEEPEST = 6, RESTORE = 3;

  // The increments of the cycle before. A depth is compared a cycle later.
  wire none = rst_i || clear_i;
  reg [5:0] event_q;
  reg two_q, pushed_q;
  reg [COUNT_W-1:0] depth_q, depth_2q;
  reg [THREAD_W-1:0] thread_q;
  always @(posedge clk_i) begin
    event_q <= rst_i ? 6'd0 : {n_clean_i, n_drop_i, n_restore_i != 2'd0, n_spill_i, n_pop_i, n_push_i};
    two_q <= n_restore_i[1] && !rst_i;
    depth_q <= n_depth_i;
    depth_2q <= depth_q;
    thread_q <= n_thread_i;
    pushed_q <= event_q[0] && !none;
  end
  wire [11:0] step = {waits_i, 1'b0, event_q}; // none for DEEPEST
  wire unused = &{1'b0, step[DEEPEST], step[11]};

  // ---- sums
  localparam REST_W = 5;                    // 25 at most
  reg [3:0] walk_q;                         // the next counter of the walk
  // The counter that is read, and the one behind it, to which a rest is added. walks: for the walk.
  reg [3:0] at_q, at_2q;
  reg walks_q, walks_2q;
  reg stored_q, kept_q;                     // its sum lies in the RAM, or was made in the last cycle
  reg moves_q;                              // it is at_2q too, which brings a rest to the RAM
  reg [15:0] live_q;                        // the RAM has a sum since reset or clear
  reg [REST_W-1:0] rest_at_q, rest_at_2q;
  reg [47:REST_W] high_q;                   // the sum before the rest is added,
  reg [REST_W:0] low_q;                     // with it, and a carry
  reg ones0_q, ones1_q, ones2_q;            // the parts of high_q are all ones
  reg [47:0] sum_q;
  wire takes = !next_i;
  wire [3:0] look = next_i ? next_counter_i : walk_q;
  wire [47:0] stored, sum;
  ram_1r1w #(.WIDTH(48), .DEPTH(16)) u_sums (.clk_i(clk_i), .we_i(walks_2q && !none), .waddr_i(at_2q),
    .wdata_i(sum), .raddr_i(look), .rdata_o(stored));

  // The upper bits in three parts side by side: one carry through all would be the longest path of the block.
  localparam PART = 14, TOP = 48 - REST_W - 2 * PART;
  wire [47:0] base = kept_q ? sum_q : stored & {48{stored_q}};
  wire [REST_W-1:0] rest_at = rest_at_q + (rest_at_2q & {REST_W{moves_q}});
  wire [PART-1:0] part0 = high_q[REST_W+:PART], part1 = high_q[REST_W+PART+:PART];
  wire [TOP-1:0] part2 = high_q[47-:TOP];
  wire carry = low_q[REST_W] && !(ones0_q && ones1_q && ones2_q);
  wire full = low_q[REST_W] && ones0_q && ones1_q && ones2_q;
  assign sum = {part2 + {{TOP-1{1'b0}}, carry && ones0_q && ones1_q},
                part1 + {{PART-1{1'b0}}, carry && ones0_q},
                part0 + {{PART-1{1'b0}}, carry},
                low_q[REST_W-1:0] | {REST_W{full}}};
  assign sum_o = sum[31:0];

  wire [16*REST_W-1:0] rests;
  always @(posedge clk_i) begin
    at_q <= look;
    at_2q <= at_q;
    rest_at_q <= none ? {REST_W{1'b0}} : rests[look*REST_W+:REST_W];
    rest_at_2q <= rest_at_q;
    stored_q <= live_q[look] && !none;
    moves_q <= walks_q && at_q == look && !none;
    kept_q <= walks_2q && at_2q == look && !none;
    high_q <= none ? {48-REST_W{1'b0}} : base[47:REST_W];
    low_q <= none ? {REST_W+1{1'b0}} : {1'b0, base[REST_W-1:0]} + {1'b0, rest_at};
    ones0_q <= &base[REST_W+:PART];
    ones1_q <= &base[REST_W+PART+:PART];
    ones2_q <= &base[47-:TOP];
    sum_q <= sum;
    if (none) live_q <= 16'd0;
    else if (walks_2q) live_q[at_2q] <= 1'b1;
    walks_q <= takes && !rst_i;
    walks_2q <= walks_q && !rst_i;
    if (rst_i) walk_q <= 4'd0;
    else if (takes) walk_q <= walk_q + 4'd1;
  end

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_counter
      if (i == DEEPEST || i >= N) begin : g_none
        assign rests[i*REST_W+:REST_W] = {REST_W{1'b0}};
      end else begin : g_rest
        reg [REST_W-1:0] rest_q;
        wire more = i == RESTORE && two_q;
        wire taken = takes && walk_q == i;
        wire [REST_W-1:0] comes = {{REST_W-2{1'b0}}, more, step[i] && !more};
        always @(posedge clk_i)
          if (none) rest_q <= {REST_W{1'b0}};
          else if (taken) rest_q <= comes;
          else rest_q <= rest_q + comes;
        assign rests[i*REST_W+:REST_W] = rest_q;
      end
    end
  endgenerate

  // ---- reads
  always @(posedge clk_i) begin
    if (none) deepest_o <= {COUNT_W{1'b0}};
    else if (pushed_q && depth_2q > deepest_o) deepest_o <= depth_2q;
    if (rst_i) upper_o <= 16'd0;
    else if (read_i) upper_o <= sum[47:32];
  end

  generate
    if (DEEPEST_OF != 0) begin : g_deepest_of
      reg [THREADS-1:0] seen_q;               // the RAM has its word since reset or clear
      reg [THREAD_W-1:0] thread_2q, asked_q;
      wire [COUNT_W-1:0] of_push, of_asked;
      wire deeper = pushed_q && !none && (!seen_q[thread_2q] || depth_2q > of_push);
      ram_1w_nr #(.WIDTH(COUNT_W), .DEPTH(THREADS), .READS(2)) u_deepest (
        .clk_i(clk_i), .we_i(deeper), .waddr_i(thread_2q), .wdata_i(depth_2q),
        .raddr_i({thread_i, thread_q}), .rdata_o({of_asked, of_push}));
      always @(posedge clk_i) begin
        thread_2q <= thread_q;
        asked_q <= thread_i;
        if (none) seen_q <= {THREADS{1'b0}};
        else if (deeper) seen_q[thread_2q] <= 1'b1;
      end
      assign deepest_of_o = of_asked & {COUNT_W{seen_q[asked_q]}};
    end else begin : g_no_deepest_of
      assign deepest_of_o = {COUNT_W{1'b0}};
      wire unused_thread = &{1'b0, thread_i, thread_q, THREADS[0]};
    end
  endgenerate
endmodule

`default_nettype wire
