#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 4
# each: all
"""Each Verilog core repeats names, directions, widths, defaults, ranges and derived values of its
block's description, its registers do what is said there, and nothing differs: of one block. With OTHERS=1 of the others, and a
difference of each kind planted in the registers of each block is found; with PLANTED=1 one planted in the core of the example.
The registers are compared in each fourth configuration of the grid, with WHOLE=1 in all."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import interface  # noqa: E402
import registers  # noqa: E402
from testlib import ROOT, Problem, block_names, blocks_here, describe, finish, grid, its_turn, report  # noqa: E402

SPARSE = 1 if os.environ.get("WHOLE") == "1" else 4
EXAMPLE = ROOT / "verif/tests/arbiter"
EXAMPLE_GRID = [{"CLIENTS": 1}, {"CLIENTS": 7, "COUNT_W": 4}, {"CLIENTS": 64, "COUNT_W": 48}]

# What is planted in the example's core: (what, pattern, replacement, complaint that must come).
PLANTED = [
    ("an unknown parameter", r"parameter CLIENTS", "parameter EXTRA = 1,\n  parameter CLIENTS",
     "parameter EXTRA is not in the description"),
    ("a missing parameter", r"\bCOUNT_W\b", "CNT_W",
     "parameter COUNT_W is not in the core"),
    ("another default", r"CLIENTS = 4", "CLIENTS = 5",
     "parameter CLIENTS is 5 in the core, 4 in the description"),
    ("another port name", r"\breq_i\b", "reqs_i", "port req_i is not in the core"),
    ("an unknown port", r"input  wire rst_i,", "input  wire rst_i,\n  input wire spare_i,",
     "port spare_i is not in the description"),
    ("another direction", r"input  wire \[CLIENTS-1:0\] req_i", "output wire [CLIENTS-1:0] req_i",
     "port req_i is ('output', 4) in the core"),
    ("a width that is wrong at one size", r"\[COUNT_W-1:0\] count_o",
     "[(COUNT_W == 48 ? 32 : COUNT_W)-1:0] count_o", "port count_o is ('output', 32) in the core, "),
    ("another derived value", r"INDEX_W = \(CLIENTS > 1\) \? \$clog2\(CLIENTS\)",
     "INDEX_W = (CLIENTS > 1) ? $clog2(CLIENTS + 1)", "INDEX_W is 3 in the core, 2 in the description"),
    ("a missing derived value", r"\bINDEX_W\b", "IX_W", "derived value INDEX_W is not in the core"),
    ("a lower limit too low", r"COUNT_W < 4", "COUNT_W < 3", "COUNT_W=3 is not refused by a guard, out of 4..48"),
    ("a lower limit too high", r"COUNT_W < 4", "COUNT_W < 5", "COUNT_W=4: does not elaborate"),
    ("an upper limit too high", r"CLIENTS > 64", "CLIENTS > 65", "CLIENTS=65 is not refused by a guard, out of 1..64"),
    ("an upper limit too low", r"CLIENTS > 64", "CLIENTS > 63", "CLIENTS=64: does not elaborate"),
]


def check_block(block):
    with tempfile.TemporaryDirectory() as folder:
        core = interface.Core(block, ROOT, ROOT, folder)
        lines, forbidden = grid(block)
        allowed = [values for place, values in enumerate(lines) if its_turn(place)]
        for what, said in interface.check_all(core, allowed, forbidden, SPARSE, lines):
            report(f"{block}: {what}", "; ".join(said[:8]))
        if len(allowed) < len(lines):
            print(f"note: {len(lines) - len(allowed)} of {len(lines)} configurations of {block} are left to other parts")
        if SPARSE > 1:
            print(f"note: registers of {len(allowed) - len(allowed) // SPARSE} configurations of {block} are left to interface_long.py")


def check_registers_at_defaults(block):
    with tempfile.TemporaryDirectory() as folder:
        said = interface.check_registers(interface.Core(block, ROOT, ROOT, folder), [{}])
        report(f"{block}: registers at defaults", "; ".join(said[:8]))


def check_planted_registers(block):
    """A wrong entry in the description's list of registers is a difference from core and from model, of each register."""
    with tempfile.TemporaryDirectory() as folder:
        core = interface.Core(block, ROOT, ROOT, folder)
        compiled = registers.Core(core, {}, core.default, interface.tool("iverilog"), interface.tool("vvp"))
        model = registers.Model(registers.build_player(core.folder), block, {}, core.default)
        if not compiled.port and not core.default["uses"]:
            report(f"{block}: widths of registers that are only read", "the core has no cell register_port named u_port")
        for what, cases in registers.planted(core.default, bool(compiled.port)).items():
            missed = registers.not_found("core", cases, compiled.play)
            missed += registers.not_found("model", cases, model.play) if what != "width read" else []
            report(f"{block}: a wrong {what} of any of {len(cases)} registers is found", "; ".join(missed))


def build_example(folder):
    """The program with the example block in it, without optimization."""
    done = subprocess.run(["make", f"B={folder}/build", "CFLAGS=-O0",
                           f"EXTRA={EXAMPLE.relative_to(ROOT)}", f"ALL_BLOCKS={EXAMPLE.name}",
                           f"{folder}/build/simtgen"], cwd=ROOT, capture_output=True, text=True, timeout=160)
    if done.returncode:
        raise Problem(f"build with the example block: {done.stderr[-2000:]}")
    return f"{folder}/build/simtgen"


def check_planted():
    with tempfile.TemporaryDirectory() as folder:
        using = build_example(folder)
        block, = block_names(using)
        tree = Path(folder) / "tree"
        shutil.copytree(EXAMPLE / "rtl_templates", tree / "rtl_templates")
        path = tree / f"rtl_templates/{block}/{block}_core.v"
        original = path.read_text()

        def complaints(text):
            path.write_text(text)
            core = interface.Core(block, tree, ROOT, folder, using)
            return [s for _, said in interface.check_all(core, EXAMPLE_GRID, []) for s in said]

        report("the example block's core agrees", "; ".join(complaints(original)))
        for what, pattern, replacement, wanted in PLANTED:
            text = re.sub(pattern, lambda _: replacement, original)
            try:
                said = complaints(text) if text != original else ["nothing was planted"]
            except Problem as e:
                said = [str(e)]
            found = any(wanted in s for s in said)
            report(f"{what} is found", "" if found else f"expected '{wanted}', got {said}")


os.environ.pop("MAKEFLAGS", None)
try:
    if os.environ.get("PLANTED") == "1":
        check_planted()
    else:
        others = os.environ.get("OTHERS") == "1"
        for name in blocks_here():
            check_block(name)
        for name in block_names():
            if describe(name)["registers"]:
                (check_planted_registers if others else check_registers_at_defaults)(name)
except Problem as e:
    report("the cores can be compared", e)
finish()
