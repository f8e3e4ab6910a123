"""The order in which people expect topics."""

import re

# Of a key. Its length in two digits precedes each number, so that texts sort by value.
MAX_LENGTH = 765


def natural_key(number: str) -> str:
    """Return a text that sorts topics by the numbers in their names; equal keys sort by name.

    >>> sorted(["10", "2", "4b", "003", "4", "b10", "b9"], key=natural_key)
    ['2', '003', '4', '4b', '10', 'b9', 'b10']
    """
    return re.sub("[0-9]+", _measured, number)


def _measured(digits: re.Match[str]) -> str:
    value = digits[0].lstrip("0")
    return f"{len(value):02}{value}"
