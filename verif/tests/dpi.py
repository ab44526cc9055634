#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: block
# blocks: 12
# timeout: 600
"""dpi/ of a generated instance: the checker is bound to the instance in the generated bench, in Verilator. It sees a fault planted in
the Verilog, and refuses a library, a header or a C file that is not that of the Verilog."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import ROOT, Problem, blocks_here, describe, finish, grid, options, report, run_program, text_of  # noqa: E402

LIBRARY = Path(os.environ.get("B", ROOT / "build")).resolve() / "libsimt.a"
HEADERS = ROOT / "cmodel/core"
STRICT = ("-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wmissing-prototypes", "-Werror")
FAULT_AT = 150  # cycles behind the start of the simulation

MAIN = """#include "V@_tb.h"
#include "verilated.h"
int main(int argc, char **argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  V@_tb top{&context};
  while (!context.gotFinish()) {
    top.eval();
    if (!top.eventsPending()) break;
    context.time(top.nextTimeSlot());
  }
  top.final();
  return 0;
}
"""

# Plays the simulator: reset, then cycles of idle inputs with the model's own outputs, then what argv[3] says.
DRIVER = """#include <lockstep_checker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "@/model/@_ports.h"
void *@_lockstep_open(const char *, const char *, const char *, int);
const char *@_lockstep_text(void *);
int @_lockstep_cycle(void *, const uint32_t *, const uint32_t *, const uint32_t *);
const char *@_lockstep_close(void *, const char *);

int main(int argc, char **argv) {
  static uint32_t in[#_IN_WORDS + 1], out[#_OUT_WORDS + 1], unknown[256];
  void *l = @_lockstep_open(argv[1], argv[2], "tb.dut.u_lockstep", 20);
  if (@_lockstep_text(l)[0]) return puts(@_lockstep_text(l)), 3;
  if (argc < 4) return puts(@_lockstep_close(l, "rst_i")), 0;
  struct simt_config cfg;
  struct simt_diag diag;
  memset(&diag, 0, sizeof diag);
  simt_config_init(&cfg, simt_find_block(#_BLOCK));
#define PARAMETER(name, value) if (!simt_set_param(&cfg, name, value, &diag)) return 4;
  #_PARAMETERS(PARAMETER)
  if (!simt_resolve(&cfg, &diag)) return 4;
  const struct simt_model_ops *ops = simt_model(&cfg);
  void *m = ops->create(&cfg, &diag);
  const struct simt_port *x = simt_find_port(&cfg, argv[3]), *valid = argc > 4 ? simt_find_port(&cfg, argv[4]) : NULL,
                         *reset = simt_find_port(&cfg, "rst_i");
  ops->reset(m);
  for (int c = -2; c < 30; c++) {
    /* Before the reset and in it nothing need be known but, in it, the reset. */
    const int at = c == 10 || c == -2 || (c == -1 && x != reset);
    memset(unknown, 0, sizeof unknown);
    if (at) unknown[(x - cfg.desc.ports) / 32] |= 1u << (x - cfg.desc.ports) % 32;
    in[reset->word] = c == -1;
    if (valid && valid->dir == SIMT_IN) in[valid->word] = c == 10 && argc > 5;
    ops->outputs(m, out);
    if (argc > 5 && c == 20) out[simt_find_port(&cfg, argv[5])->word] ^= 1;
    if (@_lockstep_cycle(l, in, out, unknown)) return puts(@_lockstep_text(l)), 1;
    if (c >= 0) ops->step(m, in);
    else ops->reset(m);
  }
  puts(@_lockstep_close(l, "rst_i"));
  ops->destroy(m);
  simt_config_free(&cfg);
  return 0;
}
"""


def run(*command, cwd=None, wanted=(0,)):
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, timeout=500)
    if wanted and done.returncode not in wanted:
        raise Problem(f"{command[0]}: exit status {done.returncode}: {(done.stderr + done.stdout)[-500:]}")
    return done


def named(text, name):
    return text.replace("@", name).replace("#_", name.upper() + "_")


# ---- the C alone -------------------------------------------------------------------------------------------------

def compile_driver(folder, name, program="driver", source=None, headers=HEADERS, more=()):
    (folder / "driver.c").write_text(named(DRIVER, name))
    run("gcc", "-std=c11", "-O0", "-I", headers, "-I", folder, "driver.c", source or f"{name}/dpi/{name}_lockstep.c", *more, LIBRARY, "-lm",
        "-o", program, cwd=folder)
    return folder / program


def c_side(folder, name, block, values):
    """What the simulator would get from C, one call after the other."""
    source = folder / name / "dpi" / f"{name}_lockstep.c"
    for compiler, words in (("gcc", ("-std=c11", *STRICT)), ("g++", ("-Wall", "-Werror"))):
        run(compiler, *words, "-I", HEADERS, "-fsyntax-only", source)
    report("the C file compiles without a warning, as C and as C++")
    text = (folder / name / "dpi" / f"{name}_lockstep.sv").read_text()
    version, configuration = re.search(r'_open\("([^"]*)", "([^"]*)"', text).groups()
    driver = compile_driver(folder, name)

    def says(what, wanted, status, *words, program=driver):
        done = run(program, *words, cwd=folder, wanted=None)
        good = done.returncode == status and wanted in done.stdout
        report(what, "" if good else f"exit status {done.returncode}: {done.stdout}{done.stderr}, expected {wanted!r}")

    says("without a reset it says that nothing was compared", "NOTHING COMPARED", 0, version, configuration)
    says("a C file of another version is refused", f'tb.dut: {name}_lockstep.c: got version {version}, expected 9.9.9', 3, "9.9.9", configuration)
    says("a C file of another configuration is refused", f"got configuration {configuration}, expected 0123456789abcdef", 3, version,
         "0123456789abcdef")
    other = folder / "other.c"
    other.write_text(re.sub(r"#define MODEL (\S+)", r"#define MODEL (\1 ^ 1)", source.read_text().replace("../model", f"{name}/model")))
    says("a library that makes other ports of the configuration is refused", "libsimt: configuration: got", 3, version, configuration,
         program=compile_driver(folder, name, "other", other))
    (folder / "version.c").write_text('const char *simt_version(void) { return "9.9.9"; }\n')
    says("a library of another version is refused", f"libsimt: got 9.9.9, expected version {version}", 3, version, configuration,
         program=compile_driver(folder, name, "library", more=("version.c", "-Wl,--allow-multiple-definition")))
    headers = folder / "headers"
    shutil.copytree(HEADERS, headers)
    simt = headers / "simt.h"
    simt.write_text(simt.read_text().replace(f'SIMT_VERSION "{version}"', 'SIMT_VERSION "9.9.9"'))
    says("headers of another version are refused", f"headers of libsimt: got version 9.9.9, expected {version}", 3, version, configuration,
         program=compile_driver(folder, name, "old", headers=headers))
    unknown_inputs(describe(block, values), says, version, configuration)


def unknown_inputs(description, says, version, configuration):
    """X where the model needs a value: Verilator has none, so C is told of it."""
    ports = {p["name"]: p for p in description["ports"]}
    data = [p for p in ports.values() if p["direction"] == "in" and p["name"] not in ("clk_i", "rst_i")]
    plain = next(p["name"] for p in data if not p["valid"])
    says("an unknown input is named with its cycle", f"cycle 10: {plain}: has unknown bits", 1, version, configuration, plain)
    says("an unknown reset is named, and is no fault before the first reset", "cycle 10: rst_i: has unknown bits", 1, version, configuration, "rst_i")
    out = next(p["name"] for p in ports.values() if p["direction"] == "out" and not p["valid"])
    payload = next((p for p in data if p["valid"] and ports[p["valid"]]["direction"] == "in"), None)
    if payload:
        says("an unknown payload without its valid is no fault", "0 faults", 0, version, configuration, payload["name"], payload["valid"])
        says("an unknown payload is named when an output differs later",
             f"; the input {payload['name']} had unknown bits in cycle 10 while {payload['valid']} was 1", 1, version, configuration,
             payload["name"], payload["valid"], out)
    says("an unknown output is a mismatch", f"cycle 10: {out}: RTL has unknown bits (X or Z), model 0x", 1, version, configuration, out)


# ---- Verilator ---------------------------------------------------------------------------------------------------

def plant(top, name, port, width):
    """The lowest bit of an output of the instance is inverted in one cycle, when the simulation is called with +PLANTED."""
    text = top.read_text()
    text, n = re.subn(rf"\.{port}\({port}\)", f".{port}(planted)", text)
    fault = (f"  wire [{width - 1}:0] planted;\n  reg [9:0] planted_n = 10'd0;\n  always @(posedge clk_i) if (planted_n < 10'd1000) planted_n <= planted_n + 10'd1;\n"
             f'  wire planted_now = planted_n == 10\'d{FAULT_AT} && $test$plusargs("PLANTED") != 0;\n'
             f"  assign {port} = planted ^ {{{width - 1}'d0, planted_now}};\n\n".replace("0'd0, ", ""))
    text, k = re.subn(rf"^  {name}_core ", lambda m: fault + m[0], text, flags=re.M)
    if (n, k) != (1, 1):
        raise Problem(f"{port}: the fault cannot be planted ({n}, {k})")
    top.write_text(text)


def simulate(folder, name, block, values):
    port, width = next((p["name"], p["width"]) for p in describe(block, values)["ports"] if p["direction"] == "out" and not p["valid"])
    plant(folder / name / "rtl" / f"{name}.v", name, port, width)
    (folder / "main.cpp").write_text(named(MAIN, name))
    (folder / "bind.sv").write_text(f"bind {name} {name}_lockstep u_lockstep (.*);\n")
    shutil.copy(folder / name / "tb" / f"{name}_vectors.hex", folder)
    run("verilator", "--cc", "--exe", "--build", "--timing", "-Wno-fatal", "-O1", "--top-module", f"{name}_tb", f"{name}/tb/{name}_tb.v",
        "-y", f"{name}/rtl", f"{name}/dpi/{name}_lockstep.sv", "bind.sv", folder / "main.cpp", folder / name / "dpi" / f"{name}_lockstep.c",
        "-CFLAGS", f"-I{HEADERS} -O0", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_GLOBAL=-O0", "-LDFLAGS", LIBRARY, "-o", "sim", "-Mdir", "obj", cwd=folder)
    done = run("obj/sim", cwd=folder, wanted=None)
    path = f"TOP.{name}_tb.u_dut"
    compared = re.search(rf"lockstep: {re.escape(path)}: (\d+) cycles compared, 0 faults", done.stdout)
    report("Verilog and model are alike in every cycle of the bench",
           "" if done.returncode == 0 and compared and int(compared[1]) >= 1000 else f"exit status {done.returncode}: {done.stdout[-400:]}")
    done = run("obj/sim", "+PLANTED", cwd=folder, wanted=None)
    line = rf"^MISMATCH: {block} .*instance {re.escape(path)} cycle {FAULT_AT - 1}: {port}: RTL 0x[0-9a-f]+\b.*, model 0x[0-9a-f]+\b.*$"
    report("a fault planted in the Verilog is seen in its cycle, and ends the simulation",
           "" if done.returncode and re.search(line, done.stdout, re.M) else f"exit status {done.returncode}: {done.stdout[-400:]}")
    wave = folder / f"{path}_mismatch.vcd"
    text = wave.read_text() if wave.exists() else ""
    report("the last cycles are a waveform", "" if f"#{10 * (FAULT_AT - 1)}\n" in text and f"#{10 * (FAULT_AT + 1)}\n" not in text
           and len(re.findall(rf" {port}(?: \[\d+:0\])? \$end", text)) == 2 else f"{wave.name}: {text[-300:]}")


def other_configuration(block):
    """The last line of the grid, or one with a list of records: C makes the same configuration again."""
    lines = grid(block)[0]
    values = next((v for v in lines if any(x.endswith(".yaml") for x in v.values())), lines[-1])
    with tempfile.TemporaryDirectory() as d:
        folder, name = Path(d), "other"
        made = run_program("gen", block, *options(values), "-n", name, "-o", folder / name, "--no-doc", "-q")
        if made.returncode:
            raise Problem(made.stderr)
        text = (folder / name / "dpi" / f"{name}_lockstep.sv").read_text()
        done = run(compile_driver(folder, name), *re.search(r'_open\("([^"]*)", "([^"]*)"', text).groups(), cwd=folder, wanted=None)
        report(f"{text_of(values)}: C makes the configuration again", "" if "NOTHING COMPARED" in done.stdout and done.returncode == 0 else done.stdout)


def main():
    for block in blocks_here():
        other_configuration(block)
        values = grid(block)[0][1]  # the smallest: what a fault looks like does not depend on the size
        with tempfile.TemporaryDirectory() as d:
            folder, name = Path(d), "my_" + block[:20].rstrip("_")
            made = run_program("gen", block, *options(values), "-n", name, "-o", folder / name, "--no-doc", "-q")
            if made.returncode:
                raise Problem(made.stderr)
            c_side(folder, name, block, values)
            simulate(folder, name, block, values)


main()
finish()
