#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 1
# timeout: 900
# Litmus programs on the transaction level, TIMINGS (3,000, at night 10,000) random timings of each: forbidden outcomes never come, allowed weak ones do.
. verif/tests/lib.sh
cat > "$tmp/blocks.c" <<'C'
#include "simt.h"
extern const struct simt_block simt_block_atomic_merge;
const struct simt_block *const simt_blocks[] = {&simt_block_atomic_merge, NULL};
C
gcc -std=gnu11 -O2 -Wall -Wextra -Werror -Icmodel/core -Icmodel -Icmodel/atomic_merge verif/atomic_merge/tests/litmus_test.c "$tmp/blocks.c" \
  cmodel/core/*.c cmodel/atomic_merge/*.c -lm -lpthread -o "$tmp/litmus" || { echo "not ok litmus: it does not compile"; exit 1; }
[ "${PART:-all}" = all ] || TIMINGS=${TIMINGS:-3000}
"$tmp/litmus" "${TIMINGS:-10000}" || failed=1
try "litmus: without fences and waits forbidden outcomes are seen" "[AM-2]" -- seen_by 'both load 0 [1-9].*forbidden' "$tmp/litmus" 10000 plant
exit $failed
