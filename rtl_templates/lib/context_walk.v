// SPDX-License-Identifier: Apache-2.0
// context_walk: the place of a word in a context that is a list of sections, each a number of records of so
// many words: the registers, the entries of a table, what is under way. It moves on with each word, in a save
// as in a load, and begins again when neither is under way. Behind the last section section_o is SECTIONS,
// and the place stays. The words of a record are read from RAM: ready_o is 0 in the first cycle of a record,
// while somebody else takes the RAM (busy_i) and in the cycle behind that. Reset: the first word.
`default_nettype none

module context_walk #(
  parameter SECTIONS = 1,                   // 1..7
  parameter [32*SECTIONS-1:0] RECORDS = 1,  // of each section, the first one lowest; 1 or more
  parameter [32*SECTIONS-1:0] WORDS = 1,    // of a record of each
  // Bits of the number of a record.
  parameter RECORD_W = 1,                        // wide enough for the most records
  // Bits of the number of a word.
  parameter WORD_W = 1                           // and words
) (
  input  wire clk_i,                               // clock; every port is synchronous to its rising edge
  input  wire rst_i,                               // synchronous reset, active high
  input  wire runs_i,                              // a save or a load is under way
  input  wire moves_i,                             // the word of this place moves
  input  wire busy_i,                              // the RAM is taken
  output wire ready_o,                             // the word of this place is there
  output reg  [$clog2(SECTIONS+1)-1:0] section_o,  // section of this place, SECTIONS behind the last
  output reg  [RECORD_W-1:0] record_o,             // record within the section
  output reg  [WORD_W-1:0] word_o,                 // word within the record
  output wire ends_o,                              // the last word of a record
  output wire last_o                               // of all
);
  generate
    if (SECTIONS < 1 || SECTIONS > 7) begin : g_sections_range
      sections_out_of_range check ();
    end
  endgenerate
  localparam SECTION_W = $clog2(SECTIONS + 1);
  localparam [31:0] BEYOND = SECTIONS;
  reg settled_q;
  reg [RECORD_W-1:0] last_record;
  reg [WORD_W-1:0] last_word;
  reg [31:0] less;
  integer s;
  always @* begin
    last_record = {RECORD_W{1'b0}};
    last_word = {WORD_W{1'b0}};
    less = 32'd0;
    for (s = 0; s < SECTIONS; s = s + 1)
      if (section_o == s[SECTION_W-1:0]) begin
        less = RECORDS[32*s+:32] - 32'd1;
        last_record = less[RECORD_W-1:0];
        less = WORDS[32*s+:32] - 32'd1;
        last_word = less[WORD_W-1:0];
      end
  end
  wire unused = &{1'b0, less};
  wire has_place = section_o != BEYOND[SECTION_W-1:0];
  wire leaves = record_o == last_record;         // the section
  assign ends_o = has_place && word_o == last_word;
  assign last_o = ends_o && leaves && section_o == BEYOND[SECTION_W-1:0] - 1'b1;
  assign ready_o = settled_q && !busy_i;
  wire turns = moves_i && ends_o;
  always @(posedge clk_i)
    if (rst_i || !runs_i) begin
      section_o <= {SECTION_W{1'b0}};
      record_o <= {RECORD_W{1'b0}};
      word_o <= {WORD_W{1'b0}};
      settled_q <= 1'b0;
    end else begin
      settled_q <= !turns && !busy_i;
      if (moves_i && has_place) word_o <= ends_o ? {WORD_W{1'b0}} : word_o + 1'b1;
      if (turns) record_o <= leaves ? {RECORD_W{1'b0}} : record_o + 1'b1;
      if (turns && leaves) section_o <= section_o + 1'b1;
    end
endmodule

`default_nettype wire
