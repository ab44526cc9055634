#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Model, RTL and golden model of context_hub side by side: every profile, every directed test.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check context_hub -q "$@"; }
slots=(-p LOCAL_CONTEXTS=2)

# The requirement ids of each directed test come from its list.
directed() {
  sed -n '/hub_directed\[/,/NULL, NULL, NULL/p' "$root/verif/context_hub/directed.c" |
    sed -nE 's/^ *\{"([a-z_]+)".*"((US-[0-9]+ ?)+)"\},$/\1 \2/p'
}

covered() { # at a size with local slots: every coverage point and line
  timeout 150 "$SIMTGEN" check context_hub "${slots[@]}" --seed 1 --coverage --cycles 2000000 > "$tmp/out" || { tail -n 5 "$tmp/out"; return 1; }
  grep -qE 'coverage: ([0-9]+) of \1 points hit' "$tmp/out" || { grep missed "$tmp/out"; return 1; }
  grep -qE 'RTL lines: ([0-9]+) of \1 places reached' "$tmp/out" || { grep -A9 'RTL lines' "$tmp/out"; return 1; }
}

cd "$tmp" || exit 1
try "context_hub: all profiles at the default size" "[US-9]" -- run --seed 1 --cycles 200000
try "context_hub: every coverage point and every line is hit" "[US-8 US-9]" -- covered
while read -r name ids; do
  try "context_hub: $name" "[$ids]" -- run "${slots[@]}" --stimulus "directed:$name" --seed 1
done < <(directed)
exit $failed
