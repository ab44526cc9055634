#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: check
"""The table of planted faults, verif/tools/faults.py: both texts of an edit in one, what does not fit is told, and what counts as seen."""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
import faults  # noqa: E402
from testlib import Problem, finish, report  # noqa: E402

CASES = [  # Verilog or not, old, new, what is compiled (None: it cannot be chosen at run time)
    (True, "assign y = a && b;", "assign y = a;", "assign y =(simt_fault == 1 ? (a) : (a && b));"),
    (True, "y <= a <= b;", "y <= a < b;", "y <=(simt_fault == 1 ? (a < b) : (a <= b));"),
    (True, "assign y = c ? d : e; // why", "assign y = c ? f : e; // why", "assign y = c ?(simt_fault == 1 ? (f) : (d)): e; // why"),
    (True, "assign y = c ? d : e;", "assign y = g ? f : e;", "assign y =(simt_fault == 1 ? (g ? f : e) : (c ? d : e));"),
    (True, "y <= {a ? b : c ? d : e};", "y <= {c ? d : e};", "y <= {(simt_fault == 1 ? (c ? d : e) : (a ? b : c ? d : e))};"),
    (True, "if (a) b <= c;", "if (1'b0) b <= c;", "if ((simt_fault == 1 ? (1'b0) : (a))) b <= c;"),
    (True, ".x_i(a), .y_i(b)", ".x_i(a), .y_i(c)", ".x_i(a), .y_i((simt_fault == 1 ? (c) : (b)))"),
    (True, "w[8*A +: 8]", "w[8*B +: 8]", "w[(simt_fault == 1 ? (8*B) : (8*A))+: 8]"),
    (True, "wire y;", "wire z;", None),
    (True, "localparam A = 1;", "localparam A = 2;", None),
    (True, "|| (a && b);", ";", None),
    (False, "f(a);", "", "{}"),
    (False, "static const int a[] = {1, 2};", "static const int a[] = {1, 3};", None),
    (False, "return a < b ? c : d;", "return a < b ? c : e;", "return a < b ? c :(simt_fault == 1 ? (e) : (d));"),
]
for verilog, old, new, wanted in CASES:
    got = faults.both(old, [(1, new)], verilog)
    if wanted == "{}":
        wanted = " if (simt_fault == 1) {  } else { f(a); } "
    report(f"both in one: {old} and {new or 'nothing'}", "" if got == wanted else f"got {got}, expected {wanted}")
got = faults.both("y = a;", [(1, "y = b;"), (2, "y = c;")], False)
report("three in one", "" if got == "y =(simt_fault == 1 ? (b) : simt_fault == 2 ? (c) : (a));" else got)


def refused(act):
    try:
        act()
    except Problem as problem:
        return str(problem)
    return ""


def edit(old, new):
    result = faults.Edit("file.v")
    result.old, result.new = old, new
    return result


TEXT = "a;\n  b;\n  c;\n  b;\n"
for name, old, new, words in (("stands nowhere", ["d;"], ["e;"], "stands there 0 times"), ("stands twice", ["b;"], ["e;"], "stands there 2 times"),
                              ("changes nothing", ["c;"], ["c;"], "changes nothing")):
    said = refused(lambda old=old, new=new: edit(old, new).find(TEXT))
    report(f"an edit that {name} is red", "" if words in said else f"it says: {said}")
place = edit(["c;", "b;"], ["e;"])
place.find(TEXT)
report("an edit of two lines has its place", "" if TEXT[slice(*place.span)] == "c;\n  b;" else str(place.span))

with tempfile.TemporaryDirectory() as folder:
    table = Path(folder) / "faults.txt"
    for name, text, words in (("a line of another kind", "fault any [AA-1]\n  what is this\n", ":2: got `what is this`"),
                              ("no requirement", "fault any\n", ":1: expected `fault NAME"),
                              ("a fault without an edit", "fault any [AA-1]\n  run x\n  sees y\n", "`any` needs")):
        table.write_text(text)
        said = refused(lambda: faults.read_table(table))
        report(f"a table with {name} is refused", "" if words in said else f"it says: {said}")

fault = faults.Fault("any", "AA-1")
fault.sees = "^MISMATCH"
for name, status, said, seen in (("its message with exit status 1", 1, "x\nMISMATCH: y", True), ("a crash", -11, "MISMATCH: y", False),
                                 ("another message", 1, "STUCK", False), ("a pass", 0, "MISMATCH", False)):
    report(f"{name} is {'' if seen else 'not '}a fault that is seen", "" if (faults.verdict(fault, status, said) == "") == seen else "it is not judged so")
finish()
