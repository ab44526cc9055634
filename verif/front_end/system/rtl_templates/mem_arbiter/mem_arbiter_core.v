// SPDX-License-Identifier: Apache-2.0
// mem_arbiter_core: the memory ports of CLIENTS units behind one, itself a unit of the tree (US-5, US-13).
//
// One client has the turn; only it is ready, so ready follows registers. The turn moves on when its request
// is taken or it has none: round robin, a request per cycle while others wait. Requests and answers pass a
// FIFO of two each: a request is at the memory in the cycle after it was taken, an answer at its client in
// the cycle after it came. The memory's tag is {client, the client's tag}. Halt: clients are served until
// served_idle_i has said, under the halt request, that all of them stand still. Reset of the context: the
// turn goes to client 0; what is under way is still answered, because a client waits for its answers through
// a reset of its own; nothing is taken until then.
`default_nettype none

module mem_arbiter_core #(
  parameter CLIENTS = 4,
  parameter TAG_W = 6,
  parameter ADDR_W = 32,
  parameter DATA_W = 32,
  parameter ENCODING = 0  // of state_o: 0 one_hot, 1 two_of_four, 2 binary
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [CLIENTS-1:0] cl_req_valid_i,
  output wire [CLIENTS-1:0] cl_req_ready_o,
  input  wire [CLIENTS-1:0] cl_req_write_i,
  input  wire [CLIENTS*TAG_W-1:0] cl_req_tag_i,
  input  wire [CLIENTS*ADDR_W-1:0] cl_req_addr_i,
  input  wire [CLIENTS*DATA_W-1:0] cl_req_data_i,
  input  wire [CLIENTS*((DATA_W+7)/8)-1:0] cl_req_strb_i,
  output wire [CLIENTS-1:0] cl_rsp_valid_o,
  input  wire [CLIENTS-1:0] cl_rsp_ready_i,
  output wire [TAG_W-1:0] cl_rsp_tag_o,
  output wire [DATA_W-1:0] cl_rsp_data_o,
  output wire [1:0] cl_rsp_error_o,
  input  wire served_idle_i,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [$clog2(CLIENTS)+TAG_W-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,
  output wire [DATA_W-1:0] mem_req_data_o,
  output wire [(DATA_W+7)/8-1:0] mem_req_strb_o,
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [$clog2(CLIENTS)+TAG_W-1:0] mem_rsp_tag_i,
  input  wire [DATA_W-1:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i,

  input  wire cmd_halt_i,
  input  wire cmd_reset_i,
  input  wire cmd_resume_i,
  output wire [((ENCODING == 0) ? 5 : (ENCODING == 1) ? 4 : 3)-1:0] state_o,
  output wire progress_o,
  output wire waiting_o,
  output wire gather_o,
  output wire nack_o,

  input  wire [15:0] ctx_unit_i,
  input  wire ctx_cmd_valid_i,
  input  wire ctx_cmd_load_i,
  output wire ctx_cmd_ready_o,
  output wire ctx_done_o,
  output wire [2:0] ctx_error_o,
  output wire ctx_out_valid_o,
  input  wire ctx_out_ready_i,
  output wire [31:0] ctx_out_data_o,
  output wire ctx_out_last_o,
  input  wire ctx_in_valid_i,
  output wire ctx_in_ready_o,
  input  wire [31:0] ctx_in_data_i,
  input  wire ctx_in_last_i,
  input  wire [1:0] ctx_in_error_i
);
  localparam CLIENT_W = $clog2(CLIENTS);
  localparam STRB_W = (DATA_W + 7) / 8;
  localparam OPEN_W = CLIENT_W + TAG_W + 1;
  localparam REQ_W = CLIENT_W + TAG_W + 1 + ADDR_W + DATA_W + STRB_W;
  localparam RSP_W = CLIENT_W + TAG_W + DATA_W + 2;
  localparam [31:0] CFG_HASH = ((((32'h811c9dc5 ^ CLIENTS) * 32'h01000193 ^ TAG_W) * 32'h01000193 ^ ADDR_W)
                                * 32'h01000193 ^ DATA_W) * 32'h01000193;

  generate
    if (CLIENTS < 2 || CLIENTS > 16) begin : g_clients_range
      clients_out_of_range check ();
    end
    if (ENCODING < 0 || ENCODING > 2) begin : g_encoding_range
      encoding_out_of_range check ();
    end
  endgenerate

  reg [CLIENT_W-1:0] turn_q;
  reg [REQ_W-1:0] req0_q, req1_q;  // the first leaves first
  reg [1:0] req_n_q;
  reg [RSP_W-1:0] rsp0_q, rsp1_q;
  reg [1:0] rsp_n_q;
  reg [OPEN_W-1:0] open_q;         // requests taken whose answers have not left
  reg idle_q, clearing_q;
  reg [CLIENT_W-1:0] ld_turn_q;

  wire halt_req, halted, ctx_reset, resume;
  wire ctx_load, ctx_save, ld_valid, ld_commit, ld_abort;
  wire [31:0] ld_data;

  // ---- halt: idle_q counts only under a halt request, else a short release would be missed
  wire can_halt = idle_q && open_q == {OPEN_W{1'b0}} && !clearing_q;
  wire still = halted || (halt_req && can_halt);

  // ---- requests
  wire has_room = !req_n_q[1] && !clearing_q && !ctx_reset;
  wire [CLIENTS-1:0] has_turn = {{CLIENTS-1{1'b0}}, 1'b1} << turn_q;
  wire offered = |(cl_req_valid_i & has_turn);
  wire taken = offered && has_room && !still;
  assign cl_req_ready_o = has_turn & {CLIENTS{has_room && !still}};
  wire sent = mem_req_valid_o && mem_req_ready_i;

  // The requests from the client with the turn on, so that the next one is the lowest bit.
  wire [CLIENTS-1:0] asking = cl_req_valid_i & ~has_turn;
  wire [2*CLIENTS-1:0] from_turn = {asking, asking} >> turn_q;
  reg [CLIENT_W:0] next_turn;
  integer i;
  always @* begin
    next_turn = {1'b0, turn_q};
    for (i = CLIENTS - 1; i > 0; i = i - 1)
      if (from_turn[i]) next_turn = {1'b0, turn_q} + i[CLIENT_W:0];
    if (next_turn >= CLIENTS[CLIENT_W:0]) next_turn = next_turn - CLIENTS[CLIENT_W:0];
  end

  wire [REQ_W-1:0] req_in = {turn_q, cl_req_tag_i[turn_q*TAG_W+:TAG_W], cl_req_write_i[turn_q],
                             cl_req_addr_i[turn_q*ADDR_W+:ADDR_W], cl_req_data_i[turn_q*DATA_W+:DATA_W],
                             cl_req_strb_i[turn_q*STRB_W+:STRB_W]};
  wire req_write;
  assign {mem_req_tag_o, req_write, mem_req_addr_o, mem_req_data_o, mem_req_strb_o} = req0_q;
  assign mem_req_valid_o = req_n_q != 2'd0;
  assign mem_req_write_o = req_write && mem_req_valid_o;

  // ---- answers; one for a client that does not exist is dropped
  assign mem_rsp_ready_o = !rsp_n_q[1] && !still;
  wire answered = mem_rsp_valid_i && mem_rsp_ready_o;
  wire rsp_valid = rsp_n_q != 2'd0;
  wire [CLIENT_W-1:0] rsp_client = rsp0_q[RSP_W-1-:CLIENT_W];
  wire [(1<<CLIENT_W):0] rsp_ready = {{(1<<CLIENT_W)-CLIENTS+1{1'b1}}, cl_rsp_ready_i};
  wire leaves = rsp_valid && rsp_ready[{1'b0, rsp_client}];
  assign cl_rsp_valid_o = {{CLIENTS-1{1'b0}}, rsp_valid} << rsp_client;
  assign {cl_rsp_tag_o, cl_rsp_data_o,
          cl_rsp_error_o} = rsp0_q[TAG_W+DATA_W+1:0] & {TAG_W+DATA_W+2{rsp_valid}};

  always @(posedge clk_i) begin
    if (!still && (taken || !offered)) turn_q <= next_turn[CLIENT_W-1:0];
    if (sent || req_n_q == 2'd0) req0_q <= req_n_q[1] ? req1_q : req_in;
    if (!req_n_q[1]) req1_q <= req_in;
    req_n_q <= req_n_q + {1'b0, taken} - {1'b0, sent};
    if (leaves || !rsp_valid) rsp0_q <= rsp_n_q[1] ? rsp1_q
                                        : {mem_rsp_tag_i, mem_rsp_data_i, mem_rsp_error_i};
    if (!rsp_n_q[1]) rsp1_q <= {mem_rsp_tag_i, mem_rsp_data_i, mem_rsp_error_i};
    rsp_n_q <= rsp_n_q + {1'b0, answered} - {1'b0, leaves};
    open_q <= open_q + {{OPEN_W-1{1'b0}}, taken} - {{OPEN_W-1{1'b0}}, leaves};
    idle_q <= served_idle_i && halt_req && !ctx_reset;
    clearing_q <= ctx_reset || ld_abort || (clearing_q && open_q != {OPEN_W{1'b0}});
    if (ld_commit) turn_q <= ld_turn_q;
    if (ctx_reset || ld_abort || rst_i) turn_q <= {CLIENT_W{1'b0}};
    if (rst_i) begin
      {req_n_q, rsp_n_q} <= 4'd0;
      open_q <= {OPEN_W{1'b0}};
      {idle_q, clearing_q} <= 2'b00;
    end
  end

  // ---- context: the turn
  always @(posedge clk_i) if (ld_valid) ld_turn_q <= ld_data[CLIENT_W-1:0];

  wire st_in = offered && has_room;
  unit_status_fsm #(.ENCODING(ENCODING)) u_status (
    .clk_i(clk_i), .rst_i(rst_i),
    .cmd_halt_i(cmd_halt_i), .cmd_reset_i(cmd_reset_i), .cmd_resume_i(cmd_resume_i),
    .state_o(state_o), .progress_o(progress_o), .waiting_o(waiting_o), .gather_o(gather_o), .nack_o(nack_o),
    .st_in_i(st_in),
    .st_out_i(sent || leaves),
    .st_proc_i(1'b0),
    .st_work_i(mem_req_valid_o || rsp_valid),
    .st_mem_i(open_q != {OPEN_W{1'b0}}),
    .st_mem_done_i(answered),
    .st_nack_i(1'b0),  // an error answer is its client's to report
    .st_blocked_i((mem_req_valid_o && !mem_req_ready_i) || (rsp_valid && !leaves)),
    .st_cannot_i(!(st_in || sent || leaves)),
    .st_progress_i(taken || sent || answered || leaves),
    .st_gather_i(1'b0),
    .can_halt_i(can_halt),
    .nack_write_i(1'b0), .nack_value_i(1'b0),
    .halt_req_o(halt_req), .halted_o(halted), .ctx_reset_o(ctx_reset), .resume_o(resume)
  );
  wire sav_ready, ld_last;
  wire [23:0] ld_len;
  context_port #(.UNIT_TYPE(32'h4d41), .CFG_HASH(CFG_HASH), .CTX_MAX(1)) u_context (
    .clk_i(clk_i), .rst_i(rst_i),
    .ctx_unit_i(ctx_unit_i), .ctx_cmd_valid_i(ctx_cmd_valid_i), .ctx_cmd_load_i(ctx_cmd_load_i),
    .ctx_cmd_ready_o(ctx_cmd_ready_o), .ctx_done_o(ctx_done_o), .ctx_error_o(ctx_error_o),
    .ctx_out_valid_o(ctx_out_valid_o), .ctx_out_ready_i(ctx_out_ready_i),
    .ctx_out_data_o(ctx_out_data_o), .ctx_out_last_o(ctx_out_last_o),
    .ctx_in_valid_i(ctx_in_valid_i), .ctx_in_ready_o(ctx_in_ready_o), .ctx_in_data_i(ctx_in_data_i),
    .ctx_in_last_i(ctx_in_last_i), .ctx_in_error_i(ctx_in_error_i),
    .halted_i(halted), .can_halt_i(can_halt),
    .ctx_save_o(ctx_save), .ctx_len_i(24'd1), .sav_valid_i(ctx_save), .sav_ready_o(sav_ready),
    .sav_data_i({{32-CLIENT_W{1'b0}}, turn_q}), .sav_last_i(1'b1),
    .ctx_load_o(ctx_load), .ld_len_o(ld_len), .ld_valid_o(ld_valid), .ld_ready_i(1'b1), .ld_data_o(ld_data),
    .ld_last_o(ld_last), .ld_bad_i(ld_data >= CLIENTS), .ld_commit_o(ld_commit), .ld_abort_o(ld_abort)
  );
  wire unused = &{1'b0, resume, ctx_load, sav_ready, ld_last, ld_len, from_turn};
endmodule

`default_nettype wire
