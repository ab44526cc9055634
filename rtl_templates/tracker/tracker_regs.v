// SPDX-License-Identifier: Apache-2.0
// tracker_regs: the register port and the counters (TR-2, TR-10, TR-18). Mode, split and group size are
// written here and taken by the input when the tracker is empty. Events are gathered in small counters; one
// after the other, a cycle each, they are added to their words in a memory, and a read waits until its word
// comes by: at most 34 cycles from the access taken to its answer. One access at a time. Reset: mode 4,
// counters cleared while init_i is 1.
`default_nettype none

module tracker_regs #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter PTR_W = 10,
  parameter GROUP_W = 9,
  parameter GROUP_MAX = 256,
  parameter GROUP_RESET = 32
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire init_i,

  input  wire reg_req_valid_i,
  output wire reg_req_ready_o,
  input  wire reg_req_write_i,
  input  wire [7:0] reg_req_addr_i,
  input  wire [31:0] reg_req_data_i,
  output reg  reg_rsp_valid_o,
  output reg  [31:0] reg_rsp_data_o,
  output reg  reg_rsp_error_o,
  output reg  refused_o,                     // a value that is not known was written

  output wire [QUEUE_W-1:0] last_o,          // last queue of local/global and texture; those of ray traversal
  output wire [QUEUE_W-1:0] ray_first_o,
  output wire [QUEUE_W-1:0] ray_last_o,
  output wire [GROUP_W-1:0] group_o,
  output wire change_o,
  input  wire change_take_i,

  input  wire [PTR_W-1:0] pool_used_i,
  input  wire [21:0] events_i,
  input  wire [2:0] wasted_i
);
  localparam [7:0] ID = 8'h00, MODE = 8'h04, SPLIT = 8'h08, GROUP = 8'h0c, STATUS = 8'h10, USED = 8'h14,
      HIGH = 8'h18;
  localparam COUNTERS = 23;
  localparam HALF = QUEUES / 2;
  localparam LAST = QUEUES - 1;

  reg busy_q, write_q, counter_q;
  reg [7:0] addr_q;
  reg [31:0] data_q;
  wire taken = reg_req_valid_i && !busy_q;
  assign reg_req_ready_o = !busy_q;

  // ---- mode, split, group -------------------------------------------------------------------------------
  reg [2:0] mode_q;
  reg [QUEUE_W-1:0] split_q, below_split_q;
  reg [GROUP_W-1:0] group_q;
  reg change_q;
  wire executes = busy_q && !counter_q;
  wire writes = executes && write_q;
  wire mode_good = data_q >= 32'd1 && data_q <= 32'd4;
  wire split_good = data_q >= 32'd1 && data_q <= LAST;
  wire group_good = data_q >= 32'd1 && data_q <= GROUP_MAX;
  wire w_mode = writes && addr_q == MODE && mode_good;
  wire w_split = writes && addr_q == SPLIT && split_good;
  wire w_group = writes && addr_q == GROUP && group_good;
  wire is_setting = addr_q == MODE || addr_q == SPLIT || addr_q == GROUP;
  wire w_good = w_mode || w_split || w_group;
  always @(posedge clk_i)
    if (rst_i) begin
      mode_q <= 3'd4;
      split_q <= HALF[QUEUE_W-1:0];
      below_split_q <= HALF[QUEUE_W-1:0] - 1'b1;
      group_q <= GROUP_RESET[GROUP_W-1:0];
      change_q <= 1'b0;
    end else begin
      if (w_mode) mode_q <= data_q[2:0];
      if (w_split) begin
        split_q <= data_q[QUEUE_W-1:0];
        below_split_q <= data_q[QUEUE_W-1:0] - 1'b1;
      end
      if (w_group) group_q <= data_q[GROUP_W-1:0];
      change_q <= w_good || (change_q && !change_take_i);
    end
  assign change_o = change_q;
  assign group_o = group_q;
  assign last_o = (mode_q == 3'd3) ? below_split_q : mode_q[2] ? LAST[QUEUE_W-1:0] : {QUEUE_W{1'b0}};
  assign ray_first_o = (mode_q == 3'd3) ? split_q : {{QUEUE_W-1{1'b0}}, mode_q == 3'd2};
  assign ray_last_o = (mode_q == 3'd1) ? {QUEUE_W{1'b0}} : LAST[QUEUE_W-1:0];

  // ---- counters -----------------------------------------------------------------------------------------
  reg [4:0] scan_q;
  reg [6:0] event_q [0:COUNTERS-1];
  wire [31:0] word;
  wire [6:0] gathered = (scan_q < COUNTERS[4:0]) ? event_q[scan_q] : 7'd0;
  wire [31:0] sum = init_i ? 32'd0 : word + {25'd0, gathered};
  tracker_table #(.WIDTH(32), .DEPTH(32)) u_words (
    .clk_i(clk_i), .we_i(1'b1), .waddr_i(scan_q), .wdata_i(sum), .raddr_i(scan_q), .rdata_o(word));
  integer i;
  always @(posedge clk_i) begin
    scan_q <= rst_i ? 5'd0 : scan_q + 5'd1;
    for (i = 0; i < COUNTERS; i = i + 1)
      if (rst_i || init_i) event_q[i] <= 7'd0;
      else event_q[i] <= ((scan_q == i[4:0]) ? 7'd0 : event_q[i]) +
                         ((i == COUNTERS - 1) ? {4'd0, wasted_i} : {6'd0, events_i[(i < 22) ? i : 0]});
  end
  reg [PTR_W-1:0] high_q;
  always @(posedge clk_i)
    if (rst_i) high_q <= {PTR_W{1'b0}};
    else if (pool_used_i > high_q) high_q <= pool_used_i;

  // ---- answers ------------------------------------------------------------------------------------------
  wire comes = counter_q && addr_q[6:2] == scan_q;
  reg [31:0] read_d;
  reg read_good;
  always @* begin
    read_good = 1'b1;
    case (addr_q)
      ID: read_d = 32'h54520001;
      MODE: read_d = {29'd0, mode_q};
      SPLIT: read_d = {{32-QUEUE_W{1'b0}}, split_q};
      GROUP: read_d = {{32-GROUP_W{1'b0}}, group_q};
      STATUS: read_d = {30'd0, change_q, pool_used_i == {PTR_W{1'b0}}};
      USED: read_d = {{32-PTR_W{1'b0}}, pool_used_i};
      HIGH: read_d = {{32-PTR_W{1'b0}}, high_q};
      default: begin
        read_d = 32'd0;
        read_good = 1'b0;
      end
    endcase
  end
  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= 1'b0;
      counter_q <= 1'b0;
      reg_rsp_valid_o <= 1'b0;
      refused_o <= 1'b0;
    end else begin
      busy_q <= taken || (counter_q && !comes);
      counter_q <= taken ? !reg_req_write_i && reg_req_addr_i[7] && reg_req_addr_i[1:0] == 2'd0 &&
                           reg_req_addr_i[6:2] < COUNTERS[4:0]
                         : counter_q && !comes;
      reg_rsp_valid_o <= executes || comes;
      refused_o <= writes && is_setting && !w_good;
    end
    if (taken) begin
      write_q <= reg_req_write_i;
      addr_q <= reg_req_addr_i;
      data_q <= reg_req_data_i;
    end
    reg_rsp_data_o <= counter_q ? sum : write_q ? 32'd0 : read_d;
    reg_rsp_error_o <= !counter_q && (write_q ? !w_good : !read_good);
  end
endmodule

`default_nettype wire
