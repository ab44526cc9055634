// SPDX-License-Identifier: Apache-2.0
// atomic_merge_decode: what an operation code, a size and a place within 8 bytes mean for the pipeline.
// Combinational, no reset.
`default_nettype none

module atomic_merge_decode (
  input  wire [4:0] op_i,
  input  wire [1:0] size_i,
  input  wire [2:0] offset_i,
  output wire [10:0] control_o,  // {saturating, wide, cas, signed, max, min, y alone, xor, or, and, add}
  output wire [1:0] word_o,      // words of the pair that it touches
  output wire [7:0] byte_o,      // bytes of the pair that it touches
  output wire       write_o,     // it may change them
  output wire       slow_o,      // the same item may not follow in the next cycle
  output wire       atomic_o
);
  wire wide = size_i == 2'd3;
  wire is_max = op_i == 5'd9 || op_i == 5'd11;
  wire is_min = op_i == 5'd8 || op_i == 5'd10;
  wire is_cas = op_i == 5'd13;
  wire is_sat = op_i == 5'd14;
  assign control_o = {is_sat, wide, is_cas, op_i == 5'd8 || op_i == 5'd9, is_max, is_min, op_i == 5'd1 ||
    op_i == 5'd12,
                      op_i == 5'd7, op_i == 5'd6, op_i == 5'd5, op_i == 5'd4 || is_sat};
  assign word_o = wide ? 2'd3 : {offset_i[2], !offset_i[2]};
  assign byte_o = wide ? 8'hff : (size_i == 2'd2) ? 8'h0f << {offset_i[2], 2'd0} :
                  (size_i == 2'd1) ? 8'h03 << {offset_i[2:1], 1'b0} : 8'h01 << offset_i;
  assign write_o = op_i != 5'd0;
  assign slow_o = is_sat || is_max || is_min || is_cas;
  assign atomic_o = op_i >= 5'd4 && op_i <= 5'd14;
endmodule

`default_nettype wire
