#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 7200
# The whole grid, a million cycles each.
export SELECT=1 CYCLES=1000000
exec "$(dirname "$0")/grid.sh"
