"""A table beside the runs of an archive, which describes them."""

import csv
from typing import NamedTuple

from trec.streams import storable

NAMES = ("runs.csv", "runs.tsv")
MAX_BYTES = 1 << 20
_YES = {"yes", "y", "true", "1", "manual"}


class Described(NamedTuple):
    """What a row says of the run with this tag, or in this file."""

    tag: str
    file: str
    is_manual: bool
    description: str

    def is_of(self, tag: str, file: str) -> bool:
        return self.tag == tag if self.tag else self.file == file


def read_run_table(content: bytes) -> list[Described]:
    r"""Read CSV, or tab-separated values, with a header; ValueError with a sentence if it cannot be read.

    >>> read_run_table(b"tag,manual,description\nbm25,yes,By hand.\n")
    [Described(tag='bm25', file='', is_manual=True, description='By hand.')]
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"The table is longer than {MAX_BYTES:,} bytes.")
    try:
        text = storable(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError("The table is not UTF-8.") from error
    first = text.partition("\n")[0].lower()
    rows = csv.reader(
        text.splitlines(keepends=True), delimiter="\t" if "\t" in first else ","
    )
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
    file = row.get("file", "").rpartition("/")[2]
    is_manual = row.get("manual", "").lower() in _YES
    return Described(row.get("tag", ""), file, is_manual, row.get("description", ""))
