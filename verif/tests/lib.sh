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

# try NAME [REQ-IDS] -- COMMAND...: one test; what the command says is the reason when it fails.
try() {
  local name=$1 said
  shift
  while [ "$1" != -- ]; do name+=" $1"; shift; done
  shift
  if said=$("$@" 2>&1); then
    echo "ok $name"
  else
    echo "not ok $name: $(tail -n 8 <<<"$said" | tr '\n' ' ')"
    failed=1
  fi
}

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

# planted FILE SED [FILE SED]... -- BLOCK ARGUMENTS...: plants a fault by editing FILEs (paths from the root)
# of a copy of the tree with sed, builds again what a .c file changes, and runs `simtgen check` there. True
# when check found the fault (status 1); shows what check printed.
planted() {
  local dir program=$SIMTGEN got=0 compiled=
  dir=$(mktemp -d "$tmp/planted.XXXXXX")
  copy_tree "$dir" || return 1
  while [ "$1" != -- ]; do
    cp -p "$dir/$1" "$dir/before"
    sed -i "$2" "$dir/$1"
    if cmp -s "$dir/before" "$dir/$1"; then echo "the edit of $1 changes nothing: $2"; return 1; fi
    case $1 in *.c | *.h) compiled=1;; esac
    shift 2
  done
  shift
  if [ "$compiled" ]; then
    build_copy "$dir" || return 1
    program=$dir/build/simtgen
  fi
  (cd "$dir" && in_copy "$dir" timeout 120 "$program" check "$@") || got=$?
  rm -rf "$dir"
  [ $got = 1 ] || { echo "status $got: the planted fault is not found"; return 1; }
}

# found PATTERN FILE SED [FILE SED]... -- BLOCK ARGUMENTS...: the planted fault is found, and what check prints
# matches the pattern.
found() {
  local pattern=$1 said
  shift
  said=$(planted "$@" 2>&1) || { echo "$said"; return 1; }
  grep -qE "$pattern" <<<"$said" || { echo "no '$pattern' in: $said"; return 1; }
}
