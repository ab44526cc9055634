# SPDX-License-Identifier: Apache-2.0
"""What a test reads, and the record of the nightly runs: synth_reports/nightly.json.

A run of a script is kept by a hash over the files that it reads and the versions of the tools. A block's script reads its block, the
blocks that this one speaks of, what all blocks share, and the files that the script names; any other script reads the whole
tree. So a result is never kept over a change that could alter it; at times it is made again without need.
"""
import hashlib
import json
import re
import subprocess
from pathlib import Path

RECORD = "synth_reports/nightly.json"
SHARED = ("Makefile", "cmodel/core/", "verif/core/", "gen/", "rtl_templates/lib/", "verif/tests/lib.sh", "verif/tests/planted.sh",
          "verif/tests/model_test.c", "verif/tools/testlib.py")
NOT_SHARED = ("gen/tests/",)
BLOCK_FOLDERS = ("cmodel", "rtl_templates", "verif")
NEVER = (RECORD, "CHANGELOG.md", "docs/requirements.md")  # written after a run, or read by no test
RUNNERS = {f"verif/tools/{n}.py" for n in ("run_tests", "requirements", "nightly")}  # what they do is not what a block does
TOOLS = (("gcc", "--version"), ("verilator", "--version"), ("yosys", "-V"), ("iverilog", "-V"), ("nextpnr-ice40", "--version"),
         ("nextpnr-ecp5", "--version"), ("python3", "--version"))
NAMED = re.compile(r"[\w/.-]*\w\.(?:sh|py|c|h|v|txt|yaml|json)\b|\b(?:verif|docs|fpga|configs|synth_reports)\b[\w/]*")
IMPORTED = re.compile(r"^ *(?:from|import) +(\w+)", re.M)
FOLDERS = ("verif/mutate", "verif/tests/", "docs", "fpga", "configs", "synth_reports")  # read as a whole where they are named


def tracked(root):
    """The files of the tree, or of a tree that is no repository all of them."""
    done = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, capture_output=True)
    names = [n.decode() for n in done.stdout.split(b"\0") if n] if done.returncode == 0 else []
    if not names:
        names = [str(p.relative_to(root)) for p in root.rglob("*")]
        names = [n for n in names if not n.startswith((".git/", "build/"))]
    return sorted(n for n in set(names) if (root / n).is_file())


def versions():
    said = []
    for tool in TOOLS:
        try:
            done = subprocess.run(tool, capture_output=True, text=True, timeout=60)
            said.append((done.stdout + done.stderr).split("\n")[0])
        except (OSError, subprocess.TimeoutExpired):
            said.append(f"no {tool[0]}")
    return "\n".join(said)


class Tree:
    """The files of the project with their hashes, and for each run of a script the hash of what it reads."""

    def __init__(self, root, blocks):
        self.root, self.blocks, self.files = root, blocks, [f for f in tracked(root) if f not in NEVER]
        self.hashes = {f: hashlib.sha256((root / f).read_bytes()).hexdigest() for f in self.files}
        self.tools, self.spoken, self.named_in = None, {}, {}
        self.shared = {f for f in self.files if f.startswith(SHARED) and not f.startswith(NOT_SHARED)}

    def number(self):
        """A number that stands for the content of the whole tree."""
        return int(self.digest(self.files)[:8], 16)

    def digest(self, files, *words):
        text = "".join(f"{self.hashes[f]} {f}\n" for f in sorted(files)) + "\n".join(words)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def text(self, file):
        return (self.root / file).read_text(encoding="utf-8", errors="replace")

    def of_block(self, block):
        return [f for f in self.files if f.startswith(tuple(f"{folder}/{block}/" for folder in BLOCK_FOLDERS))]

    def speaks_of(self, block):
        """The block and those whose names stand in its files, or a name that begins with one."""
        if block not in self.spoken:
            words = set()
            for f in self.of_block(block):
                words.update(re.findall(r"\w+", self.text(f)) if not f.endswith(".gz") else ())
            self.spoken[block] = {b for b in map(self.block_of, words) if b} | {block}
        return self.spoken[block]

    def block_of(self, word):
        fits = [b for b in self.blocks if word == b or word.startswith(b + "_")]
        return max(fits, key=len) if fits else None

    def with_all(self, block):
        found, new = set(), {block}
        while new:
            found |= new
            new = {b for n in new for b in self.speaks_of(n)} - found
        return found

    def names_in(self, file):
        """The files that a script names by their path, or beside itself, or imports; and what is in the folders that it names."""
        if file not in self.named_in:
            text, found = re.sub(r"^ *#.*$", "", self.text(file), flags=re.M), set()
            here = str(Path(file).parent)
            for name in set(NAMED.findall(text)) | {f"{n}.py" for n in IMPORTED.findall(text)}:
                name = name.lstrip("./")
                for path in (name, f"{here}/{name}", f"verif/tools/{name}"):
                    if path in self.hashes:
                        found.add(path)
                if name.startswith(FOLDERS):
                    found.update(f for f in self.files if f.startswith(name.rstrip("/") + "/"))
            self.named_in[file] = found
        return self.named_in[file]

    def reads(self, path, block):
        """What a script reads that runs for this block, or for none."""
        folder = re.match(r"verif/(\w+)/tests/", path)
        own = folder[1] if folder and folder[1] in self.blocks else None
        if not (block or own):
            return self.files
        found, new = set(), {path}
        while new:  # scripts name others
            found |= new
            new = {n for f in new if f.endswith((".sh", ".py")) for n in self.names_in(f)} - found - RUNNERS
        blocks = self.with_all(block or own)
        for word in re.findall(r"\w+", self.text(path)) if own else ():
            blocks |= self.with_all(self.block_of(word)) if self.block_of(word) else set()
        return found.union(self.shared, *(self.of_block(b) for b in blocks))

    def hash_of(self, path, block):
        self.tools = self.tools or versions()
        return self.digest(self.reads(path, block), path, self.tools)


def load(root):
    """{key: row} of the committed record."""
    try:
        return {row["test"]: row for row in json.loads((root / RECORD).read_text())["rows"]}
    except (OSError, ValueError, KeyError):
        return {}


def save(root, rows):
    """One line a row, so that a change of one is a change of one line."""
    path = root / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join("  " + json.dumps(rows[key]) for key in sorted(rows))
    new = path.with_suffix(".new")
    new.write_text(f'{{"schema": 1, "rows": [\n{lines}\n]}}\n')
    new.replace(path)


def row_of(script, digest):
    failed = [t["name"] for t in script.failed()]
    result = "FAIL: " + "; ".join(failed) if failed else f"{len(script.passed())} passed"
    return {"test": script.key(), "result": result, "hash": digest, "seconds": round(script.seconds, 1),
            "processor": round(script.processor, 1)}


def is_kept(row, digest):
    return bool(row) and row["hash"] == digest and not row["result"].startswith("FAIL")


def duration(seconds):
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min" if minutes else f"{seconds:.0f} s"
