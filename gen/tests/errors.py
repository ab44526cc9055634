#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""Golden tests of messages: each wrong input gives one message, the right exit status, and leaves
everything in the folder as it was.

A case NAME in gen/tests/errors/ or verif/BLOCK/tests/errors/ is NAME.err (the message) and at least
one of NAME.yaml (copied to config.yaml) and NAME.args: lines `# DIRECTIVE VALUE`, then the arguments
(default: describe -c config.yaml). Directives: status (default 2), setup (a shell command, run in the
folder first), env (NAME=VALUE), fsize (largest file in bytes: a full disk), user (any: run without
the rights of root), interrupt (seconds until a signal, and its name if it is not INT), cache (kept:
the one of the environment), seconds (it may take, default 20). In a message the temporary folder is
TOP and 16 hexadecimal digits are HASH. `errors.py --update` writes the messages.
"""
import hashlib
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NOBODY = 65534
HASH = re.compile(r"\b[0-9a-f]{16}\b")
sys.path.insert(0, str(ROOT / "verif/tools"))
from testlib import finish, program, report  # noqa: E402


def read_case(err):
    case = {"status": "2", "setup": [], "env": {}, "args": "describe -c config.yaml"}
    args = err.with_suffix(".args")
    for line in args.read_text().splitlines() if args.exists() else []:
        if not line.startswith("# "):
            case["args"] = line
            continue
        key, value = line[2:].split(" ", 1)
        if key == "setup":
            case["setup"].append(value)
        elif key == "env":
            case["env"].update([value.split("=", 1)])
        else:
            case[key] = value
    return case


def snapshot(folder):
    """{path: content} of everything below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            what = os.readlink(path)
        elif path.is_dir():
            what = "folder"
        else:
            what = hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path.relative_to(folder))] = what
    return found


def run_case(case, folder):
    limits = []
    if "fsize" in case:
        limits = [(resource.RLIMIT_FSIZE, int(case["fsize"]))]

    def before():
        for what, value in limits:
            resource.setrlimit(what, (value, value))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

    other = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if "user" in case and os.geteuid() == 0 else {}
    env = {**os.environ, "LC_ALL": "C", **case["env"]}
    if "cache" not in case:
        env["SIMTGEN_CACHE"] = str(folder.parent / "cache")
    process = subprocess.Popen([program(), *shlex.split(case["args"])], cwd=folder, env=env, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               errors="replace", preexec_fn=before, restore_signals=False, **other)
    try:
        if "interrupt" in case:
            try:
                seconds, name, *_ = [*case["interrupt"].split(), "INT"]
                process.wait(float(seconds))
            except subprocess.TimeoutExpired:
                process.send_signal(getattr(signal, f"SIG{name}"))
        out, err = process.communicate(timeout=float(case.get("seconds", 20)))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, "", "still running"
    return process.returncode, out, HASH.sub("HASH", err.replace(str(folder.parent), "TOP"))


def problem(case, err, update):
    """What is wrong with a case, or nothing."""
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        folder = Path(top) / "work"
        folder.mkdir()
        yaml = err.with_suffix(".yaml")
        if yaml.exists():
            (folder / "config.yaml").write_bytes(yaml.read_bytes())
        for command in case["setup"]:
            subprocess.run(command, shell=True, cwd=folder, check=True, env={**os.environ, "SIMTGEN": program()},
                           stdout=subprocess.DEVNULL, timeout=60)
        before = snapshot(folder)
        status, out, message = run_case(case, folder)
        if status != int(case["status"]):
            return f"exit status {status}, expected {case['status']}: {message}"
        if snapshot(folder) != before:
            return f"files changed: {sorted(set(snapshot(folder).items()) ^ set(before.items()))[:4]}"
        if update:
            err.write_text(message)
        if message != err.read_text():
            return f"got {message!r}, expected {err.read_text()!r}"
        if message.count("\n") != 1 or not message.startswith("simtgen: "):
            return f"not one message: {message!r}"
        return f"output beside the message: {out[:80]!r}" if out else ""


def controls():
    """The comparison itself: a wrong message, status, and a file left behind are each found."""
    with tempfile.TemporaryDirectory() as top:
        err = Path(top) / "case.err"
        right = {"status": "2", "setup": [], "env": {}, "args": "no-such-command"}
        err.write_text("")
        problem(right, err, True)
        report("the right message passes", problem(right, err, False))
        report("a wrong status is found", "" if problem({**right, "status": "3"}, err, False) else "it was not")
        err.write_text(err.read_text().replace("command", "comand"))
        report("a wrong message is found", "" if problem(right, err, False) else "it was not")


def main():
    update = "--update" in sys.argv
    folders = [ROOT / "gen/tests/errors", *sorted(ROOT.glob("verif/*/tests/errors"))]
    if not os.access(program(), os.X_OK):
        report("messages", f"{program()}: no program; run `make` first")
        return
    if not update:
        controls()
    for folder in folders:
        for err in sorted({p.with_suffix(".err") for p in folder.glob("*") if p.suffix in (".args", ".yaml", ".err")}):
            try:
                reason = problem(read_case(err), err, update)
            except (OSError, subprocess.SubprocessError) as e:
                reason = e
            report(f"message {err.relative_to(ROOT).with_suffix('')}", reason)


main()
finish()
