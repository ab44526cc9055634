#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""Each kind of trace given to each block, to sim and to check: the block that it is for takes it, of the others each says
whose trace it is. What a file is follows from its content, so its name says nothing here."""
import gzip
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "verif/tools"))
from testlib import ROOT, block_names, finish, report, run_program  # noqa: E402

MOST_LINES = 400
RECORDED = {p.suffixes[-2][1:]: p for p in sorted(ROOT.glob("verif/*/traces/*.gz"))}


def beginning(suffix, folder):
    """The first lines of a recorded trace of a kind, in a file whose name does not say it."""
    with gzip.open(RECORDED[suffix], "rt") as lines:
        text = [line for _, line in zip(range(MOST_LINES), lines)]
    path = folder / f"recorded_{suffix}"
    path.write_text("".join(text))
    return path


def owners_of(suffix, path):
    """The blocks that take it, as the first refusal has them; the one where it is recorded is the first."""
    for block in block_names():
        found = re.search(r" of ([a-z_ ]+): simtgen sim", run_program("sim", block, "--trace", path).stderr)
        if found:
            owners = found[1].split(" or ")
            return owners if owners[0] == RECORDED[suffix].parts[-3] else []
    return []


def problem(command, block, suffix, path, owners):
    run = run_program(*command, block, "--trace", path)
    if block in owners:
        return run.stderr if " a trace of " in run.stderr else ""
    if run.returncode != 2 or run.stdout:
        return f"exit status {run.returncode}: {run.stdout[:100]}{run.stderr[:200]}"
    for part in (f"simtgen: {path}: got a trace of ", f"(.{suffix}, ", f" {block} takes",
                 f" of {' or '.join(owners)}: simtgen sim {owners[0]}\n"):
        if part not in run.stderr:
            return f"{part!r} is not in {run.stderr!r}"
    return "" if run.stderr.count("\n") == 1 else f"not one message: {run.stderr!r}"


with tempfile.TemporaryDirectory() as tmp:
    for kind in RECORDED:
        trace = beginning(kind, Path(tmp))
        takers = owners_of(kind, trace)
        report(f"a trace .{kind} is of the block where it is recorded", "" if takers else "no message says so")
        for words in (("sim",), ("check", "-q")):
            said = [f"{b}: {why}" for b in block_names() if words[0] == "sim" or b not in takers
                    for why in [problem(words, b, kind, trace, takers)] if why]
            report(f"{words[0]}: a trace .{kind} at each block", "; ".join(said))
report("there are several kinds of traces", "" if len(RECORDED) > 1 else f"only {list(RECORDED)}")
finish()
