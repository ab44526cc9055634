#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 60
# The datasheet of a tracker with STATUS: the diagram of the halted run has the halt request in it.
. verif/tests/lib.sh

shows_halt() {
  "$SIMTGEN" gen tracker -q -p STATUS=one_hot -o "$tmp/out" > "$tmp/gen.log" 2>&1 || { tail -n 3 "$tmp/gen.log"; return 1; }
  grep -q '>cmd_halt_i<' "$tmp/out/doc/tracker_switch.svg" || { echo "no row of cmd_halt_i"; return 1; }
}
try "the diagram of switch shows the halt request" "[TR-16]" -- shows_halt
exit $failed
