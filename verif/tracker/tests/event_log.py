#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
"""What `tracker` must hold, judged over the event log of runs (verif/tracker/event_rules.py has the rules), and every rule broken in
copies of the logs."""
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "tools")]
from event_rules import FREE_LAG, IDS, LAG, MODE, NEVER, RAY, REFUSED_AFTER, REPORT_BOUND, SLACK, WAVE, Segment, complaints, events_of  # noqa: E402
from testlib import Problem, describe, finish, its_turn, later, options, report, run_program, text_of  # noqa: E402


def recorded(values, arguments, folder):
    """The events of a run."""
    wave = Path(folder) / "run.vcd"
    run = run_program("check", "tracker", *options(values), *arguments, "--wave", wave, "-q", timeout=150)
    if run.returncode:
        raise Problem(f"check tracker {text_of(values)} {' '.join(arguments)}: {run.stderr.strip() or run.stdout.strip()}")
    full = {p["name"]: p["value"] for p in describe("tracker", values)["parameters"]}
    log, cycles = events_of(wave, full)
    return full, log, cycles


# ---- wrong logs ----

def ordered(log):
    log.sort(key=lambda e: e["cycle"])
    return log


class Planted:
    """One fault each in a copy of a log: a method gives, for each place that fits, what makes the wrong log."""

    def __init__(self, values, log, cycles):
        self.values, self.cycles = values, cycles
        self.log = log
        self.segment = Segment(values, [e for e in log if e["what"] not in ("reset", "cleared")], cycles - 1)
        self.at = {id(e): n for n, e in enumerate(log)}

    def edit(self, *changes):
        """Some fields of some events changed; None for the fields drops an event."""
        def wrong():
            new = list(self.log)
            for event, fields in changes:
                n = self.at[id(event)]
                new[n] = new[n] | fields if fields is not None else None
            return ordered([e for e in new if e])
        return wrong

    def add(self, *events):
        return lambda: ordered([*self.log, *events])

    def swapped(self, a, b):
        keys = set(a) - {"cycle", "offered", "what"}
        return self.edit((a, {k: b[k] for k in keys}), (b, {k: a[k] for k in keys}))

    def middle(self, items):
        """Those whose output is far from both ends of the log."""
        return [i for i in items if i.out and self.cycles // 8 < i.out["cycle"] < self.cycles * 3 // 4]

    def pairs(self, path):
        line = self.segment.outputs(path)
        return [(a, b) for a, b in zip(line, line[1:]) if self.cycles // 8 < a.out["cycle"] < self.cycles * 3 // 4]

    def dropped_output(self):
        return [self.edit((w.out, None)) for w in self.middle(self.segment.waves) if w.cls != RAY]

    def dropped_state(self):
        return [self.edit((i.out, None)) for i in self.middle(self.segment.states)]

    def dropped_fast(self):
        return [self.edit((f.out, None)) for f in self.middle(self.segment.fasts)]

    def doubled_output(self):
        return [self.add(w.out | {"cycle": w.out["cycle"] + 1, "offered": w.out["cycle"] + 1})
                for w in self.middle(self.segment.waves)]

    def output_from_nowhere(self):
        return [self.add(w.out | {"payload": w.payload ^ 5, "used": 0, "warp": w.warp ^ 1}) for w in self.middle(self.segment.waves)
                if w.instruction.members[-1] is w and w.end]

    def changed_payload(self):
        return [self.edit((w.out, {"payload": w.payload ^ 1})) for w in self.middle(self.segment.waves)]

    def changed_end(self):
        return [self.edit((w.out, {"end": 1 - w.end})) for w in self.middle(self.segment.waves) if w.cls != RAY]

    def changed_slot(self):
        return [self.edit((w.out, {"dslots": (w.dslots[0] ^ 1, *w.dslots[1:])}))
                for w in self.middle(self.segment.waves) if w.used & 1]

    def fill_of(self, w):
        """The fill that came last for this wavefront, and for the sector not again before it left."""
        for e in self.segment.of["fill"]:
            if e["cycle"] == w.there and e["bank"] < self.values["BANKS"] and w.used >> e["bank"] & 1 \
                    and w.dslots[e["bank"]] == e["dslot"] and w.sectors[e["bank"]] >> e["sector"] & 1:
                again = [f for f in self.segment.of["fill"] if w.there < f["cycle"] <= w.out["cycle"]
                         and all(f[k] == e[k] for k in ("bank", "dslot", "sector"))]
                return None if again else e
        return None

    def before_its_fill(self):
        return [self.edit((self.fill_of(w), {"cycle": w.out["offered"] + 1}))
                for w in self.middle(self.segment.waves) if self.fill_of(w)]

    def never_filled(self):
        return [self.edit((self.fill_of(w), None)) for w in self.middle(self.segment.waves) if self.fill_of(w)]

    def swapped_in_queue(self):
        return [self.swapped(a.out, b.out) for path in ("lg", "tex") for a, b in self.pairs(path)
                if a.instruction is b.instruction and a is not a.instruction.members[0] and a.queue is not None]

    def swapped_rays(self):
        return [self.swapped(a.out, b.out) for line in self.segment.lines().values() for a, b in zip(line, line[1:])
                if a.cls == b.cls == RAY and a.out and b.out and max(b.there, b.cycle) < a.out["offered"]]

    def torn_instruction(self):
        return [self.swapped(a.out, b.out) for path in ("lg", "tex") for a, b in self.pairs(path)
                if self.segment.together(a) and a.instruction is not b.instruction and len(a.instruction.members) > 1
                and None is not a.queue != b.queue is not None and b is b.instruction.members[0]
                and max([b.instruction.ended, *(m.there for m in b.instruction.members)]) < a.out["offered"]]

    def early_release(self):
        found = []
        for w in self.middle(self.segment.waves):
            i, f = w.instruction, self.fill_of(w)
            if self.segment.together(w) and f and w is not i.members[0] and i.members[0].out and w.chunk is i.members[0].chunk \
                    and i.members[0].out["offered"] < w.out["offered"] - 1 and sum(m in i.members for m in self.naming(f)) == 1:
                found.append(self.edit((f, {"cycle": i.members[0].out["offered"]})))
        return found

    def tex_neighbours(self, state_first):
        """Exchanges a state packet and the wavefront behind or before it."""
        line = sorted((i for i in self.segment.items if i.out and i.path() == "tex"), key=lambda i: i.out["cycle"])
        return [self.swapped(a.out, b.out) for a, b in zip(line, line[1:]) if (a.kind, b.kind) == (
            ("state", "wave") if state_first else ("wave", "state")) and max(b.cycle, getattr(b, "there", 0)) < a.out["offered"]]

    def state_too_early(self):
        return self.tex_neighbours(False)

    def state_too_late(self):
        return self.tex_neighbours(True)

    def swapped_states(self):
        line = [s for s in self.segment.states if s.out]
        return [self.swapped(a.out, b.out) for a, b in zip(line, line[1:]) if a.before == b.before]

    def swapped_fast(self):
        line = self.middle(self.segment.fasts)
        return [self.swapped(a.out, b.out) for a, b in zip(line, line[1:]) if b.cycle < a.out["cycle"]]

    def fast_too_late(self):
        found, waves = [], self.segment.waves
        for f in self.middle(self.segment.fasts):
            first = min((w.out["offered"] for w in waves if w.cycle >= f.cycle and w.out), default=NEVER)
            to = max(first, f.out["cycle"])
            if to < self.cycles - 50 and not any(a["offered"] > f.cycle and a["cycle"] <= to for a, _ in self.segment.allocs):
                found.append(self.edit((f.out, {"cycle": to})))
        return found

    def passed_guard(self):
        found = []
        for a, _ in self.segment.allocs:
            for f in self.segment.fasts:
                if f.out and f.cycle < a["offered"] and f.out["cycle"] >= a["cycle"] - 3:
                    found.append(self.edit((f.out, {"cycle": a["cycle"] + 1})))
        return found

    def missing_report(self):
        return [self.edit((f, None)) for f in self.segment.of["free"] if self.cycles // 8 < f["cycle"] < self.cycles * 3 // 4
                and not any(f["cycle"] - LAG < w.cycle < f["cycle"] + 2 * REPORT_BOUND for w in self.naming(f))]

    def naming(self, e):
        return [w for w in self.segment.waves if w.used >> e["bank"] & 1 and w.dslots[e["bank"]] == e["dslot"]]

    def doubled_report(self):
        return [self.add(f | {"cycle": f["cycle"] + 1}) for f in self.segment.of["free"]
                if sum(-REPORT_BOUND - FREE_LAG <= w.left() - f["cycle"] <= 1 for w in self.naming(f)) == 1
                and not any((t["bank"], t["dslot"]) == (f["bank"], f["dslot"]) for t in self.segment.tokens)]

    def early_report(self):
        found = []
        for w in self.middle(self.segment.waves):
            if w.used and w.cycle < w.out["cycle"] - 2 * FREE_LAG:
                b = next(b for b in range(self.values["BANKS"]) if w.used >> b & 1)
                found.append(self.add({"what": "free", "cycle": w.out["cycle"] - 1, "bank": b, "dslot": w.dslots[b]}))
        return found

    def missing_token_report(self):
        """Of a saturated data slot that nobody names soon after."""
        found = []
        for t in self.segment.tokens:
            spans = self.segment.saturated.get((t["bank"], t["dslot"]), [])
            end = max(t["alone"], self.segment.reclaimed(t["before"])) + REPORT_BOUND
            if any(a < t["cycle"] <= z for a, z in spans) and not any(t["alone"] < w.cycle <= end for w in self.naming(t)):
                found.append(self.edit(*((f, None) for f in self.segment.of["free"] if t["alone"] < f["cycle"] <= end
                                         and (f["bank"], f["dslot"]) == (t["bank"], t["dslot"]))))
        return found

    def saturated_report(self):
        return [self.add({"what": "free", "cycle": a + LAG, "bank": b, "dslot": d})
                for (b, d), spans in self.segment.saturated.items() for a, z in spans if a + LAG < min(z, self.cycles)]

    def errors(self, field, codes):
        return [e for e in self.segment.of["err"] if e[field] in codes]

    def allocation_let_through(self):
        asked = {a["cycle"]: a for a in self.segment.of["alloc"]}
        return [self.edit((e, {"alloc": 0})) for e in self.errors("alloc", (2, 3)) for a in [asked[e["cycle"] - REFUSED_AFTER]]
                if any(w.cycle < a["cycle"] and w.left() > e["cycle"] for w in self.naming(a))]

    def allocation_refused(self):
        return [self.add({"what": "err", "cycle": a["cycle"] + REFUSED_AFTER, "in": 0, "alloc": 2})
                for a, code in self.segment.allocs if not code and a["cycle"] + REFUSED_AFTER not in self.segment.errors
                and not any((t["bank"], t["dslot"]) == (a["bank"], a["dslot"]) for t in self.segment.tokens)
                and not any(w.cycle < a["cycle"] and w.left() >= a["cycle"] - LAG for w in self.naming(a))]

    def mode_without_waiting(self):
        return [self.add({"what": "access", "cycle": t, "write": 1, "addr": MODE, "data": 2},
                         {"what": "answer", "cycle": t + 2, "error": 0})
                for t in range(self.cycles // 4, self.cycles // 2, 37)
                if not any(t - 2 <= e["cycle"] <= t + 2 for e in self.segment.of["access"] + self.segment.of["answer"])
                and sum(w.cycle < t for w in self.segment.waves) - sum(w.left() <= t + 40 for w in self.segment.waves) > 0
                and sum(t + SLACK < w.cycle < t + 30 for w in self.segment.waves) > 8]

    def more_than_the_pool(self):
        wave = {"what": "in", "kind": WAVE, "class": RAY, "warp": 0, "end": 1, "used": 0, "dslots": (0,) * self.values["BANKS"],
                "sectors": (0,) * self.values["BANKS"], "bank": 0}
        return [lambda: [wave | {"cycle": n, "payload": n} for n in range(self.values["ENTRIES"] + 1 + REFUSED_AFTER)]]

    def taken_in_spite(self):
        return [self.edit((e, {"in": 0})) for e in self.errors("in", (1, 2, 3, 4, 5))]

    def wrong_code(self):
        return [self.edit((e, {"in": 7})) for e in self.errors("in", (1, 2, 3, 4, 5))]

    def refused_without_reason(self):
        return [self.add({"what": "err", "cycle": w.cycle + REFUSED_AFTER, "in": 2, "alloc": 0})
                for w in self.middle(self.segment.waves) if w.cycle + REFUSED_AFTER not in self.segment.errors]

    def offer_withdrawn(self):
        return [self.add({"what": "moved", "cycle": e["cycle"] + 1, "port": e["port"]}) for e in self.segment.of["blocked"]]

    def hang(self):
        """From some cycle on nothing comes but fills, and nothing leaves; what had fallen to zero is still reported."""
        def wrong(t):
            new = [e for e in self.log if e["cycle"] < t or e["what"] == "fill" or (e["what"] == "err" and e["cycle"] < t + REFUSED_AFTER)]
            freed = {}
            for w in self.segment.waves:
                if w.cycle < t:
                    freed |= {(b, d): max(freed.get((b, d), 0), w.left()) for b, d in enumerate(w.dslots) if w.used >> b & 1}
            for f in self.segment.of["free"]:
                if freed.get((f["bank"], f["dslot"]), t) < f["cycle"] < t:
                    del freed[f["bank"], f["dslot"]]
            return ordered(new + [{"what": "free", "cycle": t + FREE_LAG, "bank": b, "dslot": d} for (b, d), left in freed.items()
                                  if left < t])
        return [lambda t=t: wrong(t) for t in range(self.cycles // 8, self.cycles // 2, self.cycles // 40)
                if any(w.cycle < t - REPORT_BOUND // 4 and w.left() > t + LAG for w in self.segment.waves)]


FAULTS = {  # what is planted: the rule that complains
    "dropped_output": "once", "dropped_state": "once", "dropped_fast": "once", "doubled_output": "once", "output_from_nowhere": "once",
    "changed_payload": "payload", "changed_end": "payload", "changed_slot": "payload", "before_its_fill": "valid", "never_filled": "valid",
    "swapped_in_queue": "queue", "swapped_rays": "queue", "torn_instruction": "torn", "early_release": "release", "state_too_early": "state",
    "state_too_late": "state", "swapped_states": "state", "swapped_fast": "fast", "fast_too_late": "fast", "passed_guard": "guard",
    "missing_report": "count", "doubled_report": "count", "early_report": "count", "missing_token_report": "count",
    "saturated_report": "count", "allocation_let_through": "alloc",
    "allocation_refused": "alloc", "mode_without_waiting": "mode", "more_than_the_pool": "pool", "taken_in_spite": "refused",
    "wrong_code": "refused", "refused_without_reason": "refused", "offer_withdrawn": "hold", "hang": "progress"}
PLACES = 4  # at which each fault is planted, spread over each log


def main():
    small = {"QUEUES": 3, "ENTRIES": 16, "BANKS": 2, "DSLOTS": 16, "WARPS": 5, "PAYLOAD_W": 40, "COMMIT_FIFO": 2, "REF_W": 3}
    tiny = {"QUEUES": 2, "ENTRIES": 4, "BANKS": 1, "DSLOTS": 2, "SECTORS": 1, "WARPS": 1, "PAYLOAD_W": 12, "COMMIT_FIFO": 2,
            "STATE_Q": 1, "FAST_Q": 1, "FLUSH_Q": 1, "REF_W": 2}
    free = {"QUEUES": 5, "ENTRIES": 16, "BANKS": 2, "DSLOTS": 9, "SECTORS": 3, "WARPS": 7, "PAYLOAD_W": 20, "COMMIT_FIFO": 3,
            "REF_W": 3, "ALLOC": "free_list", "COMMITS": 2, "INTERLOCK": "per_queue"}
    single = {"QUEUES": 17, "ENTRIES": 32, "BANKS": 2, "DSLOTS": 12, "SECTORS": 1, "WARPS": 33, "PAYLOAD_W": 31, "STATE_Q": 17,
              "REF_W": 3, "COMMITS": 2, "INTERLOCK": "per_queue", "LG_RELEASE": "wavefront"}
    profiles = [s["name"] for s in describe("tracker")["stimuli"] if s["kind"] == "random" and s["name"] not in ("halts", "breaks", "blocked")]
    runs = [("default", {}, ["mixed", "all_queues", "long"]), ("3 queues", small, profiles), ("2 queues, 4 entries", tiny, ["mixed", "modes"]),
            ("free list", free, ["mixed", "state", "counts"]), ("wavefronts", single, ["mixed", "interlock"])]
    planted = defaultdict(list)  # fault: what the checks say at each place
    with tempfile.TemporaryDirectory() as folder:
        for name, values, kinds in runs:
            found = []
            for kind in kinds:
                full, log, cycles = recorded(values, ["--stimulus", f"random:{kind}", "--cycles", "3000", "--seed", "1"], folder)
                found += [f"random:{kind} seed 1: {text}" for _, text in complaints(full, log, cycles)]
                if (name, kind) in (("3 queues", "mixed"), ("3 queues", "errors"), ("free list", "mixed"), ("free list", "counts")):
                    plant(planted, full, log, cycles)
            report(f"{name}: every rule holds over the event log ({len(kinds)} stimuli)", "; ".join(found[:5]),
                   "TR-0 TR-2 TR-3 TR-7 TR-8 TR-9 TR-10 TR-11 TR-12 TR-13 TR-14 TR-17")
    for place, (fault, rule) in enumerate(FAULTS.items()):
        if not its_turn(place):
            later(f"planted: {fault.replace('_', ' ')}", IDS[rule])
            continue
        said = planted[fault]
        problem = "" if said else "no place for it in these logs"
        if any(rule not in s for s in said):
            problem = f"at {sum(rule not in s for s in said)} of {len(said)} places no complaint of '{rule}'"
        elif said and {rule} not in said:
            problem = f"not '{rule}' alone at any place but {sorted(set().union(*said))}"
        report(f"planted: {fault.replace('_', ' ')}", problem, IDS[rule])
    finish()


def plant(planted, values, log, cycles):
    faults = Planted(values, log, cycles)
    for fault in (f for place, f in enumerate(FAULTS) if its_turn(place)):
        logs = getattr(faults, fault)()
        for make in logs[::max(1, len(logs) // PLACES)][:PLACES]:
            wrong = make()
            planted[fault].append({rule for rule, _ in complaints(values, wrong, wrong[-1]["cycle"] + 1)})


if __name__ == "__main__":
    try:
        main()
    except Problem as e:
        report("event log", e)
        finish()
