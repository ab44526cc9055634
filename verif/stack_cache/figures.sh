#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the C model on whole trace sets and draws what ENTRIES, memory latency, policy and picker do to it.
# SIMTGEN_TRACES=DIR: every *.stk.gz below it (default: the excerpts kept here). Results: $B/figures/stack_cache*.
set -eu
B=${B:-build}
here=$(dirname "$0")
for tool in python3 gnuplot; do
  command -v $tool > /dev/null || { echo "figures: $tool is missing; apt-get install $tool" >&2; exit 3; }
done
[ -n "${SIMTGEN_TRACES:-}" ] || echo "figures: SIMTGEN_TRACES is not set, so these are of the excerpts in $here/traces"
mkdir -p "$B/figures"
python3 "$here/figures.py" "${SIMTGEN_TRACES:-$here/traces}" "$B/figures"
python3 "$here/tables.py" "${SIMTGEN_TRACES:-$here/traces}" > "$B/figures/stack_cache_tables.md"
(cd "$B/figures" && for g in stack_cache*.gp; do gnuplot "$g"; done)
echo "figures: $(cd "$B/figures" && echo stack_cache*.svg stack_cache*.md) in $B/figures"
