// SPDX-License-Identifier: Apache-2.0
// atomic_merge_decode: what an operation code, a size and a place within 8 bytes mean for the pipeline.
// Combinational, no reset.
`default_nettype none

module atomic_merge_decode #(
  parameter [31:0] BUILT = 32'h7fff // operations, a bit each; of the others nothing is left after synthesis
) (
  input  wire [4:0] op_i,        // code of the operation, as req_op_i
  input  wire [1:0] size_i,      // base-2 logarithm of the bytes
  input  wire [2:0] offset_i,    // place of the item in its line, in bytes
  output wire [10:0] control_o,  // {saturating, wide, cas, signed, max, min, y alone, xor, or, and, add}
  output wire [3:0] unit_o,      // {the unit does it, its code there}
  output wire [1:0] word_o,      // words of the pair that it touches
  output wire [7:0] byte_o,      // bytes of the pair that it touches
  output wire       write_o,     // it may change them
  output wire       slow_o,      // the same item may not follow in the next cycle
  output wire       atomic_o     // it is an atomic
);
  wire wide = size_i == 2'd3;
  wire [31:0] is = (32'd1 << op_i) & BUILT;
  wire is_max = is[9] || is[11];
  wire is_min = is[8] || is[10];
  wire is_signed = is[8] || is[9];
  wire is_cas = is[13];
  wire is_sat = is[14];
  assign control_o = {is_sat, wide, is_cas, is_signed, is_max, is_min, is[1] || is[12], is[7], is[6], is[5],
    is[4] || is_sat};
  assign unit_o = {|is[31:15], is[20] || is[21] || is[22], is[18] || is[19] || is[22],
    is[16] || is[19] || is[21]};
  assign word_o = wide ? 2'd3 : {offset_i[2], !offset_i[2]};
  assign byte_o = wide ? 8'hff : (size_i == 2'd2) ? 8'h0f << {offset_i[2], 2'd0} :
                  (size_i == 2'd1) ? 8'h03 << {offset_i[2:1], 1'b0} : 8'h01 << offset_i;
  assign write_o = op_i != 5'd0;
  assign slow_o = is_sat || is_max || is_min || is_cas;
  assign atomic_o = |is[31:4];
  wire unused = &{1'b0, is[3:2], is[0]};
endmodule

`default_nettype wire
