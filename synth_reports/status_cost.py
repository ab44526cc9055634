#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What STATUS costs: a table (Markdown) of LUT4 and FF on iCE40 of each block that has the parameter, at its defaults, without
and with unit status (one_hot), flat, without place and route.

Usage: status_cost.py [--before COMMIT] [--no-abc9] [-p NAME=VALUE]... [BLOCK]...
-p sets a parameter in all rows; those with HALT_MODE=hold and CACHES=2 are made so.
--no-abc9 maps with Yosys's older pass, for a block on which abc9 aborts: its rows are not comparable with others.
--before COMMIT builds the program of that commit in a temporary folder and puts its figures beside (some minutes more).
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
YOSYS = os.environ.get("SIMTGEN_YOSYS", "yosys")


def run(command, folder=ROOT, seconds=3600):
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=seconds)
    if done.returncode:
        sys.exit(f"status_cost: {' '.join(map(str, command))}: exit status {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def size(program, block, status, mapping, more=()):
    """LUT4, FF of a block, or None when this program has no such block or setting."""
    with tempfile.TemporaryDirectory() as tmp:
        command = [program, "gen", block, "-q", "--no-doc", "-p", f"STATUS={status}", "-o", "out"]
        command += [word for one in more for word in ("-p", one)]
        if subprocess.run(command, cwd=tmp, capture_output=True, timeout=600).returncode:
            return None
        files = " ".join(f"out/rtl/{p.name}" for p in sorted(Path(tmp, "out/rtl").glob("*.v")))
        run([YOSYS, "-q", "-p", f"read_verilog {files}; synth_ice40 {mapping} -top {block}; tee -q -o stat.txt stat"], tmp)
        count = dict(re.findall(r"^\s+(SB_\w+)\s+(\d+)$", Path(tmp, "stat.txt").read_text(), re.M))
        return int(count.get("SB_LUT4", 0)), sum(int(n) for name, n in count.items() if name.startswith("SB_DFF"))


def has_status(program, block):
    params = json.loads(run([program, "describe", block, "--json"]))["parameters"]
    return any(p["name"] == "STATUS" and "none" in p.get("choices", []) for p in params)


def blocks(program):
    found = json.loads(run([program, "list", "--json"]))
    return [b["name"] for b in found["blocks"] if has_status(program, b["name"])]


def show(pair):
    return "- | -" if pair is None else f"{pair[0]:,} | {pair[1]:,}"


def build(commit, folder):
    run(["git", "worktree", "add", "--detach", folder, commit])
    run(["make", "-s", "-C", folder, "build/simtgen"])
    return folder / "build/simtgen"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--before", metavar="COMMIT")
    p.add_argument("--no-abc9", action="store_const", const="", default="-abc9", dest="mapping")
    p.add_argument("-p", dest="more", metavar="NAME=VALUE", action="append", default=[])
    p.add_argument("block", nargs="*")
    args = p.parse_args()
    program = Path(os.environ.get("SIMTGEN", ROOT / "build/simtgen")).absolute()
    with tempfile.TemporaryDirectory() as tmp:
        tree = Path(tmp, "before")
        before = build(args.before, tree) if args.before else None
        try:
            head = "| block | STATUS | LUT4 | FF |" + (" LUT4 before | FF before |" if before else "")
            print(head + "\n|---|---|" + "--:|" * (4 if before else 2), flush=True)
            for block in args.block or blocks(program):
                for status in ("none", "one_hot"):
                    line = f"| `{block}` | {status} | {show(size(program, block, status, args.mapping, args.more))} |"
                    print(line + (f" {show(size(before, block, status, args.mapping, args.more))} |" if before else ""), flush=True)
        finally:
            if before:
                run(["git", "worktree", "remove", "--force", tree])


if __name__ == "__main__":
    main()
