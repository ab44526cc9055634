#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""The test runner itself: every way in which a script can fail counts, and so does the table; what rotates."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from runner_lib import PROGRAM, ROOT, TWO, finish, project, report, run

CASES = [  # name, script, passed, failed, words that the report contains
    ("passing lines are counted", "echo ok a; echo 'ok b [XX-1]'", 2, 0, "2 passed"),
    ("a failing line is counted and its output shown",
     "echo ok a; echo why >&2; echo 'not ok b [XX-1]: broken'; exit 1", 1, 1, "| why"),
    ("a script that prints nothing fails", "true", 0, 1, "printed no result"),
    ("a non-zero exit without a failing line fails", "echo ok a; exit 3", 1, 1, "exit status 3"),
    ("an exit of zero after a failing line fails", "echo not ok a: x", 0, 2, "in spite of"),
    ("a script that hangs fails", "# timeout: 1\necho ok a; sleep 60", 1, 1, "stopped after 1 s"),
    ("a script without a level fails", "#!/bin/bash\necho ok a", 0, 1, "has no line '# level"),
    ("a number of parts that is none fails", "# rotate: 0\necho ok a", 0, 1, "'0' is no number of parts"),
    ("a number of turns that is none fails", "# turn: x\necho ok a", 0, 1, "'x' is no number of parts"),
    ("a test that comes later is neither passed nor failed", "echo ok a; echo 'later b [XX-1]'", 1, 0, "1 tests are left to other parts"),
    ("a misspelt level fails", "#!/bin/bash\n# level: chekc\necho ok a", 0, 1, "'chekc'"),
]

for name, script, passed, fails, words in CASES:
    with tempfile.TemporaryDirectory() as d:
        project(Path(d), {"a.sh": script})
        status, lines, _ = run(Path(d))
        good = (lines and lines[-1] == f"{passed} passed, {fails} failed" and words in "\n".join(lines)
                and status == (1 if fails else 0))
        report(name, good, f"status {status}, {lines}")

with tempfile.TemporaryDirectory() as d:
    project(Path(d), {"plain.sh": "echo ok a"})
    _, lines, _ = run(Path(d))
    report("a test that is not executable fails", lines[-1] == "0 passed, 1 failed", str(lines))

with tempfile.TemporaryDirectory() as d:
    project(Path(d), {"a.sh": "echo ok a", "b.sh": "#!/bin/bash\n# level: nightly\necho ok b"})
    counts = [run(Path(d), "--level", x, ".sh")[1][-1] for x in ("check", "nightly")]
    report("a level runs itself and those below",
           counts == ["1 passed, 0 failed", "2 passed, 0 failed"], str(counts))

def table_run(scripts, ids="XX-1 first | rule\nXX-2 second\n", stale=False):
    with tempfile.TemporaryDirectory() as d:
        folder = Path(d)
        project(folder, scripts, PROGRAM)
        (folder / "verif/blk").mkdir()
        (folder / "verif/blk/requirements.txt").write_text(ids)
        run(folder, "--level", "test")
        run(folder, tool="requirements.py")
        if stale:
            path = folder / "verif/tests/a.sh"
            path.write_text(path.read_text().replace("ok a of", "ok c of"))
        status, lines, _ = run(folder, "--level", "test")
        saved = json.loads((folder / "build/tests.json").read_text())
        return status, "\n".join(lines), (folder / "docs/requirements.md").read_text(), saved


FULL = {"a.sh": "echo 'ok a of blk [XX-1, XX-2]'", "b.sh": "echo 'ok b of blk [XX-2]'; echo 'ok other of blk2 [XX-2]'"}
status, text, table, saved = table_run(FULL)
report("the table lists ids, design and tests",
       status == 0 and "| XX-1 | first \\| rule | SIZE | verif/tests/a.sh: a of blk |" in table
       and "| XX-2 | second | hit0 (C) .. hit1 (C) | verif/tests/a.sh: a of blk<br>verif/tests/b.sh: b of blk |" in table, text + table)
report("the results are saved with their ids",
       saved["scripts"]["verif/tests/a.sh"]["tests"][0]["ids"] == ["XX-1", "XX-2"], str(saved))
status, text, _, _ = table_run(FULL, stale=True)
report("a stale table fails the run", status == 1 and "run `make requirements`" in text, text)
names = [f"echo 'ok {n} of blk [XX-1, XX-2]'" for n in "badc"]
tables = [table_run({"a.sh": "; ".join(order)})[2] for order in (names, names[::-1])]
report("tests that end in another order change no table", tables[0] == tables[1] and "4 tests, the first: a of blk" in tables[0], "".join(tables))
status, text, _, _ = table_run({"b.sh": FULL["b.sh"]})
report("a requirement without a test fails the run", status == 1 and "none for XX-1" in text, text)
status, text, _, _ = table_run({"a.sh": "echo 'ok a [XX-1]'", "b.sh": FULL["a.sh"].replace("XX-1, ", "")})
report("a test of another block does not count for a requirement of this one", status == 1 and "none for XX-1" in text, text)
status, text, _, _ = table_run(dict(FULL, **{"c.sh": "echo 'ok c [XX-9]'"}))
report("an unknown id fails the run", status == 1 and "XX-9: in no requirements.txt" in text, text)
OPEN = "XX-1 first\nXX-2 second\nopen XX-3 third\n"
status, text, table, _ = table_run(FULL, OPEN)
report("a requirement that is not built stands in the table without a test", status == 0 and "| XX-3 | third |  | not built |" in table, text + table)
status, text, _, _ = table_run(dict(FULL, **{"c.sh": "echo 'ok c of blk [XX-3]'"}), OPEN)
report("a test of one that is said not to be built fails the run", status == 1 and "XX-3: take `open` out of" in text, text)

# Rotation: a script that has two parts, by hand as lib.sh does it.
TURNS = """# rotate: 2
for n in 0 1 2; do
  [ "$PART" = all ] || [ $((n % 2)) = "${PART%/2}" ] && echo "ok $n of blk [XX-1, XX-2]" || echo "later $n of blk [XX-1, XX-2]"
done"""


def turns(rotation, level="test"):
    with tempfile.TemporaryDirectory() as d:
        project(Path(d), {"a.sh": TURNS}, PROGRAM)
        return "\n".join(run(Path(d), "--level", level, "a.sh", rotation=rotation)[1])


report("a part of the cases is run, which one is said",
       sorted(turns(r).rsplit("\n", 1)[1] for r in "45") == ["1 passed, 0 failed", "2 passed, 0 failed"] and "part 4 of this tree (ROTATION=4" in turns("4"), turns("4") + turns("5"))
report("all of them with ROTATION=all and at night", turns("all").endswith("3 passed, 0 failed") and turns("4", "nightly").endswith(
    "3 passed, 0 failed"), turns("all") + turns("4", "nightly"))
report("a number that is none is refused", turns("x").endswith("0 passed, 0 failed"), turns("x"))


def by_block(rotation, level="test"):
    with tempfile.TemporaryDirectory() as d:
        project(Path(d), {"a.sh": "# each: block\n# turn: 2\necho \"ok of $BLOCKS\""}, TWO)
        (Path(d) / "verif/blk").mkdir()
        return run(Path(d), "--level", level, "a.sh", rotation=rotation)[1]


counts = [by_block(r)[-1] for r in ("4", "5", "all")] + [by_block("4", "nightly")[-1]]
report("blocks rotate", counts[0] == counts[1] == "1 passed, 0 failed" and counts[2] == counts[3] == "2 passed, 0 failed"
       and {x for r in "45" for x in by_block(r) if "1 passed  " in x and "later" not in x}.__len__() == 2
       and "1 tests are left" in by_block("4")[-2], f"{counts} {by_block('4')} {by_block('5')}")


def by_turn(rotation, level="test"):
    with tempfile.TemporaryDirectory() as d:
        project(Path(d), {"a.sh": "# turn: 3\necho ok a"}, PROGRAM)
        return run(Path(d), "--level", level, "a.sh", rotation=rotation)[1][-1]


said = [by_turn(r) for r in "456"]
report("a script has its turn in one of three runs, and at night", sorted(said) == ["0 passed, 0 failed"] * 2 + ["1 passed, 0 failed"]
       and by_turn("4", "nightly") == by_turn("all") == "1 passed, 0 failed", str(said))


def parts_in_turn():
    found = set()
    for rotation in "4567":
        with tempfile.TemporaryDirectory() as d:
            project(Path(d), {"a.sh": "# turn: 2\n# rotate: 2\necho ok $PART | tr / _"}, PROGRAM)
            run(Path(d), "--level", "test", "a.sh", rotation=rotation)
            record = json.loads((Path(d) / "build/tests.json").read_text())["scripts"]["verif/tests/a.sh"]
            found.update(t["name"] for t in record["tests"] if t["ok"])
    return found


report("a script with turns and parts comes to every part", parts_in_turn() == {"0_2", "1_2"}, str(parts_in_turn()))


def number_of(folder):
    return re.search(r"part ([0-9a-f]+) of", "\n".join(run(folder, "--level", "test", "a.sh")[1]))[1]


with tempfile.TemporaryDirectory() as d:
    project(Path(d), {"a.sh": TURNS}, PROGRAM)
    numbers = [number_of(Path(d)), number_of(Path(d))]
    (Path(d) / "docs/page.md").write_text("another tree\n")
    numbers.append(number_of(Path(d)))
    report("the content of the tree chooses the part", numbers[0] == numbers[1] != numbers[2], str(numbers))

with tempfile.TemporaryDirectory() as d:  # the table of one part holds for every other
    folder = Path(d)
    project(folder, {"a.sh": TURNS}, PROGRAM)
    (folder / "verif/blk").mkdir()
    (folder / "verif/blk/requirements.txt").write_text("XX-1 first\nXX-2 second\n")
    run(folder, "--level", "test", rotation="0")
    run(folder, tool="requirements.py")
    status, lines, _ = run(folder, "--level", "test", rotation="1")
    report("the table of requirements holds in each part", status == 0 and "a.sh: 0 of blk; 1 of blk; 2 of blk |" in
           (folder / "docs/requirements.md").read_text(), "\n".join(lines))
    path = folder / "verif/tests/a.sh"
    path.write_text(path.read_text().replace("XX-1, XX-2", "XX-2"))
    status, lines, _ = run(folder, "--level", "test", rotation="1")
    report("a requirement without a test fails the run in each part", status == 1 and "none for XX-1" in "\n".join(lines), "\n".join(lines))

with tempfile.TemporaryDirectory() as d:  # what a run says of its time
    folder = Path(d)
    project(folder, {"slow.sh": "python3 -c 'import time\nwhile time.process_time() < 1: pass'; echo ok a", "b.sh": "echo ok b"}, PROGRAM)
    path = folder / "verif/tools/run_tests.py"
    text = "\n".join(run(folder)[1])
    path.write_text(path.read_text().replace("CHECK_SECONDS, TEST_SECONDS, BLOCK_SECONDS, CORES, BLOCKS = 180,",
                                             "CHECK_SECONDS, TEST_SECONDS, BLOCK_SECONDS, CORES, BLOCKS = 0.3,"))
    late = "\n".join(run(folder)[1])
    report("the slowest scripts are named, and what is left of the limit", re.search(r"\n +[12]\.\d  verif/tests/slow.sh\n", text) is not None
           and "360 s fit into 3 minutes on 2 cores" in text and "s are left" in text, text)
    report("above the limit the run says without which it would fit", "s too many. Without the first it would fit" in late, late)

CI = [  # name, what a pretended make does, exit status, last line
    ("the build server's run passes", 'echo "3 passed, 0 failed"', 0, "3 passed, 0 failed"),
    ("the build server's run shows failures",
     '[ $1 = setup ] && exit 0; echo "2 passed, 1 failed"; echo "make: Error" >&2; exit 2', 2, "2 passed, 1 failed"),
    ("the build server's run fails without a build", '[ $1 = setup ] && exit 0; exit 2', 1, "0 passed, 1 failed"),
    ("the build server's run fails without tools", "exit 1", 3, "0 passed, 1 failed"),
]
for name, body, status, last in CI:
    with tempfile.TemporaryDirectory() as d:
        for path, text in ((".ci/run", (ROOT / ".ci/run").read_text()), ("bin/make", f"#!/bin/bash\n{body}\n")):
            (Path(d) / path).parent.mkdir()
            (Path(d) / path).write_text(text)
            (Path(d) / path).chmod(0o755)
        done = subprocess.run([f"{d}/.ci/run"], capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, PATH=f"{d}/bin:{os.environ['PATH']}"))
        good = done.returncode == status and done.stdout.splitlines()[-1:] == [last]
        report(name, good, f"status {done.returncode}, {done.stdout}")

makefile = (ROOT / "Makefile").read_text()
phony = set(" ".join(re.findall(r"^\.PHONY: (.*)$", makefile, re.M)).split())
done = subprocess.run(["make", "-s", "help"], capture_output=True, text=True, timeout=60)
listed = set(re.findall(r"^  make ([a-z-]+) +\S", done.stdout, re.M))
report("make help lists every target with a line", bool(phony) and phony == listed, f"{phony ^ listed}")
finish()
