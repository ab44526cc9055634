// SPDX-License-Identifier: Apache-2.0
// context_port: carries the context of one unit out as a stream of words and back in, while the unit is
// halted (docs/unit_status_cells.md has the cycles). The stream is a header of three words (type and number
// of the unit, hash of its configuration, length) and the unit's words. Magic word and checksum of an image
// in memory belong to whoever stores it (context_hub): with the last word of a load it says whether the image
// was good. A header that does not fit leaves the unit as it was; an error behind it ends in ld_abort_o,
// which tells the unit to clear itself. One word register serves both directions: one word per cycle, two
// cycles from a command to the first word out, no combinational path from the streams' inputs to ctx_*_o. A
// word of the header takes two cycles on the way in, to be compared. Each command taken ends with one cycle
// of ctx_done_o. Reset: idle; the rest of a stream that is coming in is not waited for.
`default_nettype none

module context_port #(
  parameter UNIT_TYPE = 1,        // kind of unit, 0..65535
  parameter [31:0] CFG_HASH = 0,  // of what shapes the context
  parameter CTX_MIN = 1,          // fewest words of payload, 0 or 1
  parameter CTX_MAX = 16          // most words of payload, 1..2^24-1
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [15:0] ctx_unit_i,      // number of this unit, constant
  input  wire ctx_cmd_valid_i,        // a save or a load is wanted; hold it until taken
  input  wire ctx_cmd_load_i,         // 1 load, 0 save
  output wire ctx_cmd_ready_o,        // the command is taken in this cycle; 1 only while halted
  output reg  ctx_done_o,             // pulse: the save or load has ended
  output reg  [2:0] ctx_error_o,      // of the last command; 0 good
  output wire ctx_out_valid_o,        // a word of the saved context is offered; it holds still until taken
  input  wire ctx_out_ready_i,        // the word is taken
  output wire [31:0] ctx_out_data_o,  // the word
  output wire ctx_out_last_o,         // it is the last one
  input  wire ctx_in_valid_i,         // a word of the context to load is offered; hold it until taken
  output wire ctx_in_ready_o,         // the word is taken in this cycle
  input  wire [31:0] ctx_in_data_i,   // the word
  input  wire ctx_in_last_i,          // it is the last one that comes
  input  wire [1:0] ctx_in_error_i,   // with the last word: 0 good, 1 wrong checksum, 2 or 3 memory failed

  input  wire halted_i,           // the unit is halted
  input  wire can_halt_i,         // 0 while the unit clears itself
  output wire ctx_save_o,         // level until the last word is taken
  input  wire [23:0] ctx_len_i,   // CTX_MIN..CTX_MAX, stable while halted
  input  wire sav_valid_i,        // a word of the payload is offered, while ctx_save_o is 1
  output wire sav_ready_o,        // it is taken
  input  wire [31:0] sav_data_i,  // that word
  input  wire sav_last_i,         // it is the last word of the payload
  output reg  ctx_load_o,         // level until ld_commit_o or ld_abort_o
  output wire [23:0] ld_len_o,    // words of the payload that comes, while ctx_load_o is 1
  output wire ld_valid_o,         // a word of the payload is offered to the unit
  input  wire ld_ready_i,         // the unit takes it
  output wire [31:0] ld_data_o,   // that word
  output wire ld_last_o,          // it is the last word of the payload
  input  wire ld_bad_i,           // with the last word: the payload is inconsistent
  output reg  ld_commit_o,        // pulse: the load was good
  output reg  ld_abort_o          // pulse: the load was refused, the unit clears itself
);
  localparam LEN_W = $clog2(CTX_MAX + 1);
  localparam [3:0] IDLE = 4'd0, HEAD = 4'd1, BODY = 4'd2, DROP = 4'd4, END = 4'd8;
  localparam [2:0] BAD_TYPE = 3'd2, BAD_UNIT = 3'd3, BAD_LENGTH = 3'd4, BAD_SUM = 3'd5, BAD_MEMORY = 3'd6;
  localparam [LEN_W-1:0] NONE = {LEN_W{1'b0}}, ONE = {{LEN_W-1{1'b0}}, 1'b1};
  localparam [31:0] MAX = CTX_MAX, TYPE = UNIT_TYPE;
  localparam [1:0] TYPE_WORD = 2'd0, HASH_WORD = 2'd1, LENGTH_WORD = 2'd2;

  generate
    if (UNIT_TYPE < 0 || UNIT_TYPE > 65535) begin : g_unit_type_range
      unit_type_out_of_range check ();
    end
    if (CTX_MIN < 0 || CTX_MIN > 1) begin : g_ctx_min_range
      ctx_min_out_of_range check ();
    end
    if (CTX_MAX < 1 || CTX_MAX > 24'hffffff) begin : g_ctx_max_range
      ctx_max_out_of_range check ();
    end
  endgenerate

  reg [3:0] phase_q;      // at most one bit; of the word that is offered (save) or held (load)
  reg load_q;
  reg [1:0] index_q;      // word of the header; 3 behind it
  reg [LEN_W-1:0] len_q, next_q;  // of a load: payload in all; number of the word behind this one
  reg last_left_q;        // this word of the payload is the last one
  reg spoiled_q;          // the unit left halted under way: the context is worth nothing
  reg bad_q;
  reg held_q, word_last_q;  // a word of a load is held; it is the last one of its stream
  reg [1:0] word_error_q;
  reg compared_q;         // the header's word is compared: head_wrong_q is its verdict
  reg [2:0] head_wrong_q;
  reg [31:0] word_q;

  wire spoiled = spoiled_q || !halted_i;
  wire idle = phase_q == IDLE, in_head = phase_q[0], in_body = phase_q[1];
  wire drops = phase_q[2], ends = phase_q[3];
  wire at_length = index_q == LENGTH_WORD;

  reg [15:0] unit_q;
  always @(posedge clk_i) unit_q <= ctx_unit_i;

  // ---- save: the header, then what the unit offers; one that is spoiled ends with the next word
  wire [LEN_W-1:0] length = ctx_len_i[LEN_W-1:0];
  wire no_words = CTX_MIN == 0 && length == NONE;
  wire unused_length = &{1'b0, ctx_len_i};  // at most CTX_MAX
  assign ctx_out_valid_o = !load_q && (in_head || (in_body && (sav_valid_i || spoiled)));
  assign ctx_save_o = !load_q && (in_head || in_body);
  reg [31:0] out_word;
  always @*
    case (index_q)
      TYPE_WORD: out_word = {TYPE[15:0], unit_q};
      HASH_WORD: out_word = CFG_HASH;
      LENGTH_WORD: out_word = {{32-LEN_W{1'b0}}, length};
      default: out_word = sav_data_i & {32{!spoiled}};
    endcase
  assign ctx_out_data_o = out_word;
  assign ctx_out_last_o = in_head ? at_length && no_words : sav_last_i || spoiled;
  assign sav_ready_o = !load_q && in_body && ctx_out_ready_i && !spoiled;
  wire out_leaves = ctx_out_valid_o && ctx_out_ready_i;

  // ---- load: one register. A function of registers: ld_ready_i is one of the unit's. Nothing is taken
  // behind the last word.
  // a word that the unit may get
  wire whole = word_last_q == last_left_q && word_error_q == 2'd0 && !spoiled;
  assign ld_valid_o = held_q && in_body && whole;
  wire waits = in_head ? !compared_q : ld_valid_o && !ld_ready_i;  // for its comparison, or the unit
  wire in_leaves = held_q && !waits;
  assign ctx_in_ready_o = load_q && !idle && !ends && (!held_q || (!word_last_q && !waits));
  wire in_enters = ctx_in_valid_i && ctx_in_ready_o;
  always @(posedge clk_i) begin
    held_q <= !rst_i && (in_enters || (held_q && waits));
    if (in_enters) begin
      word_q <= ctx_in_data_i;
      word_last_q <= ctx_in_last_i;
      word_error_q <= ctx_in_error_i;
    end
  end
  assign ld_data_o = word_q;
  assign ld_last_o = last_left_q;
  generate
    if (LEN_W < 24) begin : g_pad
      assign ld_len_o = {{24-LEN_W{1'b0}}, len_q};
    end else begin : g_no_pad
      assign ld_len_o = len_q;
    end
  endgenerate

  // ---- what is wrong with the word of a load
  // Bit by bit from the lowest one: for a constant it takes less logic than a subtraction.
  reg above;
  integer i;
  always @* begin
    above = 1'b0;
    for (i = 0; i < LEN_W; i = i + 1) above = MAX[i] ? word_q[i] && above : word_q[i] || above;
  end
  wire empty = word_q[LEN_W-1:0] == NONE;  // the header says that no payload follows
  wire wrong_length = |word_q[31:LEN_W] || above || (CTX_MIN != 0 && empty);
  wire type_differs = word_q[31:16] != TYPE[15:0], unit_differs = word_q[15:0] != unit_q;
  wire hash_differs = word_q != CFG_HASH;
  always @(posedge clk_i) begin
    compared_q <= in_head && held_q && !compared_q;
    if (at_length) head_wrong_q <= wrong_length ? BAD_LENGTH : 3'd0;
    else if (index_q == TYPE_WORD) head_wrong_q <= type_differs ? BAD_TYPE : unit_differs ? BAD_UNIT : 3'd0;
    else head_wrong_q <= hash_differs ? BAD_TYPE : 3'd0;
  end
  wire ends_stream = in_body ? last_left_q : CTX_MIN == 0 && at_length && empty;  // should be the last
  reg [2:0] wrong;
  always @*
    if (drops) wrong = 3'd0;
    else if (word_error_q[1]) wrong = BAD_MEMORY;
    else if (spoiled) wrong = BAD_SUM;
    else if (in_head && head_wrong_q != 3'd0) wrong = head_wrong_q;
    else if (word_last_q != ends_stream) wrong = BAD_LENGTH;
    else wrong = word_error_q[0] ? BAD_SUM : 3'd0;
  wire [2:0] verdict = ctx_error_o != 3'd0 ? ctx_error_o : spoiled ? BAD_SUM : bad_q ? BAD_LENGTH : 3'd0;

  // ---- the words of a payload are counted up to their number, which stands in len_q from the second cycle
  // of the header's last word on: counting down would take a choice in front of the subtraction.
  always @(posedge clk_i) begin
    if (at_length) len_q <= word_q[LEN_W-1:0];
    if (in_leaves) last_left_q <= next_q == len_q;
    if (!index_q[1]) next_q <= ONE;
    else if (in_leaves) next_q <= next_q + 1'b1;
  end

  // ---- sequence
  assign ctx_cmd_ready_o = idle && !ctx_done_o && halted_i && can_halt_i;
  wire taken = ctx_cmd_valid_i && ctx_cmd_ready_o;
  wire leaves = in_leaves || out_leaves;
  wire is_wrong = in_leaves && wrong != 3'd0;
  wire head_done = in_head && at_length && leaves;
  always @(posedge clk_i) begin
    if (idle || ends) load_q <= taken && ctx_cmd_load_i;
    bad_q <= !idle && (in_leaves ? in_body && ld_bad_i : bad_q);
    spoiled_q <= !idle && spoiled;
    index_q <= idle ? TYPE_WORD : index_q + {1'b0, in_head && leaves};
  end

  always @(posedge clk_i)
    if (rst_i) begin
      phase_q <= IDLE;
      ctx_done_o <= 1'b0;
      ctx_error_o <= 3'd0;
      ctx_load_o <= 1'b0;
      ld_commit_o <= 1'b0;
      ld_abort_o <= 1'b0;
    end else begin
      ctx_done_o <= ends;
      ld_commit_o <= ends && ctx_load_o && verdict == 3'd0;
      ld_abort_o <= ends && ctx_load_o && verdict != 3'd0;
      if (ld_commit_o || ld_abort_o) ctx_load_o <= 1'b0;
      else if (head_done && load_q && wrong == 3'd0) ctx_load_o <= 1'b1;
      if (taken) phase_q <= HEAD;
      else if (ends) phase_q <= IDLE;
      else if (leaves && (load_q ? word_last_q : ctx_out_last_o)) phase_q <= END;
      else if (is_wrong) phase_q <= DROP;
      else if (head_done) phase_q <= BODY;
      if (taken) ctx_error_o <= 3'd0;
      else if (is_wrong) ctx_error_o <= wrong;
      else if (ends) ctx_error_o <= verdict;
    end
endmodule

`default_nettype wire
