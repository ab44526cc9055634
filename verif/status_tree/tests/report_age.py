#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
"""`simtgen report` says when results of synthesis are of other Verilog than the program generates now."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from testlib import ROOT, finish, program, report  # noqa: E402

CORE = "rtl_templates/status_tree/status_tree_core.v"
OTHER = "2 of 2 results of synthesis that were looked at are of other Verilog"


def run(folder, *args, data=None):
    env = os.environ | {"SIMTGEN_CACHE": str(folder / "cache")} | ({"SIMTGEN_DATA": str(data)} if data else {})
    return subprocess.run([program(), *args], cwd=folder, env=env, capture_output=True, text=True, timeout=300)


def page(folder, results="a.sweep", data=None):
    """What the command says, and the paragraph of the page."""
    done = run(folder, "report", results, "-o", "page", "-q", data=data)
    said = re.search(r'<p class="(?:bad|soft)">([^<]*that were looked at[^<]*)</p>', (folder / "page/index.html").read_text())
    return done.stderr, said[1] if said else ""


def changed(folder, name, change):
    """Templates with another core."""
    data = folder / name
    shutil.copytree(ROOT / "rtl_templates", data / "rtl_templates")
    core = data / CORE
    core.write_text(change(core.read_text()))
    return data


def check(folder):
    (folder / "a.yaml").write_text("block: status_tree\nparams: {GROUP: 2}\ngrid: {UNITS: [2, 4]}\ntargets: [xilinx]\n")
    done = run(folder, "sweep", "a.yaml", "-q")
    if done.returncode:
        return report("a sweep", done.stderr)
    same, shown = page(folder)
    report("results of today's Verilog: nothing is said", same + shown)
    words = changed(folder, "words", lambda s: "// another comment\n" + s.replace("  assign", "    assign"))
    same, shown = page(folder, data=words)
    report("... nor when comments and spaces are others", same + shown)
    said, shown = page(folder, data=changed(folder, "logic", lambda s: s.replace("endmodule", "  wire another_one;\nendmodule", 1)))
    report("results of other Verilog: the command and the page say so", "" if OTHER in said and OTHER in shown else f"said: {said}{shown}")
    lines = (folder / "a.sweep/results.jsonl").read_text()
    (folder / "old.jsonl").write_text(re.sub(r'"verilog":"[0-9a-f]{16}",', "", lines))
    said, shown = page(folder, "old.jsonl")
    report("results that do not say of which Verilog they are: the page says so",
           "" if not said and "2 of 2" in shown and "do not say" in shown else f"said: {said}{shown}")
    (folder / "gone.jsonl").write_text(lines.replace('"GROUP":2', '"GROUPS":2'))
    said, shown = page(folder, "gone.jsonl")
    report("results of a configuration that is no more are of other Verilog", "" if OTHER in said and OTHER in shown else f"said: {said}{shown}")
    rows = [json.loads(line) for line in lines.splitlines()[1:]]
    report("each result has its own hash", "" if len({r["targets"]["xilinx"]["verilog"] for r in rows}) == 2 else "the same")
    return None


with tempfile.TemporaryDirectory() as top:
    check(Path(top))
finish()
