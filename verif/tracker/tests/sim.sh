#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# `simtgen sim tracker`: the statistics add up on every excerpt, small cases come out as reckoned by hand, the ideal and
# the modes lie where they must, and a file's form makes no difference.
set -u
simtgen=${SIMTGEN:-build/simtgen}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
traces=verif/tracker/traces
failed=0
result() { # NAME STATUS
  if [ "$2" = 0 ]; then echo "ok $1"; else
    echo "not ok $1: $(tail -n 1 "$tmp/log")"
    failed=1
  fi
}

# NAME, then conditions on the statistics `s` in Python, then the arguments of the command.
holds() {
  local name=$1 conditions=$2
  shift 2
  timeout 100 "$simtgen" sim tracker "$@" --json > "$tmp/out" 2> "$tmp/log" &&
    python3 - "$tmp/out" "$conditions" 2> "$tmp/log" <<'PYTHON'
import json, sys
from types import SimpleNamespace
s = json.load(open(sys.argv[1]), object_hook=lambda d: SimpleNamespace(**d))
others = [s.fifo, s.mode1, s.mode2, s.mode3, s.ideal, s.fifo_by_wavefront]
for condition in sys.argv[2].split(";"):
    assert eval(condition.strip()), f"{condition.strip()} is false"
PYTHON
  result "$name" $?
}

# Every system takes each access once. Ends without banks make the number of slow wavefronts differ.
adds_up='s.schema == 1 and s.block == "tracker"; all(x.operations == x.slow + x.fast for x in [s, *others]);
  all(x.instructions == s.instructions for x in others); all(x.cycles - x.idle_cycles <= x.operations for x in [s, *others]);
  all(x.in_flight_max <= 512 and x.misses_max <= 512 for x in [s, *others]); s.memory_latency == 200; s.picker == "greedy_oldest";
  s.replay.cache_kib == 64 and s.replay.outstanding == 1; all(x.fills >= x.allocations for x in [s, *others])'
for f in "$traces"/*.mem.gz; do
  holds "sim: statistics add up on excerpt $(basename "$f" .mem.gz) [TR-18]" "$adds_up" --trace "$f"
done
for f in "$traces"/*.mem.gz; do
  grep -q "^$(basename "$f") " $traces/PROVENANCE.txt
  result "sim: the origin of excerpt $(basename "$f" .mem.gz) is named" $?
done

# One load: its sector is asked for in the cycle in which the wavefront enters the queue before the tracker, is filled 50
# cycles later, and is out 10 cycles after the fill; the wavefront was taken one cycle after it was asked for.
printf 'W 0 0\n3 g l 4 1 7000\n' > "$tmp/one.mem"
holds "sim: fill to output takes 10 cycles in all systems but one [TR-8]" \
  's.fifo.lg_wait_max == 59; s.ideal.lg_wait_max == 59; s.lg_wait_max <= 59; s.lg_wait_max > 49; s.lg_load_max == s.fifo.lg_load_max;
   s.fifo_by_wavefront.lg_wait_max == 50; s.operations == 1; s.fills == 1; s.allocations == 1' \
  --trace "$tmp/one.mem" --latency 50 --replay spread=0
# A hit, a store and an atomic go past the tracker; the atomic is answered by memory.
printf 'W 0 0\n3 g l 4 1 7000\n0 g l 4 1 7004\n0 g s 4 1 9000\n0 g a 4 1 a000\n0 g l 4 1 7008\n' > "$tmp/fast.mem"
holds "sim: hits, stores and atomics go the fast path [TR-12]" \
  'all(x.slow == 1 and x.fast == 4 and x.fills == 1 for x in [s, *others]); s.cycles > 200' \
  --trace "$tmp/fast.mem" --latency 100 --replay spread=0
# Warp 0 waits for 32 sectors, warp 1 for the first of them alone: behind a FIFO it waits for all.
{ printf 'W 0 0\n0 g l 4 ffffffff'; for i in $(seq 0 31); do printf ' %x' $((0x10000 + 128 * i)); done
  printf '\nW 1 0\n9 g l 4 1 10000\n'; } > "$tmp/order.mem"
holds "sim: another queue's wavefront overtakes, the FIFO's does not [TR-2]" \
  's.lg_load_mean < 0.8 * s.mode1.lg_load_mean; s.ideal.lg_load_mean < 0.8 * s.fifo.lg_load_mean;
   abs(s.mode1.lg_load_max - s.fifo.lg_load_max) <= 12; s.slow == 9' \
  --trace "$tmp/order.mem" --latency 50 --replay spread=0 --replay fill_interval=20
# Texture goes the slow way although its data are there; 4 texels with gap 0 are one instruction.
printf 'W 0 0\n3 t l 4 1 7000\n0 t l 4 1 7004\n0 t l 4 1 7008\n0 t l 4 1 700c\n9 t l 4 1 7000\n' > "$tmp/texture.mem"
holds "sim: texture hits go the slow way, texels are one instruction [TR-12]" \
  's.instructions == 2; s.slow == 2; s.fast == 0; s.fills == 1; "tex_wait_max" in s.__dict__; "lg_wait_max" not in s.__dict__' \
  --trace "$tmp/texture.mem"
# An instruction longer than the pool: groups let it pass.
{ printf 'W 0 0\n0 g l 4 ffffffff'; for i in $(seq 0 31); do printf ' %x' $((0x10000 + 512 * i)); done; printf '\n'; } > "$tmp/long.mem"
holds "sim: an instruction longer than the pool passes [TR-10]" 's.slow > 4; s.cycles < 3000; s.in_flight_max <= 4' \
  --trace "$tmp/long.mem" -p ENTRIES=4 -p BANKS=1 --replay cache_kib=16

# The same accesses as text, gzip, with other line ends, without the last one.
printf '# h\nW 0 0\n3 g l 4 3 7000 70AB0\n' > "$tmp/a.mem"
gzip -nc "$tmp/a.mem" > "$tmp/b.mem.gz"
sed 's/$/\r/' "$tmp/a.mem" > "$tmp/c.mem"
printf 'W  0\t0\n3 g  l 4 3 7000 70ab0' > "$tmp/d.mem"
for f in a.mem b.mem.gz c.mem d.mem; do
  timeout 60 "$simtgen" sim tracker --trace "$tmp/$f" --json 2> "$tmp/log" | grep -v '"trace"' > "$tmp/$f.json"
  [ -s "$tmp/$f.json" ] && cmp "$tmp/a.mem.json" "$tmp/$f.json" >> "$tmp/log" 2>&1
  result "trace form $f" $?
done
"$simtgen" sim tracker --trace "$tmp/one.mem" > "$tmp/out" 2> "$tmp/log"
[ $? = 0 ] && grep -q "^  *tracker  *fifo  *mode1  *mode2  *mode3  *ideal  *fifo_by_wavefront$" "$tmp/out"
result "sim: the table has a column for each system" $?
exit $failed
