#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3600
"""`make sweep-demo` with nothing kept from before: 12 points on iCE40 and two traces, none failed, and their page; in 5 minutes of
two processors. What other work on the machine takes is not counted."""
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from testlib import ROOT, finish, program, report  # noqa: E402

PROCESSORS, SECONDS = 2, 300


def demo(folder):
    """The commands of the Makefile, so that nothing is built, on a folder of our own."""
    recipe = subprocess.run(["make", "-s", "-n", "-o", "all", f"B={folder}", "sweep-demo"], cwd=ROOT, capture_output=True, text=True)
    script = recipe.stdout.replace(f"{folder}/simtgen", program())
    env = os.environ | {"SIMTGEN_CACHE": str(folder / "cache")}
    return subprocess.run(["bash", "-c", script], cwd=ROOT, env=env, capture_output=True, text=True)


os.environ.pop("MAKEFLAGS", None)
with tempfile.TemporaryDirectory() as top:
    done = demo(Path(top))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    results = Path(top) / "sweep-demo" / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()[1:]] if results.exists() else []
    tasks = [task for row in rows for kind in ("targets", "workloads") for task in row[kind].values()]
    report("make sweep-demo: 12 points, each with area, frequency and two runs of cycles", done.stderr[-300:] if done.returncode else
           "" if len(rows) == 12 and len(tasks) == 36 and not any("failed" in task for task in tasks) else f"{len(rows)} points, {len(tasks)} tasks")
    report("... and their page", "" if (Path(top) / "sweep-page" / "index.html").exists() else "no page")
    print(f"# make sweep-demo: {seconds:.0f} s of processor time")
    report(f"... in at most {SECONDS} s of {PROCESSORS} processors", "" if seconds <= SECONDS * PROCESSORS else f"{seconds:.0f} s of processor time")
finish()
