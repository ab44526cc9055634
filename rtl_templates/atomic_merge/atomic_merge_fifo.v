// SPDX-License-Identifier: Apache-2.0
// atomic_merge_fifo: answers that wait for the answer port. Room is promised before an answer is under way,
// so nothing is ever refused here. An answer pushed in one cycle is offered from the next. Reset: empty.
`default_nettype none

module atomic_merge_fifo #(
  parameter WIDTH = 8,     // bits of an answer
  parameter DEPTH_LG = 4,  // base-2 logarithm of the answers that it holds
  parameter LATE = 0       // a promise is told here a cycle after room was seen
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire promise_i,           // an answer will come
  output wire room_o,              // one more may be promised
  input  wire forget_i,            // one that was promised will not come
  input  wire push_i,              // an answer comes
  input  wire [WIDTH-1:0] data_i,  // that answer
  output wire valid_o,             // an answer is offered
  output wire [WIDTH-1:0] data_o,  // the oldest answer
  input  wire pop_i                // only with valid_o
);
  reg [WIDTH-1:0] mem [0:(1<<DEPTH_LG)-1];
  reg [DEPTH_LG-1:0] first_q, last_q;
  reg [DEPTH_LG:0] promised_q;
  reg valid_q;
  wire [DEPTH_LG-1:0] first_d = first_q + {{(DEPTH_LG-1){1'b0}}, pop_i};
  wire [DEPTH_LG-1:0] last_d = last_q + {{(DEPTH_LG-1){1'b0}}, push_i};

  wire [DEPTH_LG:0] promised_d = promised_q + {{DEPTH_LG{1'b0}}, promise_i} - {{DEPTH_LG{1'b0}}, pop_i} -
    {{DEPTH_LG{1'b0}}, forget_i};
  reg last_room_q;
  assign room_o = !promised_q[DEPTH_LG] && !(LATE != 0 && last_room_q && promise_i);
  assign valid_o = valid_q;
  assign data_o = mem[first_q];

  always @(posedge clk_i) begin
    if (push_i) mem[last_q] <= data_i;
    first_q <= first_d;
    last_q <= last_d;
    valid_q <= (valid_q && !(pop_i && first_d == last_q)) || push_i;
    promised_q <= promised_d;
    last_room_q <= &promised_d[DEPTH_LG-1:0];
    if (rst_i) begin
      first_q <= {DEPTH_LG{1'b0}};
      last_q <= {DEPTH_LG{1'b0}};
      valid_q <= 1'b0;
      promised_q <= {(DEPTH_LG+1){1'b0}};
      last_room_q <= 1'b0;
    end
  end
endmodule

`default_nettype wire
