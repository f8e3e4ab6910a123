"""JSON Lines: an object a line, with fields that go by several names."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trec.streams import FormatError


def objects(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the object of each line that is not blank; FormatError where there is none."""
    for line, source in lines:
        if source.strip():
            yield line, _object(line, source)


def _object(line: int, source: str) -> dict[str, Any]:
    try:
        stored = json.loads(source)
    except json.JSONDecodeError as error:
        message = f"It is not JSON: {error.msg} at column {error.colno}."
        raise FormatError(line, message) from error
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, or thousands of brackets.
        raise FormatError(line, "It is not JSON that can be read.") from error
    if not isinstance(stored, dict):
        raise FormatError(line, "It is not a JSON object.")
    return stored


def value(stored: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return the value of the first of these names that is there, as text; nothing where there is none."""
    found = next((stored[name] for name in names if stored.get(name) is not None), "")
    return found if isinstance(found, str) else str(found)
