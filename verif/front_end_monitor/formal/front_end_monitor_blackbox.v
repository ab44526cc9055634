// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_blackbox: what must hold of a front_end_monitor with one switch domain and one deadlock
// domain, one unit for each connection, seen from its ports. Units halt whenever they like, as the contract
// allows, STAGES registers away; they show anything else while they run. The hub answers whenever it likes,
// with errors. Software enables the interrupt of deadlocks, writes WINDOW, then gives switch commands and
// retries. Each output is one property; 1 says that it is broken.
/* verilator lint_off UNUSED */
`default_nettype none

module front_end_monitor_blackbox #(
  parameter STAGES = 2,
  parameter UNIT_COUNT = 2,
  parameter CONN_COUNT = 2,
  parameter STATE_W = 5,
  parameter COMMAND_COUNT = 1,
  parameter MONITOR_LATENCY = 2,
  parameter WINDOW = 3
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire [CONN_COUNT*STATE_W-1:0] free_conn_state_i,
  input  wire [CONN_COUNT-1:0] free_conn_progress_i,
  input  wire [CONN_COUNT-1:0] free_conn_waiting_i,
  output wire [CONN_COUNT*STATE_W-1:0] conn_state_i,
  output wire [CONN_COUNT-1:0] conn_progress_i,
  output wire [CONN_COUNT-1:0] conn_waiting_i,

  input  wire [COMMAND_COUNT-1:0] mon_halt_o,
  input  wire [COMMAND_COUNT-1:0] mon_reset_o,

  input  wire hub_valid_o,
  input  wire free_hub_ready_i,
  output wire hub_ready_i,
  input  wire hub_load_o,
  input  wire [((UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1)-1:0] hub_unit_o,
  input  wire free_hub_done_i,
  output wire hub_done_i,
  input  wire [3:0] free_hub_error_i,
  output wire [3:0] hub_error_i,
  input  wire irq_o,

  input  wire free_reg_req_valid_i,
  output wire reg_req_valid_i,
  input  wire reg_req_ready_o,
  input  wire free_reg_req_write_i,
  output wire reg_req_write_i,
  input  wire [9:0] free_reg_req_addr_i,
  output wire [9:0] reg_req_addr_i,
  input  wire [31:0] free_reg_req_data_i,
  output wire [31:0] reg_req_data_i,

  // a unit is to be stored or restored that has not halted, or with a reset on its way to it
  output wire bad_halted_o,
  output wire bad_order_o,    // a unit is stored after its reset, or restored before it
  output wire bad_reset_o,    // a unit is reset that has not halted, or is not stored
  output wire bad_release_o,  // released before every unit is stored, reset and restored
  output wire bad_hold_o,     // a command to the hub is withdrawn or changes while it waits
  output wire bad_second_o,   // a command to the hub while one runs
  // a deadlock is reported, and its window had progress, no waiting, or a halt request
  output wire bad_dead_o,
  output wire cover_switch_o, // a switch ends
  output wire cover_dead_o    // a deadlock is reported
);
  localparam UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1;
  localparam TAIL = WINDOW + MONITOR_LATENCY;

  // ---- software ------------------------------------------------------------------------------------------
  reg [1:0] step_q;
  wire clears = free_reg_req_data_i[3], retries = free_reg_req_data_i[1];
  assign reg_req_valid_i = step_q != 2'd2 || free_reg_req_valid_i;
  assign reg_req_write_i = 1'b1;
  assign reg_req_addr_i = (step_q == 2'd0) ? 10'h01c : (step_q == 2'd1) ? 10'h054 : clears ? 10'h018
                          : 10'h024;
  assign reg_req_data_i = (step_q == 2'd0) ? 32'd8 : (step_q == 2'd1) ? WINDOW : clears ? 32'd8
                          : retries ? 32'd7 : 32'd1;
  always @(posedge clk_i)
    if (rst_i) step_q <= 2'd0;
    else if (reg_req_ready_o && step_q != 2'd2) step_q <= step_q + 2'd1;

  // ---- units, behind the registers of the tree ------------------------------------------------------------
  wire [UNIT_COUNT-1:0] halt, reset;
  reg [STAGES*UNIT_COUNT-1:0] halts_q, resets_q, reports_q;
  reg [UNIT_COUNT-1:0] halted_q;
  wire [UNIT_COUNT-1:0] halt_req = halts_q[(STAGES-1)*UNIT_COUNT+:UNIT_COUNT];
  wire [UNIT_COUNT-1:0] ctx_reset = resets_q[(STAGES-1)*UNIT_COUNT+:UNIT_COUNT];
  wire [UNIT_COUNT-1:0] can_halt;
  always @(posedge clk_i)
    if (rst_i) begin
      halts_q <= {STAGES*UNIT_COUNT{1'b0}};
      resets_q <= {STAGES*UNIT_COUNT{1'b0}};
      reports_q <= {STAGES*UNIT_COUNT{1'b0}};
      halted_q <= {UNIT_COUNT{1'b0}};
    end else begin
      halts_q <= {halts_q[(STAGES-1)*UNIT_COUNT-1:0], halt};
      resets_q <= {resets_q[(STAGES-1)*UNIT_COUNT-1:0], reset};
      reports_q <= {reports_q[(STAGES-1)*UNIT_COUNT-1:0], halted_q};
      halted_q <= halt_req & ~ctx_reset & (halted_q | can_halt);
    end
  wire [UNIT_COUNT-1:0] shown = reports_q[(STAGES-1)*UNIT_COUNT+:UNIT_COUNT];
  reg [UNIT_COUNT-1:0] under_way;          // a reset has not arrived
  integer s;
  always @* begin
    under_way = reset;
    for (s = 0; s < STAGES; s = s + 1) under_way = under_way | resets_q[s*UNIT_COUNT+:UNIT_COUNT];
  end
  wire [UNIT_COUNT-1:0] at_rest = halted_q & halt_req & ~under_way;
  // one_hot, two_of_four and binary are told apart by their width.
  localparam [4:0] HALTED = (STATE_W == 5) ? 5'd16 : (STATE_W == 4) ? 5'd10 : 5'd4;
  function [4:0] running(input [1:0] n);
    if (STATE_W == 5) running = 5'd1 << n;
    else if (STATE_W == 3) running = {3'd0, n};
    else running = (n == 2'd0) ? 5'd3 : (n == 2'd1) ? 5'd5 : (n == 2'd2) ? 5'd6 : 5'd9;
  endfunction
  genvar u;
  generate
    for (u = 0; u < UNIT_COUNT; u = u + 1) begin : g_unit
      assign can_halt[u] = free_mark_i[u%64];
      assign {halt[u], reset[u]} = {mon_halt_o[(u < COMMAND_COUNT) ? u : 0],
                                    mon_reset_o[(u < COMMAND_COUNT) ? u : 0]};
      if (u < CONN_COUNT) begin : g_shown  // with fewer connections than units nothing is claimed
        wire [4:0] code = shown[u] ? HALTED : running(free_conn_state_i[u*STATE_W+:2]);
        assign conn_state_i[u*STATE_W+:STATE_W] = code[STATE_W-1:0];
      end
    end
  endgenerate
  assign conn_progress_i = free_conn_progress_i & ~shown[CONN_COUNT-1:0];
  assign conn_waiting_i = free_conn_waiting_i & ~shown[CONN_COUNT-1:0];

  // ---- the hub --------------------------------------------------------------------------------------------
  reg busy_q, load_q;
  reg [UNIT_W-1:0] unit_q;
  assign hub_ready_i = free_hub_ready_i && !busy_q;
  assign hub_done_i = free_hub_done_i && busy_q;
  assign hub_error_i = free_hub_error_i;
  wire taken = hub_valid_o && hub_ready_i;
  wire good = hub_done_i && hub_error_i == 4'd0;
  always @(posedge clk_i) begin
    busy_q <= !rst_i && (taken || (busy_q && !hub_done_i));
    if (taken) {load_q, unit_q} <= {hub_load_o, hub_unit_o};
  end

  // ---- what has happened to each unit since the halt request ----------------------------------------------
  reg [UNIT_COUNT-1:0] saved_q, reset_q, restored_q;
  reg was_halt_q;
  wire under = mon_halt_o[0];
  always @(posedge clk_i) begin
    was_halt_q <= !rst_i && under;
    if (rst_i || !under) begin
      saved_q <= {UNIT_COUNT{1'b0}};
      reset_q <= {UNIT_COUNT{1'b0}};
      restored_q <= {UNIT_COUNT{1'b0}};
    end else begin
      reset_q <= reset_q | reset;
      if (good && !load_q) saved_q[unit_q] <= 1'b1;
      if (good && load_q) restored_q[unit_q] <= 1'b1;
    end
  end

  reg was_valid_q, was_taken_q, was_load_q;
  reg [UNIT_W-1:0] was_unit_q;
  always @(posedge clk_i) begin
    was_valid_q <= !rst_i && hub_valid_o;
    {was_taken_q, was_load_q, was_unit_q} <= {taken, hub_load_o, hub_unit_o};
  end
  wire waits = was_valid_q && !was_taken_q;

  // ---- the window of a report: the cycles that end MONITOR_LATENCY cycles before it is seen ---------------
  reg [TAIL-1:0] quiet_q, still_q;
  reg irq_q;
  always @(posedge clk_i) begin
    irq_q <= !rst_i && irq_o;
    quiet_q <= rst_i ? {TAIL{1'b0}} : {quiet_q[TAIL-2:0], |conn_waiting_i && !(|conn_progress_i)};
    still_q <= rst_i ? {TAIL{1'b0}} : {still_q[TAIL-2:0], !(|mon_halt_o)};
  end
  wire reported = irq_o && !irq_q;

  wire check = !rst_i;
  assign bad_halted_o = check && hub_valid_o && !at_rest[hub_unit_o];
  assign bad_order_o = check && hub_valid_o && (hub_load_o ? !reset_q[hub_unit_o] : reset_q[hub_unit_o]);
  reg [UNIT_COUNT-1:0] at_rest_before_q;   // the reset itself is on its way from now on
  assign bad_reset_o = check && |(reset & ~(at_rest_before_q & saved_q));
  always @(posedge clk_i) at_rest_before_q <= at_rest;
  assign bad_release_o = check && was_halt_q && !under && !(&(saved_q & reset_q & restored_q));
  assign bad_hold_o = check && waits
                      && (!hub_valid_o || hub_load_o != was_load_q || hub_unit_o != was_unit_q);
  assign bad_second_o = check && hub_valid_o && busy_q;
  assign bad_dead_o = check && reported && !(&quiet_q[MONITOR_LATENCY-1+:WINDOW] && &still_q[WINDOW-1:0]);
  assign cover_switch_o = check && was_halt_q && !under;
  assign cover_dead_o = check && reported;
endmodule

`default_nettype wire
