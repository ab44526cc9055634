// SPDX-License-Identifier: Apache-2.0
// gather_sum_blackbox: what the port contract of a unit demands, of the example unit with both cells. Words,
// commands and memory are free; the memory answers what was asked. With RESAVE the front end does one thing:
// it halts the unit, loads any context of RESAVE words with a good header, and saves it again. Each output is
// one property; 1 says that it is broken.
`default_nettype none

module gather_sum_blackbox #(
  parameter CHANNELS = 4,
  parameter GROUP = 3,
  parameter ENCODING = 0,
  parameter CHANNEL_W = 2,
  parameter CTX_MAX = 8,
  parameter CFG_HASH = 0,
  parameter HALT_OWN = 7,
  // Options of a task.
  parameter RESAVE = 0,
  parameter PROMPT = 0    // the memory takes and answers at once, the outputs are taken
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire free_in_valid_i,
  input  wire [CHANNEL_W-1:0] free_in_channel_i,
  input  wire free_in_indirect_i,
  input  wire [23:0] free_in_data_i,
  output wire in_valid_i,
  output wire [CHANNEL_W-1:0] in_channel_i,
  output wire in_indirect_i,
  output wire [23:0] in_data_i,
  input  wire in_ready_o,
  input  wire out_valid_o,
  input  wire free_out_ready_i,
  output wire out_ready_i,
  input  wire [CHANNEL_W-1:0] out_channel_o,
  input  wire [7:0] out_count_o,
  input  wire [23:0] out_data_o,

  input  wire mem_req_valid_o,
  input  wire free_mem_req_ready_i,
  output wire mem_req_ready_i,
  input  wire mem_req_write_o,
  input  wire mem_req_tag_o,
  input  wire [25:0] mem_req_addr_o,
  input  wire [31:0] mem_req_data_o,
  input  wire [3:0] mem_req_strb_o,
  input  wire free_mem_rsp_valid_i,
  output wire mem_rsp_valid_i,
  input  wire mem_rsp_ready_o,
  input  wire free_mem_rsp_tag_i,
  output wire mem_rsp_tag_i,
  input  wire [31:0] free_mem_rsp_data_i,
  output wire [31:0] mem_rsp_data_i,
  input  wire [1:0] free_mem_rsp_error_i,
  output wire [1:0] mem_rsp_error_i,

  input  wire free_reg_req_valid_i,
  output wire reg_req_valid_i,
  input  wire reg_req_ready_o,
  input  wire free_reg_req_write_i,
  output wire reg_req_write_i,
  input  wire [2:0] free_reg_req_addr_i,
  output wire [2:0] reg_req_addr_i,
  input  wire [31:0] free_reg_req_data_i,
  output wire [31:0] reg_req_data_i,
  input  wire reg_rsp_valid_o,
  input  wire [31:0] reg_rsp_data_o,
  input  wire reg_rsp_error_o,

  input  wire free_cmd_halt_i,
  input  wire free_cmd_reset_i,
  input  wire free_cmd_resume_i,
  output wire cmd_halt_i,
  output wire cmd_reset_i,
  output wire cmd_resume_i,
  input  wire [((ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3)-1:0] state_o,
  input  wire progress_o,
  input  wire waiting_o,
  input  wire gather_o,
  input  wire nack_o,

  input  wire [15:0] free_ctx_unit_i,
  output wire [15:0] ctx_unit_i,
  input  wire free_ctx_cmd_valid_i,
  output wire ctx_cmd_valid_i,
  input  wire free_ctx_cmd_load_i,
  output wire ctx_cmd_load_i,
  input  wire ctx_cmd_ready_o,
  input  wire ctx_done_o,
  input  wire [2:0] ctx_error_o,
  input  wire ctx_out_valid_o,
  input  wire free_ctx_out_ready_i,
  output wire ctx_out_ready_i,
  input  wire [31:0] ctx_out_data_o,
  input  wire ctx_out_last_o,
  input  wire free_ctx_in_valid_i,
  output wire ctx_in_valid_i,
  input  wire ctx_in_ready_o,
  input  wire [31:0] free_ctx_in_data_i,
  output wire [31:0] ctx_in_data_i,
  input  wire free_ctx_in_last_i,
  output wire ctx_in_last_i,
  input  wire [1:0] free_ctx_in_error_i,
  output wire [1:0] ctx_in_error_i,

  output wire bad_one_state_o,   // the state is exactly one of the five
  output wire bad_halted_o,      // halted is never reported while an access is pending
  output wire bad_still_o,       // while halted, streams neither offer nor take
  output wire bad_input_o,       // under a halt request no word is taken
  output wire bad_begin_o,       // under a halt request no access is begun
  output wire bad_latency_o,     // halted within HALT_OWN cycles when memory answers at once
  output wire bad_move_o,        // a context moves only while halted
  output wire bad_done_o,        // a command ends once
  output wire bad_resave_o,      // a save right after a load gives the same words
  output wire cover_resave_o     // a load and the save behind it are done
);
  localparam HALTED = (ENCODING == 0) ? 16 : (ENCODING == 1) ? 10 : 4;
  wire halted = state_o == HALTED;
  reg valid_q;
  always @(posedge clk_i) valid_q <= !rst_i;
  wire check = valid_q && !rst_i;

  // ---- words and registers
  assign {in_valid_i, in_indirect_i, in_data_i} =
         {free_in_valid_i && RESAVE == 0, free_in_indirect_i, free_in_data_i};
  assign in_channel_i = (free_in_channel_i < CHANNELS) ? free_in_channel_i : {CHANNEL_W{1'b0}};
  assign out_ready_i = free_out_ready_i || PROMPT != 0;
  assign reg_req_valid_i = free_reg_req_valid_i && RESAVE == 0;
  assign {reg_req_write_i, reg_req_addr_i, reg_req_data_i} =
         {free_reg_req_write_i, free_reg_req_addr_i, free_reg_req_data_i};

  // ---- memory: one answer for each request, held until taken
  reg due_q, offered_q;
  assign mem_req_ready_i = free_mem_req_ready_i || PROMPT != 0;
  assign mem_rsp_valid_i = due_q && (free_mem_rsp_valid_i || offered_q || PROMPT != 0);
  assign {mem_rsp_tag_i, mem_rsp_data_i, mem_rsp_error_i} = {1'b0, free_mem_rsp_data_i, free_mem_rsp_error_i};
  always @(posedge clk_i) begin
    due_q <= !rst_i
             && ((mem_req_valid_o && mem_req_ready_i) || (due_q && !(mem_rsp_valid_i && mem_rsp_ready_o)));
    offered_q <= !rst_i && mem_rsp_valid_i && !mem_rsp_ready_o;
  end

  // ---- commands. A front end that keeps the contract holds halt before and while a context moves,
  // and gives no command behind a reset.
  reg moving_q;                         // a save or a load is under way
  reg [15:0] unit_q;
  reg halt_q, reset_q;
  wire begins = ctx_cmd_valid_i && ctx_cmd_ready_o;
  assign ctx_unit_i = rst_i ? free_ctx_unit_i : unit_q;
  assign cmd_halt_i = free_cmd_halt_i || moving_q || begins || RESAVE != 0;
  assign cmd_reset_i = free_cmd_reset_i && !moving_q && !begins && RESAVE == 0;
  assign cmd_resume_i = free_cmd_resume_i && RESAVE == 0;
  always @(posedge clk_i) begin
    unit_q <= ctx_unit_i;
    moving_q <= !rst_i && (begins || (moving_q && !ctx_done_o));
  end

  // ---- load, then save: what went in must come out
  localparam ROOM = CTX_MAX + 5;
  reg [1:0] stage_q;                    // 0 to load, 1 loading, 2 to save, 3 saving
  reg [7:0] at_q;                       // word of the stream
  wire [7:0] length = RESAVE;           // of the payload
  reg [31:0] sum_q;
  reg [32*ROOM-1:0] stream_q;
  reg safe_q;                           // the load ended well
  wire moves_in = ctx_in_valid_i && ctx_in_ready_o;
  wire moves_out = ctx_out_valid_o && ctx_out_ready_i;
  wire [31:0] word = (at_q == 0) ? {16'd1, ctx_unit_i} : (at_q == 1) ? CFG_HASH
                   : (at_q == 2) ? {24'd0, length} : free_ctx_in_data_i;
  assign ctx_cmd_valid_i = (RESAVE != 0) ? stage_q == 0 || stage_q == 2 : free_ctx_cmd_valid_i && halt_q
      && !reset_q;
  assign ctx_cmd_load_i = (RESAVE != 0) ? stage_q == 0 : free_ctx_cmd_load_i;
  assign ctx_in_valid_i = free_ctx_in_valid_i || RESAVE != 0;
  assign ctx_in_data_i = (RESAVE != 0) ? word : free_ctx_in_data_i;
  assign ctx_in_last_i = (RESAVE != 0) ? at_q == length + 2 : free_ctx_in_last_i;
  assign ctx_in_error_i = free_ctx_in_error_i & {2{RESAVE == 0}};
  assign ctx_out_ready_i = free_ctx_out_ready_i || RESAVE != 0;
  always @(posedge clk_i) begin
    if (begins || rst_i) at_q <= 8'd0;
    else if (moves_in || moves_out) at_q <= at_q + 8'd1;
    if (moves_in && at_q < ROOM) stream_q[32*at_q+:32] <= word;
    if (rst_i) stage_q <= 2'd0;
    else if (begins || (ctx_done_o && stage_q != 2'd3)) stage_q <= stage_q + 2'd1;
    if (ctx_done_o && stage_q == 2'd1) safe_q <= ctx_error_o == 3'd0;
  end

  // ---- properties
  reg [7:0] wait_q;
  reg halt_q2, pending_q;
  always @(posedge clk_i) begin
    {halt_q2, halt_q} <= {halt_q, cmd_halt_i} & {2{!rst_i}};
    reset_q <= cmd_reset_i;
    wait_q <= (!halt_q || halted || reset_q || rst_i) ? 8'd0 : wait_q + 8'd1;
    pending_q <= !rst_i && (mem_req_valid_o || due_q);
  end
  wire [4:0] s = state_o;
  assign bad_one_state_o = check && ((ENCODING == 0) ? s == 5'd0 || (s & (s - 5'd1)) != 5'd0
                         : (ENCODING == 1) ? s != 3 && s != 5 && s != 6 && s != 9 && s != 10 : s > 4);
  assign bad_halted_o = check && halted && (mem_req_valid_o || due_q);
  assign bad_still_o = check && halted && (in_ready_o || out_valid_o || mem_req_valid_o || mem_rsp_ready_o);
  assign bad_input_o = check && halt_q && in_ready_o;
  assign bad_begin_o = check && halt_q2 && mem_req_valid_o && !pending_q;
  // An access that is under way takes 3 cycles more with a memory that is always ready.
  assign bad_latency_o = check && PROMPT != 0 && wait_q > HALT_OWN + 3;
  assign bad_move_o = check && !halted && (ctx_cmd_ready_o || ctx_out_valid_o || ctx_in_ready_o);
  assign bad_done_o = check && ctx_done_o && !moving_q;
  assign bad_resave_o = check && RESAVE != 0 && stage_q == 2'd3 && safe_q && moves_out &&
                        ((at_q < length + 3 && ctx_out_data_o != stream_q[32*at_q+:32]) ||
                         ctx_out_last_o != (at_q == length + 2));
  assign cover_resave_o = check && RESAVE != 0 && stage_q == 2'd3 && safe_q && ctx_done_o
      && ctx_error_o == 3'd0;
  wire unused = &{1'b0, free_mark_i, free_mem_rsp_tag_i, out_channel_o, out_count_o, out_data_o,
      mem_req_write_o,
                  mem_req_tag_o, mem_req_addr_o, mem_req_data_o, mem_req_strb_o, reg_req_ready_o,
                      reg_rsp_valid_o,
                  reg_rsp_data_o, reg_rsp_error_o, progress_o, waiting_o, gather_o, nack_o};
endmodule

`default_nettype wire
