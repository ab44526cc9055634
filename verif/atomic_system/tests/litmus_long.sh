#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 14400
# Litmus tests over a million random timings each, and as many with the home two cycles further away.
. verif/tests/lib.sh
. verif/atomic_system/tests/litmus_lib.sh
models litmus verif/atomic_system/tests/litmus_test.c || { echo "not ok litmus: it does not link"; exit 1; }
all_litmus 1000000 0
all_litmus 1000000 2
exit $failed
