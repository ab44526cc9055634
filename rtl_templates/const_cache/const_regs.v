// SPDX-License-Identifier: Apache-2.0
// const_regs: the registers. An access taken in one cycle executes in the next, or one later when it reads a
// counter that is being written, and is answered two cycles after that. One access at a time, from the port
// of unit_shell. Reset: no error, BASE 0, counters 0.
`default_nettype none

module const_regs #(
  parameter CONST_W = 12,
  parameter LG = 2,                    // log2 of a word's bytes
  parameter ADDR_W = 32,
  parameter COUNTERS = 1,
  parameter VERSIONED = 1,             // several versions at once: registers that count words of other ones
  parameter NUMBER = 17,
  parameter EVENT_W = 3,
  parameter ADDED_W = 10,
  parameter ENTRIES_W = 10,
  parameter VERSIONS_W = 3
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire wipe_i,                  // a reset of the unit: the errors
  input  wire put_i,                   // of a context come errors; at the commit the base
  input  wire [8:0] put_errors_i,
  input  wire [CONST_W-1:0] put_failed_i,
  input  wire commit_i,
  input  wire [ADDR_W-1:0] put_base_i,
  output wire [8:0] errors_o,
  output wire [CONST_W-1:0] failed_o,
  output wire recorded_o,              // an error of memory is recorded, and stays

  input  wire taken_i,                 // as unit_shell has them; answers_i: its executes_o
  output wire waits_o,
  input  wire answers_i,
  input  wire write_i,
  input  wire [8:0] addr_i,
  input  wire [31:0] data_i,
  output wire good_o,
  output wire [31:0] word_o,

  output wire [ADDR_W-1:0] base_o,
  output wire error_o,
  input  wire idle_i,
  input  wire base_free_i,
  input  wire memory_idle_i,
  input  wire [8:0] errors_i,          // what went wrong in this cycle (CC-15)
  input  wire [CONST_W-1:0] failed_addr_i, // of bit 6 or 7
  input  wire version_counted_i,
  input  wire [VERSIONS_W-1:0] versions_i,
  input  wire [ENTRIES_W-1:0] entries_i,
  input  wire [NUMBER*EVENT_W-1:0] events_i
);
  localparam [31:0] ID = 32'h43430100;
  localparam REGION = CONST_W + LG, PLACE_W = $clog2(NUMBER);

  // Places in the map of words; their addresses and those of the counters are compared with the description
  // of the block by `make check-interface`.
  localparam ID_AT = 0, STATUS = 1, BASE_LO = 2, BASE_HI = 3, ERROR = 4, FAILED = 5, VERSIONS = 6,
      VERSIONS_MOST = 7, ENTRIES = 8, ENTRIES_MOST = 9, CLEAR = 10, WORDS = 11;
  localparam [9*WORDS-1:0] ADDRESS = {  // the last first
    9'h030, 9'h02c, 9'h028, 9'h024, 9'h020, 9'h014, 9'h010, 9'h00c, 9'h008, 9'h004, 9'h000};
  // All but CLEAR, a BASE_HI without bits, and what a block without a backup has not.
  localparam [WORDS-1:0] READABLE = ((ADDR_W > 32) ? 11'h3ff : 11'h3f7) & ((VERSIONED != 0) ? 11'h3ff :
    11'h0ff);

  // ---- access -----------------------------------------------------------------------------------------
  // It acts in the cycle of `executes`; what it gives is looked up there, and answered from a register.
  reg looked_q, refused_q, from_counter_q;
  reg [31:0] value_q;
  wire executes;
  wire write = write_i;
  wire [8:0] addr = addr_i;
  wire [31:0] data = data_i;
  wire [31:0] count_low, count_high;
  reg busy_q;
  always @(posedge clk_i) busy_q <= !rst_i && (taken_i || (busy_q && !answers_i));
  assign waits_o = !looked_q;
  assign good_o = !refused_q;
  assign word_o = !from_counter_q ? value_q : addr[2] ? count_high : count_low;
  wire [WORDS-1:0] hit;
  wire writes = executes && write;

  // ---- counters ---------------------------------------------------------------------------------------
  wire [47:0] count;
  wire counters_busy, counters_clearing;
  wire [PLACE_W-1:0] counters_place;
  localparam [9:0] END = 10'h080 + 10'd8 * NUMBER;
  wire is_counter = COUNTERS != 0 && addr >= 9'h080 && {1'b0, addr} < END;
  wire [PLACE_W-1:0] place = {addr[8], addr[6:3]};
  wire clear_counters = writes && hit[CLEAR] && COUNTERS != 0;
  wire counter_waits = is_counter
                    && (counters_clearing || (counters_busy && counters_place == place));
  assign executes = busy_q && !looked_q && !counter_waits;
  generate
    if (COUNTERS != 0) begin : g_counters
      const_counters #(.NUMBER(NUMBER), .EVENT_W(EVENT_W), .ADDED_W(ADDED_W)) u_counters (
        .clk_i(clk_i), .rst_i(rst_i), .events_i(events_i), .clear_i(clear_counters),
        .read_i(executes && is_counter), .place_i(place), .clearing_o(counters_clearing),
        .busy_o(counters_busy), .busy_place_o(counters_place), .count_o(count));
    end else begin : g_no_counters
      wire unused = &{1'b0, events_i, clear_counters};
      assign {count, counters_busy, counters_clearing, counters_place} = {48'd0, 2'b00,
          {PLACE_W{1'b0}}};
    end
  endgenerate

  // ---- state ------------------------------------------------------------------------------------------
  reg [ADDR_W-1:REGION] base_q;
  reg [8:0] errors_q;
  reg [CONST_W-1:0] failed_q;
  localparam IN_USE_W = (VERSIONED != 0) ? VERSIONS_W : 1;  // without a backup one version is in use, or none
  reg [IN_USE_W-1:0] versions_q, versions_most_q;
  wire unused_versions = &{1'b0, versions_i};
  reg [ENTRIES_W-1:0] entries_most_q;
  assign base_o = {base_q, {REGION{1'b0}}};
  assign error_o = |errors_q;
  assign errors_o = errors_q;
  assign failed_o = failed_q;
  wire unused_base = &{1'b0, put_base_i[REGION-1:0]};
  wire [8:0] cleared = (writes && hit[ERROR]) ? data[8:0] : 9'd0;
  wire [8:0] kept = {9{!wipe_i}} & (put_i ? put_errors_i : errors_q & ~cleared);
  assign recorded_o = |kept[7:5];
  wire [31:0] low_mask = 32'hffffffff << REGION;
  wire base_fits = (data & ~low_mask) == 32'd0;
  wire base_in_range = ADDR_W >= 32 || (data >> (ADDR_W % 32)) == 32'd0;
  wire write_base = writes && hit[BASE_LO] && base_free_i && base_fits && base_in_range;
  wire write_high;
  generate
    if (ADDR_W > 32) begin : g_high
      localparam HIGH = ADDR_W - 32;
      wire high_fits = HIGH == 32 || (data >> (HIGH % 32)) == 32'd0;
      assign write_high = writes && hit[BASE_HI] && base_free_i && high_fits;
      always @(posedge clk_i)
        if (rst_i) base_q[ADDR_W-1:32] <= {HIGH{1'b0}};
        else if (commit_i || write_high)
          base_q[ADDR_W-1:32] <= commit_i ? put_base_i[ADDR_W-1:32] : data[HIGH-1:0];
      always @(posedge clk_i)
        if (rst_i) base_q[31:REGION] <= {32-REGION{1'b0}};
        else if (commit_i || write_base)
          base_q[31:REGION] <= commit_i ? put_base_i[31:REGION] : data[31:REGION];
    end else begin : g_low
      wire unused = &{1'b0, data};
      assign write_high = 1'b0;
      always @(posedge clk_i)
        if (rst_i) base_q <= {ADDR_W-REGION{1'b0}};
        else if (commit_i || write_base)
          base_q <= commit_i ? put_base_i[ADDR_W-1:REGION] : data[ADDR_W-1:REGION];
    end
  endgenerate

  always @(posedge clk_i) begin
    if (rst_i) begin
      errors_q <= 9'd0;
      versions_q <= {IN_USE_W{1'b0}};
      versions_most_q <= {IN_USE_W{1'b0}};
      entries_most_q <= {ENTRIES_W{1'b0}};
    end else begin
      errors_q <= kept | (errors_i & {9{!wipe_i && !put_i}});
      if (version_counted_i) versions_q <= versions_i[IN_USE_W-1:0];
      if (clear_counters || versions_q > versions_most_q) versions_most_q <= versions_q;
      if (clear_counters || entries_i > entries_most_q) entries_most_q <= entries_i;
    end
    if (rst_i || wipe_i || put_i) failed_q <= (rst_i || wipe_i) ? {CONST_W{1'b0}} : put_failed_i;
    else if (errors_q[7:6] == 2'd0 && errors_i[7:6] != 2'd0) failed_q <= failed_addr_i;
  end

  wire [31:0] high_value, low_value;
  generate
    if (ADDR_W > 32) begin : g_high_value
      assign high_value = {{64-ADDR_W{1'b0}}, base_q[ADDR_W-1:32]};
      assign low_value = base_o[31:0];
    end else begin : g_no_high_value
      assign high_value = 32'd0;
      assign low_value = {{32-ADDR_W{1'b0}}, base_o};
    end
  endgenerate

  // ---- answers ----------------------------------------------------------------------------------------
  wire [32*WORDS-1:0] words;
  assign words[32*ID_AT+:32] = ID;
  assign words[32*STATUS+:32] = {28'd0, memory_idle_i, base_free_i, error_o, idle_i};
  assign words[32*BASE_LO+:32] = low_value;
  assign words[32*BASE_HI+:32] = high_value;
  assign words[32*ERROR+:32] = {23'd0, errors_q};
  assign words[32*FAILED+:32] = {{32-CONST_W{1'b0}}, failed_q};
  assign words[32*VERSIONS+:32] = {{32-IN_USE_W{1'b0}}, versions_q};
  assign words[32*VERSIONS_MOST+:32] = {{32-IN_USE_W{1'b0}}, versions_most_q};
  assign words[32*ENTRIES+:32] = {{32-ENTRIES_W{1'b0}}, entries_i};
  assign words[32*ENTRIES_MOST+:32] = {{32-ENTRIES_W{1'b0}}, entries_most_q};
  assign words[32*CLEAR+:32] = 32'd0;
  wire counter_hit = is_counter && addr[1:0] == 2'd0;
  wire readable;
  wire [31:0] value;
  register_map #(.N(WORDS), .ADDR_W(9), .ADDRESS(ADDRESS), .READABLE(READABLE)) u_map (
    .addr_i(addr), .words_i(words), .hit_o(hit), .readable_o(readable), .word_o(value));
  wire takes = write_base || write_high || hit[ERROR] || (hit[CLEAR] && COUNTERS != 0);
  always @(posedge clk_i) begin
    looked_q <= executes && !rst_i;
    refused_q <= write ? !takes : !readable && !counter_hit;
    value_q <= value;
    from_counter_q <= counter_hit;
  end
  register_wide #(.WIDTH(48)) u_count (
    .clk_i(clk_i), .rst_i(rst_i), .value_i(count),
    .low_read_i(looked_q && from_counter_q && !write && !addr[2]), .low_o(count_low), .high_o(count_high));
endmodule

`default_nettype wire
