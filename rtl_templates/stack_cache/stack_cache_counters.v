// SPDX-License-Identifier: Apache-2.0
// stack_cache_counters: 48-bit saturating event and wait counters [SC-14].
// An event of one cycle is counted two cycles later. Reading the lower half of a counter latches its upper half
// for the next read of an upper half. Reset and clear: 0.
`default_nettype none

module stack_cache_counters #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter COUNT_W = 15
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire clear_i,
  input  wire [4:0] counter_i,              // {counter, upper half}
  input  wire read_i,
  output wire [31:0] data_o,

  input  wire n_push_i,
  input  wire n_pop_i,
  input  wire n_spill_i,
  input  wire [1:0] n_restore_i,
  input  wire [1:0] n_drop_i,
  input  wire n_clean_i,
  input  wire [COUNT_W-1:0] n_depth_i,

  input  wire watch_i,                      // waits are counted
  input  wire steal_i,
  input  wire halt_i,                       // the unit is halted, flushes or is reset,
  input  wire wait_halt_i,                  // and an operation is presented
  input  wire wait_push_i,                  // a push is presented and not taken,
  input  wire wait_top_i,                   // a pop, peek or replace-top
  input  wire [THREADS-1:0] can_push_i,     // the bits, but for one that is 1 here and falls in this cycle
  input  wire [THREADS-1:0] can_top_i,
  input  wire push_falls_i,
  input  wire top_falls_i
);
  localparam N = 15, DEEPEST = 6;
  localparam SUM_W = THREAD_W + 1;

  // Threads that wait.
  reg [SUM_W-1:0] no_push, no_top;
  integer t;
  always @* begin
    no_push = {SUM_W{1'b0}};
    no_top = {SUM_W{1'b0}};
    for (t = 0; t < THREADS; t = t + 1) begin
      no_push = no_push + {{SUM_W-1{1'b0}}, !can_push_i[t]};
      no_top = no_top + {{SUM_W-1{1'b0}}, !can_top_i[t]};
    end
  end

  // The increments of the cycle before.
  reg push_q, pop_q, spill_q, clean_q, wait_push_q, wait_top_q, wait_engine_q, wait_halt_q, halt_q;
  reg [1:0] restore_q, drop_q;
  reg [SUM_W-1:0] no_push_q, no_top_q, no_engine_q;
  reg push_falls_q, top_falls_q;            // one more, known late: the carry of the sum
  reg [COUNT_W-1:0] depth_q;
  wire watch = watch_i && !steal_i;
  always @(posedge clk_i) begin
    push_q <= n_push_i && !rst_i;
    pop_q <= n_pop_i && !rst_i;
    spill_q <= n_spill_i && !rst_i;
    clean_q <= n_clean_i && !rst_i;
    restore_q <= rst_i ? 2'd0 : n_restore_i;
    drop_q <= rst_i ? 2'd0 : n_drop_i;
    depth_q <= n_depth_i;
    wait_push_q <= watch && wait_push_i && !rst_i;
    wait_top_q <= watch && wait_top_i && !rst_i;
    wait_engine_q <= watch_i && steal_i && (wait_push_i || wait_top_i) && !rst_i;
    wait_halt_q <= wait_halt_i && !rst_i;
    halt_q <= halt_i && !rst_i;
    no_push_q <= watch && !rst_i ? no_push : {SUM_W{1'b0}};
    no_top_q <= watch && !rst_i ? no_top : {SUM_W{1'b0}};
    push_falls_q <= watch && push_falls_i && !rst_i;
    top_falls_q <= watch && top_falls_i && !rst_i;
    no_engine_q <= watch_i && steal_i && !rst_i ? THREADS[SUM_W-1:0] : {SUM_W{1'b0}};
  end

  wire [N*SUM_W-1:0] step;
  function [SUM_W-1:0] wide(input [1:0] v);
    wide = {{SUM_W-1{1'b0}}, v[0]} | ({{SUM_W-1{1'b0}}, v[1]} << 1);
  endfunction
  assign step = {halt_q ? THREADS[SUM_W-1:0] : {SUM_W{1'b0}}, wide({1'b0, wait_halt_q}), no_engine_q, no_push_q, no_top_q,
                 wide({1'b0, wait_engine_q}), wide({1'b0, wait_push_q}), wide({1'b0, wait_top_q}),
                 {SUM_W{1'b0}}, wide({1'b0, clean_q}), wide(drop_q), wide(restore_q), wide({1'b0, spill_q}),
                 wide({1'b0, pop_q}), wide({1'b0, push_q})};

  localparam NO_TOP = 10, NO_PUSH = 11;
  wire unused = &{1'b0, step};
  wire [N*48-1:0] values;
  genvar i;
  generate
    for (i = 0; i < N; i = i + 1) begin : g_counter
      if (i == DEEPEST) begin : g_deepest
        reg [COUNT_W-1:0] value_q;
        always @(posedge clk_i)
          if (rst_i || clear_i) value_q <= {COUNT_W{1'b0}};
          else if (push_q && depth_q > value_q) value_q <= depth_q;
        assign values[i*48+:48] = {{48-COUNT_W{1'b0}}, value_q};
      end else begin : g_sum
        reg [47:0] value_q;
        wire more = (i == NO_PUSH) ? push_falls_q : (i == NO_TOP) ? top_falls_q : 1'b0;
        wire [48:0] sum = {1'b0, value_q} + {{49-SUM_W{1'b0}}, step[i*SUM_W+:SUM_W]} + {48'd0, more};
        always @(posedge clk_i)
          if (rst_i || clear_i) value_q <= 48'd0;
          else value_q <= sum[48] ? {48{1'b1}} : sum[47:0];
        assign values[i*48+:48] = value_q;
      end
    end
  endgenerate

  reg [15:0] upper_q;
  wire [47:0] value = values[counter_i[4:1]*48+:48];
  always @(posedge clk_i)
    if (rst_i) upper_q <= 16'd0;
    else if (read_i && !counter_i[0]) upper_q <= value[47:32];
  assign data_o = counter_i[0] ? {16'd0, upper_q} : value[31:0];
endmodule

`default_nettype wire
