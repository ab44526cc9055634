#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: block
# rotate: 12
# timeout: 400
"""vhdl/ of a generated instance over the grid: GHDL takes the package, and its component has the ports of the Verilog: names,
directions and widths as Yosys elaborates them. A planted difference of each kind is seen."""
import json
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gen_lib import Problem, generate, quiet, tool
from testlib import blocks_here, finish, grid, its_turn, later, report, text_of

PORT = re.compile(r"^\s*(\w+) : (in|out) std_logic(?:_vector\((\d+) downto 0\))?;?$", re.M)
OPTIONS = [{}, {"reset": "async_low"}, {"bus": "axi4"}, {"regs": "axi4-lite"}]  # those that a block does not have are left out


def verilog_ports(folder, module, sources):
    """[(name, direction, width)] of the module, from Yosys."""
    status, said = tool("yosys", "-qq", "-p", f"read_verilog {' '.join(sources)}; proc; write_json ports.json", cwd=folder)
    if status:
        raise Problem(said[-300:])
    ports = json.loads((folder / "ports.json").read_text())["modules"][module]["ports"]
    return [(n, {"input": "in", "output": "out"}[p["direction"]], len(p["bits"])) for n, p in ports.items()]


def component_ports(text, name):
    """The same of a component of the package."""
    found = re.search(rf"component {name} is\n(.*?)end component;", text, re.S)
    return [(n, d, int(high or 0) + 1) for n, d, high in PORT.findall(found[1])] if found else []


def differences(verilog, vhdl):
    if not verilog:
        return "the Verilog has no ports"
    return "; ".join(f"{a} in Verilog, {b} in VHDL" for a, b in zip(verilog + [None], vhdl + [None]) if a != b)[:300] or (
        "" if len(verilog) == len(vhdl) else f"{len(verilog)} ports in Verilog, {len(vhdl)} in VHDL")


def bound(folder, name, ports):
    """GHDL instantiates the component and binds it to an entity that has the ports of the Verilog."""
    kind = {1: "std_logic"}
    declared = [(n, d, kind.get(w, f"std_logic_vector({w - 1} downto 0)")) for n, d, w in ports]
    text = "library ieee;\nuse ieee.std_logic_1164.all;\nentity %s is port (%s); end entity;\narchitecture a of %s is begin end architecture;\n" % (
        name, "; ".join(f"{n} : {d} {t}" for n, d, t in declared), name)
    text += "library ieee;\nuse ieee.std_logic_1164.all;\nuse work.%s_pkg.all;\nentity bench is end entity;\narchitecture a of bench is\n" % name
    text += "".join(f"  signal s_{n} : {t};\n" for n, _, t in declared)
    text += f"  for all : {name} use entity work.{name}(a);\nbegin\n  u : {name} port map ({', '.join(f'{n} => s_{n}' for n, _, _ in declared)});\nend architecture;\n"
    (folder / "bench.vhd").write_text(text)
    return (quiet(tool("ghdl", "-a", f"vhdl/{name}_pkg.vhd", "bench.vhd", cwd=folder))
            or quiet(tool("ghdl", "--elab-run", "bench", "--stop-time=1ns", cwd=folder)))


def configuration(folder, block, values):
    name = generate(block, folder, name="mine", values=values)
    text = (folder / f"vhdl/{name}_pkg.vhd").read_text()
    modules = [name, f"{name}_async_reset"] if values.get("reset") else [name]
    for module in modules:
        wrong = differences(verilog_ports(folder, module, [f"rtl/{module}.v"]), component_ports(text, module))
        if wrong:
            return f"{module}: {wrong}"
    said = quiet(tool("ghdl", "-a", "--std=93", f"vhdl/{name}_pkg.vhd", cwd=folder)) or quiet(tool("ghdl", "-a", "--std=08", f"vhdl/{name}_pkg.vhd", cwd=folder))
    constants = dict(re.findall(rf"constant {name}_(\w+) : natural := (\d+);", text))
    lost = [n for n, v in values.items() if n.isupper() and v.isdigit() and int(v) < 1 << 31 and constants.get(n) != v]
    return said or (f"constants: {lost}" if lost else "")


def planted(folder, block):
    """The checks of this script see a port that is wider, turned round, renamed or missing."""
    name = generate(block, folder, name="mine")
    verilog, package = verilog_ports(folder, name, [f"rtl/{name}.v"]), folder / f"vhdl/{name}_pkg.vhd"
    text = package.read_text()
    report(f"{block}: GHDL binds the component to an entity of the Verilog's ports", bound(folder, name, verilog))
    port, direction, width = next(p for p in verilog if p[2] > 1)
    line = f"{port} : {direction} std_logic_vector({width - 1} downto 0)"
    other = {"in": "out", "out": "in"}[direction]
    for what, new in (("a wider port", line.replace(f"({width - 1} ", f"({width} ")), ("a port turned round", line.replace(f": {direction} ", f": {other} ")),
                      ("a port of another name", line.replace(port, port + "x"))):
        changed = text.replace(line, new)
        seen = differences(verilog, component_ports(changed, name))
        package.write_text(changed)
        report(f"{block}: {what} is seen, by GHDL too", "" if changed != text and seen and bound(folder, name, verilog) else f"nobody sees {new}")



def main():
    for block in blocks_here():
        cases = [c for c in grid(block)[0]]
        cases += [o for o in OPTIONS if o]
        for place, values in enumerate(cases):
            what = f"{block} {text_of(values)}: the VHDL package has the ports of the Verilog"
            if not its_turn(place):
                later(what)
                continue
            with tempfile.TemporaryDirectory() as d:
                try:
                    reason = configuration(Path(d), block, values)
                except Problem as e:
                    if values not in OPTIONS or "got an option for a port" not in str(e):
                        raise
                    reason = ""  # the block has no such port
            report(what, reason)
        what = f"{block}: GHDL binds the component to an entity of the Verilog's ports"
        if its_turn(len(cases)):
            with tempfile.TemporaryDirectory() as d:
                planted(Path(d), block)
        else:
            later(what)


main()
finish()
