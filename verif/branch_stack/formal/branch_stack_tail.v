// SPDX-License-Identifier: Apache-2.0
// branch_stack_tail: the stack's words of a context (docs/stack_cache_status.md, Context), of one marked
// group: whether those of a save are right.
//
// How many sets are dirty and on chip, and drain, is the stack's choice. Right is what leaves no
// entry out: of the sets in use the upper ones that it calls valid are among the words, and memory holds all
// that it does not call dirty. Registers have their reset values, errors and flush_on_halt apart. Written for
// entries of at most 32 bits and contexts with 3 words a group (POLICY set_boundary, FLAGS per_set).
`default_nettype none

module branch_stack_tail #(
  parameter THREADS = 2,
  parameter ENTRY_W = 12,
  parameter ENTRIES = 2,
  parameter SET = 1,
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
  localparam NSETS = ENTRIES / SET;
  localparam [31:0] REGISTERS = 9, STACKS = REGISTERS + 3 * THREADS, LONG = STACKS + THREADS * ENTRIES,
                    LIMIT = MAX_DEPTH;
  localparam [31:0] PLACE = STRIDE_MAX;
  localparam AT_W = $clog2(LONG + 2);
  wire [AT_W-1:0] sum = LONG[AT_W-1:0];
  reg [AT_W-1:0] at_q;
  always @(posedge clk_i)
    if (rst_i || !at_i) at_q <= {AT_W{1'b0}};
    else if (taken_i && at_q <= sum) at_q <= at_q + 1'b1;
  assign last_o = at_i && at_q + 1'b1 == sum;
  assign len_o = {{24-AT_W{1'b0}}, sum};

  // ---- the state of the marked group: what a save has said of it so far
  reg [2:0] dirty_q, valid_q;
  wire [AT_W-1:0] mine = {{AT_W-THREAD_W{1'b0}}, mark_i};
  wire stacks = at_q >= REGISTERS[AT_W-1:0] && at_q < STACKS[AT_W-1:0];
  wire entries = at_q >= STACKS[AT_W-1:0] && at_q < sum;
  wire [AT_W-1:0] k = at_q - REGISTERS[AT_W-1:0] - 3 * mine;
  wire own = stacks ? at_q >= REGISTERS[AT_W-1:0] + 3 * mine && k < 3
                    : entries && at_q >= STACKS[AT_W-1:0] + ENTRIES * mine
                    && at_q < STACKS[AT_W-1:0] + ENTRIES * mine + ENTRIES;
  wire [AT_W-1:0] slot = at_q - STACKS[AT_W-1:0] - ENTRIES * mine;
  wire counts = at_i && stacks && own && k == 1;
  always @(posedge clk_i) if (counts && taken_i) {valid_q, dirty_q} <= {word_i[18:16], word_i[2:0]};

  wire [2:0] used = (count_i + SET - 1) / SET;
  wire [2:0] said_dirty = word_i[2:0], said_valid = word_i[18:16];
  wire counts_bad = word_i[31:19] != 13'd0 || word_i[15:3] != 13'd0 || said_dirty > said_valid
                    || {29'd0, said_valid} > NSETS || said_valid > used;
  reg lost;                               // an entry of a set that is not dirty is not in memory
  reg [ENTRY_W+31:0] token_x;             // of this slot
  wire [31:0] entry = token_x[31:0];
  wire unused = &{1'b0, token_x};
  integer e;
  always @* begin
    lost = 1'b0;
    token_x = {ENTRY_W+32{1'b0}};
    for (e = 0; e < DEPTH; e = e + 1) begin
      if (e < count_i && e / SET + {29'd0, said_dirty} < {29'd0, used}
          && memory_i[e*SLOT_BITS+:ENTRY_W] != token_i[e*ENTRY_W+:ENTRY_W]) lost = 1'b1;
      if (e < count_i && e / SET + {29'd0, valid_q} >= {29'd0, used} && {{32-AT_W{1'b0}},
          slot} == e % ENTRIES) token_x = {32'd0, token_i[e*ENTRY_W+:ENTRY_W]};
    end
  end

  reg [31:0] register;
  always @*
    case (at_q)
      2: register = LIMIT;
      3: register = {26'd0, PLACE[5:0]};
      6: register = {nacked_i, 31'd0};
      default: register = 32'd0;
    endcase
  wire [31:0] right = entries ? entry : !stacks ? register : k == 0 ? {29'd0, count_i}
                      : k == 1 ? {13'd0, valid_q, 13'd0, dirty_q} : 32'd0;
  wire [31:0] care = stacks && k == 0 ? 32'hbfffffff
                   : !errors_i || entries || stacks || at_q < 6 ? {32{1'b1}}
                   : at_q == 6 ? 32'h80000000 : 32'd0;
  wire said = at_i && at_q < sum && (at_q < REGISTERS[AT_W-1:0] || own);
  assign bad_o = said && (counts ? counts_bad || lost : ((word_i ^ right) & care) != 32'd0);
endmodule

`default_nettype wire
