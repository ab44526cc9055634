#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 5
# timeout: 400
# Faults planted in what joins the two parts, and in a part, model and RTL alike. Each is found.
. verif/tests/lib.sh
core=rtl_templates/branch_stack/branch_stack_core.v model=cmodel/branch_stack/model.c
unit=rtl_templates/branch_unit/branch_unit_pipe.v unit_model=cmodel/branch_unit/model.c
base=(branch_stack -q -p THREADS=3 -p LANES=5 -p ENTRY_W=23 -p ENTRIES=4 -p SET=1 -p MAX_DEPTH=300 --seed 1)
small=("${base[@]}" --cycles 60000) status=("${base[@]}" --cycles 300000 -p STATUS=one_hot --stimulus random:status)
golden='^GOLDEN MODEL: ' mismatch='^(MISMATCH|GOLDEN MODEL|STUCK): '

try "RTL: a pop goes when a push may" "[SC-11]" -- found "$mismatch" $core 's/.can_top_i(can_top)/.can_top_i(can_push)/' -- "${small[@]}"
try "RTL: the status of the stack does not arrive" "[BU-4 SC-12]" -- found "$mismatch" \
  $core "s/.ans_status_i(ans_status)/.ans_status_i(2'd0)/" -- "${small[@]}" --stimulus random:faults
try "RTL: the stack takes register accesses of the unit" "[BU-6]" -- found "$mismatch" \
  $core 's/unit_ready \&\& !reg_req_addr_i\[10\]/unit_ready/' -- "${small[@]}" --stimulus random:register_traffic
try "model: an access is taken while one is under way" "[BU-6]" -- found "$mismatch" \
  $model 's/in\[w->valid\] && free_both && p == selected/in[w->valid] \&\& (free_both || p == BS_UNIT) \&\& p == selected/' -- "${base[@]}" --cycles 300000 --stimulus random:register_traffic
try "both: a call returns to where it went" "[BU-3]" -- found "$golden" \
  $unit 's/(c_tkind == T_BRK) ?/(c_tkind == T_BRK || c_tkind == T_CALL) ?/' \
  $unit_model 's/n->token.pc = b->kind == BU_PREBREAK ?/n->token.pc = b->kind == BU_PREBREAK || call ?/' -- "${small[@]}" --stimulus random:programs
try "both: a group is not stopped by a fault" "[BU-4 SC-12]" -- found "$mismatch" \
  $unit "s/ans_status_i == 2'd0) ? 3'd0/ans_status_i == 2'd0 || ans_status_i == 2'd3) ? 3'd0/" \
  $unit_model 's/BU_UNDERFLOW, BU_FAULT};/BU_UNDERFLOW, BU_DONE};/' -- "${small[@]}" --stimulus random:faults
try "both: a save does not wait for the stack to halt" "[US-4 US-13]" -- found "$golden|$mismatch" \
  rtl_templates/branch_stack/branch_stack_context.v 's/assign tail_halted_o = is_halted /assign tail_halted_o = 1'"'"'b1 /' \
  $model 's/return is_halted(m) \&\&/return true \&\&/' \
  -- "${status[@]}"
try "both: a memory error of the stack is not reported" "[US-3 SC-12]" -- found '^GOLDEN MODEL: .*nack_o is 0' \
  rtl_templates/branch_stack/branch_stack_context.v 's/assign tail_nack_o = answered_i/assign tail_nack_o = 1'"'"'b0 \&\& answered_i/' \
  $model 's/.nack = in \&\& refused/.nack = false \&\& refused/' -- "${status[@]}"
try "both: an error of a beat is reported for a cycle" "[US-3 SC-10]" -- found '^GOLDEN MODEL: .*nack_o is 0' \
  rtl_templates/branch_stack/branch_stack_context.v 's/tail_nacked_o = nacked_i || late_q/tail_nacked_o = nacked_i/' \
  $model 's/.nacked = s\[m->stack_status.nack\] || j->late,/.nacked = s[m->stack_status.nack],/' -- \
  branch_stack -q -p THREADS=4 -p LANES=6 -p ENTRY_W=16 -p MAX_DEPTH=64 -p ENTRIES=8 -p SET=2 -p ADDR_W=16 -p STATUS=binary -p MEM_W=entry \
  --cycles 2000000 --seed 4
try "both: a reset between the commits of the two parts leaves the stack's registers alone changed" "[US-7 US-9]" -- \
  found '^GOLDEN MODEL: .*the limit of the stack reads' \
  rtl_templates/branch_stack/branch_stack_context.v "s/assign tail_whole_o = .*/assign tail_whole_o = 1'b0;/" \
  $model 's/.whole = j->whole \&\& !j->bad/.whole = false/; s/if (m->join.whole \&\& !m->join.bad)/if (false)/' -- \
  branch_stack -q -p THREADS=3 -p LANES=5 -p ENTRY_W=23 -p ENTRIES=4 -p SET=1 -p MAX_DEPTH=300 --seed 2 --cycles 300000 \
  -p STATUS=one_hot --stimulus random:status
try "both: a release between the commits of the two parts leaves the stack's registers alone changed" "[US-9]" -- \
  found '^GOLDEN MODEL: ' \
  rtl_templates/branch_stack/branch_stack_context.v 's/(halt_q && ends)/1'"'"'b0/' \
  $model 's/(j->halt && ends)/(j->halt \&\& ends \&\& !v)/' -- branch_stack -q -p THREADS=3 -p LANES=5 \
  -p ENTRY_W=23 -p ENTRIES=4 -p SET=1 -p MAX_DEPTH=300 --seed 2 --cycles 300000 -p STATUS=one_hot --stimulus random:status
try "RTL: an operation is taken to go in a cycle that the engine of the stack has" "[BU-5 SC-11]" -- found "$mismatch" \
  $core "s/.can_go_i(can_go)/.can_go_i(1'b1)/" -- "${small[@]}" --stimulus random:back_pressure
try "RTL: an init goes in a cycle in which the stack holds its thread" "[BU-5 BU-6 SC-11]" -- found "$mismatch" \
  $unit 's/(c_op == NONE || (can_go_i \&\& c_can))/(c_op == NONE || (can_go_i \&\& (c_op == INIT || c_can)))/' -- "${small[@]}" --stimulus random:mixed
try "RTL: a word of a load reaches a unit that a reset has cleared" "[US-7 US-9]" -- found '^MISMATCH: ' \
  rtl_templates/lib/context_port.v 's/2.d0 \&\& !spoiled;/2'"'"'d0 \&\& !spoiled_q;/' -- "${status[@]}"
try "RTL: a read of a set in beats counts as one answer due" "[US-2 SC-10]" -- found '^MISMATCH: ' \
  rtl_templates/branch_stack/branch_stack_context.v 's/: !write_i ? ALL$/: !write_i ? {{COUNT_W-1{1'"'"'b0}}, 1'"'"'b1}/' -- \
  branch_stack -q -p THREADS=4 -p LANES=6 -p ENTRY_W=16 -p MAX_DEPTH=64 -p ENTRIES=8 -p SET=2 -p ADDR_W=16 -p MEM_W=entry -p STATUS=binary \
  --stimulus random:status --seed 1 --cycles 100000
exit $failed
