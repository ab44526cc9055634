# SPDX-License-Identifier: Apache-2.0
"""The commands of the program `simtgen` as functions that return dictionaries.

The program is the one that the environment variable SIMTGEN names, or the first `simtgen` on the path (`make install`).
"""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import ProgramError


def find() -> str:
    """The program's path. Raises ProgramError (status 3) when there is none."""
    path = os.environ.get("SIMTGEN") or shutil.which("simtgen")
    if not path or not os.access(path, os.X_OK):
        raise ProgramError(3, f"simtgen: got {path or 'no program on the path'}, expected the program: "
                              "`make install`, or set SIMTGEN to build/simtgen of a clone")
    return path


def command(*words: Any, ok: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess:
    """Runs the program. Raises ProgramError with its message when it ends with another status than `ok`."""
    run = subprocess.run([find(), *map(str, words)], capture_output=True, text=True)
    if run.returncode not in ok:
        raise ProgramError(run.returncode, run.stderr.strip())
    return run


def _parameters(parameters):
    return [w for name, value in parameters.items() for w in ("-p", f"{name}={value}")]


def _json(*words, ok=(0,)):
    return json.loads(command(*words, "--json", ok=ok).stdout)


def describe(block: str, **parameters: Any) -> dict:
    """Parameters, ports, registers, derived values and coverage points of a configuration."""
    return _json("describe", block, *_parameters(parameters))


def generate(block: str, directory: str | os.PathLike, *, name: str | None = None, **parameters: Any) -> dict:
    """Generates a configuration into a new directory; gives its manifest, with `files` and their SHA-256.

    Raises ProgramError, and writes nothing, when anything is wrong."""
    command("gen", block, *_parameters(parameters), *(("-n", name) if name else ()), "-o", directory, "-q")
    return json.loads((Path(directory) / "manifest.json").read_text(encoding="utf-8"))


def check(block: str, *, cycles: int | None = None, seed: int | None = None, stimulus: str | None = None,
          coverage: bool = False, **parameters: Any) -> dict:
    """A run in lockstep of Verilog and model. `result` is "pass", or says what differs, with `failure`; a difference is no
    exception. `seconds` are of processor time, rates in cycles per second."""
    words = [w for option, value in (("--cycles", cycles), ("--seed", seed), ("--stimulus", stimulus)) if value is not None
             for w in (option, value)]
    return _json("check", block, *_parameters(parameters), *words, *(["--coverage"] if coverage else []), ok=(0, 1))


def sim(block: str, trace: str | os.PathLike, *, picker: str | None = None, latency: int | None = None,
        replay: Mapping[str, int] | None = None, **parameters: Any) -> dict:
    """The model alone on a trace: its statistics, with units; at least operations, cycles and idle_cycles."""
    words = [w for option, value in (("--picker", picker), ("--latency", latency)) if value is not None for w in (option, value)]
    words += [w for n, v in (replay or {}).items() for w in ("--replay", f"{n}={v}")]
    return _json("sim", block, *_parameters(parameters), "--trace", trace, *words)


def synth(block: str, target: str, *, seeds: int | None = None, **parameters: Any) -> dict:
    """Cells, RAM and frequency on a target (ice40, ecp5, xilinx, asic), harness subtracted. Takes a minute or more."""
    return _json("synth", block, *_parameters(parameters), "--target", target,
                 *(["--seeds", seeds] if seeds is not None else []))


def sweep(file: str | os.PathLike | Mapping, output: str | os.PathLike, *, jobs: int | None = None) -> list[dict]:
    """A sweep by its file (docs/sweeps.md), or by a dictionary of what the file would say; a list of its rows.

    The results are kept in `output`; a sweep that was interrupted goes on from there."""
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(file, Mapping):
            path = Path(folder) / "sweep.yaml"
            path.write_text(json.dumps(file), encoding="utf-8")  # JSON is YAML
            file = path
        command("sweep", file, "-o", output, "-q", *(["-j", jobs] if jobs else []),
                *(["--resume"] if Path(output).exists() else []))
    found = Path(output)
    rows = found if found.is_file() else next(iter(sorted(found.glob("*.jsonl"))))
    return [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines() if line.strip()]
