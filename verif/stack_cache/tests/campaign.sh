#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# A campaign leaves out the profile that a configuration does not take, and runs it where it does.
. verif/tests/lib.sh
small=(stack_cache -p THREADS=1 -p ENTRIES=2 -p SET=1 -p MAX_DEPTH=2)

turn() { # PROFILE RECORD: it is the next one of every configuration
  local all before
  all=$("$SIMTGEN" check stack_cache --stimulus random:no_such 2>&1 | sed 's/.*a profile: //; s/, / /g')
  before=${all%%"$1"*}
  sed -i -E "s/(\"next_profile\": *)[0-9]+/\1$(($(wc -w <<< "$before") + 1))/" "$2"
}
runs() { # RECORD PROFILE PARAMETER...: a campaign that begins with it
  local record=$tmp/$1.json profile=$2
  shift 2
  timeout 100 "$SIMTGEN" check "${small[@]}" "$@" -q --seed 1 --cycles 10 > /dev/null 2>&1 # only built
  status 0 timeout 60 "$SIMTGEN" check "${small[@]}" "$@" --budget 2s --workers 1 --record "$record" > "$tmp/log" || return 1
  turn "$profile" "$record" || return 1
  status 0 timeout 60 "$SIMTGEN" check "${small[@]}" "$@" --budget 2s --workers 1 --record "$record" > "$tmp/log" || { cat "$tmp/log"; return 1; }
  grep -oE '\b[a-z_]+ [0-9]+' "${record%.json}.md" > "$tmp/profiles"
}
leaves_out() { runs none halts && ! grep -q '^halts ' "$tmp/profiles"; }
takes() { runs some halts -p STATUS=one_hot && grep -q '^halts ' "$tmp/profiles"; }
behind_buses() { runs buses halts -p bus=axi4 -p regs=axi4-lite && ! grep -q '^halts ' "$tmp/profiles"; }
try "campaign: a profile that needs STATUS is left out without it" -- leaves_out
try "campaign: and runs with it" -- takes
try "campaign: the same behind buses" -- behind_buses
exit $failed
