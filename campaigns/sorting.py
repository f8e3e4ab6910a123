"""Sorting the rows of a table by the links in its heads."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from math import isnan
from numbers import Number
from typing import Any, NamedTuple

from django.db.models import Expression, F, QuerySet
from django.db.models.expressions import OrderBy

from cleverdon.trec.ordering import natural_key

# More rows take too long to sort, unless an index does.
SORTED_AT_MOST = 50_000


class Shown:
    """A column of a table. Numbers and dates begin with the highest, all else with the lowest.

    `name` is for a head whose words are no name in Python, `title` explains it.
    """

    is_indexed = False

    def __init__(
        self, *, is_number: bool = False, is_date: bool = False, name: str = "", title: str = ""
    ) -> None:
        self.is_number, self.starts_down = is_number, is_number or is_date
        self.name, self.title = name, title

    def sorted(self, rows: Any, *, down: bool) -> Any:
        """Return the rows in this order; equal ones keep theirs."""
        raise NotImplementedError


class Column(Shown):
    """What the database sorts rows by: fields and expressions, the first one first.

    If some rows have no value, `has_gaps`: these come last in either direction.
    """

    def __init__(
        self, *by: str | Expression, has_gaps: bool = False, is_indexed: bool = False, **shown: Any
    ) -> None:
        super().__init__(**shown)
        self.by, self.has_gaps, self.is_indexed = by, has_gaps, is_indexed

    def sorted(self, rows: QuerySet[Any], *, down: bool) -> QuerySet[Any]:
        # The keys of an index are unique, and more keys would keep it from being used.
        rest = () if self.is_indexed else (*_standing(rows), "pk")
        return rows.order_by(*(self._ordered(key, down=down) for key in self.by), *rest)

    def _ordered(self, key: str | Expression, *, down: bool) -> OrderBy:
        last = self.has_gaps or None
        return OrderBy(F(key) if isinstance(key, str) else key, descending=down, nulls_last=last)


class Cell(Shown):
    """What rows are sorted by that the database cannot sort: a value of each.

    Rows without a value, None or NaN, come last in either direction.
    """

    def __init__(self, by: Callable[[Any], Any], **shown: Any) -> None:
        super().__init__(**shown)
        self.by = by

    def sorted(self, rows: Iterable[Any], *, down: bool) -> list[Any]:
        keyed = [(_key(self.by(row)), row) for row in rows]
        known = [each for each in keyed if each[0] is not None]
        known.sort(key=lambda each: each[0], reverse=down)
        return [row for _, row in known] + [row for key, row in keyed if key is None]


# A cell with a number.
Figure = partial(Cell, is_number=True)


def _key(value: Any) -> Any:
    """Return what a value is sorted by: numbers and dates as such, all else as text."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return None
    return value if isinstance(value, Number | date) else natural_key(str(value).lower())


def _standing(rows: QuerySet[Any]) -> Sequence[Any]:
    return rows.query.order_by or rows.model._meta.ordering  # Django documents it


class Head(NamedTuple):
    """The head of a column of the table with this id.

    `address` is that of the list in the next order, "" if it cannot be sorted by this column;
    `sort` is "ascending" or "descending" if it is.
    """

    table: str
    name: str
    address: str
    sort: str
    is_number: bool
    title: str


class Sorting:
    """The columns that the rows of a table can be sorted by, and the sort if none is asked for.

    A sort is the name of a column, after a minus if the highest comes first. Its parameter in the
    address has the table's id.
    """

    def __init__(self, table: str, *, unasked: str = "", **columns: Shown) -> None:
        self.table, self.unasked, self.parameter = table, unasked, f"{table}-sort"
        self.keys = {column.name or _name(key): key for key, column in columns.items()}
        self.columns = {name: columns[key] for name, key in self.keys.items()}

    def offered(self, n: int) -> dict[str, Shown]:
        """Return the columns by which n rows can be sorted, by name."""
        return {
            name: column
            for name, column in self.columns.items()
            if column.is_indexed or n <= SORTED_AT_MOST
        }

    def asked(self, sort: str, n: int) -> str:
        """Return the sort that an address asks for; "" if n rows cannot be sorted by that."""
        return sort if sort.removeprefix("-") in self.offered(n) else ""

    def sorted(self, rows: Any, sort: str) -> Any:
        down, name = sort.startswith("-"), sort.removeprefix("-")
        return self.columns[name].sorted(rows, down=down) if name else rows

    def heads(self, sort: str, n: int, address: Callable[[str], str]) -> dict[str, Head]:
        """Return the heads by the columns' names in Python; `address` is that of a sort."""
        offered = self.offered(n)
        return {
            self.keys[name]: self._head(
                name, sort or self.unasked, address if name in offered else lambda _: ""
            )
            for name in self.columns
        }

    def _head(self, name: str, sort: str, address: Callable[[str], str]) -> Head:
        column = self.columns[name]
        up, down = name, f"-{name}"
        first, second = (down, up) if column.starts_down else (up, down)
        there = address(second if sort == first else first)
        words = {up: "ascending", down: "descending"}
        sorted_now = words.get(sort, "") if there else ""
        return Head(self.table, name, there, sorted_now, column.is_number, column.title)


def _name(key: str) -> str:
    """Return the words of a head: "judged_by" gives "Judged by"."""
    return key.strip("_").replace("_", " ").capitalize()


# For a list with one order.
UNSORTED = Sorting("")
