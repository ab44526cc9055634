#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: block
# rotate: 12
# timeout: 900
# The grid of a block in lockstep: random stimulus and the directed tests at its configurations.
. verif/tests/lib.sh
for block in $(blocks); do grid "$block"; done
[ "${block:-}" ] || { echo "not ok grid: no block"; exit 1; }
exit $failed
