// SPDX-License-Identifier: Apache-2.0
// tracker_regs: the register port and the counters (TR-2, TR-10, TR-18). Mode, split and group size are
// written here and taken by the input when the tracker is empty. Events are gathered in small counters, a
// cycle after they were; one after the other these are added to their words in a memory. A read waits until
// its word comes by, which has the events up to 34 cycles ago: at most 34 cycles from the access taken to its
// answer. One access at a time. Reset: mode 4, counters cleared while init_i is 1.
`default_nettype none

module tracker_regs #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter PTR_W = 10,
  parameter GROUP_W = 9,
  parameter GROUP_MAX = 256,
  parameter GROUP_RESET = 32,
  parameter POPS = 1
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire init_i,

  input  wire clear_i,                       // the context is cleared: mode, split and group are taken anew
  // a context came in: {group, split, mode}, of registers and in force
  input  wire commit_i,                      // the registers are taken
  input  wire whole_i,                       // and all the rest with them
  input  wire [3+QUEUE_W+GROUP_W-1:0] run_i,
  input  wire [3+QUEUE_W+GROUP_W-1:0] force_i,
  input  wire wants_i,
  output wire [3+QUEUE_W+GROUP_W-1:0] run_o,
  output wire [3+QUEUE_W+GROUP_W-1:0] force_o,
  input  wire executes_i,                    // the access of the register port
  input  wire write_i,
  input  wire [7:0] addr_i,
  input  wire [31:0] data_i,
  output wire waits_o,
  output wire good_o,
  output wire [31:0] word_o,
  output reg  refused_o,                     // a value that is not known was written

  output wire [QUEUE_W-1:0] last_o,          // last queue of local/global and texture; those of ray traversal
  output wire [QUEUE_W-1:0] ray_first_o,
  output wire [QUEUE_W-1:0] ray_last_o,
  output wire [GROUP_W-1:0] group_o,
  output wire change_o,
  input  wire change_take_i,

  input  wire [PTR_W-1:0] pool_used_i,
  input  wire [22:0] events_i,               // the last one of the last counter
  input  wire [2:0] wasted_i,
  input  wire [2:0] pops_i,                  // events of POP
  input  wire park_twice_i                   // the event of PARK_FAST, twice
);
  // Places in the map of words; their addresses and that of the counters are compared with the description
  // of the block by `make check-interface`.
  localparam ID = 0, MODE = 1, SPLIT = 2, GROUP = 3, STATUS = 4, USED = 5, HIGH = 6, WORDS = 7;
  localparam [8*WORDS-1:0] ADDRESS = {  // the last first
    8'h18, 8'h14, 8'h10, 8'h0c, 8'h08, 8'h04, 8'h00};
  localparam COUNTERS = 24, POP = 9, PARK_FAST = 14, WASTED = 22;
  localparam EVENT_W = (POPS == 4) ? 8 : 7;  // events of 32 cycles
  localparam HALF = QUEUES / 2;
  localparam LAST = QUEUES - 1;

  // ---- access -------------------------------------------------------------------------------------------
  wire write = write_i;
  wire [7:0] addr = addr_i;
  wire [31:0] data = data_i;
  wire [WORDS-1:0] hit;
  wire writes = executes_i && write;

  // ---- mode, split, group -------------------------------------------------------------------------------
  reg [2:0] mode_q;
  reg [QUEUE_W-1:0] split_q, below_split_q;
  reg [GROUP_W-1:0] group_q;
  reg change_q;
  wire mode_good, split_good, group_good;
  register_range #(.LEAST(1), .MOST(4)) u_mode_range (.data_i(data), .good_o(mode_good));
  register_range #(.LEAST(1), .MOST(LAST)) u_split_range (.data_i(data), .good_o(split_good));
  register_range #(.LEAST(1), .MOST(GROUP_MAX)) u_group_range (.data_i(data), .good_o(group_good));
  wire w_mode = writes && hit[MODE] && mode_good;
  wire w_split = writes && hit[SPLIT] && split_good;
  wire w_group = writes && hit[GROUP] && group_good;
  wire is_setting = hit[MODE] || hit[SPLIT] || hit[GROUP];
  wire w_good = w_mode || w_split || w_group;
  always @(posedge clk_i)
    if (rst_i) begin
      mode_q <= 3'd4;
      split_q <= HALF[QUEUE_W-1:0];
      below_split_q <= HALF[QUEUE_W-1:0] - 1'b1;
      group_q <= GROUP_RESET[GROUP_W-1:0];
      change_q <= 1'b0;
    end else begin
      if (w_mode) mode_q <= data[2:0];
      if (w_split) begin
        split_q <= data[QUEUE_W-1:0];
        below_split_q <= data[QUEUE_W-1:0] - 1'b1;
      end
      if (w_group) group_q <= data[GROUP_W-1:0];
      change_q <= w_good || clear_i || (change_q && !change_take_i);
      if (commit_i) begin
        {group_q, split_q, mode_q} <= run_i;
        below_split_q <= run_i[3+:QUEUE_W] - 1'b1;
        if (whole_i) change_q <= wants_i;
      end
    end
  reg [3+QUEUE_W+GROUP_W-1:0] force_q;
  localparam [31:0] FOUR = 4;
  always @(posedge clk_i)
    if (rst_i || clear_i) force_q <= {GROUP_RESET[GROUP_W-1:0], HALF[QUEUE_W-1:0], FOUR[2:0]};
    else if (change_take_i) force_q <= whole_i ? force_i : run_o;
  assign run_o = {group_q, split_q, mode_q};
  assign force_o = force_q;
  wire [2:0] mode = whole_i ? force_i[2:0] : mode_q;
  wire [QUEUE_W-1:0] split = whole_i ? force_i[3+:QUEUE_W] : split_q;
  wire [QUEUE_W-1:0] below_split = whole_i ? force_i[3+:QUEUE_W] - 1'b1 : below_split_q;
  assign change_o = change_q;
  assign group_o = whole_i ? force_i[3+QUEUE_W+:GROUP_W] : group_q;
  assign last_o = (mode == 3'd3) ? below_split : mode[2] ? LAST[QUEUE_W-1:0] : {QUEUE_W{1'b0}};
  assign ray_first_o = (mode == 3'd3) ? split : {{QUEUE_W-1{1'b0}}, mode == 3'd2};
  assign ray_last_o = (mode == 3'd1) ? {QUEUE_W{1'b0}} : LAST[QUEUE_W-1:0];

  // ---- counters -----------------------------------------------------------------------------------------
  reg [4:0] scan_q, scan_next_q;             // the word that comes by, and the one behind it
  reg [EVENT_W-1:0] event_q [0:COUNTERS-1];
  wire [31:0] count;
  reg [EVENT_W-1:0] gathered_q;              // for the word that comes by
  // A counter of events runs on; the low bits of its word are replaced, and a wrap is counted in the rest.
  wire wraps = gathered_q < count[EVENT_W-1:0];
  wire [31:0] sum = init_i ? 32'd0 : {count[31:EVENT_W] + {{31-EVENT_W{1'b0}}, wraps}, gathered_q};
  ram_1r1w #(.WIDTH(32), .DEPTH(32)) u_words (
    .clk_i(clk_i), .we_i(1'b1), .waddr_i(scan_q), .wdata_i(sum), .raddr_i(scan_next_q), .rdata_o(count));
  reg [22:0] events_q;
  reg [2:0] wasted_q, pops_q;
  reg park_twice_q;
  integer i;
  always @(posedge clk_i) begin
    {events_q, wasted_q, pops_q, park_twice_q} <= (rst_i || init_i) ? 30'd0 :
        {events_i, wasted_i, pops_i, park_twice_i};
    scan_q <= rst_i ? 5'd0 : scan_next_q;
    scan_next_q <= rst_i ? 5'd1 : scan_next_q + 5'd1;
    gathered_q <= (!rst_i && scan_next_q < COUNTERS[4:0]) ? event_q[scan_next_q] : {EVENT_W{1'b0}};
    for (i = 0; i < COUNTERS; i = i + 1)
      if (rst_i || init_i) event_q[i] <= {EVENT_W{1'b0}};
      else event_q[i] <= event_q[i] +
                         {{EVENT_W-3{1'b0}}, (i == WASTED) ? wasted_q : (i == POP) ? pops_q :
                             {1'b0, i == PARK_FAST && park_twice_q, events_q[(i < WASTED) ? i : WASTED] &&
                                 !(i == PARK_FAST && park_twice_q)}};
  end
  reg [PTR_W-1:0] high_q;
  always @(posedge clk_i)
    if (rst_i) high_q <= {PTR_W{1'b0}};
    else if (pool_used_i > high_q) high_q <= pool_used_i;

  // ---- answers ------------------------------------------------------------------------------------------
  wire is_counter = !write && addr[7] && addr[1:0] == 2'd0 && addr[6:2] < COUNTERS[4:0];
  assign waits_o = is_counter && addr[6:2] != scan_q;
  wire [32*WORDS-1:0] words;
  assign words[32*ID+:32] = 32'h54520001;
  assign words[32*MODE+:32] = {29'd0, mode_q};
  assign words[32*SPLIT+:32] = {{32-QUEUE_W{1'b0}}, split_q};
  assign words[32*GROUP+:32] = {{32-GROUP_W{1'b0}}, group_q};
  assign words[32*STATUS+:32] = {30'd0, change_q, pool_used_i == {PTR_W{1'b0}}};
  assign words[32*USED+:32] = {{32-PTR_W{1'b0}}, pool_used_i};
  assign words[32*HIGH+:32] = {{32-PTR_W{1'b0}}, high_q};
  wire readable;
  wire [31:0] mapped;
  register_map #(.N(WORDS), .ADDR_W(8), .ADDRESS(ADDRESS)) u_map (
    .addr_i(addr), .words_i(words), .hit_o(hit), .readable_o(readable), .word_o(mapped));
  assign word_o = !is_counter ? mapped : init_i ? 32'd0 : count;
  assign good_o = write ? w_good : is_counter || readable;
  always @(posedge clk_i) refused_o <= !rst_i && writes && is_setting && !w_good;
endmodule

`default_nettype wire
