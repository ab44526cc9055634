#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 7200
"""Configurations that nobody chose, in lockstep: parameters and topologies at random, random and directed stimuli.

`random_configs.py [--count N] [--seed S] [--cycles N] [BLOCK ...]`; without --seed a fresh one, which is printed. What the
program refuses is drawn again. A block too large for its time is left out and said. The topology of a run that failed stays in
B/random_configs, so that the command that is printed can be repeated.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from testlib import Problem, block_names, describe, finish, options, program, report, text_of  # noqa: E402

TRIES, SECONDS, MOST_UNITS = 200, 150, 40


def number(rng, p):
    """Often the smallest, the default or the largest, else any size alike; mostly small."""
    low, high = p["min"], p["max"]
    kind = rng.random()
    if kind < 0.3:
        return p["default"] if kind < 0.1 else low if kind < 0.25 else high
    value = low + round((high - low + 1) ** rng.random() ** 1.5) - 1
    return 1 << int(math.log2(max(1, value))) if p["power_of_two"] else value


def topology(rng, path):
    """Units in groups, groups in groups, domains of both kinds; each group within one domain."""
    domains = [f"d{i}" for i in range(rng.randint(1, 3))]
    groups = [{"name": f"g{i}", "domain": rng.choice(domains)} for i in range(rng.randint(0, 4))]
    units, lines = [], ["topology:", "  units:"]
    for i in range(rng.randint(1, 16) if rng.random() < 0.9 else rng.randint(17, MOST_UNITS)):
        group = rng.choice(groups) if groups and rng.random() < 0.5 else None
        unit = {"name": f"u{i}", "domain": group["domain"] if group else rng.choice(domains)}
        if group:
            unit["group"] = group["name"]
        if len(domains) > 1 or rng.random() < 0.5:
            unit["deadlock"] = rng.choice(["p", "q", unit["domain"]])
        if rng.random() < 0.3:
            unit["context"] = rng.randint(1, 8)
        units.append(unit)
    if len(domains) == 1 and rng.random() < 0.5:
        for unit in units:
            del unit["domain"]
    lines += [f"    - {json.dumps(u)}" for u in units]
    used = [g for g in groups if any(u.get("group") == g["name"] for u in units)]
    if used:
        lines.append("  groups:")
        for i, g in enumerate(used):
            outer = [o["name"] for o in used[:i] if o["domain"] == g["domain"]]
            inner = f", in: {rng.choice(outer)}" if outer and rng.random() < 0.4 else ""
            lines.append(f"    - {{name: {g['name']}{inner}}}")
    path.write_text("\n".join(lines) + "\n")


def draw(rng, block, parameters, listing):
    """A configuration that the program takes: its values."""
    for _ in range(TRIES):
        names, values = {p["name"] for p in parameters}, {}
        listed = "UNITS" in names and rng.random() < 0.6
        if listed:
            topology(rng, listing)
            values["topology"] = str(listing)
        for p in parameters:
            if listed and p["name"] in ("UNITS", "GROUP", "DOMAINS") or rng.random() < 0.3:
                continue
            values[p["name"]] = rng.choice(p["choices"]) if "choices" in p else number(rng, p)
        if values.get("UNITS", 0) <= MOST_UNITS and describe(block, values):
            return values
    raise Problem(f"{block}: no configuration in {TRIES} draws")


def run(block, values, seed, cycles):
    """passed, failed or late, and what was said."""
    base = [program(), "check", block, *options(values), "-q"]
    for more in (["--cycles", str(cycles), "--seed", str(seed)], ["--stimulus", "directed"]):
        try:
            done = subprocess.run(base + more, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return "late", ""
        if done.returncode:
            return "failed", f"`{' '.join(base[1:] + more)}`: {(done.stdout + done.stderr)[-600:]}"
    return "passed", ""


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("blocks", nargs="*", metavar="BLOCK")
    p.add_argument("--count", type=int, default=12, help="configurations of each block (default 12)")
    p.add_argument("--cycles", type=int, default=100000, help="of the random run (default 100000)")
    p.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    args = p.parse_args()
    if args.count < 1:
        p.error(f"argument --count: got {args.count}, expected a number of configurations, 1 or more")
    for block in args.blocks:
        if block not in block_names():
            p.error(f"argument BLOCK: got {block}, expected {', '.join(block_names())}")
    folder = Path(os.environ.get("B", "build")) / "random_configs"
    folder.mkdir(parents=True, exist_ok=True)
    for block in args.blocks or block_names():
        rng, parameters, late = random.Random(f"{block} {args.seed}"), describe(block)["parameters"], 0
        for n in range(args.count):
            listing = folder / f"{block}_{args.seed}_{n + 1}.yaml"
            values, seed = draw(rng, block, parameters, listing), rng.randrange(1 << 32)
            end, said = run(block, values, seed, args.cycles)
            if end != "failed":
                listing.unlink(missing_ok=True)
            late += end == "late"
            print(f"{block} {n + 1}: {end}: {text_of(values)}", file=sys.stderr, flush=True)
            if end == "failed":
                report(f"{block} {text_of(values)}", said)
        report(f"{block}: {args.count} configurations at random, seed {args.seed}",
               f"{late} took more than {SECONDS} s" if 2 * late > args.count else "")


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("configurations can be drawn", e)
    finish()
