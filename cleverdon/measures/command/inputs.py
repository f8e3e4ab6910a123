"""Read the files of the command; errors name the file and the line."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from cleverdon.measures.command.options import STDIN, Options
from cleverdon.measures.inputs.placements import Placements, place, place_parts
from cleverdon.measures.inputs.preferences.tally import rising_ties
from cleverdon.measures.inputs.universe import Universe
from cleverdon.trec.preferences import FORMATS
from cleverdon.trec.runs.read import ScatteredTopic, read_parts, read_run
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


def read_placed(name: str, universe: Universe, options: Options) -> tuple[str, Placements]:
    """Read a run and place it; return its tag too.

    InputError also when it has no topic of the judgments.
    """
    how: dict[str, Any] = {"rules": options.rules, "comments": options.comments}

    def whole(stream: BinaryIO) -> tuple[str, Placements]:
        run = read_run(stream, **how)
        return run.tag, place(run, universe, options.rules)

    def in_parts(stream: BinaryIO) -> tuple[str, Placements]:
        return place_parts(read_parts(stream, **how), universe, options.rules)

    try:
        tag, placed = read(name, whole if name == STDIN else in_parts)
    except ScatteredTopic:
        tag, placed = read(name, whole)
    if options.judgments in FORMATS:
        placed = rising_ties(placed)
    if len(placed.missing(universe)) == universe.n_topics:
        raise InputError(f"{name}: It has no topic of the judgments.")
    return tag, placed.cut(options.depth)
