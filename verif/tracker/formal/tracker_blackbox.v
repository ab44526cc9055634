// SPDX-License-Identifier: Apache-2.0
// tracker_blackbox: what the tracker owes at its ports. Packets, fast packets, allocations, fills and readers
// are free; the one rule kept is that of fills (none before the first ready, none within 4 cycles of the
// allocation of its data slot). One wavefront, any that names the marked sector, is followed by a bit of its
// payload, and a later one of its warp and class by another; all other payloads are 0. Registers are left
// alone. Each output is one property; 1 says that it is broken. With HALTS the front end asks for a halt, and
// takes it back, in any cycle; fills that are outstanding then end once, and none come behind them.
`default_nettype none

module tracker_blackbox #(
  parameter BANKS = 4,
  parameter DSLOTS = 256,
  parameter SECTORS = 4,
  parameter WARPS = 48,
  parameter PAYLOAD_W = 64,
  parameter STATUS = 0,
  parameter HALT_OWN = 16,
  // Options of a task.
  parameter HALTS = 0     // with STATUS: halts at will
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire [63:0] free_mark_i,

  input  wire free_in_valid_i,
  output wire in_valid_i,
  input  wire in_ready_o,
  input  wire [1:0] free_in_kind_i,
  output wire [1:0] in_kind_i,
  input  wire [1:0] free_in_class_i,
  output wire [1:0] in_class_i,
  input  wire [((WARPS > 1) ? $clog2(WARPS) : 1)-1:0] free_in_warp_i,
  output wire [((WARPS > 1) ? $clog2(WARPS) : 1)-1:0] in_warp_i,
  input  wire free_in_end_i,
  output wire in_end_i,
  input  wire [BANKS-1:0] free_in_used_i,
  output wire [BANKS-1:0] in_used_i,
  input  wire [BANKS*$clog2(DSLOTS)-1:0] free_in_dslots_i,
  output wire [BANKS*$clog2(DSLOTS)-1:0] in_dslots_i,
  input  wire [BANKS*SECTORS-1:0] free_in_sectors_i,
  output wire [BANKS*SECTORS-1:0] in_sectors_i,
  input  wire [PAYLOAD_W-1:0] free_in_payload_i,
  output wire [PAYLOAD_W-1:0] in_payload_i,
  input  wire free_fast_in_valid_i,
  output wire fast_in_valid_i,
  input  wire fast_in_ready_o,
  input  wire fast_out_valid_o,
  input  wire free_fast_out_ready_i,
  output wire fast_out_ready_i,
  input  wire free_fill_valid_i,
  output wire fill_valid_i,
  input  wire [((BANKS > 1) ? $clog2(BANKS) : 1)-1:0] free_fill_bank_i,
  output wire [((BANKS > 1) ? $clog2(BANKS) : 1)-1:0] fill_bank_i,
  input  wire [$clog2(DSLOTS)-1:0] free_fill_dslot_i,
  output wire [$clog2(DSLOTS)-1:0] fill_dslot_i,
  input  wire [((SECTORS > 1) ? $clog2(SECTORS) : 1)-1:0] free_fill_sector_i,
  output wire [((SECTORS > 1) ? $clog2(SECTORS) : 1)-1:0] fill_sector_i,
  input  wire free_alloc_valid_i,
  output wire alloc_valid_i,
  input  wire alloc_ready_o,
  input  wire [((BANKS > 1) ? $clog2(BANKS) : 1)-1:0] free_alloc_bank_i,
  output wire [((BANKS > 1) ? $clog2(BANKS) : 1)-1:0] alloc_bank_i,
  input  wire [$clog2(DSLOTS)-1:0] free_alloc_dslot_i,
  output wire [$clog2(DSLOTS)-1:0] alloc_dslot_i,
  input  wire lg_out_valid_o,
  input  wire free_lg_out_ready_i,
  output wire lg_out_ready_i,
  input  wire [1:0] lg_out_class_o,
  input  wire [((WARPS > 1) ? $clog2(WARPS) : 1)-1:0] lg_out_warp_o,
  input  wire [BANKS-1:0] lg_out_used_o,
  input  wire [BANKS*$clog2(DSLOTS)-1:0] lg_out_dslots_o,
  input  wire [PAYLOAD_W-1:0] lg_out_payload_o,
  input  wire tex_out_valid_o,
  input  wire free_tex_out_ready_i,
  output wire tex_out_ready_i,
  input  wire tex_out_state_o,
  input  wire [1:0] tex_out_class_o,
  input  wire [((WARPS > 1) ? $clog2(WARPS) : 1)-1:0] tex_out_warp_o,
  input  wire [BANKS-1:0] tex_out_used_o,
  input  wire [BANKS*$clog2(DSLOTS)-1:0] tex_out_dslots_o,
  input  wire [PAYLOAD_W-1:0] tex_out_payload_o,
  input  wire err_valid_o,
  input  wire [2:0] err_in_o,
  input  wire [1:0] err_alloc_o,
  input  wire free_reg_req_valid_i,
  output wire reg_req_valid_i,
  input  wire [BANKS-1:0] free_valid_o,
  input  wire free_fill_pending_i,
  output wire fill_pending_i,
  input  wire free_cmd_halt_i,
  output wire cmd_halt_i,
  input  wire free_cmd_reset_i,
  output wire cmd_reset_i,
  input  wire free_cmd_resume_i,
  output wire cmd_resume_i,
  input  wire free_ctx_cmd_valid_i,
  output wire ctx_cmd_valid_i,
  input  wire [((STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5)-1:0] state_o,

  // the wavefront followed leaves once at most, and only when it was taken
  output wire bad_once_o,
  output wire bad_fields_o,     // it leaves on its path with its class, warp and data slots
  output wire bad_data_o,       // it leaves only when the marked sector is valid
  output wire bad_order_o,      // the later one of its warp and class leaves behind it
  output wire bad_fast_o,       // it leaves only when fast packets taken before it have left
  output wire bad_state_o,      // texture leaves only when state packets taken before it have left
  output wire bad_passed_o,     // a state packet leaves only when it, if taken before, has left
  output wire bad_still_o,      // an output that waits holds still
  // US-5 US-14: from the first cycle of a halt request on nothing is taken and nothing offered
  output wire bad_closed_o,
  // US-4: halted in time, until the release, never without a request nor with fills outstanding, and silent
  output wire bad_halted_o,
  output wire cover_leaves_o,   // the later one leaves
  output wire cover_data_o      // it leaves after its sector was filled behind it
);
  localparam WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1;
  localparam DSLOT_W = $clog2(DSLOTS);
  localparam [1:0] WAVE = 2'd0, STATE = 2'd1, TEX = 2'd1, RAY = 2'd2;
  localparam COUNT_W = 7;
  reg valid_q;
  always @(posedge clk_i) valid_q <= !rst_i;
  wire check = valid_q && !rst_i;

  // ---- inputs
  reg [DSLOT_W-1:0] mark_q;     // data slot of bank 0, its sector 0
  always @(posedge clk_i) if (rst_i) mark_q <= free_mark_i[DSLOT_W-1:0];
  assign {in_valid_i, in_kind_i, in_class_i, in_warp_i, in_end_i} =
         {free_in_valid_i, free_in_kind_i, free_in_class_i, free_in_warp_i, free_in_end_i};
  assign {in_used_i, in_dslots_i, in_sectors_i} = {free_in_used_i, free_in_dslots_i, free_in_sectors_i};
  assign {fast_in_valid_i, fast_out_ready_i} = {free_fast_in_valid_i, free_fast_out_ready_i};
  assign {alloc_valid_i, alloc_bank_i, alloc_dslot_i} =
         {free_alloc_valid_i, free_alloc_bank_i, free_alloc_dslot_i};
  assign {fill_bank_i, fill_dslot_i, fill_sector_i} =
         {free_fill_bank_i, free_fill_dslot_i, free_fill_sector_i};
  assign {lg_out_ready_i, tex_out_ready_i} = {free_lg_out_ready_i, free_tex_out_ready_i};
  assign reg_req_valid_i = free_reg_req_valid_i && 1'b0;

  // The front end.
  localparam UNIT = STATUS != 0 && HALTS != 0;
  localparam STATE_W = (STATUS == 2) ? 4 : (STATUS == 3) ? 3 : 5;
  localparam [4:0] HALTED = (STATUS == 2) ? 5'b01010 : (STATUS == 3) ? 5'b00100 : 5'b10000;
  reg halt_q, pending_q;
  wire halted = UNIT && state_o == HALTED[STATE_W-1:0];
  wire asked = cmd_halt_i || halt_q || halted;
  assign cmd_halt_i = UNIT && free_cmd_halt_i;
  assign {cmd_reset_i, cmd_resume_i, ctx_cmd_valid_i} =
      {free_cmd_reset_i, free_cmd_resume_i, free_ctx_cmd_valid_i} & 3'b000;
  assign fill_pending_i = UNIT && free_fill_pending_i && (pending_q || !asked);
  always @(posedge clk_i) {halt_q, pending_q} <= {2{!rst_i}} & {cmd_halt_i, fill_pending_i};

  wire in_fire = in_valid_i && in_ready_o;
  wire fast_fire = fast_in_valid_i && fast_in_ready_o;
  wire alloc_fire = alloc_valid_i && alloc_ready_o;
  wire fast_left = fast_out_valid_o && fast_out_ready_i;
  reg ready_q;
  reg [2:0] alloc_v_q;
  reg [3*DSLOT_W-1:0] alloc_q;
  always @(posedge clk_i) begin
    ready_q <= !rst_i && (ready_q || in_ready_o);
    alloc_v_q <= rst_i ? 3'd0 : {alloc_v_q[1:0], alloc_fire};
    alloc_q <= {alloc_q[0+:2*DSLOT_W], alloc_dslot_i};
  end
  wire early = (alloc_valid_i && alloc_dslot_i == fill_dslot_i) ||
               (alloc_v_q[0] && alloc_q[0+:DSLOT_W] == fill_dslot_i) ||
               (alloc_v_q[1] && alloc_q[DSLOT_W+:DSLOT_W] == fill_dslot_i) ||
               (alloc_v_q[2] && alloc_q[2*DSLOT_W+:DSLOT_W] == fill_dslot_i);
  assign fill_valid_i = free_fill_valid_i && ready_q && !early && (fill_pending_i || !asked);

  // ---- the wavefronts followed; refused ones are forgotten
  reg first_q, dead_q, left_q, later_q, later_left_q;
  reg [1:0] class_q;
  reg [WARP_W-1:0] warp_q;
  reg [BANKS-1:0] used_q;
  reg [BANKS*DSLOT_W-1:0] dslots_q;
  reg [3:0] age_q;              // cycles since it was taken
  wire names = in_kind_i == WAVE && in_used_i[0] && in_dslots_i[DSLOT_W-1:0] == mark_q && in_sectors_i[0];
  wire is_first = free_in_payload_i[0] && names && !first_q;
  // A payload of one bit has no room for the later one.
  wire [PAYLOAD_W:0] free_payload = {1'b0, free_in_payload_i};
  wire [PAYLOAD_W:0] lg_payload = {1'b0, lg_out_payload_o}, tex_payload = {1'b0, tex_out_payload_o};
  wire is_later = PAYLOAD_W > 1 && free_payload[1] && in_kind_i == WAVE && first_q && !later_q &&
                  in_class_i == class_q && in_class_i != RAY && in_warp_i == warp_q;
  wire [PAYLOAD_W+1:0] marks = {{PAYLOAD_W{1'b0}}, is_later, is_first};
  assign in_payload_i = marks[PAYLOAD_W-1:0];
  wire takes = in_fire && is_first;
  wire in_pool = first_q && !dead_q && !left_q;
  wire sure = age_q > 4'd4;     // it is known not to be refused
  wire lg_read = lg_out_valid_o && lg_out_ready_i;
  wire tex_read = tex_out_valid_o && tex_out_ready_i && !tex_out_state_o;
  wire state_left = tex_out_valid_o && tex_out_ready_i && tex_out_state_o;
  wire on_lg = lg_read && lg_out_payload_o[0], on_tex = tex_read && tex_out_payload_o[0];
  wire leaves = on_lg || on_tex;
  wire later_leaves = (lg_read && lg_payload[1]) || (tex_read && tex_payload[1]);
  always @(posedge clk_i)
    if (rst_i) begin
      first_q <= 1'b0;
      dead_q <= 1'b0;
      left_q <= 1'b0;
      later_q <= 1'b0;
      later_left_q <= 1'b0;
    end else begin
      first_q <= first_q || takes;
      later_q <= later_q || (in_fire && is_later);
      left_q <= left_q || leaves;
      later_left_q <= later_left_q || later_leaves;
      if (first_q && age_q == 4'd4 && err_valid_o && err_in_o != 3'd0) dead_q <= 1'b1;
    end
  always @(posedge clk_i) begin
    if (takes) {class_q, warp_q, used_q, dslots_q} <= {in_class_i, in_warp_i, in_used_i, in_dslots_i};
    age_q <= takes ? 4'd1 : (first_q && age_q != 4'hf) ? age_q + 4'd1 : age_q;
  end
  wire [BANKS-1:0] used = on_lg ? lg_out_used_o : tex_out_used_o;
  wire [BANKS*DSLOT_W-1:0] dslots = on_lg ? lg_out_dslots_o : tex_out_dslots_o;
  assign bad_once_o = check && leaves && (!first_q || left_q || (on_lg && on_tex));
  assign bad_fields_o = check && leaves && in_pool && (on_tex != (class_q == TEX) || used != used_q ||
    dslots[DSLOT_W-1:0] != dslots_q[DSLOT_W-1:0] || (on_lg ? lg_out_class_o : tex_out_class_o) != class_q ||
    (on_lg ? lg_out_warp_o : tex_out_warp_o) != warp_q);
  assign bad_order_o = check && later_leaves && in_pool && !leaves;
  assign cover_leaves_o = check && later_leaves && first_q && !dead_q;

  // ---- the marked sector; an allocation clears it four cycles late, when it is known whether it was refused
  reg there_q, filled_q;
  reg [3:0] alloc_here_q;
  wire fill_here = fill_valid_i && fill_bank_i == 0 && fill_dslot_i == mark_q && fill_sector_i == 0;
  wire alloc_here = alloc_fire && alloc_bank_i == 0 && alloc_dslot_i == mark_q;
  wire cleared = alloc_here_q[3] && !(err_valid_o && err_alloc_o != 2'd0);
  always @(posedge clk_i) begin
    alloc_here_q <= rst_i ? 4'd0 : {alloc_here_q[2:0], alloc_here};
    if (rst_i) there_q <= 1'b0;
    else there_q <= (there_q && !cleared) || fill_here;
    filled_q <= !rst_i && first_q && (filled_q || fill_here);
  end
  assign bad_data_o = check && leaves && in_pool && !there_q;
  assign cover_data_o = check && leaves && in_pool && filled_q;

  // ---- fast and state packets before it
  reg [COUNT_W-1:0] fasts_q, states_q, fast_before_q, state_before_q;
  wire state_fire = in_fire && in_kind_i == STATE;
  wire [COUNT_W-1:0] fasts_d = fasts_q + {{COUNT_W-1{1'b0}}, fast_fire} - {{COUNT_W-1{1'b0}}, fast_left};
  wire [COUNT_W-1:0] states_d = states_q + {{COUNT_W-1{1'b0}}, state_fire} - {{COUNT_W-1{1'b0}}, state_left};
  always @(posedge clk_i)
    if (rst_i) begin
      fasts_q <= {COUNT_W{1'b0}};
      states_q <= {COUNT_W{1'b0}};
      fast_before_q <= {COUNT_W{1'b0}};
      state_before_q <= {COUNT_W{1'b0}};
    end else begin
      fasts_q <= fasts_d;
      states_q <= states_d;
      if (takes) fast_before_q <= fasts_d;
      else if (fast_left && fast_before_q != 0) fast_before_q <= fast_before_q - 1'b1;
      if (takes) state_before_q <= states_d;
      else if (state_left && state_before_q != 0) state_before_q <= state_before_q - 1'b1;
    end
  assign bad_fast_o = check && leaves && in_pool && fast_before_q != 0;
  assign bad_state_o = check && leaves && in_pool && class_q == TEX && state_before_q != 0;
  assign bad_passed_o = check && state_left && in_pool && sure && !leaves && state_before_q == 0;

  // ---- outputs
  reg lg_waits_q, tex_waits_q, tex_state_q;
  reg [PAYLOAD_W-1:0] lg_word_q, tex_word_q;
  always @(posedge clk_i) begin
    lg_waits_q <= !rst_i && lg_out_valid_o && !lg_out_ready_i && !cmd_halt_i;
    tex_waits_q <= !rst_i && tex_out_valid_o && !tex_out_ready_i && !cmd_halt_i;
    {lg_word_q, tex_word_q, tex_state_q} <= {lg_out_payload_o, tex_out_payload_o, tex_out_state_o};
  end
  assign bad_still_o = check && ((lg_waits_q && (!lg_out_valid_o || lg_out_payload_o != lg_word_q)) ||
    (tex_waits_q && (!tex_out_valid_o || tex_out_payload_o != tex_word_q || tex_out_state_o != tex_state_q)));

  // ---- halt
  localparam WAIT_W = $clog2(HALT_OWN + 2);
  localparam [31:0] LATEST = HALT_OWN;
  reg stays_q;                  // the cycle before was halted, with a request
  reg [WAIT_W-1:0] since_q;     // cycles of the request, memories cleared and no fill outstanding
  always @(posedge clk_i) begin
    stays_q <= halted && halt_q && !rst_i;
    since_q <= (rst_i || !halt_q || halted || fill_pending_i || !ready_q) ? {WAIT_W{1'b0}}
               : since_q + {{WAIT_W-1{1'b0}}, since_q != LATEST[WAIT_W-1:0]};
  end
  reg may_q;                    // the cycle before had a request
  always @(posedge clk_i) may_q <= halt_q && !rst_i;
  assign bad_closed_o = check && (halt_q || halted) && (in_ready_o || fast_in_ready_o || alloc_ready_o ||
    fast_out_valid_o || lg_out_valid_o || tex_out_valid_o);
  assign bad_halted_o = check && (halted ? !may_q || (halt_q && fill_pending_i) || free_valid_o != 0
                                         : stays_q || (halt_q && since_q == LATEST[WAIT_W-1:0]));
  wire unused = &{1'b0, free_mark_i, free_cmd_halt_i, free_fill_pending_i, state_o, free_valid_o,
                  free_payload, lg_payload, tex_payload, marks, used_q, dslots_q, dslots, later_left_q};
endmodule

`default_nettype wire
