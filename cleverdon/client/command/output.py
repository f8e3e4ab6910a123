"""What commands print: tables for people, JSON and CSV for programs, progress for who waits.

What is printed depends on what was asked for, and not on who reads it: without a terminal a table
is 80 columns wide and has no colors, and there is no progress.
"""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

WITHOUT_TERMINAL = 80
WIDEST_CELL = 36  # as an id
BETWEEN = 2
NAMED = 5
STOPPED = "Stopped. The same command goes on where it was.\n"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
Row = Mapping[str, Any]


def console(stream: TextIO) -> Console:
    width = None if stream.isatty() else WITHOUT_TERMINAL
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def as_json(records: Iterable[Row] | Row, out: TextIO) -> None:
    """Write a record, or an array of them, a line each, as they come."""
    if isinstance(records, Mapping):
        out.write(json.dumps(records, ensure_ascii=False, indent=1) + "\n")
        return
    out.write("[")
    out.writelines(
        f"{',' if n else ''}\n{json.dumps(record, ensure_ascii=False)}"
        for n, record in enumerate(records)
    )
    out.write("\n]\n")


def as_csv(records: Iterable[Row], out: TextIO) -> None:
    """Write a line for each record, below the names of the first one's fields."""
    writer = None
    for record in records:
        if writer is None:
            writer = csv.writer(out)
            writer.writerow(record)
        writer.writerow(["" if each is None else each for each in record.values()])


def as_table(records: Iterable[Row], out: TextIO, first: Sequence[str] = ()) -> None:
    """Write the fields that there is room for, those named `first` before others.

    The others are named below.
    """
    rows = [{name: shown(value) for name, value in each.items()} for each in records]
    if not rows:
        out.write("There are none.\n")
        return
    screen = console(out)
    names = list(dict.fromkeys([*(name for name in first if name in rows[0]), *rows[0]]))
    kept = _that_fit(names, rows, screen.width)
    table = Table(box=None, padding=(0, BETWEEN, 0, 0), pad_edge=False, header_style="bold")
    for name in kept:
        table.add_column(Text(name), overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[name]) for name in kept))
    screen.print(table)
    if left := [name for name in names if name not in kept]:
        named = ", ".join(left[:NAMED]) + (" …" if len(left) > NAMED else "")
        screen.print(f"\nNot shown, but by --fields or --json: {named}", style="dim")


def _that_fit(names: Sequence[str], rows: Sequence[Mapping[str, str]], width: int) -> list[str]:
    """Return the names of the columns that fit beside each other, at least one."""
    kept, used = list[str](), 0
    for name in names:
        widest = max(map(cell_len, (name, *(row[name] for row in rows))))
        used += min(widest, WIDEST_CELL) + BETWEEN
        if kept and used > width:
            break
        kept.append(name)
    return kept


def as_fields(record: Row, out: TextIO) -> None:
    """Write a record as names and values, a line each or several."""
    table = Table(box=None, padding=(0, BETWEEN, 0, 0), pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in record.items():
        table.add_row(Text(name), Text(shown(value, keeps_lines=True)))
    console(out).print(table)


def shown(value: Any, *, keeps_lines: bool = False) -> str:
    r"""Return a value as a cell has it: control characters of a text do nothing to a terminal.

    >>> shown(None), shown(True), shown("a\x1b[31mb"), shown(0.25), shown([1, "b"])
    ('-', 'yes', 'a [31mb', '0.2500', '1, b')
    >>> shown("2026-11-19T00:39:00.741222Z")
    '2026-11-19 00:39Z'
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    if isinstance(value, str) and MOMENT.fullmatch(value):
        return f"{value[:10]} {value[11:16]}Z"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else str(value)
    kept = "\n" if keeps_lines else ""
    return "".join(each if each.isprintable() or each in kept else " " for each in text)


@contextmanager
def progress(words: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield what is told how much of how much is done, None if nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %")
    # A stop goes through the bar, which gives the terminal its cursor back.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Progress(
            *columns, TimeRemainingColumn(), console=console(sys.stderr), transient=True
        ) as bar:
            task = bar.add_task(words, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
    except KeyboardInterrupt:
        sys.stderr.write(STOPPED)
        sys.stderr.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
        raise
    finally:
        signal.signal(signal.SIGINT, usual)
