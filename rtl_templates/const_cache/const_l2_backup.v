// SPDX-License-Identifier: Apache-2.0
// const_l2_backup: old words that active SMs still need (CC-9 to CC-12). Set-associative by address. An entry
// is {tag, mask of version codes, word}: it holds the address's value for every version whose bit is set; an
// entry without a bit is free. For one address no code is in two entries, so that no ages are compared, and a
// code keeps its meaning until a scan has removed its bit everywhere. Timing is const_l2's: the set is read
// in stage 1, compared in stage 3, put together in stage 4, used in stage 5, written in stage 6. Reset: all
// entries are freed, one set per cycle.
`default_nettype none

module const_l2_backup #(
  parameter SETS = 128,
  parameter WAYS = 4,
  parameter CONST_W = 12,
  parameter WORD_W = 32,
  parameter CODES = 15,
  parameter CODE_W = 4
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [CONST_W-1:0] s1_addr_i,
  input  wire [CONST_W-1:0] s3_addr_i,
  input  wire [CODE_W-1:0] s3_code_i,

  input  wire [CONST_W-1:0] s4_addr_i,
  input  wire s4_scan_i,
  input  wire [CODES-1:0] used_i,      // and the code of a work item in stage 5

  // of the operation in stage 5
  output reg  s5_match_o,              // an entry holds the word of its version
  output reg  [WORD_W-1:0] s5_word_o,
  output reg  s5_error_o,              // the word was lost: memory failed when it was fetched
  output reg  s5_lacks_o,              // a version in use has no entry of this address
  output wire s5_room_o,               // an entry of the set is free
  input  wire [CONST_W-1:0] s5_addr_i,
  input  wire s5_scan_i,               // codes that are not used leave the set
  input  wire s5_save_i,
  input  wire [WORD_W-1:0] s5_old_i,
  input  wire s5_old_error_i,

  output reg  [$clog2(SETS*WAYS):0] entries_o, // in use

  input  wire [CONST_W-1:0] save_set_i,  // an entry of a context, read two cycles ago
  input  wire [$clog2(WAYS):0] save_way_i,
  output wire entry_some_o,
  output reg  entry_error_o,
  output wire [CONST_W-1:0] entry_addr_o,
  output wire [CODES-1:0] entry_mask_o,
  output reg  [WORD_W-1:0] entry_line_o,
  input  wire put_entry_i,             // one comes in
  input  wire [$clog2(WAYS):0] put_way_i,
  input  wire put_error_i,
  input  wire [CONST_W-1:0] put_addr_i,
  input  wire [CODES-1:0] put_mask_i,
  input  wire [WORD_W-1:0] put_line_i
);
  localparam SET_W = $clog2(SETS), TAG_W = CONST_W + 1 - SET_W, META_W = TAG_W + CODES,
             COUNT_W = $clog2(SETS*WAYS) + 1;

  reg clear_q;
  reg [SET_W-1:0] clear_set_q;
  always @(posedge clk_i)
    if (rst_i) begin
      clear_q <= 1'b1;
      clear_set_q <= {SET_W{1'b0}};
    end else begin
      if (&clear_set_q) clear_q <= 1'b0;
      clear_set_q <= clear_set_q + {{SET_W-1{1'b0}}, 1'b1};
    end

  wire [CONST_W:0] s3_wide = {1'b0, s3_addr_i}, s4_wide = {1'b0, s4_addr_i};
  wire unused_bits = &{1'b0, s1_addr_i, s3_wide[SET_W-1:0], s4_wide[SET_W-1:0], s5_addr_i};
  wire [WAYS-1:0] same, has_code, free;
  wire [WAYS*CODES-1:0] mask;
  wire [WAYS*(WORD_W+1)-1:0] s4_words;
  wire [WAYS-1:0] s4_retires;
  reg [WAYS-1:0] s4_match_q, s4_free_q, s4_free_all_q, s5_free_q, s5_retires_q, s6_we_q, s6_word_we_q;
  reg [CODES-1:0] s4_covered_q;
  reg [WORD_W:0] s6_word_q;
  reg [SET_W-1:0] s6_set_q;

  wire [WAYS-1:0] first_free = free & (~free + 1'b1);
  wire [CODES-1:0] code_bit = {{CODES-1{1'b0}}, 1'b1} << s3_code_i;
  wire [CODES-1:0] lacking = used_i & ~s4_covered_q;
  wire [CONST_W:0] put_wide = {1'b0, put_addr_i};
  wire [WAYS*META_W-1:0] metas;        // as they were read
  wire [WAYS*(WORD_W+1)-1:0] words;
  wire [WAYS-1:0] puts;

  genvar w;
  generate
    for (w = 0; w < WAYS; w = w + 1) begin : g_way
      wire [META_W-1:0] meta;
      wire [WORD_W:0] word;
      reg [META_W-1:0] meta_q, s4_meta_q, s5_meta_q, s6_meta_q;
      reg [WORD_W:0] word_q, s4_word_q;
      ram_1r1w #(.WIDTH(META_W), .DEPTH(SETS)) u_meta (
        .clk_i(clk_i), .we_i(clear_q || s6_we_q[w]), .waddr_i(clear_q ? clear_set_q : s6_set_q),
        .wdata_i(clear_q ? {META_W{1'b0}} : s6_meta_q), .raddr_i(s1_addr_i[SET_W-1:0]), .rdata_o(meta));
      ram_1r1w #(.WIDTH(WORD_W + 1), .DEPTH(SETS)) u_word (
        .clk_i(clk_i), .we_i(s6_word_we_q[w]), .waddr_i(s6_set_q), .wdata_i(s6_word_q),
        .raddr_i(s1_addr_i[SET_W-1:0]), .rdata_o(word));
      assign same[w] = meta_q[CODES+:TAG_W] == s3_wide[CONST_W:SET_W];
      assign mask[w*CODES+:CODES] = meta_q[CODES-1:0];
      assign has_code[w] = |(meta_q[CODES-1:0] & code_bit);
      assign free[w] = meta_q[CODES-1:0] == {CODES{1'b0}};
      assign s4_words[w*(WORD_W+1)+:WORD_W+1] = s4_word_q;
      assign s4_retires[w] = !s4_free_all_q[w] && (s4_meta_q[CODES-1:0] & used_i) == {CODES{1'b0}};
      always @(posedge clk_i) begin
        meta_q <= meta;
        word_q <= word;
        s4_meta_q <= meta_q;
        s4_word_q <= word_q;
        s5_meta_q <= s4_scan_i ? {s4_meta_q[META_W-1:CODES], s4_meta_q[CODES-1:0] & used_i}
                               : {s4_wide[CONST_W:SET_W], lacking};
        s6_meta_q <= put_entry_i ? {put_wide[CONST_W:SET_W], put_mask_i} : s5_meta_q;
      end
      localparam [$clog2(WAYS):0] SELF = w;
      assign metas[w*META_W+:META_W] = meta_q;
      assign words[w*(WORD_W+1)+:WORD_W+1] = word_q;
      assign puts[w] = put_entry_i && put_way_i == SELF;
    end
  endgenerate

  reg [CODES-1:0] covered;
  reg [WORD_W:0] word_of_match;
  reg [COUNT_W-1:0] retired;
  integer i;
  always @* begin
    covered = {CODES{1'b0}};
    word_of_match = {WORD_W+1{1'b0}};
    retired = {COUNT_W{1'b0}};
    for (i = 0; i < WAYS; i = i + 1) begin
      covered = covered | (mask[i*CODES+:CODES] & {CODES{same[i]}});
      word_of_match = word_of_match | (s4_words[i*(WORD_W+1)+:WORD_W+1] & {WORD_W+1{s4_match_q[i]}});
      retired = retired + {{COUNT_W-1{1'b0}}, s5_retires_q[i] && s5_scan_i};
    end
  end
  assign s5_room_o = |s5_free_q;
  reg [META_W-1:0] entry_meta;
  always @* begin
    entry_meta = {META_W{1'b0}};
    {entry_error_o, entry_line_o} = {WORD_W+1{1'b0}};
    for (i = 0; i < WAYS; i = i + 1) begin
      entry_meta = entry_meta | (metas[i*META_W+:META_W] & {META_W{save_way_i == i[$clog2(WAYS):0]}});
      {entry_error_o, entry_line_o} = {entry_error_o, entry_line_o}
        | (words[i*(WORD_W+1)+:WORD_W+1] & {WORD_W+1{save_way_i == i[$clog2(WAYS):0]}});
    end
  end
  assign entry_mask_o = entry_meta[CODES-1:0] & used_i;  // used_i is exact: no SM has changed for two rounds
  assign entry_some_o = |entry_mask_o;
  wire [CONST_W:0] entry_addr = {entry_meta[META_W-1:CODES], save_set_i[SET_W-1:0]};
  assign entry_addr_o = entry_addr[CONST_W-1:0];
  wire unused_entry = &{1'b0, entry_addr[CONST_W], save_set_i, put_wide[SET_W-1:0]};

  reg saved_q;
  reg [COUNT_W-1:0] retired_q;
  always @(posedge clk_i) begin
    s4_match_q <= same & has_code;
    s4_covered_q <= covered;
    s4_free_q <= first_free;
    s4_free_all_q <= free;
    s5_match_o <= |s4_match_q;
    {s5_error_o, s5_word_o} <= word_of_match;
    s5_lacks_o <= |lacking;
    s5_free_q <= s4_free_q;
    s5_retires_q <= s4_retires;
    s6_we_q <= rst_i ? {WAYS{1'b0}} : (puts | {WAYS{s5_scan_i}} | ({WAYS{s5_save_i}} & s5_free_q));
    s6_word_we_q <= rst_i ? {WAYS{1'b0}} : (puts | ({WAYS{s5_save_i}} & s5_free_q));
    s6_word_q <= put_entry_i ? {put_error_i, put_line_i} : {s5_old_error_i, s5_old_i};
    s6_set_q <= put_entry_i ? put_addr_i[SET_W-1:0] : s5_addr_i[SET_W-1:0];
    saved_q <= !rst_i && (s5_save_i || put_entry_i);
    retired_q <= rst_i ? {COUNT_W{1'b0}} : retired;
    if (rst_i) entries_o <= {COUNT_W{1'b0}};
    else entries_o <= entries_o + {{COUNT_W-1{1'b0}}, saved_q} - retired_q;
  end
endmodule

`default_nettype wire
