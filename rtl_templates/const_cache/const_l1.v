// SPDX-License-Identifier: Apache-2.0
// const_l1: the constants of one SM. A direct-mapped cache of lines of WORDS words that only reads L2; the
// controller's broadcast writes it while its SM is inactive. A hit is answered L1_LAT cycles after its
// read, one
// per cycle; reads are answered in order. A row is {valid, generation, tag, line}: a row of another
// generation is no hit, so that an invalidation is one increment (CC-3). A sweep in free cycles clears rows
// of old generations; room_o is 0 when the next generation might still be found in a row. Protocol copy: a
// written row also has the generation of the epoch; while that is the present one the row is locked: a fill
// leaves it alone, and a walk through the rows finds it (in free cycles, or in one taken from reads
// after STEAL
// lost ones). Reset: all rows are cleared, ROWS cycles without a read.
`default_nettype none

module const_l1 #(
  parameter ROWS = 256,                // lines
  parameter CONSTANTS = 4096,
  parameter CONST_W = 12,
  parameter WORD_W = 32,
  parameter WORDS = 1,                 // of a line
  parameter READS = 4,
  parameter GEN_W = 4,
  parameter COPY = 0,
  parameter L1_LAT = 3,
  parameter STEAL = 16
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire running_i,               // the SM has a work item; its reads are errors otherwise (CC-15)
  input  wire rd_valid_i,
  output reg  rd_ready_o,
  input  wire [CONST_W-1:0] rd_addr_i,
  output reg  rsp_valid_o,
  output reg  [WORD_W-1:0] rsp_data_o, // 0 where there is no answer without error
  output reg  rsp_error_o,
  output reg  quiet_o,                 // no read is unanswered

  input  wire wr_valid_i,              // broadcast, meant for this SM; only while no read is unanswered
  input  wire [CONST_W-$clog2(WORDS)-1:0] wr_addr_i,  // of a line
  input  wire [WORDS*WORD_W-1:0] wr_data_i,
  input  wire [GEN_W-1:0] epoch_gen_i, // rows with this generation are locked; 0: none is
  input  wire launder_i,               // generations of earlier epochs are to be cleared from all rows
  output reg  laundered_o,
  input  wire walk_valid_i,            // a row is to be read
  input  wire [$clog2(ROWS)-1:0] walk_row_i,
  output wire walk_taken_o,
  output reg  word_valid_o,            // L1_LAT cycles later: it is locked
  output reg  [CONST_W-$clog2(WORDS)-1:0] word_addr_o,  // of a line
  output reg  [WORDS*WORD_W-1:0] word_data_o,
  input  wire inval_i,                 // only when room_o was 1 in the cycle before
  output reg  room_o,

  output reg  req_valid_o,             // a miss asks L2
  output reg  [$clog2(READS)-1:0] req_slot_o,
  output reg  [CONST_W-$clog2(WORDS)-1:0] req_addr_o,  // of a line
  input  wire req_taken_i,
  input  wire ans_valid_i,
  input  wire ans_retry_i,             // no word: ask again
  input  wire [$clog2(READS)-1:0] ans_slot_i,
  input  wire [WORDS*WORD_W-1:0] ans_data_i,
  input  wire ans_error_i,

  output reg  hit_o,
  output reg  miss_o,
  output reg  bad_sm_o,
  output reg  bad_addr_o
);
  localparam OFF_W = $clog2(WORDS), LINE_AW = CONST_W - OFF_W, LINE_W = WORDS * WORD_W;
  localparam IDX_W = $clog2(ROWS), TAG_W = LINE_AW + 1 - IDX_W, SLOT_W = $clog2(READS);
  localparam EPOCH_W = (COPY != 0) ? GEN_W : 1;  // no epoch: one bit that is 0
  localparam ROW_W = 1 + EPOCH_W + GEN_W + TAG_W + LINE_W, EPOCH_AT = LINE_W + TAG_W + GEN_W;
  localparam [SLOT_W:0] MOST = READS[SLOT_W:0];
  localparam [IDX_W-1:0] LAST = {IDX_W{1'b1}};
  localparam [GEN_W-1:0] ONE_GEN = {{GEN_W-1{1'b0}}, 1'b1};

  reg clear_q;                         // rows are cleared after reset
  // row that the sweep reads next; while clear_q, the row that is cleared
  reg [IDX_W-1:0] sweep_q;
  reg sweeping_q, sweep_all_q;         // sweep_all_q: all rows are read, the last are in the pipeline
  reg [GEN_W-1:0] gen_q, base_q, sweep_gen_q;  // rows hold generations base_q..gen_q

  wire out_of_range;
  generate
    if (CONSTANTS == (1 << CONST_W)) begin : g_all_addresses
      assign out_of_range = 1'b0;
    end else begin : g_some_addresses
      localparam [CONST_W:0] BOUND = CONSTANTS[CONST_W:0];
      assign out_of_range = {1'b0, rd_addr_i} >= BOUND;
    end
  endgenerate

  // The word of a line that an address chooses. A place that is multiplied by a width would be a shifter.
  wire [1:0] rd_off = rd_addr_i[1:0] & (WORDS == 4 ? 2'd3 : WORDS == 2 ? 2'd1 : 2'd0);
  function [WORD_W-1:0] pick(input [LINE_W-1:0] line, input [1:0] off);
    integer i;
    begin
      pick = {WORD_W{1'b0}};
      for (i = 0; i < WORDS; i = i + 1) if (off == i[1:0]) pick = pick | line[i*WORD_W+:WORD_W];
    end
  endfunction

  // ---- read, then compare one or two cycles later
  // ------------------------------------------------------------
  wire take = rd_valid_i && rd_ready_o;
  wire walk = COPY != 0 && walk_valid_i && !take;
  wire probe = sweeping_q && !sweep_all_q && !take && !walk;
  wire [IDX_W-1:0] read_row = take ? rd_addr_i[OFF_W+:IDX_W] : walk ? walk_row_i : sweep_q;
  assign walk_taken_o = walk;
  wire we;
  wire [IDX_W-1:0] write_row;
  wire [ROW_W-1:0] write_data, read_data;
  ram_1r1w #(.WIDTH(ROW_W), .DEPTH(ROWS)) u_rows (
    .clk_i(clk_i), .we_i(we), .waddr_i(write_row), .wdata_i(write_data), .raddr_i(read_row),
    .rdata_o(read_data));

  reg p1_read_q, p1_sweep_q, p1_walk_q, p1_collide_q, p1_bad_sm_q, p1_bad_addr_q;
  reg [LINE_AW-1:0] p1_addr_q;
  reg [1:0] p1_off_q;                  // which word of the line is read
  wire p2_read, p2_sweep, p2_walk, p2_collide, p2_bad_sm, p2_bad_addr;  // of the row that is compared
  wire [LINE_AW-1:0] p2_addr;
  wire [1:0] p2_off;
  wire [ROW_W-1:0] p2_row;
  wire sweep_conflict;                 // the row cannot be cleared now: it is read again
  always @(posedge clk_i) begin
    p1_read_q <= !rst_i && take;
    p1_sweep_q <= !rst_i && probe && !sweep_conflict;
    p1_walk_q <= !rst_i && walk;
    p1_collide_q <= we && write_row == read_row;
    p1_bad_sm_q <= !running_i;
    p1_bad_addr_q <= running_i && out_of_range;
    p1_addr_q <= take ? rd_addr_i[CONST_W-1:OFF_W] : {{LINE_AW-IDX_W{1'b0}}, read_row};
    p1_off_q <= rd_off;
  end
  generate
    if (L1_LAT == 3) begin : g_row_registered
      reg p2_read_q, p2_sweep_q, p2_walk_q, p2_collide_q, p2_bad_sm_q, p2_bad_addr_q;
      reg [LINE_AW-1:0] p2_addr_q;
      reg [1:0] p2_off_q;
      reg [ROW_W-1:0] p2_row_q;
      always @(posedge clk_i) begin
        p2_read_q <= !rst_i && p1_read_q;
        p2_sweep_q <= !rst_i && p1_sweep_q && !sweep_conflict;
        p2_walk_q <= !rst_i && p1_walk_q;
        // a row that is written behind a sweep must not be cleared
        p2_collide_q <= p1_collide_q || (p1_sweep_q && we && write_row == p1_addr_q[IDX_W-1:0]);
        p2_bad_sm_q <= p1_bad_sm_q;
        p2_bad_addr_q <= p1_bad_addr_q;
        p2_addr_q <= p1_addr_q;
        p2_off_q <= p1_off_q;
        p2_row_q <= read_data;
      end
      assign {p2_read, p2_sweep, p2_walk, p2_collide} = {p2_read_q, p2_sweep_q, p2_walk_q, p2_collide_q};
      assign {p2_bad_sm, p2_bad_addr, p2_addr, p2_row} = {p2_bad_sm_q, p2_bad_addr_q, p2_addr_q, p2_row_q};
      assign p2_off = p2_off_q;
    end else begin : g_row_at_once
      assign {p2_read, p2_sweep, p2_walk, p2_collide} = {p1_read_q, p1_sweep_q, p1_walk_q, p1_collide_q};
      assign {p2_bad_sm, p2_bad_addr, p2_addr, p2_row} = {p1_bad_sm_q, p1_bad_addr_q, p1_addr_q, read_data};
      assign p2_off = p1_off_q;
    end
  endgenerate

  wire [LINE_AW:0] p2_wide = {1'b0, p2_addr};
  wire unused_row = &{1'b0, p2_wide[IDX_W-1:0]};
  wire p2_valid = p2_row[ROW_W-1] && !p2_collide;
  wire p2_same_gen = p2_row[LINE_W+TAG_W+:GEN_W] == gen_q;
  wire p2_same_tag = p2_row[LINE_W+:TAG_W] == p2_wide[LINE_AW:IDX_W];
  wire [EPOCH_W-1:0] p2_epoch = p2_row[EPOCH_AT+:EPOCH_W];
  wire [EPOCH_W-1:0] write_epoch;
  wire p2_locked;                      // it may be of another address
  generate
    if (COPY != 0) begin : g_epoch
      assign p2_locked = p2_valid && p2_same_gen && p2_epoch == epoch_gen_i && epoch_gen_i != {GEN_W{1'b0}};
      assign write_epoch = epoch_gen_i;
    end else begin : g_no_epoch
      wire unused_epoch = &{1'b0, epoch_gen_i, launder_i, walk_valid_i, walk_row_i, p2_epoch};
      assign p2_locked = 1'b0;
      assign write_epoch = 1'b0;
    end
  endgenerate
  wire p2_bad = p2_bad_sm || p2_bad_addr;
  wire p2_hit = p2_valid && p2_same_gen && p2_same_tag && !p2_bad;
  wire p2_known = p2_hit || p2_bad;

  // ---- reads that a miss holds up, in order -----------------------------------------------------------
  reg [LINE_AW-1:0] slot_addr_q [0:READS-1];
  reg [1:0] slot_off_q [0:READS-1];
  reg [WORD_W-1:0] slot_data_q [0:READS-1];
  reg [READS-1:0] done_q, error_q, want_q, locked_q;  // locked_q: the row is, the word fills nothing
  reg [SLOT_W-1:0] head_q, tail_q;
  reg [SLOT_W:0] held_q, reads_q;      // slots in use; reads unanswered
  wire direct = p2_read && p2_known && held_q == {SLOT_W+1{1'b0}};
  wire push = p2_read && !direct;
  wire pop = held_q != {SLOT_W+1{1'b0}} && done_q[head_q];
  wire [SLOT_W:0] reads_d = reads_q + {{SLOT_W{1'b0}}, take} - {{SLOT_W{1'b0}}, rsp_valid_o};
  wire arrives = ans_valid_i && !ans_retry_i;
  wire [WORD_W-1:0] p2_word = pick(p2_row[LINE_W-1:0], p2_off),
                    ans_word = pick(ans_data_i, slot_off_q[ans_slot_i]);

  always @(posedge clk_i) begin
    rsp_valid_o <= !rst_i && (direct || pop);
    rsp_error_o <= !rst_i && ((direct && p2_bad) || (pop && error_q[head_q]));
    if (rst_i || !((direct && !p2_bad) || (pop && !error_q[head_q]))) rsp_data_o <= {WORD_W{1'b0}};
    else rsp_data_o <= pop ? slot_data_q[head_q] : p2_word;
    hit_o <= !rst_i && p2_read && p2_hit;
    miss_o <= !rst_i && p2_read && !p2_known;
    bad_sm_o <= !rst_i && p2_read && p2_bad_sm;
    bad_addr_o <= !rst_i && p2_read && p2_bad_addr;
    if (push) slot_addr_q[tail_q] <= p2_addr;
    if (push) slot_off_q[tail_q] <= p2_off;
  end

  integer s;
  always @(posedge clk_i)
    for (s = 0; s < READS; s = s + 1) begin
      if (push && tail_q == s[SLOT_W-1:0]) begin
        slot_data_q[s] <= p2_word;
        done_q[s] <= p2_known;
        error_q[s] <= p2_bad;
        locked_q[s] <= p2_locked;
      end else if (arrives && ans_slot_i == s[SLOT_W-1:0]) begin
        slot_data_q[s] <= ans_word;
        done_q[s] <= 1'b1;
        error_q[s] <= ans_error_i;
      end
    end

  wire steal;                          // the next cycle is the walk's
  always @(posedge clk_i)
    if (rst_i) begin
      head_q <= {SLOT_W{1'b0}};
      tail_q <= {SLOT_W{1'b0}};
      held_q <= {SLOT_W+1{1'b0}};
      reads_q <= {SLOT_W+1{1'b0}};
      rd_ready_o <= 1'b0;
      quiet_o <= 1'b0;
    end else begin
      head_q <= head_q + {{SLOT_W-1{1'b0}}, pop};
      tail_q <= tail_q + {{SLOT_W-1{1'b0}}, push};
      held_q <= held_q + {{SLOT_W{1'b0}}, push} - {{SLOT_W{1'b0}}, pop};
      reads_q <= reads_d;
      rd_ready_o <= !clear_q && reads_d < MOST && !steal;
      quiet_o <= !clear_q && reads_d == {SLOT_W+1{1'b0}};
    end

  // ---- words for a walk -------------------------------------------------------------------------------
  wire [LINE_AW:0] row_addr = {p2_row[LINE_W+:TAG_W], p2_addr[IDX_W-1:0]};
  generate
    if (COPY != 0) begin : g_walk
      localparam LOST_W = $clog2(STEAL + 1);
      localparam [31:0] LAST_LOST = STEAL - 1;
      reg [LOST_W-1:0] lost_q;
      assign steal = walk_valid_i && take && lost_q == LAST_LOST[LOST_W-1:0];
      wire unused_addr = row_addr[LINE_AW];
      always @(posedge clk_i) begin
        if (rst_i || !walk_valid_i || walk || steal) lost_q <= {LOST_W{1'b0}};
        else lost_q <= lost_q + 1'b1;
        word_valid_o <= !rst_i && p2_walk && p2_locked;
        word_addr_o <= row_addr[LINE_AW-1:0];
        word_data_o <= p2_row[LINE_W-1:0];
      end
    end else begin : g_no_walk
      wire unused_walk = &{1'b0, p2_walk, row_addr};
      assign steal = 1'b0;
      always @(posedge clk_i) begin
        word_valid_o <= 1'b0;
        word_addr_o <= {LINE_AW{1'b0}};
        word_data_o <= {LINE_W{1'b0}};
      end
    end
  endgenerate

  // ---- requests, the lowest slot first ----------------------------------------------------------------
  wire asks = !req_valid_o || req_taken_i;
  wire [READS-1:0] first = want_q & (~want_q + {{READS-1{1'b0}}, 1'b1});
  reg [SLOT_W-1:0] first_slot;
  reg [READS-1:0] pushed, again;
  integer i;
  always @* begin
    first_slot = {SLOT_W{1'b0}};
    for (i = 0; i < READS; i = i + 1) begin
      if (first[i]) first_slot = first_slot | i[SLOT_W-1:0];
      pushed[i] = push && !p2_known && tail_q == i[SLOT_W-1:0];
      again[i] = ans_valid_i && ans_retry_i && ans_slot_i == i[SLOT_W-1:0];
    end
  end
  always @(posedge clk_i) begin
    if (rst_i) begin
      want_q <= {READS{1'b0}};
      req_valid_o <= 1'b0;
    end else begin
      want_q <= (want_q & ~(asks ? first : {READS{1'b0}})) | pushed | again;
      if (asks) req_valid_o <= |want_q;
    end
    if (asks) begin
      req_slot_o <= first_slot;
      req_addr_o <= slot_addr_q[first_slot];
    end
  end

  // ---- writes: clearing, broadcast, fill, sweep -------------------------------------------------------
  reg fill_q;
  reg [LINE_AW-1:0] fill_addr_q;
  reg [LINE_W-1:0] fill_data_q;
  always @(posedge clk_i) begin
    fill_q <= !rst_i && arrives && !ans_error_i && !locked_q[ans_slot_i];
    fill_addr_q <= slot_addr_q[ans_slot_i];
    fill_data_q <= ans_data_i;
  end
  wire [LINE_AW:0] write_addr = {1'b0, wr_valid_i ? wr_addr_i : fill_addr_q};
  wire writes = wr_valid_i || fill_q;
  reg pass_launders_q;                 // the sweep under way clears generations of epochs, too
  wire cleans = p2_same_gen;           // the row stays, of no epoch
  wire swept = p2_sweep && p2_valid
            && (!p2_same_gen || (pass_launders_q && p2_epoch != {EPOCH_W{1'b0}}));
  assign sweep_conflict = swept && writes;
  assign we = clear_q || writes || swept;
  assign write_row = clear_q ? sweep_q : writes ? write_addr[IDX_W-1:0] : p2_addr[IDX_W-1:0];
  assign write_data = clear_q || (!writes && !cleans) ? {ROW_W{1'b0}}
                    : !writes ? {1'b1, {EPOCH_W{1'b0}}, p2_row[EPOCH_AT-1:0]}
                    : {1'b1, write_epoch & {EPOCH_W{wr_valid_i}}, gen_q, write_addr[LINE_AW:IDX_W],
                       wr_valid_i ? wr_data_i : fill_data_q};

  wire launder = COPY != 0 && launder_i;
  wire sweep_ends = p2_sweep && p2_addr[IDX_W-1:0] == LAST && !sweep_conflict;
  wire [GEN_W-1:0] gen_d = gen_q + {{GEN_W-1{1'b0}}, inval_i};
  always @(posedge clk_i)
    if (rst_i) begin
      clear_q <= 1'b1;
      sweep_q <= {IDX_W{1'b0}};
      sweeping_q <= 1'b0;
      sweep_all_q <= 1'b0;
      gen_q <= {GEN_W{1'b0}};
      base_q <= {GEN_W{1'b0}};
      room_o <= 1'b1;
      laundered_o <= 1'b0;
    end else begin
      gen_q <= gen_d;
      room_o <= gen_d + ONE_GEN != base_q;
      if (clear_q && sweep_q == LAST) clear_q <= 1'b0;
      if (!sweeping_q && (gen_q != base_q || (launder && !laundered_o))) begin
        sweeping_q <= 1'b1;
        sweep_all_q <= 1'b0;
      end else if (sweep_ends) begin
        sweeping_q <= 1'b0;
        base_q <= sweep_gen_q;
      end
      laundered_o <= launder && (laundered_o || (sweep_ends && pass_launders_q));
      if (sweep_conflict) begin
        sweep_q <= p2_addr[IDX_W-1:0];
        sweep_all_q <= 1'b0;
      end else if (clear_q || probe) begin
        sweep_q <= sweep_q + {{IDX_W-1{1'b0}}, 1'b1};
        if (sweep_q == LAST) sweep_all_q <= 1'b1;
      end
    end
  always @(posedge clk_i) begin
    if (!sweeping_q) sweep_gen_q <= gen_q;
    // a sweep that goes on behind the laundering must not unlock rows of the next epoch
    pass_launders_q <= launder && (pass_launders_q || !sweeping_q);
  end
endmodule

`default_nettype wire
