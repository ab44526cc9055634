#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""Names of instances that are words of YAML: every file in YAML has them as text, and replays. Two instances whose names meet."""
import json
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "verif/tools"))
from gen_lib import generate, run_program  # noqa: E402
from testlib import Problem, finish, first_block, in_venv, report  # noqa: E402

try:
    import yaml
except ImportError:
    try:
        in_venv("PyYAML")
    except Problem as problem:
        report("YAML", problem)
        finish()

WORDS = ("yes", "no", "off", "true", "y", "n")


def yaml_word(word, tmp):
    out = tmp / word
    generate(first_block(), out, name=word)
    core = yaml.safe_load((out / f"{word}.core").read_text())
    names = [yaml.safe_load((out / "config.yaml").read_text())["name"], *(core["targets"][t]["toplevel"] for t in ("default", "lint"))]
    if names != [word] * 3:
        return f"got {names}"
    shutil.copy(out / "config.yaml", tmp / "config.yaml")
    run = run_program("gen", "-c", tmp / "config.yaml", "-o", tmp / "again")
    if run.returncode or (tmp / "again/config.yaml").read_text() != (out / "config.yaml").read_text():
        return f"config.yaml does not replay: {run.stderr}"
    shutil.rmtree(tmp / "again")
    return ""


def modules(name, tmp):
    out = tmp / f"of_{name}"
    generate(first_block(), out, name=name)
    return set(json.loads((out / "manifest.json").read_text()).get("modules", []))


def meet(tmp):
    """Two names of which one is the other's and `_core` have a module in common; others have none."""
    one, two, three = (modules(n, tmp) for n in ("cs", "cs_core", "cx"))
    if one & two != {"cs_core"}:
        return f"cs and cs_core have in common {sorted(one & two)}"
    return "" if one and not one & three else f"cs and cx have in common {sorted(one & three)}"


with tempfile.TemporaryDirectory() as folder:
    for w in WORDS:
        report(f"an instance with the name {w} in YAML", yaml_word(w, Path(folder)))
    report("the manifests say which modules two instances have in common", meet(Path(folder)))
finish()
