"""Read the files of the command; errors name the file and the line."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from measures.command.options import STDIN
from trec.streams import FormatError, opened

Content = TypeVar("Content")


class InputError(ValueError):
    """An error to print: the file, the line if there is one, and what is wrong."""


def read(name: str, reader: Callable[[BinaryIO], Content]) -> Content:
    """Read a file, gzip or not, or standard input for `-`; InputError when it cannot be read."""
    try:
        if name == STDIN:
            return reader(opened(sys.stdin.buffer))
        with Path(name).open("rb") as file:
            return reader(opened(file))
    except FormatError as error:
        line = f", line {error.line}" if error.line else ""
        raise InputError(f"{name}{line}: {error.message}") from error
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}.") from error
