#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# Bits of the memories on chip (storage, state of the threads, log of requests, counters) as Yosys counts them before it maps them.
# Of 24 threads with 1,024 entries of 64 bits: at most 1/32 of the full stack (stack_cache.md, Targets).
. verif/tests/lib.sh

full=$((24 * 1024 * 64))

bits() { # PARAMETERS: printed
  local parameters=() p
  for p in THREADS=24 MAX_DEPTH=1024 ENTRY_W=64 "$@"; do parameters+=(-p "$p"); done
  rm -rf "$tmp/gen"
  "$SIMTGEN" gen stack_cache "${parameters[@]}" -o "$tmp/gen" > /dev/null &&
    yosys -q -p "read_verilog $tmp/gen/rtl/*.v; hierarchy -top stack_cache; proc; flatten; tee -o $tmp/stat stat" > /dev/null &&
    sed -n 's/.*Number of memory bits: *//p' "$tmp/stat"
}
within() { # BITS
  [ "$1" ] || { echo "nothing was counted"; return 2; }
  [ "$1" -ge $((full / 64)) ] && [ $(($1 * 32)) -le $full ] ||
    { echo "$1 bits, expected 1/64 (the storage alone) to 1/32 of $full"; return 1; }
}
in_page() { # BITS...: with a comma each
  local n
  for n in "$@"; do
    grep -qF "${n%???},${n: -3}" docs/stack_cache.md || { echo "$n bits are not in docs/stack_cache.md"; return 1; }
  done
}

default=$(bits)
all=$(bits COUNTERS=2 FLAGS=per_entry POLICY=threshold STATUS=one_hot bus=axi4 regs=axi4-lite)
try "memories of the default take at most 1/32 of the full stack" -- within "$default"
try "with all options, too" -- within "$all"
try "control: 32 entries a thread on chip take more" -- status 1 within "$(bits ENTRIES=32)"
try "docs/stack_cache.md has both figures" -- in_page "$default" "$all"
exit $failed
