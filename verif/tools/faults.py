#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Planted faults from a table: each is found by `simtgen check`, and without any of them the same build passes.

    faults.py BLOCK [WORD...]

verif/BLOCK/faults.txt is the table. WORD: only faults whose names contain it. A line of the table is one of

    let NAME = TEXT                 a word for the lines `run` and `sees`
    fault NAME [REQUIREMENTS]       a fault; what it is made of follows
      run WORD... ARGUMENTS...      the arguments of `simtgen check`
      sees WORD or PATTERN          an extended regular expression for one line of what the check says
      build alone                   its edit cannot be chosen at run time (a parameter, a generate)
      file PATH                     the file of the lines below, from the root
      - OLD                         one or more lines as they stand in the file, without the spaces around them; exactly once
      + NEW                         what takes their place

All faults of a table go into one copy of the tree. Where the old text and the new one differ in an expression or in statements,
both are compiled, and the environment variable SIMTGEN_FAULT chooses, so that a fault costs a run and not a build. An edit that
overlaps with another, or that says `build alone`, has a copy of its own. Faults rotate by their configuration (`# rotate: N` in
the script that calls this); that every edit fits into the tree is looked at in each run.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from testlib import ROOT, Problem, finish, is_kept, its_turn, later, report

SECONDS = int(os.environ.get("PLANTED_SECONDS", "300"))
SOUND = 30000  # cycles of a run without a fault
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|\d*'[bdhoBDHO]?[0-9a-fA-F_xXzZ]+|\w+|<<=|>>=|<=|>=|==|!=|&&|\|\||\+\+|--|->|[+\-]:|[+\-*/|&^%]=|\s+|.", re.S)
OPEN, CLOSE = "([{", ")]}"
# In Verilog a variable of each module, in C a function of each file.
CHOICE_V = ("  reg [15:0] simt_fault;\n"
            "  initial simt_fault = $c32(\"(getenv(\\\"SIMTGEN_FAULT\\\") ? atoi(getenv(\\\"SIMTGEN_FAULT\\\")) : 0)\");\n")
CHOICE_C = """char *getenv(const char *name); /* without a header, whose macros the models would get */
int atoi(const char *text);
static inline int simt_fault_number(void) {
  static int number = -1;
  const char *text = number < 0 ? getenv("SIMTGEN_FAULT") : (const char *)0;
  if (number < 0) number = text ? atoi(text) : 0;
  return number;
}
#define simt_fault simt_fault_number()
"""


class Edit:
    def __init__(self, path):
        self.path, self.old, self.new, self.span = path, [], [], None

    def find(self, text):
        """Where its old lines stand, as a span of characters from the first to the last that is no space."""
        lines, at, found = text.split("\n"), 0, []
        starts = []
        for line in lines:
            starts.append(at)
            at += len(line) + 1
        for i in range(len(lines) - len(self.old) + 1):
            if all(lines[i + k].strip() == old for k, old in enumerate(self.old)):
                last = i + len(self.old) - 1
                found.append((starts[i] + len(lines[i]) - len(lines[i].lstrip()), starts[last] + len(lines[last].rstrip())))
        if len(found) != 1 or not self.old:
            raise Problem(f"{self.path}: `{' '.join(self.old)}` stands there {len(found)} times, expected once")
        if self.old == self.new:
            raise Problem(f"{self.path}: `{' '.join(self.old)}`: the edit changes nothing")
        self.span = found[0]


class Fault:
    def __init__(self, name, ids):
        self.name, self.ids, self.run, self.sees, self.alone, self.edits, self.number = name, ids, "", "", False, [], 0


def read_table(path):
    words, faults = {}, []

    def spelled(text):
        return " ".join(words.get(word, word) for word in text.split(" "))

    for number, line in enumerate(path.read_text().splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        fault = faults[-1] if faults else None
        if not word or word.startswith("#"):
            continue
        if word == "let":
            name, _, text = rest.partition(" = ")
            words[name] = spelled(text)
        elif word == "fault":
            found = re.fullmatch(r"(.*?) \[([A-Z0-9 -]+)\]", rest)
            if not found:
                raise Problem(f"{path}:{number}: expected `fault NAME [REQUIREMENTS]`")
            faults.append(Fault(found[1], found[2]))
        elif fault and word == "run":
            fault.run = spelled(rest)
        elif fault and word == "sees":
            fault.sees = spelled(rest)
        elif fault and line.strip() == "build alone":
            fault.alone = True
        elif fault and word == "file":
            fault.edits.append(Edit(rest))
        elif fault and fault.edits and word in "+-":
            edit = fault.edits[-1]
            if word == "-" and edit.new:  # a second place in the same file
                edit = Edit(edit.path)
                fault.edits.append(edit)
            (edit.old if word == "-" else edit.new).append(rest.strip())
        else:
            raise Problem(f"{path}:{number}: got `{line.strip()}`, expected one of the lines that verif/tools/faults.py explains")
    for number, fault in enumerate(faults, 1):
        fault.number = number
        if not (fault.run and fault.sees and fault.edits):
            raise Problem(f"{path}: the fault `{fault.name}` needs `run`, `sees` and at least one `file`")
    return faults


# ---- two texts in one ----------------------------------------------------------------------------------------------

def tokens(text):
    return TOKEN.findall(text)


def common(a, b):
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def enclosing(parts, first, last, verilog):
    """The expression around parts[first:last], or None: from behind a bracket, comma or assignment to the next one."""
    def moves(position, step, opens, closes):
        depth = 0
        while 0 <= position < len(parts):
            token = parts[position]
            if token in closes:
                depth += 1
            elif token in opens:
                if not depth:
                    return position
                depth -= 1
            elif not depth and (token in (",", ";", "?", ":", "+:", "-:") or step < 0 and token in ("=", "<=", "return")):
                if token == "<=" and not (verilog and is_assignment(parts, position)):
                    position += step
                    continue
                return position
            position += step
        return position
    left = moves(first - 1, -1, OPEN, CLOSE)
    right = moves(last, 1, CLOSE, OPEN)
    while right < len(parts) and parts[right] in "?:":  # a choice within the expression goes as far as it can
        choices, ends = (outside(parts[left + 1:right], token) for token in "?:")
        if not (choices > ends if parts[right] == ":" else choices):
            break
        right = moves(right + 1, 1, CLOSE, OPEN)
    if left < 0 or right >= len(parts):
        return None
    return left + 1, right


def outside(parts, wanted):
    """How often a token stands there outside of brackets."""
    depth, count = 0, 0
    for token in parts:
        depth += (token in OPEN) - (token in CLOSE)
        count += not depth and token == wanted
    return count


def is_assignment(parts, position):
    """`<=` that assigns: the first in its statement, outside of brackets."""
    depth = 0
    for token in reversed(parts[:position]):
        depth += (token in CLOSE) - (token in OPEN)
        if depth < 0:
            return False
        if not depth and token in (";", "begin", "else", ":") or not depth and token == ")":
            return True
    return True


def balanced(parts):
    depth = 0
    for token in parts:
        depth += (token in OPEN) - (token in CLOSE)
        if depth < 0:
            return False
    return depth == 0


def both(old, choices, verilog):
    """The text in which each of the choices, (number, new text), or the old one is taken at run time; None where that cannot be."""
    if verilog and re.search(r"\b(localparam|parameter|genvar|generate)\b", old):
        return None  # constants
    if not verilog and re.search(r"\bstatic const\b.*=", old):
        return None
    if len(choices) > 1:
        spans = [both(old, [c], verilog) for c in choices]
        if None in spans:
            return None
    a = tokens(old)
    news = [tokens(new) for _, new in choices]
    first = min(common(a, b) for b in news)
    last = min(min(common(a[first:][::-1], b[first:][::-1]) for b in news), len(a) - first)
    inside = [enclosing(x, first, len(x) - last, verilog) for x in (a, *news)]
    if None not in inside:
        tail, head = min(len(x) - j for x, (_, j) in zip((a, *news), inside)), min(i for i, _ in inside)
        inside = [(head, len(x) - tail) for x in (a, *news)]  # the same is left on both sides
        texts = ["".join(x[i:j]).strip() for x, (i, j) in zip((a, *news), inside)]
        heads = {"".join(x[:i]) for x, (i, _) in zip((a, *news), inside)}
        if len(heads) == 1 and all(t and balanced(tokens(t)) and not outside(tokens(t), ",") and ";" not in t for t in texts):
            chosen = "".join(f"simt_fault == {n} ? ({t}) : " for (n, _), t in zip(choices, texts[1:]))
            i, j = inside[0]
            return "".join(a[:i]) + f"({chosen}({texts[0]}))" + "".join(a[j:])
    return statements(a, news, first, last, choices, verilog)


def statements(a, news, first, last, choices, verilog):
    """The same where whole statements differ."""
    while first and a[first - 1] not in (";", "{", "}", "begin", "\n") and not a[first - 1].startswith(("//", "/*")):
        first -= 1
    while last and (a[len(a) - last - 1:len(a) - last] or [";"])[0].strip() not in ("", ";", "}"):
        last -= 1
    begin, end = ("begin", "end") if verilog else ("{", "}")
    middles = ["".join(x[first:len(x) - last]).strip() for x in (a, *news)]
    if not all(balanced(tokens(m)) and (not m or m.endswith((";", "}")) and re.match(r"[\w*($]", m)) for m in middles) or re.search(
            r"^\s*(assign|wire|reg|localparam|static|(const )?(struct|u?int|bool|uint\w+) \w)", "\n".join(middles), re.M):
        return None
    chosen = "".join(f"if (simt_fault == {n}) {begin} {m} {end} else " for (n, _), m in zip(choices, middles[1:]))
    return "".join(a[:first]) + f" {chosen}{begin} {middles[0]} {end} " + "".join(a[len(a) - last:])


# ---- copies of the tree --------------------------------------------------------------------------------------------

class Copy:
    """A copy of the tree for faults that do not overlap; with one fault alone, its new text in the place of the old."""

    def __init__(self, faults, alone=False):
        self.faults, self.alone, self.folder = faults, alone, None

    def text(self, path):
        text, spans = (ROOT / path).read_text(), {}
        for fault in self.faults:
            for edit in fault.edits:
                if edit.path == path:
                    spans.setdefault(edit.span, []).append((fault.number, "\n".join(edit.new)))
        verilog = path.endswith(".v")
        for (start, end), choices in sorted(spans.items(), reverse=True):
            new = choices[0][1] if self.alone else both(text[start:end], choices, verilog)
            if new is None:
                raise Problem(f"{path}: neither an expression nor statements differ: {text[start:end]}")
            text = text[:start] + new + text[end:]
        if verilog and not self.alone:
            text = re.sub(r"^(module .*?\);\n)", lambda m: m[1] + CHOICE_V, text, count=1, flags=re.S | re.M)
        return text

    def make(self, tmp):
        """The copy and its program, once."""
        if self.folder:
            return
        self.folder = Path(tempfile.mkdtemp(dir=tmp))
        paths = sorted({e.path for f in self.faults for e in f.edits})
        compiled = [p for p in paths if p.endswith((".c", ".h"))]
        shell = f". verif/tests/lib.sh; open_copy {self.folder} {shlex.join(paths)}"
        run_shell(shell)
        for path in paths:
            (self.folder / path).unlink()
            (self.folder / path).write_text(self.text(path))
        (self.folder / "fault.h").write_text(CHOICE_C)
        if compiled:
            run_shell(f". verif/tests/lib.sh; WITH='-include {self.folder}/fault.h' build_open {self.folder} {shlex.join(compiled)}")

    def check(self, fault, number):
        """Exit status and output of the run; with number 0 no fault is chosen, and a short run does."""
        arguments = shlex.split(fault.run if number else re.sub(r"--cycles \d{5,}", f"--cycles {SOUND}", fault.run))
        program = self.folder / "simtgen"
        environment = dict(os.environ, SIMTGEN_DATA=str(self.folder), SIMTGEN_QUICK="1", SIMTGEN_FAULT=str(number))
        command = [str(program if program.exists() else os.environ.get("SIMTGEN", ROOT / "build/simtgen")), "check", *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=environment, cwd=self.folder)
        except subprocess.TimeoutExpired:
            return -1, f"no end after {SECONDS} s"
        return done.returncode, done.stdout + done.stderr


def run_shell(command):
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Problem((done.stdout + done.stderr)[-800:])


def copies_for(faults):
    """Copies, the first with as many faults as can be chosen at run time."""
    first, rest = [], []
    for fault in faults:
        (rest if fault.alone or not fits(first, fault) else first).append(fault)
    return ([Copy(first)] if first else []) + [Copy([f], True) for f in rest]


def fits(others, fault):
    for edit in fault.edits:
        text = (ROOT / edit.path).read_text()
        if both(text[slice(*edit.span)], [(1, "\n".join(edit.new))], edit.path.endswith(".v")) is None:
            return False
        same = [(1, "\n".join(edit.new))]
        for other in (e for f in others for e in f.edits if e.path == edit.path):
            if other.span == edit.span:
                same.append((2, "\n".join(other.new)))
            elif other.span[0] < edit.span[1] and edit.span[0] < other.span[1]:
                return False
        if len(same) > 1 and both(text[slice(*edit.span)], same, edit.path.endswith(".v")) is None:
            return False
    return True


def verdict(fault, status, said):
    if status != 1:
        return f"exit status {status}, expected 1: {said[-300:]}"
    return "" if re.search(fault.sees, said, re.M) else f"no '{fault.sees}' in: {said[-300:]}"


def configuration(fault):
    """What its RTL is made of: the arguments without the run's."""
    return re.sub(r" --(seed|cycles|stimulus) \S+", "", fault.run)


def main():
    block, words = sys.argv[1], sys.argv[2:]
    faults = read_table(ROOT / f"verif/{block}/faults.txt")
    for fault in faults:
        for edit in fault.edits:
            edit.find((ROOT / edit.path).read_text())
    report(f"{block}: every planted fault fits into the tree")
    copies = copies_for(faults)
    groups = list(dict.fromkeys((id(c) if c.alone else 0, configuration(f)) for c in copies for f in c.faults))
    with tempfile.TemporaryDirectory() as tmp:
        sound = set()
        for copy in copies:
            for fault in copy.faults:
                group = (id(copy) if copy.alone else 0, configuration(fault))
                if words and not any(w in fault.name for w in words):
                    continue
                if not words and not its_turn(groups.index(group)):
                    later(fault.name, fault.ids)
                    continue
                if is_kept(fault.name, fault.ids):
                    continue
                copy.make(tmp)
                if not copy.alone and group not in sound:
                    sound.add(group)
                    status, said = copy.check(fault, 0)
                    report(f"{block}: with no fault chosen it passes: {configuration(fault)}", "" if status == 0 else f"{status}: {said[-400:]}")
                report(fault.name, verdict(fault, *copy.check(fault, fault.number)), fault.ids)


if __name__ == "__main__":
    try:
        main()
    except (Problem, OSError) as e:
        report("planted faults", e)
    finish()
