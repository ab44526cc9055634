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
  parameter L1_ENTRIES = 256,
  parameter L2_ENTRIES = 1024,
  parameter BACKUP_ENTRIES = 512,
  parameter BACKUP_WAYS = 4,
  parameter CODE_FACTOR = 3,
  parameter READS = 4,
  parameter MISSES = 8,
  parameter GEN_W = 4,
  parameter L1_LAT = 3,
  parameter DROP_REPEATS = 0,
  parameter STEAL = 16,
  parameter COUNTERS = 1,
  parameter ADDR_W = 32
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
  output wire reg_rsp_error_o
);
  localparam CONST_W = $clog2(CONSTANTS);
  localparam SM_W = (SMS > 1) ? $clog2(SMS) : 1;
  localparam CODES = CODE_FACTOR * (SMS + 1);
  localparam SETS = BACKUP_ENTRIES / BACKUP_WAYS / WRITE_WORDS;
  localparam LINE_W = WORD_W * WRITE_WORDS;      // what is written, kept and moved as one
  localparam OFF_W = $clog2(WRITE_WORDS), LINE_AW = CONST_W - OFF_W;
  localparam L1_ROWS = L1_ENTRIES / WRITE_WORDS, L2_ROWS = L2_ENTRIES / WRITE_WORDS;
  localparam CODE_W = $clog2(CODES), SLOT_W = $clog2(READS), NUMBER = 16, EVENT_W = $clog2(SMS + 1);
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
  wire bad_cmd_addr, bad_cmd_kind, bad_done, read_failed, fetch_failed, write_failed, unasked;
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
  assign done_ready_o = quiet;
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
        .clk_i(clk_i), .rst_i(rst_i), .cmd_valid_i(cmd_valid_i), .cmd_ready_o(cmd_ready_o),
        .cmd_kind_i(cmd_kind_i), .cmd_addr_i(cmd_addr_i[CONST_W-1:OFF_W]),
        .cmd_wrong_i(out_of_range || unaligned), .cmd_data_i(cmd_data_i), .cmd_done_o(cmd_done_o),
        .bad_addr_o(bad_cmd_addr), .bad_kind_o(bad_cmd_kind), .done_valid_i(done_valid_i), .quiet_i(quiet),
        .reads_i(rd_valid_i & rd_ready_o), .running_o(running), .bad_done_o(bad_done), .inval_o(inval),
        .room_i(room), .wr_valid_o(wr_valid), .wr_copied_o(wr_copied), .bc_addr_o(bc_addr),
        .bc_data_o(bc_data), .work_valid_o(work_valid_o), .work_sm_o(work_sm_o), .epoch_gen_o(epoch_gen),
        .launder_o(launder), .laundered_i(laundered), .walk_valid_o(walk_valid), .walk_row_o(walk_row),
        .walk_taken_i(walk_taken), .word_valid_i(word_valid), .word_addr_i(word_addr),
        .word_data_i(word_data), .op_valid_o(op_valid), .op_kind_o(op_kind), .op_addr_o(op_addr),
        .op_data_o(op_data), .op_epoch_o(op_epoch), .op_clears_o(op_clears), .op_taken_i(op_taken),
        .s5_write_i(s5_write), .s5_walked_i(s5_walked), .s5_walk_again_i(s5_walk_again),
        .s5_again_i(s5_again), .l2_idle_i(l2_idle), .idle_o(idle), .base_free_o(base_free),
        .write_o(done_write), .work_o(done_work), .wait_o(wait_cause), .versions_o(copy_versions),
        .locked_o(entries));
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
        .clk_i(clk_i), .rst_i(rst_i), .cmd_valid_i(cmd_valid_i), .cmd_ready_o(cmd_ready_o),
        .cmd_kind_i(cmd_kind_i), .cmd_addr_i(cmd_addr_i[CONST_W-1:OFF_W]),
        .cmd_wrong_i(out_of_range || unaligned), .cmd_data_i(cmd_data_i), .cmd_done_o(cmd_done_o),
        .bad_addr_o(bad_cmd_addr), .bad_kind_o(bad_cmd_kind), .done_valid_i(done_valid_i), .quiet_i(quiet),
        .reads_i(rd_valid_i & rd_ready_o), .running_o(running), .bad_done_o(bad_done), .inval_o(inval),
        .room_i(room), .wr_valid_o(wr_valid), .bc_addr_o(bc_addr), .bc_data_o(bc_data),
        .work_valid_o(work_valid_o), .work_sm_o(work_sm_o), .op_valid_o(op_valid), .op_kind_o(op_kind),
        .op_addr_o(op_addr), .op_data_o(op_data), .op_epoch_o(op_epoch), .op_clears_o(op_clears),
        .op_taken_i(op_taken), .epoch_o(epoch), .s5_write_i(s5_write), .s5_drop_i(s5_drop),
        .s5_work_i(s5_work), .s5_is_work_i(s5_is_work),
        .s5_walked_i(s5_walked), .s5_walk_again_i(s5_walk_again), .s5_again_i(s5_again),
          .s5_cause_i(s5_cause),
        .s5_addr_i(s5_addr), .s5_data_i(s5_data), .any_active_o(any_active), .can_work_o(can_work),
        .can_version_o(can_version), .used_o(used), .s1_sm_i(s1_sm), .s1_code_o(s1_code),
        .scan_valid_o(scan_valid), .scan_set_o(scan_set), .scan_taken_i(scan_taken), .l2_idle_i(l2_idle),
        .idle_o(idle), .base_free_o(base_free), .wait_o(wait_cause), .versions_o(versions),
        .version_counted_o(version_counted));
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
    .clk_i(clk_i), .rst_i(rst_i), .req_valid_i(req_valid), .req_slot_i(req_slot), .req_addr_i(req_addr),
    .req_taken_o(req_taken), .ans_valid_o(ans_valid), .ans_retry_o(ans_retry), .ans_sm_o(ans_sm),
    .ans_slot_o(ans_slot), .ans_data_o(ans_data), .ans_error_o(ans_error), .cmd_valid_i(op_valid),
    .cmd_kind_i(op_kind), .cmd_addr_i(op_addr), .cmd_data_i(op_data), .cmd_epoch_i(op_epoch),
    .cmd_clears_i(op_clears), .cmd_taken_o(op_taken), .epoch_i(epoch), .s5_write_o(s5_write),
    .s5_drop_o(s5_drop), .s5_work_o(s5_work), .s5_is_work_o(s5_is_work), .s5_walked_o(s5_walked),
    .s5_walk_again_o(s5_walk_again), .s5_again_o(s5_again), .s5_cause_o(s5_cause), .s5_addr_o(s5_addr),
    .s5_data_o(s5_data),
    .any_active_i(any_active), .can_work_i(can_work), .can_version_i(can_version), .used_i(used),
    .s1_sm_o(s1_sm), .s1_code_i(s1_code), .scan_valid_i(scan_valid), .scan_set_i(scan_set),
    .scan_taken_o(scan_taken), .s5_scan_o(scan_in_s5),
    .entries_o(backup_entries), .saved_o(saved), .idle_o(l2_idle),
    .read_failed_o(read_failed), .fetch_failed_o(fetch_failed), .write_failed_o(write_failed),
    .unasked_o(unasked), .failed_addr_o(failed_addr), .mem_read_o(mem_read), .mem_write_o(mem_write),
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
        .clk_i(clk_i), .rst_i(rst_i), .running_i(running[g]), .rd_valid_i(rd_valid_i[g]),
        .rd_ready_o(rd_ready_o[g]), .rd_addr_i(rd_addr_i[g*CONST_W+:CONST_W]), .rsp_valid_o(rsp_valid_o[g]),
        .rsp_data_o(rsp_data_o[g*WORD_W+:WORD_W]), .rsp_error_o(rsp_error_o[g]), .quiet_o(quiet[g]),
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
  localparam SINGLES = 12;             // events that happen at most once in a cycle
  reg [EVENT_W-1:0] hits_q, misses_q, to_l1_q, invalidated_q, copied_q;
  reg [SINGLES-1:0] single_q;
  wire [NUMBER*EVENT_W-1:0] events;
  always @(posedge clk_i) begin
    hits_q <= rst_i ? {EVENT_W{1'b0}} : ones(hit);
    misses_q <= rst_i ? {EVENT_W{1'b0}} : ones(miss);
    to_l1_q <= (rst_i || wr_copied) ? {EVENT_W{1'b0}} : ones(wr_valid);
    copied_q <= (rst_i || !wr_copied) ? {EVENT_W{1'b0}} : ones(wr_valid);
    invalidated_q <= rst_i ? {EVENT_W{1'b0}} : ones(inval);
    single_q <= rst_i ? {SINGLES{1'b0}}
              : {wait_cause == 3'd5, wait_cause == 3'd4, wait_cause == 3'd3, wait_cause == 3'd2,
                 wait_cause == 3'd1, mem_write, mem_read, ans_valid && !ans_retry,
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

  const_regs #(
    .CONST_W(CONST_W), .LG($clog2(WORD_W / 8)), .ADDR_W(ADDR_W), .COUNTERS(COUNTERS), .VERSIONED(PROTOCOL
      != 1),
    .NUMBER(NUMBER), .EVENT_W(EVENT_W), .ADDED_W(ADDED_W), .ENTRIES_W(ENTRIES_W), .VERSIONS_W(EVENT_W)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .base_o(base), .error_o(error_o), .idle_i(idle), .base_free_i(base_free), .memory_idle_i(l2_idle),
    .errors_i({unasked, write_failed, fetch_failed, read_failed, |bad_addr, |bad_sm, bad_done, bad_cmd_kind,
               bad_cmd_addr}),
    .failed_addr_i(failed_word), .version_counted_i(version_counted), .versions_i(versions),
    .entries_i(entries), .events_i(events));
  wire unused = &{1'b0, scan_in_s5};
endmodule

`default_nettype wire
