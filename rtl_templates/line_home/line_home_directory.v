// SPDX-License-Identifier: Apache-2.0
// line_home_directory: who owns which line, who waits for it, and what comes next (docs/line_home.md).
//
// One operation per cycle enters, in four stages: look up, match, pick, act. What an operation
// changes is written in the last; another one on the same set waits until then. An operation never waits for
// a cache: a message that finds no room leaves its entry in the work queue, each entry at most once. Reset:
// all entries are cleared, one set per cycle.
`default_nettype none

module line_home_directory #(
  parameter CACHES = 4,    // caches that share the lines, 1..64
  parameter MISS_W = 3,    // bits of a fetch's tag
  parameter LINE_AW = 26,  // bits of a line address
  // Lines that the directory knows at once, 8 in a set; twice what all caches hold is plenty; 16..16384
  // lines, a power of 2.
  parameter HOME_ENTRIES = 256,
  parameter CACHE_W = 2,  // bits of the number of a cache
  parameter ENTRY_W = 8   // bits of the number of an entry
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // A beat of a release.
  // It is offered until rel_pop_o takes it: line address, number of the cache, whether it has data, whether
  // it is the last.
  input  wire rel_valid_i,
  output wire rel_pop_o,
  input  wire [LINE_AW-1:0] rel_line_i,
  input  wire [CACHE_W-1:0] rel_cache_i,
  input  wire rel_dirty_i,
  input  wire rel_last_i,

  // The memory is done with a line.
  // All beats of the entry's line are answered; it is offered until done_pop_o takes it.
  input  wire done_valid_i,
  output wire done_pop_o,
  input  wire [ENTRY_W-1:0] done_entry_i,
  input  wire done_write_i,
  input  wire done_error_i,

  // A fetch is offered until fetch_pop_o takes it: line, number of the cache, tag of the fill.
  input  wire fetch_valid_i,
  output wire fetch_pop_o,
  input  wire [LINE_AW-1:0] fetch_line_i,
  input  wire [CACHE_W-1:0] fetch_cache_i,
  input  wire [MISS_W-1:0] fetch_tag_i,

  // Third stage: a beat is written or dropped; its line may be sent next.
  output wire beat_pop_o,                  // a beat of a release leaves this stage
  output wire beat_dirty_o,                // from a register: has data, good or not
  output wire beat_good_o,                 // it has data, and the cache owned the line: it is written
  output wire beat_last_o,                 // it is the last of its release
  output wire [ENTRY_W-1:0] beat_entry_o,  // entry of the line

  // Fourth stage: a message.
  input  wire [CACHES-1:0] room_i,         // per cache: its FIFO has room for one more message
  input  wire send_ready_i,                // the queue of messages has room
  output wire send_valid_o,                // a message leaves in this cycle
  output wire send_fill_now_o,             // a fill, whether send_ready_i is 1 or not
  output wire send_fill_o,                 // it is a fill
  output wire send_error_o,                // it is an error; neither: a snoop
  output wire send_after_o,                // a snoop of the line follows its fill
  output wire [CACHES-1:0] send_target_o,  // the cache, one-hot
  output wire [MISS_W-1:0] send_tag_o,     // tag of a fill or error
  output wire [LINE_AW-1:0] send_line_o,   // line address
  output wire [ENTRY_W-1:0] send_entry_o,  // entry whose line is sent

  // Fourth stage: the memory gets something to do; it always takes it.
  output wire job_valid_o,                // a line is to be read or written
  output wire job_write_o,                // 1: write, 0: read
  output wire [ENTRY_W-1:0] job_entry_o,  // entry of the line
  output wire [LINE_AW-1:0] job_line_o,   // line address

  // Releases by caches that did not own the line; they were dropped. Saturating, until reset.
  output reg  [15:0] bad_count_o,
  output reg  [LINE_AW-1:0] bad_line_o,   // line address of the first of them; 0 as long as there is none
  output reg  [15:0] lost_count_o,        // lines that memory failed to write. Saturating, until reset.
  output reg  [LINE_AW-1:0] lost_line_o,  // line address of the first of them; 0 as long as there is none

  output wire busy_o,                      // an operation is under way or waits, or sets are being cleared

  // As in line_home_core.
  input  wire settles_i,
  input  wire put_bad_i,
  input  wire put_lost_i,
  input  wire [15:0] put_count_i,
  input  wire [LINE_AW-1:0] put_line_i
);
  localparam WAYS = 8;
  localparam SET_W = ENTRY_W - 3;
  localparam TAG_W = LINE_AW - SET_W;
  localparam TAGS_W = CACHES * MISS_W;
  localparam WORD_W = 6 + CACHE_W + CACHES + TAGS_W + TAG_W;
  localparam [31:0] LAST_CACHE = CACHES - 1;

  localparam [2:0] REL = 3'd0, DONE = 3'd1, RECALL = 3'd2, WORK = 3'd3, FETCH = 3'd4;
  localparam [2:0] FREE = 3'd0, READ = 3'd1, READY = 3'd2, OWNED = 3'd3, WRITE = 3'd4, FAILED = 3'd5;
  localparam [1:0] NOTHING = 2'd0, GRANT = 2'd1, SNOOP = 2'd2, ERROR = 2'd3;

  genvar g;
  integer i;

  // ---- what comes next, beside releases, which go first; it waits in a register
  reg [SET_W:0] init_q;                    // the top bit: all sets are cleared
  reg recall_q;
  reg [ENTRY_W-1:0] recall_entry_q;
  reg [2:0] victim_q;
  reg turn_q;                              // work goes before a fetch
  reg [2:0] retried_q;                     // fetches that must be tried again; new ones wait for them

  wire work_valid, held_valid;
  wire [ENTRY_W-1:0] work_entry;
  wire [LINE_AW-1:0] held_line;
  wire [CACHE_W-1:0] held_cache;
  wire [MISS_W-1:0] held_tag;
  wire fetch_ok = held_valid || (fetch_valid_i && retried_q == 3'd0);
  wire work_first = work_valid && (turn_q || !fetch_ok);
  wire [2:0] next_op = done_valid_i ? DONE : recall_q ? RECALL : work_first ? WORK : FETCH;
  wire next_any = done_valid_i || recall_q || work_first || fetch_ok;
  wire [LINE_AW-1:0] next_line = held_valid ? held_line : fetch_line_i;
  // The entry from the block RAM of the work queue comes late and is chosen last.
  wire next_work = !done_valid_i && !recall_q && work_first;
  wire [ENTRY_W-1:0] other_entry = done_valid_i ? done_entry_i : recall_q ? recall_entry_q
                                 : {next_line[SET_W-1:0], 3'd0};
  wire [ENTRY_W-1:0] next_entry = next_work ? work_entry : other_entry;

  reg c_valid;
  reg [2:0] c_op, c_way;
  reg [SET_W-1:0] c_set;
  reg [TAG_W-1:0] c_ltag;
  reg [CACHE_W-1:0] c_cache;
  reg [MISS_W-1:0] c_tag;
  reg c_write, c_error, c_retry;
  assign done_pop_o = !c_valid && done_valid_i;
  wire recall_pop = !c_valid && !done_valid_i && recall_q;
  wire work_pop = !c_valid && !done_valid_i && !recall_q && work_first;
  wire fetch_turn = !c_valid && !done_valid_i && !recall_q && !work_first && fetch_ok;
  wire held_pop = fetch_turn && held_valid;
  assign fetch_pop_o = fetch_turn && !held_valid;

  // ---- first stage: read the set
  reg s2_valid, s3_valid, s4_valid;
  reg s2_writes, s3_writes, s4_writes;
  reg [SET_W-1:0] s2_set, s3_set, s4_set;
  wire [SET_W-1:0] rel_set = rel_line_i[SET_W-1:0];
  wire rel_clash = (s2_valid && s2_writes && s2_set == rel_set)
                || (s3_valid && s3_writes && s3_set == rel_set)
                || (s4_valid && s4_writes && s4_set == rel_set);
  wire c_clash = (s2_valid && s2_writes && s2_set == c_set) || (s3_valid && s3_writes && s3_set == c_set)
              || (s4_valid && s4_writes && s4_set == c_set);
  wire ready = init_q[SET_W];
  wire c_goes = c_valid && ready && !rel_valid_i && !c_clash;
  assign rel_pop_o = rel_valid_i && ready && !rel_clash;
  wire [SET_W-1:0] s1_set = rel_valid_i ? rel_set : c_set;
  always @(posedge clk_i) begin
    if (c_goes) c_valid <= 1'b0;
    if (!c_valid) begin
      c_valid <= next_any;
      c_op <= next_op;
      c_set <= next_entry[ENTRY_W-1:3];
      c_way <= next_entry[2:0];
      c_ltag <= next_line[LINE_AW-1:SET_W];
      c_cache <= held_valid ? held_cache : fetch_cache_i;
      c_tag <= held_valid ? held_tag : fetch_tag_i;
      c_write <= done_write_i;
      c_error <= done_error_i;
      c_retry <= held_valid;
    end
    if (rst_i) c_valid <= 1'b0;
  end

  wire [WAYS-1:0] ram_we;
  wire [SET_W-1:0] ram_set;
  wire [WORD_W-1:0] ram_word;
  wire [WAYS*WORD_W-1:0] row;
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : g_way
      ram_1r1w #(.WIDTH(WORD_W), .DEPTH(1 << SET_W)) u_ram (
        .clk_i(clk_i), .we_i(ram_we[g]), .waddr_i(ram_set), .wdata_i(ram_word), .raddr_i(s1_set),
        .rdata_o(row[g*WORD_W+:WORD_W]));
    end
  endgenerate

  // ---- second stage: match
  reg [2:0] s2_op, s2_way;
  reg [TAG_W-1:0] s2_ltag;
  reg [CACHE_W-1:0] s2_cache;
  reg [MISS_W-1:0] s2_tag;
  reg s2_dirty, s2_last, s2_write, s2_error, s2_retry, s2_by_line;
  always @(posedge clk_i) begin
    s2_valid <= (rel_pop_o || c_goes) && !rst_i;
    s2_op <= rel_valid_i ? REL : c_op;
    s2_set <= s1_set;
    s2_way <= c_way;
    s2_ltag <= rel_valid_i ? rel_line_i[LINE_AW-1:SET_W] : c_ltag;
    s2_cache <= rel_valid_i ? rel_cache_i : c_cache;
    s2_tag <= c_tag;
    s2_dirty <= rel_dirty_i;
    s2_last <= rel_last_i;
    s2_write <= c_write;
    s2_error <= c_error;
    s2_retry <= c_retry;
    s2_by_line <= rel_valid_i || c_op == FETCH;
    s2_writes <= !rel_valid_i || rel_last_i;
  end

  reg [WAYS-1:0] match, is_free, is_quiet;
  reg [WORD_W-1:0] s2_word;
  reg [2:0] match_way, free_way;
  always @* begin
    s2_word = {WORD_W{1'b0}};
    match_way = 3'd0;
    free_way = 3'd0;
    for (i = 0; i < WAYS; i = i + 1) begin
      is_free[i] = row[i*WORD_W+WORD_W-3+:3] == FREE;
      is_quiet[i] = row[i*WORD_W+WORD_W-3+:3] == OWNED && !row[i*WORD_W+WORD_W-4];
      match[i] = s2_by_line ? !is_free[i] && row[i*WORD_W+:TAG_W] == s2_ltag : s2_way == i[2:0];
      s2_word = s2_word | (row[i*WORD_W+:WORD_W] & {WORD_W{match[i]}});
      match_way = match_way | (i[2:0] & {3{match[i]}});
    end
    for (i = WAYS - 1; i >= 0; i = i - 1)
      if (is_free[i]) free_way = i[2:0];
  end

  // ---- third stage: what it means, and who is next
  reg [2:0] s3_op, s3_way, s3_free_way;
  reg [TAG_W-1:0] s3_ltag;
  reg [CACHE_W-1:0] s3_cache;
  reg [MISS_W-1:0] s3_tag;
  reg s3_data, s3_dirty, s3_last, s3_write, s3_error, s3_retry, s3_hit, s3_full, s3_quiet;
  reg [WORD_W-1:0] s3_word;
  always @(posedge clk_i) begin
    s3_valid <= s2_valid && !rst_i;
    s3_op <= s2_op;
    s3_set <= s2_set;
    s3_way <= match_way;
    s3_free_way <= free_way;
    s3_ltag <= s2_ltag;
    s3_cache <= s2_cache;
    s3_tag <= s2_tag;
    s3_data <= s2_valid && s2_op == REL && s2_dirty && !rst_i;
    s3_dirty <= s2_dirty;
    s3_last <= s2_last;
    s3_write <= s2_write;
    s3_error <= s2_error;
    s3_retry <= s2_retry;
    s3_hit <= |match;
    s3_full <= !(|is_free);
    s3_quiet <= &is_quiet;
    s3_word <= s2_word;
    s3_writes <= s2_writes;
  end
  wire [2:0] state;
  wire snooped, stale, queued;
  wire [CACHE_W-1:0] owner;
  wire [CACHES-1:0] waits;
  wire [TAGS_W-1:0] tags;
  wire [TAG_W-1:0] ltag;
  assign {state, snooped, stale, queued, owner, waits, tags, ltag} = s3_word;

  reg [CACHES-1:0] owner_bit, cache_bit, after_owner;
  always @*
    for (i = 0; i < CACHES; i = i + 1) begin
      owner_bit[i] = owner == i[CACHE_W-1:0];
      cache_bit[i] = s3_cache == i[CACHE_W-1:0];
      after_owner[i] = i[CACHE_W-1:0] > owner;
    end
  // Outside of the decision below: a loop under a condition would make its counter a latch.
  reg [TAGS_W-1:0] tags_with_it;
  always @*
    for (i = 0; i < CACHES; i = i + 1)
      tags_with_it[i*MISS_W+:MISS_W] = cache_bit[i] ? s3_tag : tags[i*MISS_W+:MISS_W];
  wire some_wait;
  wire [CACHES-1:0] pick, above_unused;
  rr_pick #(.WIDTH(CACHES)) u_pick (
    .req_i(waits), .turn_i(after_owner), .any_o(some_wait), .pick_o(pick), .above_o(above_unused));
  reg [CACHE_W-1:0] pick_number;
  reg [MISS_W-1:0] pick_tag;
  always @* begin
    pick_number = {CACHE_W{1'b0}};
    pick_tag = {MISS_W{1'b0}};
    for (i = 0; i < CACHES; i = i + 1) begin
      pick_number = pick_number | (i[CACHE_W-1:0] & {CACHE_W{pick[i]}});
      pick_tag = pick_tag | (tags[i*MISS_W+:MISS_W] & {MISS_W{pick[i]}});
    end
  end

  wire owned_by_it = s3_hit && state == OWNED && owner == s3_cache;
  wire beat = s3_valid && s3_op == REL;
  assign beat_pop_o = beat;
  assign beat_dirty_o = s3_data;
  assign beat_good_o = s3_data && owned_by_it;
  assign beat_last_o = beat && s3_last;
  assign beat_entry_o = {s3_set, s3_way};

  reg [2:0] n_state;
  reg n_stale, n_queued, changes, finishes, job, job_write, hold, recall, bad, lost, again;
  reg [1:0] try;
  reg [CACHES-1:0] n_waits;
  reg [TAGS_W-1:0] n_tags;
  reg is_new;
  always @* begin
    n_state = state;
    n_stale = stale;
    n_queued = queued;
    n_waits = waits;
    n_tags = tags;
    {changes, finishes, job, job_write, hold, recall, bad, lost, again, is_new} = 10'd0;
    try = NOTHING;
    case (s3_op)
      REL: if (s3_last) begin
        changes = owned_by_it;
        finishes = owned_by_it;
        bad = !owned_by_it;
        n_stale = stale || s3_dirty;
      end
      DONE: begin
        changes = 1'b1;
        finishes = s3_write || !s3_error;
        lost = s3_write && s3_error;
        // What memory does not take is lost, unless somebody waits for it.
        if (s3_write) n_stale = s3_error && some_wait;
        if (!finishes) begin
          n_state = FAILED;
          try = ERROR;
        end
      end
      RECALL: if (state == OWNED && !snooped) begin
        changes = 1'b1;
        try = SNOOP;
      end
      WORK: begin
        changes = 1'b1;
        n_queued = 1'b0;
        finishes = state == READY;
        again = 1'b1;
        if (state == FAILED) try = ERROR;
        if (state == OWNED && !snooped && |(waits & ~owner_bit)) try = SNOOP;
      end
      default:
        if (s3_hit && state != FAILED) begin
          changes = 1'b1;
          n_waits = waits | cache_bit;
          n_tags = tags_with_it;
          again = 1'b1;
          if (state == OWNED && !snooped && owner != s3_cache) try = SNOOP;
        end else if (!s3_hit && !s3_full) begin
          changes = 1'b1;
          is_new = 1'b1;
          n_state = READ;
          {n_stale, n_queued} = 2'b00;
          n_waits = cache_bit;
          n_tags = {CACHES{s3_tag}};
          job = 1'b1;
        end else begin
          hold = 1'b1;
          recall = !s3_hit && s3_quiet;
        end
    endcase
    if (finishes) begin
      n_state = READY;
      if (some_wait) try = GRANT;
      else if (!n_queued) begin
        n_state = n_stale ? WRITE : FREE;
        job = n_stale;
        job_write = n_stale;
      end
    end
  end

  // ---- fourth stage: act
  reg [2:0] s4_state, s4_way;
  reg s4_grant, s4_snoop, s4_error;       // what is tried, one at most
  reg s4_act, s4_snooped, s4_stale, s4_queued, s4_again, s4_job, s4_job_write, s4_hold, s4_recall;
  reg s4_retry, s4_fetch, s4_bad, s4_lost, s4_owner_room, s4_pick_room;
  reg [CACHE_W-1:0] s4_owner, s4_pick_number, s4_cache;
  reg [CACHES-1:0] s4_waits, s4_rest, s4_target;
  reg [TAGS_W-1:0] s4_tags;
  reg [TAG_W-1:0] s4_ltag;
  reg [MISS_W-1:0] s4_pick_tag, s4_tag;
  always @(posedge clk_i) begin
    s4_valid <= s3_valid && !rst_i;
    s4_writes <= s3_writes;
    s4_set <= s3_set;
    s4_way <= is_new ? s3_free_way : s3_way;
    s4_state <= n_state;
    s4_grant <= try == GRANT;
    s4_snoop <= try == SNOOP;
    s4_error <= try == ERROR;
    s4_act <= s3_valid && changes && !rst_i;
    s4_snooped <= snooped && !finishes && !is_new;
    s4_stale <= n_stale;
    s4_queued <= n_queued;
    s4_again <= again || finishes;
    s4_job <= job;
    s4_job_write <= job_write;
    s4_hold <= hold;
    s4_recall <= recall;
    s4_retry <= s3_retry;
    s4_fetch <= s3_op == FETCH;
    s4_bad <= bad;
    s4_lost <= lost;
    s4_owner <= is_new ? LAST_CACHE[CACHE_W-1:0] : owner;
    s4_pick_number <= pick_number;
    s4_cache <= s3_cache;
    s4_waits <= n_waits;
    s4_rest <= waits & ~pick;
    s4_target <= (try == SNOOP) ? owner_bit : pick;
    s4_tags <= n_tags;
    s4_ltag <= (s3_op == FETCH || s3_op == REL) ? s3_ltag : ltag;
    s4_pick_tag <= (try == SNOOP) ? {MISS_W{1'b0}} : pick_tag;
    s4_tag <= s3_tag;
    // Looked at before it is known which of them counts, for the clock.
    s4_owner_room <= |(owner_bit & room_i);
    s4_pick_room <= |(pick & room_i);
  end
  wire room = send_ready_i && (s4_snoop ? s4_owner_room : s4_pick_room);
  wire sent = (s4_grant || s4_snoop || s4_error) && room;
  wire grants = s4_grant && room;
  wire errs = s4_error && room;
  wire no_more = s4_rest == {CACHES{1'b0}};
  wire token = (s4_grant && !room && !s4_queued)
            || (s4_snoop && s4_again && !room && !s4_queued)
            || (s4_error && !(room && no_more));
  wire [2:0] w_state = grants ? OWNED : (errs && no_more) ? FREE : s4_state;
  wire w_snooped = grants ? !no_more : s4_snooped || (s4_snoop && room);
  wire [CACHE_W-1:0] w_owner = grants ? s4_pick_number : s4_owner;
  wire [CACHES-1:0] w_waits = (grants || errs) ? s4_rest : s4_waits;
  wire clearing = !init_q[SET_W];
  wire [WAYS-1:0] way_bit = {{WAYS-1{1'b0}}, s4_act} << s4_way;
  assign ram_we = way_bit | {WAYS{clearing}};
  assign ram_set = clearing ? init_q[SET_W-1:0] : s4_set;
  assign ram_word = clearing ? {WORD_W{1'b0}}
                  : {w_state, w_snooped, s4_stale, s4_queued || token, w_owner, w_waits, s4_tags, s4_ltag};

  assign send_valid_o = s4_act && sent;
  assign send_fill_now_o = s4_act && s4_grant && s4_pick_room;
  assign send_fill_o = s4_grant;
  assign send_error_o = s4_error;
  assign send_after_o = s4_grant && !no_more;
  assign send_target_o = s4_target;
  assign send_tag_o = s4_pick_tag;
  assign send_line_o = {s4_ltag, s4_set};
  assign send_entry_o = {s4_set, s4_way};
  assign job_valid_o = s4_act && s4_job;
  assign job_write_o = s4_job_write;
  assign job_entry_o = {s4_set, s4_way};
  assign job_line_o = {s4_ltag, s4_set};

  // Invariant: an entry is in it at most once, so it is never full.
  wire work_ready_unused;
  wire [$clog2(HOME_ENTRIES+1)-1:0] work_level;
  fifo_ram #(.WIDTH(ENTRY_W), .DEPTH(HOME_ENTRIES)) u_work (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(s4_act && token), .in_ready_o(work_ready_unused),
    .in_data_i({s4_set, s4_way}), .out_valid_o(work_valid), .out_ready_i(work_pop), .out_data_o(work_entry),
    .level_o(work_level));

  // Invariant: four fetches at most are on their way here or held.
  wire held_ready_unused;
  wire [2:0] held_level_unused;
  fifo_regs #(.WIDTH(LINE_AW + CACHE_W + MISS_W), .DEPTH(4)) u_held (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(s4_valid && s4_hold), .in_ready_o(held_ready_unused),
    .in_data_i({s4_ltag, s4_set, s4_cache, s4_tag}), .out_valid_o(held_valid), .out_ready_i(held_pop),
    .out_data_o({held_line, held_cache, held_tag}), .level_o(held_level_unused));

  assign busy_o = c_valid || s2_valid || s3_valid || s4_valid || recall_q || held_valid || !ready
                  || |work_level;

  wire first_fail = s4_valid && s4_hold && !s4_retry;
  wire retry_done = s4_valid && s4_fetch && s4_retry && !s4_hold;
  always @(posedge clk_i) begin
    if (!init_q[SET_W]) init_q <= init_q + 1'b1;
    if (recall_pop) recall_q <= 1'b0;
    if (s4_valid && s4_recall) begin
      recall_q <= 1'b1;
      recall_entry_q <= {s4_set, victim_q};
      victim_q <= victim_q + 3'd1;
    end
    if (work_pop) turn_q <= 1'b0;
    if (fetch_pop_o || held_pop) turn_q <= 1'b1;
    retried_q <= retried_q + {2'b00, first_fail} - {2'b00, retry_done};
    if (put_bad_i || (s4_valid && s4_bad && bad_count_o != 16'hffff))
      bad_count_o <= put_bad_i ? put_count_i : bad_count_o + 16'd1;
    if (put_bad_i || (s4_valid && s4_bad && bad_count_o == 16'd0))
      bad_line_o <= put_bad_i ? put_line_i : {s4_ltag, s4_set};
    if (put_lost_i || (s4_valid && s4_lost && lost_count_o != 16'hffff))
      lost_count_o <= put_lost_i ? put_count_i : lost_count_o + 16'd1;
    if (put_lost_i || (s4_valid && s4_lost && lost_count_o == 16'd0))
      lost_line_o <= put_lost_i ? put_line_i : {s4_ltag, s4_set};
    if (rst_i || settles_i) begin
      victim_q <= 3'd0;
      turn_q <= 1'b0;
    end
    if (rst_i) begin
      init_q <= {SET_W+1{1'b0}};
      recall_q <= 1'b0;
      retried_q <= 3'd0;
      bad_count_o <= 16'd0;
      bad_line_o <= {LINE_AW{1'b0}};
      lost_count_o <= 16'd0;
      lost_line_o <= {LINE_AW{1'b0}};
    end
  end
  wire unused = &{1'b0, above_unused, work_ready_unused, held_ready_unused, held_level_unused};
endmodule

`default_nettype wire
