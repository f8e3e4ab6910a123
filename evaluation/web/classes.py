"""The lines of classes across a board, and which of its runs are folded below them."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from evaluation.core.standing import letter_of
from significance.places import MOST_CLASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluation.web.board_tables import BoardRow

# From so many runs on, classes below A are folded to a line each.
FOLDED_FROM = 41


class ClassLine(NamedTuple):
    """A class of a board: its runs, wherever they stand."""

    number: int
    runs: list[BoardRow]
    n_folded: int

    @property
    def letter(self) -> str:
        return letter_of(self.number)

    @property
    def lead(self) -> str:
        return self.runs[0].entry.tag

    @property
    def values(self) -> list[float]:
        return [row.value for row in self.runs]

    @property
    def ends(self) -> str:
        """The scores of its first and last run as they are written."""
        first, last = (self.runs[n].cells[0].text for n in (0, -1))
        return first if first == last else f"{first} to {last}"


class Section(NamedTuple):
    """The rows of a board from one line of a class to the next; without classes all, and no line.

    Each row comes with the mark of its class if that is another, and whether it is folded.
    """

    line: ClassLine | None
    rows: list[tuple[BoardRow, str, bool]]


def plain(rows: Sequence[BoardRow]) -> Section:
    """Return the rows of a board without lines."""
    return Section(None, [(row, "", False) for row in rows])


def sections(rows: Sequence[BoardRow]) -> list[Section]:
    """Return the rows of a board below the lines of their classes.

    A line stands where the last run of all better classes is above it, so that a run which may be
    the best is never below the line of a lower class.
    """
    numbers = [row.standing.number if row.standing else None for row in rows]
    if not any(numbers):
        return [plain(rows)]
    lowest = list(accumulate(reversed([each or MOST_CLASSES + 1 for each in numbers]), min))[::-1]
    folds, found = len(rows) >= FOLDED_FROM, list[Section]()
    for at, row in enumerate(rows):
        here = lowest[at] if lowest[at] <= MOST_CLASSES else None
        last = found[-1].line if found else None
        if not found or (here and last and here != last.number):
            found.append(Section(_line(rows, here) if here else None, []))
        line, number = found[-1].line, numbers[at]
        mark = _in_words(number) if number and line and number != line.number else ""
        is_folded = bool(folds and line and line.number > 1 and not row.is_own)
        found[-1].rows.append((row, mark, is_folded))
    return [_counted(each) for each in found]


def _line(rows: Sequence[BoardRow], number: int) -> ClassLine:
    own = [row for row in rows if row.standing and row.standing.number == number]
    return ClassLine(number, own, 0)


def _counted(section: Section) -> Section:
    n = sum(is_folded for _, _, is_folded in section.rows)
    return section._replace(line=section.line and section.line._replace(n_folded=n))


def _in_words(number: int) -> str:
    return f"{'the' if number == MOST_CLASSES else 'class'} {letter_of(number)}"
