#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 300
# 10,000 context switches of the models of branch_unit and branch_stack: halted, saved, reset, other work, loaded, released;
# from release on all outputs are those of a run that was only halted (branch_stack: only saved and loaded), and the lanes of all
# programs go on where they were. Then faults planted in the model.
. verif/tests/lib.sh
main=verif/branch_unit/tests/switch_test.c PLANTED_SECONDS=60
always try "switch: the test builds" "[US-13]" -- models sound $main
[ $failed = 0 ] || exit 1

seed=0
while read -r name number parameters; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  try "switch: $number of $name $parameters, equal outputs, lanes go on" "[US-4 US-9 US-13]" -- \
    timeout 200 "$tmp/sound" "$name" "$number" $seed $parameters
done << 'END'
branch_unit 2000 STATUS=one_hot
branch_unit 1500 STATUS=binary THREADS=3 LANES=5 ENTRY_W=23 MAX_DEPTH=100 STACK_LATENCY=2
branch_unit 1500 STATUS=two_of_four THREADS=1 LANES=1 ENTRY_W=11 MAX_DEPTH=2 STACK_LATENCY=1
branch_unit 1000 STATUS=two_of_four THREADS=5 LANES=65 ENTRY_W=120 MAX_DEPTH=31 STACK_LATENCY=8
branch_stack 1000 STATUS=one_hot
branch_stack 1000 STATUS=binary THREADS=3 LANES=5 ENTRY_W=23 ENTRIES=4 SET=1 MAX_DEPTH=300
branch_stack 1000 STATUS=two_of_four THREADS=5 LANES=31 ENTRY_W=65 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry COUNTERS=2
branch_stack 1000 STATUS=one_hot THREADS=4 LANES=6 ENTRY_W=16 ENTRIES=8 SET=2 MAX_DEPTH=64 ADDR_W=16
END

# shellcheck disable=SC2034
runs=("branch_unit 300 1 STATUS=one_hot THREADS=3 LANES=5 ENTRY_W=23 MAX_DEPTH=100"
      "branch_stack 100 1 STATUS=one_hot THREADS=3 LANES=5 ENTRY_W=23 ENTRIES=4 SET=1 MAX_DEPTH=300")
seen "a limit that is not loaded" "US-9 US-13" "op_valid_o|res_|saved word" branch_unit/status.c 's/    m->limit.coming = v;/    m->limit.coming = (uint32_t)m->l.max_depth;/'
seen "a depth that is not loaded" "US-9 US-13" "op_valid_o|res_" branch_unit/status.c 's/  g->depth = v >> 8 .*/  g->depth = 0;/'
seen "a popped sync token that is forgotten" "US-9 US-13" "operation .* of stack|op_|res_|of a correct program" branch_unit/status.c 's/  g->synced = v >> 2 & 1;/  g->synced = false;/'
seen "an instruction that is not saved" "US-9 US-13" "ins_step_o|op_|res_|is ready" branch_unit/status.c 's/valid = b ? m->b.valid : c->valid/valid = b ? false : c->valid/'
seen "an operation that is done again" "US-9 US-13" "token pushed|op_" branch_unit/status.c 's/  if (n.error || u->slot_half) n.first = false;/  if (n.error) n.first = false;/'
seen "an error found before that is lost" "US-9 US-13" "op_valid_o|res_|operation .*of stack" branch_unit/status.c 's/  n.error = u->slot_half ? BU_DONE : u->slot_error;/  n.error = BU_DONE;/'
seen "a mask that is cut" "US-9 US-13" "res_mask_o|op_data" branch_unit/status.c 's/^  if (k < masks) return word_of(mask, k);/  if (k < masks) return word_of(mask, k) \& 7;/'
seen "an error register that is not loaded" "US-9 US-13" "reg_rsp_data_o|saved word" branch_unit/status.c 's/m->error_register = v >> 31 ? .* : 0;/(void)v;/'
seen "a stack that goes on while its unit is halted" "US-9 US-13" "halted with accesses of memory|a context does not end" branch_stack/model.c 's/  if (!m->status) return false;$/  return m->status != 0;/'
exit $failed
