// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_stats: looks at one connection per cycle in turn, CONNS + 4 cycles a turn (US-11). What
// it looks at is shown at look_*_o, LEVELS + 1 cycles later; from it come interrupts, the state that software
// reads, and the counts. STATS 1 counts one per turn and connection, in the state seen; STATS 2 counts each
// cycle: a narrow counter per connection and state is emptied into RAM in turn. Counts have 48 bits and
// saturate. Reset: all counts are cleared, which takes 8 * CONNS cycles, as after clear_i; nothing is counted
// in these.
`default_nettype none

module front_end_monitor_stats #(
  parameter CONNS = 4,    // connections of reports
  parameter DOMAINS = 1,  // switch domains
  parameter LEVELS = 1,   // registers of a choice among all connections
  // Code of a unit's state: 5, 4 or 3 wires; binary has no code for mixed, so units stay separate; 0 one_hot,
  // 1 two_of_four, 2 binary.
  parameter ENCODING = 0,
  parameter STATE_W = 5,  // bits of a state
  // Cycles per connection and state: not kept, one connection looked at per cycle, or all in each cycle; 0
  // none, 1 sampled, 2 exact.
  parameter STATS = 1,
  parameter CONN_W = 2,    // bits of the number of a connection
  parameter DOMAIN_W = 1,  // bits of the number of a switch domain
  // Width of timeout, windows, times and counts of deadlocks; the cycle counter has twice as many. Fewer take
  // less area; 8..32 bits.
  parameter TIME_W = 32,
  parameter COUNT_W = 48,                  // bits of a count; fewer only where saturation is tested
  // First unit of each connection, 11 bits each, the number of units last.
  parameter [11*CONNS+10:0] CONN_FIRST = 0,
  parameter [11*CONNS-1:0] CONN_DOMAIN = 0  // switch domain of each connection, 11 bits each
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [CONNS*STATE_W-1:0] state_i,  // state of each connection, connection 0 lowest
  input  wire [CONNS-1:0] progress_i,       // per connection: some unit shows progress
  input  wire [CONNS-1:0] waiting_i,        // per connection: some unit waits
  input  wire [CONNS-1:0] gather_i,         // per connection: some unit waits for input
  input  wire [CONNS-1:0] nack_i,           // per connection: some unit had an access refused

  input  wire [DOMAINS-1:0] halt_i,        // under halt
  input  wire [DOMAINS-1:0] watch_i,       // and its reports are those of the halt request
  input  wire [TIME_W*DOMAINS-1:0] age_i,  // for so long
  input  wire clear_i,                     // pulse: all counts are cleared
  input  wire hold_i,                      // counts stand still

  output reg  look_valid_o,              // a connection of this turn:
  output reg  [CONN_W-1:0] look_conn_o,  // its number
  output reg  [2:0] look_state_o,        // 0 empty .. 4 halted, 5 mixed, 6 illegal
  output reg  [3:0] look_flags_o,        // nack, gather, waiting, progress

  input  wire [CONN_W-1:0] read_conn_i,  // counts of this connection
  input  wire [2:0] read_which_i,        // 0..6: the count of that state
  output wire read_o,                    // the count is at count_o in the next cycle
  output wire [47:0] count_o,            // the count
  output wire read_latency_o,            // the latencies are at latency_o in the next cycle
  output wire [2*TIME_W-1:0] latency_o   // worst and last
);
  localparam integer LAST_TURN = CONNS + 3, CONNS_NOW = CONNS, LAST_COUNT = 8 * CONNS - 1;
  localparam TURN_W = $clog2(CONNS + 4);
  localparam WORD_W = STATE_W + 4;

  // ---- one connection per cycle ------------------------------------------------------------------------
  reg [TURN_W-1:0] turn_q;
  wire turn_ends = turn_q == LAST_TURN[TURN_W-1:0];
  always @(posedge clk_i)
    if (rst_i || turn_ends) turn_q <= {TURN_W{1'b0}};
    else turn_q <= turn_q + 1'b1;

  wire [CONNS*WORD_W-1:0] words;
  wire [WORD_W-1:0] word;
  genvar c, d, s;
  generate
    for (c = 0; c < CONNS; c = c + 1) begin : g_word
      assign words[c*WORD_W+:WORD_W] = {nack_i[c], gather_i[c], waiting_i[c], progress_i[c],
                                        state_i[c*STATE_W+:STATE_W]};
    end
  endgenerate
  wire [2*LEVELS+TURN_W+1:0] wide_turn = {{2*LEVELS+2{1'b0}}, turn_q};
  front_end_monitor_pick #(.INPUTS(CONNS), .WIDTH(WORD_W), .LEVELS(LEVELS)) u_pick (
    .clk_i(clk_i), .index_i(wide_turn[2*LEVELS+1:0]), .in_i(words), .out_o(word));

  wire [(LEVELS+1)*CONN_W-1:0] conns;
  wire [LEVELS:0] valids, lasts;
  wire [CONN_W+TURN_W-1:0] wide_conn = {{CONN_W{1'b0}}, turn_q};
  assign conns[CONN_W-1:0] = wide_conn[CONN_W-1:0];
  wire unused_wide = &{1'b0, wide_conn, wide_turn};
  assign valids[0] = turn_q < CONNS_NOW[TURN_W-1:0];
  assign lasts[0] = turn_ends;
  generate
    for (d = 1; d <= LEVELS; d = d + 1) begin : g_on_the_way
      reg [CONN_W-1:0] conn_q;
      reg valid_q, last_q;
      always @(posedge clk_i) begin
        conn_q <= conns[(d-1)*CONN_W+:CONN_W];
        valid_q <= !rst_i && valids[d-1];
        last_q <= !rst_i && lasts[d-1];
      end
      assign lasts[d] = last_q;
      assign conns[d*CONN_W+:CONN_W] = conn_q;
      assign valids[d] = valid_q;
    end
  endgenerate
  wire [CONN_W-1:0] conn = conns[LEVELS*CONN_W+:CONN_W];

  // ---- what it shows -----------------------------------------------------------------------------------
  wire [(1<<CONN_W)-1:0] single;                // connections of one unit: mixed is illegal there
  generate
    for (c = 0; c < (1 << CONN_W); c = c + 1) begin : g_single
      if (c < CONNS) begin : g_conn
        assign single[c] = CONN_FIRST[11*c+11+:11] == CONN_FIRST[11*c+:11] + 11'd1;
      end else begin : g_none
        assign single[c] = 1'b0;
      end
    end
  endgenerate
  wire [STATE_W-1:0] code = word[STATE_W-1:0];
  wire [2:0] seen;
  wire [2:0] odd = single[conn] ? 3'd6 : 3'd5;
  generate
    if (ENCODING == 0) begin : g_one_hot
      assign seen = (code == 5'd1) ? 3'd0 : (code == 5'd2) ? 3'd1 : (code == 5'd4) ? 3'd2
                    : (code == 5'd8) ? 3'd3
                  : (code == 5'd16) ? 3'd4 : (code == 5'd0) ? odd : 3'd6;
    end else if (ENCODING == 1) begin : g_two_of_four
      assign seen = (code == 4'h3) ? 3'd0 : (code == 4'h5) ? 3'd1 : (code == 4'h6) ? 3'd2
                    : (code == 4'h9) ? 3'd3
                  : (code == 4'ha) ? 3'd4 : ((code & (code - 4'd1)) == 4'd0) ? odd : 3'd6;
    end else begin : g_binary
      assign seen = (code <= 3'd4) ? code : 3'd6;
      wire unused = &{1'b0, odd};
    end
  endgenerate
  reg spare_q;                                  // the last cycle of a turn: nothing uses the RAMs
  always @(posedge clk_i) begin
    spare_q <= !rst_i && lasts[LEVELS];
    look_valid_o <= !rst_i && valids[LEVELS];
    look_conn_o <= conn;
    look_state_o <= seen;
    look_flags_o <= word[WORD_W-1-:4];
  end

  // ---- counts ------------------------------------------------------------------------------------------
  localparam DEPTH = 1 << (CONN_W + 3);
  localparam ADDR_W = CONN_W + 3;
  generate
    if (STATS == 0) begin : g_no_counts
      assign read_o = 1'b1;
      assign read_latency_o = 1'b1;
      assign count_o = 48'd0;
      assign latency_o = {2*TIME_W{1'b0}};
      wire unused = &{1'b0, spare_q, halt_i, watch_i, age_i, clear_i, hold_i, read_conn_i, read_which_i};
    end else begin : g_counts
      reg clearing_q, keep_q;                   // keep: not those that were seen halted, behind clear_i
      reg [ADDR_W-1:0] clear_addr_q;
      wire clear_ends = clear_addr_q == LAST_COUNT[ADDR_W-1:0];
      always @(posedge clk_i) begin
        if (rst_i) keep_q <= 1'b0;
        else if (clear_i) keep_q <= keep_q || !clearing_q;
        if (rst_i || clear_i) begin
          clearing_q <= 1'b1;
          clear_addr_q <= {ADDR_W{1'b0}};
        end else begin
          if (clear_ends) clearing_q <= 1'b0;
          if (clearing_q) clear_addr_q <= clear_addr_q + 1'b1;
        end
      end
      wire counting = !clearing_q && !clear_i && !rst_i;

      // What is added, where: in the second cycle behind, the old count has come, in the fourth the new one
      // is written.
      wire add;
      wire [ADDR_W-1:0] add_addr;
      wire [15:0] add_value;
      if (STATS == 1) begin : g_sampled
        assign add = look_valid_o && !hold_i;
        assign add_addr = {look_conn_o, (look_state_o == 3'd6) ? 3'd5 : look_state_o};
        assign add_value = 16'd1;
        assign read_o = spare_q && counting;
      end else begin : g_exact
        localparam SLOTS = 8 * CONNS;
        localparam SLOT_LEVELS = LEVELS + 2;
        localparam NARROW_W = $clog2(SLOTS + 5);
        localparam SLOT_W = $clog2(SLOTS + 4);
        reg [SLOT_W-1:0] slot_q;
        wire slots_end = slot_q == SLOTS + 3;
        // Under hold all narrow counters have to be emptied before a read, in a turn that was held from its
        // begin.
        reg held_q;
        wire held = hold_i && (held_q || slot_q == {SLOT_W{1'b0}});
        always @(posedge clk_i) begin
          held_q <= held && !slots_end;
          if (rst_i || slots_end) slot_q <= {SLOT_W{1'b0}};
          else slot_q <= slot_q + 1'b1;
        end
        wire [8*CONNS*NARROW_W-1:0] narrow;
        for (c = 0; c < CONNS; c = c + 1) begin : g_conn
          wire [STATE_W+4:0] now = {5'd0, state_i[c*STATE_W+:STATE_W]};
          wire [4:0] is = (ENCODING == 0) ? {now == 16, now == 8, now == 4, now == 2, now == 1}
                        : (ENCODING == 1) ? {now == 10, now == 9, now == 6, now == 5, now == 3}
                        : {now == 4, now == 3, now == 2, now == 1, now == 0};
          wire [5:0] is_now = {!(|is), is};
          for (s = 0; s < 6; s = s + 1) begin : g_state
            reg [NARROW_W-1:0] narrow_q;
            wire taken = slot_q == 8 * c + s;
            always @(posedge clk_i)
              if (!counting) narrow_q <= {NARROW_W{1'b0}};
              else narrow_q <= (taken ? {NARROW_W{1'b0}} : narrow_q) + {{NARROW_W-1{1'b0}},
                  is_now[s] && !hold_i};
            assign narrow[(8*c+s)*NARROW_W+:NARROW_W] = narrow_q;
          end
          assign narrow[(8*c+6)*NARROW_W+:2*NARROW_W] = {2*NARROW_W{1'b0}};
        end
        wire [NARROW_W-1:0] taken_value;
        wire [2*SLOT_LEVELS+SLOT_W+1:0] wide_slot = {{2*SLOT_LEVELS+2{1'b0}}, slot_q};
        front_end_monitor_pick #(.INPUTS(SLOTS), .WIDTH(NARROW_W), .LEVELS(SLOT_LEVELS)) u_narrow (
          .clk_i(clk_i), .index_i(wide_slot[2*SLOT_LEVELS+1:0]), .in_i(narrow), .out_o(taken_value));
        reg [SLOT_LEVELS*(ADDR_W+2)-1:0] way_q;
        wire [ADDR_W+SLOT_W-1:0] wide_addr = {{ADDR_W{1'b0}}, slot_q};
        wire [ADDR_W+1:0] enters = {counting && slots_end && (held || !hold_i), counting && slot_q < SLOTS,
                                    wide_addr[ADDR_W-1:0]};
        wire unused = &{1'b0, wide_addr, wide_slot};
        always @(posedge clk_i)
          way_q <= !counting ? {SLOT_LEVELS*(ADDR_W+2){1'b0}}
                   : {way_q[(SLOT_LEVELS-1)*(ADDR_W+2)-1:0], enters};
        wire [ADDR_W+1:0] leaves = way_q[(SLOT_LEVELS-1)*(ADDR_W+2)+:ADDR_W+2];
        assign add = leaves[ADDR_W];
        assign read_o = leaves[ADDR_W+1] && counting;
        assign add_addr = leaves[ADDR_W-1:0];
        assign add_value = {{16-NARROW_W{1'b0}}, taken_value};
      end

      reg [2:0] adds_q;
      reg [3*ADDR_W-1:0] addrs_q;
      reg [15:0] value_q;
      // The lower half is added when the old count comes, the upper one in the next cycle.
      localparam LOW_W = COUNT_W / 2;
      reg [LOW_W:0] low_q;
      reg [COUNT_W-LOW_W-1:0] high_q;
      reg [COUNT_W:0] new_q;                    // with what it overflows into
      wire [COUNT_W-1:0] old;
      wire [LOW_W+16:0] value = {{LOW_W+1{1'b0}}, value_q};
      wire [COUNT_W+47:0] wide = {48'd0, old};
      wire unused_sum = &{1'b0, value, wide};
      always @(posedge clk_i) begin
        adds_q <= {adds_q[1:0], add} & {3{counting}};
        addrs_q <= {addrs_q[2*ADDR_W-1:0], add_addr};
        value_q <= add_value;
        low_q <= {1'b0, old[LOW_W-1:0]} + value[LOW_W:0];
        high_q <= old[COUNT_W-1:LOW_W];
        new_q <= {{1'b0, high_q} + {{COUNT_W-LOW_W{1'b0}}, low_q[LOW_W]}, low_q[LOW_W-1:0]};
      end
      ram_1r1w #(.WIDTH(COUNT_W), .DEPTH(DEPTH)) u_counts (
        .clk_i(clk_i), .we_i(clearing_q || adds_q[2]),
        .waddr_i(clearing_q ? clear_addr_q : addrs_q[2*ADDR_W+:ADDR_W]),
        .wdata_i(clearing_q ? {COUNT_W{1'b0}} : new_q[COUNT_W] ? {COUNT_W{1'b1}} : new_q[COUNT_W-1:0]),
        .raddr_i(read_o ? {read_conn_i, read_which_i} : add_addr), .rdata_o(old));
      assign count_o = wide[47:0];

      // ---- halt latency: {already seen, worst, last} of each connection --------------------------------
      // To clear one has 8 cycles per connection: it is read in the first, and written but for what was seen
      // in the last.
      wire [CONN_W-1:0] clear_conn = clear_addr_q[ADDR_W-1:3];
      wire clears = clearing_q && clear_addr_q[2:0] == 3'd7;
      wire [DOMAIN_W-1:0] domain;
      front_end_monitor_table #(.ENTRIES(CONNS), .INDEX_W(CONN_W), .WIDTH(DOMAIN_W),
        .TABLE(CONN_DOMAIN)) u_domain (
        .index_i(look_conn_o), .value_o(domain));
      reg halt, watch;
      reg [TIME_W-1:0] age;
      integer i;
      always @* begin
        halt = 1'b0;
        watch = 1'b0;
        age = {TIME_W{1'b0}};
        for (i = 0; i < DOMAINS; i = i + 1)
          if ({1'b0, domain} == i[DOMAIN_W:0]) begin
            halt = halt_i[i];
            watch = watch_i[i];
            age = age_i[TIME_W*i+:TIME_W];
          end
      end
      assign read_latency_o = spare_q && counting;
      reg [2:0] looks_q;
      reg [1:0] clears_q;
      reg [1:0] halts_q;
      reg [3*CONN_W-1:0] conns_q;
      reg [2*TIME_W-1:0] ages_q;
      reg [2*TIME_W:0] was_q, is_q;
      wire [2*TIME_W:0] was;
      wire longer = ages_q[TIME_W+:TIME_W] > was_q[TIME_W+:TIME_W];
      wire found = halts_q[1] && !was_q[2*TIME_W];
      always @(posedge clk_i) begin
        looks_q <= {looks_q[1] && (found || (clears_q[1] && was_q[2*TIME_W])), looks_q[0],
                    look_valid_o} & {3{counting}};
        halts_q <= {halts_q[0], watch && halt && look_state_o == 3'd4};
        clears_q <= {clears_q[0], !halt};
        conns_q <= {conns_q[2*CONN_W-1:0], look_conn_o};
        ages_q <= {ages_q[TIME_W-1:0], age};
        was_q <= was;
        is_q <= !found ? {1'b0, was_q[2*TIME_W-1:0]}
                : {1'b1, longer ? ages_q[TIME_W+:TIME_W] : was_q[TIME_W+:TIME_W], ages_q[TIME_W+:TIME_W]};
      end
      ram_1r1w #(.WIDTH(2*TIME_W+1), .DEPTH(1 << CONN_W)) u_latency (
        .clk_i(clk_i), .we_i(clears || looks_q[2]),
        .waddr_i(clearing_q ? clear_conn : conns_q[2*CONN_W+:CONN_W]),
        .wdata_i(clearing_q ? {keep_q && was_q[2*TIME_W], {2*TIME_W{1'b0}}} : is_q),
        .raddr_i(clearing_q ? clear_conn : read_latency_o ? read_conn_i : look_conn_o), .rdata_o(was));
      assign latency_o = was[2*TIME_W-1:0];
    end
  endgenerate
endmodule

`default_nettype wire
