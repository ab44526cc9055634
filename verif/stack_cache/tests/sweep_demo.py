#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3600
"""`make sweep-demo` with nothing kept from before: 12 points on iCE40 and two traces, none failed, and their page; in 5 minutes of
two processors. What other work on the machine takes is not counted. And two workers against one with the tools that are there."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from testlib import ROOT, finish, program, report  # noqa: E402

PROCESSORS, SECONDS, RATE = 2, 300, 1.8
ALIKE = """block: status_tree
params: {UNITS: 16, GROUP: 8}
grid: {ENCODING: [one_hot, two_of_four], STAGES: [3, 4]}
targets: [ice40]
seeds: 1
"""


def demo(folder):
    """The commands of the Makefile, so that nothing is built, on a folder of our own."""
    recipe = subprocess.run(["make", "-s", "-n", "-o", "all", f"B={folder}", "sweep-demo"], cwd=ROOT, capture_output=True, text=True)
    script = recipe.stdout.replace(f"{folder}/simtgen", program())
    env = os.environ | {"SIMTGEN_CACHE": str(folder / "cache")}
    return subprocess.run(["bash", "-c", script], cwd=ROOT, env=env, capture_output=True, text=True)


def used():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def timed(folder, workers):
    """Seconds by the clock and of processor time, and what went wrong. Nothing is kept from before."""
    path = folder / "alike.yaml"
    path.write_text(ALIKE)
    began, before = time.monotonic(), used()
    done = subprocess.run([program(), "sweep", path, "-o", folder / f"of{workers}", "-q", "-j", str(workers)], capture_output=True, text=True,
                          env=os.environ | {"SIMTGEN_CACHE": str(folder / f"cache{workers}")})
    failed = done.returncode or '"failed"' in (folder / f"of{workers}" / "results.jsonl").read_text()
    return time.monotonic() - began, used() - before, f"exit status {done.returncode}: {done.stderr[-300:]}" if failed else ""


def rate(folder):
    """By the clock where the machine has nothing else to do. Processor time says everywhere what two lose that run side by side."""
    (one, one_used, wrong), (two, two_used, wrong_too) = timed(folder, 1), timed(folder, 2)
    print(f"# one worker: {one:.1f} s, {one_used:.1f} s of processor time; two: {two:.1f} s, {two_used:.1f} s")
    limit = PROCESSORS * one_used / two_used
    report(f"two workers with real tools: processor time for at least {RATE} times the rate of one", wrong or wrong_too or (
        "" if limit >= RATE else f"{limit:.2f} times at most"))
    if one_used < 0.95 * one or two_used < 0.9 * PROCESSORS * two:
        print("note: the rate of two workers by the clock: the machine was busy, or has one processor")
    else:
        report(f"two workers with real tools: at least {RATE} times the rate of one", "" if one >= RATE * two else f"{one / two:.2f} times")


os.environ.pop("MAKEFLAGS", None)
with tempfile.TemporaryDirectory() as top:
    done = demo(Path(top))
    seconds = used()
    results = Path(top) / "sweep-demo" / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()[1:]] if results.exists() else []
    tasks = [task for row in rows for kind in ("targets", "workloads") for task in row[kind].values()]
    report("make sweep-demo: 12 points, each with area, frequency and two runs of cycles", done.stderr[-300:] if done.returncode else
           "" if len(rows) == 12 and len(tasks) == 36 and not any("failed" in task for task in tasks) else f"{len(rows)} points, {len(tasks)} tasks")
    report("... and their page", "" if (Path(top) / "sweep-page" / "index.html").exists() else "no page")
    print(f"# make sweep-demo: {seconds:.0f} s of processor time")
    report(f"... in at most {SECONDS} s of {PROCESSORS} processors", "" if seconds <= SECONDS * PROCESSORS else f"{seconds:.0f} s of processor time")
with tempfile.TemporaryDirectory() as top:
    rate(Path(top))
finish()
