#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# The whole grid of grid.sh.
MOST=1000 exec verif/tracker/tests/grid.sh
