// SPDX-License-Identifier: Apache-2.0
// context_hub_core: saves and restores the contexts of many units through one memory port, one command at a
// time, or in local slots (docs/context_hub.md). A ring of words stands between the units and memory: of a
// save it holds what memory has not taken yet, of a restore the answers until it is their turn. A word per
// cycle either way. Every request is answered before hub_done_o. An image in memory begins with a magic word
// and ends with a checksum, which are made and checked here: a unit gets its command once the magic word was
// right, and its last word once the checksum is known. Reset: idle, local slots empty (hub_ready_o comes when
// they are).
`default_nettype none

module context_hub_core #(
  parameter UNIT_COUNT = 4,      // units whose contexts it moves, 1..1024
  parameter LOCAL_CONTEXTS = 0,  // contexts of every unit that are kept here, without memory; 0..3 slots
  // Most words of one unit's context in a local slot, header (3 words) included; 8..4096 words, a power of 2.
  parameter LOCAL_WORDS = 64,
  // A unit's image in memory begins at base + number of the unit * 2^CTX_STRIDE_LG bytes, and is no longer
  // than that; 5..26.
  parameter CTX_STRIDE_LG = 13,
  parameter INFLIGHT = 16,  // most memory requests under way; 4..64 requests, a power of 2
  parameter ADDR_W = 32     // width of a memory address; 16..64 bits
) (
  input  wire clk_i,  // clock; every port is synchronous to its rising edge
  input  wire rst_i,  // synchronous reset, active high

  input  wire hub_valid_i,  // a command is offered; hold it until taken
  output wire hub_ready_o,  // the command of this cycle is taken; 0 while one runs
  input  wire hub_load_i,   // 1: restore, 0: save
  // Number of the unit; one that does not exist is refused (3).
  input  wire [((UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1)-1:0] hub_unit_i,
  input  wire [1:0] hub_slot_i,  // 0: memory, 1..LOCAL_CONTEXTS: a local slot; others are refused (7)
  // Base of the images in memory, in bytes; its two lowest bits count as 0.
  input  wire [ADDR_W-1:0] hub_base_i,
  output reg  hub_done_o,  // pulse: the command has ended, every memory request is answered
  // 0 good, 1 magic (no image, or one of another format), 2 type or configuration, 3 unit, 4 length, 5
  // checksum, 6 memory, 7 slot.
  output reg  [3:0] hub_error_o,

  // To each unit's context port: a save or a load is wanted; at most one is 1.
  output wire [UNIT_COUNT-1:0] ctx_cmd_valid_o,
  output wire ctx_cmd_load_o,  // to all: 1: load, 0: save
  input  wire [UNIT_COUNT-1:0] ctx_cmd_ready_i,  // the unit takes the command
  input  wire [UNIT_COUNT-1:0] ctx_done_i,  // pulse: the unit's save or load has ended
  input  wire [3*UNIT_COUNT-1:0] ctx_error_i,  // with ctx_done_i: what the unit says of it, three bits each
  input  wire [UNIT_COUNT-1:0] ctx_out_valid_i,  // a word of a saved context is offered
  output wire [UNIT_COUNT-1:0] ctx_out_ready_o,  // the word is taken
  input  wire [32*UNIT_COUNT-1:0] ctx_out_data_i,  // the words
  input  wire [UNIT_COUNT-1:0] ctx_out_last_i,  // the word is the last one
  // A word of the context to load is offered; at most one is 1; it holds still until taken.
  output wire [UNIT_COUNT-1:0] ctx_in_valid_o,
  input  wire [UNIT_COUNT-1:0] ctx_in_ready_i,  // the unit takes the word
  output wire [31:0] ctx_in_data_o,             // to all: the word
  output wire ctx_in_last_o,                    // it is the last one that comes
  // With the last word: 0 the image is good, 1 its checksum is wrong, 2 or 3 memory failed.
  output wire [1:0] ctx_in_error_o,

  output wire mem_req_valid_o,  // a memory request is offered; it holds still until taken
  input  wire mem_req_ready_i,  // the memory takes the request of this cycle
  output wire mem_req_write_o,  // the request offered is a write; 0 for a read and when none is offered
  // Tag, returned with the answer; unique among requests under way.
  output wire [$clog2(INFLIGHT)-1:0] mem_req_tag_o,
  output wire [ADDR_W-1:0] mem_req_addr_o,  // byte address, aligned to the data width
  output wire [31:0] mem_req_data_o,  // write data, lowest byte first
  output wire [3:0] mem_req_strb_o,  // write strobe, one per byte
  input  wire mem_rsp_valid_i,  // an answer (read data or write acknowledge) is offered, in any order
  output wire mem_rsp_ready_o,  // the answer of this cycle is taken
  input  wire [$clog2(INFLIGHT)-1:0] mem_rsp_tag_i,  // tag of the request that is answered
  input  wire [31:0] mem_rsp_data_i,  // read data; no meaning for write acknowledges
  // 0: done; else an error code; what becomes of it is the block's own rule.
  input  wire [1:0] mem_rsp_error_i
);
  localparam UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1;
  localparam TAG_W = $clog2(INFLIGHT);
  localparam MUX_STAGES = 1 + ((UNIT_COUNT > 512) ? 5 : (UNIT_COUNT > 128) ? 4 : (UNIT_COUNT > 32) ? 3
                               : (UNIT_COUNT > 8) ? 2 :
                               (UNIT_COUNT > 2) ? 1 : 0);
  // The ring takes what is on its way when the unit is stopped, twice.
  localparam LEAST_RING = (MUX_STAGES > 2) ? 16 : 8;
  localparam RING = (INFLIGHT > LEAST_RING) ? INFLIGHT : LEAST_RING;
  localparam RING_W = $clog2(RING);
  localparam SLOTS = (LOCAL_CONTEXTS > 0) ? LOCAL_CONTEXTS * UNIT_COUNT : 2;
  localparam WORD_W = $clog2(LOCAL_WORDS);
  localparam SLOT_W = $clog2(SLOTS) + ((SLOTS > 1) ? 0 : 1);
  localparam REGION_W = CTX_STRIDE_LG - 2;                                    // words of a unit's image
  localparam LEFT_W = 1 + ((LOCAL_CONTEXTS > 0 && WORD_W > REGION_W) ? WORD_W : REGION_W);
  localparam [31:0] MUX = MUX_STAGES, RING_WORDS = RING, LOCAL = LOCAL_WORDS, LAST_PLACE = SLOTS - 1;
  localparam [2:0] LAST_SLOT = LOCAL_CONTEXTS[2:0];
  localparam [31:0] MAGIC = 32'h55430200;
  localparam [2:0] CLEAR = 3'd0, IDLE = 3'd1, LOOK = 3'd2, JUDGE = 3'd3, MOVE = 3'd4;
  localparam [2:0] BAD_MAGIC = 3'd1, UNREADABLE = 3'd6;
  localparam [3:0] BAD_UNIT = 4'd3, BAD_LENGTH = 4'd4, BAD_MEMORY = 4'd6, BAD_SLOT = 4'd7;

  generate
    if (UNIT_COUNT < 1 || UNIT_COUNT > 1024) begin : g_unit_count_range
      unit_count_out_of_range check ();
    end
    if (LOCAL_CONTEXTS < 0 || LOCAL_CONTEXTS > 3) begin : g_local_contexts_range
      local_contexts_out_of_range check ();
    end
    if (LOCAL_WORDS < 8 || LOCAL_WORDS > 4096 || LOCAL_WORDS != 1 << WORD_W) begin : g_local_words_range
      local_words_out_of_range check ();
    end
    if (LOCAL_CONTEXTS * UNIT_COUNT * LOCAL_WORDS > 1048576) begin : g_local_size
      local_contexts_too_large check ();
    end
    if (CTX_STRIDE_LG < 5 || CTX_STRIDE_LG > 26) begin : g_ctx_stride_lg_range
      ctx_stride_lg_out_of_range check ();
    end
    if (INFLIGHT < 4 || INFLIGHT > 64 || INFLIGHT != 1 << TAG_W) begin : g_inflight_range
      inflight_out_of_range check ();
    end
    if (ADDR_W < 16 || ADDR_W > 64) begin : g_addr_w_range
      addr_w_out_of_range check ();
    end
    if (CTX_STRIDE_LG + ((UNIT_COUNT > 1) ? UNIT_W : 0) > ADDR_W) begin : g_images_fit
      images_do_not_fit check ();
    end
  endgenerate

  // ---- the command
  reg [2:0] state_q;
  reg load_q, local_q;
  reg [UNIT_W-1:0] unit_q;
  reg [1:0] slot_q;
  reg [UNIT_COUNT-1:0] sel_q;     // one cycle behind unit_q
  reg cmd_q, given_q;        // the command is offered to the unit; it has taken it
  reg unit_done_q, last_q, long_q, failed_q;
  reg [2:0] unit_error_q;
  wire taken = cmd_q && |(sel_q & ctx_cmd_ready_i);
  // of a restore from memory: its first word is there, and so it is
  wire magic_right, magic_wrong, magic_lost;
  wire clearing_done, slot_empty;

  wire moving = state_q == MOVE;
  wire no_unit = {1'b0, unit_q} >= UNIT_COUNT[UNIT_W:0];
  localparam [2:0] AFTER_SLOTS = LAST_SLOT + 3'd1;
  wire no_slot = {1'b0, slot_q} >= AFTER_SLOTS || (load_q && slot_q != 2'd0 && slot_empty);
  wire refused = state_q == JUDGE && (no_unit || no_slot);
  wire begins = state_q == JUDGE && !refused;
  wire ends;
  wire [3:0] verdict = (unit_error_q != 3'd0) ? {1'b0, unit_error_q} : (!load_q && (long_q || !last_q))
                       ? BAD_LENGTH
                     : failed_q ? BAD_MEMORY : 4'd0;

  assign hub_ready_o = state_q == IDLE;
  assign ctx_cmd_valid_o = sel_q & {UNIT_COUNT{cmd_q}};
  assign ctx_cmd_load_o = load_q;

  genvar u;
  generate
    for (u = 0; u < UNIT_COUNT; u = u + 1) begin : g_sel
      always @(posedge clk_i) sel_q[u] <= !rst_i && unit_q == u;
    end
  endgenerate

  always @(posedge clk_i)
    if (rst_i) begin
      state_q <= (LOCAL_CONTEXTS > 0) ? CLEAR : IDLE;
      load_q <= 1'b0;
      unit_q <= {UNIT_W{1'b0}};
      cmd_q <= 1'b0;
      given_q <= 1'b0;
      hub_done_o <= 1'b0;
    end else begin
      hub_done_o <= refused || ends;
      if (begins ? !load_q || slot_q != 2'd0 : magic_right) cmd_q <= 1'b1;
      else if (taken) cmd_q <= 1'b0;
      if (begins) given_q <= 1'b0;
      else if (taken) given_q <= 1'b1;
      case (state_q)
        CLEAR: if (clearing_done) state_q <= IDLE;
        IDLE:
          if (hub_valid_i) begin
            state_q <= LOOK;
            load_q <= hub_load_i;
            unit_q <= hub_unit_i;
          end
        LOOK: state_q <= JUDGE;
        JUDGE: state_q <= refused ? IDLE : MOVE;
        default: if (ends) state_q <= IDLE;
      endcase
    end
  always @(posedge clk_i) begin
    hub_error_o <= !refused ? verdict : no_unit ? BAD_UNIT : BAD_SLOT;
    if (state_q == IDLE) slot_q <= hub_slot_i;
    if (state_q == JUDGE) local_q <= slot_q != 2'd0;
  end

  // ---- from the units
  wire a_valid, a_last, a_done;
  wire [31:0] a_data;
  wire [2:0] a_error;
  reg go_q;                  // the ring has room for all that may come before this can be taken back
  assign ctx_out_ready_o = sel_q & {UNIT_COUNT{go_q}};
  context_hub_mux #(.UNITS(UNIT_COUNT), .STAGES(MUX_STAGES)) u_mux (
    .clk_i(clk_i), .rst_i(rst_i), .sel_i(sel_q), .valid_i(ctx_out_valid_i & {UNIT_COUNT{go_q}}),
    .last_i(ctx_out_last_i), .data_i(ctx_out_data_i), .done_i(ctx_done_i), .error_i(ctx_error_i),
    .valid_o(a_valid), .last_o(a_last), .data_o(a_data), .done_o(a_done), .error_o(a_error));
  // A unit that breaks its contract may offer words behind its end: they must not reach a slot.
  wire hears = moving && given_q;
  reg said_q;                // the unit has ended: what it says or brings behind that does not count
  wire done = a_done && hears && !said_q;
  wire brings = a_valid && hears && !said_q;

  // Counts up to 0: words that a save may still bring, requests of a restore not yet taken, words of a local
  // one.
  reg [LEFT_W-1:0] left_q;
  wire none_left = left_q == {LEFT_W{1'b0}};
  wire one_left = &left_q;
  // of a save to memory: its first word enters, the magic word; its last one, the checksum
  reg first_q, sum_q;
  reg [31:0] crc_q;
  wire enters = (brings || first_q || sum_q) && !none_left;
  wire spoilt = unit_error_q != 3'd0 || long_q || !last_q;  // a checksum that cannot be right
  wire [31:0] image_word = first_q ? MAGIC : sum_q ? ~crc_q ^ {32{spoilt}} : a_data;

  always @(posedge clk_i)
    if (begins) begin
      unit_done_q <= 1'b0;
      said_q <= 1'b0;
      unit_error_q <= 3'd0;
      last_q <= 1'b0;
      long_q <= 1'b0;
    end else begin
      if (done || magic_wrong) begin
        said_q <= 1'b1;
        unit_done_q <= load_q || local_q;
        unit_error_q <= !magic_wrong ? a_error : magic_lost ? UNREADABLE : BAD_MAGIC;
      end
      if (sum_q) unit_done_q <= 1'b1;
      if (brings) begin
        last_q <= a_last;
      end
      if ((brings || sum_q) && none_left) long_q <= 1'b1;
    end

  // ---- memory
  reg req_q;
  reg [TAG_W:0] rq_q;        // requests taken
  reg [INFLIGHT-1:0] busy_q; // by tag: taken and not answered
  reg [ADDR_W-3:0] addr_q;
  wire req_taken = req_q && mem_req_ready_i;
  wire memory_load = load_q && !local_q;
  wire [ADDR_W-3:0] offset = {{ADDR_W-2-UNIT_W{1'b0}}, unit_q} << REGION_W;
  assign mem_req_valid_o = req_q;
  assign mem_req_write_o = req_q && !load_q;
  assign mem_req_tag_o = rq_q[TAG_W-1:0];
  assign mem_req_addr_o = {addr_q, 2'b00};
  assign mem_req_strb_o = 4'hf;
  assign mem_rsp_ready_o = 1'b1;
  wire unused = &{1'b0, hub_base_i[1:0]};

  always @(posedge clk_i) begin
    if (rst_i) busy_q <= {INFLIGHT{1'b0}};
    else begin
      if (mem_rsp_valid_i) busy_q[mem_rsp_tag_i] <= 1'b0;
      if (req_taken) busy_q[rq_q[TAG_W-1:0]] <= 1'b1;
    end
    if (begins) failed_q <= 1'b0;
    else if (mem_rsp_valid_i && mem_rsp_error_i != 2'd0) failed_q <= 1'b1;
    if (begins) rq_q <= {TAG_W+1{1'b0}};
    else if (req_taken) rq_q <= rq_q + 1'b1;
    if (state_q == IDLE) addr_q <= hub_base_i[ADDR_W-1:2];
    else if (state_q == LOOK) addr_q <= addr_q + offset;
    else if (req_taken) addr_q <= addr_q + 1'b1;
  end

  // ---- the ring
  reg [RING_W:0] rp_q, wp_q; // words that have left it; save: that have entered it
  wire [RING_W:0] rp_next = rp_q + 1'b1;
  wire pop;
  wire [RING_W-1:0] at = pop ? rp_next[RING_W-1:0] : rp_q[RING_W-1:0];
  wire [RING_W-1:0] read_at, answer_at;
  wire [32:0] ring_word;
  generate
    if (RING_W > TAG_W) begin : g_wide_ring  // a restore uses the slots that have a tag
      assign read_at = {at[RING_W-1:TAG_W] & {RING_W-TAG_W{!load_q}}, at[TAG_W-1:0]};
      assign answer_at = {{RING_W-TAG_W{1'b0}}, mem_rsp_tag_i};
    end else begin : g_ring
      assign read_at = at[RING_W-1:0];
      assign answer_at = mem_rsp_tag_i;
    end
  endgenerate
  ram_1r1w #(.WIDTH(33), .DEPTH(RING)) u_ring (
    .clk_i(clk_i), .we_i(load_q ? mem_rsp_valid_i : enters && !local_q),
    .waddr_i(load_q ? answer_at : wp_q[RING_W-1:0]),
    .wdata_i(load_q ? {mem_rsp_error_i != 2'd0, mem_rsp_data_i} : {1'b0, image_word}),
    .raddr_i(read_at), .rdata_o(ring_word));

  // Whether the word at a place may go: it is there, and its tag is free (save) or answered (restore).
  wire here = memory_load ? rp_q[TAG_W:0] != rq_q : rp_q != wp_q;
  wire next = memory_load ? rp_next[TAG_W:0] != rq_q : rp_next != wp_q;
  wire go_here = load_q && local_q ? !none_left : here && !busy_q[rp_q[TAG_W-1:0]];
  wire go_next = load_q && local_q ? !one_left : next && !busy_q[rp_next[TAG_W-1:0]];
  reg head_q;                // the word read is that of rp_q, and may go
  localparam [RING_W:0] BESIDE = 3;     // two words more on their way, and the checksum
  localparam [RING_W:0] MOST = RING_WORDS[RING_W:0] - MUX[RING_W:0] - BESIDE;
  wire [RING_W:0] held = wp_q - rp_q;
  always @(posedge clk_i) begin
    head_q <= moving && !rst_i && (pop ? go_next : go_here);
    go_q <= moving && !rst_i && !load_q && !cmd_q && held <= MOST;
    if (begins) begin
      rp_q <= {RING_W+1{1'b0}};
      wp_q <= {RING_W+1{1'b0}};
    end else begin
      if (pop) rp_q <= rp_next;
      if (enters && !local_q) wp_q <= wp_q + 1'b1;
    end
  end

  // ---- the word that is offered, to memory (req_q) or to the unit (in_q). The last word of a restore from
  // memory waits (waits_q) until the checksum behind it is there (judged_q).
  reg magic_came_q, magic_lost_q;  // the magic word is in word_q, to be compared; memory failed at it
  reg in_q, word_last_q, cut_q, waits_q, judged_q, fresh_q, sum_lost_q;
  reg [1:0] word_error_q;
  reg [2:0] index_q;         // of the word at the head of a restore, up to 4
  reg [LEFT_W-1:0] rest_q;   // counts up to 0: payload and checksum from the word at the head on
  reg [31:0] word_q;
  wire [31:0] local_word;
  wire [31:0] word = local_q ? local_word : ring_word[31:0];
  wire in_taken = |(sel_q & ctx_in_ready_i);
  wire room = load_q ? !in_q || in_taken : !req_q || mem_req_ready_i;
  wire drops = !load_q && failed_q;
  wire magic_goes = head_q && memory_load && index_q == 3'd0 && !cut_q;
  wire word_goes = head_q && room && !cmd_q && !cut_q && !drops && !magic_goes && !magic_came_q
                   && !waits_q;
  wire sum_goes = head_q && waits_q && !fresh_q && !judged_q && !cut_q;
  assign pop = word_goes || magic_goes || sum_goes || (head_q && drops);

  // The header of a restore says how far to read; one that cannot be right ends the stream.
  wire long = (|word[31:REGION_W]) || (&word[REGION_W-1:2]);
  wire unreadable = ring_word[32];
  wire at_length = memory_load && index_q == 3'd3;
  wire cut = unreadable || (at_length && long);
  wire last = local_q ? one_left : cut;
  wire ends_payload = memory_load && !cut && (at_length ? word == 32'd0 : index_q[2]
      && &rest_q[LEFT_W-1:1] && !rest_q[0]);
  // what follows the header: the payload and the checksum
  wire [LEFT_W-1:0] body = {1'b1, ~word[LEFT_W-2:0]};
  assign magic_lost = magic_lost_q;
  assign magic_right = magic_came_q && !magic_lost_q && word_q == MAGIC;
  assign magic_wrong = magic_came_q && !magic_right;
  wire more = at_length && !cut;

  wire [TAG_W:0] ahead = rq_q - rp_q[TAG_W:0];
  wire space = req_q ? !(&ahead[TAG_W-1:0]) : !ahead[TAG_W];
  wire asks = moving && memory_load && !cut_q && space && (req_q ? !one_left : !none_left);

  assign ends = moving && unit_done_q && busy_q == {INFLIGHT{1'b0}} && !req_q && (load_q || rp_q == wp_q);
  assign ctx_in_valid_o = sel_q & {UNIT_COUNT{in_q}};
  assign ctx_in_data_o = word_q;
  assign ctx_in_last_o = word_last_q;
  assign ctx_in_error_o = word_error_q;
  assign mem_req_data_o = word_q;

  always @(posedge clk_i) begin
    if (rst_i) begin
      req_q <= 1'b0;
      in_q <= 1'b0;
      {waits_q, judged_q} <= 2'b00;
      magic_came_q <= 1'b0;
    end else begin
      magic_came_q <= magic_goes;
      req_q <= (req_q && !mem_req_ready_i) || (load_q ? asks : word_goes);
      in_q <= load_q && !done && ((in_q && !in_taken) || (word_goes && !ends_payload) || (judged_q
          && !cut_q));
      waits_q <= !begins && !done && !judged_q && (waits_q || (word_goes && ends_payload));
      judged_q <= !begins && !done && sum_goes;
    end
    if (magic_goes) magic_lost_q <= unreadable;
    if (rst_i) word_q <= 32'd0;
    else if (word_goes || magic_goes) word_q <= word;
    if (rst_i) {word_last_q, word_error_q} <= 3'b000;
    else if (word_goes) {word_last_q, word_error_q} <= {last && load_q, unreadable && memory_load, 1'b0};
    else if (judged_q) {word_last_q, word_error_q} <= {1'b1, sum_lost_q, !(&crc_q)};
    if (begins) begin
      cut_q <= 1'b0;
      index_q <= 3'd0;
    end else begin
      if ((done && load_q) || magic_wrong || judged_q) cut_q <= 1'b1;
      if ((word_goes || magic_goes) && load_q) begin
        if (last && word_goes) cut_q <= 1'b1;
        if (!index_q[2]) index_q <= index_q + 3'd1;
      end
    end
    if (word_goes && at_length) rest_q <= body;
    else if (word_goes) rest_q <= rest_q + 1'b1;
  end

  // ---- the checksum: of a save over the words that enter the ring, of a restore over those that have left
  // it
  wire [31:0] crc_next;
  wire [31:0] crc_word = load_q ? word_q : first_q ? MAGIC : a_data;
  crc32_word u_crc (.crc_i(crc_q), .word_i(crc_word), .crc_o(crc_next));
  always @(posedge clk_i) begin
    fresh_q <= (word_goes || magic_goes) && load_q && !rst_i;
    first_q <= begins && !load_q && slot_q == 2'd0 && !rst_i;
    sum_q <= done && !load_q && !local_q && !rst_i;
    if (sum_goes) sum_lost_q <= unreadable;
    if (begins) crc_q <= 32'hffffffff;
    else if (sum_goes) crc_q <= crc_q ^ word;
    else if (load_q ? fresh_q : brings || first_q) crc_q <= crc_next;
  end

  // ---- what is left
  wire [LEFT_W-1:0] stored;  // local: one less than the words of the slot
  localparam [LEFT_W-1:0] HEAD_WORDS = 4, REGION = 1 << REGION_W;
  localparam [LEFT_W-1:0] LOCAL_MOST = (LOCAL_CONTEXTS > 0) ? LOCAL[LEFT_W-1:0] : {LEFT_W{1'b0}};
  wire [LEFT_W-1:0] begin_local = load_q ? ~stored : -LOCAL_MOST;
  wire [LEFT_W-1:0] begin_memory = load_q ? -HEAD_WORDS : -REGION;
  wire counts = local_q ? (load_q ? pop : enters) : load_q ? req_taken : enters;
  always @(posedge clk_i)
    if (begins) left_q <= (slot_q != 2'd0) ? begin_local : begin_memory;
    else if (memory_load && word_goes && more) left_q <= body;
    else if (counts) left_q <= left_q + 1'b1;

  // ---- local slots: words, and by slot and unit the number of the last one; 0: empty
  generate
    if (LOCAL_CONTEXTS > 0) begin : g_local
      localparam [SLOT_W-1:0] TOP_SLOT = LAST_PLACE[SLOT_W-1:0];
      localparam [31:0] SECOND = UNIT_COUNT, THIRD = 2 * UNIT_COUNT;
      reg [SLOT_W-1:0] place_q;
      reg [WORD_W-1:0] at_q;
      wire [SLOT_W-1:0] first = (slot_q == 2'd3) ? THIRD[SLOT_W-1:0] : (slot_q == 2'd2) ? SECOND[SLOT_W-1:0]
                              : {SLOT_W{1'b0}};
      wire [SLOT_W:0] unit = {{SLOT_W+1-UNIT_W{1'b0}}, unit_q};
      wire unused_bit = unit[SLOT_W];
      wire [SLOT_W-1:0] place = first + unit[SLOT_W-1:0];
      wire [WORD_W-1:0] stored_word;
      wire [WORD_W-1:0] read_word = at_q + {{WORD_W-1{1'b0}}, pop};
      localparam WORDS_W = $clog2(SLOTS * LOCAL_WORDS);
      wire [WORDS_W-1:0] write_to, read_from;
      if (SLOTS > 1) begin : g_many
        assign write_to = {place_q, at_q};
        assign read_from = {place_q, read_word};
      end else begin : g_single
        assign write_to = at_q;
        assign read_from = read_word;
      end
      wire keeps = ends && local_q && !load_q && verdict == 4'd0;
      assign clearing_done = place_q == TOP_SLOT;
      assign slot_empty = stored_word == {WORD_W{1'b0}};
      assign stored = {{LEFT_W-WORD_W{1'b0}}, stored_word};
      ram_1r1w #(.WIDTH(32), .DEPTH(SLOTS * LOCAL_WORDS)) u_words (
        .clk_i(clk_i), .we_i(enters && local_q), .waddr_i(write_to), .wdata_i(a_data),
        .raddr_i(read_from), .rdata_o(local_word));
      ram_1r1w #(.WIDTH(WORD_W), .DEPTH(SLOTS)) u_slots (
        .clk_i(clk_i), .we_i(state_q == CLEAR || (begins && !load_q && slot_q != 2'd0) || keeps),
        .waddr_i(place_q), .wdata_i(keeps ? at_q : {WORD_W{1'b0}}), .raddr_i(place), .rdata_o(stored_word));
      always @(posedge clk_i) begin
        if (rst_i) place_q <= {SLOT_W{1'b0}};
        else if (state_q == CLEAR) place_q <= place_q + 1'b1;
        else if (state_q == LOOK) place_q <= place;
        if (begins) at_q <= {WORD_W{1'b0}};
        else if (load_q ? pop : enters && !a_last) at_q <= at_q + 1'b1;
      end
    end else begin : g_no_local
      assign clearing_done = 1'b1;
      assign slot_empty = 1'b1;
      assign stored = {LEFT_W{1'b0}};
      assign local_word = 32'd0;
    end
  endgenerate
endmodule

`default_nettype wire
