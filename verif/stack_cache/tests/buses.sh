#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
# stack_cache behind AXI4 and AXI4-Lite in lockstep, with the rules of the buses watched: full width, bursts, the
# narrowest; the directed tests at full width, where they keep their times.
. verif/tests/lib.sh
run() { timeout 150 "$SIMTGEN" check stack_cache -q -p bus=axi4 -p regs=axi4-lite "$@"; }
ids="[SC-2 SC-10 SC-12]"

cd "$tmp" || exit 1
try "buses: all profiles, full width" "$ids" -- run --seed 1 --cycles 40000
try "buses: directed tests, full width" "$ids" -- run --seed 1 --stimulus directed
try "buses: all profiles, bursts of 4" "$ids" -- run -p bus_width=64 --seed 2 --cycles 40000
small=(-p THREADS=3 -p ENTRIES=8 -p SET=2 -p ENTRY_W=40 -p ADDR_W=40)
try "buses: all profiles, bursts of 16 bytes, two buffers" "$ids" -- run "${small[@]}" -p bus_width=8 -p bus_reads=2 --seed 3 --cycles 40000
try "buses: registers alone behind AXI4-Lite" "[SC-2]" -- timeout 150 "$SIMTGEN" check stack_cache -q "${small[@]}" \
  -p regs=axi4-lite --seed 4 --cycles 40000

# No path from an input to an output within a cycle: without the registers, memories included, none is left.
paths() { # SED OF THE REGISTER WRAPPER, OPTIONS...
  local edit=$1 out
  shift
  out=$(mktemp -d "$tmp/gen.XXXXXX")/out
  "$SIMTGEN" gen stack_cache --no-doc -q -p THREADS=2 -p ENTRIES=4 -p SET=2 -p ENTRY_W=16 -p MAX_DEPTH=16 -p COUNTERS=0 \
    -p regs=axi4-lite "$@" -o "$out" || return 1
  sed -i "$edit" "$out/rtl/stack_cache_axi4_lite_regs.v"
  (cd "$out/rtl" && timeout 120 yosys -qq -p "read_verilog $(grep -v '^//' stack_cache.f | tr '\n' ' ')
    prep -flatten -top stack_cache; memory_map; opt_clean; delete t:\$dff* t:\$sdff*; select -assert-none o:* i:* %co* %i")
}
try "buses: no path from input to output, full width" -- paths '' -p bus=axi4
try "buses: no path from input to output, bursts" -- paths '' -p bus=axi4 -p bus_width=8
try "buses: a planted path is found" -- status 1 paths 's/s_axil_arready = go_read/& \&\& s_axil_arvalid/'
exit $failed
