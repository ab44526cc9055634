# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions that carry the library's or the program's own message."""


class Error(Exception):
    """Base of all errors of this package."""


class ConfigurationError(Error, ValueError):
    """A block, parameter, list or value that there is not: `name`, `got`, `expected`, `hint` as the program prints them."""

    def __init__(self, name, got, expected, hint=""):
        self.name, self.got, self.expected, self.hint = name, got, expected, hint
        super().__init__(f"{name}: got {got}, expected {expected}" + (f"; {hint}" if hint else ""))


class PortError(Error, AttributeError):
    """A port that the configuration does not have, or a value that does not fit into one."""


class ImageError(Error, ValueError):
    """A saved image of another configuration, or a damaged one. The model is as it was."""


class LockstepError(Error, AssertionError):
    """In a cocotb bench: an output is not that of the model, an input that it needs is unknown, or nothing was compared."""


class ProgramError(Error, RuntimeError):
    """The program ended with an error: `status` (2 wrong usage, 3 a tool, 4 interrupted) and its `message`."""

    def __init__(self, status, message):
        self.status, self.message = status, message
        super().__init__(message or f"simtgen ended with exit status {status}")


def of_diag(ffi, diag):
    """The exception of a struct simt_diag."""
    text = {k: ffi.string(getattr(diag, k)).decode() for k in ("name", "got", "expected", "hint")}
    return ConfigurationError(**text)
