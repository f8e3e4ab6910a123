"""The parameters of strategies: what a form asks for, and how what was typed is read.

All have a `name`, a `help`, the `usual` text of a field, `read(text)`, which gives data that JSON
can hold or a ValueError with one sentence, and `written(value)`, which gives the text back.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from cleverdon.trec.docnos import MAX_DOCNO
from cleverdon.trec.ordering import natural_key
from cleverdon.trec.runs.run import TAG
from cleverdon.trec.streams import lines_of, storable

MOST_DEPTH = 1000
MOST_NAMED = 10_000
OTHERS = "others"
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class Parameter(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def help(self) -> str: ...
    @property
    def usual(self) -> Any: ...
    def read(self, text: str) -> Any: ...
    def written(self, value: Any) -> str: ...


@dataclass(frozen=True)
class WholeNumber:
    name: str
    help: str
    usual: int
    most: int = MOST_DEPTH
    least: int = 1
    label: str | None = None

    def read(self, text: str) -> int:
        return _whole(text, self.least, self.most)

    def written(self, value: int) -> str:
        return str(value)


@dataclass(frozen=True)
class Choice:
    """One of several words; `options` says each in full."""

    name: str
    help: str
    options: Mapping[str, str]
    usual: str
    label: str | None = None

    def read(self, text: str) -> str:
        if text not in self.options:
            raise ValueError(f"Choose one of {', '.join(self.options)}.")
        return text

    def written(self, value: str) -> str:
        return value


@dataclass(frozen=True)
class Depths:
    """Depths by tag, or by priority: "1:100, 2:50, others:10" is {"1": 100, "2": 50, …}."""

    name: str
    help: str
    usual: str
    by_priority: bool = False

    def read(self, text: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, depth in _pairs(text, "depth"):
            key = str(_whole(name, 1, 999)) if self._is_number(name) else name
            if key in found:
                raise ValueError(f"{key!r} comes twice.")
            if key != OTHERS and not self.by_priority and not TAG.fullmatch(key):
                raise ValueError(f"{key[:40]!r} is not a tag.")
            found[key] = _whole(depth, 1, MOST_DEPTH)
        return found

    def _is_number(self, name: str) -> bool:
        return self.by_priority and name != OTHERS

    def written(self, value: Mapping[str, int]) -> str:
        names = sorted(value, key=lambda name: (name == OTHERS, natural_key(name), name))
        return ", ".join(f"{name}:{value[name]}" for name in names)


@dataclass(frozen=True)
class Strata:
    """Strata of best ranks with their shares: "10:100, 40:40" is [[10, 100], [40, 40]].

    The first ends at rank 10 and is judged whole, the second at rank 40, 40 % of it judged.
    """

    name: str
    help: str
    usual: str

    def read(self, text: str) -> list[list[int]]:
        strata = [
            [_whole(end, 1, MOST_DEPTH), _whole(percent, 1, 100)]
            for end, percent in _pairs(text, "percent")
        ]
        for (before, _), (end, _) in pairwise(strata):
            if end <= before:
                raise ValueError(f"A stratum that ends at {end} cannot follow one to {before}.")
        return strata

    def written(self, value: Sequence[Sequence[int]]) -> str:
        return ", ".join(f"{end}:{percent}" for end, percent in value)


@dataclass(frozen=True)
class Documents:
    """Documents, one a line with topic, docno and why: [["301", "FT911-3", "known item"]]."""

    name: str
    help: str
    usual: str = ""

    def read(self, text: str) -> list[list[str]]:
        found: dict[tuple[str, str], list[str]] = {}
        for number, line in enumerate(lines_of(text), 1):
            parts = _document(number, line)
            if parts and found.setdefault((parts[0], parts[1]), parts) is not parts:
                raise ValueError(f"Line {number:,}: the document comes twice.")
        if not found:
            raise ValueError("Name at least one document.")
        if len(found) > MOST_NAMED:
            raise ValueError(f"At most {MOST_NAMED:,} documents can be named at once.")
        return list(found.values())

    def written(self, value: Sequence[Sequence[str]]) -> str:
        return "\n".join(" ".join(each) for each in value)


def _document(number: int, line: str) -> list[str]:
    """Return topic, docno and why; nothing for a blank line."""
    parts = line.split(maxsplit=2)
    if parts and len(parts) < 3:
        raise ValueError(f"Line {number:,}: topic, docno and a reason are wanted.")
    if CONTROL.search(line) or storable(line) != line:
        raise ValueError(f"Line {number:,}: it holds control characters.")
    if parts and len(parts[1].encode()) > MAX_DOCNO:
        raise ValueError(f"Line {number:,}: the docno has more than {MAX_DOCNO} bytes.")
    return parts


def _pairs(text: str, what: str) -> list[tuple[str, str]]:
    pairs = []
    for part in text.split(","):
        name, colon, number = (piece.strip() for piece in part.partition(":"))
        if not name or not colon:
            raise ValueError(f"{part.strip()[:40]!r} is not a name and a {what} with a colon.")
        pairs.append((name, number))
    return pairs


def _whole(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or not least <= int(text) <= most:
        raise ValueError(f"{text.strip()[:40]!r} is not a whole number from {least:,} to {most:,}.")
    return int(text)
