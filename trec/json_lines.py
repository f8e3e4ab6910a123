"""JSON Lines of documents and topics: one object a line, read strictly."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from trec.json_values import TooMuch, read_json
from trec.streams import LONE_CR, FormatError, has_lone_cr

MAX_BYTES = 1 << 24  # of a line


def json_objects(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the object of each line that is not blank; numbers stay text, as written.

    FormatError for a line without an object, a repeated key, and NaN or Infinity.
    """
    for line, source in lines:
        if source.strip():
            yield line, _object(line, source)


def first_value(line: int, stored: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the first of these fields that has a value, else "".

    FormatError for a value that is neither text nor a number.
    """
    name = next((name for name in names if stored.get(name) is not None), None)
    value = "" if name is None else stored[name]
    if not isinstance(value, str):
        kind = "true or false" if isinstance(value, bool) else "a list or an object"
        raise FormatError(line, f"The {name} is {kind}; it must be text or a number.")
    return value


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
        raise FormatError(line, message) from error
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
