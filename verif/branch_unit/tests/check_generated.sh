#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 2
# timeout: 300
# `simtgen check` does not pass over what it did not look at: generated files that were edited, and runs without an operation.
. verif/tests/lib.sh
export SIMTGEN_QUICK=1
cd "$tmp" || exit 1
"$SIMTGEN" gen branch_unit -n bug -o bug -q --no-doc || exit 1
check() { timeout 200 "$SIMTGEN" check -c bug/config.yaml --seed 1 --cycles 20000 "$@"; }

untouched() {
  check > out 2> err || { cat out; return 1; }
  [ ! -s err ] && ! grep -q 'not checked' out || { cat out err; return 1; }
  echo '// a comment' >> bug/rtl/bug_words.v
  check > out 2> err && [ ! -s err ] && ! grep -q 'not checked' out || { cat out err; return 1; }
}
try "generated files as they were written, comments aside, are not mentioned" -- untouched
edited() {
  sed -i 's/b_prebreak ? T_BRK/b_prebreak ? T_CALL/' bug/rtl/bug_pipe.v
  check > out 2> err || { cat out; return 1; }
  grep -q '^simtgen: not checked: bug/rtl/bug_pipe.v, which differs from what simtgen makes now; --generated checks the files of bug/rtl$' err &&
    grep -q '^  not checked: bug/rtl/bug_pipe.v, ' out || { cat out err; return 1; }
  check --json 2> err | python3 -c 'import json, sys; assert "not checked: bug/rtl/bug_pipe.v" in json.load(sys.stdin)["generated"]'
}
try "an edited file is named, with the option that checks it" -- edited
taken() {
  status 1 check --generated "$@" > out 2> err || { cat out err; return 1; }
  grep -qE '^MISMATCH: branch_unit seed 1 cycle [0-9]+: op_data_o' out || { cat out err; return 1; }
  eval "$(sed -n 's/^reproduce: //p' out)" > again; [ $? = 1 ] || { cat again; return 1; }
  [ "$(grep ^MISMATCH out)" = "$(grep ^MISMATCH again)" ] || { cat out again; return 1; }
}
try "--generated finds the fault of an edited file, and the command of the failure repeats it" -- taken
try "... in Icarus, too" -- taken --engine icarus
gone() {
  rm bug/rtl/bug_pipe.v
  check > out 2> err && grep -q 'not checked: bug/rtl/bug_pipe.v' err || { cat out err; return 1; }
  status 2 check --generated 2> err && grep -q 'bug/rtl/bug_pipe.v: got No such file' err || { cat err; return 1; }
}
try "a file that is gone is named, and --generated refuses" -- gone

# nothing_ran CYCLES BLOCK ARGUMENTS...: no PASS, and a number of cycles that is enough
nothing_ran() {
  local cycles=$1 first
  shift
  status 2 timeout 200 "$SIMTGEN" check "$@" --seed 1 --cycles "$cycles" > out 2> err || { cat out err; return 1; }
  grep -qx 'NOTHING RAN' out && ! grep -q PASS out || { cat out; return 1; }
  first=$(sed -nE "s/^simtgen: check: got no operation in $cycles cycles, expected .* ends in cycle ([0-9]+); give more .*/\1/p" err)
  [ -n "$first" ] && [ "$first" -gt "$cycles" ] || { cat err; return 1; }
  timeout 200 "$SIMTGEN" check "$@" --seed 1 --cycles $((10 * first)) > out && grep -qx PASS out || { cat out; return 1; }
}
try "a run that ends before initialisation is no PASS: tracker" -- nothing_ran 1000 tracker
try "... const_cache with 64 SMs" -- nothing_ran 100 const_cache -p SMS=64
as_json() { status 2 "$SIMTGEN" check tracker --seed 1 --cycles 1000 --json 2> err | grep -q '"result": "nothing"'; }
try "... in JSON, too" -- as_json
few() {
  "$SIMTGEN" check const_cache --seed 1 --cycles 1000 > out || { cat out; return 1; }
  grep -qE '^  the first operation ends in cycle [0-9]+$' out || { cat out; return 1; }
}
try "a run with few operations says when the first one ends" -- few
exit $failed
