// SPDX-License-Identifier: Apache-2.0
// atomic_merge_tids: which thread ids have a request under way, two bits each that differ then (AM-16). A
// request whose id has one is told as live in the cycle of its acceptance, and changes nothing; so is one in
// the cycle in which the answer is taken. Reset: no id has one, after 2^TID_W cycles in which nothing may be
// accepted.
`default_nettype none

module atomic_merge_tids #(
  parameter TID_W = 10  // width of a thread id; 1..16 bits
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  output wire ready_o,                // requests may be accepted
  input  wire accept_i,               // a request is accepted in this cycle
  input  wire [TID_W-1:0] tid_i,      // thread id of the request offered
  output wire live_o,                 // that id has a request under way
  input  wire done_i,                 // an answer is taken
  input  wire [TID_W-1:0] done_tid_i  // its thread id
);
  reg begun [0:(1<<TID_W)-1];
  reg ended [0:(1<<TID_W)-1];
  reg [TID_W:0] walk_q;
  wire ended_now = ended[tid_i];
  wire begun_done = begun[done_tid_i];
  assign ready_o = walk_q[TID_W];
  assign live_o = begun[tid_i] != ended_now;
  wire [TID_W-1:0] begins_at = ready_o ? tid_i : walk_q[TID_W-1:0];
  wire [TID_W-1:0] ends_at = ready_o ? done_tid_i : walk_q[TID_W-1:0];
  always @(posedge clk_i) begin
    if (!ready_o || (accept_i && !live_o)) begun[begins_at] <= ready_o && !ended_now;
    if (!ready_o || done_i) ended[ends_at] <= ready_o && begun_done;
    walk_q <= rst_i ? {(TID_W+1){1'b0}} : walk_q + {{TID_W{1'b0}}, !ready_o};
  end
endmodule

`default_nettype wire
