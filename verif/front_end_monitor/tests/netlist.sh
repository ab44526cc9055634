#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 2000
# The netlist after synthesis for iCE40 in lockstep, together and one by one.
. verif/tests/lib.sh
cd "$tmp" || exit 1
run() { timeout 900 "$SIMTGEN" check front_end_monitor -q --netlist ice40 --seed 3 --cycles 50000 "$@"; }
try "netlist, two units, broadcast" "[US-8 US-10 US-12]" -- run -p UNITS=2 -p STAGES=2 -p STATS=none -p ADDR_W=16
try "netlist, three units one by one, counts in RAM" "[US-8 US-10 US-11]" -- run -p UNITS=3 -p COMMANDS=unit
exit $failed
