#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of the tree for `make bench`: levels of LUTs and cost per unit at four sizes, rolled up, on the netlist for iCE40;
the reaction from the monitor's command to the report, in Icarus, with the status machines of units that can halt; what every
unit pays: the cells unit_status_fsm and context_port, each alone on iCE40, the port for a long context, too."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "tests"), str(HERE.parent / "tools")]
from depth import levels, measured  # noqa: E402
from testlib import ROOT, run_program  # noqa: E402

SIZES = [(16, 3), (64, 3), (256, 4), (1024, 5), (1024, 3)]  # units, STAGES
CELLS = [("unit_status_fsm", "unit_status_fsm", ""), ("context_port", "context_port", ""),
         ("context_port for 2,000 words", "context_port", "-set CTX_MAX 2000 -set CFG_HASH 32'h12345678")]  # name, cell, parameters
REACTIONS = [(16, 2), (64, 3), (256, 8)]
BENCH = """module bench;
  reg clk = 0, rst = 1, halt = 0;
  integer cycles = 0;
  wire [{units}*5-1:0] state;
  wire [{units}-1:0] halts, resets, resumes;
  wire [4:0] report;
  status_tree tree (.clk_i(clk), .rst_i(rst), .unit_halt_o(halts), .unit_reset_o(resets), .unit_resume_o(resumes),
    .unit_state_i(state), .unit_progress_i({units}'d0), .unit_waiting_i({units}'d0), .unit_gather_i({units}'d0),
    .unit_nack_i({units}'d0), .mon_halt_i(halt), .mon_reset_i(1'b0), .mon_resume_i(1'b0), .conn_state_o(report));
  genvar i;
  generate for (i = 0; i < {units}; i = i + 1) begin : unit
    unit_status_fsm fsm (.clk_i(clk), .rst_i(rst), .cmd_halt_i(halts[i]), .cmd_reset_i(resets[i]),
      .cmd_resume_i(resumes[i]), .state_o(state[5*i+4:5*i]), .st_in_i(1'b0), .st_out_i(1'b0), .st_proc_i(1'b0),
      .st_work_i(1'b0), .st_mem_i(1'b0), .st_mem_done_i(1'b0), .st_nack_i(1'b0), .st_blocked_i(1'b0),
      .st_cannot_i(1'b0), .st_progress_i(1'b0), .st_gather_i(1'b0), .can_halt_i(1'b1), .nack_write_i(1'b0),
      .nack_value_i(1'b0));
  end endgenerate
  always #5 clk = !clk;
  initial begin
    repeat (4) @(posedge clk);
    rst <= 0;
    repeat (40) @(posedge clk);
    halt <= 1; // the command register holds it from this edge on
    @(posedge clk);
    while (cycles < 100 && report !== 5'b10000) begin
      cycles = cycles + 1;
      @(posedge clk);
    end
    $display("%0d", cycles);
    $finish;
  end
endmodule
"""


def reaction(units, stages):
    """Cycles from the monitor's command register to the halted report at its input; None when none comes."""
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        run_program("gen", "status_tree", "-q", "--no-doc", "-p", f"UNITS={units}", "-p", f"GROUP={units}", "-p",
                    f"STAGES={stages}", "-o", tmp / "out")
        (tmp / "bench.v").write_text(BENCH.format(units=units))
        files = [*sorted((tmp / "out/rtl").glob("*.v")), ROOT / "rtl_templates/lib/unit_status_fsm.v", tmp / "bench.v"]
        subprocess.run(["iverilog", "-g2005", "-s", "bench", "-o", tmp / "b", *files], check=True, timeout=300)
        said = subprocess.run(["vvp", "-n", tmp / "b"], check=True, timeout=300, capture_output=True, text=True).stdout
        cycles = int(said.split()[0])
        return cycles if cycles < 100 else None


def alone(cell, parameters):
    """LUT4 and FF of a cell of rtl_templates/lib."""
    with tempfile.TemporaryDirectory() as folder:
        stat = Path(folder) / "stat.txt"
        read = f"read_verilog {ROOT}/rtl_templates/lib/{cell}.v" + (f"; chparam {parameters} {cell}" if parameters else "")
        script = f"{read}; synth_ice40 -abc9 -top {cell}; tee -q -o {stat} stat"
        subprocess.run(["yosys", "-q", "-p", script], check=True, timeout=300)
        found = re.findall(r"^\s+(SB_\w+)\s+(\d+)$", stat.read_text(), re.M)
        count = {kind: sum(int(n) for name, n in found if name.startswith(kind)) for kind in ("SB_LUT4", "SB_DFF")}
        return count["SB_LUT4"], count["SB_DFF"]


def rows():
    for name, cell, parameters in CELLS:
        lut4, ff = alone(cell, parameters)
        yield "what every unit pays", f"{name} alone, LUT4", lut4, "LUT4"
        yield "what every unit pays", f"{name} alone, FF", ff, "FF"
    for units, stages in SIZES:
        cells, arity = measured(units, stages)
        config = f"{units:,} rolled up, {stages} stages"
        yield config, f"LUT levels in a stage of {'at most 4' if arity <= 4 else 'more than 4'}", levels(cells), "levels"
        yield config, "cost per unit, LUT4", sum(c["type"] == "SB_LUT4" for c in cells) / units, "LUT4"
        yield config, "cost per unit, FF", sum(c["type"].startswith("SB_DFF") for c in cells) / units, "FF"
    for units, stages in REACTIONS:
        cycles = reaction(units, stages)
        yield f"{units:,} rolled up, {stages} stages", "reaction beyond 2 * STAGES", cycles and cycles - 2 * stages, "cycles"


print(json.dumps([dict(zip(("config", "figure", "value", "unit"), row)) for row in rows()]))
