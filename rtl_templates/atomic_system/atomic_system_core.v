// SPDX-License-Identifier: Apache-2.0
// atomic_system_core: caches that merge atomics around one home, with register stages between them.
//
// Place i of each vector belongs to cache i. Handshakes, latencies and reset are those of the parts; what has
// a valid in a cache is 0 here while that is 0. STATUS: halt and reset of all as one unit
// (atomic_system_status). Ranges are guarded by the parts.
`default_nettype none

module atomic_system_core #(
  parameter CACHES = 4,  // caches that share the lines; 1..64 caches
  // Lines that the directory knows at once, 8 in a set; twice what all caches hold is plenty; 16..16384
  // lines, a power of 2.
  parameter HOME_ENTRIES = 256,
  parameter MEM_SLOTS = 8,    // lines read or written in memory at once; 2..32 lines, a power of 2
  parameter LINE_BYTES = 64,  // size of a line; 16..128 bytes, a power of 2
  parameter LINES = 32,       // true lines, at least two sets; 4..256 lines, a power of 2
  parameter WAYS = 4,         // places where a line may be; 2..8 ways, a power of 2
  parameter QUEUE = 16,       // accepted requests in front of the pipeline; 2..64 requests, a power of 2
  parameter STALL_BUF = 64,   // requests that are parked or wait for a line; 2..2048 requests
  // 32-bit words merged in a cycle, and carried by a beat of the fill and release channels; 2..16 words, a
  // power of 2.
  parameter MERGE_LANES = 8,
  parameter MISSES = 8,     // lines fetched at once; 2..16 lines, a power of 2
  parameter MAX_TEMPS = 2,  // temporary lines of one line address; 1..4 lines
  // Lists of requests, each with the line as it stood before its merge, that wait or are spooled; 2..32
  // lists, a power of 2.
  parameter OLD_LINES = 8,
  parameter TID_W = 10,        // width of a thread id; 1..16 bits
  parameter ADDR_W = 32,       // width of a byte address; 16..48 bits
  parameter WIDE_ATOMICS = 1,  // 1: atomics of 64 bits beside those of 32
  // What is built of each operation, and what it does at a line with temporary lines of other operations: 0
  // none, not built; 1 wait; 2 extra, it opens an extra one; 3 keep_wait and 4 keep_extra, all its requests
  // are parked with their operands.
  parameter ATOMIC_ADD = 1,
  parameter ATOMIC_AND = 1,
  parameter ATOMIC_OR = 1,
  parameter ATOMIC_XOR = 1,
  parameter ATOMIC_MIN = 2,
  parameter ATOMIC_MAX = 2,
  parameter ATOMIC_SWAP = 1,
  parameter ATOMIC_CAS = 1,
  parameter ATOMIC_SAT = 0,
  parameter ATOMIC_WRAP = 0,
  parameter ATOMIC_MOD = 0,
  parameter ATOMIC_MUL = 0,
  parameter ATOMIC_FADD = 0,
  parameter ATOMIC_FMUL = 0,
  parameter ATOMIC_FMIN = 0,
  parameter ATOMIC_FMAX = 0,
  // 1: float adds and multiplies are accumulated; 0: they wait for their line and are exactly serial.
  parameter FLOAT_MERGE = 1,
  // With multiply or floats: from one to another request of the same 8 bytes; an answer takes OP_STAGES - 2
  // cycles more when they are built; 3..8 cycles.
  parameter OP_STAGES = 7,
  parameter BIG_ENDIAN = 0,  // 1: an item's highest byte is at its address; 0: its lowest one
  // 1: a request whose thread id has one under way is refused; 2^TID_W cycles behind reset nothing is
  // accepted then.
  parameter TID_CHECK = 0,
  parameter WITNESS = 0,  // 1: the witness ports report each commit, for a checker; 0: they are idle
  // Register stages on each channel between a cache and the home, each way; 0..16 cycles.
  parameter STAGES = 0,
  // Unit status, halt, reset, save and load of caches and home as one unit, with this encoding of state_o;
  // none: its ports are idle; 0 none, 1 one_hot, 2 two_of_four, 3 binary.
  parameter STATUS = 0
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // The request port of each cache (docs/atomic_merge.md): a request is taken with valid and ready.
  input  wire [CACHES-1:0] req_valid_i,
  output wire [CACHES-1:0] req_ready_o,  // a request is accepted; each gets exactly one answer
  // 0 load, 1 store, 2 fence, 3 flush, 4 add, 5 and, 6 or, 7 xor, 8 signed min, 9 signed max, 10 unsigned
  // min, 11 unsigned max, 12 swap, 13 compare-and-swap, 14 saturating unsigned add, 15 increment and 16
  // decrement that wrap, 17 add modulo K, 18 multiply, of floats: 19 add, 20 multiply, 21 minimum, 22
  // maximum.
  input  wire [CACHES*5-1:0] req_op_i,
  // Base-2 logarithm of the bytes; atomics take 2 and, with WIDE_ATOMICS, 3.
  input  wire [CACHES*2-1:0] req_size_i,
  input  wire [CACHES*2-1:0] req_mode_i,       // 0 return, 1 no return, strict, 2 no return, relaxed
  input  wire [CACHES*ADDR_W-1:0] req_addr_i,  // byte address, aligned to the size
  input  wire [CACHES*64-1:0] req_data_i,      // operand, in the lowest bits
  // Compare-and-swap: the value to compare with, in the lowest bits. Wrapping and modulo: K - 1, within the
  // size.
  input  wire [CACHES*64-1:0] req_compare_i,
  input  wire [CACHES*TID_W-1:0] req_tid_i,  // thread id, given back with the answer

  // The answer port of each cache: one answer for each request, which holds still until taken.
  output wire [CACHES-1:0] ans_valid_o,
  input  wire [CACHES-1:0] ans_ready_i,      // the answer is taken
  output wire [CACHES*TID_W-1:0] ans_tid_o,  // thread id of the request
  // 0 done, 1 request refused, 2 the memory has no such line, 3 refused because its thread id has a request
  // under way (TID_CHECK).
  output wire [CACHES*2-1:0] ans_status_o,
  // Load, and mode return: the value before the operation, zero-extended; else 0.
  output wire [CACHES*64-1:0] ans_data_o,

  // What a cache lost with failed fetches, until reset: how many answers, the first line.
  output wire [CACHES*16-1:0] lost_count_o,
  output wire [CACHES*(ADDR_W-$clog2(LINE_BYTES))-1:0] lost_line_o,
  output wire [CACHES-1:0] unasked_o,  // a fill came that nobody had asked for; it was dropped. Until reset.

  // The witness ports of each cache, idle without WITNESS.
  output wire [CACHES-1:0] wit_valid_o,
  // 0 request wit_tid_o is performed, 1 it joins temporary line wit_temp_o, 2 that line is merged, 3 it is
  // dropped with a failed fetch.
  output wire [CACHES*2-1:0] wit_kind_o,
  output wire [CACHES*TID_W-1:0] wit_tid_o,                      // thread id, for kinds 0 and 1; else 0
  output wire [CACHES*$clog2(MISSES*MAX_TEMPS)-1:0] wit_temp_o,  // temporary line, for kinds 1 to 3; else 0

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

  output wire idle_o,      // behind the answer of a flush: memory has acknowledged what that released
  // Releases by caches that did not own the line; they were dropped. Saturating, until reset.
  output wire [15:0] home_bad_count_o,
  // Line address of the first of them; 0 as long as there is none.
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] home_bad_line_o,
  output wire [15:0] home_lost_count_o,  // lines that memory failed to write. Saturating, until reset.
  // Line address of the first of them; 0 as long as there is none.
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] home_lost_line_o,

  input  wire reg_req_valid_i,  // a register access is offered; hold it until taken
  output wire reg_req_ready_o,  // the register access of this cycle is taken
  input  wire reg_req_write_i,  // 1: write, 0: read
  input  wire [9:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o,  // the access was refused: unknown address, value out of range, or not now

  input  wire cmd_halt_i,    // halt: a level, held as long as the unit is to stay halted
  input  wire cmd_reset_i,   // pulse: clear the context
  input  wire cmd_resume_i,  // pulse: go on with what is gathered; acts in quiescent only
  // The state of this cycle: empty, active, stalled, quiescent or halted.
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,  // something moved in the cycle that led to this state
  output wire waiting_o,   // the state is stalled or quiescent
  output wire gather_o,    // quiescent for want of further input
  output wire nack_o,      // a memory access was refused; sticky

  input  wire [15:0] ctx_unit_i,  // number of this unit, written into its contexts; constant
  input  wire ctx_cmd_valid_i,  // a save or a load is wanted; hold it until taken
  input  wire ctx_cmd_load_i,  // 1: load, 0: save
  output wire ctx_cmd_ready_o,  // the command is taken in this cycle; 1 only while halted
  output wire ctx_done_o,  // pulse: the save or load has ended
  output wire [2:0] ctx_error_o,  // 0 good, 2 type or configuration, 3 unit, 4 length, 5 checksum, 6 memory
  output wire ctx_out_valid_o,  // a word of the saved context is offered; it holds still until taken
  input  wire ctx_out_ready_i,  // the word is taken
  output wire [31:0] ctx_out_data_o,  // the word
  output wire ctx_out_last_o,  // it is the last one
  input  wire ctx_in_valid_i,  // a word of the context to load is offered; hold it until taken
  output wire ctx_in_ready_o,  // the word is taken in this cycle
  input  wire [31:0] ctx_in_data_i,  // the word
  input  wire ctx_in_last_i,  // it is the last one that comes
  // With the last word: 0 good, 1 the checksum was wrong (error 5), 2 or 3 memory failed (error 6); else 0.
  input  wire [1:0] ctx_in_error_i
);
  localparam LINE_AW = ADDR_W - $clog2(LINE_BYTES);
  localparam BEATS = LINE_BYTES / (4 * MERGE_LANES);
  localparam TEMPS = MISSES * MAX_TEMPS;
  localparam CTX_MAX = (CACHES + 2) * ((LINE_AW > 32) ? 3 : 2);   // words of a context
  localparam MEM_TAG_W = $clog2(MEM_SLOTS) + $clog2(BEATS);
  localparam MISS_W = $clog2(MISSES);
  localparam TEMP_W = $clog2(TEMPS);
  localparam DATA_W = 32 * MERGE_LANES;
  localparam FETCH_W = LINE_AW + MISS_W;
  localparam HOME_W = 2 + MISS_W + LINE_AW + DATA_W;
  localparam REL_W = LINE_AW + 2 + DATA_W;
  genvar g;

  generate
    if (STAGES < 0 || STAGES > 16) begin : g_stages_range
      stages_out_of_range check ();
    end
  endgenerate

  // Of the system as a unit.
  wire halt, served, closed, still, resets, home_resets, home_idle, home_rsp_ready;
  wire [CACHES-1:0] offered, ans_offered, idle, rests, halted, progress;
  wire [3*CACHES-1:0] between;
  assign mem_rsp_ready_o = home_rsp_ready && !still;
  // Any system of as many caches of the same lines may go on with the context.
  localparam [31:0] HASH_CACHES = (32'h811c9dc5 ^ CACHES) * 32'h01000193;
  localparam [31:0] HASH_LINE = (HASH_CACHES ^ LINE_BYTES) * 32'h01000193;
  localparam [31:0] CFG_HASH = (HASH_LINE ^ ADDR_W) * 32'h01000193;
  wire [(CACHES+2)*(LINE_AW+17)-1:0] lost;
  wire [CACHES+1:0] put;
  wire put_unasked;
  wire [15:0] put_count;
  wire [LINE_AW-1:0] put_line;
  assign lost[2*(LINE_AW+17)-1:0] = {home_lost_line_o, 1'b0, home_lost_count_o,
                                     home_bad_line_o, 1'b0, home_bad_count_o};
  atomic_system_status #(
    .STATUS(STATUS), .CACHES(CACHES), .LINE_AW(LINE_AW), .WORDS(CTX_MAX / (CACHES + 2)),
    .CFG_HASH(CFG_HASH), .DUE(MEM_SLOTS * BEATS)
  ) u_status (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
    .gather_o(gather_o), .nack_o(nack_o), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
    .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o),
    .ctx_error_o(ctx_error_o), .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i),
    .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i),
    .ctx_in_error_i(ctx_in_error_i), .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .offered_i(offered), .ans_offered_i(ans_offered), .ans_ready_i(ans_ready_i), .idle_i(idle),
    .rests_i(rests), .halted_i(halted), .progress_i(progress), .between_i(|between),
    .home_idle_i(home_idle), .mem_req_valid_i(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .answered_i(mem_rsp_valid_i && mem_rsp_ready_o), .refused_i(mem_rsp_error_i != 2'd0),
    .idle_o(idle_o), .halt_o(halt), .served_o(served), .closed_o(closed), .still_o(still),
    .resets_o(resets), .home_resets_o(home_resets), .lost_i(lost), .put_o(put), .put_unasked_o(put_unasked),
    .put_count_o(put_count), .put_line_o(put_line));

  // At the home.
  wire [CACHES-1:0] fetch_valid, fetch_ready, home_valid, home_ready, home_snoop, home_error;
  wire [CACHES-1:0] rel_valid, rel_ready, rel_dirty, rel_last;
  wire [CACHES*LINE_AW-1:0] fetch_line, home_line, rel_line;
  wire [CACHES*MISS_W-1:0] fetch_tag, home_tag;
  wire [CACHES*DATA_W-1:0] home_data, rel_data;

  generate
    for (g = 0; g < CACHES; g = g + 1) begin : g_cache
      wire c_fetch_valid, c_fetch_ready, c_home_valid, c_home_ready, c_rel_valid, c_rel_ready;
      wire [FETCH_W-1:0] c_fetch;
      wire [HOME_W-1:0] c_home;
      wire [REL_W-1:0] c_rel;
      wire req_ready, ans_valid, wit_valid;
      wire ans_shown = ans_valid && !still;
      wire rst = rst_i || resets;
      wire [TID_W-1:0] ans_tid, wit_tid;
      wire [1:0] ans_status, wit_kind;
      wire [63:0] ans_data;
      wire [TEMP_W-1:0] wit_temp;
      wire unused_reg_ready, unused_reg_valid, unused_reg_error;
      wire [31:0] unused_reg_data, unused_ctx_data;
      wire [2:0] unused_ctx_error;
      wire unused_ctx_cmd, unused_ctx_done, unused_ctx_valid, unused_ctx_last, unused_ctx_ready;
      wire [4:0] state;
      wire unused_waiting, unused_gather, unused_nack;
      wire unused_state = &{1'b0, state[3:1]};
      atomic_merge_core #(
        .LINE_BYTES(LINE_BYTES), .LINES(LINES), .WAYS(WAYS), .QUEUE(QUEUE), .STALL_BUF(STALL_BUF),
        .MERGE_LANES(MERGE_LANES), .MISSES(MISSES), .MAX_TEMPS(MAX_TEMPS), .OLD_LINES(OLD_LINES),
        .TID_W(TID_W), .ADDR_W(ADDR_W), .WIDE_ATOMICS(WIDE_ATOMICS), .ATOMIC_ADD(ATOMIC_ADD),
        .ATOMIC_AND(ATOMIC_AND), .ATOMIC_OR(ATOMIC_OR), .ATOMIC_XOR(ATOMIC_XOR), .ATOMIC_MIN(ATOMIC_MIN),
        .ATOMIC_MAX(ATOMIC_MAX), .ATOMIC_SWAP(ATOMIC_SWAP), .ATOMIC_CAS(ATOMIC_CAS),
        .ATOMIC_SAT(ATOMIC_SAT), .ATOMIC_WRAP(ATOMIC_WRAP), .ATOMIC_MOD(ATOMIC_MOD), .ATOMIC_MUL(ATOMIC_MUL),
        .ATOMIC_FADD(ATOMIC_FADD), .ATOMIC_FMUL(ATOMIC_FMUL), .ATOMIC_FMIN(ATOMIC_FMIN),
        .ATOMIC_FMAX(ATOMIC_FMAX), .FLOAT_MERGE(FLOAT_MERGE), .OP_STAGES(OP_STAGES),
        .BIG_ENDIAN(BIG_ENDIAN), .TID_CHECK(TID_CHECK), .WITNESS(WITNESS),
        .STATUS((STATUS != 0) ? 1 : 0)
      ) u_cache (
        .clk_i(clk_i), .rst_i(rst), .req_valid_i(req_valid_i[g] && !closed), .req_ready_o(req_ready),
        .req_op_i(req_op_i[g*5+:5]), .req_size_i(req_size_i[g*2+:2]), .req_mode_i(req_mode_i[g*2+:2]),
        .req_addr_i(req_addr_i[g*ADDR_W+:ADDR_W]), .req_data_i(req_data_i[g*64+:64]),
        .req_compare_i(req_compare_i[g*64+:64]), .req_tid_i(req_tid_i[g*TID_W+:TID_W]),
        .ans_valid_o(ans_valid), .ans_ready_i(ans_ready_i[g] && !still), .ans_tid_o(ans_tid),
        .ans_status_o(ans_status), .ans_data_o(ans_data), .fetch_valid_o(c_fetch_valid),
        .fetch_ready_i(c_fetch_ready),
        .fetch_line_o(c_fetch[FETCH_W-1:MISS_W]), .fetch_tag_o(c_fetch[MISS_W-1:0]),
        .home_valid_i(c_home_valid), .home_ready_o(c_home_ready), .home_snoop_i(c_home[HOME_W-1]),
        .home_error_i(c_home[HOME_W-2]), .home_tag_i(c_home[LINE_AW+DATA_W+:MISS_W]),
        .home_line_i(c_home[DATA_W+:LINE_AW]), .home_data_i(c_home[DATA_W-1:0]),
        .rel_valid_o(c_rel_valid), .rel_ready_i(c_rel_ready), .rel_line_o(c_rel[REL_W-1-:LINE_AW]),
        .rel_dirty_o(c_rel[DATA_W+1]), .rel_last_o(c_rel[DATA_W]), .rel_data_o(c_rel[DATA_W-1:0]),
        .lost_count_o(lost_count_o[g*16+:16]), .lost_line_o(lost_line_o[g*LINE_AW+:LINE_AW]),
        .unasked_o(unasked_o[g]), .reg_req_valid_i(1'b0),
        .reg_req_ready_o(unused_reg_ready), .reg_req_write_i(1'b0), .reg_req_addr_i(10'd0),
        .reg_req_data_i(32'd0), .reg_rsp_valid_o(unused_reg_valid), .reg_rsp_data_o(unused_reg_data),
        .reg_rsp_error_o(unused_reg_error), .cmd_halt_i(halt), .cmd_reset_i(1'b0), .cmd_resume_i(1'b0),
        .served_idle_i(served), .idle_o(idle[g]), .state_o(state), .progress_o(progress[g]),
        .waiting_o(unused_waiting), .gather_o(unused_gather), .nack_o(unused_nack), .ctx_unit_i(16'd0),
        .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(1'b0), .ctx_cmd_ready_o(unused_ctx_cmd),
        .ctx_done_o(unused_ctx_done), .ctx_error_o(unused_ctx_error), .ctx_out_valid_o(unused_ctx_valid),
        .ctx_out_ready_i(1'b0), .ctx_out_data_o(unused_ctx_data), .ctx_out_last_o(unused_ctx_last),
        .ctx_in_valid_i(1'b0), .ctx_in_ready_o(unused_ctx_ready), .ctx_in_data_i(32'd0),
        .ctx_in_last_i(1'b0), .ctx_in_error_i(2'd0),
        .wit_valid_o(wit_valid), .wit_kind_o(wit_kind), .wit_tid_o(wit_tid),
        .wit_temp_o(wit_temp), .put_i(put[g+2]), .put_unasked_i(put_unasked), .put_count_i(put_count),
        .put_line_i(put_line));
      assign lost[(g+2)*(LINE_AW+17)+:LINE_AW+17] = {lost_line_o[g*LINE_AW+:LINE_AW], unasked_o[g],
                                                    lost_count_o[g*16+:16]};
      assign req_ready_o[g] = req_ready && !closed;
      assign offered[g] = req_valid_i[g] && req_ready;
      assign ans_offered[g] = ans_valid;
      assign rests[g] = state[0] || state[4];
      assign halted[g] = state[4];
      assign ans_valid_o[g] = ans_shown;
      assign ans_tid_o[g*TID_W+:TID_W] = ans_tid & {TID_W{ans_shown}};
      assign ans_status_o[g*2+:2] = ans_status & {2{ans_shown}};
      assign ans_data_o[g*64+:64] = ans_data & {64{ans_shown}};
      assign wit_valid_o[g] = wit_valid;
      assign wit_kind_o[g*2+:2] = wit_kind & {2{wit_valid}};
      assign wit_tid_o[g*TID_W+:TID_W] = wit_tid & {TID_W{wit_valid}};
      assign wit_temp_o[g*TEMP_W+:TEMP_W] = wit_temp & {TEMP_W{wit_valid}};

      atomic_system_link #(.WIDTH(FETCH_W), .STAGES(STAGES)) u_fetch (
        .clk_i(clk_i), .rst_i(rst), .busy_o(between[3*g]), .in_valid_i(c_fetch_valid),
        .in_ready_o(c_fetch_ready),
        .in_data_i(c_fetch), .out_valid_o(fetch_valid[g]), .out_ready_i(fetch_ready[g]),
        .out_data_o({fetch_line[g*LINE_AW+:LINE_AW], fetch_tag[g*MISS_W+:MISS_W]}));
      atomic_system_link #(.WIDTH(HOME_W), .STAGES(STAGES)) u_home (
        .clk_i(clk_i), .rst_i(rst), .busy_o(between[3*g+1]), .in_valid_i(home_valid[g]),
        .in_ready_o(home_ready[g]),
        .in_data_i({home_snoop[g], home_error[g], home_tag[g*MISS_W+:MISS_W],
                    home_line[g*LINE_AW+:LINE_AW], home_data[g*DATA_W+:DATA_W]}),
        .out_valid_o(c_home_valid), .out_ready_i(c_home_ready), .out_data_o(c_home));
      atomic_system_link #(.WIDTH(REL_W), .STAGES(STAGES)) u_release (
        .clk_i(clk_i), .rst_i(rst), .busy_o(between[3*g+2]),
        .in_valid_i(c_rel_valid), .in_ready_o(c_rel_ready), .in_data_i(c_rel),
        .out_valid_o(rel_valid[g]), .out_ready_i(rel_ready[g]),
        .out_data_o({rel_line[g*LINE_AW+:LINE_AW], rel_dirty[g], rel_last[g],
                     rel_data[g*DATA_W+:DATA_W]}));
    end
  endgenerate

  line_home_core #(
    .CACHES(CACHES), .LINE_BYTES(LINE_BYTES), .MERGE_LANES(MERGE_LANES), .MISSES(MISSES),
    .HOME_ENTRIES(HOME_ENTRIES), .MEM_SLOTS(MEM_SLOTS), .ADDR_W(ADDR_W)
  ) u_home (
    .clk_i(clk_i), .rst_i(rst_i || home_resets), .fetch_valid_i(fetch_valid), .fetch_ready_o(fetch_ready),
    .fetch_line_i(fetch_line), .fetch_tag_i(fetch_tag), .home_valid_o(home_valid), .home_ready_i(home_ready),
    .home_snoop_o(home_snoop), .home_tag_o(home_tag), .home_error_o(home_error), .home_line_o(home_line),
    .home_data_o(home_data), .rel_valid_i(rel_valid), .rel_ready_o(rel_ready), .rel_line_i(rel_line),
    .rel_dirty_i(rel_dirty), .rel_last_i(rel_last), .rel_data_i(rel_data), .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i), .mem_req_write_o(mem_req_write_o), .mem_req_tag_o(mem_req_tag_o),
    .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o), .mem_req_strb_o(mem_req_strb_o),
    .mem_rsp_valid_i(mem_rsp_valid_i && !still), .mem_rsp_ready_o(home_rsp_ready),
    .mem_rsp_tag_i(mem_rsp_tag_i),
    .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_error_i(mem_rsp_error_i), .bad_count_o(home_bad_count_o),
    .bad_line_o(home_bad_line_o), .lost_count_o(home_lost_count_o), .lost_line_o(home_lost_line_o),
    .idle_o(home_idle), .settles_i(served), .put_bad_i(put[0]), .put_lost_i(put[1]),
    .put_count_i(put_count), .put_line_i(put_line));
  wire unused = &{1'b0, MEM_TAG_W[0]};
endmodule

`default_nettype wire
