"""Languages: their codes, their stop words and their stemmers."""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import Stemmer

ENGLISH = "en"
# Beyond this code point no letters but ideographs.
LAST = 0x1F000
# Snowball's stemmers by language, in rows as a table; in another language only equal words match.
STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian",
    "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
# Other codes of these languages, in rows as a table: ISO 639-2 and -3, and old ones.
CODES = {
    "ara": "ar", "arb": "ar", "cat": "ca", "ces": "cs", "cze": "cs", "dan": "da", "deu": "de",
    "ger": "de", "ell": "el", "gre": "el", "eng": "en", "epo": "eo", "spa": "es", "est": "et",
    "eus": "eu", "baq": "eu", "fas": "fa", "per": "fa", "pes": "fa", "fin": "fi", "fra": "fr",
    "fre": "fr", "gle": "ga", "heb": "he", "iw": "he", "hin": "hi", "hun": "hu", "hye": "hy",
    "arm": "hy", "ind": "id", "in": "id", "ita": "it", "jpn": "ja", "kor": "ko", "lit": "lt",
    "nep": "ne", "nld": "nl", "dut": "nl", "nb": "no", "nn": "no", "nob": "no", "nno": "no",
    "nor": "no", "pol": "pl", "por": "pt", "ron": "ro", "rum": "ro", "rus": "ru", "srp": "sr",
    "sot": "st", "swe": "sv", "tam": "ta", "tha": "th", "tur": "tr", "ukr": "uk", "yid": "yi",
    "ji": "yi", "zho": "zh", "chi": "zh", "cmn": "zh",
}  # fmt: skip


def language(tag: str) -> str:
    """Return the two-letter code of a language tag; an unknown tag stays as it is.

    >>> language("en-US"), language("ZHO"), language("nb"), language("tlh"), language("")
    ('en', 'zh', 'no', 'tlh', '')
    """
    first = tag.strip().lower().replace("_", "-").split("-")[0]
    return CODES.get(first, first)


@cache
def stop_words() -> Mapping[str, frozenset[str]]:
    """Return the stop words of each language that has a list, by its code."""
    text = (Path(__file__).parent / "stop_words.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {line[:2]: frozenset(lower(line[4:], line[:2]).split()) for line in lines}


def is_stop_word(word: str, code: str) -> bool:
    return word in stop_words().get(code, ())


def lower(text: str, code: str) -> str:
    r"""Return a text as words are compared: NFC, in lower case. Turkish has its own I.

    >>> lower("ÉCOLE", "fr"), lower("I", "tr") == "\u0131"
    ('école', True)
    """
    if code == "tr":
        text = text.replace("I", "\u0131").replace("İ", "i")
    return unicodedata.normalize("NFC", text).lower()


def stems(words: Sequence[str], code: str) -> list[str]:
    """Return the stem of each lower-case word; the word itself where there is no stemmer.

    >>> stems(["trees", "cooling"], "en"), stems(["trees"], "he")
    (['tree', 'cool'], ['trees'])
    """
    if code not in STEMMERS:
        return list(words)
    # A stemmer must not be shared by threads; a new one without a cache costs nothing.
    stemmer = Stemmer.Stemmer(STEMMERS[code], 0)
    return list(stemmer.stemWords(list(words)))


@cache
def marks() -> str:
    """Return the combining marks, as the inside of a character class of a regular expression."""
    points = [n for n in range(0x300, LAST) if unicodedata.category(chr(n))[0] == "M"]
    runs: dict[int, list[int]] = defaultdict(list)
    for place, point in enumerate(points):
        runs[point - place].append(point)
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs.values())
