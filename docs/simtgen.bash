# SPDX-License-Identifier: Apache-2.0
# Completion of simtgen for bash: commands, options, blocks, parameters and their choices, as the program itself lists
# them. Installed where bash-completion looks; or: source simtgen.bash
# shellcheck shell=bash

# The options of a command, from its help.
_simtgen_options() {
  simtgen "$1" --help 2>/dev/null | grep -oE '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,'
}

# NAME= of each parameter of a block, from the first table of `describe`.
_simtgen_parameters() {
  simtgen describe "$1" 2>/dev/null | awk '/^  PARAMETER/ {inside = 1; next} /^$/ {inside = 0} inside && /^  [A-Za-z]/ {print $1 "="}'
}

# The block of the command line: its first argument that is one.
_simtgen_block() {
  local word blocks
  blocks=$(simtgen list 2>/dev/null | awk 'NR > 1 {print $1}')
  for word in "${COMP_WORDS[@]:2}"; do
    grep -qxF -- "$word" <<<"$blocks" && { echo "$word"; return; }
  done
}

_simtgen() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words block
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    words="$(simtgen --help | sed -nE 's/^  ([a-z]+) +[A-Z].*/\1/p') --help --version"
  else
    case $before in
      -p | --param)
        block=$(_simtgen_block)
        [ -n "$block" ] && words=$(_simtgen_parameters "$block")
        compopt -o nospace 2>/dev/null ;;
      --target) words='ice40 ecp5 xilinx asic' ;;
      --executor) words='local slurm' ;;
      --cost) words='lut ram' ;;
      --board) words='hx8k icebreaker ulx3s all' ;;
      --device) words='hx8k up5k 25k 45k 85k' ;;
      --netlist) words='synth ice40 ecp5' ;;
      --engine) words='verilator verilator-O0 icarus' ;;
      --stimulus) words='random directed trace:' ;;
      -c | --config | --trace | --wave | --record | --svg | --liberty | --against)
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return ;;
      -o | --output)
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
        return ;;
      *)
        if [ "${current:0:1}" = - ]; then words=$(_simtgen_options "$command")
        elif [[ $command = sweep || $command = tune || $command = report ]]; then
          mapfile -t COMPREPLY < <(compgen -f -- "$current")
          return
        elif [ "$command" != list ]; then words=$(simtgen list 2>/dev/null | awk 'NR > 1 {print $1}'); fi ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _simtgen simtgen
