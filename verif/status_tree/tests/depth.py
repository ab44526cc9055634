#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 400
"""LUT levels between two registers of the tree, on the netlist that `simtgen synth` makes for iCE40: one where a stage
joins at most 4 reports, two up to 16. 1,024 units: tests/depth_long.sh."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from testlib import Problem, describe, finish, report, run_program  # noqa: E402

QUICK = [(16, 2, 1), (16, 3, 1), (64, 3, 1), (64, 2, 2), (256, 4, 1), (256, 2, 2)]  # units, STAGES, levels allowed
LONG = [(1024, 5, 1), (1024, 3, 2)]
SPAN = ("status_tree_branch.v", "1 << (2 *", "1 << (3 *")  # the planted fault: 8 in one stage that should join 4


def netlist(folder, plant=None):
    """The cells of the tree after synthesis."""
    rtl = Path(folder) / "rtl"
    if plant:
        path = rtl / plant[0]
        text = path.read_text()
        if plant[1] not in text:
            raise Problem(f"the text of the fault is not in {plant[0]}")
        path.write_text(text.replace(plant[1], plant[2]))
    script = (f"read_verilog {' '.join(str(p) for p in sorted(rtl.glob('*.v')))}; synth_ice40 -abc9 -top status_tree; "
              f"write_json {folder}/n.json")
    yosys = os.environ.get("SIMTGEN_YOSYS") or shutil.which("yosys")
    subprocess.run([yosys, "-q", "-p", script], check=True, timeout=300, capture_output=True)
    return json.loads((Path(folder) / "n.json").read_text())["modules"]["status_tree"]["cells"].values()


def levels(cells):
    """The most LUTs in a row that no register interrupts."""
    drives = {c["connections"]["O"][0]: c for c in cells if c["type"] == "SB_LUT4"}
    depth = {}

    def of(bit):
        if bit not in drives:
            return 0
        if bit not in depth:
            pins = drives[bit]["connections"]
            depth[bit] = 1 + max(of(pins[i][0]) for i in ("I0", "I1", "I2", "I3"))
        return depth[bit]

    ends = [bit for c in cells if c["type"].startswith("SB_DFF") for n, pin in c["connections"].items()
            if n in ("D", "E", "R", "S") for bit in pin]
    return max(of(bit) for bit in ends)


def measured(units, stages, plant=None):
    values = {"UNITS": units, "GROUP": units, "STAGES": stages}
    with tempfile.TemporaryDirectory() as folder:
        options = [o for n, v in values.items() for o in ("-p", f"{n}={v}")]
        run_program("gen", "status_tree", "-q", "--no-doc", *options, "-o", folder)
        return netlist(folder, plant), {d["name"]: d["value"] for d in describe("status_tree", values)["derived"]}["ARITY"]


def main():
    for units, stages, allowed in LONG if "--long" in sys.argv else QUICK:
        cells, arity = measured(units, stages)
        found = levels(cells)
        good = found <= allowed and (arity <= 4) == (allowed == 1) and arity <= 16
        report(f"{units} units in {stages} stages of at most {arity}: {found} LUT level{'s' if found > 1 else ''}",
               "" if good else f"at most {allowed} wanted", "US-6")
    found = levels(measured(64, 3, SPAN)[0])
    report("a stage that joins too many is found", "" if found > 1 else f"{found} levels", "US-6")


if __name__ == "__main__":
    main()
    finish()
