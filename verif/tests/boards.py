#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 300
"""Self-tests on boards: the synthesized design of a block, in simulation, says PASS with the model's signature on its
serial port and FAIL with another one when the RTL has a planted fault; constraints name every pin; what is wrong is told."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, Problem, block_names, finish, program, report  # noqa: E402

BOARDS = ("hx8k", "icebreaker", "ulx3s")
RESULTS = ROOT / "fpga/results.md"
LINE = r"^(\w+) (PASS|FAIL) got ([0-9a-f]{8}) expected ([0-9a-f]{8})$"
# The program, whose output gets a fault: an output of the core ends nowhere. Yosys makes it constant.
SPOILS = """#!/bin/bash
REAL "$@" || exit
for last; do :; done
[ "$1" != gen ] || sed -i 's/\\.PORT(PORT)/.PORT()/' "$last/rtl/"BLOCK.v
"""


def ecp5_tools():
    """Those of the Python environment, which the folder of a test does not have; what is named or on the path goes before."""
    venv = Path(os.environ.get("B", "build")).resolve() / "venv/bin"
    found = {"SIMTGEN_NEXTPNR_ECP5": "nextpnr-ecp5", "SIMTGEN_ECPPACK": "ecppack"}
    return {v: str(venv / f"yowasp-{n}") for v, n in found.items() if v not in os.environ and not shutil.which(n) and (venv / f"yowasp-{n}").exists()}


def make(*args, folder, simgen=None, env=None):
    return subprocess.run([ROOT / "fpga/build.sh", *args], capture_output=True, text=True, timeout=1500, cwd=folder,
                          env={**os.environ, **ecp5_tools(), "SIMTGEN": str(simgen or program()), "B": str(folder), **(env or {})})


def said_of(done):
    """The line that the receiver has decoded, and what went wrong."""
    said = re.search(LINE, done.stdout, re.M)
    return said.groups() if said else None, done.stderr.strip()[-300:]


def simulate(block, board, folder, spoilt=None):
    done = make("--simulate", board, block, folder=folder, simgen=spoilt)
    return done.returncode, *said_of(done)


def expected(block, board, folder):
    text = (folder / f"fpga/{block}_{board}/src/fpga/{block}_{board}.v").read_text()
    return re.search(r"EXPECTED\(32'h([0-9a-f]{8})\)", text).group(1)


def judge_passes(block, board, folder, status, said, err):
    good = status == 0 and said and said[:2] == (block, "PASS") and said[2] == said[3] == expected(block, board, folder)
    report(f"{block} on {board}: the netlist says PASS and the model's signature", "" if good else f"{status}, {said}: {err}")


def check_passes(block, board, folder):
    judge_passes(block, board, folder, *simulate(block, board, folder))


def too_large(block, board):
    """Boards that the smallest configuration does not fit: a line `large BOARD...` of the block's file."""
    text = (ROOT / f"verif/{block}/selftest.txt").read_text()
    return any(board in line.split() for line in re.findall(r"^large (.*)$", text, re.M))


def check_netlist_and_bitstream(block, board, folder):
    """Synthesized once for both."""
    done = make("--both", board, block, folder=folder)
    images = [p for p in folder.glob(f"fpga/{block}_{board}/*.bi[nt]") if p.stat().st_size > 10000]
    said, err = said_of(done)
    judge_passes(block, board, folder, 0 if said and said[1] == "PASS" else done.returncode, said, err)
    if too_large(block, board):
        report(f"{block} on {board}: too large, as its file says", "" if done.returncode == 1 and "does not fit" in err and not images else f"{done.returncode}: {err}")
    else:
        report(f"{block} on {board}: a bitstream", "" if done.returncode == 0 and len(images) == 1 else f"{done.returncode}: {err}")


def check_record(block):
    """The committed results: the model's signature on every board that is there, and too large where the block's file says so."""
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in RESULTS.read_text().splitlines() if line.startswith(f"| {block} |")]
    wrong = [f"{r[1]}: {r[6]}" for r in rows if r[6] != "the model's"]
    wrong += [f"{r[1]}: {r[2]}" for r in rows if ("does not fit" in r[2]) != too_large(block, r[1])]
    report(f"{block}: results on boards that are kept have the model's signature", "; ".join(wrong) + "; run fpga/record.py" if wrong else "")
    missing = sorted(set(BOARDS) - {r[1] for r in rows})
    if missing:
        print(f"# {block}: no result is kept of {', '.join(missing)}: fpga/record.py runs them")


def check_planted(block, board, folder, port):
    """The fault is planted behind the generator: the signature that is expected stays that of the model."""
    wrapper = folder / "spoils"
    wrapper.write_text(SPOILS.replace("REAL", program()).replace("PORT", port).replace("BLOCK", block))
    wrapper.chmod(0o755)
    status, said, err = simulate(block, board, folder, wrapper)
    good = status == 1 and said and said[1] == "FAIL" and said[2] != said[3] == expected(block, board, folder)
    report(f"{block} on {board}: a planted fault fails, {port} is cut", "" if good else f"{status}, {said}: {err}")


def check_output(block, folder):
    """All boards at once: clean Verilog, a pin for each port, a target of the core file for each board."""
    out = folder / "all"
    done = subprocess.run([program(), "gen", block, "--board", "all", "--no-doc", "-q", "-o", out], capture_output=True, text=True, timeout=60)
    if done.returncode:
        report(f"{block}: self-tests are generated", done.stderr)
        return
    for board in BOARDS:
        top = f"{block}_{board}"
        files = [*out.glob("fpga/*_selftest*.v"), out / f"fpga/{top}.v", *out.glob("rtl/*.v")]
        lint = subprocess.run(["verilator", "--lint-only", "-Wall", "--top-module", top, *files], capture_output=True, text=True, timeout=200)
        icarus = subprocess.run(["iverilog", "-g2005", "-Wall", "-t", "null", "-s", top, *files], capture_output=True, text=True, timeout=100)
        report(f"{top}: Verilator and Icarus have no complaint", lint.stderr[:300] or icarus.stderr[:300])
        pins = next(out.glob(f"constraints/{top}.?[cp]f")).read_text()
        ports = re.findall(r"^  (?:input|output) +wire (?:\[(\d+):0\] )?(\w+)", (out / f"fpga/{top}.v").read_text(), re.M)
        names = {f"{n}[{i}]" if hi else n for hi, n in ports for i in range(int(hi or 0) + 1)}
        placed = set(re.findall(r"(?:set_io |LOCATE COMP \")([\w\[\]]+)", pins))
        report(f"{top}: a pin for each port", "" if names == placed and names else f"{sorted(names ^ placed)}")
    core = (out / f"{block}.core").read_text()
    missing = [b for b in BOARDS if f"\n  {b}:\n    description" not in core]
    report(f"{block}: targets of the core file", missing)
    text = (out / f"fpga/{block}_selftest.v").read_text()
    moved = re.search(r"model (\d+) of the (\d+) bits", text)
    report(f"{block}: outputs move in the run", "" if moved and int(moved[1]) >= 8 else text[:400])


def check_refused(block, parameter, folder):
    for what, args, env, status, said in (
            ("board", ("hx4k", block), {}, 2, "expected hx8k, icebreaker or ulx3s"),
            ("block", ("hx8k", f"{block}e"), {}, 2, f"did you mean {block}?"),
            ("parameter", ("hx8k", block, f"{parameter}S=4"), {}, 2, f"did you mean {parameter}?"),
            ("device", ("ulx3s", block), {"DEVICE": "99k"}, 2, "expected 12k, 25k, 45k or 85k"),
            ("tool", ("hx8k", block), {"PATH": f"{folder}/bin"}, 3, "apt-get install yosys")):
        done = make(*args, folder=folder, env=env)
        report(f"fpga/build.sh: a wrong {what} is told", "" if done.returncode == status and said in done.stderr else
               f"{done.returncode}: {done.stderr[-300:]}")


def bare_path(folder):
    """A path without synthesis."""
    (folder / "bin").mkdir()
    for name in ("bash", "env", "dirname", "realpath", "sed", "head", "mkdir", "rm", "grep", "tail"):
        os.symlink(subprocess.run(["which", name], capture_output=True, text=True, check=True).stdout.strip(), folder / "bin" / name)


def check_one(block, port, parameter, folder):
    bare_path(folder)
    check_passes(block, "hx8k", folder)
    check_planted(block, "hx8k", folder, port)
    done = make("hx8k", block, folder=folder)
    image = folder / f"fpga/{block}_hx8k/{block}_hx8k.bin"
    report("a bitstream for hx8k", "" if done.returncode == 0 and image.stat().st_size > 100000 else done.stderr)
    check_refused(block, parameter, folder)


def check_too_large(block, board, values, folder):
    done = make(board, block, *values, folder=folder)
    said = re.search(rf"^fpga: {block} does not fit on {board}: it takes (.*); give smaller values", done.stderr, re.M)
    short = re.findall(r"(\w+) (\d+) of (\d+)", said[1]) if said else []
    report(f"{block} that is too large for {board}: what it takes and what there is", "" if done.returncode == 1 and short and
           all(int(a) > int(b) > 0 for _, a, b in short) else f"{done.returncode}: {done.stderr[-300:]}")
    report("... and no bitstream is left", [*folder.glob("fpga/*/*.bi[nt]")])


def main():
    """Without arguments what is generated for every block; `BOARD...` netlists and bitstreams of the blocks on these boards;
    `--one BLOCK PORT NAME` a block with a planted fault, an output that is cut, and a parameter that is spelt wrong;
    `--too-large BLOCK BOARD NAME=VALUE...` one that does not fit."""
    args = sys.argv[1:]
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        if args[:1] == ["--one"]:
            check_one(*args[1:4], folder)
            return
        if args[:1] == ["--too-large"]:
            check_too_large(args[1], args[2], args[3:], folder)
            return
        for block in block_names():
            if not (ROOT / f"verif/{block}/selftest.txt").exists():
                report(f"{block} has no self-test, by its folder")
                continue
            for board in args:
                check_netlist_and_bitstream(block, board, folder)
            if not args:
                check_record(block)
                check_output(block, folder)


try:
    main()
except (Problem, OSError, subprocess.SubprocessError) as e:
    report("self-tests of boards", e)
finish()
