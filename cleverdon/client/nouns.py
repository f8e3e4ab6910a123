"""What the API lists, by name: records are read, and acts done to them."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from cleverdon.client.connection import Connection, Progress, Record


Records = list[dict[str, Any]]
# Short work is told of soon, and long work asks for little of what a token may ask.
FIRST_SECONDS, MOST_SECONDS, GROWTH = 0.1, 3.0, 1.4


def spelled(name: str) -> str:
    """Return a name of the API as addresses have it, from one of Python's.

    >>> spelled("judgment_events"), spelled("import_")
    ('judgment-events', 'import')
    """
    return name.rstrip("_").replace("_", "-")


def part(name: object) -> str:
    """Return a name as the part of an address that it is, as docs/api.md says.

    >>> part("a/b"), part(".."), part("a/~./b")
    ('a%2Fb', '~..', 'a%2F~~.%2Fb')
    """
    return quote(re.sub(r"(?<![^/])(~*\.{1,2})(?![^/])", r"~\1", str(name)), safe="")


class Noun:
    """What is listed at an address: its records, and what may be done to them.

    `noun.list(**filters)` and `noun.get(key)` read; `noun.new(**values)` makes a row. Any other
    name is an act: `noun.withdraw(key, **values)`, or without a key on all of them; one that
    takes a list has rows: `campaign.work.judge(key, *rows)`. `noun[key]` has what is below a row:
    `campaign.evaluations[key].scores.list()`.
    """

    def __init__(self, connection: Connection, path: str) -> None:
        self._connection, self._path = connection, path

    def __repr__(self) -> str:
        above, _, name = self._path.rstrip("/").rpartition("/")
        return f"<{name} of {above or 'the site'} at {self._connection.url}>"

    def list(self, **filters: Any) -> Records:
        """Return all records as dicts, of which `pandas.DataFrame` makes a table."""
        return [*self.each(**filters)]

    def each(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """Yield all records, a thousand at a time."""
        return self._connection.pages(self._path, **filters)

    def get(self, key: object = None, **asked: Any) -> Record:
        """Return one record, with its `etag`; without a key what there is only one of."""
        record: Record = self._connection.get(self._at(key), **asked)
        return record

    def new(self, **values: Any) -> Any:
        """Make a row; return its record, or that of the job that makes it."""
        return self._connection.post(self._path, values)

    def act(
        self,
        name: str,
        key: object = None,
        /,
        *rows: Mapping[str, Any],
        seen: Record | None = None,
        on_progress: Progress | None = None,
        **values: Any,
    ) -> Any:
        """Do an act by its name in addresses; return what the site tells of it.

        With `seen`, the record as it was read, it is refused if that has changed since.
        """
        path = f"{self._at(key)}{part(name)}/"
        told = list(rows) if rows else values
        return self._connection.post(path, told, seen=seen, on_progress=on_progress)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(self.act, spelled(name))

    def __getitem__(self, key: object) -> Below:
        return Below(self._connection, self._at(key))

    def settled(
        self, key: object, *passing: str, on_progress: Callable[[int, int], None] | None = None
    ) -> Record:
        """Wait until the state of a record is none of the `passing` ones; return the record."""
        seconds = FIRST_SECONDS
        while (record := self.get(key))["state"] in passing:
            if on_progress:
                on_progress(record.get("percent", 0), 100)
            time.sleep(seconds)
            seconds = min(MOST_SECONDS, seconds * GROWTH)
        if on_progress:
            on_progress(100, 100)
        return record

    def received(
        self, name: str = "", key: object = None, **asked: Any
    ) -> AbstractContextManager[IO[bytes]]:
        """Yield a file of a record, or of all of them, once it was received whole.

        Without a name it is the list itself, in the `format` "csv" or "ndjson".
        """
        return self._connection.whole(f"{self._at(key)}{name}", **asked)

    def _at(self, key: object) -> str:
        return self._path if key is None else f"{self._path}{part(key)}/"


class Below:
    """What is below an address, by its name: `campaign.topics`."""

    def __init__(self, connection: Connection, path: str) -> None:
        self._connection, self._path = connection, path

    def __getattr__(self, name: str) -> Noun:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.noun(spelled(name))

    def noun(self, name: str) -> Noun:
        """Return a noun by its name in addresses."""
        return Noun(self._connection, f"{self._path}{part(name)}/")
