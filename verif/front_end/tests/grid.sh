#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Configurations of the grid of up to eight units in lockstep; larger ones, whose RTL takes longer to compile: grid_long.sh.
. verif/tests/lib.sh
SELECT='UNITS=[1-8]( |$)' ELSEWHERE=grid_long.sh grid front_end "[US-6 US-7 US-8 US-9 US-12]" 50000
exit $failed
