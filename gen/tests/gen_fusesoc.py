#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: block
# rotate: 3
# timeout: 600
"""The core file through FuseSoC's own program: lint, simulation, and an iCE40 build of the harness. A third of the blocks in a run,
by rotation."""
import fcntl
import os
import re
import subprocess
import sys
import tempfile
import venv
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gen_lib import Problem, generate, tool
from testlib import ROOT, block_names, finish, its_turn, later, report

VERSION = "2.4.7"


def fusesoc():
    """FuseSoC of the pinned version, in a virtual environment of the build folder."""
    folder = Path(os.environ.get("B", "build")).resolve() / "venv"
    program = folder / "bin" / "fusesoc"
    folder.mkdir(parents=True, exist_ok=True)
    lock = open(folder.parent / "fusesoc.lock", "w", encoding="utf-8")  # one run for each block, side by side
    fcntl.flock(lock, fcntl.LOCK_EX)
    have = subprocess.run([program, "--version"], capture_output=True, text=True).stdout if program.exists() else ""
    if have.strip() != VERSION:
        if not (folder / "bin" / "pip").exists():
            venv.create(folder, with_pip=True)
        run = subprocess.run([folder / "bin" / "pip", "install", "-q", f"fusesoc=={VERSION}"], capture_output=True,
                             text=True, timeout=300)
        if run.returncode:
            raise Problem(f"pip install fusesoc=={VERSION}: {run.stderr.strip()}")
    return program


def build(program, target, name, out, tmp):
    return tool(program, "--config", tmp / "fusesoc.conf", "--cores-root", out, "run", "--target", target,
                "--build-root", tmp / f"build_{target}", name, cwd=tmp, timeout=500)


def failed(result):
    status, output = result
    return f"exit status {status}: {' | '.join(output.strip().splitlines()[-4:])}" if status else ""


def seen(result, pattern):
    """The reason why a planted fault does not count as seen: exit status 1 and the message, not any failure."""
    status, output = result
    if status == 1 and re.search(pattern, output, re.M):
        return ""
    return f"exit status {status}, expected 1 and '{pattern}': {' | '.join(output.strip().splitlines()[-4:])}"


def check_rule():
    """The rule itself: a tool that is missing, crashes or never ends has not seen the fault."""
    wrong = [r for r in ((127, "no such program"), (1, "ERROR: Failed to build: no such file"), (-6, "%Warning-WIDTH: a/rtl/x.v:1:1: "),
                         (124, "%Warning-WIDTH: a/rtl/x.v:1:1: "), (0, "%Warning-WIDTH: a/rtl/x.v:1:1: "))
             if not seen(r, r"^%Warning-WIDTH: \S*/rtl/x\.v:")]
    report("FuseSoC: a failure of another kind does not count as the planted fault", str(wrong) if wrong else "")


def check_block(program, block, tmp):
    out = tmp / "out"
    table = ROOT / "synth_reports" / f"{block}.json"  # blocks whose default size fits the device
    fits = table.exists() and '"ice40"' in table.read_text()
    if not its_turn(zlib.crc32(block.encode())):
        for what in ("lint", "simulation", *(["iCE40 build of the harness"] if fits else []), "lint finds a planted fault",
                     "simulation finds a planted fault"):
            later(f"FuseSoC {block}: {what}")
        return
    (tmp / "fusesoc.conf").write_text("")
    name = generate(block, out)
    lint = build(program, "lint", name, out, tmp)
    warned = [line for line in lint[1].splitlines() if "Warning" in line or "WARNING" in line]
    report(f"FuseSoC {block}: lint", failed(lint) or (warned[0] if warned else ""))
    sim = build(program, "sim", name, out, tmp)
    report(f"FuseSoC {block}: simulation",
           failed(sim) or ("" if f"\nPASS {name} " in sim[1] else sim[1][-200:]))
    if fits:
        ice40 = build(program, "ice40", name, out, tmp)
        images = list((tmp / "build_ice40").rglob("*.bin"))
        report(f"FuseSoC {block}: iCE40 build of the harness", failed(ice40) or ("" if images else "no bitstream"))

    # A fault in the block stops lint and simulation; a build root of its own for each.
    top = out / "rtl" / f"{name}.v"
    text, spoilt = top.read_text(), tmp / "spoilt"
    spoilt.mkdir()
    (spoilt / "fusesoc.conf").write_text("")
    top.write_text(text.replace("\nendmodule", "  wire [3:0] x = 9'd1;\nendmodule"))
    report(f"FuseSoC {block}: lint finds a planted fault",
           seen(build(program, "lint", name, out, spoilt), rf"^%Warning-WIDTH: \S*/rtl/{name}\.v:\d+:\d+: "))
    # The last output that is cut and used: those of an option that is off say nothing.
    reason = "no output"
    for port in reversed(re.findall(r"\.(\w+_o)\(\1\)", text)):
        top.write_text(text.replace(f".{port}({port})", f".{port}()"))
        reason = seen(build(program, "sim", name, out, spoilt), rf"^FAIL {name} cycle \d+ port {port} ")
        if not reason.startswith("exit status 0"):
            break
    report(f"FuseSoC {block}: simulation finds a planted fault", reason)


try:
    fusesoc_program = fusesoc()
except (Problem, OSError, subprocess.SubprocessError) as problem:
    report("FuseSoC can be installed", str(problem))
    finish()
check_rule()
for b in block_names():
    with tempfile.TemporaryDirectory() as folder:
        try:
            check_block(fusesoc_program, b, Path(folder))
        except (Problem, OSError) as problem:
            report(f"FuseSoC {b}", f"{type(problem).__name__}: {problem}")
finish()
