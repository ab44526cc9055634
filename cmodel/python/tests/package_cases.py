# SPDX-License-Identifier: Apache-2.0
"""The cases of package.py, to be run with the package on the path: a line for each, and last `cases: N`."""
import itertools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import simtgen

CASES = []
ROOT = Path(__file__).resolve().parents[3]


def case(f):
    CASES.append(f)
    return f


def raises(kind, pattern, f):
    try:
        f()
    except kind as e:
        assert pattern in str(e), f"said {e}, expected {pattern}"
        return
    raise AssertionError(f"no {kind.__name__}, expected {pattern}")


@case
def every_block_steps_and_saves():
    """a model of each block runs, and its image brings the state back"""
    assert len(simtgen.blocks()) >= 12
    for block in simtgen.blocks():
        m = simtgen.Model(block)
        m.step(50)
        image, before = m.save(), m.outputs
        m.step(70)
        m.load(image)
        assert m.outputs == before, block


@case
def images_of_others_are_refused():
    """an image that is cut, grown or of another configuration is refused, and the model is as before"""
    m, other = simtgen.Model("stack_cache", THREADS=4), simtgen.Model("stack_cache", THREADS=8)
    m.step(20)
    image, outputs = m.save(), m.outputs
    for bad in (image[:-1], image + b"x", other.save(), b""):
        raises(simtgen.ImageError, "stack_cache", lambda bad=bad: m.load(bad))
        assert m.outputs == outputs


@case
def whole_runs_are_steps():
    """a run over arrays gives what single steps give, of narrow and of wide ports"""
    rng, n = np.random.default_rng(5), 400
    kinds = {"THREADS": 4, "ENTRIES": 8, "SET": 2, "ENTRY_W": 72, "MAX_DEPTH": 64}
    whole, single = simtgen.Model("stack_cache", **kinds), simtgen.Model("stack_cache", **kinds)
    data = rng.integers(0, 1 << 32, (n, 3), dtype=np.uint32)
    data[:, 2] &= 0xff
    addr = rng.integers(0, 1 << 10, n, dtype=np.uint64)
    inputs = {"op_valid_i": rng.integers(0, 2, n, dtype=np.uint8), "op_thread_i": rng.integers(0, 4, n, dtype=np.uint8),
              "op_kind_i": rng.integers(0, 2, n, dtype=np.uint8), "op_data_i": data, "reg_req_addr_i": addr,
              "mem_rsp_valid_i": np.zeros(n, bool)}
    out = whole.run(inputs)
    for i in range(n):
        for name, a in out.items():
            value = int(a[i]) if a.ndim == 1 else sum(int(w) << 32 * k for k, w in enumerate(a[i]))
            assert single.get(name) == value, f"cycle {i}: {name}"
        for name, a in inputs.items():
            single.set(name, int(a[i]) if a.ndim == 1 else sum(int(w) << 32 * k for k, w in enumerate(a[i])))
        single.step()
    assert whole.outputs == single.outputs
    assert out["ans_valid_o"].sum() > 20, out["ans_valid_o"].sum()


@case
def wide_ports_keep_their_words():
    """a port of 33 to 64 bits has its low word first"""
    m = simtgen.Model("const_cache")
    wide = next(p for p in m.configuration.ports.values() if p.direction == "in" and 32 < p.width <= 64)
    value = np.array([0x123456789 & (1 << wide.width) - 1], np.uint64)
    m.run({wide.name: value}, outputs=[])
    assert m.get(wide.name) == int(value[0])


@case
def arrays_that_do_not_fit():
    """arrays of a wrong shape, type or value are refused by name"""
    m = simtgen.Model("stack_cache")
    ones = np.ones(8, np.uint8)
    for bad, wanted in (({"op_valid_i": ones.astype(np.int8)}, "int8"), ({"op_valid_i": np.ones((8, 2), np.uint8)}, "shape"),
                        ({"op_valid_i": 2 * ones}, "below 2"), ({"op_valid_i": ones.astype(float)}, "float64"),
                        ({"op_valid_i": ones, "op_kind_i": ones[:7]}, "one length"), ({"ans_valid_o": ones}, "output"),
                        ({"nothing_i": ones}, "no port nothing_i"), ({"clk_i": ones}, "no port clk_i"), ({"op_valid_i": [1, 0]}, "numpy")):
        raises(simtgen.PortError, wanted, lambda bad=bad: m.run(bad))
    for name, value in (("op_kind_i", 8), ("op_kind_i", -1), ("op_data_i", 1 << 64)):
        raises(simtgen.PortError, "expected 0 to", lambda name=name, value=value: m.set(name, value))


@case
def names_with_a_suggestion():
    """a wrong block, parameter, value or choice raises with the program's suggestion"""
    for f, wanted in ((lambda: simtgen.Model("traker"), "did you mean tracker?"),
                      (lambda: simtgen.Model("tracker", QUEUS=8), "did you mean QUEUES?"),
                      (lambda: simtgen.Model("tracker", QUEUES=0), "QUEUES: got 0"),
                      (lambda: simtgen.Model("stack_cache", POLICY="treshold"), "threshold"),
                      (lambda: simtgen.Model("stack_cache", THREADS=4.5), "a number"),
                      (lambda: simtgen.Model("stack_cache", THREADS=True), "a number")):
        raises(simtgen.ConfigurationError, wanted, f)


@case
def lists_of_records():
    """a topology is given as lists of records, and a wrong column is refused"""
    units = [{"name": "copy", "domain": "transfer"}, {"name": "shader", "domain": "graphics"}]
    m = simtgen.Model(simtgen.Configuration("front_end", lists={"units": units}, COMMANDS="group"))
    assert m.configuration.ports["unit_halt_o"].width == 2
    raises(simtgen.ConfigurationError, "nam", lambda: simtgen.Configuration("front_end", lists={"units": [{"nam": "x"}]}))


@case
def stacks():
    """stack_cache: values come back through memory, in order, with cycles; what it refuses changes nothing"""
    s = simtgen.StackCache(simtgen.Memory(latency=30), THREADS=4, ENTRIES=8, SET=2, ENTRY_W=32, MAX_DEPTH=64)
    for i in range(40):
        assert s.push(1, i).status == "ok"
    assert [s.pop(1).value for _ in range(40)] == [*range(39, -1, -1)]
    assert s.pop(1).status == "underflow" and s.push(9, 1).status == "no_thread" and s.statistics["restores"] > 0
    raises(ValueError, "stack_cache", lambda: s.push(-1, 1))


@case
def memory_of_the_users():
    """a memory that fails marks the thread; one with a latency function is asked"""
    class Bad(simtgen.Memory):
        def read(self, address, size):
            raise OSError
    s, asked = simtgen.StackCache(Bad(20), THREADS=4, ENTRIES=8, SET=2, ENTRY_W=32, MAX_DEPTH=64), []
    for i in range(20):
        s.push(0, i)
    assert "fault" in {s.pop(0).status for _ in range(20)}
    s = simtgen.StackCache(simtgen.Memory(lambda cycle, address, write: asked.append(address) or 9), THREADS=4, ENTRIES=8,
                           SET=2, ENTRY_W=32, MAX_DEPTH=64)
    for i in range(20):
        s.push(0, i)
    assert asked


@case
def the_other_levels():
    """tracker, const_cache, atomic_merge and branch_stack answer as their headers say"""
    t = simtgen.Tracker(lambda cycle, bank, dslot, sector: 50, QUEUES=8, ENTRIES=32)
    assert t.allocate(0, 17).status == "ok" and t.track(3, [(0, 17, 3)]).status == "ok"
    done = next(d for _ in itertools.count() if (d := t.next() or t.advance(1)))
    assert (done.warp, done.path, done.end) == (3, "main", True) and 50 < done.cycle < 120
    assert t.track(3, [(0, 1 << 20, 1)]).status == "refused: range"
    c = simtgen.ConstCache(SMS=2)
    c.write(5, 77)
    sm = c.dispatch(1).value
    assert c.read(sm, 5).value == 77 and c.complete(sm).status == "ok" and c.read(sm, 5).status == "refused"
    a = simtgen.AtomicMerge(caches=2)
    assert [a.execute(n, "add", 0x100, 5).value for n in (0, 1, 0)] == [0, 5, 10]
    raises(ValueError, "expected one of", lambda: a.execute(0, "plus", 0, 0))
    b = simtgen.BranchStack()
    assert b.execute(0, "launch", mask=15, target=0x100).value == (15, 0x100)
    assert b.execute(0, "branch", mask=15, target=0x200, next=0x104).value == (15, 0x200)


@case
def traces_both_ways():
    """what is read and written again is the same trace, and a broken line is named"""
    stk, cst = next((ROOT / "verif/stack_cache/traces").glob("*.gz")), next((ROOT / "verif/const_cache/traces").glob("*.gz"))
    with tempfile.TemporaryDirectory() as folder:
        for source, read, write in ((stk, simtgen.read_stack, simtgen.write_stack),
                                    (cst, simtgen.read_constants, simtgen.write_constants)):
            rows = read(source)
            write(f"{folder}/t.gz", rows)
            assert len(rows) > 100 and (read(f"{folder}/t.gz") == rows).all()
        bad = Path(folder) / "bad.stk"
        bad.write_text("0 + 1\n0 - 2\n")
        raises(simtgen.TraceError, "bad.stk:2", lambda: simtgen.read_stack(bad))
        raises(simtgen.TraceError, "expected", lambda: simtgen.write_stack(bad, np.zeros(3)))
        assert bad.read_text() == "0 + 1\n0 - 2\n"


@case
def commands_as_dictionaries():
    """describe, check, generate and sweep return what the program prints; its errors are exceptions"""
    assert simtgen.describe("tracker", QUEUES=8)["block"] == "tracker"
    assert simtgen.check("status_tree", UNITS=5, GROUP=3, cycles=2000, seed=1)["result"] == "pass"
    with tempfile.TemporaryDirectory() as folder:
        made = simtgen.generate("status_tree", f"{folder}/out", UNITS=5, GROUP=3)
        assert "rtl/status_tree.v" in str(made)
        try:
            simtgen.generate("status_tree", f"{folder}/no", UNITS=0)
            raise AssertionError("not refused")
        except simtgen.ProgramError as e:
            assert e.status == 2 and "UNITS" in e.message and not Path(f"{folder}/no").exists()


@case
def as_fast_as_half_of_c():
    """whole runs have at least half the rate of the models in C"""
    m = simtgen.Model("stack_cache")
    rows, rng = np.zeros((200000, len(m._in)), np.uint32), np.random.default_rng(1)
    for name, below in (("op_valid_i", 2), ("op_kind_i", 2), ("op_thread_i", 24)):  # about an operation every other cycle
        rows[:, m.configuration.ports[name].word] = rng.integers(0, below, len(rows))
    m.run_words(rows[:1000])
    best = min(timed(lambda: m.run_words(rows)) for _ in range(5))
    c = simtgen.Model("stack_cache")
    alone = min(timed(lambda: c_loop(c, rows)) for _ in range(5))
    assert best <= 2 * alone, f"{best:.3f} s against {alone:.3f} s"


def c_loop(m, rows):
    """The loop in C into one row of outputs, as a program in C would keep it."""
    from simtgen._models import ffi, lib
    lib.simtgen_run(m._ops, m._model, ffi.from_buffer("uint32_t *", rows), ffi.from_buffer("uint32_t *", m._out), len(rows),
                    rows.shape[1], 0)


def timed(f):
    begin = time.process_time()
    f()
    return time.process_time() - begin


if __name__ == "__main__":
    for f in CASES:
        try:
            f()
            print(f"ok python: {f.__doc__}", flush=True)
        except (Exception, subprocess.SubprocessError) as e:  # each case has its line
            print(f"not ok python: {f.__doc__}: {type(e).__name__}: {str(e)[:300]!r}", flush=True)
    print(f"cases: {len(CASES)}")
    sys.exit(0)
