#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The cells unit_status_fsm and context_port: alone against the table of transitions, and in the example unit.
EXTRA=verif/tests/unit_status
. verif/tests/lib.sh
with_extra || { echo "not ok unit status: the program with the example unit does not build"; exit 1; }
mkdir "$tmp/run" && cd "$tmp/run" || exit 1

for e in one_hot two_of_four binary; do
  try "every transition, taken and not, with $e [US-1 US-3 US-7]" -- all_hit all status_fsm -p ENCODING=$e --seed 1 --cycles 200000
done
try "the example unit halts, saves, loads and goes on [US-2 US-4 US-5 US-7 US-9 US-13 US-14]" -- \
  all_hit all gather_sum --seed 1 --cycles 1000000

# The sweep offers a context with each bit flipped, cut at each word and so on, and expects each error by name.
swept() {
  local said
  said=$(timeout 150 "$SIMTGEN" check gather_sum --stimulus directed:sweep --seed "$1") || { echo "$said"; return 1; }
  [ "$(sed -n 's/.* cycles compared, \([0-9]*\) operations.*/\1/p' <<<"$said")" -gt 320 ] || { echo "$said"; return 1; }
}
for seed in 1 2 3; do
  try "every flipped bit, every cut, foreign and too long contexts are refused, seed $seed [US-9]" -- swept $seed
done
exit $failed
