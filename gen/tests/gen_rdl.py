#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
"""The register map that `gen` writes as SystemRDL, read by PeakRDL's compiler, is that of the description: every register,
field, address, access and reset value; and so is the IP-XACT that PeakRDL makes of it. Planted differences are found."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "verif" / "tools"))
from testlib import (Problem, block_names, describe, finish, grid, in_venv, options, report,  # noqa: E402
                     run_program, text_of)

try:
    from peakrdl_ipxact import IPXACTImporter
    from systemrdl import RDLCompiler
    from systemrdl.messages import MessagePrinter
    from systemrdl.parser.SystemRDLLexer import SystemRDLLexer
except ImportError:
    try:
        in_venv("systemrdl-compiler")
    except Problem as problem:
        report("SystemRDL", problem)
        finish()

# Access of the description: what software may do, and what a write means when it is not stored.
ACCESS = {"ro": ("r", None), "wo": ("w", None), "rw": ("rw", None), "w1c": ("rw", "woclr")}


class Quiet(MessagePrinter):
    """Keeps the compiler's messages: any is a failure."""

    def __init__(self):
        self.said = []

    def print_message(self, severity, text, src_ref):
        self.said.append(f"{severity.name.lower()}: {text}")


def registers_of(path, ipxact=False):
    """{name: (address, {field: (low, width, access, reset)})} as the compiler sees them."""
    printer = Quiet()
    rdl = RDLCompiler(message_printer=printer)
    try:
        if ipxact:
            IPXACTImporter(rdl).import_file(str(path))
        else:
            rdl.compile_file(str(path))
        top = rdl.elaborate().top
    except Exception as e:  # whatever it raises, the text is what matters
        raise Problem(f"{type(e).__name__}: {e}; {'; '.join(printer.said)}") from e
    if printer.said and not ipxact:
        raise Problem("; ".join(printer.said))
    blocks = [top] if not ipxact else list(top.descendants())
    found = {}
    for node in [n for b in blocks for n in (b.registers() if hasattr(b, "registers") else ())]:
        fields = {}
        for f in node.fields():
            how = f.get_property("onwrite")
            fields[f.inst_name] = (f.lsb, f.width, (f.get_property("sw").name, how.name if how else None), f.get_property("reset"))
        found[node.inst_name] = (node.address_offset, fields)
    return found


def wanted_of(description):
    """The same from the description: a register's bits without a field of their own are told as others."""
    wanted = {}
    for r in description["registers"]:
        access = ACCESS[r["access"]]
        if r["access"] == "rw" and (r["write"] or {}).get("rule") == "clears":
            access = ("rw", "wclr")
        fields = {f["name"]: (f["low"], f["width"], access, r["reset"] >> f["low"] & (1 << f["width"]) - 1) for f in r["fields"]}
        wanted[r["name"]] = (r["address"], r["width"], access, r["reset"], fields)
    return wanted


def difference(found, wanted):
    """The first difference in words; empty when there is none."""
    if set(found) != set(wanted):
        return f"registers: {sorted(set(found) ^ set(wanted))}"
    for name, (address, width, access, reset, fields) in wanted.items():
        at, has = found[name]
        if at != address:
            return f"address of {name}: {at:#x}, expected {address:#x}"
        for field, expected in fields.items():
            if field not in has:
                return f"fields of {name}: {field} is missing"
            for what, a, b in zip(("low bit", "width", "access", "reset"), has[field], expected):
                if a != b:
                    return f"{what} of {name}.{field}: {a}, expected {b}"
        bits = sum(((1 << w) - 1) << low for low, w, _, _ in has.values())
        if bits != (1 << width) - 1 or sum(w for _, w, _, _ in has.values()) != width:
            return f"bits of {name}: {bits:#x}, expected {width} bits"
        for field, (low, w, how, value) in has.items():
            if how != access:
                return f"access of {name}.{field}: {how}, expected {access}"
            if value != reset >> low & (1 << w) - 1:
                return f"reset of {name}.{field}: {value}"
    return ""


def generated(block, values, folder, name=None):
    run = run_program("gen", block, "-q", "--no-doc", *(["-n", name] if name else []), *options(values), "-o", str(folder))
    if run.returncode:
        raise Problem(run.stderr)
    return folder / "rdl" / f"{name or block}.rdl"


def keyword(block, name):
    """An instance with the name of a keyword of SystemRDL: refused as one of another language, or read. None: refused."""
    with tempfile.TemporaryDirectory() as tmp:
        try:
            path = generated(block, {}, Path(tmp) / "out", name)
        except Problem as e:
            return None if "keyword" in str(e) else str(e)
        return difference(registers_of(path), wanted_of(describe(block)))


def keywords(block):
    words = [w.strip("'") for w in SystemRDLLexer.literalNames if re.fullmatch(r"'[a-z]\w*'", w)]
    reasons = {w: attempt(keyword, block, w) for w in words}
    bad = [f"{w}: {r}" for w, r in reasons.items() if r]
    return "; ".join(bad) or ("" if "" in reasons.values() else f"no keyword of {words} is a name")


def peakrdl(*words):
    run = subprocess.run([str(Path(sys.executable).parent / "peakrdl"), *map(str, words)], capture_output=True, text=True, timeout=120)
    if run.returncode:
        raise Problem(f"peakrdl {words[0]}: {run.stdout}{run.stderr}")


def whole_grid(block):
    """Every configuration of the block's grid, or the reason why one differs; how many had registers."""
    count = 0
    for values in [{}, *grid(block)[0]]:
        wanted = wanted_of(describe(block, values))
        with tempfile.TemporaryDirectory() as tmp:
            path = generated(block, values, Path(tmp) / "out")
            if path.exists() != bool(wanted):
                return f"{text_of(values)}: the file is there: {path.exists()}, registers: {len(wanted)}", count
            said = difference(registers_of(path), wanted) if wanted else ""
        if said:
            return f"{text_of(values)}: {said}", count
        count += bool(wanted)
    return "", count


def other_forms(block):
    """IP-XACT and pages: the two commands of the user page."""
    with tempfile.TemporaryDirectory() as tmp:
        path = generated(block, {}, Path(tmp) / "out")
        peakrdl("ip-xact", path, "-o", Path(tmp) / "out.xml")
        peakrdl("html", path, "-o", Path(tmp) / "html")
        if not (Path(tmp) / "html" / "index.html").exists():
            return "no index.html"
        return difference(registers_of(Path(tmp) / "out.xml", ipxact=True), wanted_of(describe(block)))


# What is edited in the file, and what the comparison must say.
PLANTED = [
    ("a register is left out", r"\n  reg \{(?:(?!\n  reg ).)*?\} ERROR @ 0x30;\n", "", r"registers: \['ERROR'\]"),
    ("another address", r"\} LIMIT @ 0x14;", "} LIMIT @ 0x18;", "address of LIMIT: 0x18"),
    ("another name of a field", r"\} FAULTED\[31:31\]", "} BROKEN[31:31]", "fields of DEPTH: FAULTED"),
    ("a field one bit up", r"\} EMPTY\[0:0\]", "} EMPTY[4:4]", "low bit of STATUS.EMPTY"),
    ("a field too wide", r"\} ACCESSES\[3:3\]", "} ACCESSES[4:3]", "width of STATUS.ACCESSES"),
    ("another access", r"sw = r; hw = w;(\n    \} EMPTY)", r"sw = rw; hw = rw;\1", "access of STATUS.EMPTY"),
    ("a write that clears", r"sw = rw; hw = rw;(\n    \} VALUE\[31:0\] = 32'h0;\n  \} BASE_LO)",
     r"sw = rw; hw = rw; onwrite = woclr;\1", "access of BASE_LO.VALUE"),
    ("another reset value", r"(EMPTY\[0:0\] = 1'h)1", r"\g<1>0", "reset of STATUS.EMPTY"),
    ("bits that are not there", r"VALUE\[5:0\] = 6'h11", "VALUE[6:0] = 7'h11", "bits of STRIDE_LG"),
]


def planted(block, pattern, replacement, said):
    with tempfile.TemporaryDirectory() as tmp:
        path = generated(block, {}, Path(tmp) / "out")
        text, n = re.subn(pattern, replacement, path.read_text(), count=1, flags=re.S)
        if n != 1:
            return "the edit changes nothing"
        path.write_text(text)
        found = difference(registers_of(path), wanted_of(describe(block)))
    return "" if re.search(said, found) else f"expected '{said}', got '{found}'"


def attempt(function, *args):
    try:
        return function(*args)
    except Problem as e:
        return str(e)


def main():
    blocks = block_names()
    example = next(b for b in blocks if {"LIMIT", "STATUS", "STRIDE_LG"} <= {r["name"] for r in describe(b)["registers"]})
    for block in blocks:
        said = attempt(whole_grid, block)
        reason, count = (said, 1) if isinstance(said, str) else said
        report(f"SystemRDL of {block} is its description, {count} configurations with registers", reason)
        if describe(block)["registers"]:
            report(f"IP-XACT of {block} made from it is its description, too; pages are made", attempt(other_forms, block))
    report("an instance may have the name of a keyword of SystemRDL", attempt(keywords, example))
    for name, *edit in PLANTED:
        report(f"SystemRDL, planted: {name}", attempt(planted, example, *edit))
    finish()


if __name__ == "__main__":
    main()
