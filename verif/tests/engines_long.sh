#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 36000
# The four engines agree with the model over the whole grid of each block.
. verif/tests/lib.sh
for block in $("$SIMTGEN" list --json | python3 -c 'import json, sys; [print(b["name"]) for b in json.load(sys.stdin)["blocks"]]'); do
  nice -n 5 python3 verif/tools/engines.py "$block" --cycles 20000 || failed=1
done
exit $failed
