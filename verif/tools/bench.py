#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make bench`: measures every block and prints its figures beside the goals (B/bench.json).

verif/BLOCK/goals.json says what to measure:
  "configs": {NAME: {PARAMETER: VALUE}}   configurations, each with all figures of generation and speed
  "cycles": N                             length of the lockstep run that gives the speeds
  "rates": [{"config", "figure", "stimulus"}]     operations per cycle of a lockstep run
  "traces": [{"config", "trace", "latency"}]      idle cycles per operation of the model on a trace
  "goals": [{"config", "figure", "min" | "max"}]  goals; a config or figure may hold * for any rest
A block's own figures come from an executable verif/BLOCK/bench.*: JSON, a list of {config, figure, value, unit}.
Area and frequency come from synth_reports/bench_synth.py.
"""
import argparse
import fnmatch
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from testlib import ROOT, Problem, block_names, options, program_json, run_program, text_of

RUNS = 7  # of generation; the median counts


def median(values):
    return sorted(values)[len(values) // 2]


class Table:
    """Rows as they are measured, with the goal that applies."""

    def __init__(self, block, goals):
        self.block, self.goals, self.rows = block, goals, []

    def add(self, config, figure, value, unit):
        goal, met = "", None
        for g in self.goals:
            if fnmatch.fnmatchcase(config, g["config"]) and fnmatch.fnmatchcase(figure, g["figure"]):
                least, most = g.get("min"), g.get("max")
                goal = f">= {least:g}" if least is not None else f"<= {most:g}"
                met = value is not None and (value >= least if least is not None else value <= most)
        self.rows.append({"block": self.block, "config": config, "figure": figure, "value": value,
                          "unit": unit, "goal": goal, "met": met})
        show(self.rows[-1])

    def unmet(self):
        return [r for r in self.rows if r["met"] is False]


def show(row):
    value = "not measured" if row["value"] is None else f"{row['value']:,.4g}" \
        if abs(row["value"]) < 1000 else f"{row['value']:,.0f}"
    verdict = {True: "met", False: "MISSED", None: ""}[row["met"]]
    print(f"  {row['config']:<24} {row['figure']:<46} {value:>14} {row['unit']:<14} {row['goal']:<10} {verdict}",
          flush=True)


def children_seconds():
    """Processor time of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def generation(table, config, values):
    """Processor time of `gen`, the start of the program included."""
    for figure, extra in (("generation without pictures", ["--no-doc"]), ("generation with pictures", [])):
        seconds = []
        with tempfile.TemporaryDirectory() as folder:
            for i in range(RUNS):
                start = children_seconds()
                run = run_program("gen", table.block, *options(values), *extra, "-q", "-o", f"{folder}/{i}")
                seconds.append(children_seconds() - start)
                if run.returncode:
                    raise Problem(f"simtgen gen {table.block}: {run.stderr.strip()}")
        table.add(config, figure, 1000 * median(seconds), "ms")


def check(block, values, *args):
    run = run_program("check", block, *options(values), "--seed", "1", *args, "--json", timeout=1200)
    result = json.loads(run.stdout) if run.stdout else {}
    if run.returncode:
        why = (result.get("failure") or {}).get("message", run.stderr.strip())
        raise Problem(f"simtgen check {block} {text_of(values)}: {why}")
    return result


def speed(table, config, values, cycles):
    run = check(table.block, values, "--cycles", str(cycles))
    for name, key in (("C model alone", "model"), ("Verilated RTL alone", "rtl"), ("lockstep", "lockstep")):
        value = run.get(f"{key}_cycles_per_s")
        table.add(config, name, value and value / 1e6, "M cycles/s")
    table.add(config, "C model / RTL", run.get("model_per_rtl"), "")
    table.add(config, "lockstep / RTL", run.get("lockstep_per_rtl"), "")


def rates(table, goals):
    for r in goals.get("rates", []):
        run = check(table.block, goals["configs"][r["config"]], "--stimulus", r["stimulus"],
                    "--cycles", str(r.get("cycles", 100000)))
        table.add(r["config"], r["figure"], run["operations"] / run["cycles"], "per cycle")


def traces(table, goals):
    for t in goals.get("traces", []):
        run = program_json("sim", table.block, *options(goals["configs"][t["config"]]), "--trace", t["trace"],
                           "--latency", str(t["latency"]))
        table.add(t["config"], f"idle cycles, {Path(t['trace']).name.split('.')[0]}",
                  100 * run["idle_cycles"] / run["operations"], "% of ops")


def own(table):
    """Rows of the block's own program, verif/BLOCK/bench.*, which the goals are for too."""
    for script in sorted((ROOT / "verif" / table.block).glob("bench.*")):
        run = subprocess.run([str(script)], cwd=ROOT, capture_output=True, text=True, timeout=1800)
        if run.returncode:
            raise Problem(f"{script.relative_to(ROOT)}: exit status {run.returncode}: {run.stderr.strip()[-400:]}")
        for row in json.loads(run.stdout):
            table.add(row["config"], row["figure"], row["value"], row["unit"])


def synthesis(table):
    """Rows of synth_reports/bench_synth.py, which has goals of its own (synth_reports/BLOCK.json)."""
    script = ROOT / "synth_reports/bench_synth.py"
    run = subprocess.run([sys.executable, str(script), table.block], capture_output=True, text=True, timeout=3600)
    if run.returncode:
        raise Problem(f"synth_reports/bench_synth.py {table.block}: {run.stderr.strip()[-400:]}")
    for row in json.loads(run.stdout):
        table.rows.append(row)
        show(row)


def measure(block, synth):
    path = ROOT / "verif" / block / "goals.json"
    if not path.exists():
        raise Problem(f"verif/{block}/goals.json: missing; it says what to measure (see verif/tools/bench.py)")
    goals = json.loads(path.read_text())
    table = Table(block, goals["goals"])
    print(f"{block}\n  {'configuration':<24} {'figure':<46} {'value':>14} {'unit':<14} goal", flush=True)
    for config, values in goals["configs"].items():
        generation(table, config, values)
        speed(table, config, values, goals.get("cycles", 2000000))
    rates(table, goals)
    traces(table, goals)
    own(table)
    if synth:
        synthesis(table)
    return table


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--no-synth", action="store_true", help="leave out area and frequency")
    p.add_argument("block", nargs="*")
    args = p.parse_args()
    os.chdir(ROOT)
    try:
        tables = [measure(b, not args.no_synth) for b in args.block or block_names()]
    except Problem as e:
        print(f"simtgen: bench: {e}", file=sys.stderr)
        return 3
    build = Path(os.environ.get("B", "build"))
    (build / "bench.json").write_text(json.dumps([r for t in tables for r in t.rows], indent=1) + "\n")
    unmet = [r for t in tables for r in t.unmet()]
    print(f"{sum(r['met'] is True for t in tables for r in t.rows)} goals met, {len(unmet)} missed; "
          f"written to {os.path.relpath(build / 'bench.json')}")
    return 1 if unmet else 0


if __name__ == "__main__":
    sys.exit(main())
