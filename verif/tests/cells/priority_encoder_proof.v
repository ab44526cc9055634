// SPDX-License-Identifier: Apache-2.0
// priority_encoder_proof: the number is that of the lowest bit. 1 says that the property is broken.
`default_nettype none

module priority_encoder_proof #(
  parameter WIDTH = 8
) (
  input  wire [WIDTH-1:0] bits_i,
  output wire bad_valid_o,
  output wire bad_lowest_o
);
  localparam IW = (WIDTH > 1) ? $clog2(WIDTH) : 1;
  wire valid;
  wire [IW-1:0] index;
  priority_encoder #(.WIDTH(WIDTH)) dut (.bits_i(bits_i), .valid_o(valid), .index_o(index));
  wire [WIDTH-1:0] lowest = bits_i & (~bits_i + {{WIDTH-1{1'b0}}, 1'b1});
  assign bad_valid_o = valid != (bits_i != {WIDTH{1'b0}});
  assign bad_lowest_o = valid && lowest != {{WIDTH-1{1'b0}}, 1'b1} << index;
endmodule

`default_nettype wire
