#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 6
# timeout: 600
# Faults planted in the RTL, in the model, and in both alike, which only the golden model can see. Each is found.
. verif/tests/lib.sh
rtl=rtl_templates/tracker model=cmodel/tracker env=verif/tracker
base=(tracker -q -p QUEUES=3 -p ENTRIES=16 -p BANKS=2 -p DSLOTS=16 -p WARPS=5 -p PAYLOAD_W=40 -p COMMIT_FIFO=2 -p REF_W=3 --seed 1)
small=("${base[@]}" --cycles 100000)
unit=("${base[@]:0:${#base[@]}-2}" -p STATUS=one_hot --stimulus random:halts --cycles 300000) # no seed
tiny=(tracker -q -p QUEUES=2 -p ENTRIES=4 -p BANKS=1 -p DSLOTS=2 -p SECTORS=1 -p WARPS=1 -p PAYLOAD_W=12 -p COMMIT_FIFO=2 -p STATE_Q=1
      -p FAST_Q=1 -p FLUSH_Q=1 -p REF_W=2)
eight=(tracker -q -p QUEUES=8 -p ENTRIES=32 -p BANKS=2 -p DSLOTS=16 -p WARPS=8 -p PAYLOAD_W=32 -p STATUS=one_hot)
blind='s/if (tail >= \*at) return .*//; s/if (k > tail .*) return .*/{ }/' # what is saved is not judged by order
breaks=("${tiny[@]}" -p STATUS=one_hot --stimulus random:breaks --cycles 300000)
golden='^GOLDEN MODEL: ' mismatch='^(MISMATCH|GOLDEN MODEL|STUCK): '

in_rtl() {
  try "RTL: a link of the cycle of the read is not forwarded" "[TR-4]" -- found "$mismatch" \
    $rtl/tracker_check.v "s/linked_q <= insert_i/linked_q <= 1'b0/" -- "${small[@]}"
  try "RTL: a link goes into an entry that has another owner" "[TR-4]" -- found "$mismatch" \
    $rtl/tracker_core.v "s/insert_link = !empty\[insert_queue\]/insert_link = 1'b1/" -- "${small[@]}"
  try "RTL: a run goes on into another queue" "[TR-6]" -- found "$mismatch" \
    $rtl/tracker_check.v "s/assign c3_bad_d = .*/assign c3_bad_d = 1'b0;/" -- "${small[@]}"
  try "RTL: a fill that meets the check is missed" "[TR-7]" -- found "$mismatch" \
    $rtl/tracker_sectors.v 's/: valid) | f1_here;/: valid);/' -- "${base[@]}" --stimulus random:window --cycles 300000
  try "RTL: the walker passes a state packet" "[TR-11]" -- found "$mismatch" \
    $rtl/tracker_leave.v "s/assign stands = .*/assign stands = token_due;/" -- "${small[@]}"
  try "RTL: the oldest entry is kept while the head moves on" "[TR-9]" -- found "$mismatch" \
    $rtl/tracker_leave.v "s/if (rst_i || moves) oldest_valid_o/if (rst_i) oldest_valid_o/" \
    -- tracker -q -p QUEUES=17 -p ENTRIES=32 -p BANKS=2 -p DSLOTS=12 -p SECTORS=1 -p WARPS=33 --seed 1 --cycles 400000
  try "RTL: a fill does not see an allocation of two cycles ago" "[TR-0 TR-7]" -- found "$mismatch" \
    $rtl/tracker_sectors.v "s/wire f1_phase = .*/wire f1_phase = allocated; wire unused_forward = \&{1'b0, v_here_q, v_phase_q};/" \
    -- "${base[@]}" --stimulus random:errors --cycles 300000
  try "RTL: an allocation keeps the phase of the word" "[TR-0 TR-7]" -- found "$mismatch" \
    $rtl/tracker_sectors.v "s/w_phase_q <= !filled;/w_phase_q <= filled;/" -- "${small[@]}"
  try "RTL: a fill keeps the sectors from before the allocation" "[TR-0 TR-7]" -- found "$mismatch" \
    $rtl/tracker_sectors.v "s/wire stale = .*/wire stale = 1'b0;/" -- "${small[@]}"
  try "RTL: a queue's own comparison does not see fast packets" "[TR-12]" -- found "$mismatch" \
    $rtl/tracker_commit.v "s/wire fast_waits = .*/wire fast_waits = 1'b0;/" \
    -- "${base[@]}" -p INTERLOCK=per_queue --stimulus random:interlock --cycles 100000
  try "RTL: what was tested before a packet left is parked after the release" "[TR-12]" -- found "$mismatch" \
    $rtl/tracker_commit.v "s/rst_i || release_q || released_q/rst_i || release_q/" -- "${base[@]}" --stimulus random:interlock --cycles 100000
  try "RTL: with a commit on each path the texture path's head of a queue is not read" "[TR-9]" -- found "$mismatch" \
    $rtl/tracker_commit.v "s/from_tex_q\[r\] <= leaves_1\[r\];/from_tex_q[r] <= 1'b0;/" -- "${small[@]}" -p COMMITS=2
  try "RTL: of two pops of one cycle the second one's end of instruction is lost" "[TR-8]" -- found "$mismatch" \
    $rtl/tracker_commit.v "s/if (enters\[r\] \&\& pop_end_i\[r%POPS\]) has_end/if (enters[r] \&\& pop_end_i[0]) has_end/" -- "${small[@]}" -p POPS=2
  try "RTL: another place comes back to the free list" "[TR-5]" -- found "$mismatch" \
    $rtl/tracker_input.v "s/.free_entry_i(left_entry_i)/.free_entry_i(left_entry_i ^ 1'b1)/" -- "${small[@]}" -p ALLOC=free_list
  try "RTL: a drain along links goes on before its link is read" "[TR-5 TR-9]" -- found "$mismatch" \
    $rtl/tracker_commit.v "s/wire may_run = RUNS != 0 || !d_same\[p\];/wire may_run = 1'b1;/" -- "${small[@]}" -p ALLOC=free_list
  try "RTL: the tail of a fast packet that has left stays" "[TR-12]" -- found "$mismatch" \
    $rtl/tracker_commit.v "s/ \&\& untold_q == 2'd0)/)/" -- "${small[@]}"
  halts=("${base[@]}" -p STATUS=one_hot --stimulus random:halts --cycles 100000)
  try "RTL: halted while the data read's way back is not empty" "[TR-16]" -- found "$mismatch" \
    $rtl/tracker_leave.v "s/assign moves_o = |some || l0_v_q/assign moves_o = l0_v_q/" -- "${halts[@]}"
  try "RTL: a fill due from before a reset of the unit is taken" "[TR-16 US-7]" -- found "$mismatch" \
    $rtl/tracker_core.v "s/init_q || fills_q), .nack/init_q), .nack/" -- "${unit[@]}" --seed 3
  try "RTL: a saturated count comes back as one that is not" "[TR-16]" -- found "$mismatch" \
    $rtl/tracker_input.v "s/{1'b0, init_stuck_i\[b\], {REF_W{1'b0}}}/{WORD_W{1'b0}}/" -- "${unit[@]}" --seed 1
  try "RTL: what stands in a commit FIFO is saved as what waits" "[TR-16]" -- found "$mismatch" \
    $rtl/tracker_context.v "s/{is_there_q, place_q} <= {is_there, place};/{is_there_q, place_q} <= {1'b0, place};/" -- "${halts[@]}"
  try "RTL: a wavefront of a commit FIFO comes into its queue, too" "[TR-16]" -- found "$mismatch" \
    $rtl/tracker_core.v "s/insert \&\& !fifo_in/insert/" -- "${halts[@]}"
  try "RTL: a run of checks goes on into an entry of a commit FIFO" "[TR-6 TR-16]" -- found "$mismatch" \
    $rtl/tracker_core.v "s/insert \&\& fifo_in)/1'b0 \&\& fifo_in)/" -- "${eight[@]}" --stimulus random:halts --seed 4 --cycles 100000
  try "RTL: a load that is refused writes the registers" "[TR-16 US-9]" -- found "$mismatch" \
    $rtl/tracker_core.v "s/.clear_i(clear), .commit_i(commit)/.clear_i(clear), .commit_i(commit || unused_abort)/" -- "${halts[@]}"
  try "RTL: behind a reset in mid save a FIFO begins where it stood" "[TR-16 US-7]" -- found "$mismatch" \
    $rtl/tracker_fifo.v "s/if (rst_i) oldest_q/if (1'b0) oldest_q/" -- "${breaks[@]}" --seed 1
  try "RTL: a reset in mid save leaves the data slots as they are" "[TR-16 US-7]" -- found "$mismatch" \
    $rtl/tracker_core.v "s/walk_dslot = (STATUS == 0 || init_q)/walk_dslot = (STATUS == 0 || (init_q \&\& !save))/" \
    -- "${breaks[@]/DSLOTS=2/DSLOTS=64}" --seed 2
}
in_model() {
  try "model: the group counts one more" "[TR-10]" -- found "$mismatch" \
    $model/input.c 's/r->count + 1 == r->group/r->count == r->group/' -- "${small[@]}"
  try "model: a report comes although the data slot is named again" "[TR-13]" -- found "$mismatch" \
    $model/decide.c 's/if (!raised \&\& !m->slot/if (!m->slot/' -- "${base[@]}" --stimulus random:counts --cycles 300000
}
in_both() {
  try "both: halted while fills are outstanding" "[TR-16 US-4]" -- found "$golden" \
    $rtl/tracker_core.v "s/.can_halt_i(quiet_q \&\& !fills_q)/.can_halt_i(quiet_q)/" \
    $model/status.c 's/m->r.quiet \&\& !m->r.fills/m->r.quiet/' -- "${base[@]}" -p STATUS=one_hot --stimulus random:halts --cycles 100000
  try "both: state packets that are due are not in the context" "[TR-16 TR-11]" -- found "$golden" \
    $rtl/tracker_context.v "s/wire due_here = .*/wire due_here = 1'b0;/; s/!from_state\[AGE_W-1\]/from_state == 0/" \
    $model/context.c 's/if (x->looked\[2\] < r->due) return TRK_A_STATE;//; s/shown_state(m)->tail <= x->age/shown_state(m)->tail == x->age/' \
    -- "${unit[@]}" --seed 3
  # Behind the load the packets wait for these, too: the golden model sees it in the order of the items, and, where that is not
  # looked at, in when the packets leave.
  younger=($rtl/tracker_context.v "s/!from_state\[AGE_W-1\])/!from_state[AGE_W-1] \&\& !is_there)/; s/!from_token\[AGE_W-1\])/!from_token[AGE_W-1] \&\& !is_there)/"
           $model/context.c 's/\(shown_state\|shown_token\)(m)->tail <= x->age/& \&\& fifo_of(m, x->age, \&(unsigned){0}) == 2/')
  for alloc in in_order free_list; do
    try "both: a packet is saved behind a younger wavefront of a commit FIFO, $alloc" "[TR-11 TR-13 TR-16]" -- \
      found "^GOLDEN MODEL: .*a packet behind a wavefront that is younger" "${younger[@]}" -- "${eight[@]}" -p ALLOC=$alloc --stimulus directed:switch_younger_tex --seed 1
    try "both: behind a load a state packet waits for a younger wavefront, $alloc" "[TR-11 TR-16]" -- \
      found "^GOLDEN MODEL: .*a state packet is not offered although nothing older" "${younger[@]}" $env/context.c "$blind" -- \
      "${eight[@]}" -p ALLOC=$alloc --stimulus directed:switch_younger_lg --seed 1
    try "both: behind a load a flush token waits for a younger wavefront, $alloc" "[TR-13 TR-16]" -- \
      found "^GOLDEN MODEL: .*has error 6, not 0" "${younger[@]}" $env/context.c "$blind" -- \
      "${eight[@]}" -p ALLOC=$alloc --stimulus directed:switch_younger_tex --seed 1
  done
  # The bounds are those that hold.
  try "golden model: a bound of a cycle less from the last fill to the output" "[TR-7 TR-9]" -- found "^GOLDEN MODEL: .*alone, is not offered in time" \
    $env/golden.c "s/filled = w->there + 9/filled = w->there + 8/" -- "${base[@]}" --stimulus directed:one_wavefront
  try "golden model: a bound of a cycle less from the port to the output" "[TR-1 TR-9]" -- found "^GOLDEN MODEL: .*alone, is not offered in time" \
    $env/golden.c "s/taken = w->cycle + 16/taken = w->cycle + 15/" -- "${small[@]}"
  try "both: two wavefronts of a context come to one place of a commit FIFO" "[TR-16 US-9]" -- found "$golden" \
    $rtl/tracker_context.v "s/wire bad_place = ~|(place_one \& .*/wire bad_place = ~|place_one || (!w_wave \&\& began_q);/" \
    $model/context.c 's/ || (x->placed\[path\] >> place \& 1)//' -- "${tiny[@]}" -p STATUS=one_hot --stimulus random:halts --seed 1 --cycles 300000
  try "both: a flush token waits a while longer" "[TR-13]" -- found "^GOLDEN MODEL: .*(is not reported although nothing older|has error [36])" \
    $rtl/tracker_leave.v "s/assign token_pop = token_due \&\& /assign token_pop = token_due \&\& head_q == upto_q \&\& /" \
    $model/decide.c 's/c->token_pop = token_due \&\& /c->token_pop = token_due \&\& r->head == r->upto \&\& /' -- "${base[@]}" --stimulus random:counts --cycles 100000
  try "both: a state packet waits a while longer" "[TR-11]" -- found "^GOLDEN MODEL: .*a state packet is not offered although nothing older" \
    $rtl/tracker_leave.v "s/wire state_falls_due = /wire state_falls_due = head_q == upto_q \&\& /" \
    $model/decide.c 's/c->falls_due = meets_state/c->falls_due = r->head == r->upto \&\& meets_state/' -- "${base[@]}" --stimulus random:state --cycles 100000
  try "RTL: the place of a wavefront that is saved is that of another age" "[TR-16 TR-5]" -- found "$mismatch" \
    $rtl/tracker_core.v "s/.raddr_i(save_age\[AGE_W-2:0\])/.raddr_i(~save_age[AGE_W-2:0])/" -- "${unit[@]}" -p ALLOC=free_list --seed 2
  try "both: a drain of a context does not hold its path" "[TR-16 TR-9]" -- found "$golden" \
    $rtl/tracker_commit.v "s/{act_q\[p\], wait_q\[p\]} <= {2{drains_i\[p\]}};/{act_q[p], wait_q[p]} <= 2'b00;/" \
    $model/context.c 's/d->active = d->waits = w \& 1;/d->active = d->waits = false;/' \
    -- "${base[@]}" -p STATUS=one_hot --stimulus random:halts --cycles 300000
  try "both: what a load has committed behind a reset stays" "[TR-16 US-7]" -- found "$golden" \
    $rtl/tracker_core.v "s/commit_whole = .*/commit_whole = commit;/" $model/decide.c 's/c->commit = .*/c->commit = m->shell.port.r.commit;/' \
    -- "${breaks[@]}" --seed 1
  try "both: a word that no save writes is taken" "[TR-16 US-9]" -- found "$golden" \
    $rtl/tracker_context.v "s/(section == 2'd2 \&\& (bad_register || holes))/(section == 2'd3 \&\& (bad_register || holes))/" \
    $model/context.c 's/wrong |= bad_register(m, x->at.word, v);/(void)bad_register;/' \
    -- "${base[@]}" -p STATUS=one_hot --stimulus random:halts --cycles 300000
  try "both: an output is offered under a halt request" "[TR-16 US-14]" -- found "$golden" \
    $rtl/tracker_commit.v "s/leave_room_i \& {2{!closed_i}};/leave_room_i;/" \
    $model/ports.c 's/some \&\& !trk_closed(m) \&\&/some \&\&/' $model/decide.c 's/out\[p\].ready\] \&\& open;/out[p].ready];/' \
    -- "${base[@]}" -p STATUS=one_hot --stimulus random:halts --cycles 100000
  try "both: a wavefront does not wait for a fast packet" "[TR-12]" -- found "$golden" \
    $rtl/tracker_commit.v "s/assign late_fast\[p\] = .*/assign late_fast[p] = 1'b0;/" \
    $model/decide.c 's/i->fails_fast = .*/i->fails_fast = false;/' -- "${base[@]}" --stimulus random:interlock --cycles 100000
  try "both: an allocation does not wait for a fast packet" "[TR-12]" -- found "$golden" \
    $rtl/tracker_input.v "s/wire guarded = .*/wire guarded = 1'b0; wire unused_guard = \&guard_d;/" \
    $model/input.c 's/bool guarded = .*/bool guarded = false;/' -- "${base[@]}" --stimulus random:interlock --cycles 100000
  try "both: texture overtakes a state packet" "[TR-11]" -- found "$golden" \
    $rtl/tracker_commit.v "s/assign late_state\[p\] = runs.*/assign late_state[p] = 1'b0; wire unused_tests = run_late || c_late;/" \
    $model/cycle.h 's/return r->first_waits.state \&\& .*/return r->first_waits.state \&\& e == limit \&\& limit == UINT64_MAX; }/' -- "${base[@]}" --stimulus random:state --cycles 100000
  try "both: an age comes round while its wavefront is inside" "[TR-5]" -- found "$mismatch" \
    $rtl/tracker_input.v "s/assign ages_room = ages_d != ALL;/assign ages_room = 1'b1;/" \
    $model/input.c 's/(!m->l.free_list || r->ages != m->l.ages)/true/' \
    -- tracker -q -p QUEUES=3 -p ENTRIES=4 -p BANKS=2 -p DSLOTS=16 -p WARPS=5 -p PAYLOAD_W=40 -p ALLOC=free_list \
    --stimulus directed:one_waits --seed 1
  try "both: a ray traversal starts one queue too low after a change" "[TR-2]" -- found "$golden" \
    $rtl/tracker_regs.v "s/(mode == 3'd3) ? split :/(mode == 3'd3) ? below_split :/" \
    $model/input.c 's/r->ray_first = now\[0\] == 3 ? now\[1\] :/r->ray_first = now[0] == 3 ? now[1] - 1 :/' \
    -- "${base[@]}" --stimulus random:modes --cycles 300000
  try "both: a fill close to an allocation of its data slot is lost without a word" "[TR-7 TR-17]" -- found "^GOLDEN MODEL: .*a fill is not reported" \
    $rtl/tracker_core.v "s/.fill_early_i(fill_near || /.fill_early_i(1'b0 \&\& fill_near || /" $model/model.c 's/\(early |= r->lane\[i\].valid\) \&\&/\1 \&\& !r->started \&\&/; s/(c->alloc_fire \&\&/(false \&\&/' \
    -- "${base[@]}" --stimulus random:errors --cycles 100000
  try "both: a fill three cycles behind an allocation is not early" "[TR-7 TR-17]" -- found "^GOLDEN MODEL: .*a fill is not reported" \
    $rtl/tracker_input.v "s/(a2_v_q \&\& |(a2_bank_q/(1'b0 \&\& a2_v_q \&\& |(a2_bank_q/" $model/model.c 's/i < 3; i++) early/i < 2; i++) early/' \
    -- "${base[@]}" --stimulus random:errors --cycles 100000
  try "both: a fill before the first ready is lost without a word" "[TR-0 TR-17]" -- found "^GOLDEN MODEL: .*a fill is not reported" \
    $rtl/tracker_core.v "s/|| !(started_q || some_ready))/|| 1'b0 \&\& !(started_q || some_ready))/" $model/model.c 's/bool early = !r->started || /bool early = /' \
    -- "${base[@]}" --stimulus random:errors --cycles 100000
  try "both: an address without a register can be read" "[TR-17]" -- found "$golden" \
    $rtl/tracker_regs.v "s/assign good_o = write ? w_good : .*/assign good_o = write ? w_good : 1'b1;/" \
    $model/registers.c 's/r->rsp_error = r->write ? !good : .*/r->rsp_error = r->write ? !good : false;/' \
    -- "${base[@]}" --stimulus random:errors --cycles 100000
  try "both: a mode that is too large in a bit above 7 is taken" "[TR-17]" -- found "$golden" \
    $rtl/tracker_regs.v "s/u_mode_range (.data_i(data)/u_mode_range (.data_i({24'd0, data[7:0]})/" \
    $model/registers.c 's/case TRK_REG_MODE: if (v < 1/case TRK_REG_MODE: v \&= 255; if (v < 1/' \
    -- "${base[@]}" --stimulus random:errors --cycles 100000
  try "both: a refused end is not kept" "[TR-17]" -- found "$golden" \
    $rtl/tracker_input.v "s/wire keeps = .*/wire keeps = 1'b0;/" \
    $model/decide.c 's/c->kept = .*/c->kept = false;/' -- "${base[@]}" --stimulus random:errors --cycles 300000
  try "both: a count saturates one too late" "[TR-13]" -- found "$golden" \
    $rtl/tracker_counts.v "s/{{REF_W-2{1'b0}}, 2'd2}/{{REF_W-1{1'b0}}, 1'd1}/" \
    $model/input.c 's/if (count == mask - 1) m/if (count == mask) m/' -- "${base[@]}" --stimulus random:counts --cycles 300000
}

in_rtl
in_model
in_both
exit $failed
