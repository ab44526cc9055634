#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# What the datasheet says of rates and latencies is measured, over configurations; a short queue is warned of.
. verif/tests/lib.sh
. verif/atomic_merge/tests/bench_lib.sh
source=verif/atomic_merge/tests/rates_test.c

holds() { # PARAMETERS: what is stated is what is measured, and something was
  # shellcheck disable=SC2086
  "$tmp/rates" $1 > "$tmp/log" || { grep -v '^same' "$tmp/log" | head -n 3; return 1; }
  grep -q '^same RATE' "$tmp/log"
}
warns() { # BLOCK QUEUE: on standard error of describe, once
  "$SIMTGEN" describe "$1" -p QUEUE="$2" 2> "$tmp/err" > "$tmp/out" && [ "$(grep -c 'QUEUE = ' "$tmp/err")" = "$3" ] || { cat "$tmp/err"; return 1; }
}
always try "rates: the measuring program builds" -- builds rates "$source"
while read -r parameters; do try "rates are as stated: ${parameters:-the default}" "[AM-3 AM-7 AM-8]" -- holds "$parameters"; done <<'CONFIGURATIONS'

QUEUE=2
QUEUE=4 ATOMIC_MUL=wait OP_STAGES=3
QUEUE=8 ATOMIC_WRAP=extra
LINE_BYTES=128 MERGE_LANES=2 LINES=16 ATOMIC_MOD=wait
ATOMIC_SAT=wait ATOMIC_WRAP=wait ATOMIC_MOD=wait ATOMIC_MUL=wait ATOMIC_FADD=wait ATOMIC_FMUL=extra ATOMIC_FMIN=wait ATOMIC_FMAX=wait
ATOMIC_FADD=wait OP_STAGES=8 MERGE_LANES=16
ATOMIC_FADD=wait FLOAT_MERGE=0 OP_STAGES=5
LINE_BYTES=16 MERGE_LANES=2
LINE_BYTES=16 MERGE_LANES=4
LINE_BYTES=64 MERGE_LANES=4
LINE_BYTES=16 MERGE_LANES=2 ATOMIC_MUL=wait OP_STAGES=3
LINE_BYTES=32 MERGE_LANES=4 ATOMIC_MUL=wait OP_STAGES=3
LINE_BYTES=32 MERGE_LANES=8 ATOMIC_MUL=wait ATOMIC_WRAP=wait OP_STAGES=8
LINE_BYTES=128 MERGE_LANES=2 ATOMIC_FMIN=wait ATOMIC_WRAP=wait OP_STAGES=6
ATOMIC_ADD=keep_extra ATOMIC_FADD=keep_wait
ATOMIC_ADD=none ATOMIC_AND=none ATOMIC_OR=none ATOMIC_XOR=none ATOMIC_SWAP=none ATOMIC_CAS=wait
BIG_ENDIAN=1 TID_CHECK=1 COUNTERS=1 STATUS=one_hot
CONFIGURATIONS
for block in atomic_merge atomic_system; do
  for queue in 2 4; do try "$block: a queue of $queue is warned of" "[AM-3]" -- warns $block $queue 1; done
  try "$block: a queue of 8 is not warned of" "[AM-3]" -- warns $block 8 0
done
try "rates: a latency that is stated too short is seen" "[AM-3]" -- planted "$source" '^DIFFERS LATENCY' atomic_merge/block.c 's/"LATENCY", 13 +/"LATENCY", 12 +/' ATOMIC_WRAP=extra
try "rates: a gap that is stated too short is seen" "[AM-3]" -- planted "$source" '^DIFFERS GAP_UNIT' atomic_merge/block.c 's/"GAP_UNIT", l->apart/"GAP_UNIT", 1/' ATOMIC_WRAP=extra
try "rates: a merge that is stated too short is seen" "[AM-8]" -- planted "$source" '^DIFFERS RELEASE_CYCLES' atomic_merge/block.c 's/(l->beats, 2) + 3/(l->beats, 2) + 2/' ATOMIC_WRAP=extra
exit $failed
