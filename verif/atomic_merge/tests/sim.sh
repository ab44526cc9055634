#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 2
# `simtgen sim atomic_merge`: recorded atomics on several caches have a serial order, merging wins what it should, and a broken
# trace is refused with its line.
. verif/tests/lib.sh
traces=$root/verif/atomic_merge/traces

# CONDITIONS, in Python on the statistics `s`, then the arguments of the command.
holds() {
  local conditions=$1
  shift
  timeout 200 "$SIMTGEN" sim atomic_merge "$@" --json > "$tmp/out" || return 1
  python3 - "$tmp/out" "$conditions" <<'PYTHON'
import json, sys
from types import SimpleNamespace
s = json.load(open(sys.argv[1]), object_hook=lambda d: SimpleNamespace(**d))
for condition in sys.argv[2].split(";"):
    assert eval(condition.strip()), f"{condition.strip()} is false: {vars(s)}"
PYTHON
}
sums='s.accumulated + s.in_place + s.waited == s.operations; s.no_merging.accumulated == 0; s.no_merging.operations == s.operations'

for i in $(seq 0 39); do echo "$i 0 add 4 700000000 1 n"; done > "$tmp/counter.atm"
many=(--trace "$tmp/counter.atm" --replay caches=40)
try "sim: one counter, 40 caches, 20 cycles from merge to arrival: 39 per cycle" "[AM-7 AM-8]" -- \
  holds "s.hop <= 20.5; s.hop >= 19.5; s.steady_rate >= 39; s.same_as_in_order == 1; s.no_merging.rate < 1; $sums" \
  "${many[@]}" --replay transport=6 --replay repeat=20000
try "sim: 1,000 increments each from cold: near the limit of 20" "[AM-7]" -- \
  holds "s.operations == 40000; 18 < s.rate < 20.5; s.same_as_in_order == 1; $sums" "${many[@]}" --replay transport=6 --replay repeat=1000
try "sim: strict increments have a serial order, too" "[AM-10 AM-13]" -- \
  holds "s.operations == 40000; s.same_as_in_order == 1; s.steady_rate < 39; $sums" \
  "${many[@]}" --replay transport=6 --replay repeat=1000 --replay strict=1

for i in 0 1 2 3; do for k in 1 2 3 4; do echo "$i 0 smin 4 700000000 $k r"; echo "$i 0 smax 4 700000010 $k r"; done; done > "$tmp/box.atm"
box=(--trace "$tmp/box.atm" --replay repeat=500)
try "sim: a bounding box takes fewer visits with a second temporary line" "[AM-12]" -- \
  holds "s.same_as_in_order == 1; s.waited < s.operations / 100; $sums" "${box[@]}"
try "sim: with one temporary line the other operation waits" "[AM-12]" -- \
  holds "s.same_as_in_order == 1; s.waited > s.operations / 10; $sums" "${box[@]}" -p MAX_TEMPS=1

for n in 1 4 16; do
  for strict in 0 1; do
    with=(--replay "caches=$n" --replay "strict=$strict")
    try "sim: chai_hsti on $n caches, strict $strict" "[AM-7 AM-15]" -- \
      holds "s.operations == 4096; s.same_as_in_order == 1; s.cycles < s.no_merging.cycles; $sums" --trace "$traces/chai_hsti.atm.gz" "${with[@]}"
    try "sim: heteromark_hist on $n caches, strict $strict" "[AM-7 AM-15]" -- \
      holds "s.operations == 6000; s.same_as_in_order == 1; $sums" --trace "$traces/heteromark_hist.atm.gz" "${with[@]}"
    try "sim: piglit_atomics on $n caches, strict $strict" "[AM-1 AM-7 AM-12 AM-15]" -- \
      holds "s.operations == 6000; $sums" --trace "$traces/piglit_atomics.atm.gz" "${with[@]}"
  done
done

refused() { # LINE PATTERN
  printf '# comment\n0 0 add 4 700000000 1 n\n%s\n' "$1" > "$tmp/bad.atm"
  status 2 "$SIMTGEN" sim atomic_merge --trace "$tmp/bad.atm" > "$tmp/said" 2>&1 || { cat "$tmp/said"; return 1; }
  grep -qE "bad.atm:3:[0-9]*:? .*$2" "$tmp/said" || { cat "$tmp/said"; return 1; }
}
try "sim: an unknown operation is refused with its line" "[AM-16]" -- refused '0 0 nand 4 700000000 1 n' 'operation: got'
try "sim: a size of 2 bytes is refused" "[AM-16]" -- refused '0 0 add 2 700000000 1 n' 'size: got'
try "sim: a misaligned address is refused" "[AM-16]" -- refused '0 0 add 8 700000004 1 n' 'address: got'
try "sim: a compare-and-swap without its value is refused" "[AM-16]" -- refused '0 0 cas 4 700000000 1 n' 'compare'
try "sim: a line that goes on is refused" "[AM-16]" -- refused '0 0 add 4 700000000 1 n n' ''
try "sim: a line that stops is refused" "[AM-16]" -- refused '0 0 add 4 700000000 1' 'result'
far() {
  printf '0 0 add 4 0 1 n\n0 0 add 4 1000000000 1 n\n' > "$tmp/far.atm"
  status 2 "$SIMTGEN" sim atomic_merge --trace "$tmp/far.atm" 2>&1 | grep -q 'ADDR_W'
}
try "sim: addresses that lie too far apart are refused" "[AM-16]" -- far
exit $failed
