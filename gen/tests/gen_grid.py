#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""The generated Verilog of every configuration of the grid: clean in every tool, and its bench passes."""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gen_lib import LINTS, Problem, bench, bench_passes, generate
from testlib import block_names, finish, grid, report, text_of


def configurations(block):
    try:
        return grid(block)[0]
    except Problem:
        return [{}]  # verif/tests/interface.py reports a missing grid


def check(block, values, tmp):
    out = tmp / "out"
    name = generate(block, out, None, values)
    for tool_name, lint in LINTS.items():
        reason = lint(out, name)
        if reason:
            return f"{tool_name}: {reason}"
    return bench_passes(bench(out, name, tmp / "bench"))


for b in block_names():
    for v in configurations(b):
        with tempfile.TemporaryDirectory() as folder:
            try:
                problem = check(b, v, Path(folder))
            except (Problem, OSError) as error:
                problem = f"{type(error).__name__}: {error}"
        report(f"gen {b} with {text_of(v)}: clean, and the bench passes", problem)
finish()
