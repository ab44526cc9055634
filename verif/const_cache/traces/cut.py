#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts a window out of a stream of constant writes and draws: cut.py IN.cst.gz OUT.cst.gz FIRST COUNT

Records FIRST .. FIRST + COUNT - 1 (from 0, in the order of the file). The words that were written before are
written first, once each with their last value, so that a draw of the window reads what it read in the whole.
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
        elif line.startswith("C"):
            before[int(line.split()[1])] = line
        number += 1
start = [before[a] for a in sorted(before)]
headers.append(f"# excerpt: records {first}..{first + len(window) - 1} of {source.rsplit('/', 1)[-1]}, after "
               f"{len(start)} writes of what was written before; the counts above are those of the whole\n")
with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
    out.write("".join(headers + start + window).encode())
