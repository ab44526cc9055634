#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""The cells of rtl_templates/lib (docs/cells.md): clean in all tools, ranges guarded, proved for ever, and each kind of
property broken by a planted fault. verif/tests/cells/cells.py has the table."""
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "verif" / "tools"), str(ROOT / "verif" / "tests" / "cells")]
from cells import CELLS, HERE, LIB, sources, values_of  # noqa: E402
from formal import ABC, TO_AIGER, YOSYS, Problem, aiger_outputs, limited  # noqa: E402
from testlib import finish, report  # noqa: E402

SECONDS = 60  # of processor time for a property


def said(command, folder, seconds=60):
    """What a command says, and whether it succeeded."""
    run = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=seconds)
    return (run.stdout + run.stderr).strip(), run.returncode == 0


def yosys(cell, values, folder):
    chosen = " ".join(f"-chparam {n} {v}" for n, v in values.items())
    return said([YOSYS, "-q", "-p", f"read_verilog {' '.join(map(str, sources(cell)))}; hierarchy -check -top {cell} "
                 f"{chosen}; proc; check -assert"], folder)


def lint(cell, folder):
    """The first thing that a tool says of the cell in a configuration of the table or at an end of its ranges."""
    ranges = CELLS[cell]["ranges"]
    ends = [{n: ranges[n][end] if n == name else min(16, ranges[n][1]) for n in ranges} for name in ranges for end in (0, 1)]
    for values in [values_of(c) for c in CELLS[cell]["figures"]] + ends:
        files = sources(cell)
        for command in (["verilator", "--lint-only", "-Wall", "--top-module", cell, *(f"-G{n}={v}" for n, v in values.items())],
                        ["iverilog", "-Wall", "-g2005", "-s", cell, "-o", "/dev/null",
                         *(f"-P{cell}.{n}={v}" for n, v in values.items())]):
            text, good = said([*command, *files], folder)
            if text or not good:
                return f"{values}: {command[0]}: {text}"
        if values in [values_of(c) for c in CELLS[cell]["figures"]]:
            text, good = yosys(cell, values, folder)
            if not good:
                return f"{values}: yosys: {text}"
    return ""


def guards(cell, folder):
    """Below and above each range elaboration fails, by the name of the parameter."""
    for name, (low, high) in CELLS[cell]["ranges"].items():
        for value in (low - 1, high + 1):
            text, good = said(["verilator", "--lint-only", "--top-module", cell, f"-G{name}={value}", *sources(cell)], folder)
            if good or f"{name.lower()}_out_of_range" not in text:
                return f"{name}={value}: {'accepted' if good else text}"
    return ""


class Proof:
    """The properties of a cell in one configuration, perhaps with a planted fault."""

    def __init__(self, cell, module, config, depth, fault=None):
        self.cell, self.module, self.config, self.depth, self.fault = cell, module, config, depth, fault

    def files(self, folder):
        result = []
        for path in sources(self.cell):
            text = path.read_text()
            if self.fault and self.fault[0] == path.stem:
                edited = subprocess.run(["sed", "-E", self.fault[1]], input=text, capture_output=True, text=True, check=True).stdout
                if edited == text:
                    raise Problem(f"the edit of {path.name} changes nothing: {self.fault[1]}")
                text = edited
            if path.stem == "ram_1r1w":  # a collision may give anything
                text = (HERE / "ram_1r1w_undefined.v").read_text()
            (folder / path.name).write_text(text)
            result.append(path.name)
        return [*result, str(HERE / f"{self.module}.v")]

    def netlist(self, folder):
        chosen = " ".join(f"-chparam {n} {v}" for n, v in values_of(self.config).items())
        script = (f"read_verilog {' '.join(self.files(folder))}\nhierarchy -check -top {self.module} {chosen}\nproc\nflatten\n"
                  f"opt_clean\n{TO_AIGER.format(aig='f.aig')}")
        (folder / "f.ys").write_text(script)
        log, good = limited([YOSYS, "-q", "f.ys"], 120, folder)
        if not good:
            raise Problem(f"yosys: {log.strip()[-400:]}")
        return aiger_outputs(folder / "f.aig")

    def check(self, folder, at, constant, latches):
        """proved, broken or open: one property."""
        if at in constant:
            return "broken" if constant[at] else "proved"
        if latches and (self.fault or self.depth):
            engine = f"scorr; dc2; bmc3 -F {self.depth or 40} -T {SECONDS}"
        else:
            engine = f"scleanup; scorr; dc2; pdr -T {SECONDS}"
        log, _ = limited([ABC, "-q", f"read_aiger f.aig; strash; cone -s -O {at} -R 1; {engine}"], SECONDS + 30, folder)
        if "was asserted in frame" in log:
            return "broken"
        held = "Property proved" in log or (self.depth and re.search(rf"No output asserted in {self.depth} frames", log))
        return "proved" if held else "open"

    def run(self):
        """{property: verdict}, of the broken one alone with a planted fault."""
        with tempfile.TemporaryDirectory() as tmp:
            names, constant, latches = self.netlist(Path(tmp))
            wanted = [f"bad_{self.fault[3]}_o"] if self.fault else names
            return {name: self.check(Path(tmp), names.index(name), constant, latches) for name in wanted}


def proofs(cell):
    for module, config, depth in CELLS[cell]["proofs"]:
        yield f"{cell} {config}: every property proved{f' for {depth} cycles' if depth else ''}", Proof(cell, module, config, depth)
    for fault in CELLS[cell]["faults"]:
        module, config, depth = CELLS[cell]["proofs"][fault[2]]
        yield f"{cell} {config}: {fault[3]} falls with {fault[0]} {fault[1]}", Proof(cell, module, config, depth, fault)


def judge(proof):
    try:
        result = proof.run()
    except Problem as e:
        return str(e)
    wanted = "broken" if proof.fault else "proved"
    wrong = {name: how for name, how in result.items() if how != wanted}
    return "no property" if not result else f"{wrong}, expected {wanted}" if wrong else ""


def main():
    only = sys.argv[1:] or list(CELLS)
    with tempfile.TemporaryDirectory() as tmp, ThreadPoolExecutor(2) as pool:
        for cell in only:
            report(f"cell {cell}: clean in Verilator, Icarus and Yosys", lint(cell, tmp))
            report(f"cell {cell}: elaboration fails outside of each range", guards(cell, tmp))
            todo = list(proofs(cell))
            for (name, _), reason in zip(todo, pool.map(judge, [p for _, p in todo])):
                report(name, reason)
    finish()


if __name__ == "__main__":
    main()
