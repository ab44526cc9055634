#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""A list of units in a configuration: what follows from it, and that it survives every way through the program."""
import json
import sys
import tempfile
from xml.etree import ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from testlib import ROOT, finish, report, run_program  # noqa: E402

LISTS = ROOT / "verif/status_tree/four_caches.yaml"
ORDER = ["sc0", "sc1", "bu0", "bu1", "arb_left", "sc2", "sc3", "sc4", "bu2"]  # by connection: caches_left first


def expect(name, got, wanted, ids="US-6"):
    report(name, "" if got == wanted else f"got {got}, expected {wanted}", ids)


def described(*args):
    run = run_program("describe", *map(str, args), "--json")
    return json.loads(run.stdout) if run.returncode == 0 else {"error": run.stderr}


def derived(description):
    return {d["name"]: d["value"] for d in description["derived"]}


def generated(folder, *args):
    run = run_program("gen", *map(str, args), "--no-doc", "-q", "-o", str(folder))
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()} or run.stderr


def main():
    base = ("status_tree", "-p", "COMMANDS=group")
    one = described(*base, "-p", f"topology={LISTS}")
    values = derived(one)
    expect("connections in the order in which units name them", values["CONN_FIRST"], [0, 2, 3, 4, 5, 8, 9])
    expect("units and connections are counted", (values["UNIT_COUNT"], values["CONN_COUNT"]), (9, 6))
    records = one["records"]["lists"][0]["records"]
    expect("describe shows the records", (len(records), records[0]["name"], records[0]["context"]), (9, "sc0", 1200))
    with tempfile.TemporaryDirectory() as top:
        top = Path(top)
        first = generated(top / "a", *base, "-p", f"topology={LISTS}")
        again = generated(top / "b", "-c", top / "a/config.yaml")
        expect("config.yaml with lists replays to the same bytes", first, again)
        whole = json.loads(json.dumps({"block": "status_tree", "params": {"COMMANDS": "group"}, "topology": {
            entry["name"]: entry["records"] for entry in one["records"]["lists"]}}))
        (top / "c.json").write_text(json.dumps(whole))
        expect("the same lists as JSON are the same configuration",
               described("-c", top / "c.json").get("config_hash"), one["config_hash"])
        header = first["model/status_tree_ports.h"].decode()
        expect("the model's header has every cell", header.count('\n  X("units", '), sum(len(r) for r in records))
        (top / "f.json").write_text(json.dumps({**whole, "name": "mine", "params": {"COMMANDS": "unit", "STAGES": 5}}))
        got = described("status_tree", "-p", "STAGES=4", "-p", f"topology={top / 'f.json'}")
        params = {p["name"]: p["value"] for p in got.get("parameters", [])}
        expect("name and parameters of a file of lists apply, -p wins over them, numbers that lists replace are left out",
               (got.get("name"), params), ("mine", {"COMMANDS": "unit", "ENCODING": "one_hot", "STAGES": 4, "reset": "sync"}))
        expect("and the numbers of units, connections and domains", [line.split()[1:] for line in header.splitlines() if "_IS_" in line],
               [[f"STATUS_TREE_UNIT_IS_{name}", f"{i}u"] for i, name in enumerate(ORDER)] +
               [[f"STATUS_TREE_CONN_IS_{name}", f"{i}u"] for i, name in
                enumerate(["caches_left", "bu0", "bu1", "arb_left", "caches_right", "bu2"])] +
               [[f"STATUS_TREE_{kind}_IS_{name}", f"{i}u"] for kind in ("DOMAIN", "DEAD") for i, name in enumerate(["left", "right"])])
        whole["topology"]["units"][3]["name"] = "bu9"
        whole["topology"]["streams"][1]["from"] = "bu9"
        (top / "d.json").write_text(json.dumps(whole))
        other = described("-c", top / "d.json").get("config_hash")
        report("another name of a unit is another hash", "" if other not in (None, one["config_hash"]) else str(other), "US-6")
        many = {"block": "status_tree", "params": {"COMMANDS": "unit", "STAGES": 5},
                "topology": {"units": [{"name": f"u{i}", **({"group": f"g{i % 8}"} if i % 3 else {})} for i in range(1024)],
                             "groups": [{"name": f"g{i}", **({"in": "g0"} if i == 1 else {})} for i in range(8)],
                             "streams": [{"from": f"u{i}", "to": f"u{(i * 7 + 1) % 1024}"} for i in range(4096 % 1024 + 1024)]}}
        (top / "e.json").write_text(json.dumps(many))
        values = derived(described("-c", top / "e.json"))
        sizes = [b - a for a, b in zip(values["CONN_FIRST"], values["CONN_FIRST"][1:])]
        expect("1,024 units in a list: 7 groups and 342 units by themselves",
               (values["UNIT_COUNT"], values["CONN_COUNT"], sum(sizes), sum(s > 1 for s in sizes)), (1024, 349, 1024, 7))
        drawing = top / "t.svg"
        described(*base, "-p", f"topology={LISTS}", "--svg", drawing)
        classes = [g.get("class") for g in ElementTree.parse(drawing).getroot().iter() if g.get("class")]
        expect("the drawing has every unit, group, connection and stream",
               [classes.count(c) for c in ("unit", "group", "connection", "stream")], [9, 2, 6, 7])
        run_program("gen", *base, "-p", f"topology={LISTS}", "-q", "-o", str(top / "doc"))
        sheet = (top / "doc/doc/status_tree.md").read_text()
        rows = [line.split("|")[1:5] for line in sheet.splitlines() if line.startswith("| ") and ("(left)" in line or "(right)" in line)]
        names = [row[1].strip(" `") for row in rows if row[0].strip().isdigit()]
        expect("the datasheet lists the units by number", names, ORDER)
        expect("the datasheet shows it", ("status_tree_topology.svg" in sheet, drawing.read_text() in
                                          (top / "doc/doc/status_tree_topology.svg").read_text()), (True, True))
    numbers = derived(described("status_tree", "-p", "UNITS=5", "-p", "GROUP=2"))
    expect("by numbers, the last group is smaller", numbers["CONN_FIRST"], [0, 2, 4, 5])
    warned = run_program("describe", "status_tree", "-p", "UNITS=65")
    quiet = run_program("describe", "status_tree", "-p", "UNITS=64")
    report("too few stages give a warning, and only those",
           "" if "warning" in warned.stderr and not quiet.stderr else f"{warned.stderr!r} {quiet.stderr!r}", "US-6")


main()
finish()
