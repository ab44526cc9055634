# SPDX-License-Identifier: Apache-2.0
"""Lockstep in a cocotb bench: the cycle model beside an instance of the Verilog, compared at every edge of the clock."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

from ._models import ffi, lib
from .errors import LockstepError, of_diag
from .model import Configuration


@ffi.def_extern()
def simtgen_put(ctx, text, size):
    ffi.from_handle(ctx).append(ffi.buffer(text, size)[:])


def _text(write):
    """What a function of C writes to its sink."""
    pieces: list[bytes] = []
    handle = ffi.new_handle(pieces)
    write(ffi.new("struct simt_sink *", {"put": lib.simtgen_put, "ctx": handle})[0])
    return b"".join(pieces).decode()


class Lockstep:
    """Attaches the model of a configuration to an instance: `Lockstep(dut.stack, "stack_cache", ENTRIES=8)`, or with a
    Configuration.

    `dut` is the handle of the generated module (not of a wrapper round it): it must have every port of the configuration, with
    its width, else LockstepError is raised at once. From the first rising edge of the clock with the reset on, every output is
    compared at every edge, a payload while its valid is 1. A difference, or an unknown bit (X, Z) in an input without a valid,
    raises LockstepError in the task, which fails the test; its text names cycle, port and both values. A payload of an input
    that is unknown counts as 0, and is named when an output differs later. The last `keep` cycles are then in the file `wave`
    (by default PATH_mismatch.vcd in the working folder). With `stop=False` faults are logged and counted in `faults`, and the
    next reset starts the model anew.

    Call `finish()` at the end of the test: it fails when nothing was compared.
    """

    def __init__(self, dut: Any, config: str | Configuration, *, keep: int = 200, stop: bool = True,
                 wave: str | Path | None = None, **parameters: Any):
        c = config if isinstance(config, Configuration) else Configuration(config, **parameters)
        diag = ffi.new("struct simt_diag *")
        checker = lib.simt_checker_create(c._c, keep, diag)
        if checker == ffi.NULL:
            raise of_diag(ffi, diag)
        self.configuration = c
        self.faults = 0
        self._checker = ffi.gc(checker, lib.simt_checker_destroy)
        self._stop = stop
        self._dut = dut
        self._wave = Path(wave or re.sub(r"[^\w.-]", "_", dut._path) + "_mismatch.vcd")
        changes = "".join(f" {p}" for p in _changes(c))
        self._what = f"{c.block}{changes} instance {dut._path}".encode()
        self._ports = [(i, self._handle(p), p) for i, p in enumerate(c.ports.values()) if p.name != c.clock]
        d = c._c.desc
        self._in, self._out = bytearray(4 * max(1, d.in_words)), bytearray(4 * max(1, d.out_words))
        self._unknown_bytes = 4 * ((len(c.ports) + 31) // 32)
        self._task = cocotb.start_soon(self._run())

    def _handle(self, p):
        handle = getattr(self._dut, p.name, None)
        if handle is None:
            raise LockstepError(f"{self._dut._path}: no port {p.name}, expected an instance of {self.configuration.block} as generated")
        if len(handle) != p.width:
            raise LockstepError(f"{self._dut._path}.{p.name}: got {len(handle)} bits, expected {p.width}: another configuration?")
        return handle

    @property
    def compared(self) -> int:
        """Cycles compared so far."""
        return int(lib.simt_checker_compared(self._checker))

    async def _run(self):
        edge = RisingEdge(getattr(self._dut, self.configuration.clock))
        while True:
            await edge
            self._cycle()

    def _cycle(self):
        """The ports as they are at the edge, before anything follows it."""
        unknown = 0
        for i, handle, p in self._ports:
            bits = str(handle.value)
            try:
                value = int(bits, 2)
            except ValueError:  # X, Z and their like
                unknown |= 1 << i
                value = int("".join("1" if b in "1H" else "0" for b in bits), 2)
            buffer = self._out if p.direction == "out" else self._in
            buffer[4 * p.word:4 * (p.word + p.words)] = value.to_bytes(4 * p.words, "little")
        found = lib.simt_checker_cycle(self._checker, ffi.from_buffer("uint32_t *", self._in), ffi.from_buffer("uint32_t *", self._out),
                                       ffi.from_buffer("uint32_t *", unknown.to_bytes(self._unknown_bytes, "little")))
        if found > lib.SIMT_CHECKED_SAME:
            self._fault()

    def _fault(self):
        line = _text(lambda sink: lib.simt_checker_say(self._checker, self._what, sink))
        if not self.faults:
            self._wave.write_text(_text(lambda sink: lib.simt_checker_wave(self._checker, sink)), encoding="ascii")
            line += f"; waveform: {self._wave}"
        self.faults += 1
        self._dut._log.error(line)
        if self._stop:
            raise LockstepError(line)

    def finish(self) -> int:
        """Ends the comparison; the cycles compared. Raises LockstepError when there were none, or with stop=False any faults."""
        self._task.cancel()
        if not self.compared:
            raise LockstepError(f"{self._dut._path}: nothing was compared: no edge of {self.configuration.clock} behind one at which "
                                f"{self.configuration.reset} was 1")
        if self.faults:
            raise LockstepError(f"{self._dut._path}: {self.faults} faults in {self.compared} cycles, see the log")
        return self.compared


def _changes(c):
    """NAME=VALUE of what is not at its default."""
    for i in range(c._c.n_params):
        p = c._c.param[i]
        if c._c.value[i] != getattr(p, "def"):
            name = ffi.string(p.name).decode()
            yield f"{name}={c.parameters[name]}"
