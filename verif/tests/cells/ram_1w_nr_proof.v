// SPDX-License-Identifier: Apache-2.0
// ram_1w_nr_proof: every port reads what was written last. Each output is one property; 1 says that it is
// broken.
`default_nettype none

module ram_1w_nr_proof #(
  parameter DEPTH = 4,
  parameter READS = 3,
  parameter FORWARD = 1
) (
  input  wire clk_i,
  input  wire we_i,
  input  wire [$clog2(DEPTH)-1:0] waddr_i,
  input  wire [1:0] wdata_i,
  input  wire [READS*$clog2(DEPTH)-1:0] raddr_i,
  output wire bad_read_o
);
  localparam AW = $clog2(DEPTH);
  wire [2*READS-1:0] rdata;
  ram_1w_nr #(.WIDTH(2), .DEPTH(DEPTH), .READS(READS), .FORWARD(FORWARD)) dut (
    .clk_i(clk_i), .we_i(we_i), .waddr_i(waddr_i), .wdata_i(wdata_i), .raddr_i(raddr_i), .rdata_o(rdata));

  reg [DEPTH-1:0] known_q = {DEPTH{1'b0}};
  reg [2*DEPTH-1:0] word_q;
  reg [READS-1:0] wrong;
  reg [READS-1:0] ask_q = {READS{1'b0}};
  reg [2*READS-1:0] want_q;
  integer k;
  always @(posedge clk_i) begin
    if (we_i) begin
      word_q[2*waddr_i+:2] <= wdata_i;
      known_q[waddr_i] <= 1'b1;
    end
    for (k = 0; k < READS; k = k + 1)
      if (we_i && waddr_i == raddr_i[k*AW+:AW]) begin
        ask_q[k] <= FORWARD != 0;
        want_q[2*k+:2] <= wdata_i;
      end else begin
        ask_q[k] <= known_q[raddr_i[k*AW+:AW]];
        want_q[2*k+:2] <= word_q[2*raddr_i[k*AW+:AW]+:2];
      end
  end
  always @* for (k = 0; k < READS; k = k + 1) wrong[k] = ask_q[k] && rdata[2*k+:2] != want_q[2*k+:2];
  assign bad_read_o = |wrong;
endmodule

`default_nettype wire
