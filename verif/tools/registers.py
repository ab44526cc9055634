# SPDX-License-Identifier: Apache-2.0
"""Reads and writes every address of a block's register port and compares what happens with the description.

One list of accesses, made of the description alone, is played to the Verilog core (Icarus, all inputs idle, behind a
reset) and to the C model. Of the core the words are also read while every flip-flop is unknown: what a read then shows
as known is constant, so that the width of a register that software cannot write is seen too.
"""
import os
import re
import subprocess
from pathlib import Path

from testlib import ROOT, Problem

WORD = 0xffffffff
LARGE_PORT = 500  # bits
PLAYER = ROOT / "verif/tools/register_player.c"
BENCH = """
module bench;
  reg clk = 1'b0, rst = 1'b0, valid = 1'b0, write = 1'b0, unknown = 1'b1;
  reg [{addr_w}-1:0] addr = 0;
  reg [31:0] data = 0;
  wire ready, rsp, rsp_error;
  wire [31:0] rsp_data;
  {top} {params}dut (.clk_i(clk), .rst_i(rst), {idle}.reg_req_valid_i(valid), .reg_req_ready_o(ready),
    .reg_req_write_i(write), .reg_req_addr_i(addr), .reg_req_data_i(data), .reg_rsp_valid_o(rsp),
    .reg_rsp_data_o(rsp_data), .reg_rsp_error_o(rsp_error));
  always #1 clk = !clk;
  reg [68:0] access [0:{room}-1];  // {{unknown state, write, address, data}}
  reg [1023:0] list;
  integer i, waited;
  initial begin
    if (!$value$plusargs("list=%s", list)) $stop;
    $readmemh(list, access);
    @(negedge clk);
    for (i = 0; access[i] !== 69'bx && access[i][65]; i = i + 1) begin
      {{write, addr, data}} = {{access[i][64], access[i][32+:{addr_w}], access[i][31:0]}};
{unknown}
      $display("= %b %b", rsp_error, rsp_data);
    end
    unknown = 1'b0;
    rst = 1'b1;
    repeat (2) @(negedge clk);
    rst = 1'b0;
    for (i = i; access[i] !== 69'bx; i = i + 1) begin
      {{write, addr, data}} = {{access[i][64], access[i][32+:{addr_w}], access[i][31:0]}};
      valid = 1'b1;
      for (waited = 0; ready !== 1'b1 && waited < 20000; waited = waited + 1) @(negedge clk);
      @(negedge clk) valid = 1'b0;
      for (waited = 0; rsp !== 1'b1 && waited < 20000; waited = waited + 1) @(negedge clk);
      if (waited == 20000) $display("= no answer");
      else $display("= %b %b", rsp_error, rsp_data);
    end
    $finish;
  end
endmodule
"""
# The port's own registers show a read for long enough that what looks at the address has settled. A force of registers
# alone: one of a net is one of all that is connected to it.
UNKNOWN = """
      force {port}.busy_q = 1'b1;
      force {port}.write_o = 1'b0;
      force {port}.addr_o = addr;
      repeat (8) @(negedge clk);
      release {port}.busy_q;
      release {port}.write_o;
      release {port}.addr_o;
"""


class Access:
    """One access and what must come of it. known: bits of a read that are compared."""

    def __init__(self, what, write, addr, data=0, error=False, value=0, known=WORD, unknown=None):
        self.what, self.write, self.addr, self.data = what, write, addr, data
        self.error, self.value, self.known, self.unknown = error, value, known, unknown

    def line(self):
        return f"{(2 if self.unknown else 0) | self.write:x}{self.addr:08x}{self.data:08x}"

    def wrong(self, answer):
        """What is wrong with an answer "ERROR DATA", both in binary; "" when nothing is."""
        if answer == "no answer":
            return f"{self.what} is not answered"
        error, bits = answer.split()
        if self.unknown:
            return self.wrong_unknown(bits)
        if error != "01"[self.error]:
            return f"{self.what} is {'taken' if self.error else 'refused'}"
        kept = "".join(b if self.known >> (31 - i) & 1 else "0" for i, b in enumerate(bits))
        if "x" in bits or int(kept, 2) != self.value & self.known:
            return f"{self.what} gives 0b{bits.lstrip('0') or '0'}, not 0x{self.value & self.known:x}"
        return ""

    def wrong_unknown(self, bits):
        """With all state unknown: bits above the width are 0, the highest one is not, or is constant as the reset value."""
        r, used = self.unknown, len(bits.lstrip("0"))
        held = r["most"] & ~(r["write"]["acting_bits"] if r["write"] else 0)
        reachable = 32 if r["write"] and r["write"]["rule"] == "clears" else held.bit_length()
        constant = r["reset"] and "x" not in bits  # as the read behind a reset shows
        if used > r["width"] or (used < min(r["width"], reachable) and not constant):
            return f"{r['name']} has {used} bits, {r['width']} in the description"
        return ""


def ones(width):
    return (1 << width) - 1


def reads(r, value, what):
    """A read of the register; what changes by itself is compared above its width only."""
    known = WORD ^ ones(r["width"]) if r["changes_by_itself"] else WORD
    return Access(f"{r['name']} {what}", 0, r["address"], value=value, known=known)


def above(value, zero_bits):
    """The next value without one of these bits."""
    value += 1
    while wrong := value & zero_bits:
        value += wrong & -wrong
    return value


def writes_of(r):
    """Writes of one register, each with a read behind it where there is one; ends with the reset value in it."""
    w, name, at = r["write"], r["name"], r["address"]
    kept, readable = WORD ^ w["acting_bits"] if w else WORD, r["access"] != "wo"

    def write(value, holds=None):
        yield Access(f"a write of 0x{value:x} to {name}", 1, at, value, error=holds is None)
        if readable:
            was = r["reset"] if holds is None else holds
            yield Access(f"{name} after a write of 0x{value:x}", 0, at, value=was, known=0 if r["changes_by_itself"] else kept)

    if r["access"] == "ro":
        tried = [a for value in sorted({0, 1, r["reset"], WORD}) for a in write(value)]
        # What moves by itself is read once: a read of counts may wait for all of them, and only its error bit is compared.
        yield from (a for a in tried if a.write or not r["changes_by_itself"] or a is tried[-1])
        return
    if w["rule"] == "clears":
        yield from (a for value in (WORD, 0) for a in write(value, r["reset"]))
        return
    if w["rule"] == "clips":
        for value in (0, w["most"], w["most"] >> 1, w["most"] + 1, 1 << r["width"], WORD):
            if value <= WORD:
                yield from write(value, min(value, w["most"]))
        yield from write(r["reset"], r["reset"])
        return
    bad = {w["most"] + 1, above(w["most"], w["zero_bits"]), (w["most"] | w["zero_bits"]) + 1, w["least"] - 1, *(1 << k for k in range(32) if w["zero_bits"] >> k & 1), 1 << r["width"], WORD}
    taken = lambda v: w["least"] <= v <= w["most"] and not v & w["zero_bits"]  # noqa: E731
    for value in sorted(v for v in bad if 0 <= v <= WORD and not taken(v)):
        yield from write(value)
    if readable:
        for value in (w["most"], w["least"], r["reset"]):
            if taken(value):
                yield from write(value, value)


def accesses(described, unknown, briefly=False):
    """The list for a description: unknown state first, then from reset, then writes, then what is not there."""
    registers = described["registers"]
    addr_w = next(p["width"] for p in described["ports"] if p["name"] == "reg_req_addr_i")
    readable = [r for r in registers if r["access"] != "wo"]
    there = {r["address"] for r in registers}
    found = [Access(r["name"], 0, r["address"], unknown=r) for r in readable] if unknown else []
    found += [reads(r, r["reset"], "after a reset") for r in readable]
    found += [Access(f"a read of {r['name']}", 0, r["address"], error=True) for r in registers if r["access"] == "wo"]
    if briefly:
        return found
    for r in registers:
        found += writes_of(r)
    for at in range(0, 1 << addr_w, 4):
        off = at + 1 + at // 4 % 3 if at in there else at
        found += [Access(f"a read of 0x{off:x}, where no register is,", 0, off, error=True),
                  Access(f"a write to 0x{off:x}, where no register is,", 1, off, error=True)]
    # Commands last: what they begin is no matter of the register port.
    found += [Access(f"a write of 0x{r['write']['least']:x} to {r['name']}", 1, r["address"], r["write"]["least"])
              for r in registers if r["access"] == "wo"]
    return found


def idle_inputs(described):
    """Connections of the inputs that are not the clock's, the reset's or the register port's."""
    def value(p):
        idle = p.get("idle")
        n = p["width"] // idle["bits"] if idle else 0
        known = f"{{{n}{{{idle['bits']}'d{idle['value']}}}}}" if idle else f"{{{p['width']}{{1'b0}}}}"
        return f"unknown ? {{{p['width']}{{1'bx}}}} : {known}"
    inner = "".join(f".{p['name']}({p['width']}'d0), " for p in described["core_inputs"])
    return inner + "".join(f".{p['name']}({value(p)}), " for p in described["ports"]
                           if p["direction"] == "in" and p["role"] == "data" and not p["name"].startswith("reg_req_"))


def answers(command, **kwargs):
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, **kwargs)
    found = re.findall(r"^= (.*)$", run.stdout, re.M)
    return found, (run.stderr or run.stdout).strip()[-300:]


def complaints(who, plan, found, said):
    if len(found) != len(plan):
        return [f"{who}: {len(found)} answers to {len(plan)} accesses: {said}"]
    return [f"{wrong} ({who})" for a, answer in zip(plan, found) if (wrong := a.wrong(answer))]


class Core:
    """The core of a configuration, compiled once; each call plays a list that a description asks for."""

    def __init__(self, core, values, described, iverilog, vvp):
        self.folder, self.vvp = core.folder, vvp
        # A cycle of a large core takes Icarus long: words are read, and what else there is is left to the model; of a block
        # of several the parts are compared by themselves.
        self.briefly = max(p["width"] for p in described["ports"]) > LARGE_PORT or (core.default["uses"] and values)
        params = ", ".join(f".{n}({v})" for n, v in core.overrides(values, described).items())
        self.text = dict(top=core.top, params=f"#({params}) " if params else "", idle=idle_inputs(described), room=1 << 14,
                         addr_w=next(p["width"] for p in described["ports"] if p["name"] == "reg_req_addr_i"))
        self.compiled, self.files, self.iverilog = core.folder / "registers.vvp", core.files, iverilog
        if core.register_port is None:
            self.compile("")
            core.register_port = "" if core.default["uses"] else self.find_port()  # of parts: each has its own
        self.port = core.register_port
        self.compile(UNKNOWN.format(port=self.port) if self.port else "")

    def compile(self, unknown):
        bench = self.folder / "registers.v"
        bench.write_text(BENCH.format(unknown=unknown, **self.text))
        done = subprocess.run([self.iverilog, "-g2005", "-s", "bench", "-o", str(self.compiled), str(bench), *self.files],
                              capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise Problem(f"registers: Icarus: {done.stderr.strip()[:300]}")

    def find_port(self):
        """The place of the cell register_port in the core."""
        scopes = {i: (name, up) for i, name, up in re.findall(
            r'^(S_\w+) \.scope \w+, "([^"]+)".*?(?:, (S_\w+))?;$', self.compiled.read_text(), re.M)}
        at = next((i for i, (name, _) in scopes.items() if name == "u_port"), None)
        if at is None:
            return ""
        path = []
        while at:
            name, at = scopes[at]
            path.append(name)
        return ".".join(reversed(path))

    def differs(self, described):
        plan = accesses(described, unknown=bool(self.port), briefly=self.briefly)
        return complaints("core", plan, *self.play(plan))

    def play(self, plan):
        (self.folder / "accesses.hex").write_text("".join(f"{a.line()}\n" for a in plan))
        return answers([self.vvp, "-N", str(self.compiled), f"+list={self.folder}/accesses.hex"])


def build_player(folder):
    """The program that plays a list to a model."""
    build = Path(os.environ.get("B", "build"))
    library = (build if build.is_absolute() else ROOT / build) / "libsimt.a"
    out = Path(folder) / "register_player"
    done = subprocess.run([os.environ.get("CC", "gcc"), "-std=gnu11", f"-I{ROOT}/cmodel", f"-I{ROOT}/cmodel/core", str(PLAYER),
                           str(library), "-lm", "-o", str(out)], capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise Problem(f"{PLAYER.name}: {done.stderr.strip()[-300:]}; run `make` first")
    return out


class Model:
    """The model of a configuration; each call plays a list of accesses."""

    def __init__(self, player, block, values, described):
        records = described["records"] or {"key": "", "lists": []}
        self.command = [str(player), block, *(f"{n}={v}" for n, v in values.items() if n != records["key"])]
        for each in records["lists"]:
            for record in each["records"]:
                self.command += [f"+{each['name']}", *(f"{n}={v}" for n, v in record.items())]

    def differs(self, described):
        plan = accesses(described, unknown=False)
        return complaints("model", plan, *self.play(plan))

    def play(self, plan):
        return answers(self.command, input="".join(f"{a.write} {a.addr:x} {a.data:x}\n" for a in plan))


def families(described):
    """One register of each kind: of those whose names differ in their numbers alone, the first."""
    found = {}
    for r in described["registers"]:
        found.setdefault(re.sub(r"\d+", "", r["name"]), r)
    return list(found.values())


def wrong_entries(r, free):
    """(what, the register with one entry that is wrong), of each kind that accesses from a reset on show."""
    yield "address", {**r, "address": free}
    readable, w = r["access"] != "wo", r["write"]
    if readable and not r["changes_by_itself"]:
        yield "reset value", {**r, "reset": r["reset"] ^ 1}
    if w and w["rule"] in ("values", "clips"):
        less = w["most"] >> 1
        yield "width", {**r, "write": {**w, "most": less if w["least"] <= less < w["most"] else above(w["most"], w["zero_bits"])}}
    any_value = {"rule": "values", "least": 0, "most": ones(r["width"]), "zero_bits": 0, "acting_bits": 0}
    yield "access", {**r, "access": "rw", "write": w or any_value} if r["access"] in ("ro", "wo") else {**r, "access": "ro", "write": None}


def wrong_widths(r):
    """The same of widths that only a read with unknown state shows; what never changes has none."""
    if r["access"] != "wo" and not r["reset"] and r["write"] is None:
        for more in (-1, 1) if 1 < r["width"] < 32 else (-1,) if r["width"] == 32 else (1,):
            yield "width read", {**r, "width": r["width"] + more, "most": ones(r["width"] + more)}


def planted(described, unknown):
    """{what: [(name, accesses that the description asks for with one wrong entry)]}, for a register of each family. Reads
    behind a reset come first and commands last, as what they change would show elsewhere."""
    taken = {r["address"] for r in described["registers"]}
    free = next(a for a in range(0, max(taken) + 8, 4) if a not in taken)
    found = {}
    for r in sorted(families(described), key=lambda r: r["access"] == "wo"):
        for what, wrong in wrong_entries(r, free):
            plan = [reads(wrong, wrong["reset"], "after a reset")] if wrong["access"] != "wo" else []
            if wrong["access"] == "wo" and what != "width":
                plan.append(Access(f"a write to {r['name']}", 1, wrong["address"], wrong["write"]["least"]))
            elif what in ("width", "access"):
                plan += writes_of(wrong)
            found.setdefault(what, []).append((r["name"], plan))
        for what, wrong in wrong_widths(r) if unknown else ():
            found.setdefault(what, []).append((f"{r['name']}, {wrong['width']} bits", [Access(r["name"], 0, r["address"], unknown=wrong)]))
    return found


def not_found(who, cases, play):
    """Names of the cases of `planted` that a core or model agrees with: all in one run."""
    plan = [a for _, accesses in cases for a in accesses]
    found, said = play(plan)
    if len(found) != len(plan):
        return [f"{who}: {len(found)} answers to {len(plan)} accesses: {said}"]
    answer = iter(found)
    agrees = []
    for name, accesses in cases:
        wrong = [a.wrong(next(answer)) for a in accesses]
        if not any(wrong):
            agrees.append(f"{name} ({who})")
    return agrees
