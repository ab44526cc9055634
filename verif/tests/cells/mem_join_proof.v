// SPDX-License-Identifier: Apache-2.0
// mem_join_proof: mem_join against lists of the requests and answers that it holds, for clients that hold a request
// until it is taken. Each output is one property; 1 says that it is broken.
`default_nettype none

module mem_join_proof #(
  parameter CLIENTS = 3
) (
  input  wire clk_i,
  input  wire free_rst_i,
  input  wire [CLIENTS-1:0] more_i,   // clients that want to ask
  input  wire [5*CLIENTS-1:0] ask_i,  // what: tag, write, address, data of one bit
  input  wire mem_ready_i,
  input  wire rsp_valid_i,
  input  wire [$clog2(CLIENTS)+11:0] rsp_i,
  input  wire [CLIENTS-1:0] rsp_ready_i,
  input  wire [5:0] marked_i,

  output wire bad_request_o,  // the oldest request taken is at the memory, with the number of its client
  output wire bad_take_o,     // at most one is taken, and only of who asks
  output wire bad_idle_o,     // with a request offered and room for it, one is taken in this cycle or the next
  output wire bad_fair_o,     // nobody waits for more than CLIENTS - 1 requests of others
  output wire bad_answer_o,   // the oldest answer is at its client, and only there
  output wire bad_drop_o      // an answer is taken whenever there is room
);
  localparam IW = $clog2(CLIENTS);
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst = !started_q || free_rst_i;

  reg [CLIENTS-1:0] ask_q;
  reg [CLIENTS-1:0] tag_q, write_q, addr_q, data_q;
  wire [CLIENTS-1:0] ready, rsp_valid;
  wire [CLIENTS-1:0] taken = ask_q & ready;
  wire req_valid, req_write, req_tag, req_addr, rsp_ready, rsp_tag;
  wire [IW-1:0] req_client;
  wire [7:0] req_data, rsp_data;
  wire req_strb;
  wire [1:0] rsp_error;
  wire [8*CLIENTS-1:0] data;
  genvar g;
  generate
    for (g = 0; g < CLIENTS; g = g + 1) begin : g_client
      assign data[8*g+:8] = {8{data_q[g]}};
      always @(posedge clk_i)
        if (rst) ask_q[g] <= 1'b0;
        else if (!ask_q[g] || taken[g]) begin
          ask_q[g] <= more_i[g];
          {tag_q[g], write_q[g], addr_q[g], data_q[g]} <= ask_i[5*g+:4];
        end
    end
  endgenerate
  mem_join #(.CLIENTS(CLIENTS), .TAG_W(1), .ADDR_W(1), .DATA_W(8)) dut (
    .clk_i(clk_i), .rst_i(rst),
    .cl_req_valid_i(ask_q), .cl_req_ready_o(ready), .cl_req_write_i(write_q), .cl_req_tag_i(tag_q),
    .cl_req_addr_i(addr_q), .cl_req_data_i(data), .cl_req_strb_i(write_q),
    .cl_rsp_valid_o(rsp_valid), .cl_rsp_ready_i(rsp_ready_i), .cl_rsp_tag_o(rsp_tag), .cl_rsp_data_o(rsp_data),
    .cl_rsp_error_o(rsp_error),
    .mem_req_valid_o(req_valid), .mem_req_ready_i(mem_ready_i), .mem_req_write_o(req_write),
    .mem_req_tag_o({req_client, req_tag}), .mem_req_addr_o(req_addr), .mem_req_data_o(req_data), .mem_req_strb_o(req_strb),
    .mem_rsp_valid_i(rsp_valid_i), .mem_rsp_ready_o(rsp_ready), .mem_rsp_tag_i(rsp_i[IW+10:10]), .mem_rsp_data_i(rsp_i[9:2]),
    .mem_rsp_error_i(rsp_i[1:0]));

  // ---- requests, the oldest in the low bits; {number, tag, write, address, data}
  localparam W = IW + 4;
  reg [2*W-1:0] req_q;
  reg [1:0] req_n_q;
  reg [W-1:0] next;
  integer i;
  always @* begin
    next = {W{1'b0}};
    for (i = 0; i < CLIENTS; i = i + 1) if (taken[i]) next = {i[IW-1:0], tag_q[i], write_q[i], addr_q[i], data_q[i]};
  end
  wire leaves = req_valid && mem_ready_i;
  wire [1:0] left = req_n_q - {1'b0, leaves};
  always @(posedge clk_i) begin
    if (leaves) req_q[W-1:0] <= req_q[2*W-1:W];
    if (|taken && left == 2'd0) req_q[W-1:0] <= next;
    if (|taken && left == 2'd1) req_q[2*W-1:W] <= next;
    req_n_q <= rst ? 2'd0 : left + {1'b0, |taken};
  end
  wire [W+8-1:0] seen = {req_client, req_tag, req_write, req_addr, req_data, req_strb};
  wire [W+8-1:0] wanted = {req_q[W-1:1], {8{req_q[0]}}, req_q[2]};
  assign bad_request_o = !rst && (req_valid != (req_n_q != 2'd0) || (req_valid && seen != wanted));
  assign bad_take_o = !rst && (|(taken & (taken - {{CLIENTS-1{1'b0}}, 1'b1})) || (|taken && req_n_q == 2'd2));

  reg waited_q;  // somebody asked in the last cycle, there was room, and nobody was served
  always @(posedge clk_i) waited_q <= !rst && |ask_q && req_n_q < 2'd2 && taken == {CLIENTS{1'b0}};
  assign bad_idle_o = !rst && waited_q && req_n_q < 2'd2 && taken == {CLIENTS{1'b0}};

  reg [5:0] marked_q;
  reg [6:0] others_q;
  always @(posedge clk_i) begin
    if (rst) marked_q <= marked_i;
    if (rst || !ask_q[marked_q[IW-1:0]] || taken[marked_q[IW-1:0]]) others_q <= 7'd0;
    else if (|taken && others_q != 7'd127) others_q <= others_q + 7'd1;
  end
  assign bad_fair_o = !rst && marked_q < CLIENTS && others_q > CLIENTS - 1;

  // ---- answers
  localparam R = IW + 11;
  reg [2*R-1:0] rsp_q;
  reg [1:0] rsp_n_q;
  wire enters = rsp_valid_i && rsp_ready;
  wire [IW-1:0] to = rsp_q[R-1-:IW];
  wire known = {1'b0, to} < CLIENTS;
  wire some = rsp_n_q != 2'd0;
  wire goes = some && (!known || rsp_ready_i[known ? to : {IW{1'b0}}]);
  wire [1:0] rest = rsp_n_q - {1'b0, goes};
  always @(posedge clk_i) begin
    if (goes) rsp_q[R-1:0] <= rsp_q[2*R-1:R];
    if (enters && rest == 2'd0) rsp_q[R-1:0] <= rsp_i[R-1:0];
    if (enters && rest == 2'd1) rsp_q[2*R-1:R] <= rsp_i[R-1:0];
    rsp_n_q <= rst ? 2'd0 : rest + {1'b0, enters};
  end
  wire [CLIENTS-1:0] at = some && known ? {{CLIENTS-1{1'b0}}, 1'b1} << to : {CLIENTS{1'b0}};
  assign bad_answer_o = !rst && (rsp_valid != at || (|at && {rsp_tag, rsp_data, rsp_error} != rsp_q[10:0]));
  assign bad_drop_o = !rst && rsp_ready != (rsp_n_q < 2'd2);
endmodule

`default_nettype wire
