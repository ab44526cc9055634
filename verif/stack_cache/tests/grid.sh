#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Each second configuration of the grid in lockstep: random stimulus and the directed tests. All of them, and 1,024 threads, whose
# RTL takes minutes to compile: grid_long.sh.
. verif/tests/lib.sh
LEAVE=THREADS=1024 \
  grid stack_cache "[SC-1 SC-2 SC-3 SC-4 SC-5 SC-6 SC-8 SC-9 SC-10 SC-11 SC-12]" 20000
exit $failed
