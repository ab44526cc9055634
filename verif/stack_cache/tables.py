#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the tables of docs/stack_cache.md: tables.py FOLDER runs `simtgen sim stack_cache` over FOLDER/*.stk.gz."""
import json
import os
import subprocess
import sys
from pathlib import Path

PICKERS = ["round_robin", "longest_remaining", "lowest_index", "global_order"]
ENTRIES, LATENCIES = [8, 16, 32], [50, 200, 400]


def sim(trace, picker="round_robin", latency=200, **params):
    command = [os.environ.get("SIMTGEN", "build/simtgen"), "sim", "stack_cache", "--json", "--trace", str(trace),
               "--picker", picker, "--latency", str(latency)]
    command += [word for name, value in params.items() for word in ("-p", f"{name}={value}")]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"tables: {run.stderr.strip()}")
    return json.loads(run.stdout)


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def head(*names):
    row(*names)
    print("|---|" + "--:|" * (len(names) - 1))


def name_of(trace):
    return trace.name.split(".")[0]


def defaults(traces):
    head("trace", "operations", "deepest", "idle with 8 threads or more left, %", "idle, %", "gap", "engine", "latency", "inflight",
         "longest wait", "spills", "restores", "entries moved", "full stack: idle, %", "demand: idle, %", "demand: entries moved")
    for t in traces:
        s = sim(t)
        row(name_of(t), f"{s['operations']:,}", f"{s['deepest']:,}", f"{s['idle_percent_many']:.4f}", f"{s['idle_percent']:.3f}",
            *(f"{s['idle_' + k]:,}" for k in ("gap", "engine", "latency", "inflight")), f"{s['longest_wait']:,}", f"{s['spills']:,}",
            f"{s['restores']:,}", f"{s['words_moved']:,}", f"{s['full_stack']['idle_percent']:.3f}",
            f"{s['demand']['idle_percent']:.3f}", f"{s['demand']['words_moved']:,}")


def pickers(traces):
    head("trace", *(f"{p}: {who}" for p in PICKERS for who in ("block", "full stack", "demand")))
    for t in traces:
        runs = [sim(t, picker=p) for p in PICKERS]
        row(name_of(t), *(f"{s['idle_percent']:.3f}" for r in runs for s in (r, r["full_stack"], r["demand"])))


def grid(traces):
    head("trace", *(f"{e} entries, latency {n}" for e in ENTRIES for n in LATENCIES))
    for t in traces:
        cells = []
        for e in ENTRIES:
            for n in LATENCIES:
                s = sim(t, latency=n, ENTRIES=e)
                cells.append(f"{s['idle_percent']:.3f} : {s['demand']['idle_percent']:.3f}")
        row(name_of(t), *cells)


if len(sys.argv) != 2:
    sys.exit("usage: tables.py FOLDER")
found = sorted(Path(sys.argv[1]).glob("*.stk.gz"))
for table in (defaults, pickers, grid):
    table(found)
    print(flush=True)
