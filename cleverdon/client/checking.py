"""The check of run files on this machine, by the checker that the site has."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from cleverdon.client.errors import ClientError
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import first_tag
from cleverdon.trec.runs.run import CheckReport, Problem
from cleverdon.trec.streams import MAX_EXPANSION, MAX_LINE_BYTES, FormatError, opened

if TYPE_CHECKING:
    from pathlib import Path

    from cleverdon.client.rules import Rules

BOUNDS = {"max_line_bytes": MAX_LINE_BYTES, "max_expansion": MAX_EXPANSION}


def checked(path: Path, rules: Rules, tag: str = "") -> tuple[str, CheckReport]:
    """Return the tag of a run file and the report on it; ClientError if it cannot be read.

    Unless the tag is given, it is that of the first line, as on the site.
    """
    try:
        if not path.is_file() and path.exists():
            raise ClientError(f"{path} is no file on a disk, and it is read more than once.")
        with path.open("rb") as file:
            try:
                tag = tag or first_tag(opened(file, **BOUNDS))
            except FormatError as error:
                return "", CheckReport(n_errors=1, errors=[Problem(error.message, _line(error))])
            file.seek(0)
            return tag, _report(file, tag, rules)
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}.") from error


def _line(error: FormatError) -> list[int]:
    return [error.line] if error.line else []


def _report(file: BinaryIO, tag: str, rules: Rules) -> CheckReport:
    stream = opened(file, **BOUNDS)
    checked = check_run(
        stream, tag=tag, topics=rules.topics, depth=rules.depth, counts_documents=False
    )
    return checked.report


def tag_of(path: Path) -> str:
    """Return the tag in a run file, "" if it has none."""
    with suppress(FormatError), path.open("rb") as file:
        return first_tag(opened(file, **BOUNDS))
    return ""
