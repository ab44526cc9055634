# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page in a place where its reader would be, and compares what they print.

A fence ```sh is a step: commands for bash. The fence ```text behind it is what they print: its lines come in this order,
other lines between them; ... stands for any part of a line. A fence of another language whose first line is a comment with
a path below build/ is a file, written before the next step.
"""
import os
import re
import subprocess
from pathlib import Path

from testlib import ROOT, program

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"(?://|#) (build/\S+)\n")


class Step:
    """Commands, the files to write before them, and the text that they print."""

    def __init__(self, commands, files):
        self.commands, self.files, self.text, self.done = commands, files, "", None

    def name(self):
        return self.commands.splitlines()[-1][:70]


def steps_of(page):
    found, files = [], {}
    for language, body in FENCE.findall((ROOT / "docs" / page).read_text()):
        if language == "sh":
            found.append(Step(body, files))
            files = {}
        elif language == "text" and found:
            found[-1].text = body
        elif FILE.match(body):
            files[FILE.match(body)[1]] = body
    return found


def environment():
    """What a reader has, and a cache to build in."""
    return {k: v for k, v in os.environ.items() if k not in ("SIMTGEN_DATA", "SIMTGEN_EXTRA", "SIMTGEN_QUICK")} | {
        "SIMTGEN_CACHE": os.environ.get("SIMTGEN_CACHE", str(Path(program()).resolve().parent / "cache"))}


def place(top):
    """The root of the repository, as far as a page needs it, with a folder `build` of its own."""
    (top / "build").mkdir()
    (top / "build" / "simtgen").symlink_to(Path(program()).resolve())
    for name in ("rtl_templates", "verif"):
        (top / name).symlink_to(ROOT / name)


def run(commands, top):
    return subprocess.run(["bash", "-c", commands.replace("cp -r rtl_templates", "cp -rL rtl_templates")], cwd=top,
                          env=environment(), capture_output=True, text=True, timeout=300)


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


def do(step, top):
    """Runs a step; what is wrong with what it prints."""
    for path, text in step.files.items():
        (top / path).write_text(text)
    step.done = run(step.commands, top)
    line = missing(step.text, step.done.stdout)
    return f"no '{line}' in: {step.done.stdout[-500:]} {step.done.stderr[-300:]}" if line else ""
