// SPDX-License-Identifier: Apache-2.0
// Simulation models of the two ECP5 cells that Yosys maps to and ships no model of: DP16KD, block RAM, and
// MULT18X18D, a multiplier without registers. They model what Yosys's mapping uses: no output registers, chip
// selects at 0, both resets at the clock edge. Contents of the RAM are unknown until they are written,
// although the device would clear them. Written from the mapping rules of Yosys
// (share/yosys/ecp5/brams_map.v, dsp_map.v).
`default_nettype none

// One port's view of a row of 18 bits, by its width: what it reads, and mask and data of a write.
module DP16KD_lane #(
  parameter WIDTH = 18
) (
  input  wire [3:0]  addr_i,  // below the row; width 18: byte enables
  input  wire [17:0] row_i,
  input  wire [17:0] data_i,
  output reg  [17:0] data_o,
  output reg  [17:0] mask_o,
  output reg  [17:0] write_o
);

  wire [15:0] d = {row_i[16:9], row_i[7:0]}; // narrow ports do not see the two parity bits
  reg [15:0] bits, data;

  always @* begin
    bits = 16'd0;
    data = 16'd0;
    data_o = row_i;
    mask_o = {{9{addr_i[1]}}, {9{addr_i[0]}}};
    write_o = data_i;
    if (WIDTH == 9) begin
      data_o = {9'd0, addr_i[3] ? row_i[17:9] : row_i[8:0]};
      mask_o = {{9{addr_i[3]}}, {9{!addr_i[3]}}};
      write_o = {2{data_i[8:0]}};
    end else if (WIDTH < 9) begin
      bits = 16'd1 << addr_i;
      data = {16{data_i[0]}};
      data_o = {17'd0, d[addr_i]};
      if (WIDTH == 2) begin
        bits = 16'd3 << {addr_i[3:1], 1'b0};
        data = {8{data_i[1:0]}};
        data_o = {16'd0, d[{addr_i[3:1], 1'b0} +: 2]};
      end else if (WIDTH == 4) begin
        bits = 16'd15 << {addr_i[3:2], 2'b00};
        data = {4{data_i[3:0]}};
        data_o = {14'd0, d[{addr_i[3:2], 2'b00} +: 4]};
      end
      mask_o = {1'b0, bits[15:8], 1'b0, bits[7:0]};
      write_o = {1'b0, data[15:8], 1'b0, data[7:0]};
    end
  end

endmodule

module DP16KD (
  input wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0, ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3,
    ADA2, ADA1, ADA0, CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0,
  input wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0, ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3,
    ADB2, ADB1, ADB0, CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
);

  parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18; // 36: written by A and read by B, both halves
  parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC", ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000", CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL";
  parameter CLKAMUX = "CLKA", CLKBMUX = "CLKB";
  parameter GSR = "ENABLED", WID = 0;
  parameter [319:0]
    INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0, INITVAL_04 = 0,
    INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0, INITVAL_08 = 0, INITVAL_09 = 0,
    INITVAL_0A = 0, INITVAL_0B = 0, INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0,
    INITVAL_0F = 0, INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0,
    INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0, INITVAL_18 = 0,
    INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0, INITVAL_1C = 0, INITVAL_1D = 0,
    INITVAL_1E = 0, INITVAL_1F = 0, INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0,
    INITVAL_23 = 0, INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0,
    INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0, INITVAL_2C = 0,
    INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0, INITVAL_30 = 0, INITVAL_31 = 0,
    INITVAL_32 = 0, INITVAL_33 = 0, INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0,
    INITVAL_37 = 0, INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
    INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;

  localparam WIDE = DATA_WIDTH_A == 36 || DATA_WIDTH_B == 36;

  generate
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG") begin : g_registers
      output_registers_are_not_modelled check ();
    end
  endgenerate

  reg [17:0] mem [0:1023];
  reg [17:0] a_q, b_q;
  wire clk_a = (CLKAMUX == "INV") ? !CLKA : CLKA;
  wire clk_b = (CLKBMUX == "INV") ? !CLKB : CLKB;

  wire [13:0] addr_a = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  reg [17:0] low_q;
  wire [17:0] data_a = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4,
    DIA3, DIA2, DIA1, DIA0
  };
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0
  } = (DATA_WIDTH_B == 36) ? low_q : a_q;
  wire [13:0] addr_b = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  wire [17:0] data_b = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4,
    DIB3, DIB2, DIB1, DIB0
  };
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
  } = b_q;

  wire [17:0] read_a, read_b, mask_a, mask_b, write_a, write_b;
  wire [17:0] row_a = mem[addr_a[13:4]], row_b = mem[addr_b[13:4]];

  DP16KD_lane #(.WIDTH(DATA_WIDTH_A)) u_a (
    .addr_i(addr_a[3:0]), .row_i(row_a), .data_i(data_a),
    .data_o(read_a), .mask_o(mask_a), .write_o(write_a)
  );
  DP16KD_lane #(.WIDTH(DATA_WIDTH_B)) u_b (
    .addr_i(addr_b[3:0]), .row_i(row_b), .data_i(data_b),
    .data_o(read_b), .mask_o(mask_b), .write_o(write_b)
  );

  // Width 36 takes two rows: the even one holds bits 17..0. A write of 36 bits has its upper half on DIB.
  wire [9:0] even_a = {addr_a[13:5], 1'b0}, odd_a = {addr_a[13:5], 1'b1};
  wire [9:0] even_b = {addr_b[13:5], 1'b0}, odd_b = {addr_b[13:5], 1'b1};
  wire [17:0] mask_high = {{9{addr_a[3]}}, {9{addr_a[2]}}};

  always @(posedge clk_a) begin
    if (CEA && WEA) begin
      if (DATA_WIDTH_A == 36) begin
        mem[even_a] <= (mem[even_a] & ~mask_a) | (data_a & mask_a);
        mem[odd_a] <= (mem[odd_a] & ~mask_high) | (data_b & mask_high);
      end else mem[addr_a[13:4]] <= (row_a & ~mask_a) | (write_a & mask_a);
    end
    if (RSTA) a_q <= 18'd0;
    else if (CEA && !(WEA && WRITEMODE_A == "NORMAL"))
      a_q <= (WEA && WRITEMODE_A == "WRITETHROUGH") ? data_a : read_a;
  end

  always @(posedge clk_b) begin
    if (CEB && WEB && !WIDE) mem[addr_b[13:4]] <= (row_b & ~mask_b) | (write_b & mask_b);
    if (RSTB) begin
      b_q <= 18'd0;
      low_q <= 18'd0;
    end else if (CEB && !(WEB && WRITEMODE_B == "NORMAL")) begin
      low_q <= mem[even_b];
      if (DATA_WIDTH_B == 36) b_q <= mem[odd_b];
      else b_q <= (WEB && WRITEMODE_B == "WRITETHROUGH") ? data_b : read_b;
    end
  end

endmodule

module MULT18X18D (
  input wire A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0, B17, B16,
    B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0, C17, C16, C15, C14,
    C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0, SIGNEDA, SIGNEDB, SOURCEA,
    SOURCEB,
  output wire P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);

  wire [17:0] a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  wire [17:0] b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };
  wire [35:0] wide_a = {{18{SIGNEDA && A17}}, a}, wide_b = {{18{SIGNEDB && B17}}, b};
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = wide_a * wide_b;

endmodule

`default_nettype wire
