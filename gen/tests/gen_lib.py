# SPDX-License-Identifier: Apache-2.0
"""What the tests of generated output share: a generated instance, and the tools run on it as a user would."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "verif/tools"))
from testlib import Problem, describe, options, program, run_program  # noqa: E402

CLEAN = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": "/nonexistent"}  # nothing of this project in reach


def tool(*command, cwd, timeout=120):
    """(exit status, output) of a tool that sees neither the project nor its environment."""
    try:
        run = subprocess.run([str(c) for c in command], cwd=cwd, env=CLEAN, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout,
                             stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 124, f"{command[0]}: no end after {timeout} s"
    return run.returncode, run.stdout


def generate(block, out, name=None, values=None):
    """Generates into `out`; the name of the instance."""
    run = run_program("gen", block, *options(values or {}), *(["-n", name] if name else []), "-o", out)
    if run.returncode:
        raise Problem(run.stderr.strip())
    return name or block


def rtl_files(out, name):
    lines = (out / "rtl" / f"{name}.f").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("//")]


def quiet(result):
    """The reason why a tool that should exit 0 without a word did not; empty when it did."""
    status, output = result
    return f"exit status {status}: {output.strip()[:300]}" if status or output.strip() else ""


def lint_icarus(out, name, top=None):
    return quiet(tool("iverilog", "-Wall", "-g2005", "-s", top or name, "-f", f"{name}.f", "-o", "/dev/null",
                      cwd=out / "rtl"))


def lint_verilator(out, name, top=None):
    return quiet(tool("verilator", "-Wall", "--lint-only", "--top-module", top or name, "-f", f"{name}.f",
                      cwd=out / "rtl"))


def lint_yosys(out, name, top=None):
    script = (f"read_verilog {' '.join(rtl_files(out, name))}; hierarchy -check -top {top or name}; proc -noopt; "
              "check -assert; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr")
    return quiet(tool("yosys", "-qq", "-p", script, cwd=out / "rtl"))


LINTS = {"Icarus": lint_icarus, "Verilator": lint_verilator, "Yosys": lint_yosys}


def bench(out, name, folder, files=None):
    """(exit status, verdict lines, output) of the bench over `files`, from a folder that holds nothing else."""
    made = compile_bench(out, name, folder, files)
    return run_bench(folder) if made == (0, "") else (made[0] or 99, [], made[1])


def compile_bench(out, name, folder, files=None):
    folder.mkdir()
    for source in files or [out / "rtl" / f for f in rtl_files(out, name)]:
        shutil.copy(source, folder)
    for part in sorted((out / "tb").iterdir()):
        if part.name != f"{name}_memory.v":
            shutil.copy(part, folder)
    status, output = tool("iverilog", "-g2005", "-Wall", "-s", f"{name}_tb", "-o", "tb.vvp",
                          *sorted(p.name for p in folder.glob("*.v")), cwd=folder)
    return status, output.strip()


def run_bench(folder, *plusargs):
    status, output = tool("vvp", "-N", "tb.vvp", *plusargs, cwd=folder)
    return status, [line for line in output.splitlines() if line.startswith(("PASS", "FAIL"))], output


def bench_passes(result):
    status, lines, output = result
    good = status == 0 and len(lines) == 1 and lines[0].startswith("PASS")
    return "" if good else f"exit status {status}: {output.strip()[:300]}"


def bench_fails(result):
    status, lines, output = result
    good = status == 1 and len(lines) == 1 and lines[0].startswith("FAIL")
    return "" if good else f"exit status {status}: {output.strip()[:300]}"


def cut_benches(out, name, pins, tmp):
    """For each (name, width) of `pins`, outputs of the top: the name, and the result of the bench while it is not driven.
    They are compiled once; the number of the one that is cut is given to a run."""
    top = (out / "rtl" / f"{name}.v").read_text()
    added = '  integer cut;\n  initial if (!$value$plusargs("cut=%d", cut)) cut = -1;\n'
    for i, (pin, width) in enumerate(pins):
        if top.count(f".{pin}({pin})") != 1:
            raise Problem(f"{pin} is not connected in the top")
        top = top.replace(f".{pin}({pin})", f".{pin}(whole_{i})")
        added += f"  wire [{width - 1}:0] whole_{i};\n  assign {pin} = (cut == {i}) ? {{{width}{{1'bz}}}} : whole_{i};\n"
    (tmp / f"{name}.v").write_text(top.replace("\n);\n", f"\n);\n{added}", 1))
    rest = [out / "rtl" / f for f in rtl_files(out, name) if f != f"{name}.v"]
    made = compile_bench(out, name, tmp / "cut", [tmp / f"{name}.v", *rest])
    if made != (0, ""):
        raise Problem(f"the bench with outputs to cut: {made[1][:300]}")
    if reason := bench_passes(run_bench(tmp / "cut")):
        raise Problem(f"the bench with no output cut: {reason}")
    for i, (pin, _) in enumerate(pins):
        yield pin, run_bench(tmp / "cut", f"+cut={i}")


def ports(block, values=None, direction=None):
    found = describe(block, values)["ports"]
    return [p for p in found if direction in (None, p["direction"])]


__all__ = ["LINTS", "Problem", "bench", "bench_fails", "bench_passes", "compile_bench", "cut_benches", "generate", "ports",
           "program", "quiet", "rtl_files", "run_bench", "run_program", "tool"]
