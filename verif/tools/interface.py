# SPDX-License-Identifier: Apache-2.0
"""Compares the Verilog core of a block with the block's description (verif/tests/interface.py).

Ports and parameters come from Yosys's JSON, localparams from Icarus by hierarchical name, both at
every configuration of the block's grid; whether the core accepts a configuration, from Icarus's
elaboration.
"""
import itertools
import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import registers
from testlib import Problem, describe, text_of

GUARD = "Unknown module type"  # a range guard instantiates a module that does not exist
DIRECTION = {"in": "input", "out": "output"}


def tool(name):
    path = os.environ.get(f"SIMTGEN_{name.upper()}") or shutil.which(name)
    if not path:
        raise Problem(f"{name}: not found on the path; install it with `make setup`")
    return path


def run(command, timeout=170):
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


def vector(derived):
    """A derived value as one number, a vector's first element in the lowest bits."""
    if "element_bits" not in derived:
        return derived["value"]
    return sum(v << i * derived["element_bits"] for i, v in enumerate(derived["value"]))


def passed(described):
    """{parameter of the core that the user does not set: value, as Verilog takes it}."""
    found = {}
    for d in (described or {}).get("derived", []):
        if d["core_parameter"]:
            bits = d.get("element_bits", 0) * len(d["value"]) if "element_bits" in d else 0
            found[d["name"]] = f"{bits}'h{vector(d):x}" if bits else d["value"]
    return found


class Core:
    """The Verilog of one block in a tree: rtl_templates/BLOCK/, with the cells of `lib`."""

    def __init__(self, block, tree, lib, folder, using=None):
        self.block, self.top, self.folder, self.using = block, f"{block}_core", Path(folder), using
        self.main = Path(tree) / "rtl_templates" / block / f"{self.top}.v"
        if not self.main.exists():
            raise Problem(f"{self.main}: missing")
        self.default = describe(block, using=using)
        folders = [self.main.parent, *(Path(lib) / "rtl_templates" / u for u in [*self.default["uses"], "lib"])]
        self.files = [str(p) for folder in folders for p in sorted(folder.glob("*.v"))]
        self.register_port = None  # its place in the core, once it is known (registers.py)
        self.params = [p for p in self.default["parameters"] if p["in_core"]]
        self.options = {p["name"] for p in self.default["parameters"] if not p["in_core"]}
        self.wrappers = {p["name"] for p in self.default["parameters"] if p["wrapper"]}
        if self.default["records"]:
            self.options.add(self.default["records"]["key"])
        for p in self.params:
            if "choices" in p:
                p.update(min=0, max=len(p["choices"]) - 1)
        # Declared somewhere in the core's file; which value each has, Icarus says.
        text = re.sub(r"//.*|/\*.*?\*/", "", self.main.read_text())
        declared = re.findall(r"\blocalparam\b([^;]*)[;)]", text)
        self.localparams = {n for d in declared for n in re.findall(r"\b([A-Z]\w*)\s*=(?!=)", d)}

    def choices(self, name):
        return next((p.get("choices") for p in self.params if p["name"] == name), None)

    def number(self, name, value):
        """A value as Verilog takes it; simtgen and the grid may know it by the name of a choice."""
        choices = self.choices(name)
        return choices.index(value) if choices and value in choices else int(value)

    def spell(self, name, number):
        """The reverse."""
        choices = self.choices(name)
        return choices[number] if choices else number

    def overrides(self, values, described=None):
        """What the top passes to the core: with the configuration's description also what follows from it."""
        return {**{n: self.number(n, v) for n, v in values.items() if n not in self.options}, **passed(described)}

    def ports(self, configurations):
        """Per configuration {port: (direction, width)}, and the core's {parameter: default}."""
        script = [f"read_verilog -lib {self.main}", "design -save clean"]
        for i, values in enumerate(configurations):
            given = self.overrides(values, describe(self.block, values, self.using)) if values else {}
            chparam = "".join(f" -chparam {n} {v}" for n, v in given.items())
            script += ["design -load clean", f"hierarchy -top {self.top}{chparam}",
                       f"write_json {self.folder}/ports{i}.json"]
        done = run([tool("yosys"), "-q", "-p", "; ".join(script)])
        if done.returncode:
            raise Problem(f"yosys: {done.stderr.strip() or done.stdout.strip()}")
        found, defaults = [], {}
        for i, _ in enumerate(configurations):
            modules = json.loads((self.folder / f"ports{i}.json").read_text())["modules"]
            top = next((m for n, m in modules.items() if n.startswith("$paramod")), modules.get(self.top))
            found.append({n: (p["direction"], len(p["bits"])) for n, p in top["ports"].items()})
            if i == 0:
                defaults = top.get("parameter_default_values", {})
        return found, {n: int(v, 2) if isinstance(v, str) else v for n, v in defaults.items()}

    def elaborate(self, numbers, show=()):
        """(why Icarus refuses the core with these parameters, or "", {localparam: value})."""
        bench, out = self.folder / "bench.v", self.folder / "bench.vvp"
        set_params = ", ".join(f".{n}({v})" for n, v in numbers.items())
        lines = "".join(f'    $display("{n} %0d", dut.{n});\n' for n in show)
        bench.write_text(f"module bench;\n  {self.top} {'#(' + set_params + ')' if numbers else ''} dut ();\n"
                         f"  initial begin\n{lines}    $finish;\n  end\nendmodule\n")
        command = [tool("iverilog"), "-g2005", "-s", "bench", *(["-o", str(out)] if show else ["-tnull"]),
                   str(bench), *self.files]
        done = run(command)
        if done.returncode:
            guard = re.search(rf"{GUARD}: .*", done.stderr)
            first = (done.stderr.strip() or "Icarus fails").splitlines()[0].removeprefix(f"{self.main.parent}/")
            return guard[0] if guard else first, {}
        text = run([tool("vvp"), "-N", str(out)]).stdout if show else ""
        return "", {n: int(v) for n, v in re.findall(r"^(\w+) (-?\d+)$", text, re.M)}

    def refused(self, numbers):
        """By a guard of its own, not by an accident."""
        return self.elaborate(numbers)[0].startswith(GUARD)


def difference(what, here, there):
    """What differs between two {name: value}, core and description."""
    said = [f"{what} {n} is not in the description" for n in here if n not in there]
    said += [f"{what} {n} is not in the core" for n in there if n not in here]
    return said + [f"{what} {n} is {here[n]} in the core, {there[n]} in the description"
                   for n in here if n in there and here[n] != there[n]]


def check_parameters(core):
    _, defaults = core.ports([{}])
    wanted = {p["name"]: core.number(p["name"], p["default"]) for p in core.params}
    wanted.update({d["name"]: vector(d) for d in core.default["derived"] if d["core_parameter"]})
    return difference("parameter", defaults, wanted)


def check_ports(core, configurations):
    said = []
    found, _ = core.ports(configurations)
    for values, ports in zip(configurations, found):
        alone = {n: v for n, v in values.items() if n not in core.wrappers}  # no wrapper round it
        described = describe(core.block, alone, core.using)
        if described is None:
            said.append(f"grid: {text_of(values)} is refused by simtgen")
            continue
        wanted = {p["name"]: (DIRECTION[p["direction"]], p["width"]) for p in described["ports"]}
        wanted |= {p["name"]: ("input", p["width"]) for p in described["core_inputs"]}
        said += [f"{text_of(values)}: {d}" for d in difference("port", ports, wanted)]
    return said


def check_derived(core, configurations):
    """Derived values, which also shows that each of the configurations elaborates."""
    said = []
    for values in configurations:
        described = describe(core.block, values, core.using)
        derived = {d["name"]: d for d in (described or {}).get("derived", []) if not d["core_parameter"]}
        missing = [n for n, d in derived.items() if d["in_core"] and n not in core.localparams]
        said += [f"derived value {n} is not in the core" for n in missing]
        said += [f"localparam {n} is not marked as in the core by the description" for n, d in
                 derived.items() if not d["in_core"] and n in core.localparams]
        show = [n for n in derived if n in core.localparams]
        reason, values_found = core.elaborate(core.overrides(values, described), show)
        if reason:
            said.append(f"{text_of(values)}: does not elaborate: {reason}")
        said += [f"{text_of(values)}: {n} is {values_found.get(n)} in the core, "
                 f"{derived[n]['value']} in the description" for n in show
                 if not reason and values_found.get(n) != derived[n]["value"]]
    return list(dict.fromkeys(said))


def at(core, name, value, configurations):
    """A configuration with this value that simtgen accepts: the defaults otherwise, else a grid line."""
    alone = {name: core.spell(name, value)}
    if describe(core.block, alone, core.using) is not None:
        return alone
    return next((c for c in configurations if name in c and core.number(name, c[name]) == value), None)


def check_ranges(core, configurations):
    said = []
    for p in core.params:
        name, low, high = p["name"], p["min"], p["max"]
        outside = [low - 1, high + 1] + ([high - 1] if p.get("power_of_two") and high > 3 else [])
        for value in outside:
            if not core.refused({name: value}):
                said.append(f"{name}={value} is not refused by a guard, out of {low}..{high}"
                            f"{', powers of two' if p.get('power_of_two') else ''}")
        for value in (low, high):
            values = at(core, name, value, configurations)
            if values is None:
                said.append(f"grid: no line has {name}={value}, and the other defaults forbid it")
                continue
            reason = core.elaborate(core.overrides(values, describe(core.block, values, core.using)))[0]
            if reason:
                said.append(f"{text_of(values)}: does not elaborate: {reason}")
    return said


def forbidden_pairs(core, listed):
    """The listed ones, and every pair of limits that simtgen refuses."""
    pairs = list(listed)
    limits = [[(p["name"], core.spell(p["name"], v)) for v in (p["min"], p["max"])] for p in core.params]
    tried = [{n1: v1, n2: v2} for one, other in itertools.combinations(limits, 2)
             for (n1, v1), (n2, v2) in itertools.product(one, other)]
    with ThreadPoolExecutor(4) as pool:  # thousands of short runs
        described = pool.map(lambda values: describe(core.block, values, core.using), tried)
        return pairs + [values for values, d in zip(tried, described) if d is None]


def check_forbidden(core, listed):
    said = []
    for values in listed:
        if describe(core.block, values, core.using) is not None:
            said.append(f"grid: ! {text_of(values)} is accepted by simtgen")
    for values in forbidden_pairs(core, listed):
        if core.options & set(values):
            continue  # an option of the generator: the core cannot see it
        if not core.refused(core.overrides(values)):
            said.append(f"{text_of(values)} is not refused by a guard, but simtgen refuses it")
    return said


def check_registers(core, configurations):
    """Every address of the register port, of core and model."""
    if not core.default["registers"]:
        return []
    said, player = [], registers.build_player(core.folder)
    for values in configurations:
        alone = {n: v for n, v in values.items() if n not in core.wrappers}
        described = describe(core.block, alone, core.using)
        if described is None:
            continue  # check_ports says so
        differs = registers.Core(core, alone, described, tool("iverilog"), tool("vvp")).differs(described)
        differs += registers.Model(player, core.block, alone, described).differs(described)
        said += [f"{text_of(values)}: {d}" for d in differs]
    return said


def check_all(core, allowed, forbidden, sparse=1, lines=None):
    """[(what was compared, complaints)]; registers of the defaults and each `sparse` configuration alone. `lines`: the whole grid,
    where `allowed` is a part of it: the ends of each range are looked up there."""
    configurations = [{}, *allowed]
    said = check_parameters(core)
    if said:  # nothing else can be set up
        return [("parameters and defaults", said)]
    return [("parameters and defaults", said),
            ("ports, directions and widths", check_ports(core, configurations)),
            ("derived values", check_derived(core, configurations)),
            ("registers", check_registers(core, configurations[::sparse])),
            ("ranges", check_ranges(core, [{}, *(lines or allowed)])),
            ("forbidden combinations", check_forbidden(core, forbidden))]
