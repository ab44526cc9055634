#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# Each engine finds a planted fault: a netlist changed after synthesis, a register without reset (an X in
# Icarus), a changed line; on the example block.
EXTRA=verif/tests/arbiter
. verif/tests/lib.sh
with_extra || { echo "not ok engines: the program with the example block does not build"; exit 1; }
mkdir "$tmp/run" && cd "$tmp/run" || exit 1
rtl=verif/tests/arbiter/rtl_templates/arbiter/arbiter_core.v

cache=$tmp/cache # Verilator's run time in it is compiled once
mkdir "$cache" && cp -a "$SIMTGEN_CACHE"/verilated-* "$cache" 2> /dev/null

# netlist TARGET ENGINE SED: true when the netlist passes, and no longer once its text is edited.
netlist() {
  local file check
  rm -f "$cache"/netlist-* "$cache"/rtl-*
  check=("$SIMTGEN" check arbiter -q --netlist "$1" --engine "$2" --seed 1 --cycles 2000)
  export SIMTGEN_CACHE=$cache
  status 0 timeout 200 "${check[@]}" || return 1
  file=$(ls "$cache"/netlist-*.v) && cp "$file" "$file.before" && edit "$file.before" "$3" "$file" || return 1
  PLANTED_SECONDS=200 seen_by '^MISMATCH: ' "${check[@]}"
}

try "a changed netlist of generic gates fails" -- netlist synth verilator 's/ & ~/ | ~/'
try "a changed netlist of generic gates fails in Icarus" -- netlist synth icarus 's/ & ~/ | ~/'
try "a changed iCE40 netlist fails" -- netlist ice40 verilator "0,/LUT_INIT(16'h/s//LUT_INIT(~16'h/"
try "a changed ECP5 netlist fails" -- netlist ecp5 verilator "0,/INIT(16'h/s//INIT(~16'h/"
try "a register without reset is an X in Icarus" -- found '^MISMATCH: .*count_o: RTL 0xx+, model 0x0' \
  "$rtl" '/count_o <= {COUNT_W/d' -- arbiter --engine icarus --seed 1 --cycles 500
try "a changed line is found without optimisation" -- found '^MISMATCH: .*grant_o: ' \
  "$rtl" 's/> grant_o/>= grant_o/' -- arbiter --engine verilator-O0 --seed 1 --cycles 2000
reproduces() {
  local said command
  said=$(status 1 planted "$rtl" 's/> grant_o/>= grant_o/' -- arbiter --engine icarus --seed 7 --cycles 2000 2>&1) || { echo "$said"; return 1; }
  command=$(sed -n 's/^reproduce: //p' <<<"$said")
  [[ $command == *"check arbiter --stimulus random --engine icarus --seed 7 --cycles 2000" ]] || { echo "$said"; return 1; }
}
try "a difference in Icarus names the command that reproduces it" -- reproduces
exit $failed
