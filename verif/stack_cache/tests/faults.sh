#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Faults planted in the RTL, in the model, and in both alike, which only the golden model and the rules at the
# ports can see. Each is found.
. verif/tests/lib.sh
core=rtl_templates/stack_cache model=cmodel/stack_cache/model.c engine=cmodel/stack_cache/engine.c
small=(stack_cache -q -p THREADS=3 -p ENTRIES=8 -p SET=2 -p ENTRY_W=16 --seed 1 --cycles 60000)
limits=(stack_cache -q -p THREADS=3 -p ENTRIES=8 -p SET=2 -p ENTRY_W=16 -p POLICY=threshold -p STEAL=255 --seed 1 --cycles 60000)
flushed=(stack_cache -q -p STATUS=one_hot -p THREADS=2 -p ENTRIES=2 -p SET=1 -p ENTRY_W=9 -p POLICY=threshold -p FORWARD=0 --seed 5
         --cycles 800000 --stimulus random:status)
low='^GOLDEN MODEL: .* is written below the threshold, outside a burst'
golden='^GOLDEN MODEL: ' mismatch='^(MISMATCH|GOLDEN MODEL|STUCK): '

rtl() {
  try "RTL: a replace in the cycle in which its set is read out stays clean" "[SC-6]" -- found "$mismatch" \
    $core/stack_cache_engine.v 's/(b_init_i || (b_replace_i && !ef_must_q))/b_init_i/' -- "${small[@]}" --stimulus random:boundary
  try "RTL: the answer of a dropped restore is stored" "[SC-11]" -- found "$mismatch" \
    $core/stack_cache_engine.v 's/from_class == nv_x\[CLASS_W-1:0\]/1'"'"'b1/' -- "${small[@]}"
  try "RTL: an operation does not see the one before it" "[SC-3]" -- found "$mismatch" \
    $core/stack_cache_ops.v 's/(b_same_c_q && c_valid_o) ? c_o_o : o_read/o_read/' -- "${small[@]}"
  try "RTL: an access that was answered stays under way" "[SC-10]" -- found "$mismatch" \
    $core/stack_cache_engine.v 's/ & ~answered;/;/' -- "${small[@]}"
  try "RTL: the count of memory errors stops too early" "[SC-12]" -- found "$mismatch" \
    $core/stack_cache_regs.v "s/error_count_q != 16.hffff/error_count_q != 16'h0fff/" -- \
    stack_cache -q -p THREADS=1 -p ENTRIES=2 -p SET=1 -p MAX_DEPTH=2 --stimulus directed:many_errors --cycles 1000000
  try "RTL: at a limit of 0 a push counts as fitting" "[SC-12]" -- found "$mismatch" \
    $core/stack_cache_ops.v "s/ [|][|] limit_i == {COUNT_W{1'b0}}//" -- "${small[@]}" --stimulus directed:limit_0
  try "RTL: the first steal after a reset comes a cycle early" "[SC-9]" -- found "$mismatch" \
    $core/stack_cache_engine.v "/rst_i || halted_i/,/end else/s/lost_q <= {LOST_W{1'b0}}/lost_q <= 1/" -- "${small[@]}" --stimulus directed:steal_after_reset
  try "RTL: a flush looks at a thread that a spill made clean" "[SC-13]" -- found "$mismatch" \
    $core/stack_cache_flush.v "s/ec_spilled_i && ec_clean_i/1'b0/" -- "${flushed[@]}"
  try "RTL: a spill that does not see the push before it makes a thread clean" "[SC-13]" -- found "$mismatch" \
    $core/stack_cache_engine.v 's/wire one = .*;/wire one = ef_one_q;/' -- "${flushed[@]}"
  try "RTL: nor the push beside it" "[SC-13]" -- found "$mismatch" \
    $core/stack_cache_flush.v 's/ec_clean_i && !(ec_same_i && c_writes)/ec_clean_i/' -- "${flushed[@]}"
  try "RTL: a flush looks at a faulted thread" "[SC-13]" -- found "$mismatch" \
    $core/stack_cache_flush.v 's/ec_clears = ec_fault_i ||/ec_clears =/' -- "${flushed[@]}"
}
model() {
  try "model: a push does not drop the restore into its slot" "[SC-11]" -- found "$mismatch" \
    $model 's/s->nr--, s->held = false;/(void)0;/' -- "${small[@]}"
  try "model: memory errors are not counted" "[SC-12]" -- found "$mismatch" \
    $engine '/r->error_count++/d' -- "${small[@]}" --stimulus random:memory_errors
}
both() {
  try "both: a push into a clean set leaves it clean" "[SC-4 SC-6]" -- found "$golden" \
    $core/stack_cache_ops.v 's/clean ? (b_push || b_replace)/clean ? (u_up || b_replace)/' \
    $model 's/^    clean_below(s, set, pos);/    if (pos == 0) clean_below(s, set, pos);/' -- "${small[@]}"
  try "both: an error from before an init marks the thread" "[SC-12]" -- found "$golden" \
    $core/stack_cache_engine.v 's/error && (!drained || taken)/error/' \
    $engine 's/if ((!th->drain || e->taken) && !e->init && !m->u.clearing) m->fault_next/m->fault_next/' -- "${small[@]}" --stimulus random:init_storm
  try "both: an acknowledge is stored over the set that was forwarded" "[SC-10]" -- found "$golden" \
    $core/stack_cache_engine.v 's/nr == 2.d2 && !held &&/nr == 2'"'"'d2 \&\&/; s/both_in || second_in/both_in || (second_in \&\& !ef_held)/' \
    $engine 's/s->nr == 2 && !s->held &&/s->nr == 2 \&\&/' -- "${small[@]}" --stimulus directed:held_and_acknowledged
  try "both: a set is spilled at the threshold, not above it" "[SC-6]" -- found "$low" \
    $core/stack_cache_want.v 's/nd_i > spill_over_i/nd_i >= spill_over_i/' \
    $engine 's/nd > m->r.spill_over/nd >= m->r.spill_over/' -- "${limits[@]}"
  try "both: a burst is one set longer" "[SC-6]" -- found "$low" \
    $core/stack_cache_engine.v 's/(ef_w_q\[E_W-1\] ? burst : spill_burst_i) - ONE/ef_w_q[E_W-1] ? burst - ONE : spill_burst_i/' \
    $engine 's/th->burst ? th->burst : r->spill_burst) - 1/th->burst ? th->burst - 1 : r->spill_burst)/' -- "${limits[@]}"
  try "both: the engine never takes a cycle" "[SC-9]" -- found "$golden" \
    $core/stack_cache_engine.v 's/steal_o <= lost && .*/steal_o <= 1'"'"'b0;/' \
    $engine 's/if (e->lost && !r->steal && /if (0 \&\& /' -- "${small[@]}" --stimulus directed:steal
}

for part in rtl model both; do $part > "$tmp/$part.out" & done
wait
cat "$tmp"/*.out
! grep -q '^not ok' "$tmp"/*.out
