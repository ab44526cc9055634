#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""The committed results of sweeps over workloads are those of the models: run again, every number is the same. `--update` writes
them anew, when a model is meant to take other cycles."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "verif" / "tools"))
from testlib import finish, program, report  # noqa: E402

REFERENCE = ROOT / "synth_reports" / "reference"


def numbers(lines):
    return [(row["params"], {w: {k: v for k, v in r.items() if k != "command"} for w, r in row["workloads"].items()})
            for row in map(json.loads, lines[1:])]


found = sorted(REFERENCE.glob("sweep-*.jsonl"))
report("there are references", "" if found else "none")
for path in found:
    name = path.stem.removeprefix("sweep-")
    lines = path.read_text().splitlines()
    if json.loads(lines[0])["targets"]:
        continue  # hours of place and route: by hand, with simtgen report --against
    with tempfile.TemporaryDirectory() as top:
        run = subprocess.run([program(), "sweep", str(ROOT / "synth_reports" / "sweeps" / f"{name}.yaml"), "-o", f"{top}/out", "-q"],
                             capture_output=True, text=True)
        if run.returncode:
            report(name, run.stderr)
            continue
        result = (Path(top) / "out" / "results.jsonl").read_text()
        own, kept = numbers(result.splitlines()), numbers(lines)
        if sys.argv[1:] == ["--update"] and own != kept:
            path.write_text(result)
            print(f"# {name} is written anew")
            continue
        differ = [a[0] for a, b in zip(own, kept) if a != b] or ([] if len(own) == len(kept) else ["the number of points"])
        report(f"the reference of {name} is what the models give",
               f"{differ[0]}{' and others' if len(differ) > 1 else ''}; if that is meant, write it anew: gen/tests/sweep_reference.py --update" if differ else "")
finish()
