// SPDX-License-Identifier: Apache-2.0
// rr_arbiter_proof: what rr_arbiter promises to clients that keep a request up until its grant.
// Each output is one property; 1 says that it is broken.
`default_nettype none

module rr_arbiter_proof #(
  parameter CLIENTS = 3,
  parameter STAGES = 2,
  parameter BOUND = 6     // grants to others that a waiting client may see
) (
  input  wire clk_i,
  input  wire free_rst_i,
  input  wire [CLIENTS-1:0] more_i,   // clients that want a grant
  input  wire enable_i,
  input  wire [5:0] marked_i,

  output wire bad_one_hot_o,  // number, one-hot form and valid say the same
  output wire bad_request_o,  // who is granted has asked, and is granted once
  output wire bad_idle_o,     // with STAGES + 1 requests or more every cycle has a grant
  output wire bad_dead_o,     // with a request some cycle of STAGES + 1 has a grant
  output wire bad_fair_o,     // nobody waits for more than BOUND grants to others
  output wire bad_off_o       // nothing is chosen without enable_i
);
  localparam IW = $clog2(CLIENTS);
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst = !started_q || free_rst_i;

  reg [CLIENTS-1:0] req_q;
  wire valid;
  wire [IW-1:0] number;
  wire [CLIENTS-1:0] one_hot;
  rr_arbiter #(.CLIENTS(CLIENTS), .STAGES(STAGES)) dut (
    .clk_i(clk_i), .rst_i(rst), .req_i(req_q), .enable_i(enable_i),
    .grant_valid_o(valid), .grant_o(number), .grant_one_hot_o(one_hot));
  always @(posedge clk_i) req_q <= rst ? {CLIENTS{1'b0}} : (req_q & ~one_hot) | more_i;

  wire [CLIENTS-1:0] said = {{CLIENTS-1{1'b0}}, 1'b1} << number;
  assign bad_one_hot_o = !rst && one_hot != (valid ? said : {CLIENTS{1'b0}});
  assign bad_request_o = !rst && |(one_hot & ~req_q);

  reg [6:0] asking;
  integer i;
  always @* begin
    asking = 7'd0;
    for (i = 0; i < CLIENTS; i = i + 1) asking = asking + {6'd0, req_q[i]};
  end
  // cycles on end of enough requests; of a request without grant; without enable
  reg [2:0] many_q, some_q, off_q;
  always @(posedge clk_i) begin
    if (rst || !enable_i || asking <= STAGES) many_q <= 3'd0;
    else if (many_q != 3'd7) many_q <= many_q + 3'd1;
    if (rst || !enable_i || valid || asking == 7'd0) some_q <= 3'd0;
    else if (some_q != 3'd7) some_q <= some_q + 3'd1;
    if (rst || enable_i) off_q <= 3'd0;
    else if (off_q != 3'd7) off_q <= off_q + 3'd1;
  end
  assign bad_idle_o = !rst && many_q >= STAGES && !valid;
  assign bad_dead_o = !rst && some_q >= STAGES && asking != 7'd0 && !valid;
  assign bad_off_o = !rst && off_q > ((STAGES == 3) ? 1 : 0) && valid;

  reg [5:0] marked_q;  // any client
  reg [6:0] seen_q;
  always @(posedge clk_i) begin
    if (rst) marked_q <= marked_i;
    if (rst || !req_q[marked_q[IW-1:0]] || one_hot[marked_q[IW-1:0]]) seen_q <= 7'd0;
    else if (valid && seen_q != 7'd127) seen_q <= seen_q + 7'd1;
  end
  assign bad_fair_o = !rst && marked_q < CLIENTS && seen_q > BOUND;
endmodule

`default_nettype wire
