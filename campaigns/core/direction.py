"""Which way a text runs: by the language that is stated, and where none is, by its first letter."""

import re

# ISO 639 codes, of two letters and of three, of languages that are written from right to left unless a script is stated.
_LANGUAGES = frozenset({
    "ar", "ara", "arc", "azb", "ckb", "div", "dv", "fa", "fas", "glk", "he", "heb", "iw", "ji", "ks", "mzn", "nqo", "per", "pnb",
    "ps", "pus", "sd", "snd", "syr", "ug", "uig", "ur", "urd", "yi", "yid",
})  # fmt: skip
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


def direction(text: str, *, from_right: bool) -> str:
    """Return the value of `dir` for a paragraph of a document whose language runs from the right, or may run either way.

    In Hebrew a paragraph that begins with a Latin name runs from the right all the same, and one in English does not.

    >>> direction("Google \u05d0", from_right=True), direction("in English", from_right=True), direction("12", from_right=True)
    ('rtl', 'auto', 'rtl')
    """
    if not from_right:
        return "auto"
    is_other = any(map(str.isalpha, text)) and not _LETTER.search(text)
    return "auto" if is_other else "rtl"
