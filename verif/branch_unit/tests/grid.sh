#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# Every configuration of the grid in lockstep: random stimulus and the directed tests.
. verif/tests/lib.sh
grid branch_unit "[BU-1 BU-2 BU-3 BU-4 BU-5 BU-6]" 60000
exit $failed
