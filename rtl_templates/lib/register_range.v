// SPDX-License-Identifier: Apache-2.0
// register_range: whether a word that is written is LEAST..MOST. No clock; compares only the bits that it
// must.
`default_nettype none

module register_range #(
  parameter [31:0] LEAST = 32'd0,       // least value that is good
  parameter [31:0] MOST = 32'hffffffff  // largest value that is good
) (
  input  wire [31:0] data_i,  // the word that is written
  output wire good_o          // it is within the range
);
  // Bits that a good word uses.
  localparam W = (MOST == 32'd0) ? 1 : (MOST[31]) ? 32 : $clog2(MOST + 32'd1);
  wire high_good, most_good, least_good;
  wire unused = &{1'b0, data_i};       // all, when every word is good
  generate
    if (W == 32) begin : g_all
      assign high_good = 1'b1;
    end else begin : g_high
      assign high_good = data_i[31:W] == {32-W{1'b0}};
    end
    if (MOST == 32'hffffffff >> (32 - W)) begin : g_any_low
      assign most_good = 1'b1;
    end else begin : g_most
      assign most_good = data_i[W-1:0] <= MOST[W-1:0];
    end
    if (LEAST == 32'd0) begin : g_from_0
      assign least_good = 1'b1;
    end else if (LEAST == 32'd1) begin : g_from_1
      assign least_good = data_i[W-1:0] != {W{1'b0}};
    end else begin : g_least
      assign least_good = data_i[W-1:0] >= LEAST[W-1:0];
    end
  endgenerate
  assign good_o = high_good && most_good && least_good;
endmodule

`default_nettype wire
