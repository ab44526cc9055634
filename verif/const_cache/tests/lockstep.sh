#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 4
# timeout: 400
# Model, RTL and golden model of const_cache side by side: all protocols, every profile, every directed test.
. verif/tests/lib.sh

run() { timeout 150 "$SIMTGEN" check const_cache -q "$@"; }
small=(-p CONSTANTS=100 -p L1_ENTRIES=16 -p L2_ENTRIES=16 -p BACKUP_ENTRIES=16 -p BACKUP_WAYS=1 -p CODE_FACTOR=2 -p GEN_W=2)
copy=(-p PROTOCOL=copy -p SMS=3 -p CONSTANTS=100 -p L1_ENTRIES=16 -p L2_ENTRIES=16 -p GEN_W=2)
wide=(-p WRITE_WORDS=4 -p CONSTANTS=100 -p L1_ENTRIES=64 -p L2_ENTRIES=64 -p BACKUP_ENTRIES=64 -p BACKUP_WAYS=1 -p CODE_FACTOR=2 -p GEN_W=2)
wide_copy=(-p PROTOCOL=copy -p WRITE_WORDS=2 -p SMS=3 -p CONSTANTS=100 -p L1_ENTRIES=32 -p L2_ENTRIES=32 -p GEN_W=2)
copy_ids="[CC-1 CC-2 CC-3 CC-4 CC-5 CC-6 CC-7 CC-8 CC-13 CC-15 CC-16]"
unit_ids="[CC-14 US-3 US-4 US-5 US-7 US-9 US-14]"
all_ids="[CC-1 CC-2 CC-3 CC-9 CC-10 CC-11 CC-12 CC-13 CC-15 CC-16]"

# The requirement ids of each directed test come from its list.
directed() {
  sed -n '/cc_directed\[\] = /,/NULL, NULL, NULL/p' "$root/verif/const_cache/directed.c" |
    sed -nE 's/^ *\{"([a-z_0-9]+)".*"(((CC|US)-[0-9]+ ?)+)"\},$/\1 \2/p'
}

# Between the halts of a random run a context with another base hardly ever comes; the directed test does it.
switched() { # PARAMETERS... TEST: of the points in $tmp/out only `switch` is missed, and the directed test hits it
  local test=${*: -1}
  [ "$(grep -c '^ *missed' "$tmp/out")" = 1 ] && grep -q '^ *missed *0  switch: ' "$tmp/out" || { grep missed "$tmp/out"; return 1; }
  timeout 150 "$SIMTGEN" check const_cache "${@:1:$#-1}" --stimulus "directed:$test" --coverage > "$tmp/directed" &&
    grep -q '^ *hit *[1-9][0-9]*  switch: ' "$tmp/directed" || { tail -n 5 "$tmp/directed"; return 1; }
}

covered() { # at a size where all can happen: every coverage point and line
  timeout 150 "$SIMTGEN" check const_cache "${small[@]}" -p STATUS=one_hot --seed 6 --coverage --cycles 2000000 > "$tmp/out" || { tail -n 5 "$tmp/out"; return 1; }
  grep -qE 'coverage: ([0-9]+) of \1 points hit' "$tmp/out" || switched "${small[@]}" -p STATUS=one_hot switches || return 1
  grep -qE '^  RTL lines: ([0-9]+) of \1 places reached$' "$tmp/out" || { grep -A9 'RTL lines' "$tmp/out"; return 1; }
}

points() { # PARAMETERS...: every coverage point
  timeout 150 "$SIMTGEN" check const_cache "$@" --seed 3 --coverage --cycles 2000000 > "$tmp/out" || { tail -n 5 "$tmp/out"; return 1; }
  grep -qE 'coverage: ([0-9]+) of \1 points hit' "$tmp/out" || { grep missed "$tmp/out"; return 1; }
}

points_or_switch() { # PARAMETERS...: every coverage point, `switch` in a directed run
  points "$@" > /dev/null || switched "$@" switches_copy
}

cd "$tmp" || exit 1
try "const_cache: all profiles at the default size" "$all_ids" -- run --seed 1 --cycles 200000
try "const_cache: all profiles, protocol shared" "[CC-1 CC-2 CC-3 CC-13 CC-15 CC-16]" -- run -p PROTOCOL=shared --seed 2 --cycles 200000
try "const_cache: every coverage point and every line is hit at a small size" "${all_ids%]} ${unit_ids#[}" -- covered
try "const_cache: all profiles, protocol copy" "$copy_ids" -- run -p PROTOCOL=copy --seed 4 --cycles 200000
try "const_cache: protocol copy, every coverage point is hit at a small size" "$copy_ids" -- points "${copy[@]}"
try "const_cache: protocol copy, sweeps go on behind a wrap of the epochs" "[CC-2 CC-5 CC-8]" -- run -p PROTOCOL=copy -p SMS=2 -p CONSTANTS=256 -p L1_ENTRIES=256 -p L2_ENTRIES=16 -p GEN_W=2 --seed 1 --cycles 100000
try "const_cache: lines of four words, every coverage point is hit" "$all_ids" -- points "${wide[@]}"
try "const_cache: lines of two words, protocol copy, every coverage point is hit" "$copy_ids" -- points "${wide_copy[@]}"
unit_copy=("${copy[@]}" -p STATUS=one_hot)
try "const_cache: halted, reset, saved and loaded, protocol copy, every coverage point is hit" "$unit_ids" -- points_or_switch "${unit_copy[@]}"
try "const_cache: the same, lines of two words" "$unit_ids" -- run "${wide_copy[@]}" -p STATUS=two_of_four --stimulus random:halts --seed 4 --cycles 300000
try "const_cache: protocol copy, halted between the words of copies and updates" "[CC-14 US-4 US-14]" -- run "${unit_copy[@]}" --stimulus random:halt_often --seed 5 --cycles 300000
try "const_cache: halted, reset, saved and loaded, protocol shared" "$unit_ids" -- run -p PROTOCOL=shared -p STATUS=binary --stimulus random:halts --seed 6 --cycles 200000
try "const_cache: the same, protocol backup, lines of four words" "$unit_ids" -- run "${wide[@]}" -p STATUS=one_hot --stimulus random:halts --seed 7 --cycles 300000
try "const_cache: the same at the default size" "$unit_ids" -- run -p STATUS=two_of_four --stimulus random:halts --seed 7 --cycles 200000
while read -r name ids; do
  with=()
  [ "$name" != shared_waits ] || with=(-p PROTOCOL=shared)
  case $name in
    copies | current_first | update_waits) with=("${copy[@]}") ;;
    locks) with=(-p PROTOCOL=copy) ;;
    unaligned) with=(-p WRITE_WORDS=4) ;;
    switches | refused | halted_item | nack | halted_answer) with=(-p STATUS=one_hot) ;;
    switches_copy) with=("${copy[@]}" -p STATUS=one_hot) ;;
    switches_shared) with=(-p PROTOCOL=shared -p STATUS=one_hot) ;;
  esac
  try "const_cache: $name" "[$ids]" -- run "${with[@]}" --stimulus "directed:$name" --seed 1
done < <(directed)
try "const_cache: every directed test of a unit in turn, protocol copy" "[CC-14 US-9]" -- run "${unit_copy[@]}" --stimulus directed --seed 1
try "const_cache: every directed test in turn, small" "[CC-2 CC-3 CC-15]" -- run "${small[@]}" --stimulus directed --seed 1
try "const_cache: every directed test in turn, lines of four words" "[CC-2 CC-3 CC-15]" -- run -p WRITE_WORDS=4 --stimulus directed --seed 1
try "const_cache: every directed test in turn, lines of two words, protocol copy" "[CC-2 CC-3 CC-15]" -- run -p WRITE_WORDS=2 -p SMS=3 -p PROTOCOL=copy --stimulus directed --seed 1
exit $failed
