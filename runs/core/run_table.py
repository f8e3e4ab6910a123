"""The table that describes the runs of an archive or an upload."""

import csv
from collections.abc import Mapping
from io import StringIO
from itertools import islice
from math import isfinite, nan
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple

from cleverdon.trec.archives import MAX_FILES
from cleverdon.trec.cells import restored
from cleverdon.trec.field_names import OF_RUNS, plain_name, shortened
from cleverdon.trec.names import one_name
from cleverdon.trec.signatures import not_a_table
from cleverdon.trec.streams import brief, storable
from runs.core.efficiency import FIGURES, faults

NAMES = ("runs.csv", "runs.tsv")
MAX_BYTES = 1 << 20
MOST_ROWS = MAX_FILES  # of all tables of an upload
MAX_PRIORITY = 100
MANY_DIGITS = 10
MOST_STATED = 1e15
MAX_DESCRIPTION, MAX_HARDWARE = 10_000, 200  # characters
_IS_MANUAL: Mapping[str, bool | None] = {
    **dict.fromkeys(("yes", "y", "true", "1", "manual"), True),
    **dict.fromkeys(("no", "n", "false", "0", "automatic"), False),
    "": None,
}


# In words, by whether a person intervened.
TYPES: Mapping[bool | None, str] = {True: "manual", False: "automatic", None: "not stated"}


class RunRow(NamedTuple):
    """A row of the table: it names its run by tag or by file."""

    tag: str
    file: str
    is_manual: bool | None
    priority: int | None
    description: str
    efficiency: Mapping[str, Any] = MappingProxyType({})

    @property
    def values(self) -> dict[str, Any]:
        """Values for the fields of the run."""
        names = ("is_manual", "priority", "description")
        return {name: getattr(self, name) for name in names} | dict(self.efficiency)

    @property
    def without_run(self) -> str:
        """The sentence for a row that describes no run that was taken."""
        return f"The table describes {brief(self.tag or self.file)}, which was not taken."

    def is_of(self, tag: str, file: str) -> bool:
        """Tell whether it describes a run; names that look the same are the same."""
        own, others = (self.tag, tag) if self.tag else (self.file, file)
        return one_name(own) == one_name(others)


def is_run_table(name: str) -> bool:
    return PurePosixPath(name).name.lower() in NAMES


def read_run_table(content: bytes, n_before: int = 0) -> list[RunRow]:
    r"""Read CSV, also with semicolons, or tab-separated values; ValueError if damaged.

    They have a header, whose names may be those of `OF_RUNS`.

    `n_before` rows were in other tables of the upload.

    >>> [row] = read_run_table(b"tag,manual,priority,description\nbm25,yes,1,By hand.\n")
    >>> row.tag, row.is_manual, row.priority, row.description
    ('bm25', True, 1, 'By hand.')
    """
    if len(content) > MAX_BYTES:
        raise ValueError(f"The table is longer than {MAX_BYTES:,} bytes.")
    if why := not_a_table(content):
        raise ValueError(f"The table cannot be read. {why}")
    try:
        text = storable(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError("The table is not UTF-8: save the file as UTF-8.") from error
    # A line ends where the format says, and not at U+2028.
    lines = StringIO(text, newline="")
    rows = csv.reader(lines, delimiter=_separator(text.partition("\n")[0]))
    filled = ([cell.strip() for cell in row] for row in rows if any(row))
    try:
        head, *body = islice(filled, MOST_ROWS - n_before + 2)
    except (csv.Error, ValueError) as error:
        raise ValueError(
            "The table cannot be read: it is CSV or tab-separated values, with a header."
        ) from error
    if n_before + len(body) > MOST_ROWS:
        raise ValueError(f"The table describes more than {MOST_ROWS} runs, which is the limit.")
    if not any(OF_RUNS.is_named(field, head) for field in ("tag", "file")):
        raise ValueError(
            "The table has neither a column tag nor a column file, so its rows name no runs: "
            f"it has {shortened(head)}."
        )
    return [_row(_named(head, row)) for row in body]


def _separator(header: str) -> str:
    """Return what separates the names of a header: as spreadsheets write them, a semicolon too."""
    if "\t" in header:
        return "\t"
    return ";" if header.count(";") > header.count(",") else ","


def _named(head: list[str], row: list[str]) -> dict[str, str]:
    """Return the cells of a row under the names that this module uses.

    ValueError if more are filled than have a name.
    """
    cells = {name: restored(cell) for name, cell in zip(head, row, strict=False)}
    found = OF_RUNS.values_of(cells).parts
    others = {plain_name(name): cell for name, cell in cells.items()}
    named = others | {field: parts[0][1] if parts else "" for field, parts in found.items()}
    if any(row[len(head) :]):
        whose = brief(named.get("tag") or named.get("file", ""))
        raise ValueError(
            f"The table has more cells for {whose} than names of columns: "
            "put quotation marks around a text that has commas."
        )
    return named


def _row(row: dict[str, str]) -> RunRow:
    tag, file = row.get("tag", ""), row.get("file", "").replace("\\", "/").rpartition("/")[2]
    manual, priority, name = row.get("manual", ""), row.get("priority", ""), brief(tag or file)
    if manual.lower() not in _IS_MANUAL:
        raise ValueError(
            f"The table says “{brief(manual)}” of {name} under manual: it is yes or no."
        )
    is_number = priority.isascii() and priority.isdigit() and len(priority) < MANY_DIGITS
    if priority and not (is_number and 1 <= int(priority) <= MAX_PRIORITY):
        raise ValueError(
            f"The table gives {name} the priority “{brief(priority)}”: "
            f"it is a whole number from 1 to {MAX_PRIORITY}, or nothing."
        )
    is_manual, wish = _IS_MANUAL[manual.lower()], int(priority) if priority else None
    return RunRow(tag, file, is_manual, wish, row.get("description", ""), _stated(row, name))


def _stated(row: dict[str, str], name: str) -> dict[str, Any]:
    """Return what a row states of efficiency; ValueError for what cannot be."""
    found: dict[str, Any] = {}
    for each in FIGURES:
        if text := row.get(each.name, ""):
            try:
                value = float(text) if text.isascii() and "_" not in text else nan
            except ValueError:
                value = nan
            if not isfinite(value) or value > MOST_STATED:
                said = f"“{brief(text)}” under {each.name}"
                raise ValueError(f"The table says {said} of {name}: it is a number.")
            found[each.name] = round(value) if each.name == "index_bytes" else value
    for column, fault in faults(found).items():
        raise ValueError(f"The table cannot be taken: {column} of {name}. {fault}")
    for column, most in {"description": MAX_DESCRIPTION, "hardware": MAX_HARDWARE}.items():
        if len(row.get(column, "")) > most:
            raise ValueError(f"The table has a {column} of {name} over {most:,} characters long.")
    hardware = row.get("hardware", "")
    return found | ({"hardware": hardware} if hardware else {})
