#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: block
# rotate: 3
# timeout: 900
# The four engines agree with the model: one of three small configurations of each block, by rotation; of a block that joins others
# always the same. The netlists of synth_ice40 and synth_ecp5: engines_faults.sh, and the whole grid in engines_long.sh.
. verif/tests/lib.sh
for block in $(blocks); do
  python3 verif/tools/engines.py "$block" --few --cycles 5000 --timeout 200 || failed=1
done
[ "${block:-}" ] || { echo "not ok engines: no block"; exit 1; }
exit $failed
