#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# 10,000 context switches of the model alone: halted, saved, reset, other work, loaded, released; from release on all
# outputs are those of a run that was only halted, and with a flush the answers are. Then faults planted in the model.
. verif/tests/lib.sh
main=verif/stack_cache/tests/switch_test.c PLANTED_SECONDS=60
try "switch: the test builds" "[SC-13]" -- models sound $main
[ $failed = 0 ] || exit 1

run() { timeout 300 "$tmp/sound" "$@"; }
seed=0
while read -r outputs answers parameters; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  {
    try "switch: $outputs of $parameters, equal outputs" "[SC-13]" -- run "$outputs" $seed outputs $parameters
    try "switch: $answers of $parameters, flushed, equal answers" "[SC-13]" -- run "$answers" $seed answers $parameters
  }
done << 'END'
600 200 STATUS=one_hot
1000 300 STATUS=two_of_four THREADS=3 ENTRIES=4 SET=1 ENTRY_W=33 STEAL=1 INFLIGHT=4
1000 300 STATUS=binary THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry COUNTERS=2
800 300 STATUS=one_hot THREADS=3 ENTRIES=8 SET=4 ENTRY_W=17 FLAGS=per_entry
1000 300 STATUS=two_of_four THREADS=1 ENTRIES=2 SET=1 MAX_DEPTH=2
800 300 STATUS=binary THREADS=2 ENTRIES=2 SET=1 ENTRY_W=9 POLICY=threshold FORWARD=0
700 200 STATUS=one_hot THREADS=8 ENTRIES=16 SET=8 ENTRY_W=65 STEAL=255 FORWARD=0
900 300 STATUS=two_of_four THREADS=9 ENTRIES=8 SET=4 ENTRY_W=40 ADDR_W=40 STEAL=2
700 300 STATUS=one_hot THREADS=1 ENTRIES=32 SET=2 POLICY=threshold INFLIGHT=2
END

# How long halts and flushes take, against what docs/stack_cache_status.md says; SHOW=1 prints the figures.
figures() { # PARAMETERS...
  run 1000 1 figures "$@" > "$tmp/figures" || { cat "$tmp/figures"; return 1; }
  echo "$*: $(head -n 1 "$tmp/figures")" >> "$tmp/table"
}
while read -r parameters; do
  # shellcheck disable=SC2086
  try "switch: halts and flushes of $parameters" "[SC-13]" -- figures $parameters
done << 'END'
STATUS=one_hot
STATUS=one_hot THREADS=64
STATUS=one_hot THREADS=128 ENTRIES=8 SET=2
STATUS=one_hot THREADS=8 ENTRIES=64 INFLIGHT=64
STATUS=one_hot THREADS=3 ENTRIES=4 SET=1 INFLIGHT=4
STATUS=one_hot THREADS=5 ENTRIES=8 SET=2 POLICY=threshold
STATUS=one_hot THREADS=1 ENTRIES=32 SET=2 INFLIGHT=2
STATUS=one_hot THREADS=1 ENTRIES=1024 SET=4 INFLIGHT=64
END

[ -z "${SHOW:-}" ] || cat "$tmp/table"

# shellcheck disable=SC2034
runs=("400 1 outputs STATUS=one_hot THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry"
      "400 1 outputs STATUS=one_hot THREADS=3 ENTRIES=16 SET=1 POLICY=threshold")
seen "a scan that goes on where it was" SC-13 "can_(push|top)_o|mem_req" stack_cache/status.c 's/r->scan = r->lost = 0;/r->lost = 0;/'
seen "a burst that is not loaded" SC-13 "mem_req" stack_cache/status.c 's/  th->burst = m->l.policy.*/  th->burst = 0;/'
seen "clean sets loaded as dirty" SC-13 "can_push_o|mem_req" stack_cache/status.c 's/th->s.S = .*/th->s.S = th->s.L;/'
seen "an entry that is not saved" SC-13 "ans_data_o" stack_cache/status.c 's/below >= used - (uint32_t)s->L/below + 1 >= used - (uint32_t)s->L/'
seen "a fault that is not loaded" SC-13 "ans_status_o" stack_cache/status.c 's/\.fault = m->u.word\[0\] >> 31}/.fault = false}/'
seen "a limit that is not loaded" SC-13 "ans_status_o" stack_cache/status.c 's/    case 2: u->coming.limit = v;/    case 2: u->coming.limit = m->l.max_depth;/'
exit $failed
