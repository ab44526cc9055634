#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `simtgen sim atomic_merge` over recorded atomics; writes a table, data and gnuplot scripts. Called by figures.sh."""
import json
import os
import subprocess
import sys
from pathlib import Path

CACHES = [1, 2, 4, 8, 16, 32, 64]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]
SHADES = ["#b9d4e8", "#5f9fc9", "#0072b2", "#f3cfb0", "#e59455", "#d55e00"]  # of the bars
HEAD = """set terminal svg size {width},420 font 'sans-serif,13' background rgb 'white'
set output '{name}.svg'
set border 3 lc rgb '#555555'
set tics nomirror
set grid y lc rgb '#dddddd' lt 1
set key at screen 0.5,0.01 center bottom horizontal samplen 2 spacing 1.1 width 2
set ylabel 'atomics per cycle'
set logscale y
"""
_results = {}


def sim(trace, caches, strict=0):
    key = (trace, caches, strict)
    if key not in _results:
        command = [os.environ.get("SIMTGEN", "build/simtgen"), "sim", "atomic_merge", "--json", "--trace", str(trace),
                   "--replay", f"caches={caches}", "--replay", f"strict={strict}"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"figures: {' '.join(command)}: {run.stderr.strip()}")
        _results[key] = json.loads(run.stdout)
    return _results[key]


def name_of(trace):
    return trace.name.split(".")[0]


def write(folder, name, lines):
    (folder / name).write_text("\n".join(lines) + "\n")


def cell(s):
    return f"{s['rate']:.2f} ({s['transfers']:,})"


def table(folder, traces):
    lines = ["| trace | atomics | 4 caches | strict | without | 16 caches | strict | without | memory as in order |", "|---|--:|" + "---|" * 7]
    for t in traces:
        runs = [(sim(t, n), sim(t, n, 1)) for n in (4, 16)]
        cells = [cell(s) for a, b in runs for s in (a, b, a["no_merging"])]
        same = all(s["same_as_in_order"] for pair in runs for s in pair)
        lines.append(f"| {name_of(t)} | {runs[0][0]['operations']:,} | " + " | ".join(cells) + f" | {'yes' if same else 'no'} |")
    write(folder, "atomic_merge_traces.md", lines)


def bars(folder, name, traces):
    write(folder, f"{name}.dat", [f'"{name_of(t)}" ' + " ".join(f"{s['rate']:.5g}" for n in (4, 16) for s in (
        sim(t, n)["no_merging"], sim(t, n, 1), sim(t, n))) for t in traces])
    titles = [f"{n} caches, {how}" for n in (4, 16) for how in ("without merging", "strict", "relaxed")]
    plots = [f"'{name}.dat' using {i + 2}:xtic(1) title '{title}' lc rgb '{SHADES[i]}'" for i, title in enumerate(titles)]
    write(folder, f"{name}.gp", [
        HEAD.format(name=name, width=1000), "set bmargin 7", "set yrange [0.05:*]", "set style data histograms",
        "set style histogram clustered gap 1.5", "set style fill solid 1 noborder", "set xtics noenhanced scale 0",
        "plot " + ", \\\n  ".join(plots)])


def lines(folder, name, traces):
    """Full lines: relaxed; dashed ones: without merging."""
    rows = [[str(n)] + [f"{s['rate']:.5g}" for t in traces for s in (sim(t, n), sim(t, n)["no_merging"])] for n in CACHES]
    write(folder, f"{name}.dat", [" ".join(row) for row in rows])
    plots = []
    for i, t in enumerate(traces):
        look = f"lc rgb '{COLOURS[i]}' lw 2"
        plots.append(f"'{name}.dat' using 1:{2 * i + 2} with linespoints {look} pt 7 ps 0.4 title '{name_of(t)}' noenhanced")
        plots.append(f"'{name}.dat' using 1:{2 * i + 3} with lines {look} dt 2 notitle")
    tics = ", ".join(f"'{n}' {n}" for n in CACHES)
    write(folder, f"{name}.gp", [HEAD.format(name=name, width=720), "set bmargin 8", "set logscale x", "set xrange [0.95:68]", f"set xtics ({tics})",
                                 "set xlabel 'caches'", "plot " + ", \\\n  ".join(plots)])


def main():
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    traces = sorted(source.rglob("*.atm.gz"))
    if not traces:
        sys.exit(f"figures: {source}: no *.atm.gz below this folder; set SIMTGEN_TRACES to one that has them")
    table(folder, traces)
    bars(folder, "atomic_merge_traces", traces)
    lines(folder, "atomic_merge_caches", traces)


if __name__ == "__main__":
    main()
