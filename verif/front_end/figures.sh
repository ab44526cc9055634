#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Halt latency and switch time by phase of the system of docs/front_end_system.md, against draining, over memory latency and
# size: $B/figures/front_end_system.md and .svg. Models alone.
set -eu
for tool in python3 gnuplot; do
  command -v $tool > /dev/null || { echo "figures: $tool is missing; apt-get install $tool" >&2; exit 3; }
done
. verif/front_end/tests/system_lib.sh
with_extra && models system "$main"
mkdir -p "$B/figures"
python3 verif/front_end/figures.py "$tmp/system" "$B/figures"
(cd "$B/figures" && gnuplot front_end_system.gp)
echo "figures: front_end_system.svg front_end_system.md in $B/figures"
