#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accounts for every mutation of a block's RTL: `make mutants BLOCK=NAME`.

verif/BLOCK/mutants.txt lists `all NAME=VALUE ...` (every mutation of that configuration) and `N NAME=VALUE ...` (a
sample of N). `simtgen check --mutants` runs them in lockstep; what it does not find goes to yosys-abc, beside the
design as it is, under the same inputs, from any state with a cycle of reset, payloads compared where
their valid is 1. The outcome of a mutant is one of

    found        an output differs in lockstep
    equivalent   no output can differ: proved
    differs      an output can differ (the proof found how), and lockstep did not see it
    unresolved   no proof in the time given

Proofs are kept in B/mutants/ by their gates. The list goes to synth_reports/BLOCK_mutants.txt, each
remaining mutant with its place in the source, in classes by cell and line.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from fault_proof import Netlist  # noqa: E402
from testlib import ROOT, Problem, describe, options, program, text_of  # noqa: E402

ABC = os.environ.get("SIMTGEN_YOSYS_ABC", "yosys-abc")
MEMORY = 8 << 30
PROVE = "strash; scorr; dc2; scorr -F 2; pdr -T {seconds}"


def configurations(block):
    """[(how many or None for all, {NAME: VALUE})] of verif/BLOCK/mutants.txt."""
    path = ROOT / "verif" / block / "mutants.txt"
    if not path.exists():
        raise Problem(f"verif/{block}/mutants.txt: missing; list `all NAME=VALUE ...` and `1000 NAME=VALUE ...`")
    found = []
    for line in path.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            most = None if words[0] == "all" else int(words[0])
            found.append((most, dict(w.split("=", 1) for w in words[1:])))
    return found


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


def prove(miter, seconds):
    """equivalent, differs or unresolved."""
    if miter is None:
        return "equivalent"
    build = Path(os.environ.get("B", "build")) / "mutants"
    kept = build / hashlib.sha256(miter + PROVE.encode()).hexdigest()[:24]
    if kept.exists() and not kept.read_text().startswith("unresolved"):
        return kept.read_text().strip()
    if kept.exists() and int(kept.read_text().split()[1]) >= seconds:
        return "unresolved"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "miter.aig").write_bytes(miter)
        said = limited([ABC, "-c", f"read_aiger miter.aig; {PROVE.format(seconds=seconds)}"], folder, 60 + 2 * seconds)
    result = "equivalent" if "Property proved" in said else "differs" if "was asserted" in said else "unresolved"
    build.mkdir(parents=True, exist_ok=True)
    kept.write_text(result + (f" {seconds}\n" if result == "unresolved" else "\n"))
    return result


def prove_all(result, description, left, args):
    """The outcome of each mutant that is left; those with the same miter are proved once."""
    netlist = Netlist(result, description)

    def run(m):
        return prove(miters[m], args.seconds)
    miters, of = {}, []
    for m in left:
        miter = netlist.miter(fault_of(m))
        key = hashlib.sha256(miter or b"").digest()
        miters.setdefault(key, miter)
        of.append(key)
    with ThreadPoolExecutor(args.jobs) as pool:
        said = dict(zip(miters, pool.map(run, miters)))
    return [said[key] for key in of]


def fault_of(mutant):
    return {"site": mutant["site"], "control": mutant["control"], "mode": re.search(r"-mode (\S+)", mutant["change"])[1]}


# ---- the list -----------------------------------------------------------------------------------

def place(change):
    """FILE:LINE of a mutation, the innermost the list has, or its cell."""
    sources = re.findall(r"-src (\S+?):(\d+)\.", change)
    own = [f"{f}:{n}" for f, n in sources if n != "0"]
    return own[-2] if len(own) > 1 else own[0] if own else re.search(r"-cell (\S+)", change)[1]


def account(block, most, values, args, out):
    """Runs one configuration and writes its part of the list; {outcome: count}."""
    result = lockstep(block, most, values, args.cycles)
    description = describe(block, values)
    left = [m for m in result["mutants"] if not m["found"]]
    proofs = prove_all(result, description, left, args)
    count = collections.Counter(proofs)
    count["found"] = len(result["mutants"]) - len(left)
    out.write(f"{block} {text_of(values)}: {len(result['mutants'])} mutants of "
              f"{result['all'] - result['change_nothing']} ({result['change_nothing']} more change nothing)\n")
    for outcome in ("found", "equivalent", "differs", "unresolved"):
        share = 100 * count[outcome] / max(1, len(result["mutants"]))
        out.write(f"  {outcome:11} {count[outcome]:7} {share:6.2f} %\n")
    for outcome in ("differs", "unresolved", "equivalent"):
        classes = collections.defaultdict(list)
        for m, proof in zip(left, proofs):
            if proof == outcome:
                classes[place(m["change"])].append(m)
        for where, members in sorted(classes.items(), key=lambda c: (-len(c[1]), c[0])):
            what = collections.Counter(re.search(r"-mode (\S+)", m["change"])[1] for m in members)
            out.write(f"  {outcome} {where}: {len(members)} (" + ", ".join(f"{k} {v}" for k, v in sorted(what.items()))
                      + "), numbers " + " ".join(str(m["number"]) for m in members[:20])
                      + (" ..." if len(members) > 20 else "") + "\n")
    out.flush()
    return count


def main():
    p = argparse.ArgumentParser(description="Accounts for every mutation of a block's RTL.")
    p.add_argument("block")
    p.add_argument("--output", type=Path, help="the list (default synth_reports/BLOCK_mutants.txt)")
    p.add_argument("--sample", type=int, help="so many of each configuration, at most")
    p.add_argument("--cycles", type=int, help="of the longest run (default 100000)")
    p.add_argument("--seconds", type=int, default=3, help="for each proof")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--param", action="append", metavar="NAME=VALUE", help="this configuration alone")
    args = p.parse_args()
    todo = configurations(args.block)
    if args.param:
        todo = [(args.sample, dict(w.split("=", 1) for w in args.param))]
    path = args.output or ROOT / "synth_reports" / f"{args.block}_mutants.txt"
    bad = 0
    with open(f"{path}.new", "w", encoding="utf-8") as out:
        for most, values in todo:
            most = min(most or args.sample, args.sample) if args.sample else most
            count = account(args.block, most, values, args, out)
            allowed = 0 if most is None else sum(count.values()) * 0.005
            bad += count["differs"] + max(0, count["unresolved"] - allowed) > 0
    os.replace(f"{path}.new", path)
    print(path.read_text(), end="")
    return 1 if bad else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as e:
        print(f"simtgen: mutants: {e}", file=sys.stderr)
        sys.exit(2)
