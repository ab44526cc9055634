// SPDX-License-Identifier: Apache-2.0
// stack_cache_counters: 48-bit saturating event and wait counters [SC-14].
// An event of one cycle is counted two cycles later. Reading the lower half of a counter latches its upper
// half for the next read of an upper half. Reset and clear: 0.
//
// The sums lie in a RAM; flip-flops hold what came since a sum was written last. A walk adds one counter
// after the other, each at least every 48 cycles: 16 counters, three cycles each at most, since an access
// takes the port of the RAM for one cycle and never for two in a row. The same adder answers a read: sum and
// rest are always the exact value.
`default_nettype none

module stack_cache_counters #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter COUNT_W = 15
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire clear_i,
  // an access is taken: next_counter_i is looked at in the next cycle,
  input  wire next_i,
  input  wire [3:0] next_counter_i,
  input  wire upper_i,                      // its upper half is wanted there,
  input  wire read_i,                       // it is a read
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
  assign step = {halt_q ? THREADS[SUM_W-1:0] : {SUM_W{1'b0}}, wide({1'b0, wait_halt_q}), no_engine_q,
                 no_push_q, no_top_q,
                 wide({1'b0, wait_engine_q}), wide({1'b0, wait_push_q}), wide({1'b0, wait_top_q}),
                 {SUM_W{1'b0}}, wide({1'b0, clean_q}), wide(drop_q), wide(restore_q), wide({1'b0, spill_q}),
                 wide({1'b0, pop_q}), wide({1'b0, push_q})};

  // ---- sums ----------------------------------------------------------------------------------------
  localparam NO_TOP = 10, NO_PUSH = 11, NO_ENGINE = 12, HALT = 14, RESTORE = 3, DROP = 4;
  localparam REST_W = SUM_W + 6;            // 48 times THREADS + 1
  // the next counter of the walk, the one that the RAM shows, that of kept_q
  reg [3:0] walk_q, at_q, kept_at_q;
  reg add_q, kept_valid_q;                  // the RAM shows the one of the walk; kept_q is a sum
  reg [15:0] live_q;                        // the RAM has a sum since reset or clear
  reg write_q;                              // kept_q is new: it is written once, which no other read meets
  reg use_kept_q, use_stored_q;
  reg [47:0] kept_q;                        // the sum made last, until the next: the RAM may not show it yet

  wire [3:0] look = next_i ? next_counter_i : walk_q;
  wire [3:0] kept_at = add_q ? at_q : kept_at_q;
  wire [47:0] stored;
  ram_1r1w #(.WIDTH(48), .DEPTH(16)) u_sums (.clk_i(clk_i), .we_i(write_q), .waddr_i(kept_at_q),
    .wdata_i(kept_q), .raddr_i(look), .rdata_o(stored));

  wire [16*REST_W-1:0] rests;               // of the next cycle
  reg [REST_W-1:0] rest_at_q;               // that of at_q
  wire [47:0] base = use_kept_q ? kept_q : use_stored_q ? stored : 48'd0;
  wire [REST_W:0] low = {1'b0, base[REST_W-1:0]} + {1'b0, rest_at_q};
  wire full = low[REST_W] && &base[47:REST_W];
  wire [47:REST_W] high = base[47:REST_W] + {{47-REST_W{1'b0}}, low[REST_W]};
  wire [47:0] sum = {high, low[REST_W-1:0]} | {48{full}};

  wire none = rst_i || clear_i;
  always @(posedge clk_i) begin
    at_q <= look;
    rest_at_q <= rests[look*REST_W+:REST_W];
    use_kept_q <= !none && (add_q || kept_valid_q) && kept_at == look;
    use_stored_q <= !none && live_q[look];
    if (add_q) kept_q <= sum;
    kept_at_q <= kept_at;
    write_q <= add_q && !none;
    if (none) begin
      live_q <= 16'd0;
      kept_valid_q <= 1'b0;
    end else if (add_q) begin
      live_q[at_q] <= 1'b1;
      kept_valid_q <= 1'b1;
    end
    if (rst_i) begin
      walk_q <= 4'd0;
      add_q <= 1'b0;
    end else begin
      add_q <= !add_q && !next_i;
      if (add_q) walk_q <= walk_q + 4'd1;
    end
  end

  wire unused = &{1'b0, step};
  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_counter
      if (i == DEEPEST || i >= N) begin : g_none
        assign rests[i*REST_W+:REST_W] = {REST_W{1'b0}};
      end else begin : g_rest
        localparam W = (i == NO_TOP || i == NO_PUSH || i == NO_ENGINE || i == HALT) ? REST_W
                     : (i == RESTORE || i == DROP) ? 8 : 6;  // 48 times 3; 48 times 1
        localparam STEP_W = (W < SUM_W) ? W : SUM_W;
        reg [W-1:0] rest_q;
        wire more = (i == NO_PUSH) ? push_falls_q : (i == NO_TOP) ? top_falls_q : 1'b0;
        wire added = add_q && at_q == i;
        wire [W-1:0] rest = none ? {W{1'b0}} : (added ? {W{1'b0}} : rest_q)
                          + {{W-STEP_W{1'b0}}, step[i*SUM_W+:STEP_W]} + {{W-1{1'b0}}, more};
        always @(posedge clk_i) rest_q <= rest;
        assign rests[i*REST_W+:REST_W] = {{REST_W-W{1'b0}}, rest};
      end
    end
  endgenerate

  // ---- reads ---------------------------------------------------------------------------------------
  reg [COUNT_W-1:0] deepest_q;
  reg [15:0] upper_q;
  wire is_deepest = at_q == DEEPEST;
  always @(posedge clk_i) begin
    if (none) deepest_q <= {COUNT_W{1'b0}};
    else if (push_q && depth_q > deepest_q) deepest_q <= depth_q;
    if (rst_i) upper_q <= 16'd0;
    else if (read_i && !upper_i) upper_q <= is_deepest ? 16'd0 : sum[47:32];
  end
  assign data_o = upper_i ? {16'd0, upper_q} : is_deepest ? {{32-COUNT_W{1'b0}}, deepest_q} : sum[31:0];
endmodule

`default_nettype wire
