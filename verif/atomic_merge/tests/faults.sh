#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 8
# timeout: 1500
# Faults planted in the RTL, in the model, and in both alike, which only the serial-order checker can see. Each is found.
PLANTED_SECONDS=300 # five at a time, of which the first compile what all share
. verif/tests/lib.sh
rtl=rtl_templates/atomic_merge
core=$rtl/atomic_merge_core.v body=$rtl/atomic_merge_body.v pipe=$rtl/atomic_merge_pipe.v spool=$rtl/atomic_merge_spool.v fifo=$rtl/atomic_merge_queue.v
decides=$rtl/atomic_merge_front.v temps=$rtl/atomic_merge_temps.v lines=$rtl/atomic_merge_lines.v
front=cmodel/atomic_merge/front.c engine=cmodel/atomic_merge/engine.c values=cmodel/atomic_merge/values.c layout=cmodel/atomic_merge/layout.h
base=(atomic_merge -q -p WITNESS=1 -p LINE_BYTES=32 -p LINES=16 -p MERGE_LANES=4 -p STALL_BUF=32 --seed 1 --cycles 150000)
keep=("${base[@]}" -p ATOMIC_FADD=keep_extra -p ATOMIC_ADD=keep_wait -p ATOMIC_SWAP=keep_extra)
halts=("${base[@]}" -p STATUS=one_hot -p HALT_MODE=hold --stimulus random:halts)
drains=("${base[@]}" -p STATUS=one_hot --stimulus random:halts)
status=$rtl/atomic_merge_status.v unit=cmodel/atomic_merge/status.c
golden='^GOLDEN MODEL: ' any='^(MISMATCH|GOLDEN MODEL|STUCK): '

rtl() {
  try "RTL: a result of two requests before is not forwarded" "[AM-3]" -- found "$any" \
    $pipe 's/^        s5_writes \&\& s5_place == s3_place/        1'"'"'b0 \&\& s5_writes \&\& s5_place == s3_place/' -- "${base[@]}"
  try "RTL: the late choice is not waited for" "[AM-3]" -- found "$any" \
    $fifo "s/gap_q \&\& behind_i/gap_q \&\& 1'b0/" -- "${base[@]}"
  try "RTL: a saturating add wraps around" "[AM-1]" -- found "$any" \
    $rtl/atomic_merge_alu.v "s/ ? full & not_less : / ? 2'd0 : /" -- "${base[@]}" -p ATOMIC_SAT=wait
  try "RTL: one that takes several cycles is not waited for" "[AM-3]" -- found "$any" \
    $fifo "s/assign apart = apart_q && |left_q;/assign apart = 1'b0 \& apart_q \& |left_q;/" -- "${base[@]}" -p ATOMIC_WRAP=extra
  try "RTL: upper words of a line of products are merged before the lower ones are there" "[AM-8]" -- found "$any" \
    $rtl/atomic_merge_engine.v 's/localparam CLOSE = .*/localparam CLOSE = 0;/' -- atomic_merge -q -p WITNESS=1 --seed 1 --cycles 150000 -p ATOMIC_MUL=extra -p LINE_BYTES=16 -p MERGE_LANES=4
  try "RTL: a count of decrements goes down" "[AM-5]" -- found "$any" \
    $pipe 's/s4_unit\[0\] \&\& (|s4_unit\[2:1\] || !s4_temp)/s4_unit[0]/' \
    -- "${base[@]}" --stimulus random:hot_counter -p ATOMIC_WRAP=extra
  try "RTL: merged counts are written to the row behind" "[AM-8]" -- found "$any" \
    $pipe 's/assign writes_row = pass4_modulo ? pass4_row : pass3_row/assign writes_row = pass3_row/' \
    -- "${base[@]}" --stimulus random:hot_counter -p ATOMIC_WRAP=extra
  try "RTL: a count of 64 bits has no carry" "[AM-1]" -- found "$any" \
    $rtl/atomic_merge_modulo.v 's/wide_q ? plain_low\[32\] : down_q/wide_q \&\& down_q/' -- "${base[@]}" -p ATOMIC_WRAP=extra
  try "RTL: a release has its bytes in the other order" "[AM-4]" -- found "$any" \
    $core 's/rel_data\[8\*FROM +: 8\]/rel_data[8*g +: 8]/' -- "${base[@]}" -p BIG_ENDIAN=1
  try "RTL: keep: the entry right behind finds the old line" "[AM-10]" -- found "$any" \
    $spool "s/(s3_leaves \&\& s3_pair == s2_pair) ? result/(1'b0 \&\& s3_leaves \&\& s3_pair == s2_pair) ? result/" -- "${keep[@]}"
  try "RTL: keep: a list finds what the one before it left" "[AM-10]" -- found "$any" \
    $spool 's/if (s2_valid \&\& s2_first) left_q <= .*/if (rst_i) left_q <= 0;/' -- "${keep[@]}"
  try "RTL: keep: one of the unit is not waited for" "[AM-10]" -- found "$any" \
    $spool "s/assign late = hold_q != 4'd0;/assign late = hold_q == 4'd1;/" -- "${keep[@]}"
  try "RTL: keep: relaxed atomics are answered again" "[AM-2 AM-10]" -- found "$any" \
    $spool "s/s1_keep \&\& read_mode_o == 2'd2/s1_keep \&\& 1'b0/" -- "${keep[@]}"
  try "RTL: what the request in front blocked is not told" "[AM-7]" -- found "$any" \
    $decides 's/s2_blocks & {MAX_TEMPS{f4_over1}}/s2_blocks \& {MAX_TEMPS{1'"'"'b0}}/' -- "${base[@]}"
  try "RTL: opening does not clear the bits" "[AM-5]" -- found "$any" \
    $temps 's/(stands_before & {WORDS{!opens}})/stands_before/' -- "${base[@]}"
  try "RTL: where the request in front stands is not told" "[AM-5 AM-7]" -- found "$any" \
    $decides "s/wire near1 = s2_over1/wire near1 = 1'b0 \&\& s2_over1/" -- "${base[@]}"
  try "RTL: a slot is not given back" "[AM-14]" -- found "$any" \
    $body "s/if (slot_given) slot_used_q/if (1'b0) slot_used_q/" -- "${base[@]}"
  try "RTL: old lines are kept a row too late" "[AM-10]" -- found "$any" \
    $pipe 's/pass3_old_row <= pass2_old_row/pass3_old_row <= pass_old_row_i/' -- "${base[@]}"
  try "RTL: an entry is counted twice when it comes back" "[AM-14]" -- found "$any" \
    $spool 's/}}, give_q} -/}}, give_q || give} -/' -- "${base[@]}"
  try "RTL: an event of the cycle in which its count is moved is lost" "[AM-18]" -- found "$any" \
    $rtl/atomic_merge_counters.v "s/7'd0 : gathered_q\[i\]) + {6'd0, event_q\[i\]}/7'd0 : gathered_q[i] + {6'd0, event_q[i]})/" -- "${base[@]}" -p COUNTERS=1
  try "RTL: a refusal ends the request that has the thread id" "[AM-16]" -- found "$any" \
    $core "s/ans_status_o != 2'd3/(1'b1 | ans_status_o != 2'd3)/" -- "${base[@]}" -p TID_CHECK=1 -p TID_W=4
  try "RTL: a refused flush has those behind looked up anew" "[AM-3]" -- found "$any" \
    $decides 's/f4_barrier \&\& !f4_bad \&\& f4_op/f4_barrier \&\& f4_op/' -- "${base[@]}" --stimulus directed:refusals
}
unit() {
  try "RTL: halted while answers are being rebuilt" "[AM-17 US-4]" -- found "$any" \
    $body 's/engine_quiet \&\& !s2_valid \&\& !spool_busy/engine_quiet \&\& !s2_valid \&\& (1'"'"'b1 || !spool_busy)/' -- "${halts[@]}"
  try "RTL: a fill of a fetch from before a reset of the unit is taken" "[AM-17 US-7]" -- found "$any" \
    $status "s/assign drops_o = dropping;/assign drops_o = 1'b0;/" -- "${halts[@]}"
  try "RTL: what is in the front stays there through a halt" "[AM-17]" -- found "$any" \
    $body 's/.leaves_i(leaves || shut_i)/.leaves_i(leaves)/' -- "${halts[@]}"
  try "RTL: the engine goes on in the cycle of the release" "[AM-17 US-4]" -- found "$any" \
    $status 's/assign stops_o = clear_o || (drained \&\& (halted || /assign stops_o = clear_o || (drained \&\& (/' -- "${halts[@]}"
  try "RTL: a reset of the unit leaves the lines" "[AM-17 US-7]" -- found "$any" \
    $body '/atomic_merge_lines/,/.hit_o/s/.rst_i(reset)/.rst_i(rst_i)/' -- "${halts[@]}"
  try "RTL: lines are counted as present behind a reset of the unit" "[AM-17 AM-18]" -- found "$any" \
    $rtl/atomic_merge_counters.v 's/if (rst_i || clear_i) begin/if (rst_i) begin/' -- "${halts[@]}" -p COUNTERS=1
  try "both: halted while another cache has a fetch open" "[AM-17 US-5]" -- found "$golden" \
    $status 's/served_q <= served_idle_i \&\& halt/served_q <= halt/' $unit 's/u->served = in\[m->served_at\] \&\& halt/u->served = halt/' -- "${halts[@]}"
  try "both: a fetch goes out under a halt request" "[AM-17 US-5]" -- found "$golden" \
    $core 's/sends = !shut;/sends = !still;/' \
    cmodel/atomic_merge/model.c 's/s->n_fetch \&\& !am_shut(m)/s->n_fetch \&\& !am_still(m)/; s/s->n_fetch \&\& !now->shut/s->n_fetch \&\& !now->still/' \
    $unit 's/s->n_fetch \&\& !am_shut(m)/s->n_fetch \&\& !am_still(m)/' -- "${halts[@]}"
  try "both: a fetch that a halt withdraws is not asked again" "[AM-17 US-14]" -- found "$golden" \
    $core '/fifo_regs .*fetches/,/.in_valid_i/s/.rst_i(reset)/.rst_i(reset || still)/' \
    cmodel/atomic_merge/model.c 's/^  if (s->rel_busy \&\& !now->still/  if (now->still) s->n_fetch = 0;\n&/' -- "${halts[@]}"
  try "both: an answer is offered while halted" "[AM-17 US-14]" -- found "$golden" \
    $core 's/assign ans_valid_o = ans_valid_q \&\& !still;/assign ans_valid_o = ans_valid_q;/' \
    cmodel/atomic_merge/model.c 's/s->ans_valid \&\& !am_still(m)/s->ans_valid/' -- "${halts[@]}"
  try "both: a halt waits for the end of an arrival" "[AM-17 US-4]" -- found "$golden" \
    $rtl/atomic_merge_engine.v 's/EVENT: state_d = stops_i ? EVENT : /EVENT: state_d = /; s/wire stopped = stops_i \&\& (state_q == EVENT || /wire stopped = stops_i \&\& (/' \
    $engine '/^static void next_event/,/^}/s/if (now->stops) return;//' $unit 's/s->engine == AM_EVENT || //' \
    -- atomic_merge -q -p WITNESS=1 -p STATUS=one_hot -p HALT_MODE=hold -p STALL_BUF=16 -p MISSES=2 -p LINE_BYTES=64 -p MERGE_LANES=2 \
    --stimulus random:halts --seed 1 --cycles 300000
  try "both: a failed fetch is not reported" "[AM-17 US-3]" -- found "$golden" \
    $status "s/assign st_nack = beat/assign st_nack = 1'b0 \&\& beat/" $unit 's/\*nack = beat/*nack = false \&\& beat/' -- "${halts[@]}"
}
drain() {
  try "RTL: turns go on through a halt that drains" "[AM-17]" -- found "$any" \
    $rtl/atomic_merge_engine.v 's/if (settles_i) turn_o/if (settles_i \&\& 1'"'"'b0) turn_o/' \
    -- atomic_merge -q -p WITNESS=1 -p STATUS=one_hot -p LINES=4 -p WAYS=2 --seed 3 --cycles 300000
  try "both: each line that a halt releases takes a cycle more" "[AM-17 US-4]" -- found "not halted within HALT_OWN" \
    $rtl/atomic_merge_engine.v 's/copies \&\& count_q == LAST_BEAT\[COUNT_W-1:0\];/copies \&\& count_q == (walking_q ? BEATS[COUNT_W-1:0] : LAST_BEAT[COUNT_W-1:0]);/; s/if (copies) rel_mem\[count/if (copies \&\& count_q < BEATS) rel_mem[count/' \
    $engine 's/if (++s->count < m->l.beats) break;/if (++s->count < m->l.beats + s->walking) break;/' \
    -- atomic_merge -q -p WITNESS=1 -p STATUS=one_hot --stimulus directed:drain_flushes --seed 1
  try "both: lines stay through a halt that drains" "[AM-17]" -- found "$golden" \
    $status 's/assign settles_o = runs \&\& flushed_q/assign settles_o = runs \&\& empty/' \
    $unit 's/settles = runs \&\& u->flushed/settles = runs \&\& !works(m) \&\& !held/' -- "${drains[@]}"
  try "both: a context leaves out the sticky bit" "[AM-17 US-3]" -- found "$golden" \
    $status "s/{14'd0, nack_o, /{14'd0, 1'b0, /" $unit 's/(uint32_t)shell(m)->fsm.nack << AM_NACK_BIT/0u/' -- "${drains[@]}"
  try "both: a context that no save gives is taken" "[AM-17 US-9]" -- found "$golden" \
    $status "s/assign wrong = ld_valid/assign wrong = 1'b0 \&\& ld_valid/" $unit 's/now.says.wrong = /now.says.wrong = false \&\& /' -- "${drains[@]}"
  try "both: what came in before a reset is there behind it" "[AM-17 US-7 US-9]" -- found "$golden" \
    $status "s/if (clear_o) coming_q/if (1'b0) coming_q/; s/if (clear_o) coming_line_q/if (1'b0) coming_line_q/" \
    $unit '/^  u->coming.\(nack\|line\) = /d' -- "${drains[@]}"
}
model() {
  try "model: signed is unsigned" "[AM-1]" -- found "$any" \
    $values 's/(int64_t)(int32_t)(uint32_t)value/(int64_t)(uint32_t)value/' -- "${base[@]}"
}
both() {
  try "both: an atomic joins behind a request to its word" "[AM-7]" -- found "$golden" \
    $decides 's/joinable = match_i \& .*/joinable = match_i \&/; s/~(s3_blocks \& {MAX_TEMPS{f4_over2}})/{MAX_TEMPS{1'"'"'b1}}/' $front 's/t->blocked \& am_words(&v->m->l, v->r) ? wait_for_line(v, miss, AM_N_WAITED_TURN) : join(v, miss, t)/join(v, miss, t)/' -- "${base[@]}"
  try "both: a saturating add of 64 bits wraps around" "[AM-1]" -- found "$golden" \
    $rtl/atomic_merge_alu.v 's/full & not_less/full \& not_less \& {2{!wide}}/' \
    $values 's/  case AM_SAT: return truncate(~y, r->size) < x/  case AM_SAT: return r->size < 3 \&\& truncate(~y, r->size) < x/' \
    -- "${base[@]}" -p ATOMIC_SAT=wait
  try "both: a strict atomic is answered when it is accumulated" "[AM-2 AM-13]" -- found "$golden" \
    $decides "s/wire relaxed = f4_mode == 2'd2;/wire relaxed = f4_mode != 2'd0;/" \
    $front 's/return v->r->mode == AM_RELAXED;/return v->r->mode != AM_RETURN;/' -- "${base[@]}"
  try "both: a decrement above the limit counts from it" "[AM-1]" -- found "$golden" \
    $rtl/atomic_merge_modulo.v "s/top = down_q ? 64'd0 : last_q;/top = last_q;/" \
    $values 's/if (x > last) x = 0;/if (x > last) x = last;/' -- "${base[@]}" -p ATOMIC_WRAP=extra
  try "both: a merged count of decrements goes up" "[AM-1 AM-8]" -- found "$golden" \
    $body "s/.pass_down_i(pass_unit\[0\])/.pass_down_i(1'b0)/" \
    $values 's/struct am_request r = {.op = t->op,/struct am_request r = {.op = t->op == AM_DEC ? AM_INC : t->op,/' -- "${base[@]}" -p ATOMIC_WRAP=extra
  try "both: big endian is little endian" "[AM-4]" -- found "$golden" \
    $core "s/(BIG_ENDIAN != 0) ? 3'd7 << req_size_i : 3'd0/3'd0 \& {3{req_size_i[0]}}/; s/(BIG_ENDIAN != 0) ? g ^ 7 : g/g/" \
    $values 's/return l->big_endian ? n - 1 - i : i/return l->big_endian \&\& n > 8 ? n : i/' -- "${base[@]}" -p BIG_ENDIAN=1
  try "both: keep: relaxed atomics are not parked" "[AM-10]" -- found "$golden" \
    $decides 's/wire parks = !relaxed || f4_keep;/wire parks = !relaxed;/' \
    $front 's/return !relaxed(v) || am_keeps(&v->m->l, v->r->op);/return !relaxed(v);/' -- "${keep[@]}"
  try "both: keep: floats return what batches come to" "[AM-10]" -- found "$golden" \
    $core 's/ATOMIC_FADD > 2,$/1'"'"'b0,/' \
    $layout 's/return l->policy\[op\] >= AM_KEEP_WAIT;/return op != AM_FADD \&\& l->policy[op] >= AM_KEEP_WAIT;/' \
    verif/atomic_merge/env.c 's/am_keeps(&e->l, op) << op/(e->l.policy[op] >= AM_KEEP_WAIT) << op/' -- "${keep[@]}" --stimulus random:hot_counter
  try "both: an addend of K is taken" "[AM-16]" -- found "$golden" \
    $decides 's/f0_op == 5.d17 \&\& too_large/1'"'"'b0 \& too_large/' \
    $values 's/if (r->op == AM_MOD .*/if (0) return true;/' -- "${base[@]}" -p ATOMIC_MOD=extra
  try "both: a float NaN is another one" "[AM-1]" -- found "$golden" \
    $rtl/atomic_merge_float.v "s/32'h7fc0_0000/32'h7fc0_0001/; s/: 64'h7fc0_0000;/: 64'h7fc0_0001;/" \
    cmodel/atomic_merge/floats.c 's/0x7fc00000/0x7fc00001/' -- "${base[@]}" -p ATOMIC_FADD=extra -p ATOMIC_FMIN=extra
  try "RTL: float adds are accumulated though they must not be" "[AM-7]" -- found "$any" \
    $decides 's/FLOAT_MERGE != 0 ||/1'"'"'b1 ||/' -- "${base[@]}" -p ATOMIC_FADD=extra -p FLOAT_MERGE=0
  try "both: a fence waits for nothing" "[AM-2]" -- found "$golden" \
    $decides 's/barrier_done = none_missing_i/barrier_done = (none_missing_i || !f4_op[0])/' \
    $front 's/if (s->miss\[i\].valid) return lacks/if (s->miss[i].valid \&\& v->r->op == AM_FLUSH) return lacks/' \
    -- "${base[@]}" --stimulus random:fences
  try "both: values are rebuilt from the line behind its merge" "[AM-10]" -- found "$golden" \
    $pipe 's/pass3_old <= row_q/pass3_old <= merged/' \
    $engine 's/memcpy(s->old\[t->slot\], line->data, m->l.line_bytes);/&  am_merge(\&m->l, t, s->old[t->slot]);/' -- "${base[@]}"
  try "both: atomics that wait are counted as accumulated" "[AM-18]" -- found "$golden" \
    $body "s/.joins_i(s2_joins), .extra_i/.joins_i(s2_joins || s2_waits), .extra_i/" \
    $front 's/  am_count_later(v->m, why);/&  am_count_later(v->m, AM_N_ACCUMULATED);/' -- "${base[@]}" -p COUNTERS=1
  try "both: a request that is turned back counts as one that went" "[AM-18]" -- found "$golden" \
    $body "s/.goes_i(s2_valid \&\& !s2_injected)/.goes_i((s2_valid \&\& !s2_injected) || turned)/" \
    $front 's/  v->m->s.c.turned = what;/&  am_count_later(v->m, (enum am_counter)v->r->op);/' -- "${base[@]}" -p COUNTERS=1
  try "both: a thread id in use is not refused" "[AM-16]" -- found "$golden" \
    $rtl/atomic_merge_tids.v "s/assign live_o = begun/assign live_o = 1'b0 \& begun/" \
    cmodel/atomic_merge/model.c 's/live \&\& m->l.tid_check/false/' -- "${base[@]}" -p TID_CHECK=1 -p TID_W=4
  try "both: a merge leaves a line clean" "[AM-15]" -- found "$golden" \
    $lines "s/if (merges_i) dirty_q/if (1'b0) dirty_q/" \
    $engine '/am_merge(&m->l, t, line->data);/{n;s/line->dirty = true;//}' -- "${base[@]}"
}

for part in rtl unit drain model both; do $part > "$tmp/$part.out" & done
wait
cat "$tmp"/*.out
! grep -q '^not ok' "$tmp"/*.out
