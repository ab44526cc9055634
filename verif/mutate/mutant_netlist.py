# SPDX-License-Identifier: Apache-2.0
"""Gates of a configuration with a mutation in them, for the search of inputs (mutant_search.py).

`simtgen check --mutants --json` gives the netlist (AIGER text), in which every bit of every port of every cell is a
site: an output site_a, what drives it, and an input site_y, what the others see. Here sites become wires, memories
registers, and a mutant the gates behind its site once more.
"""
import heapq
import re


class Gates:
    """AND gates that are made once each. A literal is 2 * variable, + 1 inverted; variable 0 is false."""

    def __init__(self):
        self.pair, self.known = [(0, 0)], {}   # operands per variable; None: an input or a register

    def free(self):
        self.pair.append(None)
        return 2 * len(self.pair) - 2

    def land(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a == b ^ 1:
            return 0
        if a == 1 or a == b:
            return b
        found = self.known.get((a, b))
        if found is None:
            self.pair.append((a, b))
            found = self.known[a, b] = 2 * len(self.pair) - 2
        return found

    def lor(self, a, b):
        return self.land(a ^ 1, b ^ 1) ^ 1

    def xor(self, a, b):
        return self.lor(self.land(a, b ^ 1), self.land(a ^ 1, b))

    def mux(self, choice, one, zero):
        return self.lor(self.land(choice, one), self.land(choice ^ 1, zero))

    def forget(self, size):
        """Drops all variables but the first `size`."""
        for pair in self.pair[size:]:
            self.known.pop(pair, None)
        del self.pair[size:]

    def any(self, literals):
        """A tree, not a chain."""
        level = list(literals) or [0]
        while len(level) > 1:
            level = [self.lor(*level[i:i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
        return level[0]


class Overlay:
    """A dictionary before another."""

    def __init__(self, first, second):
        self.first, self.second = first, second

    def __getitem__(self, key):
        found = self.first.get(key)
        return self.second[key] if found is None else found


class Netlist:
    """The design without a mutation, as Gates, and its mutants. A signal is a variable of the netlist, ("site", N),
    ("read", MEMORY) (its value a list) or ("word", MEMORY, ADDRESS, BIT)."""

    def __init__(self, result, description):
        self.gates, self.ports = Gates(), {p["name"]: p for p in description["ports"]}
        self.reset = next(p["name"] for p in description["ports"] if p["name"].startswith("rst"))
        self.memories = result["memories"]
        self.read(result["aiger"])
        words = [("word", n, at, bit) for n, m in enumerate(self.memories)
                 for at in range(m["size"]) for bit in range(m["width"])]
        self.value = {0: 0}         # literal per signal
        for signal in [*self.free, *self.latches, *words]:
            self.value[signal] = self.gates.free()
        self.inputs = {name: self.value[var] for var, name in self.free.items()}
        self.steps, self.users = [], {}
        for signal in [*(x >> 1 for x in self.latches.values()), *(x >> 1 for x in self.outputs.values()),
                       *(("site", n) for n in sorted({*self.driver, *self.read_by}))]:
            self.visit(signal)
        self.next = self.next_state(self.value)

    def read(self, text):
        lines = text.split("\n")
        _, n_inputs, n_latches, n_outputs, n_ands = map(int, lines[0].split()[1:6])
        at = 1
        inputs = [int(x) >> 1 for x in lines[at:at + n_inputs]]
        at += n_inputs
        self.latches = {int(line.split()[0]) >> 1: int(line.split()[1]) for line in lines[at:at + n_latches]}
        at += n_latches
        outputs = list(map(int, lines[at:at + n_outputs]))
        at += n_outputs
        self.ands = {}
        for line in lines[at:at + n_ands]:
            x, a, b = map(int, line.split())
            self.ands[x >> 1] = (a, b)
        self.free, self.seen, self.outputs, self.driver = {}, {}, {}, {}
        for line in lines[at + n_ands:]:
            found = re.match(r"([io])(\d+) (\w+)(?:\[(\d+)\])?$", line)
            if not found:
                continue
            name, bit, number = found[3], int(found[4] or 0), int(found[2])
            if name == "site_y":
                self.seen[inputs[number]] = bit
            elif name == "site_a":
                self.driver[bit] = outputs[number]
            elif found[1] == "i":
                self.free[inputs[number]] = (name, bit)
            else:
                self.outputs[name, bit] = outputs[number]
        self.read_by = {m["rd_data"] + i: (which, i) for which, m in enumerate(self.memories) for i in range(m["width"])}

    @staticmethod
    def literal(value, x):
        return value[x >> 1] ^ (x & 1)

    def needs(self, signal):
        if isinstance(signal, int):
            return [("site", self.seen[signal])] if signal in self.seen else [x >> 1 for x in self.ands[signal]]
        kind, n = signal
        if kind == "read":
            m = self.memories[n]
            words = [("word", n, at, bit) for at in range(m["size"]) for bit in range(m["width"])]
            return [*(("site", m["rd_addr"] + i) for i in range(m["abits"])), *words]
        return [("read", self.read_by[n][0])] if n in self.read_by else [self.driver[n] >> 1]

    def raw(self, value, site):
        """What drives a site."""
        if site in self.read_by:
            memory, bit = self.read_by[site]
            return value["read", memory][bit]
        return self.literal(value, self.driver[site])

    def compute(self, value, signal):
        if isinstance(signal, int):
            if signal in self.seen:
                return value["site", self.seen[signal]]
            a, b = self.ands[signal]
            return self.gates.land(self.literal(value, a), self.literal(value, b))
        if signal[0] == "site":
            return self.raw(value, signal[1])
        m = self.memories[signal[1]]
        rows = [[value["word", signal[1], at, bit] for bit in range(m["width"])] for at in range(m["size"])]
        rows += [[0] * m["width"]] * ((1 << m["abits"]) - m["size"])
        for i in range(m["abits"]):
            choice = value["site", m["rd_addr"] + i]
            rows = [[self.gates.mux(choice, one, zero) for one, zero in zip(rows[k + 1], rows[k])]
                    for k in range(0, len(rows), 2)]
        return rows[0]

    def visit(self, signal):
        """Computes a signal after all that it needs, and keeps the order."""
        stack = [(signal, False)]
        while stack:
            now, ready = stack.pop()
            if now in self.value:
                continue
            if ready:
                self.value[now] = self.compute(self.value, now)
                self.steps.append(now)
                for needed in set(self.needs(now)):
                    self.users.setdefault(needed, []).append(len(self.steps) - 1)
            else:
                stack.append((now, True))
                stack += [(needed, False) for needed in self.needs(now)]

    def next_state(self, value):
        """{register: what it becomes}."""
        result = {var: self.literal(value, x) for var, x in self.latches.items()}
        for n in range(len(self.memories)):
            result.update(self.next_words(value, n))
        return result

    def next_words(self, value, n):
        """{word's bit of a memory: what it becomes}."""
        m, result = self.memories[n], {}
        address = [value["site", m["wr_addr"] + i] for i in range(m["abits"])]
        for at in range(m["size"]):
            here = 1
            for i, a in enumerate(address):
                here = self.gates.land(here, a ^ (~at >> i & 1))
            for bit in range(m["width"]):
                write = self.gates.land(here, value["site", m["wr_en"] + bit])
                result["word", n, at, bit] = self.gates.mux(write, value["site", m["wr_data"] + bit],
                                                            value["word", n, at, bit])
        return result

    # ---- mutants ---------------------------------------------------------------------------------

    def mutated(self, value, mutation):
        raw, by = self.raw(value, mutation["site"]), self.raw(value, mutation["control"])
        return {"inv": raw ^ 1, "const0": 0, "const1": 1, "cnot0": self.gates.xor(raw, by ^ 1),
                "cnot1": self.gates.xor(raw, by)}[mutation["mode"]]

    def propagate(self, changed, mutation, signals, base=None):
        """Computes what depends on the signals, given what has changed so far (of `base`, or of the design)."""
        value, heap = Overlay(changed, base or self.value), sorted({step for s in signals for step in self.users.get(s, [])})
        queued = set(heap)
        while heap:
            signal = self.steps[heapq.heappop(heap)]
            new = self.mutated(value, mutation) if signal == ("site", mutation["site"]) else self.compute(value, signal)
            if new == value[signal]:
                continue
            changed[signal] = new
            for step in self.users.get(signal, []):
                if step not in queued:
                    queued.add(step)
                    heapq.heappush(heap, step)

    def mutated_copy(self, mutation, base):
        """The values of the mutant's cycle where those of the design are `base`."""
        changed = {("site", mutation["site"]): self.mutated(base, mutation)}
        self.propagate(changed, mutation, [("site", mutation["site"])], base)
        return Overlay(changed, base)

    def port(self, name):
        p = self.ports[name]
        if p["direction"] in ("in", "input"):
            return [self.inputs.get((name, i), 0) for i in range(p["width"])]
        return [self.literal(self.value, self.outputs[name, i]) for i in range(p["width"])]

    def copy(self, new, place, var):
        stack, wanted = [var], var
        while stack:
            var = stack[-1]
            if var not in place:
                pair = self.gates.pair[var]
                missing = [x >> 1 for x in pair or () if x >> 1 not in place]
                if missing:
                    stack += missing
                    continue
                place[var] = new.free() if pair is None else new.land(*(place[x >> 1] ^ (x & 1) for x in pair))
            stack.pop()
        return place[wanted]
