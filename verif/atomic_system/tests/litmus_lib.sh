# SPDX-License-Identifier: Apache-2.0
# litmus_lib.sh: for the scripts that run litmus tests.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034

# The system that they run on.
small=(CACHES=4 LINES=8 WAYS=2 QUEUE=4 STALL_BUF=16 MISSES=4 HOME_ENTRIES=16 TID_W=6 ADDR_W=16)

# all_litmus RUNS STAGES: every file, two at a time.
all_litmus() {
  local file name running=0 number=0
  for file in "$root"/verif/atomic_system/litmus/*.lit; do
    name=$(basename "$file" .lit)
    number=$((number + 1))
    CASE=$number try "litmus: $name, $1 timings, $2 stages" "[AM-2 AM-13 AM-15]" -- "$tmp/litmus" "$file" "$1" 7 "${small[@]}" STAGES="$2" > "$tmp/$name.out" &
    running=$((running + 1))
    [ $running -lt 2 ] || { wait -n; running=1; }
  done
  wait
  for file in "$root"/verif/atomic_system/litmus/*.lit; do cat "$tmp/$(basename "$file" .lit).out"; done
  ! grep -q '^not ok' "$tmp"/*.out || failed=1
}
