"""Read the files of the command; errors name the file and the line."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from cleverdon.measures.command.options import STDIN, Options
from cleverdon.measures.inputs.placements import Placements, place
from cleverdon.measures.inputs.preferences.tally import rising_ties
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.preferences import FORMATS
from cleverdon.trec.runs.read import read_run
from cleverdon.trec.runs.run import RankedRun
from cleverdon.trec.streams import FormatError, opened

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


def read_placed(name: str, universe: Universe, options: Options) -> tuple[RankedRun, Placements]:
    """Read a run and place it; InputError also when it has no topic of the judgments."""
    run = read(name, partial(read_run, rules=options.rules, comments=options.comments))
    placed = place(run, universe, options.rules)
    if options.judgments in FORMATS:
        placed = rising_ties(placed)
    if len(placed.missing(universe)) == universe.n_topics:
        raise InputError(f"{name}: It has no topic of the judgments.")
    return run, placed.cut(options.depth)
