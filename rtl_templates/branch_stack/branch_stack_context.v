// SPDX-License-Identifier: Apache-2.0
// branch_stack_context: makes one unit of a branch unit and its stack, whose context follows that of the
// unit.
//
// The stack is a unit of its own inside, with a context port that is commanded here. Its stream travels
// without its header: a save begins with fetching the header, for the length; a load begins with a header
// made here. What goes wrong on the way, on either side, ends both (docs/branch_unit_status.md). Reset: idle.
`default_nettype none

module branch_stack_context #(
  // Unit status, halt and context switch, with this encoding of state_o; none: its ports are idle; 0 none, 1
  // one_hot, 2 two_of_four, 3 binary.
  parameter STATUS = 1,
  parameter [15:0] STACK_TYPE = 0,  // of the stack's context
  parameter [31:0] STACK_HASH = 0,  // hash of what shapes the stack's context
  parameter BEATS = 1,              // of a set on the memory port
  parameter COUNT_W = 10            // of the answers that the stack's memory accesses are due
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire cmd_halt_i,         // halt: a level, held as long as the unit is to stay halted
  output wire part_halt_o,        // to both parts
  input  wire [15:0] ctx_unit_i,  // number of this unit, written into its contexts; constant
  input  wire ctx_cmd_valid_i,    // a save or a load is wanted; hold it until taken
  input  wire ctx_cmd_load_i,     // 1: load, 0: save
  output wire ctx_cmd_ready_o,    // the command is taken in this cycle; 1 only while halted

  // The branch unit.
  output wire unit_cmd_valid_o,       // the command goes on to the unit
  input  wire unit_cmd_ready_i,       // the unit takes it, or would
  input  wire unit_done_i,            // pulse: its save or load has ended
  output wire tail_halted_o,          // the stack is halted, and its part of a context is not under way
  output wire tail_active_o,          // the stack is active
  output wire tail_mem_o,             // the stack has memory accesses under way
  output wire tail_nack_o,            // an access of the stack was refused in this cycle
  output wire tail_nacked_o,          // the stack's sticky bit of refused accesses
  output wire [23:0] tail_len_o,      // words of the stack's payload, from a save's header
  input  wire tail_save_i,            // level: the unit saves
  output wire tail_sav_valid_o,       // a word of the stack for a save
  input  wire tail_sav_ready_i,       // it is taken
  input  wire tail_load_i,            // level: the unit loads
  input  wire tail_ld_valid_i,        // a word for the stack
  output wire tail_ld_ready_o,        // it is taken
  input  wire [31:0] tail_ld_data_i,  // that word
  input  wire tail_ld_last_i,         // it is the last one
  input  wire tail_ld_refused_i,      // a word of the unit was wrong: the stack refuses the load, too
  input  wire [23:0] tail_ld_len_i,   // words of the stack's payload, of a load
  output wire tail_bad_o,             // the stack refused the load
  output wire tail_whole_o,           // the stack has committed the load, although a reset came
  input  wire tail_abort_i,           // pulse: the unit refuses the load

  // The stack.
  // State of the stack, in the code of STATUS.
  input  wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_i,
  input  wire asks_i,          // a memory request is offered,
  input  wire asked_i,         // is taken,
  input  wire write_i,         // it is a write: BEATS requests and an answer; a read the other way round
  input  wire answered_i,      // is answered,
  input  wire refused_i,       // with an error
  input  wire nacked_i,        // it has recorded an error: its sticky bit
  input  wire reset_i,         // the stack is told to clear itself
  input  wire opens_i,         // it takes operations
  output wire stack_cmd_valid_o,  // a command to the context port of the stack
  output wire stack_cmd_load_o,  // 1: load, 0: save
  input  wire stack_cmd_ready_i,  // the stack takes it
  input  wire stack_done_i,  // pulse: the stack's save or load has ended
  input  wire [2:0] stack_error_i,  // with stack_done_i: its error, 0 good
  input  wire stack_out_valid_i,  // a word of the stack's stream of a save
  output wire stack_out_ready_o,  // it is taken
  input  wire [23:0] stack_out_data_i,  // low 24 bits of it, of the header the length
  input  wire stack_out_last_i,  // it is the last one
  output wire stack_in_valid_o,  // a word of the stack's stream of a load
  input  wire stack_in_ready_i,  // it is taken
  output wire [31:0] stack_in_data_o,  // that word
  output wire stack_in_last_o,  // it is the last one
  output wire [1:0] stack_in_error_o  // with the last word: 2, the stack is to refuse the load; else 0
);
  localparam [3:0] IDLE = 4'd0, FETCH = 4'd1, HEAD = 4'd2, SAVE = 4'd3, SAVING = 4'd4, DRAIN = 4'd5,
                   LOAD = 4'd6, WAIT = 4'd7, ASK = 4'd8, LEAD = 4'd9, LOADING = 4'd10, END = 4'd11,
                   LAST = 4'd12, SPOIL = 4'd13, SPOILT = 4'd14;
  reg [3:0] at_q;
  reg [1:0] index_q;
  reg [23:0] len_q;
  reg bad_q, whole_q, clears_q, reset_q, stale_q, late_q;
  reg [COUNT_W-1:0] due_q;                   // answers (beats) to come
  wire [COUNT_W-1:0] more;

  wire is_active, is_halted;
  generate
    if (STATUS == 1) begin : g_one_hot
      assign {is_halted, is_active} = {state_i[4], state_i[1]};
      wire unused = &{1'b0, state_i};
    end else if (STATUS == 2) begin : g_two_of_four
      assign {is_halted, is_active} = {state_i[3] && state_i[1], state_i[2] && state_i[0]};
    end else begin : g_binary
      assign {is_halted, is_active} = {state_i[2], state_i == 3'd1};
    end
  endgenerate
  assign tail_halted_o = is_halted && !clears_q && at_q != DRAIN && at_q != SPOIL && at_q != SPOILT;
  assign tail_active_o = is_active;
  assign tail_mem_o = asks_i || due_q != {COUNT_W{1'b0}};

  generate
    if (BEATS > 1) begin : g_beats
      localparam [COUNT_W-1:0] ALL = BEATS, LAST_BEAT = BEATS - 1;
      reg [COUNT_W-1:0] beat_q;              // of a write
      always @(posedge clk_i)
        if (rst_i) beat_q <= {COUNT_W{1'b0}};
        else if (asked_i) beat_q <= (write_i && beat_q != LAST_BEAT) ? beat_q + 1'b1 : {COUNT_W{1'b0}};
      assign more = !asked_i ? {COUNT_W{1'b0}} : !write_i ? ALL
                  : {{COUNT_W-1{1'b0}}, beat_q == {COUNT_W{1'b0}}};
    end else begin : g_whole
      assign more = {{COUNT_W-1{1'b0}}, asked_i};
      wire unused_write = write_i;
    end
  endgenerate

  // From a reset until the stack has cleared itself its answers are those of accesses from before. [US-3
  // US-7]
  assign tail_nack_o = answered_i && refused_i && !stale_q;
  always @(posedge clk_i) begin
    reset_q <= reset_i && !rst_i;
    stale_q <= !rst_i && (reset_q || (stale_q && !opens_i && !is_halted));
    late_q <= !rst_i && !reset_i && !reset_q && !stale_q && (tail_nack_o || (late_q && !nacked_i));
  end
  // Of an answer in beats the stack records an error when it has looked at the whole set. [SC-10]
  assign tail_nacked_o = nacked_i || late_q;

  wire opens = at_q == SAVE || at_q == LOAD;   // the command goes on to the unit
  assign unit_cmd_valid_o = ctx_cmd_valid_i && opens;
  assign ctx_cmd_ready_o = unit_cmd_ready_i && opens;
  assign stack_cmd_valid_o = at_q == FETCH || (at_q == ASK && tail_load_i);
  assign stack_cmd_load_o = at_q == ASK;

  assign tail_len_o = len_q;
  assign tail_sav_valid_o = at_q == SAVING && stack_out_valid_i;
  assign stack_out_ready_o = at_q == HEAD || at_q == DRAIN || (at_q == SAVING && tail_sav_ready_i);

  wire [31:0] header = (index_q == 2'd0) ? {STACK_TYPE, ctx_unit_i} : (index_q == 2'd1) ? STACK_HASH : {8'd0,
      tail_ld_len_i};
  assign stack_in_valid_o = at_q == SPOIL || (tail_load_i && (at_q == LEAD || (at_q == LOADING
      && tail_ld_valid_i)));
  assign stack_in_data_o = (at_q == LEAD) ? header : tail_ld_data_i;
  assign stack_in_last_o = at_q == SPOIL || (at_q == LOADING && tail_ld_last_i);
  // The stack refuses with the whole: a refused load leaves its run-time registers as they were. [US-9]
  assign stack_in_error_o = {at_q == SPOIL || (stack_in_last_o && tail_ld_refused_i), 1'b0};
  assign tail_ld_ready_o = at_q == LAST || (at_q == LOADING && stack_in_ready_i && !tail_ld_last_i);
  assign tail_bad_o = bad_q;
  // The stack commits some cycles before the unit can. A reset that comes between finds a load that is whole:
  // the unit's run-time registers follow, and no error is reported. [US-9]
  assign tail_whole_o = whole_q && !bad_q;
  // A release that comes between waits until the unit has ended the load. [US-9]
  reg halt_q;
  wire ends = at_q == END || at_q == LAST || (at_q == IDLE && tail_load_i);
  assign part_halt_o = cmd_halt_i || (halt_q && ends);
  always @(posedge clk_i) halt_q <= part_halt_o;

  always @(posedge clk_i)
    if (rst_i) begin
      at_q <= IDLE;
      whole_q <= 1'b0;
      clears_q <= 1'b0;
      due_q <= {COUNT_W{1'b0}};
    end else begin
      clears_q <= tail_abort_i;
      due_q <= due_q + more - {{COUNT_W-1{1'b0}}, answered_i};
      case (at_q)
        IDLE: if (ctx_cmd_valid_i && unit_cmd_ready_i) begin
          at_q <= ctx_cmd_load_i ? LOAD : FETCH;
          whole_q <= 1'b0;
        end
        FETCH: begin
          index_q <= 2'd0;
          if (stack_cmd_ready_i) at_q <= HEAD;
        end
        HEAD: if (stack_out_valid_i) begin
          index_q <= index_q + 2'd1;
          len_q <= stack_out_data_i;           // the last of them stays
          if (index_q == 2'd2) at_q <= SAVE;
        end
        SAVE: at_q <= (ctx_cmd_valid_i && unit_cmd_ready_i) ? SAVING : DRAIN;
        SAVING:
          if (tail_sav_ready_i && stack_out_valid_i && stack_out_last_i) at_q <= IDLE;
          else if (!tail_save_i) at_q <= DRAIN;
        LOAD: at_q <= (ctx_cmd_valid_i && unit_cmd_ready_i) ? WAIT : IDLE;
        WAIT:
          if (unit_done_i) at_q <= IDLE;
          else if (tail_ld_valid_i) at_q <= ASK;
        ASK: begin
          index_q <= 2'd0;
          if (!tail_load_i) at_q <= IDLE;
          else if (stack_cmd_ready_i) at_q <= LEAD;
        end
        LEAD:
          if (!tail_load_i) at_q <= SPOIL;
          else if (stack_in_ready_i) begin
            index_q <= index_q + 2'd1;
            if (index_q == 2'd2) at_q <= LOADING;
          end
        LOADING:
          if (!tail_load_i) at_q <= SPOIL;
          else if (tail_ld_valid_i && tail_ld_last_i && stack_in_ready_i) at_q <= END;
        END: begin
          bad_q <= stack_error_i != 3'd0;
          if (reset_i) whole_q <= 1'b1;        // if the stack has committed: bad_q
          if (stack_done_i) at_q <= LAST;
        end
        LAST: if (tail_ld_valid_i || !tail_load_i) at_q <= IDLE;
        SPOIL: if (stack_in_ready_i) at_q <= SPOILT;
        default: if (stack_done_i) at_q <= IDLE;  // DRAIN, SPOILT
      endcase
    end
endmodule

`default_nettype wire
