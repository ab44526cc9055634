// SPDX-License-Identifier: Apache-2.0
// atomic_merge_core: an L1 cache that performs atomics on lines that are present and accumulates those of
// missing lines in temporary lines, which are merged with the true line when it arrives
// (docs/atomic_merge_design.md).
//
// Streams are valid/ready; outputs follow from registers alone. A request takes its place in the order of
// this cache at the end of the front (f4), one per cycle, with everything it needs. An engine stops the
// front for what is not one request: the arrival of a line with its merges and the requests that waited for
// it, and the departure of a line. All this is atomic_merge_body; here are the parameters and their ranges,
// what makes the cache a unit of a front end, and its ports: fetches and answers wait here. Answers: 13
// cycles after a request was accepted at the earliest. Reset: all lines invalid, nothing held, the errors
// cleared.
`default_nettype none

module atomic_merge_core #(
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
  // 1: counters of 48 bits in the registers; 0: the registers have the identification alone.
  parameter COUNTERS = 0,
  parameter WITNESS = 0,  // 1: the witness ports report each commit, for a checker; 0: they are idle
  // Unit status, halt and reset, with this encoding of state_o; none: its ports are idle; 0 none, 1 one_hot,
  // 2 two_of_four, 3 binary.
  parameter STATUS = 0,
  // STATUS: drain: a halt finishes what was accepted and releases all lines, and a context may be saved and
  // loaded; hold: it stops within HALT_OWN cycles with what is there, and no context is moved; 0 drain, 1
  // hold.
  parameter HALT_MODE = 0
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire req_valid_i,  // a request is offered
  output wire req_ready_o,  // a request is accepted; each gets exactly one answer
  // 0 load, 1 store, 2 fence, 3 flush, 4 add, 5 and, 6 or, 7 xor, 8 signed min, 9 signed max, 10 unsigned
  // min, 11 unsigned max, 12 swap, 13 compare-and-swap, 14 saturating unsigned add, 15 increment and 16
  // decrement that wrap, 17 add modulo K, 18 multiply, of floats: 19 add, 20 multiply, 21 minimum, 22
  // maximum.
  input  wire [4:0] req_op_i,
  input  wire [1:0] req_size_i,  // base-2 logarithm of the bytes; atomics take 2 and, with WIDE_ATOMICS, 3
  input  wire [1:0] req_mode_i,  // 0 return, 1 no return, strict, 2 no return, relaxed
  input  wire [ADDR_W-1:0] req_addr_i,  // byte address, aligned to the size
  input  wire [63:0] req_data_i,  // operand, in the lowest bits
  // Compare-and-swap: the value to compare with, in the lowest bits. Wrapping and modulo: K - 1, within the
  // size.
  input  wire [63:0] req_compare_i,
  input  wire [TID_W-1:0] req_tid_i,  // thread id, given back with the answer

  output wire ans_valid_o,            // an answer; it holds still until taken
  input  wire ans_ready_i,            // the answer is taken
  output reg  [TID_W-1:0] ans_tid_o,  // thread id of the request
  // 0 done, 1 request refused, 2 the memory has no such line, 3 refused because its thread id has a request
  // under way (TID_CHECK).
  output reg  [1:0] ans_status_o,
  // Load, and mode return: the value before the operation, zero-extended; else 0.
  output reg  [63:0] ans_data_o,

  output wire fetch_valid_o,  // a line is wanted, with ownership; answered by one fill or error
  input  wire fetch_ready_i,  // the fetch is taken
  // Line address: the byte address without the place in the line.
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] fetch_line_o,
  output wire [$clog2(MISSES)-1:0] fetch_tag_o,  // tag that the fill carries

  input  wire home_valid_i,  // a beat of a fill, or a snoop. Beats of one fill follow each other.
  output wire home_ready_o,  // the beat or snoop is taken
  input  wire home_snoop_i,  // 0 beat of a fill, 1 snoop: the line is to be released
  input  wire [$clog2(MISSES)-1:0] home_tag_i,  // of a fill: the tag of its fetch, in every beat
  input  wire home_error_i,  // of a fill: there is no such line. The only beat then.
  // Of a snoop: the line address. A line that is not here is on its way back already.
  input  wire [ADDR_W-$clog2(LINE_BYTES)-1:0] home_line_i,
  input  wire [32*MERGE_LANES-1:0] home_data_i,  // of a fill: data, the line's first words in the first beat

  output wire rel_valid_o,  // a beat of a release: the line leaves for the home
  input  wire rel_ready_i,  // the beat is taken
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] rel_line_o,  // line address, in every beat
  output wire rel_dirty_o,  // the line was written: all its beats follow. 0: one beat, data means nothing.
  output wire rel_last_o,  // last beat of the release
  output wire [32*MERGE_LANES-1:0] rel_data_o,  // data, the line's first words in the first beat

  // Relaxed atomics that were answered and then lost with a failed fetch, saturating; until reset.
  output wire [15:0] lost_count_o,
  // Line address of the first of them; 0 as long as there is none.
  output wire [ADDR_W-$clog2(LINE_BYTES)-1:0] lost_line_o,
  output wire unasked_o,  // a fill came that nobody had asked for; it was dropped. Until reset.

  input  wire reg_req_valid_i,  // a register access is offered; hold it until taken
  output wire reg_req_ready_o,  // the register access of this cycle is taken
  input  wire reg_req_write_i,  // 1: write, 0: read
  input  wire [9:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o,  // the access was refused: unknown address, value out of range, or not now

  input  wire cmd_halt_i,     // halt: a level, held as long as the unit is to stay halted
  input  wire cmd_reset_i,    // pulse: clear the context
  input  wire cmd_resume_i,   // pulse: go on with what is gathered; acts in quiescent only
  input  wire served_idle_i,  // the other caches of the home say idle_o; 1 for a cache that is alone
  // Under a halt request with no fetch open, with HALT_MODE = drain with nothing left at all; stays until
  // release or reset.
  output wire idle_o,
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
  input  wire [1:0] ctx_in_error_i,

  output wire wit_valid_o,  // WITNESS: something took its place in the serial order, or joined what will
  // 0 request wit_tid_o is performed, 1 it joins temporary line wit_temp_o, 2 that line is merged, 3 it is
  // dropped with a failed fetch.
  output wire [1:0] wit_kind_o,
  output wire [TID_W-1:0] wit_tid_o,                      // thread id, for kinds 0 and 1; else 0
  output wire [$clog2(MISSES*MAX_TEMPS)-1:0] wit_temp_o,  // temporary line, for kinds 1 to 3; else 0

  // Of a block that contains this one, while the cache is halted: its errors are those of a context.
  input  wire put_i,
  input  wire put_unasked_i,
  input  wire [15:0] put_count_i,
  input  wire [ADDR_W-$clog2(LINE_BYTES)-1:0] put_line_i
);
  localparam LINE_LG = $clog2(LINE_BYTES);
  localparam LINE_AW = ADDR_W - LINE_LG;
  localparam CTX_MAX = (LINE_AW > 32) ? 3 : 2;       // words of a context
  localparam BEATS = LINE_BYTES / (4 * MERGE_LANES);
  localparam MISS_W = $clog2(MISSES);
  localparam COUNT_W = 5;
  localparam HAS_CAS = ATOMIC_CAS != 0;
  localparam HAS_LOGIC = ATOMIC_AND != 0 || ATOMIC_OR != 0 || ATOMIC_XOR != 0;
  localparam HAS_SAT = ATOMIC_SAT != 0;
  localparam HAS_MODULO = ATOMIC_WRAP != 0 || ATOMIC_MOD != 0;
  localparam HAS_MUL = ATOMIC_MUL != 0;
  localparam [2:0] HAS_FLOAT = {ATOMIC_FMIN != 0 || ATOMIC_FMAX != 0, ATOMIC_FMUL != 0, ATOMIC_FADD != 0};
  // Cycles behind an operation of the unit.
  localparam APART = (HAS_MUL || HAS_FLOAT != 3'd0) ? OP_STAGES : HAS_MODULO ? 3 : 0;
  localparam OP_W = (ATOMIC_WRAP != 0 || ATOMIC_MOD != 0 || HAS_MUL || HAS_FLOAT != 3'd0) ? 5 : 4;
  localparam HAS_SUM = ATOMIC_ADD != 0 || ATOMIC_MIN != 0 || ATOMIC_MAX != 0 || ATOMIC_SAT != 0;

  generate
    if (LINE_BYTES < 16 || LINE_BYTES > 128 || (LINE_BYTES & (LINE_BYTES - 1)) != 0) begin :
      g_line_bytes_range
      line_bytes_out_of_range check ();
    end
    if (LINES < 4 || LINES > 256 || (LINES & (LINES - 1)) != 0) begin : g_lines_range
      lines_out_of_range check ();
    end
    if (WAYS < 2 || WAYS > 8 || (WAYS & (WAYS - 1)) != 0) begin : g_ways_range
      ways_out_of_range check ();
    end
    if (LINES < 2 * WAYS) begin : g_sets_range
      lines_too_few_for_ways check ();
    end
    if (QUEUE < 2 || QUEUE > 64 || (QUEUE & (QUEUE - 1)) != 0) begin : g_queue_range
      queue_out_of_range check ();
    end
    if (STALL_BUF < 2 || STALL_BUF > 2048) begin : g_stall_buf_range
      stall_buf_out_of_range check ();
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
    if (MAX_TEMPS < 1 || MAX_TEMPS > 4) begin : g_max_temps_range
      max_temps_out_of_range check ();
    end
    if (OLD_LINES < 2 || OLD_LINES > 32 || (OLD_LINES & (OLD_LINES - 1)) != 0) begin : g_old_lines_range
      old_lines_out_of_range check ();
    end
    if (TID_W < 1 || TID_W > 16) begin : g_tid_w_range
      tid_w_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 48) begin : g_addr_w_range
      addr_w_out_of_range check ();
    end
    if (WIDE_ATOMICS < 0 || WIDE_ATOMICS > 1) begin : g_wide_range
      wide_out_of_range check ();
    end
    if (ATOMIC_ADD < 0 || ATOMIC_ADD > 4) begin : g_op_add_range
      op_add_out_of_range check ();
    end
    if (ATOMIC_AND < 0 || ATOMIC_AND > 4) begin : g_op_and_range
      op_and_out_of_range check ();
    end
    if (ATOMIC_OR < 0 || ATOMIC_OR > 4) begin : g_op_or_range
      op_or_out_of_range check ();
    end
    if (ATOMIC_XOR < 0 || ATOMIC_XOR > 4) begin : g_op_xor_range
      op_xor_out_of_range check ();
    end
    if (ATOMIC_MIN < 0 || ATOMIC_MIN > 4) begin : g_op_min_range
      op_min_out_of_range check ();
    end
    if (ATOMIC_MAX < 0 || ATOMIC_MAX > 4) begin : g_op_max_range
      op_max_out_of_range check ();
    end
    if (ATOMIC_SWAP < 0 || ATOMIC_SWAP > 4) begin : g_op_swap_range
      op_swap_out_of_range check ();
    end
    if (ATOMIC_CAS < 0 || ATOMIC_CAS > 4) begin : g_op_cas_range
      op_cas_out_of_range check ();
    end
    if (ATOMIC_SAT < 0 || ATOMIC_SAT > 4) begin : g_op_sat_range
      op_sat_out_of_range check ();
    end
    if (ATOMIC_WRAP < 0 || ATOMIC_WRAP > 4) begin : g_op_wrap_range
      op_wrap_out_of_range check ();
    end
    if (ATOMIC_MOD < 0 || ATOMIC_MOD > 4) begin : g_op_mod_range
      op_mod_out_of_range check ();
    end
    if (ATOMIC_MUL < 0 || ATOMIC_MUL > 4) begin : g_op_mul_range
      op_mul_out_of_range check ();
    end
    if (ATOMIC_FADD < 0 || ATOMIC_FADD > 4) begin : g_op_fadd_range
      op_fadd_out_of_range check ();
    end
    if (ATOMIC_FMUL < 0 || ATOMIC_FMUL > 4) begin : g_op_fmul_range
      op_fmul_out_of_range check ();
    end
    if (ATOMIC_FMIN < 0 || ATOMIC_FMIN > 4) begin : g_op_fmin_range
      op_fmin_out_of_range check ();
    end
    if (ATOMIC_FMAX < 0 || ATOMIC_FMAX > 4) begin : g_op_fmax_range
      op_fmax_out_of_range check ();
    end
    if (FLOAT_MERGE < 0 || FLOAT_MERGE > 1) begin : g_float_merge_range
      float_merge_out_of_range check ();
    end
    if (OP_STAGES < 3 || OP_STAGES > 8) begin : g_op_stages_range
      op_stages_out_of_range check ();
    end
    if (BIG_ENDIAN < 0 || BIG_ENDIAN > 1) begin : g_big_endian_range
      big_endian_out_of_range check ();
    end
    if (TID_CHECK < 0 || TID_CHECK > 1) begin : g_tid_check_range
      tid_check_out_of_range check ();
    end
    if (COUNTERS < 0 || COUNTERS > 1) begin : g_counters_range
      counters_out_of_range check ();
    end
    if (STATUS < 0 || STATUS > 3) begin : g_status_range
      status_out_of_range check ();
    end
    if (HALT_MODE < 0 || HALT_MODE > 1) begin : g_halt_range
      halt_out_of_range check ();
    end
    if (WITNESS < 0 || WITNESS > 1) begin : g_witness_range
      witness_out_of_range check ();
    end
  endgenerate

  // Of the operations built: which, and which open an extra temporary line (AM-1, AM-12).
  localparam [31:0] BUILT = {9'd0, ATOMIC_FMAX != 0, ATOMIC_FMIN != 0, ATOMIC_FMUL != 0, ATOMIC_FADD != 0,
    HAS_MUL, ATOMIC_MOD != 0, {2{ATOMIC_WRAP != 0}}, HAS_SAT, HAS_CAS,
    ATOMIC_SWAP != 0, ATOMIC_MAX != 0, ATOMIC_MIN != 0,
    ATOMIC_MAX != 0,
    ATOMIC_MIN != 0, ATOMIC_XOR != 0, ATOMIC_OR != 0, ATOMIC_AND != 0, ATOMIC_ADD != 0, 4'b1111};
  localparam [31:0] EXTRA = {9'd0, ATOMIC_FMAX == 2 || ATOMIC_FMAX == 4, ATOMIC_FMIN == 2 || ATOMIC_FMIN == 4,
    ATOMIC_FMUL == 2 || ATOMIC_FMUL == 4, ATOMIC_FADD == 2 || ATOMIC_FADD == 4,
    ATOMIC_MUL == 2 || ATOMIC_MUL == 4, ATOMIC_MOD == 2 || ATOMIC_MOD == 4,
    {2{ATOMIC_WRAP == 2 || ATOMIC_WRAP == 4}}, ATOMIC_SAT == 2 || ATOMIC_SAT == 4,
    ATOMIC_CAS == 2 || ATOMIC_CAS == 4, ATOMIC_SWAP == 2 || ATOMIC_SWAP == 4,
    ATOMIC_MAX == 2 || ATOMIC_MAX == 4, ATOMIC_MIN == 2 || ATOMIC_MIN == 4,
    ATOMIC_MAX == 2 || ATOMIC_MAX == 4, ATOMIC_MIN == 2 || ATOMIC_MIN == 4,
    ATOMIC_XOR == 2 || ATOMIC_XOR == 4, ATOMIC_OR == 2 || ATOMIC_OR == 4,
    ATOMIC_AND == 2 || ATOMIC_AND == 4, ATOMIC_ADD == 2 || ATOMIC_ADD == 4, 4'b0000};
  // Of which all requests that are accumulated are parked, with their operands (AM-10).
  localparam [31:0] KEEP = {9'd0, ATOMIC_FMAX > 2, ATOMIC_FMIN > 2, ATOMIC_FMUL > 2, ATOMIC_FADD > 2,
    ATOMIC_MUL > 2, ATOMIC_MOD > 2, {2{ATOMIC_WRAP > 2}},
    ATOMIC_SAT > 2, ATOMIC_CAS > 2, ATOMIC_SWAP > 2, ATOMIC_MAX > 2, ATOMIC_MIN > 2,
    ATOMIC_MAX > 2, ATOMIC_MIN > 2, ATOMIC_XOR > 2, ATOMIC_OR > 2, ATOMIC_AND > 2, ATOMIC_ADD > 2, 4'b0000};

  // ================ byte order ================
  // Big endian: lines are kept with the bytes of each 8 in reverse. So an item of 2^n bytes is little endian
  // inside, at its address with bits n to 2 inverted.
  wire [2:0] turned_bits = (BIG_ENDIAN != 0) ? 3'd7 << req_size_i : 3'd0;
  wire [ADDR_W-1:0] req_addr = {req_addr_i[ADDR_W-1:3], req_addr_i[2:0] ^ turned_bits};
  wire [32*MERGE_LANES-1:0] home_data, rel_data;
  genvar g;
  generate
    for (g = 0; g < 4 * MERGE_LANES; g = g + 1) begin : g_byte
      localparam FROM = (BIG_ENDIAN != 0) ? g ^ 7 : g;
      assign home_data[8*g +: 8] = home_data_i[8*FROM +: 8];
      assign rel_data_o[8*g +: 8] = rel_data[8*FROM +: 8];
    end
  endgenerate

  // ================ unit status (docs/atomic_merge_design.md) ================
  wire clear, closed, shut, still, stops, drops_home, quiet, holds, engine_home_ready;
  wire engine_rel_valid, queue_ready, nack_clear, drain_flush, drain_begins, flush_seen, settles, commit;
  wire flush_done, reg_executes, reg_write, reg_waits, reg_good, commit_unasked;
  wire fast_valid, spool_valid, fetched, live, tids_ready;
  wire [9:0] reg_addr;
  wire [31:0] reg_word;
  wire [15:0] commit_count;
  wire [LINE_AW-1:0] commit_line;
  reg ans_valid_q;
  wire reset = rst_i || clear;
  assign ans_valid_o = ans_valid_q && !still;
  assign rel_valid_o = engine_rel_valid && !still;
  assign home_ready_o = drops_home || (engine_home_ready && !still);
  assign req_ready_o = queue_ready && !closed;
  // Any cache of the same lines may go on with the context.
  localparam [31:0] HASH_LINE = (32'h811c9dc5 ^ LINE_BYTES) * 32'h01000193;
  localparam [31:0] CFG_HASH = (HASH_LINE ^ ADDR_W) * 32'h01000193;
  atomic_merge_status #(
    .STATUS(STATUS), .WORDS(CTX_MAX), .DRAINS(HALT_MODE == 0), .MISS_W(MISS_W), .COUNT_W(COUNT_W),
    .BEATS(BEATS), .LINE_AW(LINE_AW), .CFG_HASH(CFG_HASH)
  ) status (
    .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
    .cmd_resume_i(cmd_resume_i), .served_idle_i(served_idle_i), .idle_o(idle_o), .state_o(state_o),
    .progress_o(progress_o), .waiting_o(waiting_o), .gather_o(gather_o), .nack_o(nack_o),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i), .ctx_cmd_load_i(ctx_cmd_load_i),
    .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o),
    .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o),
    .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o),
    .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i), .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o), .reg_executes_o(reg_executes),
    .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_waits_i(reg_waits), .reg_good_i(reg_good),
    .reg_word_i(reg_word),
    .fetched_i(fetched), .fetch_tag_i(fetch_tag_o), .heard_i(home_valid_i && home_ready_o),
    .home_snoop_i(home_snoop_i), .home_error_i(home_error_i), .home_tag_i(home_tag_i),
    .offered_i(req_valid_i && queue_ready), .ans_offered_i(ans_valid_q), .ans_ready_i(ans_ready_i),
    .rel_offered_i(engine_rel_valid), .rel_ready_i(rel_ready_i),
    .quiet_i(quiet), .tids_ready_i(tids_ready),
    .holds_i(holds || fast_valid || ans_valid_q),
    .nack_clear_i(nack_clear), .begins_i(drain_begins), .flush_done_i(flush_done),
    .lost_count_i(lost_count_o), .lost_line_i(lost_line_o), .unasked_i(unasked_o), .clear_o(clear),
    .closed_o(closed), .shut_o(shut), .still_o(still), .stops_o(stops), .drops_o(drops_home),
    .flushes_o(drain_flush), .flush_ends_o(flush_seen), .settles_o(settles), .commit_o(commit),
    .lost_count_o(commit_count), .lost_line_o(commit_line), .unasked_o(commit_unasked));

  // ================ thread ids ================
  generate
    if (TID_CHECK != 0) begin : g_tids
      atomic_merge_tids #(.TID_W(TID_W)) tids (
        .clk_i(clk_i), .rst_i(reset), .ready_o(tids_ready), .accept_i(req_valid_i && req_ready_o),
        .tid_i(req_tid_i), .live_o(live), .done_i(ans_valid_o && ans_ready_i && ans_status_o != 2'd3),
        .done_tid_i(ans_tid_o));
    end else begin : g_no_tids
      assign {live, tids_ready} = 2'b01;
    end
  endgenerate

  // ================ requests and lines ================
  wire promise, room, fast_push, pop_spool, misses;
  wire [TID_W+65:0] fast_answer, fast_head, spool_head;
  wire [LINE_AW-1:0] miss_line;
  wire [MISS_W-1:0] miss;
  atomic_merge_body #(
    .LINE_BYTES(LINE_BYTES), .LINES(LINES), .WAYS(WAYS), .QUEUE(QUEUE), .STALL_BUF(STALL_BUF),
    .MERGE_LANES(MERGE_LANES), .MISSES(MISSES), .MAX_TEMPS(MAX_TEMPS), .OLD_LINES(OLD_LINES), .TID_W(TID_W),
    .ADDR_W(ADDR_W), .WIDE_ATOMICS(WIDE_ATOMICS), .HAS_SUM(HAS_SUM), .HAS_LOGIC(HAS_LOGIC),
    .HAS_CAS(HAS_CAS), .HAS_SAT(HAS_SAT), .HAS_MODULO(HAS_MODULO), .HAS_MUL(HAS_MUL), .HAS_FLOAT(HAS_FLOAT),
    .FLOAT_MERGE(FLOAT_MERGE), .APART(APART), .OP_W(OP_W), .BUILT(BUILT), .EXTRA(EXTRA), .KEEP(KEEP),
    .TID_CHECK(TID_CHECK), .COUNTERS(COUNTERS), .WITNESS(WITNESS), .STATUS(STATUS)
  ) body (
    .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .req_valid_i(req_valid_i && !closed),
    .req_ready_o(queue_ready), .req_op_i(req_op_i), .req_size_i(req_size_i), .req_mode_i(req_mode_i),
    .req_addr_i(req_addr), .req_data_i(req_data_i), .req_compare_i(req_compare_i), .req_tid_i(req_tid_i),
    .live_i(live), .tids_ready_i(tids_ready), .room_i(room), .promise_o(promise), .fast_push_o(fast_push),
    .fast_answer_o(fast_answer), .spool_valid_o(spool_valid), .spool_answer_o(spool_head),
    .spool_pop_i(pop_spool), .fetch_o(misses), .fetch_line_o(miss_line), .fetch_miss_o(miss),
    .fetched_i(fetched), .fetched_miss_i(fetch_tag_o), .home_valid_i(home_valid_i && !still && !drops_home),
    .home_ready_o(engine_home_ready), .home_snoop_i(home_snoop_i), .home_tag_i(home_tag_i),
    .home_error_i(home_error_i), .home_line_i(home_line_i), .home_data_i(home_data),
    .rel_valid_o(engine_rel_valid), .rel_ready_i(rel_ready_i && !still), .rel_line_o(rel_line_o),
    .rel_dirty_o(rel_dirty_o), .rel_last_o(rel_last_o), .rel_data_o(rel_data), .lost_count_o(lost_count_o),
    .lost_line_o(lost_line_o), .unasked_o(unasked_o), .commit_i(commit || put_i),
    .commit_count_i(put_i ? put_count_i : commit_count), .commit_line_i(put_i ? put_line_i : commit_line),
    .commit_unasked_i(put_i ? put_unasked_i : commit_unasked), .shut_i(shut), .stops_i(stops),
    .settles_i(settles), .drain_flush_i(drain_flush), .begins_o(drain_begins), .flush_done_o(flush_done),
    .flush_seen_i(flush_seen), .quiet_o(quiet), .holds_o(holds), .nack_clear_o(nack_clear),
    .reg_executes_i(reg_executes), .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_waits_o(reg_waits),
    .reg_good_o(reg_good), .reg_word_o(reg_word), .wit_valid_o(wit_valid_o), .wit_kind_o(wit_kind_o),
    .wit_tid_o(wit_tid_o), .wit_temp_o(wit_temp_o));

  // ================ answers ================
  reg last_fast_q;
  wire ans_moves = (!ans_valid_q || ans_ready_i) && !still;
  wire pick_fast = fast_valid && !(spool_valid && last_fast_q);
  wire begins = !shut;         // with HALT_MODE hold those that are due stay here under a halt request
  wire pop_fast = ans_moves && pick_fast && begins;
  assign pop_spool = ans_moves && spool_valid && !pick_fast && begins;
  atomic_merge_fifo #(.WIDTH(TID_W+66), .DEPTH_LG(4), .LATE(1)) fast_answers (
    .clk_i(clk_i), .rst_i(reset), .promise_i(promise), .room_o(room), .forget_i(1'b0), .push_i(fast_push),
    .data_i(fast_answer), .valid_o(fast_valid), .data_o(fast_head), .pop_i(pop_fast));
  always @(posedge clk_i) begin
    if (ans_moves) begin
      ans_valid_q <= (fast_valid || spool_valid) && begins;
      {ans_tid_o, ans_status_o, ans_data_o} <= pick_fast ? fast_head : spool_head;
      if ((fast_valid || spool_valid) && begins) last_fast_q <= pick_fast;
    end
    if (reset || settles) begin
      ans_valid_q <= 1'b0;
      last_fast_q <= 1'b0;
    end
  end

  // ================ fetches ================
  // One for each miss at most: there is always room.
  wire fetch_waits, unused_room;
  wire sends = !shut;
  wire [$clog2(MISSES+1)-1:0] unused_level;
  fifo_regs #(.WIDTH(LINE_AW+MISS_W), .DEPTH(MISSES)) fetches (
    .clk_i(clk_i), .rst_i(reset), .in_valid_i(misses), .in_ready_o(unused_room),
    .in_data_i({miss_line, miss}), .out_valid_o(fetch_waits), .out_ready_i(fetch_ready_i && sends),
    .out_data_o({fetch_line_o, fetch_tag_o}), .level_o(unused_level));
  assign fetch_valid_o = fetch_waits && sends;
  assign fetched = fetch_valid_o && fetch_ready_i;

  wire unused = &{1'b0, unused_room, unused_level};
endmodule

`default_nettype wire
