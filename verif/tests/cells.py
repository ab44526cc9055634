#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 6
# timeout: 900
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
from cells import CELLS, HERE, put_sources, sources, values_of, with_defaults  # noqa: E402
from formal import ABC, TO_AIGER, YOSYS, Problem, aiger_outputs, limited  # noqa: E402
from testlib import finish, its_turn, later, report  # noqa: E402

SECONDS = 60  # of processor time for a property


def said(command, folder, seconds=60):
    """What a command says, and whether it succeeded."""
    run = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=seconds)
    return (run.stdout + run.stderr).strip(), run.returncode == 0


def yosys(cell, values, folder):
    files = put_sources(cell, values, Path(folder))
    return said([YOSYS, "-q", "-p", f"read_verilog {files}; hierarchy -check -top {cell}; proc; check -assert"], folder)


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


def edited(path, fault):
    """The text of a file, with the planted fault if it is in it."""
    text = path.read_text()
    if not fault or fault[0] != path.stem:
        return text
    new = subprocess.run(["sed", "-E", fault[1]], input=text, capture_output=True, text=True, check=True).stdout
    if new == text:
        raise Problem(f"the edit of {path.name} changes nothing: {fault[1]}")
    return new


class Proof:
    """The properties of a cell in one configuration, perhaps with a planted fault."""

    def __init__(self, cell, module, config, depth, fault=None):
        self.cell, self.module, self.config, self.depth, self.fault = cell, module, config, depth, fault

    def files(self, folder):
        result = []
        for path in sources(self.cell):
            text = edited(path, self.fault)
            if path.stem == "ram_1r1w":  # a collision may give anything
                text = (HERE / "ram_1r1w_undefined.v").read_text()
            (folder / path.name).write_text(text)
            result.append(path.name)
        module = with_defaults((HERE / f"{self.module}.v").read_text(), values_of(self.config))
        (folder / f"{self.module}.v").write_text(module)
        return [*result, f"{self.module}.v"]

    def netlist(self, folder):
        script = (f"read_verilog {' '.join(self.files(folder))}\nhierarchy -check -top {self.module}\nproc\nflatten\n"
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
            engine = f"scorr; dc2; bmc3 -F {40 if self.fault else self.depth} -T {SECONDS}"
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


class Lockstep:
    """A cell beside its C counterpart in random stimulus, perhaps with a planted fault."""

    def __init__(self, cell, config, fault=None):
        self.cell, self.config, self.fault = cell, config, fault

    def build(self, folder):
        """The program, from the library of Verilator and the C counterpart as main() has compiled them."""
        for path in sources(self.cell):
            (folder / path.name).write_text(edited(path, self.fault))
        values = values_of(self.config)
        text, good = said(["verilator", "-cc", "-Wno-fatal", "--x-initial", "unique", "--x-assign", "unique", "--prefix", "Vdut",
                           "--top-module", self.cell, *(f"-G{n}={v}" for n, v in values.items()), "--Mdir", folder / "v",
                           *(path.name for path in sources(self.cell))], folder, 120)
        if not good:
            raise Problem(text)
        (folder / "all.cpp").write_text("".join(f'#include "{p}"\n' for p in sorted((folder / "v").glob("Vdut*.cpp"))))
        text, good = said(["g++", "-O0", "-include", folder.parent / "headers.h", f"-DCELL_{self.cell}", *(f"-DP_{n}={v}" for n, v in values.items()), f"-I{folder}/v",
                           *library_flags(), f"-I{ROOT}/cmodel/core", HERE / "lockstep.cpp", "all.cpp",
                           *sorted(folder.parent.glob("*.o")), "-lpthread", "-latomic", "-o", "run"], folder, 300)
        if not good:
            raise Problem(text)

    def run(self, parent):
        """What is wrong, or nothing."""
        with tempfile.TemporaryDirectory(dir=parent) as tmp:
            self.build(Path(tmp))
            for seed in (1, 2):
                done = subprocess.run([f"{tmp}/run", str(seed), "100000"], capture_output=True, text=True, timeout=120)
                if not self.fault and (done.returncode or not done.stdout.startswith("PASS")):
                    return f"seed {seed}: {done.stdout}{done.stderr}"
            if self.fault and not (done.returncode == 1 and re.match(rf"MISMATCH .*: ({self.fault[3]})", done.stdout)):
                return f"status {done.returncode}, expected 1 and a mismatch of {self.fault[3]}: {done.stdout}{done.stderr}"
        return ""


def library_flags():
    root = said(["verilator", "--getenv", "VERILATOR_ROOT"], ROOT)[0]
    return [f"-I{root}/include", f"-I{root}/include/vltstd"]


def compile_library(folder):
    """What every lockstep program takes, once: Verilator's part, the headers, and the C counterparts."""
    Path(folder, "headers.h").write_text("#include <vector>\n#include \"verilated.h\"\n")
    include = Path(library_flags()[0][2:])
    for command in (["g++", "-O1", *library_flags(), "-c", include / "verilated.cpp"],
                    ["g++", "-O1", *library_flags(), "-c", include / "verilated_threads.cpp"],
                    ["g++", "-O0", *library_flags(), "headers.h"],  # precompiled, as they are most of a small cell's compilation
                    ["gcc", "-O2", "-c", ROOT / "cmodel/core/cells.c"]):
        text, good = said(command, folder, 300)
        if not good:
            raise Problem(text)


def jobs(cell, folder):
    """Name of a test and what it does: a function that returns the reason of a failure."""
    table = CELLS[cell]
    for module, config, depth in table["proofs"]:
        how = f" for {depth} cycles" if depth else ""
        yield f"{cell} {config}: every property proved{how}", lambda p=Proof(cell, module, config, depth): judge(p)
    for fault in table["faults"]:
        module, config, depth = table["proofs"][fault[2]]
        yield (f"{cell} {config}: {fault[3]} falls with {fault[0]} {fault[1]}",
               lambda p=Proof(cell, module, config, depth, fault): judge(p))
    for config in table.get("lockstep", []):
        yield f"{cell} {config}: lockstep with the C counterpart", lambda r=Lockstep(cell, config): r.run(folder)
    for fault in table.get("wrong", []):
        run = Lockstep(cell, table["lockstep"][fault[2]], fault)
        yield f"{cell}: lockstep finds {fault[0]} {fault[1]}", lambda r=run: r.run(folder)


def judge(proof):
    result = proof.run()
    wanted = "broken" if proof.fault else "proved"
    wrong = {name: how for name, how in result.items() if how != wanted}
    return "no property" if not result else f"{wrong}, expected {wanted}" if wrong else ""


def attempt(job):
    try:
        return job()
    except Problem as e:
        return str(e)


def main():
    only = sys.argv[1:] or list(CELLS)
    with tempfile.TemporaryDirectory() as tmp, ThreadPoolExecutor(2) as pool:
        compile_library(tmp)
        for place, cell in enumerate(only):
            if not sys.argv[1:] and not its_turn(place):
                later(f"cell {cell}")
                continue
            report(f"cell {cell}: clean in Verilator, Icarus and Yosys", lint(cell, tmp))
            report(f"cell {cell}: elaboration fails outside of each range", guards(cell, tmp))
            todo = list(jobs(cell, tmp))
            for (name, _), reason in zip(todo, pool.map(attempt, [job for _, job in todo])):
                report(name, reason)
    finish()


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("cells", str(e))
        finish()
