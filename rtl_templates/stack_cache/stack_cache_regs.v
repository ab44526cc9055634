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
  output reg  reg_rsp_valid_o,
  output reg  [31:0] reg_rsp_data_o,
  output reg  reg_rsp_error_o,

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
  output wire word_bad_o
);
  localparam [9:0] ID = 10'h000, STATUS = 10'h004, BASE_LO = 10'h008, BASE_HI = 10'h00c, STRIDE_LG = 10'h010,
                   LIMIT = 10'h014, SPILL_OVER = 10'h018, SPILL_BURST = 10'h01c, RESTORE_FREE = 10'h020,
                   THREAD = 10'h024, DEPTH = 10'h028, DEEPEST_OF = 10'h02c, ERROR = 10'h030,
                   ERROR_SET = 10'h034, ERROR_COUNT = 10'h038, COUNTER_CLEAR = 10'h03c, CONTROL = 10'h040;
  localparam N_COUNTERS = 15;
  localparam SET_BYTES_LG = $clog2(SET_BYTES);
  localparam ENTRY_BYTES_LG = $clog2(ENTRY_BYTES);
  localparam FAULT_WORDS = (THREADS + 31) / 32;
  localparam BASE_W = (ADDR_W > 32) ? 32 : ADDR_W;

  reg busy_q, write_q;
  reg [9:0] addr_q;
  reg [31:0] data_q;
  reg depth_q;                              // a depth read waits
  wire depth_read = !reg_req_write_i
                    && (reg_req_addr_i == DEPTH || (COUNTERS == 2 && reg_req_addr_i == DEEPEST_OF));
  wire done = busy_q && (!depth_q || depth_done_i);
  wire exec_write = busy_q && write_q;
  assign reg_req_ready_o = !busy_q && !walk_i;
  assign depth_o = depth_q;

  // ---- writes --------------------------------------------------------------------------------------
  wire [ADDR_W-1:0] base_q;
  reg [5:0] stride_lg_q;
  reg [COUNT_W-1:0] limit_reg_q, limit_q;
  reg [THREAD_W-1:0] thread_q;

  // An old write that lands after its region has moved would change another thread's data.
  wire unlocked = !accesses_i && (all_empty_i || (UNIT != 0 && halted_i));
  wire base_good = unlocked && (data_q >> BASE_W) == 32'd0
                   && (SET_BYTES_LG == 0 || (data_q & (SET_BYTES - 1)) == 32'd0);
  wire stride_small;
  generate
    if (SET_BYTES_LG == 0) begin : g_any_stride
      assign stride_small = 1'b0;
    end else begin : g_least_stride
      assign stride_small = data_q[5:0] < SET_BYTES_LG[5:0];
    end
  endgenerate
  wire stride_good = unlocked && (data_q >> 6) == 32'd0 && !stride_small && data_q[5:0] <= STRIDE_MAX[5:0];
  wire thread_good = (data_q >> THREAD_W) == 32'd0 && {1'b0, data_q[THREAD_W-1:0]} < THREADS[THREAD_W:0];

  wire w_base = exec_write && addr_q == BASE_LO && base_good;
  wire w_base_hi;
  wire w_stride = exec_write && addr_q == STRIDE_LG && stride_good;
  wire w_limit = exec_write && addr_q == LIMIT;
  wire w_thread = exec_write && addr_q == THREAD && thread_good;
  wire w_error_reg = exec_write && addr_q == ERROR;
  wire w_error = w_error_reg || (UNIT != 0 && clear_i);
  wire w_policy;
  wire w_control = UNIT != 0 && exec_write && addr_q == CONTROL && (data_q >> 2) == 32'd0
                   && !(data_q[0] && halt_i);
  wire w_clear = exec_write && addr_q == COUNTER_CLEAR && COUNTERS != 0;
  wire w_good = w_base || w_base_hi || w_stride || w_limit || w_thread || w_error_reg || w_policy || w_clear
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
  wire unused_loads = &{1'b0, l_base_hi, l_spill, l_free, base_hi_bad};

  // Effective limit: a region holds 2^(STRIDE_LG) bytes. [SC-12]
  wire [5:0] region_lg = stride_lg_q - ENTRY_BYTES_LG[5:0];
  wire [COUNT_W-1:0] beyond = {COUNT_W{1'b1}} << region_lg;  // bits of a count that a region cannot hold
  wire over_region = (limit_reg_q & beyond) != {COUNT_W{1'b0}};
  wire [COUNT_W-1:0] region = beyond & ~(beyond << 1);
  wire above;
  generate
    if ((MAX_DEPTH & (MAX_DEPTH + 1)) == 0) begin : g_all_ones
      assign above = 1'b0;
    end else begin : g_most_depth
      assign above = data_q[COUNT_W-1:0] > MAX_DEPTH[COUNT_W-1:0];
    end
  endgenerate
  wire over = (data_q >> COUNT_W) != 32'd0 || above;
  reg change_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      stride_lg_q <= STRIDE_MAX[5:0];
      limit_reg_q <= MAX_DEPTH[COUNT_W-1:0];
      thread_q <= {THREAD_W{1'b0}};
      change_q <= 1'b0;
    end else begin
      if (l_place) stride_lg_q <= word_data_i[5:0];
      else if (w_stride) stride_lg_q <= data_q[5:0];
      if (l_limit) limit_reg_q <= l_over ? MAX_DEPTH[COUNT_W-1:0] : word_data_i[COUNT_W-1:0];
      else if (w_limit) limit_reg_q <= over ? MAX_DEPTH[COUNT_W-1:0] : data_q[COUNT_W-1:0];
      if (l_place) thread_q <= word_data_i[16+:THREAD_W];
      else if (w_thread) thread_q <= data_q[THREAD_W-1:0];
      change_q <= w_limit || w_stride;
    end
    limit_q <= over_region ? region : limit_reg_q;
  end
  reg [BASE_W-1:0] base_lo_q;
  always @(posedge clk_i)
    if (rst_i) base_lo_q <= {BASE_W{1'b0}};
    else if (l_base) base_lo_q <= word_data_i[BASE_W-1:0];
    else if (w_base) base_lo_q <= data_q[BASE_W-1:0];
  generate
    if (ADDR_W > 32) begin : g_base_hi
      reg [ADDR_W-33:0] base_hi_q;
      assign w_base_hi = exec_write && addr_q == BASE_HI && unlocked
                         && ({32'd0, data_q} >> (ADDR_W - 32)) == 64'd0;
      always @(posedge clk_i)
        if (rst_i) base_hi_q <= {ADDR_W-32{1'b0}};
        else if (l_base_hi) base_hi_q <= word_data_i[ADDR_W-33:0];
        else if (w_base_hi) base_hi_q <= data_q[ADDR_W-33:0];
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

  wire [31:0] policy_data;
  wire policy_known;
  generate
    if (POLICY != 0) begin : g_policy
      reg [NUM_W-1:0] over_q, burst_q, free_q;
      wire all = data_q <= NSETS;
      wire w_over = exec_write && addr_q == SPILL_OVER && all;
      wire w_burst = exec_write && addr_q == SPILL_BURST && data_q != 32'd0 && data_q < NSETS;
      wire w_free = exec_write && addr_q == RESTORE_FREE && all;
      always @(posedge clk_i)
        if (rst_i) begin
          over_q <= NSETS[NUM_W:1];
          burst_q <= {{NUM_W-1{1'b0}}, 1'b1};
          free_q <= NSETS[NUM_W:1];
        end else begin
          if (l_spill) over_q <= word_data_i[NUM_W-1:0];
          else if (w_over) over_q <= data_q[NUM_W-1:0];
          if (l_spill) burst_q <= word_data_i[16+:NUM_W];
          else if (w_burst) burst_q <= data_q[NUM_W-1:0];
          if (l_free) free_q <= word_data_i[NUM_W-1:0];
          else if (w_free) free_q <= data_q[NUM_W-1:0];
        end
      assign w_policy = w_over || w_burst || w_free;
      assign policy_known = addr_q == SPILL_OVER || addr_q == SPILL_BURST || addr_q == RESTORE_FREE;
      assign policy_data = {{32-NUM_W{1'b0}}, addr_q == SPILL_OVER ? over_q
                                              : addr_q == SPILL_BURST ? burst_q : free_q};
      assign spill_over_o = over_q;
      assign spill_burst_o = burst_q;
      assign restore_free_o = free_q;
    end else begin : g_no_policy
      assign w_policy = 1'b0;
      assign policy_known = 1'b0;
      assign policy_data = 32'd0;
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
  assign control_data_o = data_q[1:0];

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
  wire is_counter = COUNTERS != 0 && addr_q[9:8] == 2'b01 && {27'd0, addr_q[7:3]} < N_COUNTERS
                    && addr_q[1:0] == 2'b00;
  wire is_fault = addr_q[9:7] == 3'b001 && {27'd0, addr_q[6:2]} < FAULT_WORDS && addr_q[1:0] == 2'b00;
  wire [FAULT_WORDS*32+THREADS-1:0] faults_x = {{FAULT_WORDS*32{1'b0}}, faults_i};
  wire unused = &{1'b0, faults_x, base_x, deepest_i};
  reg [31:0] read_d;
  reg known;
  always @* begin
    known = 1'b1;
    read_d = 32'd0;
    case (addr_q)
      ID: read_d = 32'h53430001;
      STATUS: read_d[3:0] = {accesses_i, error_q, |faults_i, all_empty_i};
      BASE_LO: read_d = base_x[31:0];
      STRIDE_LG: read_d[5:0] = stride_lg_q;
      LIMIT: read_d[COUNT_W-1:0] = limit_q;
      THREAD: read_d[THREAD_W-1:0] = thread_q;
      DEPTH: read_d[COUNT_W-1:0] = depth_i;
      ERROR: begin
        read_d[31:28] = {error_q, error_write_q, error_code_q};
        read_d[THREAD_W-1:0] = error_thread_q;
      end
      ERROR_SET: read_d[SET_IDX_W-1:0] = error_set_q;
      ERROR_COUNT: read_d[15:0] = error_count_q;
      default: begin
        known = 1'b0;
        if (ADDR_W > 32 && addr_q == BASE_HI) begin
          known = 1'b1;
          read_d = base_x[63:32];
        end
        if (UNIT != 0 && addr_q == CONTROL) begin
          known = 1'b1;
          read_d[1:0] = control_i;
        end
        if (COUNTERS == 2 && addr_q == DEEPEST_OF) begin
          known = 1'b1;
          read_d[COUNT_W-1:0] = deepest_i;
        end
        if (policy_known) begin
          known = 1'b1;
          read_d = policy_data;
        end
        if (is_fault) begin
          known = 1'b1;
          read_d = faults_x[addr_q[6:2]*32+:32];
        end
        if (is_counter) begin
          known = 1'b1;
          read_d = counter_i;
        end
      end
    endcase
  end
  assign counter_upper_o = addr_q[2];
  assign counter_read_o = busy_q && !write_q && is_counter;
  assign counter_clear_o = w_clear;

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
      depth_q <= 1'b0;
      reg_rsp_valid_o <= 1'b0;
    end else begin
      busy_q <= busy_q ? !done : reg_req_valid_i && !walk_i;
      depth_q <= busy_q ? depth_q && !depth_done_i : reg_req_valid_i && !walk_i && depth_read;
      reg_rsp_valid_o <= done;
    end
    if (!busy_q) begin
      write_q <= reg_req_write_i;
      addr_q <= reg_req_addr_i;
    end
    data_q <= reg_req_data_i;                // a write is done a cycle later
    reg_rsp_data_o <= (write_q || !known) ? 32'd0 : read_d;
    reg_rsp_error_o <= write_q ? !w_good : !known;
  end
endmodule

`default_nettype wire
