// SPDX-License-Identifier: Apache-2.0
// mem_widen_proof: a byte that is written through mem_widen lies where the byte address says, and the word
// that is read comes from there. Each output is one property; 1 says that it is broken.
`default_nettype none

module mem_widen_proof #(
  parameter NARROW_W = 8,
  parameter WIDE_W = 64
) (
  input  wire [2:0] tag_i,
  input  wire [15:0] addr_i,
  input  wire [NARROW_W-1:0] data_i,
  input  wire [NARROW_W/8-1:0] strb_i,
  input  wire [WIDE_W-1:0] word_i,  // that lies in memory
  input  wire [15:0] byte_i,        // any byte of the narrow word

  output wire bad_address_o,
  output wire bad_write_o,
  output wire bad_read_o,
  output wire bad_tag_o
);
  localparam NARROW = NARROW_W / 8;
  localparam WIDE = WIDE_W / 8;
  localparam TAG_W = 3 + $clog2(WIDE_W / NARROW_W);
  wire [15:0] addr = addr_i / NARROW * NARROW;  // aligned
  wire [15:0] at = byte_i % NARROW;
  wire [15:0] wide_at = addr % WIDE + at;
  wire [TAG_W-1:0] wide_tag;
  wire [15:0] wide_addr;
  wire [WIDE_W-1:0] wide_data;
  wire [WIDE-1:0] wide_strb;
  wire [2:0] tag;
  wire [NARROW_W-1:0] data;
  mem_widen #(.TAG_W(3), .ADDR_W(16), .NARROW_W(NARROW_W), .WIDE_W(WIDE_W)) dut (
    .narrow_req_tag_i(tag_i), .narrow_req_addr_i(addr), .narrow_req_data_i(data_i),
    .narrow_req_strb_i(strb_i),
    .narrow_rsp_tag_o(tag), .narrow_rsp_data_o(data),
    .wide_req_tag_o(wide_tag), .wide_req_addr_o(wide_addr), .wide_req_data_o(wide_data),
    .wide_req_strb_o(wide_strb),
    .wide_rsp_tag_i(wide_tag), .wide_rsp_data_i(word_i));

  reg [15:0] strobes, wanted;  // how many bytes are written
  integer i;
  always @* begin
    strobes = 16'd0;
    wanted = 16'd0;
    for (i = 0; i < WIDE; i = i + 1) strobes = strobes + {15'd0, wide_strb[i]};
    for (i = 0; i < NARROW; i = i + 1) wanted = wanted + {15'd0, strb_i[i]};
  end
  assign bad_address_o = wide_addr != addr - addr % WIDE;
  assign bad_write_o = strobes != wanted || wide_strb[wide_at] != strb_i[at]
                       || wide_data[wide_at*8+:8] != data_i[at*8+:8];
  assign bad_read_o = data[at*8+:8] != word_i[wide_at*8+:8];
  assign bad_tag_o = tag != tag_i;
endmodule

`default_nettype wire
