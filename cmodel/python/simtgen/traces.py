# SPDX-License-Identifier: Apache-2.0
"""Traces of stack operations and of constants (docs/trace_formats.md), read and written as numpy arrays."""
from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np

from .errors import Error

STACK = np.dtype([("thread", np.uint32), ("push", np.bool_), ("value", np.uint64)])
CONSTANTS = np.dtype([("draw", np.bool_), ("first", np.uint64), ("second", np.uint64), ("third", np.uint64)])


class TraceError(Error, ValueError):
    """A line of a trace that is wrong: file, line, what was expected."""


def _lines(path):
    raw = Path(path).read_bytes()
    try:
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("ascii")
    except (OSError, EOFError, UnicodeDecodeError) as e:
        raise TraceError(f"{path}: {e}; expected text, plain or gzip") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.split()


def _write(path, lines):
    text = ("\n".join(lines) + "\n").encode("ascii")
    data = gzip.compress(text, mtime=0) if str(path).endswith(".gz") else text
    new = f"{path}.new"
    Path(new).write_bytes(data)
    os.replace(new, path)  # whole or not at all


def read_stack(path: str | os.PathLike) -> np.ndarray:
    """A *.stk or *.stk.gz: an array of STACK, (thread, push, value), in order. Each pop names the value on top."""
    rows, stacks = [], {}
    for number, words in _lines(path):
        try:
            thread, sign, value = int(words[0]), words[1], int(words[2], 16)
            if len(words) != 3 or sign not in "+-" or thread < 0 or value >> 64:
                raise ValueError
        except (ValueError, IndexError):
            raise TraceError(f"{path}:{number}: got {' '.join(words)!r}, expected THREAD + or - VALUE") from None
        stack = stacks.setdefault(thread, [])
        if sign == "+":
            stack.append(value)
        elif not stack or stack.pop() != value:
            raise TraceError(f"{path}:{number}: value popped: got {value:x}, expected the top of thread {thread}")
        rows.append((thread, sign == "+", value))
    return np.array(rows, STACK)


def write_stack(path: str | os.PathLike, operations: np.ndarray) -> None:
    """An array of STACK as a trace that `simtgen sim` takes; compressed when the name ends with .gz."""
    if operations.dtype != STACK or operations.ndim != 1:
        raise TraceError(f"{path}: got an array of {operations.dtype}, expected {STACK}")
    _write(path, (f"{t} {'+' if push else '-'} {value:x}" for t, push, value in operations.tolist()))


def read_constants(path: str | os.PathLike) -> np.ndarray:
    """A *.cst or *.cst.gz: an array of CONSTANTS: for a write (False, address, value, 0), for a draw (True, vertices, first,
    last word)."""
    rows = []
    for number, words in _lines(path):
        try:
            if words[0] == "C" and len(words) == 3:
                rows.append((False, int(words[1]), int(words[2], 16), 0))
            elif words[0] == "W" and len(words) == 4:
                rows.append((True, *map(int, words[1:])))
            else:
                raise ValueError
        except ValueError:
            raise TraceError(f"{path}:{number}: got {' '.join(words)!r}, expected C ADDRESS VALUE or W VERTICES FIRST LAST") from None
    return np.array(rows, CONSTANTS)


def write_constants(path: str | os.PathLike, stream: np.ndarray) -> None:
    """As write_stack, of an array of CONSTANTS."""
    if stream.dtype != CONSTANTS or stream.ndim != 1:
        raise TraceError(f"{path}: got an array of {stream.dtype}, expected {CONSTANTS}")
    _write(path, (f"W {a} {b} {c}" if draw else f"C {a} {b:x}" for draw, a, b, c in stream.tolist()))
