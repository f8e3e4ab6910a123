"""When two texts are the same text: by a hash that sees neither case nor layout."""

import hashlib
import unicodedata
from collections.abc import Iterator

# Sorting the accents of one letter takes time quadratic in their number, and a damaged text can
# have a million: a word is normalized in parts of so many characters.
_LONGEST = 500


def text_hash(text: str) -> str:
    r"""Return the SHA-256 of a text once normalized, or "" if there is no text.

    Normalized by Unicode NFKC and case folding, each run of white space one blank, none at the
    ends. Two texts are exact duplicates if both have the same hash, and one without a hash is
    nobody's duplicate. The time is linear in the length, even of one word.

    >>> text_hash("The  \ufb01rst\n") == text_hash("the FIRST"), text_hash(" \n") == ""
    (True, True)
    """
    normal = normalized(text)
    return hashlib.sha256(normal.encode(errors="surrogatepass")).hexdigest() if normal else ""


def normalized(text: str) -> str:
    """Return the text whose hash is `text_hash`."""
    if not text.isascii():
        text = " ".join(map(_composed, text.split()))
    # Split again, because NFKC makes blanks of other characters.
    return " ".join(text.casefold().split())


def _composed(word: str) -> str:
    return "".join(unicodedata.normalize("NFKC", part) for part in _parts(word))


def _parts(word: str) -> Iterator[str]:
    """Yield parts that end before a letter which nothing behind it can join, if there is one."""
    start = 0
    while start < len(word):
        end, most = start + _LONGEST, min(start + 2 * _LONGEST, len(word))
        while end < most and _joins(word[end]):
            end += 1
        yield word[start:end]
        start = end


def _joins(character: str) -> bool:
    """Tell whether a character may become one with that before it: marks, parts of Hangul."""
    is_part = "\u1160" <= character <= "\u11ff" or character in "\uff9e\uff9f"
    return is_part or unicodedata.category(character)[0] == "M"
