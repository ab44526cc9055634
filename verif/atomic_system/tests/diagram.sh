#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 120
# The datasheet of an atomic_system: with STATUS the diagram of a halt reaches from the request to the state that says halted; without STATUS no test of it is drawn.
. verif/tests/lib.sh

generates() { "$SIMTGEN" gen atomic_system -q -p STATUS="$1" -o "$tmp/$1" > "$tmp/gen.log" 2>&1 || { tail -n 3 "$tmp/gen.log"; return 1; }; }
# What stands in the row of a port: its name, and the values of a bus, one a line.
values() { tr '\n' ' ' < "$tmp/one_hot/doc/atomic_system_$1.svg" | grep -o "data-port=\"$2\".*" | sed 's/<\/g>.*//' | grep -o '>[^<> ]*<' | tr -d '<>'; }

drawn() {
  generates one_hot || return 1
  values halt cmd_halt_i | grep -qx cmd_halt_i || { echo "no row of cmd_halt_i"; return 1; }
  values halt state_o | grep -qx 10 || { echo "state_o is never halted"; return 1; }
  values nack nack_o | grep -qx nack_o || { echo "no row of nack_o"; return 1; }
  values unit_reset cmd_reset_i | grep -qx cmd_reset_i || { echo "no row of cmd_reset_i"; return 1; }
}
none_drawn() {
  generates none || return 1
  [ ! -e "$tmp/none/doc/atomic_system_halt.svg" ] && [ ! -e "$tmp/none/doc/atomic_system_nack.svg" ] && [ -e "$tmp/none/doc/atomic_system_counter.svg" ]
}
try "diagrams with STATUS: halt request and halted, nack_o, reset" "[AM-17 US-4]" -- drawn
try "without STATUS no diagram shows a halt" "[AM-17]" -- none_drawn
exit $failed
