#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 1200
# Every configuration of the grid in lockstep: random stimulus and the directed tests.
. verif/tests/lib.sh
grid atomic_system "[AM-2 AM-8 AM-15 AM-16]" 20000
exit $failed
