"""Texts in tables that people open in a spreadsheet."""

import re

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+([.]\d+)?")


def cell(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe first.

    People choose the names of teams, runs, topics and documents. Numbers stay as they are.

    >>> cell("=1+1"), cell("-1"), cell("Aldgate"), cell(-0.5)
    ("'=1+1", '-1', 'Aldgate', -0.5)
    """
    if not isinstance(value, str) or not _FORMULA.match(value):
        return value
    return value if _NUMBER.fullmatch(value) else f"'{value}"
