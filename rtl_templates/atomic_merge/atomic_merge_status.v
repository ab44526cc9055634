// SPDX-License-Identifier: Apache-2.0
// atomic_merge_status: the cache as a unit of a front end (AM-17): its state, when it may halt, and what a
// reset leaves. A halt closes the front and sends no fetch. When no fetch is open, here and in the other
// caches of the home (served_idle_i), the engine stops, too, at the next place between two requests, merges
// or lines, and what is in the pipelines comes to its end: then the cache is halted. A reset clears all;
// fills of fetches from before it are dropped until none is due. STATUS 0: every output is 0. Reset: running.
`default_nettype none

module atomic_merge_status #(
  parameter STATUS = 0,             // 0 none; state_o as 1 one_hot, 2 two_of_four, 3 binary
  parameter MISS_W = 3,
  parameter COUNT_W = 5,
  parameter BEATS = 2
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  input  wire served_idle_i,        // the other caches have no fetch open under this halt
  output wire idle_o,               // the same, of this one, for the others
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire fetched_i,            // a fetch is taken
  input  wire [MISS_W-1:0] fetch_tag_i,
  input  wire heard_i,              // a word of the home is taken
  input  wire home_snoop_i,
  input  wire home_error_i,
  input  wire [MISS_W-1:0] home_tag_i,
  input  wire offered_i,            // a request is offered, and would be taken but for closed_o
  input  wire ans_offered_i,        // an answer is there, whether it is shown or not
  input  wire ans_ready_i,
  input  wire rel_offered_i,        // a beat of a release is there
  input  wire rel_ready_i,
  input  wire quiet_i,              // nothing is under way in the pipelines and in the engine
  input  wire tids_ready_i,         // the thread ids are cleared
  input  wire holds_i,              // requests, misses, answers or releases are held
  input  wire nack_clear_i,         // a register write takes the sticky bit back

  output wire clear_o,              // pulse: all is cleared
  output wire closed_o,             // nothing is taken in and nothing begins
  output wire still_o,              // nothing moves
  output wire stops_o,              // the engine begins nothing more
  output wire drops_o               // words of the home are dropped
);
  generate
    if (STATUS != 0) begin : g_unit
      localparam [31:0] LAST_BEAT = BEATS - 1;
      reg dropping_q, served_q, idle_q;
      reg [(1<<MISS_W)-1:0] due_q;  // fetches that are not answered
      reg [COUNT_W-1:0] got_q;      // beats of a fill that came
      wire halt, halted, unused_resume;
      wire some_due = |due_q;
      wire can_halt = quiet_i && tids_ready_i && !some_due && served_q && !dropping_q;
      wire beat = heard_i && !home_snoop_i && due_q[home_tag_i];
      wire ends = beat && (home_error_i || got_q == LAST_BEAT[COUNT_W-1:0]);
      wire would = offered_i && !dropping_q;
      wire leaves = (ans_offered_i && ans_ready_i) || (rel_offered_i && rel_ready_i);
      wire blocked = (ans_offered_i && !ans_ready_i) || (rel_offered_i && !rel_ready_i);
      wire works = !quiet_i;
      assign closed_o = halt || halted || clear_o || dropping_q;
      assign still_o = halted || clear_o || (halt && can_halt);
      assign stops_o = halted || clear_o || (halt && !some_due && served_q);
      assign drops_o = dropping_q;
      assign idle_o = idle_q;
      always @(posedge clk_i) begin
        dropping_q <= clear_o || (dropping_q && (some_due || !tids_ready_i));
        served_q <= served_idle_i && halt && !clear_o;
        idle_q <= halt && !some_due && !clear_o && !dropping_q;
        if (fetched_i) due_q[fetch_tag_i] <= 1'b1;
        if (ends) due_q[home_tag_i] <= 1'b0;
        if (beat) got_q <= ends ? {COUNT_W{1'b0}} : got_q + 1'b1;
        if (rst_i) begin
          dropping_q <= 1'b0;
          served_q <= 1'b0;
          idle_q <= 1'b0;
          due_q <= {(1<<MISS_W){1'b0}};
          got_q <= {COUNT_W{1'b0}};
        end
      end
      unit_status_fsm #(.ENCODING(STATUS - 1)) u_status (
        .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i),
        .cmd_resume_i(cmd_resume_i), .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o),
        .gather_o(gather_o), .nack_o(nack_o), .st_in_i(would), .st_out_i(leaves), .st_proc_i(works),
        .st_work_i(holds_i || works), .st_mem_i(some_due), .st_mem_done_i(ends),
        .st_nack_i(beat && home_error_i && !dropping_q), .st_blocked_i(blocked),
        .st_cannot_i(!(would || leaves || works)),
        .st_progress_i((would && !closed_o) || (leaves && !still_o) || works), .st_gather_i(1'b0),
        .can_halt_i(can_halt), .nack_write_i(nack_clear_i), .nack_value_i(1'b0), .halt_req_o(halt),
        .halted_o(halted), .ctx_reset_o(clear_o), .resume_o(unused_resume));
    end else begin : g_no_unit
      assign state_o = 5'd0;
      assign {idle_o, progress_o, waiting_o, gather_o, nack_o} = 5'd0;
      assign {clear_o, closed_o, still_o, stops_o, drops_o} = 5'd0;
      wire unused = &{1'b0, clk_i, rst_i, cmd_halt_i, cmd_reset_i, cmd_resume_i, served_idle_i, fetched_i,
        fetch_tag_i, heard_i, home_snoop_i, home_error_i, home_tag_i, offered_i, ans_offered_i, ans_ready_i,
        rel_offered_i, rel_ready_i, quiet_i, tids_ready_i, holds_i, nack_clear_i};
    end
  endgenerate
endmodule

`default_nettype wire
