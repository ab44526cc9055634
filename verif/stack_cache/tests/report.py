#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
"""`simtgen report`: the page in a browser on a wide and a narrow window, what it says of each point and of what was not measured,
fronts and comparison against a computation of their own, 10,000 points in time."""
import csv
import http.server
import json
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "verif" / "tools"))
from testlib import Problem, finish, program, report, run_program  # noqa: E402

VOID = {"meta", "link", "br", "wbr"}
SHAPES = {"path", "circle", "rect", "text"}


def make(path, sizes, seed=1, shift=None, version="0.1.0"):
    """Results as a sweep writes them, over the lists of values in `sizes`; `shift(i, target)` changes a target's numbers."""
    rng, rows = random.Random(seed), []
    points = [{}]
    for name, values in sizes.items():
        points = [p | {name: v} for p in points for v in values]
    for i, params in enumerate(points):
        weight = sum(v for v in params.values() if isinstance(v, int)) % 200
        middle = round(100 - weight / 4 + rng.random(), 3)
        target = {"fmax_mhz": {"min": round(middle - 2, 3), "median": middle, "max": round(middle + 3, 3)},
                  "resources": {"lut4": 1000 + 10 * weight + rng.randrange(30), "ff": 500}, "fill": 0.4, "seeds": [{"seed": s} for s in (1, 2, 3)], "device": "HX8K-CT256",
                  "tools": {"yosys": "Yosys 0.23"}, "command": "simtgen synth"}
        if shift:
            shift(i, target)
        if i % 12 == 11:
            target = {"failed": 'yosys: got exit status 1; it says: <script>alert("x")</script> & more', "command": "simtgen synth"}
        rows.append({"point": i + 1, "configuration": f"{i:016x}", "params": params, "targets": {"ice40": target},
                     "generate": "simtgen gen stack_cache -p COUNTERS=0" + "".join(f" -p {k}={v}" for k, v in params.items()),
                     "workloads": {w: {"picker": "round_robin", "memory_latency": 200 + 100 * (w == "one"), "operations": 1000,
                                       "cycles": 30000 - 50 * weight + rng.randrange(200)} for w in ("one", "<two>")}})
    header = {"schema": 1, "sweep": "sizes & more", "version": version, "block": "stack_cache", "swept": list(sizes), "common": {"COUNTERS": 0},
              "targets": ["ice40"], "seeds": 3, "workloads": [{"name": "one", "trace": "traces/first&.stk.gz"}, {"name": "<two>", "trace": "second.stk.gz"}], "points": len(rows), "refused": 2}
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *rows]))
    return rows


class Page(HTMLParser):
    """Tags that nest, and the texts and attributes in them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.problems, self.tags, self.text, self.attributes = [], [], [], [], []
        self.feed(text)
        if self.open:
            self.problems.append(f"not closed: {self.open}")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.text.append(data)


def front(rows, workload):
    """Points that no other one beats in both."""
    spots = [(r["targets"]["ice40"]["resources"]["lut4"], r["workloads"][workload]["cycles"], r["params"]) for r in rows
             if "failed" not in r["targets"]["ice40"]]
    return [s for s in sorted(spots, key=lambda s: s[:2])
            if not any(o[0] <= s[0] and o[1] <= s[1] and o[:2] != s[:2] for o in spots)]


SIZES = {"ENTRIES": [8, 16, 32], "MERGE_LANES": [2, 4], "POLICY": ["threshold", "set_boundary"]}


def content(top):
    rows = make(top / "a.jsonl", SIZES)
    run = run_program("report", str(top / "a.jsonl"), "-o", str(top / "page"))
    if run.returncode:
        return report("a page", run.stderr)
    text = (top / "page" / "index.html").read_text()
    page = Page(text)
    report("tags nest", "; ".join(page.problems))
    own = {("href", t) for t in ("#missing", "#against", "#fronts", "#parameters", "#points", "results.csv", "results.json", "data:,")}
    loads = [a for a in page.attributes if a[0] in ("src", "href", "xlink:href", "srcset", "action") and a not in own]
    loads += [a for a in page.attributes if a[0].startswith("on")] + re.findall(r"@import|url\(", text)
    report("no script, nothing to load", f"{loads}" if loads else "" if "script" not in page.tags else "a script")
    words = " ".join(page.text)
    report("what failed is shown with its reason, as text", "" if '<script>alert("x")</script> & more' in words else words[-300:])
    for workload in ("one", "<two>"):
        want = [" ".join(f"{k}={v}" for k, v in s[2].items()) for s in front(rows, workload)]
        after = text.split(f"{workload.replace('<', '&lt;').replace('>', '&gt;')}: cycles</th><th class=\"t\">To generate it</th></tr>", 1)[-1].split("</table>")[0]
        got = re.findall(r'<td class="t">([^<]*)</td>', after)
        report(f"the front of {workload}", "" if got == want else f"got {got}, expected {want}")
    figures = re.findall(r'aria-label="([^"]*)"', text)
    want = {f"{what} against {p}" for p in SIZES for what in ("ice40: LUT4", "ice40: fmax, MHz", "one: cycles")}
    report("a figure for each number and parameter", f"missing: {want - set(figures)}" if want - set(figures) else "")
    bars = text.split('aria-label="ice40: fmax, MHz against ENTRIES"')[1].split("</svg>")[0]
    report("each frequency has the bar of its seeds", "" if bars.count("bar c") == bars.count("<circle") - 2 == 11 else f"{bars.count('bar c')} bars")
    got = list(csv.DictReader((top / "page" / "results.csv").open()))
    report("CSV has every point", "" if [r["ice40.lut4"] for r in got] == [
        str(r["targets"]["ice40"].get("resources", {}).get("lut4", "")) for r in rows] else "other numbers")
    report("JSON has every point", "" if json.loads((top / "page" / "results.json").read_text())["rows"] == rows else "other rows")
    again = run_program("report", str(top / "a.jsonl"), "-o", str(top / "page"))
    report("the same bytes again", again.stderr or ("" if (top / "page" / "index.html").read_text() == text else "they differ"))
    figure = {a: words_of(text.split(f'aria-label="{a}"')[1].split("</figure>")[0]) for a in ("one: cycles against ice40: LUT4", "one: cycles against ENTRIES")}
    bad = [a for a, said in figure.items() if "trace first&.stk.gz, memory latency 300 cycles, picker round_robin" not in said]
    report("head and figures name trace and latency", f"{bad}" if bad else "" if all(
        f"{w}: trace {f}, memory latency {n} cycles" in words_of(text) for w, f, n in (("one", "traces/first&.stk.gz", 300), ("<two>", "second.stk.gz", 200)))
        else words_of(text)[:600])
    got = codes(text.split('id="points"')[1])
    report("each point has its command", "" if got == [r["generate"] + " -o DIR" for r in rows] else f"{got[:3]}")
    table = text.split('id="fronts"')[1].split('id="parameters"')[0]
    got = list(zip(re.findall(r'<td class="t">([^<]*)</td>', table), [c.split("COUNTERS=0 ")[1].split(" -o DIR")[0] for c in codes(table)]))
    report("... on the fronts, too", "" if got and table.count("<code>") == len(got) and all(a == b.replace("-p ", "") for a, b in got) else f"{got[:3]}")
    return None


def codes(text):
    return [words_of(code) for code in re.findall(r'<td class="g"><code>(.*?)</code></td>', text)]


def words_of(text):
    text = re.sub("<style>.*?</style>", "", text, flags=re.S)
    return " ".join("".join(Page(f"<x>{text}</x>" if "<html" not in text else text).text).split())


TRACE = ROOT / "verif" / "stack_cache" / "traces" / "chibicc_compile.stk.gz"


def commands(top):
    """The commands of a sweep's points, and of results that have none, generate the configurations of the points."""
    (top / "s.yaml").write_text(f"block: stack_cache\nparams: {{COUNTERS: 0}}\ngrid: {{ENTRIES: [8, 16], SET: [2, 4]}}\n"
                                f"workloads:\n  - {{name: compile, trace: {TRACE}, latency: 100}}\n")
    run = run_program("sweep", str(top / "s.yaml"), "-o", str(top / "s.sweep"), "-q")
    lines = (top / "s.sweep" / "results.jsonl").read_text().splitlines()
    older = [json.dumps({k: v for k, v in json.loads(line).items() if k != "generate"}) for line in lines]
    (top / "old.jsonl").write_text("\n".join(older) + "\n")
    want = [json.loads(line)["configuration"] for line in lines[1:]]
    for name in ("s.sweep", "old.jsonl"):
        run = run_program("report", str(top / name), "-o", str(top / "page"))
        text, got = (top / "page" / "index.html").read_text(), []
        for i, command in enumerate(codes(text.split('id="points"')[1])):
            made = subprocess.run(command.replace("simtgen", program(), 1).replace("-o DIR", f"-o {top}/{name}{i}").split(), capture_output=True, text=True)
            got.append(made.stderr or json.loads((top / f"{name}{i}" / "manifest.json").read_text())["config_hash"])
        report(f"{name}: the command of each point generates its configuration", run.stderr or ("" if got == want else f"{got}, not {want}"))
        report(f"{name}: the page names trace and latency of the sweep", "" if f"compile: trace {TRACE}, memory latency 100 cycles" in words_of(text) else words_of(text)[:500])


def holes(top):
    """What was not placed, not routed or not run is named with its point; a table has no empty cell."""
    make(top / "a.jsonl", {"ENTRIES": [8, 16, 32, 64, 128, 256]})
    lines = [json.loads(line) for line in (top / "a.jsonl").read_text().splitlines()]
    for line, change in zip(lines[1:], ({"fits": False, "seeds": []}, {"seeds": [{"seed": 1, "fmax_mhz": None, "note": "not routed: <no> way"}]})):
        line["targets"]["ice40"].update(change, fmax_mhz=None)
    lines[3]["targets"], lines[4]["workloads"] = {}, {"one": {"failed": "no trace"}}
    (top / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = run_program("report", str(top / "a.jsonl"), "-o", str(top / "page"))
    text = (top / "page" / "index.html").read_text()
    table = text.split('id="missing"', 1)[-1].split("</table>")[0]
    got = [tuple(re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)) for row in table.split("<tr>")[2:]]
    want = [("1", "ice40", "synthesized, but not placed: it does not fit the device", "ENTRIES=8"), ("1", "ice40", "not routed: &lt;no&gt; way", "ENTRIES=16"),
            ("1", "ice40", "not run", "ENTRIES=32"), ("1", "one", "no trace", "ENTRIES=64"), ("1", "&lt;two&gt;", "not run", "ENTRIES=64")]
    report("what was not placed, routed or run is named with its point", run.stderr or ("" if got == want else f"{got}"))
    report("... and counted", "" if "5 results are not measured" in words_of(text) else words_of(text)[:200])
    empty = len(re.findall(r"<td[^>]*></td>", text))
    report("no cell of a table is empty", f"{empty} are" if empty else "")
    for line in lines[1:]:
        line["targets"]["ice40"] = {"resources": {"lut4": 5}, "fmax_mhz": None, "seeds": [], "tools": {"yosys": "Yosys 0.23"}}
    (top / "b.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = run_program("report", str(top / "b.jsonl"), "-o", str(top / "page"))
    said = words_of((top / "page" / "index.html").read_text())
    report("a target that is never placed says so once", run.stderr or ("" if said.count("not placed") == 1 and "ice40, Yosys 0.23: synthesized, not placed" in said else said[:400]))
    for line in lines[1:]:
        line["targets"], line["workloads"] = {}, {}
    (top / "c.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = run_program("report", str(top / "c.jsonl"), "-o", str(top / "page"))
    text = (top / "page" / "index.html").read_text()
    report("no figures, no boxes for them", run.stderr or ("Nothing was measured" not in text or '"figures"' in text) * "boxes")


def axes(top):
    """Two percent are two percent of what the axis says: at most a tenth of its height or so, and where it begins is said."""
    make(top / "a.jsonl", {"ENTRIES": [8, 16]})
    lines = [json.loads(line) for line in (top / "a.jsonl").read_text().splitlines()]
    for line, factor in zip(lines[1:], (1.02, 1)):
        line["targets"]["ice40"].update(resources={"lut4": int(5000 * factor)}, fmax_mhz={k: 100 * factor for k in ("min", "median", "max")})
        line["workloads"]["one"]["cycles"] = int(26000 / factor)
    (top / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run_program("report", str(top / "a.jsonl"), "-o", str(top / "page"))
    text = (top / "page" / "index.html").read_text()
    for name in ("ice40: LUT4 against ENTRIES", "ice40: fmax, MHz against ENTRIES", "one: cycles against ENTRIES", "one: cycles against ice40: LUT4"):
        figure = text.split(f'aria-label="{name}"')[1].split("</figure>")[0]
        lines_at = [float(y) for y in re.findall(r'class="grid" d="M\d+ ([\d.]+)H', figure)]
        marks = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="(?:3|4)"', figure)]
        part = max(abs(marks[0][k] - marks[1][k]) / (350, max(lines_at) - min(lines_at))[k] for k in ((0, 1) if "LUT4" == name[-4:] else (1,)))
        least = re.findall(r'class="r">([\d,.]+)</text>', figure)[0]
        report(f"{name}: two percent are not drawn as half", "" if 0 < part < 0.15 else f"{part:.2f} of the axis")
        report(f"{name}: the page says where the axis begins", "" if least != "0" and f"; the axis begins at {least}<" in figure else figure[-120:])


def shifted(i, target):
    if i == 0:  # beyond the seeds
        target["fmax_mhz"] = {k: v - 20 for k, v in target["fmax_mhz"].items()}
    if i == 1:  # within them
        target["fmax_mhz"] = {k: v - 1 for k, v in target["fmax_mhz"].items()}
    if i == 2:
        target["resources"]["lut4"] += 7
    if i == 3:
        target["fmax_mhz"] = {k: v + 30 for k, v in target["fmax_mhz"].items()}
    if i == 4:  # one seed alone, which may be any of many
        target["fmax_mhz"] = {k: target["fmax_mhz"]["min"] - 8 for k in target["fmax_mhz"]}
        target["seeds"] = target["seeds"][:1]
    if i == 5:  # without seeds: exact
        target["fmax_mhz"] = {k: target["fmax_mhz"]["min"] - 1 for k in target["fmax_mhz"]}
        target["seeds"] = []


def comparison(top):
    make(top / "old.jsonl", SIZES, version="0.0.9")
    make(top / "new.jsonl", SIZES, shift=shifted)
    run = run_program("report", str(top / "new.jsonl"), "--against", str(top / "old.jsonl"), "-o", str(top / "page"))
    if run.returncode:
        return report("comparison", run.stderr)
    got = [(r["figure"], r["verdict"]) for r in csv.DictReader((top / "page" / "against.csv").open())]
    want = [("ice40: fmax, MHz", "worse")] * 2 + [("ice40: LUT4", "worse"), ("ice40: fmax, MHz", "better"), ("ice40: fmax, MHz", "one seed"), ("ice40: fmax, MHz", "within the seeds")]
    report("worse, better and within the seeds, the worst first", "" if got == want else f"got {got}")
    words = " ".join("".join(Page((top / "page" / "index.html").read_text()).text).split())
    report("the page says how many", "" if "3 figures are worse, 1 better, 1 differ by no more" in words and "1 frequency of a single seed is not judged" in words else words[:400])
    same = run_program("report", str(top / "new.jsonl"), "--against", str(top / "new.jsonl"), "-o", str(top / "same"))
    words = " ".join("".join(Page((top / "same" / "index.html").read_text()).text).split())
    report("against itself nothing differs", same.stderr or ("" if "0 figures are worse, 0 better, 0 differ" in words else words[:400]))
    return None


def large(top):
    sizes = {"MAX_DEPTH": range(1024, 1034), "STEAL": range(1, 11), "INFLIGHT": range(2, 12), "THREADS": range(8, 18)}
    make(top / "big.jsonl", sizes, shift=lambda _, target: target.update(verilog="0" * 16))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = run_program("report", str(top / "big.jsonl"), "-o", str(top / "page"), timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"# a report of 10,000 points: {seconds:.1f} s of processor time")
    report("10,000 points in less than 10 s", run.stderr if run.returncode else "" if seconds < 10 else f"{seconds:.1f} s")
    looked_at = re.search(r"(\d+) of (\d+) results of synthesis that were looked at are of other Verilog", run.stderr)
    report("... of which 100 are looked at for their Verilog", "" if looked_at and looked_at[1] == looked_at[2] and 50 < int(looked_at[1]) <= 100 else run.stderr)


class Site(http.server.BaseHTTPRequestHandler):
    """One page; everything that a browser asks for is noted, whatever host it means."""
    page, asked = b"", []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_response(200 if self.path == "/page" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page if self.path == "/page" else b"")

    def log_message(self, *_):
        pass


class Browser:
    """Chromium without a window. Every host is this program, so that no request goes by unseen."""

    def __init__(self, top):
        self.path, self.top = shutil.which("chromium"), top
        if not self.path:
            raise Problem("no chromium: run `make setup`")

    def open(self, text, width):
        """What the browser says, and what it has asked for beside the page."""
        Site.page, Site.asked = text.encode(), []
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            command = [self.path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                       f"--user-data-dir={self.top}/profile{width}", f"--window-size={width},2000", "--enable-logging=stderr",
                       "--virtual-time-budget=2000", "--no-first-run", "--disable-features=NetworkTimeServiceQuerying", "--disable-background-networking", "--disable-component-update",
                       f"--host-resolver-rules=MAP * 127.0.0.1:{server.server_port}", "--dump-dom", "http://report.test/page"]
            run = subprocess.run(command, capture_output=True, text=True, timeout=300)
            server.shutdown()
        return run, [path for path in Site.asked if path != "/page"]


PROBE = """<script>addEventListener("load", () => { const d = document.documentElement;
d.dataset.wide = d.scrollWidth; d.dataset.window = innerWidth; d.dataset.figures = [...document.querySelectorAll("svg")].filter(
s => s.getBoundingClientRect().width > 200).length;
d.dataset.cut = [...document.querySelectorAll("svg text")].filter(t => { const b = t.getBBox(), v = t.ownerSVGElement.viewBox.baseVal;
return b.x < -1 || b.x + b.width > v.width + 1 || b.y + b.height > v.height + 1; }).map(t => t.textContent).join("|");
d.dataset.beside = [...document.querySelectorAll(".wide")].filter(b => b.scrollWidth > b.clientWidth).length;
d.dataset.fronts = [...document.querySelectorAll("#fronts ~ div .wide")].filter(b => b.scrollWidth > b.clientWidth).length;
d.dataset.empty = [...document.querySelectorAll(".wide, figure")].filter(b => { const last = b.lastElementChild;
return !last || b.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom > 20; }).length;
d.dataset.hidden = [...document.querySelectorAll("svg text")].filter(t => { const b = t.getBBox(); return [...t.ownerSVGElement.querySelectorAll(
"circle[r='3.5']")].some(c => c.cx.baseVal.value > b.x - 3 && c.cx.baseVal.value < b.x + b.width + 3 && c.cy.baseVal.value > b.y && c.cy.baseVal.value < b.y + b.height);
}).map(t => t.textContent).join("|"); });</script></head>"""


def browser(top):
    make(top / "old.jsonl", SIZES)
    make(top / "new.jsonl", SIZES, shift=shifted)
    run_program("report", str(top / "new.jsonl"), "--against", str(top / "old.jsonl"), "-o", str(top / "page"))
    text = (top / "page" / "index.html").read_text()
    chromium = Browser(top)
    for width in (1280, 500):
        run, asked = chromium.open(text.replace("</head>", PROBE, 1), width)
        data = dict(re.findall(r'data-([a-z]+)="([^"]*)"', run.stdout))
        console = [line for line in run.stderr.splitlines() if ":CONSOLE" in line]
        report(f"no error in a window of {width}", "; ".join(console) or ("" if "window" in data else run.stderr[-300:]))
        report(f"no request in a window of {width}", " ".join(asked) or ("" if "/page" in Site.asked else "not even for the page"))
        fits = int(data.get("wide", "9999")) <= int(data.get("window", "0"))
        figures = text.count("<svg")
        report(f"a window of {width} shows all in its width", "" if fits and data.get("figures") == str(figures) else f"{data}, {figures} figures")
        report(f"no box is empty or half empty at {width}", "" if data.get("empty") == "0" else f"{data.get('empty')} are")
        if width == 1280:
            report("all columns of all tables fit in a wide window", "" if data.get("beside") == "0" else f"{data.get('beside')} tables do not")
        report(f"no text of a figure is cut at {width}", data.get("cut", "it did not say"))
        report(f"no text of a legend lies on a mark at {width}", data.get("hidden", "it did not say"))


def recorded(top):
    """Pages of committed results, which have up to a hundred columns and several workloads."""
    for name in ("stack_cache_area", "tracker_cycles"):
        run_program("report", str(ROOT / "synth_reports" / "reference" / f"sweep-{name}.jsonl"), "-o", str(top / "page"))
        text = (top / "page" / "index.html").read_text()
        for width in (1280, 500):
            run, _ = Browser(top).open(text.replace("</head>", PROBE, 1), width)
            data = dict(re.findall(r'data-([a-z]+)="([^"]*)"', run.stdout))
            fits = int(data.get("wide", "9999")) <= int(data.get("window", "0")) and data.get("beside" if width == 1280 else "fronts") == "0"
            report(f"{name} at {width}: all columns fit, no box is half empty, no text is cut",
                   "" if fits and data.get("empty") == "0" and data.get("cut") == data.get("hidden") == "" else f"{data}")


def planted(top):
    """The browser's checks find what they look for."""
    bad = ('<!doctype html><html><head><title>x</title></head><body style="width:3000px"><img src="missing.png"><img src="http://other.test/far.png">'
           '<svg viewBox="0 0 9 9" width="300"><text x="8" y="8">long text</text><circle cx="9" cy="8" r="3.5"/></svg><div id="fronts"></div><div><div class="wide" style="width:90px;height:99px;overflow:auto"><p style="width:200px;margin:0">x</p></div></div><script>undefined_function()</script></body></html>')
    run, asked = Browser(top).open(bad.replace("</head>", PROBE, 1), 800)
    data = dict(re.findall(r'data-([a-z]+)="([^"]*)"', run.stdout))
    seen = [":CONSOLE" in run.stderr, "/missing.png" in asked, "/far.png" in asked, data.get("cut") == data.get("hidden") == "long text", data.get("beside") == data.get("fronts") == data.get("empty") == "1",
            int(data.get("wide", "0")) > int(data.get("window", "9999"))]
    report("an error, a request, a cut text, one on a mark, a table too wide, a box half empty and an overflow are seen where they are", "" if all(seen) else f"{seen} {data} {asked} {run.stderr[-200:]}")


for part in (content, commands, holes, axes, comparison, large, browser, recorded, planted):
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            part(Path(folder))
    except (Problem, subprocess.SubprocessError, OSError, KeyError, ValueError, IndexError) as problem:
        report(part.__name__, f"{type(problem).__name__}: {problem}")
finish()
