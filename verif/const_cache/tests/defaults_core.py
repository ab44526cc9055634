#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
# timeout: 120
"""Sizes that are not given are the same in the core as in the description, whatever else is given."""
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "verif/tools"))
import interface  # noqa: E402
from testlib import describe, finish, report  # noqa: E402

SIZES = ["L1_ENTRIES", "L2_ENTRIES", "BACKUP_ENTRIES", "BACKUP_WAYS"]
GIVEN = [{}, {"SMS": 5}, {"SMS": 9}, {"SMS": 64, "CONSTANTS": 16}, {"SMS": 8, "CONSTANTS": 33}, {"SMS": 9, "CONSTANTS": 32},
         {"CONSTANTS": 16}, {"CONSTANTS": 128}, {"CONSTANTS": 129}, {"CONSTANTS": 513}, {"SMS": 16, "WRITE_WORDS": 4},
         {"SMS": 16, "WRITE_WORDS": 4, "CONSTANTS": 64}, {"SMS": 16, "BACKUP_ENTRIES": 256}, {"SMS": 16, "BACKUP_WAYS": 4},
         {"SMS": 8, "BACKUP_ENTRIES": 128, "CONSTANTS": 16, "L1_ENTRIES": 8}]

with tempfile.TemporaryDirectory() as folder:
    core = interface.Core("const_cache", ROOT, ROOT, folder)
    bench = Path(folder) / "bench.v"
    instances = "".join(
        f"  const_cache_core {'#(' + ', '.join(f'.{n}({v})' for n, v in given.items()) + ')' if given else ''} u{i} ();\n"
        f"  initial $display(\"{i}{' %0d' * len(SIZES)}\", {', '.join(f'u{i}.{n}' for n in SIZES)});\n"
        for i, given in enumerate(GIVEN))
    bench.write_text(f"module bench;\n{instances}endmodule\n")
    out = Path(folder) / "bench.vvp"
    done = interface.run([interface.tool("iverilog"), "-g2005", "-s", "bench", "-o", str(out), str(bench), *core.files])
    said = [done.stderr.strip()[:300]] if done.returncode else []
    found = {} if said else {int(i): [int(v) for v in values] for i, *values in map(str.split, interface.run(
        [interface.tool("vvp"), "-N", "-n", str(out)]).stdout.splitlines())}
    for i, given in enumerate(GIVEN):
        values = {p["name"]: p["value"] for p in describe("const_cache", given)["parameters"]}
        wanted = [int(values[n]) for n in SIZES]
        if found.get(i) != wanted:
            said.append(f"{given}: {', '.join(SIZES)} are {found.get(i)} in the core, {wanted} in the description")
    report("const_cache: sizes that are not given are the core's and the description's [CC-3 CC-12]", "; ".join(said))
finish()
