#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 4
# Follows docs/adding_a_block.md from scratch in a fresh copy of the tree: runs its commands, compares its
# excerpts with the files, and looks whether anything outside the new folders has changed.
page=docs/adding_a_block.md
. verif/tests/lib.sh
copy=$tmp/copy
mkdir "$copy"
for f in Makefile cmodel gen rtl_templates verif docs configs; do [ ! -e $f ] || cp -r $f "$copy"; done
cp -r "$copy" "$tmp/before"
unset SIMTGEN SIMTGEN_DATA SIMTGEN_EXTRA

# Splits the page into its fenced parts: part.N.KIND.
mkdir "$tmp/parts"
awk -v to="$tmp/parts" '/^```/ { if (out) { close(out); out = "" } else { kind = substr($0, 4); gsub(" ", "_", kind);
  out = sprintf("%s/%02d.%s", to, ++n, kind) } next } out { print > out }' $page

excerpts() {
  python3 - "$tmp/parts" <<'END'
import pathlib, sys
files = [p.read_text() for p in pathlib.Path("verif/tests/arbiter").rglob("*.[chv]")]
parts = [p for p in sorted(pathlib.Path(sys.argv[1]).iterdir()) if p.suffix in (".c", ".verilog")]
missing = [p for p in parts if not any(p.read_text() in f for f in files)]
for p in missing:
    print("not in verif/tests/arbiter:", p.read_text())
sys.exit(not parts or bool(missing))
END
}
try "the excerpts of the page are in the files" -- excerpts

# Runs one part of the page in the copy.
part() { (cd "$copy" && timeout 300 bash -e "$1") > "$1.out" 2>&1 || { echo "status $?"; tail -n 8 "$1.out"; return 1; }; }
fails() { # its last command finds a fault, the others work
  local got=0
  (cd "$copy" && timeout 300 bash -e "$1") > "$1.out" 2>&1 || got=$?
  [ $got = 1 ] && grep -q '^MISMATCH: arbiter seed 1 ' "$1.out" && grep -q '^shrunk from' "$1.out" || { cat "$1.out"; return 1; }
}
n=0
for p in "$tmp"/parts/*.sh*; do
  n=$((n + 1))
  case $p in
    *.sh) try "step $n of adding a block works" -- part "$p";;
    *.sh_fails) try "step $n of adding a block finds the planted fault" -- fails "$p";;
  esac
done
last_passes() { [ $n -ge 6 ] && tail -n 1 "$p.out" | grep -q '^PASS' && grep -q '1000000 cycles compared' "$p.out"; }
try "the added block ends in lockstep" -- last_passes
covered() { cat "$tmp"/parts/*.out | grep -q ' hit  .*all_request' && ! cat "$tmp"/parts/*.out | grep -E '^  missed|not reached:'; }
try "its coverage points and lines are all hit" -- covered

nothing_else() {
  local others
  others=$(cd "$tmp" && diff -rq before copy | grep -v -e '^Only in copy: build$' -e '^Only in copy: arbiter_mismatch.vcd$' \
    -e '^Only in copy/\(cmodel\|rtl_templates\|verif\): arbiter$')
  [ -z "$others" ] || { echo "$others"; return 1; }
}
try "adding a block edits nothing else" -- nothing_else
exit $failed
