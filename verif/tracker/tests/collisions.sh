#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 600
# A word of a RAM that is read in the cycle in which it is written means nothing, and targets differ in what it is. With such
# words inverted, or taken from the write, RTL and model still agree.
. verif/tests/lib.sh
small=(-p QUEUES=3 -p ENTRIES=16 -p BANKS=2 -p DSLOTS=16 -p WARPS=5 -p PAYLOAD_W=40 -p COMMIT_FIFO=2 -p REF_W=3)

# collides WORD ARGUMENTS...: lockstep with RAMs that give WORD where a read meets a write.
collides() {
  local word=$1 dir
  shift
  dir=$(mktemp -d "$tmp/collides.XXXXXX")
  copy_tree "$dir" &&
    edit "$dir/rtl_templates/lib/ram_1r1w.v" "s/rdata_o <= .*/rdata_o <= (we_i \&\& waddr_i == raddr_i) ? $word : mem[raddr_i];/" \
      "$dir/after" && cp "$dir/after" "$dir/rtl_templates/lib/ram_1r1w.v" || return 1
  cd "$tmp" && SIMTGEN_DATA=$dir timeout 250 "$SIMTGEN" check tracker -q "$@"
}
try "words that are read and written are inverted, small" "[TR-4 TR-7 TR-13]" -- collides '~mem[raddr_i]' "${small[@]}" --seed 1 --cycles 400000
try "words that are read and written are the new ones, small" "[TR-4 TR-7 TR-13]" -- collides wdata_i "${small[@]}" --seed 2 --cycles 400000
try "words that are read and written are inverted, default" "[TR-4 TR-7 TR-13]" -- collides '~mem[raddr_i]' --seed 3 --cycles 100000
exit $failed
