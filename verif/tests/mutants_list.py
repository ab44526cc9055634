#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1800
"""The lists in synth_reports/ are of the designs as they are: the same netlist."""
import re
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / d) for d in ("mutate", "tools")]
from mutants import configurations, content, lockstep, parts  # noqa: E402
from testlib import ROOT, Problem, finish, report, text_of  # noqa: E402

SAMPLE, CYCLES = 1, 200


def look(block, values, lines):
    result = lockstep(block, SAMPLE, values, CYCLES)
    name, now = f"{block} {text_of(values)}: its list is of this design", result["all"] - result["change_nothing"]
    listed = int(re.search(r"mutants of (\d+)", lines[0])[1])
    if listed != now:
        report(name, f"{listed} mutants in the list, {now} in the design: run `make mutants BLOCK={block}`")
        return
    netlist = content(result["aiger"])
    report(name, "" if lines[0].endswith(netlist) else
           f"a list of another netlist, that of now is {netlist}: run `make mutants BLOCK={block}`")


def main():
    for path in sorted((ROOT / "synth_reports").glob("*_mutants.txt")):
        block, all_of = path.name[:-len("_mutants.txt")], parts(path)
        for _, values in configurations(block):
            lines = all_of.get(f"{block} {text_of(values)}")
            if lines:
                look(block, values, lines)
            else:
                report(f"{block} {text_of(values)}: in {path.name}", f"missing: run `make mutants BLOCK={block}`")


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("mutants_list", e)
    finish()
