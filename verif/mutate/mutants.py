#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accounts for every mutation of a block's RTL: `make mutants BLOCK=NAME`.

verif/BLOCK/mutants.txt lists `all NAME=VALUE ...` (every mutation of that configuration) and `N NAME=VALUE ...` (a
sample of N). `simtgen check --mutants` runs them in lockstep. Of what it does not find, mutant_facts.py,
mutant_relation.py and mutant_windows.py show what cannot differ, but where the line says `lockstep` behind its number: a
design for which these do not settle. The rest may go to yosys-abc (--seconds), beside the design as it is, under the
same inputs, from any state with a cycle of reset, payloads compared where their valid is 1.
The outcome of a mutant is one of

    found        an output differs in lockstep
    equivalent   no output can differ: proved
    differs      an output can differ (the proof or --search found how), and lockstep did not see it
    unresolved   no proof in the time given

A configuration is good when none of its mutants is shown to differ and at most 1.5 % are unresolved, with --accept also when
inputs are searched for 60 of these, drawn at random, and none differs. Else the exit status is 1.

Proofs are kept in B/mutants/ by their gates. The list goes to synth_reports/BLOCK_mutants.txt, each
remaining mutant with its place in the source, in classes by cell and line.
"""
import argparse
import collections
import hashlib
import json
import multiprocessing
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from mutant_proof import Netlist  # noqa: E402
from testlib import ROOT, Problem, block_names, describe, in_venv, options, program, text_of  # noqa: E402

try:
    import mutant_facts
    import mutant_relation
    import mutant_search
    import mutant_windows
except ImportError:
    mutant_facts = None  # main() looks for python-sat elsewhere

ABC = os.environ.get("SIMTGEN_YOSYS_ABC", "yosys-abc")
MEMORY = 8 << 30
LOOK = "bmc3 -a -F 64 -T {s}"  # first: what differs soon shows in seconds, where the proof's reductions take minutes
PROVE = "strash; scorr; dc2; scorr -F 2; write_aiger less.aig; pdr -a -H {ms}"
FEW = 0.015  # of all may be left
DRAWN, STATES = 60, 40  # of what is left, and the states from which --accept searches
SEARCHED = 4096  # bits of the largest memory of a design for which inputs are searched
AGAIN = 200  # cycles of a run where the list says what is found
BATCH = 16  # mutants of one proof: what holds of the design is found once


def configurations(block):
    """[(how many or None for all, {NAME: VALUE}, in lockstep alone)] of verif/BLOCK/mutants.txt."""
    path = ROOT / "verif" / block / "mutants.txt"
    if not path.exists():
        raise Problem(f"verif/{block}/mutants.txt: missing; list `all NAME=VALUE ...` and `1000 NAME=VALUE ...`")
    found = []
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            alone = words[1:2] == ["lockstep"]
            values = [w.split("=", 1) for w in words[1 + alone:]]
            if not re.fullmatch(r"all|[1-9]\d*", words[0]) or any(len(v) < 2 for v in values):
                raise Problem(f"verif/{block}/mutants.txt: got `{line}`, expected `all|NUMBER [lockstep] NAME=VALUE ...`")
            found.append((None if words[0] == "all" else int(words[0]), dict(values), alone))
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


# ---- proofs -------------------------------------------------------------------------------------

def limited(command, cwd, seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds, preexec_fn=limit).stdout
    except subprocess.TimeoutExpired:
        return ""


def build_folder():
    folder = Path(os.environ.get("B", "build")) / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def content(*parts):
    """A name for what it is made from."""
    return hashlib.sha256(b"\0".join(p if isinstance(p, bytes) else p.encode() for p in parts)).hexdigest()[:24]


def outputs_that_are_0(path):
    """Indices of the outputs of an AIGER file that are constant 0."""
    head, rest = path.read_bytes().split(b"\n", 1)
    latches, outputs = map(int, head.split()[3:5])
    return {i for i, line in enumerate(rest.split(b"\n", latches + outputs)[latches:latches + outputs]) if line == b"0"}


def prove(miter, count, seconds):
    """equivalent, differs or unresolved, for each of the outputs."""
    kept = build_folder() / content(miter, LOOK.format(s=seconds) + PROVE.format(ms=1000 * seconds))
    if kept.exists():
        return kept.read_text().split()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "miter.aig").write_bytes(miter)
        said = limited([ABC, "-c", f"read_aiger miter.aig; {LOOK.format(s=seconds)}"], folder, 60 + 2 * seconds)
        soon = asserted(said or "")
        if len(soon) == count:
            kept.write_text("differs " * count + "\n")
            return ["differs"] * count
        said = limited([ABC, "-c", f"read_aiger miter.aig; {PROVE.format(ms=1000 * seconds)}"], folder,
                       300 + 2 * count * seconds)
        if not said:
            return ["differs" if i in soon else "unresolved" for i in range(count)]
        result = judge(said, count, outputs_that_are_0(Path(folder) / "less.aig"))
        if any(result[i] == "equivalent" for i in soon):
            raise Problem("yosys-abc says of one mutant both that it differs and that it does not")
        result = ["differs" if i in soon else result[i] for i in range(count)]
    kept.write_text(" ".join(result) + "\n")
    return result


def asserted(said):
    return set(map(int, re.findall(r"Output +(\d+) was asserted", said)))


def judge(said, count, zero):
    """From what pdr says of each output that it does not prove."""
    differs = asserted(said)
    late = set(map(int, re.findall(r"Timing out on output +(\d+)", said)))
    proved = re.search(r"Proved = +(\d+)\.", said)
    sure = proved and int(proved[1]) == count - len(differs | late)
    return ["equivalent" if i in zero else "differs" if i in differs else "equivalent" if sure and i not in late else
            "unresolved" for i in range(count)]


def prove_batch(mutations):
    said = prove(netlist.miter(mutations), len(mutations), seconds_each)
    return ["unresolved" if x == "differs" else x for x in said] if netlist.cut else said


def shown(kind, prover, mutations):
    """Those that a prover shows to be equivalent; kept, so that a run that was ended goes on from there."""
    kept = build_folder() / f"{kind}-{content(netlist_name, json.dumps(mutations))}"
    if not kept.exists():
        said = ["equivalent" if prover.equivalent(mutation) else "unresolved" for mutation in mutations]
        kept.write_text(" ".join(said) + "\n")
    return kept.read_text().split()


def same_batch(mutations):
    return shown("same", windows, mutations)


def show_batch(mutations):
    return shown("shown", mutant_facts.Prover(netlist, system, claims), mutations)


def in_batches(work, todo, size, jobs, what):
    """What `work` says of each mutation of a list, in processes of their own."""
    batches, said = [todo[i:i + size] for i in range(0, len(todo), size)], []
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for done, outcome in enumerate(pool.imap(work, batches)):
            said += outcome
            print(f"\r{what}: {done + 1} of {len(batches)} batches", end="", file=sys.stderr, flush=True)
    print("\r\033[K", end="", file=sys.stderr)
    return said


def kept_facts():
    """The facts of the netlist, from B/mutants when they are known."""
    kept = build_folder() / f"facts-{netlist_name}"
    if not kept.exists():
        found = mutant_facts.facts(system)
        kept.write_text(json.dumps(found))
    return [tuple(c) for c in json.loads(kept.read_text())]


def kept_relation():
    """The conditions of the registers of the netlist, from B/mutants when they are known."""
    kept = build_folder() / f"relation-{netlist_name}"
    found = mutant_relation.Relation(netlist, system, claims, json.loads(kept.read_text()) if kept.exists() else None)
    kept.write_text(json.dumps(list(found.free.values())))
    return found


def prove_all(result, description, left, args):
    """The outcome of each mutant that is left; those that are the same are proved once, neighbours side by side. First by
    the facts and conditions, the others by claims and yosys-abc."""
    global netlist, netlist_name, system, claims, windows, seconds_each  # for the processes
    netlist, seconds_each = Netlist(result, description), args.seconds
    system = mutant_facts.System(netlist)
    netlist_name = content(result["aiger"], str((mutant_facts.METHOD, mutant_relation.METHOD, mutant_windows.METHOD)))
    claims = kept_facts()
    windows = mutant_windows.Windows(kept_relation())
    same, said = {}, {((), ()): "equivalent"}
    keys = [netlist.one_step(mutation_of(m)) for m in left]
    for key, m in zip(keys, left):
        same.setdefault(key, mutation_of(m))
    for work, size, wanted in ((same_batch, mutant_windows.Windows.ENOUGH, True),
                               (show_batch, mutant_facts.Prover.ENOUGH, not args.quick),
                               (prove_batch, BATCH, args.seconds)):
        todo = [key for key in same if said.get(key, "unresolved") == "unresolved"]
        if wanted:
            said.update(zip(todo, in_batches(work, [same[key] for key in todo], size, args.jobs, work.__name__)))
    return [said[key] for key in keys]


def search_all(block, values, result, description, left, said, states, wanted):
    """Those of the wanted unresolved that a search finds to differ; B/mutants/differs-NETLIST.json has run, cycle and inputs.
    Without a result where the netlist has a memory that is cut out."""
    design, found = Netlist(result, description, SEARCHED), {}
    if design.cut:
        print(f"search: not of {block} {text_of(values)}: it has a memory of more than {SEARCHED} bits", file=sys.stderr)
        return None
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
    return ["differs" if i in found else x for i, x in enumerate(said)]


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


def numbers_of(line):
    """The numbers of a line of the list."""
    for word in line.partition(", numbers ")[2].split():
        first, _, last = word.partition("-")
        yield from range(int(first), int(last or first) + 1)


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


def listed(block, values, netlist, count):
    """{number: outcome} of what the block's list has of so many mutants of a netlist, but what was found."""
    path, title = ROOT / "synth_reports" / f"{block}_mutants.txt", f"{block} {text_of(values)}"
    lines = parts(path).get(title) if path.exists() else None
    if not lines or not lines[0].endswith(netlist) or int(lines[0].split()[0]) != count:
        raise Problem(f"{path}: --again wants a part `{title}` with {count} mutants of netlist {netlist}: run without --again")
    return {n: line.split()[0] for line in lines[1:] for n in numbers_of(line)}


def account(block, most, values, alone, args, out):
    """Runs one configuration and writes its part of the list; whether it is good."""
    result = lockstep(block, most, values, args.cycles or (AGAIN if args.again else None))
    description = describe(block, values)
    kept = listed(block, values, content(result["aiger"]), len(result["mutants"])) if args.again else {}
    outcomes = ["found" if m["found"] or (args.again and m["number"] not in kept) else kept.get(m["number"], "unresolved")
                for m in result["mutants"]]
    left = [i for i, outcome in enumerate(outcomes) if outcome == "unresolved"]
    mutants = [result["mutants"][i] for i in left]
    proofs = ["unresolved"] * len(left) if alone or args.lockstep else prove_all(result, description, mutants, args)
    open_ones = [i for i, proof in enumerate(proofs) if proof == "unresolved"]
    few, searched, accepted = len(open_ones) <= FEW * len(outcomes), "", False
    if args.search or (args.accept and not few):
        wanted = open_ones if args.search else drawn(open_ones, content(result["aiger"]))
        states = args.search or STATES
        after = search_all(block, values, result, description, mutants, proofs, states, wanted)
        differ = sum(x == "differs" for x in after or [])
        if after:
            proofs = after
            searched = f"inputs searched for {len(wanted)} of {len(open_ones)} unresolved, from {states} states: {differ} differ"
            accepted = len(wanted) >= min(DRAWN, len(open_ones)) and states >= STATES
    for i, proof in zip(left, proofs):
        outcomes[i] = proof
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
    for outcome in ("found", "equivalent", "differs", "unresolved"):
        share = 100 * count[outcome] / max(1, len(outcomes))
        out.write(f"  {outcome:11} {count[outcome]:7} {share:6.2f} %\n")
    if searched:
        out.write(f"  {searched}\n")
    for outcome in ("differs", "unresolved", "equivalent"):
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
    p.add_argument("--seconds", type=int, default=0, help="for each proof by yosys-abc (default 0: none)")
    p.add_argument("--quick", action="store_true", help="no claims about single mutants: seconds for each")
    p.add_argument("--lockstep", action="store_true", help="no proofs: what lockstep does not find is unresolved")
    p.add_argument("--search", type=int, default=0, metavar="STATES", help="look for inputs that show what is unresolved")
    p.add_argument("--accept", action="store_true", help=f"where more than {100 * FEW:g} %% is left: search for {DRAWN} of it")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--again", action="store_true", help="what the list has as unresolved alone, the rest as it is there")
    p.add_argument("--param", action="append", type=parameter, metavar="NAME=VALUE", help="this configuration alone")
    args = p.parse_args()
    if args.search < 0:
        p.error(f"argument --search: got {args.search}, expected a number of states, 0 for none")
    if not mutant_facts:
        in_venv("pysat")
    todo = configurations(args.block)
    if args.param:
        todo = [(args.sample, dict(args.param), args.lockstep)]
    path = args.output or ROOT / "synth_reports" / f"{args.block}_mutants.txt"
    good = True
    with open(f"{path}.new", "w", encoding="utf-8") as out:
        for most, values, alone in todo:
            most = min(most or args.sample, args.sample) if args.sample else most
            good &= account(args.block, most, values, alone, args, out)
    os.replace(f"{path}.new", path)
    print(path.read_text(), end="")
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as e:
        print(f"simtgen: mutants: {e}", file=sys.stderr)
        sys.exit(2)
