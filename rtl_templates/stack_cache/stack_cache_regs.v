// SPDX-License-Identifier: Apache-2.0
// stack_cache_regs: the register port. An access is accepted, decoded, executed and answered, a cycle each;
// a depth read waits for the engine. One access at a time; the port itself is the unit's. A word of a context
// goes the same way: read as a register is, or judged and, at the commit, written like one. Reset: all
// registers to their defaults.
`default_nettype none

module stack_cache_regs #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter COUNT_W = 15,
  parameter MAX_DEPTH = 16384,
  parameter SET_IDX_W = 13,
  parameter COUNTERS = 1,
  parameter ADDR_W = 32,
  parameter SET_BYTES = 32,
  parameter ENTRY_BYTES = 8,
  parameter STRIDE_MAX = 17,
  parameter POLICY = 0,
  parameter IS_UNIT = 0,       // STATUS of the block
  parameter NSETS = 4,
  parameter NUM_W = 3
) (
  input  wire clk_i,
  input  wire rst_i,

  // The register port, as unit_shell has it.
  input  wire taken_i,
  output wire waits_o,
  input  wire write_i,
  input  wire [9:0] addr_i,
  input  wire [31:0] data_i,
  output wire good_o,
  output wire [31:0] word_o,

  // STATUS: a word of a context is on its way (mine_i), then kept (ctx_i too); of a thread, or a register.
  input  wire fetch_i,
  input  wire mine_i,
  input  wire ctx_i,
  input  wire ctx_stack_i,                  // of a thread,
  input  wire ctx_state_i,                  // the second one,
  input  wire ctx_entry_i,                  // an entry's
  input  wire [31:0] ctx_word_i,            // what it says beside the registers here
  input  wire [3:0] ctx_k_i,                // address / 4
  input  wire [THREAD_W-1:0] ctx_thread_i,
  input  wire load_i,
  input  wire [31:0] ld_data_i,
  output wire begins_o,                     // the cycle behind fetch_i
  output wire last_o,                       // the last one of an access
  output wire idle_o,                       // none is under way
  output wire ctx_good_o,                   // in last_o: the register's word is one that is saved
  output wire ctx_over_o,                   // a thread's first is not
  output wire ctx_zero_o,                   // it is 0
  input  wire commit_i,
  input  wire clear_i,                      // errors are forgotten
  input  wire halt_i,                       // a halt is requested,
  input  wire halted_i,
  output wire flush_o,                      // CONTROL wants a flush
  input  wire flushing_i,
  output wire halt_flush_o,                 // a halt flushes
  output wire nack_clear_o,
  output wire nack_o,

  output wire depth_o,
  output wire [THREAD_W-1:0] depth_thread_o,
  input  wire depth_done_i,
  input  wire [COUNT_W-1:0] depth_count_i,
  input  wire depth_fault_i,

  output wire [ADDR_W-1:0] base_o,
  output wire [5:0] stride_lg_o,
  output wire [COUNT_W-1:0] limit_o,        // effective limit
  output wire [NUM_W-1:0] spill_over_o,
  output wire [NUM_W-1:0] spill_burst_o,
  output wire [NUM_W-1:0] restore_free_o,

  input  wire empty_i,                      // all stacks are
  input  wire accesses_i,                   // some are under way
  input  wire error_i,
  input  wire error_write_i,
  input  wire [1:0] error_code_i,
  input  wire [THREAD_W-1:0] error_thread_i,
  input  wire [SET_IDX_W-1:0] error_set_i,

  // The counters: next, looks at counter_o; two cycles later its lower half is in counter_i (and read).
  output wire counter_next_o,
  output wire [3:0] counter_o,
  output wire counter_read_o,
  output wire counter_clear_o,
  input  wire [31:0] counter_i,
  input  wire [15:0] counter_upper_i,       // the upper half of the one that was read last
  input  wire [COUNT_W-1:0] deepest_i,
  output wire [THREAD_W-1:0] thread_o,      // deepest_of_i is its
  input  wire [COUNT_W-1:0] deepest_of_i
);
  localparam [9:0] ID = 10'h000, STATUS = 10'h004, BASE_LO = 10'h008, BASE_HI = 10'h00c, STRIDE_LG = 10'h010,
                   LIMIT = 10'h014, SPILL_OVER = 10'h018, SPILL_BURST = 10'h01c, RESTORE_FREE = 10'h020,
                   THREAD = 10'h024, DEPTH = 10'h028, HALT_FLUSH = 10'h02c, ERROR = 10'h030,
                   ERROR_SET = 10'h034,
                   ERROR_COUNT = 10'h038, COUNTER_CLEAR = 10'h03c, CONTROL = 10'h040,
                   DEEPEST_OF = 10'h044, DEEPEST = 10'h130;
  localparam [3:0] N = (IS_UNIT != 0) ? 4'd12 : 4'd11; // counters
  localparam SET_BYTES_LG = $clog2(SET_BYTES);
  localparam ENTRY_BYTES_LG = $clog2(ENTRY_BYTES);
  localparam HAS_HI = (ADDR_W > 32) ? 1 : 0;
  localparam LO_W = (ADDR_W > 32) ? 32 : ADDR_W;

  reg [3:1] st;                             // decode; execute; answer
  reg depth_q;
  wire write_q = ctx_i ? load_i : write_i;
  wire own = !ctx_i;                        // an access of the port
  // A place without a register is looked for where there is none to read.
  wire [3:0] ctx_k = ctx_k_i | {4{ctx_k_i == 4'd10}};
  wire [9:0] addr_q = !ctx_i ? addr_i : (ctx_stack_i && !ctx_entry_i) ? DEPTH : {4'd0, ctx_k, 2'd0};
  wire [31:0] data_q = (ctx_i && load_i) ? ld_data_i : data_i;
  reg [31:0] read, read_q;
  reg d_id, d_status, d_base, d_base_hi, d_stride, d_limit, d_thread, d_depth, d_error, d_error_set;
  reg d_error_count, d_clear, d_counter, d_deepest, d_deepest_of, d_upper, d_over, d_burst, d_free;
  reg base_ok, base_hi_ok, stride_ok, thread_ok, over_q, unlocked_q;
  reg w_base, w_base_hi, w_stride, w_limit, w_thread, w_error, w_clear, w_over, w_burst, w_free;
  reg sets_ok, burst_ok, zero_ok, count_ok, set_ok, control_ok, d_control, w_control, d_halt, w_halt;
  reg halt_flush_q;
  reg l_zero, l_error, l_error_set, l_error_count;
  reg [63:0] base_q;
  reg [5:0] stride_lg_q;
  reg [COUNT_W-1:0] limit_reg_q, limit_q;
  reg [THREAD_W-1:0] thread_q;
  reg error_q, error_write_q;
  reg [1:0] error_code_q;
  reg [THREAD_W-1:0] error_thread_q;
  reg [SET_IDX_W-1:0] error_set_q;
  reg [15:0] error_count_q;
  localparam [31:0] HALF = NSETS / 2;
  reg [NUM_W-1:0] spill_over_q, spill_burst_q, restore_free_q;
  wire done = depth_q ? depth_done_i : st[2];
  assign depth_o = depth_q;
  assign counter_next_o = st[1] && own;
  assign counter_o = addr_q[6:3];
  assign counter_read_o = st[3] && d_counter && !d_upper && !write_q;
  assign counter_clear_o = w_clear;
  localparam [63:0] ADDR_ONES = ~64'd0 >> (64 - ADDR_W);
  wire [63:0] base = base_q & ADDR_ONES;
  wire [63:0] wide_data = {32'd0, data_q};
  wire [31:0] unaligned = data_q & (SET_BYTES - 1);
  // Without the flags of a thread, of ERROR.
  wire is_error = ctx_i && !ctx_stack_i && ctx_k_i == 4'd12;
  wire is_stack = ctx_i && ctx_stack_i;
  wire has_burst = is_stack && POLICY != 0;
  wire [31:0] number = {data_q[31] && !is_error && !is_stack, data_q[30:28] & {3{!is_error && !has_burst}},
                        data_q[27:21] & {7{!has_burst}}, data_q[20:0]};

  wire beyond;                              // what COUNT_W bits hold of it is above MAX_DEPTH
  generate
    if (MAX_DEPTH + 1 == (1 << COUNT_W)) begin : g_all_depths
      assign beyond = 1'b0;
    end else begin : g_some_depths
      assign beyond = number[COUNT_W-1:0] > MAX_DEPTH[COUNT_W-1:0];
    end
  endgenerate

  // What a context brings waits for the commit.
  wire [63:0] in_base;
  wire [5:0] in_stride_lg;
  wire [COUNT_W-1:0] in_limit;
  wire [THREAD_W-1:0] in_thread;
  wire [NUM_W-1:0] in_over, in_burst, in_free;
  wire in_halt;
  reg known_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      st <= 3'b000;
      depth_q <= 1'b0;
    end else begin
      depth_q <= (st[1] && !(write_q && own) && addr_q == DEPTH) || (depth_q && !depth_done_i);
      st[1] <= taken_i || fetch_i;
      st[2] <= st[1] || (st[2] && !done);
      st[3] <= done;
    end
    d_id <= addr_q == ID;
    d_status <= addr_q == STATUS;
    d_base <= addr_q == BASE_LO;
    d_base_hi <= HAS_HI != 0 && addr_q == BASE_HI;
    d_stride <= addr_q == STRIDE_LG;
    d_limit <= addr_q == LIMIT;
    d_thread <= addr_q == THREAD;
    d_over <= POLICY != 0 && addr_q == SPILL_OVER;
    d_burst <= POLICY != 0 && addr_q == SPILL_BURST;
    d_free <= POLICY != 0 && addr_q == RESTORE_FREE;
    d_depth <= addr_q == DEPTH && !(ctx_i && ctx_state_i);
    d_halt <= IS_UNIT != 0 && addr_q == HALT_FLUSH;
    d_error <= addr_q == ERROR;
    d_error_set <= addr_q == ERROR_SET;
    d_error_count <= addr_q == ERROR_COUNT;
    d_clear <= COUNTERS != 0 && addr_q == COUNTER_CLEAR;
    d_counter <= COUNTERS != 0 && addr_q[9:7] == 3'b010 && addr_q[1:0] == 2'd0 && addr_q[6:3] < N;
    d_upper <= addr_q[2];
    d_deepest <= COUNTERS != 0 && addr_q == DEEPEST;
    d_deepest_of <= COUNTERS == 2 && addr_q == DEEPEST_OF;
    d_control <= IS_UNIT != 0 && addr_q == CONTROL;
    unlocked_q <= (!accesses_i && empty_i) || halted_i || ctx_i;
    base_ok <= unaligned == 32'd0 && (wide_data >> LO_W) == 64'd0;
    base_hi_ok <= ADDR_W >= 64 || (wide_data >> (HAS_HI ? ADDR_W - 32 : 0)) == 64'd0;
    stride_ok <= (data_q >> 6) == 32'd0 && {1'b1, data_q[5:0]} >= {1'b1, SET_BYTES_LG[5:0]}
              && {1'b0, data_q[5:0]} <= {1'b0, STRIDE_MAX[5:0]};
    thread_ok <= (number >> THREAD_W) == 32'd0 && {1'b0, number[THREAD_W-1:0]} < THREADS[THREAD_W:0];
    sets_ok <= data_q <= NSETS;
    burst_ok <= data_q != 32'd0 && data_q < NSETS;
    over_q <= (number >> COUNT_W) != 32'd0 || beyond;
    zero_ok <= data_q == 32'd0;
    set_ok <= (data_q >> SET_IDX_W) == 32'd0;
    count_ok <= data_q[31:16] == 16'd0;
    control_ok <= data_q[31:1] == 31'd0;
    w_base <= done && write_q && d_base && base_ok && unlocked_q && !rst_i;
    w_base_hi <= done && write_q && d_base_hi && base_hi_ok && unlocked_q && !rst_i;
    w_stride <= done && write_q && d_stride && stride_ok && unlocked_q && !rst_i;
    w_limit <= done && write_q && d_limit && (own || !over_q) && !rst_i;
    w_thread <= done && write_q && d_thread && thread_ok && !rst_i;
    w_over <= done && write_q && d_over && sets_ok && !rst_i;
    w_burst <= done && write_q && d_burst && burst_ok && !rst_i;
    w_free <= done && write_q && d_free && sets_ok && !rst_i;
    w_error <= done && write_q && d_error && own && !rst_i;
    w_control <= done && write_q && d_control && control_ok && !(data_q[0] && (halt_i || halted_i)) && !rst_i;
    l_error <= done && load_i && mine_i && d_error && thread_ok && (data_q[31] || zero_ok) && !rst_i;
    l_error_set <= done && load_i && mine_i && d_error_set && set_ok && !rst_i;
    l_error_count <= done && load_i && mine_i && d_error_count && count_ok && !rst_i;
    l_zero <= zero_ok && !(d_base || d_base_hi || d_stride || d_limit || d_over || d_burst || d_free
                           || d_thread || d_error || d_error_set || d_error_count || d_halt);
    w_clear <= done && write_q && d_clear && own && !rst_i;
    w_halt <= done && write_q && d_halt && control_ok && !rst_i;
    if (rst_i) base_q[31:0] <= 32'd0;
    else if (commit_i) base_q[31:0] <= in_base[31:0];
    else if (w_base && own) base_q[31:0] <= data_i;
    if (rst_i) base_q[63:32] <= 32'd0;
    else if (commit_i) base_q[63:32] <= in_base[63:32];
    else if (w_base_hi && own) base_q[63:32] <= data_i;
    if (rst_i) stride_lg_q <= STRIDE_MAX[5:0];
    else if (commit_i) stride_lg_q <= in_stride_lg;
    else if (w_stride && own) stride_lg_q <= data_i[5:0];
    if (rst_i) limit_reg_q <= MAX_DEPTH[COUNT_W-1:0];
    else if (commit_i) limit_reg_q <= in_limit;
    else if (w_limit && own) limit_reg_q <= over_q ? MAX_DEPTH[COUNT_W-1:0] : data_i[COUNT_W-1:0];
    if (rst_i) thread_q <= {THREAD_W{1'b0}};
    else if (commit_i) thread_q <= in_thread;
    else if (w_thread && own) thread_q <= data_i[THREAD_W-1:0];
    if (rst_i) spill_over_q <= HALF[NUM_W-1:0];
    else if (commit_i) spill_over_q <= in_over;
    else if (w_over && own) spill_over_q <= data_i[NUM_W-1:0];
    if (rst_i) spill_burst_q <= {{NUM_W-1{1'b0}}, 1'b1};
    else if (commit_i) spill_burst_q <= in_burst;
    else if (w_burst && own) spill_burst_q <= data_i[NUM_W-1:0];
    if (rst_i) restore_free_q <= HALF[NUM_W-1:0];
    else if (commit_i) restore_free_q <= in_free;
    else if (w_free && own) restore_free_q <= data_i[NUM_W-1:0];
    if (rst_i) halt_flush_q <= 1'b0;
    else if (commit_i) halt_flush_q <= in_halt;
    else if (w_halt && own) halt_flush_q <= data_i[0];
    read_q <= read;
    known_q <= d_id || d_status || d_base || d_base_hi || d_stride || d_limit || d_thread || d_depth
            || d_error || d_error_set || d_error_count || d_counter || d_deepest_of
            || d_over || d_burst || d_free || d_control || d_halt;
  end
  generate
    if (IS_UNIT != 0) begin : g_incoming
      reg [63:0] base_in_q;
      reg [5:0] stride_in_q;
      reg [COUNT_W-1:0] limit_in_q;
      reg [THREAD_W-1:0] thread_in_q;
      reg [NUM_W-1:0] over_in_q, burst_in_q, free_in_q;
      reg halt_in_q;
      always @(posedge clk_i)
        if (ctx_i) begin
          if (w_base) base_in_q[31:0] <= ld_data_i;
          if (w_base_hi) base_in_q[63:32] <= ld_data_i;
          if (w_stride) stride_in_q <= ld_data_i[5:0];
          if (w_limit) limit_in_q <= ld_data_i[COUNT_W-1:0];
          if (w_thread) thread_in_q <= ld_data_i[THREAD_W-1:0];
          if (w_over) over_in_q <= ld_data_i[NUM_W-1:0];
          if (w_burst) burst_in_q <= ld_data_i[NUM_W-1:0];
          if (w_free) free_in_q <= ld_data_i[NUM_W-1:0];
          if (w_halt) halt_in_q <= ld_data_i[0];
        end
      assign in_base = base_in_q & ADDR_ONES;
      assign in_stride_lg = stride_in_q;
      assign in_limit = limit_in_q;
      assign in_thread = thread_in_q;
      assign {in_over, in_burst, in_free, in_halt} = {over_in_q, burst_in_q, free_in_q, halt_in_q};
    end else begin : g_no_incoming
      assign in_base = 64'd0;
      assign in_stride_lg = 6'd0;
      assign in_limit = {COUNT_W{1'b0}};
      assign in_thread = {THREAD_W{1'b0}};
      assign {in_over, in_burst, in_free, in_halt} = {3*NUM_W+1{1'b0}};
      wire unused_context = &{1'b0, l_zero, l_error, l_error_set, l_error_count, w_control, ld_data_i,
                              ctx_thread_i, ctx_k_i, set_ok, count_ok, zero_ok, control_ok, flushing_i};
    end
  endgenerate
  wire writes = w_base || w_base_hi || w_stride || w_limit || w_thread || w_over || w_burst || w_free
             || w_halt;
  assign ctx_good_o = writes || l_zero || l_error || l_error_set || l_error_count;
  assign ctx_over_o = over_q;
  assign ctx_zero_o = zero_ok;
  assign begins_o = st[1];
  assign last_o = st[3];
  assign idle_o = st == 3'b000;
  assign waits_o = !st[3];
  assign word_o = read_q | (counter_i & {32{d_counter && !d_upper}});
  assign flush_o = w_control && data_i[0];
  assign nack_clear_o = w_error;
  assign nack_o = error_q;
  assign good_o = write_q ? writes || w_error || w_clear || w_control : known_q;

  always @* begin
    read = ctx_word_i | (d_id ? 32'h53430002 : 32'd0);
    if (d_status) read[3:0] = read[3:0] | {accesses_i, error_q, 1'b0, empty_i};
    if (d_base) read = read | base[31:0];
    if (d_base_hi) read = read | base[63:32];
    if (d_stride) read[5:0] = read[5:0] | stride_lg_q;
    if (d_limit) read[COUNT_W-1:0] = read[COUNT_W-1:0] | (own ? limit_q : limit_reg_q);
    if (d_thread) read[THREAD_W-1:0] = read[THREAD_W-1:0] | thread_q;
    if (d_over) read[NUM_W-1:0] = read[NUM_W-1:0] | spill_over_q;
    if (d_burst) read[NUM_W-1:0] = read[NUM_W-1:0] | spill_burst_q;
    if (d_free) read[NUM_W-1:0] = read[NUM_W-1:0] | restore_free_q;
    if (d_depth) begin
      read[COUNT_W-1:0] = read[COUNT_W-1:0] | depth_count_i;
      read[31] = read[31] | depth_fault_i;
    end
    if (d_error) begin
      read[31:28] = read[31:28] | {error_q, error_write_q, error_code_q};
      read[THREAD_W-1:0] = read[THREAD_W-1:0] | error_thread_q;
    end
    if (d_error_set) read[SET_IDX_W-1:0] = read[SET_IDX_W-1:0] | error_set_q;
    if (d_error_count) read[15:0] = read[15:0] | error_count_q;
    if (d_counter && d_upper) read[15:0] = read[15:0] | counter_upper_i;
    if (d_deepest) read[COUNT_W-1:0] = read[COUNT_W-1:0] | deepest_i;
    if (d_deepest_of) read[COUNT_W-1:0] = read[COUNT_W-1:0] | deepest_of_i;
    if (d_control) read[0] = read[0] | flushing_i;
    if (d_halt) read[0] = read[0] | halt_flush_q;
  end

  // The limit: min(LIMIT, entries of a region).
  localparam [5:0] REGION_LG = STRIDE_MAX[5:0] - ENTRY_BYTES_LG[5:0];
  reg [5:0] region_lg_q;
  reg [COUNT_W-1:0] beyond_q, region_q, written_q;
  reg over_region_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      region_lg_q <= REGION_LG;
      beyond_q <= {COUNT_W{1'b1}} << REGION_LG;
      over_region_q <= 1'b0;
      written_q <= MAX_DEPTH[COUNT_W-1:0];
      limit_q <= MAX_DEPTH[COUNT_W-1:0];
    end else begin
      region_lg_q <= stride_lg_q - ENTRY_BYTES_LG[5:0];
      beyond_q <= {COUNT_W{1'b1}} << region_lg_q;
      over_region_q <= (limit_reg_q & beyond_q) != {COUNT_W{1'b0}};
      written_q <= limit_reg_q;
      limit_q <= over_region_q ? region_q : written_q;
    end
    region_q <= beyond_q & ~(beyond_q << 1);
  end

  reg counted_q;                            // an error was accepted in the last cycle
  always @(posedge clk_i) begin
    counted_q <= error_i && !rst_i;
    // A word that is loaded here and does not move is one of a broken context, which ends in a clear.
    if (l_error) error_q <= ld_data_i[31] && !rst_i && !clear_i;
    else error_q <= !rst_i && !clear_i && (error_i || (error_q && !w_error));
    if (rst_i || clear_i || w_error) error_count_q <= 16'd0;
    else if (l_error_count) error_count_q <= ld_data_i[15:0];
    else if (counted_q && error_count_q != 16'hffff) error_count_q <= error_count_q + 1'b1;
    if (rst_i || clear_i || (w_error && !error_i)) begin
      error_write_q <= 1'b0;
      error_code_q <= 2'd0;
      error_thread_q <= {THREAD_W{1'b0}};
      error_set_q <= {SET_IDX_W{1'b0}};
    end else if (l_error) begin
      error_write_q <= ld_data_i[30];
      error_code_q <= ld_data_i[29:28];
      error_thread_q <= ld_data_i[THREAD_W-1:0];
    end else if (l_error_set) error_set_q <= ld_data_i[SET_IDX_W-1:0];
    else if (error_i && (!error_q || w_error)) begin
      error_write_q <= error_write_i;
      error_code_q <= error_code_i;
      error_thread_q <= error_thread_i;
      error_set_q <= error_set_i;
    end
  end
  assign base_o = base[ADDR_W-1:0];
  assign stride_lg_o = stride_lg_q;
  assign limit_o = limit_q;
  assign spill_over_o = spill_over_q;
  assign spill_burst_o = spill_burst_q;
  assign restore_free_o = restore_free_q;
  assign thread_o = thread_q;
  assign halt_flush_o = halt_flush_q;
  assign depth_thread_o = mine_i ? ctx_thread_i : thread_q;
  wire unused_bits = &{1'b0, base, counter_i};
endmodule

`default_nettype wire
