"""TOML written: what a campaign's file holds, in the order given; `tomllib` reads it back.

>>> print(text({"name": "TREC", "dates": {"opens_at": None}, "teams": [{"name": "A"}]}), end="")
name = "TREC"
<BLANKLINE>
[dates]
<BLANKLINE>
[[teams]]
name = "A"
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
# Those of several quotes, and one at the end, that would end the text.
LAST = re.compile(r'"(?="|\Z)')
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def text(table: Mapping[str, Any]) -> str:
    """Return a table as TOML. None is left out, as TOML has no word for it."""
    lines = [*_pairs({name: its for name, its in table.items() if not _is_table(its)})]
    for name, its in table.items():
        if _is_table(its):
            tables, mark = ([its], "[{}]") if isinstance(its, Mapping) else (its, "[[{}]]")
            for each in tables:
                lines += ["", mark.format(_key(name)), *_pairs(each)]
    return "\n".join(lines) + "\n"


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    for name, value in table.items():
        if value is not None:
            yield f"{_key(name)} = {_value(value)}"


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and all(isinstance(e, Mapping) for e in value)
    )


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _string(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_pairs(value))} }}"
    return _paragraphs(value) if "\n" in value else _string(value)


def _string(value: str) -> str:
    r"""Return a text in one line, escaped as JSON has it, which TOML reads alike.

    >>> _string('a "b"\x7f')
    '"a \\"b\\"\\u007f"'
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _paragraphs(value: str) -> str:
    """Return a text of several lines as it reads, unless it has what lines cannot hold."""
    if "\r" in value or CONTROLS.search(value):
        return _string(value)
    escaped = LAST.sub(r'\\"', value.replace("\\", "\\\\"))
    return f'"""\n{escaped}"""'
