// SPDX-License-Identifier: Apache-2.0
// front_end_blackbox: what units, memory and software rely on, seen from the ports of a whole front end.
//
// Software gives commands of any kind to switch domain 0 at any time and leaves the other registers alone, so
// contexts lie at address 0 and nothing is timed or taken for dead. Units keep the port contract: they halt
// when they like, report anything else before, take saves and loads only while halted, move words when they
// like, and end with any error. Memory takes and answers when it likes, in any order, with errors. With
// PROMPT nobody waits and every command is a switch. Each output is one property; 1 says that it is broken.
`default_nettype none

module front_end_blackbox #(
  parameter STAGES = 2,
  parameter ENCODING = 0,
  parameter UNIT_COUNT = 2,
  parameter CONN_COUNT = 2,
  parameter [11*CONN_COUNT+10:0] CONN_FIRST = {11'd2, 11'd1, 11'd0},
  parameter [11*CONN_COUNT-1:0] CONN_DOMAIN = 22'd0,
  parameter CTX_STRIDE_LG = 5,
  parameter INFLIGHT = 4,
  parameter ADDR_W = 16,
  // Options of a task.
  // not 0: units and memory are prompt, saves have so many words, and switches alone are asked for
  parameter PROMPT = 0
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,   // which units can halt in this cycle

  input  wire [UNIT_COUNT-1:0] unit_halt_o,
  input  wire [UNIT_COUNT-1:0] unit_reset_o,
  input  wire [UNIT_COUNT-1:0] unit_resume_o,
  input  wire [UNIT_COUNT*(5-ENCODING)-1:0] free_unit_state_i,
  output wire [UNIT_COUNT*(5-ENCODING)-1:0] unit_state_i,

  input  wire free_reg_req_valid_i,
  output wire reg_req_valid_i,
  input  wire reg_req_ready_o,
  input  wire free_reg_req_write_i,
  output wire reg_req_write_i,
  input  wire [9:0] free_reg_req_addr_i,
  output wire [9:0] reg_req_addr_i,
  input  wire [31:0] free_reg_req_data_i,
  output wire [31:0] reg_req_data_i,
  input  wire reg_rsp_valid_o,
  input  wire reg_rsp_error_o,

  input  wire [UNIT_COUNT-1:0] ctx_cmd_valid_o,
  input  wire ctx_cmd_load_o,
  input  wire [UNIT_COUNT-1:0] free_ctx_cmd_ready_i,
  output wire [UNIT_COUNT-1:0] ctx_cmd_ready_i,
  input  wire [UNIT_COUNT-1:0] free_ctx_done_i,
  output wire [UNIT_COUNT-1:0] ctx_done_i,
  input  wire [3*UNIT_COUNT-1:0] free_ctx_error_i,
  output wire [3*UNIT_COUNT-1:0] ctx_error_i,
  input  wire [UNIT_COUNT-1:0] free_ctx_out_valid_i,
  output wire [UNIT_COUNT-1:0] ctx_out_valid_i,
  input  wire [UNIT_COUNT-1:0] ctx_out_ready_o,
  input  wire [32*UNIT_COUNT-1:0] free_ctx_out_data_i,
  output wire [32*UNIT_COUNT-1:0] ctx_out_data_i,
  input  wire [UNIT_COUNT-1:0] free_ctx_out_last_i,
  output wire [UNIT_COUNT-1:0] ctx_out_last_i,
  input  wire [UNIT_COUNT-1:0] ctx_in_valid_o,
  input  wire [UNIT_COUNT-1:0] free_ctx_in_ready_i,
  output wire [UNIT_COUNT-1:0] ctx_in_ready_i,
  input  wire [31:0] ctx_in_data_o,
  input  wire ctx_in_last_o,
  input  wire [1:0] ctx_in_error_o,

  input  wire mem_req_valid_o,
  input  wire free_mem_req_ready_i,
  output wire mem_req_ready_i,
  input  wire mem_req_write_o,
  input  wire [$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  input  wire [ADDR_W-1:0] mem_req_addr_o,
  input  wire [31:0] mem_req_data_o,
  input  wire [3:0] mem_req_strb_o,
  input  wire free_mem_rsp_valid_i,
  output wire mem_rsp_valid_i,
  input  wire mem_rsp_ready_o,
  input  wire [$clog2(INFLIGHT)-1:0] free_mem_rsp_tag_i,
  output wire [$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,
  input  wire [31:0] free_mem_rsp_data_i,
  output wire [31:0] mem_rsp_data_i,
  input  wire [1:0] free_mem_rsp_error_i,
  output wire [1:0] mem_rsp_error_i,

  // US-8: a unit is told to save or load, or given a word, that is not halted, or it is reset or released
  // meanwhile
  output wire bad_halted_o,
  // US-8: a unit is saved behind its reset, or loaded before it, or so by a command that says neither
  output wire bad_order_o,
  // US-8: a unit is reset that is not halted, or, in a switch, is not saved with every word acknowledged
  output wire bad_reset_o,
  // US-8: released before every unit of the domain is through with what the command says
  output wire bad_release_o,
  output wire bad_domain_o,   // US-8: a unit is spoken to without a command to its domain
  output wire bad_turn_o,     // US-9: one unit at a time; words go to or come from that one only
  output wire bad_hold_o,     // US-9: a command or word that waits for the unit holds still
  output wire bad_stable_o,   // a memory request that waits holds still
  output wire bad_tag_o,      // no tag is used again before its answer
  // US-9: a request lies in the image of the unit whose turn it is, and has the direction of its command
  output wire bad_region_o,
  output wire cover_saved_o,  // every word of a unit is stored
  output wire cover_switch_o  // a switch ends
);
  localparam UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1;
  localparam TAG_W = $clog2(INFLIGHT);
  localparam [2:0] SWITCH = 3'd1, SAVE = 3'd2, RESTORE = 3'd3, EMPTY = 3'd4, ABORT = 3'd6, RETRY = 3'd7;
  localparam [UNIT_COUNT-1:0] NONE = {UNIT_COUNT{1'b0}}, ONE = {{UNIT_COUNT-1{1'b0}}, 1'b1};
  wire check = !rst_i;
  genvar u;

  // ---- software
  localparam FAST = PROMPT != 0;
  wire [2:0] asks_for = FAST ? SWITCH : free_reg_req_data_i[2:0];
  assign reg_req_valid_i = free_reg_req_valid_i;
  assign {reg_req_write_i, reg_req_addr_i, reg_req_data_i} = {1'b1, 10'h024, 29'd0, asks_for};
  reg [2:0] asked_q;                      // the command that is not answered yet
  reg [3*STAGES-1:0] kinds_q;             // what was in force in this cycle and before
  wire [2:0] kind = kinds_q[2:0], older = kinds_q[3*STAGES-1-:3];
  wire accepted = reg_rsp_valid_o && !reg_rsp_error_o;
  wire [2:0] kind_d = (accepted && asked_q != RETRY) ? asked_q : kind;
  always @(posedge clk_i) begin
    if (reg_req_valid_i && reg_req_ready_o) asked_q <= asks_for;
    kinds_q <= rst_i ? {3*STAGES{1'b0}} : {kinds_q[3*STAGES-4:0], kind_d};
  end

  // ---- which units belong to domain 0
  wire [UNIT_COUNT-1:0] ours;
  generate
    for (u = 0; u < UNIT_COUNT; u = u + 1) begin : g_domain
      wire [CONN_COUNT-1:0] in;
      genvar c;
      for (c = 0; c < CONN_COUNT; c = c + 1) begin : g_conn
        assign in[c] = CONN_DOMAIN[11*c+:11] == 11'd0 && CONN_FIRST[11*c+:11] <= u
                       && CONN_FIRST[11*c+11+:11] > u;
      end
      assign ours[u] = |in;
    end
  endgenerate

  // ---- the units' state, as their unit_status_fsm keeps it
  reg [UNIT_COUNT-1:0] halt_q, reset_q, halted_q;
  wire [UNIT_COUNT-1:0] can_halt;
  localparam W = 5 - ENCODING;
  localparam [4:0] HALTED = (W == 5) ? 5'd16 : (W == 4) ? 5'd10 : 5'd4;
  function [4:0] running(input [1:0] n);
    if (W == 5) running = 5'd1 << n;
    else if (W == 3) running = {3'd0, n};
    else running = (n == 2'd0) ? 5'd3 : (n == 2'd1) ? 5'd5 : (n == 2'd2) ? 5'd6 : 5'd9;
  endfunction
  generate
    for (u = 0; u < UNIT_COUNT; u = u + 1) begin : g_unit
      wire [4:0] code = halted_q[u] ? HALTED : running(free_unit_state_i[u*W+:2]);
      wire unused_code = &{1'b0, code, free_unit_state_i[u*W+:W]};
      assign unit_state_i[u*W+:W] = code[W-1:0];
      assign can_halt[u] = free_mark_i[u%64];
    end
  endgenerate
  always @(posedge clk_i) begin
    halt_q <= rst_i ? NONE : unit_halt_o;
    reset_q <= rst_i ? NONE : unit_reset_o;
    halted_q <= rst_i ? NONE : halt_q & ~reset_q & (halted_q | can_halt);
  end

  // ---- the unit that saves or loads: takes the command, moves words up to the last, and ends
  reg busy_q, load_q, ended_q, held_q;
  reg [32:0] held_word_q;
  reg [UNIT_W-1:0] turn_q;                // of the last command taken
  wire [UNIT_COUNT-1:0] here = ONE << turn_q;
  wire [UNIT_COUNT-1:0] takes = ctx_cmd_valid_o & (free_ctx_cmd_ready_i | {UNIT_COUNT{FAST}}) & halted_q
                                & ~reset_q & {UNIT_COUNT{!busy_q}};
  wire moves = busy_q && !ended_q;
  wire offers = moves && !load_q && (held_q || FAST || |(free_ctx_out_valid_i & here));
  reg [7:0] moved_q;
  localparam [31:0] LAST = PROMPT - 1;
  wire [32:0] word = held_q ? held_word_q
                     : {FAST ? moved_q == LAST[7:0] : free_ctx_out_last_i[0], free_ctx_out_data_i[31:0]};
  wire out_moves = offers && |(ctx_out_ready_o & here);
  wire in_takes = moves && load_q && (FAST || |(free_ctx_in_ready_i & here));
  wire in_moves = in_takes && |(ctx_in_valid_o & here);
  wire ends = busy_q && ended_q && (FAST || |(free_ctx_done_i & here));
  wire well = ends && free_ctx_error_i[2:0] == 3'd0;
  assign ctx_cmd_ready_i = takes;
  assign ctx_done_i = here & {UNIT_COUNT{ends}};
  assign ctx_error_i = {UNIT_COUNT{free_ctx_error_i[2:0]}};
  assign ctx_out_valid_i = here & {UNIT_COUNT{offers}};
  assign ctx_in_ready_i = here & {UNIT_COUNT{in_takes}};
  generate
    for (u = 0; u < UNIT_COUNT; u = u + 1) begin : g_word
      assign {ctx_out_last_i[u], ctx_out_data_i[32*u+:32]} = here[u] ? word
             : {free_ctx_out_last_i[u], free_ctx_out_data_i[32*u+:32]};
    end
  endgenerate
  integer i;
  always @(posedge clk_i) begin
    busy_q <= !rst_i && (takes != NONE || (busy_q && !ends));
    if (takes != NONE) ended_q <= 1'b0;
    else if ((out_moves && word[32]) || (in_moves && ctx_in_last_o)) ended_q <= 1'b1;
    held_q <= offers && !out_moves && !rst_i;
    held_word_q <= word;
    moved_q <= (takes != NONE) ? 8'd0 : moved_q + {7'd0, out_moves};
    if (takes != NONE) load_q <= ctx_cmd_load_o;
    for (i = 0; i < UNIT_COUNT; i = i + 1) if (takes[i]) turn_q <= i[UNIT_W-1:0];
  end

  // ---- memory
  reg [INFLIGHT-1:0] way_q;
  reg answer_held_q;
  reg [TAG_W-1:0] answer_tag_q;
  wire req_taken = mem_req_valid_o && mem_req_ready_i;
  reg [TAG_W-1:0] lowest;
  always @* begin
    lowest = {TAG_W{1'b0}};
    for (i = INFLIGHT - 1; i >= 0; i = i - 1) if (way_q[i]) lowest = i[TAG_W-1:0];
  end
  wire [TAG_W-1:0] pick = answer_held_q ? answer_tag_q : FAST ? lowest : free_mem_rsp_tag_i;
  assign mem_req_ready_i = free_mem_req_ready_i || FAST;
  assign mem_rsp_tag_i = pick;
  assign mem_rsp_valid_i = way_q[pick] && (free_mem_rsp_valid_i || answer_held_q || FAST);
  assign {mem_rsp_data_i, mem_rsp_error_i} = {free_mem_rsp_data_i, free_mem_rsp_error_i};
  wire answered = mem_rsp_valid_i && mem_rsp_ready_o;
  wire refuses = answered && mem_rsp_error_i != 2'd0;
  // Whose image the last request taken lay in, and whether it was read: all that is under way is its.
  reg [UNIT_W-1:0] owner_q;
  reg reads_q;
  wire [ADDR_W-1:0] image = mem_req_addr_o >> CTX_STRIDE_LG;
  wire [UNIT_COUNT-1:0] owner = ONE << owner_q;
  always @(posedge clk_i)
    if (req_taken) {owner_q, reads_q} <= {image[UNIT_W-1:0], !mem_req_write_o};
  // A restore reads the magic word, and more, before its unit takes the command.
  wire early = mem_req_valid_o && !mem_req_write_o && !busy_q && ctx_cmd_valid_o == NONE;
  wire early_for_another = early && req_taken && (!reads_q || image[UNIT_W-1:0] != owner_q);
  always @(posedge clk_i) begin
    answer_held_q <= mem_rsp_valid_i && !mem_rsp_ready_o && !rst_i;
    answer_tag_q <= pick;
    for (i = 0; i < INFLIGHT; i = i + 1)
      way_q[i] <= !rst_i
                  && ((way_q[i] && !(answered && pick == i[TAG_W-1:0]))
                      || (req_taken && mem_req_tag_o == i[TAG_W-1:0]));
  end

  // ---- what has happened to each unit since it was told to halt
  reg [UNIT_COUNT-1:0] saved_q, cleared_q, loaded_q;
  reg refused_q;                          // a word of this turn
  reg begun_q;                            // this turn began before its unit took the command
  wire [UNIT_COUNT-1:0] spoils = owner & {UNIT_COUNT{refuses}};
  always @(posedge clk_i) begin
    saved_q <= {UNIT_COUNT{!rst_i}} & unit_halt_o
               & ((saved_q | (here & {UNIT_COUNT{well && !load_q && !refused_q}}))
                  & ~(reads_q ? NONE : spoils));
    cleared_q <= {UNIT_COUNT{!rst_i}} & unit_halt_o & (cleared_q | unit_reset_o);
    loaded_q <= {UNIT_COUNT{!rst_i}} & unit_halt_o
                & ((loaded_q | (here & {UNIT_COUNT{well && load_q && !refused_q}}))
                   & ~(reads_q ? spoils : NONE)) & ~unit_reset_o;
  end
  always @(posedge clk_i) begin
    begun_q <= !rst_i && takes == NONE && (begun_q || early_for_another);
    if (rst_i || early_for_another || (takes != NONE && !begun_q)) refused_q <= 1'b0;
    else if (refuses) refused_q <= 1'b1;
  end
  // no word of it is under way
  wire [UNIT_COUNT-1:0] settled = ~(owner & {UNIT_COUNT{way_q != {INFLIGHT{1'b0}}}});
  wire [UNIT_COUNT-1:0] stored = saved_q & settled, restored = cleared_q & loaded_q & settled;
  wire [UNIT_COUNT-1:0] through = (older == SWITCH) ? saved_q & restored
                                  : (older == SAVE) ? stored & ~cleared_q
                                : (older == RESTORE) ? restored : (older == EMPTY) ? cleared_q & ~loaded_q
                                : NONE;

  // ---- properties
  wire [UNIT_COUNT-1:0] spoken = ctx_cmd_valid_o | ctx_in_valid_o;
  wire [UNIT_COUNT-1:0] at_rest = halted_q & halt_q & unit_halt_o & ~reset_q & ~unit_reset_o;
  wire [UNIT_COUNT-1:0] falls = halt_q & ~unit_halt_o;
  assign bad_halted_o = check && ((spoken | (here & {UNIT_COUNT{busy_q}})) & ~at_rest) != NONE;
  assign bad_order_o = check && (ctx_cmd_valid_o & (ctx_cmd_load_o ? ~cleared_q : cleared_q)) != NONE;
  assign bad_reset_o = check
                       && (unit_reset_o & ~(halted_q & ((older == SWITCH && kind == SWITCH) ? stored
                                                        : ~NONE))) != NONE;
  assign bad_release_o = check && falls != NONE && kind != ABORT && (ours & ~through) != NONE;
  assign bad_domain_o = check && ((unit_halt_o | unit_reset_o | unit_resume_o | spoken | ctx_out_ready_o)
                                  & ~(ours & {UNIT_COUNT{kind != 3'd0}})) != NONE;
  wire several = (spoken & (spoken - ONE)) != NONE;
  assign bad_turn_o = check && (several || (ctx_out_ready_o & ~here) != NONE
                                || (busy_q && ctx_cmd_valid_o != NONE)
                                || (ctx_in_valid_o & ~(here & {UNIT_COUNT{busy_q && load_q}})) != NONE);
  reg cmd_waits_q, in_waits_q, req_waits_q;
  reg [UNIT_COUNT:0] cmd_was_q;
  reg [UNIT_COUNT+34:0] in_was_q;
  reg [ADDR_W+TAG_W+36:0] req_was_q;
  wire [UNIT_COUNT:0] cmd_now = {ctx_cmd_valid_o, ctx_cmd_load_o};
  wire [UNIT_COUNT+34:0] in_now = {ctx_in_valid_o, ctx_in_last_o, ctx_in_error_o, ctx_in_data_o};
  wire [ADDR_W+TAG_W+36:0] req_now = {mem_req_write_o, mem_req_tag_o, mem_req_addr_o, {mem_req_data_o,
      mem_req_strb_o} & {36{mem_req_write_o}}};
  always @(posedge clk_i) begin
    cmd_waits_q <= check && ctx_cmd_valid_o != NONE && takes == NONE;
    in_waits_q <= check && ctx_in_valid_o != NONE && !in_moves;
    req_waits_q <= check && mem_req_valid_o && !mem_req_ready_i;
    {cmd_was_q, in_was_q, req_was_q} <= {cmd_now, in_now, req_now};
  end
  assign bad_hold_o = check && ((cmd_waits_q && cmd_now != cmd_was_q) || (in_waits_q && in_now != in_was_q));
  assign bad_stable_o = check && req_waits_q && (!mem_req_valid_o || req_now != req_was_q);
  assign bad_tag_o = check && mem_req_valid_o && way_q[mem_req_tag_o];
  // Before its unit takes the command a load reads only for a unit at rest that is reset. A load that is
  // offered has read for that unit.
  wire [UNIT_COUNT-1:0] asked = ctx_cmd_valid_o | (busy_q ? here : NONE);
  wire load_now = busy_q ? load_q : ctx_cmd_load_o;
  wire [UNIT_COUNT-1:0] may_read = (asked == NONE) ? (at_rest & cleared_q) | (load_q ? here : NONE)
                                   : load_now ? asked : NONE;
  wire [UNIT_COUNT-1:0] may_write = (asked == NONE) ? (load_q ? NONE : here) : load_now ? NONE : asked;
  wire [UNIT_COUNT-1:0] imaged = ONE << image[UNIT_W-1:0];
  wire outside = image >= UNIT_COUNT || (imaged & (mem_req_write_o ? may_write : may_read)) == NONE;
  assign bad_region_o = check
                        && ((mem_req_valid_o && (mem_req_addr_o[1:0] != 2'd0 || outside
                                                 || (mem_req_write_o && !(&mem_req_strb_o))))
                            || ((ctx_cmd_valid_o & ~owner) != NONE && ctx_cmd_load_o)
                            || (ctx_cmd_valid_o != NONE && ctx_cmd_load_o && !reads_q));
  assign cover_saved_o = check && stored != NONE;
  assign cover_switch_o = check && falls != NONE && older == SWITCH && kind == SWITCH;
  wire unused = &{1'b0, free_mark_i, free_reg_req_write_i, free_reg_req_addr_i, free_reg_req_data_i,
                  free_ctx_error_i};
endmodule

`default_nettype wire
