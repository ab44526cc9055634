// SPDX-License-Identifier: Apache-2.0
// tracker_check: which queue is checked next, and the checks (TR-6, TR-7). A queue with a waiting entry and a
// free slot stands once in a FIFO of queue numbers. C1 finds its entry, C2 reads the wavefront, C3 the
// sectors, C4 decides: straight on to the checked queue, or into the slot. While nothing else waits, the
// queue goes on with the neighbour of its entry in the next cycle; that the neighbour is of the queue is
// confirmed by the queue number stored with it. An entry that stays in the slot, or is of another queue,
// drops the run behind it. The check pointer is written in C4 alone, so nothing is restored. Reset: all
// queues empty.
`default_nettype none

module tracker_check #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter ENTRIES = 512,
  parameter NAME_W = 10,                     // a wavefront's name: its place in the pool is lowest
  parameter RUNS = 1,                        // the neighbour of an entry is tried as its successor
  parameter BANKS = 4,
  parameter DSLOT_W = 8,
  parameter SECTORS = 4,
  parameter POPS = 1,
  parameter ENTRY_W = 9
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire closed_i,                      // no check begins
  output wire moves_o,                       // one is under way
  input  wire save_i,                        // while all stands: an entry is read for a context
  input  wire [ENTRY_W-1:0] save_entry_i,
  output wire [BANKS*SECTORS-1:0] save_sectors_o,
  output wire [QUEUE_W-1:0] save_queue_o,
  output wire save_group_end_o,

  input  wire wave_i,                        // a wavefront enters the pool (I2)
  input  wire [NAME_W-1:0] wave_entry_i,
  input  wire [BANKS*DSLOT_W-1:0] wave_dslots_i,
  input  wire [BANKS*SECTORS-1:0] wave_sectors_i,

  input  wire insert_i,                      // and its queue (J)
  input  wire insert_alone_i,                // of a context: it stands in a commit FIFO, in no queue
  input  wire [QUEUE_W-1:0] insert_next_i,   // what insert_queue_i has a cycle later
  input  wire [QUEUE_W-1:0] insert_queue_i,
  input  wire [NAME_W-1:0] insert_entry_i,
  input  wire [NAME_W-1:0] insert_before_i,   // the entry inserted into this queue before
  input  wire insert_tex_i,
  input  wire insert_end_i,
  input  wire insert_group_end_i,
  input  wire insert_link_i,                 // that one is still in the queue

  output wire [BANKS*DSLOT_W-1:0] dslots2_o,
  output wire [BANKS*DSLOT_W-1:0] dslots3_o,
  output wire [BANKS*SECTORS-1:0] need3_o,
  input  wire [BANKS*SECTORS-1:0] missing3_i,

  input  wire [QUEUES-1:0] busy_i,           // slots
  output wire check_o,                       // C4
  output wire load_o,
  output wire [QUEUE_W-1:0] check_queue_o,
  output wire [BANKS*DSLOT_W-1:0] check_dslots_o,
  output wire [BANKS*SECTORS-1:0] check_missing_o,

  input  wire [POPS-1:0] pick_i,             // the pop selectors' picks
  input  wire [POPS*QUEUE_W-1:0] pick_queue_i,
  output wire [QUEUES-1:0] slot_end_o,       // what is in the slot ends an instruction; is of texture
  output wire [QUEUES-1:0] slot_tex_o,
  output wire [POPS-1:0] pop_o,              // entries that enter their checked queues
  output wire [POPS*QUEUE_W-1:0] pop_queue_o,
  output wire [POPS*NAME_W-1:0] pop_entry_o,
  output wire [POPS-1:0] pop_tex_o,
  output wire [POPS-1:0] pop_end_o,
  output wire [POPS-1:0] pop_group_end_o,
  output wire [QUEUES-1:0] dry_o,            // queues without a waiting entry
  output wire [2:0] wasted_o
);
  localparam MARK_W = 3;

  // ---- state of a queue ---------------------------------------------------------------------------------
  reg [QUEUES-1:0] dry_q;                    // no entry waits
  // the check pointer is the one that C4 wrote, not the one of insertion
  reg [QUEUES-1:0] from_check_q;
  reg [QUEUES-1:0] due_q;                    // stands in a FIFO or is being checked
  assign dry_o = dry_q;

  // ---- FIFOs of queue numbers: inserted, popped (one for each pop selector), run ended --------------------
  localparam RINGS = POPS + 2;
  localparam PLACES = (QUEUES + POPS - 1) / POPS;
  localparam LAST_POP = POPS - 1;
  localparam [QUEUE_W-1:0] POP_MASK = LAST_POP[QUEUE_W-1:0];
  wire push_a, push_c;
  wire [POPS-1:0] push_b;
  wire [QUEUE_W-1:0] queue_c;
  wire [RINGS-1:0] valid, take;
  wire [RINGS*QUEUE_W-1:0] queues;           // at their fronts
  localparam COUNT_W = $clog2(QUEUES + 1), PLACE_W = $clog2(PLACES + 1);
  localparam PLACES_AW = (PLACES > 1) ? $clog2(PLACES) : 1;
  wire [COUNT_W-1:0] count_a, count_c;
  wire [POPS*PLACE_W-1:0] count_b;
  wire unused_counts = &{1'b0, count_a, count_b, count_c};
  wire [RINGS-1:0] unused_more;
  tracker_fifo #(.WIDTH(QUEUE_W), .DEPTH(QUEUES)) u_inserted (
    .clk_i(clk_i), .rst_i(rst_i), .placed_i(1'b0), .place_i({QUEUE_W{1'b0}}),
    .push_i(push_a), .data_i(insert_queue_i), .pop_i(take[0]),
    .valid_o(valid[0]), .data_o(queues[0+:QUEUE_W]), .count_o(count_a), .look_i(1'b0), .next_i(1'b0),
    .more_o(unused_more[0]));
  tracker_fifo #(.WIDTH(QUEUE_W), .DEPTH(QUEUES)) u_ended (
    .clk_i(clk_i), .rst_i(rst_i), .placed_i(1'b0), .place_i({QUEUE_W{1'b0}}),
    .push_i(push_c), .data_i(queue_c), .pop_i(take[RINGS-1]),
    .valid_o(valid[RINGS-1]), .data_o(queues[(RINGS-1)*QUEUE_W+:QUEUE_W]), .count_o(count_c),
    .look_i(1'b0), .next_i(1'b0), .more_o(unused_more[1]));
  genvar s;
  generate
    for (s = 0; s < POPS; s = s + 1) begin : g_popped
      tracker_fifo #(.WIDTH(QUEUE_W), .DEPTH(PLACES)) u_popped (
        .clk_i(clk_i), .rst_i(rst_i), .placed_i(1'b0), .place_i({PLACES_AW{1'b0}}),
        .push_i(push_b[s]), .data_i(pop_queue_o[s*QUEUE_W+:QUEUE_W]),
        .pop_i(take[1+s]), .valid_o(valid[1+s]), .data_o(queues[(1+s)*QUEUE_W+:QUEUE_W]),
        .count_o(count_b[s*PLACE_W+:PLACE_W]),
        .look_i(1'b0), .next_i(1'b0), .more_o(unused_more[2+s]));
    end
  endgenerate
  // They take turns: the first one from the turn's on goes, whose bit and those above are set.
  reg [RINGS-1:0] turn_q;
  wire any = |valid && !closed_i;
  wire [RINGS-1:0] from_turn = valid & turn_q;
  assign take = closed_i ? {RINGS{1'b0}} : (|from_turn) ? from_turn & (~from_turn + 1'b1)
              : valid & (~valid + 1'b1);
  always @(posedge clk_i)
    if (rst_i || !(|turn_q[RINGS-2:0])) turn_q <= {RINGS{1'b1}};
    else turn_q <= turn_q << 1;
  reg [QUEUE_W-1:0] taken;
  integer t;
  always @* begin
    taken = {QUEUE_W{1'b0}};
    for (t = 0; t < RINGS; t = t + 1)
      if (take[t]) taken = taken | queues[t*QUEUE_W+:QUEUE_W];
  end

  // ---- the pipeline -------------------------------------------------------------------------------------
  reg c1_v_q, c2_v_q, c3_v_q, c4_v_q, c1_run_q, c2_run_q, c3_run_q, c3_bad_q, c4_bad_q;
  wire c3_bad_d;
  reg [QUEUE_W-1:0] c1_queue_q, c2_queue_q, c3_queue_q, c4_queue_q;
  reg [NAME_W-1:0] c1_run_entry_q, c2_entry_q, c3_entry_q, c4_entry_q, newest_q;
  wire [NAME_W-1:0] first_i, first_c;
  wire [NAME_W-1:0] c1_entry = c1_run_q ? c1_run_entry_q : from_check_q[c1_queue_q] ? first_c : first_i;
  wire stop;                                 // C4 drops the run behind it
  wire drop3 = stop && c3_v_q && c3_run_q;
  wire drop2 = drop3 && c2_v_q && c2_run_q;
  reg c1_beyond_q;                           // a run that would be behind the newest entry of all is none
  wire c1_v = c1_v_q && !(c1_run_q && c1_beyond_q);
  wire drop1 = drop2 && c1_v && c1_run_q;
  wire goes_on = RUNS != 0 && c1_v && !drop1 && !any && !closed_i;
  assign wasted_o = {2'b00, drop3} + {2'b00, drop2} + {2'b00, drop1};

  assign moves_o = c1_v || c2_v_q || c3_v_q || c4_v_q;

  wire [ENTRY_W-1:0] read_entry = save_i ? save_entry_i : c1_entry[ENTRY_W-1:0];
  wire [BANKS*DSLOT_W-1:0] c2_dslots;
  wire [BANKS*SECTORS-1:0] c2_need;
  wire [QUEUE_W+MARK_W:0] c2_tag;            // on top: it is in no queue
  reg [BANKS*DSLOT_W-1:0] c3_dslots_q, c4_dslots_q;
  reg [BANKS*SECTORS-1:0] c3_need_q, c4_missing_q;
  reg [MARK_W-1:0] c3_marks_q, c4_marks_q;
  reg [BANKS-1:0] c4_clear_q;                // nothing of a bank is missing
  ram_1r1w #(.WIDTH(BANKS*(DSLOT_W+SECTORS)), .DEPTH(ENTRIES)) u_waves (
    .clk_i(clk_i), .we_i(wave_i), .waddr_i(wave_entry_i[ENTRY_W-1:0]), .wdata_i({wave_dslots_i,
        wave_sectors_i}),
    .raddr_i(read_entry), .rdata_o({c2_dslots, c2_need}));
  ram_1r1w #(.WIDTH(1+QUEUE_W+MARK_W), .DEPTH(ENTRIES)) u_tags (
    .clk_i(clk_i), .we_i(insert_i || insert_alone_i), .waddr_i(insert_entry_i[ENTRY_W-1:0]),
    .wdata_i({insert_alone_i, insert_queue_i, insert_tex_i, insert_end_i, insert_group_end_i}),
    .raddr_i(read_entry), .rdata_o(c2_tag));
  assign save_sectors_o = c2_need;
  assign {save_queue_o, save_group_end_o} = {c2_tag[MARK_W+:QUEUE_W], c2_tag[0]};
  assign c3_bad_d = c2_run_q && c2_tag[MARK_W+:QUEUE_W+1] != {1'b0, c2_queue_q};
  assign dslots2_o = c2_dslots;
  assign dslots3_o = c3_dslots_q;
  assign need3_o = c3_need_q;

  integer k;
  always @(posedge clk_i) begin
    c1_v_q <= !rst_i && (goes_on || any);
    c1_run_q <= goes_on;
    if (any) c1_queue_q <= taken;
    c1_run_entry_q <= c1_entry + 1'b1;
    c1_beyond_q <= c1_entry == newest_q;
    c2_v_q <= c1_v && !drop1 && !rst_i;
    c3_v_q <= c2_v_q && !drop2 && !rst_i;
    c4_v_q <= c3_v_q && !drop3 && !rst_i;
    {c2_run_q, c3_run_q} <= {c1_run_q, c2_run_q};
    {c2_queue_q, c3_queue_q, c4_queue_q} <= {c1_queue_q, c2_queue_q, c3_queue_q};
    {c2_entry_q, c3_entry_q, c4_entry_q} <= {c1_entry, c2_entry_q, c3_entry_q};
    {c3_dslots_q, c4_dslots_q} <= {c2_dslots, c3_dslots_q};
    c3_need_q <= c2_need;
    c3_marks_q <= c2_tag[MARK_W-1:0];
    c4_marks_q <= c3_marks_q;
    c3_bad_q <= c3_bad_d;
    c4_bad_q <= c3_bad_q;
    c4_missing_q <= missing3_i;
    for (k = 0; k < BANKS; k = k + 1) c4_clear_q[k] <= ~|missing3_i[k*SECTORS+:SECTORS];
    if (insert_i) newest_q <= insert_entry_i;
  end

  // ---- C4 -----------------------------------------------------------------------------------------------
  wire here = c4_v_q && !c4_bad_q;
  reg [POPS-1:0] c4_pop;                     // the pop selector of its queue
  integer u;
  always @* for (u = 0; u < POPS; u = u + 1) c4_pop[u] = (c4_queue_q & POP_MASK) == u[QUEUE_W-1:0];
  wire straight = here && &c4_clear_q && ~|(c4_pop & pick_i);
  wire load = here && !straight;
  assign stop = c4_v_q && !straight;
  wire last = !(c3_v_q && c3_run_q);         // of its run
  assign check_o = c4_v_q;
  assign load_o = load;
  assign check_queue_o = c4_queue_q;
  assign check_dslots_o = c4_dslots_q;
  assign check_missing_o = c4_missing_q;

  // The successor: linked before, or being linked now. A link written while C3 read is forwarded.
  wire [NAME_W-1:0] newest_3, link;
  reg is_newest_q;                           // found in C3: nothing was inserted behind it up to then
  reg linked_q;
  reg [NAME_W-1:0] linked_before_q, linked_entry_q;
  always @(posedge clk_i) begin
    linked_q <= insert_i && insert_link_i && !rst_i;
    linked_before_q <= insert_before_i;
    linked_entry_q <= insert_entry_i;
  end
  tracker_table #(.WIDTH(NAME_W), .DEPTH(QUEUES)) u_newest (
    .clk_i(clk_i), .we_i(insert_i), .waddr_i(insert_queue_i), .wdata_i(insert_entry_i), .raddr_i(c3_queue_q),
    .rdata_o(newest_3));
  ram_1r1w #(.WIDTH(NAME_W), .DEPTH(ENTRIES)) u_links (
    .clk_i(clk_i), .we_i(insert_i && insert_link_i), .waddr_i(insert_before_i[ENTRY_W-1:0]),
    .wdata_i(insert_entry_i), .raddr_i(c3_entry_q[ENTRY_W-1:0]), .rdata_o(link));
  wire unused_ages = &{1'b0, wave_entry_i, newest_3, linked_before_q};
  reg c4_meets_q;                            // what J has now is of the queue in C4
  always @(posedge clk_i) c4_meets_q <= insert_next_i == c3_queue_q;
  wire inserts_here = insert_i && c4_meets_q;
  always @(posedge clk_i)
    is_newest_q <= newest_3[ENTRY_W-1:0] == c3_entry_q[ENTRY_W-1:0] &&
                   !(insert_i && insert_queue_i == c3_queue_q);
  wire ends = is_newest_q && !inserts_here;  // no entry waits behind it
  wire [NAME_W-1:0] successor = is_newest_q ? insert_entry_i
                               : (linked_q &&
                                   linked_before_q[ENTRY_W-1:0] == c4_entry_q[ENTRY_W-1:0]) ? linked_entry_q
                               : link;
  tracker_table #(.WIDTH(NAME_W), .DEPTH(QUEUES)) u_first_c (
    .clk_i(clk_i), .we_i(here), .waddr_i(c4_queue_q), .wdata_i(successor), .raddr_i(c1_queue_q),
        .rdata_o(first_c));
  wire insert_first = insert_i && dry_q[insert_queue_i];
  tracker_table #(.WIDTH(NAME_W), .DEPTH(QUEUES)) u_first_i (
    .clk_i(clk_i), .we_i(insert_first), .waddr_i(insert_queue_i),
    .wdata_i(insert_entry_i), .raddr_i(c1_queue_q), .rdata_o(first_i));

  // ---- pop ----------------------------------------------------------------------------------------------
  reg [QUEUES-1:0] slot_end_q, slot_tex_q;
  assign slot_end_o = slot_end_q;
  assign slot_tex_o = slot_tex_q;
  wire [POPS-1:0] goes_again;                // the queue picked has more to check
  generate
    for (s = 0; s < POPS; s = s + 1) begin : g_pop
      wire [NAME_W+MARK_W-1:0] in_slot;
      wire [QUEUE_W-1:0] pick_queue = pick_queue_i[s*QUEUE_W+:QUEUE_W];
      tracker_table #(.WIDTH(NAME_W+MARK_W), .DEPTH(QUEUES)) u_slots (
        .clk_i(clk_i), .we_i(load), .waddr_i(c4_queue_q), .wdata_i({c4_entry_q, c4_marks_q}),
        .raddr_i(pick_queue), .rdata_o(in_slot));
      assign pop_o[s] = pick_i[s] || (straight && c4_pop[s]);
      assign pop_queue_o[s*QUEUE_W+:QUEUE_W] = pick_i[s] ? pick_queue : c4_queue_q;
      assign {pop_entry_o[s*NAME_W+:NAME_W], pop_tex_o[s], pop_end_o[s], pop_group_end_o[s]} =
        pick_i[s] ? in_slot : {c4_entry_q, c4_marks_q};
      assign goes_again[s] = pick_i[s] &&
        (!dry_q[pick_queue] || (insert_i && insert_queue_i == pick_queue));
      assign push_b[s] = pick_i[s] ? goes_again[s] : straight && c4_pop[s] && last && !ends;
    end
  endgenerate
  wire ended = c4_v_q && c4_bad_q;
  wire ended_waits = !dry_q[c4_queue_q] || inserts_here;
  assign push_c = ended && ended_waits;
  assign queue_c = c4_queue_q;
  assign push_a = insert_first && !due_q[insert_queue_i] && !busy_i[insert_queue_i];

  wire releases = load || (straight && last && ends) || (ended && !ended_waits);
  integer q;
  always @(posedge clk_i)
    for (q = 0; q < QUEUES; q = q + 1) begin
      if (load && c4_queue_q == q[QUEUE_W-1:0]) begin
        slot_end_q[q] <= c4_marks_q[1];
        slot_tex_q[q] <= c4_marks_q[2];
      end
      if (rst_i) begin
        dry_q[q] <= 1'b1;
        due_q[q] <= 1'b0;
        from_check_q[q] <= 1'b0;
      end else begin
        if (here && c4_queue_q == q[QUEUE_W-1:0]) begin
          dry_q[q] <= ends;
          from_check_q[q] <= 1'b1;
        end else if (insert_first && insert_queue_i == q[QUEUE_W-1:0]) begin
          dry_q[q] <= 1'b0;
          from_check_q[q] <= 1'b0;
        end
        if (releases && c4_queue_q == q[QUEUE_W-1:0]) due_q[q] <= 1'b0;
        else if ((push_a && insert_queue_i == q[QUEUE_W-1:0]) || (goes_again[q%POPS] &&
            pick_queue_i[(q%POPS)*QUEUE_W+:QUEUE_W] == q[QUEUE_W-1:0]))
          due_q[q] <= 1'b1;
      end
    end
endmodule

`default_nettype wire
