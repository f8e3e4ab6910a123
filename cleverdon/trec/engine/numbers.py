"""Decimal numbers out of text, a column at a time, rounded as Python's float rounds them."""

import re
from typing import NamedTuple

import numpy as np

from cleverdon.trec.arrays import Bytes, Floats, Integers, Mask, Words
from cleverdon.trec.docnos import Docnos, windows

# Up to 19 digits fit 64 bits, with a sign or a point.
MOST_DIGITS, MOST_CHARACTERS = 19, 20
NINE, TEN = np.uint64(9), np.uint64(10)
# Integers up to 2**53 and powers of ten up to 10**22 are doubles: their division rounds right.
EXACT = np.uint64(2**53)
POWERS = np.array([10.0**n for n in range(MOST_DIGITS + 1)])
# An 80-bit number holds any 64-bit integer and powers of ten up to 10**27. Its 64-bit quotient
# rounds to the right double unless it lies in the middle between two.
IS_WIDE = np.finfo(np.longdouble).nmant == 63
WIDE_POWERS = np.array(10, dtype=np.longdouble) ** np.arange(MOST_DIGITS + 1)
WHOLE = re.compile(rb"[+-]?[0-9]+")
LOW_BITS, MIDDLE = np.uint64(0x7FF), np.uint64(0x400)


def scores(column: Docnos) -> tuple[Floats, Mask]:
    """Return finite decimal numbers, and which fields are one; 1_0, nan and inf are not."""
    fields = _parsed(column)
    values = fields.digits.astype(np.float64) / POWERS[fields.n_decimals]
    is_read = fields.is_plain & (fields.digits <= EXACT)
    rows = np.flatnonzero(fields.is_plain & ~is_read)
    if len(rows) and IS_WIDE:
        wide = fields.digits[rows].astype(np.longdouble)
        wide /= WIDE_POWERS[fields.n_decimals[rows]]
        values[rows] = wide
        is_read[rows] = (wide.view(np.uint64)[::2] & LOW_BITS) != MIDDLE
    values[fields.is_negative] *= -1.0
    _read_singly(column, float, np.inf, values, is_read)
    return values, is_read


def whole_numbers(column: Docnos, below: int) -> tuple[Integers, Mask]:
    """Return whole numbers below a bound in size, signed or not, and which fields are one."""
    fields = _parsed(column)
    is_read = fields.is_plain & ~fields.has_point & (fields.digits < below)
    values = np.where(is_read, fields.digits, np.uint64(0)).astype(np.int64)
    values[fields.is_negative] *= -1
    _read_singly(column, int, below, values, is_read)
    return values, is_read


def not_whole(word: bytes, below: int) -> str:
    """Say why `whole_numbers` refuses a field."""
    if not WHOLE.fullmatch(word):
        return "is not a whole number"
    if word.startswith(b"-"):
        return f"is too small: at least {1 - below:,}"
    return f"is too large: at most {below - 1:,}"


class _Fields(NamedTuple):
    """Numbers without exponent, shape [n] each: all digits as one integer, and the decimals.

    The values of fields that are not plain mean nothing.
    """

    is_negative: Mask
    has_point: Mask
    digits: Words
    n_decimals: Bytes
    is_plain: Mask


def _parsed(column: Docnos) -> _Fields:
    characters = _characters(column)
    digits = np.zeros(len(column), dtype=np.uint64)
    n_digits, n_points, n_decimals = np.zeros((3, len(column)), dtype=np.uint8)
    for character in characters:
        # Characters below "0" wrap around to large numbers.
        digit = character - np.uint8(ord("0"))
        is_digit = digit < TEN
        # Arithmetic: np.where takes five times as long.
        digits += (digits * NINE + digit) * is_digit
        n_digits += is_digit
        n_decimals += is_digit & (n_points > 0)
        n_points += character == ord(".")
    is_negative = characters[0] == ord("-")
    is_plain = (n_digits > 0) & (n_digits <= MOST_DIGITS) & (n_points <= 1)
    is_plain &= n_digits + n_points + is_negative == column.lengths
    n_decimals[~is_plain] = 0
    return _Fields(is_negative, n_points == 1, digits, n_decimals, is_plain)


def _characters(column: Docnos) -> Bytes:
    """Return each field's first characters, NUL after its end: shape [at most 20, n_fields]."""
    width = max(1, min(column.longest, MOST_CHARACTERS))
    fields = windows(column.content, f"V{width}")[column.starts]
    fields = fields.view(np.uint8).reshape(-1, width)
    characters = np.ascontiguousarray(fields.T)
    characters *= np.arange(width)[:, None] < column.lengths
    return characters


def _read_singly(
    column: Docnos,
    python: type[int] | type[float],
    below: float,
    values: Floats | Integers,
    is_read: Mask,
) -> None:
    """Read the other fields as Python does, in place; 0 for no number and for too large a one."""
    for row in np.flatnonzero(~is_read).tolist():
        word, values[row] = column[row], 0
        try:
            value = python(word)
        except ValueError:
            continue
        # Python also takes 1_0.
        if b"_" not in word and abs(value) < below:
            values[row], is_read[row] = value, True
