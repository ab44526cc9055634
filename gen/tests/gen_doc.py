#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
# each: first
"""The datasheet: its links resolve, its two forms agree, and its timing diagrams show what a run shows: of one block,
of the others with OTHERS=1.

The diagrams are read back from their geometry (levels of lines, corners and titles of value boxes) and
compared with the waveform that `simtgen check` records of the Verilog in the same stimulus.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from gen_lib import Problem, generate, ports, program, run_program
from testlib import ROOT, blocks_here, describe, finish, program_json, report

SVG = "{http://www.w3.org/2000/svg}"


class Page(HTMLParser):
    """Links and visible words of an HTML page, pictures left out; complains about tags left open."""
    void = {"meta", "rect", "path", "br", "polygon"}

    def __init__(self, text):
        super().__init__()
        self.links, self.words, self.open, self.problem = [], [], [], ""
        self.feed(text)
        if self.open:
            self.problem = f"left open: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.links += [v for k, v in attrs if k in ("href", "src")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.links += [v for k, v in attrs if k in ("href", "src")]

    def handle_endtag(self, tag):
        if tag not in self.void and (not self.open or self.open.pop() != tag):
            self.problem = self.problem or f"</{tag}> does not fit"

    def handle_data(self, data):
        if not {"svg", "style", "title"} & set(self.open):
            self.words += re.findall(r"\w+", data)


def links(doc, name):
    page = Page((doc / f"{name}.html").read_text())
    found = page.links + re.findall(r"\]\(([^)]*)\)", (doc / f"{name}.md").read_text())
    bad = [t for t in found if not t.startswith("#") and not (doc / t).is_file()]
    outside = [t for t in page.links if t.startswith("http")]
    return page.problem or (f"no such file: {bad}" if bad else "") or (f"outside: {outside}" if outside else "") or \
        ("" if len(found) > 6 else f"only {len(found)} links")


def forms_agree(doc, name):
    text = re.sub(r"<!--.*?-->", "", (doc / f"{name}.md").read_text(), flags=re.S)
    text = re.sub(r"!\[[^]]*\]\([^)]*\)|\]\([^)]*\)|&lt;", " ", text)
    md, html = re.findall(r"\w+", text), Page((doc / f"{name}.html").read_text()).words
    for i, (a, b) in enumerate(zip(md + ["end"], html + ["end"])):
        if a != b:
            return f"Markdown says {' '.join(md[i:i + 8])}, HTML {' '.join(html[i:i + 8])}"
    return ""


def complete(doc, name, block):
    words = set(Page((doc / f"{name}.html").read_text()).words)
    described = program_json("describe", block)
    described.pop("core_inputs")  # of the core alone; the module has no such ports
    names = set(re.findall(r'"name": "(\w+)"', json.dumps(described).split('"coverage"')[0])) - {block}
    return f"missing: {sorted(names - words)}" if names - words else ""


# ---- diagrams ---------------------------------------------------------------------------------------

def numbers(text):
    return [float(n) for n in re.findall(r"-?[0-9.]+", text)]


def level_at(path, x):
    """The height of a path of absolute M, H, L at x."""
    at, y = 0.0, None
    for command, rest in re.findall(r"([MHL])([^MHL]*)", path):
        n = numbers(rest)
        if command == "H":
            if at <= x <= n[0]:
                return y
            at = n[0]
        else:
            at, y = n
    return None


def read_row(row, columns):
    """What a row shows in each column: a number, or None for no meaning; and its visible labels."""
    shown, labels = {}, [t for t in row.findall(f"{SVG}text")][1:]
    boxes = []
    for p in row.findall(f"{SVG}polygon"):
        points = numbers(p.get("points"))
        boxes.append((min(points[0::2]), max(points[0::2]), min(points[1::2]), p.find(f"{SVG}title").text))
    levels = [y for p in row.findall(f"{SVG}path") for y in numbers(re.sub(r"H[0-9]+", "", p.get("d")))[1::2]]
    base = float(row.find(f"{SVG}text").get("y")) - 12  # top of the signal
    for cycle, x in columns.items():
        for lo, hi, _, value in boxes:
            if lo <= x <= hi:
                shown[cycle] = None if value == "no meaning" else int(value, 16)
                inside = [t.text for t in labels if lo <= float(t.get("x")) <= hi]
                if shown[cycle] is not None and not (len(inside) == 1 and value.endswith(inside[0].lstrip("…"))):
                    raise Problem(f"the box of {value} is labelled {inside}")
        for p in row.findall(f"{SVG}path"):
            y = level_at(p.get("d"), x)
            if y is not None:
                shown[cycle] = int(y == base)
    if levels and not set(levels) <= {base, base + 15}:
        raise Problem(f"levels at {sorted(set(levels))}")
    return shown


def read_picture(path):
    root = ElementTree.parse(path).getroot()
    columns = {int(t.text): float(t.get("x")) for t in root.iter(f"{SVG}text") if t.get("class") == "cycle"}
    gaps = [int(t.text) for t in root.iter(f"{SVG}text") if t.get("class") == "gap"]
    rows = {g.get("data-port"): read_row(g, columns) for g in root.iter(f"{SVG}g") if g.get("data-port")}
    cycles = sorted(columns)
    left_out = sum(b - a - 1 for a, b in zip(cycles, cycles[1:]))
    if left_out != sum(gaps):
        raise Problem(f"{path.name}: gaps say {gaps}, cycle numbers {left_out}")
    return rows


def read_wave(path):
    """{port: [value or None per cycle]} of the inputs and the Verilog's outputs in a VCD."""
    ids, values, now, scope = {}, {}, {}, []
    cycle = -1
    for line in path.read_text().splitlines():
        word = line.split()
        if line.startswith("$scope"):
            scope.append(word[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var") and scope[-1] in ("inputs", "rtl"):
            ids[word[3]] = word[4]
        elif line.startswith("#"):
            if int(line[1:]) % 10 == 5:  # all values of this cycle are known
                cycle += 1
                for name, value in now.items():
                    values.setdefault(name, []).append(value)
        elif word and line[0] in "b01x":
            digits, name = (word[0][1:], word[1]) if line[0] == "b" else (line[0], line[1:])
            if name in ids:
                now[ids[name]] = None if "x" in digits else int(digits, 2)
    return values


def compare(rows, wave, valids):
    """The first difference between a diagram and a waveform; empty when there is none."""
    if not rows:
        return "no rows"
    for port, shown in rows.items():
        if not shown:
            return f"{port}: an empty row"
        for cycle, value in sorted(shown.items()):
            valid = valids[port]
            means = not valid or bool(wave[valid][cycle])
            expected = wave[port][cycle] if means else None
            if value != expected:
                return f"{port} in cycle {cycle}: drawn {value}, run {expected}"
    return ""


def diagrams(out, block, tmp):
    """Every diagram against a run of the Verilog; and the comparison against planted faults."""
    doc, valids, names = out / "doc", {p["name"]: p["valid"] for p in ports(block)}, []
    for path in sorted(doc.glob(f"{block}_*.svg")):
        test = path.stem[len(block) + 1:]
        if test in ("symbol", "status", "topology"):
            continue
        names.append(test)
        vcd = tmp / f"{test}.vcd"
        run = run_program("check", block, "--stimulus", f"directed:{test}", "--seed", "1", "--wave", vcd, timeout=150)
        if run.returncode:
            lines = [line for line in run.stdout.splitlines() if "MISMATCH" in line] or [run.stdout + run.stderr]
            return f"simtgen check directed:{test}: {lines[0].strip()}"
        wave = read_wave(vcd)
        rows = read_picture(path)
        reason = compare(rows, wave, valids)
        if reason:
            return f"{path.name}: {reason}"
        for port, shown in rows.items():
            cycle = max(shown)
            spoilt = dict(rows) | {port: shown | {cycle: (shown[cycle] or 0) ^ 1}}
            if not compare(spoilt, wave, valids):
                return f"{path.name}: a wrong {port} in cycle {cycle} is not noticed"
        if not compare_spoilt(path, tmp, wave, valids):
            return f"{path.name}: a picture drawn wrong is not noticed"
    text = (doc / f"{block}.md").read_text()
    missing = [n for n in names if f"\n`{n}`: " not in text]
    return f"no caption: {missing}" if missing else "" if names else "no diagram"


def compare_spoilt(path, tmp, wave, valids):
    """Whether a fault in the drawing itself (a value in a box, or a level) is noticed."""
    text = path.read_text()
    spoilt = re.sub(r"<title>([0-9a-f]+)</title>(</polygon>\n<text[^>]*>)[^<]*", r"<title>1\1</title>\2…\1", text, count=1)
    if spoilt == text:
        spoilt = re.sub(r'(class="row".*?<path d="M[0-9]+ )([0-9]+)', lambda m: m[1] + str(int(m[2]) + 15), text,
                        count=1, flags=re.S)
    (tmp / "spoilt.svg").write_text(spoilt)
    try:
        return compare(read_picture(tmp / "spoilt.svg"), wave, valids)
    except Problem as problem:
        return str(problem)


def figures(block, tmp):
    """Committed results of this configuration are shown, those of another are not; one of other Verilog says so."""
    root = tmp / "data"
    reference = root / "synth_reports" / "reference"
    reference.mkdir(parents=True)
    (root / "rtl_templates").symlink_to(ROOT / "rtl_templates")
    result = {"configuration": json.loads(run_program("describe", block, "--json").stdout)["config_hash"],
              "target": "ice40", "device": "HX8K", "resources": {"lut4": 98765}, "seeds": [1, 2],
              "fmax_mhz": {"min": 1, "median": 432.1, "max": 3}}
    pages = []
    for hash_, more in ((result["configuration"], {}), ("0" * 16, {}), (result["configuration"], {"verilog": "0" * 16})):
        (reference / "result.json").write_text(json.dumps(result | {"configuration": hash_} | more))
        run = subprocess.run([program(), "gen", block, "-o", tmp / f"figures{len(pages)}"], capture_output=True,
                             text=True, env=os.environ | {"SIMTGEN_DATA": str(root)})
        if run.returncode:
            return run.stderr
        pages.append((tmp / f"figures{len(pages)}" / "doc" / f"{block}.md").read_text())
    if "98765" not in pages[0] or "432.1" not in pages[0] or "Not measured" in pages[0]:
        return "a committed result is not shown"
    if [("98765" in page, "an earlier Verilog" in page) for page in pages] != [(True, False), (False, False), (True, True)]:
        return "what is of an earlier Verilog is not told, or told of others"
    return "" if "Not measured" in pages[1] and "98765" not in pages[1] else "a result of another configuration is shown"


def no_notes(block, tmp):
    """Every directed test could be drawn; one that stops in its golden model leaves a note."""
    return run_program("gen", block, "-o", tmp / "quiet").stderr


def status(block, tmp):
    """The state diagram is there exactly when the status is on, with the codes of the encoding and every arrow."""
    options = [p for p in json.loads(run_program("describe", block, "--json").stdout)["parameters"] if p["name"] == "STATUS"]
    for value, codes in (("none", ()), ("one_hot", ("00001", "10000")), ("binary", ("000", "100"))) if options else ():
        out = tmp / f"status_{value}"
        run = run_program("gen", block, "-p", f"STATUS={value}", "-o", out)
        picture = out / "doc" / f"{block}_status.svg"
        if run.returncode or picture.is_file() != bool(codes):
            return f"STATUS={value}: {run.stderr or 'diagram: ' + str(picture.is_file())}"
        if not codes:
            continue
        shown = [t.text for t in ElementTree.parse(picture).getroot().iter(f"{SVG}text")]
        arrows = re.findall(r"^\| (\d+) \| (?:empty|active|stalled|quiescent|halted) ", (out / "doc" / f"{block}.md").read_text(), re.M)
        missing = [t for t in (*codes, *arrows) if t not in shown]
        if missing or len(arrows) < 5:
            return f"STATUS={value}: not in the diagram: {missing}; {len(arrows)} arrows in the table"
    return ""


def parts(doc, block):
    """What the parts of a block say of their use stands in its datasheet, too: each heading with the part's name."""
    for part in describe(block)["uses"]:
        said = any(".notes" in p.read_text() for p in (ROOT / "cmodel" / part).glob("*.c"))
        if said and not re.search(rf"^## .* \({part}\)$", doc, re.M):
            return f"nothing of {part}"
    return ""


def check_block(block, tmp):
    out = tmp / "out"
    name = generate(block, out)
    for what, test in (("the links resolve", lambda: links(out / "doc", name)),
                       ("Markdown and HTML say the same", lambda: forms_agree(out / "doc", name)),
                       ("every parameter, port and register is there", lambda: complete(out / "doc", name, block)),
                       ("it says what its parts say of their use",
                        lambda: parts((out / "doc" / f"{name}.md").read_text(), block)),
                       ("no directed test is left out", lambda: no_notes(block, tmp)),
                       ("the state diagram is there when the status is on", lambda: status(block, tmp)),
                       ("committed figures are shown", lambda: figures(block, tmp)),
                       ("the timing diagrams show the run", lambda: diagrams(out, block, tmp))):
        try:
            report(f"datasheet {block}: {what}", test())
        except (Problem, ElementTree.ParseError) as problem:
            report(f"datasheet {block}: {what}", str(problem))
    for path, old, new in ((f"{name}.html", 'href="../rtl', 'href="../gone'), (f"{name}.html", "</p>", ""),
                           (f"{name}.md", "](../rtl", "](../gone")):
        page = out / "doc" / path
        text = page.read_text()
        page.write_text(text.replace(old, new, 1))
        found = links(out / "doc", name)
        page.write_text(text)
        report(f"datasheet {block}: a planted {new or 'open tag'} in {page.suffix[1:]} is found",
               "" if found else "not found")


for b in blocks_here():
    with tempfile.TemporaryDirectory() as folder:
        try:
            check_block(b, Path(folder))
        except (Problem, OSError, KeyError) as problem:
            report(f"datasheet {b}", f"{type(problem).__name__}: {problem}")
finish()
