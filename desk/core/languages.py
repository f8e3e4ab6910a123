"""What is known of languages: their codes, the words that say nothing, and how a word is reduced to its stem."""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import Stemmer

ENGLISH = "en"
# Beyond it there are no letters that words are written with but ideographs.
LAST = 0x1F000
# Of these there are stemmers; of another language only equal words are the same.
STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
# Other codes of the same languages: of three letters, as many collections have them, and those that a language shares.
CODES = {
    "ara": "ar",
    "arb": "ar",
    "cat": "ca",
    "ces": "cs",
    "cze": "cs",
    "dan": "da",
    "deu": "de",
    "ger": "de",
    "ell": "el",
    "gre": "el",
    "eng": "en",
    "epo": "eo",
    "spa": "es",
    "est": "et",
    "eus": "eu",
    "baq": "eu",
    "fas": "fa",
    "per": "fa",
    "pes": "fa",
    "fin": "fi",
    "fra": "fr",
    "fre": "fr",
    "gle": "ga",
    "heb": "he",
    "iw": "he",
    "hin": "hi",
    "hun": "hu",
    "hye": "hy",
    "arm": "hy",
    "ind": "id",
    "in": "id",
    "ita": "it",
    "jpn": "ja",
    "kor": "ko",
    "lit": "lt",
    "nep": "ne",
    "nld": "nl",
    "dut": "nl",
    "nb": "no",
    "nn": "no",
    "nob": "no",
    "nno": "no",
    "nor": "no",
    "pol": "pl",
    "por": "pt",
    "ron": "ro",
    "rum": "ro",
    "rus": "ru",
    "srp": "sr",
    "sot": "st",
    "swe": "sv",
    "tam": "ta",
    "tha": "th",
    "tur": "tr",
    "ukr": "uk",
    "yid": "yi",
    "ji": "yi",
    "zho": "zh",
    "chi": "zh",
    "cmn": "zh",
}


def language(tag: str) -> str:
    """Return the code of a language tag, "" for none; one that nothing is known of stays as it is.

    >>> language("en-US"), language("ZHO"), language("nb"), language("tlh"), language("")
    ('en', 'zh', 'no', 'tlh', '')
    """
    first = tag.strip().lower().replace("_", "-").split("-")[0]
    return CODES.get(first, first)


@cache
def stop_words() -> Mapping[str, frozenset[str]]:
    """Return the function words of each language that has a list, by its code."""
    text = (Path(__file__).parent / "stop_words.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {line[:2]: frozenset(lower(line[4:], line[:2]).split()) for line in lines}


def is_stop_word(word: str, code: str) -> bool:
    return word in stop_words().get(code, ())


def lower(text: str, code: str) -> str:
    r"""Return a text as words are compared: composed, in small letters. Turkish has its own I.

    >>> lower("ÉCOLE", "fr"), lower("I", "tr") == "\u0131"
    ('école', True)
    """
    if code == "tr":
        text = text.replace("I", "\u0131").replace("İ", "i")
    return unicodedata.normalize("NFC", text).lower()


def stems(words: Sequence[str], code: str) -> list[str]:
    """Return the stem of each word in small letters; the word itself in a language without a stemmer.

    >>> stems(["trees", "cooling"], "en"), stems(["trees"], "he")
    (['tree', 'cool'], ['trees'])
    """
    if code not in STEMMERS:
        return list(words)
    # One for each call: a stemmer must not be used by two threads, and a new one costs nothing without a cache.
    stemmer = Stemmer.Stemmer(STEMMERS[code], 0)
    return list(stemmer.stemWords(list(words)))


@cache
def marks() -> str:
    """Return the characters that belong to the letter before, as the inside of a class of a regular expression."""
    points = [n for n in range(0x300, LAST) if unicodedata.category(chr(n))[0] == "M"]
    runs: dict[int, list[int]] = defaultdict(list)
    for place, point in enumerate(points):
        runs[point - place].append(point)
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs.values())
