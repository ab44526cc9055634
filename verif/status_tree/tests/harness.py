#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""The harness for blocks of many inputs: it is subtracted exactly, and only the clock of the block counts. Place and
route is a stand-in that has a slower path in the harness than in the block."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from testlib import Problem, finish, options, program, report  # noqa: E402

CONFIG = {"UNITS": 256, "GROUP": 256, "STAGES": 4}
NEXTPNR = """#!/bin/bash
case "$*" in
  --version) echo "nextpnr-ice40 -- stand-in" ;;
  *--pack-only*) printf 'ICESTORM_LC: 3000/ 7680\\nICESTORM_RAM: 0/ 32\\n' ;;
  *) while [ "$1" != --report ]; do shift; done; cp REPORT "$2" ;;
esac
"""


def path(clock, delay):
    hop = {"type": "logic", "delay": delay, "from": {"cell": "a"}, "to": {"cell": "b"}}
    return {"from": f"posedge {clock}$x", "to": f"posedge {clock}$x", "path": [hop]}


REPORT = {"fmax": {"clk_i$x": {"achieved": 200.0}, "slow_i$x": {"achieved": 90.0}},
          "critical_paths": [path("clk_i", 5.0), path("slow_i", 11.0)]}

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
    report("only the clock of the block counts", "" if r["fmax_mhz"]["median"] == 200 and r["critical_path"]["logic_ns"] == 5 else
           f"{r['fmax_mhz']}, {r['critical_path']}")
    counts = [(r[of]["lut4"], r[of]["ff"]) for of in ("harness", "harness_alone")]
    # 256 launch registers and 3 of the commands, 196 that take 777 outputs, 31 and 3 of the LFSR and reset
    report("the harness has its registers, with the block and without", "" if counts[0] == counts[1] and counts[0][1] == 489 else f"{counts}")


try:
    with tempfile.TemporaryDirectory() as folder:
        check(Path(folder))
except (Problem, subprocess.SubprocessError, OSError) as e:
    report("the wide harness can be tested", e)
finish()
