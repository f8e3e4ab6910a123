"""Tables that people open in a spreadsheet, written a line at a time."""

import csv
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

Row = TypeVar("Row")
# Bytes. Each piece sent takes a system call: line by line a large pool takes four times as long.
BLOCK = 1 << 16
# With leading apostrophes, so that dropping the first one restores every text.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+([.]\d+)?")
# How a formula may begin, which nearly no text does.
_BEGINS = frozenset("'=+-@\t\r")


def cell(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula: text like one gets an apostrophe.

    What is no number is nothing, and its cell is empty.

    >>> cell("=1+1"), cell("'=1"), cell("-1"), cell("Aldgate"), cell(-0.5), cell(math.nan)
    ("'=1+1", "''=1", '-1', 'Aldgate', -0.5, None)
    """
    if isinstance(value, float):
        return finite(value)
    if not isinstance(value, str) or not _FORMULA.match(value):
        return value
    return value if _NUMBER.fullmatch(value) else f"'{value}"


def finite(value: float | None) -> float | None:
    """Return a number as CSV and JSON have it: None for what is not finite."""
    return None if value is None or not math.isfinite(value) else value


def restored(text: str) -> str:
    """Return the text that `cell` wrote.

    >>> restored("'=1+1"), restored("''=1"), restored("'tis")
    ('=1+1', "'=1", "'tis")
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def csv_lines(rows: Iterable[Sequence[Any]], line_end: str = "\r\n") -> Iterator[str]:
    """Yield each row as CSV, with its line end; floats as Python prints them, in full."""
    writer = csv.writer(_Returned(), lineterminator=line_end)
    return (writer.writerow(row) for row in rows)


class _Returned:
    """A file that returns what is written to it instead of keeping it."""

    def write(self, text: str) -> str:
        return text


def csv_text(rows: Iterable[Sequence[Any]], line_end: str = "\r\n") -> str:
    return "".join(csv_lines(rows, line_end))


def records_csv(kind: type[NamedTuple], records: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the names of the fields and each record as lines of CSV.

    No text is a formula, times are in UTC, lists and objects are JSON, or nothing when empty.
    """
    yield from csv_lines([kind._fields])
    yield from csv_lines([_written(value) for value in record] for record in records)


def table_csv(columns: Mapping[str, Callable[[Row], object]], rows: Iterable[Row]) -> Iterator[str]:
    """Yield the names of the columns and their values for each row, written as in `records_csv`."""
    yield from csv_lines([tuple(columns)])
    yield from csv_lines([_written(of(row)) for of in columns.values()] for row in rows)


def _written(value: object) -> object:
    # Millions of cells pass here, nearly all of them text that is no formula, numbers or nothing.
    if value is None or type(value) is int or (type(value) is str and value[:1] not in _BEGINS):
        return value
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    if not isinstance(value, datetime):
        return cell(value)
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def in_blocks(lines: Iterable[str]) -> Iterator[str]:
    """Join lines into pieces of about BLOCK characters."""
    block: list[str] = []
    n_characters = 0
    for line in lines:
        block.append(line)
        n_characters += len(line)
        if n_characters >= BLOCK:
            yield "".join(block)
            block, n_characters = [], 0
    if block:
        yield "".join(block)
