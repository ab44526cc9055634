// SPDX-License-Identifier: Apache-2.0
// const_controller: the command stream and what it knows of SMs and versions. Commands wait in a FIFO of 16,
// enter const_l2's pipeline in order, one per cycle, and take effect in its stage 5; one that must wait there
// is repeated with all behind it (the epoch turns, and with it those under way are dropped). Writes and work
// items that took effect leave on one broadcast, two registers deep, so that an item never overtakes the
// writes before it. A version has a code; codes are named by one bit in masks and given out again after a
// scan of the backup (CC-10, CC-11). Reset: no SM is active; commands are taken after INIT_CYCLES, when all
// rows are cleared.
`default_nettype none

module const_controller #(
  parameter SHARED = 0,
  parameter SMS = 4,
  parameter SM_W = 2,
  parameter CONST_W = 12,
  parameter WORD_W = 32,
  parameter ROWS_L2 = 1024,
  parameter SETS = 128,
  parameter CODES = 15,
  parameter CODE_W = 4,
  parameter DROP_REPEATS = 0,
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
  output reg  [CONST_W-1:0] bc_addr_o,
  output reg  [WORD_W-1:0] bc_data_o,
  output reg  work_valid_o,
  output reg  [SM_W-1:0] work_sm_o,

  // to const_l2
  output wire op_valid_o,
  output wire [1:0] op_kind_o,
  output wire [CONST_W-1:0] op_addr_o,
  output wire [WORD_W-1:0] op_data_o,
  output wire op_epoch_o,
  output wire op_clears_o,
  input  wire op_taken_i,
  output wire epoch_o,
  input  wire s5_write_i,
  input  wire s5_drop_i,
  input  wire s5_work_i,
  input  wire s5_is_work_i,
  input  wire s5_walked_i,
  input  wire s5_walk_again_i,
  input  wire s5_again_i,
  input  wire [2:0] s5_cause_i,
  input  wire [CONST_W-1:0] s5_addr_i,
  input  wire [WORD_W-1:0] s5_data_i,
  output wire any_active_o,
  output wire can_work_o,
  output wire can_version_o,
  output wire [CODES-1:0] used_o,
  input  wire [SM_W-1:0] s1_sm_i,
  output wire [CODE_W-1:0] s1_code_o,
  output wire scan_valid_o,
  output wire [CONST_W-1:0] scan_set_o,
  input  wire scan_taken_i,
  input  wire l2_idle_i,

  output wire idle_o,                  // no command waits, no SM is active
  output reg  base_free_o,             // no command since reset or an invalidate
  output reg  [2:0] wait_o,            // why the oldest command waited in the last cycle; 0: it did not
  output wire [$clog2(SMS+1)-1:0] versions_o,
  output wire version_counted_o,

  input  wire closed_i,                // flush and invalidate begin nothing
  input  wire stops_i,                 // that, or a halt request comes: what leaves without a ready waits
  output wire moves_o,                 // something is on the broadcast

  // a context
  output wire cleared_o,               // behind a reset: all rows are
  input  wire save_i,
  input  wire [4:0] save_record_i,     // of the commands
  input  wire [SM_W-1:0] save_sm_i,    // of the SMs; its code comes by s1_code_o
  output wire [CODE_W-1:0] current_o,
  output wire [31:0] sm_o,
  output wire cmd_some_o,
  output wire [1:0] save_kind_o,
  output wire [CONST_W-1:0] save_addr_o,
  output wire [WORD_W-1:0] save_line_o,
  input  wire put_regs_i,              // what comes in
  input  wire put_sm_i,
  input  wire put_cmd_i,
  input  wire commit_i,
  input  wire [SM_W-1:0] put_sm_number_i,
  input  wire [CODE_W-1:0] put_current_i,
  input  wire put_free_i,
  input  wire put_active_i,
  input  wire [CODE_W-1:0] put_code_i,
  input  wire [1:0] put_kind_i,
  input  wire [CONST_W-1:0] put_addr_i,
  input  wire [WORD_W-1:0] put_line_i
);
  localparam [1:0] WRITE = 2'd1, WORK = 2'd2, WALK = 2'd3;
  localparam [2:0] CMD_WRITE = 3'd0, CMD_WORK = 3'd1, CMD_INVALIDATE = 3'd3;  // 2: flush
  localparam [2:0] BY_SM = 3'd1, BY_ACTIVE = 3'd2, BY_FULL = 3'd3, BY_CODE = 3'd4,
    BY_SWEEP = 3'd6;                   // 5: memory, of L2
  localparam INIT_W = $clog2(INIT_CYCLES + 1), IDX_W = $clog2(ROWS_L2);
  localparam [INIT_W-1:0] INIT = INIT_CYCLES[INIT_W-1:0];
  localparam FIFO_W = 2 + CONST_W + WORD_W;

  // ---- input ------------------------------------------------------------------------------------------
  reg [INIT_W-1:0] init_q;
  wire taken = cmd_valid_i && cmd_ready_o;
  wire wrong_addr = cmd_kind_i == CMD_WRITE && cmd_wrong_i;
  wire takes = taken && !cmd_kind_i[2] && !wrong_addr;
  wire push = takes || put_cmd_i;
  reg [FIFO_W-1:0] fifo_q [0:15];
  // of the next push, to issue next, oldest not done; bit 4 tells rounds apart
  reg [4:0] in_q, next_q, oldest_q;
  reg [4:0] count_q;
  wire commit;
  wire [4:0] count_d = count_q + {4'd0, push} - {4'd0, commit};
  always @(posedge clk_i) begin
    if (push) fifo_q[in_q[3:0]] <= put_cmd_i ? {put_kind_i, put_addr_i, put_line_i}
                                              : {cmd_kind_i[1:0], cmd_addr_i, cmd_data_i};
    bad_addr_o <= !rst_i && taken && wrong_addr;
    bad_kind_o <= !rst_i && taken && cmd_kind_i[2];
    if (rst_i) begin
      init_q <= {INIT_W{1'b0}};
      in_q <= 5'd0;
      count_q <= 5'd0;
      cmd_ready_o <= 1'b0;
    end else begin
      if (init_q != INIT) init_q <= init_q + 1'b1;
      in_q <= in_q + {4'd0, push};
      count_q <= count_d;
      cmd_ready_o <= init_q == INIT && !count_d[4];
    end
  end

  // ---- issue ------------------------------------------------------------------------------------------
  reg c_valid_q, epoch_q;
  reg [1:0] c_kind_q;                  // as the command's kind
  reg [CONST_W-1:0] c_addr_q;
  reg [WORD_W-1:0] c_data_q;
  wire c_write = c_valid_q && c_kind_q == CMD_WRITE[1:0], c_work = c_valid_q && c_kind_q == CMD_WORK[1:0];
  wire c_sync = c_valid_q && c_kind_q[1];
  wire c_alone = next_q == oldest_q + 5'd1;  // all before it are done
  wire gated_write = SHARED != 0 && DROP_REPEATS == 0 && any_active_o;
  // Late: they only keep out of the pipeline what would wait there, and with it hold up the scan that frees
  // a code.
  reg can_work_q, can_version_q;
  wire offers = (c_write && !gated_write && can_version_q) || (c_work && can_work_q);
  reg walk_q, walk_offer_q, drain_q, empty_q; // phases of flush and invalidate
  reg [IDX_W-1:0] walk_row_q;
  wire sync_done;
  wire c_leaves = (offers && op_taken_i) || sync_done;
  wire loads = (!c_valid_q || c_leaves) && next_q != in_q && !save_i;
  wire [3:0] saved_at = oldest_q[3:0] + save_record_i[3:0];
  wire [3:0] save_at = save_i ? saved_at : next_q[3:0];
  assign commit = s5_write_i || s5_drop_i || s5_work_i || sync_done;
  assign op_valid_o = offers || walk_offer_q;
  assign op_kind_o = walk_offer_q ? WALK : c_work ? WORK : WRITE;
  assign op_addr_o = walk_offer_q ? {{CONST_W-IDX_W{1'b0}}, walk_row_q} : c_addr_q;
  assign op_data_o = c_data_q;
  assign op_epoch_o = epoch_q;
  assign op_clears_o = c_kind_q == CMD_INVALIDATE[1:0];
  assign epoch_o = epoch_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      next_q <= 5'd0;
      oldest_q <= 5'd0;
      c_valid_q <= 1'b0;
      epoch_q <= 1'b0;
    end else begin
      oldest_q <= oldest_q + {4'd0, commit};
      if (s5_again_i) begin
        next_q <= oldest_q;
        c_valid_q <= 1'b0;
        epoch_q <= !epoch_q;
      end else begin
        next_q <= next_q + {4'd0, loads};
        c_valid_q <= loads || (c_valid_q && !c_leaves);
      end
    end
    if (loads) {c_kind_q, c_addr_q, c_data_q} <= fifo_q[save_at];
  end
  assign cleared_o = init_q == INIT;
  assign cmd_some_o = save_record_i < count_q;
  assign {save_kind_o, save_addr_o, save_line_o} = fifo_q[save_at];

  // ---- flush and invalidate: a walk over L2, then memory's answers, then the L1s ----------------------
  reg [SMS-1:0] active_q, hold_q;
  wire sync_starts = c_sync && c_alone && !any_active_o && !walk_q && !drain_q && !empty_q && !closed_i;
  wire memory_ends = l2_idle_i && !stops_i;
  wire drained = drain_q && memory_ends;
  wire empties = drained && op_clears_o;
  assign sync_done = (drained && !op_clears_o) || (empty_q && hold_q == {SMS{1'b0}} && !stops_i);
  always @(posedge clk_i) begin
    cmd_done_o <= !rst_i && sync_done;
    if (rst_i) begin
      walk_q <= 1'b0;
      walk_offer_q <= 1'b0;
      drain_q <= 1'b0;
      empty_q <= 1'b0;
      base_free_o <= 1'b1;
    end else begin
      if (sync_starts) walk_q <= 1'b1;
      else if (s5_walked_i && &walk_row_q) walk_q <= 1'b0;
      walk_offer_q <= sync_starts || s5_walk_again_i || (s5_walked_i && !(&walk_row_q))
                      || (walk_offer_q && !op_taken_i);
      drain_q <= (s5_walked_i && &walk_row_q) || (drain_q && !memory_ends);
      empty_q <= empties || (empty_q && !sync_done);
      if (put_regs_i) base_free_o <= put_free_i;
      else if (takes) base_free_o <= 1'b0;
      else if (empty_q && sync_done && count_q == 5'd1) base_free_o <= 1'b1;
    end
    if (!walk_q) walk_row_q <= {IDX_W{1'b0}};
    else if (s5_walked_i) walk_row_q <= walk_row_q + 1'b1;
  end

  // ---- SMs --------------------------------------------------------------------------------------------
  reg [SMS-1:0] stale_q;               // a write came since its dispatch
  wire [SMS-1:0] done = done_valid_i & quiet_i & ~reads_i;
  wire [SMS-1:0] completes = done & running_o;
  wire [SMS-1:0] available = ~active_q & ~hold_q;
  wire [SMS-1:0] lowest = available & (~available + 1'b1);
  wire [SMS-1:0] starts = lowest & {SMS{s5_work_i}};
  // a shift by what has not come yet would be unknown
  wire [SMS-1:0] comes = ({{SMS-1{1'b0}}, 1'b1} << put_sm_number_i) & {SMS{put_sm_i && put_active_i}};
  wire comes_stale;                    // it has an old version
  wire [SMS-1:0] stale = stale_q | (active_q & {SMS{s5_write_i}});
  wire [SMS-1:0] wants_inval = hold_q | (completes & stale) | {SMS{empties}};
  reg active_any_q;
  wire [SMS-1:0] active_d = (active_q & ~completes) | starts | comes;
  reg [SM_W-1:0] lowest_sm;
  integer i;
  always @* begin
    lowest_sm = {SM_W{1'b0}};
    for (i = 0; i < SMS; i = i + 1) if (lowest[i]) lowest_sm = lowest_sm | i[SM_W-1:0];
  end
  assign any_active_o = active_any_q;
  assign can_work_o = |available && !stops_i;
  always @(posedge clk_i) can_work_q <= !rst_i && |available;
  always @(posedge clk_i) can_version_q <= rst_i || can_version_o;
  reg [SMS-1:0] told_q;                // the item is on its way on the broadcast
  reg [SMS-1:0] wr1_q;
  reg [CONST_W-1:0] bc1_addr_q;
  reg [WORD_W-1:0] bc1_data_q;
  reg work1_q;
  reg [SM_W-1:0] work1_sm_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      active_q <= {SMS{1'b0}};
      active_any_q <= 1'b0;
      hold_q <= {SMS{1'b0}};
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
      hold_q <= wants_inval & ~room_i;
      inval_o <= wants_inval & room_i;
      running_o <= (running_o & ~completes) | told_q | comes;
      told_q <= starts;
      wr1_q <= ~active_q & {SMS{s5_write_i}};
      wr_valid_o <= wr1_q;
      work1_q <= s5_work_i;
      work_valid_o <= work1_q;
    end
    bad_done_o <= !rst_i && |(done & ~running_o);
    stale_q <= (stale & ~starts & ~comes) | (comes & {SMS{comes_stale}});
    work1_sm_q <= lowest_sm;
    work_sm_o <= work1_sm_q;
    bc1_addr_q <= s5_addr_i;
    bc1_data_q <= s5_data_i;
    bc_addr_o <= bc1_addr_q;
    bc_data_o <= bc1_data_q;
  end
  assign idle_o = count_q == 5'd0 && !active_any_q;
  wire save_active = active_q[save_sm_i];
  wire [CODE_W-1:0] save_code = s1_code_o & {CODE_W{save_active}};
  assign sm_o = {{16-CODE_W{1'b0}}, save_code, 15'd0, save_active};
  assign moves_o = work1_q || |wr1_q || |wr_valid_o;

  // ---- why the oldest command waits (CC-16); a halt is none of the causes --------------------------------
  reg [2:0] cause_q;
  always @(posedge clk_i) begin
    if (rst_i || commit) cause_q <= 3'd0;
    else if (s5_again_i && !stops_i) cause_q <= s5_cause_i;
    if (rst_i || commit || stops_i) wait_o <= 3'd0;
    else if (c_alone && c_work && !can_work_o) wait_o <= |hold_q ? BY_SWEEP : BY_SM;
    else if (c_alone && ((c_write && gated_write) || (c_sync && any_active_o))) wait_o <= BY_ACTIVE;
    else if (c_alone && c_write && !can_version_q) wait_o <= BY_CODE;
    else wait_o <= cause_q;
  end

  // ---- versions ---------------------------------------------------------------------------------------
  generate
    if (SHARED == 0) begin : g_versions
      localparam SET_W = $clog2(SETS);
      localparam [CODE_W-1:0] LAST_CODE = CODES[CODE_W-1:0] - 1'b1;
      localparam [SM_W-1:0] LAST_SM = SMS[SM_W-1:0] - 1'b1;
      localparam [CODES-1:0] BIT_0 = {{CODES-1{1'b0}}, 1'b1};
      localparam [4:0] DRAIN = 5'd20;  // cycles from the choice of a scan until its set is written, at most

      // Each SM's code. A completed SM keeps one that means nothing.
      reg [CODE_W-1:0] version_q [0:SMS-1];
      reg [CODE_W-1:0] current_q, upcoming_q, look_q;
      reg [CODES-1:0] current_bit_q, upcoming_bit_q, free_q, used_q, dead_q;
      reg upcoming_valid_q;
      reg dispatched_q;                // an SM has the current version: the next write begins another
      wire begins = s5_write_i && dispatched_q;
      wire [CODES-1:0] look_bit = BIT_0 << look_q;
      wire look_free = !upcoming_valid_q && |(free_q & look_bit);
      assign can_version_o = !dispatched_q || upcoming_valid_q;
      assign s1_code_o = version_q[s1_sm_i];

      // One SM per cycle: which codes are used, from one round to the next. A dispatch counts at once.
      reg [SM_W-1:0] round_q;
      reg seen_valid_q, seen_last_q;
      reg [CODE_W-1:0] seen_q;
      reg [CODES-1:0] found_q;
      reg [$clog2(SMS+1)-1:0] number_q;
      wire [CODES-1:0] dispatch_bit = (current_bit_q & {CODES{s5_work_i}})
                                    | ((BIT_0 << put_code_i) & {CODES{put_sm_i && put_active_i}});
      assign current_o = current_q;
      assign comes_stale = put_code_i != current_q;
      wire [CODES-1:0] seen_bit = (BIT_0 << seen_q) & {CODES{seen_valid_q}};
      wire [CODES-1:0] found = found_q | seen_bit | dispatch_bit;
      reg [CODES-1:0] counted_q;       // as found_q, dispatches left out
      wire fresh = |(seen_bit & ~counted_q);
      assign versions_o = number_q + {{$clog2(SMS+1)-1{1'b0}}, fresh};
      assign version_counted_o = seen_last_q;

      // Codes no longer used lose their bits in a scan over all sets, then they are free.
      reg scan_q, urgent_q;
      reg [4:0] drain_scan_q;
      reg [SET_W-1:0] scan_set_q, urgent_set_q;
      reg [CODES-1:0] leaving_q;
      wire frees = drain_scan_q == 5'd1;
      assign scan_valid_o = scan_q || urgent_q;
      assign scan_set_o = {{CONST_W-SET_W{1'b0}}, urgent_q ? urgent_set_q : scan_set_q};
      assign used_o = used_q | (current_bit_q & {CODES{s5_is_work_i}});

      always @(posedge clk_i) begin
        if (rst_i) begin
          current_q <= {CODE_W{1'b0}};
          current_bit_q <= BIT_0;
          upcoming_valid_q <= 1'b0;
          look_q <= {CODE_W{1'b0}};
          free_q <= ~BIT_0;
          used_q <= {CODES{1'b0}};
          dispatched_q <= 1'b0;
          round_q <= {SM_W{1'b0}};
          seen_valid_q <= 1'b0;
          seen_last_q <= 1'b0;
          found_q <= {CODES{1'b0}};
          counted_q <= {CODES{1'b0}};
          number_q <= {$clog2(SMS+1){1'b0}};
          dead_q <= {CODES{1'b0}};
          scan_q <= 1'b0;
          urgent_q <= 1'b0;
          drain_scan_q <= 5'd0;
        end else begin
          if (put_regs_i) begin
            current_q <= put_current_i;
            current_bit_q <= BIT_0 << put_current_i;
          end else if (begins) begin
            current_q <= upcoming_q;
            current_bit_q <= upcoming_bit_q;
          end
          if (commit_i) dispatched_q <= |(used_q & current_bit_q);
          else if (s5_work_i) dispatched_q <= 1'b1;
          else if (s5_write_i) dispatched_q <= 1'b0;
          if (begins || commit_i) upcoming_valid_q <= 1'b0;
          else if (look_free) upcoming_valid_q <= 1'b1;
          if (!upcoming_valid_q) look_q <= (look_q == LAST_CODE) ? {CODE_W{1'b0}} : look_q + 1'b1;
          // all codes that the context has not are free
          free_q <= commit_i ? ~(used_q | current_bit_q)
                  : (free_q & ~(look_free ? look_bit : {CODES{1'b0}})) | (frees ? leaving_q : {CODES{1'b0}});

          round_q <= (round_q == LAST_SM) ? {SM_W{1'b0}} : round_q + 1'b1;
          seen_valid_q <= active_q[round_q];
          seen_last_q <= round_q == LAST_SM;
          used_q <= (seen_last_q ? found : used_q | dispatch_bit);
          found_q <= seen_last_q ? dispatch_bit : found;
          counted_q <= seen_last_q ? {CODES{1'b0}} : counted_q | seen_bit;
          number_q <= seen_last_q ? {$clog2(SMS+1){1'b0}} : versions_o;

          dead_q <= {CODES{!commit_i}} & ~used_q & ~free_q & ~current_bit_q
                    & ~(upcoming_bit_q & {CODES{upcoming_valid_q}})
                    & ~(leaving_q & {CODES{frees}});
          if (commit_i) scan_q <= 1'b0;
          else if (!scan_q && drain_scan_q == 5'd0 && |dead_q) scan_q <= 1'b1;
          else if (scan_taken_i && !urgent_q && &scan_set_q) scan_q <= 1'b0;
          if (s5_again_i && s5_cause_i == BY_FULL) urgent_q <= 1'b1;
          else if (scan_taken_i) urgent_q <= 1'b0;
          if (scan_taken_i && !urgent_q && &scan_set_q) drain_scan_q <= DRAIN;
          else if (drain_scan_q != 5'd0) drain_scan_q <= drain_scan_q - 5'd1;
        end
        if (s5_work_i || put_sm_i)
          version_q[put_sm_i ? put_sm_number_i : lowest_sm] <= put_sm_i ? put_code_i : current_q;
        if (look_free) begin
          upcoming_q <= look_q;
          upcoming_bit_q <= look_bit;
        end
        seen_q <= version_q[round_q];
        if (!scan_q) begin
          scan_set_q <= {SET_W{1'b0}};
          if (drain_scan_q == 5'd0) leaving_q <= dead_q;
        end else if (scan_taken_i && !urgent_q) scan_set_q <= scan_set_q + 1'b1;
        if (s5_again_i && s5_cause_i == BY_FULL) urgent_set_q <= s5_addr_i[SET_W-1:0];
      end
    end else begin : g_one_version
      wire unused = &{1'b0, s1_sm_i, scan_taken_i, s5_write_i, s5_is_work_i, put_current_i, put_code_i,
                      commit_i};
      assign current_o = {CODE_W{1'b0}};
      assign comes_stale = 1'b0;
      assign can_version_o = 1'b1;
      assign s1_code_o = {CODE_W{1'b0}};
      assign {scan_valid_o, scan_set_o} = {CONST_W+1{1'b0}};
      assign used_o = {CODES{1'b0}};
      assign versions_o = {{$clog2(SMS+1)-1{1'b0}}, active_any_q};
      assign version_counted_o = 1'b1;
    end
  endgenerate
endmodule

`default_nettype wire
