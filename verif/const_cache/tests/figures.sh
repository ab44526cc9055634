#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 200
# The tables over recorded streams: each run is kept as it ends, and a figures.sh that was ended goes on.
. verif/tests/lib.sh
mkdir "$tmp/traces"
printf 'C 0 a\nW 3 0 1\nC 0 b\nW 40 0 0\n' | gzip > "$tmp/traces/few.cst.gz"
cat > "$tmp/program" <<'SCRIPT'
#!/bin/bash
echo "$*" >> "$CALLS"
[ ! -e "$STOP" ] || [ "$(wc -l < "$CALLS")" -le 20 ] || { echo "stopped" >&2; exit 1; }
exec "$REAL" "$@"
SCRIPT
chmod +x "$tmp/program"
export REAL=$SIMTGEN CALLS=$tmp/calls STOP=$tmp/stop
figures() { # EXPECTED_RUNS
  : > "$CALLS"
  B=$tmp JOBS=1 SIMTGEN=$tmp/program SIMTGEN_TRACES=$tmp/traces verif/const_cache/figures.sh > "$tmp/out" 2>&1
  local got=$?
  [ "$(wc -l < "$CALLS")" = "$1" ] || { echo "$(wc -l < "$CALLS") runs"; return 1; }
  return $got
}
ends() { touch "$STOP"; figures 21 && return 1; rm "$STOP"; grep -q '^figures: .*: stopped' "$tmp/out" && grep -q '^figures: 20 of 96, ' "$tmp/out"; }
goes_on() { figures 76 && grep -q '^figures: 20 of 96 runs are kept' "$tmp/out" && grep -q '^figures: 96 of 96, ' "$tmp/out" && cp "$tmp/figures/const_cache_words.csv" "$tmp/first"; }
again() { figures 0 && cmp "$tmp/first" "$tmp/figures/const_cache_words.csv"; }
cut() { truncate -s -20 "$tmp/figures/const_cache_results.jsonl"; figures 1 && cmp "$tmp/first" "$tmp/figures/const_cache_words.csv"; }
other() { echo '# another one' >> "$tmp/program"; figures 96; }
stream() { printf 'C 0 a\nW 9 0 1\n' | gzip > "$tmp/traces/few.cst.gz"; figures 96; }
try "figures of const_cache: a run that fails ends them, what was found is kept" -- ends
try "figures of const_cache: they go on behind it" -- goes_on
try "figures of const_cache: nothing is run again, the tables are the same" -- again
try "figures of const_cache: a result that was cut off is found again" -- cut
try "figures of const_cache: another program's results are not taken" -- other
try "figures of const_cache: another stream's results are not taken" -- stream
exit $failed
