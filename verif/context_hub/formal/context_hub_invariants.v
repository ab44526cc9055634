// SPDX-License-Identifier: Apache-2.0
// context_hub_invariants: what holds of the state inside a context_hub while it moves a context, for one or
// two units whose image fits the ring, without slots; elsewhere nothing is claimed. Together with the
// properties at the ports that follow from it all is inductive: one property, proved at once. Words are
// counted from 0: the unit has moved `moved` of them, memory has taken requests for `asked`; the marked word
// is that of context_hub_blackbox. Inputs with `at` are signals inside the flattened design.
`default_nettype none

module context_hub_invariants #(
  parameter UNIT_COUNT = 4,
  parameter LOCAL_CONTEXTS = 0,
  parameter CTX_STRIDE_LG = 13,
  parameter INFLIGHT = 16,
  parameter MUX_STAGES = 2,
  parameter RING = 16,
  parameter UNIT_W = (UNIT_COUNT > 1) ? $clog2(UNIT_COUNT) : 1,
  parameter TAG_W = $clog2(INFLIGHT),
  parameter COUNT_W = CTX_STRIDE_LG,
  parameter RING_W = $clog2(RING)
) (
  input  wire clk_i,
  input  wire rst_i,
  input  wire hub_done_o,

  // The checker at the ports: the command, its unit, requests, the marked word.
  input  wire bad_saved,                 // at blackbox.bad_saved_o
  input  wire bad_restored,              // at blackbox.bad_restored_o
  input  wire bad_acked,                 // at blackbox.bad_acked_o
  input  wire running,                   // at blackbox.running_q
  input  wire load,                      // at blackbox.load_q
  input  wire [UNIT_W-1:0] unit,         // at blackbox.unit_q
  input  wire [1:0] slot,                // at blackbox.slot_q
  input  wire busy,                      // at blackbox.busy_q
  input  wire ended,                     // at blackbox.ended_q
  input  wire good,                      // at blackbox.unit_good_q
  input  wire [COUNT_W-1:0] moved,       // at blackbox.moved_q
  input  wire [COUNT_W-1:0] asked,       // at blackbox.asked_q
  input  wire [INFLIGHT-1:0] way,        // at blackbox.way_q
  input  wire [COUNT_W-1:0] mark,        // at blackbox.mark_q
  input  wire [TAG_W-1:0] mark_tag,      // at blackbox.mark_tag_q
  input  wire mark_way,                  // at blackbox.mark_way_q
  input  wire mark_known,                // at blackbox.mark_known_q
  input  wire mark_error,                // at blackbox.mark_error_q
  input  wire [31:0] mark_word,          // at blackbox.mark_word_q

  input  wire [2:0] state,               // at core.state_q
  input  wire core_load,                 // at core.load_q
  input  wire local_slot,                // at core.local_q
  input  wire [UNIT_W-1:0] core_unit,    // at core.unit_q
  input  wire [1:0] core_slot,           // at core.slot_q
  input  wire [UNIT_COUNT-1:0] sel,      // at core.sel_q
  input  wire cmd,                       // at core.cmd_q
  input  wire unit_done,                 // at core.unit_done_q
  input  wire [2:0] unit_error,          // at core.unit_error_q
  input  wire last,                      // at core.last_q
  input  wire long,                      // at core.long_q
  input  wire failed,                    // at core.failed_q
  input  wire a_valid,                   // at core.a_valid
  input  wire a_last,                    // at core.a_last
  input  wire [31:0] a_data,             // at core.a_data
  input  wire a_done,                    // at core.a_done
  input  wire [2:0] a_error,             // at core.a_error
  input  wire [COUNT_W-2:0] left,        // at core.left_q if LOCAL_CONTEXTS 0..0
  input  wire req,                       // at core.req_q
  input  wire [TAG_W:0] rq,              // at core.rq_q
  input  wire [INFLIGHT-1:0] core_way,   // at core.busy_q
  input  wire [RING_W:0] rp,             // at core.rp_q
  input  wire [RING_W:0] wp,             // at core.wp_q
  input  wire head,                      // at core.head_q
  input  wire [32:0] ring_word,          // at core.ring_word
  input  wire [RING*33-1:0] ring,        // at core.u_ring.mem[*RING]
  input  wire in,                        // at core.in_q
  input  wire word_last,                 // at core.word_last_q
  input  wire word_error,                // at core.word_error_q
  input  wire cut,                       // at core.cut_q
  input  wire [2:0] index,               // at core.index_q
  input  wire [31:0] word,               // at core.word_q

  output wire bad_whole_o     // saved, restored, acked, or the state inside that they follow from
);
  localparam ON = LOCAL_CONTEXTS == 0 && MUX_STAGES == 1 && (1 << (CTX_STRIDE_LG - 2)) <= RING;
  localparam W = ((COUNT_W > RING_W) ? COUNT_W : RING_W + 1) + 1, REGION = 1 << (CTX_STRIDE_LG - 2);
  localparam [W-1:0] ROUND = 1 << (COUNT_W - 1);
  localparam [2:0] IDLE = 3'd1, LOOK = 3'd2, MOVE = 3'd4;

  wire [W-1:0] moved_wide = {{W-COUNT_W{1'b0}}, moved}, asked_wide = {{W-COUNT_W{1'b0}}, asked};
  wire [W-1:0] wp_wide = {{W-RING_W-1{1'b0}}, wp}, rp_wide = {{W-RING_W-1{1'b0}}, rp};
  wire idle = state == IDLE, moves = state == MOVE;
  wire saves = moves && !core_load, loads = moves && core_load;
  wire [UNIT_COUNT-1:0] here = {{UNIT_COUNT-1{1'b0}}, 1'b1} << core_unit;
  wire over = a_done || unit_done;
  wire quiet = !cmd && !busy && !a_done && !a_valid && !req && !in && way == {INFLIGHT{1'b0}};
  // Hub and checker are at the same command.
  wire wrong_command = (state < IDLE || state > MOVE || running != (!idle || hub_done_o)
                        || (hub_done_o && !idle) ||
    (running && (core_load != load || core_unit != unit || (!idle && core_slot != slot)))
    || (state > LOOK && sel != here) ||
    (moves && (slot != 2'd0 || local_slot || {1'b0, unit} >= UNIT_COUNT)) || mark >= REGION);
  // The unit has yet to take it, is busy, says that it has ended, or has said so.
  wire wrong_phase = moves && ({2'd0, cmd} + {2'd0, busy} + {2'd0, a_done} + {2'd0, unit_done} != 3'd1
                               || (over && !ended));
  // Nothing is under way outside a command.
  wire wrong_none = (way != core_way || (!moves && !quiet)
                     || (!moves && running && !idle && (moved != 0 || asked != 0)) ||
    (!moves && running && !idle && (mark_way || mark_known))
    || (!moves && head && !(idle && cut && core_load)));

  // ---- words of a save
  wire [W-1:0] arrived = moved_wide - {{W-1{1'b0}}, a_valid};
  wire [W-1:0] entered = (arrived > REGION) ? REGION : arrived;
  wire [W-1:0] gone = asked_wide + {{W-1{1'b0}}, req};
  // Save: words that the unit has moved have entered, up to the region.
  wire wrong_enter = saves && ((a_valid && (!busy || moved == 0)) || wp_wide != entered ||
    left != entered[COUNT_W-2:0] - REGION[COUNT_W-2:0] ||
    long != (arrived > REGION) || (cmd && moved != 0));
  // Save: what has left the ring is asked or offered.
  wire wrong_leave = saves && (rp > wp || gone > rp_wide || (!failed && gone != rp_wide) || in || cut);
  // Save: how the last word and the unit's verdict are kept.
  wire wrong_end = saves && (((over || (busy && ended)) && !(a_valid ? a_last : last))
                             || (busy && !ended && a_valid && a_last) ||
    (a_done && (a_error == 3'd0) != good) || (unit_done && (unit_error == 3'd0) != good));

  // ---- requests and words of a restore
  // requests not yet taken
  wire [W-1:0] rest = (left == 0) ? {W{1'b0}} : ROUND - {{W-COUNT_W+1{1'b0}}, left};
  wire [W-1:0] ahead = asked_wide - rp_wide;
  reg stray;                  // an answer is awaited for a request that was not made, or whose word has left
  integer i;
  always @* begin
    stray = 1'b0;
    for (i = 0; i < INFLIGHT; i = i + 1) begin : l_tag
      reg [TAG_W-1:0] place;
      place = i[TAG_W-1:0] - rp[TAG_W-1:0];
      if (way[i] && {{W-TAG_W{1'b0}}, place} >= ahead) stray = 1'b1;
    end
  end
  // Restore: requests by words that have left, tags and what is left.
  wire wrong_ask = loads && (asked > REGION || rp_wide > asked_wide || ahead > INFLIGHT
                             || asked_wide + rest > REGION ||
    (index < 4 && asked_wide + rest != 4) || (req && (rest == 0 || ahead == INFLIGHT))
    || rq != asked_wide[TAG_W:0] || a_valid || stray);
  // Restore: words that have left are the unit's or offered.
  wire wrong_give = loads
                    && (moved_wide + {{W-1{1'b0}}, in} != rp_wide
                        || index != ((rp_wide > 4) ? 3'd4 : rp_wide[2:0]) ||
    (in && (!busy || ended)) || (cmd && (cut || in || rp != 0))
    || (busy && !ended && cut != (in && word_last)) ||
    ((over || (busy && ended)) && !cut));

  // ---- the ring
  wire [RING_W-1:0] at = core_load ? {{RING_W-TAG_W{1'b0}}, rp[TAG_W-1:0]} : rp[RING_W-1:0];
  wire [32:0] at_head = ring[33*at+:33];
  // The word read is that of the ring, and may go.
  wire wrong_ring = moves && head && (core_load ? ahead == 0 || way[rp[TAG_W-1:0]] || ring_word != at_head
                                                           : rp == wp || ring_word[31:0] != at_head[31:0]);

  // ---- the marked word
  wire [W-1:0] number = {{W-COUNT_W{1'b0}}, mark};
  wire [RING_W-1:0] its = core_load ? {{RING_W-TAG_W{1'b0}}, mark[TAG_W-1:0]} : mark[RING_W-1:0];
  wire [32:0] its_word = ring[33*its+:33];
  wire in_ring = rp_wide <= number && (core_load ? mark_known : number < wp_wide);
  // The marked word is where its number says.
  wire wrong_mark = moves
                    && ((in_ring
                         && (its_word[31:0] != mark_word || (core_load && its_word[32] != mark_error))) ||
    (!core_load
     && (mark_known != (moved > mark) || mark_way || (a_valid && arrived == number && a_data != mark_word) ||
                    (req && asked == mark && word != mark_word))) ||
    (core_load && in && moved == mark && (!mark_known || word != mark_word || word_error != mark_error)));
  // Restore: whose answer is awaited.
  wire wrong_way = loads && ((asked > mark) != (mark_way != mark_known) || (mark_way && mark_known) ||
    (mark_way && (!way[mark[TAG_W-1:0]] || rp_wide > number))
    || (mark_known && rp_wide <= number && way[mark[TAG_W-1:0]]) ||
    (asked > mark && mark_tag != mark[TAG_W-1:0]));

  assign bad_whole_o = ON && !rst_i && (bad_saved || bad_restored || bad_acked || wrong_command
                                        || wrong_phase ||
    wrong_none || wrong_enter || wrong_leave || wrong_end || wrong_ask || wrong_give || wrong_ring
    || wrong_mark || wrong_way);
endmodule

`default_nettype wire
