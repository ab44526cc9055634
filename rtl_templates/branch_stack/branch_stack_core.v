// SPDX-License-Identifier: Apache-2.0
// branch_stack_core: a branch unit that drives a stack_cache.
//
// Instructions of thread groups go in, masks and program counters come out; the stacks' deeper parts lie
// behind the memory port. Handshakes, latency and reset are those of the two parts. Register accesses go to
// the stack below address 0x400 and to the unit from there on; one is under way at a time.
`default_nettype none

module branch_stack_core #(
  parameter THREADS = 24,  // thread groups, one stack each; 1..1024 groups
  parameter LANES = 32,    // threads of a group; 1..128 lanes
  // Width of a token: LANES + 2 + the width of a program counter, 8..64; 11..194 bits.
  parameter ENTRY_W = 64,
  parameter MAX_DEPTH = 16384,  // deepest stack, as in the stack that is connected; 2..1048576 tokens
  parameter ENTRIES = 16,  // on-chip entries of each thread, at least 2 x SET; 2..1024 entries, a power of 2
  parameter SET = 4,  // entries moved to or from memory in one transaction; 1..16 entries, a power of 2
  parameter POLICY = 0,    // 0 set_boundary, 1 threshold
  parameter FLAGS = 0,     // 0 per_set, 1 per_entry
  // 1: a register behind the storage, for targets with slow block RAM; one more cycle of LATENCY.
  parameter OUT_REG = 0,
  parameter MEM_W = 0,      // 0 set, 1 entry
  parameter COUNTERS = 1,   // 0: none; 1: event and wait counters; 2: also the deepest stack of each thread
  parameter INFLIGHT = 16,  // memory accesses of one thread under way at a time; 2..64 accesses, a power of 2
  parameter STEAL = 16,     // lost cycles in a row after which the engine takes one; 1..255 cycles
  parameter ADDR_W = 32,    // width of a memory byte address; 16..64 bits
  parameter STATUS = 0      // 0 none, 1 one_hot, 2 two_of_four, 3 binary
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // An instruction is presented; it is taken if the ready bit of its group and class is 1.
  input  wire ins_valid_i,
  // 0 other, 1 branch, 2 call, 3 pre-break, 4 return, 5 break, 6 launch, 7 finish.
  input  wire [2:0] ins_kind_i,
  input  wire ins_set_sync_i,  // set-sync: push a sync token first (kinds 1..5; ignored elsewhere)
  input  wire ins_pop_sync_i,  // pop-sync: pop a token first (not of a launch; not twice for one instruction)
  // Group of the instruction; never taken when not below THREADS.
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] ins_group_i,
  // Branch: the lanes whose condition holds, others ignored; launch: the active mask.
  input  wire [LANES-1:0] ins_mask_i,
  // Branch, call: target; pre-break: pc after the loop; launch: first pc.
  input  wire [ENTRY_W-LANES-3:0] ins_target_i,
  // Pc of the instruction behind this one: fall-through and return address.
  input  wire [ENTRY_W-LANES-3:0] ins_next_i,
  // Per group: an instruction without stack operation (other, finish) is taken.
  output wire [THREADS-1:0] ins_step_o,
  // Per group: an instruction that may push (branch, call, pre-break, set-sync) is taken.
  output wire [THREADS-1:0] ins_push_o,
  // Per group: an instruction that pops (pop-sync, return, break) is taken.
  output wire [THREADS-1:0] ins_pop_o,
  output wire [THREADS-1:0] ins_launch_o,  // per group: a launch is taken

  // The result of an instruction, one for each, those of a group in order; no back-pressure.
  output wire res_valid_o,
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)-1:0] res_group_o,  // group of the result
  output wire [2:0] res_kind_o,                                         // kind of the instruction
  // 0 done, 1 not executed: a pop-sync popped; errors, the group stops: 2 overflow, 3 underflow, 4 fault, 5
  // token of the wrong kind, 6 finish with a stack that is not empty.
  output wire [2:0] res_status_o,
  // With status 1: the pop-sync popped a `sync`, and the same instruction is to come again; 0: a `div`. With
  // another status 0.
  output wire res_synced_o,
  output wire res_go_o,  // the group goes on at res_pc_o with res_mask_o: status 0 or 1, and not a finish
  output wire [LANES-1:0] res_mask_o,  // active mask of the group from now on
  output wire [ENTRY_W-LANES-3:0] res_pc_o,  // program counter of the group from now on

  output wire mem_req_valid_o,  // a memory request is offered; it holds still until taken
  input  wire mem_req_ready_i,  // the memory takes the request of this cycle
  output wire mem_req_write_o,  // the request offered is a write; 0 for a read and when none is offered
  // Tag, returned with the answer; unique among requests under way.
  output wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,  // byte address, aligned to the data width
  // Write data, lowest byte first.
  output wire [(MEM_W!=0?1:SET)*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_data_o,
  output wire [(MEM_W!=0?1:SET)*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_req_strb_o,  // write strobe, one per byte

  input  wire mem_rsp_valid_i,  // an answer (read data or write acknowledge) is offered, in any order
  output wire mem_rsp_ready_o,  // the answer of this cycle is taken
  // Tag of the request that is answered.
  input  wire [((THREADS > 1) ? $clog2(THREADS) : 1)+$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,
  // Read data; no meaning for write acknowledges.
  input  wire [(MEM_W!=0?1:SET)*8*(1<<$clog2((ENTRY_W+7)/8))-1:0] mem_rsp_data_i,
  // 0: done; else an error code; what becomes of it is the block's own rule.
  input  wire [1:0] mem_rsp_error_i,

  input  wire reg_req_valid_i,  // a register access is offered; hold it until taken
  output wire reg_req_ready_o,  // the register access of this cycle is taken
  input  wire reg_req_write_i,  // 1: write, 0: read
  input  wire [10:0] reg_req_addr_i,  // byte address, a multiple of 4
  input  wire [31:0] reg_req_data_i,  // write data; whole words only
  output wire reg_rsp_valid_o,  // the answer to the last access taken; one cycle, no back-pressure
  output wire [31:0] reg_rsp_data_o,  // read data; 0 after a write
  output wire reg_rsp_error_o,  // the access was refused: unknown address, value out of range, or not now

  input  wire cmd_halt_i,    // halt: a level, held as long as the unit is to stay halted
  input  wire cmd_reset_i,   // pulse: clear the context
  input  wire cmd_resume_i,  // pulse: go on with what is gathered; acts in quiescent only
  // The state of this cycle: empty, active, stalled, quiescent or halted.
  output wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,
  output wire progress_o,  // something moved in the cycle that led to this state
  output wire waiting_o,   // the state is stalled or quiescent
  output wire gather_o,    // quiescent for want of further input
  output wire nack_o,      // a memory access was refused; sticky

  input  wire [15:0] ctx_unit_i,  // number of this unit, written into its contexts; constant
  input  wire ctx_cmd_valid_i,  // a save or a load is wanted; hold it until taken
  input  wire ctx_cmd_load_i,  // 1: load, 0: save
  output wire ctx_cmd_ready_o,  // the command is taken in this cycle; 1 only while halted
  output wire ctx_done_o,  // pulse: the save or load has ended
  output wire [2:0] ctx_error_o,  // 0 good, 2 type or configuration, 3 unit, 4 length, 5 checksum, 6 memory
  output wire ctx_out_valid_o,  // a word of the saved context is offered; it holds still until taken
  input  wire ctx_out_ready_i,  // the word is taken
  output wire [31:0] ctx_out_data_o,  // the word
  output wire ctx_out_last_o,  // it is the last one
  input  wire ctx_in_valid_i,  // a word of the context to load is offered; hold it until taken
  output wire ctx_in_ready_o,  // the word is taken in this cycle
  input  wire [31:0] ctx_in_data_i,  // the word
  input  wire ctx_in_last_i,  // it is the last one that comes
  // With the last word: 0 good, 1 the checksum was wrong (error 5), 2 or 3 memory failed (error 6); else 0.
  input  wire [1:0] ctx_in_error_i
);
  localparam THREAD_W = (THREADS > 1) ? $clog2(THREADS) : 1;
  localparam STACK_LATENCY = (OUT_REG != 0) ? 5 : 4;
  localparam TAG_W = THREAD_W + $clog2(INFLIGHT);
  localparam BEATS = (MEM_W != 0) ? SET : 1;
  localparam STATE_W = (STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5;
  localparam PC_WORDS = (ENTRY_W - LANES - 2 + 31) / 32;
  localparam RECORD = 1 + (LANES + 31) / 32 + PC_WORDS;  // words of a mask and a program counter
  localparam STACK_CTX = 13 + THREADS * (2 + ENTRIES * ((ENTRY_W + 31) / 32));
  localparam RING = 4;  // of branch_unit_pipe
  localparam CTX_MAX = 4 + 2 * THREADS * RECORD + (RING + 1) * (RECORD + PC_WORDS) + STACK_CTX;

  // A context of another shape is refused: docs/unit_status_cells.md.
  function [31:0] fnv(input [31:0] hash, input [31:0] value);
    fnv = (hash ^ value) * 32'h01000193;
  endfunction
  localparam [31:0] STACK_HASH =
      fnv(fnv(fnv(fnv(fnv(fnv(fnv(fnv(32'h811c9dc5, THREADS), ENTRY_W), ENTRIES), SET), MAX_DEPTH), POLICY),
    FLAGS), ADDR_W);
  localparam [31:0] CFG_HASH =
      fnv(fnv(fnv(fnv(fnv(fnv(fnv(fnv(fnv(fnv(fnv(32'h811c9dc5, THREADS), LANES), ENTRY_W),
    MAX_DEPTH), ENTRIES), SET), POLICY), FLAGS), INFLIGHT), ADDR_W), RING);

  wire op_valid, can_go, ans_valid, ans_data_valid;
  wire [2:0] op_kind, ans_kind;
  wire [1:0] ans_status;
  wire [THREAD_W-1:0] op_thread, ans_thread;
  wire [ENTRY_W-1:0] op_data, ans_data;
  wire [THREADS-1:0] can_push, can_top;

  wire unit_ready, stack_ready, unit_rsp, stack_rsp, unit_error, stack_error;
  wire [31:0] unit_data, stack_data;
  assign reg_req_ready_o = unit_ready && stack_ready;
  assign reg_rsp_valid_o = unit_rsp || stack_rsp;
  assign reg_rsp_data_o = unit_rsp ? unit_data : stack_data;
  assign reg_rsp_error_o = unit_rsp ? unit_error : stack_error;

  wire unit_cmd_valid, unit_cmd_ready, tail_halted, tail_active, tail_mem, tail_save, tail_sav_valid,
       tail_sav_ready;
  wire tail_load, tail_ld_valid, tail_ld_ready, tail_ld_last, tail_ld_refused, tail_bad, tail_whole,
      tail_abort,
       stack_out_valid, stack_out_last;
  wire [2:0] unit_ctx_error;
  wire part_halt;                         // to the parts: a release may wait for the end of a load
  assign ctx_error_o = unit_ctx_error & {3{!tail_whole}};
  wire [23:0] tail_len, tail_ld_len;
  wire [31:0] tail_ld_data, stack_out_data;
  wire stack_progress, stack_nack, tail_nack, tail_nacked;
  branch_unit_pipe #(
    .THREADS(THREADS), .LANES(LANES), .ENTRY_W(ENTRY_W), .MAX_DEPTH(MAX_DEPTH), .STACK_LATENCY(STACK_LATENCY),
    .STATUS(STATUS), .UNIT_TYPE(32'h4253), .CFG_HASH(CFG_HASH), .CTX_MAX(CTX_MAX), .TAIL(1)
  ) u_unit (
    .clk_i(clk_i), .rst_i(rst_i),
    .ins_valid_i(ins_valid_i), .ins_kind_i(ins_kind_i), .ins_set_sync_i(ins_set_sync_i),
    .ins_pop_sync_i(ins_pop_sync_i), .ins_group_i(ins_group_i), .ins_mask_i(ins_mask_i),
    .ins_target_i(ins_target_i), .ins_next_i(ins_next_i), .ins_step_o(ins_step_o), .ins_push_o(ins_push_o),
    .ins_pop_o(ins_pop_o), .ins_launch_o(ins_launch_o), .res_valid_o(res_valid_o), .res_group_o(res_group_o),
    .res_kind_o(res_kind_o), .res_status_o(res_status_o), .res_synced_o(res_synced_o), .res_go_o(res_go_o),
    .res_mask_o(res_mask_o),
    .res_pc_o(res_pc_o), .op_valid_o(op_valid), .op_kind_o(op_kind), .op_thread_o(op_thread),
    .op_data_o(op_data), .can_push_i(can_push), .can_top_i(can_top), .can_go_i(can_go),
    .ans_valid_i(ans_valid), .ans_thread_i(ans_thread), .ans_kind_i(ans_kind), .ans_status_i(ans_status),
    .ans_data_valid_i(ans_data_valid), .ans_data_i(ans_data),
    .reg_req_valid_i(reg_req_valid_i && stack_ready && reg_req_addr_i[10]), .reg_req_ready_o(unit_ready),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i[9:0]), .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(unit_rsp), .reg_rsp_data_o(unit_data), .reg_rsp_error_o(unit_error),
    .cmd_halt_i(part_halt), .cmd_reset_i(cmd_reset_i), .cmd_resume_i(cmd_resume_i), .state_o(state_o),
    .progress_o(progress_o), .waiting_o(waiting_o), .gather_o(gather_o), .nack_o(nack_o),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(unit_cmd_valid), .ctx_cmd_load_i(ctx_cmd_load_i),
    .ctx_cmd_ready_o(unit_cmd_ready), .ctx_done_o(ctx_done_o), .ctx_error_o(unit_ctx_error),
    .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i), .ctx_out_data_o(ctx_out_data_o),
    .ctx_out_last_o(ctx_out_last_o), .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o),
    .ctx_in_data_i(ctx_in_data_i), .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .tail_halted_i(tail_halted), .tail_active_i(tail_active), .tail_mem_i(tail_mem),
    .tail_mem_done_i(mem_rsp_valid_i && mem_rsp_ready_o),
    .tail_blocked_i(mem_req_valid_o && !mem_req_ready_i), .tail_moves_i(stack_progress),
    .tail_nack_i(tail_nack), .tail_nacked_i(tail_nacked), .tail_len_i(tail_len), .tail_save_o(tail_save),
    .tail_sav_valid_i(tail_sav_valid), .tail_sav_ready_o(tail_sav_ready), .tail_sav_data_i(stack_out_data),
    .tail_sav_last_i(stack_out_last), .tail_load_o(tail_load), .tail_ld_valid_o(tail_ld_valid),
    .tail_ld_ready_i(tail_ld_ready), .tail_ld_data_o(tail_ld_data), .tail_ld_last_o(tail_ld_last),
    .tail_ld_refused_o(tail_ld_refused), .tail_ld_len_o(tail_ld_len), .tail_bad_i(tail_bad),
    .tail_whole_i(tail_whole), .tail_abort_o(tail_abort));

  wire [STATE_W-1:0] stack_state;
  wire [2:0] stack_ctx_error;
  wire [31:0] stack_in_data;
  wire stack_cmd_valid, stack_cmd_load, stack_cmd_ready, stack_done, stack_out_ready;
  wire stack_in_valid, stack_in_ready, stack_in_last, stack_waiting, stack_gather;
  wire [1:0] stack_in_error;
  stack_cache_core #(
    .THREADS(THREADS), .ENTRY_W(ENTRY_W), .ENTRIES(ENTRIES), .SET(SET), .MAX_DEPTH(MAX_DEPTH),
    .POLICY(POLICY), .FLAGS(FLAGS), .COUNTERS(COUNTERS), .INFLIGHT(INFLIGHT), .STEAL(STEAL),
    .ADDR_W(ADDR_W),
    .MEM_W(MEM_W), .OUT_REG(OUT_REG), .STATUS(STATUS)
  ) u_stack (
    .clk_i(clk_i), .rst_i(rst_i),
    .op_valid_i(op_valid), .op_kind_i(op_kind), .op_thread_i(op_thread), .op_data_i(op_data),
    .can_push_o(can_push), .can_top_o(can_top), .can_go_o(can_go),
    .ans_valid_o(ans_valid), .ans_thread_o(ans_thread), .ans_kind_o(ans_kind), .ans_status_o(ans_status),
    .ans_data_valid_o(ans_data_valid), .ans_data_o(ans_data),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o), .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_tag_i(mem_rsp_tag_i), .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_error_i(mem_rsp_error_i),
    .reg_req_valid_i(reg_req_valid_i && unit_ready && !reg_req_addr_i[10]), .reg_req_ready_o(stack_ready),
    .reg_req_write_i(reg_req_write_i), .reg_req_addr_i(reg_req_addr_i[9:0]),
    .reg_req_data_i(reg_req_data_i),
    .reg_rsp_valid_o(stack_rsp), .reg_rsp_data_o(stack_data), .reg_rsp_error_o(stack_error),
    .cmd_halt_i(part_halt), .cmd_reset_i(cmd_reset_i || tail_abort), .cmd_resume_i(cmd_resume_i),
    .state_o(stack_state), .progress_o(stack_progress), .waiting_o(stack_waiting),
    .gather_o(stack_gather),
    .nack_o(stack_nack), .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(stack_cmd_valid),
    .ctx_cmd_load_i(stack_cmd_load), .ctx_cmd_ready_o(stack_cmd_ready), .ctx_done_o(stack_done),
    .ctx_error_o(stack_ctx_error), .ctx_out_valid_o(stack_out_valid), .ctx_out_ready_i(stack_out_ready),
    .ctx_out_data_o(stack_out_data), .ctx_out_last_o(stack_out_last), .ctx_in_valid_i(stack_in_valid),
    .ctx_in_ready_o(stack_in_ready), .ctx_in_data_i(stack_in_data), .ctx_in_last_i(stack_in_last),
    .ctx_in_error_i(stack_in_error));
  wire unused_status = &{1'b0, stack_waiting, stack_gather};

  generate
    if (STATUS != 0) begin : g_unit
      branch_stack_context #(.STATUS(STATUS), .STACK_TYPE(16'h5343),
        .STACK_HASH(STACK_HASH), .BEATS(BEATS), .COUNT_W(TAG_W + 1 + $clog2(BEATS))) u_context (
        .clk_i(clk_i), .rst_i(rst_i), .cmd_halt_i(cmd_halt_i), .part_halt_o(part_halt),
        .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i),
        .ctx_cmd_load_i(ctx_cmd_load_i), .ctx_cmd_ready_o(ctx_cmd_ready_o), .unit_cmd_valid_o(unit_cmd_valid),
        .unit_cmd_ready_i(unit_cmd_ready), .unit_done_i(ctx_done_o), .tail_halted_o(tail_halted),
        .tail_active_o(tail_active), .tail_mem_o(tail_mem), .tail_nack_o(tail_nack),
        .tail_nacked_o(tail_nacked), .tail_len_o(tail_len), .tail_save_i(tail_save),
        .tail_sav_valid_o(tail_sav_valid), .tail_sav_ready_i(tail_sav_ready), .tail_load_i(tail_load),
        .tail_ld_valid_i(tail_ld_valid), .tail_ld_ready_o(tail_ld_ready), .tail_ld_data_i(tail_ld_data),
        .tail_ld_last_i(tail_ld_last), .tail_ld_refused_i(tail_ld_refused), .tail_ld_len_i(tail_ld_len),
        .tail_bad_o(tail_bad), .tail_whole_o(tail_whole),
        .tail_abort_i(tail_abort), .state_i(stack_state), .asks_i(mem_req_valid_o),
        .asked_i(mem_req_valid_o && mem_req_ready_i), .write_i(mem_req_write_o),
        .answered_i(mem_rsp_valid_i && mem_rsp_ready_o),
        .refused_i(mem_rsp_error_i != 2'd0), .nacked_i(stack_nack), .reset_i(cmd_reset_i || tail_abort),
        .opens_i(can_go), .stack_cmd_valid_o(stack_cmd_valid), .stack_cmd_load_o(stack_cmd_load),
        .stack_cmd_ready_i(stack_cmd_ready), .stack_done_i(stack_done), .stack_error_i(stack_ctx_error),
        .stack_out_valid_i(stack_out_valid), .stack_out_ready_o(stack_out_ready),
        .stack_out_data_i(stack_out_data[23:0]), .stack_out_last_i(stack_out_last),
        .stack_in_valid_o(stack_in_valid), .stack_in_ready_i(stack_in_ready), .stack_in_data_o(stack_in_data),
        .stack_in_last_o(stack_in_last), .stack_in_error_o(stack_in_error));
    end else begin : g_no_unit
      assign {ctx_cmd_ready_o, unit_cmd_valid, tail_halted, tail_active, tail_mem, tail_nack, tail_nacked,
          tail_sav_valid} = 8'd0;
      assign {tail_ld_ready, tail_bad, tail_whole, stack_cmd_valid, stack_cmd_load, stack_out_ready,
          stack_in_valid} = 7'd0;
      assign part_halt = cmd_halt_i;
      assign {stack_in_last, stack_in_error} = 3'd0;
      assign tail_len = 24'd0;
      assign stack_in_data = 32'd0;
      wire unused = &{1'b0, ctx_cmd_valid_i, unit_cmd_ready, tail_save, tail_sav_ready, tail_load,
                      tail_ld_valid, tail_ld_last, tail_ld_refused, tail_ld_len, tail_ld_data, stack_state,
                      stack_ctx_error,
                      stack_cmd_ready, stack_done, stack_out_valid, stack_in_ready, stack_nack,
                      STACK_HASH, TAG_W[0]};
    end
  endgenerate
endmodule

`default_nettype wire
