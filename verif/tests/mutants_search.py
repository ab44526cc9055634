#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 300
"""Control of mutant_search.py on the block with the fewest mutants: of those that a short run leaves it finds most that a longer
one finds."""
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / d) for d in ("mutate", "tools")]
from testlib import Problem, describe, finish, in_venv, report  # noqa: E402

try:
    import mutant_search
except ImportError:
    in_venv("pysat")
from mutant_netlist import Netlist  # noqa: E402
from mutants import mutation_of, lockstep, small_configurations  # noqa: E402

SHORT, LONG, STATES, SHARE, MOST = 20, 5000, 12, 0.5, 60


def smallest():
    """(block, values) of the shortest list of mutants."""
    return min(small_configurations(), key=lambda c: lockstep(c[0], 1, c[1], 200)["all"])


def main():
    block, values = smallest()
    result = lockstep(block, None, values, LONG)
    late = [m for m in result["mutants"] if m["found"] and m["cycle"] > SHORT][:MOST]
    description = describe(block, values)
    search, found = mutant_search.Search(block, values, Netlist(result, description)), set()
    for (run, cycle), state in search.states(STATES).items():
        search.begin(state)
        asked = [(m, search.find(mutation_of(m))) for m in late if m["number"] not in found]
        found.update(m["number"] for m, inputs in asked if inputs and search.shows(mutation_of(m), run, cycle, inputs))
    share = len([m for m in late if m["number"] in found]) / max(1, len(late))
    report(f"{block}: of {len(late)} mutants that lockstep finds late the search finds most",
           "" if share >= SHARE else f"{share:.0%}, expected {SHARE:.0%}")


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("mutants_search", e)
    finish()
