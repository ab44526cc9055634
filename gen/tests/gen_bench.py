#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 2
# each: block
# rotate: 8
# timeout: 900
"""The self-checking bench and all lints over the grid; the bench on netlists and on faults.

The configurations rotate; the netlist and the faults of a block have two turns of eight. At night, twice as many mutants. Icarus
takes minutes for the bench of a configuration with thousands of wires at its ports: those are for the night."""
import os
import re
import sys
import tempfile
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gen_lib import (LINTS, Problem, bench, bench_fails, bench_passes, compile_bench, cut_benches, generate, ports, quiet,
                     rtl_files, run_bench, tool)
from testlib import block_names, finish, grid, is_kept, its_turn, later, report, text_of

WIDE = 1500  # bits of all ports from which on a configuration is large
WHOLE = (os.environ.get("PART") or "all") == "all"
MUTANTS = 48 if WHOLE else 24
SMALL = 2  # place in the grid of a small configuration, not the smallest: a netlist in Icarus is slow


def never_valid(out, name, block, values):
    """Output payloads whose valid is 0 in every vector: the bench cannot compare them."""
    found = ports(block, values)
    inputs = [p for p in found if p["direction"] == "in" and p["name"] != "clk_i"]
    outputs = [p for p in found if p["direction"] == "out"]
    seen = 0  # a vector is {outputs, inputs}, each in the order of the ports, the first lowest
    for line in (out / "tb" / f"{name}_vectors.hex").read_text().splitlines():
        seen |= 0 if line.startswith("//") or not line else int(line, 16)
    at, low = {}, 0
    for p in inputs + outputs:
        at[p["name"]] = seen >> low & ((1 << p["width"]) - 1)
        low += p["width"]
    return {p["name"] for p in outputs if p["valid"] and not at[p["valid"]]}


def never_shown(block):
    """What no vector can show: verif/BLOCK/never_shown.txt names such outputs of a block, and says why."""
    path = Path("verif", block, "never_shown.txt")
    lines = path.read_text().splitlines() if path.exists() else []
    return {line for line in lines if line and not line.startswith("#")}


def cut_found(out, name, block, values, only, tmp):
    """Each output of `only` (all: None) that is cut is found, on its own port; those apart that the vectors never show."""
    hidden = never_valid(out, name, block, values)
    pins = [(p["name"], p["width"]) for p in ports(block, values, direction="out")
            if p["name"] not in hidden and (only is None or p["name"] in only)]
    for pin, result in cut_benches(out, name, pins, tmp):
        reason = bench_fails(result)
        if reason or f"port {pin} " not in result[1][0]:
            return f"{pin} cut: {reason or result[1][0]}", hidden
    return "", hidden


def every_cut(block, grids, tmp):
    """With the defaults; what their vectors cannot show (a context without unit status) in another configuration of the grid."""
    never = never_shown(block)
    name = generate(block, tmp / "out")
    reason, left = cut_found(tmp / "out", name, block, {}, None, tmp)
    for number, values in enumerate(sorted((v for v in grids if not is_large(block, v)),
                                           key=lambda v: bits(block, v))):
        if reason or not left - never:
            break
        folder = tmp / str(number)
        folder.mkdir()
        generate(block, folder / "out", name, values)
        if left - never_valid(folder / "out", name, block, values):
            reason, hidden = cut_found(folder / "out", name, block, values, left, folder)
            left &= hidden
    if not reason and never - left:
        reason = f"{', '.join(sorted(never - left))} can be shown: verif/{block}/never_shown.txt has them"
    left -= never
    return reason or (f"the vectors of no configuration show {', '.join(sorted(left))}" if left else "")


def netlist_mutants(out, name, tmp):
    """The bench passes on the netlist and fails on random mutants of it: on a third, as many of a large block sit
    where few cycles come (a counter's upper bits, a rare corner)."""
    read = f"read_verilog {' '.join(rtl_files(out, name))}; prep -flatten -top {name}; opt -fast"
    for seed in (1, 2, 3):
        reason = quiet(tool("yosys", "-qq", "-p", f"{read}; mutate -list {MUTANTS} -seed {seed} -ctrl mutant 8 1 -o {tmp}/list; "
                            f"script {tmp}/list; splitnets; write_verilog -noattr {tmp}/{name}.v", cwd=out / "rtl"))
        # Yosys 0.23 cannot write a memory whose asynchronous read port has a mutated enable or reset: it stops with these
        # assertions.
        if not re.search(r"port\.(en == State::S1|[as]rst == State::S0)", reason):
            break
    if not reason:  # all in one; which one, a run is told: an input of the netlist becomes a register
        text = (tmp / f"{name}.v").read_text()
        text = re.sub(r",\s*mutant\b", "", text, count=1)
        text = re.sub(r"^  input \[7:0\] mutant;\n  wire \[7:0\] mutant;$", "  reg [7:0] mutant;\n"
                      '  initial if (!$value$plusargs("mutant=%d", mutant)) mutant = 0;', text, count=1, flags=re.M)
        (tmp / f"{name}.v").write_text(text)
        status, output = compile_bench(out, name, tmp / "netlist", [tmp / f"{name}.v"])
        reason = output or ("" if status == 0 else f"exit status {status}")
    reason = reason or bench_passes(run_bench(tmp / "netlist"))
    if reason:
        return reason
    why = []
    while len(why) < MUTANTS and why.count("") * 3 < MUTANTS:  # no more than it takes
        why.append(bench_fails(run_bench(tmp / "netlist", f"+mutant={len(why) + 1}")))
    found = why.count("")
    return "" if found * 3 >= MUTANTS else f"only {found} of {MUTANTS} mutants fail in the bench: {why}"


def configurations(block):
    try:
        return grid(block)[0]
    except Problem:
        return [{}]  # verif/tests/interface.py reports a missing grid


def bits(block, values):
    return sum(p["width"] for p in ports(block, values))


def is_large(block, values):
    return bits(block, values) >= WIDE


def small(block, grids):
    """The one at SMALL, or where a grid does not go up from small to large, the smallest, before it."""
    chosen = grids[min(SMALL, len(grids) - 1)]
    return chosen if len(grids) < 2 or bits(block, chosen) < bits(block, grids[0]) else grids[SMALL - 1]


def lints_pass(block, values, tmp, lints):
    out = tmp / "out"
    name = generate(block, out, None, values)
    for tool_name, lint in [(n, LINTS[n]) for n in lints]:
        reason = lint(out, name)
        if reason:
            return f"{tool_name}: {reason}"
    return ""


def clean(block, values, tmp):
    """Icarus lints what it compiles for the bench: a word of it is a failure there."""
    reason = lints_pass(block, values, tmp, [n for n in LINTS if n != "Icarus"])
    return reason or bench_passes(bench(tmp / "out", block, tmp / "bench"))


def run(name, turn, test):
    if not turn:
        later(name)
        return
    if is_kept(name):
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            report(name, test(Path(folder)))
        except (Problem, OSError) as error:
            report(name, f"{type(error).__name__}: {error}")


for b in block_names():
    def on_values(test, values, block=b):
        def call(tmp):
            name = generate(block, tmp / "out", None, values)
            return test(tmp / "out", name, tmp)
        return call
    grids = configurations(b)
    first = zlib.crc32(b.encode())  # or the turns of all blocks would be the same
    run(f"gen {b}: the bench finds every output that is cut", its_turn(first) or its_turn(first + 4),
        lambda tmp, block=b, values=grids: every_cut(block, values, tmp))
    run(f"gen {b}: the bench passes on the netlist and fails on mutants", its_turn(first + 2) or its_turn(first + 6),
        on_values(netlist_mutants, small(b, grids)))
    for number, v in enumerate(grids):
        run(f"gen {b} with {text_of(v)}: clean, and the bench passes", its_turn(number) and (WHOLE or not is_large(b, v)),
            lambda tmp, block=b, values=v: clean(block, values, tmp))
finish()
