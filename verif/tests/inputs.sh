#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# The cycle models as a library, under the sanitizers: inputs that no Verilog could give, and the wrong model.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=1
{
  echo '#include "simt.h"'
  for d in cmodel/*/block.c; do echo "extern const struct simt_block simt_block_$(basename "$(dirname "$d")");"; done
  echo 'const struct simt_block *const simt_blocks[] = {'
  for d in cmodel/*/block.c; do echo "  &simt_block_$(basename "$(dirname "$d")"),"; done
  echo '  NULL};'
} > "$tmp/blocks.c"
includes='-Icmodel/core -Icmodel'
# shellcheck disable=SC2086
gcc -std=gnu11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all $includes \
  verif/tests/inputs_test.c "$tmp/blocks.c" cmodel/*/*.c -lm -o "$tmp/inputs" > "$tmp/log" 2>&1 ||
  { echo "not ok models build: $(tail -n 3 "$tmp/log" | tr '\n' ' ')"; exit 1; }
timeout 100 "$tmp/inputs" 2> "$tmp/log" && exit 0
echo "not ok models with any inputs: $(grep -m1 -E 'ERROR|error' "$tmp/log")"
grep -m3 -E "^ +#[0-4]" "$tmp/log" >&2
exit 1
