#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Some configurations of the grid in lockstep: random stimulus and the directed tests. grid_long.sh: all of them.
. verif/tests/lib.sh
MOST=${MOST:-8} grid const_cache "[CC-1 CC-2 CC-3 CC-15]" 60000
exit $failed
