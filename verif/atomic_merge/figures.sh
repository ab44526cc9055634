#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs atomic_merge on recorded atomics: with and without merging, relaxed and strict, over numbers of caches; a table and two drawings.
# SIMTGEN_TRACES=DIR: its *.atm.gz (default: the excerpts kept here). Results: $B/figures/atomic_merge*.
set -eu
B=${B:-build}
here=$(dirname "$0")
for tool in python3 gnuplot; do
  command -v $tool > /dev/null || { echo "figures: $tool is missing; apt-get install $tool" >&2; exit 3; }
done
traces=$here/traces
[ -n "$(find "${SIMTGEN_TRACES:-/dev/null}" -name '*.atm.gz' 2> /dev/null)" ] && traces=$SIMTGEN_TRACES ||
  echo "figures: no *.atm.gz in SIMTGEN_TRACES, so these are of the excerpts in $traces"
mkdir -p "$B/figures"
python3 "$here/figures.py" "$traces" "$B/figures"
(cd "$B/figures" && for g in atomic_merge*.gp; do gnuplot "$g"; done)
echo "figures: $(cd "$B/figures" && echo atomic_merge*.svg atomic_merge*.md) in $B/figures"
