// SPDX-License-Identifier: Apache-2.0
// atomic_merge_step: what goes from one step of a calculation to the next: through a register, or at once,
// where two steps share a cycle. No reset.
`default_nettype none

module atomic_merge_step #(
  parameter WIDTH = 1,  // bits that go on
  parameter KEPT = 1    // 0: no register
) (
  input  wire clk_i,               // clock; every port is synchronous to its rising edge
  input  wire [WIDTH-1:0] from_i,  // what comes from one step
  output wire [WIDTH-1:0] to_o     // what goes to the next
);
  generate
    if (KEPT != 0) begin : g_register
      reg [WIDTH-1:0] kept_q;
      always @(posedge clk_i) kept_q <= from_i;
      assign to_o = kept_q;
    end else begin : g_wire
      assign to_o = from_i;
      wire unused = &{1'b0, clk_i};
    end
  endgenerate
endmodule

`default_nettype wire
