#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# timeout: 700
"""`simtgen tune` against an exhaustive search. Stand-ins for the tools make area and frequency functions of the parameters, so
that the test knows the figures of every point; cycles are those of the models."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "verif" / "tools"))
from testlib import Problem, finish, in_turn, program, report  # noqa: E402

TRACE = ROOT / "verif" / "stack_cache" / "traces" / "quickjs_js.stk.gz"
OTHER = ROOT / "verif" / "stack_cache" / "traces" / "jq_json.stk.gz"
POLICIES = ("set_boundary", "threshold")
FILE = f"""block: stack_cache
params: {{COUNTERS: 0}}
refused: skip
grid:
  ENTRIES: 4..32 times 2
  SET: [1, 2, 4]
  POLICY: [set_boundary, threshold]
  INFLIGHT: [4, 16, 64]
targets: [ice40]
workloads:
  - {{name: quickjs, trace: {TRACE}, latency: 200}}
"""
YOSYS = r"""#!/usr/bin/env python3
import json, math, os, re, sys
if "-V" in sys.argv:
    print("stand-in for Yosys")
    sys.exit()
script = sys.argv[sys.argv.index("-p") + 1]
number, name = re.search(r"write_json netlist\.(\d+)", script)[1], re.search(r"-top (\w+)_harness", script)[1]
values = {k: int(v.split("'d")[-1]) for k, v in re.findall(r"\.(\w+)\s*\(\s*([\w']+)\s*\)", open(f"{name}.v").read()) if v[-1].isdigit()}
open(os.environ["RUNS"], "a").write("run\n")
lut, ram, mhz = (eval(f, {"log": math.log2}, values) for f in json.loads(os.environ["FIGURES"]))
cells = {f"u_block.l{i}": {"type": "SB_LUT4"} for i in range(round(lut))} | {f"u_block.r{i}": {"type": "SB_RAM40_4K"} for i in range(round(ram))}
for what, inside in (("netlist", cells), ("alone", {}), ("hierarchy", {})):
    modules = {f"{name}_harness": {"cells": inside}, name: {"cells": {}}}
    json.dump({"mhz": mhz, "lut": round(lut), "modules": modules}, open(f"{what}.{number}", "w"))
"""
NEXTPNR = r"""#!/bin/sh
case "$*" in *--version*) echo "stand-in for nextpnr"; exit ;; esac
while [ $# -gt 0 ]; do case $1 in --json) netlist=$2 ;; --report) report=$2 ;; esac; shift; done
[ -z "$report" ] || echo "{\"fmax\":{\"clk\":{\"achieved\":$(sed -n 's/^{"mhz": \([0-9.]*\),.*/\1/p' "$netlist")}}}" >"$report"
echo "ICESTORM_LC: $(sed -n 's/.*"lut": \([0-9]*\),.*/\1/p' "$netlist")/ 7680"
echo "ICESTORM_RAM: 1/ 32"
"""
# LUTs, RAM blocks, MHz: what one expects of a block; a step at a value, and less area with larger sets; nearly the same everywhere.
PLAIN = ("300+11*ENTRIES*SET**0.5+200*POLICY+15*INFLIGHT", "ENTRIES/4+SET", "120-8*log(ENTRIES)-3*SET")
STEPS = ("900+8*ENTRIES-60*SET+(400 if ENTRIES>=32 else 0)+40*log(INFLIGHT)-150*POLICY", "2+(ENTRIES>8)*SET+ENTRIES/8", "90-(15 if POLICY else 0)-ENTRIES/4")
FLAT = ("2000+ENTRIES-SET-POLICY+INFLIGHT/16", "4", "100-SET")


class Place:
    """A folder with the tools that give these figures."""

    def __init__(self, folder, figures):
        self.folder, self.figures = folder, figures
        folder.mkdir()
        for name, text in (("yosys", YOSYS), ("nextpnr", NEXTPNR)):
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        (folder / "a.yaml").write_text(FILE)
        self.env = os.environ | {"SIMTGEN_YOSYS": str(folder / "yosys"), "SIMTGEN_NEXTPNR_ICE40": str(folder / "nextpnr"),
                                 "SIMTGEN_CACHE": str(folder / "cache"), "FIGURES": json.dumps(figures), "RUNS": str(folder / "runs")}

    def run(self, *args):
        return subprocess.run([program(), *args], cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL)

    def points(self):
        """All points with their cycles, from a sweep without synthesis, and the figures by their functions."""
        (self.folder / "cycles.yaml").write_text(FILE.replace("targets: [ice40]\n", ""))
        done = self.run("sweep", "cycles.yaml", "-q")
        if done.returncode:
            raise Problem(done.stderr)
        for line in (self.folder / "cycles.sweep" / "results.jsonl").read_text().splitlines()[1:]:
            row = json.loads(line)
            values = row["params"] | {"POLICY": POLICIES.index(row["params"]["POLICY"])}
            lut, ram, mhz = (eval(f, {"log": math.log2}, values) for f in self.figures)
            yield row["params"], {"lut": round(lut), "ram": 4096 * round(ram), "fmax": mhz, "cycles": row["workloads"]["quickjs"]["cycles"]}


def judge(points, params, percent, cost, limit):
    """What is wrong with a choice, by looking at all points. The fastest needs to be known to a quarter of the percentage only."""
    within = [f for _, f in points if f["lut"] <= limit.get("lut", 1e9) and f["ram"] <= limit.get("ram", 1e9) and f["fmax"] >= limit.get("fmax", 0)]
    own = next(f for p, f in points if p == params)
    fewest = min(f["cycles"] for f in within)
    if own not in within:
        return f"{params} is outside the limits: {own}"
    if own["cycles"] > fewest * (1 + percent / 100):
        return f"{params} takes {own['cycles']} cycles, {fewest} are possible"
    cheapest = min(f[cost] for f in within if f["cycles"] <= fewest * (1 + percent / 100) / (1 + (percent / 400 if limit else 0)))
    return "" if own[cost] <= cheapest else f"{params} costs {own[cost]}, another one {cheapest}"


CASES = (
    ("the smallest within 5 %", PLAIN, 5, "lut", {}),
    ("any speed", PLAIN, 1000, "lut", {}),
    ("the fastest", PLAIN, 0, "lut", {}),
    ("at most 700 LUT4", PLAIN, 5, "lut", {"lut": 700}),
    ("at least 88 MHz, at most five blocks of RAM", PLAIN, 10, "lut", {"fmax": 88, "ram": 5 * 4096}),
    ("the least RAM", PLAIN, 5, "ram", {}),
    ("an area with steps", STEPS, 20, "lut", {}),
    ("... and limits", STEPS, 20, "lut", {"lut": 1000, "fmax": 80}),
    ("an area that is nearly the same everywhere", FLAT, 30, "lut", {}),
)


def options(percent, cost, limit):
    return ["--within", str(percent), "--cost", cost] + [w for k, v in limit.items() for w in ({"lut": "--max-lut", "ram": "--max-ram", "fmax": "--min-fmax"}[k], str(v))]


def search(folder):
    counts = []
    known = {}
    for i, (what, figures, percent, cost, limit) in enumerate(CASES):
        place = Place(folder / str(i), figures)
        points = known.setdefault(figures, None) or list(place.points())
        known[figures] = points
        done = place.run("tune", "a.yaml", "-j", "1", "--json", *options(percent, cost, limit))
        if done.returncode:
            report(f"tune: {what}", done.stderr)
            continue
        result = json.loads(done.stdout)
        runs = len((place.folder / "runs").read_text().splitlines())
        counts.append(runs)
        wrong = judge(points, result["chosen"]["params"], percent, cost, limit)
        if runs != result["points"]["synthesized"] or result["points"]["all"] != len(points):
            wrong = wrong or f"{runs} runs of Yosys, {result['points']}"
        report(f"tune: {what}: as good as a search of all {len(points)}, {runs} synthesized", wrong)
    report("tune synthesizes less than a third of the points", "" if counts and max(counts) * 3 < len(points) else f"{counts} of {len(points)}")
    first = known[PLAIN]
    slow, dear = min(first, key=lambda p: p[1]["lut"])[0], max(first, key=lambda p: p[1]["lut"])[0]
    report("the judge of this test sees a choice that is too slow, too dear, outside the limits", "" if "cycles" in judge(first, slow, 5, "lut", {}) and
           "costs" in judge(first, dear, 1000, "lut", {}) and "outside" in judge(first, dear, 5, "lut", {"lut": 700}) else "it does not")


def answers(folder):
    place = Place(folder / "answers", PLAIN)
    text = place.run("tune", "a.yaml", "-j", "2", "--max-lut", "700")
    lines = [line for line in text.stdout.splitlines() if line.startswith("  ")]
    before = len((place.folder / "runs").read_text().splitlines())
    again = place.run("tune", "a.yaml", "-j", "2", "--max-lut", "700", "--json")
    report("tune explains its choice in five lines", text.stderr or ("" if len(lines) == 5 else text.stdout))
    said = json.loads(again.stdout)
    report("... JSON has the same", "" if [line.strip() for line in lines][0] == said["explanation"][0] else again.stdout[:400])
    report("... a second run synthesizes nothing", "" if len((place.folder / "runs").read_text().splitlines()) == before else "it did")
    command = said["command"].replace("simtgen", program(), 1).replace("-o DIR", "-o out").split()
    made = subprocess.run(command, cwd=place.folder, capture_output=True, text=True)
    config = (place.folder / "out" / "config.yaml").read_text() if not made.returncode else ""
    report("... the command generates what was chosen", made.stderr or ("" if all(f"{k}: {v} " in config.replace('"', "") for k, v in said["chosen"]["params"].items()) else config))
    none = place.run("tune", "a.yaml", "--max-lut", "10")
    smallest = min(f["lut"] for _, f in place.points())
    report("limits that nothing meets: exit status 1, with what there is", "" if none.returncode == 1 and f"at least {smallest} LUT4" in none.stderr and not none.stdout else str(none))
    report("... the nearest configuration, its cycles, and the parameter that moves the area",
           "" if re.search(rf"nearest: ENTRIES=4 SET=1 POLICY=set_boundary INFLIGHT=4 \({smallest} LUT4, .*; it takes \d+ on quickjs\n", none.stderr) and
           re.search(rf"INFLIGHT moves its LUT4 the most: {smallest} at 4, ", none.stderr) else none.stderr)
    page = subprocess.run([program(), "report", "a.sweep", "-o", "page"], cwd=place.folder, capture_output=True, text=True)
    report("report takes what tune has left, without a sweep in between", page.stderr)
    done = len((place.folder / "runs").read_text().splitlines())
    more = place.run("sweep", "a.yaml")
    report("a sweep of the same file keeps what tune has measured",
           "" if f"{said['points']['simulated'] + done} kept from before" in more.stdout else more.stdout[-300:] + more.stderr)
    two = place.folder / "two.yaml"
    two.write_text(FILE + f"  - {{name: json, trace: {OTHER}, latency: 200}}\n")
    both = json.loads(place.run("tune", "two.yaml", "--json", "--within", "2").stdout)
    alone = {w: min(row["workloads"][w]["cycles"] for row in map(json.loads, place.run("sweep", "two.yaml", "-q") and
             (place.folder / "two.sweep" / "results.jsonl").read_text().splitlines()[1:])) for w in ("quickjs", "json")}
    report("two workloads: each is within the percentage of its fewest cycles",
           "" if all(both["chosen"]["cycles"][w] <= 1.02 * alone[w] for w in alone) else f"{both['chosen']}, {alone}")


TRACKER = f"""block: tracker
params: {{{{ENTRIES: 256}}}}
grid: {{{{QUEUES: [{{queues}}]}}}}
targets: [ice40]
workloads:
  - {{{{name: volume, trace: {ROOT}/verif/tracker/traces/nv_volume_render.mem.gz}}}}
  - {{{{name: bfs, trace: {ROOT}/verif/tracker/traces/rodinia_bfs.mem.gz}}}}
"""


def workloads(folder):
    """Two excerpts of which each has another fastest configuration. The larger one costs less here, so that area decides nothing."""
    place = Place(folder / "workloads", ("1000+10*QUEUES", "4", "100"))
    (place.folder / "t.yaml").write_text(TRACKER.format(queues="8, 24"))
    cycles = {q: {w: sim(trace, q) for w, trace in (("volume", "nv_volume_render"), ("bfs", "rodinia_bfs"))} for q in (8, 24)}
    over = {q: {w: 100 * (c / min(cycles[8][w], cycles[24][w]) - 1) for w, c in own.items()} for q, own in cycles.items()}
    needs = {q: max(own.values()) for q, own in over.items()}
    report("of the two configurations each is the fastest on one excerpt, and the cheaper one is further off on the other",
           "" if all(min(own.values()) == 0 for own in over.values()) and needs[8] > needs[24] > 0 else f"{over}")
    between = (needs[8] + needs[24]) / 2
    run = place.run("tune", "t.yaml", "--json", "--within", f"{between:.2f}")
    said = json.loads(run.stdout) if run.stdout else {}
    chosen = said.get("chosen", {})
    report("the cheaper one is not taken: it is too slow on one of the workloads", run.stderr or ("" if chosen.get("params") == {"QUEUES": 24} else run.stdout[:400]))
    got = chosen.get("slower_percent")
    report("a percentage for each workload, of its own fewest cycles",
           "" if isinstance(got, dict) and all(abs(got[w] - over[24][w]) < 0.01 for w in over[24]) else f"{got}, expected {over[24]}")
    wide = json.loads(place.run("tune", "t.yaml", "--json", "--within", f"{needs[8] + 0.01:.2f}").stdout)
    report("... and it is taken as soon as the percentage allows it", "" if wide["chosen"]["params"] == {"QUEUES": 8} else f"{wide['chosen']}")
    text = place.run("tune", "t.yaml", "--within", f"{between:.2f}").stdout
    want = [f"{cycles[24]['volume']} on volume: {over[24]['volume']:.2f} % more than the fewest, {cycles[8]['volume']}; {cycles[24]['bfs']} on bfs: none takes fewer.",
            f"Cheaper, but slower than the fastest by 0.00 % on volume, {over[8]['bfs']:.2f} % on bfs: QUEUES=8 "]
    report("... in the text, too", "; ".join(f"no '{w}' in {text}" for w in want if w not in text))
    none = place.run("tune", "t.yaml", "--within", f"{needs[24] - 0.1:.2f}")
    needed = re.search(r"the nearest needs --within ([0-9.]+)\n", none.stderr)
    report("without one that is fast enough on each, the nearest is named with its cycles and the percentage that it needs",
           "" if none.returncode == 1 and not none.stdout and needed and f"nearest: QUEUES=24 (1240 LUT4, 16384 RAM bits, 100.0 MHz); it takes {cycles[24]['volume']} on volume, "
           f"{cycles[24]['bfs']} on bfs, more than the fewest by {over[24]['volume']:.2f} % on volume, 0.00 % on bfs\n" in none.stderr and
           "QUEUES moves its LUT4 the most: 1080 at 8, 1240 at 24\n" in none.stderr else f"{none}")
    taken = json.loads(place.run("tune", "t.yaml", "--json", "--within", needed[1] if needed else "0").stdout or "{}")
    report("... which is enough", "" if taken.get("chosen", {}).get("params") == {"QUEUES": 24} else f"{taken}")


def sim(trace, queues):
    path = ROOT / "verif" / "tracker" / "traces" / f"{trace}.mem.gz"
    run = subprocess.run([program(), "sim", "tracker", "-p", "ENTRIES=256", "-p", f"QUEUES={queues}", "--trace", path, "--json"], capture_output=True, text=True)
    return json.loads(run.stdout)["cycles"]


def progress(folder):
    """Yosys takes half a second here, so that the line is written some times in each round."""
    place = Place(folder / "progress", PLAIN)
    (place.folder / "yosys").write_text(YOSYS.replace("script =", "import time; time.sleep(0.5)\nscript =", 1))
    place.env["SIMTGEN_PROGRESS"] = "0.1"
    lines = place.run("tune", "a.yaml", "-j", "1", "--within", "30", "--max-lut", "900").stderr.splitlines()
    report("the lines of progress say tune", "" if lines and all(line.startswith("simtgen: tune: ") for line in lines) else "\n".join(lines[:5]))
    done = [tuple(map(int, m.groups())) for m in (re.search(r"(\d+) of at most (\d+) syntheses", line) for line in lines) if m]
    report("... how many syntheses are done, over all rounds, and how many there are at most",
           "" if len({d for d, _ in done}) > 5 and done == sorted(done, key=lambda d: d[0]) and done[-1][1] < done[0][1] and all(d <= most for d, most in done) else f"{done}")
    left = [60 * int(m[1]) + int(m[2]) for m in (re.search(r"syntheses.*, (\d+):(\d\d) left", line) for line in lines) if m]
    rises = sum(b > a + 1 for a, b in zip(left, left[1:]))
    report("... and the time left falls", "" if len(left) > 10 and rises <= len(left) // 20 and left[-1] < left[0] / 2 else f"{left}")


def run(part):
    try:
        with tempfile.TemporaryDirectory() as top:
            part(Path(top))
    except (Problem, subprocess.SubprocessError, OSError, KeyError, ValueError) as problem:
        report(part.__name__, f"{type(problem).__name__}: {problem}")


in_turn(*((run, part) for part in (search, answers, workloads, progress)))
finish()
