// SPDX-License-Identifier: Apache-2.0
// branch_stack_tail: the stack's words of a context (docs/stack_cache.md), of one marked group: whether those
// of a save are right.
//
// Of each group its count and, in bit 31, its fault, which only an error makes; then the registers from
// BASE_LO to ERROR_COUNT, with their reset values, errors apart. A halt has written every entry back: memory
// must hold all of a group without a fault. Written for POLICY set_boundary.
`default_nettype none

module branch_stack_tail #(
  parameter THREADS = 2,
  parameter ENTRY_W = 12,
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
  localparam [31:0] STACKS = THREADS, LONG = STACKS + 13, LIMIT = MAX_DEPTH;
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
  wire own = stacks && at_q == {{AT_W-THREAD_W{1'b0}}, mark_i};
  reg lost;                               // an entry is not in memory
  integer e;
  always @* begin
    lost = 1'b0;
    for (e = 0; e < DEPTH; e = e + 1)
      if (e < count_i && memory_i[e*SLOT_BITS+:ENTRY_W] != token_i[e*ENTRY_W+:ENTRY_W]) lost = 1'b1;
  end
  wire own_bad = word_i[30:0] != {28'd0, count_i} || (word_i[31] ? !errors_i : lost);

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
