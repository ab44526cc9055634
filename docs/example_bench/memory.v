// SPDX-License-Identifier: Apache-2.0
// A memory for the example bench: answers late and in any order, does an access only when it
// answers it, refuses one access when asked to, and checks what the datasheet promises.
module example_memory #(
  parameter ADDR_W = 32,
  parameter DATA_W = 256,
  parameter TAG_W = 9,
  parameter WORDS_LG = 12          // words of DATA_W, from address BASE
) (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire [ADDR_W-1:0]   base_i,
  input  wire                refuse_i,         // refuse writes below ...
  input  wire [ADDR_W-1:0]   refuse_from_i,
  input  wire [ADDR_W-1:0]   refuse_to_i,
  input  wire                req_valid_i,
  output reg                 req_ready_o,
  input  wire                req_write_i,
  input  wire [TAG_W-1:0]    req_tag_i,
  input  wire [ADDR_W-1:0]   req_addr_i,
  input  wire [DATA_W-1:0]   req_data_i,
  input  wire [DATA_W/8-1:0] req_strb_i,
  output reg                 rsp_valid_o,
  input  wire                rsp_ready_i,
  output reg  [TAG_W-1:0]    rsp_tag_o,
  output reg  [DATA_W-1:0]   rsp_data_o,
  output reg  [1:0]          rsp_error_o,
  output reg                 bad_o,            // a promise was broken; sticky
  output reg  [31:0]         reads_o,
  output reg  [31:0]         writes_o,
  output reg  [31:0]         refused_o
);
  localparam TAGS = 1 << TAG_W;
  localparam BYTES = DATA_W / 8;

  reg [DATA_W-1:0] mem [0:(1<<WORDS_LG)-1];
  reg              busy [0:TAGS-1];
  reg              write [0:TAGS-1];
  reg [ADDR_W-1:0] addr [0:TAGS-1];
  reg [DATA_W-1:0] data [0:TAGS-1];
  reg [BYTES-1:0]  strb [0:TAGS-1];
  reg [TAG_W-1:0]  list [0:TAGS-1];            // tags under way, in no order
  integer          n, pick, b, seed, word;
  reg              held;
  reg [TAG_W+ADDR_W:0] held_req;
  reg [DATA_W-1:0] line;

  initial begin
    seed = 7;
    for (b = 0; b < TAGS; b = b + 1) busy[b] = 1'b0;
  end

  task bad;
    input [8*40-1:0] what;
    begin
      bad_o <= 1'b1;
      $display("memory: %0s: tag %h, address %h, at %0t", what, req_tag_i, req_addr_i, $time);
    end
  endtask

  // Takes the access that is offered; it waits in `list` until it is picked.
  task take;
    begin
      if (busy[req_tag_i]) bad("tag in use");
      if ((req_addr_i % BYTES) != 0) bad("not aligned");
      if (req_addr_i < base_i || (req_addr_i - base_i) / BYTES >= (1 << WORDS_LG)) bad("outside");
      busy[req_tag_i] = 1'b1;
      write[req_tag_i] = req_write_i;
      addr[req_tag_i] = req_addr_i;
      data[req_tag_i] = req_data_i;
      strb[req_tag_i] = req_strb_i;
      list[n] = req_tag_i;
      n = n + 1;
    end
  endtask

  // Does the access picked and offers its answer.
  task answer;
    input [TAG_W-1:0] tag;
    begin
      word = (addr[tag] - base_i) / BYTES;
      line = mem[word];
      rsp_valid_o <= 1'b1;
      rsp_tag_o <= tag;
      rsp_data_o <= write[tag] ? {DATA_W{1'bx}} : line;
      rsp_error_o <= 2'd0;
      if (write[tag] && refuse_i && addr[tag] >= refuse_from_i && addr[tag] < refuse_to_i) begin
        rsp_error_o <= 2'd2;
        refused_o <= refused_o + 1;
      end else if (write[tag]) begin
        for (b = 0; b < BYTES; b = b + 1) if (strb[tag][b]) line[8*b +: 8] = data[tag][8*b +: 8];
        mem[word] = line;
        writes_o <= writes_o + 1;
      end else begin
        reads_o <= reads_o + 1;
      end
    end
  endtask

  always @(posedge clk_i) begin
    if (rst_i) begin
      n = 0;
      held <= 1'b0;
      req_ready_o <= 1'b0;
      rsp_valid_o <= 1'b0;
      bad_o <= 1'b0;
      reads_o <= 0;
      writes_o <= 0;
      refused_o <= 0;
    end else begin
      if (held && (!req_valid_i || held_req != {req_write_i, req_tag_i, req_addr_i})) begin
        bad("request withdrawn");
      end
      held <= req_valid_i && !req_ready_o;
      held_req <= {req_write_i, req_tag_i, req_addr_i};
      req_ready_o <= ($random(seed) & 3) != 0;
      if (rsp_valid_o && rsp_ready_i) begin
        busy[rsp_tag_o] = 1'b0;
        rsp_valid_o <= 1'b0;
      end
      if ((!rsp_valid_o || rsp_ready_i) && n > 0 && ($random(seed) & 7) == 0) begin
        pick = $unsigned($random(seed)) % n;
        answer(list[pick]);
        n = n - 1;
        list[pick] = list[n];
      end
      if (req_valid_i && req_ready_o) take;
    end
  end
endmodule
