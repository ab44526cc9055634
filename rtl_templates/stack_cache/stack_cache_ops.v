// SPDX-License-Identifier: Apache-2.0
// stack_cache_ops: the operation pipeline: A takes, B decides, C answers and refreshes the can-go bits.
//
// Owns the half of a thread's state that operations write (word `o`, written in B, forwarded from C). The
// other half (`e`) belongs to the engine; a value with two owners is the sum of its two parts, so that both
// may move it in one cycle. Latency 3, one operation per cycle. Reset: the walk clears the state RAM (docs:
// Reset).
`default_nettype none

module stack_cache_ops #(
  parameter THREADS = 24,
  parameter ENTRY_W = 64,
  parameter SET = 4,
  parameter NSETS = 4,
  parameter COUNT_W = 15,
  parameter THREAD_W = 5,
  parameter POLICY = 0,
  parameter FLAGS = 0,
  parameter COUNTERS = 1,
  parameter STATUS = 0,
  parameter O_W = 26,  // see the layout below
  parameter E_W = 11,
  parameter NUM_W = 3,
  parameter OFF_W = 1,
  parameter SLOT_W = 2,
  parameter BANK_W = 2
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire clear_i,                      // the walk after reset: clears one thread's state per cycle
  input  wire walk_i,                       // a walk: threads without an operation pass through the pipeline
  input  wire [THREAD_W-1:0] walk_thread_i,
  output wire walked_o,                     // one did
  output wire [THREAD_W-1:0] a_thread_o,
  output wire a_clear_o,
  output wire a_load_o,
  input  wire walk_init_i,                  // they are emptied [SC-13]

  // Contexts: the thread that is saved or loaded; in C what it holds. [SC-13]
  input  wire ctx_i,
  input  wire [THREAD_W-1:0] ctx_thread_i,
  input  wire ctx_load_i,                   // it takes these values,
  input  wire [COUNT_W-1:0] ctx_count_i,
  input  wire [NUM_W-1:0] ctx_nd_i,
  input  wire [NUM_W-1:0] ctx_nv_i,
  input  wire [OFF_W-1:0] ctx_off_i,
  input  wire ctx_drain_i,
  input  wire ctx_fault_i,
  output wire ctx_loads_o,                  // in this cycle, with an engine's half of 0
  output wire [COUNT_W-1:0] ctx_count_o,
  output wire [NUM_W-1:0] ctx_nd_o,
  output wire [NUM_W-1:0] ctx_nv_o,
  output wire [OFF_W-1:0] ctx_off_o,
  output wire [NUM_W-1:0] ctx_burst_o,
  output wire ctx_drain_o,
  output wire ctx_fault_o,
  input  wire ctx_write_i,                  // this entry goes into the storage in the next cycle
  input  wire [ENTRY_W-1:0] ctx_data_i,

  // A flush: a pass of a thread in A; what B finds, and whether it spills a set. [SC-13]
  input  wire flush_i,
  input  wire [THREAD_W-1:0] flush_thread_i,
  input  wire flush_spills_i,
  output wire [COUNT_W-1:0] b_count_o,
  output wire [NUM_W-1:0] b_nd_o,
  output wire b_fault_o,

  input  wire op_valid_i,
  input  wire [2:0] op_kind_i,
  input  wire [THREAD_W-1:0] op_thread_i,
  input  wire [ENTRY_W-1:0] op_data_i,
  // Can-go bits; that of the thread in B may have fallen: then the operation in A comes to nothing.
  input  wire [THREADS-1:0] push_i,
  input  wire [THREADS-1:0] top_i,
  output wire b_push_falls_o,               // after B's operation the next push of its thread waits,
  output wire b_top_falls_o,                // the next other operation
  input  wire open_i,                       // operations are taken,
  input  wire can_init_i,                   // inits are
  input  wire ready_i,                      // the same, halts apart
  input  wire init_ready_i,
  output wire lawful_o,                     // an operation is presented,
  output wire takes_o,                      // and would be taken, halts apart
  output wire taken_o,
  output wire busy_o,                       // an operation is in B or C

  output reg  ans_valid_o,
  output reg  [THREAD_W-1:0] ans_thread_o,
  output reg  [2:0] ans_kind_o,
  output reg  [1:0] ans_status_o,
  output reg  ans_data_valid_o,
  output reg  [ENTRY_W-1:0] ans_data_o,

  input  wire [COUNT_W-1:0] limit_i,        // effective depth limit
  input  wire clear_deepest_i,              // of all threads
  output wire [THREADS-1:0] no_deepest_o,   // threads that were cleared and have not pushed since

  // The engine's half of the state: written in EF, forwarded from EC.
  input  wire [THREAD_W-1:0] ef_thread_i,
  input  wire e_we_i,
  input  wire [THREAD_W-1:0] e_waddr_i,
  input  wire [E_W-1:0] e_wdata_i,
  input  wire ec_we_i,
  input  wire [E_W-1:0] ec_e_i,

  // B, for the engine.
  output wire b_valid_o,
  output wire [THREAD_W-1:0] b_thread_o,
  output wire b_push_o,
  output wire b_replace_o,
  output wire b_init_o,
  output wire b_uses_write_o,
  output wire b_uses_read_o,
  output wire o_we_o,
  output wire [THREAD_W-1:0] o_waddr_o,
  output wire [O_W-1:0] o_wdata_o,

  // Storage: word and bank of the entry.
  output wire a_writes_o,                   // B will use the write port in the next cycle
  output wire b_write_o,
  output wire [SLOT_W-1:0] b_write_slot_o,
  output wire [BANK_W-1:0] b_write_bank_o,
  output wire [SLOT_W-1:0] b_read_slot_o,
  output reg  [ENTRY_W-1:0] b_data_o,       // 0 unless B writes an entry
  input  wire [SET*ENTRY_W-1:0] c_rdata_i,

  // C.
  output reg  c_valid_o,
  output reg  [THREAD_W-1:0] c_thread_o,
  output reg  [O_W-1:0] c_o_o,
  output wire c_all_o,
  output wire c_clear_fault_o,
  output wire c_hint_o,                     // the engine may want to visit the thread
  output reg  c_was_init_o,                 // what the operation in C did, for the engine
  output reg  c_cuts_o,
  output reg  c_replace_o,
  output wire c_begins_o,
  output reg  c_drop_o,

  output wire all_empty_o,

  // Events of B, for the counters.
  output wire n_push_o,
  output wire n_pop_o,
  output wire n_clean_o,
  output wire [1:0] n_drop_o,
  output wire [COUNT_W-1:0] n_depth_o
);
  localparam SET_LG = $clog2(SET);
  localparam XW = COUNT_W + SET_LG + NUM_W + 2;
  localparam [31:0] ONE = 1;
  localparam [NUM_W-1:0] ALL = NSETS[NUM_W-1:0];
  localparam N_AT = COUNT_W, V_AT = N_AT + NUM_W, R_AT = V_AT + NUM_W, H_AT = R_AT + 2;
  localparam OFF_AT = H_AT + 3, DEEP_AT = OFF_AT + ((FLAGS != 0 && SET > 1) ? OFF_W : 0);

  // ---- A -------------------------------------------------------------------------------------------
  reg [THREAD_W-1:0] b_thread_q;
  wire in_range = {1'b0, op_thread_i} < THREADS[THREAD_W:0];
  wire is_push = op_kind_i == 3'd0;
  wire is_top = !op_kind_i[2] && !is_push;
  wire push_ready = op_valid_i && is_push && in_range && push_i[op_thread_i];
  wire top_ready = op_valid_i && is_top && in_range && top_i[op_thread_i];
  wire falls = op_thread_i == b_thread_q && (is_push ? b_push_falls_o : b_top_falls_o);
  wire is_init = op_valid_i && op_kind_i == 3'd4 && in_range;
  wire a_push = push_ready && open_i;
  wire a_top = top_ready && open_i;
  wire a_init = is_init && can_init_i;
  assign lawful_o = op_valid_i && in_range && (!op_kind_i[2] || op_kind_i[1:0] == 2'd0);
  assign takes_o = ((push_ready || top_ready) && ready_i && !falls) || (is_init && init_ready_i);
  assign taken_o = ((a_push || a_top) && !falls) || a_init;
  wire a_writes = a_push || (a_top && op_kind_i == 3'd3);

  // ---- B -------------------------------------------------------------------------------------------
  // `void`: the operation before it was of its thread and made it wait; it only keeps its port busy.
  reg b_push_q, b_pop_q, b_peek_q, b_replace_q, b_init_q, b_walk_q, b_silent_q, b_load_q, b_flush_q, b_void_q;
  reg b_same_c_q, b_same_e_q;
  reg [COUNT_W-1:0] limit_q;                // when the operation in B was taken
  // below it pushes may wait after B: the limit, for a push one less
  reg [COUNT_W-1:0] near_q;
  wire b_push = b_push_q && !b_void_q;
  wire b_pop = b_pop_q && !b_void_q;
  wire b_peek = b_peek_q && !b_void_q;
  wire b_replace = b_replace_q && !b_void_q;
  wire b_valid = ((b_push_q || b_pop_q || b_peek_q || b_replace_q) && !b_void_q) || b_init_q;

  // An init goes before the walk.
  wire a_load = STATUS != 0 && ctx_load_i;
  wire walks = walk_i && !(op_valid_i && op_kind_i[2] && can_init_i) && !a_load;
  wire a_flush = STATUS != 0 && flush_i;
  wire [THREAD_W-1:0] a_thread = walks ? walk_thread_i : a_flush ? flush_thread_i
                               : (STATUS != 0 && ctx_i) ? ctx_thread_i : op_thread_i;
  wire a_clear = STATUS != 0 && walks && walk_init_i;
  assign walked_o = walks;
  assign a_thread_o = a_thread;
  assign a_clear_o = a_clear;
  assign a_load_o = a_load;

  always @(posedge clk_i) begin
    if (rst_i) begin
      b_walk_q <= 1'b0;
      b_silent_q <= 1'b0;
      b_load_q <= 1'b0;
      b_flush_q <= 1'b0;
      b_push_q <= 1'b0;
      b_pop_q <= 1'b0;
      b_peek_q <= 1'b0;
      b_replace_q <= 1'b0;
      b_init_q <= 1'b0;
    end else begin
      b_push_q <= a_push;
      b_pop_q <= a_top && op_kind_i == 3'd1;
      b_peek_q <= a_top && op_kind_i == 3'd2;
      b_replace_q <= a_top && op_kind_i == 3'd3;
      b_init_q <= a_init || a_clear;
      b_silent_q <= a_clear;
      b_walk_q <= walks;
      b_load_q <= a_load;
      b_flush_q <= a_flush;
    end
    b_thread_q <= a_thread;
    b_void_q <= falls;
    limit_q <= limit_i;
    near_q <= (walks || a_flush || limit_i == {COUNT_W{1'b0}}) ? limit_i : limit_i - 1'b1;
    b_same_c_q <= a_thread == b_thread_q;
    b_same_e_q <= a_thread == ef_thread_i;
    b_data_o <= a_writes ? op_data_i : (STATUS != 0 && ctx_write_i) ? ctx_data_i : {ENTRY_W{1'b0}};
  end

  wire [O_W-1:0] o_read, o;
  wire [E_W-1:0] e_read, e;
  wire spills = STATUS != 0 && flush_spills_i;
  wire o_we = clear_i || b_valid || b_load_q || spills;
  wire [THREAD_W-1:0] o_waddr = clear_i ? walk_thread_i : b_thread_q;
  wire [O_W-1:0] o_d;
  wire [O_W-1:0] o_wdata = clear_i ? {O_W{1'b0}} : o_d;

  ram_1r1w #(.WIDTH(O_W), .DEPTH(THREADS)) u_o_ram (
    .clk_i(clk_i), .we_i(o_we), .waddr_i(o_waddr), .wdata_i(o_wdata), .raddr_i(a_thread), .rdata_o(o_read));
  ram_1r1w #(.WIDTH(E_W), .DEPTH(THREADS)) u_e_ram (
    .clk_i(clk_i), .we_i(e_we_i), .waddr_i(e_waddr_i), .wdata_i(e_wdata_i), .raddr_i(a_thread),
    .rdata_o(e_read));

  assign o = (b_same_c_q && c_valid_o) ? c_o_o : o_read;
  assign e = (b_same_e_q && ec_we_i) ? ec_e_i : e_read;

  wire [COUNT_W-1:0] count = o[COUNT_W-1:0];
  wire [COUNT_W-1:0] below = count - 1'b1;  // index of the top
  wire [NUM_W-1:0] nd = o[N_AT+:NUM_W] + e[0+:NUM_W];
  wire [NUM_W-1:0] nv = o[V_AT+:NUM_W] + e[NUM_W+:NUM_W];
  wire [1:0] nr = o[R_AT+:2] + e[2*NUM_W+:2];
  wire held = o[H_AT] ^ e[2*NUM_W+2];
  wire drain = o[H_AT+1] ^ e[2*NUM_W+3];
  wire fault = o[H_AT+2] ^ e[2*NUM_W+4];
  wire [XW-1:0] count_x = {{XW-COUNT_W{1'b0}}, count};
  wire [XW-1:0] below_x = {{XW-COUNT_W{1'b0}}, below};

  wire unused_index = &{1'b0, count_x, below_x};

  wire begins, empties;  // the push begins a set, the pop empties one
  generate
    if (SET > 1) begin : g_pos
      assign begins = count_x[SET_LG-1:0] == {SET_LG{1'b0}};
      assign empties = count_x[SET_LG-1:0] == ONE[SET_LG-1:0];
      assign b_write_bank_o = b_push ? count_x[SET_LG-1:0] : below_x[SET_LG-1:0];
    end else begin : g_no_pos
      assign begins = 1'b1;
      assign empties = 1'b1;
      assign b_write_bank_o = 1'b0;
    end
  endgenerate
  assign b_write_slot_o = b_push ? count_x[SET_LG+:SLOT_W] : below_x[SET_LG+:SLOT_W];
  assign b_read_slot_o = below_x[SET_LG+:SLOT_W];

  wire empty = count == {COUNT_W{1'b0}};
  wire top_good = !fault && !empty;
  wire over = count >= limit_q;
  wire push_ok = b_push && !fault && !over;
  wire pop_ok = b_pop && top_good;
  wire replace_ok = b_replace && top_good;
  wire clean = nd == {NUM_W{1'b0}};
  wire evict = nv == ALL;                   // the new set takes the slot of the lowest set on chip
  wire drop = !evict && nv + {{NUM_W-2{1'b0}}, nr} == ALL;  // or of the lowest one awaited

  // What the operation does, if it answers ok; whether it does is known last.
  wire ok = !fault && (b_push ? !over : !empty);
  wire u_up = b_push && begins;
  wire u_down = b_pop && empties;
  wire nd_up = clean ? (b_push || b_replace) : u_up;
  wire nd_down = (u_down && !clean) || spills;
  wire nv_up = u_up && !evict;
  wire dropped = push_ok && begins && drop;

  // Steps, of this half and of the sum alike; an init makes this half the negative of the engine's. Gates,
  // not carry chains: which step it is is known late.
  function [NUM_W-1:0] plus_one(input [NUM_W-1:0] x);
    integer k;
    for (k = 0; k < NUM_W; k = k + 1) plus_one[k] = x[k] ^ ((x | ({NUM_W{1'b1}} << k)) == {NUM_W{1'b1}});
  endfunction
  wire [NUM_W-1:0] nd_from = o[N_AT+:NUM_W], nd_minus = ~plus_one(~nd_from), nd_init = plus_one(~e[0+:NUM_W]);
  wire [NUM_W-1:0] nv_from = o[V_AT+:NUM_W], nv_minus = ~plus_one(~nv_from),
                   nv_init = plus_one(~e[NUM_W+:NUM_W]);
  wire [1:0] nr_from = b_init_q ? ~e[2*NUM_W+:2] : o[R_AT+:2];
  wire [NUM_W-1:0] nd_d = (nd_down && ok) ? nd_minus : (nd_up && ok) ? plus_one(nd_from) : nd_from;
  wire [NUM_W-1:0] nv_d = (u_down && ok) ? nv_minus : (nv_up && ok) ? plus_one(nv_from) : nv_from;
  wire [COUNT_W-1:0] moved = count + {{COUNT_W-1{b_pop}}, b_pop || b_push};
  wire [COUNT_W-1:0] count_d = b_load_q ? ctx_count_i : b_init_q ? {COUNT_W{1'b0}} : ok ? moved : count;

  assign o_d[COUNT_W-1:0] = count_d;
  assign o_d[N_AT+:NUM_W] = b_load_q ? ctx_nd_i : b_init_q ? nd_init : nd_d;
  assign o_d[V_AT+:NUM_W] = b_load_q ? ctx_nv_i : b_init_q ? nv_init : nv_d;
  assign o_d[R_AT+:2] = b_load_q ? 2'd0 : nr_from + {dropped, dropped || b_init_q};
  assign o_d[H_AT] = b_load_q ? 1'b0 : b_init_q ? e[2*NUM_W+2] : o[H_AT] ^ (held && dropped);
  assign o_d[H_AT+1] = b_load_q ? ctx_drain_i : b_init_q ? !e[2*NUM_W+3] : o[H_AT+1];
  assign o_d[H_AT+2] = b_load_q ? ctx_fault_i : b_init_q ? e[2*NUM_W+4] : o[H_AT+2];
  assign ctx_loads_o = b_load_q;
  generate
    if (COUNTERS == 2) begin : g_deepest
      wire [COUNT_W-1:0] deepest = o[DEEP_AT+:COUNT_W];
      reg [THREADS-1:0] none_q;
      wire raises = push_ok && (clear_deepest_i || none_q[b_thread_q] || count_d > deepest);
      always @(posedge clk_i) begin
        if (rst_i) none_q <= {THREADS{1'b0}};
        else if (clear_deepest_i) none_q <= {THREADS{1'b1}};
        if (push_ok && !rst_i) none_q[b_thread_q] <= 1'b0;
      end
      assign o_d[DEEP_AT+:COUNT_W] = raises ? count_d : deepest;
      assign no_deepest_o = none_q;
    end else begin : g_no_deepest
      wire unused = &{1'b0, clear_deepest_i};
      assign no_deepest_o = {THREADS{1'b0}};
    end
  endgenerate

  // What the thread waits for next. A push that fills a set, where all are dirty; a pop that empties one, or
  // an overflow, where the top's set is not on chip then. A walk, and a context, say it of the state as it
  // is.
  wire full = nd == ALL;
  wire none = nv == {NUM_W{1'b0}};
  wire fills_set, full_after;
  wire pop_misses = nv == {{NUM_W-1{1'b0}}, 1'b1} && empties && count[COUNT_W-1:1] != {COUNT_W-1{1'b0}};
  wire walk_waits = begins ? full && !spills : STATUS != 0 && none;
  wire push_waits = b_push ? fills_set && full_after : ((b_walk_q && !b_silent_q) || b_flush_q) && walk_waits;
  wire push_falls = push_waits && !fault && count < near_q;
  wire top_falls = !fault && ((b_pop && !empty && pop_misses) || (b_push && over && !empty && none));
  wire load_push, load_top;
  generate
    if (SET > 1) begin : g_fills
      assign fills_set = &count_x[SET_LG-1:0];
      assign full_after = full;
    end else begin : g_always_fills
      assign fills_set = 1'b1;
      assign full_after = nd == ALL - 1'b1;
    end
    if (STATUS != 0) begin : g_load
      wire [XW-1:0] ctx_x = {{XW-COUNT_W{1'b0}}, ctx_count_i};
      wire unused_ctx = &{1'b0, ctx_x};
      wire at_begin = SET == 1 || ctx_x[(SET > 1 ? SET_LG : 1)-1:0] == {(SET > 1 ? SET_LG : 1){1'b0}};
      wire load_none = ctx_nv_i == {NUM_W{1'b0}};
      assign load_push = b_load_q && !ctx_fault_i && ctx_count_i < limit_q
                         && (at_begin ? ctx_nd_i == ALL : load_none);
      assign load_top = b_load_q && !ctx_fault_i && ctx_count_i != {COUNT_W{1'b0}} && load_none;
    end else begin : g_no_load
      assign load_push = 1'b0;
      assign load_top = 1'b0;
    end
  endgenerate
  assign b_push_falls_o = push_falls || load_push;
  assign b_top_falls_o = top_falls || load_top;

  // Per-entry flags: entries of set S below `off` are clean too. [SC-4]
  wire clean_entry;
  generate
    if (FLAGS != 0 && SET > 1) begin : g_off
      wire [OFF_W-1:0] off = o[OFF_AT+:OFF_W] + e[2*NUM_W+5+:OFF_W];
      wire [OFF_W-1:0] at = b_push ? count_x[OFF_W-1:0] : below_x[OFF_W-1:0];
      wire changes = push_ok || replace_ok || (pop_ok && empties);
      wire in_s = b_push ? nd == {{NUM_W-1{1'b0}}, !begins} : nd == {{NUM_W-1{1'b0}}, 1'b1};
      wire in_clean = b_push ? clean && !begins : clean;
      wire [OFF_W-1:0] off_d = (b_init_q || spills) ? {OFF_W{1'b0}}
                             : changes && (in_clean || (in_s && at < off)) ? at : off;
      assign o_d[OFF_AT+:OFF_W] = b_load_q ? ctx_off_i : off_d - e[2*NUM_W+5+:OFF_W];
      reg [OFF_W-1:0] c_off_q;
      always @(posedge clk_i) c_off_q <= off;
      assign ctx_off_o = c_off_q;
      assign clean_entry = clean || (nd == {{NUM_W-1{1'b0}}, 1'b1} && at < off);
    end else begin : g_no_off
      assign clean_entry = clean;
      assign ctx_off_o = {OFF_W{1'b0}};
      wire unused_off = &{1'b0, ctx_off_i};
    end
  endgenerate

  assign b_count_o = count;
  assign b_nd_o = nd;
  assign b_fault_o = fault;
  assign a_writes_o = a_writes;
  assign b_valid_o = b_valid;
  assign b_thread_o = b_thread_q;
  assign b_push_o = b_push;
  assign b_replace_o = b_replace;
  assign b_init_o = b_init_q;
  assign b_uses_write_o = b_push_q || b_replace_q;
  assign b_uses_read_o = b_pop_q || b_peek_q;
  assign b_write_o = push_ok || replace_ok;
  assign o_we_o = o_we;
  assign o_waddr_o = o_waddr;
  assign o_wdata_o = o_wdata;

  assign n_push_o = push_ok;
  assign n_pop_o = pop_ok;
  assign n_clean_o = pop_ok && clean_entry;
  assign n_drop_o = b_init_q ? nr : {1'b0, dropped};
  assign n_depth_o = count_d;

  // Threads with entries. [SC-2]
  reg [THREAD_W:0] busy_threads_q;
  assign all_empty_o = busy_threads_q == {THREAD_W+1{1'b0}};
  wire load_empty = ctx_count_i == {COUNT_W{1'b0}};
  wire last_entry = count == {{COUNT_W-1{1'b0}}, 1'b1};
  wire fills = empty && (push_ok || (b_load_q && !load_empty));
  wire drains = !empty && (b_init_q || (pop_ok && last_entry) || (b_load_q && load_empty));
  always @(posedge clk_i)
    if (rst_i) busy_threads_q <= {THREAD_W+1{1'b0}};
    else if (fills) busy_threads_q <= busy_threads_q + 1'b1;
    else if (drains) busy_threads_q <= busy_threads_q - 1'b1;

  // ---- C -------------------------------------------------------------------------------------------
  reg c_answer_q, c_data_valid_q, c_init_q, c_fault_q, c_begins_q, c_all_q, c_drain_q, c_flush_q;
  reg [2:0] c_kind_q;
  reg [1:0] c_status_q;
  reg [BANK_W-1:0] c_bank_q;
  reg [2*NUM_W+1:0] c_e_q;                  // the engine's half, for the sums
  wire [NUM_W-1:0] c_nd = c_o_o[N_AT+:NUM_W] + c_e_q[0+:NUM_W];
  wire [NUM_W-1:0] c_nv = c_o_o[V_AT+:NUM_W] + c_e_q[NUM_W+:NUM_W];
  wire [1:0] c_nr = c_o_o[R_AT+:2] + c_e_q[2*NUM_W+:2];

  always @(posedge clk_i) begin
    c_answer_q <= b_valid && !b_silent_q && !rst_i;
    c_valid_o <= (b_valid || b_walk_q || b_load_q || spills || clear_i) && !rst_i;
    c_flush_q <= spills;
    c_init_q <= b_init_q || b_load_q || clear_i;
    c_all_q <= (b_silent_q || b_load_q) && !rst_i;
    c_drain_q <= (b_load_q ? ctx_drain_i : drain) && !clear_i;
    c_thread_o <= o_waddr;
    c_o_o <= o_wdata;
    c_e_q <= (clear_i || b_load_q) ? {2*NUM_W+2{1'b0}} : e[2*NUM_W+1:0];
    c_fault_q <= (b_load_q ? ctx_fault_i : fault && !b_init_q) && !clear_i;
    c_drop_o <= dropped;
    c_was_init_o <= b_init_q && !rst_i;
    c_cuts_o <= (b_init_q || b_pop) && !rst_i;
    c_replace_o <= b_replace && !rst_i;
    c_begins_q <= push_ok && begins && !rst_i;
    c_kind_q <= {b_init_q, b_peek || b_replace, b_pop || b_replace};
    c_status_q <= b_init_q ? 2'd0 : fault ? 2'd3 : b_push ? {1'b0, over} : {empty, 1'b0};
    c_data_valid_q <= (b_pop || b_peek) && top_good;
    c_bank_q <= b_write_bank_o;
  end
  assign c_begins_o = c_begins_q;
  assign busy_o = b_valid || c_answer_q;
  generate
    if (STATUS != 0 && POLICY != 0) begin : g_burst
      reg [NUM_W-1:0] burst_q;
      always @(posedge clk_i) burst_q <= e[E_W-2-:NUM_W];
      assign ctx_burst_o = burst_q;
    end else begin : g_no_burst
      assign ctx_burst_o = {NUM_W{1'b0}};
    end
  endgenerate
  assign c_clear_fault_o = c_init_q && !c_fault_q;
  assign c_all_o = c_all_q;
  assign ctx_count_o = c_o_o[COUNT_W-1:0];
  assign ctx_nd_o = c_nd;
  assign ctx_nv_o = c_nv;
  assign ctx_drain_o = c_drain_q;
  assign ctx_fault_o = c_fault_q;

  wire [ENTRY_W-1:0] c_entry;
  generate
    if (SET > 1) begin : g_entry
      assign c_entry = c_rdata_i[c_bank_q*ENTRY_W+:ENTRY_W];
    end else begin : g_entry
      wire unused = &{1'b0, c_bank_q};
      assign c_entry = c_rdata_i;
    end
  endgenerate

  always @(posedge clk_i) begin
    ans_valid_o <= c_answer_q && !rst_i;
    ans_thread_o <= c_thread_o;
    ans_kind_o <= c_kind_q;
    ans_status_o <= c_status_q;
    ans_data_valid_o <= c_data_valid_q && c_answer_q && !rst_i;
    ans_data_o <= c_entry;
  end

  wire [COUNT_W-1:0] c_count = c_o_o[COUNT_W-1:0];
  // Worth a visit: as exact as a hint need be. [SC-8]
  generate
    if (POLICY == 0) begin : g_set_boundary
      wire [NUM_W-1:0] c_held = c_nv + {{NUM_W-2{1'b0}}, c_nr};
      assign c_hint_o = c_valid_o && !c_flush_q && !c_fault_q
                        && (c_nd == ALL
                            || ((c_held >> 1) == {NUM_W{1'b0}} && (c_count >> SET_LG) != {COUNT_W{1'b0}}));
    end else begin : g_threshold
      wire unused = &{1'b0, c_nr};
      assign c_hint_o = c_valid_o && !c_flush_q && !c_fault_q && (c_count >> SET_LG) != {COUNT_W{1'b0}};
    end
  endgenerate
endmodule

`default_nettype wire
