"""Decimal numbers out of text, a column at a time: each the double nearest to what is written, as Python's float gives it."""

import numpy as np
from numpy.typing import NDArray

from trec.docnos import WORD, Docnos, Mask, Words, windows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Every byte of a word the same.
ONES = np.uint64(0x0101010101010101)
ZEROS, DOTS = ONES * np.uint64(ord("0")), ONES * np.uint64(ord("."))
HIGH_BITS, HIGH_HALVES = ONES * np.uint64(0x80), ONES * np.uint64(0xF0)
SIXES, LOW_HALVES = ONES * np.uint64(6), ONES * np.uint64(0x0F)
NOT_DIGIT = ONES * np.uint64(0x76)
BYTE = np.uint64(8)

# Up to so many digits an integer is exact as a double, and so many fit 64 bits.
EXACT_DIGITS, MOST_DIGITS = 15, 19
MOST_WORDS, MOST_ALIGNED = 3, 8
POWERS = np.array([10**n for n in range(MOST_DIGITS + 1)], dtype=np.uint64)
# 10**22 is the last power of ten that is a double, 10**27 the last that an 80-bit number holds.
EXACT_POWERS = np.array([10.0**n for n in range(23)])
WIDE_POWERS = np.array(10, dtype=np.longdouble) ** np.arange(28)
# With 64 bits of precision a quotient rounds to the right double unless it lies between two of them.
IS_WIDE = np.finfo(np.longdouble).nmant == 63
LOW_BITS, MIDDLE = np.uint64(0x7FF), np.uint64(0x400)


def scores(column: Docnos) -> tuple[Floats, Mask]:
    """Return finite decimal numbers, and which fields are any; what Python's float also takes (1_0, nan, inf) is none."""
    aligned = _aligned(column) if len(column) else None
    if aligned is not None:
        return aligned, np.ones(len(column), dtype=np.bool_)
    negative, digits, n_digits, n_decimals, is_plain = _digits(column)
    is_exact = n_digits <= EXACT_DIGITS
    places = np.clip(n_decimals, 0, len(EXACT_POWERS) - 1)
    values = digits.astype(np.float64) / EXACT_POWERS[places]
    wide = np.flatnonzero(is_plain & ~is_exact)
    if len(wide) and IS_WIDE:
        values[wide], settled = _wide(digits[wide], n_decimals[wide])
        is_exact[wide[settled]] = True
    values[negative] *= -1.0
    readable = is_plain & is_exact
    for place in np.flatnonzero(~readable).tolist():
        value = score(column[place])
        readable[place] = value is not None
        values[place] = 0.0 if value is None else value
    return values, readable


def _aligned(column: Docnos) -> Floats | None:
    """Return numbers with the same count of decimals, as programs write them; None when they are not so plain.

    Up to eight digits stand before the point and after it.
    """
    ends, n_decimals = column.ends, len(column[0].partition(b".")[2])
    if not 0 < n_decimals <= MOST_ALIGNED:
        return None
    negative = column.content[column.starts] == ord("-")
    left = WORD - (column.lengths - negative - n_decimals - 1)
    if left.min() < 0 or left.max() >= WORD:
        return None
    if not (column.content[ends - (n_decimals + 1)] == ord(".")).all():
        return None
    words = windows(column.content)
    high = _end_of(words[ends - (n_decimals + 1 + WORD)], left)
    low = _end_of(words[ends - WORD], np.array(WORD - n_decimals))
    # Only a byte from 0 to 9 stays below 0x80, with and without 0x76 added to it.
    if ((high | (high + NOT_DIGIT) | low | (low + NOT_DIGIT)) & HIGH_BITS).any():
        return None
    total = _value(high) * POWERS[n_decimals] + _value(low)
    if total.max() >= POWERS[EXACT_DIGITS]:
        return None
    values: Floats = total.astype(np.float64) / EXACT_POWERS[n_decimals]
    values[negative] *= -1.0
    return values


def _end_of(word: Words, left: Integers) -> Words:
    """Take each character less "0", the first so many (fewer than eight) as 0."""
    n_bits = left.astype(np.uint64) * BYTE
    own: Words = (word ^ ZEROS) >> n_bits << n_bits
    return own


def whole_numbers(column: Docnos, below: int) -> tuple[Integers, Mask]:
    """Return whole numbers smaller than a bound in size, and which fields are any; a sign may stand before them."""
    if column.longest == 1:
        return _single_digits(column)
    negative, digits, n_digits, n_decimals, is_plain = _digits(column)
    readable = is_plain & (n_decimals < 0) & (n_digits < MOST_DIGITS)
    values = np.where(readable, digits, np.uint64(0)).astype(np.int64)
    values[negative] *= -1
    for place in np.flatnonzero(~readable).tolist():
        value = whole(column[place], below)
        readable[place] = value is not None
        values[place] = value or 0
    return values, readable & (np.abs(values) < below)


def _single_digits(column: Docnos) -> tuple[Integers, Mask]:
    """Read numbers of one digit, as most grades are."""
    values = column.content[column.starts].astype(np.int64) - ord("0")
    readable = (values >= 0) & (values <= ord("9") - ord("0"))
    return np.where(readable, values, 0), readable


def _digits(
    column: Docnos,
) -> tuple[Mask, Words, Integers, Integers, Mask]:
    """Return for each field its sign, its digits as one number, their count, the count after the point, and if that is all of it.

    Without a point the count after it is -1.
    """
    negative = column.content[column.starts] == ord("-")
    lengths = column.lengths - negative
    n_words = min(MOST_WORDS, -(-int(lengths.max(initial=1)) // WORD))
    total = np.zeros(len(column), dtype=np.uint64)
    scale = np.zeros(1, dtype=np.int64)
    n_decimals = np.full(len(column), -1, dtype=np.int64)
    is_plain = (lengths > 0) & (lengths <= WORD * MOST_WORDS)
    for number in range(n_words):
        word = _word_before(column.ends, lengths, number, column)
        has_point, place, word = _without_point(word)
        is_plain &= _are_digits(word)
        total += _value(word) * POWERS[scale]
        if has_point.any():
            is_plain &= ~has_point | (n_decimals < 0)
            after = scale + (WORD - 1 - place)
            n_decimals = np.where(has_point, after, n_decimals)
        scale = scale + WORD - has_point
    n_digits = lengths - (n_decimals >= 0)
    is_plain &= (n_digits > 0) & (n_digits <= MOST_DIGITS)
    return negative, total, n_digits, n_decimals, is_plain


def _word_before(
    ends: Integers, lengths: Integers, number: int, column: Docnos
) -> Words:
    """Return the eight characters that end 8 * number before each field's end; those before its beginning read 0."""
    word = windows(column.content)[ends - WORD * (number + 1)]
    missing = np.clip(WORD * (number + 1) - lengths, 0, WORD).astype(np.uint64)
    # In memory's order the first character is the lowest byte. A shift by all 64 bits does nothing: two halves do.
    half = missing * (BYTE >> np.uint64(1))
    own: Words = (word >> half >> half) << half << half
    return own | (ZEROS & ~(~np.uint64(0) << half << half))


def _without_point(word: Words) -> tuple[Mask, Integers, Words]:
    """Take the first point out of each word: whether there is one, at which character, and the rest with a 0 before it."""
    others = word ^ DOTS
    found = (others - ONES) & ~others & HIGH_BITS
    has_point = found != 0
    if not has_point.any():
        return has_point, np.zeros(len(word), dtype=np.int64), word
    lowest = found & (~found + np.uint64(1))
    below = np.where(has_point, (lowest >> np.uint64(7)) - np.uint64(1), np.uint64(0))
    place = np.bitwise_count(below).astype(np.int64) // WORD
    above = ~((below << BYTE) | np.uint64(0xFF))
    closed = (word & above) | ((word & below) << BYTE) | np.uint64(ord("0"))
    return has_point, place, np.where(has_point, closed, word)


def _are_digits(word: Words) -> Mask:
    """Tell whether all eight characters are digits."""
    is_digit: Mask = (word & HIGH_HALVES) == ZEROS
    is_digit &= ((word + SIXES) & HIGH_HALVES) == ZEROS
    return is_digit


def _value(word: Words) -> Words:
    """Return eight digits, or the numbers 0 to 9, as a number: first pairs of them, then fours, then all."""
    word = (word & LOW_HALVES) * np.uint64(10 * 256 + 1) >> BYTE
    word = (word & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(100 * 65536 + 1)
    word = (word >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)
    return word * np.uint64(10000 * 2**32 + 1) >> np.uint64(32)


def _wide(digits: Words, n_decimals: Integers) -> tuple[Floats, Mask]:
    """Divide numbers of up to 19 digits; also tell which quotients are sure to be the nearest doubles."""
    quotients = digits.astype(np.longdouble) / WIDE_POWERS[np.maximum(n_decimals, 0)]
    fractions = quotients.view(np.uint64)[::2]
    return quotients.astype(np.float64), (fractions & LOW_BITS) != MIDDLE


def score(word: bytes) -> float | None:
    """Read a decimal number; Python's float also takes 1_0, nan and inf, which are refused here."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if b"_" not in word and np.isfinite(value) else None


def whole(word: bytes, below: int) -> int | None:
    """Read a whole number smaller than a bound in size; Python's int also takes 1_0, which is refused here."""
    try:
        value = int(word)
    except ValueError:
        return None
    return value if b"_" not in word and abs(value) < below else None
