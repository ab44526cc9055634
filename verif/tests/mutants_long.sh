#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 36000
# Every mutation of the configurations of verif/BLOCK/mutants.txt is accounted for.
. verif/tests/lib.sh
for list in verif/*/mutants.txt; do
  block=$(basename "$(dirname "$list")")
  try "$block: every mutant is found, proved equivalent, or among the few unresolved" -- \
    nice -n 5 python3 verif/mutate/mutants.py "$block" --output "$tmp/$block.txt"
done
exit $failed
