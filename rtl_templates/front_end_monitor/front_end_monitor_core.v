// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_core: halts, stores, resets, restores and releases the units under a tree of reports and
// commands, by switch domain (US-8); finds deadlocks and acts on them (US-10); keeps statistics (US-11).
//
// A report at conn_*_i is known to a domain's sequence ceil(log4(CONN_COUNT)) + 1 cycles later. A command is
// at mon_*_o in the cycle behind its decision. hub_*_o hold still until taken; one hub command at a time.
// Reset: no command, all registers at their defaults, statistics cleared. Which cycle does what:
// docs/front_end_monitor.md.
`default_nettype none

module front_end_monitor_core #(
  // Command connections: one for all, one per connection of reports, or one per unit; 0 broadcast, 1 group, 2
  // unit.
  parameter COMMANDS = 0,
  // Code of a unit's state: 5, 4 or 3 wires; binary has no code for mixed, so units stay separate; 0 one_hot,
  // 1 two_of_four, 2 binary.
  parameter ENCODING = 0,
  // Registers of the tree each way, as in status_tree; reports older than a command are not looked at; 2..8
  // registers.
  parameter STAGES = 3,
  // Cycles per connection and state: not kept, one connection looked at per cycle, or all in each cycle; 0
  // none, 1 sampled, 2 exact.
  parameter STATS = 1,
  parameter LOCAL_CONTEXTS = 0,  // local slots of the hub that a save or restore may name; 0..3 slots
  parameter ADDR_W = 32,         // width of a memory address of the hub; 16..64 bits
  // Width of timeout, windows, times and counts of deadlocks; the cycle counter has twice as many. Fewer take
  // less area; 8..32 bits.
  parameter TIME_W = 32,
  parameter UNIT_COUNT = 4,  // units under the front end, 1..1024
  parameter CONN_COUNT = 4,  // connections of reports, 1..UNIT_COUNT
  // The topology: the number of the first unit of each connection, with UNIT_COUNT as the last entry. In each
  // list an entry has 11 bits, and connection 0 stands lowest.
  parameter [11*CONN_COUNT+10:0] CONN_FIRST = {11'd4, 11'd3, 11'd2, 11'd1, 11'd0},
  parameter DOMAIN_COUNT = 1,                         // switch domains, 1..16
  parameter DEAD_COUNT = 1,                           // deadlock domains, 1..16
  parameter [11*CONN_COUNT-1:0] CONN_DOMAIN = 44'd0,  // switch domain of each connection
  parameter [11*CONN_COUNT-1:0] CONN_DEAD = 44'd0     // deadlock domain of each connection
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // State of each connection; no code word: mixed, or illegal from a single unit.
  input  wire [CONN_COUNT*((ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3)-1:0] conn_state_i,
  input  wire [CONN_COUNT-1:0] conn_progress_i,  // progress in some unit of the connection
  input  wire [CONN_COUNT-1:0] conn_waiting_i,   // some unit of it waits
  input  wire [CONN_COUNT-1:0] conn_gather_i,    // some unit of it waits for input
  input  wire [CONN_COUNT-1:0] conn_nack_i,      // some unit of it had a memory access refused

  // Halt, a level, per command connection.
  output wire [((COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT)-1:0] mon_halt_o,
  // Reset, a pulse.
  output wire [((COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT)-1:0] mon_reset_o,
  // Resume, a pulse.
  output wire [((COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT)-1:0] mon_resume_o,

  output wire hub_valid_o,  // a command to the hub is offered; it holds still until taken
  input  wire hub_ready_i,  // the hub takes it
  output wire hub_load_o,  // 1: restore, 0: save
  output wire [((UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1)-1:0] hub_unit_o,  // number of the unit
  output wire [1:0] hub_slot_o,  // 0: memory, else the local slot
  output wire [ADDR_W-1:0] hub_base_o,  // base of the contexts in memory
  input  wire hub_done_i,  // pulse: the command taken last has ended
  input  wire [3:0] hub_error_i,  // 0 good, else what was wrong

  output wire irq_o,  // level: an enabled interrupt is pending

  input  wire reg_req_valid_i,  // a register access is offered; hold it until taken
  output wire reg_req_ready_o,  // the register access of this cycle is taken
  input  wire reg_req_write_i,  // 1: write, 0: read
  input  wire [9:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o  // the access was refused: unknown address, value out of range, or not now
);
  localparam STATE_W = (ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3;
  localparam COMMAND_COUNT = (COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT;
  localparam LEVELS = ($clog2(CONN_COUNT) + 1) / 2;
  localparam MONITOR_LATENCY = LEVELS + 1;
  localparam SETTLE = 2 * STAGES + 1 + MONITOR_LATENCY;
  localparam SAMPLE_INTERVAL = CONN_COUNT + 4;
  localparam UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1;
  localparam CONN_W = (CONN_COUNT > 1) ? $clog2(CONN_COUNT) : 1;
  localparam DOMAIN_W = (DOMAIN_COUNT > 1) ? $clog2(DOMAIN_COUNT) : 1;
  localparam DEAD_W = (DEAD_COUNT > 1) ? $clog2(DEAD_COUNT) : 1;
  localparam EACH = (COMMANDS != 0) ? 1 : 0;
  wire unused_interval = &{1'b0, SAMPLE_INTERVAL[0]};

  generate
    if (COMMANDS < 0 || COMMANDS > 2) begin : g_commands_range
      front_end_monitor_COMMANDS_out_of_range check ();
    end
    if (ENCODING < 0 || ENCODING > 2) begin : g_encoding_range
      front_end_monitor_ENCODING_out_of_range check ();
    end
    if (STAGES < 2 || STAGES > 8) begin : g_stages_range
      front_end_monitor_STAGES_out_of_range check ();
    end
    if (STATS < 0 || STATS > 2) begin : g_stats_range
      front_end_monitor_STATS_out_of_range check ();
    end
    if (LOCAL_CONTEXTS < 0 || LOCAL_CONTEXTS > 3) begin : g_local_contexts_range
      front_end_monitor_LOCAL_CONTEXTS_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 64) begin : g_addr_w_range
      front_end_monitor_ADDR_W_out_of_range check ();
    end
    if (TIME_W < 8 || TIME_W > 32) begin : g_time_w_range
      front_end_monitor_TIME_W_out_of_range check ();
    end
    if (UNIT_COUNT < 1 || UNIT_COUNT > 1024) begin : g_unit_count_range
      front_end_monitor_UNIT_COUNT_out_of_range check ();
    end
    if (CONN_COUNT < 1 || CONN_COUNT > UNIT_COUNT) begin : g_conn_count_range
      front_end_monitor_CONN_COUNT_out_of_range check ();
    end
    if (DOMAIN_COUNT < 1 || DOMAIN_COUNT > 16 || DOMAIN_COUNT > CONN_COUNT) begin : g_domain_count_range
      front_end_monitor_DOMAIN_COUNT_out_of_range check ();
    end
    if (DEAD_COUNT < 1 || DEAD_COUNT > 16 || DEAD_COUNT > CONN_COUNT) begin : g_dead_count_range
      front_end_monitor_DEAD_COUNT_out_of_range check ();
    end
    if (COMMANDS == 0 && DOMAIN_COUNT > 1) begin : g_broadcast_range
      front_end_monitor_COMMANDS_broadcast_with_domains check ();
    end
    if (STATS == 2 && CONN_COUNT > 64) begin : g_exact_range
      front_end_monitor_STATS_exact_above_64_connections check ();
    end
  endgenerate

  // ---- reports of this cycle, by connection --------------------------------------------------------------
  wire [CONN_COUNT-1:0] halted, empty;
  genvar c, d, k;
  generate
    for (c = 0; c < CONN_COUNT; c = c + 1) begin : g_decode
      wire [STATE_W-1:0] code = conn_state_i[c*STATE_W+:STATE_W];
      wire unused = &{1'b0, code};
      if (ENCODING == 0) begin : g_one_hot
        assign {halted[c], empty[c]} = {code[4], code[0]};
      end else if (ENCODING == 1) begin : g_two_of_four
        assign {halted[c], empty[c]} = {code[3] && code[1], code[1] && code[0]};
      end else begin : g_binary
        assign {halted[c], empty[c]} = {code[2], code == 3'd0};
      end
    end
  endgenerate

  // One cycle more than the gates of four inputs need: for the codes in which halted is no single wire, in
  // front. One by one those are told apart that have passed: they were reset (or are through), and halt a
  // second time.
  wire [CONN_COUNT-1:0] passed, halted_in, again_in, empty_in;
  wire [3*CONN_COUNT-1:0] known = {halted | passed, halted | ~passed, empty};
  generate
    if (ENCODING == 0) begin : g_direct
      assign {halted_in, again_in, empty_in} = known;
    end else begin : g_decoded
      reg [3*CONN_COUNT-1:0] known_q;
      always @(posedge clk_i) known_q <= rst_i ? {3*CONN_COUNT{1'b0}} : known;
      assign {halted_in, again_in, empty_in} = known_q;
    end
  endgenerate

  // ---- which connections a domain has --------------------------------------------------------------------
  // Used at elaboration only.
  // verilator coverage_off
  function [CONN_COUNT-1:0] members(input [11*CONN_COUNT-1:0] of, input integer number);
    integer n;
    for (n = 0; n < CONN_COUNT; n = n + 1) members[n] = {21'd0, of[11*n+:11]} == number;
  endfunction
  function integer count(input [CONN_COUNT-1:0] which);
    integer n;
    begin
      count = 0;
      for (n = 0; n < CONN_COUNT; n = n + 1) if (which[n]) count = count + 1;
    end
  endfunction
  // verilator coverage_on

  // ---- switch domains ------------------------------------------------------------------------------------
  // late_now: those of a timeout that expires in this cycle
  wire [CONN_COUNT-1:0] late, lost_conns, late_now;
  wire [DOMAIN_COUNT-1:0] begins, aborts, retries, taken, works, reset_one, first, done, error, halt, start,
                          reset_all, expire, again_expire, reset_late, settled, forced, watch, finish, fail,
                          lost, did_reset, ending;
  wire [3*DOMAIN_COUNT-1:0] stage, running;
  wire [4*DOMAIN_COUNT-1:0] code;
  wire [UNIT_W*DOMAIN_COUNT-1:0] error_unit;
  wire [TIME_W*DOMAIN_COUNT-1:0] age;
  wire [4*TIME_W*DOMAIN_COUNT-1:0] times;
  wire [2:0] what;
  wire [TIME_W-1:0] timeout;
  wire timeout_on, timeout_write;
  wire [1:0] timeout_policy;
  wire [UNIT_W-1:0] walk_unit, reset_which;
  generate
    for (d = 0; d < DOMAIN_COUNT; d = d + 1) begin : g_domain
      localparam [CONN_COUNT-1:0] MEMBERS = members(CONN_DOMAIN, d);
      wire halted_all, again_all, empty_all;
      wire halted_known, again_known, empty_known;
      front_end_monitor_fold #(.INPUTS(CONN_COUNT), .LEVELS(LEVELS), .ALL(1), .MEMBERS(MEMBERS)) u_halted (
        .clk_i(clk_i), .rst_i(rst_i), .in_i(halted_in), .out_o(halted_all));
      front_end_monitor_fold #(.INPUTS(CONN_COUNT), .LEVELS(LEVELS), .ALL(1), .MEMBERS(MEMBERS)) u_empty (
        .clk_i(clk_i), .rst_i(rst_i), .in_i(empty_in), .out_o(empty_all));
      if (EACH != 0) begin : g_again
        front_end_monitor_fold #(.INPUTS(CONN_COUNT), .LEVELS(LEVELS), .ALL(1), .MEMBERS(MEMBERS)) u_again (
          .clk_i(clk_i), .rst_i(rst_i), .in_i(again_in), .out_o(again_all));
      end else begin : g_together
        assign again_all = 1'b1;
        wire unused = &{1'b0, again_in};
      end
      if (ENCODING == 0) begin : g_behind
        reg halted_q, again_q, empty_q;
        always @(posedge clk_i) {halted_q, again_q, empty_q} <= rst_i ? 3'd0
            : {halted_all, again_all, empty_all};
        assign {halted_known, again_known, empty_known} = {halted_q, again_q, empty_q};
      end else begin : g_known
        assign {halted_known, again_known, empty_known} = {halted_all, again_all, empty_all};
      end
      front_end_monitor_domain #(
        .CONNS(count(MEMBERS)), .EACH(EACH), .SETTLE(SETTLE), .UNIT_W(UNIT_W), .TIME_W(TIME_W),
        .TIMES((STATS != 0) ? 1 : 0)
      ) u_domain (
        .clk_i(clk_i), .rst_i(rst_i), .all_halted_i(halted_known), .again_halted_i(again_known),
        .all_empty_i(empty_known),
        .begin_i(begins[d]), .abort_i(aborts[d]), .retry_i(retries[d]), .what_i(what), .taken_o(taken[d]),
        .timeout_i(timeout),
        .timeout_on_i(timeout_on), .timeout_write_i(timeout_write), .policy_i(timeout_policy),
        .works_i(works[d]), .reset_i(reset_one[d]), .first_i(first[d]), .done_i(done[d]), .error_i(error[d]),
        .error_code_i(hub_error_i), .error_unit_i(walk_unit),
        .halt_o(halt[d]), .start_o(start[d]), .reset_all_o(reset_all[d]), .expire_o(expire[d]),
        .again_expire_o(again_expire[d]), .reset_late_o(reset_late[d]),
        .settled_o(settled[d]), .forced_o(forced[d]), .watch_o(watch[d]), .age_o(age[TIME_W*d+:TIME_W]),
        .finish_o(finish[d]), .fail_o(fail[d]), .stage_o(stage[3*d+:3]), .what_o(running[3*d+:3]),
        .code_o(code[4*d+:4]), .unit_o(error_unit[UNIT_W*d+:UNIT_W]), .lost_o(lost[d]),
        .did_reset_o(did_reset[d]), .ending_o(ending[d]), .times_o(times[4*TIME_W*d+:4*TIME_W]));
    end
  endgenerate

  wire [ADDR_W*DOMAIN_COUNT-1:0] save_base, load_base;
  wire [2*DOMAIN_COUNT-1:0] save_slot, load_slot;
  front_end_monitor_walk #(
    .CONNS(CONN_COUNT), .DOMAINS(DOMAIN_COUNT), .COMMANDS(COMMANDS), .LEVELS(LEVELS),
    .ADDR_W(ADDR_W), .UNIT_W(UNIT_W), .CONN_W(CONN_W), .DOMAIN_W(DOMAIN_W), .CONN_FIRST(CONN_FIRST),
    .CONN_DOMAIN(CONN_DOMAIN)
  ) u_walk (
    .clk_i(clk_i), .rst_i(rst_i), .halted_i(halted), .start_i(start), .stage_i(stage), .what_i(running),
    .ending_i(ending), .settled_i(settled), .forced_i(forced), .lost_i(lost_conns), .passed_o(passed),
    .save_base_i(save_base), .load_base_i(load_base), .save_slot_i(save_slot), .load_slot_i(load_slot),
    .works_o(works), .reset_o(reset_one), .reset_which_o(reset_which), .first_o(first), .done_o(done),
    .error_o(error), .unit_o(walk_unit), .hub_valid_o(hub_valid_o), .hub_ready_i(hub_ready_i),
    .hub_load_o(hub_load_o), .hub_unit_o(hub_unit_o), .hub_slot_o(hub_slot_o), .hub_base_o(hub_base_o),
    .hub_done_i(hub_done_i), .hub_error_i(hub_error_i));

  // ---- deadlock domains ----------------------------------------------------------------------------------
  wire [DEAD_COUNT-1:0] window_write, dead, restart, again, open, acted;
  wire [TIME_W*DEAD_COUNT-1:0] window, seen, resolved;
  wire [5*DEAD_COUNT-1:0] dead_policy;
  wire [2*DEAD_COUNT-1:0] action;
  generate
    for (k = 0; k < DEAD_COUNT; k = k + 1) begin : g_dead
      localparam [CONN_COUNT-1:0] MEMBERS = members(CONN_DEAD, k);
      wire progress, waiting;
      wire [DOMAIN_COUNT-1:0] touched;             // switch domains with a connection in it
      for (d = 0; d < DOMAIN_COUNT; d = d + 1) begin : g_touched
        assign touched[d] = |(MEMBERS & members(CONN_DOMAIN, d));
      end
      front_end_monitor_fold #(.INPUTS(CONN_COUNT), .LEVELS(LEVELS), .ALL(0), .MEMBERS(MEMBERS)) u_progress (
        .clk_i(clk_i), .rst_i(rst_i), .in_i(conn_progress_i), .out_o(progress));
      front_end_monitor_fold #(.INPUTS(CONN_COUNT), .LEVELS(LEVELS), .ALL(0), .MEMBERS(MEMBERS)) u_waiting (
        .clk_i(clk_i), .rst_i(rst_i), .in_i(conn_waiting_i), .out_o(waiting));
      front_end_monitor_dead #(.TIME_W(TIME_W), .RELEASED(SETTLE - 1)) u_dead (
        .clk_i(clk_i), .rst_i(rst_i), .progress_i(progress), .waiting_i(waiting), .held_i(|(halt & touched)),
        .write_i(window_write[k]), .window_i(window[TIME_W*k+:TIME_W]), .policy_i(dead_policy[5*k+:2]),
        .next_policy_i(dead_policy[5*k+2+:2]), .next_i(dead_policy[5*k+4]), .dead_o(dead[k]),
        .restart_o(restart[k]), .again_o(again[k]), .action_o(action[2*k+:2]), .open_o(open[k]),
        .acted_o(acted[k]),
        .seen_o(seen[TIME_W*k+:TIME_W]), .resolved_o(resolved[TIME_W*k+:TIME_W]));
    end
  endgenerate

  // ---- what is kept of each connection -------------------------------------------------------------------
  wire [CONN_COUNT-1:0] dead_conns, waited, gathered; // waited, gathered: since the window began
  // it only gathers: a resume is to help it. One that has not moved is reset by the next action.
  wire [CONN_COUNT-1:0] only;
  generate
    for (c = 0; c < CONN_COUNT; c = c + 1) begin : g_conn
      localparam integer D = {21'd0, CONN_DOMAIN[11*c+:11]}, K = {21'd0, CONN_DEAD[11*c+:11]};
      reg late_q, lost_q, dead_q, waited_q, gathered_q;
      wire expires = passed[c] ? again_expire[D] : expire[D];
      assign late_now[c] = expires && ((stage[3*D+:3] == 3'd6) ? !empty[c] : !halted[c]);
      assign waited[c] = conn_waiting_i[c] || waited_q;
      assign gathered[c] = conn_gather_i[c] || gathered_q;
      assign only[c] = gathered[c] && !acted[K];
      always @(posedge clk_i) begin
        if (rst_i || start[D]) late_q <= 1'b0;
        else if (expire[D] || again_expire[D]) late_q <= late_now[c];
        if (rst_i || start[D]) lost_q <= 1'b0;
        else if (reset_late[D] && (EACH == 0 || late_now[c])) lost_q <= 1'b1;
        if (rst_i) dead_q <= 1'b0;
        else if (|dead) dead_q <= dead[K] && waited[c];
        waited_q <= restart[K] ? conn_waiting_i[c] : waited[c];
        gathered_q <= restart[K] ? conn_gather_i[c] : gathered[c];
      end
      assign {late[c], lost_conns[c], dead_conns[c]} = {late_q, lost_q, dead_q};
    end
  endgenerate

  // ---- commands ------------------------------------------------------------------------------------------
  wire [COMMAND_COUNT-1:0] mask;
  reg [COMMAND_COUNT-1:0] reset_q, resume_q;
  assign mon_reset_o = reset_q;
  assign mon_resume_o = resume_q;
  generate
    if (COMMANDS == 0) begin : g_broadcast
      // One line for all: a reset or a resume of some is one of all.
      wire [DEAD_COUNT-1:0] resumes, resets;
      for (k = 0; k < DEAD_COUNT; k = k + 1) begin : g_action
        localparam [CONN_COUNT-1:0] MEMBERS = members(CONN_DEAD, k);
        // Those that only gather are resumed, not reset (US-10), as long as nobody else waits.
        wire spares = |(MEMBERS & only) && !(|(MEMBERS & waited & ~only));
        wire resolves = dead[k] && (action[2*k+:2] == 2'd3 || (action[2*k+:2] == 2'd2 && mask[0]));
        assign resumes[k] = (dead[k] && action[2*k+:2] == 2'd1 && |(MEMBERS & gathered))
                            || (resolves && spares);
        assign resets[k] = resolves && !spares;
      end
      assign mon_halt_o = halt;
      always @(posedge clk_i) begin
        reset_q <= !rst_i && (reset_all[0] || reset_late[0] || |resets);
        resume_q <= !rst_i && |resumes;
      end
      wire unused = &{1'b0, reset_which, reset_one};
    end else begin : g_separate
      for (c = 0; c < CONN_COUNT; c = c + 1) begin : g_conn
        localparam integer D = {21'd0, CONN_DOMAIN[11*c+:11]}, K = {21'd0, CONN_DEAD[11*c+:11]};
        localparam integer FIRST = (COMMANDS == 1) ? c : {21'd0, CONN_FIRST[11*c+:11]};
        localparam integer LAST = (COMMANDS == 1) ? c : {21'd0, CONN_FIRST[11*c+11+:11]} - 1;
        // One that only gathers is resumed, not reset (US-10).
        wire cured = reset_late[D] && late_now[c];
        wire all = dead[K] && action[2*K+:2] == 2'd3;
        wire masked = dead[K] && action[2*K+:2] == 2'd2;
        wire resumes = dead[K] && action[2*K+:2] == 2'd1 && gathered[c];
        for (d = FIRST; d <= LAST; d = d + 1) begin : g_command
          localparam integer THIS = d;
          assign mon_halt_o[d] = halt[D];
          wire resolves = all || (masked && mask[d]);
          always @(posedge clk_i) begin
            reset_q[d] <= !rst_i && ((reset_one[D] && reset_which == THIS[UNIT_W-1:0]) || cured
                                     || (resolves && !only[c]));
            resume_q[d] <= !rst_i && (resumes || (resolves && only[c]));
          end
        end
      end
      wire unused = &{1'b0, reset_all};
    end
  endgenerate

  // ---- statistics and registers --------------------------------------------------------------------------
  wire look_valid, read, read_latency, clear, hold;
  wire [CONN_W-1:0] look_conn, conn;
  wire [2:0] look_state, which;
  wire [3:0] look_flags;
  wire [47:0] counted;
  wire [2*TIME_W-1:0] latency;
  front_end_monitor_stats #(
    .CONNS(CONN_COUNT), .DOMAINS(DOMAIN_COUNT), .LEVELS(LEVELS), .ENCODING(ENCODING), .STATE_W(STATE_W),
    .STATS(STATS), .CONN_W(CONN_W), .DOMAIN_W(DOMAIN_W), .TIME_W(TIME_W), .CONN_FIRST(CONN_FIRST),
    .CONN_DOMAIN(CONN_DOMAIN)
  ) u_stats (
    .clk_i(clk_i), .rst_i(rst_i), .state_i(conn_state_i), .progress_i(conn_progress_i),
    .waiting_i(conn_waiting_i), .gather_i(conn_gather_i), .nack_i(conn_nack_i), .halt_i(halt),
    .watch_i(watch), .age_i(age), .clear_i(clear), .hold_i(hold), .look_valid_o(look_valid),
    .look_conn_o(look_conn), .look_state_o(look_state), .look_flags_o(look_flags), .read_conn_i(conn),
    .read_which_i(which), .read_o(read), .count_o(counted), .read_latency_o(read_latency),
    .latency_o(latency));

  front_end_monitor_regs #(
    .UNITS(UNIT_COUNT), .CONNS(CONN_COUNT), .DOMAINS(DOMAIN_COUNT), .DEADS(DEAD_COUNT), .COMMANDS(COMMANDS),
    .COMMAND_COUNT(COMMAND_COUNT), .ENCODING(ENCODING), .STAGES(STAGES), .LEVELS(LEVELS), .SETTLE(SETTLE),
    .STATS(STATS), .LOCAL_CONTEXTS(LOCAL_CONTEXTS), .ADDR_W(ADDR_W), .TIME_W(TIME_W), .UNIT_W(UNIT_W),
    .CONN_W(CONN_W), .DOMAIN_W(DOMAIN_W), .DEAD_W(DEAD_W)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst_i), .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .irq_o(irq_o), .begin_o(begins), .abort_o(aborts), .retry_o(retries), .what_o(what), .taken_i(taken),
    .timeout_o(timeout), .timeout_on_o(timeout_on), .timeout_write_o(timeout_write),
    .timeout_policy_o(timeout_policy), .save_base_o(save_base), .load_base_o(load_base),
    .save_slot_o(save_slot), .load_slot_o(load_slot), .stage_i(stage), .running_i(running), .code_i(code),
    .unit_i(error_unit), .lost_i(lost), .did_reset_i(did_reset), .ending_i(ending), .times_i(times),
    .finish_i(|finish), .fail_i(|fail), .expire_i(|expire || |again_expire), .late_i(late),
    .lost_conns_i(lost_conns), .window_write_o(window_write), .window_o(window), .dead_policy_o(dead_policy),
    .dead_i(dead), .again_i(|again), .open_i(open), .seen_i(seen), .resolved_i(resolved),
    .dead_conns_i(dead_conns), .mask_o(mask), .look_valid_i(look_valid), .look_conn_i(look_conn),
    .look_state_i(look_state), .look_flags_i(look_flags), .conn_o(conn), .which_o(which), .read_i(read),
    .count_i(counted), .read_latency_i(read_latency), .latency_i(latency), .clear_o(clear), .hold_o(hold));
endmodule

`default_nettype wire
