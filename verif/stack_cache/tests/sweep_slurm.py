#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
"""A sweep by a real Slurm, which this test starts on this machine with two virtual nodes: the same results byte for byte
as here; a node that goes down in mid-run; a sweep killed while its jobs are in the queue; a limit of jobs under way."""
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "verif" / "tools"))
from slurm import Slurm  # noqa: E402
from testlib import Problem, finish, program, report  # noqa: E402

TRACES = ROOT / "verif" / "stack_cache" / "traces"


def sweep_file(folder, entries):
    path = folder / "grid.yaml"
    path.write_text(f"""block: stack_cache
params: {{THREADS: 24, COUNTERS: 0}}
grid:
  ENTRIES: {entries}
  SET: [1, 2]
  INFLIGHT: 2..64 times 2
workloads:
  - {{name: compile, trace: {TRACES}/chibicc_compile.stk.gz}}
  - {{name: json, trace: {TRACES}/jq_json.stk.gz, latency: 50}}
targets: [ice40]
""")
    return path


def slow_yosys(folder, seconds=0.4):
    """A tool that takes a while, says no, and leaves a line of each run."""
    tool = folder / "yosys"
    tool.write_text(f"#!/bin/sh\necho run >> {folder}/runs\nsleep {seconds}\necho 'ERROR: not in this test'\nexit 1\n")
    tool.chmod(0o755)
    return {"SIMTGEN_YOSYS": str(tool), "SIMTGEN_CACHE": str(folder / "cache")}


def sweep(path, out, env, *more, **how):
    command = [program(), "sweep", str(path), "-o", str(out), "-q", *more]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, **how)


def same(a, b):
    for name in ("results.jsonl", "results.csv"):
        if (a / name).read_bytes() != (b / name).read_bytes():
            return f"{name} differs"
    return ""


def results(out):
    return sum(1 for _ in (out / "results").rglob("*.json"))


def all_results(slurm, folder):
    path = sweep_file(folder, "[4, 8]")
    env = slurm.env | slow_yosys(folder)
    here = sweep(path, folder / "here", env)
    there = sweep(path, folder / "there", env, "--executor", "slurm", "--jobs", "3")
    if here.returncode or there.returncode:
        return report("the same results byte for byte as here", here.stderr + there.stderr)
    report("the same results byte for byte as here", same(folder / "here", folder / "there"))
    hosts = {line.rsplit(",", 1)[1] for line in (folder / "there" / "times.csv").read_text().splitlines()[1:]}
    report("times and hosts stand in a file of their own", "" if hosts else "no host in times.csv")


def node_down(slurm, folder):
    path = sweep_file(folder, "[4, 8]")
    env = slurm.env | slow_yosys(folder, 1.5)  # a busy machine takes a second to see what runs where
    command = [program(), "sweep", str(path), "-o", str(folder / "down"), "-q", "--executor", "slurm", "--jobs", "4"]
    most = 0
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    down = -60.0
    requeued = set()
    while process.poll() is None:  # Slurm would begin them two minutes later
        running = slurm.run("squeue", "-h", "-r", "-t", "R", "-o", "%i %N").splitlines()
        most = max(most, len(running))
        if any(job.endswith("n2") for job in running) and not requeued and time.time() > down + 5:
            down = time.time()  # again, when the task ended just before
            slurm.run("scontrol", "update", "NodeName=n2", "State=DOWN", "Reason=test")
        elif not requeued and time.time() > down + 3:
            slurm.run("scontrol", "update", "NodeName=n2", "State=RESUME")
        for job in slurm.run("squeue", "-h", "-r", "-o", "%i").split():
            if re.search(r"\bRestarts=[1-9]", slurm.run("scontrol", "show", "job", job)):
                requeued.add(job)
        for job in slurm.run("squeue", "-h", "-r", "-t", "PD", "-o", "%i %r").splitlines():
            if job.endswith("BeginTime"):
                slurm.run("scontrol", "update", f"JobId={job.split()[0]}", "StartTime=now")
        time.sleep(0.3)
    said = process.communicate(timeout=300)[1]
    slurm.run("scontrol", "update", "NodeName=n2", "State=RESUME")
    report("a node goes down in mid-run: its tasks run again elsewhere, nothing is lost",
           said if process.returncode else "" if requeued else "nothing was queued when the node went down")
    here = sweep(path, folder / "here", env)
    report("... and the results are the same", here.stderr if here.returncode else same(folder / "here", folder / "down"))
    report("no more jobs at a time than --jobs", "" if 1 <= most <= 4 else f"{most} jobs under way")


def killed(slurm, folder):
    path = sweep_file(folder, "[4, 8]")
    env = slurm.env | slow_yosys(folder)
    out = folder / "killed"
    command = [program(), "sweep", str(path), "-o", str(out), "-q", "--executor", "slurm"]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    slurm.wait(lambda: results(out) > 2, "first results", 60)
    process.kill()
    process.communicate()
    again = sweep(path, out, env, "--executor", "slurm", "--resume")
    report("a sweep that was killed waits for its jobs in the queue",
           again.stderr if again.returncode else "" if "is still in the queue" in again.stderr else "it did not find them")
    runs = len((folder / "runs").read_text().splitlines())
    synthesized = sum(1 for p in (out / "results").rglob("*.json") if "not in this test" in p.read_text())
    report("... and runs nothing twice", "" if runs == synthesized > 0 else f"{runs} runs of {synthesized} tasks")
    process = subprocess.Popen(command[:-2] + ["--executor", "slurm", "--retry"], env=env, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    slurm.wait(lambda: slurm.run("squeue", "-h", "-t", "R", "-o", "%i"), "a job that runs", 60)
    process.terminate()
    process.communicate()
    slurm.wait(lambda: not slurm.run("squeue", "-h", "-o", "%i"), "empty queue", 30)
    report("Ctrl-C cancels the jobs", "" if process.returncode == 4 else f"exit status {process.returncode}")


try:
    with Slurm() as cluster:
        for part in (all_results, node_down, killed):
            with tempfile.TemporaryDirectory() as top:
                part(cluster, Path(top))
except (Problem, subprocess.SubprocessError, OSError) as problem:
    report("sweep by Slurm", problem)
finish()
