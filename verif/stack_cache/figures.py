#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `simtgen sim` over traces and parameters; writes data and gnuplot scripts. Called by figures.sh."""
import json
import os
import subprocess
import sys
from pathlib import Path

PICKERS = ["round_robin", "longest_remaining", "lowest_index", "global_order"]
ENTRIES = [8, 16, 32, 64, 128]
LATENCIES = [10, 30, 100, 200, 400, 1000, 2000]
POLICIES = ["set_boundary", "threshold"]
FLOOR = 0.001  # drawn for zero on a logarithmic axis
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444", "#999933"]

_results = {}


def sim(trace, picker="round_robin", latency=200, **params):
    key = (trace, picker, latency, tuple(sorted(params.items())))
    if key not in _results:
        command = [os.environ.get("SIMTGEN", "build/simtgen"), "sim", "stack_cache", "--json", "--trace", str(trace),
                   "--picker", picker, "--latency", str(latency)]
        command += [word for name, value in params.items() for word in ("-p", f"{name}={value}")]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"figures: {run.stderr.strip()}")
        _results[key] = json.loads(run.stdout)
    return _results[key]


def name_of(trace):
    return trace.name.split(".")[0]


def write(folder, name, lines):
    (folder / name).write_text("\n".join(lines) + "\n")


HEAD = """set terminal svg size 900,{height} font 'sans-serif,13' background rgb 'white'
set output '{name}.svg'
set border 3 lc rgb '#555555'
set tics nomirror
set grid y lc rgb '#dddddd' lt 1
set key at screen 0.5,0.01 center bottom vertical maxrows {rows} samplen 2 spacing 1.1 width -4
set title offset 0,-0.6
set multiplot layout 1,{panels} margins 0.075,0.985,{bottom},0.93 spacing 0.09,0
"""
IDLE_AXIS = f"""set logscale y
set format y '%g'
set yrange [{FLOOR * 0.8}:2000]
set ytics ('0' {FLOOR}, '0.01' 0.01, '0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000)
set ylabel 'idle cycles, % of operations' offset 1,0
"""
TARGET = "set arrow 1 from graph 0,first 0.1 to graph 1,first 0.1 nohead lc rgb '#888888' dt 3"


def idle(s):
    return max(s["idle_percent"], FLOOR)


def moved(s, operations):
    return 1000 * s["words_moved"] / operations


def x_axis(label, values):
    tics = ", ".join(f"'{v if v < 1000 else f'{v // 1000}k'}' {v}" for v in values)
    return f"set logscale x\nset xrange [{values[0] * 0.85}:{values[-1] * 1.15}]\nset xtics ({tics})\nset xlabel '{label}'"


def panel(folder, name, title, values, lines, keys):
    """One diagram: lines are (label, colour, dash, width, [y for each value])."""
    write(folder, f"{name}.dat", ["# " + "; ".join(line[0] for line in lines)] +
          [" ".join([str(v)] + [f"{line[4][i]:.6g}" for line in lines]) for i, v in enumerate(values)])
    plots = [f"'{name}.dat' using 1:{i + 2} with linespoints lc rgb '{colour}' dt {dash} lw {width} pt 7 ps 0.4 "
             + (f"title '{label}' noenhanced" if keys else "notitle")
             for i, (label, colour, dash, width, _) in enumerate(lines)]
    return [f"set title '{title}'", "plot " + ", \\\n  ".join(plots)]


def lines_of(traces, values, systems, value):
    """A line per trace and system; value(trace, system, x)."""
    return [(f"{name_of(t)}, {label}", COLOURS[i], dash, width, [value(t, system, x) for x in values])
            for i, t in enumerate(traces) for system, label, dash, width in systems]


BOTH = (("block", "stack_cache", 1, 2), ("demand", "demand cache", 2, 1))


def curves(folder, name, xlabel, values, traces, param):
    """Idle over one parameter: the block in full lines, the demand cache in dashed ones; round robin, most operations left first."""
    script = [HEAD.format(name=name, height=430, panels=2, rows=2, bottom=0.25), IDLE_AXIS, x_axis(xlabel, values), TARGET]
    for picker, title in (("round_robin", "Idle cycles, round robin"), ("longest_remaining", "Idle cycles, most left first")):
        def value(t, system, x):
            s = sim(t, picker, **{param: x})
            return idle(s if system == "block" else s["demand"])
        script += panel(folder, f"{name}_{picker}", title, values, lines_of(traces, values, BOTH, value),
                        picker == "round_robin")
    write(folder, f"{name}.gp", script + ["unset multiplot"])


def policies(folder, name, traces):
    """Both policies and the demand cache over ENTRIES: idle with the most operations left first, and what is moved."""
    systems = (("set_boundary", "set_boundary", 1, 2), ("threshold", "threshold", 3, 2), ("demand", "demand cache", 2, 1))

    def run(t, system, x, picker):
        s = sim(t, picker, ENTRIES=x, POLICY="set_boundary" if system == "demand" else system)
        return s["operations"], s["demand"] if system == "demand" else s
    script = [HEAD.format(name=name, height=450, panels=2, rows=3, bottom=0.28), x_axis("ENTRIES (on chip, per thread)", ENTRIES),
              IDLE_AXIS]
    script += panel(folder, f"{name}_idle", "Idle cycles, most left first, latency 200", ENTRIES, lines_of(
        traces, ENTRIES, systems, lambda t, system, x: idle(run(t, system, x, "longest_remaining")[1])), True)
    script += ["set yrange [1:1000]", "set ytics auto", "set ylabel 'entries moved per 1,000 operations' offset 1,0"]
    script += panel(folder, f"{name}_moved", "Traffic, round robin, latency 200", ENTRIES, lines_of(
        traces, ENTRIES, systems,
        lambda t, system, x: max(1, moved(*reversed(run(t, system, x, "round_robin"))))), False)
    write(folder, f"{name}.gp", script + ["unset multiplot"])


def pickers(folder, name, traces):
    """A group of bars per trace: each picker, the demand cache beside it in a pale shade."""
    pale = ["#99c7e0", "#eebf99", "#99d8c7", "#ebc9dc"]
    columns = [(p, system) for p in PICKERS for system in ("", "demand cache")]
    rows = []
    for t in traces:
        runs = [sim(t, p) if not system else sim(t, p)["demand"] for p, system in columns]
        rows.append(f'"{name_of(t)}" ' + " ".join(f"{idle(s):.6g}" for s in runs))
    write(folder, f"{name}.dat", rows)
    colours = [c for pair in zip(COLOURS, pale) for c in pair]
    plots = [f"'{name}.dat' using {i + 2}:xtic(1) title '{system or p}' noenhanced lc rgb '{colours[i]}'"
             for i, (p, system) in enumerate(columns)]
    write(folder, f"{name}.gp", [
        HEAD.format(name=name, height=430, panels=1, rows=2, bottom=0.21), IDLE_AXIS, "set title 'Idle cycles by picker, latency 200'",
        "set style data histograms", "set style histogram clustered gap 1.5", "set style fill solid 1 noborder",
        "set xtics noenhanced scale 0", "plot " + ", \\\n  ".join(plots), "unset multiplot"])


def main():
    traces, folder = sorted(Path(sys.argv[1]).rglob("*.stk.gz")), Path(sys.argv[2])
    if not traces:
        sys.exit(f"figures: {sys.argv[1]}: no *.stk.gz below this folder; set SIMTGEN_TRACES to one that has them")
    moving = [t for t in traces if sim(t)["restores"] > 100] or traces[:3]
    curves(folder, "stack_cache_entries", "ENTRIES (on chip, per thread)", ENTRIES, moving, "ENTRIES")
    curves(folder, "stack_cache_latency", "memory latency, cycles", LATENCIES, moving, "latency")
    policies(folder, "stack_cache_policy", moving)
    pickers(folder, "stack_cache_pickers", moving)


if __name__ == "__main__":
    main()
