"""JSON of documents and topics, read strictly: one object a line, an array, or objects in turn."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from cleverdon.trec.json_values import TooMuch, read_json
from cleverdon.trec.streams import LONE_CR, FormatError, has_lone_cr

MAX_BYTES = 1 << 24  # of an object
# Texts, which may hold brackets, and brackets outside of them.
_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]')
_DEPTHS = {"{": 1, "[": 1, "}": -1, "]": -1}
NOT_OBJECTS = "It is JSON, but not a list of objects: write one object a line."


def json_objects(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the object of each line that is not blank; numbers stay text, as written.

    FormatError for a line without an object, a repeated key, and NaN or Infinity.
    """
    for line, source in lines:
        if source.strip():
            yield line, _object(line, source)


def json_values(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    r"""Yield the objects of an array, or of a file that has them one after the other.

    They may go over several lines. They are read one at a time, of at most MAX_BYTES each.

    >>> lines = enumerate(['[{"id": 1,\n', ' "a": "]}"},\n', '{}]\n'], 1)
    >>> list(json_values(lines))
    [(1, {'id': '1', 'a': ']}'}), (3, {})]
    """
    taking = _Taking()
    for line, source in lines:
        yield from taking.objects(line, source)
    taking.end()


class _Taking:
    """Cuts objects out of lines, by their brackets alone: what is within is read afterwards."""

    def __init__(self) -> None:
        self.depth = self.n_characters = self.start = 0
        self.kept = list[str]()
        self.is_array = self.has_ended = False

    def objects(self, line: int, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
        at = 0  # what is before it is taken
        for found in _BRACKETS.finditer(source):
            bracket = found[0]
            if self.depth:
                self.depth += _DEPTHS.get(bracket, 0)
                if not self.depth:
                    self._keep(source[at : found.end()])
                    yield self.start, _object(self.start, "".join(self.kept))
                    at, self.kept, self.n_characters = found.end(), [], 0
            else:
                self._between(line, source[at : found.start()])
                self._begin(line, bracket)
                at = found.end() - (bracket == "{")
        if self.depth:
            self._keep(source[at:])
        else:
            self._between(line, source[at:])

    def _begin(self, line: int, bracket: str) -> None:
        is_first = not (self.start or self.is_array)
        if bracket == "{" and not self.has_ended:
            self.depth, self.start = 1, line
        elif bracket == "[" and is_first:
            self.is_array = True
        elif bracket == "]" and self.is_array and not self.has_ended:
            self.has_ended = True
        else:
            raise FormatError(line, NOT_OBJECTS)

    def _between(self, line: int, source: str) -> None:
        rest = source.strip()
        if rest and not (rest == "," and self.start and not self.has_ended):
            if has_lone_cr(source):
                raise FormatError(line, LONE_CR)
            raise FormatError(line, NOT_OBJECTS)

    def _keep(self, source: str) -> None:
        self.n_characters += len(source)
        if self.n_characters > MAX_BYTES:
            raise FormatError(self.start, f"The object is longer than {MAX_BYTES:,} bytes.")
        self.kept.append(source)

    def end(self) -> None:
        if self.depth:
            raise FormatError(self.start, "It is not JSON: the object that begins here has no end.")
        if self.is_array and not self.has_ended:
            raise FormatError(None, "It is a JSON array whose end is missing.")


def is_cut(source: str) -> bool:
    """Tell whether a line begins an object that goes on in the next."""
    return sum(_DEPTHS.get(found[0], 0) for found in _BRACKETS.finditer(source)) > 0


def _object(line: int, source: str) -> dict[str, Any]:
    try:
        stored = read_json(
            source,
            most_bytes=MAX_BYTES,
            object_pairs_hook=_with_different_keys,
            parse_constant=_no_constant,
            parse_int=str,
            parse_float=str,
        )
    except FormatError as error:
        raise FormatError(line, error.message) from error
    except json.JSONDecodeError as error:
        if has_lone_cr(source):
            raise FormatError(line, LONE_CR) from error
        message = f"It is not JSON: {error.msg} at column {error.colno}."
        raise FormatError(line + error.lineno - 1, message) from error
    except TooMuch as error:
        raise FormatError(line, f"It is not JSON that can be read: {error}") from error
    if not isinstance(stored, dict):
        raise FormatError(line, "It is not a JSON object.")
    return stored


def _with_different_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    stored = dict[str, Any]()
    for key, value in pairs:
        if key in stored:
            raise FormatError(None, f"The key {key[:60]!r} comes twice in one object.")
        stored[key] = value
    return stored


def _no_constant(name: str) -> NoReturn:
    raise FormatError(None, f"It is not JSON: {name} is not a value of JSON.")
