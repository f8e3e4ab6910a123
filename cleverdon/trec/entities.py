"""Characters for the entities of HTML."""

import html
import re

# No character's number has nine digits, and Python refuses numbers of thousands of digits.
_NO_CHARACTER = re.compile(r"&#(?:0*+[0-9]{9,}|[xX]0*+[0-9a-fA-F]{9,});?")


def unescaped(text: str) -> str:
    r"""Replace entities by their characters; U+FFFD for a number that is no character's.

    >>> unescaped("R&amp;D &#0000000000065; &eacute; &#xD800;")
    'R&D A é �'
    >>> unescaped("&#" + "1" * 5000 + ";") == "\N{REPLACEMENT CHARACTER}"
    True
    """
    if "&#" not in text:
        return html.unescape(text)
    return html.unescape(_NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text))
