#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# The configurations of the grid whose RTL takes minutes to compile.
. verif/tests/lib.sh
SELECT=THREADS=1024 ELSEWHERE=grid.sh GRID_SECONDS=1400 grid branch_stack "[BU-3 BU-4 BU-5 BU-6]" 30000
exit $failed
