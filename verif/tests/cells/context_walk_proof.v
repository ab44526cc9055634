// SPDX-License-Identifier: Apache-2.0
// context_walk_proof: the walk beside a count of the words that have moved. The place of the n-th word is
// found here by going through the sections, their records and their words from the first one on. Each output
// is one property; 1 says that it is broken.
`default_nettype none

module context_walk_proof #(
  parameter KIND = 0                   // which list of sections
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire runs_i,
  input  wire take_i,                  // somebody takes the word when it is ready
  input  wire busy_i,
  output wire bad_place_o,
  output wire bad_ends_o,
  output wire bad_last_o,
  output wire bad_ready_o
);
  localparam SECTIONS = KIND == 0 ? 1 : KIND == 1 ? 3 : 2;
  localparam [95:0] RECORDS = KIND == 0 ? 96'd2 : KIND == 1 ? {32'd2, 32'd3, 32'd1} : {32'd0, 32'd1, 32'd4};
  localparam [95:0] WORDS = KIND == 0 ? 96'd3 : KIND == 1 ? {32'd1, 32'd2, 32'd4} : {32'd0, 32'd3, 32'd1};
  localparam SECTION_W = $clog2(SECTIONS + 1);
  wire ready, ends, last;
  wire [SECTION_W-1:0] section;
  wire [2:0] record, word;
  wire moves = runs_i && ready && take_i;
  context_walk #(
    .SECTIONS(SECTIONS), .RECORDS(RECORDS[32*SECTIONS-1:0]), .WORDS(WORDS[32*SECTIONS-1:0]), .RECORD_W(3),
    .WORD_W(3)
  ) dut (
    .clk_i(clk_i), .rst_i(rst_i), .runs_i(runs_i), .moves_i(moves), .busy_i(busy_i), .ready_o(ready),
    .section_o(section), .record_o(record), .word_o(word), .ends_o(ends), .last_o(last));

  reg known_q = 1'b0;                  // a reset has been
  reg [4:0] count_q;
  reg quiet_q;                         // nothing in the last cycle forbids a word in this one
  reg [4:0] number;
  reg [SECTION_W-1:0] at_section;
  reg [2:0] at_record, at_word;
  reg at_end, found;
  integer s, r, w;
  always @* begin
    number = 5'd0;
    found = 1'b0;
    at_end = 1'b0;
    at_section = SECTIONS;
    at_record = 3'd0;
    at_word = 3'd0;
    for (s = 0; s < SECTIONS; s = s + 1)
      for (r = 0; r < RECORDS[32*s+:32]; r = r + 1)
        for (w = 0; w < WORDS[32*s+:32]; w = w + 1) begin
          if (number == count_q) begin
            found = 1'b1;
            at_section = s;
            at_record = r;
            at_word = w;
            at_end = w + 1 == WORDS[32*s+:32];
          end
          number = number + 5'd1;
        end
  end
  always @(posedge clk_i) begin
    known_q <= known_q || rst_i;
    count_q <= rst_i || !runs_i ? 5'd0 : moves && found ? count_q + 5'd1 : count_q;
    quiet_q <= !rst_i && runs_i && !busy_i && !(moves && at_end);
  end
  assign bad_place_o = known_q && (section != at_section || record != at_record || word != at_word);
  assign bad_ends_o = known_q && ends != at_end;
  assign bad_last_o = known_q && last != (found && count_q + 5'd1 == number);
  assign bad_ready_o = known_q && ready != (quiet_q && !busy_i);
endmodule

`default_nettype wire
