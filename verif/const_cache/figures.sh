#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the C model of the protocols backup and copy, and shared at the same size, on recorded streams: tables of speed-up and
# of words moved, and a plot. SIMTGEN_TRACES=DIR: its *.cst.gz (default: the excerpts kept here). Results: $B/figures/const_cache*.
# Each run is kept as it ends: after an interruption the same command goes on.
set -eu
B=${B:-build}
here=$(dirname "$0")
traces=$here/traces
ls "${SIMTGEN_TRACES:-/dev/null}"/*.cst.gz > /dev/null 2>&1 && traces=$SIMTGEN_TRACES || echo "figures: no *.cst.gz in SIMTGEN_TRACES, so these are of the excerpts in $traces"
mkdir -p "$B/figures"
python3 "$here/figures.py" "$traces" "$B/figures"
echo "figures: $(cd "$B/figures" && echo const_cache*.svg const_cache*.md const_cache*.csv) in $B/figures"
