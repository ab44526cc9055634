#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# timeout: 120
# Sizes that are not given follow SMS and CONSTANTS; what is given stays, in the text of a configuration too.
. verif/tests/lib.sh

says() { # PARAMETERS NAME=VALUE...: so they are described
  local words=$1 pair value
  shift
  # shellcheck disable=SC2086
  "$SIMTGEN" describe const_cache --json $words > "$tmp/described" || return 1
  for pair in "$@"; do
    value=$(python3 -c 'import json, sys; print(next(p["value"] for p in json.load(open(sys.argv[1]))["parameters"] if p["name"] == sys.argv[2]))' \
      "$tmp/described" "${pair%=*}")
    [ "$value" = "${pair#*=}" ] || { echo "$words: ${pair%=*} is $value, not ${pair#*=}"; return 1; }
  done
}
try "const_cache: ways of the backup follow SMS" "[CC-12 CC-13]" -- says "-p SMS=16" BACKUP_WAYS=16 L1_ENTRIES=256 L2_ENTRIES=1024 BACKUP_ENTRIES=512
try "const_cache: ways that are given stay" "[CC-12]" -- says "-p SMS=16 -p BACKUP_WAYS=4" BACKUP_WAYS=4
try "const_cache: 32 sets are left" "[CC-12]" -- says "-p SMS=16 -p BACKUP_ENTRIES=256" BACKUP_WAYS=8
try "const_cache: sizes follow CONSTANTS" "[CC-3]" -- says "-p CONSTANTS=16" L1_ENTRIES=16 L2_ENTRIES=16 BACKUP_ENTRIES=64 BACKUP_WAYS=4
try "const_cache: a backup of few ways has a set for every constant" "[CC-3 CC-12]" -- says "-p CONSTANTS=128 -p BACKUP_WAYS=1" BACKUP_ENTRIES=128
text() { # a value that is the default of fewer SMs is in the text that names the configuration
  "$SIMTGEN" check const_cache -p SMS=5 -p CONSTANTS=16 -p WORD_W=8 -p BACKUP_ENTRIES=16 -p BACKUP_WAYS=4 --cycles 3000 --seed 1 > "$tmp/out"
  grep -q '^const_cache SMS=5 .*BACKUP_WAYS=4' "$tmp/out" || { head -n 1 "$tmp/out"; return 1; }
}
try "const_cache: what is given is in the text of the configuration" -- text
faster() { # whole draws, 16 SMs: 4.73 with 4 ways
  local rate
  rate=$("$SIMTGEN" sim const_cache --json --trace verif/const_cache/traces/es2gears.cst.gz --picker draw_cycles16 -p SMS=16 |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["speed_up"])') || return 1
  awk -v r="$rate" 'BEGIN { exit !(r >= 8.3) }' || { echo "speed-up $rate, expected at least 8.3"; return 1; }
}
try "const_cache: backup with the ways of its SMs" "[CC-12 CC-13]" -- faster
exit $failed
