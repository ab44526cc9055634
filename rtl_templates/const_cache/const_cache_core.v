// SPDX-License-Identifier: Apache-2.0
// const_cache_core: constants in several versions at once: one L1 per SM, a shared L2 over memory. PROTOCOL
// 0: a backup of the old words that active SMs still read. PROTOCOL 2: L2 has the oldest version, the L1s
// the newer ones. Commands (writes of constants, work items, flush, invalidate) are taken in order, one per
// cycle; a work item reads for every address the value of the last write before it in the stream (CC-2). L1
// hits are answered L1_LAT cycles after the read. All that is written, kept and moved is lines of
// WRITE_WORDS words. No combinational path from input to output.
// docs/const_cache_design.md is the contract.
`default_nettype none

module const_cache_core #(
  parameter PROTOCOL = 0,              // 0 backup, 1 shared, 2 copy
  parameter SMS = 4,
  parameter CONSTANTS = 4096,
  parameter WORD_W = 32,
  parameter WRITE_WORDS = 1,
  // sizes that are not given follow CONSTANTS and SMS, as in the description
  parameter L1_ENTRIES = (CONSTANTS > 128) ? 256 : 1 << $clog2(CONSTANTS),
  parameter L2_ENTRIES = (CONSTANTS > 512) ? 1024 : 1 << $clog2(CONSTANTS),
  parameter BACKUP_ENTRIES = ((SMS > 8 ? 16 : SMS > 4 ? 8 : 4) << $clog2(CONSTANTS)) < 512
                           ? (SMS > 8 ? 16 : SMS > 4 ? 8 : 4) << $clog2(CONSTANTS) : 512,
  parameter BACKUP_WAYS = (SMS > 8 && BACKUP_ENTRIES >= 16 * ((CONSTANTS > 16 * WRITE_WORDS)
                          ? 32 * WRITE_WORDS : 1 << $clog2(CONSTANTS))) ? 16
                        : (SMS > 4 && BACKUP_ENTRIES >= 8 * ((CONSTANTS > 16 * WRITE_WORDS)
                          ? 32 * WRITE_WORDS : 1 << $clog2(CONSTANTS))) ? 8 : 4,
  parameter CODE_FACTOR = 3,
  parameter READS = 4,
  parameter MISSES = 8,
  parameter GEN_W = 4,
  parameter L1_LAT = 3,
  parameter DROP_REPEATS = 0,
  parameter STEAL = 16,
  parameter COUNTERS = 1,
  parameter ADDR_W = 32,
  parameter STATUS = 0                 // 0 none; state_o as 1 one_hot, 2 two_of_four, 3 binary
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_valid_i,
  output wire cmd_ready_o,
  input  wire [2:0] cmd_kind_i,
  input  wire [$clog2(CONSTANTS)-1:0] cmd_addr_i,
  input  wire [WRITE_WORDS*WORD_W-1:0] cmd_data_i,
  output wire cmd_done_o,

  output wire work_valid_o,
  output wire [((SMS > 1) ? $clog2(SMS) : 1)-1:0] work_sm_o,
  output wire [WORD_W-1:0] work_item_o,
  input  wire [SMS-1:0] done_valid_i,
  output wire [SMS-1:0] done_ready_o,

  input  wire [SMS-1:0] rd_valid_i,
  output wire [SMS-1:0] rd_ready_o,
  input  wire [SMS*$clog2(CONSTANTS)-1:0] rd_addr_i,
  output wire [SMS-1:0] rsp_valid_o,
  output wire [SMS-1:0] rsp_error_o,
  output wire [SMS*WORD_W-1:0] rsp_data_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [$clog2(MISSES)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [WRITE_WORDS*WORD_W-1:0] mem_req_data_o,
  output wire [WRITE_WORDS*WORD_W/8-1:0] mem_req_strb_o,
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [$clog2(MISSES)-1:0] mem_rsp_tag_i,
  input  wire [WRITE_WORDS*WORD_W-1:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i,

  output wire error_o,
  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [8:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire [15:0] ctx_unit_i,
  input  wire ctx_cmd_valid_i,
  input  wire ctx_cmd_load_i,
  output wire ctx_cmd_ready_o,
  output wire ctx_done_o,
  output wire [2:0] ctx_error_o,
  output wire ctx_out_valid_o,
  input  wire ctx_out_ready_i,
  output wire [31:0] ctx_out_data_o,
  output wire ctx_out_last_o,
  input  wire ctx_in_valid_i,
  output wire ctx_in_ready_o,
  input  wire [31:0] ctx_in_data_i,
  input  wire ctx_in_last_i,
  input  wire [1:0] ctx_in_error_i
);
  localparam CONST_W = $clog2(CONSTANTS);
  localparam SM_W = (SMS > 1) ? $clog2(SMS) : 1;
  localparam CODES = CODE_FACTOR * (SMS + 1);
  localparam SETS = BACKUP_ENTRIES / BACKUP_WAYS / WRITE_WORDS;
  localparam LINE_W = WORD_W * WRITE_WORDS;      // what is written, kept and moved as one
  localparam OFF_W = $clog2(WRITE_WORDS), LINE_AW = CONST_W - OFF_W;
  localparam L1_ROWS = L1_ENTRIES / WRITE_WORDS, L2_ROWS = L2_ENTRIES / WRITE_WORDS;
  localparam CODE_W = $clog2(CODES), SLOT_W = $clog2(READS), NUMBER = 17, EVENT_W = $clog2(SMS + 1);
  localparam BACKUP_W = $clog2(SETS * BACKUP_WAYS) + 1;
  localparam ADDED_W = EVENT_W + 6, ENTRIES_W = (PROTOCOL == 2) ? $clog2(L1_ROWS) + 1 : BACKUP_W;
  localparam SHARED = (PROTOCOL == 0) ? 0 : 1;   // of L2: no backup
  localparam COPY = (PROTOCOL == 2) ? 1 : 0;
  localparam MOST_ROWS = (L1_ROWS > L2_ROWS) ? L1_ROWS : L2_ROWS;
  localparam INIT_CYCLES = (SHARED == 0 && SETS > MOST_ROWS) ? SETS : MOST_ROWS;

  generate
    if (PROTOCOL < 0 || PROTOCOL > 2) begin : g_protocol_range
      const_cache_PROTOCOL_out_of_range check ();
    end
    if (SMS < 1 || SMS > 64) begin : g_sms_range
      const_cache_SMS_out_of_range check ();
    end
    if (CONSTANTS < 16 || CONSTANTS > 65536) begin : g_constants_range
      const_cache_CONSTANTS_out_of_range check ();
    end
    if (WORD_W < 8 || WORD_W > 64 || (WORD_W & (WORD_W - 1)) != 0) begin : g_word_w_range
      const_cache_WORD_W_out_of_range check ();
    end
    if (WRITE_WORDS != 1 && WRITE_WORDS != 2 && WRITE_WORDS != 4) begin : g_write_words_range
      const_cache_WRITE_WORDS_out_of_range check ();
    end
    if (CONSTANTS % WRITE_WORDS != 0) begin : g_constants_lines
      const_cache_CONSTANTS_not_whole_lines check ();
    end
    if (L1_ENTRIES < 4 * WRITE_WORDS || L2_ENTRIES < 4 * WRITE_WORDS) begin : g_rows
      const_cache_ENTRIES_below_four_lines check ();
    end
    if (L1_ENTRIES < 4 || L1_ENTRIES > 4096
        || (L1_ENTRIES & (L1_ENTRIES - 1)) != 0) begin : g_l1_entries_range
      const_cache_L1_ENTRIES_out_of_range check ();
    end
    if (L1_ENTRIES > (1 << CONST_W)) begin : g_l1_entries_constants
      const_cache_L1_ENTRIES_above_CONSTANTS check ();
    end
    if (L2_ENTRIES < 4 || L2_ENTRIES > 65536
        || (L2_ENTRIES & (L2_ENTRIES - 1)) != 0) begin : g_l2_entries_range
      const_cache_L2_ENTRIES_out_of_range check ();
    end
    if (L2_ENTRIES > (1 << CONST_W)) begin : g_l2_entries_constants
      const_cache_L2_ENTRIES_above_CONSTANTS check ();
    end
    if (BACKUP_ENTRIES < 4 || BACKUP_ENTRIES > 16384 || (BACKUP_ENTRIES & (BACKUP_ENTRIES - 1)) != 0)
    begin : g_backup_entries_range
      const_cache_BACKUP_ENTRIES_out_of_range check ();
    end
    if (BACKUP_WAYS < 1 || BACKUP_WAYS > 16
        || (BACKUP_WAYS & (BACKUP_WAYS - 1)) != 0) begin : g_backup_ways_range
      const_cache_BACKUP_WAYS_out_of_range check ();
    end
    if (SETS < 2 || (PROTOCOL == 0 && SETS > (1 << LINE_AW))) begin : g_backup_sets
      const_cache_BACKUP_SETS_out_of_range check ();
    end
    if (CODE_FACTOR < 2 || CODE_FACTOR > 8) begin : g_code_factor_range
      const_cache_CODE_FACTOR_out_of_range check ();
    end
    if (READS < 4 || READS > 16 || (READS & (READS - 1)) != 0) begin : g_reads_range
      const_cache_READS_out_of_range check ();
    end
    if (MISSES < 2 || MISSES > 64 || (MISSES & (MISSES - 1)) != 0) begin : g_misses_range
      const_cache_MISSES_out_of_range check ();
    end
    if (GEN_W < 2 || GEN_W > 8) begin : g_gen_w_range
      const_cache_GEN_W_out_of_range check ();
    end
    if (L1_LAT < 2 || L1_LAT > 3) begin : g_l1_lat_range
      const_cache_L1_LAT_out_of_range check ();
    end
    if (DROP_REPEATS < 0 || DROP_REPEATS > 1) begin : g_drop_repeats_range
      const_cache_DROP_REPEATS_out_of_range check ();
    end
    if (DROP_REPEATS != 0 && PROTOCOL == 2) begin : g_drop_repeats_copy
      const_cache_DROP_REPEATS_with_PROTOCOL_2 check ();
    end
    if (STEAL < 1 || STEAL > 255) begin : g_steal_range
      const_cache_STEAL_out_of_range check ();
    end
    if (COUNTERS < 0 || COUNTERS > 1) begin : g_counters_range
      const_cache_COUNTERS_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 64) begin : g_addr_w_range
      const_cache_ADDR_W_out_of_range check ();
    end
    if (STATUS < 0 || STATUS > 3) begin : g_status_range
      const_cache_STATUS_out_of_range check ();
    end
    if (ADDR_W <= CONST_W + $clog2(WORD_W / 8)) begin : g_addr_w_constants
      const_cache_ADDR_W_below_CONSTANTS check ();
    end
  endgenerate

  // ---- wires between the parts ------------------------------------------------------------------------
  wire [SMS-1:0] running, quiet, inval, room, wr_valid, req_valid, req_taken, hit, miss, bad_sm, bad_addr;
  wire [SMS*SLOT_W-1:0] req_slot;
  wire [SMS*LINE_AW-1:0] req_addr;     // addresses are of lines
  wire [LINE_AW-1:0] bc_addr, op_addr, s5_addr, scan_set, failed_addr;
  wire [LINE_W-1:0] bc_data, op_data, s5_data, ans_data;
  wire ans_valid, ans_retry, ans_error, op_valid, op_epoch, op_clears, op_taken, epoch;
  wire [1:0] op_kind;
  wire s5_write, s5_drop, s5_work, s5_is_work, s5_walked, s5_walk_again, s5_again, any_active, can_work,
    can_version;
  wire [2:0] s5_cause, wait_cause;
  wire [CODES-1:0] used;
  wire [SM_W-1:0] s1_sm, ans_sm;
  wire [SLOT_W-1:0] ans_slot;
  wire [CODE_W-1:0] s1_code;
  wire scan_valid, scan_taken, scan_in_s5, l2_idle, idle, base_free, saved, mem_read, mem_write,
       version_counted;
  wire bad_cmd_addr, bad_cmd_kind, bad_done, read_failed, fetch_failed, write_failed, unasked, answered;
  wire [EVENT_W-1:0] versions;
  wire [ENTRIES_W-1:0] entries;
  wire [BACKUP_W-1:0] backup_entries;
  wire wr_copied, launder;
  wire [GEN_W-1:0] epoch_gen;
  wire [SMS-1:0] laundered, walk_valid, walk_taken, word_valid;
  wire [$clog2(L1_ROWS)-1:0] walk_row;
  wire [SMS*LINE_AW-1:0] word_addr;
  wire [SMS*LINE_W-1:0] word_data;
  wire done_write, done_work;          // a command takes effect
  wire [ADDR_W-1:0] base;
  // The gate of the unit: closed, nothing is taken in and no command begins; behind a reset what is under way
  // is drained, its answers are dropped, then one pulse resets all parts but the registers (wipe).
  wire closed, clear, clearing, wipe;
  wire drop = clear || clearing;       // nothing leaves
  // A work item leaves two cycles after it took effect, the end of a flush in one: what took effect before
  // the request came leaves in the first cycle of halt_o at the latest (US-14).
  wire stops = closed || (STATUS != 0 && cmd_halt_i);
  wire rst = rst_i || wipe;
  wire cmd_ready, cmd_done, work_valid, l2_moves, command_moves;
  // A context: the record that is saved and what is there, the record that comes in.
  localparam IDX_L1 = $clog2(L1_ROWS), IDX_L2 = $clog2(L2_ROWS), WAY_W = $clog2(BACKUP_WAYS);
  localparam MASK_WORDS = (CODES + 31) / 32, LINE_WORDS = (LINE_W + 31) / 32;
  localparam CTX_MAX = 5 + SMS + L2_ROWS * (1 + LINE_WORDS)
    + ((PROTOCOL == 0) ? SETS * BACKUP_WAYS * (1 + MASK_WORDS + LINE_WORDS) : 0)
    + ((PROTOCOL == 2) ? L1_ROWS + SMS * L1_ROWS * (1 + LINE_WORDS) : 0)
    + ((PROTOCOL == 2) ? 19 : 16) * (1 + LINE_WORDS);
  localparam MOST_RECORDS = (PROTOCOL == 2 && SMS * L1_ROWS > L2_ROWS) ? SMS * L1_ROWS
    : (PROTOCOL == 0 && SETS * BACKUP_WAYS > L2_ROWS) ? SETS * BACKUP_WAYS : L2_ROWS;
  localparam RECORD_W = (MOST_RECORDS > 64) ? $clog2(MOST_RECORDS) : 6;  // wide enough for SMs and commands
  wire save, load, commit, cleared, rows_cleared, save_sm_moves, save_word;
  wire [RECORD_W-1:0] record, put_record;
  wire [CODE_W-1:0] current_code, put_current;
  wire [31:0] sm_word, put_head;
  wire [8:0] errors, put_errors;
  wire recorded;                       // an error of memory is recorded, and stays
  wire [CONST_W-1:0] failed, put_failed;
  wire [ADDR_W-1:0] put_base;
  wire row_some, entry_some, entry_error, lock_some, saved_some, cmd_some, put_free, cmd_full, nothing_locked,
       l1_has_version;
  wire [1:0] save_kind;
  wire [LINE_AW-1:0] row_addr, entry_addr, lock_addr, saved_addr, save_addr, put_addr;
  wire [LINE_W-1:0] row_line, entry_line, saved_line, save_line, put_line;
  wire [CODES-1:0] entry_mask, put_mask;
  wire [SMS-1:0] listed;
  wire put_regs, put_sm, put_row, put_entry, put_lock, put_word, put_cmd;
  wire [31:0] record_wide = {{32-RECORD_W{1'b0}}, record}, put_wide = {{32-RECORD_W{1'b0}}, put_record};
  wire [31:0] record_set = record_wide >> WAY_W, record_l1 = record_wide >> IDX_L1,
              put_l1 = put_wide >> IDX_L1;
  wire [31:0] record_way = record_wide & (BACKUP_WAYS - 1), put_way = put_wide & (BACKUP_WAYS - 1);
  wire unused_places = &{1'b0, record_wide, put_wide, record_set, record_l1, put_l1, record_way,
                         put_way, put_head};
  wire [SMS-1:0] rd_ready, rsp_valid, rsp_error;
  wire [SMS*WORD_W-1:0] rsp_data;
  assign cmd_ready_o = cmd_ready && !closed;
  assign cmd_done_o = cmd_done && !drop;
  assign work_valid_o = work_valid && !drop;
  assign rd_ready_o = rd_ready & ~{SMS{closed}};
  assign rsp_valid_o = rsp_valid & ~{SMS{drop}};
  assign rsp_error_o = rsp_error & ~{SMS{drop}};
  assign rsp_data_o = rsp_data & ~{SMS*WORD_W{drop}};
  assign done_ready_o = quiet & ~{SMS{closed}};
  assign work_item_o = bc_data[WORD_W-1:0];

  wire out_of_range;
  generate
    if (CONSTANTS == (1 << CONST_W)) begin : g_all_addresses
      assign out_of_range = 1'b0;
    end else begin : g_some_addresses
      localparam [CONST_W:0] BOUND = CONSTANTS[CONST_W:0];
      assign out_of_range = {1'b0, cmd_addr_i} >= BOUND;
    end
  endgenerate
  wire unaligned;
  wire [CONST_W-1:0] failed_word;      // the first of the line
  generate
    if (WRITE_WORDS == 1) begin : g_words
      assign unaligned = 1'b0;
      assign failed_word = failed_addr;
    end else begin : g_lines
      assign unaligned = |cmd_addr_i[OFF_W-1:0];
      assign failed_word = {failed_addr, {OFF_W{1'b0}}};
    end
  endgenerate

  generate
    if (COPY != 0) begin : g_copy
      wire [EVENT_W-1:0] copy_versions;
      wire unused_copy = &{1'b0, s5_drop, s5_work, s5_is_work, s5_cause, s5_addr, s5_data, backup_entries,
                           s1_sm, scan_taken};
      const_copy #(
        .SMS(SMS), .SM_W(SM_W), .CONST_W(LINE_AW), .WORD_W(LINE_W),
        .ROWS_L1(L1_ROWS), .ROWS_L2(L2_ROWS), .GEN_W(GEN_W), .INIT_CYCLES(INIT_CYCLES)
      ) u_copy (
        .clk_i(clk_i), .rst_i(rst), .cmd_valid_i(cmd_valid_i && !closed), .cmd_ready_o(cmd_ready),
        .cmd_kind_i(cmd_kind_i), .cmd_addr_i(cmd_addr_i[CONST_W-1:OFF_W]),
        .cmd_wrong_i(out_of_range || unaligned), .cmd_data_i(cmd_data_i), .cmd_done_o(cmd_done),
        .bad_addr_o(bad_cmd_addr), .bad_kind_o(bad_cmd_kind), .quiet_i(quiet),
        .done_valid_i(done_valid_i & ~{SMS{closed}}),
        .reads_i(rd_valid_i & rd_ready_o), .running_o(running), .bad_done_o(bad_done), .inval_o(inval),
        .room_i(room), .wr_valid_o(wr_valid), .wr_copied_o(wr_copied), .bc_addr_o(bc_addr),
        .bc_data_o(bc_data), .work_valid_o(work_valid), .work_sm_o(work_sm_o), .epoch_gen_o(epoch_gen),
        .launder_o(launder), .laundered_i(laundered), .walk_valid_o(walk_valid), .walk_row_o(walk_row),
        .walk_taken_i(walk_taken), .word_valid_i(word_valid), .word_addr_i(word_addr),
        .word_data_i(word_data), .op_valid_o(op_valid), .op_kind_o(op_kind), .op_addr_o(op_addr),
        .op_data_o(op_data), .op_epoch_o(op_epoch), .op_clears_o(op_clears), .op_taken_i(op_taken),
        .s5_write_i(s5_write), .s5_walked_i(s5_walked), .s5_walk_again_i(s5_walk_again),
        .s5_again_i(s5_again), .l2_idle_i(l2_idle), .idle_o(idle), .base_free_o(base_free),
        .write_o(done_write), .work_o(done_work), .wait_o(wait_cause), .versions_o(copy_versions),
        .locked_o(entries), .closed_i(closed), .stops_i(stops), .moves_o(command_moves),
        .cleared_o(rows_cleared), .save_i(save), .load_i(load), .save_moves_i(save_sm_moves),
        .save_word_i(save_word), .save_record_i(record[4:0]), .save_sm_i(record[SM_W-1:0]),
        .save_l1_i(record_l1[SM_W-1:0]), .save_row_i(record[IDX_L1-1:0]), .ahead_o(current_code[0]),
        .sm_o(sm_word), .active_o(listed), .cmd_some_o(cmd_some), .save_kind_o(save_kind),
        .save_addr_o(save_addr), .save_line_o(save_line), .lock_some_o(lock_some), .lock_addr_o(lock_addr),
        .saved_some_o(saved_some), .saved_addr_o(saved_addr), .saved_line_o(saved_line), .full_o(cmd_full),
        .even_o(nothing_locked), .have_o(l1_has_version),
        .put_regs_i(put_regs), .put_sm_i(put_sm), .put_lock_i(put_lock), .put_word_i(put_word),
        .put_cmd_i(put_cmd), .put_ahead_i(put_current[0]), .put_free_i(put_free),
        .put_sm_number_i(put_record[SM_W-1:0]), .put_l1_i(put_l1[SM_W-1:0]), .put_head_i(put_head),
        .put_kind_i(put_head[30:29]), .put_addr_i(put_addr), .put_line_i(put_line));
      assign current_code[CODE_W-1:1] = {CODE_W-1{1'b0}};
      wire unused_put = &{1'b0, put_current};
      assign versions = copy_versions;
      assign version_counted = 1'b1;
      assign epoch = op_epoch;
      assign {any_active, can_work, can_version} = 3'b001;
      assign used = {CODES{1'b0}};
      assign s1_code = {CODE_W{1'b0}};
      assign {scan_valid, scan_set} = {LINE_AW+1{1'b0}};
    end else begin : g_ordered
      const_controller #(
        .SHARED(SHARED), .SMS(SMS), .SM_W(SM_W), .CONST_W(LINE_AW), .WORD_W(LINE_W),
        .ROWS_L2(L2_ROWS), .SETS(SETS), .CODES(CODES), .CODE_W(CODE_W), .DROP_REPEATS(DROP_REPEATS),
        .INIT_CYCLES(INIT_CYCLES)
      ) u_controller (
        .clk_i(clk_i), .rst_i(rst), .cmd_valid_i(cmd_valid_i && !closed), .cmd_ready_o(cmd_ready),
        .cmd_kind_i(cmd_kind_i), .cmd_addr_i(cmd_addr_i[CONST_W-1:OFF_W]),
        .cmd_wrong_i(out_of_range || unaligned), .cmd_data_i(cmd_data_i), .cmd_done_o(cmd_done),
        .bad_addr_o(bad_cmd_addr), .bad_kind_o(bad_cmd_kind), .quiet_i(quiet),
        .done_valid_i(done_valid_i & ~{SMS{closed}}),
        .reads_i(rd_valid_i & rd_ready_o), .running_o(running), .bad_done_o(bad_done), .inval_o(inval),
        .room_i(room), .wr_valid_o(wr_valid), .bc_addr_o(bc_addr), .bc_data_o(bc_data),
        .work_valid_o(work_valid), .work_sm_o(work_sm_o), .op_valid_o(op_valid), .op_kind_o(op_kind),
        .op_addr_o(op_addr), .op_data_o(op_data), .op_epoch_o(op_epoch), .op_clears_o(op_clears),
        .op_taken_i(op_taken), .epoch_o(epoch), .s5_write_i(s5_write), .s5_drop_i(s5_drop),
        .s5_work_i(s5_work), .s5_is_work_i(s5_is_work),
        .s5_walked_i(s5_walked), .s5_walk_again_i(s5_walk_again), .s5_again_i(s5_again),
          .s5_cause_i(s5_cause),
        .s5_addr_i(s5_addr), .s5_data_i(s5_data), .any_active_o(any_active), .can_work_o(can_work),
        .can_version_o(can_version), .used_o(used),
        .s1_sm_i(save ? record[SM_W-1:0] : s1_sm), .s1_code_o(s1_code),
        .scan_valid_o(scan_valid), .scan_set_o(scan_set), .scan_taken_i(scan_taken), .l2_idle_i(l2_idle),
        .idle_o(idle), .base_free_o(base_free), .wait_o(wait_cause), .versions_o(versions),
        .version_counted_o(version_counted), .closed_i(closed), .stops_i(stops), .moves_o(command_moves),
        .cleared_o(rows_cleared), .save_i(save), .save_record_i(record[4:0]),
        .save_sm_i(record[SM_W-1:0]), .current_o(current_code), .sm_o(sm_word), .cmd_some_o(cmd_some),
        .save_kind_o(save_kind), .save_addr_o(save_addr), .save_line_o(save_line), .put_regs_i(put_regs),
        .put_sm_i(put_sm), .put_cmd_i(put_cmd), .commit_i(commit), .put_sm_number_i(put_record[SM_W-1:0]),
        .put_current_i(put_current), .put_free_i(put_free), .put_active_i(put_head[0]),
        .put_code_i(put_head[16+:CODE_W]), .put_kind_i(put_head[30:29]), .put_addr_i(put_addr),
        .put_line_i(put_line));
      assign {lock_some, lock_addr, saved_some, saved_addr, saved_line} = {2+2*LINE_AW+LINE_W{1'b0}};
      assign {cmd_full, nothing_locked, l1_has_version, listed} = {3+SMS{1'b0}};
      wire unused_locks = &{1'b0, put_lock, put_word, save_sm_moves, save_word};
      assign entries = backup_entries;
      assign {done_write, done_work} = {s5_write, s5_work};
      assign {wr_copied, launder, epoch_gen, walk_valid, walk_row} = {2+GEN_W+SMS+$clog2(L1_ROWS){1'b0}};
      wire unused_walk = &{1'b0, laundered, walk_taken, word_valid, word_addr, word_data};
    end
  endgenerate

  const_l2 #(
    .SHARED(SHARED), .SMS(SMS), .SM_W(SM_W), .CONST_W(LINE_AW), .WORD_W(LINE_W), .ENTRIES(L2_ROWS),
    .SETS(SETS), .WAYS(BACKUP_WAYS), .CODES(CODES), .CODE_W(CODE_W), .SLOT_W(SLOT_W), .MISSES(MISSES),
    .DROP_REPEATS(DROP_REPEATS), .ADDR_W(ADDR_W)
  ) u_l2 (
    .clk_i(clk_i), .rst_i(rst), .save_i(save), .save_row_i({{LINE_AW-IDX_L2{1'b0}}, record[IDX_L2-1:0]}),
    .save_set_i(record_set[LINE_AW-1:0]), .save_way_i(record_way[WAY_W:0]), .row_some_o(row_some),
    .row_addr_o(row_addr), .row_line_o(row_line), .entry_some_o(entry_some), .entry_error_o(entry_error),
    .entry_addr_o(entry_addr), .entry_mask_o(entry_mask), .entry_line_o(entry_line), .put_row_i(put_row),
    .put_entry_i(put_entry), .put_way_i(put_way[WAY_W:0]), .put_error_i(put_head[29]), .put_addr_i(put_addr),
    .put_mask_i(put_mask), .put_line_i(put_line), .closed_i(closed), .moves_o(l2_moves),
    .req_valid_i(req_valid),
    .req_slot_i(req_slot), .req_addr_i(req_addr),
    .req_taken_o(req_taken), .ans_valid_o(ans_valid), .ans_retry_o(ans_retry), .ans_sm_o(ans_sm),
    .ans_slot_o(ans_slot), .ans_data_o(ans_data), .ans_error_o(ans_error), .cmd_valid_i(op_valid && !closed),
    .cmd_kind_i(op_kind), .cmd_addr_i(op_addr), .cmd_data_i(op_data), .cmd_epoch_i(op_epoch),
    .cmd_clears_i(op_clears), .cmd_taken_o(op_taken), .epoch_i(epoch), .s5_write_o(s5_write),
    .s5_drop_o(s5_drop), .s5_work_o(s5_work), .s5_is_work_o(s5_is_work), .s5_walked_o(s5_walked),
    .s5_walk_again_o(s5_walk_again), .s5_again_o(s5_again), .s5_cause_o(s5_cause), .s5_addr_o(s5_addr),
    .s5_data_o(s5_data),
    .any_active_i(any_active), .can_work_i(can_work), .can_version_i(can_version), .used_i(used),
    .s1_sm_o(s1_sm), .s1_code_i(s1_code), .scan_valid_i(scan_valid && !closed),
    .scan_set_i(scan_set),
    .scan_taken_o(scan_taken), .s5_scan_o(scan_in_s5),
    .entries_o(backup_entries), .saved_o(saved), .idle_o(l2_idle),
    .read_failed_o(read_failed), .fetch_failed_o(fetch_failed), .write_failed_o(write_failed),
    .unasked_o(unasked), .answered_o(answered), .failed_addr_o(failed_addr), .mem_read_o(mem_read),
    .mem_write_o(mem_write),
    .base_i(base), .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_write_o(mem_req_write_o), .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o),
    .mem_req_data_o(mem_req_data_o), .mem_req_strb_o(mem_req_strb_o), .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_ready_o(mem_rsp_ready_o), .mem_rsp_tag_i(mem_rsp_tag_i), .mem_rsp_data_i(mem_rsp_data_i),
    .mem_rsp_error_i(mem_rsp_error_i));

  genvar g;
  generate
    for (g = 0; g < SMS; g = g + 1) begin : g_sm
      localparam [SM_W-1:0] SELF = g;
      const_l1 #(
        .ROWS(L1_ROWS), .CONSTANTS(CONSTANTS), .CONST_W(CONST_W), .WORD_W(WORD_W), .WORDS(WRITE_WORDS),
        .READS(READS), .GEN_W(GEN_W), .COPY(COPY), .L1_LAT(L1_LAT), .STEAL(STEAL)
      ) u_l1 (
        .clk_i(clk_i), .rst_i(rst), .running_i(running[g]), .rd_valid_i(rd_valid_i[g] && !closed),
        .rd_ready_o(rd_ready[g]), .rd_addr_i(rd_addr_i[g*CONST_W+:CONST_W]), .rsp_valid_o(rsp_valid[g]),
        .rsp_data_o(rsp_data[g*WORD_W+:WORD_W]), .rsp_error_o(rsp_error[g]), .quiet_o(quiet[g]),
        .wr_valid_i(wr_valid[g]), .wr_addr_i(bc_addr), .wr_data_i(bc_data), .epoch_gen_i(epoch_gen),
          .launder_i(launder),
        .laundered_o(laundered[g]), .walk_valid_i(walk_valid[g]), .walk_row_i(walk_row),
        .walk_taken_o(walk_taken[g]), .word_valid_o(word_valid[g]),
        .word_addr_o(word_addr[g*LINE_AW+:LINE_AW]), .word_data_o(word_data[g*LINE_W+:LINE_W]),
        .inval_i(inval[g]),
        .room_o(room[g]), .req_valid_o(req_valid[g]), .req_slot_o(req_slot[g*SLOT_W+:SLOT_W]),
        .req_addr_o(req_addr[g*LINE_AW+:LINE_AW]), .req_taken_i(req_taken[g]),
        .ans_valid_i(ans_valid && ans_sm == SELF), .ans_retry_i(ans_retry), .ans_slot_i(ans_slot),
        .ans_data_i(ans_data), .ans_error_i(ans_error), .hit_o(hit[g]), .miss_o(miss[g]),
        .bad_sm_o(bad_sm[g]), .bad_addr_o(bad_addr[g]));
    end
  endgenerate

  // ---- events -----------------------------------------------------------------------------------------
  function [EVENT_W-1:0] ones(input [SMS-1:0] bits);
    integer i;
    begin
      ones = {EVENT_W{1'b0}};
      for (i = 0; i < SMS; i = i + 1) ones = ones + {{EVENT_W-1{1'b0}}, bits[i]};
    end
  endfunction
  localparam SINGLES = 13;             // events that happen at most once in a cycle
  reg [EVENT_W-1:0] hits_q, misses_q, to_l1_q, invalidated_q, copied_q;
  reg [SINGLES-1:0] single_q;
  wire [NUMBER*EVENT_W-1:0] events;
  always @(posedge clk_i) begin
    hits_q <= rst_i ? {EVENT_W{1'b0}} : ones(hit);
    misses_q <= rst_i ? {EVENT_W{1'b0}} : ones(miss);
    to_l1_q <= (rst_i || wr_copied || load) ? {EVENT_W{1'b0}} : ones(wr_valid);
    copied_q <= (rst_i || !wr_copied || load) ? {EVENT_W{1'b0}} : ones(wr_valid);
    invalidated_q <= rst_i ? {EVENT_W{1'b0}} : ones(inval);
    single_q <= rst_i ? {SINGLES{1'b0}}
              : {wait_cause == 3'd6, wait_cause == 3'd5, wait_cause == 3'd4, wait_cause == 3'd3,
                 wait_cause == 3'd2, wait_cause == 3'd1, mem_write, mem_read, ans_valid && !ans_retry,
                 (COPY != 0) ? s5_write : saved, s5_drop, done_work, done_write};
  end
  assign events[4*EVENT_W-1:0] = {invalidated_q, to_l1_q, misses_q, hits_q};
  generate
    for (g = 0; g < SINGLES; g = g + 1) begin : g_single
      // with protocol copy the place of dropped writes has words from L1 to L1
      assign events[(4+g)*EVENT_W+:EVENT_W] = (COPY != 0 && g == 2) ? copied_q
                                            : {{EVENT_W-1{1'b0}}, single_q[g]};
    end
  endgenerate

  wire reg_taken, reg_waits, reg_executes, reg_write, reg_good;
  wire [8:0] reg_addr;
  wire [31:0] reg_data, reg_word;
  const_regs #(
    .CONST_W(CONST_W), .LG($clog2(WORD_W / 8)), .ADDR_W(ADDR_W), .COUNTERS(COUNTERS), .VERSIONED(PROTOCOL
      != 1),
    .NUMBER(NUMBER), .EVENT_W(EVENT_W), .ADDED_W(ADDED_W), .ENTRIES_W(ENTRIES_W), .VERSIONS_W(EVENT_W)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .wipe_i(wipe), .put_i(put_regs), .put_errors_i(put_errors),
    .put_failed_i(put_failed), .commit_i(commit), .put_base_i(put_base), .errors_o(errors), .failed_o(failed),
    .recorded_o(recorded), .taken_i(reg_taken), .waits_o(reg_waits),
    .answers_i(reg_executes), .write_i(reg_write), .addr_i(reg_addr), .data_i(reg_data),
    .good_o(reg_good), .word_o(reg_word),
    .base_o(base), .error_o(error_o), .idle_i(idle), .base_free_i(base_free), .memory_idle_i(l2_idle),
    .errors_i({unasked, write_failed, fetch_failed, read_failed, |bad_addr, |bad_sm, bad_done, bad_cmd_kind,
               bad_cmd_addr}),
    .failed_addr_i(failed_word), .version_counted_i(version_counted), .versions_i(versions),
    .entries_i(entries), .events_i(events));
  wire unused = &{1'b0, scan_in_s5};

  // ---- the unit ---------------------------------------------------------------------------------------
  reg quiet_q, drop_q, wipe_q;         // what was under way has ended; a reset waits for it; it acts
  wire moves = l2_moves || command_moves || work_valid || cmd_done;
  // Rows that a walk has read are on their way, commands move up: that ends in as many cycles.
  localparam [2:0] REST = (COPY != 0) ? 3'd4 : 3'd0;
  reg [2:0] rest_q;
  reg was_load_q;                      // a load begins with a reset
  always @(posedge clk_i) begin
    rest_q <= (rst || !closed) ? 3'd0 : rest_q + {2'd0, rest_q != REST};
    quiet_q <= !rst && STATUS != 0 && closed && !moves && l2_idle && &quiet && rest_q == REST;
    was_load_q <= !rst_i && load;
    drop_q <= !rst_i && (clear || (load && !was_load_q) || (drop_q && !wipe_q));
    wipe_q <= !rst_i && drop_q && quiet_q && !wipe_q;
  end
  assign wipe = wipe_q;
  assign cleared = was_load_q && !drop_q && !wipe_q && rows_cleared && &quiet;
  wire sav_valid, sav_ready, sav_last, ld_valid, ld_ready, ld_last, ld_wrong, refused;
  wire [31:0] sav_data, ld_data;
  const_context #(
    .PROTOCOL(PROTOCOL), .SMS(SMS), .LINE_AW(LINE_AW), .LINES(CONSTANTS / WRITE_WORDS), .LINE_W(LINE_W),
    .ROWS_L1(L1_ROWS), .ROWS_L2(L2_ROWS), .SETS(SETS), .WAYS(BACKUP_WAYS), .CODES(CODES), .CODE_W(CODE_W),
    .ADDR_W(ADDR_W), .REGION(CONST_W + $clog2(WORD_W / 8)), .CONST_W(CONST_W), .RECORD_W(RECORD_W)
  ) u_context (
    .clk_i(clk_i), .rst_i(rst_i), .save_i(save), .load_i(load), .cleared_i(cleared), .sav_valid_o(sav_valid),
    .sav_ready_i(sav_ready), .sav_data_o(sav_data), .sav_last_o(sav_last), .ld_valid_i(ld_valid),
    .ld_ready_o(ld_ready), .ld_data_i(ld_data), .ld_last_i(ld_last), .ld_wrong_o(ld_wrong),
    .refused_i(refused), .record_o(record), .in_words_o(save_word), .sm_moves_o(save_sm_moves),
    .base_i(base), .errors_i(errors), .failed_i(failed), .current_i(current_code), .base_free_i(base_free),
    .sm_i(sm_word), .row_some_i(row_some), .row_addr_i(row_addr), .row_line_i(row_line),
    .entry_some_i(entry_some), .entry_error_i(entry_error), .entry_addr_i(entry_addr),
    .entry_mask_i(entry_mask), .entry_line_i(entry_line), .lock_some_i(lock_some), .lock_addr_i(lock_addr),
    .word_some_i(saved_some), .word_addr_i(saved_addr), .word_line_i(saved_line), .cmd_some_i(cmd_some),
    .cmd_kind_i(save_kind), .cmd_addr_i(save_addr), .cmd_line_i(save_line), .put_regs_o(put_regs),
    .put_sm_o(put_sm), .put_row_o(put_row), .put_entry_o(put_entry), .put_lock_o(put_lock),
    .put_word_o(put_word), .put_cmd_o(put_cmd), .put_record_o(put_record), .put_head_o(put_head),
    .put_addr_o(put_addr), .put_mask_o(put_mask), .put_line_o(put_line), .put_base_o(put_base),
    .put_errors_o(put_errors), .put_failed_o(put_failed), .put_current_o(put_current),
    .put_free_o(put_free), .used_i(used), .active_i(listed), .even_i(nothing_locked),
    .have_i(l1_has_version), .full_i(cmd_full));
  wire would = (cmd_valid_i && cmd_ready) || |(rd_valid_i & rd_ready) || |(done_valid_i & quiet);
  wire nack = (read_failed || fetch_failed || write_failed) && !clearing;
  wire leaves = |rsp_valid || work_valid || cmd_done;
  // What shapes a context, one after the other.
  localparam [31:0] PRIME = 32'h01000193;
  localparam [31:0] CFG_HASH = (((((((((((32'h811c9dc5 ^ PROTOCOL) * PRIME ^ SMS) * PRIME ^ CONSTANTS)
      * PRIME ^ WORD_W) * PRIME ^ WRITE_WORDS) * PRIME ^ L1_ENTRIES) * PRIME ^ L2_ENTRIES)
      * PRIME ^ BACKUP_ENTRIES) * PRIME ^ BACKUP_WAYS) * PRIME ^ CODE_FACTOR) * PRIME ^ ADDR_W) * PRIME;
  localparam [31:0] CTX_WORDS = CTX_MAX;
  wire unused_halt, unused_halted, unused_resume, unused_still, unused_abort;
  wire [23:0] unused_len;
  unit_shell #(
    .STATUS(STATUS), .UNIT_TYPE(32'h4343), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX), .ADDR_W(9)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o), .st_in_i(would && !clearing),
    .st_out_i(leaves), .st_proc_i(moves), .st_work_i(!idle), .st_mem_i(!l2_idle),
    .st_mem_done_i(answered), .st_nack_i(nack),
    .st_blocked_i(mem_req_valid_o && !mem_req_ready_i), .st_cannot_i(!(would || moves)),
    .st_progress_i((would && !closed) || leaves || moves), .st_gather_i(1'b0),
    .can_halt_i(quiet_q), .clears_i(drop_q || wipe_q || !cmd_ready), .nack_clear_i(!recorded),
    .nack_load_i(recorded), .halt_o(unused_halt), .halted_o(unused_halted), .resume_o(unused_resume),
    .clear_o(clear), .clearing_o(clearing), .closed_o(closed), .still_o(unused_still), .save_o(save),
    .ctx_len_i(CTX_WORDS[23:0]), .sav_valid_i(sav_valid), .sav_ready_o(sav_ready), .sav_data_i(sav_data),
    .sav_last_i(sav_last), .load_o(load), .ld_len_o(unused_len), .ld_valid_o(ld_valid), .ld_ready_i(ld_ready),
    .ld_data_o(ld_data), .ld_last_o(ld_last), .ld_wrong_i(ld_wrong), .ld_refused_o(refused),
    .commit_o(commit), .abort_o(unused_abort),
    .reg_taken_o(reg_taken), .reg_waits_i(reg_waits), .reg_executes_o(reg_executes), .reg_write_o(reg_write),
    .reg_addr_o(reg_addr), .reg_data_o(reg_data), .reg_good_i(reg_good), .reg_word_i(reg_word));
endmodule

`default_nettype wire
