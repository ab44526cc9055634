#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""Shared code knows no block: it contains no block's name as a whole identifier, and no parameter
or port of a description that is not in the one list of common names."""
import fnmatch
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, Problem, block_names, describe, finish, grid, report  # noqa: E402

# The block that docs/adding_a_block.md makes; the proofs of library cells, whose parameters have names of their own.
OWN_TESTS = ("verif/tests/arbiter", "verif/tests/cells")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


def common_names(root):
    lines = (root / "cmodel/core/common_names.txt").read_text().splitlines()
    return [n.strip() for n in lines if n.strip() and not n.startswith("#")]


def own_names(blocks, common):
    """{identifier: where it belongs} of everything that only a block's own files may say."""
    names = {b: f"block {b}" for b in blocks}
    for block in blocks:
        for values in [{}, *grid(block)[0]]:
            description = describe(block, values)
            for kind in ("parameters", "ports"):
                for item in description[kind] if description else []:
                    if not any(fnmatch.fnmatchcase(item["name"], c) for c in common):
                        names.setdefault(item["name"], f"{kind[:-1]} of {block}")
    return names


def shared_files(root, blocks):
    own = [root / "verif" / b for b in blocks] + [root / t for t in OWN_TESTS]
    places = [root / "Makefile", *sorted((root / "gen").rglob("*")), *sorted((root / ".ci").rglob("*")),
              *sorted((root / "verif").rglob("*")), *sorted((root / "cmodel/core").rglob("*"))]
    for path in places:
        if path.is_file() and "__pycache__" not in path.parts and not any(o in path.parents for o in own):
            yield path


def scan(root, blocks, names):
    """`FILE:LINE: NAME` for each use in shared code."""
    found = []
    for path in shared_files(root, blocks):
        text = path.read_text(encoding="utf-8", errors="replace")
        if not names.keys() & set(WORD.findall(text)):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            found += [f"{path.relative_to(root)}:{number}: {word} ({names[word]})"
                      for word in WORD.findall(line) if word in names]
    return found


def planted(blocks, names, name, place):
    """Whether a use of `name` planted in shared file `place` of a small tree is found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / place
        path.parent.mkdir(parents=True)
        path.write_text(f"first line\nuses({name}, {name}_more, x{name});\n")
        return scan(Path(folder), blocks, names) == [f"{place}:2: {name} ({names[name]})"]


def main():
    blocks = block_names()
    names = own_names(blocks, common_names(ROOT))
    found = scan(ROOT, blocks, names)
    report("shared code names no block, parameter or port", "; ".join(found[:20]))
    for kind in ("block", "parameter", "port"):
        name = next((n for n, of in names.items() if of.startswith(kind)), None)
        good = name and planted(blocks, names, name, "gen/x.c") and planted(blocks, names, name, "verif/x.c")
        report(f"a planted {kind} name is found", "" if good else f"{name} was not found")
    path = f"verif/{blocks[0]}/x.c"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / path).parent.mkdir(parents=True)
        (Path(folder) / path).write_text(f"{blocks[0]}\n")
        report("a block's own folder may use its names", "; ".join(scan(Path(folder), blocks, names)))


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("names of the blocks", e)
    finish()
