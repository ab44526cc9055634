#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 600
# Four stacks with branch units, their memory behind an arbiter that serves them, all on one front end: switched at random
# cycles between two workloads, every answer that of a run that is never switched. 10,000 switches of the models and 200 in
# lockstep, each way: system_long.sh.
. verif/front_end/tests/system_lib.sh
with_extra || { echo "not ok system: the program with the system does not build"; exit 1; }

try "system: the arbiter in lockstep, halted behind its clients" "[US-5 US-9 US-14]" -- \
  lockstep mem_arbiter --engine verilator-O0 --cycles 50000 --seed 1 -- CLIENTS=3 TAG_W=2
always try "system: the models alone build" "[US-13]" -- models system "$main"
switched() { # SWITCHES SEED [NAME=VALUE]...
  # shellcheck disable=SC2086
  timeout 3000 "$tmp/system" "$1" "$2" switch 0 $small "${@:3}"
}
if [ "${LONG:-}" ]; then whole=10000 each=10000; else whole=300 each=1000; fi
try "system: $whole switches, whole" "[US-5 US-8 US-9 US-13 US-14]" -- switched $whole 1
try "system: $each switches, per switch domain, unit by unit" "[US-5 US-8 US-9 US-13 US-14]" -- switched $each 2 DOMAINS=2 COMMANDS=unit
try "system: $whole switches, whole, unit by unit" "[US-5 US-7 US-8 US-9 US-13 US-14]" -- switched $whole 3 COMMANDS=unit ENCODING=binary
stuck() { # FAULT [NAME=VALUE]...
  local seed
  # shellcheck disable=SC2086
  for seed in 1 2 3 4 5; do timeout 60 "$tmp/system" 1 $seed "$1" 0 $small "${@:2}" || return 1; done
}
for fault in no_answer not_taken; do
  try "system: deadlock, $fault: found in its cycle, named, reset by policy" "[US-10]" -- stuck $fault
  try "system: deadlock, $fault, in one of two domains" "[US-10]" -- stuck $fault DOMAINS=2 COMMANDS=unit
  # shellcheck disable=SC2086
  try "system: deadlock, $fault, in lockstep" "[US-10]" -- \
    lockstep tree_system --engine verilator-O0 --stimulus directed:$fault --cycles 50000 --seed 1 -- $small
done
for p in "COMMANDS=unit" "COMMANDS=unit DOMAINS=2" "COMMANDS=unit STACKS=8 ENCODING=binary"; do
  # shellcheck disable=SC2086
  try "system: deadlock: every other stack reset by mask, the others wait and go on: $p" "[US-10]" -- stuck no_answer_masked $p
done
# shellcheck disable=SC2086
try "system: deadlock, reset by mask, in lockstep" "[US-10]" -- \
  lockstep tree_system --engine verilator-O0 --stimulus directed:no_answer_masked --cycles 50000 --seed 1 -- $small COMMANDS=unit
try "system: refused accesses: no deadlock, an interrupt that names a stack" "[US-3 US-10 US-12]" -- stuck refused
try "system: refused accesses in one of two domains" "[US-3 US-10 US-12]" -- stuck refused DOMAINS=2 COMMANDS=unit
# shellcheck disable=SC2086
try "system: refused accesses, in lockstep" "[US-3 US-10 US-12]" -- \
  lockstep tree_system --engine verilator-O0 --stimulus directed:refused --cycles 50000 --seed 1 -- $small
# shellcheck disable=SC2086
if [ "${LONG:-}" ]; then
  try "system: 2000 switches per switch domain, group by group, eight stacks" "[US-5 US-8 US-13]" -- \
    switched 2000 4 STACKS=8 DOMAINS=4 COMMANDS=group ENCODING=two_of_four
  try "system: 200 switches at the default size" "[US-5 US-8 US-13]" -- timeout 3000 "$tmp/system" 200 5 switch 0
  seed=10
  while read -r line; do
    seed=$((seed + 1))
    try "system: the arbiter in lockstep, $line" "[US-5 US-9]" -- lockstep mem_arbiter --cycles 1000000 --seed $seed -- $line
  done < $EXTRA/verif/mem_arbiter/grid.txt
  try "system: 200 switches in lockstep, whole" "[US-5 US-8 US-9 US-13 US-14]" -- \
    lockstep tree_system --stimulus directed:switch_200 --cycles 100000000 --seed 1 -- $small
  try "system: 200 switches in lockstep, per switch domain" "[US-5 US-8 US-9 US-13 US-14]" -- \
    lockstep tree_system --stimulus directed:switch_200 --cycles 100000000 --seed 2 -- $small DOMAINS=2 COMMANDS=unit
  try "system: 200 switches in lockstep, whole, unit by unit" "[US-5 US-7 US-8 US-9 US-13 US-14]" -- \
    lockstep tree_system --stimulus directed:switch_200 --cycles 100000000 --seed 3 -- $small COMMANDS=unit ENCODING=binary
else
  try "system: 20 switches in lockstep, whole" "[US-5 US-8 US-9 US-13 US-14]" -- \
    lockstep tree_system --engine verilator-O0 --stimulus directed:switch_20 --cycles 50000 --seed 1 -- $small
fi
exit $failed
