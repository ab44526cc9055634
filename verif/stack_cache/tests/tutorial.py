#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 8
# timeout: 900
"""The commands of docs/tutorial.md do what the page says (verif/tools/page.py). Its sweep synthesizes three
configurations; with what comes after it, it is run in one part of the rotation."""
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "verif/tools"))
import page  # noqa: E402
from testlib import finish, its_turn, later, report  # noqa: E402


def steps_until_the_end(top):
    page.place(top)
    steps = page.steps_of("tutorial.md")
    report("the tutorial has commands and what they print", "" if len(steps) >= 11 and all(s.text for s in steps) else f"{[s.name() for s in steps]}")
    long = False
    for number, step in enumerate(steps, 1):
        long = long or "simtgen sweep" in step.commands
        name = f"tutorial, step {number}: `{step.name()}` prints what the page says"
        if long and not its_turn(0):
            later(name)
            continue
        report(name, page.do(step, top))
    return steps


with tempfile.TemporaryDirectory() as folder:
    steps = steps_until_the_end(Path(folder))
    planted = next(s.done for s in steps if "sed -i" in s.commands)
    # What the page says of the report: the cycle of the failure is four behind that of the only operation.
    line = re.search(r"cycle (\d+) of the shrunk run", planted.stdout)
    only = re.findall(r"^  cycles? (\d+): (\w+)", planted.stdout, re.M)
    good = line and [kind for _, kind in only] == ["replace"] and int(line[1]) == int(only[0][0]) + 4
    report("tutorial: one operation is left, and its answer is wrong four cycles behind it", "" if good else planted.stdout)
finish()
