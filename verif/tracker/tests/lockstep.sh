#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 4
# timeout: 170
# Model, RTL and golden model of tracker side by side: three configurations, every directed test.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check tracker -q "$@"; }
small=(-p QUEUES=3 -p ENTRIES=16 -p BANKS=2 -p DSLOTS=16 -p WARPS=5 -p PAYLOAD_W=40 -p COMMIT_FIFO=2 -p REF_W=3)
tiny=(-p QUEUES=2 -p ENTRIES=4 -p BANKS=1 -p DSLOTS=2 -p SECTORS=1 -p WARPS=1 -p PAYLOAD_W=12 -p COMMIT_FIFO=2 -p STATE_Q=1
      -p FAST_Q=1 -p FLUSH_Q=1 -p REF_W=2)

eight=(-p QUEUES=8 -p ENTRIES=32 -p BANKS=2 -p DSLOTS=16 -p WARPS=8 -p PAYLOAD_W=32 -p STATUS=one_hot)

cd "$tmp" || exit 1
try "all profiles at the default size" "[TR-0 TR-1 TR-2 TR-3 TR-5 TR-6 TR-7 TR-8 TR-9 TR-14 TR-18]" -- run --seed 1 --cycles 100000
try "all profiles, three queues over 16 entries" "[TR-9 TR-10 TR-11 TR-12 TR-13 TR-17]" -- run "${small[@]}" --seed 2 --cycles 200000
try "halts, resets, saves and loads of the unit under traffic" "[TR-16 US-3 US-4 US-5 US-7 US-9 US-14]" -- \
  run "${small[@]}" -p STATUS=one_hot --stimulus random:halts --seed 2 --cycles 300000
try "the same with a free list" "[TR-5 TR-16 US-9]" -- \
  run "${small[@]}" -p STATUS=one_hot -p ALLOC=free_list --stimulus random:halts --seed 2 --cycles 300000
try "the same, two queues over 4 entries" "[TR-16 US-9]" -- run "${tiny[@]}" -p STATUS=two_of_four --stimulus random:halts --seed 3 --cycles 200000
try "switches with outputs that are seldom read: when state packets and flush tokens leave" "[TR-11 TR-13 TR-16 US-9]" -- \
  run "${small[@]}" -p STATUS=one_hot --stimulus random:blocked --seed 1 --cycles 100000
try "the same, eight queues, a free list" "[TR-11 TR-13 TR-16 US-9]" -- \
  run "${eight[@]}" -p ALLOC=free_list --stimulus random:blocked --seed 2 --cycles 100000
try "resets in the middle of saves and loads" "[TR-16 US-7 US-9]" -- \
  run "${tiny[@]}" -p STATUS=two_of_four --stimulus random:breaks --seed 1 --cycles 200000
try "the same, three queues, a free list" "[TR-16 US-7 US-9]" -- \
  run "${small[@]}" -p STATUS=one_hot -p ALLOC=free_list --stimulus random:breaks --seed 2 --cycles 200000
try "halts at the default size" "[TR-16 US-9]" -- run -p STATUS=one_hot --stimulus random:halts --seed 4 --cycles 100000
try "all profiles, two queues over 4 entries" "[TR-3 TR-10 TR-13 TR-15]" -- run "${tiny[@]}" --seed 3 --cycles 200000

# Seeds left by a defect: the number of an oldest wavefront that had long left came round again and let a group start early.
short=(-p QUEUES=17 -p ENTRIES=32 -p BANKS=2 -p DSLOTS=12 -p SECTORS=1 -p WARPS=33 -p PAYLOAD_W=31 -p STATE_Q=17 -p FAST_Q=9
       -p FLUSH_Q=33 -p REF_W=3)
try "the head runs round the whole pool, 17 queues over 32 entries" "[TR-9 TR-10]" -- run "${short[@]}" --seed 113 --cycles 40000
try "the same, another seed" "[TR-9 TR-10]" -- run "${short[@]}" --seed 127 --cycles 40000

directed() { try "directed: $1" "[$2]" -- run --stimulus "directed:$1" --seed 1; }
each_stimulus directed tracker directed
try "every directed test in turn, small" "[TR-9 TR-11]" -- run "${small[@]}" --stimulus directed --seed 1
# State packets and flush tokens that waited behind a switch for younger wavefronts of the commit FIFOs.
for alloc in in_order free_list; do
  for path in lg tex; do
    try "behind a switch only older wavefronts are waited for: $alloc, $path" "[TR-11 TR-13 TR-16]" -- \
      run "${eight[@]}" -p ALLOC=$alloc --stimulus directed:switch_younger_$path --seed 1
  done
done
exit $failed
