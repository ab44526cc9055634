#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# What the test scripts share, itself tested: planted.sh (what must not count as a fault that was seen, a crash above all) and
# lib.sh (what must be red because nothing was measured or run).
EXTRA=verif/tests/arbiter
. verif/tests/lib.sh
with_extra || { echo "not ok harness: the program with the example block does not build"; exit 1; }
# shellcheck disable=SC2034
block=arbiter PLANTED_SECONDS=20 runs=("3000 1 random" "3000 2 random CLIENTS=7")
model=$EXTRA/cmodel/arbiter/model.c step='^void arbiter_step(.*{$'
wrong='s/uint64_t after = .*/uint64_t after = req \& (((uint64_t)1 << m->s.last) - 1);/' # no longer in turn

# red REASON COMMAND...: the harness says that the fault is not seen, for this reason.
red() {
  local reason=$1 said
  shift
  if said=$("$@" 2>&1); then echo "it counts as seen"; return 1; fi
  grep -qE -- "$reason" <<<"$said" || { echo "red, but not with '$reason': $said"; return 1; }
}

# ---- a command
try "planted: exit status 1 with the message is seen" -- seen_by '^wrong: 7$' sh -c 'echo wrong: 7; exit 1'
try "planted: another message is not" -- red "no '.wrong: 8" seen_by '^wrong: 8$' sh -c 'echo wrong: 7; exit 1'
try "planted: the message with exit status 0 is not" -- red 'exit status 0' seen_by wrong sh -c 'echo wrong'
try "planted: the message with exit status 2 is not" -- red 'exit status 2' seen_by wrong sh -c 'echo wrong; exit 2'
try "planted: the message before an abort is not" -- red 'exit status 134' seen_by wrong bash -c 'echo wrong; kill -ABRT $$'
PLANTED_SECONDS=1
try "planted: the message before a time-out is not" -- red 'exit status 124' seen_by wrong sh -c 'echo wrong; sleep 9'
PLANTED_SECONDS=20
try "planted: a command that is not there is not" -- red 'exit status 127' seen_by '' no_such_command

# ---- models alone
fault() { model_finds "$1" $model "$2"; }
try "planted: a fault in a model is seen" -- fault 'client [0-9]+ waits' "$wrong"
try "planted: a trap in a model is not seen" -- red 'exit status 13[0-9]' fault '' "s/$step/&\n  __builtin_trap();/"
try "planted: an abort in a model is not seen" -- red 'exit status 134' fault '' "s/$step/&\n  __builtin_abort();/"
PLANTED_SECONDS=2
try "planted: a model that never ends is not seen" -- red 'exit status 124' fault '' "s/$step/&\n  for (volatile int i = 1; i;) ;/"
PLANTED_SECONDS=20
try "planted: a model that ends the program is not seen" -- \
  red "no '" fault '' "s/$step/&\n  extern void exit(int); exit(1);/"
try "planted: an edit that changes nothing is not seen" -- red 'changes nothing' fault '' 's/no such text/x/'
try "planted: an edit that does not compile is not seen" -- red 'error' fault '' "s/$step/&\n  does not compile/"
try "planted: a fault that no run finds is not seen" -- red 'no run finds it' fault '' '$s/$/ /'

# ---- the program
PLANTED_SECONDS=120
check() { found "$1" $model "$2" -- arbiter -q --engine verilator-O0 --seed 1 --cycles 2000; }
try "planted: a fault that simtgen check names is seen" -- \
  check '^(MISMATCH|GOLDEN MODEL): ' "$wrong"
try "planted: a trap under simtgen check is not seen" -- red 'exit status 13[0-9]' check '' "s/$step/&\n  __builtin_trap();/"
try "planted: a fault that simtgen check does not find is not seen" -- red 'exit status 0' check '' '$s/$/ /'

# ---- lists, grids and coverage of lib.sh: what measures nothing is red

# fake OUTPUT: a program that prints it, whatever it is asked for.
fake() { printf '#!/bin/sh\ncat <<"END"\n%s\nEND\n' "$1" > "$tmp/fake" && chmod +x "$tmp/fake"; }
covers() { fake "$1" && SIMTGEN=$tmp/fake all_hit "${2:-all}" any; }
point='  hit               3  some_point: it comes' lines='  RTL lines: 2 of 2 places reached'
one='  coverage: 1 of 1 points hit'
try "coverage: all points hit and lines reached pass" -- covers "$one
$point
$lines"
try "coverage: a missed point is red" -- red 'missed' covers "  coverage: 0 of 1 points hit
  missed            0  some_point: it comes
$lines"
try "coverage: a line that is not reached is red" -- red 'not reached' covers "$one
$point
  RTL lines: 1 of 2 places reached
  not reached: a.v:3 (branch)"
try "coverage: no output is red" -- red 'no coverage was measured' covers ''
try "coverage: no points are red" -- red 'no coverage was measured' covers "  coverage: 0 of 0 points hit
$lines"
try "coverage: no lines are red" -- red 'no coverage was measured' covers "$one
$point
  RTL lines: 0 of 0 places reached"
try "coverage: a point that is not listed is red" -- red 'no coverage was measured' covers "  coverage: 2 of 2 points hit
$point
$lines"
unasked() { # what a real run says that measured nothing
  "$SIMTGEN" check arbiter --engine verilator-O0 --seed 1 --cycles 2000 > "$tmp/unasked" && measured "$tmp/unasked"
}
try "coverage: a run without --coverage is red" -- red 'no coverage was measured' unasked

# in_subshell COMMAND...: what it prints, and whether it sets `failed`.
in_subshell() { (failed=0 && "$@" && exit $failed); }
each() { fake "$1" && SIMTGEN=$tmp/fake in_subshell each_stimulus directed any echo; }
all_called() { [ "$(each "$1" | tr '\n' ' ')" = "one SC-1 two SC-2 US-3 three  " ] || each "$1"; }
try "stimuli: every one is run, whatever its requirements" -- all_called '{"stimuli": [
  {"kind": "directed", "name": "one", "requirement": "SC-1"}, {"kind": "random", "name": "other", "requirement": "SC-1"},
  {"kind": "directed", "name": "two", "requirement": "SC-2 US-3"}, {"kind": "directed", "name": "three", "requirement": ""}]}'
try "stimuli: an empty list is red" -- red 'no directed stimulus' each '{"stimuli": []}'
try "stimuli: a program that says nothing is red" -- red 'no directed stimulus' each ''
root=$tmp/tree
mkdir -p "$root/verif/any" && printf '%s\n' 'A=1' 'A=2 # comment' '! A=3' 'A=4' > "$root/verif/any/grid.txt"
on_grid() { rm -rf "$tmp"/grid.* "$tmp"/run.*; fake PASS && SIMTGEN=$tmp/fake in_subshell grid any "" 10; }
whole() { [ "$(on_grid | grep -c '^ok grid: A=[124] $')" = 3 ] && ! on_grid | grep -v '^ok'; }
try "grid: every allowed configuration is run" -- whole
says() { LEAVE=A=4 ELSEWHERE=other.sh on_grid | grep -qx 'note: 1 of 3 configurations of any are left to other.sh'; }
try "grid: what is left out is said" -- says
SELECT=B=1
try "grid: a pattern that matches nothing is red" -- red 'no configuration of any is chosen' on_grid
exit $failed
