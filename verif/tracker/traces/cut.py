#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts warps out of a memory trace: cut.py IN.mem.gz OUT.mem.gz FIRST COUNT [ACCESSES]

Warps FIRST .. FIRST + COUNT - 1, renumbered from 0; with ACCESSES at most that many accesses of each, its first
ones. The same input gives the same bytes.
"""
import gzip
import sys

source, target, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
most = int(sys.argv[5]) if len(sys.argv) > 5 else None
headers, window, warp, seen = [], [], -1, 0
with gzip.open(source, "rt") as lines:
    for line in lines:
        if line.startswith("#"):
            headers.append(line)
            continue
        if line.startswith("W "):
            warp, seen = warp + 1, 0
            line = f"W {warp - first} {line.split()[2]}\n"
        elif most is not None and seen >= most:
            continue
        else:
            seen += 1
        if first <= warp < first + count:
            window.append(line)
headers.append(f"# excerpt: warps {first}..{first + count - 1} of {source.rsplit('/', 1)[-1]}"
               + (f", the first {most} accesses of each" if most is not None else "")
               + "; the counts in the lines above are those of the whole trace\n")
with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
    out.write("".join(headers + window).encode())
