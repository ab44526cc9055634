# SPDX-License-Identifier: Apache-2.0
# planted.sh: planted faults, for every test script (lib.sh reads this file). One rule: a planted fault is seen when the
# program under test ends by itself with exit status 1 and says what is expected. A crash, an abort, a time-out or an edit
# that changes nothing leaves the test red; verif/tests/harness.sh shows it.
# shellcheck shell=bash
PLANTED_SECONDS=${PLANTED_SECONDS:-120} # for one run of a program with a planted fault

# verdict PATTERN STATUS OUTPUT: the rule. The pattern is an extended regular expression for one line of the output.
verdict() {
  [ "$2" = 1 ] || { echo "exit status $2, expected 1: $(tail -n 3 <<<"$3")"; return 1; }
  grep -qE -- "$1" <<<"$3" || { echo "no '$1' in: $(tail -n 5 <<<"$3")"; return 1; }
}

# seen_by PATTERN COMMAND...: the command sees the planted fault.
seen_by() {
  local pattern=$1 said got=0
  shift
  said=$(timeout -k 5 "$PLANTED_SECONDS" "$@" 2>&1) || got=$?
  verdict "$pattern" $got "$said"
}

# edit FILE SED TO: writes the edited FILE to TO; refuses an edit that changes nothing.
# EDIT=-E: the edits of this script are extended regular expressions.
edit() {
  sed ${EDIT:-} "$2" "$1" > "$3" || return 1
  if cmp -s "$1" "$3"; then echo "the edit of $1 changes nothing: $2"; return 1; fi
}

# ---- in the program: RTL, models and environments ----------------------------------------------------------------

# open_copy DIR FILE...: the sources in DIR, as links; FILEs (paths from the root) can be written there.
open_copy() {
  local dir=$1 file part to
  shift
  ln -s "$root"/{cmodel,gen,verif,rtl_templates} "$dir/" || return 1
  for file in "$@"; do
    part=
    while [[ ${file#"$part"} == */* ]]; do
      to=${file#"$part"} part+=${to%%/*}
      if [ -L "$dir/$part" ]; then
        to=$(readlink "$dir/$part") && rm "$dir/$part" && mkdir "$dir/$part" && ln -s "$to"/* "$dir/$part/" || return 1
      fi
      part+=/
    done
  done
}

# build_open DIR FILE...: the program of an open copy with its edited FILEs: DIR/simtgen. What none of them goes into comes from
# the build folder.
build_open() {
  local dir=$1 built=$B objects=() changed=() include=(-Icmodel/core -Iverif/core -Igen -Icmodel -Iverif) names=() e o
  shift
  for e in $EXTRA; do include+=("-I$e/cmodel" "-I$e/verif"); done
  [ -z "$EXTRA" ] || built=$tmp/extra/build
  for e in "$@"; do names+=(-e " $e" -e "/$e"); done
  while read -r o; do
    e=${o#"$built"/obj/} e=${e%.o}.c
    [ -e "$root/$e" ] || continue # of a file that is gone
    if grep -qF "${names[@]}" "${o%.o}.d"; then changed+=("$e"); else objects+=("$o"); fi
  done < <(find "$built"/obj/{gen,cmodel,verif} -path "$built/obj/gen/tests" -prune -o -name '*.o' -print)
  [ ${#changed[@]} -gt 0 ] || { echo "$*: not built into the program"; return 1; }
  for e in "${changed[@]}"; do
    o=$dir/${e//\//,}.o
    (cd "$dir" && gcc -std=gnu11 -O1 -fPIC ${WITH:-} "${include[@]}" -c -o "$o" "$e") || return 1
    objects+=("$o")
  done
  gcc -rdynamic -o "$dir/simtgen" "${objects[@]}" "$built"/{blocks,verifs}.o -lfyaml -ljansson -lnettle -lz -ldl -lm -lpthread
}

# planted FILE SED [FILE SED]... -- BLOCK ARGUMENTS...: edits FILEs (paths from the root) in a copy of the tree, builds again
# what a .c file changes, and runs `simtgen check` there: its output and exit status. 99: the fault cannot be planted. The run is
# to fail early: its RTL is compiled without optimisation, and what fails is not shrunk (QUICK=: it is).
planted() {
  local dir program=$SIMTGEN got=0 compiled=() files=() edits=()
  dir=$(mktemp -d "$tmp/planted.XXXXXX")
  while [ "$1" != -- ]; do
    files+=("$1") edits+=("$2")
    shift 2
  done
  shift
  open_copy "$dir" "${files[@]}" || return 99
  while [ ${#edits[@]} -gt 0 ]; do
    edit "$dir/${files[0]}" "${edits[0]}" "$dir/after" || return 99
    mv -f "$dir/after" "$dir/${files[0]}" # in the place of a link
    case ${files[0]} in *.c | *.h) compiled+=("${files[0]}");; esac
    files=("${files[@]:1}") edits=("${edits[@]:1}")
  done
  if [ ${#compiled[@]} -gt 0 ]; then
    build_open "$dir" "${compiled[@]}" || return 99
    program=$dir/simtgen
  fi
  (cd "$dir" && SIMTGEN_QUICK=${QUICK-1} in_copy "$dir" timeout -k 5 "$PLANTED_SECONDS" "$program" check "$@") || got=$?
  rm -rf "$dir"
  return $got
}

# found PATTERN FILE SED [FILE SED]... -- BLOCK ARGUMENTS...: `simtgen check` finds the planted fault and says so.
found() {
  local pattern=$1 said got=0
  shift
  said=$(planted "$@" 2>&1) || got=$?
  verdict "$pattern" $got "$said"
}

# ---- in models alone, without RTL ----------------------------------------------------------------------------------

# models PROGRAM MAIN [FILE SED]...: links MAIN (a .c file) with all models and environments into $tmp/PROGRAM, FILEs (paths
# from the root) edited. What is not edited comes from the build folder.
models() {
  local to=$1 main=$2 built=$B list=() objects=() include=(-Icmodel/core -Iverif/core -Icmodel -Iverif) e o
  shift 2
  for e in $EXTRA; do include+=("-I$e/cmodel" "-I$e/verif"); done
  [ -z "$EXTRA" ] || built=$tmp/extra/build
  rm -rf "$tmp/$to.o" && mkdir -p "$tmp/$to.o" || return 1
  while [ $# -gt 0 ]; do
    o=$tmp/$to.o/${1//\//,}
    [ -e "$o" ] || { cp "$1" "$o" && list+=("$1"); } || return 1
    edit "$o" "$2" "$o.new" && mv "$o.new" "$o" || return 1
    shift 2
  done
  while read -r o; do
    e=${o#"$built"/obj/}
    [[ " ${list[*]} " == *" ${e%.o}.c "* ]] || objects+=("$o")
  done < <(find "$built/obj/cmodel" "$built/obj/verif" -name '*.o')
  for e in "${list[@]}"; do
    [ -e "$built/obj/${e%.c}.o" ] || { echo "$e: not built into the program"; return 1; }
    gcc -std=gnu11 -O2 "${include[@]}" -c -o "$tmp/$to.o/${e//\//,}.o" "$tmp/$to.o/${e//\//,}" || return 1
    objects+=("$tmp/$to.o/${e//\//,}.o")
  done
  o=$tmp/main.${main//\//,}.o
  [ -e "$o" ] || gcc -std=gnu11 -O2 -Wall -Werror "${include[@]}" -c -o "$o" "$main" || return 1
  gcc -o "$tmp/$to" "$o" "${objects[@]}" "$built"/{blocks,verifs}.o -lz -lm -lpthread
}

# For scripts that run a test in C over several arguments: `runs`, an array of them, is set by the script, and `block`, which
# comes before each. The test prints `cycle N: what is wrong` and ends with 1. `main` is verif/tests/model_test.c (environment
# and golden model of a block) where the script does not say another.
main=verif/tests/model_test.c

# passes: every run of the sound models passes; SECONDS_SOUND for each.
passes() {
  local run said
  [ -e "$tmp/sound" ] || models sound "$main" || return 1
  for run in "${runs[@]}"; do
    # shellcheck disable=SC2086
    said=$(timeout -k 5 "${SECONDS_SOUND:-$PLANTED_SECONDS}" "$tmp/sound" ${block:-} $run 2>&1) ||
      { echo "$run: exit status $?: $said"; return 1; }
  done
}

# model_finds PATTERN FILE SED [FILE SED]...: the runs up to the first that sees the fault; that one must say what is expected.
model_finds() {
  local pattern=$1 run said got
  shift
  models planted "$main" "$@" || return 1
  for run in "${runs[@]}"; do
    # shellcheck disable=SC2086
    said=$(timeout -k 5 "$PLANTED_SECONDS" "$tmp/planted" ${block:-} $run 2>&1) && continue
    got=$?
    verdict "^cycle [0-9]+[^:]*: .*($pattern)" $got "$said" || { echo "in the run $run"; return 1; }
    return 0
  done
  echo "no run finds it"
  return 1
}

# seen NAME IDS PATTERN [FILE SED]...: a test of model_finds; FILEs without a folder are of the block's model.
seen() {
  local name=$1 ids=$2 pattern=$3 edits=()
  shift 3
  while [ $# -gt 0 ]; do
    case $1 in
      */*/*) edits+=("$1" "$2");;
      */*) edits+=("cmodel/$1" "$2");;
      *) edits+=("cmodel/$block/$1" "$2");;
    esac
    shift 2
  done
  try "fault: $name" "[$ids]" -- model_finds "$pattern" "${edits[@]}"
}
