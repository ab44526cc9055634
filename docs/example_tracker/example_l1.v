// SPDX-License-Identifier: Apache-2.0
// example_l1: a small streaming L1 around a generated tracker (README.md says of which configuration). Loads
// of one word, each an instruction of its own; direct-mapped, so a line's set is its data slot; a sector is a
// word. A load is taken when the tag is there, or the data slot has no references: then it is allocated anew.
// Hits and misses go the same way, through the tracker; its lg_out reads the data. Memory answers in any
// order.
`default_nettype none

module example_l1 #(
  parameter ADDR_W = 14,                     // of words
  parameter WARP_W = 3,
  parameter ID_W = 16
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire ld_valid_i,
  output wire ld_ready_o,
  input  wire [WARP_W-1:0] ld_warp_i,
  input  wire [ADDR_W-1:0] ld_addr_i,
  input  wire [ID_W-1:0] ld_id_i,

  output reg  rsp_valid_o,
  output reg  [WARP_W-1:0] rsp_warp_o,
  output reg  [ID_W-1:0] rsp_id_o,
  output wire [31:0] rsp_data_o,

  output reg  mem_req_valid_o,               // taken in every cycle
  output reg  [ADDR_W-1:0] mem_req_addr_o,
  input  wire mem_rsp_valid_i,               // 8 cycles after the request or later
  input  wire [ADDR_W-1:0] mem_rsp_addr_i,
  input  wire [31:0] mem_rsp_data_i,

  output wire err_o
);
  localparam SLOT_W = 6, SECTOR_W = 2, SLOTS = 1 << SLOT_W, SECTORS = 1 << SECTOR_W;
  localparam TAG_W = ADDR_W - SLOT_W - SECTOR_W;

  // ---- tags ---------------------------------------------------------------------------------------------
  reg [SLOTS-1:0] valid_q, busy_q;           // busy: named, and not reported free
  reg [SLOTS*SECTORS-1:0] asked_q;           // sectors that memory was asked for
  reg [TAG_W-1:0] tag [0:SLOTS-1];
  wire [SLOT_W-1:0] slot = ld_addr_i[SECTOR_W+:SLOT_W];
  wire [SECTOR_W-1:0] sector = ld_addr_i[SECTOR_W-1:0];
  wire hit = valid_q[slot] && tag[slot] == ld_addr_i[ADDR_W-1-:TAG_W];
  wire in_ready, alloc_ready, taken;
  wire may_go = hit || (!busy_q[slot] && alloc_ready);
  assign ld_ready_o = in_ready && may_go;
  assign taken = ld_valid_i && ld_ready_o;
  wire allocates = taken && !hit;
  wire asks = taken && !(hit && asked_q[{slot, sector}]);

  // A report is of before the slot was named again when that was less than four cycles ago.
  wire free_valid;
  wire [SLOT_W-1:0] free_slot;
  reg [3:0] named_v_q;
  reg [4*SLOT_W-1:0] named_q;
  wire is_old = (taken && slot == free_slot) ||
                (named_v_q[0] && named_q[0+:SLOT_W] == free_slot) ||
                (named_v_q[1] && named_q[SLOT_W+:SLOT_W] == free_slot) ||
                (named_v_q[2] && named_q[2*SLOT_W+:SLOT_W] == free_slot) ||
                (named_v_q[3] && named_q[3*SLOT_W+:SLOT_W] == free_slot);
  always @(posedge clk_i) begin
    named_q <= {named_q[0+:3*SLOT_W], slot};
    if (rst_i) begin
      valid_q <= {SLOTS{1'b0}};
      busy_q <= {SLOTS{1'b0}};
      named_v_q <= 4'd0;
      mem_req_valid_o <= 1'b0;
    end else begin
      named_v_q <= {named_v_q[2:0], taken};
      if (free_valid && !is_old) busy_q[free_slot] <= 1'b0;
      if (taken) begin
        busy_q[slot] <= 1'b1;
        valid_q[slot] <= 1'b1;
      end
      mem_req_valid_o <= asks;
    end
    if (allocates) begin
      tag[slot] <= ld_addr_i[ADDR_W-1-:TAG_W];
      asked_q[slot*SECTORS+:SECTORS] <= {SECTORS{1'b0}};
    end
    if (taken) asked_q[{slot, sector}] <= 1'b1;
    mem_req_addr_o <= ld_addr_i;
  end

  // ---- the tracker --------------------------------------------------------------------------------------
  wire out_valid;
  wire [WARP_W-1:0] out_warp;
  wire [SLOT_W-1:0] out_slot;
  wire [ID_W+SECTOR_W-1:0] out_payload;
  wire [SECTORS-1:0] need = {{SECTORS-1{1'b0}}, 1'b1} << sector;
  tracker u_tracker (
    .clk_i(clk_i), .rst_i(rst_i),
    .in_valid_i(ld_valid_i && may_go), .in_ready_o(in_ready), .in_kind_i(2'd0), .in_class_i(2'd0),
    .in_warp_i(ld_warp_i), .in_end_i(1'b1), .in_used_i(1'b1), .in_dslots_i(slot), .in_sectors_i(need),
    .in_bank_i(1'b0), .in_payload_i({ld_id_i, sector}),
    .fast_in_valid_i(1'b0), .fast_in_ready_o(), .fast_in_payload_i({ID_W+SECTOR_W{1'b0}}),
    .fast_out_valid_o(), .fast_out_ready_i(1'b1), .fast_out_payload_o(),
    .fill_valid_i(mem_rsp_valid_i), .fill_bank_i(1'b0), .fill_dslot_i(mem_rsp_addr_i[SECTOR_W+:SLOT_W]),
    .fill_sector_i(mem_rsp_addr_i[SECTOR_W-1:0]),
    .alloc_valid_i(allocates), .alloc_ready_o(alloc_ready), .alloc_bank_i(1'b0), .alloc_dslot_i(slot),
    .lg_out_valid_o(out_valid), .lg_out_ready_i(1'b1), .lg_out_class_o(), .lg_out_warp_o(out_warp),
    .lg_out_end_o(), .lg_out_used_o(), .lg_out_dslots_o(out_slot), .lg_out_payload_o(out_payload),
    .tex_out_valid_o(), .tex_out_ready_i(1'b1), .tex_out_state_o(), .tex_out_class_o(), .tex_out_warp_o(),
    .tex_out_end_o(), .tex_out_used_o(), .tex_out_dslots_o(), .tex_out_payload_o(),
    .free_valid_o(free_valid), .free_dslot_o(free_slot),
    .err_valid_o(err_o), .err_in_o(), .err_alloc_o(), .err_reg_o(), .err_fill_o(),
    .reg_req_valid_i(1'b0), .reg_req_ready_o(), .reg_req_write_i(1'b0), .reg_req_addr_i(8'd0),
    .reg_req_data_i(32'd0), .reg_rsp_valid_o(), .reg_rsp_data_o(), .reg_rsp_error_o(),
    .fill_pending_i(1'b0), .cmd_halt_i(1'b0), .cmd_reset_i(1'b0), .cmd_resume_i(1'b0), .state_o(),
    .progress_o(), .waiting_o(), .gather_o(), .nack_o(),
    .ctx_unit_i(16'd0), .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(1'b0), .ctx_cmd_ready_o(), .ctx_done_o(),
    .ctx_error_o(), .ctx_out_valid_o(), .ctx_out_ready_i(1'b0), .ctx_out_data_o(), .ctx_out_last_o(),
    .ctx_in_valid_i(1'b0), .ctx_in_ready_o(), .ctx_in_data_i(32'd0), .ctx_in_last_i(1'b0),
    .ctx_in_error_i(2'd0));

  // ---- data ---------------------------------------------------------------------------------------------
  reg [31:0] data [0:SLOTS*SECTORS-1];
  reg [31:0] read_q;
  always @(posedge clk_i) begin
    if (mem_rsp_valid_i) data[mem_rsp_addr_i[SLOT_W+SECTOR_W-1:0]] <= mem_rsp_data_i;
    read_q <= data[{out_slot, out_payload[SECTOR_W-1:0]}];
    rsp_valid_o <= out_valid && !rst_i;
    rsp_warp_o <= out_warp;
    rsp_id_o <= out_payload[SECTOR_W+:ID_W];
  end
  assign rsp_data_o = read_q;
  wire unused_tag = &{1'b0, mem_rsp_addr_i[ADDR_W-1-:TAG_W]};
endmodule

`default_nettype wire
