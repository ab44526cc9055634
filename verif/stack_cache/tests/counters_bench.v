// SPDX-License-Identifier: Apache-2.0
// counters_bench.v: the counters alone, beside plain 48-bit sums: every event in most cycles, an access in
// every fourth, fifth or sixth cycle (so that the walk is slowest), clears, and sums that begin just below
// the top or just below the carry into an upper part. The deepest stack of each thread beside a plain table.
// Prints PASS or FAIL and what differs.
`default_nettype none

module bench;
  parameter THREADS = 24, THREAD_W = 5, COUNT_W = 15, HALT = 1, CYCLES = 40000;
  localparam N = 11 + HALT, DEEPEST = 6;
  reg clk = 0, rst = 1, clear = 0, next = 0, looked = 0, shown = 0, is_read = 0;
  reg [3:0] next_counter = 0, looked_at = 0, counter = 0;
  wire [31:0] sum;
  wire [15:0] upper;
  wire [COUNT_W-1:0] deepest_all;
  reg push = 0, pop = 0, spill = 0, clean = 0, drop = 0;
  reg [1:0] restore = 0;
  reg [4:0] waits = 0;
  reg [COUNT_W-1:0] depth = 0;
  reg [THREAD_W-1:0] thread = 0, ask = 0, asked = 0;
  wire [COUNT_W-1:0] deepest_of;

  stack_cache_counters #(.COUNT_W(COUNT_W), .HALT(HALT), .DEEPEST_OF(1), .THREADS(THREADS),
    .THREAD_W(THREAD_W)) dut (
    .clk_i(clk), .rst_i(rst), .clear_i(clear), .next_i(next), .next_counter_i(next_counter),
    .read_i(is_read), .sum_o(sum), .upper_o(upper), .deepest_o(deepest_all),
    .thread_i(ask), .deepest_of_o(deepest_of), .n_push_i(push), .n_pop_i(pop), .n_spill_i(spill),
    .n_restore_i(restore), .n_drop_i(drop), .n_clean_i(clean),
    .n_depth_i(depth), .n_thread_i(thread), .waits_i(waits));

  // What each counter is worth, and was when it was looked at: events of two cycles ago, a depth of three.
  reg [47:0] value [0:N-1];
  reg [47:0] seen = 0, shows = 0;
  reg [47:0] event_q [0:N-1];
  reg [COUNT_W-1:0] deepest [0:THREADS-1];
  reg [THREAD_W-1:0] thread_q = 0, late_thread = 0;
  reg [COUNT_W-1:0] late_depth = 0;
  reg late_push = 0;
  integer i, n, wrong = 0, since = 0;
  reg [15:0] latched = 0;
  reg near = 0;
  task count; begin // at a rising edge
    for (i = 7; i < N; i = i + 1) event_q[i] = waits[i-7] && !rst;
    for (i = 0; i < N; i = i + 1)
      if (rst || clear) value[i] = 0;
      else if (i == DEEPEST) value[i] = late_push && late_depth > value[i] ? late_depth : value[i];
      else value[i] = {1'b0, value[i]} + event_q[i] > 49'hffffffffffff ? 48'hffffffffffff
                      : value[i] + event_q[i];
    for (i = 0; i < THREADS; i = i + 1)
      if (rst || clear) deepest[i] = 0;
      else if (late_push && i == late_thread && late_depth > deepest[i]) deepest[i] = late_depth;
    late_push = event_q[0] != 0 && !rst && !clear;
    late_depth = event_q[DEEPEST];
    late_thread = thread_q;
  end endtask
  task note; begin
    event_q[0] = push; event_q[1] = pop; event_q[2] = spill; event_q[3] = restore[1] ? 2 : restore[0];
    event_q[4] = drop; event_q[5] = clean;
    event_q[DEEPEST] = depth;
    thread_q = thread;
    if (rst) for (i = 0; i < N; i = i + 1) event_q[i] = 0;
  end endtask
  task differs; wrong = wrong + 1; endtask
  task look; begin
    if (shown && counter < N && sum !== (counter == DEEPEST ? 32'd0 : seen[31:0])) begin
      if (wrong < 5) $display("counter %0d: got %h, expected %h", counter, sum, seen[31:0]);
      differs;
    end
    if (n > 3 && upper !== latched) begin
      if (wrong < 5) $display("upper half: got %h, expected %h", upper, latched);
      differs;
    end
    if (n > 3 && deepest_all !== value[DEEPEST][COUNT_W-1:0]) begin
      if (wrong < 5) $display("deepest: got %0d, expected %0d", deepest_all, value[DEEPEST]);
      differs;
    end
    if (n > 3 && deepest_of !== deepest[asked]) begin
      if (wrong < 5) $display("deepest of %0d: got %0d, expected %0d", asked, deepest_of, deepest[asked]);
      differs;
    end
  end endtask

  initial begin
    for (i = 0; i < N; i = i + 1) begin value[i] = 0; event_q[i] = 0; end
    for (i = 0; i < THREADS; i = i + 1) deepest[i] = 0;
    for (n = 0; n < CYCLES; n = n + 1) begin
      #5 clk = 1;
      if (is_read) latched = counter == DEEPEST ? 16'd0 : seen[47:32];
      if (rst) latched = 0;
      seen = rst || clear ? 48'd0 : shows;
      shows = next_counter < N && !rst && !clear ? value[next_counter] : 48'd0;
      count; note; // the inputs of the cycle that ends here
      asked = ask;
      #1;
      // Nothing has come yet; the sum of no counter is being made, and none is read.
      if (!near && n > 40 && dut.at_q > 12 && dut.at_2q > 12 && !next && !looked) begin
        for (i = 0; i < N; i = i + 1) if (i != DEEPEST) begin
          value[i] = i % 4 == 3 ? 48'h000003fff800 : i % 4 == 2 ? 48'h0003fffff000  // 20, 34 bits of ones
                     : 48'hfffffffff000 - 48'd5000 * (i % 4);
          dut.u_sums.mem[i] = value[i];
        end
        near = 1;
      end
      rst = n < 3; clear = n > 24000 && $random % 3000 == 0;
      shown = looked; counter = looked_at;
      is_read = shown && counter < N && $random % 4 != 0;
      looked = next; looked_at = next_counter;
      next = n / 300 % 4 == 0 ? since > 2 && $random % 7 == 0 : n % (3 + n / 300 % 4) == 0 && since > 2;
      since = next ? 0 : since + 1;
      next_counter = $random;
      ask = $unsigned($random) % THREADS;
      if (near) begin
        {push, pop, spill, drop, clean} = n / 700 % 2 ? {5{1'b1}} : $random;
        waits = n / 700 % 2 ? {5{1'b1}} : $random;
        // The engine moves a set in four cycles or more.
        restore = n % 4 != 0 ? 0 : n / 700 % 2 ? 2 : $unsigned($random) % 3;
        depth = $unsigned($random) >> (n / 1000 % 16);
        thread = n % 4 < THREADS
                 ? (n % 4 + 4 * ($unsigned($random) % THREADS)) % (THREADS - THREADS % 4 + 4) : 0;
        if (thread >= THREADS) thread = n % 4; // its pushes are 4 cycles apart
        if (n % 4 >= THREADS) push = 0;
      end
      #3 look;
      #1 clk = 0;
    end
    if (wrong) begin
      $display("FAIL: %0d differences", wrong);
      $stop;
    end
    $display("PASS");
    $finish;
  end
endmodule

`default_nettype wire
