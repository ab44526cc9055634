#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the C model, a plain FIFO and an ideal tracker on whole trace sets and on synthetic mixes, and draws what modes,
# QUEUES, ENTRIES, resident warps and latency do. SIMTGEN_TRACES=DIR: every *.mem.gz below it (default: the excerpts
# kept here). Results: $B/figures/tracker*.
set -eu
B=${B:-build}
here=$(dirname "$0")
for tool in python3 gnuplot; do
  command -v $tool > /dev/null || { echo "figures: $tool is missing; apt-get install $tool" >&2; exit 3; }
done
[ -n "${SIMTGEN_TRACES:-}" ] || echo "figures: SIMTGEN_TRACES is not set, so these are of the excerpts in $here/traces"
mkdir -p "$B/figures"
python3 "$here/figures.py" "${SIMTGEN_TRACES:-$here/traces}" "$B/figures"
(cd "$B/figures" && for g in tracker*.gp; do gnuplot "$g"; done)
echo "figures: $(cd "$B/figures" && echo tracker*.svg tracker*.md) in $B/figures"
