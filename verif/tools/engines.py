#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Four engines over the grid of a block: each runs the same seed against the C model, so that they agree.

    engines.py BLOCK [--few] [--cycles N] [--seed S] [--engine NAME...]

prints a line per configuration and engine. --few: three small configurations of verif/BLOCK/grid.txt, one netlist; in a test
script that rotates, one of the three.
The engines: Verilator, optimised and not, Icarus (four-state: an X on an output is a difference), and the
netlists after synthesis, in Verilator.
"""
import argparse
import subprocess
import sys

from testlib import Problem, describe, finish, grid, is_kept, its_turn, later, options, program, report, text_of

ENGINES = {
    "verilator": (), "verilator-O0": ("--engine", "verilator-O0"), "icarus": ("--engine", "icarus"),
    "netlist synth": ("--netlist", "synth"), "netlist ice40": ("--netlist", "ice40"),
    "netlist ecp5": ("--netlist", "ecp5")}
FEW_ENGINES = list(ENGINES)[:4]


def chosen(block, few):
    """All configurations, or three small ones (of a block that joins others, one): a grid begins with the default
    and goes from small to large."""
    configurations = grid(block)[0]
    if not few:
        return configurations
    return configurations[1:2] if describe(block).get("uses") else configurations[1:7:2]


def run(block, values, engine, cycles, seed, timeout):
    """"" when the engine agrees with the model, or what went wrong."""
    command = [program(), "check", block, *options(values), *ENGINES[engine], "-q", "--cycles", str(cycles),
               "--seed", str(seed)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"no end after {timeout} s: {' '.join(command)}"
    if done.returncode == 0 and done.stdout == "PASS\n":
        return ""
    return (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"


def main():
    p = argparse.ArgumentParser(description="Four engines over the grid of a block.")
    p.add_argument("block")
    p.add_argument("--few", action="store_true", help="three configurations, one netlist")
    p.add_argument("--cycles", type=int, default=20000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--timeout", type=int, default=1800, help="seconds for each")
    p.add_argument("--engine", action="append", choices=list(ENGINES), help="only these")
    p.add_argument("--ids", default="", help="requirements that the lines show")
    args = p.parse_args()
    configurations = chosen(args.block, args.few)
    for place, values in enumerate(configurations):
        for engine in args.engine or (FEW_ENGINES if args.few else ENGINES):
            name = f"{args.block} in {engine}: {text_of(values)}"
            if len(configurations) > 1 and not its_turn(place):
                later(name, args.ids)
            elif not is_kept(name, args.ids):
                report(name, run(args.block, values, engine, args.cycles, args.seed, args.timeout), args.ids)


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        print(f"simtgen: engines: {e}", file=sys.stderr)
        sys.exit(2)
    finish()
