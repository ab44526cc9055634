#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 600
"""The Python package: `pip install .` of a clone, docs/python.md and the examples as they stand, the models against what a run of
lockstep recorded, whole runs, images, refusals; faults planted in the package are seen."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "verif/tools"))
from testlib import ROOT, finish, program, report  # noqa: E402

PYTHON = Path(os.environ.get("B", ROOT / "build")).resolve() / "venv/bin/python"
DRIVER = Path(__file__).resolve().parent / "package_cases.py"


def python(site, *words, cwd=ROOT, **more):
    environment = dict(os.environ, PYTHONPATH=str(site), SIMTGEN=program(), **more)
    return subprocess.run([str(PYTHON), *map(str, words)], capture_output=True, text=True, cwd=cwd, env=environment, timeout=300)


def said(run):
    return "" if run.returncode == 0 else (run.stderr or run.stdout or f"exit status {run.returncode}")[-800:]


def install(site, folder):
    """As a stranger does, but without a registry: what it is built with is in build/venv."""
    clone = folder / "clone"
    clone.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "cmodel"):
        source = ROOT / name
        shutil.copytree(source, clone / name) if source.is_dir() else shutil.copy(source, clone / name)
    run = subprocess.run([str(PYTHON), "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index",
                          "--disable-pip-version-check", "--target", str(site), str(clone)], capture_output=True, text=True)
    report("pip install . in a clone gives the package", said(run))
    left = sorted(str(p.relative_to(clone)) for p in clone.rglob("*") if p.is_file() and "build" not in p.relative_to(clone).parts[:1]
                  and not (ROOT / p.relative_to(clone)).exists())
    report("it writes nothing beside the sources", " ".join(left))
    return run.returncode == 0


def page(site):
    """Every piece of Python in docs/python.md in one session; what follows it is what it prints."""
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    before, n = "", 0
    for code, wanted in re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", text, re.S):
        n += 1
        mark = "print('-- here')\n"
        run = python(site, "-c", before + mark + code)
        out = run.stdout.split("-- here\n")[-1] + (run.stderr.strip().split("\n")[-1] + "\n" if run.returncode else "")
        report(f"docs/python.md, piece {n}: prints what the page says", "" if out == (wanted or "") else f"{out!r}, expected {wanted!r}")
        if not run.returncode:
            before += code
    report("docs/python.md has pieces to run", "" if n >= 5 else f"{n}")


def examples(site, folder):
    run = python(site, ROOT / "docs/example_python/architect.py")
    costs = [float(x) for x in re.findall(r"([\d.]+) cycles an operation", run.stdout)]
    report("example architect.py: more entries cost fewer cycles",
           said(run) or ("" if len(costs) == 3 and costs == sorted(costs, reverse=True) and costs[0] > costs[2] else run.stdout))
    picture = folder / "p.png"
    run = python(site, ROOT / "docs/example_python/plot_sweep.py", "verif/stack_cache/traces/chibicc_compile.stk.gz", picture)
    report("example plot_sweep.py draws a picture", said(run) or ("" if picture.exists() and picture.stat().st_size > 5000 else "no picture"))


def cases(site):
    run = python(site, DRIVER)
    for line in run.stdout.splitlines():
        if line.startswith(("ok ", "not ok ")):
            print(line, flush=True)
    failed = [x for x in run.stdout.splitlines() if x.startswith("not ok ")]
    report("the cases of the package ran to their end", "" if run.returncode == 0 and not failed and "cases:" in run.stdout else said(run) or "failed")


def planted(site, folder):
    """The cases see a fault in the package."""
    for name, file, old, new, wanted in (
            ("the lowest word of a wide port is lost", "model.py", "rows[:, p.word + i] =", "rows[:, p.word + p.words - 1 - i] =", "not ok "),
            ("a value that does not fit is cut", "model.py", "if not 0 <= value < 1 << p.width:", "if False:", "not ok "),
            ("an image is not looked at", "model.py", "if not self._ops.load(self._model, ffi.from_buffer(image), len(image)):",
             "if self._ops.load(self._model, ffi.from_buffer(image), len(image)) is None:", "not ok "),
            ("the memory forgets", "levels.py", "return self.bytes.get(address, bytes(size))", "return bytes(size)", "not ok ")):
        copy = folder / "planted"
        shutil.copytree(site, copy)
        text = (copy / "simtgen" / file).read_text(encoding="utf-8")
        if text.count(old) != 1:
            report(f"fault: {name}", f"{file}: {old!r} stands there {text.count(old)} times")
        else:
            (copy / "simtgen" / file).write_text(text.replace(old, new), encoding="utf-8")
            run = python(copy, DRIVER)
            report(f"fault: {name}", "" if wanted in run.stdout else "no case sees it: " + run.stdout[-300:])
        shutil.rmtree(copy)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        site = folder / "site"
        if install(site, folder):
            page(site)
            examples(site, folder)
            cases(site)
            planted(site, folder)


if __name__ == "__main__":
    main()
    finish()
