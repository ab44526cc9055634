# SPDX-License-Identifier: Apache-2.0
"""What the tests of the runner share: projects of test scripts beside copies of it."""
import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path.cwd()
failed = False


def report(name, ok, reason=""):
    global failed
    failed = failed or not ok
    print(f"ok {name}" if ok else f"not ok {name}: {reason}")


def finish():
    sys.exit(1 if failed else 0)


def project(folder, scripts, program=None):
    """A project of test scripts {name: body} beside copies of the runner."""
    for sub in ("verif/tests", "verif/tools", "docs", "build"):
        (folder / sub).mkdir(parents=True)
    for name in ("run_tests.py", "requirements.py", "testlib.py", "nightly.py"):
        (folder / "verif/tools" / name).write_text((ROOT / "verif/tools" / name).read_text())
    for name, body in scripts.items():
        path = folder / "verif/tests" / name
        path.write_text(body if body.startswith("#!") else f"#!/bin/bash\n# level: check\n{body}\n")
        path.chmod(0o644 if name.startswith("plain") else 0o755)
    if program:
        path = folder / "build/simtgen"
        path.write_text(program)
        path.chmod(0o755)


def run(folder, *args, tool="run_tests.py", rotation=""):
    environment = {k: v for k, v in os.environ.items() if k not in ("SIMTGEN", "B", "PART", "KEPT")} | {"ROTATION": rotation}
    done = subprocess.run([sys.executable, folder / "verif/tools" / tool, *args], env=environment,
                          capture_output=True, text=True, timeout=60,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a job of a script ignores it
    return done.returncode, done.stdout.splitlines(), done.stderr


# A program that knows one block, of two requirements.
PROGRAM = """#!/bin/bash
case "$1" in
  list) echo '{"blocks": [{"name": "blk"}]}' ;;
  describe) echo '{"uses": [], "ports": [], "parameters": [{"name": "SIZE", "requirement": "XX-1"}], "coverage": [
    {"name": "hit0", "requirement": "XX-2"}, {"name": "hit1", "requirement": "XX-2"}]}' ;;
esac
"""
# And one that knows two.
TWO = PROGRAM.replace('{"name": "blk"}', '{"name": "blk"}, {"name": "next"}')
