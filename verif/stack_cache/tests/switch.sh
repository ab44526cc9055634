#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# 10,000 context switches of the model alone: halted, saved, reset, other work, loaded, released; from release on all
# outputs are those of a run that was only halted, and with a flush the answers are. Then faults planted in the model.
. verif/tests/lib.sh
model=cmodel/stack_cache

echo '#include "simt.h"
extern const struct simt_block simt_block_stack_cache;
const struct simt_block *const simt_blocks[] = {&simt_block_stack_cache, NULL};' > "$tmp/blocks.c"
build() { # PROGRAM [FILE OF THE MODEL, SED]...: with the edits
  local to=$1
  shift
  mkdir "$tmp/edited" && cp -r $model "$tmp/edited" || return 1
  while [ $# -gt 0 ]; do
    sed -i "$2" "$tmp/edited/stack_cache/$1"
    if cmp -s $model/"$1" "$tmp/edited/stack_cache/$1"; then echo "the edit of $1 changes nothing: $2"; return 1; fi
    shift 2
  done
  gcc -std=gnu11 -O1 -Wall -Werror -Icmodel/core -I"$tmp/edited" -I"$tmp/edited/stack_cache" -Icmodel -Iverif/core -Iverif -o "$tmp/$to" \
    verif/stack_cache/tests/switch_test.c "$tmp/blocks.c" verif/core/{memory,axi4_memory,rng}.c cmodel/core/*.c \
    "$tmp"/edited/*/*.c -lm -lpthread && rm -r "$tmp/edited"
}
try "switch: the test builds" "[SC-13]" -- build switch
[ $failed = 0 ] || exit 1

run() { timeout 300 "$tmp/switch" "$@"; }
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

planted() { # FILE SED: found in one of two configurations
  build planted "$@" || return 1
  ! { timeout 60 "$tmp/planted" 400 1 outputs STATUS=one_hot THREADS=5 ENTRIES=8 SET=2 POLICY=threshold FLAGS=per_entry &&
    timeout 60 "$tmp/planted" 400 1 outputs STATUS=one_hot THREADS=3 ENTRIES=16 SET=1 POLICY=threshold; }
}
try "switch: a scan that goes on where it was is seen" "[SC-13]" -- planted status.c 's/r->scan = r->lost = 0;/r->lost = 0;/'
try "switch: a burst that is not loaded is seen" "[SC-13]" -- planted status.c 's/  th->burst = m->l.policy.*/  th->burst = 0;/'
try "switch: clean sets loaded as dirty are seen" "[SC-13]" -- planted status.c 's/th->s.S = .*/th->s.S = th->s.L;/'
try "switch: an entry that is not saved is seen" "[SC-13]" -- planted status.c 's/below >= used - (uint32_t)s->L/below + 1 >= used - (uint32_t)s->L/'
try "switch: a fault that is not loaded is seen" "[SC-13]" -- planted status.c 's/\.fault = m->u.word\[0\] >> 31}/.fault = false}/'
try "switch: a limit that is not loaded is seen" "[SC-13]" -- planted status.c 's/      r->limit_reg = v < .*/      r->limit_reg = m->l.max_depth;/'
exit $failed
