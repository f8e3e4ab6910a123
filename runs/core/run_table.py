"""A table beside the runs of an archive, which describes them."""

import csv
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from trec.streams import readable, storable

NAMES = ("runs.csv", "runs.tsv")
MAX_BYTES = 1 << 20
MAX_PRIORITY = 100
_IS_MANUAL = {
    **dict.fromkeys(("yes", "y", "true", "1", "manual"), True),
    **dict.fromkeys(("", "no", "n", "false", "0", "automatic"), False),
}


class Described(NamedTuple):
    """What a row says of the run with this tag, or in this file."""

    tag: str
    file: str
    is_manual: bool
    priority: int | None
    description: str

    @property
    def said(self) -> dict[str, Any]:
        """What is said, by the names that a run has for it."""
        return {
            "is_manual": self.is_manual,
            "priority": self.priority,
            "description": self.description,
        }

    @property
    def is_of_none(self) -> str:
        """What to tell of a row whose run has not come with the table."""
        return (
            f"The table names {readable(self.tag or self.file)}, which is not a run of the archive."
        )

    def is_of(self, tag: str, file: str) -> bool:
        return self.tag == tag if self.tag else self.file == file


def is_run_table(name: str) -> bool:
    """Tell the table from the runs, by the name of the file."""
    return PurePosixPath(name).name.lower() in NAMES


def read_run_table(content: bytes) -> list[Described]:
    r"""Read CSV, or tab-separated values, with a header; ValueError with a sentence if it cannot be read.

    >>> read_run_table(b"tag,manual,priority,description\nbm25,yes,1,By hand.\n")
    [Described(tag='bm25', file='', is_manual=True, priority=1, description='By hand.')]
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"The table is longer than {MAX_BYTES:,} bytes.")
    try:
        text = storable(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError("The table is not UTF-8.") from error
    first = text.partition("\n")[0].lower()
    rows = csv.reader(text.splitlines(keepends=True), delimiter="\t" if "\t" in first else ",")
    try:
        head, *body = ([cell.strip() for cell in row] for row in rows if any(row))
    except (csv.Error, ValueError) as error:
        raise ValueError(
            "The table cannot be read: it is CSV or tab-separated values, with a header."
        ) from error
    names = [name.lower() for name in head]
    if not {"tag", "file"} & set(names):
        raise ValueError(
            "The table has neither a column tag nor a column file, so its rows name no runs."
        )
    return [_described(dict(zip(names, row, strict=False))) for row in body]


def _described(row: dict[str, str]) -> Described:
    tag, file = row.get("tag", ""), row.get("file", "").rpartition("/")[2]
    manual, priority = row.get("manual", ""), row.get("priority", "")
    if manual.lower() not in _IS_MANUAL:
        raise ValueError(
            f"The table says “{readable(manual)}” of {tag or file} under manual: it is yes or no."
        )
    is_number = priority.isascii() and priority.isdigit()
    if priority and not (is_number and 1 <= int(priority[:9]) <= MAX_PRIORITY):
        raise ValueError(
            f"The table gives {tag or file} the priority “{readable(priority)}”: it is a whole number from 1 to {MAX_PRIORITY}, or nothing."
        )
    return Described(
        tag,
        file,
        _IS_MANUAL[manual.lower()],
        int(priority) if priority else None,
        row.get("description", ""),
    )
