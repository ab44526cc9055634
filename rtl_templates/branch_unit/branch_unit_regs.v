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
  output reg  reg_rsp_valid_o,
  output reg  [31:0] reg_rsp_data_o,
  output reg  reg_rsp_error_o,

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
  localparam [9:0] ID = 10'h000, STATUS = 10'h004, LIMIT = 10'h008, GROUP = 10'h00c,
                   ERROR = 10'h018, ERROR_COUNT = 10'h01c;
  localparam MASK_WORDS = (LANES + 31) / 32, PC_WORDS = (PC_W + 31) / 32, GROUP_WORDS = (THREADS + 31) / 32;

  reg busy_q, write_q, waits_q, read_q;
  reg [9:0] addr_q;
  reg [31:0] data_q;
  reg [3:0] state_q;
  wire [9:0] a = reg_req_addr_i;
  wire needs_ram = !reg_req_write_i && a[9:7] == 3'd0 && a[1:0] == 2'd0 && (a[6] || a[5] || a[4:3] == 2'b10);
  wire taken = reg_req_valid_i && !busy_q;
  wire executes = busy_q && !waits_q;
  wire writes = executes && write_q;
  assign reg_req_ready_o = !busy_q;
  assign waits_o = waits_q;
  assign error_half_o = addr_q[6] ? addr_q[4] : addr_q[5] && (addr_q[4] || addr_q[3]);
  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
      waits_q <= 1'b0;
    end else begin
      busy_q <= taken || (busy_q && waits_q);
      if (taken) waits_q <= needs_ram;
      else if (go_i) waits_q <= 1'b0;
    end
    read_q <= waits_q;
    state_q <= state_i;
    if (taken) begin
      write_q <= reg_req_write_i;
      addr_q <= a;
    end
    data_q <= reg_req_data_i;          // a write is done a cycle later
  end

  // ---- writes ----------------------------------------------------------------------------------------
  localparam [COUNT_W-1:0] MOST = MAX_DEPTH[COUNT_W-1:0];
  reg [COUNT_W-1:0] limit_q, below_limit_q;
  reg [THREAD_W-1:0] group_q;
  reg [COUNT_W-1:0] ld_limit_q;        // of a context that comes in
  reg [THREAD_W-1:0] ld_group_q;
  wire above;
  generate
    if ((MAX_DEPTH & (MAX_DEPTH + 1)) == 0) begin : g_all_ones
      assign above = 1'b0;
    end else begin : g_most_depth
      assign above = data_q[COUNT_W-1:0] > MOST;
    end
  endgenerate
  wire over = (data_q >> COUNT_W) != 32'd0 || above;
  wire [COUNT_W-1:0] limit_d = over ? MOST : data_q[COUNT_W-1:0];
  wire group_good = (data_q >> THREAD_W) == 32'd0 && {1'b0, data_q[THREAD_W-1:0]} < THREADS[THREAD_W:0];
  wire w_limit = writes && addr_q == LIMIT;
  wire w_group = writes && addr_q == GROUP && group_good;
  wire w_error = writes && addr_q == ERROR;
  always @(posedge clk_i)
    if (rst_i) begin
      limit_q <= MOST;
      below_limit_q <= MOST - 1'b1;
      group_q <= {THREAD_W{1'b0}};
    end else begin
      if (w_limit || commit_i) limit_q <= commit_i ? ld_limit_q : limit_d;
      if (w_limit || commit_i) below_limit_q <= (commit_i ? ld_limit_q : limit_d) - 1'b1;
      if (w_group || commit_i) group_q <= commit_i ? ld_group_q : data_q[THREAD_W-1:0];
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
  wire [127:0] mask = {{128-LANES{1'b0}}, word_i[PC_W+:LANES]};
  wire [63:0] pc;
  generate
    if (PC_W < 64) begin : g_pc
      assign pc = {{64-PC_W{1'b0}}, word_i[PC_W-1:0]};
    end else begin : g_pc_full
      assign pc = word_i[63:0];
    end
  endgenerate
  wire known = state_q[1] || (state_q[0] && !error_half_o);
  reg [31:0] ram_d;
  reg ram_good;
  always @* begin
    ram_d = 32'd0;
    ram_good = 1'b1;
    if (addr_q[6]) begin
      ram_d = mask[32*addr_q[3:2]+:32];
      ram_good = !addr_q[5] && {1'b0, addr_q[3:2]} < MASK_WORDS[2:0];
    end else if (!addr_q[5]) begin
      ram_d = addr_q[2] ? {{32-COUNT_W{1'b0}}, depth_i} : {28'd0, state_q};
    end else if (addr_q[4:3] == 2'b01) begin
      ram_d = {22'd0, word_i[PC_W+LANES+:2], 1'b0, word_i[WORD_W-4-:3], 1'b0, word_i[WORD_W-1-:3]};
      ram_good = !addr_q[2];
    end else begin
      ram_d = pc[32*addr_q[2]+:32];
      ram_good = addr_q[4:3] != 2'b11 && {1'b0, addr_q[2]} < PC_WORDS[1:0];
    end
    if (!known && (addr_q[6] || addr_q[5] || addr_q[2])) ram_d = 32'd0;
  end

  wire [1023:0] lives = {{1024-THREADS{1'b0}}, live_i}, stops = {{1024-THREADS{1'b0}}, stopped_i};
  reg [31:0] read_d;
  reg read_good;
  integer i;
  always @* begin
    read_good = !write_q;
    case (addr_q)
      ID: read_d = 32'h42550001;
      STATUS: read_d = {29'd0, error_q, |stopped_i, !(|live_i)};
      LIMIT: read_d = {{32-COUNT_W{1'b0}}, limit_q};
      GROUP: read_d = {{32-THREAD_W{1'b0}}, group_q};
      ERROR: read_d = error_q ? error_word : 32'd0;
      ERROR_COUNT: read_d = {16'd0, count_q};
      default: begin
        read_good = 1'b0;
        read_d = 32'd0;
      end
    endcase
    for (i = 0; i < GROUP_WORDS; i = i + 1) begin
      if (addr_q == 10'h080 + {i[7:0], 2'd0}) begin
        read_d = lives[32*i+:32];
        read_good = !write_q;
      end
      if (addr_q == 10'h100 + {i[7:0], 2'd0}) begin
        read_d = stops[32*i+:32];
        read_good = !write_q;
      end
    end
  end

  wire good = read_q ? ram_good : read_good || w_limit || w_group || w_error;
  always @(posedge clk_i) begin
    reg_rsp_valid_o <= executes && !rst_i;
    reg_rsp_error_o <= !good;
    reg_rsp_data_o <= !good || write_q ? 32'd0 : read_q ? ram_d : read_d;
  end
endmodule

`default_nettype wire
