// SPDX-License-Identifier: Apache-2.0
// line_home_send: fills, errors and snoops on their way to the caches, in the order of their decisions.
//
// The data of a fill are read one beat per cycle and pushed a cycle later into the FIFO of its cache; a
// message is accepted only when all of it has room there. A message that finds nothing in front is pushed in
// the cycle in which it comes; the first beat of a line that was just released has been read by then.
`default_nettype none

module line_home_send #(
  parameter CACHES = 4,    // caches that share the lines; 1..64 caches
  parameter MISS_W = 3,    // bits of a fetch's tag
  parameter LINE_AW = 26,  // bits of a line address
  parameter ENTRY_W = 8,   // bits of the number of an entry
  parameter BEATS = 2,     // beats of a line
  parameter BEAT_W = 1,    // at least 1
  parameter DATA_W = 256   // bits of a beat
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire guess_i,                      // the line of this entry may be sent in the next cycle
  input  wire [ENTRY_W-1:0] guess_entry_i,  // that entry, with guess_i

  // A message of the directory comes; it is sent only with room in the FIFO of its target.
  input  wire send_valid_i,
  input  wire send_fill_now_i,   // a fill, if there is room in the queue: known sooner than send_valid_i
  output wire send_ready_o,  // the queue has room for one more message
  output wire [CACHES-1:0] room_o,  // per cache: its FIFO has room for a whole message; a register
  input  wire send_fill_i,  // with send_valid_i: it is a fill
  input  wire send_error_i,  // it is an error; neither: a snoop
  input  wire send_after_i,  // a snoop of the line follows its fill
  input  wire [CACHES-1:0] send_target_i,  // the cache, one-hot
  input  wire [MISS_W-1:0] send_tag_i,  // tag of a fill or error
  input  wire [LINE_AW-1:0] send_line_i,  // line address, of a snoop or error
  input  wire [ENTRY_W-1:0] send_entry_i,  // entry whose line a fill sends

  // The read port of the lines; others have it in cycles that leave it free.
  output wire [ENTRY_W-1:0] read_entry_o,
  output wire [BEAT_W-1:0] read_beat_o,
  output wire read_free_o,
  input  wire [DATA_W-1:0] data_i,

  // Per cache: a beat of a fill, an error or a snoop, in order. Beats of one fill follow each other.
  output wire [CACHES-1:0] home_valid_o,
  input  wire [CACHES-1:0] home_ready_i,  // per cache: the beat is taken
  // Per cache: a snoop, the line is to be released; 0 where there is no beat.
  output wire [CACHES-1:0] home_snoop_o,
  // Per cache: of a fill or error the tag of its fetch, of a snoop without meaning; 0 where there is no beat.
  output wire [CACHES*MISS_W-1:0] home_tag_o,
  // Per cache: memory failed, there is no fill; 0 where there is no beat.
  output wire [CACHES-1:0] home_error_o,
  // Per cache: of a snoop or error the line address; else the lowest bits of home_data_o.
  output wire [CACHES*LINE_AW-1:0] home_line_o,
  // Per cache: of a fill the data, the line's first words in the first beat; of a snoop or error the line
  // address; 0 where there is no beat.
  output wire [CACHES*DATA_W-1:0] home_data_o,

  output wire busy_o         // a message is on its way or not taken
);
  localparam DEPTH = (BEATS > 8) ? 64 : (BEATS > 2) ? 32 : 16;
  localparam PLACE_W = $clog2(DEPTH);
  localparam [31:0] MOST = DEPTH - 3 * (BEATS + 1) - 1, BEATS_WIDE = BEATS, LAST_BEAT = BEATS - 1;
  localparam STEP_W = BEAT_W + 1;
  localparam DESC_W = 3 + CACHES + MISS_W + LINE_AW + ENTRY_W;
  genvar g;

  wire q_valid, q_pop;
  wire [DESC_W-1:0] q_desc;
  wire [DESC_W-1:0] send_desc = {send_fill_i, send_error_i, send_after_i, send_target_i, send_tag_i,
                                 send_line_i, send_entry_i};
  reg p_valid, guessed_q;
  reg [DESC_W-1:0] p_desc;
  reg [STEP_W-1:0] p_step;

  wire direct_fill = send_fill_now_i && !p_valid && !q_valid && guessed_q && BEATS > 1;
  wire direct = direct_fill || (send_valid_i && !send_fill_i && !p_valid && !q_valid);
  wire [2:0] level_unused;
  fifo_regs #(.WIDTH(DESC_W), .DEPTH(4)) u_queue (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(send_valid_i && !direct), .in_ready_o(send_ready_o),
    .in_data_i(send_desc), .out_valid_o(q_valid), .out_ready_i(q_pop), .out_data_o(q_desc),
    .level_o(level_unused));

  // What is pushed in this cycle. What only its step decides is known a cycle before.
  reg p_data, p_more;
  wire push = p_valid || direct;
  wire fill_unused, error, after;
  wire [CACHES-1:0] target;
  wire [MISS_W-1:0] tag;
  wire [LINE_AW-1:0] line;
  wire [ENTRY_W-1:0] entry;
  assign {fill_unused, error, after, target, tag, line, entry} = p_valid ? p_desc : send_desc;
  wire data_step = p_valid ? p_data : send_fill_i;
  wire snoop = !data_step && !error;
  wire more = p_more || direct_fill;
  // What is read above the line of a snoop or error is hidden behind the FIFO, where there is time.
  wire [DATA_W-1:0] word = {data_i[DATA_W-1:LINE_AW], data_step ? data_i[LINE_AW-1:0] : line};

  // What is read in this cycle.
  wire start = !more && q_valid;
  assign q_pop = start;
  wire [STEP_W-1:0] next_step = p_valid ? p_step + 1'b1 : {{STEP_W-1{1'b0}}, 1'b1};
  wire [ENTRY_W-1:0] q_entry = q_desc[ENTRY_W-1:0];
  wire q_fill = q_desc[DESC_W-1], q_after = q_desc[DESC_W-3];
  wire next_data = next_step != BEATS_WIDE[STEP_W-1:0];
  assign read_entry_o = more ? entry : q_valid ? q_entry : guess_entry_i;
  assign read_beat_o = more ? next_step[BEAT_W-1:0] : {BEAT_W{1'b0}};
  assign read_free_o = !more && !q_valid && !guess_i;
  always @(posedge clk_i) begin
    p_valid <= (more || start) && !rst_i;
    p_desc <= more ? {1'b1, error, after, target, tag, line, entry} : q_desc;
    p_step <= more ? next_step : {STEP_W{1'b0}};
    p_data <= more ? next_data : q_fill;
    p_more <= !rst_i && (more ? (after ? next_data : next_step != LAST_BEAT[STEP_W-1:0])
                              : q_valid && q_fill && (q_after || BEATS > 1));
    guessed_q <= guess_i && !more && !q_valid;
  end

  generate
    for (g = 0; g < CACHES; g = g + 1) begin : g_cache
      // Its FIFO, never full, because room was promised. A word comes too late to reach all bits under a
      // condition: the place behind the last one is written in every cycle.
      reg [DATA_W+MISS_W+1:0] mem [0:DEPTH-1];
      reg [PLACE_W-1:0] write_q, read_q;
      reg [PLACE_W-1:0] level_q;
      reg valid_q;
      wire put = push && target[g];
      wire pop = valid_q && home_ready_i[g];
      wire [DATA_W+MISS_W+1:0] head = mem[read_q];
      always @(posedge clk_i) begin
        mem[write_q] <= {snoop, error, tag, word};
        if (rst_i) begin
          write_q <= {PLACE_W{1'b0}};
          read_q <= {PLACE_W{1'b0}};
          level_q <= {PLACE_W{1'b0}};
          valid_q <= 1'b0;
        end else begin
          if (put) write_q <= write_q + 1'b1;
          if (pop) read_q <= read_q + 1'b1;
          if (put && !pop) level_q <= level_q + 1'b1;
          if (pop && !put) level_q <= level_q - 1'b1;
          valid_q <= put || (valid_q && !(pop && level_q == {{PLACE_W-1{1'b0}}, 1'b1}));
        end
      end
      // Which words are data, from the head on: from a register, because it hides most of a wide word.
      reg [DEPTH-1:0] is_data_q;
      wire [DEPTH-1:0] with_put = is_data_q | ({{DEPTH-1{1'b0}}, put && data_step} << level_q);
      always @(posedge clk_i) is_data_q <= rst_i ? {DEPTH{1'b0}} : pop ? with_put >> 1 : with_put;
      wire [MISS_W+1:0] kind = head[DATA_W+:MISS_W+2] & {MISS_W+2{valid_q}};
      wire [LINE_AW-1:0] low = head[LINE_AW-1:0] & {LINE_AW{valid_q}};
      assign home_valid_o[g] = valid_q;
      assign {home_snoop_o[g], home_error_o[g], home_tag_o[g*MISS_W+:MISS_W]} = kind;
      assign home_data_o[g*DATA_W+:DATA_W] = {head[DATA_W-1:LINE_AW] & {DATA_W-LINE_AW{is_data_q[0]}}, low};
      assign home_line_o[g*LINE_AW+:LINE_AW] = low;

      reg [PLACE_W-1:0] used_q;  // beats in the FIFO or promised to it
      wire [PLACE_W-1:0] adds = !(send_valid_i && send_target_i[g]) ? {PLACE_W{1'b0}}
          : send_fill_i ? BEATS_WIDE[PLACE_W-1:0] + {{PLACE_W-1{1'b0}}, send_after_i}
          : {{PLACE_W-1{1'b0}}, 1'b1};
      always @(posedge clk_i) used_q <= rst_i ? {PLACE_W{1'b0}} : used_q + adds - {{PLACE_W-1{1'b0}}, pop};
      // Used two cycles later: there is room for what is promised meanwhile, too.
      reg room_q;
      always @(posedge clk_i) room_q <= used_q <= MOST[PLACE_W-1:0] && !rst_i;
      assign room_o[g] = room_q;
    end
  endgenerate
  assign busy_o = q_valid || p_valid || |home_valid_o;
  wire unused = &{1'b0, level_unused, fill_unused};
endmodule

`default_nettype wire
