// SPDX-License-Identifier: Apache-2.0
// selftest_control: when the block is reset, when its outputs count, and when the run is over.
// Configuration of the device sets the registers to 0: the only reset there is. Memories of an iCE40 cannot
// be read in the first microseconds, hence the long reset. The run resets the block again, in one cycle of
// 4,096.
`default_nettype none

module selftest_control #(
  parameter CYCLES_LOG2 = 14
) (
  input  wire clk_i,
  output wire booting_o,
  output wire rst_o,
  output wire run_o,
  output wire done_o,
  output wire [CYCLES_LOG2-1:0] cycle_o
);
  reg [8:0] boot_q = 9'd0;
  reg [CYCLES_LOG2:0] cycle_q = {CYCLES_LOG2+1{1'b0}};

  assign booting_o = !boot_q[8];
  assign done_o = cycle_q[CYCLES_LOG2];
  assign run_o = boot_q[8] && !done_o;
  assign rst_o = booting_o || (&cycle_q[11:0]);
  assign cycle_o = cycle_q[CYCLES_LOG2-1:0];

  always @(posedge clk_i) begin
    if (booting_o) boot_q <= boot_q + 9'd1;
    if (run_o) cycle_q <= cycle_q + 1'b1;
  end
endmodule

`default_nettype wire
