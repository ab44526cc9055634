#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
"""The commands of docs/check.md do what the page says (verif/tools/page.py)."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "verif/tools"))
import page  # noqa: E402
from testlib import finish, program, report  # noqa: E402


def all_steps(top):
    page.place(top)
    steps = page.steps_of("check.md")
    report("the page has commands and what they print", "" if len(steps) >= 4 and all(s.text for s in steps) else f"{[s.name() for s in steps]}")
    for step in steps:
        wrong = page.do(step, top)
        report(f"`{step.name()}...` prints what the page says", wrong)
    return [step.done for step in steps]


def words(said, top):
    """What the page says of a failure, of waveforms and exit statuses holds for the runs of its commands."""
    planted, generated, nothing = said[1], said[2], said[3]
    report("exit status: 1 after FAIL, 2 when nothing ran", "" if [planted.returncode, generated.returncode, nothing.returncode] == [1, 1, 2] else
           f"{[d.returncode for d in said]}")
    inputs = re.findall(r"^  cycles? (?:\d+\.\.)?(\d+): ", planted.stdout, re.M)
    line = re.search(r"^MISMATCH: branch_unit seed 1 cycle (\d+) of the shrunk run: op_data_o: RTL \w+ \{kind (\w+), .*\}, model \w+ \{kind (\w+), ", planted.stdout, re.M)
    report("the last of the inputs is the cycle that fails, and the token's kind differs", "" if line and inputs[-1] == line[1] and line[2] != line[3] else planted.stdout)
    wave = (top / "build" / "planted.vcd").read_text()
    scopes = re.findall(r"^\$scope module (\w+)", wave, re.M)
    report("the scopes of the waveform", "" if scopes == ["branch_unit", "inputs", "model", "rtl"] else f"{scopes}")
    last = max(int(t) for t in re.findall(r"^#(\d+)$", wave, re.M))
    report("a cycle takes ten time units", "" if line and last == 10 * (int(line[1]) + 1) else f"the last time is {last}")
    again = page.run(re.search(r"^reproduce: (.*)$", planted.stdout, re.M)[1], top)
    report("the command behind `reproduce:` repeats it", "" if again.returncode == 1 and line[0] in again.stdout else again.stdout + again.stderr)
    profiles = subprocess.run([program(), "check", "branch_unit", "--stimulus", "random:x"], capture_output=True, text=True)
    report("a profile that is none lists the profiles", "" if "expected a profile: " in profiles.stderr else profiles.stderr)


with tempfile.TemporaryDirectory() as folder:
    results = all_steps(Path(folder))
    if len(results) >= 4:
        words(results, Path(folder))
report("a line that is not printed is noticed", "" if page.missing("a\nb ...\n", "a\nbc\n") == "b ..." and not page.missing("a\nb ...\n", "a\nb c\n") else "it is not")
finish()
