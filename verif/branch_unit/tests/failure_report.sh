#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
# The report of a failure is about one run: port, cycle and values are those of the shrunk run whose inputs stand beside them.
# Tokens are shown field by field, ports of many equal elements by the elements that differ.
. verif/tests/lib.sh
QUICK= # what is shrunk is looked at
cd "$tmp" || exit 1

# report FILE SED -- BLOCK ARGUMENTS...: what `simtgen check` says of the planted fault.
report() { (cd "$root" && status 1 planted "$@"); }

# The pre-break of the fault's token is pushed as a call: the RTL takes the pc behind the instruction, the model its target.
token() {
  report rtl_templates/branch_unit/branch_unit_pipe.v 's/b_prebreak ? T_BRK/b_prebreak ? T_CALL/' -- \
    branch_unit --seed 1 --cycles 100000 > said || { cat said; return 1; }
  python3 - said <<'END'
import re, sys
said = open(sys.argv[1]).read()
line = re.search(r"^MISMATCH: branch_unit seed 1 cycle (\d+) of the shrunk run: op_data_o: RTL 0x[0-9a-f]+ "
                 r"\{kind 0x0, mask (\w+), pc (\w+)\}, model 0x[0-9a-f]+ \{kind 0x1, mask (\w+), pc (\w+)\}$", said, re.M)
assert line, said
inputs = re.findall(r"^  cycles? (?:\d+\.\.)?(\d+): (.*)$", said, re.M)
assert inputs[-1][0] == line[1], f"the inputs end in cycle {inputs[-1][0]}, the line says {line[1]}"
launch = re.search(r"launch group (\d+) mask (\w+)", said)
push = re.search(rf"pre-break group {launch[1]} .*target (\w+) next (\w+)", said)
assert (line[2], line[3]) == (launch[2], push[2]), (line[0], launch[0], push[0])
assert (line[4], line[5]) == (launch[2], push[1]), (line[0], launch[0], push[0])
whole = re.search(r"^shrunk from (\d+) to (\d+) cycles after reset; the whole run fails in cycle (\d+): op_data_o: ", said, re.M)
assert int(whole[3]) == int(whole[1]) - 1 and int(line[1]) == int(whole[2]) - 1, whole[0]
END
}
try "the values of a mismatch are those that follow from the inputs beside them, field by field" -- token

elements() {
  report rtl_templates/stack_cache/stack_cache_core.v 's/assign can_push_o = /&~/' -- \
    stack_cache -p THREADS=6 --seed 1 --cycles 20000 > said || { cat said; return 1; }
  grep -qE '^MISMATCH: .*: can_push_o: RTL 0x[0-9a-f]+, model 0x[0-9a-f]+(; thread [0-5]: RTL 0x[01], model 0x[01]){4}; and 2 more$' said || { cat said; return 1; }
}
try "of a port with a bit for each thread those that differ are named" -- elements

golden() { # the message, too, is that of the shrunk run: its cycle ends the inputs
  report rtl_templates/branch_unit/branch_unit_pipe.v "s/r_ends ? 3'd0 : r_valid ? r_first : r_bad/r_valid ? r_first : r_bad/" \
    cmodel/branch_unit/model.c 's/= r->last ? BU_DONE : status;/= status;/' -- branch_unit -p THREADS=3 -p LANES=5 -p ENTRY_W=23 \
    -p MAX_DEPTH=100 --seed 1 --stimulus random:faults --cycles 300000 > said || { cat said; return 1; }
  local cycle
  cycle=$(sed -nE 's/^GOLDEN MODEL: .* seed 1 cycle ([0-9]+) of the shrunk run: .*/\1/p' said)
  [ -n "$cycle" ] && grep -qE "^shrunk from [0-9]+ to $((cycle + 1)) cycles" said && grep -qE "^  cycles? ([0-9]+\.\.)?$cycle: " said || { cat said; return 1; }
}
try "a violation of the golden model is that of the shrunk run, too" -- golden

# ---- the command
sources="$tmp/edited sources"
mkdir "$sources" && cp -r "$root/rtl_templates" "$sources/"
edit "$root/rtl_templates/branch_unit/branch_unit_pipe.v" 's/b_prebreak ? T_BRK/b_prebreak ? T_CALL/' \
  "$sources/rtl_templates/branch_unit/branch_unit_pipe.v" || exit 1
command_holds() { # in a shell that does not know SIMTGEN_DATA
  local again
  SIMTGEN_DATA=$sources status 1 "$SIMTGEN" check branch_unit --seed 1 "$@" > first || { cat first; return 1; }
  sed -n 's/^reproduce: //p' first > command
  again=$(status 1 env -u SIMTGEN_DATA -u SIMTGEN_EXTRA bash ./command) || { cat command; echo "$again"; return 1; }
  [ "$(grep ^MISMATCH first)" = "$(grep ^MISMATCH <<<"$again")" ] || { cat first; echo "$again"; return 1; }
}
try "the command of a failure holds where SIMTGEN_DATA says which templates" -- command_holds --cycles 100000
in_icarus() { # not shrunk; the fields apart, too
  command_holds --engine icarus --cycles 3000 && grep -qE '^MISMATCH: .*: op_data_o: RTL .* \{kind 0x0, mask .*\}, model .* \{kind 0x1, mask ' first || { cat first; return 1; }
}
try "... in Icarus, too" -- in_icarus
as_json() {
  SIMTGEN_DATA=$sources status 1 "$SIMTGEN" check branch_unit --seed 1 --cycles 100000 > first &&
    SIMTGEN_DATA=$sources status 1 "$SIMTGEN" check branch_unit --seed 1 --cycles 100000 --json > fail.json || return 1
  python3 - first fail.json <<'END'
import json, sys
said, failure = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))["failure"]
assert failure["message"] in said and failure["message"].startswith("MISMATCH: branch_unit seed 1 cycle"), failure
assert failure["reproduce"].startswith("SIMTGEN_DATA='") and "edited sources' " in failure["reproduce"], failure
assert failure["whole_run"] in said and failure["whole_run"].startswith("cycle "), failure
END
}
try "JSON has message, whole run and command" -- as_json
exit $failed
