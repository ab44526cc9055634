#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
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
exit $failed
