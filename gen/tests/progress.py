#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 2
"""Long work says how far it is: on a terminal with the time left, else in a line a minute on
standard error; short work says nothing there."""
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "verif" / "tools"))
from testlib import Problem, block_names, finish, program, report, run_program  # noqa: E402

CYCLES = 60000000  # stopped when enough was seen


def check(block, cycles):
    return ["check", block, "--cycles", str(cycles), "--seed", "1"]


def until(read, pattern, limit=120):
    """What the program says until the pattern appears, or all of it."""
    said = ""
    while not re.search(pattern, said) and len(said) < limit * 4096:
        try:
            piece = read()
        except OSError:  # the other end of a terminal is closed
            break
        if not piece:
            break
        said += piece
    return said


def on_terminal(block):
    leader, follower = pty.openpty()
    process = subprocess.Popen([program(), *check(block, CYCLES)], stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    said = until(lambda: os.read(leader, 4096).decode(errors="replace"), r"\d+:\d\d left")
    process.terminate()
    process.wait()
    os.close(leader)
    return said


def without(block):
    process = subprocess.Popen([program(), *check(block, CYCLES)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True, env=os.environ | {"SIMTGEN_PROGRESS": "0.5"})
    said = until(process.stderr.readline, r"\d+:\d\d left")
    process.terminate()
    process.wait()
    return said


try:
    one = block_names()[0]
    short = run_program(*check(one, 20000), timeout=300)
    report("short work says nothing of its progress where there is no terminal", short.stderr)
    line = r"lockstep: \d+ of \d+ cycles, \d+:\d\d left"
    shown = on_terminal(one)
    report("on a terminal the line has the time left", "" if re.search("\r\x1b\\[K" + line, shown) else shown[-300:])
    lines = without(one)
    report("without a terminal it is a line now and then",
           "" if re.search(f"^simtgen: {line}$", lines, re.M) and "\x1b" not in lines else lines[-300:])
except (Problem, subprocess.SubprocessError) as problem:
    report("progress", problem)
finish()
