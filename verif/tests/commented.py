#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""Each port and parameter of every module in rtl_templates/ is explained where it is declared: a comment
stands at the end of its line, or a comment line stands above its group, which is a run of declarations without
an empty line. rtl_templates/commented.txt says how many of a folder may still lack one; others lack none.
With the word `lower` the script lowers these numbers to what it finds."""
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, Problem, finish, report  # noqa: E402

KINDS = ("parameters", "ports")
ALLOWED = "rtl_templates/commented.txt"
HEADER = re.compile(r"\bmodule\s+(\w+)")
DEFAULT = re.compile(r"(?<![=!<>])=(?!=).*", re.S)
NAME = re.compile(r"\w+(?=\s*$)")


def without_comments(text):
    """The text with spaces in the place of comments, so that every place keeps its line and column."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.S)


def declared(code, start):
    """(name, line) of each item of the list whose bracket opens at `start`, and the place behind the list."""
    items, depth, begin, at = [], 0, start + 1, start
    while True:
        if at == len(code):
            raise Problem("the list of a module's header does not end")
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if (code[at] == "," and depth == 1) or depth == 0:
            name = NAME.search(DEFAULT.sub("", code[begin:at]))
            if name:
                items.append((name.group(), code.count("\n", 0, begin + name.start())))
            begin = at + 1
        at += 1
        if depth == 0:
            return items, at


def headers(code):
    """(kind, name, line) of each parameter and port that a module of this text declares in its header."""
    for module in HEADER.finditer(code):
        at = module.end()
        for kind, opening in zip(KINDS, (r"\s*#\s*\(", r"\s*\(")):
            found = re.compile(opening).match(code, at)
            if found:
                items, at = declared(code, found.end() - 1)
                yield from ((kind, name, line) for name, line in items)


def explained_lines(lines, codes):
    """The lines, by number from 0, that have a comment of their own or share that of their group."""
    explained, group, behind = set(), False, None
    for number, (line, code) in enumerate(zip(lines, codes)):
        words = len(line[len(code.rstrip()):].strip(" /*-"))
        if not code.strip():
            # A comment no further left than the one at the end of the line before it goes on with that.
            goes_on = behind is not None and line.strip() and line.index(line.strip()) >= behind
            group = (group or words > 0) if line.strip() and not goes_on else group and goes_on
            behind = behind if goes_on else None
            continue
        own = words > 0
        behind = len(code.rstrip()) + line[len(code.rstrip()):].index("/") if own else None
        if own or group:
            explained.add(number)
        if code.strip().startswith((")", "module")):
            group = False
    return explained


def missing(text):
    """(kind, name, line from 0, whether it is explained) of each parameter and port."""
    code = without_comments(text)
    explained = explained_lines(text.split("\n"), code.split("\n"))
    return [(kind, name, line, line in explained) for kind, name, line in headers(code)]


def allowances(root):
    """{folder: {kind: how many may lack a comment}}."""
    allowed = {}
    for line in (root / ALLOWED).read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            allowed[words[0]] = dict(zip(KINDS, map(int, words[1:3]), strict=True))
    return allowed


def bare_of(folder, root):
    """({kind: counts of explained and bare}, {kind: where the bare ones stand}) of a folder's modules."""
    counts, bare = {kind: Counter() for kind in KINDS}, {kind: [] for kind in KINDS}
    for path in sorted(folder.rglob("*.v")):
        for kind, name, line, explained in missing(path.read_text()):
            counts[kind][explained] += 1
            if not explained:
                bare[kind].append(f"{path.relative_to(root)}:{line + 1}: {name}")
    return counts, bare


def judge(root):
    """(folder, its counts, what is wrong with it) of each folder, then of the whole."""
    allowed, total = allowances(root), {kind: Counter() for kind in KINDS}
    for folder in sorted(p for p in (root / "rtl_templates").iterdir() if p.is_dir()):
        counts, bare = bare_of(folder, root)
        may = allowed.pop(folder.name, {})
        wrong = []
        for kind in KINDS:
            total[kind] += counts[kind]
            if len(bare[kind]) > may.get(kind, 0):
                wrong.append(f"{len(bare[kind])} {kind} without a comment, expected at most "
                             f"{may.get(kind, 0)} ({ALLOWED}): {', '.join(bare[kind][:8])}")
        yield folder.name, counts, "; ".join(wrong)
    yield "no others", total, "; ".join(f"{ALLOWED}: {folder}: no such folder" for folder in allowed)


def lower(root):
    """Writes what is found into the list, where it is less; a folder that lacks none leaves it."""
    lines = []
    for line in (root / ALLOWED).read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            counts, _ = bare_of(root / "rtl_templates" / words[0], root)
            less = [min(int(may), counts[kind][False]) for may, kind in zip(words[1:], KINDS)]
            line = f"{words[0]} {less[0]} {less[1]}" if any(less) else None
        lines += [] if line is None else [line]
    (root / ALLOWED).write_text("\n".join(lines) + "\n")


def share(counts):
    return ", ".join(f"{counts[k][True]} of {sum(counts[k].values())} {k}" for k in KINDS)


# What the script finds bare in a small module: each name whose comment says so.
PLANTED = """module planted #(
  parameter [31:0] BARE_FIRST = {1'b1, 31'd0},
  parameter GOOD_OWN = (1 + 2)  // its own
) (
  input  wire bare_after_parameters,

  // A group, of two.
  input  wire [((GOOD_OWN == 1) ? 8 : 7):0] good_group,
  output reg  good_group_too,

  output wire bare_behind_an_empty_line,
  input  wire good_own,  // its own, which
                         // goes on
  input  wire bare_behind_what_goes_on,
  output wire bare_a, bare_b,
  // Nothing is left to say of the last one.
  output wire good_last
);
  // Neither a port nor a parameter.
  localparam OTHER = 1;
endmodule
"""


def main():
    found = missing(PLANTED)
    wrong = [name for _, name, _, explained in found if explained != name.lower().startswith("good")]
    all_found = {name for _, name, _, _ in found} == set(re.findall(r"\b(?:good|bare)_\w+", PLANTED, re.I))
    good = all_found and not wrong
    report("planted ports and parameters without a comment are found", "" if good else f"{wrong} of {found}")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rtl_templates/one").mkdir(parents=True)
        (Path(folder) / "rtl_templates/one/planted.v").write_text(PLANTED)
        verdicts = []
        for allowed in ("one 1 5", "one 1 4", ""):
            (Path(folder) / ALLOWED).write_text(f"# folder, parameters, ports\n{allowed}\n")
            verdicts.append([bool(wrong) for name, _, wrong in judge(Path(folder)) if name == "one"])
        report("more than a folder may lack is refused", verdicts * (verdicts != [[False], [True], [True]]))
    for folder, counts, wrong in judge(ROOT):
        print(f"  {folder.replace('no others', 'all')}: {share(counts)} explained")
        report(f"comments of ports and parameters: {folder}", wrong)


if __name__ == "__main__":
    try:
        lower(ROOT) if sys.argv[1:] == ["lower"] else main()
    except Problem as e:
        report("comments of ports and parameters", e)
    finish()
