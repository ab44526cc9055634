#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# The configurations of the grid in lockstep: random stimulus and the directed tests. The RTL of 1,024 threads takes minutes to
# compile: grid_long.sh.
. verif/tests/lib.sh
LEAVE=THREADS=1024 ELSEWHERE=grid_long.sh \
  grid stack_barrel "[SC-1 SC-2 SC-3 SC-4 SC-5 SC-6 SC-8 SC-9 SC-10 SC-11 SC-12]" 20000
exit $failed
