#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
# 10,000 context switches of the models of branch_unit and branch_stack: halted, saved, reset, other work, loaded, released;
# from release on all outputs are those of a run that was only halted, and the lanes of all programs go on where they
# were. Then faults planted in the model.
. verif/tests/lib.sh
test_c=verif/branch_unit/tests/switch_test.c

common() { # what no fault changes
  local f
  cat > "$tmp/lists.c" <<'END'
#include "verif.h"
extern const struct simt_block simt_block_branch_unit, simt_block_branch_stack;
extern const struct simt_verif simt_verif_branch_unit, simt_verif_branch_stack;
const struct simt_block *const simt_blocks[] = {&simt_block_branch_unit, &simt_block_branch_stack, NULL};
const struct simt_verif *const simt_verifs[] = {&simt_verif_branch_unit, &simt_verif_branch_stack, NULL};
END
  mkdir "$tmp/o" && cd "$tmp/o" || return 1
  for f in "$root"/verif/core/*.c "$root"/verif/branch_unit/*.c "$root/verif/branch_stack/verif.c" "$root"/cmodel/core/*.c \
    "$root"/cmodel/stack_cache/*.c "$tmp/lists.c" "$root/$test_c"; do
    gcc -std=gnu11 -O1 -c -o "$(md5sum <<<"$f" | cut -c1-12).o" -I"$root"/{cmodel/core,verif/core,cmodel,verif} \
      "$f" || return 1
  done
}
build() { # PROGRAM [FILE, SED]...: with the edits
  local to=$1
  shift
  rm -rf "$tmp/edited" && mkdir "$tmp/edited" && cp -r cmodel/branch_unit cmodel/branch_stack "$tmp/edited" || return 1
  while [ $# -gt 0 ]; do
    cp "$tmp/edited/$1" "$tmp/before"
    sed -i "$2" "$tmp/edited/$1"
    if cmp -s "$tmp/before" "$tmp/edited/$1"; then echo "the edit of $1 changes nothing: $2"; return 1; fi
    shift 2
  done
  gcc -std=gnu11 -O1 -Icmodel/core -I"$tmp/edited" -Icmodel -o "$tmp/$to" "$tmp"/o/*.o "$tmp"/edited/*/*.c -lz -lm -lpthread
}
try "switch: the test builds" "[US-13]" -- common
try "switch: the model builds" "[US-13]" -- build switch
[ $failed = 0 ] || exit 1

seed=0
while read -r block number parameters; do
  seed=$((seed + 1))
  # shellcheck disable=SC2086
  try "switch: $number of $block $parameters, equal outputs, lanes go on" "[US-4 US-9 US-13]" -- \
    timeout 200 "$tmp/switch" "$block" "$number" $seed $parameters
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

seen() { # FILE SED: a planted fault, found in one of two configurations
  build planted "$@" || return 1
  ! { timeout 60 "$tmp/planted" branch_unit 300 1 STATUS=one_hot THREADS=3 LANES=5 ENTRY_W=23 MAX_DEPTH=100 &&
    timeout 60 "$tmp/planted" branch_stack 100 1 STATUS=one_hot THREADS=3 LANES=5 ENTRY_W=23 ENTRIES=4 SET=1 MAX_DEPTH=300; }
}
fault() { # NAME FILE SED
  try "switch: $1 is seen" "[US-9 US-13]" -- seen "$2" "$3"
}
fault "a limit that is not loaded" branch_unit/status.c 's/    m->limit = u->limit;/    m->limit = (uint32_t)m->l.max_depth;/'
fault "a depth that is not loaded" branch_unit/status.c 's/  g->depth = v >> 8 .*/  g->depth = 0;/'
fault "a popped sync token that is forgotten" branch_unit/status.c 's/  g->synced = v >> 2 & 1;/  g->synced = false;/'
fault "an instruction that is not saved" branch_unit/status.c 's/  bool valid = at->slot == 2 ? m->b.valid : c->valid,/  bool valid = at->slot == 2 ? false : c->valid,/'
fault "an operation that is done again" branch_unit/status.c 's/  if (n.error || u->slot_half) n.first = false;/  if (n.error) n.first = false;/'
fault "an error found before that is lost" branch_unit/status.c 's/  n.error = u->slot_half ? BU_DONE : u->slot_error;/  n.error = BU_DONE;/'
fault "a mask that is cut" branch_unit/status.c 's/^  if (k < masks) return word_of(mask, k);/  if (k < masks) return word_of(mask, k) \& 7;/'
fault "an error register that is not loaded" branch_unit/status.c 's/m->error_register = v >> 31 ? .* : 0;/(void)v;/'
fault "a stack that goes on while its unit is halted" branch_stack/model.c 's/  if (!m->status) return false;$/  return m->status != 0;/'
exit $failed
