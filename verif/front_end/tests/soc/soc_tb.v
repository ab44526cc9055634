// SPDX-License-Identifier: Apache-2.0
// soc_tb: reads the shape of the monitor, then writes command 2 (save), which must reach the three units
// as a halt.
`default_nettype none

module soc_tb;
  reg clk = 1'b0, rst = 1'b1;
  reg req_valid = 1'b0, req_write = 1'b0;
  reg [9:0] req_addr = 10'd0;
  reg [31:0] req_data = 32'd0, shape = 32'd0;
  wire [2:0] halt;
  wire req_ready, rsp_valid, rsp_error;
  wire [31:0] rsp_data;
  reg halted = 1'b0;
  integer i;

  soc u_soc (
    .clk_i(clk), .rst_i(rst), .state_i({3{5'b00010}}), .halt_o(halt),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_write_i(req_write), .req_addr_i(req_addr),
    .req_data_i(req_data),
    .rsp_valid_o(rsp_valid), .rsp_data_o(rsp_data), .rsp_error_o(rsp_error)
  );

  always #5 clk = !clk;
  always @(posedge clk) if (halt === 3'b111) halted <= 1'b1;

  task access(input write, input [9:0] addr, input [31:0] data);
    begin
      @(negedge clk);
      {req_valid, req_write, req_addr, req_data} = {1'b1, write, addr, data};
      while (!req_ready) @(negedge clk);
      @(negedge clk);
      req_valid = 1'b0;
      while (!rsp_valid) @(negedge clk);
      if (rsp_error) $display("FAIL error at address %h", addr);
      if (!write) shape = rsp_data;
    end
  endtask

  initial begin
    repeat (4) @(negedge clk);
    rst = 1'b0;
    access(1'b0, 10'h004, 32'd0);
    access(1'b1, 10'h024, 32'd2);
    for (i = 0; i < 200 && !halted; i = i + 1) @(negedge clk);
    if (shape !== 32'h00010003 || !halted) begin
      $display("FAIL shape %h, halted %b", shape, halted);
      $stop;
    end else begin
      $display("PASS three units on one connection are halted");
      $finish;
    end
  end
endmodule

`default_nettype wire
