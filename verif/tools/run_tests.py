#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the test scripts of a level and everything below it, and prints `N passed, N failed` last.

A test script is an executable in gen/tests/, verif/tests/, verif/BLOCK/tests/, fpga/tests/ or
synth_reports/tests/ with a line `# level: check|test|nightly` near its top, and if it needs more
time than the others, `# timeout: SECONDS`. It runs from the repository root with SIMTGEN (the
program) and B (the build folder) set, and prints one line per test on standard output:

    ok NAME [REQUIREMENT-IDS...]
    not ok NAME [REQUIREMENT-IDS...]: reason
    note: what has been left out, and where it is done

A line `# each: block` makes it one run for each block, side by side with others, with the block's name in BLOCKS; `# each: first`
is for one block alone, the first of testlib.py, `# each: other` for all but that one, and `# each: all` one run over all of
them, or over those that are asked for.

A script that exits non-zero without a `not ok` line, exits zero with one, prints no line at all,
or runs out of time counts as one more failure. Results go to B/tests.json, which also keeps the
last result of the scripts that this run left out.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import requirements
import testlib

LEVELS = ["check", "test", "nightly"]
TIMEOUT = {"check": 170, "test": 400, "nightly": 6 * 3600}
FOLDERS = ["gen/tests", "verif/tests", "verif/*/tests", "fpga/tests", "synth_reports/tests"]
HEADER = re.compile(r"^# (level|timeout|each): *(\S+)\s*$")
EACH = ["block", "first", "other", "all"]
OK = re.compile(r"^ok (.+?)(?: \[([A-Z][A-Z0-9]*-\d[^\]]*)\])?\s*$")
NOT_OK = re.compile(r"^not ok (.+?)(?: \[([A-Z][A-Z0-9]*-\d[^\]]*)\])?(?:: (.*))?$")


class Script:
    """One test script: what its header says, then what its run gave."""

    def __init__(self, root, path):
        self.path = str(path.relative_to(root))
        self.level, self.timeout, self.each, self.block, self.problem = None, None, None, None, ""
        with open(path, encoding="utf-8", errors="replace") as f:
            for _, line in zip(range(12), f):
                found = HEADER.match(line)
                if found and found[1] == "level":
                    self.level = found[2]
                elif found and found[1] == "each":
                    self.each = found[2]
                elif found:
                    self.timeout = float(found[2])
        executable = os.access(path, os.X_OK)
        self.is_test = executable or self.level is not None
        if self.level is None:
            self.problem = "has no line '# level: check|test|nightly'"
        elif self.level not in LEVELS:
            self.problem = f"level '{self.level}' is none of {', '.join(LEVELS)}"
        elif not executable:
            self.problem = "is not executable"
        elif self.each not in (None, *EACH):
            self.problem = f"each '{self.each}' is none of {', '.join(EACH)}"
        if self.problem:
            self.level = "check"  # a broken header must not hide a test
        self.timeout = self.timeout or TIMEOUT[self.level]
        self.only = ""  # the blocks that it is asked for, where not all
        self.seconds, self.processor, self.tests, self.output = 0.0, 0.0, [], ""

    def key(self):
        """Its name in the record: one that runs for each block has several."""
        return f"{self.path} {self.block}" if self.block else self.path

    def names(self, root, blocks):
        """It is of one of these blocks: by its folder, or by a word of its text."""
        text = (root / self.path).read_text(encoding="utf-8", errors="replace")
        return any(self.path.startswith(f"verif/{b}/") or re.search(rf"\b{b}\b", text) for b in blocks)

    def failed(self):
        return [t for t in self.tests if not t["ok"]]

    def add(self, name, ok, ids=(), reason=""):
        self.tests.append({"name": name, "ids": list(ids), "ok": ok, "reason": reason})

    def parse(self, stdout):
        for line in stdout.splitlines():
            for pattern, ok in ((OK, True), (NOT_OK, False)):
                found = pattern.match(line)
                if found:
                    ids = re.findall(r"[A-Z][A-Z0-9]*-\d+", found[2] or "")
                    self.add(found[1], ok, ids, "" if ok else found[3] or "")

    def conclude(self, status):
        """status: exit status, or a sentence about a run that did not end by itself."""
        if isinstance(status, str):
            self.add(self.path, False, reason=status)
        elif not self.tests:
            self.add(self.path, False, reason=f"printed no result (exit status {status})")
        elif status != 0 and not self.failed():
            self.add(self.path, False, reason=f"exit status {status} without a 'not ok' line")
        elif status == 0 and self.failed():
            self.add(self.path, False, reason="exit status 0 in spite of a 'not ok' line")


class Runner:
    def __init__(self, root, environment, jobs):
        self.root, self.environment, self.jobs = root, environment, jobs
        self.lock, self.running, self.stopped = threading.Lock(), {}, False

    def run_one(self, script):
        if script.problem:
            script.add(script.path, False, reason=script.problem)
            return
        start = time.monotonic()
        folder = tempfile.mkdtemp(prefix="simtgen-test-")
        blocks = script.block or script.only
        environment = dict(self.environment, TMPDIR=folder, **({"BLOCKS": blocks} if blocks else {}))
        try:
            with open(f"{folder}/.out", "w+b") as out, open(f"{folder}/.err", "w+b") as err:
                process = subprocess.Popen([str(self.root / script.path)], cwd=self.root, stdout=out,
                                           stderr=err, stdin=subprocess.DEVNULL, env=environment,
                                           start_new_session=True)
                with self.lock:
                    self.running[script.key()] = process
                status, script.processor = wait_for(process, script.timeout)
                stop_group(process)
                out.seek(0)
                err.seek(0)
                stdout = out.read().decode(errors="replace")
                script.output = stdout + err.read().decode(errors="replace")
        except OSError as e:
            stdout, status = "", f"cannot be run: {e.strerror}"
        finally:
            with self.lock:
                self.running.pop(script.key(), None)
            shutil.rmtree(folder, ignore_errors=True)
        script.seconds = time.monotonic() - start
        script.parse(stdout)
        script.conclude(status)

    def run_all(self, scripts, report):
        queue = list(scripts)

        def work():
            while True:
                with self.lock:
                    if not queue or self.stopped:
                        return
                    script = queue.pop(0)
                self.run_one(script)
                with self.lock:
                    if not self.stopped:
                        report(script)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self.jobs)]
        for t in threads:
            t.start()
        try:
            for t in threads:
                t.join()
        except KeyboardInterrupt:
            with self.lock:
                self.stopped = True
                left = list(self.running.values())
            for process in left:
                stop_group(process)
            raise


def wait_for(process, seconds):
    """Exit status, or a sentence about a run that took too long; and the seconds of processor time that it took."""
    late = threading.Event()

    def stop():
        late.set()
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    timer = threading.Timer(seconds, stop)
    timer.start()
    try:
        _, status, used = os.wait4(process.pid, 0)
    except ChildProcessError:  # the run was interrupted, and somebody else has waited
        return "interrupted", 0.0
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return f"stopped after {seconds:.0f} s" if late.is_set() else process.returncode, used.ru_utime + used.ru_stime


def stop_group(process):
    """Ends what a script left running; its process group is its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def find_scripts(root, program):
    paths = [p for f in FOLDERS for p in sorted(root.glob(f + "/*.sh")) + sorted(root.glob(f + "/*.py"))]
    scripts = [s for s in (Script(root, p) for p in paths) if s.is_test]
    if not any(s.each not in (None, "all") and not s.problem for s in scripts):
        return scripts
    every, first = testlib.block_names(program), testlib.first_block(program)
    of = {"block": every, "first": [first], "other": [b for b in every if b != first]}
    return [part for s in scripts for part in (parts(root, s, of[s.each]) if s.each in of and not s.problem else [s])]


def parts(root, script, blocks):
    """The runs of a script, one for each of the blocks."""
    result = []
    for block in blocks:
        result.append(Script(root, root / script.path))
        result[-1].block = block
    return result


def of_blocks(root, scripts, program, wanted):
    """What `make test BLOCKS="..."` runs: only what is of one of these blocks."""
    known = testlib.block_names(program)
    for block in wanted:
        if block not in known:
            raise testlib.Problem(f"BLOCKS: got '{block}', expected some of {', '.join(known)}")
    for s in scripts:
        if s.each == "all":
            s.only = " ".join(wanted)
    return [s for s in scripts if s.only or (s.block in wanted if s.block else s.names(root, wanted))]


def table_check(root, program, build):
    """The committed requirement table against the names of this run, in the form of a script."""
    script = Script(root, Path(requirements.__file__).resolve())
    start = time.monotonic()
    try:
        for name, reason in requirements.verify(root, program, build / "tests.json"):
            script.add(name, not reason, reason=reason)
    except requirements.Problem as e:
        script.add(script.path, False, reason=str(e))
    script.seconds = time.monotonic() - start
    return script


def load_record(path):
    try:
        return json.loads(path.read_text())["scripts"]
    except (OSError, ValueError, KeyError):
        return {}


def save_record(path, record, scripts, level):
    known = {s.key() for s in scripts}
    record = {p: r for p, r in record.items() if p in known}
    for s in scripts:
        if s.tests:
            record[s.key()] = {"level": s.level, "seconds": round(s.seconds, 1), "processor": round(s.processor, 1),
                               "tests": s.tests}
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps({"schema": 1, "level": level, "scripts": record}, indent=1) + "\n")
    new.replace(path)


class Progress:
    """One line per script; on a terminal also how far the run is."""

    def __init__(self, total):
        self.total, self.done, self.terminal = total, 0, sys.stdout.isatty()
        self.show()

    def show(self):
        if self.terminal and self.done < self.total:
            print(f"\r\033[K  {self.done} of {self.total} scripts", end="", flush=True)

    def script(self, s):
        self.done += 1
        if self.terminal:
            print("\r\033[K", end="")
        failed = s.failed()
        mark = "FAIL" if failed else "ok"
        if self.terminal:
            mark = f"\033[{31 if failed else 32}m{mark}\033[0m" + " " * (4 - len(mark))
        print(f"  {mark:4} {s.key():<60} {len(s.tests) - len(failed):4} passed"
              f"{f', {len(failed)} failed' if failed else '':11} {s.seconds:6.1f} s")
        for line in s.output.splitlines():
            if line.startswith("note: "):  # what a script has left out
                print(f"    {line}")
        if failed:
            print("".join(f"    | {line}\n" for line in s.output.splitlines() if not OK.match(line)), end="")
            for t in failed:
                if f"not ok {t['name']}" not in s.output:  # the runner's own verdict
                    print(f"    {s.path}: {t['name']}: {t['reason']}")
        self.show()
        sys.stdout.flush()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--level", choices=LEVELS, default="check")
    p.add_argument("--jobs", type=int, default=2, help="scripts at a time (default 2)")
    p.add_argument("--list", action="store_true", help="print the scripts and their levels")
    p.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2],
                   help="folder of the project (for the runner's own tests)")
    p.add_argument("--blocks", default="", help="only what is of these blocks, separated by spaces")
    p.add_argument("pattern", nargs="*", help="only scripts whose path contains one of these")
    args = p.parse_args()
    root = args.root.resolve()
    build = Path(os.environ.get("B", "build"))
    build = build if build.is_absolute() else root / build
    program = Path(os.environ.get("SIMTGEN", build / "simtgen")).absolute()
    for name in ("BLOCKS", "MAKEOVERRIDES"):
        os.environ.pop(name, None)  # of make's command line
    environment = dict(os.environ, SIMTGEN=str(program), B=str(build), PYTHONDONTWRITEBYTECODE="1")
    if build.parent != root:  # the program finds its templates beside the build folder otherwise
        environment.setdefault("SIMTGEN_DATA", str(root))
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        environment.pop(name, None)  # a script's own make must not think it is part of ours

    try:
        scripts = find_scripts(root, program)
        chosen = of_blocks(root, scripts, program, args.blocks.split()) if args.blocks else scripts
    except testlib.Problem as e:
        print(f"simtgen: run_tests: {e}", file=sys.stderr)
        print("0 passed, 0 failed")
        return 2
    if args.list:
        for s in chosen:
            print(f"{s.level:8} {s.key()}{': ' + s.problem if s.problem else ''}")
        return 0
    record = load_record(build / "tests.json")
    todo = [s for s in chosen if LEVELS.index(s.level) <= LEVELS.index(args.level)
            and (not args.pattern or any(x in s.key() for x in args.pattern))]
    # The longest first, so that the last seconds are not one slow script alone; without a record, the longest time limit.
    todo.sort(key=lambda s: -record.get(s.key(), {}).get("seconds", 1000.0 + s.timeout))
    if not todo:
        print("simtgen: run_tests: no test script matches", file=sys.stderr)
        print("0 passed, 0 failed")
        return 1

    start = time.monotonic()
    progress = Progress(len(todo))

    def ended(script):  # what has ended is kept, whatever becomes of the run
        save_record(build / "tests.json", record, scripts, args.level)
        progress.script(script)

    try:
        Runner(root, environment, args.jobs).run_all(todo, ended)
    except KeyboardInterrupt:
        print("\nsimtgen: run_tests: interrupted", file=sys.stderr)
        return 4

    if args.level != "check" and not args.pattern and not args.blocks and not any(s.failed() for s in todo):
        # Only now are all names known, and the table of requirements has to agree with them.
        todo.append(table_check(root, program, build))
        progress.script(todo[-1])
    passed = sum(len(s.tests) - len(s.failed()) for s in todo)
    failed = sum(len(s.failed()) for s in todo)
    print(f"{time.monotonic() - start:.0f} s, level {args.level}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
