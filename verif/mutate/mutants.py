#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accounts for every mutation of a block's RTL: `make mutants BLOCK=NAME`.

verif/BLOCK/mutants.txt lists `all NAME=VALUE ...` (every mutation of that configuration) and `N NAME=VALUE ...` (a
sample of N). `simtgen check --mutants` runs them in lockstep. The outcome of a mutant is one of

    found        an output differs in lockstep
    differs      a search found inputs, legal or not, that show it, and lockstep did not see it
    unresolved   neither was shown

A configuration is good when at most 1.5 % are unresolved, or when inputs are searched for 60 of these, drawn at random, and
none differs. Else the exit status is 1. The list goes to synth_reports/BLOCK_mutants.txt, each remaining mutant with its
place in the source, in classes by cell and line.
"""
import argparse
import collections
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from mutant_netlist import Netlist  # noqa: E402
from testlib import ROOT, Problem, block_names, describe, in_venv, options, program, text_of  # noqa: E402

try:
    import mutant_search
except ImportError:
    mutant_search = None  # main() looks for python-sat elsewhere

FEW = 0.015  # of all may be left
DRAWN, STATES = 60, 40  # of what is left, and the states from which inputs are searched
SEARCHED = 4096  # bits of the largest memory of a design for which inputs are searched


def configurations(block):
    """[(how many or None for all, {NAME: VALUE})] of verif/BLOCK/mutants.txt."""
    path = ROOT / "verif" / block / "mutants.txt"
    if not path.exists():
        raise Problem(f"verif/{block}/mutants.txt: missing; list `all NAME=VALUE ...` and `1000 NAME=VALUE ...`")
    found = []
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            values = [w.split("=", 1) for w in words[1:]]
            if not re.fullmatch(r"all|[1-9]\d*", words[0]) or any(len(v) < 2 for v in values):
                raise Problem(f"verif/{block}/mutants.txt: got `{line}`, expected `all|NUMBER NAME=VALUE ...`")
            found.append((None if words[0] == "all" else int(words[0]), dict(values)))
    return found


def small_configurations():
    """(block, values) of the first line of each block's list; a block may not have come so far."""
    for block in block_names():
        if (ROOT / "verif" / block / "mutants.txt").exists():
            yield block, configurations(block)[0][1]


def lockstep(block, most, values, cycles):
    """The result of `simtgen check --mutants --json`."""
    command = [program(), "check", block, *options(values), "--mutants", str(most or "all"), "--json"]
    run = subprocess.run(command + (["--cycles", str(cycles)] if cycles else []), capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise Problem(f"{' '.join(command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def build_folder():
    folder = Path(os.environ.get("B", "build")) / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def content(*parts):
    """A name for what it is made from."""
    return hashlib.sha256(b"\0".join(p if isinstance(p, bytes) else p.encode() for p in parts)).hexdigest()[:24]


# ---- the search ---------------------------------------------------------------------------------

def search_all(block, values, result, description, left, states, wanted):
    """Those of the wanted that a search finds to differ, as a set; B/mutants/differs-NETLIST.json has run, cycle and inputs.
    None where the netlist has a memory that is too large for it."""
    if any(m["size"] * m["width"] > SEARCHED for m in result["memories"]):
        print(f"search: not of {block} {text_of(values)}: it has a memory of more than {SEARCHED} bits", file=sys.stderr)
        return None
    design, found = Netlist(result, description), {}
    search = mutant_search.Search(block, values, design)
    places = search.states(states)
    for n, ((run, cycle), state) in enumerate(places.items()):
        search.begin(state)
        asked = ((i, search.find(mutation_of(left[i]))) for i in wanted if i not in found)
        for i, inputs in [(i, inputs) for i, inputs in asked if inputs]:  # all, before `shows` ends what `begin` began
            if search.shows(mutation_of(left[i]), run, cycle, inputs):
                found[i] = {"number": left[i]["number"], "place": place(left[i]["change"]), "seed": run + 1, "cycle": cycle,
                            "inputs": inputs}
        print(f"\rsearch: {n + 1} of {len(places)} states, {len(found)} differ", end="", file=sys.stderr, flush=True)
    print("\r\033[K", end="", file=sys.stderr)
    (build_folder() / f"differs-{content(result['aiger'])}.json").write_text(json.dumps(list(found.values()), indent=1) + "\n")
    return set(found)


def mutation_of(mutant):
    return {"site": mutant["site"], "control": mutant["control"], "mode": re.search(r"-mode (\S+)", mutant["change"])[1]}


# ---- the list -----------------------------------------------------------------------------------

def place(change):
    """FILE:LINE of a mutation, the innermost the list has, or its cell."""
    sources = re.findall(r"-src (\S+?):(\d+)\.", change)
    own = [f"{f}:{n}" for f, n in sources if n != "0"]
    return own[-2] if len(own) > 1 else own[0] if own else re.search(r"-cell (\S+)", change)[1]


def ranges(numbers):
    """`1-4 7 9-10`"""
    text, numbers = [], sorted(numbers)
    for i, n in enumerate(numbers):
        if i and n == numbers[i - 1] + 1:
            text[-1] = f"{text[-1].split('-')[0]}-{n}"
        else:
            text.append(str(n))
    return " ".join(text)


def parts(path):
    """{title of a configuration: its lines} of a list."""
    found = {}
    for line in path.read_text().splitlines():
        if not line.startswith(" "):
            title, rest = line.split(": ", 1)
            found[title] = [rest]
        else:
            found[title].append(line)
    return found


def account(block, most, values, args, out):
    """Runs one configuration and writes its part of the list; whether it is good."""
    result = lockstep(block, most, values, args.cycles)
    outcomes = ["found" if m["found"] else "unresolved" for m in result["mutants"]]
    left = [i for i, outcome in enumerate(outcomes) if outcome == "unresolved"]
    few, searched, accepted = len(left) <= FEW * len(outcomes), "", False
    if args.search or not few:
        wanted = range(len(left)) if args.search else drawn(range(len(left)), content(result["aiger"]))
        states = args.search or STATES
        differ = search_all(block, values, result, describe(block, values), [result["mutants"][i] for i in left], states, wanted)
        if differ is not None:
            searched = f"inputs searched for {len(wanted)} of {len(left)} unresolved, from {states} states: {len(differ)} differ"
            accepted = len(wanted) >= min(DRAWN, len(left)) and states >= STATES
        for i in differ or ():
            outcomes[left[i]] = "differs"
    write_part(out, block, values, result, outcomes, searched)
    return (few or accepted) and "differs" not in outcomes


def drawn(which, seed):
    """DRAWN of them at random, the same ones for the same netlist."""
    return sorted(random.Random(seed).sample(which, min(DRAWN, len(which))))


def write_part(out, block, values, result, outcomes, searched):
    """A configuration's part of the list."""
    count = collections.Counter(outcomes)
    out.write(f"{block} {text_of(values)}: {len(outcomes)} mutants of {result['all'] - result['change_nothing']} "
              f"({result['change_nothing']} more change nothing), netlist {content(result['aiger'])}\n")
    for outcome in ("found", "differs", "unresolved"):
        share = 100 * count[outcome] / max(1, len(outcomes))
        out.write(f"  {outcome:11} {count[outcome]:7} {share:6.2f} %\n")
    if searched:
        out.write(f"  {searched}\n")
    for outcome in ("differs", "unresolved"):
        classes = collections.defaultdict(list)
        for m, said in zip(result["mutants"], outcomes):
            if said == outcome:
                classes[place(m["change"])].append(m)
        for where, members in sorted(classes.items(), key=lambda c: (-len(c[1]), c[0])):
            what = collections.Counter(re.search(r"-mode (\S+)", m["change"])[1] for m in members)
            out.write(f"  {outcome} {where}: {len(members)} (" + ", ".join(f"{k} {v}" for k, v in sorted(what.items()))
                      + "), numbers " + ranges(m["number"] for m in members) + "\n")
    out.flush()


def parameter(text):
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"got {text!r}, expected NAME=VALUE, one of `simtgen describe BLOCK`")
    return name, value


def main():
    p = argparse.ArgumentParser(description="Accounts for every mutation of a block's RTL.")
    p.add_argument("block")
    p.add_argument("--output", type=Path, help="the list (default synth_reports/BLOCK_mutants.txt)")
    p.add_argument("--sample", type=int, help="so many of each configuration, at most")
    p.add_argument("--cycles", type=int, help="of the longest run (default 400000)")
    p.add_argument("--search", type=int, default=0, metavar="STATES", help="look for inputs that show any of what is unresolved")
    p.add_argument("--param", action="append", type=parameter, metavar="NAME=VALUE", help="this configuration alone")
    args = p.parse_args()
    if args.search < 0:
        p.error(f"argument --search: got {args.search}, expected a number of states, 0 for none")
    if not mutant_search:
        in_venv("pysat")
    todo = configurations(args.block)
    if args.param:
        todo = [(args.sample, dict(args.param))]
    path = args.output or ROOT / "synth_reports" / f"{args.block}_mutants.txt"
    good = True
    with open(f"{path}.new", "w", encoding="utf-8") as out:
        for most, values in todo:
            most = min(most or args.sample, args.sample) if args.sample else most
            good &= account(args.block, most, values, args, out)
    os.replace(f"{path}.new", path)
    print(path.read_text(), end="")
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as e:
        print(f"simtgen: mutants: {e}", file=sys.stderr)
        sys.exit(2)
