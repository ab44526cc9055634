// SPDX-License-Identifier: Apache-2.0
// line_home_core: the other side of many L1 caches: owns the state of all lines, hands a line from cache to
// cache, with memory behind it (docs/line_home.md).
//
// Streams are valid/ready; outputs follow from registers alone. Per cache: a fetch asks for a line with
// ownership; fills, errors and snoops come on the home channel, in order; a release gives a line back.
// Releases are always taken in the end, whatever other channels do. From the last beat of a release taken to
// the first beat of the next owner's fill offered: 5 cycles. Reset: no line is owned; fetches are taken after
// a cycle for each set of the directory.
`default_nettype none

module line_home_core #(
  parameter CACHES = 4,       // caches that share the lines; 1..64 caches
  parameter LINE_BYTES = 64,  // size of a line; 16..128 bytes, a power of 2
  // 32-bit words of a beat of the home, release and memory channels; 2..16 words, a power of 2.
  parameter MERGE_LANES = 8,
  parameter MISSES = 8,  // tags of the fetches of a cache; 2..16 lines, a power of 2
  // Lines that the directory knows at once, 8 in a set; twice what all caches hold is plenty; 16..16384
  // lines, a power of 2.
  parameter HOME_ENTRIES = 256,
  parameter MEM_SLOTS = 8,  // lines read or written in memory at once; 2..32 lines, a power of 2
  parameter ADDR_W = 32     // width of a byte address; 16..48 bits
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire [CACHES-1:0] fetch_valid_i,  // per cache: a line is wanted, with ownership
  output wire [CACHES-1:0] fetch_ready_o,  // per cache: the fetch is taken; it gets one fill or error
  // Per cache: line address, the byte address without the place in the line; cache 0 in the lowest bits.
  input  wire [CACHES*(ADDR_W-$clog2(LINE_BYTES))-1:0] fetch_line_i,
  input  wire [CACHES*$clog2(MISSES)-1:0] fetch_tag_i,  // per cache: tag that the fill carries

  // Per cache: a beat of a fill, an error or a snoop, in order. Beats of one fill follow each other.
  output wire [CACHES-1:0] home_valid_o,
  input  wire [CACHES-1:0] home_ready_i,  // per cache: the beat is taken
  // Per cache: a snoop, the line is to be released; 0 where there is no beat.
  output wire [CACHES-1:0] home_snoop_o,
  // Per cache: of a fill or error the tag of its fetch, of a snoop without meaning; 0 where there is no beat.
  output wire [CACHES*$clog2(MISSES)-1:0] home_tag_o,
  // Per cache: memory failed, there is no fill; 0 where there is no beat.
  output wire [CACHES-1:0] home_error_o,
  // Per cache: of a snoop or error the line address; else the lowest bits of home_data_o.
  output wire [CACHES*(ADDR_W-$clog2(LINE_BYTES))-1:0] home_line_o,
  // Per cache: of a fill the data, the line's first words in the first beat; of a snoop or error the line
  // address; 0 where there is no beat.
  output wire [CACHES*32*MERGE_LANES-1:0] home_data_o,

  input  wire [CACHES-1:0] rel_valid_i,                             // per cache: a beat of a release
  output wire [CACHES-1:0] rel_ready_o,                             // per cache: the beat is taken
  input  wire [CACHES*(ADDR_W-$clog2(LINE_BYTES))-1:0] rel_line_i,  // per cache: line address, in every beat
  // Per cache: the line was written, all its beats follow; 0: one beat without data.
  input  wire [CACHES-1:0] rel_dirty_i,
  input  wire [CACHES-1:0] rel_last_i,  // per cache: last beat of the release
  // Per cache: data, the line's first words in the first beat.
  input  wire [CACHES*32*MERGE_LANES-1:0] rel_data_i,

  output wire mem_req_valid_o,  // a memory request is offered; it holds still until taken
  input  wire mem_req_ready_i,  // the memory takes the request of this cycle
  output wire mem_req_write_o,  // the request offered is a write; 0 for a read and when none is offered
  // Tag, returned with the answer; unique among requests under way.
  output wire [$clog2(MEM_SLOTS)+$clog2(LINE_BYTES/(4*MERGE_LANES))-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,  // byte address, aligned to the data width
  output wire [32*MERGE_LANES-1:0] mem_req_data_o,  // write data, lowest byte first
  output wire [4*MERGE_LANES-1:0] mem_req_strb_o,  // write strobe, one per byte
  input  wire mem_rsp_valid_i,  // an answer (read data or write acknowledge) is offered, in any order
  output wire mem_rsp_ready_o,  // the answer of this cycle is taken
  // Tag of the request that is answered.
  input  wire [$clog2(MEM_SLOTS)+$clog2(LINE_BYTES/(4*MERGE_LANES))-1:0] mem_rsp_tag_i,
  input  wire [32*MERGE_LANES-1:0] mem_rsp_data_i,  // read data; no meaning for write acknowledges
  // 0: done; else an error code; what becomes of it is the block's own rule.
  input  wire [1:0] mem_rsp_error_i,

  // Releases by caches that did not own the line; they were dropped. Saturating, until reset.
  output wire [15:0] bad_count_o,
  // Line address of the first of them; 0 as long as there is none.
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] bad_line_o,
  output wire [15:0] lost_count_o,  // lines that memory failed to write. Saturating, until reset.
  // Line address of the first of them; 0 as long as there is none.
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] lost_line_o,

  output reg  idle_o,        // nothing is under way; a fetch may wait for the release of its line

  // Of a block that contains this one, while the home is idle and nobody owns a line (docs/line_home.md).
  input  wire settles_i,     // whose turn it is begins anew, as behind a reset
  input  wire put_bad_i,     // the errors of releases, or of lines lost, are those of a context
  input  wire put_lost_i,  // the errors put are those of lines lost
  input  wire [15:0] put_count_i,  // how many
  input  wire [ADDR_W-$clog2(LINE_BYTES)-1:0] put_line_i  // line address of the first
);
  localparam LINE_AW = ADDR_W - $clog2(LINE_BYTES);
  localparam BEATS = LINE_BYTES / (4 * MERGE_LANES);
  localparam ENTRY_W = $clog2(HOME_ENTRIES);
  localparam TAG_W = $clog2(MEM_SLOTS) + $clog2(BEATS);
  localparam MISS_W = $clog2(MISSES);
  localparam CACHE_W = (CACHES > 1) ? $clog2(CACHES) : 1;
  localparam BEAT_W = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam DATA_W = 32 * MERGE_LANES;
  localparam CLIENTS = (CACHES > 1) ? CACHES : 2;
  localparam STAGES = (CACHES > 8) ? 2 : 1;
  localparam REL_W = LINE_AW + CACHE_W + 2;
  localparam FETCH_W = LINE_AW + CACHE_W + MISS_W;

  generate
    if (CACHES < 1 || CACHES > 64) begin : g_caches_range
      caches_out_of_range check ();
    end
    if (LINE_BYTES < 16 || LINE_BYTES > 128 || (LINE_BYTES & (LINE_BYTES - 1)) != 0) begin :
      g_line_bytes_range
      line_bytes_out_of_range check ();
    end
    if (MERGE_LANES < 2 || MERGE_LANES > 16 || (MERGE_LANES & (MERGE_LANES - 1)) != 0) begin :
      g_merge_lanes_range
      merge_lanes_out_of_range check ();
    end
    if (4 * MERGE_LANES > LINE_BYTES) begin : g_beat_range
      merge_lanes_too_many_for_line_bytes check ();
    end
    if (MISSES < 2 || MISSES > 16 || (MISSES & (MISSES - 1)) != 0) begin : g_misses_range
      misses_out_of_range check ();
    end
    if (HOME_ENTRIES < 16 || HOME_ENTRIES > 16384 || (HOME_ENTRIES & (HOME_ENTRIES - 1)) != 0) begin :
      g_entries_range
      home_entries_out_of_range check ();
    end
    if (MEM_SLOTS < 2 || MEM_SLOTS > 32 || (MEM_SLOTS & (MEM_SLOTS - 1)) != 0) begin : g_slots_range
      mem_slots_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 48) begin : g_addr_w_range
      addr_w_out_of_range check ();
    end
    if (LINE_AW < ENTRY_W - 2) begin : g_sets_range
      home_entries_too_many_for_addr_w check ();
    end
  endgenerate

  integer i;

  // ---- fetches: round robin, one per cycle
  wire fetch_grant;
  wire [CLIENTS-1:0] fetch_grant_bit, fetch_wants;
  wire [$clog2(CLIENTS)-1:0] fetch_number;
  wire [2:0] fetch_level;
  wire fetch_put_ready_unused;
  assign fetch_wants[CACHES-1:0] = fetch_valid_i;
  generate
    if (CACHES == 1) begin : g_one
      assign fetch_wants[1] = 1'b0;
    end
  endgenerate
  wire turns_begin = rst_i || settles_i;
  rr_arbiter #(.CLIENTS(CLIENTS), .STAGES(STAGES)) u_fetches (
    .clk_i(clk_i), .rst_i(turns_begin), .req_i(fetch_wants), .enable_i(fetch_level < 3'd2),
    .grant_valid_o(fetch_grant), .grant_o(fetch_number), .grant_one_hot_o(fetch_grant_bit));
  assign fetch_ready_o = fetch_grant_bit[CACHES-1:0];

  reg [LINE_AW-1:0] in_line;
  reg [MISS_W-1:0] in_tag;
  always @* begin
    in_line = {LINE_AW{1'b0}};
    in_tag = {MISS_W{1'b0}};
    for (i = 0; i < CACHES; i = i + 1) begin
      in_line = in_line | (fetch_line_i[i*LINE_AW+:LINE_AW] & {LINE_AW{fetch_grant_bit[i]}});
      in_tag = in_tag | (fetch_tag_i[i*MISS_W+:MISS_W] & {MISS_W{fetch_grant_bit[i]}});
    end
  end
  wire fetch_valid, fetch_pop;
  wire [LINE_AW-1:0] fetch_line;
  wire [CACHE_W-1:0] fetch_cache;
  wire [MISS_W-1:0] fetch_tag;
  // A grant may come out for a fetch that was withdrawn by a reset of the cache.
  wire fetch_put = |(fetch_grant_bit & fetch_wants);
  fifo_regs #(.WIDTH(FETCH_W), .DEPTH(4)) u_fetch (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(fetch_put), .in_ready_o(fetch_put_ready_unused),
    .in_data_i({in_line, fetch_number[CACHE_W-1:0], in_tag}), .out_valid_o(fetch_valid),
    .out_ready_i(fetch_pop), .out_data_o({fetch_line, fetch_cache, fetch_tag}), .level_o(fetch_level));

  // ---- releases: round robin, all beats of one before the next
  reg [CACHES-1:0] rel_sel_q, rel_turn_q;
  wire [CACHES-1:0] rel_pick, rel_above;
  wire rel_some, rel_room;
  reg rel_in_last, rel_in_dirty;
  reg [LINE_AW-1:0] rel_in_line;
  reg [DATA_W-1:0] rel_in_data;
  reg [CACHE_W-1:0] rel_in_cache;
  always @* begin
    rel_in_last = 1'b0;
    rel_in_dirty = 1'b0;
    rel_in_line = {LINE_AW{1'b0}};
    rel_in_data = {DATA_W{1'b0}};
    rel_in_cache = {CACHE_W{1'b0}};
    for (i = 0; i < CACHES; i = i + 1) begin
      rel_in_last = rel_in_last || (rel_last_i[i] && rel_sel_q[i]);
      rel_in_dirty = rel_in_dirty || (rel_dirty_i[i] && rel_sel_q[i]);
      rel_in_line = rel_in_line | (rel_line_i[i*LINE_AW+:LINE_AW] & {LINE_AW{rel_sel_q[i]}});
      rel_in_data = rel_in_data | (rel_data_i[i*DATA_W+:DATA_W] & {DATA_W{rel_sel_q[i]}});
      rel_in_cache = rel_in_cache | (i[CACHE_W-1:0] & {CACHE_W{rel_sel_q[i]}});
    end
  end
  wire rel_put = |(rel_sel_q & rel_valid_i) && rel_room;
  wire rel_choose = rel_sel_q == {CACHES{1'b0}} || (rel_put && rel_in_last);
  assign rel_ready_o = rel_sel_q & {CACHES{rel_room}};
  rr_pick #(.WIDTH(CACHES)) u_releases (
    .req_i(rel_valid_i & ~rel_sel_q), .turn_i(rel_turn_q), .any_o(rel_some), .pick_o(rel_pick),
    .above_o(rel_above));
  always @(posedge clk_i) begin
    if (rel_choose) rel_sel_q <= rel_pick;
    if (rel_choose && rel_some) rel_turn_q <= rel_above;
    if (turns_begin) begin
      rel_sel_q <= {CACHES{1'b0}};
      rel_turn_q <= {CACHES{1'b1}};
    end
  end

  // The directory looks at a beat two cycles before its data are written.
  wire rel_valid, rel_pop, rel_dirty, rel_last, rel_put_ready_unused, beat_valid;
  wire [LINE_AW-1:0] rel_line;
  wire [CACHE_W-1:0] rel_cache;
  wire beat_pop, beat_dirty, beat_good, beat_last;
  wire [ENTRY_W-1:0] beat_entry;
  wire [DATA_W-1:0] beat_data;
  wire [3:0] rel_level_unused, beat_level_unused;
  fifo_regs #(.WIDTH(REL_W), .DEPTH(8)) u_release (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(rel_put), .in_ready_o(rel_put_ready_unused),
    .in_data_i({rel_in_line, rel_in_cache, rel_in_dirty, rel_in_last}), .out_valid_o(rel_valid),
    .out_ready_i(rel_pop), .out_data_o({rel_line, rel_cache, rel_dirty, rel_last}),
    .level_o(rel_level_unused));
  fifo_regs #(.WIDTH(DATA_W), .DEPTH(8)) u_beats (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(rel_put), .in_ready_o(rel_room), .in_data_i(rel_in_data),
    .out_valid_o(beat_valid), .out_ready_i(beat_pop), .out_data_o(beat_data),
    .level_o(beat_level_unused));

  // ---- directory
  wire send_busy, memory_busy, directory_busy;
  wire done_valid, done_pop, done_write, done_error;
  wire [ENTRY_W-1:0] done_entry;
  wire [CACHES-1:0] room, send_target;
  wire send_ready, send_valid, send_fill_now, send_fill, send_error, send_after;
  wire [MISS_W-1:0] send_tag;
  wire [LINE_AW-1:0] send_line, job_line;
  wire [ENTRY_W-1:0] send_entry, job_entry;
  wire job_valid, job_write;
  line_home_directory #(
    .CACHES(CACHES), .MISS_W(MISS_W), .LINE_AW(LINE_AW), .HOME_ENTRIES(HOME_ENTRIES), .CACHE_W(CACHE_W),
    .ENTRY_W(ENTRY_W)
  ) u_directory (
    .clk_i(clk_i), .rst_i(rst_i), .rel_valid_i(rel_valid), .rel_pop_o(rel_pop), .rel_line_i(rel_line),
    .rel_cache_i(rel_cache), .rel_dirty_i(rel_dirty), .rel_last_i(rel_last), .done_valid_i(done_valid),
    .done_pop_o(done_pop), .done_entry_i(done_entry), .done_write_i(done_write), .done_error_i(done_error),
    .fetch_valid_i(fetch_valid), .fetch_pop_o(fetch_pop), .fetch_line_i(fetch_line),
    .fetch_cache_i(fetch_cache), .fetch_tag_i(fetch_tag), .beat_pop_o(beat_pop), .beat_dirty_o(beat_dirty),
    .beat_good_o(beat_good), .beat_last_o(beat_last), .beat_entry_o(beat_entry), .room_i(room),
    .send_ready_i(send_ready), .send_valid_o(send_valid), .send_fill_now_o(send_fill_now),
    .send_fill_o(send_fill), .send_error_o(send_error), .send_after_o(send_after),
    .send_target_o(send_target), .send_tag_o(send_tag), .send_line_o(send_line), .send_entry_o(send_entry),
    .job_valid_o(job_valid), .job_write_o(job_write), .job_entry_o(job_entry), .job_line_o(job_line),
    .bad_count_o(bad_count_o), .bad_line_o(bad_line_o), .lost_count_o(lost_count_o),
    .lost_line_o(lost_line_o), .busy_o(directory_busy), .settles_i(settles_i), .put_bad_i(put_bad_i),
    .put_lost_i(put_lost_i), .put_count_i(put_count_i), .put_line_i(put_line_i));

  // ---- lines: what is here, what is on its way, and what memory does not have yet
  reg [BEAT_W-1:0] beat_q;  // of the release in the third stage
  always @(posedge clk_i)
    if (rst_i || beat_last) beat_q <= {BEAT_W{1'b0}};
    else if (beat_pop) beat_q <= beat_q + 1'b1;

  wire [ENTRY_W-1:0] fill_entry, fetch_entry, store_entry;
  wire [BEAT_W-1:0] fill_beat, fetch_beat, store_beat;
  wire read_free, store;
  wire [DATA_W-1:0] store_data, row;
  wire [ENTRY_W-1:0] read_entry = read_free ? fetch_entry : fill_entry;
  wire [BEAT_W-1:0] read_beat = read_free ? fetch_beat : fill_beat;
  wire [ENTRY_W-1:0] write_entry = beat_dirty ? beat_entry : store_entry;
  wire [BEAT_W-1:0] write_beat = beat_dirty ? beat_q : store_beat;
  localparam ROW_W = ENTRY_W + $clog2(BEATS);
  wire [ROW_W-1:0] read_row, write_row;
  generate
    if (BEATS > 1) begin : g_beats
      assign read_row = {read_entry, read_beat};
      assign write_row = {write_entry, write_beat};
    end else begin : g_one_beat
      assign read_row = read_entry;
      assign write_row = write_entry;
      wire unused = &{1'b0, read_beat, write_beat};
    end
  endgenerate
  ram_1r1w #(.WIDTH(DATA_W), .DEPTH(HOME_ENTRIES * BEATS)) u_lines (
    .clk_i(clk_i), .we_i(beat_good || store), .waddr_i(write_row),
    .wdata_i(beat_dirty ? beat_data : store_data), .raddr_i(read_row), .rdata_o(row));

  line_home_send #(
    .CACHES(CACHES), .MISS_W(MISS_W), .LINE_AW(LINE_AW), .ENTRY_W(ENTRY_W), .BEATS(BEATS), .BEAT_W(BEAT_W),
    .DATA_W(DATA_W)
  ) u_send (
    .clk_i(clk_i), .rst_i(rst_i), .guess_i(beat_last), .guess_entry_i(beat_entry), .send_valid_i(send_valid),
    .send_fill_now_i(send_fill_now), .send_ready_o(send_ready), .room_o(room), .send_fill_i(send_fill),
    .send_error_i(send_error), .send_after_i(send_after), .send_target_i(send_target),
    .send_tag_i(send_tag), .send_line_i(send_line), .send_entry_i(send_entry), .read_entry_o(fill_entry),
    .read_beat_o(fill_beat), .read_free_o(read_free), .data_i(row), .home_valid_o(home_valid_o),
    .home_ready_i(home_ready_i), .home_snoop_o(home_snoop_o), .home_tag_o(home_tag_o),
    .home_error_o(home_error_o), .home_line_o(home_line_o),
    .home_data_o(home_data_o), .busy_o(send_busy));

  line_home_backing #(
    .LINE_AW(LINE_AW), .HOME_ENTRIES(HOME_ENTRIES), .ENTRY_W(ENTRY_W), .BEATS(BEATS), .BEAT_W(BEAT_W),
    .DATA_W(DATA_W), .ADDR_W(ADDR_W), .MEM_SLOTS(MEM_SLOTS), .TAG_W(TAG_W)
  ) u_memory (
    .clk_i(clk_i), .rst_i(rst_i), .job_valid_i(job_valid), .job_write_i(job_write), .job_entry_i(job_entry),
    .job_line_i(job_line), .done_valid_o(done_valid), .done_pop_i(done_pop), .done_entry_o(done_entry),
    .done_write_o(done_write), .done_error_o(done_error), .read_entry_o(fetch_entry),
    .read_beat_o(fetch_beat), .read_free_i(read_free), .data_i(row), .write_busy_i(beat_dirty),
    .write_o(store), .write_entry_o(store_entry), .write_beat_o(store_beat), .write_data_o(store_data),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i), .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o), .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_tag_i(mem_rsp_tag_i), .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_error_i(mem_rsp_error_i),
    .busy_o(memory_busy));

  // A cycle later; what is offered counts, so that it is true when it is said.
  wire busy = |fetch_valid_i || fetch_valid || |rel_valid_i || |rel_sel_q || rel_valid || beat_valid
              || directory_busy || send_busy || memory_busy;
  always @(posedge clk_i) idle_o <= !busy && !rst_i;

  wire unused = &{1'b0, fetch_grant, fetch_put_ready_unused, rel_put_ready_unused,
                  rel_level_unused, beat_level_unused};
endmodule

`default_nettype wire
