// SPDX-License-Identifier: Apache-2.0
// stack_cache_context: with STATUS, the words of a context that are of a thread [SC-13]: their place behind
// its first word, what they say, whether a save may have written what comes in. The first word is a read of
// DEPTH (and a burst), the second one the state of its sets, then come the entries on chip by slot, 0 where
// none is valid. Which bit is what: docs/stack_cache_design.md. Reset: at the first word.
`default_nettype none

module stack_cache_context #(
  parameter COUNT_W = 15,
  parameter NUM_W = 3,
  parameter X_W = 9,
  parameter NSETS = 4,
  parameter NSETS_LG = 2,
  parameter SET_LG = 2,
  parameter OFF_W = 0,
  parameter ENTRY_W = 64,
  parameter POLICY = 0
) (
  input  wire clk_i,

  // The place.
  input  wire runs_i,                       // a save or a load; else the place is the first word
  input  wire stack_i,                      // it is a word of a thread
  input  wire moves_i,                      // it moves
  input  wire load_i,
  input  wire full_i,                       // a save has the entries
  input  wire [31:0] data_i,                // of a load
  input  wire zero_i,                       // that was 0 in the last cycle
  output wire state_o,                      // the place is the second word,
  output wire entry_o,                      // an entry's
  output wire ends_o,                       // the last one of its thread
  output wire [SET_LG+NSETS_LG-1:0] slot_o,
  output wire [3:0] part_o,                 // word of the entry
  output wire part_last_o,

  // The thread as the engine has read it, the entry as the storage.
  input  wire [COUNT_W-1:0] count_i,
  input  wire [X_W-1:0] x_i,
  input  wire [NUM_W-1:0] burst_i,
  input  wire [ENTRY_W-1:0] entry_i,

  output reg  [31:0] word_o,                // what is saved, with a read of DEPTH; 0 elsewhere
  output wire [X_W-1:0] x_o,                // what the second word says
  output wire [NUM_W-1:0] burst_o,          // the first
  output reg  bad_o                         // no save writes the word, two cycles behind what it depends on
);
  localparam IDX_W = SET_LG + NSETS_LG;
  localparam PARTS = (ENTRY_W + 31) / 32;
  localparam [3:0] PART_LAST = PARTS[3:0] - 4'd1;
  localparam FULL = 31, OFF = 24, DRAIN = 23, HELD = 22, NV = 11, ND = 0, BURST = 21;
  localparam FAULT_BIT = 2 * NUM_W + 2;
  localparam [31:0] ONES = 32'hffffffff;
  localparam [31:0] NUMBER = ~(ONES << NUM_W);
  localparam [31:0] STATE = (32'd1 << FULL) | (32'd1 << DRAIN) | (32'd1 << HELD) | (NUMBER << NV) | NUMBER
                          | (~(ONES << OFF_W) << OFF);

  // ---- the place
  reg state_q, entry_q;
  reg [IDX_W-1:0] slot_q;
  reg [3:0] part_q;
  wire full = load_i ? data_i[FULL] : full_i;
  wire part_last = part_q == PART_LAST;
  wire slot_last = slot_q == {IDX_W{1'b1}};
  assign ends_o = entry_q ? part_last && slot_last : state_q && !full;
  always @(posedge clk_i)
    if (!runs_i) begin
      {state_q, entry_q} <= 2'b00;
      slot_q <= {IDX_W{1'b0}};
      part_q <= 4'd0;
    end else if (moves_i && stack_i) begin
      state_q <= !state_q && !entry_q;
      entry_q <= entry_q ? !ends_o : state_q && full;
      if (entry_q) part_q <= part_last ? 4'd0 : part_q + 4'd1;
      if (entry_q && part_last) slot_q <= slot_q + 1'b1;
    end
  assign {state_o, entry_o, slot_o, part_o, part_last_o} = {state_q, entry_q, slot_q, part_q, part_last};

  // ---- whether the slot holds an entry: by how far its set lies below the top's
  localparam [31:0] SET_LAST = (1 << SET_LG) - 1;
  wire [31:0] count = {{32-COUNT_W{1'b0}}, count_i};
  wire [31:0] pos = count & SET_LAST, place = {{32-IDX_W{1'b0}}, slot_q} & SET_LAST;
  wire partly = pos != 32'd0;
  wire [31:0] full_sets = count >> SET_LG;
  wire [NSETS_LG-1:0] tops = full_sets[NSETS_LG-1:0];
  wire [NSETS_LG-1:0] down = ~slot_q[SET_LG+:NSETS_LG] + {{NSETS_LG-1{1'b0}}, partly};
  wire [NSETS_LG-1:0] distance = tops + down;
  wire [NUM_W-1:0] below = {1'b0, distance};
  wire [NUM_W-1:0] nd = x_i[0+:NUM_W], nv = x_i[NUM_W+:NUM_W];
  wire held = x_i[2*NUM_W], drain = x_i[2*NUM_W+1];
  wire above = below == {NUM_W{1'b0}} && partly && place >= pos;
  wire valid = (below < nv && !above) || (held && below == nv + 1'b1);
  reg valid_q;
  always @(posedge clk_i) valid_q <= valid;

  // ---- what it says
  wire [32*PARTS-1:0] wide_entry;
  wire [32*PARTS-1:0] shifted = wide_entry >> {part_q, 5'd0};
  generate
    if (32 * PARTS > ENTRY_W) begin : g_pad
      assign wide_entry = {{32*PARTS-ENTRY_W{1'b0}}, entry_i};
    end else begin : g_no_pad
      assign wide_entry = entry_i;
    end
  endgenerate
  reg [31:0] state;
  wire unused_bits = &{1'b0, x_i[FAULT_BIT], full_sets, shifted, burst_i};
  generate
    if (OFF_W != 0) begin : g_off
      wire [31:0] off = {{32-OFF_W{1'b0}}, x_i[FAULT_BIT+1+:OFF_W]};
      always @* begin
        state = off << OFF;
        state[FULL] = 1'b1;
        {state[DRAIN], state[HELD]} = {drain, held};
        state[NV+:NUM_W] = nv;
        state[ND+:NUM_W] = nd;
      end
      assign x_o = {data_i[OFF+:OFF_W], 1'b0, data_i[DRAIN], data_i[HELD], data_i[NV+:NUM_W],
                    data_i[ND+:NUM_W]};
    end else begin : g_no_off
      always @* begin
        state = 32'd0;
        state[FULL] = 1'b1;
        {state[DRAIN], state[HELD]} = {drain, held};
        state[NV+:NUM_W] = nv;
        state[ND+:NUM_W] = nd;
      end
      assign x_o = {1'b0, data_i[DRAIN], data_i[HELD], data_i[NV+:NUM_W], data_i[ND+:NUM_W]};
    end
  endgenerate
  assign burst_o = (POLICY != 0) ? {1'b0, data_i[BURST+:NSETS_LG]} : {NUM_W{1'b0}};
  always @* begin
    word_o = 32'd0;
    if (entry_q) word_o = shifted[31:0] & {32{valid_q}};
    else if (state_q) word_o = full_i ? state : 32'd0;
    else if (stack_i && POLICY != 0) word_o[BURST+:NUM_W-1] = burst_i[NUM_W-2:0];
  end

  // ---- what comes in
  localparam [31:0] ALL = NSETS;
  localparam [31:0] LAST_USED = (ENTRY_W % 32 == 0) ? ONES : ~(ONES << (ENTRY_W % 32));
  localparam [31:0] BURSTS = (POLICY != 0) ? (NSETS - 1) << BURST : 32'd0;
  localparam [31:0] FIRST = ~(32'h3ff << BURST) | BURSTS;
  wire [31:0] low = {{32-NUM_W{1'b0}}, nv} + {30'd0, held, 1'b0}; // sets to the lowest one here
  wire deep = (count >> (SET_LG + NSETS_LG)) != 32'd0; // of sets at least so many
  wire [NSETS_LG:0] few = {1'b0, tops} + {{NSETS_LG{1'b0}}, partly};
  wire unlikely = nd > nv || low > ALL || (!deep && low > {{31-NSETS_LG{1'b0}}, few});
  wire other = entry_q ? part_last && (data_i & ~LAST_USED) != 32'd0
             : state_q ? (data_i & ~STATE) != 32'd0 || (!data_i[FULL] && !zero_i)
             : (data_i & ~FIRST) != 32'd0;
  always @(posedge clk_i)
    bad_o <= other || (entry_q && !valid_q && !zero_i) || (state_q && unlikely);
endmodule

`default_nettype wire
