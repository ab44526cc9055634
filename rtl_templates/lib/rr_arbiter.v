// SPDX-License-Identifier: Apache-2.0
// rr_arbiter: round robin among up to 64 requesters, one grant per cycle, over one to three register stages.
// A request of cycle t is granted in cycle t + STAGES at the earliest. The client granted in a cycle lowers
// its request in the next cycle, or keeps it up for another grant. A request stays up until its grant; one
// that is withdrawn may still get one. With STAGES + 1 or more requests up every cycle has a grant; a client
// alone gets one every STAGES + 1 cycles. In cycles with enable_i 0 nobody is chosen; grants already chosen
// come out. Fair: a waiting client sees at most CLIENTS grants to others with STAGES 1; with 2 and 3 clients
// form groups (number modulo GROUPS), which take turns, as do the clients of a group: at most GROUPS *
// MEMBERS - 1 + STAGES grants. The share of clients that always ask: with STAGES 1 the same for all; with 2
// and 3 each group that has such a client gets the same number of grants, and so does each client within a
// group. A client that is alone in its group gets up to MEMBERS times the grants of one in a full group (with
// CLIENTS 48: 6 times). Where all clients must have the same share, use STAGES 1, or as many clients in each
// group. No output depends on an input within a cycle. Reset: no grant, number 0 goes first. C counterpart:
// struct simt_rr_arbiter (cmodel/core/cells.h).
`default_nettype none

module rr_arbiter #(
  parameter CLIENTS = 8,  // 2..64
  parameter STAGES = 2    // 1, 2, 3
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [CLIENTS-1:0] req_i,  // a bit for each client: it asks for a grant
  input  wire enable_i,             // 1: a client may be chosen in this cycle

  output wire grant_valid_o,                  // a client is granted in this cycle
  output wire [$clog2(CLIENTS)-1:0] grant_o,  // number of the client
  output wire [CLIENTS-1:0] grant_one_hot_o   // 0 without a grant
);
  localparam IW = $clog2(CLIENTS);
  localparam GROUPS = (STAGES == 1) ? 1 : (CLIENTS <= 4) ? 2 : (CLIENTS <= 16) ? 4 : 8;
  localparam MEMBERS = (CLIENTS + GROUPS - 1) / GROUPS;
  localparam ALL = GROUPS * MEMBERS;

  generate
    if (CLIENTS < 2 || CLIENTS > 64) begin : g_clients_range
      clients_out_of_range check ();
    end
    if (STAGES < 1 || STAGES > 3) begin : g_stages_range
      stages_out_of_range check ();
    end
  endgenerate

  // Bit g * MEMBERS + m: client m * GROUPS + g.
  wire [ALL-1:0] req, chosen, out;
  wire [ALL-1:0] barred;  // chosen already: the request still stands for that grant
  reg  [ALL-1:0] grant_q;
  reg  [IW-1:0] number_q;
  reg  valid_q;
  always @(posedge clk_i) grant_q <= rst_i ? {ALL{1'b0}} : chosen;
  assign grant_valid_o = valid_q;
  assign grant_o = number_q;

  function [IW-1:0] number(input [ALL-1:0] one_hot);
    integer n;
    begin
      number = {IW{1'b0}};
      for (n = 0; n < CLIENTS; n = n + 1)
        if (one_hot[(n % GROUPS) * MEMBERS + n / GROUPS]) number = number | n[IW-1:0];
    end
  endfunction

  genvar c, g;
  generate
    for (c = 0; c < ALL; c = c + 1) begin : g_client
      localparam AT = (c % GROUPS) * MEMBERS + c / GROUPS;
      if (c < CLIENTS) begin : g_there
        assign req[AT] = req_i[c];
        assign grant_one_hot_o[c] = out[AT];
      end else begin : g_none
        assign req[AT] = 1'b0;
      end
    end

    if (STAGES == 1) begin : g_flat
      reg [ALL-1:0] turn_q;
      wire [ALL-1:0] pick, above;
      wire any;
      rr_pick #(.WIDTH(ALL)) u_pick (
        .req_i(req & ~barred), .turn_i(turn_q), .any_o(any), .pick_o(pick), .above_o(above));
      assign chosen = enable_i ? pick : {ALL{1'b0}};
      always @(posedge clk_i) begin
        if (rst_i) turn_q <= {ALL{1'b1}};
        else if (any && enable_i) turn_q <= above;
        valid_q <= !rst_i && any && enable_i;
        number_q <= number(pick);
      end
      assign out = grant_q;
      assign barred = grant_q;
    end else begin : g_groups
      // A candidate of each group waits until its group is chosen; the next one is looked for at the same
      // time.
      reg [GROUPS-1:0] have_q, turn_q;
      reg [ALL-1:0] candidate_q;     // one-hot in each group, 0 without a candidate
      wire [GROUPS-1:0] pick, above;
      wire any;
      wire [GROUPS-1:0] taken = enable_i ? pick : {GROUPS{1'b0}};
      rr_pick #(.WIDTH(GROUPS)) u_pick (
        .req_i(have_q), .turn_i(turn_q), .any_o(any), .pick_o(pick), .above_o(above));
      always @(posedge clk_i)
        if (rst_i) turn_q <= {GROUPS{1'b1}};
        else if (any && enable_i) turn_q <= above;

      for (g = 0; g < GROUPS; g = g + 1) begin : g_group
        reg [MEMBERS-1:0] turn_m_q;
        wire [MEMBERS-1:0] next, above_m;
        wire some;
        wire moves = taken[g] || !have_q[g];
        wire [MEMBERS-1:0] open = req[g*MEMBERS+:MEMBERS] & ~barred[g*MEMBERS+:MEMBERS]
                                & ~candidate_q[g*MEMBERS+:MEMBERS];
        rr_pick #(.WIDTH(MEMBERS)) u_next (
          .req_i(open), .turn_i(turn_m_q), .any_o(some), .pick_o(next), .above_o(above_m));
        assign chosen[g*MEMBERS+:MEMBERS] = taken[g] ? candidate_q[g*MEMBERS+:MEMBERS] : {MEMBERS{1'b0}};
        always @(posedge clk_i)
          if (rst_i) begin
            have_q[g] <= 1'b0;
            candidate_q[g*MEMBERS+:MEMBERS] <= {MEMBERS{1'b0}};
            turn_m_q <= {MEMBERS{1'b1}};
          end else if (moves) begin
            have_q[g] <= some;
            candidate_q[g*MEMBERS+:MEMBERS] <= next;
            if (some) turn_m_q <= above_m;
          end
      end

      if (STAGES == 2) begin : g_two
        always @(posedge clk_i) begin
          valid_q <= !rst_i && any && enable_i;
          number_q <= number(chosen);
        end
        assign out = grant_q;
        assign barred = grant_q;
      end else begin : g_three
        reg [ALL-1:0] out_q;
        always @(posedge clk_i) begin
          out_q <= rst_i ? {ALL{1'b0}} : grant_q;
          valid_q <= !rst_i && |grant_q;
          number_q <= number(grant_q);
        end
        assign out = out_q;
        assign barred = grant_q | out_q;
      end
    end
  endgenerate
endmodule

`default_nettype wire
