"""Passages that an assessor marks as evidence, located in the text of a document.

A page shows a text with other white space than the file, and HTML without its tags. Without
white space both have the same characters in the same order, so a page sends the quoted text
and how many such characters come before it.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, Self

MOST_PASSAGES = 20
MOST_CHARACTERS = 20_000  # of all passages of a document together
# White space of Python or a browser; static/js/judging/places.js has the same.
WHITE = re.compile(r"[\s\x1c-\x1f\x85\ufeff]+")
WORD = re.compile(r"[^\s\x1c-\x1f\x85\ufeff]+")


class BadPassages(ValueError):
    """Passages that a judgment may not have, or that are not in the text."""


class Quoted(NamedTuple):
    """A passage as a page sends it, after `before` characters that are not white space."""

    before: int
    text: str


class Passage(NamedTuple):
    """A passage of a document from `start` to `end`, in code points.

    `before` counts the characters before it that are not white space.
    """

    start: int
    end: int
    before: int
    text: str

    @classmethod
    def from_json(cls, stored: Sequence[Any]) -> Self:
        return cls(*stored)


def bare(text: str) -> str:
    r"""Return a text without white space.

    >>> bare(" a  cat\n")
    'acat'
    """
    return WHITE.sub("", text)


def quoted(sent: Iterable[Any]) -> tuple[Quoted, ...]:
    """Read passages sent as lists of `before` and `text`. Raises BadPassages."""
    passages: list[Quoted] = []
    for each in sent:
        is_pair = isinstance(each, list) and len(each) == 2
        if not is_pair or type(each[0]) is not int or not isinstance(each[1], str):
            raise BadPassages(
                "A passage is a list of two: the number of characters before it, "
                "without white space, and its text."
            )
        passages.append(Quoted(*each))
    if len(passages) > MOST_PASSAGES:
        raise BadPassages(f"At most {MOST_PASSAGES} passages of a document are kept.")
    if sum(len(each.text) for each in passages) > MOST_CHARACTERS:
        raise BadPassages(
            f"The passages of a document have at most {MOST_CHARACTERS:,} characters together."
        )
    return tuple(passages)


def located(text: str, sent: Iterable[Quoted]) -> tuple[Passage, ...]:
    r"""Return where passages are in a text, in its order, each once. Raises BadPassages.

    >>> located("A cat.\n\nA dog.", [Quoted(5, "A dog.")])
    (Passage(start=8, end=14, before=5, text='A dog.'),)
    """
    wanted = [(before, bare(quote)) for before, quote in sent]
    ends = {place for before, quote in wanted for place in (before, before + len(quote) - 1)}
    places = _places(text, ends)
    found = set[Passage]()
    for before, quote in wanted:
        first, last = places.get(before), places.get(before + len(quote) - 1)
        if not quote or first is None or last is None or bare(text[first : last + 1]) != quote:
            raise BadPassages("A passage is not in the text of the document.")
        found.add(Passage(first, last + 1, before, text[first : last + 1]))
    return tuple(sorted(found))


def _places(text: str, numbers: Collection[int]) -> dict[int, int]:
    """Return where the characters are that have these numbers when white space is left out."""
    places, before = dict[int, int](), 0
    left = sorted((number for number in numbers if number >= 0), reverse=True)
    for word in WORD.finditer(text):
        start, end = word.span()
        while left and left[-1] < before + end - start:
            number = left.pop()
            places[number] = start + number - before
        if not left:
            break
        before += end - start
    return places
