#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `simtgen sim tracker` over traces and parameters; writes data, gnuplot scripts and tables. Called by figures.sh."""
import json
import os
import random
import subprocess
import sys
from pathlib import Path

MODES = ["mode1", "mode2", "mode3", "tracker"]
LABEL = {"mode1": "mode 1", "mode2": "mode 2", "mode3": "mode 3", "tracker": "mode 4", "ideal": "ideal",
         "fifo_by_wavefront": "FIFO by wavefront"}
STALLS = ["stall_no_work", "stall_full", "stall_alloc", "stall_no_dslot", "stall_misses", "stall_count", "stall_fast"]
SWEEPS = [("QUEUES", [2, 4, 8, 16, 32, 48, 96], lambda x: {"QUEUES": x}),
          ("ENTRIES", [16, 32, 64, 128, 256, 512], lambda x: {"ENTRIES": x}),
          ("resident warps", [8, 16, 24, 32, 48, 96], lambda x: {"WARPS": x}),
          ("memory latency, cycles", [50, 100, 200, 450, 800], lambda x: {"latency": x}),
          ("loads of a warp under way", [1, 2, 4, 8], lambda x: {"outstanding": x})]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444", "#999933", "#882255", "#44aa99",
           "#117733", "#ddcc77"]
_results = {}


def sim(trace, latency=200, **options):
    """Statistics of one run; options in capitals are parameters, the others are of the replay. None: refused."""
    key = (trace, latency, tuple(sorted(options.items())))
    if key not in _results:
        command = [os.environ.get("SIMTGEN", "build/simtgen"), "sim", "tracker", "--json", "--trace", str(trace),
                   "--latency", str(latency)]
        for name, value in options.items():
            command += ["-p" if name.isupper() else "--replay", f"{name}={value}"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"figures: {' '.join(command)}: {run.stderr.strip()}")
        _results[key] = json.loads(run.stdout)
    return _results[key]


def cycles(s, system):
    return s["cycles"] if system == "tracker" else s[system]["cycles"]


def gain(s, system):
    """How many times faster than the plain FIFO."""
    return s["fifo"]["cycles"] / cycles(s, system)


def name_of(trace):
    return trace.name.split(".")[0]


def write(folder, name, lines):
    (folder / name).write_text("\n".join(lines) + "\n")


# ---- synthetic mixes ------------------------------------------------------------------------------------


def texture_read(rng, corner):
    """A 2 x 2 footprint of 4-byte texels for 32 lanes in a tile of 8 x 4, in an image 1,024 texels wide."""
    x, y = corner
    for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
        lanes = [0x10000000 + 4 * ((y + i // 8 + dy) * 1024 + x + i % 8 + dx) for i in range(32)]
        yield f"{0 if dx or dy else rng.randrange(20, 80)} t l 4 ffffffff " + " ".join(f"{a:x}" for a in lanes)


def ray_fetch(rng, level):
    """Nodes of 32 bytes of a tree, two 16-byte loads a node: lanes spread as the ray goes down."""
    spread = min(1 << level, 1 << 12)
    base = rng.randrange(spread)
    nodes = [0x30000000 + 32 * (spread + (base + rng.randrange(max(1, spread // 8))) % spread) for _ in range(32)]
    for half in (0, 16):
        yield f"{1 if half else rng.randrange(40, 160)} r l 16 ffffffff " + " ".join(f"{a + half:x}" for a in nodes)


def global_load(rng):
    """A whole line of 256 KiB three times of four, else 32 words scattered over 16 KiB."""
    base = 0x50000000 + 128 * rng.randrange(1 << 11)
    lanes = [base + 4 * i for i in range(32)] if rng.random() < 0.75 else [0x60000000 + 4 * rng.randrange(1 << 12) for _ in range(32)]
    yield f"{rng.randrange(20, 80)} g l 4 ffffffff " + " ".join(f"{a:x}" for a in lanes)


def mix(folder, name, shares, warps=192, length=60):
    """A trace whose warps draw instructions by `shares` of texture, ray traversal and local/global loads."""
    rng, lines = random.Random(name), [f"# synthetic: texture, ray traversal, local/global {shares}"]
    for warp in range(warps):
        lines.append(f"W {warp} {warp // 8}")
        corner = [8 * (warp % 96), 4 * (warp // 96 * 30)]
        for i in range(length):
            kind = rng.choices("trg", shares)[0]
            if kind == "t":
                corner[1] = (corner[1] + rng.choice((0, 2, 4))) % 900
                lines += texture_read(rng, corner)
            else:
                lines += ray_fetch(rng, i % 16) if kind == "r" else global_load(rng)
    write(folder, f"{name}.mem", lines)
    return folder / f"{name}.mem"


def mixes(folder):
    return [mix(folder, "mix_texture", (1, 0, 1)), mix(folder, "mix_ray", (0, 1, 1)), mix(folder, "mix_all", (1, 1, 1))]


# ---- drawings -------------------------------------------------------------------------------------------

HEAD = """set terminal svg size {width},{height} font 'sans-serif,13' background rgb 'white'
set output '{name}.svg'
set border 3 lc rgb '#555555'
set tics nomirror
set grid y lc rgb '#dddddd' lt 1
set key at screen 0.5,0.01 center bottom vertical maxrows {rows} samplen 2 spacing 1.1 width 2
"""


def bars(folder, name, traces):
    systems = ["mode1", "mode2", "mode3", "tracker", "ideal"]
    write(folder, f"{name}.dat", [f'"{name_of(t)}" ' + " ".join(f"{gain(sim(t), s):.5g}" for s in systems) for t in traces])
    plots = [f"'{name}.dat' using {i + 2}:xtic(1) title '{LABEL[s]}' lc rgb '{COLOURS[i]}'" for i, s in enumerate(systems)]
    write(folder, f"{name}.gp", [
        HEAD.format(name=name, width=1000, height=420, rows=1), "set bmargin 8", "set ylabel 'times as fast as the plain FIFO'",
        "set yrange [0.6:*]", "set style data histograms", "set style histogram clustered gap 1.5",
        "set style fill solid 1 noborder", "set xtics noenhanced scale 0 rotate by -20", "plot " + ", \\\n  ".join(plots)])


def sweeps(folder, name, traces):
    """A panel per parameter: mode 4 in full lines, the ideal in dashed ones, a colour per trace."""
    script = [HEAD.format(name=name, width=1000, height=820, rows=2),
              "set multiplot layout 2,3 margins 0.06,0.985,0.14,0.96 spacing 0.06,0.1", "set yrange [0.8:*]"]
    for k, (label, values, options) in enumerate(SWEEPS):
        rows = [[str(x)] + [f"{gain(sim(t, **options(x)), s):.5g}" for t in traces for s in ("tracker", "ideal")] for x in values]
        write(folder, f"{name}_{k}.dat", [" ".join(row) for row in rows])
        plots = []
        for i, t in enumerate(traces):
            title = f"title '{name_of(t)}' noenhanced" if not k else "notitle"
            plots.append(f"'{name}_{k}.dat' using 1:{2 * i + 2} with linespoints lc rgb '{COLOURS[i]}' lw 2 pt 7 ps 0.4 {title}")
            plots.append(f"'{name}_{k}.dat' using 1:{2 * i + 3} with lines lc rgb '{COLOURS[i]}' dt 2 notitle")
        tics = ", ".join(f"'{v}' {v}" for v in values)
        script += [f"set title '{label}' offset 0,-0.6", f"set logscale x\nset xrange [{values[0] * 0.9}:{values[-1] * 1.1}]",
                   f"set xtics ({tics})", "plot " + ", \\\n  ".join(plots)]
    write(folder, f"{name}.gp", script + ["unset multiplot"])


# ---- tables ---------------------------------------------------------------------------------------------


def table(folder, traces, latencies=(200, 450)):
    lines = []
    for latency in latencies:
        lines += [f"Latency {latency} plus 0 to 200:", "",
                  "| trace | FIFO, cycles | mode 1 | mode 2 | mode 3 | mode 4 | ideal | FIFO by wavefront | mode 1 over FIFO, % "
                  "| mode 4 over ideal, % |", "|---|" + "--:|" * 9]
        for t in traces:
            s = sim(t, latency)
            gains = " | ".join(f"{gain(s, k):.3f}" for k in MODES + ["ideal", "fifo_by_wavefront"])
            lines.append(f"| {name_of(t)} | {s['fifo']['cycles']:,} | {gains} | "
                         f"{100 * s['mode1']['cycles'] / s['fifo']['cycles'] - 100:+.2f} | "
                         f"{100 * s['cycles'] / s['ideal']['cycles'] - 100:+.2f} |")
        lines.append("")
    lines += ["| trace | wavefronts | slow, % | idle, % | in flight: mean | most | FIFO: mean | sectors under way: mean | "
              "wait of slow wavefronts by class, mode 4: mean, p50, p99 | FIFO: mean, p50, p99 |", "|---|" + "--:|" * 7 + "---|---|"]
    for t in traces:
        s = sim(t)
        waits = [", ".join(f"{c} {x[f'{c}_wait_mean']:.0f} {x[f'{c}_wait_p50']} {x[f'{c}_wait_p99']}"
                           for c in ("lg", "tex", "ray") if f"{c}_wait_mean" in x) for x in (s, s["fifo"])]
        lines.append(f"| {name_of(t)} | {s['operations']:,} | {100 * s['slow'] / s['operations']:.0f} | "
                     f"{100 * s['idle_cycles'] / s['cycles']:.0f} | {s['in_flight_mean']:.0f} | {s['in_flight_max']} | "
                     f"{s['fifo']['in_flight_mean']:.0f} | {s['misses_mean']:.0f} | {waits[0]} | {waits[1]} |")
    lines += ["", "| trace | " + " | ".join(k.removeprefix("stall_") for k in STALLS) + " | alloc_waits |", "|---|" + "--:|" * 8]
    for t in traces:
        s = sim(t)
        lines.append(f"| {name_of(t)} | " + " | ".join(f"{100 * s[k] / s['cycles']:.1f}" for k in STALLS + ["alloc_waits"]) + " |")
    write(folder, "tracker_traces.md", lines)


def main():
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    traces = sorted(source.rglob("*.mem.gz"))
    if not traces:
        sys.exit(f"figures: {source}: no *.mem.gz below this folder; set SIMTGEN_TRACES to one that has them")
    every = traces + mixes(folder)
    table(folder, every)
    bars(folder, "tracker_traces", every)
    small = sorted(every, key=lambda t: cycles(sim(t), "tracker"))[:6]
    sweeps(folder, "tracker_sweeps", small)


if __name__ == "__main__":
    main()
