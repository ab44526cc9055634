// SPDX-License-Identifier: Apache-2.0
// stream_proof: fifo_regs (KIND 0), fifo_ram (1) and skid_buffer (2) against a list of the words that are
// held. Each output is one property; 1 says that it is broken.
`default_nettype none

module stream_proof #(
  parameter KIND = 0,
  parameter WIDTH = 1,
  parameter DEPTH = 2
) (
  input  wire clk_i,
  input  wire free_rst_i,
  input  wire in_valid_i,
  input  wire [WIDTH-1:0] in_data_i,
  input  wire out_ready_i,

  output wire bad_data_o,   // the oldest word is offered
  // a word is offered from its first cycle on: 1 after it was taken, 2 with fifo_ram
  output wire bad_valid_o,
  output wire bad_ready_o,  // a word is taken whenever there is room
  output wire bad_level_o   // the number of words is reported
);
  localparam LW = $clog2(DEPTH + 1);
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst = !started_q || free_rst_i;

  wire in_ready, out_valid;
  wire [WIDTH-1:0] out_data;
  reg [LW-1:0] held_q;
  wire [LW-1:0] level;
  generate
    if (KIND == 0) begin : g_regs
      fifo_regs #(.WIDTH(WIDTH), .DEPTH(DEPTH)) dut (
        .clk_i(clk_i), .rst_i(rst), .in_valid_i(in_valid_i), .in_ready_o(in_ready), .in_data_i(in_data_i),
        .out_valid_o(out_valid), .out_ready_i(out_ready_i), .out_data_o(out_data), .level_o(level));
    end else if (KIND == 1) begin : g_ram
      fifo_ram #(.WIDTH(WIDTH), .DEPTH(DEPTH)) dut (
        .clk_i(clk_i), .rst_i(rst), .in_valid_i(in_valid_i), .in_ready_o(in_ready), .in_data_i(in_data_i),
        .out_valid_o(out_valid), .out_ready_i(out_ready_i), .out_data_o(out_data), .level_o(level));
    end else begin : g_skid
      skid_buffer #(.WIDTH(WIDTH)) dut (
        .clk_i(clk_i), .rst_i(rst), .in_valid_i(in_valid_i), .in_ready_o(in_ready), .in_data_i(in_data_i),
        .out_valid_o(out_valid), .out_ready_i(out_ready_i), .out_data_o(out_data));
      assign level = held_q;
    end
  endgenerate

  // The words, the oldest first.
  reg [DEPTH*WIDTH-1:0] word_q;
  reg new_q;  // one was taken in the last cycle
  wire put = in_valid_i && in_ready;
  wire take = out_valid && out_ready_i;
  wire [LW-1:0] left = held_q - {{LW-1{1'b0}}, take};
  integer i;
  always @(posedge clk_i) begin
    if (take) word_q <= word_q >> WIDTH;
    for (i = 0; i < DEPTH; i = i + 1) if (put && left == i[LW-1:0]) word_q[i*WIDTH+:WIDTH] <= in_data_i;
    held_q <= rst ? {LW{1'b0}} : left + {{LW-1{1'b0}}, put};
    new_q <= !rst && put;
  end

  assign bad_data_o = !rst && out_valid && out_data != word_q[WIDTH-1:0];
  assign bad_valid_o = !rst && out_valid != (held_q > {{LW-1{1'b0}}, new_q && KIND == 1});
  assign bad_ready_o = !rst && in_ready != (held_q < DEPTH);
  assign bad_level_o = !rst && level != held_q;
endmodule

`default_nettype wire
