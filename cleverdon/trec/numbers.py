"""Numbers out of text, a column at a time, rounded as Python's float rounds them."""

import re

import numpy as np

from cleverdon.trec import engine
from cleverdon.trec.arrays import Floats, Integers, Mask
from cleverdon.trec.docnos import Docnos
from cleverdon.trec.engine.fields import READ, SLOWLY

WHOLE = re.compile(rb"[+-]?[0-9]+")


def scores(column: Docnos) -> tuple[Floats, Mask]:
    """Return finite decimal numbers, and which fields are one; 1_0, nan and inf are not."""
    values, states = engine.reader.scores(column)
    is_read = states == READ
    for row in np.flatnonzero(states == SLOWLY).tolist():
        values[row] = float(column[row])
        is_read[row] = np.isfinite(values[row])
    values[~is_read] = 0
    return values, is_read


def whole_numbers(column: Docnos, below: int) -> tuple[Integers, Mask]:
    """Return whole numbers below a bound in size, signed or not, and which fields are one."""
    values, states = engine.reader.whole(column, below)
    return values, states == READ


def not_whole(word: bytes, below: int) -> str:
    """Say why `whole_numbers` refuses a field."""
    if not WHOLE.fullmatch(word):
        return "is not a whole number"
    if word.startswith(b"-"):
        return f"is too small: at least {1 - below:,}"
    return f"is too large: at most {below - 1:,}"
