// SPDX-License-Identifier: Apache-2.0
// const_regs: the register port. An access taken in one cycle executes in the next, or one later when it
// reads a counter that is being written, and answers two cycles after that. One access at a time. Reset: no
// error, BASE 0, counters 0.
`default_nettype none

module const_regs #(
  parameter CONST_W = 12,
  parameter LG = 2,                    // log2 of a word's bytes
  parameter ADDR_W = 32,
  parameter COUNTERS = 1,
  parameter NUMBER = 16,
  parameter EVENT_W = 3,
  parameter ADDED_W = 10,
  parameter ENTRIES_W = 10,
  parameter VERSIONS_W = 3
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [8:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output reg  reg_rsp_valid_o,
  output reg  [31:0] reg_rsp_data_o,
  output reg  reg_rsp_error_o,

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

  reg busy_q, write_q, looked_q, refused_q;
  reg [8:0] addr_q;
  reg [31:0] data_q;
  wire executes;
  wire [6:0] place = addr_q[8:2];
  wire writes = executes && write_q && addr_q[1:0] == 2'd0;
  assign reg_req_ready_o = !busy_q;

  // ---- counters ---------------------------------------------------------------------------------------
  wire [47:0] count;
  wire counters_busy, counters_clearing;
  wire [PLACE_W-1:0] counters_place;
  wire is_counter = addr_q[8:7] == 2'd1 && COUNTERS != 0;
  wire clear_counters = writes && place == 7'd12 && COUNTERS != 0;
  wire counter_waits = is_counter
                    && (counters_clearing || (counters_busy && counters_place == addr_q[3+:PLACE_W]));
  assign executes = busy_q && !looked_q && !counter_waits;
  generate
    if (COUNTERS != 0) begin : g_counters
      const_counters #(.NUMBER(NUMBER), .EVENT_W(EVENT_W), .ADDED_W(ADDED_W)) u_counters (
        .clk_i(clk_i), .rst_i(rst_i), .events_i(events_i), .clear_i(clear_counters),
        .read_i(executes && is_counter), .place_i(addr_q[3+:PLACE_W]), .clearing_o(counters_clearing),
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
  reg [VERSIONS_W-1:0] versions_q, versions_most_q;
  reg [ENTRIES_W-1:0] entries_most_q;
  reg [15:0] high_q;
  assign base_o = {base_q, {REGION{1'b0}}};
  assign error_o = |errors_q;
  wire [31:0] low_mask = 32'hffffffff << REGION;
  wire base_fits = (data_q & ~low_mask) == 32'd0;
  wire base_in_range = ADDR_W >= 32 || (data_q >> (ADDR_W % 32)) == 32'd0;
  wire write_base = writes && place == 7'd2 && base_free_i && base_fits && base_in_range;
  wire write_high;
  generate
    if (ADDR_W > 32) begin : g_high
      localparam HIGH = ADDR_W - 32;
      wire high_fits = HIGH == 32 || (data_q >> (HIGH % 32)) == 32'd0;
      assign write_high = writes && place == 7'd3 && base_free_i && high_fits;
      always @(posedge clk_i)
        if (rst_i) base_q[ADDR_W-1:32] <= {HIGH{1'b0}};
        else if (write_high) base_q[ADDR_W-1:32] <= data_q[HIGH-1:0];
      always @(posedge clk_i)
        if (rst_i) base_q[31:REGION] <= {32-REGION{1'b0}};
        else if (write_base) base_q[31:REGION] <= data_q[31:REGION];
    end else begin : g_low
      wire unused = &{1'b0, data_q};
      assign write_high = 1'b0;
      always @(posedge clk_i)
        if (rst_i) base_q <= {ADDR_W-REGION{1'b0}};
        else if (write_base) base_q <= data_q[ADDR_W-1:REGION];
    end
  endgenerate

  always @(posedge clk_i) begin
    if (rst_i) begin
      errors_q <= 9'd0;
      versions_q <= {VERSIONS_W{1'b0}};
      versions_most_q <= {VERSIONS_W{1'b0}};
      entries_most_q <= {ENTRIES_W{1'b0}};
    end else begin
      errors_q <= (errors_q & ~((writes && place == 7'd4) ? data_q[8:0] : 9'd0)) | errors_i;
      if (version_counted_i) versions_q <= versions_i;
      if (clear_counters || versions_q > versions_most_q) versions_most_q <= versions_q;
      if (clear_counters || entries_i > entries_most_q) entries_most_q <= entries_i;
    end
    if (rst_i) failed_q <= {CONST_W{1'b0}};
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
  reg [31:0] value;
  reg known, writable;
  always @* begin
    value = 32'd0;
    known = 1'b1;
    writable = 1'b0;
    case (place)
      7'd0: value = ID;
      7'd1: value = {28'd0, memory_idle_i, base_free_i, error_o, idle_i};
      7'd2: begin
        value = low_value;
        writable = write_base;
      end
      7'd3: begin
        value = high_value;
        known = ADDR_W > 32;
        writable = write_high;
      end
      7'd4: begin
        value = {23'd0, errors_q};
        writable = 1'b1;
      end
      7'd5: value = {{32-CONST_W{1'b0}}, failed_q};
      7'd8: value = {{32-VERSIONS_W{1'b0}}, versions_q};
      7'd9: value = {{32-VERSIONS_W{1'b0}}, versions_most_q};
      7'd10: value = {{32-ENTRIES_W{1'b0}}, entries_i};
      7'd11: value = {{32-ENTRIES_W{1'b0}}, entries_most_q};
      7'd12: begin
        known = COUNTERS != 0;
        writable = COUNTERS != 0;
      end
      default: known = is_counter;
    endcase
  end
  wire readable = place != 7'd12;
  reg [31:0] value_q;
  reg from_counter_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
      looked_q <= 1'b0;
      reg_rsp_valid_o <= 1'b0;
    end else begin
      if (reg_req_valid_i && reg_req_ready_o) busy_q <= 1'b1;
      else if (looked_q) busy_q <= 1'b0;
      looked_q <= executes;
      reg_rsp_valid_o <= looked_q;
    end
    if (reg_req_ready_o) begin
      write_q <= reg_req_write_i;
      addr_q <= reg_req_addr_i;
      data_q <= reg_req_data_i;
    end
    refused_q <= addr_q[1:0] != 2'd0 || !known || (write_q ? !writable : !readable);
    value_q <= (write_q || !known || addr_q[1:0] != 2'd0) ? 32'd0 : value;
    from_counter_q <= is_counter && !write_q && addr_q[1:0] == 2'd0;
    reg_rsp_error_o <= refused_q;
    reg_rsp_data_o <= from_counter_q ? (addr_q[2] ? {16'd0, high_q} : count[31:0]) : value_q;
    if (rst_i) high_q <= 16'd0;
    else if (looked_q && from_counter_q && !addr_q[2]) high_q <= count[47:32];
  end
endmodule

`default_nettype wire
