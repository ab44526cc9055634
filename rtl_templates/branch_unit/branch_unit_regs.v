// SPDX-License-Identifier: Apache-2.0
// branch_unit_regs: the register port. An access taken in one cycle executes in the next and answers in the
// one after that; what needs the state RAM waits for its read port (waits_o until go_i). One access at a
// time. Reset: idle, LIMIT the largest.
`default_nettype none

module branch_unit_regs #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter LANES = 32,
  parameter PC_W = 30,
  parameter COUNT_W = 15,
  parameter MAX_DEPTH = 16384,
  parameter WORD_W = 70
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  output wire waits_o,                 // a read of the RAM waits
  output wire error_half_o,
  output wire [THREAD_W-1:0] group_o,
  input  wire go_i,                    // it goes in this cycle; the words come in the next
  input  wire [3:0] state_i,           // of the group: {busy, synced, stopped, live}, in the cycle of go_i
  input  wire [WORD_W-1:0] word_i,
  input  wire [COUNT_W-1:0] depth_i,

  output wire [COUNT_W-1:0] limit_o,
  output wire [COUNT_W-1:0] below_limit_o,

  input  wire [THREADS-1:0] live_i,
  input  wire [THREADS-1:0] stopped_i,
  input  wire error_i,
  input  wire [2:0] error_status_i,
  input  wire [2:0] error_kind_i,
  input  wire [THREAD_W-1:0] error_group_i,

  // A context: LIMIT, GROUP, ERROR, ERROR_COUNT; a load acts on the first two at commit_i.
  input  wire clear_i,                 // errors are forgotten
  output wire [31:0] word_o,
  input  wire word_we_i,
  input  wire [3:0] field_i,           // one of them
  input  wire [31:0] ctx_word_i,
  output wire word_bad_o,
  input  wire commit_i
);
  // Addresses, compared with the description of the block by `make check-interface`; places in the map of
  // words.
  localparam [9:0] PC = 10'h020, ERROR_PC = 10'h030, MASK = 10'h040, ERROR_MASK = 10'h050, LIVE = 10'h080,
                   STOPPED = 10'h100;
  localparam ID = 0, STATUS = 1, LIMIT = 2, GROUP = 3, GROUP_STATE = 4, DEPTH = 5, ERROR = 6, ERROR_COUNT = 7,
             ERROR_STATUS = 8, WORDS = 9;
  localparam [10*WORDS-1:0] ADDRESS = {  // the last first
    10'h028, 10'h01c, 10'h018, 10'h014, 10'h010, 10'h00c, 10'h008, 10'h004, 10'h000};

  // ---- access ----------------------------------------------------------------------------------------
  wire taken, executes, write, good;
  wire [9:0] addr;
  wire [31:0] data, word;
  wire unused_busy;
  reg waits_q;
  reg [3:0] state_q;
  register_port #(.ADDR_W(10)) u_port (
    .clk_i(clk_i), .rst_i(rst_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .closed_i(1'b0), .taken_o(taken), .waits_i(waits_q), .busy_o(unused_busy), .executes_o(executes),
    .write_o(write), .addr_o(addr), .data_o(data), .good_i(good), .word_i(word));
  wire [WORDS-1:0] hit;
  wire writes = executes && write;
  // What shows the group selected: GROUP_STATE, DEPTH, and all from PC to LIVE.
  wire [6:0] pair = reg_req_addr_i[9:3];  // of words
  wire needs_ram = !reg_req_write_i && pair[6:4] == 3'd0 && reg_req_addr_i[1:0] == 2'd0
                   && (pair[3] || pair[2] || pair[1:0] == 2'b10);
  assign waits_o = waits_q;
  assign error_half_o = addr[6] ? addr[4] : addr[5] && (addr[4] || addr[3]);
  always @(posedge clk_i) begin
    if (rst_i) waits_q <= 1'b0;
    else if (taken) waits_q <= needs_ram;
    else if (go_i) waits_q <= 1'b0;
    state_q <= state_i;
  end

  // ---- writes ----------------------------------------------------------------------------------------
  localparam [COUNT_W-1:0] MOST = MAX_DEPTH[COUNT_W-1:0];
  reg [COUNT_W-1:0] limit_q, below_limit_q;
  reg [THREAD_W-1:0] group_q;
  reg [COUNT_W-1:0] ld_limit_q;        // of a context that comes in
  reg [THREAD_W-1:0] ld_group_q;
  wire limit_good, group_good;
  register_range #(.MOST(MAX_DEPTH)) u_limit_range (.data_i(data), .good_o(limit_good));
  register_range #(.MOST(THREADS - 1)) u_group_range (.data_i(data), .good_o(group_good));
  wire [COUNT_W-1:0] limit_d = limit_good ? data[COUNT_W-1:0] : MOST;
  wire w_limit = writes && hit[LIMIT];
  wire w_group = writes && hit[GROUP] && group_good;
  wire w_error = writes && hit[ERROR];
  always @(posedge clk_i)
    if (rst_i) begin
      limit_q <= MOST;
      below_limit_q <= MOST - 1'b1;
      group_q <= {THREAD_W{1'b0}};
    end else begin
      if (w_limit || commit_i) limit_q <= commit_i ? ld_limit_q : limit_d;
      if (w_limit || commit_i) below_limit_q <= (commit_i ? ld_limit_q : limit_d) - 1'b1;
      if (w_group || commit_i) group_q <= commit_i ? ld_group_q : data[THREAD_W-1:0];
    end
  assign limit_o = limit_q;
  assign below_limit_o = below_limit_q;
  assign group_o = group_q;

  // ---- first error -----------------------------------------------------------------------------------
  reg error_q;
  reg [5:0] error_what_q;
  reg [THREAD_W-1:0] error_group_q;
  reg [15:0] count_q;
  wire [15:0] count = w_error ? 16'd0 : count_q;
  always @(posedge clk_i)
    if (rst_i || clear_i) begin
      error_q <= 1'b0;
      count_q <= 16'd0;
    end else if (word_we_i) begin
      if (field_i[2]) error_q <= ctx_word_i[31];
      if (field_i[3]) count_q <= ctx_word_i[15:0];
    end else begin
      error_q <= error_i || (error_q && !w_error);
      count_q <= (error_i && count != 16'hffff) ? count + 16'd1 : count;
    end
  always @(posedge clk_i)
    if (word_we_i && field_i[2]) begin
      error_what_q <= {ctx_word_i[18:16], ctx_word_i[14:12]};
      error_group_q <= ctx_word_i[THREAD_W-1:0];
    end else if (error_i && (!error_q || w_error)) begin
      error_what_q <= {error_status_i, error_kind_i};
      error_group_q <= error_group_i;
    end
  wire [31:0] error_word = {1'b1, 12'd0, error_what_q[5:3], 1'b0, error_what_q[2:0], {12-THREAD_W{1'b0}},
                            error_group_q};

  // ---- context ---------------------------------------------------------------------------------------
  always @(posedge clk_i)
    if (word_we_i) begin
      if (field_i[0]) ld_limit_q <= ctx_word_i[COUNT_W-1:0];
      if (field_i[1]) ld_group_q <= ctx_word_i[THREAD_W-1:0];
    end
  assign word_bad_o = (field_i[0] && ctx_word_i > MAX_DEPTH) || (field_i[1] && ctx_word_i >= THREADS);
  assign word_o = field_i[0] ? {{32-COUNT_W{1'b0}}, limit_q} : field_i[1] ? {{32-THREAD_W{1'b0}}, group_q}
                : field_i[2] ? (error_q ? error_word : 32'd0) : {16'd0, count_q};

  // ---- reads -----------------------------------------------------------------------------------------
  // A word of the RAM is {status, kind of instruction, kind of token, mask, pc}.
  wire known = state_q[1] || (state_q[0] && !error_half_o);
  wire [31:0] status_word = {22'd0, word_i[PC_W+LANES+:2], 1'b0, word_i[WORD_W-4-:3], 1'b0,
      word_i[WORD_W-1-:3]};
  wire [32*WORDS-1:0] words;
  assign words[32*ID+:32] = 32'h42550001;
  assign words[32*STATUS+:32] = {29'd0, error_q, |stopped_i, !(|live_i)};
  assign words[32*LIMIT+:32] = {{32-COUNT_W{1'b0}}, limit_q};
  assign words[32*GROUP+:32] = {{32-THREAD_W{1'b0}}, group_q};
  assign words[32*GROUP_STATE+:32] = {28'd0, state_q};
  assign words[32*DEPTH+:32] = known ? {{32-COUNT_W{1'b0}}, depth_i} : 32'd0;
  assign words[32*ERROR+:32] = error_q ? error_word : 32'd0;
  assign words[32*ERROR_COUNT+:32] = {16'd0, count_q};
  assign words[32*ERROR_STATUS+:32] = known ? status_word : 32'd0;
  wire readable;
  wire [31:0] map_word;
  register_map #(.N(WORDS), .ADDR_W(10), .ADDRESS(ADDRESS)) u_map (
    .addr_i(addr), .words_i(words), .hit_o(hit), .readable_o(readable), .word_o(map_word));

  wire at_pc, at_error_pc, at_mask, at_error_mask, at_live, at_stopped;
  wire [31:0] pc_word, error_pc_word, mask_word, error_mask_word, live_word, stopped_word;
  register_vector #(.BITS(PC_W), .AT(PC)) u_pc (
    .addr_i(addr), .bits_i(word_i[PC_W-1:0]), .hit_o(at_pc), .word_o(pc_word));
  register_vector #(.BITS(PC_W), .AT(ERROR_PC)) u_error_pc (
    .addr_i(addr), .bits_i(word_i[PC_W-1:0]), .hit_o(at_error_pc), .word_o(error_pc_word));
  register_vector #(.BITS(LANES), .AT(MASK)) u_mask (
    .addr_i(addr), .bits_i(word_i[PC_W+:LANES]), .hit_o(at_mask), .word_o(mask_word));
  register_vector #(.BITS(LANES), .AT(ERROR_MASK)) u_error_mask (
    .addr_i(addr), .bits_i(word_i[PC_W+:LANES]), .hit_o(at_error_mask), .word_o(error_mask_word));
  register_vector #(.BITS(THREADS), .AT(LIVE)) u_live (
    .addr_i(addr), .bits_i(live_i), .hit_o(at_live), .word_o(live_word));
  register_vector #(.BITS(THREADS), .AT(STOPPED)) u_stopped (
    .addr_i(addr), .bits_i(stopped_i), .hit_o(at_stopped), .word_o(stopped_word));
  assign word = map_word | (live_word & {32{at_live}}) | (stopped_word & {32{at_stopped}})
                | (pc_word & {32{known && at_pc}}) | (error_pc_word & {32{known && at_error_pc}})
                | (mask_word & {32{known && at_mask}}) | (error_mask_word & {32{known && at_error_mask}});
  wire reads = readable || at_pc || at_error_pc || at_mask || at_error_mask || at_live || at_stopped;
  assign good = write ? w_limit || w_group || w_error : reads;
endmodule

`default_nettype wire
