#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Every configuration of the grid of up to 100 units in lockstep, random and directed. Larger ones (their RTL takes up to
# a minute to compile, their cycles some 50 us): grid_long.sh.
. verif/tests/lib.sh
LEAVE='UNITS=(256|300|1024)' ELSEWHERE=grid_long.sh grid status_tree "[US-1 US-6 US-7]" 30000
exit $failed
