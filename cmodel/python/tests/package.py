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


def simulate(folder, commands, site, **more):
    build = PYTHON.parents[2]
    environment = dict(os.environ, PYTHONPATH=str(site), PKG_CONFIG_PATH=str(folder / "bin"), PYTHONDONTWRITEBYTECODE="1",
                       PATH=f"{folder / 'bin'}:{PYTHON.parent}:{os.environ['PATH']}", COCOTB_LOG_LEVEL="ERROR", **more)
    (folder / "bin").mkdir(exist_ok=True)
    if not (folder / "bin/simtgen").exists():
        (folder / "bin/simtgen").symlink_to(Path(program()).resolve())
    (folder / "bin/libsimt.pc").write_text(f"libdir={build}\nName: libsimt\nDescription: models\nVersion: 0\nCflags: -I{ROOT}/cmodel/core\n"
                                           "Libs: -L${libdir} -lsimt\n")
    return subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, env=environment, capture_output=True, text=True, timeout=500)


PIECE = re.compile(r"```(\w+)\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.S)
FILE = re.compile(r"(?://|#|--) ([\w.]+)\n")


def flow(site, folder):
    """docs/in_your_flow.md as it stands: its files are written, its commands run, what they print last compared. Then the same with
    faults in the Verilog and in the bench."""
    text = (ROOT / "docs/in_your_flow.md").read_text(encoding="utf-8")
    design = re.search(r"```verilog\n(// (\S+)\n.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    (folder / design[2]).write_text(design[1], encoding="utf-8")
    ran = 0
    for kind, code, wanted in PIECE.findall(text):
        name = FILE.match(code)
        if name:
            (folder / name[1]).write_text(code, encoding="utf-8")
        elif kind == "sh":
            ran += bool(wanted)
            # Not at its full speed: the compiler would take longer than the run.
            done = simulate(folder, code.replace("--exe --build", '--exe --build -MAKEFLAGS "OPT_FAST=-O0 OPT_GLOBAL=-O0"'), site)
            got = done.stdout.strip()
            report(f"docs/in_your_flow.md: {code.split()[0]} prints what the page says",
                   "" if done.returncode == 0 and wanted.strip() in got.split("\n") + [got] and (wanted or not got)
                   else f"exit status {done.returncode}: {done.stdout[-300:]}{done.stderr[-400:]}")
    report("docs/in_your_flow.md has commands to run", "" if ran == 4 else f"{ran}")
    bench_faults(site, folder)


def bench_faults(site, folder):
    """simtgen.cocotb sees them."""
    top, bench, design = folder / "call_stack/rtl/call_stack.v", folder / "test_my_design.py", folder / "my_design.v"
    for name, path, old, new, wanted in (
            ("an output is wrong in one cycle", top, "    .can_go_o(can_go_o),", "    .can_go_o(planted), // planted",
             r"MISMATCH: stack_cache .* instance my_design\.stack cycle \d+: can_go_o: RTL 0x[01], model 0x[01].*; waveform: my_design\.stack_mismatch\.vcd"),
            ("an input is never driven", design, ".cmd_halt_i(1'b0)", ".cmd_halt_i()",
             r"UNKNOWN INPUT: stack_cache .* cycle 1: cmd_halt_i: has unknown bits"),
            ("an answer is unknown", design, "rsp_data <= memory[req_addr[9:3]];", "rsp_data <= 64'dx;",
             r"MISMATCH: .*: RTL has unknown bits \(X or Z\), model .*; the input mem_rsp_data_i had unknown bits in cycle \d+ while mem_rsp_valid_i was 1"),
            ("the model has another width", bench, "ENTRY_W=32", "ENTRY_W=31", r"op_data_i: got 32 bits, expected 31: another configuration\?"),
            ("there is no reset", bench, "dut.rst.value = 1", "dut.rst.value = 0", "nothing was compared|timed out|timeout|Timeout")):
        kept = path.read_text(encoding="utf-8")
        planted = kept.replace(old, new)
        if "planted" in new:
            planted = planted.replace("\n  call_stack_core ", "\n  wire planted;\n  reg [7:0] count = 8'd0;\n  always @(posedge clk_i) count <= count + 8'd1;\n"
                                      "  assign can_go_o = planted ^ (count == 8'd150);\n\n  call_stack_core ", 1)
        path.write_text(planted, encoding="utf-8")
        done = simulate(folder, "rm -rf sim_build *.vcd results.xml; make || { cat results.xml; exit 1; }", site)
        said_all = done.stdout + done.stderr
        report(f"cocotb: seen: {name}", "" if planted != kept and done.returncode and re.search(wanted, said_all) else f"{said_all[-500:]}")
        path.write_text(kept, encoding="utf-8")


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
            flow(site, folder)
            cases(site)
            planted(site, folder)


if __name__ == "__main__":
    main()
    finish()
