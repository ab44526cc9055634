#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 4
# timeout: 400
"""Negative controls of every block: the netlist without a mutation passes and fixed mutants fail; single upsets."""
import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / d) for d in ("mutate", "tools")]
from mutants import lockstep, small_configurations  # noqa: E402
from testlib import Problem, finish, in_turn, options, report, run_program  # noqa: E402

SAMPLE, WANTED, CYCLES = 40, 20, 5000


def mutants(block, values):
    result = lockstep(block, SAMPLE, values, CYCLES)  # fails when the netlist without a mutation does
    report(f"{block}: no mutation passes")
    found = [m for m in result["mutants"] if m["found"]]
    report(f"{block}: {WANTED} fixed mutants fail",
           "" if len(found) >= WANTED else f"{len(found)} of {len(result['mutants'])} are found")


def upsets(block, values):
    run = run_program("check", block, *options(values), "--upsets", "50", "--cycles", "2000", "--json", timeout=300)
    if run.returncode != 0:
        report(f"{block}: single upsets", run.stderr or f"exit status {run.returncode}")
        return
    all_of = json.loads(run.stdout)
    good = all_of["seen"] > 0 and all_of["masked"] > 0
    good = good and all_of["seen"] + all_of["latent"] + all_of["masked"] == all_of["upsets"] == 50
    report(f"{block}: single upsets are seen, latent or masked", "" if good else run.stdout)


def controls(block, values):
    mutants(block, values)
    upsets(block, values)


def main():
    in_turn(*((controls, block, values) for block, values in small_configurations()))


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("mutants", e)
    finish()
