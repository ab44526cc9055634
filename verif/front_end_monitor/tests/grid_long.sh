#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# Every configuration of the grid.
SELECT=1 CYCLES=200000 verif/front_end_monitor/tests/grid.sh
