#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Completion for bash offers what the program itself lists.
. verif/tests/lib.sh
mkdir "$tmp/bin" && ln -s "$SIMTGEN" "$tmp/bin/simtgen"
PATH=$tmp/bin:$PATH
. docs/simtgen.bash

# offers WANTED WORD...: the words that complete the last WORD hold WANTED.
offers() {
  local wanted=$1
  shift
  COMP_WORDS=(simtgen "$@")
  COMP_CWORD=$#
  _simtgen
  grep -qxF -- "$wanted" <<<"$(printf '%s\n' "${COMPREPLY[@]}")" || { echo "no $wanted in: ${COMPREPLY[*]}"; return 1; }
}
only() { # ... and nothing else
  offers "$@" && [ ${#COMPREPLY[@]} = 1 ] || { echo "also: ${COMPREPLY[*]}"; return 1; }
}
block=$("$SIMTGEN" list | awk 'NR == 2 {print $1}')
read -r parameter last < <("$SIMTGEN" describe "$block" --json |
  python3 -c 'import json, sys; p = json.load(sys.stdin)["parameters"]; print(p[0]["name"], p[-1]["name"])')

try "a command" -- only synth syn
try "every command has a description and is offered" -- offers describe ''
try "a block" -- offers "$block" gen "${block:0:3}"
try "an option of this command" -- only --no-doc gen "$block" --no
try "no option of another command" -- status 1 offers --no-doc check "$block" --no-d
try "a parameter of the block" -- offers "$parameter=" check "$block" -p "${parameter:0:2}"
try "a parameter behind other options" -- offers "$last=" gen "$block" --no-doc -p "${last:0:2}"
try "an executor" -- only slurm sweep a.yaml --executor s
try "what tune makes the least" -- only ram tune a.yaml --cost r
try "a limit of tune" -- only --max-ram tune --max-r
try "a target" -- only ecp5 synth "$block" --target e
exit $failed
