// SPDX-License-Identifier: Apache-2.0
// front_end_monitor_regs: the register port (US-12). An access taken in one cycle is looked at in the next,
// which leaves one register for each kind of write, executes in the one after that and then answers; a read
// of a connection's state waits until that is looked at, a read of a count until the RAM is free. One access
// at a time. Interrupts, the cycle counter, the selects, and the registers of the domains are here.
`default_nettype none

module front_end_monitor_regs #(
  parameter UNITS = 4,    // units
  parameter CONNS = 4,    // connections of reports
  parameter DOMAINS = 1,  // switch domains
  parameter DEADS = 1,    // deadlock domains
  // Command connections: one for all, one per connection of reports, or one per unit; 0 broadcast, 1 group, 2
  // unit.
  parameter COMMANDS = 0,
  parameter COMMAND_COUNT = 1,  // command connections, as COMMANDS has them
  // Code of a unit's state: 5, 4 or 3 wires; binary has no code for mixed, so units stay separate; 0 one_hot,
  // 1 two_of_four, 2 binary.
  parameter ENCODING = 0,
  // Registers of the tree each way, as in status_tree; reports older than a command are not looked at; 2..8
  // registers.
  parameter STAGES = 3,
  parameter LEVELS = 1,  // registers of a fold over all connections
  parameter SETTLE = 9,  // cycles from a command to the report of its effect
  // Cycles per connection and state: not kept, one connection looked at per cycle, or all in each cycle; 0
  // none, 1 sampled, 2 exact.
  parameter STATS = 1,
  parameter LOCAL_CONTEXTS = 0,  // local slots of the hub that a save or restore may name; 0..3 slots
  parameter ADDR_W = 32,         // width of a memory address of the hub; 16..64 bits
  // Width of timeout, windows, times and counts of deadlocks; the cycle counter has twice as many. Fewer take
  // less area; 8..32 bits.
  parameter TIME_W = 32,
  // Bits of the numbers of units, connections, switch domains and deadlock domains.
  parameter UNIT_W = 2,
  parameter CONN_W = 2,
  parameter DOMAIN_W = 1,
  parameter DEAD_W = 1
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire reg_req_valid_i,  // a register access is offered; hold it until taken
  output wire reg_req_ready_o,  // the register access of this cycle is taken
  input  wire reg_req_write_i,  // 1: write, 0: read
  input  wire [9:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o,  // the access was refused: unknown address, value out of range, or not now
  output wire irq_o,  // level: an enabled interrupt is pending

  output reg  [DOMAINS-1:0] begin_o,             // a command executes
  output reg  [DOMAINS-1:0] abort_o,             // an abort executes, per switch domain
  output reg  [DOMAINS-1:0] retry_o,             // a retry executes, per switch domain
  output wire [2:0] what_o,                      // the command: 1 switch, 2 save, 3 restore, 4 empty, 5 drain
  input  wire [DOMAINS-1:0] taken_i,             // per switch domain: it takes the command
  output wire [TIME_W-1:0] timeout_o,            // cycles that a command may wait; 0: no end
  output reg  timeout_on_o,                      // it is not 0
  output reg  timeout_write_o,                   // it, or its policy, was written in the last cycle
  output wire [1:0] timeout_policy_o,            // at a timeout: 0 wait, 1 abort, 2 reset
  output wire [ADDR_W*DOMAINS-1:0] save_base_o,  // per switch domain: where images are saved, a byte address
  output wire [ADDR_W*DOMAINS-1:0] load_base_o,  // per switch domain: where images are loaded from
  output wire [2*DOMAINS-1:0] save_slot_o,       // per switch domain: the slot to save to, 0 memory
  output wire [2*DOMAINS-1:0] load_slot_o,       // per switch domain: the slot to load from, 0 memory
  // State of each switch domain, as front_end_monitor_domain reports it; domain 0 lowest.
  input  wire [3*DOMAINS-1:0] stage_i,
  input  wire [3*DOMAINS-1:0] running_i,       // the command
  input  wire [4*DOMAINS-1:0] code_i,
  input  wire [UNIT_W*DOMAINS-1:0] unit_i,
  input  wire [DOMAINS-1:0] lost_i,
  input  wire [DOMAINS-1:0] did_reset_i,
  input  wire [DOMAINS-1:0] ending_i,
  input  wire [4*TIME_W*DOMAINS-1:0] times_i,

  // Events of this cycle, for interrupts: a command is done, one has failed, a timeout.
  input  wire finish_i,
  input  wire fail_i,
  input  wire expire_i,
  input  wire [CONNS-1:0] late_i,        // connections that were late at the last timeout
  input  wire [CONNS-1:0] lost_conns_i,  // connections reset by timeout: not stored

  output wire [DEADS-1:0] window_write_o,     // per deadlock domain: its window is written
  output wire [TIME_W*DEADS-1:0] window_o,    // per deadlock domain: cycles of its window, 0 off
  output wire [5*DEADS-1:0] dead_policy_o,    // next, policy then, policy
  input  wire [DEADS-1:0] dead_i,             // per deadlock domain: a deadlock is reported
  input  wire again_i,                        // one of those is dead behind a dead window
  input  wire [DEADS-1:0] open_i,             // per deadlock domain: dead, and no progress since
  input  wire [TIME_W*DEADS-1:0] seen_i,      // per deadlock domain: deadlocks reported
  input  wire [TIME_W*DEADS-1:0] resolved_i,  // per deadlock domain: deadlocks that ended with progress
  input  wire [CONNS-1:0] dead_conns_i,       // connections that waited in the last deadlock
  output reg  [COMMAND_COUNT-1:0] mask_o,     // command connections that a reset by policy is for

  input  wire look_valid_i,              // the look of this cycle, as front_end_monitor_stats gives it:
  input  wire [CONN_W-1:0] look_conn_i,  // connection
  input  wire [2:0] look_state_i,        // state: 0 empty .. 4 halted, 5 mixed, 6 illegal
  input  wire [3:0] look_flags_i,        // flags: nack, gather, waiting, progress
  output wire [CONN_W-1:0] conn_o,       // connection that software has selected
  output wire [2:0] which_o,             // which of its counts is read
  input  wire read_i,                    // the count is at count_i in the next cycle
  input  wire [47:0] count_i,            // cycles counted
  input  wire read_latency_i,            // the latencies are at latency_i in the next cycle
  input  wire [2*TIME_W-1:0] latency_i,  // worst and last latency of a halt, in cycles
  output wire clear_o,                   // pulse: all counts are cleared
  output reg  hold_o                     // level: counts stand still
);
  localparam [9:0] ID = 10'h000, SHAPE = 10'h004, OPTIONS = 10'h008, LATENCY = 10'h00c, CYCLE_LO = 10'h010,
    CYCLE_HI = 10'h014, IRQ_STATUS = 10'h018, IRQ_ENABLE = 10'h01c, DOMAIN = 10'h020, COMMAND = 10'h024,
    STATUS = 10'h028, ERROR_UNIT = 10'h02c, SAVE_BASE_LO = 10'h030, SAVE_BASE_HI = 10'h034,
    LOAD_BASE_LO = 10'h038, LOAD_BASE_HI = 10'h03c, SLOTS = 10'h040, TIMEOUT = 10'h044,
    TIMEOUT_POLICY = 10'h048, DEAD = 10'h050, WINDOW = 10'h054, DEAD_POLICY = 10'h058, DEAD_SEEN = 10'h05c,
    DEAD_RESOLVED = 10'h060, DEAD_LAST = 10'h064, DEAD_CYCLE_LO = 10'h068, DEAD_CYCLE_HI = 10'h06c,
    TIME_HALT = 10'h070, TIME_STORE = 10'h074, TIME_RESET = 10'h078, TIME_RESTORE = 10'h07c, CONN = 10'h080,
    CONN_STATE = 10'h084, HALT_LAST = 10'h088, HALT_WORST = 10'h08c, NACK_CONN = 10'h090,
    ILLEGAL_CONN = 10'h094, STATS_CONTROL = 10'h098, COUNT_HI = 10'h09c, COUNT = 10'h0a0;
  localparam WIDE = (ADDR_W > 32);
  localparam [63:0] KEEP = ~(~64'd0 << ADDR_W);    // bits of a base
  localparam [31:0] MOST = 32'hffffffff >> (32 - TIME_W);  // bits of a time
  localparam [31:0] USUAL = (MOST < 32'd65536) ? MOST : 32'd65536;  // timeout and windows after a reset

  // ---- an access ---------------------------------------------------------------------------------------
  // what it waits for
  localparam [2:0] NOTHING = 3'd0, LOOK = 3'd1, RAM = 3'd2, RAM_LATENCY = 3'd3, DECODE = 3'd4;
  wire taken, executes, unused_busy, write, good;
  wire [9:0] addr;
  wire [31:0] data;
  wire [31:0] read_d;
  reg [2:0] waits_q, waited_q;
  register_port #(.ADDR_W(10)) u_port (
    .clk_i(clk_i), .rst_i(rst_i),
    .reg_req_valid_i(reg_req_valid_i), .reg_req_ready_o(reg_req_ready_o), .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o), .reg_rsp_data_o(reg_rsp_data_o), .reg_rsp_error_o(reg_rsp_error_o),
    .closed_i(1'b0), .taken_o(taken), .waits_i(waits_q != NOTHING), .busy_o(unused_busy),
    .executes_o(executes), .write_o(write), .addr_o(addr), .data_o(data), .good_i(good), .word_i(read_d));
  wire [9:0] a = reg_req_addr_i;
  wire is_count = a[9:5] == COUNT[9:5] && a[4:0] < 5'd24 && a[1:0] == 2'd0;
  wire is_latency = a == HALT_LAST || a == HALT_WORST;
  wire comes = (waits_q == LOOK) ? look_valid_i && look_conn_i == conn_o : (waits_q == RAM) ? read_i
               : (waits_q == RAM_LATENCY) ? read_latency_i : 1'b1;
  reg [6:0] looked_q;
  always @(posedge clk_i) begin
    if (rst_i) begin
      waits_q <= NOTHING;
      waited_q <= NOTHING;
    end else begin
      if (taken) begin
        waits_q <= a == CONN_STATE && !reg_req_write_i ? LOOK : (STATS == 0 || reg_req_write_i) ? DECODE
                   : is_count ? RAM : is_latency ? RAM_LATENCY : DECODE;
        waited_q <= NOTHING;
      end else if (waits_q != NOTHING && comes) begin
        waits_q <= NOTHING;
        waited_q <= waits_q;
      end
    end
    // what an access waited for is there in the cycle in which it executes
    looked_q <= {look_flags_i, look_state_i};
  end
  assign which_o = addr[4:2];

  // ---- what a write asks, of its address and data alone ---------------------------------------------------
  localparam integer MASK_WORDS = (COMMAND_COUNT + 31) / 32;
  localparam [3:0] SLOT_EXISTS = 4'hf >> (3 - LOCAL_CONTEXTS);
  wire slots_good = (data & 32'hfffffcfc) == 32'd0 && SLOT_EXISTS[data[1:0]] && SLOT_EXISTS[data[9:8]];
  wire low_good = (data & ~KEEP[31:0]) == 32'd0, high_good = WIDE && (data & ~KEEP[63:32]) == 32'd0;
  wire [4:0] at = addr[6:2];
  wire is_late, is_dead, is_mask, is_lost;
  wire [31:0] late_word, dead_word, mask_word, lost_word;
  register_vector #(.BITS(CONNS), .AT(10'h100)) u_late (
    .addr_i(addr), .bits_i(late_i), .hit_o(is_late), .word_o(late_word));
  register_vector #(.BITS(CONNS), .AT(10'h180)) u_dead_conns (
    .addr_i(addr), .bits_i(dead_conns_i), .hit_o(is_dead), .word_o(dead_word));
  register_vector #(.BITS(COMMAND_COUNT), .AT(10'h200)) u_mask (
    .addr_i(addr), .bits_i(mask_o), .hit_o(is_mask), .word_o(mask_word));
  register_vector #(.BITS(CONNS), .AT(10'h280)) u_lost (
    .addr_i(addr), .bits_i(lost_conns_i), .hit_o(is_lost), .word_o(lost_word));
  wire [31:0] last_word_keeps = (COMMAND_COUNT % 32 == 0 || {1'b0, at} + 6'd1 < MASK_WORDS[5:0])
                                ? 32'hffffffff
                                : ~(32'hffffffff << (COMMAND_COUNT % 32));
  wire is_time, domain_there, dead_there, conn_there, policy_there, irqs_there;
  register_range #(.MOST(MOST)) u_time_range (.data_i(data), .good_o(is_time));
  register_range #(.MOST(DOMAINS - 1)) u_domain_range (.data_i(data), .good_o(domain_there));
  register_range #(.MOST(DEADS - 1)) u_dead_range (.data_i(data), .good_o(dead_there));
  register_range #(.MOST(CONNS - 1)) u_conn_range (.data_i(data), .good_o(conn_there));
  register_range #(.MOST(32'd2)) u_policy_range (.data_i(data), .good_o(policy_there));
  register_range #(.MOST(32'd127)) u_irqs_range (.data_i(data), .good_o(irqs_there));
  reg to_domain_q, to_dead_q, to_conn_q, to_timeout_q, to_timeout_policy_q, to_enable_q, to_irq_q, to_stats_q,
      to_window_q, to_dead_policy_q, to_mask_q, to_save_low_q, to_save_high_q, to_load_low_q, to_load_high_q,
      to_slots_q;
  always @(posedge clk_i) begin
    to_domain_q <= write && addr == DOMAIN && domain_there;
    to_dead_q <= write && addr == DEAD && dead_there;
    to_conn_q <= write && addr == CONN && conn_there;
    // else no report could come in time
    to_timeout_q <= write && addr == TIMEOUT && is_time
                    && (data == 32'd0 || data[31:6] != 26'd0 || {26'd0, data[5:0]} > SETTLE);
    to_timeout_policy_q <= write && addr == TIMEOUT_POLICY && policy_there;
    to_enable_q <= write && addr == IRQ_ENABLE && irqs_there;
    to_irq_q <= write && addr == IRQ_STATUS;
    to_stats_q <= STATS != 0 && write && addr == STATS_CONTROL && data[31:2] == 30'd0;
    to_window_q <= write && addr == WINDOW && is_time;
    to_dead_policy_q <= write && addr == DEAD_POLICY && data[31:7] == 25'd0
                        && !(data[6:4] != 3'd0 && !data[6])
                        && data[3:2] == 2'd0;
    to_mask_q <= write && is_mask && (data & ~last_word_keeps) == 32'd0;
    to_save_low_q <= write && addr == SAVE_BASE_LO && low_good;
    to_save_high_q <= write && addr == SAVE_BASE_HI && high_good;
    to_load_low_q <= write && addr == LOAD_BASE_LO && low_good;
    to_load_high_q <= write && addr == LOAD_BASE_HI && high_good;
    to_slots_q <= write && addr == SLOTS && slots_good;
  end

  // ---- which word a read asks for; none for a write, or when there is no such word ------------------------
  genvar w;
  // Of constants alone: it runs at elaboration, never later.
  // verilator coverage_off
  function readable(input [9:0] address);
    case (address)
      COMMAND, 10'h04c: readable = 1'b0;
      SAVE_BASE_HI, LOAD_BASE_HI: readable = WIDE;
      TIME_HALT, TIME_STORE, TIME_RESET, TIME_RESTORE, HALT_LAST, HALT_WORST, STATS_CONTROL, COUNT_HI:
        readable = STATS != 0;
      default: readable = address < COUNT || (STATS != 0 && address < COUNT + 10'd24);
    endcase
  endfunction
  // verilator coverage_on
  reg [63:0] word_q;
  reg bits_q, count_q, latency_q;
  generate
    for (w = 0; w < 64; w = w + 1) begin : g_word
      localparam [9:0] ADDRESS = 4 * w;
      always @(posedge clk_i) word_q[w] <= readable(ADDRESS) && addr == ADDRESS && !write;
    end
  endgenerate
  always @(posedge clk_i) begin
    bits_q <= !write && (is_late || is_dead || is_mask || is_lost);
    count_q <= !write && STATS != 0 && addr[9:5] == COUNT[9:5] && addr[4:0] < 5'd24
               && addr[1:0] == 2'd0;
    latency_q <= !write && STATS != 0 && (addr == HALT_LAST || addr == HALT_WORST);
  end

  // ---- cycle counter -----------------------------------------------------------------------------------
  // Two times as many bits as a time, in two words where that is more than one.
  localparam CYCLE_W = 2 * TIME_W, LOW_W = (CYCLE_W < 32) ? CYCLE_W : 32,
             HIGH_W = (CYCLE_W > 32) ? CYCLE_W - 32 : 1;
  reg [LOW_W-1:0] low_q;
  wire [CYCLE_W-1:0] cycle;
  wire [HIGH_W-1:0] high_kept;
  always @(posedge clk_i)
    if (rst_i) low_q <= {LOW_W{1'b0}};
    else low_q <= low_q + {{LOW_W-1{1'b0}}, 1'b1};
  generate
    if (CYCLE_W > 32) begin : g_high
      reg [HIGH_W-1:0] high_q;
      wire [31:0] unused_low, high_word;
      wire unused = &{1'b0, high_word};
      reg carry_q;
      always @(posedge clk_i) begin
        if (rst_i) begin
          high_q <= {HIGH_W{1'b0}};
          carry_q <= 1'b0;
        end else begin
          carry_q <= low_q == 32'hfffffffe;
          high_q <= high_q + {{HIGH_W-1{1'b0}}, carry_q};
        end
      end
      assign cycle = {high_q, low_q};
      register_wide #(.WIDTH(CYCLE_W)) u_cycle (
        .clk_i(clk_i), .rst_i(rst_i), .value_i(cycle), .low_read_i(executes && word_q[CYCLE_LO[7:2]]),
        .low_o(unused_low), .high_o(high_word));
      assign high_kept = high_word[HIGH_W-1:0];
    end else begin : g_low_alone
      assign cycle = low_q;
      assign high_kept = 1'b0;
    end
  endgenerate

  // ---- selects, and what belongs to all ------------------------------------------------------------------
  wire [DOMAIN_W-1:0] domain;
  wire [DEAD_W-1:0] dead;
  reg [TIME_W-1:0] timeout_q;
  reg [1:0] timeout_policy_q;
  reg [6:0] irq_q, enable_q;
  wire nack = look_valid_i && look_flags_i[3];
  wire illegal = look_valid_i && look_state_i == 3'd6;
  wire [6:0] kept = irq_q & ~(data[6:0] & {7{executes && to_irq_q}});
  wire [6:0] raised = {illegal, nack, again_i, |dead_i, expire_i, fail_i, finish_i};
  reg [CONN_W-1:0] nack_conn_q, illegal_conn_q;
  always @(posedge clk_i)
    if (rst_i) begin
      timeout_q <= USUAL[TIME_W-1:0];
      timeout_on_o <= 1'b1;
      timeout_write_o <= 1'b0;
      timeout_policy_q <= 2'd0;
      enable_q <= 7'd0;
      irq_q <= 7'd0;
      hold_o <= 1'b0;
      nack_conn_q <= {CONN_W{1'b0}};
      illegal_conn_q <= {CONN_W{1'b0}};
    end else begin
      timeout_write_o <= executes && (to_timeout_q || to_timeout_policy_q);
      if (executes && to_timeout_q) begin
        timeout_q <= data[TIME_W-1:0];
        timeout_on_o <= data[TIME_W-1:0] != {TIME_W{1'b0}};
      end
      if (executes && to_timeout_policy_q) timeout_policy_q <= data[1:0];
      if (executes && to_enable_q) enable_q <= data[6:0];
      if (executes && to_stats_q) hold_o <= data[0];
      irq_q <= kept | raised;
      if (nack && !kept[5]) nack_conn_q <= look_conn_i;
      if (illegal && !kept[6]) illegal_conn_q <= look_conn_i;
    end
  front_end_monitor_select #(.CHOICES(DOMAINS), .WIDTH(DOMAIN_W)) u_domain (
    .clk_i(clk_i), .rst_i(rst_i), .write_i(executes && to_domain_q), .number_i(data[DOMAIN_W-1:0]),
    .number_o(domain));
  front_end_monitor_select #(.CHOICES(DEADS), .WIDTH(DEAD_W)) u_dead (
    .clk_i(clk_i), .rst_i(rst_i), .write_i(executes && to_dead_q), .number_i(data[DEAD_W-1:0]),
    .number_o(dead));
  front_end_monitor_select #(.CHOICES(CONNS), .WIDTH(CONN_W)) u_conn (
    .clk_i(clk_i), .rst_i(rst_i), .write_i(executes && to_conn_q), .number_i(data[CONN_W-1:0]),
    .number_o(conn_o));
  assign irq_o = |(irq_q & enable_q);
  assign timeout_o = timeout_q;
  assign timeout_policy_o = timeout_policy_q;
  assign clear_o = executes && to_stats_q && data[1];

  // ---- registers of the switch domains --------------------------------------------------------------------
  wire [DOMAINS-1:0] mine;
  wire [DOMAINS-1:0] idle;
  wire [2*ADDR_W*DOMAINS-1:0] bases;
  wire [DOMAINS-1:0] stands;                        // idle, or stopped by an error
  wire now_idle = |(mine & idle), now_stands = |(mine & stands);
  wire is_command = waits_q == DECODE && write && addr == COMMAND && data[31:3] == 29'd0 && !rst_i;
  always @(posedge clk_i) begin
    begin_o <= mine & {DOMAINS{is_command && data[2:0] != 3'd0 && data[2:1] != 2'd3}};
    abort_o <= mine & {DOMAINS{is_command && data[2:0] == 3'd6}};
    retry_o <= mine & {DOMAINS{is_command && data[2:0] == 3'd7}};
  end
  assign what_o = data[2:0];
  genvar d;
  generate
    for (d = 0; d < DOMAINS; d = d + 1) begin : g_domain
      reg [ADDR_W-1:0] save_q, load_q;
      assign mine[d] = domain == d;
      assign idle[d] = stage_i[3*d+:3] == 3'd0;
      assign stands[d] = idle[d] || (stage_i[3*d+:3] == 3'd7 && !ending_i[d]);
      always @(posedge clk_i)
        if (rst_i) begin
          save_q <= {ADDR_W{1'b0}};
          load_q <= {ADDR_W{1'b0}};
        end else if (mine[d] && executes && stands[d]) begin : each_bit
          integer b;
          for (b = 0; b < ADDR_W; b = b + 1) begin
            if (idle[d] && (b < 32 ? to_save_low_q : to_save_high_q)) save_q[b] <= data[b%32];
            if (b < 32 ? to_load_low_q : to_load_high_q) load_q[b] <= data[b%32];
          end
        end
      assign bases[2*ADDR_W*d+:2*ADDR_W] = {load_q, save_q};
      assign save_base_o[ADDR_W*d+:ADDR_W] = save_q;
      assign load_base_o[ADDR_W*d+:ADDR_W] = load_q;
      if (LOCAL_CONTEXTS != 0) begin : g_slots
        reg [1:0] save_slot_q, load_slot_q;
        always @(posedge clk_i)
          if (rst_i) {load_slot_q, save_slot_q} <= 4'd0;
          else if (mine[d] && executes && stands[d] && to_slots_q)
            {load_slot_q, save_slot_q} <= {data[9:8], data[1:0]};
        assign {load_slot_o[2*d+:2], save_slot_o[2*d+:2]} = {load_slot_q, save_slot_q};
      end else begin : g_memory_alone
        assign {load_slot_o[2*d+:2], save_slot_o[2*d+:2]} = 4'd0;
      end
    end
  endgenerate

  // ---- registers of the deadlock domains ------------------------------------------------------------------
  wire [DEADS-1:0] dead_mine;
  assign window_write_o = dead_mine & {DEADS{executes && to_window_q}};
  generate
    for (d = 0; d < DEADS; d = d + 1) begin : g_dead
      reg [TIME_W-1:0] window_q;
      reg [4:0] policy_q;
      assign dead_mine[d] = dead == d;
      always @(posedge clk_i)
        if (rst_i) begin
          window_q <= USUAL[TIME_W-1:0];
          policy_q <= 5'd0;
        end else if (dead_mine[d] && executes) begin
          if (to_window_q) window_q <= data[TIME_W-1:0];
          if (to_dead_policy_q) policy_q <= {data[6:4], data[1:0]};
        end
      assign window_o[TIME_W*d+:TIME_W] = window_q;
      assign dead_policy_o[5*d+:5] = policy_q;
    end
  endgenerate

  reg last_valid_q, last_again_q;
  reg [4:0] last_dead_q;
  reg [CYCLE_W-1:0] last_cycle_q;
  reg [4:0] first_dead;
  integer i;
  always @* begin
    first_dead = 5'd0;
    for (i = DEADS - 1; i >= 0; i = i - 1) if (dead_i[i]) first_dead = i[4:0];
  end
  always @(posedge clk_i) begin
    if (rst_i) begin
      last_valid_q <= 1'b0;
      last_again_q <= 1'b0;
      last_dead_q <= 5'd0;
      last_cycle_q <= {CYCLE_W{1'b0}};
    end else if (|dead_i) begin
      last_valid_q <= 1'b1;
      last_again_q <= again_i;
      last_dead_q <= first_dead;
      last_cycle_q <= cycle;
    end
  end

  // ---- bits of connections, in words ----------------------------------------------------------------------
  wire [31:0] bits = (late_word & {32{is_late}}) | (dead_word & {32{is_dead}}) | (mask_word & {32{is_mask}})
                     | (lost_word & {32{is_lost}});
  generate
    for (d = 0; d < COMMAND_COUNT; d = d + 1) begin : g_mask
      localparam integer WORD = d / 32;
      always @(posedge clk_i)
        if (rst_i) mask_o[d] <= 1'b0;
        else if (executes && to_mask_q && at == WORD[4:0]) mask_o[d] <= data[d%32];
    end
  endgenerate

  // ---- reads ----------------------------------------------------------------------------------------------
  // Of the selected domains.
  reg [2:0] stage, running;
  reg [3:0] code;
  reg [UNIT_W-1:0] unit;
  reg lost, did_reset, ending, is_open;
  reg [4*TIME_W-1:0] times;
  reg [2*ADDR_W-1:0] base;
  reg [3:0] slots;
  reg [TIME_W-1:0] window, seen, resolved;
  reg [4:0] policy;
  integer k;
  always @* begin
    {stage, running, code, unit, lost, did_reset, ending, times, base, slots} = 0;
    for (k = 0; k < DOMAINS; k = k + 1) begin
      stage = stage | (stage_i[3*k+:3] & {3{mine[k]}});
      running = running | (running_i[3*k+:3] & {3{mine[k]}});
      code = code | (code_i[4*k+:4] & {4{mine[k]}});
      unit = unit | (unit_i[UNIT_W*k+:UNIT_W] & {UNIT_W{mine[k]}});
      lost = lost | (lost_i[k] & mine[k]);
      did_reset = did_reset | (did_reset_i[k] & mine[k]);
      ending = ending | (ending_i[k] & mine[k]);
      times = times | (times_i[4*TIME_W*k+:4*TIME_W] & {4*TIME_W{mine[k]}});
      base = base | (bases[2*ADDR_W*k+:2*ADDR_W] & {2*ADDR_W{mine[k]}});
      slots = slots | ({load_slot_o[2*k+:2], save_slot_o[2*k+:2]} & {4{mine[k]}});
    end
    {is_open, window, seen, resolved, policy} = 0;
    for (k = 0; k < DEADS; k = k + 1) begin
      is_open = is_open | (open_i[k] & dead_mine[k]);
      window = window | (window_o[TIME_W*k+:TIME_W] & {TIME_W{dead_mine[k]}});
      seen = seen | (seen_i[TIME_W*k+:TIME_W] & {TIME_W{dead_mine[k]}});
      resolved = resolved | (resolved_i[TIME_W*k+:TIME_W] & {TIME_W{dead_mine[k]}});
      policy = policy | (dead_policy_o[5*k+:5] & {5{dead_mine[k]}});
    end
  end

  localparam [31:0] SHAPE_VALUE = (CONNS << 16) | UNITS;
  localparam [31:0] OPTIONS_VALUE = (STAGES << 24) | (LOCAL_CONTEXTS << 22) | (STATS << 20) | (ENCODING << 18)
                                    | (COMMANDS << 16)
                                    | (DEADS << 8) | DOMAINS;
  localparam [31:0] LATENCY_VALUE = ((CONNS + 4) << 16) | (TIME_W << 8) | (LEVELS + 1);
  function [31:0] when(input selected, input [31:0] value);
    when = {32{selected}} & value;
  endfunction
  function [31:0] of_time(input [TIME_W-1:0] value);
    begin
      of_time = 32'd0;
      of_time[TIME_W-1:0] = value;
    end
  endfunction
  function [63:0] of_base(input [ADDR_W-1:0] value);
    begin
      of_base = 64'd0;
      of_base[ADDR_W-1:0] = value;
    end
  endfunction
  function [63:0] of_cycle(input [CYCLE_W-1:0] value);
    begin
      of_cycle = 64'd0;
      of_cycle[CYCLE_W-1:0] = value;
    end
  endfunction
  function [31:0] of_high(input [HIGH_W-1:0] value);
    begin
      of_high = 32'd0;
      of_high[HIGH_W-1:0] = value;
    end
  endfunction
  wire [63:0] now = of_cycle(cycle), last_cycle = of_cycle(last_cycle_q);
  wire unused_now = &{1'b0, now};
  wire [63:0] save = of_base(base[ADDR_W-1:0]), load = of_base(base[ADDR_W+:ADDR_W]);
  reg [15:0] high_count_q;
  assign read_d =
      when(word_q[ID[7:2]], 32'h464d0001)
    | when(word_q[SHAPE[7:2]], SHAPE_VALUE)
    | when(word_q[OPTIONS[7:2]], OPTIONS_VALUE)
    | when(word_q[LATENCY[7:2]], LATENCY_VALUE)
    | when(word_q[CYCLE_LO[7:2]], now[31:0])
    | when(word_q[CYCLE_HI[7:2]], of_high(high_kept))
    | when(word_q[IRQ_STATUS[7:2]], {25'd0, irq_q})
    | when(word_q[IRQ_ENABLE[7:2]], {25'd0, enable_q})
    | when(word_q[DOMAIN[7:2]], {{32-DOMAIN_W{1'b0}}, domain})
    | when(word_q[STATUS[7:2]], {17'd0, ending, did_reset, lost, code, 1'b0, running, 1'b0, stage})
    | when(word_q[ERROR_UNIT[7:2]], {{32-UNIT_W{1'b0}}, unit})
    | when(word_q[SAVE_BASE_LO[7:2]], save[31:0])
    | when(word_q[SAVE_BASE_HI[7:2]], save[63:32])
    | when(word_q[LOAD_BASE_LO[7:2]], load[31:0])
    | when(word_q[LOAD_BASE_HI[7:2]], load[63:32])
    | when(word_q[SLOTS[7:2]], {22'd0, slots[3:2], 6'd0, slots[1:0]})
    | when(word_q[TIMEOUT[7:2]], of_time(timeout_q))
    | when(word_q[TIMEOUT_POLICY[7:2]], {30'd0, timeout_policy_q})
    | when(word_q[DEAD[7:2]], {{32-DEAD_W{1'b0}}, dead})
    | when(word_q[WINDOW[7:2]], of_time(window))
    | when(word_q[DEAD_POLICY[7:2]], {25'd0, policy[4:2], 2'd0, policy[1:0]})
    | when(word_q[DEAD_SEEN[7:2]], of_time(seen))
    | when(word_q[DEAD_RESOLVED[7:2]], of_time(resolved))
    | when(word_q[DEAD_LAST[7:2]], {last_valid_q, last_again_q, is_open, 24'd0, last_dead_q})
    | when(word_q[DEAD_CYCLE_LO[7:2]], last_cycle[31:0])
    | when(word_q[DEAD_CYCLE_HI[7:2]], last_cycle[63:32])
    | when(word_q[TIME_HALT[7:2]], of_time(times[0+:TIME_W]))
    | when(word_q[TIME_STORE[7:2]], of_time(times[TIME_W+:TIME_W]))
    | when(word_q[TIME_RESET[7:2]], of_time(times[2*TIME_W+:TIME_W]))
    | when(word_q[TIME_RESTORE[7:2]], of_time(times[3*TIME_W+:TIME_W]))
    | when(word_q[CONN[7:2]], {{32-CONN_W{1'b0}}, conn_o})
    | when(word_q[CONN_STATE[7:2]], {24'd0, looked_q[6:3], 1'b0, looked_q[2:0]})
    | when(word_q[NACK_CONN[7:2]], {{32-CONN_W{1'b0}}, nack_conn_q})
    | when(word_q[ILLEGAL_CONN[7:2]], {{32-CONN_W{1'b0}}, illegal_conn_q})
    | when(word_q[STATS_CONTROL[7:2]], {31'd0, hold_o})
    | when(word_q[COUNT_HI[7:2]], {16'd0, high_count_q})
    | when(count_q, count_i[31:0])
    | when(latency_q, of_time(addr[2] ? latency_i[TIME_W+:TIME_W] : latency_i[0+:TIME_W]))
    | when(bits_q, bits);
  always @(posedge clk_i)
    if (rst_i) high_count_q <= 16'd0;
    else if (executes && waited_q == RAM) high_count_q <= count_i[47:32];

  wire wrote = to_irq_q || to_enable_q || to_domain_q || to_timeout_q || to_timeout_policy_q || to_dead_q
               || to_window_q
               || to_dead_policy_q || to_conn_q || to_stats_q || to_mask_q || (|taken_i)
               || (now_idle && (to_save_low_q || to_save_high_q))
               || (now_stands && (to_load_low_q || to_load_high_q || to_slots_q));
  assign good = wrote || bits_q || (|word_q);
endmodule

`default_nettype wire
