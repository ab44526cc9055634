// SPDX-License-Identifier: Apache-2.0
// front_end_core: status tree, front-end monitor and context hub for one topology, wired together
// (docs/front_end.md).
//
// Units hang on unit_* and ctx_*, one bit or slice each; software sits at the register port and irq_o;
// contexts go through the memory port. Latencies and handshakes are those of the three parts. Reset: no
// command, no report, all registers at their defaults, local slots empty.
`default_nettype none

module front_end_core #(
  // Command connections: one for all, one per connection of reports, or one per unit; 0 broadcast, 1 group, 2
  // unit.
  parameter COMMANDS = 0,
  // Code of a unit's state: 5, 4 or 3 wires; binary has no code for mixed, so units stay separate; 0 one_hot,
  // 1 two_of_four, 2 binary.
  parameter ENCODING = 0,
  // Registers from a unit to the front end, and from it to the unit, the one in the unit included; 2..8
  // registers.
  parameter STAGES = 3,
  // Cycles per connection and state: not kept, one connection looked at per cycle, or all in each cycle; 0
  // none, 1 sampled, 2 exact.
  parameter STATS = 1,
  parameter LOCAL_CONTEXTS = 0,  // local slots of the hub that a save or restore may name; 0..3 slots
  // Width of timeout, windows, times and counts of deadlocks; the cycle counter has twice as many. Fewer take
  // less area; 8..32 bits.
  parameter TIME_W = 32,
  parameter ADDR_W = 32,  // width of a memory address of the hub; 16..64 bits
  // Most words of one unit's context in a local slot, header (3 words) included; 8..4096 words, a power of 2.
  parameter LOCAL_WORDS = 64,
  // A unit's image in memory begins at base + number of the unit * 2^CTX_STRIDE_LG bytes, and is no longer
  // than that; 5..26.
  parameter CTX_STRIDE_LG = 13,
  parameter INFLIGHT = 16,   // most memory requests under way; 4..64 requests, a power of 2
  parameter UNIT_COUNT = 4,  // units under the front end, 1..1024
  parameter CONN_COUNT = 4,  // connections of reports, 1..UNIT_COUNT
  // The topology: the number of the first unit of each connection, with UNIT_COUNT as the last entry. In each
  // list an entry has 11 bits, and connection 0 stands lowest.
  parameter [11*CONN_COUNT+10:0] CONN_FIRST = {11'd4, 11'd3, 11'd2, 11'd1, 11'd0},
  parameter DOMAIN_COUNT = 1,                         // switch domains
  parameter DEAD_COUNT = 1,                           // deadlock domains
  parameter [11*CONN_COUNT-1:0] CONN_DOMAIN = 44'd0,  // switch domain of each connection
  parameter [11*CONN_COUNT-1:0] CONN_DEAD = 44'd0     // deadlock domain of each connection
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  output wire [UNIT_COUNT-1:0] unit_halt_o,    // halt, a level; a bit per unit, to its cmd_halt_i
  output wire [UNIT_COUNT-1:0] unit_reset_o,   // reset, a pulse, to cmd_reset_i
  output wire [UNIT_COUNT-1:0] unit_resume_o,  // resume, a pulse, to cmd_resume_i
  // State of each unit, its state_o; unit 0 in the low bits.
  input  wire [UNIT_COUNT*(5-ENCODING)-1:0] unit_state_i,
  input  wire [UNIT_COUNT-1:0] unit_progress_i,  // progress_o of each unit
  input  wire [UNIT_COUNT-1:0] unit_waiting_i,   // waiting_o of each unit
  input  wire [UNIT_COUNT-1:0] unit_gather_i,    // gather_o of each unit
  input  wire [UNIT_COUNT-1:0] unit_nack_i,      // nack_o of each unit

  output wire irq_o,  // level: an enabled interrupt is pending
  input  wire reg_req_valid_i,  // a register access is offered; hold it until taken
  output wire reg_req_ready_o,  // the register access of this cycle is taken
  input  wire reg_req_write_i,  // 1: write, 0: read
  input  wire [9:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o,  // the access was refused: unknown address, value out of range, or not now

  // To each unit's context port: a save or a load is wanted; at most one is 1.
  output wire [UNIT_COUNT-1:0] ctx_cmd_valid_o,
  output wire ctx_cmd_load_o,  // to all: 1: load, 0: save
  input  wire [UNIT_COUNT-1:0] ctx_cmd_ready_i,  // the unit takes the command
  input  wire [UNIT_COUNT-1:0] ctx_done_i,  // pulse: the unit's save or load has ended
  input  wire [3*UNIT_COUNT-1:0] ctx_error_i,  // with ctx_done_i: what the unit says of it, three bits each
  input  wire [UNIT_COUNT-1:0] ctx_out_valid_i,  // a word of a saved context is offered
  output wire [UNIT_COUNT-1:0] ctx_out_ready_o,  // the word is taken
  input  wire [32*UNIT_COUNT-1:0] ctx_out_data_i,  // the words
  input  wire [UNIT_COUNT-1:0] ctx_out_last_i,  // the word is the last one
  // A word of the context to load is offered; at most one is 1; it holds still until taken.
  output wire [UNIT_COUNT-1:0] ctx_in_valid_o,
  input  wire [UNIT_COUNT-1:0] ctx_in_ready_i,  // the unit takes the word
  output wire [31:0] ctx_in_data_o,             // to all: the word
  output wire ctx_in_last_o,                    // it is the last one that comes
  // With the last word: 0 the image is good, 1 its checksum is wrong, 2 or 3 memory failed.
  output wire [1:0] ctx_in_error_o,
  output wire mem_req_valid_o,  // a memory request is offered; it holds still until taken
  input  wire mem_req_ready_i,  // the memory takes the request of this cycle
  output wire mem_req_write_o,  // the request offered is a write; 0 for a read and when none is offered
  // Tag, returned with the answer; unique among requests under way.
  output wire [$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,  // byte address, aligned to the data width
  output wire [31:0] mem_req_data_o,  // write data, lowest byte first
  output wire [3:0] mem_req_strb_o,  // write strobe, one per byte
  input  wire mem_rsp_valid_i,  // an answer (read data or write acknowledge) is offered, in any order
  output wire mem_rsp_ready_o,  // the answer of this cycle is taken
  input  wire [$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,  // tag of the request that is answered
  input  wire [31:0] mem_rsp_data_i,  // read data; no meaning for write acknowledges
  // 0: done; else an error code; what becomes of it is the block's own rule.
  input  wire [1:0] mem_rsp_error_i
);
  localparam COMMAND_COUNT = (COMMANDS == 0) ? 1 : (COMMANDS == 1) ? CONN_COUNT : UNIT_COUNT;
  localparam UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1;

  wire [CONN_COUNT*(5-ENCODING)-1:0] conn_state;
  wire [CONN_COUNT-1:0] conn_progress;
  wire [CONN_COUNT-1:0] conn_waiting;
  wire [CONN_COUNT-1:0] conn_gather;
  wire [CONN_COUNT-1:0] conn_nack;
  wire [COMMAND_COUNT-1:0] mon_halt;
  wire [COMMAND_COUNT-1:0] mon_reset;
  wire [COMMAND_COUNT-1:0] mon_resume;
  wire hub_valid;
  wire hub_load;
  wire [UNIT_W-1:0] hub_unit;
  wire [1:0] hub_slot;
  wire [ADDR_W-1:0] hub_base;
  wire hub_ready;
  wire hub_done;
  wire [3:0] hub_error;

  status_tree_core #(
    .STAGES(STAGES), .COMMANDS(COMMANDS), .ENCODING(ENCODING), .UNIT_COUNT(UNIT_COUNT),
    .CONN_COUNT(CONN_COUNT), .CONN_FIRST(CONN_FIRST)
  ) u_tree (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .unit_halt_o(unit_halt_o),
    .unit_reset_o(unit_reset_o),
    .unit_resume_o(unit_resume_o),
    .unit_state_i(unit_state_i),
    .unit_progress_i(unit_progress_i),
    .unit_waiting_i(unit_waiting_i),
    .unit_gather_i(unit_gather_i),
    .unit_nack_i(unit_nack_i),
    .mon_halt_i(mon_halt),
    .mon_reset_i(mon_reset),
    .mon_resume_i(mon_resume),
    .conn_state_o(conn_state),
    .conn_progress_o(conn_progress),
    .conn_waiting_o(conn_waiting),
    .conn_gather_o(conn_gather),
    .conn_nack_o(conn_nack)
  );

  front_end_monitor_core #(
    .COMMANDS(COMMANDS), .ENCODING(ENCODING), .STAGES(STAGES), .STATS(STATS),
    .TIME_W(TIME_W), .LOCAL_CONTEXTS(LOCAL_CONTEXTS), .ADDR_W(ADDR_W), .UNIT_COUNT(UNIT_COUNT),
    .CONN_COUNT(CONN_COUNT), .CONN_FIRST(CONN_FIRST), .DOMAIN_COUNT(DOMAIN_COUNT),
    .DEAD_COUNT(DEAD_COUNT), .CONN_DOMAIN(CONN_DOMAIN), .CONN_DEAD(CONN_DEAD)
  ) u_monitor (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .conn_state_i(conn_state),
    .conn_progress_i(conn_progress),
    .conn_waiting_i(conn_waiting),
    .conn_gather_i(conn_gather),
    .conn_nack_i(conn_nack),
    .mon_halt_o(mon_halt),
    .mon_reset_o(mon_reset),
    .mon_resume_o(mon_resume),
    .hub_valid_o(hub_valid),
    .hub_ready_i(hub_ready),
    .hub_load_o(hub_load),
    .hub_unit_o(hub_unit),
    .hub_slot_o(hub_slot),
    .hub_base_o(hub_base),
    .hub_done_i(hub_done),
    .hub_error_i(hub_error),
    .irq_o(irq_o),
    .reg_req_valid_i(reg_req_valid_i),
    .reg_req_ready_o(reg_req_ready_o),
    .reg_req_write_i(reg_req_write_i),
    .reg_req_addr_i(reg_req_addr_i),
    .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(reg_rsp_valid_o),
    .reg_rsp_data_o(reg_rsp_data_o),
    .reg_rsp_error_o(reg_rsp_error_o)
  );

  context_hub_core #(
    .UNIT_COUNT(UNIT_COUNT), .LOCAL_CONTEXTS(LOCAL_CONTEXTS), .LOCAL_WORDS(LOCAL_WORDS),
    .CTX_STRIDE_LG(CTX_STRIDE_LG), .INFLIGHT(INFLIGHT), .ADDR_W(ADDR_W)
  ) u_hub (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .hub_valid_i(hub_valid),
    .hub_ready_o(hub_ready),
    .hub_load_i(hub_load),
    .hub_unit_i(hub_unit),
    .hub_slot_i(hub_slot),
    .hub_base_i(hub_base),
    .hub_done_o(hub_done),
    .hub_error_o(hub_error),
    .ctx_cmd_valid_o(ctx_cmd_valid_o),
    .ctx_cmd_load_o(ctx_cmd_load_o),
    .ctx_cmd_ready_i(ctx_cmd_ready_i),
    .ctx_done_i(ctx_done_i),
    .ctx_error_i(ctx_error_i),
    .ctx_out_valid_i(ctx_out_valid_i),
    .ctx_out_ready_o(ctx_out_ready_o),
    .ctx_out_data_i(ctx_out_data_i),
    .ctx_out_last_i(ctx_out_last_i),
    .ctx_in_valid_o(ctx_in_valid_o),
    .ctx_in_ready_i(ctx_in_ready_i),
    .ctx_in_data_o(ctx_in_data_o),
    .ctx_in_last_o(ctx_in_last_o),
    .ctx_in_error_o(ctx_in_error_o),
    .mem_req_valid_o(mem_req_valid_o),
    .mem_req_ready_i(mem_req_ready_i),
    .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o),
    .mem_req_addr_o(mem_req_addr_o),
    .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o),
    .mem_rsp_valid_i(mem_rsp_valid_i),
    .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_tag_i(mem_rsp_tag_i),
    .mem_rsp_data_i(mem_rsp_data_i),
    .mem_rsp_error_i(mem_rsp_error_i)
  );
endmodule

`default_nettype wire
