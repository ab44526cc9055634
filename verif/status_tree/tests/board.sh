#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 900
# The self-test on a board of the smallest block: netlist, planted fault, bitstream, wrong requests.
exec "$(dirname "$0")/../../tests/boards.py" --one status_tree conn_progress_o UNITS
