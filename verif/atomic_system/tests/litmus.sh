#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 600
# Litmus tests on the C model of atomic_system with random timings: store buffering, message passing, coherence, fetch-and-add and a ticket
# lock, fences. A forbidden outcome fails; one that is allowed where nobody waits has to be seen.
. verif/tests/lib.sh
. verif/atomic_system/tests/litmus_lib.sh
models litmus verif/atomic_system/tests/litmus_test.c || { echo "not ok litmus: it does not link"; exit 1; }
all_litmus "${LITMUS_RUNS:-5000}" 0
exit $failed
