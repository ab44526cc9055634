// SPDX-License-Identifier: Apache-2.0
// stack_cache_counters: 48-bit saturating event and wait counters [SC-14].
// An event of one cycle is counted two cycles later. Reading the lower half of a counter latches its upper
// half for the next read of an upper half. Reset and clear: 0.
//
// The sums lie in a RAM; flip-flops hold what came since a sum was written last. A walk adds one counter
// after the other, each at least every 48 cycles: 16 counters, three cycles each at most, since an access
// takes the port of the RAM for one cycle and never for two in a row. The same adder answers a read: sum and
// rest are always the exact value.
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
  // next_counter_i is looked at in the next cycle,
  input  wire next_i,
  input  wire [3:0] next_counter_i,
  input  wire upper_i,                      // its upper half is wanted there,
  input  wire read_i,                       // it is a read
  output wire [31:0] data_o,
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
  input  wire [4:0] waits_i                 // of the last cycle: halt, engine, dirty slot, no set, own
);
  localparam N = 11 + HALT, DEEPEST = 6, RESTORE = 3;

  // The increments of the cycle before.
  reg [5:0] event_q;
  reg two_q;
  reg [COUNT_W-1:0] depth_q;
  always @(posedge clk_i) begin
    event_q <= rst_i ? 6'd0 : {n_clean_i, n_drop_i, n_restore_i != 2'd0, n_spill_i, n_pop_i, n_push_i};
    two_q <= n_restore_i[1] && !rst_i;
    depth_q <= n_depth_i;
  end
  wire [11:0] step = {waits_i, 1'b0, event_q}; // none for DEEPEST
  wire unused = &{1'b0, step[DEEPEST], step[11]};

  // ---- sums
  localparam REST_W = 6;                    // 48 at most
  // the next counter of the walk, the one that the RAM shows, that of kept_q
  reg [3:0] walk_q, at_q, kept_at_q;
  reg add_q, kept_valid_q;                  // the RAM shows the one of the walk; kept_q is a sum
  reg [15:0] live_q;                        // the RAM has a sum since reset or clear
  reg write_q;                              // kept_q is new: it is written once, which no other read meets
  reg use_kept_q, use_stored_q;
  reg [47:0] kept_q;                        // the sum made last: the RAM may not show it yet
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
  // The upper bits in three parts side by side: one carry through all would be the longest path of the block.
  localparam PART = (48 - REST_W) / 3;
  wire [PART-1:0] part0 = base[REST_W+:PART], part1 = base[REST_W+PART+:PART];
  wire [PART-1:0] part2 = base[REST_W+2*PART+:PART];
  wire ones0 = &part0, ones1 = &part1;
  wire [47:REST_W] high = {part2 + {{PART-1{1'b0}}, low[REST_W] && ones0 && ones1},
                           part1 + {{PART-1{1'b0}}, low[REST_W] && ones0},
                           part0 + {{PART-1{1'b0}}, low[REST_W]}};
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

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_counter
      if (i == DEEPEST || i >= N) begin : g_none
        assign rests[i*REST_W+:REST_W] = {REST_W{1'b0}};
      end else begin : g_rest
        reg [REST_W-1:0] rest_q;
        wire added = add_q && at_q == i;
        wire more = i == RESTORE && two_q;
        wire [REST_W-1:0] rest = none ? {REST_W{1'b0}} : (added ? {REST_W{1'b0}} : rest_q)
                               + {{REST_W-1{1'b0}}, step[i]} + {{REST_W-1{1'b0}}, more};
        always @(posedge clk_i) rest_q <= rest;
        assign rests[i*REST_W+:REST_W] = rest;
      end
    end
  endgenerate

  // ---- reads
  reg [COUNT_W-1:0] deepest_q;
  reg [15:0] upper_q;
  wire is_deepest = at_q == DEEPEST;
  always @(posedge clk_i) begin
    if (none) deepest_q <= {COUNT_W{1'b0}};
    else if (event_q[0] && depth_q > deepest_q) deepest_q <= depth_q;
    if (rst_i) upper_q <= 16'd0;
    else if (read_i && !upper_i) upper_q <= is_deepest ? 16'd0 : sum[47:32];
  end

  generate
    if (DEEPEST_OF != 0) begin : g_deepest_of
      reg [THREADS-1:0] seen_q;               // the RAM has its word since reset or clear
      reg [THREAD_W-1:0] pushed_q, asked_q;
      wire [COUNT_W-1:0] of_push, of_asked;
      wire deeper = event_q[0] && (!seen_q[pushed_q] || depth_q > of_push);
      ram_1w_nr #(.WIDTH(COUNT_W), .DEPTH(THREADS), .READS(2)) u_deepest (
        .clk_i(clk_i), .we_i(deeper), .waddr_i(pushed_q), .wdata_i(depth_q),
        .raddr_i({thread_i, n_thread_i}), .rdata_o({of_asked, of_push}));
      always @(posedge clk_i) begin
        pushed_q <= n_thread_i;
        asked_q <= thread_i;
        if (none) seen_q <= {THREADS{1'b0}};
        else if (deeper) seen_q[pushed_q] <= 1'b1;
      end
      assign deepest_of_o = of_asked & {COUNT_W{seen_q[asked_q]}};
    end else begin : g_no_deepest_of
      assign deepest_of_o = {COUNT_W{1'b0}};
      wire unused_thread = &{1'b0, thread_i, n_thread_i, THREADS[0]};
    end
  endgenerate
  assign data_o = upper_i ? {16'd0, upper_q} : is_deepest ? {{32-COUNT_W{1'b0}}, deepest_q} : sum[31:0];
endmodule

`default_nettype wire
