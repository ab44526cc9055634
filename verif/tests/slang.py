#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 8
# each: all
"""Every template and every generated Verilog file is accepted by slang (1800-2017), which stands for the strict front ends:
a name is declared before it is used. Its lines have at most 110 columns. Over the grid of every block by rotation, plain and
with every wrapper: the block itself, bench, harness and properties, as `gen` writes them."""
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import (ROOT, Problem, block_names, describe, finish, grid, in_venv, its_turn, later, options, report,  # noqa: E402
                     run_program, text_of)

try:
    import pyslang
    from pyslang import ast, parsing, syntax
except ImportError:
    try:
        in_venv("pyslang")
    except Problem as problem:
        report("slang", problem)
        finish()

COLUMNS = 110
WRAPPERS = {"bus": "axi4", "regs": "axi4-lite", "reset": "async_low"}


def language():
    """Options that hold every stage of slang to SystemVerilog 2017."""
    version = pyslang.LanguageVersion.v1800_2017
    bag = pyslang.Bag()
    for name, kind in (("lexer", parsing.LexerOptions), ("preprocessor", parsing.PreprocessorOptions),
                       ("parser", parsing.ParserOptions), ("compilation", ast.CompilationOptions)):
        chosen = kind()
        chosen.languageVersion = version
        setattr(bag, f"{name}Options", chosen)
    return bag


def slang_errors(files):
    """What slang refuses in the design that these files make; tops are the modules that none instantiates."""
    bag, sources = language(), pyslang.SourceManager()
    design = ast.Compilation(bag)
    for path in files:
        design.addSyntaxTree(syntax.SyntaxTree.fromFile(str(path), sources, bag))
    engine, client = pyslang.DiagnosticEngine(sources), pyslang.TextDiagnosticClient()
    engine.addClient(client)
    for found in design.getAllDiagnostics():
        if found.isError():
            engine.issue(found)
    return client.getString()


def long_lines(files):
    return [f"{path.name}:{number}: {len(line)} columns" for path in files
            for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > COLUMNS]


def verdict(files):
    """The first thing wrong with these files; empty when all is well."""
    if not files:
        return "no file"
    said = slang_errors(files) or "\n".join(long_lines(files))
    return "; ".join(said.splitlines()[:3])


def wrapped(block, values):
    """The configuration with every wrapper that it can have: a port may be too wide for a bus."""
    for wrapper, value in WRAPPERS.items():
        if describe(block, values | {wrapper: value}):
            values = values | {wrapper: value}
    return values


def generated(block, values, folder):
    """Generates one configuration; its Verilog files."""
    run = run_program("gen", block, *options(values), "-o", folder, "-q", "--no-doc", timeout=120)
    if run.returncode:
        raise Problem(f"gen {block} {text_of(values)}: {run.stderr.strip()}")
    return sorted(folder.rglob("*.v"))


def check_block(block, tmp):
    lines = [values for place, values in enumerate(grid(block)[0]) if its_turn(place)]
    if not lines:
        later(f"slang takes {block}")
        return
    wanted = [*lines, *(wrapped(block, values) for values in lines)]
    with ThreadPoolExecutor(2) as pool:
        made = [pool.submit(generated, block, values, tmp / f"{block}{i}") for i, values in enumerate(wanted)]
        wrong = [f"{text_of(values)}: {said}" for values, files in zip(wanted, made) if (said := verdict(files.result()))]
    report(f"slang takes {block}: {len(wanted)} configurations, lines of at most {COLUMNS} columns",
           "; ".join(wrong[:2]) + (f" ({len(wrong)} configurations)" if wrong else ""))


def check_templates():
    """All templates together, the stand-ins for vendors' cells apart; and the test programs in Verilog of the tree."""
    templates = sorted(ROOT.glob("rtl_templates/*/*.v"))
    vendor = [p for p in templates if p.parent.name == "vendor"]
    report("slang takes every template", verdict([p for p in templates if p not in vendor]))
    report("slang takes the stand-ins for vendors' cells", verdict(vendor))
    elsewhere = [p for kind in ("verif", "docs", "fpga") for p in sorted((ROOT / kind).rglob("*.v"))]
    report(f"lines of Verilog elsewhere have at most {COLUMNS} columns", "; ".join(long_lines(elsewhere)[:3]))


def check_planted(tmp):
    """A name that is used before it is declared is refused, at the place where it stands; so is a long line."""
    folder = tmp / "planted"
    block = block_names()[0]
    files = generated(block, {}, folder)
    top = folder / "rtl" / f"{block}.v"
    right = top.read_text()
    top.write_text(right.replace("\nendmodule", "\n  wire early = late;\n  wire late = 1'b0;\nendmodule"))
    said = verdict(files)
    report("slang refuses a planted use before the declaration",
           "" if f"{block}.v" in said and "'late' used before its declaration" in said else f"it says: {said}")
    top.write_text(right.replace("\nendmodule", "\n" + "  // x".ljust(COLUMNS + 1, "x") + "\nendmodule"))
    said = verdict(files)
    report("a planted long line is found", "" if f"{COLUMNS + 1} columns" in said else f"it says: {said}")


with tempfile.TemporaryDirectory() as scratch:
    try:
        check_planted(Path(scratch))
        check_templates()
        for name in block_names():
            try:
                check_block(name, Path(scratch))
            except Problem as problem:
                report(f"slang takes {name}", problem)
    except (Problem, OSError) as problem:
        report("slang", f"{type(problem).__name__}: {problem}")
finish()
