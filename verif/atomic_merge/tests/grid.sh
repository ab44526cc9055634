#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 1200
# Each second configuration of the grid in lockstep: random stimulus and the directed tests. grid_long.sh: all of them.
. verif/tests/lib.sh
grid atomic_merge "[AM-1 AM-2 AM-3 AM-7 AM-8 AM-12 AM-14]" 60000
exit $failed
