#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# The configurations of the grid in lockstep: random stimulus and the directed tests. The RTL of 1,024 groups takes minutes to
# compile: grid_long.sh.
. verif/tests/lib.sh
LEAVE=THREADS=1024 ELSEWHERE=grid_long.sh grid branch_stack "[BU-3 BU-4 BU-5 BU-6]" 30000
exit $failed
