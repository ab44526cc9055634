#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# timeout: 1500
# Faults that faults.sh has not: each has a build of its own. Each is found.
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

try "RTL: a result of two requests before is not forwarded" "[AM-3]" -- found "$any" \
  $pipe 's/^        s5_writes \&\& s5_place == s3_place/        1'"'"'b0 \&\& s5_writes \&\& s5_place == s3_place/' -- "${base[@]}"
try "RTL: an event of the cycle in which its count is moved is lost" "[AM-18]" -- found "$any" \
  $rtl/atomic_merge_counters.v "s/7'd0 : gathered_q\[i\]) + {6'd0, event_q\[i\]}/7'd0 : gathered_q[i] + {6'd0, event_q[i]})/" -- "${base[@]}" -p COUNTERS=1
try "both: a fetch that a halt withdraws is not asked again" "[AM-17 US-14]" -- found "$golden" \
  $core '/fifo_regs .*fetches/,/.in_valid_i/s/.rst_i(reset)/.rst_i(reset || still)/' \
  cmodel/atomic_merge/model.c 's/^  if (s->rel_busy \&\& !now->still/  if (now->still) s->n_fetch = 0;\n&/' -- "${halts[@]}"
try "both: what came in before a reset is there behind it" "[AM-17 US-7 US-9]" -- found "$golden" \
  $status "s/if (clear_o) coming_q/if (1'b0) coming_q/; s/if (clear_o) coming_line_q/if (1'b0) coming_line_q/" \
  $unit '/^  u->coming.\(nack\|line\) = /d' -- "${drains[@]}"
try "both: keep: floats return what batches come to" "[AM-10]" -- found "$golden" \
  $core 's/ATOMIC_FADD > 2,$/1'"'"'b0,/' \
  $layout 's/return l->policy\[op\] >= AM_KEEP_WAIT;/return op != AM_FADD \&\& l->policy[op] >= AM_KEEP_WAIT;/' \
  verif/atomic_merge/env.c 's/am_keeps(&e->l, op) << op/(e->l.policy[op] >= AM_KEEP_WAIT) << op/' -- "${keep[@]}" --stimulus random:hot_counter
try "both: a request that is turned back counts as one that went" "[AM-18]" -- found "$golden" \
  $body "s/.goes_i(s2_valid \&\& !s2_injected)/.goes_i((s2_valid \&\& !s2_injected) || turned)/" \
  $front 's/  v->m->s.c.turned = what;/&  am_count_later(v->m, (enum am_counter)v->r->op);/' -- "${base[@]}" -p COUNTERS=1
exit $failed
