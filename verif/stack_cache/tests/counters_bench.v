// SPDX-License-Identifier: Apache-2.0
// counters_bench.v: the counters alone, beside plain 48-bit sums: every event in most cycles, an access in
// every second or third cycle (so that the walk is slowest), clears, and sums that begin just below the top.
// Prints PASS or FAIL and what differs.
`default_nettype none

module bench;
  parameter THREADS = 24, THREAD_W = 5, COUNT_W = 15, CYCLES = 40000;
  localparam N = 15, DEEPEST = 6;
  reg clk = 0, rst = 1, clear = 0, next = 0, busy = 0, upper = 0, is_read = 0;
  reg [3:0] next_counter = 0, counter = 0;
  wire [31:0] data;
  reg push = 0, pop = 0, spill = 0, clean = 0, steal = 0, halt = 0, wait_halt = 0, wait_push = 0,
      wait_top = 0, watch = 0;
  reg [1:0] restore = 0, drop = 0;
  reg [COUNT_W-1:0] depth = 0;
  reg [THREADS-1:0] can_push = 0, can_top = 0;
  wire push_falls = can_push[0] && pop, top_falls = can_top[0] && push;

  stack_cache_counters #(.THREADS(THREADS), .THREAD_W(THREAD_W), .COUNT_W(COUNT_W)) dut (
    .clk_i(clk), .rst_i(rst), .clear_i(clear), .next_i(next), .next_counter_i(next_counter), .upper_i(upper),
    .read_i(is_read), .data_o(data), .n_push_i(push), .n_pop_i(pop), .n_spill_i(spill), .n_restore_i(restore),
    .n_drop_i(drop), .n_clean_i(clean), .n_depth_i(depth), .watch_i(watch), .steal_i(steal), .halt_i(halt),
    .wait_halt_i(wait_halt), .wait_push_i(wait_push), .wait_top_i(wait_top), .can_push_i(can_push),
    .can_top_i(can_top), .push_falls_i(push_falls), .top_falls_i(top_falls));

  // What each counter is worth: events of two cycles ago.
  reg [47:0] value [0:N-1];
  reg [47:0] event_q [0:N-1];
  integer i, t, n, wrong = 0;
  reg [15:0] latched = 0;
  reg near = 0;
  function [47:0] ones(input [THREADS-1:0] v);
    begin
      ones = 0;
      for (t = 0; t < THREADS; t = t + 1) ones = ones + v[t];
    end
  endfunction
  task count; // at a rising edge
    for (i = 0; i < N; i = i + 1)
      if (rst || clear) value[i] = 0;
      else if (i == DEEPEST) value[i] = event_q[0] != 0 && event_q[i] > value[i] ? event_q[i] : value[i];
      else value[i] = {1'b0, value[i]} + event_q[i] > 49'hffffffffffff ? 48'hffffffffffff
                      : value[i] + event_q[i];
  endtask
  task note; begin
    event_q[0] = push; event_q[1] = pop; event_q[2] = spill; event_q[3] = restore; event_q[4] = drop;
    event_q[5] = clean;
    event_q[6] = depth;
    event_q[7] = watch && !steal && wait_top; event_q[8] = watch && !steal && wait_push;
    event_q[9] = watch && steal && (wait_push || wait_top);
    event_q[10] = watch && !steal ? ones(~can_top) + top_falls : 0;
    event_q[11] = watch && !steal ? ones(~can_push) + push_falls : 0;
    event_q[12] = watch && steal ? THREADS : 0; event_q[13] = wait_halt; event_q[14] = halt ? THREADS : 0;
    if (rst) for (i = 0; i < N; i = i + 1) event_q[i] = 0;
  end endtask
  task look;
    if (busy && counter < N && data !== (upper ? {16'd0, latched} : value[counter][31:0])) begin
      if (wrong < 5) $display("counter %0d%s: got %h, expected %h", counter, upper ? " upper" : "", data,
                              upper ? {16'd0, latched} : value[counter][31:0]);
      wrong = wrong + 1;
    end
  endtask

  initial begin
    for (i = 0; i < N; i = i + 1) begin value[i] = 0; event_q[i] = 0; end
    for (n = 0; n < CYCLES; n = n + 1) begin
      #5 clk = 1;
      if (busy && is_read && !upper && !rst) latched = value[counter][47:32];
      if (rst) latched = 0;
      count; note; // the inputs of the cycle that ends here
      #1;
      if (!near && n > 40 && !dut.add_q && !next) begin // nothing has come yet, no sum is being made
        for (i = 0; i < N; i = i + 1) if (i != DEEPEST) begin
          value[i] = 48'hfffffffff000 - 48'd5000 * (i % 3);
          dut.u_sums.mem[i] = value[i];
        end
        dut.live_q = 16'hffff;
        dut.kept_valid_q = 0;
        dut.write_q = 0;
        near = 1;
      end
      rst = n < 3; clear = n > 24000 && $random % 3000 == 0;
      busy = next; counter = next_counter;
      is_read = busy && counter < N && $random % 4 != 0; if (busy) upper = $random % 3 == 0;
      next = !busy && (n / 300 % 3 == 0 ? $random % 7 == 0 : n / 300 % 3 == 1 ? n % 3 == 0 : 1'b1);
      next_counter = $random;
      if (n > 45) begin
        {push, pop, spill, clean, wait_push, wait_top, wait_halt} = n / 700 % 2 ? {7{1'b1}} : $random;
        restore = n / 700 % 2 ? 3 : $random; drop = n / 700 % 2 ? 3 : $random;
        depth = $random >> n / 1000 % 16; can_push = n / 700 % 2 ? 0 : {$random, $random};
        can_top = n / 700 % 2 ? 0 : {$random, $random};
        watch = $random % 8 != 0; steal = n / 2000 % 3 == 0; halt = n / 1500 % 2;
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
