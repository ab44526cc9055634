// SPDX-License-Identifier: Apache-2.0
// selftest_report: says the result on LEDs and, over and over, as a line of text on a serial port (8 bits, no
// parity). led_o: 7 passed, 6 failed, 5 the run is over, 4 the digit shown is the first; 3 to 0 a digit of
// the signature, in turn.
`default_nettype none

module selftest_report #(
  parameter [31:0] EXPECTED = 32'd0,
  parameter CLOCKS_PER_BIT = 104,
  parameter CHARS = 1,                   // of the name
  parameter [8*CHARS-1:0] NAME = "?"
) (
  input  wire clk_i,
  input  wire done_i,
  input  wire [31:0] signature_i,
  output wire [7:0] led_o,
  output wire tx_o
);
  localparam TEXT = CHARS + 38; // "NAME PASS got 01234567 expected 01234567\r\n"

  function [7:0] digit(input [3:0] value);
    digit = value < 4'd10 ? 8'd48 + {4'd0, value} : 8'd87 + {4'd0, value};
  endfunction

  function [63:0] digits(input [31:0] value);
    digits = {digit(value[31:28]), digit(value[27:24]), digit(value[23:20]), digit(value[19:16]),
              digit(value[15:12]), digit(value[11:8]), digit(value[7:4]), digit(value[3:0])};
  endfunction

  reg pass_q = 1'b0, fail_q = 1'b0;
  reg [25:0] time_q = 26'd0; // digits change and the text begins again with it
  wire [8*TEXT-1:0] text = {NAME, pass_q ? " PASS" : " FAIL", " got ", digits(signature_i), " expected ",
                            digits(EXPECTED), 8'd13, 8'd10};

  // A character is shifted out behind its start bit; 1 follows it.
  reg [8:0] shift_q = 9'h1ff;
  reg [3:0] bits_q = 4'd0;
  reg [9:0] clocks_q = 10'd0;
  reg [6:0] char_q = 7'd0;
  reg idle_q = 1'b1;
  localparam [31:0] LAST = TEXT - 1, BIT = CLOCKS_PER_BIT - 1;
  wire [28:0] place = LAST[28:0] - {22'd0, char_q};
  wire bit_ends = clocks_q == BIT[9:0];

  assign tx_o = shift_q[0];
  always @(posedge clk_i) begin
    pass_q <= done_i && signature_i == EXPECTED;
    fail_q <= done_i && signature_i != EXPECTED;
    if (pass_q || fail_q) time_q <= time_q + 26'd1;
    clocks_q <= bit_ends ? 10'd0 : clocks_q + 10'd1;
    if (idle_q) begin
      idle_q <= !(pass_q || fail_q) || time_q[21:0] != 22'd0;
      char_q <= 7'd0;
    end else if (bit_ends) begin
      bits_q <= bits_q == 4'd9 ? 4'd0 : bits_q + 4'd1;
      shift_q <= bits_q == 4'd0 ? {text[{place, 3'd0} +: 8], 1'b0} : {1'b1, shift_q[8:1]};
      if (bits_q == 4'd9) begin
        char_q <= char_q + 7'd1;
        idle_q <= char_q == LAST[6:0];
      end
    end
  end

  wire [2:0] shown = time_q[25:23];
  assign led_o = {pass_q, fail_q, pass_q || fail_q, shown == 3'd0, signature_i[{~shown, 2'd0} +: 4]};
endmodule

`default_nettype wire
