#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Model, RTL and golden model of context_hub side by side: every profile, every directed test.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check context_hub -q "$@"; }
slots=(-p LOCAL_CONTEXTS=2)

cd "$tmp" || exit 1
try "context_hub: all profiles at the default size" "[US-9]" -- run --seed 1 --cycles 200000
try "context_hub: every coverage point and every line is hit" "[US-8 US-9]" -- all_hit all context_hub "${slots[@]}" --seed 1 --cycles 2000000
directed() { try "context_hub: $1" "[$2]" -- run "${slots[@]}" --stimulus "directed:$1" --seed 1; }
each_stimulus directed context_hub directed
exit $failed
