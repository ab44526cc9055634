// SPDX-License-Identifier: Apache-2.0
// reset_sync: makes a synchronous reset from one that comes at any time. rst_o rises with rst_ni falling,
// without a clock, and falls with the second edge of the clock behind rst_ni rising. The block needs one edge
// while rst_o is 1.
`default_nettype none

module reset_sync (
  input  wire clk_i,   // clock
  input  wire rst_ni,  // reset, active low, at any time
  output wire rst_o    // reset, active high, that ends with the clock
);
  (* ASYNC_REG = "TRUE" *) reg [1:0] released_q;

  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) released_q <= 2'b00;
    else released_q <= {released_q[0], 1'b1};

  assign rst_o = !released_q[1];
endmodule

`default_nettype wire
