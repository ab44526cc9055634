// SPDX-License-Identifier: Apache-2.0
// selftest_memory: answers each request of a memory port once, in order, with data that mean nothing.
// It takes a request when accept_i is 1 and fewer than four wait, and answers the oldest when answer_i is 1.
`default_nettype none

module selftest_memory #(
  parameter TAG_W  = 4,
  parameter DATA_W = 32
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire accept_i,
  input  wire answer_i,
  input  wire [DATA_W-1:0] bits_i,

  input  wire ask_valid_i,
  output wire ask_ready_o,
  input  wire [TAG_W-1:0] ask_tag_i,

  output reg  give_valid_o,
  input  wire give_ready_i,
  output reg  [TAG_W-1:0] give_tag_o,
  output reg  [DATA_W-1:0] give_data_o
);
  reg [4*TAG_W-1:0] tags_q; // the oldest is lowest
  reg [2:0] count_q;

  assign ask_ready_o = accept_i && !count_q[2];
  wire take   = ask_valid_i && ask_ready_o;
  wire free   = !give_valid_o || give_ready_i;
  wire give   = free && answer_i && count_q != 3'd0;
  wire [2:0] left = count_q - {2'd0, give};
  wire [4*TAG_W-1:0] rest = give ? tags_q >> TAG_W : tags_q;

  integer i;
  always @(posedge clk_i) begin
    if (rst_i) begin
      count_q <= 3'd0;
      tags_q <= {4*TAG_W{1'b0}};
      give_valid_o <= 1'b0;
      give_tag_o <= {TAG_W{1'b0}};
      give_data_o <= {DATA_W{1'b0}};
    end else begin
      count_q <= left + {2'd0, take};
      for (i = 0; i < 4; i = i + 1)
        tags_q[TAG_W*i +: TAG_W] <= take && left[1:0] == i[1:0] ? ask_tag_i : rest[TAG_W*i +: TAG_W];
      if (free) give_valid_o <= give;
      if (give) give_tag_o <= tags_q[TAG_W-1:0];
      if (give) give_data_o <= bits_i;
    end
  end
endmodule

`default_nettype wire
