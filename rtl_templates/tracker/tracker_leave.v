// SPDX-License-Identifier: Apache-2.0
// tracker_leave: what the outputs have read (TR-5, TR-11, TR-13). The entries of both outputs pass one way,
// one per cycle: L0 marks the entry left and reads counts, L1 and L2 count down, L3 reports data slots whose
// count fell to zero. A walker follows the oldest entry: it reads its mark and moves on, one per cycle at
// most, but not past a state packet or a flush token before that is latched. A mark is the wrap bit at which
// the entry leaves, inverted. Reset: nothing left; init_i clears marks and counts.
`default_nettype none

module tracker_leave #(
  parameter AGES = 512,              // positions of ages
  parameter AGE_W = 10,              // a wrap bit and a position
  parameter AGE_AT = 0,              // where a wavefront's name has its age; the place in the pool is lowest
  parameter NAME_W = 10,
  parameter ENTRY_W = 9,
  parameter QUEUE_W = 6,
  parameter BANKS = 4,
  parameter BANK_W = 2,
  parameter DSLOTS = 256,
  parameter DSLOT_W = 8,
  parameter REF_W = 6,
  parameter STATE_Q = 16,
  parameter FLUSH_Q = 8
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire init_i,
  input  wire [AGE_W-2:0] init_entry_i,
  input  wire closed_i,                              // no flush token's turn comes
  output wire moves_o,                               // something is under way but the walker
  output wire waits_o,                               // a flush token waits
  input  wire save_i,                                // while all stands: what a context says of an age
  input  wire [AGE_W-1:0] save_age_i,
  output wire save_left_o,                           // one cycle later
  input  wire state_next_i,                          // of state packets the next one is shown
  output wire save_due_o,                            // the one shown is due
  input  wire token_next_i,
  output wire token_more_o,
  output wire [AGE_W-1:0] save_tail_o,
  output wire [BANK_W-1:0] save_bank_o,
  output wire [DSLOT_W-1:0] save_dslot_o,

  input  wire [1:0] leave_i,                         // a path's data were read; never without room
  input  wire [2*NAME_W-1:0] leave_entry_i,
  input  wire [2*BANKS-1:0] leave_used_i,
  input  wire [2*BANKS*DSLOT_W-1:0] leave_dslots_i,
  output wire [1:0] leave_room_o,                    // stays until the path leaves
  // for counters: an entry that is not the oldest was marked
  output wire left_early_o,
  output wire left_o,                                // an entry is marked: its place in the pool
  output wire [ENTRY_W-1:0] left_entry_o,

  output wire [BANKS*DSLOT_W-1:0] up_addr_o,
  input  wire [BANKS*REF_W-1:0] up_data_i,
  input  wire [BANKS-1:0] up_stuck_i,
  output wire [BANKS-1:0] down_we_o,
  output wire [BANKS*DSLOT_W-1:0] down_addr_o,
  output wire [BANKS*REF_W-1:0] down_data_o,
  input  wire [BANKS-1:0] raise_i,                   // counts that go up in this cycle
  input  wire [BANKS*DSLOT_W-1:0] raise_dslots_i,
  input  wire [BANKS*DSLOT_W-1:0] raise1_dslots_i,   // what raise_dslots_i has a cycle later
  input  wire [DSLOT_W-1:0] init_dslot_i,
  output reg  [BANKS-1:0] free_valid_o,
  output wire [BANKS*DSLOT_W-1:0] free_dslot_o,

  input  wire insert_i,                              // J
  input  wire [QUEUE_W-1:0] insert_queue_i,
  input  wire [AGE_W-1:0] insert_age_i,
  input  wire insert_tex_i,
  output wire reclaim_o,                             // the head moves on
  output wire [AGE_W-1:0] head_o,
  output reg  oldest_valid_o,                        // the head as read was inserted; it, and whose it is
  output reg  [AGE_W-1:0] oldest_o,
  output reg  [QUEUE_W-1:0] oldest_queue_o,
  output reg  oldest_tex_o,

  input  wire state_i,                               // a state packet or a token arrives, with the tail
  input  wire token_i,
  input  wire [AGE_W-1:0] tail_i,
  input  wire [BANK_W-1:0] token_bank_i,
  input  wire [DSLOT_W-1:0] token_dslot_i,
  output wire state_due_o,                           // everything older than the first state packet has left
  input  wire state_left_i,

  output wire apply_valid_o,                         // a token whose turn has come
  input  wire apply_ready_i,
  output wire [BANK_W-1:0] apply_bank_o,
  output wire [DSLOT_W-1:0] apply_dslot_o,
  input  wire apply_done_i,
  input  wire apply_free_i
);
  localparam POS_W = AGE_W - 1;
  localparam ITEM_W = NAME_W + BANKS + BANKS*DSLOT_W;
  localparam ROOM = 4;

  // ---- two paths become one -----------------------------------------------------------------------------
  wire [1:0] some, take;
  wire [ITEM_W-1:0] item_0, item_1;
  wire [2:0] count_0, count_1;
  wire [1:0] unused_ready;                           // leave_room_o is what the data read sees
  reg turn_q, token_report_q;
  fifo_regs #(.WIDTH(ITEM_W), .DEPTH(ROOM)) u_lg (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(leave_i[0]), .in_ready_o(unused_ready[0]),
    .in_data_i({leave_entry_i[0+:NAME_W], leave_used_i[0+:BANKS], leave_dslots_i[0+:BANKS*DSLOT_W]}),
    .out_valid_o(some[0]), .out_ready_i(take[0]), .out_data_o(item_0), .level_o(count_0));
  fifo_regs #(.WIDTH(ITEM_W), .DEPTH(ROOM)) u_tex (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(leave_i[1]), .in_ready_o(unused_ready[1]),
    .in_data_i({leave_entry_i[NAME_W+:NAME_W], leave_used_i[BANKS+:BANKS],
        leave_dslots_i[BANKS*DSLOT_W+:BANKS*DSLOT_W]}),
    .out_valid_o(some[1]), .out_ready_i(take[1]), .out_data_o(item_1), .level_o(count_1));
  assign leave_room_o = {count_1 != ROOM[2:0], count_0 != ROOM[2:0]};
  // A flush token's report passes the same way and goes first, so it waits for nothing.
  wire go = !token_report_q;
  assign take[0] = go && some[0] && (!some[1] || !turn_q);
  assign take[1] = go && some[1] && (!some[0] || turn_q);

  reg l0_v_q, l1_v_q, l2_v_q;
  reg [NAME_W-1:0] l0_entry_q;
  wire [AGE_W-1:0] l0_age = l0_entry_q[AGE_AT+:AGE_W];
  reg [BANKS-1:0] l0_used_q, l1_used_q, l2_used_q, l0_token_q, l1_token_q, l2_token_q;
  reg [BANKS*DSLOT_W-1:0] l0_dslots_q, l1_dslots_q, l2_dslots_q;
  reg [BANK_W-1:0] token_bank_q;
  reg [DSLOT_W-1:0] token_dslot_q;
  reg [BANKS-1:0] token_one;
  wire [BANKS-1:0] token_raised;                     // its data slot is named again
  integer i;
  always @* for (i = 0; i < BANKS; i = i + 1) token_one[i] = token_report_q && token_bank_q == i[BANK_W-1:0];
  always @(posedge clk_i) begin
    if (rst_i) begin
      turn_q <= 1'b0;
      token_report_q <= 1'b0;
      l0_v_q <= 1'b0;
      l1_v_q <= 1'b0;
      l2_v_q <= 1'b0;
    end else begin
      if (|take) turn_q <= take[0];
      token_report_q <= apply_done_i && apply_free_i;
      l0_v_q <= |take;
      l1_v_q <= l0_v_q;
      l2_v_q <= l1_v_q;
    end
    {l0_entry_q, l0_used_q, l0_dslots_q} <= take[1] ? item_1 : item_0;
    if (token_report_q) l0_dslots_q <= {BANKS{token_dslot_q}};
    {l1_used_q, l1_dslots_q} <= {l0_used_q, l0_dslots_q};
    {l2_used_q, l2_dslots_q} <= {l1_used_q, l1_dslots_q};
    {l0_token_q, l1_token_q, l2_token_q} <= rst_i ? {3*BANKS{1'b0}} : {token_one & ~token_raised,
        l0_token_q, l1_token_q};
  end

  // ---- counts down --------------------------------------------------------------------------------------
  assign up_addr_o = l0_dslots_q;
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      wire [DSLOT_W-1:0] d0 = l0_dslots_q[b*DSLOT_W+:DSLOT_W];
      wire [DSLOT_W-1:0] d1 = l1_dslots_q[b*DSLOT_W+:DSLOT_W];
      wire [DSLOT_W-1:0] d2 = l2_dslots_q[b*DSLOT_W+:DSLOT_W];
      wire [DSLOT_W-1:0] up_now = raise_dslots_i[b*DSLOT_W+:DSLOT_W];
      wire [REF_W-1:0] read;
      wire we = l2_v_q && l2_used_q[b];
      wire [REF_W-1:0] word_d;
      ram_1r1w #(.WIDTH(REF_W), .DEPTH(DSLOTS)) u_down (
        .clk_i(clk_i), .we_i(init_i || we), .waddr_i(init_i ? init_dslot_i : d2),
        .wdata_i(init_i ? {REF_W{1'b0}} : word_d), .raddr_i(d0), .rdata_o(read));
      reg f1_q, f2_q, w1_q, w2_q, raised1_q, raised2_q, stuck_q;
      reg [DSLOT_W-1:0] d3_q, free_q;
      reg [REF_W-1:0] word_q, word1_q, word2_q, up_q;
      wire [REF_W-1:0] count = (f1_q && w1_q) ? word1_q : (f2_q && w2_q) ? word2_q : word_q;
      assign word_d = count + 1'b1;
      reg meets2_q;
      wire raised2 = raised2_q || (raise_i[b] && meets2_q);
      assign token_raised[b] = raise_i[b] && up_now == token_dslot_q;
      wire free = !rst_i && !raised2 && (l2_token_q[b] || (we && word_d == up_q && !stuck_q));
      always @(posedge clk_i) begin
        w1_q <= we;
        w2_q <= w1_q;
        word1_q <= word_d;
        word2_q <= word1_q;
        f1_q <= d1 == d2;
        f2_q <= d1 == d3_q;
        d3_q <= d2;
        word_q <= read;
        up_q <= up_data_i[b*REF_W+:REF_W];
        stuck_q <= up_stuck_i[b];
        raised1_q <= raise_i[b] && up_now == d0;
        raised2_q <= raised1_q || (raise_i[b] && up_now == d1);
        free_valid_o[b] <= free;
        meets2_q <= raise1_dslots_i[b*DSLOT_W+:DSLOT_W] == d1;
        free_q <= d2;
      end
      assign free_dslot_o[b*DSLOT_W+:DSLOT_W] = free_valid_o[b] ? free_q : {DSLOT_W{1'b0}};
      assign down_we_o[b] = we;
      assign down_addr_o[b*DSLOT_W+:DSLOT_W] = d2;
      assign down_data_o[b*REF_W+:REF_W] = word_d;
    end
  endgenerate

  // ---- the oldest entry ---------------------------------------------------------------------------------
  reg [AGE_W-1:0] head_q, at_q, upto_q;            // upto: what was inserted lies before it
  reg read_q, met_q, seen_q;
  wire mark, stands;
  wire [POS_W-1:0] read_at = save_i ? save_age_i[POS_W-1:0] : at_q[POS_W-1:0];
  assign save_left_o = mark != save_age_i[POS_W];
  wire [QUEUE_W:0] tag;
  ram_1r1w #(.WIDTH(1), .DEPTH(AGES), .BLOCK(1)) u_marks (
    .clk_i(clk_i), .we_i(init_i || l0_v_q), .waddr_i(init_i ? init_entry_i : l0_age[POS_W-1:0]),
    .wdata_i(!init_i && !l0_age[POS_W]), .raddr_i(read_at), .rdata_o(mark));
  ram_1r1w #(.WIDTH(QUEUE_W+1), .DEPTH(AGES)) u_owners (
    .clk_i(clk_i), .we_i(insert_i), .waddr_i(insert_age_i[POS_W-1:0]),
    .wdata_i({insert_queue_i, insert_tex_i}), .raddr_i(read_at), .rdata_o(tag));
  wire moves = read_q && !met_q && mark != head_q[POS_W] && !stands && !save_i;
  wire unused_wraps = &{1'b0, insert_age_i[POS_W], l0_entry_q, count_0, count_1, unused_ready};
  assign reclaim_o = moves;
  assign head_o = head_q;
  assign left_o = l0_v_q;
  assign left_entry_o = l0_entry_q[ENTRY_W-1:0];
  assign left_early_o = l0_v_q && l0_age != head_q;
  always @(posedge clk_i) begin
    if (rst_i || init_i) begin
      head_q <= {AGE_W{1'b0}};
      at_q <= {AGE_W{1'b0}};
      upto_q <= {AGE_W{1'b0}};
      read_q <= 1'b0;
    end else begin
      if (insert_i) upto_q <= insert_age_i + 1'b1;
      if (moves) head_q <= head_q + 1'b1;
      // What is read now is used in the next cycle; after an entry that stays it is read again.
      at_q <= ((read_q && !moves) || save_i) ? head_q : at_q + 1'b1;
      read_q <= !(read_q && !moves) && !save_i;
    end
    seen_q <= at_q != upto_q;
    met_q <= l0_v_q && l0_age[POS_W-1:0] == at_q[POS_W-1:0];
    // What was read of a head that has moved on is void at once: its number would come round again.
    if (rst_i || moves) oldest_valid_o <= 1'b0;
    else if (read_q && !save_i) begin
      oldest_o <= head_q;
      oldest_valid_o <= seen_q;
      {oldest_queue_o, oldest_tex_o} <= tag;
    end
  end

  // ---- state packets: how many have become due, counted at the front ------------------------------------
  localparam ST_W = (STATE_Q > 1) ? $clog2(STATE_Q) : 1;
  localparam SC_W = $clog2(STATE_Q + 1);
  localparam LAST_STATE = STATE_Q - 1;
  reg [ST_W-1:0] state_to_q, state_at_q;
  reg [SC_W-1:0] later_q, due_q;                     // not yet due, due
  wire [AGE_W-1:0] state_tail;
  tracker_table #(.WIDTH(AGE_W), .DEPTH(STATE_Q)) u_states (
    .clk_i(clk_i), .we_i(state_i), .waddr_i(state_to_q), .wdata_i(tail_i), .raddr_i(state_at_q),
    .rdata_o(state_tail));
  wire state_falls_due = later_q != 0 && state_tail == head_q && !save_i;
  always @(posedge clk_i)
    if (rst_i) begin
      state_to_q <= {ST_W{1'b0}};
      state_at_q <= {ST_W{1'b0}};
      later_q <= {SC_W{1'b0}};
      due_q <= {SC_W{1'b0}};
    end else begin
      if (state_i) state_to_q <= (state_to_q == LAST_STATE[ST_W-1:0]) ? {ST_W{1'b0}} : state_to_q + 1'b1;
      if (state_falls_due) state_at_q <= (state_at_q == LAST_STATE[ST_W-1:0]) ? {ST_W{1'b0}} :
          state_at_q + 1'b1;
      later_q <= later_q + {{SC_W-1{1'b0}}, state_i} - {{SC_W-1{1'b0}}, state_falls_due};
      due_q <= due_q + {{SC_W-1{1'b0}}, state_falls_due} - {{SC_W-1{1'b0}}, state_left_i};
    end
  assign state_due_o = due_q != 0;
  reg [SC_W-1:0] save_due_q;
  always @(posedge clk_i)
    if (!save_i) save_due_q <= due_q + {{SC_W-1{1'b0}}, state_falls_due};
    else if (state_next_i && save_due_q != 0) save_due_q <= save_due_q - 1'b1;
  assign save_due_o = save_due_q != 0;

  // ---- flush tokens -------------------------------------------------------------------------------------
  localparam FC_W = $clog2(FLUSH_Q + 1), FLUSH_AW = (FLUSH_Q > 1) ? $clog2(FLUSH_Q) : 1;
  wire token_some, token_pop;
  wire [AGE_W-1:0] token_tail;
  wire [BANK_W-1:0] token_bank;
  wire [DSLOT_W-1:0] token_dslot;
  wire [FC_W-1:0] token_count;
  wire unused_count = &{1'b0, token_count};
  tracker_fifo #(.WIDTH(AGE_W+BANK_W+DSLOT_W), .DEPTH(FLUSH_Q)) u_tokens (
    .clk_i(clk_i), .rst_i(rst_i), .placed_i(1'b0), .place_i({FLUSH_AW{1'b0}}), .push_i(token_i),
    .data_i({tail_i, token_bank_i, token_dslot_i}), .pop_i(token_pop),
    .valid_o(token_some), .data_o({token_tail, token_bank, token_dslot}), .count_o(token_count),
    .look_i(save_i), .next_i(token_next_i), .more_o(token_more_o));
  reg apply_q, applied_q;                            // one whose turn has come; it is in the input pipeline
  wire token_due = token_some && token_tail == head_q;
  assign token_pop = token_due && !apply_q && !applied_q && !token_report_q && !closed_i;
  assign stands = (later_q != 0 && state_tail == head_q) || token_due;
  always @(posedge clk_i) begin
    if (rst_i) begin
      apply_q <= 1'b0;
      applied_q <= 1'b0;
    end else begin
      apply_q <= token_pop || (apply_q && !apply_ready_i);
      applied_q <= (apply_q && apply_ready_i) || (applied_q && !apply_done_i);
    end
    if (token_pop) {token_bank_q, token_dslot_q} <= {token_bank, token_dslot};
  end
  assign moves_o = |some || l0_v_q || l1_v_q || l2_v_q || |l0_token_q || |l1_token_q || |l2_token_q || 
                   |free_valid_o || apply_q || applied_q || token_report_q;
  assign waits_o = token_some;
  assign {save_tail_o, save_bank_o, save_dslot_o} = {token_tail, token_bank, token_dslot};
  assign apply_valid_o = apply_q;
  assign apply_bank_o = token_bank_q;
  assign apply_dslot_o = token_dslot_q;
endmodule

`default_nettype wire
