// SPDX-License-Identifier: Apache-2.0
// atomic_merge_blackbox: what must hold of an atomic_merge, seen from its ports alone.
//
// Drives the block's inputs out of free ones: requests of any kind and thread to two lines, any of them, and
// a home that has both, and sends fills and snoops whenever it likes. Follows one marked thread. Each output
// is one property; 1 says that it is broken.
`default_nettype none

module atomic_merge_blackbox #(
  parameter LINE_BYTES = 16,
  parameter LINES = 4,
  parameter WAYS = 2,
  parameter QUEUE = 2,
  parameter STALL_BUF = 2,
  parameter MERGE_LANES = 4,
  parameter MISSES = 2,
  parameter MAX_TEMPS = 1,
  parameter OLD_LINES = 2,
  parameter TID_W = 1,
  parameter ADDR_W = 16,
  parameter WIDE_ATOMICS = 0,
  parameter ATOMIC_ADD = 1,
  parameter ATOMIC_AND = 0,
  parameter ATOMIC_OR = 0,
  parameter ATOMIC_XOR = 0,
  parameter ATOMIC_MIN = 0,
  parameter ATOMIC_MAX = 0,
  parameter ATOMIC_SWAP = 0,
  parameter ATOMIC_CAS = 0,
  parameter ATOMIC_SAT = 0,
  parameter ATOMIC_WRAP = 0,
  parameter ATOMIC_MOD = 0,
  parameter ATOMIC_MUL = 0,
  parameter ATOMIC_FADD = 0,
  parameter ATOMIC_FMUL = 0,
  parameter ATOMIC_FMIN = 0,
  parameter ATOMIC_FMAX = 0,
  parameter FLOAT_MERGE = 1,
  parameter OP_STAGES = 7,
  parameter BIG_ENDIAN = 0,
  parameter TID_CHECK = 0,
  parameter COUNTERS = 0,
  parameter WITNESS = 0,
  parameter STATUS = 0,
  parameter HALT_MODE = 0,
  parameter LINE_AW = 12,
  parameter BEATS = 1,
  parameter TEMPS = 2,
  parameter LATENCY = 13,
  parameter MERGE_CYCLES = 5,
  parameter HALT_OWN = 23,
  parameter CTX_MAX = 2
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire free_req_valid_i,
  output wire req_valid_i,
  input  wire req_ready_o,
  input  wire [4:0] free_req_op_i,
  output wire [4:0] req_op_i,
  input  wire [1:0] free_req_size_i,
  output wire [1:0] req_size_i,
  input  wire [1:0] free_req_mode_i,
  output wire [1:0] req_mode_i,
  input  wire [ADDR_W-1:0] free_req_addr_i,
  output wire [ADDR_W-1:0] req_addr_i,
  input  wire [63:0] free_req_data_i,
  output wire [63:0] req_data_i,
  input  wire [TID_W-1:0] free_req_tid_i,
  output wire [TID_W-1:0] req_tid_i,

  input  wire ans_valid_o,
  input  wire free_ans_ready_i,
  output wire ans_ready_i,
  input  wire [TID_W-1:0] ans_tid_o,
  input  wire [1:0] ans_status_o,

  input  wire fetch_valid_o,
  input  wire free_fetch_ready_i,
  output wire fetch_ready_i,
  input  wire [LINE_AW-1:0] fetch_line_o,
  input  wire [$clog2(MISSES)-1:0] fetch_tag_o,

  input  wire free_home_valid_i,
  output wire home_valid_i,
  input  wire home_ready_o,
  input  wire free_home_snoop_i,
  output wire home_snoop_i,
  input  wire [$clog2(MISSES)-1:0] free_home_tag_i,
  output wire [$clog2(MISSES)-1:0] home_tag_i,
  input  wire free_home_error_i,
  output wire home_error_i,
  input  wire [LINE_AW-1:0] free_home_line_i,
  output wire [LINE_AW-1:0] home_line_i,
  input  wire [32*MERGE_LANES-1:0] free_home_data_i,
  output wire [32*MERGE_LANES-1:0] home_data_i,

  input  wire rel_valid_o,
  input  wire free_rel_ready_i,
  output wire rel_ready_i,
  input  wire [LINE_AW-1:0] rel_line_o,
  input  wire rel_last_o,

  input  wire [15:0] lost_count_o,
  input  wire unasked_o,
  input  wire free_reg_req_valid_i,
  output wire reg_req_valid_i,

  input  wire free_cmd_halt_i,
  output wire cmd_halt_i,
  input  wire free_cmd_reset_i,
  output wire cmd_reset_i,
  input  wire free_served_idle_i,
  output wire served_idle_i,

  output wire bad_answer_o,     // AM-2: no answer without a request
  output wire bad_refused_o,    // AM-16: refused exactly when misaligned, not built, of a wrong size or mode
  output wire bad_placed_o,     // AM-2, AM-13: no answer before the line was here, but to a relaxed atomic
  output wire bad_once_o,       // AM-15: a line that is fetched is not fetched again
  output wire bad_lost_o        // AM-16: nothing is lost or unasked when no fetch fails
);
  localparam MISS_W = $clog2(MISSES), LINE_LG = $clog2(LINE_BYTES);
  wire unused = &{1'b0, LINES[0], WAYS[0], QUEUE[0], STALL_BUF[0], MAX_TEMPS[0], OLD_LINES[0], FLOAT_MERGE[0],
                  OP_STAGES[0], COUNTERS[0], WITNESS[0], TEMPS[0], LATENCY[0], MERGE_CYCLES[0], HALT_OWN[0],
                  TID_CHECK[0], free_mark_i, free_home_tag_i, free_home_error_i, free_home_line_i,
                  free_reg_req_valid_i, free_cmd_reset_i, free_served_idle_i, free_cmd_halt_i, BIG_ENDIAN[0],
                  STATUS[0], HALT_MODE[0], CTX_MAX[0]};

  // ---- what is marked ---------------------------------------------------------------------------------
  reg [TID_W-1:0] tid_q;
  reg [LINE_AW-1:0] line0_q, line1_q;
  always @(posedge clk_i)
    if (rst_i) begin
      tid_q <= free_mark_i[TID_W-1:0];
      line0_q <= free_req_addr_i[ADDR_W-1:LINE_LG];
      line1_q <= free_req_addr_i[ADDR_W-1:LINE_LG] ^ {{(LINE_AW-4){1'b0}}, free_mark_i[19:17], 1'b1} <<
                 free_mark_i[21:20];
    end

  // ---- requests ---------------------------------------------------------------------------------------
  localparam [31:0] BUILT = {9'd0, ATOMIC_FMAX != 0, ATOMIC_FMIN != 0, ATOMIC_FMUL != 0, ATOMIC_FADD != 0,
    ATOMIC_MUL != 0, ATOMIC_MOD != 0, {2{ATOMIC_WRAP != 0}}, ATOMIC_SAT != 0, ATOMIC_CAS != 0,
    ATOMIC_SWAP != 0, {2{ATOMIC_MAX != 0, ATOMIC_MIN != 0}}, ATOMIC_XOR != 0, ATOMIC_OR != 0,
    ATOMIC_AND != 0, ATOMIC_ADD != 0, 4'b1111};
  reg open_q;                          // the marked thread has a request
  wire first = free_req_addr_i[ADDR_W-1];
  assign req_valid_i = free_req_valid_i && !(open_q && free_req_tid_i == tid_q);
  assign req_op_i = free_req_op_i;
  assign req_size_i = free_req_size_i;
  assign req_mode_i = free_req_mode_i;
  assign req_addr_i = {first ? line0_q : line1_q, free_req_addr_i[LINE_LG-1:0]};
  assign req_data_i = free_req_data_i;
  assign req_tid_i = free_req_tid_i;
  wire accept = req_valid_i && req_ready_o && !rst_i;
  wire [31:0] op = 32'd1 << req_op_i;
  wire barrier = op[2] || op[3];
  wire atomic = req_op_i > 5'd3;
  wire [2:0] at = req_addr_i[2:0];
  wire misaligned = |(at & ~(3'd7 << req_size_i));
  wire refused = req_mode_i == 2'd3 || !(|(op & BUILT)) || (!barrier && misaligned) ||
    (atomic && (!req_size_i[1] || (req_size_i[0] && WIDE_ATOMICS == 0)));
  wire counts = op[15] || op[16] || op[17]; // refused by their limits, too

  // ---- the request of the marked thread ---------------------------------------------------------------
  reg refused_q, counts_q, waits_q, first_q, here_q;
  wire answer = ans_valid_o && ans_tid_o == tid_q && !rst_i;
  wire mine = accept && req_tid_i == tid_q;
  wire [1:0] owned;                    // lines that are at the cache
  wire fine = answer && open_q && ans_status_o == 2'd0;
  always @(posedge clk_i) begin
    if (rst_i) open_q <= 1'b0;
    else open_q <= mine || (open_q && !(answer && ans_ready_i));
    here_q <= (mine ? owned[!first] : here_q) || owned[mine ? !first : !first_q];
    if (mine) begin
      refused_q <= refused;
      counts_q <= counts;
      waits_q <= !barrier && !(atomic && req_mode_i == 2'd2);
      first_q <= first;
    end
  end
  assign bad_answer_o = answer && !open_q;
  assign bad_refused_o = answer && open_q && !counts_q && refused_q != (ans_status_o == 2'd1);
  assign bad_placed_o = fine && waits_q && !refused_q && !here_q;
  assign ans_ready_i = free_ans_ready_i;

  // ---- the home ---------------------------------------------------------------------------------------
  reg [1:0] owned_q, asked_q, snooped_q;
  reg [MISS_W-1:0] tag0_q, tag1_q;
  reg [4:0] beat_q;
  reg which_q;                         // of the fill that is under way: the second line
  reg out_valid_q, out_snoop_q, out_which_q;
  reg [32*MERGE_LANES-1:0] out_data_q;
  localparam [31:0] LAST = BEATS - 1;
  wire filling = beat_q != 5'd0;
  wire snoop = !filling && free_home_snoop_i;
  wire which = filling ? which_q : free_mark_i[40];
  wire may = filling || (snoop ? owned_q[which] && !snooped_q[which] : asked_q[which] && !owned_q[which]);
  wire send_which = out_valid_q ? out_which_q : which;
  assign home_valid_i = out_valid_q || (free_home_valid_i && may && !rst_i);
  assign home_snoop_i = out_valid_q ? out_snoop_q : snoop;
  assign home_tag_i = send_which ? tag1_q : tag0_q;
  assign home_error_i = 1'b0;
  assign home_line_i = send_which ? line1_q : line0_q;
  assign home_data_i = out_valid_q ? out_data_q : free_home_data_i;
  wire taken = home_valid_i && home_ready_o && !rst_i;
  wire fills = taken && !home_snoop_i;
  wire filled = fills && beat_q == LAST[4:0];
  wire [1:0] filled_bit = {send_which, !send_which} & {2{filled}};
  assign owned = owned_q | filled_bit;
  wire fetch = fetch_valid_o && fetch_ready_i && !rst_i;
  wire [1:0] fetch_of = {fetch_line_o == line1_q, fetch_line_o == line0_q};
  wire release_beat = rel_valid_o && rel_ready_i && !rst_i;
  wire [1:0] rel_of = {rel_line_o == line1_q, rel_line_o == line0_q};
  wire [1:0] left_bit = rel_of & {2{release_beat && rel_last_o}};
  assign fetch_ready_i = free_fetch_ready_i;
  assign rel_ready_i = free_rel_ready_i;
  always @(posedge clk_i) begin
    if (rst_i) begin
      owned_q <= 2'd0;
      asked_q <= 2'd0;
      snooped_q <= 2'd0;
      beat_q <= 5'd0;
      out_valid_q <= 1'b0;
    end else begin
      owned_q <= owned & ~left_bit;
      asked_q <= (asked_q | (fetch_of & {2{fetch}})) & ~filled_bit;
      snooped_q <= (snooped_q | ({send_which, !send_which} & {2{taken && home_snoop_i}})) & ~left_bit &
                   ~filled_bit;
      if (fills) beat_q <= filled ? 5'd0 : beat_q + 5'd1;
      out_valid_q <= home_valid_i && !home_ready_o;
    end
    if (fetch && fetch_of[0]) tag0_q <= fetch_tag_o;
    if (fetch && fetch_of[1]) tag1_q <= fetch_tag_o;
    if (!filling) which_q <= send_which;
    out_snoop_q <= home_snoop_i;
    out_which_q <= send_which;
    out_data_q <= home_data_i;
  end
  assign bad_once_o = fetch && (fetch_of == 2'd0 || |(fetch_of & asked_q));
  assign bad_lost_o = !rst_i && (lost_count_o != 16'd0 || unasked_o);

  assign cmd_halt_i = 1'b0;
  assign cmd_reset_i = 1'b0;
  assign served_idle_i = 1'b1;
  assign reg_req_valid_i = 1'b0;
endmodule

`default_nettype wire
