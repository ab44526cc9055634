#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# The configurations of the grid of 256 units and more.
SELECT='/UNITS=(256|300|1024)/' CYCLES=5000 verif/status_tree/tests/grid.sh
