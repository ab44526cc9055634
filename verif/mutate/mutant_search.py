# SPDX-License-Identifier: Apache-2.0
"""Looks for inputs that show a mutant which lockstep did not find (verif/mutate/mutants.py --search): gaps of the stimulus.

Random runs of lockstep give states of the design; from each a solver chooses the inputs of some more cycles, mutant and
design side by side from that state on. The memory answers only what was asked and not answered yet, an offered stream
holds still until it is taken; otherwise inputs are free, also those that no user gives. What is found differs within so
many cycles of a state of the design; a mutant that was there from reset on may be in another one, so what is found counts
when it shows in a run from reset as well (`shows`). What is not found is not decided. Needs python-sat.
"""
import random
import subprocess
import tempfile
from pathlib import Path

from pysat.solvers import Solver

from mutant_netlist import Overlay
from testlib import Problem, options, program
from waveform import cycles_of

RUNS, CYCLES, FRAMES, CONFLICTS = 32, 2400, 5, 1000
SETTLED = 5  # cycles until what was never written is no longer looked at


class System:
    """The gates of the design, their registers and the assumption, with those of the memory."""

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


class Unrolled:
    """Frames of the design in a solver."""

    def __init__(self, system, frames, solver):
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


class Design(System):
    """The gates, and the assumption about inputs with its registers."""

    def __init__(self, netlist):
        super().__init__(netlist)
        g, port = self.gates, netlist.port
        for name, p in netlist.ports.items():
            ready = name.replace("_valid_i", "_ready_o")
            if not name.endswith("_valid_i") or ready not in netlist.ports:
                continue
            offered, same = g.free(), port(name)[0]
            self.registers.append((offered, g.land(self.reset ^ 1, g.land(port(name)[0], port(ready)[0] ^ 1))))
            for payload in (n for n, q in netlist.ports.items() if q.get("valid") == name):
                for x in port(payload):
                    before = g.free()
                    self.registers.append((before, x))
                    same = g.land(same, g.xor(x, before) ^ 1)
            self.legal = g.land(self.legal, g.lor(offered ^ 1, same))
        self.size = len(g.pair)


def recorded(block, values, reset):
    """Inputs of random runs in lockstep, each with a cycle of reset before it."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        wave = Path(folder) / "wave.vcd"
        for seed in range(1, RUNS + 1):
            command = [program(), "check", block, *options(values), "--seed", str(seed), "--cycles", str(CYCLES), "--wave",
                       str(wave), "-q"]
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                raise Problem(f"{' '.join(command)}: {run.stderr.strip()}")
            found.append([{reset: 1}, *map(dict, cycles_of(wave, ["inputs"]))])
    return found


class Search:
    """States of runs, and mutants side by side with the design from one of them on."""

    def __init__(self, block, values, netlist, seed=1):
        self.netlist, self.gates, self.random = netlist, netlist.gates, random.Random(seed)
        self.design = Design(netlist)
        self.runs = recorded(block, values, netlist.reset)
        self.tables()

    def tables(self):
        """Who depends on a signal at the end of a cycle."""
        netlist, self.becomes, self.seen, self.writes = self.netlist, {}, {}, {}
        for r, x in netlist.latches.items():
            self.becomes.setdefault(x >> 1, []).append(r)
        for (name, bit), x in netlist.outputs.items():
            if name in netlist.ports:
                self.seen.setdefault(x >> 1, []).append((name, x))
        for n, m in enumerate(netlist.memories):
            for port, size in (("wr_addr", "abits"), ("wr_data", "width"), ("wr_en", "width")):
                for i in range(m[size]):
                    self.writes[("site", m[port] + i)] = n

    def states(self, count):
        """{(run, cycle): {variable: bit}}, places at random."""
        wanted = {}
        for _ in range(count):
            run = self.random.randrange(len(self.runs))
            wanted.setdefault(self.random.randrange(SETTLED, len(self.runs[run]) - 1), set()).add(run)
        registers, mask = self.design.registers, (1 << len(self.runs)) - 1
        step = step_of(self.gates, self.design.size, [x for _, x in registers])
        state, found = {r >> 1: 0 for r, _ in registers}, {}
        for cycle in range(max(wanted) + 1):
            for run in wanted.get(cycle, ()):
                found[run, cycle] = {var: value >> run & 1 for var, value in state.items()}
            free = dict(state)
            for (name, bit), x in self.netlist.inputs.items():
                free[x >> 1] = sum((run[cycle].get(name, 0) >> bit & 1) << i for i, run in enumerate(self.runs)
                                   if cycle < len(run))
            state = {r >> 1: value for (r, _), value in zip(registers, step(free, mask))}
        return found

    def begin(self, state):
        """The design, FRAMES cycles from a state on."""
        netlist, gates = self.netlist, self.gates
        gates.forget(self.design.size)
        self.unrolled = Unrolled(self.design, 1, "cadical153")
        own = {r >> 1: state[r >> 1] for r, _ in self.design.registers[len(netlist.next):]}
        now = {r: state[x >> 1] for r, x in ((r, netlist.value[r]) for r in netlist.next)}
        self.frames, legal = [], 1
        for _ in range(FRAMES):
            signals = {**now, **{var: gates.free() for var in netlist.free}}
            place = {0: 0, **own, **{netlist.value[s] >> 1: x for s, x in signals.items()}}
            changed = dict(signals)
            netlist.propagate(changed, {"site": None}, list(signals))
            base = {**netlist.value, **changed}
            legal = gates.land(legal, netlist.copy(gates, place, self.design.legal >> 1) ^ (self.design.legal & 1))
            own = {r >> 1: netlist.copy(gates, place, x >> 1) ^ (x & 1)
                   for r, x in self.design.registers[len(netlist.next):]}
            now = netlist.next_state(base)
            self.frames.append((base, now, legal))

    def find(self, mutation):
        """The inputs of the cycles to an output that differs, or None."""
        netlist, gates, other, wrong = self.netlist, self.gates, {}, []
        for base, following, legal in self.frames:
            changed = {**other, ("site", mutation["site"]): netlist.mutated(Overlay(other, base), mutation)}
            netlist.propagate(changed, mutation, [("site", mutation["site"]), *other], base)
            wrong.append(gates.land(legal, self.outputs_differ(changed, base)))
            other = self.registers_differ(changed, base, following)
        some, solver = gates.any(wrong), self.unrolled.solver
        solver.conf_budget(CONFLICTS)
        if some == 0 or not solver.solve_limited(assumptions=[self.unrolled.literal(0, some)]):
            return None
        model = solver.get_model()
        def true(x):
            x = self.unrolled.literal(0, x)
            return abs(x) <= len(model) and model[abs(x) - 1] == x
        last = next(i for i, x in enumerate(wrong) if true(x))
        return [self.shown(base, true) for base, _, _ in self.frames[:last + 1]]

    def shows(self, mutation, run, cycle, inputs):
        """An output of the mutant differs in the run up to the cycle and, from there on, under the inputs."""
        netlist, gates = self.netlist, self.gates
        gates.forget(self.design.size)
        outputs = [s for s in netlist.outputs if s[0] in netlist.ports]
        both, known = [], {r: 0 for r in netlist.next}
        for value in (netlist.value, netlist.mutated_copy(mutation, netlist.value)):
            following = netlist.next_state(value)
            wanted = [following[r] for r in known] + [netlist.literal(value, netlist.outputs[s]) for s in outputs]
            both.append([step_of(gates, len(gates.pair), wanted), list(known.values())])
        variables = [netlist.value[r] >> 1 for r in known]
        for given in self.runs[run][:cycle] + inputs:
            free = {x >> 1: given.get(name, 0) >> bit & 1 for (name, bit), x in netlist.inputs.items()}
            seen = []
            for side in both:
                became = side[0]({**free, **dict(zip(variables, side[1]))}, 1)
                side[1] = became[:len(variables)]
                seen.append(dict(zip(outputs, became[len(variables):])))
            if any(seen[0][s] != seen[1][s] and self.means(s[0], given, seen[0]) for s in outputs):
                return True
        return False

    def means(self, name, given, seen):
        """A payload does where its valid is 1."""
        valid = self.netlist.ports[name].get("valid")
        return not valid or given.get(valid, 0) or any(bit for (port, _), bit in seen.items() if port == valid)

    def shown(self, base, true):
        ports = {}
        for var, (name, bit) in self.netlist.free.items():
            if true(base[var]):
                ports[name] = ports.get(name, 0) | 1 << bit
        return ports

    def outputs_differ(self, changed, base):
        netlist, gates, value, bad = self.netlist, self.gates, Overlay(changed, base), []
        for signal in changed:
            for name, x in self.seen.get(signal, ()):
                valid = netlist.ports[name].get("valid") or ""
                means = gates.any(self.port(valid, base)) if valid else 1
                bad.append(gates.land(means, gates.xor(netlist.literal(value, x), netlist.literal(base, x))))
        return gates.any(bad)

    def port(self, name, base):
        netlist = self.netlist
        if netlist.ports[name]["direction"] in ("in", "input"):
            return [base[var] for var, port in netlist.free.items() if port[0] == name]
        return [netlist.literal(base, x) for (port, _), x in netlist.outputs.items() if port == name]

    def registers_differ(self, changed, base, following):
        """{register: what it becomes in the mutant, where that is another}."""
        netlist, value, found = self.netlist, Overlay(changed, base), {}
        memories = {self.writes[s] for s in changed if s in self.writes}
        memories |= {s[1] for s in changed if isinstance(s, tuple) and s[0] == "word"}
        for signal in changed:
            for r in self.becomes.get(signal, ()):
                found[r] = netlist.literal(value, netlist.latches[r])
        for n in memories:
            found.update(netlist.next_words(value, n))
        return {r: x for r, x in found.items() if x != following[r]}
