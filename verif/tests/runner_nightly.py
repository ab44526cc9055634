#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""The nightly runs: what is kept, what is run again and what is said to be stale."""
import json
import re
import tempfile
from pathlib import Path

from runner_lib import PROGRAM, TWO, finish, project, report, run

# The night: two blocks with a script each, one that fails, one that was stopped.
def night(folder, *args):
    status, lines, _ = run(folder, "--level", "nightly", "--jobs", "1", *args, ".sh")
    record = folder / "synth_reports/nightly.json"
    rows = {r["test"]: r for r in json.loads(record.read_text())["rows"]} if record.exists() else {}
    return status, "\n".join(lines), rows


def is_run(text, block):
    return f"verif/{block}/tests/n.sh" in text


with tempfile.TemporaryDirectory() as d:
    folder = Path(d)
    project(folder, {"b.sh": "[ ! -e build/broken ] && echo ok b || { echo not ok b: x; exit 1; }"}, TWO)
    for block in ("blk", "next"):
        (folder / f"verif/{block}/tests").mkdir(parents=True)
        (folder / f"verif/{block}/model.c").write_text(f"int {block};\n")
        path = folder / f"verif/{block}/tests/n.sh"
        path.write_text('#!/bin/bash\n# level: nightly\necho "ok n [XX-1]"\n')
        path.chmod(0o755)
    (folder / "build/broken").write_text("")
    status, text, rows = night(folder, "--left")
    report("what is left of the night is shown, and nothing is run", status == 0 and not rows and "3 are left" in text
           and text.count("never run") == 3, text)
    status, text, rows = night(folder)
    report("a night writes a row for each script", status == 1 and set(rows["verif/blk/tests/n.sh"]) == {
        "test", "result", "hash", "seconds", "processor"} and rows["verif/blk/tests/n.sh"]["result"] == "1 passed"
        and rows["verif/tests/b.sh"]["result"] == "FAIL: b", f"{text} {rows}")
    (folder / "build/broken").unlink()
    status, text, rows = night(folder)
    report("the next night runs again what failed, and that alone", status == 0 and "2 of 3 runs of scripts are kept" in text
           and "verif/tests/b.sh" in text and not is_run(text, "blk") and rows["verif/tests/b.sh"]["result"] == "1 passed", text)
    (folder / "verif/blk/model.c").write_text("int blk, other;\n")
    status, text, _ = night(folder, "--left")
    report("a row is stale when a file of its block has changed", re.search(r"^stale +verif/blk/tests/n.sh$", text, re.M) is not None
           and re.search(r"^kept +verif/next/tests/n.sh$", text, re.M) is not None and "2 of them stale" in text, text)
    (folder / "verif/next/model.c").write_text("int next; /* blk */\n")
    night(folder)
    (folder / "verif/blk/model.c").write_text("int blk;\n")
    status, text, _ = night(folder)
    report("and when one of a block that it speaks of has changed", status == 0 and is_run(text, "blk") and is_run(text, "next"), text)
    (folder / "cmodel/core").mkdir(parents=True)
    (folder / "cmodel/core/simt.h").write_text("")
    status, text, _ = night(folder)
    report("and when a file that all share has changed", status == 0 and is_run(text, "blk") and is_run(text, "next"), text)
    text = night(folder)[1]
    report("a night with nothing left runs nothing", "3 of 3 runs of scripts are kept, 0 are left" in text, text)
    text = night(folder, "--minutes", "0.000001")[1]
    path = folder / "verif/tests/b.sh"
    path.write_text(path.read_text() + "# changed\n")
    text = night(folder, "--minutes", "0.000001")[1]
    report("a night that is over begins nothing", text.count("1 are left") == 2 and text.endswith("0 passed, 0 failed"), text)

with tempfile.TemporaryDirectory() as d:
    folder = Path(d)
    again = """# rotate: 2
for n in 1 2; do
  grep -qxsF "ok $n" "$KEPT" && { echo "ok $n"; continue; }
  [ $n = 1 ] || [ -e build/second ] || { touch build/second; kill -INT $PPID; sleep 20; }
  echo "ok $n" >> "$KEPT"; echo ran $n >> build/ran; echo "ok $n"
done"""
    project(folder, {"a.sh": again}, PROGRAM)
    first, second = night(folder), night(folder)
    ran = (folder / "build/ran").read_text().split("\n")
    report("a script that was stopped goes on where it was", not first[2] and second[1].endswith("2 passed, 0 failed")
           and ran == ["ran 1", "ran 2", ""], f"{first} {second} {ran}")

finish()
