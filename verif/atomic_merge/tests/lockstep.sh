#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# Model, RTL and the serial-order checker of atomic_merge side by side: three sizes, each profile, each directed test.
. verif/tests/lib.sh

run() { timeout 250 "$SIMTGEN" check atomic_merge -q -p WITNESS=1 "$@"; }
tiny=(-p LINE_BYTES=16 -p LINES=4 -p WAYS=2 -p QUEUE=2 -p STALL_BUF=2 -p MERGE_LANES=2 -p MISSES=2 -p MAX_TEMPS=1 -p OLD_LINES=2
  -p TID_W=4 -p ADDR_W=16)
one_beat=(-p LINE_BYTES=32 -p LINES=16 -p WAYS=8 -p MERGE_LANES=8 -p MISSES=4 -p MAX_TEMPS=3 -p OLD_LINES=4 -p STALL_BUF=17 -p TID_W=5
  -p ADDR_W=33)

cd "$tmp" || exit 1
try "all profiles, smallest" "[AM-1 AM-4 AM-5 AM-6 AM-14 AM-15]" -- run "${tiny[@]}" --seed 2 --cycles 100000
try "all profiles, one beat a line, three temporary lines" "[AM-4 AM-5 AM-12 AM-14]" -- run "${one_beat[@]}" --seed 3 --cycles 100000
# Of a run without many halts and one with, what both miss.
reached() {
  local size=(atomic_merge -p WITNESS=1 -p COUNTERS=1 -p STATUS=one_hot -p LINE_BYTES=32 -p MERGE_LANES=4 -p ATOMIC_MUL=keep_extra
    -p ATOMIC_WRAP=extra -p ATOMIC_XOR=keep_wait -p ATOMIC_SAT=wait --coverage --seed 1)
  "$SIMTGEN" check "${size[@]}" --cycles 180000 > "$tmp/random" && measured "$tmp/random" || { tail -n 5 "$tmp/random"; return 1; }
  "$SIMTGEN" check "${size[@]}" --cycles 400000 --stimulus random:halts > "$tmp/halts" && measured "$tmp/halts" || { tail -n 5 "$tmp/halts"; return 1; }
  ! comm -12 <(grep -E '^  (missed|not reached:)' "$tmp/random" | sort) <(grep -E '^  (missed|not reached:)' "$tmp/halts" | sort) | grep .
}
try "every coverage point is hit, every line reached" "[AM-1 AM-2 AM-7 AM-8 AM-13]" -- reached

unit() { case " $1 " in *" AM-17"*) echo "-p STATUS=one_hot";; esac; }
# shellcheck disable=SC2046
profile() { try "profile: $1" "[$2]" -- run $(unit "$2") --stimulus "random:$1" --seed 4 --cycles 40000; }
each_stimulus random atomic_merge profile
# shellcheck disable=SC2046
directed() { try "directed: $1" "[$2]" -- run $(unit "$2") --stimulus "directed:$1" --seed 1; }
each_stimulus directed atomic_merge directed
exit $failed
