"""Names that look the same are the same: of teams, folders, files, tags and words."""

import unicodedata


def tidy(name: str) -> str:
    r"""Return a name as it is kept: composed, with one space between words.

    >>> tidy(" Ko\u0308ln \N{NO-BREAK SPACE} Su\u0308d ") == "Köln Süd"
    True
    """
    return unicodedata.normalize("NFC", " ".join(name.split()))


def one_name(name: str) -> str:
    r"""Return a name without what makes no difference: capitals, spaces, how letters are composed.

    Characters that cannot be seen, such as zero-width spaces, make none either.

    >>> one_name("KO\u0308LN \N{ZERO WIDTH SPACE}su\u0308d") == one_name("Köln Süd")
    True
    """
    visible = "".join(each for each in name if unicodedata.category(each) != "Cf")
    return unicodedata.normalize("NFC", tidy(visible).casefold())
