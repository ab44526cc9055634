#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# each: block
# timeout: 36000
# Every mutation of the configurations of verif/BLOCK/mutants.txt is accounted for.
. verif/tests/lib.sh
for block in $(blocks); do
  if [ ! -e "verif/$block/mutants.txt" ]; then # a block that contains others has none: theirs are accounted for
    try "$block contains other blocks, or has a list of mutants" -- grep -q '"uses": \[\s*"' <("$SIMTGEN" describe "$block" --json | tr '\n' ' ')
    continue
  fi
  try "$block: every mutant is found, or among the few unresolved that a search does not tell apart" -- \
    nice -n 5 python3 verif/mutate/mutants.py "$block" --output "$tmp/$block.txt"
done
exit $failed
