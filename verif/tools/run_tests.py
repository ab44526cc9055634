#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the test scripts of a level and everything below it, and prints `N passed, N failed` last.

A test script is an executable in gen/tests/, cmodel/python/tests/, verif/tests/, verif/BLOCK/tests/, fpga/tests/ or
synth_reports/tests/ with a line `# level: check|test|nightly` near its top, and if it needs more
time than the others, `# timeout: SECONDS`. It runs from the repository root with SIMTGEN (the
program) and B (the build folder) set, and prints one line per test on standard output:

    ok NAME [REQUIREMENT-IDS...]
    not ok NAME [REQUIREMENT-IDS...]: reason
    later NAME [REQUIREMENT-IDS...]
    note: what has been left out, and where it is done

A line `# rotate: N` says that its cases rotate: a run of the level test takes one part of N of them and prints `later` for the others,
so that all names are known in every run. Which part, the content of the tree says (ROTATION=NUMBER: another one); the level
nightly takes all. The script finds its part in PART: `3/8`, or `all` (verif/tests/lib.sh, testlib.its_turn). A script with a line
`# turn: N` is run in one of N runs, and one that runs for each block for one block of N. It must show no requirement, as its names
are not known in the other runs.

A line `# each: block` makes it one run for each block, side by side with others, with the block's name in BLOCKS; `# each: first`
is for one block alone, the first of testlib.py, `# each: other` for all but that one, and `# each: all` one run over all of
them, or over those that are asked for.

A script that exits non-zero without a `not ok` line, exits zero with one, prints no line at all,
or runs out of time counts as one more failure. Results go to B/tests.json, which also keeps the
last result of the scripts that this run left out.

The level nightly goes on where it was stopped: what passed on the same files is not run again (nightly.py), and a script that
rotates and was stopped begins with what it has not done. Its record is synth_reports/nightly.json; --left prints what is left.
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
import zlib
from pathlib import Path

import nightly
import requirements
import testlib

LEVELS = ["check", "test", "nightly"]
TIMEOUT = {"check": 170, "test": 400, "nightly": 6 * 3600}
FOLDERS = ["gen/tests", "cmodel/python/tests", "verif/tests", "verif/*/tests", "fpga/tests", "synth_reports/tests"]
HEADER = re.compile(r"^# (level|timeout|each|rotate|turn): *(\S+)\s*$")
SLOWEST = 10            # so many scripts are named at the end of a run
CHECK_SECONDS, TEST_SECONDS, BLOCK_SECONDS, CORES, BLOCKS = 180, 1200, 120, 2, 12  # limits on idle cores, for so many blocks and one more
EACH = ["block", "first", "other", "all"]
OK = re.compile(r"^ok (.+?)(?: \[([A-Z][A-Z0-9]*-\d[^\]]*)\])?\s*$")
LATER = re.compile(r"^later (.+?)(?: \[([A-Z][A-Z0-9]*-\d[^\]]*)\])?\s*$")
NOT_OK = re.compile(r"^not ok (.+?)(?: \[([A-Z][A-Z0-9]*-\d[^\]]*)\])?(?:: (.*))?$")


class Script:
    """One test script: what its header says, then what its run gave."""

    def __init__(self, root, path):
        self.path = str(path.relative_to(root))
        self.level, self.timeout, self.each, self.block, self.rotate, self.turn, self.problem = None, None, None, None, None, None, ""
        with open(path, encoding="utf-8", errors="replace") as f:
            for _, line in zip(range(12), f):
                found = HEADER.match(line)
                if found and found[1] == "level":
                    self.level = found[2]
                elif found and found[1] == "each":
                    self.each = found[2]
                elif found and found[1] in ("rotate", "turn"):
                    setattr(self, found[1], found[2])
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
        for what in ("rotate", "turn"):
            if not self.problem and getattr(self, what) is not None and not re.fullmatch(r"[1-9]\d?", getattr(self, what)):
                self.problem = f"{what} '{getattr(self, what)}' is no number of parts from 1 to 99"
        if self.problem:
            self.level = "check"  # a broken header must not hide a test
        self.timeout = self.timeout or TIMEOUT[self.level]
        self.place = zlib.crc32(self.path.encode())  # so that not all have their first part, or their turn, at once
        self.only = ""  # the blocks that it is asked for, where not all
        self.chosen, self.kept = "all", ""  # PART and KEPT of its run
        self.seconds, self.processor, self.tests, self.output = 0.0, 0.0, [], ""

    def key(self):
        """Its name in the record: one that runs for each block has several."""
        return f"{self.path} {self.block}" if self.block else self.path

    def names(self, root, blocks):
        """It is of one of these blocks: by its folder, or by a word of its text."""
        text = (root / self.path).read_text(encoding="utf-8", errors="replace")
        return any(self.path.startswith(f"verif/{b}/") or re.search(rf"\b{b}\b", text) for b in blocks)

    def failed(self):
        return [t for t in self.tests if not t["ok"] and not t.get("later")]

    def passed(self):
        return [t for t in self.tests if t["ok"]]

    def later(self):
        return [t for t in self.tests if t.get("later")]

    def add(self, name, ok, ids=(), reason=""):
        self.tests.append({"name": name, "ids": list(ids), "ok": ok, "reason": reason})

    def is_left_out(self, rotation, level):
        """It is not its turn, or that of its block."""
        if not self.turn or self.problem or level == "nightly" or rotation == "all":
            return False
        return (rotation + self.place) % int(self.turn) != 0

    def part(self, rotation, level):
        """What it finds in PART: the part of its cases whose turn it is."""
        if not self.rotate or self.problem or level == "nightly":
            return "all"
        return f"{(rotation + self.place) // int(self.turn or 1) % int(self.rotate)}/{self.rotate}"  # every part has its turn

    def parse(self, stdout):
        for line in stdout.splitlines():
            for pattern, ok in ((OK, True), (NOT_OK, False)):
                found = pattern.match(line)
                if found:
                    ids = re.findall(r"[A-Z][A-Z0-9]*-\d+", found[2] or "")
                    self.add(found[1], ok, ids, "" if ok else found[3] or "")
            found = LATER.match(line)
            if found:
                self.add(found[1], False, re.findall(r"[A-Z][A-Z0-9]*-\d+", found[2] or ""))
                self.tests[-1]["later"] = True

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
    def __init__(self, root, environment, jobs, minutes=None):
        self.root, self.environment, self.jobs = root, environment, jobs
        self.until = time.monotonic() + 60 * minutes if minutes else None  # nothing is begun after it
        self.lock, self.running, self.stopped = threading.Lock(), {}, False

    def run_one(self, script):
        if script.problem:
            script.add(script.path, False, reason=script.problem)
            return
        if script.chosen == "none":
            script.add(f"all of {script.key()}", False)
            script.tests[-1]["later"] = True
            return
        start = time.monotonic()
        folder = tempfile.mkdtemp(prefix="simtgen-test-")
        blocks = script.block or script.only
        environment = dict(self.environment, TMPDIR=folder, PART=script.chosen, KEPT=script.kept,
                           **({"BLOCKS": blocks} if blocks else {}))
        try:
            with open(f"{folder}/.out", "w+b") as out, open(f"{folder}/.err", "w+b") as err:
                process = subprocess.Popen([str(self.root / script.path)], cwd=self.root, stdout=out,
                                           stderr=err, stdin=subprocess.DEVNULL, env=environment,
                                           start_new_session=True)
                with self.lock:
                    self.running[script.key()] = process
                    stopped = self.stopped
                if stopped:  # in the moment in which it was started
                    stop_group(process)
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
                    if not queue or self.stopped or (self.until and time.monotonic() > self.until):
                        return
                    script = queue.pop(0)
                self.run_one(script)
                with self.lock:
                    if not self.stopped:
                        report(script)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self.jobs)]
        try:
            for t in threads:
                t.start()
            for t in threads:
                while t.is_alive():
                    t.join(0.2)  # a signal that another thread has got is seen then
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
    for number, block in enumerate(blocks):
        result.append(Script(root, root / script.path))
        result[-1].block = block
        result[-1].place += number
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


def read_number(text, tree):
    """ROTATION: a number, in hexadecimal digits as a run prints it, `all`, or none: that of the tree."""
    if not text:
        return tree.number()
    if text == "all":
        return text
    try:
        return int(text, 16)
    except ValueError:
        raise testlib.Problem(f"ROTATION: got '{text}', expected the hexadecimal number that a run has printed, or all") from None


def limit_of(root, level, program):
    """Seconds on idle cores that the specification allows a level, and how many cores; None for nightly."""
    if level == "check":
        return CHECK_SECONDS
    if level == "test":
        return TEST_SECONDS + BLOCK_SECONDS * max(0, len(testlib.block_names(program)) - BLOCKS)
    return None


def print_slowest(done, limit):
    """The scripts that took most processor time, and how many of them would have to go for the run to fit into its limit."""
    order = sorted(done, key=lambda s: -s.processor)
    total = sum(s.processor for s in done)
    print(f"the slowest of {len(done)} scripts, in seconds of processor time:")
    for s in order[:SLOWEST]:
        print(f"  {s.processor:7.1f}  {s.key()}{f' (part {s.chosen})' if s.chosen != 'all' else ''}")
    fits = limit * CORES
    if total <= fits:
        print(f"{total:.0f} s of processor time; {fits:.0f} s fit into {limit / 60:.0f} minutes on {CORES} cores: {fits - total:.0f} s are left")
        return
    count, saved = 0, 0.0
    while total - saved > fits:
        saved += order[count].processor
        count += 1
    print(f"{total:.0f} s of processor time; {fits:.0f} s fit into {limit / 60:.0f} minutes on {CORES} cores: {total - fits:.0f} s too many. "
          f"Without the {'first' if count == 1 else f'{count} slowest'} it would fit")


class Nightly:
    """What is kept of earlier runs and what is left: nightly.py."""

    def __init__(self, root, build, tree, scripts):
        self.root, self.build, self.tree, self.rows = root, build, tree, nightly.load(root)
        self.hashes = {s.key(): tree.hash_of(s.path, s.block) for s in scripts}
        self.known = set(self.hashes)

    def is_kept(self, script):
        return nightly.is_kept(self.rows.get(script.key()), self.hashes[script.key()])

    def begin(self, script):
        """Where a script that rotates says what has passed, so that it goes on there when it is stopped."""
        if script.rotate:
            folder = self.build / "nightly"
            folder.mkdir(parents=True, exist_ok=True)
            script.kept = str(folder / f"{script.key().replace('/', ',').replace(' ', ',')}.{self.hashes[script.key()]}")

    def ended(self, script):
        self.rows = {k: r for k, r in self.rows.items() if k in self.known}
        self.rows[script.key()] = nightly.row_of(script, self.hashes[script.key()])
        nightly.save(self.root, self.rows)
        if script.kept and not script.failed():
            Path(script.kept).unlink(missing_ok=True)

    def state(self, script):
        row = self.rows.get(script.key())
        if not row:
            return "never run"
        return "kept" if self.is_kept(script) else row["result"] if row["hash"] == self.hashes[script.key()] else "stale"

    def summary(self, scripts, jobs):
        left = [s for s in scripts if not self.is_kept(s)]
        timed = [self.rows[s.key()]["seconds"] for s in left if s.key() in self.rows]
        stale = sum(self.state(s) == "stale" for s in left)
        text = f"nightly: {len(scripts) - len(left)} of {len(scripts)} runs of scripts are kept, {len(left)} are left"
        if left:
            text += f" ({stale} of them stale: what they read has changed); about {nightly.duration(sum(timed) / jobs)} with {jobs} at a time"
            if len(timed) < len(left):
                text += f" for the {len(timed)} that have been timed"
        return text


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
        failed, later = s.failed(), len(s.later())
        mark = "FAIL" if failed else "ok"
        if self.terminal:
            mark = f"\033[{31 if failed else 32}m{mark}\033[0m" + " " * (4 - len(mark))
        print(f"  {mark:4} {s.key():<60} {len(s.passed()):4} passed"
              f"{f', {len(failed)} failed' if failed else '':11} {s.seconds:6.1f} s{f', {later} later' if later else ''}")
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
    p.add_argument("--minutes", type=float, help="begin no script after so many (nightly goes on with the next run)")
    p.add_argument("--left", action="store_true", help="print which results of the level nightly are kept, stale or missing, and run nothing")
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
    if args.jobs > 1:
        environment.setdefault("SIMTGEN_THREADS", "1")  # the other processors have other scripts
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
    try:
        tree = nightly.Tree(root, testlib.block_names(program) if program.exists() else [])
        rotation = read_number(os.environ.pop("ROTATION", ""), tree)
    except testlib.Problem as e:
        print(f"simtgen: run_tests: {e}", file=sys.stderr)
        print("0 passed, 0 failed")
        return 2
    record = load_record(build / "tests.json")
    todo = [s for s in chosen if LEVELS.index(s.level) <= LEVELS.index(args.level)
            and (not args.pattern or any(x in s.key() for x in args.pattern))]
    for s in todo:
        s.chosen = "none" if s.is_left_out(rotation, args.level) else "all" if rotation == "all" else s.part(rotation, args.level)
        if s.rotate and s.chosen == "all":
            s.timeout *= int(s.rotate)
    # The longest first, so that the last seconds are not one slow script alone; without a record, the longest time limit.
    todo.sort(key=lambda s: -record.get(s.key(), {}).get("seconds", 1000.0 + s.timeout))
    night = Nightly(root, build, tree, scripts) if args.left or args.level == "nightly" else None
    if args.left:
        for s in sorted(todo, key=Script.key):
            print(f"{night.state(s):10} {s.key()}")
        print(night.summary(todo, args.jobs))
        return 0
    if night:
        print(night.summary(todo, args.jobs))
        kept, todo = todo, [s for s in todo if not night.is_kept(s)]
        todo.reverse()  # a run that is stopped leaves more results so
        for s in todo:
            night.begin(s)
        if not todo:
            print("0 passed, 0 failed")
            return 0
    elif any(s.chosen != "all" for s in todo):
        print(f"grids rotate: part {rotation:x} of this tree (ROTATION={rotation:x} makes the same choice, ROTATION=all none)")
    if not todo:
        print("simtgen: run_tests: no test script matches", file=sys.stderr)
        print("0 passed, 0 failed")
        return 1

    start = time.monotonic()
    progress = Progress(len(todo))

    def ended(script):  # what has ended is kept, whatever becomes of the run
        save_record(build / "tests.json", record, scripts, args.level)
        if night:
            night.ended(script)
        progress.script(script)

    try:
        Runner(root, environment, args.jobs, args.minutes).run_all(todo, ended)
    except KeyboardInterrupt:
        print("\nsimtgen: run_tests: interrupted", file=sys.stderr)
        return 4
    todo = [s for s in todo if s.tests]  # all but those that were not begun in time

    limit = limit_of(root, args.level, program) if not args.pattern and not args.blocks and program.exists() else None
    if limit:
        print_slowest(todo, limit)
    if night:
        print(night.summary(kept, args.jobs))
    if args.level == "test" and not args.pattern and not args.blocks and not any(s.failed() for s in todo):
        # Only now are all names known, and the table of requirements has to agree with them.
        todo.append(table_check(root, program, build))
        progress.script(todo[-1])
    passed = sum(len(s.passed()) for s in todo)
    later = sum(len(s.later()) for s in todo)
    failed = sum(len(s.failed()) for s in todo)
    print(f"{time.monotonic() - start:.0f} s, level {args.level}{f'; {later} tests are left to other parts and to make nightly' if later else ''}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
