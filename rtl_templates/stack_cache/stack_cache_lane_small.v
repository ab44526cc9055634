// SPDX-License-Identifier: Apache-2.0
// stack_cache_lane_small: what one thread keeps in flip-flops, for sets of 1 or 2 entries: its can-go bits, exact.
//
// p is the number of pushes before one that waits for a dirty slot, t the number of pops before one that waits
// for a restore, both 3 for "3 or more"; r - 1 is the room below the depth limit, -1 for less and 2 for more
// (then r_wide), n the number of entries, 3 for more. An operation moves them in the cycle in which it is taken; the exact values follow two cycles
// later from stage C of the operation pipeline, when at most two operations are younger than the one there.
// The engine adds what a spill or a restore gains. No reset: the walk loads every lane through stage C.
// Invariant: a count of 0 is exact [SC-11].
`default_nettype none

module stack_cache_lane_small #(
  parameter TIGHT = 0         // two entries: replacing a clean top takes a place from the pushes
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire open_i,         // 0: no operation is taken
  // Select lines: an operation of this thread is presented where both halves of its number are 1.
  input  wire a_low_i,
  input  wire a_push_i,
  input  wire a_pop_i,
  input  wire a_replace_i,
  input  wire a_init_i,       // taken
  input  wire [1:0] init_r_i, // r of an empty stack
  output wire push_ready_o,   // the can-go bits while open
  output wire top_ready_o,
  output wire full_o,         // a push would overflow

  input  wire c_hit_i,        // an operation of this thread is in stage C: the values below are loaded
  input  wire [1:0] c_p_i,
  input  wire [1:0] c_t_i,
  input  wire [1:0] c_r_i,
  input  wire c_r_wide_i,
  input  wire [1:0] c_n_i,    // entries, 3 for more
  input  wire c_fault_i,
  input  wire c_clear_fault_i,

  input  wire e_hit_i,        // an engine event of this thread is in stage EC
  input  wire [1:0] e_p_i,    // what it adds
  input  wire [1:0] e_t_i,
  input  wire e_replace_i,    // a replace of this thread is in B
  input  wire e_fault_i,
  output reg  fault_o
);
  reg [1:0] p_q, t_q, r_q, n_q;
  reg r_wide_q;

  wire a_init = a_low_i && a_init_i;
  assign full_o = !r_q[1];
  assign push_ready_o = p_q != 2'd0 || full_o;
  assign top_ready_o = t_q != 2'd0;
  wire can_push = open_i && push_ready_o;
  wire can_top = open_i && top_ready_o;

  wire down = a_low_i && a_push_i && can_push && !full_o;  // an overflowing push moves nothing
  wire up = a_low_i && a_pop_i && can_top;

  // Steps of a 2-bit count as plain gates: an adder would take a carry chain. Down from 0 does not occur.
  function [1:0] move(input [1:0] from, input minus, input plus);
    move = minus ? {&from, !from[0]} : plus ? {|from, from[1] || !from[0]} : from;
  endfunction
  function [1:0] gain(input [1:0] from, input [1:0] by);
    gain = by[1] && by[0] ? 2'd3
         : by[1] ? {1'b1, |from}
         : by[0] ? {|from, from[1] || !from[0]} : from;
  endfunction

  wire [1:0] p = c_hit_i ? c_p_i : p_q;
  wire [1:0] t = c_hit_i ? c_t_i : t_q;
  wire [1:0] r = c_hit_i ? c_r_i : r_q;
  wire [1:0] n = c_hit_i ? c_n_i : n_q;
  wire up_ok = up && n != 2'd0;
  // Two entries: a replace leaves at most one push, also after a spill that fired just before it. The replace
  // is taken now, or is in B: then the spill gains nothing but where no push was left.
  wire caps;
  wire [1:0] e_p;
  generate
    if (TIGHT != 0) begin : g_tight
      assign caps = a_low_i && a_replace_i && can_top && n != 2'd0 && !fault_o;
      assign e_p = (e_replace_i && p != 2'd0 && !(&e_p_i)) ? 2'd0 : e_p_i;
    end else begin : g_loose
      wire unused = &{1'b0, a_replace_i, e_replace_i};
      assign caps = 1'b0;
      assign e_p = e_p_i;
    end
  endgenerate
  wire [1:0] p_d = e_hit_i ? gain(move(p, down, up), e_p) : move(p, down, up);

  always @(posedge clk_i) begin
    if (a_init || (e_hit_i && (&e_p_i))) p_q <= 2'd3;
    else p_q <= (caps && p_d[1]) ? 2'd1 : p_d;
    if (a_init) t_q <= 2'd3;
    else t_q <= e_hit_i ? gain(move(t, up, down), e_t_i) : move(t, up, down);
    if (a_init) r_q <= init_r_i;
    else if (c_hit_i || !r_wide_q) r_q <= move(r, down, up_ok);
    n_q <= a_init ? 2'd0 : move(n, up_ok, down);
    if (a_init) r_wide_q <= 1'b0;
    else if (c_hit_i) r_wide_q <= c_r_wide_i;

    if (rst_i || (c_hit_i && c_clear_fault_i)) fault_o <= 1'b0;
    else if ((e_hit_i && e_fault_i) || (c_hit_i && c_fault_i)) fault_o <= 1'b1;
  end
endmodule

`default_nettype wire
