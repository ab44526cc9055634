# SPDX-License-Identifier: Apache-2.0
"""The transaction levels: a call is an operation, the answer says how many cycles it took. Time goes on by these alone.

Each class is the C header of its block (docs/libsimt.md) in Python. Keyword arguments are parameters of the configuration.
A status that is no error of the caller is part of the answer; an argument that the configuration cannot take raises ValueError.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import _models
from .errors import of_diag
from .model import simtgen_visit  # noqa: F401  (its callback is used here)

ffi, lib = _models.ffi, _models.lib


class Memory:
    """Remote memory of a block: words by byte address, 0 where nothing was written; `latency` cycles from a request to its
    answer, a number or a function of (cycle, address, write). Subclass it for another one: `read(address, size)` gives
    bytes, `write(address, data)` takes them, and an exception in either marks the access as failed."""

    def __init__(self, latency: int | Callable[[int, int, bool], int] = 200):
        self.latency, self.bytes = latency, {}

    def read(self, address: int, size: int) -> bytes:
        return self.bytes.get(address, bytes(size))

    def write(self, address: int, data: bytes) -> None:
        self.bytes[address] = data


@ffi.def_extern(error=3)
def simtgen_read(ctx, addr, data, size):
    try:
        ffi.memmove(data, ffi.from_handle(ctx).read(addr, size), size)
    except Exception:  # whatever it is: the block sees a failed access
        return 1
    return 0


@ffi.def_extern(error=3)
def simtgen_write(ctx, addr, data, size):
    try:
        ffi.from_handle(ctx).write(addr, bytes(ffi.buffer(data, size)))
    except Exception:
        return 1
    return 0


@ffi.def_extern(error=1)
def simtgen_latency(ctx, cycle, addr, write):
    return ffi.from_handle(ctx).latency(cycle, addr, bool(write))


@ffi.def_extern(error=1)
def simtgen_sector_latency(ctx, cycle, sector):
    return ffi.from_handle(ctx)(cycle, sector.bank, sector.dslot, sector.sectors)


@dataclass(frozen=True)
class Result:
    """`status` by name ("ok", "overflow", ...), `cycles` by which time has gone on, and what the operation gives."""
    status: str
    cycles: int
    value: Any = None
    wait: int = 0   # of the cycles, those in which it was presented and not taken


class _Level:
    """What all levels share: life, time, registers, statistics. `_name` is the block, `_c` the C object."""
    _name = ""

    def _params(self, parameters):
        self._kept = [ffi.new("char[]", f"{n}={v}".encode()) for n, v in parameters.items()]
        return ffi.new("char *[]", [*self._kept, ffi.NULL])

    def _remote(self, memory):
        remote, handle = ffi.new("struct simt_remote *"), ffi.new_handle(memory)
        self._memory, self._handle = memory, handle
        remote.read, remote.write, remote.ctx = lib.simtgen_read, lib.simtgen_write, handle
        if callable(memory.latency):
            remote.latency = lib.simtgen_latency
        else:
            remote.cycles = memory.latency
        return remote

    def _own(self, c, diag):
        if c == ffi.NULL:
            raise of_diag(ffi, diag)
        self._c = ffi.gc(c, getattr(lib, f"{self._name}_destroy"))

    def _call(self, function, *arguments):
        try:
            return getattr(lib, f"{self._name}_{function}")(self._c, *arguments)
        except OverflowError as e:
            raise ValueError(f"{self._name}.{function}: {e}") from None

    def _status(self, kind, number):
        """The name of a status, in lower case, without the block's prefix."""
        names = ffi.typeof(f"enum {self._name}_{kind}").elements
        return names[number].removeprefix(self._name.upper() + "_").lower()

    def advance(self, cycles: int) -> None:
        """So many cycles without an operation."""
        self._call("advance", cycles)

    @property
    def cycle(self) -> int:
        """Cycles since creation."""
        return self._call("cycle")

    def read_register(self, address: int) -> int:
        """A register of `simtgen describe`; takes a few cycles. Raises ValueError when the access is refused."""
        data = ffi.new("uint32_t *")
        if not self._call("read_register", address, data):
            raise ValueError(f"register {address:#x}: a read is refused")
        return data[0]

    def write_register(self, address: int, value: int) -> None:
        """As read_register."""
        if not self._call("write_register", address, value):
            raise ValueError(f"register {address:#x}: a write of {value:#x} is refused")

    @property
    def statistics(self) -> dict[str, int]:
        """Counts since creation by name, in a fixed order."""
        found: dict[str, int] = {}
        self._call("stats", lib.simtgen_visit, ffi.new_handle(found))
        return found


class StackCache(_Level):
    """Stacks of many threads: `StackCache(THREADS=32).push(3, 0x55d0)`. Statuses: cmodel/stack_cache/stack_cache.h."""
    _name = "stack_cache"

    def __init__(self, memory: Memory | None = None, **parameters: Any):
        diag = ffi.new("struct simt_diag *")
        self._own(lib.stack_cache_create(self._params(parameters), self._remote(memory or Memory()), diag), diag)
        self._words = lib.STACK_CACHE_MAX_WORDS

    def _value(self, value):
        if not 0 <= value < 1 << 32 * self._words:
            raise ValueError(f"value: got {value}, expected 0 to 2^{32 * self._words} - 1")
        return ffi.from_buffer("uint32_t *", value.to_bytes(4 * self._words, "little"))

    def _done(self, r, words=None):
        status = self._status("status", r.status)
        value = int.from_bytes(ffi.buffer(words), "little") if words is not None and status == "ok" else None
        return Result(status, r.cycles, value, r.wait)

    def push(self, thread: int, value: int) -> Result:
        return self._done(self._call("push", thread, self._value(value)))

    def pop(self, thread: int) -> Result:
        words = ffi.new("uint32_t[]", self._words)
        return self._done(self._call("pop", thread, words), words)

    def peek(self, thread: int) -> Result:
        words = ffi.new("uint32_t[]", self._words)
        return self._done(self._call("peek", thread, words), words)

    def replace(self, thread: int, value: int) -> Result:
        return self._done(self._call("replace", thread, self._value(value)))

    def init(self, thread: int) -> Result:
        """Empties the thread's stack."""
        return self._done(self._call("init", thread))


@dataclass(frozen=True)
class Done:
    """A packet that has left: `path` is "fast", "main" or "texture"; a state packet has `state` and its payload alone."""
    path: str
    state: bool
    payload: int
    cycle: int
    cls: str
    warp: int
    end: bool


class Tracker(_Level):
    """Wavefronts of a streaming L1. `latency(cycle, bank, dslot, sector)` gives the cycles until a sector is there, or 0
    when `fill` says so. A line is (bank, data slot, sectors)."""
    _name = "tracker"
    CLASSES = {"local_global": 0, "texture": 1, "ray": 2}

    def __init__(self, latency: Callable[[int, int, int, int], int] = lambda *_: 200, **parameters: Any):
        diag, memory = ffi.new("struct simt_diag *"), ffi.new("struct tracker_memory *")
        self._handle = ffi.new_handle(latency)
        self._latency = latency
        memory.latency, memory.ctx = lib.simtgen_sector_latency, self._handle
        self._own(lib.tracker_create(self._params(parameters), memory, diag), diag)

    def _done(self, r):
        status = self._status("status", r.status)
        if status == "refused":
            status = "refused: " + self._status("refusal", self._call("refusal"))
        return Result(status, r.cycles)

    def track(self, warp: int, lines: list[tuple[int, int, int]], *, cls: str = "local_global", end: bool = True,
              payload: int = 0) -> Result:
        if cls not in self.CLASSES:
            raise ValueError(f"cls: got {cls}, expected one of {', '.join(self.CLASSES)}")
        if len(lines) > lib.TRACKER_MAX_BANKS:
            raise ValueError(f"lines: got {len(lines)}, expected at most {lib.TRACKER_MAX_BANKS}")
        try:
            w = ffi.new("struct tracker_wavefront *", dict(cls=self.CLASSES[cls], warp=warp, end=end, payload=payload,
                                                           n_lines=len(lines), line=[tuple(x) for x in lines]))
        except OverflowError as e:
            raise ValueError(f"tracker.track: {e}") from None
        return self._done(self._call("track", w))

    def fast(self, payload: int) -> Result:
        return self._done(self._call("fast", payload))

    def state(self, payload: int) -> Result:
        return self._done(self._call("state", payload))

    def close(self) -> Result:
        return self._done(self._call("close"))

    def flush_token(self, bank: int, dslot: int) -> Result:
        return self._done(self._call("flush_token", bank, dslot))

    def allocate(self, bank: int, dslot: int) -> Result:
        return self._done(self._call("allocate", bank, dslot))

    def fill(self, bank: int, dslot: int, sector: int) -> Result:
        return self._done(self._call("fill", bank, dslot, sector))

    def next(self) -> Done | None:
        """The next packet that has left; None: none."""
        d = ffi.new("struct tracker_done *")
        if not self._call("next", d):
            return None
        path = ffi.typeof("enum tracker_path").elements[d.path].removeprefix("TRACKER_PATH_").lower()
        return Done(path, bool(d.state), d.payload, d.cycle, [*self.CLASSES][d.cls], d.warp, bool(d.end))

    def free(self) -> tuple[int, int] | None:
        """The next (bank, data slot) that may be allocated again; None: none."""
        bank, dslot = ffi.new("unsigned *"), ffi.new("unsigned *")
        return (bank[0], dslot[0]) if self._call("free", bank, dslot) else None

    def references(self, bank: int, dslot: int) -> int:
        return self._call("references", bank, dslot)


class ConstCache(_Level):
    """Constants in several versions: the stream of writes and work items, and the SMs' reads."""
    _name = "const_cache"

    def __init__(self, memory: Memory | None = None, **parameters: Any):
        diag = ffi.new("struct simt_diag *")
        self._own(lib.const_cache_create(self._params(parameters), self._remote(memory or Memory()), diag), diag)

    def _done(self, r, value=None):
        status = self._status("status", r.status)
        return Result(status, r.cycles, value[0] if value is not None and status == "ok" else None)

    def write(self, address: int, value: int) -> Result:
        return self._done(self._call("write", address, value))

    def write_words(self, address: int, values: list[int]) -> Result:
        wanted = self.words
        if len(values) != wanted:
            raise ValueError(f"values: got {len(values)}, expected WRITE_WORDS = {wanted}")
        return self._done(self._call("write_words", address, ffi.new("uint64_t[]", list(values))))

    @property
    def words(self) -> int:
        """WRITE_WORDS of the configuration."""
        return next((int(ffi.string(p).split(b"=")[1]) for p in self._kept if ffi.string(p).startswith(b"WRITE_WORDS=")), 1)

    def dispatch(self, item: int) -> Result:
        """A work item, until it is given to an SM, which is the answer's value."""
        sm = ffi.new("unsigned *")
        return self._done(self._call("dispatch", item, sm), sm)

    def send(self, item: int) -> Result:
        return self._done(self._call("send", item))

    def given(self) -> tuple[int, int] | None:
        """The next (SM, work item) that was given and not told of; None: none."""
        sm, item = ffi.new("unsigned *"), ffi.new("uint64_t *")
        return (sm[0], item[0]) if self._call("given", sm, item) else None

    def flush(self) -> Result:
        return self._done(self._call("flush"))

    def invalidate(self) -> Result:
        return self._done(self._call("invalidate"))

    def read(self, sm: int, address: int) -> Result:
        value = ffi.new("uint64_t *")
        return self._done(self._call("read", sm, address, value), value)

    def complete(self, sm: int) -> Result:
        return self._done(self._call("complete", sm))


class AtomicMerge(_Level):
    """Caches that merge atomics around an ideal home. Operations and modes by name: "add", "relaxed", ..."""
    _name = "atomic_merge"

    def __init__(self, memory: Memory | None = None, *, caches: int = 1, transport: int = 0, **parameters: Any):
        diag, setup = ffi.new("struct simt_diag *"), ffi.new("struct atomic_merge_setup *")
        params, remote = self._params(parameters), self._remote(memory or Memory())
        setup.params, setup.caches, setup.transport, setup.memory = params, caches, transport, remote
        self._own(lib.atomic_merge_create(setup, diag), diag)

    def _number(self, kind, name):
        names = {v.removeprefix("ATOMIC_MERGE_").lower(): k for k, v in ffi.typeof(f"enum atomic_merge_{kind}").elements.items()}
        if name not in names:
            raise ValueError(f"{kind}: got {name}, expected one of {', '.join(names)}")
        return names[name]

    def execute(self, cache: int, op: str, address: int, data: int = 0, *, mode: str = "return", bytes: int = 4,
                compare: int = 0) -> Result:
        """One request from its presentation to its answer."""
        try:
            r = ffi.new("struct atomic_merge_request *", dict(op=self._number("op", op), mode=self._number("mode", mode),
                                                              bytes=bytes, addr=address, data=data, compare=compare))
        except OverflowError as e:
            raise ValueError(f"atomic_merge.execute: {e}") from None
        got = self._call("execute", cache, r)
        return Result(self._status("status", got.status), got.cycles, got.value)

    def read_register(self, address: int) -> int:
        raise NotImplementedError("atomic_merge has no registers at this level")

    write_register = read_register

    def statistics_of(self, cache: int) -> dict[str, int]:
        """Counts of one cache."""
        found: dict[str, int] = {}
        self._call("stats", cache, lib.simtgen_visit, ffi.new_handle(found))
        return found

    @property
    def statistics(self) -> dict[str, int]:
        return self.statistics_of(0)


class BranchStack(_Level):
    """The branch unit with its stacks: an instruction of a group, where it goes on, and the cycles."""
    _name = "branch_stack"

    def __init__(self, memory: Memory | None = None, **parameters: Any):
        diag = ffi.new("struct simt_diag *")
        self._own(lib.branch_stack_create(self._params(parameters), self._remote(memory or Memory()), diag), diag)

    def execute(self, group: int, kind: str, *, mask: int = 0, target: int = 0, next: int = 0, set_sync: bool = False,
                pop_sync: bool = False) -> Result:
        """The value is (mask, pc) with which the group goes on, or None."""
        kinds = {v.removeprefix("BRANCH_STACK_").lower(): k for k, v in ffi.typeof("enum branch_stack_kind").elements.items()}
        if kind not in kinds:
            raise ValueError(f"kind: got {kind}, expected one of {', '.join(kinds)}")
        words = lib.BRANCH_STACK_MASK_WORDS
        if not 0 <= mask < 1 << 32 * words:
            raise ValueError(f"mask: got {mask:#x}, expected at most {32 * words} lanes")
        try:
            i = ffi.new("struct branch_stack_instruction *",
                        dict(kind=kinds[kind], group=group, set_sync=set_sync, pop_sync=pop_sync, target=target, next=next,
                             mask=[mask >> 32 * n & 0xffffffff for n in range(words)]))
        except OverflowError as e:
            raise ValueError(f"branch_stack.execute: {e}") from None
        r = self._call("execute", i)
        went = (sum(r.mask[n] << 32 * n for n in range(words)), r.pc) if r.go else None
        return Result(self._status("status", r.status), r.cycles, went, r.wait)
