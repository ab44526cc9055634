#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# What a small HOME_ENTRIES costs, as docs/line_home.md says: 7 caches that hold 224 lines of 128 bytes ask for random lines.
. verif/tests/lib.sh
. verif/atomic_merge/tests/bench_lib.sh

asks() { "$tmp/$1" CACHES=7 LINE_BYTES=128 HOME_ENTRIES="$2" gap="$3"; }
said() { # PROGRAM: of four sizes, all that is possible, then seldom: answered, latency, recalls
  local entries gap
  for gap in 1 300; do for entries in 512 256 128 64; do asks "$1" $entries $gap; done; done | awk '{print $2, $4, $6}' > "$tmp/said"
}
holds() { # EXPRESSION of a[i], l[i], r[i]: answered, latency, recalls in the order of `said`
  awk "{a[NR] = \$1; l[NR] = \$2; r[NR] = \$3} END {exit !($1)}" "$tmp/said" || { tr '\n' ';' < "$tmp/said"; return 1; }
}
few='r[1] * 50 < a[1]'
half='a[3] * 2 > a[1] && a[3] * 5 < a[1] * 3'

try "recalls: the program builds" -- builds recalls verif/atomic_system/tests/recalls_test.c
try "recalls: the program runs" -- said recalls
try "recalls: with twice the lines held next to none" "[AM-15]" -- holds "$few"
try "recalls: with all lines held 0.9 of the rate or more, half of them a little more than half of it" "[AM-15]" -- holds "a[2] * 10 > a[1] * 9 && $half"
try "recalls: the latency under full load is that of the same number of requests at a lower rate" "[AM-15]" -- \
  holds 'a[3] * l[3] < a[1] * l[1] * 1.1 && a[3] * l[3] > a[1] * l[1] * 0.9 && a[4] * l[4] < a[1] * l[1] * 1.1'
try "recalls: the latency under a light load" "[AM-15]" -- holds 'l[5] <= 100 && l[6] <= 115 && l[7] <= 170 && l[8] <= 205'
builds bad verif/atomic_system/tests/recalls_test.c line_home/block.c 's/l->entries = (unsigned)value\[HOME_ENTRIES\]/l->entries = 64/' && said bad
try "recalls: a home that always has 64 entries is seen" "[AM-15]" -- eval "! holds '$few' > /dev/null"
try "recalls: it is as slow with all of them" "[AM-15]" -- eval "! holds '$half' > /dev/null"
exit $failed
