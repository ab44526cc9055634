// SPDX-License-Identifier: Apache-2.0
// mem_widen: the payload of a narrow memory port on a wider one, both of powers of two bits. Combinational;
// valid, ready and write of the two ports are the same wires. The wide request carries the place of the
// narrow word in its tag, {place, tag of the client}, so that the answer finds it again: no state. A write
// strobes its bytes only.
`default_nettype none

module mem_widen #(
  parameter TAG_W = 4,      // 1..32
  parameter ADDR_W = 32,    // 16..64
  parameter NARROW_W = 32,  // a power of two, 8..1024
  parameter WIDE_W = 64     // a power of two, more than NARROW_W, at most 2048
) (
  // The narrow port: tag, byte address, data and byte strobes of a request, tag and data of an answer.
  input  wire [TAG_W-1:0] narrow_req_tag_i,
  input  wire [ADDR_W-1:0] narrow_req_addr_i,
  input  wire [NARROW_W-1:0] narrow_req_data_i,
  input  wire [NARROW_W/8-1:0] narrow_req_strb_i,
  output wire [TAG_W-1:0] narrow_rsp_tag_o,
  output wire [NARROW_W-1:0] narrow_rsp_data_o,

  // The wide port: the same, with the place of the narrow word in the upper bits of the tag.
  output wire [TAG_W+$clog2(WIDE_W/NARROW_W)-1:0] wide_req_tag_o,
  output wire [ADDR_W-1:0] wide_req_addr_o,
  output wire [WIDE_W-1:0] wide_req_data_o,
  output wire [WIDE_W/8-1:0] wide_req_strb_o,
  input  wire [TAG_W+$clog2(WIDE_W/NARROW_W)-1:0] wide_rsp_tag_i,
  input  wire [WIDE_W-1:0] wide_rsp_data_i
);
  localparam PLACES = WIDE_W / NARROW_W;
  localparam PLACE_W = $clog2(PLACES);
  localparam BYTE_W = $clog2(NARROW_W / 8);
  localparam [ADDR_W-1:0] PLACE_BITS = {{ADDR_W-PLACE_W{1'b0}}, {PLACE_W{1'b1}}} << BYTE_W;

  generate
    if (TAG_W < 1 || TAG_W > 32) begin : g_tag_w_range
      tag_w_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 64) begin : g_addr_w_range
      addr_w_out_of_range check ();
    end
    if (NARROW_W < 8 || NARROW_W > 1024 || (NARROW_W & (NARROW_W - 1)) != 0) begin : g_narrow_w_range
      narrow_w_out_of_range check ();
    end
    if (WIDE_W <= NARROW_W || WIDE_W > 2048 || (WIDE_W & (WIDE_W - 1)) != 0) begin : g_wide_w_range
      wide_w_out_of_range check ();
    end
  endgenerate

  wire [PLACE_W-1:0] place = narrow_req_addr_i[BYTE_W+:PLACE_W];
  wire [PLACE_W-1:0] rsp_place;
  assign wide_req_tag_o = {place, narrow_req_tag_i};
  assign wide_req_addr_o = narrow_req_addr_i & ~PLACE_BITS;
  assign wide_req_data_o = {PLACES{narrow_req_data_i}};
  assign wide_req_strb_o = {{WIDE_W/8-NARROW_W/8{1'b0}}, narrow_req_strb_i} << (place * (NARROW_W / 8));
  assign {rsp_place, narrow_rsp_tag_o} = wide_rsp_tag_i;
  assign narrow_rsp_data_o = wide_rsp_data_i[rsp_place*NARROW_W+:NARROW_W];
endmodule

`default_nettype wire
