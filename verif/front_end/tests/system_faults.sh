#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# Faults planted in the arbiter (RTL, model, both) and in the models of the system: each is found. With RTL of the whole
# system: LONG (system_long.sh).
. verif/front_end/tests/system_lib.sh
with_extra || { echo "not ok system faults: the program with the system does not build"; exit 1; }
core=$EXTRA/rtl_templates/mem_arbiter/mem_arbiter_core.v model=$EXTRA/cmodel/mem_arbiter/model.c
arbiter=(mem_arbiter --engine verilator-O0 --cycles 50000 --seed 3 -p CLIENTS=3 -p TAG_W=2)

try "system fault: an arbiter whose requests wait a cycle too long, in RTL" "[US-5]" -- \
  found 'MISMATCH' $core 's/if (sent || req_n_q == 2.d0) req0_q/if (sent) req0_q/' -- "${arbiter[@]}"
try "system fault: an arbiter that forgets its turn in a load, in the model" "[US-9]" -- \
  found 'MISMATCH' $model 's/s->turn = s->loaded_turn;/s->turn = 0;/' -- "${arbiter[@]}"
try "system fault: answers to the next client, in both" "[US-5]" -- \
  found 'GOLDEN.*answer' $core 's/rsp_client = rsp0_q\[\(.*\)\];/rsp_client = rsp0_q[\1] ^ 1;/' \
  $model 's/\.client = tag >> m->tag_w,/.client = (tag >> m->tag_w) ^ 1,/' -- "${arbiter[@]}"
try "system fault: served_idle of before a short release counts, in both" "[US-5]" -- \
  found 'GOLDEN.*before its clients' $core 's/served_idle_i && halt_req && !ctx_reset/served_idle_i \&\& !ctx_reset/' \
  $model 's/s->idle = in\[m->at.served_idle\] && s->status.halt_req/s->idle = in[m->at.served_idle]/' -- "${arbiter[@]}"

# tells PATTERN FILE SED [PROFILE [NAME=VALUE]...]: what the models of the system say.
tells() {
  local switches=60
  [ $# = 3 ] || switches=1
  models planted "$main" "$2" "$3" || return 1
  # shellcheck disable=SC2086
  seen_by "^cycle [0-9]+, switch [0-9]+: .*($1)" "$tmp/planted" $switches 1 "${4:-switch}" 0 $small "${@:5}"
}
try "system fault: served_idle stuck at 1" "[US-5]" -- \
  tells 'halts before its clients' $EXTRA/cmodel/tree_system/model.c 's/idle &= simt_parts_out.*;/(void)i;/'
try "system fault: an arbiter that halts with answers due" "[US-5]" -- \
  tells 'accesses under way|a stream of it|before its clients' $model 's/return s->idle && !s->open && !s->clearing;/return !s->clearing;/'
try "system fault: a context whose depths are not restored" "[US-9 US-13]" -- \
  tells 'workload' cmodel/branch_unit/status.c 's/  g->depth = v >> 8 .*/  g->depth = 0;/'
try "system fault: contexts of two units in one place" "[US-9 US-13]" -- \
  tells 'interrupts|code' cmodel/context_hub/model.c 's/((uint64_t)s->unit << m->l.stride_lg)/((uint64_t)(s->unit \& ~UINT32_C(1)) << m->l.stride_lg)/'
try "system fault: a stack that is ready while halted" "[US-14]" -- \
  tells 'is halted, and a stream|is ready, and not live' cmodel/branch_unit/model.c 's/gate(m) && !m->u.shell.closed/gate(m)/'
try "system fault: a deadlock is found a cycle late" "[US-10]" -- \
  tells 'behind the last progress' cmodel/front_end_monitor/dead.c 's/d->left == 1 && window/d->left == 0 \&\& window/' no_answer
try "system fault: a deadlock names half of the units" "[US-10]" -- \
  tells 'are named' cmodel/front_end_monitor/dead.c 's/m->e.dead\[k\] && m->now.waited\[c\];/m->e.dead[k] \&\& m->now.waited[c] \&\& c % 2;/' no_answer
try "system fault: a stack that waits for memory shows nothing" "[US-10]" -- \
  tells 'no deadlock|are named|behind the last progress' cmodel/core/unit_status.c 's/ || .*SIMT_QUIESCENT//' no_answer
try "system fault: a refused access is not reported" "[US-3]" -- \
  tells 'no deadlock is reported' cmodel/core/unit_status.c 's/else if (u->nack) s->nack = true;/else if (u->nack) s->nack = false;/' refused
try "system fault: the next policy does nothing" "[US-10]" -- \
  tells 'are reset|does not run again' cmodel/front_end_monitor/dead.c 's/d->open && policy >> 4 ?/false ?/' no_answer
try "system fault: a reset by mask resets its neighbour" "[US-10]" -- \
  tells 'units 0x[0-9a-f]+ are reset' cmodel/front_end_monitor/model.c 's/fem_bit(s->mask, i)/fem_bit(s->mask, i ^ 1)/' no_answer_masked COMMANDS=unit
try "system fault: a reset by mask resets all" "[US-10]" -- \
  tells 'are reset|does not run again' cmodel/front_end_monitor/model.c 's/ && fem_bit(s->mask, i)//' no_answer_masked COMMANDS=unit
# shellcheck disable=SC2086
if [ "${LONG:-}" ]; then
  args=(tree_system --engine verilator-O0 --stimulus directed:switch_20 --cycles 50000 --seed 1)
  for p in $small; do args+=(-p "$p"); done
  try "system fault: served_idle stuck at 1, in RTL" "[US-5]" -- \
    found 'MISMATCH' $EXTRA/rtl_templates/tree_system/tree_system_core.v "s/served_idle_i(&halted[^)]*)/served_idle_i(1'b1)/" -- "${args[@]}"
fi
exit $failed
