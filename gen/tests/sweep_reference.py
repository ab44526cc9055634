#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
"""The cycles in the committed results of sweeps are those of the models: run again, every number is the same. `--update` writes
them anew, when a model is meant to take other cycles."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "verif" / "tools"))
from testlib import finish, program, report  # noqa: E402

SWEEPS = ROOT / "synth_reports" / "sweeps"
REFERENCE = ROOT / "synth_reports" / "reference"


def rows(text):
    return [json.loads(line) for line in text.splitlines()[1:]]


def numbers(row):
    return row["params"], {w: {k: v for k, v in r.items() if k != "command"} for w, r in row["workloads"].items()}


def without_targets(name, folder):
    """The sweep with its workloads alone: place and route take hours, and are done by hand, with simtgen report --against."""
    path = folder / f"{name}.yaml"
    text = re.sub(r"^(targets|seeds):.*\n", "", (SWEEPS / path.name).read_text(), flags=re.M)
    path.write_text(text.replace("../../", f"{ROOT}/"))
    return path


def renewed(kept, own):
    """The committed text with the numbers of the models of today."""
    lines = kept.splitlines()
    for i, (old, new) in enumerate(zip(rows(kept), rows(own)), 1):
        for name, result in new["workloads"].items():
            old["workloads"][name] = result | {"command": old["workloads"][name]["command"]}
        lines[i] = json.dumps(old, separators=(",", ":"))
    return "\n".join(lines) + "\n"


def check(path, folder):
    name, kept = path.stem.removeprefix("sweep-"), path.read_text()
    header = json.loads(kept.splitlines()[0])
    if not header["workloads"]:
        return
    sweep = without_targets(name, folder) if header["targets"] else SWEEPS / f"{name}.yaml"
    run = subprocess.run([program(), "sweep", sweep, "-o", folder / "out", "-q"], capture_output=True, text=True)
    if run.returncode:
        report(name, run.stderr)
        return
    own = (folder / "out" / "results.jsonl").read_text()
    pairs = list(zip(map(numbers, rows(own)), map(numbers, rows(kept))))
    differ = [a[0] for a, b in pairs if a != b] or ([] if len(rows(own)) == len(rows(kept)) else ["the number of points"])
    if differ and sys.argv[1:] == ["--update"]:
        path.write_text(renewed(kept, own) if header["targets"] else own)
        print(f"# {name} is written anew")
        return
    report(f"the cycles of the reference {name} are what the models give",
           f"{differ[0]}{' and others' if len(differ) > 1 else ''}; if that is meant, write it anew: gen/tests/sweep_reference.py --update" if differ else "")


found = sorted(REFERENCE.glob("sweep-*.jsonl"))
report("there are references", "" if found else "none")
for reference in found:
    with tempfile.TemporaryDirectory() as top:
        check(reference, Path(top))
finish()
