// SPDX-License-Identifier: Apache-2.0
// stack_cache_regs: the register port. An access taken in one cycle executes in the next and answers in the
// one after that; a depth read waits for the engine. One access at a time. Reset: all registers to their
// defaults.
`default_nettype none

module stack_cache_regs #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter COUNT_W = 15,
  parameter MAX_DEPTH = 16384,
  parameter NSETS = 4,
  parameter NUM_W = 3,
  parameter SET_IDX_W = 13,
  parameter POLICY = 0,
  parameter COUNTERS = 1,
  parameter UNIT = 0,           // 1: with unit status
  parameter ADDR_W = 32,
  parameter SET_BYTES = 32,
  parameter ENTRY_BYTES = 8,
  parameter STRIDE_MAX = 17
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire walk_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  output wire depth_o,
  output wire [THREAD_W-1:0] depth_thread_o,
  input  wire depth_done_i,
  input  wire [COUNT_W-1:0] depth_i,
  input  wire [COUNT_W-1:0] deepest_i,

  output wire [ADDR_W-1:0] base_o,
  output wire [5:0] stride_lg_o,
  output wire [NUM_W-1:0] spill_over_o,
  output wire [NUM_W-1:0] spill_burst_o,
  output wire [NUM_W-1:0] restore_free_o,
  output wire [COUNT_W-1:0] limit_o,        // effective limit
  output wire limit_change_o,               // in the cycle at whose end it changes

  input  wire all_empty_i,
  input  wire accesses_i,                   // some are under way
  input  wire [THREADS-1:0] faults_i,
  input  wire error_i,
  input  wire error_write_i,
  input  wire [1:0] error_code_i,
  input  wire [THREAD_W-1:0] error_thread_i,
  input  wire [SET_IDX_W-1:0] error_set_i,
  output wire error_o,                      // one is recorded
  output wire error_cleared_o,              // by a write

  output wire counter_upper_o,              // of a counter: its upper half
  output wire counter_read_o,
  output wire counter_clear_o,
  input  wire [31:0] counter_i,

  // Unit status: CONTROL; the registers as words of a context. [SC-13]
  input  wire halted_i,
  input  wire halt_i,                       // no flush is begun by a write
  input  wire clear_i,                      // clears the error registers
  output wire control_o,
  output wire [1:0] control_data_o,
  input  wire [1:0] control_i,
  input  wire [3:0] word_i,
  output wire [31:0] word_o,
  input  wire word_we_i,
  input  wire [31:0] word_data_i,
  output wire word_bad_o,
  input  wire loads_i,                      // a context comes in: its limit holds for its threads
  input  wire commit_i                      // run-time registers take the words that came in
);
  // Places in the map of words, and their addresses, which `make check-interface` compares with the
  // description.
  localparam ID = 0, STATUS = 1, BASE_LO = 2, BASE_HI = 3, STRIDE_LG = 4, LIMIT = 5, SPILL_OVER = 6,
             SPILL_BURST = 7, RESTORE_FREE = 8, THREAD = 9, DEPTH = 10, DEEPEST_OF = 11, ERROR = 12,
             ERROR_SET = 13, ERROR_COUNT = 14, COUNTER_CLEAR = 15, CONTROL = 16, WORDS = 17;
  localparam [9:0] FAULTED = 10'h080, DEPTH_AT = 10'h028, DEEPEST_OF_AT = 10'h02c;
  localparam [10*WORDS-1:0] ADDRESS = {  // the last first
    10'h040, 10'h03c, 10'h038, 10'h034, 10'h030, DEEPEST_OF_AT, DEPTH_AT, 10'h024, 10'h020, 10'h01c,
    10'h018, 10'h014,
    10'h010, 10'h00c, 10'h008, 10'h004, 10'h000};
  localparam HAS_HIGH = (ADDR_W > 32), HAS_POLICY = (POLICY != 0), HAS_DEEPEST = (COUNTERS == 2),
             HAS_UNIT = (UNIT != 0);
  localparam [WORDS-1:0] READABLE =
    {HAS_UNIT[0], 1'b0, 3'b111, HAS_DEEPEST[0], 2'b11, {3{HAS_POLICY[0]}}, 2'b11, HAS_HIGH[0], 3'b111};
  localparam N_COUNTERS = 15;
  localparam SETS_W = $clog2(NSETS) + 1;    // bits of a number of sets, all of them included
  localparam SET_BYTES_LG = $clog2(SET_BYTES);
  localparam ENTRY_BYTES_LG = $clog2(ENTRY_BYTES);
  localparam BASE_W = (ADDR_W > 32) ? 32 : ADDR_W;

  wire taken, busy, unused_executes, write, known, w_good;
  wire [9:0] addr;
  wire [31:0] data, read_word;
  wire [WORDS-1:0] hit;
  reg depth_q;                              // a depth read waits
  wire depth_read = !reg_req_write_i
                    && (reg_req_addr_i == DEPTH_AT || (HAS_DEEPEST && reg_req_addr_i == DEEPEST_OF_AT));
  register_port #(.ADDR_W(10)) u_port (
    .clk_i(clk_i), .rst_i(rst_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .closed_i(walk_i), .taken_o(taken), .waits_i(depth_q && !depth_done_i), .busy_o(busy),
    .executes_o(unused_executes), .write_o(write), .addr_o(addr), .data_o(data),
    .good_i(write ? w_good : known), .word_i(read_word));
  wire exec_write = busy && write;
  assign depth_o = depth_q;
  always @(posedge clk_i)
    if (rst_i) depth_q <= 1'b0;
    else depth_q <= busy ? depth_q && !depth_done_i : taken && depth_read;

  // ---- writes --------------------------------------------------------------------------------------
  wire [ADDR_W-1:0] base_q;
  reg [5:0] stride_lg_q;
  reg [COUNT_W-1:0] limit_reg_q, limit_q;
  reg [THREAD_W-1:0] thread_q;

  // An old write that lands after its region has moved would change another thread's data.
  wire unlocked = !accesses_i && (all_empty_i || (UNIT != 0 && halted_i));
  wire base_good = unlocked && (data >> BASE_W) == 32'd0
                   && (SET_BYTES_LG == 0 || (data & (SET_BYTES - 1)) == 32'd0);
  wire stride_good, thread_good, limit_good;
  register_range #(.LEAST(SET_BYTES_LG), .MOST(STRIDE_MAX)) u_stride_range (.data_i(data),
    .good_o(stride_good));
  register_range #(.MOST(THREADS - 1)) u_thread_range (.data_i(data), .good_o(thread_good));
  register_range #(.MOST(MAX_DEPTH)) u_limit_range (.data_i(data), .good_o(limit_good));

  wire w_base = exec_write && hit[BASE_LO] && base_good;
  wire w_base_hi;
  wire w_stride = exec_write && hit[STRIDE_LG] && unlocked && stride_good;
  wire w_limit = exec_write && hit[LIMIT];
  wire w_thread = exec_write && hit[THREAD] && thread_good;
  wire w_error_reg = exec_write && hit[ERROR];
  wire w_error = w_error_reg || (UNIT != 0 && clear_i);
  wire w_policy;
  wire w_control = UNIT != 0 && exec_write && hit[CONTROL] && (data >> 2) == 32'd0
                   && !(data[0] && halt_i);
  wire w_clear = exec_write && hit[COUNTER_CLEAR] && COUNTERS != 0;
  assign w_good = w_base || w_base_hi || w_stride || w_limit || w_thread || w_error_reg || w_policy || w_clear
                || w_control;

  // ---- words of a context: docs/stack_cache_status.md -----------------------------------------------
  localparam [31:0] BASE_MASK = SET_BYTES - 1, LIMIT_MAX = MAX_DEPTH, SETS = NSETS, ALL_THREADS = THREADS;
  wire l_we = UNIT != 0 && word_we_i;
  wire [31:0] low = {21'd0, word_data_i[10:0]}, high = {21'd0, word_data_i[26:16]};
  wire l_over = word_data_i > LIMIT_MAX;
  wire place_small;
  generate
    if (SET_BYTES_LG == 0) begin : g_any_place
      assign place_small = 1'b0;
    end else begin : g_least_place
      assign place_small = word_data_i[5:0] < SET_BYTES_LG[5:0];
    end
  endgenerate
  wire place_bad = place_small || {26'd0, word_data_i[5:0]} > STRIDE_MAX
                   || {22'd0, word_data_i[25:16]} >= ALL_THREADS;
  wire spill_bad = POLICY != 0 && (low > SETS || high == 32'd0 || high >= SETS);
  wire free_bad = POLICY != 0 && low > SETS;
  wire base_bad = (word_data_i & BASE_MASK) != 32'd0 || ((ADDR_W < 32) && (word_data_i >> BASE_W) != 32'd0);
  wire base_hi_bad = (ADDR_W > 32) ? ({32'd0, word_data_i} >> ((ADDR_W > 32) ? ADDR_W - 32 : 0)) != 64'd0
                     : word_data_i != 32'd0;
  wire l_base = l_we && word_i == 4'd0;
  wire l_base_hi = l_we && word_i == 4'd1;
  wire l_limit = l_we && word_i == 4'd2;
  wire l_place = l_we && word_i == 4'd3 && !place_bad;
  wire l_spill = l_we && word_i == 4'd4 && !spill_bad;
  wire l_free = l_we && word_i == 4'd5 && !free_bad;
  wire l_error = l_we && word_i == 4'd6;
  wire l_error_set = l_we && word_i == 4'd7;
  wire l_error_count = l_we && word_i == 4'd8;
  wire unused_loads = &{1'b0, l_base_hi, base_hi_bad};

  // Run-time registers of a context that comes in, until its commit. [US-9]
  reg [ADDR_W-1:0] in_base_q;
  reg [COUNT_W-1:0] in_limit_q;
  reg [5:0] in_stride_lg_q;
  reg [THREAD_W-1:0] in_thread_q;
  reg [NUM_W-1:0] in_over_q, in_burst_q, in_free_q;
  wire commit = UNIT != 0 && commit_i;
  always @(posedge clk_i) begin
    if (l_base) in_base_q[BASE_W-1:0] <= word_data_i[BASE_W-1:0];
    if (!loads_i) in_limit_q <= limit_reg_q;
    else if (l_limit) in_limit_q <= word_data_i[COUNT_W-1:0];
    if (!loads_i) in_stride_lg_q <= stride_lg_q;
    else if (l_place) in_stride_lg_q <= word_data_i[5:0];
    if (l_place) in_thread_q <= word_data_i[16+:THREAD_W];
    if (l_spill) {in_over_q, in_burst_q} <= {word_data_i[NUM_W-1:0], word_data_i[16+:NUM_W]};
    if (l_free) in_free_q <= word_data_i[NUM_W-1:0];
  end
  wire unused_in = &{1'b0, in_over_q, in_burst_q, in_free_q};

  // Effective limit: a region holds 2^(STRIDE_LG) bytes. [SC-12]
  wire in_holds = UNIT != 0 && loads_i;
  wire [5:0] region_lg = (in_holds ? in_stride_lg_q : stride_lg_q) - ENTRY_BYTES_LG[5:0];
  wire [COUNT_W-1:0] written = in_holds ? in_limit_q : limit_reg_q;
  wire [COUNT_W-1:0] beyond = {COUNT_W{1'b1}} << region_lg;  // bits of a count that a region cannot hold
  wire over_region = (written & beyond) != {COUNT_W{1'b0}};
  wire [COUNT_W-1:0] region = beyond & ~(beyond << 1);
  reg change_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      stride_lg_q <= STRIDE_MAX[5:0];
      limit_reg_q <= MAX_DEPTH[COUNT_W-1:0];
      thread_q <= {THREAD_W{1'b0}};
      change_q <= 1'b0;
    end else begin
      if (commit) stride_lg_q <= in_stride_lg_q;
      else if (w_stride) stride_lg_q <= data[5:0];
      if (commit) limit_reg_q <= in_limit_q;
      else if (w_limit) limit_reg_q <= limit_good ? data[COUNT_W-1:0] : MAX_DEPTH[COUNT_W-1:0];
      if (commit) thread_q <= in_thread_q;
      else if (w_thread) thread_q <= data[THREAD_W-1:0];
      change_q <= w_limit || w_stride;
    end
    limit_q <= over_region ? region : written;
  end
  reg [BASE_W-1:0] base_lo_q;
  always @(posedge clk_i)
    if (rst_i) base_lo_q <= {BASE_W{1'b0}};
    else if (commit) base_lo_q <= in_base_q[BASE_W-1:0];
    else if (w_base) base_lo_q <= data[BASE_W-1:0];
  generate
    if (ADDR_W > 32) begin : g_base_hi
      reg [ADDR_W-33:0] base_hi_q;
      always @(posedge clk_i) if (l_base_hi) in_base_q[ADDR_W-1:32] <= word_data_i[ADDR_W-33:0];
      assign w_base_hi = exec_write && hit[BASE_HI] && unlocked
                         && ({32'd0, data} >> (ADDR_W - 32)) == 64'd0;
      always @(posedge clk_i)
        if (rst_i) base_hi_q <= {ADDR_W-32{1'b0}};
        else if (commit) base_hi_q <= in_base_q[ADDR_W-1:32];
        else if (w_base_hi) base_hi_q <= data[ADDR_W-33:0];
      assign base_q = {base_hi_q, base_lo_q};
    end else begin : g_base
      assign w_base_hi = 1'b0;
      assign base_q = base_lo_q;
    end
  endgenerate
  assign base_o = base_q;
  assign stride_lg_o = stride_lg_q;
  assign limit_o = limit_q;
  assign depth_thread_o = thread_q;
  assign limit_change_o = change_q;

  generate
    if (POLICY != 0) begin : g_policy
      reg [NUM_W-1:0] over_q, burst_q, free_q;
      wire all, some;
      register_range #(.MOST(NSETS)) u_all_range (.data_i(data), .good_o(all));
      register_range #(.LEAST(1), .MOST(NSETS - 1)) u_some_range (.data_i(data), .good_o(some));
      wire w_over = exec_write && hit[SPILL_OVER] && all;
      wire w_burst = exec_write && hit[SPILL_BURST] && some;
      wire w_free = exec_write && hit[RESTORE_FREE] && all;
      always @(posedge clk_i)
        if (rst_i) begin
          over_q <= NSETS[NUM_W:1];
          burst_q <= {{NUM_W-1{1'b0}}, 1'b1};
          free_q <= NSETS[NUM_W:1];
        end else begin
          if (commit) over_q <= in_over_q;
          else if (w_over) over_q <= data[NUM_W-1:0];
          if (commit) burst_q <= in_burst_q;
          else if (w_burst) burst_q <= data[NUM_W-1:0];
          if (commit) free_q <= in_free_q;
          else if (w_free) free_q <= data[NUM_W-1:0];
        end
      assign w_policy = w_over || w_burst || w_free;
      assign spill_over_o = over_q;
      assign spill_burst_o = burst_q;
      assign restore_free_o = free_q;
    end else begin : g_no_policy
      assign w_policy = 1'b0;
      assign spill_over_o = {NUM_W{1'b0}};
      assign spill_burst_o = {NUM_W{1'b0}};
      assign restore_free_o = {NUM_W{1'b0}};
    end
  endgenerate

  // ---- words of a context, out and in: docs/stack_cache_status.md -----------------------------------------
  wire [64+ADDR_W-1:0] base_x = {64'd0, base_q};
  reg error_q, error_write_q;
  reg [1:0] error_code_q;
  reg [THREAD_W-1:0] error_thread_q;
  reg [SET_IDX_W-1:0] error_set_q;
  reg [15:0] error_count_q;
  reg l_bad;
  reg [31:0] word_d;
  always @* begin
    word_d = 32'd0;
    l_bad = 1'b0;
    case (word_i)
      4'd0: begin
        word_d = base_x[31:0];
        l_bad = base_bad;
      end
      4'd1: begin
        word_d = base_x[63:32];
        l_bad = base_hi_bad;
      end
      4'd2: begin
        word_d[COUNT_W-1:0] = limit_reg_q;
        l_bad = l_over;
      end
      4'd3: begin
        word_d[5:0] = stride_lg_q;
        word_d[16+:THREAD_W] = thread_q;
        l_bad = place_bad;
      end
      4'd4: begin
        word_d[NUM_W-1:0] = spill_over_o;
        word_d[16+:NUM_W] = spill_burst_o;
        l_bad = spill_bad;
      end
      4'd5: begin
        word_d[NUM_W-1:0] = restore_free_o;
        l_bad = free_bad;
      end
      4'd6: begin
        word_d[31:28] = {error_q, error_write_q, error_code_q};
        word_d[THREAD_W-1:0] = error_thread_q;
      end
      4'd7: word_d[SET_IDX_W-1:0] = error_set_q;
      default: word_d[15:0] = error_count_q;
    endcase
  end
  assign word_o = word_d;
  assign word_bad_o = l_bad;
  assign control_o = w_control;
  assign control_data_o = data[1:0];

  // ---- the first memory error ----------------------------------------------------------------------
  assign error_o = error_q;
  assign error_cleared_o = w_error_reg;
  always @(posedge clk_i)
    if (rst_i) begin
      error_q <= 1'b0;
      error_write_q <= 1'b0;
      error_code_q <= 2'd0;
      error_thread_q <= {THREAD_W{1'b0}};
      error_set_q <= {SET_IDX_W{1'b0}};
      error_count_q <= 16'd0;
    end else begin
      error_q <= l_error ? word_data_i[31] : error_i || (error_q && !w_error);
      if (l_error) begin
        error_write_q <= word_data_i[30];
        error_code_q <= word_data_i[29:28];
        error_thread_q <= word_data_i[THREAD_W-1:0];
      end else if (l_error_set) begin
        error_set_q <= word_data_i[SET_IDX_W-1:0];
      end else if (error_i && (w_error || !error_q)) begin
        error_write_q <= error_write_i;
        error_code_q <= error_code_i;
        error_thread_q <= error_thread_i;
        error_set_q <= error_set_i;
      end else if (w_error) begin
        error_write_q <= 1'b0;
        error_code_q <= 2'd0;
        error_thread_q <= {THREAD_W{1'b0}};
        error_set_q <= {SET_IDX_W{1'b0}};
      end
      if (l_error_count) error_count_q <= word_data_i[15:0];
      else if (w_error) error_count_q <= {15'd0, error_i};
      else if (error_i && error_count_q != 16'hffff) error_count_q <= error_count_q + 1'b1;
    end

  // ---- reads ---------------------------------------------------------------------------------------
  wire is_counter = COUNTERS != 0 && addr[9:8] == 2'b01 && {27'd0, addr[7:3]} < N_COUNTERS
                    && addr[1:0] == 2'b00;
  wire unused = &{1'b0, base_x, deepest_i};
  wire [32*WORDS-1:0] words;
  assign words[32*ID+:32] = 32'h53430001;
  assign words[32*STATUS+:32] = {28'd0, accesses_i, error_q, |faults_i, all_empty_i};
  assign words[32*BASE_LO+:32] = base_x[31:0];
  assign words[32*BASE_HI+:32] = base_x[63:32];
  assign words[32*STRIDE_LG+:32] = {26'd0, stride_lg_q};
  assign words[32*LIMIT+:32] = {{32-COUNT_W{1'b0}}, limit_q};
  assign words[32*SPILL_OVER+:32] = {{32-SETS_W{1'b0}}, spill_over_o[SETS_W-1:0]};
  assign words[32*SPILL_BURST+:32] = {{32-SETS_W{1'b0}}, spill_burst_o[SETS_W-1:0]};
  assign words[32*RESTORE_FREE+:32] = {{32-SETS_W{1'b0}}, restore_free_o[SETS_W-1:0]};
  assign words[32*THREAD+:32] = {{32-THREAD_W{1'b0}}, thread_q};
  assign words[32*DEPTH+:32] = {{32-COUNT_W{1'b0}}, depth_i};
  assign words[32*DEEPEST_OF+:32] = {{32-COUNT_W{1'b0}}, deepest_i};
  assign words[32*ERROR+:32] = {error_q, error_write_q, error_code_q, {28-THREAD_W{1'b0}}, error_thread_q};
  assign words[32*ERROR_SET+:32] = {{32-SET_IDX_W{1'b0}}, error_set_q};
  assign words[32*ERROR_COUNT+:32] = {16'd0, error_count_q};
  assign words[32*COUNTER_CLEAR+:32] = 32'd0;
  assign words[32*CONTROL+:32] = {30'd0, control_i};
  wire readable, is_fault;
  wire [31:0] map_word, fault_word;
  register_map #(.N(WORDS), .ADDR_W(10), .ADDRESS(ADDRESS), .READABLE(READABLE)) u_map (
    .addr_i(addr), .words_i(words), .hit_o(hit), .readable_o(readable), .word_o(map_word));
  register_vector #(.BITS(THREADS), .AT(FAULTED)) u_faulted (
    .addr_i(addr), .bits_i(faults_i), .hit_o(is_fault), .word_o(fault_word));
  assign known = readable || is_fault || is_counter;
  assign read_word = map_word | (fault_word & {32{is_fault}}) | (counter_i & {32{is_counter}});
  assign counter_upper_o = addr[2];
  assign counter_read_o = busy && !write && is_counter;
  assign counter_clear_o = w_clear;
endmodule

`default_nettype wire
