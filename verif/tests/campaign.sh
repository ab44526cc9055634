#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 2
# Campaigns over the grid of the example block: record, interrupt, resume, no seed twice, a mismatch.
EXTRA=verif/tests/arbiter
. verif/tests/lib.sh
with_extra || { echo "not ok campaign: the program with the example block does not build"; exit 1; }
mkdir "$tmp/run" && cd "$tmp/run" || exit 1
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$@"; }

while read -r line; do # what campaigns build, so that seconds are enough
  parameters=()
  for p in $line; do parameters+=(-p "$p"); done
  timeout 100 "$SIMTGEN" check arbiter "${parameters[@]}" -q --seed 1 --cycles 10 > /dev/null 2>&1 # only built
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' "$root/verif/tests/arbiter/verif/arbiter/grid.txt")

whole() {
  status 0 timeout 60 "$SIMTGEN" check arbiter --budget 6s --workers 2 --record r.json > out || return 1
  grep -q '^PASS$' out && grep -q 'no mismatch' r.md && [ "$(field r.json cycles)" -gt 0 ] || { cat out; return 1; }
  local rows=$(grep -c '^| [A-Z d]*' r.md)
  [ "$rows" -ge 4 ] || { cat r.md; return 1; }
  ! grep -qE '\| 0 \|' r.md || { cat r.md; return 1; } # every configuration has cycles
}
interrupted() {
  local before pid
  before=$(field r.json cycles)
  "$SIMTGEN" check arbiter --budget 20 --workers 1 --record r.json > out2 & pid=$!
  sleep 8
  kill -INT $pid
  status 4 wait $pid || return 1
  grep -q '^INTERRUPTED$' out2 && [ "$(field r.json cycles)" -gt "$before" ] || { cat out2; return 1; }
  ! ls r.json.new r.md.new 2> /dev/null
}
resumed() { # seeds go on from where they were
  local next cycles
  next=$(field r.json next_seed) cycles=$(field r.json cycles)
  status 0 timeout 60 "$SIMTGEN" check arbiter --budget 8s --workers 1 --record r.json > out3 || return 1
  [ "$(field r.json next_seed)" -gt "$next" ] && [ "$(field r.json cycles)" -gt "$cycles" ] || return 1
  [ "$(field r.json first_seed)" -lt "$next" ]
}
mismatch() {
  found 'reproduce: .*check arbiter .*--seed [0-9]+ --cycles [0-9]+' \
    verif/tests/arbiter/rtl_templates/arbiter/arbiter_core.v 's/> grant_o/>= grant_o/' -- \
    arbiter --budget 100s --workers 1 --record "$tmp/run/bad.json" -p CLIENTS=5 || return 1
  grep -q 'A MISMATCH' bad.md && grep -q '^Mismatch: `.*--seed' bad.md
}
foreign() {
  echo '{"schema": 1}' > foreign.json
  status 2 "$SIMTGEN" check arbiter --budget 1s --record foreign.json 2> err || return 1
  grep -q 'foreign.json: got something else, expected the record of a campaign over arbiter' err || { cat err; return 1; }
  [ "$(cat foreign.json)" = '{"schema": 1}' ]
}
try "a campaign runs every configuration of the grid and writes its record" -- whole
try "a campaign that is interrupted keeps its record" -- interrupted
try "a campaign resumes and repeats no seed" -- resumed
try "a campaign stops at a mismatch and says how to reproduce it" -- mismatch
try "a file that is no record of a campaign is refused and kept" -- foreign
exit $failed
