#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# rotate: 1
# each: block
# timeout: 36000
# The four engines agree with the model over the whole grid of each block.
. verif/tests/lib.sh
for block in $(blocks); do
  nice -n 5 python3 verif/tools/engines.py "$block" --cycles 20000 || failed=1
done
[ "${block:-}" ] || { echo "not ok engines: no block"; exit 1; }
exit $failed
