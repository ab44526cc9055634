#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""The whole example of the README: its files are written, its commands run, its output compared.

In README.md a fence ```verilog whose first line is `// NAME` is a file, the fence ```sh after it are
the commands, and the fence ```text after those is what they print last.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, finish, program, report  # noqa: E402

EXAMPLE = re.compile(r"```verilog\n(// (\S+\.v)\n.*?)```.*?```sh\n(.*?)```.*?```text\n(.*?)```", re.S)


def run_example(name, code, commands, folder):
    (folder / name).write_text(code)
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    (bin_folder / "simtgen").symlink_to(Path(program()).resolve())
    environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}")
    return subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=environment,
                          capture_output=True, text=True, timeout=120)


found = EXAMPLE.findall((ROOT / "README.md").read_text())
report("the README has an example", "" if found else "no fence of a Verilog file, commands and output")
for code, name, commands, wanted in found:
    with tempfile.TemporaryDirectory() as folder:
        done = run_example(name, code, commands, Path(folder))
        report(f"{name} of the README builds", done.returncode and done.stderr[-600:] + done.stdout[-300:])
        same = done.stdout.strip().endswith(wanted.strip())
        report(f"{name} of the README prints what it says", "" if same else f"got {done.stdout[-600:]}")
        lint = re.sub(r"iverilog ", "iverilog -Wall ", next(c for c in commands.splitlines() if c.startswith("iverilog")))
        said = subprocess.run(["bash", "-c", lint], cwd=folder, capture_output=True, text=True, timeout=120).stderr
        report(f"{name} of the README builds without a warning", said[-600:])
    with tempfile.TemporaryDirectory() as folder:
        done = run_example(name, re.sub(r"\.clk_i\b", ".clock_i", code), commands, Path(folder))
        report(f"a typo planted in {name} is seen", "" if done.returncode else "it built")
for path in sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)", (ROOT / "README.md").read_text()))):
    if not (ROOT / path).exists():
        report("links of the README", f"{path}: missing")
finish()
