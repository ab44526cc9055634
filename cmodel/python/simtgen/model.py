# SPDX-License-Identifier: Apache-2.0
"""The cycle-exact models: a configuration and its model, port by port or over whole arrays."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._models import ffi, lib
from .errors import ConfigurationError, ImageError, PortError, of_diag

version: str = ffi.string(lib.simtgen_version()).decode()


@dataclass(frozen=True)
class Port:
    """A port of the generated module: `direction` is "in" or "out", `width` in bits, `valid` the port that says when
    this payload means something ("": always), `doc` its meaning."""
    name: str
    direction: str
    width: int
    valid: str
    group: str
    doc: str
    word: int   # place in a row of inputs or outputs, in 32-bit words
    words: int


def blocks() -> list[str]:
    """The names of the blocks, as `simtgen list` has them."""
    found, i = [], 0
    while lib.simt_blocks[i] != ffi.NULL:
        found.append(ffi.string(lib.simt_blocks[i].name).decode())
        i += 1
    return found


def _find_block(name):
    block = lib.simt_find_block(name.encode())
    if block == ffi.NULL:
        names = [ffi.new("char[]", n.encode()) for n in blocks()]
        near = lib.simt_nearest(name.encode(), ffi.new("char *[]", [*names, ffi.NULL]))
        hint = f"did you mean {ffi.string(near).decode()}?" if near != ffi.NULL else ""
        raise ConfigurationError("block", name, "one of " + ", ".join(blocks()), hint)
    return block


class Configuration:
    """A resolved configuration of a block: `Configuration("tracker", QUEUES=8)`.

    Values are numbers, or the names of choices as text; those not given have their defaults. `lists` has the records of
    blocks with a topology: `lists={"units": [{"name": "a"}, ...]}`. Raises ConfigurationError with the program's own
    suggestion for a name or value that there is not.

    `ports`, `parameters` and `derived` (values that follow from the parameters) are dictionaries by name. `warning` is
    what the program would warn of, or "".
    """

    def __init__(self, block: str, *, lists: Mapping[str, Iterable[Mapping[str, Any]]] | None = None, **parameters: Any):
        found, diag = _find_block(block), ffi.new("struct simt_diag *")
        c = ffi.new("struct simt_config *")
        lib.simt_config_init(c, found)
        self._c = ffi.gc(c, lib.simt_config_free)
        self.block = block
        for name, value in parameters.items():
            if isinstance(value, bool) or not isinstance(value, (int, str, np.integer)):
                raise ConfigurationError(name, repr(value), "a number, or the name of a choice")
            if not lib.simt_set_param(self._c, name.encode(), str(value).encode(), diag):
                raise of_diag(ffi, diag)
        for name, records in (lists or {}).items():
            for record in records:
                if lib.simt_add_record(self._c, name.encode(), diag) == ffi.NULL:
                    raise of_diag(ffi, diag)
                for column, value in record.items():
                    if lib.simt_set_cell(self._c, name.encode(), column.encode(), str(value).encode(), diag) == ffi.NULL:
                        raise of_diag(ffi, diag)
        if not lib.simt_resolve(self._c, diag):
            raise of_diag(ffi, diag)
        d = self._c.desc
        self.ports = {p.name: p for p in map(_port, (d.ports[i] for i in range(d.n_ports)))}
        self.derived = {ffi.string(d.derived[i].name).decode(): d.derived[i].value for i in range(d.n_derived)
                        if not d.derived[i].bits}
        self.parameters = {}
        for i in range(self._c.n_params):
            p, value = self._c.param[i], self._c.value[i]
            text = ffi.string(lib.simt_value_text(p, value, ffi.new("char[24]"))).decode()
            self.parameters[ffi.string(p.name).decode()] = text if p.choices != ffi.NULL else int(value)
        self.warning = ffi.string(d.warning).decode()
        self.clock = next(ffi.string(d.ports[i].name).decode() for i in range(d.n_ports) if d.ports[i].role == lib.SIMT_CLOCK)
        self.reset = next((ffi.string(d.ports[i].name).decode() for i in range(d.n_ports)
                           if d.ports[i].role == lib.SIMT_RESET), None)


def _port(p):
    text = {k: ffi.string(getattr(p, k)).decode() for k in ("name", "valid", "group", "doc")}
    return Port(direction="out" if p.dir == lib.SIMT_OUT else "in", width=p.width, word=p.word, words=p.words, **text)


@ffi.def_extern()
def simtgen_visit(ctx, name, value):
    ffi.from_handle(ctx)[ffi.string(name).decode()] = value


class Model:
    """The cycle model of a configuration, bit for bit what the Verilog does.

    `Model("tracker", QUEUES=8)`, or `Model(configuration)`. Ports are attributes: an input is set and keeps its value
    until it is set again, an output is that of the present cycle, which depends on the state alone. `step()` is one clock
    edge. After creation the model is in the state after reset, all inputs are 0.

        m = Model("status_tree", UNITS=4)
        m.unit_state_i = 0b0001
        m.step(10)
        m.front_state_o
    """
    _own = ("configuration", "cycle", "_ops", "_model", "_in", "_out", "_fresh")

    def __init__(self, block: str | Configuration, **parameters: Any):
        c = block if isinstance(block, Configuration) else Configuration(block, **parameters)
        diag = ffi.new("struct simt_diag *")
        ops = lib.simt_model(c._c)
        model = ops.create(c._c, diag)
        if model == ffi.NULL:
            raise of_diag(ffi, diag)
        own = dict(configuration=c, cycle=0, _ops=ops, _model=ffi.gc(model, ops.destroy), _fresh=False,
                   _in=np.zeros(max(1, c._c.desc.in_words), np.uint32), _out=np.zeros(max(1, c._c.desc.out_words), np.uint32))
        for name, value in own.items():
            object.__setattr__(self, name, value)
        ops.reset(model)

    def __getattr__(self, name):
        return self.get(name)

    def __setattr__(self, name, value):
        if name in self._own:
            object.__setattr__(self, name, value)
        else:
            self.set(name, value)

    def __dir__(self):
        return [*super().__dir__(), *self.configuration.ports]

    def _find(self, name):
        p = self.configuration.ports.get(name)
        if p is None or name == self.configuration.clock:
            raise PortError(f"{self.configuration.block}: no port {name}; its ports are {', '.join(self.configuration.ports)}")
        return p

    def get(self, name: str) -> int:
        """The value of an input as it is set, or of an output in the present cycle."""
        p = self._find(name)
        if p.direction == "out" and not self._fresh:
            self._out[:] = 0  # the model leaves a payload alone whose valid is 0
            self._ops.outputs(self._model, ffi.from_buffer("uint32_t *", self._out))
            self._fresh = True
        words = self._out if p.direction == "out" else self._in
        return int.from_bytes(words[p.word:p.word + p.words].astype("<u4").tobytes(), "little")

    def set(self, name: str, value: int) -> None:
        """An input from now on. Raises PortError for an output, and for a value that the port cannot carry."""
        p = self._find(name)
        if p.direction == "out":
            raise PortError(f"{name}: is an output of the block")
        value = int(value)
        if not 0 <= value < 1 << p.width:
            raise PortError(f"{name}: got {value}, expected 0 to {(1 << p.width) - 1} ({p.width} bits)")
        self._in[p.word:p.word + p.words] = np.frombuffer(value.to_bytes(4 * p.words, "little"), "<u4")

    @property
    def inputs(self) -> dict[str, int]:
        """All inputs by name, as they are set."""
        return {n: self.get(n) for n, p in self.configuration.ports.items()
                if p.direction == "in" and n != self.configuration.clock}

    @property
    def outputs(self) -> dict[str, int]:
        """All outputs of the present cycle by name. A payload is 0 while its valid (Port.valid) is 0, and means nothing."""
        return {n: self.get(n) for n, p in self.configuration.ports.items() if p.direction == "out"}

    def step(self, cycles: int = 1, **inputs: int) -> None:
        """So many clock edges, the inputs given set before the first."""
        for name, value in inputs.items():
            self.set(name, value)
        words = ffi.from_buffer("uint32_t *", self._in)
        out = ffi.from_buffer("uint32_t *", self._out, require_writable=True)
        for _ in range(cycles):
            self._ops.outputs(self._model, out)
            self._ops.step(self._model, words)
        self.cycle += cycles
        self._fresh = False

    def reset(self) -> None:
        """The state after rst_i, and all inputs 0."""
        self._ops.reset(self._model)
        self._in[:] = 0
        self.cycle, self._fresh = 0, False

    def run(self, inputs: Mapping[str, np.ndarray], outputs: Iterable[str] | None = None) -> dict[str, np.ndarray]:
        """A run over arrays: row i of each input is its value in cycle i, row i of each output the value of that cycle.

        An array has shape (cycles,) and an unsigned integer type for a port of at most 64 bits, and shape
        (cycles, words) and type uint32, the lowest bits first, for a wider one. Inputs not given keep the value that
        they have. Gives the outputs named (default: all), uint64 or (cycles, words) uint32. Arrays of other shapes or
        types, and values that do not fit their port, raise PortError; nothing is cast in silence.
        """
        ports = [self._find(n) for n in inputs]
        lengths = {len(a) if isinstance(a, np.ndarray) and a.ndim else -1 for a in inputs.values()}
        if len(lengths) != 1 or -1 in lengths:
            raise PortError(f"inputs: got arrays of {sorted(lengths)} cycles, expected numpy arrays of one length")
        cycles = lengths.pop()
        rows = np.tile(self._in, (cycles, 1))
        for p in ports:
            self._fill(rows, p, inputs[p.name])
        wanted = [self._find(n) for n in (outputs if outputs is not None else
                                          [n for n, p in self.configuration.ports.items() if p.direction == "out"])]
        for p in wanted:
            if p.direction != "out":
                raise PortError(f"{p.name}: is an input of the block")
        out = self.run_words(rows)
        return {p.name: _column(out, p) for p in wanted}

    def _fill(self, rows, p, a):
        if p.direction == "out":
            raise PortError(f"{p.name}: is an output of the block")
        if a.dtype.kind not in "ub":
            raise PortError(f"{p.name}: got an array of {a.dtype}, expected an unsigned integer type")
        if p.width <= 64:
            if a.ndim != 1:
                raise PortError(f"{p.name}: got shape {a.shape}, expected ({len(rows)},)")
            if p.width < 64 and len(a) and int(a.max()) >> p.width:
                raise PortError(f"{p.name}: got {int(a.max())}, expected values below {1 << p.width} ({p.width} bits)")
            for i in range(p.words):
                rows[:, p.word + i] = (a.astype(np.uint64) >> np.uint64(32 * i)) & np.uint64(0xffffffff)
        else:
            if a.shape != (len(rows), p.words) or a.dtype != np.uint32:
                raise PortError(f"{p.name}: got {a.dtype} of shape {a.shape}, expected uint32 of ({len(rows)}, {p.words})")
            if p.width % 32 and len(a) and int(a[:, -1].max()) >> p.width % 32:
                raise PortError(f"{p.name}: got a value above {p.width} bits")
            rows[:, p.word:p.word + p.words] = a

    def run_words(self, rows: np.ndarray) -> np.ndarray:
        """The same over raw rows: `rows` is C-contiguous uint32 of shape (cycles, input words), each port at Port.word;
        the result is uint32 of shape (cycles, output words). The inputs keep the values of the last row. Bits above a
        port's width must be 0: `run` checks that."""
        if rows.dtype != np.uint32 or rows.ndim != 2 or rows.shape[1] != len(self._in) or not rows.flags.c_contiguous:
            raise PortError(f"rows: got {rows.dtype} of shape {rows.shape}, expected contiguous uint32 of (cycles, {len(self._in)})")
        out = np.zeros((len(rows), len(self._out)), np.uint32)
        if len(rows):
            lib.simtgen_run(self._ops, self._model, ffi.from_buffer("uint32_t *", rows), ffi.from_buffer("uint32_t *", out),
                            len(rows), rows.shape[1], out.shape[1])
            self._in[:] = rows[-1]
        self.cycle += len(rows)
        self._fresh = False
        return out

    def save(self) -> bytes:
        """The whole state, as an image that `load` of the same configuration takes."""
        size = self._ops.save(self._model, ffi.NULL, 0)
        image = ffi.new("unsigned char[]", size)
        self._ops.save(self._model, image, size)
        return bytes(ffi.buffer(image, size))

    def load(self, image: bytes) -> None:
        """A state that was saved. Raises ImageError for any other image, and is then as before."""
        if not self._ops.load(self._model, ffi.from_buffer(image), len(image)):
            raise ImageError(f"image of {len(image)} bytes: not one of this configuration of {self.configuration.block}")
        self._fresh = False

    @property
    def statistics(self) -> dict[str, int]:
        """What the model counts, by name, in a fixed order."""
        found: dict[str, int] = {}
        handle = ffi.new_handle(found)
        self._ops.stats(self._model, lib.simtgen_visit, handle)
        return found


def _column(out, p):
    if p.width > 64:
        return out[:, p.word:p.word + p.words].copy()
    value = out[:, p.word].astype(np.uint64)
    if p.words > 1:
        value |= out[:, p.word + 1].astype(np.uint64) << np.uint64(32)
    return value
