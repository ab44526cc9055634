# SPDX-License-Identifier: Apache-2.0
"""What the Python tests share: their output lines, the program's JSON, the grids of the blocks."""
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_any_failed = False


class Problem(Exception):
    """Something that a test or tool needs is not there; the text says what to do."""


def report(name, reason="", ids=""):
    """Prints the line of one test; an empty reason means that it passed."""
    global _any_failed
    reason = " ".join(str(reason or "").split())
    _any_failed = _any_failed or bool(reason)
    mark = f" [{ids}]" if ids else ""
    print(f"not ok {name}{mark}: {reason}" if reason else f"ok {name}{mark}", flush=True)
    if os.environ.get("KEPT") and not reason:
        with open(os.environ["KEPT"], "a", encoding="utf-8") as f:
            f.write(f"ok {name}{mark}\n")


def is_kept(name, ids=""):
    """A test that has passed before a night was stopped is not run again: its line is printed (in a script with `# rotate: N`)."""
    path, line = Path(os.environ.get("KEPT") or "/dev/null"), f"ok {name}" + (f" [{ids}]" if ids else "")
    kept = path.exists() and line in path.read_text().split("\n")
    if kept:
        print(line, flush=True)
    return kept


def later(name, ids=""):
    """Prints the line of a test that another part of the rotation does, or the night."""
    print(f"later {name}" + (f" [{ids}]" if ids else ""), flush=True)


def its_turn(place):
    """Whether the case at this place is of the part that PART says: `3/8`, or `all` (a line `# rotate: 8` in the script)."""
    part = os.environ.get("PART") or "all"
    if part == "all":
        return True
    this, of = part.split("/")
    return place % int(of) == int(this)


def in_turn(*steps):
    """Calls those of the steps, (function, argument...), whose turn it is; the others are named by their functions and words."""
    for place, (function, *arguments) in enumerate(steps):
        if its_turn(place):
            function(*arguments)
        else:
            words = [getattr(x, "__name__", x) for x in (function, *arguments)]
            later(" ".join(x for x in words if isinstance(x, str)))


def finish():
    sys.exit(1 if _any_failed else 0)


def program():
    build = Path(os.environ.get("B", "build"))
    return os.environ.get("SIMTGEN", str((build if build.is_absolute() else ROOT / build) / "simtgen"))


def in_venv(module):
    """Starts this program again with the Python of build/venv, which has the module."""
    build = Path(os.environ.get("B", "build"))
    python = (build if build.is_absolute() else ROOT / build) / "venv" / "bin" / "python"
    if not python.exists() or Path(sys.prefix).resolve() == python.parent.parent.resolve():
        raise Problem(f"no {module} in build/venv: run `make setup`")
    os.execv(python, [str(python), *sys.argv])


def run_program(*args, using=None, timeout=60):
    command = [str(using or program()), *args]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except OSError as e:
        raise Problem(f"{command[0]}: {e.strerror}; run `make` first") from e


def program_json(*args, using=None):
    run = run_program(*args, "--json", using=using)
    if run.returncode != 0:
        raise Problem(f"simtgen {' '.join(args)} --json failed: {run.stderr.strip()}")
    return json.loads(run.stdout)


def block_names(using=None):
    """All blocks, or those of BLOCKS in the environment (run_tests.py sets it for a script that says `# each: block`)."""
    names = [b["name"] for b in program_json("list", using=using)["blocks"]]
    wanted = os.environ.get("BLOCKS", "").split() if using is None else []
    for name in wanted:
        if name not in names:
            raise Problem(f"BLOCKS: got '{name}', expected some of {', '.join(names)}")
    return wanted or names


def first_block(using=None):
    """What a script of level check looks at in the time it has: the first block with a memory port that contains no other."""
    names = block_names(using)
    return next((n for n in names if not (d := describe(n, using=using))["uses"]
                 and any(p["name"] == "mem_req_valid_o" for p in d["ports"])), names[0])


def blocks_here(using=None):
    """The block of BLOCKS; by hand the first one, or all the others with OTHERS=1."""
    if os.environ.get("BLOCKS"):
        return block_names()
    first = first_block(using)
    return [n for n in block_names(using) if (n == first) != (os.environ.get("OTHERS") == "1")]


def options(values):
    """{NAME: VALUE} as -p options."""
    return [word for name, value in values.items() for word in ("-p", f"{name}={value}")]


def describe(block, values=None, using=None):
    """The description of a configuration, or None when the program refuses it."""
    run = run_program("describe", block, *options(values or {}), "--json", using=using)
    if run.returncode == 2:
        return None
    if run.returncode != 0:
        raise Problem(f"simtgen describe {block}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def grid(block, root=ROOT):
    """The lines of verif/BLOCK/grid.txt: (allowed, forbidden), each a list of {NAME: VALUE}.

    A line is `NAME=VALUE ...`; one that begins with ! is a combination that must be refused.
    """
    path = root / "verif" / block / "grid.txt"
    if not path.exists():
        raise Problem(f"verif/{block}/grid.txt: missing; list configurations, one `NAME=VALUE ...` each")
    allowed, forbidden = [], []
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            values = dict(word.split("=", 1) for word in line.lstrip("! ").split())
            (forbidden if line.startswith("!") else allowed).append(values)
    return allowed, forbidden


def text_of(values):
    return " ".join(f"{n}={v}" for n, v in values.items()) or "defaults"
