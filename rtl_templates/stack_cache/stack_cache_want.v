// SPDX-License-Identifier: Apache-2.0
// stack_cache_want: what the engine wants to do for a thread without fault or drain, and the
// set of that or of an answer (combinational) [SC-6, SC-8].
`default_nettype none

module stack_cache_want #(
  parameter SET = 4,
  parameter NSETS = 4,
  parameter NUM_W = 3,
  parameter COUNT_W = 15,
  parameter UW = 13,
  parameter POLICY = 0
) (
  input  wire answer_i,                     // set_o is L-1
  input  wire [COUNT_W-1:0] count_i,
  input  wire [NUM_W-1:0] nd_i,
  input  wire [NUM_W-1:0] nv_i,
  input  wire [1:0] nr_i,
  input  wire room_i,                       // the next push does not overflow
  input  wire burst_i,
  input  wire [NUM_W-1:0] spill_over_i,
  input  wire [NUM_W-1:0] restore_free_i,

  output wire spill_o,
  output wire restore_o,
  output wire [UW-1:0] set_o,               // the set to move
  output wire top_o,                        // the top's set, of which nothing is on chip or on its way
  output wire must_o,                       // the next push needs the slot of the spilled set
  output wire by_threshold_o,
  output wire full_dirty_o,
  output wire begins_o                      // the next push begins a set
);
  localparam SET_LG = $clog2(SET);
  localparam [NUM_W-1:0] ALL = NSETS[NUM_W-1:0];
  localparam [NUM_W-1:0] NONE = 0, ONE = 1, TWO = 2;

  localparam XW = COUNT_W + UW + SET_LG;
  wire [XW-1:0] count_x = {{UW+SET_LG{1'b0}}, count_i};
  wire unused_count = &{1'b0, count_x};
  wire begins;
  assign begins_o = begins;
  generate
    if (SET > 1) begin : g_pos
      assign begins = count_x[SET_LG-1:0] == {SET_LG{1'b0}};
    end else begin : g_no_pos
      assign begins = 1'b1;
    end
  endgenerate
  wire [UW-1:0] t1 = count_x[SET_LG+:UW];
  wire [UW-1:0] u = t1 + {{UW-1{1'b0}}, !begins};  // sets in use

  // Sets on chip or on their way; L > nr when some are in remote memory only. nv + nr <= NSETS.
  wire [NUM_W-1:0] held = nv_i + {{NUM_W-2{1'b0}}, nr_i};
  wire remote = u[UW-1:NUM_W] != {UW-NUM_W{1'b0}} || u[NUM_W-1:0] != held;
  wire top = remote && held == NONE;
  assign top_o = top;
  assign must_o = begins && nd_i == ALL && room_i;
  assign full_dirty_o = !(nd_i == NONE || (nd_i == ONE && !begins));

  generate
    if (POLICY != 0) begin : g_threshold
      assign by_threshold_o = full_dirty_o && (burst_i || nd_i > spill_over_i);
      assign spill_o = !top && (must_o || by_threshold_o);
      assign restore_o = top || (!must_o && !by_threshold_o && remote && !nr_i[1] && held != ALL
                                 && ALL - held > restore_free_i);
    end else begin : g_set_boundary
      wire unused = &{1'b0, burst_i, spill_over_i, restore_free_i};
      assign by_threshold_o = 1'b0;
      assign spill_o = nd_i == ALL;  // then held is NSETS too: no restore is wanted
      assign restore_o = remote && held < TWO;
    end
  endgenerate

  // S, and the highest set below those on chip or, for an answer, below the valid ones.
  wire [NUM_W-1:0] above = answer_i ? nv_i : held;
  wire [UW-1:0] dirty_from = u - {{UW-NUM_W{1'b0}}, nd_i};
  wire [UW-1:0] below = t1 + ~{{UW-NUM_W{1'b0}}, above} + {{UW-1{1'b0}}, !begins};  // u - above - 1
  assign set_o = (spill_o && !answer_i) ? dirty_from : below;
endmodule

`default_nettype wire
