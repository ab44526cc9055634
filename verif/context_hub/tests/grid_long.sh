#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1800
# Every configuration of the grid in lockstep.
MOST=1000 exec verif/context_hub/tests/grid.sh
