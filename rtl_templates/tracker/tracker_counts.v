// SPDX-License-Identifier: Apache-2.0
// tracker_counts: one way to read the reference counts of a bank (TR-13): {token waits, saturated, count up}
// and the count down of a data slot, two cycles after its number was given. The operation that reads, if it
// writes, does so in the cycle in which it has the words; writes of the operations before it are seen, those
// of its own cycle are not. Of the counts down all writes up to the cycle of the number are seen. Reset:
// nothing is forwarded; init_i clears all words.
`default_nettype none

module tracker_counts #(
  parameter DSLOTS = 256,
  parameter DSLOT_W = 8,
  parameter REF_W = 6
) (
  input  wire clk_i,
  input  wire init_i,
  input  wire [DSLOT_W-1:0] init_dslot_i,
  input  wire init_stuck_i,                  // the count is saturated, of a context that comes in

  input  wire write_i,
  input  wire [DSLOT_W-1:0] write_dslot_i,
  input  wire [REF_W+1:0] write_word_i,
  input  wire down_we_i,
  input  wire [DSLOT_W-1:0] down_addr_i,
  input  wire [REF_W-1:0] down_data_i,

  input  wire [DSLOT_W-1:0] dslot0_i,
  input  wire [DSLOT_W-1:0] dslot1_i,        // the same number in the next cycle
  output wire [REF_W+1:0] word_o,            // in the cycle after that
  output wire [REF_W-1:0] down_o,
  output wire [REF_W-1:0] limit_o,           // with it: the count up that saturates with one more
  input  wire used1_i,                       // with dslot1_i: it is named
  output wire waits_o                        // with word_o: it is named, and a token for it waits
);
  localparam WORD_W = REF_W + 2;

  wire [WORD_W-1:0] read_up;
  wire [REF_W-1:0] read_down;
  ram_1r1w #(.WIDTH(WORD_W), .DEPTH(DSLOTS)) u_up (
    .clk_i(clk_i), .we_i(init_i || write_i), .waddr_i(init_i ? init_dslot_i : write_dslot_i),
    .wdata_i(init_i ? {1'b0, init_stuck_i, {REF_W{1'b0}}} : write_word_i), .raddr_i(dslot0_i),
    .rdata_o(read_up));
  ram_1r1w #(.WIDTH(REF_W), .DEPTH(DSLOTS)) u_down (
    .clk_i(clk_i), .we_i(init_i || down_we_i), .waddr_i(init_i ? init_dslot_i : down_addr_i),
    .wdata_i(init_i ? {REF_W{1'b0}} : down_data_i), .raddr_i(dslot0_i), .rdata_o(read_down));

  // I1 takes what the operation two before has written, I2 what the one before has.
  reg f1_q, w1_q, fd_q;
  reg [WORD_W-1:0] w1_word_q, up_q;
  reg [REF_W-1:0] down_q, limit_q, fd_word_q;
  reg [DSLOT_W-1:0] before_q;
  reg used_f_q, used_up_q;
  wire [WORD_W-1:0] up_d = (w1_q && dslot1_i == before_q) ? w1_word_q : read_up;
  wire [REF_W-1:0] down_d = fd_q ? fd_word_q : read_down;
  always @(posedge clk_i) begin
    w1_q <= write_i;
    w1_word_q <= write_word_i;
    f1_q <= dslot1_i == write_dslot_i;
    before_q <= write_dslot_i;
    up_q <= up_d;
    fd_q <= down_we_i && down_addr_i == dslot0_i;
    fd_word_q <= down_data_i;
    down_q <= down_d;
    limit_q <= down_d - {{REF_W-2{1'b0}}, 2'd2};
    used_f_q <= used1_i && dslot1_i == write_dslot_i;
    used_up_q <= used1_i && up_d[WORD_W-1];
  end
  assign word_o = (f1_q && w1_q) ? w1_word_q : up_q;
  assign waits_o = (used_f_q && w1_q) ? w1_word_q[WORD_W-1] : used_up_q;
  assign down_o = down_q;
  assign limit_o = limit_q;
endmodule

`default_nettype wire
