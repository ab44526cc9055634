#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
# The small configurations of the grid in lockstep, random and directed. All of them: grid_long.sh.
. verif/tests/lib.sh
SELECT='UNITS=(1 COMM|3 |6 |9 GROUP=2)' ELSEWHERE=grid_long.sh \
  grid front_end_monitor "[US-7 US-8 US-10 US-11 US-12 US-15]" 40000
exit $failed
