"""The direction of a text: by its stated language, or else by most of its letters."""

import re

# ISO 639 codes of languages that are written from right to left unless a script is stated.
_LANGUAGE = re.compile(
    "ar|ara|arc|azb|ckb|div|dv|fa|fas|glk|he|heb|iw|ji|ks|mzn|nqo|per|pnb|ps|pus|sd|snd|syr|"
    "ug|uig|ur|urd|yi|yid"
)
_SCRIPTS = {"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
_SCRIPT = re.compile(r"[a-z]{4}")
# Blocks of Unicode with letters from right to left.
_LETTER = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def is_from_right(language: str) -> bool:
    """Return whether a language, by its tag, is written from right to left.

    >>> [is_from_right(tag) for tag in ("he", "ar-EG", "pa-Arab", "AR-latn", "en", "")]
    [True, True, True, False, False, False]
    """
    first, *others = language.lower().replace("_", "-").split("-")
    script = next((each for each in others if _SCRIPT.fullmatch(each)), "")
    return script in _SCRIPTS if script else bool(_LANGUAGE.fullmatch(first))


def is_mostly_from_right(text: str) -> bool:
    """Return whether most letters of a text run from right to left.

    >>> is_mostly_from_right("IBM \u05d4\u05d9\u05d0 \u05d7\u05d1\u05e8\u05d4")
    True
    >>> is_mostly_from_right("\u05d0 is a letter")
    False
    """
    if not _LETTER.search(text):
        return False
    n_from_right = sum(map(str.isalpha, _LETTER.findall(text)))
    return n_from_right * 2 > sum(map(str.isalpha, text))


def direction(text: str, *, from_right: bool) -> str:
    """Return the `dir` of a paragraph, in a document from the right or the left.

    In a Hebrew document a paragraph with a Latin name is from the right, and one in English is not.

    >>> texts = ("Google \u05d0", "in English", "12")
    >>> [direction(text, from_right=True) for text in texts]
    ['rtl', 'auto', 'rtl']
    >>> [direction(text, from_right=False) for text in texts]
    ['ltr', 'auto', 'auto']
    """
    if _LETTER.search(text):
        return "rtl" if from_right or is_mostly_from_right(text) else "ltr"
    return "rtl" if from_right and not any(map(str.isalpha, text)) else "auto"
