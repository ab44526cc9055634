// SPDX-License-Identifier: Apache-2.0
// branch_unit_words: what the unit's shell (unit_shell) is given of the block: the words of its registers and
// of its context.
//
// Registers: a read that needs the state RAM waits for its read port (reg_waits_o until looks_i). A context
// moves between the shell and registers, groups, and the instructions under way, which are saved as they were
// in B and pass B again in a load; which word is what: docs/branch_unit_status.md. Reset: LIMIT the largest.
`default_nettype none

module branch_unit_words #(
  parameter THREADS = 24,
  parameter THREAD_W = 5,
  parameter LANES = 32,
  parameter PC_W = 30,
  parameter COUNT_W = 15,
  parameter MAX_DEPTH = 16384,
  parameter TAIL = 0,
  parameter SLOT_W = 107,      // of the defaults above
  parameter RING = 4
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire reg_taken_i,
  input  wire reg_req_write_i,
  input  wire [9:0] reg_req_addr_i,
  output wire reg_waits_o,
  input  wire reg_executes_i,
  input  wire reg_write_i,
  input  wire [9:0] reg_addr_i,
  input  wire [31:0] reg_data_i,
  output wire reg_good_o,
  output wire [31:0] reg_word_o,

  // The state RAM: what a register shows, or the context's place.
  output wire reg_half_o,                   // that of errors
  output wire [THREAD_W-1:0] reg_group_o,
  input  wire looks_i,                      // the register's is read in this cycle; it comes in the next
  output wire half_o,
  output wire [THREAD_W-1:0] group_o,
  input  wire [3:0] flags_i,                // of the group, at once: {busy, synced, stopped, live}
  input  wire [LANES+PC_W+7:0] word_i,      // {status, kind of instruction, kind of token, mask, pc}
  input  wire [COUNT_W-1:0] depth_i,

  output wire [COUNT_W-1:0] limit_o,
  output wire [COUNT_W-1:0] below_limit_o,
  input  wire [THREADS-1:0] live_i,
  input  wire [THREADS-1:0] stopped_i,
  input  wire clear_i,                      // errors are forgotten
  input  wire error_i,
  input  wire [2:0] error_status_i,
  input  wire [2:0] error_kind_i,
  input  wire [THREAD_W-1:0] error_group_i,

  // The context: the shell's side.
  input  wire save_i,
  output wire [23:0] ctx_len_o,
  output wire sav_valid_o,
  input  wire sav_ready_i,
  output wire [31:0] sav_data_o,
  output wire sav_last_o,
  input  wire load_i,
  input  wire [23:0] ld_len_i,
  input  wire ld_valid_i,
  output wire ld_ready_o,
  input  wire [31:0] ld_data_i,
  input  wire ld_last_i,
  output wire ld_wrong_o,
  input  wire commit_i,

  // The block's side; a load drives B.
  output wire slots_o,                      // the words are those of an instruction
  input  wire [2*SLOT_W-1:0] slots_i,       // B, C0, each {head, mask, target, next}
  output wire turn_o,                       // that of C0 moves on, and the next one comes
  input  wire [THREAD_W-1:0] b_group_i,
  input  wire b_launch_i,
  input  wire [LANES-1:0] b_mask_i,
  input  wire [PC_W-1:0] b_target_i,
  input  wire [PC_W-1:0] b_next_i,
  output wire we_o,                         // a word comes in,
  output wire head_o,                       // the first of its record
  output reg  [LANES-1:0] mask_o,           // with the word in its place
  output reg  [PC_W-1:0] target_o,
  output reg  [PC_W-1:0] next_o,
  output wire begin_o,                      // what is under way is forgotten
  output wire flags_o,                      // the word is the head of a group
  output wire enter_o,                      // an instruction is whole; in the next cycle:
  output reg  enters_o,                     // its group is busy,
  output reg  replay_o,                     // and it goes from B to C,
  output reg  half_done_o,                  // its first operation taken,
  output reg  [2:0] error_o,                // with this error
  output reg  write_o,                      // a word of the state RAM is whole
  output reg  write_half_o,
  output reg  [THREAD_W-1:0] write_group_o,
  output reg  [7:0] what_o,

  // A unit behind, whose words follow.
  input  wire [23:0] tail_len_i,
  input  wire tail_sav_valid_i,
  output wire tail_sav_ready_o,
  input  wire [31:0] tail_sav_data_i,
  input  wire tail_sav_last_i,
  output wire tail_ld_valid_o,
  input  wire tail_ld_ready_i,
  output wire [23:0] tail_ld_len_o,
  input  wire tail_bad_i
);
  localparam FLOW_W = LANES + PC_W;

  // ---- the place of a word of a context: registers, two records of each group, the slots ---------------
  localparam MASKS = (LANES + 31) / 32, PCS = (PC_W + 31) / 32;
  localparam OWN = 4 + 2 * THREADS * (1 + MASKS + PCS) + (RING + 1) * (1 + MASKS + 2 * PCS);
  localparam [31:0] GROUP_RECORDS = 32'd2 * THREADS, GROUP_WORDS = 32'd1 + MASKS + PCS,
                    SLOT_WORDS = GROUP_WORDS + PCS;
  localparam [31:0] SLOTS = RING + 1;
  localparam [95:0] RECORDS = {SLOTS, GROUP_RECORDS, 32'd1}, WORDS_OF = {SLOT_WORDS, GROUP_WORDS, 32'd4};
  wire [1:0] part_q;
  localparam RECORD_W = (THREAD_W < 2) ? 3 : THREAD_W + 1;
  wire [RECORD_W-1:0] record;
  wire at_b = record[2:0] == RING[2:0];       // of the instructions: that of B
  wire [3:0] k_q;
  wire ends, last_own, ready;
  wire registers = part_q == 2'd0, groups = part_q == 2'd1, behind = part_q == 2'd3;
  assign slots_o = part_q == 2'd2;
  assign half_o = record[0] && groups;
  assign group_o = record[1+:THREAD_W];
  wire [15:0] field = 16'd1 << k_q;
  assign head_o = k_q == 4'd0;
  assign ld_ready_o = !behind || tail_ld_ready_i;
  context_walk #(
    .SECTIONS(3), .RECORDS(RECORDS), .WORDS(WORDS_OF),
    .RECORD_W(RECORD_W), .WORD_W(4)
  ) u_walk (
    .clk_i(clk_i), .rst_i(rst_i), .runs_i(save_i || load_i),
    .moves_i((sav_valid_o && sav_ready_i) || (ld_valid_i && ld_ready_o)), .busy_i(looks_i), .ready_o(ready),
    .section_o(part_q), .record_o(record), .word_o(k_q), .ends_o(ends), .last_o(last_own));

  // ---- register access -----------------------------------------------------------------------------------
  // Addresses, compared with the description of the block by `make check-interface`; places in the map of
  // words.
  localparam [9:0] PC = 10'h020, MASK = 10'h040, LIVE = 10'h080, STOPPED = 10'h100;
  localparam ID = 0, STATUS = 1, LIMIT = 2, GROUP = 3, GROUP_STATE = 4, DEPTH = 5, ERROR = 6, ERROR_COUNT = 7,
             ERROR_STATUS = 8, WORDS = 9;
  localparam [10*WORDS-1:0] ADDRESS = {  // the last first
    10'h028, 10'h01c, 10'h018, 10'h014, 10'h010, 10'h00c, 10'h008, 10'h004, 10'h000};
  wire [WORDS-1:0] hit;
  wire writes = reg_executes_i && reg_write_i;
  // What shows the group selected: GROUP_STATE, DEPTH, and all from PC to LIVE.
  wire [6:0] pair = reg_req_addr_i[9:3];  // of words
  wire needs_ram = !reg_req_write_i && pair[6:4] == 3'd0 && reg_req_addr_i[1:0] == 2'd0
                   && (pair[3] || pair[2] || pair[1:0] == 2'b10);
  reg waits_q;
  reg [3:0] state_q;
  assign reg_waits_o = waits_q;
  assign reg_half_o = reg_addr_i[6] ? reg_addr_i[4] : reg_addr_i[5] && (reg_addr_i[4] || reg_addr_i[3]);
  always @(posedge clk_i) begin
    waits_q <= !rst_i && (reg_taken_i ? needs_ram : waits_q && !looks_i);
    state_q <= flags_i;
  end

  wire [3:0] load_reg = field[3:0] & {4{we_o && registers}};
  wire limit_good, group_good, limit_wrong, group_wrong;
  wire [COUNT_W-1:0] limit_next;
  wire [THREAD_W-1:0] unused_next;
  reg [COUNT_W-1:0] below_limit_q;
  runtime_register #(.WIDTH(COUNT_W), .RESET(MAX_DEPTH), .MOST(MAX_DEPTH), .CLIPS(1)) u_limit (
    .clk_i(clk_i), .rst_i(rst_i), .write_i(writes && hit[LIMIT]), .data_i(reg_data_i), .good_o(limit_good),
    .load_i(load_reg[0]), .word_i(ld_data_i), .wrong_o(limit_wrong), .commit_i(commit_i), .value_o(limit_o),
    .next_o(limit_next));
  runtime_register #(.WIDTH(THREAD_W), .MOST(THREADS - 1)) u_group (
    .clk_i(clk_i), .rst_i(rst_i), .write_i(writes && hit[GROUP]), .data_i(reg_data_i), .good_o(group_good),
    .load_i(load_reg[1]), .word_i(ld_data_i), .wrong_o(group_wrong), .commit_i(commit_i),
    .value_o(reg_group_o), .next_o(unused_next));
  always @(posedge clk_i)
    below_limit_q <= rst_i ? MAX_DEPTH[COUNT_W-1:0] - 1'b1 : limit_next - 1'b1;
  assign below_limit_o = below_limit_q;

  // ---- first error ---------------------------------------------------------------------------------------
  wire w_error = writes && hit[ERROR];
  reg error_q;
  reg [5:0] error_what_q;
  reg [THREAD_W-1:0] error_group_q;
  reg [15:0] count_q;
  wire [15:0] count = w_error ? 16'd0 : count_q;
  always @(posedge clk_i) begin
    if (rst_i || clear_i) begin
      error_q <= 1'b0;
      count_q <= 16'd0;
    end else if (we_o && registers) begin
      if (load_reg[2]) error_q <= ld_data_i[31];
      if (load_reg[3]) count_q <= ld_data_i[15:0];
    end else begin
      error_q <= error_i || (error_q && !w_error);
      count_q <= (error_i && count != 16'hffff) ? count + 16'd1 : count;
    end
    if (load_reg[2])
      {error_what_q, error_group_q} <= {ld_data_i[18:16], ld_data_i[14:12], ld_data_i[THREAD_W-1:0]};
    else if (error_i && (!error_q || w_error))
      {error_what_q, error_group_q} <= {error_status_i, error_kind_i, error_group_i};
  end
  wire [31:0] error_word = {1'b1, 12'd0, error_what_q[5:3], 1'b0, error_what_q[2:0], {12-THREAD_W{1'b0}},
                            error_group_q} & {32{error_q}};

  // ---- register reads ------------------------------------------------------------------------------------
  wire known = state_q[1] || (state_q[0] && !reg_half_o);
  wire [7:0] what = word_i[FLOW_W+:8];
  wire [31:0] status_word = {22'd0, what[1:0], 1'b0, what[4:2], 1'b0, what[7:5]};
  wire [32*WORDS-1:0] words;
  assign words[32*ID+:32] = 32'h42550001;
  assign words[32*STATUS+:32] = {29'd0, error_q, |stopped_i, !(|live_i)};
  assign words[32*LIMIT+:32] = {{32-COUNT_W{1'b0}}, limit_o};
  assign words[32*GROUP+:32] = {{32-THREAD_W{1'b0}}, reg_group_o};
  assign words[32*GROUP_STATE+:32] = {28'd0, state_q};
  assign words[32*DEPTH+:32] = known ? {{32-COUNT_W{1'b0}}, depth_i} : 32'd0;
  assign words[32*ERROR+:32] = error_word;
  assign words[32*ERROR_COUNT+:32] = {16'd0, count_q};
  assign words[32*ERROR_STATUS+:32] = known ? status_word : 32'd0;
  wire readable;
  wire [31:0] map_word;
  register_map #(.N(WORDS), .ADDR_W(10), .ADDRESS(ADDRESS)) u_map (
    .addr_i(reg_addr_i), .words_i(words), .hit_o(hit), .readable_o(readable), .word_o(map_word));
  // ERROR_PC and ERROR_MASK lie 10'h010 behind PC and MASK; reg_half_o says which.
  wire [9:0] place = {reg_addr_i[9:5], 1'b0, reg_addr_i[3:0]};
  wire at_pc, at_mask, at_live, at_stopped;
  wire [31:0] pc_word, mask_word, live_word, stopped_word;
  register_vector #(.BITS(PC_W), .AT(PC)) u_pc (
    .addr_i(place), .bits_i(word_i[PC_W-1:0]), .hit_o(at_pc), .word_o(pc_word));
  register_vector #(.BITS(LANES), .AT(MASK)) u_mask (
    .addr_i(place), .bits_i(word_i[PC_W+:LANES]), .hit_o(at_mask), .word_o(mask_word));
  register_vector #(.BITS(THREADS), .AT(LIVE)) u_live (
    .addr_i(reg_addr_i), .bits_i(live_i), .hit_o(at_live), .word_o(live_word));
  register_vector #(.BITS(THREADS), .AT(STOPPED)) u_stopped (
    .addr_i(reg_addr_i), .bits_i(stopped_i), .hit_o(at_stopped), .word_o(stopped_word));
  assign reg_word_o = map_word | (live_word & {32{at_live}}) | (stopped_word & {32{at_stopped}})
                      | (pc_word & {32{known && at_pc}}) | (mask_word & {32{known && at_mask}});
  wire reads = readable || at_pc || at_mask || at_live || at_stopped;
  wire takes = (hit[LIMIT] && limit_good) || (hit[GROUP] && group_good) || hit[ERROR];
  assign reg_good_o = reg_write_i ? takes : reads;

  // ---- save: a head, or a word of a mask or a program counter ------------------------------------------
  // flags_i are of another group while a register looks
  assign sav_valid_o = save_i && (behind ? tail_sav_valid_i : ready);
  wire [SLOT_W-1:0] slot = at_b ? slots_i[SLOT_W+:SLOT_W] : slots_i[0+:SLOT_W];
  localparam HEAD = LANES + 2 * PC_W;       // {group, error, kind, half, pop, set, valid}
  wire slot_valid = slot[HEAD];
  wire live = flags_i[0], stopped = flags_i[1], synced = flags_i[2];
  wire shows = slots_o ? slot_valid : stopped || (live && !half_o);
  wire [127:0] mask = {{128-LANES{1'b0}}, slots_o ? slot[2*PC_W+:LANES] : word_i[PC_W+:LANES]};
  wire [95:0] pc = {{96-PC_W{1'b0}}, slots_o ? slot[PC_W+:PC_W] : word_i[PC_W-1:0]};
  wire [95:0] next = {{96-PC_W{1'b0}}, slot[PC_W-1:0]};
  wire [31:0] slot_head = {{16-THREAD_W{1'b0}}, slot[HEAD+10+:THREAD_W], 5'd0, slot[HEAD+7+:3], 1'b0,
                           slot[HEAD+:7]};
  wire [31:0] group_head = {{24-COUNT_W{1'b0}}, depth_i, 8'd0};
  reg [31:0] word;
  integer w;
  always @* begin
    word = 32'd0;
    if (head_o) word = slots_o ? slot_head : half_o ? status_word : group_head;
    for (w = 0; w < MASKS; w = w + 1)
      if (field[1+w]) word = mask[32*w+:32];
    for (w = 0; w < PCS; w = w + 1) begin
      if (field[1+MASKS+w]) word = pc[32*w+:32];
      if (field[1+MASKS+PCS+w]) word = next[32*w+:32];
    end
    if (!shows) word = 32'd0;
    if (head_o && groups && !half_o) word[2:0] = {synced, stopped, live};
    if (registers) word = k_q[1] ? (k_q[0] ? words[32*ERROR_COUNT+:32] : error_word)
                                 : k_q[0] ? words[32*GROUP+:32] : words[32*LIMIT+:32];
  end
  assign sav_data_o = behind ? tail_sav_data_i : word;
  assign sav_last_o = TAIL != 0 ? behind && tail_sav_last_i : last_own;
  assign ctx_len_o = OWN[23:0] + tail_len_i;

  // ---- load ----------------------------------------------------------------------------------------------
  assign we_o = ld_valid_i && !behind;
  assign begin_o = load_reg[0];
  assign flags_o = we_o && groups && !half_o && head_o;
  integer i;
  always @* begin
    mask_o = b_mask_i;
    target_o = b_target_i;
    next_o = b_next_i;
    for (i = 0; i < LANES; i = i + 1)
      if (field[1+i/32]) mask_o[i] = ld_data_i[i%32];
    for (i = 0; i < PC_W; i = i + 1) begin
      if (field[1+MASKS+i/32]) target_o[i] = ld_data_i[i%32];
      if (field[1+MASKS+PCS+i/32]) next_o[i] = ld_data_i[i%32];
    end
  end
  reg valid_q, turn_q;
  assign turn_o = turn_q || (sav_valid_o && sav_ready_i && slots_o && ends && !at_b);
  assign enter_o = we_o && slots_o && ends && valid_q;
  always @(posedge clk_i) begin
    enters_o <= enter_o && !clear_i && !rst_i;
    turn_q <= we_o && slots_o && ends && !clear_i && !rst_i;
    replay_o <= enter_o && !at_b && !clear_i && !rst_i;
    write_o <= we_o && groups && ends && !rst_i;
    {write_half_o, write_group_o} <= {half_o, group_o};
    if (we_o && head_o) begin
      what_o <= {ld_data_i[2:0], ld_data_i[6:4], ld_data_i[9:8]};
      {error_o, half_done_o, valid_q} <= {ld_data_i[10:8], ld_data_i[3], ld_data_i[0]};
    end
  end
  wire flags_wrong = flags_o && ({8'd0, ld_data_i[31:8]} > MAX_DEPTH || (ld_data_i[0] && ld_data_i[1])
                                 || (ld_data_i[2] && !ld_data_i[0]));
  wire enter_wrong = enter_o
                     && (flags_i[3] || !(live || b_launch_i) || {1'b0, b_group_i} >= THREADS[THREAD_W:0]
                         || error_o == 3'd1);
  assign ld_wrong_o = behind ? ld_last_i && tail_bad_i
                      : (load_reg[0] && limit_wrong) || (load_reg[1] && group_wrong) || flags_wrong
                        || enter_wrong || (ld_last_i && !(last_own && TAIL == 0));

  assign tail_sav_ready_o = save_i && behind && sav_ready_i;
  assign tail_ld_valid_o = ld_valid_i && behind;
  assign tail_ld_len_o = ld_len_i - OWN[23:0];
  wire unused = &{1'b0, flags_i[3], mask, pc, next, field, unused_next, reg_req_addr_i};
endmodule

`default_nettype wire
