#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1800
# One SM keeps its version while the others turn over 1,000,000: the words of every version are right, nothing fills up (CC-13).
. verif/tests/lib.sh
cat > "$tmp/blocks.c" <<C
#include "simt.h"
extern const struct simt_block simt_block_const_cache;
const struct simt_block *const simt_blocks[] = {&simt_block_const_cache, NULL};
C
gcc -std=gnu11 -O2 -Icmodel/core -Icmodel -Icmodel/const_cache verif/const_cache/tests/api_test.c "$tmp/blocks.c" cmodel/core/*.c \
  cmodel/const_cache/*.c -lm -lpthread -o "$tmp/versions" || exit 1
"$tmp/versions" versions 1000000 || failed=1
exit $failed
