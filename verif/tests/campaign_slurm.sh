#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 600
# A campaign of the example block as jobs of a Slurm of its own: every configuration has cycles, a node that goes down, a kill,
# Ctrl-C, a mismatch.
[ "${SLURM_CONF:-}" ] || exec verif/tools/slurm.py "$0"
EXTRA=verif/tests/arbiter
. verif/tests/lib.sh
with_extra || { echo "not ok campaign on a cluster: the program with the example block does not build"; exit 1; }
mkdir "$tmp/run" && cd "$tmp/run" || exit 1
field() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$@"; }
over() { timeout 150 "$SIMTGEN" check arbiter --executor slurm "$@"; }

while read -r line; do # what campaigns build, so that seconds are enough
  parameters=()
  for p in $line; do parameters+=(-p "$p"); done
  timeout 100 "$SIMTGEN" check arbiter "${parameters[@]}" -q --seed 1 --cycles 10 > /dev/null 2>&1 # only built
done < <(sed 's/#.*//; s/ *$//; /^!/d; /^$/d' "$root/verif/tests/arbiter/verif/arbiter/grid.txt")

all_rows() { # RECORD without .json
  [ "$(grep -c '^| [A-Z d]*' "$1.md")" -ge 4 ] && ! grep -qE '\| 0 \|' "$1.md" || { cat "$1.md"; return 1; }
}
sums() { # RECORD: the cycles of the configurations are those of their profiles and of the whole
  python3 -c 'import json, sys
all = json.load(open(sys.argv[1]))
rows = all["configurations"]
sys.exit(not all["cycles"] == sum(r["cycles"] for r in rows) == sum(sum(r["profiles"].values()) for r in rows) > 0)' "$1"
}
whole() {
  status 0 over --budget 5s --jobs 3 --record r.json > out || { cat out r.slurm/*.out; return 1; }
  grep -q '^PASS$' out && all_rows r && sums r.json || { cat out; return 1; }
  ! ls r.slurm/part_*.json 2> /dev/null
}
again() { # more cycles, other seeds
  local cycles next
  cycles=$(field r.json cycles) next=$(field r.json next_seed)
  status 0 over --budget 5s --jobs 2 --record r.json > out || { cat out; return 1; }
  [ "$(field r.json cycles)" -gt "$cycles" ] && [ "$(field r.json next_seed)" -gt "$next" ] && sums r.json
}
wait_for() { # SECONDS COMMAND...
  local i
  for ((i = 0; i < 10 * $1; i++)); do "${@:2}" > /dev/null 2>&1 && return 0; sleep 0.1; done
  echo "never: ${*:2}"
  return 1
}
part_runs() { ls "$1.slurm/part_0.json"; } # the others may have begun before it
kill_at_work() { # RECORD BUDGET
  "$SIMTGEN" check arbiter --executor slurm --budget "$2" --jobs 3 --record "$1.json" > out 2>&1 &
  local pid=$!
  wait_for 60 part_runs "$1" || return 1
  kill -KILL $pid
  wait $pid 2> /dev/null
  part_runs "$1"
}
killed() { # the next one waits for the jobs, and their cycles count once
  kill_at_work k 10s || return 1
  status 0 over --budget 10s --jobs 3 --record k.json > out 2> err || { cat out err; return 1; }
  grep -q 'is still in the queue' err && all_rows k && sums k.json || { cat out err; return 1; }
}
after_the_end() { # killed, and its jobs have ended since: they are added by the next one
  local cycles
  kill_at_work e 5s || return 1
  wait_for 60 queue_empty || return 1
  cycles=$(cat e.slurm/part_*.json | grep -oE '^ "cycles": [0-9]+' | awk '{n += $2} END {print n}')
  status 0 over --budget 5s --jobs 3 --record e.json > out || { cat out; return 1; }
  [ "$cycles" -gt 0 ] && [ "$(field e.json cycles)" -gt "$cycles" ] && sums e.json
}
queue_empty() { [ -z "$(squeue -h -o %i)" ]; }
interrupted() {
  "$SIMTGEN" check arbiter --executor slurm --budget 60s --jobs 2 --record i.json > out &
  local pid=$!
  wait_for 60 grep -qs '"cycles": [1-9]' i.slurm/part_0.json || return 1
  kill -INT $pid
  status 4 wait $pid || { cat out; return 1; }
  grep -q '^INTERRUPTED$' out && sums i.json && wait_for 20 queue_empty
}
node_down() {
  over --budget 12s --jobs 4 --record d.json > out 2> err &
  local pid=$! first
  wait_for 60 part_runs d || return 1
  first=$(cat d.slurm/job)
  scontrol update NodeName=n2 State=DOWN Reason=test
  while kill -0 $pid 2> /dev/null; do # Slurm would begin them two minutes later
    for job in $(squeue -h -r -t PD -o %i); do
      scontrol show job "$job" | grep -q '\bRestarts=[1-9]' && first=queued_again && scontrol update JobId="$job" StartTime=now 2> /dev/null
    done
    sleep 0.5
  done
  scontrol update NodeName=n2 State=RESUME
  status 0 wait $pid || { cat out err; return 1; }
  [ "$first" != "$(cat d.slurm/job)" ] || { echo "no job was queued or submitted again"; return 1; }
  all_rows d && sums d.json
}
mismatch() {
  found 'reproduce: .*check arbiter .*--seed [0-9]+ --cycles [0-9]+' \
    verif/tests/arbiter/rtl_templates/arbiter/arbiter_core.v 's/> grant_o/>= grant_o/' -- \
    arbiter --executor slurm --budget 100s --record "$tmp/run/bad.json" -p CLIENTS=5 || return 1
  grep -q 'A MISMATCH' bad.md && grep -q '^Mismatch: `.*--seed' bad.md && wait_for 20 queue_empty
}
try "a campaign on a cluster: every configuration has cycles" -- whole
try "... goes on with other seeds" -- again
try "... is killed: the next one waits for its jobs, their cycles count once" -- killed
try "... is killed: the next one adds what its jobs have done since" -- after_the_end
try "... a node goes down: its parts go on elsewhere" -- node_down
try "... Ctrl-C ends the jobs and keeps what they did" -- interrupted
try "... stops at a mismatch and says how to reproduce it" -- mismatch
exit $failed
