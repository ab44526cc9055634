// SPDX-License-Identifier: Apache-2.0
// const_copy: the controller of protocol copy (CC-4 to CC-8). Commands wait in a FIFO of 16 and take
// effect in
// order, one per cycle, after a look into the table of locked rows. Writes go to the L1 of every inactive SM
// that has the current version; they leave, like work items, on one broadcast two registers deep. Active SMs
// stand in a list in the order of their dispatch, so that the oldest version in use is that of its head; a
// bit at each tells that its version is another one than that of the SM before it, and no ages are compared.
// One walk at a time reads the rows of an L1: to copy the locked ones to SMs without a version, or to bring
// L2 to the oldest version in use. When L2 has the current version the epoch ends: no row is locked any
// more. Reset: no SM is active; commands are taken after INIT_CYCLES.
`default_nettype none

module const_copy #(
  parameter SMS = 4,
  parameter SM_W = 2,
  parameter CONST_W = 12,
  parameter WORD_W = 32,
  parameter ROWS_L1 = 256,
  parameter ROWS_L2 = 1024,
  parameter GEN_W = 4,
  parameter INIT_CYCLES = 1024
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_valid_i,
  output reg  cmd_ready_o,
  input  wire [2:0] cmd_kind_i,
  input  wire [CONST_W-1:0] cmd_addr_i,  // of a line
  input  wire cmd_wrong_i,             // no write can go there (CC-15)
  input  wire [WORD_W-1:0] cmd_data_i,
  output reg  cmd_done_o,
  output reg  bad_addr_o,
  output reg  bad_kind_o,

  input  wire [SMS-1:0] done_valid_i,
  input  wire [SMS-1:0] quiet_i,       // no read of the SM is unanswered
  input  wire [SMS-1:0] reads_i,       // a read is taken in this cycle
  output reg  [SMS-1:0] running_o,
  output reg  bad_done_o,
  output reg  [SMS-1:0] inval_o,
  input  wire [SMS-1:0] room_i,        // the L1 can be invalidated

  // the broadcast
  output reg  [SMS-1:0] wr_valid_o,
  output reg  wr_copied_o,             // the word comes from another L1
  output reg  [CONST_W-1:0] bc_addr_o,
  output reg  [WORD_W-1:0] bc_data_o,
  output reg  work_valid_o,
  output reg  [SM_W-1:0] work_sm_o,
  output wire [GEN_W-1:0] epoch_gen_o, // a row with this generation is locked; 0: none is
  output wire launder_o,               // L1s: forget the generations of earlier epochs
  input  wire [SMS-1:0] laundered_i,

  // the walk through an L1
  output wire [SMS-1:0] walk_valid_o,
  output wire [$clog2(ROWS_L1)-1:0] walk_row_o,
  input  wire [SMS-1:0] walk_taken_i,
  input  wire [SMS-1:0] word_valid_i,  // a locked word was found
  input  wire [SMS*CONST_W-1:0] word_addr_i,
  input  wire [SMS*WORD_W-1:0] word_data_i,

  // to const_l2
  output wire op_valid_o,
  output wire [1:0] op_kind_o,
  output wire [CONST_W-1:0] op_addr_o,
  output wire [WORD_W-1:0] op_data_o,
  output wire op_epoch_o,
  output wire op_clears_o,
  input  wire op_taken_i,
  input  wire s5_write_i,
  input  wire s5_walked_i,
  input  wire s5_walk_again_i,
  input  wire s5_again_i,
  input  wire l2_idle_i,

  output wire idle_o,                  // no command waits, no SM is active
  output reg  base_free_o,             // no command since reset or an invalidate
  output wire write_o,                 // a write, a work item takes effect
  output wire work_o,
  output reg  [2:0] wait_o,            // why the oldest command waited in the last cycle; 0: it did not
  output reg  [$clog2(SMS+1)-1:0] versions_o,
  output wire [$clog2(ROWS_L1):0] locked_o,  // rows

  input  wire closed_i,                // no command takes effect, no walk begins or reads a row
  input  wire stops_i,                 // that, or a halt request comes: what leaves without a ready waits
  output wire moves_o,                 // something is under way, rows that a walk has read apart

  // a context
  output wire cleared_o,               // behind a reset: all rows are
  input  wire save_i,
  input  wire load_i,
  input  wire save_moves_i,            // the word of an SM leaves
  input  wire save_word_i,             // a word of an L1 is to be shown
  input  wire [4:0] save_record_i,     // of the commands
  input  wire [SM_W-1:0] save_sm_i,    // of the SMs
  input  wire [SM_W-1:0] save_l1_i,    // of the L1s
  input  wire [$clog2(ROWS_L1)-1:0] save_row_i,
  output wire ahead_o,
  output wire [31:0] sm_o,
  output wire [SMS-1:0] active_o,
  output wire cmd_some_o,
  output wire [1:0] save_kind_o,
  output wire [CONST_W-1:0] save_addr_o,
  output wire [WORD_W-1:0] save_line_o,
  output wire lock_some_o,             // a cycle later
  output wire [CONST_W-1:0] lock_addr_o,
  output wire saved_some_o,            // a word of an L1, four cycles later
  output wire [CONST_W-1:0] saved_addr_o,
  output wire [WORD_W-1:0] saved_line_o,
  output wire full_o,                  // no place for another command
  output wire even_o,                  // L2 has the current version
  output wire have_o,                  // the SM of the L1 has a version
  input  wire put_regs_i,              // what comes in
  input  wire put_sm_i,
  input  wire put_lock_i,
  input  wire put_word_i,
  input  wire put_cmd_i,
  input  wire put_ahead_i,
  input  wire put_free_i,
  input  wire [SM_W-1:0] put_sm_number_i,  // its current bit comes
  input  wire [SM_W-1:0] put_l1_i,
  input  wire [31:0] put_head_i,       // of an SM: {it is in the list, first, current, .., number}
  input  wire [1:0] put_kind_i,
  input  wire [CONST_W-1:0] put_addr_i,
  input  wire [WORD_W-1:0] put_line_i
);
  localparam [1:0] WRITE = 2'd1, WALK = 2'd3;
  localparam [2:0] CMD_WRITE = 3'd0, CMD_WORK = 3'd1, CMD_INVALIDATE = 3'd3;  // 2: flush
  localparam [2:0] BY_SM = 3'd1, BY_ACTIVE = 3'd2, BY_LOCK = 3'd3, BY_COPY = 3'd4, BY_UPDATE = 3'd5,
    BY_SWEEP = 3'd6;
  localparam INIT_W = $clog2(INIT_CYCLES + 1), IDX_W = $clog2(ROWS_L2), ROW_W = $clog2(ROWS_L1);
  localparam [INIT_W-1:0] INIT = INIT_CYCLES[INIT_W-1:0];
  localparam FIFO_W = 2 + CONST_W + WORD_W, TAG_W = CONST_W + 1 - ROW_W, N_W = $clog2(SMS + 2);
  localparam [N_W-1:0] ONE_N = 1;
  localparam [GEN_W-1:0] LAST_GEN = {GEN_W{1'b1}}, FIRST_GEN = 1;

  // ---- input ------------------------------------------------------------------------------------------
  reg [INIT_W-1:0] init_q;
  wire taken = cmd_valid_i && cmd_ready_o;
  wire wrong_addr = cmd_kind_i == CMD_WRITE && cmd_wrong_i;
  wire takes = taken && !cmd_kind_i[2] && !wrong_addr;
  wire push = takes || put_cmd_i;
  reg [FIFO_W-1:0] fifo_q [0:15];
  reg [3:0] in_q, next_q;
  reg [4:0] count_q;
  wire loads;
  wire [4:0] count_d = count_q + {4'd0, push} - {4'd0, loads};
  always @(posedge clk_i) begin
    if (push) fifo_q[in_q] <= put_cmd_i ? {put_kind_i, put_addr_i, put_line_i}
                                         : {cmd_kind_i[1:0], cmd_addr_i, cmd_data_i};
    bad_addr_o <= !rst_i && taken && wrong_addr;
    bad_kind_o <= !rst_i && taken && cmd_kind_i[2];
    if (rst_i) begin
      init_q <= {INIT_W{1'b0}};
      in_q <= 4'd0;
      next_q <= 4'd0;
      count_q <= 5'd0;
      cmd_ready_o <= 1'b0;
    end else begin
      if (init_q != INIT) init_q <= init_q + 1'b1;
      in_q <= in_q + {3'd0, push};
      next_q <= next_q + {3'd0, loads};
      count_q <= count_d;
      cmd_ready_o <= init_q == INIT && !count_d[4];
    end
  end

  // ---- the table of locked rows: {generation, tag} ----------------------------------------------------
  // Stages: c (the row is read), d (it is registered), e (the command takes effect, or waits). A row that a
  // write ahead may change is not looked at.
  reg c_valid_q, d_valid_q, e_valid_q, launder_q, clear_q;
  reg [1:0] c_kind_q, d_kind_q, e_kind_q;
  reg [CONST_W-1:0] c_addr_q, d_addr_q, e_addr_q;
  reg [WORD_W-1:0] c_data_q, d_data_q, e_data_q;
  reg e_other_q, e_known_q;            // the row is locked for another address, for this one
  reg [GEN_W+TAG_W-1:0] d_row_q;
  reg [GEN_W-1:0] gen_q, next_gen_q;
  wire [1:0] f_kind;
  wire [CONST_W-1:0] f_addr;
  wire [WORD_W-1:0] f_data;
  // Of a save: stages e, d, c, as many as are there, then what waits.
  wire [4:0] staged = {4'd0, c_valid_q} + {4'd0, d_valid_q} + {4'd0, e_valid_q};
  wire [4:0] behind = save_record_i - staged;
  wire in_stage = save_record_i < staged;
  wire from_e = save_record_i == 5'd0 && e_valid_q;
  wire from_d = d_valid_q && save_record_i == {4'd0, e_valid_q};
  wire [3:0] save_at = next_q + behind[3:0];
  assign {f_kind, f_addr, f_data} = fifo_q[save_i ? save_at : next_q];
  assign cmd_some_o = in_stage || behind < count_q;
  assign save_kind_o = !in_stage ? f_kind : from_e ? e_kind_q : from_d ? d_kind_q : c_kind_q;
  assign save_addr_o = !in_stage ? f_addr : from_e ? e_addr_q : from_d ? d_addr_q : c_addr_q;
  assign save_line_o = !in_stage ? f_data : from_e ? e_data_q : from_d ? d_data_q : c_data_q;
  assign full_o = count_q[4] || (put_cmd_i && &count_q[3:0]);
  assign cleared_o = init_q == INIT && !clear_q;
  wire e_leaves;
  wire advance = !e_valid_q || e_leaves;
  wire [ROW_W-1:0] f_row = f_addr[ROW_W-1:0], c_row = c_addr_q[ROW_W-1:0], d_row = d_addr_q[ROW_W-1:0],
                   e_row = e_addr_q[ROW_W-1:0];
  wire same_row = (c_valid_q && c_kind_q == CMD_WRITE[1:0] && c_row == f_row)
               || (d_valid_q && d_kind_q == CMD_WRITE[1:0] && d_row == f_row)
               || (e_valid_q && e_kind_q == CMD_WRITE[1:0] && e_row == f_row);
  // Commands of a context fill the stages without a gap, so that all find room.
  wire may_load = !save_i && (!load_i || count_q >= 5'd3 || c_valid_q);
  assign loads = advance && count_q != 5'd0 && !same_row && may_load;
  reg [ROW_W-1:0] clear_row_q;
  wire [CONST_W:0] e_wide = {1'b0, e_addr_q}, d_wide = {1'b0, d_addr_q};
  wire [GEN_W+TAG_W-1:0] row;
  wire [CONST_W:0] put_wide = {1'b0, put_addr_i};
  ram_1r1w #(.WIDTH(GEN_W + TAG_W), .DEPTH(ROWS_L1)) u_locked (
    .clk_i(clk_i), .we_i(clear_q || write_o || put_lock_i),
    .waddr_i(clear_q ? clear_row_q : put_lock_i ? put_addr_i[ROW_W-1:0] : e_row),
    .wdata_i(clear_q ? {GEN_W+TAG_W{1'b0}}
                     : {gen_q, put_lock_i ? put_wide[CONST_W:ROW_W] : e_wide[CONST_W:ROW_W]}),
    .raddr_i(save_i ? save_row_i : advance ? f_row : c_row), .rdata_o(row));
  wire epoch_ends;
  wire d_locked = d_row_q[TAG_W+:GEN_W] == gen_q && gen_q != {GEN_W{1'b0}};
  wire d_same = d_row_q[TAG_W-1:0] == d_wide[CONST_W:ROW_W];
  always @(posedge clk_i) begin
    if (rst_i) begin
      c_valid_q <= 1'b0;
      d_valid_q <= 1'b0;
      e_valid_q <= 1'b0;
    end else if (advance) begin
      c_valid_q <= loads;
      d_valid_q <= c_valid_q;
      e_valid_q <= d_valid_q;
    end
    if (advance) begin
      {c_kind_q, c_addr_q, c_data_q} <= {f_kind, f_addr, f_data};
      {d_kind_q, d_addr_q, d_data_q} <= {c_kind_q, c_addr_q, c_data_q};
      {e_kind_q, e_addr_q, e_data_q} <= {d_kind_q, d_addr_q, d_data_q};
    end
    // a row from before the wrap of generations must not look like one of the next epochs
    if (launder_q) d_row_q <= {GEN_W+TAG_W{1'b0}};
    else if (advance) d_row_q <= row;
    if (epoch_ends) {e_other_q, e_known_q} <= 2'b00;
    else if (advance) {e_other_q, e_known_q} <= {d_locked && !d_same, d_locked && d_same};
  end

  // ---- SMs --------------------------------------------------------------------------------------------
  // hold: is to be invalidated; leaving: is in the list
  reg [SMS-1:0] active_q, current_q, hold_q, leaving_q;
  reg active_any_q, copying_q, walking_q;
  reg [N_W-1:0] n_q;                   // steps between versions from L2's to the current one
  wire even = n_q == {N_W{1'b0}};      // L2 has the current version: an empty L1 has it, too
  wire [SMS-1:0] idle = ~active_q & ~hold_q;
  wire [SMS-1:0] targets = idle & (current_q | {SMS{even}});
  wire [SMS-1:0] available = targets & ~leaving_q;
  wire [SMS-1:0] lowest = available & (~available + 1'b1);
  wire e_write = e_valid_q && e_kind_q == CMD_WRITE[1:0], e_work = e_valid_q && e_kind_q == CMD_WORK[1:0];
  wire e_sync = e_valid_q && e_kind_q[1];
  reg [SMS-1:0] source_q;              // of the walk
  reg [SMS-1:0] receivers_q;           // of a copy
  wire blocked = walking_q && (copying_q || |(source_q & ~active_q));  // the source must stay as it is
  assign write_o = e_write && |targets && !e_other_q && !launder_q && !blocked && !closed_i;
  assign work_o = e_work && |available && !copying_q && !stops_i;
  wire sync_done;
  assign e_leaves = write_o || work_o || sync_done;
  wire [SMS-1:0] starts = lowest & {SMS{work_o}};
  wire comes = put_sm_i && put_head_i[31];
  wire [SM_W-1:0] comes_sm = put_head_i[SM_W-1:0];
  // a shift by what has not come yet would be unknown
  wire [SMS-1:0] comes_bit = ({{SMS-1{1'b0}}, 1'b1} << comes_sm) & {SMS{comes}};
  wire [SMS-1:0] put_bit = ({{SMS-1{1'b0}}, 1'b1} << put_sm_number_i) & {SMS{put_sm_i}};
  wire [SMS-1:0] done = done_valid_i & quiet_i & ~reads_i;
  wire [SMS-1:0] completes = done & running_o;
  wire [SMS-1:0] active_d = (active_q & ~completes) | starts | comes_bit;
  assign active_o = active_q;
  wire [SMS-1:0] can_inval = hold_q & room_i & ~(source_q & {SMS{walking_q}});
  wire empties;
  wire copy_done;
  wire [SMS-1:0] unlinked;
  reg [SM_W-1:0] lowest_sm;
  integer i;
  always @* begin
    lowest_sm = {SM_W{1'b0}};
    for (i = 0; i < SMS; i = i + 1) if (lowest[i]) lowest_sm = lowest_sm | i[SM_W-1:0];
  end
  reg [SMS-1:0] told_q, wr1_q;
  reg [CONST_W-1:0] bc1_addr_q;
  reg [WORD_W-1:0] bc1_data_q;
  reg work1_q, wr1_copied_q;
  reg [SM_W-1:0] work1_sm_q;
  reg word_valid_q;
  reg [CONST_W-1:0] word_addr_q;
  reg [WORD_W-1:0] word_data_q;
  wire copies = word_valid_q && copying_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      active_q <= {SMS{1'b0}};
      active_any_q <= 1'b0;
      current_q <= {SMS{1'b1}};
      hold_q <= {SMS{1'b0}};
      leaving_q <= {SMS{1'b0}};
      inval_o <= {SMS{1'b0}};
      running_o <= {SMS{1'b0}};
      told_q <= {SMS{1'b0}};
      wr1_q <= {SMS{1'b0}};
      wr_valid_o <= {SMS{1'b0}};
      work1_q <= 1'b0;
      work_valid_o <= 1'b0;
    end else begin
      active_q <= active_d;
      active_any_q <= |active_d;
      if (load_i) current_q <= (current_q & ~put_bit) | (put_bit & {SMS{put_head_i[29]}});
      else current_q <= write_o ? targets
                      : (current_q | (idle & {SMS{even}}) | (receivers_q & {SMS{copy_done}}));
      hold_q <= (hold_q & ~can_inval) | (completes & (~current_q | {SMS{write_o}})) | {SMS{empties}};
      leaving_q <= (leaving_q & ~unlinked) | completes;
      inval_o <= can_inval;
      running_o <= (running_o & ~completes) | told_q | comes_bit;
      told_q <= starts;
      wr1_q <= put_word_i ? {{SMS-1{1'b0}}, 1'b1} << put_l1_i
             : copies ? receivers_q : targets & {SMS{write_o}};
      wr_valid_o <= wr1_q;
      work1_q <= work_o;
      work_valid_o <= work1_q;
    end
    bad_done_o <= !rst_i && |(done & ~running_o);
    work1_sm_q <= lowest_sm;
    work_sm_o <= work1_sm_q;
    wr1_copied_q <= copies;
    wr_copied_o <= wr1_copied_q;
    bc1_addr_q <= put_word_i ? put_addr_i : copies ? word_addr_q : e_addr_q;
    bc1_data_q <= put_word_i ? put_line_i : copies ? word_data_q : e_data_q;
    bc_addr_o <= bc1_addr_q;
    bc_data_o <= bc1_data_q;
  end
  assign idle_o = count_q == 5'd0 && !c_valid_q && !d_valid_q && !e_valid_q && !active_any_q;

  // ---- versions: active SMs in the order of their dispatch --------------------------------------------
  // first_q[s]: the version of s is not that of the SM before it, at the head not L2's. ahead_q: the current
  // version is not that of the last SM, with an empty list not L2's. One SM is taken out at a time, in a
  // cycle
  // in which no command takes effect and no walk ends.
  reg [SMS-1:0] first_q;
  reg ahead_q, some_q;                 // some_q: the list is not empty
  reg [SM_W-1:0] next_sm_q [0:SMS-1], prev_sm_q [0:SMS-1];
  reg [SM_W-1:0] head_q, tail_q, out_q;
  reg out_valid_q;                     // out_q leaves the list
  reg exact_q;                         // an update under way is for the version at the head of the list
  wire update_done;
  wire unlinks = out_valid_q && !write_o && !work_o && !update_done;
  wire [SM_W-1:0] out_next = next_sm_q[out_q], out_prev = prev_sm_q[out_q];
  wire out_head = out_q == head_q, out_tail = out_q == tail_q;
  wire out_first = first_q[out_q], then_first = out_tail ? ahead_q : first_q[out_next];
  wire [SMS-1:0] out_bit = {{SMS-1{1'b0}}, 1'b1} << out_q;
  assign unlinked = out_bit & {SMS{unlinks}};
  wire [SMS-1:0] to_leave = leaving_q & ~(out_bit & {SMS{out_valid_q}});
  wire [SMS-1:0] leaves_first = to_leave & (~to_leave + 1'b1);
  reg [SM_W-1:0] leaves_sm;
  always @* begin
    leaves_sm = {SM_W{1'b0}};
    for (i = 0; i < SMS; i = i + 1) if (leaves_first[i]) leaves_sm = leaves_sm | i[SM_W-1:0];
  end
  wire head_first = some_q ? first_q[head_q] : ahead_q;  // L2 has not the oldest version in use
  wire catches_up = update_done && exact_q && head_first;
  wire write_begins = write_o && !ahead_q;
  wire appends = work_o || comes;
  wire step_comes = (comes && put_head_i[30]) || (put_regs_i && put_ahead_i);
  wire [SM_W-1:0] next_sm = comes ? comes_sm : lowest_sm;
  wire merges = unlinks && out_first && then_first;
  always @(posedge clk_i) begin
    if (rst_i) begin
      first_q <= {SMS{1'b0}};
      ahead_q <= 1'b0;
      some_q <= 1'b0;
      out_valid_q <= 1'b0;
      n_q <= {N_W{1'b0}};
    end else begin
      if (!out_valid_q || unlinks) out_valid_q <= |to_leave;
      n_q <= n_q + {{N_W-1{1'b0}}, write_begins || step_comes} - (catches_up ? ONE_N : {N_W{1'b0}})
                 - (merges ? ONE_N : {N_W{1'b0}});
      if (put_regs_i) ahead_q <= put_ahead_i;
      else if (write_o) ahead_q <= 1'b1;
      else if (work_o || (catches_up && !some_q)) ahead_q <= 1'b0;
      else if (unlinks && out_tail && out_first) ahead_q <= 1'b1;
      if (appends) some_q <= 1'b1;
      else if (unlinks && out_head && out_tail) some_q <= 1'b0;
      for (i = 0; i < SMS; i = i + 1)
        if (appends && next_sm == i[SM_W-1:0]) first_q[i] <= comes ? put_head_i[30] : ahead_q;
        else if (catches_up && some_q && head_q == i[SM_W-1:0]) first_q[i] <= 1'b0;
        else if (unlinks && !out_tail && out_first && out_next == i[SM_W-1:0]) first_q[i] <= 1'b1;
    end
    if (!out_valid_q || unlinks) out_q <= leaves_sm;
    if (appends) begin
      if (!some_q) head_q <= next_sm;
      tail_q <= next_sm;
      prev_sm_q[next_sm] <= tail_q;
      if (some_q) next_sm_q[tail_q] <= next_sm;
    end else if (unlinks) begin
      if (out_head) head_q <= out_next;
      else if (!out_tail) next_sm_q[out_prev] <= out_next;
      if (out_tail) tail_q <= out_prev;
      else prev_sm_q[out_next] <= out_prev;
    end
  end
  // Of a save: the list from its head on, and whether an SM has the current version.
  reg [SM_W-1:0] list_q;
  reg listed_q;                        // there is one more
  always @(posedge clk_i) begin
    if (!save_i) listed_q <= some_q;
    else if (save_moves_i && list_q == tail_q) listed_q <= 1'b0;
    if (!save_i) list_q <= head_q;
    else if (save_moves_i) list_q <= next_sm_q[list_q];
  end
  wire [SMS-1:0] have = active_q & current_q | ~active_q & ~hold_q & (current_q | {SMS{even}});
  wire [SM_W-1:0] list_sm = list_q & {SM_W{listed_q}};
  assign sm_o = {listed_q, listed_q && first_q[list_q], have[save_sm_i], {29-SM_W{1'b0}}, list_sm};
  assign ahead_o = ahead_q;
  assign lock_some_o = row[TAG_W+:GEN_W] == gen_q && gen_q != {GEN_W{1'b0}} && !even;
  wire [CONST_W:0] lock_addr = {row[TAG_W-1:0], save_row_i};
  assign lock_addr_o = lock_addr[CONST_W-1:0];
  reg saved_q;
  wire [SMS-1:0] shows = {{SMS-1{1'b0}}, 1'b1} << save_l1_i;
  always @(posedge clk_i) saved_q <= |word_valid_i;
  assign even_o = even;
  assign have_o = active_q[save_l1_i] || have[save_l1_i];
  assign saved_some_o = saved_q && !even && have_o;
  assign saved_addr_o = word_addr_q;
  assign saved_line_o = word_data_q;

  // Versions in use: a group of SMs for each bit, and the one that L2's version has.
  always @(posedge clk_i)
    versions_o <= (rst_i || !some_q) ? {$clog2(SMS+1){1'b0}}
                : n_q[$clog2(SMS+1)-1:0] - {{$clog2(SMS+1)-1{1'b0}}, ahead_q}
                  + {{$clog2(SMS+1)-1{1'b0}}, !head_first};

  // ---- the epoch --------------------------------------------------------------------------------------
  reg [ROW_W:0] locked_q;
  reg [ROW_W-1:0] low_q, high_q;       // locked rows lie between
  wire some_locked = locked_q != {ROW_W+1{1'b0}};
  wire [ROW_W-1:0] locks_row = put_lock_i ? put_addr_i[ROW_W-1:0] : e_row;
  wire laundered = launder_q && !clear_q && &laundered_i;
  assign epoch_ends = even && some_locked && !write_o && !walking_q;
  assign epoch_gen_o = gen_q;
  assign launder_o = launder_q;
  assign locked_o = locked_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      gen_q <= FIRST_GEN;
      next_gen_q <= FIRST_GEN + FIRST_GEN;
      locked_q <= {ROW_W+1{1'b0}};
      launder_q <= 1'b0;
      clear_q <= 1'b1;
      clear_row_q <= {ROW_W{1'b0}};
    end else begin
      if (epoch_ends) begin
        gen_q <= next_gen_q;
        launder_q <= gen_q == LAST_GEN;
        locked_q <= {ROW_W+1{1'b0}};
      end else begin
        if (laundered) begin
          gen_q <= FIRST_GEN;
          launder_q <= 1'b0;
        end
        if ((write_o && !e_known_q) || put_lock_i) locked_q <= locked_q + 1'b1;
      end
      next_gen_q <= gen_q + 1'b1;
      if (epoch_ends && gen_q == LAST_GEN) clear_q <= 1'b1;
      else if (&clear_row_q) clear_q <= 1'b0;
      if (clear_q) clear_row_q <= clear_row_q + 1'b1;
    end
    if (write_o || put_lock_i) begin
      if (!some_locked || locks_row < low_q) low_q <= locks_row;
      if (!some_locked || locks_row > high_q) high_q <= locks_row;
    end
  end

  // ---- the walk ---------------------------------------------------------------------------------------
  // settle: writes on the broadcast reach the source; run: rows are read; drain: the last ones are on
  // the way.
  localparam [3:0] SETTLE = 4'd6, DRAIN = 4'd6;
  reg [3:0] settle_q, drain_q;
  reg run_q, room_q;
  reg [ROW_W-1:0] walk_row_q;
  wire walk_takes = |walk_taken_i && !closed_i;
  wire u_empty;
  wire none_current = (targets == {SMS{1'b0}});
  wire wants_copy = none_current && |idle && ((e_write && !e_other_q) || e_work);
  wire rests = count_q == 5'd0 && !c_valid_q && !d_valid_q && !e_valid_q;
  wire update_may = some_q ? !leaving_q[head_q] : rests || e_sync || (e_write && e_other_q);
  wire wants_update = head_first && update_may;
  wire starts_copy = !walking_q && wants_copy && !closed_i;
  wire starts_update = !walking_q && !wants_copy && wants_update && !launder_q && !closed_i;
  // the lowest SM with the current version; an inactive one if there is one
  wire [SMS-1:0] holders = none_current ? current_q & ~hold_q : targets & current_q;
  wire [SMS-1:0] first_holder = holders & (~holders + 1'b1);
  wire [SMS-1:0] head_bit = {{SMS-1{1'b0}}, 1'b1} << head_q;
  wire walk_ends = walking_q && settle_q == 4'd0 && !run_q && drain_q == 4'd0;
  assign copy_done = walk_ends && copying_q;
  assign update_done = walk_ends && !copying_q && u_empty && !work_o;
  assign walk_valid_o = save_word_i ? shows : source_q & {SMS{run_q && room_q && !closed_i}};
  assign walk_row_o = save_word_i ? save_row_i : walk_row_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      walking_q <= 1'b0;
      run_q <= 1'b0;
      copying_q <= 1'b0;
      settle_q <= 4'd0;
      drain_q <= 4'd0;
    end else begin
      if (starts_copy || starts_update) walking_q <= 1'b1;
      else if (copy_done || update_done) walking_q <= 1'b0;
      if (!walking_q) begin
        copying_q <= starts_copy;
        settle_q <= SETTLE;
        run_q <= 1'b0;
      end else if (settle_q != 4'd0) begin
        settle_q <= settle_q - 4'd1;
        run_q <= settle_q == 4'd1;
      end else if (walk_takes && walk_row_q == high_q) run_q <= 1'b0;
      if (run_q) drain_q <= DRAIN;
      else if (drain_q != 4'd0) drain_q <= drain_q - 4'd1;
    end
    if (!walking_q) begin
      source_q <= (starts_copy || !some_q) ? first_holder : head_bit;
      receivers_q <= idle & ~current_q;
    end
    if (!run_q) walk_row_q <= low_q;
    else if (walk_takes) walk_row_q <= walk_row_q + 1'b1;
    if (!walking_q) exact_q <= 1'b1;
    else if (unlinks && out_head && then_first) exact_q <= 1'b0;
  end

  // The word that the source found, from a row read three cycles before.
  reg [CONST_W-1:0] word_addr;
  reg [WORD_W-1:0] word_data;
  always @* begin
    word_addr = {CONST_W{1'b0}};
    word_data = {WORD_W{1'b0}};
    for (i = 0; i < SMS; i = i + 1) begin
      word_addr = word_addr | (word_addr_i[i*CONST_W+:CONST_W] & {CONST_W{word_valid_i[i]}});
      word_data = word_data | (word_data_i[i*WORD_W+:WORD_W] & {WORD_W{word_valid_i[i]}});
    end
  end
  always @(posedge clk_i) begin
    word_valid_q <= !rst_i && |word_valid_i && !save_i;
    word_addr_q <= word_addr;
    word_data_q <= word_data;
  end

  // ---- words for L2: issued in order, repeated from the first one that has to wait ----------------------
  reg [CONST_W+WORD_W-1:0] u_fifo_q [0:31];
  reg [5:0] u_in_q, u_next_q, u_oldest_q;
  reg u_valid_q, u_epoch_q;
  reg [CONST_W-1:0] u_addr_q;
  reg [WORD_W-1:0] u_data_q;
  wire u_push = word_valid_q && !copying_q;
  reg walk_offer_q;
  wire u_leaves = u_valid_q && op_taken_i && !walk_offer_q;
  wire u_loads = (!u_valid_q || u_leaves) && u_next_q != u_in_q;
  wire [5:0] u_held = u_in_q - u_oldest_q;
  assign u_empty = u_in_q == u_oldest_q && !word_valid_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      u_in_q <= 6'd0;
      u_next_q <= 6'd0;
      u_oldest_q <= 6'd0;
      u_valid_q <= 1'b0;
      u_epoch_q <= 1'b0;
      room_q <= 1'b0;
    end else begin
      u_in_q <= u_in_q + {5'd0, u_push};
      u_oldest_q <= u_oldest_q + {5'd0, s5_write_i};
      room_q <= u_held < 6'd20;
      if (s5_again_i) begin
        u_next_q <= u_oldest_q;
        u_valid_q <= 1'b0;
        u_epoch_q <= !u_epoch_q;
      end else begin
        u_next_q <= u_next_q + {5'd0, u_loads};
        u_valid_q <= u_loads || (u_valid_q && !u_leaves);
      end
    end
    if (u_push) u_fifo_q[u_in_q[4:0]] <= {word_addr_q, word_data_q};
    if (u_loads) {u_addr_q, u_data_q} <= u_fifo_q[u_next_q[4:0]];
  end

  // ---- flush and invalidate: a walk over L2, then memory's answers, then the L1s ----------------------
  reg walk_q, drain_mem_q, empty_q;
  reg [IDX_W-1:0] l2_row_q;
  assign op_valid_o = u_valid_q || walk_offer_q;
  assign op_kind_o = walk_offer_q ? WALK : WRITE;
  assign op_addr_o = walk_offer_q ? {{CONST_W-IDX_W{1'b0}}, l2_row_q} : u_addr_q;
  assign op_data_o = u_data_q;
  assign op_epoch_o = u_epoch_q;
  assign op_clears_o = e_kind_q == CMD_INVALIDATE[1:0];
  wire sync_starts = e_sync && !active_any_q && !some_q && even && !walking_q && !walk_q && !drain_mem_q
                  && !empty_q && !closed_i;
  wire memory_ends = l2_idle_i && !stops_i;
  wire drained = drain_mem_q && memory_ends;
  assign empties = drained && op_clears_o;
  assign sync_done = (drained && !op_clears_o) || (empty_q && hold_q == {SMS{1'b0}} && !stops_i);
  always @(posedge clk_i) begin
    cmd_done_o <= !rst_i && sync_done;
    if (rst_i) begin
      walk_q <= 1'b0;
      walk_offer_q <= 1'b0;
      drain_mem_q <= 1'b0;
      empty_q <= 1'b0;
      base_free_o <= 1'b1;
    end else begin
      if (sync_starts) walk_q <= 1'b1;
      else if (s5_walked_i && &l2_row_q) walk_q <= 1'b0;
      walk_offer_q <= sync_starts || s5_walk_again_i || (s5_walked_i && !(&l2_row_q))
                      || (walk_offer_q && !op_taken_i);
      drain_mem_q <= (s5_walked_i && &l2_row_q) || (drain_mem_q && !memory_ends);
      empty_q <= empties || (empty_q && !sync_done);
      if (put_regs_i) base_free_o <= put_free_i;
      else if (takes) base_free_o <= 1'b0;
      else if (empty_q && sync_done && count_q == 5'd0 && !c_valid_q && !d_valid_q) base_free_o <= 1'b1;
    end
    if (!walk_q) l2_row_q <= {IDX_W{1'b0}};
    else if (s5_walked_i) l2_row_q <= l2_row_q + 1'b1;
  end

  // ---- why the oldest command waits (CC-16) -----------------------------------------------------------
  always @(posedge clk_i)
    if (rst_i || stops_i || !e_valid_q || e_leaves) wait_o <= 3'd0;
    else if (e_sync) wait_o <= active_any_q ? BY_ACTIVE : (walking_q || !even) ? BY_UPDATE : 3'd0;
    else if (e_write && e_other_q) wait_o <= BY_LOCK;
    else if (e_write && launder_q) wait_o <= BY_SWEEP;
    else if (idle == {SMS{1'b0}}) wait_o <= |hold_q ? BY_SWEEP : e_work ? BY_SM : BY_ACTIVE;
    else if (walking_q && copying_q) wait_o <= BY_COPY;
    else if (none_current) wait_o <= walking_q ? BY_UPDATE : BY_COPY;  // an update ends before a copy begins
    else wait_o <= e_work ? BY_SM : BY_UPDATE;
  wire unused = &{1'b0, e_wide[ROW_W-1:0], d_wide[ROW_W-1:0], put_wide[ROW_W-1:0],
                   lock_addr[CONST_W], put_head_i};

  // A walk rests between two rows, or before words that L2 does not take.
  wire walk_moves = walking_q && (settle_q != 4'd0 || (!run_q && (drain_q != 4'd0 || copying_q || u_empty)));
  assign moves_o = work1_q || |wr1_q || |wr_valid_o || word_valid_q || |leaving_q || out_valid_q || walk_moves
                   || (even && some_locked && !walking_q);
endmodule

`default_nettype wire
