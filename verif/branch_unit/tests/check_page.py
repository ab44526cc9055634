#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
"""The commands of docs/check.md do what the page says.

Each fence ```sh is run in its place; a fence ```text behind it is what the last command prints: its lines come in this
order, and ... stands for the rest of a line.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "verif/tools"))
from testlib import ROOT, finish, program, report  # noqa: E402

PAGE = (ROOT / "docs" / "check.md").read_text()
STEP = re.compile(r"```sh\n(.*?)```(?:\n```text\n(.*?)```)?", re.S)


def environment():
    """What a reader has, and a cache to build in."""
    return {k: v for k, v in os.environ.items() if k not in ("SIMTGEN_DATA", "SIMTGEN_EXTRA", "SIMTGEN_QUICK")} | {
        "SIMTGEN_CACHE": os.environ.get("SIMTGEN_CACHE", str(Path(program()).resolve().parent / "cache"))}


def place(top):
    """The root of the repository, as far as the page needs it, with a folder `build` of its own."""
    (top / "build").mkdir()
    (top / "build" / "simtgen").symlink_to(Path(program()).resolve())
    for name in ("rtl_templates", "verif"):
        (top / name).symlink_to(ROOT / name)


def run(commands, top):
    return subprocess.run(["bash", "-c", commands.replace("cp -r rtl_templates", "cp -rL rtl_templates")], cwd=top, env=environment(), capture_output=True, text=True, timeout=300)


def missing(wanted, said):
    """The first line that is not said, in order."""
    at = 0
    for line in wanted.splitlines():
        pattern = re.escape(line).replace(re.escape("..."), ".*")
        found = re.compile(f"^{pattern}$", re.M).search(said, at)
        if not found:
            return line
        at = found.end()
    return ""


def page(top):
    said = []
    place(top)
    steps = STEP.findall(PAGE)
    report("the page has commands and what they print", "" if len(steps) >= 4 and all(text for _, text in steps) else f"{steps}")
    for commands, text in steps:
        done = run(commands, top)
        said.append(done)
        first = commands.splitlines()[-1][:70]
        line = missing(text, done.stdout)
        report(f"`{first}...` prints what the page says", f"no '{line}' in: {done.stdout[-500:]} {done.stderr[-300:]}" if line else "")
    return said


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
    again = run(re.search(r"^reproduce: (.*)$", planted.stdout, re.M)[1], top)
    report("the command behind `reproduce:` repeats it", "" if again.returncode == 1 and line[0] in again.stdout else again.stdout + again.stderr)
    profiles = subprocess.run([program(), "check", "branch_unit", "--stimulus", "random:x"], capture_output=True, text=True)
    report("a profile that is none lists the profiles", "" if "expected a profile: " in profiles.stderr else profiles.stderr)


with tempfile.TemporaryDirectory() as folder:
    results = page(Path(folder))
    if len(results) >= 4:
        words(results, Path(folder))
report("a line that is not printed is noticed", "" if missing("a\nb ...\n", "a\nbc\n") == "b ..." and not missing("a\nb ...\n", "a\nb c\n") else "it is not")
finish()
