// SPDX-License-Identifier: Apache-2.0
// stack_cache_distance: how far a thread is from waiting, from its exact state (combinational).
// p_o: pushes before one that waits; t_o: pops before one that waits; 3 for "3 or more". r_o - 1: room below the
// limit, -1 for less and 2 for more, then r_wide_o.
`default_nettype none

module stack_cache_distance #(
  parameter SET = 4,
  parameter NSETS = 4,
  parameter NUM_W = 3,
  parameter COUNT_W = 15
) (
  input  wire [COUNT_W-1:0] count_i,
  input  wire [NUM_W-1:0] nd_i,
  input  wire [NUM_W-1:0] nv_i,
  input  wire fault_i,
  input  wire [COUNT_W-1:0] limit_i,

  output wire [1:0] p_o,
  output wire [1:0] t_o,
  output wire [1:0] r_o,
  output wire r_wide_o
);
  localparam SET_LG = $clog2(SET);
  localparam XW = COUNT_W + SET_LG + NUM_W + 2;
  localparam [NUM_W-1:0] ALL = NSETS[NUM_W-1:0];
  wire [XW-1:0] count_x = {{XW-COUNT_W{1'b0}}, count_i};

  wire nd_all = nd_i == ALL;
  wire nv_none = nv_i == {NUM_W{1'b0}};
  wire nv_one = nv_i == {{NUM_W-1{1'b0}}, 1'b1};
  wire [1:0] p, t;
  wire pos0;
  wire unused = &{1'b0, nd_all, nv_none, nv_one};
  generate
    if (SET >= 4) begin : g_large
      wire [SET_LG-1:0] pos = count_x[SET_LG-1:0];
      assign pos0 = pos == {SET_LG{1'b0}};
      assign p = !nd_all ? 2'd3
               : pos0 ? 2'd0
               : (&pos) ? 2'd1
               : (&pos[SET_LG-1:1]) ? 2'd2 : 2'd3;
      assign t = nv_none ? 2'd0
               : nv_one && !pos0 && pos <= 2 ? pos[1:0] : 2'd3;
    end else if (SET == 2) begin : g_two
      wire pos = count_x[0];
      assign pos0 = !pos;
      assign p = nd_all ? {1'b0, pos}
               : pos0 && nd_i == ALL - 1'b1 ? 2'd2 : 2'd3;
      assign t = nv_none ? 2'd0
               : nv_one ? {!pos, pos} : 2'd3;
    end else begin : g_one
      assign pos0 = 1'b1;
      wire [NUM_W-1:0] gap = ALL - nd_i;
      assign p = gap > 3 ? 2'd3 : gap[1:0];
      assign t = nv_i > 3 ? 2'd3 : nv_i[1:0];
    end
  endgenerate

  // With all of the stack on chip no pop waits.
  wire [XW-1:0] t1 = count_x >> SET_LG;
  wire [NUM_W:0] u = {1'b0, t1[NUM_W-1:0]} + {{NUM_W{1'b0}}, !pos0};
  wire on_chip = t1[XW-1:NUM_W] == {XW-NUM_W{1'b0}} && u == {1'b0, nv_i};

  assign p_o = fault_i ? 2'd3 : p;
  assign t_o = fault_i || on_chip ? 2'd3 : t;

  wire [COUNT_W+1:0] room = {2'b00, limit_i} - {2'b00, count_i};
  wire negative = room[COUNT_W+1];
  wire near = room[COUNT_W+1:2] == {COUNT_W{1'b0}} && room[1:0] != 2'd3;
  assign r_o = negative ? 2'd0 : near ? {room[1] || room[0], !room[0]} : 2'd3;
  assign r_wide_o = negative ? !(&room[COUNT_W:0]) : !near;
endmodule

`default_nettype wire
