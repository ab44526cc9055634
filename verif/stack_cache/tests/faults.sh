#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 300
# Faults planted in the RTL, which lockstep finds, and in RTL and model alike, which only the golden model can see.
. verif/tests/lib.sh
rtl=rtl_templates/stack_cache core=$rtl/stack_cache_core.v engine=$rtl/stack_cache_engine.v regs=$rtl/stack_cache_regs.v counters=$rtl/stack_cache_counters.v
model=cmodel/stack_cache
small=(stack_cache -q -p THREADS=5 -p ENTRIES=8 -p SET=2 -p ENTRY_W=17 --seed 1 --cycles 200000)
golden='^GOLDEN MODEL: ' mismatch='^(MISMATCH|GOLDEN MODEL|STUCK): '

rtl() {
  try "RTL: a replace in a clean set leaves it clean" "[SC-4]" -- found "$mismatch" \
    $core 's/wire nd_up = b_clean ? (b_push || b_repl)/wire nd_up = b_clean ? b_push/' -- "${small[@]}"
  try "RTL: the answer of a dropped restore is stored" "[SC-11]" -- found "$mismatch" \
    $engine 's/wire slot_free = .*/wire slot_free = 1'"'"'b1;/' -- "${small[@]}"
  try "RTL: an access to a class with one under way" "[SC-10]" -- found "$mismatch" \
    $engine 's/wire m_free = .*/wire m_free = 1'"'"'b1;/' -- "${small[@]}"
  try "RTL: a write of ERROR leaves the count" "[SC-12]" -- found "$mismatch" \
    $regs "s/if (rst_i || clear_i || w_error) error_count_q/if (rst_i || clear_i) error_count_q/" -- "${small[@]}"
  try "RTL: a lost cycle too many before the engine takes one" "[SC-9]" -- found "$mismatch" \
    $engine 's/STEAL_LAST = STEAL - 1/STEAL_LAST = STEAL/' -- "${small[@]}"
  try "RTL: the deepest stack of a thread is that of its last push" "[SC-14]" -- found "$mismatch" \
    $counters 's/ && (!seen_q\[thread_2q\] || depth_2q > of_push);/;/' -- "${small[@]}" -p COUNTERS=2
}
both() {
  try "both: the engine takes no cycle" "[SC-9]" -- found "$golden" \
    $engine 's/assign steal_o = .*/assign steal_o = 1'"'"'b0;/' $model/engine.c 's/^    steal = true;//' -- "${small[@]}" --stimulus directed:steal
  try "both: a set is spilled a set too early" "[SC-6]" -- found "$golden" \
    $engine 's/: l_nd == ALL);/: l_nd >= ALL - 1'"'"'b1);/; s/? l_nd - 1'"'"'b1 : ALL - 1'"'"'b1;/? l_nd - 1'"'"'b1 : l_nd - 1'"'"'b1;/' \
    $model/engine.c 's/: t->nd == all);/: t->nd + 1u >= all);/' -- "${small[@]}"
  try "RTL: a wait before a clear is counted behind it" "[SC-14]" -- found "$mismatch" \
    $core 's/{5{!rst_i && !counter_clear}}/{5{!rst_i}}/' -- "${small[@]}"
  try "both: a clear leaves the deepest stack of each thread" "[SC-14]" -- found "$golden" \
    $counters 's/if (none) seen_q/if (rst_i) seen_q/' $model/registers.c 's/      if (m->deepest_of) memset.*//' -- "${small[@]}" -p COUNTERS=2
}

# A RAM of generic gates gives an unknown word when it is read while it is written.
ram() {
  try "RTL: a sum of the counters is read while it is written" "[SC-14]" -- found '^MISMATCH: ' \
    $counters 's/kept_q <= .*/kept_q <= 1'"'"'b0;/' \
    -- stack_cache -q -p THREADS=2 -p ENTRIES=2 -p SET=1 -p ENTRY_W=9 --netlist synth --cycles 100000 --seed 77
}

unit() {
  local unit=$rtl/stack_cache_unit.v halts=("${small[@]/200000/600000}" -p STATUS=one_hot --stimulus random:halts)
  local keeps=("${small[@]}" -p STATUS=one_hot --stimulus directed:halt_keeps) refused=("${small[@]}" -p STATUS=one_hot --stimulus directed:entries_refused)
  try "RTL: halted before the dirty sets are in memory" "[SC-13]" -- found "$mismatch" \
    $unit "s/assign can_halt = ready_q/assign can_halt = 1'b1/" -- "${halts[@]}"
  try "RTL: a flush ends while an access is under way" "[SC-13]" -- found "$mismatch" \
    $unit 's/wire ends = fin_q && idle/wire ends = fin_q/' -- "${halts[@]}"
  try "RTL: a context that is too short is taken" "[SC-13 US-9]" -- found "$mismatch" \
    $unit 's/ || (ld_last && !all)//' -- "${halts[@]}"
  try "RTL: a load leaves BASE" "[SC-13 US-9]" -- found "$mismatch" \
    $regs "s/else if (commit_i) base_q\[31:0\]/else if (commit_i \&\& 1'b0) base_q[31:0]/" -- "${halts[@]}"
  try "RTL: the next context begins where a broken one stood" "[SC-13 US-7]" -- found "$mismatch" \
    $unit 's/if (rst_i || walk_i || !context_o) begin/if (rst_i) begin/' -- "${halts[@]}"
  try "RTL: a halt does not wait for what is in hand" "[SC-13]" -- found "$mismatch" \
    $unit 's/stopped = idle && /stopped = /' -- "${halts[@]}"
  try "RTL: an entry is loaded into another slot" "[SC-13]" -- found "$mismatch" \
    $core 's/b_wr <= r_writes || entry_put/b_wr <= r_writes/' -- "${halts[@]}"
  try "RTL: an entry is saved that the stack does not have" "[SC-13 US-9]" -- found "$mismatch" \
    $rtl/stack_cache_context.v "s/wire above = .*/wire above = 1'b0;/" -- "${halts[@]}"
  try "RTL: a word where no entry is is taken" "[SC-13 US-9]" -- found "$mismatch" \
    $rtl/stack_cache_context.v 's/ || (entry_q && !valid_q && !zero_i)//' -- "${refused[@]}"
  try "RTL: a scan outlives a halt" "[SC-13]" -- found "$mismatch" \
    $engine 's/if (scan_begins_i || (STATUS != 0 && halted_i)) scan_q/if (scan_begins_i) scan_q/' -- "${halts[@]}"
  try "both: dirty sets are loaded as clean" "[SC-13]" -- found "$golden" \
    $rtl/stack_cache_context.v "s/data_i\[NV+:NUM_W\], data_i\[ND+:NUM_W\]}/data_i[NV+:NUM_W], {NUM_W{1'b0}}}/" $model/unit.c 's/^  t->nd = .*/  t->nd = 0;/' -- "${keeps[@]}"
}

for part in rtl both ram unit; do $part > "$tmp/$part.out" & done
wait
cat "$tmp"/*.out
! grep -q '^not ok' "$tmp"/*.out && grep -qE '^(ok|later) ' "$tmp/rtl.out" && grep -qE '^(ok|later) ' "$tmp/both.out" && grep -qE '^(ok|later) ' "$tmp/ram.out" && grep -qE '^(ok|later) ' "$tmp/unit.out"
