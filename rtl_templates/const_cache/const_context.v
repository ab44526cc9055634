// SPDX-License-Identifier: Apache-2.0
// const_context: the words of a context (CC-14), saved and loaded: registers, SMs, rows of L2, entries of the
// backup (protocol backup) or locked rows and the L1s' words (protocol copy), commands. A record is a head,
// the entry's mask of codes, and a line. A save shows the record's place and takes what the parts answer; a
// load gathers a record and puts it into its place in the cycle behind its last word. The layout is in
// docs/const_cache_design.md. Reset: no word.
`default_nettype none

module const_context #(
  parameter PROTOCOL = 0,
  parameter SMS = 4,
  parameter LINE_AW = 12,
  parameter LINES = 4096,
  parameter LINE_W = 32,
  parameter ROWS_L1 = 256,
  parameter ROWS_L2 = 1024,
  parameter SETS = 128,
  parameter WAYS = 4,
  parameter CODES = 15,
  parameter CODE_W = 4,
  parameter ADDR_W = 32,
  parameter REGION = 14,               // bits of an address below those of CC_BASE
  parameter CONST_W = 12,
  parameter RECORD_W = 11
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire save_i,
  input  wire load_i,
  input  wire cleared_i,               // of a load: what was there is gone
  output wire sav_valid_o,
  input  wire sav_ready_i,
  output wire [31:0] sav_data_o,
  output wire sav_last_o,
  input  wire ld_valid_i,
  output wire ld_ready_o,
  input  wire [31:0] ld_data_i,
  input  wire ld_last_i,
  output wire ld_wrong_o,
  input  wire refused_i,

  output wire [RECORD_W-1:0] record_o, // that is saved
  output wire in_words_o,              // it is one of an L1
  output wire sm_moves_o,              // an SM's word leaves

  // what the parts have there
  input  wire [ADDR_W-1:0] base_i,
  input  wire [8:0] errors_i,
  input  wire [CONST_W-1:0] failed_i,
  input  wire [CODE_W-1:0] current_i,  // backup: the code; copy: bit 0: a version begins behind the last SM
  input  wire base_free_i,
  input  wire [31:0] sm_i,             // an SM's word
  input  wire row_some_i,
  input  wire [LINE_AW-1:0] row_addr_i,
  input  wire [LINE_W-1:0] row_line_i,
  input  wire entry_some_i,
  input  wire entry_error_i,
  input  wire [LINE_AW-1:0] entry_addr_i,
  input  wire [CODES-1:0] entry_mask_i,
  input  wire [LINE_W-1:0] entry_line_i,
  input  wire lock_some_i,
  input  wire [LINE_AW-1:0] lock_addr_i,
  input  wire word_some_i,
  input  wire [LINE_AW-1:0] word_addr_i,
  input  wire [LINE_W-1:0] word_line_i,
  input  wire cmd_some_i,
  input  wire [1:0] cmd_kind_i,
  input  wire [LINE_AW-1:0] cmd_addr_i,
  input  wire [LINE_W-1:0] cmd_line_i,

  // what comes in: a pulse for each kind of record
  output reg  put_regs_o,
  output reg  put_sm_o,
  output reg  put_row_o,
  output reg  put_entry_o,
  output reg  put_lock_o,
  output reg  put_word_o,
  output reg  put_cmd_o,
  output reg  [RECORD_W-1:0] put_record_o,
  output wire [31:0] put_head_o,
  output wire [LINE_AW-1:0] put_addr_o,
  output wire [CODES-1:0] put_mask_o,
  output wire [LINE_W-1:0] put_line_o,
  output wire [ADDR_W-1:0] put_base_o, // waits for the commit
  output wire [8:0] put_errors_o,
  output wire [CONST_W-1:0] put_failed_o,
  output wire [CODE_W-1:0] put_current_o,
  output wire put_free_o,
  input  wire [CODES-1:0] used_i,      // codes of active SMs
  input  wire [SMS-1:0] active_i,      // copy: an SM is in the list once
  input  wire even_i,                  // nothing can be locked
  input  wire have_i,                  // the SM of the L1 has a version
  input  wire full_i                   // no place for another command
);
  localparam COPY = (PROTOCOL == 2) ? 1 : 0, BACKUP = (PROTOCOL == 0) ? 1 : 0;
  localparam SECTIONS = (COPY != 0) ? 6 : (BACKUP != 0) ? 5 : 4;
  localparam LINE_WORDS = (LINE_W + 31) / 32, MASK_WORDS = (CODES + 31) / 32;
  localparam BODY = LINE_WORDS + ((BACKUP != 0) ? MASK_WORDS : 0);
  localparam REGS = 5, MOST = (BODY > REGS - 1) ? BODY : REGS - 1, WORD_W = $clog2(MOST + 1);
  localparam IN_REGS = 0, IN_SMS = 1, IN_ROWS = 2, IN_THIRD = 3, IN_WORDS = 4, IN_CMDS = SECTIONS - 1;
  // Of each section: records, words of a record.
  localparam [31:0] N_SMS = 32'd1 * SMS, N_L2 = 32'd1 * ROWS_L2, N_ENTRIES = 32'd1 * SETS * WAYS,
    N_L1 = 32'd1 * ROWS_L1, N_WORDS = 32'd1 * SMS * ROWS_L1, N_CMDS = (COPY != 0) ? 32'd19 : 32'd16,
    N_REGS = 32'd1 * REGS, N_LINE = 32'd1 + LINE_WORDS, N_ENTRY = 32'd1 + LINE_WORDS + MASK_WORDS;
  localparam [191:0] RECORD_LIST = (COPY != 0) ? {N_CMDS, N_WORDS, N_L1, N_L2, N_SMS, 32'd1}
    : (BACKUP != 0) ? {32'd0, N_CMDS, N_ENTRIES, N_L2, N_SMS, 32'd1} : {64'd0, N_CMDS, N_L2, N_SMS, 32'd1};
  localparam [191:0] WORD_LIST = (COPY != 0) ? {N_LINE, N_LINE, 32'd1, N_LINE, 32'd1, N_REGS}
    : (BACKUP != 0) ? {32'd0, N_LINE, N_ENTRY, N_LINE, 32'd1, N_REGS}
    : {64'd0, N_LINE, N_LINE, 32'd1, N_REGS};

  wire [2:0] section;
  wire [RECORD_W-1:0] record;
  wire [WORD_W-1:0] word;
  wire ends, last, walk_ready, moves;
  wire runs = save_i || load_i;
  context_walk #(
    .SECTIONS(SECTIONS), .RECORDS(RECORD_LIST[32*SECTIONS-1:0]), .WORDS(WORD_LIST[32*SECTIONS-1:0]),
    .RECORD_W(RECORD_W), .WORD_W(WORD_W)
  ) u_walk (
    .clk_i(clk_i), .rst_i(rst_i), .runs_i(runs), .moves_i(moves), .busy_i(1'b0), .ready_o(walk_ready),
    .section_o(section), .record_o(record), .word_o(word), .ends_o(ends), .last_o(last));
  wire regs = section == IN_REGS[2:0], sms = section == IN_SMS[2:0], rows = section == IN_ROWS[2:0],
       entries = BACKUP != 0 && section == IN_THIRD[2:0], locks = COPY != 0 && section == IN_THIRD[2:0],
       words = COPY != 0 && section == IN_WORDS[2:0], cmds = section == IN_CMDS[2:0];
  wire first = word == {WORD_W{1'b0}};
  assign record_o = record;
  assign in_words_o = save_i && words;
  assign sm_moves_o = save_i && moves && sms;

  // ---- save: a record's rows are read in its first cycles ------------------------------------------------
  reg [2:0] age_q;
  wire turns = moves && ends;
  wire [2:0] needs = words ? 3'd4 : (rows || entries) ? 3'd2 : 3'd1;
  always @(posedge clk_i) age_q <= (!save_i || turns) ? 3'd0 : age_q + {2'd0, age_q != 3'd4};
  wire some = rows ? row_some_i : entries ? entry_some_i : locks ? lock_some_i : words ? word_some_i
            : cmd_some_i;
  wire [LINE_AW-1:0] addr = rows ? row_addr_i : entries ? entry_addr_i : locks ? lock_addr_i
                          : words ? word_addr_i : cmd_addr_i;
  wire [LINE_W-1:0] line = rows ? row_line_i : entries ? entry_line_i : words ? word_line_i : cmd_line_i;
  wire [1:0] more = entries ? {1'b0, entry_error_i} : cmds ? cmd_kind_i : 2'd0;
  wire [31:0] head = {1'b1, more, {29-LINE_AW{1'b0}}, addr};
  wire [64:0] base = {{65-ADDR_W{1'b0}}, base_i};  // one bit more than is used, as of the others below
  wire [31:0] setting = {{16-CODE_W{1'b0}}, current_i, 15'd0, base_free_i};
  wire [32*LINE_WORDS:0] line_words = {{32*LINE_WORDS-LINE_W+1{1'b0}}, line};
  wire [32*MOST:0] of_regs = {{32*(MOST-4)+1{1'b0}}, setting, {32-CONST_W{1'b0}}, failed_i, 23'd0,
                              errors_i, base[63:32]};
  wire [32*MOST:0] plain = {{32*(MOST-LINE_WORDS)+1{1'b0}}, line_words[32*LINE_WORDS-1:0]};
  wire [32*MOST:0] shown;
  reg [31:0] shown_word;
  wire [WORD_W-1:0] behind = word - 1'b1;
  integer i;
  always @* begin
    shown_word = 32'd0;
    for (i = 0; i < MOST; i = i + 1) if (behind == i[WORD_W-1:0]) shown_word = shown[32*i+:32];
  end
  assign sav_valid_o = save_i && age_q >= needs;
  assign sav_data_o = sms ? sm_i : (regs && first) ? base[31:0] : (regs || some) ? (first ? head : shown_word)
                    : 32'd0;
  assign sav_last_o = last;

  // ---- load ---------------------------------------------------------------------------------------------
  reg [31:0] head_q, base_low_q;
  reg [32*MOST-1:0] body_q;
  wire takes = ld_valid_i && ld_ready_o;
  assign moves = save_i ? sav_valid_o && sav_ready_i : takes;
  assign ld_ready_o = load_i && cleared_i;
  wire puts = takes && ends && !refused_i && !ld_wrong_o;
  wire [31:0] w = ld_data_i;
  wire some_comes = first ? w[31] : head_q[31];  // of the record that ends
  integer j;
  always @(posedge clk_i) begin
    {put_regs_o, put_sm_o, put_lock_o} <= {3{!rst_i && puts}} & {regs, sms, locks && w[31]};
    {put_row_o, put_entry_o, put_word_o, put_cmd_o} <= {4{!rst_i && puts && some_comes}}
      & {rows, entries, words, cmds};
    put_record_o <= record;
    if (takes && first) head_q <= w;
    if (takes && first && regs) base_low_q <= w;
    for (j = 0; j < MOST; j = j + 1) if (takes && behind == j[WORD_W-1:0]) body_q[32*j+:32] <= w;
  end
  assign put_head_o = head_q;
  assign put_addr_o = head_q[LINE_AW-1:0];
  // The base is kept until the commit, when other records have come.
  reg [31:0] base_high_q;
  always @(posedge clk_i) if (put_regs_o) base_high_q <= body_q[31:0];
  wire [63:0] new_base = {base_high_q, base_low_q};
  assign put_base_o = new_base[ADDR_W-1:0];
  assign put_errors_o = body_q[32+:9];
  assign put_failed_o = body_q[64+:CONST_W];
  assign put_current_o = body_q[112+:CODE_W];
  assign put_free_o = body_q[96];
  generate
    if (BACKUP != 0) begin : g_mask
      wire [32*MASK_WORDS:0] mask_words = {{32*MASK_WORDS-CODES+1{1'b0}}, entry_mask_i};
      wire [32*MOST:0] of_entry = {{32*(MOST-BODY)+1{1'b0}}, line_words[32*LINE_WORDS-1:0],
                                   mask_words[32*MASK_WORDS-1:0]};
      wire unused = &{1'b0, mask_words[32*MASK_WORDS], of_entry[32*MOST]};
      assign shown = regs ? of_regs : entries ? of_entry : plain;
      assign put_mask_o = body_q[CODES-1:0];
      assign put_line_o = put_entry_o ? body_q[32*MASK_WORDS+:LINE_W] : body_q[LINE_W-1:0];
    end else begin : g_no_mask
      wire unused = &{1'b0, entry_mask_i, used_i};
      assign shown = regs ? of_regs : plain;
      assign put_mask_o = {CODES{1'b0}};
      assign put_line_o = body_q[LINE_W-1:0];
    end
  endgenerate

  // ---- what no save writes ------------------------------------------------------------------------------
  localparam [31:0] LAST_LINE = LINES - 1, LAST_CODE = CODES - 1, LAST_SM = SMS - 1;
  localparam IDX_L2 = $clog2(ROWS_L2), IDX_L1 = $clog2(ROWS_L1);
  localparam [63:0] BASE_BITS = ({64{1'b1}} >> (64 - ADDR_W)) & ({64{1'b1}} << REGION);
  localparam [31:0] WORD_1 = 1, WORD_2 = 2, WORD_3 = 3;
  function over(input [31:0] v, input [31:0] most);
    over = v > most;
  endfunction
  reg ended_q;                         // of the commands or the list: a record without one was there
  wire lists = cmds || (COPY != 0 && sms);
  always @(posedge clk_i)
    if (!lists || !load_i) ended_q <= 1'b0;
    else if (takes && first) ended_q <= ended_q || !w[31];
  wire [64:0] active = {{65-SMS{1'b0}}, active_i};
  // the SM of the record before this one is put in this cycle
  wire is_active = active[{1'b0, w[5:0]}] || (put_sm_o && head_q[31] && head_q[15:0] == w[15:0]);
  wire bad_addr = over({3'd0, w[28:0]}, LAST_LINE);
  wire empty = w == 32'd0;
  wire bad_setting = (word == WORD_1[WORD_W-1:0]) ? |(w & ~BASE_BITS[63:32])
      : (word == WORD_2[WORD_W-1:0]) ? |w[31:9] : (word == WORD_3[WORD_W-1:0]) ? |(w >> CONST_W)
      : |w[15:1] || over({16'd0, w[31:16]}, (COPY != 0) ? 32'd1 : (BACKUP != 0) ? LAST_CODE : 32'd0);
  wire bad_regs = first ? |(w & ~BASE_BITS[31:0]) : bad_setting;
  wire bad_sm = (COPY != 0) ? |w[28:16] || over({16'd0, w[15:0]}, LAST_SM)
                              || (w[31] && (is_active || ended_q))
                              || (!w[31] && (w[30] || w[15:0] != 16'd0))
      : |w[15:1] || over({16'd0, w[31:16]}, (BACKUP != 0) ? LAST_CODE : 32'd0) || (!w[0] && !empty);
  wire [31:0] place = {{32-RECORD_W{1'b0}}, record};
  wire bad_row = w[31] ? |w[30:29] || bad_addr || w[IDX_L2-1:0] != place[IDX_L2-1:0] : !empty;
  wire not_locked = even_i || (words && !have_i);
  wire bad_lock = w[31] ? not_locked || |w[30:29] || bad_addr || w[IDX_L1-1:0] != place[IDX_L1-1:0] : !empty;
  wire bad_cmd = w[31] ? ended_q || full_i || (w[30:29] != 2'd0 ? |(w[28:0] >> LINE_AW) : bad_addr) : !empty;
  // behind the head: 0 where the record is not there, and above the bits of a short line
  wire bad_body = head_q[31] ? ends && |(w >> LINE_W) : !empty;
  wire bad_entry;
  generate
    if (BACKUP != 0) begin : g_entry
      localparam WAY_W = $clog2(WAYS), SET_W = $clog2(SETS);
      wire [31:0] set = place >> WAY_W;
      wire unused_set = &{1'b0, set};
      wire [32*MASK_WORDS:0] codes = {{32*MASK_WORDS-CODES+1{1'b0}}, used_i};
      wire unused_code = codes[32*MASK_WORDS];
      reg [31:0] allowed;
      integer k;
      always @* begin
        allowed = 32'd0;
        for (k = 0; k < MASK_WORDS; k = k + 1) if (behind == k[WORD_W-1:0]) allowed = codes[32*k+:32];
      end
      localparam [31:0] MASKS = MASK_WORDS;
      wire in_mask = !first && {{32-WORD_W{1'b0}}, word} <= MASKS;
      assign bad_entry = first ? (w[31] ? w[30] || bad_addr || w[SET_W-1:0] != set[SET_W-1:0] : !empty)
                       : in_mask && head_q[31] && |(w & ~allowed);
    end else begin : g_no_entry
      assign bad_entry = 1'b0;
    end
  endgenerate
  assign ld_wrong_o = refused_i || ld_last_i != last || section == SECTIONS[2:0]
    || (regs && bad_regs) || (sms && bad_sm) || (rows && first && bad_row) || (entries && bad_entry)
    || ((locks || words) && first && bad_lock) || (cmds && first && bad_cmd)
    || (!first && !regs && bad_body);
  wire unused_bits = &{1'b0, walk_ready, head_q, body_q, new_base, base[64], line_words[32*LINE_WORDS],
                       of_regs[32*MOST],                       plain[32*MOST], shown[32*MOST], active, place};
endmodule

`default_nettype wire
