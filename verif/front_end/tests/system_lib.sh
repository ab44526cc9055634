# SPDX-License-Identifier: Apache-2.0
# system_lib.sh: what the tests of verif/front_end/system share: a program that has its blocks, and one of the models alone.
# shellcheck shell=bash
EXTRA=verif/front_end/system
. verif/tests/lib.sh
# Stacks that go to memory all the time, and whose contexts are short.
# shellcheck disable=SC2034
small="THREADS=2 LANES=6 ENTRY_W=16 ENTRIES=4 SET=1 MAX_DEPTH=300 INFLIGHT=4"

# The models, environment and verif/front_end/tests/system_test.c.
# shellcheck disable=SC2034
main=verif/front_end/tests/system_test.c PLANTED_SECONDS=100

# lockstep BLOCK ARGUMENTS... -- NAME=VALUE...
lockstep() {
  local arguments=() p
  while [ "$1" != -- ]; do arguments+=("$1"); shift; done
  shift
  for p in "$@"; do arguments+=(-p "$p"); done
  (cd "$tmp" && timeout 3000 "$SIMTGEN" check "${arguments[@]}" -q)
}
