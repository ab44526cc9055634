// SPDX-License-Identifier: Apache-2.0
// mem_join: the memory ports of several clients behind one, round robin; no state that a context needs.
// One client has the turn and is ready; the turn moves on with its request, or when it has none: a request
// per cycle while any client asks, one cycle to find a client that asks alone. A request is at the memory in
// the cycle after it was taken, an answer at its client in the cycle after it came; both pass a skid_buffer.
// The memory's tag is {number of the client, its tag}; an answer to a number without a client is dropped. A
// waiting client sees at most CLIENTS - 1 requests of others. No output depends on an input within a cycle.
// While all clients have their answers it is empty. Reset: empty, client 0 has the turn.
`default_nettype none

module mem_join #(
  parameter CLIENTS = 2,  // 2..64
  parameter TAG_W = 4,    // 1..32
  parameter ADDR_W = 32,  // 1..64
  parameter DATA_W = 32   // a multiple of 8, 8..2048
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  // Requests of the clients, a bit or slice for each, client 0 lowest. A client's request is taken with its
  // valid and ready: write or read, tag, byte address, data, a strobe for each byte.
  input  wire [CLIENTS-1:0] cl_req_valid_i,
  output wire [CLIENTS-1:0] cl_req_ready_o,
  input  wire [CLIENTS-1:0] cl_req_write_i,
  input  wire [CLIENTS*TAG_W-1:0] cl_req_tag_i,
  input  wire [CLIENTS*ADDR_W-1:0] cl_req_addr_i,
  input  wire [CLIENTS*DATA_W-1:0] cl_req_data_i,
  input  wire [CLIENTS*(DATA_W/8)-1:0] cl_req_strb_i,

  // Answers to the clients: one of them has valid, tag, data and error are for that one; error 0 is good.
  output wire [CLIENTS-1:0] cl_rsp_valid_o,
  input  wire [CLIENTS-1:0] cl_rsp_ready_i,
  output wire [TAG_W-1:0] cl_rsp_tag_o,
  output wire [DATA_W-1:0] cl_rsp_data_o,
  output wire [1:0] cl_rsp_error_o,

  // Requests to memory, from registers; one is taken with valid and ready. The upper bits of the tag are the
  // client's number.
  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [$clog2(CLIENTS)+TAG_W-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [DATA_W-1:0] mem_req_data_o,
  output wire [DATA_W/8-1:0] mem_req_strb_o,

  // Answers of memory, in any order; one is taken with valid and ready.
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [$clog2(CLIENTS)+TAG_W-1:0] mem_rsp_tag_i,
  input  wire [DATA_W-1:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i
);
  localparam CLIENT_W = $clog2(CLIENTS);
  localparam STRB_W = DATA_W / 8;
  localparam REQ_W = CLIENT_W + TAG_W + 1 + ADDR_W + DATA_W + STRB_W;
  localparam RSP_W = CLIENT_W + TAG_W + DATA_W + 2;

  generate
    if (CLIENTS < 2 || CLIENTS > 64) begin : g_clients_range
      clients_out_of_range check ();
    end
    if (TAG_W < 1 || TAG_W > 32) begin : g_tag_w_range
      tag_w_out_of_range check ();
    end
    if (ADDR_W < 1 || ADDR_W > 64) begin : g_addr_w_range
      addr_w_out_of_range check ();
    end
    if (DATA_W < 8 || DATA_W > 2048 || DATA_W % 8 != 0) begin : g_data_w_range
      data_w_out_of_range check ();
    end
  endgenerate

  // ---- whose turn it is: one-hot, its number, and the clients above it, which are looked at first
  reg [CLIENTS-1:0] turn_q, above_q;
  reg [CLIENT_W-1:0] number_q;
  wire [CLIENTS-1:0] pick, above;
  wire any;
  rr_pick #(.WIDTH(CLIENTS)) u_pick (
    .req_i(cl_req_valid_i & ~turn_q), .turn_i(above_q), .any_o(any), .pick_o(pick), .above_o(above));

  function [CLIENT_W-1:0] number(input [CLIENTS-1:0] one_hot);
    integer n;
    begin
      number = {CLIENT_W{1'b0}};
      for (n = 0; n < CLIENTS; n = n + 1)
        if (one_hot[n]) number = number | n[CLIENT_W-1:0];
    end
  endfunction

  wire room;
  wire offered = |(cl_req_valid_i & turn_q);
  assign cl_req_ready_o = turn_q & {CLIENTS{room}};
  always @(posedge clk_i)
    if (rst_i) begin
      turn_q <= {{CLIENTS-1{1'b0}}, 1'b1};
      above_q <= {{CLIENTS-1{1'b1}}, 1'b0};
      number_q <= {CLIENT_W{1'b0}};
    end else if (any && (room || !offered)) begin
      turn_q <= pick;
      above_q <= above;
      number_q <= number(pick);
    end

  // ---- requests
  wire [REQ_W-1:0] req_in = {number_q, cl_req_tag_i[number_q*TAG_W+:TAG_W], cl_req_write_i[number_q],
                             cl_req_addr_i[number_q*ADDR_W+:ADDR_W], cl_req_data_i[number_q*DATA_W+:DATA_W],
                             cl_req_strb_i[number_q*STRB_W+:STRB_W]};
  wire req_write;
  skid_buffer #(.WIDTH(REQ_W)) u_requests (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(offered), .in_ready_o(room), .in_data_i(req_in),
    .out_valid_o(mem_req_valid_o), .out_ready_i(mem_req_ready_i),
    .out_data_o({mem_req_tag_o, req_write, mem_req_addr_o, mem_req_data_o, mem_req_strb_o}));
  assign mem_req_write_o = req_write && mem_req_valid_o;

  // ---- answers
  wire rsp_valid;
  wire [CLIENT_W-1:0] rsp_client;
  wire [CLIENTS-1:0] rsp_to = {{CLIENTS-1{1'b0}}, 1'b1} << rsp_client;
  skid_buffer #(.WIDTH(RSP_W)) u_answers (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(mem_rsp_valid_i), .in_ready_o(mem_rsp_ready_o),
    .in_data_i({mem_rsp_tag_i, mem_rsp_data_i, mem_rsp_error_i}),
    .out_valid_o(rsp_valid), .out_ready_i(rsp_to == {CLIENTS{1'b0}} || |(rsp_to & cl_rsp_ready_i)),
    .out_data_o({rsp_client, cl_rsp_tag_o, cl_rsp_data_o, cl_rsp_error_o}));
  assign cl_rsp_valid_o = rsp_to & {CLIENTS{rsp_valid}};
endmodule

`default_nettype wire
