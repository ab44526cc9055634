// SPDX-License-Identifier: Apache-2.0
// copy_words_core: the example of a block with two memory ports. A command {from, to} reads the 32-bit word
// `from` at port a_ and writes it as the 32-bit word `to` at port b_, which is B_W bits wide; then
// {to, error} is offered. One at a time; a read that fails writes nothing.
`default_nettype none

module copy_words_core #(
  parameter B_W = 64  // data bits of port b_
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire cmd_valid_i,
  output wire cmd_ready_o,
  input  wire [7:0] cmd_from_i,
  input  wire [7:0] cmd_to_i,

  output wire done_valid_o,
  input  wire done_ready_i,
  output wire [7:0] done_to_o,
  output wire [1:0] done_error_o,

  output wire a_mem_req_valid_o,
  input  wire a_mem_req_ready_i,
  output wire a_mem_req_write_o,
  output wire a_mem_req_tag_o,
  output wire [15:0] a_mem_req_addr_o,
  output wire [31:0] a_mem_req_data_o,
  output wire [3:0] a_mem_req_strb_o,
  input  wire a_mem_rsp_valid_i,
  output wire a_mem_rsp_ready_o,
  input  wire a_mem_rsp_tag_i,
  input  wire [31:0] a_mem_rsp_data_i,
  input  wire [1:0] a_mem_rsp_error_i,

  output wire b_mem_req_valid_o,
  input  wire b_mem_req_ready_i,
  output wire b_mem_req_write_o,
  output wire [1:0] b_mem_req_tag_o,
  output wire [15:0] b_mem_req_addr_o,
  output wire [B_W-1:0] b_mem_req_data_o,
  output wire [B_W/8-1:0] b_mem_req_strb_o,
  input  wire b_mem_rsp_valid_i,
  output wire b_mem_rsp_ready_o,
  input  wire [1:0] b_mem_rsp_tag_i,
  input  wire [B_W-1:0] b_mem_rsp_data_i,
  input  wire [1:0] b_mem_rsp_error_i
);
  localparam WORDS = B_W / 32;
  localparam [7:0] PLACE = WORDS[7:0] - 8'd1;  // the bits of `to` that choose among the words of port b_
  localparam [2:0] IDLE = 3'd0, READ = 3'd1, READING = 3'd2, WRITE = 3'd3, WRITING = 3'd4, DONE = 3'd5;

  generate
    if (B_W < 32 || B_W > 256 || (B_W & (B_W - 1)) != 0) begin : g_b_w_range
      b_w_out_of_range check ();
    end
  endgenerate

  reg [2:0] phase_q;
  reg [7:0] from_q, to_q;
  reg [31:0] data_q;
  reg [1:0] error_q, tag_q;

  assign cmd_ready_o = phase_q == IDLE;
  assign a_mem_req_valid_o = phase_q == READ;
  assign {a_mem_req_write_o, a_mem_req_tag_o, a_mem_req_data_o, a_mem_req_strb_o} = 38'd0;
  assign a_mem_req_addr_o = {6'd0, from_q, 2'b00};
  assign a_mem_rsp_ready_o = phase_q == READING;
  assign b_mem_req_valid_o = phase_q == WRITE;
  assign b_mem_req_write_o = phase_q == WRITE;
  assign b_mem_req_tag_o = tag_q;
  assign b_mem_req_addr_o = {6'd0, to_q & ~PLACE, 2'b00};
  assign b_mem_req_data_o = {WORDS{data_q}};
  assign b_mem_req_strb_o = {{B_W/8-1{1'b0}}, 1'b1} * 15 << (4 * (to_q & PLACE));
  assign b_mem_rsp_ready_o = phase_q == WRITING;
  assign done_valid_o = phase_q == DONE;
  assign {done_to_o, done_error_o} = {to_q, error_q};

  always @(posedge clk_i) begin
    case (phase_q)
      IDLE: begin
        {from_q, to_q} <= {cmd_from_i, cmd_to_i};
        error_q <= 2'd0;
        if (cmd_valid_i) phase_q <= READ;
      end
      READ: if (a_mem_req_ready_i) phase_q <= READING;
      READING: begin
        data_q <= a_mem_rsp_data_i;
        error_q <= a_mem_rsp_error_i;
        if (a_mem_rsp_valid_i) phase_q <= a_mem_rsp_error_i != 2'd0 ? DONE : WRITE;
      end
      WRITE: if (b_mem_req_ready_i) phase_q <= WRITING;
      WRITING: begin
        error_q <= b_mem_rsp_error_i;
        if (b_mem_rsp_valid_i) {tag_q, phase_q} <= {tag_q + 2'd1, DONE};
      end
      default: if (done_ready_i) phase_q <= IDLE;
    endcase
    if (rst_i) {tag_q, phase_q} <= {2'd0, IDLE};
  end
  wire unused = &{1'b0, a_mem_rsp_tag_i, b_mem_rsp_tag_i, b_mem_rsp_data_i};
endmodule

`default_nettype wire
