#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# timeout: 60
# What tracker_rules (docs/example_tracker) says of a front end in simulation: nothing of one that keeps the rules; of each that breaks one,
# which and in which cycle. That it watches the ports of a tracker: example.sh.
. verif/tests/lib.sh

cat > "$tmp/expected" <<'END'
all rules kept
a packet withdrawn
tracker_rules: cycle 4: a packet changes while it waits
a packet changed
tracker_rules: cycle 4: a packet changes while it waits
a packet unknown
tracker_rules: cycle 2: a packet with bits that are neither 0 nor 1
a fast packet withdrawn
tracker_rules: cycle 3: a fast packet changes while it waits
a fast packet changed
tracker_rules: cycle 3: a fast packet changes while it waits
an allocation withdrawn
tracker_rules: cycle 3: an allocation changes while it waits
an allocation changed
tracker_rules: cycle 3: an allocation changes while it waits
an access withdrawn
tracker_rules: cycle 3: an access of a register changes while it waits
an access changed
tracker_rules: cycle 3: an access of a register changes while it waits
a valid unknown
tracker_rules: cycle 2: a valid is neither 0 nor 1
a fill unknown
tracker_rules: cycle 2: a fill of a sector that is not known
a fill before ready
tracker_rules: cycle 3: a fill before the first ready after reset
a fill too early
tracker_rules: cycle 2: a fill less than 4 cycles after its data slot's allocation
a fill too early
tracker_rules: cycle 3: a fill less than 4 cycles after its data slot's allocation
a fill too early
tracker_rules: cycle 4: a fill less than 4 cycles after its data slot's allocation
a fill too early
tracker_rules: cycle 5: a fill less than 4 cycles after its data slot's allocation
END
names_rule_and_cycle() {
  iverilog -g2005 -s rules -o "$tmp/rules" docs/example_tracker/tracker_rules.v verif/tracker/tests/rules.v > "$tmp/said" 2>&1 &&
    vvp -N "$tmp/rules" > "$tmp/said" && diff "$tmp/expected" "$tmp/said" | head -n 3 && cmp -s "$tmp/expected" "$tmp/said"
}
try "front end: each broken rule of the ports is named, with its cycle" "[TR-0 TR-17]" -- names_rule_and_cycle
every_rule() {
  grep -oE 'broken\("[^"]*"' docs/example_tracker/tracker_rules.v | cut -d '"' -f 2 | sort -u > "$tmp/rules.txt"
  sed -n 's/^tracker_rules: cycle [0-9]*: //p' "$tmp/expected" | sort -u | diff - "$tmp/rules.txt"
}
try "front end: no rule is left out" -- every_rule
exit $failed
