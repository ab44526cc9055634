#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# rotate: 1
# timeout: 14400
# Litmus tests over a million random timings each, and as many with the home two cycles further away. LITMUS_STAGES="0" runs the first half
# alone. The models are compiled anew as one program, which makes them a fifth faster.
. verif/tests/lib.sh
. verif/atomic_system/tests/litmus_lib.sh
mapfile -t sources < <(cd "$B/obj" && find cmodel verif -name '*.o' | sed 's/o$/c/')
gcc -std=gnu11 -O3 -march=native -flto=auto -fwhole-program -Icmodel/core -Iverif/core -Icmodel -Iverif -o "$tmp/litmus" \
  verif/atomic_system/tests/litmus_test.c "${sources[@]}" "$B"/{blocks,verifs}.c -lz -lm -lpthread || { echo "not ok litmus: it does not link"; exit 1; }
for stages in ${LITMUS_STAGES:-0 2}; do all_litmus "${LITMUS_RUNS:-1000000}" "$stages"; done
exit $failed
