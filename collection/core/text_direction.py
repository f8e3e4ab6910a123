"""Which way a text runs: by the language that is stated, and where none is, by most of its letters."""

import re

# ISO 639 codes, of two letters and of three, of languages that are written from right to left unless a script is stated.
_LANGUAGES = frozenset(
    {
        "ar",
        "ara",
        "arc",
        "azb",
        "ckb",
        "div",
        "dv",
        "fa",
        "fas",
        "glk",
        "he",
        "heb",
        "iw",
        "ji",
        "ks",
        "mzn",
        "nqo",
        "per",
        "pnb",
        "ps",
        "pus",
        "sd",
        "snd",
        "syr",
        "ug",
        "uig",
        "ur",
        "urd",
        "yi",
        "yid",
    }
)
_SCRIPTS = frozenset(
    ["adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"]
)
_SCRIPT = re.compile(r"[a-z]{4}")
# The blocks of Unicode whose letters run from right to left.
_LETTER = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def is_from_right(language: str) -> bool:
    """Tell whether a language, by its tag, is written from right to left.

    >>> [is_from_right(tag) for tag in ("he", "ar-EG", "pa-Arab", "AR-latn", "en", "")]
    [True, True, True, False, False, False]
    """
    first, *others = language.lower().replace("_", "-").split("-")
    script = next((each for each in others if _SCRIPT.fullmatch(each)), "")
    return script in _SCRIPTS if script else first in _LANGUAGES


def is_mostly_from_right(text: str) -> bool:
    """Tell whether most letters of a text run from right to left.

    >>> is_mostly_from_right("IBM \u05d4\u05d9\u05d0 \u05d7\u05d1\u05e8\u05d4"), is_mostly_from_right("\u05d0 is a letter")
    (True, False)
    """
    if not _LETTER.search(text):
        return False
    n_from_right = sum(map(str.isalpha, _LETTER.findall(text)))
    return n_from_right * 2 > sum(map(str.isalpha, text))


def direction(text: str, *, from_right: bool) -> str:
    """Return the value of `dir` for a paragraph of a document that runs from the right, or may run either way.

    In Hebrew a paragraph that begins with a Latin name runs from the right all the same, and one in English does not.

    >>> direction("Google \u05d0", from_right=True), direction("in English", from_right=True), direction("12", from_right=True)
    ('rtl', 'auto', 'rtl')
    >>> direction("Google \u05d0", from_right=False), direction("in English", from_right=False)
    ('ltr', 'auto')
    """
    if _LETTER.search(text):
        return "rtl" if from_right or is_mostly_from_right(text) else "ltr"
    return "rtl" if from_right and not any(map(str.isalpha, text)) else "auto"
