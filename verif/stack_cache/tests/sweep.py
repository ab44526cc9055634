#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
"""`simtgen sweep` on this machine: the points, what is kept, kills, failures, locks, full disks, tables over values."""
import csv
import json
import os
import pty
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "verif" / "tools"))
from testlib import Problem, finish, in_turn, program, report  # noqa: E402

TRACES = ROOT / "verif" / "stack_cache" / "traces"
COMPILE = TRACES / "chibicc_compile.stk.gz"
KILLS = 50


def write(folder, text, name="a.yaml"):
    path = folder / name
    path.write_text(text)
    return path


def fake_yosys(folder, seconds):
    """Takes so long, says no, and leaves a line of each run."""
    tool = folder / "yosys"
    tool.write_text(f"#!/bin/sh\necho run >> {folder}/runs\nsleep {seconds}\necho 'ERROR: not in this test'\nexit 1\n")
    tool.chmod(0o755)
    return os.environ | {"SIMTGEN_YOSYS": str(tool), "SIMTGEN_CACHE": str(folder / "cache")}


def sweep(path, *more, env=None, **how):
    command = [program(), "sweep", str(path), "-o", str(path.parent / "out"), *more]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, **how)


def rows(out):
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()[1:]]


def files(out):
    """What identifies each file of a result: one that is written again has another inode."""
    return {p.name: (p.stat().st_ino, p.stat().st_mtime_ns) for p in (out / "results").rglob("*.json")}


SIZES = """block: stack_cache
params: {COUNTERS: 0}
"""
WORK = f"workloads:\n  - {{name: compile, trace: {COMPILE}}}\n"
GRID = SIZES + "grid:\n  ENTRIES: 4..64 times 2\n  SET: [1, 2]\n  INFLIGHT: 2..64 times 2\n" + WORK


def points(folder):
    path = write(folder, SIZES + "grid:\n  ENTRIES: 8..32 times 2\n  SET: [2, 4]\n  STEAL: 1..5 step 2\n" + WORK)
    run = sweep(path, "--json")
    got = [tuple(r["params"].values()) for r in rows(folder / "out")]
    want = [(e, s, t) for e in (8, 16, 32) for s in (2, 4) for t in (1, 3, 5)]
    report("a grid is every combination", run.stderr or ("" if got == want else f"got {got}"))
    direct = subprocess.run([program(), "sim", "stack_cache", "-p", "COUNTERS=0", "-p", "ENTRIES=8", "-p", "SET=2", "-p", "STEAL=3",
                             "--trace", str(COMPILE), "--json"], capture_output=True, text=True)
    row = json.loads(run.stdout)["rows"][1]["workloads"]["compile"]
    alone = json.loads(direct.stdout)
    differ = [k for k in ("operations", "cycles", "idle_cycles", "spills") if row[k] != alone[k]]
    report("a point has the numbers that the command alone gives", f"{differ} differ" if differ else "")
    again = subprocess.run(row["command"].replace("simtgen", program(), 1).split() + ["--json"], capture_output=True, text=True)
    report("the command of a row runs again to the same numbers",
           again.stderr or ("" if json.loads(again.stdout)["cycles"] == row["cycles"] else "other cycles"))


def lists_and_samples(folder):
    run = sweep(write(folder, SIZES + "list:\n  - {ENTRIES: 8}\n  - {SET: 2, ENTRIES: 32}\n  - {}\n" + WORK))
    got = [r["params"] for r in rows(folder / "out")]
    want = [{"ENTRIES": 8, "SET": 4}, {"ENTRIES": 32, "SET": 2}, {"ENTRIES": 16, "SET": 4}]
    report("a list is its points, the rest at the defaults", run.stderr or ("" if got == want else f"got {got}"))
    drawn = []
    for seed in (1, 1, 2):
        run = sweep(write(folder, GRID + f"refused: skip\nsample: {{points: 20, seed: {seed}}}\n"))
        drawn.append([tuple(r["params"].values()) for r in rows(folder / "out")])
    report("a sample is drawn anew by the same seed, each point once", run.stderr or (
        "" if drawn[0] == drawn[1] != drawn[2] and len(set(drawn[0])) == 20 else f"drew {drawn}"))
    all_but_two = sweep(write(folder, GRID + "sample: {points: 58, seed: 1}\n"))
    report("a sample of nearly all", all_but_two.stderr or ("" if len({tuple(r["params"].values()) for r in rows(folder / "out")}) == 58 else "not 58 points"))
    skipped = sweep(write(folder, SIZES + "refused: skip\ngrid:\n  ENTRIES: [2, 4, 8]\n  SET: [2, 4]\n" + WORK))
    report("points that the block refuses are left out and counted",
           skipped.stderr or ("" if "3 points" in skipped.stdout and "3 more are refused" in skipped.stdout else skipped.stdout))


def kept(folder):
    path = write(folder, GRID.replace("SET: [1, 2]", "SET: [1, 2]\n  STEAL: [14, 15]"))
    first = sweep(path)
    table, before = (folder / "out" / "results.jsonl").read_bytes(), files(folder / "out")
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    again = sweep(path)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
    report("a second run runs nothing", first.stderr + again.stderr or (
        "" if "0 tasks run, 120 kept" in again.stdout and files(folder / "out") == before else again.stdout[-300:]))
    report("... and leaves the same bytes", "" if (folder / "out" / "results.jsonl").read_bytes() == table else "another table")
    print(f"# 120 points whose results are kept: {seconds:.2f} s of processor time")
    report("... in less than 2 s of processor time, 120 points", "" if seconds < 2 else f"{seconds:.2f} s")
    more = sweep(write(folder, path.read_text().replace("SET: [1, 2]", "SET: [1, 2]\n  STEAL: [16, 17]")))
    report("more values run only what is new", "" if "120 tasks run, 120 kept" in more.stdout else more.stdout[-300:])
    other = sweep(write(folder, GRID), "--resume")
    report("--resume refuses another sweep than the folder's",
           "" if other.returncode == 2 and "the same sweep" in other.stderr else other.stderr + other.stdout[-200:])


def kills(folder):
    """The sweep and all that it has started, at any moment; what was kept is never written again."""
    path = write(folder, GRID + "targets: [ice40]\n")
    env = fake_yosys(folder, 0.02)
    out, chance, died, lost, count = folder / "out", random.Random(1), 0, "", 0
    straight = subprocess.run([program(), "sweep", str(path), "-o", str(folder / "plain"), "-q"], env=env, capture_output=True, text=True)
    have = {}
    while died < KILLS and count < 10 * KILLS:
        count += 1
        if count % 8 == 0:  # else the sweep comes to its end, and is killed while it writes the table
            subprocess.run(["rm", "-rf", str(out)], check=True)
            have = {}
        process = subprocess.Popen([program(), "sweep", str(path), "-o", str(out), "-q"] + (["--resume"] if (out / "plan").exists() else []),
                                   env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            said = process.communicate(timeout=chance.uniform(0.02, 1.2))[1]
            lost = lost or (said if process.returncode else "")
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            died += 1
        now = files(out) if (out / "results").exists() else {}
        lost = lost or next((f"{n} was lost or written again" for n in have if now.get(n) != have[n]), "")
        have = now
    last = sweep(path, "-q", "--resume", env=env)
    after = files(out)
    lost = lost or last.stderr or next((f"{n} was lost or written again" for n in have if after.get(n) != have[n]), "")
    report(f"killed at {KILLS} random moments: nothing is lost, nothing kept twice", lost or ("" if died == KILLS else f"only {died} kills"))
    same = all((out / n).read_bytes() == (folder / "plain" / n).read_bytes() for n in ("results.jsonl", "results.csv"))
    report("... and the results are those of a run that was left alone", straight.stderr or ("" if same else "they differ"))


def failures(folder):
    path = write(folder, SIZES + "grid:\n  THREADS: [8, 24]\n" + WORK + "targets: [ice40]\n")
    env = fake_yosys(folder, 0)
    run = sweep(path, env=env)
    first, second = rows(folder / "out")
    report("a failed point is a row with its reason", run.stderr or (
        "" if "thread: got 8" in first["workloads"]["compile"]["failed"] and "not in this test" in second["targets"]["ice40"]["failed"]
        and second["workloads"]["compile"]["cycles"] else str(first)))
    report("... counted, and not run again", "" if "0 tasks run, 4 kept from before, 3 failed" in sweep(path, env=env).stdout else "it was")
    retried = sweep(path, "--retry", env=env).stdout
    report("... but with --retry", "" if "3 tasks run, 1 kept" in retried else retried[-200:])
    crash = write(folder, "#!/bin/sh\nkill -SEGV $$\n", "yosys")
    crash.chmod(0o755)
    crashed = sweep(write(folder, SIZES + "grid: {ENTRIES: [8]}\ntargets: [ice40]\n"), "-q", env=env)
    report("all failed: exit status 3, with the table", "" if crashed.returncode == 3 and "row 1, ice40.failed" in crashed.stdout else str(crashed))


def targets(folder):
    """Device and liberty file of a target go to the command; a liberty file of other content is another task."""
    library = 'library (a) { cell (%s) { area : 1; pin (Y) { direction : output; function : "A"; } } cell (F) { area : 2; ff (Q, N) { } } }\n'
    (folder / "a.lib").write_text(library % "X")
    entries = "targets: [{target: ice40, device: up5k}, {target: asic, liberty: a.lib, name: cells}, ice40]\nseeds: 2\n"
    path, env = write(folder, SIZES + "grid: {ENTRIES: [8]}\n" + entries), fake_yosys(folder, 0)
    run = sweep(path, env=env)
    tasks = rows(folder / "out")[0]["targets"]
    said = {name: entry["command"].split("--target ")[1] for name, entry in tasks.items()}
    report("device and liberty file of a target", run.stderr or (
        "" if said == {"ice40_up5k": "ice40 --device up5k --seeds 2", "cells": "asic --liberty a.lib", "ice40": "ice40 --seeds 2"} else str(said)))
    (folder / "a.lib").write_text(library % "Z")
    again = sweep(path, env=env).stdout
    report("... a liberty file that has changed runs its tasks again", "" if "1 tasks run, 2 kept" in again else again[-200:])


def two_at_once(folder):
    path = write(folder, SIZES + "grid: {ENTRIES: [8, 16, 32]}\ntargets: [ice40]\n")
    env = fake_yosys(folder, 2)
    process = subprocess.Popen([program(), "sweep", str(path), "-o", str(folder / "out"), "-q"], env=env,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (folder / "runs").exists() and process.poll() is None:
        time.sleep(0.05)
    second = sweep(path, env=env)
    report("a second sweep in the same folder is refused",
           "" if second.returncode == 2 and f"process {process.pid}" in second.stderr else second.stderr + second.stdout)
    process.terminate()
    report("Ctrl-C ends with status 4", "" if process.wait(60) == 4 else f"exit status {process.returncode}")


def damage(folder):
    path = write(folder, SIZES + "grid: {ENTRIES: [8, 16, 32]}\n" + WORK)
    sweep(path)
    out = folder / "out"
    before, table = files(out), (out / "results.jsonl").read_bytes()
    for what, change in (("cut", lambda b: b[:-20]), ("changed", lambda b: b.replace(b'"cycles":2', b'"cycles":3')), ("emptied", lambda b: b"")):
        victim = sorted((out / "results").rglob("*.json"))[0]
        victim.write_bytes(change(victim.read_bytes()))
        run = sweep(path)
        wrong = "" if run.returncode == 2 and victim.name in run.stderr and "remove it" in run.stderr else f"{run}"
        victim.unlink()
        mended = sweep(path)
        wrong = wrong or ("" if "1 tasks run, 2 kept" in mended.stdout and (out / "results.jsonl").read_bytes() == table else mended.stdout)
        others = {n: v for n, v in files(out).items() if n != victim.name}
        report(f"a result file that was {what} is an error, the others are kept", wrong or (
            "" if all(before[n] == v for n, v in others.items()) else "other files were written"))


def full_disk(folder):
    disk = folder / "out"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(disk)], capture_output=True).returncode:
        print("# no right to mount a small disk: the limit of a file stands for it")
        limit = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))  # noqa: E731
        run = sweep(write(folder, GRID), "-q", preexec_fn=limit)
    else:
        run = sweep(write(folder, GRID), "-q")
    try:
        said = run.returncode == 3 and "free some space" in run.stderr and "--resume" in run.stderr
        report("a full disk is a clear error", "" if said else f"status {run.returncode}: {run.stderr}")
        have = files(disk)
        if os.path.ismount(disk):
            subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True, capture_output=True)
        again = sweep(folder / "a.yaml", "-q", "--resume")
        after = files(disk)
        report("... and nothing is lost", again.stderr or (
            "" if have and all(after.get(n) == v for n, v in have.items()) and len(rows(disk)) == 60 else f"{len(have)} kept"))
    finally:
        if os.path.ismount(disk):
            subprocess.run(["umount", str(disk)], check=True)


def many_points(folder):
    path = write(folder, SIZES + "grid:\n  MAX_DEPTH: 1024..2023\n  STEAL: 1..250\n  THREADS: [8, 16, 24, 25]\n" + WORK)
    leader, follower = pty.openpty()
    process = subprocess.Popen([program(), "sweep", str(path), "-o", str(folder / "out")], stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    said = ""
    while "[y/N]" not in said and process.poll() is None:
        said += os.read(leader, 4096).decode(errors="replace")
    os.write(leader, b"n\n")
    status = process.wait(60)
    os.close(leader)
    report("a million points: a terminal is asked, with their number and a time",
           "" if status == 2 and "1000000 points" in said and "about" in said else said)
    report("... and no leaves nothing behind", "it made a folder" if (folder / "out").exists() else "")


def rate(folder):
    path = write(folder, SIZES + "grid: {INFLIGHT: 2..64 times 2, SET: [2, 4]}\ntargets: [ice40]\n")
    env, rates, costs, said = fake_yosys(folder, 1), [], [], ""
    for _ in range(3):  # other work on the machine may disturb one
        seconds = {}
        for workers in (1, 2):
            subprocess.run(["rm", "-rf", str(folder / "out")], check=True)
            began = time.time()
            said = said or sweep(path, "-j", str(workers), env=env).stderr
            seconds[workers] = time.time() - began
            if workers == 1:
                costs.append(seconds[1] / sum(float(r["seconds"]) for r in csv.DictReader((folder / "out" / "times.csv").open())))
        rates.append(seconds[1] / seconds[2])
        if max(rates) >= 1.8 and min(costs) <= 1.05:
            break
    print(f"# two workers: {max(rates):.2f} times the rate of one; a sweep takes {100 * min(costs) - 100:.1f} % more than its tasks")
    report("two workers have at least 1.8 times the rate of one", said or ("" if max(rates) >= 1.8 else f"{max(rates):.2f} times"))
    report("a sweep takes at most 5 % more than its tasks", "" if min(costs) <= 1.05 else f"{100 * min(costs) - 100:.1f} % more")


def progress(folder):
    path = write(folder, SIZES + "grid: {ENTRIES: [8, 16, 32, 64]}\ntargets: [ice40]\n")
    run = sweep(path, "-j", "1", env=fake_yosys(folder, 1) | {"SIMTGEN_PROGRESS": "0.5"})
    said = re.findall(r"sweep: (\d) of 4 tasks, (\d) failed.*?(\d+:\d\d) left", run.stderr)
    report("progress: tasks that are done, those that failed, and the time left",
           "" if said and all(done == failed for done, failed, _ in said) and len({done for done, _, _ in said}) > 1 else run.stderr)


def table(folder):
    command = [program(), "sim", "stack_cache", "-p", "ENTRIES=8,16,32", "-p", "SET=2", "--trace", str(COMPILE)]
    text, as_csv, as_json = (subprocess.run(command + more, capture_output=True, text=True, cwd=folder) for more in ([], ["--csv"], ["--json"]))
    alone = [json.loads(subprocess.run([program(), "sim", "stack_cache", "-p", f"ENTRIES={n}", "-p", "SET=2", "--trace", str(COMPILE), "--json"],
                                       capture_output=True, text=True).stdout)["cycles"] for n in (8, 16, 32)]
    got = [r["workloads"]["sim"]["cycles"] for r in json.loads(as_json.stdout)["rows"]] if not as_json.returncode else as_json.stderr
    report("sim -p NAME=A,B,C: JSON has the numbers of each value", "" if got == alone else f"got {got}, expected {alone}")
    got = [int(r["cycles"]) for r in csv.DictReader(as_csv.stdout.splitlines())]
    report("... so has CSV", as_csv.stderr or ("" if got == alone else f"got {got}"))
    lines = [line.split() for line in text.stdout.splitlines()]
    column = lines[2].index("cycles") if len(lines) > 2 and "cycles" in lines[2] else -1
    report("... and the text", text.stderr or ("" if column >= 0 and [int(x[column]) for x in lines[3:6]] == alone else text.stdout))
    synth = subprocess.run([program(), "synth", "stack_cache", "-p", "ENTRIES=8,16"], capture_output=True, text=True, env=fake_yosys(folder, 0), cwd=folder)
    report("synth of values whose tools fail says so of each row, exit status 3",
           "" if synth.returncode == 3 and synth.stdout.count("not in this test") == 2 else str(synth))
    report("a table leaves no file behind", "" if {p.name for p in folder.iterdir()} <= {"yosys", "runs", "cache"} else str(list(folder.iterdir())))


def run(part):
    try:
        with tempfile.TemporaryDirectory() as top:
            part(Path(top))
    except (Problem, subprocess.SubprocessError, OSError, KeyError, ValueError) as problem:
        report(part.__name__, f"{type(problem).__name__}: {problem}")


in_turn(*((run, part) for part in (points, lists_and_samples, kept, kills, failures, targets, two_at_once, damage, full_disk, many_points, rate, progress, table)))
finish()
