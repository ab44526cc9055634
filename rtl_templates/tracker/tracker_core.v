// SPDX-License-Identifier: Apache-2.0
// tracker_core: out-of-order memory request tracking between tag check and data read of a streaming L1.
//
// A wavefront taken at `in` waits in one of QUEUES queues, linked lists over one pool of ENTRIES, until all
// sectors that it needs are valid. The head of every queue is compared with every fill. Whole instructions
// leave, whichever queue is ready, through two outputs; order within a queue, and of state and fast packets,
// is kept. One packet in, one fill, one check, one pop (or POPS) and one commit per cycle (COMMITS 2: one a
// path); ten cycles from the last fill to the output. All outputs are functions of the state alone.
// Synchronous reset; ready is low while memories are cleared. Which cycle does what: docs/tracker_design.md.
`default_nettype none

module tracker_core #(
  parameter QUEUES = 48,
  parameter ENTRIES = 512,
  parameter BANKS = 4,
  parameter DSLOTS = 256,
  parameter SECTORS = 4,
  parameter WARPS = 48,
  parameter PAYLOAD_W = 64,
  parameter COMMIT_FIFO = 8,
  parameter STATE_Q = 16,
  parameter FAST_Q = 16,
  parameter FLUSH_Q = 8,
  parameter REF_W = 6,
  parameter LG_RELEASE = 0,  // 0 instruction, 1 wavefront
  parameter FAST_GUARD = 1,
  parameter INTERLOCK = 0,   // 0 single, 1 per_queue
  parameter COMMITS = 1,
  parameter POPS = 1,
  parameter ALLOC = 0,       // 0 in_order, 1 free_list
  parameter STATUS = 0       // 0 none, 1 one_hot, 2 two_of_four, 3 binary
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire in_valid_i,
  output wire in_ready_o,
  input  wire [1:0] in_kind_i,
  input  wire [1:0] in_class_i,
  input  wire [((WARPS > 1) ? $clog2(WARPS) : 1)-1:0] in_warp_i,
  input  wire in_end_i,
  input  wire [BANKS-1:0] in_used_i,
  input  wire [BANKS*$clog2(DSLOTS)-1:0] in_dslots_i,
  input  wire [BANKS*SECTORS-1:0] in_sectors_i,
  input  wire [((BANKS > 1) ? $clog2(BANKS) : 1)-1:0] in_bank_i,
  input  wire [PAYLOAD_W-1:0] in_payload_i,

  input  wire fast_in_valid_i,
  output wire fast_in_ready_o,
  input  wire [PAYLOAD_W-1:0] fast_in_payload_i,
  output wire fast_out_valid_o,
  input  wire fast_out_ready_i,
  output wire [PAYLOAD_W-1:0] fast_out_payload_o,

  input  wire fill_valid_i,
  input  wire [((BANKS > 1) ? $clog2(BANKS) : 1)-1:0] fill_bank_i,
  input  wire [$clog2(DSLOTS)-1:0] fill_dslot_i,
  input  wire [((SECTORS > 1) ? $clog2(SECTORS) : 1)-1:0] fill_sector_i,

  input  wire alloc_valid_i,
  output wire alloc_ready_o,
  input  wire [((BANKS > 1) ? $clog2(BANKS) : 1)-1:0] alloc_bank_i,
  input  wire [$clog2(DSLOTS)-1:0] alloc_dslot_i,

  output wire lg_out_valid_o,
  input  wire lg_out_ready_i,
  output wire [1:0] lg_out_class_o,
  output wire [((WARPS > 1) ? $clog2(WARPS) : 1)-1:0] lg_out_warp_o,
  output wire lg_out_end_o,
  output wire [BANKS-1:0] lg_out_used_o,
  output wire [BANKS*$clog2(DSLOTS)-1:0] lg_out_dslots_o,
  output wire [PAYLOAD_W-1:0] lg_out_payload_o,

  output wire tex_out_valid_o,
  input  wire tex_out_ready_i,
  output wire tex_out_state_o,
  output wire [1:0] tex_out_class_o,
  output wire [((WARPS > 1) ? $clog2(WARPS) : 1)-1:0] tex_out_warp_o,
  output wire tex_out_end_o,
  output wire [BANKS-1:0] tex_out_used_o,
  output wire [BANKS*$clog2(DSLOTS)-1:0] tex_out_dslots_o,
  output wire [PAYLOAD_W-1:0] tex_out_payload_o,

  output wire [BANKS-1:0] free_valid_o,
  output wire [BANKS*$clog2(DSLOTS)-1:0] free_dslot_o,

  output reg  err_valid_o,
  output reg  [2:0] err_in_o,
  output reg  [1:0] err_alloc_o,
  output reg  err_reg_o,
  output reg  err_fill_o,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [7:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output wire reg_rsp_valid_o,
  output wire [31:0] reg_rsp_data_o,
  output wire reg_rsp_error_o,

  input  wire fill_pending_i,      // fills are outstanding (STATUS)
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
  localparam QUEUE_W = $clog2(QUEUES);
  localparam ENTRY_W = $clog2(ENTRIES);
  localparam PTR_W = ENTRY_W + 1;          // counts entries
  // A wavefront's name has its place in the pool lowest. In order its age is the name: a wrap bit and the
  // place. From a free list places come in any order, and the age, a position of a longer ring, stands above.
  localparam AGES = (ALLOC == 0) ? ENTRIES : 4 * ENTRIES;
  localparam AGE_W = $clog2(AGES) + 1;
  localparam AGE_AT = (ALLOC == 0) ? 0 : ENTRY_W;
  localparam NAME_W = AGE_AT + AGE_W;
  localparam RUNS = (ALLOC == 0) ? 1 : 0;
  localparam DSLOT_W = $clog2(DSLOTS);
  localparam BANK_W = (BANKS > 1) ? $clog2(BANKS) : 1;
  localparam SECTOR_W = (SECTORS > 1) ? $clog2(SECTORS) : 1;
  localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
  localparam GROUP_MAX = (ENTRIES < DSLOTS) ? ENTRIES : DSLOTS;
  localparam GROUP_RESET = (GROUP_MAX / 2 < 32) ? GROUP_MAX / 2 : 32;
  localparam GROUP_W = $clog2(GROUP_MAX + 1);
  localparam GROUPS = (QUEUES <= 4) ? 2 : (QUEUES <= 16) ? 4 : 8;  // of queues, for selection
  localparam SLOTS = BANKS << DSLOT_W, SLOTS_W = $clog2(SLOTS);  // data slots of all banks
  localparam CLEAR_A = (AGES > SLOTS) ? AGES : SLOTS;
  localparam CLEAR = (CLEAR_A > 32) ? CLEAR_A : 32;                // cycles from reset to ready, less three
  localparam CLEAR_W = $clog2(CLEAR);

  generate
    if (QUEUES < 2 || QUEUES > 128) begin : g_queues_range
      queues_out_of_range check ();
    end
    if (ENTRIES < 4 || ENTRIES > 4096 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_entries_range
      entries_out_of_range check ();
    end
    if (BANKS < 1 || BANKS > 8) begin : g_banks_range
      banks_out_of_range check ();
    end
    if (DSLOTS < 2 || DSLOTS > 1024) begin : g_dslots_range
      dslots_out_of_range check ();
    end
    if (SECTORS < 1 || SECTORS > 8) begin : g_sectors_range
      sectors_out_of_range check ();
    end
    if (WARPS < 1 || WARPS > 128) begin : g_warps_range
      warps_out_of_range check ();
    end
    if (PAYLOAD_W < 1 || PAYLOAD_W > 512) begin : g_payload_w_range
      payload_w_out_of_range check ();
    end
    if (COMMIT_FIFO < 2 || COMMIT_FIFO > 64) begin : g_commit_fifo_range
      commit_fifo_out_of_range check ();
    end
    if (STATE_Q < 1 || STATE_Q > 64) begin : g_state_q_range
      state_q_out_of_range check ();
    end
    if (FAST_Q < 1 || FAST_Q > 64) begin : g_fast_q_range
      fast_q_out_of_range check ();
    end
    if (FLUSH_Q < 1 || FLUSH_Q > 64) begin : g_flush_q_range
      flush_q_out_of_range check ();
    end
    if (REF_W < 2 || REF_W > 12) begin : g_ref_w_range
      ref_w_out_of_range check ();
    end
    if (LG_RELEASE < 0 || LG_RELEASE > 1) begin : g_lg_release_range
      lg_release_out_of_range check ();
    end
    if (FAST_GUARD < 0 || FAST_GUARD > 1) begin : g_fast_guard_range
      fast_guard_out_of_range check ();
    end
    if (INTERLOCK < 0 || INTERLOCK > 1) begin : g_interlock_range
      interlock_out_of_range check ();
    end
    if (COMMITS < 1 || COMMITS > 2) begin : g_commits_range
      commits_out_of_range check ();
    end
    if (POPS < 1 || POPS > 4 || (POPS & (POPS - 1)) != 0) begin : g_pops_range
      pops_out_of_range check ();
    end
    if (POPS > 1 && POPS >= QUEUES) begin : g_pops_most
      pops_not_below_queues check ();
    end
    if (ALLOC < 0 || ALLOC > 1) begin : g_alloc_range
      alloc_out_of_range check ();
    end
  endgenerate

  // ---- memories are cleared -----------------------------------------------------------------------------
  // Of a unit: nothing is taken or begun; its context is cleared, in this cycle and behind it.
  wire unit_closed, clear, clearing, save;
  reg save_q;
  wire closed = unit_closed || save || save_q;  // what is saved comes back a cycle later
  wire begins;                    // a context begins to come in: as a clear
  wire rst = rst_i || clear || begins;
  reg init_q, first_q;            // first: since rst_i, so counters are cleared too
  reg [CLEAR_W-1:0] clear_q;
  wire [CLEAR_W:0] clear_next = {1'b0, clear_q} + 1'b1;
  always @(posedge clk_i)
    if (rst) begin
      init_q <= 1'b1;
      clear_q <= {CLEAR_W{1'b0}};
    end else begin
      init_q <= init_q && clear_next != CLEAR[CLEAR_W:0];
      clear_q <= clear_next[CLEAR_W-1:0];
    end
  always @(posedge clk_i) save_q <= save && !rst_i;
  always @(posedge clk_i) first_q <= rst_i || (first_q && init_q);
  wire [CLEAR_W+10:0] clear_wide = {11'd0, clear_q};
  wire [DSLOT_W-1:0] init_dslot = clear_wide[DSLOT_W-1:0];
  wire [DSLOT_W-1:0] ctx_dslot;   // of a context: a data slot that is read or written
  // A reset may come in the middle of a save or load: what is cleared goes first.
  wire put_wanted;
  wire put_slot = put_wanted && !init_q;
  wire [DSLOT_W-1:0] walk_dslot = (STATUS == 0 || init_q) ? init_dslot : ctx_dslot;
  wire [AGE_W-2:0] init_entry = clear_wide[AGE_W-2:0];
  wire unused_clear = &{1'b0, clear_wide};

  // ---- wires --------------------------------------------------------------------------------------------
  wire [QUEUE_W-1:0] new_last, new_ray_first, new_ray_last, insert_queue, check_queue, oldest_queue;
  wire [POPS*QUEUE_W-1:0] pick_queue, pop_queue;
  wire [POPS-1:0] pick, pick_one, pick_any, pop, pop_tex, pop_end, pop_group_end;
  wire [POPS*NAME_W-1:0] pop_entry;
  wire ages_full;
  wire [ENTRY_W-1:0] left_entry;
  wire [GROUP_W-1:0] new_group;
  wire change, change_take, change_waits, wave, wave_end, state, token, fast, fast_fire, alloc, insert,
    insert_tex, insert_end, insert_group_end, held, reclaim, state_left, fast_left, apply_valid,
    apply_ready, apply_done, apply_free, pool_full, fill_bad, check, loads, oldest_tex, oldest_valid,
    state_due, left, left_early, reg_refused;
  wire [2:0] err_in, wasted;
  wire [1:0] err_alloc, leaves, leave_room;
  wire [5:0] seen;
  wire [NAME_W-1:0] wave_entry, insert_entry, insert_before;
  wire [AGE_W-1:0] state_open, tail, head, oldest;
  wire [PTR_W-1:0] pool_used;
  wire [BANKS-1:0] wave_used, alloc1_banks, alloc_banks, down_we, up_stuck, raise;
  wire [BANKS*DSLOT_W-1:0] wave_dslots, down_addr, up_addr, raise_dslots, raise1_dslots, dslots2, dslots3;
  wire [BANKS*DSLOT_W-1:0] check_dslots;
  wire [BANKS*REF_W-1:0] down_data, up_data;
  wire [BANKS*SECTORS-1:0] wave_sectors, need3, missing3, check_missing, heads_sector;
  wire [DSLOT_W-1:0] heads_dslot, token_dslot, apply_dslot, alloc1_dslot, alloc_dslot;
  wire [BANK_W-1:0] token_bank, apply_bank;
  wire [1:0] wave_class;
  wire [WARP_W-1:0] wave_warp;
  wire [PAYLOAD_W-1:0] wave_payload;
  wire [QUEUES-1:0] busy, ready, check_dry, commit_dry, picked, slot_end, slot_tex;
  wire [2*NAME_W-1:0] out_entry;
  wire [2*BANKS-1:0] out_used;
  wire [2*BANKS*DSLOT_W-1:0] out_dslots;
  wire [3:0] out_class;
  wire [2*WARP_W-1:0] out_warp;
  wire [1:0] out_end, out_valid;
  wire [2*PAYLOAD_W-1:0] out_payload;
  wire out_state;
  wire [4:0] commit_count;
  wire park_twice;
  reg [2:0] pops;                            // entries that enter checked queues
  wire [22:0] events;

  // ---- the unit -----------------------------------------------------------------------------------------
  wire would, takes, read_would, read_blocked, input_busy, check_moves, commit_moves, commit_work,
    leave_moves, tokens_wait, sectors_move, reg_executes, reg_write, reg_waits, reg_good;
  wire [7:0] reg_addr;
  wire [31:0] reg_data, reg_word;
  reg fills_q, quiet_q;            // quiet: closed, and what was under way has ended
  wire moves = input_busy || check_moves || |pick || commit_moves || leave_moves || sectors_move || init_q;
  always @(posedge clk_i) begin
    fills_q <= fill_pending_i && !rst_i;
    quiet_q <= closed && !moves && !rst;
  end
  // ---- a context ----------------------------------------------------------------------------------------
  localparam SLOT_WORDS = (BANKS*(SECTORS+1) + 31) / 32;
  localparam BODY_WORDS = (PAYLOAD_W + BANKS*(SECTORS+DSLOT_W+1) + 31) / 32;
  localparam ITEMS = ENTRIES + COMMIT_FIFO + STATE_Q + FAST_Q + FLUSH_Q;
  localparam CTX_MAX = DSLOTS*SLOT_WORDS + ITEMS*(BODY_WORDS+1) + 5;
  localparam [31:0] PRIME = 32'h01000193;
  localparam [31:0] CFG_HASH = ((((((((((((((32'h811c9dc5 ^ QUEUES) * PRIME ^ ENTRIES) *
      PRIME ^ BANKS) * PRIME ^ DSLOTS) * PRIME ^ SECTORS) * PRIME ^ WARPS) * PRIME ^ PAYLOAD_W) *
      PRIME ^ COMMIT_FIFO) * PRIME ^ STATE_Q) *
      PRIME ^ FAST_Q) * PRIME ^ FLUSH_Q) * PRIME ^ REF_W) * PRIME ^ LG_RELEASE) * PRIME ^
      32'd2) * PRIME;                        // the form of a context
  localparam [31:0] CTX_WORDS = CTX_MAX;
  wire [23:0] ctx_words = CTX_WORDS[23:0];
  wire sav_valid, sav_ready, sav_last, load, ld_valid, ld_ready, ld_last, ld_wrong, commit;
  wire [31:0] sav_data, ld_data;
  wire put, put_committed, put_inserted, put_group_end, put_end, put_opens, issue, put_refused,
    save_left, save_due, save_group_end, h_v, h_group_end;
  wire [2:0] put_kind;
  wire [$clog2(COMMIT_FIFO)-1:0] put_place;
  wire [DSLOT_W-1:0] save_token_dslot;
  wire [BANKS-1:0] put_stuck, put_used;
  wire [BANKS*SECTORS-1:0] put_valid, put_sectors, save_sectors, save_slot;
  wire [BANKS*DSLOT_W-1:0] put_dslots;
  wire [4:0] more, next;
  wire [BANK_W-1:0] put_bank, save_token_bank;
  wire [1:0] put_class;
  wire [WARP_W-1:0] put_warp;
  wire [QUEUE_W-1:0] put_queue, save_queue, h_queue;
  wire [PAYLOAD_W-1:0] put_payload, save_state_payload;
  wire [BANKS+BANKS*DSLOT_W+3+WARP_W+PAYLOAD_W-1:0] save_words;
  wire [AGE_W-1:0] save_age, state_below, state_open_below, fast_below, save_token_tail, open_first;
  wire [NAME_W-1:0] h_entry;
  wire [2*QUEUE_W+1:0] drains;
  wire [2+WARP_W+QUEUE_W+GROUP_W-1:0] input_flags;
  wire [5+WARP_W+3*QUEUE_W+GROUP_W-1:0] put_flags;
  wire [3+QUEUE_W+GROUP_W-1:0] run, now, put_run, put_now;

  // Of a load that ends in the cycle of a reset or behind it the registers stay, the rest is cleared.
  wire commit_whole = commit && !clear && !clearing;

  // What no context of this unit has, has no room.
  wire [3:0] rooms;
  wire [1:0] put_op = put_kind[1:0] - 2'd1;  // as in_kind_i
  wire put_room = rooms[put_op];
  wire puts_in = put && put_room && put_kind != 3'd4;
  wire overflows = put && !put_room;
  generate
    if (STATUS != 0) begin : g_context
      reg load_q;
      always @(posedge clk_i) load_q <= load && !rst_i;
      assign begins = load && !load_q;
      tracker_context #(
        .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .AGE_W(AGE_W), .BANKS(BANKS), .BANK_W(BANK_W), .DSLOTS(DSLOTS),
        .DSLOT_W(DSLOT_W), .SECTORS(SECTORS), .WARPS(WARPS), .WARP_W(WARP_W), .PAYLOAD_W(PAYLOAD_W),
        .COMMIT_FIFO(COMMIT_FIFO), .GROUP_W(GROUP_W), .GROUP_MAX(GROUP_MAX), .ITEMS(ITEMS),
        .SLOT_WORDS(SLOT_WORDS), .BODY_WORDS(BODY_WORDS)
      ) u_context (
        .clk_i(clk_i), .rst_i(rst_i), .save_i(save), .sav_valid_o(sav_valid), .sav_ready_i(sav_ready),
        .sav_data_o(sav_data), .sav_last_o(sav_last), .load_i(load), .clears_i(init_q || begins),
        .ld_valid_i(ld_valid), .ld_ready_o(ld_ready), .ld_data_i(ld_data), .ld_last_i(ld_last),
        .ld_wrong_o(ld_wrong), .dslot_o(ctx_dslot), .stuck_i(up_stuck), .valid_i(save_slot),
        .put_slot_o(put_wanted), .stuck_o(put_stuck), .valid_o(put_valid), .more_i(more), .next_o(next),
        .lg_age_i(out_entry[AGE_AT+:AGE_W]), .tex_age_i(out_entry[NAME_W+AGE_AT+:AGE_W]),
        .tex_state_i(out_state), .tex_payload_i(out_payload[PAYLOAD_W+:PAYLOAD_W]), .state_due_i(save_due),
        .state_below_i(state_below),
        .state_open_below_i(state_open_below), .state_payload_i(save_state_payload),
        .fast_below_i(fast_below), .fast_payload_i(fast_out_payload_o), .token_tail_i(save_token_tail),
        .token_bank_i(save_token_bank), .token_dslot_i(save_token_dslot), .head_i(head), .tail_i(tail),
        .age_o(save_age), .left_i(save_left), .wave_i(save_words), .sectors_i(save_sectors),
        .queue_i(save_queue), .group_end_i(save_group_end), .held_i(h_v),
        .held_age_i(h_entry[AGE_AT+:AGE_W]), .held_queue_i(h_queue), .held_group_end_i(h_group_end),
        .open_first_i(open_first), .flags_i({drains[2+:2*QUEUE_W], drains[1:0], input_flags, change}),
        .run_i(run), .now_i(now), .put_o(put), .kind_o(put_kind), .committed_o(put_committed),
        .place_o(put_place),
        .inserted_o(put_inserted), .group_end_o(put_group_end), .end_o(put_end), .opens_o(put_opens),
        .class_o(put_class), .warp_o(put_warp), .queue_o(put_queue), .used_o(put_used),
        .dslots_o(put_dslots), .sectors_o(put_sectors), .bank_o(put_bank), .payload_o(put_payload),
        .issue_o(issue), .refused_i(put_refused || overflows), .flags_o(put_flags), .run_o(put_run),
        .now_o(put_now));
    end else begin : g_no_context
      wire unused_context = &{1'b0, overflows, save, save_due, sav_ready, load, ld_valid, ld_data, ld_last,
        save_left,
        save_group_end, h_v, h_group_end, save_token_dslot, save_sectors, save_slot, more,
        save_token_bank, save_queue, h_queue, save_state_payload, save_words, state_below, state_open_below,
        fast_below, save_token_tail, open_first, h_entry, drains, input_flags, run, now, put_refused,
        ctx_words,
        CFG_HASH};
      assign {begins, sav_valid, sav_last, sav_data, ld_ready, ld_wrong, ctx_dslot, put_wanted, put_stuck,
        put_valid, next, save_age} = 0;
      assign {put, put_kind, put_committed, put_inserted, put_group_end, put_end, put_opens, put_class,
        put_warp,
        put_queue, put_place, put_used, put_dslots, put_sectors, put_bank, put_payload, issue, put_flags,
        put_run, put_now} = 0;
    end
  endgenerate
  // The place of the age that is saved, found while it is asked whether its wavefront has left.
  wire [ENTRY_W-1:0] save_entry;
  generate
    if (STATUS == 0 || ALLOC == 0) begin : g_in_order
      assign save_entry = save_age[ENTRY_W-1:0];
    end else begin : g_places
      ram_1r1w #(.WIDTH(ENTRY_W), .DEPTH(AGES)) u_places (
        .clk_i(clk_i), .we_i(wave), .waddr_i(wave_entry[AGE_AT+:AGE_W-1]), .wdata_i(wave_entry[ENTRY_W-1:0]),
        .raddr_i(save_age[AGE_W-2:0]), .rdata_o(save_entry));
    end
  endgenerate
  reg [NAME_W-1:0] put_entry_q;              // the wavefront that came in last
  always @(posedge clk_i) if (wave) put_entry_q <= wave_entry;

  // ---- the unit ---------------------------------------------------------------------------------------
  wire unused_halt, unused_halted, unused_resume, unused_still, unused_taken, unused_refused, unused_abort;
  wire [23:0] unused_len;
  unit_shell #(
    .STATUS(STATUS), .UNIT_TYPE(32'h5452), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX), .ADDR_W(8)
  ) u_shell (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i), .ctx_cmd_load_i(ctx_cmd_load_i),
    .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o),
    .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o),
    .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o),
    .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .st_in_i(would && !clearing), .st_out_i(read_would), .st_proc_i(moves),
    .st_work_i(pool_used != {PTR_W{1'b0}} || commit_work || tokens_wait), .st_mem_i(fills_q),
    .st_mem_done_i(fill_valid_i), .st_nack_i(1'b0), .st_blocked_i(read_blocked),
    .st_cannot_i(!(would || read_would || moves)), .st_progress_i(takes || (read_would && !closed) || moves),
    .st_gather_i(1'b0), .can_halt_i(quiet_q && !fills_q), .clears_i(init_q || fills_q), .nack_clear_i(1'b0),
    .nack_load_i(1'b0), .halt_o(unused_halt), .halted_o(unused_halted), .resume_o(unused_resume),
    .clear_o(clear), .clearing_o(clearing), .closed_o(unit_closed), .still_o(unused_still),
    .save_o(save), .ctx_len_i(ctx_words), .sav_valid_i(sav_valid), .sav_ready_o(sav_ready),
    .sav_data_i(sav_data), .sav_last_i(sav_last), .load_o(load), .ld_len_o(unused_len), .ld_valid_o(ld_valid),
    .ld_ready_i(ld_ready), .ld_data_o(ld_data), .ld_last_o(ld_last), .ld_wrong_i(ld_wrong),
    .ld_refused_o(unused_refused), .commit_o(commit), .abort_o(unused_abort),
    .reg_taken_o(unused_taken), .reg_waits_i(reg_waits), .reg_executes_o(reg_executes),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_data_o(reg_data), .reg_good_i(reg_good),
    .reg_word_i(reg_word));

  tracker_regs #(
    .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .PTR_W(PTR_W), .GROUP_W(GROUP_W), .GROUP_MAX(GROUP_MAX),
    .GROUP_RESET(GROUP_RESET), .POPS(POPS)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .init_i(init_q && first_q), .clear_i(clear), .commit_i(commit),
    .whole_i(commit_whole),
    .run_i(put_run),
    .force_i(put_now), .wants_i(put_flags[0]), .run_o(run), .force_o(now), .executes_i(reg_executes),
    .write_i(reg_write), .addr_i(reg_addr), .data_i(reg_data), .waits_o(reg_waits), .good_o(reg_good),
    .word_o(reg_word), .refused_o(reg_refused), .last_o(new_last),
    .ray_first_o(new_ray_first), .ray_last_o(new_ray_last), .group_o(new_group), .change_o(change),
    .change_take_i(change_take), .pool_used_i(pool_used), .events_i(events), .wasted_i(wasted),
    .pops_i(pops), .park_twice_i(park_twice));

  // Before the first ready since rst_i no fill may come.
  wire fill_near;                           // to an allocation of its data slot
  wire some_ready = in_ready_o || fast_in_ready_o || alloc_ready_o;
  reg started_q;
  always @(posedge clk_i) started_q <= !rst_i && (started_q || some_ready);

  tracker_input #(
    .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .ENTRIES(ENTRIES), .PTR_W(PTR_W), .AGES(AGES), .AGE_W(AGE_W),
    .NAME_W(NAME_W), .ALLOC(ALLOC), .BANKS(BANKS), .BANK_W(BANK_W),
    .DSLOTS(DSLOTS), .DSLOT_W(DSLOT_W), .SECTORS(SECTORS), .WARPS(WARPS), .WARP_W(WARP_W),
    .PAYLOAD_W(PAYLOAD_W), .STATE_Q(STATE_Q), .FAST_Q(FAST_Q), .FLUSH_Q(FLUSH_Q), .REF_W(REF_W),
    .GROUP_W(GROUP_W), .LG_RELEASE(LG_RELEASE), .FAST_GUARD(FAST_GUARD)
  ) u_input (
    .clk_i(clk_i), .rst_i(rst), .init_i(init_q || put_slot), .init_dslot_i(walk_dslot),
    .init_stuck_i(put_slot ? put_stuck : {BANKS{1'b0}}),
    .load_i(load), .put_i(puts_in), .put_kind_i(put_op), .put_fast_i(put && put_room && put_kind == 3'd4),
    .put_inserted_i(put_inserted), .put_group_end_i(put_group_end), .put_opens_i(put_opens),
    .put_queue_i(put_queue), .rooms_o(rooms), .refused_o(put_refused), .commit_i(commit_whole),
    .flags_i(put_flags[1+:2+WARP_W+QUEUE_W+GROUP_W]), .flags_o(input_flags), .open_first_o(open_first),
    .h_v_o(h_v), .h_entry_o(h_entry), .h_queue_o(h_queue), .h_group_end_o(h_group_end), .closed_i(closed),
    .would_o(would), .takes_o(takes), .busy_o(input_busy), .in_valid_i(in_valid_i),
    .in_ready_o(in_ready_o), .in_kind_i(in_kind_i), .in_class_i(puts_in ? put_class : in_class_i),
    .in_warp_i(puts_in ? put_warp : in_warp_i),
    .in_end_i(puts_in ? put_end : in_end_i), .in_used_i(puts_in ? put_used : in_used_i),
    .in_dslots_i(puts_in ? put_dslots : in_dslots_i), .in_sectors_i(puts_in ? put_sectors : in_sectors_i),
    .in_bank_i(puts_in ? put_bank : in_bank_i), .in_payload_i(puts_in ? put_payload : in_payload_i),
    .fast_in_valid_i(fast_in_valid_i),
    .fast_in_ready_o(fast_in_ready_o), .fast_fire_o(fast_fire),
    .alloc_valid_i(alloc_valid_i), .alloc_ready_o(alloc_ready_o), .alloc_bank_i(alloc_bank_i),
    .alloc_dslot_i(alloc_dslot_i), .new_last_i(new_last), .new_ray_first_i(new_ray_first),
    .new_ray_last_i(new_ray_last), .new_group_i(new_group), .change_i(change), .change_take_o(change_take),
    .change_waits_o(change_waits), .err_in_o(err_in), .err_alloc_o(err_alloc), .wave_o(wave),
    .wave_entry_o(wave_entry), .wave_used_o(wave_used), .wave_dslots_o(wave_dslots),
    .wave_sectors_o(wave_sectors), .wave_class_o(wave_class), .wave_warp_o(wave_warp),
    .wave_end_o(wave_end), .wave_payload_o(wave_payload), .state_o(state), .state_open_o(state_open),
    .tail_o(tail), .token_o(token), .token_bank_o(token_bank), .token_dslot_o(token_dslot), .fast_o(fast),
    .fill_bank_i(fill_bank_i), .fill_dslot_i(fill_dslot_i), .fill_early_o(fill_near),
    .alloc1_bank_o(alloc1_banks), .alloc1_dslot_o(alloc1_dslot), .alloc_o(alloc), .alloc_bank_o(alloc_banks),
    .alloc_dslot_o(alloc_dslot), .seen_o(seen),
    .insert_o(insert), .insert_queue_o(insert_queue), .insert_entry_o(insert_entry),
    .insert_tex_o(insert_tex), .insert_end_o(insert_end), .insert_group_end_o(insert_group_end),
    .held_o(held), .reclaim_i(reclaim), .left_i(left), .left_entry_i(left_entry),
    .state_left_i(state_left), .fast_left_i(fast_left),
    .apply_valid_i(apply_valid), .apply_ready_o(apply_ready),
    .apply_bank_i(apply_bank), .apply_dslot_i(apply_dslot), .apply_done_o(apply_done),
    .apply_free_o(apply_free), .down_we_i(down_we), .down_addr_i(down_addr), .down_data_i(down_data),
    .up_addr_i(up_addr), .up_data_o(up_data), .up_stuck_o(up_stuck), .raise_o(raise),
    .raise_dslots_o(raise_dslots), .raise1_dslots_o(raise1_dslots), .pool_full_o(pool_full),
    .ages_full_o(ages_full), .pool_used_o(pool_used));

  // The entry inserted into the queue before; it is linked unless the queue is empty.
  wire [QUEUES-1:0] empty = check_dry & commit_dry & ~busy;
  wire insert_link = !empty[insert_queue];
  wire fifo_in = load && put_committed;      // what comes into a FIFO is in no queue
  wire queues_in = insert && !fifo_in;
  wire [BANKS*DSLOT_W-1:0] leave_up_addr;
  assign up_addr = save ? {BANKS{ctx_dslot}} : leave_up_addr;
  tracker_table #(.WIDTH(NAME_W), .DEPTH(QUEUES)) u_newest (
    .clk_i(clk_i), .we_i(queues_in), .waddr_i(insert_queue), .wdata_i(insert_entry), .raddr_i(insert_queue),
    .rdata_o(insert_before));

  tracker_sectors #(
    .BANKS(BANKS), .BANK_W(BANK_W), .DSLOTS(DSLOTS), .DSLOT_W(DSLOT_W), .SECTORS(SECTORS),
    .SECTOR_W(SECTOR_W)
  ) u_sectors (
    .clk_i(clk_i), .rst_i(rst), .walk_i(init_q), .walk_at_i(clear_wide[SLOTS_W-1:0]),
    .init_i(init_q || put_slot), .init_dslot_i(walk_dslot),
    .init_sectors_i(put_slot ? put_valid : {BANKS*SECTORS{1'b0}}), .save_i(save), .save_sectors_o(save_slot),
    .fill_valid_i(fill_valid_i && !clearing),
    .fill_bank_i(fill_bank_i), .fill_dslot_i(fill_dslot_i), .fill_sector_i(fill_sector_i),
    .fill_early_i(fill_near || !(started_q || some_ready)), .fill_bad_o(fill_bad),
    .alloc1_bank_i(alloc1_banks), .alloc1_dslot_i(alloc1_dslot),
    .alloc_push_i(alloc), .alloc_bank_i(alloc_banks), .alloc_dslot_i(alloc_dslot),
    .dslots2_i(dslots2), .dslots3_i(dslots3), .need3_i(need3), .missing3_o(missing3), .moves_o(sectors_move),
    .heads_sector_o(heads_sector), .heads_dslot_o(heads_dslot));

  tracker_check #(
    .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .ENTRIES(ENTRIES), .NAME_W(NAME_W), .BANKS(BANKS), .DSLOT_W(DSLOT_W),
    .SECTORS(SECTORS), .POPS(POPS), .RUNS(RUNS), .ENTRY_W(ENTRY_W)
  ) u_check (
    .clk_i(clk_i), .rst_i(rst), .closed_i(closed), .moves_o(check_moves), .save_i(save),
    .save_entry_i(save_entry), .save_sectors_o(save_sectors), .save_queue_o(save_queue),
    .save_group_end_o(save_group_end), .wave_i(wave),
    .wave_entry_i(wave_entry), .wave_dslots_i(wave_dslots), .wave_sectors_i(wave_sectors),
    .insert_i(queues_in), .insert_alone_i(insert && fifo_in), .insert_next_i(h_queue),
    .insert_queue_i(insert_queue),
    .insert_entry_i(insert_entry), .insert_before_i(insert_before), .insert_tex_i(insert_tex),
    .insert_end_i(insert_end), .insert_group_end_i(insert_group_end), .insert_link_i(insert_link),
    .dslots2_o(dslots2), .dslots3_o(dslots3), .need3_o(need3), .missing3_i(missing3), .busy_i(busy),
    .check_o(check), .load_o(loads), .check_queue_o(check_queue), .check_dslots_o(check_dslots),
    .check_missing_o(check_missing), .pick_i(pick), .pick_queue_i(pick_queue), .pop_o(pop),
    .slot_end_o(slot_end), .slot_tex_o(slot_tex), .pop_queue_o(pop_queue), .pop_entry_o(pop_entry),
    .pop_tex_o(pop_tex), .pop_end_o(pop_end), .pop_group_end_o(pop_group_end), .dry_o(check_dry),
    .wasted_o(wasted));

  tracker_heads #(
    .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .BANKS(BANKS), .DSLOT_W(DSLOT_W), .SECTORS(SECTORS)
  ) u_heads (
    .clk_i(clk_i), .rst_i(rst), .check_i(check), .load_i(loads), .queue_i(check_queue),
    .dslots_i(check_dslots), .missing_i(check_missing), .fill_sector_i(heads_sector),
    .fill_dslot_i(heads_dslot), .picked_i(picked), .busy_o(busy), .ready_o(ready));

  // Pop selectors: each has the queues with its number modulo POPS.
  wire [POPS*QUEUES-1:0] picked_by;
  genvar s, t;
  generate
    for (s = 0; s < POPS; s = s + 1) begin : g_pop
      wire [QUEUES-1:0] mine;
      for (t = 0; t < QUEUES; t = t + 1) begin : g_mine
        assign mine[t] = (t % POPS) == s;
      end
      tracker_select #(.QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .GROUPS(GROUPS)) u_select (
        .clk_i(clk_i), .rst_i(rst), .request_i(ready & mine), .one_i({QUEUES{1'b0}}), .enable_i(!closed),
        .hold_i(1'b0), .valid_o(pick[s]), .queue_o(pick_queue[s*QUEUE_W+:QUEUE_W]), .one_o(pick_one[s]),
        .picked_o(picked_by[s*QUEUES+:QUEUES]), .any_o(pick_any[s]));
    end
    for (t = 0; t < QUEUES; t = t + 1) begin : g_picked
      assign picked[t] = picked_by[(t%POPS)*QUEUES+t];
    end
  endgenerate
  wire unused_picked = &{1'b0, picked_by};
  wire unused_name = &{1'b0, h_entry};                  // with a free list its age alone is saved
  integer n;
  always @* begin
    pops = 3'd0;
    for (n = 0; n < POPS; n = n + 1) pops = pops + {2'd0, pop[n]};
  end

  tracker_commit #(
    .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .ENTRIES(ENTRIES), .NAME_W(NAME_W), .BANKS(BANKS), .DSLOT_W(DSLOT_W),
    .WARP_W(WARP_W), .PAYLOAD_W(PAYLOAD_W), .COMMIT_FIFO(COMMIT_FIFO), .STATE_Q(STATE_Q), .FAST_Q(FAST_Q),
    .GROUPS(GROUPS), .INTERLOCK(INTERLOCK), .COMMITS(COMMITS), .POPS(POPS), .AGE_W(AGE_W), .AGE_AT(AGE_AT),
    .RUNS(RUNS), .ENTRY_W(ENTRY_W)
  ) u_commit (
    .clk_i(clk_i), .rst_i(rst), .closed_i(closed), .moves_o(commit_moves), .work_o(commit_work),
    .would_o(read_would), .blocked_o(read_blocked), .save_i(save), .save_entry_i(save_entry),
    .next_i(next[3:0]), .more_o(more[3:0]), .save_words_o(save_words), .state_below_o(state_below),
    .state_open_below_o(state_open_below), .state_payload_o(save_state_payload), .fast_below_o(fast_below),
    .drains_o(drains), .put_i(issue), .load_i(load), .put_place_i(put_place), .put_path_i(put_class == 2'd1),
    .put_entry_i(put_entry_q),
    .put_state_i(load && put_kind == 3'd2 && put_committed), .commit_i(commit_whole),
    .drains_i({put_flags[5+WARP_W+QUEUE_W+GROUP_W+:2*QUEUE_W], put_flags[3+WARP_W+QUEUE_W+GROUP_W+:2]}),
    .wave_i(wave), .wave_entry_i(wave_entry),
    .wave_used_i(wave_used),
    .wave_dslots_i(wave_dslots), .wave_class_i(wave_class), .wave_warp_i(wave_warp), .wave_end_i(wave_end),
    .payload_i(wave_payload), .tail_i(tail), .state_i(state), .state_open_i(state_open), .fast_i(fast),
    .fast_push_i(fast_fire), .fast_payload_i(load ? put_payload : fast_in_payload_i),
    .insert_i(queues_in),
    .insert_entry_i(insert_entry), .insert_before_i(insert_before), .insert_tex_i(insert_tex),
    .insert_end_i(insert_end), .insert_link_i(insert_link), .pop_i(pop), .pop_queue_i(pop_queue),
    .pop_entry_i(pop_entry),
    .pop_tex_i(pop_tex), .pop_end_i(pop_end), .pop_group_end_i(pop_group_end), .picked_i(picked),
    .slot_end_i(slot_end), .slot_tex_i(slot_tex), .dry_o(commit_dry),
    .oldest_valid_i(oldest_valid), .oldest_i(oldest), .oldest_queue_i(oldest_queue),
    .oldest_tex_i(oldest_tex), .state_due_i(state_due), .state_left_o(state_left),
    .fast_valid_o(fast_out_valid_o), .fast_ready_i(fast_out_ready_i), .fast_payload_o(fast_out_payload_o),
    .fast_left_o(fast_left), .out_valid_o(out_valid), .out_ready_i({tex_out_ready_i,lg_out_ready_i}),
    .leave_room_i(leave_room), .out_entry_o(out_entry), .out_used_o(out_used), .out_dslots_o(out_dslots),
    .out_class_o(out_class), .out_warp_o(out_warp), .out_end_o(out_end), .out_payload_o(out_payload),
    .out_state_o(out_state), .out_leaves_o(leaves), .count_o(commit_count),
    .park_twice_o(park_twice));

  tracker_leave #(
    .AGES(AGES), .AGE_W(AGE_W), .AGE_AT(AGE_AT), .NAME_W(NAME_W), .ENTRY_W(ENTRY_W), .QUEUE_W(QUEUE_W),
    .BANKS(BANKS), .BANK_W(BANK_W), .DSLOTS(DSLOTS),
    .DSLOT_W(DSLOT_W), .REF_W(REF_W), .STATE_Q(STATE_Q), .FLUSH_Q(FLUSH_Q)
  ) u_leave (
    .clk_i(clk_i), .rst_i(rst), .init_i(init_q), .init_entry_i(init_entry), .init_dslot_i(init_dslot),
    .closed_i(closed), .moves_o(leave_moves), .waits_o(tokens_wait), .save_i(save),
    .save_age_i(save_age), .save_left_o(save_left), .state_next_i(next[2]),
    .save_due_o(save_due), .token_next_i(next[4]), .token_more_o(more[4]),
    .save_tail_o(save_token_tail), .save_bank_o(save_token_bank), .save_dslot_o(save_token_dslot),
    .leave_i(leaves), .leave_entry_i(out_entry), .leave_used_i(out_used), .leave_dslots_i(out_dslots),
    .leave_room_o(leave_room), .left_early_o(left_early), .left_o(left), .left_entry_o(left_entry),
    .up_addr_o(leave_up_addr),
    .up_data_i(up_data), .up_stuck_i(up_stuck), .down_we_o(down_we), .down_addr_o(down_addr),
    .down_data_o(down_data), .raise_i(raise), .raise_dslots_i(raise_dslots),
    .raise1_dslots_i(raise1_dslots), .free_valid_o(free_valid_o),
    .free_dslot_o(free_dslot_o), .insert_i(insert), .insert_queue_i(insert_queue),
    .insert_age_i(insert_entry[AGE_AT+:AGE_W]), .insert_tex_i(insert_tex), .reclaim_o(reclaim), .head_o(head),
    .oldest_valid_o(oldest_valid), .oldest_o(oldest), .oldest_queue_o(oldest_queue),
    .oldest_tex_o(oldest_tex), .state_i(state), .token_i(token), .tail_i(tail), .token_bank_i(token_bank),
    .token_dslot_i(token_dslot), .state_due_o(state_due), .state_left_i(state_left),
    .apply_valid_o(apply_valid), .apply_ready_i(apply_ready), .apply_bank_o(apply_bank),
    .apply_dslot_o(apply_dslot), .apply_done_i(apply_done), .apply_free_i(apply_free));

  assign {tex_out_valid_o, lg_out_valid_o} = out_valid;
  assign {tex_out_class_o, lg_out_class_o} = out_class;
  assign {tex_out_warp_o, lg_out_warp_o} = out_warp;
  assign {tex_out_end_o, lg_out_end_o} = out_end;
  assign {tex_out_used_o, lg_out_used_o} = out_used;
  assign {tex_out_dslots_o, lg_out_dslots_o} = out_dslots;
  assign {tex_out_payload_o, lg_out_payload_o} = out_payload;
  assign tex_out_state_o = out_state;

  // ---- errors and counters ------------------------------------------------------------------------------
  reg [AGE_W-1:0] early_q;  // entries that have left and are not reclaimed, a cycle later
  reg reclaimed_q;
  always @(posedge clk_i) begin
    err_valid_o <= !rst && ((err_in != 3'd0 && !load) || err_alloc != 2'd0 || reg_refused || fill_bad);
    err_in_o <= err_in;
    err_alloc_o <= err_alloc;
    err_reg_o <= reg_refused;
    err_fill_o <= fill_bad;
    if (rst) early_q <= {AGE_W{1'b0}};
    else early_q <= early_q + {{AGE_W-1{1'b0}}, left} - {{AGE_W-1{1'b0}}, reclaimed_q};
    reclaimed_q <= reclaim && !rst;
  end
  assign events = {ages_full, err_in != 3'd0 && !load, err_alloc != 2'd0, change_waits, commit_count,
                   early_q != 0, left_early, pool_full && early_q != 0, pool_full, 1'b0, check, alloc,
                   fast && !load, seen & {6{!load}}};
  wire unused = &{1'b0, pick_one, pick_any, held, head};
endmodule

`default_nettype wire
