#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# Faults planted in the RTL, in the model, and in both alike, which only the golden models can see. Each is found.
. verif/tests/lib.sh
core=rtl_templates/branch_unit/branch_unit_pipe.v words=rtl_templates/branch_unit/branch_unit_words.v
model=cmodel/branch_unit/model.c
base=(branch_unit -q -p THREADS=3 -p LANES=5 -p ENTRY_W=23 -p MAX_DEPTH=100 --seed 1)
small=("${base[@]}" --cycles 60000)
golden='^GOLDEN MODEL: ' mismatch='^(MISMATCH|GOLDEN MODEL|STUCK): '

rtl() {
  try "RTL: inactive lanes make a branch diverge" "[BU-3]" -- found "$mismatch" \
    $core 's/|(mask & ~b_mask_q)/|(~b_mask_q)/' -- "${small[@]}"
  try "RTL: two pushes where one fits" "[BU-5]" -- found "$mismatch" \
    $core 's/ || (depth == below_limit && b_sets && b_own)//' -- "${small[@]}"
  try "RTL: the status of the first push is forgotten" "[BU-5]" -- found "$mismatch" \
    $core 's/(r_bad != 3.d0) ? r_bad : r_own/r_own/' -- "${base[@]}" --stimulus random:errors --cycles 1000000
  try "RTL: a register read spoils an instruction that waits" "[BU-6]" -- found "$mismatch" \
    $core 's/reg_waits && reg_error_half && !b_holds/reg_waits \&\& reg_error_half/' -- branch_unit -q --seed 1 --cycles 100000
  try "RTL: the token of the wrong kind is not kept" "[BU-4]" -- found "$mismatch" \
    $core 's/tkind & {2{r_wrong}}, r_mask/2'"'"'d0, r_mask/' -- "${small[@]}"
  try "RTL: an error goes unnoticed while the register is cleared" "[BU-4]" -- found "$mismatch" \
    $words 's/error_i || (error_q && !w_error)/(error_i || error_q) \&\& !w_error/' -- "${base[@]}" --stimulus random:register_traffic --cycles 1000000
  try "RTL: the count of errors stops too early" "[BU-4]" -- found "$mismatch" \
    $words "s/count != 16.hffff/count != 16'h0fff/" -- branch_unit -q -p THREADS=1 -p LANES=1 -p ENTRY_W=11 \
    -p MAX_DEPTH=2 --stimulus directed:many_errors --cycles 1000000
}
ring() { # what waits beside the pipeline
  try "RTL: what is in B takes the place of what comes again" "[BU-5]" -- found "$mismatch" \
    $core 's/c0_q <= again ?/c0_q <= again \&\& !b_valid_q ?/' -- "${small[@]}"
  try "RTL: the second operation of an instruction is forgotten" "[BU-5]" -- found "$mismatch" \
    $core 's/c0_valid_q && !c_done}/c0_valid_q \&\& !c_goes}/' -- "${small[@]}"
  try "both: the status of a first operation is that of all instructions" "[BU-4 BU-5]" -- found "$golden" \
    $core "s/r_ends ? 3'd0 : r_valid ? r_first : r_bad/r_valid ? r_first : r_bad/" \
    $model 's/= r->last ? BU_DONE : status;/= status;/' -- "${base[@]}" --stimulus random:faults --cycles 300000
  try "both: an instruction in B is judged anew in each cycle" "[BU-5]" -- found "$golden" \
    $core "s/<= {1'b1, b_overflow};/<= 2'b00;/" $model 's/b->judged = true;/b->judged = false;/' \
    -- "${base[@]}" --stimulus random:register_traffic --cycles 1000000
  local status=("${base[@]}" -p STATUS=binary --stimulus random:status --cycles 300000)
  try "RTL: places go round while a unit is halted" "[US-9]" -- found "$mismatch" \
    $core 's/turns = !halted || ctx_turn/turns = 1'"'"'b1/' -- "${status[@]}"
  try "RTL: a load leaves the last place out" "[US-9]" -- found "$mismatch" \
    $words 's/turn_q <= we_o && slots_o && ends/turn_q <= we_o \&\& slots_o \&\& ends \&\& !at_b/' -- "${status[@]}"
}
model() {
  try "model: a group is free before its result" "[BU-5]" -- found "$mismatch" \
    $model 's/    m->group\[a.group\].busy = true;/    (void)0;/' -- "${small[@]}"
}
both() {
  try "both: the lanes that take a branch run the other side as well" "[BU-3]" -- found "$golden" \
    $core "s/c_others = .*/c_others = {LANES{1'b1}};/" $model 's/n->token.mask = diverge ? m0 & ~b->mask : m0;/n->token.mask = m0;/' -- "${small[@]}"
  try "both: pop-sync pops twice for one instruction" "[BU-3]" -- found "$golden" \
    $core 's/wire a_pop = ins_pop_sync_i && !look_synced/wire a_pop = ins_pop_sync_i/' \
    $model 's/a.pop = in\[p->ins_pop_sync_i\] && !m->group\[g\].synced/a.pop = in[p->ins_pop_sync_i]/' -- "${small[@]}"
  try "both: a result does not tell a pop of sync from one of div" "[BU-3]" -- found "$golden" \
    $core "s/res_synced_o <= r_sync;/res_synced_o <= 1'b0;/" $model 's/m->res.synced = synced;/m->res.synced = false;/' -- "${small[@]}"
  try "both: a return takes a brk token" "[BU-4]" -- found "$golden" \
    $core 's/(r_kind == RETURN) ? T_CALL : T_BRK/(r_kind == RETURN) ? tkind : T_BRK/' \
    $model 's/kind == (r->kind == BU_RETURN ? BU_TOKEN_CALL : BU_TOKEN_BRK)/(r->kind == BU_RETURN || kind == BU_TOKEN_BRK)/' \
    -- "${small[@]}" --stimulus directed:return_on_brk
  try "both: a fault between two pushes changes mask and pc" "[BU-4 BU-5]" -- found "$golden" \
    $core 's/(r_bad != 3.d0) ? r_bad : r_own/(r_own == 3'"'"'d4) ? 3'"'"'d0 : r_own/' \
    $model 's/status = \*bad ? \*bad : answer_status(m, r, in)/status = answer_status(m, r, in) == BU_FAULT ? BU_DONE : answer_status(m, r, in)/' \
    -- "${small[@]}" --stimulus directed:fault_between
  try "both: the div token says where the takers go" "[BU-3]" -- found "$golden" \
    $core 's/(c_tkind == T_BRK) ?/(c_tkind == T_BRK || c_diverge) ?/' \
    $model 's/n->token.pc = b->kind == BU_PREBREAK ?/n->token.pc = b->kind == BU_PREBREAK || diverge ?/' -- "${small[@]}"
  try "both: an overflow is found after the first of two pushes" "[BU-5]" -- found "$golden" \
    $core 's/ || (depth == below_limit && b_sets && b_own)//' \
    $model 's/pushes && (uint64_t)depth + pushes > m->limit.value/pushes \&\& depth >= m->limit.value/' -- "${small[@]}"
  local limits=("${small[@]}" --stimulus random:register_traffic)
  try "both: an instruction is judged by the limit of a cycle before" "[BU-5]" -- found "$golden" \
    $core 's/^  wire \[COUNT_W-1:0\] limit;/  wire [COUNT_W-1:0] limit_x; reg [COUNT_W-1:0] limit; always @(posedge clk_i) limit <= limit_x;/' \
    $core "s/(limit), .below_limit_o(below_limit)/(limit_x), .below_limit_o()/; s/^  wire \[COUNT_W-1:0\] below_limit;.*/  wire [COUNT_W-1:0] below_limit = limit - 1'b1;/" \
    $model 's/^  commit_write(m, &w);/  static struct write late; commit_write(m, \&late); late = w;/' -- "${limits[@]}"
  try "both: an instruction is judged by the limit of a cycle later" "[BU-5]" -- found "$golden" \
    $words "s/value_o(limit_o)/value_o()/; s/^  assign below_limit_o = .*/  assign limit_o = limit_next; assign below_limit_o = limit_next - 1'b1;/" \
    $model 's/^  if (holds && !m->u.shell.closed/  commit_write(m, \&w);\n  if (holds \&\& !m->u.shell.closed/' -- "${limits[@]}"
}
lanes() { # the lanes alone, without the golden model of tokens, which has the same fault
  try "everywhere: sync tokens carry the takers only; the lanes alone tell" "[BU-3]" -- found "GOLDEN MODEL: .* lane .* alone" \
    $core 's/(c_others | {LANES{c_sync}})/(c_sync ? c0_q[2*PC_W+:LANES] | {LANES{!c_diverge}} : c_others)/' \
    $model 's/struct flow all = {c->then.mask | c->token.mask, 0};/struct flow all = {c->then.mask, 0};/' \
    verif/branch_unit/golden.c 's/(struct bu_mark){BU_TOKEN_SYNC, {g->now.mask, 0}}/(struct bu_mark){BU_TOKEN_SYNC, {x->ins.kind == BU_BRANCH \&\& (g->now.mask \& x->ins.mask) ? g->now.mask \& x->ins.mask : g->now.mask, 0}}/' \
    -- "${small[@]}" --stimulus random:programs
}

halts() {
  local status=("${base[@]}" -p STATUS=binary --stimulus random:status --cycles 300000)
  try "RTL: an operation goes out under a halt request" "[US-5 US-14]" -- found "$mismatch" \
    $core 's/assign op_valid_o = c0_valid_q \&\& c_op != NONE \&\& !closed;/assign op_valid_o = c0_valid_q \&\& c_op != NONE;/' -- "${status[@]}"
  try "RTL: what a reset has dropped gives a result" "[US-7]" -- found "$mismatch" \
    $core 's/d_valid\[STACK_LATENCY\] && !clear && !clear_q;/d_valid[STACK_LATENCY] \&\& !clear;/' -- "${status[@]}"
  try "both: an operation that was done is not marked in the context" "[US-9]" -- found "$golden" \
    $core 's/^  wire c_half = .*/  wire c_half = 1'"'"'b0;/; /^ *&& !c0_first_q;$/d' \
    cmodel/branch_unit/status.c 's/half = b ? m->b.judged : c->half;/half = false;/' -- "${status[@]}"
  try "RTL: a save shows the flags of the group whose register is read" "[US-9]" -- found "$mismatch" \
    rtl_templates/lib/context_walk.v 's/settled_q && !busy_i/settled_q/' -- "${status[@]}"
}

for part in rtl ring model both lanes halts; do $part > "$tmp/$part.out" & done
wait
cat "$tmp"/*.out
! grep -q '^not ok' "$tmp"/*.out
