#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
"""Negative control of fault_facts.py and fault_relation.py: no mutant that lockstep finds is shown to be equivalent, some of the others are. Of
blocks with a small netlist."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from testlib import Problem, block_names, describe, finish, in_venv, report  # noqa: E402

try:
    import fault_facts
    import fault_relation
except ImportError:
    in_venv("pysat")
from fault_proof import Netlist  # noqa: E402
from mutants import configurations, fault_of, lockstep  # noqa: E402

SAMPLE, CYCLES, SMALL, CONTROLS, OTHERS = 400, 5000, 2000, 40, 20


def look(block, values):
    if lockstep(block, 1, values, 200)["all"] > SMALL:
        return
    result = lockstep(block, SAMPLE, values, CYCLES)
    netlist = Netlist(result, describe(block, values))
    system = fault_facts.System(netlist)
    facts = fault_facts.facts(system)
    control(block, "claims", fault_facts.Prover(netlist, system, facts), result["mutants"])
    control(block, "conditions", fault_relation.Relation(netlist, system, facts), result["mutants"])


def control(block, what, prover, mutants):
    found = sorted((m for m in mutants if m["found"]), key=lambda m: -m["cycle"])
    wrong = [m for m in found[:CONTROLS] + found[-CONTROLS:] if prover.equivalent(fault_of(m))]
    report(f"{block}: by {what}, no mutant that lockstep found is shown to be equivalent",
           "; ".join(f"{m['number']} found in cycle {m['cycle']}: {m['change']}" for m in wrong))
    left = [m for m in mutants if not m["found"]][:OTHERS]
    good = sum(prover.equivalent(fault_of(m)) for m in left)
    report(f"{block}: by {what}, of {len(left)} others some are shown to be equivalent",
           "" if good or not left else "none is")


def main():
    for block in block_names():
        try:
            values = configurations(block)[0][1]
        except Problem:
            continue  # a block may not have come so far
        look(block, values)


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("mutants_facts", e)
    finish()
