// SPDX-License-Identifier: Apache-2.0
// example_cluster: four small processors around a generated const_cache (README.md says of which
// configuration). A work item names the first of eight constants; its processor reads them in order, folds
// them into a checksum and completes. Results come from each processor on its own.
`default_nettype none

module example_cluster (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_valid_i,                   // of const_cache: 0 write of four words, 1 work item
  output wire cmd_ready_o,
  input  wire [2:0] cmd_kind_i,
  input  wire [7:0] cmd_addr_i,
  input  wire [127:0] cmd_data_i,            // of an item: bits 7..0 its first constant

  output wire [3:0] res_valid_o,             // per processor: its item is done; one cycle
  output wire [4*32-1:0] res_item_o,
  output wire [4*32-1:0] res_sum_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [2:0] mem_req_tag_o,
  output wire [31:0] mem_req_addr_o,
  output wire [127:0] mem_req_data_o,
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [2:0] mem_rsp_tag_i,
  input  wire [127:0] mem_rsp_data_i,

  output wire error_o
);
  wire work_valid;
  wire [1:0] work_sm;
  wire [31:0] work_item;
  wire [3:0] done_valid, done_ready, rd_valid, rd_ready, rsp_valid;
  wire [4*8-1:0] rd_addr;
  wire [4*32-1:0] rsp_data;

  const_cache u_constants (
    .clk_i(clk_i), .rst_i(rst_i),
    .cmd_valid_i(cmd_valid_i), .cmd_ready_o(cmd_ready_o), .cmd_kind_i(cmd_kind_i), .cmd_addr_i(cmd_addr_i),
    .cmd_data_i(cmd_data_i), .cmd_done_o(),
    .work_valid_o(work_valid), .work_sm_o(work_sm), .work_item_o(work_item),
    .done_valid_i(done_valid), .done_ready_o(done_ready),
    .rd_valid_i(rd_valid), .rd_ready_o(rd_ready), .rd_addr_i(rd_addr),
    .rsp_valid_o(rsp_valid), .rsp_error_o(), .rsp_data_o(rsp_data),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i),
    .mem_req_write_o(mem_req_write_o), .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o),
    .mem_req_data_o(mem_req_data_o), .mem_req_strb_o(),
    .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o), .mem_rsp_tag_i(mem_rsp_tag_i),
    .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_error_i(2'd0),
    .error_o(error_o),
    .reg_req_valid_i(1'b0), .reg_req_ready_o(), .reg_req_write_i(1'b0), .reg_req_addr_i(9'd0),
    .reg_req_data_i(32'd0), .reg_rsp_valid_o(), .reg_rsp_data_o(), .reg_rsp_error_o(),
    .cmd_halt_i(1'b0), .cmd_reset_i(1'b0), .cmd_resume_i(1'b0), .state_o(), .progress_o(), .waiting_o(),
    .gather_o(), .nack_o(),
    .ctx_unit_i(16'd0), .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(1'b0), .ctx_cmd_ready_o(), .ctx_done_o(),
    .ctx_error_o(), .ctx_out_valid_o(), .ctx_out_ready_i(1'b0), .ctx_out_data_o(), .ctx_out_last_o(),
    .ctx_in_valid_i(1'b0), .ctx_in_ready_o(), .ctx_in_data_i(32'd0), .ctx_in_last_i(1'b0),
    .ctx_in_error_i(2'd0));

  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : g_processor
      localparam [1:0] SELF = g;
      reg running_q;
      reg [3:0] asked_q, answered_q;         // of the eight constants
      reg [31:0] item_q, sum_q;
      wire asks = running_q && !asked_q[3];
      wire done = running_q && answered_q[3];
      assign rd_valid[g] = asks;
      assign rd_addr[g*8+:8] = item_q[7:0] + {4'd0, asked_q};
      assign done_valid[g] = done;
      assign res_valid_o[g] = done && done_ready[g];
      assign res_item_o[g*32+:32] = item_q;
      assign res_sum_o[g*32+:32] = sum_q;
      always @(posedge clk_i)
        if (rst_i) running_q <= 1'b0;
        else if (work_valid && work_sm == SELF) begin
          running_q <= 1'b1;
          item_q <= work_item;
          asked_q <= 4'd0;
          answered_q <= 4'd0;
          sum_q <= 32'd0;
        end else begin
          if (asks && rd_ready[g]) asked_q <= asked_q + 4'd1;
          if (rsp_valid[g]) begin
            answered_q <= answered_q + 4'd1;
            sum_q <= {sum_q[26:0], sum_q[31:27]} + rsp_data[g*32+:32];
          end
          if (done && done_ready[g]) running_q <= 1'b0;
        end
    end
  endgenerate
endmodule

`default_nettype wire
