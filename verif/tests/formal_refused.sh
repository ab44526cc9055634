#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# What `gen` refuses in the property modules and tasks of a block: nothing that they ask is left out in silence.
. verif/tests/lib.sh

# refuses LINE SAYS: a line of tasks.txt with which `gen` writes nothing, and says so.
refuses() {
  local tasks block
  rm -rf "$tmp/copy" "$tmp/none"
  copy_tree "$tmp/copy" || return 1
  for tasks in "$tmp"/copy/verif/*/formal/tasks.txt; do block=$(basename "${tasks%/formal/tasks.txt}"); done
  echo "$1" >> "$tasks"
  status 2 in_copy "$tmp/copy" "$SIMTGEN" gen "$block" -q --no-doc -o "$tmp/none" 2> "$tmp/said" || return 1
  [ "$(cat "$tmp/said")" = "simtgen: tasks.txt: $2" ] || { cat "$tmp/said"; return 1; }
  [ ! -e "$tmp/none" ] || { echo "it has written something"; return 1; }
}

# refuses_property TEXT SAYS: lines before the first property of a module, with which `gen` writes nothing, and says so.
refuses_property() {
  local module block
  rm -rf "$tmp/copy" "$tmp/none"
  copy_tree "$tmp/copy" || return 1
  for module in "$tmp"/copy/verif/*/formal/*_blackbox.v; do block=$(basename "${module%_blackbox.v}"); done
  { sed '/^  output wire bad_/,$d' "$module"; echo "$1"; sed -n '/^  output wire bad_/,$p' "$module"; } > "$tmp/module"
  cp "$tmp/module" "$module"
  status 2 in_copy "$tmp/copy" "$SIMTGEN" gen "$block" -q --no-doc -o "$tmp/none" 2> "$tmp/said" || return 1
  [ "$(cat "$tmp/said")" = "simtgen: verif/$block/formal/${block}_blackbox.v: $2" ] || { cat "$tmp/said"; return 1; }
  [ ! -e "$tmp/none" ] || { echo "it has written something"; return 1; }
}
sixty_four=$(for i in {1..64}; do echo "  output wire bad_more_${i}_o, // planted"; done)
try "formal: the 65th property of a block is refused, not left out" -- refuses_property "$sixty_four" \
  "got $(sed -nE 's/^  output wire (bad_[a-z0-9_]*).*/\1/p' "$(for m in verif/*/formal/*_blackbox.v; do echo "$m"; done | tail -n 1)" | head -n 1), expected at most 64 properties of a block"
shape='expected `  output wire bad_NAME_o` or cover_NAME_o of at most 47 characters, one in a line'
for line in '  output reg bad_state_o' '  output wire bad_state' '  output wire [1:0] bad_state_o' '    output wire cover_it_o'; do
  try "formal: a property that is not read as one is refused: $line" -- refuses_property "$line, // planted" "got $line, , $shape"
done
wanted='OPTION=VALUE or a property of the property modules, in task'
try "formal: a task with a property that there is not is refused" -- refuses 'wrong prove 0 misspelt' "got misspelt, expected $wanted wrong"
try "formal: a given property that there is not, too" -- refuses 'wrong within 9 +misspelt' "got +misspelt, expected $wanted wrong"
try "formal: a task of a mode that there is not, too" -- refuses 'wrong guess 9' \
  "got wrong guess 9, expected TASK, one of bmc, prove, step, within and cover, DEPTH, options"
try "formal: two property modules need one that says what it looks at" -- refuses 'wrong bmc 9 BOTH=1' \
  "got wrong, expected no BOTH=1: the property module has no output mark_o that says what it looks at"

exit $failed
