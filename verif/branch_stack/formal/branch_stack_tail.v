// SPDX-License-Identifier: Apache-2.0
// branch_stack_tail: the stack's words of a context (docs/stack_cache.md), of one marked group: whether those
// of a save are right.
//
// Of each group its count and, in bit 31, its fault, which only an error makes; its sets on chip; its entries
// on chip, slot by slot; then the registers from BASE_LO to ERROR_COUNT, with their reset values, errors
// apart. A halt without a flush, as after reset: of a group without a fault each entry is in memory, or on
// chip in a set that is dirty, and what is on chip is right. Written for POLICY set_boundary.
`default_nettype none

module branch_stack_tail #(
  parameter THREADS = 2,
  parameter ENTRY_W = 12,
  parameter ENTRIES = 2,                  // on chip,
  parameter SET = 1,                      // in a set
  parameter MAX_DEPTH = 3,
  parameter DEPTH = 3,                    // entries of the model
  parameter THREAD_W = 1,
  parameter STRIDE_MAX = 3,
  parameter SLOT_BITS = 16                // of an entry in memory
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [THREAD_W-1:0] mark_i,
  input  wire [2:0] count_i,              // entries of the marked group,
  input  wire [DEPTH*ENTRY_W-1:0] token_i, // bottom first
  input  wire [DEPTH*SLOT_BITS-1:0] memory_i,
  input  wire nacked_i,                   // an error is recorded;
  input  wire errors_i,                   // there may have been errors: what they were is not known
  input  wire at_i,                       // the next word is one of these,
  input  wire taken_i,                    // and taken
  input  wire [31:0] word_i,
  output wire bad_o,
  output wire last_o,                     // the last word
  output wire [23:0] len_o                // words
);
  localparam WORDS = (ENTRY_W + 31) / 32, OF_GROUP = 2 + ENTRIES * WORDS;
  localparam [31:0] STACKS = THREADS * OF_GROUP, LONG = STACKS + 13, LIMIT = MAX_DEPTH, LAST = OF_GROUP - 1;
  localparam [31:0] PLACE = STRIDE_MAX;
  localparam AT_W = $clog2(LONG + 2);
  wire [AT_W-1:0] sum = LONG[AT_W-1:0];
  reg [AT_W-1:0] at_q;
  always @(posedge clk_i)
    if (rst_i || !at_i) at_q <= {AT_W{1'b0}};
    else if (taken_i && at_q <= sum) at_q <= at_q + 1'b1;
  assign last_o = at_i && at_q + 1'b1 == sum;
  assign len_o = {{24-AT_W{1'b0}}, sum};

  // ---- of the marked group
  wire stacks = at_q < STACKS[AT_W-1:0];
  reg [AT_W-1:0] part_q, group_q;         // the place in the words of a group; the group
  reg fault_q, held_q;
  reg [10:0] on_chip_q;                   // sets
  always @(posedge clk_i)
    if (rst_i || !at_i) {part_q, group_q} <= {2*AT_W{1'b0}};
    else if (taken_i) begin
      part_q <= part_q == LAST[AT_W-1:0] ? {AT_W{1'b0}} : part_q + 1'b1;
      if (part_q == LAST[AT_W-1:0]) group_q <= group_q + 1'b1;
      if (part_q == 0) fault_q <= word_i[31];
      if (part_q == 1) {held_q, on_chip_q} <= word_i[22:11];
    end
  wire own = stacks && group_q == {{AT_W-THREAD_W{1'b0}}, mark_i};
  localparam [31:0] ON_CHIP = ENTRIES, OF_SET = SET, WIDE = WORDS;
  wire [31:0] count = {29'd0, count_i}, sets = (count + OF_SET - 32'd1) / OF_SET;
  wire [31:0] now_on_chip = {21'd0, word_i[21:11]}, now_dirty = {21'd0, word_i[10:0]};
  wire [31:0] on_chip = {21'd0, on_chip_q};
  wire [31:0] slot_part = {{32-AT_W{1'b0}}, part_q} - 32'd2; // place in the words of the slots
  reg lost;                               // an entry is neither in memory nor in a dirty set
  reg [WORDS*32-1:0] entry;               // the one that the slot must hold
  reg [31:0] e;
  always @* begin
    lost = now_on_chip > sets || now_dirty > now_on_chip || now_on_chip > ON_CHIP / OF_SET || !word_i[31];
    for (e = 0; e < DEPTH; e = e + 1)
      if (e < count && e / OF_SET + now_dirty < sets
          && memory_i[e*SLOT_BITS+:ENTRY_W] != token_i[e*ENTRY_W+:ENTRY_W]) lost = 1'b1;
    entry = {WORDS*32{1'b0}};
    for (e = 0; e < DEPTH; e = e + 1)
      if (e < count && slot_part / WIDE == e % ON_CHIP
          && (e / OF_SET + on_chip >= sets || (held_q && e / OF_SET + on_chip + 32'd2 == sets)))
        entry[ENTRY_W-1:0] = token_i[e*ENTRY_W+:ENTRY_W];
  end
  wire [31:0] slot_word = entry[32*(slot_part%WIDE)+:32];
  wire count_bad = word_i[30:0] != {28'd0, count_i} || (word_i[31] && !errors_i);
  wire own_bad = part_q == 0 ? count_bad : !fault_q && (part_q == 1 ? lost : word_i != slot_word);

  // ---- registers
  wire [AT_W-1:0] k = at_q - STACKS[AT_W-1:0];
  reg [31:0] register;
  always @*
    case (k)
      2: register = {26'd0, PLACE[5:0]};
      3: register = LIMIT;
      10: register = {nacked_i, 31'd0};
      default: register = 32'd0;
    endcase
  wire [31:0] care = !errors_i || k < 10 ? {32{1'b1}} : k == 10 ? 32'h80000000 : 32'd0;
  assign bad_o = at_i && at_q < sum && (stacks ? own && own_bad : ((word_i ^ register) & care) != 32'd0);
endmodule

`default_nettype wire
