# SPDX-License-Identifier: Apache-2.0
"""simtgen: cycle-exact models of SIMT processor blocks, and the program that generates, checks and measures them.

    import simtgen
    m = simtgen.Model("tracker", QUEUES=8)      # a cycle model: ports are attributes, step() is a clock edge
    simtgen.check("tracker", QUEUES=8)["result"]  # Verilog and model in lockstep

See docs/python.md.
"""
from .errors import ConfigurationError, Error, ImageError, LockstepError, PortError, ProgramError
from .levels import AtomicMerge, BranchStack, ConstCache, Done, Memory, Result, StackCache, Tracker
from .model import Configuration, Model, Port, blocks, version
from .program import check, describe, generate, sim, sweep, synth
from .traces import TraceError, read_constants, read_stack, write_constants, write_stack

__version__ = version
__all__ = [
    "AtomicMerge", "BranchStack", "Configuration", "ConfigurationError", "ConstCache", "Done", "Error", "ImageError", "LockstepError", "Memory",
    "Model", "Port", "PortError", "ProgramError", "Result", "StackCache", "TraceError", "Tracker", "blocks", "check", "describe",
    "generate", "read_constants", "read_stack", "sim", "sweep", "synth", "version", "write_constants", "write_stack"]
