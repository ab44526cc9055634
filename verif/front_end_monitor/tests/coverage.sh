#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 2
# timeout: 300
# Random and directed stimulus together hit every functional point of each of three configurations, and every line of
# Verilog is reached in one of them (what one leaves out is what another is made of).
. verif/tests/lib.sh
lists=$root/verif/front_end_monitor/three_domains.yaml
cd "$tmp" || exit 1
CASE=0 # all in one part: the last test looks at what the others have left
run() { # CONFIGURATION STIMULUS PARAMETERS...: what is missed
  local to=$1 stimulus=$2
  shift 2
  timeout 250 "$SIMTGEN" check front_end_monitor --coverage --cycles 200000 --seed 7 --stimulus "$stimulus" "$@" > "$to.$stimulus" || {
    tail -n 5 "$to.$stimulus"
    return 1
  }
  measured "$to.$stimulus" || return 1
  grep ' missed ' "$to.$stimulus" | sed -E 's/^ *missed +0 +//' | sort > "$to.$stimulus.points"
  grep 'not reached' "$to.$stimulus" | sort > "$to.$stimulus.lines"
}
points() { # CONFIGURATION PARAMETERS...
  run "$1" random "${@:2}" && run "$1" directed "${@:2}" || return 1
  comm -12 "$1.random.points" "$1.directed.points" > "$1.missed"
  comm -12 "$1.random.lines" "$1.directed.lines" > "$1.lines"
  [ ! -s "$1.missed" ] || { cat "$1.missed"; return 1; }
}
lines() {
  [ -e together.lines ] && [ -e apart.lines ] && [ -e wide.lines ] || { echo "a configuration has no result"; return 1; }
  comm -12 together.lines apart.lines | comm -12 - wide.lines > left
  [ ! -s left ] || { cat left; return 1; }
}
try "every point: broadcast" "[US-7 US-8 US-10 US-11 US-12 US-15]" -- points together
try "every point: three domains, one by one, exact counts" "[US-7 US-8 US-10 US-11 US-12 US-15]" -- \
  points apart -p "topology=$lists" -p COMMANDS=unit -p LOCAL_CONTEXTS=2 -p STATS=exact
try "every point: groups, wide addresses, no statistics" "[US-7 US-8 US-10 US-12 US-15]" -- \
  points wide -p UNITS=7 -p GROUP=3 -p COMMANDS=group -p DOMAINS=2 -p ADDR_W=48 -p STATS=none
try "every line of Verilog" "[US-8 US-10 US-11 US-12]" -- lines
exit $failed
