#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 7200
# The whole grid, a million cycles each.
. verif/tests/lib.sh
GRID_SECONDS=1500 grid front_end "[US-6 US-7 US-8 US-9 US-12]" 1000000
exit $failed
