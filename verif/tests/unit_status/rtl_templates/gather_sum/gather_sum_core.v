// SPDX-License-Identifier: Apache-2.0
// gather_sum_core: sums GROUP words of each channel; the example unit of unit_shell.
// A word adds itself, or the word of memory that it names (index in words behind BASE), to its channel. The
// GROUP-th word of a channel sends {channel, count, sum} out and empties it; so does a resume, for the next
// channel in turn, with what is there, when the word at work is done. One word at a time: 3 cycles, with
// memory 3 more and its latency. An access that memory refuses counts as 0 and sets the nack bit. Reset: all
// channels empty, BASE 0.
`default_nettype none

module gather_sum_core #(
  parameter CHANNELS = 4,
  parameter GROUP = 3,
  parameter ENCODING = 0  // of state_o: 0 one_hot, 1 two_of_four, 2 binary
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire in_valid_i,
  output wire in_ready_o,
  input  wire [((CHANNELS > 1) ? $clog2(CHANNELS) : 1)-1:0] in_channel_i,
  input  wire in_indirect_i,
  input  wire [23:0] in_data_i,

  output wire out_valid_o,
  input  wire out_ready_i,
  output wire [((CHANNELS > 1) ? $clog2(CHANNELS) : 1)-1:0] out_channel_o,
  output wire [7:0] out_count_o,
  output wire [23:0] out_data_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire mem_req_tag_o,
  output wire [25:0] mem_req_addr_o,
  output wire [31:0] mem_req_data_o,
  output wire [3:0] mem_req_strb_o,
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire mem_rsp_tag_i,
  input  wire [31:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [2:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [((ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire [15:0] ctx_unit_i,
  input  wire ctx_cmd_valid_i,
  input  wire ctx_cmd_load_i,
  output wire ctx_cmd_ready_o,
  output wire ctx_done_o,
  output wire [2:0] ctx_error_o,
  output wire ctx_out_valid_o,
  input  wire ctx_out_ready_i,
  output wire [31:0] ctx_out_data_o,
  output wire ctx_out_last_o,
  input  wire ctx_in_valid_i,
  output wire ctx_in_ready_o,
  input  wire [31:0] ctx_in_data_i,
  input  wire ctx_in_last_i,
  input  wire [1:0] ctx_in_error_i
);
  localparam CHANNEL_W = (CHANNELS > 1) ? $clog2(CHANNELS) : 1;
  localparam LIVE_W = $clog2(CHANNELS + 1);
  localparam CTX_MAX = CHANNELS + 4;
  localparam CFG_HASH = ((32'h811c9dc5 ^ CHANNELS) * 32'h01000193 ^ GROUP) * 32'h01000193;
  localparam [CHANNEL_W-1:0] TOP = CHANNELS[CHANNEL_W-1:0] - 1'b1;  // the last channel
  localparam [2:0] CLEAR = 3'd0, TAKE = 3'd1, ISSUE = 3'd2, ANSWER = 3'd3, READ = 3'd4, ADD = 3'd5;
  localparam [1:0] DIRECT = 2'd0, INDIRECT = 2'd1, FLUSH = 2'd2;

  generate
    if (CHANNELS < 1 || CHANNELS > 64) begin : g_channels_range
      channels_out_of_range check ();
    end
    if (GROUP < 1 || GROUP > 255) begin : g_group_range
      group_out_of_range check ();
    end
    if (ENCODING < 0 || ENCODING > 2) begin : g_encoding_range
      encoding_out_of_range check ();
    end
  endgenerate

  // ---- state: the word at work, the sum on its way out, how many channels hold something, whose turn a
  // flush is
  reg [2:0] phase_q;
  reg [1:0] kind_q;
  reg [CHANNEL_W-1:0] channel_q;
  reg [23:0] data_q;
  reg out_valid_q;
  reg [CHANNEL_W-1:0] out_channel_q;
  reg [7:0] out_count_q;
  reg [23:0] out_data_q;
  reg [LIVE_W-1:0] live_q;
  reg [CHANNEL_W-1:0] turn_q;
  reg flush_q;                    // a resume has not been acted upon
  reg [23:0] base_q;
  reg req_q, busy_q;              // an access is offered; is offered or not answered
  reg [23:0] addr_q;
  reg [CHANNEL_W-1:0] walk_q;     // channel that is cleared, saved or loaded

  wire halted, resume, clear, closed, still, ctx_load, ld_commit;
  wire can_halt = phase_q != CLEAR && phase_q != ANSWER;  // busy_q in these two only

  // ---- the word at work
  wire ready = phase_q == TAKE && !flush_q;  // before the halt gate
  assign in_ready_o = ready && !closed && !ctx_load;
  wire takes = in_valid_i && in_ready_o;
  wire flushes = phase_q == TAKE && flush_q && !still;
  wire answered = mem_rsp_valid_i && mem_rsp_ready_o;
  wire refused = answered && phase_q == ANSWER && mem_rsp_error_i != 2'd0;

  wire [31:0] ram_word;
  wire [7:0] count = ram_word[31:24] + {7'd0, kind_q != FLUSH};
  wire [23:0] sum = ram_word[23:0] + (kind_q == FLUSH ? 24'd0 : data_q);
  wire emits = kind_q == FLUSH ? count != 8'd0 : count == GROUP[7:0];
  wire stuck = emits && out_valid_q && !out_ready_i;
  wire adds = phase_q == ADD && !still && !stuck;

  assign out_valid_o = out_valid_q && !still;
  assign {out_channel_o, out_count_o, out_data_o} = {out_channel_q, out_count_q, out_data_q};
  wire delivered = out_valid_o && out_ready_i;

  assign {mem_req_valid_o, mem_req_write_o, mem_req_tag_o} = {req_q, 1'b0, 1'b0};
  assign {mem_req_addr_o, mem_req_data_o, mem_req_strb_o} = {addr_q, 2'b00, 32'd0, 4'd0};
  assign mem_rsp_ready_o = busy_q && !req_q;

  // ---- the context streams (order: bits, BASE, the word at work, the sum on its way out, the channels)
  wire ctx_save, sav_ready, ld_valid, ld_last;
  wire [23:0] ld_len;
  wire [31:0] ld_data;
  localparam [2:0] BITS = 3'd0, BASE = 3'd1, WORK = 3'd2, OUT = 3'd3, SUMS = 3'd4, BEYOND = 3'd5;
  reg [2:0] step_q;
  reg ld_work_q, ld_out_q, ld_nack_q;
  wire work = phase_q == ISSUE || phase_q == READ;  // of a halted unit: one word is at work
  wire [23:0] ctx_len = CHANNELS[23:0] + 24'd2 + {23'd0, work} + {23'd0, out_valid_q};
  wire sav_last = step_q == SUMS && walk_q == TOP;
  wire sav_taken = ctx_save && sav_ready;
  wire [5:0] out_channel = {{6-CHANNEL_W{1'b0}}, out_channel_q} & {6{out_valid_q}};
  wire [5:0] channel = {{6-CHANNEL_W{1'b0}}, channel_q} & {6{work}};
  reg [31:0] sav_data;
  always @*
    case (step_q)
      BITS: sav_data = {2'd0, {6-CHANNEL_W{1'b0}}, turn_q, 2'd0, channel, 2'd0, out_channel,
                         2'd0, flush_q, out_valid_q, kind_q & {2{work}}, work, nack_o};
      BASE: sav_data = {8'd0, base_q};
      WORK: sav_data = {8'd0, data_q & {24{kind_q != FLUSH}}};
      OUT: sav_data = {out_count_q, out_data_q};
      default: sav_data = ram_word;
    endcase

  wire ld_taken = ld_valid;       // always room
  reg wrong;                      // what no save of this configuration can have written
  always @*
    case (step_q)
      BITS: wrong = {1'b0, ld_data[29:24]} >= CHANNELS[6:0] || {1'b0, ld_data[21:16]} >= CHANNELS[6:0] ||
                     {1'b0, ld_data[13:8]} >= CHANNELS[6:0] || ld_data[3:2] == 2'd3 ||
                     {ld_data[31:30], ld_data[23:22], ld_data[15:14], ld_data[7:6]} != 8'd0 ||
                     (!ld_data[1] && {ld_data[21:16], ld_data[3:2]} != 8'd0) ||
                     (!ld_data[4] && ld_data[13:8] != 6'd0);
      BASE: wrong = ld_data[31:24] != 8'd0;
      WORK: wrong = ld_data[31:24] != 8'd0 || (kind_q == FLUSH && ld_data[23:0] != 24'd0);
      OUT: wrong = ld_data[31:24] == 8'd0 || ld_data[31:24] > GROUP[7:0];
      SUMS: wrong = ld_data[31:24] >= GROUP[7:0];
      default: wrong = 1'b1;
    endcase
  wire ld_wrong = wrong || (ld_last && (step_q != SUMS || walk_q != TOP));

  wire has_work = ctx_save ? work : ld_work_q;
  wire has_out = ctx_save ? out_valid_q : ld_out_q;
  reg [2:0] step_next;
  always @*
    case (step_q)
      BITS: step_next = BASE;
      BASE: step_next = has_work ? WORK : has_out ? OUT : SUMS;
      WORK: step_next = has_out ? OUT : SUMS;
      OUT: step_next = SUMS;
      default: step_next = walk_q == TOP ? BEYOND : SUMS;
    endcase
  wire step = sav_taken || ld_taken;

  always @(posedge clk_i) begin
    if (!ctx_save && !ctx_load) step_q <= BITS;
    else if (step) step_q <= step_next;
    if ((phase_q == CLEAR || (step_q == SUMS && step)) && walk_q != TOP) walk_q <= walk_q + 1'b1;
    else if (phase_q != CLEAR && step_q == BITS) walk_q <= {CHANNEL_W{1'b0}};
    if (clear || rst_i) walk_q <= {CHANNEL_W{1'b0}};
    if (ld_taken && step_q == BITS) {ld_out_q, ld_work_q, ld_nack_q} <= {ld_data[4], ld_data[1:0]};
  end

  // ---- sums
  wire sum_write = adds && (emits || kind_q != FLUSH);
  wire [CHANNEL_W-1:0] save_at = sav_taken && step_q == SUMS ? walk_q + 1'b1 : walk_q;  // a cycle ahead
  ram_1r1w #(.WIDTH(32), .DEPTH(CHANNELS)) u_sums (
    .clk_i(clk_i),
    .we_i(phase_q == CLEAR || sum_write || (ld_taken && step_q == SUMS)),
    .waddr_i(sum_write ? channel_q : walk_q),
    .wdata_i(ld_taken ? ld_data : sum_write && !emits ? {count, sum} : 32'd0),
    .raddr_i(ctx_save && halted ? save_at : channel_q),
    .rdata_o(ram_word)
  );

  // ---- registers: 0 BASE (written while halted or without work), 4 STATUS (bit 0: nack, cleared by writing
  // 1)
  wire st_work = (phase_q != CLEAR && phase_q != TAKE) || out_valid_q || flush_q ||
                 live_q != {LIVE_W{1'b0}};
  wire reg_executes, reg_write;
  wire [2:0] reg_addr;
  wire [31:0] reg_data;
  wire reg_known = reg_addr[1:0] == 2'd0;
  wire base_good = reg_data[31:24] == 8'd0 && (halted || (!st_work && phase_q != CLEAR));
  wire base_write = reg_executes && reg_write && reg_addr == 3'd0 && base_good;
  wire nack_clear = reg_executes && reg_write && reg_addr == 3'd4 && reg_data[0];

  // ---- next state
  wire was_live = ram_word[31:24] != 8'd0;
  always @(posedge clk_i) begin
    if (takes) begin
      {kind_q, channel_q, data_q} <= {1'b0, in_indirect_i, in_channel_i, in_data_i};
      phase_q <= in_indirect_i ? ISSUE : READ;
    end
    if (flushes) begin
      {kind_q, channel_q} <= {FLUSH, turn_q};
      turn_q <= turn_q == TOP ? {CHANNEL_W{1'b0}} : turn_q + 1'b1;
      phase_q <= READ;
      flush_q <= 1'b0;
    end
    if (resume && phase_q != CLEAR) flush_q <= 1'b1;
    if (mem_req_ready_i) req_q <= 1'b0;
    if (phase_q == ISSUE && !still) begin
      {req_q, busy_q, addr_q} <= {2'b11, base_q + data_q};
      phase_q <= ANSWER;
    end
    if (answered) begin
      busy_q <= 1'b0;
      if (phase_q == ANSWER) begin
        {kind_q, data_q} <= {DIRECT, refused ? 24'd0 : mem_rsp_data_i[23:0]};
        phase_q <= READ;
      end
    end
    if (phase_q == READ && !still) phase_q <= ADD;
    if (phase_q == ADD && still) phase_q <= READ;  // saved as a word at work; read again after the release
    if (adds) phase_q <= TAKE;
    if (delivered) out_valid_q <= 1'b0;
    if (adds && emits) {out_valid_q, out_channel_q, out_count_q, out_data_q} <= {1'b1, channel_q, count, sum};
    if (adds) live_q <= live_q + {{LIVE_W-1{1'b0}}, !was_live && !emits && kind_q != FLUSH}
                               - {{LIVE_W-1{1'b0}}, was_live && emits};
    if (phase_q == CLEAR && walk_q == TOP && !busy_q) phase_q <= TAKE;

    if (ld_taken)
      case (step_q)
        BITS: begin
          turn_q <= ld_data[24+:CHANNEL_W];
          flush_q <= ld_data[5];
          {channel_q, kind_q} <= {ld_data[16+:CHANNEL_W], ld_data[3:2]};
          out_channel_q <= ld_data[8+:CHANNEL_W];
          live_q <= {LIVE_W{1'b0}};
        end
        BASE: addr_q <= ld_data[23:0];  // becomes BASE when all is known to be good
        WORK: data_q <= ld_data[23:0];
        OUT: {out_count_q, out_data_q} <= ld_data;
        default: live_q <= live_q + {{LIVE_W-1{1'b0}}, ld_data[31:24] != 8'd0};
      endcase
    if (ld_commit) begin
      base_q <= addr_q;
      out_valid_q <= ld_out_q;
      phase_q <= !ld_work_q ? TAKE : kind_q == INDIRECT ? ISSUE : READ;
    end
    if (base_write) base_q <= reg_data[23:0];

    if (clear || rst_i) begin
      phase_q <= CLEAR;
      out_valid_q <= 1'b0;
      live_q <= {LIVE_W{1'b0}};
      turn_q <= {CHANNEL_W{1'b0}};
      flush_q <= 1'b0;
    end
    if (rst_i) begin
      {req_q, busy_q} <= 2'b00;
      base_q <= 24'd0;
    end
  end

  // ---- the shell
  wire st_proc = !still && (phase_q == ISSUE || phase_q == READ || adds || flushes);
  wire st_in = in_valid_i && ready && !clear;
  wire unused_halt, unused_clearing, unused_abort, unused_taken, unused_refused;
  unit_shell #(
    .STATUS(ENCODING + 1), .UNIT_TYPE(1), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX), .ADDR_W(3)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i), .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .st_in_i(st_in),
    .st_out_i(out_valid_q && (out_ready_i || halted)),
    .st_proc_i(st_proc),
    .st_work_i(st_work),
    .st_mem_i(busy_q),
    .st_mem_done_i(answered),
    .st_nack_i(refused),
    .st_blocked_i(out_valid_q && !out_ready_i),
    .st_cannot_i(!(work || (phase_q == ADD && !stuck) || (phase_q == TAKE && flush_q) || st_in)),
    .st_progress_i(takes || delivered || answered || (req_q && mem_req_ready_i) || st_proc),
    .st_gather_i(ready && !out_valid_q && live_q != {LIVE_W{1'b0}}),
    .can_halt_i(can_halt), .clears_i(1'b0), .nack_clear_i(nack_clear), .nack_load_i(ld_nack_q),
    .halt_o(unused_halt), .halted_o(halted), .resume_o(resume), .clear_o(clear),
    .clearing_o(unused_clearing), .closed_o(closed), .still_o(still),
    .save_o(ctx_save), .ctx_len_i(ctx_len), .sav_valid_i(ctx_save), .sav_ready_o(sav_ready),
    .sav_data_i(sav_data), .sav_last_i(sav_last), .load_o(ctx_load), .ld_len_o(ld_len),
    .ld_valid_o(ld_valid), .ld_ready_i(1'b1), .ld_data_o(ld_data), .ld_last_o(ld_last),
    .ld_wrong_i(ld_wrong), .ld_refused_o(unused_refused), .commit_o(ld_commit), .abort_o(unused_abort),
    .reg_taken_o(unused_taken), .reg_waits_i(1'b0), .reg_executes_o(reg_executes), .reg_write_o(reg_write),
    .reg_addr_o(reg_addr), .reg_data_o(reg_data),
    .reg_good_i(reg_known && !(reg_write && !reg_addr[2] && !base_good)),
    .reg_word_i(!reg_known ? 32'd0 : reg_addr[2] ? {31'd0, nack_o} : {8'd0, base_q}));
  wire unused = &{1'b0, mem_rsp_tag_i, mem_rsp_data_i[31:24], ld_len};
endmodule

`default_nettype wire
