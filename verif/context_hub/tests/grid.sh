#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Some configurations of the grid in lockstep, small and large: random stimulus and the directed tests. All: grid_long.sh.
. verif/tests/lib.sh
SELECT='UNITS=(1 CTX|7 |31 |513 )|CTX_STRIDE_LG=15' ELSEWHERE=grid_long.sh grid context_hub "[US-6 US-9]" 60000
exit $failed
