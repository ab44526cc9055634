#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 900
# Each second configuration of the grid in lockstep: random stimulus and the directed tests. grid_long.sh: all of them.
. verif/tests/lib.sh
grid tracker "[TR-0 TR-1 TR-2 TR-3 TR-7 TR-9 TR-10 TR-11 TR-12 TR-13 TR-14 TR-15 TR-17]" 40000
exit $failed
