#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: all
"""Headers that gen writes beside those of libsimt: each block under its default name, and instances named like headers of the
library. No file, guard or macro of the one is in the other, and a program may include both, in any order, from C and C++."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "verif/tools"))
from gen_lib import generate, quiet, tool  # noqa: E402
from testlib import Problem, block_names, finish, first_block, report  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
WORD = re.compile(r"[A-Za-z_]\w*")
MACRO = re.compile(r"^# *define +(\w+)", re.M)
NAMES = ["topology", "unit_status", "context_port", "simt_model", "tracker_regs", "stack_cache_ports",
         "auto", "float", "typeof", "namespace", "stdint", "errno"]  # keywords and headers of C and C++


def library():
    """The headers that `make install` installs."""
    run = subprocess.run(["make", "-s", "-C", ROOT, "headers"], text=True, capture_output=True, check=True)
    files = [ROOT / f for f in run.stdout.split()]
    if len(files) < 9:
        raise Problem(f"few headers are installed: {files}")
    return files


def code(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def clash(made, installed):
    """What a name stands for on both sides; empty when nothing does."""
    files = {f.name for f in made} & {f.name for f in installed}
    if files:
        return f"both have a file {sorted(files)}"
    ours = {m for f in made for m in MACRO.findall(f.read_text())}
    theirs = {w for f in installed for w in WORD.findall(code(f.read_text()))}
    if ours & theirs:
        return f"both have {sorted(ours & theirs)[:8]}"
    names = {m for f in made for m in re.findall(r"^static inline [^(]*?(\w+)\(", f.read_text(), re.M)}
    macros = {m for f in installed for m in MACRO.findall(f.read_text())}
    both = (names & theirs) | ({w for f in made for w in WORD.findall(code(f.read_text()))} & macros)
    return f"both have {sorted(both)[:8]}" if both else ""


def compiles(made, installed, upper, tmp):
    uses = [f"#if !defined({upper}_IN_WORDS)", "#error the generated header was skipped", "#endif",
            "struct simt_config cfg; struct simt_diag diag; struct simt_topology topology; struct stack_cache_result result;",
            "struct tracker_result tracked; struct const_cache_result constant; struct branch_stack_result branch;",
            "struct atomic_merge_result merge; struct simt_unit_status status; struct simt_context_port port; int main(void) { return 0; }"]
    for first, then in ((made, installed), (installed, made)):
        for language, standard, compiler in (("c", "c11", "gcc"), ("c++", "c++11", "g++")):
            (tmp / "use.c").write_text("\n".join([f'#include "{f.name}"' for f in [*first, *then]] + uses) + "\n")
            folders = [a for f in [*first, *then] for a in ("-I", f.parent)]
            reason = quiet(tool(compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", *folders, "-fsyntax-only", "-x", language,
                                tmp / "use.c", cwd=tmp))
            if reason:
                return f"{compiler}: {reason}"
    return ""


def one(block, name, installed, tmp):
    out = tmp / f"{block}-{name}"
    generate(block, out, name=name)
    made = [f for f in out.rglob("*.h")]
    if not made:
        return "no header"
    return clash(made, installed) or compiles(made, installed, name.upper(), tmp)


def main():
    installed = library()
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        for block in block_names():
            reason = one(block, block, installed, tmp)
            report(f"headers of {block} and of libsimt in one program", reason)
        reasons = [f"{name}: {r}" for name in NAMES if (r := one(first_block(), name, installed, tmp))]
        report("headers of instances named like those of libsimt", "; ".join(reasons))
    finish()


if __name__ == "__main__":
    main()
