#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 1200
# Every configuration of the grid in lockstep: random stimulus and the directed tests.
. verif/tests/lib.sh
grid line_home "[AM-15 AM-16]" 30000
exit $failed
