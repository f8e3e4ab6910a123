"""What a campaign's file may say, looked at before a site is asked."""

from __future__ import annotations

from datetime import date, time
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Mapping[Any, str] = {
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    list[str]: "a list of texts in quotes",
    dict: "a table",
}
# The parts, and what each may say; settings, dates and criteria are the site's to read.
PARTS: Mapping[str, Mapping[str, Any] | None] = {
    "settings": None,
    "dates": None,
    "criteria": None,
    "topics": {"file": str},
    "documents": {"files": list[str], "is_html": bool, "completes_collection": bool},
    "teams": {"name": str},
    "invitations": {"name": str, "role": str, "team": str, "max_uses": int, "days": int},
    "pool": {
        "strategy": str,
        "parameters": dict,
        "order_rule": str,
        "topics": list,
        "runs": list,
        "joins_duplicates": bool,
    },
}
HEAD = {"name": str, "slug": str}
ARRAYS = {"criteria", "teams", "invitations"}
NEEDED = {"topics": "file", "teams": "name", "invitations": "role"}
# Of all settings those that no file sets, for they follow from what is done.
FOLLOWING = {"slug", "round", "created_at", "archived_at"}
FOLLOWING |= {"has_whole_collection", "has_fixed_scale"}


def check(content: Mapping[str, Any]) -> None:
    """Raise ValueError with a sentence for what cannot be in a file."""
    if not str(content.get("name", "")).strip():
        raise ValueError('It has no name: begin with name = "…".')
    _check_row(content, {**HEAD, **dict.fromkeys(PARTS)}, "the file")
    for part, known in PARTS.items():
        for where, row in _rows(content, part):
            if known is None:
                _check_plain(row, where, has_dates=part == "dates")
                continue
            _check_row(row, known, where)
            needed = NEEDED.get(part)
            if needed and not row.get(needed, "").strip():
                raise ValueError(f"{where} has no {needed}.")
            _check_plain(row, where)
    for name in content.get("settings", {}):
        if name in {*HEAD, *FOLLOWING}:
            raise ValueError(f"{name} is no setting that [settings] takes.")


def _rows(content: Mapping[str, Any], part: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the tables of a part, each with where it stands."""
    if part not in content:
        return []
    rows, wanted = content[part], f"[[{part}]]"
    if part not in ARRAYS:
        rows, wanted = [rows], f"[{part}]"
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{part} is written as {wanted}.")
    if part not in ARRAYS:
        return [(wanted, rows[0])]
    return [(f"{wanted} {n}", row) for n, row in enumerate(rows, 1)]


def _check_row(row: Mapping[str, Any], known: Mapping[str, Any], where: str) -> None:
    for name, value in row.items():
        if name not in known:
            raise ValueError(f"{name} is nothing of {where}. It takes: {', '.join(sorted(known))}.")
        if (kind := known[name]) and not _is_of(value, kind):
            raise ValueError(f"{where}: {name} is {KINDS[kind]}, not {value!r}.")


def _is_of(value: Any, kind: Any) -> bool:
    if kind == list[str]:
        return isinstance(value, list) and all(isinstance(e, str) and e.strip() for e in value)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _check_plain(value: Any, where: str, *, has_dates: bool = False) -> None:
    """Refuse what JSON has no word for: moments, and numbers that are none."""
    if isinstance(value, date | time) and not has_dates:
        raise ValueError(f"{where} is a date or a time: these stand in [dates].")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{where} is no number.")
    inner = dict(enumerate(value, 1)) if isinstance(value, list) else value
    for name, each in inner.items() if isinstance(inner, dict) else ():
        _check_plain(each, f"{where}: {name}", has_dates=has_dates)
