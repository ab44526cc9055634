#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""figures.py PROGRAM FOLDER: runs the system's models over memory latencies and sizes: a table, and a plot's data and script.
figures.py PROGRAM: one of these points as rows for `make bench`."""
import json
import re
import subprocess
import sys
from pathlib import Path

LATENCIES = (50, 200, 400)
SIZES = (  # label, parameters, switches of each run
    ("4 groups of 8 lanes, 4 entries", "THREADS=4 LANES=8 ENTRY_W=24 ENTRIES=4 SET=1", 100),
    ("8 groups of 16 lanes, 8 entries", "THREADS=8 LANES=16 ENTRY_W=48 ENTRIES=8 SET=2", 60),
    ("24 groups of 32 lanes, 16 entries", "", 20))
HUBS = (16, 64)
PHASES = ("halt", "store", "reset", "restore")
LINE = re.compile(r"halt ([\d.]+) \(at most (\d+)\), store ([\d.]+), reset ([\d.]+), restore ([\d.]+)")
COLOURS = {"halt": "#0072b2", "switch, 16 under way": "#d55e00", "switch, 64 under way": "#e69f00", "pipelines drained": "#009e73",
           "programs ended": "#cc79a7"}


def run(program, mode, latency, size, hub):
    """{phase: mean} and "worst" of the first phase, which is the whole of a drain."""
    label, parameters, switches = size
    said = subprocess.run([program, str(switches), "1", mode, str(latency), *parameters.split(), f"HUB_INFLIGHT={hub}"],
                          capture_output=True, text=True, check=False)
    found = LINE.search(said.stdout)
    if said.returncode or not found:
        sys.exit(f"figures: {label}, latency {latency}, {mode}: {said.stdout}{said.stderr}")
    halt, worst, *rest = (float(x) for x in found.groups())
    return {**dict(zip(PHASES, (halt, *rest))), "worst": worst, "sum": halt + sum(rest)}


def measure(program):
    points = {}
    for size in SIZES:
        for latency in LATENCIES:
            for hub in HUBS:
                points[size, latency, "switch", hub] = run(program, "switch", latency, size, hub)
            for mode in ("drain", "finish"):
                points[size, latency, mode] = run(program, mode, latency, size, HUBS[0])
    return points


def table(points):
    lines = ["| each stack | memory, cycles | halt: mean | worst | store | reset | restore | switch | with 64 under way | "
             "pipelines drained: mean | worst | programs ended: mean | worst |", "|---|" + "--:|" * 12]
    for size in SIZES:
        for latency in LATENCIES:
            s, more = (points[size, latency, "switch", hub] for hub in HUBS)
            d, f = points[size, latency, "drain"], points[size, latency, "finish"]
            numbers = (s["halt"], s["worst"], s["store"], s["reset"], s["restore"], s["sum"], more["sum"],
                       d["halt"], d["worst"], f["halt"], f["worst"])
            lines.append(f"| {size[0]} | {latency} | " + " | ".join(f"{n:,.0f}" for n in numbers) + " |")
    return lines


def plot(points, folder):
    script = ["set terminal svg size 980,400 font 'sans,11' background 'white'", "set output 'front_end_system.svg'",
              "set multiplot layout 1,3 margins 0.07,0.985,0.27,0.9 spacing 0.05,0", "set logscale xy", "set grid ytics lc rgb '#dddddd'",
              "set xrange [42:480]", "set yrange [20:400000]", "set format y '%.0s%c'", "set xtics (50, 200, 400) nomirror", "set ytics nomirror",
              "set border 3", "set xlabel 'memory latency, cycles'", "set key at screen 0.5,0.07 center maxrows 1 samplen 2"]
    for i, size in enumerate(SIZES):
        rows = []
        for latency in LATENCIES:
            s, more = (points[size, latency, "switch", hub] for hub in HUBS)
            rows.append(f"{latency} {s['halt']:.1f} {s['sum']:.1f} {more['sum']:.1f} {points[size, latency, 'drain']['halt']:.1f} "
                        f"{points[size, latency, 'finish']['halt']:.1f}")
        (folder / f"front_end_system_{i}.dat").write_text("\n".join(rows) + "\n")
        lines = [f"'front_end_system_{i}.dat' using 1:{k + 2} with linespoints lc rgb '{c}' lw 2 pt 7 ps 0.5 "
                 + (f"title '{name}'" if i == 1 else "notitle") for k, (name, c) in enumerate(COLOURS.items())]
        script += [f"set title '{size[0]}'", "set ylabel 'cycles' offset 1,0" if i == 0 else "unset ylabel",
                   "plot " + ", \\\n  ".join(lines)]
    (folder / "front_end_system.gp").write_text("\n".join(script + ["unset multiplot"]) + "\n")


def bench(program):
    size, latency, hub = SIZES[1], LATENCIES[1], HUBS[1]
    switch = run(program, "switch", latency, size, hub)
    rows = {"halt latency, mean": switch["halt"], "halt latency, worst": switch["worst"], "switch": switch["sum"],
            **{f"switch: {phase}": switch[phase] for phase in PHASES[1:]},
            "pipelines drained, mean": run(program, "drain", latency, size, hub)["halt"],
            "programs ended, mean": run(program, "finish", latency, size, hub)["halt"]}
    config = f"4 stacks of {size[0]}, memory {latency}"
    return [{"config": config, "figure": figure, "value": value, "unit": "cycles"} for figure, value in rows.items()]


def main():
    program = sys.argv[1]
    if len(sys.argv) == 2:
        print(json.dumps(bench(program)))
        return
    folder = Path(sys.argv[2])
    points = measure(program)
    (folder / "front_end_system.md").write_text("\n".join(table(points)) + "\n")
    plot(points, folder)


if __name__ == "__main__":
    main()
