// SPDX-License-Identifier: Apache-2.0
// selftest_misr: the signature of all that it is given while run_i is 1, x^32 + x^22 + x^2 + x + 1.
`default_nettype none

module selftest_misr #(
  parameter WORDS = 1
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire run_i,
  input  wire [32*WORDS-1:0] data_i,
  output reg  [31:0] signature_o
);
  reg [31:0] folded;
  integer i;
  always @(*) begin
    folded = 32'd0;
    for (i = 0; i < WORDS; i = i + 1) folded = folded ^ data_i[32*i +: 32];
  end

  wire back = signature_o[31] ^ signature_o[21] ^ signature_o[1] ^ signature_o[0];

  always @(posedge clk_i)
    if (rst_i) signature_o <= 32'd0;
    else if (run_i) signature_o <= {signature_o[30:0], back} ^ folded;
endmodule

`default_nettype wire
