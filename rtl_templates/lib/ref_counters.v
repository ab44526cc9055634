// SPDX-License-Identifier: Apache-2.0
// ref_counters: counters of references in RAM; one up and one down per cycle, of any counters, the same one
// too. A count that reaches 2^WIDTH - 1 is saturated: it stays, whatever goes up or down, until it is
// cleared. A down at 0 has no effect and is reported. Of the same counter in one cycle, up and down are both
// decided on the count before; together they leave it as it is (at 0 the up counts and the down is an error).
// down_clear_i with down_valid_i sets the count to 0, saturated or not, and beats an up of the same cycle.
// What a request of cycle t did is reported in cycle t + 3; it is seen by all requests of later cycles. Each
// count is the difference of two tables modulo 2^WIDTH with one writer each. No output depends on an input
// within a cycle. Reset: all 0; ready_o is 0 for COUNTERS cycles behind it, and requests then are ignored.
// C counterpart: struct simt_ref_counters (cmodel/core/cells.h).
`default_nettype none

module ref_counters #(
  parameter COUNTERS = 256,  // 2..4096
  parameter WIDTH = 6        // bits of a count, 2..16
) (
  input  wire clk_i,    // clock; every port is synchronous to its rising edge
  input  wire rst_i,    // synchronous reset, active high
  output wire ready_o,  // requests count; 0 for COUNTERS cycles behind reset

  input  wire up_valid_i,  // one reference more, to up_index_i
  input  wire [$clog2(COUNTERS)-1:0] up_index_i,  // the counter
  output reg  [WIDTH-1:0] up_count_o,      // of up_index_i three cycles ago, before that cycle; valid or not

  input  wire down_valid_i,                         // one reference less, to down_index_i
  input  wire down_clear_i,                         // with down_valid_i: the count becomes 0
  input  wire [$clog2(COUNTERS)-1:0] down_index_i,  // the counter
  output reg  down_zero_o,                          // the count has fallen to 0
  output reg  down_error_o,                         // there was nothing to take away
  output reg  [$clog2(COUNTERS)-1:0] down_index_o   // down_index_i of three cycles ago
);
  localparam IW = $clog2(COUNTERS);
  localparam [31:0] LAST_WIDE = COUNTERS - 1;
  localparam [WIDTH-1:0] ONE = {{WIDTH-1{1'b0}}, 1'b1}, FULL = {WIDTH{1'b1}};

  generate
    if (COUNTERS < 2 || COUNTERS > 4096) begin : g_counters_range
      counters_out_of_range check ();
    end
    if (WIDTH < 2 || WIDTH > 16) begin : g_width_range
      width_out_of_range check ();
    end
  endgenerate

  reg ready_q;
  reg [IW-1:0] clear_q;
  always @(posedge clk_i)
    if (rst_i) begin
      ready_q <= 1'b0;
      clear_q <= {IW{1'b0}};
    end else if (!ready_q) begin
      clear_q <= clear_q + 1'b1;
      ready_q <= clear_q == LAST_WIDE[IW-1:0];
    end
  assign ready_o = ready_q;

  // Stage 0 names the counter to the tables, 1 has what they say, 2 decides and writes. What a table cannot
  // show yet is taken from the last decision, in stage 1 and in stage 2. Names of matches: request compared,
  // decision compared with.
  reg up1, up2, down1, down2, clear1, clear2, both2;
  reg [IW-1:0] up_at1, up_at2, down_at1, down_at2;
  reg up_up1, up_down1, down_up1, down_down1, up_up2, up_down2, down_up2, down_down2;
  always @(posedge clk_i) begin
    up1 <= !rst_i && ready_q && up_valid_i;
    down1 <= !rst_i && ready_q && down_valid_i;
    up2 <= !rst_i && up1;
    down2 <= !rst_i && down1;
    {clear2, clear1} <= {clear1, down_clear_i};
    both2 <= up1 && down1 && up_at1 == down_at1;
    {up_at2, up_at1} <= {up_at1, up_index_i};
    {down_at2, down_at1} <= {down_at1, down_index_i};
    up_up1 <= up2 && up_at2 == up_index_i;
    up_down1 <= down2 && down_at2 == up_index_i;
    down_up1 <= up2 && up_at2 == down_index_i;
    down_down1 <= down2 && down_at2 == down_index_i;
    up_up2 <= up2 && up_at2 == up_at1;
    up_down2 <= down2 && down_at2 == up_at1;
    down_up2 <= up2 && up_at2 == down_at1;
    down_down2 <= down2 && down_at2 == down_at1;
  end

  wire [WIDTH-1:0] ups_next, downs_next;
  reg  [WIDTH-1:0] ups_last, downs_last;
  wire [2*WIDTH-1:0] ups_read, downs_read;  // slice 0 for the up, 1 for the down
  ram_1w_nr #(.WIDTH(WIDTH), .DEPTH(COUNTERS), .READS(2), .FORWARD(0)) u_ups (
    .clk_i(clk_i), .we_i(up2 || !ready_q), .waddr_i(ready_q ? up_at2 : clear_q),
    .wdata_i(ready_q ? ups_next : {WIDTH{1'b0}}), .raddr_i({down_index_i, up_index_i}), .rdata_o(ups_read));
  ram_1w_nr #(.WIDTH(WIDTH), .DEPTH(COUNTERS), .READS(2), .FORWARD(0)) u_downs (
    .clk_i(clk_i), .we_i(down2 || !ready_q), .waddr_i(ready_q ? down_at2 : clear_q),
    .wdata_i(ready_q ? downs_next : {WIDTH{1'b0}}), .raddr_i({down_index_i, up_index_i}),
    .rdata_o(downs_read));

  reg [WIDTH-1:0] ups_of_up2, downs_of_up2, ups_of_down2, downs_of_down2;
  always @(posedge clk_i) begin
    ups_of_up2 <= up_up1 ? ups_last : ups_read[0+:WIDTH];
    downs_of_up2 <= up_down1 ? downs_last : downs_read[0+:WIDTH];
    ups_of_down2 <= down_up1 ? ups_last : ups_read[WIDTH+:WIDTH];
    downs_of_down2 <= down_down1 ? downs_last : downs_read[WIDTH+:WIDTH];
    ups_last <= ups_next;
    downs_last <= downs_next;
  end

  wire [WIDTH-1:0] ups_of_up = up_up2 ? ups_last : ups_of_up2;
  wire [WIDTH-1:0] downs_of_up = up_down2 ? downs_last : downs_of_up2;
  wire [WIDTH-1:0] ups_of_down = down_up2 ? ups_last : ups_of_down2;
  wire [WIDTH-1:0] downs_of_down = down_down2 ? downs_last : downs_of_down2;
  wire [WIDTH-1:0] count_up = ups_of_up - downs_of_up;
  wire full_up = count_up == FULL;
  wire none = ups_of_down == downs_of_down;
  wire full_down = ups_of_down - downs_of_down == FULL;
  wire cleared = both2 && clear2;  // the up of a counter that is cleared in the same cycle is void
  wire counts = !full_up && !cleared;
  assign ups_next = ups_of_up + {{WIDTH-1{1'b0}}, counts};
  assign downs_next = clear2 ? ups_of_down : downs_of_down + {{WIDTH-1{1'b0}}, !none && !full_down};

  always @(posedge clk_i) begin
    up_count_o <= count_up;
    down_index_o <= down_at2;
    down_zero_o <= !rst_i && down2 && !none &&
                   (clear2 || (!both2 && ups_of_down - downs_of_down == ONE));
    down_error_o <= !rst_i && down2 && none && !clear2;
  end
endmodule

`default_nettype wire
