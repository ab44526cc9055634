// SPDX-License-Identifier: Apache-2.0
// list_queues: queues of entries of one pool, as linked lists; any queue may hold all of it. One insertion
// and one removal per cycle, of any queues, the same one too and without end. An entry is a number that
// whoever uses the cell gives (free_list, or in order); it is in one queue at a time. An insertion of cycle t
// is seen by removals of cycle t + 1 and later. A removal of cycle t is answered in cycle t + 3: out_valid_o
// with the oldest entry, or out_valid_o 0 when the queue was empty. nonempty_o shows in cycle t what
// insertions and removals up to t - 3 left. Each queue is two lists that entries enter and leave in turns, so
// a link has two cycles to be read. Links, heads, tails and counts are in RAM; nothing but nonempty_o is in
// flip-flops for each queue. No output depends on an input within a cycle. Reset: all empty; in_ready_o is 0
// for QUEUES cycles behind it, and removals find nothing.
// C counterpart: struct simt_list_queues (cmodel/core/cells.h).
`default_nettype none

module list_queues #(
  parameter QUEUES = 48,   // 1..128
  parameter ENTRIES = 512  // entries of the pool, 2..4096
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // Insertion of an entry at the end of a queue; it is done in a cycle with valid and ready.
  input  wire in_valid_i,
  output wire in_ready_o,
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] in_queue_i,
  input  wire [$clog2(ENTRIES)-1:0] in_entry_i,

  // Removal from a queue. The answer is there three cycles later: valid when an entry was removed.
  input  wire pop_valid_i,
  input  wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] pop_queue_i,
  output reg  out_valid_o,
  output reg  [$clog2(ENTRIES)-1:0] out_entry_o,

  output reg  [QUEUES-1:0] nonempty_o  // a bit for each queue: it had an entry three cycles ago
);
  localparam QW = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam EW = $clog2(ENTRIES);
  localparam CW = EW + 1;
  localparam [31:0] LAST_WIDE = QUEUES - 1;

  generate
    if (QUEUES < 1 || QUEUES > 128) begin : g_queues_range
      queues_out_of_range check ();
    end
    if (ENTRIES < 2 || ENTRIES > 4096) begin : g_entries_range
      entries_out_of_range check ();
    end
  endgenerate

  // ---- after reset: all counts 0
  reg ready_q;
  reg [QW-1:0] clear_q;
  always @(posedge clk_i)
    if (rst_i) begin
      ready_q <= 1'b0;
      clear_q <= {QW{1'b0}};
    end else if (!ready_q) begin
      clear_q <= clear_q + 1'b1;
      ready_q <= clear_q == LAST_WIDE[QW-1:0];
    end
  assign in_ready_o = ready_q;

  // ---- stages: 0 names the queue to the tables, 1 has what they say, 2 decides Tables are written with the
  // decision. What a table cannot show yet comes from the last decision: in stage 1 where that was made while
  // stage 0 read, in stage 2 where it was made while stage 1 was ready. Of the matches, the first word says
  // whose queue is compared (insertion, removal), the second with which decision.
  reg in1, in2, pop1, pop2, both2;
  reg [QW-1:0] in_at1, in_at2, pop_at1, pop_at2;
  reg [EW-1:0] entry1, entry2, entry_last;
  reg in_in1, in_pop1, pop_in1, pop_pop1;
  reg in_in2, in_pop2, pop_in2, pop_pop2;
  always @(posedge clk_i) begin
    in1 <= !rst_i && ready_q && in_valid_i;
    pop1 <= !rst_i && ready_q && pop_valid_i;
    in2 <= !rst_i && in1;
    pop2 <= !rst_i && pop1;
    both2 <= pop1 && in_at1 == pop_at1;  // asked of insertions only
    {in_at2, in_at1} <= {in_at1, in_queue_i};
    {pop_at2, pop_at1} <= {pop_at1, pop_queue_i};
    {entry_last, entry2, entry1} <= {entry2, entry1, in_entry_i};
    in_in1 <= in2 && in_at2 == in_queue_i;
    in_pop1 <= pop2 && pop_at2 == in_queue_i;
    pop_in1 <= in2 && in_at2 == pop_queue_i;
    pop_pop1 <= pop2 && pop_at2 == pop_queue_i;
    in_in2 <= in2 && in_at2 == in_at1;
    in_pop2 <= pop2 && pop_at2 == in_at1;
    pop_in2 <= in2 && in_at2 == pop_at1;
    pop_pop2 <= pop2 && pop_at2 == pop_at1;
  end

  // ---- counts of insertions and removals by queue, and for each of the two lists a bit that an insertion
  // into the empty list turns and the removal of that entry copies: while the two differ, the head is in
  // `first`. One writer a table.
  wire [CW-1:0] put_next, got_next;
  wire [1:0] put_turn_next, got_turn_next;
  reg  [CW-1:0] put_last, got_last;
  reg  [1:0] put_turn_last, got_turn_last;
  wire found;
  reg  found_last;
  wire [2*(CW+2)-1:0] put_read;
  wire [CW+1:0] got_read;
  wire [CW-1:0] got_in_read;
  ram_1w_nr #(.WIDTH(CW + 2), .DEPTH(QUEUES), .READS(2), .FORWARD(0)) u_put (
    .clk_i(clk_i), .we_i(in2 || !ready_q), .waddr_i(ready_q ? in_at2 : clear_q),
    .wdata_i(ready_q ? {put_turn_next, put_next} : {CW+2{1'b0}}), .raddr_i({pop_queue_i, in_queue_i}),
    .rdata_o(put_read));
  ram_1r1w #(.WIDTH(CW + 2), .DEPTH(QUEUES)) u_got (
    .clk_i(clk_i), .we_i(pop2 || !ready_q), .waddr_i(ready_q ? pop_at2 : clear_q),
    .wdata_i(ready_q ? {got_turn_next, got_next} : {CW+2{1'b0}}), .raddr_i(pop_queue_i), .rdata_o(got_read));
  ram_1r1w #(.WIDTH(CW), .DEPTH(QUEUES)) u_got_in (
    .clk_i(clk_i), .we_i(pop2 || !ready_q), .waddr_i(ready_q ? pop_at2 : clear_q),
    .wdata_i(ready_q ? got_next : {CW{1'b0}}), .raddr_i(in_queue_i), .rdata_o(got_in_read));

  // stage 1: counts, and levels of which only 0 to 3 matter
  wire [CW+1:0] put1 = in_in1 ? {put_turn_last, put_last} : put_read[0+:CW+2];
  wire [CW+1:0] put_pop1 = pop_in1 ? {put_turn_last, put_last} : put_read[CW+2+:CW+2];
  wire [CW+1:0] got1 = pop_pop1 ? {got_turn_last, got_last} : got_read;
  wire [CW-1:0] got_in1 = in_pop1 ? got_last : got_in_read;
  wire [CW-1:0] level_in1 = put1[CW-1:0] - got_in1;
  wire [CW-1:0] level_pop1 = put_pop1[CW-1:0] - got1[CW-1:0];
  reg [CW+1:0] put2, got2;
  reg [1:0] put_turn_pop2;
  reg [3:0] level_in2;   // one-hot: 0, 1, 2, 3; nothing for more
  reg [2:0] level_pop2;
  integer n;
  always @(posedge clk_i) begin
    put2 <= put1;
    got2 <= got1;
    put_turn_pop2 <= put_pop1[CW+1:CW];
    for (n = 0; n < 4; n = n + 1) begin
      level_in2[n] <= level_in1 == n[CW-1:0];
      if (n < 3) level_pop2[n] <= level_pop1 == n[CW-1:0];
    end
    put_last <= put_next;
    got_last <= got_next;
    put_turn_last <= put_turn_next;
    got_turn_last <= got_turn_next;
    found_last <= found;
  end

  // stage 2. An insertion goes behind a tail unless its list is empty: fewer than two in the queue, or the
  // last but one is leaving.
  wire less_in = in_pop2 && found_last;
  wire less_pop = pop_pop2 && found_last;
  wire [2:0] now_in = (in_in2 == less_in) ? level_in2[2:0] : in_in2 ? {level_in2[1:0], 1'b0} : level_in2[3:1];
  wire [1:0] now_pop = (pop_in2 == less_pop) ? level_pop2[1:0]
                     : pop_in2 ? {level_pop2[0], 1'b0} : level_pop2[2:1];
  wire begins = now_in[0] || now_in[1] || (both2 && now_in[2]);
  assign found = pop2 && !now_pop[0];
  wire in_list = put2[0] ^ in_in2;
  wire pop_list = got2[0] ^ less_pop;
  wire [1:0] put_turn = in_in2 ? put_turn_last : put2[CW+1:CW];
  wire [1:0] put_turn_pop = pop_in2 ? put_turn_last : put_turn_pop2;
  wire [1:0] got_turn = pop_pop2 ? got_turn_last : got2[CW+1:CW];
  assign put_next = put2[CW-1:0] + {{CW-2{1'b0}}, in_in2, !in_in2};
  assign got_next = got2[CW-1:0] + {{CW-2{1'b0}}, less_pop && found, less_pop ^ found};
  assign put_turn_next = put_turn ^ {begins && in_list, begins && !in_list};
  assign got_turn_next = {(found && pop_list) ? put_turn_pop[1] : got_turn[1],
                          (found && !pop_list) ? put_turn_pop[0] : got_turn[0]};

  // ---- pointers of the lists, by queue and list
  wire [EW-1:0] link;
  reg  [EW-1:0] link4;
  reg pop3, list3, list4, in_list_last;  // 3: the link behind the entry removed is read, 4: it is the head
  reg [QW-1:0] pop_at3;
  reg [1:0] began_last;                  // the last insertion began this list
  reg head1, head2;                      // the queue is that of the removal in stage 4
  wire [2*EW-1:0] tail, first, head;     // slice 1: of list 1
  always @(posedge clk_i) begin
    pop3 <= !rst_i && pop2;
    pop_at3 <= pop_at2;
    {list4, list3} <= {list3, pop_list};
    link4 <= link;
    head1 <= pop3 && pop_at3 == pop_queue_i;
    head2 <= pop3 && pop_at3 == pop_at1;
    began_last <= {begins && in_list, begins && !in_list};
    in_list_last <= in_list;
  end

  genvar l;
  generate
    for (l = 0; l < 2; l = l + 1) begin : g_list
      wire [EW-1:0] tail_read, first_read, head_read;
      reg  [EW-1:0] tail2, first2, head_2;
      ram_1r1w #(.WIDTH(EW), .DEPTH(QUEUES)) u_tail (
        .clk_i(clk_i), .we_i(in2 && in_list == (l != 0)), .waddr_i(in_at2), .wdata_i(entry2),
        .raddr_i(in_queue_i), .rdata_o(tail_read));
      ram_1r1w #(.WIDTH(EW), .DEPTH(QUEUES)) u_first (
        .clk_i(clk_i), .we_i(in2 && begins && in_list == (l != 0)), .waddr_i(in_at2), .wdata_i(entry2),
        .raddr_i(pop_queue_i), .rdata_o(first_read));
      ram_1r1w #(.WIDTH(EW), .DEPTH(QUEUES)) u_head (
        .clk_i(clk_i), .we_i(pop3 && list3 == (l != 0)), .waddr_i(pop_at3), .wdata_i(link),
        .raddr_i(pop_queue_i), .rdata_o(head_read));
      always @(posedge clk_i) begin
        tail2 <= (in_in1 && in_list_last == (l != 0)) ? entry_last : tail_read;
        first2 <= (pop_in1 && began_last[l]) ? entry_last : first_read;
        head_2 <= (head1 && list4 == (l != 0)) ? link4 : head_read;
      end
      assign tail[l*EW+:EW] = tail2;
      assign first[l*EW+:EW] = (pop_in2 && began_last[l]) ? entry_last : first2;
      assign head[l*EW+:EW] = (head2 && list4 == (l != 0)) ? link4 : head_2;
    end
  endgenerate
  wire [1:0] from_first = put_turn_pop ^ got_turn;
  wire [EW-1:0] oldest0 = from_first[0] ? first[0+:EW] : head[0+:EW];
  wire [EW-1:0] oldest1 = from_first[1] ? first[EW+:EW] : head[EW+:EW];
  wire [EW-1:0] oldest = pop_list ? oldest1 : oldest0;

  // A link is never read in the cycle that writes it: what is inserted behind an entry that is leaving begins
  // a list.
  ram_1r1w #(.WIDTH(EW), .DEPTH(ENTRIES)) u_link (
    .clk_i(clk_i), .we_i(in2 && !begins), .waddr_i(in_list ? tail[EW+:EW] : tail[0+:EW]), .wdata_i(entry2),
    .raddr_i(oldest), .rdata_o(link));

  always @(posedge clk_i) begin
    out_valid_o <= !rst_i && found;
    out_entry_o <= oldest;
  end

  // ---- which queues hold something
  wire leaves_none = found && now_pop[1];  // an insertion of the same cycle goes first below
  integer i;
  always @(posedge clk_i)
    for (i = 0; i < QUEUES; i = i + 1)
      if (rst_i) nonempty_o[i] <= 1'b0;
      else if (in2 && in_at2 == i[QW-1:0]) nonempty_o[i] <= 1'b1;
      else if (leaves_none && pop_at2 == i[QW-1:0]) nonempty_o[i] <= 1'b0;
endmodule

`default_nettype wire
