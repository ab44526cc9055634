// SPDX-License-Identifier: Apache-2.0
// tracker_sectors: which sectors of which data slots are valid (TR-0, TR-7). A fill at the port in cycle f
// reads its word at the end of f, writes it at the end of f+1 (F1), and is compared with the heads in f+2
// (F2). A word is written by fills alone and carries a phase; an allocation writes a phase of its own that
// differs, and the word is void until a fill takes that phase over. So allocations wait for nothing. A check
// puts its data slots on dslots2_i in C2 and has in C3 what it still misses; fills of F1 and F2 count as
// done. What is checked has references, so it is not allocated meanwhile. Reset: nothing is under way; init_i
// clears all words, walk_i all phases.
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

  input  wire walk_i,
  input  wire [$clog2(BANKS << DSLOT_W)-1:0] walk_at_i,
  input  wire init_i,
  input  wire [DSLOT_W-1:0] init_dslot_i,
  input  wire [BANKS*SECTORS-1:0] init_sectors_i,
  input  wire save_i,                            // while all stands: init_dslot_i is read, one cycle later
  output wire [BANKS*SECTORS-1:0] save_sectors_o,

  input  wire fill_valid_i,
  input  wire [BANK_W-1:0] fill_bank_i,
  input  wire [DSLOT_W-1:0] fill_dslot_i,
  input  wire [SECTOR_W-1:0] fill_sector_i,
  input  wire fill_early_i,                      // it has no effect
  output wire fill_bad_o,                        // in F1: a fill out of range or early

  input  wire [BANKS-1:0] alloc1_bank_i,         // A1, one-hot
  input  wire [DSLOT_W-1:0] alloc1_dslot_i,
  input  wire alloc_push_i,                      // A2
  input  wire [BANKS-1:0] alloc_bank_i,
  input  wire [DSLOT_W-1:0] alloc_dslot_i,

  input  wire [BANKS*DSLOT_W-1:0] dslots2_i,
  input  wire [BANKS*DSLOT_W-1:0] dslots3_i,     // the same check in the next cycle
  input  wire [BANKS*SECTORS-1:0] need3_i,
  output wire [BANKS*SECTORS-1:0] missing3_o,

  output wire moves_o,                           // a fill is under way
  output wire [BANKS*SECTORS-1:0] heads_sector_o, // in F2, one-hot
  output wire [DSLOT_W-1:0] heads_dslot_o
);
  // ---- fills -------------------------------------------------------------------------------------------
  reg f1_v_q, f1_early_q;
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
  wire f1_v = f1_v_q && f1_good && !f1_early_q;
  assign fill_bad_o = f1_v_q && !f1_v;
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
    f1_early_q <= fill_early_i;
    f1_b_q <= fill_bank_i;
    f1_d_q <= fill_dslot_i;
    f1_s_q <= fill_sector_i;
    f2_bits_q <= rst_i ? {BANKS*SECTORS{1'b0}} : f1_bits;
    f2_d_q <= f1_d_q;
  end
  assign heads_sector_o = f2_bits_q;
  assign heads_dslot_o = f2_d_q;

  // ---- phases of allocations ----------------------------------------------------------------------------
  // An allocation (A2) found the phase of the word a cycle ago, and is written a cycle later. No fill of its
  // data slot is under way: the next one is in F1 two cycles after A2 or later.
  localparam ALL = BANKS << DSLOT_W, ALL_W = $clog2(ALL);  // data slots of all banks
  reg w_v_q, w_phase_q, v_phase_q;               // w: A2 was a cycle ago, v: two
  reg [BANKS-1:0] w_bank_q, f2_bank_q;
  reg [DSLOT_W-1:0] w_d_q;
  reg f2_phase_q;
  reg [BANK_W-1:0] a1_b, w_b;
  integer e;
  always @* begin
    a1_b = {BANK_W{1'b0}};
    w_b = {BANK_W{1'b0}};
    for (e = 0; e < BANKS; e = e + 1) begin
      if (alloc1_bank_i[e]) a1_b = a1_b | e[BANK_W-1:0];
      if (w_bank_q[e]) w_b = w_b | e[BANK_W-1:0];
    end
  end
  wire [BANK_W+DSLOT_W-1:0] fill_at = {fill_bank_i, fill_dslot_i}, f1_at = {f1_b_q, f1_d_q};
  wire [BANK_W+DSLOT_W-1:0] a1_at = {a1_b, alloc1_dslot_i}, w_at = {w_b, w_d_q};
  wire unused_banks = &{1'b0, fill_at, f1_at, a1_at, w_at};
  wire allocated, filled;                        // phases: for a fill; of the word, for an allocation
  reg [BANKS-1:0] port_bank;
  integer g;
  always @* for (g = 0; g < BANKS; g = g + 1) port_bank[g] = fill_bank_i == g[BANK_W-1:0];
  reg v_here_q, follows_q;                       // F1: of the data slot of v; of the fill before
  always @(posedge clk_i) begin
    v_here_q <= w_v_q && |(port_bank & w_bank_q) && fill_dslot_i == w_d_q;
    follows_q <= fill_dslot_i == f1_d_q;
  end
  wire f1_phase = v_here_q ? v_phase_q : allocated;
  ram_1r1w #(.WIDTH(1), .DEPTH(ALL)) u_allocated (
    .clk_i(clk_i), .we_i(walk_i || w_v_q), .waddr_i(walk_i ? walk_at_i : w_at[ALL_W-1:0]),
    .wdata_i(!walk_i && w_phase_q), .raddr_i(fill_at[ALL_W-1:0]), .rdata_o(allocated));
  ram_1r1w #(.WIDTH(1), .DEPTH(ALL)) u_filled (
    .clk_i(clk_i), .we_i(walk_i || f1_v), .waddr_i(walk_i ? walk_at_i : f1_at[ALL_W-1:0]),
    .wdata_i(!walk_i && f1_phase), .raddr_i(a1_at[ALL_W-1:0]), .rdata_o(filled));
  always @(posedge clk_i) begin
    w_v_q <= !rst_i && alloc_push_i;
    {w_bank_q, w_d_q} <= {alloc_bank_i, alloc_dslot_i};
    v_phase_q <= w_phase_q;
    w_phase_q <= !filled;
    f2_phase_q <= f1_phase;
  end
  assign moves_o = f1_v_q || |f2_bits_q;

  // ---- words, two copies a bank: one that fills read, one that checks read ------------------------------
  always @(posedge clk_i) f2_bank_q <= f1_bank;

  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      wire we = init_i || f1_bank[b];
      wire [DSLOT_W-1:0] waddr = init_i ? init_dslot_i : f1_d_q;
      wire [DSLOT_W-1:0] d3 = dslots3_i[b*DSLOT_W+:DSLOT_W];
      wire [DSLOT_W-1:0] check_at = save_i ? init_dslot_i : dslots2_i[b*DSLOT_W+:DSLOT_W];
      wire [SECTORS-1:0] old, read;
      wire old_phase, read_phase, check_phase;
      wire [SECTORS-1:0] bits = f1_bits[b*SECTORS+:SECTORS];
      reg [SECTORS-1:0] f2_word_q;
      wire follows_here = follows_q && f2_bank_q[b];
      wire [SECTORS-1:0] last = follows_here ? f2_word_q : old;
      wire stale = (follows_here ? f2_phase_q : old_phase) != f1_phase;
      wire [SECTORS-1:0] f1_word = (stale ? {SECTORS{1'b0}} : last) | bits;
      wire [SECTORS:0] wdata = init_i ? {1'b0, init_sectors_i[b*SECTORS+:SECTORS]} : {f1_phase, f1_word};
      ram_1r1w #(.WIDTH(SECTORS+1), .DEPTH(DSLOTS)) u_fill_copy (
        .clk_i(clk_i), .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(fill_dslot_i),
        .rdata_o({old_phase, old}));
      ram_1r1w #(.WIDTH(SECTORS+1), .DEPTH(DSLOTS)) u_check_copy (
        .clk_i(clk_i), .we_i(we), .waddr_i(waddr), .wdata_i(wdata), .raddr_i(check_at),
        .rdata_o({read_phase, read}));
      ram_1r1w #(.WIDTH(1), .DEPTH(DSLOTS), .BLOCK(1)) u_phases (
        .clk_i(clk_i), .we_i(init_i || (w_v_q && w_bank_q[b])), .waddr_i(init_i ? init_dslot_i : w_d_q),
        .wdata_i(!init_i && w_phase_q), .raddr_i(check_at), .rdata_o(check_phase));
      always @(posedge clk_i) f2_word_q <= f1_word;
      // A fill that wrote in C2 has the whole word; what was read then is not used.
      wire [SECTORS-1:0] f1_here = bits & {SECTORS{f1_d_q == d3}};
      wire f2_here = f2_bank_q[b] && f2_d_q == d3;
      wire [SECTORS-1:0] valid = (read_phase == check_phase) ? read : {SECTORS{1'b0}};
      wire [SECTORS-1:0] there = (f2_here ? f2_word_q : valid) | f1_here;
      assign missing3_o[b*SECTORS+:SECTORS] = need3_i[b*SECTORS+:SECTORS] & ~there;
      assign save_sectors_o[b*SECTORS+:SECTORS] = valid;
    end
  endgenerate
endmodule

`default_nettype wire
