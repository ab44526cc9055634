// SPDX-License-Identifier: Apache-2.0
// plain_stack: THREADS whole stacks of DEPTH entries in one RAM, as docs/stack_cache.md compares it with the
// block (section "Which one?"). An operation per cycle; one of a thread every second cycle, for which the
// user cares. An init of each thread comes first. The answer is there two cycles behind the operation.
`default_nettype none

module plain_stack #(
  parameter THREADS = 24,
  parameter DEPTH = 64,             // a power of two
  parameter ENTRY_W = 64
) (
  input  wire clk_i,
  input  wire op_valid_i,
  input  wire [1:0] op_kind_i,      // 0 push, 1 pop, 2 peek, 3 init
  input  wire [$clog2(THREADS)-1:0] op_thread_i,
  input  wire [ENTRY_W-1:0] op_data_i,
  output reg  ans_valid_o,
  output reg  [1:0] ans_status_o,   // 0 ok, 1 overflow, 2 underflow
  output wire [ENTRY_W-1:0] ans_data_o
);
  localparam DEPTH_LG = $clog2(DEPTH);
  localparam THREAD_W = $clog2(THREADS);
  localparam [DEPTH_LG:0] MOST = DEPTH;
  reg [DEPTH_LG:0] counts [0:THREADS-1];
  reg [ENTRY_W-1:0] entries [0:(1<<THREAD_W)*DEPTH-1];

  reg a_valid;
  reg [1:0] a_kind;
  reg [THREAD_W-1:0] a_thread;
  reg [ENTRY_W-1:0] a_data;
  reg [DEPTH_LG:0] count;
  always @(posedge clk_i) begin
    a_valid <= op_valid_i;
    a_kind <= op_kind_i;
    a_thread <= op_thread_i;
    a_data <= op_data_i;
    count <= counts[op_thread_i];
  end

  wire push = a_kind == 2'd0, pop = a_kind == 2'd1, init = a_kind == 2'd3;
  wire over = push && count == MOST;
  wire under = (pop || a_kind == 2'd2) && count == {DEPTH_LG+1{1'b0}};
  wire [DEPTH_LG:0] below = count - 1'b1;
  wire [DEPTH_LG:0] next = init ? {DEPTH_LG+1{1'b0}} : (over || under) ? count
                         : push ? count + 1'b1 : pop ? below : count;
  reg [ENTRY_W-1:0] data;
  always @(posedge clk_i) begin
    if (a_valid) counts[a_thread] <= next;
    if (a_valid && push && !over) entries[{a_thread, count[DEPTH_LG-1:0]}] <= a_data;
    data <= entries[{a_thread, below[DEPTH_LG-1:0]}];
    ans_valid_o <= a_valid;
    ans_status_o <= {under, over};
  end
  assign ans_data_o = data;
endmodule

`default_nettype wire
