#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 1200
# The configurations of the grid in lockstep: random stimulus and the directed tests. The two whose runs take longest, with
# wide lines for 40 and 64 caches: grid_long.sh.
. verif/tests/lib.sh
LEAVE='CACHES=(40|64) LINE_BYTES=64' ELSEWHERE=grid_long.sh grid line_home "[AM-15 AM-16]" 30000
exit $failed
