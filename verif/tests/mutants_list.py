#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1800
"""The lists in synth_reports/ are of the designs as they are: the same netlist, and what a sample shows agrees with them. A run that
goes on from the shortest list (--again) leaves it as it is, and refuses that of another netlist."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / d) for d in ("mutate", "tools")]
from mutants import configurations, content, listed, lockstep, numbers_of, parts  # noqa: E402
from testlib import ROOT, Problem, finish, report, text_of  # noqa: E402

SAMPLE, CYCLES = 255, 20000


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


def goes_on():
    path = min((ROOT / "synth_reports").glob("*_mutants.txt"), key=lambda p: p.stat().st_size)
    block = path.name[:-len("_mutants.txt")]
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder) / "list"
        run = subprocess.run([sys.executable, ROOT / "verif/mutate/mutants.py", block, "--again", "--quick", "--output", new],
                             capture_output=True, text=True)
        same = new.exists() and new.read_text() == path.read_text()
    report(f"{path.name}: --again leaves it as it is", "" if same else run.stderr or "another list")
    values, said = configurations(block)[0][1], []
    lines = parts(path)[f"{block} {text_of(values)}"]
    count, netlist = int(lines[0].split()[0]), lines[0].split()[-1]
    for wrong in (("another", count), (netlist, count + 1)):  # a sample is no list of all
        try:
            listed(block, values, *wrong)
        except Problem as e:
            said.append(str(e))
    report(f"{path.name}: --again refuses it for another netlist or sample",
           "" if len(said) == 2 and all("run without --again" in x for x in said) else f"it said {said}")


def main():
    goes_on()
    for path in sorted((ROOT / "synth_reports").glob("*_mutants.txt")):
        block, all_of = path.name[:-len("_mutants.txt")], parts(path)
        for _, values, _ in configurations(block):
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
