# SPDX-License-Identifier: Apache-2.0
"""An independent checker of what `tracker` must hold, over the event log of a run: what its ports took and gave, and when.

It knows the ports and registers as the datasheet gives them and the rules TR-0 to TR-18, nothing of the golden model, the C
model or the RTL. A run's waveform becomes a list of events (`events_of`); `complaints` matches every output with the packet that
was taken, then judges each rule by itself, so that one fault gives one kind of complaint. The rules, by the name that each
message begins with:

    once      TR-14  every packet leaves once: no output is lost, none comes twice or from nowhere
    payload   TR-0   with payload and fields as they came
    valid     TR-7   a wavefront is offered only after the fills that it needs
    queue     TR-9   order within a queue, on each output (TR-2 says which queue)
    torn      TR-9   no other instruction leaves between the wavefronts of one
    release   TR-9   an instruction begins to leave when all of it is there, or its first group is and nothing older has not left
    state     TR-11  state packets in order, behind all that is older, before all younger texture
    fast      TR-12  fast packets in order, before every younger wavefront
    guard     TR-12  an allocation does not pass a fast packet that was there before it was offered
    count     TR-13  reports of data slots: when the tracked references have fallen to zero, once, none missing, none when saturated
    alloc     TR-13  an allocation of a data slot with references or a waiting token is refused, another one is not
    mode      TR-2   after a new mode, split or group size the input waits until nothing is left inside
    pool      TR-3   no more wavefronts inside than the pool has entries (in order: no longer span of ages)
    refused   TR-17  what breaks a rule of the input is refused, with a code that fits, nothing else is
    hold      TR-14  what is offered holds still until taken
    progress  TR-8   nothing waits for ever: when all that the oldest packet needs is there, it is offered at most 64 + 4 * QUEUES
                     cycles later, not counting to the last output that was taken or not read meanwhile

Not judged, since no port shows it: that links do not cross queues and no entry is in two lists (what follows is: once, queue),
order between the two outputs of a queue (none is promised), the release of the second and later groups of an instruction beyond
`valid` and `torn`, the value of a reference count other than zero and saturated (a count that has been within `LAG` cycles of
saturation is left alone until a token or a reset). Where a register write comes so close to a packet that either setting may hold
for it, queues and groups are left open until that is settled; where a round robin may or may not have begun anew (a write of the
same value, or of the group size), those of ray traversal are. Fills while memories are cleared after a reset are left out. Runs with
STATUS (TR-16) are not among these: a context that is loaded puts other packets inside.
"""
import bisect
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from waveform import cycles_of  # noqa: E402

NEVER = 1 << 60
REFUSED_AFTER, FREE_LAG = 4, 4  # cycles, from the port table and TR-13
SLACK = 8  # cycles in which a register write may have reached the input, or not
LAG = 16  # cycles in which a drained reference may still be counted
RECLAIM_LAG = 4  # TR-5: the head is known so late
REPORT_BOUND = 32  # cycles from a fall to zero, or from the turn of a token, to its report
IDS = {"once": "TR-14", "payload": "TR-0", "valid": "TR-7", "queue": "TR-2 TR-9", "torn": "TR-9", "release": "TR-9 TR-10",
       "state": "TR-11", "fast": "TR-12", "guard": "TR-12", "count": "TR-13", "alloc": "TR-13 TR-17", "mode": "TR-2",
       "pool": "TR-3 TR-15", "refused": "TR-17", "hold": "TR-14", "progress": "TR-8"}
LG, TEX, RAY = 0, 1, 2
WAVE, STATE, TOKEN, CLOSE = 0, 1, 2, 3
MODE, SPLIT, GROUP = 4, 8, 12  # addresses


# ---- from a waveform to events ----

def parts(value, width, count):
    return tuple(value >> i * width & (1 << width) - 1 for i in range(count))


def events_of(path, values):
    """([{cycle, what, ...}], number of cycles) of a run; fields are named like the ports."""
    banks, sectors, wide = values["BANKS"], values["SECTORS"], max(1, (values["DSLOTS"] - 1).bit_length())
    log, since, shown, cycle, clearing = [], {}, {}, -1, False
    outputs = {"lg": ["class", "warp", "end", "used", "dslots", "payload"], "fast": ["payload"],
               "tex": ["state", "class", "warp", "end", "used", "dslots", "payload"]}

    def add(what, **fields):
        log.append({"cycle": cycle, "what": what, **fields})

    for cycle, v in enumerate(cycles_of(path, ("inputs", "rtl"))):
        if v["rst_i"]:
            add("reset")
            since, shown, clearing = {}, {}, True
            continue
        if clearing and (v["in_ready_o"] or v["alloc_ready_o"]):
            clearing = False
            add("cleared")
        if v["alloc_valid_i"]:
            since.setdefault("alloc", cycle)
            if v["alloc_ready_o"]:
                add("alloc", bank=v.get("alloc_bank_i", 0), dslot=v["alloc_dslot_i"], offered=since.pop("alloc"))
        if v["fast_in_valid_i"] and v["fast_in_ready_o"]:
            add("fast_in", payload=v["fast_in_payload_i"])
        if v["in_valid_i"] and v["in_ready_o"]:
            add("in", kind=v["in_kind_i"], end=v["in_end_i"], used=v["in_used_i"], dslots=parts(v["in_dslots_i"], wide, banks),
                sectors=parts(v["in_sectors_i"], sectors, banks), bank=v.get("in_bank_i", 0), warp=v.get("in_warp_i", 0),
                payload=v["in_payload_i"], **{"class": v["in_class_i"]})
        if v["fill_valid_i"]:
            add("fill", bank=v.get("fill_bank_i", 0), dslot=v["fill_dslot_i"], sector=v.get("fill_sector_i", 0))
        for name, fields in outputs.items():
            port = {f: v.get(f"{name}_out_{f}_o", 0) for f in fields}
            if name in shown and (not v[f"{name}_out_valid_o"] or port != shown.pop(name)):
                add("moved", port=name)
            if v[f"{name}_out_valid_o"]:
                since.setdefault(name, cycle)
                if v[f"{name}_out_ready_i"]:
                    if "dslots" in port:
                        port["dslots"] = parts(port["dslots"], wide, banks)
                    add(name, offered=since.pop(name), **port)
                else:
                    shown[name] = port
                    add("blocked", port=name)
        for b in range(banks):
            if v["free_valid_o"] >> b & 1:
                add("free", bank=b, dslot=parts(v["free_dslot_o"], wide, banks)[b])
        if v["err_valid_o"]:
            add("err", **{"in": v["err_in_o"], "alloc": v["err_alloc_o"]})
        if v["reg_rsp_valid_o"]:
            add("answer", error=v["reg_rsp_error_o"])
        if v["reg_req_valid_i"] and v["reg_req_ready_o"]:
            add("access", write=v["reg_req_write_i"], addr=v["reg_req_addr_i"], data=v["reg_req_data_i"])
    return log, cycle + 1


# ---- what the log says ----

class Instruction:
    def __init__(self):
        self.members, self.ended, self.state_inside, self.sure = [], NEVER, False, True


class Chunk:
    """Wavefronts that go together at least: up to the end of a group or of the instruction."""

    def __init__(self):
        self.members, self.closed = [], NEVER


class Item:
    """A packet that was taken and has to leave."""

    def __init__(self, event, kind, number):
        self.cycle, self.kind, self.number = event["cycle"], kind, number
        self.payload, self.cls, self.warp, self.end = event["payload"], event.get("class"), event.get("warp"), event.get("end")
        self.used, self.dslots, self.sectors = event.get("used", 0), event.get("dslots", ()), event.get("sectors", ())
        self.out, self.lost, self.queue, self.instruction, self.chunk = None, False, None, None, None
        self.before = 0  # wavefronts older than it

    def path(self):
        return "fast" if self.kind == "fast" else "tex" if self.kind == "state" or self.cls == TEX else "lg"

    def fields(self):
        return fields_of(self.path(), self.kind, self.cls, self.warp, self.end, self.used, self.dslots)

    def left(self):
        """When it left; a lost one is complained of elsewhere and holds nothing up."""
        return self.out["cycle"] if self.out else 0 if self.lost else NEVER

    def __str__(self):
        name = {"wave": "wavefront", "state": "state packet", "fast": "fast packet"}[self.kind]
        return f"{name} {self.number} (taken in cycle {self.cycle}, payload {self.payload:x})"


def fields_of(path, kind, cls, warp, end, used, dslots):
    if kind != "wave":
        return path, kind
    named = tuple(d if used >> b & 1 else None for b, d in enumerate(dslots))
    return path, kind, cls, warp, None if cls == RAY else end, used, named


class Segment:
    """The events between two resets, and all checks of them."""

    def __init__(self, values, events, last):
        self.v, self.events, self.last, self.complaints = values, events, last, []
        self.of = defaultdict(list)
        for e in events:
            self.of[e["what"]].append(e)
        self.errors = {e["cycle"]: e for e in self.of["err"]}
        self.saturated = {}  # data slot: when it is for sure, (from, to)
        self.tainted = set()  # data slots of packets that are already complained of: their counts cannot be right
        self.items, self.packets, self.tokens, self.allocs, self.named = [], [], [], [], []
        self.busy = sorted({e["cycle"] for e in events if e["what"] in ("blocked", "lg", "tex", "fast")})
        self.take()
        self.match()
        self.waves = [i for i in self.items if i.kind == "wave"]
        self.states = [i for i in self.items if i.kind == "state"]
        self.fasts = [i for i in self.items if i.kind == "fast"]
        self.map(lambda *_: None)
        self.find_lost()
        self.map(self.say)
        self.fills()
        for check in (self.valid, self.queue, self.torn, self.release, self.state, self.fast, self.guard, self.counts, self.pool,
                      self.hold, self.progress):
            check()

    def say(self, rule, cycle, text):
        self.complaints.append((rule, f"{rule}: cycle {cycle}: {text} [{IDS[rule]}]"))

    def code(self, event, field):
        """The refusal of what was taken, 0 for none, None where the log ends before it."""
        at = event["cycle"] + REFUSED_AFTER
        return None if at > self.last else self.errors.get(at, {}).get(field, 0)

    def in_range(self, bank, dslot):
        return bank < self.v["BANKS"] and dslot < self.v["DSLOTS"]

    def take(self):
        """What was taken, in order of age, and whether it was refused rightly as far as the input alone says."""
        v, opened, number = self.v, None, defaultdict(int)
        for e in self.events:
            if e["what"] == "fast_in":
                number["fast"] += 1
                self.items.append(Item(e, "fast", number["fast"]))
            elif e["what"] == "alloc":
                code = self.code(e, "alloc")
                if code is not None:
                    self.allocs.append((e, code))
            elif e["what"] == "in":
                code = self.code(e, "in")
                if code is None:
                    continue
                reasons, maybe = set(), set()
                if e["kind"] == WAVE:
                    named = [(b, d, s) for b, (d, s) in enumerate(zip(e["dslots"], e["sectors"])) if e["used"] >> b & 1]
                    same = opened and (opened.cls, opened.warp) == (e["class"], e["warp"])
                    reasons |= {1} if e["class"] > RAY else set()
                    reasons |= {2} if e["warp"] >= v["WARPS"] else set()
                    reasons |= {3} if opened and not same else set()
                    reasons |= {4} if any(d >= v["DSLOTS"] for _, d, _ in named) else set()
                    reasons |= {5} if any(not s for _, _, s in named) else set()
                    if any((t["bank"], t["dslot"]) == (b, d) for b, d, _ in named for t in self.tokens):
                        maybe = {6}
                elif e["kind"] == TOKEN:
                    reasons = set() if self.in_range(e["bank"], e["dslots"][0]) else {4}
                    maybe = {6} if any((t["bank"], t["dslot"]) == (e["bank"], e["dslots"][0]) for t in self.tokens) else set()
                if reasons and not code:
                    self.say("refused", e["cycle"], f"a packet is taken that is to be refused with code {min(reasons)}")
                elif code and code not in reasons | maybe:
                    self.say("refused", e["cycle"], f"a packet is refused with code {code}, of {sorted(reasons | maybe)} that fit")
                if reasons and not code or code and code not in reasons | maybe:
                    code = min(reasons, default=0)  # from here on as the rules want it
                item = None
                if e["kind"] == WAVE and (not code or (same and e["end"] and code in (4, 5, 6))):
                    number["wave"] += 1
                    item = Item(e, "wave", number["wave"])
                    item.used = 0 if code else item.used
                    if item.cls in (LG, TEX):
                        opened = None if item.end else item
                elif e["kind"] == STATE and not code:
                    number["state"] += 1
                    item = Item(e, "state", number["state"])
                elif e["kind"] == TOKEN and not code:
                    self.tokens.append({"cycle": e["cycle"], "bank": e["bank"], "dslot": e["dslots"][0], "before": number["wave"]})
                if item:
                    item.before = number["wave"] - (item.kind == "wave")
                    self.items.append(item)
                if e["kind"] != WAVE or item:
                    self.packets.append((e, item, code))
                if e["kind"] == WAVE and not code:
                    self.named += [(e["cycle"], b, d) for b, d, _ in named]

    def match(self):
        """Which packet each output is."""
        waiting, gone, rest = defaultdict(list), {}, []
        for i in self.items:
            waiting[i.fields(), i.payload].append(i)
        for e in sorted(self.of["lg"] + self.of["tex"] + self.of["fast"], key=lambda e: e["cycle"]):
            kind = "fast" if e["what"] == "fast" else "state" if e.get("state") else "wave"
            fields = fields_of(e["what"], kind, e.get("class"), e.get("warp"), e.get("end"), e.get("used"), e.get("dslots", ()))
            found = waiting[fields, e["payload"]]
            if found and found[0].cycle < e["cycle"]:
                found[0].out, gone[fields, e["payload"]] = e, found[0]
                found.pop(0)
            else:
                rest.append((e, fields))
        for e, fields in rest:
            here = f"{e['what']}_out, payload {e['payload']:x}"
            if (fields, e["payload"]) in gone:
                item = gone[fields, e["payload"]]
                self.taint(item)
                self.say("once", e["cycle"], f"{here}: {item} has left already")
                continue
            free = [i for i in self.items if not i.out and i.cycle < e["cycle"] and i.path() == e["what"]]
            alike = [i for i in free if i.fields() == fields] or \
                [i for i in free if i.payload == e["payload"] and i.kind == fields[1]]
            if alike:
                alike[0].out = e
                self.taint(alike[0])
                self.say("payload", e["cycle"], f"{here}: differs from {alike[0]}")
            else:
                self.say("once", e["cycle"], f"{here}: no packet like this is inside")

    def taint(self, item):
        if item.kind == "wave":
            self.tainted |= {(b, d) for b, d in enumerate(item.dslots)}

    def map(self, say):
        """The queue of each wavefront (None: one of several), instructions, groups; on the way, that the input waits (TR-2)."""
        v, answers = self.v, [a["cycle"] for a in self.of["answer"]]
        now = {MODE: 4, SPLIT: v["QUEUES"] // 2, GROUP: min(32, v["ENTRIES"] // 2, v["DSLOTS"] // 2)}
        writes, good = [], {a["cycle"] for a in self.of["answer"] if not a["error"]}
        for a in self.of["access"]:
            at = bisect.bisect_right(answers, a["cycle"])
            if a["write"] and a["addr"] in now and at < len(answers) and answers[at] in good:
                writes.append(a)
        sure, turn, opened, chunk, empty, done = True, {0}, None, None, 0, 0
        pending, at = {}, 0
        for e, item, code in self.packets:
            t = e["cycle"]
            while writes and writes[0]["cycle"] < t:
                w = writes.pop(0)
                pending[w["addr"]], at = w["data"], w["cycle"]
            if pending and not opened:
                late = t - at > SLACK
                if empty < t:  # all that was taken has left
                    low = self.first(now | pending)
                    fresh = pending.get(MODE, now[MODE]) != now[MODE] or \
                        (now | pending)[MODE] == 3 and pending.get(SPLIT, now[SPLIT]) != now[SPLIT]
                    turn = {low} if fresh and late and sure else turn | {low}
                    done, sure = (done, True) if late else (t, False)
                    if not late and now | pending == now:
                        sure = True  # the same values: nothing is open but the turn
                    now = now | pending
                    pending = {} if late or sure else pending
                elif late and sure and any(pending[a] != now[a] for a in pending):
                    say("mode", t, f"a packet is taken, but what came before the write of cycle {at} has not all left")
                    pending = {}
                elif late:
                    pending, sure = {}, True  # it was taken at once, or nothing is new
            if item and item.kind == "wave":
                empty = max(empty, item.left())
                if item.cls == RAY:
                    low, count = self.first(now), self.first(now, True)
                    turn = {q if low <= q < low + count else low for q in turn}
                    item.queue = 0 if now[MODE] == 1 and sure else min(turn) if len(turn) == 1 and sure else None
                    turn = {low + (q - low + 1) % count for q in turn}
                    item.instruction, item.chunk = Instruction(), Chunk()
                    item.chunk.members, item.chunk.closed = [item], t
                    item.instruction.members, item.instruction.ended = [item], t
                    continue
                count = 1 if now[MODE] < 3 else now[SPLIT] if now[MODE] == 3 else v["QUEUES"]
                item.queue = item.warp % count if sure else None
                opened = opened or Instruction()
                chunk = chunk or Chunk()
                item.instruction, item.chunk = opened, chunk
                opened.members.append(item)
                opened.sure = opened.sure and sure
                chunk.members.append(item)
                if item.end:
                    opened.ended = chunk.closed = t
                    opened = chunk = None
                elif len(chunk.members) >= now[GROUP]:
                    chunk.closed, chunk = t, None
            elif not code:
                if opened and e["kind"] == STATE:
                    opened.state_inside = True
                if chunk:
                    chunk.closed, chunk = t, None

    def first(self, now, count=False):
        """The lowest queue of ray traversal, or how many there are."""
        low = {1: 0, 2: 1, 3: now[SPLIT], 4: 0}[now[MODE]]
        return (1 if now[MODE] == 1 else self.v["QUEUES"] - low) if count else low

    def lines(self):
        """Wavefronts by queue and output, oldest first."""
        lines = defaultdict(list)
        for w in self.waves:
            if w.queue is not None:
                lines[w.queue, w.path()].append(w)
        return lines

    def together(self, w):
        return w.cls == TEX or (w.cls == LG and self.v["LG_RELEASE"] == "instruction")

    def find_lost(self):
        """What never left although something behind it did."""
        for line in [*self.lines().values(), self.states, self.fasts]:
            behind = None
            for i in reversed(line):
                if i.out:
                    behind = i
                elif behind:
                    self.lose(i, behind)
        for path in ("lg", "tex"):
            outs = self.outputs(path)
            for a, b in zip(outs, outs[1:]):
                if self.together(a) and a.instruction is not b.instruction:
                    for i in a.instruction.members:
                        if not i.out and not i.lost and i.cycle < b.out["cycle"]:
                            self.lose(i, b)

    def lose(self, i, behind):
        i.lost = True
        self.taint(i)
        self.say("once", behind.out["cycle"], f"{i} never left; {behind} did")

    def outputs(self, path):
        return sorted((w for w in self.waves if w.out and w.path() == path), key=lambda w: w.out["cycle"])

    def fills(self):
        """When the last sector that each wavefront needs became valid."""
        filled, given = defaultdict(list), defaultdict(list)
        early = {(a["bank"], a["dslot"], a["cycle"] + n) for a, _ in self.allocs for n in range(4)}  # has no effect
        for f in self.of["fill"]:
            if (f["bank"], f["dslot"], f["cycle"]) not in early:
                filled[f["bank"], f["dslot"], f["sector"]].append(f["cycle"])
        for a, code in self.allocs:
            if not code:
                given[a["bank"], a["dslot"]].append(a["cycle"])
        for w in self.waves:
            w.there = w.cycle
            for b, (d, sectors) in enumerate(zip(w.dslots, w.sectors)):
                if w.used >> b & 1:
                    at = bisect.bisect_right(given[b, d], w.cycle)
                    since = given[b, d][at - 1] if at else -1
                    for s in range(self.v["SECTORS"]):
                        if sectors >> s & 1:
                            times = filled[b, d, s]
                            at = bisect.bisect_right(times, since)
                            w.there = max(w.there, times[at] if at < len(times) else NEVER)

    def valid(self):
        for w in self.waves:
            if w.out and w.there >= w.out["offered"]:
                when = "never came" if w.there == NEVER else f"came in cycle {w.there}"
                self.say("valid", w.out["offered"], f"{w} is offered, the last fill that it needs {when}")

    def queue(self):
        for (q, path), line in self.lines().items():
            newest = None
            for w in line:
                if w.out and newest and w.out["cycle"] < newest.out["cycle"]:
                    self.say("queue", w.out["cycle"], f"{w} leaves by {path}_out before {newest}, older in queue {q}")
                newest = w if w.out and not (newest and w.out["cycle"] < newest.out["cycle"]) else newest

    def torn(self):
        for path in ("lg", "tex"):
            held = None
            for w in self.outputs(path):
                if held and w.instruction is not held.instruction:
                    self.say("torn", w.out["cycle"], f"{w} leaves within the instruction of {held}")
                    held = None
                left = [i for i in w.instruction.members if i.left() > w.out["cycle"]] or w.instruction.ended == NEVER
                held = w if self.together(w) and left else None

    def release(self):
        before, oldest = 0, {}
        for w in self.waves:
            oldest[w.number] = before
            before = max(before, w.left())
        seen = set()
        for w in self.waves:
            i = w.instruction
            if not self.together(w) or id(i) in seen or not i.sure:
                continue
            seen.add(id(i))
            outs = [m.out["offered"] for m in i.members if m.out]
            if not outs or not i.members[0].out:
                continue
            o = min(outs)
            whole = max([i.ended, *(m.there for m in i.members)])
            group = max([w.chunk.closed, *(m.there for m in w.chunk.members)])
            if any(m.out and m.out["offered"] <= m.there for m in i.members):
                continue  # `valid` complains
            if group >= o:
                self.say("release", o, f"{w} is offered before its instruction or group is complete and its data there")
            elif (whole >= o or i.state_inside and w.cls == TEX) and oldest[w.number] >= o:
                self.say("release", o, f"{w} is offered, but only its group may go, and older wavefronts have not left")

    def state(self):
        """In order, behind everything older, before all younger texture."""
        gone, at, newest = 0, 0, None
        for s in self.states:
            for w in self.waves[at:s.before]:
                gone = max(gone, w.left())
            at = s.before
            if s.out and gone >= s.out["offered"]:
                self.say("state", s.out["offered"], f"{s} is offered before all older wavefronts have left")
            elif s.out and newest and s.out["cycle"] < newest.out["cycle"]:
                self.say("state", s.out["cycle"], f"{s} leaves before {newest}, which is older")
            newest = s if s.out else newest
        gone, at = 0, 0
        for w in self.waves:
            while at < len(self.states) and self.states[at].before < w.number:
                gone = max(gone, self.states[at].left())
                at += 1
            if w.cls == TEX and w.out and gone > w.out["cycle"]:
                self.say("state", w.out["cycle"], f"{w} leaves before an older state packet")

    def fast(self):
        newest = None
        for f in self.fasts:
            if f.out and newest and f.out["cycle"] < newest.out["cycle"]:
                self.say("fast", f.out["cycle"], f"{f} leaves before {newest}, which is older")
            newest = f if f.out else newest
        gone, at = 0, 0
        for w in self.waves:
            while at < len(self.fasts) and self.fasts[at].cycle <= w.cycle:
                gone = max(gone, self.fasts[at].left())
                at += 1
            if w.out and gone >= w.out["offered"]:
                self.say("fast", w.out["offered"], f"{w} is offered before an older fast packet has left")

    def guard(self):
        if not self.v["FAST_GUARD"]:
            return
        gone, at = 0, 0
        for a, _ in self.allocs:
            while at < len(self.fasts) and self.fasts[at].cycle < a["offered"]:
                gone = max(gone, self.fasts[at].left())
                at += 1
            if gone > a["cycle"]:
                self.say("guard", a["cycle"], f"the allocation of data slot {a['dslot']} of bank {a['bank']}, offered in cycle "
                         f"{a['offered']}, passes a fast packet")

    def counts(self):
        """Reports and allocations of each data slot against the references that were taken and drained."""
        slots = defaultdict(lambda: defaultdict(list))
        gone = [0]
        for w in self.waves:
            gone.append(max(gone[-1], w.left()))
            for b, d in enumerate(w.dslots):
                if w.used >> b & 1:
                    slots[b, d]["up"].append(w.cycle)
                    if w.out:
                        slots[b, d]["down"].append(w.out["cycle"])
        for t in self.tokens:
            t["alone"] = max(gone[t["before"]], t["cycle"])
            slots[t["bank"], t["dslot"]]["token"].append(t)
        for f in self.of["free"]:
            slots[f["bank"], f["dslot"]]["free"].append(f["cycle"])
        for a, code in self.allocs:
            slots[a["bank"], a["dslot"]]["alloc"].append((a["cycle"], code))
        for t, b, d in self.named:
            if any(k["cycle"] < t and k["alone"] > t + REFUSED_AFTER for k in slots[b, d]["token"]):
                self.say("refused", t, f"a wavefront names data slot {d} of bank {b}, for which a flush token waits")
        for (b, d), s in slots.items():
            if (b, d) not in self.tainted:
                self.slot(f"data slot {d} of bank {b}", b, d, s)

    def slot(self, name, b, d, s):
        up, down, tokens, most = s["up"], sorted(s["down"]), s["token"], (1 << self.v["REF_W"]) - 1
        free = s["free"]

        def by(times, t):
            return bisect.bisect_right(times, t)

        # when it is saturated for sure, when it may be: (from, to)
        surely, maybe = [], []
        for t in up:
            end = next((k["alone"] for k in tokens if k["cycle"] > t), NEVER)
            base = max((k["alone"] for k in tokens if k["alone"] < t), default=-1)
            ups = by(up, t) - by(up, base)
            if ups - (by(down, t - LAG) - by(down, base)) >= most:
                maybe.append((t, end + LAG))
            if ups - (by(down, t + LAG) - by(down, base)) >= most:
                surely.append((t, end))

        self.saturated[b, d] = surely

        def within(spans, t):
            return any(a <= t <= z for a, z in spans)

        # times at which the count falls to zero, with references that count FREE_LAG cycles late
        falls, count = [], 0
        for t, step in sorted([(t + FREE_LAG, 1) for t in up] + [(t, -1) for t in down]):
            falls += [t] if step < 0 and count == 1 else []
            count += step
        open_tokens = sorted(k["alone"] for k in tokens)
        for r in free:
            falls = [t for t in falls if t >= r - REPORT_BOUND]
            here = f"{name} is reported free"
            if by(up, r - FREE_LAG) > by(down, r - 1):
                self.say("count", r, f"{here} with {by(up, r - FREE_LAG) - by(down, r - 1)} references")
            elif within(surely, r) and not any(k["cycle"] < r and k["alone"] < r for k in tokens):
                self.say("count", r, f"{here}, but it is saturated")
            elif falls and falls[0] < r:
                falls.pop(0)
            elif open_tokens and open_tokens[0] < r:
                open_tokens.pop(0)
            else:
                self.say("count", r, f"{here} once more than its references fell to zero")
        for t in down:
            zero = by(up, t) == by(down, t) and t < self.last - REPORT_BOUND and not within(maybe, t)
            if zero and by(up, t + REPORT_BOUND) == by(up, t) and by(free, t + REPORT_BOUND) == by(free, t):
                self.say("count", t, f"the references of {name} fall to zero, and no report comes")
        for k in tokens:
            end = max(k["alone"], self.reclaimed(k["before"])) + REPORT_BOUND
            silent = by(free, end) == by(free, k["alone"]) and by(up, end) == by(up, k["alone"])
            if within(surely, k["cycle"]) and end < self.last and silent:
                self.say("count", end, f"the flush token of cycle {k['cycle']} for {name} is not reported")
        for t, code in s["alloc"]:
            waits = [k for k in tokens if k["cycle"] < t and k["alone"] + REPORT_BOUND + self.v["ENTRIES"] > t]
            ups = by(up, t - 1)
            must = {1} if not self.in_range(b, d) else set()
            must |= {2} if ups > by(down, t + REFUSED_AFTER) or any(a < t < z for a, z in surely) else set()
            must |= {3} if any(k["alone"] > t + REFUSED_AFTER for k in waits) else set()
            may = must | ({2} if ups > by(down, t - LAG) or within(maybe, t) else set()) | ({3} if waits else set())
            if must and not code:
                self.say("alloc", t, f"{name} is given away, but is to be refused with code {min(must)}")
            elif code and code not in may:
                self.say("alloc", t, f"{name} is refused with code {code}, of {sorted(may)} that fit")

    def reclaimed(self, n):
        """When the first n wavefronts are reclaimed at the latest: one a cycle (TR-5)."""
        if not hasattr(self, "reclaim"):
            self.reclaim = [0]
            for w in self.waves:
                self.reclaim.append(max(self.reclaim[-1] + 1, w.left() + RECLAIM_LAG))
        return self.reclaim[n]

    def pool(self):
        entries, ordered = self.v["ENTRIES"], self.v["ALLOC"] == "in_order"
        gone, inside, span = [], sorted(w.left() for w in self.waves), 0
        for n, w in enumerate(self.waves):
            gone.append(max(gone[-1] if gone else 0, w.left()))
            limit = entries if ordered else 4 * entries
            span = n + 1 - limit  # so many of the oldest must have left
            if span > 0 and gone[span - 1] >= w.cycle:
                self.say("pool", w.cycle, f"{w} is taken while one {limit} before it is inside")
                return
            if n + 1 - bisect.bisect_left(inside, w.cycle) > entries:
                self.say("pool", w.cycle, f"{w} is taken while {entries} are inside")
                return

    def hold(self):
        for m in self.of["moved"]:
            self.say("hold", m["cycle"], f"what {m['port']}_out offers changes before it is taken")

    def progress(self):
        """Each packet, when it is the oldest, is offered in time; anything that moves or is not read starts the time anew."""
        bound = 64 + 4 * self.v["QUEUES"]
        state, fast, at, fast_at = 0, 0, 0, 0
        needs = []
        for w in self.waves:
            while at < len(self.states) and self.states[at].before < w.number:
                state = max(state, self.states[at].left())
                at += 1
            while fast_at < len(self.fasts) and self.fasts[fast_at].cycle <= w.cycle:
                fast = max(fast, self.fasts[fast_at].left())
                fast_at += 1
            own = [w.there, w.cycle]
            if self.together(w):
                own = [w.chunk.closed, *(m.there for m in w.chunk.members)] if w.instruction.sure else [NEVER]
            needs.append((w, max([*own, fast, self.reclaimed(w.before), state if w.cls == TEX else 0])))
        needs += [(s, max(s.cycle, self.reclaimed(s.before), max((p.left() for p in self.states[:n]), default=0)))
                  for n, s in enumerate(self.states)]
        needs += [(f, max(f.cycle, self.fasts[n - 1].left() if n else 0)) for n, f in enumerate(self.fasts)]
        for i, since in needs:
            until = min(i.out["offered"] if i.out else NEVER, self.last)
            if i.lost or since >= NEVER or until - since <= bound:
                continue
            marks = self.busy[bisect.bisect_left(self.busy, since):bisect.bisect_right(self.busy, until)]
            marks = [since, *marks, until]
            for a, z in zip(marks, marks[1:]):
                if z - a > bound:
                    self.say("progress", a + bound, f"{i}, the oldest, has all that it needs since cycle {since} and does not leave")
                    break


def complaints(values, log, cycles):
    """[(rule, message)] about the events of a run."""
    found, part, cleared = [], [], True
    for e in [*log, {"what": "reset", "cycle": cycles}]:
        if e["what"] == "reset":
            if part:
                found += Segment(values, part, e["cycle"] - 1).complaints
            part, cleared = [], False
        elif e["what"] == "cleared":
            cleared = True
        elif cleared or e["what"] != "fill":
            part.append(e)
    return found
