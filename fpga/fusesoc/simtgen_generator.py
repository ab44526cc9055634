#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What FuseSoC runs for a core that asks for a block: simtgen writes it here, and a core file offers its Verilog.

The program is the one that SIMTGEN names, else simtgen of the path, else build/simtgen of this tree."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

KEYS = {"block": str, "name": str, "params": dict}


def refuse(text):
    sys.exit(f"simtgen_generator: {text}")


def read(path):
    request = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    asked = request.get("parameters") or {}
    for key, value in asked.items():
        if key not in KEYS:
            refuse(f"{key}: got an unknown parameter, expected {', '.join(KEYS)}")
        if not isinstance(value, KEYS[key]):
            refuse(f"{key}: got {value!r}, expected {'a map of NAME: VALUE' if key == 'params' else 'a name'}")
    if "block" not in asked:
        refuse("block: got nothing, expected the name of a block (simtgen list)")
    return request["vlnv"], asked


def main():
    vlnv, asked = read(sys.argv[1])
    beside = Path(__file__).resolve().parents[2] / "build/simtgen"
    program = os.environ.get("SIMTGEN") or shutil.which("simtgen") or str(beside)
    name = asked.get("name", asked["block"])
    command = [program, "gen", asked["block"], "-n", name, "--no-doc", "-q", "-o", name]
    for key, value in (asked.get("params") or {}).items():
        command += ["-p", f"{key}={value}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as e:
        refuse(f"{program}: {e.strerror}; build simtgen, or name it with SIMTGEN")
    if done.returncode:
        refuse(f"{done.stderr.strip()}")
    Path(name, f"{name}.core").unlink()  # FuseSoC takes every core file that it finds here
    files = "".join(f"      - {path}\n" for path in sorted(Path(name, "rtl").glob("*.v")))
    Path(f"{name}.core").write_text(
        f'CAPI=2:\nname: "{vlnv}"\nfilesets:\n  rtl:\n    file_type: verilogSource-2005\n    files:\n{files}'
        "targets:\n  default:\n    filesets: [rtl]\n", encoding="utf-8")


main()
