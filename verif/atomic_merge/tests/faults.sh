#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 900
# Faults planted in the RTL, in the model, and in both alike, which only the serial-order checker can see. Each is found.
. verif/tests/lib.sh
core=rtl_templates/atomic_merge/atomic_merge_core.v pipe=rtl_templates/atomic_merge/atomic_merge_pipe.v
spool=rtl_templates/atomic_merge/atomic_merge_spool.v
front=cmodel/atomic_merge/front.c engine=cmodel/atomic_merge/engine.c values=cmodel/atomic_merge/values.c
base=(atomic_merge -q -p WITNESS=1 --seed 1 --cycles 150000)
golden='^GOLDEN MODEL: ' any='^(MISMATCH|GOLDEN MODEL|STUCK): '

rtl() {
  try "RTL: a result of two requests before is not forwarded" "[AM-3]" -- found "$any" \
    $pipe 's/s4_from_2 <= s5_writes/s4_from_2 <= 1'"'"'b0 \&\& s5_writes/' -- "${base[@]}"
  try "RTL: the late choice is not waited for" "[AM-3]" -- found "$any" \
    $core 's/ \&\& !(s2_same_pair \&\& last_slow);/;/' -- "${base[@]}"
  try "RTL: opening does not clear the bits" "[AM-5]" -- found "$any" \
    $core "s/t_stands_q\[WORDS\*i +: WORDS\] <= {WORDS{1'b0}};//" -- "${base[@]}"
  try "RTL: a slot that was not needed is not given back" "[AM-14]" -- found "$any" \
    $core "s/if (wait_slot_back) slot_used_q/if (1'b0) slot_used_q/" -- "${base[@]}"
  try "RTL: old lines are kept a row too late" "[AM-10]" -- found "$any" \
    $pipe 's/pass3_old_row <= pass2_old_row/pass3_old_row <= pass_old_row_i/' -- "${base[@]}"
  try "RTL: an entry is given back twice" "[AM-14]" -- found "$any" \
    $spool 's/wire give;/wire give_once;/; s/assign give = s1_valid;/assign give_once = s1_valid; reg gave_q; always @(posedge clk_i) gave_q <= s1_valid;/; s/give}/(give_once || gave_q)}/; s/if (give)/if (give_once)/' -- "${base[@]}"
}
model() {
  try "model: signed is unsigned" "[AM-1]" -- found "$any" \
    $values 's/(int64_t)(int32_t)(uint32_t)value/(int64_t)(uint32_t)value/' -- "${base[@]}"
}
both() {
  try "both: an atomic joins behind a request to its word" "[AM-7]" -- found "$golden" \
    $core 's/|(t_match \& ~t_blocks)/|t_match/' $front 's/t->blocked \& am_words(&v->m->l, v->r) ? wait_for_line(v, miss) : join(v, miss, t)/join(v, miss, t)/' -- "${base[@]}"
  try "both: a strict atomic is answered when it is accumulated" "[AM-2 AM-13]" -- found "$golden" \
    $core "s/wire relaxed = s2_mode == 2'd2;/wire relaxed = s2_mode != 2'd0;/" \
    $front 's/v->r->mode != AM_RELAXED/v->r->mode == AM_RETURN/' -- "${base[@]}"
  try "both: a fence waits for nothing" "[AM-2]" -- found "$golden" \
    $core 's/s2_barrier \&\& !(|m_valid_q) \&\& fast_room/s2_barrier \&\& fast_room/' \
    $front 's/if (s->miss\[i\].valid) return false;/if (s->miss[i].valid \&\& v->r->op == AM_FLUSH) return false;/' \
    -- "${base[@]}" --stimulus random:fences
  try "both: values are rebuilt from the line behind its merge" "[AM-10]" -- found "$golden" \
    $pipe 's/pass3_old <= row_q/pass3_old <= merged/' \
    $engine 's/memcpy(s->old\[t->slot\], line->data, m->l.line_bytes);/&  am_merge(\&m->l, t, s->old[t->slot]);/' -- "${base[@]}"
  try "both: a merge leaves a line clean" "[AM-15]" -- found "$golden" \
    $core 's/if (merges || injected_write) l_dirty_q/if (injected_write) l_dirty_q/' \
    $engine '/am_merge(&m->l, t, line->data);/{n;s/line->dirty = true;//}' -- "${base[@]}"
}

for part in rtl model both; do $part > "$tmp/$part.out" & done
wait
cat "$tmp"/*.out
! grep -q '^not ok' "$tmp"/*.out
