// SPDX-License-Identifier: Apache-2.0
// atomic_merge_lines: which true lines are here: tags in RAM; valid, reserved and dirty bits. A request is
// looked up over three cycles (f1 reads, f2 compares, f3 counts), the result is there in its f4. The engine
// looks up a line in two: it names the set, and in the next cycle asks for the answer, which is registered.
// Reset: no line is here.
`default_nettype none

module atomic_merge_lines #(
  parameter SETS = 8,                // sets, a power of 2
  parameter WAYS = 4,                // places where a line may be; 2..8 ways, a power of 2
  parameter LINE_AW = 26,            // bits of a line address
  parameter SET_W = $clog2(SETS),    // bits of the number of a set
  parameter WAY_W = $clog2(WAYS),    // bits of the number of a way
  parameter PLACE_W = SET_W + WAY_W  // bits of a line's place: set and way
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [SET_W-1:0] f1_set_i,          // set of the request in f1
  input  wire [LINE_AW-SET_W-1:0] f2_tag_i,  // the rest of the line address
  input  wire [WAY_W-1:0] turn_i,            // first way to evict
  // Of the request in f4: its line is here and in which way; a way is free and which; one may be evicted and
  // which.
  output reg  hit_o,
  output reg  [WAY_W-1:0] hit_way_o,
  output reg  way_free_o,
  output reg  [WAY_W-1:0] free_way_o,
  output reg  evictable_o,
  output reg  [WAY_W-1:0] victim_o,

  input  wire look_i,                        // the engine looks up a line
  input  wire [LINE_AW-1:0] look_line_i,     // at least its set
  input  wire [WAY_W-1:0] look_way_i,        // a way of that set
  output wire look_found_o,                  // in the cycle after look_i
  output wire [WAY_W-1:0] look_found_way_o,  // its way
  output wire [LINE_AW-1:0] look_here_o,     // line that stands in look_way_i of that set

  input  wire arrives_i,                       // a line comes to fill_place_i
  input  wire arrival_ends_i,                  // the place is no longer reserved
  input  wire [PLACE_W-1:0] fill_place_i,      // place of that line
  input  wire [LINE_AW-SET_W-1:0] fill_tag_i,  // its tag
  input  wire merges_i,                        // the line at fill_place_i becomes dirty
  input  wire goes_i,                          // the line at place_i is no longer here
  input  wire [PLACE_W-1:0] place_i,           // of the line that may go
  output wire valid_o,                         // a line is at place_i
  output wire dirty_o,                         // it was written
  input  wire reserves_i,                      // s2_place_i is reserved for a fill
  input  wire writes_i,                        // the line at s2_place_i is written
  input  wire [PLACE_W-1:0] s2_place_i         // place of the request in s2
);
  localparam LINES = SETS * WAYS;
  localparam TAG_W = LINE_AW - SET_W;
  reg [LINES-1:0] valid_q, reserved_q, dirty_q;
  reg [WAYS-1:0] f2_valid, f2_reserved, f3_hit, f3_free, f3_reserved, look_valid;
  wire [WAYS*TAG_W-1:0] tags;
  wire [WAYS-1:0] hit, look_hit;
  wire [SET_W-1:0] tag_set = look_i ? look_line_i[SET_W-1:0] : f1_set_i;
  assign valid_o = valid_q[place_i];
  assign dirty_o = dirty_q[place_i];

  genvar g;
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : g_way
      ram_1r1w #(.WIDTH(TAG_W), .DEPTH(SETS)) tag (
        .clk_i(clk_i), .we_i(arrives_i && fill_place_i[WAY_W-1:0] == g),
        .waddr_i(fill_place_i[PLACE_W-1:WAY_W]), .wdata_i(fill_tag_i),
        .raddr_i(tag_set), .rdata_o(tags[TAG_W*g +: TAG_W]));
      assign hit[g] = f2_valid[g] && tags[TAG_W*g +: TAG_W] == f2_tag_i;
      assign look_hit[g] = look_valid[g] && tags[TAG_W*g +: TAG_W] == look_line_i[LINE_AW-1:SET_W];
    end
  endgenerate

  integer i;
  reg [WAY_W-1:0] hit_way, free_way, victim, way_try, look_hit_way;
  reg [TAG_W-1:0] here;
  always @* begin
    hit_way = {WAY_W{1'b0}};
    free_way = {WAY_W{1'b0}};
    victim = {WAY_W{1'b0}};
    way_try = turn_i;
    look_hit_way = {WAY_W{1'b0}};
    here = {TAG_W{1'b0}};
    for (i = WAYS - 1; i >= 0; i = i - 1) begin
      if (f3_hit[i]) hit_way = hit_way | i[WAY_W-1:0];
      if (f3_free[i]) free_way = i[WAY_W-1:0];
      way_try = turn_i + i[WAY_W-1:0];
      if (!f3_reserved[way_try]) victim = way_try;
      if (look_hit[i]) look_hit_way = look_hit_way | i[WAY_W-1:0];
      if (look_way_i == i[WAY_W-1:0]) here = here | tags[TAG_W*i +: TAG_W];
    end
  end
  assign look_found_o = |look_hit;
  assign look_found_way_o = look_hit_way;
  assign look_here_o = {here, look_line_i[SET_W-1:0]};

  always @(posedge clk_i) begin
    f2_valid <= valid_q[{f1_set_i, {WAY_W{1'b0}}} +: WAYS];
    f2_reserved <= reserved_q[{f1_set_i, {WAY_W{1'b0}}} +: WAYS];
    look_valid <= valid_q[{look_line_i[SET_W-1:0], {WAY_W{1'b0}}} +: WAYS];
    f3_hit <= hit;
    f3_free <= ~f2_valid & ~f2_reserved;
    f3_reserved <= f2_reserved;
    hit_o <= |f3_hit;
    hit_way_o <= hit_way;
    way_free_o <= |f3_free;
    free_way_o <= free_way;
    evictable_o <= !(|f3_free) && !(&f3_reserved);
    victim_o <= victim;
    if (reserves_i) reserved_q[s2_place_i] <= 1'b1;
    if (arrival_ends_i) reserved_q[fill_place_i] <= 1'b0;
    if (arrives_i) valid_q[fill_place_i] <= 1'b1;
    if (goes_i) valid_q[place_i] <= 1'b0;
    if (arrives_i) dirty_q[fill_place_i] <= 1'b0;
    if (merges_i) dirty_q[fill_place_i] <= 1'b1;
    if (writes_i) dirty_q[s2_place_i] <= 1'b1;
    if (rst_i) begin
      valid_q <= {LINES{1'b0}};
      reserved_q <= {LINES{1'b0}};
    end
  end
endmodule

`default_nettype wire
