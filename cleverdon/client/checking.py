"""The check of run files on this machine, by the checker that the site has."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from cleverdon.client.errors import ClientError
from cleverdon.trec.runs.check import check_run
from cleverdon.trec.runs.read import first_tag
from cleverdon.trec.runs.run import CheckReport, Problem
from cleverdon.trec.streams import MAX_EXPANSION, MAX_LINE_BYTES, FormatError, opened

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path


@contextmanager
def _read(path: Path) -> Iterator[BinaryIO]:
    """Yield what is in a file; ClientError if it cannot be read."""
    try:
        if not path.is_file() and path.exists():
            raise ClientError(f"{path} is no file on a disk, and it is read more than once.")
        with path.open("rb") as file:
            yield opened(file, max_line_bytes=MAX_LINE_BYTES, max_expansion=MAX_EXPANSION)
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}.") from error


def checked(
    path: Path, topics: Collection[str] | None, depth: int, tag: str = ""
) -> tuple[str, CheckReport]:
    """Return the tag of a run file and the report on it; ClientError if it cannot be read.

    Unless the tag is given, it is that of the first line, as on the site.
    """
    try:
        with _read(path) as stream:
            tag = tag or first_tag(stream)
    except FormatError as error:
        lines = [error.line] if error.line else []
        return "", CheckReport(n_errors=1, errors=[Problem(error.message, lines)])
    with _read(path) as stream:
        found = check_run(stream, tag=tag, topics=topics, depth=depth, counts_documents=False)
        return tag, found.report


def tag_of(path: Path) -> str:
    """Return the tag in a run file, "" if it has none."""
    with suppress(FormatError), _read(path) as stream:
        return first_tag(stream)
    return ""
