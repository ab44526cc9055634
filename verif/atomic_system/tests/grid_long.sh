#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# The configurations of the grid whose RTL takes long to compile.
. verif/tests/lib.sh
SELECT='CACHES=[345]' ELSEWHERE=grid.sh GRID_SECONDS=1400 grid atomic_system "[AM-2 AM-8 AM-15 AM-16]" 60000
exit $failed
