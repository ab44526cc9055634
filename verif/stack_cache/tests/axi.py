#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 300
"""stack_cache behind AXI4 and AXI4-Lite under a public model of the buses (cocotbext-axi on Icarus): axi_bench.py
says what is tried; here it is run, full width and in bursts, and on planted faults."""
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from bus_models import run_bench  # noqa: E402
from testlib import Problem, describe, finish, its_turn, later, options, report, run_program  # noqa: E402

NAME = "stack_cache"
MODULE = Path(__file__).resolve().parent / "axi_bench.py"
BLOCK = {"THREADS": 3, "ENTRIES": 4, "SET": 2, "ENTRY_W": 32, "MAX_DEPTH": 256, "bus": "axi4", "regs": "axi4-lite"}
WIDTHS = {"full width": {}, "bursts of 4": {"bus_width": 16, "bus_reads": 4}}
REQS = {"memory_in_order": "SC-10", "memory_reorders": "SC-10", "registers": "SC-2 SC-12"}

# What is planted in a generated file: (test that must fail, file, what, replacement).
PLANTED = [
    ("memory_reorders", "axi4_master.v", "{id, beats_q[id]}", "{next_q, beats_q[id]}"),
    ("slave_error_on_restore", "axi4_master.v", "error_q[id] | beat_error", "error_q[id] & beat_error"),
    ("slave_error_on_spill", "axi4_master.v", "m_axi_bresp & {2{m_axi_bresp[1]}}", "2'd0"),
    ("memory_in_order", "axi4_master.v", "mem_req_data_i[w_beat_q*BUS_W +: BUS_W]", "mem_req_data_i[0 +: BUS_W]"),
    ("registers", "axi4_lite_regs.v", "!(&s_axil_wstrb)", "!(|s_axil_wstrb)"),
]


def bench(values, tmp, plant=None):
    """{test: reason} of the bench on a configuration."""
    folder = Path(tempfile.mkdtemp(dir=tmp))
    run = run_program("gen", NAME, "--no-doc", "-q", *options(values), "-o", str(folder / "out"))
    if run.returncode:
        raise Problem(run.stderr.strip())
    if plant:
        path = folder / "out/rtl" / f"{NAME}_{plant[1]}"
        text = path.read_text()
        if plant[2] not in text:
            raise Problem(f"{plant[1]} has no '{plant[2]}'")
        path.write_text(text.replace(plant[2], plant[3]))
    told = describe(NAME, values)
    registers = {r["name"]: r for r in told["registers"]}
    derived = {d["name"]: d["value"] for d in told["derived"]}
    environment = {f"REG_{n}": hex(registers[n]["address"]) for n in (
        "ID", "STATUS", "LIMIT", "THREAD", "DEPTH", "ERROR", "ERROR_COUNT")}
    used = {r["address"] for r in told["registers"]}
    width = next(p["width"] for p in told["ports"] if p["name"] == "s_axil_awaddr")
    holes = [a for a in range(0, 1 << width, 4) if a not in used]
    environment |= {"HOLES": f"{holes[0]} {holes[-1]}", "THREADS": str(values["THREADS"]), "ENTRY_W": str(values["ENTRY_W"]), "BEATS": str(derived["BUS_BEATS"]),
                    "ID_VALUE": hex(registers["ID"]["reset"]), "REGION": str(1 << derived["STRIDE_MAX"])}
    if plant:
        environment["COCOTB_TEST_FILTER"] = f"{plant[0]}$"
    checks = [p for p in (folder / "out/tb").glob("*.v") if p.name.endswith(("_checked.v", "_check.v"))]
    return run_bench([*sorted((folder / "out/rtl").glob("*.v")), *sorted(checks)], f"{NAME}_checked", MODULE, folder,
                     os.environ.get("SEED", "1"), environment)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        for what, width in WIDTHS.items():
            for test, reason in bench({**BLOCK, **width}, tmp).items():
                report(f"AXI, {what}: {test.split('.')[-1].replace('_', ' ')}", reason,
                       REQS.get(test.split(".")[-1], "SC-12"))
        for place, plant in enumerate(PLANTED):
            name = f"AXI: a fault is found by {plant[0].replace('_', ' ')}: {plant[3]}"
            if not its_turn(place):
                later(name)
                continue
            found = bench({**BLOCK, **WIDTHS["bursts of 4"]}, tmp, plant)
            report(name, "" if any(found.values()) else f"all passed: {', '.join(found)}")


try:
    main()
except Problem as e:
    report("stack_cache under cocotbext-axi", e)
finish()
