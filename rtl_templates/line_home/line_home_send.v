// SPDX-License-Identifier: Apache-2.0
// line_home_send: fills, errors and snoops on their way to the caches, in the order of their decisions.
//
// The data of a fill are read one beat per cycle and pushed a cycle later into the FIFO of its cache; a
// message is accepted only when all of it has room there. A message that finds nothing in front is pushed in
// the cycle in which it comes; the first beat of a line that was just released has been read by then.
`default_nettype none

module line_home_send #(
  parameter CACHES = 4,
  parameter MISS_W = 3,
  parameter LINE_AW = 26,
  parameter ENTRY_W = 8,
  parameter BEATS = 2,
  parameter BEAT_W = 1,      // at least 1
  parameter DATA_W = 256
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire guess_i,       // the line of this entry may be sent in the next cycle
  input  wire [ENTRY_W-1:0] guess_entry_i,

  input  wire send_valid_i,
  output wire send_ready_o,
  output wire [CACHES-1:0] room_o,
  input  wire send_fill_i,
  input  wire send_error_i,
  input  wire send_after_i,
  input  wire [CACHES-1:0] send_target_i,
  input  wire [MISS_W-1:0] send_tag_i,
  input  wire [LINE_AW-1:0] send_line_i,
  input  wire [ENTRY_W-1:0] send_entry_i,

  // The read port of the lines; others have it in cycles that leave it free.
  output wire [ENTRY_W-1:0] read_entry_o,
  output wire [BEAT_W-1:0] read_beat_o,
  output wire read_free_o,
  input  wire [DATA_W-1:0] data_i,

  output wire [CACHES-1:0] home_valid_o,
  input  wire [CACHES-1:0] home_ready_i,
  output wire [CACHES-1:0] home_snoop_o,
  output wire [CACHES*MISS_W-1:0] home_tag_o,
  output wire [CACHES-1:0] home_error_o,
  output wire [CACHES*LINE_AW-1:0] home_line_o,
  output wire [CACHES*DATA_W-1:0] home_data_o,

  output wire busy_o         // a message is on its way or not taken
);
  localparam DEPTH = (BEATS > 8) ? 64 : (BEATS > 4) ? 32 : 16;
  localparam COUNT_W = $clog2(DEPTH + 1);
  localparam [31:0] MOST = DEPTH - 2 * (BEATS + 1), BEATS_WIDE = BEATS, LAST_BEAT = BEATS - 1;
  localparam STEP_W = BEAT_W + 1;
  localparam DESC_W = 3 + CACHES + MISS_W + LINE_AW + ENTRY_W;
  genvar g;

  wire q_valid, q_pop, more;
  wire [DESC_W-1:0] q_desc;
  wire [DESC_W-1:0] send_desc = {send_fill_i, send_error_i, send_after_i, send_target_i, send_tag_i,
                                 send_line_i, send_entry_i};
  reg p_valid, guessed_q;
  reg [DESC_W-1:0] p_desc;
  reg [STEP_W-1:0] p_step;

  wire direct = send_valid_i && !p_valid && !q_valid && (!send_fill_i || (guessed_q && BEATS > 1));
  wire [2:0] level_unused;
  fifo_regs #(.WIDTH(DESC_W), .DEPTH(4)) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(send_valid_i && !direct), .in_ready_o(send_ready_o),
    .in_data_i(send_desc), .out_valid_o(q_valid), .out_ready_i(q_pop), .out_data_o(q_desc),
    .level_o(level_unused));

  // What is pushed in this cycle.
  wire push = p_valid || direct;
  wire [STEP_W-1:0] step = p_valid ? p_step : {STEP_W{1'b0}};
  wire fill, error, after;
  wire [CACHES-1:0] target;
  wire [MISS_W-1:0] tag;
  wire [LINE_AW-1:0] line;
  wire [ENTRY_W-1:0] entry;
  assign {fill, error, after, target, tag, line, entry} = p_valid ? p_desc : send_desc;
  wire data_step = fill && step != BEATS_WIDE[STEP_W-1:0];
  wire snoop = !data_step && !error;
  assign more = push && fill && (after ? data_step : step != LAST_BEAT[STEP_W-1:0]);
  wire [DATA_W-1:0] word = data_step ? data_i : {{DATA_W-LINE_AW{1'b0}}, line};

  // What is read in this cycle.
  wire start = !more && q_valid;
  assign q_pop = start;
  wire [STEP_W-1:0] next_step = step + 1'b1;
  wire [ENTRY_W-1:0] q_entry = q_desc[ENTRY_W-1:0];
  assign read_entry_o = more ? entry : q_valid ? q_entry : guess_entry_i;
  assign read_beat_o = more ? next_step[BEAT_W-1:0] : {BEAT_W{1'b0}};
  assign read_free_o = !more && !q_valid && !guess_i;
  always @(posedge clk_i) begin
    p_valid <= (more || start) && !rst_i;
    p_desc <= more ? {fill, error, after, target, tag, line, entry} : q_desc;
    p_step <= more ? next_step : {STEP_W{1'b0}};
    guessed_q <= guess_i && !more && !q_valid;
  end

  generate
    for (g = 0; g < CACHES; g = g + 1) begin : g_cache
      wire valid, ready_unused;
      wire [DATA_W+MISS_W+1:0] head;
      wire [COUNT_W-1:0] fifo_level_unused;
      wire pop = valid && home_ready_i[g];
      fifo_regs #(.WIDTH(DATA_W + MISS_W + 2), .DEPTH(DEPTH)) u_fifo (
        .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(push && target[g]), .in_ready_o(ready_unused),
        .in_data_i({snoop, error, tag, word}), .out_valid_o(valid), .out_ready_i(home_ready_i[g]),
        .out_data_o(head), .level_o(fifo_level_unused));
      wire [DATA_W+MISS_W+1:0] shown = head & {DATA_W+MISS_W+2{valid}};
      assign home_valid_o[g] = valid;
      assign {home_snoop_o[g], home_error_o[g], home_tag_o[g*MISS_W+:MISS_W],
              home_data_o[g*DATA_W+:DATA_W]} = shown;
      assign home_line_o[g*LINE_AW+:LINE_AW] = shown[LINE_AW-1:0];

      reg [COUNT_W-1:0] used_q;  // beats in the FIFO or promised to it
      wire [COUNT_W-1:0] adds = !(send_valid_i && send_target_i[g]) ? {COUNT_W{1'b0}}
          : send_fill_i ? BEATS_WIDE[COUNT_W-1:0] + {{COUNT_W-1{1'b0}}, send_after_i}
          : {{COUNT_W-1{1'b0}}, 1'b1};
      always @(posedge clk_i) used_q <= rst_i ? {COUNT_W{1'b0}} : used_q + adds - {{COUNT_W-1{1'b0}}, pop};
      // Said a cycle later, so there is room for what is promised meanwhile, too.
      reg room_q;
      always @(posedge clk_i) room_q <= used_q <= MOST[COUNT_W-1:0] && !rst_i;
      assign room_o[g] = room_q;
      wire unused = &{1'b0, ready_unused, fifo_level_unused};
    end
  endgenerate
  assign busy_o = q_valid || p_valid || |home_valid_o;
  wire unused = &{1'b0, level_unused};
endmodule

`default_nettype wire
