"""JSON read within bounds: text of a few megabytes can hold values that take gigabytes."""

import json
import re
from typing import Any

# In a line of documents or topics: more than any has, and some 10 MB of memory.
MOST_VALUES = 100_000
_TEXTS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_TEXTS_OF_BYTES = re.compile(_TEXTS.pattern.encode(), re.DOTALL)


class TooMuch(ValueError):
    """JSON of more bytes or values than its reader takes, or nested too deep."""


def read_json(
    source: str | bytes, *, most_bytes: int, most_values: int = MOST_VALUES, **how: Any
) -> Any:
    """Return the value of a JSON text; `how` are options of `json.loads`.

    Raises TooMuch, before anything is made of it, for one beyond its bounds, and ValueError for one
    that is not JSON.

    >>> read_json('{"a": [1, 2]}', most_bytes=20)
    {'a': [1, 2]}
    >>> read_json("[[],[],[]]", most_bytes=20, most_values=3)
    Traceback (most recent call last):
    cleverdon.trec.json_values.TooMuch: It holds more than 3 values.
    """
    if len(source) > most_bytes:
        raise TooMuch(f"It is longer than {most_bytes:,} bytes.")
    if _n_values(source) > most_values and _n_values(_without_texts(source)) > most_values:
        raise TooMuch(f"It holds more than {most_values:,} values.")
    try:
        return json.loads(source, **how)
    except RecursionError:
        raise TooMuch("Its brackets are nested too deep.") from None


def _n_values(source: str | bytes) -> int:
    """Return at least how many values there are: each follows one of these, or is the first."""
    if isinstance(source, str):
        return 1 + sum(map(source.count, ",[{:"))
    return 1 + sum(map(source.count, (b",", b"[", b"{", b":")))


def _without_texts(source: str | bytes) -> str | bytes:
    """Leave out the texts, which hold commas of their own."""
    if isinstance(source, str):
        return _TEXTS.sub("", source)
    return _TEXTS_OF_BYTES.sub(b"", source)
