// SPDX-License-Identifier: Apache-2.0
// example_histogram: four workers count items into one histogram in memory, through the caches of a generated
// atomic_system (README.md says of which configuration). An item is a relaxed increment of its bin: nobody
// waits for it. Behind the last item of a batch a worker takes a ticket from a counter that all share: a
// fetch-and-add that returns. With stop_i it flushes. A flush is answered when its lines have left the cache;
// when all are answered and the system says idle_o, memory has the histogram (written_o).
`default_nettype none

module histogram_worker #(
  parameter TID_W = 4
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire item_valid_i,
  output wire item_ready_o,
  input  wire [5:0] item_i,
  input  wire item_last_i,                   // of its batch
  input  wire stop_i,                        // no more items come
  output reg  ticket_valid_o,
  output reg  [31:0] ticket_o,
  output reg  done_o,
  output reg  error_o,

  output reg  req_valid_o,
  input  wire req_ready_i,
  output reg  [4:0] req_op_o,
  output reg  [1:0] req_mode_o,
  output reg  [15:0] req_addr_o,
  output reg  [TID_W-1:0] req_tid_o,
  input  wire ans_valid_i,
  input  wire [TID_W-1:0] ans_tid_i,
  input  wire [1:0] ans_status_i,
  input  wire [31:0] ans_data_i
);
  localparam ADD = 5'd4, FLUSH = 5'd3, RETURN = 2'd0, RELAXED = 2'd2;
  localparam [15:0] BINS = 16'h0000, TICKETS = 16'h0100;

  // Thread ids in turn; one is not used again before its answer.
  reg [(1<<TID_W)-1:0] busy_q;
  reg [TID_W-1:0] tid_q, special_q;          // special: that of the ticket, or of the flush
  reg ticket_due_q, ticket_open_q, flush_open_q;
  wire free = (!req_valid_o || req_ready_i) && !busy_q[tid_q];
  wire takes_ticket = free && ticket_due_q && !ticket_open_q;
  wire takes_item = item_valid_i && item_ready_o;
  wire idle = !item_valid_i && !ticket_due_q && !ticket_open_q;
  wire flushes = free && stop_i && idle && !flush_open_q && !done_o;
  wire sends = takes_ticket || takes_item || flushes;
  wire special = ans_valid_i && (ticket_open_q || flush_open_q) && ans_tid_i == special_q;
  assign item_ready_o = free && !ticket_due_q && !flush_open_q && !done_o;

  always @(posedge clk_i) begin
    ticket_valid_o <= special && ticket_open_q;
    ticket_o <= ans_data_i;
    if (sends) begin
      req_op_o <= flushes ? FLUSH : ADD;
      req_mode_o <= takes_item ? RELAXED : RETURN;
      req_addr_o <= takes_item ? BINS + {8'd0, item_i, 2'd0} : TICKETS;
      req_tid_o <= tid_q;
      if (!takes_item) special_q <= tid_q;
    end
    if (rst_i) begin
      {req_valid_o, ticket_valid_o, done_o, error_o, ticket_due_q, ticket_open_q, flush_open_q} <= 7'd0;
      busy_q <= {(1<<TID_W){1'b0}};
      tid_q <= {TID_W{1'b0}};
    end else begin
      if (ans_valid_i) busy_q[ans_tid_i] <= 1'b0;
      if (ans_valid_i && ans_status_i != 2'd0) error_o <= 1'b1;
      if (!req_valid_o || req_ready_i) req_valid_o <= sends;
      if (sends) begin
        busy_q[tid_q] <= 1'b1;
        tid_q <= tid_q + {{TID_W-1{1'b0}}, 1'b1};
      end
      if (takes_item && item_last_i) ticket_due_q <= 1'b1;
      else if (takes_ticket) ticket_due_q <= 1'b0;
      if (takes_ticket) ticket_open_q <= 1'b1;
      else if (special) ticket_open_q <= 1'b0;
      if (flushes) flush_open_q <= 1'b1;
      else if (special && flush_open_q) begin
        flush_open_q <= 1'b0;
        done_o <= 1'b1;
      end
    end
  end
endmodule

module example_histogram #(
  parameter N = 4,
  parameter TID_W = 4
) (
  input  wire clk_i,
  input  wire rst_i,

  input  wire [N-1:0] item_valid_i,
  output wire [N-1:0] item_ready_o,
  input  wire [N*6-1:0] item_i,
  input  wire [N-1:0] item_last_i,
  input  wire [N-1:0] stop_i,
  output wire [N-1:0] ticket_valid_o,
  output wire [N*32-1:0] ticket_o,
  output wire [N-1:0] done_o,                // its flush was answered
  output wire written_o,                     // memory has all that was counted
  output wire error_o,

  output wire mem_req_valid_o,
  input  wire mem_req_ready_i,
  output wire mem_req_write_o,
  output wire [2:0] mem_req_tag_o,
  output wire [15:0] mem_req_addr_o,
  output wire [255:0] mem_req_data_o,
  output wire [31:0] mem_req_strb_o,
  input  wire mem_rsp_valid_i,
  output wire mem_rsp_ready_o,
  input  wire [2:0] mem_rsp_tag_i,
  input  wire [255:0] mem_rsp_data_i,
  input  wire [1:0] mem_rsp_error_i
);
  wire [N-1:0] req_valid, req_ready, ans_valid, error;
  wire [N*5-1:0] req_op;
  wire [N*2-1:0] req_mode, ans_status;
  wire [N*16-1:0] req_addr;
  wire [N*TID_W-1:0] req_tid, ans_tid;
  wire [N*64-1:0] ans_data;
  wire [N*16-1:0] lost;
  wire [15:0] bad, unwritten;
  wire idle;
  assign written_o = &done_o && idle;
  assign error_o = |error || |lost || |bad || |unwritten;

  genvar g;
  generate
    for (g = 0; g < N; g = g + 1) begin : g_worker
      histogram_worker #(.TID_W(TID_W)) u_worker (
        .clk_i(clk_i), .rst_i(rst_i), .item_valid_i(item_valid_i[g]), .item_ready_o(item_ready_o[g]),
        .item_i(item_i[g*6+:6]), .item_last_i(item_last_i[g]), .stop_i(stop_i[g]),
        .ticket_valid_o(ticket_valid_o[g]), .ticket_o(ticket_o[g*32+:32]), .done_o(done_o[g]),
        .error_o(error[g]), .req_valid_o(req_valid[g]), .req_ready_i(req_ready[g]),
        .req_op_o(req_op[g*5+:5]), .req_mode_o(req_mode[g*2+:2]), .req_addr_o(req_addr[g*16+:16]),
        .req_tid_o(req_tid[g*TID_W+:TID_W]), .ans_valid_i(ans_valid[g]),
        .ans_tid_i(ans_tid[g*TID_W+:TID_W]), .ans_status_i(ans_status[g*2+:2]),
        .ans_data_i(ans_data[g*64+:32]));
    end
  endgenerate

  atomic_system u_system (
    .clk_i(clk_i), .rst_i(rst_i),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_op_i(req_op), .req_size_i({N{2'd2}}),
    .req_mode_i(req_mode), .req_addr_i(req_addr), .req_data_i({N{64'd1}}), .req_compare_i({N{64'd0}}),
    .req_tid_i(req_tid), .ans_valid_o(ans_valid), .ans_ready_i({N{1'b1}}), .ans_tid_o(ans_tid),
    .ans_status_o(ans_status), .ans_data_o(ans_data),
    .lost_count_o(lost), .lost_line_o(), .unasked_o(),
    .wit_valid_o(), .wit_kind_o(), .wit_tid_o(), .wit_temp_o(),
    .mem_req_valid_o(mem_req_valid_o), .mem_req_ready_i(mem_req_ready_i), .mem_req_write_o(mem_req_write_o),
    .mem_req_tag_o(mem_req_tag_o), .mem_req_addr_o(mem_req_addr_o), .mem_req_data_o(mem_req_data_o),
    .mem_req_strb_o(mem_req_strb_o), .mem_rsp_valid_i(mem_rsp_valid_i), .mem_rsp_ready_o(mem_rsp_ready_o),
    .mem_rsp_tag_i(mem_rsp_tag_i), .mem_rsp_data_i(mem_rsp_data_i), .mem_rsp_error_i(mem_rsp_error_i),
    .idle_o(idle), .home_bad_count_o(bad), .home_bad_line_o(), .home_lost_count_o(unwritten),
    .home_lost_line_o(),
    .cmd_halt_i(1'b0), .cmd_reset_i(1'b0), .cmd_resume_i(1'b0), .state_o(), .progress_o(), .waiting_o(),
    .gather_o(), .nack_o(), .ctx_unit_i(16'd0), .ctx_cmd_valid_i(1'b0), .ctx_cmd_load_i(1'b0),
    .ctx_cmd_ready_o(), .ctx_done_o(), .ctx_error_o(), .ctx_out_valid_o(), .ctx_out_ready_i(1'b0),
    .ctx_out_data_o(), .ctx_out_last_o(), .ctx_in_valid_i(1'b0), .ctx_in_ready_o(), .ctx_in_data_i(32'd0),
    .ctx_in_last_i(1'b0), .ctx_in_error_i(2'd0),
    .reg_req_valid_i(1'b0), .reg_req_ready_o(), .reg_req_write_i(1'b0), .reg_req_addr_i(10'd0),
    .reg_req_data_i(32'd0), .reg_rsp_valid_o(), .reg_rsp_data_o(), .reg_rsp_error_o());

  wire unused = &{1'b0, ans_data};
endmodule

`default_nettype wire
