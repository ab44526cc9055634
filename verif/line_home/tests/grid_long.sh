#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1800
# The whole grid, for longer.
. verif/tests/lib.sh
MOST=1000 GRID_SECONDS=900 grid line_home "[AM-15 AM-16]" 100000
exit $failed
