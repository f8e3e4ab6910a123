"""The lines of classes across a board, and which of its runs are shown below them."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from django.http import QueryDict
from django.utils.http import urlencode

from cleverdon.significance.places import MOST_CLASSES
from evaluation.core.standing import letter_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluation.web.board_tables import BoardRow

# From so many runs on, classes below A are folded to a line each, and runs are sought.
FOLDED_FROM = 41
AT_ONCE = 100  # rows of a part
OPEN, FIND, KIND, ALL = "board-open", "board-find", "board-kind", "all"


class Kind(NamedTuple):
    """A kind of runs, or "" for all, how many there are, and whether they are shown alone."""

    name: str
    n: int
    is_chosen: bool


class Asked:
    """What an address asks of a long board: kinds, words, and parts to open.

    A part is opened by as many rows more as often as it is named.
    """

    def __init__(self, query: QueryDict | None = None) -> None:
        self.query = query or QueryDict()
        self.words, self.kind = (self.query.get(name, "").strip() for name in (FIND, KIND))
        self._open = Counter(filter(None, self.query.get(OPEN, "").split(",")))

    @property
    def is_filtered(self) -> bool:
        return bool(self.words or self.kind)

    def n_shown(self, part: int, first: int, n: int) -> int:
        """Return how many of a part's n rows are shown at first."""
        return n if ALL in self._open else first + AT_ONCE * self._open[str(part)]

    def is_open(self, part: int) -> bool:
        return bool(self._open[str(part)])

    def opening(self, part: int) -> str:
        """Return the address that shows more of a part."""
        return self.address({OPEN: ",".join([*self._open.elements(), str(part)])})

    def folding(self, part: int) -> str:
        """Return the address that folds a part."""
        rest = [each for each in self._open.elements() if each != str(part)]
        return self.address({OPEN: ",".join(rest)})

    @property
    def kept(self) -> str:
        """What of it an address that refreshes the board goes on asking."""
        own = {name: self.query.get(name, "") for name in (OPEN, FIND, KIND)}
        return f"&{urlencode(own)}"

    @property
    def whole(self) -> str:
        return self.address({OPEN: ALL, FIND: "", KIND: ""})

    def address(self, changes: dict[str, str]) -> str:
        query = self.query.copy()
        for name, value in changes.items():
            query.pop(name, None)
            if value:
                query[name] = value
        return f"?{query.urlencode()}"

    def matching(self, rows: Sequence[BoardRow]) -> list[BoardRow]:
        """Return the rows of the kind whose run or team has the words in its name."""
        sought = self.words.lower()
        return [
            row
            for row in rows
            if (not self.kind or self.kind in row.kinds.split(","))
            and sought in f"{row.entry.tag} {row.entry.subject.team}".lower()
        ]

    def kinds(self, rows: Sequence[BoardRow]) -> list[Kind]:
        """Return the kinds of some rows, all rows first; a kind of all of them is none."""
        counts = Counter(kind for row in rows for kind in row.kinds.split(",") if kind)
        some = {name: n for name, n in counts.items() if n < len(rows)}
        return [Kind(name, n, name == self.kind) for name, n in {"": len(rows), **some}.items()]


class ClassLine(NamedTuple):
    """A class of a board: its runs, wherever they stand."""

    number: int
    runs: list[BoardRow]

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

    Each row that is shown comes with the mark of its class if that is another. `opening` is the
    address that shows some of the `n_folded` rows, `folding` the one that shows none of them.
    """

    line: ClassLine | None
    rows: list[tuple[BoardRow, str]]
    n_folded: int = 0
    opening: str = ""
    folding: str = ""


def plain(rows: Sequence[BoardRow], asked: Asked) -> Section:
    """Return the rows of a board without lines."""
    return _shown(Section(None, [(row, "") for row in rows]), asked, folds=False)


def sections(rows: Sequence[BoardRow], asked: Asked) -> list[Section]:
    """Return the rows of a board below the lines of their classes, or those that match.

    A line stands where the last run of all better classes is above it, so that a run which may be
    the best is never below the line of a lower class.
    """
    if asked.is_filtered:
        return [plain(asked.matching(rows), asked)]
    numbers = [row.standing.number if row.standing else None for row in rows]
    if not any(numbers):
        return [plain(rows, asked)]
    lowest = list(accumulate(reversed([each or MOST_CLASSES + 1 for each in numbers]), min))[::-1]
    folds, found = is_long(rows), list[Section]()
    for at, row in enumerate(rows):
        here = lowest[at] if lowest[at] <= MOST_CLASSES else None
        last = found[-1].line if found else None
        if not found or (here and last and here != last.number):
            found.append(Section(_line(rows, here) if here else None, []))
        line, number = found[-1].line, numbers[at]
        mark = _in_words(number) if number and line and number != line.number else ""
        found[-1].rows.append((row, mark))
    return [_shown(each, asked, folds=folds) for each in found]


def is_long(rows: Sequence[BoardRow]) -> bool:
    """Whether a board shows its parts as they are asked for."""
    return len(rows) >= FOLDED_FROM


def _line(rows: Sequence[BoardRow], number: int) -> ClassLine:
    own = [row for row in rows if row.standing and row.standing.number == number]
    return ClassLine(number, own)


def _shown(section: Section, asked: Asked, *, folds: bool) -> Section:
    """Return the first rows of a section, or none of a lower class; one's own are always shown."""
    part, rows = section.line.number if section.line else 0, section.rows
    n = asked.n_shown(part, 0 if folds and part > 1 else AT_ONCE, len(rows))
    kept = [each for at, each in enumerate(rows) if at < n or each[0].is_own]
    return section._replace(
        rows=kept,
        n_folded=len(rows) - len(kept),
        opening=asked.opening(part) if len(kept) < len(rows) else "",
        folding=asked.folding(part) if asked.is_open(part) else "",
    )


def _in_words(number: int) -> str:
    return f"{'the' if number == MOST_CLASSES else 'class'} {letter_of(number)}"
