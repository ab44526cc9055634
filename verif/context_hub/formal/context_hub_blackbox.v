// SPDX-License-Identifier: Apache-2.0
// context_hub_blackbox: what the hub owes to units that keep the port contract and to a memory that answers
// what was asked, in any order and when it likes. Commands, words, errors and memory's answers are free;
// ports of units without a command are silent. The marked word of each command is any one. With PROMPT
// nothing waits. Each output is one property; 1 says that it is broken.
`default_nettype none

module context_hub_blackbox #(
  parameter UNIT_COUNT = 4,
  parameter LOCAL_CONTEXTS = 0,
  parameter LOCAL_WORDS = 64,
  parameter CTX_STRIDE_LG = 13,
  parameter INFLIGHT = 16,
  parameter ADDR_W = 32,
  // Options of a task.
  parameter PROMPT = 0    // cycles that a command may take when units and memory are prompt; 0: they are free
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire free_hub_valid_i,
  output wire hub_valid_i,
  input  wire hub_ready_o,
  input  wire free_hub_load_i,
  output wire hub_load_i,
  input  wire [((UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1)-1:0] free_hub_unit_i,
  output wire [((UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1)-1:0] hub_unit_i,
  input  wire [1:0] free_hub_slot_i,
  output wire [1:0] hub_slot_i,
  input  wire [ADDR_W-1:0] free_hub_base_i,
  output wire [ADDR_W-1:0] hub_base_i,
  input  wire hub_done_o,
  input  wire [3:0] hub_error_o,

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

  output wire bad_done_o,     // a command ends once, and only one that was taken
  output wire bad_ready_o,    // no command is taken while one runs
  output wire bad_quiet_o,    // no request is offered or under way when a command ends
  output wire bad_request_o,  // a request belongs to a command about memory, and has its direction
  output wire bad_address_o,  // the requests of a command go through the unit's image word by word
  output wire bad_region_o,   // none lies beyond the image's region
  // a restore reads no further than the header says, and no more than it if it is wrong
  output wire bad_bound_o,
  output wire bad_tag_o,      // a tag is not used again before its answer
  output wire bad_still_o,    // a request that waits holds still
  output wire bad_hold_o,     // a word that waits for the unit holds still
  output wire bad_unit_o,     // only the unit of the command is spoken to, and with its command
  // the n-th word from the unit is written behind the magic word and those before it
  output wire bad_saved_o,
  // so are the words read that the unit gets; one that could not be read is the last, and says so
  output wire bad_restored_o,
  // a save begins with the magic word; the unit of a restore is not commanded before it was right
  output wire bad_magic_o,
  output wire bad_refused_o,  // a command during which memory refused a word does not end well
  output wire bad_acked_o,    // a save ends well only when every word of it is written and acknowledged
  // a restore from a slot without a good save since its last save began is refused
  output wire bad_slot_o,
  output wire bad_waits_o,    // when nothing waits a command ends within PROMPT cycles
  output wire cover_saved_o,  // a save of several words ends well
  output wire cover_restored_o, // a restore ends well
  output wire cover_local_o   // a restore from a slot ends well
);
  localparam UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1;
  localparam TAG_W = $clog2(INFLIGHT);
  localparam WORDS_LG = CTX_STRIDE_LG - 2;
  localparam COUNT_W = WORDS_LG + 2;
  localparam SHORT = 5;       // words of a context when nothing waits
  reg valid_q;
  always @(posedge clk_i) valid_q <= !rst_i;
  wire check = valid_q && !rst_i;

  // ---- commands
  assign {hub_valid_i, hub_load_i, hub_unit_i, hub_slot_i, hub_base_i} =
         {free_hub_valid_i, free_hub_load_i, free_hub_unit_i, free_hub_slot_i, free_hub_base_i};
  wire begins = hub_valid_i && hub_ready_o;
  reg running_q, load_q, first_q;
  reg [UNIT_W-1:0] unit_q;
  reg [1:0] slot_q;
  reg [ADDR_W-3:0] next_q;    // address of the next request
  wire [ADDR_W-3:0] offset = {{ADDR_W-2-UNIT_W{1'b0}}, unit_q} << WORDS_LG;
  wire req_taken = mem_req_valid_o && mem_req_ready_i;
  reg [COUNT_W-1:0] asked_q;  // requests taken; stays at its top
  always @(posedge clk_i) begin
    running_q <= !rst_i && (begins || (running_q && !hub_done_o));
    first_q <= begins;
    if (begins) begin
      load_q <= hub_load_i;
      unit_q <= hub_unit_i;
      slot_q <= hub_slot_i;
    end
    if (begins) next_q <= hub_base_i[ADDR_W-1:2];
    else if (first_q) next_q <= next_q + offset;
    else if (req_taken) next_q <= next_q + 1'b1;
    if (begins) asked_q <= {COUNT_W{1'b0}};
    else if (req_taken && !(&asked_q)) asked_q <= asked_q + 1'b1;
  end

  // ---- the unit of the command: takes it, moves words up to the last, and ends
  reg busy_q, ended_q, held_q;
  reg [32:0] held_word_q;
  reg [COUNT_W-1:0] moved_q;
  wire [UNIT_COUNT-1:0] here = {{UNIT_COUNT-1{1'b0}}, 1'b1} << unit_q;
  wire exists = {1'b0, unit_q} < UNIT_COUNT;
  wire cmd = |(ctx_cmd_valid_o & here) && !busy_q && (PROMPT != 0 || |(free_ctx_cmd_ready_i & here));
  wire moves = busy_q && !ended_q;
  wire offers = moves && !load_q && (held_q || PROMPT != 0 || |(free_ctx_out_valid_i & here));
  wire takes = moves && load_q && (PROMPT != 0 || |(free_ctx_in_ready_i & here));
  wire short_last = moved_q == SHORT - 1;
  wire [32:0] word = held_q ? held_word_q
                     : {(PROMPT != 0) ? short_last : free_ctx_out_last_i[0], free_ctx_out_data_i[31:0]};
  wire out_moves = offers && |(ctx_out_ready_o & here);
  wire in_moves = takes && |(ctx_in_valid_o & here);
  wire ends = busy_q && ended_q && (PROMPT != 0 || |(free_ctx_done_i & here));
  assign ctx_cmd_ready_i = here & {UNIT_COUNT{cmd}};
  assign ctx_done_i = here & {UNIT_COUNT{ends}};
  assign ctx_error_i = {UNIT_COUNT{free_ctx_error_i[2:0]}};
  assign ctx_out_valid_i = here & {UNIT_COUNT{offers}};
  assign ctx_in_ready_i = here & {UNIT_COUNT{takes}};
  genvar u;
  generate
    for (u = 0; u < UNIT_COUNT; u = u + 1) begin : g_word
      assign {ctx_out_last_i[u], ctx_out_data_i[32*u+:32]} = here[u] ? word
             : {free_ctx_out_last_i[u], free_ctx_out_data_i[32*u+:32]};
    end
  endgenerate
  always @(posedge clk_i) begin
    busy_q <= !rst_i && (cmd || (busy_q && !ends));
    if (cmd) ended_q <= 1'b0;
    else if ((out_moves && word[32]) || (in_moves && ctx_in_last_o)) ended_q <= 1'b1;
    held_q <= offers && !out_moves && !rst_i;
    held_word_q <= word;
    if (begins) moved_q <= {COUNT_W{1'b0}};
    else if ((out_moves || in_moves) && !(&moved_q)) moved_q <= moved_q + 1'b1;
  end

  // ---- memory: what is under way, by tag; answers to that only
  reg [INFLIGHT-1:0] way_q;
  reg [TAG_W-1:0] lowest;
  integer i;
  always @* begin
    lowest = {TAG_W{1'b0}};
    for (i = INFLIGHT - 1; i >= 0; i = i - 1) if (way_q[i]) lowest = i[TAG_W-1:0];
  end
  reg answer_held_q;
  reg [TAG_W-1:0] answer_tag_q;
  wire [TAG_W-1:0] pick = answer_held_q ? answer_tag_q : (PROMPT != 0) ? lowest : free_mem_rsp_tag_i;
  assign mem_req_ready_i = free_mem_req_ready_i || PROMPT != 0;
  assign mem_rsp_tag_i = pick;
  assign mem_rsp_valid_i = way_q[pick] && (free_mem_rsp_valid_i || answer_held_q || PROMPT != 0);
  assign {mem_rsp_data_i, mem_rsp_error_i} = {free_mem_rsp_data_i, free_mem_rsp_error_i};
  wire answered = mem_rsp_valid_i && mem_rsp_ready_o;
  wire refuses = answered && mem_rsp_error_i != 2'd0;
  always @(posedge clk_i) begin
    answer_held_q <= mem_rsp_valid_i && !mem_rsp_ready_o && !rst_i;
    answer_tag_q <= pick;
    for (i = 0; i < INFLIGHT; i = i + 1)
      way_q[i] <= !rst_i
                  && ((way_q[i] && !(answered && pick == i[TAG_W-1:0]))
                      || (req_taken && mem_req_tag_o == i[TAG_W-1:0]));
  end

  // ---- the header of a restore, when its words are answered; the first requests have the tags 0 to 3
  reg [3:0] head_q;           // answered
  reg head_bad_q, magic_q;    // magic_q: its first word is there, and right
  reg [31:0] length_q;
  wire head_answer = answered && load_q && !head_q[pick[1:0]] && (pick >> 2) == {TAG_W{1'b0}};
  always @(posedge clk_i) begin
    if (begins) begin
      head_q <= 4'd0;
      head_bad_q <= 1'b0;
      magic_q <= 1'b0;
    end else if (head_answer) begin
      head_q[pick[1:0]] <= 1'b1;
      if (pick == 0 && mem_rsp_error_i == 2'd0 && mem_rsp_data_i == 32'h55430200) magic_q <= 1'b1;
      if (mem_rsp_error_i != 2'd0 || (pick == 0 && mem_rsp_data_i != 32'h55430200)) head_bad_q <= 1'b1;
    end
    if (head_answer && pick == 3) length_q <= mem_rsp_data_i;
  end
  wire length_bad = length_q > (1 << WORDS_LG) - 5;
  wire [31:0] asked_wide = {{32-COUNT_W{1'b0}}, asked_q};

  // ---- the marked word
  reg [COUNT_W-1:0] mark_q;
  reg [TAG_W-1:0] mark_tag_q;
  reg mark_way_q, mark_known_q, mark_error_q;
  reg [31:0] mark_word_q;
  wire [COUNT_W-1:0] mark_place = mark_q + 1'b1;  // in the image, behind the magic word
  wire mark_asked = req_taken && asked_q == mark_place;
  wire mark_answered = answered && mark_way_q && pick == mark_tag_q;
  wire mark_moves = (out_moves || in_moves) && moved_q == mark_q;
  always @(posedge clk_i) begin
    if (rst_i || begins) mark_q <= {2'b00, free_mark_i[WORDS_LG-1:0]};
    if (begins || rst_i) {mark_way_q, mark_known_q} <= 2'b00;
    else begin
      if (mark_asked && load_q) mark_way_q <= 1'b1;
      if (mark_answered || (mark_moves && !load_q)) {mark_way_q, mark_known_q} <= 2'b01;
    end
    if (mark_asked) mark_tag_q <= mem_req_tag_o;
    if (mark_answered) {mark_error_q, mark_word_q} <= {mem_rsp_error_i != 2'd0, mem_rsp_data_i};
    else if (mark_moves && !load_q) mark_word_q <= word[31:0];
  end

  // ---- how it may end
  reg refused_q, unit_good_q;
  reg [7:0] cycles_q;
  reg slot_known_q;           // the marked slot of the marked unit has a good context
  reg [UNIT_W-1:0] slot_unit_q;
  reg [1:0] slot_mark_q;
  wire of_slot = slot_q == slot_mark_q && unit_q == slot_unit_q;
  wire ends_well = hub_done_o && hub_error_o == 4'd0;
  always @(posedge clk_i) begin
    if (begins) refused_q <= 1'b0;
    else if (refuses) refused_q <= 1'b1;
    if (begins) unit_good_q <= 1'b0;
    else if (ends) unit_good_q <= free_ctx_error_i[2:0] == 3'd0;
    cycles_q <= (rst_i || begins) ? 8'd0 : (running_q && !(&cycles_q)) ? cycles_q + 8'd1 : cycles_q;
    if (rst_i) begin
      slot_unit_q <= free_mark_i[40+:UNIT_W];
      slot_mark_q <= {free_mark_i[50], !free_mark_i[50] || free_mark_i[51]};
      slot_known_q <= 1'b0;
    end else if (hub_done_o && running_q && of_slot && !load_q) slot_known_q <= hub_error_o == 4'd0;
  end
  wire [31:0] moved_wide = {{32-COUNT_W{1'b0}}, moved_q};

  // ---- properties
  reg req_stalled_q, in_stalled_q;
  reg [ADDR_W+TAG_W+32:0] req_was_q;
  reg [UNIT_COUNT+34:0] in_was_q;
  wire [ADDR_W+TAG_W+32:0] req_now = {mem_req_write_o, mem_req_tag_o, mem_req_addr_o,
                                      mem_req_data_o & {32{mem_req_write_o}}};
  wire [UNIT_COUNT+34:0] in_now = {ctx_in_valid_o, ctx_in_last_o, ctx_in_error_o, ctx_in_data_o};
  always @(posedge clk_i) begin
    req_stalled_q <= mem_req_valid_o && !mem_req_ready_i && !rst_i;
    in_stalled_q <= ctx_in_valid_o != {UNIT_COUNT{1'b0}} && !in_moves && !rst_i;
    req_was_q <= req_now;
    in_was_q <= in_now;
  end
  wire [UNIT_COUNT-1:0] spoken = ctx_cmd_valid_o | ctx_in_valid_o;
  assign bad_done_o = check && hub_done_o && !running_q;
  assign bad_ready_o = check && hub_ready_o && running_q && !hub_done_o;
  assign bad_quiet_o = check && hub_done_o && (mem_req_valid_o || way_q != {INFLIGHT{1'b0}});
  assign bad_request_o = check && mem_req_valid_o
                         && (!running_q || slot_q != 2'd0 || !exists || mem_req_write_o == load_q);
  assign bad_address_o = check && mem_req_valid_o && mem_req_addr_o != {next_q, 2'b00};
  assign bad_region_o = check && mem_req_valid_o && asked_q[COUNT_W-1:WORDS_LG] != 2'd0;
  assign bad_bound_o = check && mem_req_valid_o && load_q && asked_q >= 4 &&
                       (head_q != 4'hf || head_bad_q || length_bad || asked_wide > length_q + 4);
  assign bad_tag_o = check && mem_req_valid_o && way_q[mem_req_tag_o];
  assign bad_still_o = check && req_stalled_q && (!mem_req_valid_o || req_now != req_was_q);
  assign bad_hold_o = check && in_stalled_q && in_now != in_was_q;
  assign bad_unit_o = check
                      && ((spoken & ~here) != {UNIT_COUNT{1'b0}}
                          || (spoken != {UNIT_COUNT{1'b0}} && !running_q) ||
                                (ctx_cmd_valid_o != {UNIT_COUNT{1'b0}} && ctx_cmd_load_o != load_q));
  // Behind the unit's last word comes the checksum.
  assign bad_saved_o = check && mem_req_write_o && asked_q == mark_place && !(ended_q && mark_q == moved_q) &&
                       (!mark_known_q || mem_req_data_o != mark_word_q);
  assign bad_restored_o = check && ctx_in_valid_o != {UNIT_COUNT{1'b0}} && slot_q == 2'd0
      && moved_q == mark_q &&
                          (!mark_known_q || ctx_in_data_o != mark_word_q || (mark_error_q
                              && !(ctx_in_error_o[1] && ctx_in_last_o)) ||
                           (ctx_in_error_o != 2'd0 && !ctx_in_last_o));
  assign bad_magic_o = check && slot_q == 2'd0 && ((mem_req_write_o && asked_q == 0
      && mem_req_data_o != 32'h55430200) ||
                       (ctx_cmd_valid_o != {UNIT_COUNT{1'b0}} && load_q && !magic_q));
  assign bad_refused_o = check && ends_well && running_q && refused_q && (!load_q || unit_good_q);
  assign bad_acked_o = check && ends_well && running_q && !load_q && (!unit_good_q || !ended_q ||
                       (slot_q == 2'd0 ? asked_q != moved_q + {{COUNT_W-2{1'b0}}, 2'd2}
                           : moved_wide > LOCAL_WORDS));
  assign bad_slot_o = check && ends_well && running_q && load_q && of_slot && !slot_known_q;
  assign bad_waits_o = check && PROMPT != 0 && running_q && {24'd0, cycles_q} > PROMPT;
  assign cover_saved_o = check && ends_well && running_q && !load_q && slot_q == 2'd0 && asked_q > 6;
  assign cover_restored_o = check && ends_well && running_q && load_q && slot_q == 2'd0 && asked_q > 6;
  assign cover_local_o = check && LOCAL_CONTEXTS != 0 && ends_well && running_q && load_q && slot_q != 2'd0;
  wire unused = &{1'b0, free_mark_i, mem_req_strb_o, free_ctx_error_i};
endmodule

`default_nettype wire
