"""The order in which people expect topics."""

import re

# A run of digits is preceded by its length in two digits, so that as text it comes where its value belongs.
MAX_LENGTH = 180


def natural_key(number: str) -> str:
    """Return a text that orders topics by the numbers in their names; of equal keys the names themselves decide.

    >>> sorted(["10", "2", "4b", "003", "4", "b10", "b9"], key=natural_key)
    ['2', '003', '4', '4b', '10', 'b9', 'b10']
    """
    return re.sub("[0-9]+", _measured, number)


def _measured(digits: re.Match[str]) -> str:
    value = digits[0].lstrip("0")
    return f"{len(value):02}{value}"
