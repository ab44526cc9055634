// SPDX-License-Identifier: Apache-2.0
// stack_cache_lane: what one thread keeps in flip-flops, for sets of 4 entries or more: its can-go bits, exact.
//
// pos is the entry count modulo SET. Waits begin at set boundaries only: `blocked` says that the next set to
// begin has no free slot, `missing` that the set below the top's (at pos 0: the top's) is not on chip. An
// operation moves pos at once. `blocked` is unknown here only after a push that begins a set, `missing` and
// `more` only after a pop that enters a set; each is then not looked at for SET operations, and stage C of the
// operation pipeline brings it before. Likewise `near` (the limit is less than SET entries away, on either side)
// and `over` (more entries than the limit) hold where a push answers overflow. blocked and missing together:
// the top's set is partly filled and not on chip. Reset: an empty stack.
`default_nettype none

module stack_cache_lane #(
  parameter SET_LG = 2,
  parameter STATUS = 0                      // 1: contexts are loaded
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire open_i,                       // 0: no operation is taken
  input  wire tiny_i,                       // the depth limit is less than SET,
  input  wire [SET_LG-1:0] limit_pos_i,     // and this modulo SET

  // Select lines: an operation of this thread is presented where both halves of its number are 1.
  input  wire a_low_i,
  input  wire a_push_i,
  input  wire a_pop_i,
  input  wire a_init_i,                     // taken
  output wire push_ready_o,                 // the can-go bits while open
  output wire top_ready_o,
  output wire full_o,                       // a push would overflow

  // Stage C: select lines and values to load.
  input  wire c_low_i,
  input  wire c_up_i,
  input  wire c_blocked_i,
  input  wire c_down_i,
  input  wire c_missing_i,
  input  wire c_more_i,
  input  wire c_near_load_i,
  input  wire c_near_i,
  input  wire c_over_load_i,
  input  wire c_over_i,
  input  wire c_all_i,                      // load all of it
  input  wire [SET_LG-1:0] c_pos_i,
  input  wire c_fault_i,
  input  wire c_clear_fault_i,

  // The engine, in EC: select lines.
  input  wire e_low_i,
  input  wire e_spilled_i,
  input  wire e_restored_i,
  input  wire e_top_i,                      // the top's partly filled set
  input  wire e_fault_i,
  output reg  fault_o
);
  localparam [SET_LG-1:0] ZERO = 0, ONE = 1, LAST = {SET_LG{1'b1}};

  reg [SET_LG-1:0] pos_q;
  reg blocked_q, missing_q, more_q, near_q, over_q;

  wire start = pos_q == ZERO;
  assign full_o = over_q || ((near_q || tiny_i) && pos_q == limit_pos_i);
  assign push_ready_o = full_o || !(blocked_q && (start || missing_q));
  assign top_ready_o = !(missing_q && (start || blocked_q));

  wire init = rst_i || (a_low_i && a_init_i);
  wire push = a_low_i && a_push_i && open_i && push_ready_o && !full_o;
  wire pop = a_low_i && a_pop_i && open_i && top_ready_o && (more_q || !start);  // not of an empty stack
  wire fills = push && pos_q == LAST;
  wire empties = pop && pos_q == ONE;
  wire off_limit = pop && pos_q == limit_pos_i + ONE;  // SET more than the limit's distance, or a multiple of it

  // As gates: as a clock enable, a load and a clear would need one more LUT.
  function load(input when, input value, input kept);
    load = (when & value) | (~when & kept);
  endfunction

  wire all = STATUS != 0 && c_low_i && c_all_i;
  wire top_in = STATUS != 0 && e_low_i && e_top_i;
  wire unused = &{1'b0, c_all_i, c_pos_i, c_fault_i, e_top_i};
  wire [SET_LG-1:0] moved = pos_q + {{SET_LG-1{pop}}, pop || push};

  always @(posedge clk_i) begin
    if (init) pos_q <= ZERO;
    else pos_q <= all ? c_pos_i : moved;

    if (init || empties || (e_low_i && e_spilled_i) || top_in) blocked_q <= 1'b0;
    else blocked_q <= load((c_low_i && c_up_i) || all, c_blocked_i, blocked_q);

    if (init || fills || (e_low_i && e_restored_i)) missing_q <= 1'b0;
    else missing_q <= load((c_low_i && c_down_i) || all, c_missing_i, missing_q && !(top_in && !more_q));
    if (init) more_q <= 1'b0;
    else more_q <= fills | load((c_low_i && c_down_i) || all, c_more_i, more_q);

    if (init || (off_limit && !over_q)) near_q <= 1'b0;
    else near_q <= load((c_low_i && c_near_load_i) || all, c_near_i, near_q);
    if (init || (off_limit && near_q)) over_q <= 1'b0;
    else over_q <= load((c_low_i && c_over_load_i) || all, c_over_i, over_q);

    if (rst_i || (c_low_i && c_clear_fault_i)) fault_o <= 1'b0;
    else fault_o <= fault_o | (e_low_i & e_fault_i) | (all & c_fault_i);
  end
endmodule

`default_nettype wire
