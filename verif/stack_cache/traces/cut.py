#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts a window out of a stack trace: cut.py IN.stk.gz OUT.stk.gz FIRST COUNT [KEEP]

Operations FIRST .. FIRST + COUNT - 1 (from 0, in the order of the file). Entries that lie on the stacks at
the window's start are pushed first, thread by thread, lowest entry first, so that the window is a trace of
its own. With KEEP, of the entries that the window never pops only the upper KEEP of each stack are pushed.
The same input gives the same bytes.
"""
import gzip
import sys

source, target, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
headers, before, window = [], {}, []
number = 0
with gzip.open(source, "rt") as lines:
    for line in lines:
        if line.startswith("#"):
            headers.append(line)
            continue
        if number >= first + count:
            break
        if number >= first:
            window.append(line)
        else:
            thread, kind, value = line.split()
            stack = before.setdefault(int(thread), [])
            stack.append(value) if kind == "+" else stack.pop()
        number += 1
if len(sys.argv) > 5:
    depth = {t: len(stack) for t, stack in before.items()}
    lowest = dict(depth)
    for line in window:
        thread, kind, _ = line.split()
        t = int(thread)
        depth[t] = depth.get(t, 0) + (1 if kind == "+" else -1)
        lowest[t] = min(lowest.get(t, 0), depth[t])
    before = {t: stack[max(0, lowest[t] - int(sys.argv[5])):] for t, stack in before.items()}
start = [f"{t} + {v}\n" for t in sorted(before) for v in before[t]]
headers.append(f"# excerpt: operations {first}..{first + len(window) - 1} of {source.rsplit('/', 1)[-1]}"
               + (f", after {len(start)} pushes of the entries that lay on the stacks then" if start else "")
               + (f" (of those never popped, the upper {sys.argv[5]} of each)" if len(sys.argv) > 5 else "")
               + "; the counts in the lines above are those of the whole trace\n")
with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
    out.write("".join(headers + start + window).encode())
