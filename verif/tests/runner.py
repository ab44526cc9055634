#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""The test runner itself: every way in which a script can fail counts, and so does the table."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path.cwd()
failed = False


def report(name, ok, reason=""):
    global failed
    failed = failed or not ok
    print(f"ok {name}" if ok else f"not ok {name}: {reason}")


def project(folder, scripts, program=None):
    """A project of test scripts {name: body} beside copies of the runner."""
    for sub in ("verif/tests", "verif/tools", "docs", "build"):
        (folder / sub).mkdir(parents=True)
    for name in ("run_tests.py", "requirements.py", "testlib.py"):
        (folder / "verif/tools" / name).write_text((ROOT / "verif/tools" / name).read_text())
    for name, body in scripts.items():
        path = folder / "verif/tests" / name
        path.write_text(body if body.startswith("#!") else f"#!/bin/bash\n# level: check\n{body}\n")
        path.chmod(0o644 if name.startswith("plain") else 0o755)
    if program:
        path = folder / "build/simtgen"
        path.write_text(program)
        path.chmod(0o755)


def run(folder, *args, tool="run_tests.py"):
    environment = {k: v for k, v in os.environ.items() if k not in ("SIMTGEN", "B")}
    done = subprocess.run([sys.executable, folder / "verif/tools" / tool, *args], env=environment,
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


CASES = [  # name, script, passed, failed, words that the report contains
    ("passing lines are counted", "echo ok a; echo 'ok b [XX-1]'", 2, 0, "2 passed"),
    ("a failing line is counted and its output shown",
     "echo ok a; echo why >&2; echo 'not ok b [XX-1]: broken'; exit 1", 1, 1, "| why"),
    ("a script that prints nothing fails", "true", 0, 1, "printed no result"),
    ("a non-zero exit without a failing line fails", "echo ok a; exit 3", 1, 1, "exit status 3"),
    ("an exit of zero after a failing line fails", "echo not ok a: x", 0, 2, "in spite of"),
    ("a script that hangs fails", "# timeout: 1\necho ok a; sleep 60", 1, 1, "stopped after 1 s"),
    ("a script without a level fails", "#!/bin/bash\necho ok a", 0, 1, "has no line '# level"),
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

# The requirement table: a program that knows one block, a list of two ids.
PROGRAM = """#!/bin/bash
case "$1" in
  list) echo '{"blocks": [{"name": "blk"}]}' ;;
  describe) echo '{"parameters": [{"name": "SIZE", "requirement": "XX-1"}], "coverage": [
    {"name": "hit0", "requirement": "XX-2"}, {"name": "hit1", "requirement": "XX-2"}]}' ;;
esac
"""


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
sys.exit(1 if failed else 0)
