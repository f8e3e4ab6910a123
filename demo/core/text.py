"""From text to terms: three analyzers, so that the example's systems see different words."""

import re
from collections.abc import Callable
from functools import cache

Analyzer = Callable[[str], list[str]]

WORD = re.compile(r"\w+")
WORD_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(text: str) -> list[str]:
    """Return every word in lower case, identifiers in one piece.

    >>> words("The NamedTemporaryFile class")
    ['the', 'namedtemporaryfile', 'class']
    """
    return [word.lower() for word in WORD.findall(text)]


# Lucene's English stop words, and words with which questions begin.
STOPWORDS = frozenset(
    words(
        """a an and are as at be but by for if in into is it no not of on or such that the
        their then there these they this to was will with am can do does find how i me my we
        what when where which who why you"""
    )
)


def pieces(text: str) -> list[str]:
    """Return the words without stop words, with identifiers taken apart.

    >>> pieces("The NamedTemporaryFile of an HTTPServer, read_all")
    ['named', 'temporary', 'file', 'http', 'server', 'read', 'all']
    """
    return [piece for piece in map(str.lower, WORD_PIECE.findall(text)) if piece not in STOPWORDS]


def stems(text: str) -> list[str]:
    """Return the pieces with plurals made singular."""
    return [singular(piece) for piece in pieces(text)]


@cache
def singular(word: str) -> str:
    """Return a word without its plural ending: the S stemmer of Harman (1991).

    >>> [singular(word) for word in ("queries", "files", "class", "status")]
    ['query', 'file', 'class', 'status']
    """
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss", "es")):
        return word[:-1]
    return word
