"""Tables that people open in a spreadsheet, written a line at a time."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

# Each piece that is sent takes a call of the system: with a line in each, a large pool takes four times as long.
BLOCK = 1 << 16
# Apostrophes before it are counted in: without the first apostrophe, each text is again what it was.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+([.]\d+)?")


def cell(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe first.

    People choose the names of teams, runs, topics and documents. Numbers stay as they are.

    >>> cell("=1+1"), cell("'=1"), cell("-1"), cell("Aldgate"), cell(-0.5)
    ("'=1+1", "''=1", '-1', 'Aldgate', -0.5)
    """
    if not isinstance(value, str) or not _FORMULA.match(value):
        return value
    return value if _NUMBER.fullmatch(value) else f"'{value}"


def csv_lines(rows: Iterable[Sequence[Any]], line_end: str = "\r\n") -> Iterator[str]:
    """Yield each row as CSV, with its line end; floats as Python prints them, in full."""
    writer = csv.writer(_Returned(), lineterminator=line_end)
    return (writer.writerow(row) for row in rows)


class _Returned:
    """A file that keeps nothing: what is written to it comes back from the writer."""

    def write(self, text: str) -> str:
        return text


def csv_text(rows: Iterable[Sequence[Any]], line_end: str = "\r\n") -> str:
    """Return rows as CSV, as `csv_lines` yields them."""
    return "".join(csv_lines(rows, line_end))


def records_csv(kind: type[NamedTuple], records: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield a header, the names of the fields, and each record as a line of CSV; no text in it is a formula, times are in UTC, and what is empty or has parts is nothing or JSON."""
    yield from csv_lines([kind._fields])
    yield from csv_lines([_written(value) for value in record] for record in records)


def _written(value: object) -> object:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    if not isinstance(value, datetime):
        return cell(value)
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{value.microsecond // 1000:03}Z"


def in_blocks(lines: Iterable[str]) -> Iterator[str]:
    """Join lines to pieces that are worth a call of the system, and small beside a process."""
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
