// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_domain: the sequence of one switch domain (US-8, US-15): halt, store, reset, restore,
// release. It says what may be done with the domain's connections; front_end_monitor_walk does it and tells.
// Without EACH all connections go through the stages together; with it each goes by itself in the stage MOVE.
// Reports that are older than the last command are not looked at: SETTLE cycles pass behind each. Reset:
// idle, nothing halted.
`default_nettype none

module front_end_monitor_domain #(
  parameter CONNS = 4,    // connections of this domain
  parameter EACH = 0,     // 1: a command connection or more for each connection
  parameter SETTLE = 9,   // cycles from a command register to the report of its effect in all_halted_i
  parameter UNIT_W = 2,   // bits of the number of a unit
  parameter TIME_W = 32,  // bits of times
  parameter TIMES = 1     // 1: count the cycles of each phase
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire all_halted_i,    // with EACH: those that were not reset yet
  input  wire again_halted_i,  // with EACH: those that were
  input  wire all_empty_i,     // all connections are empty

  // a command executes: 1 switch, 2 save, 3 restore, 4 empty or 5 drain in what_i (3 and 4 stopped, too),
  input  wire begin_i,
  input  wire abort_i,  // abort,
  input  wire retry_i,  // retry
  input  wire [2:0] what_i,
  output wire taken_o,        // it is taken
  input  wire [TIME_W-1:0] timeout_i,
  input  wire timeout_on_i,     // timeout_i is not 0
  input  wire timeout_write_i,  // it or its policy was written: the wait begins anew
  input  wire [1:0] policy_i,   // 0 wait, 1 abort, 2 reset

  input  wire works_i,                    // the walk is at a connection of this domain
  input  wire reset_i,                    // it resets one in the next cycle
  input  wire first_i,                    // a connection is stored and reset (EACH)
  input  wire done_i,                     // a connection is through the stage
  input  wire error_i,                    // the hub refused
  input  wire [3:0] error_code_i,         // with error_i: the hub's error
  input  wire [UNIT_W-1:0] error_unit_i,  // with error_i: the unit

  output reg  halt_o,              // level, a register
  output wire start_o,             // a command begins in the next cycle
  output wire reset_all_o,         // all connections are reset in the next cycle
  output wire expire_o,            // timeout: those that wait are recorded
  output wire again_expire_o,      // with EACH: those that wait behind their reset
  output wire reset_late_o,        // and reset in the next cycle
  output reg  settled_o,           // settle_q is 0
  output wire forced_o,            // a reset by timeout has not settled
  output reg  watch_o,             // reports under halt count
  output reg  [TIME_W-1:0] age_o,  // cycles since the halt request
  output wire finish_o,            // interrupts
  output wire fail_o,              // interrupt: a hub error, or a timeout that ends the command

  output reg  [2:0] stage_o,  // 0 idle, 1 halt, 2 store, 3 reset, 4 restore, 5 move, 6 drain, 7 stopped
  output reg  [2:0] what_o,  // the command begun last, as what_i
  output reg  [3:0] code_o,  // why it stopped: 0 good, 8 timeout, 9 aborted, else the hub's error
  output reg  [UNIT_W-1:0] unit_o,  // unit of the hub's error
  output reg  lost_o,  // a reset by timeout has cleared what was not stored
  output reg  did_reset_o,  // something was reset since the command began
  output reg  ending_o,  // the command ends once the walk is done with its connection
  output wire [4*TIME_W-1:0] times_o  // cycles spent in each of four phases; 0 without TIMES
);
  localparam [2:0] IDLE = 3'd0, HALT = 3'd1, STORE = 3'd2, RESET = 3'd3, RESTORE = 3'd4, MOVE = 3'd5,
                   DRAIN = 3'd6, STOP = 3'd7;
  localparam [2:0] SWITCH = 3'd1, SAVE = 3'd2, DO_RESTORE = 3'd3, DO_EMPTY = 3'd4, DO_DRAIN = 3'd5;
  localparam [3:0] TIMED_OUT = 4'd8, ABORTED = 4'd9;
  localparam [TIME_W-1:0] ZERO = {TIME_W{1'b0}}, ONE = {{TIME_W-1{1'b0}}, 1'b1},
                          TWO = {{TIME_W-2{1'b0}}, 2'd2};
  localparam [TIME_W-1:0] NEARLY = {{TIME_W-1{1'b1}}, 1'b0};  // one more is the last that is counted
  localparam LEFT_W = $clog2(CONNS + 1);
  localparam SETTLE_W = $clog2(SETTLE + 1);

  wire [2:0] back;            // the stage that a retry goes on with
  reg [LEFT_W-1:0] left_q, first_left_q;
  reg last_left_q;            // left_q is 1
  reg [SETTLE_W-1:0] settle_q;
  reg [TIME_W-1:0] wait_q;
  reg last_wait_q;            // wait_q is 1: known in time for what follows from it
  reg forced_q, age_full_q;

  assign forced_o = forced_q;

  // Stages of the one kind of domain and of the other.
  wire stores_all = EACH == 0 && stage_o == STORE, resets_all = EACH == 0 && stage_o == RESET,
       restores_all = EACH == 0 && stage_o == RESTORE, moves = EACH != 0 && stage_o == MOVE,
       drains = stage_o == DRAIN;

  // ---- commands ----------------------------------------------------------------------------------------
  wire idle = stage_o == IDLE, stopped = stage_o == STOP && !ending_o;
  wire had_reset = did_reset_o || reset_i;
  wire may_end = !had_reset && !ending_o && (stage_o == HALT || stores_all || moves || drains);
  // Behind an error software may give up what is halted for another image, or for none.
  wire fresh = begin_i && idle;
  assign start_o = fresh || (begin_i && stopped && (what_i == DO_RESTORE || what_i == DO_EMPTY));
  wire error = error_i && !start_o;
  wire abort = abort_i && (may_end || stopped);
  wire retry = retry_i && stopped;
  assign taken_o = start_o || abort || retry;

  // ---- timeout -----------------------------------------------------------------------------------------
  wire waits = stage_o == HALT || resets_all || moves || drains;
  wire met = settled_o && (drains ? all_empty_i : all_halted_i);
  // A timeout is longer than SETTLE, so it never looks at a report of before: one by one a reset of another
  // does not matter.
  wire timed = waits && !ending_o && timeout_on_i && !timeout_write_i;
  assign expire_o = timed && last_wait_q && !((EACH != 0 && !drains) ? all_halted_i : met);
  wire load_wait = start_o || retry || reset_all_o || last_wait_q || timeout_write_i;
  generate
    if (EACH != 0) begin : g_again            // the wait behind a reset, from the last one on
      reg [TIME_W-1:0] again_q;
      reg again_last_q;
      wire load_again = start_o || retry || reset_i || again_last_q || timeout_write_i;
      always @(posedge clk_i) begin
        again_q <= load_again ? timeout_i : again_q - ONE;
        again_last_q <= !load_again && again_q == TWO;
      end
      assign again_expire_o = timed && again_last_q && !drains && !again_halted_i;
    end else begin : g_together
      assign again_expire_o = 1'b0;
      wire unused = &{1'b0, again_halted_i};
    end
  endgenerate
  wire any_expire = expire_o || again_expire_o;
  assign reset_late_o = any_expire && policy_i == 2'd2 && !drains;
  wire give_up = any_expire && policy_i == 2'd1;

  // ---- stages ------------------------------------------------------------------------------------------
  // What a reset by timeout has cleared is not stored over its image (together: all was).
  wire stores = (what_o == SWITCH || what_o == SAVE) && !lost_o;
  wire restores = what_o == SWITCH || what_o == DO_RESTORE;
  wire through = done_i && last_left_q;
  wire halted = all_halted_i && settled_o;
  assign reset_all_o = !abort && ((stage_o == HALT && halted && !stores && what_o != SAVE && EACH == 0)
                                  || (stores_all && through && what_o == SWITCH && !ending_o));
  wire ends = (stores_all && through && what_o == SAVE)
              || (stage_o == HALT && halted && !stores && what_o == SAVE && EACH == 0)
              || (resets_all && halted && !restores) || ((restores_all || moves) && through)
              || (drains && all_empty_i && settled_o);
  wire leave = ending_o && !works_i;
  wire cut = (abort && !works_i) || (give_up && !had_reset && !works_i) || leave;

  reg [2:0] stage_d;
  always @* begin
    stage_d = stage_o;
    case (stage_o)
      IDLE: if (start_o) stage_d = (what_i == DO_DRAIN) ? DRAIN : HALT;
      HALT: if (EACH != 0) begin
        if (settled_o) stage_d = MOVE;
      end else if (halted) stage_d = stores ? STORE : RESET;
      STORE: if (EACH == 0 && reset_all_o) stage_d = RESET;
      RESET: if (EACH == 0 && halted) stage_d = RESTORE;
      STOP: if (retry) stage_d = back;
            else if (start_o) stage_d = HALT;
      default: ;
    endcase
    if (give_up && had_reset) stage_d = STOP;
    if (error) stage_d = STOP;
    if (ends || cut) stage_d = IDLE;
  end
  assign finish_o = ends && !cut;
  assign fail_o = error || give_up;

  always @(posedge clk_i) begin
    if (rst_i) begin
      stage_o <= IDLE;
      halt_o <= 1'b0;
      what_o <= 3'd0;
      code_o <= 4'd0;
      lost_o <= 1'b0;
      did_reset_o <= 1'b0;
      ending_o <= 1'b0;
      forced_q <= 1'b0;
      watch_o <= 1'b0;
      settle_q <= {SETTLE_W{1'b0}};
      settled_o <= 1'b1;
      unit_o <= {UNIT_W{1'b0}};
    end else begin
      stage_o <= stage_d;
      halt_o <= stage_d != IDLE && stage_d != DRAIN;
      if (start_o) what_o <= what_i;
      if (abort) code_o <= ABORTED;
      else if (error) code_o <= error_code_i;
      else if (give_up) code_o <= TIMED_OUT;
      else if (start_o || retry) code_o <= 4'd0;
      if (error) unit_o <= error_unit_i;
      lost_o <= !start_o && (lost_o || reset_late_o);
      did_reset_o <= !start_o && (did_reset_o || reset_late_o || reset_all_o || reset_i);
      ending_o <= !start_o && !cut && !ends && (ending_o || ((abort || (give_up && !had_reset)) && works_i));
      forced_q <= !start_o && (reset_late_o || (forced_q && !settled_o));
      watch_o <= stage_d != IDLE && stage_d != DRAIN && !fresh && (watch_o || settled_o);
      if (start_o || reset_all_o || reset_late_o || reset_i) begin
        settle_q <= SETTLE[SETTLE_W-1:0];
        settled_o <= 1'b0;
      end else if (!settled_o) begin
        settle_q <= settle_q - 1'b1;
        settled_o <= settle_q == {{SETTLE_W-1{1'b0}}, 1'b1};
      end
    end
    // where nothing waits, or the timeout is off, nothing follows from it
    wait_q <= load_wait ? timeout_i : wait_q - ONE;
    last_wait_q <= !load_wait && wait_q == TWO;
    if (start_o || (resets_all && halted)) begin
      left_q <= CONNS[LEFT_W-1:0];
      last_left_q <= CONNS == 1;
    end else if (done_i) begin
      left_q <= left_q - 1'b1;
      last_left_q <= {1'b0, left_q} == {{LEFT_W-1{1'b0}}, 2'd2};
    end
    if (start_o) first_left_q <= CONNS[LEFT_W-1:0];
    else if (first_i) first_left_q <= first_left_q - 1'b1;
    age_full_q <= !fresh && (age_full_q || age_o == NEARLY);
    if (fresh) age_o <= ZERO;
    else if (!age_full_q) age_o <= age_o + ONE;
  end

  generate
    if (EACH != 0) begin : g_back_each
      assign back = MOVE;                     // no other stage is stopped
    end else begin : g_back
      reg [2:0] back_q;
      always @(posedge clk_i) if (stage_o != STOP && (error || give_up)) back_q <= stage_o;
      assign back = back_q;
    end
  endgenerate

  // ---- cycles by phase ---------------------------------------------------------------------------------
  wire none_first = first_left_q == CONNS[LEFT_W-1:0], all_first = first_left_q == {LEFT_W{1'b0}};
  wire [3:0] phase = {restores_all || (moves && all_first),
                      resets_all,
                      stores_all || (moves && !all_first && !none_first),
                      stage_o == HALT || drains || (moves && none_first)};
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_time
      if (TIMES != 0) begin : g_count
        reg [TIME_W-1:0] time_q;
        reg full_q;
        always @(posedge clk_i) begin
          full_q <= !rst_i && !start_o && (full_q || (phase[i] && time_q == NEARLY));
          if (rst_i || start_o) time_q <= ZERO;
          else if (phase[i] && !full_q) time_q <= time_q + ONE;
        end
        assign times_o[TIME_W*i+:TIME_W] = time_q;
      end else begin : g_none
        assign times_o[TIME_W*i+:TIME_W] = ZERO;
      end
    end
  endgenerate
  wire unused = &{1'b0, phase};
endmodule

`default_nettype wire
