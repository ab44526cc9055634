#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1800
"""The lists in synth_reports/ are of the designs as they are: the same netlist, and what a sample shows agrees with them."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from mutants import configurations, content, lockstep, numbers_of  # noqa: E402
from testlib import ROOT, Problem, finish, report, text_of  # noqa: E402

SAMPLE, CYCLES = 255, 20000


def parts(path):
    """{title of a configuration: its lines}."""
    found = {}
    for line in path.read_text().splitlines():
        if not line.startswith(" "):
            title, rest = line.split(": ", 1)
            found[title] = [rest]
        else:
            found[title].append(line)
    return found


def look(block, values, lines):
    result = lockstep(block, SAMPLE, values, CYCLES)
    name, now = f"{block} {text_of(values)}: a sample agrees with its list", result["all"] - result["change_nothing"]
    listed = int(re.search(r"mutants of (\d+)", lines[0])[1])
    if listed != now:
        report(name, f"{listed} mutants in the list, {now} in the design: run `make mutants BLOCK={block}`")
        return
    netlist = content(result["aiger"])
    if not lines[0].endswith(netlist):
        report(name, f"a list of another netlist, that of now is {netlist}: run `make mutants BLOCK={block}`")
        return
    kept = {n: line.split()[0] for line in lines[1:] for n in numbers_of(line)}
    wrong = [m["number"] for m in result["mutants"] if m["found"] and kept.get(m["number"]) == "equivalent"]
    report(name, f"in the list as equivalent, and found: {wrong}" if wrong else "")


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
