# SPDX-License-Identifier: Apache-2.0
"""What holds of the registers of a configuration in every state that can be reached, for proofs (verif/mutate/mutants.py).

Facts are clauses of at most two literals of registers and of gates that see a few of them. They are guessed from random
runs of the netlist and kept when they follow from each other: if all hold now, all hold after the next cycle, and they
hold after a reset in any state (induction; what fails is dropped until the rest stands). Needs python-sat.

The memory answers only what was asked and not answered yet; otherwise inputs are free.
"""
import random
from itertools import islice

from pysat.solvers import Solver

METHOD = 2  # of the results that are kept: raise it when others may come out
SIDE_BY_SIDE, EPOCHS, EPOCH, LOOKS = 2048, 24, 80, 5
WIDE = 4000  # registers
SUPPORT, MANY = 3, 60000  # registers that a gate sees, fewer where there are more claims than that
AT_ONCE, CONFLICTS = 300, 200000  # claims in one question to the solver, and what it may cost


class System:
    """Golden gates, their registers and the assumption, with those of the memory."""

    def __init__(self, netlist):
        self.netlist, self.gates = netlist, netlist.gates
        self.registers = [(netlist.value[r], following) for r, following in netlist.next.items()]
        self.reset = netlist.inputs[netlist.reset, 0]
        self.legal = self.memory() if "mem_rsp_valid_i" in netlist.ports else 1
        self.size = len(self.gates.pair)

    def memory(self):
        """Registers that say which tags are under way; 1 where no other is answered."""
        g, port = self.gates, self.netlist.port
        def tag_is(name, number):
            result = 1
            for i, bit in enumerate(port(name)):
                result = g.land(result, bit ^ (~number >> i & 1))
            return result
        taken = g.land(port("mem_req_valid_o")[0], port("mem_req_ready_i")[0])
        answered = g.land(port("mem_rsp_valid_i")[0], port("mem_rsp_ready_o")[0])
        right = []
        for number in range(1 << len(port("mem_req_tag_o"))):
            here, busy = tag_is("mem_rsp_tag_i", number), g.free()
            stays = g.land(busy, g.land(answered, here) ^ 1)
            asked = g.land(taken, tag_is("mem_req_tag_o", number))
            self.registers.append((busy, g.land(self.reset ^ 1, g.lor(stays, asked))))
            right.append(g.land(here, busy))
        return g.lor(port("mem_rsp_valid_i")[0] ^ 1, g.any(right))


def step_of(gates, size, wanted):
    """A function of (values of free variables, mask) that gives the value of each literal wanted."""
    lines, used, stack = [], set(), [x >> 1 for x in wanted]
    while stack:
        var = stack.pop()
        if var not in used:
            used.add(var)
            stack += [x >> 1 for x in gates.pair[var] or ()]
    def text(x):
        return f"(v{x >> 1}^M)" if x & 1 else f"v{x >> 1}"
    for var in sorted(used):
        pair = gates.pair[var]
        lines.append("v0=0" if var == 0 else f"v{var}={text(pair[0])}&{text(pair[1])}" if pair else f"v{var}=free[{var}]")
    source = "def step(free, M):\n " + "\n ".join(lines) + f"\n return [{','.join(map(text, wanted))}]\n"
    space = {}
    exec(source, space)  # gates as a function of Python: a hundred times faster than a loop over them
    return space["step"]


class Runs:
    """Random runs side by side, one in each bit; how likely an input is 1 changes from time to time."""

    def __init__(self, system, seed=1):
        self.random = random.Random(seed)
        self.system, self.mask = system, (1 << SIDE_BY_SIDE) - 1
        self.state = {r >> 1: self.random.getrandbits(SIDE_BY_SIDE) for r, _ in system.registers}
        self.next = step_of(system.gates, system.size, [x for _, x in system.registers] + [system.legal])
        self.inputs = [(name, bit, x >> 1) for (name, bit), x in system.netlist.inputs.items()]
        known = {0, *self.state, *(var for _, _, var in self.inputs)}  # else: read from a memory that is cut out
        self.read = [var for var in range(system.size) if system.gates.pair[var] is None and var not in known]
        self.chance = {}

    def bits(self, halvings):
        """1 with a chance of 2 ** -halvings, or of 1 - that when it is negative."""
        result = self.mask
        for _ in range(max(1, abs(halvings))):
            result &= self.random.getrandbits(SIDE_BY_SIDE)
        return result ^ self.mask if halvings < 0 else result

    def epoch(self):
        for name in self.system.netlist.ports:
            self.chance[name] = self.random.choice([1, 1, 1, 2, 4, -3])
        self.chance[self.system.netlist.reset] = 9

    def cycle(self, reset=False):
        free = dict(self.state)
        for name, _, var in self.inputs:
            free[var] = self.bits(self.chance[name])
        for var in self.read:
            free[var] = self.random.getrandbits(SIDE_BY_SIDE)
        if reset:
            free[self.system.reset >> 1] = self.mask
        *following, legal = self.next(free, self.mask)
        if legal != self.mask:  # where it answers what was not asked, it does not answer
            var = self.system.netlist.inputs["mem_rsp_valid_i", 0] >> 1
            free[var] &= legal
            *following, _ = self.next(free, self.mask)
        self.state = {r >> 1: v for (r, _), v in zip(self.system.registers, following)}

    def states(self):
        """Values of the registers, now and then in a long run."""
        self.epoch()
        self.cycle(True)
        yield self.state
        for _ in range(EPOCHS):
            self.epoch()
            for i in range(EPOCH):
                self.cycle()
                if i % (EPOCH // LOOKS) == 0:
                    yield self.state


def of_few_registers(system, most):
    """Registers that are no words of a memory, and gates that see at most so many of them: {variable: registers}."""
    words = {x >> 1 for r, x in system.netlist.value.items() if isinstance(r, tuple) and r[0] == "word"}
    sees = {r >> 1: frozenset([r >> 1]) for r, _ in system.registers if r >> 1 not in words}
    for var, pair in enumerate(system.gates.pair[:system.size]):
        if var and pair and pair[0] >> 1 in sees and pair[1] >> 1 in sees:
            both = sees[pair[0] >> 1] | sees[pair[1] >> 1]
            if len(both) <= most:
                sees[var] = both
    return sees


def composed(gates, literals, known, fresh=False):
    """The literals where variables have other values, `known`; it gets those of the gates. Other inputs and registers stay
    what they are, or are new ones."""
    known.setdefault(0, 0)
    for x in literals:
        stack = [x >> 1]
        while stack:
            var = stack[-1]
            pair = gates.pair[var]
            if var not in known and pair is None:
                known[var] = gates.free() if fresh else 2 * var
            missing = [y >> 1 for y in pair or () if y >> 1 not in known] if var not in known else ()
            if missing:
                stack += missing
                continue
            stack.pop()
            if var not in known:
                known[var] = gates.land(*(known[y >> 1] ^ (y & 1) for y in pair))
    return [known[x >> 1] ^ (x & 1) for x in literals]


def guess(system):
    """Clauses (a, b) of literals, a < b (a == b: one literal), that no state of the runs refutes."""
    for most in range(SUPPORT if len(system.registers) <= WIDE else 1, 0, -1):
        claims = not_refuted(system, most)
        if len(claims) <= MANY:
            break
    return claims


def not_refuted(system, most):
    """Such clauses of registers and of gates that see at most so many."""
    variables = set(of_few_registers(system, most))
    if len(system.registers) <= WIDE:  # else too many pairs; words of memories are in few facts
        variables |= {r >> 1 for r, _ in system.registers}
    variables = sorted(variables)
    values = step_of(system.gates, system.size, [2 * var for var in variables])
    runs, first, seen, width = Runs(system), None, dict.fromkeys(variables, 0), 0
    for state in runs.states():
        now = dict(zip(variables, values(state, runs.mask)))
        for var in variables:
            seen[var] |= now[var] << width
        first, width = now if width < LOOKS * SIDE_BY_SIDE else first, width + SIDE_BY_SIDE
    mask, early, zero, one = (1 << width) - 1, {}, {}, []
    for var in variables:
        if seen[var] in (0, mask):
            one.append((2 * var + (seen[var] == 0),) * 2)
        else:  # where a literal is 0: at one time, and always
            early[2 * var], zero[2 * var] = first[var] ^ runs.mask, seen[var] ^ mask
            early[2 * var + 1], zero[2 * var + 1] = first[var], seen[var]
    literals, pairs = list(zero), []
    for i, a in enumerate(literals):
        before = early[a]
        pairs += [(a, b) for b in literals[i + 1:] if not before & early[b] and a != b ^ 1 and not zero[a] & zero[b]]
    u = Unrolled(system, 1)  # what the gates alone say is no fact
    return sorted(one + [(a, b) for a, b in pairs if u.solver.solve(assumptions=[-u.literal(0, a), -u.literal(0, b)])])


class Unrolled:
    """Frames of the design in a solver."""

    def __init__(self, system, frames, solver="glucose4"):
        self.system, self.solver = system, Solver(name=solver)
        self.names, self.top = [{} for _ in range(frames)], 0
        self.registers = {r >> 1: x for r, x in system.registers}
        self.true = self.new()
        self.solver.add_clause([self.true])

    def new(self):
        self.top += 1
        return self.top

    def literal(self, frame, x):
        """The solver's literal of a literal of the gates in a frame."""
        names, pair = self.names[frame], self.system.gates.pair
        stack = [x >> 1]
        while stack:
            var = stack[-1]
            if var in names:
                stack.pop()
            elif var == 0:
                names[0] = -self.true
            elif pair[var] is None:
                if frame and var in self.registers:
                    names[var] = self.literal(frame - 1, self.registers[var])
                else:
                    names[var] = self.new()
            else:
                a, b = pair[var]
                if a >> 1 in names and b >> 1 in names:
                    a, b = (names[y >> 1] * (-1 if y & 1 else 1) for y in (a, b))
                    names[var] = z = self.new()
                    for clause in ([-z, a], [-z, b], [z, -a, -b]):
                        self.solver.add_clause(clause)
                else:
                    stack += [a >> 1, b >> 1]
        return names[x >> 1] * (-1 if x & 1 else 1)

    def claim(self, frame, clauses):
        for a, b in clauses:
            self.solver.add_clause([self.literal(frame, a), self.literal(frame, b)])

    def claim_legal(self, frame):
        self.solver.add_clause([self.literal(frame, self.system.legal)])


def holds_next(system, claims, following, reset):
    """Those of the claims that hold after a cycle, {variable: what it becomes}: from a state in which all hold, or after a
    reset in any."""
    u, gates, lost = Unrolled(system, 1), system.gates, set()
    u.claim_legal(0)
    u.claim(0, [(system.reset, system.reset)] if reset else claims)
    after = dict(following)
    wrong = [gates.land(*(x ^ 1 for x in composed(gates, c, after))) for c in claims]
    asked = {i: u.literal(0, x) for i, x in enumerate(wrong) if x}
    while asked:
        part, some = list(islice(asked, AT_ONCE)), u.new()
        u.solver.add_clause([-some, *(asked[i] for i in part)])
        u.solver.conf_budget(CONFLICTS)
        said = u.solver.solve_limited(assumptions=[some])
        if said:  # a model refutes what it can, of the part and of the others
            model = u.solver.get_model()
            part = [i for i, x in asked.items() if model[abs(x) - 1] == x]
        if said is not False:
            lost.update(part)
        for i in part:
            del asked[i]
        u.solver.add_clause([-some])
    u.solver.delete()
    return [c for i, c in enumerate(claims) if i not in lost]


def settled(system, claims, say=lambda *_: None):
    """Those of the claims that follow from each other."""
    following = {r >> 1: x for r, x in system.registers}
    while True:
        say("left", len(claims))
        kept = holds_next(system, claims, following, False)
        system.gates.forget(system.size)
        if len(kept) == len(claims):
            return kept
        claims = kept


def facts(system, say=lambda *_: None):
    """An inductive set of clauses."""
    claims = guess(system)
    say("guessed", len(claims))
    return settled(system, holds_next(system, claims, {r >> 1: x for r, x in system.registers}, True), say)


def plain(system, claims):
    """Facts about registers alone that follow from each other."""
    registers = {r >> 1 for r, _ in system.registers}
    return settled(system, [c for c in claims if all(x >> 1 in registers for x in c)])


class Prover:
    """Shows that a mutant does what the design does, under all inputs, from a reset in any state on.

    Registers that can differ have second literals. A claim is (register, x): where the register differs from its
    second, x, a literal of a register of the design, is 1 (with x and its inverse: it never differs). All claims are
    made at first; those are dropped that do not follow after a cycle, from the rest and the facts. What is left shows, or
    does not, that no output that means something differs."""

    ENOUGH = 40      # mutants until the solvers are thrown away, with the gates of all of them
    WIDEST = 12      # registers that differ: more are taken for hopeless
    CONFLICTS = 1000
    QUESTIONS = 3000 # to the solvers about one mutant

    def __init__(self, netlist, system, claims):
        self.netlist, self.system, self.claims, self.used = netlist, system, claims, self.ENOUGH
        words = {x for r, x in netlist.value.items() if isinstance(r, tuple) and r[0] == "word"}
        self.known = [x ^ side for x, _ in system.registers if x not in words for side in (0, 1)]

    def fresh(self):
        self.system.gates.forget(self.system.size)
        self.inside, self.behind = self.unrolled(self.claims), self.unrolled([])
        self.used = 0

    def unrolled(self, claims):
        u = Unrolled(self.system, 2)
        u.claim(0, claims)
        u.claim_legal(0)
        u.known = [{x: u.literal(frame, x) for x in self.known} for frame in (0, 1)]
        return u

    def can(self, u, wanted):
        """A model in which all of these are 1, None when there is none; True: too many conflicts."""
        self.asked += 1
        u.solver.conf_budget(self.CONFLICTS)
        said = u.solver.solve_limited(assumptions=wanted)
        return None if said is False else u.solver.get_model() if said else True

    def equivalent(self, mutation):
        self.used, self.asked = self.used + 1, 0
        if self.used > self.ENOUGH:
            self.fresh()
        following, output = self.netlist.from_state(mutation, {})
        differ = self.differ(following)
        reset = self.behind.literal(0, self.system.reset)
        if self.can(self.inside, [self.inside.literal(0, output)]) is not None:
            return False  # an output differs at once, or that is not known
        wide = (self.can(self.inside, [self.inside.literal(0, differ)])
                or self.can(self.behind, [reset, self.behind.literal(0, differ)]))
        return wide is None or self.related(mutation, set(following))

    def differ(self, following):
        gates = self.system.gates
        return gates.any([gates.xor(self.netlist.next[r], x) for r, x in following.items()])

    def related(self, mutation, registers):
        """Claims about more and more registers, until no other one differs."""
        left = {}
        while len(registers) <= self.WIDEST:
            for r in registers:
                left.setdefault(r, set(self.known))
            related = Related(self, mutation, left)
            more = related.settled()
            if more is None:
                return False
            if not more:
                return related.proved()
            registers = registers | more
        return False


class Related:
    """Claims about registers of a mutant, all others being equal."""

    def __init__(self, prover, mutation, left):
        self.prover, self.left, self.u, self.behind = prover, left, prover.inside, prover.behind
        gates, value, after = prover.system.gates, prover.netlist.value, prover.netlist.next
        second = {r: gates.free() for r in left}
        following, self.output = prover.netlist.from_state(mutation, second)
        self.others = {r: gates.xor(after[r], x) for r, x in following.items() if r not in left}
        for u in (self.u, self.behind):
            for r, x in second.items():
                u.names[0][x >> 1] = u.literal(0, value[r]) if u is self.behind else u.new()
            for r, x in second.items():
                u.names[1][x >> 1] = u.literal(0, following.get(r, after[r]))
        self.before = {r: gates.xor(value[r], x) for r, x in second.items()}
        self.reset = [self.behind.literal(0, prover.system.reset)]
        self.select = {}
        for r, xs in left.items():
            for u in (self.u, self.behind):
                u.literal(1, self.before[r])
            for x in xs:
                self.select[r, x] = self.u.new()
                self.u.solver.add_clause([-self.select[r, x], -self.u.literal(0, self.before[r]), self.u.known[0][x]])

    def selected(self):
        return [self.select[r, x] for r, xs in self.left.items() for x in xs]

    def refuted(self, u, model):
        """Drops what a model refutes in its frame 1; whether that was anything."""
        some, known = False, u.known[1]
        for r, xs in self.left.items():
            z = u.literal(1, self.before[r])
            if model[abs(z) - 1] == z:
                wrong = {x for x in xs if model[abs(known[x]) - 1] != known[x]}
                xs -= wrong
                some = some or bool(wrong)
        return some

    def settled(self):
        """Drops all claims that do not follow. Other registers that then differ; None: not decided."""
        for u, fixed in ((self.behind, lambda: self.reset), (self.u, self.selected)):
            changed = True
            while changed:
                changed = False
                for r, xs in self.left.items():
                    if self.prover.asked > self.prover.QUESTIONS:
                        return None
                    violated = u.new()
                    u.solver.add_clause([-violated] + [-u.known[1][x] for x in xs])
                    model = self.prover.can(u, fixed() + [violated, u.literal(1, self.before[r])])
                    if model is True or (model and not self.refuted(u, model)):
                        return None
                    changed = changed or bool(model)
            more = {r for r, x in self.others.items() if x and self.prover.can(u, fixed() + [u.literal(0, x)]) is not None}
            if more:
                return more
        return set()

    def proved(self):
        return self.prover.can(self.u, self.selected() + [self.u.literal(0, self.output)]) is None
