"""How an access token is spelled: a prefix to find it by, chance, and check digits.

A scanner knows one by its check digits, without asking the site, as it knows those of GitHub.
"""

import re
import string
import zlib

DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
# 30 of 62 digits are 178 bits of chance. The check digits hold the 32 bits of a CRC.
N_CHANCE, N_CHECK = 30, 6
PREFIX = "cleverdon_"
TOKEN = rf"{PREFIX}[0-9A-Za-z]{{{N_CHANCE + N_CHECK}}}"


def spelled(chance: str) -> str:
    """Return the token of 30 random digits.

    >>> spelled("0" * 30)
    'cleverdon_0000000000000000000000000000002C8GjS'
    """
    return f"{PREFIX}{chance}{check_digits(chance)}"


def check_digits(chance: str) -> str:
    """Return the CRC-32 of the digits, as zlib has it, in base 62, the highest digit first."""
    left, written = zlib.crc32(chance.encode()), ""
    for _ in range(N_CHECK):
        left, digit = divmod(left, len(DIGITS))
        written = DIGITS[digit] + written
    return written


def is_spelled_right(text: str) -> bool:
    """Tell whether this can be a token: one that is mistyped or cut off is none.

    >>> is_spelled_right(spelled("0" * 30)), is_spelled_right(spelled("0" * 30)[:-1])
    (True, False)
    """
    if not re.fullmatch(TOKEN, text, re.ASCII):
        return False
    chance, check = text[len(PREFIX) : -N_CHECK], text[-N_CHECK:]
    return check_digits(chance) == check
