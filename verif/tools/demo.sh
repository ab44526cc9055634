#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make demo`: from a fresh clone to a generated, linted, checked and synthesized block, in one screen.
# verif/BLOCK/demo.txt gives the block's trace (trace=FILE) and memory latency (latency=CYCLES).
set -euo pipefail
cd "$(dirname "$0")/../.."
B=${B:-build}
out=$B/demo
log=$B/demo.log
simtgen=$B/simtgen

# step WHAT COMMAND...: runs it with its output in the log, shows how long it took; stops on failure.
step() {
  local what=$1 from=${EPOCHREALTIME/./} status=0
  shift
  printf '  %-68s' "$what"
  { printf '\n== %s\n' "$what"; "$@"; } >> "$log" 2>&1 || status=$?
  if [ $status != 0 ]; then
    printf ' failed\n'
    tail -n 15 "$log" >&2
    echo "simtgen: demo: '$what' failed (exit status $status); the whole output is in $log" >&2
    exit "$status"
  fi
  printf '%5.1f s\n' "$(( (${EPOCHREALTIME/./} - from) / 100000 ))e-1"
}
setting() { sed -n "s/^$1=//p" "$demo"; }

B=$B fpga/setup.sh
mkdir -p "$B"
: > "$log"
start_work=$SECONDS
echo "simtgen: demo (output of every step: $log)"
step "build the program" make "B=$B" all
export SIMTGEN_DATA=$PWD
block= demo=
for name in $("$simtgen" list --json | python3 -c 'import json, sys
print(*(b["name"] for b in json.load(sys.stdin)["blocks"]))'); do
  [ -e "verif/$name/demo.txt" ] && { block=$name demo=verif/$name/demo.txt; break; }
done
[ -n "$block" ] || { echo "simtgen: demo: no block has a demo.txt in its folder of verif/" >&2; exit 1; }
trace=$(setting trace) latency=$(setting latency)

generate() { rm -rf "$out" && "$simtgen" gen "$block" -o "$out"; }
lint_verilator() { (cd "$out/rtl" && verilator --lint-only -Wall -f "$block.f"); }
lint_icarus() { # any word of Icarus is a complaint
  local said
  said=$(cd "$out/rtl" && iverilog -Wall -g2005 -tnull $(grep '\.v$' "$block.f") 2>&1) || { echo "$said"; return 1; }
  [ -z "$said" ] || { echo "$said"; return 1; }
}
lint_yosys() {
  (cd "$out/rtl" && yosys -q -p "read_verilog $(grep '\.v$' "$block.f" | tr '\n' ' '); hierarchy -check -top $block;
    proc; check -assert")
}
bench() { (cd "$out/tb" && iverilog -g2005 -o ../bench.vvp ./*.v ../rtl/*.v && vvp -N ../bench.vvp); }
lockstep() {
  "$simtgen" check "$block" --stimulus "trace:$trace" --latency "$latency" --seed 1 --json > "$out/check.json"
}
random() { "$simtgen" check "$block" --cycles 2000000 --seed 1 --json > "$out/random.json"; }
synthesize() { "$simtgen" synth "$block" --target ice40 --json > "$out/synth.json"; }

step "generate $block: Verilog, model, bench, datasheet" generate
step "lint with Verilator -Wall" lint_verilator
step "lint with Icarus -Wall -g2005" lint_icarus
step "lint with Yosys check -assert" lint_yosys
step "run the generated bench in Icarus" bench
step "lockstep on $(basename "$trace"), memory of $latency cycles" lockstep
step "lockstep, two million random cycles" random
step "synthesize, place and route for iCE40" synthesize

python3 - "$block" "$out" "$trace" "$latency" "$((SECONDS - start_work))" <<'END'
import json, os, sys
block, out, trace, latency, seconds = sys.argv[1:]
check = json.load(open(f"{out}/check.json"))
rand = json.load(open(f"{out}/random.json"))
synth = json.load(open(f"{out}/synth.json"))
ours = (".vvp", "check.json", "random.json", "synth.json")  # made by the demo, not by gen
files = sum(not name.endswith(ours) for _, _, names in os.walk(out) for name in names)
mega = lambda key: f"{rand[key] / 1e6:.1f}" if rand.get(key) else "not measured"
b, fmax = synth["resources"], synth["fmax_mhz"]
fmax = f"{fmax['median']:.0f} MHz" if fmax else f"no frequency, {100 * synth['fill']:.0f} % full"
print(f"""
Made        {out}: {files} files of {block} with its default parameters
  Verilog   {out}/rtl/{block}.v is the top, {block}.f the file list
  bench     {out}/tb: replays the model's vectors in any simulator
  document  {out}/doc: datasheet with ports, registers and timing diagrams
Checked     lint: Verilator, Icarus and Yosys have no complaint; the bench passes
  lockstep  {check["cycles"]:,} cycles of {os.path.basename(trace)}, {check["operations"]:,} operations, and
            {rand["cycles"]:,} random cycles: every output of the Verilog equal to the C model's
  speed     million cycles/s: lockstep {mega("lockstep_cycles_per_s")}, RTL {mega("rtl_cycles_per_s")}, model {mega("model_cycles_per_s")}
Measured    {synth["device"]}: {b["lut4"]:,} LUT4, {b["ff"]:,} FF, {b["ram_blocks"]} block RAMs, {fmax} (harness subtracted)

In {seconds} s. Next:
  build/simtgen describe {block}                      what can be set
  build/simtgen gen {block} -n my_block -o my_block   one for your design
  build/simtgen check {block} --cycles 10000000       ten million random cycles""")
END
