#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
"""The harness for blocks of many inputs is subtracted exactly. Place and route is a stand-in."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from testlib import Problem, finish, options, program, report  # noqa: E402

CONFIG = {"UNITS": 256, "GROUP": 256, "STAGES": 4}
NEXTPNR = """#!/bin/bash
case "$*" in
  --version) echo "nextpnr-ice40 -- stand-in" ;;
  *--pack-only*) printf 'ICESTORM_LC: 3000/ 7680\\nICESTORM_RAM: 0/ 32\\n' ;;
  *) while [ "$1" != --report ]; do shift; done; cp REPORT "$2" ;;
esac
"""


HOP = {"type": "logic", "delay": 5.0, "from": {"cell": "a"}, "to": {"cell": "b"}}
REPORT = {"fmax": {"clk_i$x": {"achieved": 200.0}}, "critical_paths": [{"from": "posedge clk_i$x", "to": "posedge clk_i$x", "path": [HOP]}]}


def synth(tmp):
    (tmp / "report.json").write_text(json.dumps(REPORT))
    tool = tmp / "nextpnr"
    tool.write_text(NEXTPNR.replace("REPORT", str(tmp / "report.json")))
    tool.chmod(0o755)
    env = {**os.environ, "SIMTGEN_CACHE": str(tmp / "cache"), "SIMTGEN_NEXTPNR_ICE40": str(tool)}
    done = subprocess.run([program(), "synth", "status_tree", *options(CONFIG), "--target", "ice40", "--json"], capture_output=True, text=True, env=env, timeout=300)
    if done.returncode:
        raise Problem(f"synth: {done.stderr[-300:]}")
    return json.loads(done.stdout)


def check(tmp):
    r = synth(tmp)
    report("the figures are the report's", "" if r["fmax_mhz"]["median"] == 200 and r["critical_path"]["logic_ns"] == 5 else
           f"{r['fmax_mhz']}, {r['critical_path']}")
    counts = [(r[of]["lut4"], r[of]["ff"]) for of in ("harness", "harness_alone")]
    # 256 launch registers and 3 of the commands, 196 that take 777 outputs, 1 of the reset
    report("the harness has its registers, with the block and without", "" if counts[0] == counts[1] and counts[0][1] == 456 else f"{counts}")


try:
    with tempfile.TemporaryDirectory() as folder:
        check(Path(folder))
except (Problem, subprocess.SubprocessError, OSError) as e:
    report("the wide harness can be tested", e)
finish()
