# SPDX-License-Identifier: Apache-2.0
"""For benches in cocotb of blocks behind bus wrappers: a memory of channels of cocotbext-axi that reorders and
fails, stalls on every channel, the checker's verdict; and how such a bench is run, outside the simulator."""
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

OKAY, SLVERR, DECERR = 0, 2, 3


def python():
    """The Python of build/venv, which fpga/setup.sh makes."""
    from testlib import Problem
    found = Path(os.environ.get("B", "build")).resolve() / "venv/bin/python"
    have = found.exists() and subprocess.run([found, "-c", "import cocotb, cocotbext.axi"], capture_output=True)
    if not have or have.returncode:
        raise Problem("no cocotb in build/venv: run `make setup`")
    return found


def run_bench(sources, top, module, folder, seed, environment):
    """Runs the tests of a cocotb module on Icarus; {test: reason why it failed, or empty}."""
    from testlib import Problem
    results = folder / "results.xml"
    env = {**os.environ, **environment, "COCOTB_LOG_LEVEL": "ERROR", "PYTHONDONTWRITEBYTECODE": "1",
           "PYTHONPATH": f"{module.parent}:{Path(__file__).resolve().parent}"}
    run = subprocess.run([python(), __file__, top, module.stem, str(seed), *map(str, sources)], cwd=folder, env=env,
                         capture_output=True, text=True, timeout=280)
    if not results.exists():
        raise Problem(f"cocotb: {(run.stdout + run.stderr).strip()[-400:]}")
    reasons = {}
    for case in ElementTree.parse(results).iter("testcase"):
        bad = next((e for e in case if e.tag in ("failure", "error")), None)
        reasons[case.get("name")] = "" if bad is None else (bad.get("error_msg") or bad.get("message") or bad.text or "failed")
    return reasons


def run_here(top, module, seed, *sources):
    """run_bench's other half, under the Python that has cocotb: builds and runs in this folder."""
    from cocotb_tools.runner import get_runner
    runner = get_runner("icarus")
    runner.build(sources=[Path(s) for s in sources], hdl_toplevel=top, build_dir=".", timescale=("1ns", "1ps"))
    runner.test(test_module=module, hdl_toplevel=top, build_dir=".", test_dir=".", seed=int(seed),
                results_xml=str(Path("results.xml").resolve()))


# ---- inside the simulator ---------------------------------------------------------------------------------

def stalls(rng, share):
    """For set_pause_generator: pauses of random length, together `share` of the cycles."""
    while True:
        yield rng.random() < share


def known_payloads(dut, rng, names):
    """Payloads begin with junk instead of X, which Verilog passes on in places where no value would be (a shift of
    nothing by X is X)."""
    for name in names:
        handle = getattr(dut, name)
        handle.value = rng.getrandbits(len(handle))


def broken_rule(dut):
    """The text of the bus rule that the checker saw broken first, or empty."""
    if not int(dut.bus_failed_o.value):
        return ""
    text = int(dut.bus_rule_o.value)
    return text.to_bytes((text.bit_length() + 7) // 8, "big").decode()


class ReorderingMemory:
    """An AXI4 slave: answers after random times, in any order between ids, beats of different ids in turns.
    `fails(address, write)` gives the response of an access; of a read it comes on one beat only."""

    def __init__(self, dut, rng, fails=None, prefix="m_axi", latency=40):
        import cocotb
        from cocotbext.axi import AxiBus
        from cocotbext.axi.axi_channels import AxiARSink, AxiAWSink, AxiBSource, AxiRSource, AxiWSink
        bus = AxiBus.from_prefix(dut, prefix)
        args = (dut.clk_i, dut.rst_i, True)
        self.aw, self.w, self.b = AxiAWSink(bus.write.aw, *args), AxiWSink(bus.write.w, *args), AxiBSource(bus.write.b, *args)
        self.ar, self.r = AxiARSink(bus.read.ar, *args), AxiRSource(bus.read.r, *args)
        for source in (self.b, self.r):
            source.queue_occupancy_limit = 1
        self.clock, self.rng, self.fails, self.latency = dut.clk_i, rng, fails or (lambda address, write: OKAY), latency
        self.bytes = {}
        self.reads = self.writes = self.errors = self.reordered = self.interleaved = self.number = 0
        self.newest = [-1, -1]
        self.last_read = None
        for part in (self.take_writes, self.take_reads, self.send_data):
            cocotb.start_soon(part())
        self.open_reads = []

    def stall(self, share):
        for channel in (self.aw, self.w, self.b, self.ar, self.r):
            channel.set_pause_generator(stalls(self.rng, share))

    async def wait(self):
        from cocotb.triggers import ClockCycles
        await ClockCycles(self.clock, 1 + int(self.rng.random() * self.latency))

    def answered(self, number, read):
        self.reordered += number < self.newest[read]
        self.newest[read] = max(self.newest[read], number)

    async def take_writes(self):
        import cocotb
        while True:
            address = await self.aw.recv()
            beats = [await self.w.recv() for _ in range(int(address.awlen) + 1)]
            cocotb.start_soon(self.write(address, beats, self.writes))
            self.writes += 1

    async def write(self, address, beats, number):
        from cocotbext.axi.axi_channels import AxiBTransaction
        await self.wait()
        size = 1 << int(address.awsize)
        response = self.fails(int(address.awaddr), True)
        self.errors += response != OKAY
        for i, beat in enumerate(beats):
            for k in range(size):
                if response == OKAY and int(beat.wstrb) >> k & 1:
                    self.bytes[int(address.awaddr) + i * size + k] = int(beat.wdata) >> 8 * k & 255
        await self.wait()
        self.answered(number, False)
        await self.b.send(AxiBTransaction(bid=int(address.awid), bresp=response))

    async def take_reads(self):
        import cocotb
        while True:
            address = await self.ar.recv()
            cocotb.start_soon(self.read(address, self.reads))
            self.reads += 1

    async def read(self, address, number):
        from cocotbext.axi.axi_channels import AxiRTransaction
        await self.wait()
        size, beats = 1 << int(address.arsize), int(address.arlen) + 1
        response = self.fails(int(address.araddr), False)
        self.errors += response != OKAY
        failing = self.rng.randrange(beats)
        data = [sum(self.bytes.get(int(address.araddr) + i * size + k, 0xa5) << 8 * k for k in range(size)) for i in range(beats)]
        self.open_reads.append([AxiRTransaction(rid=int(address.arid), rdata=data[i], rlast=i == beats - 1,
                                                rresp=response if i == failing else OKAY) for i in range(beats)] + [number])

    async def send_data(self):
        from cocotb.triggers import RisingEdge
        while True:
            if not self.open_reads:
                await RisingEdge(self.clock)
                continue
            read = self.rng.choice(self.open_reads)
            self.interleaved += self.last_read is not None and self.last_read is not read
            beat = read.pop(0)
            self.last_read = read if len(read) > 1 else None
            if len(read) == 1:
                self.open_reads.remove(read)
                self.answered(read[0], True)
            await self.r.send(beat)


if __name__ == "__main__":
    run_here(*sys.argv[1:])
