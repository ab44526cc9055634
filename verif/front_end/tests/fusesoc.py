#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 900
"""FuseSoC's own program builds a small system whose core asks for two blocks by their parameters, and the bitstreams of
the self-test's board targets; wrong requests are told."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from testlib import ROOT, finish, program, report  # noqa: E402

VENV = Path(os.environ.get("B", "build")).resolve() / "venv/bin"
SOC = ROOT / "verif/front_end/tests/soc"


def fusesoc(tmp, cores, target, name, path=""):
    (tmp / "fusesoc.conf").write_text("")
    roots = [word for c in cores for word in ("--cores-root", str(c))]
    env = {**os.environ, "SIMTGEN": program(), "XDG_CACHE_HOME": str(tmp / "xdg"), "PATH": f"{path}{VENV}:{os.environ['PATH']}"}
    done = subprocess.run([VENV / "fusesoc", "--config", tmp / "fusesoc.conf", *roots, "run", "--clean", "--target", target, "--build-root",
                           tmp / f"build_{target}", name], cwd=tmp, capture_output=True, text=True, timeout=800, env=env)
    return done.returncode, done.stdout + done.stderr


def check_soc(tmp):
    status, said = fusesoc(tmp, [SOC, ROOT / "fpga/fusesoc"], "lint", "soc")
    report("a core that asks for two blocks: lint", "" if status == 0 else f"{status}: {said[-400:]}")
    status, said = fusesoc(tmp, [SOC, ROOT / "fpga/fusesoc"], "sim", "soc")
    report("a core that asks for two blocks: they work together", "" if status == 0 and "PASS three units" in said else f"{status}: {said[-400:]}")
    spoilt = tmp / "spoilt"
    shutil.copytree(SOC, spoilt)
    text = (spoilt / "soc.v").read_text()
    (spoilt / "soc.v").write_text(text.replace(".mon_halt_i(halt)", ".mon_halt_i(resume)"))
    status, said = fusesoc(tmp, [spoilt, ROOT / "fpga/fusesoc"], "sim", "soc")
    report("a wrong wire between the two is found", "" if status == 1 and "FAIL shape 00010003, halted 0" in said else f"{status}: {said[-400:]}")


def check_requests(tmp):
    for what, old, new, expected in (("block", "status_tree", "status_treee", "did you mean status_tree?"),
                                     ("parameter", "UNITS: 3, GROUP", "UNITSS: 3, GROUP", "did you mean UNITS?"),
                                     ("key", "block: status_tree, name", "block: status_tree, nam", "nam: got an unknown parameter")):
        folder = tmp / f"wrong_{what}"
        shutil.copytree(SOC, folder)
        core = folder / "soc.core"
        core.write_text(core.read_text().replace(old, new, 1))
        status, said = fusesoc(tmp, [folder, ROOT / "fpga/fusesoc"], "lint", "soc")
        report(f"a core that asks for a wrong {what} is told", "" if status and expected in said else f"{status}: {said[-400:]}")


def check_boards(tmp):
    """The board targets; nextpnr-ecp5 and ecppack by the names that FuseSoC's flow calls."""
    out = tmp / "boards"
    subprocess.run([program(), "gen", "status_tree", "-n", "tree", "--board", "all", "--no-doc", "-q", "-o", out], check=True,
                   stdout=subprocess.DEVNULL, timeout=60)
    names = tmp / "bin"
    names.mkdir()
    for tool in ("nextpnr-ecp5", "ecppack"):
        if not shutil.which(tool):
            (names / tool).symlink_to(VENV / f"yowasp-{tool}")
    for board, image in (("hx8k", "*.bin"), ("icebreaker", "*.bin"), ("ulx3s", "*.bit")):
        status, said = fusesoc(tmp, [out], board, "tree", f"{names}:")
        images = [p for p in (tmp / f"build_{board}").rglob(image) if p.stat().st_size > 10000]
        report(f"board target {board}: a bitstream", "" if status == 0 and images else f"{status}: {said[-400:]}")


try:
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_soc, check_requests, check_boards):
            check(Path(folder))
except (OSError, subprocess.SubprocessError) as e:
    report("FuseSoC", e)
finish()
