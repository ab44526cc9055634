# SPDX-License-Identifier: Apache-2.0
"""stack_cache behind AXI4 and AXI4-Lite, under cocotbext-axi (run by axi.py): random operations against plain
Python lists, with a memory in order, one that reorders, one that fails; registers from a public master."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam
from cocotbext.axi.axil_channels import AxiLiteARTransaction, AxiLiteAWTransaction, AxiLiteWTransaction

from bus_models import DECERR, OKAY, SLVERR, ReorderingMemory, broken_rule, known_payloads, stalls

PUSH, POP, PEEK, REPLACE, INIT = range(5)
GOOD, OVERFLOW, UNDERFLOW, FAULT = range(4)
ID, STATUS, LIMIT, THREAD, DEPTH, ERROR, ERROR_COUNT = (int(os.environ[f"REG_{n}"], 0) for n in (
    "ID", "STATUS", "LIMIT", "THREAD", "DEPTH", "ERROR", "ERROR_COUNT"))
THREADS, WIDTH, BEATS = (int(os.environ[n]) for n in ("THREADS", "ENTRY_W", "BEATS"))
OPERATIONS = 1500


class Bench:
    """Clock, reset, one requester and its golden stacks."""

    def __init__(self, dut):
        self.dut, self.rng = dut, random.Random(cocotb.RANDOM_SEED)
        self.stack = [[] for _ in range(THREADS)]
        self.faulty = set()  # threads that may have met an error
        self.faulted = set()  # threads that have answered so
        self.expected, self.done = [], 0

    async def start(self):
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        for name in ("op_valid_i", "op_kind_i", "op_thread_i", "op_data_i"):
            getattr(dut, name).value = 0
        dut.rst_i.value = 1
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_i)
        known_payloads(dut, self.rng, (
            "m_axi_bid", "m_axi_bresp", "m_axi_rid", "m_axi_rdata", "m_axi_rresp", "m_axi_rlast", "s_axil_awaddr",
            "s_axil_awprot", "s_axil_wdata", "s_axil_wstrb", "s_axil_araddr", "s_axil_arprot"))
        await ClockCycles(dut.clk_i, 3)
        dut.rst_i.value = 0
        while not int(dut.can_go_o.value) or not int(dut.can_push_o.value) & 1:
            await FallingEdge(dut.clk_i)

    def answer(self, kind, thread, data):
        """What an operation taken now must answer: (thread, kind, status, data or None)."""
        stack = self.stack[thread]
        if kind == INIT:
            self.faulted.discard(thread)
            self.faulty.discard(thread)
            stack.clear()
        elif kind != PUSH and not stack:
            return thread, kind, UNDERFLOW, None
        elif kind == PUSH:
            stack.append(data)
        elif kind == REPLACE:
            stack[-1] = data
        else:
            return thread, kind, GOOD, stack.pop() if kind == POP else stack[-1]
        return thread, kind, GOOD, None

    def check(self):
        """The answer of this cycle, if there is one."""
        dut = self.dut
        if not int(dut.ans_valid_o.value):
            return
        thread, kind, status, data = self.expected.pop(0)
        assert (int(dut.ans_thread_o.value), int(dut.ans_kind_o.value)) == (thread, kind), "an answer to another operation"
        self.done += 1
        got = int(dut.ans_status_o.value)
        if got == FAULT:
            assert thread in self.faulty, f"thread {thread} faults without an error"
            self.faulted.add(thread)
        if thread in self.faulted or thread in self.faulty:
            return  # from the error on, its content is no matter
        assert got == status, f"thread {thread} answers {got}, expected {status}"
        assert data is None or int(dut.ans_data_o.value) == data, f"thread {thread}: another entry"

    async def operations(self, n, init_share=0.002):
        """So many operations, each one that can go; deep and shallow in turns."""
        dut, rng, up = self.dut, self.rng, True
        idle = 0
        while True:
            await FallingEdge(dut.clk_i)
            self.check()
            if self.done >= n:
                break
            if rng.random() < 0.02:
                up = not up
            kind = INIT if rng.random() < init_share else rng.choice((PUSH, PUSH, PUSH, POP, REPLACE) if up else (POP, POP, POP, PUSH, PEEK))
            push, top = int(dut.can_push_o.value), int(dut.can_top_o.value)
            can = push | top if kind == INIT else push if kind == PUSH else top
            can *= int(dut.can_go_o.value)
            ready = [t for t in range(THREADS) if can >> t & 1]
            dut.op_valid_i.value = int(bool(ready))
            idle = 0 if ready else idle + 1
            assert idle < 5000, "no thread can go"
            if not ready:
                continue
            thread, data = rng.choice(ready), rng.getrandbits(WIDTH)
            dut.op_kind_i.value, dut.op_thread_i.value, dut.op_data_i.value = kind, thread, data
            self.expected.append(self.answer(kind, thread, data))
        dut.op_valid_i.value = 0
        for _ in range(6):
            await FallingEdge(dut.clk_i)
            self.check()
        assert not self.expected, "an operation is not answered"

    def end(self):
        assert not broken_rule(self.dut), broken_rule(self.dut)

    async def depth(self, thread):
        """Whether a thread is faulted, and the entries in its stack."""
        await self.raw_write(THREAD, thread, 15)
        got = await self.read(DEPTH)
        return bool(got >> 31), got & 0x7fffffff

    async def read(self, address):
        return int.from_bytes((await self.registers.read(address, 4)).data, "little")

    async def raw_write(self, address, data, strobes):
        """A write with any strobes and address; its response."""
        port = self.registers.write_if
        await port.aw_channel.send(AxiLiteAWTransaction(awaddr=address))
        await port.w_channel.send(AxiLiteWTransaction(wdata=data, wstrb=strobes))
        return int((await port.b_channel.recv()).bresp)

    async def raw_read(self, address):
        port = self.registers.read_if
        await port.ar_channel.send(AxiLiteARTransaction(araddr=address))
        got = await port.r_channel.recv()
        return int(got.rresp), int(got.rdata)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def memory_in_order(dut):
    """The RAM of cocotbext-axi, with random stalls on all channels."""
    bench = Bench(dut)
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk_i, dut.rst_i, size=2**20)
    for channel in (ram.write_if.aw_channel, ram.write_if.w_channel, ram.write_if.b_channel, ram.read_if.ar_channel,
                    ram.read_if.r_channel):
        channel.set_pause_generator(stalls(bench.rng, 0.3))
    await bench.start()
    await bench.operations(OPERATIONS)
    bench.end()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def memory_reorders(dut):
    """Answers in any order between ids, beats of several reads in turns, random stalls."""
    bench = Bench(dut)
    memory = ReorderingMemory(dut, bench.rng)
    memory.stall(0.2)
    await bench.start()
    await bench.operations(OPERATIONS)
    bench.end()
    assert memory.reads > 20 and memory.writes > 20, f"{memory.reads} reads, {memory.writes} writes"
    assert memory.reordered > 5, "nothing was reordered"
    assert BEATS == 1 or memory.interleaved > 5, "no beats of two reads in turns"


async def errors(dut, wanted_write, response):
    """One access of the wanted kind fails: its thread faults, the register says so, others go on, init cures."""
    bench = Bench(dut)
    failed = []
    regions = 2 ** 20

    def fails(address, write):
        if failed or write != wanted_write or memory.reads + memory.writes < 12:
            return OKAY
        stride = int(os.environ["REGION"])
        failed.append(address // stride % regions)
        bench.faulty.add(failed[0])
        return response

    memory = ReorderingMemory(dut, bench.rng, fails)
    await bench.start()
    await bench.operations(OPERATIONS // 2, init_share=0)
    assert failed, "no access failed"
    thread = failed[0]
    assert bench.faulted == {thread}, f"faulted: {bench.faulted}, expected thread {thread}"
    assert [(await bench.depth(t))[0] for t in range(THREADS)] == [t == thread for t in range(THREADS)]
    assert await bench.read(STATUS) & 4
    assert await bench.read(ERROR) == 1 << 31 | int(wanted_write) << 30 | response << 28 | thread
    assert await bench.read(ERROR_COUNT) >= 1
    assert await bench.raw_write(ERROR, 0, 15) == OKAY
    assert await bench.read(ERROR) == 0
    await FallingEdge(dut.clk_i)
    dut.op_kind_i.value, dut.op_thread_i.value, dut.op_valid_i.value = INIT, thread, 1
    await FallingEdge(dut.clk_i)
    dut.op_valid_i.value = 0
    await ClockCycles(dut.clk_i, 8)
    bench.answer(INIT, thread, 0)
    bench.done = 0
    await bench.operations(OPERATIONS // 4)
    assert not any([(await bench.depth(t))[0] for t in range(THREADS)])
    bench.end()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def slave_error_on_spill(dut):
    await errors(dut, True, SLVERR)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def decode_error_on_spill(dut):
    await errors(dut, True, DECERR)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def slave_error_on_restore(dut):
    await errors(dut, False, SLVERR)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def decode_error_on_restore(dut):
    await errors(dut, False, DECERR)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def registers(dut):
    """Values, strobes, addresses, with random stalls on all channels, while operations go on."""
    bench = Bench(dut)
    ReorderingMemory(dut, bench.rng)
    await bench.start()
    master = bench.registers
    for channel in (master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel,
                    master.read_if.ar_channel, master.read_if.r_channel):
        channel.set_pause_generator(stalls(bench.rng, 0.4))
    assert await bench.read(ID) == int(os.environ["ID_VALUE"], 0)
    limit = await bench.read(LIMIT)
    running = cocotb.start_soon(bench.operations(OPERATIONS // 4))
    for strobes in range(15):
        assert await bench.raw_write(LIMIT, 3, strobes) == SLVERR, f"strobes {strobes:04b} are not refused"
        assert await bench.read(LIMIT) == limit, f"a write with strobes {strobes:04b} has an effect"
    for address in (LIMIT + 1, LIMIT + 2, LIMIT + 3):
        assert await bench.raw_write(address, 3, 15) == SLVERR, "an unaligned write is not refused"
        assert (await bench.raw_read(address))[0] == SLVERR, "an unaligned read is not refused"
    for address in (int(a, 0) for a in os.environ["HOLES"].split()):
        assert await bench.raw_write(address, 0, 15) == SLVERR, "a write of no register is not refused"
        assert (await bench.raw_read(address))[0] == SLVERR, "a read of no register is not refused"
    assert await bench.raw_write(ID, 0, 15) == SLVERR, "a write of a read-only register is not refused"
    assert await bench.raw_write(THREAD, THREADS, 15) == SLVERR, "a value out of range is not refused"
    assert await bench.read(LIMIT) == limit
    for thread in range(THREADS):
        assert await bench.raw_write(THREAD, thread, 15) == OKAY
        assert await bench.read(THREAD) == thread
        assert (await bench.raw_read(DEPTH))[0] == OKAY
    await running
    for thread in range(THREADS):
        assert await bench.depth(thread) == (False, len(bench.stack[thread]))
    write = cocotb.start_soon(bench.raw_write(LIMIT, 5, 15))
    for _ in range(6):
        assert (await bench.raw_read(ID))[0] == OKAY
    assert await write == OKAY
    assert await bench.read(LIMIT) == 5
    bench.end()
