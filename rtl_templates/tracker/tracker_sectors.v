// SPDX-License-Identifier: Apache-2.0
// tracker_sectors: which sectors of which data slots are valid (TR-0, TR-7). A fill at the port in cycle f
// reads its word at the end of f, writes it at the end of f+1 (F1), and is compared with the heads in f+2
// (F2). Allocations wait until no fill needs their banks; whoever checks meanwhile sees them,
// and a fill of one does its work. A check puts its data slots on dslots2_i in C2 and has in C3 what it still
// misses; fills of F1 and F2 count as done. Reset: nothing waits; init_i clears all words.
`default_nettype none

module tracker_sectors #(
  parameter BANKS = 4,
  parameter BANK_W = 2,
  parameter DSLOTS = 256,
  parameter DSLOT_W = 8,
  parameter SECTORS = 4,
  parameter SECTOR_W = 2
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire init_i,
  input  wire [DSLOT_W-1:0] init_dslot_i,
  input  wire [BANKS*SECTORS-1:0] init_sectors_i,
  input  wire save_i,                            // while all stands: init_dslot_i is read, one cycle later
  output wire [BANKS*SECTORS-1:0] save_sectors_o,

  input  wire fill_valid_i,
  input  wire [BANK_W-1:0] fill_bank_i,
  input  wire [DSLOT_W-1:0] fill_dslot_i,
  input  wire [SECTOR_W-1:0] fill_sector_i,
  output wire fill_bad_o,                        // in F1: a fill out of range

  input  wire alloc_push_i,                      // never more than eight wait
  input  wire [BANKS-1:0] alloc_bank_i,          // one-hot
  input  wire [DSLOT_W-1:0] alloc_dslot_i,
  output wire [3:0] alloc_done_o,                // how many were done in the cycle before

  input  wire [BANKS*DSLOT_W-1:0] dslots2_i,
  input  wire [BANKS*DSLOT_W-1:0] dslots3_i,     // the same check in the next cycle
  input  wire [BANKS*SECTORS-1:0] need3_i,
  output wire [BANKS*SECTORS-1:0] missing3_o,

  output wire moves_o,                           // a fill or an allocation is under way
  output wire [BANKS*SECTORS-1:0] heads_sector_o, // in F2, one-hot
  output wire [DSLOT_W-1:0] heads_dslot_o
);
  // ---- fills -------------------------------------------------------------------------------------------
  reg f1_v_q;
  reg [BANK_W-1:0] f1_b_q;
  reg [DSLOT_W-1:0] f1_d_q, f2_d_q;
  reg [SECTOR_W-1:0] f1_s_q;
  reg [BANKS*SECTORS-1:0] f2_bits_q;
  wire f1_good;
  generate
    if ((1 << BANK_W) == BANKS && (1 << DSLOT_W) == DSLOTS && (1 << SECTOR_W) == SECTORS) begin : g_all_good
      assign f1_good = 1'b1;
    end else begin : g_range
      assign f1_good = {1'b0, f1_b_q} < BANKS[BANK_W:0] && {1'b0, f1_d_q} < DSLOTS[DSLOT_W:0] &&
                       {1'b0, f1_s_q} < SECTORS[SECTOR_W:0];
    end
  endgenerate
  wire f1_v = f1_v_q && f1_good;
  assign fill_bad_o = f1_v_q && !f1_good;
  reg [BANKS*SECTORS-1:0] f1_bits;
  reg [BANKS-1:0] f1_bank;
  integer i, j;
  always @* begin
    for (i = 0; i < BANKS; i = i + 1) begin
      f1_bank[i] = f1_v && f1_b_q == i[BANK_W-1:0];
      for (j = 0; j < SECTORS; j = j + 1) f1_bits[i*SECTORS+j] = f1_bank[i] && f1_s_q == j[SECTOR_W-1:0];
    end
  end
  always @(posedge clk_i) begin
    f1_v_q <= fill_valid_i && !rst_i;
    f1_b_q <= fill_bank_i;
    f1_d_q <= fill_dslot_i;
    f1_s_q <= fill_sector_i;
    f2_bits_q <= rst_i ? {BANKS*SECTORS{1'b0}} : f1_bits;
    f2_d_q <= f1_d_q;
  end
  assign heads_sector_o = f2_bits_q;
  assign heads_dslot_o = f2_d_q;

  // ---- allocations -------------------------------------------------------------------------------------
  // Those that wait, in any order; one a cycle is written. Of those of one data slot a fill does all.
  localparam ALLOCS = 8;                         // as the input counts them
  reg [ALLOCS-1:0] a_live_q, a_ends_q;           // waits; was done in the cycle before
  reg [ALLOCS*BANKS-1:0] a_bank_q;
  reg [ALLOCS*DSLOT_W-1:0] a_d_q;
  wire [ALLOCS-1:0] merges, may_write;
  genvar n;
  generate
    for (n = 0; n < ALLOCS; n = n + 1) begin : g_merge
      wire meets = |(f1_bank & a_bank_q[n*BANKS+:BANKS]);
      assign merges[n] = a_live_q[n] && meets && f1_d_q == a_d_q[n*DSLOT_W+:DSLOT_W];
      assign may_write[n] = a_live_q[n] && !meets;
    end
  endgenerate
  wire [ALLOCS-1:0] writes = may_write & (~may_write + 1'b1);
  wire [ALLOCS-1:0] pushes = {ALLOCS{alloc_push_i}} & ~a_live_q & (a_live_q + 1'b1);
  reg [BANKS-1:0] write_bank;
  reg [DSLOT_W-1:0] write_d;
  reg [3:0] done;
  integer t;
  always @* begin
    write_bank = {BANKS{1'b0}};
    write_d = {DSLOT_W{1'b0}};
    done = 4'd0;
    for (t = 0; t < ALLOCS; t = t + 1) begin
      if (writes[t]) begin
        write_bank = write_bank | a_bank_q[t*BANKS+:BANKS];
        write_d = write_d | a_d_q[t*DSLOT_W+:DSLOT_W];
      end
      done = done + {3'd0, a_ends_q[t]};
    end
  end
  assign alloc_done_o = done;
  assign moves_o = f1_v_q || |f2_bits_q || |a_live_q;
  reg w_v_q;                                     // written in the cycle before
  reg [BANKS-1:0] w_bank_q;
  reg [DSLOT_W-1:0] w_d_q;
  integer s;
  always @(posedge clk_i) begin
    w_v_q <= |writes && !rst_i;
    w_bank_q <= write_bank;
    w_d_q <= write_d;
    a_live_q <= rst_i ? {ALLOCS{1'b0}} : (a_live_q & ~merges & ~writes) | pushes;
    a_ends_q <= rst_i ? {ALLOCS{1'b0}} : merges | writes;
    for (s = 0; s < ALLOCS; s = s + 1)
      if (pushes[s]) begin
        a_bank_q[s*BANKS+:BANKS] <= alloc_bank_i;
        a_d_q[s*DSLOT_W+:DSLOT_W] <= alloc_dslot_i;
      end
  end
  // ---- state, two copies a bank: one that fills read, one that checks read ------------------------------
  wire cleared = |merges || (w_v_q && |(f1_bank & w_bank_q) && f1_d_q == w_d_q);
  wire follows = |f2_bits_q && f2_d_q == f1_d_q;
  reg [SECTORS-1:0] f2_word_q;
  reg [BANKS-1:0] f2_bank_q;
  wire [BANKS*SECTORS-1:0] words;
  reg [SECTORS-1:0] old, bit_now;
  integer k;
  always @* begin
    old = {SECTORS{1'b0}};
    bit_now = {SECTORS{1'b0}};
    for (k = 0; k < BANKS; k = k + 1) begin
      if (f1_bank[k]) old = old | words[k*SECTORS+:SECTORS];
      bit_now = bit_now | f1_bits[k*SECTORS+:SECTORS];
    end
    if (follows && |(f1_bank & f2_bank_q)) old = f2_word_q;
    if (cleared) old = {SECTORS{1'b0}};
  end
  assign save_sectors_o = words;
  wire [SECTORS-1:0] f1_word = old | bit_now;
  always @(posedge clk_i) begin
    f2_word_q <= f1_word;
    f2_bank_q <= f1_bank;
  end

  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      wire we = init_i || f1_bank[b] || write_bank[b];
      wire [DSLOT_W-1:0] waddr = init_i ? init_dslot_i : f1_bank[b] ? f1_d_q : write_d;
      wire [SECTORS-1:0] wdata = init_i ? init_sectors_i[b*SECTORS+:SECTORS] : f1_bank[b] ? f1_word
                               : {SECTORS{1'b0}};
      wire [SECTORS-1:0] read;
      ram_1r1w #(.WIDTH(SECTORS), .DEPTH(DSLOTS)) u_fill_copy (
        .clk_i(clk_i), .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(save_i ? init_dslot_i
        : fill_dslot_i),
        .rdata_o(words[b*SECTORS+:SECTORS]));
      ram_1r1w #(.WIDTH(SECTORS), .DEPTH(DSLOTS)) u_check_copy (
        .clk_i(clk_i), .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(dslots2_i[b*DSLOT_W+:DSLOT_W]),
        .rdata_o(read));
      wire [DSLOT_W-1:0] d2 = dslots2_i[b*DSLOT_W+:DSLOT_W];
      wire [DSLOT_W-1:0] d3 = dslots3_i[b*DSLOT_W+:DSLOT_W];
      // What waits in C2, or comes then, is not in the word that C3 finds.
      reg empty_d, empty;
      integer m;
      always @* begin
        empty_d = alloc_push_i && alloc_bank_i[b] && alloc_dslot_i == d2;
        for (m = 0; m < ALLOCS; m = m + 1)
          if (a_live_q[m] && a_bank_q[m*BANKS+b] && a_d_q[m*DSLOT_W+:DSLOT_W] == d2) empty_d = 1'b1;
      end
      always @(posedge clk_i) empty <= empty_d;
      wire [SECTORS-1:0] f1_here = f1_bits[b*SECTORS+:SECTORS] & {SECTORS{f1_d_q == d3}};
      // A fill that wrote in C2 has the whole word; what was read then is not used.
      wire f2_here = f2_bank_q[b] && f2_d_q == d3;
      wire [SECTORS-1:0] there = (f2_here ? f2_word_q : empty ? {SECTORS{1'b0}} : read) | f1_here;
      assign missing3_o[b*SECTORS+:SECTORS] = need3_i[b*SECTORS+:SECTORS] & ~there;
    end
  endgenerate
endmodule

`default_nettype wire
