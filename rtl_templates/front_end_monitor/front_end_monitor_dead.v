// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_dead: the window of one deadlock domain (US-10). A window is dead when in each of its
// cycles some connection waits and none shows progress; it begins again with progress, with a cycle in which
// none waits, when it is written, and behind each report. It is held while a switch domain in it is under
// halt, and until the first report of a released unit is here. Reset: a new window.
`default_nettype none

module front_end_monitor_dead #(
  parameter TIME_W = 32,  // bits of the window and of the counts; 8..32
  // cycles from the end of a halt request to the first report of a released unit
  parameter RELEASED = 8
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire progress_i,             // some connection of the domain shows progress
  input  wire waiting_i,              // some connection of it waits
  input  wire held_i,                 // a switch domain in it is under halt
  input  wire write_i,                // window_i is written in this cycle
  input  wire [TIME_W-1:0] window_i,  // 0: off
  input  wire [1:0] policy_i,         // 0 report, 1 resume, 2 reset by mask, 3 reset all
  input  wire [1:0] next_policy_i,    // for a window that is dead behind a dead one
  input  wire next_i,                 // there is one

  output wire dead_o,                  // reported in the next cycle
  output wire restart_o,               // the window begins again behind this cycle
  output wire again_o,                 // so was the window before, and nothing moved since
  output wire [1:0] action_o,          // what is to be done, with dead_o: as policy_i
  output reg  open_o,                  // dead, and no progress since
  output reg  acted_o,                 // the policy has acted since, by resumes or resets
  output reg  [TIME_W-1:0] seen_o,     // deadlocks reported; saturates
  output reg  [TIME_W-1:0] resolved_o  // deadlocks that ended with progress; saturates
);
  localparam [TIME_W-1:0] ZERO = {TIME_W{1'b0}}, ONE = {{TIME_W-1{1'b0}}, 1'b1},
                          TWO = {{TIME_W-2{1'b0}}, 2'd2};
  reg [TIME_W-1:0] left_q;
  reg fresh_q;                     // the window was just written
  reg on_q, one_q;                 // window_i is not 0 (old while fresh_q), left_q is 1
  reg seen_full_q, resolved_full_q; // a cycle late: both count in every other cycle at most
  localparam AFTER_W = $clog2(RELEASED + 1);
  reg [AFTER_W-1:0] after_q;       // cycles until the reports are those of released units
  wire held = held_i || after_q != {AFTER_W{1'b0}};
  wire quiet = waiting_i && !progress_i && !held && !fresh_q;
  assign dead_o = quiet && !write_i && one_q && on_q;
  assign again_o = dead_o && open_o;
  assign restart_o = !quiet || dead_o;
  assign action_o = (open_o && next_i) ? next_policy_i : policy_i;
  wire solved = open_o && progress_i && !held;
  wire stays = open_o && !progress_i && !held;
  always @(posedge clk_i) begin
    if (rst_i) after_q <= {AFTER_W{1'b0}};
    else if (held_i) after_q <= RELEASED[AFTER_W-1:0];
    else if (held) after_q <= after_q - 1'b1;
    if (rst_i) begin
      fresh_q <= 1'b1;
      open_o <= 1'b0;
      acted_o <= 1'b0;
      seen_o <= ZERO;
      resolved_o <= ZERO;
    end else begin
      fresh_q <= write_i;
      open_o <= dead_o || stays;
      acted_o <= (dead_o && action_o != 2'd0) || (acted_o && stays);
      if (dead_o && !open_o && !seen_full_q) seen_o <= seen_o + ONE;
      if (solved && !resolved_full_q) resolved_o <= resolved_o + ONE;
    end
    left_q <= restart_o ? window_i : left_q - ONE;
    one_q <= restart_o ? window_i == ONE : left_q == TWO;
    on_q <= window_i != ZERO;
    seen_full_q <= &seen_o;
    resolved_full_q <= &resolved_o;
  end
endmodule

`default_nettype wire
