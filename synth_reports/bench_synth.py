#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Synthesis figures beside their goals: a JSON list, {block, config, figure, value, unit, goal, met} a line.

Usage: bench_synth.py [--quick] [--save] [BLOCK | TABLE.json]...    (environment: SIMTGEN; default build/simtgen)
Each block's runs are in the table synth_reports/BLOCK.json, or in another table of that name:

    {"runs": [{"name": "plain", "params": {"NAME": VALUE}, "target": "ice40", "seeds": 5,
               "goals": {"lut4": "<= 1680", "fmax_median": ">= 115"},
               "minus": "another run's name"}]}

Figures of a run: lut4, ff, carry, ram_blocks, ram_bits, lutram_bits, cells (logic cells after packing), all of
the block alone; harness_percent of the device; fmax_min, fmax_median, fmax_max in MHz. With "minus" the
differences from that run come too, as lut4_added and so on: what an option costs. --quick places one seed;
--save keeps each result in synth_reports/reference/, where the datasheets of these configurations find it.
Each run says a line on stderr when it has ended. A goal that is missed is a result; a run that fails is an error. A block without a table has no figures.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COUNTS = {"lut4": "LUT4", "ff": "FF", "carry": "bits", "ram_blocks": "blocks", "ram_bits": "bits",
          "lutram_bits": "bits", "cells": "cells"}
COMPARE = {"<=": lambda value, goal: value <= goal, ">=": lambda value, goal: value >= goal}


def synth(block, run, quick):
    program = os.environ.get("SIMTGEN", str(HERE.parent / "build/simtgen"))
    command = [program, "synth", block, "--target", run["target"], "--json", "--seeds",
               "1" if quick else str(run.get("seeds", 5))]
    for name, value in run.get("params", {}).items():
        command += ["-p", f"{name}={value}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench_synth: {' '.join(command)}: exit status {done.returncode}")
    return json.loads(done.stdout)


def figures(result):
    """{name: (value, unit)} of one run; no frequency when the block did not fit."""
    found = {name: (result["resources"][name], unit) for name, unit in COUNTS.items()}
    found["harness_percent"] = (round(100 * result["harness_fill"], 2), "%")
    for which, value in (result["fmax_mhz"] or {}).items():
        found[f"fmax_{which}"] = (round(value, 1), "MHz")
    return found


def added(found, base):
    return {f"{name}_added": (value - base[name][0], unit) for name, (value, unit) in found.items()
            if name in base and name in (*COUNTS, "fmax_median")}


def records(block, run, found):
    """A figure with a goal that the run could not give is a record too, not met."""
    goals = run.get("goals", {})
    config = f"{run['name']} {run['target']}"
    for figure in [*found, *(g for g in goals if g not in found)]:
        value, unit = found.get(figure, (None, ""))
        goal = goals.get(figure, "")
        sign, _, limit = goal.partition(" ")
        met = None if not goal else value is not None and COMPARE[sign](value, float(limit))
        yield {"block": block, "config": config, "figure": figure,
               "value": round(value, 1) if isinstance(value, float) else value, "unit": unit, "goal": goal, "met": met}


def keep(block, run, result):
    folder = HERE / "reference"
    folder.mkdir(exist_ok=True)
    name = f"{block}-{run['name']}-{run['target']}.json".replace(" ", "_")
    (folder / name).write_text(json.dumps(result, indent=1) + "\n")


def measure(name, quick, save):
    path = Path(name) if name.endswith(".json") else HERE / f"{name}.json"
    block, seen = path.stem, {}
    for run in json.loads(path.read_text())["runs"] if path.exists() else []:
        result = synth(block, run, quick)
        if save:
            keep(block, run, result)
        found = figures(result)
        print(f"bench_synth: {block} {run['name']} {run['target']}: {found['lut4'][0]} LUT4, {found['ff'][0]} FF, "
              f"{found.get('fmax_median', ('no',))[0]} MHz", file=sys.stderr, flush=True)
        seen[run["name"], run["target"]] = dict(found)
        if "minus" in run:
            found.update(added(found, seen[run["minus"], run["target"]]))
        yield from records(block, run, found)


def main():
    parser = argparse.ArgumentParser(description="synthesis figures and goals, as JSON lines")
    parser.add_argument("--quick", action="store_true", help="one seed for each run")
    parser.add_argument("--save", action="store_true", help="keep the results in synth_reports/reference")
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help="or a table; default: every table here")
    args = parser.parse_args()
    rows = [row for block in args.blocks or sorted(p.stem for p in HERE.glob("*.json"))
            for row in measure(block, args.quick, args.save)]
    print("[" + ",\n ".join(json.dumps(row) for row in rows) + "]")


main()
