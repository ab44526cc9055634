// SPDX-License-Identifier: Apache-2.0
// const_l2: the store that all SMs share: the current version over memory, write-back, direct-mapped words.
// One pipeline carries reads of L1s, commands, fills, scans and the walk of a flush, so that they are serial.
// An operation is chosen into an entry of two places, which it leaves in order when no operation of the same
// rows is in stages 1 to 5 (a read may follow reads in stages 1 to 4). Stage 1 reads the rows, 3 compares, 4
// gathers, 5 decides, 6 writes. What cannot be done in stage 5 is tried again: a read by its L1, a command by
// the controller, which then also repeats the commands behind it (epoch). An access to memory has an entry of
// its own in a table; nothing else touches its row until the answer. Reset: rows are cleared, one per cycle.
`default_nettype none

module const_l2 #(
  parameter SHARED = 0,
  parameter SMS = 4,
  parameter SM_W = 2,
  parameter CONST_W = 12,
  parameter WORD_W = 32,
  parameter ENTRIES = 1024,
  parameter SETS = 128,
  parameter WAYS = 4,
  parameter CODES = 15,
  parameter CODE_W = 4,
  parameter SLOT_W = 2,
  parameter MISSES = 8,
  parameter DROP_REPEATS = 0,
  parameter ADDR_W = 32
) (
  input  wire clk_i,
  input  wire rst_i,

  // requests of the L1s
  input  wire [SMS-1:0] req_valid_i,
  input  wire [SMS*SLOT_W-1:0] req_slot_i,
  input  wire [SMS*CONST_W-1:0] req_addr_i,
  output wire [SMS-1:0] req_taken_o,
  output reg  ans_valid_o,
  output reg  ans_retry_o,
  output reg  [SM_W-1:0] ans_sm_o,
  output reg  [SLOT_W-1:0] ans_slot_o,
  output reg  [WORD_W-1:0] ans_data_o,
  output reg  ans_error_o,

  // commands: 1 write, 2 work, 3 walk
  input  wire cmd_valid_i,
  input  wire [1:0] cmd_kind_i,
  input  wire [CONST_W-1:0] cmd_addr_i,
  input  wire [WORD_W-1:0] cmd_data_i,
  input  wire cmd_epoch_i,
  input  wire cmd_clears_i,            // the walk empties the row
  output wire cmd_taken_o,
  input  wire epoch_i,                 // operations of another one are dropped
  output wire s5_write_o,              // outcomes in stage 5
  output wire s5_drop_o,               // a write that repeats the held value
  output wire s5_work_o,
  output wire s5_is_work_o,            // a work item is there, whether it can be given or not
  output wire s5_walked_o,
  output wire s5_walk_again_o,
  output wire s5_again_o,
  output wire [2:0] s5_cause_o,
  output wire [CONST_W-1:0] s5_addr_o,
  output wire [WORD_W-1:0] s5_data_o,
  input  wire any_active_i,
  input  wire can_work_i,
  input  wire can_version_i,
  input  wire [CODES-1:0] used_i,
  output wire [SM_W-1:0] s1_sm_o,
  input  wire [CODE_W-1:0] s1_code_i,  // version of that SM

  input  wire scan_valid_i,
  input  wire [CONST_W-1:0] scan_set_i,
  output wire scan_taken_o,
  output wire s5_scan_o,
  output wire [$clog2(SETS*WAYS):0] entries_o,
  output wire saved_o,

  input  wire save_i,                  // of a context: the row, the entry of this record
  input  wire [CONST_W-1:0] save_row_i,
  input  wire [CONST_W-1:0] save_set_i,
  input  wire [$clog2(WAYS):0] save_way_i,
  output wire row_some_o,              // two cycles later: it is dirty
  output wire [CONST_W-1:0] row_addr_o,
  output wire [WORD_W-1:0] row_line_o,
  output wire entry_some_o,
  output wire entry_error_o,
  output wire [CONST_W-1:0] entry_addr_o,
  output wire [CODES-1:0] entry_mask_o,
  output wire [WORD_W-1:0] entry_line_o,
  input  wire put_row_i,               // one comes in
  input  wire put_entry_i,
  input  wire [$clog2(WAYS):0] put_way_i,
  input  wire put_error_i,
  input  wire [CONST_W-1:0] put_addr_i,
  input  wire [CODES-1:0] put_mask_i,
  input  wire [WORD_W-1:0] put_line_i,

  input  wire closed_i,                // of the unit: answers are taken only where an access is under way
  output wire moves_o,                 // an operation is on its way, memory apart
  output reg  idle_o,                  // no access to memory is under way
  output reg  read_failed_o,
  output reg  fetch_failed_o,
  output reg  write_failed_o,
  output reg  unasked_o,
  output reg  answered_o,              // an access is answered; beside the errors of it
  output reg  [CONST_W-1:0] failed_addr_o,
  output wire mem_read_o,
  output wire mem_write_o,

  input  wire [ADDR_W-1:0] base_i,
  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [$clog2(MISSES)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [WORD_W-1:0] mem_req_data_o,
  output wire [WORD_W/8-1:0] mem_req_strb_o,
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [$clog2(MISSES)-1:0] mem_rsp_tag_i,
  input  wire [WORD_W-1:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i
);
  localparam IDX_W = $clog2(ENTRIES), TAG_W = CONST_W + 1 - IDX_W, ROW_W = 2 + TAG_W + WORD_W;
  localparam SET_W = $clog2(SETS), HAZARD_W = (SHARED == 0 && SET_W < IDX_W) ? SET_W : IDX_W;
  localparam MISS_W = $clog2(MISSES), LG = $clog2(WORD_W / 8);
  localparam [2:0] READ = 3'd0, WRITE = 3'd1, WORK = 3'd2, WALK = 3'd3, FILL = 3'd4, FETCHED = 3'd5,
                   SCAN = 3'd6;
  localparam [1:0] FOR_READ = 2'd0, FOR_WRITE = 2'd1, WRITE_BACK = 2'd2;
  localparam [2:0] BY_SM = 3'd1, BY_ACTIVE = 3'd2, BY_FULL = 3'd3, BY_CODE = 3'd4, BY_MEMORY = 3'd5;
  localparam [3:0] PATIENCE = 4'd15;

  // ---- requests of L1s, in turn: choose, then fetch address ------------------------------------------
  reg chosen_q, r_valid_q;
  reg [SM_W-1:0] chosen_sm_q, r_sm_q;
  reg [SMS-1:0] chosen_bit_q, after_q; // after_q: the SMs above the last one chosen
  reg [SLOT_W-1:0] r_slot_q;
  reg [CONST_W-1:0] r_addr_q;
  wire r_taken;
  wire r_loads = chosen_q && (!r_valid_q || r_taken);
  wire [SMS-1:0] eligible = req_valid_i & ~({SMS{chosen_q}} & chosen_bit_q);
  wire [SMS-1:0] later = eligible & after_q;
  wire [SMS-1:0] turn = |later ? later : eligible;
  wire [SMS-1:0] first = turn & (~turn + 1'b1);
  reg [SM_W-1:0] first_sm;
  wire [SMS-1:0] above = ~(first | (first - 1'b1));
  integer n;
  always @* begin
    first_sm = {SM_W{1'b0}};
    for (n = 0; n < SMS; n = n + 1) if (first[n]) first_sm = first_sm | n[SM_W-1:0];
  end
  assign req_taken_o = chosen_bit_q & {SMS{r_loads}};
  // One bit chooses: a place that is multiplied by a width would be a multiplier and a shifter.
  reg [SLOT_W-1:0] asked_slot;
  reg [CONST_W-1:0] asked_addr;
  always @* begin
    asked_slot = {SLOT_W{1'b0}};
    asked_addr = {CONST_W{1'b0}};
    for (n = 0; n < SMS; n = n + 1) begin
      asked_slot = asked_slot | (req_slot_i[n*SLOT_W+:SLOT_W] & {SLOT_W{chosen_bit_q[n]}});
      asked_addr = asked_addr | (req_addr_i[n*CONST_W+:CONST_W] & {CONST_W{chosen_bit_q[n]}});
    end
  end
  always @(posedge clk_i) begin
    if (rst_i) begin
      chosen_q <= 1'b0;
      r_valid_q <= 1'b0;
      after_q <= {SMS{1'b0}};
    end else begin
      if (!chosen_q || r_loads) begin
        chosen_q <= |eligible;
        if (|eligible) after_q <= above;
      end
      if (r_loads) r_valid_q <= 1'b1;
      else if (r_taken) r_valid_q <= 1'b0;
    end
    if (!chosen_q || r_loads) begin
      chosen_sm_q <= first_sm;
      chosen_bit_q <= first;
    end
    if (r_loads) begin
      r_sm_q <= chosen_sm_q;
      r_slot_q <= asked_slot;
      r_addr_q <= asked_addr;
    end
  end

  // ---- accesses to memory under way; the tag is the place in the table --------------------------------
  reg [MISSES-1:0] miss_valid_q;
  reg [1:0] miss_kind_q [0:MISSES-1];
  reg [MISSES*CONST_W-1:0] miss_addr_q;
  reg [SM_W-1:0] miss_sm_q [0:MISSES-1];
  reg [SLOT_W-1:0] miss_slot_q [0:MISSES-1];

  // An answer: taken, looked up, then offered to stage 0.
  reg got_q, f_valid_q, f_error_q, f_fetch_q;
  reg [MISS_W-1:0] got_tag_q, f_tag_q;
  reg [WORD_W-1:0] got_data_q, f_data_q;
  reg got_error_q;
  reg [CONST_W-1:0] f_addr_q;
  reg [SM_W-1:0] f_sm_q;
  reg [SLOT_W-1:0] f_slot_q;
  wire f_taken;
  reg [CONST_W-1:0] got_addr;
  integer a;
  always @* begin
    got_addr = {CONST_W{1'b0}};
    for (a = 0; a < MISSES; a = a + 1)
      if (got_tag_q == a[MISS_W-1:0]) got_addr = got_addr | miss_addr_q[a*CONST_W+:CONST_W];
  end
  wire got_known = miss_valid_q[got_tag_q];
  wire got_ack = got_known && miss_kind_q[got_tag_q] == WRITE_BACK;
  wire got_word = got_known && !got_ack;
  wire f_loads = got_q && got_word && !f_valid_q;
  wire got_leaves = got_q && (!got_word || f_loads);
  wire hears = !got_q && !(closed_i && idle_o);
  assign mem_rsp_ready_o = hears;
  always @(posedge clk_i) begin
    if (rst_i) begin
      got_q <= 1'b0;
      f_valid_q <= 1'b0;
    end else begin
      got_q <= got_q ? !got_leaves : mem_rsp_valid_i && hears;
      f_valid_q <= f_valid_q ? !f_taken : f_loads;
    end
    if (!got_q) begin
      got_tag_q <= mem_rsp_tag_i;
      got_data_q <= mem_rsp_data_i;
      got_error_q <= mem_rsp_error_i != 2'd0;
    end
    if (f_loads) begin
      f_tag_q <= got_tag_q;
      f_addr_q <= got_addr;
      f_fetch_q <= miss_kind_q[got_tag_q] == FOR_WRITE;
      f_sm_q <= miss_sm_q[got_tag_q];
      f_slot_q <= miss_slot_q[got_tag_q];
      f_data_q <= got_data_q;
      f_error_q <= got_error_q;
    end
    unasked_o <= !rst_i && got_q && !got_known;
    answered_o <= !rst_i && got_known && got_leaves;
    read_failed_o <= !rst_i && f_loads && got_error_q && miss_kind_q[got_tag_q] == FOR_READ;
    fetch_failed_o <= !rst_i && f_loads && got_error_q && miss_kind_q[got_tag_q] == FOR_WRITE;
    write_failed_o <= !rst_i && got_q && got_ack && got_error_q;
    failed_addr_o <= got_addr;
  end

  // ---- choice of an operation, and the entry -----------------------------------------------------------
  // An operation: {valid, kind, sm, slot, addr, data, error, epoch, tag}. Error: of a fill; of a walk: it
  // clears. Tag: of a fill.
  localparam OP_W = 1 + 3 + SM_W + SLOT_W + CONST_W + WORD_W + 1 + 1 + MISS_W;
  reg e0_valid_q, e1_valid_q, s1_valid_q, s2_valid_q, s3_valid_q, s4_valid_q, s5_valid_q;
  reg [2:0] e0_kind_q, s1_kind_q, s2_kind_q, s3_kind_q, s4_kind_q, s5_kind_q;
  reg [SM_W-1:0] e0_sm_q, s1_sm_q, s2_sm_q, s3_sm_q, s4_sm_q, s5_sm_q;
  reg [SLOT_W-1:0] e0_slot_q, s1_slot_q, s2_slot_q, s3_slot_q, s4_slot_q, s5_slot_q;
  reg [CONST_W-1:0] e0_addr_q, s1_addr_q, s2_addr_q, s3_addr_q, s4_addr_q, s5_addr_q;
  reg [WORD_W-1:0] e0_data_q, s1_data_q, s2_data_q, s3_data_q, s4_data_q, s5_data_q;
  reg e0_error_q, s1_error_q, s2_error_q, s3_error_q, s4_error_q, s5_error_q;
  reg e0_epoch_q, s1_epoch_q, s2_epoch_q, s3_epoch_q, s4_epoch_q, s5_epoch_q;
  reg [MISS_W-1:0] e0_tag_q, s1_tag_q, s2_tag_q, s3_tag_q, s4_tag_q, s5_tag_q;
  reg [OP_W-2:0] e1_q;

  reg read_turn_q;
  reg [3:0] scan_lost_q;
  wire free = !e1_valid_q;
  wire scan_first = scan_valid_i && scan_lost_q == PATIENCE && !f_valid_q;
  wire rest = free && !f_valid_q && !scan_first;
  assign f_taken = free && f_valid_q;
  assign r_taken = rest && r_valid_q && (read_turn_q || !cmd_valid_i);
  assign cmd_taken_o = rest && cmd_valid_i && (!read_turn_q || !r_valid_q);
  assign scan_taken_o = free && (scan_first || (!f_valid_q && scan_valid_i && !r_valid_q && !cmd_valid_i));
  wire [2:0] new_kind = f_valid_q ? (f_fetch_q ? FETCHED : FILL) : scan_taken_o ? SCAN : r_taken ? READ
                      : {1'b0, cmd_kind_i};
  wire [OP_W-1:0] new_op = {f_taken || scan_taken_o || r_taken || cmd_taken_o, new_kind,
      f_valid_q ? f_sm_q : r_sm_q, f_valid_q ? f_slot_q : r_slot_q,
      f_valid_q ? f_addr_q : scan_taken_o ? scan_set_i : r_taken ? r_addr_q : cmd_addr_i,
      f_valid_q ? f_data_q : cmd_data_i, f_valid_q ? f_error_q : cmd_clears_i, cmd_epoch_i, f_tag_q};

  // A read may follow reads: one that starts an access keeps the next ones from it.
  wire [HAZARD_W-1:0] e0_rows = e0_addr_q[HAZARD_W-1:0];
  wire e0_read = e0_kind_q == READ;
  wire hazard = e0_kind_q != WORK
      && ((s1_valid_q && s1_kind_q != WORK && !(e0_read && s1_kind_q == READ)
           && s1_addr_q[HAZARD_W-1:0] == e0_rows)
       || (s2_valid_q && s2_kind_q != WORK && !(e0_read && s2_kind_q == READ)
           && s2_addr_q[HAZARD_W-1:0] == e0_rows)
       || (s3_valid_q && s3_kind_q != WORK && !(e0_read && s3_kind_q == READ)
           && s3_addr_q[HAZARD_W-1:0] == e0_rows)
       || (s4_valid_q && s4_kind_q != WORK && !(e0_read && s4_kind_q == READ)
           && s4_addr_q[HAZARD_W-1:0] == e0_rows)
       || (s5_valid_q && s5_kind_q != WORK && s5_addr_q[HAZARD_W-1:0] == e0_rows));
  wire e0_loads = !e0_valid_q || !hazard;
  always @(posedge clk_i) begin
    if (rst_i) begin
      read_turn_q <= 1'b0;
      scan_lost_q <= 4'd0;
      e0_valid_q <= 1'b0;
      e1_valid_q <= 1'b0;
      s1_valid_q <= 1'b0;
    end else begin
      if (r_taken || cmd_taken_o) read_turn_q <= cmd_taken_o;
      if (!scan_valid_i || scan_taken_o) scan_lost_q <= 4'd0;
      else if (scan_lost_q != PATIENCE) scan_lost_q <= scan_lost_q + 4'd1;
      e1_valid_q <= !e0_loads && (e1_valid_q || new_op[OP_W-1]);
      if (e0_loads) e0_valid_q <= e1_valid_q || new_op[OP_W-1];
      s1_valid_q <= e0_valid_q && !hazard;
    end
    if (free) e1_q <= new_op[OP_W-2:0];
    if (e0_loads)
      {e0_kind_q, e0_sm_q, e0_slot_q, e0_addr_q, e0_data_q, e0_error_q, e0_epoch_q, e0_tag_q}
        <= free ? new_op[OP_W-2:0] : e1_q;
    {s1_kind_q, s1_sm_q, s1_slot_q, s1_addr_q, s1_data_q, s1_error_q, s1_epoch_q, s1_tag_q}
      <= {e0_kind_q, e0_sm_q, e0_slot_q, e0_addr_q, e0_data_q, e0_error_q, e0_epoch_q, e0_tag_q};
  end

  // ---- stages 1 to 4 ----------------------------------------------------------------------------------
  reg clear_q;
  reg [IDX_W-1:0] clear_row_q;
  always @(posedge clk_i)
    if (rst_i) begin
      clear_q <= 1'b1;
      clear_row_q <= {IDX_W{1'b0}};
    end else begin
      if (&clear_row_q) clear_q <= 1'b0;
      clear_row_q <= clear_row_q + 1'b1;
    end

  reg s6_we_q;
  reg [IDX_W-1:0] s6_row_q;
  reg [ROW_W-1:0] s6_data_q, s3_row_q;
  wire [ROW_W-1:0] row;
  ram_1r1w #(.WIDTH(ROW_W), .DEPTH(ENTRIES)) u_rows (
    .clk_i(clk_i), .we_i(clear_q || s6_we_q), .waddr_i(clear_q ? clear_row_q : s6_row_q),
    .wdata_i(clear_q ? {ROW_W{1'b0}} : s6_data_q),
    .raddr_i(save_i ? save_row_i[IDX_W-1:0] : s1_addr_q[IDX_W-1:0]), .rdata_o(row));
  wire [CONST_W:0] save_addr = {s3_row_q[WORD_W+:TAG_W], save_row_i[IDX_W-1:0]};
  wire [CONST_W:0] put_wide = {1'b0, put_addr_i};
  assign row_some_o = &s3_row_q[ROW_W-1:ROW_W-2];
  assign row_addr_o = save_addr[CONST_W-1:0];
  assign row_line_o = s3_row_q[WORD_W-1:0];

  assign s1_sm_o = s1_sm_q;
  reg [CODE_W-1:0] s2_code_q, s3_code_q;
  wire [CONST_W:0] s3_wide = {1'b0, s3_addr_q};
  reg s4_hit_q, s4_dirty_q, s4_same_q, s5_hit_q, s5_dirty_q, s5_busy_q, s5_same_q;
  reg [TAG_W-1:0] s4_held_tag_q, s5_held_tag_q;
  reg [WORD_W-1:0] s4_word_q, s5_word_q;
  reg busy_row;                        // an access to memory of this row is under way
  integer m;
  always @* begin
    busy_row = 1'b0;
    for (m = 0; m < MISSES; m = m + 1)
      if (miss_valid_q[m] && miss_addr_q[m*CONST_W+:IDX_W] == s4_addr_q[IDX_W-1:0]) busy_row = 1'b1;
  end
  always @(posedge clk_i) begin
    s2_valid_q <= !rst_i && s1_valid_q;
    s3_valid_q <= !rst_i && s2_valid_q;
    s4_valid_q <= !rst_i && s3_valid_q;
    s5_valid_q <= !rst_i && s4_valid_q;
    {s2_kind_q, s3_kind_q, s4_kind_q, s5_kind_q} <= {s1_kind_q, s2_kind_q, s3_kind_q, s4_kind_q};
    {s2_sm_q, s3_sm_q, s4_sm_q, s5_sm_q} <= {s1_sm_q, s2_sm_q, s3_sm_q, s4_sm_q};
    {s2_slot_q, s3_slot_q, s4_slot_q, s5_slot_q} <= {s1_slot_q, s2_slot_q, s3_slot_q, s4_slot_q};
    {s2_addr_q, s3_addr_q, s4_addr_q, s5_addr_q} <= {s1_addr_q, s2_addr_q, s3_addr_q, s4_addr_q};
    {s2_data_q, s3_data_q, s4_data_q, s5_data_q} <= {s1_data_q, s2_data_q, s3_data_q, s4_data_q};
    {s2_error_q, s3_error_q, s4_error_q, s5_error_q} <= {s1_error_q, s2_error_q, s3_error_q, s4_error_q};
    {s2_epoch_q, s3_epoch_q, s4_epoch_q, s5_epoch_q} <= {s1_epoch_q, s2_epoch_q, s3_epoch_q, s4_epoch_q};
    {s2_tag_q, s3_tag_q, s4_tag_q, s5_tag_q} <= {s1_tag_q, s2_tag_q, s3_tag_q, s4_tag_q};
    {s2_code_q, s3_code_q} <= {s1_code_i, s2_code_q};
    s3_row_q <= row;
    s4_hit_q <= s3_row_q[ROW_W-1] && s3_row_q[WORD_W+:TAG_W] == s3_wide[CONST_W:IDX_W];
    s4_dirty_q <= &s3_row_q[ROW_W-1:ROW_W-2];
    s4_held_tag_q <= s3_row_q[WORD_W+:TAG_W];
    s4_word_q <= s3_row_q[WORD_W-1:0];
    s5_busy_q <= busy_row;
    s4_same_q <= DROP_REPEATS != 0 && s3_row_q[WORD_W-1:0] == s3_data_q;
    {s5_hit_q, s5_dirty_q, s5_same_q} <= {s4_hit_q, s4_dirty_q, s4_same_q};
    s5_held_tag_q <= s4_held_tag_q;
    s5_word_q <= s4_word_q;
  end

  // ---- the backup -------------------------------------------------------------------------------------
  wire match, room, backup_error, needed, save;
  wire [WORD_W-1:0] backup_word, old_word;
  wire old_error;
  assign s5_is_work_o = s5_valid_q && s5_kind_q == WORK;
  generate
    if (SHARED == 0) begin : g_backup
      wire lacks;
      const_l2_backup #(.SETS(SETS), .WAYS(WAYS), .CONST_W(CONST_W), .WORD_W(WORD_W), .CODES(CODES),
        .CODE_W(CODE_W)) u_backup (
        .clk_i(clk_i), .rst_i(rst_i), .s1_addr_i(save_i ? save_set_i : s1_addr_q), .s3_addr_i(s3_addr_q),
        .s3_code_i(s3_code_q),
        .s4_addr_i(s4_addr_q), .s4_scan_i(s4_kind_q == SCAN), .used_i(used_i), .s5_match_o(match),
        .s5_word_o(backup_word), .s5_error_o(backup_error), .s5_lacks_o(lacks), .s5_room_o(room),
        .s5_addr_i(s5_addr_q), .s5_scan_i(s5_scan_o), .s5_save_i(save), .s5_old_i(old_word),
        .s5_old_error_i(old_error), .entries_o(entries_o), .save_set_i(save_set_i), .save_way_i(save_way_i),
        .entry_some_o(entry_some_o), .entry_error_o(entry_error_o), .entry_addr_o(entry_addr_o),
        .entry_mask_o(entry_mask_o), .entry_line_o(entry_line_o), .put_entry_i(put_entry_i),
        .put_way_i(put_way_i), .put_error_i(put_error_i), .put_addr_i(put_addr_i), .put_mask_i(put_mask_i),
        .put_line_i(put_line_i));
      assign needed = any_active_i && lacks;
    end else begin : g_no_backup
      wire unused = &{1'b0, used_i, s3_code_q, old_word, old_error, save, save_set_i, save_way_i, put_entry_i,
                      put_way_i, put_error_i, put_mask_i};
      assign {entry_some_o, entry_error_o, entry_addr_o} = {CONST_W+2{1'b0}};
      assign {entry_mask_o, entry_line_o} = {CODES+WORD_W{1'b0}};
      assign {match, room, backup_error, needed} = 4'b0100;
      assign backup_word = {WORD_W{1'b0}};
      assign entries_o = {$clog2(SETS*WAYS)+1{1'b0}};
    end
  endgenerate

  // ---- stage 5: decide --------------------------------------------------------------------------------
  wire [CONST_W:0] s5_wide = {1'b0, s5_addr_q};
  wire [TAG_W-1:0] s5_tag_of_addr = s5_wide[CONST_W:IDX_W];
  reg can_start_q;                     // a place of the table and the request register are free
  reg [MISS_W-1:0] place_q;
  reg fetched_q, fetched_error_q;      // the old word of the oldest write waits here
  reg [WORD_W-1:0] fetched_data_q;
  wire live = s5_valid_q && (s5_kind_q != WRITE && s5_kind_q != WORK ? 1'b1 : s5_epoch_q == epoch_i);
  wire is_read = live && s5_kind_q == READ, is_write = live && s5_kind_q == WRITE;
  wire is_walk = live && s5_kind_q == WALK, is_fill = live && s5_kind_q == FILL;
  wire evicts = !s5_hit_q && s5_dirty_q;
  wire may_start = can_start_q && !s5_busy_q;

  wire read_known = match || s5_hit_q;
  wire read_starts = is_read && !read_known && may_start;       // write-back first, then the read
  wire drops = is_write && s5_hit_q && s5_same_q;
  wire blocked = SHARED != 0 && any_active_i;
  wire word_there = s5_hit_q || (!evicts && (!needed || fetched_q));
  wire writes = is_write && !drops && !blocked && can_version_i && !s5_busy_q && (!needed || room)
                && word_there;
  wire write_starts = is_write && !blocked && (!needed || room) && !word_there && may_start;
  wire walk_starts = is_walk && s5_dirty_q && may_start;
  wire walked = is_walk && (s5_dirty_q ? may_start : !s5_busy_q);
  wire starts = read_starts || write_starts || walk_starts;
  wire starts_back = starts && (evicts || is_walk);
  assign s5_write_o = writes;
  assign s5_drop_o = drops;
  assign s5_work_o = live && s5_kind_q == WORK && can_work_i;
  assign s5_walked_o = walked;
  assign s5_walk_again_o = is_walk && !walked;
  assign s5_again_o = (is_write && !drops && !writes) || (live && s5_kind_q == WORK && !can_work_i);
  assign s5_cause_o = s5_kind_q == WORK ? BY_SM : blocked ? BY_ACTIVE : !can_version_i ? BY_CODE
                    : (needed && !room) ? BY_FULL : BY_MEMORY;
  assign s5_addr_o = s5_addr_q;
  assign s5_data_o = s5_data_q;
  assign s5_scan_o = live && s5_kind_q == SCAN;
  assign save = writes && needed;
  assign saved_o = save;
  assign old_word = s5_hit_q ? s5_word_q : fetched_data_q;
  assign old_error = !s5_hit_q && fetched_error_q;

  always @(posedge clk_i) begin
    ans_valid_o <= !rst_i && ((is_read && !(read_starts && !evicts)) || is_fill);
    ans_retry_o <= is_read && !read_known;
    ans_sm_o <= s5_sm_q;
    ans_slot_o <= s5_slot_q;
    ans_data_o <= is_fill ? s5_data_q : match ? backup_word : s5_word_q;
    ans_error_o <= is_fill ? s5_error_q : match && backup_error;
    s6_we_q <= !rst_i && (put_row_i || starts_back || writes || (is_walk && walked && s5_error_q)
                          || (is_fill && !s5_error_q));
    s6_row_q <= put_row_i ? put_addr_i[IDX_W-1:0] : s5_addr_q[IDX_W-1:0];
    s6_data_q <= put_row_i ? {2'b11, put_wide[CONST_W:IDX_W], put_line_i}
               : {!(is_walk && s5_error_q), writes, starts_back ? s5_held_tag_q : s5_tag_of_addr,
                  starts_back ? s5_word_q : s5_data_q};
    if (rst_i || writes || drops) fetched_q <= 1'b0;
    else if (live && s5_kind_q == FETCHED) fetched_q <= 1'b1;
    if (live && s5_kind_q == FETCHED) begin
      fetched_data_q <= s5_data_q;
      fetched_error_q <= s5_error_q;
    end
  end

  // ---- requests to memory -----------------------------------------------------------------------------
  reg q_valid_q, q_write_q;
  reg [MISS_W-1:0] q_tag_q;
  reg [CONST_W-1:0] q_addr_q;
  reg [WORD_W-1:0] q_data_q;
  wire [CONST_W:0] held_addr = {s5_held_tag_q, s5_addr_q[IDX_W-1:0]};
  wire [CONST_W-1:0] start_addr = (evicts || is_walk) ? held_addr[CONST_W-1:0] : s5_addr_q;
  wire frees_word = live && (s5_kind_q == FILL || s5_kind_q == FETCHED);
  wire frees_ack = got_q && got_ack;
  reg [MISS_W-1:0] place;
  reg g_valid_q, g_back_q;             // a start, one cycle after it was decided
  reg [1:0] g_kind_q;
  reg [MISS_W-1:0] g_place_q;
  reg [CONST_W-1:0] g_addr_q;
  reg [SM_W-1:0] g_sm_q;
  reg [SLOT_W-1:0] g_slot_q;
  reg [WORD_W-1:0] g_data_q;
  integer p;
  always @* begin
    place = {MISS_W{1'b0}};
    for (p = MISSES - 1; p >= 0; p = p - 1) if (!miss_valid_q[p]) place = p[MISS_W-1:0];
  end
  always @(posedge clk_i) begin
    if (rst_i) begin
      q_valid_q <= 1'b0;
      can_start_q <= 1'b0;
      idle_o <= 1'b1;
    end else begin
      q_valid_q <= g_valid_q || (q_valid_q && !mem_req_ready_i);
      can_start_q <= !starts && !g_valid_q && !(q_valid_q && !mem_req_ready_i) && !(&miss_valid_q);
      idle_o <= !starts && !g_valid_q && miss_valid_q == {MISSES{1'b0}};
    end
    place_q <= place;
    g_valid_q <= !rst_i && starts;
    g_back_q <= starts_back;
    g_kind_q <= starts_back ? WRITE_BACK : is_write ? FOR_WRITE : FOR_READ;
    g_place_q <= place_q;
    g_addr_q <= start_addr;
    g_sm_q <= s5_sm_q;
    g_slot_q <= s5_slot_q;
    g_data_q <= s5_word_q;
    if (g_valid_q) begin
      q_write_q <= g_back_q;
      q_tag_q <= g_place_q;
      q_addr_q <= g_addr_q;
      q_data_q <= g_data_q;
      miss_kind_q[g_place_q] <= g_kind_q;
      miss_sm_q[g_place_q] <= g_sm_q;
      miss_slot_q[g_place_q] <= g_slot_q;
    end
    for (p = 0; p < MISSES; p = p + 1)
      if (g_valid_q && g_place_q == p[MISS_W-1:0]) miss_addr_q[p*CONST_W+:CONST_W] <= g_addr_q;
    for (p = 0; p < MISSES; p = p + 1)
      if (rst_i) miss_valid_q[p] <= 1'b0;
      else if (g_valid_q && g_place_q == p[MISS_W-1:0]) miss_valid_q[p] <= 1'b1;
      else if ((frees_word && s5_tag_q == p[MISS_W-1:0]) || (frees_ack && got_tag_q == p[MISS_W-1:0]))
        miss_valid_q[p] <= 1'b0;
  end
  assign moves_o = chosen_q || r_valid_q || f_valid_q || e0_valid_q || e1_valid_q || s1_valid_q || s2_valid_q
      || s3_valid_q || s4_valid_q || s5_valid_q || ans_valid_o || g_valid_q;
  assign mem_read_o = starts && !starts_back;
  assign mem_write_o = starts_back;
  assign mem_req_valid_o = q_valid_q;
  assign mem_req_write_o = q_valid_q && q_write_q;
  assign mem_req_tag_o = q_tag_q;
  assign mem_req_data_o = q_data_q;
  assign mem_req_strb_o = {WORD_W/8{1'b1}};
  generate
    if (LG == 0) begin : g_bytes
      assign mem_req_addr_o = {base_i[ADDR_W-1:CONST_W], q_addr_q};
    end else begin : g_words
      assign mem_req_addr_o = {base_i[ADDR_W-1:CONST_W+LG], q_addr_q, {LG{1'b0}}};
    end
  endgenerate
  wire unused_bits = &{1'b0, s3_wide[IDX_W-1:0], s5_wide[IDX_W-1:0], base_i[CONST_W+LG-1:0],
                       held_addr[CONST_W], save_addr[CONST_W], put_wide[IDX_W-1:0], save_row_i};
endmodule

`default_nettype wire
