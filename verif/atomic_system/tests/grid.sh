#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 1200
# The configurations of the grid in lockstep: random stimulus and the directed tests. The RTL of three caches and more takes
# a minute and more to compile: lockstep.sh has the default, grid_long.sh the others.
. verif/tests/lib.sh
LEAVE='CACHES=[345]' ELSEWHERE='lockstep.sh and grid_long.sh' grid atomic_system "[AM-2 AM-8 AM-15 AM-16]" 20000
exit $failed
