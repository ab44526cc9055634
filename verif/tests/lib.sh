# SPDX-License-Identifier: Apache-2.0
# lib.sh: what test scripts share; to be sourced from the repository root with SIMTGEN and B set. A script
# that tests with blocks outside the tree sets EXTRA (folders, separated by spaces) before.
# shellcheck shell=bash
set -u
root=$PWD
B=$(realpath "${B:-build}")
SIMTGEN=${SIMTGEN:-$B/simtgen}
EXTRA=${EXTRA:-}
export SIMTGEN_CACHE=${SIMTGEN_CACHE:-$B/cache} # planted faults build their RTL once, not in every run
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# try NAME [REQ-IDS] -- COMMAND...: one test; what the command says is the reason when it fails. In a script that rotates
# (`# rotate: N`) it is done when it is its turn.
try() {
  local name=$1 said
  shift
  while [ "$1" != -- ]; do name+=" $1"; shift; done
  shift
  tries=$((${tries:-0} + 1))
  if ! its_turn; then
    echo "later $name"
  elif [ "${KEPT:-}" ] && grep -qxsF "ok $name" "$KEPT"; then # of a run of the night that was stopped
    echo "ok $name"
  elif said=$("$@" 2>&1); then
    echo "ok $name"
    [ -z "${KEPT:-}" ] || echo "ok $name" >> "$KEPT"
  else
    echo "not ok $name: $(tail -n 8 <<<"$said" | tr '\n' ' ')"
    failed=1
  fi
}

# its_turn: run_tests.py says in PART which part of the cases of a script that rotates it wants: K/N. Cases are of the parts in turn, by
# their number in CASE or in the order in which they are tried.
its_turn() {
  local part=${PART:-all}
  [ "$part" != all ] || return 0
  [ "$part" != none ] || return 1
  [ $((${CASE:-$tries} % ${part#*/})) = "${part%/*}" ]
}

# always try ...: in each run, whatever the part.
always() { PART=all "$@"; }

# status WANTED COMMAND...: runs it, shows its output, checks the exit status.
status() {
  local wanted=$1 got=0
  shift
  "$@" || got=$?
  [ "$got" = "$wanted" ] || { echo "exit status $got, expected $wanted"; return 1; }
}

# copy_tree DIR: the sources, without what golden tests of messages read.
copy_tree() {
  mkdir -p "$1/build" &&
    tar -c --format=posix --exclude='tests/errors' -C "$root" Makefile cmodel gen verif rtl_templates | tar -x -C "$1"
}

# build_copy DIR: the program of a copy, with the blocks of EXTRA: DIR/build/simtgen. It gets the objects of B, so that
# little has to be compiled again.
build_copy() {
  if [ -d "$B/obj" ] && [ ! -d "$1/build/obj" ]; then
    tar -c --format=posix -C "$B" obj | tar -x -C "$1/build" &&
      find "$1/build" -name '*.d' -exec sed -i 's|^[^ ]*/obj/|build/obj/|' {} + || return 1
  fi
  make -s -C "$1" B=build EXTRA="$EXTRA" build/simtgen > "$1/make.log" 2>&1 || { tail -n 5 "$1/make.log"; return 1; }
}

# in_copy DIR COMMAND...: with the templates of a copy.
in_copy() {
  local dir=$1 extra='' e
  shift
  for e in $EXTRA; do extra+=:$dir/$e; done
  SIMTGEN_DATA=$dir SIMTGEN_EXTRA=${extra#:} "$@"
}

# with_extra: a program that has the blocks of EXTRA takes the place of SIMTGEN.
with_extra() {
  local e extra=
  copy_tree "$tmp/extra" && build_copy "$tmp/extra" || return 1
  SIMTGEN=$tmp/extra/build/simtgen
  for e in $EXTRA; do extra+=:$root/$e; done
  export SIMTGEN SIMTGEN_DATA=$root SIMTGEN_EXTRA=${extra#:}
}

# ---- what there is to run -------------------------------------------------------------------------------------------

# blocks: their names, or those of BLOCKS (run_tests.py sets it for a script that says `# each: block`).
blocks() { PYTHONPATH=$root/verif/tools python3 -c 'import testlib; print(*testlib.block_names())'; }

# each_stimulus random|directed BLOCK FUNCTION: calls FUNCTION NAME REQUIREMENTS for every profile or directed test that the
# program has, none left out.
each_stimulus() {
  local list name ids n=0
  list=$("$SIMTGEN" describe "$2" --json | python3 -c '
import json, sys
for s in json.load(sys.stdin)["stimuli"]:
    if s["kind"] == sys.argv[1]:
        print(s["name"], s["requirement"])' "$1")
  while read -r name ids; do
    [ "$name" ] && n=$((n + 1)) && "$3" "$name" "$ids" < /dev/null
  done <<<"$list"
  [ $n -gt 0 ] || { echo "not ok $2: no $1 stimulus is listed"; failed=1; }
}

# configurations BLOCK: the lines of its grid that are allowed.
configurations() { sed 's/#.*//; s/ *$//; /^!/d; /^$/d' "$root/verif/$1/grid.txt"; }

# grid BLOCK: the configurations of verif/BLOCK/grid.txt in lockstep, random and directed. They rotate, but those whose comment begins
# with `corner:` always run. Lines of the file say more: `#: shows IDS`, the requirements; `#: cycles N` or `#: cycles N, M at night`;
# `#: night PATTERN`, those that are for the night alone, as their RTL takes minutes to compile or to run. Two at a time, because
# most of the time goes into compiling; seeds count from 101 over all.
grid() {
  local block=$1 file=$root/verif/$1/grid.txt seed=100 running=0 night ids cycles line comment part
  ids=$(sed -n 's/^#: shows //p' "$file") night=$(sed -n 's/^#: night //p' "$file")
  cycles=$(sed -nE 's/^#: cycles ([0-9]+).*/\1/p' "$file")
  [ "${PART:-all}" != all ] || GRID_SECONDS=1500 cycles=$(sed -nE 's/^#: cycles ([0-9]+, )?([0-9]+).*/\2/p' "$file")
  [ "$ids" ] && [ "$cycles" ] || { echo "not ok grid of $block: $file has no line '#: shows' or '#: cycles'"; failed=1; return; }
  [ "$(configurations "$block" | wc -l)" -gt 0 ] || { echo "not ok grid of $block: there is no configuration"; failed=1; return; }
  while IFS='#' read -r line comment; do
    line=$(sed 's/ *$//' <<<"$line")
    seed=$((seed + 1)) part=${PART:-all}
    if [ "$part" = all ] || [[ $comment =~ ^\ *corner: ]]; then
      part=all
    elif grep -qE "${night:-^$}" <<<"$line"; then
      part=none
    fi
    CASE=$seed PART=$part try "grid of $block: $line" "[$ids]" -- grid_one "$block" "$cycles" $seed "$line" > "$tmp/grid.$seed" &
    running=$((running + 1))
    [ $running -lt 2 ] || { wait -n; running=1; }
  done < <(sed '/^!/d; /^ *$/d; /^ *#/d' "$file")
  wait
  cat "$tmp"/grid.* && ! grep -q '^not ok' "$tmp"/grid.* || failed=1
  [ "$(cat "$tmp"/grid.* | wc -l)" = "$(configurations "$block" | wc -l)" ] || { echo "not ok grid of $block: a configuration has no result"; failed=1; }
}

grid_one() { # BLOCK CYCLES SEED LINE
  local parameters=() p
  for p in $4; do parameters+=(-p "${p/topology=/topology=$root/}"); done
  mkdir "$tmp/run.$3" && cd "$tmp/run.$3" || return 1
  timeout "${GRID_SECONDS:-300}" "$SIMTGEN" check "$1" "${parameters[@]}" -q --cycles "$2" --seed "$3" &&
    timeout "${GRID_SECONDS:-300}" "$SIMTGEN" check "$1" "${parameters[@]}" -q --cycles 1000000 --stimulus directed --seed 1
}

# ---- coverage -------------------------------------------------------------------------------------------------------

# measured OUTPUT [WHAT]...: a file with what `simtgen check --coverage` says: it has measured points and lines, at least one
# of each, and lists every point.
measured() {
  local points
  points=$(sed -nE 's/^  coverage: [0-9]+ of ([1-9][0-9]*) points hit$/\1/p' "$1")
  [ "$points" ] && grep -qE '^  RTL lines: [0-9]+ of [1-9][0-9]* places reached$' "$1" &&
    [ "$(grep -cE '^  (hit|missed) +[0-9]+  ' "$1")" = "$points" ] || { echo "no coverage was measured: $(tail -n 3 "$1")"; return 1; }
}

# all_hit points|lines|all BLOCK ARGUMENTS...: the run passes, every coverage point is hit or every line reached, or both. An eighth
# of its cycles often does it, as each profile has its part of any run; a run ends when it has all.
all_hit() {
  local what=$1 missing='missed|not reached:' until=lines arguments=("${@:2}") at='' cycles
  [ "$what" != points ] || missing='missed' until=points
  [ "$what" != lines ] || missing='not reached:'
  for cycles in "${!arguments[@]}"; do
    [ "${arguments[cycles]}" != --cycles ] || at=$((cycles + 1))
  done
  for cycles in ${at:+$((arguments[at] / 8))} "${arguments[at]:-}"; do
    [ -z "$at" ] || arguments[at]=$cycles
    SIMTGEN_UNTIL_COVERED=$until timeout 300 "$SIMTGEN" check "${arguments[@]}" --coverage > "$tmp/coverage" ||
      { tail -n 5 "$tmp/coverage"; return 1; }
    measured "$tmp/coverage" || return 1
    grep -qE "^  ($missing)" "$tmp/coverage" || return 0
  done
  ! grep -E "^  ($missing)" "$tmp/coverage"
}

. verif/tests/planted.sh
