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

until_covered() { # CYCLES ARGUMENTS...: how many were run, where the run may end when all is hit
  SIMTGEN_UNTIL_COVERED=lines "$SIMTGEN" check arbiter --coverage --seed 1 --cycles "$@" > "$tmp/until" && measured "$tmp/until" &&
    sed -nE 's/^  ([0-9]+) cycles compared.*/\1/p' "$tmp/until"
}
ends_early() { [ "$(until_covered 1000000)" -lt 100000 ] && ! grep -E '^  (missed|not reached)' "$tmp/until" || { cat "$tmp/until"; return 1; }; }
try "coverage: a run that may ends when all is hit" -- ends_early
goes_on() { [ "$(until_covered 100000 --stimulus random:idle -p CLIENTS=32)" = 100000 ] && grep -q "^  missed" "$tmp/until" || { cat "$tmp/until"; return 1; }; }
try "coverage: a run that misses something goes on to its end" -- goes_on

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
mkdir -p "$root/verif/any" && printf '%s\n' '#: shows AA-1 AA-2' '#: cycles 10, 20 at night' '#: night A=4' 'A=1 # corner: least' 'A=2 # other' \
  '! A=3' 'A=4' 'A=5' > "$root/verif/any/grid.txt"
asked() { printf '#!/bin/sh\necho "$*" >> %s\necho PASS\n' "$tmp/asked" > "$tmp/fake" && chmod +x "$tmp/fake" && : > "$tmp/asked"; }
on_grid() { rm -rf "$tmp"/grid.* "$tmp"/run.*; asked && SIMTGEN=$tmp/fake PART=$1 in_subshell grid any; }
whole() {
  [ "$(on_grid all | grep -c '^ok grid of any: A=[1245] \[AA-1 AA-2\]$')" = 4 ] && [ "$(grep -c 'cycles 20 ' "$tmp/asked")" = 4 ] || cat "$tmp/asked"
}
try "grid: every allowed configuration is run, for as long as the night has" -- whole
in_parts() { # seeds: 101 (corner), 102, 103 (night), 104
  [ "$(on_grid 0/2 | tr '\n' ';')" = "ok grid of any: A=1 [AA-1 AA-2];ok grid of any: A=2 [AA-1 AA-2];later grid of any: A=4 [AA-1 AA-2];`
    `ok grid of any: A=5 [AA-1 AA-2];" ] && [ "$(grep -c 'cycles 10 ' "$tmp/asked")" = 3 ] &&
    [ "$(on_grid 1/2 | grep -c '^later')" = 3 ] || on_grid 0/2
}
try "grid: a part has the corners and its own, and names all others" -- in_parts
sed -i '/^[A!]/d' "$root/verif/any/grid.txt"
try "grid: a list of nothing is red" -- red 'there is no configuration' on_grid all
sed -i '/^#: shows/d' "$root/verif/any/grid.txt"
try "grid: one that says no requirement is red" -- red "no line '#: shows'" on_grid all

# ---- rotation: `try` in a script that rotates
cases() { for n in $(seq 40); do try "case $n" "[AA-$n]" -- true; done; }
parts() {
  for n in 0 1 2; do tries=0; PART=$n/3 cases; done > "$tmp/parts"
  [ "$(grep -c '^ok' "$tmp/parts")" = 40 ] && [ "$(grep '^ok' "$tmp/parts" | sort -u | wc -l)" = 40 ] &&
    [ "$(grep -c '^later' "$tmp/parts")" = 80 ] || { cat "$tmp/parts"; return 1; }
}
try "rotation: each case is in one part, and named in the others" -- parts
kept() {
  echo 'ok case 3 [AA-3]' > "$tmp/kept"
  one() { try "case 3" "[AA-3]" -- false; try "case 4" "[AA-4]" -- true; try "case 5" "[AA-5]" -- false; }
  [ "$(KEPT=$tmp/kept in_subshell one | cut -c1-10 | tr '\n' ';')" = "ok case 3 ;ok case 4 ;not ok cas;" ] && [ "$(cat "$tmp/kept")" = "ok case 3 [AA-3]
ok case 4 [AA-4]" ]
}
try "rotation: what passed before a night was stopped is not done again" -- kept
failing() { PART=0/1 always try any -- false; }
try "rotation: a case that fails is red, also one that is always done" -- red 'not ok any' in_subshell failing
exit $failed
