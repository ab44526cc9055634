// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_walk: stores, resets and restores connections one after the other (US-8), and asks the
// hub for it, one command at a time. Without EACH it takes the connections in turn while their domain lets it
// (pass_i). With EACH a pointer looks at one connection per cycle and takes the first that has halted and is
// due: not stored yet, or reset and not restored. A connection's units go through together, as their report
// is one. Reset: idle.
`default_nettype none

module front_end_monitor_walk #(
  parameter CONNS = 4,     // connections of reports
  parameter DOMAINS = 1,   // switch domains
  parameter COMMANDS = 0,  // 0 broadcast, 1 group, 2 unit
  parameter LEVELS = 1,    // registers of a choice among all connections
  parameter ADDR_W = 32,   // width of a memory address of the hub; 16..64 bits
  // Bits of the numbers of units, connections and switch domains.
  parameter UNIT_W = 2,
  parameter CONN_W = 2,
  parameter DOMAIN_W = 1,
  // First unit of each connection, 11 bits each, the number of units last.
  parameter [11*CONNS+10:0] CONN_FIRST = 0,
  parameter [11*CONNS-1:0] CONN_DOMAIN = 0  // switch domain of each connection, 11 bits each
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [CONNS-1:0] halted_i,   // reports of this cycle
  input  wire [DOMAINS-1:0] start_i,  // a command begins
  // State of each switch domain, as front_end_monitor_domain reports it; domain 0 lowest.
  input  wire [3*DOMAINS-1:0] stage_i,
  input  wire [3*DOMAINS-1:0] what_i,
  input  wire [DOMAINS-1:0] ending_i,
  input  wire [DOMAINS-1:0] settled_i,
  input  wire [DOMAINS-1:0] forced_i,
  input  wire [CONNS-1:0] lost_i,               // reset by timeout: not stored
  // Per switch domain: where images are saved to and loaded from, as byte addresses, then as slots; slot 0 is
  // memory.
  input  wire [ADDR_W*DOMAINS-1:0] save_base_i,
  input  wire [ADDR_W*DOMAINS-1:0] load_base_i,
  input  wire [2*DOMAINS-1:0] save_slot_i,
  input  wire [2*DOMAINS-1:0] load_slot_i,

  output wire [CONNS-1:0] passed_o,        // stored and reset, or about to be reset (EACH)
  output wire [DOMAINS-1:0] works_o,       // at a connection of the domain
  output wire [DOMAINS-1:0] reset_o,       // one of its command connections is reset in the next cycle:
  output wire [UNIT_W-1:0] reset_which_o,  // that command connection
  output wire [DOMAINS-1:0] first_o,       // per domain: a connection is stored and reset (EACH)
  output wire [DOMAINS-1:0] done_o,        // per domain: a connection is through the stage
  output wire [DOMAINS-1:0] error_o,       // per domain: the hub refused
  output wire [UNIT_W-1:0] unit_o,         // with error_o: the unit

  output wire hub_valid_o,              // a command to the hub is offered; it holds still until taken
  input  wire hub_ready_i,              // the hub takes it
  output reg  hub_load_o,               // 1: restore, 0: save
  output wire [UNIT_W-1:0] hub_unit_o,  // number of the unit
  output reg  [1:0] hub_slot_o,         // 0: memory, else the local slot
  output reg  [ADDR_W-1:0] hub_base_o,  // base of the contexts in memory
  input  wire hub_done_i,               // pulse: the command taken last has ended
  input  wire [3:0] hub_error_i         // 0 good, else what was wrong
);
  localparam [2:0] STORE = 3'd2, RESTORE = 3'd4, MOVE = 3'd5, STOP = 3'd7;
  localparam [2:0] SWITCH = 3'd1, SAVE = 3'd2, DO_RESTORE = 3'd3;
  localparam [2:0] SEEK = 3'd0, LOOK = 3'd1, OFFER = 3'd2, AWAIT = 3'd3, RESETS = 3'd4, END = 3'd5;
  localparam EACH = (COMMANDS != 0);

  reg [2:0] state_q;
  reg [CONN_W-1:0] conn_q;                      // the connection at work
  reg second_q;                                 // it was reset and is due to be restored (EACH)
  reg lost_q;
  reg [UNIT_W-1:0] unit_q;
  // of a command that software gave up: what the hub does is awaited, and no more
  reg stale_q;

  // ---- which connection is next ------------------------------------------------------------------------
  wire found, found_second, found_lost;
  wire [CONN_W-1:0] found_conn;
  reg [CONN_W-1:0] next_q;
  localparam integer LAST = CONNS - 1;
  wire [CONN_W-1:0] after = (next_q == LAST[CONN_W-1:0]) ? {CONN_W{1'b0}} : next_q + 1'b1;
  wire ends = state_q == END;
  // stopped by an error, or to be released: nothing new is begun
  wire [DOMAINS-1:0] stands;
  genvar c, d;
  generate
    if (EACH) begin : g_each
      // Of a connection: not stored and reset yet; or this done, and not restored yet.
      wire [3*CONNS-1:0] due;
      for (c = 0; c < CONNS; c = c + 1) begin : g_conn
        localparam integer D = {21'd0, CONN_DOMAIN[11*c+:11]};
        reg stored_q, restored_q;
        wire here = ends && {1'b0, conn_q} == c;
        wire moves = stage_i[3*D+:3] == MOVE && !ending_i[D] && halted_i[c] && !restored_q;
        assign due[3*c+:3] = {lost_i[c], stored_q, moves && ((stored_q) ? settled_i[D] : !forced_i[D])};
        assign passed_o[c] = stored_q || ((ends || state_q == RESETS) && {1'b0, conn_q} == c);
        always @(posedge clk_i)
          if (rst_i || start_i[D]) begin
            stored_q <= 1'b0;
            restored_q <= 1'b0;
          end else if (here) begin
            stored_q <= 1'b1;
            restored_q <= second_q || what_i[3*D+:3] == SAVE;
          end
      end
      wire [2*LEVELS+CONN_W+1:0] index = {{2*LEVELS+2{1'b0}}, next_q};
      wire unused = &{1'b0, index};
      wire hit;
      front_end_monitor_pick #(.INPUTS(CONNS), .WIDTH(3), .LEVELS(LEVELS)) u_pick (
        .clk_i(clk_i), .index_i(index[2*LEVELS+1:0]), .in_i(due), .out_o({found_lost, found_second, hit}));
      wire [(LEVELS+1)*CONN_W-1:0] seen;        // the connections that the choices on the way belong to
      wire [LEVELS:0] good;
      assign seen[CONN_W-1:0] = next_q;
      assign good[0] = state_q == SEEK;
      for (d = 1; d <= LEVELS; d = d + 1) begin : g_on_the_way
        reg [CONN_W-1:0] seen_q;
        reg good_q;
        always @(posedge clk_i) begin
          seen_q <= seen[(d-1)*CONN_W+:CONN_W];
          good_q <= !rst_i && good[d-1] && !found;
        end
        assign seen[d*CONN_W+:CONN_W] = seen_q;
        assign good[d] = good_q;
      end
      assign found = good[LEVELS] && hit && state_q == SEEK;
      assign found_conn = seen[LEVELS*CONN_W+:CONN_W];
      wire [CONN_W-1:0] behind = (conn_q == LAST[CONN_W-1:0]) ? {CONN_W{1'b0}} : conn_q + 1'b1;
      always @(posedge clk_i)
        if (rst_i) next_q <= {CONN_W{1'b0}};
        else next_q <= (state_q == SEEK) ? after : behind;
    end else begin : g_together
      assign found = state_q == SEEK && !ending_i[0] && (stage_i[2:0] == STORE || stage_i[2:0] == RESTORE);
      assign {found_lost, found_second} = 2'd0;
      assign passed_o = {CONNS{1'b0}};
      assign found_conn = next_q;
      always @(posedge clk_i)
        if (rst_i) next_q <= {CONN_W{1'b0}};
        else if (ends) next_q <= after;
      wire unused = &{1'b0, halted_i, start_i, settled_i, forced_i, conn_q, lost_i};
    end
  endgenerate

  // ---- what is known of it, from when it is found -------------------------------------------------------
  wire [UNIT_W-1:0] first_d;
  reg [UNIT_W-1:0] first_q;
  wire [UNIT_W:0] behind_last_d;
  reg [UNIT_W:0] behind_last_q;
  front_end_monitor_table #(.ENTRIES(CONNS), .INDEX_W(CONN_W), .WIDTH(UNIT_W),
    .TABLE(CONN_FIRST[11*CONNS-1:0])) u_first (
    .index_i(found_conn), .value_o(first_d));
  front_end_monitor_table #(.ENTRIES(CONNS), .INDEX_W(CONN_W), .WIDTH(UNIT_W + 1),
    .TABLE(CONN_FIRST[11*CONNS+10:11])) u_behind (
    .index_i(found_conn), .value_o(behind_last_d));
  wire [DOMAIN_W-1:0] domain_d;
  reg [DOMAINS-1:0] mine_q;
  front_end_monitor_table #(.ENTRIES(CONNS), .INDEX_W(CONN_W), .WIDTH(DOMAIN_W),
    .TABLE(CONN_DOMAIN)) u_domain (
    .index_i(found_conn), .value_o(domain_d));
  generate
    for (d = 0; d < DOMAINS; d = d + 1) begin : g_mine
      always @(posedge clk_i) if (found) mine_q[d] <= {1'b0, domain_d} == d;
      assign stands[d] = ending_i[d] || stage_i[3*d+:3] == STOP;
    end
  endgenerate
  always @(posedge clk_i)
    if (found) begin
      first_q <= first_d;
      behind_last_q <= behind_last_d;
    end

  // The domain's registers; one of them is chosen.
  reg [2:0] stage, what;
  reg [ADDR_W-1:0] save_base, load_base;
  reg [1:0] save_slot, load_slot;
  integer i;
  always @* begin
    stage = 3'd0;
    what = 3'd0;
    save_base = {ADDR_W{1'b0}};
    load_base = {ADDR_W{1'b0}};
    save_slot = 2'd0;
    load_slot = 2'd0;
    for (i = 0; i < DOMAINS; i = i + 1) begin
      stage = stage | (stage_i[3*i+:3] & {3{mine_q[i]}});
      what = what | (what_i[3*i+:3] & {3{mine_q[i]}});
      save_base = save_base | (save_base_i[ADDR_W*i+:ADDR_W] & {ADDR_W{mine_q[i]}});
      load_base = load_base | (load_base_i[ADDR_W*i+:ADDR_W] & {ADDR_W{mine_q[i]}});
      save_slot = save_slot | (save_slot_i[2*i+:2] & {2{mine_q[i]}});
      load_slot = load_slot | (load_slot_i[2*i+:2] & {2{mine_q[i]}});
    end
  end

  // ---- the work ----------------------------------------------------------------------------------------
  wire now_ending = |(mine_q & stands) || stale_q;
  wire restarts = |(mine_q & start_i);
  wire loads = EACH ? second_q : stage == RESTORE;
  wire go = !now_ending && (EACH ? stage == MOVE : stage == STORE || stage == RESTORE);
  wire asks_hub = !EACH || (second_q ? what == SWITCH || what == DO_RESTORE
                            : (what == SWITCH || what == SAVE) && !lost_q);
  wire last_unit = {1'b0, unit_q} + 1'b1 == behind_last_q;
  wire last_reset = COMMANDS == 1 || last_unit;
  // Once one unit of a connection is reset, all are: a retry would store it again.
  reg reset_begun_q;
  always @(posedge clk_i) reset_begun_q <= state_q == RESETS;
  wire resets_now = EACH && state_q == RESETS && (!now_ending || reset_begun_q) && !restarts;
  wire resets = EACH && !second_q && what != SAVE;
  wire answered = state_q == AWAIT && hub_done_i;
  wire good = answered && hub_error_i == 4'd0;

  reg [2:0] state_d;
  always @* begin
    state_d = state_q;
    case (state_q)
      SEEK: if (found) state_d = LOOK;
      LOOK: state_d = !go ? SEEK : asks_hub ? OFFER : resets ? RESETS : END;
      OFFER: if (hub_ready_i) state_d = AWAIT;
      AWAIT: if (answered) state_d = !good || now_ending ? SEEK : !last_unit ? OFFER : resets ? RESETS : END;
      RESETS: if (!resets_now) state_d = SEEK;
              else if (last_reset) state_d = END;
      default: state_d = SEEK;
    endcase
  end
  always @(posedge clk_i) begin
    state_q <= rst_i ? SEEK : state_d;
    stale_q <= !rst_i && state_q != SEEK && state_d != SEEK && (stale_q || restarts);
    if (found) begin
      conn_q <= found_conn;
      second_q <= found_second;
      lost_q <= found_lost;
    end
    if (state_q == LOOK || (answered && last_unit)) unit_q <= first_q;
    else if (good || state_q == RESETS) unit_q <= unit_q + 1'b1;
    if (state_q == LOOK) begin
      hub_load_o <= loads;
      hub_slot_o <= loads ? load_slot : save_slot;
      hub_base_o <= loads ? load_base : save_base;
    end
  end

  assign works_o = mine_q & {DOMAINS{state_q != SEEK}};
  assign reset_o = mine_q & {DOMAINS{resets_now}};
  generate
    if (COMMANDS == 1) begin : g_reset_group
      wire [UNIT_W+CONN_W-1:0] wide = {{UNIT_W{1'b0}}, conn_q};
      assign reset_which_o = wide[UNIT_W-1:0];
      wire unused = &{1'b0, wide};
    end else begin : g_reset_unit
      assign reset_which_o = unit_q;
    end
  endgenerate
  wire skipped = what == SAVE && lost_q;        // nothing was done with it
  assign first_o = mine_q & {DOMAINS{ends && EACH && !second_q && !skipped}};
  assign done_o = mine_q & {DOMAINS{ends && (!EACH || second_q || what == SAVE)}};
  assign error_o = mine_q & {DOMAINS{answered && !good && !stale_q}};
  assign unit_o = unit_q;
  assign hub_valid_o = state_q == OFFER;
  assign hub_unit_o = unit_q;
endmodule

`default_nettype wire
