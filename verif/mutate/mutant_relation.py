# SPDX-License-Identifier: Apache-2.0
"""Where the value of a register does not matter, for proofs (verif/mutate/mutants.py).

Each register r has conditions, D(r): literals of registers and of gates that see a few registers alone. Two states are
*alike* when the facts hold in the first, those of registers alone in the second (a register whose value does not matter may
break others), and every register in which they differ has a condition that is 1 in the first. The conditions are such
that from states that are alike, under the same inputs, the same outputs come (as lockstep compares them) and states that
are alike: guessed from random runs in which single registers are inverted, then what does not follow is dropped until the
rest stands.
"""
import heapq

from mutant_facts import WIDE, Runs, Unrolled, composed, of_few_registers, plain

METHOD = 3            # of the results that are kept: raise it when others may come out
SUPPORT = 3           # registers that the gate of a condition sees
SAMPLES = 60          # states that guesses are made from
MOST = 64             # conditions of a register,
WIDEST = 50000        # and of all registers of a configuration of more than mutant_facts.WIDE
MANY = 12             # gates that see a register which may be a condition of one that the runs do not show


def conditions(system):
    """Literals that may be conditions: registers that are no words of a memory, gates that see a few of them."""
    return [2 * var + side for var in of_few_registers(system, SUPPORT) for side in (0, 1)]


class Sample:
    """A state of many runs side by side, and what becomes of it when single registers are inverted."""

    def __init__(self, relation, state, runs):
        self.mask, system = runs.mask, relation.system
        self.value, pairs = [0] * relation.size, system.gates.pair
        for name, _, var in runs.inputs:
            self.value[var] = runs.bits(runs.chance[name])
        for var, pair in enumerate(pairs[:relation.size]):
            if var and pair is None:
                self.value[var] = state.get(var, self.value[var])
            elif var:
                self.value[var] = self.of(self.value, pair[0]) & self.of(self.value, pair[1])
        self.legal = self.of(self.value, system.legal)
        self.now = [self.of(self.value, x) for x in relation.conditions]
        self.next = [self.of_new(x, relation) for x in relation.conditions]
        self.output, self.reached = {}, {}
        for r, x in relation.registers:
            self.invert(relation, r, x >> 1)

    def of(self, value, x):
        return value[x >> 1] ^ (self.mask if x & 1 else 0)

    def of_new(self, x, relation):
        """A condition after the cycle."""
        known = self.__dict__.setdefault("later", {0: 0})
        stack = [x >> 1]
        while stack:
            var = stack[-1]
            if var in known:
                stack.pop()
            elif var in relation.following:
                known[var] = self.of(self.value, relation.following[var])
            else:
                missing = [y >> 1 for y in relation.system.gates.pair[var] if y >> 1 not in known]
                if not missing:
                    a, b = relation.system.gates.pair[var]
                    known[var] = self.of(known, a) & self.of(known, b)
                stack += missing
        return self.of(known, x)

    def invert(self, relation, r, var):
        new, queue, pairs = {var: self.value[var] ^ self.mask}, Queue(relation.users[var]), relation.system.gates.pair
        for gate in queue:
            a, b = pairs[gate]
            x = new.get(a >> 1, self.value[a >> 1]) ^ (self.mask if a & 1 else 0)
            x &= new.get(b >> 1, self.value[b >> 1]) ^ (self.mask if b & 1 else 0)
            if x != self.value[gate]:
                new[gate] = x
                queue.add(relation.users[gate])
        self.output[r], self.reached[r] = 0, []
        for changed in new:
            moved = self.legal & (new[changed] ^ self.value[changed])
            for means in relation.seen.get(changed, ()):
                self.output[r] |= moved & self.of(self.value, means)
            for other in relation.becomes.get(changed, ()):
                self.reached[r].append((other, moved))


class Queue:
    """Gates, in their order, each once."""

    def __init__(self, gates):
        self.heap, self.known = list(gates), set(gates)

    def add(self, gates):
        for gate in gates:
            if gate not in self.known:
                self.known.add(gate)
                heapq.heappush(self.heap, gate)

    def __iter__(self):
        while self.heap:
            yield heapq.heappop(self.heap)


class Relation:
    """The conditions D of a design, and what follows from them."""

    def __init__(self, netlist, system, facts, known=None, say=lambda *_: None):
        self.netlist, self.system, self.facts, gates = netlist, system, facts, system.gates
        self.plain = plain(system, facts)
        self.conditions = conditions(system)
        self.registers = [(r, netlist.value[r]) for r in netlist.next]
        self.following = {r >> 1: x for r, x in system.registers}
        self.outputs = list(self.observed())
        self.size = len(gates.pair)
        self.tables()
        if known is None:
            self.guess(say)
        else:
            self.free, self.often = dict(zip(netlist.next, known)), {}
        self.second = {r: gates.free() for r, _ in self.registers}
        self.value = netlist.copy_of(self.second)
        other = {x >> 1: self.second[r] for r, x in self.registers}
        self.second_facts = [tuple(composed(gates, c, other)) for c in self.plain]
        self.becomes_second = netlist.next_state(self.value)
        self.later = dict(zip(self.conditions, composed(gates, self.conditions, dict(self.following))))
        self.settle(say)  # known ones as well: nothing is taken on trust

    def observed(self):
        """(What is compared, as a function of the values; where it means something)."""
        netlist, gates = self.netlist, self.system.gates
        for (name, bit), x in netlist.outputs.items():
            if name in netlist.ports:
                valid = netlist.ports[name].get("valid") or ""
                yield lambda value, x=x: netlist.literal(value, x), gates.any(netlist.port(valid)) if valid else 1
        for n in netlist.cut:
            m = netlist.memories[n]
            enable = [netlist.value["site", m["wr_en"] + i] for i in range(m["width"])]
            for i in range(m["width"]):
                yield lambda value, at=m["wr_en"] + i: value["site", at], 1
                yield lambda value, at=m["wr_data"] + i: value["site", at], enable[i]
            for i in range(m["abits"]):
                yield lambda value, at=m["wr_addr"] + i: value["site", at], gates.any(enable)

    def tables(self):
        """Who depends on a gate."""
        self.users, self.seen, self.becomes = [[] for _ in range(self.size)], {}, {}
        for var, pair in enumerate(self.system.gates.pair):
            for x in {y >> 1 for y in pair or ()} if var else ():
                self.users[x].append(var)
        for of, means in self.outputs:
            self.seen.setdefault(of(self.netlist.value) >> 1, []).append(means)
        for r, x in self.netlist.next.items():
            self.becomes.setdefault(x >> 1, []).append(r)

    # ---- guesses -------------------------------------------------------------------------------------

    def guess(self, say):
        """Conditions that no run refutes: {register: [condition]}."""
        runs, samples = Runs(self.system), []
        for number, state in enumerate(runs.states()):
            if number % 2 == 0:
                samples.append(Sample(self, state, runs))
                say("sample", len(samples))
            if len(samples) == SAMPLES:
                break
        places = [i for i in range(len(self.conditions)) if any(s.now[i] for s in samples)]
        alive = {r: list(places) for r, _ in self.registers}
        moved = True
        while moved:
            moved = False
            for sample in samples:
                open_next = {r: sample.mask for r in alive}
                for r, numbers in alive.items():
                    for i in numbers:
                        open_next[r] &= ~sample.next[i]
                        if not open_next[r]:
                            break
                for r, numbers in alive.items():
                    bad = sample.output[r]
                    for other, lanes in sample.reached[r]:
                        bad |= lanes & open_next[other]
                    if bad:
                        kept = [i for i in numbers if not sample.now[i] & bad]
                        moved, alive[r] = moved or len(kept) < len(numbers), kept
            say("guessed", sum(map(len, alive.values())))
        self.choose(samples, alive)
        say("chosen", sum(map(len, self.free.values())))

    def choose(self, samples, alive):
        """Of the conditions of a register, those that are 1 most often, none that is 1 only where another is. Where the runs
        do not show a register, those that others have, and the registers that many gates see."""
        lanes = [0] * len(self.conditions)
        for sample in samples:
            width = sample.mask.bit_length()
            lanes = [x << width | now for x, now in zip(lanes, sample.now)]
        order, chosen = {i: -x.bit_count() for i, x in enumerate(lanes)}, {}
        self.often, all_of = {}, max(map(len, alive.values()))
        most = MOST if len(alive) <= WIDE else WIDEST // len(alive)
        shown = [r for r in alive if len(alive[r]) < all_of / 2]
        for r in shown:
            chosen[r] = []
            for i in sorted(alive[r], key=order.get):
                if len(chosen[r]) < most and all(lanes[i] & ~lanes[j] for j in chosen[r]):
                    chosen[r].append(i)
        for r in shown:
            for i in chosen[r]:
                self.often[self.conditions[i]] = self.often.get(self.conditions[i], 0) + 1
        for r in shown:
            chosen[r] = sorted(chosen[r], key=lambda i: -self.often[self.conditions[i]])
        usual = {i for r in shown for i in chosen[r]}
        usual.update(i for i, x in enumerate(self.conditions) if x >> 1 in self.following and len(self.users[x >> 1]) >= MANY)
        for r in alive:
            if r not in chosen:
                chosen[r] = sorted(usual.intersection(alive[r]))
                if len(alive) > WIDE:
                    chosen[r] = sorted(chosen[r], key=order.get)[:most]
        self.free = {r: [self.conditions[i] for i in chosen[r]] for r in alive}

    # ---- induction -----------------------------------------------------------------------------------

    def solver(self):
        """Two states that are alike, the facts in the first."""
        u = Unrolled(self.system, 1)
        u.claim(0, self.facts + self.second_facts)
        u.claim_legal(0)
        gates = self.system.gates
        self.differ = {r: u.literal(0, gates.xor(x, self.second[r])) for r, x in self.registers}
        for r in self.free:
            self.limit(u, r)
        u.solver.set_phases([-x for x in self.differ.values()])
        return u

    def limit(self, u, r):
        """Where the register differs one of its conditions is 1; again when there are fewer of them."""
        u.solver.add_clause([-self.differ[r]] + [u.literal(0, x) for x in self.free[r]])

    def settle(self, say):
        """Drops the conditions that do not follow."""
        u, gates, netlist = self.solver(), self.system.gates, self.netlist
        wrong = [gates.land(means, gates.xor(of(netlist.value), of(self.value))) for of, means in self.outputs]
        moves = {r: gates.xor(netlist.next[r], x) for r, x in self.becomes_second.items()}
        todo = [(None, x) for x in wrong if x] + [(r, x) for r, x in moves.items() if x]
        self.asked, changed = 0, True
        while changed:
            changed = False
            for r, x in todo:
                while True:
                    violated = self.violation(u, r, x)
                    model = self.solve(u, [violated])
                    if not model:
                        break
                    self.drop(u, violated, model)
                    changed = True
            say("settled", sum(map(len, self.free.values())), self.asked)

    def violation(self, u, r, x):
        """1 only where x is, and no condition of the register after the cycle."""
        if r is None:
            return u.literal(0, x)
        violated = u.new()
        for literal in [u.literal(0, x)] + [-u.literal(0, self.later[c]) for c in self.free[r]]:
            u.solver.add_clause([-violated, literal])
        return violated

    def solve(self, u, assumptions):
        """A model, or nothing."""
        self.asked += 1
        return u.solver.get_model() if u.solver.solve(assumptions=assumptions) else None

    def drop(self, u, violated, model):
        """Conditions to blame: of one register that differs, where that is enough, else of one of as few as possible."""
        fixed = [-x for x in self.differ.values() if model[abs(x) - 1] != x]
        differ = {r: x for r, x in self.differ.items() if model[abs(x) - 1] == x}
        while len(differ) > 1:
            for r, x in list(differ.items()):
                fewer = self.solve(u, [violated, -x] + fixed)
                if fewer:
                    break
            else:
                break
            model, fixed = fewer, [-x for x in self.differ.values() if fewer[abs(x) - 1] != x]
            differ = {r: x for r, x in self.differ.items() if fewer[abs(x) - 1] == x}
        def true(x):
            x = u.literal(0, x)
            return model[abs(x) - 1] == x
        # What many registers have is most likely right.
        r = min(differ, key=lambda r: max(self.often.get(x, 0) for x in self.free[r] if true(x)))
        self.free[r] = [x for x in self.free[r] if not true(x)]
        self.limit(u, r)
