#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 300
"""Negative control of mutant_facts.py, mutant_relation.py and mutant_windows.py: no mutant that lockstep finds is shown to be equivalent, some of the others are. Of
blocks with a small netlist; and of the smallest with memories, these cut out as large ones are, where what is read is free."""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / d) for d in ("mutate", "tools")]
from testlib import Problem, describe, finish, in_venv, report  # noqa: E402

try:
    import mutant_facts
    import mutant_relation
    import mutant_windows
except ImportError:
    in_venv("pysat")
from mutant_proof import Netlist  # noqa: E402
from mutants import mutation_of, lockstep, small_configurations  # noqa: E402

SAMPLE, CYCLES, SMALL, CONTROLS, CUT_CONTROLS, OTHERS = 400, 5000, 2000, 40, 10, 20


def look(block, values):
    result = lockstep(block, SAMPLE, values, CYCLES)
    netlist = Netlist(result, describe(block, values))
    system = mutant_facts.System(netlist)
    facts = mutant_facts.facts(system)
    control(block, "claims", mutant_facts.Prover(netlist, system, facts), result["mutants"])
    same = mutant_windows.Windows(mutant_relation.Relation(netlist, system, facts))
    control(block, "what is the same to the outside", same, result["mutants"])


def look_without_memories(block, values):
    result = lockstep(block, SAMPLE, values, CYCLES)
    netlist = Netlist(result, describe(block, values), cut=0)
    system = mutant_facts.System(netlist)
    report(f"{block}: its memories are cut out", "" if netlist.cut else "there is none")
    facts = mutant_facts.facts(system)
    control(f"{block} without memories", "claims", mutant_facts.Prover(netlist, system, facts), result["mutants"], controls=4)
    same = mutant_windows.Windows(mutant_relation.Relation(netlist, system, facts))
    control(f"{block} without memories", "what is the same to the outside", same, result["mutants"], controls=CUT_CONTROLS)


def control(block, what, prover, mutants, controls=CONTROLS, others=OTHERS):
    found = sorted((m for m in mutants if m["found"]), key=lambda m: -m["cycle"])
    wrong = [m for m in found[:controls] + found[-controls:] if prover.equivalent(mutation_of(m))]
    report(f"{block}: by {what}, no mutant that lockstep found is shown to be equivalent",
           "; ".join(f"{m['number']} found in cycle {m['cycle']}: {m['change']}" for m in wrong))
    left = [m for m in mutants if not m["found"]][:others]
    good = sum(prover.equivalent(mutation_of(m)) for m in left)
    report(f"{block}: by {what}, of {len(left)} others some are shown to be equivalent",
           "" if good or not left else "none is")


def main():
    with_memories = []
    for block, values in small_configurations():
        probe = lockstep(block, 1, values, 200)
        if probe["all"] <= SMALL:
            look(block, values)
        if probe["memories"]:
            with_memories.append((probe["all"], block, values))
    look_without_memories(*min(with_memories, key=lambda w: w[0])[1:])


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("mutants_facts", e)
    finish()
