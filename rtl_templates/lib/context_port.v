// SPDX-License-Identifier: Apache-2.0
// context_port: carries the context of one unit out as a stream of words and back in, while the unit is
// halted (docs/unit_status_cells.md has the cycles). Save: header, the unit's words, checksum. Load: the
// header is checked before any word reaches the unit, length and checksum before ld_commit_o; on an error
// after the header ld_abort_o tells the unit to clear itself. One word register serves both directions: one
// word per cycle, two cycles from a command to the first word out, no combinational path from the streams'
// inputs to ctx_*_o. A word of the header takes two cycles on the way in, to be compared. Each command taken
// ends with one cycle of ctx_done_o. Reset: idle; the rest of a stream that is coming in is not waited for.
`default_nettype none

module context_port #(
  parameter UNIT_TYPE = 1,          // kind of unit, 0..65535
  parameter [31:0] CFG_HASH = 0,    // of what shapes the context
  parameter CTX_MAX = 16            // most words of payload, 1..2^24-1
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [15:0] ctx_unit_i,        // number of this unit, constant
  input  wire ctx_cmd_valid_i,
  input  wire ctx_cmd_load_i,           // 1 load, 0 save
  output wire ctx_cmd_ready_o,
  output reg  ctx_done_o,
  output reg  [2:0] ctx_error_o,        // of the last command; 0 good
  output wire ctx_out_valid_o,
  input  wire ctx_out_ready_i,
  output wire [31:0] ctx_out_data_o,
  output wire ctx_out_last_o,
  input  wire ctx_in_valid_i,
  output wire ctx_in_ready_o,
  input  wire [31:0] ctx_in_data_i,
  input  wire ctx_in_last_i,
  input  wire ctx_in_error_i,           // this word could not be read

  input  wire halted_i,
  input  wire can_halt_i,               // 0 while the unit clears itself
  output reg  ctx_save_o,               // level until the last word is taken
  input  wire [23:0] ctx_len_i,         // 1..CTX_MAX, stable while halted
  input  wire sav_valid_i,
  output wire sav_ready_o,
  input  wire [31:0] sav_data_i,
  input  wire sav_last_i,
  output reg  ctx_load_o,               // level until ld_commit_o or ld_abort_o
  output wire [23:0] ld_len_o,
  output wire ld_valid_o,
  input  wire ld_ready_i,
  output wire [31:0] ld_data_o,
  output wire ld_last_o,
  input  wire ld_bad_i,                 // with the last word: the payload is inconsistent
  output reg  ld_commit_o,
  output reg  ld_abort_o
);
  localparam LEN_W = $clog2(CTX_MAX + 1);
  localparam [2:0] IDLE = 3'd0, HEAD = 3'd1, BODY = 3'd2, SUM = 3'd3, DROP = 3'd4, END = 3'd5;
  localparam [2:0] BAD_MAGIC = 3'd1, BAD_TYPE = 3'd2, BAD_UNIT = 3'd3, BAD_LENGTH = 3'd4, BAD_SUM = 3'd5,
                   BAD_MEMORY = 3'd6;
  localparam [LEN_W:0] TWO_WIDE = 2;
  localparam [LEN_W-1:0] TWO = TWO_WIDE[LEN_W-1:0];  // 0 where CTX_MAX is 1: never reached there
  localparam [31:0] MAGIC = 32'h55430100, RESIDUE = 32'hdebb20e3, MAX = CTX_MAX, TYPE = UNIT_TYPE;

  generate
    if (UNIT_TYPE < 0 || UNIT_TYPE > 65535) begin : g_unit_type_range
      unit_type_out_of_range check ();
    end
    if (CTX_MAX < 1 || CTX_MAX > 24'hffffff) begin : g_ctx_max_range
      ctx_max_out_of_range check ();
    end
  endgenerate

  reg [2:0] phase_q;      // save: of the word that comes next; load: of the word in word_q
  reg load_q;
  reg [1:0] index_q;      // word of the header
  reg [LEN_W-1:0] len_q, left_q;  // payload in all, still to come
  reg last_q;          // left_q is 1
  reg spoiled_q;          // the unit left halted under way, or miscounted: the context is worth nothing
  reg bad_q;
  reg word_valid_q, word_last_q, word_error_q;
  reg seen_q;             // the header's word is compared: head_wrong_q is its verdict
  reg [2:0] head_wrong_q;
  reg [31:0] word_q, crc_q;
  wire [31:0] crc_next;

  crc32_word u_crc (.crc_i(crc_q), .word_i(word_q), .crc_o(crc_next));

  // ---- the word register
  wire spoiled = spoiled_q || !halted_i;
  wire whole = !word_last_q && !word_error_q && !spoiled_q;  // a word of payload may have this form only
  assign ld_valid_o = word_valid_q && load_q && phase_q == BODY && whole;
  // of a load, waits for the unit or the check
  wire stays = phase_q == HEAD ? !seen_q : ld_valid_o && !ld_ready_i;
  wire leaves = word_valid_q && (load_q ? !stays : ctx_out_ready_i);
  wire room = !word_valid_q || leaves;
  wire save_head = !load_q && phase_q == HEAD;
  wire save_body = !load_q && phase_q == BODY;
  wire save_sum = !load_q && phase_q == SUM && !word_valid_q;  // the last word is in the checksum
  assign sav_ready_o = save_body && room && !spoiled;
  wire body_enters = save_body && room && (sav_valid_i || spoiled);
  wire in_enters = ctx_in_valid_i && ctx_in_ready_o;
  wire enters = save_head ? room : body_enters || save_sum || in_enters;

  reg [31:0] header;
  always @*
    case (index_q)
      2'd0: header = MAGIC;
      2'd1: header = {TYPE[15:0], ctx_unit_i};
      2'd2: header = CFG_HASH;
      default: header = {8'd0, ctx_len_i};
    endcase

  always @(posedge clk_i) begin
    if (rst_i) word_valid_q <= 1'b0;
    else if (room) word_valid_q <= enters;
    if (room) begin
      word_q <= load_q ? ctx_in_data_i : save_head ? header : sav_ready_o ? sav_data_i
                : ~crc_q ^ {32{spoiled}};
      word_last_q <= load_q ? ctx_in_last_i : save_sum;
      word_error_q <= load_q && ctx_in_error_i;
    end
    if (phase_q == IDLE) crc_q <= 32'hffffffff;
    else if (leaves) crc_q <= crc_next;
  end

  assign ctx_out_valid_o = word_valid_q && !load_q;
  assign ctx_out_data_o = word_q;
  assign ctx_out_last_o = word_last_q;
  // A function of registers: ld_ready_i is one of the unit's. Nothing is taken behind the last word.
  assign ctx_in_ready_o = load_q && phase_q != IDLE && phase_q != END && (!word_valid_q ||
                          (!word_last_q && !stays));
  assign ld_data_o = word_q;
  assign ld_last_o = last_q;
  generate
    if (LEN_W < 24) begin : g_pad
      assign ld_len_o = {{24-LEN_W{1'b0}}, len_q};
    end else begin : g_no_pad
      assign ld_len_o = len_q;
    end
  endgenerate

  // ---- what is wrong with the word of a load
  wire [LEN_W:0] to_max = MAX[LEN_W:0] - {1'b0, word_q[LEN_W-1:0]};  // negative: more than CTX_MAX
  wire long = |word_q[31:LEN_W] || to_max[LEN_W] || word_q[LEN_W-1:0] == {LEN_W{1'b0}};
  always @(posedge clk_i) begin
    seen_q <= phase_q == HEAD && word_valid_q && !seen_q;
    case (index_q)
      2'd0: head_wrong_q <= (word_q != MAGIC) ? BAD_MAGIC : 3'd0;
      2'd1: head_wrong_q <= (word_q[31:16] != TYPE[15:0]) ? BAD_TYPE : (word_q[15:0] != ctx_unit_i)
                            ? BAD_UNIT : 3'd0;
      2'd2: head_wrong_q <= (word_q != CFG_HASH) ? BAD_TYPE : 3'd0;
      default: head_wrong_q <= long ? BAD_LENGTH : 3'd0;
    endcase
  end
  reg [2:0] wrong;
  always @*
    if (phase_q == DROP) wrong = 3'd0;
    else if (word_error_q) wrong = BAD_MEMORY;
    else if (spoiled) wrong = BAD_SUM;
    else if (phase_q == HEAD && head_wrong_q != 3'd0) wrong = head_wrong_q;
    else if (word_last_q != (phase_q == SUM)) wrong = BAD_LENGTH;
    else wrong = 3'd0;
  wire [2:0] verdict = ctx_error_o != 3'd0 ? ctx_error_o
                     : spoiled || (load_q && crc_q != RESIDUE) ? BAD_SUM
                     : load_q && bad_q ? BAD_LENGTH : 3'd0;

  // ---- sequence
  assign ctx_cmd_ready_o = phase_q == IDLE && !ctx_done_o && halted_i && can_halt_i;
  wire ends = phase_q == END && (load_q || leaves);
  wire [LEN_W-1:0] length = load_q ? word_q[LEN_W-1:0] : ctx_len_i[LEN_W-1:0];
  wire head_done = index_q == 2'd3 && (load_q ? leaves && wrong == 3'd0 : room) && phase_q == HEAD;

  always @(posedge clk_i)
    if (rst_i) begin
      phase_q <= IDLE;
      load_q <= 1'b0;
      ctx_done_o <= 1'b0;
      ctx_error_o <= 3'd0;
      ctx_save_o <= 1'b0;
      ctx_load_o <= 1'b0;
      ld_commit_o <= 1'b0;
      ld_abort_o <= 1'b0;
    end else begin
      ctx_done_o <= ends;
      ld_commit_o <= ends && ctx_load_o && verdict == 3'd0;
      ld_abort_o <= ends && ctx_load_o && verdict != 3'd0;
      if (ld_commit_o || ld_abort_o) ctx_load_o <= 1'b0;
      if (phase_q != IDLE && (spoiled || (body_enters && sav_last_i != last_q))) spoiled_q <= 1'b1;
      if (ctx_cmd_valid_i && ctx_cmd_ready_o) begin
        phase_q <= HEAD;
        load_q <= ctx_cmd_load_i;
        ctx_save_o <= !ctx_cmd_load_i;
        index_q <= 2'd0;
        ctx_error_o <= 3'd0;
        spoiled_q <= 1'b0;
        bad_q <= 1'b0;
      end
      if (phase_q == HEAD && (load_q ? leaves : room)) index_q <= index_q + 2'd1;
      if (head_done) begin
        phase_q <= BODY;
        ctx_load_o <= load_q;
        len_q <= length;
        left_q <= length;
        last_q <= length == {{LEN_W-1{1'b0}}, 1'b1};
      end
      if (phase_q == BODY && (load_q ? leaves : body_enters)) begin
        left_q <= left_q - 1'b1;
        last_q <= left_q == TWO;
        bad_q <= ld_bad_i;
        if (last_q) begin
          phase_q <= SUM;
          ctx_save_o <= 1'b0;
        end
      end
      if (save_sum || (load_q && phase_q == SUM && leaves)) phase_q <= END;
      if (load_q && leaves) begin
        if (wrong != 3'd0) begin
          ctx_error_o <= wrong;
          phase_q <= DROP;
        end
        if (word_last_q) phase_q <= END;
      end
      if (ends) begin
        ctx_error_o <= verdict;
        phase_q <= IDLE;
        load_q <= 1'b0;
      end
    end
endmodule

`default_nettype wire
