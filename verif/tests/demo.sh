#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1500
# `make demo` fits its time and its screen; `make bench` measures every figure that it promises.
. verif/tests/lib.sh

demo() {
  local start=$SECONDS
  make -s demo "B=$B" > "$tmp/demo" 2>&1 || { cat "$tmp/demo"; return 1; }
  [ $((SECONDS - start)) -le 180 ] || { echo "took $((SECONDS - start)) s"; return 1; }
  [ "$(wc -l < "$tmp/demo")" -le 40 ] || { echo "$(wc -l < "$tmp/demo") lines"; return 1; }
  [ "$(grep -c '^  build/simtgen' "$tmp/demo")" = 3 ] || { cat "$tmp/demo"; return 1; }
}
next_commands() { # the three commands that the demo ends with do work
  local command
  grep '^  build/simtgen' "$tmp/demo" | sed 's/   .*//; s/^ *//' > "$tmp/commands"
  mkdir -p "$tmp/run/build" && ln -sf "$(realpath "$B/simtgen")" "$tmp/run/build/simtgen"
  while read -r command; do
    (cd "$tmp/run" && $command) > "$tmp/log" 2>&1 < /dev/null || { echo "$command:"; cat "$tmp/log"; return 1; }
  done < "$tmp/commands"
}
failing_step() { # a step that fails stops the demo and names the log
  SIMTGEN_YOSYS=/bin/false PATH=$tmp/bin:$PATH make -s demo "B=$B" > "$tmp/broken" 2>&1 && return 1
  grep -q 'simtgen: demo: .* failed' "$tmp/broken" || { cat "$tmp/broken"; return 1; }
}
bench() {
  verif/tools/bench.py --no-synth > "$tmp/bench" 2> "$tmp/err"
  [ $? -le 1 ] || { cat "$tmp/err"; return 1; }
  python3 - "$B/bench.json" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
keys = {"block", "config", "figure", "value", "unit", "goal", "met"}
assert rows and all(set(r) == keys for r in rows), rows
missing = [r["figure"] for r in rows if r["value"] is None]
assert not missing, f"not measured: {missing}"
END
}

mkdir "$tmp/bin" && ln -s /bin/false "$tmp/bin/yosys"
export SIMTGEN_DATA=$PWD
try "make demo fits its time and its screen" -- demo
try "the commands that the demo ends with work" -- next_commands
try "a failing step of the demo is named" -- failing_step
try "make bench measures every figure" -- bench
exit $failed
