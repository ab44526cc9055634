#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# timeout: 170
# `simtgen check`, shown with the example block: what passes, a mismatch and its command, what is refused.
EXTRA=verif/tests/arbiter
. verif/tests/lib.sh
QUICK= # what is shrunk is looked at
with_extra || { echo "not ok lockstep: the program with the example block does not build"; exit 1; }
mkdir "$tmp/run" && cd "$tmp/run" || exit 1
check() { timeout 120 "$SIMTGEN" check arbiter "$@"; }

rtl=verif/tests/arbiter/rtl_templates/arbiter/arbiter_core.v

# ---- passing runs
for p in CLIENTS=1 CLIENTS=33; do
  try "lockstep passes with $p" -- check -p $p -p COUNT_W=4 --seed 1 --cycles 20000 -q
done
try "directed tests run to their end" -- bash -c '"$0" check arbiter --stimulus directed | grep -q "^  12 cycles"' "$SIMTGEN"
same_by_seed() {
  check --seed 5 --stimulus random:idle --cycles 3000 --wave a.vcd -q &&
    check --seed 5 --stimulus random:idle --cycles 3000 --wave b.vcd -q &&
    check --seed 6 --stimulus random:idle --cycles 3000 --wave c.vcd -q &&
    cmp a.vcd b.vcd && ! cmp -s a.vcd c.vcd
}
try "a seed reproduces a run, another seed differs" -- same_by_seed
wave_is_complete() {
  grep -q 'scope module model' a.vcd && grep -q 'scope module rtl' a.vcd &&
    [ "$(grep -c ' req_i ' a.vcd)" = 1 ] && [ "$(grep -c ' grant_o ' a.vcd)" = 2 ] &&
    [ "$(tail -n 1 a.vcd)" = '#30000' ]
}
try "the waveform of a passing run has inputs, model and RTL" -- wave_is_complete
wave_is_whole() { # each signal is declared and has values, the clock two in a cycle
  python3 - a.vcd <<'END'
import re, sys
head, values = open(sys.argv[1]).read().split("$enddefinitions $end")
names = dict(re.findall(r"^\$var wire \d+ (\S+) (\w+)", head, re.M))
changes = re.findall(r"^(?:b[01xz]+ |[01xz])(\S+)$", values, re.M)
assert set(changes) == set(names), set(changes) ^ set(names)
clock = sum(names[i] == "clk_i" for i in changes)
assert clock >= 2 * 3000, clock
END
}
try "the waveform gives values to the signals that it declares, and to no others" -- wave_is_whole
coverage_lists() {
  local few many
  few=$(status 2 check --coverage --stimulus random:idle --seed 1 --cycles 1 2>&1) || { echo "$few"; return 1; } # no operation
  many=$(check --coverage --seed 1 --cycles 5000) || { echo "$many"; return 1; }
  grep -q 'missed .* turn:' <<<"$few" && grep -q 'not reached: arbiter_core.v:' <<<"$few" &&
    grep -q 'hit .* turn:' <<<"$many" && ! grep -q 'missed\|not reached' <<<"$many" || { echo "$few$many"; return 1; }
}
try "coverage lists points and lines hit and missed" -- coverage_lists

json() {
  check --json --seed 4 --cycles 200000 > pass.json && python3 - <<'END'
import json
run = json.load(open("pass.json"))
assert run["schema"] == 1 and run["result"] == "pass" and run["seed"] == "4", run
assert run["cycles"] == 200000 and run["operations"] > 0 and run["failure"] is None, run
assert run["parameters"] == {"CLIENTS": 4, "COUNT_W": 16, "reset": "sync"}, run
assert all(run[name] > 0 for name in ("lockstep_per_rtl", "model_per_rtl", "rtl_cycles_per_s")), run
assert all(point["count"] > 0 for point in run["coverage"]), run
END
}
try "the summary as JSON has the figures" -- json

# ---- failing runs
reproduces() {
  local said again line command
  mkdir -p "$tmp/again" && cp -a "$root/verif" "$root/rtl_templates" "$tmp/again/"
  sed -i 's/> grant_o/>= grant_o/' "$tmp/again/$rtl"
  said=$(in_copy "$tmp/again" status 1 check -p CLIENTS=5 --seed 3 --cycles 5000 --wave "$PWD/fault.vcd") || { echo "$said"; return 1; }
  line='^MISMATCH: arbiter CLIENTS=5 seed 3 cycle 1 of the shrunk run: grant_o: RTL 0x[0-9a-f]+, model 0x[0-9a-f]+$'
  grep -qE "$line" <<<"$said" || { echo "no line: $said"; return 1; }
  grep -qE '^shrunk from [0-9]+ to 2 cycles' <<<"$said" || { echo "not shrunk: $said"; return 1; }
  [ "$(grep -c '^  cycle.*request' <<<"$said")" -ge 1 ] || { echo "not explained: $said"; return 1; }
  grep -q ' grant_o ' fault.vcd || { echo "no waveform"; return 1; }
  command=$(sed -n 's/^reproduce: //p' <<<"$said") # it names the folders of the templates itself
  again=$(env -u SIMTGEN_DATA -u SIMTGEN_EXTRA bash -c "$command"); [ $? = 1 ] || { echo "$command: $again"; return 1; }
  [ "$(grep ^MISMATCH <<<"$said")" = "$(grep ^MISMATCH <<<"$again")" ] || { echo "$said / $again"; return 1; }
  [ -s arbiter_mismatch.vcd ] || { echo "no waveform of its own name"; return 1; }
}
json_failure() { # uses the copy that reproduces() has made
  in_copy "$tmp/again" status 1 check --json -p CLIENTS=5 --seed 3 --cycles 5000 > fail.json &&
    python3 - <<'END'
import json
run = json.load(open("fail.json"))
assert run["result"] == "mismatch" and run["failure"]["shrunk_cycles"] == 2, run
assert run["failure"]["waveform"] == "arbiter_mismatch.vcd", run
assert "reproduce" in run["failure"] and "grant_o: RTL" in run["failure"]["message"], run
END
}
try "a fault in the RTL is found, shrunk, drawn, and its command reproduces it" -- reproduces
try "a failure as JSON has the same" -- json_failure

# ---- refusals and ends
says() { # STATUS PATTERN ARGUMENTS...
  local wanted=$1 pattern=$2 said got=0
  shift 2
  said=$(check "$@" 2>&1) || got=$?
  [ "$got" = "$wanted" ] && grep -qE "$pattern" <<<"$said" || { echo "status $got: $said"; return 1; }
}
try "an unknown profile is refused" -- says 2 'got busi, expected a profile: busy, idle; did you mean busy' --stimulus random:busi
try "an unknown directed test is refused" -- says 2 'did you mean turns' --stimulus directed:turn
try "a trace for a block without traces is refused" -- says 2 'takes no traces' --stimulus trace:x
try "an unknown netlist is refused" -- says 2 'netlist' --netlist vhdl
try "a waveform that cannot be written is an error" -- says 2 'got No such file' --wave no/such/w.vcd --cycles 100 --seed 1
SIMTGEN_VERILATOR=/none try "a missing Verilator is an error" -- says 3 'SIMTGEN_VERILATOR: got /none' --cycles 100
SIMTGEN_VERILATOR=$(command -v false) try "a failing Verilator is an error" -- says 3 'failed' --cycles 100
interrupted() {
  local got=0
  timeout --preserve-status -s INT 2 "$SIMTGEN" check arbiter --seed 1 --cycles 1000000000000 > "$tmp/int" || got=$?
  [ $got = 4 ] && grep -q '^INTERRUPTED' "$tmp/int" && grep -qE '[0-9]{4,} cycles compared' "$tmp/int" || { echo "$got"; cat "$tmp/int"; return 1; }
}
try "an interrupted run prints what it has" -- interrupted

exit $failed
