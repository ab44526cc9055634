# SPDX-License-Identifier: Apache-2.0
# system_lib.sh: what the tests of verif/front_end/system share: a program that has its blocks, and one of the models alone.
# shellcheck shell=bash
EXTRA=verif/front_end/system
. verif/tests/lib.sh
include=(-Icmodel/core -Iverif/core -Icmodel -Iverif -I$EXTRA/cmodel -I$EXTRA/verif)
# Stacks that go to memory all the time, and whose contexts are short.
# shellcheck disable=SC2034
small="THREADS=2 LANES=6 ENTRY_W=16 ENTRIES=4 SET=1 MAX_DEPTH=300 INFLIGHT=4"

# models PROGRAM [FILE SED]...: the models, environment and verif/front_end/tests/system_test.c, with the edits.
models() {
  local to=$1 object objects=() edited=() o
  shift
  while [ $# -gt 0 ]; do
    sed "$2" "$1" > "$tmp/edited.c"
    if cmp -s "$1" "$tmp/edited.c"; then echo "the edit of $1 changes nothing: $2"; return 1; fi
    object=$tmp/extra/build/obj/${1%.c}.o
    gcc -std=gnu11 -O2 "${include[@]}" -I"$(dirname "$1")" -c -o "$tmp/$to.${#edited[@]}.o" "$tmp/edited.c" || return 1
    edited+=("$object")
    shift 2
  done
  for o in $(find "$tmp/extra/build/obj/verif" "$tmp/extra/build/obj/cmodel" -name '*.o'); do
    [[ " ${edited[*]} " == *" $o "* ]] || objects+=("$o")
  done
  for o in "${!edited[@]}"; do objects+=("$tmp/$to.$o.o"); done
  gcc -std=gnu11 -O2 -Wall -Werror "${include[@]}" -o "$tmp/$to" verif/front_end/tests/system_test.c "${objects[@]}" \
    "$tmp"/extra/build/{blocks,verifs}.o -lz -lm -lpthread
}

# lockstep BLOCK ARGUMENTS... -- NAME=VALUE...
lockstep() {
  local arguments=() p
  while [ "$1" != -- ]; do arguments+=("$1"); shift; done
  shift
  for p in "$@"; do arguments+=(-p "$p"); done
  (cd "$tmp" && timeout 3000 "$SIMTGEN" check "${arguments[@]}" -q)
}
