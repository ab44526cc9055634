#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Tree, monitor and hub as one block in lockstep, with units made of the two cells' models: contexts come back as they
# went, every functional point is hit.
. verif/tests/lib.sh
cd "$tmp" || exit 1
run() { timeout 150 "$SIMTGEN" check front_end -q "$@"; }
domains=(-p UNITS=4 -p GROUP=2 -p COMMANDS=group -p DOMAINS=2 -p ENCODING=two_of_four -p LOCAL_CONTEXTS=1 -p LOCAL_WORDS=16)
try "all profiles, four units, broadcast" "[US-3 US-5 US-6 US-7 US-8 US-9 US-10 US-12]" -- run --seed 1 --cycles 300000
directed() { # NAME REQUIREMENTS
  try "directed: $1" "[$2]" -- run --stimulus "directed:$1" --seed 1
  try "directed: $1, two domains, a local slot" "[$2]" -- run "${domains[@]}" --stimulus "directed:$1" --seed 1
}
each_stimulus directed front_end directed
try "every point, two domains, a local slot" "[US-3 US-7 US-8 US-9 US-10 US-12]" -- all_hit points front_end --cycles 1500000 --seed 5 "${domains[@]}"
exit $failed
