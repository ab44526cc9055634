#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# each: all
"""Option reset=async_low: the wrapper beside each block is clean, and in Icarus gives the block's outputs under a reset that
begins at once, without a clock, and ends two edges behind rst_ni. Wrong wrappers are found."""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gen_lib import LINTS, Problem, generate, ports, quiet, rtl_files, tool
from testlib import block_names, finish, report

VALUES = {"reset": "async_low"}
BENCH = """`timescale 1ns/1ns
module bench;
  reg clk = 0, rst_n = 1;
  reg [1:0] behind = 0; // edges since rst_n rose
  integer n, late, wrong = 0;
{wires}
  {name}_async_reset u_wrapped ({wrapped});
  {name} u_plain ({plain});

  task look; begin
    #1 if (u_wrapped.u_reset_sync.rst_o !== (behind != 2)) wrong = wrong + 1;
{compare}
  end endtask
  task edge_of_clock; begin
    clk = 1;
    if (rst_n && behind != 2) behind <= behind + 1;
    look; #4 clk = 0; #4;
{change}
    look;
  end endtask

  initial begin
{change}
    for (n = 0; n < 40; n = n + 1) begin
      #3 rst_n = 0; behind = 0; look; // between two edges
      for (late = 0; late < 1 + n % 3; late = late + 1) edge_of_clock;
      #2 rst_n = 1; look;
      for (late = 0; late < 2 + n; late = late + 1) edge_of_clock;
    end
    if (wrong) $display("FAIL: %0d differences", wrong); else $display("PASS");
  end
endmodule
"""


def write_bench(block, name, path):
    wires, compare, change, wrapped, plain = [], [], [], [], []
    for p in ports(block, VALUES):
        pin, width = p["name"], p["width"]
        if p["direction"] == "in" and pin not in ("clk_i", "rst_i"):
            wires.append(f"  reg [{width - 1}:0] {pin};")
            words = (width + 31) // 32
            change.append(f"    {pin} = {{{', '.join(['$random'] * words)}}};")
        elif p["direction"] == "out":
            wires.append(f"  wire [{width - 1}:0] {pin}, plain_{pin};")
            compare.append(f"    if ({pin} !== plain_{pin}) wrong = wrong + 1;")
        inner = {"clk_i": "clk", "rst_i": "behind != 2"}.get(pin, pin)
        plain.append(f".{pin}({'plain_' if p['direction'] == 'out' else ''}{inner})")
        wrapped.append(".rst_ni(rst_n)" if pin == "rst_i" else f".{pin}({inner})")
    path.write_text(BENCH.format(name=name, wires="\n".join(wires), compare="\n".join(compare), change="\n".join(change),
                                 wrapped=", ".join(wrapped), plain=", ".join(plain)))


def simulate(out, name, tmp):
    """The last line that the bench prints, or what the tools say."""
    reason = quiet(tool("iverilog", "-g2005", "-s", "bench", "-o", tmp / "bench.vvp", tmp / "bench.v",
                        *rtl_files(out, name), cwd=out / "rtl"))
    return reason or tool("vvp", "-n", tmp / "bench.vvp", cwd=tmp)[1].strip()


def wrapper(block, tmp):
    name = generate(block, tmp / "out", "mine", VALUES)
    for tool_name, lint in LINTS.items():
        reason = lint(tmp / "out", name, f"{name}_async_reset")
        if reason:
            return f"{tool_name}: {reason}"
    write_bench(block, name, tmp / "bench.v")
    said = simulate(tmp / "out", name, tmp)
    return "" if said == "PASS" else said


def fault(block, tmp, old, new):
    name = generate(block, tmp / "out", "mine", VALUES)
    write_bench(block, name, tmp / "bench.v")
    files = [f for f in (tmp / "out/rtl").glob("*.v") if old in f.read_text() and "reset" in f.name]
    if len(files) != 1:
        return f"the text of the fault is in {len(files)} files"
    files[0].write_text(files[0].read_text().replace(old, new))
    said = simulate(tmp / "out", name, tmp)
    return "" if said.startswith("FAIL") else f"not found: {said}"


def run(name, test, *args):
    with tempfile.TemporaryDirectory() as folder:
        try:
            report(name, test(*args[:1], Path(folder), *args[1:]))
        except (Problem, OSError) as error:
            report(name, f"{type(error).__name__}: {error}")


def no_option(block, tmp):
    generate(block, tmp / "out", "mine", {})
    found = [f.name for f in (tmp / "out/rtl").glob("*reset*")]
    return f"{found} without the option" if found else ""


for b in block_names():
    run(f"{b} with an asynchronous reset: clean, and the same outputs", wrapper, b)
first = block_names()[0]
run(f"{first}: no wrapper unless it is asked for", no_option, first)
run("fault found: the reset waits for an edge", fault, first, " or negedge rst_ni", "")
run("fault found: the reset ends an edge early", fault, first, "!released_q[1]", "!released_q[0]")
run("fault found: the reset upside down", fault, first, "!released_q[1]", "released_q[1]")
run("fault found: the block has no reset", fault, first, ".rst_i(rst)", ".rst_i(1'b0)")
finish()
