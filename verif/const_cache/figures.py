#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `simtgen sim const_cache` over streams, sizes, SMs, splits and protocols; writes tables, words moved and a plot.
Called by figures.sh. Each result is kept as it comes (const_cache_results.jsonl, by the content of program and stream), so that a
run that was ended goes on where it was."""
import hashlib
import json
import math
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

SIZES = {"default": [], "small": ["L1_ENTRIES=16", "L2_ENTRIES=32", "BACKUP_ENTRIES=16"]}
SMS = [2, 4, 8, 16]
PICKERS = [f"{batch}_cycles{n}" for batch in ("batch32", "draw") for n in (1, 4, 16)]
SHORT = {p: p.replace("batch32_cycles", "b ").replace("draw_cycles", "d ") for p in PICKERS}
PROTOCOLS = ["backup", "copy"]
MOVED = ["to_l1", "copied", "updated", "saved", "filled", "mem_reads", "mem_writes"]  # kinds of words moved
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]


PROGRAM = os.environ.get("SIMTGEN", "build/simtgen")


class Failed(Exception):
    """What a run said."""


def sim(job):
    trace, size, sms, picker, protocol = job
    command = [PROGRAM, "sim", "const_cache", "--json", "--trace", str(trace), "--picker", picker]
    for p in [f"SMS={sms}", f"PROTOCOL={protocol}", *SIZES[size]]:
        command += ["-p", p]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise Failed(f"figures: {' '.join(command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def content(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:24]


def kept(path):
    """{key: figures} of earlier runs; a line that was cut off by the end of one is left out."""
    found = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            key, figures = json.loads(line)
            found[key] = figures
        except ValueError:
            pass
    return found


def run_all(jobs, path):
    """The figures of each job; those that are not kept are found now, and kept as they come."""
    program, stream = content(PROGRAM), {t: content(t) for t in {job[0] for job in jobs}}
    keys = {job: " ".join([program, stream[job[0]], *map(str, job[1:])]) for job in jobs}
    old = kept(path)
    result = {job: old[key] for job, key in keys.items() if key in old}
    path.write_text("".join(json.dumps([keys[job], figures]) + "\n" for job, figures in result.items()))
    left = [job for job in jobs if job not in result]
    if result:
        print(f"figures: {len(result)} of {len(jobs)} runs are kept in {path}", flush=True)
    begin = time.monotonic()
    with ThreadPoolExecutor(int(os.environ.get("JOBS", os.cpu_count() or 1))) as pool, path.open("a") as log:
        waits = {pool.submit(sim, job): job for job in left}
        for n, future in enumerate(as_completed(waits), 1):
            job = waits[future]
            try:
                result[job] = future.result()
            except Failed as e:
                pool.shutdown(cancel_futures=True)
                sys.exit(str(e))
            log.write(json.dumps([keys[job], result[job]]) + "\n")
            log.flush()
            print(f"figures: {len(jobs) - len(left) + n} of {len(jobs)}, {time.monotonic() - begin:.0f} s: "
                  f"{job[0].name.split('.')[0]} {' '.join(map(str, job[1:]))}", flush=True)
    return result


def moved(figures):
    return sum(figures.get(k, 0) for k in MOVED)


def table(out, title, streams, cell):
    out.append(f"\n## {title}\n\n| stream | size | SMS | {' | '.join(SHORT.values())} |\n|---|---|---|{'---|' * len(PICKERS)}")
    for trace in streams:
        for size in SIZES:
            for sms in SMS:
                out.append(f"| {trace.name.split('.')[0]} | {size} | {sms} | "
                           + " | ".join(cell(trace, size, sms, p) for p in PICKERS) + " |")


def x_of(sms):
    return 50 + 90 * (sms.bit_length() - 2)


def y_of(speed_up):
    return 150 - 45 * math.log2(speed_up)


def plot(folder, streams, result):
    """A panel for each stream: speed-up over SMs, both axes logarithmic."""
    shown = ["batch32_cycles1", "batch32_cycles16", "draw_cycles16"]
    columns = 2
    height = 290 * ((len(streams) + columns - 1) // columns) + 60
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="760" height="{height}" fill="#ffffff"/>']
    for n, trace in enumerate(streams):
        svg.append(f'<g transform="translate({n % columns * 380},{n // columns * 290})">')
        svg.append(f'<text x="185" y="22" text-anchor="middle">{trace.name.split(".")[0]}</text>')
        for value in (0.25, 0.5, 1, 2, 4):
            y = y_of(value)
            svg.append(f'<line x1="50" x2="320" y1="{y:.0f}" y2="{y:.0f}" stroke="{"#444444" if value == 1 else "#dddddd"}"/>'
                       f'<text x="44" y="{y + 4:.0f}" text-anchor="end">{value:g}</text>')
        for sms in SMS:
            svg.append(f'<text x="{x_of(sms)}" y="268" text-anchor="middle">{sms}</text>')
        svg.append('<text x="185" y="284" text-anchor="middle">SMs</text>')
        for protocol in PROTOCOLS:
            for colour, picker in zip(COLOURS, shown):
                points = [(x_of(sms), y_of(result[trace, "default", sms, picker, protocol]["speed_up"])) for sms in SMS]
                dash = "" if protocol == "copy" else ' stroke-dasharray="6 4"'
                svg.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dash} points="'
                           + " ".join(f"{x},{y:.1f}" for x, y in points) + '"/>')
        svg.append("</g>")
    y = height - 40
    for i, (colour, picker) in enumerate(zip(COLOURS, shown)):
        for k, protocol in enumerate(PROTOCOLS):
            x = 50 + 230 * i
            dash = "" if protocol == "copy" else ' stroke-dasharray="6 4"'
            svg.append(f'<line x1="{x}" x2="{x + 40}" y1="{y + 20 * k}" y2="{y + 20 * k}" stroke="{colour}" stroke-width="2"{dash}/>'
                       f'<text x="{x + 48}" y="{y + 20 * k + 4}">{protocol}, {SHORT[picker]}</text>')
    (folder / "const_cache_protocols.svg").write_text("\n".join(svg) + "\n</svg>\n")


def main():
    traces, folder = Path(sys.argv[1]), Path(sys.argv[2])
    streams = sorted(traces.glob("*.cst.gz"))
    if not streams:
        sys.exit(f"figures: {traces} holds no *.cst.gz")
    jobs = [(t, size, sms, picker, protocol) for t in streams for size in SIZES for sms in SMS for picker in PICKERS
            for protocol in PROTOCOLS]
    result = run_all(jobs, folder / "const_cache_results.jsonl")
    out = ["# const_cache: protocols on recorded streams", "",
           "Columns: `b` items of up to 32 vertices, `d` whole draws; behind it the cycles an item runs for each vertex.",
           "`BACKUP_WAYS` follows `SMS` at the default sizes: 8 at 8 SMs, 16 at 16.",
           "Small: " + ", ".join(f"`{p}`" for p in SIZES["small"]) + "."]
    table(out, "Speed-up against `shared`: `backup` / `copy`", streams,
          lambda *c: " / ".join(f"{result[(*c, p)]['speed_up']:.2f}" for p in PROTOCOLS))
    table(out, "Words moved for each word read, all kinds: `shared` / `backup` / `copy`", streams, lambda *c: " / ".join(
        f"{moved(s) / result[(*c, 'copy')]['operations']:.2f}"
        for s in (result[(*c, "copy")]["shared"], result[(*c, "backup")], result[(*c, "copy")])))
    (folder / "const_cache_tables.md").write_text("\n".join(out) + "\n")
    rows = ["stream,size,sms,split,protocol,cycles,words read," + ",".join(MOVED)]
    for c in [(t, size, sms, p) for t in streams for size in SIZES for sms in SMS for p in PICKERS]:
        for name, s in [("shared", result[(*c, "copy")]["shared"]), *((p, result[(*c, p)]) for p in PROTOCOLS)]:
            rows.append(",".join(map(str, [c[0].name.split(".")[0], *c[1:], name, int(s["cycles"]),
                                           int(result[(*c, "copy")]["operations"]), *(int(s.get(k, 0)) for k in MOVED)])))
    (folder / "const_cache_words.csv").write_text("\n".join(rows) + "\n")
    plot(folder, streams, result)


main()
