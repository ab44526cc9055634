#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3600
# Every configuration of the grid in lockstep.
MOST=1000 exec verif/const_cache/tests/grid.sh
