// SPDX-License-Identifier: Apache-2.0
// tracker_input: from the ports to the pool (TR-1, TR-2, TR-10, TR-12, TR-13, TR-15, TR-17). One operation a
// cycle: a packet of `in`, or a flush token whose turn has come. Allocations have a lane of their own (A0 to
// A2), fast packets bring the tail they found; both pass beside the packet of their cycle and are older.
// I0 reads reference counts, I1 and I2 decide: refuse, or take the next entry of the pool, count references
// up, and say what follows. The wavefront that was taken last is held (H) until the next packet shows whether
// a group ends with it; then it is inserted into its queue (J). Reset: nothing held; ready is low until
// init_i has ended.
`default_nettype none

module tracker_input #(
  parameter QUEUES = 48,
  parameter QUEUE_W = 6,
  parameter ENTRIES = 512,
  parameter PTR_W = 10,                      // count of entries
  parameter AGES = 512,                      // positions of ages
  parameter AGE_W = 10,
  parameter NAME_W = 10,                     // {age, place in the pool}; or the age, with the place in it
  parameter ALLOC = 0,
  parameter BANKS = 4,
  parameter BANK_W = 2,
  parameter DSLOTS = 256,
  parameter DSLOT_W = 8,
  parameter SECTORS = 4,
  parameter WARPS = 48,
  parameter WARP_W = 6,
  parameter PAYLOAD_W = 64,
  parameter STATE_Q = 16,
  parameter FAST_Q = 16,
  parameter FLUSH_Q = 8,
  parameter REF_W = 6,
  parameter GROUP_W = 9,
  parameter LG_RELEASE = 0,
  parameter FAST_GUARD = 1
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire init_i,
  input  wire [DSLOT_W-1:0] init_dslot_i,
  input  wire closed_i,                      // nothing is taken
  output wire would_o,                       // something would be taken, were it not closed
  output wire takes_o,
  output wire busy_o,                        // something moves
  input  wire [BANKS-1:0] init_stuck_i,
  // A context comes in, item by item, and at the end what else there is.
  input  wire load_i,
  input  wire put_i,
  input  wire [1:0] put_kind_i,
  input  wire put_fast_i,
  input  wire put_inserted_i,                // what follows stays until the next item
  input  wire put_group_end_i,
  input  wire put_opens_i,
  input  wire [QUEUE_W-1:0] put_queue_i,
  output wire [3:0] rooms_o,                 // for {fast, token, state, wavefront}
  output wire refused_o,
  input  wire commit_i,
  input  wire [2+WARP_W+QUEUE_W+GROUP_W-1:0] flags_i, // {group count, ray next, warp, texture, open}
  output wire [2+WARP_W+QUEUE_W+GROUP_W-1:0] flags_o,
  output wire [AGE_W-1:0] open_first_o,
  output wire h_v_o,                         // the newest wavefront is held
  output wire [NAME_W-1:0] h_entry_o,
  output wire [QUEUE_W-1:0] h_queue_o,
  output wire h_group_end_o,

  input  wire in_valid_i,
  output wire in_ready_o,
  input  wire [1:0] in_kind_i,
  input  wire [1:0] in_class_i,
  input  wire [WARP_W-1:0] in_warp_i,
  input  wire in_end_i,
  input  wire [BANKS-1:0] in_used_i,
  input  wire [BANKS*DSLOT_W-1:0] in_dslots_i,
  input  wire [BANKS*SECTORS-1:0] in_sectors_i,
  input  wire [BANK_W-1:0] in_bank_i,
  input  wire [PAYLOAD_W-1:0] in_payload_i,
  input  wire fast_in_valid_i,
  output wire fast_in_ready_o,
  output wire fast_fire_o,                   // a fast packet is taken
  input  wire alloc_valid_i,
  output wire alloc_ready_o,
  input  wire [BANK_W-1:0] alloc_bank_i,
  input  wire [DSLOT_W-1:0] alloc_dslot_i,

  // What the registers say; a change is taken when change_take_o is 1.
  input  wire [QUEUE_W-1:0] new_last_i,      // last queue of local/global and texture, of the mode to come
  input  wire [QUEUE_W-1:0] new_ray_first_i,
  input  wire [QUEUE_W-1:0] new_ray_last_i,
  input  wire [GROUP_W-1:0] new_group_i,
  input  wire change_i,
  output wire change_take_o,
  output wire change_waits_o,

  output wire [2:0] err_in_o,                // in I2
  output wire [1:0] err_alloc_o,

  // I2: into the tables of the pool
  output wire wave_o,                        // a wavefront is taken
  output wire [NAME_W-1:0] wave_entry_o,
  output wire [BANKS-1:0] wave_used_o,
  output wire [BANKS*DSLOT_W-1:0] wave_dslots_o,
  output wire [BANKS*SECTORS-1:0] wave_sectors_o,
  output wire [1:0] wave_class_o,
  output wire [WARP_W-1:0] wave_warp_o,
  output wire wave_end_o,
  output wire [PAYLOAD_W-1:0] wave_payload_o,
  output wire state_o,                       // a state packet is taken
  // first wavefront of the open texture instruction, else as the tail
  output wire [AGE_W-1:0] state_open_o,
  output wire [AGE_W-1:0] tail_o,            // before what is taken in this cycle
  output wire token_o,                       // a flush token is taken
  output wire [BANK_W-1:0] token_bank_o,
  output wire [DSLOT_W-1:0] token_dslot_o,
  output wire fast_o,                        // of a fast packet, taken three cycles ago, this is the tail
  input  wire [BANK_W-1:0] fill_bank_i,      // a fill at the port
  input  wire [DSLOT_W-1:0] fill_dslot_i,
  output wire fill_early_o,                  // an allocation of its data slot is on the way
  output wire [BANKS-1:0] alloc1_bank_o,     // A1
  output wire [DSLOT_W-1:0] alloc1_dslot_o,
  output wire alloc_o,                       // A2
  output wire [BANKS-1:0] alloc_bank_o,
  output wire [DSLOT_W-1:0] alloc_dslot_o,
  // {close, token, state, ray, texture, local/global} taken, for counters
  output wire [5:0] seen_o,

  // J: insertion into a queue
  output reg  insert_o,
  output reg  [QUEUE_W-1:0] insert_queue_o,
  output reg  [NAME_W-1:0] insert_entry_o,
  output reg  insert_tex_o,
  output reg  insert_end_o,
  output reg  insert_group_end_o,
  output wire held_o,                        // a wavefront is taken and not inserted

  // What has left
  input  wire reclaim_i,                     // the oldest position of ages
  input  wire left_i,                        // a place of the pool
  input  wire [$clog2(ENTRIES)-1:0] left_entry_i,
  input  wire state_left_i,
  input  wire fast_left_i,

  // A flush token whose turn has come, offered until taken; and its report
  input  wire apply_valid_i,
  output wire apply_ready_o,
  input  wire [BANK_W-1:0] apply_bank_i,
  input  wire [DSLOT_W-1:0] apply_dslot_i,
  output wire apply_done_o,                  // in I2
  output wire apply_free_o,                  // it was saturated: report it free

  // Reference counts: the way down writes down counts, reads up counts.
  input  wire [BANKS-1:0] down_we_i,
  input  wire [BANKS*DSLOT_W-1:0] down_addr_i,
  input  wire [BANKS*REF_W-1:0] down_data_i,
  input  wire [BANKS*DSLOT_W-1:0] up_addr_i,
  output wire [BANKS*REF_W-1:0] up_data_o,   // one cycle later
  output wire [BANKS-1:0] up_stuck_o,
  output wire [BANKS-1:0] raise_o,           // in I2: counts that go up
  output wire [BANKS*DSLOT_W-1:0] raise_dslots_o,
  output wire [BANKS*DSLOT_W-1:0] raise1_dslots_o, // what raise_dslots_o has a cycle later

  output wire pool_full_o,
  output wire ages_full_o,
  output wire [PTR_W-1:0] pool_used_o
);
  localparam [2:0] WAVE = 3'd0, STATE = 3'd1, TOKEN = 3'd2, CLOSE = 3'd3, APPLY = 3'd4;
  localparam [1:0] LG = 2'd0, TEX = 2'd1, RAY = 2'd2;
  localparam WORD_W = REF_W + 2;             // {token waits, saturated, count up}
  localparam SQ_W = $clog2(STATE_Q + 1), FQ_W = $clog2(FAST_Q + 1), TQ_W = $clog2(FLUSH_Q + 1);
  localparam [PTR_W-1:0] POOL = ENTRIES[PTR_W-1:0];

  // ---- acceptance --------------------------------------------------------------------------------------
  reg in_ready_q, fast_ready_q, alloc_ready_q;
  assign {in_ready_o, fast_in_ready_o, alloc_ready_o} =
      {in_ready_q, fast_ready_q, alloc_ready_q} & {3{!closed_i}};
  assign would_o = (in_valid_i && in_ready_q) || (fast_in_valid_i && fast_ready_q) ||
                   (alloc_valid_i && alloc_ready_q);
  wire in_fire = (in_valid_i && in_ready_o) || put_i;
  wire [1:0] kind = put_i ? put_kind_i : in_kind_i;
  wire alloc_fire = alloc_valid_i && alloc_ready_o;
  wire fast_fire = (fast_in_valid_i && fast_in_ready_o) || put_fast_i;
  reg apply_turn_q;
  assign apply_ready_o = apply_turn_q;

  reg i0_v_q, i1_v_q, i2_v_q, i0_f_q, i1_f_q, i2_f_q;
  reg [2:0] i0_op_q, i1_op_q;
  reg [1:0] i0_class_q, i1_class_q, i2_class_q;
  reg [WARP_W-1:0] i0_warp_q, i1_warp_q, i2_warp_q;
  reg i0_end_q, i1_end_q, i2_end_q;
  reg [BANKS-1:0] i0_used_q, i1_used_q, i2_used_q;
  reg [BANKS*DSLOT_W-1:0] i0_dslots_q, i1_dslots_q, i2_dslots_q;
  reg [BANKS*SECTORS-1:0] i0_sectors_q, i1_sectors_q, i2_sectors_q;
  reg [BANK_W-1:0] i0_bank_q, i1_bank_q, i2_bank_q;
  reg [PAYLOAD_W-1:0] i0_pay_q, i1_pay_q, i2_pay_q;

  wire names_one = apply_turn_q || kind == 2'd2;
  wire [BANK_W-1:0] one_bank = apply_turn_q ? apply_bank_i : in_bank_i;
  wire [DSLOT_W-1:0] one_dslot = apply_turn_q ? apply_dslot_i : in_dslots_i[DSLOT_W-1:0];
  assign fast_fire_o = fast_fire;
  reg [BANKS-1:0] one_used;
  integer a;
  always @* for (a = 0; a < BANKS; a = a + 1) one_used[a] = one_bank == a[BANK_W-1:0];
  always @(posedge clk_i) begin
    i0_v_q <= (in_fire || apply_turn_q) && !rst_i;
    i0_f_q <= fast_fire && !rst_i;
    i0_op_q <= apply_turn_q ? APPLY : {1'b0, kind};
    i0_class_q <= in_class_i;
    i0_warp_q <= in_warp_i;
    i0_end_q <= in_end_i;
    i0_used_q <= names_one ? one_used : in_used_i;
    i0_dslots_q <= names_one ? {BANKS{one_dslot}} : in_dslots_i;
    i0_sectors_q <= in_sectors_i;
    i0_bank_q <= one_bank;
    i0_pay_q <= in_payload_i;
    i1_v_q <= i0_v_q && !rst_i;
    i1_f_q <= i0_f_q && !rst_i;
    i2_v_q <= i1_v_q && !rst_i;
    i2_f_q <= i1_f_q && !rst_i;
    {i1_op_q, i1_class_q, i1_warp_q, i1_end_q} <= {i0_op_q, i0_class_q, i0_warp_q, i0_end_q};
    {i2_class_q, i2_warp_q, i2_end_q} <= {i1_class_q, i1_warp_q, i1_end_q};
    {i1_used_q, i1_dslots_q, i1_sectors_q, i1_bank_q} <= {i0_used_q, i0_dslots_q, i0_sectors_q, i0_bank_q};
    {i2_used_q, i2_dslots_q, i2_sectors_q, i2_bank_q} <= {i1_used_q, i1_dslots_q, i1_sectors_q, i1_bank_q};
    {i1_pay_q, i2_pay_q} <= {i0_pay_q, i1_pay_q};
  end

  reg a0_v_q, a1_v_q, a2_v_q, a2_dslot_bad_q;
  reg [BANKS-1:0] a0_bank_q, a1_bank_q, a2_bank_q;
  reg [DSLOT_W-1:0] a0_dslot_q, a1_dslot_q, a2_dslot_q;
  integer l;
  always @(posedge clk_i) begin
    {a0_v_q, a1_v_q, a2_v_q} <= rst_i ? 3'b000 : {alloc_fire, a0_v_q, a1_v_q};
    for (l = 0; l < BANKS; l = l + 1) a0_bank_q[l] <= alloc_bank_i == l[BANK_W-1:0];
    a0_dslot_q <= alloc_dslot_i;
    {a1_bank_q, a1_dslot_q} <= {a0_bank_q, a0_dslot_q};
    {a2_bank_q, a2_dslot_q} <= {a1_bank_q, a1_dslot_q};
    a2_dslot_bad_q <= {1'b0, a1_dslot_q} >= DSLOTS[DSLOT_W:0] || ~|a1_bank_q;
  end

  // A fill is early in the cycle in which an allocation of its data slot is taken and in the three behind it.
  reg [BANKS-1:0] fill_one;
  always @* for (l = 0; l < BANKS; l = l + 1) fill_one[l] = fill_bank_i == l[BANK_W-1:0];
  assign fill_early_o = (alloc_fire && alloc_bank_i == fill_bank_i && alloc_dslot_i == fill_dslot_i) ||
      (a0_v_q && |(a0_bank_q & fill_one) && a0_dslot_q == fill_dslot_i) ||
      (a1_v_q && |(a1_bank_q & fill_one) && a1_dslot_q == fill_dslot_i) ||
      (a2_v_q && |(a2_bank_q & fill_one) && a2_dslot_q == fill_dslot_i);

  assign takes_o = would_o && !closed_i;

  // ---- what can be said of an operation alone: I1 --------------------------------------------------------
  reg open_q, open_tex_q;
  reg [WARP_W-1:0] open_warp_q;
  wire wave;
  reg dslot_bad, sector_bad;
  integer c;
  always @* begin
    dslot_bad = 1'b0;
    sector_bad = 1'b0;
    for (c = 0; c < BANKS; c = c + 1)
      if (i1_used_q[c]) begin
        if ({1'b0, i1_dslots_q[c*DSLOT_W+:DSLOT_W]} >= DSLOTS[DSLOT_W:0]) dslot_bad = 1'b1;
        if (~|i1_sectors_q[c*SECTORS+:SECTORS]) sector_bad = 1'b1;
      end
  end
  reg i2_warp_bad_q, i2_dslot_bad_q, i2_sector_bad_q;
  reg i2_alien_q, i2_banks_bad_q;            // class or warp is unknown; a bank is wrong
  reg i2_unlike_open_q, i2_unlike_last_q;    // warp or class is not that of the open instruction; of the last
  reg opened_q;
  reg i2_tex_q, i2_ray_q, i2_internal_q;     // class; an end of instruction, or as good as one
  wire i1_v = i1_v_q && !rst_i, i1_wave = i1_v && i1_op_q == WAVE;
  wire i1_alien = i1_class_q == 2'd3 || {1'b0, i1_warp_q} >= WARPS[WARP_W:0];
  wire i1_banks_bad = dslot_bad || sector_bad;
  reg [QUEUE_W-1:0] i2_map_q;
  wire [QUEUE_W-1:0] map;
  always @(posedge clk_i) begin
    i2_warp_bad_q <= {1'b0, i1_warp_q} >= WARPS[WARP_W:0];
    i2_dslot_bad_q <= dslot_bad;
    i2_sector_bad_q <= sector_bad;
    i2_alien_q <= i1_alien;
    i2_banks_bad_q <= i1_banks_bad;
    i2_unlike_open_q <= !load_i && (i1_class_q == RAY || i1_warp_q != open_warp_q ||
                                    (i1_class_q == TEX) != open_tex_q);
    i2_unlike_last_q <= !load_i && (i1_class_q == RAY || i1_warp_q != i2_warp_q ||
                                    (i1_class_q == TEX) != i2_tex_q);
    opened_q <= wave && !open_q;
    i2_map_q <= map;
  end

  // ---- reference counts ----------------------------------------------------------------------------------
  wire [BANKS-1:0] write;                    // in I2
  wire [BANKS*WORD_W-1:0] word_d;
  wire [BANKS-1:0] waits, stuck;             // of the data slots named
  wire [BANKS-1:0] a_waits, a_held;          // of the one to be allocated
  // What I2 decides by is decoded in I1, a register each.
  reg i2_apply_q, i2_apply_v_q, i2_state_q, i2_close_q;
  reg i2_wave_q, i2_known_q, i2_good_q;      // a wavefront; class and warp are known; banks are right, too
  reg i2_token_q, i2_token_good_q;           // a flush token; it names a data slot
  always @(posedge clk_i) begin
    i2_apply_q <= i1_op_q == APPLY;
    i2_apply_v_q <= i1_v && i1_op_q == APPLY;
    i2_wave_q <= i1_wave;
    i2_known_q <= i1_wave && !i1_alien;
    i2_good_q <= i1_wave && !i1_alien && !i1_banks_bad;
    i2_token_q <= i1_v && i1_op_q == TOKEN;
    i2_token_good_q <= i1_v && i1_op_q == TOKEN && !dslot_bad && |i1_used_q;
    i2_state_q <= i1_v && i1_op_q == STATE;
    i2_close_q <= i1_v && i1_op_q == CLOSE;
    i2_tex_q <= i1_class_q == TEX;
    i2_ray_q <= i1_class_q == RAY;
    i2_internal_q <= i1_end_q || i1_class_q == RAY || (LG_RELEASE != 0 && i1_class_q != TEX);
  end
  wire taken;                                // a wavefront with its banks, or a flush token
  genvar b;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      wire [DSLOT_W-1:0] d0 = i0_dslots_q[b*DSLOT_W+:DSLOT_W];
      wire [DSLOT_W-1:0] d1 = i1_dslots_q[b*DSLOT_W+:DSLOT_W];
      wire [DSLOT_W-1:0] d2 = i2_dslots_q[b*DSLOT_W+:DSLOT_W];
      wire [WORD_W-1:0] read_up2, word, word_a;
      wire [REF_W-1:0] down, down_a, limit, limit_a;
      wire unused_limit = &{1'b0, limit_a};
      tracker_counts #(.DSLOTS(DSLOTS), .DSLOT_W(DSLOT_W), .REF_W(REF_W)) u_in (
        .clk_i(clk_i), .init_i(init_i), .init_dslot_i(init_dslot_i), .init_stuck_i(init_stuck_i[b]),
        .write_i(write[b]), .write_dslot_i(d2),
        .write_word_i(word_d[b*WORD_W+:WORD_W]), .down_we_i(down_we_i[b]),
        .down_addr_i(down_addr_i[b*DSLOT_W+:DSLOT_W]), .down_data_i(down_data_i[b*REF_W+:REF_W]),
        .dslot0_i(d0), .dslot1_i(d1), .word_o(word), .down_o(down), .limit_o(limit),
        .used1_i(i1_used_q[b]), .waits_o(waits[b]));
      tracker_counts #(.DSLOTS(DSLOTS), .DSLOT_W(DSLOT_W), .REF_W(REF_W)) u_alloc (
        .clk_i(clk_i), .init_i(init_i), .init_dslot_i(init_dslot_i), .init_stuck_i(init_stuck_i[b]),
        .write_i(write[b]), .write_dslot_i(d2),
        .write_word_i(word_d[b*WORD_W+:WORD_W]), .down_we_i(down_we_i[b]),
        .down_addr_i(down_addr_i[b*DSLOT_W+:DSLOT_W]), .down_data_i(down_data_i[b*REF_W+:REF_W]),
        .dslot0_i(a0_dslot_q), .dslot1_i(a1_dslot_q), .word_o(word_a), .down_o(down_a),
        .limit_o(limit_a), .used1_i(a1_bank_q[b]), .waits_o(a_waits[b]));
      ram_1r1w #(.WIDTH(WORD_W), .DEPTH(DSLOTS)) u_up_copy (
        .clk_i(clk_i), .we_i(init_i || write[b]), .waddr_i(init_i ? init_dslot_i : d2),
        .wdata_i(init_i ? {1'b0, init_stuck_i[b], {REF_W{1'b0}}} : word_d[b*WORD_W+:WORD_W]),
        .raddr_i(up_addr_i[b*DSLOT_W+:DSLOT_W]), .rdata_o(read_up2));
      // A token writes the word of a data slot that may be counted down in this cycle: forward.
      reg meets_q;
      reg [REF_W:0] written_q;
      always @(posedge clk_i) begin
        meets_q <= write[b] && d2 == up_addr_i[b*DSLOT_W+:DSLOT_W];
        written_q <= word_d[b*WORD_W+:REF_W+1];
      end
      assign {up_stuck_o[b], up_data_o[b*REF_W+:REF_W]} = meets_q ? written_q : read_up2[REF_W:0];
      wire unused_token = read_up2[REF_W+1];

      assign stuck[b] = i2_used_q[b] && word[REF_W];
      assign a_held[b] = a2_bank_q[b] && (word_a[REF_W] || word_a[REF_W-1:0] != down_a);
      wire fills_up = word[REF_W-1:0] == limit;  // one more is the maximum
      assign word_d[b*WORD_W+:WORD_W] =
        i2_apply_q ? {2'b00, down} :
        i2_token_q ? {1'b1, word[REF_W:0]} :
        {word[REF_W+1], word[REF_W] || fills_up, word[REF_W-1:0] + 1'b1};  // saturated, it means nothing
      assign write[b] = i2_used_q[b] && (i2_apply_v_q || taken);
    end
  endgenerate

  // ---- I2: decide ---------------------------------------------------------------------------------------
  reg [AGE_W-1:0] open_first_q, tail_q;
  wire foreign = open_q && (opened_q ? i2_unlike_last_q : i2_unlike_open_q);
  wire [2:0] refusal = (i2_class_q == 2'd3) ? 3'd1 : i2_warp_bad_q ? 3'd2 : foreign ? 3'd3 :
      i2_dslot_bad_q ? 3'd4
                       : i2_sector_bad_q ? 3'd5 : (|waits) ? 3'd6 : 3'd0;
  wire refused_alone = i2_alien_q || foreign;    // codes 1 to 3; 4 to 6: it belongs to the open instruction
  wire wait_any = |waits;
  wire keeps = open_q && i2_end_q;               // what is refused for its banks is kept without them
  wire kept = !refused_alone && (i2_banks_bad_q || wait_any) && keeps;
  assign wave = !foreign && (keeps ? i2_known_q : i2_good_q && !wait_any);
  wire token_refused = !i2_token_good_q || wait_any;
  wire token = i2_token_good_q && !wait_any;
  assign taken = !wait_any && (i2_token_good_q || (i2_good_q && !foreign));
  wire [BANKS-1:0] used = kept ? {BANKS{1'b0}} : i2_used_q;
  wire internal_end = i2_internal_q;
  wire marks = i2_state_q || token || i2_close_q;
  assign refused_o = load_i && err_in_o != 3'd0;
  assign err_in_o = i2_wave_q ? refusal : (i2_token_q && token_refused) ? (i2_dslot_bad_q ||
      ~|i2_used_q ? 3'd4 : 3'd6) : 3'd0;
  assign err_alloc_o = !a2_v_q ? 2'd0 : a2_dslot_bad_q ? 2'd1 : (|a_waits) ? 2'd3 : (|a_held) ? 2'd2 : 2'd0;
  assign alloc_o = a2_v_q && !a2_dslot_bad_q && ~|a_waits && ~|a_held;
  assign {alloc1_bank_o, alloc1_dslot_o} = {a1_bank_q, a1_dslot_q};
  assign alloc_bank_o = a2_bank_q;
  assign alloc_dslot_o = a2_dslot_q;
  assign apply_done_o = i2_apply_v_q;
  assign apply_free_o = apply_done_o && |stuck;
  assign raise_o = i2_used_q & {BANKS{i2_wave_q && taken}};
  assign raise_dslots_o = i2_dslots_q;
  assign raise1_dslots_o = i1_dslots_q;

  assign wave_o = wave;
  // ALLOC 1: places of the pool come from a list of free ones, else they follow each other as ages do.
  generate
    if (ALLOC == 0) begin : g_in_order
      wire unused_left = &{1'b0, left_i, left_entry_i};
      assign wave_entry_o = tail_q;
    end else begin : g_free_list
      wire [$clog2(ENTRIES)-1:0] place;
      wire place_valid;
      wire [$clog2(ENTRIES+1)-1:0] level;
      free_list #(.ENTRIES(ENTRIES)) u_places (
        .clk_i(clk_i), .rst_i(rst_i), .out_valid_o(place_valid), .out_ready_i(wave), .out_entry_o(place),
        .free_valid_i(left_i), .free_entry_i(left_entry_i), .level_o(level));
      wire unused_list = &{1'b0, place_valid, level};  // room is counted at the port
      assign wave_entry_o = {tail_q, place};
    end
  endgenerate
  assign wave_used_o = used;
  assign wave_dslots_o = i2_dslots_q;
  reg [BANKS*SECTORS-1:0] sectors;
  integer e;
  always @* for (e = 0; e < BANKS*SECTORS; e = e + 1) sectors[e] = i2_sectors_q[e] && used[e/SECTORS];
  assign wave_sectors_o = sectors;
  assign wave_class_o = i2_class_q;
  assign wave_warp_o = i2_warp_q;
  assign wave_end_o = i2_end_q || i2_ray_q;
  assign wave_payload_o = i2_pay_q;
  assign state_o = i2_state_q;
  wire state_inside = load_i ? put_opens_i : open_q && open_tex_q;
  assign state_open_o = state_inside ? open_first_q : tail_q;
  assign tail_o = tail_q;
  assign token_o = token;
  assign token_bank_o = i2_bank_q;
  assign token_dslot_o = i2_dslots_q[DSLOT_W-1:0];
  assign fast_o = i2_f_q;
  assign seen_o = {i2_close_q, token, state_o, wave && i2_ray_q, wave && i2_tex_q,
                   wave && i2_class_q == LG};

  // ---- queue and group ----------------------------------------------------------------------------------
  reg [QUEUE_W-1:0] last_q, ray_first_q, ray_last_q, ray_next_q, fill_to_q;
  reg [WARP_W-1:0] fill_warp_q;
  reg fills_q;                               // the table of warps is being filled
  reg [GROUP_W-1:0] group_q, count_q;        // count: wavefronts of the open group
  tracker_table #(.WIDTH(QUEUE_W), .DEPTH(WARPS)) u_map (
    .clk_i(clk_i), .we_i(fills_q), .waddr_i(fill_warp_q), .wdata_i(fill_to_q), .raddr_i(i1_warp_q),
        .rdata_o(map));
  localparam LAST_WARP = WARPS - 1;
  localparam LAST_QUEUE = QUEUES - 1;
  localparam GROUP_RESET_A = (ENTRIES / 2 < DSLOTS / 2) ? ENTRIES / 2 : DSLOTS / 2;
  localparam GROUP_RESET = (GROUP_RESET_A < 32) ? GROUP_RESET_A : 32;
  wire joins = wave && !internal_end;
  wire group_full = count_q == group_q - 1'b1;
  wire group_end = joins && group_full;
  always @(posedge clk_i)
    if (rst_i) begin
      open_q <= 1'b0;
      tail_q <= {AGE_W{1'b0}};
      count_q <= {GROUP_W{1'b0}};
      last_q <= LAST_QUEUE[QUEUE_W-1:0];
      ray_first_q <= {QUEUE_W{1'b0}};
      ray_last_q <= LAST_QUEUE[QUEUE_W-1:0];
      ray_next_q <= {QUEUE_W{1'b0}};
      group_q <= GROUP_RESET[GROUP_W-1:0];
      fills_q <= 1'b1;
      fill_warp_q <= {WARP_W{1'b0}};
      fill_to_q <= {QUEUE_W{1'b0}};
    end else begin
      if (wave) tail_q <= tail_q + 1'b1;
      if (wave && !i2_ray_q) open_q <= !i2_end_q;
      if (marks || (wave && internal_end) || group_end) count_q <= {GROUP_W{1'b0}};
      else if (joins) count_q <= count_q + 1'b1;
      if (change_take_o) begin
        last_q <= new_last_i;
        ray_first_q <= new_ray_first_i;
        ray_last_q <= new_ray_last_i;
        ray_next_q <= new_ray_first_i;
        group_q <= new_group_i;
      end else if (wave && i2_ray_q && !load_i)
        ray_next_q <= (ray_next_q == ray_last_q) ? ray_first_q : ray_next_q + 1'b1;
      if (commit_i) {count_q, ray_next_q, open_q} <= {flags_i[2+WARP_W+:QUEUE_W+GROUP_W], flags_i[0]};
      if (change_take_o) begin
        fills_q <= 1'b1;
        fill_warp_q <= {WARP_W{1'b0}};
        fill_to_q <= {QUEUE_W{1'b0}};
      end else if (fills_q) begin
        fills_q <= fill_warp_q != LAST_WARP[WARP_W-1:0];
        fill_warp_q <= fill_warp_q + 1'b1;
        fill_to_q <= (fill_to_q == last_q) ? {QUEUE_W{1'b0}} : fill_to_q + 1'b1;
      end
    end
  always @(posedge clk_i)
    if (commit_i) {open_warp_q, open_tex_q} <= flags_i[1+:1+WARP_W];
    else if (wave && !open_q) begin
      open_tex_q <= i2_tex_q;
      open_warp_q <= i2_warp_q;
    end
  always @(posedge clk_i)
    if (rst_i) open_first_q <= {AGE_W{1'b1}};
    else if (wave && (load_i ? put_opens_i : !open_q)) open_first_q <= tail_q;
  assign flags_o = {count_q, ray_next_q, open_warp_q, open_tex_q, open_q};
  assign open_first_o = open_first_q;

  // ---- H and J ------------------------------------------------------------------------------------------
  reg h_v_q, h_final_q, h_tex_q, h_end_q, h_group_end_q;
  reg [QUEUE_W-1:0] h_queue_q;
  reg [NAME_W-1:0] h_entry_q;
  wire h_goes = h_v_q && (h_final_q || wave || marks);
  assign held_o = h_v_q || insert_o;
  assign {h_v_o, h_entry_o, h_queue_o, h_group_end_o} = {h_v_q, h_entry_q, h_queue_q, h_group_end_q};
  always @(posedge clk_i) begin
    if (rst_i) begin
      h_v_q <= 1'b0;
      insert_o <= 1'b0;
    end else begin
      h_v_q <= wave || (h_v_q && !h_goes);
      insert_o <= h_goes;
    end
    if (wave) begin
      h_final_q <= load_i ? put_inserted_i : internal_end || group_end;
      h_tex_q <= i2_tex_q;
      h_end_q <= internal_end;
      h_group_end_q <= load_i ? put_group_end_i : group_end;
      h_queue_q <= load_i ? put_queue_i : i2_ray_q ? ray_next_q : i2_map_q;
      h_entry_q <= wave_entry_o;
    end
    insert_queue_o <= h_queue_q;
    insert_entry_o <= h_entry_q;
    insert_tex_o <= h_tex_q;
    insert_end_o <= h_end_q;
    insert_group_end_o <= h_group_end_q || (marks && !h_end_q);
  end

  // ---- room ---------------------------------------------------------------------------------------------
  reg [PTR_W-1:0] pool_q;
  reg [SQ_W-1:0] states_q;
  reg [TQ_W-1:0] tokens_q;
  reg [FQ_W-1:0] fasts_q, guard_q;
  reg offered_q, change_q;
  reg apply_out_q;                           // a token is in the pipeline
  // What is refused or has left makes room a cycle later.
  reg refused_q, reclaim_q, token_gone_q;
  always @(posedge clk_i) begin
    refused_q <= !rst_i && i2_wave_q && !wave;
    reclaim_q <= !rst_i && ((ALLOC == 0) ? reclaim_i : left_i);
    token_gone_q <= !rst_i && ((i2_token_q && token_refused) || apply_done_o);
  end
  wire [PTR_W-1:0] pool_d = pool_q + {{PTR_W-1{1'b0}}, in_fire && kind == 2'd0}
                            - {{PTR_W-1{1'b0}}, refused_q} - {{PTR_W-1{1'b0}}, reclaim_q};
  wire [SQ_W-1:0] states_d = states_q + {{SQ_W-1{1'b0}}, in_fire && kind == 2'd1}
                             - {{SQ_W-1{1'b0}}, state_left_i};
  wire [TQ_W-1:0] tokens_d = tokens_q + {{TQ_W-1{1'b0}}, in_fire && kind == 2'd2} - {{TQ_W-1{1'b0}},
      token_gone_q};
  wire [FQ_W-1:0] fasts_d = fasts_q + {{FQ_W-1{1'b0}}, fast_fire} - {{FQ_W-1{1'b0}}, fast_left_i};
  // Fast packets that the allocation offered waits for: those accepted before it was first offered.
  wire [FQ_W-1:0] guard_d = (offered_q ? guard_q : fasts_q) - {{FQ_W-1{1'b0}}, fast_left_i &&
      (!offered_q || guard_q != 0)};
  wire pipe_empty = !i0_v_q && !i1_v_q && !i2_v_q && !in_fire && !apply_turn_q;
  wire fills = init_i || fills_q || rst_i;
  wire ages_room;
  generate
    if (ALLOC == 0) begin : g_no_ages
      assign ages_room = 1'b1;
      assign ages_full_o = 1'b0;
    end else begin : g_ages
      localparam [AGE_W-1:0] ALL = AGES[AGE_W-1:0];
      reg [AGE_W-1:0] ages_q;
      reg moved_q;
      wire [AGE_W-1:0] ages_d = ages_q + {{AGE_W-1{1'b0}}, in_fire && kind == 2'd0}
                                - {{AGE_W-1{1'b0}}, refused_q} - {{AGE_W-1{1'b0}}, moved_q};
      always @(posedge clk_i) begin
        moved_q <= !rst_i && reclaim_i;
        if (rst_i) ages_q <= {AGE_W{1'b0}};
        else ages_q <= ages_d;
      end
      assign ages_room = ages_d != ALL;
      assign ages_full_o = ages_q == ALL;
    end
  endgenerate
  wire room = pool_d != POOL && ages_room && states_d != STATE_Q[SQ_W-1:0] && tokens_d != FLUSH_Q[TQ_W-1:0];
  wire one_more = !change_q || (pipe_empty && open_q);       // a change waits: packets one by one to the end
  wire apply_next = apply_valid_i && !apply_turn_q && !apply_out_q && !fills;
  // One that will first be offered in the next cycle finds fasts_d of them.
  wire guarded = (alloc_valid_i && !alloc_fire) ? guard_d != 0 : fasts_d != 0;
  wire alloc_next = (FAST_GUARD == 0 || !guarded) && !fills;
  assign change_take_o = commit_i || (change_q && pipe_empty && !open_q && !in_ready_q && !closed_i &&
      !h_v_q &&
      !insert_o &&
                         pool_q == 0 && states_q == 0 && tokens_q == 0 && !fills_q && !init_i);
  assign change_waits_o = change_q;
  always @(posedge clk_i)
    if (rst_i) begin
      pool_q <= {PTR_W{1'b0}};
      states_q <= {SQ_W{1'b0}};
      tokens_q <= {TQ_W{1'b0}};
      fasts_q <= {FQ_W{1'b0}};
      offered_q <= 1'b0;
      guard_q <= {FQ_W{1'b0}};
      apply_turn_q <= 1'b0;
      apply_out_q <= 1'b0;
      change_q <= 1'b0;
      in_ready_q <= 1'b0;
      fast_ready_q <= 1'b0;
      alloc_ready_q <= 1'b0;
    end else begin
      pool_q <= pool_d;
      states_q <= states_d;
      tokens_q <= tokens_d;
      fasts_q <= fasts_d;
      offered_q <= alloc_valid_i && !alloc_fire && !load_i;
      guard_q <= guard_d;
      apply_turn_q <= apply_next;
      apply_out_q <= (apply_out_q || apply_next) && !apply_done_o;
      change_q <= change_i && !change_take_o;
      alloc_ready_q <= alloc_next;
      in_ready_q <= room && one_more && !(change_i && !change_q) && !apply_next && !fills;
      fast_ready_q <= fasts_d != FAST_Q[FQ_W-1:0] && !fills;
    end
  assign busy_o = i0_v_q || i1_v_q || i2_v_q || i0_f_q || i1_f_q || i2_f_q || a0_v_q || a1_v_q || a2_v_q ||
                  insert_o || (h_v_q && h_final_q) || apply_turn_q;
  assign rooms_o = {fasts_q != FAST_Q[FQ_W-1:0], tokens_q != FLUSH_Q[TQ_W-1:0], states_q != STATE_Q[SQ_W-1:0],
                    pool_q != POOL};
  assign pool_full_o = pool_q == POOL;
  assign pool_used_o = pool_q;
endmodule

`default_nettype wire
