#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# What the status cell and the example unit owe to the port contract, proved; and broken by planted faults.
EXTRA=verif/tests/unit_status
. verif/tests/lib.sh
with_extra || { echo "not ok unit status: the program with the example unit does not build"; exit 1; }

proved() {
  local said
  said=$(B=$tmp/formal timeout 380 nice -n 5 verif/tools/formal.py --quick --block "$1") || { echo "$said"; return 1; }
  [ "$(grep -c ' proved ' <<<"$said")" -ge "$2" ] || { echo "$said"; return 1; }
}
mkdir "$tmp/formal"
try "exactly one state, no transition outside of the table, in each encoding [US-1 US-3 US-7]" -- proved status_fsm 18
try "the example unit: halted without an access pending, still while halted; a save behind a load [US-4 US-5 US-9 US-14]" -- \
  proved gather_sum 7
exit $failed
