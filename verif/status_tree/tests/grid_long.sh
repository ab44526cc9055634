#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# The configurations of the grid of 256 units and more.
. verif/tests/lib.sh
SELECT='UNITS=(256|300|1024)' ELSEWHERE=grid.sh grid status_tree "[US-1 US-6 US-7]" 5000
exit $failed
