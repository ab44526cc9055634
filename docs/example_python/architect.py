# SPDX-License-Identifier: Apache-2.0
"""A model in an architect's loop: how many entries does a call stack need on chip?

Sixteen threads call and return, each to a depth that is drawn anew at every turn. For each number of entries the same program runs on the
model of stack_cache, in front of a memory of 200 cycles, and the cycles that an operation takes are printed.

    python architect.py
"""
import random

import simtgen

THREADS, OPERATIONS = 16, 4000


def program(seed):
    """(thread, push or pop), never a pop of an empty stack."""
    rng = random.Random(seed)
    depth, wanted = [0] * THREADS, [rng.randrange(1, 40) for _ in range(THREADS)]
    for i in range(OPERATIONS):
        thread = i % THREADS
        if depth[thread] == wanted[thread]:
            wanted[thread] = rng.choice([d for d in range(40) if d != depth[thread]])
        push = depth[thread] < wanted[thread]
        depth[thread] += 1 if push else -1
        yield thread, push


def cycles_per_operation(entries):
    stacks, shadow = simtgen.StackCache(THREADS=THREADS, ENTRIES=entries), [[] for _ in range(THREADS)]
    for i, (thread, push) in enumerate(program(seed=1)):
        if push:
            stacks.push(thread, i)
            shadow[thread].append(i)
        else:
            assert stacks.pop(thread).value == shadow[thread].pop()
    return stacks.cycle / OPERATIONS


if __name__ == "__main__":
    for entries in (8, 16, 32):
        print(f"{entries:3} entries: {cycles_per_operation(entries):6.2f} cycles an operation")
