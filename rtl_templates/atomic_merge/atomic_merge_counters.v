// SPDX-License-Identifier: Apache-2.0
// atomic_merge_counters: the registers and, with COUNTERS, what is counted (AM-18). Each event is
// gathered in a small counter; one after the other, a cycle each, these are added to their words in a
// memory, and a read waits until its word comes by: at most 66 cycles from the access taken to its answer.
// So a count is exact. While requests are held, a cycle counts as one of waiting when the engine has the
// lines, or when the oldest request was turned back and has not gone since. One access at a time. A reset of
// the unit (clear_i) leaves the counts, and no line. Reset: all counts are 0.
`default_nettype none

module atomic_merge_counters #(
  // 1: counters of 48 bits in the registers; 0: the registers have the identification alone.
  parameter COUNTERS = 1,
  parameter STATUS = 0,           // not 0: a write takes the sticky bit of a failed fetch back
  parameter LINES = 32,           // true lines, at least two sets; 4..256 lines, a power of 2
  parameter [31:0] BUILT = 32'hf  // operations, a bit each
) (
  input  wire clk_i,         // clock; every port is synchronous to its rising edge
  input  wire rst_i,         // synchronous reset, active high
  input  wire clear_i,       // the cache is cleared, its counts are not
  output wire nack_clear_o,  // a register write takes the sticky bit back

  input  wire executes_i,     // an access of the register port, as unit_shell has it
  input  wire write_i,        // it is a write; 0: a read
  input  wire [9:0] addr_i,   // its byte address
  output wire waits_o,        // the word is not there yet
  output wire good_o,         // the access is not refused
  output wire [31:0] word_o,  // word of a read

  input  wire goes_i,         // a request has taken its place, or its wait for it began
  input  wire refused_i,      // it is refused
  input  wire [4:0] op_i,     // its operation
  input  wire performs_i,     // it is performed
  input  wire joins_i,        // it joins a temporary line
  input  wire extra_i,        // it opens an additional temporary line
  input  wire [2:0] waits_i,  // as a load or store, for its tag, for its turn
  input  wire turned_i,       // a request was turned back for want of
  input  wire [5:0] lacks_i,  // {what a fence waits for, way, miss, slot, entry, answer}
  input  wire held_i,         // requests are held
  input  wire runs_i,         // the engine leaves the lines to them
  // Events of the engine, one for each cycle: a temporary line is merged, one is dropped, a line is here, a
  // line has left, a line is evicted.
  input  wire merges_i,
  input  wire drops_i,
  input  wire filled_i,
  input  wire left_i,
  input  wire evicts_i
);
  // Addresses are compared with the description of the block by `make check-interface`.
  localparam [31:0] ID = 32'h414d0001;
  localparam ID_AT = 0, CLEAR = 1, NACK = 2, WORDS = 3;
  localparam [10*WORDS-1:0] ADDRESS = {10'h008, 10'h004, 10'h000};
  localparam NUMBER = 64;                      // places: an operation's code, then what else is counted
  localparam OTHERS = 20;
  localparam [NUMBER-1:0] COUNTED = {{(NUMBER-32-OTHERS){1'b0}}, {OTHERS{1'b1}}, BUILT};

  wire wait_for_word, is_count, is_low, readable;
  wire [31:0] count_word, mapped;
  wire [WORDS-1:0] hit;
  wire clears = COUNTERS != 0 && executes_i && write_i && hit[CLEAR];
  assign nack_clear_o = STATUS != 0 && executes_i && write_i && hit[NACK];
  wire writable = (COUNTERS != 0 && hit[CLEAR]) || (STATUS != 0 && hit[NACK]);
  assign waits_o = wait_for_word;
  assign good_o = write_i ? writable : is_count || readable;
  assign word_o = is_count ? count_word : mapped;
  register_map #(.N(WORDS), .ADDR_W(10), .ADDRESS(ADDRESS), .READABLE(3'd1)) u_map (
    .addr_i(addr_i), .words_i({64'd0, ID}), .hit_o(hit), .readable_o(readable), .word_o(mapped));
  wire unused_hit = &{1'b0, hit[ID_AT]};

  generate
    if (COUNTERS != 0) begin : g_counters
      // ---- what happened, a cycle later ----
      localparam LINES_LG = $clog2(LINES);
      reg [LINES_LG:0] here_q;                 // lines that are present
      reg [LINES_LG-1:0] part_q;               // of a cycle of all lines
      reg [5:0] cause_q;
      reg [NUMBER-1:0] event_q;
      wire [LINES_LG:0] part_d = {1'b0, part_q} + here_q;
      wire [31:0] by_code = (32'd1 << op_i) & {32{goes_i && !refused_i}};
      wire atomic = op_i[4:2] != 3'd0;
      wire waiting = held_i && runs_i;
      always @(posedge clk_i) begin
        here_q <= here_q + {{LINES_LG{1'b0}}, filled_i} - {{LINES_LG{1'b0}}, left_i};
        part_q <= part_d[LINES_LG-1:0];
        if (turned_i) cause_q <= lacks_i;
        else if (goes_i) cause_q <= 6'd0;
        event_q <= {{(NUMBER-32-OTHERS){1'b0}}, held_i && !runs_i, cause_q & {6{waiting}}, part_d[LINES_LG],
          evicts_i, left_i, filled_i, goes_i && refused_i, extra_i, drops_i, merges_i, waits_i, joins_i,
          performs_i && atomic, by_code & BUILT};
        if (rst_i || clear_i) begin
          here_q <= {(LINES_LG+1){1'b0}};
          cause_q <= 6'd0;
        end
        if (rst_i) begin
          part_q <= {LINES_LG{1'b0}};
          event_q <= {NUMBER{1'b0}};
        end
      end

      // ---- counts ----
      reg [5:0] scan_q;
      reg [6:0] to_clear_q;
      reg [6:0] gathered_q [0:NUMBER-1];
      wire [47:0] count;
      wire [47:0] sum = (count & {48{to_clear_q == 7'd0}}) + {41'd0, gathered_q[scan_q]};
      wire [5:0] scan_next = rst_i ? 6'd0 : scan_q + 6'd1;
      ram_1r1w #(.WIDTH(48), .DEPTH(NUMBER)) u_counts (
        .clk_i(clk_i), .we_i(1'b1), .waddr_i(scan_q), .wdata_i(sum), .raddr_i(scan_next), .rdata_o(count));
      integer i;
      always @(posedge clk_i) begin
        scan_q <= scan_next;
        if (rst_i || clears) to_clear_q <= 7'd64;
        else if (to_clear_q != 7'd0) to_clear_q <= to_clear_q - 7'd1;
        for (i = 0; i < NUMBER; i = i + 1)
          if (rst_i || clears) gathered_q[i] <= 7'd0;
          else gathered_q[i] <= ((scan_q == i[5:0]) ? 7'd0 : gathered_q[i]) + {6'd0, event_q[i]};
      end

      wire [31:0] low, high;
      assign is_count = !write_i && addr_i[9] && addr_i[1:0] == 2'd0 && COUNTED[addr_i[8:3]];
      assign is_low = is_count && !addr_i[2];
      assign wait_for_word = is_low && addr_i[8:3] != scan_q;
      register_wide #(.WIDTH(48)) u_wide (
        .clk_i(clk_i), .rst_i(rst_i), .value_i(sum), .low_read_i(executes_i && is_low), .low_o(low),
        .high_o(high));
      assign count_word = is_low ? low : high;
    end else begin : g_none
      assign {is_count, is_low, wait_for_word, count_word} = 35'd0;
      wire unused = &{1'b0, clk_i, rst_i, goes_i, refused_i, op_i, performs_i, joins_i, extra_i, waits_i,
        turned_i, lacks_i,
        held_i, runs_i, merges_i, drops_i, filled_i, left_i, evicts_i, clears, is_low,
        clear_i};
    end
  endgenerate
endmodule

`default_nettype wire
