# SPDX-License-Identifier: Apache-2.0
"""Shows that a mutant does what the design does, under all inputs, from a reset in any state on (verif/mutate/mutants.py).

Two states are *the same to the outside* when the design does the same from both under any inputs: when its outputs agree for
a few cycles and the states are then alike (mutant_relation.py). So a mutant is equivalent when, from every state that it may
reach, its outputs are the design's in that cycle, and what it makes of the state is the same to the outside as what the design
makes of it: then, cycle by cycle, its state stays the same to the outside as the design's after the same inputs. States that it may
reach are those in which the facts hold that it keeps (by induction, as for the design), with a few of its own cycles
before. What a reset in any state leaves behind is looked at apart, and the first cycles behind it.
"""
from mutant_facts import Unrolled, composed, holds_next

METHOD = 2  # of the results that are kept: raise it when others may come out


class Windows:
    ENOUGH, CONFLICTS = 20, 10000       # mutants of one batch; for each question to the solver
    STEPS = (0, 0), (0, 1), (0, 3), (1, 2), (2, 3)  # cycles of the mutant before, of the design behind
    LATER = 2, 5                        # behind a reset
    HOPELESS = 0.5                      # share of the facts: a mutant that keeps fewer

    def __init__(self, relation):
        self.relation, self.netlist, self.system, self.facts = relation, relation.netlist, relation.system, relation.facts
        self.gates, self.size = self.system.gates, len(self.system.gates.pair)
        netlist = self.netlist
        self.registers = [r >> 1 for r, _ in self.system.registers]
        self.following = {r >> 1: x for r, x in self.system.registers}
        self.name = {netlist.value[r] >> 1: r for r in netlist.next}
        self.inputs = [x >> 1 for x in netlist.inputs.values()]
        self.observed = [(of, of(netlist.value), means) for of, means in relation.outputs]
        self.reads = [self.read(n) for n in netlist.cut]

    def read(self, n):
        """What is read from a memory that is cut out: (variables, address); no address where that depends on reads."""
        m, value = self.netlist.memories[n], self.netlist.value
        bits = [x >> 1 for x in value["read", n]]
        address = [value["site", m["rd_addr"] + i] for i in range(m["abits"])]
        known = {x: 2 * x for x in [*self.registers, *self.inputs]}
        composed(self.gates, address, known)
        free = {var for var in known if var and self.gates.pair[var] is None}
        return bits, address if free <= {*self.registers, *self.inputs} else None

    def equivalent(self, mutation):
        self.gates.forget(self.size)
        self.alone = self.netlist.mutated_copy(mutation, self.netlist.value)
        changed = {self.netlist.value[r] >> 1: x for r, x in self.netlist.next_state(self.alone).items()}
        self.mutated = {**self.following, **changed}
        kept = self.kept()
        return kept is not None and any(self.proved(kept, *steps) for steps in self.STEPS)

    def kept(self):
        """The facts that the mutant keeps."""
        facts = holds_next(self.system, self.facts, self.mutated, True)
        while len(facts) >= self.HOPELESS * len(self.facts):
            left = holds_next(self.system, facts, self.mutated, False)
            if len(left) == len(facts):
                return facts
            facts = left
        return None

    def proved(self, facts, before, behind):
        """From states in which the facts hold; behind a reset in any state, at once and in each of the cycles that have fewer before them."""
        return self.same(facts, before, behind, False) and all(
            any(self.same(facts, n, later, True) for later in (behind, *self.LATER)) for n in range(before + 1))

    def frame(self, state, known=None):
        """The values of a cycle from a state: with inputs of its own, or with those of another."""
        inputs = {x: self.gates.free() if known is None else known[x] for x in self.inputs}
        return {0: 0, **state, **inputs}

    def step(self, following, known):
        return dict(zip(self.registers, self.of([following[r] for r in self.registers], known)))

    def of(self, literals, known):
        """In a cycle; what is not known is free, and this cycle's own."""
        return composed(self.gates, literals, known, True)

    def broken(self, facts, state):
        known = {0: 0, **state}
        return [self.gates.land(*(x ^ 1 for x in self.of(c, known))) for c in facts]

    def same(self, facts, before, behind, after_reset):
        """No output differs `behind` cycles long, then the states are alike."""
        gates, bad = self.gates, []
        state, claims = {r: 2 * r for r in self.registers}, []
        if not after_reset:
            claims += [x ^ 1 for x in self.broken(facts, state)]
        for n in range(before):
            known = self.frame(state)
            claims += self.of([self.system.legal] + [self.system.reset] * (after_reset and n == 0), known)
            state = self.step(self.mutated, known)
            claims += [x ^ 1 for x in self.broken(facts, state)]
        known = self.frame(state)
        resets = after_reset and not before
        claims += self.of([self.system.legal] + [self.system.reset] * resets, known)
        if not resets:
            bad += self.of([gates.land(means, gates.xor(x, of(self.alone))) for of, x, means in self.observed
                            if of(self.alone) != x], known)
        second, first = self.step(self.mutated, known), self.step(self.following, known)
        for _ in range(behind):
            if first == second:
                break
            known = self.frame(first)
            other = self.frame(second, known)
            self.share_reads(known, other)
            claims += self.of([self.system.legal], known)
            values = [x for _, x, _ in self.observed]
            means = self.of([x for _, _, x in self.observed], known)
            bad += [gates.land(m, gates.xor(x, y)) for m, x, y in
                    zip(means, self.of(values, known), self.of(values, other))]
            first, second = self.step(self.following, known), self.step(self.following, other)
        return not self.can(claims, bad + self.unlike(first, second))

    def share_reads(self, known, other):
        """Both read the same from the same address."""
        for bits, address in self.reads:
            if address:
                differs = self.gates.any(map(self.gates.xor, self.of(address, known), self.of(address, other)))
                for bit, x in zip(bits, self.of([2 * bit for bit in bits], known)):
                    other[bit] = self.gates.mux(differs, self.gates.free(), x)

    def unlike(self, first, second):
        gates, known = self.gates, {0: 0, **first}
        bad = self.broken(self.facts, first) + self.broken(self.relation.plain, second) if first != second else []
        for r in self.registers:
            if first[r] != second[r]:
                free = self.of(self.relation.free[self.name[r]], known) if r in self.name else []
                bad.append(gates.land(gates.xor(first[r], second[r]), gates.any(free) ^ 1))
        return bad

    def can(self, claims, bad):
        """Whether one of these can be 1 where all claims are, or that is not known."""
        bad = self.gates.any(bad)
        if bad == 0:
            return False
        u = Unrolled(self.system, 1)
        for x in claims:
            if x != 1:
                u.solver.add_clause([u.literal(0, x)])
        u.solver.conf_budget(self.CONFLICTS)
        said = u.solver.solve_limited(assumptions=[u.literal(0, bad)])
        u.solver.delete()
        return said is not False
