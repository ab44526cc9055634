#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
# rotate: 3
"""The tree's layout: a struct, enum or union tag means one thing in the whole program, a block's files are named by role,
and a block whose folder sorts first may use every role's name without standing in for another block's file."""
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, block_names, finish, its_turn, later, report  # noqa: E402

DEFINED = re.compile(r"^(?:typedef |static |const )*(?:struct|enum|union) ([a-z_0-9]+) \{", re.M)
BOUND = re.compile(r"^SIMT_PORTS\((\w+),", re.M)
ROLES = ("cover", "env", "golden", "layout", "model", "registers", "state", "stimulus")


def sources(root):
    """The C files of the program: no test programs, which are linked alone."""
    for folder in ("cmodel", "gen", "verif"):
        for path in sorted((root / folder).rglob("*.[ch]")):
            if "tests" not in path.relative_to(root).parts:
                yield path


def ambiguous_tags(root):
    """Tags that are defined in more than one file of the program, with their files."""
    places = defaultdict(set)
    for path in sources(root):
        text = path.read_text(encoding="utf-8")
        for tag in DEFINED.findall(text) + BOUND.findall(text):
            places[tag].add(str(path.relative_to(root)))
    return [f"{tag}: {', '.join(sorted(files))}" for tag, files in sorted(places.items()) if len(files) > 1]


def role_with_prefix(root, blocks):
    """Files of blocks that carry a prefix before the name of a role: `x_env.h` beside `env.h`."""
    pattern = re.compile(rf"^[a-z]+_({'|'.join(ROLES)})\.[ch]$")
    return [str(p.relative_to(root)) for kind in ("cmodel", "verif") for b in blocks
            for p in sorted((root / kind / b).glob("*.[ch]"))
            if pattern.match(p.name) and p.stem.removesuffix(f"_{p.stem.split('_')[-1]}") not in ("directed", "golden")]


def tree_with_first_block(folder):
    """A copy of what `make` needs, with the example block as `aaa_first`, whose headers have the names of roles."""
    for name in ("Makefile", "cmodel", "gen", "verif", "rtl_templates"):
        source = ROOT / name
        shutil.copytree(source, folder / name) if source.is_dir() else shutil.copy(source, folder / name)
    example = folder / "verif/tests/arbiter"
    for kind in ("cmodel", "rtl_templates", "verif"):
        shutil.copytree(example / kind / "arbiter", folder / kind / "aaa_first")
        for path in sorted((folder / kind / "aaa_first").iterdir()):
            text = path.read_text().replace("arbiter", "aaa_first").replace("rr_", "aaa_")
            path.unlink()
            path.with_name(path.name.replace("arbiter", "aaa_first")).write_text(text)
    for role in ("cover", "layout", "model", "env"):
        for kind in ("cmodel", "verif"):
            header = folder / kind / "aaa_first" / f"{role}.h"
            header.write_text("#define AAA_FIRST_WAS_HERE 1\n")
            user = folder / kind / "aaa_first" / ("block.c" if kind == "cmodel" else "verif.c")
            user.write_text(f'#include "{role}.h"\n' + user.read_text())
    return folder


def builds(folder):
    run = subprocess.run(["make", "-s", "B=build", "CFLAGS=-O0", "build/simtgen"], cwd=folder, capture_output=True, text=True,
                         timeout=160)  # all anew: an object of the tree would not show which header it would get here
    if run.returncode:
        return (run.stderr or run.stdout).strip()[-300:]
    run = subprocess.run([folder / "build/simtgen", "list"], capture_output=True, text=True, timeout=20)
    return "" if "aaa_first" in run.stdout and run.returncode == 0 else f"the block is not listed: {run.stdout}{run.stderr}"


def main():
    found = ambiguous_tags(ROOT)
    report("a tag means one thing in the whole program", "; ".join(found[:3]))
    found = role_with_prefix(ROOT, block_names())
    report("files of blocks are named by role alone", ", ".join(found))
    with tempfile.TemporaryDirectory() as name:
        folder = tree_with_first_block(Path(name))
        if its_turn(0):
            report("a block that sorts first and has headers named by role builds", builds(folder))
        else:
            later("a block that sorts first and has headers named by role builds")
        with open(folder / "gen/tool.c", "a", encoding="utf-8") as tool:
            tool.write("\nstruct bs_model { int planted; };\n")
        (folder / "cmodel/aaa_first/aaa_layout.h").write_text("\n")
        tags = ambiguous_tags(folder)
        report("a planted second meaning of a tag is seen", "" if any(t.startswith("bs_model:") for t in tags) else f"found {tags}")
        names = role_with_prefix(folder, ["aaa_first"])
        report("a planted prefix of a role is seen", "" if names == ["cmodel/aaa_first/aaa_layout.h"] else f"found {names}")
    return finish()


if __name__ == "__main__":
    sys.exit(main())
